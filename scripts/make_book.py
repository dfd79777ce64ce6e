#!/usr/bin/env python3
"""Makes a book of chess diagrams as PDF, two boards a page, and a table of what is on its pages.

Two kinds: `scan`, each page one JPEG picture as scanners make them, pieces and paper drawn like the test pictures;
`drawn`, as a word processor makes them: text, lines and a chess font in the file. The same seed gives the same book.

    make_book.py scan --pages 100 --out book.pdf      writes book.pdf and book.csv
"""

from __future__ import annotations

import argparse
import csv
import io
import pathlib
import zlib

import cv2
import numpy as np

from draw.art import CLASSES, Art, compress, expand, read_placements
from draw.board import draw_board
from draw.scene import Scene, caption, put_board, text_line

PAGE = (420, 595)  # A5 in points
SIDE = 180  # of a board, in points
GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))


class Pdf:
    """A PDF file, object by object. Objects 1 and 2 are the catalog and the list of pages."""

    def __init__(self):
        self.objects: list[bytes] = [b"", b""]
        self.pages: list[int] = []

    def add(self, body: str, stream: bytes | None = None) -> int:
        data = body.encode()
        if stream is not None:
            data = data[:-2] + b" /Length %d >>\nstream\n" % len(stream) + stream + b"\nendstream"
        self.objects.append(data)
        return len(self.objects)

    def page(self, resources: str, content: bytes, size: tuple[float, float] = PAGE):
        packed = self.add("<< /Filter /FlateDecode >>", zlib.compress(content, 9))
        box = f"[0 0 {size[0]:g} {size[1]:g}]"
        body = f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Resources << {resources} >> /Contents {packed} 0 R >>"
        self.pages.append(self.add(body))

    def write(self, path: pathlib.Path):
        kids = " ".join(f"{page} 0 R" for page in self.pages)
        self.objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
        self.objects[1] = f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>".encode()
        out = bytearray(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self.objects, 1):
            offsets.append(len(out))
            out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
        table = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, table)
        path.write_bytes(out)


# ---------------------------------------------------------------- scans


def scanned_page(art: Art, rng, boards: list[np.ndarray], dpi: int) -> tuple[np.ndarray, list[str]]:
    """[H, W] gray and the names of the pieces: the boards one below the other, with lines of text, slightly rotated."""
    scale = dpi / 72
    width, height = int(PAGE[0] * scale), int(PAGE[1] * scale)
    tile = int(SIDE / 8 * scale)
    page = Scene(np.full((height, width, 3), 255, np.uint8), [], tile, "print")
    size = max(8, int(9 * scale))
    y = int(30 * scale)
    names = []
    for seen in boards:
        board = draw_board(art, rng, tile, "print", seen, True)
        names.append(board.name)
        margin = min(board.margin + 2, board.left)
        extent = 8 * tile + 2 * margin
        caption(art, rng, page.image, (width - extent) // 2, y, extent, size)
        put_board(page, board, (width - extent) // 2, y + 2 * size, margin)
        y += extent + 3 * size
        for _ in range(2):
            text_line(art, rng, page.image, int(30 * scale), y, width - int(60 * scale), size, (40, 40, 40))
            y += int(1.5 * size)
    gray = cv2.cvtColor(page.image, cv2.COLOR_RGB2GRAY)
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-0.8, 0.8), 1)
    gray = cv2.warpAffine(gray, turn, (width, height), borderValue=255)
    paper = 232 - 40 * rng.random()
    noisy = gray.astype(np.float32) * paper / 255 + rng.normal(0, 3, gray.shape)
    return cv2.GaussianBlur(noisy.clip(0, 255).astype(np.uint8), (0, 0), 0.6), names


def add_scan(pdf: Pdf, gray: np.ndarray, quality: int):
    ok, jpeg = cv2.imencode(".jpg", gray, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert ok
    height, width = gray.shape
    head = f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace /DeviceGray"
    image = pdf.add(f"{head} /BitsPerComponent 8 /Filter /DCTDecode >>", jpeg.tobytes())
    pdf.page(f"/XObject << /I {image} 0 R >>", f"q {PAGE[0]} 0 0 {PAGE[1]} 0 0 cm /I Do Q".encode())


# ---------------------------------------------------------------- drawn pages


class ChessFont:
    """The chess symbols of a font, stored in the file as a PDF font whose codes are numbers of glyphs."""

    def __init__(self, pdf: Pdf, path: pathlib.Path):
        from fontTools import subset
        from fontTools.ttLib import TTFont

        options = subset.Options(layout_features=[], name_IDs=[], notdef_outline=True, hinting=False)
        font = TTFont(path, recalcTimestamp=False)
        subsetter = subset.Subsetter(options)
        subsetter.populate(text="".join(GLYPHS.values()))
        subsetter.subset(font)
        data = io.BytesIO()
        font.save(data)
        unit = 1000 / font["head"].unitsPerEm
        names = font.getBestCmap()
        self.codes = {piece: font.getGlyphID(names[ord(symbol)]) for piece, symbol in GLYPHS.items()}
        advance = {self.codes[piece]: font["hmtx"][names[ord(symbol)]][0] * unit for piece, symbol in GLYPHS.items()}
        self.advance = {piece: advance[code] for piece, code in self.codes.items()}
        file = pdf.add("<< /Filter /FlateDecode >>", zlib.compress(data.getvalue(), 9))
        head = font["head"]
        box = " ".join(f"{v * unit:.0f}" for v in (head.xMin, head.yMin, head.xMax, head.yMax))
        metrics = f"/ItalicAngle 0 /Ascent {font['hhea'].ascent * unit:.0f} /Descent {font['hhea'].descent * unit:.0f}"
        about = f"/FontBBox [{box}] {metrics} /CapHeight 700 /StemV 80 /FontFile2 {file} 0 R"
        descriptor = pdf.add(f"<< /Type /FontDescriptor /FontName /Chess /Flags 4 {about} >>")
        widths = " ".join(f"{code} [{width:.0f}]" for code, width in sorted(advance.items()))
        system = "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /CIDToGIDMap /Identity"
        cid = f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Chess {system}"
        cid = pdf.add(f"{cid} /FontDescriptor {descriptor} 0 R /W [{widths}] >>")
        head = "<< /Type /Font /Subtype /Type0 /BaseFont /Chess /Encoding /Identity-H"
        self.number = pdf.add(f"{head} /DescendantFonts [{cid} 0 R] >>")


def drawn_board(font: ChessFont, seen: np.ndarray, left: float, bottom: float) -> list[str]:
    """Operators that draw a board: gray squares, a frame, a letter of the chess font for each piece."""
    tile = SIDE / 8
    ops = ["0.78 g"]
    for row, col in zip(*np.nonzero((np.arange(8)[:, None] + np.arange(8)) % 2), strict=True):
        ops.append(f"{left + col * tile:g} {bottom + (7 - row) * tile:g} {tile:g} {tile:g} re")
    ops += ["f", f"0 G 1 w {left:g} {bottom:g} {SIDE} {SIDE} re S", "0 g BT", f"/C {tile * 1.05:g} Tf"]
    for row, col in np.argwhere(seen > 0):
        piece = CLASSES[seen[row, col]]
        x = left + col * tile + (tile - font.advance[piece] / 1000 * tile * 1.05) / 2
        y = bottom + (7 - row) * tile + tile * 0.14
        ops.append(f"1 0 0 1 {x:.2f} {y:.2f} Tm <{font.codes[piece]:04x}> Tj")
    return [*ops, "ET"]


def add_drawn(pdf: Pdf, font: ChessFont, text: int, number: int, boards: list[np.ndarray]):
    ops = []
    for i, seen in enumerate(boards):
        bottom = PAGE[1] - 50 - SIDE - i * (SIDE + 80)
        name = f"Position {(number - 1) * len(boards) + i + 1}"
        ops += [f"BT /T 10 Tf 40 {bottom + SIDE + 12:g} Td ({name}: find the best move.) Tj ET"]
        ops += drawn_board(font, seen, (PAGE[0] - SIDE) / 2, bottom)
        ops += [f"BT /T 9 Tf 40 {bottom - 18:g} Td (The answer is at the end of the book, with all variations.) Tj ET"]
    pdf.page(f"/Font << /C {font.number} 0 R /T {text} 0 R >>", "\n".join(ops).encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["scan", "drawn"])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--boards", type=int, default=2, choices=[1, 2], help="on each page")
    parser.add_argument("--dpi", type=int, default=200, help="of scans")
    parser.add_argument("--quality", type=int, default=75, help="of the JPEG of scans")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    args = parser.parse_args()
    rng = np.random.default_rng([2027, args.seed])
    positions = read_placements(args.positions / "game.fen")
    pdf = Pdf()
    if args.kind == "scan":
        art = Art(args.art, args.positions, "all", buckets="AB")
        art.vary, art.boards, art.book_squares = False, [], []
        art.fonts = [f for f in art.fonts if f.stem in ("LiberationSerif-Regular", "Lato-Regular")]
    else:
        font = ChessFont(pdf, args.art / "fonts" / "NotoSansSymbols2-subset.ttf")
        text = pdf.add("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>")
    rows = []
    for number in range(1, args.pages + 1):
        boards = [positions[rng.integers(len(positions))] for _ in range(args.boards)]
        if args.kind == "scan":
            gray, names = scanned_page(art, rng, boards, args.dpi)
            add_scan(pdf, gray, args.quality)
        else:
            names = ["unicode_notosymbols2_outline"] * args.boards
            add_drawn(pdf, font, text, number, boards)
        rows += [(number, i + 1, compress(seen), names[i]) for i, seen in enumerate(boards)]
    assert all(compress(expand(placement)) == placement for _, _, placement, _ in rows)
    pdf.write(args.out)
    with open(args.out.with_suffix(".csv"), "w", newline="") as table:
        csv.writer(table, lineterminator="\n").writerows([("page", "diagram", "placement", "pieces"), *rows])


if __name__ == "__main__":
    main()
