//! What a picture shows beside the pieces: the highlight of the last move, and a marker of the side to move.

pub mod last_move;
pub mod turn_marker;
