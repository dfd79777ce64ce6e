//! The contact sheet: every board that a person should look at, as printed and as read, in one page of HTML.

use std::{
    fs, io,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use fenlens::{
    Picture, Record, Verdict,
    games::placement::Placement,
    image::{Corners, Point},
    output::record::BoardRecord,
};
use maud::{Markup, PreEscaped, html};

use super::{doubts, finish::TEMPORARY, source::Key};
use crate::cli::{
    files,
    files::Whole,
    html::{Page, Pictures, diagram, picture},
    output,
};

/// The longest side of a cut-out, in pixels: more than is shown, so that a person can look closer.
const MOST_SIDE: usize = 640;

/// How much is shown around a board, as a share of its side. This is where the coordinates are.
const MARGIN: f64 = 0.08;

/// Cuts a board out of its picture and writes it to where the sheet looks for it.
///
/// # Errors
/// That of the system.
pub fn cut(folder: &Path, picture: &Picture, key: Key, index: usize, board: &BoardRecord) -> io::Result<()> {
    let corners = Corners(board.corners.map(|[x, y]| Point::new(x, y)));
    let part = picture::cut_out(picture, &corners, MARGIN);
    let file = picture::jpeg(&picture::at_most(&part, MOST_SIDE)).map_err(io::Error::other)?;
    files::write_anew(&folder.join(name(key, index)), &file)
}

/// The pages that a sheet in a folder writes.
pub fn files(folder: &Path) -> [PathBuf; 2] {
    let page = folder.join(Sheet::NAME);
    [files::with_suffix(&page, TEMPORARY), page]
}

/// The first of the files read that may have the place of a cut-out in a folder.
pub fn clash<'a>(folder: &Path, mut read: impl Iterator<Item = &'a Path>) -> Option<&'a Path> {
    let folder = fs::canonicalize(folder).ok()?;
    let alike = |a: char, b: char| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
    read.find(|file| {
        let is_cut_out =
            |name: &str| name.len() == CUT_OUT.len() && name.chars().zip(CUT_OUT.chars()).all(|(a, b)| alike(a, b));
        file.file_name().is_some_and(|name| name.to_str().is_some_and(is_cut_out))
            && fs::canonicalize(files::folder_of(file)).is_ok_and(|other| other == folder)
    })
}

/// The name of a cut-out, as an example.
const CUT_OUT: &str = "0000001-00000-001.jpg";

fn name(key: Key, index: usize) -> String {
    format!("{:07}-{:05}-{:03}.jpg", key.input, key.page, index + 1)
}

/// A sheet that is being written.
pub struct Sheet {
    folder: PathBuf,
    page: Page,
    out: BufWriter<Whole>,
    boards: u64,
}

impl Sheet {
    /// The name of the page in the folder.
    pub const NAME: &str = "index.html";

    /// Begins a sheet. One that is there is kept until this one is complete.
    ///
    /// # Errors
    /// That of the system.
    pub fn begin(folder: &Path) -> io::Result<Sheet> {
        let title = "Boards to look at".to_owned();
        let page = Page { title, rules: String::new(), script: None, pictures: Pictures::Files };
        let mut out = BufWriter::new(Whole::create_with_suffix(&folder.join(Sheet::NAME), TEMPORARY)?);
        // The page is written board by board, however many there are.
        out.write_all(page.begin(&html! { h1 { (page.title) } }).as_bytes())?;
        Ok(Sheet { folder: folder.to_owned(), page, out, boards: 0 })
    }

    /// Adds the doubtful boards of a record.
    ///
    /// # Errors
    /// That of the system.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let Some(key) = Key::of(record) else { return Ok(()) };
        for (index, board) in record.boards.iter().enumerate().filter(|(_, board)| board.verdict != Verdict::Accept) {
            let file = name(key, index);
            let cut_out = self.folder.join(&file).is_file().then_some(file);
            writeln!(self.out, "{}", show(record, board, index, cut_out.as_deref()).into_string())?;
            self.boards += 1;
        }
        Ok(())
    }

    /// Ends the sheet, and says how many boards are on it.
    ///
    /// # Errors
    /// That of the system.
    pub fn finish(mut self) -> io::Result<u64> {
        let none = html! { p { "There are none: every board that was found was accepted." } };
        if self.boards == 0 {
            write!(self.out, "{}", none.into_string())?;
        }
        self.out
            .write_all(self.page.end(None, "The pictures of the boards are in files beside this page.").as_bytes())?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync()?;
        file.keep()?;
        Ok(self.boards)
    }
}

fn show(record: &Record, board: &BoardRecord, index: usize, cut_out: Option<&str>) -> Markup {
    let origin = output::line(&doubts::origin(record, index));
    html! {
        section.card {
            header {
                h2 { (origin) }
                span.badge.(board.verdict) { (board.verdict) }
                @if board.turned > 0 {
                    p.advice { "Turned clockwise by " (board.turned) " degrees to set the pieces upright." }
                }
            }
            div.sides.large {
                figure {
                    @if let Some(file) = cut_out {
                        div.stage { a href=(file) { img src=(file) loading="lazy" alt={ "The board as printed: " (origin) }; } }
                        figcaption { "As printed" }
                    } @else {
                        p { "The cut-out is missing." }
                    }
                }
                figure {
                    div.stage { (PreEscaped(as_read(board))) }
                    figcaption { "As read" }
                }
            }
            ul { @for doubt in doubts::of_board(board) { li { (doubt) } } }
            code { (board.fen) }
        }
    }
}

/// The position as read, from the side from which it is printed, with the doubtful squares flagged.
fn as_read(board: &BoardRecord) -> String {
    let Ok(placement) = board.placement.parse::<Placement>() else { return String::new() };
    let bottom = board.orientation;
    let flagged = board.squares.iter().filter(|square| square.flagged);
    diagram(&placement, bottom, flagged.filter_map(|square| square.square.parse().ok())).to_svg()
}
