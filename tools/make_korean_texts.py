#!/usr/bin/env python3
"""Writes the Korean texts of the user interface as a file for the page: make_korean_texts.py FILE.

One line name=text for each entry of imgui_app/strings/table.inc, where both languages stand side by
side. The page loads it together with the Korean font.
"""
import os
import re
import sys

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = os.path.join(PROJECT, "imgui_app", "strings", "table.inc")

LITERALS = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'  # neighbours are one text, as in C++
ENTRY = re.compile(r"TP_TEXT\(\s*(\w+)\s*,\s*" + LITERALS + r",\s*" + LITERALS + r"\)")


def text_of(literals):
    parts = re.findall(r'"((?:[^"\\]|\\.)*)"', literals)
    return re.sub(r"\\(.)", r"\1", "".join(parts))


def main(path):
    with open(TABLE, encoding="utf-8") as file:
        table = re.sub(r"^\s*//.*$", "", file.read(), flags=re.MULTILINE)
    entries = ENTRY.findall(table)
    if len(entries) != table.count("TP_TEXT("):
        sys.exit(f"make_korean_texts.py: {table.count('TP_TEXT(') - len(entries)} entries of {TABLE} are not understood.")
    if "\\n" in "".join(korean for _, _, korean in entries):
        sys.exit(f"make_korean_texts.py: a Korean text of {TABLE} has more than one line.")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{name}={text_of(korean)}\n" for name, _, korean in entries)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_korean_texts.py FILE")
    main(sys.argv[1])
