//! `fenlens fen check`: reads FEN records, says what is wrong with them and how to repair them.

use std::{
    fs::File,
    io,
    io::{BufRead, BufReader, IsTerminal, Read},
    path::Path,
};

use fenlens::{
    fen,
    fen::{CheckOptions, Checked, Issue, Language, Legal, Report, Severity, UnknownReason},
};
use unicode_width::UnicodeWidthChar;

use super::args::{CheckArgs, LanguageChoice};
use crate::cli::{
    exit::Exit,
    output,
    output::is_hidden,
    paint::{Painter, Style},
};

/// The longest line that is read, in bytes. A record never needs more than a kilobyte, but lines that are far too long get
/// an answer too.
const MOST_LINE: u64 = 16 << 20;

/// The most characters of an input that are shown, about two lines. No record is longer.
const MOST_SHOWN: usize = 160;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    let mut checker = Checker::new(args);
    match checker.all() {
        Ok(()) => checker.exit,
        // That the reader has seen enough is not an error.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => checker.exit,
        Err(Failure::Output(error)) => output::failure(format_args!("standard output: {error}")),
        Err(Failure::Input(message)) => output::failure(message),
    }
}

enum Failure {
    Input(String),
    Output(io::Error),
}

struct Checker<'a> {
    args: &'a CheckArgs,
    options: CheckOptions,
    language: Language,
    color: bool,
    exit: Exit,
    /// Whether something was shown already: then a blank line comes before the next.
    shown: bool,
}

impl<'a> Checker<'a> {
    fn new(args: &'a CheckArgs) -> Checker<'a> {
        let language = match args.lang {
            LanguageChoice::En => Language::English,
            LanguageChoice::Zh => Language::Chinese,
        };
        let options = CheckOptions { game: args.game.into(), chess960: args.chess960 };
        Checker { args, options, language, color: args.color.for_stdout(), exit: Exit::Success, shown: false }
    }

    fn all(&mut self) -> Result<(), Failure> {
        match &self.args.input[..] {
            [] => self.lines("standard input", io::stdin().lock()),
            [one] if one == "-" => self.lines("standard input", io::stdin().lock()),
            [one] if is_file(one) => {
                let name = output::show(Path::new(one));
                let file = File::open(one).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
                self.lines(&name, BufReader::new(file))
            }
            words => self.one(&words.join(" ")),
        }
    }

    /// One input a line.
    fn lines(&mut self, name: &str, mut reader: impl BufRead) -> Result<(), Failure> {
        let mut line = Vec::new();
        for number in 1u64.. {
            line.clear();
            let read = reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut line);
            let length = read.map_err(|error| Failure::Input(format!("{name}: {error}")))?;
            if length == 0 && number > 1 {
                break;
            }
            if length as u64 == MOST_LINE {
                return Err(Failure::Input(format!("{name}: line {number} is longer than {MOST_LINE} bytes")));
            }
            let bytes = line.strip_suffix(b"\n").unwrap_or(&line);
            let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
            // The byte order mark belongs to the file, not to its first record.
            let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).filter(|_| number == 1).unwrap_or(bytes);
            self.one(&String::from_utf8_lossy(bytes))?;
        }
        Ok(())
    }

    /// A record that cannot be repaired: as it is for a program, and as it can be shown on a terminal.
    fn given_back(&self, input: &str) -> String {
        if io::stdout().is_terminal() { plain(input, 0).0 } else { input.to_owned() }
    }

    fn one(&mut self, input: &str) -> Result<(), Failure> {
        let mut checked = fen::check(input, &self.options);
        let repaired = checked.suggested.as_ref().or(checked.normalized.as_ref()).cloned();
        let given_up = repaired.is_none();
        let text = if self.args.json {
            output::json(&Report::new(input, &checked, self.language).to_json())
        } else if self.args.fix {
            // What cannot be repaired stays, with the reasons beside it.
            if let Some(repaired) = &repaired {
                checked = fen::check(repaired, &self.options);
            } else {
                let reasons = checked.issues.iter().map(|issue| issue.message(self.language));
                output::note(format_args!("{}: {}", plain(input, 0).0, reasons.collect::<Vec<_>>().join("; ")));
            }
            repaired.unwrap_or_else(|| self.given_back(input))
        } else {
            let gap = if self.shown { "\n" } else { "" };
            gap.to_owned() + Page { language: self.language, color: self.color }.render(input, &checked).trim_end()
        };
        self.shown = true;
        if checked.legal != Legal::Yes || (self.args.fix && given_up) {
            self.exit = self.exit.max(Exit::No);
        }
        output::result(&text).map_err(Failure::Output)
    }
}

/// Whether an argument is the name of a file rather than a record. A name that ends as no record does is taken for a file
/// even where there is none, and then reported as missing.
fn is_file(argument: &str) -> bool {
    let path = Path::new(argument);
    let named =
        path.extension().is_some_and(|end| ["fen", "epd", "txt", "csv", "pgn"].iter().any(|known| end == *known));
    path.is_file() || (named && !argument.contains(char::is_whitespace))
}

/// How an answer is shown to a person.
struct Page {
    language: Language,
    color: bool,
}

/// The colors of a terminal.
#[derive(Clone, Copy)]
enum Ink {
    Severity(Severity),
    Good,
    Faint,
}

impl Page {
    fn word(&self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    fn paint(&self, ink: Ink, text: &str) -> String {
        let style = match ink {
            Ink::Severity(Severity::Error) => Style::BoldRed,
            Ink::Severity(Severity::Warning) => Style::Yellow,
            Ink::Severity(Severity::Note) => Style::Cyan,
            Ink::Good => Style::Green,
            Ink::Faint => Style::Dim,
        };
        Painter::new(self.color).paint(style, text)
    }

    fn render(&self, input: &str, checked: &Checked) -> String {
        let mut page = self.input_with_carets(input, &checked.issues);
        let marked = checked.issues.iter().filter(|issue| shown_range(input, issue).is_some()).count();
        let mut number = 0;
        for issue in &checked.issues {
            let label = match shown_range(input, issue) {
                Some(_) if marked > 1 => {
                    number += 1;
                    format!("{number:>2} ")
                }
                _ if marked > 1 => "   ".to_owned(),
                _ => "  ".to_owned(),
            };
            let severity = issue.severity();
            let name = self.word(severity.name(), severity.name_zh());
            let code = self.paint(Ink::Faint, &format!("({})", issue.code));
            let message = plain(&issue.message(self.language), usize::MAX).0;
            let colon = self.word(": ", "：");
            page += &format!("{label}{}{colon}{message} {code}\n", self.paint(Ink::Severity(severity), name));
            if let Some(fix) = issue.fix(self.language) {
                let indent = " ".repeat(label.len());
                let fix = plain(&fix, usize::MAX).0;
                page += &format!("{indent}{}{fix}\n", self.paint(Ink::Faint, self.word("fix: ", "处理：")));
            }
        }
        let (ink, verdict) = match checked.legal {
            Legal::Yes => (Ink::Good, self.word("legal", "合法")),
            Legal::No => (Ink::Severity(Severity::Error), self.word("not legal", "不合法")),
            Legal::Unknown => {
                (Ink::Severity(Severity::Warning), self.word("cannot be told legal or not", "无法判断是否合法"))
            }
        };
        page += &format!("  {}\n", self.paint(ink, verdict));
        // What cannot be read is among the issues already.
        if let Some(reason) = checked.unknown_because.filter(|&reason| reason != UnknownReason::Unreadable) {
            page += &format!("  {}{}\n", self.word("reason: ", "原因："), reason.message(self.language));
        }
        let mut record = |name: &str, text: &Option<String>| {
            if let Some(text) = text.as_ref().filter(|&text| text != input) {
                page += &format!("  {name}{}\n", self.paint(Ink::Good, &plain(text, 0).0));
            }
        };
        if checked.suggested.is_none() {
            record(self.word("normal form: ", "规范写法："), &checked.normalized);
        }
        record(self.word("suggested: ", "建议："), &checked.suggested);
        page
    }

    /// The input, with carets under every range that an issue is about, numbered when there are several issues.
    fn input_with_carets(&self, input: &str, issues: &[Issue]) -> String {
        let (text, columns) = plain(input, MOST_SHOWN);
        let mut ranges: Vec<(std::ops::Range<usize>, Severity, Vec<usize>)> = Vec::new();
        let marked = issues.iter().filter_map(|issue| Some((issue, shown_range(input, issue)?)));
        for (number, (issue, range)) in (1..).zip(marked) {
            match ranges.iter_mut().find(|known| known.0 == range) {
                Some((_, severity, numbers)) => {
                    *severity = issue.severity().max(*severity);
                    numbers.push(number);
                }
                None => ranges.push((range, issue.severity(), vec![number])),
            }
        }
        // From left to right, so that few rows are needed.
        ranges.sort_by_key(|known| known.0.start);
        let several = ranges.iter().map(|known| known.2.len()).sum::<usize>() > 1;
        // Rows of carets, with their widths.
        let mut rows: Vec<(String, usize)> = Vec::new();
        for (range, severity, numbers) in ranges {
            let column = |byte: usize| columns.get(byte).or(columns.last()).copied().unwrap_or(0);
            let from = column(range.start);
            let carets = column(range.end).saturating_sub(from).max(1);
            let mut mark = "^".repeat(carets);
            if several {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                mark += &numbers.join(",");
            }
            let width = mark.len();
            let mark = self.paint(Ink::Severity(severity), &mark);
            // Carets must not touch, or it would be unclear which number belongs to which.
            let free = rows.iter().position(|&(_, used)| used == 0 || used < from);
            let row = free.unwrap_or_else(|| {
                rows.push((String::new(), 0));
                rows.len() - 1
            });
            let (line, used) = &mut rows[row];
            line.push_str(&" ".repeat(from - *used));
            line.push_str(&mark);
            *used = from + width;
        }
        rows.iter().fold(text + "\n", |page, (row, _)| page + row + "\n")
    }
}

/// Where in the input an issue is, when that part of the input is shown and the issue is not about all of it.
fn shown_range(input: &str, issue: &Issue) -> Option<std::ops::Range<usize>> {
    let shown = input.char_indices().nth(MOST_SHOWN).map_or(input.len(), |(byte, _)| byte);
    issue.range.clone().filter(|range| range.start <= shown && range.end <= shown && *range != (0..input.len()))
}

/// A text as a terminal can show it, at most so many characters, and the column at which each of its bytes begins and the
/// one after the last. Control characters and invisible ones are spelled out.
fn plain(text: &str, most: usize) -> (String, Vec<usize>) {
    let mut shown = String::with_capacity(text.len());
    let mut columns = Vec::with_capacity(text.len() + 1);
    let mut column = 0;
    for (index, ch) in text.chars().enumerate() {
        if index == most && most > 0 {
            shown.push('…');
            break;
        }
        columns.extend([column].repeat(ch.len_utf8()));
        if is_hidden(ch) || is_blank(ch) {
            let escape = match ch {
                '\t' | '\n' | '\r' => ch.escape_default().to_string(),
                _ => format!("<U+{:04X}>", u32::from(ch)),
            };
            column += escape.len();
            shown += &escape;
        } else {
            column += ch.width().unwrap_or(0);
            shown.push(ch);
        }
    }
    columns.push(column);
    (shown, columns)
}

/// Other characters that cannot be seen, which a terminal may well show but a record never has, and blanks that look like a
/// space.
fn is_blank(ch: char) -> bool {
    matches!(
        ch,
        '\u{a0}' | '\u{34f}' | '\u{180b}'..='\u{180d}' | '\u{2000}'..='\u{200d}' | '\u{202f}' | '\u{205f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{e0080}'..='\u{e01ef}'
    )
}
