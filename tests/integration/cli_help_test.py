#!/usr/bin/env python3
"""What `tp` says about itself: help, nearest names, versions, JSON, completion and the manual page.

    cli_help_test.py PATH/TO/tp [unittest arguments]
"""

import json
import re
import subprocess
import unittest
from pathlib import Path

from cli_test import REVERSE, TINY, TP, Case

TABLE = (Path(__file__).parents[2] / "imgui_app" / "strings" / "table.inc").read_text(encoding="utf-8")
TASKS = "copy reverse sort add date translate text balance forecast shapes pairs".split()


class Meaning(Case):
    def test_every_setting_has_the_sentence_of_the_page(self):
        for task in TASKS:
            text = self.fine("help", "train", "--task", task)
            settings = text[text.index("\nTask: ") if "\nTask: " in text else text.index("\nModel: "):text.index("\nWhat")]
            lines = settings.splitlines()
            flags = [i for i, line in enumerate(lines) if line.startswith("  --")]
            self.assertGreater(len(flags), 40)
            for i in flags:
                name = lines[i].split()[0][2:].replace("-", "_")
                meaning = re.search(rf'TP_TEXT\(help_{name},\s*"((?:[^"\\]|\\.)*)"', TABLE)[1].replace('\\"', '"')
                self.assertEqual(lines[i + 1].strip(), meaning, f"{task}: {name}")

    def test_groups_and_units(self):
        text = self.fine("help", "train")
        for heading in ("Flags", "Task: reverse", "Model: size", "Training: learning rate"):
            self.assertIn(f"\n{heading}\n", text)
        self.assertRegex(text, r"--warmup +0 to 10000000 steps \(100\)")
        self.assertRegex(text, r"--batch +1 to 4096 examples \(64\)")

    def test_what_to_do_next(self):
        for task in TASKS[:-1]:
            length = ["--length", 8] if task == "text" else []
            out = self.fine("train", "--task", task, *TINY, *length, "--steps", 2, "--out", self.folder / task)
            nexts = out[out.index("next: ") + 6:out.index("weights ")].strip()
            for line in re.split(r"\n      (?=tp )", nexts):
                self.assertTrue(line.startswith("tp "), line)
                done = subprocess.run(["sh", "-c", line.replace("tp ", TP + " ", 1)], capture_output=True,
                                      encoding="utf-8", check=False)
                self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")

    def test_version(self):
        self.assertRegex(self.fine("--version"), r"^tp \d+\.\d+\.\d+\n$")


class Typos(Case):
    def test_the_nearest_name(self):
        new = ["--out", self.folder / "new"]
        self.refused(2, "nearest is tp train", "trian")
        self.refused(2, "nearest is --model", "decode", "--modle", "x")
        self.refused(2, "nearest is --d-model", "train", "--task", "reverse", "--d-modle", 3, *new)
        self.refused(2, "nearest is --d-model", "train", "--task", "reverse", "--d_modl=3", *new)
        self.refused(2, "nearest is --horizon", "tasks", "--task", "forecast", "--horizn", 3)
        path = self.folder / "config.json"
        path.write_text('{"task": "reverse", "model": {"haeds": 2}}')
        self.refused(2, "nearest is heads", "train", "--config", path, *new)
        # Not when nothing is near.
        self.assertNotIn("nearest", self.refused(2, "no flag", "train", "--zzzzzz", 3, *new).stderr)

    def test_names_come_first(self):
        # Before a missing folder, a missing task, a bad value, a file that cannot be read.
        self.refused(2, "no flag --d-modle", "train", "--task", "reverse", "--heads", "many", "--d-modle", 3)
        self.refused(2, "no flag --d-modle", "train", "--d-modle", 3)
        self.refused(2, "no flag --d-modle", "train", "--config", self.folder / "none.json", "--d-modle", 3)
        self.refused(2, "no task 'revers': the nearest is reverse", "train", "--task", "revers")
        self.refused(2, "no preset 'defualt': the nearest is default", "train", "--task", "reverse",
                     "--preset", "defualt", "--out", "nowhere")
        self.refused(2, "no preset 'hug'", "train", "--task", "reverse", "--preset", "hug")


class Json(Case):
    def test_every_line_is_an_object(self):
        run = self.folder / "run"
        lines = [json.loads(line) for line in
                 self.fine("train", *REVERSE, "--steps", 20, "--json", "--out", run).splitlines()]
        self.assertEqual([line.get("step") for line in lines], [*range(1, 21), None])
        self.assertTrue(all(line["loss"] > 0 and line["learning_rate"] > 0 for line in lines[:-1]))
        self.assertIn("heldout_exact", lines[9])
        self.assertNotIn("heldout_exact", lines[8])
        self.assertEqual((lines[-1]["steps"], lines[-1]["finished"]), (20, True))
        self.assertRegex(lines[-1]["weights"], "^[0-9a-f]{16}$")

        exam = json.loads(self.fine("eval", "--model", run, "--eval-size", 20, "--json"))
        self.assertEqual((exam["task"], exam["examples"], len(exam["alignment"][0])), ("reverse", 20, 2))
        plain = dict(line.split("\t")[:2] for line in self.fine("eval", "--model", run, "--eval-size", 20).splitlines())
        self.assertAlmostEqual(exam["loss"], float(plain["loss"]), places=4)

        decode = ["decode", "--model", run]
        one = json.loads(self.fine(*decode, "--input", "a b c", "--json"))
        self.assertEqual(one["input"], "a b c")
        self.assertEqual(one["answers"][0]["text"] + "\n", self.fine(*decode, "--input", "a b c"))
        self.assertLess(one["answers"][0]["log_probability"], 0)
        self.assertEqual(len(json.loads(self.fine(*decode, "--input", "a b", "--beam", 3, "--json"))["answers"]), 3)
        done = subprocess.run([TP, *map(str, decode), "--json"], input='a b\n"ß"\n', capture_output=True,
                              encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([sorted(json.loads(line)) for line in done.stdout.splitlines()],
                         [["answers", "input"], ["error", "input"]])

        trace = ["trace", "--model", run, "--input", "a b c", "--print", "*.weights"]
        tensors = [json.loads(line) for line in self.fine(*trace, "--json").splitlines()]
        self.assertEqual(len(tensors), len(self.fine(*trace).splitlines()) - 1)
        self.assertEqual(tensors[0]["shape"], [3, 3])


class Scripts(Case):
    def test_bash_completes(self):
        script = self.folder / "tp.bash"
        script.write_text(self.fine("completion", "--shell", "bash"))

        def completed(*words):
            line = " ".join(f"'{word}'" for word in words)
            return subprocess.run(["bash", "-c", f"source {script}; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                                   "_tp; echo ${COMPREPLY[@]}"], check=True, capture_output=True, text=True).stdout.split()
        self.assertEqual(completed("tp", "tr"), ["train", "trace"])
        self.assertEqual(completed("tp", "train", "--d-"), ["--d-model", "--d-ff"])
        self.assertEqual(completed("tp", "train", "--task", "re"), ["reverse"])
        self.assertEqual(completed("tp", "train", "--norm", "p"), ["pre", "post"])
        self.assertEqual(completed("tp", "decode", "--be"), ["--best", "--beam"])

    def test_all_of_them_hold_every_flag(self):
        man = self.fine("completion", "--man").replace("\\-", "-")
        scripts = [self.fine("completion", "--shell", shell) for shell in ("bash", "zsh", "fish")]
        self.refused(2, "bash, zsh or fish", "completion", "--shell", "tcsh")
        for command in "tasks train eval decode trace lens export bench".split():
            for flag in re.findall(r"^  --([a-z0-9-]+)", self.fine("help", command), re.MULTILINE):
                for text in (man, *scripts):
                    self.assertRegex(text, rf"(--|-l ){flag}\b")
        self.assertTrue(man.startswith(".TH TP 1\n"))
        self.assertIn("The length of each token's vector.", man)


if __name__ == "__main__":
    unittest.main()
