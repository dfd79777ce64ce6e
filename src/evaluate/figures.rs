//! The figures of a family of pictures.

use super::{Comparison, MissKind};
use crate::{Verdict, games::chess::Square};

/// Counts over the pictures of a family, defined as in every published figure of this project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figures {
    /// Pictures.
    pub pictures: usize,
    /// Boards labeled.
    pub boards: usize,
    /// Boards read, in each picture at most as many as are labeled.
    pub found: usize,
    /// Boards read with every square right, which includes the side at the bottom.
    pub exact: usize,
    /// Boards that would be right after half a turn.
    pub turned: usize,
    /// Boards accepted.
    pub accept: usize,
    /// Boards accepted although a square or the orientation is wrong, or there is no board.
    pub silent: usize,
    /// Boards read beyond the number labeled, picture by picture.
    pub extra: usize,
    /// Squares of the boards that are paired with a label.
    pub squares: usize,
    /// Wrong squares among them.
    pub wrong: usize,
    pub(super) misses: [usize; MissKind::ALL.len()],
}

impl Figures {
    /// Counts one picture.
    pub fn add(&mut self, comparison: &Comparison) {
        let (labels, readings) = (comparison.labels(), comparison.readings());
        self.pictures += 1;
        self.boards += labels.len();
        self.found += labels.len().min(readings.len());
        self.extra += readings.len().saturating_sub(labels.len());
        self.accept += readings.iter().filter(|read| read.verdict == Verdict::Accept).count();
        for &(label, reading) in comparison.pairs() {
            let (label, read) = (&labels[label], &readings[reading].placement);
            self.exact += usize::from(label == read);
            self.turned += usize::from(label != read && *label == read.half_turn());
            self.squares += Square::COUNT;
        }
        for miss in comparison.misses() {
            self.silent += usize::from(miss.silent);
            self.wrong += miss.squares.len();
            self.misses[miss.kind as usize] += 1;
        }
    }

    /// How many misses are of a kind.
    pub fn misses(&self, kind: MissKind) -> usize {
        self.misses[kind as usize]
    }

    /// How many misses there are, of all kinds.
    pub fn all_misses(&self) -> usize {
        self.misses.iter().sum()
    }

    /// The share of labeled boards that are exact, to four decimal places; none where no board is labeled.
    pub fn share(&self) -> Option<f64> {
        (self.boards > 0).then(|| rounded(self.exact as f64 / self.boards as f64, 4))
    }

    /// Boards accepted in proportion to boards labeled, to four decimal places; none where no board is labeled.
    pub fn accept_share(&self) -> Option<f64> {
        (self.boards > 0).then(|| rounded(self.accept as f64 / self.boards as f64, 4))
    }

    /// Wrong squares as a percentage of the squares of paired boards, to three decimal places.
    pub fn square_error(&self) -> f64 {
        if self.squares == 0 { 0.0 } else { rounded(100.0 * self.wrong as f64 / self.squares as f64, 3) }
    }
}

/// Rounds as printing does (by the exact binary value, even near a tie), so that figures agree with other programs.
fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::tests::{GAME, START, STUDY, board, compare};

    #[test]
    fn figures_are_counted() {
        let mut figures = Figures::default();
        // One right, one with a wrong square but accepted.
        let misread = GAME.replace("R2Q1RK1", "R2q1RK1");
        figures.add(&compare(&[START, GAME], &[(START, Verdict::Accept), (&misread, Verdict::Accept)]));
        // Turned, and a board too many that is accepted.
        let turned = board(GAME).half_turn().to_string();
        figures.add(&compare(&[GAME], &[(STUDY, Verdict::Accept), (&turned, Verdict::Check)]));
        // Missing.
        figures.add(&compare(&[STUDY], &[]));
        assert_eq!((figures.pictures, figures.boards, figures.found, figures.exact), (3, 4, 3, 1));
        assert_eq!((figures.turned, figures.accept, figures.silent, figures.extra), (1, 3, 2, 1));
        // Of the turned board 44 squares differ.
        assert_eq!((figures.squares, figures.wrong), (192, 1 + 44));
        assert_eq!((figures.share(), figures.accept_share()), (Some(0.25), Some(0.75)));
        let misses: Vec<usize> = MissKind::ALL.iter().map(|&kind| figures.misses(kind)).collect();
        assert_eq!(misses, [1, 1, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn nothing_labeled_has_no_share() {
        let mut figures = Figures::default();
        figures.add(&compare(&[], &[]));
        assert_eq!((figures.pictures, figures.share(), figures.square_error()), (1, None, 0.0));
    }

    #[test]
    fn rounding_is_that_of_printing() {
        assert_eq!((rounded(2.0 / 3.0, 4), rounded(0.125, 2), rounded(0.375, 2)), (0.6667, 0.12, 0.38));
    }
}
