"""Pieces that are not where they belong: dragged, in flight, half there."""

from __future__ import annotations

import cv2
import numpy as np

from .scratch import Scratch, Skip, registry

KINDS, kind = registry()
STEPS = np.array([(-1, 0), (1, 0), (0, -1), (0, 1)])
SLANTS = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])


def displace(s: Scratch, dx: float, dy: float, ghost: bool = False, scale: float = 1.0, shadow: float = 0.0):
    """Moves one piece by so many squares; `ghost`: a pale copy stays on its square."""
    r, c, piece = s.flat.lift_any()[0]
    if not (-0.6 <= c + dx <= 7.6 and -0.6 <= r + dy <= 7.6):
        raise Skip
    s.flat.clear(r, c)
    if ghost:
        s.flat.put(piece, c, r, opacity=s.rng.uniform(0.25, 0.5))
    s.flat.put(piece, c + dx + (1 - scale) / 2, r + dy + (1 - scale) / 2, scale=scale, shadow=shadow)


def step_of(s: Scratch, steps=STEPS) -> np.ndarray:
    return steps[s.rng.integers(len(steps))]


def far(s: Scratch) -> np.ndarray:
    """A whole number of squares to a place somewhere else, not far from the middle."""
    return s.rng.integers(-2, 3, 2)


@kind
def piece_on_line(s: Scratch):
    """A piece on the line between its square and the next"""
    displace(s, *(step_of(s) * 0.5))


@kind
def piece_on_line_ghost(s: Scratch):
    """A piece on the line between two squares, a pale one on its own"""
    displace(s, *(step_of(s) * 0.5), ghost=True)


@kind
def piece_on_line_far(s: Scratch):
    """A piece on a line between two squares elsewhere, maybe over others"""
    displace(s, *(step_of(s) * 0.5 + far(s)))


@kind
def piece_on_corner(s: Scratch):
    """A piece on the corner of four squares"""
    displace(s, *(step_of(s, SLANTS) * 0.5))


@kind
def piece_on_corner_ghost(s: Scratch):
    """A piece on the corner of four squares, a pale one on its own"""
    displace(s, *(step_of(s, SLANTS) * 0.5), ghost=True)


@kind
def piece_on_corner_far(s: Scratch):
    """A piece on a corner of four squares elsewhere"""
    displace(s, *(step_of(s, SLANTS) * 0.5 + far(s)))


@kind
def piece_off_third(s: Scratch):
    """A piece off the middle of its square by a third both ways"""
    displace(s, *(step_of(s, SLANTS) / 3))


@kind
def piece_off_third_ghost(s: Scratch):
    """A piece off by a third both ways, a pale one on its square"""
    displace(s, *(step_of(s, SLANTS) / 3), ghost=True)


@kind
def piece_off_third_one_way(s: Scratch):
    """A piece off the middle of its square by a third one way"""
    displace(s, *(step_of(s) / 3))


@kind
def piece_off_sixth(s: Scratch):
    """A piece off its middle by a sixth both ways: loose type, still readable"""
    displace(s, *(step_of(s, SLANTS) / 6))


@kind
def piece_dragged(s: Scratch):
    """A piece under the mouse: larger, with a shadow, anywhere"""
    displace(s, *(far(s) + s.rng.uniform(0.3, 0.7, 2)), scale=s.rng.uniform(1.1, 1.4), shadow=0.4)


@kind
def piece_dragged_ghost(s: Scratch):
    """A piece under the mouse, larger, with its ghost on its square"""
    displace(s, *(far(s) + s.rng.uniform(0.3, 0.7, 2)), ghost=True, scale=s.rng.uniform(1.0, 1.3), shadow=0.3)


@kind
def piece_off_board(s: Scratch):
    """A piece dragged half over the edge of the board"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    along, edge = s.rng.uniform(0.5, 6.5), s.rng.choice([-0.5, 7.5])
    x, y = (along, edge) if s.rng.random() < 0.5 else (edge, along)
    s.flat.put(piece, x, y, scale=s.rng.uniform(1, 1.2), shadow=0.3)


@kind(plausible=True)
def piece_beside_board(s: Scratch):
    """A piece dragged off the board altogether, its square bare"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    along, edge = s.rng.uniform(0, 7), s.rng.choice([-1.15, 8.15])
    x, y = (along, edge) if s.rng.random() < 0.5 else (edge, along)
    s.flat.put(piece, x, y, shadow=0.3)
    left, top, right, bottom = (v for v in (*s.subject.quad.min(0), *s.subject.quad.max(0)))
    room = s.side / 8
    inside = left + x * room >= -0.1 * room and top + y * room >= -0.1 * room
    if not inside or left + (x + 1) * room > s.picture.shape[1] or top + (y + 1) * room > s.picture.shape[0]:
        raise Skip


@kind
def piece_captures(s: Scratch):
    """A piece in flight over the one that it takes"""
    r, c, piece = s.flat.lift_any()[0]
    near = [p for p in s.pieces() if p != (r, c) and np.hypot(p[0] - r, p[1] - c) < 5]
    tr, tc = s.first(near)
    part = s.rng.uniform(0.15, 0.4)
    span = np.hypot(tr - r, tc - c)
    s.flat.clear(r, c)
    s.flat.put(piece, tc + (c - tc) * part / span, tr + (r - tr) * part / span)


@kind
def two_pieces_in_flight(s: Scratch):
    """Two pieces between squares, as when castling is animated"""
    cut = s.flat.lift_any(2)
    for r, c, _ in cut:
        s.flat.clear(r, c)
    for r, c, piece in cut:
        dx, dy = s.rng.uniform(0.35, 0.65, 2) * s.rng.choice([-1, 1], 2) * (s.rng.permutation([1, 0]) if s.rng.random() < 0.5 else 1)
        s.flat.put(piece, c + dx, r + dy)


@kind
def pieces_all_shifted(s: Scratch):
    """The pieces off by the same 0.35 to 0.5 of a square (a layer that slipped)"""
    dx, dy = s.rng.uniform(0.35, 0.5, 2) * s.rng.choice([-1, 1], 2) * s.rng.choice([0, 1], 2)
    if dx == dy == 0:
        dx = 0.42
    cut = s.flat.lift_any(max(2, len(s.pieces()) * 2 // 3))
    for r, c, _ in cut:
        s.flat.clear(r, c)
    for r, c, piece in cut:
        s.flat.put(piece, c + dx, r + dy)


@kind
def piece_ghost_elsewhere(s: Scratch):
    """A pale copy of a piece on another square (a premove, a hint)"""
    piece = s.flat.lift_any()[0][2]
    er, ec = s.first(s.empties())
    s.flat.put(piece, ec, er, opacity=s.rng.uniform(0.3, 0.6))


@kind
def piece_tipped(s: Scratch):
    """A piece lying on its side, on its square"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    s.flat.put(np.ascontiguousarray(np.rot90(piece, s.rng.choice([1, 3]))), c, r)


@kind
def piece_cut_half(s: Scratch):
    """Half of a piece is missing (a tile drawn too late, a clipped sprite)"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    half = s.flat.tile // 2
    piece = piece.copy()
    alpha = piece[..., 3]
    gone = [alpha[:half], alpha[half:], alpha[:, :half], alpha[:, half:]][s.rng.integers(4)]
    gone[:] = 0
    s.flat.put(piece, c, r)


@kind
def piece_small(s: Scratch):
    """A piece at a third of its size (growing or vanishing in an animation)"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    scale = s.rng.uniform(0.25, 0.45)
    s.flat.put(piece, c + (1 - scale) / 2, r + (1 - scale) / 2, scale=scale)


@kind
def two_pieces_on_square(s: Scratch):
    """Two pieces side by side on one square, at two thirds of their size"""
    (r, c, one), (r2, c2, two) = s.flat.lift_any(2)
    s.flat.clear(r, c)
    s.flat.clear(r2, c2)
    s.flat.put(one, c - 0.1, r + 0.15, scale=0.7)
    s.flat.put(two, c + 0.4, r + 0.15, scale=0.7)


@kind
def pieces_faded(s: Scratch):
    """All pieces faded by 85 %"""
    for r, c in s.pieces():
        square = s.flat.square(r, c)
        square[:] = np.rint(square + 0.85 * (s.flat.empty_like(r, c) - square))


@kind
def piece_faded(s: Scratch):
    """One piece faded by 80 to 92 % (appearing, or rubbed off)"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    s.flat.put(piece, c, r, opacity=s.rng.uniform(0.08, 0.2))


@kind
def piece_motion(s: Scratch):
    """A piece smeared by its motion from one square to another"""
    r, c, piece = s.flat.lift_any()[0]
    s.flat.clear(r, c)
    dx, dy = s.rng.uniform(0.5, 1.5, 2) * s.rng.choice([-1, 1], 2)
    for part in np.linspace(0.3, 1, 8):
        s.flat.put(piece, c + dx * part, r + dy * part, opacity=0.22)


def moved_position(s: Scratch, count: int) -> np.ndarray:
    """The flat board after `count` pieces went to empty squares; the new placement joins what may be accepted."""
    rows = [list(row) for row in s.seen]
    cut = s.flat.lift_any(count)
    free = s.empties()
    if len(free) < count + 4:
        raise Skip
    for (r, c, piece), (er, ec) in zip(cut, free, strict=False):
        s.flat.clear(r, c)
        s.flat.square(er, ec)[:] = s.flat.empty_like(er, ec)
        s.flat.put(piece, ec, er)
        rows[er][ec], rows[r][c] = rows[r][c], "."
    moved = "".join(letter for row in rows for letter in row)
    s.truths.append(moved if s.truths[0] == "".join(s.seen) else moved[::-1])
    after = s.flat.image.copy()
    s.flat.image[:] = s.flat.before
    return after


@kind
def crossfade(s: Scratch):
    """The position before and after two moves, each at half strength"""
    after = moved_position(s, 2)
    s.flat.image[:] = cv2.addWeighted(s.flat.before, 0.5, after, 0.5, 0)


@kind
def tearing(s: Scratch):
    """The upper part from before three moves, the lower from after: the edge runs through a piece that moved"""
    after = moved_position(s, 3)
    rows = np.flatnonzero((after != s.flat.before).any((1, 2)))
    rows = rows[np.abs(rows % s.flat.tile / s.flat.tile - 0.5) < 0.2]
    at = int(s.rng.choice(rows))
    s.flat.image[at:] = after[at:]
    if np.array_equal(s.flat.image, after):
        raise Skip
