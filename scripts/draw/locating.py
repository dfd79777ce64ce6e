"""Inputs and truth of the two locating networks, from a `Scene`.

`finder` sees the whole picture, long side scaled to 384, the rest padded with gray at the right or
below, as `src/locate/find.rs` does. `aligner` sees one board, cut through an estimate of its corners
so that the estimated 8 x 8 squares fill the middle 192 of 256 pixels (`src/locate/align.rs`).
"""

from __future__ import annotations

import cv2
import numpy as np

from .scene import Scene
from .views import homography, shrink_for, warp

FINDER_SIDE, FINDER_STRIDE = 384, 8
ALIGNER_SIDE, ALIGNER_STRIDE = 256, 4
ALIGNER_INNER = np.array([[32, 32], [224, 32], [224, 224], [32, 224]], np.float32)
PADDING = 128
UNIT = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
CORE = 0.1  # the core leaves a tenth of the board on every side, so that neighbors stay apart


def cells(side, stride):
    """Centers of the output cells in input pixels, [n, n, 2]."""
    axis = np.arange(side // stride) * stride + stride / 2
    return np.stack(np.meshgrid(axis, axis), -1)


FINDER_CELLS = cells(FINDER_SIDE, FINDER_STRIDE)
ALIGNER_CELLS = cells(ALIGNER_SIDE, ALIGNER_STRIDE)


def apply(matrix, points):
    shape = points.shape
    flat = np.concatenate([points.reshape(-1, 2), np.ones((points.size // 2, 1))], 1) @ matrix.T
    return (flat[:, :2] / flat[:, 2:]).reshape(shape)


def finder_input(image: np.ndarray):
    """[384, 384, 3] uint8 and the scale from picture to input."""
    h, w = image.shape[:2]
    scale = FINDER_SIDE / max(h, w)
    width, height = max(1, round(w * scale)), max(1, round(h * scale))
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    out = np.full((FINDER_SIDE, FINDER_SIDE, 3), PADDING, np.uint8)
    out[:height, :width] = small
    return out, (width / w, height / h)


def finder_sample(made: Scene):
    """Input [384, 384, 3] uint8 and truth [4, 48, 48]: core, board, u, v."""
    picture, (sx, sy) = finder_input(made.image)
    truth = np.zeros((4, *FINDER_CELLS.shape[:2]), np.float32)
    for quad in made.quads:
        uv = apply(homography(quad * np.float32([sx, sy]), UNIT), FINDER_CELLS)
        inside = ((uv > 0) & (uv < 1)).all(-1)
        core = ((uv > CORE) & (uv < 1 - CORE)).all(-1)
        truth[0][core] = 1
        truth[1][inside] = 1
        truth[2][inside], truth[3][inside] = uv[inside, 0], uv[inside, 1]
    return picture, truth


def aligner_sample(made: Scene, rng, quad: np.ndarray | None):
    """Input [256, 256, 3] uint8 and truth [7, 64, 64]: board, u, v, then cosine and sine of the position
    within a square, x and y, a turn a square; through an estimate of the corners that errs as the
    finder or a first alignment does. Without `quad`: a view with no board."""
    truth = np.zeros((7, *ALIGNER_CELLS.shape[:2]), np.float32)
    if quad is None:
        for _ in range(8):
            h, w = made.image.shape[:2]
            side = rng.uniform(0.15, 0.9) * min(h, w)
            corner = np.array([rng.uniform(0, w - side), rng.uniform(0, h - side)])
            guess = (corner + UNIT * side).astype(np.float32)
            if not any((q.max(0) > guess[0]).all() and (q.min(0) < guess[2]).all() for q in made.quads):
                return aligner_view(made.image, guess)[0], truth
        quad = made.quads[0]  # no room beside the boards
    error = [0.08, 0.35, 0.8][int(np.searchsorted([0.35, 0.8], rng.random()))]
    guess = UNIT * 8 + rng.normal(0, error, 2) + rng.normal(0, error * 0.5, (4, 2))
    guess = (guess - 4) * np.exp(rng.normal(0, error / 7)) + 4
    picture, matrix = aligner_view(made.image, apply(homography(UNIT * 8, quad), guess))
    to_board = homography(quad, UNIT * 8) @ np.linalg.inv(matrix)
    uv = apply(to_board, ALIGNER_CELLS)
    inside = ((uv > 0) & (uv < 8)).all(-1)
    truth[0][inside] = 1
    turns = 2 * np.pi * uv[inside]
    truth[1][inside], truth[2][inside] = uv[inside, 0] / 8, uv[inside, 1] / 8
    truth[3][inside], truth[4][inside] = np.cos(turns[:, 0]), np.sin(turns[:, 0])
    truth[5][inside], truth[6][inside] = np.cos(turns[:, 1]), np.sin(turns[:, 1])
    return picture, truth


def aligner_view(image, quad):
    """The view of a board through its estimated corners, and the matrix from picture to view."""
    matrix = homography(quad, ALIGNER_INNER)
    scale = np.linalg.norm(quad[2] - quad[0]) / np.linalg.norm(ALIGNER_INNER[2] - ALIGNER_INNER[0])
    small, shrink = shrink_for(image, scale)
    return warp(small, matrix @ np.linalg.inv(shrink), ALIGNER_SIDE, ALIGNER_SIDE), matrix
