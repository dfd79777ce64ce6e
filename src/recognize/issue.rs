//! What is odd about a reading: rules of the game that it breaks, and evidence that contradicts itself.

use std::fmt;

use super::{
    complete::{Fields, Reason},
    place::Reading,
};
use crate::{
    fen::{self, Fen, Severity},
    games::chess::{Piece, Square},
    image::damage::Damage,
};

/// Something about a position that a person should know. The reading may still be right.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Issue {
    /// No game leads to the position, or it looks like a board that is turned or mirrored.
    Rules(fen::Issue),
    /// The rules of chess changed what the picture alone says.
    ChangedByRule {
        /// The square.
        square: Square,
        /// The most probable answer by the picture alone.
        seen: Option<Piece>,
        /// The answer given.
        given: Option<Piece>,
    },
    /// The evidence for the side to move contradicts itself.
    SideConflict(String),
    /// The data of the picture are damaged: what looks empty may be a part that was never decoded.
    PictureDamaged(Damage),
}

impl Issue {
    /// A stable word, as used in records.
    pub fn code(&self) -> &'static str {
        match self {
            Issue::Rules(issue) => issue.code.name(),
            Issue::ChangedByRule { .. } => "changed-by-rule",
            Issue::SideConflict(_) => "side-conflict",
            Issue::PictureDamaged(_) => "picture-damaged",
        }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Issue::Rules(issue) => issue.severity(),
            Issue::ChangedByRule { .. } | Issue::SideConflict(_) | Issue::PictureDamaged(_) => Severity::Warning,
        }
    }

    /// Whether a person must look at a reading with this issue, however sure its squares are.
    pub fn prevents_acceptance(&self) -> bool {
        self.severity() == Severity::Error || matches!(self, Issue::PictureDamaged(_))
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |piece: &Option<Piece>| match piece {
            Some(piece) => format!("{} {}", piece.color, piece.role.name()),
            None => "empty".to_owned(),
        };
        match self {
            Issue::Rules(issue) => issue.fmt(f),
            Issue::ChangedByRule { square, seen, given } => {
                write!(f, "{square}: looks like {}, read as {} by the rules", name(seen), name(given))
            }
            Issue::SideConflict(signs) => write!(f, "side to move: {signs}"),
            Issue::PictureDamaged(damage) => write!(f, "the data of the picture are damaged: {damage}"),
        }
    }
}

/// Everything about a reading, completed to `fen`, that a person should know, all at once.
pub fn issues(reading: &Reading, fen: &Fen, fields: &Fields, damage: Option<Damage>) -> Vec<Issue> {
    // Notes are about spelling, of no use to someone who compares the record with a picture.
    let rules = fen.issues().into_iter().filter(|issue| issue.severity() != Severity::Note).map(Issue::Rules);
    let changed = reading.squares.iter().filter(|square| square.changed).map(|square| Issue::ChangedByRule {
        square: square.square,
        seen: square.runner_up,
        given: square.piece,
    });
    let conflict = fields.side.evidence.filter(Reason::is_conflict);
    let conflict = conflict.map(|reason| Issue::SideConflict(reason.to_string()));
    rules.chain(changed).chain(conflict).chain(damage.map(Issue::PictureDamaged)).collect()
}
