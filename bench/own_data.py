#!/usr/bin/env python3
"""How long `tp` takes for sentence pairs of one's own, and how much memory.

    own_data.py PATH/TO/tp [PAIRS WORDS]

Generates them (200,000 pairs of 30,000 words unless told otherwise), then learns a BPE vocabulary, trains a few steps,
loads the run and decodes sentences with words that no line has. Prints seconds and the peak of the memory of each.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from make_pairs import pairs

MODEL = "--d-model 64 --heads 4 --d-ff 256 --encoder-layers 2 --decoder-layers 2 --batch 32 --eval-size 32".split()


def measured(name, *words):
    """What the command printed."""
    start = time.monotonic()
    with subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, encoding="utf-8") as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{name} failed")
    print(f"{name:44} {time.monotonic() - start:7.2f} s {usage.ru_maxrss / 1024:8.0f} MB")
    return out


def main():
    tp = sys.argv[1]
    count, vocabulary = map(int, sys.argv[2:4] or (200_000, 30_000))
    with tempfile.TemporaryDirectory() as folder:
        data, run = Path(folder) / "pairs.tsv", Path(folder) / "run"
        data.write_text("".join(line + "\n" for line in pairs(count, vocabulary, 1)))
        print(f"{count} pairs, {vocabulary} words, {data.stat().st_size / 2**20:.1f} MB")
        own = ["--task", "pairs", "--data", data]
        for tokens in (["words"], ["bpe", "--vocabulary-size", 8000], ["sentencepiece", "--vocabulary-size", 8000]):
            measured(f"read, {tokens[0]}: tp tasks --show 1", tp, "tasks", *own, "--tokens", *tokens, "--show", 1)
        out = measured("train 20 steps, bpe 8000: tp train", tp, "train", *own, "--tokens", "bpe",
                       "--vocabulary-size", 8000, *MODEL, "--steps", 20, "--out", run)
        print("    " + out.splitlines()[0])
        answer = measured("load and answer: tp decode", tp, "decode", "--model", run,
                          "--input", "zzyzx qwertiana brillig")
        print("    answer:", answer.strip()[:60])


if __name__ == "__main__":
    main()
