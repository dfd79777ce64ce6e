//! The program `fenlens`: parse, run, exit.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match cli::args::Args::parse().command {
        cli::args::Command::Read(args) => cli::read::run(&args),
        cli::args::Command::Check(args) => cli::check::run(&args),
        cli::args::Command::Batch(args) => cli::batch::run(&args),
        cli::args::Command::Fen(args) => match args.command {
            cli::args::FenCommand::Check(args) => cli::fen::check::run(&args),
            cli::args::FenCommand::Show(args) => cli::fen::show::run(&args),
        },
        cli::args::Command::Models(args) => cli::models::run(&args),
        cli::args::Command::ServeClipboard => cli::read::clipboard::serve(),
    }
    .into()
}
