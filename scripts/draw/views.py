"""Training views: what the square classifier is shown.

The geometry is that of `src/rectify.rs`: 32 pixels a square and half a square of margin on every
side, 288 x 288 in all, pixel i covering [i, i + 1).
"""

from __future__ import annotations

import cv2
import numpy as np

from . import degrade
from .art import Art
from .board import draw_board

SQUARE, MARGIN = 32, 16
SIDE = 8 * SQUARE + 2 * MARGIN
INNER = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * 8 * SQUARE + MARGIN


def shift(offset: float) -> np.ndarray:
    return np.array([[1, 0, offset], [0, 1, offset], [0, 0, 1]], np.float64)


def homography(src: np.ndarray, dst: np.ndarray) -> np.ndarray:
    """3 x 3 that takes four points to four points, in edge coordinates (pixel i covers [i, i + 1))."""
    return cv2.getPerspectiveTransform(np.float32(src), np.float32(dst)).astype(np.float64)


def warp(image: np.ndarray, matrix: np.ndarray, width: int, height: int, onto: np.ndarray | None = None):
    """Warps under a matrix in edge coordinates (OpenCV's own pixel i has its center at i). Outside the
    picture the border is repeated, or `onto` stays as it is."""
    centered = shift(-0.5) @ matrix @ shift(0.5)
    border = cv2.BORDER_REPLICATE if onto is None else cv2.BORDER_TRANSPARENT
    return cv2.warpPerspective(image, centered, (width, height), dst=onto, flags=cv2.INTER_LINEAR, borderMode=border)


def shrink_for(image: np.ndarray, scale: float):
    """Box-shrinks before a warp that shrinks by `scale`, so that nothing aliases; returns the matrix too."""
    factor = int(scale)
    if factor < 2:
        return image, np.eye(3)
    h, w = image.shape[:2]
    small = cv2.resize(image, (max(1, w // factor), max(1, h // factor)), interpolation=cv2.INTER_AREA)
    return small, np.diag([small.shape[1] / w, small.shape[0] / h, 1.0])


def tile_size(rng) -> int:
    """Pixels a square: thumbnails to large screens, most of them book diagrams and web pages."""
    if rng.random() < 0.2:
        return int(np.exp(rng.uniform(np.log(11), np.log(20))))
    return int(np.exp(rng.uniform(np.log(20), np.log(66))))


def pieces_views(art: Art, rng, count: int = 2, clean: bool = False):
    """One drawn board in `count` views: a list of [288, 288, 3] uint8 pictures, and its [64] classes
    as seen, row by row from the top left. Drawing costs as much as degrading a view, so each board has two."""
    tile = tile_size(rng) if not clean else 48
    board = draw_board(art, rng, tile)
    reach = board.left - int(1.25 * tile)
    image = np.ascontiguousarray(board.image[reach : board.image.shape[0] - reach, reach : board.image.shape[1] - reach])
    quad = board.quad() - reach
    views = [degraded_view(art, rng, image, quad, tile, board.medium, clean) for _ in range(count)]
    return views, board.seen.reshape(-1).astype(np.int64), board


def degraded_view(art, rng, image, quad, tile, medium, clean):
    photo = False
    if not clean:
        photo = rng.random() < 0.35
        if photo and rng.random() < 0.04:
            image = image.copy()
            degrade.bar(rng, image, quad, tile)
        image = degrade.pipeline(rng, image, tile, medium, art.textures, photo)
        quad = jitter(rng, quad, tile, photo)
    image, small = shrink_for(image, tile / SQUARE)
    matrix = homography(quad, INNER) @ np.linalg.inv(small)
    if photo and rng.random() < 0.4:
        return curled(rng, image, matrix)
    return warp(image, matrix, SIDE, SIDE)


def jitter(rng, quad, tile, photo):
    """The locator errs: corners off by a few hundredths of a square, now and then by more."""
    sigma = 0.02 if rng.random() < 0.7 else (0.07 if photo else 0.05)
    moved = quad + rng.normal(0, sigma * tile, quad.shape) + rng.normal(0, sigma * tile, 2)
    return moved.astype(np.float32)


def curled(rng, image, matrix):
    """A page that is not flat: what a homography leaves behind, up to a tenth of a square."""
    amplitude = rng.uniform(0.02, 0.12) * SQUARE
    yy, xx = np.mgrid[:SIDE, :SIDE].astype(np.float32) + 0.5
    waves = np.sin(np.pi * xx / SIDE * rng.uniform(0.5, 2) + rng.uniform(0, 6))
    other = np.sin(np.pi * yy / SIDE * rng.uniform(0.5, 2) + rng.uniform(0, 6))
    px, py = xx + amplitude * rng.normal(0, 0.7) * other, yy + amplitude * rng.normal(0, 0.7) * waves
    back = np.linalg.inv(matrix)
    w = back[2, 0] * px + back[2, 1] * py + back[2, 2]
    sx = (back[0, 0] * px + back[0, 1] * py + back[0, 2]) / w - 0.5
    sy = (back[1, 0] * px + back[1, 1] * py + back[1, 2]) / w - 0.5
    return cv2.remap(
        image, sx.astype(np.float32), sy.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )


def photo_view(rng, photo):
    """A view of a labeled photo (see `scene.read_labeled`) with corners that err, in other light or worse
    focus, at times mirrored."""
    image, quad, seen = photo
    tile = float(np.linalg.norm(quad[1] - quad[0])) / 8
    quad = jitter(rng, quad, tile, photo=True)
    matrix = homography(quad, INNER)
    view = warp(image, matrix, SIDE, SIDE)
    if rng.random() < 0.15:
        view = degrade.blur(rng, view, SQUARE)
    if rng.random() < 0.6:
        view = degrade.tone(rng, view)
    if rng.random() < 0.2:
        view = degrade.grain(rng, view)
    if rng.random() < 0.15:
        view = degrade.codec(rng, view, low=30)
    if rng.random() < 0.2:
        view = cv2.cvtColor(cv2.cvtColor(view, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    if rng.random() < 0.3:  # left and right exchanged: every piece is still itself
        view, seen = np.ascontiguousarray(view[:, ::-1]), seen.reshape(8, 8)[:, ::-1].reshape(-1)
    return view, seen
