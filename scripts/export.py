#!/usr/bin/env python3
"""Turns a checkpoint into `models/NAME/`: model.onnx, model.toml and parity fixtures.

Batch norms are folded, weights are stored as 16-bit floats (the runtimes widen them when they load the
model), and the parity output is that of the framework with the same rounded weights.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import pathlib
import tempfile

import cv2
import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import nn
from torch.nn import functional as F

from draw.art import CLASSES, Art
from draw.coordinates import coordinate_views
from draw.hidden import board_views, pair
from draw.locating import aligner_view, finder_input
from draw.scene import screen
from draw.views import pieces_views
from networks import NETWORKS
from train_pieces import validation
from training import commit, load_config, manifest_hash, to_input

OPSET = 17


def fold(model: nn.Module) -> nn.Module:
    """Batch norms into the convolutions before them, then all weights to what 16 bits can hold."""
    model = copy.deepcopy(model).eval()
    for module in list(model.modules()):
        if isinstance(module, nn.Sequential) and len(module) >= 2 and isinstance(module[1], nn.BatchNorm2d):
            module[0] = nn.utils.fusion.fuse_conv_bn_eval(module[0], module[1])
            module[1] = nn.Identity()
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.half().float())
    return model


def halve(path: pathlib.Path):
    """Stores the float weights of an ONNX file as 16 bits, each followed by a cast."""
    model = onnx.load(path)
    graph, casts = model.graph, []
    for weight in list(graph.initializer):
        array = numpy_helper.to_array(weight)
        if array.dtype != np.float32 or array.size < 64:
            continue
        name = weight.name
        graph.initializer.remove(weight)
        graph.initializer.append(numpy_helper.from_array(array.astype(np.float16), name + "_16"))
        casts.append(helper.make_node("Cast", [name + "_16"], [name], to=TensorProto.FLOAT))
    nodes = casts + list(graph.node)
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def mean_of(weights: list[dict]) -> dict:
    """The mean of several weights of one network from one training run; counters are those of the last."""
    mean = dict(weights[-1])
    for name, value in mean.items():
        if value.dtype.is_floating_point:
            mean[name] = torch.stack([w[name] for w in weights]).mean(0)
    return mean


@torch.no_grad()
def temperature(model, batches) -> tuple[float, float, float]:
    """What to divide the logits by so that probabilities are frequencies, and the loss before and after."""
    logits = torch.cat([model(to_input(p)).reshape(-1, 13) for p, _ in batches])
    classes = torch.cat([c.reshape(-1) for _, c in batches])
    grid = np.exp(np.linspace(np.log(0.5), np.log(3), 61))
    losses = [F.cross_entropy(logits / float(t), classes).item() for t in grid]
    best = int(np.argmin(losses))
    return round(float(grid[best]), 3), F.cross_entropy(logits, classes).item(), losses[best]


def fixture(kind: str, art: Art) -> np.ndarray:
    """A picture for the parity test, drawn from art that may be shown."""
    rng = np.random.default_rng(77)
    if kind == "pieces":
        return pieces_views(art, rng, count=1, clean=True)[0][0]
    if kind == "coordinates":
        return coordinate_views(art, rng, count=1)[0][0]
    if kind == "visibility":
        return pair(board_views(art, rng, count=1)[0][0])
    made = screen(art, rng)
    while not made.quads:
        made = screen(art, rng)
    return finder_input(made.image)[0] if kind == "finder" else aligner_view(made.image, made.quads[0])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(NETWORKS))
    parser.add_argument("--name", required=True, help="folder below --models, such as pieces-v1")
    checkpoints = "folders that hold a last.pt; of several, the mean of their averaged weights"
    parser.add_argument("--checkpoint", type=pathlib.Path, required=True, nargs="+", help=checkpoints)
    parser.add_argument("--config", type=pathlib.Path, required=True)
    parser.add_argument("--models", type=pathlib.Path, default=pathlib.Path("models"))
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--commit", default=commit(), help="commit that the training ran from")
    parser.add_argument("--smoke", action="store_true")
    args = parser.parse_args()
    torch.set_num_threads(1)
    make, shape = NETWORKS[args.kind]
    states = [torch.load(folder / "last.pt", map_location="cpu") for folder in args.checkpoint]
    raw = make()
    raw.load_state_dict(mean_of([state["average"] for state in states]))
    state = states[-1]
    model = fold(raw)
    folder = args.models / args.name
    (folder / "parity").mkdir(parents=True, exist_ok=True)
    target = folder / "model.onnx"
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "model.onnx"
        torch.onnx.export(
            model, torch.zeros(1, *shape), path, input_names=["input"], output_names=["output"], opset_version=OPSET, dynamo=False
        )
        halve(path)
        target.write_bytes(path.read_bytes())
    shown = Art(args.art, args.positions, "all", buckets="AB")
    picture = fixture(args.kind, shown)
    with torch.no_grad():
        output = model(to_input(torch.from_numpy(picture[None]))).numpy()
    cv2.imwrite(str(folder / "parity" / "input.png"), cv2.cvtColor(picture, cv2.COLOR_RGB2BGR))
    (folder / "parity" / "output.f32").write_bytes(output.astype("<f4").tobytes())
    # Two runtimes add in different orders; a thousandth of a logit changes no probability that is shown.
    json.dump({"output_shape": list(output.shape), "tolerance": 2e-3}, open(folder / "parity" / "parity.json", "w"))
    facts = {
        "name": args.name,
        "version": args.name.rsplit("-v", 1)[-1],
        "sha256": hashlib.sha256(target.read_bytes()).hexdigest(),
        "input_shape": [1, *shape],
        "output_shape": list(output.shape),
    }
    if args.kind == "pieces":
        facts["classes"] = CLASSES
        count = 16 if args.smoke else 1024
        batches = validation(Art(args.art, args.positions, "held"), 904, count)
        facts["temperature"], before, after = temperature(model, batches)
        print(f"temperature {facts['temperature']}: loss on held-back designs {before:.5f} -> {after:.5f}")
    config = load_config(args.config, False)
    facts |= {
        "opset": OPSET,
        "commit": args.commit,
        "config": args.config.name,
        "data": f"drawn from art manifest {manifest_hash(args.art)}",
        "seed": config["seed"],
        "steps": state["step"],
        "batch": config["batch"],
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in facts.items()]
    (folder / "model.toml").write_text("# Written by scripts/export.py; checked whenever the model is loaded.\n" + "\n".join(lines) + "\n")
    print(f"{target}: {target.stat().st_size / 2**20:.2f} MiB")


if __name__ == "__main__":
    main()
