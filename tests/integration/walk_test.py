#!/usr/bin/env python3
"""A stranger's ten commands, from `tp` alone to a decoded sentence of one's own data.

    walk_test.py PATH/TO/tp [unittest arguments]

Each command and flag is one that an earlier answer has named: nobody needs to guess.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TP = sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/bin/tp"
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from make_pairs import pairs  # noqa: E402

MODEL = "--d-model 32 --heads 2 --d-ff 64 --encoder-layers 1 --decoder-layers 1 --batch 32 --eval-size 32".split()


class Walk(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tp_walk_")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.named = ""
        self.commands = 0

    def tp(self, *words, text=None):
        """Runs a command whose name and flags were met before, and remembers what it says."""
        words = [str(word) for word in words]
        self.commands += 1
        for word in words[:1] + [word for word in words if word.startswith("--")]:
            self.assertIn(word, self.named, f"nothing has told of {word} yet")
        done = subprocess.run([TP, *words], input=text, capture_output=True, encoding="utf-8", timeout=280,
                              check=False)
        self.assertEqual(done.returncode, 0, f"tp {words}: {done.stderr}")
        self.named += done.stdout
        return done.stdout

    def test_from_nothing_to_a_sentence_of_ones_own(self):
        # Sentences of one and two words, of five: learned in seconds.
        data, run = self.folder / "mine.tsv", self.folder / "run"
        lexicon = dict(ik="cat", du="sees", si="dog", na="red", ko="big")
        lines = [(a, b) for a in lexicon for b in lexicon] + [(a,) for a in lexicon]
        data.write_text("".join(" ".join(line) + "\t" + " ".join(lexicon[word] for word in reversed(line)) + "\n"
                                for line in lines))
        self.tp()
        self.assertIn("pairs", self.tp("tasks"))
        self.tp("help", "train")
        self.tp("help", "train", "--task", "pairs")
        train = ["train", "--task", "pairs", "--data", data, "--tokens", "bpe", *MODEL, "--warmup", 20, "--steps", 300]
        self.assertIn("held out", self.tp(*train, "--stop-at", 150, "--out", run))
        self.assertIn("resumed after step 150", self.tp("train", "--resume", "--out", run))
        self.tp("help", "decode")
        self.assertIn("exact", self.tp("eval", "--model", run))
        self.assertIn("na", self.tp("tokenize", "--model", run, "--input", "na si"))
        answers = self.tp("decode", "--model", run, text="".join(" ".join(line) + "\n" for line in lines))
        self.assertEqual(self.commands, 10)
        right = [line for line, answer in zip(lines, answers.splitlines())
                 if answer.split() == [lexicon[word] for word in reversed(line)]]
        self.assertGreater(len(right), len(lines) // 2, answers)

    def test_many_sentences_with_words_that_no_line_has(self):
        # bench/own_data.py does the same with 200,000 pairs.
        data = self.folder / "many.tsv"
        data.write_text("".join(line + "\n" for line in pairs(1000, 500, 1)))
        self.named = "train decode " + subprocess.run([TP, "help", "train", "--task", "pairs"], capture_output=True,
                                                      encoding="utf-8", check=True).stdout + "--model --input"
        for tokens in ("words", "bpe", "sentencepiece"):
            run = self.folder / tokens
            out = self.tp("train", "--task", "pairs", "--data", data, "--tokens", tokens, "--vocabulary-size", 400,
                          *MODEL, "--steps", 3, "--out", run)
            self.assertIn("900 pairs to train on, 100 held out", out)
            self.assertEqual(self.tp("decode", "--model", run, "--input", "zzyzx brillig").count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
