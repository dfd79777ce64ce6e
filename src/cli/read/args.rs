//! The command line of `fenlens read`.

use std::{env, io, io::IsTerminal, path::PathBuf};

use clap::ValueEnum;
use fenlens::{
    Limits,
    fen::{Castling, CastlingRight},
    games::chess::{Color, Square},
};

use crate::cli::{
    args::{JobsArgs, RuntimeArgs},
    exit,
};

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
    /// How many at a time.
    #[command(flatten)]
    pub jobs: JobsArgs,
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
    /// Fields that are not known are assumed, and the notes say so.
    Never,
    /// Where a person can answer.
    Auto,
    /// Always; an error where there is no terminal.
    Always,
}

impl AskChoice {
    /// Whether to ask, given that records are printed or not.
    ///
    /// # Errors
    /// In words, when asking is required and there is no terminal.
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
    /// No value is given.
    Auto,
    /// This value.
    This(T),
}

impl<T> Said<T> {
    /// The value, if one is given.
    pub fn value(self) -> Option<T> {
        match self {
            Said::Auto => None,
            Said::This(value) => Some(value),
        }
    }
}

/// Castling rights, as a flag gives them without knowing the board.
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
    let rights: Option<Vec<CastlingRight>> = letters.chars().map(CastlingRight::from_letter).collect();
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
