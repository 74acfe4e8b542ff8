#!/usr/bin/python3
"""Cuts Debian's fonts down to the characters we draw: make_fonts.py FOLDER.

sans, math and mono serve every page. hangul is the Korean interface font (every syllable that
NanumSquare has an outline for), hangul-all the one with all 11,172 syllables, and names the few that
write 한국어 in the list of languages before any Korean font is there.
"""
import os
import sys

from fontTools import subset
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

FONTS = "/usr/share/fonts/truetype/"
SANS = FONTS + "noto/NotoSans-Regular.ttf"
MATH = FONTS + "noto/NotoSansMath-Regular.ttf"
MONO = FONTS + "jetbrains-mono/JetBrainsMono-Regular.ttf"
HANGUL = FONTS + "nanum/NanumSquareR.ttf"
HANGUL_ALL = FONTS + "nanum/NanumGothic.ttf"

ASCII = set(range(0x20, 0x7F))
LATIN = ASCII | set(range(0xA0, 0x100))
GREEK = set(range(0x391, 0x3CA))
PUNCTUATION = {ord(c) for c in "–—‘’“”…•‹›€™"}
SIGNS = {ord(c) for c in "←↑→↓↔⇒−×·√∂∈∉≤≥≠≈∞∑∏∫∇∝∘⊙⊕⊤‖⋅"}
TOKENS = {ord(c) for c in "␂␃▁✓✗↵"}
SYLLABLES = set(range(0xAC00, 0xD7A4))
JAMO = set(range(0x3131, 0x318F))


def with_outline(path, characters):
    """The characters that the font really draws: a cmap entry alone may point at an empty glyph."""
    font = TTFont(path, lazy=True)
    cmap, outlines = font.getBestCmap(), font["glyf"]
    return {c for c in characters if c in cmap and outlines[cmap[c]].numberOfContours != 0}


def cut(source, characters, target):
    options = subset.Options(layout_features=[], hinting=False, glyph_names=False, notdef_outline=True,
                             name_IDs=[0, 1, 2, 13, 14], drop_tables=["TSI0", "TSI1", "TSI2", "TSI3", "TSI5", "GPOS", "GSUB", "GDEF", "MATH"])
    font = subset.load_font(source, options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    # The stamp of the day would make every build different.
    font.recalcTimestamp = False
    subset.save_font(font, target, options)
    print(f"  {os.path.basename(target)}: {len(characters)} characters, {os.path.getsize(target) // 1024} KB")


def draw_marks(path):
    """Draws ␂ and ␃ as a bar at the beginning or end of a line: letters within a letter cannot be read."""
    font = TTFont(path)
    cmap, unit = font.getBestCmap(), font["head"].unitsPerEm / 1000
    for mark, bar in (("␂", 80), ("␃", 440)):
        pen = TTGlyphPen(None)
        for left, bottom, right, top in ((bar, 60, bar + 80, 660), (80 if bar > 80 else 160, 320, 520 if bar == 80 else 440, 400)):
            corners = [(left, bottom), (left, top), (right, top), (right, bottom)]
            pen.moveTo(tuple(round(v * unit) for v in corners[0]))
            for corner in corners[1:]:
                pen.lineTo(tuple(round(v * unit) for v in corner))
            pen.closePath()
        name = cmap[ord(mark)]
        font["glyf"][name] = pen.glyph()
        font["hmtx"][name] = (font["hmtx"][name][0], round(80 * unit))
    font.recalcTimestamp = False
    font.save(path)


def main(folder):
    os.makedirs(folder, exist_ok=True)

    def path(name):
        return os.path.join(folder, name)

    cut(SANS, LATIN | GREEK | PUNCTUATION, path("sans.ttf"))
    cut(MATH, SIGNS, path("math.ttf"))
    # For numbers, tokens and formulas; other typed characters come from sans.
    cut(MONO, ASCII | {ord(c) for c in "–…·×−→ωπ√≤≥"} | TOKENS, path("mono.ttf"))
    draw_marks(path("mono.ttf"))
    cut(HANGUL, {ord(c) for c in "한국어"}, path("names.ttf"))
    cut(HANGUL, with_outline(HANGUL, SYLLABLES | JAMO), path("hangul.ttf"))
    cut(HANGUL_ALL, with_outline(HANGUL_ALL, SYLLABLES), path("hangul-all.ttf"))
    with open(path("made"), "w", encoding="utf-8") as stamp:
        stamp.write("tools/make_fonts.py\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_fonts.py FOLDER")
    main(sys.argv[1])
