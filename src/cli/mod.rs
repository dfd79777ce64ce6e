//! The commands of the program, a folder each with its own arguments, and what they share.

mod args;
mod batch;
mod check;
mod exit;
mod fen;
mod files;
mod guard;
mod html;
mod models;
mod output;
mod own;
mod paint;
mod pool;
mod probe;
mod raster;
mod read;
mod readers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use fenlens::Models;

/// Picture of a chess position to FEN.
#[derive(Debug, Parser)]
#[command(version = version(), about, after_help = exit::HELP)]
struct Args {
    /// What to do.
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Read every board in one or more pictures
    Read(read::args::ReadArgs),
    /// Measure the reading of labeled pictures against floors and an earlier run
    Check(check::args::CheckArgs),
    /// Read whole folders and books into one file, and go on after an interruption
    Batch(batch::args::BatchArgs),
    /// Work on FEN records themselves, without a picture
    Fen(fen::args::FenArgs),
    /// List the models and check that they can be used
    Models(args::RuntimeArgs),
    /// Hand out the text on standard input as the clipboard
    #[command(hide = true)]
    ServeClipboard,
    /// Draw the pages of documents that standard input asks for
    #[command(hide = true)]
    DrawPages(batch::ServeArgs),
    /// Try a native ONNX Runtime library
    #[command(hide = true)]
    ProbeRuntime(probe::ProbeArgs),
}

fn version() -> String {
    format!("{} (models {})", env!("CARGO_PKG_VERSION"), Models::NAMES.join(", "))
}

/// Runs the command that the command line names.
pub fn run() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => {
            // It repeats arguments, which may be names of files.
            output::note(error.render().to_string().trim_end());
            return exit::Exit::Failure.into();
        }
        Err(help) => help.exit(),
    };
    let exit = match args.command {
        Command::Read(args) => read::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Batch(args) => batch::run(&args),
        Command::Fen(args) => fen::run(&args),
        Command::Models(args) => models::run(&args),
        Command::ServeClipboard => read::clipboard::serve(),
        Command::DrawPages(args) => batch::draw_pages(&args),
        Command::ProbeRuntime(args) => probe::run(&args),
    };
    exit.into()
}
