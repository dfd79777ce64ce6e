#!/usr/bin/env python3
"""Trains variants of the square classifier from nothing on one small budget and prints what each reads.

All variants see the same views in the same order (except the one that measures the gain from restyled and generated pieces),
so that what differs is the variant. The budget is a few minutes each: enough to rank ideas, far too little to be good.
"""

from __future__ import annotations

import argparse
import pathlib
import time

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from draw.art import Art
from draw.views import SIDE, pieces_views
from networks import PiecesNet, multiply_adds
from training import to_input

VARIANTS = {
    "as trained": {},
    "capacity: two thirds of the width": {"widths": (10, 20, 32, 64, 104)},
    "capacity: four thirds": {"widths": (20, 40, 64, 128, 208)},
    "context: statistics of the board only": {"exchange": False},
    "context: none": {"exchange": False, "statistics": False},
    "squares of 24 pixels": {"pixels": 24},
    "squares of 16 pixels": {"pixels": 16},
    "augmentation: pieces as drawn only": {"vary": False},
}


def views(art, seed, count, clean=False):
    rng = np.random.default_rng(seed)
    pictures, classes = [], []
    while len(pictures) < count:
        made, seen, _ = pieces_views(art, rng, count=1 if clean else 2, clean=clean)
        pictures += made
        classes += [seen] * len(made)
    return np.stack(pictures[:count]), np.stack(classes[:count])


def seen_at(pictures: torch.Tensor, pixels: int) -> torch.Tensor:
    """The views as if squares had `pixels` pixels: reduced, and enlarged again for the same network."""
    if pixels == 32:
        return pictures
    small = F.interpolate(pictures, size=SIDE * pixels // 32, mode="area")
    return F.interpolate(small, size=SIDE, mode="bilinear")


def without_statistics(model):
    for parent in model.modules():
        for name, child in parent.named_children():
            if type(child).__name__ == "BoardContext":
                setattr(parent, name, nn.Identity())


def train(variant, data, steps, batch):
    torch.manual_seed(5)
    model = PiecesNet(variant.get("widths", (16, 32, 48, 96, 160)), variant.get("exchange", True))
    if not variant.get("statistics", True):
        without_statistics(model)
    model = model.to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps, pct_start=0.15)
    pictures, classes = data
    for step in range(steps):
        at = np.arange(step * batch, (step + 1) * batch) % len(pictures)
        x = seen_at(to_input(torch.from_numpy(pictures[at])), variant.get("pixels", 32))
        loss = F.cross_entropy(model(x).reshape(-1, 13), torch.from_numpy(classes[at]).reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        schedule.step()
    return model.eval()


@torch.no_grad()
def wrong_squares(model, data, pixels):
    """Wrong squares, in per cent."""
    pictures, classes = data
    wrong = 0
    for at in range(0, len(pictures), 16):
        x = seen_at(to_input(torch.from_numpy(pictures[at : at + 16])), pixels)
        wrong += (model(x).argmax(-1).numpy() != classes[at : at + 16]).sum()
    return 100 * wrong / classes.size


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--views", type=int, default=3000, help="different views that a variant learns from")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(0)
    known, held = (Art(args.art, args.positions, split) for split in ("train", "held"))
    sets = {}
    for name, art in (("trained on", known), ("held back", held)):
        art.vary = False
        sets[f"{name}, clean"] = views(art, 31, 96, clean=True)
        sets[f"{name}, degraded"] = views(art, 32, 96)
        art.vary = True
    pools = {True: views(known, 30, args.views)}
    print("wrong squares in per cent\n| variant | million multiply-adds | " + " | ".join(sets) + " |", flush=True)
    for name, variant in VARIANTS.items():
        start, vary = time.time(), variant.get("vary", True)
        if vary not in pools:
            known.vary = vary
            pools[vary] = views(known, 30, args.views)
        model = train(variant, pools[vary], args.steps, args.batch)
        figures = [f"{wrong_squares(model, data, variant.get('pixels', 32)):.2f}" for data in sets.values()]
        cost = multiply_adds(model, (3, SIDE, SIDE)) * (variant.get("pixels", 32) / 32) ** 2
        print(f"| {name} | {cost:.0f} | " + " | ".join(figures) + f" | ({time.time() - start:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
