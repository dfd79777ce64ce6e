"""The atlas of art and the list of positions from which everything is drawn.

Layout of the folders: `ART/README.md`. Classes are numbered as the program numbers them:
0 empty, 1-6 white P N B R Q K, 7-12 black p n b r q k.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .pieces import invent_pieces

CLASSES = ".PNBRQKpnbrqk"
ROLES = "PNBRQK"


@dataclass
class PieceSet:
    """One set of pieces. `sprites`: [13, S, S, 4] RGBA float32 in 0..1, index 0 transparent."""

    name: str
    kind: str
    design: str
    sprites: np.ndarray
    outlined: bool  # white pieces show on white paper


@dataclass
class PrintSet:
    """One printed face. `tiles`: [2, 13, S, S] gray uint8; first axis light, dark square."""

    name: str
    design: str
    tiles: np.ndarray


def is_held_back(design: str) -> bool:
    """Designs that no training picture shows; they measure what unseen art costs.

    By hash, so that a new design always falls on the same side. The three outlines that half
    of all sets share would take too much with them and always train.
    """
    if design in ("merida", "companion", "cburnett"):
        return False
    return hashlib.sha256(design.encode()).digest()[0] % 14 == 0


class Art:
    """Everything that can be drawn. `split`: "train", "held" (held-back designs only) or "all"."""

    def __init__(self, art: pathlib.Path, positions: pathlib.Path, split: str = "train", buckets: str = "ABCDE"):
        rows = [r for r in csv.DictReader(open(art / "manifest.csv", newline="")) if r["licence_bucket"] in buckets]

        def wanted(row):
            return split == "all" or is_held_back(row["design"]) == (split == "held")

        self.vary = True  # also draw restyled and generated pieces (restyle.py)
        self.invented: tuple[list, list] = ([], [])  # without and with outlines
        self.sets: dict[str, dict[str, list[PieceSet]]] = {}
        self.prints: dict[str, list[PrintSet]] = {}
        for row in rows:
            if row["kind"] in ("screen", "pseudo3d", "icon", "novelty") and wanted(row):
                found = load_pieces(art / row["path"], row)
                self.sets.setdefault(found.kind, {}).setdefault(found.design, []).append(found)
            elif row["kind"] == "print" and wanted(row):
                folder = art / row["path"]
                if row["path"].startswith("pieces/"):
                    found = load_pieces(folder, row)
                    self.sets.setdefault("print", {}).setdefault(found.design, []).append(found)
                else:
                    self.prints.setdefault(row["design"], []).append(load_print(folder, row))
        self.boards = [read_rgb(art / r["path"]) for r in rows if r["kind"] == "board"]
        pairs = [r for r in rows if r["kind"] == "squares"]
        loaded = [(r["name"], square_pair(art, r)) for r in pairs]
        self.book_squares = [p for n, p in loaded if "book_" in n]
        self.screen_squares = [p for n, p in loaded if "book_" not in n]
        self.textures = [read_rgb(art / r["path"]) for r in rows if r["kind"] == "texture"]
        self.fonts = [
            art / r["path"]
            for r in rows
            if r["kind"] == "font" and "subset" not in r["path"] and "Figurine" not in r["path"]
        ]
        self.xiangqi = [read_rgb(art / r["path"]) for r in rows if r["kind"] == "xiangqi-board"]
        self.colors = read_colors(art / "colours.csv")
        self.games = read_placements(positions / "game.fen")
        self.endgames = read_placements(positions / "endgame.fen")

    def piece_set(self, rng: np.random.Generator, kinds: dict[str, float], outlined: bool = False) -> PieceSet:
        """A kind by weight, then a design (square root of its sets), then a set in it."""
        kinds = {k: w for k, w in kinds.items() if k in self.sets}
        while True:
            kind = pick(rng, list(kinds), list(kinds.values()))
            found = self._from_design(rng, self.sets[kind])
            if found.outlined or not outlined:
                return found

    def invented_set(self, rng: np.random.Generator, outlined: bool) -> np.ndarray:
        """Sprites of a generated set (pieces.py). Making one takes longer than a board, so a few are kept and
        replaced one by one."""
        kept = self.invented[outlined]
        if len(kept) < 40 or rng.random() < 0.12:
            kept.append(invent_pieces(rng, outlined))
            if len(kept) > 150:
                kept.pop(rng.integers(len(kept)))
            return kept[-1]
        return kept[rng.integers(len(kept))]

    def print_set(self, rng: np.random.Generator) -> PrintSet:
        return self._from_design(rng, self.prints)

    @staticmethod
    def _from_design(rng, designs):
        names = list(designs)
        name = pick(rng, names, [len(designs[n]) ** 0.5 for n in names])
        return designs[name][rng.integers(len(designs[name]))]

    def placement(self, rng: np.random.Generator) -> np.ndarray:
        """[8, 8] classes, a8 first, White below: games, endgames, and positions that no game reaches.

        A model that has seen only games invents legal chess, so a good third is not from games.
        """
        choice = rng.random()
        if choice < 0.40:
            board = self.games[rng.integers(len(self.games))].copy()
            if rng.random() < 0.4:
                misprint(rng, board.reshape(-1))
        elif choice < 0.58:
            board = self.endgames[rng.integers(len(self.endgames))].copy()
        elif choice < 0.62:
            board = expand("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
        elif choice < 0.80:
            board = self.games[rng.integers(len(self.games))].copy()
            flat = board.reshape(-1)
            for square in rng.choice(64, rng.integers(2, 30), replace=False):
                flat[square] = rng.integers(13) if rng.random() < 0.6 else 0
        else:
            density = rng.choice([0.05, 0.15, 0.3, 0.5, 0.8])
            board = np.where(rng.random((8, 8)) < density, rng.integers(1, 13, (8, 8)), 0)
            if rng.random() < 0.15:
                board = np.zeros((8, 8), int)
        return board.astype(np.int64)


def misprint(rng, flat: np.ndarray):
    """Replaces one to three pieces of a game by others in `flat`, most of them by the other color: the picture counts, not
    what one expects. Books have such misprints, and a model that corrects them is wrong and sure of it."""
    pieces = np.flatnonzero(flat)
    for square in rng.choice(pieces, min(len(pieces), int(rng.integers(1, 4))), replace=False):
        if rng.random() < 0.6:
            flat[square] += 6 if flat[square] <= 6 else -6
        else:
            flat[square] = rng.integers(1, 13)


def pick(rng, items, weights):
    """One item by weight, without numpy's slow `choice(p=...)`."""
    total, roll = sum(weights), rng.random()
    for item, weight in zip(items, weights, strict=True):
        roll -= weight / total
        if roll < 0:
            return item
    return items[-1]


def read_rgb(path: pathlib.Path) -> np.ndarray:
    return cv2.cvtColor(cv2.imread(str(path), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)


def square_pair(art, row):
    return [read_rgb(art / row["path"].replace("{l,d}", ground)) for ground in "ld"]


def load_pieces(folder: pathlib.Path, row) -> PieceSet:
    sprites = [None]
    for side in "wb":
        for role in ROLES:
            image = cv2.imread(str(folder / f"{side}{role}.png"), cv2.IMREAD_UNCHANGED)
            sprites.append(cv2.cvtColor(image, cv2.COLOR_BGRA2RGBA).astype(np.float32) / 255)
    sprites[0] = np.zeros_like(sprites[1])
    stack = np.stack(sprites)
    white = stack[1:7]
    over_paper = white[..., :3].mean(-1) * white[..., 3] + 1 - white[..., 3]
    outlined = bool((over_paper < 0.55).mean() > 0.035)
    return PieceSet(row["name"], row["kind"], row["design"], stack, outlined)


def load_print(folder: pathlib.Path, row) -> PrintSet:
    tiles = []
    for ground in "ld":
        names = [f"empty_{ground}"] + [f"{s}{r}_{ground}" for s in "wb" for r in ROLES]
        tiles.append(np.stack([cv2.imread(str(folder / f"{n}.png"), cv2.IMREAD_GRAYSCALE) for n in names]))
    return PrintSet(row["name"], row["design"], np.stack(tiles))


def expand(placement: str) -> np.ndarray:
    """First field of a FEN to [8, 8] classes."""
    flat = "".join("." * int(c) if c.isdigit() else c for c in placement if c != "/")
    return np.array([CLASSES.index(c) for c in flat]).reshape(8, 8)


def compress(board: np.ndarray) -> str:
    """[8, 8] classes to the first field of a FEN."""
    ranks = []
    for row in board:
        rank, empty = "", 0
        for value in row:
            if value == 0:
                empty += 1
                continue
            rank += (str(empty) if empty else "") + CLASSES[value]
            empty = 0
        ranks.append(rank + (str(empty) if empty else ""))
    return "/".join(ranks)


def read_placements(path: pathlib.Path) -> list[np.ndarray]:
    return [expand(line.split()[0]).astype(np.int8) for line in open(path) if line.strip()]


def read_colors(path: pathlib.Path) -> list[tuple[np.ndarray, np.ndarray]]:
    def rgb(text):
        return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)], np.float32)

    rows = csv.DictReader(open(path, newline=""))
    return [(rgb(r["light"]), rgb(r["dark"])) for r in rows if r["group"] == "board"]


@functools.lru_cache(maxsize=8192)
def letters(font: str, text: str) -> np.ndarray:
    """Coverage of `text` at 36 pixels in 0..1, [h, w] float32, cropped to its ink."""
    face = typeface(font)
    left, top, right, bottom = face.getbbox(text)
    image = Image.new("L", (max(1, right - left) + 2, max(1, bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), text, font=face, fill=255)
    return np.asarray(image, np.float32) / 255


@functools.cache
def typeface(font: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font, 36)


def glyph(font: str, text: str, size: int) -> np.ndarray:
    """Coverage of `text` at `size` pixels. Drawing letters is slow, so they are drawn once and scaled."""
    ink = letters(font, text)
    h, w = max(1, round(ink.shape[0] * size / 36)), max(1, round(ink.shape[1] * size / 36))
    return cv2.resize(ink, (w, h), interpolation=cv2.INTER_AREA if size < 36 else cv2.INTER_LINEAR)
