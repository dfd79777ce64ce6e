//! Asking on the terminal for what a picture leaves open, and the board with its doubtful squares marked.
//!
//! Everything here is written to standard error, so that standard output holds results alone.

use std::fmt;

use fenlens::{
    BoardReading, Options, Verdict,
    fen::Castling,
    games::chess::{Color, Piece, Role, Square},
    output::diagram::{Diagram, TextStyle},
    recognize::{
        Evidence, Issue, Sight, Source, SquareReading, questions,
        questions::{Answer, Choice, Completion, Question, Refused, Reply, Settled, Topic},
    },
};
use inquire::{
    InquireError, Select,
    ui::{RenderConfig, Styled},
};

use super::args::{CastlingChoice, KnownArgs};
use crate::cli::{args::ColorChoice, output};

/// What the flags say is known of every board.
#[derive(Clone, Copy, Debug)]
pub struct Flags<'a>(pub &'a KnownArgs);

impl Completion for Flags<'_> {
    fn known(&self, board: &BoardReading) -> Vec<Answer> {
        let KnownArgs { side, castling, ep, moves, .. } = self.0;
        let rights = castling.value().map(|choice| match choice {
            CastlingChoice::Home => Castling::possible(&board.fen.placement),
            CastlingChoice::Rights(rights) => rights,
        });
        let counters = moves.value().map(|(halfmoves, fullmoves)| Answer::Counters(halfmoves, fullmoves));
        let answers = [side.value().map(Answer::Side), rights.map(Answer::Castling), ep.value().map(Answer::EnPassant)];
        answers.into_iter().chain([counters]).flatten().collect()
    }

    fn reply(&mut self, _board: &BoardReading, _question: &Question) -> Reply {
        Reply::Unknown
    }
}

/// Why a dialogue ended before its end.
#[derive(Debug)]
pub enum Ended {
    /// By Esc or Ctrl-C.
    Left,
    /// The terminal could not be used.
    Failed(String),
}

/// A board after the dialogue.
pub struct Completed {
    /// What the answers made of it.
    pub board: BoardReading,
    /// The answers that cannot be true.
    pub refused: Vec<Refused>,
    /// Whether a person has said that the board is right.
    pub confirmed: bool,
}

/// Asks for everything that is open about a board, and, to `confirm` it, whether it is right.
///
/// # Errors
/// [`Ended`].
pub fn ask(
    board: BoardReading,
    title: &str,
    flags: Flags<'_>,
    options: &Options,
    confirm: bool,
) -> Result<Completed, Ended> {
    let mut dialogue = Dialogue { flags, title, shown: None, ended: None };
    let mut completed = Completed { board, refused: Vec::new(), confirmed: false };
    loop {
        let Some(Settled { board, refused }) = questions::settle(completed.board, options, &mut dialogue) else {
            return Err(dialogue.ended.unwrap_or(Ended::Left));
        };
        (completed.board, completed.refused) = (board, refused);
        if !confirm || completed.board.trust.verdict == Verdict::Refuse {
            return Ok(completed);
        }
        match dialogue.confirm(&completed.board)? {
            Confirmed::Yes => return Ok(Completed { confirmed: true, ..completed }),
            Confirmed::No => return Ok(completed),
            Confirmed::But(square) => {
                let answer = dialogue.put(&completed.board, &questions::about_square(&completed.board, square))?;
                // An answer about a square is never refused.
                completed.board = completed.board.answered(answer, options).unwrap_or(completed.board);
            }
        }
    }
}

/// What a person says of a board as a whole.
#[derive(Clone, Copy)]
enum Confirmed {
    Yes,
    No,
    /// One square is wrong.
    But(Square),
}

struct Dialogue<'a> {
    flags: Flags<'a>,
    title: &'a str,
    /// The placement and side at the bottom that were last shown.
    shown: Option<(fenlens::games::placement::Placement, Color)>,
    ended: Option<Ended>,
}

impl Completion for Dialogue<'_> {
    fn known(&self, board: &BoardReading) -> Vec<Answer> {
        self.flags.known(board)
    }

    fn reply(&mut self, board: &BoardReading, question: &Question) -> Reply {
        // The marks were shown with the first question; they are shown again when the board was turned.
        if self.shown.is_none_or(|(_, bottom)| bottom != board.orientation.bottom) {
            self.show(board);
        }
        match self.put(board, question) {
            Ok(answer) => Reply::Answer(answer),
            Err(ended) => {
                self.ended = Some(ended);
                Reply::Leave
            }
        }
    }
}

impl Dialogue<'_> {
    fn show(&mut self, board: &BoardReading) {
        // A blank line comes between answers and a board that is shown again.
        let gap = if self.shown.is_some() { "\n" } else { "" };
        self.shown = Some((board.fen.placement, board.orientation.bottom));
        output::styled_note(format_args!("{gap}{}", marked(board, self.title)));
    }

    fn put(&self, board: &BoardReading, question: &Question) -> Result<Answer, Ended> {
        let rows: Vec<Row<Answer>> =
            question.choices.iter().enumerate().map(|(n, choice)| row(board, n, choice)).collect();
        let (message, help) = match question.topic {
            Topic::Bottom => ("Which side is at the bottom?".to_owned(), HELP),
            Topic::Square(square) => {
                let covered = |read: &SquareReading| read.square == square && read.sight == Sight::Covered;
                let unseen = if board.reading.squares.iter().any(covered) { " (not visible)" } else { "" };
                (format!("What is on {square}{unseen}?"), HELP_SQUARE)
            }
            Topic::Side => ("Who moves next?".to_owned(), HELP),
            Topic::Castling => ("Who may still castle?".to_owned(), HELP),
            Topic::EnPassant => ("Can a pawn be taken en passant?".to_owned(), HELP),
            Topic::Counters => ("Half-move clock and move number?".to_owned(), HELP),
        };
        choose(&message, rows, help)
    }

    fn confirm(&mut self, board: &BoardReading) -> Result<Confirmed, Ended> {
        if self.shown != Some((board.fen.placement, board.orientation.bottom)) {
            self.show(board);
        }
        let mut rows = vec![
            Row {
                key: "y".into(),
                words: "yes, keep it".into(),
                note: String::new(),
                hidden: false,
                value: Confirmed::Yes,
            },
            Row {
                key: "n".into(),
                words: "no, keep nothing".into(),
                note: String::new(),
                hidden: false,
                value: Confirmed::No,
            },
        ];
        rows.extend(Square::all().map(|square| Row {
            key: square.to_string(),
            words: format!("no, {square} is something else"),
            note: String::new(),
            hidden: true,
            value: Confirmed::But(square),
        }));
        choose("Is the whole board right?", rows, HELP_CONFIRM)
    }
}

const HELP: &str = "arrows or its letters, Enter takes it, Esc leaves";
const HELP_SQUARE: &str = "or a piece's letter (White: capital), e for empty; Enter takes it, Esc leaves";
const HELP_CONFIRM: &str = "or the name of a square that is wrong; Enter takes it, Esc leaves";

/// Lines that fit on a small terminal below a board.
const PAGE: usize = 6;

/// The width of the longest key, all castling rights, so that all lists are aligned alike.
const WIDTH: usize = 4;

/// A line of a list, found by typing its key.
struct Row<T> {
    key: String,
    words: String,
    /// Shown in the list only.
    note: String,
    /// Not in the list until its key is typed.
    hidden: bool,
    value: T,
}

impl<T> fmt::Display for Row<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<WIDTH$} {}", self.key, self.words)?;
        if self.note.is_empty() { Ok(()) } else { write!(f, ", {}", self.note) }
    }
}

impl<T> Row<T> {
    /// How well a row matches what was typed; `None` if it is not shown.
    fn score(&self, typed: &str) -> Option<i64> {
        match typed {
            "" => (!self.hidden).then_some(0),
            typed if self.key == typed => Some(3),
            typed if self.key.eq_ignore_ascii_case(typed) => Some(2),
            typed => self.key.starts_with(typed).then_some(1),
        }
    }
}

/// Lets a person choose one of some rows; the first is the default.
fn choose<T>(message: &str, rows: Vec<Row<T>>, help: &str) -> Result<T, Ended> {
    let colors = match ColorChoice::Auto.for_stderr() {
        true => RenderConfig::default_colored(),
        false => RenderConfig::empty().with_answered_prompt_prefix(Styled::new(">")),
    };
    let chosen = Select::new(message, rows)
        .with_help_message(help)
        .with_page_size(PAGE)
        .with_scorer(&|typed, row, _, _| row.score(typed))
        .with_sorter(&|rows| rows.sort_by_key(|&(_, score)| std::cmp::Reverse(score)))
        .with_formatter(&|row| row.value.words.clone())
        .with_render_config(colors)
        .prompt();
    match chosen {
        Ok(row) => Ok(row.value),
        Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => Err(Ended::Left),
        Err(InquireError::NotTTY) => Err(Ended::Failed("no terminal to ask on".into())),
        Err(error) => Err(Ended::Failed(format!("the terminal: {error}"))),
    }
}

/// The row of a choice, the `n`-th of its question.
fn row(board: &BoardReading, n: usize, choice: &Choice) -> Row<Answer> {
    let capital = |color: Color| match color {
        Color::White => "White".to_owned(),
        Color::Black => "Black".to_owned(),
    };
    let (key, words, hidden) = match choice.answer {
        Answer::Bottom(color) | Answer::Side(color) => (color.letter().to_string(), capital(color), false),
        Answer::Square(_, piece) => (piece.map_or("e".into(), |piece| piece.to_string()), name(piece), n > 1),
        Answer::Castling(rights) => {
            let possible = Castling::possible(&board.fen.placement);
            let [white, black] = Color::ALL.map(|color| of_color(possible, color));
            let plain = n == 0 || [possible, white, black, Castling::NONE].contains(&rights);
            (rights.to_string(), castling(rights), !plain)
        }
        Answer::EnPassant(None) => ("-".into(), "no".into(), false),
        Answer::EnPassant(Some(square)) => (square.to_string(), format!("yes, on {square}"), false),
        Answer::Counters(halfmoves, fullmoves) => (format!("{halfmoves} {fullmoves}"), String::new(), false),
    };
    let note = choice.probability.filter(|_| !hidden).map_or(String::new(), percent);
    Row { key, words, note, hidden, value: choice.answer }
}

fn of_color(rights: Castling, color: Color) -> Castling {
    let mine = match color {
        Color::White => Castling { white_king: true, white_queen: true, ..Castling::NONE },
        Color::Black => Castling { black_king: true, black_queen: true, ..Castling::NONE },
    };
    rights.and(mine)
}

/// Castling rights in words.
fn castling(rights: Castling) -> String {
    if rights == (Castling { white_king: true, white_queen: true, black_king: true, black_queen: true }) {
        return "White and Black both ways".into();
    }
    let side = |name: &str, king: bool, queen: bool| match (king, queen) {
        (true, true) => Some(format!("{name} both ways")),
        (true, false) => Some(format!("{name} kingside")),
        (false, true) => Some(format!("{name} queenside")),
        (false, false) => None,
    };
    let white = side("White", rights.white_king, rights.white_queen);
    let black = side("Black", rights.black_king, rights.black_queen);
    match (white, black) {
        (None, None) => "nobody".into(),
        (Some(one), None) | (None, Some(one)) => one,
        (Some(white), Some(black)) => format!("{white}, {black}"),
    }
}

/// A piece in words.
pub fn name(piece: Option<Piece>) -> String {
    piece.map_or("empty".into(), |Piece { color, role }: Piece| format!("{color} {}", Role::name(role)))
}

/// A probability in words.
fn percent(probability: f32) -> String {
    match (probability * 100.0).round() {
        0.0 => "under 1 %".into(),
        100.0 if probability < 1.0 => "over 99 %".into(),
        percent => format!("{percent} %"),
    }
}

/// The board as it lies in the picture, its doubtful squares marked, and what may be on them. Without colors the marks
/// are brackets.
pub fn marked(board: &BoardReading, title: &str) -> String {
    let flipped = board.orientation.bottom == Color::Black;
    let known = board.fields.side.source != Source::Assumed;
    let mut diagram =
        Diagram::of_chess(&board.fen.placement).flipped(flipped).to_move(known.then(|| board.fen.side.into()));
    let mut doubts = Vec::new();
    for (square, _) in board.reading.squares.iter().zip(&board.trust.flagged).filter(|(_, flagged)| **flagged) {
        diagram.flag_square(square.square);
        if square.sight == Sight::Covered {
            doubts.push(format!("  {}  not visible", square.square));
            continue;
        }
        let chance = |piece| format!("{} {}", name(piece), percent(board.probability(square.square, piece)));
        let why = if square.changed { ", by the rules" } else { "" };
        doubts.push(format!("  {}  {}{why}; or {}", square.square, chance(square.piece), chance(square.runner_up)));
    }
    let corner = board.issues.iter().filter(|issue| matches!(issue, Issue::LightCorner { .. }));
    doubts.extend(corner.map(|issue| format!("  {issue}")));
    if board.orientation.evidence == Some(Evidence::MirroredCoordinates) {
        doubts.push("  its letters and digits contradict each other: is the picture mirrored?".into());
    }
    let style = TextStyle { letters: false, color: ColorChoice::Auto.for_stderr() };
    let mut text = format!("{title}\n\n{}\n", diagram.to_text(&style));
    if !doubts.is_empty() {
        text.push_str(&format!("\n{}\n", doubts.join("\n")));
    }
    text
}
