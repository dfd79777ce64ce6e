//! The commands of the program.

pub mod args;
pub mod batch;
pub mod exit;
pub mod fen_check;
pub mod models;
pub mod output;
pub mod pool;
pub mod raster;
pub mod read;
pub mod show;
