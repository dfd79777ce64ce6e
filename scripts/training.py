"""What the training scripts share: endless seeded data, schedule, averaged weights, checkpoints."""

from __future__ import annotations

import argparse
import copy
import hashlib
import math
import pathlib
import subprocess
import time

import cv2
import numpy as np
import torch
import yaml
from torch.utils.data import DataLoader, IterableDataset

from draw.art import Art

cv2.setNumThreads(0)  # before any worker is forked: OpenCV's thread pool does not survive a fork


def arguments(description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--config", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of checkpoints; training continues from there")
    start = "checkpoint (for train_locate.py the folder of both) to start from; layers that it lacks, or has in other sizes, start fresh"
    parser.add_argument("--start", type=pathlib.Path, help=start)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="a few tiny steps, to see that everything works")
    return parser


class Endless(IterableDataset):
    """Batches drawn forever. A worker's stream depends on seed, epoch of resumption and worker alone."""

    def __init__(self, art: Art, make_batch, seed: int, start: int):
        self.art, self.make_batch, self.seed, self.start = art, make_batch, seed, start

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, self.start, info.id if info else 0])
        while True:
            yield self.make_batch(self.art, rng)


def stream(art, make_batch, seed, start, workers):
    data = Endless(art, make_batch, seed, start)
    return iter(DataLoader(data, batch_size=None, num_workers=workers, prefetch_factor=6 if workers else None))


def to_input(pictures: torch.Tensor) -> torch.Tensor:
    """[n, H, W, 3] uint8 to [n, 3, H, W] float in 0..1, channels last in memory."""
    return pictures.permute(0, 3, 1, 2).float().div_(255)


class Trainer:
    """AdamW, warm-up, cosine, an exponential average of the weights, resumable. `start`: weights to begin from."""

    def __init__(self, model, config, out: pathlib.Path, start: pathlib.Path | None = None):
        self.model = model.to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.model).eval()
        self.config, self.out, self.step = config, out, 0
        decay = [p for p in model.parameters() if p.ndim > 1]
        plain = [p for p in model.parameters() if p.ndim <= 1]
        groups = [{"params": decay, "weight_decay": config["weight_decay"]}, {"params": plain, "weight_decay": 0.0}]
        self.optimizer = torch.optim.AdamW(groups, lr=config["learning_rate"])
        out.mkdir(parents=True, exist_ok=True)
        self.began = time.time()
        if start and not (out / "last.pt").exists():
            weights = torch.load(start, map_location="cpu")["average"]
            shapes = {name: tensor.shape for name, tensor in self.model.state_dict().items()}
            weights = {n: w for n, w in weights.items() if w.shape == shapes.get(n, w.shape)}
            for mine in (self.model, self.average):
                fresh, foreign = mine.load_state_dict(weights, strict=False)
                if foreign:
                    raise ValueError(f"{start} holds weights that this network does not have: {foreign[:3]}")
                if fresh:
                    print(f"{len(fresh)} tensors start fresh: {fresh[0]} ...")
        if (last := out / "last.pt").exists():
            state = torch.load(last, map_location="cpu")
            self.model.load_state_dict(state["model"])
            self.average.load_state_dict(state["average"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.step = state["step"]

    def rate(self) -> float:
        c = self.config
        warm = min(1.0, (self.step + 1) / c["warmup"])
        if "cooldown" in c:  # flat, then down along a half cosine: the end can be moved while it runs
            part = max(0.0, (self.step - (c["steps"] - c["cooldown"])) / c["cooldown"])
        else:
            part = self.step / c["steps"]
        return c["learning_rate"] * warm * 0.5 * (1 + math.cos(math.pi * min(1.0, part)))

    def update(self, loss: torch.Tensor):
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        self.step += 1
        keep = min(self.config["ema"], (1 + self.step) / (10 + self.step))
        with torch.no_grad():
            theirs = self.model.state_dict()
            for name, mine in self.average.state_dict().items():
                if mine.dtype.is_floating_point:
                    mine.lerp_(theirs[name], 1 - keep)
                else:
                    mine.copy_(theirs[name])

    def save(self):
        state = {
            "model": self.model.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "config": self.config,
        }
        torch.save(state, self.out / "last.tmp")
        (self.out / "last.tmp").replace(self.out / "last.pt")

    def log(self, **figures):
        text = " ".join(f"{k} {v:.5g}" for k, v in figures.items())
        line = f"step {self.step} {time.time() - self.began:.0f}s lr {self.rate():.2g} {text}"
        print(line, flush=True)
        with open(self.out / "log.txt", "a") as file:
            file.write(line + "\n")


def load_config(path: pathlib.Path, smoke: bool) -> dict:
    config = yaml.safe_load(open(path))
    if smoke:
        config.update(steps=4, batch=2, warmup=2)
    return config


def commit() -> str:
    found = subprocess.run(["git", "rev-parse", "HEAD"], capture_output=True, text=True)
    return found.stdout.strip() or "none"


def manifest_hash(art: pathlib.Path) -> str:
    return hashlib.sha256((art / "manifest.csv").read_bytes()).hexdigest()[:16]
