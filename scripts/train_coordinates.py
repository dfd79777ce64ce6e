#!/usr/bin/env python3
"""Trains the coordinate reader on drawn boards. See README.md."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn import functional as F

from draw.art import Art
from draw.coordinates import coordinate_views
from networks import CoordinatesNet
from training import Trainer, arguments, load_config, stream, to_input

PER_BOARD = 4  # views of each drawn board: drawing a board costs as much as four views


class Batch:
    """Draws about `size` views, PER_BOARD of each board; a class, not a closure, so that it can be sent to a worker."""

    def __init__(self, size: int):
        self.size = size

    def __call__(self, art, rng):
        pictures, truths = [], []
        for _ in range(max(1, self.size // PER_BOARD)):
            views, truth, _ = coordinate_views(art, rng, PER_BOARD)
            pictures += views
            truths += [truth] * len(views)
        return torch.from_numpy(np.stack(pictures)), torch.from_numpy(np.stack(truths))


def loss_of(logits, truth):
    """Cross entropy of letters and of digits over all cells, so that probabilities are frequencies."""
    values = logits.reshape(len(truth), -1, 2, 9).permute(0, 3, 2, 1)  # [n, 9, 2, 100]
    return 100 * F.cross_entropy(values, truth)


@torch.no_grad()
def evaluate(model, batches):
    """Of printed letters and digits, the share read; of empty cells, the share in which something is read."""
    found = printed = ghosts = empty = 0
    for pictures, truth in batches:
        read = model(to_input(pictures)).reshape(len(truth), -1, 2, 9).argmax(-1).transpose(1, 2)
        found, printed = found + ((read == truth) & (truth > 0)).sum().item(), printed + (truth > 0).sum().item()
        ghosts, empty = ghosts + ((read > 0) & (truth == 0)).sum().item(), empty + (truth == 0).sum().item()
    return found / max(1, printed), ghosts / empty


def main():
    args = arguments(__doc__).parse_args()
    torch.set_num_threads(args.threads)
    config = load_config(args.config, args.smoke)
    torch.manual_seed(config["seed"])
    trainer = Trainer(CoordinatesNet(), config, args.out, args.start)
    print(f"from step {trainer.step}")
    known = Art(args.art, args.positions, "train")
    rng = np.random.default_rng(904)
    checks = [Batch(16)(Art(args.art, args.positions, "held"), rng) for _ in range(1 if args.smoke else 12)]
    data = stream(known, Batch(config["batch"]), config["seed"], trainer.step, args.workers)
    running = 0.0
    while trainer.step < config["steps"]:
        pictures, truth = next(data)
        trainer.model.train()
        loss = loss_of(trainer.model(to_input(pictures)), truth)
        trainer.update(loss)
        running += (loss.item() - running) * (0.02 if trainer.step > 50 else 0.5)
        if trainer.step % 100 == 0:
            trainer.log(loss=running)
        if trainer.step % 500 == 0 or trainer.step == config["steps"]:
            read, ghosts = evaluate(trainer.average, checks)
            trainer.log(read=read, ghosts=ghosts)
            trainer.save()


if __name__ == "__main__":
    main()
