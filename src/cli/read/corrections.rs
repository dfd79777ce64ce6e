//! Boards that a person has confirmed, kept as labels of their pictures: corrections become test data.
//!
//! A label is `STEM.json` after the name of its picture. Pictures of different folders may share a name; a label is only
//! ever replaced by one of the same picture, which has the same hash.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use fenlens::BoardReading;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cli::{files, output};

/// What a picture shows.
#[derive(Debug, Serialize, Deserialize)]
struct Label {
    /// The version of this format: 1.
    schema: u32,
    /// The name of the picture without its folder.
    picture: String,
    /// The hash of its file.
    sha256: String,
    /// The boards in reading order.
    boards: Vec<BoardLabel>,
}

/// One board.
#[derive(Debug, Serialize, Deserialize)]
struct BoardLabel {
    /// All six fields.
    fen: String,
    /// The side at the bottom: `white` or `black`.
    orientation: String,
}

/// The hash of a picture's file, as labels have it.
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Keeps the boards of a picture as its label, and says where.
///
/// # Errors
/// In words, when the label cannot be written.
pub fn save(folder: &Path, picture: &Path, sha256: &str, boards: &[BoardReading]) -> Result<PathBuf, String> {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, name) = match part(picture.file_name()) {
        name if name == "-" => ("stdin".to_owned(), "stdin".to_owned()),
        name => (part(picture.file_stem()), name),
    };
    let boards = boards.iter().map(|board| BoardLabel {
        fen: board.fen.to_string(),
        orientation: board.orientation.bottom.name().to_owned(),
    });
    let label = Label { schema: 1, picture: name, sha256: sha256.to_owned(), boards: boards.collect() };
    let text = serde_json::to_string(&label).map_err(|error| error.to_string())?;
    let file = free_name(folder, &stem, sha256)?;
    files::save(&file, format!("{text}\n").as_bytes())?;
    Ok(file)
}

/// The first name that nothing has, or that the label of the same picture has already.
fn free_name(folder: &Path, stem: &str, sha256: &str) -> Result<PathBuf, String> {
    let short = sha256.get(..8).unwrap_or(sha256);
    for name in [stem.to_owned(), format!("{stem}-{short}"), format!("{stem}-{sha256}")] {
        let file = folder.join(format!("{name}.json"));
        match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(file),
            Ok(text) if serde_json::from_slice(&text).is_ok_and(|label: Label| label.sha256 == sha256) => {
                return Ok(file);
            }
            // The label of another picture, or another kind of file: it is not replaced.
            _ => {}
        }
    }
    Err(format!("{}: no free name for the label of {stem}", output::show(folder)))
}
