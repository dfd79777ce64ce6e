"""Changes of the whole picture: mirrored, inverted, cut, torn, photographed, copied badly."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image

from draw.views import homography, warp

from .scratch import Scratch, Skip, registry

KINDS, kind = registry()


def moved(s: Scratch, picture: np.ndarray):
    """The new picture, in which the board is no longer where it was."""
    s.picture, s.quad = np.ascontiguousarray(picture), None


def with_rim(s: Scratch, share: float) -> np.ndarray:
    """The picture with a rim of the color of its corner, as wide as this share of the board, so that nothing is moved out of it."""
    rim = round(s.side * share)
    return cv2.copyMakeBorder(s.picture, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=s.picture[0, 0].tolist())


def gray(s: Scratch) -> np.ndarray:
    return cv2.cvtColor(s.picture, cv2.COLOR_RGB2GRAY)


def from_gray(picture: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(picture, cv2.COLOR_GRAY2RGB)


# ---------------------------------------------------------------- mirrored, turned


@kind
def mirrored(s: Scratch):
    """Mirrored left to right (a front camera, a slide the wrong way round)"""
    moved(s, s.picture[:, ::-1])


@kind
def flipped(s: Scratch):
    """Mirrored top to bottom"""
    moved(s, s.picture[::-1])


@kind
def mirrored_board_only(s: Scratch):
    """The board mirrored left to right within the picture, what is around it not"""
    low, high = s.flat.at(0), s.flat.at(8)
    s.flat.image[low:high, low:high] = s.flat.before[low:high, low:high][:, ::-1]


@kind
def pieces_mirrored(s: Scratch):
    """Every piece mirrored left to right on its own square"""
    for r, c in s.pieces():
        s.flat.square(r, c)[:] = s.flat.square(r, c)[:, ::-1].copy()


@kind
def transposed(s: Scratch):
    """Mirrored along the diagonal from top left: rows become columns"""
    moved(s, s.picture.swapaxes(0, 1))


@kind
def rotated_180(s: Scratch):
    """Turned by 180 degrees"""
    moved(s, s.picture[::-1, ::-1])


@kind
def rotated_90(s: Scratch):
    """Turned by 90 degrees to either side"""
    moved(s, np.rot90(s.picture, s.rng.choice([1, 3])))


@kind
def skewed(s: Scratch):
    """Turned by up to 12 degrees"""
    wide = with_rim(s, 0.1)
    h, w = wide.shape[:2]
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), s.rng.uniform(4, 12) * s.rng.choice([-1, 1]), 1)
    moved(s, cv2.warpAffine(wide, turn, (w, h), borderValue=s.picture[0, 0].tolist()))


# ---------------------------------------------------------------- colors


@kind
def inverted(s: Scratch):
    """Colors inverted"""
    s.picture = 255 - s.picture


@kind
def lightness_inverted(s: Scratch):
    """Lightness inverted, hue kept (a dark mode)"""
    lab = cv2.cvtColor(s.picture, cv2.COLOR_RGB2LAB)
    lab[..., 0] = 255 - lab[..., 0]
    s.picture = cv2.cvtColor(lab, cv2.COLOR_LAB2RGB)


@kind
def inverted_gray(s: Scratch):
    """A negative in gray"""
    s.picture = from_gray(255 - gray(s))


@kind
def inverted_board_only(s: Scratch):
    """The board inverted, what is around it not"""
    low, high = s.flat.at(0), s.flat.at(8)
    s.flat.image[low:high, low:high] = 255 - s.flat.before[low:high, low:high]


@kind
def solarized(s: Scratch):
    """Solarized: whatever is bright is inverted"""
    s.picture = np.minimum(s.picture, 255 - s.picture) * s.rng.choice(np.uint8([1, 2]))


@kind
def posterized(s: Scratch):
    """Four levels a channel"""
    s.picture = (s.picture // 64 * 85).astype(np.uint8)


@kind
def channels_swapped(s: Scratch):
    """Red and blue swapped"""
    s.picture = np.ascontiguousarray(s.picture[..., ::-1])


@kind
def one_channel(s: Scratch):
    """One color channel only, in gray"""
    s.picture = from_gray(np.ascontiguousarray(s.picture[..., s.rng.integers(3)]))


@kind
def otsu(s: Scratch):
    """Black and white by one threshold (Otsu)"""
    s.picture = from_gray(cv2.threshold(gray(s), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1])


@kind
def threshold_off(s: Scratch):
    """Black and white by a threshold that is too high or too low"""
    level, _ = cv2.threshold(gray(s), 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    level = np.clip(level + s.rng.choice([-1, 1]) * s.rng.uniform(25, 60), 15, 240)
    s.picture = from_gray(cv2.threshold(gray(s), level, 255, cv2.THRESH_BINARY)[1])


@kind
def threshold_local(s: Scratch):
    """Black and white by a local threshold (a scanning program)"""
    around = int(s.side / 8 * s.rng.uniform(0.3, 2)) * 2 + 3
    s.picture = from_gray(cv2.adaptiveThreshold(gray(s), 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, around, s.rng.integers(3, 15)))


@kind
def dithered(s: Scratch):
    """Black and white with the errors spread (as on old machines, in palettes)"""
    s.picture = np.asarray(Image.fromarray(s.picture).convert("1").convert("RGB")).copy()


@kind
def edges_only(s: Scratch):
    """Outlines only, as an edge filter draws them"""
    edges = cv2.morphologyEx(gray(s), cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    s.picture = from_gray(edges if s.rng.random() < 0.5 else 255 - edges)


@kind
def overexposed(s: Scratch):
    """Overexposed: bright parts run together"""
    glow = cv2.GaussianBlur(s.picture, (0, 0), max(1, s.side / 60)).astype(np.float32)
    s.picture = np.clip(s.picture * s.rng.uniform(1.4, 2.4) + glow * 0.2 + s.rng.uniform(0, 40), 0, 255).astype(np.uint8)


@kind
def underexposed(s: Scratch):
    """Underexposed, with noise"""
    dark = s.picture * s.rng.uniform(0.06, 0.25) + s.rng.normal(0, 4, s.picture.shape)
    s.picture = np.clip(dark, 0, 255).astype(np.uint8)


@kind
def low_contrast(s: Scratch):
    """A tenth to a fourth of the contrast"""
    level = s.rng.uniform(60, 200)
    s.picture = np.clip(level + (s.picture.astype(np.float32) - 128) * s.rng.uniform(0.1, 0.25), 0, 255).astype(np.uint8)


@kind
def high_contrast(s: Scratch):
    """Contrast so high that light and dark squares may run into pieces"""
    level = np.median(s.picture) + s.rng.uniform(-40, 40)
    s.picture = np.clip(128 + (s.picture.astype(np.float32) - level) * s.rng.uniform(3, 8), 0, 255).astype(np.uint8)


@kind
def color_cast(s: Scratch):
    """Strongly colored light"""
    s.picture = np.clip(s.picture * s.rng.uniform(0.25, 1.1, 3), 0, 255).astype(np.uint8)


@kind
def uneven_light(s: Scratch):
    """Bright on one side, nearly black on the other"""
    h, w = s.picture.shape[:2]
    yy, xx = np.mgrid[:h, :w]
    turn = s.rng.uniform(0, 2 * np.pi)
    away = (xx / w - 0.5) * np.cos(turn) + (yy / h - 0.5) * np.sin(turn)
    s.picture = np.clip(s.picture * np.exp(2.6 * away - 0.5)[..., None], 0, 255).astype(np.uint8)


# ---------------------------------------------------------------- cut, torn, put together wrongly


@kind
def last_rank_cut(s: Scratch):
    """The picture ends before the last rank as seen, at the line or a little after it"""
    _, top, _, bottom = s.upright()
    moved(s, s.picture[: round(top + (bottom - top) * s.rng.uniform(0.87, 0.9))])


@kind
def first_rank_cut(s: Scratch):
    """The picture begins after the first rank as seen"""
    _, top, _, bottom = s.upright()
    moved(s, s.picture[round(top + (bottom - top) * s.rng.uniform(0.1, 0.13)) :])


@kind
def file_cut(s: Scratch):
    """The picture ends before the last file, or begins after the first"""
    left, _, right, _ = s.upright()
    at = round(left + (right - left) * s.rng.uniform(0.1, 0.13))
    moved(s, s.picture[:, at:] if s.rng.random() < 0.5 else s.picture[:, : round(left + right - at)])


@kind
def rank_half_cut(s: Scratch):
    """The picture ends in the middle of the last rank"""
    _, top, _, bottom = s.upright()
    moved(s, s.picture[: round(top + (bottom - top) * s.rng.uniform(0.915, 0.965))])


@kind
def two_ranks_cut(s: Scratch):
    """The picture ends two ranks early"""
    _, top, _, bottom = s.upright()
    moved(s, s.picture[: round(top + (bottom - top) * s.rng.uniform(0.745, 0.775))])


@kind
def last_rank_cut_padded(s: Scratch):
    """The last rank is cut off, and the picture filled up with one color to its old size"""
    _, top, _, bottom = s.upright()
    at = round(top + (bottom - top) * 0.875)
    s.picture[at:] = [0, 255, s.rng.integers(256)][s.rng.integers(3)]
    s.covered |= {(7, c) for c in range(8)}
    if all(letter == "." for letter in s.seen[7]):
        raise Skip


def rank_line(s: Scratch, low: int, high: int) -> tuple[int, int]:
    """The pixel row of a line between two ranks, and the height of a rank."""
    _, top, _, bottom = s.upright()
    k = int(s.rng.integers(low, high))
    return round(top + (bottom - top) * k / 8), round((bottom - top) / 8)


@kind
def rank_twice(s: Scratch):
    """A rank appears twice (a scrolled picture put together wrongly)"""
    y, rank = rank_line(s, 1, 8)
    moved(s, np.concatenate([s.picture[:y], s.picture[y - rank :]]))


@kind
def rank_missing(s: Scratch):
    """A rank is missing between two others"""
    y, rank = rank_line(s, 1, 7)
    moved(s, np.concatenate([s.picture[:y], s.picture[y + rank :]]))


@kind(plausible=True)
def rank_replaced(s: Scratch):
    """A rank is a copy of the one two ranks above: the shades of the squares agree"""
    y, rank = rank_line(s, 3, 9)
    k = round((y - s.upright()[1]) / rank) - 1
    if k < 2 or k > 7 or s.seen[k] == s.seen[k - 2]:
        raise Skip
    low = s.flat.at(0)
    high = s.flat.at(8)
    s.flat.image[s.flat.at(k) : s.flat.at(k + 1), low:high] = s.flat.before[s.flat.at(k - 2) : s.flat.at(k - 1), low:high]
    s.covered |= {(k, c) for c in range(8)}


@kind
def scroll_seam(s: Scratch):
    """A part of a rank appears twice: 0.3 to 0.7 of it"""
    y, rank = rank_line(s, 1, 8)
    moved(s, np.concatenate([s.picture[:y], s.picture[y - round(rank * s.rng.uniform(0.3, 0.7)) :]]))


@kind
def torn_shifted(s: Scratch):
    """The lower part shifted sideways by a tenth of the picture and wrapped"""
    _, top, _, bottom = s.upright()
    y = round(top + (bottom - top) * s.rng.uniform(0.2, 0.85))
    s.picture[y:] = np.roll(s.picture[y:], round(s.picture.shape[1] * s.rng.choice([-0.1, 0.1])), 1)


def shift_ranks(s: Scratch, files: int):
    low, high, y = s.flat.at(0), s.flat.at(8), s.flat.at(int(s.rng.integers(2, 7)))
    s.flat.image[y:high, low:high] = np.roll(s.flat.before[y:high, low:high], files * s.flat.tile, 1)


@kind
def torn_by_one_file(s: Scratch):
    """The lower ranks shifted sideways by exactly one file and wrapped within the board: light and dark do not match"""
    shift_ranks(s, int(s.rng.choice([-1, 1])))


@kind(plausible=True)
def torn_by_two_files(s: Scratch):
    """The lower ranks shifted sideways by exactly two files and wrapped within the board"""
    shift_ranks(s, int(s.rng.choice([-2, 2])))


@kind
def torn_apart(s: Scratch):
    """The page torn along a slanted line, its parts laid with a gap"""
    h, w = s.picture.shape[:2]
    _, top, _, bottom = s.upright()
    edge = top + (bottom - top) * s.rng.uniform(0.3, 0.7) + np.linspace(-1, 1, w) * s.side * s.rng.uniform(-0.15, 0.15)
    edge = edge + np.cumsum(s.rng.normal(0, 0.4, w))
    gap, slip = round(s.side * s.rng.uniform(0.02, 0.08)), round(s.side * s.rng.uniform(-0.04, 0.04))
    out = np.full((h + gap, w, 3), s.rng.integers(0, 256), np.uint8)
    upper = np.arange(h)[:, None] < edge[None]
    out[:h][upper] = s.picture[upper]
    slipped, below = np.roll(s.picture, slip, 1), ~upper
    out[gap:][below] = slipped[below]
    moved(s, out)


@kind
def blocks_shuffled(s: Scratch):
    """Two squares with different content changed places (tiles that arrived in the wrong order)"""
    (r, c) = s.a_piece()
    er, ec = s.first([(r2, c2) for r2, c2 in s.squares(lambda x: x != s.seen[r][c]) if (r2 + c2 - r - c) % 2 == 1])
    one, two = s.flat.square(r, c).copy(), s.flat.square(er, ec).copy()
    s.flat.square(r, c)[:], s.flat.square(er, ec)[:] = two, one


@kind
def lines_missing(s: Scratch):
    """Rows of pixels are missing all over, so that the board is lower"""
    keep = s.rng.random(len(s.picture)) > s.rng.uniform(0.05, 0.15)
    moved(s, s.picture[keep])


@kind
def interlaced(s: Scratch):
    """Even and odd rows from two moments: a piece between, combs at its edges"""
    r, c, piece = s.flat.lift_any()[0]
    odd = s.flat.image.copy()
    s.flat.clear(r, c)
    s.flat.put(piece, c + s.rng.uniform(0.4, 1.2) * s.rng.choice([-1, 1]), r + s.rng.uniform(-0.5, 0.5))
    s.flat.image[1::2] = odd[1::2]


@kind
def dead_columns(s: Scratch):
    """Columns of a broken display: bright or black lines"""
    for x in s.rng.integers(0, s.picture.shape[1], s.rng.integers(2, 12)):
        s.picture[:, x : x + s.rng.integers(1, 3)] = s.rng.choice([0, 255], 3)


@kind
def scan_lines(s: Scratch):
    """Every second row dark, as on a tube"""
    s.picture[1::2] = s.picture[1::2] // 3


def bare(s: Scratch, subject, side: int) -> np.ndarray:
    inner = np.float32([[0, 0], [side, 0], [side, side], [0, side]])
    return warp(subject.picture, homography(subject.quad, inner), side, side)


@kind
def two_boards_touch(s: Scratch):
    """Two bare boards that touch, side by side or one above the other"""
    side = int(np.clip(round(s.side / 8), 16, 60)) * 8
    pair = [bare(s, s.subject, side), bare(s, s.other, side)]
    s.truths.append(s.other.truth)
    axis = int(s.rng.integers(2))
    rim = int(s.rng.integers(0, side // 8))
    moved(s, cv2.copyMakeBorder(np.concatenate(pair, axis), rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(255, 255, 255)))


@kind
def two_boards_offset(s: Scratch):
    """Two bare boards that touch, one of them lower by some squares"""
    side = int(np.clip(round(s.side / 8), 16, 60)) * 8
    step = int(s.rng.integers(1, 5)) * side // 8
    out = np.full((side + step, 2 * side, 3), 255, np.uint8)
    out[:side, :side], out[step:, side:] = bare(s, s.subject, side), bare(s, s.other, side)
    s.truths.append(s.other.truth)
    moved(s, out)


@kind
def halves_of_two_boards(s: Scratch):
    """The upper part of one board on the lower part of another, cut through a rank with pieces"""
    side = int(np.clip(round(s.side / 8), 16, 60)) * 8
    rank = s.first([r for r, _ in s.pieces() if 0 < r < 7])
    cut = round((rank + s.rng.uniform(0.35, 0.65)) * side / 8)
    one, two = bare(s, s.subject, side), bare(s, s.other, side)
    moved(s, cv2.copyMakeBorder(np.concatenate([one[:cut], two[cut:]]), 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=(255, 255, 255)))


@kind
def board_over_board(s: Scratch):
    """Another board lies over a corner of this one"""
    side = s.flat.at(8) - s.flat.at(0)
    small = cv2.resize(bare(s, s.other, side), (round(side * 0.6),) * 2, interpolation=cv2.INTER_AREA)
    x, y = s.rng.choice([-1.2, 4.4], 2)
    layer = s.flat.before.copy()
    place = layer[s.flat.at(y) : s.flat.at(y) + len(small), s.flat.at(x) : s.flat.at(x) + len(small)]
    place[:] = small[: place.shape[0], : place.shape[1]]
    s.flat.paint(s.flat.rect(x, y, len(small) / s.flat.tile, len(small) / s.flat.tile), layer)
    s.truths.append(s.other.truth)
    s.flat.must_hide()


# ---------------------------------------------------------------- cameras, scanners, copies


@kind
def perspective(s: Scratch):
    """Photographed from far aside, on a table"""
    h, w = s.picture.shape[:2]
    tilt = s.rng.uniform(0.12, 0.26)
    corners = np.float32([[tilt * w, 0.05 * h], [(1 - tilt) * w, 0.12 * h], [w, h], [0, 0.95 * h]])
    if s.rng.random() < 0.5:  # from the left instead of from below: the axes change places, the order of the corners stays
        corners = (corners[:, ::-1] * [w / h, h / w])[[0, 3, 2, 1]]
    source = np.float32([[0, 0], [w, 0], [w, h], [0, h]])
    ground = np.empty_like(s.picture)
    ground[:] = s.rng.uniform(20, 160, 3)
    moved(s, warp(s.picture, homography(source, corners), w, h, onto=ground))


@kind
def curled(s: Scratch):
    """A page that curls to its spine"""
    wide = with_rim(s, 0.07)
    h, w = wide.shape[:2]
    xx, yy = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    bend = s.side * s.rng.uniform(0.02, 0.06)
    yy += bend * np.sin(np.pi * (xx / w) * s.rng.uniform(0.7, 1.6) + s.rng.uniform(0, 3)).astype(np.float32)
    moved(s, cv2.remap(wide, xx, yy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@kind
def barrel(s: Scratch):
    """Lines bent outwards by a wide lens"""
    h, w = s.picture.shape[:2]
    xx, yy = np.meshgrid(np.linspace(-1, 1, w, dtype=np.float32), np.linspace(-1, 1, h, dtype=np.float32))
    pull = 1 + s.rng.uniform(0.04, 0.14) * (xx**2 + yy**2 - 1)
    moved(s, cv2.remap(s.picture, (xx * pull + 1) * w / 2, (yy * pull + 1) * h / 2, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@kind
def stretched(s: Scratch):
    """One axis 1.5 to 2 times as long as the other"""
    h, w = s.picture.shape[:2]
    by = s.rng.uniform(1.5, 2)
    moved(s, cv2.resize(s.picture, (w, round(h / by)) if s.rng.random() < 0.5 else (round(w / by), h), interpolation=cv2.INTER_AREA))


@kind
def wave(s: Scratch):
    """Rows that sway sideways (a scanner that slipped)"""
    wide = with_rim(s, 0.06)
    h, w = wide.shape[:2]
    xx, yy = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    sway = np.cumsum(s.rng.normal(0, s.side / 900, h)).astype(np.float32)[:, None]
    moved(s, cv2.remap(wide, xx + sway, yy, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


@kind
def half_resolution(s: Scratch):
    """Half of the resolution, kept small"""
    h, w = s.picture.shape[:2]
    moved(s, cv2.resize(s.picture, (w // 2, h // 2), interpolation=cv2.INTER_AREA))


@kind
def thumbnail(s: Scratch):
    """7 to 11 pixels a square"""
    by = s.rng.uniform(7, 11) * 8 / s.side
    moved(s, cv2.resize(s.picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA))


@kind
def thumbnail_enlarged(s: Scratch):
    """8 to 12 pixels a square, enlarged again"""
    h, w = s.picture.shape[:2]
    by = s.rng.uniform(8, 12) * 8 / s.side
    s.picture = cv2.resize(cv2.resize(s.picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA), (w, h), interpolation=cv2.INTER_CUBIC)


@kind
def nearest_resized(s: Scratch):
    """Made smaller without smoothing, so that thin lines vanish"""
    by = s.rng.uniform(0.3, 0.7)
    moved(s, cv2.resize(s.picture, None, fx=by, fy=by, interpolation=cv2.INTER_NEAREST))


@kind
def blurred(s: Scratch):
    """Out of focus: blur of a tenth to a sixth of a square"""
    s.picture = cv2.GaussianBlur(s.picture, (0, 0), s.side / 8 * s.rng.uniform(0.09, 0.16))


@kind
def shaken(s: Scratch):
    """Blurred along a line of a quarter to half a square"""
    length = max(3, int(s.side / 8 * s.rng.uniform(0.25, 0.5)))
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1 / length
    turn = cv2.getRotationMatrix2D(((length - 1) / 2,) * 2, s.rng.uniform(0, 180), 1)
    kernel = cv2.warpAffine(kernel, turn, (length, length))
    s.picture = cv2.filter2D(s.picture, -1, kernel / kernel.sum())


@kind
def double_exposure(s: Scratch):
    """Seen twice, a tenth to half of a square apart"""
    by = s.side / 8 * s.rng.uniform(0.1, 0.5)
    turn = s.rng.uniform(0, 2 * np.pi)
    dx, dy = round(by * np.cos(turn)), round(by * np.sin(turn))
    s.picture = cv2.addWeighted(s.picture, 0.5, np.roll(s.picture, (dy, dx), (0, 1)), 0.5, 0)


@kind
def two_boards_blended(s: Scratch):
    """Another board shines through at 25 to 45 %"""
    low, high = s.flat.at(0), s.flat.at(8)
    part = s.flat.image[low:high, low:high]
    share = s.rng.uniform(0.25, 0.45)
    part[:] = cv2.addWeighted(part, 1 - share, bare(s, s.other, high - low), share, 0)


@kind
def noisy(s: Scratch):
    """Strong noise"""
    s.picture = np.clip(s.picture + s.rng.normal(0, s.rng.uniform(25, 60), s.picture.shape), 0, 255).astype(np.uint8)


@kind
def salt_and_pepper(s: Scratch):
    """White and black pixels at random"""
    hit = s.rng.random(s.picture.shape[:2]) < s.rng.uniform(0.02, 0.12)
    s.picture[hit] = s.rng.choice([0, 255], hit.sum())[:, None]


@kind
def moire(s: Scratch):
    """A display photographed: its grid of red, green and blue dots beats with that of the camera"""
    by = min(1.0, 640 / max(s.picture.shape[:2]))
    small = cv2.resize(s.picture, None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    large = small.repeat(3, 0).repeat(3, 1).astype(np.float32)
    for channel in range(3):
        for column in range(3):
            large[:, column::3, channel] *= 2.1 if column == channel else 0.45
    large[2::3] *= 0.6
    h, w = large.shape[:2]
    out = (int(small.shape[1] * 1.5), int(small.shape[0] * 1.5))
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), s.rng.uniform(-5, 5), s.rng.uniform(0.36, 0.44))
    turn[:, 2] += np.array(out) / 2 - [w / 2, h / 2]
    shot = cv2.warpAffine(large, turn, out, flags=cv2.INTER_LINEAR)
    moved(s, np.clip(shot * 1.15, 0, 255).astype(np.uint8))


@kind
def fax(s: Scratch):
    """As a fax gives it: coarse, black and white, with lines lost and doubled"""
    by = min(1.0, 200 / s.side)
    small = cv2.resize(gray(s), None, fx=by, fy=by, interpolation=cv2.INTER_AREA)
    small = cv2.threshold(small, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
    for y in s.rng.integers(1, len(small), s.rng.integers(2, 9)):
        small[y] = [0, 255, small[y - 1]][s.rng.integers(3)]
    moved(s, from_gray(small))


@kind
def photocopied(s: Scratch):
    """The copy of a copy: blurred and hardened three times, with specks"""
    copy = gray(s)
    for _ in range(3):
        copy = cv2.GaussianBlur(copy, (0, 0), max(0.6, s.side / 500))
        copy = np.clip((copy.astype(np.float32) - 128) * 1.7 + 138, 0, 255).astype(np.uint8)
    copy[s.rng.random(copy.shape) < 0.002] = 0
    s.picture = from_gray(copy)


@kind
def ink_thick(s: Scratch):
    """Ink that ran: dark parts grown"""
    size = max(2, round(s.side / 8 * s.rng.uniform(0.05, 0.1)))
    s.picture = cv2.erode(s.picture, np.ones((size, size), np.uint8))


@kind
def ink_thin(s: Scratch):
    """Ink that did not take: dark parts shrunk, with gaps"""
    size = max(2, round(s.side / 8 * s.rng.uniform(0.03, 0.06)))
    thin = cv2.dilate(s.picture, np.ones((size, size), np.uint8)).astype(np.float32)
    gaps = cv2.GaussianBlur(s.rng.normal(0, 1, thin.shape[:2]).astype(np.float32), (0, 0), s.side / 200)
    gaps = np.clip(gaps / gaps.std() - 0.6, 0, 1)[..., None]
    s.picture = np.clip(thin + gaps * (255 - thin), 0, 255).astype(np.uint8)


@kind
def ridged_light(s: Scratch):
    """Bands of light and dark, as lamps and displays leave them on a rolling shutter"""
    wave = 1 + 0.45 * np.sin(np.arange(len(s.picture)) * 2 * np.pi / (s.side * s.rng.uniform(0.1, 0.5)) + s.rng.uniform(0, 6))
    s.picture = np.clip(s.picture * wave[:, None, None], 0, 255).astype(np.uint8)


@kind
def jpeg_5(s: Scratch):
    """JPEG of quality 5"""
    s.picture = cv2.imdecode(cv2.imencode(".jpg", s.picture, [cv2.IMWRITE_JPEG_QUALITY, 5])[1], cv2.IMREAD_COLOR)


@kind
def jpeg_30_times(s: Scratch):
    """Saved as JPEG thirty times, with small shifts"""
    for i in range(30):
        s.picture = np.roll(s.picture, 1 if i % 2 else -1, i // 2 % 2)
        data = cv2.imencode(".jpg", s.picture, [cv2.IMWRITE_JPEG_QUALITY, int(s.rng.integers(25, 60))])[1]
        s.picture = cv2.imdecode(data, cv2.IMREAD_COLOR)


@kind
def oversharpened(s: Scratch):
    """Sharpened until every edge has a bright and a dark rim"""
    soft = cv2.GaussianBlur(s.picture, (0, 0), max(1, s.side / 250))
    s.picture = cv2.addWeighted(s.picture, 5, soft, -4, 0)


@kind
def median_filtered(s: Scratch):
    """Smoothed until shapes run together (as noise filters and phone cameras do)"""
    size = max(3, int(s.side / 8 * s.rng.uniform(0.12, 0.22)) // 2 * 2 + 1)
    s.picture = cv2.medianBlur(s.picture, size)
