"""A picture to be damaged, and what the kinds of damage draw with.

Positions on the board are in squares: (0, 0) is the top left corner as seen, (8, 8) the bottom right one. Colors are RGB."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from draw.views import homography, warp

ROOM = 2  # squares around the board that the flat picture shows
DARK, WHITE = (24, 24, 28), (255, 255, 255)


class Skip(Exception):
    """This kind of damage cannot be done to this picture: another one is taken."""


@dataclass
class Subject:
    """A picture with one board that is read right and accepted: `picture` [H, W, 3] RGB uint8; `quad`: corners of the squares,
    clockwise from the top left as seen, [4, 2] pixels; `seen`: eight rows of eight FEN letters as seen, `.` for empty;
    `truth`: the same 64 letters in the true orientation, a8 first."""

    name: str
    family: str
    picture: np.ndarray
    quad: np.ndarray
    seen: list[str]
    truth: str


@dataclass
class Kind:
    """`plausible`: what is left may look like another position, or like what honest pictures show, and nobody could tell."""

    name: str
    does: str
    function: Callable[[Scratch], None]
    plausible: bool = False


def registry() -> tuple[list[Kind], Callable]:
    """A list of kinds and the decorator that fills it; a kind is named after its function."""
    kinds: list[Kind] = []

    def kind(function=None, *, plausible=False):
        if function is None:
            return lambda function: kind(function, plausible=plausible)
        kinds.append(Kind(function.__name__.replace("_", "-"), function.__doc__, function, plausible))
        return function

    return kinds, kind


class Scratch:
    """A copy of a subject while it is damaged.

    `picture` is the whole picture. `flat` is the board as rectified, with `ROOM` squares around; what is changed there goes back
    into the picture when `settle` is called. `truths`: what may be accepted, 64 letters each; `covered`: squares nobody can see,
    (row, column) as seen; `quad`: where the board is, None when it was moved; `data` and `suffix`: a file, if not a plain PNG."""

    def __init__(self, subject: Subject, other: Subject, rng: np.random.Generator):
        self.subject, self.other, self.rng = subject, other, rng
        self.picture = subject.picture.copy()
        self.quad: np.ndarray | None = subject.quad
        self.seen = subject.seen
        self.truths = [subject.truth]
        self.covered: set[tuple[int, int]] = set()
        self.data: bytes | None = None
        self.suffix = ".png"
        self._flat: Flat | None = None

    @property
    def side(self) -> float:
        """Mean length of the board's sides in pixels."""
        return float(np.linalg.norm(self.subject.quad - np.roll(self.subject.quad, 1, 0), axis=1).mean())

    @property
    def flat(self) -> Flat:
        if self._flat is None:
            self._flat = Flat(self)
        return self._flat

    def settle(self):
        if self._flat is not None:
            self.picture = self._flat.back_onto(self.picture)
            self._flat = None

    def upright(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of a board whose sides are level; others are skipped."""
        left, top = self.subject.quad.min(0)
        right, bottom = self.subject.quad.max(0)
        if np.abs(self.subject.quad - [[left, top], [right, top], [right, bottom], [left, bottom]]).max() > 0.08 * self.side:
            raise Skip
        return float(left), float(top), float(right), float(bottom)

    def squares(self, wanted: Callable[[str], bool]) -> list[tuple[int, int]]:
        """Squares whose letter is wanted, in random order."""
        found = [(r, c) for r in range(8) for c in range(8) if wanted(self.seen[r][c])]
        self.rng.shuffle(found)
        return found

    def a_piece(self) -> tuple[int, int]:
        return self.first(self.squares(lambda letter: letter != "."))

    def pieces(self) -> list[tuple[int, int]]:
        return self.squares(lambda letter: letter != ".")

    def empties(self) -> list[tuple[int, int]]:
        return self.squares(lambda letter: letter == ".")

    @staticmethod
    def first(found: list):
        if not found:
            raise Skip
        return found[0]


class Flat:
    """The rectified board: `image` [H, W, 3] uint8, `tile` pixels a square."""

    def __init__(self, scratch: Scratch):
        self.scratch, self.rng, self.seen = scratch, scratch.rng, scratch.seen
        self.tile = int(np.clip(round(scratch.side / 8), 20, 80))
        self.length = (8 + 2 * ROOM) * self.tile
        low, high = ROOM * self.tile, (8 + ROOM) * self.tile
        inner = np.float32([[low, low], [high, low], [high, high], [low, high]])
        self.matrix = homography(scratch.subject.quad, inner)
        self.before = warp(scratch.picture, self.matrix, self.length, self.length)
        self.image = self.before.copy()

    def back_onto(self, picture: np.ndarray) -> np.ndarray:
        h, w = picture.shape[:2]
        changed = (self.image != self.before).any(-1).astype(np.float32)
        back = np.linalg.inv(self.matrix)
        alpha = warp(cv2.copyMakeBorder(changed[1:-1, 1:-1], 1, 1, 1, 1, cv2.BORDER_CONSTANT), back, w, h)[..., None]
        return np.rint(picture + alpha * (warp(self.image, back, w, h).astype(np.float32) - picture)).astype(np.uint8)

    # ------------------------------------------------------------ squares and pieces

    def at(self, v: float) -> int:
        """A coordinate of the board, in squares, as a pixel of the flat picture."""
        return round((v + ROOM) * self.tile)

    def square(self, r: int, c: int) -> np.ndarray:
        """The pixels of a square (a view: changes go into the flat picture)."""
        y, x = self.at(r), self.at(c)
        return self.image[y : y + self.tile, x : x + self.tile]

    def empty_like(self, r: int, c: int) -> np.ndarray:
        """How the square would look without a piece: the nearest empty square of its shade, in its light."""
        alike = [p for p in self.scratch.empties() if (sum(p) - r - c) % 2 == 0 and p != (r, c)]
        if not alike:
            raise Skip
        nearest = min(alike, key=lambda p: np.hypot(p[0] - r, p[1] - c))
        y, x = self.at(nearest[0]), self.at(nearest[1])
        found = self.before[y : y + self.tile, x : x + self.tile].astype(np.float32)
        y, x = self.at(r), self.at(c)
        own = self.before[y : y + self.tile, x : x + self.tile].astype(np.float32)
        corner = max(2, self.tile // 8)  # pieces leave the upper corners of their square free

        def light(tile):
            return np.median(np.concatenate([tile[1:corner, 1:corner], tile[1:corner, -corner:-1]]).reshape(-1, 3), 0)

        step = light(own) - light(found)
        if np.abs(step).max() > 30:  # a marked square, or a piece in the corner
            step = 0
        return np.clip(found + step, 0, 255)

    def clear(self, r: int, c: int):
        self.square(r, c)[:] = self.empty_like(r, c)

    def lift(self, r: int, c: int) -> np.ndarray:
        """The piece of a square as [t, t, 4] float32, colors 0 to 255 and alpha 0 to 1."""
        empty = self.empty_like(r, c)
        y, x = self.at(r), self.at(c)
        own = self.before[y : y + self.tile, x : x + self.tile].astype(np.float32)
        gap = cv2.GaussianBlur(np.abs(own - empty).max(-1), (0, 0), max(0.5, self.tile / 60))
        ink = (gap > 26).astype(np.uint8)
        ink = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        outlines, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        filled = np.zeros_like(ink)
        for outline in outlines:
            if cv2.contourArea(outline) > 0.012 * self.tile**2:
                cv2.drawContours(filled, [outline], -1, 1, -1)
        rim = np.concatenate([filled[0], filled[-1], filled[:, 0], filled[:, -1]]).mean()
        if not 0.1 < filled.mean() < 0.8 or rim > 0.35:
            raise Skip
        alpha = cv2.GaussianBlur(filled.astype(np.float32), (0, 0), 0.6)
        return np.dstack([own, alpha])

    def lift_any(self, count: int = 1) -> list:
        """Pieces that can be cut out, at random: `count` of (row, column, cut piece)."""
        found = []
        for r, c in self.scratch.pieces():
            try:
                found.append((r, c, self.lift(r, c)))
            except Skip:
                continue
            if len(found) == count:
                return found
        raise Skip

    def put(self, piece: np.ndarray, x: float, y: float, scale: float = 1.0, opacity: float = 1.0, shadow: float = 0.0):
        """Puts a cut piece with the top left of its square at x, y."""
        size = max(4, round(self.tile * scale))
        piece = cv2.resize(piece, (size, size), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        alpha = np.zeros((self.length, self.length), np.float32)
        color = np.zeros((self.length, self.length, 3), np.float32)
        x0, y0 = self.at(x), self.at(y)
        cut = alpha[max(0, y0) : y0 + size, max(0, x0) : x0 + size]
        part = piece[max(0, -y0) :, max(0, -x0) :][: cut.shape[0], : cut.shape[1]]
        cut[:] = np.clip(part[..., 3], 0, 1)
        color[max(0, y0) : y0 + size, max(0, x0) : x0 + size] = np.clip(part[..., :3], 0, 255)
        if shadow:
            soft = cv2.GaussianBlur(np.roll(alpha, self.tile // 12, 0), (0, 0), self.tile / 12)
            self.paint(soft * shadow, (0, 0, 0), covers=False)
        self.paint(alpha * opacity, color, covers=False)

    # ------------------------------------------------------------ shapes, as masks [H, W] in 0..1

    def mask(self) -> np.ndarray:
        return np.zeros((self.length, self.length), np.float32)

    def rect(self, x: float, y: float, w: float, h: float) -> np.ndarray:
        out = self.mask()
        out[max(0, self.at(y)) : max(0, self.at(y + h)), max(0, self.at(x)) : max(0, self.at(x + w))] = 1
        return out

    def rounded(self, x: float, y: float, w: float, h: float, radius: float) -> np.ndarray:
        """A box with round corners."""
        radius = min(radius, w / 2, h / 2)
        corners = [(x + radius, y + radius), (x + w - radius, y + radius), (x + w - radius, y + h - radius), (x + radius, y + h - radius)]
        around = [(px + radius * np.cos(a), py + radius * np.sin(a)) for px, py in corners for a in np.linspace(0, 2 * np.pi, 24)]
        hull = cv2.convexHull(np.float32(around))[:, 0]
        return self.polygon(hull)

    def polygon(self, points) -> np.ndarray:
        out = np.zeros((self.length, self.length), np.uint8)
        pixels = np.rint((np.asarray(points, np.float64) + ROOM) * self.tile * 16).astype(np.int32)
        cv2.fillPoly(out, [pixels], 255, cv2.LINE_AA, 4)
        return out.astype(np.float32) / 255

    def ellipse(self, x: float, y: float, rx: float, ry: float, angle: float = 0.0) -> np.ndarray:
        turn = np.linspace(0, 2 * np.pi, 90)
        px, py = rx * np.cos(turn), ry * np.sin(turn)
        return self.polygon(np.stack([x + px * np.cos(angle) - py * np.sin(angle), y + px * np.sin(angle) + py * np.cos(angle)], 1))

    def stroke(self, points, width: float, closed: bool = False) -> np.ndarray:
        """A line with round ends, `width` in squares."""
        out = np.zeros((self.length, self.length), np.uint8)
        pixels = np.rint((np.asarray(points, np.float64) + ROOM) * self.tile * 16).astype(np.int32)
        cv2.polylines(out, [pixels], closed, 255, max(1, round(width * self.tile)), cv2.LINE_AA, 4)
        return out.astype(np.float32) / 255

    def blob(self, x: float, y: float, radius: float, rough: float = 0.2) -> np.ndarray:
        """A round shape with an uneven outline."""
        turn = np.linspace(0, 2 * np.pi, 120)
        reach = np.ones(120)
        for wave in range(2, 7):
            reach += rough / wave * np.sin(wave * turn + self.rng.uniform(0, 2 * np.pi))
        return self.polygon(np.stack([x + radius * reach * np.cos(turn), y + radius * reach * np.sin(turn)], 1))

    def text(self, string: str, x: float, y: float, size: float) -> np.ndarray:
        """Letters `size` squares high with their top left at x, y."""
        out = Image.new("L", (self.length, self.length))
        ImageDraw.Draw(out).text((self.at(x), self.at(y)), string, fill=255, font=typeface(max(6, round(size * self.tile))))
        return np.asarray(out, np.float32) / 255

    def text_width(self, string: str, size: float) -> float:
        return typeface(max(6, round(size * self.tile))).getlength(string) / self.tile

    def paint(self, alpha: np.ndarray, color, covers: bool = True):
        """Blends a color or a picture over the flat board. `covers`: squares mostly under it count as not visible."""
        alpha = alpha[..., None]
        over = np.broadcast_to(np.float32(color), self.image.shape)
        self.image[:] = np.rint(self.image + alpha * (over - self.image)).clip(0, 255)
        if covers:
            self.cover(alpha[..., 0] > 0.8)

    def cover(self, hidden: np.ndarray):
        """Notes the squares that a mask hides by more than three fifths of their middle."""
        inset = max(1, self.tile // 8)
        for r in range(8):
            for c in range(8):
                y, x = self.at(r), self.at(c)
                if hidden[y + inset : y + self.tile - inset, x + inset : x + self.tile - inset].mean() > 0.6:
                    self.scratch.covered.add((r, c))

    def must_hide(self, pieces: int = 1):
        """Skips the picture unless so many pieces are among the squares covered: what hides empty squares only is not wrong."""
        if sum(self.seen[r][c] != "." for r, c in self.scratch.covered) < pieces:
            raise Skip

    def shade(self, dark: bool) -> np.ndarray:
        """The color of the light or dark squares: the median of the empty ones."""
        found = [self.square(r, c).reshape(-1, 3) for r, c in self.scratch.empties() if (r + c) % 2 == dark]
        if not found:
            raise Skip
        return np.median(np.concatenate(found), 0)


_faces: dict[int, ImageFont.FreeTypeFont] = {}


def typeface(pixels: int) -> ImageFont.FreeTypeFont:
    """The font that comes with Pillow."""
    if pixels not in _faces:
        _faces[pixels] = ImageFont.load_default(pixels)
    return _faces[pixels]
