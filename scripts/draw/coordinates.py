"""Training views of the coordinate reader: a flat board with the ring of squares around it, where letters
and digits are printed.

The geometry is that of `src/coordinates.rs`: 10 x 10 cells of 56 pixels, the board's own 8 x 8 squares in
the middle. The truth says of every cell which letter and which digit, if any, has its center there.
"""

from __future__ import annotations

import cv2
import numpy as np

from . import degrade
from .art import Art, glyph
from .board import contrast_color, draw_board, put
from .views import homography, jitter, shrink_for, warp

CELL, CELLS = 56, 10
SIDE = CELL * CELLS
INNER = np.array([[1, 1], [9, 1], [9, 9], [1, 9]], np.float32) * CELL
FILES, RANKS = "abcdefgh", "12345678"


def coordinate_views(art: Art, rng, count: int):
    """One drawn board in `count` views: `[560, 560, 3]` uint8 pictures, and `[2, 100]` classes: of every cell,
    row by row, its letter (0 none, 1-8 a-h) and its digit (0 none, 1-8)."""
    # Larger than those of the pieces's views: on small squares letters are a few pixels high, and teach nothing.
    tile = int(np.exp(rng.uniform(np.log(20), np.log(96))))
    # Orientation is independent of the pieces: a reader that guesses from the pieces adds no evidence to them.
    seen = art.placement(rng)
    seen = seen if rng.random() < 0.5 else seen[::-1, ::-1]
    board = draw_board(art, rng, tile, seen=seen, white_below=bool(rng.random() < 0.5))
    if rng.random() < 0.6:
        surround(art, rng, board)
    truth = np.zeros((2, CELLS, CELLS), np.int64)
    for text, x, y in board.glyphs:
        col, row = int((x - board.left) // tile) + 1, int((y - board.top) // tile) + 1
        if 0 <= row < CELLS and 0 <= col < CELLS:
            kind, name = (0, FILES) if text in FILES else (1, RANKS)
            truth[kind, row, col] = name.index(text) + 1
    reach = board.left - int(1.25 * tile)
    image = np.ascontiguousarray(board.image[reach : board.image.shape[0] - reach, reach : board.image.shape[1] - reach])
    quad = board.quad() - reach
    return [degraded_view(art, rng, image, quad, tile, board.medium) for _ in range(count)], truth.reshape(2, -1), board


def degraded_view(art, rng, image, quad, tile, medium):
    photo = rng.random() < 0.35
    image = degrade.pipeline(rng, image, tile, medium, art.textures, photo)
    if rng.random() < 0.3:  # the picture ends near the board
        cut = rng.uniform(0, 1.2, 4) * tile * (rng.random(4) < 0.6)
        left, top, right, bottom = cut.astype(int)
        image = np.ascontiguousarray(image[top : image.shape[0] - bottom, left : image.shape[1] - right])
        quad = quad - np.float32([left, top])
    quad = jitter(rng, quad, tile, photo)
    image, small = shrink_for(image, tile / CELL)
    return warp(image, homography(quad, INNER) @ np.linalg.inv(small), SIDE, SIDE)


def surround(art, rng, board):
    """What stands around boards and is no coordinate: captions, names, clocks, columns of text."""
    canvas, tile = board.image, board.tile
    font = str(art.fonts[rng.integers(len(art.fonts))])
    free = int(max(board.margin, 0)) + 1
    low, high = board.left - free, board.left + 8 * tile + free  # the board with its frame and coordinates
    size = int(np.clip(tile * rng.uniform(0.25, 0.6), 7, 60))
    color = contrast_color(rng, canvas[2, 2])
    for _ in range(rng.integers(1, 10)):
        text = words(rng)
        ink = glyph(font, text, size)
        h, w = ink.shape
        where = rng.integers(4)
        along = int(rng.integers(-w // 2, canvas.shape[0]))
        gap = int(rng.uniform(0, 0.6) * tile)
        x, y = [(along, low - gap - h), (along, high + gap), (low - gap - w, along), (high + gap, along)][where]
        x0 = max(0, -x)
        y0 = max(0, -y)
        ink = ink[y0 : max(y0, min(h, canvas.shape[0] - y)), x0 : max(x0, min(w, canvas.shape[1] - x))]
        if min(ink.shape) > 2:
            put(canvas, ink, x + x0, y + y0, color)


def words(rng) -> str:
    """Text as captions have it; at times a lone letter or number, which must not pass for a coordinate."""
    roll = rng.random()
    if roll < 0.2:
        return str(rng.integers(1, 400))
    if roll < 0.3:
        return str(rng.choice(list("WBwbSNABCDEFGHabcdefgh12345678")))
    if roll < 0.4:
        return f"{rng.integers(10)}:{rng.integers(60):02d}"
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    many = ["".join(rng.choice(list(alphabet), rng.integers(2, 9))) for _ in range(rng.integers(1, 5))]
    text = " ".join(many)
    return text.capitalize() if rng.random() < 0.5 else text


def draw_truth(picture, truth):
    """A copy of a view with what should be read in red, for a person."""
    out = picture.copy()
    for kind, names in enumerate((FILES, RANKS)):
        for cell, value in enumerate(truth[kind]):
            if value:
                row, col = divmod(cell, CELLS)
                at = (col * CELL + 2 + 28 * kind, row * CELL + 12)
                cv2.putText(out, names[value - 1], at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (255, 0, 0), 1, cv2.LINE_AA)
    return out
