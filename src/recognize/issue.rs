//! What is odd about a reading: rules of the game that it breaks, and evidence that contradicts itself.

use std::fmt;

use super::{
    complete::{Fields, Reason},
    integrity::{Integrity, shades::CornerShade},
    place::{Placement, Reading, SquareReading},
    provenance::Source,
    visibility::Sight,
};
use crate::{
    fen::{self, Code, Fen, Severity},
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
    /// Something covers these squares, or the picture ends there.
    NotVisible(Vec<Square>),
    /// These squares have ink of a piece that stands on none of them, or on several.
    PieceBetweenSquares(Vec<Square>),
    /// Squares follow beyond an edge of the board: it may be eight by eight squares of something larger.
    GoesOn,
    /// The square in the corner at the left of each player is light. A mirrored picture is one cause, inverted colors another.
    LightCorner {
        /// What the picture shows if it is mirrored.
        mirrored: Placement,
        /// What it shows if its colors are inverted.
        inverted: Placement,
    },
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
            Issue::NotVisible(_) => "not-visible",
            Issue::PieceBetweenSquares(_) => "piece-between-squares",
            Issue::GoesOn => "squares-beyond-edge",
            Issue::LightCorner { .. } => "light-corner",
            Issue::PictureDamaged(_) => "picture-damaged",
        }
    }

    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Issue::Rules(issue) => issue.severity(),
            Issue::ChangedByRule { .. }
            | Issue::SideConflict(_)
            | Issue::NotVisible(_)
            | Issue::PieceBetweenSquares(_)
            | Issue::GoesOn
            | Issue::PictureDamaged(_)
            | Issue::LightCorner { .. } => Severity::Warning,
        }
    }

    /// Whether a board with this issue must not be accepted, however sure its squares are: the reading may be wrong as a
    /// whole.
    pub fn prevents_acceptance(&self) -> bool {
        match self {
            Issue::Rules(issue) => issue.severity() == Severity::Error || issue.code == Code::BoardMirrored,
            Issue::LightCorner { .. } | Issue::GoesOn | Issue::PictureDamaged(_) => true,
            // The squares are flagged, which decides.
            Issue::ChangedByRule { .. } | Issue::NotVisible(_) | Issue::PieceBetweenSquares(_) => false,
            // The placement is right whoever moves.
            Issue::SideConflict(_) => false,
        }
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
            Issue::NotVisible(squares) => write!(f, "not visible: {}", names(squares)),
            Issue::PieceBetweenSquares(squares) => {
                write!(f, "a piece is not in the middle of its square: {}", names(squares))
            }
            Issue::GoesOn => {
                f.write_str("squares follow beyond the edge of the board: is it a part of something larger?")
            }
            Issue::LightCorner { mirrored, inverted } => write!(
                f,
                "a1 is a light square: either the picture is mirrored, and shows {mirrored}, or its colors are inverted, and it shows {inverted}, or the board is colored wrongly"
            ),
            Issue::PictureDamaged(damage) => write!(f, "the data of the picture are damaged: {damage}"),
        }
    }
}

fn names(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(", ")
}

/// Everything about a reading, completed to `fen`, that a person should know, all at once.
pub fn issues(reading: &Reading, integrity: Integrity, fen: &Fen, fields: &Fields) -> Vec<Issue> {
    // Notes are about spelling, of no use to someone who compares the record with a picture.
    let rules = fen.issues().into_iter().filter(|issue| issue.severity() != Severity::Note).map(Issue::Rules);
    let changed = reading.squares.iter().filter(|square| square.changed).map(|square| Issue::ChangedByRule {
        square: square.square,
        seen: square.runner_up,
        given: square.piece,
    });
    let conflict = fields.side.evidence.filter(Reason::is_conflict);
    let conflict = conflict.map(|reason| Issue::SideConflict(reason.to_string()));
    let unseen = |sight: Sight| -> Vec<Square> {
        let unknown = |square: &&SquareReading| square.sight == sight && square.source != Source::User;
        reading.squares.iter().filter(unknown).map(|square| square.square).collect()
    };
    let (covered, stray) = (unseen(Sight::Covered), unseen(Sight::Stray));
    let covered = (!covered.is_empty()).then_some(Issue::NotVisible(covered));
    let stray = (!stray.is_empty()).then_some(Issue::PieceBetweenSquares(stray));
    let damage = integrity.damage.map(Issue::PictureDamaged);
    let goes_on = integrity.goes_on.then_some(Issue::GoesOn);
    let corner = (integrity.corner_shade == CornerShade::Light).then(|| Issue::LightCorner {
        mirrored: reading.placement.mirrored(),
        inverted: reading.placement.half_turn().colors_swapped(),
    });
    rules
        .chain(changed)
        .chain(conflict)
        .chain(covered)
        .chain(stray)
        .chain(goes_on)
        .chain(corner)
        .chain(damage)
        .collect()
}
