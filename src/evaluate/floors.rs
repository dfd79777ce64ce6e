//! Floors: the least a family must reach.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;

use super::Figures;

/// The floor of one family. What is not given is not asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Floor {
    /// The least share of boards that are exact, 0 to 1.
    pub exact: Option<f64>,
    /// The least number of accepted boards in proportion to those labelled, 0 to 1.
    pub accept: Option<f64>,
    /// The most silent errors.
    pub silent: Option<usize>,
    /// The most boards where there is none.
    pub extra: Option<usize>,
    /// The most wrong squares, in per cent.
    pub sq_err: Option<f64>,
}

/// The floors of all families. In JSON: `{"screens": {"exact": 0.92, "silent": 0, "extra": 0}, ...}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Floors(BTreeMap<String, Floor>);

/// Why a text holds no floors.
#[derive(Debug)]
pub enum FloorsError {
    /// It is no JSON of this form.
    Json(serde_json::Error),
    /// No figure is asked for: of a family, or at all.
    Nothing(Option<String>),
    /// A share outside 0 to 1.
    Share {
        /// The family.
        family: String,
        /// The figure.
        figure: &'static str,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for FloorsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FloorsError::Json(error) => error.fmt(f),
            FloorsError::Nothing(None) => f.write_str("no floor in it"),
            FloorsError::Nothing(Some(family)) => write!(f, "{family}: no figure has a floor"),
            FloorsError::Share { family, figure, value } => {
                write!(f, "{family}: {figure} is {value}, it must be a share from 0 to 1")
            }
        }
    }
}

impl std::error::Error for FloorsError {}

/// A figure below its floor, or above it where less is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Below {
    /// The family.
    pub family: String,
    /// The figure.
    pub figure: &'static str,
    /// What was reached.
    pub value: f64,
    /// What was asked for.
    pub floor: f64,
}

impl Below {
    /// `<` where more is better, `>` where less is.
    pub fn relation(&self) -> &'static str {
        if matches!(self.figure, "exact" | "accept") { "<" } else { ">" }
    }
}

impl fmt::Display for Below {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {} {} {}", self.family, self.figure, self.value, self.relation(), self.floor)
    }
}

impl Floors {
    /// Reads floors. A misspelt figure, a share above 1 and a floor for nothing are errors: each would be a floor that
    /// holds nothing up.
    ///
    /// # Errors
    /// [`FloorsError`].
    pub fn from_json(text: &str) -> Result<Floors, FloorsError> {
        let floors: BTreeMap<String, Floor> = serde_json::from_str(text).map_err(FloorsError::Json)?;
        if floors.is_empty() {
            return Err(FloorsError::Nothing(None));
        }
        for (family, floor) in &floors {
            if *floor == Floor::default() {
                return Err(FloorsError::Nothing(Some(family.clone())));
            }
            for (figure, value) in [("exact", floor.exact), ("accept", floor.accept)] {
                if let Some(value) = value.filter(|value| !(0.0..=1.0).contains(value)) {
                    return Err(FloorsError::Share { family: family.clone(), figure, value });
                }
            }
        }
        Ok(Floors(floors))
    }

    /// The families that have a floor.
    pub fn families(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The floor of a family.
    pub fn of(&self, family: &str) -> Option<&Floor> {
        self.0.get(family)
    }

    /// Which figures of a family are below their floors. No share at all counts as 0.
    pub fn missed(&self, family: &str, figures: &Figures) -> Vec<Below> {
        let Some(floor) = self.of(family) else { return Vec::new() };
        let all = [
            ("exact", figures.share().unwrap_or(0.0), floor.exact),
            ("accept", figures.accept_share().unwrap_or(0.0), floor.accept),
            ("silent", figures.silent as f64, floor.silent.map(|most| most as f64)),
            ("extra", figures.extra as f64, floor.extra.map(|most| most as f64)),
            ("sq_err", figures.square_error(), floor.sq_err),
        ];
        let below = all.into_iter().filter_map(|(figure, value, floor)| {
            Some(Below { family: family.to_owned(), figure, value, floor: floor? })
        });
        below
            .filter(|below| if below.relation() == "<" { below.value < below.floor } else { below.value > below.floor })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Figures {
        Figures { boards: 8, exact: 7, accept: 4, silent: 1, extra: 0, squares: 512, wrong: 2, ..Figures::default() }
    }

    #[test]
    fn what_is_below_is_named() {
        let floors =
            Floors::from_json(r#"{"a": {"exact": 0.9, "accept": 0.5, "silent": 0, "extra": 0, "sq_err": 0.3}}"#)
                .unwrap();
        let missed: Vec<String> = floors.missed("a", &figures()).iter().map(Below::to_string).collect();
        assert_eq!(missed, ["a: exact 0.875 < 0.9", "a: silent 1 > 0", "a: sq_err 0.391 > 0.3"]);
        assert!(floors.missed("b", &figures()).is_empty());
        // What is just reached is not below, and no board at all is no share.
        let floors = Floors::from_json(r#"{"a": {"exact": 0.875, "silent": 1}}"#).unwrap();
        assert!(floors.missed("a", &figures()).is_empty());
        assert_eq!(floors.missed("a", &Figures::default())[0].value, 0.0);
    }

    #[test]
    fn floors_that_hold_nothing_up_are_errors() {
        let said = |text: &str| Floors::from_json(text).unwrap_err().to_string();
        assert!(said(r#"{"a": {"exakt": 0.9}}"#).contains("unknown field `exakt`"));
        assert!(said(r#"{"a": {"silent": -1}}"#).contains("-1"));
        assert_eq!(said(r#"{"a": {"exact": 92}}"#), "a: exact is 92, it must be a share from 0 to 1");
        assert_eq!(said("{}"), "no floor in it");
        assert_eq!(said(r#"{"a": {}}"#), "a: no figure has a floor");
        assert!(!said("floors").is_empty());
    }
}
