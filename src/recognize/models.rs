//! The five models that reading a picture takes, by name, and what the stages expect of them.

#[cfg(feature = "embed-models")]
use std::borrow::Cow;
use std::path::Path;

use super::rectify::BoardImage;
use crate::{error::Result, games::game::Game, net::model::ModelBundle};

/// All models that reading a picture takes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Models {
    /// Finds boards in a picture: `[1, 3, 384, 384]` to `[1, 4, 48, 48]`.
    pub finder: ModelBundle,
    /// Finds the lattice of one board: `[1, 3, 256, 256]` to `[1, 7, 64, 64]`.
    pub aligner: ModelBundle,
    /// Reads the pieces: a rectified board to logits for every tile and class.
    pub pieces: ModelBundle,
    /// Tells which squares cannot be seen: a rectified board at half its size, beside empty squares, to two logits for every tile.
    pub visibility: ModelBundle,
    /// Reads letters and digits around a board: `[1, 3, 560, 560]` to `[1, 100, 18]`.
    pub coordinates: ModelBundle,
}

#[cfg(feature = "embed-models")]
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
    pub const NAMES: [&str; 5] = ["finder-v2", "aligner-v2", "pieces-v4", "visibility-v1", "coordinates-v2"];

    /// The models compiled into this program.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model) when the program was built from a folder of models that do not fit it.
    #[cfg(feature = "embed-models")]
    pub fn embedded() -> Result<Models> {
        Models {
            finder: embedded!("finder-v2")?,
            aligner: embedded!("aligner-v2")?,
            pieces: embedded!("pieces-v4")?,
            visibility: embedded!("visibility-v1")?,
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
        let [finder, aligner, pieces, visibility, coordinates] = Self::NAMES.map(load);
        Models {
            finder: finder?,
            aligner: aligner?,
            pieces: pieces?,
            visibility: visibility?,
            coordinates: coordinates?,
        }
        .checked()
    }

    /// The bundles in the order of use.
    pub fn all(&self) -> [&ModelBundle; 5] {
        [&self.finder, &self.aligner, &self.pieces, &self.visibility, &self.coordinates]
    }

    /// The names of all models, as records and `--version` give them.
    pub fn version(&self) -> String {
        self.all().map(|bundle| bundle.manifest().name.as_str()).join("+")
    }

    fn checked(self) -> Result<Models> {
        let game = Game::Chess;
        let grid = game.grid();
        let side = |tiles: usize| tiles * BoardImage::CELL + 2 * BoardImage::MARGIN;
        self.finder.expect_shapes(&[1, 3, 384, 384], &[1, 4, 48, 48])?;
        self.aligner.expect_shapes(&[1, 3, 256, 256], &[1, 7, 64, 64])?;
        self.pieces.expect_shapes(&[1, 3, side(grid.rows), side(grid.cols)], &[1, grid.len(), game.classes().len()])?;
        self.visibility.expect_shapes(&[1, 3, side(grid.rows), side(grid.cols) / 2], &[1, grid.len(), 2])?;
        self.coordinates.expect_shapes(&[1, 3, 560, 560], &[1, 100, 18])?;
        let classes = self.pieces.manifest().classes.as_deref().unwrap_or("none");
        self.pieces.expect("class order", game.classes(), classes)?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
    }

    /// A model of this project with a part of its facts changed.
    fn changed(name: &str, from: &str, to: &str) -> ModelBundle {
        let facts = fs::read_to_string(folder().join(name).join("model.toml")).unwrap();
        assert!(facts.contains(from), "{name}: {facts}");
        let weights = fs::read(folder().join(name).join("model.onnx")).unwrap();
        ModelBundle::new(name, &facts.replace(from, to), weights.into()).unwrap()
    }

    #[test]
    fn shapes_and_classes_are_refused() {
        let models = Models::from_dir(folder()).unwrap();
        assert_eq!(models.version(), Models::NAMES.join("+"));
        let pieces = changed("pieces-v4", "classes", "other_classes");
        let error = Models { pieces, ..models.clone() }.checked().unwrap_err();
        assert!(error.to_string().contains("class order"), "{error}");
        let finder = changed("finder-v2", "[1, 4, 48, 48]", "[1, 5, 48, 48]");
        let error = Models { finder, ..models }.checked().unwrap_err();
        assert!(error.to_string().contains("[1, 5, 48, 48]"), "{error}");
    }

    #[cfg(feature = "embed-models")]
    #[test]
    fn the_models_compiled_in_are_those_of_the_folder() {
        let (embedded, read) = (Models::embedded().unwrap(), Models::from_dir(folder()).unwrap());
        for (a, b) in embedded.all().into_iter().zip(read.all()) {
            assert_eq!(a.manifest().sha256, b.manifest().sha256);
        }
    }
}
