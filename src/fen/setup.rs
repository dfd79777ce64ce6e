//! The values of the six fields of either game, and their normal form.

use std::fmt;

use super::rules::castling::{CastlingRight, letters};
use crate::games::{
    chess::{Color, Square},
    game::Game,
    placement::Placement,
    xiangqi,
};

/// The pieces of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "both are small, and boards are copied by value")]
pub enum Board {
    /// Of chess.
    Chess(Placement),
    /// Of xiangqi.
    Xiangqi(xiangqi::Placement),
}

impl Board {
    /// Whose pieces they are.
    pub fn game(&self) -> Game {
        match self {
            Board::Chess(_) => Game::Chess,
            Board::Xiangqi(_) => Game::Xiangqi,
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Board::Chess(placement) => placement.fmt(f),
            Board::Xiangqi(placement) => placement.fmt(f),
        }
    }
}

/// The six fields as values. Its text is the normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Setup {
    pub board: Board,
    /// White also stands for Red.
    pub side: Color,
    /// In the order of a record, none twice.
    pub rights: Vec<CastlingRight>,
    pub en_passant: Option<Square>,
    pub halfmoves: u32,
    pub fullmoves: u32,
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { board, side, rights, en_passant, halfmoves, fullmoves } = self;
        write!(f, "{board} {} {} ", side.letter(), letters(rights))?;
        match en_passant {
            Some(square) => write!(f, "{square}")?,
            None => f.write_str("-")?,
        }
        write!(f, " {halfmoves} {fullmoves}")
    }
}

/// The xiangqi color for a chess color: Red, which moves first, for White.
pub(super) fn xiangqi_color(color: Color) -> xiangqi::Color {
    match color {
        Color::White => xiangqi::Color::Red,
        Color::Black => xiangqi::Color::Black,
    }
}
