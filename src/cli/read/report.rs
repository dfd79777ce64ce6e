//! The report: one page of HTML about all pictures, for a person to look at.
//!
//! The page contains everything it shows and fetches nothing; its content security policy forbids it to. Style rules alone
//! link each flagged square in the list with the same square on both boards. Only the button that copies needs a script.

use std::{
    fs::File,
    io,
    io::{Seek, Write},
    path::{Path, PathBuf},
};

use fenlens::{
    BoardReading, Error, Picture, Recognition, Verdict,
    games::{
        chess::{Color, Piece, Square},
        game::Tile,
    },
    image::{Homography, Point, warp},
    output::{
        diagram::{Diagram, outline_of_piece},
        record::{BoardRecord, FieldRecord},
    },
    recognize::{BoardImage, Evidence, Sight, Source, SquareReading},
};
use maud::{Markup, PreEscaped, html};

use crate::cli::{
    files,
    html::{
        Page, Pictures, diagram,
        picture::{at_most, data_uri},
    },
    output,
    output::count,
};
const SCRIPT: &str = include_str!("script.js");

/// The longest side of a whole picture in the page, in pixels.
const MOST_WHOLE: usize = 1000;

/// The least and the most that the side of a rectified board has, in pixels.
const RECTIFIED: (f64, f64) = (300.0, 620.0);

/// The part of a report about one picture.
pub struct Section {
    html: String,
    entry: Entry,
}

/// A picture in the list of all pictures.
struct Entry {
    id: String,
    name: String,
    /// The verdicts on its boards; or none, if it could not be read.
    verdicts: Option<Vec<Verdict>>,
}

/// A report being written. Its sections wait in a file without a name, so that memory does not grow with the number of
/// pictures, and nothing is left over however the program ends.
pub struct Report {
    path: PathBuf,
    sections: File,
    entries: Vec<Entry>,
}

impl Report {
    /// Begins a report, to be written to a file.
    ///
    /// # Errors
    /// A message, if nothing can be written there.
    pub fn begin(path: &Path) -> Result<Report, String> {
        let explain = |error: io::Error| format!("{}: {error}", output::show(path));
        if path.is_dir() {
            return Err(explain(io::ErrorKind::IsADirectory.into()));
        }
        let sections = tempfile::tempfile_in(files::folder_of(path)).map_err(explain)?;
        Ok(Report { path: path.to_owned(), sections, entries: Vec::new() })
    }

    /// Adds the section about the next picture.
    ///
    /// # Errors
    /// A message, if it cannot be written.
    pub fn add(&mut self, section: Section) -> Result<(), String> {
        let written = self.sections.write_all(section.html.as_bytes());
        written.map_err(|error| format!("{}: {error}", output::show(&self.path)))?;
        self.entries.push(section.entry);
        Ok(())
    }

    /// Writes the page.
    ///
    /// # Errors
    /// A message, if it cannot be written.
    pub fn finish(mut self, models: &str) -> Result<(), String> {
        let frame = page(&self.entries);
        let sections = &mut self.sections;
        files::save_with(&self.path, |file| {
            file.write_all(frame.begin(&header(&self.entries)).as_bytes())?;
            sections.rewind()?;
            io::copy(sections, file)?;
            file.write_all(frame.end(Some(models), FOOTER).as_bytes())
        })
    }
}

const FOOTER: &str = "This page fetches nothing and sends nothing; a link to lichess.org hands over the position, when you \
                      follow it.";

fn page(entries: &[Entry]) -> Page {
    let title = match entries {
        [only] => format!("{} - fenlens", only.name),
        _ => format!("{} - fenlens", count(entries.len(), "picture")),
    };
    Page { title, rules: links_of_squares(), script: Some(SCRIPT), pictures: Pictures::Embedded }
}

/// The heading, the summary, and the list of pictures if there are several.
fn header(entries: &[Entry]) -> Markup {
    html! {
        h1 { "What was read" }
        p.summary { (summary(entries)) }
        @if entries.len() > 1 {
            nav aria-label="Pictures" { ol {
                @for entry in entries {
                    li { a href={ "#" (entry.id) } {
                        span.name { (entry.name) }
                        @match &entry.verdicts {
                            None => span.dot.refuse { "unreadable" },
                            Some(verdicts) if verdicts.is_empty() => span.dot.none { "no board" },
                            Some(verdicts) => (dots(verdicts)),
                        }
                    } }
                }
            } }
        }
    }
}

/// How many boards of a picture have each verdict.
fn dots(verdicts: &[Verdict]) -> Markup {
    html! {
        @for verdict in [Verdict::Accept, Verdict::Check, Verdict::Refuse] {
            @match verdicts.iter().filter(|v| **v == verdict).count() {
                0 => {}
                1 => span.dot.(verdict.name()) { (verdict.name()) },
                n => span.dot.(verdict.name()) { (n) " " (verdict.name()) },
            }
        }
    }
}

/// How many pictures and boards there are, and how many boards have each verdict.
fn summary(entries: &[Entry]) -> Markup {
    let verdicts: Vec<Verdict> = entries.iter().flat_map(|entry| &entry.verdicts).flatten().copied().collect();
    let of = |wanted: Verdict| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let boards = [(Verdict::Accept, "accepted"), (Verdict::Check, "to check"), (Verdict::Refuse, "refused")]
        .map(|(verdict, words)| (of(verdict), verdict.name(), words));
    let failed = entries.iter().filter(|entry| entry.verdicts.is_none()).count();
    let without = entries.iter().filter(|entry| entry.verdicts.as_ref().is_some_and(Vec::is_empty)).count();
    html! {
        span { (count(entries.len(), "picture")) ", " (count(verdicts.len(), "board")) }
        @for (n, class, words) in boards.into_iter().filter(|&(n, ..)| n > 0) {
            span.badge.(class) { (n) " " (words) }
        }
        @if without > 0 { span.badge.none { (count(without, "picture")) " without a board" } }
        @if failed > 0 { span.badge.refuse { (count(failed, "picture")) " unreadable" } }
    }
}

/// Style rules that highlight everything about a square when one part of it is pointed at, focused or linked to.
fn links_of_squares() -> String {
    Square::all().map(|s| format!(".board:has(.q-{s}:is(:hover,:focus-within,:target)) .q-{s}{{--hot:1}}\n")).collect()
}

/// The section about one picture.
pub fn section(index: usize, name: &str, read: Result<(&Picture, &Recognition), &Error>) -> Section {
    let id = format!("p{}", index + 1);
    let name = if name == "-" { "standard input" } else { name };
    let html = html! {
        section.entry id=(id) aria-labelledby={ (id) "-name" } {
            h2 id={ (id) "-name" } { (name) }
            @match read {
                Err(error) => p.failure { "Could not be read: " (error.chain()) },
                Ok((picture, found)) => {
                    p.facts {
                        (picture.width()) " × " (picture.height()) " pixels, "
                        @if found.boards.is_empty() { "no board found" } @else { (count(found.boards.len(), "board")) }
                    }
                    div.split {
                        (whole(picture, &found.boards, name, &id))
                        @if !found.boards.is_empty() {
                            div.boards {
                                @for (n, reading) in found.boards.iter().enumerate() {
                                    (board(picture, reading, n + 1, &format!("{id}-b{}", n + 1)))
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    let verdicts = read.ok().map(|(_, found)| found.boards.iter().map(|board| board.trust.verdict).collect());
    let entry = Entry { id, name: name.to_owned(), verdicts };
    Section { html: html.into_string() + "\n", entry }
}

/// The whole picture, made smaller, with the edges of the boards drawn on it.
fn whole(picture: &Picture, boards: &[BoardReading], name: &str, id: &str) -> Markup {
    let (width, height) = (picture.width(), picture.height());
    let reduced = at_most(picture, MOST_WHOLE);
    let edge = width.max(height) as f64 / 22.0;
    html! {
        figure.whole {
            div.stage {
                img src=(data_uri(&reduced)) width=(reduced.width()) height=(reduced.height())
                    alt={ "The whole picture " (name) };
                svg.outlines viewBox={ "0 0 " (width) " " (height) } aria-hidden="true" {
                    @for (n, board) in boards.iter().enumerate() {
                        @let points = board.corners().0.map(|p| format!("{:.1},{:.1}", p.x, p.y)).join(" ");
                        polygon.halo points=(points) {}
                        polygon.edge points=(points) {}
                        @if boards.len() > 1 {
                            @let at = board.corners().center();
                            a href={ "#" (id) "-b" (n + 1) } tabindex="-1" {
                                circle cx=(tenth(at.x)) cy=(tenth(at.y)) r=(tenth(edge * 0.72)) {}
                                text x=(tenth(at.x)) y=(tenth(at.y)) font-size=(tenth(edge)) { (n + 1) }
                            }
                        }
                    }
                }
            }
            figcaption { @if boards.is_empty() { "The picture" } @else { "The picture, and where the boards are" } }
        }
    }
}

fn tenth(value: f64) -> String {
    format!("{value:.1}")
}

/// One board: the picture of it beside what was read, and everything that is known about it.
fn board(picture: &Picture, board: &BoardReading, number: usize, id: &str) -> Markup {
    let record = BoardRecord::from(board);
    let verdict = board.trust.verdict;
    let flagged: Vec<&SquareReading> =
        board.reading.squares.iter().zip(&board.trust.flagged).filter(|(_, flag)| **flag).map(|(s, _)| s).collect();
    let diagram =
        diagram(&board.reading.placement, board.orientation.bottom, flagged.iter().map(|reading| reading.square))
            .to_move(Some(board.fen.side.into()));
    let advice = match verdict {
        Verdict::Accept => "Nothing to look at.",
        Verdict::Check => "Look at what is listed, and at nothing else.",
        Verdict::Refuse => "No trustworthy reading; this is the best guess.",
    };
    let address = lichess_editor(&record.fen, board.orientation.bottom);
    html! {
        article.card.board id=(id) aria-labelledby={ (id) "-name" } {
            header {
                h3 id={ (id) "-name" } { "Board " (number) }
                span.badge.(verdict.name()) { (verdict.name()) }
                span.sure { (percent(record.confidence)) " sure of every square and of the side at the bottom" }
                p.advice { (advice) }
            }
            div.pair {
                @for square in &flagged { span.target.{ "q-" (square.square) } id={ (id) "-" (square.square) } {} }
                figure {
                    div.stage {
                        (rectified(picture, board, &diagram, number))
                        (marks(board, &diagram, &flagged, id))
                    }
                    figcaption { "In the picture, rectified" }
                }
                figure {
                    div.stage {
                        (PreEscaped(diagram.to_svg()))
                        (marks(board, &diagram, &flagged, id))
                    }
                    figcaption { "As read" }
                }
            }
            (doubts(board, &flagged, id))
            div.fen {
                label for={ (id) "-fen" } { @if verdict == Verdict::Refuse { "FEN (best guess)" } @else { "FEN" } }
                input id={ (id) "-fen" } readonly spellcheck="false" autocomplete="off" value=(record.fen);
                button type="button" hidden data-copy={ (id) "-fen" } { "Copy" }
                a href=(address) target="_blank" rel="noopener noreferrer" { "Open in lichess’ editor" }
            }
            (sources(board, &record))
            @if !board.issues.is_empty() {
                ul.issues {
                    @for issue in &board.issues {
                        li { span.badge.(issue.severity().name()) { (issue.severity().name()) } " " (issue.to_string()) }
                    }
                }
            }
        }
    }
}

/// The board cut out of the picture and rectified, its squares where the diagram has them.
fn rectified(picture: &Picture, board: &BoardReading, diagram: &Diagram, number: usize) -> Markup {
    let (units, _) = diagram.svg_size();
    let seen = (board.corners().area() / board.game().grid().len() as f64).sqrt();
    // As many pixels as the picture has, within limits that suit a screen.
    let side = (seen * units as f64 / 100.0).clamp(RECTIFIED.0, RECTIFIED.1).round();
    let (left, top) = diagram.svg_corner(Tile { row: 0, col: 0 });
    let unit = BoardImage::CELL as f64 / 100.0;
    let shift = |edge: usize| BoardImage::MARGIN as f64 - edge as f64 * unit;
    let to_board = Homography::scale_shift(units as f64 / side * unit, Point::new(shift(left), shift(top)));
    let side = side as usize;
    let cut = warp(picture, &to_board.then(board.observation.image.to_source()), side, side);
    html! {
        img src=(data_uri(&cut)) width=(side) height=(side) alt={ "Board " (number) " as it is in the picture, rectified" };
    }
}

/// Frames and links on the flagged squares of a board.
fn marks(board: &BoardReading, diagram: &Diagram, flagged: &[&SquareReading], id: &str) -> Markup {
    let (width, height) = diagram.svg_size();
    html! {
        svg.marks viewBox={ "0 0 " (width) " " (height) } aria-hidden="true" {
            @for reading in flagged {
                @let (x, y) = diagram.svg_corner(board.orientation.tile(reading.square));
                a.{ "q-" (reading.square) } href={ "#" (id) "-" (reading.square) } tabindex="-1" {
                    rect.halo x=(x + 3) y=(y + 3) width="94" height="94" {}
                    rect.frame x=(x + 3) y=(y + 3) width="94" height="94" {}
                }
            }
        }
    }
}

/// Everything a person should look at.
fn doubts(board: &BoardReading, flagged: &[&SquareReading], id: &str) -> Markup {
    let orientation = &board.orientation;
    let turned = (board.observation.quarter_turns > 0).then(|| {
        format!("turned clockwise by {} degrees to set the pieces upright", 90 * board.observation.quarter_turns)
    });
    let side = board.trust.orientation_flagged.then(|| {
        if orientation.evidence == Some(Evidence::MirroredCoordinates) {
            "whether the picture is mirrored: its letters and digits contradict each other".to_owned()
        } else {
            let sure = percent(f64::from(orientation.confidence));
            format!("which side is at the bottom: {} ({sure}) or {}", orientation.bottom, !orientation.bottom)
        }
    });
    let nothing_else = flagged.is_empty() && side.is_none() && board.issues.is_empty();
    let everywhere = board.trust.verdict == Verdict::Check && nothing_else;
    html! {
        @if let Some(words) = turned { p.note { "The picture was " (words) "." } }
        @if !flagged.is_empty() || side.is_some() || everywhere {
            div.doubts {
                h4 { "Look at" }
                ul {
                    @if everywhere { li.words { "the whole board: no single square is in doubt, but all together are" } }
                    @if let Some(words) = side { li.words { (words) } }
                    @for reading in flagged {
                        li.{ "q-" (reading.square) } {
                            a href={ "#" (id) "-" (reading.square) } {
                                b { (reading.square) }
                                @if reading.sight == Sight::Covered {
                                    span.other { "not visible" }
                                } @else {
                                    (answer(reading.piece, board.probability(reading.square, reading.piece)))
                                    span.other {
                                        @if reading.changed { "to keep a rule; seen is" } @else { "or" }
                                        (answer(reading.runner_up, board.probability(reading.square, reading.runner_up)))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A piece, or none, and how probable that is.
fn answer(piece: Option<Piece>, probability: f32) -> Markup {
    html! {
        span.answer {
            @match piece {
                Some(piece) => {
                    svg viewBox="0 0 100 100" aria-hidden="true" { (PreEscaped(outline_of_piece(piece))) }
                    (piece.color.name()) " " (piece.role.name())
                }
                None => { "empty" }
            }
            " " small { (percent(f64::from(probability))) }
        }
    }
}

/// Where each field of the FEN comes from.
fn sources(board: &BoardReading, record: &BoardRecord) -> Markup {
    let fields: Vec<&str> = record.fen.split(' ').collect();
    let field = |n: usize| match fields.get(n).copied().unwrap_or_default() {
        "-" => "none",
        "w" => "White",
        "b" => "Black",
        other => other,
    };
    let bottom = if board.orientation.bottom == Color::White { "White" } else { "Black" };
    let (sources, records) = (&board.fields, &record.fields);
    let rows: [(&str, String, Source, &FieldRecord); 5] = [
        ("Side at the bottom", bottom.to_owned(), board.orientation.source, &records.orientation),
        ("Side to move", field(1).to_owned(), sources.side.source, &records.side),
        ("Castling", field(2).to_owned(), sources.castling.source, &records.castling),
        ("En passant", field(3).to_owned(), sources.en_passant.source, &records.en_passant),
        ("Counters", format!("{} {}", field(4), field(5)), sources.counters.source, &records.counters),
    ];
    html! {
        table.sources {
            caption { "Where the rest comes from" }
            thead { tr { th scope="col" { "Field" } th scope="col" { "Value" } th scope="col" { "Source" }
                th scope="col" { "Sure" } } }
            tbody {
                @for (name, value, source, field) in rows {
                    tr {
                        th scope="row" { (name) }
                        td { (value) }
                        td { span.source.{ "from-" (source.name()) } { (source.name()) }
                            @if let Some(evidence) = &field.evidence { " " span.evidence { (evidence) } } }
                        td { @if field.confidence > 0.0 { (percent(field.confidence)) } @else { "unknown" } }
                    }
                }
            }
        }
    }
}

/// A probability for a person to read. One that is not quite 100 % is not rounded to it.
fn percent(probability: f64) -> String {
    match probability * 100.0 {
        p if p >= 100.0 => "100 %".to_owned(),
        p if p > 99.9 => "> 99.9 %".to_owned(),
        p if p <= 0.0 => "0 %".to_owned(),
        p if p < 0.1 => "< 0.1 %".to_owned(),
        p if (10.0..90.0).contains(&p) => format!("{p:.0} %"),
        p => format!("{p:.1} %"),
    }
}

/// Where lichess lets a person edit a position.
fn lichess_editor(fen: &str, bottom: Color) -> String {
    let from = if bottom == Color::Black { "?color=black" } else { "" };
    format!("https://lichess.org/editor/{}{from}", fen.replace(' ', "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearly_100_per_cent_is_not_rounded_to_it() {
        let words = [1.0, 0.99999, 0.9984, 0.634, 0.02, 0.0004, 0.0].map(percent);
        assert_eq!(words, ["100 %", "> 99.9 %", "99.8 %", "63 %", "2.0 %", "< 0.1 %", "0 %"]);
    }

    #[test]
    fn links_name_the_position() {
        let fen = "8/8/4k3/8/8/3K4/8/8 b - - 0 1";
        let address = "https://lichess.org/editor/8/8/4k3/8/8/3K4/8/8_b_-_-_0_1";
        assert_eq!(lichess_editor(fen, Color::White), address);
        assert_eq!(lichess_editor(fen, Color::Black), format!("{address}?color=black"));
    }
}
