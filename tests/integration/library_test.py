#!/usr/bin/env python3
"""The engine as a library of others: examples/library on an installed engine and on a checkout.

    library_test.py CMAKE BUILD_FOLDER PATH/TO/tp [unittest arguments]
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CMAKE, BUILD, TP = sys.argv[1:4]
del sys.argv[1:4]
PROJECT = Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "examples" / "library"
STRICT = "-Wall -Wextra -Werror"


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, encoding="utf-8", cwd=cwd, check=False)
    assert done.returncode == 0, f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def cached(name):
    text = Path(BUILD, "CMakeCache.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}:\w+=(.*)$", text, re.MULTILINE)
    return found[1] if found else ""


def same(*names):
    return [f"-D{name}={cached(name)}" for name in names]


def configure(source, build, *settings):
    """With the compiler and the JSON library of the build that is tested."""
    run(CMAKE, "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        *same("CMAKE_CXX_COMPILER", "TP_JSON_DIR"), *settings)


def targets_of(build):
    listed = run(CMAKE, "--build", build, "--target", "help")
    names = {line.split(":")[0] for line in listed.splitlines() if ": phony" in line}
    own = {"all", "clean", "help", "install", "test", "codegen", "build.ninja"}
    return {name for name in names if "/" not in name and name not in own
            and not name.startswith(("edit_cache", "rebuild_cache", "list_install_components"))}


class Library(unittest.TestCase):
    def setUp(self):
        # Beside the build that is tested: paths relative to it are the same, which ccache compares.
        folder = tempfile.TemporaryDirectory(dir=Path(BUILD).resolve().parent)
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check_program(self, build, own):
        """It learns, with the bits of `tp train`, and is compiled with its own flags only."""
        run(CMAKE, "--build", build, "--target", "backwards")
        printed = run(build / "backwards")
        self.assertIn("k d a m -> m a d k\n", printed)
        trained = run(TP, "train", "--task", "reverse", "--max-length", "6", "--steps", "400", "--out",
                      self.folder / "run")
        hashes = [re.search(r"^weights (\w{16})$", text, re.MULTILINE)[1] for text in (printed, trained)]
        self.assertEqual(hashes[0], hashes[1])
        commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
        [command] = [entry["command"] for entry in commands if entry["file"] == str(EXAMPLE / "main.cpp")]
        words = shlex.split(command)
        flags = {word for word in words if word.startswith(("-f", "-m", "-W", "-D", "-std", "-pthread"))}
        self.assertEqual(flags - {*own, "-std=c++20", "-std=gnu++20", "-pthread"}, {"-ffp-contract=off"})

    def test_installed(self):
        run(CMAKE, "--install", BUILD, "--prefix", self.folder / "prefix", "--component", "engine")
        build = self.folder
        configure(EXAMPLE, build, f"-DCMAKE_PREFIX_PATH={self.folder / 'prefix'}", f"-DCMAKE_CXX_FLAGS={STRICT}")
        self.check_program(build, STRICT.split())
        found = re.findall(re.escape(str(PROJECT)), "".join(
            path.read_text(encoding="utf-8") for path in (self.folder / "prefix").rglob("*.cmake")))
        self.assertEqual(found, [], "what is installed must not name the checkout")

    def test_checkout_in_a_project(self):
        build = self.folder
        # With these ccache knows the objects of the engine.
        flags = "CMAKE_CXX_FLAGS_" + cached("CMAKE_BUILD_TYPE").upper()
        configure(EXAMPLE, build, f"-DTP_CHECKOUT={PROJECT}", *same("CMAKE_BUILD_TYPE", flags, "TP_WERROR", "TP_SANITIZE"))
        strangers = {name for name in targets_of(build) if not name.removeprefix("lib").startswith("tp_")}
        self.assertEqual({name for name in strangers if not name.startswith("backwards")}, set())
        self.check_program(build, cached(flags).split())

    def test_engine_only(self):
        build = self.folder
        configure(PROJECT, build, "-DTP_ENGINE_ONLY=ON", "-DTP_IMGUI_DIR=/nowhere", "-DTP_GTEST_DIR=/nowhere",
                  "-DTP_EIGEN_DIR=/nowhere", "-DCMAKE_DISABLE_FIND_PACKAGE_glfw3=ON")
        self.assertEqual({name for name in targets_of(build) if not name.removeprefix("lib").startswith("tp_")}, set())
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        self.assertIn("CMAKE_BUILD_TYPE:STRING=Release", cache, "without a build type the engine would be slow")


if __name__ == "__main__":
    unittest.main()
