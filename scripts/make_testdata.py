#!/usr/bin/env python3
"""Draws `testdata/boards`: a picture and a label for each case, and the credits in `testdata/README.md`.

Only art that may be shown (buckets A and B) is used, on flat or hatched squares of our own. The same
art, seed and versions give the same pictures. The program is never trained on them.
"""

from __future__ import annotations

import argparse
import csv
import json
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np

from draw import degrade
from draw.art import Art, compress, expand
from draw.board import draw_board
from draw.lastmove import legal_moves, name_of, read_fen, read_sites, show
from draw.scene import Scene, caption, photographed, put_board, text_line

OPENING = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R"
MIDDLE = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1"
ENDING = "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P4P1/5K2/8"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
QUEENS = "3r2k1/p4ppp/1q2p3/2b5/8/2N1P1P1/PP2QP1P/3R2K1"
ATTACK = "2kr3r/ppp2ppp/2n1b3/2b1P3/4q3/2P2N2/PP2BPPP/R1BQ1RK1"
STUDY = "8/8/1KP5/3r4/8/8/8/k7"
PROMOTED = "6k1/3Q1ppp/8/8/1N2n3/6PP/1q3P2/Q5K1"
MINOR = "8/8/2k5/5n2/8/1B1K4/8/8"  # both orientations are equally probable: only coordinates decide
SIX = [OPENING, MIDDLE, ATTACK, QUEENS, PROMOTED, ENDING]


@dataclass
class Case:
    """One picture: `boards` as (placement, side at the bottom); the rest is how it is drawn."""

    name: str
    boards: list[tuple[str, str]]
    medium: str = "screen"
    tile: int = 40
    after: str = ""
    columns: int = 1
    seed: int = 0
    labeled: bool = False  # with coordinates, independent of the seed
    stamped: bool = False  # in two inks, independent of the seed; print only
    missed: bool = False  # not read right yet: goes to known-misses


@dataclass
class Turn:
    """A screen just after a move: the position before it, the move, how the site shows it, what else is on the screen."""

    name: str
    fen: str
    move: str
    site: str
    bottom: str = "white"
    extras: tuple[str, ...] = ()
    tile: int = 44
    seed: int = 0


TURNS = [
    Turn("move-double-step", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2", "e2e4", "lichess", seed=50),
    Turn(
        "move-double-step-black",
        "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
        "d7d5",
        "chesscom",
        "black",
        ("arrows",),
        seed=51,
    ),
    Turn("move-chosen", f"{MIDDLE} w - - 0 12", "e3c5", "chesscom", extras=("chosen",), tile=56, seed=60),
    Turn("move-premove", f"{ATTACK} b - - 0 12", "e4e5", "lichess", "black", ("premove",), seed=53),
    Turn("move-check", f"{QUEENS} w - - 0 24", "d1d8", "lichess", extras=("check",), seed=54),
    Turn("move-castling", f"{OPENING} w KQkq - 0 4", "e1g1", "lichess", extras=("king-takes-rook",), seed=55),
    Turn("move-frame", f"{PROMOTED} b - - 0 30", "b2b4", "xboard", seed=56),
    Turn("move-glow", f"{ENDING} w - - 0 40", "f2e3", "chessboardjs", "black", tile=50, seed=57),
    Turn("move-jpeg", f"{ATTACK} w - - 0 12", "f3g5", "python-chess", extras=("jpeg",), tile=36, seed=58),
    Turn("move-marked", f"{QUEENS} b - - 0 24", "b6b4", "chesscom", extras=("marks",), tile=48, seed=59),
]

CASES = [
    Case("screen-opening", [(OPENING, "white")]),
    Case("screen-start", [(START, "white")], seed=1),
    Case("screen-middlegame-flipped", [(MIDDLE, "black")], seed=2),
    Case("screen-ending", [(ENDING, "white")], tile=60, seed=3),
    Case("screen-start-flipped", [(START, "black")], seed=4),
    Case("screen-attack", [(ATTACK, "white")], tile=72, seed=5),
    Case("screen-promoted", [(PROMOTED, "white")], seed=6),
    Case("screen-small", [(QUEENS, "white")], tile=18, seed=7),
    Case("screen-tiny-flipped", [(MIDDLE, "black")], tile=16, seed=8),
    Case("screen-jpeg", [(ATTACK, "white")], after="jpeg", seed=9),
    Case("screen-blurred", [(OPENING, "white")], after="blur", seed=10),
    Case("screen-skewed", [(QUEENS, "white")], after="camera", seed=11),
    Case("screen-two-boards", [(OPENING, "white"), (MIDDLE, "black")], tile=32, columns=2, seed=12),
    Case("screen-interface", [(ATTACK, "white")], tile=44, after="text", seed=13),
    Case("print-opening", [(OPENING, "white")], "print", seed=14),
    Case("print-middlegame", [(MIDDLE, "white")], "print", seed=15),
    Case("print-start-flipped", [(START, "black")], "print", seed=16),
    Case("print-ending", [(ENDING, "white")], "print", tile=30, seed=17),
    Case("print-study", [(STUDY, "white")], "print", seed=18),
    Case("print-small", [(QUEENS, "white")], "print", tile=20, seed=19),
    Case("print-bilevel", [(ATTACK, "white")], "print", tile=36, after="bilevel", seed=29),
    Case("print-skewed", [(MIDDLE, "white")], "print", after="camera", seed=21),
    Case("print-turned", [(QUEENS, "white")], "print", after="turn", seed=22),
    Case("print-shadow", [(OPENING, "white")], "print", after="shadow", seed=23),
    Case("print-two-boards", [(MIDDLE, "white"), (ENDING, "white")], "print", tile=26, columns=2, seed=44),
    Case("print-loose-pieces", [(MIDDLE, "white"), (ENDING, "white")], "print", tile=26, columns=2, seed=24, missed=True),
    Case("print-page", [(p, "white") for p in SIX], "print", tile=24, columns=2, after="text", seed=25),
    Case("print-page-photo", [(ATTACK, "white"), (QUEENS, "white")], "print", tile=30, columns=2, after="camera", seed=26),
    Case("print-gray-noise", [(MIDDLE, "white")], "print", after="grain", seed=27),
    Case("screen-coordinates-flipped", [(MINOR, "black")], tile=48, seed=43, labeled=True, missed=True),
    Case("print-coordinates-flipped", [(MINOR, "black")], "print", tile=36, seed=41, labeled=True),
    Case("screen-coordinates-outside", [(MINOR, "black")], tile=48, seed=40, labeled=True),
    Case("print-coordinates", [(MINOR, "white")], "print", tile=36, seed=32, labeled=True),
    Case("print-stamped", [(QUEENS, "white")], "print", tile=24, seed=100, stamped=True),
    Case("print-barred", [(MIDDLE, "white")], "print", tile=26, after="bar", seed=121, missed=True),
    Case("print-thumbnail", [(ATTACK, "white")], "print", tile=11, seed=102, missed=True),
    Case("screen-dark-arrows", [(ATTACK, "white")], after="blur", seed=100, missed=True),
    Case("print-sideways", [(MIDDLE, "white")], "print", after="sideways", seed=33),
    Case("print-upside-down", [(QUEENS, "white")], "print", after="upside-down", seed=34),
]  # fmt: skip


def draw(art: Art, case: Case):
    rng = np.random.default_rng([2026, case.seed])
    boards = []
    for placement, bottom in case.boards:
        white = bottom == "white"
        seen = expand(placement) if white else expand(placement)[::-1, ::-1]
        board = draw_board(art, rng, case.tile, case.medium, seen, white)
        while (case.labeled and len(board.glyphs) < 16) or (case.stamped and np.ptp(board.image, axis=-1).max() < 90):
            board = draw_board(art, rng, case.tile, case.medium, seen, white)
        boards.append(board)
    size = max(10, case.tile // 3)
    gap = 4 * size if case.after == "text" else case.tile
    extents = [8 * b.tile + 2 * min(b.margin + 2, b.left) for b in boards]
    wide = max(extents) + gap
    rows = -(-len(boards) // case.columns)
    shape = (rows * wide + gap, case.columns * wide + gap, 3)
    page = Scene(np.empty(shape, np.uint8), [], case.tile, case.medium)
    page.image[:] = 255 if case.medium == "print" else boards[0].image[0, 0]
    for i, (board, extent) in enumerate(zip(boards, extents, strict=True)):
        row, col = divmod(i, case.columns)
        x, y = gap + col * wide, gap + row * wide
        put_board(page, board, x, y, (extent - 8 * board.tile) // 2)
        if case.after == "text":
            caption(art, rng, page.image, x, y - 2 * size, wide - gap, size)
            text_line(art, rng, page.image, x, y + extent + size // 2, wide - gap, size, (90, 90, 90))
    if case.after == "bar":
        degrade.bar(rng, page.image, page.quads[0], case.tile)
    if case.after in ("camera", "turn"):
        flat = page
        page = photographed(art, rng, flat)
        while len(page.quads) < len(flat.quads):  # a board left the picture
            page = photographed(art, rng, flat)
    after = {
        "jpeg": lambda p: degrade.codec(rng, p, low=30),
        "blur": lambda p: cv2.GaussianBlur(p, (0, 0), case.tile * 0.04),
        "shadow": lambda p: degrade.light(rng, p, case.tile),
        "grain": lambda p: degrade.grain(rng, cv2.cvtColor(cv2.cvtColor(p, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)),
        "sideways": lambda p: np.ascontiguousarray(np.rot90(p)),
        "upside-down": lambda p: np.ascontiguousarray(np.rot90(p, 2)),
        "bilevel": lambda p: np.where(p.mean(-1, keepdims=True) > 170, 255, 0).astype(np.uint8).repeat(3, -1),
    }.get(case.after)
    image = after(page.image) if after else page.image
    return image, [b.name for b in boards]


def draw_turn(art: Art, sites, turn: Turn):
    """The picture and its label."""
    rng = np.random.default_rng([2026, turn.seed])
    before = read_fen(turn.fen)
    move = next(m for m in legal_moves(before) if name_of(m.start) + name_of(m.end) == turn.move)
    site = next(s for s in sites if s.name == turn.site)
    screen = show(art, rng, before, move, site, turn.tile, turn.bottom == "white", lambda name, _: name in turn.extras)
    assert sorted(screen.extras.split("+")) == sorted(turn.extras or ("",)), (turn.name, screen.extras)
    label = {"placement": screen.placement, "orientation": turn.bottom, "side": screen.side, "en_passant": screen.passed}
    return screen.image, [screen.name], [label]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("testdata"))
    parser.add_argument("--only", nargs="*", help="names of pictures to draw; the others, and their credits, stay")
    args = parser.parse_args()
    art = Art(args.art, args.positions, "all", buckets="AB")
    art.boards, art.book_squares, art.screen_squares = [], [], []
    art.sets.pop("novelty", None)
    art.vary = False  # pieces as their artists drew them, so that the credits are right
    grain = np.random.default_rng(0).normal(150, 12, (200, 200, 1)).clip(0, 255).astype(np.uint8)
    art.textures = [cv2.GaussianBlur(grain.repeat(3, -1), (0, 0), 1.5)]
    art.fonts = [f for f in art.fonts if f.stem in ("LiberationSans-Bold", "LiberationSerif-Regular", "Lato-Regular")]
    rows = {r["name"]: r for r in csv.DictReader(open(args.art / "manifest.csv", newline=""))}
    credits = []
    sites = read_sites(args.art / "colours.csv")
    cases = [c for c in CASES + TURNS if args.only is None or c.name in args.only]
    if args.only is not None and len(cases) < len(set(args.only)):
        parser.error(f"of {args.only} there are only {[c.name for c in cases]}")
    for case in cases:
        if isinstance(case, Turn):
            image, sets, boards = draw_turn(art, sites, case)
        else:
            image, sets = draw(art, case)
            boards = [{"placement": p, "orientation": o} for p, o in case.boards]
        missed = isinstance(case, Case) and case.missed
        folder = args.out / ("known-misses" if missed else "boards")
        folder.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(folder / f"{case.name}.png"), cv2.cvtColor(image, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        assert all(compress(expand(b["placement"])) == b["placement"] for b in boards)
        (folder / f"{case.name}.json").write_text(json.dumps({"boards": boards}, indent=1) + "\n")
        for name in sets:
            credits.append((case.name, name, rows[name]["source"], rows[name]["licence"]))
    readme = args.out / "README.md"
    head, _, kept = readme.read_text().partition("<!-- credits -->") if readme.exists() else ("# Test pictures\n\n", "", "")
    drawn = {name for name, *_ in credits}
    others = [r for r in kept.splitlines()[3:] if args.only is not None and r.split(" | ")[0].strip("| ") not in drawn]
    table = "\n".join(others + [f"| {a} | {b} | {c} | {d} |" for a, b, c, d in credits])
    readme.write_text(f"{head}<!-- credits -->\n| picture | pieces | source | license |\n|---|---|---|---|\n{table}\n")


if __name__ == "__main__":
    main()
