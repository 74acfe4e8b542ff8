#!/usr/bin/env python3
"""Runs `tp` as a person would: every command, and every mistake that has a sentence of its own.

    cli_test.py PATH/TO/tp [unittest arguments]
"""

import contextlib
import csv
import fcntl
import json
import os
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

TP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/bin/tp"
HEADER = ("step,loss,perplexity,token_accuracy,learning_rate,gradient_norm,tokens_per_second,"
          "heldout_loss,heldout_exact")
MODEL = "--d-model 16 --heads 2 --d-ff 32 --encoder-layers 1 --decoder-layers 1".split()
TINY = [*MODEL, *"--batch 8 --eval-size 8 --eval-every 10 --warmup 5".split()]
REVERSE = ["--task", "reverse", "--max-length", "6", *TINY]


def tp(*words, text=None, limit=None):
    """The finished process. `limit`: the bytes that a file may have at most."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run([TP, *map(str, words)], input=text, capture_output=True, encoding="utf-8", timeout=300,
                          check=False, preexec_fn=restrict if limit is not None else None)


def content(folder):
    """Every file below a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(Path(folder).rglob("*"))
            if path.is_file()}


def read_safetensors(path):
    raw = Path(path).read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    return {name: (entry["dtype"], entry["shape"], raw[8 + length + entry["data_offsets"][0]:
                                                       8 + length + entry["data_offsets"][1]])
            for name, entry in header.items()}


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="tp_cli_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def fine(self, *words, **options):
        done = tp(*words, **options)
        self.assertEqual(done.returncode, 0, f"tp {words}: {done.stderr}")
        self.assertEqual(done.stderr, "")
        return done.stdout

    def refused(self, code, part, *words, **options):
        """One sentence on stderr that holds `part`."""
        done = tp(*words, **options)
        self.assertEqual(done.returncode, code, f"tp {words}: {done.stdout}{done.stderr}")
        self.assertTrue(done.stderr.startswith("tp: ") and done.stderr.endswith(".\n"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(part, done.stderr)
        return done

    def hash_of(self, out):
        last = out.splitlines()[-1].split()
        self.assertEqual(last[0], "weights")
        self.assertRegex(last[1], "^[0-9a-f]{16}$")
        return last[1]


class Help(Case):
    def test_every_command_explains_itself(self):
        overview = self.fine()
        self.assertEqual(overview, self.fine("help"))
        for command in "tasks train eval decode trace explain lens export tokenize bench".split():
            self.assertIn(command, overview)
            text = self.fine("help", command)
            self.assertIn(f"tp {command} ", text)
            self.assertEqual(text, self.fine(command, "--help"))
        for flag in "--d-model --encoder-layers --norm --scale-embedding --norm-eps --learning-rate --max-length".split():
            self.assertIn(flag, self.fine("help", "train"))
        self.assertIn("--horizon", self.fine("train", "--help", "--task", "forecast"))

    def test_wrong_calls(self):
        self.refused(2, "no command 'trian'", "trian")
        self.refused(2, "--foo", "train", "--task", "reverse", "--foo", "1", "--out", self.folder / "x")
        self.refused(2, "--out is missing", "train", "--task", "reverse")
        self.refused(2, "needs a value", "decode", "--model")
        self.refused(2, "given twice", "decode", "--model", "a", "--model", "b")
        self.refused(2, "stands alone", "decode", "model")

    def test_a_full_standard_output(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([TP, "tasks"], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 1)


class Tasks(Case):
    def test_examples(self):
        listed = self.fine("tasks")
        for task in "copy reverse sort add date translate text balance forecast shapes pairs".split():
            self.assertIn(task, listed)
            if task == "pairs":
                continue
            lines = self.fine("tasks", "--task", task, "--show", 3, "--seed", 5).splitlines()
            self.assertEqual([line.count("\t") for line in lines], [1, 1, 1], task)
        show = ["tasks", "--task", "reverse", "--show", 20, "--seed", 5]
        lines = self.fine(*show).splitlines()
        for line in lines:
            source, target = line.split("\t")
            self.assertEqual(source.split()[::-1], target.split())
        self.assertEqual(lines, self.fine(*show).splitlines())
        self.assertNotEqual(lines, self.fine(*show, "--heldout").splitlines())
        for line in self.fine(*show, "--max-length", 8).splitlines():
            self.assertLessEqual(len(line.split("\t")[0].split()), 8)

    def test_mistakes(self):
        self.refused(2, "no task 'revers'", "tasks", "--task", "revers")
        self.refused(2, "show", "tasks", "--task", "reverse", "--show", "many")
        self.refused(2, "--task", "tasks", "--show", 3)


class Training(Case):
    def test_the_files_of_a_run(self):
        run = self.folder / "run"
        out = self.fine("train", *REVERSE, "--steps", 20, "--seed", 7, "--out", run)
        digest = self.hash_of(out)
        config = json.loads((run / "config.json").read_text())
        self.assertEqual((config["task"], config["seed"]), ("reverse", 7))
        expected = dict(architecture="encoder-decoder", d_model=16, heads=2, d_ff=32, encoder_layers=1,
                        decoder_layers=1, norm="pre", activation="relu", positions="sinusoidal",
                        scale_embedding=True, norm_eps=1e-5)
        self.assertEqual({key: config["model"][key] for key in expected}, expected)
        table = (run / "metrics.csv").read_text()
        self.assertTrue(table.startswith(HEADER))
        rows = list(csv.DictReader(table.splitlines()))
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 21)))
        self.assertEqual([row["step"] for row in rows if row["heldout_exact"]], ["10", "20"])
        self.assertEqual(len(list(run.glob("events.out.tfevents.*"))), 1)
        self.assertIn("encoder.layers.0.self_attn.in_proj_weight", read_safetensors(run / "model.safetensors"))
        # The same again from the file, and bit for bit.
        again = self.fine("train", "--config", run / "config.json", "--out", self.folder / "again")
        self.assertEqual(self.hash_of(again), digest)
        other = self.fine("train", "--config", run / "config.json", "--seed", 8, "--out", self.folder / "other")
        self.assertNotEqual(self.hash_of(other), digest)

    def test_resume_is_bit_exact(self):
        flags = ["train", *REVERSE, "--steps", 30]
        whole = self.hash_of(self.fine(*flags, "--out", self.folder / "whole"))
        part = self.folder / "part"
        self.fine(*flags, "--out", part, "--stop-at", 13)
        self.assertEqual(self.hash_of(self.fine("train", "--resume", "--out", part)), whole)
        steps = [row.split(",")[0] for row in (part / "metrics.csv").read_text().splitlines()[1:]]
        self.assertEqual(steps, [str(step) for step in range(1, 31)])
        # Once more, with the same flags, when there is nothing left to do.
        self.assertEqual(self.hash_of(self.fine(*flags, "--resume", "--out", part)), whole)

    def test_resume_refuses_another_configuration(self):
        run = self.folder / "run"
        self.fine("train", *REVERSE, "--steps", 20, "--stop-at", 10, "--out", run)
        before = content(run)
        for flags in (["--d-model", "32"], ["--seed", "9"], ["--task", "copy"], ["--steps", "40"],
                      ["--max-length", "7"]):
            self.refused(1, "configuration", "train", "--resume", "--out", run, *flags)
        self.refused(1, "config.json", "train", "--resume", "--out", self.folder / "nothing")
        self.assertEqual(content(run), before)

    def test_a_longer_run_where_the_schedule_allows_it(self):
        flags = ["train", *REVERSE, "--schedule", "constant"]
        whole = self.hash_of(self.fine(*flags, "--steps", 20, "--out", self.folder / "whole"))
        run = self.folder / "run"
        self.fine(*flags, "--steps", 10, "--out", run)
        shutil.copytree(run, self.folder / "killed")
        self.assertEqual(self.hash_of(self.fine("train", "--resume", "--steps", 20, "--out", run)), whole)
        # Killed when the new end was in config.json and in no checkpoint yet.
        killed = self.folder / "killed"
        shutil.copy(run / "config.json", killed / "config.json")
        self.assertEqual(self.hash_of(self.fine("train", "--resume", "--out", killed)), whole)

    def test_the_bar_keeps_to_the_width_of_the_terminal(self):
        for columns in (120, 80, 30):
            ours, theirs = pty.openpty()
            fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            flags = ["train", *REVERSE, "--steps", 150, "--out", self.folder / str(columns)]
            process = subprocess.Popen([TP, *map(str, flags)], stdout=theirs)
            os.close(theirs)
            shown = b""
            with contextlib.suppress(OSError):  # the end of a terminal
                while part := os.read(ours, 4096):
                    shown += part
            os.close(ours)
            self.assertEqual(process.wait(), 0)
            bars = [bar for bar in shown.decode().split("\r") if "\033[K" in bar]
            self.assertTrue(bars)
            for bar in bars:
                self.assertLess(len(bar.split("\033[K")[0]), columns)
            self.assertIn("150/150  loss", bars[-1])
            for part in ("accuracy", "held-out", "/s", "left"):
                self.assertTrue(part in bars[-1] or columns == 30, bars[-1])
            self.assertEqual("█" in bars[-1], columns > 30)

    def test_control_c_leaves_a_checkpoint(self):
        run = self.folder / "run"
        process = subprocess.Popen([TP, "train", *REVERSE, "--steps", "1000000", "--out", run],
                                   stdout=subprocess.PIPE, encoding="utf-8")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            table = run / "metrics.csv"
            if table.exists() and table.read_text().count("\n") > 5:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        digest = self.hash_of(out)
        self.assertTrue(list((run / "checkpoints").glob("*.safetensors")))
        resumed = self.fine("train", "--resume", "--out", run, "--stop-at", 1)
        self.assertEqual(self.hash_of(resumed), digest)

    def test_kernels_in_lock_step(self):
        flags = ["train", *REVERSE, "--steps", 5]
        out = self.fine(*flags, "--kernels", "both", "--out", self.folder / "both")
        self.assertIn("encoder.layers.0.self_attn.in_proj_weight", out)
        self.assertIn("largest difference", out)
        fast = self.fine(*flags, "--kernels", "fast", "--out", self.folder / "fast")
        self.assertEqual(self.hash_of(out), self.hash_of(fast))
        self.fine(*flags, "--kernels", "reference", "--out", self.folder / "reference")

    def test_from_another_run(self):
        self.fine("train", *REVERSE, "--steps", 5, "--out", self.folder / "a")
        out = self.fine("train", "--task", "sort", "--max-length", 6, *TINY, "--steps", 5, "--positions", "learned",
                        "--from", self.folder / "a", "--out", self.folder / "b")
        self.assertIn("tensors taken over", out)
        self.assertIn("src_pos", out)

    def test_mistakes_leave_everything_as_it_was(self):
        run = self.folder / "run"
        self.fine("train", *REVERSE, "--steps", 5, "--out", run)
        before = content(self.folder)
        new = self.folder / "new"
        self.refused(1, "holds another run", "train", *REVERSE, "--steps", 5, "--out", run)
        self.refused(2, "no task 'reverze'", "train", "--task", "reverze", "--out", new)
        self.refused(2, "d_model cannot be '0'", "train", "--task", "reverse", "--d-model", 0, "--out", new)
        self.refused(2, "norm cannot be 'middle'", "train", "--task", "reverse", "--norm", "middle", "--out", new)
        self.refused(2, "heads", "train", "--task", "reverse", "--d-model", 10, "--heads", 4, "--out", new)
        self.refused(2, "no preset 'huge'", "train", "--task", "reverse", "--preset", "huge", "--out", new)
        for task, architecture in (("reverse", "encoder-only"), ("text", "encoder-decoder"), ("shapes", "decoder-only")):
            self.refused(2, f"change the architecture from {architecture}", "train", "--task", task,
                         "--architecture", architecture, "--out", new)
        self.refused(1, "nothing.safetensors", "train", *REVERSE, "--from", self.folder / "nothing.safetensors",
                     "--out", new)
        self.assertEqual(content(self.folder), before)
        self.assertFalse(new.exists())

    def test_a_config_file_with_mistakes(self):
        path = self.folder / "config.json"
        for text, part in (("{", "not a JSON object"), ('{"task": "revers"}', "no task"),
                           ('{"task": "reverse", "model": {"d_model": "wide"}}', "d_model"),
                           ('{"task": "reverse", "extra": {}}', "extra"),
                           ('{"task": "copy", "model": {"architecture": "decoder-only"}}', "from decoder-only")):
            path.write_text(text)
            self.refused(2, part, "train", "--config", path, "--out", self.folder / "new")
        self.assertFalse((self.folder / "new").exists())

    def test_a_pairs_file(self):
        data = self.folder / "pairs.txt"
        data.write_text("".join(f"{a} {b}\t{b} {a}\n" for a in "abcdef" for b in "abcdef"))
        run = self.folder / "run"
        flags = ["train", "--task", "pairs", *TINY, "--steps", 5]
        self.fine(*flags, "--data", data, "--out", run)
        data.unlink()  # the run has its own copy
        self.fine("decode", "--model", run, "--input", "a b")
        data.write_text("only one column\n" * 20)
        self.refused(1, "tab", *flags, "--data", data, "--out", self.folder / "new")
        self.refused(1, "--data", *flags, "--out", self.folder / "new")
        self.assertFalse((self.folder / "new").exists())

    def test_a_full_disk(self):
        # A limit on the size of files is met like the end of a disk: the write fails.
        run = self.folder / "run"
        done = self.refused(1, "cannot write", "train", *REVERSE, "--steps", 5, "--out", run, limit=4096)
        self.assertNotIn("weights", done.stdout)
        self.fine("train", *REVERSE, "--steps", 20, "--stop-at", 5, "--out", self.folder / "second")
        before = content(self.folder / "second" / "checkpoints")
        self.refused(1, "cannot write", "train", "--resume", "--out", self.folder / "second", limit=2048)
        self.assertEqual(content(self.folder / "second" / "checkpoints"), before)


class OwnData(Case):
    """Files of one's own, as they come."""

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text.encode())
        return path

    def test_line_ends_and_the_byte_order_mark_make_no_difference(self):
        pairs = "".join(f"{a} {b}\t{b} {a}\n" for a in "abcdef" for b in "abcdef")
        prose = "".join(f"{i * i} is the square of {i}.\n" for i in range(100))
        table = "day,price\n" + "".join(f"{i},{i * i % 101}\n" for i in range(100))
        for task, text, flags in (("pairs", pairs, []), ("text", prose, ["--length", "8"]), ("forecast", table, [])):
            digests = set()
            for name, saved in (("plain", text), ("windows", "\ufeff" + text.replace("\n", "\r\n"))):
                out = self.fine("train", "--task", task, *flags, *TINY, "--steps", 2, "--data",
                                self.write(f"{name}.txt", saved), "--out", self.folder / (task + name))
                digests.add(self.hash_of(out))
            self.assertEqual(len(digests), 1, task)

    def test_the_column_of_a_table_is_named(self):
        table = "day;price\n" + "".join(f"d{i};{i * i % 101},5\n" for i in range(100))
        out = self.fine("train", "--task", "forecast", *TINY, "--steps", 2, "--data", self.write("t.csv", table),
                        "--out", self.folder / "run")
        self.assertIn("column 2 (price) of the table: 100 numbers.", out)

    def test_a_text_that_no_page_could_take(self):
        prose = "".join(f"{i} squared is {i * i}. " for i in range(190_000))
        self.assertGreater(len(prose), 4 << 20)
        self.fine("train", "--task", "text", "--length", 8, *TINY, "--steps", 1, "--data", self.write("long.txt", prose),
                  "--out", self.folder / "run")


    def test_a_terminal_shows_how_far_the_reading_is(self):
        data = self.write("many.txt", "".join(f"{i}\t{i + 1}\n" for i in range(3000)))
        ours, theirs = pty.openpty()
        show = [TP, "tasks", "--task", "pairs", "--data", data, "--show", "1"]
        process = subprocess.Popen(show, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end of a terminal
            while part := os.read(ours, 4096):
                shown += part
        os.close(ours)
        self.assertEqual(process.wait(), 0)
        self.assertRegex(shown.decode(), r"reading lines +\d+%")
        self.assertIn("\r\033[K2700 pairs to train on", shown.decode())

    def test_lines_that_are_too_long_are_left_out_and_named(self):
        text = "".join(f"{a} {b}\t{b} {a}\n" for a in "abcdef" for b in "abcdef") + "a b a b a\tb\n"
        out = self.fine("train", "--task", "pairs", "--max-length", 4, *TINY, "--steps", 2,
                        "--data", self.write("pairs.txt", text), "--out", self.folder / "run")
        self.assertIn("more than 4 tokens on a side: 1 (37)", out)


class Vocabulary(Case):
    """tokenizer.json goes with a run, and what a model learned keeps its meaning."""

    def setUp(self):
        super().setUp()
        self.data = self.folder / "pairs.txt"
        self.data.write_text("".join(f"{a} {b}\t{b} {a}\n" for a in "abcdef" for b in "abcdef"))

    def train(self, name, *flags):
        return self.fine("train", "--task", "pairs", *TINY, "--steps", 30, "--data", self.data, *flags,
                         "--out", self.folder / name)

    def decode(self, name, text):
        return self.fine("decode", "--model", self.folder / name, "--input", text)

    def test_an_edited_data_file_changes_no_answer(self):
        self.train("run", "--stop-at", 20)
        run = self.folder / "run"
        vocabulary = json.loads((run / "tokenizer.json").read_text())["model"]["vocab"]
        self.assertEqual(sorted(vocabulary), sorted([*"abcdef", "<pad>", "<bos>", "<eos>", "<unk>"]))
        answer = self.decode("run", "a c")
        lines = (run / "data.txt").read_text().splitlines()
        (run / "data.txt").write_text("x y\tz\n" + "\n".join(reversed(lines)) + "\n")
        self.assertEqual(self.decode("run", "a c"), answer)
        self.fine("eval", "--model", run, "--eval-size", 4)
        self.fine("train", "--resume", "--out", run)

    def test_a_run_without_one_still_loads(self):
        self.train("run")
        answer = self.decode("run", "a c")
        for file in (self.folder / "run").glob("tokenizer*.json"):
            file.unlink()
        self.assertEqual(self.decode("run", "a c"), answer)
        self.fine("train", "--resume", "--out", self.folder / "run")
        self.assertTrue((self.folder / "run" / "tokenizer.json").exists())

    def test_unseen_words_are_answered(self):
        for tokens in ("words", "characters", "bpe", "sentencepiece"):
            self.train(tokens, "--tokens", tokens)
            for text in ("a ☃", "zebra" if tokens != "characters" else "zeb"):
                self.assertEqual(self.decode(tokens, text).count("\n"), 1)
        self.refused(1, "at least 260", "train", "--task", "pairs", "--data", self.data, "--tokens", "bpe",
                     "--vocabulary-size", 100, "--out", self.folder / "new")
        self.assertFalse((self.folder / "new").exists())

    def test_another_run_or_a_file_gives_the_vocabulary(self):
        self.train("first", "--tokens", "bpe", "--vocabulary-size", 270)
        first = (self.folder / "first" / "tokenizer.json").read_bytes()
        self.data.write_text("".join(f"{a}{b} {b}\t{b} {a}\n" for a in "uvwxyz" for b in "uvwxyz"))
        self.assertIn("its tokenizer, of", self.train("second", "--from", self.folder / "first"))
        self.train("third", "--tokenizer", self.folder / "first" / "tokenizer.json")
        for name in ("second", "third"):
            self.assertEqual((self.folder / name / "tokenizer.json").read_bytes(), first)
            config = json.loads((self.folder / name / "config.json").read_text())
            self.assertEqual(config["task_parameters"]["tokens"], "bpe")
        self.refused(1, "leave --tokenizer out", "train", *REVERSE, "--out", self.folder / "new", "--tokenizer",
                     self.folder / "first" / "tokenizer.json")
        broken = self.folder / "broken.json"
        broken.write_text("{}")
        self.refused(1, "broken.json", "train", "--task", "pairs", "--data", self.data, "--tokenizer", broken,
                     "--out", self.folder / "new")
        self.assertFalse((self.folder / "new").exists())

    def test_tokenize_shows_the_pieces(self):
        self.train("run", "--tokens", "sentencepiece")
        shown = self.fine("tokenize", "--model", self.folder / "run", "--input", "a fad")
        pieces = [line.split("\t")[1] for line in shown.splitlines()]
        self.assertEqual("".join(pieces), "▁a▁fad")
        file = ["tokenize", "--tokenizer", self.folder / "run" / "tokenizer.json"]
        self.assertEqual(self.fine(*file, "--input", "a fad"), shown)
        self.assertEqual(self.fine(*file, text="\ufeffa fad\r\na fad\n"), shown + "\n" + shown)
        self.refused(2, "--model or --tokenizer", "tokenize", "--input", "a")
        self.fine("train", *REVERSE, "--steps", 2, "--out", self.folder / "reverse")
        self.assertEqual(self.fine("tokenize", "--model", self.folder / "reverse", "--input", "b a"), "4\tb\n3\ta\n")


class HeldOut(Case):
    def test_the_best_exam_is_kept(self):
        # A rate at which the run goes astray at its end.
        run = self.folder / "run"
        flags = ["train", *REVERSE, "--schedule", "constant", "--learning-rate", 0.02, "--steps", 300, "--best"]
        self.fine(*flags, "--stop-at", 150, "--out", run)
        self.fine(*flags, "--resume", "--out", run)
        rows = [row for row in csv.DictReader((run / "metrics.csv").read_text().splitlines()) if row["heldout_loss"]]
        best = max(rows, key=lambda row: (float(row["heldout_exact"]), -float(row["heldout_loss"])))
        raw = (run / "best.safetensors").read_bytes()
        metadata = json.loads(raw[8:8 + struct.unpack("<Q", raw[:8])[0]])["__metadata__"]
        self.assertEqual(metadata["step"], best["step"])
        score = ["eval", "--eval-size", 8, "--model", run]
        losses = [float(dict(line.split("\t")[:2] for line in self.fine(*score, *more).splitlines())["loss"])
                  for more in (["--best"], [])]
        self.assertAlmostEqual(losses[0], float(best["heldout_loss"]), places=4)
        self.assertAlmostEqual(losses[1], float(rows[-1]["heldout_loss"]), places=4)
        self.fine("decode", "--best", "--model", run, "--input", "a b")
        (run / "best.safetensors").unlink()
        self.refused(1, "--best", "decode", "--best", "--model", run, "--input", "a b")

    def test_stop_when(self):
        short = ["train", "--task", "copy", "--max-length", 4, "--symbols", 6, *TINY, "--schedule", "constant",
                 "--steps", 5000]
        out = self.fine(*short, "--stop-when", "solved", "--out", self.folder / "solved")
        self.assertIn("(solved: 3 exams in a row", out)
        rows = list(csv.DictReader((self.folder / "solved" / "metrics.csv").read_text().splitlines()))
        self.assertLess(len(rows), 5000)
        self.assertEqual([row["heldout_exact"] for row in rows if row["heldout_exact"]][-3:], ["1"] * 3)
        # With such a rate nothing is ever learned.
        out = self.fine(*short, "--learning-rate", 1e-9, "--stop-when", "stalled", "--out", self.folder / "stalled")
        self.assertIn("(stalled: no better exam in 10", out)
        self.refused(2, "stalled", "train", "--task", "text", *TINY, "--stop-when", "solved", "--out", self.folder / "x")
        self.refused(2, "solved", *short, "--stop-when", "tired", "--out", self.folder / "x")


class Trained(Case):
    """Commands that take a trained model; one is made for all of them."""

    @classmethod
    def setUpClass(cls):
        cls.shared = Path(tempfile.mkdtemp(prefix="tp_cli_"))
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.run_folder = cls.shared / "run"
        done = tp("train", *REVERSE, "--steps", 20, "--out", cls.run_folder)
        assert done.returncode == 0, done.stderr

    def test_eval(self):
        out = self.fine("eval", "--model", self.run_folder, "--eval-size", 20)
        scores = dict(line.split("\t")[:2] for line in out.splitlines())
        self.assertEqual((scores["task"], scores["examples"]), ("reverse", "20"))
        for name in ("loss", "exact", "token_accuracy", "alignment.layer.0.head.1", "alignment.layer.0.mean"):
            self.assertIn(name, scores)

    def test_decode(self):
        decode = ["decode", "--model", self.run_folder]
        answer = self.fine(*decode, "--input", "a b c")
        self.assertEqual(answer.count("\n"), 1)
        self.assertEqual(self.fine(*decode, text="a b c\nc b a\n").splitlines()[0], answer.strip("\n"))
        self.assertEqual(self.fine(*decode, "--input", "a b c", "--beam", 3).count("\n"), 3)
        draw = [*decode, "--input", "a b c", "--temperature", 2, "--seed"]
        self.assertEqual(self.fine(*draw, 1), self.fine(*draw, 1))
        self.assertGreater(len({self.fine(*draw, seed) for seed in range(5)}), 1)
        # Of one token alone every draw is the likeliest.
        self.assertEqual(self.fine(*draw, 1, "--top-k", 1), answer)
        self.refused(1, '"ß"', *decode, "--input", "a ß")
        self.refused(2, "beam", *decode, "--input", "a", "--beam", 0)
        self.refused(2, "--temperature", *decode, "--input", "a", "--beam", 2, "--temperature", 1)

    def test_a_text_goes_on_beyond_the_window(self):
        for tokens in ("characters", "bpe"):
            run = self.folder / tokens
            self.fine("train", "--task", "text", "--length", 8, "--tokens", tokens, *TINY, "--steps", 5, "--out", run)
            decode = ["decode", "--model", run, "--input", "The model learns", "--max-tokens"]
            longest = self.fine(*decode, 50)
            self.assertTrue(longest.startswith("The model learns"))
            if tokens == "characters":
                self.assertEqual(len(longest), 16 + 50 + 1)
                self.assertEqual(self.fine(*decode, 30, "--beam", 2).count("\t"), 2)
            # What is written first does not depend on how much follows.
            self.assertTrue(longest.startswith(self.fine(*decode, 20)[:-2]))

    def test_trace(self):
        path = self.folder / "pass.safetensors"
        flags = ["trace", "--model", self.run_folder, "--input", "a b c"]
        self.fine(*flags, "--target", "c b", "--out", path)
        tensors = read_safetensors(path)
        self.assertEqual(tensors["input.src_ids"][:2], ("I64", [3]))
        self.assertEqual(tensors["input.tgt_ids"][:2], ("I64", [3]))
        self.assertEqual(struct.unpack("<3q", tensors["input.tgt_ids"][2])[0], 1)
        self.assertEqual(tensors["output.logits"][1][0], 3)
        self.assertEqual(tensors["output.logits"][2], tensors["head.logits"][2])
        self.assertEqual(tensors["decoder.0.cross_attn.head.1.weights"][1], [3, 3])
        table = self.fine(*flags, "--print", "*.weights").splitlines()
        self.assertEqual(table[0].split(), "tensor shape mean std min max norm zeros".split())
        self.assertEqual(len(table), 1 + 3 * 2)
        self.refused(1, "no tensor", *flags, "--print", "nonsense")
        self.refused(1, "nonsense", *flags, "--print", "*.weights,nonsense")
        self.refused(1, "no tensor", *flags, "--print", "*.d_weights")
        two = self.fine(*flags, "--print", "encoder.*.weights,head.logits").splitlines()
        self.assertEqual([line.split()[0] for line in two[1:]],
                         ["encoder.0.self_attn.head.0.weights", "encoder.0.self_attn.head.1.weights",
                          "head.logits"])

    def test_trace_of_gradients(self):
        path = self.folder / "gradients.safetensors"
        flags = ["trace", "--model", self.run_folder, "--input", "a b c", "--gradients"]
        table = self.fine(*flags, "--target", "c b", "--out", path,
                          "--print", "*.d_weights,*.d_in_proj_weight").splitlines()
        self.assertEqual(len(table), 1 + 3 * 2 + 3)
        tensors = read_safetensors(path)
        shape, logits = tensors["head.d_logits"][1:]
        self.assertEqual(shape, tensors["head.logits"][1])
        # Of a cross-entropy: in each row, what the wrong ones lose the right one gains.
        numbers = struct.unpack(f"<{shape[0] * shape[1]}f", logits)
        for row in range(shape[0]):
            part = numbers[row * shape[1]:(row + 1) * shape[1]]
            self.assertAlmostEqual(sum(part), 0, places=5)
            self.assertLess(min(part), 0)
        self.assertEqual(tensors["encoder.layers.0.self_attn.d_in_proj_weight"][1][0],
                         3 * tensors["encoder.layers.0.self_attn.d_in_proj_weight"][1][1])

    def test_trace_refuses(self):
        path = self.folder / "pass.safetensors"
        flags = ["trace", "--model", self.run_folder, "--input", "a b c"]
        self.fine(*flags, "--out", path)
        self.refused(1, "never writes", *flags, "--target", "ß", "--out", self.folder / "new")
        self.refused(2, "--out", *flags)
        self.refused(1, "No space left", *flags, "--out", "/dev/full")
        self.assertTrue(Path("/dev/full").is_char_device())
        before = path.read_bytes()
        self.refused(1, "cannot write", *flags, "--out", path, limit=1000)
        self.assertEqual(path.read_bytes(), before)

    def test_unreadable_models(self):
        commands = {"eval": [], "decode": ["--input", "a b"], "trace": ["--input", "a b", "--print", "*"],
                    "export": ["--to", "pytorch", "--out", self.folder / "out"]}
        model = self.folder / "copy"
        for command, flags in commands.items():
            self.refused(1, "config.json", command, "--model", self.folder / "nothing", *flags)
            shutil.rmtree(model, ignore_errors=True)
            shutil.copytree(self.run_folder, model)
            whole = (model / "model.safetensors").read_bytes()
            for size in (0, 5, 100, len(whole) - 1):
                (model / "model.safetensors").write_bytes(whole[:size])
                self.refused(1, "", command, "--model", model, *flags)
            shutil.rmtree(model)
            shutil.copytree(self.run_folder, model)
            text = (model / "config.json").read_text()
            (model / "config.json").write_text(text.replace('"d_ff": 32', '"d_ff": 64'))
            self.refused(1, "model.safetensors", command, "--model", model, *flags)
        self.assertFalse((self.folder / "out").exists())

    def test_export(self):
        out = self.folder / "out"
        flags = ["export", "--model", self.run_folder, "--to"]
        self.fine(*flags, "pytorch", "--out", out)
        self.assertEqual(sorted(content(out)), ["config.json", "example.safetensors", "model.py", "model.safetensors",
                                                "tokenizer.json"])
        before = content(out)
        self.refused(1, "not empty", *flags, "pytorch", "--out", out)
        self.refused(2, "pickle", *flags, "pickle", "--out", out)
        self.assertEqual(content(out), before)
        # What nn.Transformer cannot be is written as well: export_test.py runs it.
        for flag, value in (("--norm-kind", "rms"), ("--positions", "rotary"), ("--biases", "false")):
            run = self.folder / value
            self.fine("train", *REVERSE, "--steps", 2, flag, value, "--out", run)
            self.fine("export", "--model", run, "--to", "pytorch", "--out", self.folder / ("to_" + value))

    def test_bench(self):
        names = self.fine("bench", "--list").split()
        self.assertTrue({"peak", "tiny", "small", "decode", "default-reverse"} <= set(names))
        out = self.fine("bench", "--case", "tiny,decode", "--seconds", 0.01)
        self.assertEqual([line.split()[0] for line in out.splitlines()], ["case", "tiny", "decode"])
        measured = json.loads(self.fine("bench", "--case", "tiny", "--seconds", 0.01, "--json", "-"))
        self.assertEqual(measured["parameters"], 239904)
        self.assertAlmostEqual(measured["flop"] / 1e6, 748.7, 1)
        self.assertGreater(measured["ms"], 0)
        self.refused(2, "no case named 'huge'", "bench", "--case", "huge")
        self.refused(2, "arithmetic", "bench", "--arithmetic", "wild")


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    unittest.main()
