#!/usr/bin/env python3
"""Does what docs/ADDING.md says, from its very text: adding_test.py BUILD [HEADING...]

Each section ("## A task") is done by itself, on top of the project as it is in BUILD, a native build folder where
everything is built. Code blocks say in their first line what they are:

    ```cpp engine/tasks/rotate.cpp                            a new file
    ```cpp engine/tasks/task_list.inc after TP_TASK(sort)     lines that follow the one line with this text
    ```cpp engine/tasks/task_list.inc before TP_TASK(add)     lines that precede it
    ```cpp tests/unit/tasks/rotate_test.cpp                   a new file of tests (GoogleTest)
    ```console                                                "$ tp ...", and what it prints

Blocks of any other kind are not looked at. What is done with a section:

 1. The files, new and changed, go into BUILD/adding/<section>/tree, which the compiler searches before the project.
 2. Compiled are the new sources, with the flags of the source beside them whose name is most alike, and those sources
    of the program that include a changed file. A changed header that everything includes takes its time.
 3. `tp` is linked anew with these objects for the console, `docs_tests` for the tests. The tests run in a window of
    Xvfb if one of them is in tests/app, and may use everything that tests/app uses.
 4. Output is compared word by word. "..." stands for any words of a line, a line of "..." for any lines.

A section is tested as soon as one block of it is marked. Those in SECTIONS must be.
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENT = os.path.join(PROJECT, "docs", "ADDING.md")
SECTIONS = ["A task"]


class Wrong(Exception):
    """What a section says does not work."""


def run(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode != 0:
        raise Wrong(f"{shlex.join(command)[-300:]}\n{done.stdout}")
    return done.stdout


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def sections():
    """{heading: [(what the block is, its text)]}, of the marked blocks."""
    found = {}
    for part in re.split(r"^## ", read(DOCUMENT), flags=re.MULTILINE)[1:]:
        blocks = re.findall(r"^```(cpp [^\n]+|console)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
        if blocks:
            found[part.split("\n", 1)[0]] = blocks
    return found


class Build:
    """What ninja knows: how each object is made, what it read, and what a program is linked from."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        entries = json.loads(self.ninja("compdb"))
        self.commands = {entry["output"]: (self.absolute(entry["file"]), shlex.split(entry["command"]))
                         for entry in entries if entry["output"].endswith(".o")}
        self.reads = {}
        for block in self.ninja("deps").split("\n\n"):
            lines = block.strip().split("\n")
            self.reads[lines[0].split(":")[0]] = {self.absolute(line.strip()) for line in lines[1:]}

    def absolute(self, path):
        return os.path.normpath(os.path.join(self.folder, path))

    def ninja(self, tool, *arguments):
        return run(["ninja", "-t", tool, *arguments], cwd=self.folder)

    def objects_of(self, program):
        return [name for name in self.ninja("inputs", program).split("\n") if name in self.commands]


class Section:
    """One section: its files over the project's, and the programs that come of them."""

    def __init__(self, build, heading, blocks):
        self.build = build
        self.folder = os.path.join(build.folder, "adding", re.sub(r"\W+", "-", heading.lower()))
        self.tree = os.path.join(self.folder, "tree")
        shutil.rmtree(self.tree, ignore_errors=True)
        self.new, self.changed, self.console = [], [], []
        for kind, text in blocks:
            if kind == "console":
                self.console.append(text)
            else:
                self.place(kind.split(" ", 1)[1], text)

    def place(self, mark, text):
        path, _, where = mark.partition(" ")
        target = os.path.join(self.tree, path)
        if not where:
            if os.path.exists(os.path.join(PROJECT, path)):
                raise Wrong(f"{path} is there already: say what the lines come after")
            write(target, text)
            self.new.append(path)
            return
        side, _, wanted = where.partition(" ")
        source = target if os.path.exists(target) else os.path.join(PROJECT, path)
        if side not in ("after", "before") or not os.path.exists(source):
            raise Wrong(f"a block is marked `{mark}`")
        lines = read(source).splitlines(keepends=True)
        places = [i for i, line in enumerate(lines) if wanted in line]
        if len(places) != 1:
            raise Wrong(f"{path} has {len(places)} lines with `{wanted}`")
        lines.insert(places[0] + (side == "after"), text)
        write(target, "".join(lines))
        if path not in self.new and path not in self.changed:
            self.changed.append(path)

    def compile(self, output, source, made):
        _, command = self.build.commands[output]
        words = [made + ".d" if before == "-MF" else made if before in ("-o", "-MT") else source if before == "-c" else
                 word for before, word in zip([""] + command, command)]
        at = words.index(f"-I{PROJECT}")
        os.makedirs(os.path.dirname(made), exist_ok=True)
        run(words[:at] + [f"-I{self.tree}"] + words[at:], cwd=self.build.folder)

    def neighbours(self, path, outputs):
        """The objects of the source in the same folder whose name begins most alike: one, or one for each vector width."""
        folder, name = os.path.split(os.path.join(PROJECT, path))
        beside = {self.build.commands[output][0] for output in outputs}
        beside = [file for file in beside if os.path.dirname(file) == folder]
        if not beside:
            raise Wrong(f"no source beside {path} tells how to compile it")
        likest = max(sorted(beside), key=lambda file: len(os.path.commonprefix([os.path.basename(file), name])))
        return [output for output in outputs if self.build.commands[output][0] == likest]

    def link(self, program, extra):
        """The program with what the section changes. `extra`: new sources, each with the object that has its flags."""
        outputs = self.build.objects_of(program)
        changed = {os.path.join(PROJECT, path) for path in self.changed}
        jobs = []
        for output in outputs:
            source = self.build.commands[output][0]
            if changed & ({source} | self.build.reads.get(output, set())):
                inside = os.path.join(self.tree, os.path.relpath(source, PROJECT))
                jobs.append((output, inside if source in changed else source, os.path.join(self.folder, output)))
        replaced = {output: made for output, _, made in jobs}
        for path in self.new:
            if path.endswith(".cpp") and not path.startswith("tests/"):
                for output in self.neighbours(path, outputs):
                    made = os.path.join(self.folder, output + "." + path.replace("/", ".") + ".o")
                    jobs.append((output, os.path.join(self.tree, path), made))
        for path, output in extra:
            jobs.append((output, os.path.join(self.tree, path), os.path.join(self.folder, path + ".o")))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda job: self.compile(*job), jobs))

        line = self.build.ninja("commands", program).strip().split("\n")[-1]
        words = shlex.split(re.fullmatch(r": && (.*?) && :.*", line)[1])
        result = os.path.join(self.folder, os.path.basename(program))
        words = [result if before == "-o" else replaced.get(word, word) for before, word in zip([""] + words, words)]
        # Before the libraries: a library's member of the same name is then not looked for.
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        made = [made for _, _, made in jobs if made not in words]
        run(words[:first] + made + words[first:], cwd=self.build.folder)
        return result

    def check(self):
        done = []
        tests = [path for path in self.new if path.startswith("tests/") and path.endswith(".cpp")]
        if tests:
            main = next(name for name in self.build.objects_of("bin/docs_tests") if name.endswith("docs_tests.dir/main.cpp.o"))
            program = self.link("bin/docs_tests", [(path, main) for path in tests])
            window = any(path.startswith("tests/app/") for path in tests)
            screen = ["xvfb-run", "-a", "-s", "-screen 0 1400x1000x24 -noreset"] if window else []
            printed = run([*screen, program], env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"}, cwd=self.folder)
            passed = re.search(r"\[  PASSED  \] (\d+) test", printed)
            if not passed or passed[1] == "0":
                raise Wrong(f"no test ran\n{printed}")
            done.append(f"{passed[1]} tests")
        if self.console:
            program = self.link("bin/tp", [])
            place = os.path.join(self.folder, "console")
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place)
            path = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
            for text in self.console:
                for command, wanted in re.findall(r"^\$ (tp .*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
                    compare(command, wanted, run(shlex.split(command), cwd=place, env={**os.environ, "PATH": path}))
                    done.append(command)
        if not done:
            raise Wrong("its blocks are neither tests nor console: nothing would run")
        return done


def compare(command, wanted, printed):
    lines = [" ".join(line.split()) for line in wanted.strip().split("\n")]
    parts = [r"(?:[^\n]*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in lines]
    got = "".join(" ".join(line.split()) + "\n" for line in printed.strip().split("\n"))
    if not re.fullmatch("".join(parts), got):
        raise Wrong(f"$ {command}\nshould print\n{wanted}\nand prints\n{printed}")


def main():
    build, found = Build(sys.argv[1]), sections()
    failed = [heading for heading in SECTIONS if heading not in found]
    for heading in failed:
        print(f"FAILED  {heading}: no block of it is marked")
    for heading in sys.argv[2:] or found:
        try:
            print(f"ok      {heading}: {', '.join(Section(build, heading, found[heading]).check())}", flush=True)
        except Wrong as wrong:
            print(f"FAILED  {heading}: {wrong}", flush=True)
            failed.append(heading)
    sys.exit(bool(failed))


main()
