//! The rules of chess as far as a record can break them.

pub(super) mod attacks;
pub(super) mod castling;
pub(super) mod en_passant;
// Used by the reading of pictures only; the checker uses `retraction`.
#[cfg(feature = "recognize")]
pub(super) mod last_move;
pub(super) mod legality;
pub(super) mod parity;
pub(super) mod pawns;
pub(super) mod pieces;
pub(super) mod retraction;
