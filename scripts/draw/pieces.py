"""Generated pieces: sets in the Staunton tradition from a few dozen random measures.

What makes a rook a rook is not its outline in any one set. Every set made here has a crenellated rook, a bishop
with a slit miter (or a fool's cap), a horse's head, a crown with points, a crown with a cross and a small round pawn; everything else is
random: proportions, corners or curves, line widths, what is drawn inside.
"""

from __future__ import annotations

import cv2
import numpy as np

SIZE = 96
FINE = 2 * SIZE  # drawn large, then shrunk


def invent_pieces(rng, outlined: bool) -> np.ndarray:
    """[13, 96, 96, 4] RGBA float32 in 0..1: the sprites of one set, index 0 transparent. `outlined`: white pieces
    show on white paper."""
    style = Style(rng, outlined)
    shapes = [getattr(style, name)() for name in ("pawn", "knight", "bishop", "rook", "queen", "king")]
    out = np.zeros((13, SIZE, SIZE, 4), np.float32)
    for role, (solid, lines) in enumerate(shapes, start=1):
        for side in (0, 1):
            out[role + 6 * side] = style.ink(solid, lines, black=bool(side))
    return out


class Style:
    """The measures that all pieces of a set share. Lengths are parts of the square; y is the height above its foot."""

    def __init__(self, rng, outlined):
        self.rng, self.outlined = rng, outlined
        u = rng.uniform
        self.curved = rng.random() < 0.7
        self.foot = u(0.24, 0.40)  # half width of the base of a large piece
        self.base = u(0.05, 0.16)  # its height
        self.steps = int(rng.integers(0, 3))  # moldings above the base
        self.neck = u(0.07, 0.17)
        self.flare = u(0.6, 2.6)  # how the body narrows: above 1 it is hollow
        self.collar = u(0.0, 0.09) if rng.random() < 0.7 else 0.0
        self.floor = u(0.03, 0.14)
        self.tall = u(0.74, 0.92)  # height of the king
        self.spread = u(0.5, 1.0)  # how much less tall the others are
        self.line = u(0.012, 0.05)
        self.inner = u(0.010, 0.035)
        self.details = rng.random() < 0.8
        self.light = np.float32(rng.uniform(0.82, 1.0, 3) if rng.random() < 0.4 else [1, 1, 1])
        self.dark = np.float32(rng.uniform(0.0, 0.35, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(0, 0.15)))
        self.black_outline = rng.random()  # below a half: as dark as its fill; else light
        self.hollow = rng.random() < 0.25  # black pieces drawn without lines inside
        self.balls = rng.random() < 0.75
        self.turned = not outlined and rng.random() < 0.35  # shaded as if turned on a lathe, and then without an outline
        self.sun = u(-0.7, 0.7)
        self.gloss = u(0.0, 0.5)

    # -------------------------------------------------------------- the six pieces: silhouette and lines inside

    def pawn(self):
        s, rng = Sketch(), self.rng
        height = self.tall * rng.uniform(0.62, 0.8)
        head = rng.uniform(0.10, 0.17)
        top = self.body(s, 0.82 * self.foot, height - 1.5 * head, 0.9)
        s.disc(0, height - head, head, head * rng.uniform(0.85, 1.1))
        s.rect(0, (top + height - head) / 2, self.neck * 0.8, (height - head - top) / 2 + 0.02)
        return s.solid, s.lines

    def rook(self):
        s, rng = Sketch(), self.rng
        height = self.height(0.75)
        crown, wide = rng.uniform(0.13, 0.24), self.foot * rng.uniform(0.68, 0.98)
        waist = wide * rng.uniform(0.6, 0.95)
        top = self.body(s, self.foot, height - crown, 1.0, neck=waist, flare=min(self.flare, 1.2))
        notch = crown * rng.uniform(0.3, 0.6)
        teeth = int(rng.choice([2, 3, 3, 3, 4]))
        s.lathe([(waist, top - 0.01), (wide, top + 0.3 * crown), (wide, height - notch)])
        gap = rng.uniform(0.35, 0.55)
        pitch = 2 * wide / (teeth + (teeth - 1) * gap)
        for i in range(teeth):
            left = -wide + i * pitch * (1 + gap)
            s.poly([(left, height - notch - 0.01), (left, height), (left + pitch, height), (left + pitch, height - notch - 0.01)])
        if self.details:
            s.stroke([(-wide, height - notch - 0.04), (wide, height - notch - 0.04)], self.inner)
            s.stroke([(-waist, top), (waist, top)], self.inner)
        return s.solid, s.lines

    def bishop(self):
        return self.runner() if self.rng.random() < 0.12 else self.miter()

    def runner(self):
        """The bishop as a fool or runner: a leaning bust with a pointed cap."""
        s, rng = Sketch(), self.rng
        height = self.height(0.85)
        y, half = self.pedestal(s, self.foot * rng.uniform(0.7, 1.0))
        lean, head = rng.choice([-1, 1]) * rng.uniform(0.02, 0.16), rng.uniform(0.08, 0.13)
        cap = rng.uniform(0.8, 1.6) * head
        neck = max(y + 0.1, height - cap - 1.6 * head)
        wide = rng.uniform(0.05, 0.09)
        s.poly([(-half, y - 0.01), (lean - wide, neck), (lean + wide, neck), (half, y - 0.01)])
        x, middle = lean * 1.25, neck + 0.8 * head
        s.disc(x, middle, head, head * rng.uniform(0.8, 1.1))
        tip = x + np.sign(lean) * rng.uniform(-0.4, 1.6) * head
        s.poly([(x - head, middle + 0.2 * head), (tip, middle + 0.6 * head + cap), (x + head, middle + 0.2 * head)])
        if rng.random() < 0.5:  # a collar
            s.disc(lean, neck, wide * rng.uniform(1.2, 2.0), 0.03)
        if self.details:
            s.stroke([(x - head, middle + 0.2 * head), (x + head, middle + 0.2 * head)], self.inner)
            s.stroke([(-half * 0.8, y + 0.04), (lean, neck - 0.03)], self.inner)
        return s.solid, s.lines

    def miter(self):
        s, rng = Sketch(), self.rng
        height = self.height(0.9)
        ball = rng.uniform(0.03, 0.06) if self.balls else 0.005
        tall, wide = rng.uniform(0.3, 0.42), rng.uniform(0.13, 0.22)
        top = self.body(s, self.foot, height - tall - 2 * ball, 1.0)
        low = top - 0.02
        curve = [(wide * np.sin(np.pi * t) ** 0.8 * (1.25 - 0.5 * t) if 0 < t < 1 else 0.02, low + tall * t) for t in np.linspace(0, 1, 15)]
        s.lathe([(self.neck, low)] + curve[2:])
        s.disc(0, height - ball, ball, ball)
        kind = rng.random()
        middle = low + 0.5 * tall
        if kind < 0.55:  # the slit
            x, y = wide * rng.uniform(0.0, 0.5), middle
            end = x + wide * rng.uniform(0.4, 0.8), y + tall * rng.uniform(0.25, 0.5)
            s.stroke([(x, y), end], max(self.inner, rng.uniform(0.015, 0.04)), cut=rng.random() < 0.4)
        elif kind < 0.9:  # a cross on the miter
            arm = wide * rng.uniform(0.35, 0.6)
            s.stroke([(-arm, middle), (arm, middle)], self.inner)
            s.stroke([(0, middle - arm), (0, middle + arm)], self.inner)
        if self.details:
            s.stroke([(-self.neck * 1.2, low + 0.06), (self.neck * 1.2, low + 0.06)], self.inner)
        return s.solid, s.lines

    def queen(self):
        s, rng = Sketch(), self.rng
        height = self.height(0.97)
        points = int(rng.choice([3, 4, 5, 5, 6, 7, 9]))
        wide, tall = self.foot * rng.uniform(0.85, 1.2), rng.uniform(0.26, 0.5)
        band = self.neck * rng.uniform(1.0, 1.9)
        top = self.body(s, self.foot, height - tall, 1.0, neck=min(band, self.foot * 0.9))
        ball = rng.uniform(0.025, 0.055) if rng.random() < 0.75 else 0.0
        arch = rng.uniform(0.0, 0.25) * tall  # the middle points stand higher
        depth = rng.uniform(0.35, 0.75)
        ring = [(-band, top - 0.02)]
        tips = []
        for i in range(points):
            x = -wide + 2 * wide * i / (points - 1)
            y = height - ball - arch * (x / wide) ** 2
            tips.append((x, y))
            ring.append((x, y))
            if i < points - 1:
                mid = x + wide / (points - 1)
                ring.append((mid * 0.9, top + (y - top) * (1 - depth)))
        s.poly(ring + [(band, top - 0.02)])
        for x, y in tips:
            if ball:
                s.disc(x, y, ball, ball)
        if self.details:
            for y in np.linspace(top, top + 0.3 * tall * (1 - depth), int(rng.integers(1, 3))):
                s.stroke([(-band, y), (0, y + rng.uniform(-0.02, 0.03)), (band, y)], self.inner)
        return s.solid, s.lines

    def king(self):
        s, rng = Sketch(), self.rng
        height = self.tall
        cross = rng.uniform(0.12, 0.22)
        wide, tall = self.foot * rng.uniform(0.7, 1.12), rng.uniform(0.22, 0.42)
        band = self.neck * rng.uniform(1.0, 1.9)
        low = height - cross - tall
        top = self.body(s, self.foot, low, 1.0, neck=min(band, self.foot * 0.9))
        kind = rng.random()
        if kind < 0.4:  # two lobes
            for side in (-1, 1):
                s.disc(side * wide * 0.5, top + tall * 0.55, wide * 0.55, tall * 0.5)
            s.poly([(-band, top - 0.02), (-wide * 0.8, top + tall * 0.4), (wide * 0.8, top + tall * 0.4), (band, top - 0.02)])
            s.disc(0, top + tall * 0.7, wide * 0.28, tall * 0.35)
        else:  # a cup, open or domed
            dome = rng.uniform(0.0, 0.35) * tall
            s.poly([(-band, top - 0.02), (-wide, top + tall - dome), (0, top + tall), (wide, top + tall - dome), (band, top - 0.02)])
        arm, thick = cross * rng.uniform(0.32, 0.5), cross * rng.uniform(0.10, 0.2)
        s.rect(0, height - cross / 2, thick, cross / 2 + 0.02)
        s.rect(0, height - cross * rng.uniform(0.35, 0.6), arm, thick)
        if self.details:
            s.stroke([(-band, top + 0.03), (band, top + 0.03)], self.inner)
            if kind < 0.4:
                s.stroke([(0, top), (0, top + tall * 0.8)], self.inner)
        return s.solid, s.lines

    def knight(self):
        s, rng = Sketch(), self.rng
        height = self.height(0.9)
        width = rng.uniform(0.85, 1.15)
        outline = [
            *[(0.30, 0.10), (0.35, 0.30), (0.33, 0.52), (0.24, 0.74), (0.08, 0.87)],  # the back, up to the ear
            *[(0.03, 1.0), (-0.04, 0.88), (-0.14, 0.80), (-0.24, 0.64), (-0.36, 0.48)],  # ear, forehead, nose
            *[(-0.36, 0.39), (-0.29, 0.34), (-0.20, 0.41), (-0.08, 0.45), (-0.02, 0.44)],  # muzzle, jaw, throat
            *[(-0.08, 0.34), (-0.20, 0.22), (-0.24, 0.10)],  # the chest
        ]
        moved = np.float32(outline) + rng.normal(0, 0.018, (len(outline), 2))
        neck = rng.uniform(-0.06, 0.06)
        moved[:, 0] = moved[:, 0] * width + neck * np.sin(np.pi * moved[:, 1])
        moved[:, 1] = self.floor + moved[:, 1] * (height - self.floor)
        s.poly(smooth(moved) if self.curved or rng.random() < 0.5 else moved)
        self.pedestal(s, self.foot * rng.uniform(0.85, 1.05))
        at = self.floor + 0.68 * (height - self.floor)
        s.disc_line(-0.12 * width, at, rng.uniform(0.015, 0.03))
        if self.details:
            mane = moved[1:5] - np.float32([0.06, 0.0])
            s.stroke([tuple(p) for p in mane], self.inner)
            if rng.random() < 0.6:
                s.stroke([tuple(moved[10] + np.float32([0.03, 0.02])), tuple(moved[10] + np.float32([0.10, 0.04]))], self.inner)
        return s.solid, s.lines

    # -------------------------------------------------------------- shared parts

    def height(self, share):
        return self.tall * (1 - (1 - share) * self.spread * self.rng.uniform(0.5, 1.4))

    def pedestal(self, s, foot):
        """The base with its moldings; returns the height at which the body begins and its half width there."""
        y, half = self.floor, foot
        s.rect(0, y + self.base / 2, half, self.base / 2)
        y += self.base
        for _ in range(self.steps):
            half *= 0.85
            step = self.base * 0.4
            s.rect(0, y + step / 2, half, step / 2 + 0.004)
            y += step
            if self.details:
                s.stroke([(-half, y - step), (half, y - step)], self.inner)
        return y, half * 0.9

    def body(self, s, foot, top, scale, neck=None, flare=None):
        """Base, body and collar up to about `top`; returns where the head begins."""
        neck = (self.neck if neck is None else neck) * scale
        y, half = self.pedestal(s, foot)
        top = max(top, y + 0.06)
        part = np.linspace(0, 1, 9)
        power = self.flare if flare is None else flare
        widths = neck + (half - neck) * (1 - part) ** (power if self.curved else 1.0)
        s.lathe([(w, y - 0.01 + (top - y + 0.01) * t) for w, t in zip(widths, part, strict=True)])
        if self.collar:
            s.disc(0, top, neck + self.collar, 0.025 + self.collar * 0.3)
            if self.details:
                s.stroke([(-neck - self.collar, top - 0.02), (neck + self.collar, top - 0.02)], self.inner)
        return top

    def ink(self, solid, lines, black):
        """Colors one silhouette: fill, outline, and lines that stand out from the fill."""
        width = max(1, int(round(self.line * FINE)))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * width + 1, 2 * width + 1))
        core = cv2.erode(solid, kernel)
        fill, line = (self.dark, self.light) if black else (self.light, self.dark)
        edge = fill if black and self.black_outline < 0.5 else line
        if not black and not self.outlined and self.black_outline > 0.85:
            edge = fill
        strength = 0.0 if black and self.hollow else 1.0
        color = core[..., None] * fill + (1 - core[..., None]) * edge
        drawn = (lines * core)[..., None] * strength
        color = color + drawn * (line - color)
        if self.turned:
            color = self.shade(solid, fill, line, drawn)
        rgba = np.concatenate([color * solid[..., None], solid[..., None]], -1).astype(np.float32)
        small = cv2.resize(rgba, (SIZE, SIZE), interpolation=cv2.INTER_AREA)
        small[..., :3] /= np.maximum(small[..., 3:], 1e-3)
        return np.clip(small, 0, 1)


    def shade(self, solid, fill, line, drawn):
        """The piece as a body of revolution in light from one side: each row is as round as it is wide."""
        inside = solid > 0.5
        left, right = inside.argmax(1), FINE - 1 - inside[:, ::-1].argmax(1)
        middle, half = (left + right) / 2, np.maximum((right - left) / 2, 1)
        across = np.clip((np.arange(FINE)[None] - middle[:, None]) / half[:, None], -1, 1)
        facing = np.clip(across * self.sun + np.sqrt(1 - across**2) * np.sqrt(1 - self.sun**2), 0, 1)[..., None]
        color = fill * (0.45 + 0.55 * facing) + self.gloss * facing**12
        return np.clip(color + 0.6 * drawn * (line - color), 0, 1)


class Sketch:
    """Silhouette and inner lines of one piece, [FINE, FINE] coverage each."""

    def __init__(self):
        self.solid, self.lines = np.zeros((FINE, FINE), np.float32), np.zeros((FINE, FINE), np.float32)

    @staticmethod
    def pixels(points):
        p = np.float32(points)
        return np.round(np.stack([(p[:, 0] + 0.5) * FINE, (1 - p[:, 1]) * FINE], -1)).astype(np.int32)

    def poly(self, points):
        cv2.fillPoly(self.solid, [self.pixels(points)], 1.0)

    def lathe(self, profile):
        """A shape that is alike on both sides of its axis, from (half width, height) pairs."""
        self.poly([(-w, y) for w, y in profile] + [(w, y) for w, y in reversed(profile)])

    def rect(self, x, y, half_width, half_height):
        left, right, low, high = x - half_width, x + half_width, y - half_height, y + half_height
        self.poly([(left, low), (left, high), (right, high), (right, low)])

    def disc(self, x, y, rx, ry):
        turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
        self.poly(np.stack([x + rx * np.cos(turn), y + ry * np.sin(turn)], -1))

    def disc_line(self, x, y, radius):
        cv2.circle(self.lines, tuple(int(v) for v in self.pixels([(x, y)])[0]), max(1, int(radius * FINE)), 1.0, -1)

    def stroke(self, points, width, cut=False):
        """A line inside the piece, or one cut out of it."""
        onto, value = (self.solid, 0.0) if cut else (self.lines, 1.0)
        cv2.polylines(onto, [self.pixels(points)], False, value, max(1, int(round(width * FINE))))


def smooth(points, steps=6):
    """A closed Catmull-Rom curve through the points."""
    p0, p1, p2, p3 = (np.roll(points, k, axis=0)[:, None] for k in (1, 0, -1, -2))
    t = np.linspace(0, 1, steps, endpoint=False, dtype=np.float32)[None, :, None]
    curve = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    return curve.reshape(-1, 2)
