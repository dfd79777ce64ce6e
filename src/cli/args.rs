//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use fenlens::{Limits, Models};

use super::exit;

/// Picture of a chess position to FEN.
#[derive(Debug, Parser)]
#[command(version = version(), about, after_help = exit::HELP)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Read every board in one or more pictures
    Read(ReadArgs),
    /// List the models and check that they can be used
    Models(RuntimeArgs),
}

/// Flags of `read`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP)]
pub struct ReadArgs {
    /// Pictures (PNG, JPEG, WebP, GIF, BMP, TIFF); - is standard input
    #[arg(required = true, value_name = "PICTURE")]
    pub pictures: Vec<PathBuf>,
    /// Print one JSON record a line for each picture, in the order given
    #[arg(long)]
    pub json: bool,
    /// Write what the stages saw to this folder
    #[arg(long, value_name = "DIR")]
    pub trace_dir: Option<PathBuf>,
    /// Largest file to read, in bytes
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes)]
    pub max_bytes: u64,
    /// Largest picture to decode, in pixels
    #[arg(long, value_name = "N", default_value_t = Limits::default().pixels)]
    pub max_pixels: u64,
    /// Pictures read at the same time [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,
}

/// Flags on what runs the networks.
#[derive(Debug, clap::Args)]
pub struct RuntimeArgs {
    /// Use the native ONNX Runtime library at this path [default: $ORT_DYLIB_PATH, else the built-in runtime]
    #[arg(long, value_name = "PATH")]
    pub runtime: Option<PathBuf>,
    /// Use the models of this folder rather than the built-in ones
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
}

fn version() -> String {
    format!("{} (models {})", env!("CARGO_PKG_VERSION"), Models::NAMES.join(", "))
}
