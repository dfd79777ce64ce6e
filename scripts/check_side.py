#!/usr/bin/env python3
"""Measures how often `fenlens read` sees in the picture who is to move, and which square a pawn has just passed.

    python scripts/check_side.py drawn --seed 2 --count 900 --traps 300   # draws screens and reads them
    python scripts/check_side.py marked --seed 2 --count 300              # the same for marks beside the board
    python scripts/check_side.py labeled                                 # tests/lastmove-labels.csv, real screens
    python scripts/check_side.py none --pictures DIR...                   # pictures without a cue of the side to move

Undecided: the record does not claim to have seen it (source `assumed`). A side that follows from a check counts as
decided. Figures are over the boards whose pieces were all read right (others are counted; they measure the classifier
more than the cues), and over all. Exits with 1 when a floor given by `--right`, `--wrong` or `--passed` (in per cent) is
missed.
"""

from __future__ import annotations

import argparse
import collections
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

DECIDED = ("picture", "rule")


def read(program, files):
    """Records by file, a thousand files a call."""
    records = {}
    for at in range(0, len(files), 1000):
        command = [program, "read", "--json", *files[at : at + 1000]]
        output = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True).stdout
        for line in output.splitlines():
            record = json.loads(line)
            records[pathlib.Path(record["path"]).name] = record
    return records


def draw(args, folder):
    """Screens with truth: rows of placement, side, passed, played, site, extras."""
    import cv2
    import numpy as np

    from draw.art import Art
    from draw.lastmove import draw, read_positions, read_sites, trap
    from draw.sidemark import marked

    art = Art(args.art, args.positions, "all")
    positions = read_positions(args.positions / "game.fen")
    sites = read_sites(args.art / "colours.csv")
    rows = []
    for i in range(args.count + args.traps):
        rng = np.random.default_rng([args.seed, i])
        if args.what == "marked":
            screen = marked(art, rng, i >= args.count)
        else:
            screen = draw(art, rng, positions, sites) if i < args.count else trap(art, rng, positions)
        name = f"{i:04}.png"
        cv2.imwrite(str(folder / name), cv2.cvtColor(screen.image, cv2.COLOR_RGB2BGR))
        row = {k: getattr(screen, k) for k in ("placement", "side", "passed", "played", "site", "extras", "name")}
        rows.append({"file": name, "board": "1", **row})
    with open(folder / "truth.csv", "w", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return rows


def labeled(args):
    manifest = {r["file"]: r for r in csv.DictReader(open(args.pictures[0] / "manifest.csv", newline=""))}
    rows = []
    for label in csv.DictReader(open(args.labels, newline="")):
        board = int(label["board"])
        placement = manifest[label["file"]]["placement"].split(" | ")[board - 1]
        passed = label["passed"] or "-"
        played = label["from"] + label["to"]
        rows.append({**label, "placement": placement, "passed": passed, "played": played, "site": "real", "extras": ""})
    return rows


def judge(rows, records, verbose):
    tally = collections.Counter()
    by = collections.defaultdict(collections.Counter)
    for row in rows:
        record = records.get(row["file"], {"boards": []})
        at = int(row["board"]) - 1
        # Boards that the reader splits or misses cannot be counted off; the placement finds the right one.
        boards = [b for b in record["boards"] if b["placement"] == row["placement"]] or record["boards"][at : at + 1]
        shown = row["site"] != "none"
        if not boards:
            tally["not found"] += 1
            continue
        board = boards[0]
        exact = board["placement"] == row["placement"]
        tally["misread"] += not exact
        _, side, _, passed, *_ = board["fen"].split()
        field = board["fields"]["side"]
        seen = field["source"] in DECIDED if shown else field["source"] == "picture"
        truth = row["side"] if shown or field["source"] == "rule" else None
        outcome = ("right" if side == truth else "wrong") if seen else "undecided"
        for group in ["all"] + ["exact"] * exact:
            tally[f"{'' if shown else 'trap '}{outcome}, {group}"] += 1
        if exact:
            for word in [row["site"]] + [e for e in row["extras"].split("+") if e]:
                by[word][outcome] += 1
        passed_seen = board["fields"]["en_passant"]["source"] == "picture"
        if shown and row["passed"] != "-":
            good = passed == row["passed"] and passed_seen
            for group in ["all"] + ["exact"] * exact:
                tally[f"passed {'right' if good else 'missed'}, {group}"] += 1
        elif passed != "-":
            tally["passed invented"] += 1
        if verbose and exact and (outcome == "wrong" or (outcome == "undecided" and shown)):
            print(row["file"], row["board"], outcome, row["site"], row["extras"], row["played"], row["side"], field, board["fen"])
    return tally, by


def share(tally, first, others, group):
    total = sum(tally[f"{word}, {group}"] for word in (first, *others))
    return 100 * tally[f"{first}, {group}"] / max(1, total), total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["drawn", "marked", "labeled", "none"])
    parser.add_argument("--program", default="target/release/fenlens")
    parser.add_argument("--pictures", type=pathlib.Path, nargs="+", default=[pathlib.Path("../shared/boards/dev/screens")])
    parser.add_argument("--labels", type=pathlib.Path, default=pathlib.Path("tests/lastmove-labels.csv"))
    parser.add_argument("--art", type=pathlib.Path, default=pathlib.Path("../shared/art"))
    parser.add_argument("--positions", type=pathlib.Path, default=pathlib.Path("../shared/positions"))
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--count", type=int, default=900)
    parser.add_argument("--traps", type=int, default=300)
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the drawn pictures; what is there is read again")
    parser.add_argument("--right", type=float, help="lowest share of right decisions, per cent")
    parser.add_argument("--wrong", type=float, help="highest share of wrong decisions, per cent")
    parser.add_argument("--passed", type=float, help="lowest share of passed squares recognized, per cent")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()

    if args.what == "none":
        files = sorted(str(f) for d in args.pictures for f in d.iterdir() if f.suffix in (".png", ".jpg", ".jpeg"))
        for name, record in read(args.program, files).items():
            for board in record["boards"]:
                for word in ("side", "en_passant"):
                    if board["fields"][word]["source"] == "picture":
                        print(name, word, board["fields"][word], board["fen"])
        return
    with tempfile.TemporaryDirectory() as temporary:
        if args.what in ("drawn", "marked"):
            folder = args.keep or pathlib.Path(temporary)
            folder.mkdir(parents=True, exist_ok=True)
            kept = folder / "truth.csv"
            rows = list(csv.DictReader(open(kept, newline=""))) if kept.exists() else draw(args, folder)
        else:
            folder, rows = args.pictures[0], labeled(args)
        records = read(args.program, sorted({str(folder / row["file"]) for row in rows}))
    tally, by = judge(rows, records, args.verbose)
    for word in sorted(by):
        print(f"  {word:16}", dict(by[word]))
    print(dict(sorted(tally.items())))
    failed = False
    for group in ("exact", "all"):
        right, total = share(tally, "right", ("wrong", "undecided"), group)
        wrong, _ = share(tally, "wrong", ("right", "undecided"), group)
        passed, steps = share(tally, "passed right", ("passed missed",), group)
        trapped = tally[f"trap wrong, {group}"], sum(n for w, n in tally.items() if w.startswith("trap") and w.endswith(group))
        print(f"{group}: {total} boards, right {right:.1f} %, wrong {wrong:.2f} %; passed {passed:.1f} % of {steps};", end=" ")
        print(f"claimed on {trapped[0]} of {trapped[1]} that show no move")
        if group == "exact":
            failed |= args.right is not None and right < args.right
            failed |= args.wrong is not None and wrong > args.wrong
            failed |= args.passed is not None and passed < args.passed
    sys.exit(failed)


if __name__ == "__main__":
    main()
