//! FEN: the record of a position in one line, read, checked, repaired and written, for chess and for xiangqi.
//!
//! ```
//! use fenlens::fen::{self, CheckOptions, Language, Legal};
//!
//! let checked = fen::check("4k3/8/8/8/8/8/8/4RK2 w - - 0 40", &CheckOptions::default());
//! assert_eq!(checked.legal, Legal::No);
//! assert_eq!(
//!     checked.issues[0].message(Language::English),
//!     "White is to move, but the king on e8 is in check from e1"
//! );
//! assert_eq!(checked.suggested.as_deref(), Some("4k3/8/8/8/8/8/8/4RK2 b - - 0 40"));
//! ```
//!
//! [`check`] takes any text and reports everything at once: what is odd about the spelling, and why no game leads to the
//! position. [`parse`] stops at the record as it is stated. [`Fen::issues`] examines a record that was never text, such as
//! the reading of a picture.
//!
//! # Six fields
//!
//! | field | PGN standard | type |
//! |---|---|---|
//! | placement of the pieces | 16.1.3.1 | [`Placement`] |
//! | side to move | 16.1.3.2 | [`Color`] |
//! | castling rights | 16.1.3.3 | [`Castling`] |
//! | en passant target | 16.1.3.4 | [`Square`]; see [`en_passant_status`] |
//! | half-moves since the last capture or move of a pawn | 16.1.3.5 | `u32` |
//! | number of the move | 16.1.3.6 | `u32` |
//!
//! Validity and output follow the standard exactly. Much more is accepted as input (see [`parse`]), and every deviation is
//! reported.

mod issue;
mod parse;
mod repair;
mod report;
mod rules;
mod setup;
mod verdict;
mod write;

use std::{fmt, ops::Range};

pub use issue::{
    AnyColor, Field, Issue, Language, Location, Operand,
    code::{Code, Severity, Stage, Wording},
};
pub use parse::{MOST_BYTES, ParsedRecord, parse};
pub use report::{IssueReport, Report};
use rules::legality::{self, KnownFields};
pub use rules::{
    castling::{Castling, CastlingRight, CastlingSide},
    en_passant::{EnPassantStatus, en_passant_status},
};
#[cfg(feature = "recognize")]
pub(crate) use rules::{
    last_move::{can_be_last_move, last_castling_moves},
    parity::side_by_moves_made,
};
pub use setup::Board;
use setup::Setup;
pub use verdict::{Legal, UnknownReason};
pub use write::EnPassantPolicy;

use crate::games::{
    chess::{Color, Square},
    game::Game,
    placement::Placement,
    xiangqi,
};

/// A FEN record of chess. Its text is what [`Display`](fmt::Display) gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// Where the pieces stand.
    pub placement: Placement,
    /// The side to move.
    pub side: Color,
    /// The castling rights that are still held.
    pub castling: Castling,
    /// The square passed by a pawn that has just moved two squares.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or move of a pawn.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: u32,
}

impl Fen {
    /// Everything that is wrong with the record, and what is worth knowing about it.
    pub fn issues(&self) -> Vec<Issue> {
        let setup = Setup::from(self);
        let mut issues = legality::examine(&setup, KnownFields::ALL, false);
        let (halfmoves, fullmoves) = (Some(self.halfmoves), Some(self.fullmoves));
        legality::counters(Game::Chess, Some(self.side), halfmoves, fullmoves, &mut issues);
        issue::sort(&mut issues);
        issues
    }
}

impl From<&Fen> for Setup {
    fn from(fen: &Fen) -> Setup {
        Setup {
            board: Board::Chess(fen.placement),
            side: fen.side,
            rights: fen.castling.into(),
            en_passant: fen.en_passant,
            halfmoves: fen.halfmoves,
            fullmoves: fen.fullmoves,
        }
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fen { placement, side, castling, en_passant, halfmoves, fullmoves } = self;
        let passed = en_passant.map_or("-".to_owned(), |square| square.to_string());
        write!(f, "{placement} {} {castling} {passed} {halfmoves} {fullmoves}", side.letter())
    }
}

/// A FEN record of xiangqi. Its text, with the letters of UCCI, is what [`Display`](fmt::Display) gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct XiangqiFen {
    /// Where the pieces stand.
    pub placement: xiangqi::Placement,
    /// The side to move.
    pub side: xiangqi::Color,
    /// Half-moves since the last capture.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: u32,
}

impl fmt::Display for XiangqiFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let XiangqiFen { placement, side, halfmoves, fullmoves } = self;
        write!(f, "{placement} {} - - {halfmoves} {fullmoves}", side.letter())
    }
}

/// A record of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "both are small, and records are copied by value")]
pub enum Record {
    /// Of chess.
    Chess(Fen),
    /// Of xiangqi.
    Xiangqi(XiangqiFen),
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Record::Chess(fen) => fen.fmt(f),
            Record::Xiangqi(fen) => fen.fmt(f),
        }
    }
}

impl From<&Setup> for Record {
    /// Rights of Chess960 that plain chess does not have are left out.
    fn from(setup: &Setup) -> Record {
        let &Setup { board, side, ref rights, en_passant, halfmoves, fullmoves } = setup;
        match board {
            Board::Chess(placement) => {
                let castling = Castling::from(&rights[..]);
                Record::Chess(Fen { placement, side, castling, en_passant, halfmoves, fullmoves })
            }
            Board::Xiangqi(placement) => {
                let side = setup::xiangqi_color(side);
                Record::Xiangqi(XiangqiFen { placement, side, halfmoves, fullmoves })
            }
        }
    }
}

/// The game of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GameChoice {
    /// Recognized by the number of ranks and by the letters.
    #[default]
    Auto,
    /// Chess.
    Chess,
    /// Xiangqi.
    Xiangqi,
}

/// How an input is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckOptions {
    /// The game of the record. Default: recognized.
    pub game: GameChoice,
    /// Whether castling rights are those of Chess960. Default: no, so rooks castle from a1, h1, a8 and h8 only.
    pub chess960: bool,
}

/// Everything about one input.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// The game, chosen by the caller or recognized.
    pub game: Game,
    /// Whether the record is spelled as the PGN standard, 16.1.3, prescribes (in xiangqi, as UCCI or WXF do).
    pub valid_syntax: bool,
    /// Whether a game can lead to the position. The counters do not count.
    pub legal: Legal,
    /// Why that is unknown; none for any other verdict.
    pub unknown_because: Option<UnknownReason>,
    /// Everything that is odd, in the order of the fields.
    pub issues: Vec<Issue>,
    /// The normal form of what is stated; none when part of it cannot be read.
    pub normalized: Option<String>,
    /// The record most likely meant, when what is stated is impossible and a repair leaves no error.
    pub suggested: Option<String>,
    /// What is stated as values; none when part of it cannot be read.
    pub record: Option<Record>,
    /// The operations of an EPD record, without the semicolons.
    pub operations: Vec<String>,
}

/// Reads and checks one input, whatever it holds. Takes time that grows with its length only.
pub fn check(input: &str, options: &CheckOptions) -> Checked {
    let mut parsed = parse(input, options.game);
    let setup = setup_of(&parsed);
    let known = KnownFields {
        side: parsed.side.is_some(),
        castling: parsed.castling.is_some(),
        en_passant: parsed.en_passant.is_some(),
    };
    let certain = setup.as_ref().filter(|_| !parsed.board_doubtful);
    let mut issues = std::mem::take(&mut parsed.issues);
    issues.extend(rule_issues(&parsed, &issues, certain, known, options.chess960));
    issue::sort(&mut issues);

    let (legal, unknown_because) = verdict::judge(&issues, certain, known, options.chess960);
    let unreadable = issues.iter().any(|issue| issue.code.is_unreadable());
    let readable = setup.as_ref().filter(|_| !unreadable);
    let suggested = setup.as_ref().and_then(|setup| suggestion(setup, &issues, options.chess960));
    Checked {
        game: parsed.game,
        valid_syntax: !issues.iter().any(Issue::breaks_syntax),
        legal,
        unknown_because,
        normalized: readable.map(ToString::to_string),
        suggested: suggested.map(|setup| setup.to_string()),
        record: readable.map(Record::from),
        operations: parsed.operations,
        issues,
    }
}

/// The values of the fields, with the usual ones for those that could not be read; none without a board.
fn setup_of(parsed: &ParsedRecord) -> Option<Setup> {
    Some(Setup {
        board: parsed.board?,
        side: parsed.side.unwrap_or(Color::White),
        rights: parsed.castling.clone().unwrap_or_default(),
        en_passant: parsed.en_passant.flatten(),
        halfmoves: parsed.halfmoves.unwrap_or(0),
        fullmoves: parsed.fullmoves.unwrap_or(1),
    })
}

/// What the rules of the game say, with the part of the input that each issue is about. `spelling` is what was found
/// while reading; counters that could not be read are not examined, nor is a board that is in doubt.
fn rule_issues(
    parsed: &ParsedRecord,
    spelling: &[Issue],
    certain: Option<&Setup>,
    known: KnownFields,
    chess960: bool,
) -> Vec<Issue> {
    let mut issues = Vec::new();
    let misread = |code: &Code| code.stage() == Stage::Counters && code.is_unreadable();
    if !spelling.iter().any(|issue| misread(&issue.code)) {
        legality::counters(parsed.game, parsed.side, parsed.halfmoves, parsed.fullmoves, &mut issues);
    }
    if let Some(setup) = certain {
        issues.append(&mut legality::examine(setup, known, chess960));
    }
    for issue in &mut issues {
        issue.range = range_in_text(issue, &parsed.fields, &parsed.written);
    }
    issues
}

/// The record most likely meant, when what is stated cannot be read or is impossible.
fn suggestion(setup: &Setup, issues: &[Issue], chess960: bool) -> Option<Setup> {
    let unreadable = issues.iter().any(|issue| issue.code.is_unreadable());
    let illegal = issues.iter().any(|issue| issue.code.is_illegal());
    // With these it is unknown what was meant.
    let hopeless = |issue: &Issue| {
        matches!(
            issue.code,
            Code::TooManyFields
                | Code::VariantExtension
                | Code::CounterOverflow
                | Code::SideInvalid
                | Code::CastlingInvalid
                | Code::EpInvalid
        )
    };
    if !(unreadable || illegal) || issues.iter().any(hopeless) {
        return None;
    }
    repair::suggest(setup, issues, chess960).or_else(|| unreadable.then(|| setup.clone()))
}

/// Whether a king of chess is attacked. A side without a king, or with several, is not in check.
pub fn is_in_check(placement: &Placement, color: Color) -> bool {
    placement.king(color).is_some_and(|king| rules::attacks::is_attacked(placement, king, !color))
}

/// The part of the input that an issue is about: the piece on the first of its squares that is written there, or the field.
fn range_in_text(
    issue: &Issue,
    fields: &[Option<Range<usize>>; 6],
    written: &[(Location, Range<usize>)],
) -> Option<Range<usize>> {
    let field = issue.field?;
    let piece = issue
        .locations
        .iter()
        .find_map(|location| written.iter().find(|(written, _)| written == location))
        .filter(|_| field == Field::Placement);
    piece.map(|(_, range)| range.clone()).or_else(|| fields[field as usize].clone())
}
