//! The men of a board, counted once.

use crate::{
    chess::{Color, Piece, Role, Square},
    placement::Placement,
};

/// The men of a board and how many there are of each kind.
pub(super) struct Census {
    /// All men, a1 first.
    pub men: Vec<(Square, Piece)>,
    counts: [[usize; 6]; 2],
}

impl Census {
    pub fn of(placement: &Placement) -> Census {
        let mut men = Vec::with_capacity(Square::COUNT);
        men.extend(placement.men());
        let mut counts = [[0; 6]; 2];
        for (_, man) in &men {
            counts[man.color as usize][man.role as usize] += 1;
        }
        Census { men, counts }
    }

    /// How many men of a kind there are.
    pub fn count(&self, color: Color, role: Role) -> usize {
        self.counts[color as usize][role as usize]
    }

    /// How many men a side has.
    pub fn total(&self, color: Color) -> usize {
        self.counts[color as usize].iter().sum()
    }

    /// The squares of a kind of man, a1 first.
    pub fn squares_of(&self, color: Color, role: Role) -> impl Iterator<Item = Square> {
        self.men.iter().filter(move |(_, man)| *man == Piece { color, role }).map(|&(square, _)| square)
    }

    /// The square of the king, if there is exactly one of this colour.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.squares_of(color, Role::King).next().filter(|_| self.count(color, Role::King) == 1)
    }
}
