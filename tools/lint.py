#!/usr/bin/env python3
"""Format, lint and include checks, each printed as it ends: lint.py [NAME ...]. Run by ./test lint."""
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NODE_MODULES = "tests/browser/node_modules"
CACHE = os.environ.get("TP_CACHE") or os.path.join(  # as in tools/environment.sh
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "transformer-playground")


def tracked(*patterns):
    answer = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", *patterns], check=True,
                            capture_output=True, text=True)
    return [path for path in answer.stdout.split("\n") if path and os.path.exists(path)]


def run(*command):
    """Nothing when the command is content, what it printed otherwise."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr or f"{command[0]} failed"


def clang_format():
    return run("clang-format", "--dry-run", "-Werror", *tracked("*.h", "*.cpp"))


def clang_tidy():
    """The product's sources, those that changed since they were last found clean, in any clone: a header
    counts for all.

    Tests are left to the compilers' warnings, which are errors: checking them takes longer than all the rest.
    """
    database = "build/dev/compile_commands.json"
    with open(database, encoding="utf-8") as file:
        sources = sorted({os.path.relpath(entry["file"], PROJECT) for entry in json.load(file)})
    sources = [path for path in sources if not path.startswith(("..", "build/", "tests/"))]
    state = hashlib.sha256()
    for path in [*tracked("*.h", "*.inc", ".clang-tidy"), database]:
        with open(path, "rb") as file:
            state.update(file.read().replace(PROJECT.encode(), b""))
    clean_folder = os.path.join(CACHE, "tidy-clean")
    os.makedirs(clean_folder, exist_ok=True)

    def check(path):
        with open(path, "rb") as file:
            key = hashlib.sha256(state.digest() + file.read()).hexdigest()[:32]
        stamp = os.path.join(clean_folder, key)
        if os.path.exists(stamp):
            return ""
        found = run("clang-tidy", "--quiet", "-p", "build/dev", path)
        if not found:
            with open(stamp, "w", encoding="utf-8"):
                pass
        return found

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return "\n".join(filter(None, pool.map(check, sources)))


def includes():
    return run("tools/check_includes.py")


def shellcheck():
    scripts = [path for path in tracked() if os.path.isfile(path) and first_line(path).startswith("#!/usr/bin/env bash")]
    return run("shellcheck", "-x", "tools/environment.sh", *scripts)


def first_line(path):
    with open(path, "rb") as file:
        return file.readline(80).decode("utf-8", "replace")


def eslint():
    return run("node", f"{NODE_MODULES}/eslint/bin/eslint.js", "--config", "tests/browser/eslint.config.mjs", "web",
               "tests/browser", "bench")


def html():
    return run("node", f"{NODE_MODULES}/html-validate/bin/html-validate.mjs", "--config",
               "tests/browser/htmlvalidate.json", *tracked("*.html"))


def python():
    return run(sys.executable, "-m", "py_compile", *tracked("*.py"))


def files():
    """Small rules for every file: text is UTF-8 with a last newline, nothing generated, no registry host."""
    found = []
    hosts = re.compile(r"https?://(?:[\w.-]*\.)?(?:debian\.org|npmjs\.(?:org|com)|yarnpkg\.com)")
    for path in tracked():
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith((".png", ".safetensors")):
            continue
        if data and not data.endswith(b"\n"):
            found.append(f"{path}: no newline at the end")
        text = data.decode("utf-8", "replace")
        if "\ufffd" in text:
            found.append(f"{path}: not UTF-8")
        if hosts.search(text):
            found.append(f"{path}: names a package registry")
    return "\n".join(found)


CHECKS = [clang_format, clang_tidy, includes, shellcheck, eslint, html, python, files]


def main(names):
    os.chdir(PROJECT)
    chosen = [check for check in CHECKS if not names or check.__name__ in names]
    failed = 0
    for check in chosen:
        found = check()
        failed += bool(found)
        print(f"{'FAILED' if found else 'ok    '}  {check.__name__}", flush=True)
        if found:
            print(found, flush=True)
    print(f"lint: {len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
