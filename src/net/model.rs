//! One model with the facts about it: `NAME/model.onnx` and `NAME/model.toml`.
//!
//! A network with another class order, or trained for another input, gives confident nonsense. So the hash of the
//! weights is checked whenever a model is loaded, and whoever uses the model checks the shapes and the classes.

use std::{borrow::Cow, fs, path::Path, sync::Arc};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::runtime::{Network, Runtime, Weights};
use crate::error::{ModelError, Result};

/// The part of `model.toml` that decides how the model is used. What it says beyond that (data, seed, scores) is for
/// people.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Manifest {
    /// The model's name, such as `pieces-v1`: also the name of its folder.
    pub name: String,
    /// The version of the weights.
    pub version: String,
    /// SHA-256 of `model.onnx`, lower-case hexadecimal.
    pub sha256: String,
    /// Shape of the only input, `f32`, `[1, 3, height, width]`, red, green, blue, 0 to 1.
    pub input_shape: Vec<usize>,
    /// Shape of the only output, `f32`.
    pub output_shape: Vec<usize>,
    /// One letter a class where the output holds classes; `.` is empty.
    #[serde(default, deserialize_with = "letters")]
    pub classes: Option<String>,
    /// What the logits are divided by before the softmax, so that 0.99 means 99 of 100. Default: 1.
    #[serde(default = "one")]
    pub temperature: f32,
}

fn one() -> f32 {
    1.0
}

/// The classes as a string, or as a list of letters in which `empty` or `""` may stand for `.`.
fn letters<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Classes {
        Text(String),
        List(Vec<String>),
    }
    Ok(Some(match Classes::deserialize(from)? {
        Classes::Text(text) => text,
        Classes::List(list) => {
            list.into_iter().map(|name| if name.is_empty() || name == "empty" { ".".into() } else { name }).collect()
        }
    }))
}

/// A checked model: its facts and its weights.
#[derive(Clone, Debug)]
pub struct ModelBundle {
    manifest: Manifest,
    onnx: Weights,
}

impl ModelBundle {
    /// Checks the facts and the weights of a model.
    ///
    /// # Errors
    /// [`ModelError::Manifest`] and [`ModelError::Mismatch`].
    pub fn new(name: &str, toml: &str, onnx: Cow<'static, [u8]>) -> Result<ModelBundle, ModelError> {
        let manifest: Manifest = toml::from_str(toml)
            .map_err(|error| ModelError::Manifest { model: name.into(), source: Box::new(error) })?;
        let bundle = ModelBundle { manifest, onnx: Arc::new(onnx) };
        bundle.expect("name", name, &bundle.manifest.name)?;
        bundle.expect("sha256", &bundle.manifest.sha256, &hex::encode(Sha256::digest(bundle.onnx())))?;
        if !(bundle.manifest.temperature.is_finite() && bundle.manifest.temperature > 0.0) {
            bundle.expect("temperature", "positive", &bundle.manifest.temperature.to_string())?;
        }
        Ok(bundle)
    }

    /// Reads and checks a model's folder.
    ///
    /// # Errors
    /// [`ModelError`], any variant but `Runtime`.
    pub fn from_dir(folder: &Path) -> Result<ModelBundle, ModelError> {
        let read = |file: &str| {
            let path = folder.join(file);
            fs::read(&path).map_err(|source| ModelError::Unreadable { file: path.display().to_string(), source })
        };
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let toml = String::from_utf8(read("model.toml")?)
            .map_err(|error| ModelError::Manifest { model: name.to_string(), source: Box::new(error) })?;
        ModelBundle::new(&name, &toml, read("model.onnx")?.into())
    }

    /// The facts.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The bytes of the ONNX file.
    pub fn onnx(&self) -> &[u8] {
        &self.onnx
    }

    /// The bytes of the ONNX file, shared with the networks made of them.
    pub(crate) fn weights(&self) -> Weights {
        Arc::clone(&self.onnx)
    }

    /// The network, ready to run.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) when the runtime refuses it.
    pub fn network(&self, runtime: &Runtime) -> Result<Network> {
        Network::load_shared(runtime, self.weights())
    }

    /// Checks a fact of the model; `what` names it in the error.
    pub(crate) fn expect(&self, what: &'static str, expected: &str, actual: &str) -> Result<(), ModelError> {
        if expected == actual {
            return Ok(());
        }
        let model = self.manifest.name.clone();
        Err(ModelError::Mismatch { model, what, expected: expected.into(), actual: actual.into() })
    }

    /// Checks the shapes of the input and the output.
    pub(crate) fn expect_shapes(&self, input: &[usize], output: &[usize]) -> Result<(), ModelError> {
        self.expect("input shape", &format!("{input:?}"), &format!("{:?}", self.manifest.input_shape))?;
        self.expect("output shape", &format!("{output:?}"), &format!("{:?}", self.manifest.output_shape))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = r#"
        name = "toy-v1"
        version = "1"
        sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        input_shape = [1, 3, 8, 8]
        output_shape = [1, 4]
        classes = ["empty", "P", "k"]
        data = "something for people"
        [scores]
        exact = 0.5
    "#;

    fn toy(toml: &str, onnx: &'static [u8]) -> Result<ModelBundle, ModelError> {
        ModelBundle::new("toy-v1", toml, Cow::Borrowed(onnx))
    }

    #[test]
    fn facts_are_read_and_the_rest_is_left() {
        let bundle = toy(TOML, b"abc").unwrap();
        assert_eq!(bundle.manifest().classes.as_deref(), Some(".Pk"));
        assert_eq!(bundle.manifest().temperature, 1.0);
    }

    #[test]
    fn other_weights_are_refused() {
        let error = toy(TOML, b"abd").unwrap_err();
        assert!(matches!(error, ModelError::Mismatch { what: "sha256", .. }), "{error}");
        let error = toy(&TOML.replace("toy-v1", "toy-v2"), b"abc").unwrap_err();
        assert_eq!(error.to_string(), "model toy-v2: name should be toy-v1, is toy-v2");
    }

    #[test]
    fn other_shapes_are_refused() {
        let bundle = toy(TOML, b"abc").unwrap();
        bundle.expect_shapes(&[1, 3, 8, 8], &[1, 4]).unwrap();
        let error = bundle.expect_shapes(&[1, 3, 8, 8], &[1, 5]).unwrap_err();
        assert_eq!(error.to_string(), "model toy-v1: output shape should be [1, 5], is [1, 4]");
    }

    #[test]
    fn a_manifest_must_be_whole() {
        assert!(matches!(toy("name = 3", b"abc"), Err(ModelError::Manifest { .. })));
    }
}
