//! Floors: the values that the figures of a family must reach.

use std::{collections::BTreeMap, fmt};

use serde::Deserialize;
use thiserror::Error;

use super::Figures;

/// A figure that may have a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Figure {
    /// The share of boards that are exact.
    Exact,
    /// The number of accepted boards in proportion to those labeled.
    Accept,
    /// The number of silent errors.
    Silent,
    /// The number of boards read where there is none.
    Extra,
    /// The percentage of wrong squares.
    SquareError,
}

impl Figure {
    /// The name used in files of floors and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Figure::Exact => "exact",
            Figure::Accept => "accept",
            Figure::Silent => "silent",
            Figure::Extra => "extra",
            Figure::SquareError => "sq_err",
        }
    }

    /// Whether more is better: the floor is then a minimum, else a maximum.
    pub fn is_better_when_higher(self) -> bool {
        matches!(self, Figure::Exact | Figure::Accept)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The floors of one family. A figure that is not given has no floor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Floor {
    /// The least share of boards that are exact, 0 to 1.
    pub exact: Option<f64>,
    /// The least number of accepted boards in proportion to those labeled, 0 to 1.
    pub accept: Option<f64>,
    /// The most silent errors.
    pub silent: Option<usize>,
    /// The most boards where there is none.
    pub extra: Option<usize>,
    /// The highest percentage of wrong squares.
    pub sq_err: Option<f64>,
}

/// The floors of all families. In JSON: `{"screens": {"exact": 0.92, "silent": 0, "extra": 0}, ...}`.
#[derive(Clone, Debug, PartialEq)]
pub struct Floors(BTreeMap<String, Floor>);

/// Why a text is not a valid set of floors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FloorsError {
    /// The text is not JSON of this form.
    #[error(transparent)]
    Json(Box<dyn std::error::Error + Send + Sync>),
    /// There is no floor at all.
    #[error("no floor in it")]
    Empty,
    /// There is no floor for any figure of a family.
    #[error("{family}: no figure has a floor")]
    EmptyFamily {
        /// The family.
        family: String,
    },
    /// A share outside 0 to 1.
    #[error("{family}: {figure} is {value}, it must be a share from 0 to 1")]
    Share {
        /// The family.
        family: String,
        /// The figure.
        figure: Figure,
        /// Its value.
        value: f64,
    },
}

/// A figure that misses its floor: below it, or above it where less is better.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Below {
    /// The family.
    pub family: String,
    /// The figure.
    pub figure: Figure,
    /// What was reached.
    pub value: f64,
    /// The floor.
    pub floor: f64,
}

impl Below {
    /// How the value relates to the floor: `<` where more is better, `>` where less is.
    pub fn relation(&self) -> &'static str {
        if self.figure.is_better_when_higher() { "<" } else { ">" }
    }
}

impl fmt::Display for Below {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {} {} {}", self.family, self.figure, self.value, self.relation(), self.floor)
    }
}

impl Floors {
    /// Reads floors. A misspelled figure, a share above 1 and a family without any floor are errors, because such a floor
    /// would never fail.
    ///
    /// # Errors
    /// [`FloorsError`].
    pub fn from_json(text: &str) -> Result<Floors, FloorsError> {
        let floors: BTreeMap<String, Floor> =
            serde_json::from_str(text).map_err(|error| FloorsError::Json(error.into()))?;
        if floors.is_empty() {
            return Err(FloorsError::Empty);
        }
        for (family, floor) in &floors {
            if *floor == Floor::default() {
                return Err(FloorsError::EmptyFamily { family: family.clone() });
            }
            for (figure, value) in [(Figure::Exact, floor.exact), (Figure::Accept, floor.accept)] {
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

    /// The figures of a family that miss their floors. A share that cannot be computed counts as 0.
    pub fn missed(&self, family: &str, figures: &Figures) -> Vec<Below> {
        let Some(floor) = self.of(family) else { return Vec::new() };
        let all = [
            (Figure::Exact, figures.share().unwrap_or(0.0), floor.exact),
            (Figure::Accept, figures.accept_share().unwrap_or(0.0), floor.accept),
            (Figure::Silent, figures.silent as f64, floor.silent.map(|most| most as f64)),
            (Figure::Extra, figures.extra as f64, floor.extra.map(|most| most as f64)),
            (Figure::SquareError, figures.square_error(), floor.sq_err),
        ];
        let with_floors = all.into_iter().filter_map(|(figure, value, floor)| Some((figure, value, floor?)));
        with_floors
            .filter(
                |&(figure, value, floor)| {
                    if figure.is_better_when_higher() { value < floor } else { value > floor }
                },
            )
            .map(|(figure, value, floor)| Below { family: family.to_owned(), figure, value, floor })
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
        // A floor that is just reached is not missed, and no board at all counts as a share of 0.
        let floors = Floors::from_json(r#"{"a": {"exact": 0.875, "silent": 1}}"#).unwrap();
        assert!(floors.missed("a", &figures()).is_empty());
        assert_eq!(floors.missed("a", &Figures::default())[0].value, 0.0);
    }

    #[test]
    fn floors_that_would_never_fail_are_errors() {
        let said = |text: &str| Floors::from_json(text).unwrap_err().to_string();
        assert!(said(r#"{"a": {"exakt": 0.9}}"#).contains("unknown field `exakt`"));
        assert!(said(r#"{"a": {"silent": -1}}"#).contains("-1"));
        assert_eq!(said(r#"{"a": {"exact": 92}}"#), "a: exact is 92, it must be a share from 0 to 1");
        assert_eq!(said("{}"), "no floor in it");
        assert_eq!(said(r#"{"a": {}}"#), "a: no figure has a floor");
        assert!(!said("floors").is_empty());
    }
}
