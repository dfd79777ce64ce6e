"""What presses, scanners, cameras and codecs do to a picture. All take and return RGB uint8 [H, W, 3].

Strengths are given in pixels of the picture or, where `tile` is asked for, in parts of a square, so
that a thumbnail and a 12-megapixel photo suffer alike.
"""

from __future__ import annotations

import cv2
import numpy as np


def press(rng, image, tile):
    """Printed and scanned: ink spread, worn ink, bilevel scans, paper, ink that is not black."""
    gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    colored = cv2.absdiff(image[..., 0], image[..., 2]).max() > 40
    roll = rng.random()
    if roll < 0.12 and tile >= 26:  # ink spreads or starves
        size = 2 if tile < 40 else 3
        kernel = cv2.getStructuringElement(cv2.MORPH_CROSS, (size, size))
        image = (cv2.erode if rng.random() < 0.65 else cv2.dilate)(image, kernel)
    elif roll < 0.24:
        image = blotches(rng, image, tile)
    if rng.random() < 0.22 and not colored:  # bilevel scan
        gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY).astype(np.float32)
        gray = cv2.GaussianBlur(gray, (0, 0), max(0.4, tile * rng.uniform(0.005, 0.03)))
        gray += rng.normal(0, rng.uniform(2, 40), gray.shape)
        gray = np.where(gray > rng.uniform(105, 200), 255, 0).astype(np.uint8)
        image = cv2.cvtColor(gray, cv2.COLOR_GRAY2RGB)
    if rng.random() < 0.2:
        sigma = max(0.4, tile * rng.uniform(0.005, 0.03))
        image = cv2.GaussianBlur(image, (0, 0), sigma)
    return image


def blotches(rng, image, tile):
    """Ink missing (or too much of it) in cloudy patches, as from worn type or a poor photocopy."""
    h, w = image.shape[:2]
    cloud = noise_field(rng, h, w, tile * rng.uniform(0.03, 0.15))
    patch = noise_field(rng, h, w, tile * rng.uniform(0.5, 3))
    lost = (cloud + patch * rng.uniform(0, 0.8)) > rng.uniform(0.8, 2.0)
    out = image.copy()
    out[lost] = 255 if rng.random() < 0.7 else 30
    return out


def noise_field(rng, h, w, scale):
    """Smooth noise of unit deviation with features of about `scale` pixels."""
    scale = max(1.0, scale)
    small = rng.standard_normal((max(2, int(h / scale) + 2), max(2, int(w / scale) + 2))).astype(np.float32)
    return cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)


def paper(rng, image, texture=None):
    """Multiplies the color (and, at times, the grain) of paper onto a white page."""
    shade = np.array([1, 1, 1], np.float32) - rng.uniform(0, 0.35) * np.array([0.15, 0.35, 1.0]) * rng.uniform(0.2, 1)
    shade = shade * rng.uniform(0.7, 1.0)
    lift = rng.uniform(0, 70)  # ink is never quite black
    levels = lift + np.arange(256)[:, None] * shade * (255 - lift) / 255
    out = cv2.LUT(image, levels.clip(0, 255).astype(np.uint8)[:, None])
    if texture is not None:
        grain = cv2.cvtColor(texture, cv2.COLOR_RGB2GRAY).astype(np.float32)
        grain = 1 + (grain - grain.mean()) / 255 * np.float32(rng.uniform(0.1, 0.6))
        out = np.clip(out * grain[..., None], 0, 255).astype(np.uint8)
    return out


def bleed(rng, image, tile):
    """The other side of the page shines through."""
    other = cv2.flip(image, 1)
    dx, dy = rng.uniform(-3, 3, 2) * tile
    other = cv2.warpAffine(other, np.float32([[1, 0, dx], [0, 1, dy]]), other.shape[1::-1], borderValue=(255, 255, 255))
    other = cv2.GaussianBlur(other, (0, 0), max(0.8, tile * 0.04)).astype(np.float32)
    strength = rng.uniform(0.05, 0.28)
    return np.clip(image.astype(np.float32) * (1 - strength * (1 - other / 255)), 0, 255).astype(np.uint8)


def light(rng, image, tile):
    """Uneven light: slope, hard shadow, glare, vignette."""
    h, w = image.shape[:2]
    rows, cols = max(2, h // 4), max(2, w // 4)  # light is smooth: a quarter of the size will do
    yy = np.linspace(-0.5, 0.5, rows, dtype=np.float32)[:, None]
    xx = np.linspace(-0.5, 0.5, cols, dtype=np.float32)[None]
    angle = rng.uniform(0, 2 * np.pi)
    along = xx * np.float32(np.cos(angle)) + yy * np.float32(np.sin(angle))
    field = 1 + along * np.float32(rng.uniform(-0.7, 0.7))
    if rng.random() < 0.3:  # hard shadow with a straight or wavy edge
        edge = along - np.float32(rng.uniform(-0.4, 0.4)) + np.float32(0.05) * np.sin(xx * np.float32(rng.uniform(2, 12)))
        soft = np.float32(rng.uniform(0.005, 0.08))
        field *= 1 - np.float32(rng.uniform(0.2, 0.65)) / (1 + np.exp(-np.clip(edge / soft, -30, 30)))
    out = image * cv2.resize(field, (w, h))[..., None]
    if rng.random() < 0.2:
        cx, cy, r = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), rng.uniform(0.08, 0.4)
        spot = (rng.uniform(40, 150) * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / r**2)).astype(np.float32)
        out += cv2.resize(spot, (w, h))[..., None]
    return np.clip(out, 0, 255, out=out).astype(np.uint8)


def bar(rng, image, quad, tile):
    """A cable, a pen, a dead column of a screen: a straight bar across the board; changes the picture."""
    low, high = quad.min(0), quad.max(0)
    through = rng.uniform(low, high)
    angle = rng.choice([0, np.pi / 2]) + rng.normal(0, 0.03) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    direction = np.array([np.cos(angle), np.sin(angle)]) * 4 * np.linalg.norm(high - low)
    color = np.full(3, rng.uniform(0, 60)) if rng.random() < 0.7 else rng.uniform(0, 255, 3)
    ends = [tuple(int(v) for v in through + sign * direction) for sign in (-1, 1)]
    cv2.line(image, *ends, color.tolist(), max(1, int(tile * rng.uniform(0.04, 0.3))), cv2.LINE_AA)


def tone(rng, image, strong=True):
    """Brightness, contrast, gamma, cast, saturation."""
    levels = np.linspace(0, 1, 256)[:, None].repeat(3, 1)
    if rng.random() < 0.6:
        levels = levels ** np.exp(rng.uniform(-0.7, 0.7))
    low = rng.uniform(0, 0.3) if rng.random() < 0.4 else 0.0
    high = rng.uniform(0.5, 1.0) if rng.random() < 0.4 else 1.0
    if high - low > 0.28:
        levels = low + levels * (high - low)
    if strong and rng.random() < 0.4:
        levels = levels * rng.uniform(0.72, 1.12, 3)
    table = np.clip(levels * 255, 0, 255).astype(np.uint8)[:, None]
    out = cv2.LUT(image, table)
    if rng.random() < 0.3:
        gray = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        keep = rng.uniform(0, 1.6)
        out = cv2.addWeighted(out, keep, gray, 1 - keep, 0)
    return out


def blur(rng, image, tile):
    """Defocus or hand shake, at most about a sixth of a square."""
    sigma = tile * rng.uniform(0.005, 0.07)
    if rng.random() < 0.3:
        length = max(2, int(tile * rng.uniform(0.03, 0.18)))
        kernel = np.zeros((length, length), np.float32)
        angle = rng.uniform(0, np.pi)
        c = (length - 1) / 2
        p = (int(round(c - c * np.cos(angle))), int(round(c - c * np.sin(angle))))
        q = (int(round(c + c * np.cos(angle))), int(round(c + c * np.sin(angle))))
        cv2.line(kernel, p, q, 1)
        return cv2.filter2D(image, -1, kernel / kernel.sum())
    return cv2.GaussianBlur(image, (0, 0), max(0.35, sigma))


def grain(rng, image):
    """Sensor noise, alike or colored."""
    sigma = rng.uniform(1, 18) if rng.random() < 0.9 else rng.uniform(18, 40)
    shape = image.shape if rng.random() < 0.5 else image.shape[:2] + (1,)
    noise = np.empty(shape, np.int16)
    cv2.randn(noise if shape[2] == 3 else noise[..., 0], (0, 0, 0, 0), (sigma,) * 4)
    return np.clip(image.astype(np.int16) + noise, 0, 255).astype(np.uint8)


def moire(rng, image):
    """A screen photographed: stripes and bands of interfering grids."""
    h, w = image.shape[:2]
    yy, xx = np.arange(h, dtype=np.float32)[:, None], np.arange(w, dtype=np.float32)[None]
    out = image.astype(np.float32)
    for _ in range(rng.integers(1, 3)):
        pitch = np.exp(rng.uniform(np.log(2.0), np.log(40)))
        angle = rng.uniform(0, np.pi)
        bend = rng.uniform(-0.004, 0.004) / max(h, w)
        turn = 2 * np.pi / pitch
        phase = (xx * np.cos(angle) + bend * xx**2) * turn + (yy * np.sin(angle) + bend * yy**2) * turn
        color = rng.uniform(-1, 1, 3) if rng.random() < 0.5 else np.full(3, 1.0)
        wave = np.sin(phase.astype(np.float32)) * np.float32(rng.uniform(0.02, 0.12))
        out *= 1 + wave[..., None] * color.astype(np.float32)
    return np.clip(out, 0, 255, out=out).astype(np.uint8)


def rescale(rng, image, low=0.5):
    """Down and up again, as a picture that went through a few programs."""
    h, w = image.shape[:2]
    factor = rng.uniform(low, 0.95)
    how = [cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_NEAREST, cv2.INTER_CUBIC]
    small = cv2.resize(image, (max(8, int(w * factor)), max(8, int(h * factor))), interpolation=how[rng.integers(4)])
    return cv2.resize(small, (w, h), interpolation=how[rng.integers(1, 4)])


def codec(rng, image, low=12):
    quality = int(rng.uniform(low, 96))
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def sharpen(rng, image):
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.7, 2))
    return cv2.addWeighted(image, 1 + (k := rng.uniform(0.3, 1.5)), soft, -k, 0)


def pipeline(rng, image, tile, medium, textures, photo: bool):
    """All that may happen to a picture, in a plausible order. `tile`: pixels a square."""
    if medium == "print":
        image = press(rng, image, tile)
        if rng.random() < 0.12:
            image = bleed(rng, image, tile)
        if photo or rng.random() < 0.3:
            texture = None
            if rng.random() < 0.4:
                texture = cv2.resize(textures[rng.integers(len(textures))], image.shape[1::-1])
            image = paper(rng, image, texture)
    if photo:
        image = light(rng, image, tile)
        if medium == "screen" and rng.random() < 0.5:
            image = moire(rng, image)
        if rng.random() < 0.7:
            image = blur(rng, image, tile)
        image = tone(rng, image)
        if rng.random() < 0.7:
            image = grain(rng, image)
        if rng.random() < 0.2:
            image = sharpen(rng, image)
    else:
        if rng.random() < 0.18:
            image = blur(rng, image, tile)
        if rng.random() < (0.2 if medium == "screen" else 0.4):
            image = tone(rng, image, strong=medium == "print")
        if rng.random() < (0.08 if medium == "screen" else 0.3):
            image = grain(rng, image)
    if tile > 18 and rng.random() < 0.25:
        image = rescale(rng, image, low=max(0.4, 12 / tile))
    if rng.random() < 0.5:
        image = codec(rng, image, low=12 if tile > 20 else 40)
    if rng.random() < 0.12:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    return image
