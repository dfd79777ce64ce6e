//! The command line.

use std::{env, io, io::IsTerminal, path::PathBuf};

use clap::{Parser, Subcommand, ValueEnum};
use fenlens::{
    Limits, Models, fen,
    fen::{Castling, Right},
    games::chess::{Color, Square},
};

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
    /// Measure the reading of labelled pictures against floors and an earlier run
    Check(CheckPicturesArgs),
    /// Read whole folders and books into one file, and go on after an interruption
    Batch(BatchArgs),
    /// Work on FEN records themselves, without a picture
    Fen(FenArgs),
    /// List the models and check that they can be used
    Models(RuntimeArgs),
    /// Hand out the text on standard input as the clipboard
    #[command(hide = true)]
    ServeClipboard,
}

/// Flags of `read`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP)]
pub struct ReadArgs {
    /// Pictures (PNG, JPEG, WebP, GIF, BMP, TIFF); - is standard input
    #[arg(required_unless_present = "clipboard", value_name = "PICTURE")]
    pub pictures: Vec<PathBuf>,
    /// Read the picture in the clipboard
    #[arg(long, conflicts_with = "pictures")]
    pub clipboard: bool,
    /// Copy the FENs to the clipboard, one a line; boards refused are left out
    #[arg(long)]
    pub copy: bool,
    /// Write the picture with what was read drawn over it: a name ending in .png is the file, any other a folder for the
    /// overlays of all pictures
    #[arg(long, value_name = "FILE|DIR")]
    pub overlay: Option<PathBuf>,
    /// Write one page about all pictures: boards as seen and as read, what to look at, and where each field comes from
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
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
    /// What is known, and whether to ask for the rest. Last, since flags that follow would get its heading.
    #[command(flatten)]
    pub known: KnownArgs,
}

/// Flags of `read` about what the pictures do not show.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is known of every board")]
pub struct KnownArgs {
    /// Whether to ask, once a board, for what is open; auto is on a terminal (standard input and error) and without --json
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = AskChoice::Auto)]
    pub ask: AskChoice,
    /// Who moves next: w, b or auto
    #[arg(long, value_name = "SIDE", default_value = "auto", value_parser = auto_or(side))]
    pub side: Said<Color>,
    /// Castling rights: some of KQkq, - for none, home for all whose king and rook are at home, or auto
    #[arg(long, value_name = "RIGHTS", default_value = "auto", value_parser = auto_or(castling))]
    pub castling: Said<CastlingChoice>,
    /// The square a pawn has just passed, - for none, or auto
    #[arg(long, value_name = "SQUARE", default_value = "auto", value_parser = auto_or(en_passant))]
    pub ep: Said<Option<Square>>,
    /// Which side is at the bottom of the picture: white, black or auto
    #[arg(long, value_name = "COLOR", default_value = "auto", value_parser = auto_or(color))]
    pub bottom: Said<Color>,
    /// Half-move clock and number of the move, as in "0 1"
    #[arg(long, value_name = "N N", default_value = "auto", hide_default_value = true, value_parser = auto_or(counters))]
    pub moves: Said<(u32, u32)>,
    /// Ask whether each board is right, and keep the answer in this folder as a label of the picture
    #[arg(long, value_name = "DIR")]
    pub save_corrections: Option<PathBuf>,
}

/// Whether to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AskChoice {
    /// What is not known is assumed, and said to be.
    Never,
    /// Where somebody is there to answer.
    Auto,
    /// In any case; it fails where there is no terminal.
    Always,
}

impl AskChoice {
    /// Whether to ask, given that records are printed or not.
    ///
    /// # Errors
    /// In words, when it is a must and there is nobody to ask.
    pub fn decide(self, json: bool) -> Result<bool, String> {
        let shown = io::stderr().is_terminal() && env::var_os("TERM").is_none_or(|term| term != "dumb");
        match self {
            AskChoice::Never => Ok(false),
            AskChoice::Auto => Ok(shown && io::stdin().is_terminal() && !json),
            // Keys come from the terminal even where standard input is something else.
            AskChoice::Always if shown => Ok(true),
            AskChoice::Always => Err("--ask always: standard error is not a terminal that can show questions".into()),
        }
    }
}

/// The value of a flag that may be left to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<T> {
    /// Nothing is said.
    Auto,
    /// This is so.
    This(T),
}

impl<T> Said<T> {
    /// What is said, if anything.
    pub fn value(self) -> Option<T> {
        match self {
            Said::Auto => None,
            Said::This(value) => Some(value),
        }
    }
}

/// Castling rights as they can be said without a look at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CastlingChoice {
    /// All whose king and rook are at home.
    Home,
    /// These and no others.
    Rights(Castling),
}

/// A parser of `auto` or a value.
fn auto_or<T>(parse: fn(&str) -> Result<T, String>) -> impl Fn(&str) -> Result<Said<T>, String> + Clone {
    move |text| if text == "auto" { Ok(Said::Auto) } else { parse(text).map(Said::This) }
}

fn side(text: &str) -> Result<Color, String> {
    let side = Color::ALL.into_iter().find(|color| text == color.letter().to_string());
    side.ok_or_else(|| "w, b or auto expected".into())
}

fn color(text: &str) -> Result<Color, String> {
    let color = Color::ALL.into_iter().find(|color| text == color.name());
    color.ok_or_else(|| "white, black or auto expected".into())
}

fn castling(text: &str) -> Result<CastlingChoice, String> {
    if text == "home" {
        return Ok(CastlingChoice::Home);
    }
    let wrong = || "some of KQkq, -, home or auto expected".to_owned();
    let letters = if text == "-" { "" } else { text };
    let plain =
        letters.chars().enumerate().all(|(n, letter)| "KQkq".contains(letter) && letters.find(letter) == Some(n));
    if !plain || text.is_empty() {
        return Err(wrong());
    }
    let rights: Option<Vec<Right>> = letters.chars().map(Right::from_letter).collect();
    Ok(CastlingChoice::Rights(Castling::from(&rights.ok_or_else(wrong)?[..])))
}

fn en_passant(text: &str) -> Result<Option<Square>, String> {
    match text {
        "-" => Ok(None),
        text => text.parse().map(Some).map_err(|_| "a square from a1 to h8, - or auto expected".into()),
    }
}

fn counters(text: &str) -> Result<(u32, u32), String> {
    let numbers: Option<Vec<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[halfmoves, fullmoves]) if fullmoves > 0 => Ok((halfmoves, fullmoves)),
        _ => Err("two numbers expected, the second from 1, as in \"0 1\"".into()),
    }
}

/// Flags of `check`.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::CHECK_PICTURES_HELP)]
pub struct CheckPicturesArgs {
    /// Tables (.csv), labels (.json, .fen), pictures with a position in their name, or folders of these
    #[arg(required = true, value_name = "LABELS")]
    pub labels: Vec<PathBuf>,
    /// Where the pictures are that are not beside their labels
    #[arg(long, value_name = "DIR")]
    pub pictures: Option<PathBuf>,
    /// The least each family must reach, in JSON
    #[arg(long, value_name = "FILE")]
    pub floors: Option<PathBuf>,
    /// An earlier run; a picture that was right then must be right now
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Write this run to a file, to be a baseline, unless a picture has become worse or cannot be read
    #[arg(long, value_name = "FILE")]
    pub save_baseline: Option<PathBuf>,
    /// What to report: text, json, junit, markdown, html or github, to standard output or to a file; may be given again
    #[arg(long = "report", value_name = "FORMAT[=FILE]", default_value = "text")]
    pub reports: Vec<ReportTarget>,
    /// The file of a report without one of its own
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Pictures read at the same time [default: one a core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Whether to use colors; auto is when standard output is a terminal and NO_COLOR is not set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// The runtime.
    #[command(flatten)]
    pub runtime: RuntimeArgs,
}

/// A report and where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportTarget {
    /// Its form.
    pub format: ReportFormat,
    /// Its file; standard output without one.
    pub file: Option<PathBuf>,
}

impl std::str::FromStr for ReportTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<ReportTarget, String> {
        let (format, file) = text.split_once('=').map_or((text, None), |(format, file)| (format, Some(file)));
        if file == Some("") {
            return Err("no file is named after =".to_owned());
        }
        let format = ReportFormat::from_str(format, false)
            .map_err(|_| "there are text, json, junit, markdown, html and github".to_owned())?;
        Ok(ReportTarget { format, file: file.map(PathBuf::from) })
    }
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// For a terminal.
    Text,
    /// For programs.
    Json,
    /// For CI servers, in XML.
    Junit,
    /// For the summary of a job.
    Markdown,
    /// For looking: missed boards side by side.
    Html,
    /// Annotations of GitHub Actions.
    Github,
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
        let pictures = Limits::new(bytes, self.max_pixels);
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

/// Whether to use colors.
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
    /// Whether what goes to standard output should be colored.
    pub fn for_stdout(self) -> bool {
        self.on(io::stdout().is_terminal())
    }

    /// Whether what goes to standard error should be colored.
    pub fn for_stderr(self) -> bool {
        self.on(io::stderr().is_terminal())
    }

    fn on(self, terminal: bool) -> bool {
        match self {
            // Any value but the empty one counts: https://no-color.org
            ColorChoice::Auto => terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
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
