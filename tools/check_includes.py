#!/usr/bin/env python3
"""Keeps the rooms in order: a file may include only what its room may see. Run by ./test lint.

core <- kernels <- layers <- model <- inspect <- train <- session <- {cli, imgui_app, web}
text sees core; tasks sees core and text; io sees up to model; textbook sees core, and the command line, the lessons'
figures (web), tests and measurements alone see it; imgui_app sees session and the engine's pure functions.
"""
import re
import subprocess
import sys

LADDER = ["core", "kernels", "layers", "model", "inspect", "train", "session"]
ENGINE = {f"engine/{room}": {f"engine/{lower}" for lower in LADDER[:i + 1]} for i, room in enumerate(LADDER)}
ENGINE["engine/text"] = {"engine/core", "engine/text"}
ENGINE["engine/tasks"] = {"engine/core", "engine/text", "engine/tasks"}
ENGINE["engine/io"] = {"engine/core", "engine/kernels", "engine/layers", "engine/model", "engine/io"}
# From train on, the engine may use the tasks and the files.
for room in ("engine/train", "engine/session"):
    ENGINE[room] |= {"engine/text", "engine/tasks", "engine/io"}

EVERYTHING = set(ENGINE) | {"engine/textbook"}
ALLOWED = {
    **ENGINE,
    "engine/textbook": {"engine/core", "engine/textbook"},
    "cli": EVERYTHING | {"cli", "bench"},
    # Never a model: the session's messages, and pure functions for display (EXCEPTIONS below).
    "imgui_app": {"engine/core", "engine/layers", "engine/session", "imgui_app"},
    "web": {"engine/kernels", "engine/session", "engine/textbook", "web"},
    "bench": EVERYTHING | {"bench"},
    "examples": EVERYTHING,
    "tests": EVERYTHING | {"imgui_app", "cli", "tests", "bench"},
}

# Headers of rooms that must not be seen otherwise: lists and functions that know no model, and the texts of the page.
EXCEPTIONS = {"imgui_app": {"engine/inspect/path_pattern.h", "engine/train/series_list.h"},
              "cli": {"imgui_app/strings/table.inc"}}

# The engine does without Eigen; what uses it is linked beside it.
USES_EIGEN = ("engine/textbook/", "engine/inspect/principal.cpp", "bench/", "tests/")
EIGEN = re.compile(r"^\s*#\s*include\s+<Eigen/")

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def room_of(path):
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "engine" else parts[0]


def problems(path, text):
    room = room_of(path)
    if room not in ALLOWED:
        yield f"{path}: there is no room {room}; name it in tools/check_includes.py"
        return
    for number, line in enumerate(text.splitlines(), 1):
        if EIGEN.match(line) and not path.startswith(USES_EIGEN):
            yield f"{path}:{number}: only {', '.join(USES_EIGEN)} may include Eigen"
        match = INCLUDE.match(line)
        if not match or "/" not in match[1]:
            continue  # generated headers have no folder
        other = room_of(match[1])
        if other not in ALLOWED:
            yield f"{path}:{number}: \"{match[1]}\" is not a path from the root of the project"
        elif other not in ALLOWED[room] and match[1] not in EXCEPTIONS.get(room, ()):
            yield f"{path}:{number}: {room} must not include {other} (\"{match[1]}\")"


def self_test():
    """The check must be able to fail."""
    bad = [("engine/core/x.h", '#include "engine/model/y.h"'), ("engine/tasks/x.h", '#include "engine/layers/y.h"'),
           ("imgui_app/x.h", '#include "engine/model/y.h"'), ("engine/io/x.h", '#include "engine/train/y.h"'),
           ("engine/core/x.h", '#include "imgui_app/y.h"'), ("cli/x.h", '#include "imgui_app/y.h"'),
           ("engine/textbook/x.h", '#include "engine/kernels/y.h"'), ("engine/inspect/x.h", "#include <Eigen/Core>"),
           ("engine/train/x.h", '#include "engine/textbook/y.h"'), ("attic/x.h", ""), ("engine/core/x.h", '#include "../core/y.h"')]
    for path, text in bad:
        if not list(problems(path, text)):
            sys.exit(f"tools/check_includes.py no longer objects to {text} in {path}")
    good = [("engine/model/x.h", '#include "engine/layers/y.h"'), ("cli/x.h", '#include "engine/session/y.h"')]
    for path, text in good:
        if list(problems(path, text)):
            sys.exit(f"tools/check_includes.py objects to {text} in {path}")


def main():
    self_test()
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.h", "*.cpp"], check=True,
                           capture_output=True, text=True).stdout.split()
    found = []
    for path in files:
        with open(path, encoding="utf-8") as file:
            found += problems(path, file.read())
    print("\n".join(found) or f"{len(files)} files keep to their rooms")
    sys.exit(bool(found))


main()
