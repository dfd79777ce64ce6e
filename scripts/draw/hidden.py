"""What the visibility network is shown: boards on which squares are covered, or pieces stand beside their squares.

A picture of `View.picture` has the view of the board at 16 pixels a square above its difference from an empty square (see
`pair`). For each of the 64 squares as seen there are two truths, 0 or 1, or -1 where a person could argue:

- covered: something lies over the square, so that what is on it cannot be told;
- stray: ink on it belongs to a piece that is not in the middle of its square.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from . import degrade
from .art import Art, glyph, pick
from .board import Astray, cover, draw_board
from .scene import text_line
from .views import INNER, MARGIN, SIDE, SQUARE, curled, homography, jitter, shrink_for, tile_size, warp

COVERED, STRAY = 0, 1

# Of a square, the part that must be under something for it to be covered, and the part that may be.
HIDDEN, SPARED = 0.3, 0.06


# ---------------------------------------------------------------- input of the network


def pair(view: np.ndarray) -> np.ndarray:
    """[288, 288, 3] uint8 view of a board to [288, 144, 3]: above, the view at half its size; below, how much each pixel
    differs from the median of that pixel over the squares of the same color, around 128. Most squares of most boards are
    empty, so the median is an empty square. `src/recognize/visibility.rs` does the same, to the bit."""
    half = view.reshape(SIDE // 2, 2, SIDE // 2, 2, 3).astype(np.uint16).sum((1, 3))
    half = ((half + 2) >> 2).astype(np.uint8)
    tile, margin = SQUARE // 2, MARGIN // 2
    squares = half[margin:-margin, margin:-margin].reshape(8, tile, 8, tile, 3).swapaxes(1, 2)
    other = np.full_like(half, 128)
    inner = other[margin:-margin, margin:-margin].reshape(8, tile, 8, tile, 3).swapaxes(1, 2)
    parity = np.add.outer(np.arange(8), np.arange(8)) % 2
    for color in (0, 1):
        mine = squares[parity == color]
        typical = np.partition(mine, len(mine) // 2, axis=0)[len(mine) // 2]
        inner[parity == color] = ((mine.astype(np.int16) - typical) // 2 + 128).astype(np.uint8)
    return np.concatenate([half, other])


# ---------------------------------------------------------------- canvas


@dataclass
class Canvas:
    """A picture that squares are covered in. `image` [H, W, 3] uint8; `left`, `top`: where the squares begin; `tile`: pixels a
    square; `hidden` [H, W] float32: how much of each pixel is under something; `truth` [8, 8, 2]."""

    image: np.ndarray
    left: int
    top: int
    tile: int
    seen: np.ndarray
    hidden: np.ndarray = field(init=False)
    truth: np.ndarray = field(init=False)
    before: np.ndarray = field(init=False)

    def __post_init__(self):
        self.before = self.image.copy()
        self.hidden = np.zeros(self.image.shape[:2], np.float32)
        self.truth = np.zeros((8, 8, 2), np.int64)

    def lay(self, mask: np.ndarray, color, opacity: float = 1.0):
        """Puts a color, or a picture of the same size, over the picture where `mask` [H, W] in 0..1 is set."""
        alpha = (mask * opacity)[..., None]
        self.image[:] = np.clip(self.image + alpha * (np.asarray(color, np.float32) - self.image), 0, 255).astype(np.uint8)
        if opacity >= 0.8:
            np.maximum(self.hidden, mask, out=self.hidden)
        elif opacity > 0.62:  # what is below can nearly be seen
            np.maximum(self.hidden, mask * 0.5 * (HIDDEN + SPARED), out=self.hidden)

    def rect(self, x0, y0, x1, y1):
        """[H, W] mask of a rectangle given in squares from the corner of the board."""
        mask = np.zeros(self.image.shape[:2], np.float32)
        xs = [int(round(self.left + x * self.tile)) for x in (x0, x1)]
        ys = [int(round(self.top + y * self.tile)) for y in (y0, y1)]
        mask[max(0, ys[0]) : max(0, ys[1]), max(0, xs[0]) : max(0, xs[1])] = 1
        return mask

    def square(self, row: int, col: int) -> np.ndarray:
        """The pixels of a square, to be changed in place."""
        y, x = self.top + row * self.tile, self.left + col * self.tile
        return self.image[y : y + self.tile, x : x + self.tile]

    def finish(self) -> np.ndarray:
        """The truth, with what is covered counted."""
        side = 8 * self.tile
        inner = self.hidden[self.top : self.top + side, self.left : self.left + side]
        share = inner.reshape(8, self.tile, 8, self.tile).mean((1, 3))
        covered = self.truth[..., COVERED]
        covered[(share > SPARED) & (covered == 0)] = -1
        covered[share > HIDDEN] = 1
        # White on white: where the picture is what it was, nobody can tell.
        off = np.abs(self.image.astype(np.int16) - self.before).max(-1) > 14
        changed = off[self.top : self.top + side, self.left : self.left + side].reshape(8, self.tile, 8, self.tile).mean((1, 3))
        covered[(covered == 1) & (changed < 0.04)] = -1
        # Nobody can say what is beside its square under a cover.
        self.truth[..., STRAY][(covered == 1) & (self.truth[..., STRAY] == 0)] = -1
        return self.truth


# ---------------------------------------------------------------- covers


def some_color(rng, canvas: Canvas, plain: bool = False) -> np.ndarray:
    """A color that something in front of a board may have; `plain`: none that a highlight would have."""
    kind = rng.random() * (0.6 if plain else 1)
    if kind < 0.3:
        return np.full(3, pick(rng, [0, 255, rng.uniform(0, 255)], [0.2, 0.35, 0.45]), np.float32)
    if kind < 0.5:  # the mean of the picture, or of its border
        area = canvas.image if rng.random() < 0.5 else canvas.image[: max(2, canvas.top // 2)]
        return area.mean((0, 1)).astype(np.float32)
    if kind < 0.6:  # between the two colors of the squares
        t = canvas.tile
        corners = [canvas.image[canvas.top + t // 10, canvas.left + t // 10 + i * t].astype(np.float32) for i in (0, 1)]
        return corners[0] + (corners[1] - corners[0]) * np.float32(rng.uniform(0.3, 0.7))
    return rng.uniform(0, 255, 3).astype(np.float32)


def patch(art, rng, canvas: Canvas):
    """A plain patch over one square, a few squares, a rank or a file, often exactly on their borders."""
    kind = rng.random()
    if kind < 0.45:
        w, h = 1, 1
    elif kind < 0.65:
        w, h = rng.integers(1, 4, 2)
    elif kind < 0.85:
        w, h = (8, 1) if rng.random() < 0.7 else (1, 8)
    else:
        w, h = rng.uniform(0.6, 5, 2)
    x, y = rng.integers(0, max(1, 9 - int(np.ceil(w)))), rng.integers(0, max(1, 9 - int(np.ceil(h))))
    grow = rng.normal(0, 0.04, 4) if rng.random() < 0.5 else np.zeros(4)
    slide = rng.uniform(-0.5, 0.5, 2) if rng.random() < 0.25 else np.zeros(2)
    mask = canvas.rect(x + slide[0] - grow[0], y + slide[1] - grow[1], x + w + slide[0] + grow[2], y + h + slide[1] + grow[3])
    # A square that is exactly filled with a vivid color is a highlight rather than a patch.
    color = some_color(rng, canvas, plain=w == 1 and h == 1 and rng.random() < 0.85)
    if rng.random() < 0.2:  # a soft ramp
        ramp = np.linspace(-1, 1, canvas.image.shape[0], dtype=np.float32)[:, None, None] * rng.uniform(5, 40)
        color = color + ramp
    canvas.lay(mask, color, 1.0 if rng.random() < 0.85 else rng.uniform(0.8, 1))


def window(art, rng, canvas: Canvas):
    """A window, a dialog, a menu or a tooltip: a box with a frame, a title, lines of text, buttons, a picture."""
    w, h = np.exp(rng.uniform(np.log(0.9), np.log(6), 2))
    x, y = rng.uniform(-0.3 * w, 8 - 0.7 * w), rng.uniform(-0.3 * h, 8 - 0.7 * h)
    mask = canvas.rect(x, y, x + w, y + h)
    if rng.random() < 0.3:  # round corners
        radius = max(1, int(canvas.tile * rng.uniform(0.05, 0.3)))
        mask = cv2.GaussianBlur(mask, (0, 0), radius / 2)
        mask = np.clip((mask - 0.5) * radius * 2 + 0.5, 0, 1).astype(np.float32)
    if rng.random() < 0.3:  # its shadow
        blur = cv2.GaussianBlur(mask, (0, 0), max(0.8, canvas.tile * rng.uniform(0.05, 0.2)))
        shadow = canvas.image * (1 - rng.uniform(0.2, 0.6) * blur[..., None])
        canvas.image[:] = shadow.astype(np.uint8)
    color = some_color(rng, canvas)
    box = np.empty_like(canvas.image, np.float32)
    box[:] = color
    rows, cols = np.flatnonzero(mask.max(1) > 0.5), np.flatnonzero(mask.max(0) > 0.5)
    if not len(rows) or not len(cols):
        return
    y0, y1, x0, x1 = rows[0], rows[-1] + 1, cols[0], cols[-1] + 1
    ink = np.full(3, 0 if color.mean() > 127 else 255, np.float32)
    content = np.clip(box, 0, 255).astype(np.uint8)
    kind = rng.random()
    if kind < 0.2 and art.textures:
        content[:] = cover(rng, art.textures[rng.integers(len(art.textures))], *content.shape[:2])
    elif kind < 0.8:
        size = max(5, int(canvas.tile * rng.uniform(0.16, 0.5)))
        for row in range(y0 + size // 3, y1 - size, int(size * rng.uniform(1.2, 2.4))):
            text_line(art, rng, content, x0 + size // 3, row, max(4, int((x1 - x0 - size) * rng.uniform(0.3, 1))), size, ink)
    if rng.random() < 0.4:
        height = max(2, int(canvas.tile * rng.uniform(0.2, 0.6)))
        content[y0 : y0 + height, x0:x1] = rng.uniform(0, 255, 3)
    if rng.random() < 0.4:
        cv2.rectangle(content, (x0, y0), (x1 - 1, y1 - 1), rng.uniform(0, 255, 3).tolist(), max(1, canvas.tile // 20))
    canvas.lay(mask, content, 1.0 if rng.random() < 0.75 else rng.uniform(0.8, 1))


def banner(art, rng, canvas: Canvas):
    """A bar across the board: a notice, a progress bar, the controls of a video."""
    h = rng.uniform(0.5, 2.2)
    y = rng.uniform(-0.2, 8.2 - h)
    x0, x1 = (-1.0, 9.0) if rng.random() < 0.7 else sorted(rng.uniform(-0.5, 8.5, 2))
    if rng.random() < 0.15:
        mask = canvas.rect(y, x0, y + h, x1)
    else:
        mask = canvas.rect(x0, y, x1, y + h)
    content = np.empty_like(canvas.image)
    color = some_color(rng, canvas)
    content[:] = np.clip(color, 0, 255).astype(np.uint8)
    ink = np.full(3, 0 if color.mean() > 127 else 255, np.float32)
    size = max(6, int(canvas.tile * min(h, 1.2) * rng.uniform(0.3, 0.8)))
    at = int(canvas.left + canvas.tile * rng.uniform(0, 4)), int(canvas.top + canvas.tile * (y + h / 2) - size / 2)
    if rng.random() < 0.8 and at[1] > 0:
        text_line(art, rng, content, *at, int(canvas.tile * rng.uniform(2, 8)), size, ink)
    canvas.lay(mask, content, 1.0 if rng.random() < 0.6 else rng.uniform(0.8, 1))


def picker(art, rng, canvas: Canvas):
    """The menu of a promotion: pieces, one below the other, on plain squares or a panel, in front of the board."""
    found = art.piece_set(rng, {"screen": 0.9, "icon": 0.1})
    white = rng.random() < 0.5
    roles = rng.permutation([5, 2, 4, 3]) if rng.random() < 0.3 else [5, 2, 4, 3]
    x, y = int(rng.integers(0, 8)), (0 if rng.random() < 0.5 else 4)
    if rng.random() < 0.2:
        x, y = int(rng.integers(0, 5)), int(rng.integers(0, 8))
        places = [(x + i, y) for i in range(4)]
    else:
        places = [(x, y + i) for i in range(4)]
    dim = rng.random() < 0.4
    if dim:  # the rest of the board is dimmed, and can be read
        canvas.image[:] = (canvas.image * rng.uniform(0.4, 0.85)).astype(np.uint8)
    color = pick(rng, [np.full(3, 255.0), np.full(3, rng.uniform(100, 255)), rng.uniform(0, 255, 3)], [0.5, 0.3, 0.2])
    t = canvas.tile
    for role, (col, row) in zip(roles, places, strict=True):
        mask = canvas.rect(col, row, col + 1, row + 1)
        if rng.random() < 0.25:
            radius = 0.5 * t
            yy, xx = np.mgrid[: mask.shape[0], : mask.shape[1]] + 0.5
            cx, cy = canvas.left + (col + 0.5) * t, canvas.top + (row + 0.5) * t
            mask = (np.hypot(xx - cx, yy - cy) < radius).astype(np.float32)
        canvas.lay(mask, color)
        sprite = cv2.resize(found.sprites[role + (0 if white else 6)], (t, t), interpolation=cv2.INTER_AREA)
        y0, x0 = canvas.top + row * t, canvas.left + col * t
        area = canvas.image[y0 : y0 + t, x0 : x0 + t]
        area[:] = np.clip(area + sprite[..., 3:] * (sprite[..., :3] * 255 - area), 0, 255).astype(np.uint8)
        canvas.truth[row, col, COVERED] = 1
    if rng.random() < 0.4:  # and a cross to close it
        row = places[-1][1] + 1 if places[0][0] == places[1][0] else places[0][1]
        if row < 8:
            canvas.lay(canvas.rect(x, row, x + 1, row + 0.5), rng.uniform(180, 255))


def blob(art, rng, canvas: Canvas):
    """A hand, a finger, a cup, a cloth: something round with soft shades that reaches in from a side or lies there."""
    h, w = canvas.image.shape[:2]
    mask = np.zeros((h, w), np.float32)
    t, side = canvas.tile, 8 * canvas.tile
    center = np.array([canvas.left, canvas.top]) + rng.uniform(0, side, 2)
    angle = rng.uniform(0, np.pi)
    kind = rng.random()
    if kind < 0.4:  # fingers
        for _ in range(rng.integers(1, 5)):
            at = center + rng.normal(0, 0.9, 2) * t
            lengths = (int(t * rng.uniform(1, 4)), max(2, int(t * rng.uniform(0.35, 0.8))))
            cv2.ellipse(mask, [int(v) for v in at], lengths, np.rad2deg(angle + rng.normal(0, 0.2)), 0, 360, 1, -1, cv2.LINE_AA)
    elif kind < 0.75:
        for _ in range(rng.integers(1, 7)):
            at = center + rng.normal(0, 1, 2) * t
            lengths = [max(2, int(t * v)) for v in np.exp(rng.uniform(np.log(0.5), np.log(2.5), 2))]
            cv2.ellipse(mask, [int(v) for v in at], lengths, rng.uniform(0, 180), 0, 360, 1, -1, cv2.LINE_AA)
    else:
        points = center + rng.normal(0, 1.6, (rng.integers(3, 8), 2)) * t
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        mask = cv2.GaussianBlur(mask, (0, 0), max(0.6, t * rng.uniform(0.02, 0.15)))
    if kind < 0.6 and rng.random() < 0.7:  # skin
        color = np.array([rng.uniform(90, 250), 0, 0])
        color[1] = color[0] * rng.uniform(0.65, 0.85)
        color[2] = color[1] * rng.uniform(0.7, 0.95)
    else:
        color = some_color(rng, canvas)
    shade = degrade.noise_field(rng, h, w, t * rng.uniform(0.5, 2))[..., None] * rng.uniform(3, 25)
    content = np.clip(color + shade, 0, 255)
    if rng.random() < 0.15 and art.textures:
        content = cover(rng, art.textures[rng.integers(len(art.textures))], h, w).astype(np.float32)
    canvas.lay(mask.astype(np.float32), content)


def sticker(art, rng, canvas: Canvas):
    """A disc, a star or a heart over about a square: stickers, large badges, draughts pieces, letters."""
    t = canvas.tile
    count = 1 if rng.random() < 0.6 else int(rng.integers(2, 12))
    color, rim = some_color(rng, canvas), some_color(rng, canvas)
    size = rng.uniform(0.34, 0.62)
    kind = rng.random()
    font = str(art.fonts[rng.integers(len(art.fonts))])
    empty = np.argwhere(canvas.seen == 0)
    for _ in range(count):
        row, col = rng.integers(0, 8, 2)
        if len(empty) and rng.random() < 0.7:
            row, col = empty[rng.integers(len(empty))]
        off = rng.normal(0, 0.06, 2) if rng.random() < 0.7 else rng.uniform(-0.4, 0.4, 2)
        x, y = canvas.left + (col + 0.5 + off[0]) * t, canvas.top + (row + 0.5 + off[1]) * t
        mask = np.zeros(canvas.image.shape[:2], np.float32)
        if kind < 0.5:
            cv2.circle(mask, (int(x), int(y)), max(2, int(size * t)), 1, -1, cv2.LINE_AA)
        elif kind < 0.75:
            spikes = int(rng.integers(3, 9))
            angles = np.arange(2 * spikes) * np.pi / spikes
            radius = np.where(np.arange(2 * spikes) % 2, rng.uniform(0.4, 0.9), 1.1) * size * t
            points = np.stack([x + radius * np.sin(angles), y - radius * np.cos(angles)], 1)
            cv2.fillPoly(mask, [points.astype(np.int32)], 1, cv2.LINE_AA)
        else:
            text = "ABCDEFGHXYZ?!%&@#0123456789"[rng.integers(27)]
            ink = glyph(font, text, max(6, int(t * size * 1.7)))
            y0, x0 = int(y - ink.shape[0] / 2), int(x - ink.shape[1] / 2)
            area = mask[max(0, y0) : y0 + ink.shape[0], max(0, x0) : x0 + ink.shape[1]]
            if y0 >= 0 and x0 >= 0:
                np.maximum(area, ink[: area.shape[0], : area.shape[1]], out=area)
            inside = 0 <= int(off[0] + col) < 8
            if inside and max(abs(off)) < 0.3:  # thin ink covers little, and yet nobody knows what it means
                canvas.truth[row, col, COVERED] = 1
        canvas.lay(mask, color)
        if kind < 0.5 and rng.random() < 0.6:
            ring = np.zeros_like(mask)
            cv2.circle(ring, (int(x), int(y)), max(2, int(size * t)), 1, max(1, t // 14), cv2.LINE_AA)
            canvas.lay(ring, rim)


def caption(art, rng, canvas: Canvas):
    """A word in large letters over the board, such as CHECKMATE or the subtitle of a video."""
    t = canvas.tile
    words = ["CHECKMATE", "WHITE WINS", "Draw", "GAME OVER", "Thinking ...", "You win!", "mate in 3", "PAUSE", "Loading", "0-1"]
    font = str(art.fonts[rng.integers(len(art.fonts))])
    ink = glyph(font, words[rng.integers(len(words))], max(8, int(t * rng.uniform(0.45, 1.6))))
    mask = np.zeros(canvas.image.shape[:2], np.float32)
    y, x = int(canvas.top + rng.uniform(-0.3, 7.6) * t), int(canvas.left + rng.uniform(-0.5, 5) * t)
    area = mask[max(0, y) : y + ink.shape[0], max(0, x) : x + ink.shape[1]]
    np.maximum(area, ink[: area.shape[0], : area.shape[1]], out=area)
    color = some_color(rng, canvas)
    around = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=max(1, t // 16))
    hidden = canvas.hidden.copy()
    if rng.random() < 0.6:
        canvas.lay(around, np.full(3, 0 if color.mean() > 127 else 255, np.float32))
    canvas.lay(mask, color)
    canvas.hidden = hidden  # letters leave gaps, through which a piece is not read
    side = 8 * t
    near = cv2.dilate(mask, np.ones((3, 3), np.uint8), iterations=max(1, t // 10))
    share = near[canvas.top : canvas.top + side, canvas.left : canvas.left + side].reshape(8, t, 8, t).mean((1, 3))
    covered = canvas.truth[..., COVERED]
    covered[(share > 0.04) & (covered == 0)] = -1
    covered[share > 0.25] = 1


def halved(art, rng, canvas: Canvas):
    """Half of a piece is missing, as where a picture was put together of tiles."""
    for row, col in rng.permutation(np.argwhere(canvas.seen > 0))[: 1 if rng.random() < 0.7 else 3]:
        other = bare_square(rng, canvas, row, col)
        if other is None:
            continue
        here, there = canvas.square(row, col), canvas.square(*other)
        part = int(canvas.tile * rng.uniform(0.38, 0.62))
        cut = [np.s_[:part], np.s_[part:], np.s_[:, :part], np.s_[:, part:]][rng.integers(4)]
        here[cut] = there[cut]
        canvas.truth[row, col, COVERED] = 1


def fading(art, rng, canvas: Canvas):
    """A piece that vanishes on one square while it appears on another, as in the middle of an animation."""
    for row, col in rng.permutation(np.argwhere(canvas.seen > 0))[: 1 if rng.random() < 0.6 else 2]:
        other = bare_square(rng, canvas, row, col)
        if other is None:
            continue
        here, there = canvas.square(row, col), canvas.square(*other)
        share = rng.uniform(0.3, 0.7)
        a, b = here.astype(np.float32), there.astype(np.float32)
        here[:], there[:] = (a + (b - a) * share).astype(np.uint8), (b + (a - b) * share).astype(np.uint8)
        for square in ((row, col), other):
            canvas.truth[(*square, STRAY)] = 1


def bare_square(rng, canvas: Canvas, row: int, col: int):
    """An empty square of the color of another one, if there is any that nothing covers."""
    parity = np.add.outer(np.arange(8), np.arange(8)) % 2
    bare = np.argwhere((canvas.seen == 0) & (parity == (row + col) % 2) & (canvas.truth == 0).all(-1))
    return tuple(bare[rng.integers(len(bare))]) if len(bare) else None


def glare(art, rng, canvas: Canvas):
    """Light that blots out a part: nothing is left where it is white."""
    h, w = canvas.image.shape[:2]
    t = canvas.tile
    yy, xx = np.mgrid[:h, :w].astype(np.float32)
    cx, cy = canvas.left + rng.uniform(0, 8) * t, canvas.top + rng.uniform(0, 8) * t
    ax, ay = np.exp(rng.uniform(np.log(0.7), np.log(3), 2)) * t
    far = np.hypot((xx - cx) / ax, (yy - cy) / ay)
    strength = rng.uniform(250, 900) * np.exp(-(far**2) * rng.uniform(0.6, 1.5))
    lit = canvas.image + strength[..., None]
    canvas.image[:] = np.clip(lit, 0, 255).astype(np.uint8)
    blind = np.clip((strength - 120) / 80, 0, 1).astype(np.float32)
    np.maximum(canvas.hidden, blind, out=canvas.hidden)


def censored(art, rng, canvas: Canvas):
    """A part made illegible: in coarse blocks, or blurred."""
    t = canvas.tile
    w, h = np.exp(rng.uniform(np.log(0.9), np.log(4), 2))
    x, y = rng.uniform(-0.2, 8 - w * 0.8), rng.uniform(-0.2, 8 - h * 0.8)
    mask = canvas.rect(x, y, x + w, y + h)
    if rng.random() < 0.5:
        block = max(2, int(t * rng.uniform(0.33, 0.8)))
        size = canvas.image.shape[1::-1]
        small = cv2.resize(canvas.image, [max(1, v // block) for v in size], interpolation=cv2.INTER_AREA)
        content = cv2.resize(small, size, interpolation=cv2.INTER_NEAREST)
    elif rng.random() < 0.7:
        content = cv2.GaussianBlur(canvas.image, (0, 0), t * rng.uniform(0.28, 0.7))
    else:
        content = cv2.blur(canvas.image, (int(t * rng.uniform(0.8, 2)), 1))
    canvas.lay(mask, content)


def torn(art, rng, canvas: Canvas):
    """A part of the picture shifted sideways against the rest, as by a bad cable, a torn sheet or two video frames."""
    t, side = canvas.tile, 8 * canvas.tile
    cut = rng.uniform(0.6, 7.4)
    by = rng.uniform(0.3, 0.7) + rng.integers(0, 3) if rng.random() < 0.8 else rng.integers(1, 4)
    by = by if rng.random() < 0.5 else -by
    y = canvas.top + int(cut * t)
    below = rng.random() < 0.5
    rows = slice(y, None) if below else slice(0, y)
    if rng.random() < 0.5:
        canvas.image[rows] = np.roll(canvas.image[rows], int(round(by * t)), 1)
    else:
        inner = canvas.image[rows, canvas.left : canvas.left + side]
        inner[:] = np.roll(inner, int(round(by * t)), 1)
    squares = slice(int(np.ceil(cut - SPARED)), 8) if below else slice(0, int(np.floor(cut + SPARED)))
    canvas.truth[squares, :, COVERED] = 1
    split = int(cut)
    if SPARED < cut - split < 1 - SPARED:
        canvas.truth[split, :, COVERED] = 1 if HIDDEN < cut - split < 1 - HIDDEN else -1
    if rng.random() < 0.3:
        line = canvas.image[y : y + max(1, int(t * rng.uniform(0.02, 0.15)))]
        line[:] = some_color(rng, canvas).clip(0, 255).astype(np.uint8)


def ended(art, rng, canvas: Canvas):
    """The picture ends within the board: a rank, a file or more is another color, or repeats the border."""
    part = rng.uniform(0.4, 3.2)
    edge = rng.integers(4)
    box = [(-2, -2, part, 10), (8 - part, -2, 10, 10), (-2, -2, 10, part), (-2, 8 - part, 10, 10)][edge]
    mask = canvas.rect(*box)
    content = np.empty_like(canvas.image)
    if rng.random() < 0.5:
        content[:] = some_color(rng, canvas).clip(0, 255).astype(np.uint8)
    else:
        x, y = canvas.left + int(box[2] * canvas.tile), canvas.top + int(box[3] * canvas.tile)
        if edge == 0:
            content[:] = canvas.image[:, min(x + 1, canvas.image.shape[1] - 1)][:, None]
        elif edge == 1:
            content[:] = canvas.image[:, max(0, canvas.left + int(box[0] * canvas.tile) - 1)][:, None]
        elif edge == 2:
            content[:] = canvas.image[min(y + 1, canvas.image.shape[0] - 1)][None]
        else:
            content[:] = canvas.image[max(0, canvas.top + int(box[1] * canvas.tile) - 1)][None]
    canvas.lay(mask, content)


def corrupt(art, rng, canvas: Canvas):
    """JPEG data with changed bytes: blocks of wrong color, shifted, gray to the end."""
    quality = int(rng.uniform(40, 95))
    kind, data = cv2.imencode(".jpg", canvas.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    sound = cv2.imdecode(data, cv2.IMREAD_COLOR)
    data = data.copy().reshape(-1)
    start = len(data) // 8
    if rng.random() < 0.3:
        data = data[: int(rng.uniform(start, len(data)))]
    else:
        at = rng.integers(start, len(data) - 2, rng.integers(1, 4))
        data[at] = rng.integers(0, 255, len(at))
    broken = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if broken is None or broken.shape != canvas.image.shape:
        return
    difference = np.abs(broken.astype(np.int16) - sound).max(-1)
    canvas.image[:] = broken
    np.maximum(canvas.hidden, (difference > 60).astype(np.float32), out=canvas.hidden)
    np.maximum(canvas.hidden, (difference > 25).astype(np.float32) * 0.25, out=canvas.hidden)


def veil(art, rng, canvas: Canvas):
    """A part dimmed or tinted, and still to be read: not covered."""
    kind = rng.random()
    if kind < 0.4:
        box = (-2, -2, 10, 10)
    elif kind < 0.7:
        line = rng.integers(0, 8)
        box = (line, -2, line + 1, 10) if rng.random() < 0.5 else (-2, line, 10, line + 1)
    else:
        x, y = rng.uniform(-1, 6, 2)
        box = (x, y, x + rng.uniform(1, 8), y + rng.uniform(1, 8))
    canvas.lay(canvas.rect(*box), some_color(rng, canvas), rng.uniform(0.1, 0.5))


def watermark(art, rng, canvas: Canvas):
    """Words across the board through which it is still seen: not covered."""
    size = int(canvas.tile * rng.uniform(0.5, 1.6))
    ink = np.zeros(canvas.image.shape, np.uint8)
    for _ in range(rng.integers(1, 4)):
        x, y = int(rng.uniform(0, canvas.left + 4 * canvas.tile)), int(rng.uniform(0, canvas.image.shape[0]))
        text_line(art, rng, ink, x, y, 9 * canvas.tile, size, (255, 255, 255))
    canvas.lay(ink[..., 0].astype(np.float32) / 255, some_color(rng, canvas), rng.uniform(0.1, 0.45))


COVERS = {
    patch: 0.24, window: 0.13, banner: 0.06, picker: 0.07, blob: 0.11, sticker: 0.11, caption: 0.04, halved: 0.05, fading: 0.05,
    glare: 0.03, censored: 0.05, torn: 0.05, ended: 0.05, corrupt: 0.04,
}  # fmt: skip
HARMLESS = {veil: 0.6, watermark: 0.4}


def cover_some(art, rng, canvas: Canvas):
    """Covers a part of the squares."""
    if rng.random() < 0.15:
        pick(rng, list(HARMLESS), list(HARMLESS.values()))(art, rng, canvas)
    for _ in range(1 if rng.random() < 0.8 else 2):
        pick(rng, list(COVERS), list(COVERS.values()))(art, rng, canvas)


# ---------------------------------------------------------------- pieces beside their squares

# Of a square, how far off its middle a piece is that stands on two squares, and one that does not.
OFF, ON = 0.3, 0.17


def some_astray(rng, seen: np.ndarray) -> list[Astray]:
    """One piece dragged, falling or loosely set, or several."""
    pieces = np.argwhere(seen > 0)
    if not len(pieces):
        return []
    count = 1 if rng.random() < 0.75 else int(rng.integers(2, 5))
    ghost = rng.uniform(0.2, 0.7) if rng.random() < 0.25 else 0.0
    found = []
    for row, col in pieces[rng.permutation(len(pieces))[:count]]:
        kind = rng.random()
        if kind < 0.3:  # on a line
            off = np.array([pick(rng, [-0.5, 0.5], [1, 1]), rng.normal(0, 0.05)]) + rng.normal(0, 0.04, 2)
            off = off if rng.random() < 0.5 else off[::-1]
        elif kind < 0.5:  # on a corner
            off = rng.choice([-0.5, 0.5], 2) + rng.normal(0, 0.05, 2)
        elif kind < 0.7:
            off = rng.choice([-1, 1], 2) * rng.uniform(0.28, 0.42, 2)
        else:  # on its way to another square, which may be taken
            off = rng.uniform(-3, 3, 2)
        x, y = col + off[0], row + off[1]
        x, y = np.clip([x, y], -0.4, 7.4)
        found.append(Astray(int(row), int(col), float(x - col), float(y - row), ghost))
    return found


def stray_truth(astray: list[Astray], truth: np.ndarray):
    """What `draw_board` did with pieces astray, on `truth` [8, 8, 2]."""
    for piece in astray:
        if piece.ink is None or piece.ink.sum() < 1e-3:
            continue
        dx, dy = (v - round(v) for v in (piece.dx, piece.dy))
        off = max(abs(dx), abs(dy))
        share = piece.ink / piece.ink.sum()
        here = truth[..., STRAY]
        if off < ON:
            if piece.ghost and (round(piece.dx), round(piece.dy)) != (0, 0):
                here[piece.row, piece.col] = 1
                here[piece.row + round(piece.dy), piece.col + round(piece.dx)] = -1
            continue
        touched = share > 0.04
        here[touched & (here == 0)] = -1
        if off >= OFF - 0.02:
            here[share > 0.14] = 1
            # The square that it left: nobody knows whether it is empty if a ghost stands there.
            if piece.ghost:
                here[piece.row, piece.col] = 1


# ---------------------------------------------------------------- views


def board_views(art: Art, rng, count: int = 2, only: str | None = None):
    """One drawn board in `count` views: a list of [288, 288, 3] uint8 pictures and of their truths, [64, 2]. `only`: the name of a
    cover, "stray" or "nothing" rather than a mixture."""
    tile = tile_size(rng)
    placement = art.placement(rng)
    seen = placement if rng.random() < 0.75 else placement[::-1, ::-1]
    astray = some_astray(rng, seen) if (rng.random() < 0.38 if only is None else only == "stray") else []
    board = draw_board(art, rng, tile, seen=seen, white_below=True, astray=astray, signs=False)
    reach = board.left - int(1.25 * tile)
    image = np.ascontiguousarray(board.image[reach : board.image.shape[0] - reach, reach : board.image.shape[1] - reach])
    views, truths = [], []
    for _ in range(count):
        canvas = Canvas(image.copy(), board.left - reach, board.top - reach, tile, seen)
        stray_truth(astray, canvas.truth)
        if only is not None:
            {cover.__name__: cover for cover in COVERS}.get(only, lambda *_: None)(art, rng, canvas)
        elif rng.random() < (0.2 if astray else 0.5):
            cover_some(art, rng, canvas)
        elif rng.random() < 0.15:
            pick(rng, list(HARMLESS), list(HARMLESS.values()))(art, rng, canvas)
        truth = canvas.finish()
        view = degraded(art, rng, canvas, board.quad() - reach, board.medium, truth)
        views.append(view)
        truths.append(truth.reshape(64, 2))
    return views, truths


def degraded(art, rng, canvas: Canvas, quad, medium, truth):
    """A view of a canvas as presses, cameras and codecs show it; at times with corners that are wrong by half a square."""
    tile, image = canvas.tile, canvas.image
    photo = rng.random() < 0.3
    if rng.random() < 0.7:
        image = degrade.pipeline(rng, image, tile, medium, art.textures, photo)
    quad = jitter(rng, quad, tile, photo)
    if rng.random() < 0.03:
        off = rng.uniform(0.3, 0.5, 2) * rng.choice([-1, 1], 2) * (rng.permutation([1, 0]) if rng.random() < 0.5 else 1)
        quad = quad + np.float32(off * tile)
        truth[..., STRAY][canvas.seen > 0] = 1
        truth[..., STRAY][canvas.seen == 0] = -1
        truth[..., COVERED][truth[..., COVERED] == 0] = -1
    image, small = shrink_for(image, tile / SQUARE)
    matrix = homography(quad, INNER) @ np.linalg.inv(small)
    if photo and rng.random() < 0.4:
        return curled(rng, image, matrix)
    return warp(image, matrix, SIDE, SIDE)


def real_view(art: Art, rng, real):
    """A view of a real picture, `(image, quad, seen, unsure)`, with something over it at times. `unsure` [64] bool: squares
    that may be covered in the picture itself."""
    image, quad, seen, unsure = real
    tile = float(np.linalg.norm(quad[1] - quad[0])) / 8
    image, small = shrink_for(image, tile / SQUARE)
    view = warp(image, homography(jitter(rng, quad, tile, photo=True), INNER) @ np.linalg.inv(small), SIDE, SIDE)
    canvas = Canvas(view, MARGIN, MARGIN, SQUARE, seen.reshape(8, 8))
    if rng.random() < 0.4:
        cover_some(art, rng, canvas)
    truth = canvas.finish().reshape(64, 2)
    truth[unsure & (truth[:, COVERED] == 0), COVERED] = -1
    truth[unsure, STRAY] = -1
    view = canvas.image
    if rng.random() < 0.3:
        view = degrade.tone(rng, view)
    if rng.random() < 0.2:
        view = degrade.codec(rng, view, low=30)
    if rng.random() < 0.1:
        view = cv2.cvtColor(cv2.cvtColor(view, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    if rng.random() < 0.3:
        view, truth = np.ascontiguousarray(view[:, ::-1]), truth.reshape(8, 8, 2)[:, ::-1].reshape(64, 2)
    return view, truth
