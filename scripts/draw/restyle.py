"""Turns one set of pieces into another that no artist drew: changes what must not matter to a model.

A set is bent, stretched, mirrored, thickened, redrawn in two flat colors, or gets pieces of another set,
so that the 400 or so designs of the atlas stand for all those that are not in it.
"""

from __future__ import annotations

import cv2
import numpy as np


def restyle_pieces(rng, art, found, kinds, outlined: bool) -> np.ndarray:
    """[13, S, S, 4] sprites of a set, at times changed. `kinds`: kinds of sets that pieces may be taken from."""
    sprites = found.sprites
    if not art.vary:
        return sprites
    if rng.random() < 0.22:
        sprites = art.invented_set(rng, outlined)
    if rng.random() < 0.15:
        sprites = lend(rng, sprites, art.piece_set(rng, kinds, outlined).sprites)
    if rng.random() < 0.14:
        sprites = redraw(rng, sprites, outlined)
    if rng.random() < 0.15:
        sprites = thicken(rng, sprites)
    if rng.random() < 0.55:
        sprites = bend(rng, sprites)
    if rng.random() < 0.03:  # for two players at one table: the pieces of the far side are upside down
        far = slice(7, 13) if rng.random() < 0.8 else slice(1, 7)
        sprites = sprites.copy()
        sprites[far] = sprites[far, ::-1, ::-1]
    return sprites


def lend(rng, sprites, other):
    """Both colors of one to three kinds of pieces come from another set."""
    size = sprites.shape[1]
    out = sprites.copy()
    for role in rng.choice(6, rng.integers(1, 4), replace=False) + 1:
        for piece in (role, role + 6):
            out[piece] = other[piece] if other.shape[1] == size else cv2.resize(other[piece], (size, size), interpolation=cv2.INTER_AREA)
    return out


def thicken(rng, sprites):
    """Lines grow or shrink: darker (or lighter) ink wins within the pieces."""
    size = sprites.shape[1]
    reach = max(2, int(round(size * rng.uniform(0.015, 0.04))))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    out = sprites.copy()
    grow = rng.random() < 0.6
    for piece in range(1, 13):
        color = out[piece, ..., :3]
        out[piece, ..., :3] = (cv2.erode if grow else cv2.dilate)(color, kernel)
        if rng.random() < 0.5:
            out[piece, ..., 3] = (cv2.dilate if grow else cv2.erode)(out[piece, ..., 3], kernel)
    return out


def redraw(rng, sprites, outlined):
    """Every piece as a flat silhouette with an outline; some of the lines inside remain.

    Silhouettes are those of the pieces themselves, so white and black may have one shape and
    differ by fill alone, as in many sets of apps and books."""
    size = sprites.shape[1]
    width = max(1, int(round(size * rng.uniform(0.015, 0.05))))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
    light, dark = rng.uniform(0.72, 1.0, 3), rng.uniform(0.0, 0.38, 3)
    if outlined or rng.random() < 0.5:
        light, dark = np.full(3, rng.uniform(0.9, 1.0)), np.full(3, rng.uniform(0.0, 0.2))
    line_w, line_b = dark * rng.uniform(0, 1), (dark if rng.random() < 0.5 else light)
    inside = rng.uniform(0.0, 1.0)
    share = rng.random() < 0.5
    out = np.zeros_like(sprites)
    for piece in range(1, 13):
        shape = sprites[piece if not share else (piece - 1) % 6 + 7]
        alpha = fill_holes(shape[..., 3])
        fill, line = (light, line_w) if piece <= 6 else (dark, line_b)
        core = cv2.erode(alpha, kernel)[..., None]
        picture = sprites[piece][..., :3].mean(-1)
        body = np.float32(fill)[None, None].repeat(size, 0).repeat(size, 1)
        if inside > 0.3:  # the lines of the original, towards the other color
            weight = sprites[piece][..., 3]
            middle = float(np.median(picture[weight > 0.5])) if (weight > 0.5).any() else 0.5
            off = np.clip(np.abs(picture - middle) * 2.2 - 0.15, 0, 1)[..., None] * np.float32(inside)
            off = off * sprites[piece][..., 3:]
            body = body + off * (np.float32(line) - body)
        out[piece, ..., :3] = core * body + (1 - core) * np.float32(line)
        out[piece, ..., 3] = alpha
    return out


def fill_holes(alpha):
    """The silhouette without holes: white pieces of some sets are lines only, and the square shows through."""
    solid = (alpha > 0.4).astype(np.uint8)
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros_like(solid)
    cv2.drawContours(filled, outlines, -1, 1, -1)
    return np.maximum(alpha, filled.astype(np.float32))


def bend(rng, stack):
    """Stretches, leans, mirrors and waves all pictures of [n, S, S, ...]; pieces of one kind in the same manner.

    The field dies out at the border, so that a printed tile keeps its edges."""
    count, size = stack.shape[:2]
    per = (count - 1) // 6  # pictures of one kind in a run of thirteen: white and black
    out = stack.copy()
    axis = (np.arange(size, dtype=np.float32) + 0.5) / size - 0.5
    xx, yy = np.meshgrid(axis, axis)
    window = np.clip((0.5 - np.maximum(np.abs(xx), np.abs(yy))) * 8, 0, 1)
    sx, sy = np.exp(rng.normal(0, 0.06, 2))
    lean = rng.normal(0, 0.04)
    mirror = rng.random() < 0.12
    strength = rng.uniform(0.0, 0.035)
    alike = rng.random() < 0.4
    for role in range(6):
        if role == 0 or not alike:
            wave = [
                cv2.resize(rng.normal(0, strength, (5, 5)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC) for _ in "xy"
            ]
            rx, ry = np.exp(rng.normal(0, 0.04, 2)) if not alike else (1.0, 1.0)
            mx = xx * sx * rx + lean * yy
            my = yy * sy * ry
            mx, my = xx + (mx - xx + wave[0]) * window, yy + (my - yy + wave[1]) * window
            if mirror:
                mx = -mx
            mx = ((mx + 0.5) * size - 0.5).astype(np.float32)
            my = ((my + 0.5) * size - 0.5).astype(np.float32)
        for side in range(per):
            piece = 1 + role + 6 * side
            out[piece] = cv2.remap(stack[piece], mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out
