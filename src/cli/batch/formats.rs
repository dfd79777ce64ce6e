//! Records in the formats of other programs.
//!
//! An unchecked position must not pass for a certain one: refused boards are in `jsonl` and `csv` only; boards to check
//! carry their doubts as a comment in `pgn` and `epd`, and are not in `fen`, which has no comments.
//!
//! A cell of a table must not become a formula in a spreadsheet: a text that begins as a formula does has a `'` before it,
//! as has one that begins with a `'`, so that it can be removed again.

use std::{io, io::Write};

use fenlens::{Record, Verdict, fen, fen::CheckOptions, output::record::BoardRecord};

use super::{args::Format, doubts};
use crate::cli::{output, output::is_hidden};

/// Boards that a format leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Boards that were refused.
    pub refused: u64,
    /// Boards that should be checked.
    pub to_check: u64,
}

/// Writes records in a format.
pub struct Writer<W: Write> {
    format: Format,
    out: W,
    left_out: LeftOut,
}

/// The columns of the table.
const COLUMNS: [&str; 17] = [
    "path",
    "page",
    "diagram",
    "status",
    "fen",
    "verdict",
    "confidence",
    "orientation",
    "turned",
    "flagged",
    "doubts",
    "left",
    "top",
    "right",
    "bottom",
    "dpi",
    "error",
];

impl<W: Write> Writer<W> {
    /// Begins an output.
    ///
    /// # Errors
    /// The error of the system.
    pub fn new(format: Format, mut out: W) -> io::Result<Writer<W>> {
        if format == Format::Csv {
            write_row(&mut out, &COLUMNS.map(str::to_owned))?;
        }
        Ok(Writer { format, out, left_out: LeftOut::default() })
    }

    /// Writes what a record, also given as a line of JSON, has in this format.
    ///
    /// # Errors
    /// The error of the system.
    pub fn write(&mut self, record: &Record, json: &str) -> io::Result<()> {
        match self.format {
            Format::Jsonl => return writeln!(self.out, "{json}"),
            Format::Csv if record.error.is_some() => write_row(&mut self.out, &failure_row(record))?,
            _ => {}
        }
        for (index, board) in record.boards.iter().enumerate() {
            match (self.format, board.verdict) {
                (Format::Csv, _) => write_row(&mut self.out, &board_row(record, board, index))?,
                (_, Verdict::Refuse) => self.left_out.refused += 1,
                (Format::Fen, Verdict::Accept) => writeln!(self.out, "{}", board.fen)?,
                (Format::Fen, _) => self.left_out.to_check += 1,
                (Format::Epd, _) => writeln!(self.out, "{}", epd(record, board, index))?,
                _ => self.out.write_all(pgn(record, board, index).as_bytes())?,
            }
        }
        Ok(())
    }

    /// Ends the output.
    ///
    /// # Errors
    /// The error of the system.
    pub fn finish(mut self) -> io::Result<(W, LeftOut)> {
        self.out.flush()?;
        Ok((self.out, self.left_out))
    }
}

fn write_row(out: &mut impl Write, row: &[String]) -> io::Result<()> {
    let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
    writeln!(out, "{}", cells.join(","))
}

/// A cell in quotation marks where it needs them (RFC 4180). It also gets them where it contains what some programs take for
/// the end of a cell, so that the rest of it does not become a cell.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', ';', '|']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// A text for a cell: no formula, and in one line.
fn inert(text: &str) -> String {
    let begins_as_formula = |c| {
        matches!(
            c,
            '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\'' | '\u{ff1d}' | '\u{ff0b}' | '\u{ff0d}' | '\u{ff20}'
        )
    };
    let mark = if text.starts_with(begins_as_formula) { "'" } else { "" };
    mark.to_owned() + &output::without_hidden(text)
}

fn text(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn failure_row(record: &Record) -> [String; COLUMNS.len()] {
    let mut row = [const { String::new() }; COLUMNS.len()];
    row[0] = inert(&record.path);
    row[1] = text(record.page);
    row[3] = "error".into();
    row[16] = record.error.as_ref().map(|error| inert(&error.message)).unwrap_or_default();
    row
}

fn board_row(record: &Record, board: &BoardRecord, index: usize) -> [String; COLUMNS.len()] {
    let flagged: Vec<&str> = board.squares.iter().filter(|s| s.flagged).map(|s| s.square.as_str()).collect();
    let side = |axis: usize, pick: fn(f64, f64) -> f64| {
        board.corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or_default().round().to_string()
    };
    [
        inert(&record.path),
        text(record.page),
        (index + 1).to_string(),
        "ok".into(),
        inert(&board.fen),
        board.verdict.to_string(),
        board.confidence.to_string(),
        board.orientation.to_string(),
        board.turned.to_string(),
        inert(&flagged.join(" ")),
        inert(&doubts::of_board(board).join("; ")),
        side(0, f64::min),
        side(1, f64::min),
        side(0, f64::max),
        side(1, f64::max),
        text(record.dpi),
        String::new(),
    ]
}

fn epd(record: &Record, board: &BoardRecord, index: usize) -> String {
    let mut operations = Vec::new();
    let doubts = doubts::of_board(board);
    if !doubts.is_empty() {
        operations.push(format!("c0 \"{}: {}\"", board.verdict, quotable(&doubts.join("; "))));
    }
    operations.push(format!("id \"{}\"", quotable(&doubts::origin(record, index))));
    let operations = operations.iter().map(String::as_str);
    match fen::check(&board.fen, &CheckOptions::default()).record {
        Some(fen::Record::Chess(fen)) => fen.to_epd(operations),
        // The record of another game: its fields, followed by the operations.
        _ => operations.fold(board.fen.clone(), |epd, operation| format!("{epd} {operation};")),
    }
}

/// A string in EPD cannot contain a quotation mark.
fn quotable(text: &str) -> String {
    text.chars().map(|c| if c == '"' { '\'' } else { printable(c) }).collect()
}

fn printable(c: char) -> char {
    if is_hidden(c) { ' ' } else { c }
}

/// A game without moves that begins from the position (PGN standard 8.1 and 9.7).
fn pgn(record: &Record, board: &BoardRecord, index: usize) -> String {
    let round = record.page.map_or_else(|| "?".into(), |page| format!("{page}.{}", index + 1));
    let tags = [
        ("Event", record.path.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &round),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
        ("SetUp", "1"),
        ("FEN", &board.fen),
        ("Source", &doubts::origin(record, index)),
    ];
    let mut game: String = tags.iter().map(|(name, value)| format!("[{name} \"{}\"]\n", escaped(value))).collect();
    game.push('\n');
    let doubts = doubts::of_board(board);
    if !doubts.is_empty() {
        // A comment ends at its first closing brace.
        let comment: String = doubts.join("; ").chars().map(|c| if c == '}' { ')' } else { printable(c) }).collect();
        game.push_str(&wrapped(&format!("{{{}: {comment}}}", board.verdict)));
        game.push('\n');
    }
    game + "*\n\n"
}

fn escaped(value: &str) -> String {
    value.chars().map(printable).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}

/// The words in lines of fewer than 80 characters, as the standard has it.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() < 80 => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_wrapped_and_tags_escaped() {
        let text = "word ".repeat(40);
        let lines = wrapped(text.trim());
        assert!(lines.lines().all(|line| line.len() < 80) && lines.lines().count() == 3, "{lines}");
        assert_eq!(lines.replace('\n', " "), text.trim());
        assert_eq!(escaped("C:\\a \"b\"\n"), "C:\\\\a \\\"b\\\" ");
        assert_eq!(quotable("a \"b\"\tc"), "a 'b' c");
    }

    /// What a program that knows no formulas reads in the cells of a row.
    fn read(row: &[&str]) -> Vec<String> {
        let mut out = Vec::new();
        write_row(&mut out, &row.iter().map(|cell| inert(cell)).collect::<Vec<_>>()).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*out);
        let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.unwrap()).collect();
        assert_eq!(rows.len(), 1, "{}", String::from_utf8_lossy(&out));
        rows[0].iter().map(str::to_owned).collect()
    }

    #[test]
    fn no_cell_is_a_formula() {
        let hot = ["=cmd|'/C calc'!A0", "+1", "-1", "@SUM(1)", "\tx", "\r=1", "\n=1", "'=1", "＝1"];
        for (cell, read) in hot.iter().zip(read(&hot)) {
            assert!(read.starts_with('\''), "{read}");
            let undone = read[1..].replace("\u{fffd}09", "\t").replace("\u{fffd}0D", "\r").replace("\u{fffd}0A", "\n");
            assert_eq!(undone, *cell);
        }
        let cold = ["", "a.png", "scans/=1.png", "a, \"b\"", "8/8/8/8/8/8/8/8 w - - 0 1"];
        assert_eq!(read(&cold), cold);
        assert_eq!(read(&["a\u{1b}[31m\u{202e}\n"]), ["a\u{fffd}1B[31m\u{fffd}E2\u{fffd}80\u{fffd}AE\u{fffd}0A"]);
        // Where a semicolon ends a cell, the rest must not be one.
        let mut out = Vec::new();
        write_row(&mut out, &[inert("a;=1"), "-5".into()]).unwrap();
        assert_eq!(out, b"\"a;=1\",-5\n");
    }
}
