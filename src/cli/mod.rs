//! The commands of the program.

pub mod args;
pub mod ask;
pub mod batch;
pub mod check;
pub mod clipboard;
pub mod corrections;
pub mod exit;
pub mod fen_check;
pub mod models;
pub mod output;
pub mod outputs;
pub mod pool;
pub mod raster;
pub mod read;
pub mod report;
pub mod show;
