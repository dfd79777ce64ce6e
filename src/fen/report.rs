//! The report on one input, as the program prints it in JSON.

use serde::{Deserialize, Serialize};

use super::{Checked, Language};

/// The result of [`check`](super::check) in words: one object for each input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Always 1.
    pub schema: u32,
    /// What was given.
    pub input: String,
    /// `chess` or `xiangqi`.
    pub game: String,
    /// Whether it is spelled as the standard prescribes.
    pub valid_syntax: bool,
    /// `yes`, `no` or `unknown`.
    pub legal: String,
    /// Why that is unknown, in words; left out for any other verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_because: Option<String>,
    /// Everything that is odd, in the order of the fields.
    pub issues: Vec<IssueReport>,
    /// The normal form; null when the record cannot be read.
    #[serde(rename = "normalised")]
    pub normalized: Option<String>,
    /// The repaired record; null when there is nothing to repair or no repair is known.
    pub suggested: Option<String>,
}

/// One issue in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueReport {
    /// A stable word.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// `placement`, `side`, `castling`, `ep`, `halfmove` or `fullmove`; null for the record as a whole.
    pub field: Option<String>,
    /// The square or point that is wrong, the first of several.
    pub square: Option<String>,
    /// First byte in the input and the byte after the last.
    pub range: Option<[usize; 2]>,
    /// What is wrong or worth knowing.
    pub message: String,
    /// What to do about it.
    pub fix: Option<String>,
}

impl Report {
    /// The report on an input.
    pub fn new(input: &str, checked: &Checked, language: Language) -> Report {
        let issues = checked.issues.iter().map(|issue| IssueReport {
            code: issue.code.name().into(),
            severity: issue.severity().name().into(),
            field: issue.field.map(|field| field.name().into()),
            square: issue.locations.first().map(ToString::to_string),
            range: issue.range.as_ref().map(|range| [range.start, range.end]),
            message: issue.message(language),
            fix: issue.fix(language),
        });
        Report {
            schema: 1,
            input: input.into(),
            game: checked.game.name().into(),
            valid_syntax: checked.valid_syntax,
            legal: checked.legal.name().into(),
            unknown_because: checked.unknown_because.map(|reason| reason.message(language)),
            issues: issues.collect(),
            normalized: checked.normalized.clone(),
            suggested: checked.suggested.clone(),
        }
    }

    /// The report as one line of JSON, without a line feed.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a report has string keys and no numbers that JSON lacks")
    }
}
