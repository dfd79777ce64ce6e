#!/usr/bin/env python3
"""Reads any number of pictures and documents on a Ray cluster: one task for each part, then one merge.

    pip install ray
    python scale_ray.py --fenlens /shared/bin/fenlens --parts 64 --out /shared/all.jsonl -- -r /shared/scans

Needs a folder that all machines see (or one machine). Ray runs a task again when its machine is lost; the task
continues where the lost one stopped, since every part keeps its own journal beside its output.
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import time

import ray


@ray.remote(num_cpus=1, max_retries=5)
def read_part(fenlens: str, sources: list[str], part: str, output: str) -> str:
    command = [fenlens, "batch", *sources, "--shard", part, "--output", output, "--jobs", "1", "--resume"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    # 1: some pages could not be read. Their records say why, and the part is complete.
    if done.returncode not in (0, 1):
        raise RuntimeError(f"part {part}: {done.stderr}")
    return f"part {part}: {done.stderr.splitlines()[-1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fenlens", default="fenlens", help="the program, at the same path on every machine")
    parser.add_argument("--parts", type=int, default=64, help="a few for each core, so that none waits for the last")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("sources", nargs="+", help="what `fenlens batch` takes, its -r included")
    args = parser.parse_args()
    ray.init()
    begun = time.monotonic()
    outputs = [f"{args.out}.{index:05}-of-{args.parts:05}" for index in range(1, args.parts + 1)]
    parts = [f"{index}/{args.parts}" for index in range(1, args.parts + 1)]
    waiting = [read_part.remote(args.fenlens, args.sources, part, out) for part, out in zip(parts, outputs, strict=True)]
    while waiting:
        done, waiting = ray.wait(waiting)
        print(ray.get(done[0]), flush=True)
    subprocess.run([args.fenlens, "batch", "--merge", *outputs, "--output", str(args.out)])
    print(f"{len(parts)} parts in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
