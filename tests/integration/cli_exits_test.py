#!/usr/bin/env python3
"""How `tp` ends when something is wrong: the code says what it was, a sentence says what to do, nothing is lost.

    cli_exits_test.py PATH/TO/tp [unittest arguments]
"""

import resource
import shutil
import signal
import struct
import subprocess
import time
import unittest
from pathlib import Path

from cli_test import REVERSE, TP, Case, content, tp

ENDLESS = ["train", *REVERSE, "--steps", "1000000", "--schedule", "constant", "--checkpoint-every", "1000000"]


def started(*words, **options):
    """`tp train` in the folder that comes last, when it has some steps behind it."""
    process = subprocess.Popen([TP, *map(str, words)], encoding="utf-8", **options)
    table, deadline = Path(words[-1]) / "metrics.csv", time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if table.exists() and table.read_text().count("\n") > 5:
            break
        time.sleep(0.02)
    return process


def flip(path, part, bit=0):
    """Changes one bit of the file, behind the text `part` or counted from the end."""
    raw = bytearray(path.read_bytes())
    at = raw.index(part) + len(part) if isinstance(part, bytes) else len(raw) - part
    raw[at] ^= 1 << bit
    path.write_bytes(raw)


class Signals(Case):
    def test_each_signal_saves_and_is_told(self):
        for name, code in (("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)):
            run = self.folder / name
            process = started(*ENDLESS, "--out", run, stdout=subprocess.PIPE)
            process.send_signal(getattr(signal, name))
            out, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, code, name)
            resumed = self.fine("train", "--resume", "--stop-at", 1, "--out", run)
            self.assertEqual(self.hash_of(resumed), self.hash_of(out))

    def test_a_reader_that_has_gone(self):
        run = self.folder / "run"
        process = started(*ENDLESS, "--out", run, stdout=subprocess.PIPE)
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 141)
        newest = max(path.name for path in (run / "checkpoints").glob("*.safetensors"))
        self.assertGreater(int(newest[11:19]), 0)

    def test_nohup(self):
        process = started(*ENDLESS, "--out", self.folder / "run", stdout=subprocess.DEVNULL,
                          preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        time.sleep(0.2)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 143)


class OneFolder(Case):
    def test_a_second_run_is_refused(self):
        run = self.folder / "run"
        first = started(*ENDLESS, "--out", run, stdout=subprocess.DEVNULL)
        self.refused(1, "another tp is training", "train", "--resume", "--out", run)
        self.refused(1, "holds another run", *ENDLESS, "--out", run)
        first.send_signal(signal.SIGTERM)
        first.wait(timeout=60)
        self.fine("train", "--resume", "--stop-at", 1, "--out", run)


class Damage(Case):
    def setUp(self):
        super().setUp()
        self.run_folder = self.folder / "run"
        self.fine("train", *REVERSE, "--steps", 20, "--stop-at", 12, "--checkpoint-every", 5, "--out", self.run_folder)
        self.checkpoints = sorted((self.run_folder / "checkpoints").glob("*.safetensors"))
        self.commands = {"decode": ["--input", "a b"], "eval": [], "trace": ["--input", "a b", "--print", "*"],
                         "export": ["--to", "pytorch", "--out", self.folder / "out"]}

    def test_numbers_that_are_not_finite(self):
        model = self.run_folder / "model.safetensors"
        whole = model.read_bytes()
        # As another program would have written it: without a checksum.
        (length,) = struct.unpack("<Q", whole[:8])
        for number in (b"\x00\x00\xc0\x7f", b"\x00\x00\x80\xff"):
            model.write_bytes(whole[:8 + length].replace(b'"checksum"', b'"checkSum"') + whole[8 + length:-4] + number)
            for command, flags in self.commands.items():
                self.refused(1, "not finite", command, "--model", self.run_folder, *flags)
        self.assertFalse((self.folder / "out").exists())

    def test_a_flipped_bit(self):
        newest, model = self.checkpoints[-1], self.run_folder / "model.safetensors"
        for path, command in ((newest, ["train", "--resume", "--stop-at", 1, "--out", self.run_folder]),
                              (model, ["decode", "--input", "a b", "--model", self.run_folder])):
            whole = path.read_bytes()
            places = [1, 1000, len(whole) // 3]
            places += [b'\\"steps\\":1'] if path == newest else []
            for place in places:
                flip(path, place)
                done = tp(*command)
                self.assertIn("checksum", done.stderr, place)
                self.assertEqual(done.returncode, 1 if path == model else 0)
                path.write_bytes(whole)

    def test_a_truncated_checkpoint_is_named(self):
        newest, older = self.checkpoints[::-1]
        newest.write_bytes(newest.read_bytes()[:1000])
        shutil.copytree(self.run_folder, self.folder / "other")
        done = tp("train", "--resume", "--out", self.run_folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn(newest.name, done.stderr)
        self.assertIn("an older checkpoint is taken", done.stderr)
        self.assertIn(f"resumed after step {int(older.name[11:19])}\n", done.stdout)
        # So do those that read the checkpoints of a run that was killed.
        other = self.folder / "other"
        (other / "model.safetensors").unlink()
        done = tp("decode", "--model", other, "--input", "a b")
        self.assertEqual(done.returncode, 0)
        self.assertIn(newest.name, done.stderr)
        (other / "checkpoints" / older.name).write_bytes(b"")
        self.refused(1, newest.name, "decode", "--model", other, "--input", "a b")
        self.refused(1, newest.name, "train", "--resume", "--out", other)


class Sentences(Case):
    def test_a_hostile_string_is_shortened(self):
        hostile = "\x1b[2J" + "ab" * 20000
        new = ["--out", self.folder / "new"]
        for words in ([hostile], ["help", hostile], ["train", hostile], ["train", "--" + hostile, *new],
                      ["train", "--task", hostile, *new], ["train", "--task", "reverse", "--preset", hostile, *new],
                      ["train", "--task", "reverse", "--d-model", hostile, *new],
                      ["decode", "--model", hostile], ["tasks", "--task", hostile]):
            done = tp(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertLess(len(done.stderr), 2000)
            self.assertNotIn("\x1b", done.stderr)
            self.assertTrue(done.stderr.endswith(".\n"), done.stderr)
        path = self.folder / "config.json"
        for text in (f'{{"task": "{"x" * 9999}"}}', f'{{"task": "copy", "{"x" * 9999}": 1}}',
                     f'{{"task": "copy", "model": {{"{"x" * 9999}": 1}}}}'):
            path.write_text(text)
            self.assertLess(len(self.refused(2, "xx...", "train", "--config", path, *new).stderr), 500)

    def test_a_json_error_has_a_place(self):
        path = self.folder / "config.json"
        for text, place in (("{", "line 1, column 2"), ('{\n  "task": "copy",\n  "seed" 1\n}', "line 3, column 10"),
                            ('{"과제": "되", oops}', "line 1, column 13")):
            path.write_text(text)
            self.refused(2, place, "train", "--config", path, "--out", self.folder / "new")

    def test_resume_says_which_setting_forbids_it(self):
        run = self.folder / "run"
        self.fine("train", *REVERSE, "--steps", 20, "--stop-at", 10, "--out", run)
        before = content(run)
        longer = self.refused(1, "--schedule", "train", "--resume", "--steps", 40, "--out", run).stderr
        wider = self.refused(1, "--d-model is 16 there and 32 here", "train", "--resume", "--d-model", 32, "--out", run)
        self.assertEqual(content(run), before)
        # The way that it offers can be gone.
        for number, sentence in enumerate((longer, wider.stderr)):
            words = sentence.split("weights: tp ")[1].rstrip(".\n").split()
            self.assertEqual(words[-2:], ["--out", "NEW"])
            self.assertIn("tensors taken over", self.fine(*words[:-1], self.folder / str(number)))

    def test_no_memory(self):
        data = self.folder / "pairs.txt"
        data.write_text("a b c d e f g h\th g f e d c b a\n" * 1_500_000)
        limit = 120 << 20
        if b"__asan_init" in Path(TP).read_bytes():
            return  # its own memory is more than that
        done = subprocess.run([TP, "tasks", "--task", "pairs", "--data", data], capture_output=True, encoding="utf-8",
                              check=False, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stderr.startswith("tp: ") and done.stderr.endswith(".\n"), done.stderr)
        self.assertIn("memory", done.stderr)


if __name__ == "__main__":
    unittest.main()
