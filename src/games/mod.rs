//! The games as values: their boards, pieces and rules. Nothing here depends on FEN records or on pictures.

pub mod chess;
pub mod game;
pub mod material;
pub mod placement;
pub mod xiangqi;

pub use game::{Game, Grid, Tile};
