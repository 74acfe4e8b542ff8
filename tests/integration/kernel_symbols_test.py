#!/usr/bin/env python3
"""Kernels for wide vectors must share no function with the rest of the program: kernel_symbols_test.py WIDTH OBJECT...

A function that the compiler puts into several objects (a template or an inline function that it did not
inline) is kept once by the linker, whichever copy comes first. If that were one with AVX instructions, the
program would stop on a machine without them, anywhere. So every such symbol must carry the name of its width:
ours in tp::WIDTH, Eigen's in eigen_WIDTH.
"""
import re
import subprocess
import sys


def shared_symbols(objects, width):
    printed = subprocess.run(["nm", "-C", *objects], check=True, capture_output=True, text=True).stdout
    weak = re.findall(r"^[0-9a-f]+ [WVu] (.*)$", printed, re.MULTILINE)
    if not weak:
        sys.exit("nm names no weak symbol at all: has it changed what it prints?")
    return [name for name in weak if f"tp::{width}::" not in name and f"eigen_{width}::" not in name]


def main():
    width, *objects = sys.argv[1:]
    if not shared_symbols(objects, "v0"):
        sys.exit("this test can no longer fail")
    found = shared_symbols(objects, width)
    print("\n".join(found) or f"{len(objects)} objects for {width} share nothing")
    sys.exit(bool(found))


main()
