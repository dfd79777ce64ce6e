//! The readings of an earlier run, to notice pictures that have become worse.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use crate::cli::files;

/// Readings by the name of the picture, family first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    /// The models that read them.
    model: String,
    pictures: BTreeMap<String, Entry>,
}

/// What was read in one picture.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Whether every board was right, and no other was read.
    pub right: bool,
    /// The placements read, for a person who compares two baselines.
    pub boards: Vec<String>,
}

/// What became of a picture since the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is not in the baseline.
    New,
    /// As right, or as wrong, as it was.
    Same,
    /// It was wrong and is right.
    Mended,
    /// It was right and is wrong.
    Worse,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// In words, when the file cannot be read or is not a baseline.
    pub fn open(path: &Path) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_str(&files::read_text(path)?).map_err(|error| error.to_string())?;
        if baseline.schema != 1 {
            return Err(format!("baselines of schema {} are not known, only of 1", baseline.schema));
        }
        Ok(baseline)
    }

    /// The baseline of a run: what was read in each picture.
    pub fn new(model: &str, pictures: impl Iterator<Item = (String, Entry)>) -> Baseline {
        Baseline { schema: 1, model: model.to_owned(), pictures: pictures.collect() }
    }

    /// The file: one line a picture, so that two files are easily compared.
    pub fn to_json(&self) -> String {
        let line = |(name, entry): (&String, &Entry)| {
            let (name, entry) = (serde_json::to_string(name), serde_json::to_string(entry));
            format!("  {}: {}", name.expect("a string"), entry.expect("strings and a flag"))
        };
        let lines: Vec<String> = self.pictures.iter().map(line).collect();
        let model = serde_json::to_string(&self.model).expect("a string");
        format!("{{\n \"schema\": 1,\n \"model\": {model},\n \"pictures\": {{\n{}\n }}\n}}\n", lines.join(",\n"))
    }

    /// The models that read it.
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

    /// How a picture stands against the baseline; `right` says how it was read now.
    pub fn standing(&self, key: &str, right: bool) -> Standing {
        match self.pictures.get(key).map(|entry| entry.right) {
            None => Standing::New,
            Some(was) if was == right => Standing::Same,
            Some(true) => Standing::Worse,
            Some(false) => Standing::Mended,
        }
    }
}
