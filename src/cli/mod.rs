//! The commands of the program.

pub mod args;
pub mod exit;
pub mod models;
pub mod output;
pub mod read;
