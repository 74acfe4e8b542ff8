#!/usr/bin/env python3
"""`tp lens`: what a model would answer after each layer, and what each part of it adds to a logit.

    cli_lens_test.py PATH/TO/tp [unittest arguments]
"""

import json
import unittest

from cli_test import REVERSE, TINY, Case


class Lens(Case):
    def run_of(self, *flags):
        run = self.folder / "run"
        self.fine("train", *flags, "--steps", 3, "--out", run)
        return run

    def lens(self, *flags):
        return [json.loads(line) for line in self.fine("lens", *flags, "--json").splitlines()]

    def parts(self, *flags):
        answer = json.loads(self.fine("lens", *flags, "--json"))
        self.assertAlmostEqual(sum(part["value"] for part in answer["parts"]), answer["logit"], places=5)
        self.assertLess(abs(answer["parts"][-1]["value"]), 1e-5)
        return answer

    def test_an_encoder_decoder(self):
        flags = ["--model", self.run_of(*REVERSE), "--input", "a b c", "--target", "c b"]
        table = self.fine("lens", *flags).splitlines()
        self.assertEqual(table[0].split(), ["layer", "<bos>", "c", "b"])
        self.assertTrue(table[1].startswith("embedding "))
        self.assertTrue(table[-1].startswith("layer 1 "))
        rows = self.lens(*flags)
        self.assertEqual([row["layer"] for row in rows], [0, 1])
        for row in rows:
            self.assertEqual([cell["position"] for cell in row["positions"]], ["<bos>", "c", "b"])
            for cell in row["positions"]:
                probabilities = [one["probability"] for one in cell["likeliest"]]
                self.assertEqual(len(probabilities), 8)
                self.assertEqual(probabilities, sorted(probabilities, reverse=True))
                self.assertLessEqual(sum(probabilities), 1 + 1e-6)
        best = rows[-1]["positions"][1]["likeliest"][0]
        self.assertIn(f"{best['token']} {best['probability']:.3f}", table[-1])
        # The logit that is shown is the one whose parts are shown.
        answer = self.parts(*flags, "--attribution", f"1,{best['token']}")
        self.assertAlmostEqual(answer["logit"], best["logit"], places=6)
        paths = [part["path"] for part in answer["parts"]]
        self.assertEqual(paths[0], "target.embedded")
        self.assertIn("decoder.0.cross_attn.head.1.context", paths)
        self.assertEqual(paths[-2:], ["generator.bias", "remainder"])
        text = self.fine("lens", *flags, "--attribution", f"1,{best['token']}").splitlines()
        self.assertEqual(len(text), 1 + len(paths) + 1)
        self.assertEqual(text[-1].split()[1], "logit")

    def test_models_that_answer_once(self):
        run = self.folder / "balance"
        self.fine("train", "--task", "balance", *TINY, "--norm", "post", "--steps", 3, "--out", run)
        flags = ["--model", run, "--input", "( ( ) )"]
        rows = self.lens(*flags)
        tokens = [one["token"] for one in rows[-1]["positions"][0]["likeliest"]]
        self.assertEqual(len(rows[-1]["positions"]), 1)
        self.assertIn(self.fine("decode", *flags).strip(), tokens[0])
        self.parts(*flags, "--attribution", f"0,{tokens[0]}")

    def test_a_text(self):
        run = self.folder / "text"
        self.fine("train", "--task", "text", "--length", 8, *TINY, "--steps", 3, "--out", run)
        flags = ["--model", run, "--input", "The mo"]
        self.assertEqual(self.fine("lens", *flags).splitlines()[0].split(), ["layer", *"The␣mo"])
        self.assertEqual(len(self.lens(*flags)[0]["positions"]), 6)
        self.parts(*flags, "--attribution", "3, ")

    def test_wrong_calls(self):
        flags = ["lens", "--model", self.run_of(*REVERSE), "--input", "a b c", "--target", "c b"]
        self.refused(1, "from 0 to 2", *flags, "--attribution", "3,a")
        self.refused(1, "'1'", *flags, "--attribution", "1")
        self.refused(1, "never answers 'nothing'", *flags, "--attribution", "1,nothing")
        self.refused(2, "--input", "lens", "--model", self.folder / "run")
        self.refused(1, "config.json", "lens", "--model", self.folder / "none", "--input", "a")


if __name__ == "__main__":
    unittest.main()
