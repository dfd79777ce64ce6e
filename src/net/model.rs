//! Models with the facts about them: `models/NAME/model.onnx` and `models/NAME/model.toml`.
//!
//! A network with another class order, or trained for another input, gives confident nonsense. So the hash of the
//! weights, the shapes and the classes are checked whenever a model is loaded.

use std::{borrow::Cow, fs, path::Path, sync::Arc};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::runtime::{Network, Runtime, Weights};
use crate::{
    error::{ModelError, Result},
    games::game::Game,
    recognize::rectify::BoardImage,
};

/// The part of `model.toml` that decides how the model is used. What it says beyond that (data, seed, scores) is for
/// people.
#[derive(Clone, Debug, Deserialize)]
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
        let digest: String = Sha256::digest(bundle.onnx()).iter().map(|byte| format!("{byte:02x}")).collect();
        bundle.expect("sha256", &bundle.manifest.sha256, &digest)?;
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

    fn expect(&self, what: &'static str, expected: &str, actual: &str) -> Result<(), ModelError> {
        if expected == actual {
            return Ok(());
        }
        let model = self.manifest.name.clone();
        Err(ModelError::Mismatch { model, what, expected: expected.into(), actual: actual.into() })
    }

    fn expect_shapes(&self, input: &[usize], output: &[usize]) -> Result<(), ModelError> {
        self.expect("input shape", &format!("{input:?}"), &format!("{:?}", self.manifest.input_shape))?;
        self.expect("output shape", &format!("{output:?}"), &format!("{:?}", self.manifest.output_shape))
    }
}

/// All models that reading a picture takes.
#[derive(Clone, Debug)]
pub struct Models {
    /// Finds boards in a picture: `[1, 3, 384, 384]` to `[1, 4, 48, 48]`.
    pub finder: ModelBundle,
    /// Finds the lattice of one board: `[1, 3, 256, 256]` to `[1, 7, 64, 64]`.
    pub aligner: ModelBundle,
    /// Reads the pieces: a flat board to logits for every place and class.
    pub pieces: ModelBundle,
    /// Reads letters and digits around a board: `[1, 3, 560, 560]` to `[1, 100, 18]`.
    pub coordinates: ModelBundle,
}

macro_rules! embedded {
    ($name:literal) => {
        ModelBundle::new(
            $name,
            include_str!(concat!("../../models/", $name, "/model.toml")),
            Cow::Borrowed(include_bytes!(concat!("../../models/", $name, "/model.onnx"))),
        )
    };
}

impl Models {
    /// The names of the models in the order of use.
    pub const NAMES: [&str; 4] = ["finder-v2", "aligner-v2", "pieces-v4", "coordinates-v2"];

    /// The models compiled into this program.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) when the program was built from a folder of models that do not fit it.
    pub fn embedded() -> Result<Models> {
        Models {
            finder: embedded!("finder-v2")?,
            aligner: embedded!("aligner-v2")?,
            pieces: embedded!("pieces-v4")?,
            coordinates: embedded!("coordinates-v2")?,
        }
        .checked()
    }

    /// The models of a folder with the layout of this project's `models/`.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model).
    pub fn from_dir(folder: impl AsRef<Path>) -> Result<Models> {
        let load = |name: &str| ModelBundle::from_dir(&folder.as_ref().join(name));
        let [finder, aligner, pieces, coordinates] = Self::NAMES.map(load);
        Models { finder: finder?, aligner: aligner?, pieces: pieces?, coordinates: coordinates? }.checked()
    }

    /// The bundles in the order of use.
    pub fn all(&self) -> [&ModelBundle; 4] {
        [&self.finder, &self.aligner, &self.pieces, &self.coordinates]
    }

    /// The names of all models, as records and `--version` give them.
    pub fn version(&self) -> String {
        self.all().map(|bundle| bundle.manifest.name.as_str()).join("+")
    }

    fn checked(self) -> Result<Models> {
        let game = Game::Chess;
        let grid = game.grid();
        let side = |places: usize| places * BoardImage::CELL + 2 * BoardImage::MARGIN;
        self.finder.expect_shapes(&[1, 3, 384, 384], &[1, 4, 48, 48])?;
        self.aligner.expect_shapes(&[1, 3, 256, 256], &[1, 7, 64, 64])?;
        self.pieces.expect_shapes(&[1, 3, side(grid.rows), side(grid.cols)], &[1, grid.len(), game.classes().len()])?;
        self.coordinates.expect_shapes(&[1, 3, 560, 560], &[1, 100, 18])?;
        let classes = self.pieces.manifest.classes.as_deref().unwrap_or("none");
        self.pieces.expect("class order", game.classes(), classes)?;
        Ok(self)
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
    fn shapes_and_classes_are_refused() {
        let embedded = Models::embedded().unwrap();
        let mut other = embedded.clone();
        other.pieces.manifest.classes = Some(".pnbrqkPNBRQK".into());
        assert!(other.checked().unwrap_err().to_string().contains("class order"));
        let mut other = embedded;
        other.finder.manifest.output_shape = vec![1, 5, 48, 48];
        assert!(other.checked().unwrap_err().to_string().contains("[1, 5, 48, 48]"));
    }

    #[test]
    fn a_manifest_must_be_whole() {
        assert!(matches!(toy("name = 3", b"abc"), Err(ModelError::Manifest { .. })));
    }
}
