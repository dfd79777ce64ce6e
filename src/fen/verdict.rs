//! The verdict on a position, and the reason when it is unknown.

use super::{
    Language,
    issue::Issue,
    rules::{
        legality::KnownFields,
        parity::{self, Contradiction},
    },
    setup::{Board, Setup},
};
use crate::games::chess::Color;

/// Whether a game can lead to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legal {
    /// It breaks no rule that is checked.
    Yes,
    /// No game leads to it.
    No,
    /// The position cannot be read, or is impossible for a reason that has no code; see
    /// [`Checked::unknown_because`](super::Checked::unknown_because).
    Unknown,
}

impl Legal {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Legal::Yes => "yes",
            Legal::No => "no",
            Legal::Unknown => "unknown",
        }
    }
}

/// Why [`Legal::Unknown`] is the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnknownReason {
    /// Part of the position cannot be read; the issues say which.
    Unreadable,
    /// The king and queen of a side stand on each other's first square, behind pawns that have never moved.
    KingAndQueenExchanged {
        /// The side.
        color: Color,
    },
    /// The board shows whether each side has made an even or an odd number of moves, and the side to move contradicts it.
    MoveCounts {
        /// Whether White has made an odd number.
        white_odd: bool,
        /// Whether Black has made an odd number.
        black_odd: bool,
        /// The side to move.
        side: Color,
    },
}

impl UnknownReason {
    /// The reason in words.
    pub fn message(self, language: Language) -> String {
        let chinese = language == Language::Chinese;
        match self {
            UnknownReason::Unreadable if chinese => "局面有一部分无法读取".into(),
            UnknownReason::Unreadable => "part of the position cannot be read".into(),
            UnknownReason::KingAndQueenExchanged { color } if chinese => {
                let color = if color == Color::White { "白" } else { "黑" };
                format!("{color}方的兵未动过，王与后却互换了位置")
            }
            UnknownReason::KingAndQueenExchanged { color } => {
                format!(
                    "the {color} king and queen stand on each other's first square behind pawns that have never moved"
                )
            }
            UnknownReason::MoveCounts { white_odd, black_odd, side } if chinese => {
                let parity = |odd| if odd { "奇数" } else { "偶数" };
                let (side, fits) = if side == Color::White { ("白", "相同") } else { ("黑", "相差一步") };
                format!(
                    "步数不符：白方走了{}步，黑方走了{}步，但轮到{side}方走时双方步数应{fits}",
                    parity(white_odd),
                    parity(black_odd)
                )
            }
            UnknownReason::MoveCounts { white_odd, black_odd, side } => {
                let parity = |odd| if odd { "odd" } else { "even" };
                let (side, fits) = match side {
                    Color::White => ("White", "both have made the same number"),
                    Color::Black => ("Black", "White has made one more"),
                };
                format!(
                    "the moves do not add up: White has made an {} number of moves and Black an {} one, \
                     but with {side} to move {fits}",
                    parity(white_odd),
                    parity(black_odd)
                )
            }
        }
    }
}

/// Whether a game can lead to the position, and why that is unknown. `certain` is none when the board is in doubt.
pub(super) fn judge(
    issues: &[Issue],
    certain: Option<&Setup>,
    known: KnownFields,
    chess960: bool,
) -> (Legal, Option<UnknownReason>) {
    if issues.iter().any(|issue| issue.code.is_illegal()) {
        return (Legal::No, None);
    }
    let Some(setup) = certain.filter(|_| known.all()) else {
        return (Legal::Unknown, Some(UnknownReason::Unreadable));
    };
    let contradiction = match &setup.board {
        Board::Chess(placement) if !chess960 => parity::contradiction(placement, setup.side, &setup.rights),
        Board::Chess(_) | Board::Xiangqi(_) => None,
    };
    match contradiction {
        None => (Legal::Yes, None),
        Some(Contradiction::KingAndQueenExchanged(color)) => {
            (Legal::Unknown, Some(UnknownReason::KingAndQueenExchanged { color }))
        }
        Some(Contradiction::MoveCounts { white_odd, black_odd }) => {
            (Legal::Unknown, Some(UnknownReason::MoveCounts { white_odd, black_odd, side: setup.side }))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::fen::{CheckOptions, Language, Legal, Report, UnknownReason, check};

    fn reason(record: &str) -> Option<String> {
        let checked = check(record, &CheckOptions::default());
        assert_eq!(checked.unknown_because.is_some(), checked.legal == Legal::Unknown);
        let report = Report::new(record, &checked, Language::English);
        assert_eq!(report.to_json().contains("unknown_because"), checked.legal == Legal::Unknown);
        report.unknown_because
    }

    #[test]
    fn an_open_verdict_has_a_reason() {
        let moves = "the moves do not add up: White has made an even number of moves and Black an odd one, \
                     but with White to move both have made the same number";
        assert_eq!(reason("rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2").as_deref(), Some(moves));
        let start = "the moves do not add up: White has made an even number of moves and Black an even one, \
                     but with Black to move White has made one more";
        assert_eq!(reason("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1").as_deref(), Some(start));
        let exchanged =
            "the white king and queen stand on each other's first square behind pawns that have never moved";
        assert_eq!(reason("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 5").as_deref(), Some(exchanged));
        assert_eq!(reason("8/8/8 w - - 0 1").as_deref(), Some("part of the position cannot be read"));
        assert_eq!(reason("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), None);
        assert_eq!(reason("8/8/8/8/8/8/8/4K3 w - - 0 1"), None);
    }

    #[test]
    fn reasons_can_be_in_chinese() {
        let reason =
            UnknownReason::MoveCounts { white_odd: false, black_odd: true, side: crate::games::chess::Color::White };
        let words = "步数不符：白方走了偶数步，黑方走了奇数步，但轮到白方走时双方步数应相同";
        assert_eq!(reason.message(Language::Chinese), words);
    }
}
