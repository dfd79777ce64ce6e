#!/usr/bin/env python3
"""Writes `src/output/diagram/hanzi.txt`: the outlines of the characters on a xiangqi board, from a font under the SIL OFL.

The font is LXGW WenKai Bold, as packaged in Debian's `fonts-lxgw-wenkai`; `pip install fonttools` installs the reader.
The same font gives the same file.
"""

from __future__ import annotations

import argparse
import pathlib

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

CHARACTERS = "帥仕相傌俥炮兵將士象馬車砲卒楚河漢界"
FONT = pathlib.Path("/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf")
OUT = pathlib.Path(__file__).parents[1] / "src/output/diagram/hanzi.txt"
HEADER = """\
# Outlines of the characters on a xiangqi board, one a line: the character, a blank, the data of an SVG path. The middle
# of what is drawn is at 0 0, y points down, and the em is 1000 units high.
#
# Written by scripts/xiangqi_glyphs.py from LXGW WenKai Bold, {version}.
# {copyright}
# This file is licensed under the SIL Open Font License, Version 1.1: see hanzi.LICENSE beside it.
"""


def outline(font: TTFont, character: str) -> str:
    """The path of a character, centerd, in whole units of a thousandth of the em."""
    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(character)]]
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    scale = 1000 / font["head"].unitsPerEm
    pen = SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
    centered = (scale, 0, 0, -scale, -scale * (left + right) / 2, scale * (bottom + top) / 2)
    glyph.draw(TransformPen(pen, centered))
    return pen.getCommands()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--font", type=pathlib.Path, default=FONT)
    parser.add_argument("--out", type=pathlib.Path, default=OUT)
    args = parser.parse_args()
    font = TTFont(args.font)
    facts = {key: " ".join(font["name"].getDebugName(number).split()) for key, number in [("copyright", 0), ("version", 5)]}
    lines = [f"{character} {outline(font, character)}\n" for character in CHARACTERS]
    args.out.write_text(HEADER.format(**facts) + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
