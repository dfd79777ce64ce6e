"""One flat board with what belongs to it: pieces, squares, marks, frame, coordinates.

Drawn at `tile` pixels a square on a canvas with room around the 8 x 8 squares; the canvas is then put
into a scene (scene.py) or cut to the classifier's view (views.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .art import Art, glyph
from .restyle import bend, restyle_pieces

SCREEN_KINDS = {"screen": 0.66, "pseudo3d": 0.06, "icon": 0.09, "novelty": 0.02, "print": 0.17}


@dataclass
class Board:
    """`image` [H, W, 3] RGB uint8; `left`, `top`: where the squares begin; `tile`: pixels a square;
    `seen` [8, 8]: classes as seen, top left first; `white_below`; `medium`: screen or print;
    `margin`: pixels of frame and coordinates that belong to the board, on every side; `coordinates`: how they are
    printed; `glyphs`: every printed letter and digit with its center in pixels of `image`."""

    image: np.ndarray
    left: int
    top: int
    tile: int
    seen: np.ndarray
    white_below: bool
    medium: str
    margin: int
    name: str
    coordinates: str
    glyphs: list[tuple[str, float, float]]

    def quad(self) -> np.ndarray:
        """Corners of the squares, clockwise from top left, [4, 2] pixels (edges, not centers)."""
        side = 8 * self.tile
        x, y = self.left, self.top
        return np.array([[x, y], [x + side, y], [x + side, y + side], [x, y + side]], np.float32)


@dataclass
class Astray:
    """A piece that stands beside its square: `dx` squares to the right of it and `dy` below. `ghost`: how much of it is still
    seen on its square, 0..1. `ink` [8, 8]: how many pixels of each square it is on, set when it is drawn."""

    row: int
    col: int
    dx: float
    dy: float
    ghost: float = 0.0
    ink: np.ndarray | None = None


def draw_board(
    art: Art, rng: np.random.Generator, tile: int, medium: str | None = None, seen=None, white_below=None, astray=(), signs=True
) -> Board:
    """One board. `astray`: pieces that stand beside their squares. `signs`: whether discs and numbers may stand on squares."""
    medium = medium or ("print" if rng.random() < 0.55 else "screen")
    white_below = bool(rng.random() < 0.75) if white_below is None else white_below
    if seen is None:
        placement = art.placement(rng)
        seen = placement if white_below else placement[::-1, ::-1]
    if medium == "print":
        squares, name, surround, ink = print_squares(art, rng, tile, seen, astray, signs)
    else:
        squares, name, surround, ink = screen_squares(art, rng, tile, seen, astray, signs)
    pad = int(round(tile * 1.75))
    canvas = np.empty((8 * tile + 2 * pad, 8 * tile + 2 * pad, 3), np.uint8)
    canvas[:] = surround
    canvas[pad:-pad, pad:-pad] = squares
    margin = frame(rng, canvas, pad, tile, medium, ink)
    coordinates, reach, glyphs = draw_coordinates(art, rng, canvas, pad, tile, margin, white_below, medium, ink)
    return Board(canvas, pad, pad, tile, seen, white_below, medium, max(margin, reach), name, coordinates, glyphs)


# ---------------------------------------------------------------- squares


def checker(tile: int) -> np.ndarray:
    """[8t, 8t] bool, true on dark squares (top left is light)."""
    parity = (np.arange(8)[:, None] + np.arange(8)[None]) % 2
    return np.kron(parity, np.ones((tile, tile), int)).astype(bool)


def mosaic(tiles: np.ndarray) -> np.ndarray:
    """[8, 8, t, t, ...] to [8t, 8t, ...]."""
    t = tiles.shape[2]
    return tiles.swapaxes(1, 2).reshape(8 * t, 8 * t, *tiles.shape[4:])


def resized(stack: np.ndarray, size: int, interpolation=None) -> np.ndarray:
    """Each picture of [n, S, S, ...] to [n, size, size, ...]."""
    if stack.shape[1:3] == (size, size):
        return stack
    how = interpolation or (cv2.INTER_AREA if stack.shape[1] > size else cv2.INTER_CUBIC)
    return np.stack([cv2.resize(x, (size, size), interpolation=how) for x in stack])


def cover(rng, texture: np.ndarray, height: int, width: int, stretch: float | None = None) -> np.ndarray:
    """A [height, width] part of a texture, tiled by mirroring, at a random offset and scale."""
    scale = stretch or float(np.exp(rng.uniform(-0.7, 0.7)))
    h, w = max(8, int(texture.shape[0] * scale)), max(8, int(texture.shape[1] * scale))
    texture = cv2.resize(texture, (w, h), interpolation=cv2.INTER_LINEAR)
    top, left = rng.integers(h), rng.integers(w)
    return cv2.copyMakeBorder(texture, 0, max(0, height + top - h), 0, max(0, width + left - w), cv2.BORDER_REFLECT)[
        top : top + height, left : left + width
    ]


def pieces_layer(rng, sprites: np.ndarray, seen: np.ndarray, tile: int, loose: float, astray=()):
    """RGBA layer of all pieces: [8t, 8t, 4] float32. One size and offset for the whole board, as
    programs do it; `loose` moves each piece by up to that part of a square or so, as stamps and old presses do."""
    full, seen = seen, without(seen, astray)
    scale = rng.uniform(0.78, 1.04) if rng.random() < 0.6 else 1.0
    size = max(8, int(round(tile * scale)))
    small = resized(sprites, size)
    small = np.clip(small, 0, 1)
    cells = np.zeros((13, tile, tile, 4), np.float32)
    room = (tile - size) / 2
    dx, dy = rng.normal(0, 0.025, 2) * tile
    x0, y0 = int(round(room + dx)), int(round(room + dy))
    paste(cells, small, x0, y0)
    if not loose:
        layer = mosaic(cells[seen])
        for piece in astray:
            put_astray(layer, cells[full[piece.row, piece.col]], piece, tile)
        return layer
    layer = np.zeros((8 * tile, 8 * tile, 4), np.float32)
    sway = rng.uniform(0.01, loose) * tile
    for r, c in np.argwhere(seen > 0):
        jx, jy = np.round(rng.normal(0, sway, 2)).astype(int)
        piece = cells[seen[r, c]]
        if rng.random() < 0.5:
            turn = cv2.getRotationMatrix2D((tile / 2, tile / 2), rng.normal(0, 50 * loose), 1)
            piece = cv2.warpAffine(piece, turn, (tile, tile))
        paste(layer[None], piece[None], c * tile + jx, r * tile + jy, keep=True)
    for piece in astray:
        put_astray(layer, cells[full[piece.row, piece.col]], piece, tile)
    return layer


def without(seen: np.ndarray, astray) -> np.ndarray:
    """The squares without the pieces that stand beside theirs."""
    seen = seen.copy()
    for piece in astray:
        seen[piece.row, piece.col] = 0
    return seen


def put_astray(layer: np.ndarray, cell_: np.ndarray, piece: Astray, tile: int, height: int = 0):
    """Lays a piece [h, w, 4] over an RGBA layer where it stands, and its ghost on its square. `height`: by how many pixels
    it rises above the top of its square."""
    side = layer.shape[0]
    alone = np.zeros_like(layer)
    x, y = int(round((piece.col + piece.dx) * tile)), int(round((piece.row + piece.dy) * tile)) - height
    x -= (cell_.shape[1] - tile) // 2
    paste(alone[None], cell_[None], x, y)
    piece.ink = alone[..., 3].reshape(8, side // 8, 8, side // 8).sum((1, 3))
    if piece.ghost:
        faint = cell_ * np.float32([1, 1, 1, piece.ghost])
        left, top = piece.col * tile - (cell_.shape[1] - tile) // 2, piece.row * tile - height
        ghost = np.zeros_like(layer)
        paste(ghost[None], faint[None], left, top)
        over(layer, ghost)
    over(layer, alone)


def over(layer: np.ndarray, upper: np.ndarray):
    """Composes an RGBA layer in 0..1 over another one."""
    alpha = upper[..., 3:]
    total = alpha + layer[..., 3:] * (1 - alpha)
    color = upper[..., :3] * alpha + layer[..., :3] * layer[..., 3:] * (1 - alpha)
    layer[..., :3] = color / np.maximum(total, 1e-4)
    layer[..., 3:] = total


def tall_layer(rng, sprites: np.ndarray, seen: np.ndarray, tile: int, astray=()):
    """Pieces of a 3D set as programs show them: taller than their square, each hiding some of the one behind."""
    height = int(round(tile * rng.uniform(1.1, 1.9)))
    width = int(round(tile * rng.uniform(0.9, 1.3)))
    foot = int(round(tile * rng.uniform(-0.08, 0.06)))
    shapes = [cv2.resize(s, (width, height), interpolation=cv2.INTER_AREA) for s in sprites]
    full, seen = seen, without(seen, astray)
    layer = np.zeros((8 * tile, 8 * tile, 4), np.float32)
    for r, c in np.argwhere(seen > 0):  # from the far ranks to the near ones
        piece = shapes[seen[r, c]]
        y, x = (r + 1) * tile + foot - height, c * tile + (tile - width) // 2
        y0, x0, y1, x1 = max(0, y), max(0, x), min(8 * tile, y + height), min(8 * tile, x + width)
        part, area = piece[y0 - y : y1 - y, x0 - x : x1 - x], layer[y0:y1, x0:x1]
        alpha = part[..., 3:]
        total = alpha + area[..., 3:] * (1 - alpha)
        color = part[..., :3] * alpha + area[..., :3] * area[..., 3:] * (1 - alpha)
        area[..., :3] = color / np.maximum(total, 1e-4)
        area[..., 3:] = total
    for piece in astray:
        put_astray(layer, shapes[full[piece.row, piece.col]], piece, tile, height - tile - foot)
    return layer


def paste(canvas: np.ndarray, stack: np.ndarray, x: int, y: int, keep: bool = False):
    """Puts [n, h, w, 4] pictures on [n, H, W, 4] at x, y, cut at the borders."""
    height, width = canvas.shape[1:3]
    h, w = stack.shape[1:3]
    x0, y0, x1, y1 = max(0, x), max(0, y), min(width, x + w), min(height, y + h)
    if x1 <= x0 or y1 <= y0:
        return
    part = stack[:, y0 - y : y1 - y, x0 - x : x1 - x]
    area = canvas[:, y0:y1, x0:x1]
    if keep:
        np.copyto(area, part, where=part[..., 3:] > area[..., 3:])
    else:
        area[:] = part


def blend(ground: np.ndarray, layer: np.ndarray) -> np.ndarray:
    """Float32 ground in 0..255 under an RGBA layer in 0..1."""
    alpha = layer[..., 3:]
    return ground + alpha * (layer[..., :3] * 255 - ground)


def screen_squares(art: Art, rng, tile: int, seen, astray=(), signs=True):
    side = 8 * tile
    dark = checker(tile)[..., None]
    kind = rng.random()
    if kind < 0.5 or not (art.boards and art.screen_squares):
        light_c, dark_c = screen_colors(art, rng)
        ground = np.where(dark, dark_c, light_c).astype(np.float32)
        if rng.random() < 0.08:  # shaded squares
            ramp = np.linspace(-1, 1, tile, dtype=np.float32) * rng.uniform(5, 25)
            ground += np.tile(ramp, 8)[None, :, None] * (1 if rng.random() < 0.5 else -1)
    elif kind < 0.75:
        ground = cv2.resize(art.boards[rng.integers(len(art.boards))], (side, side), interpolation=cv2.INTER_AREA)
        ground = ground.astype(np.float32)
    else:
        pair = art.screen_squares[rng.integers(len(art.screen_squares))]
        tiles = [resized(p[None], tile)[0].astype(np.float32) for p in pair]
        ground = np.where(dark, np.tile(tiles[1], (8, 8, 1)), np.tile(tiles[0], (8, 8, 1)))
    if rng.random() < 0.12:
        ground = tint(rng, ground)
    ink = (240, 240, 240) if ground.mean() < 90 else (20, 20, 20)
    if rng.random() < 0.07:  # gaps or lines between squares
        width = max(1, int(tile * rng.uniform(0.01, 0.06)))
        color = rng.uniform(0, 255, 3)
        for i in range(9):
            at = min(i * tile, side - width)
            ground[at : at + width] = color
            ground[:, at : at + width] = color
    ground = np.clip(ground, 0, 255)
    if rng.random() < 0.5:
        highlights(rng, ground, tile, seen)
    found = art.piece_set(rng, SCREEN_KINDS)
    sprites = restyle_pieces(rng, art, found, SCREEN_KINDS, outlined=False)
    if rng.random() < 0.10:
        sprites = recolor(rng, sprites)
    if art.vary and rng.random() < (0.5 if found.kind == "pseudo3d" else 0.04):
        layer = tall_layer(rng, sprites, seen, tile, astray)
    else:
        layer = pieces_layer(rng, sprites, seen, tile, 0, astray)
    if rng.random() < 0.15:
        shadow(rng, ground, layer, tile)
    if rng.random() < 0.03:
        layer[..., 3] *= rng.uniform(0.5, 0.95)
    ground = blend(ground, layer)
    if rng.random() < 0.38:
        marks(art, rng, ground, tile, seen, signs=signs)
    name = found.name
    surround = np.array(rng.choice([0, 20, 38, 48, 240, 255]) + rng.uniform(-10, 10, 3)).clip(0, 255)
    if rng.random() < 0.3:
        surround = rng.uniform(0, 255, 3)
    return np.clip(ground, 0, 255).astype(np.uint8), name, surround.astype(np.uint8), ink


def screen_colors(art, rng):
    if rng.random() < 0.7:
        light, dark = art.colors[rng.integers(len(art.colors))]
        light, dark = light + rng.normal(0, 5, 3), dark + rng.normal(0, 5, 3)
    else:
        hue = rng.uniform(0, 180)
        sat = rng.uniform(0, 200)
        low = rng.uniform(15, 190)
        high = min(255, low + rng.uniform(22, 160))
        hsv = np.array([[[hue, sat * rng.uniform(0, 1), high], [hue, sat, low]]], np.uint8)
        light, dark = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0].astype(np.float32)
    return np.clip(light, 0, 255), np.clip(dark, 0, 255)


def tint(rng, ground):
    hsv = cv2.cvtColor(np.clip(ground, 0, 255).astype(np.uint8), cv2.COLOR_RGB2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(int) + rng.integers(180)) % 180
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB).astype(np.float32)


def recolor(rng, sprites):
    """Colors a set of pieces: each side by its own cast, light stays light."""
    out = sprites.copy()
    for side in (slice(1, 7), slice(7, 13)):
        cast = rng.uniform(0.55, 1.0, 3).astype(np.float32)
        lift = rng.uniform(0.0, 0.25, 3).astype(np.float32) if side.start == 7 else np.zeros(3, np.float32)
        out[side, ..., :3] = lift + out[side, ..., :3] * (cast - lift)
    return out


def shadow(rng, ground, layer, tile):
    blur = tile * rng.uniform(0.02, 0.08)
    dx, dy = rng.normal(0.02, 0.03, 2) * tile
    move = np.float32([[1, 0, dx], [0, 1, dy]])
    dark = cv2.GaussianBlur(layer[..., 3], (0, 0), blur)
    dark = cv2.warpAffine(dark, move, dark.shape[::-1]) * rng.uniform(0.2, 0.7)
    ground *= 1 - dark[..., None]


HIGHLIGHTS = [
    ((155, 199, 0), 0.41), ((0, 155, 199), 0.41), ((20, 85, 30), 0.5), ((20, 30, 85), 0.5),
    ((255, 255, 51), 0.5), ((244, 42, 50), 0.5), ((235, 97, 80), 0.8), ((255, 170, 0), 0.8),
    ((172, 206, 89), 0.8), ((82, 176, 220), 0.8), ((205, 209, 106), 1.0), ((170, 162, 59), 1.0),
    ((0, 255, 0), 0.5), ((255, 255, 0), 0.5), ((255, 0, 0), 0.5),
]  # fmt: skip


def cell(ground, tile, square):
    r, c = divmod(int(square), 8)
    return ground[r * tile : (r + 1) * tile, c * tile : (c + 1) * tile]


def highlights(rng, ground, tile, seen):
    """What sites paint under the pieces: last move, selection, check, targets, frames, heat maps."""
    color, alpha = HIGHLIGHTS[rng.integers(len(HIGHLIGHTS))]
    if rng.random() < 0.35:
        color, alpha = rng.uniform(0, 255, 3), rng.uniform(0.25, 1)
        if rng.random() < 0.5:  # plain paint, often of a color that has a name
            alpha = 1.0
            if rng.random() < 0.6:
                color = rng.choice([0, 255, rng.uniform(0, 255)], 3)
    color = np.array(color, np.float32)
    occupied = np.flatnonzero(seen.reshape(-1))
    count = 2 if rng.random() < 0.75 else rng.integers(1, 12)
    squares = rng.choice(64, count, replace=False)
    if len(occupied) and rng.random() < 0.9:
        squares[0] = rng.choice(occupied)
    frames = rng.random() < 0.1
    for square in squares:
        area = cell(ground, tile, square)
        if frames:
            cv2.rectangle(area, (0, 0), (tile - 1, tile - 1), color.tolist(), max(1, tile // rng.integers(10, 24)))
        else:
            area += alpha * (color - area)
    roll = rng.random()
    if roll < 0.10:  # king in check
        yy, xx = np.mgrid[:tile, :tile] / tile - 0.5
        glow = np.clip(1 - np.hypot(yy, xx) / 0.6, 0, 1)[..., None] * rng.uniform(0.6, 1.0)
        area = cell(ground, tile, rng.integers(64))
        area += glow * (np.array([235, 10, 10]) - area)
    elif roll < 0.14:  # a heat map over everything
        heat = rng.random((8, 8, 1)) * rng.uniform(0.2, 0.7)
        heat = np.kron(heat, np.ones((tile, tile, 1)))
        ground += heat * (rng.uniform(0, 255, 3) - ground)
    elif roll < 0.17:  # one rank or file painted
        line = rng.integers(8) * tile
        area = ground[:, line : line + tile] if rng.random() < 0.5 else ground[line : line + tile]
        area += rng.uniform(0.3, 0.9) * (rng.uniform(0, 255, 3) - area)
    if rng.random() < 0.15:  # squares that a piece can move to
        shade = np.array(rng.choice([[20, 85, 30], [0, 0, 0], [60, 60, 60], [200, 200, 220]]), np.float32)
        for square in rng.choice(64, rng.integers(2, 14), replace=False):
            area = cell(ground, tile, square)
            mask = np.zeros((tile, tile), np.float32)
            center = (tile // 2, tile // 2)
            if seen.reshape(-1)[square] and rng.random() < 0.8:
                cv2.circle(mask, center, int(tile * 0.45), 1, max(1, tile // 10), cv2.LINE_AA)
            else:
                cv2.circle(mask, center, max(1, int(tile * rng.uniform(0.1, 0.2))), 1, -1, cv2.LINE_AA)
            area += rng.uniform(0.12, 0.6) * mask[..., None] * (shade - area)


ARROWS = [(21, 120, 27), (136, 32, 32), (0, 48, 136), (230, 143, 0), (255, 170, 0), (248, 85, 64), (72, 193, 249)]


def marks(art, rng, ground, tile, seen, printed=False, signs=True):
    """What is painted over the pieces: arrows, rings, crosses, badges, cursors, numbers."""
    side = 8 * tile
    mask = np.zeros((side, side), np.float32)
    alpha = rng.uniform(0.4, 0.95)
    color = np.array(ARROWS[rng.integers(len(ARROWS))] if rng.random() < 0.8 else rng.uniform(0, 255, 3), np.float32)
    kind = rng.random()
    if not signs and (0.42 <= kind < 0.47 or kind >= 0.93):
        return

    def center():
        return (rng.integers(8) + 0.5) * tile, (rng.integers(8) + 0.5) * tile

    if kind < 0.42:
        paths = art.vary and rng.random() < (0.6 if printed else 0.12)
        for _ in range(rng.integers(1, 9 if paths else 5)):
            start, end = np.array(center()), np.array(center())
            if paths:
                radius = tile * rng.uniform(0.02, 0.09)
                bend_at = start + (end - start) * [rng.random(), rng.random()] if rng.random() < 0.5 else end
                for a, b in ((start, bend_at), (bend_at, end)):
                    dotted(mask, a, b, radius, tile * rng.uniform(0.1, 0.5))
                if rng.random() < 0.6:  # squares that it may move to
                    arm = tile * rng.uniform(0.08, 0.2)
                    for direction in ([arm, 0], [0, arm]):
                        p, q = (tuple(int(v) for v in end + sign * np.array(direction)) for sign in (-1, 1))
                        cv2.line(mask, p, q, 1, max(1, int(radius * 1.5)), cv2.LINE_AA)
            else:
                arrow(mask, start, end, tile * rng.uniform(0.08, 0.24))
    elif kind < 0.47:  # discs with numbers: moves and their scores
        size = max(5, int(tile * rng.uniform(0.14, 0.3)))
        font = str(art.fonts[rng.integers(len(art.fonts))])
        for square in rng.choice(64, rng.integers(2, 28), replace=False):
            r, c = divmod(int(square), 8)
            if seen[r, c] and rng.random() < 0.85:
                continue
            x, y = c * tile + tile // 2, r * tile + tile // 2
            cv2.circle(mask, (x, y), max(2, int(tile * rng.uniform(0.26, 0.34))), 1, -1, cv2.LINE_AA)
            ink = glyph(font, str(rng.integers(100)), size)
            hole = np.zeros_like(mask)
            stamp(hole, ink, x - ink.shape[1] // 2, y - ink.shape[0] // 2)
            mask *= 1 - hole
    elif kind < 0.6:
        for _ in range(rng.integers(1, 5)):
            x, y = center()
            cv2.circle(mask, (int(x), int(y)), int(tile * rng.uniform(0.4, 0.48)), 1, max(1, tile // 14), cv2.LINE_AA)
    elif kind < 0.68:
        for _ in range(rng.integers(1, 4)):
            x, y = center()
            d = tile * rng.uniform(0.25, 0.48)
            for s in (1, -1):
                a, b = (int(x - d), int(y - s * d)), (int(x + d), int(y + s * d))
                cv2.line(mask, a, b, 1, max(1, tile // 20), cv2.LINE_AA)
    elif kind < 0.80:  # review badge on a corner of a square
        x, y = center()
        at = int(x + tile * rng.uniform(0.35, 0.5)), int(y - tile * rng.uniform(0.35, 0.5))
        cv2.circle(mask, at, max(2, int(tile * rng.uniform(0.13, 0.22))), 1, -1, cv2.LINE_AA)
        alpha = 1.0
    elif kind < 0.93:  # mouse pointer
        pointer(rng, ground, rng.uniform(0, side, 2), tile / rng.uniform(22, 60))
        return
    else:  # numbers written on squares
        font = str(art.fonts[rng.integers(len(art.fonts))])
        for square in rng.choice(64, rng.integers(1, 20), replace=False):
            ink = glyph(font, str(rng.integers(100)), max(7, int(tile * rng.uniform(0.2, 0.4))))
            r, c = divmod(int(square), 8)
            stamp(mask, ink, c * tile + rng.integers(max(1, tile // 2)), r * tile + rng.integers(max(1, tile // 2)))
    ground += alpha * mask[..., None] * (color - ground)


ARROW = np.array([[0, 0], [0, 16], [4, 13], [7, 19], [9, 18], [6, 12], [11, 12]], np.float32)
HAND = np.array(
    [[6, 0], [8, 1], [8, 7], [17, 9], [18, 12], [17, 17], [15, 21], [7, 21], [5, 17], [1, 12], [2, 10], [5, 12], [5, 1]],
    np.float32,
)


def pointer(rng, ground, at, scale):
    """A mouse pointer, arrow or hand, white with a dark rim or the reverse; changes the picture."""
    shape = ((ARROW if rng.random() < 0.7 else HAND) * scale + at).astype(np.int32)
    fill, rim = (255, 0) if rng.random() < 0.55 else (0, 255)
    mask, outline = np.zeros(ground.shape[:2], np.float32), np.zeros(ground.shape[:2], np.float32)
    cv2.fillPoly(mask, [shape], 1, cv2.LINE_AA)
    cv2.polylines(outline, [shape], True, 1, max(1, int(round(scale))), cv2.LINE_AA)
    ground += mask[..., None] * (fill - ground)
    ground += outline[..., None] * (rim - ground)


def stamp(mask, ink, x, y):
    """Puts coverage `ink` on `mask` at x, y, cut at the borders."""
    h, w = min(ink.shape[0], mask.shape[0] - y), min(ink.shape[1], mask.shape[1] - x)
    if h > 0 and w > 0 and x >= 0 and y >= 0:
        area = mask[y : y + h, x : x + w]
        np.maximum(area, ink[:h, :w], out=area)


def dotted(mask, start, end, radius, pitch):
    """The path of a piece as books print it: dots from square to square."""
    length = float(np.linalg.norm(end - start))
    for at in np.arange(0, length, max(2.0, pitch)):
        x, y = start + (end - start) * at / max(length, 1e-6)
        cv2.circle(mask, (int(x), int(y)), max(1, int(radius)), 1, -1, cv2.LINE_AA)


def arrow(mask, start, end, width):
    direction = end - start
    length = np.hypot(*direction)
    if length < 1:
        return
    direction = direction / length
    across = np.array([-direction[1], direction[0]])
    head = min(width * 2.2, length)
    neck = end - direction * head
    shaft = [start + across * width / 2, neck + across * width / 2, neck - across * width / 2, start - across * width / 2]
    tip = [neck + across * width * 1.3, end, neck - across * width * 1.3]
    for part in (shaft, tip):
        cv2.fillPoly(mask, [np.round(part).astype(np.int32)], 1, cv2.LINE_AA)


# ---------------------------------------------------------------- print


def hatch(rng, size: int, tile: int) -> np.ndarray:
    """Coverage of a printed dark square over a whole board, [size, size] in 0..1: lines, dots, gray."""
    kind = rng.random()
    pitch = max(2.0, tile * np.exp(rng.uniform(np.log(0.05), np.log(0.24))))
    duty = rng.uniform(0.15, 0.65)
    if kind < 0.14:
        return np.full((size, size), rng.uniform(0.12, 0.75), np.float32)
    yy, xx = np.mgrid[:size, :size].astype(np.float32)
    if rng.random() < 0.3:  # the lines start again on each square
        yy, xx = yy % tile, xx % tile
    if kind < 0.78:
        degrees = 45 if rng.random() < 0.6 else float(rng.choice([-45, 0, 90, rng.uniform(-90, 90)]))
        angle = np.deg2rad(degrees + rng.normal(0, 3))
        phase = (xx * np.sin(angle) + yy * np.cos(angle)) / pitch
        cover_ = np.clip((duty - np.abs(phase % 1 - 0.5) * 2) * pitch / 2 + 0.5, 0, 1)
        if rng.random() < 0.08:
            other = (xx * np.cos(angle) - yy * np.sin(angle)) / pitch
            cover_ = np.maximum(cover_, np.clip((duty - np.abs(other % 1 - 0.5) * 2) * pitch / 2 + 0.5, 0, 1))
        return cover_
    angle = np.deg2rad(rng.choice([0, 45, rng.uniform(0, 90)]))
    u = (xx * np.cos(angle) + yy * np.sin(angle)) * 2 * np.pi / pitch
    v = (yy * np.cos(angle) - xx * np.sin(angle)) * 2 * np.pi / pitch
    return np.clip((np.cos(u) * np.cos(v) + duty * 2 - 1) * pitch / 4 + 0.5, 0, 1)


def print_squares(art: Art, rng, tile: int, seen, astray=(), signs=True):
    dark = checker(tile)
    if rng.random() < 0.03:
        dark = ~dark
    side = 8 * tile
    choice = rng.random()
    if choice < 0.42 and art.prints:  # whole tiles as printed
        found = art.print_set(rng)
        printed = found.tiles
        if art.vary and rng.random() < 0.5:
            state = rng.bit_generator.state
            light = bend(rng, printed[0])
            rng.bit_generator.state = state  # the same face on dark squares
            printed = np.stack([light, bend(rng, printed[1])])
        tiles = np.stack([resized(printed[g], tile) for g in (0, 1)])
        parity = (np.arange(8)[:, None] + np.arange(8)[None]) % 2
        gray = mosaic(tiles[parity, without(seen, astray)]).astype(np.float32) / 255
        for piece in astray:
            ink_astray(gray, tiles, seen, piece, tile)
        if rng.random() < 0.15:  # only gray remains of the hatching
            soft = cv2.GaussianBlur(gray, (0, 0), max(0.6, tile * 0.04))
            gray = soft
        ground = np.repeat(gray[..., None] * 255, 3, -1)
        name = found.name
    else:
        paper = np.ones((side, side), np.float32)
        if rng.random() < 0.4 and art.book_squares:
            pair = art.book_squares[rng.integers(len(art.book_squares))]
            gray = [cv2.cvtColor(resized(p[None], tile)[0], cv2.COLOR_RGB2GRAY).astype(np.float32) / 255 for p in pair]
            paper = np.where(dark, np.tile(gray[1], (8, 8)), np.tile(gray[0], (8, 8)))
        else:
            strength = rng.uniform(0.3, 1.0)
            paper = np.where(dark, 1 - strength * hatch(rng, side, tile), 1.0).astype(np.float32)
        kinds = {"print": 0.45, "screen": 0.43, "icon": 0.12}
        found = art.piece_set(rng, kinds, outlined=True)
        sprites = restyle_pieces(rng, art, found, kinds, outlined=True)
        stamped = rng.random() < 0.2
        loose = 0.12 if stamped else 0.06 if rng.random() < 0.3 else 0
        layer = pieces_layer(rng, sprites, seen, tile, loose, astray)
        gray = layer[..., :3].mean(-1)
        contrast = rng.uniform(1.0, 2.5)
        gray = np.clip((gray - 0.5) * contrast + 0.5, 0, 1)
        alpha = layer[..., 3]
        if not stamped and rng.random() < 0.55:  # the white rim that keeps pieces clear of the hatching
            width = max(1, int(round(tile * rng.uniform(0.01, 0.05))))
            rim = cv2.dilate(alpha, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1)))
            paper = paper + (1 - paper) * rim
        ground = (paper + alpha * (gray - paper))[..., None].repeat(3, -1) * 255
        if stamped:
            ground = two_inks(rng, paper, alpha, gray, seen, tile)
        name = found.name
    if rng.random() < 0.3:  # thin lines between squares
        shade = rng.uniform(0, 160)
        width = max(1, int(tile * rng.uniform(0.01, 0.035)))
        for i in range(9):
            at = min(max(0, i * tile - width // 2), side - width)
            ground[at : at + width] = np.minimum(ground[at : at + width], shade)
            ground[:, at : at + width] = np.minimum(ground[:, at : at + width], shade)
    if rng.random() < 0.12:
        highlights(rng, ground, tile, seen)
    if rng.random() < 0.10:
        marks(art, rng, ground, tile, seen, printed=True, signs=signs)
    return np.clip(ground, 0, 255).astype(np.uint8), name, np.array([255, 255, 255], np.uint8), (0, 0, 0)


def ink_astray(gray: np.ndarray, tiles: np.ndarray, seen: np.ndarray, piece: Astray, tile: int):
    """Puts a printed piece where it stands: `gray` [8t, 8t] in 0..1, `tiles` [2, 13, t, t] as printed."""
    parity = (piece.row + piece.col) % 2
    printed = tiles[parity, seen[piece.row, piece.col]].astype(np.float32) / 255
    ground = tiles[parity, 0].astype(np.float32) / 255
    mask = cv2.dilate((np.abs(printed - ground) > 0.25).astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.float32)
    sprite = np.stack([printed, printed, printed, mask], -1)
    layer = np.zeros((*gray.shape, 4), np.float32)
    put_astray(layer, sprite, piece, tile)
    gray += layer[..., 3] * (layer[..., 0] - gray)


def two_inks(rng, paper, alpha, gray, seen, tile):
    """White pieces in one ink, black pieces in another, stamped by hand onto a stamped board, as on cards of problems."""
    white = patches(tile, (seen >= 1) & (seen <= 6))
    red = np.array([rng.uniform(170, 235), rng.uniform(20, 90), rng.uniform(20, 90)], np.float32)
    blue = np.array([rng.uniform(20, 80), rng.uniform(20, 80), rng.uniform(110, 200)], np.float32)
    if rng.random() < 0.4:
        blue = rng.uniform(0, 60, 3).astype(np.float32)
    board_ink = np.array(blue if rng.random() < 0.5 else rng.uniform(60, 200, 3), np.float32)
    ink = np.where(white[..., None] > 0, red, blue)
    # A white piece that is as solid as a black one differs by its ink only: none of a set, some or all are.
    solid = rng.random(6) < rng.choice([0, 0.3, 1], p=[0.4, 0.35, 0.25])
    filled = white * patches(tile, np.concatenate([[False], solid, solid])[seen])
    density = alpha * np.maximum(1 - gray, 0.75 * filled)
    pressed = rng.uniform(rng.uniform(0.35, 1), 1, (8, 8)).astype(np.float32)  # how hard each piece was pressed
    density = density * patches(tile, pressed) * uneven(rng, tile, rng.uniform(0, 0.6))
    bared = alpha * rng.choice([0, 1]) * (1 - filled)  # whether paper or hatching shows within the outlines
    ground = 255 - ((1 - paper) * (1 - bared))[..., None] * (255 - board_ink) * rng.uniform(0.3, 0.95)
    if rng.random() < 0.5:
        worn = uneven(rng, tile, rng.uniform(0, 0.7))[..., None]
        ground = 255 - (255 - ground) * worn
    return ground * (1 - density[..., None] * (1 - ink / 255)) if rng.random() < 0.7 else ground + density[..., None] * (ink - ground)


def patches(tile, values):
    """[8, 8] values to [8t, 8t], one a square."""
    return np.kron(values, np.ones((tile, tile))).astype(np.float32)


def uneven(rng, tile, depth):
    """[8t, 8t] in 0..1: how much ink arrives where a pad was dry; `depth` 0 is everything."""
    side = 8 * tile
    coarse = cv2.resize(rng.random((24, 24)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(rng.random((160, 160)).astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    return 1 - depth * np.clip(0.7 * coarse + 0.9 * fine - 0.35, 0, 1)


# ---------------------------------------------------------------- frame and coordinates


def frame(rng, canvas, pad, tile, medium, ink) -> int:
    """Draws what surrounds the squares; returns how many pixels of it belong to the board."""
    kind = rng.random()
    if medium == "print":
        color = tuple(int(v) for v in np.full(3, rng.uniform(0, 110)))
        if kind < 0.22:
            return 0
        if kind < 0.6:
            width = max(1, int(tile * rng.uniform(0.015, 0.1)))
            box(canvas, pad - width, width, color)
            return width
        if kind < 0.88:  # double frame, the outer line at some distance
            inner = max(1, int(tile * rng.uniform(0.015, 0.06)))
            gap = int(tile * (rng.uniform(0.03, 0.2) if rng.random() < 0.7 else rng.uniform(0.3, 0.8))) + 1
            outer = max(1, int(tile * rng.uniform(0.02, 0.14)))
            if rng.random() < 0.8:
                box(canvas, pad - inner, inner, color)
            box(canvas, pad - inner - gap - outer, outer, color)
            return inner + gap + outer
        width = int(tile * rng.uniform(0.4, 0.9))
        shade = rng.uniform(0, 255)
        box(canvas, pad - width, width, (shade,) * 3)
        box(canvas, pad - 1, 1, color)
        return width
    if kind < 0.5:
        return 0
    width = max(1, int(tile * (rng.uniform(0.02, 0.15) if kind < 0.72 else rng.uniform(0.25, 0.8))))
    color = rng.uniform(0, 255, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0, 255))
    box(canvas, pad - width, width, tuple(color.tolist()))
    if rng.random() < 0.3:
        box(canvas, pad - 1, 1, tuple(rng.uniform(0, 255, 3).tolist()))
    if rng.random() < 0.3:
        box(canvas, pad - width, 1, tuple(rng.uniform(0, 255, 3).tolist()))
    return width


def box(canvas, at, width, color):
    """A square ring of `width` whose outer edge lies `at` pixels from the canvas's border."""
    far = canvas.shape[0] - at
    canvas[at : at + width, at:far] = color
    canvas[far - width : far, at:far] = color
    canvas[at:far, at : at + width] = color
    canvas[at:far, far - width : far] = color


def draw_coordinates(art, rng, canvas, pad, tile, margin, white_below, medium, ink):
    """Letters and digits inside, outside or in the frame. Returns the kind, how far they reach, and the glyphs."""
    roll = rng.random()
    if roll < 0.42:
        return "no", 0, []
    glyphs = []

    def write(text, ink, x, y, color):
        if put(canvas, ink, x, y, color):
            glyphs.append((text.lower(), x + ink.shape[1] / 2, y + ink.shape[0] / 2))

    font = str(art.fonts[rng.integers(len(art.fonts))])
    files = "abcdefgh" if rng.random() < 0.75 else "ABCDEFGH"
    ranks = "87654321"
    if not white_below:
        files, ranks = files[::-1], ranks[::-1]
    inside = roll < (0.72 if medium == "screen" else 0.48)
    far = canvas.shape[0] - pad
    if inside:
        size = max(5, int(tile * rng.uniform(0.16, 0.26)))
        inset = int(tile * rng.uniform(0.02, 0.06)) + 1
        right = rng.random() < 0.5
        bottom = rng.random() < 0.93
        strong = contrast_color(rng, canvas[pad + 2, pad + 2]) if rng.random() < 0.2 else None
        left_file = rng.random() < 0.5
        for i in range(8):
            ink_f, ink_r = glyph(font, files[i], size), glyph(font, ranks[i], size)
            x = pad + i * tile + (inset if left_file else tile - inset - ink_f.shape[1])
            y = far - inset - ink_f.shape[0] if bottom else pad + inset
            write(files[i], ink_f, x, y, neighbor_color(canvas, pad, tile, 7 if bottom else 0, i, strong))
            y = pad + i * tile + inset
            x = far - inset - ink_r.shape[1] if right else pad + inset
            write(ranks[i], ink_r, x, y, neighbor_color(canvas, pad, tile, i, 7 if right else 0, strong))
        return "inside", 0, glyphs
    in_frame = margin > tile * 0.3 and rng.random() < 0.8
    size = int(tile * rng.uniform(0.22, 0.5))
    if in_frame:
        size = min(size, int(margin * 0.9))
        middle = margin / 2
    else:
        middle = margin + size * rng.uniform(0.65, 1.1)
    size = max(5, size)
    if middle + size / 2 >= pad:
        return "no", 0, []
    shade = contrast_color(rng, canvas[pad - int(middle), pad + 2])
    sides = rng.choice(["lb", "lb", "lb", "lrtb", "rb", "b", "l"])
    for i in range(8):
        ink_f, ink_r = glyph(font, files[i], size), glyph(font, ranks[i], size)
        mid = pad + (i + 0.5) * tile
        for where in sides:
            text, ink_ = (files[i], ink_f) if where in "tb" else (ranks[i], ink_r)
            h, w = ink_.shape
            x = {"l": pad - middle - w / 2, "r": far + middle - w / 2}.get(where, mid - w / 2)
            y = {"t": pad - middle - h / 2, "b": far + middle - h / 2}.get(where, mid - h / 2)
            write(text, ink_, int(x), int(y), shade)
    return "outside", int(middle + size / 2 + 1), glyphs


def neighbor_color(canvas, pad, tile, row, col, strong):
    """Color for a letter inside a square: that of the squares beside it, as sites do it, where it shows; else `strong`
    or black or white. The color is taken from a corner of each square, which no piece covers."""

    def corner(r, c):
        y, x = pad + r * tile + tile // 12 + 1, pad + c * tile + tile // 12 + 1
        return canvas[y, x].astype(np.float32)

    own, other = corner(row, col), corner(row, col + (1 if col < 7 else -1))
    if strong is not None and abs(strong - own).max() > 60:
        return strong
    if abs(other - own).max() > 20:
        return other
    return np.full(3, 0 if own.mean() > 127 else 255, np.float32)


def contrast_color(rng, ground):
    dark = float(np.mean(ground)) > 127
    return np.full(3, rng.uniform(0, 90) if dark else rng.uniform(170, 255), np.float32)


def put(canvas, ink, x, y, color) -> bool:
    """Writes where there is room, and says whether there was."""
    h, w = ink.shape
    if x < 0 or y < 0 or y + h > canvas.shape[0] or x + w > canvas.shape[1]:
        return False
    area = canvas[y : y + h, x : x + w]
    area[:] = np.clip(area + ink[..., None] * (np.asarray(color, np.float32) - area), 0, 255).astype(np.uint8)
    return True
