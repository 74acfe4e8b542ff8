#!/usr/bin/env python3
"""Kills `tp train` with SIGKILL again and again while it saves: every file it leaves must load.

    kill_test.py PATH/TO/tp [KILLS]

Each run saves a checkpoint at every step, and goes on where the last one was killed. After a kill
every file called .safetensors is read whole, and the next run must go on from the newest of them.
"""

import json
import random
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TP = sys.argv[1] if len(sys.argv) > 1 else "build/dev/bin/tp"
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
# A schedule and an end that the run never comes near; a model that takes longer to save than to train.
FLAGS = ("--task reverse --max-length 3 --d-model 128 --batch 1 --eval-every 1000000 --eval-size 1 "
         "--schedule constant --steps 1000000").split()


def check(path):
    """Every byte that the header promises is there, and none besides."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8:8 + length])
    header.pop("__metadata__", None)
    assert len(raw) == 8 + length + max(entry["data_offsets"][1] for entry in header.values()), path


def steps_of(path):
    return int(re.search(r"checkpoint-(\d+)", path.name).group(1))


def kill_once(run, words, rng):
    """Starts tp, kills it a little after its first save, and returns what it said."""
    newest = max(map(steps_of, (run / "checkpoints").glob("*.safetensors")), default=-1)
    process = subprocess.Popen([TP, "train", *words, "--out", str(run), "--checkpoint-every", "1"],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
    deadline = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if any(steps_of(path) > newest for path in (run / "checkpoints").glob("*.safetensors")):
            break
        time.sleep(0.002)
    time.sleep(rng.random() * 0.05)
    process.send_signal(signal.SIGKILL)
    said, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL, said
    return said


def main():
    folder = Path(tempfile.mkdtemp(prefix="tp_kill_"))
    run = folder / "run"
    rng = random.Random(1)
    halves = files = 0
    try:
        words, newest = FLAGS, None
        for _ in range(KILLS):
            said = kill_once(run, words, rng)
            assert newest is None or f"resumed after step {newest}\n" in said, (newest, said)
            halves += any(run.rglob("*.partial-*"))
            left = list(run.rglob("*.safetensors"))
            for path in left:
                check(path)
            files += len(left)
            words, newest = ["--resume"], max(map(steps_of, left))
        done = subprocess.run([TP, "train", "--resume", "--stop-at", "1", "--out", str(run)], capture_output=True,
                              encoding="utf-8", check=False)
        assert done.returncode == 0 and f"resumed after step {newest}\n" in done.stdout, done
        assert not list(run.rglob("*.partial-*")), "what a kill left behind stays"
    finally:
        shutil.rmtree(folder)
    print(f"{KILLS} runs killed, {halves} of them in the middle of a file; "
          f"all of the {files} files they left load, {newest} steps were kept")


main()
