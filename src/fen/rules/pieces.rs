//! The pieces of a board with their squares, gathered once for all rules.

use crate::games::{
    chess::{Color, Piece, Role, Square},
    material::{Kind, Material},
    placement::Placement,
};

/// The pieces of a board and how many there are of each kind.
pub(in crate::fen) struct Pieces {
    /// All pieces, a1 first.
    pub list: Vec<(Square, Piece)>,
    /// How many there are.
    pub material: Material,
}

impl Pieces {
    pub fn of(placement: &Placement) -> Pieces {
        let mut list = Vec::with_capacity(Square::COUNT);
        list.extend(placement.pieces());
        let mut material = Material::default();
        list.iter().for_each(|&(square, piece)| material.add(square, piece));
        Pieces { list, material }
    }

    /// The squares of a kind of piece, a1 first.
    pub fn squares_of(&self, color: Color, role: Role) -> impl Iterator<Item = Square> {
        self.list.iter().filter(move |(_, piece)| *piece == Piece { color, role }).map(|&(square, _)| square)
    }

    /// The square of the king, if there is exactly one of this color.
    pub fn king(&self, color: Color) -> Option<Square> {
        self.squares_of(color, Role::King).next().filter(|_| self.material.count(color, Kind::King) == 1)
    }
}
