//! The program `fenlens`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
