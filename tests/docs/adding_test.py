#!/usr/bin/env python3
"""Does what docs/ADDING.md says, from its very text: adding_test.py BUILD

BUILD is a native build folder where everything is built. Code blocks say in their first line what they are:

    ```cpp engine/tasks/rotate.cpp             a new file; one in tests/ is of GoogleTest
    ```diff engine/tasks/task_list.inc         changes of a file: " " stays, "-" goes, "+" comes, "@@" between places
    ```console                                 "$ tp ...", and what it prints

Blocks of any other kind are not looked at. What is done with them:

 1. All files of all sections, new and changed, go into BUILD/adding/tree, which the compiler searches before the
    project. What stays or goes in a change must occur there exactly once. So sections can build on those before.
 2. Compiled are the new sources, with the flags of the source beside them whose name is most alike, and those sources
    of a program that read a changed file.
 3. `docs_tests` is linked anew with the tests, `tp` for the console. The tests run in a window of Xvfb. With them run
    those of the project that docs_tests has (tests/CMakeLists.txt): texts, series, gradients of every layer.
 4. Output is compared word by word. "..." stands for any words of a line, a line of "..." for any lines.

Each section in SECTIONS must have a test or a console, and as many files as the table at the top says.
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
SECTIONS = ["A tensor", "A series", "A panel", "A setting", "A norm", "A mask", "A layer", "A task"]
# Models have their own tests, and operations are the same as without the document.
TESTS = "-*/model_*:*/operation_*"


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
        blocks = re.findall(r"^```(cpp [^\n]+|diff [^\n]+|console)\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
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


class Document:
    """The files of all sections over the project's, and the programs that come of them."""

    def __init__(self, build, found):
        self.build = build
        self.folder = os.path.join(build.folder, "adding")
        self.tree = os.path.join(self.folder, "tree")
        shutil.rmtree(self.tree, ignore_errors=True)
        self.new, self.changed = [], []
        for heading, blocks in found.items():
            for kind, text in blocks:
                try:
                    if kind != "console":
                        self.place(*kind.split(" "), text)
                except Wrong as wrong:
                    raise Wrong(f"{heading}: {wrong}") from None
        self.check_listed()

    def place(self, kind, path, text):
        target, project = os.path.join(self.tree, path), os.path.join(PROJECT, path)
        if kind == "cpp":
            if os.path.exists(target) or os.path.exists(project):
                raise Wrong(f"{path} is there already: say what changes")
            self.new.append(path)
            return write(target, text)
        whole = read(target if os.path.exists(target) else project)
        for part in re.split(r"^@@\n", text, flags=re.MULTILINE):
            lines = [line or " " for line in part.splitlines()]
            before = "".join(line[1:] + "\n" for line in lines if line[0] in " -")
            after = "".join(line[1:] + "\n" for line in lines if line[0] in " +")
            if ("\n" + whole).count("\n" + before) != 1:
                raise Wrong(f"{path} has these lines {whole.count(before)} times:\n{before}")
            whole = ("\n" + whole).replace("\n" + before, "\n" + after)[1:]
        write(target, whole)
        if path not in self.new and path not in self.changed:
            self.changed.append(path)

    def check_listed(self):
        """A new source of the engine is in the list of its sources."""
        listed = {"engine/" + name for name in read(os.path.join(self.tree, "engine", "CMakeLists.txt")).split()}
        for path in self.new:
            if path.startswith("engine/") and path.endswith(".cpp") and path not in listed:
                raise Wrong(f"{path} is not in engine/CMakeLists.txt")

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
        jobs = {}  # what is made: from which source, with the flags of which object
        replaced = {}
        for output in outputs:
            source = self.build.commands[output][0]
            if changed & ({source} | self.build.reads.get(output, set())):
                inside = os.path.join(self.tree, os.path.relpath(source, PROJECT))
                replaced[output] = os.path.join(self.folder, output)
                jobs[replaced[output]] = (output, inside if source in changed else source)
        rooms = {os.path.dirname(self.build.commands[output][0]) for output in outputs}
        for path in self.new:
            beside = os.path.dirname(os.path.join(PROJECT, path)) in rooms  # tp has nothing of the app
            if path.endswith(".cpp") and not path.startswith("tests/") and beside:
                for output in self.neighbours(path, outputs):
                    made = os.path.join(self.folder, output + "." + path.replace("/", ".") + ".o")
                    jobs[made] = (output, os.path.join(self.tree, path))
        for path, output in extra:
            jobs[os.path.join(self.folder, path + ".o")] = (output, os.path.join(self.tree, path))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda made: self.compile(*jobs[made], made), jobs))

        line = self.build.ninja("commands", program).strip().split("\n")[-1]
        words = shlex.split(re.fullmatch(r": && (.*?) && :.*", line)[1])
        result = os.path.join(self.folder, os.path.basename(program))
        words = [result if before == "-o" else replaced.get(word, word) for before, word in zip([""] + words, words)]
        # Before the libraries: a library's member of the same name is then not looked for.
        first = next(i for i, word in enumerate(words) if word.endswith(".o"))
        made = [made for made in jobs if made not in words]
        run(words[:first] + made + words[first:], cwd=self.build.folder)
        return result

    def run_tests(self):
        tests = [path for path in self.new if path.startswith("tests/") and path.endswith(".cpp")]
        objects = self.build.objects_of("bin/docs_tests")
        main = next(name for name in objects if name.endswith("docs_tests.dir/main.cpp.o"))
        program = self.link("bin/docs_tests", [(path, main) for path in tests])
        screen = ["xvfb-run", "-a", "-s", "-screen 0 1400x1000x24 -noreset"]
        printed = run([*screen, program, f"--gtest_filter={TESTS}"], cwd=self.folder,
                      env={**os.environ, "LIBGL_ALWAYS_SOFTWARE": "1"})
        return re.findall(r"^\[       OK \] (\w+\.\w+)", printed, re.MULTILINE)

    def run_console(self, texts):
        program = self.link("bin/tp", [])
        place = os.path.join(self.folder, "console")
        shutil.rmtree(place, ignore_errors=True)
        os.makedirs(place)
        path = os.path.dirname(program) + os.pathsep + os.environ["PATH"]
        for command, wanted in re.findall(r"^\$ (tp .*)\n((?:(?!\$ ).*\n)*)", "".join(texts), re.MULTILINE):
            compare(command, wanted, run(shlex.split(command), cwd=place, env={**os.environ, "PATH": path}))
            yield command


def compare(command, wanted, printed):
    lines = [" ".join(line.split()) for line in wanted.strip().split("\n")]
    parts = [r"(?:[^\n]*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in lines]
    got = "".join(" ".join(line.split()) + "\n" for line in printed.strip().split("\n"))
    if not re.fullmatch("".join(parts), got):
        raise Wrong(f"$ {command}\nshould print\n{wanted}\nand prints\n{printed}")


def check(folder):
    found = sections()
    for heading in SECTIONS:
        blocks = found.get(heading, [])
        if not any(kind == "console" or kind.startswith("cpp tests/") for kind, _ in blocks):
            raise Wrong(f"{heading}: nothing of it would run")
        files = {tuple(kind.split(" ")) for kind, _ in blocks if kind != "console" and " tests/" not in kind}
        counts = [sum(kind == wanted for kind, _ in files) for wanted in ("cpp", "diff")]
        if f"| [{heading}](#{heading.lower().replace(' ', '-')}) | {counts[0]} | {counts[1]} |" not in read(DOCUMENT):
            raise Wrong(f"{heading}: {counts[0]} new files and {counts[1]} changed ones are not what the table says")
    document = Document(Build(folder), found)
    passed = document.run_tests()
    for heading, blocks in found.items():
        whole = "".join(text for _, text in blocks)
        for suite, name in re.findall(r"^TEST(?:_F)?\((\w+), (\w+)\)", whole, re.MULTILINE):
            if f"{suite}.{name}" not in passed:
                raise Wrong(f"{heading}: {suite}.{name} did not run")
            print(f"ok      {heading}: {suite}.{name}")
    texts = [text for blocks in found.values() for kind, text in blocks if kind == "console"]
    for command in document.run_console(texts):
        print(f"ok      {command}")


try:
    check(sys.argv[1])
except Wrong as problem:
    sys.exit(f"FAILED  {problem}")
