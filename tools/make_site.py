#!/usr/bin/env python3
"""Puts the static site together: make_site.py BUILD FONTS DIST SOURCES.

BUILD is the folder of all builds, FONTS the one of tools/make_fonts.py. DIST is replaced as a whole
when it is complete, so that a server never sees half a site.
"""
import os
import shutil
import sys

import make_korean_texts

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FIRST_FONTS = ["sans.ttf", "math.ttf", "mono.ttf", "names.ttf"]

# What is bundled, its licence, and where its text is found: in the sources folder or on the machine.
BUNDLED = [
    ("Dear ImGui", "MIT", "{sources}/imgui/LICENSE.txt"),
    ("ImPlot", "MIT", "{sources}/implot/LICENSE"),
    ("JSON for Modern C++", "MIT", "{sources}/json/LICENSE.MIT"),
    ("Eigen 3.4, whose source is at https://gitlab.com/libeigen/eigen", "Mozilla Public License 2.0", None),
    ("Noto Sans, Noto Sans Math", "SIL Open Font License 1.1", "/usr/share/doc/fonts-noto-core/copyright"),
    ("JetBrains Mono", "SIL Open Font License 1.1", "/usr/share/doc/fonts-jetbrains-mono/copyright"),
    ("NanumSquare, NanumGothic", "SIL Open Font License 1.1", "/usr/share/doc/fonts-nanum/copyright"),
    ("Emscripten run-time, musl, LLVM libc++ and compiler-rt", "MIT, University of Illinois/NCSA, Apache 2.0 with LLVM exceptions", None),
    ("Transformer Playground", "MIT", os.path.join(PROJECT, "LICENSE")),
]


def licences(sources):
    parts = ["This page is made of:\n"]
    parts += [f"  {name}: {licence}\n" for name, licence, _ in BUNDLED]
    for name, licence, place in BUNDLED:
        if place:
            with open(place.format(sources=sources), encoding="utf-8") as file:
                parts.append(f"\n{'=' * 80}\n{name} ({licence})\n{'=' * 80}\n\n{file.read()}")
    return "".join(parts)


MODULES = [("web", "playground"), ("web", "engine"), ("web", "engine_relaxed"), ("web-threads", "engine_threads")]


def drop_comments(path):
    """Lines that are comments: for those who read the code, not for those who download it."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if not line.lstrip().startswith("//")]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)


def main(build, fonts, dist, sources):
    new = dist + ".new"
    shutil.rmtree(new, ignore_errors=True)
    os.makedirs(os.path.join(new, "web"))
    for name in sorted(os.listdir(os.path.join(PROJECT, "web"))):
        if not name.endswith((".js", ".css", ".svg")):
            continue  # what the modules are built from
        shutil.copy(os.path.join(PROJECT, "web", name), os.path.join(new, "web", name))
        if name.endswith(".js"):
            drop_comments(os.path.join(new, "web", name))
    for preset, module in MODULES:
        for name in (module + ".js", module + ".wasm"):
            shutil.copy(os.path.join(build, preset, "bin", name), os.path.join(new, "web", name))
    shutil.copy(os.path.join(build, "web", "bin", "textbook.wasm"), os.path.join(new, "web", "textbook.wasm"))
    make_korean_texts.main(os.path.join(new, "web", "korean.txt"))
    shutil.copytree(os.path.join(PROJECT, "examples"), os.path.join(new, "examples"),
                    ignore=shutil.ignore_patterns("library"))
    shutil.copytree(fonts, os.path.join(new, "fonts"), ignore=shutil.ignore_patterns("made"))

    first = [os.path.join(new, "web", "playground.wasm")]
    first += [os.path.join(new, "fonts", name) for name in FIRST_FONTS]
    with open(os.path.join(PROJECT, "index.html"), encoding="utf-8") as file:
        page = file.read().replace("@DOWNLOAD_BYTES@", str(sum(os.path.getsize(path) for path in first)))
    with open(os.path.join(new, "index.html"), "w", encoding="utf-8") as file:
        file.write(page)
    with open(os.path.join(new, "licences.txt"), "w", encoding="utf-8") as file:
        file.write(licences(sources))
    shutil.rmtree(dist, ignore_errors=True)
    os.rename(new, dist)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: make_site.py BUILD FONTS DIST SOURCES")
    main(*sys.argv[1:])
