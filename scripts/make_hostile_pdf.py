#!/usr/bin/env python3
"""Makes PDF documents that are small and ask for endless memory or time, for tests/hostile.rs.

    make_hostile_pdf.py testdata/faults        writes the five documents named in DOCUMENTS

The other documents of that folder (nested braces, columns of CCITT, a triple bomb, forms within forms) are of the same kind.
"""

from __future__ import annotations

import argparse
import math
import pathlib
import struct
import zlib

PAGE = (600, 800)  # in points


def document(content: bytes, resources: str = "", extra: tuple[bytes, ...] = (), filters: str = "") -> bytes:
    """A document of one page. Object 4 is its content; `extra` are the objects from 5 on."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R/Resources<<%s>>>>" % (*PAGE, resources.encode()),
        stream(filters, content),
        *extra,
    ]
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer <</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, table)
    return bytes(out)


def stream(entries: str, data: bytes) -> bytes:
    return b"<<%s/Length %d>>\nstream\n" % (entries.encode(), len(data)) + data + b"\nendstream"


def packed_twice(byte: bytes, length: int) -> bytes:
    """So many equal bytes, deflated twice."""
    inner, outer = zlib.compressobj(9), zlib.compressobj(9)
    block = byte * (1 << 20)
    out = bytearray()
    for _ in range(length >> 20):
        out += outer.compress(inner.compress(block))
    return bytes(out + outer.compress(inner.flush()) + outer.flush())


TWICE = "/Filter[/FlateDecode/FlateDecode]"
SHOW = b"600 0 0 800 0 0 cm /I Do"


def double_bomb() -> bytes:
    """4 GB of spaces as the content of the page."""
    return document(packed_twice(b" ", 4 << 30), filters=TWICE)


def image_bomb() -> bytes:
    """A picture within the limits whose data unpack to 3 GB."""
    entries = "/Type/XObject/Subtype/Image/Width 6000/Height 8000/ColorSpace/DeviceRGB/BitsPerComponent 8" + TWICE
    return document(SHOW, "/XObject<</I 5 0 R>>", (stream(entries, packed_twice(b"\x7f", 3 << 30)),))


def jpx_tiles() -> bytes:
    """A JPEG 2000 picture of 60,000 x 60,000 pixels in tiles of one pixel. The document says it is of 100 x 100."""
    side = 60_000
    size = struct.pack(">HIIIIIIIIHBBB", 0, side, side, 0, 0, 1, 1, 0, 0, 1, 7, 1, 1)
    coding = bytes([0, 0, 0, 1, 0, 0, 4, 4, 0, 1])
    quantization = bytes([0x40, 0x40])
    part = struct.pack(">HIBB", 0, 0, 0, 1)
    segments = [(0x51, size), (0x52, coding), (0x5C, quantization), (0x90, part)]
    data = b"\xff\x4f"
    data += b"".join(bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body for marker, body in segments)
    data += b"\xff\x93" + bytes(16) + b"\xff\xd9"
    entries = "/Type/XObject/Subtype/Image/Width 100/Height 100/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/JPXDecode"
    return document(SHOW, "/XObject<</I 5 0 R>>", (stream(entries, data),))


def dashed_curves() -> bytes:
    """5,000 long curves with a dash pattern that is much shorter than a pixel."""
    lines = ["0.5 w [0.002 0.001] 0 d 300 400 m"]
    for index in range(5000):
        angle = index * 2.4
        points = [(300 + 290 * math.cos(angle + turn), 400 + 390 * math.sin(angle + turn)) for turn in (1, 2, 3)]
        lines.append(" ".join(f"{x:.0f} {y:.0f}" for x, y in points) + " c")
    packed = zlib.compress("\n".join([*lines, "S"]).encode(), 9)
    return document(packed, filters="/Filter/FlateDecode")


def tiny_dashes() -> bytes:
    """One line with dashes of a hundred-thousandth of a point."""
    return document(b"1 w [0.00001 0.00001] 0 d 0 0 m 600 800 l S")


DOCUMENTS = {
    "flate-bomb-double": double_bomb,
    "flate-image": image_bomb,
    "jpx-tiles": jpx_tiles,
    "dashed-curves": dashed_curves,
    "tiny-dashes": tiny_dashes,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    for name, make in DOCUMENTS.items():
        (folder / f"{name}.pdf").write_bytes(make())


if __name__ == "__main__":
    main()
