"""Files whose data are damaged: bytes changed, lost, cut off."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from .scratch import Scratch, Skip, registry

KINDS, kind = registry()


def encode(s: Scratch, form: str, **options) -> bytearray:
    out = io.BytesIO()
    Image.fromarray(s.picture).save(out, form, **options)
    return bytearray(out.getvalue())


def scans(data: bytearray) -> list[tuple[int, int]]:
    """Where the entropy-coded data of a JPEG begin and end: one range a scan."""
    found, at = [], 2
    while at < len(data) - 1:
        if data[at] != 0xFF:
            at += 1
            continue
        code = data[at + 1]
        if code == 0xDA:
            start = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            end = start
            while end < len(data) - 1 and not (data[end] == 0xFF and data[end + 1] not in (0, *range(0xD0, 0xD8))):
                end += 1
            found.append((start, end))
            at = end
        elif code in (0xD8, 0xD9, 0xFF):
            at += 2 if code != 0xFF else 1
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return found


def spoil(s: Scratch, data: bytearray, start: int, end: int, count: int):
    """Changes so many bytes, none to or from 255, which would be a marker."""
    for _ in range(count):
        at = int(s.rng.integers(start, end))
        if data[at] != 0xFF and data[at - 1] != 0xFF:
            data[at] = (data[at] + int(s.rng.integers(1, 255 - data[at] if data[at] < 254 else 2))) % 255


@kind
def jpeg_bytes(s: Scratch):
    """JPEG with one to three bytes changed in its coded data"""
    data = encode(s, "JPEG", quality=int(s.rng.integers(70, 95)))
    start, end = scans(data)[0]
    spoil(s, data, start, end, int(s.rng.integers(1, 4)))
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_bits(s: Scratch):
    """JPEG with one bit flipped in its coded data"""
    data = encode(s, "JPEG", quality=int(s.rng.integers(70, 95)))
    start, end = scans(data)[0]
    at = int(s.rng.integers(start, end))
    data[at] ^= 1 << int(s.rng.integers(8))
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_gray_bytes(s: Scratch):
    """Gray JPEG with one to three bytes changed in its coded data"""
    out = io.BytesIO()
    Image.fromarray(s.picture).convert("L").save(out, "JPEG", quality=85)
    data = bytearray(out.getvalue())
    spoil(s, data, *scans(data)[0], int(s.rng.integers(1, 4)))
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_restarts_bytes(s: Scratch):
    """JPEG with restart markers and one to three bytes changed: the damage stays within a row of blocks"""
    data = encode(s, "JPEG", quality=85, restart_marker_rows=1)
    spoil(s, data, *scans(data)[0], int(s.rng.integers(1, 4)))
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_restart_lost(s: Scratch):
    """JPEG with restart markers of which one to three rows of blocks are lost"""
    data = encode(s, "JPEG", quality=85, restart_marker_rows=1)
    start, end = scans(data)[0]
    marks = [i for i in range(start, end - 1) if data[i] == 0xFF and 0xD0 <= data[i + 1] <= 0xD7]
    rows = int(s.rng.integers(1, 4))
    if len(marks) < rows + 2:
        raise Skip
    first = int(s.rng.integers(0, len(marks) - rows))
    del data[marks[first] : marks[first + rows]]
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_sector_lost(s: Scratch):
    """JPEG with 512 to 4096 bytes of its data set to zero"""
    data = encode(s, "JPEG", quality=90)
    start, end = scans(data)[0]
    size = int(min(s.rng.choice([512, 1024, 4096]), (end - start) // 3))
    at = int(s.rng.integers(start, end - size))
    data[at : at + size] = bytes(size)
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_part_removed(s: Scratch):
    """JPEG with a part of its data left out, its end in place"""
    data = encode(s, "JPEG", quality=85)
    start, end = scans(data)[0]
    size = int((end - start) * s.rng.uniform(0.01, 0.2))
    at = int(s.rng.integers(start, end - size))
    del data[at : at + size]
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_truncated(s: Scratch):
    """JPEG that ends early"""
    data = encode(s, "JPEG", quality=85)
    start, end = scans(data)[0]
    s.data, s.suffix = bytes(data[: int(start + (end - start) * s.rng.uniform(0.3, 0.97))]), ".jpg"


@kind
def jpeg_truncated_marked(s: Scratch):
    """JPEG that ends early, but with the mark of the end"""
    data = encode(s, "JPEG", quality=85)
    start, end = scans(data)[0]
    s.data, s.suffix = bytes(data[: int(start + (end - start) * s.rng.uniform(0.3, 0.97))]) + b"\xff\xd9", ".jpg"


@kind
def jpeg_progressive_truncated(s: Scratch):
    """Progressive JPEG that ends early, some time after its first scan"""
    data = encode(s, "JPEG", quality=85, progressive=True)
    ranges = scans(data)
    s.data, s.suffix = bytes(data[: int(s.rng.integers(ranges[0][1], len(data) - 20))]), ".jpg"


@kind
def jpeg_progressive_first_scan(s: Scratch):
    """Progressive JPEG cut within its first scan"""
    data = encode(s, "JPEG", quality=85, progressive=True)
    start, end = scans(data)[0]
    s.data, s.suffix = bytes(data[: int(start + (end - start) * s.rng.uniform(0.4, 0.99))]), ".jpg"


@kind
def jpeg_progressive_bytes(s: Scratch):
    """Progressive JPEG with one to three bytes changed"""
    data = encode(s, "JPEG", quality=85, progressive=True)
    for start, end in [scans(data)[s.rng.integers(4)] for _ in range(s.rng.integers(1, 4))]:
        spoil(s, data, start, end, 1)
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_tables_changed(s: Scratch):
    """JPEG with a byte changed in its Huffman or quantization tables"""
    data = encode(s, "JPEG", quality=85)
    at = data.find(b"\xff\xc4") + int(s.rng.integers(21, 30))  # a symbol of the first Huffman table
    if s.rng.random() < 0.5:
        at = data.find(b"\xff\xdb") + int(s.rng.integers(5, 60))
    data[at] = int(s.rng.integers(1, 255))
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def jpeg_height_changed(s: Scratch):
    """JPEG whose header says a greater or smaller height than its data have"""
    data = encode(s, "JPEG", quality=85)
    at = data.find(b"\xff\xc0") + 5
    height = int(s.picture.shape[0] * s.rng.choice([0.8, 0.9, 1.1, 1.3]))
    data[at : at + 2] = height.to_bytes(2, "big")
    s.data, s.suffix = bytes(data), ".jpg"


@kind
def tiff_jpeg_bytes(s: Scratch):
    """TIFF of JPEG strips with one to three bytes changed"""
    data = encode(s, "TIFF", compression="jpeg", quality=85)
    start, end = 200, len(data) - 400
    spoil(s, data, start, end, int(s.rng.integers(1, 4)))
    s.data, s.suffix = bytes(data), ".tiff"


@kind
def tiff_strip_lost(s: Scratch):
    """Plain TIFF with a block of its data set to one value"""
    data = encode(s, "TIFF")
    size = int(len(data) * s.rng.uniform(0.04, 0.2))
    at = int(s.rng.integers(1000, len(data) - size - 1000))
    data[at : at + size] = bytes([s.rng.choice([0, 255, 128])]) * size
    s.data, s.suffix = bytes(data), ".tiff"


@kind
def tiff_lzw_bytes(s: Scratch):
    """TIFF packed by LZW with one byte changed"""
    data = encode(s, "TIFF", compression="tiff_lzw")
    spoil(s, data, 100, len(data) - 400, 1)
    s.data, s.suffix = bytes(data), ".tiff"


@kind
def bmp_block_lost(s: Scratch):
    """BMP with a block of its pixels lost: zero"""
    data = encode(s, "BMP")
    size = int(len(data) * s.rng.uniform(0.04, 0.2))
    at = int(s.rng.integers(100, len(data) - size))
    data[at : at + size] = bytes(size)
    s.data, s.suffix = bytes(data), ".bmp"


@kind
def bmp_shifted(s: Scratch):
    """BMP with some bytes left out: the rest slips sideways and its colors change"""
    data = encode(s, "BMP")
    size = int(s.rng.integers(1, s.picture.shape[1] * 3))
    at = int(s.rng.integers(100, len(data) - size))
    del data[at : at + size]
    s.data, s.suffix = bytes(data + bytes(size)), ".bmp"


@kind
def png_truncated(s: Scratch):
    """PNG that ends early"""
    data = encode(s, "PNG", compress_level=1)
    s.data, s.suffix = bytes(data[: int(len(data) * s.rng.uniform(0.4, 0.98))]), ".png"


@kind
def png_bytes(s: Scratch):
    """PNG with one byte changed in its data"""
    data = encode(s, "PNG", compress_level=1)
    spoil(s, data, data.find(b"IDAT") + 8, len(data) - 30, 1)
    s.data, s.suffix = bytes(data), ".png"


@kind
def gif_bytes(s: Scratch):
    """GIF with one or two bytes changed in its data"""
    out = io.BytesIO()
    Image.fromarray(s.picture).quantize(64).save(out, "GIF")
    data = bytearray(out.getvalue())
    spoil(s, data, 900, len(data) - 2, int(s.rng.integers(1, 3)))
    s.data, s.suffix = bytes(data), ".gif"


@kind
def gif_truncated(s: Scratch):
    """GIF that ends early"""
    out = io.BytesIO()
    Image.fromarray(s.picture).quantize(64).save(out, "GIF")
    data = out.getvalue()
    s.data, s.suffix = data[: int(len(data) * s.rng.uniform(0.5, 0.97))], ".gif"


@kind
def webp_bytes(s: Scratch):
    """Lossy WebP with one to three bytes changed"""
    data = encode(s, "WEBP", quality=85)
    spoil(s, data, 60, len(data) - 2, int(s.rng.integers(1, 4)))
    s.data, s.suffix = bytes(data), ".webp"


@kind
def webp_lossless_bytes(s: Scratch):
    """Lossless WebP with one byte changed"""
    data = encode(s, "WEBP", lossless=True)
    spoil(s, data, len(data) // 6, len(data) - 2, 1)
    s.data, s.suffix = bytes(data), ".webp"


@kind
def webp_truncated(s: Scratch):
    """Lossy WebP that ends early"""
    data = encode(s, "WEBP", quality=85)
    s.data, s.suffix = bytes(data[: int(len(data) * s.rng.uniform(0.4, 0.97))]), ".webp"


@kind
def pixels_of_wrong_width(s: Scratch):
    """Rows of pixels read with a width that is off by one: everything leans"""
    h, w = s.picture.shape[:2]
    flat = s.picture.reshape(-1, 3)
    width = w + int(s.rng.choice([-2, -1, 1, 2]))
    rows = len(flat) // width
    s.picture, s.quad = np.ascontiguousarray(flat[: rows * width].reshape(rows, width, 3)), None
