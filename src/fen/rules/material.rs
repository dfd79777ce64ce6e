//! The pieces of a board, counted once.

use crate::games::{
    chess::{Color, Piece, Role, Square},
    placement::Placement,
};

/// The pieces of a board and how many there are of each kind.
pub(in crate::fen) struct Material {
    /// All pieces, a1 first.
    pub pieces: Vec<(Square, Piece)>,
    counts: [[usize; 6]; 2],
}

impl Material {
    pub fn of(placement: &Placement) -> Material {
        let mut pieces = Vec::with_capacity(Square::COUNT);
        pieces.extend(placement.pieces());
        let mut counts = [[0; 6]; 2];
        for (_, piece) in &pieces {
            counts[piece.color as usize][piece.role as usize] += 1;
        }
        Material { pieces, counts }
    }

    /// How many pieces of a kind there are.
    pub fn count(&self, color: Color, role: Role) -> usize {
        self.counts[color as usize][role as usize]
    }

    /// How many pieces a side has.
    pub fn total(&self, color: Color) -> usize {
        self.counts[color as usize].iter().sum()
    }

    /// The squares of a kind of piece, a1 first.
    pub fn squares_of(&self, color: Color, role: Role) -> impl Iterator<Item = Square> {
        self.pieces.iter().filter(move |(_, piece)| *piece == Piece { color, role }).map(|&(square, _)| square)
    }

    /// The square of the king, if there is exactly one of this color.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.squares_of(color, Role::King).next().filter(|_| self.count(color, Role::King) == 1)
    }
}
