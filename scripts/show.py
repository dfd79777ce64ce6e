#!/usr/bin/env python3
"""Contact sheets of training views and scenes, for a person to check."""

from __future__ import annotations

import argparse
import pathlib

import cv2
import numpy as np

from draw.art import Art
from draw.coordinates import coordinate_views, draw_truth
from draw.locating import aligner_sample, finder_sample
from draw.scene import scene
from draw.views import pieces_views


def sheet(pictures, columns, path):
    rows = [np.concatenate(pictures[i : i + columns], 1) for i in range(0, len(pictures) - columns + 1, columns)]
    cv2.imwrite(str(path), cv2.cvtColor(np.concatenate(rows), cv2.COLOR_RGB2BGR))
    print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    art = Art(args.art, args.positions)
    rng = np.random.default_rng(args.seed)
    sheet([pieces_views(art, rng, count=1)[0][0] for _ in range(args.count)], 8, args.out / "pieces.png")
    labeled = [coordinate_views(art, rng, count=1)[:2] for _ in range(args.count)]
    sheet([draw_truth(view, truth) for (view,), truth in labeled], 8, args.out / "coordinates.png")
    found, aligned = [], []
    for _ in range(args.count):
        made = scene(art, rng)
        picture, truth = finder_sample(made)
        core = cv2.resize(truth[0], picture.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        picture[core > 0, 0] = 255
        found.append(picture)
        aligned.append(aligner_sample(made, rng, made.quads[0] if made.quads else None)[0])
    sheet(found, 8, args.out / "finder.png")
    sheet(aligned, 8, args.out / "aligner.png")


if __name__ == "__main__":
    main()
