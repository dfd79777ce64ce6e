//! The record: what the program prints as JSON for one picture. All commands use the same struct.

use serde::{Deserialize, Serialize};

use crate::{
    error::{Error, Result},
    fen::Severity,
    games::{chess::Color, game::Game},
    image::geometry::Point,
    recognize::{
        complete::Field, interpret::BoardReading, orient::Orientation, provenance::Source, recognizer::Recognition,
        timings::Timings, trust::Verdict, visibility::Sight,
    },
};

/// One picture: its boards, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of this format: 1.
    pub schema: u32,
    /// The picture, as it was named.
    pub path: String,
    /// The number of the file among those of a batch, from 1; with `page` it gives the order of records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u32>,
    /// The page, from 1, of a file that has pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
    /// Pixels per inch at which a page was drawn: corners divided by it are inches from the top left of the page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dpi: Option<f64>,
    /// Whether there are boards.
    pub status: Status,
    /// The boards in reading order.
    pub boards: Vec<BoardRecord>,
    /// What went wrong, when `status` is `error`.
    pub error: Option<ErrorRecord>,
    /// The time it took; left out by a batch, whose records must not depend on the machine and the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings_ms: Option<TimingsRecord>,
    /// The models that read it.
    pub model: String,
    /// What the journal and the parts of a batch keep besides; left out everywhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalRecord>,
}

/// What the journal and the parts of a batch keep of a page besides its record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalRecord {
    /// The size of the file when it was read; null when there was none.
    pub bytes: Option<u64>,
    /// When the file was changed last, in nanoseconds since 1970; null when there was none.
    pub modified: Option<i64>,
    /// The first 16 bytes of the SHA-256 of everything before this field in the journal or part, in hexadecimal digits.
    pub sum: String,
}

/// Whether a picture could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// There are boards.
    Ok,
    /// The picture was read and holds no board.
    NoBoard,
    /// The picture could not be read.
    Error,
}

/// One board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardRecord {
    /// The number of the board on its page, from 1 in reading order; for files that have pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagram: Option<u32>,
    /// All six fields.
    pub fen: String,
    /// The first field.
    pub placement: String,
    /// The game.
    pub game: Game,
    /// The side at the bottom: `white` or `black`.
    pub orientation: Color,
    /// `accept`, `check` or `refuse`.
    pub verdict: Verdict,
    /// The probability that every square and the orientation are right.
    pub confidence: f64,
    /// Four corners in pixels of the decoded and EXIF-turned picture, clockwise from the one that is top left as seen.
    pub corners: [[f64; 2]; 4],
    /// By how many degrees the picture was turned clockwise to set the pieces upright: 0, 90, 180 or 270.
    pub turned: u32,
    /// All squares, a8 first.
    pub squares: Vec<SquareRecord>,
    /// Where each field comes from.
    pub fields: FieldsRecord,
    /// What is odd about the position.
    pub issues: Vec<IssueRecord>,
}

/// One square.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquareRecord {
    /// Its name.
    pub square: String,
    /// The FEN letter of the piece on it; null when empty.
    pub piece: Option<String>,
    /// The calibrated probability of that.
    pub confidence: f64,
    /// The most probable other answer; null is empty.
    pub runner_up: Option<String>,
    /// `picture`, `rule` or `user`.
    pub source: Source,
    /// Whether a person should check it.
    pub flagged: bool,
    /// Whether the picture shows what is on it; written only when it does not.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub visible: bool,
}

/// Where the orientation and the fields after the first come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldsRecord {
    /// Of the side at the bottom.
    pub orientation: FieldRecord,
    /// Of the side to move.
    pub side: FieldRecord,
    /// Of the castling rights.
    pub castling: FieldRecord,
    /// Of the en passant square.
    pub en_passant: FieldRecord,
    /// Of both counters.
    pub counters: FieldRecord,
}

/// Where one field comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldRecord {
    /// `picture`, `rule`, `user` or `assumed`.
    pub source: Source,
    /// The evidence for it, where the source alone does not say.
    pub evidence: Option<String>,
    /// The probability that it is right.
    pub confidence: f64,
    /// Whether a person should check it; only the orientation can be flagged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flagged: bool,
}

/// Something odd about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssueRecord {
    /// A stable word.
    pub code: String,
    /// `error` or `warning`.
    pub severity: Severity,
    /// In words.
    pub message: String,
}

/// What went wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErrorRecord {
    /// The stage that failed.
    pub stage: String,
    /// A stable word.
    pub kind: String,
    /// In words, with the causes.
    pub message: String,
}

/// Milliseconds by stage, as in [`Timings`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "documented in Timings")]
pub struct TimingsRecord {
    pub read: f64,
    pub locate: f64,
    pub rectify: f64,
    pub classify: f64,
    pub orient: f64,
    pub place: f64,
    pub total: f64,
}

impl Record {
    /// The record of one picture.
    pub fn new(path: &str, outcome: &Result<Recognition>, model: &str) -> Record {
        let (status, boards, error, timings) = match outcome {
            Ok(found) => {
                let status = if found.boards.is_empty() { Status::NoBoard } else { Status::Ok };
                (status, found.boards.iter().map(BoardRecord::from).collect(), None, found.timings)
            }
            Err(error) => (Status::Error, Vec::new(), Some(ErrorRecord::from(error)), Timings::default()),
        };
        let timings_ms = Some(timings.into());
        let (input, page, dpi) = (None, None, None);
        Record {
            schema: 1,
            path: path.into(),
            input,
            page,
            dpi,
            status,
            boards,
            error,
            timings_ms,
            model: model.into(),
            journal: None,
        }
    }

    /// The record as one line of JSON, without a line feed.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a record has string keys and finite numbers")
    }
}

impl From<&BoardReading> for BoardRecord {
    fn from(board: &BoardReading) -> Self {
        let letter = |piece: Option<crate::games::chess::Piece>| piece.map(|piece| piece.to_string());
        let squares = board.reading.squares.iter().zip(&board.trust.flagged).map(|(square, &flagged)| SquareRecord {
            square: square.square.to_string(),
            piece: letter(square.piece),
            confidence: probability(square.confidence),
            runner_up: letter(square.runner_up),
            source: square.source,
            flagged,
            visible: square.sight != Sight::Covered,
        });
        let issues = board.issues.iter().map(|issue| IssueRecord {
            code: issue.code().into(),
            severity: issue.severity(),
            message: issue.to_string(),
        });
        BoardRecord {
            diagram: None,
            fen: board.fen.to_string(),
            placement: board.fen.placement.to_string(),
            game: board.game(),
            orientation: board.orientation.bottom,
            verdict: board.trust.verdict,
            confidence: probability(board.trust.confidence),
            corners: board.corners().0.map(|Point { x, y }| [round(x, 2), round(y, 2)]),
            turned: 90 * board.observation.quarter_turns as u32,
            squares: squares.collect(),
            fields: FieldsRecord {
                orientation: FieldRecord { flagged: board.trust.orientation_flagged, ..board.orientation.into() },
                side: board.fields.side.into(),
                castling: board.fields.castling.into(),
                en_passant: board.fields.en_passant.into(),
                counters: board.fields.counters.into(),
            },
            issues: issues.collect(),
        }
    }
}

impl From<Field> for FieldRecord {
    fn from(field: Field) -> Self {
        FieldRecord {
            source: field.source,
            evidence: field.evidence.map(|reason| reason.to_string()),
            confidence: probability(field.confidence),
            flagged: false,
        }
    }
}

impl From<Orientation> for FieldRecord {
    fn from(orientation: Orientation) -> Self {
        FieldRecord {
            source: orientation.source,
            evidence: orientation.evidence.map(|evidence| evidence.name().to_owned()),
            confidence: probability(orientation.confidence),
            flagged: false,
        }
    }
}

impl From<&Error> for ErrorRecord {
    fn from(error: &Error) -> Self {
        ErrorRecord { stage: error.stage().name().into(), kind: error.kind().into(), message: error.chain() }
    }
}

impl From<Timings> for TimingsRecord {
    fn from(t: Timings) -> Self {
        let [read, locate, rectify, classify, orient, place, total] =
            [t.read, t.locate, t.rectify, t.classify, t.orient, t.place, t.total].map(|ms| round(ms, 2));
        TimingsRecord { read, locate, rectify, classify, orient, place, total }
    }
}

/// What a record without the field says.
fn yes() -> bool {
    true
}

fn round(value: f64, digits: i32) -> f64 {
    let unit = 10f64.powi(digits);
    (value * unit).round() / unit
}

/// Six digits tell 1 in 1000 from 1 in 10,000 with room to spare, and keep records short.
fn probability(value: f32) -> f64 {
    round(f64::from(value), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_records() {
        let outcome = Err(Error::TooLarge { what: "pixels", limit: 5, actual: 9 });
        let record = Record::new("a.png", &outcome, "m");
        assert_eq!(
            record.to_json(),
            r#"{"schema":1,"path":"a.png","status":"error","boards":[],"error":{"stage":"decode","kind":"too-large","message":"too large: 9 pixels, the limit is 5"},"timings_ms":{"read":0.0,"locate":0.0,"rectify":0.0,"classify":0.0,"orient":0.0,"place":0.0,"total":0.0},"model":"m"}"#
        );
        assert_eq!(serde_json::from_str::<Record>(&record.to_json()).unwrap(), record);
    }
}
