#!/usr/bin/env python3
"""Draws the calibration of the square classifier: a reliability diagram of squares, and the risk of boards against the
share that is accepted, as one SVG for the model's card, and prints both as tables.

Drawn boards are read once each by the exported model. With `--dev`, the real pictures of the given folders are read by the
program and shown beside them; nothing is fitted to these.
"""

from __future__ import annotations

import argparse
import csv
import json
import pathlib
import subprocess

import cv2
import numpy as np

from draw.art import Art, expand
from draw.views import pieces_views
from evaluate import network

EDGES = [0, 0.5, 0.7, 0.9, 0.98, 0.995, 0.9995, 1.0001]
COLORS = {"trained on": "#2a78b5", "held back": "#c2571a", "real (dev)": "#3b7d3b"}
FLAG = 0.98  # squares below this are flagged and the board is not accepted, as in src/recognize/recognizer.rs


def drawn_boards(run, art, seed, count, temperature):
    """Of each board the confidence of its 64 squares, and which are right."""
    rng = np.random.default_rng(seed)
    sure, right = [], []
    for _ in range(count):
        (view,), seen, _ = pieces_views(art, rng, count=1)
        logits = run(view) / temperature
        odds = np.exp(logits - logits.max(1, keepdims=True))
        odds /= odds.sum(1, keepdims=True)
        sure.append(odds.max(1))
        right.append(odds.argmax(1) == seen)
    return np.array(sure), np.array(right)


def real_boards(program, folders):
    """The same for real pictures in which all boards were found; a board has the confidence that the program gives it."""
    sure, right, whole = [], [], []
    for folder in folders:
        rows = list(csv.DictReader(open(folder / "manifest.csv", newline="")))
        run = subprocess.run([program, "read", "--json", *[str(folder / r["file"]) for r in rows]], capture_output=True, text=True)
        for row, line in zip(rows, run.stdout.splitlines(), strict=True):
            labels = [p.strip() for p in row["placement"].split("|") if p.strip()]
            boards = json.loads(line)["boards"]
            if len(labels) != len(boards):
                continue
            for label, board in zip(labels, boards, strict=True):
                same = expand(label).reshape(-1) == expand(board["placement"]).reshape(-1)
                by_name = {s["square"]: s for s in board["squares"]}
                names = [f + r for r in "87654321" for f in "abcdefgh"]
                sure.append([by_name[n]["confidence"] for n in names])
                right.append(same)
                whole.append(board["confidence"] if not any(s["flagged"] for s in board["squares"]) else 0.0)
    return np.array(sure), np.array(right), np.array(whole)


def reliability(sure, right):
    """Rows of (squares, mean confidence, share right) for each bin of confidence."""
    rows = []
    for low, high in zip(EDGES, EDGES[1:], strict=False):
        inside = (sure >= low) & (sure < high)
        if inside.any():
            rows.append((low, int(inside.sum()), float(sure[inside].mean()), float(right[inside].mean())))
    return rows


def risk(whole, right):
    """Boards by falling confidence: share accepted, share of these that is wrong, confidence of the last."""
    order = np.argsort(-whole)
    wrong = ~right.all(1)[order]
    accepted = np.arange(1, len(order) + 1)
    keep = whole[order] > 0
    return accepted[keep] / len(order), (np.cumsum(wrong) / accepted)[keep], whole[order][keep]


def logit(p):
    p = np.clip(p, 1e-4, 1 - 1e-4)
    return np.log(p / (1 - p))


def svg(tables, curves) -> str:
    """Two diagrams side by side, 820 x 380."""
    out = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 380" font-family="sans-serif" font-size="12">',
        '<rect width="820" height="380" fill="#fff"/>',
        '<text x="50" y="22" font-size="14">Squares: how sure, and how often right</text>',
        '<text x="460" y="22" font-size="14">Boards: share accepted, and wrong of these</text>',
    ]

    def at(p):
        return 50 + 300 * (logit(p) + 4.6) / 13.9, 340 - 300 * (logit(p) + 4.6) / 13.9

    for p in (0.1, 0.5, 0.9, 0.99, 0.999):
        x, y = at(p)
        out.append(f'<path d="M{x:.1f} 40V340M50 {y:.1f}H350" stroke="#ddd" fill="none"/>')
        out.append(f'<text x="{x:.1f}" y="356" text-anchor="middle">{p}</text><text x="44" y="{y + 4:.1f}" text-anchor="end">{p}</text>')
    out.append('<path d="M50 340L350 40" stroke="#999" stroke-dasharray="4 4"/>')
    for name, rows in tables.items():
        points = [(at(said)[0], at(true)[1], n) for _, n, said, true in rows]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[name]}" stroke-width="1.5"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLORS[name]}"/>' for x, y, _ in points]
    most = 0.1
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = 460 + 320 * share
        out.append(f'<path d="M{x:.1f} 40V340" stroke="#ddd"/><text x="{x:.1f}" y="356" text-anchor="middle">{share:.0%}</text>')
    for level in (0, 0.02, 0.04, 0.06, 0.08, 0.1):
        y = 340 - 300 * level / most
        out.append(f'<path d="M460 {y:.1f}H780" stroke="#ddd"/><text x="454" y="{y + 4:.1f}" text-anchor="end">{level:.0%}</text>')
    for i, (name, (share, wrong, _)) in enumerate(curves.items()):
        points = " ".join(f"{460 + 320 * s:.1f},{340 - 300 * min(w, most) / most:.1f}" for s, w in zip(share, wrong, strict=True))
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[name]}" stroke-width="1.5"/>')
        out.append(f'<rect x="{470}" y="{48 + 18 * i}" width="10" height="10" fill="{COLORS[name]}"/>')
        out.append(f'<text x="{486}" y="{57 + 18 * i}">{name}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--name", default="pieces-v4")
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--bin", default="target/release/fenlens")
    parser.add_argument("--dev", type=pathlib.Path, nargs="*", default=[], help="folders of labeled real pictures")
    parser.add_argument("--count", type=int, default=600, help="drawn boards of each split")
    parser.add_argument("--out", type=pathlib.Path, help="SVG file [default: calibration.svg beside the model]")
    args = parser.parse_args()
    cv2.setNumThreads(0)
    facts = (args.models / args.name / "model.toml").read_text()
    temperature = float(next(line for line in facts.splitlines() if line.startswith("temperature")).split("=")[1])
    run = network(args.models, args.name)
    tables, curves = {}, {}
    for name, split in (("trained on", "train"), ("held back", "held")):
        sure, right = drawn_boards(run, Art(args.art, args.positions, split), 1004, args.count, temperature)
        whole = np.where(sure.min(1) >= FLAG, sure.prod(1), 0.0)
        tables[name], curves[name] = reliability(sure, right), risk(whole, right)
    if args.dev:
        sure, right, whole = real_boards(args.bin, args.dev)
        tables["real (dev)"], curves["real (dev)"] = reliability(sure, right), risk(whole, right)
    for name, rows in tables.items():
        print(f"{name}:\n| confidence | squares | mean | right |\n|---|---|---|---|")
        for low, n, said, true in rows:
            print(f"| from {low} | {n} | {said:.5f} | {true:.5f} |")
        share, wrong, whole = curves[name]
        for least in (0.9, 0.95, 0.96, 0.97, 0.98, 0.99):
            n = int((whole >= least).sum())
            if n:
                print(f"  boards from {least}: {n} accepted ({share[n - 1]:.1%}), wrong {round(wrong[n - 1] * n)}")
    (args.out or args.models / args.name / "calibration.svg").write_text(svg(tables, curves))


if __name__ == "__main__":
    main()
