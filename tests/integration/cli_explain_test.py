#!/usr/bin/env python3
"""tp explain, tp trace --story and tp train --watch, as a person or a program uses them.

    cli_explain_test.py PATH/TO/tp [unittest arguments]
"""

import csv
import json
import shutil
import struct
import tempfile
import unittest
from pathlib import Path

from cli_test import REVERSE, Case, tp

AT = "decoder.0.cross_attn.head.1.weights[2,1]"


def rounded(x):
    """As a float holds it."""
    return struct.unpack("f", struct.pack("f", x))[0]


class Explained(Case):
    @classmethod
    def setUpClass(cls):
        cls.home = Path(tempfile.mkdtemp(prefix="tp_explain_"))
        cls.addClassCleanup(shutil.rmtree, cls.home)
        cls.run_folder = cls.home / "run"
        done = tp("train", *REVERSE, "--steps", 20, "--out", cls.run_folder)
        assert done.returncode == 0, done.stderr
        cls.flags = ["--model", cls.run_folder, "--input", "a b c", "--target", "c b"]

    def explain(self, at):
        return json.loads(self.fine("explain", *self.flags, "--at", at, "--json"))

    def test_the_names_that_stay(self):
        cell = self.explain(AT)
        self.assertLessEqual({"path", "row", "column", "value", "operation", "equation", "terms", "gradient",
                              "finite_difference"}, cell.keys())
        self.assertEqual((cell["path"], cell["row"], cell["column"]), (AT.split("[", maxsplit=1)[0], 2, 1))
        self.assertEqual(cell["operation"], "softmax")
        self.assertEqual(len(cell["terms"]), 3)
        for term in cell["terms"]:
            self.assertLessEqual({"path", "row", "column", "value", "factor"}, term.keys())
        self.assertAlmostEqual(cell["gradient"], cell["finite_difference"], places=4)

    def test_a_program_can_do_the_sum(self):
        """The terms of a product, in their order, in floats: the value, bit for bit."""
        cell = self.explain("decoder.0.cross_attn.head.1.query[1,3]")
        self.assertEqual(cell["order"], "in order")
        total = 0.0
        for term in cell["terms"]:
            total = term["value"] if term["name"] == "b" else rounded(
                total + rounded(term["value"] * term["factor"]))
        self.assertEqual(total, cell["value"])
        # And every term is a number that can be asked for itself.
        term = cell["terms"][-1]
        self.assertEqual(self.explain(f"{term['path']}[{term['row']},{term['column']}]")["value"], term["value"])
        place = f"{term['factor_path']}[{term['factor_row']},{term['factor_column']}]"
        self.assertEqual(self.explain(place)["value"], term["factor"])

    def test_in_words(self):
        text = self.fine("explain", *self.flags, "--at", AT)
        self.assertTrue(text.startswith(AT + " = "), text)
        self.assertIn("\nequation           exp(x - max) * (1 / sum(exp(x - max))) = ", text)
        self.assertIn("\nfinite difference ", text)

    def test_mistakes(self):
        flags = ["explain", *self.flags, "--at"]
        self.refused(1, "decoder.0.cross_attn.head.1.weights", *flags, "decoder.0.cross_attn.head.1.weight[0,0]")
        self.refused(1, "rows 0 to 2 and columns 0 to 2", *flags, AT.replace("2,1", "0,9"))
        for wrong in ("head.logits", "head.logits[1]", "head.logits[a,b]", "head.logits[1,2", "head.logits[1,2]x"):
            self.refused(2, "--at takes", *flags, wrong)
        self.refused(2, "--at is missing", *flags[:-1])
        self.refused(2, "--input is missing", "explain", "--model", self.run_folder, "--at", AT)

    def test_the_story_of_a_pass(self):
        lines = self.fine("trace", *self.flags, "--story").splitlines()
        self.assertTrue(lines[0].startswith("  1. input.src_ids [3]"), lines[0])
        self.assertIn("a b c", lines[1])
        steps = [json.loads(line) for line in
                 self.fine("trace", *self.flags, "--story", "--json").splitlines()]
        self.assertEqual([step["number"] for step in steps], list(range(1, len(steps) + 1)))
        self.assertEqual(steps[-1]["tensor"], "head.logits")
        query = next(step for step in steps if step["tensor"].endswith("encoder.0.self_attn.head.0.query"))
        self.assertEqual(query["shape"], [3, 8])
        self.assertIn("[3, 16] is read as 2 heads of [3, 8]", query["words"])
        self.assertLessEqual({"mean", "std", "operation", "inputs"}, query.keys())
        self.assertFalse([step for step in steps if ".head.1." in step["tensor"]])

    def test_watched_tensors_are_series(self):
        train = ["train", *REVERSE, "--steps", 12, "--seed", 3]
        plain = self.fine(*train, "--out", self.folder / "plain").splitlines()[-1]
        watched = self.fine(*train, "--out", self.folder / "watched", "--watch", "decoder.*.weights:entropy",
                            "--watch", "encoder.0.feed_forward.d_hidden:norm").splitlines()[-1]
        self.assertEqual(plain, watched)  # the same weights
        with open(self.folder / "watched" / "metrics.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 12)
        names = ["entropy.decoder.0.self_attn.head.0", "entropy.decoder.0.cross_attn.head.1",
                 "norm.encoder.0.feed_forward.d_hidden"]
        for name in names:
            numbers = [float(row[name]) for row in rows]
            self.assertGreater(len(set(numbers)), 6, name)
        self.assertTrue(0 < float(rows[0][names[1]]) <= 1)
        self.assertNotIn("mean.encoder.0.feed_forward.d_hidden", rows[0])
        events = next((self.folder / "watched").glob("events.out.tfevents.*")).read_bytes()
        for name in names:
            self.assertIn(name.encode(), events)

    def test_what_cannot_be_watched(self):
        train = ["train", *REVERSE, "--steps", 2, "--out", self.folder / "none", "--watch"]
        self.refused(2, "the statistics are entropy, mean", *train, "decoder.*.weights")
        self.refused(2, "the statistics are entropy, mean", *train, "*:median")
        self.refused(2, "finds no tensor", *train, "nothing:mean")
        self.refused(2, "finds no tensor", *train, "head.logits:entropy")
        self.assertFalse((self.folder / "none").exists())


if __name__ == "__main__":
    unittest.main()
