//! `fenlens fen`: work on records themselves, without a picture.

pub mod args;
mod check;
mod show;

use self::args::{FenArgs, FenCommand};
use super::exit::Exit;

/// Runs the command.
pub fn run(args: &FenArgs) -> Exit {
    match &args.command {
        FenCommand::Check(args) => check::run(args),
        FenCommand::Show(args) => show::run(args),
    }
}
