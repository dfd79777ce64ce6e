//! The six fields of a FEN as values.

use std::fmt;

use crate::{
    chess::{Color, File, Piece, Rank, Role, Square},
    position::Placement,
};

/// A set of castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Castling {
    /// White on the king's side, `K`.
    pub white_king: bool,
    /// White on the queen's side, `Q`.
    pub white_queen: bool,
    /// Black on the king's side, `k`.
    pub black_king: bool,
    /// Black on the queen's side, `q`.
    pub black_queen: bool,
}

impl Castling {
    /// No right at all, `-`.
    pub const NONE: Castling =
        Castling { white_king: false, white_queen: false, black_king: false, black_queen: false };

    /// The rights whose king and rook are at home. No others can be held.
    pub fn possible(placement: &Placement) -> Castling {
        let home = |color: Color, file: usize, role: Role| {
            let square = Square::new(File::new(file), Rank::new(0).seen_by(color));
            placement.get(square) == Some(Piece { color, role })
        };
        let right = |color, rook| home(color, 4, Role::King) && home(color, rook, Role::Rook);
        Castling {
            white_king: right(Color::White, 7),
            white_queen: right(Color::White, 0),
            black_king: right(Color::Black, 7),
            black_queen: right(Color::Black, 0),
        }
    }

    /// The rights that are in both sets.
    #[must_use]
    pub fn and(self, other: Castling) -> Castling {
        Castling {
            white_king: self.white_king && other.white_king,
            white_queen: self.white_queen && other.white_queen,
            black_king: self.black_king && other.black_king,
            black_queen: self.black_queen && other.black_queen,
        }
    }
}

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Castling::NONE {
            return f.write_str("-");
        }
        let rights = [(self.white_king, "K"), (self.white_queen, "Q"), (self.black_king, "k"), (self.black_queen, "q")];
        rights.iter().filter(|(held, _)| *held).try_for_each(|(_, letter)| f.write_str(letter))
    }
}

/// A FEN record. Its text is what [`Display`](fmt::Display) gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// Where the men stand.
    pub placement: Placement,
    /// Who moves next.
    pub side: Color,
    /// Who may still castle where.
    pub castling: Castling,
    /// The square passed by a pawn that has just moved two squares.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or move of a pawn.
    pub halfmoves: u32,
    /// The number of the move, from 1.
    pub fullmoves: u32,
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fen { placement, side, castling, en_passant, halfmoves, fullmoves } = self;
        let passed = en_passant.map_or("-".to_owned(), |square| square.to_string());
        write!(f, "{placement} {} {castling} {passed} {halfmoves} {fullmoves}", side.letter())
    }
}
