//! What a person knows about a board that the picture does not show, or that was read wrongly.

use std::fmt;

use super::orient::Orientation;
use crate::{
    fen::{self, Castling, Code, Fen, Severity, Stage},
    games::{
        chess::{Color, Piece, Square},
        game::Tile,
    },
};

/// What an answer or a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    /// Which side is at the bottom of the picture.
    Bottom,
    /// What stands on a square.
    Square(Square),
    /// The side to move.
    Side,
    /// The castling rights.
    Castling,
    /// The square that a pawn has just passed.
    EnPassant,
    /// Half-move clock and move number; never asked for.
    Counters,
}

impl Topic {
    /// Whether it is about the placement, on which everything else depends.
    pub fn is_about_placement(self) -> bool {
        matches!(self, Topic::Bottom | Topic::Square(_))
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Topic::Bottom => f.write_str("side at the bottom"),
            Topic::Square(square) => square.fmt(f),
            Topic::Side => f.write_str("side to move"),
            Topic::Castling => f.write_str("castling"),
            Topic::EnPassant => f.write_str("en passant"),
            Topic::Counters => f.write_str("counters"),
        }
    }
}

/// One thing that is known about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// This side is at the bottom of the picture.
    Bottom(Color),
    /// This piece, or none, stands on the square.
    Square(Square, Option<Piece>),
    /// This side moves next.
    Side(Color),
    /// These rights are held, and no others.
    Castling(Castling),
    /// A pawn has just passed this square, or none has.
    EnPassant(Option<Square>),
    /// Half-move clock and move number.
    Counters(u32, u32),
}

impl Answer {
    /// What it is about.
    pub fn topic(self) -> Topic {
        match self {
            Answer::Bottom(_) => Topic::Bottom,
            Answer::Square(square, _) => Topic::Square(square),
            Answer::Side(_) => Topic::Side,
            Answer::Castling(_) => Topic::Castling,
            Answer::EnPassant(_) => Topic::EnPassant,
            Answer::Counters(..) => Topic::Counters,
        }
    }
}

/// An answer that cannot be true of the position, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The answer.
    pub answer: Answer,
    /// Why it cannot be true.
    pub reason: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} not taken: {}", self.answer.topic(), self.reason)
    }
}

impl std::error::Error for Refused {}

/// Everything that is known about a board. What cannot be true of the placement has no effect on the reading, but is kept:
/// a later answer may make it possible.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answers {
    /// The side at the bottom of the picture.
    pub bottom: Option<Color>,
    /// What stands on some tiles as seen, so that a board that is turned keeps its corrections.
    pub tiles: Vec<(Tile, Option<Piece>)>,
    /// The side to move.
    pub side: Option<Color>,
    /// The castling rights that are held.
    pub castling: Option<Castling>,
    /// The square that a pawn has just passed; `Some(None)` when it is known that none has.
    pub en_passant: Option<Option<Square>>,
    /// Half-move clock and move number.
    pub counters: Option<(u32, u32)>,
}

impl Answers {
    /// These answers and one more, about a board that is seen from `orientation`. It replaces an earlier answer on its topic.
    #[must_use]
    pub fn with(&self, answer: Answer, orientation: &Orientation) -> Answers {
        let mut answers = self.clone();
        match answer {
            Answer::Bottom(bottom) => answers.bottom = Some(bottom),
            Answer::Square(square, piece) => {
                let tile = orientation.tile(square);
                answers.tiles.retain(|&(other, _)| other != tile);
                answers.tiles.push((tile, piece));
            }
            Answer::Side(side) => answers.side = Some(side),
            Answer::Castling(rights) => answers.castling = Some(rights),
            Answer::EnPassant(passed) => answers.en_passant = Some(passed),
            Answer::Counters(halfmoves, fullmoves) => answers.counters = Some((halfmoves, fullmoves)),
        }
        answers
    }
}

/// Why an answer cannot be true together with the other fields of a FEN; `None` when it can. An answer about the placement
/// always can.
pub(crate) fn objection(fen: &Fen, answer: Answer) -> Option<String> {
    let with = match answer {
        Answer::Bottom(_) | Answer::Square(..) => return None,
        Answer::Side(side) => {
            // With both kings in check, neither side can be to move, and the placement is wrong.
            let in_check = |color| fen::is_in_check(&fen.placement, color);
            if in_check(side) || !in_check(!side) {
                return None;
            }
            Fen { side, en_passant: None, ..*fen }
        }
        Answer::Castling(castling) => Fen { castling, ..*fen },
        Answer::EnPassant(en_passant) => Fen { en_passant, ..*fen },
        Answer::Counters(halfmoves, fullmoves) => Fen { halfmoves, fullmoves, ..*fen },
    };
    let before = fen.issues();
    let speaks_against = |issue: &&fen::Issue| match (answer, issue.code) {
        (Answer::Side(_), code) => code == Code::OpponentInCheck,
        (Answer::Castling(_), code) => code.stage() == Stage::Castling && code.severity() == Severity::Error,
        (_, Code::EpClockNonzero | Code::HalfmoveExceedsGame) => true,
        (Answer::EnPassant(_), code) => code.severity() == Severity::Error && !before.iter().any(|b| b.code == code),
        _ => false,
    };
    let after = with.issues();
    let reasons: Vec<String> = after.iter().filter(speaks_against).map(ToString::to_string).collect();
    (!reasons.is_empty()).then(|| reasons.join("; "))
}
