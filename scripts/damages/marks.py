"""Ink on the board that belongs to no piece: letters, discs, arrows, cursors, scribbles. Every piece remains to be seen."""

from __future__ import annotations

import cv2
import numpy as np

from .covers import gray_or_color, words
from .scratch import DARK, WHITE, Scratch, Skip, registry

KINDS, kind = registry()
RED, GREEN, BLUE = (210, 30, 30), (20, 140, 60), (30, 60, 190)


def some_empty(s: Scratch, low: int, high: int) -> list[tuple[int, int]]:
    found = s.empties()
    if not found:
        raise Skip
    return found[: s.rng.integers(low, high)]


@kind
def letters_on_empty(s: Scratch):
    """Letters on empty squares"""
    for r, c in some_empty(s, 2, 8):
        letter = str(s.rng.choice(list("ABCDEGHKNQRXabdgkqx")))
        ink = s.flat.text(letter, c + 0.25, r + 0.02, s.rng.uniform(0.6, 0.8))
        s.flat.paint(ink, DARK if s.rng.random() < 0.7 else WHITE, covers=False)


@kind
def digits_on_empty(s: Scratch):
    """Numbers on empty squares (a knight's tour, a table)"""
    for i, (r, c) in enumerate(some_empty(s, 4, 30)):
        s.flat.paint(s.flat.text(str(i + 1), c + 0.2, r + 0.1, 0.6), DARK, covers=False)


@kind
def discs_on_empty(s: Scratch):
    """Draughts pieces on empty squares"""
    for r, c in some_empty(s, 2, 8):
        color = [(30, 30, 30), (235, 225, 205), (180, 30, 30)][s.rng.integers(3)]
        s.flat.paint(s.flat.ellipse(c + 0.5, r + 0.5, 0.4, 0.4), np.array(color) * 0.7, covers=False)
        s.flat.paint(s.flat.ellipse(c + 0.5, r + 0.5, 0.36, 0.36), color, covers=False)
        s.flat.paint(s.flat.ellipse(c + 0.5, r + 0.5, 0.22, 0.22), np.array(color) * 0.85, covers=False)


@kind
def foreign_signs_on_empty(s: Scratch):
    """Stars, hearts, triangles, squares on empty squares"""
    for r, c in some_empty(s, 1, 5):
        x, y, n = c + 0.5, r + 0.5, int(s.rng.integers(3, 7))
        turn = np.arange(2 * n) * np.pi / n - np.pi / 2
        reach = np.where(np.arange(2 * n) % 2, s.rng.uniform(0.15, 0.38), 0.4)
        s.flat.paint(s.flat.polygon(np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn)], 1)), gray_or_color(s), covers=False)


@kind
def blots_on_empty(s: Scratch):
    """Blots of ink on empty squares"""
    for r, c in some_empty(s, 1, 4):
        s.flat.paint(s.flat.blob(c + 0.5, r + 0.5, s.rng.uniform(0.2, 0.4), 0.5), s.rng.uniform(0, 60, 3), covers=False)


@kind
def legal_move_dots(s: Scratch):
    """Dots on the squares to which a piece may move"""
    for r, c in some_empty(s, 4, 12):
        s.flat.paint(s.flat.ellipse(c + 0.5, r + 0.5, 0.16, 0.16) * 0.35, (0, 0, 0), covers=False)


@kind
def heat_map(s: Scratch):
    """Every square tinted by a score"""
    heat = s.flat.mask()
    low, high = s.flat.at(0), s.flat.at(8)
    heat[low:high, low:high] = np.kron(s.rng.uniform(0, 0.5, (8, 8)), np.ones((s.flat.tile, s.flat.tile)))
    s.flat.paint(heat, (230, 60, 40), covers=False)


@kind
def cursor(s: Scratch):
    """A mouse pointer on a square"""
    x, y = s.rng.uniform(0.3, 7.3, 2)
    scale = s.rng.uniform(0.5, 1.1)
    shape = np.array([(0, 0), (0, 0.72), (0.17, 0.56), (0.28, 0.82), (0.4, 0.77), (0.29, 0.52), (0.51, 0.52)]) * scale + (x, y)
    s.flat.paint(cv2.dilate(s.flat.polygon(shape), np.ones((3, 3))), (0, 0, 0), covers=False)
    s.flat.paint(s.flat.polygon(shape), WHITE, covers=False)


@kind
def cursor_hand(s: Scratch):
    """A large pointing hand, as a pointer, on a piece"""
    r, c = s.a_piece()
    x, y = c + 0.4, r + 0.4
    outline = s.flat.stroke([(x, y), (x, y + 0.6)], 0.22)
    outline = np.maximum(outline, s.flat.rounded(x - 0.15, y + 0.4, 0.65, 0.5, 0.15))
    s.flat.paint(cv2.dilate(outline, np.ones((5, 5))), (0, 0, 0), covers=False)
    s.flat.paint(outline, WHITE, covers=False)


def shaky(s: Scratch, points, amount=0.03):
    points = np.asarray(points, float)
    return points + cv2.GaussianBlur(s.rng.normal(0, amount * 4, points.shape).astype(np.float32), (1, 9), 2)


def ring(s: Scratch, x: float, y: float, radius: float, width: float) -> np.ndarray:
    turn = np.linspace(0, 2 * np.pi, 90)
    return s.flat.stroke(np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], 1), width)


@kind
def circle_red(s: Scratch):
    """A circle drawn by hand around a square"""
    r, c = s.rng.integers(0, 8, 2)
    turn = np.linspace(0, 2 * np.pi + 0.4, 60)
    radius = s.rng.uniform(0.42, 0.6)
    points = np.stack([c + 0.5 + radius * np.cos(turn), r + 0.5 + radius * np.sin(turn)], 1)
    s.flat.paint(s.flat.stroke(shaky(s, points), s.rng.uniform(0.04, 0.1)), [RED, GREEN, BLUE, DARK][s.rng.integers(4)], covers=False)


@kind
def cross_on_square(s: Scratch):
    """A cross drawn by hand over a square"""
    r, c = s.rng.integers(0, 8, 2)
    color, width = [RED, BLUE, DARK][s.rng.integers(3)], s.rng.uniform(0.05, 0.13)
    for x0, x1 in ((0.1, 0.9), (0.9, 0.1)):
        line = np.linspace((c + x0, r + 0.1), (c + x1, r + 0.9), 30)
        s.flat.paint(s.flat.stroke(shaky(s, line), width), color, covers=False)


@kind
def piece_struck_out(s: Scratch):
    """A piece scribbled over with a pen until little of it is seen"""
    r, c = s.a_piece()
    px = c + 0.5 + 0.42 * np.sin(np.linspace(0, s.rng.uniform(30, 70), 240))
    py = np.linspace(r + 0.08, r + 0.92, 240)
    s.flat.paint(s.flat.stroke(shaky(s, np.stack([px, py], 1)), 0.05), [DARK, BLUE, RED][s.rng.integers(3)], covers=False)


@kind
def scribble(s: Scratch):
    """A line drawn by hand across many squares"""
    points = s.rng.uniform(0.5, 7.5, (6, 2)).repeat(20, 0)
    points = cv2.GaussianBlur(points.astype(np.float32), (1, 41), 9)
    color = [RED, BLUE, DARK][s.rng.integers(3)]
    s.flat.paint(s.flat.stroke(points, s.rng.uniform(0.05, 0.14)), color, covers=False)


@kind
def handwriting(s: Scratch):
    """Notes written by hand over empty squares and pieces"""
    for _ in range(s.rng.integers(1, 4)):
        x, y = s.rng.uniform(0, 5), s.rng.uniform(0.3, 7.7)
        px = np.linspace(x, x + s.rng.uniform(1.5, 3), 80)
        py = y + 0.18 * np.sin(np.linspace(0, s.rng.uniform(30, 50), 80)) + s.rng.normal(0, 0.04, 80)
        s.flat.paint(s.flat.stroke(np.stack([px, py], 1), 0.04), [BLUE, DARK][s.rng.integers(2)], covers=False)


@kind
def piece_drawn_by_hand(s: Scratch):
    """A piece sketched by hand on an empty square"""
    r, c = s.first(s.empties())
    right = [(0.5, 0.1), (0.7, 0.3), (0.58, 0.45), (0.65, 0.75), (0.75, 0.9)]
    outline = [*right, *((1 - x, y) for x, y in right[::-1])]
    points = np.concatenate([np.linspace(p, q, 8) for p, q in zip(outline, outline[1:], strict=False)]) + (c, r)
    s.flat.paint(s.flat.stroke(shaky(s, points, 0.02), 0.05), [BLUE, DARK, RED][s.rng.integers(3)], covers=False)


@kind
def arrows(s: Scratch):
    """Arrows between squares, half transparent, as sites draw them"""
    for _ in range(s.rng.integers(1, 6)):
        start, end = s.rng.integers(0, 8, (2, 2)) + 0.5
        span = np.linalg.norm(end - start)
        if span < 1:
            continue
        way = (end - start) / span
        across = np.array([-way[1], way[0]])
        head = end - way * 0.45
        shape = s.flat.stroke([start + way * 0.2, head], s.rng.uniform(0.14, 0.24))
        shape = np.maximum(shape, s.flat.polygon([head + across * 0.3, head - across * 0.3, end]))
        color = [(255, 170, 0), (21, 120, 27), (0, 48, 136), (136, 32, 32)][s.rng.integers(4)]
        s.flat.paint(shape * s.rng.uniform(0.5, 0.85), color, covers=False)


@kind
def badge_on_piece(s: Scratch):
    """The round mark of a good or bad move at the corner of a square"""
    r, c = s.a_piece()
    x, y = c + 0.92, r + 0.08
    s.flat.paint(s.flat.ellipse(x, y, 0.26, 0.26), [(27, 172, 166), (202, 52, 49), (149, 183, 118)][s.rng.integers(3)], covers=False)
    s.flat.paint(s.flat.text(str(s.rng.choice(["!!", "?", "!", "??"])), x - 0.14, y - 0.2, 0.32), WHITE, covers=False)


@kind
def watermark(s: Scratch):
    """A name across the board, repeated, half transparent"""
    text = str(s.rng.choice(["SAMPLE", "chess archive", "(c) 2024 Diagrams"]))
    size, strength = s.rng.uniform(0.7, 1.5), s.rng.uniform(0.15, 0.4)
    ink = s.flat.mask()
    for y in np.arange(-1.5, 9.5, size * 2.2):
        ink = np.maximum(ink, s.flat.text(text + "   " + text, -1.5, y, size))
    turn = cv2.getRotationMatrix2D((s.flat.length / 2,) * 2, s.rng.uniform(-40, 40), 1.0)
    s.flat.paint(cv2.warpAffine(ink, turn, ink.shape[::-1]) * strength, WHITE if s.rng.random() < 0.5 else (90, 90, 90), covers=False)


@kind
def stamp(s: Scratch):
    """A library's stamp, half transparent, over some squares"""
    x, y = s.rng.uniform(1.5, 6.5, 2)
    ink = np.maximum(ring(s, x, y, 1.3, 0.08), s.flat.text("LIBRARY", x - 0.95, y - 0.25, 0.45))
    s.flat.paint(ink * s.rng.uniform(0.5, 0.9), [BLUE, RED, (90, 40, 120)][s.rng.integers(3)], covers=False)


@kind
def coffee_stain(s: Scratch):
    """A brown ring of a cup"""
    x, y = s.rng.uniform(1, 7, 2)
    radius = s.rng.uniform(1.2, 2.5)
    rim = cv2.GaussianBlur(ring(s, x, y, radius, s.rng.uniform(0.08, 0.25)), (0, 0), s.flat.tile * 0.03)
    inside = s.flat.ellipse(x, y, radius, radius) * 0.12
    s.flat.paint(np.maximum(rim * 0.5, inside), (110, 70, 30), covers=False)


@kind
def crease(s: Scratch):
    """A fold across the board: a bright and a dark line, light that differs on both sides"""
    turn = s.rng.uniform(0, np.pi)
    yy, xx = np.mgrid[: s.flat.length, : s.flat.length] / s.flat.tile - 2
    away = (xx - s.rng.uniform(2, 6)) * np.cos(turn) + (yy - s.rng.uniform(2, 6)) * np.sin(turn)
    tone = 1 + 0.14 * np.tanh(away / 0.8) + 0.35 * np.exp(-((away / 0.05) ** 2)) - 0.4 * np.exp(-(((away - 0.08) / 0.05) ** 2))
    s.flat.image[:] = np.clip(s.flat.image * tone[..., None], 0, 255)


@kind
def shadow(s: Scratch):
    """A shadow with a soft edge over a part of the board"""
    turn = s.rng.uniform(0, 2 * np.pi)
    yy, xx = np.mgrid[: s.flat.length, : s.flat.length] / s.flat.tile - 2
    away = (xx - 4) * np.cos(turn) + (yy - 4) * np.sin(turn) + s.rng.uniform(-2, 2)
    s.flat.image[:] = s.flat.image * (1 - s.rng.uniform(0.3, 0.65) / (1 + np.exp(-away / s.rng.uniform(0.05, 0.5))))[..., None]


@kind
def text_over_board(s: Scratch):
    """Lines of small text over the whole board (two layers of a page, or print that shines through)"""
    ink = s.flat.mask()
    for y in np.arange(-0.5, 8.3, 0.45):
        ink = np.maximum(ink, s.flat.text(words(s, 9), -0.5, y, 0.3))
    if s.rng.random() < 0.5:
        ink = ink[:, ::-1]  # from the back of the page
    s.flat.paint(ink * s.rng.uniform(0.15, 0.6), (40, 40, 40), covers=False)


@kind
def scratches(s: Scratch):
    """Thin bright scratches and dust"""
    for _ in range(s.rng.integers(5, 25)):
        start = s.rng.uniform(-0.5, 8.5, 2)
        s.flat.paint(s.flat.stroke([start, start + s.rng.normal(0, 1.2, 2)], 0.015), WHITE if s.rng.random() < 0.7 else DARK, covers=False)
