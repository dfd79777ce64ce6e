//! What was read in an earlier run, so that a picture that gets worse is noticed.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use super::result::{PictureResult, Standing};
use crate::cli::files;

/// The readings of a run, by the name of the picture after that of its family.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    /// The version of the models.
    model: String,
    pictures: BTreeMap<String, Entry>,
}

/// What was read in one picture.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Whether every board was right, and no other was read.
    right: bool,
    /// The placements read, for a person who compares two baselines.
    boards: Vec<String>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// A message, if the file cannot be read or is not a baseline.
    pub fn open(path: &Path) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_str(&files::read_text(path)?).map_err(|error| error.to_string())?;
        if baseline.schema != 1 {
            return Err(format!("baselines of schema {} are not known, only of 1", baseline.schema));
        }
        Ok(baseline)
    }

    /// The baseline of a run.
    pub fn of<'a>(model: &str, pictures: impl Iterator<Item = &'a PictureResult>) -> Baseline {
        let entry = |picture: &PictureResult| Entry {
            right: picture.is_right(),
            boards: picture.comparison.readings().iter().map(|board| board.placement.to_string()).collect(),
        };
        let pictures = pictures.map(|picture| (picture.key(), entry(picture))).collect();
        Baseline { schema: 1, model: model.to_owned(), pictures }
    }

    /// The content of the file: one line for each picture, so that two files are easily compared.
    pub fn to_json(&self) -> String {
        let line = |(name, entry): (&String, &Entry)| {
            let (name, entry) = (serde_json::to_string(name), serde_json::to_string(entry));
            format!("  {}: {}", name.expect("a string"), entry.expect("strings and a flag"))
        };
        let lines: Vec<String> = self.pictures.iter().map(line).collect();
        let model = serde_json::to_string(&self.model).expect("a string");
        format!("{{\n \"schema\": 1,\n \"model\": {model},\n \"pictures\": {{\n{}\n }}\n}}\n", lines.join(",\n"))
    }

    /// The version of the models.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Whether a picture is in it.
    pub fn has(&self, key: &str) -> bool {
        self.pictures.contains_key(key)
    }

    /// How many pictures it has.
    pub fn len(&self) -> usize {
        self.pictures.len()
    }

    /// How a picture compares with the baseline, given whether it is right now.
    pub fn standing(&self, key: &str, right: bool) -> Standing {
        match self.pictures.get(key).map(|entry| entry.right) {
            None => Standing::New,
            Some(was) if was == right => Standing::Same,
            Some(true) => Standing::Worse,
            Some(false) => Standing::Fixed,
        }
    }
}
