#!/usr/bin/env python3
"""`tp train --implementation`: the textbook in the engine's place, and both in lock-step.

    cli_textbook_test.py PATH/TO/tp [unittest arguments]
"""

import csv
import re
import unittest

from cli_test import REVERSE, TINY, Case


class Implementation(Case):
    def losses(self, run):
        with open(run / "metrics.csv", encoding="utf-8") as file:
            return [float(row["loss"]) for row in csv.DictReader(file)]

    def test_the_textbook_trains_as_the_engine_does(self):
        flags = ["train", *REVERSE, "--steps", 20]
        self.fine(*flags, "--out", self.folder / "engine")
        self.fine(*flags, "--implementation", "textbook", "--out", self.folder / "textbook")
        engine, textbook = self.losses(self.folder / "engine"), self.losses(self.folder / "textbook")
        self.assertEqual(len(engine), 20)
        self.assertLess(engine[-1], engine[0])
        for a, b in zip(engine, textbook, strict=True):
            self.assertAlmostEqual(a, b, delta=1e-3)
        self.fine("eval", "--model", self.folder / "textbook")

    def test_a_run_of_the_textbook_goes_on(self):
        flags = ["train", *REVERSE, "--steps", 6, "--implementation", "textbook"]
        whole = self.fine(*flags, "--out", self.folder / "whole")
        self.fine(*flags, "--stop-at", 3, "--out", self.folder / "parts")
        rest = self.fine("train", "--resume", "--implementation", "textbook", "--out", self.folder / "parts")
        self.assertEqual(whole.splitlines()[-1], rest.splitlines()[-1])

    def test_both_in_lock_step(self):
        flags = ["train", *REVERSE, "--steps", 5]
        out = self.fine(*flags, "--implementation", "both", "--out", self.folder / "both")
        rows = dict(re.findall(r"^(\S+) +([\d.e+-]+) +\d+$", out, re.MULTILINE))
        self.assertIn("encoder.layers.0.self_attn.in_proj_weight", rows)
        self.assertLess(float(rows["generator.weight"]), 1e-3)
        self.assertLess(float(rows["(loss)"]), 1e-4)
        self.assertGreater(max(map(float, rows.values())), 0)
        self.assertIn("largest difference between textbook and engine", out)
        alone = self.fine(*flags, "--out", self.folder / "alone")
        self.assertEqual(out.splitlines()[-1], alone.splitlines()[-1])

    def test_other_tasks(self):
        for task in ("balance", "forecast"):
            self.fine("train", "--task", task, *TINY, "--steps", 2, "--implementation", "both",
                      "--out", self.folder / task)

    def test_what_it_does_not_have(self):
        new = ["--out", self.folder / "new"]
        textbook = ["train", *REVERSE, "--implementation", "textbook", *new]
        self.refused(2, "drops nothing", *textbook, "--dropout", 0.1)
        self.refused(2, "fp32", *textbook, "--precision", "bf16")
        self.refused(2, "leave one of them out", "train", *REVERSE, "--implementation", "both", "--json", *new)
        self.refused(2, "leave --implementation out", *textbook, "--kernels", "both")
        self.refused(2, "implementation", "train", *REVERSE, "--implementation", "pytorch", *new)
        self.assertFalse((self.folder / "new").exists())


if __name__ == "__main__":
    unittest.main()
