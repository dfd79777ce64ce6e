//! `fenlens fen show`: the board of a FEN in the terminal or as a picture.

use std::{io, io::Read};

use fenlens::{
    fen,
    fen::{CheckOptions, Checked, Code, Field, Language, Location, Record, Severity},
    games::game::Game,
    output::diagram::{Diagram, TextStyle},
};

use super::args::{GameChoice, ShowArgs};
use crate::cli::{exit::Exit, files, files::Written, output, raster};

/// Runs the command.
pub fn run(args: &ShowArgs) -> Exit {
    match show(args) {
        Ok(()) => Exit::Success,
        Err(message) => output::failure(message),
    }
}

fn show(args: &ShowArgs) -> Result<(), String> {
    let (diagram, notes) = read(&record(&args.fen)?, args.game)?;
    Written::new(args.svg.iter().chain(&args.png).cloned())?;
    let diagram = diagram.flipped(args.flip);
    if args.svg.is_none() && args.png.is_none() {
        let style = TextStyle { letters: args.letters, color: args.color.for_stdout() };
        output::print(format!("{}\n", diagram.to_text(&style)).as_bytes())?;
    } else {
        let svg = diagram.to_svg();
        if let Some(path) = &args.svg {
            files::save_or_print(path, svg.as_bytes())?;
        }
        if let Some(path) = &args.png {
            files::save_or_print(path, &raster::png(&svg)?)?;
        }
    }
    notes.iter().for_each(output::note);
    Ok(())
}

/// The record: the arguments joined, since its fields need no quotes, or a line of standard input.
fn record(words: &[String]) -> Result<String, String> {
    /// Far more bytes than any record needs.
    const MOST: u64 = 1 << 20;
    if words != ["-"] {
        return Ok(words.join(" "));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(MOST).read_to_end(&mut bytes);
    read.map_err(|error| format!("standard input: {error}"))?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.map(str::to_owned).ok_or_else(|| "standard input is empty".to_owned())
}

/// The board of a record, with the squares or points of its issues marked, and the issues in words.
fn read(text: &str, game: GameChoice) -> Result<(Diagram, Vec<String>), String> {
    let checked = fen::check(text, &CheckOptions { game: game.into(), ..CheckOptions::default() });
    let Some(record) = &checked.record else { return Err(unreadable(&checked)) };
    let known = says_who_moves(text, &checked);
    let mut diagram = match record {
        Record::Chess(fen) => Diagram::of_chess(&fen.placement).to_move(known.then(|| fen.side.into())),
        Record::Xiangqi(fen) => Diagram::of_xiangqi(&fen.placement).to_move(known.then(|| fen.side.into())),
    };
    // A placement alone is enough for a diagram.
    let issues = checked.issues.iter().filter(|issue| issue.code != Code::MissingFields);
    let mut notes = Vec::new();
    for issue in issues {
        notes.push(format!("{}: {}", issue.severity().name(), issue.message(Language::English)));
        for location in issue.locations.iter().filter(|_| issue.severity() != Severity::Note) {
            match *location {
                Location::Square(square) => diagram.flag_square(square),
                Location::Point(point) => diagram.flag_point(point),
            }
        }
    }
    Ok((diagram, notes))
}

/// Whether the side to move was given, or follows from a check, rather than assumed.
fn says_who_moves(text: &str, checked: &Checked) -> bool {
    let choice = match checked.game {
        Game::Xiangqi => fen::GameChoice::Xiangqi,
        _ => fen::GameChoice::Chess,
    };
    checked.issues.iter().any(|issue| issue.code == Code::SideInferred)
        || fen::parse(text, choice).fields[Field::Side as usize].is_some()
}

/// Why a record cannot be read, and what may have been meant.
fn unreadable(checked: &Checked) -> String {
    let reasons = checked.issues.iter().filter(|issue| issue.code.is_unreadable());
    let reasons: Vec<String> = reasons.map(|issue| issue.message(Language::English)).collect();
    let mut message = format!("the record cannot be read: {}", reasons.join("; "));
    if let Some(suggested) = &checked.suggested {
        message.push_str(&format!("\nperhaps meant: {suggested}"));
    }
    message
}
