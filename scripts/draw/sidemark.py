"""Boards with a mark beside them for the side to move, and boards with something that only resembles one.

Open or light marks mean White, filled ones Black: squares, discs, triangles near a corner of the board.
"""

from __future__ import annotations

import cv2
import numpy as np

from .art import Art, compress, glyph
from .board import contrast_color, draw_board, put
from .lastmove import Screen, in_check


def outline(shape: str, size: int, oversampling: int = 8) -> np.ndarray:
    """Coverage of a filled shape, [size, size] in 0..1."""
    big = np.zeros((size * oversampling, size * oversampling), np.uint8)
    end = big.shape[0] - 1
    if shape == "square":
        big[:] = 255
    elif shape == "circle":
        cv2.circle(big, (end // 2, end // 2), end // 2, 255, -1)
    else:
        up = np.array([[0, end], [end, end], [end // 2, 0]], np.int32)
        cv2.fillPoly(big, [up if shape == "up" else np.array([0, end]) + up * [1, -1]], 255)
    return cv2.resize(big, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def put_mark(rng, canvas, x, y, size, white: bool, color=None):
    """Paints a mark in the colors of the page: as it is printed on light paper, or drawn on a dark screen."""
    shape = ["square", "circle", "up", "down"][rng.integers(4)]
    whole = outline(shape, size)
    ground = canvas[y + size // 2, x + size // 2].astype(np.float32)
    dark_page = ground.mean() < 128
    light, dark = np.full(3, rng.uniform(235, 255)), np.full(3, rng.uniform(0, 40))
    inside = color if color is not None else (light if white else dark)
    if white == dark_page and rng.random() < 0.7:  # solid
        put(canvas, whole, x, y, inside)
        return
    edge = dark if not dark_page else light
    width = max(1, round(size * rng.uniform(0.06, 0.14)))
    put(canvas, whole, x, y, edge)
    rim = 2 * width if shape in ("up", "down") else width
    inner = outline(shape, max(3, size - 2 * rim))
    offset = (size - inner.shape[0]) // 2
    shift = {"up": 1, "down": -1}.get(shape, 0) * round(rim * 0.3)
    put(canvas, inner, x + offset, y + offset + shift, inside)


def marked(art: Art, rng, trap: bool) -> Screen:
    """A board with a mark, or a trap: nothing, two marks, a colored dot, a letter, a mark amid text."""
    while True:
        tile = int(np.exp(rng.uniform(np.log(22), np.log(80))))
        medium = "print" if rng.random() < 0.7 else "screen"
        board = draw_board(art, rng, tile, medium)
        seen = board.seen if board.white_below else board.seen[::-1, ::-1]
        if not (in_check(seen, True) or in_check(seen, False)):
            break
    canvas = board.image.copy()
    far = canvas.shape[0] - board.top
    size = max(7, int(tile * rng.uniform(0.28, 0.6)))
    gap = board.margin + max(3, int(tile * rng.uniform(0.15, 0.4)))
    room = board.top - gap - size
    white = bool(rng.random() < 0.5)
    kind = ["none", "two", "colored", "letter", "text"][rng.integers(5)] if trap else ""
    if room < 2:
        kind = "none"

    def spot():
        """A spot near a corner: right or left of the board, below or above it."""
        along = int(rng.uniform(0, 0.5) * tile)
        near, end = board.top + along, far - size - along
        at = near if rng.random() < 0.5 else end
        out = rng.random()
        if out < 0.5:
            return far + gap, at
        if out < 0.65:
            return board.top - gap - size, at
        return at, (far + gap if out < 0.85 else board.top - gap - size)

    x, y = spot()
    if kind in ("", "two", "text"):
        put_mark(rng, canvas, x, y, size, white)
    if kind == "two":
        other = x, y
        while abs(other[0] - x) + abs(other[1] - y) < 2 * tile:
            other = spot()
        put_mark(rng, canvas, *other, size, not white)
    ink = contrast_color(rng, canvas[y, x])
    font = str(art.fonts[rng.integers(len(art.fonts))])
    if kind == "colored":
        hue = np.array([[[rng.integers(180), rng.integers(170, 256), rng.integers(150, 256)]]], np.uint8)
        put_mark(rng, canvas, x, y, size, white, cv2.cvtColor(hue, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32))
    elif kind == "letter":
        put(canvas, glyph(font, "abcdefghwWBDQ14678AG"[rng.integers(20)], size), x, y, ink)
    elif kind == "text":
        words = glyph(font, str(rng.choice(["Smith", "Kasparov", "1. e4", "12", "No. 7"])), size)
        fits = put(canvas, words, x + size + 2, y, ink)
        kind = kind if fits else ""
    if rng.random() < 0.25:
        _, data = cv2.imencode(".jpg", canvas, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(50, 95))])
        canvas = cv2.imdecode(data, cv2.IMREAD_COLOR)
    shown = "mark" if kind == "" and room >= 2 else "none"
    bottom = "white" if board.white_below else "black"
    return Screen(canvas, compress(seen), bottom, "w" if white else "b", "-", "", shown, kind or medium, board.name)
