#!/usr/bin/env python3
"""Trains the square classifier on drawn boards and labeled photos. README.md describes every step."""

from __future__ import annotations

import pathlib

import numpy as np
import torch
from torch.nn import functional as F

from draw.art import Art
from draw.scene import read_labeled
from draw.views import photo_view, pieces_views
from networks import PiecesNet
from training import Trainer, arguments, load_config, stream, to_input

UNKNOWN = -1  # a square that nobody could label


class Batch:
    """Draws `size` views, `real` of them from photos; a class, not a closure, so that it can be sent to a worker."""

    def __init__(self, size: int, photos: list | None = None, real: int = 0):
        self.size, self.photos, self.real = size, photos, real if photos else 0

    def __call__(self, art, rng):
        pictures, classes = [], []
        for _ in range((self.size - self.real) // 2):
            views, seen, _ = pieces_views(art, rng)
            pictures += views
            classes += [seen] * len(views)
        for _ in range(self.real):
            view, seen = photo_view(rng, self.photos[rng.integers(len(self.photos))])
            pictures.append(view)
            classes.append(seen)
        return torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(classes))


def validation(art, seed, count):
    rng = np.random.default_rng(seed)
    make = Batch(16)
    return [make(art, rng) for _ in range(count // 16)]


@torch.no_grad()
def evaluate(model, batches):
    """Share of wrong squares and of boards read exactly."""
    wrong = boards = exact = 0
    for pictures, classes in batches:
        miss = (model(to_input(pictures)).argmax(-1) != classes).sum(1)
        wrong, boards, exact = wrong + miss.sum().item(), boards + len(miss), exact + (miss == 0).sum().item()
    return wrong / boards / 64, exact / boards


def main():
    parser = arguments(__doc__)
    parser.add_argument("--located", type=pathlib.Path, default=pathlib.Path("../shared/boards/train/located"))
    parser.add_argument("--labels", type=pathlib.Path, default=pathlib.Path("scripts/labels/located.csv"))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    config = load_config(args.config, args.smoke)
    torch.manual_seed(config["seed"])
    trainer = Trainer(PiecesNet(), config, args.out, args.start)
    print(f"from step {trainer.step}")
    count = 16 if args.smoke else 384
    known = Art(args.art, args.positions, "train")
    sets = {
        "known": validation(known, 901, count),
        "unseen": validation(Art(args.art, args.positions, "held"), 902, count),
    }
    photos = read_labeled(args.located, args.labels) if args.located.exists() else []
    data = stream(known, Batch(config["batch"], photos, config.get("real", 0)), config["seed"], trainer.step, args.workers)
    running = 0.0
    while trainer.step < config["steps"]:
        pictures, classes = next(data)
        trainer.model.train()
        logits = trainer.model(to_input(pictures))
        loss = F.cross_entropy(logits.reshape(-1, 13), classes.reshape(-1), ignore_index=UNKNOWN)
        trainer.update(loss)
        running += (loss.item() - running) * (0.02 if trainer.step > 50 else 0.5)
        if trainer.step % 100 == 0:
            trainer.log(loss=running)
        if trainer.step % 250 == 0:
            trainer.save()
        if trainer.step % 1000 == 0 or trainer.step == config["steps"]:
            figures = {}
            for name, batches in sets.items():
                figures[f"{name}_squares_wrong"], figures[f"{name}_exact"] = evaluate(trainer.average, batches)
            trainer.log(**figures)
            trainer.save()


if __name__ == "__main__":
    main()
