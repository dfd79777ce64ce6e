"""What lies over the board and hides squares: windows, hands, patches, holes."""

from __future__ import annotations

import cv2
import numpy as np

from .scratch import DARK, WHITE, Scratch, Skip, registry

KINDS, kind = registry()

WORDS = (
    "Save Cancel Settings Resign Offer draw New game Rematch Your move White wins by checkmate Opponent left Low battery "
    "Connection lost Analysis board Share Copy FEN Download update available Accept cookies message from friend at 10:32"
).split()
TITLES = ("Game over", "Checkmate!", "Settings", "Save changes?", "White wins", "Connection lost", "Message", "Update available")


def words(s: Scratch, count: int) -> str:
    return " ".join(s.rng.choice(WORDS, count))


def lines(s: Scratch, x: float, y: float, w: float, h: float, size: float, color):
    """A block of text in a box."""
    for row in np.arange(y, y + h - size, size * 1.5):
        count = int(s.rng.integers(2, 7))
        while count and s.flat.text_width(line := words(s, count), size) > w:
            count -= 1
        if count:
            s.flat.paint(s.flat.text(line, x, row, size), color, covers=False)


def gray_or_color(s: Scratch) -> np.ndarray:
    return np.full(3, s.rng.uniform(0, 255)) if s.rng.random() < 0.5 else s.rng.uniform(0, 255, 3)


def patch_color(s: Scratch, r: int, c: int) -> np.ndarray:
    """A color that differs from the square's own by 25 levels at least."""
    while np.abs((color := gray_or_color(s)) - s.flat.shade((r + c) % 2 == 1)).max() < 25:
        pass
    return color


def over_a_piece(s: Scratch, w: float, h: float) -> tuple[float, float]:
    """Top left of a box of that size that hides a piece and lies on the board or a little over its edge."""
    r, c = s.a_piece()
    x = c + 0.5 - w * s.rng.uniform(0.3, 0.7) if w > 1.4 else c + 0.5 - w / 2 + s.rng.uniform(-0.05, 0.05)
    y = r + 0.5 - h * s.rng.uniform(0.3, 0.7) if h > 1.4 else r + 0.5 - h / 2 + s.rng.uniform(-0.05, 0.05)
    return float(np.clip(x, -0.8, 8.8 - w)), float(np.clip(y, -0.8, 8.8 - h))


def panel(s: Scratch, x: float, y: float, w: float, h: float, color, radius: float = 0.08, shadow: float = 0.35):
    """A box of an interface with a soft shadow."""
    shape = s.flat.rounded(x, y, w, h, radius)
    if shadow:
        soft = cv2.GaussianBlur(s.flat.rounded(x, y + 0.08, w, h, radius), (0, 0), s.flat.tile * 0.12)
        s.flat.paint(soft * shadow, (0, 0, 0), covers=False)
    s.flat.paint(shape, color)


# ---------------------------------------------------------------- flat patches


@kind
def patch_square(s: Scratch):
    """One square with a piece under a flat patch"""
    r, c = s.a_piece()
    s.flat.paint(s.flat.rect(c, r, 1, 1), patch_color(s, r, c))


@kind
def patch_square_loose(s: Scratch):
    """One piece under a flat patch that does not keep to the square"""
    x, y = over_a_piece(s, *s.rng.uniform(0.85, 1.3, 2))
    s.flat.paint(s.flat.rect(x, y, *s.rng.uniform(0.9, 1.3, 2)), gray_or_color(s))
    s.flat.must_hide()


@kind
def patch_other_shade(s: Scratch):
    """One square with a piece painted in the color of the squares of the other shade"""
    r, c = s.a_piece()
    s.flat.paint(s.flat.rect(c, r, 1, 1), s.flat.shade((r + c) % 2 == 0))


@kind(plausible=True)
def patch_near_shade(s: Scratch):
    """One square with a piece painted nearly in its own color, off by 12 to 30 levels"""
    r, c = s.a_piece()
    off = s.rng.choice([-1, 1]) * s.rng.uniform(12, 30)
    s.flat.paint(s.flat.rect(c, r, 1, 1), np.clip(s.flat.shade((r + c) % 2 == 1) + off, 0, 255))


@kind
def patch_2x2(s: Scratch):
    """2 x 2 squares under a flat patch, with one piece at least"""
    r, c = (min(v, 6) for v in s.a_piece())
    s.flat.paint(s.flat.rect(c, r, 2, 2), gray_or_color(s))


@kind
def patch_white(s: Scratch):
    """A white patch over one to six pieces (correction fluid, a label)"""
    x, y = over_a_piece(s, w := s.rng.uniform(1.3, 3), h := s.rng.uniform(1.3, 2))
    s.flat.paint(s.flat.rect(x, y, w, h), WHITE)
    s.flat.must_hide()


@kind
def censored_black(s: Scratch):
    """A black box over something (redacted)"""
    x, y = over_a_piece(s, w := s.rng.uniform(1.2, 4), h := s.rng.uniform(1.05, 1.8))
    s.flat.paint(s.flat.rect(x, y, w, h), (0, 0, 0))
    s.flat.must_hide()


@kind
def patch_half_square(s: Scratch):
    """The lower or left half of a piece under a flat patch"""
    r, c = s.a_piece()
    x, y, w, h = [(c, r + 0.45, 1, 0.6), (c - 0.05, r, 0.6, 1), (c, r - 0.05, 1, 0.6)][s.rng.integers(3)]
    s.flat.paint(s.flat.rect(x, y, w, h), gray_or_color(s))


@kind
def bar_rank(s: Scratch):
    """A flat bar over a rank with pieces, edge to edge of the board"""
    r, _ = s.a_piece()
    s.flat.paint(s.flat.rect(0, r, 8, 1), gray_or_color(s))


@kind
def rank_gray(s: Scratch):
    """A rank with pieces is one gray (data lost), as wide as the picture"""
    r, _ = s.a_piece()
    s.flat.paint(s.flat.rect(-2, r, 12, s.rng.uniform(0.95, 1.2)), (128, 128, 128))


@kind
def file_black(s: Scratch):
    """A file with pieces is black"""
    _, c = s.a_piece()
    s.flat.paint(s.flat.rect(c, 0, 1, 8), (0, 0, 0))


@kind
def half_gray(s: Scratch):
    """The lower part of the board is one gray: the picture was not loaded to its end"""
    y = s.rng.uniform(3, 7.2)
    s.flat.paint(s.flat.rect(-2, y, 12, 12), [(128, 128, 128), (255, 255, 255), (0, 0, 0)][s.rng.integers(3)])
    s.flat.must_hide()


@kind
def bands(s: Scratch):
    """Thin flat bands over the whole width, half a rank high each"""
    shade = gray_or_color(s)
    for y in s.rng.choice(16, s.rng.integers(1, 4), replace=False) / 2:
        s.flat.paint(s.flat.rect(-2, y + s.rng.uniform(-0.2, 0.2), 12, s.rng.uniform(0.4, 0.8)), shade)


# ---------------------------------------------------------------- tiles that failed


@kind
def tile_checkered(s: Scratch):
    """A square shows the checkers that stand for transparency"""
    r, c = s.a_piece()
    step = max(3, s.flat.tile // 6)
    yy, xx = np.mgrid[: s.flat.length, : s.flat.length] // step
    s.flat.paint(s.flat.rect(c, r, 1, 1), np.where(((yy + xx) % 2)[..., None], 204.0, 255.0))


@kind
def tile_broken(s: Scratch):
    """A square shows the sign of a picture that did not load"""
    r, c = s.a_piece()
    s.flat.paint(s.flat.rect(c, r, 1, 1), (240, 240, 240))
    frame = np.array([(0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)]) + (c, r)
    s.flat.paint(s.flat.stroke(frame, 0.02, closed=True), (150, 150, 150), covers=False)
    s.flat.paint(s.flat.polygon([(c + 0.2, r + 0.75), (c + 0.45, r + 0.4), (c + 0.7, r + 0.75)]), (110, 170, 110), covers=False)
    s.flat.paint(s.flat.ellipse(c + 0.7, r + 0.3, 0.09, 0.09), (240, 190, 70), covers=False)


@kind
def tile_from_neighbor(s: Scratch):
    """A square with a piece shows half of one neighbor and half of the other (tiles stitched at a wrong offset)"""
    r, c = s.a_piece()
    y, x = s.flat.at(r), s.flat.at(c)
    half = s.flat.tile // 2
    dx, dy = [(half, 0), (-half, 0), (0, half), (0, -half), (half, half)][s.rng.integers(5)]
    part = s.flat.before[y + dy : y + dy + s.flat.tile, x + dx : x + dx + s.flat.tile]
    s.flat.square(r, c)[:] = part
    s.covered.add((r, c))


@kind
def region_pixelated(s: Scratch):
    """A region made unreadable by large pixels"""
    x, y = over_a_piece(s, w := s.rng.uniform(1.2, 3.5), h := s.rng.uniform(1.1, 2.5))
    step = max(3, int(s.flat.tile * s.rng.uniform(0.3, 0.6)))
    small = cv2.resize(s.flat.before, (s.flat.length // step,) * 2, interpolation=cv2.INTER_AREA)
    s.flat.paint(s.flat.rect(x, y, w, h), cv2.resize(small, (s.flat.length,) * 2, interpolation=cv2.INTER_NEAREST))
    s.flat.must_hide()


@kind
def region_blurred(s: Scratch):
    """A region made unreadable by blur"""
    x, y = over_a_piece(s, w := s.rng.uniform(1.2, 3.5), h := s.rng.uniform(1.1, 2.5))
    soft = cv2.GaussianBlur(s.flat.before, (0, 0), s.flat.tile * s.rng.uniform(0.3, 0.6))
    s.flat.paint(s.flat.rounded(x, y, w, h, 0.1), soft)
    s.flat.must_hide()


@kind
def region_frosted(s: Scratch):
    """A panel of frosted glass over some squares"""
    x, y = over_a_piece(s, w := s.rng.uniform(2, 5), h := s.rng.uniform(1.3, 3))
    soft = cv2.GaussianBlur(s.flat.before, (0, 0), s.flat.tile * 0.35)
    tone = s.rng.choice([30, 250])
    s.flat.paint(s.flat.rounded(x, y, w, h, 0.2), cv2.addWeighted(soft, 0.5, np.full_like(soft, tone), 0.5, 0))
    s.flat.must_hide()


@kind
def region_smeared(s: Scratch):
    """A region where a codec lost its detail: pulled sideways from its left edge"""
    x, y = over_a_piece(s, w := s.rng.uniform(1.5, 4), h := s.rng.uniform(1.05, 2))
    left = s.flat.before[:, max(0, s.flat.at(x))][:, None]
    s.flat.paint(s.flat.rect(x, y, w, h), np.broadcast_to(left, s.flat.image.shape))
    s.flat.must_hide()


@kind
def fog_of_war(s: Scratch):
    """Squares that the player may not see are dark"""
    shade = s.rng.uniform(40, 110)
    edge = s.rng.integers(2, 5)
    for r in range(8):
        for c in range(8):
            if r < edge + s.rng.integers(-1, 2):
                s.flat.paint(s.flat.rect(c, r, 1, 1), np.full(3, shade + 12 * ((r + c) % 2)))
    s.flat.must_hide()


@kind
def hidden_pieces(s: Scratch):
    """A few squares show a question mark on a plain ground"""
    for r, c in s.pieces()[: s.rng.integers(1, 4)]:
        s.flat.paint(s.flat.rect(c, r, 1, 1), (90, 90, 100))
        s.flat.paint(s.flat.text("?", c + 0.26, r + 0.02, 0.85), (235, 235, 235), covers=False)


# ---------------------------------------------------------------- windows and what interfaces show


def window(s: Scratch, share: float):
    """A window with title bar and text, its side so great a share of the board's."""
    w = h = 8 * share
    x, y = over_a_piece(s, w, h)
    dark = s.rng.random() < 0.4
    s.flat.paint(cv2.GaussianBlur(s.flat.rect(x, y + 0.05, w, h), (0, 0), s.flat.tile * 0.1) * 0.4, (0, 0, 0), covers=False)
    s.flat.paint(s.flat.rect(x, y, w, h), (45, 45, 48) if dark else (248, 248, 248))
    bar = min(0.45, h / 4)
    s.flat.paint(s.flat.rect(x, y, w, bar), [(30, 30, 30), (0, 110, 200), (215, 215, 215)][s.rng.integers(3)])
    for i, color in enumerate([(237, 106, 94), (245, 191, 79), (98, 197, 84)]):
        s.flat.paint(s.flat.ellipse(x + bar * (0.5 + 0.6 * i), y + bar / 2, bar / 5, bar / 5), color, covers=False)
    if w > 2.5:
        s.flat.paint(s.flat.text(str(s.rng.choice(TITLES)), x + bar * 2.4, y + bar * 0.15, bar * 0.6), (150, 150, 150), covers=False)
    lines(s, x + 0.15, y + bar + 0.15, w - 0.3, h - bar - 0.2, 0.22, (210, 210, 210) if dark else (40, 40, 40))
    s.flat.must_hide()


@kind
def window_12(s: Scratch):
    """A window over 0.12 of the side"""
    window(s, 0.14)  # a little more, or it seldom hides a whole square


@kind
def window_25(s: Scratch):
    """A window over 0.25 of the side"""
    window(s, 0.25)


@kind
def window_45(s: Scratch):
    """A window over 0.45 of the side"""
    window(s, 0.45)


@kind
def dialog(s: Scratch):
    """A dialog in the middle: a title, a line, two buttons; the board behind it dimmed or not"""
    if s.rng.random() < 0.5:
        s.flat.paint(np.full(s.flat.mask().shape, 0.45, np.float32), (0, 0, 0), covers=False)
    w, h = s.rng.uniform(3.5, 6), s.rng.uniform(1.8, 3)
    x, y = 4 - w / 2 + s.rng.uniform(-0.5, 0.5), 4 - h / 2 + s.rng.uniform(-0.8, 0.8)
    ground, ink = [((255, 255, 255), (40, 40, 40)), ((38, 36, 33), (230, 230, 230))][s.rng.integers(2)]
    panel(s, x, y, w, h, ground, 0.15)
    s.flat.paint(s.flat.text(str(s.rng.choice(TITLES)), x + 0.25, y + 0.15, 0.42), ink, covers=False)
    lines(s, x + 0.25, y + 0.75, w - 0.5, max(0.35, h - 1.5), 0.24, ink)
    for i, color in enumerate([(118, 150, 86), (190, 190, 190)]):
        s.flat.paint(s.flat.rounded(x + 0.25 + i * w / 2.2, y + h - 0.65, w / 2.6, 0.5, 0.08), color, covers=False)
    s.flat.must_hide()


@kind
def tooltip(s: Scratch):
    """A tooltip with a line of text over a square"""
    text = words(s, 3)
    w = min(5.0, s.flat.text_width(text, 0.32) + 0.3)
    x, y = over_a_piece(s, w, 0.9)
    panel(s, x, y, w, 0.95, [(50, 50, 50), (255, 255, 225), (255, 255, 255)][k := s.rng.integers(3)], 0.06)
    s.flat.paint(s.flat.text(text, x + 0.15, y + 0.28, 0.32), WHITE if k == 0 else (20, 20, 20), covers=False)
    s.flat.must_hide()


def picker(s: Scratch, color, across: bool):
    """A panel of four pieces of the board at its edge."""
    found = s.flat.lift_any(4)
    r, c = (0 if s.rng.random() < 0.6 else 4, int(s.rng.integers(8)))
    if across:
        r, c = int(s.rng.integers(8)), int(s.rng.integers(5))
    w, h = (4, 1) if across else (1, 4)
    panel(s, c, r, w, h, color, 0.03)
    for i, (_, _, piece) in enumerate(found):
        s.flat.put(piece, c + (i if across else 0), r + (0 if across else i))
    s.flat.must_hide()


@kind
def promotion_white(s: Scratch):
    """A promotion menu: four pieces on a white panel over a file"""
    picker(s, WHITE, False)


@kind
def promotion_gray(s: Scratch):
    """A promotion menu on gray, with the board dimmed"""
    s.flat.paint(np.full(s.flat.mask().shape, 0.5, np.float32), (0, 0, 0), covers=False)
    picker(s, np.full(3, s.rng.uniform(120, 220)), False)


@kind
def promotion_row(s: Scratch):
    """A promotion menu in a row"""
    picker(s, [WHITE, (60, 60, 60), (200, 220, 255)][s.rng.integers(3)], True)


@kind
def context_menu(s: Scratch):
    """A menu of lines of text"""
    w, rows = s.rng.uniform(2, 3.2), int(s.rng.integers(4, 9))
    x, y = over_a_piece(s, w, h := rows * 0.42 + 0.2)
    panel(s, x, y, w, h, (250, 250, 250), 0.08)
    for i in range(rows):
        s.flat.paint(s.flat.text(words(s, 2)[:14], x + 0.2, y + 0.12 + 0.42 * i, 0.26), (30, 30, 30), covers=False)
    s.flat.must_hide()


@kind
def progress_bar(s: Scratch):
    """A progress bar across some squares, on a panel"""
    x, y = over_a_piece(s, w := s.rng.uniform(3, 6), 1.1)
    panel(s, x, y, w, 1.15, [(255, 255, 255), (40, 40, 45)][s.rng.integers(2)], 0.12)
    s.flat.paint(s.flat.rounded(x + 0.2, y + 0.45, w - 0.4, 0.25, 0.12), (200, 200, 200), covers=False)
    s.flat.paint(s.flat.rounded(x + 0.2, y + 0.45, (w - 0.4) * s.rng.uniform(0.2, 0.9), 0.25, 0.12), (40, 130, 230), covers=False)
    s.flat.must_hide()


@kind
def video_controls(s: Scratch):
    """Controls of a video over the lowest rank: a dark bar, a time line, a play sign"""
    h = s.rng.uniform(0.9, 1.4)
    dark = np.linspace(0.75, 0.97, s.flat.length, dtype=np.float32)[:, None]
    s.flat.paint(s.flat.rect(-2, 8 - h, 12, h) * dark, (12, 12, 12))
    s.flat.paint(s.flat.rect(0.2, 8 - h * 0.8, 7.6, 0.07), (190, 190, 190), covers=False)
    s.flat.paint(s.flat.rect(0.2, 8 - h * 0.8, s.rng.uniform(0.5, 6), 0.07), (230, 30, 30), covers=False)
    s.flat.paint(s.flat.polygon([(0.3, 8 - h * 0.55), (0.3, 8 - h * 0.15), (0.62, 8 - h * 0.35)]), WHITE, covers=False)
    s.flat.paint(s.flat.text("3:07 / 12:45", 0.9, 8 - h * 0.55, 0.3), WHITE, covers=False)


@kind
def play_button(s: Scratch):
    """The large sign that starts a video, over the middle"""
    radius = s.rng.uniform(0.8, 1.4)
    s.flat.paint(s.flat.rounded(4 - radius * 1.4, 4 - radius, 2.8 * radius, 2 * radius, 0.4), (205, 32, 31))
    points = [(4 - 0.35 * radius, 4 - 0.45 * radius), (4 - 0.35 * radius, 4 + 0.45 * radius), (4 + 0.5 * radius, 4)]
    s.flat.paint(s.flat.polygon(points), WHITE, covers=False)


@kind
def banner(s: Scratch):
    """A notification over the upper ranks, as phones show it"""
    h, y = s.rng.uniform(1.1, 1.7), s.rng.uniform(-0.1, 0.6)
    ground, ink = [((245, 245, 247), (30, 30, 30)), ((50, 50, 54), (240, 240, 240))][s.rng.integers(2)]
    panel(s, 0.2, y, 7.6, h, ground, 0.25)
    s.flat.paint(s.flat.rounded(0.4, y + 0.2, 0.7, 0.7, 0.15), s.rng.uniform(40, 255, 3), covers=False)
    s.flat.paint(s.flat.text(words(s, 2), 1.3, y + 0.15, 0.34), ink, covers=False)
    s.flat.paint(s.flat.text(words(s, 5)[:36], 1.3, y + 0.6, 0.28), ink, covers=False)
    s.flat.must_hide()


@kind
def toast(s: Scratch):
    """A short message in a dark pill over the lower ranks"""
    text = words(s, 4)
    w = min(7.0, s.flat.text_width(text, 0.34) + 0.8)
    y = s.rng.uniform(5.8, 6.9)
    panel(s, 4 - w / 2, y, w, 1.05, (40, 40, 40), 0.5)
    s.flat.paint(s.flat.text(text, 4 - w / 2 + 0.4, y + 0.3, 0.34), WHITE, covers=False)
    s.flat.must_hide()


@kind
def cookie_banner(s: Scratch):
    """A bar with text and a button over the lowest ranks"""
    h = s.rng.uniform(1.2, 2.4)
    s.flat.paint(s.flat.rect(-2, 8 - h, 12, h + 2), [(255, 255, 255), (35, 40, 50)][k := s.rng.integers(2)])
    lines(s, 0.2, 8 - h + 0.15, 5.2, h - 0.2, 0.26, WHITE if k else (30, 30, 30))
    s.flat.paint(s.flat.rounded(5.8, 8 - h + 0.3, 1.9, 0.6, 0.1), (30, 120, 220), covers=False)


@kind
def spinner(s: Scratch):
    """A loading wheel on a round panel in the middle"""
    x, y = 4 + s.rng.uniform(-1, 1, 2)
    panel(s, x - 0.9, y - 0.9, 1.8, 1.8, (60, 60, 60), 0.3)
    for i, turn in enumerate(np.linspace(0, 2 * np.pi, 12, endpoint=False)):
        spoke = s.flat.stroke([(x + k * np.cos(turn), y + k * np.sin(turn)) for k in (0.3, 0.6)], 0.08)
        s.flat.paint(spoke, np.full(3, 100 + 12 * i), covers=False)
    s.flat.must_hide()


@kind
def webcam(s: Scratch):
    """A streamer's camera over a corner of the board: a head before a wall"""
    w, h = s.rng.uniform(2.2, 3.6), s.rng.uniform(1.8, 2.8)
    x, y = [-0.3, 8.3 - w][s.rng.integers(2)], [-0.3, 8.3 - h][s.rng.integers(2)]
    box = s.flat.rect(x, y, w, h)
    s.flat.paint(box, s.rng.uniform(30, 200, 3))
    skin = np.array([225, 180, 150]) * s.rng.uniform(0.4, 1.05)
    cx = x + w * s.rng.uniform(0.4, 0.6)
    s.flat.paint(s.flat.ellipse(cx, y + h * 1.05, w * 0.38, h * 0.4) * box, s.rng.uniform(0, 200, 3), covers=False)
    s.flat.paint(s.flat.ellipse(cx, y + h * 0.45, h * 0.24, h * 0.3) * box, skin, covers=False)
    s.flat.paint(s.flat.ellipse(cx, y + h * 0.26, h * 0.26, h * 0.17) * box, s.rng.uniform(10, 90, 3), covers=False)
    s.flat.must_hide()


@kind
def picture_in_picture(s: Scratch):
    """A smaller copy of the same board over a corner of it"""
    w = s.rng.uniform(2, 3.5)
    x, y = [0.1, 7.9 - w][s.rng.integers(2)], [0.1, 7.9 - w][s.rng.integers(2)]
    low, high = s.flat.at(0), s.flat.at(8)
    size = s.flat.at(w) - s.flat.at(0)
    small = cv2.resize(s.flat.before[low:high, low:high], (size, size), interpolation=cv2.INTER_AREA)
    layer = s.flat.before.copy()
    layer[s.flat.at(y) : s.flat.at(y) + size, s.flat.at(x) : s.flat.at(x) + size] = small
    s.flat.paint(s.flat.rect(x - 0.04, y - 0.04, w + 0.08, w + 0.08), (250, 250, 250))
    s.flat.paint(s.flat.rect(x, y, w, w), layer)
    s.flat.must_hide()


@kind
def chat_bubble(s: Scratch):
    """A speech bubble over some squares"""
    x, y = over_a_piece(s, w := s.rng.uniform(2.4, 4), h := s.rng.uniform(1.2, 2))
    panel(s, x, y, w, h, [(255, 255, 255), (220, 248, 198), (0, 132, 255)][s.rng.integers(3)], 0.35, 0.2)
    s.flat.paint(s.flat.polygon([(x + 0.5, y + h - 0.1), (x + 1, y + h - 0.1), (x + 0.4, y + h + 0.5)]), WHITE, covers=False)
    lines(s, x + 0.25, y + 0.2, w - 0.5, h - 0.3, 0.28, (20, 20, 20))
    s.flat.must_hide()


@kind
def emoji(s: Scratch):
    """A round face over a piece"""
    r, c = s.a_piece()
    radius = s.rng.uniform(0.5, 0.75)
    x, y = c + 0.5 + s.rng.uniform(-0.15, 0.15), r + 0.5 + s.rng.uniform(-0.15, 0.15)
    s.flat.paint(s.flat.ellipse(x, y, radius, radius), (255, 204, 50))
    for side in (-1, 1):
        s.flat.paint(s.flat.ellipse(x + side * radius * 0.35, y - radius * 0.2, radius * 0.1, radius * 0.16), (90, 60, 20), covers=False)
    smile = [(x + radius * 0.55 * np.cos(a), y + radius * 0.55 * np.sin(a)) for a in np.linspace(0.4, np.pi - 0.4, 20)]
    s.flat.paint(s.flat.stroke(smile, radius * 0.1), (90, 60, 20), covers=False)
    s.flat.must_hide()


@kind
def caption(s: Scratch):
    """A caption in large letters with an outline, over one or two ranks"""
    text = words(s, 3).upper()
    size = min(0.9, 0.9 * 7.5 / max(0.1, s.flat.text_width(text, 0.9)))
    x, y = 4 - s.flat.text_width(text, size) / 2, s.rng.choice([0.3, 6.6]) + s.rng.uniform(-0.2, 0.4)
    ink = s.flat.text(text, x, y, size)
    wide = cv2.dilate(ink, np.ones((max(2, s.flat.tile // 12),) * 2))
    s.flat.paint(wide, (0, 0, 0), covers=False)
    s.flat.paint(ink, WHITE, covers=False)


@kind
def caption_box(s: Scratch):
    """A line of subtitles on a dark ground over a rank"""
    text = words(s, 5)
    size = min(0.5, 0.5 * 7 / max(0.1, s.flat.text_width(text, 0.5)))
    w = s.flat.text_width(text, size) + 0.5
    y = s.rng.uniform(5.5, 6.9)
    s.flat.paint(s.flat.rect(4 - w / 2, y, w, 1.05), (10, 10, 10))
    s.flat.paint(s.flat.text(text, 4.25 - w / 2, y + 0.2, size), WHITE, covers=False)
    s.flat.must_hide()


@kind
def evaluation_bar(s: Scratch):
    """An evaluation bar laid over the first or last file"""
    c = s.rng.choice([0, 7])
    split = s.rng.uniform(2, 6)
    s.flat.paint(s.flat.rect(c, 0, 1, split), (64, 61, 57))
    s.flat.paint(s.flat.rect(c, split, 1, 8 - split), WHITE)
    s.flat.must_hide()


@kind
def advertisement(s: Scratch):
    """A colored advertisement with large letters over some ranks"""
    x, y = over_a_piece(s, w := s.rng.uniform(3, 8), h := s.rng.uniform(1.3, 2.4))
    ramp = np.linspace(0, 1, s.flat.length)[None, :, None]
    one, two = s.rng.uniform(0, 255, (2, 3))
    s.flat.paint(s.flat.rect(x, y, w, h), np.broadcast_to(one + ramp * (two - one), s.flat.image.shape))
    s.flat.paint(s.flat.text("SALE -50%"[: int(w * 2)], x + 0.2, y + 0.2, min(0.9, h * 0.6)), WHITE, covers=False)
    s.flat.must_hide()


# ---------------------------------------------------------------- things before the camera, on the paper


SKINS = np.array([(240, 200, 170), (224, 172, 140), (198, 134, 96), (141, 85, 54), (92, 56, 38)], np.float32)


def skin(s: Scratch, shape: np.ndarray, color):
    """Paints a shape as something round and soft: darker to its edge, with grain and a shadow."""
    shadow = cv2.GaussianBlur(np.roll(shape, (s.flat.tile // 6, s.flat.tile // 8), (0, 1)), (0, 0), s.flat.tile * 0.15)
    s.flat.paint(shadow * 0.45, (0, 0, 0), covers=False)
    depth = cv2.distanceTransform((shape > 0.5).astype(np.uint8), cv2.DIST_L2, 3) / (0.35 * s.flat.tile)
    tone = (0.62 + 0.38 * np.clip(depth, 0, 1))[..., None] * np.float32(color)
    tone = tone + cv2.GaussianBlur(s.rng.normal(0, 14, shape.shape).astype(np.float32), (0, 0), 1.2)[..., None]
    s.flat.paint(cv2.GaussianBlur(shape, (0, 0), 0.8), np.clip(tone, 0, 255))


def from_edge(s: Scratch) -> tuple[np.ndarray, np.ndarray]:
    """A point on a piece, and the direction out of the board that is nearest, with some slant."""
    r, c = s.a_piece()
    point = np.array([c + 0.5, r + 0.5])
    ways = [(c, (-1, 0)), (7 - c, (1, 0)), (7 - r, (0, 1))]  # hands seldom come from above
    out = np.array(min(ways)[1], float) + s.rng.normal(0, 0.3, 2)
    return point, out / np.linalg.norm(out)


@kind
def finger(s: Scratch):
    """A finger that points at a piece and hides it"""
    tip, out = from_edge(s)
    shape = s.flat.stroke([tip, tip + out * 14], s.rng.uniform(1.1, 1.5))
    skin(s, shape, SKINS[s.rng.integers(len(SKINS))] * s.rng.uniform(0.8, 1.1))
    nail = tip + out * 0.1
    s.flat.paint(s.flat.ellipse(*nail, 0.34, 0.24, np.arctan2(out[1], out[0])) * 0.6, (245, 215, 205), covers=False)
    s.flat.must_hide()


@kind
def hand(s: Scratch):
    """A hand of some 0.35 of the side, from an edge"""
    tip, out = from_edge(s)
    across = np.array([-out[1], out[0]])
    palm = tip + out * 1.7
    shape = s.flat.ellipse(*palm, 1.25, 1.1, np.arctan2(out[1], out[0]))
    shape = np.maximum(shape, s.flat.stroke([palm, palm + out * 14], 1.6))
    for i in range(4):
        root = palm + across * (i - 1.5) * 0.55 - out * 0.6
        shape = np.maximum(shape, s.flat.stroke([root, root - out * s.rng.uniform(0.9, 1.6) + across * s.rng.normal(0, 0.2)], 0.5))
    shape = np.maximum(shape, s.flat.stroke([palm + across * 0.9, palm + across * 1.7 - out * 0.7], 0.55))
    skin(s, shape, SKINS[s.rng.integers(len(SKINS))] * s.rng.uniform(0.8, 1.1))
    s.flat.must_hide()


@kind
def hand_blob(s: Scratch):
    """A plain blob of the color of skin, 0.35 of the side"""
    r, c = s.a_piece()
    skin(s, s.flat.blob(c + 0.5, r + 0.5, 1.4, 0.25), SKINS[s.rng.integers(len(SKINS))])
    s.flat.must_hide()


@kind
def thumb(s: Scratch):
    """A thumb that holds the page, over a square at the edge, out of focus"""
    r, c = s.first([p for p in s.pieces() if p[1] in (0, 7)])
    left = c == 0
    point = np.array([0.7 if left else 7.3, r + 0.5])
    shape = s.flat.stroke([point, point + [-8 if left else 8, s.rng.uniform(-1, 2)]], 1.5)
    skin(s, cv2.GaussianBlur(shape, (0, 0), s.flat.tile * 0.06), SKINS[s.rng.integers(len(SKINS))])
    s.flat.must_hide()


@kind
def ellipse_white(s: Scratch):
    """A white ellipse over some squares"""
    r, c = s.a_piece()
    s.flat.paint(s.flat.ellipse(c + 0.5, r + 0.5, s.rng.uniform(0.8, 1.8), s.rng.uniform(0.75, 1.2), s.rng.uniform(0, 3)), WHITE)
    s.flat.must_hide()


@kind
def glare(s: Scratch):
    """A reflection that burns out the middle of its area, with soft edges"""
    r, c = s.a_piece()
    yy, xx = np.mgrid[: s.flat.length, : s.flat.length] / s.flat.tile - 2
    angle, rx, ry = s.rng.uniform(0, 3), s.rng.uniform(0.9, 1.8), s.rng.uniform(0.7, 1.1)
    u = (xx - c - 0.5) * np.cos(angle) + (yy - r - 0.5) * np.sin(angle)
    v = (yy - r - 0.5) * np.cos(angle) - (xx - c - 0.5) * np.sin(angle)
    light = np.exp(-((u / rx) ** 2 + (v / ry) ** 2)) * 2.6
    s.flat.image[:] = np.clip(s.flat.image + light[..., None] * (255, 252, 240), 0, 255)
    s.flat.cover(light > 1.0)
    s.flat.must_hide()


@kind
def flash_reflection(s: Scratch):
    """A window's reflection: a bright slanted quadrangle with a bar in it"""
    x, y = over_a_piece(s, 2, 2)
    lean = s.rng.uniform(-0.6, 0.6)
    shape = s.flat.polygon([(x, y), (x + 2, y), (x + 2 + lean, y + 2.2), (x + lean, y + 2.2)])
    shape *= 1 - s.flat.stroke([(x + 1, y), (x + 1 + lean, y + 2.2)], 0.1)
    s.flat.paint(cv2.GaussianBlur(shape, (0, 0), s.flat.tile * 0.05) * 0.93, (250, 252, 255))
    s.flat.must_hide()


@kind
def sticker(s: Scratch):
    """A round or square sticker over a piece"""
    r, c = s.a_piece()
    size, color = s.rng.uniform(0.52, 0.8), s.rng.uniform(60, 255, 3)
    if s.rng.random() < 0.5:
        shape = s.flat.ellipse(c + 0.5, r + 0.5, size, size)
    else:
        shape = s.flat.rounded(c + 0.5 - size, r + 0.5 - size * 0.9, 2 * size, 1.8 * size, 0.1)
    s.flat.paint(cv2.GaussianBlur(shape, (0, 0), s.flat.tile * 0.06) * 0.4, (0, 0, 0), covers=False)
    s.flat.paint(shape, color)
    s.flat.paint(s.flat.text(str(s.rng.integers(1, 99)), c + 0.25, r + 0.2, 0.5), DARK, covers=False)
    s.flat.must_hide()


@kind
def sticky_note(s: Scratch):
    """A yellow note, a little turned, with handwriting"""
    x, y = over_a_piece(s, 2.4, 2.4)
    lean = s.rng.uniform(-0.25, 0.25)
    shape = s.flat.polygon([(x + lean, y), (x + 2.4, y + lean), (x + 2.4 - lean, y + 2.4), (x, y + 2.4 - lean)])
    s.flat.paint(cv2.GaussianBlur(np.roll(shape, s.flat.tile // 10, 0), (0, 0), s.flat.tile * 0.1) * 0.4, (0, 0, 0), covers=False)
    s.flat.paint(shape, (250, 235, 120))
    for row in range(4):
        px = np.linspace(x + 0.4, x + 2.0, 30)
        s.flat.paint(s.flat.stroke(np.stack([px, y + 0.5 + row * 0.45 + s.rng.normal(0, 0.07, 30)], 1), 0.04), (40, 40, 120), covers=False)
    s.flat.must_hide()


@kind
def coin(s: Scratch):
    """A coin on the page"""
    r, c = s.a_piece()
    x, y, radius = c + 0.5, r + 0.5, s.rng.uniform(0.55, 0.9)
    shadow = cv2.GaussianBlur(s.flat.ellipse(x + 0.06, y + 0.08, radius, radius), (0, 0), s.flat.tile * 0.06)
    s.flat.paint(shadow * 0.5, (0, 0, 0), covers=False)
    s.flat.paint(s.flat.ellipse(x, y, radius, radius), (190, 160, 90))
    s.flat.paint(s.flat.ellipse(x, y, radius * 0.88, radius * 0.88), (214, 186, 112), covers=False)
    s.flat.paint(s.flat.blob(x, y, radius * 0.5, 0.4), (176, 146, 80), covers=False)
    s.flat.must_hide()


@kind
def pen(s: Scratch):
    """A pen that lies across the board"""
    r, c = s.a_piece()
    turn = s.rng.uniform(0, np.pi)
    way = np.array([np.cos(turn), np.sin(turn)])
    start, end = np.array([c + 0.5, r + 0.5]) - way * 4, np.array([c + 0.5, r + 0.5]) + way * 3
    shape = s.flat.stroke([start, end], s.rng.uniform(0.45, 0.7))
    s.flat.paint(cv2.GaussianBlur(np.roll(shape, s.flat.tile // 8, 0), (0, 0), s.flat.tile * 0.1) * 0.45, (0, 0, 0), covers=False)
    s.flat.paint(shape, s.rng.uniform(0, 200, 3))
    s.flat.paint(s.flat.stroke([start, end], 0.12) * 0.5, WHITE, covers=False)


@kind
def ruler(s: Scratch):
    """A ruler or strip of paper laid over a rank, slightly turned"""
    r, _ = s.a_piece()
    lean = s.rng.uniform(-0.15, 0.15)
    y, h = r - 0.1, s.rng.uniform(1.15, 1.5)
    shape = s.flat.polygon([(-2, y - lean), (10, y + lean), (10, y + h + lean), (-2, y + h - lean)])
    s.flat.paint(cv2.GaussianBlur(np.roll(shape, s.flat.tile // 10, 0), (0, 0), s.flat.tile * 0.08) * 0.4, (0, 0, 0), covers=False)
    s.flat.paint(shape, [(235, 215, 160), (250, 250, 248), (120, 190, 230)][s.rng.integers(3)])
    comb = np.array([(x, y + depth) for x in np.arange(-1.8, 10, 0.4) for depth in (0.05, 0.3)]).reshape(-1, 2, 2)
    zigzag = np.concatenate([tooth[:: 1 if i % 2 else -1] for i, tooth in enumerate(comb)])
    s.flat.paint(s.flat.stroke(zigzag, 0.03), (40, 40, 40), covers=False)


@kind
def tape(s: Scratch):
    """A strip of clouded tape over some squares"""
    x, y = over_a_piece(s, 4, 1.2)
    lean = s.rng.uniform(-0.5, 0.5)
    shape = s.flat.polygon([(x, y - lean), (x + 4, y + lean), (x + 4, y + 1.3 + lean), (x, y + 1.3 - lean)])
    s.flat.paint(shape * s.rng.uniform(0.86, 0.95), (222, 208, 170))
    s.flat.must_hide()


@kind
def dark_stain(s: Scratch):
    """A dark spot of ink or a burn over a piece"""
    r, c = s.a_piece()
    shape = s.flat.blob(c + 0.5, r + 0.5, s.rng.uniform(0.6, 1.1), 0.35)
    s.flat.paint(cv2.GaussianBlur(shape, (0, 0), s.flat.tile * 0.05) * 0.97, s.rng.uniform(5, 45, 3))
    s.flat.must_hide()


@kind
def hole(s: Scratch):
    """A hole in the page: what lies behind it is seen"""
    r, c = s.a_piece()
    shape = s.flat.blob(c + 0.5, r + 0.5, s.rng.uniform(0.6, 1), 0.3)
    s.flat.paint(shape, s.rng.uniform(20, 140, 3))
    edge = cv2.dilate(shape, np.ones((3, 3))) - shape
    s.flat.paint(edge, WHITE, covers=False)
    s.flat.must_hide()


@kind
def corner_torn_off(s: Scratch):
    """A corner of the page is gone: the table is seen"""
    size = s.rng.uniform(4, 6.5)  # of which the four squares around the board take four
    x, y = [(-2, -2), (10, -2), (10, 10), (-2, 10)][s.rng.integers(4)]
    dx, dy = np.sign(4 - x), np.sign(4 - y)
    edge = np.linspace(0, 1, 24)
    px = x + dx * (size + 2) * (1 - edge) + s.rng.normal(0, 0.07, 24)
    py = y + dy * (size + 2) * edge + s.rng.normal(0, 0.07, 24)
    shape = s.flat.polygon([(x, y), *zip(px, py, strict=True)])
    grain = np.repeat(s.rng.normal(0, 10, (s.flat.length, 1, 1)), s.flat.length, 1)
    s.flat.paint(shape, np.clip(np.float32([120, 82, 52]) + grain, 0, 255))
    s.flat.must_hide()


@kind
def corner_folded(s: Scratch):
    """A corner of the page is folded over the board: its blank back is seen"""
    size = s.rng.uniform(1.5, 3)
    x, y = [(0, 0), (8, 0), (8, 8), (0, 8)][s.rng.integers(4)]
    dx, dy = np.sign(4 - x), np.sign(4 - y)
    s.flat.paint(s.flat.polygon([(x - 2 * dx, y - 2 * dy), (x + dx * size, y - 2 * dy), (x - 2 * dx, y + dy * size)]), (96, 74, 60))
    fold = [(x + dx * size, y), (x, y + dy * size), (x + dx * size, y + dy * size)]
    s.flat.paint(cv2.GaussianBlur(s.flat.polygon(fold), (0, 0), s.flat.tile * 0.15) * 0.5, (0, 0, 0), covers=False)
    s.flat.paint(s.flat.polygon(fold), (236, 232, 222))
    s.flat.must_hide()


@kind
def shadow_black(s: Scratch):
    """A shadow so deep that nothing is seen in it"""
    x, y = over_a_piece(s, 3, 3)
    shape = cv2.GaussianBlur(s.flat.polygon([(x, y), (x + 3, y + 0.4), (x + 2.4, y + 3), (x - 0.3, y + 2.5)]), (0, 0), s.flat.tile * 0.1)
    s.flat.image[:] = np.rint(s.flat.image * (1 - 0.985 * shape[..., None]))
    s.flat.cover(shape > 0.9)
    if not s.covered:
        raise Skip
    s.flat.must_hide()
