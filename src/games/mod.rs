//! The games as values: their boards, pieces and rules. Nothing here knows of FEN records or of pictures.

pub mod chess;
pub mod game;
pub(crate) mod material;
pub mod placement;
pub mod xiangqi;

pub use game::{Game, Grid, Tile};
