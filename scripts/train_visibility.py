#!/usr/bin/env python3
"""Trains the network that says which squares cannot be seen. README.md describes every step."""

from __future__ import annotations

import csv
import pathlib
import re

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from draw.art import Art, expand
from draw.hidden import board_views, pair, real_view
from draw.scene import read_labeled
from networks import VisibilityNet
from training import Trainer, arguments, load_config, stream, to_input

# Notes of the manifest of boards/train/screens on pictures in which something lies over the board.
OVERLAID = re.compile(r"\bover\b|dialog|dimmed|menu|behind|veil|crazyhouse|drag", re.IGNORECASE)


def read_screens(folder: pathlib.Path) -> list:
    """Real screens as `(image, quad, [64] classes as seen, [64] bool unsure)`; those with something over the board are left out."""
    found = []
    for row in csv.DictReader(open(folder / "manifest.csv", newline="")):
        if OVERLAID.search(row["notes"]):
            continue
        image = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
        if image is None:
            continue
        quad = np.float32([[float(row[f"x{i}"]), float(row[f"y{i}"])] for i in range(1, 5)])
        seen = expand(row["placement"])
        seen = seen if row["orientation"] == "white" else seen[::-1, ::-1]
        low, high = np.maximum(quad.min(0).astype(int) - 80, 0), quad.max(0).astype(int) + 80
        image = np.ascontiguousarray(cv2.cvtColor(image, cv2.COLOR_BGR2RGB)[low[1] : high[1], low[0] : high[0]])
        found.append((image, quad - low.astype(np.float32), seen.reshape(-1), np.zeros(64, bool)))
    return found


def read_photos(folder: pathlib.Path, labels: pathlib.Path) -> list:
    """Labeled photos, in the same form."""
    return [(image, quad, np.maximum(seen, 0), seen < 0) for image, quad, seen in read_labeled(folder, labels)]


class Batch:
    """Draws `size` inputs, `real` of them from real pictures; a class, not a closure, so that it can be sent to a worker."""

    def __init__(self, size: int, real: list | None = None, count: int = 0):
        self.size, self.real, self.count = size, real, count if real else 0

    def __call__(self, art, rng):
        views, truths = [], []
        while len(views) < self.size - self.count:
            made, truth = board_views(art, rng)
            views, truths = views + made, truths + truth
        for _ in range(self.count):
            kind = self.real[rng.integers(len(self.real))]
            view, truth = real_view(art, rng, kind[rng.integers(len(kind))])
            views.append(view)
            truths.append(truth)
        order = slice(0, self.size)
        return torch.from_numpy(np.stack([pair(v) for v in views[order]])), torch.from_numpy(np.stack(truths[order]))


def loss_of(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    known = truth >= 0
    return F.binary_cross_entropy_with_logits(logits[known], truth[known].float())


@torch.no_grad()
def figures(model, batches) -> dict[str, float]:
    """Loss; for each truth the share found by a threshold that one square in 2,000 exceeds wrongly; and the share of boards with
    something covered of which no square is found by it."""
    logits = torch.cat([model(to_input(p)) for p, _ in batches])
    truth = torch.cat([t for _, t in batches])
    found = {"loss": loss_of(logits, truth).item()}
    for index, name in enumerate(("covered", "stray")):
        score, label = logits[..., index], truth[..., index]
        least = torch.quantile(score[label == 0], 1 - 1 / 2000).item()
        found[f"{name}_found"] = (score[label == 1] > least).float().mean().item()
        found[f"{name}_threshold"] = least
        boards = (label == 1).any(1)
        found[f"{name}_boards_missed"] = 1 - ((score > least) & (label == 1)).any(1)[boards].float().mean().item()
    return found


def main():
    parser = arguments(__doc__)
    parser.add_argument("--boards", type=pathlib.Path, default=pathlib.Path("../shared/boards/train"))
    parser.add_argument("--labels", type=pathlib.Path, default=pathlib.Path("scripts/labels/located.csv"))
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    config = load_config(args.config, args.smoke)
    torch.manual_seed(config["seed"])
    trainer = Trainer(VisibilityNet(), config, args.out, args.start)
    print(f"from step {trainer.step}")
    known = Art(args.art, args.positions, "train")
    make, count = Batch(16), 1 if args.smoke else 48
    held = Art(args.art, args.positions, "held")
    rng = np.random.default_rng(905)
    validation = [make(held, rng) for _ in range(count)]
    real = []
    if args.boards.exists():
        real = [read_photos(args.boards / "located", args.labels), read_screens(args.boards / "screens")]
    data = stream(known, Batch(config["batch"], real, config["real"]), config["seed"], trainer.step, args.workers)
    running = 0.0
    while trainer.step < config["steps"]:
        pictures, truth = next(data)
        trainer.model.train()
        loss = loss_of(trainer.model(to_input(pictures)), truth)
        trainer.update(loss)
        running += (loss.item() - running) * (0.02 if trainer.step > 50 else 0.5)
        if trainer.step % 100 == 0:
            trainer.log(loss=running)
        if trainer.step % 250 == 0:
            trainer.save()
        if trainer.step % 500 == 0 or trainer.step == config["steps"]:
            trainer.log(**figures(trainer.average, validation))
            trainer.save()


if __name__ == "__main__":
    main()
