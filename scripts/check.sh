#!/usr/bin/env bash
# The checks of this project. Needs a Rust toolchain only. Options add what takes longer or needs more; CI gives both:
#   --python    (or FENLENS_CHECK_PYTHON=1) the native runtime, the test of trust on damaged pictures, a lint of the scripts
#               and a short training run.
#               Needs Python 3 with its venv module; fetches packages from PyPI into target/python.
#   --package   the packed crate: its size, and its own tests
# The last line says what was left out.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-auto}

with_python=${FENLENS_CHECK_PYTHON:-0}
with_package=0
for option in "$@"; do
    case $option in
        --python) with_python=1 ;;
        --package) with_package=1 ;;
        *)
            echo "usage: scripts/check.sh [--python] [--package]" >&2
            exit 2
            ;;
    esac
done

left_out=""
say() { printf '\n== %s\n' "$*"; }
skip() {
    printf 'skipped: %s\n' "$*"
    left_out="${left_out:+$left_out; }$*"
}

say "format and lints"
cargo fmt --check
cargo clippy --release --quiet --all-targets -- -D warnings

say "tests"
cargo test --release --quiet

say "documents"
RUSTDOCFLAGS="-D warnings" cargo doc --release --no-deps --quiet

say "combinations of features"
for features in "" recognize embed-models; do
    cargo clippy --release --quiet --no-default-features --features "$features" -- -D warnings
done

say "tests of the library without the program"
for features in "" embed-models; do
    cargo test --release --quiet --lib --no-default-features --features "$features"
done

minimum=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
say "minimum Rust version, $minimum"
# Without this, rustup would fetch a toolchain that is asked for and not there.
export RUSTUP_AUTO_INSTALL=0
if rustc --version | grep -q "^rustc $minimum\."; then
    echo "it is the version of all checks above"
elif cargo "+$minimum.0" --version >/dev/null 2>&1; then
    cargo "+$minimum.0" check --release --quiet --all-targets
elif cargo "+$minimum" --version >/dev/null 2>&1; then
    cargo "+$minimum" check --release --quiet --all-targets
else
    skip "minimum Rust version (to add it: rustup toolchain install $minimum.0)"
fi

if [ "$with_package" = 1 ]; then
    say "package"
    cargo package --allow-dirty --no-verify --quiet
    crate=target/package/fenlens-$(cargo pkgid | sed 's/.*[#@]//').crate
    size=$(wc -c <"$crate")
    echo "$crate: $size bytes"
    # The limit of crates.io.
    if [ "$size" -ge $((10 * 1024 * 1024)) ]; then
        echo "the package must be smaller than 10 MiB" >&2
        exit 1
    fi
    rm -rf "${crate%.crate}"
    # Files in the package have one fixed time, by which cargo would take a changed file for an old one: -m gives them the present.
    tar -xzmf "$crate" -C target/package
    cargo test --release --quiet --manifest-path "${crate%.crate}/Cargo.toml" --target-dir target
else
    skip "tests of the packed crate (--package)"
fi

if [ "$with_python" = 1 ]; then
    python=target/python/bin/python
    # $1: a file of requirements. Installed again only when it has changed.
    require() {
        local installed=target/python/$(basename "$1")
        [ -x $python ] || python3 -m venv target/python
        if ! cmp -s "$1" "$installed"; then
            $python -m pip install --quiet --disable-pip-version-check -r "$1"
            cp "$1" "$installed"
        fi
    }

    say "native runtime"
    require scripts/requirements-check.txt
    library=$($python -c 'import onnxruntime, pathlib; print(next(pathlib.Path(onnxruntime.__file__).parent.glob("capi/libonnxruntime.so*")))')
    ORT_DYLIB_PATH=$library cargo test --release --quiet --test model_parity

    say "scripts"
    $python -m ruff check --quiet scripts
    if [ -d ../shared/art ]; then
        require scripts/requirements.txt
        scripts/smoke.sh $python
    else
        skip "training (no art in ../shared/art)"
    fi
else
    skip "native runtime, test of trust and training (--python)"
fi

# Last, so that target/release/fenlens is the program of this folder and not of the packed crate.
cargo build --release --quiet

if [ "$with_python" = 1 ]; then
    say "test of trust: damaged pictures of drawn boards"
    require scripts/requirements-damage.txt
    $python scripts/damage.py --preset ci
fi

say "all checks passed${left_out:+. Left out: $left_out}"
