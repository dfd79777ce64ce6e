//! Compares readings with labels: which boards are right, which are missing, what went wrong with the others, and the
//! resulting figures. It needs no picture, prints nothing and reads no file.
//!
//! ```
//! use fenlens::{
//!     Verdict,
//!     evaluate::{Comparison, Figures, MissKind, ReadBoard},
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let label = "4k3/8/8/8/8/8/4P3/4K3".parse()?;
//! let read = ReadBoard { placement: "4k3/8/8/8/8/8/4p3/4K3".parse()?, verdict: Verdict::Accept };
//! let comparison = Comparison::new(&[label], &[read]);
//! let miss = &comparison.misses()[0];
//! assert_eq!((miss.kind, miss.silent), (MissKind::Color, true));
//!
//! let mut figures = Figures::default();
//! figures.add(&comparison);
//! assert_eq!((figures.boards, figures.exact, figures.silent), (1, 0, 1));
//! # Ok(())
//! # }
//! ```
//!
//! | step | from | to |
//! |---|---|---|
//! | [`Label`] | text of a label | the boards a picture has |
//! | [`pair`] | labels, readings | which reading is of which label |
//! | [`Comparison`] | the same | every [`Miss`] and its [`MissKind`] |
//! | [`Figures`], [`Confusion`] | comparisons | the figures of a family of pictures |
//! | [`Floors`] | figures | what is [`Below`] its floor |

mod confusion;
mod figures;
mod floors;
mod label;
mod miss;
mod pairing;

pub use confusion::Confusion;
pub use figures::Figures;
pub use floors::{Below, Figure, Floor, Floors, FloorsError};
pub use label::{Label, LabelError, LabeledBoard};
pub use miss::{Miss, MissKind, WrongSquare};
pub use pairing::pair;

use crate::{BoardReading, Verdict, games::placement::Placement};

/// The part of a board's reading that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadBoard {
    /// The pieces.
    pub placement: Placement,
    /// Whether the reading was accepted.
    pub verdict: Verdict,
}

impl From<&BoardReading> for ReadBoard {
    fn from(board: &BoardReading) -> ReadBoard {
        ReadBoard { placement: board.reading.placement, verdict: board.trust.verdict }
    }
}

/// The boards of one picture as labeled and as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    labels: Vec<Placement>,
    readings: Vec<ReadBoard>,
    pairs: Vec<(usize, usize)>,
    misses: Vec<Miss>,
}

impl Comparison {
    /// Compares the boards of one picture, both in reading order.
    pub fn new(labels: &[Placement], readings: &[ReadBoard]) -> Comparison {
        let placements: Vec<Placement> = readings.iter().map(|read| read.placement).collect();
        let pairs = pair(labels, &placements);
        let of_labels = labels.iter().enumerate().filter_map(|(number, label)| {
            let reading = pairs.iter().find(|pair| pair.0 == number).map(|pair| pair.1);
            let read = reading.map(|reading| &readings[reading]);
            let kind = read.map_or(Some(MissKind::NoBoard), |read| MissKind::of_board(label, &read.placement))?;
            Some(Miss {
                label: Some(number),
                reading,
                kind,
                silent: read.is_some_and(|read| read.verdict == Verdict::Accept),
                squares: read.map_or_else(Vec::new, |read| WrongSquare::all(label, &read.placement)),
            })
        });
        let is_extra = |number: &usize| pairs.iter().all(|pair| pair.1 != *number);
        let of_readings = (0..readings.len()).filter(is_extra).map(|number| Miss {
            label: None,
            reading: Some(number),
            kind: MissKind::ExtraBoard,
            silent: readings[number].verdict == Verdict::Accept,
            squares: Vec::new(),
        });
        let misses = of_labels.chain(of_readings).collect();
        Comparison { labels: labels.to_vec(), readings: readings.to_vec(), pairs, misses }
    }

    /// The boards labeled.
    pub fn labels(&self) -> &[Placement] {
        &self.labels
    }

    /// The boards read.
    pub fn readings(&self) -> &[ReadBoard] {
        &self.readings
    }

    /// Pairs of a label and its reading, by their numbers from 0.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// Everything that is wrong: labeled boards first, in their order, then boards read where there is none.
    pub fn misses(&self) -> &[Miss] {
        &self.misses
    }

    /// Whether every board was read right, and no other.
    pub fn is_right(&self) -> bool {
        self.misses.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    pub(super) const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";
    pub(super) const STUDY: &str = "8/8/4k3/8/8/3K4/8/8";

    pub(super) fn board(text: &str) -> Placement {
        text.parse().unwrap()
    }

    pub(super) fn compare(labels: &[&str], readings: &[(&str, Verdict)]) -> Comparison {
        let labels: Vec<Placement> = labels.iter().map(|text| board(text)).collect();
        let readings: Vec<ReadBoard> =
            readings.iter().map(|&(text, verdict)| ReadBoard { placement: board(text), verdict }).collect();
        Comparison::new(&labels, &readings)
    }

    #[test]
    fn misses_are_named_in_order() {
        let comparison = compare(&[START, GAME, STUDY], &[(START, Verdict::Accept), (STUDY, Verdict::Check)]);
        assert_eq!(comparison.pairs(), [(0, 0), (2, 1)]);
        let missing = Miss { label: Some(1), reading: None, kind: MissKind::NoBoard, silent: false, squares: vec![] };
        assert_eq!(comparison.misses(), [missing]);
        assert!(!comparison.is_right());
    }

    #[test]
    fn an_extra_board_may_be_a_silent_error() {
        let comparison = compare(&[], &[(START, Verdict::Accept), (START, Verdict::Refuse)]);
        let silent: Vec<_> = comparison.misses().iter().map(|miss| (miss.kind, miss.silent)).collect();
        assert_eq!(silent, [(MissKind::ExtraBoard, true), (MissKind::ExtraBoard, false)]);
        assert!(compare(&[], &[]).is_right());
    }
}
