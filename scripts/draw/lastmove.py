"""Screens of a game just after a move, with the move highlighted as sites and programs do it, and what else they paint.

A position of a real game, one legal move of the side to move, and the board after it. `draw` gives the picture and the
truth; `trap` gives a screen without a highlighted move on which something resembles one.
"""

from __future__ import annotations

import csv
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np

from . import degrade
from .art import Art, compress, expand
from .board import arrow, blend, cell, checker, draw_coordinates, frame, pieces_layer, screen_colors, shadow

# ---------------------------------------------------------------- moves


@dataclass
class Position:
    """`board` [8, 8] classes, a8 first; `white` to move; `rights` a subset of KQkq; `passed` [row, col] or None."""

    board: np.ndarray
    white: bool
    rights: str
    passed: tuple[int, int] | None


@dataclass
class Move:
    """From and to as (row, col); `becomes`: the class of the piece afterwards; `kind`: "", "double", "castling"."""

    start: tuple[int, int]
    end: tuple[int, int]
    becomes: int
    kind: str = ""


LINES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONALS = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)


def read_positions(path: pathlib.Path) -> list[Position]:
    return [read_fen(line) for line in open(path)]


def read_fen(fen: str) -> Position:
    placement, side, rights, passed, *_ = fen.split()
    return Position(expand(placement), side == "w", rights.strip("-"), None if passed == "-" else square(passed))


def square(name: str) -> tuple[int, int]:
    return 8 - int(name[1]), ord(name[0]) - ord("a")


def role(piece: int) -> int:
    return (piece - 1) % 6 + 1 if piece else 0


def is_white(piece: int) -> bool:
    return 1 <= piece <= 6


def inside(r: int, c: int) -> bool:
    return 0 <= r < 8 and 0 <= c < 8


def attacked(board: np.ndarray, r: int, c: int, by_white: bool) -> bool:
    own = 0 if by_white else 6
    for directions, slider in ((LINES, ROOK), (DIAGONALS, BISHOP)):
        for dr, dc in directions:
            y, x, n = r + dr, c + dc, 1
            while inside(y, x):
                piece = board[y, x]
                if piece:
                    if piece in (own + slider, own + QUEEN) or (n == 1 and piece == own + KING):
                        return True
                    break
                y, x, n = y + dr, x + dc, n + 1
    if any(inside(r + dr, c + dc) and board[r + dr, c + dc] == own + KNIGHT for dr, dc in JUMPS):
        return True
    behind = 1 if by_white else -1  # rows grow towards White
    return any(inside(r + behind, c + dc) and board[r + behind, c + dc] == own + PAWN for dc in (-1, 1))


def in_check(board: np.ndarray, white: bool) -> bool:
    kings = np.argwhere(board == (KING if white else KING + 6))
    return len(kings) == 1 and attacked(board, *kings[0], not white)


def after(position: Position, move: Move) -> np.ndarray:
    board = position.board.copy()
    pawn = role(board[move.start]) == PAWN
    if pawn and move.end == position.passed:
        board[move.start[0], move.end[1]] = 0
    board[move.start] = 0
    board[move.end] = move.becomes
    if move.kind == "castling":
        corner, beside = (7, 5) if move.end[1] == 6 else (0, 3)
        board[move.end[0], beside] = board[move.end[0], corner]
        board[move.end[0], corner] = 0
    return board


def legal_moves(position: Position) -> list[Move]:
    board, white = position.board, position.white
    own = 0 if white else 6
    moves = []

    def free_or_taken(r, c):
        return inside(r, c) and (not board[r, c] or is_white(board[r, c]) != white)

    for r, c in np.argwhere(board > 0):
        piece = board[r, c]
        if is_white(piece) != white:
            continue
        start, kind = (int(r), int(c)), role(piece)
        if kind == PAWN:
            ahead = -1 if white else 1
            ends = []
            if inside(r + ahead, c) and not board[r + ahead, c]:
                ends.append((r + ahead, c))
                if r == (6 if white else 1) and not board[r + 2 * ahead, c]:
                    moves.append(Move(start, (int(r + 2 * ahead), int(c)), int(piece), "double"))
            for dc in (-1, 1):
                end = (r + ahead, c + dc)
                if inside(*end) and ((board[end] and is_white(board[end]) != white) or end == position.passed):
                    ends.append(end)
            for end in ends:
                last = end[0] in (0, 7)
                for becomes in [own + QUEEN, own + KNIGHT] if last else [piece]:
                    moves.append(Move(start, (int(end[0]), int(end[1])), int(becomes)))
            continue
        directions = {KNIGHT: JUMPS, BISHOP: DIAGONALS, ROOK: LINES}.get(kind, LINES + DIAGONALS)
        for dr, dc in directions:
            y, x = r + dr, c + dc
            while free_or_taken(y, x):
                moves.append(Move(start, (int(y), int(x)), int(piece)))
                if board[y, x] or kind in (KNIGHT, KING):
                    break
                y, x = y + dr, x + dc
    row = 7 if white else 0
    for letter, end, between, passed in (("K", 6, (5, 6), (4, 5)), ("Q", 2, (1, 2, 3), (4, 3))):
        if (letter if white else letter.lower()) in position.rights and not board[row, list(between)].any():
            if not any(attacked(board, row, c, not white) for c in passed):
                moves.append(Move((row, 4), (row, end), own + KING, "castling"))
    return [move for move in moves if not in_check(after(position, move), white)]


def choose(rng, positions: list[Position]) -> tuple[Position, Move]:
    """A position and a move: more double steps and castling than games have, so that they can be measured."""
    wanted = "double" if rng.random() < 0.2 else "castling" if rng.random() < 0.06 else None
    while True:
        position = positions[rng.integers(len(positions))]
        moves = legal_moves(position)
        if wanted:
            moves = [m for m in moves if m.kind == wanted]
        if moves:
            return position, moves[rng.integers(len(moves))]


# ---------------------------------------------------------------- what sites paint


@dataclass
class Site:
    """How a site or program paints the last move. `how`: tint, pair (a color for light and one for dark squares), two
    (a tint for from and one for to), frame, glow. `share`: how often it is drawn."""

    name: str
    how: str
    colors: list
    alpha: float = 1.0
    share: float = 1.0


def rgb(text: str) -> np.ndarray:
    return np.array([int(text[i : i + 2], 16) for i in (1, 3, 5)], np.float32)


def read_sites(path: pathlib.Path) -> list[Site]:
    """The conventions of `colours.csv` by which a last move is shown."""
    rows = [r for r in csv.DictReader(open(path, newline="")) if r["group"] == "highlight"]

    def colors(site, name):
        return [rgb(c) for r in rows if r["site"] == site and r["name"] == name for c in r["colour"].split()]

    return [
        Site("lichess", "tint", colors("lichess", "last move"), 0.41, 3),
        Site("lichess-app", "tint", colors("lichess app (green board)", "last move"), 0.41),
        Site("chesscom", "tint", colors("chess.com", "last move"), 0.5, 3),
        Site("chesscom-old", "pair", [rgb("#f6f669"), rgb("#baca44")]),
        Site(
            "python-chess",
            "pair",
            colors("python-chess", "last move on light") + colors("python-chess", "last move on dark"),
        ),
        Site("chessboardjs", "glow", colors("chessboard.js", "highlight")),
        Site("xboard", "frame", []),
        Site("chessbase", "tint", colors("ChessBase", "square or arrow"), 0.5),
        Site("own", "tint", [], 0.0, 3),  # a color of the program's own
        Site("two-tints", "two", [], 0.0),
    ]


def own_color(rng, ground) -> tuple[np.ndarray, float]:
    """A tint that shows on the squares of this board, as its designer would choose it."""
    usual = [np.median(ground[checker(ground.shape[0] // 8) == shade], 0) for shade in (False, True)]
    while True:
        hsv = np.array([[[rng.integers(180), rng.integers(110, 256), rng.integers(120, 256)]]], np.uint8)
        color, alpha = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32), float(rng.uniform(0.3, 0.6))
        if min(alpha * np.linalg.norm(color - u) for u in usual) > 25:
            return color, alpha


def fill(area, color, alpha):
    area += alpha * (color - area)


def paint_move(rng, ground, tile, site: Site, start, end):
    """Paints from and to, given as (row, col) as seen."""
    squares = [cell(ground, tile, r * 8 + c) for r, c in (start, end)]
    if site.how == "tint":
        color, alpha = (site.colors[rng.integers(len(site.colors))], site.alpha) if site.colors else own_color(rng, ground)
        for area in squares:
            fill(area, color, alpha)
    elif site.how == "pair":
        for area, (r, c) in zip(squares, (start, end), strict=True):
            fill(area, site.colors[(r + c) % 2], 1.0)
    elif site.how == "two":
        for area in squares:
            fill(area, *own_color(rng, ground))
    else:
        color = site.colors[0] if site.colors else own_color(rng, ground)[0]
        width = max(2, int(round(tile * rng.uniform(0.04, 0.1)))) if site.how == "frame" else max(2, tile * 3 // 50)
        for area in squares:
            ring = np.ones((tile, tile), np.float32)
            ring[width:-width, width:-width] = 0
            if site.how == "glow":
                ring = np.maximum(ring, cv2.GaussianBlur(ring, (0, 0), width / 2))
            area += ring[..., None] * (color - area)


def check_glow(ground, tile, r, c):
    yy, xx = (np.mgrid[:tile, :tile] + 0.5) / tile - 0.5
    part = np.hypot(yy, xx) / np.sqrt(0.5)
    red = np.interp(part, [0, 0.25, 0.89], [255, 231, 169])
    alpha = np.interp(part, [0.25, 0.89], [1, 0])[..., None]
    area = cell(ground, tile, r * 8 + c)
    area += alpha * (np.stack([red, 0 * red, 0 * red], -1) - area)


SELECTED = {"lichess": ((20, 85, 30), 0.5), "lichess-app": ((20, 85, 30), 0.5), "chesscom": ((255, 255, 51), 0.5)}
PREMOVE = {"lichess": ((20, 30, 85), 0.5), "lichess-app": ((20, 30, 85), 0.5), "chesscom": ((244, 42, 50), 0.5)}
USER_MARKS = [(235, 97, 80), (255, 170, 0), (172, 206, 89), (82, 176, 220)]
ARROWS = [(21, 120, 27), (136, 32, 32), (0, 48, 136), (230, 143, 0), (255, 170, 0), (248, 85, 64), (72, 193, 249)]


def choose_piece(rng, ground, tile, site, seen, position: Position, turn):
    """A piece of the side to move is selected: its square is painted and dots show where it can move."""
    moves = legal_moves(position)
    if not moves:
        return
    start = moves[rng.integers(len(moves))].start
    color, alpha = SELECTED.get(site, ((20, 85, 30), 0.5))
    fill(cell(ground, tile, np.ravel_multi_index(turn(start), (8, 8))), np.array(color, np.float32), alpha)
    for move in moves:
        if move.start == start:
            r, c = turn(move.end)
            area = cell(ground, tile, r * 8 + c)
            mask = np.zeros((tile, tile), np.float32)
            center = (tile // 2, tile // 2)
            taken = bool(seen[r, c])
            if site == "chesscom":
                size, width = (tile * 0.45, max(1, tile // 10)) if taken else (tile / 6, -1)
                cv2.circle(mask, center, int(size), 1, width, cv2.LINE_AA)
                fill(area, np.zeros(3, np.float32), 0.14 * mask[..., None])
            elif taken:
                cv2.circle(mask, center, int(tile * 0.566), 1, -1, cv2.LINE_AA)
                fill(area, np.array([20, 85, 0], np.float32), 0.3 * (1 - mask[..., None]))
            else:
                cv2.circle(mask, center, max(1, int(tile * 0.155)), 1, -1, cv2.LINE_AA)
                fill(area, np.array([20, 85, 30], np.float32), 0.5 * mask[..., None])


def premove(rng, ground, tile, site, position: Position, turn):
    """The other side has set a premove."""
    ahead = Position(position.board, not position.white, "", None)
    moves = legal_moves(ahead)
    if moves:
        move = moves[rng.integers(len(moves))]
        color, alpha = PREMOVE.get(site, ((20, 30, 85), 0.5))
        for square in (move.start, move.end):
            r, c = turn(square)
            fill(cell(ground, tile, r * 8 + c), np.array(color, np.float32), alpha)


def user_marks(rng, ground, tile, count):
    color = np.array(USER_MARKS[rng.integers(4)], np.float32)
    for at in rng.choice(64, count, replace=False):
        fill(cell(ground, tile, at), color, 0.8)


def heat_map(rng, ground, tile):
    heat = np.kron(rng.random((8, 8, 1)) * rng.uniform(0.3, 0.8), np.ones((tile, tile, 1)))
    ground += heat * (rng.uniform(0, 255, 3) - ground)


def arrows(rng, ground, tile, count):
    mask = np.zeros(ground.shape[:2], np.float32)
    for _ in range(count):
        start, end = (rng.integers(0, 8, 2) + 0.5) * tile, (rng.integers(0, 8, 2) + 0.5) * tile
        arrow(mask, start, end, tile * rng.uniform(0.12, 0.22))
    fill(ground, np.array(ARROWS[rng.integers(len(ARROWS))], np.float32), rng.uniform(0.4, 0.8) * mask[..., None])


# ---------------------------------------------------------------- pictures


@dataclass
class Screen:
    """`image` RGB; `seen` as on the picture; `name` of the pieces; what is true, as in a FEN; `site` and what else is painted."""

    image: np.ndarray
    placement: str
    bottom: str
    side: str
    passed: str
    played: str
    site: str
    extras: str
    name: str


def plain_ground(art: Art, rng, tile):
    """Squares as screens have them, textures less often than colors."""
    side = 8 * tile
    if rng.random() < 0.25 and art.boards:
        board = art.boards[rng.integers(len(art.boards))]
        return cv2.resize(board, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)
    light, dark = art.colors[rng.integers(len(art.colors))] if rng.random() < 0.8 else screen_colors(art, rng)
    return np.where(checker(tile)[..., None], dark, light).astype(np.float32)


def name_of(square) -> str:
    return f"{'abcdefgh'[square[1]]}{8 - square[0]}"


def draw(art: Art, rng, positions: list[Position], sites: list[Site]) -> Screen:
    """A screen just after a random move, and at random what else a screen shows."""
    tile = int(np.exp(rng.uniform(np.log(18), np.log(90))))
    shares = np.array([s.share for s in sites])
    site = sites[rng.choice(len(sites), p=shares / shares.sum())]
    before, move = choose(rng, positions)
    return show(art, rng, before, move, site, tile, bool(rng.random() < 0.65), lambda _, chance: rng.random() < chance)


def show(art: Art, rng, before: Position, move: Move, site: Site, tile: int, white_below: bool, wanted) -> Screen:
    """A screen just after a move. `wanted(name, chance)` says what else is on it."""
    board = after(before, move)
    now = Position(board, not before.white, "", None)
    seen = board if white_below else board[::-1, ::-1]

    def turn(square):
        return square if white_below else (7 - square[0], 7 - square[1])

    ground = plain_ground(art, rng, tile)
    extras = []

    def perhaps(name, chance):
        if wanted(name, chance):
            extras.append(name)
            return True
        return False

    end = move.end
    if move.kind == "castling" and site.name in ("lichess", "own") and perhaps("king-takes-rook", 0.4):
        end = (end[0], 7 if end[1] == 6 else 0)
    paint_move(rng, ground, tile, site, turn(move.start), turn(end))
    if in_check(board, now.white) and perhaps("check", 0.8):
        king = np.argwhere(board == (KING if now.white else KING + 6))[0]
        check_glow(ground, tile, *turn(king))
    if perhaps("chosen", 0.15):
        choose_piece(rng, ground, tile, site.name, seen, now, turn)
    elif perhaps("premove", 0.08 if site.name in PREMOVE else 0):
        premove(rng, ground, tile, site.name, now, turn)
    if perhaps("marks", 0.06):
        user_marks(rng, ground, tile, rng.integers(1, 4))
    image, name = finish(art, rng, ground, tile, seen, white_below, perhaps)
    passed = name_of(((move.start[0] + move.end[0]) // 2, move.start[1])) if move.kind == "double" else "-"
    played = name_of(move.start) + name_of(move.end)
    bottom = "white" if white_below else "black"
    side = "w" if now.white else "b"
    return Screen(image, compress(board), bottom, side, passed, played, site.name, "+".join(extras), name)


TRAPS = ["plain", "marks", "heat", "line", "chosen", "premove", "random", "one", "shade"]


def trap(art: Art, rng, positions: list[Position]) -> Screen:
    """A screen that shows no last move, though something on it may resemble one."""
    tile = int(np.exp(rng.uniform(np.log(18), np.log(90))))
    position = positions[rng.integers(len(positions))]
    board = position.board
    white_below = bool(rng.random() < 0.65)
    seen = board if white_below else board[::-1, ::-1]

    def turn(square):
        return square if white_below else (7 - square[0], 7 - square[1])

    ground = plain_ground(art, rng, tile)
    kind = TRAPS[rng.integers(len(TRAPS))]
    if kind == "marks":
        user_marks(rng, ground, tile, rng.integers(2, 6))
    elif kind == "heat":
        heat_map(rng, ground, tile)
    elif kind == "line":
        row = rng.integers(8)
        for i in range(8):
            fill(cell(ground, tile, row * 8 + i), np.array([255, 255, 51], np.float32), 0.5)
    elif kind == "chosen":
        choose_piece(rng, ground, tile, "lichess", seen, position, turn)
    elif kind == "premove":
        premove(rng, ground, tile, "lichess" if rng.random() < 0.5 else "chesscom", position, turn)
    elif kind == "random":  # squares of one color that no site has
        color, alpha = own_color(rng, ground)
        for at in rng.choice(64, rng.integers(3, 9), replace=False):
            fill(cell(ground, tile, at), color, alpha)
    elif kind == "one":
        fill(cell(ground, tile, rng.integers(64)), *own_color(rng, ground))
    elif kind == "shade":
        ground *= np.linspace(1, rng.uniform(0.4, 0.8), 8 * tile, dtype=np.float32)[None, :, None]

    def perhaps(_, chance):
        return rng.random() < chance

    image, name = finish(art, rng, ground, tile, seen, white_below, perhaps)
    bottom = "white" if white_below else "black"
    side = "w" if position.white else "b"
    return Screen(image, compress(board), bottom, side, "-", "", "none", kind, name)


def finish(art, rng, ground, tile, seen, white_below, perhaps):
    """Pieces, arrows, coordinates, what is around, and what files and screens do to a picture."""
    found = art.piece_set(rng, {"screen": 1.0})
    layer = pieces_layer(rng, found.sprites, seen, tile, loose=False)
    if rng.random() < 0.1:
        shadow(rng, ground, layer, tile)
    ground = blend(np.clip(ground, 0, 255), layer)
    if perhaps("arrows", 0.15):
        arrows(rng, ground, tile, rng.integers(1, 4))
    pad = int(round(tile * 1.2))
    canvas = np.empty((8 * tile + 2 * pad, 8 * tile + 2 * pad, 3), np.uint8)
    canvas[:] = np.clip(rng.choice([0, 20, 38, 48, 240, 255]) + rng.uniform(-10, 10, 3), 0, 255).astype(np.uint8)
    canvas[pad:-pad, pad:-pad] = np.clip(ground, 0, 255).astype(np.uint8)
    margin = frame(rng, canvas, pad, tile, "screen", None)
    draw_coordinates(art, rng, canvas, pad, tile, margin, white_below, "screen", None)
    if perhaps("jpeg", 0.25):
        canvas = degrade.codec(rng, canvas, low=45)
    if perhaps("rescaled", 0.15):
        canvas = degrade.rescale(rng, canvas, low=0.7)
    if perhaps("toned", 0.05):
        canvas = degrade.tone(rng, canvas, strong=False)
    return canvas, found.name
