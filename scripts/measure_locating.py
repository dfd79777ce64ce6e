#!/usr/bin/env python3
"""Measures where the program finds boards on drawn pictures of known truth: recall, boards found where there is none,
and the error of the corners, in squares. The pictures show held-back designs; no network has seen them."""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import tempfile

import cv2
import numpy as np

from draw import scene as scenes
from draw.art import Art

LEGIBLE = 12  # pixels a square; smaller boards count neither as missed nor as extra
KINDS = {"tight": scenes.tight, "page": scenes.page, "screen": scenes.screen, "sheet": scenes.sheet, "none": scenes.nothing}


def drawn(art, rng, kind, photo):
    made = KINDS[kind](art, rng)
    if photo:
        made = scenes.photographed(art, rng, made)
    made.image = scenes.degrade.pipeline(rng, made.image, made.tile, made.medium, art.textures, photo)
    return made


def corner_error(truth, found):
    """Mean distance of the corners, in squares, for the best assignment of the first corner."""
    side = np.sqrt(cv2.contourArea(truth)) / 8
    return min(np.linalg.norm(np.roll(found, k, axis=0) - truth, axis=1).mean() for k in range(4)) / side


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--bin", default="target/release/fenlens")
    parser.add_argument("--models", help="folder of models to measure instead of the built-in ones")
    parser.add_argument("--count", type=int, default=60, help="pictures of each kind")
    parser.add_argument("--misses", type=pathlib.Path, help="folder to draw missed boards to")
    parser.add_argument("--seed", type=int, default=2024)
    args = parser.parse_args()
    cv2.setNumThreads(0)
    art = Art(args.art, args.positions, "held")
    rng = np.random.default_rng(args.seed)
    everything = []
    print(f"{'kind':14} {'boards':>6} {'found':>6} {'recall':>7} {'extra':>6} {'median':>7} {'99 %':>6} {'< .15':>6}")
    for kind in KINDS:
        for photo in (False, True):
            truths = [drawn(art, rng, kind, photo) for _ in range(args.count)]
            with tempfile.TemporaryDirectory() as folder:
                files = []
                for i, made in enumerate(truths):
                    files.append(f"{folder}/{i:04}.png")
                    cv2.imwrite(files[-1], made.image[..., ::-1])
                extra = ["--models", args.models] if args.models else []
                run = subprocess.run([args.bin, "read", "--json", *extra, *files], capture_output=True, text=True)
            records = [json.loads(line) for line in run.stdout.splitlines()]
            boards, errors, surplus = 0, [], 0
            for made, record in zip(truths, records, strict=True):
                found = [np.float32(b["corners"]) for b in record["boards"]]
                for quad in made.quads:
                    legible = int(np.sqrt(cv2.contourArea(quad)) / 8 >= LEGIBLE)
                    boards += legible
                    scored = sorted((corner_error(quad, f), i) for i, f in enumerate(found))
                    if scored and scored[0][0] < 0.5:
                        errors += [scored[0][0]] * legible
                        found.pop(scored[0][1])
                    elif legible and args.misses:
                        args.misses.mkdir(parents=True, exist_ok=True)
                        shown = cv2.polylines(made.image.copy(), [np.int32(q) for q in made.quads], True, (0, 0, 255), 1)
                        shown = cv2.polylines(shown, [np.int32(quad)], True, (255, 0, 0), 2)
                        cv2.imwrite(str(args.misses / f"{kind}-{int(photo)}-{len(list(args.misses.iterdir())):03}.jpg"), shown[..., ::-1])
                surplus += len(found)
            everything += [(boards, errors, surplus)]
            report(kind + (" photo" if photo else ""), boards, errors, surplus)
    report("all", sum(b for b, _, _ in everything), sum((e for _, e, _ in everything), []), sum(s for _, _, s in everything))


def report(name, boards, errors, surplus):
    e = np.array(errors or [np.nan])
    recall = len(errors) / boards if boards else float("nan")
    spread = f"{np.median(e):7.3f} {np.quantile(e, 0.99):6.3f} {(e < 0.15).mean():6.3f}"
    print(f"{name:14} {boards:6} {len(errors):6} {recall:7.3f} {surplus:6} {spread}", flush=True)


if __name__ == "__main__":
    main()
