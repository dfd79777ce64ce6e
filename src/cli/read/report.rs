//! The report: one page of HTML about all pictures, for the eyes of a person.
//!
//! The page holds everything it shows and fetches nothing; its own policy forbids it to. Flagged squares are linked with
//! their places on both boards by style rules alone, so the page does all it does without scripts, but for the button
//! that copies.

use std::{
    fs, io,
    io::{Seek, Write},
    path::{Path, PathBuf},
};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use fenlens::{
    BoardReading, Error, Picture, Recognition, Verdict,
    games::chess::{Color, Piece, Square},
    image::{
        geometry::{Homography, Point},
        warp::warp,
    },
    output::{
        diagram::{Diagram, outline_of_piece},
        record::{BoardRecord, FieldRecord},
    },
    recognize::{orient::Evidence, place::SquareReading, rectify::BoardImage},
};
use image::{
    ExtendedColorType, ImageEncoder,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::cli::{files, output};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The longest side of a whole picture in the page, in pixels.
const WHOLE: usize = 1000;
/// The least and the most that the side of a flat board has.
const FLAT: (f64, f64) = (300.0, 620.0);
/// The quality of JPEGs: pieces of 40 pixels keep their lines.
const QUALITY: u8 = 82;

/// What a report says of one picture.
pub struct Section {
    html: String,
    entry: Entry,
}

/// A picture in the list of all pictures.
struct Entry {
    id: String,
    name: String,
    /// Of each board.
    verdicts: Vec<Verdict>,
    failed: bool,
}

/// A report being written. Sections wait in a file without a name, so that memory does not grow with the number of pictures
/// and nothing is left over, however the program ends.
pub struct Report {
    path: PathBuf,
    waiting: fs::File,
    entries: Vec<Entry>,
}

impl Report {
    /// Begins a report that is to be written to a file.
    ///
    /// # Errors
    /// In words.
    pub fn begin(path: &Path) -> Result<Report, String> {
        let fault = |error: io::Error| format!("{}: {error}", output::show(path));
        if path.is_dir() {
            return Err(fault(io::ErrorKind::IsADirectory.into()));
        }
        let waiting = tempfile::tempfile_in(files::folder_of(path)).map_err(fault)?;
        Ok(Report { path: path.to_owned(), waiting, entries: Vec::new() })
    }

    /// Adds what is said of the next picture.
    ///
    /// # Errors
    /// In words.
    pub fn add(&mut self, section: Section) -> Result<(), String> {
        let written = self.waiting.write_all(section.html.as_bytes());
        written.map_err(|error| format!("{}: {error}", output::show(&self.path)))?;
        self.entries.push(section.entry);
        Ok(())
    }

    /// Writes the page.
    ///
    /// # Errors
    /// In words.
    pub fn finish(mut self, models: &str) -> Result<(), String> {
        let (head, foot) = (head(&self.entries), foot(models));
        let sections = &mut self.waiting;
        files::save_with(&self.path, |page| {
            page.write_all(head.as_bytes())?;
            sections.rewind()?;
            io::copy(sections, page)?;
            page.write_all(foot.as_bytes())
        })
    }
}

/// The page up to the first section.
fn head(entries: &[Entry]) -> String {
    let style = format!("{STYLE}{}", links_of_squares());
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; img-src data:; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
        hash(&style),
        hash(SCRIPT)
    );
    let body = html! {
        header.top {
            h1 { "What was read" }
            p.summary { (summary(entries)) }
            @if entries.len() > 1 {
                nav aria-label="Pictures" { ol {
                    @for entry in entries {
                        li { a href={ "#" (entry.id) } {
                            span.name { (entry.name) }
                            @if entry.failed { span.dot.refuse { "unreadable" } }
                            @else if entry.verdicts.is_empty() { span.dot.none { "no board" } }
                            @for verdict in [Verdict::Accept, Verdict::Check, Verdict::Refuse] {
                                @match entry.verdicts.iter().filter(|v| **v == verdict).count() {
                                    0 => {}
                                    1 => span.dot.(verdict.name()) { (verdict.name()) },
                                    n => span.dot.(verdict.name()) { (n) " " (verdict.name()) },
                                }
                            }
                        } }
                    }
                } }
            }
        }
    };
    let title = match entries {
        [only] => format!("{} - fenlens", only.name),
        _ => format!("{} - fenlens", count(entries.len(), "picture")),
    };
    let head = html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="referrer" content="no-referrer";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(style)) }
        }
    };
    format!("{}<html lang=\"en\">{}<body>{}<main>\n", DOCTYPE.into_string(), head.into_string(), body.into_string())
}

/// The page after the last section.
fn foot(models: &str) -> String {
    let foot = html! {
        footer {
            p { "Made by fenlens " (env!("CARGO_PKG_VERSION")) " (models " (models) "). This page fetches nothing and sends "
                "nothing; a link to lichess.org hands over the position, when you follow it." }
        }
    };
    format!("</main>\n{}<script>{SCRIPT}</script></body></html>\n", foot.into_string())
}

/// How many pictures and boards there are, and how they fared.
fn summary(entries: &[Entry]) -> Markup {
    let verdicts = || entries.iter().flat_map(|entry| &entry.verdicts);
    let of = |wanted: Verdict| verdicts().filter(|verdict| **verdict == wanted).count();
    let boards = [
        (of(Verdict::Accept), "accept", "accepted"),
        (of(Verdict::Check), "check", "to check"),
        (of(Verdict::Refuse), "refuse", "refused"),
    ];
    let failed = entries.iter().filter(|entry| entry.failed).count();
    let without = entries.iter().filter(|entry| !entry.failed && entry.verdicts.is_empty()).count();
    html! {
        span { (count(entries.len(), "picture")) ", " (count(verdicts().count(), "board")) }
        @for (n, class, words) in boards.into_iter().filter(|&(n, ..)| n > 0) {
            span.badge.(class) { (n) " " (words) }
        }
        @if without > 0 { span.badge.none { (count(without, "picture")) " without a board" } }
        @if failed > 0 { span.badge.refuse { (count(failed, "picture")) " unreadable" } }
    }
}

fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// Style rules by which everything about a square lights up when one part of it is pointed at, focused or linked to.
fn links_of_squares() -> String {
    Square::all().map(|s| format!(".board:has(.q-{s}:is(:hover,:focus-within,:target)) .q-{s}{{--hot:1}}\n")).collect()
}

/// What the report says of one picture.
pub fn section(index: usize, name: &str, read: Result<(&Picture, &Recognition), &Error>) -> Section {
    let id = format!("p{}", index + 1);
    let name = if name == "-" { "standard input" } else { name };
    let html = html! {
        section.entry id=(id) aria-labelledby={ (id) "-name" } {
            h2 id={ (id) "-name" } { (name) }
            @match read {
                Err(error) => p.fault { "Could not be read: " (error.chain()) },
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
    let verdicts = match read {
        Ok((_, found)) => found.boards.iter().map(|board| board.trust.verdict).collect(),
        Err(_) => Vec::new(),
    };
    let entry = Entry { id, name: name.to_owned(), verdicts, failed: read.is_err() };
    Section { html: html.into_string() + "\n", entry }
}

/// The whole picture, reduced, with the edges of the boards.
fn whole(picture: &Picture, boards: &[BoardReading], name: &str, id: &str) -> Markup {
    let (width, height) = (picture.width(), picture.height());
    let shrink = (WHOLE as f64 / width.max(height) as f64).min(1.0);
    let to = |length: usize| ((length as f64 * shrink).round() as usize).max(1);
    let reduced = picture.resized(to(width), to(height));
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
                            @let at = board.corners().centre();
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

/// One board: the picture of it beside what was read, and all that there is to say.
fn board(picture: &Picture, board: &BoardReading, number: usize, id: &str) -> Markup {
    let record = BoardRecord::from(board);
    let verdict = board.trust.verdict;
    let diagram = diagram(board);
    let flagged: Vec<&SquareReading> =
        board.reading.squares.iter().zip(&board.trust.flagged).filter(|(_, flag)| **flag).map(|(s, _)| s).collect();
    let advice = match verdict {
        Verdict::Accept => "Nothing to look at.",
        Verdict::Check => "Look at what is listed, and at nothing else.",
        Verdict::Refuse => "No trustworthy reading; this is the best guess.",
    };
    let address = lichess_editor(&record.fen, board.orientation.bottom);
    html! {
        article.board id=(id) aria-labelledby={ (id) "-name" } {
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
                        (flat(picture, board, &diagram, number))
                        (marks(board, &diagram, &flagged, id))
                    }
                    figcaption { "In the picture, made flat" }
                }
                figure {
                    div.stage {
                        (PreEscaped(diagram.to_svg()))
                        (marks(board, &diagram, &flagged, id))
                    }
                    figcaption { "As read" }
                }
            }
            (to_look_at(board, &flagged, id))
            div.fen {
                label for={ (id) "-fen" } { @if verdict == Verdict::Refuse { "FEN (best guess)" } @else { "FEN" } }
                input id={ (id) "-fen" } readonly spellcheck="false" autocomplete="off" value=(record.fen);
                button type="button" hidden data-copy={ (id) "-fen" } { "Copy" }
                a href=(address) target="_blank" rel="noopener noreferrer" { "Open in lichess’ editor" }
            }
            (sources(board, &record))
            @if !record.issues.is_empty() {
                ul.issues {
                    @for issue in &record.issues {
                        li { span.badge.(issue.severity) { (issue.severity) } " " (issue.message) }
                    }
                }
            }
        }
    }
}

/// The board as read, from the side from which it is seen.
fn diagram(board: &BoardReading) -> Diagram {
    let mut diagram = Diagram::of_chess(&board.reading.placement)
        .flipped(board.orientation.bottom == Color::Black)
        .to_move(Some(board.fen.side.into()));
    for (square, _) in board.reading.squares.iter().zip(&board.trust.flagged).filter(|(_, flag)| **flag) {
        diagram.flag_square(square.square);
    }
    diagram
}

/// The board cut out of the picture, its squares where the diagram has them.
fn flat(picture: &Picture, board: &BoardReading, diagram: &Diagram, number: usize) -> Markup {
    let (units, _) = diagram.svg_size();
    let seen = (board.corners().area() / board.game().grid().len() as f64).sqrt();
    // No more pixels than the picture has, no fewer than make it a pleasure to look at.
    let side = (seen * units as f64 / 100.0).clamp(FLAT.0, FLAT.1).round();
    let (left, top) = diagram.svg_corner(fenlens::games::game::Tile { row: 0, col: 0 });
    let unit = BoardImage::CELL as f64 / 100.0;
    let shift = |edge: usize| BoardImage::MARGIN as f64 - edge as f64 * unit;
    let to_flat = Homography::scale_shift(units as f64 / side * unit, Point::new(shift(left), shift(top)));
    let side = side as usize;
    let cut = warp(picture, &to_flat.then(board.observation.image.to_source()), side, side);
    html! {
        img src=(data_uri(&cut)) width=(side) height=(side) alt={ "Board " (number) " as it is in the picture, made flat" };
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
fn to_look_at(board: &BoardReading, flagged: &[&SquareReading], id: &str) -> Markup {
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
            div.look {
                h4 { "Look at" }
                ul {
                    @if everywhere { li.words { "the whole board: no single square is in doubt, but all together are" } }
                    @if let Some(words) = side { li.words { (words) } }
                    @for reading in flagged {
                        li.{ "q-" (reading.square) } {
                            a href={ "#" (id) "-" (reading.square) } {
                                b { (reading.square) }
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
    let rows: [(&str, String, &FieldRecord); 5] = [
        ("Side at the bottom", bottom.to_owned(), &record.fields.orientation),
        ("Side to move", field(1).to_owned(), &record.fields.side),
        ("Castling", field(2).to_owned(), &record.fields.castling),
        ("En passant", field(3).to_owned(), &record.fields.en_passant),
        ("Counters", format!("{} {}", field(4), field(5)), &record.fields.counters),
    ];
    html! {
        table.sources {
            caption { "Where the rest comes from" }
            thead { tr { th scope="col" { "Field" } th scope="col" { "Value" } th scope="col" { "Source" }
                th scope="col" { "Sure" } } }
            tbody {
                @for (name, value, field) in rows {
                    tr {
                        th scope="row" { (name) }
                        td { (value) }
                        td { span.source.{ "from-" (field.source) } { (field.source) }
                            @if let Some(evidence) = &field.evidence { " " span.evidence { (evidence.to_string()) } } }
                        td { @if field.confidence > 0.0 { (percent(field.confidence)) } @else { "unknown" } }
                    }
                }
            }
        }
    }
}

/// A probability as a person reads it; what is nearly sure is not said to be.
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

/// A picture as an address that holds it: PNG where that is small, as for screens of few colors, else JPEG.
fn data_uri(picture: &Picture) -> String {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let (mut jpeg, mut png) = (Vec::new(), Vec::new());
    let as_jpeg = JpegEncoder::new_with_quality(&mut jpeg, QUALITY).encode(
        picture.data(),
        width,
        height,
        ExtendedColorType::Rgb8,
    );
    let encoder = PngEncoder::new_with_quality(&mut png, CompressionType::Default, FilterType::Adaptive);
    let as_png = encoder.write_image(picture.data(), width, height, ExtendedColorType::Rgb8);
    match (as_jpeg, as_png) {
        (Ok(()), Ok(())) if png.len() < jpeg.len() => format!("data:image/png;base64,{}", BASE64.encode(png)),
        (Ok(()), _) => format!("data:image/jpeg;base64,{}", BASE64.encode(jpeg)),
        // Memory can always be written; if an encoder refuses, the page shows the words for the picture.
        _ => String::from("data:,"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_sure_is_not_said_to_be() {
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

    #[test]
    fn pictures_are_kept_small() {
        let flat = data_uri(&Picture::filled(600, 600, [120, 150, 90]));
        assert!(flat.starts_with("data:image/png;base64,") && flat.len() < 8000, "{} bytes", flat.len());
        let noise = (0..600 * 600 * 3).scan(1u32, |x, _| {
            *x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Some((*x >> 24) as u8)
        });
        assert!(data_uri(&Picture::from_rgb(600, 600, noise.collect())).starts_with("data:image/jpeg;base64,"));
    }
}
