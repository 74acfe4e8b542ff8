#!/usr/bin/env python3
"""Copies Dear ImGui's imgui_draw.cpp without the font that it carries: drop_default_font.py IN OUT.

Nothing here draws with that font, and a page would have to load it.
"""
import os
import re
import sys


def main(source, target):
    with open(source, encoding="utf-8") as file:
        text = file.read()
    data = re.compile(r'(proggy_clean_ttf_compressed_data_base85)\[[0-9 +]*\] =\n.*?";\n', re.DOTALL)
    text, found = data.subn(r'\1[1] = "";\n', text)
    if found != 1:
        sys.exit(f"{source} does not hold the font where it was: adapt tools/drop_default_font.py.")
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: drop_default_font.py IN OUT")
    main(*sys.argv[1:])
