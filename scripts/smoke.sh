#!/usr/bin/env bash
# Every step from art to loaded models in about a minute, with a few tiny training steps: shows that all of them run, not
# that the models are good. Usage: scripts/smoke.sh [PYTHON]
set -euo pipefail
cd "$(dirname "$0")/.."
python=${1:-python3}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

$python scripts/train_pieces.py --config scripts/configs/pieces-v4.yaml --out "$out/pieces" --smoke
$python scripts/train_locate.py --config scripts/configs/locate-v2.yaml --out "$out/locate" --smoke
$python scripts/export.py pieces --name pieces-v4 --config scripts/configs/pieces-v4.yaml --checkpoint "$out/pieces" --models "$out/models" --smoke
for part in finder aligner; do
    $python scripts/export.py $part --name $part-v2 --config scripts/configs/locate-v2.yaml --checkpoint "$out/locate/$part" --models "$out/models" --smoke
done
$python scripts/train_coordinates.py --config scripts/configs/coordinates-v2.yaml --out "$out/coordinates" --smoke
$python scripts/export.py coordinates --name coordinates-v2 --config scripts/configs/coordinates-v2.yaml --checkpoint "$out/coordinates" --models "$out/models" --smoke
$python scripts/train_visibility.py --config scripts/configs/visibility-v1.yaml --out "$out/visibility" --smoke
$python scripts/export.py visibility --name visibility-v1 --config scripts/configs/visibility-v1.yaml --checkpoint "$out/visibility" --models "$out/models" --smoke
$python scripts/evaluate.py --models "$out/models" --count 8
$python scripts/make_testdata.py --out "$out/testdata"
cargo run --release --quiet -- models --models "$out/models"
