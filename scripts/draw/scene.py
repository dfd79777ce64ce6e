"""Whole pictures with any number of boards: crops, book pages, screens, photographs of both, and
pictures with no board at all. What the two locating networks are trained on."""

from __future__ import annotations

import csv
import pathlib
from dataclasses import dataclass, field

import cv2
import numpy as np

from . import degrade
from .art import CLASSES, Art, glyph, pick
from .board import Board, cover, draw_board, put
from .views import homography, warp


@dataclass
class Scene:
    """`image` [H, W, 3] RGB uint8; `quads`: corners of each board's squares, clockwise from the top
    left as seen, [n, 4, 2] pixels; `tile`: pixels a square of the smallest board; `medium`: screen or print."""

    image: np.ndarray
    quads: list[np.ndarray] = field(default_factory=list)
    tile: float = 24.0
    medium: str = "screen"


def scene(art: Art, rng, located: list | None = None) -> Scene:
    """One picture as a user might bring it. `located`: real photos with known corners (see `read_located`)."""
    if located and rng.random() < 0.16:
        return real_photo(art, rng, located)
    kinds = {tight: 0.27, page: 0.31, screen: 0.27, sheet: 0.07, nothing: 0.08}
    made = pick(rng, list(kinds), list(kinds.values()))(art, rng)
    photo = rng.random() < (0.4 if made.medium == "print" else 0.25)
    if photo or rng.random() < 0.08:
        made = photographed(art, rng, made)
    if photo and made.quads and rng.random() < 0.08:
        quad = made.quads[rng.integers(len(made.quads))]
        degrade.bar(rng, made.image, quad, float(np.linalg.norm(quad[1] - quad[0])) / 8)
    made.image = degrade.pipeline(rng, made.image, made.tile, made.medium, art.textures, photo)
    return made


# ---------------------------------------------------------------- kinds


def tight(art, rng) -> Scene:
    """One board, cut out by hand: a little too much or a little too little around it."""
    tile = int(np.exp(rng.uniform(np.log(14), np.log(56))))
    board = draw_board(art, rng, tile)
    room = np.full(4, board.margin) if rng.random() < 0.5 else np.zeros(4)
    if rng.random() < 0.75:
        cut = room + rng.uniform(0, 0.3 if rng.random() < 0.6 else 1.5, 4) * tile
    else:
        cut = room + rng.uniform(-0.12, 0.15, 4) * tile
    cut = np.clip(np.round(cut).astype(int), -tile // 6, board.left)
    side = 8 * tile
    y0, y1 = board.top - cut[0], board.top + side + cut[1]
    x0, x1 = board.left - cut[2], board.left + side + cut[3]
    image, quad = np.ascontiguousarray(board.image[y0:y1, x0:x1]), board.quad() - np.float32([x0, y0])
    if rng.random() < 0.25:  # the shape was not kept
        sx = float(np.exp(rng.normal(0, 0.08)))
        width = max(32, int(image.shape[1] * sx))
        quad[:, 0] *= width / image.shape[1]
        image = cv2.resize(image, (width, image.shape[0]), interpolation=cv2.INTER_AREA)
    return Scene(image, [quad], tile, board.medium)


def sheet(art, rng) -> Scene:
    """Boards put together by hand: side by side, one above the other, in rows, or one half over another."""
    rows, columns = [(1, 2), (2, 1), (1, 3), (2, 2), (2, 3), (3, 3)][int(np.searchsorted([0.45, 0.6, 0.7, 0.85, 0.95], rng.random()))]
    tile = int(np.clip(np.exp(rng.uniform(np.log(14), np.log(56))) / max(rows, columns) * 2, 7, 56))
    gap = 0 if rng.random() < 0.3 else int(rng.uniform(0, 0.6) * tile)
    medium = "print" if rng.random() < 0.3 else "screen"
    boards = [draw_board(art, rng, tile, medium=medium) for _ in range(rows * columns)]
    edges = [min(b.margin, b.left) if rng.random() < 0.7 else 0 for b in boards]
    cell = 8 * tile + 2 * max(edges) + gap
    rim = int(rng.uniform(0, 0.5) * tile)
    made = Scene(np.empty((rows * cell + 2 * rim, columns * cell + 2 * rim, 3), np.uint8), tile=tile, medium=medium)
    made.image[:] = pick(rng, [255, 0, rng.uniform(0, 255, 3)], [0.5, 0.2, 0.3])
    for i, (board, m) in enumerate(zip(boards, edges, strict=True)):
        lag = max(edges) - m
        put_board(made, board, rim + (i % columns) * cell + lag, rim + (i // columns) * cell + lag, m)
    if rng.random() < 0.3:
        overlay(art, rng, made)
    return made


def overlay(art, rng, made: Scene):
    """Puts one more board over what is there; a board of which it hides much is no longer one."""
    h, w = made.image.shape[:2]
    tile = int(min(h, w) * rng.uniform(0.4, 0.95) / 9)
    if tile < 8:
        return
    board = draw_board(art, rng, tile)
    m = min(board.margin, board.left)
    extent = 8 * tile + 2 * m
    if extent > min(h, w):
        return
    x, y = int(rng.integers(0, w - extent + 1)), int(rng.integers(0, h - extent + 1))
    left = []
    for quad in made.quads:
        low, high = np.maximum(quad.min(0), [x, y]), np.minimum(quad.max(0), [x + extent, y + extent])
        hidden = np.prod(np.maximum(high - low, 0)) / np.prod(np.ptp(quad, axis=0))
        if hidden < 0.02:
            left.append(quad)
    made.quads = left
    put_board(made, board, x, y, m)


def page(art, rng) -> Scene:
    """A page (or part of one) in one to three columns, with text, captions and diagrams."""
    long = rng.integers(620, 940)
    h, w = (long, int(long * rng.uniform(0.6, 1.0))) if rng.random() < 0.8 else (int(long * rng.uniform(0.5, 0.9)), long)
    made = Scene(np.full((h, w, 3), 255, np.uint8), medium="print", tile=60)
    columns = pick(rng, [1, 2, 3], [0.4, 0.45, 0.15])
    margin = int(w * rng.uniform(0.02, 0.1))
    gap = int(w * rng.uniform(0.02, 0.08))
    width = (w - 2 * margin - (columns - 1) * gap) // columns
    share = rng.uniform(0.5, 1.0)
    kind = "screen" if rng.random() < 0.15 else "print"
    size = max(6, int(h * rng.uniform(0.009, 0.022)))
    tile0 = int(width * share * rng.uniform(0.7, 1.0) / 8.6)
    tile0 = int(np.clip(tile0, 6, 52))
    density = rng.uniform(0.25, 1.0)
    for c in range(columns):
        x0 = margin + c * (width + gap)
        y = margin + int(rng.integers(0, max(1, margin * 2)))
        while y < h - margin:
            if rng.random() < density:
                tile = tile0 if rng.random() < 0.85 else int(np.clip(tile0 * rng.uniform(0.6, 1.2), 6, 52))
                board = draw_board(art, rng, tile, medium=kind)
                m = min(board.margin + 2, board.left)
                extent = 8 * tile + 2 * m
                if y + extent > h - 2 or x0 + extent > w:
                    density -= 0.2
                    y += size * 2
                    continue
                if rng.random() < 0.5:
                    caption(art, rng, made.image, x0, y, width, size)
                    y += int(size * 1.8)
                if y + extent > h - 2:
                    continue
                x = x0 + max(0, (width - extent) // 2) if rng.random() < 0.6 else x0
                put_board(made, board, x, y, m)
                y += extent + int(size * rng.uniform(0.2, 2))
                if rng.random() < 0.5:
                    caption(art, rng, made.image, x0, y, width, size)
                    y += int(size * 1.8)
            else:
                for _ in range(rng.integers(1, 9)):
                    if y + size * 1.4 > h - margin:
                        break
                    text_line(art, rng, made.image, x0, y, width, size, (0, 0, 0))
                    y += int(size * 1.35)
                y += size
                if rng.random() < 0.08:
                    y = distractor(art, rng, made.image, x0, y, width, min(h - y - 2, width))
            y += int(size * rng.uniform(0.2, 1.5))
    return crop(rng, made)


def screen(art, rng) -> Scene:
    """A site, an application, a phone, a video frame: panels, lists, buttons and some boards."""
    long = rng.integers(560, 940)
    if rng.random() < 0.7:
        w, h = long, int(long * rng.uniform(0.5, 0.8))
    else:
        h, w = long, int(long * rng.uniform(0.45, 0.75))
    base = np.array(pick(rng, [rng.uniform(0, 60, 3), rng.uniform(200, 255, 3), rng.uniform(0, 255, 3)], [0.45, 0.4, 0.15]))
    if rng.random() < 0.5:
        base[:] = base.mean()
    made = Scene(np.empty((h, w, 3), np.uint8), tile=60)
    made.image[:] = base.astype(np.uint8)
    if rng.random() < 0.12:
        made.image[:] = cover(rng, art.textures[rng.integers(len(art.textures))], h, w)
    ink = tuple(255 - base if np.ptp(base) < 60 else rng.uniform(0, 255, 3))
    for _ in range(rng.integers(0, 14)):
        panel(art, rng, made.image, ink)
    count = pick(rng, [1, 2, 3, 6], [0.72, 0.14, 0.08, 0.06])
    if count == 1:
        tile = int(np.clip(min(h, w) * np.exp(rng.uniform(np.log(0.25), np.log(0.98))) / 8.3, 7, 100))
        tries = 1
    else:
        tile = int(np.clip(w * rng.uniform(0.6, 0.95) / count / 8.4, 7, 60))
        tries = count
    x = int(rng.integers(0, max(1, w // 8)))
    y = int(rng.integers(0, max(1, h // 4)))
    shared = None if rng.random() < 0.3 else ("print" if rng.random() < 0.08 else "screen")
    for _ in range(tries):
        board = draw_board(art, rng, tile, medium=shared)
        m = min(board.margin, board.left) if rng.random() < 0.8 else board.left
        extent = 8 * tile + 2 * m
        if count == 1:
            if extent > min(h, w):
                m = max(0, min(m, (min(h, w) - 8 * tile) // 2))
                extent = 8 * tile + 2 * m
            if extent > min(h, w):
                continue
            x, y = int(rng.integers(0, w - extent + 1)), int(rng.integers(0, h - extent + 1))
        if x + extent > w:
            x, y = int(rng.integers(0, max(1, w // 8))), y + extent + int(rng.integers(0, 30))
        if y + extent > h or x + extent > w:
            break
        put_board(made, board, x, y, m)
        x += extent + (0 if rng.random() < 0.2 else int(rng.integers(2, 40)))
    if rng.random() < 0.15:
        palette(art, rng, made.image)
    if made.quads and rng.random() < 0.05:
        overlay(art, rng, made)
    return crop(rng, made)


def nothing(art, rng) -> Scene:
    """No board: tables, crosswords, keyboards, other games, textures."""
    w, h = rng.integers(300, 800, 2)
    if rng.random() < 0.25:
        return Scene(np.ascontiguousarray(cover(rng, art.textures[rng.integers(len(art.textures))], h, w)))
    made = Scene(np.empty((h, w, 3), np.uint8), medium="print" if rng.random() < 0.5 else "screen")
    made.image[:] = rng.uniform(0, 255, 3) if rng.random() < 0.3 else 255
    size = int(h * rng.uniform(0.012, 0.04)) + 5
    for _ in range(rng.integers(1, 6)):
        x, y = int(rng.integers(0, w // 2)), int(rng.integers(0, h // 2))
        distractor(art, rng, made.image, x, y, int(w * rng.uniform(0.2, 0.9)), int(h * rng.uniform(0.2, 0.9)))
    for _ in range(rng.integers(0, 30)):
        text_line(art, rng, made.image, int(rng.integers(0, w // 2)), int(rng.integers(0, h)), w // 2, size, (0, 0, 0))
    return made


def read_located(folder: pathlib.Path) -> list:
    """`boards/train/located`: real photos and their corners."""
    rows = list(csv.DictReader(open(folder / "corners.csv", newline="")))
    out = []
    for row in rows:
        image = cv2.cvtColor(cv2.imread(str(folder / row["file"])), cv2.COLOR_BGR2RGB)
        quad = np.array([[float(row[f"x{i}"]), float(row[f"y{i}"])] for i in range(1, 5)], np.float32)
        out.append((image, quad))
    return out


def read_labeled(folder: pathlib.Path, labels: pathlib.Path) -> list:
    """Real photos with corners and pieces: `(image, quad, [64] classes as seen)`, -1 where nobody could read it.

    `labels` has a row a photo: `file` and `seen`, eight rows of the board as seen from the top, `?` for unknown."""
    seen = {r["file"]: r["seen"].replace("/", "") for r in csv.DictReader(open(labels, newline=""))}
    files = [r["file"] for r in csv.DictReader(open(folder / "corners.csv", newline=""))]
    found = zip(files, read_located(folder), strict=True)
    return [(image, quad, np.array([CLASSES.find(c) for c in seen[file]])) for file, (image, quad) in found if file in seen]


def real_photo(art, rng, located) -> Scene:
    """A real photo, turned, resized and put on something else, so that 506 of them last."""
    image, quad = located[rng.integers(len(located))]
    made = Scene(image.copy(), [quad.copy()], 22.0, "print")
    roll = rng.random()
    if roll < 0.35:  # cut closer
        keep = rng.uniform(0, 1, 4)
        lo, hi = quad.min(0), quad.max(0)
        x0, y0 = np.maximum(0, (lo - 4) * keep[:2]).astype(int)
        x1, y1 = (256 - np.maximum(0, (256 - hi - 4) * keep[2:])).astype(int)
        made.image, made.quads = np.ascontiguousarray(made.image[y0:y1, x0:x1]), [quad - np.float32([x0, y0])]
    elif roll < 0.75:
        made = photographed(art, rng, made)
    if rng.random() < 0.5:
        made.image = degrade.tone(rng, made.image)
    if rng.random() < 0.3:
        made.image = degrade.blur(rng, made.image, 14)
    if rng.random() < 0.3:
        made.image = degrade.grain(rng, made.image)
    if rng.random() < 0.3:
        made.image = degrade.light(rng, made.image, 22)
    return made


# ---------------------------------------------------------------- camera and crop


def photographed(art, rng, made: Scene) -> Scene:
    """Seen by a hand-held camera: turned, in perspective, on a table or beside other things."""
    h, w = made.image.shape[:2]
    grow = rng.uniform(1.0, 1.35) if rng.random() < 0.7 else rng.uniform(0.75, 1.0)
    width, height = int(w * grow), int(h * grow)
    angle = np.deg2rad(rng.normal(0, 3) if rng.random() < 0.75 else rng.uniform(-32, 32))
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float64) - [w / 2, h / 2]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    tilt = rng.normal(0, 0.03 if rng.random() < 0.7 else 0.08, (4, 2)) * [w, h]
    free = np.abs(np.array([width - w, height - h])) / 2 + 1
    target = corners @ turn.T + tilt + [width / 2, height / 2] + rng.uniform(-1, 1, 2) * free
    matrix = homography(corners + [w / 2, h / 2], target)
    if rng.random() < 0.5:
        ground = cover(rng, art.textures[rng.integers(len(art.textures))], height, width)
        ground = cv2.convertScaleAbs(ground, alpha=rng.uniform(0.2, 1.0))
    else:
        ground = np.empty((height, width, 3), np.uint8)
        ground[:] = rng.uniform(0, 255) if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    out = Scene(warp(made.image, matrix, width, height, onto=ground), [], made.tile, made.medium)
    for quad in made.quads:
        moved = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix)[0].astype(np.float32)
        if (moved > -2).all() and (moved < np.array([width, height]) + 2).all():
            out.quads.append(moved)
        else:  # a board cut by the border is neither a board nor its absence
            fill = out.image.mean((0, 1)).tolist()
            cv2.fillPoly(out.image, [np.int32(cv2.boxPoints(cv2.minAreaRect(moved * 1.0)))], fill)
    return out


def crop(rng, made: Scene) -> Scene:
    """At times only a part of the page or screen: cut so that no board is cut."""
    if not made.quads or rng.random() < 0.6:
        return made
    h, w = made.image.shape[:2]
    keep = made.quads if rng.random() < 0.4 else [made.quads[rng.integers(len(made.quads))]]
    lo = np.min([q.min(0) for q in keep], 0)
    hi = np.max([q.max(0) for q in keep], 0)
    x0, y0 = np.maximum(0, lo - rng.uniform(0, 0.4, 2) * (hi - lo)).astype(int)
    x1, y1 = np.minimum([w, h], np.ceil(hi + rng.uniform(0, 0.4, 2) * (hi - lo))).astype(int)
    inside, half = [], False
    for quad in made.quads:
        low, high = quad.min(0), quad.max(0)
        if (low >= [x0 - 1, y0 - 1]).all() and (high <= [x1 + 1, y1 + 1]).all():
            inside.append(quad - np.float32([x0, y0]))
        elif (high > [x0, y0]).all() and (low < [x1, y1]).all():
            half = True
    if half:
        return made
    return Scene(np.ascontiguousarray(made.image[y0:y1, x0:x1]), inside, made.tile, made.medium)


def put_board(made: Scene, board: Board, x: int, y: int, m: int):
    """Puts a board with `m` pixels around its squares; x, y: top left of that."""
    top, left, extent = board.top - m, board.left - m, 8 * board.tile + 2 * m
    made.image[y : y + extent, x : x + extent] = board.image[top : top + extent, left : left + extent]
    made.quads.append(board.quad() - np.float32([left - x, top - y]))
    made.tile = min(made.tile, board.tile)


# ---------------------------------------------------------------- what else is in pictures

WORDS = (
    "White Black to move and wins the position after mate in two pawn knight bishop rook queen king Diagram "
    "Nf3 Nc6 Bb5 a6 Ba4 O-O Be7 Re1 b5 Bb3 d6 c3 1.e4 e5 2. 12...Qxd5 exd5 Rxe8+ 1-0 0-1 Kt-B3 P-K4 ! ? !! game of "
    "which this variation better than line with advantage in Moscow London 1924 1953 championship Tal Steinitz by with a"
).split()


LINES = [" ".join(np.random.default_rng(i).choice(WORDS, 14)) for i in range(6)]


def line_ink(art, rng, size):
    """A line of text; few different ones, since drawing letters is slow."""
    font = str(art.fonts[rng.integers(len(art.fonts))])
    seed = int(rng.integers(len(LINES)))
    return glyph(font, LINES[seed], size)


def text_line(art, rng, image, x, y, width, size, color):
    ink = line_ink(art, rng, size)
    length = int(width * (1 if rng.random() < 0.8 else rng.uniform(0.2, 1)))
    ink = ink[: max(0, image.shape[0] - y), : max(0, min(length, image.shape[1] - x))]
    if ink.size and y >= 0 and x >= 0:
        put(image, ink, x, y, color)


def caption(art, rng, image, x, y, width, size):
    text_line(art, rng, image, x + int(rng.uniform(0, 0.4) * width), y, int(width * rng.uniform(0.15, 0.6)), size, (0, 0, 0))


def panel(art, rng, image, ink):
    """A box of an interface: plain, framed, with lines of text, with a picture."""
    h, w = image.shape[:2]
    x, y = int(rng.integers(0, w)), int(rng.integers(0, h))
    pw, ph = int(w * rng.uniform(0.03, 0.5)), int(h * rng.uniform(0.02, 0.6))
    x1, y1 = min(w, x + pw), min(h, y + ph)
    if x1 - x < 6 or y1 - y < 6:
        return
    area = image[y:y1, x:x1]
    roll = rng.random()
    if roll < 0.5:
        area[:] = np.clip(area.astype(np.float32) + rng.uniform(-40, 40), 0, 255).astype(np.uint8)
    elif roll < 0.65:
        area[:] = rng.uniform(0, 255, 3)
    elif roll < 0.75:
        area[:] = cover(rng, art.textures[rng.integers(len(art.textures))], *area.shape[:2])
    elif roll < 0.85:
        distractor(art, rng, image, x, y, pw, ph)
    if rng.random() < 0.6:
        size = int(rng.integers(7, 18))
        for row in range(y + 3, y1 - size - 2, int(size * rng.uniform(1.3, 2.6))):
            text_line(art, rng, image, x + 3, row, max(4, int((x1 - x - 6) * rng.uniform(0.3, 1))), size, ink)


def palette(art, rng, image):
    """Spare pieces in a row: no board."""
    found = art.piece_set(rng, {"screen": 1.0})
    size = int(rng.integers(12, 44))
    x, y = int(rng.integers(0, image.shape[1])), int(rng.integers(0, image.shape[0]))
    for index in rng.permutation(12)[: rng.integers(3, 12)] + 1:
        if x + size > image.shape[1] or y + size > image.shape[0]:
            return
        piece = cv2.resize(found.sprites[index], (size, size), interpolation=cv2.INTER_AREA)
        area = image[y : y + size, x : x + size]
        area[:] = np.clip(area + piece[..., 3:] * (piece[..., :3] * 255 - area), 0, 255).astype(np.uint8)
        x += size


def distractor(art, rng, image, x, y, width, height) -> int:
    """Something with lines or squares that is no chess board; returns where it ends."""
    h, w = image.shape[:2]
    width, height = min(width, w - x - 1), min(height, h - y - 1)
    if width < 24 or height < 24:
        return y
    area = image[y : y + height, x : x + width]
    kind = rng.integers(7)
    if kind == 0:  # table
        rows, cols = rng.integers(2, 14, 2)
        color = rng.uniform(0, 200, 3).tolist()
        for i in range(rows + 1):
            cv2.line(area, (0, int(i * (height - 1) / rows)), (width - 1, int(i * (height - 1) / rows)), color, 1)
        for i in range(cols + 1):
            cv2.line(area, (int(i * (width - 1) / cols), 0), (int(i * (width - 1) / cols), height - 1), color, 1)
        size = max(5, int(height / rows * 0.5))
        for i in range(rows):
            for j in range(cols):
                if rng.random() < 0.7:
                    cx, cy = int(j * width / cols) + 2, int(i * height / rows) + 2
                    text_line(art, rng, area, cx, cy, max(1, int(width / cols) - 4), size, (0, 0, 0))
    elif kind in (1, 2):  # crossword, checkers of other sizes, random cells
        rows, cols = int(rng.integers(2, 20)), int(rng.integers(2, 20))
        if kind == 2:
            cells = (np.add.outer(np.arange(rows), np.arange(cols)) % 2).astype(np.float32)
            if rows in (7, 8, 9) and cols in (7, 8, 9):
                cells = cells[:4]
        else:
            cells = (rng.random((rows, cols)) < rng.uniform(0.1, 0.6)).astype(np.float32)
        size = max(2, min(width // cells.shape[1], height // cells.shape[0]))
        big = np.kron(cells, np.ones((size, size), np.float32))[:height, :width]
        one, two = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
        area[: big.shape[0], : big.shape[1]] = (one + big[..., None] * (two - one)).astype(np.uint8)
        if rng.random() < 0.5:
            for i in range(0, big.shape[0], size):
                area[i, : big.shape[1]] = 0
            for j in range(0, big.shape[1], size):
                area[: big.shape[0], j] = 0
    elif kind == 3 and art.xiangqi:
        other = art.xiangqi[rng.integers(len(art.xiangqi))]
        side = min(width, height)
        area[:side, :side] = cv2.resize(other, (side, side), interpolation=cv2.INTER_AREA)
    elif kind == 4:  # keyboard
        size = max(6, int(width / rng.integers(8, 15)))
        for i in range(0, height - size, size):
            for j in range(0, width - size, size):
                color, width = rng.uniform(0, 255, 3).tolist(), -1 if rng.random() < 0.5 else 1
                cv2.rectangle(area, (j + 1, i + 1), (j + size - 2, i + size - 2), color, width)
                font = str(art.fonts[rng.integers(len(art.fonts))])
                key = glyph(font, "ABCDEFGHKQRN12345678"[rng.integers(20)], max(5, size // 2))
                put(area, key, j + size // 4, i + size // 4, (0, 0, 0))
    elif kind == 5:  # chart
        points = np.stack([np.linspace(0, width - 1, 24), height / 2 + rng.normal(0, height / 6, 24).cumsum() / 2], 1)
        cv2.polylines(area, [points.astype(np.int32)], False, rng.uniform(0, 255, 3).tolist(), 2, cv2.LINE_AA)
        for i in range(0, height, max(4, height // 8)):
            area[i] = 180
    else:  # stripes, hatching
        pitch = rng.uniform(3, 40)
        along = np.arange(width)[None] * rng.uniform(-1, 1) + np.arange(height)[:, None] * rng.uniform(-1, 1)
        area[(along / pitch) % 1 < 0.5] = rng.uniform(0, 255, 3)
    return y + height
