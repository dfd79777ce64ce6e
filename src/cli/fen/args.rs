//! The command line of `fenlens fen`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};
use fenlens::fen;

use crate::cli::{args::ColorChoice, exit};

/// What to do with a FEN.
#[derive(Debug, clap::Args)]
pub struct FenArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: FenCommand,
}

/// The commands on FEN records.
#[derive(Debug, Subcommand)]
pub enum FenCommand {
    /// Read FEN records, say what is wrong with them and how to repair them
    Check(CheckArgs),
    /// Show the board of a FEN in the terminal or as a picture
    Show(ShowArgs),
}

/// Flags of `fen check`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::CHECK_HELP)]
pub struct CheckArgs {
    /// A record, or a file with one a line; - or nothing is standard input, one a line. A record that begins with - comes
    /// after --
    #[arg(value_name = "FEN|FILE", allow_negative_numbers = true)]
    pub input: Vec<String>,
    /// Which game the records are of
    #[arg(long, value_enum, value_name = "GAME", default_value_t = GameChoice::Auto)]
    pub game: GameChoice,
    /// Castling rights are those of Chess960
    #[arg(long)]
    pub chess960: bool,
    /// Print one JSON object a line for each record, in the order given
    #[arg(long)]
    pub json: bool,
    /// The language of messages
    #[arg(long, value_enum, value_name = "LANG", default_value_t = LanguageChoice::En)]
    pub lang: LanguageChoice,
    /// Print the repaired records alone, one a line; what cannot be repaired is printed as it is
    #[arg(long, conflicts_with = "json")]
    pub fix: bool,
    /// Whether to use colors; auto is when standard output is a terminal and NO_COLOR is not set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// A language in which messages are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageChoice {
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// Flags of `fen show`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::SHOW_HELP)]
pub struct ShowArgs {
    /// The record, or its first field alone; - is a line of standard input
    #[arg(required = true, value_name = "FEN")]
    pub fen: Vec<String>,
    /// Show the board from the side of Black
    #[arg(long)]
    pub flip: bool,
    /// Write the picture to this SVG file rather than show the board here
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the picture to this PNG file rather than show the board here
    #[arg(long, value_name = "FILE")]
    pub png: Option<PathBuf>,
    /// Letters rather than pictures or Chinese characters of the pieces
    #[arg(long)]
    pub letters: bool,
    /// Which game the record is of
    #[arg(long, value_enum, value_name = "GAME", default_value_t = GameChoice::Auto)]
    pub game: GameChoice,
    /// Whether to use colors; auto is when standard output is a terminal and NO_COLOR is not set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
}

/// Which game a record is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GameChoice {
    /// Western chess.
    Chess,
    /// Chinese chess.
    Xiangqi,
    /// Whichever the record looks like.
    Auto,
}

impl From<GameChoice> for fen::GameChoice {
    fn from(choice: GameChoice) -> fen::GameChoice {
        match choice {
            GameChoice::Chess => fen::GameChoice::Chess,
            GameChoice::Xiangqi => fen::GameChoice::Xiangqi,
            GameChoice::Auto => fen::GameChoice::Auto,
        }
    }
}
