//! The command line of `fenlens batch`.

use std::{path::PathBuf, time::Duration};

use clap::ValueEnum;
use fenlens::Limits;

use super::{child::PageLimits, shard::Shard};
use crate::cli::{
    args::{JobsArgs, RuntimeArgs},
    exit,
};

/// The largest PDF document by default, in bytes. It is held in memory once, compressed.
const MOST_DOCUMENT: u64 = 1 << 30;

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
    /// Its format [default: what its name ends in, else jsonl]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Search folders within folders
    #[arg(short, long)]
    pub recursive: bool,
    /// How many at a time.
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// Go on where an earlier run with the same arguments was interrupted; pictures that have changed since, and those after
    /// them, are read again
    #[arg(long, conflicts_with = "force")]
    pub resume: bool,
    /// Begin anew, and replace the output if it exists; never a link, a device, a pipe, or a file that is read
    #[arg(long)]
    pub force: bool,
    /// Write a page of HTML with the doubtful boards, as printed and as read, to this folder
    #[arg(long, value_name = "DIR")]
    pub review: Option<PathBuf>,
    /// Read part I of N only; the parts can be read anywhere and in any order
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Join the parts given as PATH, if all are there and whole
    #[arg(long, conflicts_with_all = ["shard", "resume", "recursive", "jobs"])]
    pub merge: bool,
    /// Largest file to read, in bytes [default: 67108864; 1073741824 for PDF]
    #[arg(long, value_name = "N")]
    max_bytes: Option<u64>,
    /// Largest picture to decode, in pixels
    #[arg(long, value_name = "N", default_value_t = Limits::default().pixels)]
    max_pixels: u64,
    /// Memory for a page of a PDF document, in MiB; a page that needs more is an error record
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(256..=1 << 30))]
    page_memory: u64,
    /// Time for a page of a PDF document, in seconds; a page that takes longer is an error record
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    page_time: u32,
    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,
}

impl BatchArgs {
    /// The format asked for, else the one that the name of the output ends in.
    pub fn format(&self) -> Format {
        let named = || Format::from_str(self.output.extension()?.to_str()?, true).ok();
        self.format.or_else(named).unwrap_or(Format::Jsonl)
    }

    /// How large files may be.
    pub fn limits(&self) -> FileLimits {
        let bytes = self.max_bytes.unwrap_or(Limits::default().bytes);
        let pictures = Limits::new(bytes, self.max_pixels);
        FileLimits { pictures, document: self.max_bytes.unwrap_or(MOST_DOCUMENT) }
    }

    /// What drawing a page of a document may cost.
    pub fn page_limits(&self) -> PageLimits {
        PageLimits { memory: self.page_memory << 20, time: Duration::from_secs(self.page_time.into()) }
    }
}

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// One JSON record a line for each page
    Jsonl,
    /// A table, one row a board
    Csv,
    /// One FEN a line for each accepted board
    Fen,
    /// One EPD record a line; what is doubtful is in c0
    Epd,
    /// One game a board; what is doubtful is a comment
    Pgn,
}

/// How large files may be.
#[derive(Clone, Copy, Debug)]
pub struct FileLimits {
    /// Of pictures.
    pub pictures: Limits,
    /// Bytes of a PDF document.
    pub document: u64,
}
