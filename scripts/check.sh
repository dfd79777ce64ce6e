#!/usr/bin/env bash
# All checks, as CI runs them. Needs a Rust toolchain; with Python 3 and its venv module it also checks the native
# runtime and the training scripts (FENLENS_CHECK_PYTHON=0 leaves these out).
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

say() { printf '\n== %s\n' "$*"; }

say "format and lints"
cargo fmt --check
cargo clippy --release --all-targets --quiet -- -D warnings

say "tests"
cargo test --release --quiet

say "documents"
RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --quiet

say "library alone"
cargo check --release --no-default-features --quiet

if [ "${FENLENS_CHECK_PYTHON:-1}" = 1 ]; then
    python=target/python
    if [ ! -x $python/bin/python ]; then
        say "python environment"
        python3 -m venv $python
        $python/bin/pip install --quiet --disable-pip-version-check -r scripts/requirements.txt
    fi
    say "native runtime"
    library=$($python/bin/python -c 'import onnxruntime, pathlib; print(next(pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*")))')
    ORT_DYLIB_PATH=$library cargo test --release --quiet --test model_parity

    say "scripts"
    $python/bin/ruff check --quiet scripts
    if [ -d ../shared/art ]; then
        scripts/smoke.sh $python/bin/python
    fi
fi

cargo build --release --quiet
say "all checks passed"
