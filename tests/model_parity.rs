//! The networks give here what they gave where they were trained. `models/NAME/parity/` holds an input picture, the output
//! that the training framework made of it (raw little-endian `f32`), and how far apart outputs may be. The picture goes
//! the way of every picture, so the preparation of inputs is compared as well.
//!
//! The pure-Rust runtime is always compared; a native one when `ORT_DYLIB_PATH` names it. A process has one runtime only,
//! so the native half runs this test program once more.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking")]

use std::{env, fs, path::Path, process::Command};

use fenlens::{
    Limits, Models, Picture, Runtime,
    net::{model::ModelBundle, runtime::Backend},
};
use ndarray::ArrayD;
use serde::Deserialize;

#[derive(Deserialize)]
struct Parity {
    output_shape: Vec<usize>,
    tolerance: f32,
}

fn read(path: &Path, shape: &[usize]) -> ArrayD<f32> {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let values = bytes.chunks_exact(4).map(|raw| f32::from_le_bytes(raw.try_into().unwrap())).collect();
    ArrayD::from_shape_vec(shape, values).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Runs every model on its input; the largest difference of each must be within its tolerance.
fn compare(runtime: &Runtime) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    for bundle in Models::embedded().unwrap().all() {
        let worst = difference(runtime, bundle, &folder.join(&bundle.manifest().name).join("parity"));
        println!("{}: {worst:?}", bundle.manifest().name);
    }
}

fn difference(runtime: &Runtime, bundle: &ModelBundle, folder: &Path) -> f32 {
    let name = &bundle.manifest().name;
    let text = fs::read_to_string(folder.join("parity.json")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let parity: Parity = serde_json::from_str(&text).unwrap();
    let picture = Picture::open(folder.join("input.png"), &Limits::default()).unwrap();
    let input = picture.to_tensor();
    assert_eq!(input.shape(), bundle.manifest().input_shape, "{name}");
    let wanted = read(&folder.join("output.f32"), &parity.output_shape);
    let got = bundle.network(runtime).unwrap().run(input.view().into_dyn()).unwrap();
    assert_eq!(got.shape(), wanted.shape(), "{name}");
    let worst = got.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= parity.tolerance, "{name}: off by {worst}, {} allowed", parity.tolerance);
    worst
}

#[test]
fn pure_rust_agrees_with_training() {
    let runtime = Runtime::pure_rust().unwrap();
    assert_eq!(runtime.backend(), &Backend::PureRust);
    compare(&runtime);
}

#[test]
fn native_agrees_with_training() {
    if env::var_os(Runtime::VARIABLE).is_none_or(|path| path.is_empty()) {
        println!("skipped: {} names no library", Runtime::VARIABLE);
        return;
    }
    let program = env::current_exe().unwrap();
    let output = Command::new(program).args(["--exact", "native_half", "--ignored", "--nocapture"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
#[ignore = "needs a process of its own; run by native_agrees_with_training"]
fn native_half() {
    let runtime = Runtime::open(None).unwrap();
    assert!(matches!(runtime.backend(), Backend::Native(_)), "{:?}", runtime.fallback());
    compare(&runtime);
}
