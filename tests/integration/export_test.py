#!/usr/bin/python3
"""Exports models of every kind and runs the exported script with PyTorch.

    export_test.py PATH/TO/tp

The logits of the script must be those of the engine to 1e-4.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TP = sys.argv[1]
SMALL = ("--d-model 16 --heads 2 --d-ff 32 --encoder-layers 2 --decoder-layers 2 --batch 8 --steps 3 --warmup 1 "
         "--eval-size 4").split()
CASES = [(task, norm, activation, []) for task in ("reverse", "balance", "text")
         for norm in ("pre", "post") for activation in ("relu", "gelu")]
CASES += [("reverse", "post", "relu", ["--positions", "learned", "--tying", "all"]),
          ("copy", "pre", "gelu", ["--tying", "output", "--positions", "none", "--scale-embedding", "false"]),
          ("text", "pre", "relu", ["--positions", "learned", "--norm-eps", "0.001"]),
          ("forecast", "post", "gelu", ["--pooling", "first"]),
          ("shapes", "pre", "relu", ["--final-norm", "false"])]
# What nn.Transformer cannot be.
CASES += [(task, norm, "gelu", more) for task, norm in (("reverse", "pre"), ("text", "post"), ("balance", "pre"))
          for more in (["--biases", "false"], ["--positions", "rotary"], ["--positions", "alibi"],
                       ["--norm-kind", "rms"], ["--sparsity", "local", "--reach", "2"],
                       ["--sparsity", "strided", "--reach", "3"])]
CASES += [("shapes", "post", "relu", ["--biases", "false", "--final-norm", "false"]),
          ("reverse", "pre", "relu", ["--biases", "false", "--positions", "rotary", "--tying", "all"])]
# Prints whether what the configuration ties is one matrix.
TIED = """import json, model
c, m = json.load(open(model.HERE / "config.json"))["model"], model.load()
embeddings = [getattr(m, name).weight for name in ("tgt_embed", "src_embed") if hasattr(m, name)]
print((m.generator.weight is embeddings[0]) == (c["tying"] != "none"),
      len(embeddings) < 2 or (embeddings[0] is embeddings[1]) == (c["tying"] == "all"))
"""
BOUND = 1e-4


def check(task, norm, activation, more):
    with tempfile.TemporaryDirectory() as folder:
        run, out = Path(folder) / "run", Path(folder) / "out"
        subprocess.run([TP, "train", "--task", task, *SMALL, "--norm", norm, "--activation", activation, *more,
                        "--out", run], check=True, capture_output=True)
        subprocess.run([TP, "export", "--model", run, "--to", "pytorch", "--out", out], check=True, capture_output=True)
        done = subprocess.run(["/usr/bin/python3", out / "model.py"], check=True, capture_output=True, text=True)
        tied = subprocess.run(["/usr/bin/python3", "-c", TIED], cwd=out, check=True, capture_output=True, text=True)
        assert tied.stdout == "True True\n", (more, tied.stdout)
    last = done.stdout.splitlines()[-1]
    assert last.startswith("max difference "), done.stdout
    difference = float(last.split()[-1])
    print(f"{task:10} {norm:5} {activation:5} {' '.join(more):50} {difference:.3g}", flush=True)
    return difference <= BOUND


def main():
    good = [check(*case) for case in CASES]
    sys.exit(0 if all(good) else f"more than {BOUND} apart")


if __name__ == "__main__":
    main()
