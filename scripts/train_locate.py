#!/usr/bin/env python3
"""Trains the finder and the aligner on drawn scenes and on `located` photos. See README.md."""

from __future__ import annotations

import pathlib

import numpy as np
import torch
from torch.nn import functional as F

from draw.art import Art
from draw.locating import aligner_sample, finder_sample
from draw.scene import read_located, scene
from networks import aligner, finder
from training import Trainer, arguments, load_config, stream, to_input


class Batch:
    """From `size` scenes: `size` finder samples and twice as many aligner samples."""

    def __init__(self, size: int, located: list):
        self.size, self.located = size, located

    def __call__(self, art, rng):
        found, aligned = [], []
        for _ in range(self.size):
            made = scene(art, rng, self.located)
            found.append(finder_sample(made))
            for _ in range(2):
                empty = not made.quads or rng.random() < 0.06
                quad = None if empty else made.quads[rng.integers(len(made.quads))]
                aligned.append(aligner_sample(made, rng, quad))
        return [torch.from_numpy(np.stack(x)) for pair in (found, aligned) for x in zip(*pair, strict=True)]


def finder_loss(out, truth):
    """Cross entropy of core and board; distance of (u, v) on boards, in board sides."""
    core = F.binary_cross_entropy_with_logits(out[:, 0], truth[:, 0])
    board = F.binary_cross_entropy_with_logits(out[:, 1], truth[:, 1])
    inside = truth[:, 1:2]
    uv = ((out[:, 2:] - truth[:, 2:]).abs() * inside).sum() / (inside.sum() * 2 + 1)
    return core + board + 6 * uv, core, uv


def aligner_loss(out, truth):
    """Cross entropy of board; on boards, distance of (u, v) in board sides and squared error of phase."""
    board = F.binary_cross_entropy_with_logits(out[:, 0], truth[:, 0])
    inside = truth[:, :1]
    count = inside.sum() + 1
    uv = ((out[:, 1:3] - truth[:, 1:3]).abs() * inside).sum() / (count * 2)
    phase = ((out[:, 3:] - truth[:, 3:]).square() * inside).sum() / (count * 4)
    return board + 8 * uv + 4 * phase, phase, uv


def main():
    parser = arguments(__doc__)
    parser.add_argument("--located", type=pathlib.Path, default=pathlib.Path("../shared/boards/train/located"))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    config = load_config(args.config, args.smoke)
    torch.manual_seed(config["seed"])
    nets = {"finder": (finder(), finder_loss), "aligner": (aligner(), aligner_loss)}
    start = {name: args.start / name / "last.pt" if args.start else None for name in nets}
    parts = {name: (Trainer(net, config, args.out / name, start[name]), loss) for name, (net, loss) in nets.items()}
    step = min(trainer.step for trainer, _ in parts.values())
    print(f"from step {step}")
    known = Art(args.art, args.positions, "train")
    located = read_located(args.located)
    rng = np.random.default_rng(903)
    make = Batch(16, [])
    held = Art(args.art, args.positions, "held")
    checks = [make(held, rng) for _ in range(1 if args.smoke else 10)]
    data = stream(known, Batch(config["batch"], located), config["seed"], step, args.workers)
    running: dict[str, float] = {}
    while step < config["steps"]:
        batch = next(data)
        for index, (name, (trainer, loss_of)) in enumerate(parts.items()):
            if trainer.step >= config["steps"]:
                continue
            trainer.model.train()
            loss, *rest = loss_of(trainer.model(to_input(batch[2 * index])), batch[2 * index + 1])
            trainer.update(loss)
            for key, value in zip(("loss", "main", "uv"), (loss, *rest), strict=True):
                old = running.get(f"{name}_{key}", value.item())
                running[f"{name}_{key}"] = old + (value.item() - old) * 0.02
        step += 1
        if step % 100 == 0:
            parts["aligner"][0].log(**running)
        if step % 500 == 0 or step == config["steps"]:
            figures = {}
            for index, (name, (trainer, loss_of)) in enumerate(parts.items()):
                with torch.no_grad():
                    values = [loss_of(trainer.average(to_input(c[2 * index])), c[2 * index + 1]) for c in checks]
                for key, value in zip(("loss", "main", "uv"), zip(*values, strict=True), strict=True):
                    figures[f"unseen_{name}_{key}"] = torch.stack(value).mean().item()
                trainer.save()
            parts["aligner"][0].log(**figures)


if __name__ == "__main__":
    main()
