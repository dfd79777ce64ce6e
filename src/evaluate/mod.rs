//! Measures readings against labels: which boards are right, which are missing, what went wrong with the others, and the
//! figures that follow. Needs no picture, prints nothing and reads no file.
//!
//! ```
//! use fenlens::{
//!     Verdict,
//!     check::{Comparison, Fault, Figures, Seen},
//! };
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let label = "4k3/8/8/8/8/8/4P3/4K3".parse()?;
//! let seen = Seen { placement: "4k3/8/8/8/8/8/4p3/4K3".parse()?, verdict: Verdict::Accept };
//! let comparison = Comparison::new(&[label], &[seen]);
//! let miss = &comparison.misses()[0];
//! assert_eq!((miss.fault, miss.silent), (Fault::Color, true));
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
//! | [`Comparison`] | the same | every [`Miss`], charged to a [`Fault`] |
//! | [`Figures`], [`Confusion`] | comparisons | the figures of a family of pictures |
//! | [`Floors`] | figures | what is [`Below`] its floor |

mod confusion;
mod fault;
mod figures;
mod floors;
mod label;
mod pairing;

pub use confusion::Confusion;
pub use fault::{Fault, WrongSquare};
pub use figures::Figures;
pub use floors::{Below, Floor, Floors, FloorsError};
pub use label::{Label, LabelError, LabelledBoard};
pub use pairing::pair;

use crate::{
    games::placement::Placement,
    recognize::{interpret::BoardReading, trust::Verdict},
};

/// What counts of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The pieces.
    pub placement: Placement,
    /// Whether it was vouched for.
    pub verdict: Verdict,
}

impl From<&BoardReading> for Seen {
    fn from(board: &BoardReading) -> Seen {
        Seen { placement: board.reading.placement, verdict: board.trust.verdict }
    }
}

/// One board that is missing, wrong, or not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// Which of the labelled boards; none when a board was read where there is none.
    pub label: Option<usize>,
    /// Which of the boards read; none when the board was not found.
    pub reading: Option<usize>,
    /// What went wrong.
    pub fault: Fault,
    /// Whether the reading was accepted all the same.
    pub silent: bool,
    /// The squares that differ, a8 first; none unless there are both a label and a reading.
    pub squares: Vec<WrongSquare>,
}

/// The boards of one picture as labelled and as read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    labels: Vec<Placement>,
    readings: Vec<Seen>,
    pairs: Vec<(usize, usize)>,
    misses: Vec<Miss>,
}

impl Comparison {
    /// Compares the boards of one picture, both in reading order.
    pub fn new(labels: &[Placement], readings: &[Seen]) -> Comparison {
        let placements: Vec<Placement> = readings.iter().map(|seen| seen.placement).collect();
        let pairs = pair(labels, &placements);
        let accepted = |reading: usize| readings[reading].verdict == Verdict::Accept;
        let mut misses = Vec::new();
        for (label, placement) in labels.iter().enumerate() {
            let paired = pairs.iter().find(|pair| pair.0 == label).map(|pair| pair.1);
            let Some(reading) = paired else {
                let (label, fault) = (Some(label), Fault::NoBoard);
                misses.push(Miss { label, reading: None, fault, silent: false, squares: Vec::new() });
                continue;
            };
            if let Some(fault) = Fault::of_board(placement, &placements[reading]) {
                misses.push(Miss {
                    label: Some(label),
                    reading: Some(reading),
                    fault,
                    silent: accepted(reading),
                    squares: WrongSquare::all(placement, &placements[reading]),
                });
            }
        }
        for reading in (0..readings.len()).filter(|&reading| pairs.iter().all(|pair| pair.1 != reading)) {
            let (silent, fault) = (accepted(reading), Fault::ExtraBoard);
            misses.push(Miss { label: None, reading: Some(reading), fault, silent, squares: Vec::new() });
        }
        Comparison { labels: labels.to_vec(), readings: readings.to_vec(), pairs, misses }
    }

    /// The boards labelled.
    pub fn labels(&self) -> &[Placement] {
        &self.labels
    }

    /// The boards read.
    pub fn readings(&self) -> &[Seen] {
        &self.readings
    }

    /// Which label belongs to which reading, by their numbers from 0.
    pub fn pairs(&self) -> &[(usize, usize)] {
        &self.pairs
    }

    /// What is wrong: in the order of the labels, then the boards that are not there.
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
        let readings: Vec<Seen> =
            readings.iter().map(|&(text, verdict)| Seen { placement: board(text), verdict }).collect();
        Comparison::new(&labels, &readings)
    }

    #[test]
    fn misses_are_named_in_order() {
        let comparison = compare(&[START, GAME, STUDY], &[(START, Verdict::Accept), (STUDY, Verdict::Check)]);
        assert_eq!(comparison.pairs(), [(0, 0), (2, 1)]);
        let missing = Miss { label: Some(1), reading: None, fault: Fault::NoBoard, silent: false, squares: vec![] };
        assert_eq!(comparison.misses(), [missing]);
        assert!(!comparison.is_right());
    }

    #[test]
    fn a_board_where_none_is_may_be_silent() {
        let comparison = compare(&[], &[(START, Verdict::Accept), (START, Verdict::Refuse)]);
        let silent: Vec<_> = comparison.misses().iter().map(|miss| (miss.fault, miss.silent)).collect();
        assert_eq!(silent, [(Fault::ExtraBoard, true), (Fault::ExtraBoard, false)]);
        assert!(compare(&[], &[]).is_right());
    }
}
