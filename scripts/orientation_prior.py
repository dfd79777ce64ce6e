#!/usr/bin/env python3
"""Learn which side is at the bottom of a chess position, from where its pieces stand.

    orientation_prior.py POSITIONS --out models/orientation-v1 [--smoke]

POSITIONS is a folder of *.fen files, one FEN a line. A linear score is learned by logistic regression: positive when
White is at the bottom, and exactly negated when the board is turned by half a turn. It has a weight for every role and square
(colors are mirror images, so one table serves both) and three for pairs of pieces: pawns that face one another on the same
file, on neighboring files, and pawns in front of their own king. A held-out part calibrates the score, so that
1 / (1 + exp(-score)) is the probability that White is at the bottom; a second one measures it.

Writes prior.json, which is compiled into the program, and CARD.md. Standard library only; same input, same output.
"""
import argparse
import hashlib
import json
import math
import pathlib
import random

ROLES = "pnbrqk"
PAIRS = ("facing_same_file", "facing_next_file", "pawn_before_king")
SEED = 20240607
SIZE = len(ROLES) * 64 + len(PAIRS)
ACCEPT = (0.8, 0.95, 0.99, 0.999)


def pieces_of(placement):
    """(role index, is white, square with a1 = 0) of every piece."""
    pieces = []
    for row, rank in enumerate(placement.split("/")):
        file = 0
        for letter in rank:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append((ROLES.index(letter.lower()), letter.isupper(), (7 - row) * 8 + file))
                file += 1
    return pieces


def features(pieces):
    """Sparse features as {index: value}; turning the board negates every one of them."""
    out = {}

    def add(index, value):
        out[index] = out.get(index, 0.0) + value

    pawns = {True: [], False: []}
    kings = {True: [], False: []}
    for role, white, square in pieces:
        own = square if white else square ^ 56
        turned = 63 - own
        # Only the lower half of the board holds weights of its own; the other half is its negative.
        add(role * 64 + min(own, turned), 1.0 if own < turned else -1.0)
        if role == 0:
            pawns[white].append(square)
        if role == 5:
            kings[white].append(square)
    base = len(ROLES) * 64
    for a in pawns[True]:
        for b in pawns[False]:
            ahead = (b >> 3) - (a >> 3)
            aside = abs((a & 7) - (b & 7))
            if ahead and aside < 2:
                add(base + aside, 1.0 if ahead > 0 else -1.0)
    for white, sign in ((True, 1.0), (False, -1.0)):
        for king in kings[white]:
            for pawn in pawns[white]:
                ahead = (pawn >> 3) - (king >> 3)
                if ahead:
                    add(base + 2, sign if ahead > 0 else -sign)
    return {i: v for i, v in out.items() if v}


def score(weights, sample):
    return sum(weights[i] * v for i, v in sample.items())


def softplus(x):
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def train(samples, epochs, rng, decay=2e-5, rate=0.08):
    """Adagrad on the logistic loss; `decay` shrinks weights towards 0, which smooths squares on which few pieces stood."""
    weights, squares = [0.0] * SIZE, [1e-4] * SIZE
    order = list(range(len(samples)))
    for epoch in range(epochs):
        rng.shuffle(order)
        step = rate / (1 + epoch / 3)
        for at in order:
            sample = samples[at]
            pull = 1.0 / (1.0 + math.exp(min(50.0, score(weights, sample))))
            for i, v in sample.items():
                gradient = pull * v - decay * weights[i] * 64
                squares[i] += gradient * gradient
                weights[i] += step * gradient / math.sqrt(squares[i])
    return weights


def calibrate(scores):
    """The factor on the score that makes the logistic loss least."""
    low, high = 0.05, 3.0
    for _ in range(60):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        loss = [sum(softplus(-f * s) for s in scores) for f in (a, b)]
        low, high = (low, b) if loss[0] < loss[1] else (a, high)
    return (low + high) / 2


def table(weights):
    """Weights of a white piece on every square, a1 first, for each role."""
    full = {}
    for r, role in enumerate(ROLES):
        half = [weights[r * 64 + s] if s < 32 else -weights[r * 64 + 63 - s] for s in range(64)]
        full[role] = [round(w, 3) + 0.0 for w in half]  # + 0.0 turns -0.0 into 0.0
    return full


def measure(scores):
    n = len(scores)
    out = {"positions": n, "right": sum(s > 0 for s in scores) / n}
    def sure(s):
        return 1 / (1 + math.exp(-abs(s)))
    for level in ACCEPT:
        kept = [s for s in scores if sure(s) >= level]
        out[f"at {level}"] = (len(kept) / n, sum(s < 0 for s in kept))
    bands = []
    for low, high in ((0.5, 0.6), (0.6, 0.8), (0.8, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 0.999), (0.999, 1.0)):
        kept = [s for s in scores if low <= sure(s) < high or (high == 1.0 and sure(s) >= low)]
        if kept:
            bands.append((low, high, len(kept), sum(map(sure, kept)) / len(kept), sum(s > 0 for s in kept) / len(kept)))
    out["bands"] = bands
    return out


CARD = """# orientation-v1

Which side is at the bottom of a chess board, from where the pieces stand. Used when no coordinates are printed.

* **Is**: {parameters} numbers in `prior.json`: a weight for each role and square (Black is the mirror image of White, and a
  board turned by half a turn has the score negated, so 192 of them are free) and three for pairs of pieces (pawns facing one
  another on the same file and on neighboring files, pawns in front of their king). `1 / (1 + exp(-score))` is the
  probability that White is at the bottom, but never above `ceiling`, which is as sure as the measurement allows.
* **Learned from** {train} positions ({files}); every fifth block of lines is held out, half of it to calibrate the
  score (factor {factor:.3f}), half to measure it. Seed {seed}, script `scripts/orientation_prior.py`, input SHA-256
  `{digest}`.
* **Smoothing**: weights shrink towards 0, so a square on which a piece was hardly ever seen has no influence.

| measured on | positions | right | share surer than 0.8 (wrong) | 0.95 | 0.99 | 0.999 |
|---|---|---|---|---|---|---|
{rows}

Calibration on the measured part:

| predicted | positions | mean predicted | right |
|---|---|---|---|
{bands}

**Fails** on endgames with few or no pawns, on pawns that have nearly all passed one another, and on composed positions. Its
probability is then near 0.5, and the program assumes White at the bottom and says so. **Do not use** it for mirrored pictures:
it hardly distinguishes left from right.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("positions", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--smoke", action="store_true", help="a tenth of the positions, one pass")
    args = parser.parse_args()

    digest, parts = hashlib.sha256(), {"train": [], "calibrate": [], "measure": []}
    files = sorted(args.positions.glob("*.fen"))
    if not files:
        parser.error(f"no *.fen in {args.positions}")
    measured = {}
    for path in files:
        data = path.read_bytes()
        digest.update(data)
        seen = set()
        for n, line in enumerate(data.decode().splitlines()):
            placement = line.split(" ", 1)[0]
            if not placement or placement in seen or (args.smoke and n % 10):
                continue
            seen.add(placement)
            # Positions of one game are near one another where a file is sorted, so whole blocks are held out.
            block = n // 200 % 10
            part = "measure" if block == 4 else "calibrate" if block == 9 else "train"
            sample = features(pieces_of(placement))
            parts[part].append(sample)
            if part == "measure":
                measured.setdefault(path.name, []).append(sample)
    weights = train(parts["train"], 1 if args.smoke else 12, random.Random(SEED))
    factor = calibrate([score(weights, s) for s in parts["calibrate"]])
    weights = [w * factor for w in weights]

    args.out.mkdir(parents=True, exist_ok=True)
    pairs = dict(zip(PAIRS, (round(w, 3) for w in weights[len(ROLES) * 64:]), strict=True))
    # No score is surer than the measurement allows (rule of succession).
    sure = [s for s in (score(weights, sample) for sample in parts["measure"]) if abs(s) > math.log(999)]
    ceiling = round(1 - (1 + sum(s < 0 for s in sure)) / (2 + len(sure)), 5)
    prior = {"name": "orientation-v1", "ceiling": ceiling, **pairs}
    lines = [f'"{key}": {json.dumps(value)}' for key, value in prior.items()]
    lines += ['"squares": {\n' + ",\n".join(f'  "{r}": {json.dumps(w)}' for r, w in table(weights).items()) + "\n}"]
    (args.out / "prior.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")

    rows = []
    for name, samples in [*measured.items(), ("all", parts["measure"])]:
        m = measure([score(weights, s) for s in samples])
        cells = " | ".join(f"{100 * m[f'at {a}'][0]:.1f} % ({m[f'at {a}'][1]})" for a in ACCEPT)
        rows.append(f"| {name} | {m['positions']} | {100 * m['right']:.2f} % | {cells} |")
    bands = [f"| {lo}-{hi} | {n} | {said:.4f} | {right:.4f} |" for lo, hi, n, said, right in m["bands"]]
    (args.out / "CARD.md").write_text(CARD.format(
        parameters=len(ROLES) * 64 + len(PAIRS), train=len(parts["train"]), files=", ".join(p.name for p in files),
        factor=factor, seed=SEED, digest=digest.hexdigest(), rows="\n".join(rows), bands="\n".join(bands)))
    print("\n".join([*rows, *bands]))


if __name__ == "__main__":
    main()
