//! The contact sheet: every board that a person should look at, as printed and as read, in one page of HTML.

use std::{
    fs,
    fs::File,
    io,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
};

use fenlens::{
    Picture, Record,
    games::placement::Placement,
    output::{diagram::Diagram, record::BoardRecord},
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{doubts, source::Key};
use crate::cli::files::with_suffix;

/// The longest side of a cut-out, in pixels: more than is shown, so that one can look closer.
const MOST_SIDE: usize = 640;

/// How much of a board's side is shown around it, where coordinates are.
const MARGIN: f64 = 0.08;

/// Cuts a board out of its picture and writes it where the sheet looks for it.
///
/// # Errors
/// The system's word.
pub fn cut(folder: &Path, picture: &Picture, key: Key, index: usize, board: &BoardRecord) -> io::Result<()> {
    let range = |axis: usize, length: usize| {
        let places = board.corners.map(|corner| corner[axis]);
        let low = places.into_iter().fold(f64::MAX, f64::min);
        let high = places.into_iter().fold(f64::MIN, f64::max);
        let margin = (high - low) * MARGIN;
        // A board may reach over the edge of the picture.
        let first = ((low - margin).max(0.0) as usize).min(length - 1);
        let end = ((high + margin).ceil().max(0.0) as usize).clamp(first + 1, length);
        (first, end - first)
    };
    let ((left, width), (top, height)) = (range(0, picture.width()), range(1, picture.height()));
    let mut piece = picture.cropped(left, top, width, height);
    let longest = width.max(height);
    if longest > MOST_SIDE {
        let scaled = |side: usize| (side * MOST_SIDE / longest).max(1);
        piece = piece.resized(scaled(width), scaled(height));
    }
    let mut bytes = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 85);
    let size = (piece.width() as u32, piece.height() as u32);
    image::ImageEncoder::write_image(encoder, piece.data(), size.0, size.1, image::ExtendedColorType::Rgb8)
        .map_err(io::Error::other)?;
    fs::write(folder.join(name(key, index)), bytes)
}

fn name(key: Key, index: usize) -> String {
    format!("{:07}-{:05}-{:03}.jpg", key.input, key.page, index + 1)
}

/// A sheet that is being written.
pub struct Sheet {
    folder: PathBuf,
    out: BufWriter<File>,
    boards: u64,
}

impl Sheet {
    /// The name of the page in the folder.
    pub const NAME: &str = "index.html";

    /// Begins a sheet; one that is there is kept until this one is whole.
    ///
    /// # Errors
    /// The system's word.
    pub fn begin(folder: &Path) -> io::Result<Sheet> {
        let mut out = BufWriter::new(File::create(with_suffix(&folder.join(Sheet::NAME), ".tmp"))?);
        let head = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width";
                    title { "Boards to look at" }
                    style { (PreEscaped(STYLE)) }
                }
            }
        }
        .into_string();
        // The page is written board by board, however many there are.
        let head = head.strip_suffix("</html>").unwrap_or(&head);
        writeln!(out, "{head}<body><h1>Boards to look at</h1>")?;
        Ok(Sheet { folder: folder.to_owned(), out, boards: 0 })
    }

    /// Adds the doubtful boards of a record.
    ///
    /// # Errors
    /// The system's word.
    pub fn add(&mut self, record: &Record) -> io::Result<()> {
        let Some(key) = Key::of(record) else { return Ok(()) };
        for (index, board) in record.boards.iter().enumerate().filter(|(_, board)| board.verdict != "accept") {
            let file = name(key, index);
            let cut_out = self.folder.join(&file).is_file().then_some(file);
            writeln!(self.out, "{}", show(record, board, index, cut_out.as_deref()).into_string())?;
            self.boards += 1;
        }
        Ok(())
    }

    /// Ends the sheet; how many boards are on it.
    ///
    /// # Errors
    /// The system's word.
    pub fn finish(mut self) -> io::Result<u64> {
        let none = html! { p { "There is none: every board that was found was accepted." } };
        if self.boards == 0 {
            write!(self.out, "{}", none.into_string())?;
        }
        writeln!(self.out, "</body></html>")?;
        let path = self.folder.join(Sheet::NAME);
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        fs::rename(with_suffix(&path, ".tmp"), path)?;
        Ok(self.boards)
    }
}

fn show(record: &Record, board: &BoardRecord, index: usize, cut_out: Option<&str>) -> Markup {
    let origin = doubts::origin(record, index);
    html! {
        section class=(board.verdict) {
            h2 { (origin) " " span { (board.verdict) } }
            @if board.turned > 0 { p { "Turned clockwise by " (board.turned) " degrees to set the pieces upright." } }
            div {
                @if let Some(file) = cut_out {
                    a href=(file) { img src=(file) loading="lazy" alt={ "the board as printed: " (origin) }; }
                } @else {
                    p { "The cut-out is missing." }
                }
                (PreEscaped(diagram(board)))
            }
            ul { @for doubt in doubts::of_board(board) { li { (doubt) } } }
            code { (board.fen) }
        }
    }
}

/// The position as read, from the side from which it is printed, with the flagged squares marked.
fn diagram(board: &BoardRecord) -> String {
    let Ok(placement) = board.placement.parse::<Placement>() else { return String::new() };
    let mut diagram = Diagram::of_chess(&placement).flipped(board.orientation == "black");
    let flagged = board.squares.iter().filter(|square| square.flagged);
    flagged.filter_map(|square| square.square.parse().ok()).for_each(|square| diagram.flag_square(square));
    diagram.to_svg()
}

const STYLE: &str = "\
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem;color:#23201e;background:#fffdf8}\
section{border-top:1px solid #d8cfc0;padding:.6rem 0 1.2rem}\
h2{font-size:1rem}h2 span{font-weight:400;border-radius:.3rem;padding:.1rem .4rem;background:#f4e3b5}\
.refuse h2 span{background:#f3c6c6}\
div{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}\
img,svg{width:min(26rem,100%);height:auto}\
a{width:min(26rem,100%)}a img{width:100%}\
code{overflow-wrap:anywhere}\
@media print{section{break-inside:avoid}}";
