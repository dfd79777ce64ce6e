//! The networks give the same outputs here as where they were trained. `models/NAME/parity/` holds an input picture, the output
//! that the training framework made of it (raw little-endian `f32`), and how far apart outputs may be. The picture is
//! prepared like every picture, so the preparation of inputs is compared as well.
//!
//! The pure-Rust runtime is always compared; a native one when `ORT_DYLIB_PATH` names it, and otherwise its test is
//! reported as ignored. A process has one runtime only, so the native test runs this program once more.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails by panicking")]

use std::{env, fs, path::Path, process::Command};

use fenlens::{
    Limits, Models, Picture, Runtime,
    net::{
        infer::{Infer, Tensor},
        model::ModelBundle,
        runtime::Backend,
    },
};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// Set in the process that compares the native runtime.
const CHILD: &str = "FENLENS_COMPARE_NATIVE";

#[derive(Deserialize)]
struct Parity {
    output_shape: Vec<usize>,
    tolerance: f32,
}

fn main() {
    if env::var_os(CHILD).is_some() {
        return compare_native();
    }
    let mut trials: Vec<Trial> =
        Models::NAMES.map(|name| Trial::test(format!("pure_rust::{name}"), move || pure_rust(name))).into();
    let has_native = env::var_os(Runtime::VARIABLE).is_some_and(|path| !path.is_empty());
    trials.push(
        Trial::test("native", native).with_kind(format!("needs {}", Runtime::VARIABLE)).with_ignored_flag(!has_native),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn pure_rust(name: &str) -> Result<(), Failed> {
    let runtime = Runtime::pure_rust()?;
    assert_eq!(runtime.backend(), &Backend::PureRust);
    let models = Models::embedded()?;
    let bundle = models.all().into_iter().find(|bundle| bundle.manifest().name == name);
    difference(&runtime, bundle.ok_or("no such model")?);
    Ok(())
}

fn native() -> Result<(), Failed> {
    let output = Command::new(env::current_exe()?).env(CHILD, "1").output()?;
    if output.status.success() {
        return Ok(());
    }
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    Err(format!("{out}{err}").into())
}

/// Compares all models in the native runtime; the process fails by a panic.
fn compare_native() {
    let runtime = Runtime::open(None).unwrap();
    assert!(matches!(runtime.backend(), Backend::Native(_)), "{:?}", runtime.fallback());
    for bundle in Models::embedded().unwrap().all() {
        println!("{}: {:?}", bundle.manifest().name, difference(&runtime, bundle));
    }
}

/// The largest difference between the output and the one from training; a panic when it exceeds its tolerance.
fn difference(runtime: &Runtime, bundle: &ModelBundle) -> f32 {
    let name = &bundle.manifest().name;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models").join(name).join("parity");
    let text = fs::read_to_string(folder.join("parity.json")).unwrap_or_else(|error| panic!("{name}: {error}"));
    let parity: Parity = serde_json::from_str(&text).unwrap();
    let picture = Picture::open(folder.join("input.png"), &Limits::default()).unwrap();
    assert_eq!([1, 3, picture.height(), picture.width()], bundle.manifest().input_shape[..], "{name}");
    let wanted = read(&folder.join("output.f32"), &parity.output_shape);
    let got = bundle.network(runtime).unwrap().infer(&picture).unwrap();
    assert_eq!(got.shape(), wanted.shape(), "{name}");
    let worst = got.values().iter().zip(wanted.values()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    assert!(worst <= parity.tolerance, "{name}: off by {worst}, {} allowed", parity.tolerance);
    worst
}

fn read(path: &Path, shape: &[usize]) -> Tensor {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let values = bytes.chunks_exact(4).map(|raw| f32::from_le_bytes(raw.try_into().unwrap())).collect();
    Tensor::new(shape, values)
}
