//! The commands of the program, a folder each, and what they share.

pub mod args;
pub mod batch;
pub mod check;
pub mod exit;
pub mod fen;
pub mod guard;
pub mod html;
pub mod models;
pub mod output;
pub mod paint;
pub mod pool;
pub mod raster;
pub mod read;
