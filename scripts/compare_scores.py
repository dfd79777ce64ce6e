#!/usr/bin/env python3
"""Compare the figures of `fenlens check --report json` with those of an independent program, family by family.

    compare_scores.py CHECK.json SCORES.json

SCORES.json is {family: {figure: value}}. Every figure of every family must be the same in both, but for "ms", the time.
Exit status: 0; 1 where they differ; 2 where a file cannot be read. Standard library only.
"""
import json
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1]) as ours, open(sys.argv[2]) as theirs:
            ours, theirs = json.load(ours)["families"], json.load(theirs)
    except (OSError, ValueError, KeyError) as error:
        print(f"compare_scores.py: {error!r}", file=sys.stderr)
        sys.exit(2)
    differences = [f"family {name} is in one of them only" for name in sorted(set(ours) ^ set(theirs))]
    compared = 0
    for family in sorted(set(ours) & set(theirs)):
        for figure, value in theirs[family].items():
            if figure == "ms":
                continue
            compared += 1
            if figure not in ours[family] or ours[family][figure] != value:
                differences.append(f"{family}: {figure} is {ours[family].get(figure)} here and {value} there")
    for line in differences:
        print(line)
    print(f"{compared} figures of {len(theirs)} families compared, {len(differences)} differences")
    sys.exit(1 if differences or not compared else 0)


if __name__ == "__main__":
    main()
