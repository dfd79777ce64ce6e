//! `fenlens fen`: work on records themselves, without a picture.

pub mod check;
pub mod show;
