//! Records in the spellings that other programs expect.

use std::fmt;

use super::{
    Fen, XiangqiFen,
    rules::en_passant::{EnPassantStatus, en_passant_status},
};
use crate::games::xiangqi::Piece;

/// Which en passant targets are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassantPolicy {
    /// After every double step of a pawn (PGN standard 16.1.3.4).
    #[default]
    Standard,
    /// When a pawn stands ready to take (X-FEN).
    Ready,
    /// When such a capture is legal.
    Legal,
}

impl Fen {
    /// The same record with its en passant target only where the policy has one. A target that cannot be is dropped by
    /// every policy.
    #[must_use]
    pub fn with_en_passant(self, policy: EnPassantPolicy) -> Fen {
        let least = match policy {
            EnPassantPolicy::Standard => EnPassantStatus::NotCapturable,
            EnPassantPolicy::Ready => EnPassantStatus::CaptureIllegal,
            EnPassantPolicy::Legal => EnPassantStatus::Capturable,
        };
        let en_passant =
            self.en_passant.filter(|&square| en_passant_status(&self.placement, self.side, square) >= least);
        Fen { en_passant, ..self }
    }

    /// The record as EPD (PGN standard 16.2): four fields and operations, the counters among them as `hmvc` and `fmvn`.
    /// Each operation is given without its semicolon.
    pub fn to_epd<'a>(&self, operations: impl IntoIterator<Item = &'a str>) -> String {
        let text = self.to_string();
        let fields: Vec<&str> = text.split(' ').take(4).collect();
        let counters = [format!("hmvc {}", self.halfmoves), format!("fmvn {}", self.fullmoves)];
        let kept = operations
            .into_iter()
            .map(str::to_owned)
            .filter(|operation| !matches!(operation.split(' ').next(), Some("hmvc" | "fmvn")));
        let mut all: Vec<String> = kept.chain(counters).collect();
        // The standard has operations in the order of their opcodes.
        all.sort();
        all.iter().fold(fields.join(" "), |epd, operation| format!("{epd} {operation};"))
    }

    /// The two tags by which a PGN game begins from this position (PGN standard 9.7).
    pub fn to_pgn_tags(&self) -> String {
        pgn_tags(self)
    }
}

impl XiangqiFen {
    /// The record with the letters of the World Xiangqi Federation: E for the elephant, H for the horse. The letters of
    /// [`Display`](fmt::Display) are those of UCCI: B and N.
    pub fn to_wxf(&self) -> String {
        let text = self.to_string();
        let (placement, rest) = text.split_once(' ').unwrap_or((&text, ""));
        let letter = |ch: char| Piece::from_letter(ch).map_or(ch, Piece::letter_wxf);
        placement.chars().map(letter).chain([' ']).chain(rest.chars()).collect()
    }

    /// The two tags by which a PGN game begins from this position.
    pub fn to_pgn_tags(&self) -> String {
        pgn_tags(self)
    }
}

fn pgn_tags(record: &impl fmt::Display) -> String {
    format!("[SetUp \"1\"]\n[FEN \"{record}\"]\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::{CheckOptions, Record, check};

    fn chess(text: &str) -> Fen {
        match check(text, &CheckOptions::default()).record {
            Some(Record::Chess(fen)) => fen,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn three_policies() {
        use EnPassantPolicy::{Legal, Ready, Standard};
        let written =
            |text: &str| [Standard, Ready, Legal].map(|policy| chess(text).with_en_passant(policy).en_passant);
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(written(after_e4).map(|square| square.is_some()), [true, false, false]);
        let pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 40";
        assert_eq!(written(pinned).map(|square| square.is_some()), [true, true, false]);
        let free = "4k3/8/8/8/2pPp3/8/8/4K3 b - d3 0 40";
        assert_eq!(written(free).map(|square| square.is_some()), [true; 3]);
    }

    #[test]
    fn other_spellings() {
        let fen = chess("4k3/8/8/8/8/8/4P3/4K3 w - - 5 39");
        assert_eq!(
            fen.to_epd(["id \"x\"", "bm e4", "hmvc 9"]),
            "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; fmvn 39; hmvc 5; id \"x\";"
        );
        assert_eq!(chess(&fen.to_epd([])), fen);
        assert_eq!(chess(fen.to_pgn_tags().lines().nth(1).unwrap()), fen);
        let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
        let Some(Record::Xiangqi(fen)) = check(start, &CheckOptions::default()).record else { panic!() };
        assert_eq!(fen.to_string(), start);
        let wxf = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";
        assert_eq!(fen.to_wxf(), wxf);
        assert_eq!(check(wxf, &CheckOptions::default()).normalized.as_deref(), Some(start));
    }
}
