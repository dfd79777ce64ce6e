//! Counts of which piece was read as which other.

use super::Comparison;
use crate::games::{
    chess::{Piece, Square},
    game::Game,
};

/// A confusion matrix: how often each piece, or an empty square, was read as each other. Boards that were read from the
/// wrong side or found one line off do not count, since their squares say nothing about single pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confusion([[u64; Confusion::CLASSES]; Confusion::CLASSES]);

impl Confusion {
    /// The pieces and the empty square.
    pub const CLASSES: usize = 13;

    /// The letters of the rows and columns; `.` is an empty square.
    pub fn letters() -> &'static str {
        Game::Chess.classes()
    }

    /// Adds the squares of one picture.
    pub fn add(&mut self, comparison: &Comparison) {
        let is_moved = |reading: usize| {
            let miss = comparison.misses().iter().find(|miss| miss.reading == Some(reading));
            miss.is_some_and(|miss| miss.kind.is_of_whole_board())
        };
        for &(label, reading) in comparison.pairs().iter().filter(|&&(_, reading)| !is_moved(reading)) {
            let (label, read) = (&comparison.labels()[label], &comparison.readings()[reading].placement);
            for square in Square::all() {
                self.0[class(label.get(square))][class(read.get(square))] += 1;
            }
        }
    }

    /// A row for each label, a column for each reading, in the order of [`Self::letters`].
    pub fn rows(&self) -> &[[u64; Confusion::CLASSES]; Confusion::CLASSES] {
        &self.0
    }

    /// What was read wrong: the letter of the label, the letter read and the count, the largest count first.
    pub fn errors(&self) -> Vec<(char, char, u64)> {
        let mut errors = Vec::new();
        for (label, row) in Self::letters().chars().zip(&self.0) {
            let others = Self::letters().chars().zip(row).filter(|&(read, &count)| read != label && count > 0);
            errors.extend(others.map(|(read, &count)| (label, read, count)));
        }
        // A stable sort: equal counts keep the order of the letters.
        errors.sort_by_key(|&(_, _, count)| std::cmp::Reverse(count));
        errors
    }
}

/// The number of a class; the empty square is the first.
fn class(piece: Option<Piece>) -> usize {
    piece.map_or(0, |piece| 1 + piece.color as usize * 6 + piece.role as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Verdict,
        evaluate::tests::{GAME, START, board, compare},
    };

    #[test]
    fn classes_are_those_of_the_letters() {
        let letters: String = std::iter::once(None)
            .chain(Piece::all().map(Some))
            .map(|piece| {
                assert!(class(piece) < Confusion::CLASSES);
                Confusion::letters().chars().nth(class(piece)).unwrap()
            })
            .collect();
        assert_eq!(letters, ".PNBRQKpnbrqk");
    }

    #[test]
    fn squares_of_upright_boards_are_counted() {
        let mut confusion = Confusion::default();
        let misread = GAME.replace("R2Q1RK1", "R2q1RK1");
        confusion.add(&compare(&[GAME, START], &[(&misread, Verdict::Check), (START, Verdict::Accept)]));
        confusion.add(&compare(&[GAME], &[(&board(GAME).half_turn().to_string(), Verdict::Check)]));
        assert_eq!(confusion.errors(), [('Q', 'q', 1)]);
        assert_eq!(confusion.rows().iter().flatten().sum::<u64>(), 128);
    }
}
