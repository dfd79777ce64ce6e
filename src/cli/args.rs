//! The command line.

use std::{
    env,
    io::{self, IsTerminal},
    path::PathBuf,
};

use clap::{Parser, Subcommand, ValueEnum};
use fenlens::{Limits, Models, fen};

use super::{
    batch::{FileLimits, MOST_DOCUMENT, formats::Format, shard::Shard},
    exit,
};

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
    /// Read whole folders and books into one file, and go on after an interruption
    Batch(BatchArgs),
    /// Work on FEN records themselves, without a picture
    Fen(FenArgs),
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

/// Flags of `batch`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::BATCH_HELP)]
pub struct BatchArgs {
    /// Pictures, PDF documents, folders of them, and patterns such as 'scans/*.png'; - is a list of these, one a line, on
    /// standard input. With --merge: parts
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// What it looks like [default: what its name ends in, else jsonl]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Search folders within folders
    #[arg(short, long)]
    pub recursive: bool,
    /// Pages read at the same time [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Go on where an earlier run with the same arguments was interrupted
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Begin anew, and replace the output if it exists
    #[arg(long)]
    pub force: bool,
    /// Write a page of HTML with the doubtful boards, as printed and as read, to this folder
    #[arg(long, value_name = "DIR")]
    pub review: Option<PathBuf>,
    /// Read part I of N only; the parts can be read anywhere and in any order
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Join the parts given as PATH
    #[arg(long, conflicts_with_all = ["shard", "resume", "recursive", "jobs"])]
    pub merge: bool,
    /// Largest file to read, in bytes [default: 67108864; 1073741824 for PDF]
    #[arg(long, value_name = "N")]
    max_bytes: Option<u64>,
    /// Largest picture to decode, in pixels
    #[arg(long, value_name = "N", default_value_t = Limits::default().pixels)]
    max_pixels: u64,
    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,
}

impl BatchArgs {
    /// The format asked for, or that of which the output has the name.
    pub fn format(&self) -> Format {
        let named = || Format::from_str(self.output.extension()?.to_str()?, true).ok();
        self.format.or_else(named).unwrap_or(Format::Jsonl)
    }

    /// How large files may be.
    pub fn limits(&self) -> FileLimits {
        let bytes = self.max_bytes.unwrap_or(Limits::default().bytes);
        let pictures = Limits { bytes, pixels: self.max_pixels };
        FileLimits { pictures, document: self.max_bytes.unwrap_or(MOST_DOCUMENT) }
    }
}

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
    /// A record, or a file with one a line; - or nothing is standard input, one a line
    #[arg(value_name = "FEN|FILE", allow_hyphen_values = true)]
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
    /// Whether to use colours; auto is when standard output is a terminal and NO_COLOR is not set
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
    /// Letters rather than pictures or Chinese characters of the men
    #[arg(long)]
    pub letters: bool,
    /// Which game the record is of
    #[arg(long, value_enum, value_name = "GAME", default_value_t = GameChoice::Auto)]
    pub game: GameChoice,
    /// Whether to use colours; auto is when standard output is a terminal and NO_COLOR is not set
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

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// For a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl ColorChoice {
    /// Whether what goes to standard output should be coloured.
    pub fn for_stdout(self) -> bool {
        match self {
            // Any value but the empty one counts: https://no-color.org
            ColorChoice::Auto => {
                io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        }
    }
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
