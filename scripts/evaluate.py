#!/usr/bin/env python3
"""Measures exported models on drawn pictures that training never saw: held-back designs, other seeds.

Prints the figures that the cards in `models/` quote. Real pictures are scored by the program itself.
"""

from __future__ import annotations

import argparse
import pathlib

import numpy as np
import onnxruntime

from draw.art import Art
from draw.coordinates import coordinate_views
from draw.hidden import COVERS, board_views, pair
from draw.locating import aligner_sample, finder_sample
from draw.scene import scene
from draw.views import pieces_views

# Those in use.
FINDER, ALIGNER, PIECES, VISIBILITY, COORDINATES = "finder-v2", "aligner-v2", "pieces-v4", "visibility-v1", "coordinates-v2"


def network(models: pathlib.Path, name: str):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(models / name / "model.onnx"), options)

    def run(picture: np.ndarray) -> np.ndarray:
        values = (picture.transpose(2, 0, 1)[None] / 255).astype(np.float32)
        return session.run(None, {"input": values})[0][0]

    return run


def pieces(run, art, seed, count, clean, temperature=1.0):
    """Exact boards, wrong squares, and a reliability table over all squares."""
    rng = np.random.default_rng(seed)
    exact = wrong = 0
    bins = np.zeros((6, 3))
    edges = np.array([0, 0.5, 0.9, 0.98, 0.995, 0.9995])
    for _ in range(count):
        (view,), seen, _ = pieces_views(art, rng, count=1, clean=clean)
        logits = run(view) / temperature
        odds = np.exp(logits - logits.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        right = odds.argmax(1) == seen
        exact, wrong = exact + right.all(), wrong + (~right).sum()
        band = np.searchsorted(edges, odds.max(1), side="right") - 1
        for b, said, true in zip(band, odds.max(1), right, strict=True):
            bins[b] += [1, said, true]
    return exact / count, wrong / count / 64, [(edges[i], *row) for i, row in enumerate(bins) if row[0]]


def locate(find, align, art, seed, count):
    """Share of cells that the finder wrongly puts on or off a board, and errors of board coordinates and phase, in squares."""
    rng = np.random.default_rng(seed)
    core_wrong, errors, phases = [], [], []
    for _ in range(count):
        made = scene(art, rng)
        picture, truth = finder_sample(made)
        out = find(picture)
        core_wrong.append(((out[0] > 0) != (truth[0] > 0.5)).mean())
        inside = truth[1] > 0.5
        if not inside.any():
            continue
        errors.append(np.abs(out[2:] - truth[2:])[:, inside].mean() * 8)
        quad = made.quads[rng.integers(len(made.quads))]
        view, wanted = aligner_sample(made, rng, quad)
        got, on = align(view), wanted[0] > 0.5
        turn = np.angle((got[3] + 1j * got[4]) * (wanted[3] - 1j * wanted[4]))[on] / (2 * np.pi)
        phases.append(np.abs(np.median(turn)))
    return np.mean(core_wrong), np.median(errors), np.median(phases)


HIDDEN = 0.65  # the probability from which a square counts, as in src/recognize/visibility.rs


def visibility(run, art, seed, count):
    """For each kind of cover, for pieces beside their squares and for nothing at all: boards, those with a square that cannot be seen,
    those of them of which one is found, and boards with a square that is wrongly found."""
    table = []
    for kind in ["nothing", "stray", *(cover.__name__ for cover in COVERS)]:
        rng = np.random.default_rng(seed)
        hidden = found = false = 0
        for _ in range(count):
            (view,), (truth,) = board_views(art, rng, count=1, only=kind)
            seen = 1 / (1 + np.exp(-run(pair(view)))) >= HIDDEN
            hidden += (truth == 1).any()
            found += ((truth == 1).any(1) & seen.any(1)).any()
            false += ((truth == 0).all(1) & seen.any(1)).any()
        table.append((kind, count, hidden, found, false))
    return table


CLEAR, STRAY = 10, 0.03  # as in src/recognize/coordinates.rs


def coordinates(run, art, seed, count):
    """Of printed letters and digits, the share read; of empty cells, the share in which something is read; of boards with
    coordinates, their number, on how many the reader decides, and on how many of these rightly."""
    rng = np.random.default_rng(seed)
    found = printed = ghosts = empty = right = sure = boards = 0
    for _ in range(count):
        (view,), truth, board = coordinate_views(art, rng, count=1)
        logits = run(view).reshape(100, 2, 9)
        odds = np.exp(logits - logits.max(-1, keepdims=True))
        odds /= odds.sum(-1, keepdims=True)
        read = odds.argmax(-1).T
        found, printed = found + ((read == truth) & (truth > 0)).sum(), printed + (truth > 0).sum()
        ghosts, empty = ghosts + ((read > 0) & (truth == 0)).sum(), empty + (truth == 0).sum()
        if (truth > 0).any():
            said = white_at_bottom(odds)
            boards += 1
            sure += abs(said) > CLEAR
            right += abs(said) > CLEAR and (said > 0) == board.white_below
    return found / printed, ghosts / empty, boards, sure, right


def white_at_bottom(odds) -> float:
    """Log-odds of White at the bottom, as `src/recognize/coordinates.rs` has them. `odds`: [100, 2, 9]."""
    cells, total = odds.reshape(10, 10, 2, 9), 0.0
    for edge in (0, 1, 8, 9):
        for along in range(1, 9):
            letter, digit = cells[edge, along, 0], cells[along, edge, 1]
            total += np.log((letter[along] + STRAY) / (letter[9 - along] + STRAY))
            total += np.log((digit[9 - along] + STRAY) / (digit[along] + STRAY))
    return float(total)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    facts = (args.models / PIECES / "model.toml").read_text()
    temperature = float(next(line for line in facts.splitlines() if line.startswith("temperature")).split("=")[1])
    arts = {"known": Art(args.art, args.positions, "train"), "held back": Art(args.art, args.positions, "held")}
    read = network(args.models, PIECES)
    for name, art in arts.items():
        for clean in (True, False):
            exact, wrong, table = pieces(read, art, 1001, args.count, clean, temperature)
            how = "clean" if clean else "degraded"
            print(f"pieces, {name} designs, {how}: exact {exact:.3f}, squares wrong {100 * wrong:.3f} %")
        for low, total, said, true in table:
            print(f"    said {low:6.4f}+: {int(total):7d} squares, mean {said / total:.5f}, right {true / total:.5f}")
    see = network(args.models, VISIBILITY)
    for name, art in arts.items():
        for kind, count, hidden, found, false in visibility(see, art, 1004, args.count):
            print(f"visibility, {name} designs, {kind}: {found} of {hidden} boards found, {false} of {count} with a square wrongly found")
    reader = network(args.models, COORDINATES)
    for name, art in arts.items():
        found, ghosts, boards, sure, right = coordinates(reader, art, 1003, args.count)
        print(f"coordinates, {name} designs: {100 * found:.1f} % of letters and digits read, something read in {100 * ghosts:.2f} %")
        print(f"    of empty cells; of {boards} boards with coordinates {sure} decided, {right} of them rightly")
    find, align = network(args.models, FINDER), network(args.models, ALIGNER)
    for name, art in arts.items():
        wrong, uv, phase = locate(find, align, art, 1002, max(8, args.count // 4))
        print(f"locating, {name} designs: core cells wrong {100 * wrong:.2f} %, finder's board coordinates off by {uv:.3f} squares")
        print(f"    (median), aligner's phase off by {phase:.4f} squares (median of medians)")


if __name__ == "__main__":
    main()
