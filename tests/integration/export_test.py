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
BOUND = 1e-4


def check(task, norm, activation, more):
    with tempfile.TemporaryDirectory() as folder:
        run, out = Path(folder) / "run", Path(folder) / "out"
        subprocess.run([TP, "train", "--task", task, *SMALL, "--norm", norm, "--activation", activation, *more,
                        "--out", run], check=True, capture_output=True)
        subprocess.run([TP, "export", "--model", run, "--to", "pytorch", "--out", out], check=True, capture_output=True)
        done = subprocess.run(["/usr/bin/python3", out / "model.py"], check=True, capture_output=True, text=True)
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
