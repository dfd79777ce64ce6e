//! The result of one picture: what was labeled, what was read, and how it compares with an earlier run.

use fenlens::{
    Recognition, Verdict,
    evaluate::{Comparison, Miss, MissKind, WrongSquare},
    games::{
        chess::{Color, Piece},
        placement::Placement,
    },
    recognize::Timings,
};

use super::labels::Case;

/// How a picture compares with the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is not in the baseline.
    New,
    /// It is as right or as wrong as it was.
    Same,
    /// It was wrong and is right.
    Fixed,
    /// It was right and is wrong.
    Worse,
}

/// One picture.
pub struct PictureResult {
    /// The picture and its label.
    pub case: Case,
    /// How the boards read differ from those labeled.
    pub comparison: Comparison,
    /// The side at the bottom and the confidence of each board read.
    pub read: Vec<(Color, f32)>,
    /// Why the picture could not be read.
    pub error: Option<String>,
    /// What it took.
    pub timings: Timings,
    /// For each miss, the part of the picture with the board, or the picture itself if no board was found, as PNG. Empty
    /// unless asked for.
    pub cutouts: Vec<Vec<u8>>,
    /// How it compares with the baseline.
    pub standing: Standing,
}

impl PictureResult {
    /// Compares what was read with the label.
    pub fn new(case: Case, outcome: Result<&Recognition, String>) -> PictureResult {
        let boards = outcome.as_ref().map_or(&[][..], |found| &found.boards);
        let labels: Vec<Placement> = case.label.boards.iter().map(|board| board.placement).collect();
        let readings: Vec<_> = boards.iter().map(Into::into).collect();
        PictureResult {
            comparison: Comparison::new(&labels, &readings),
            read: boards.iter().map(|board| (board.orientation.bottom, board.trust.confidence)).collect(),
            timings: outcome.as_ref().map_or(Timings::default(), |found| found.timings),
            error: outcome.err(),
            case,
            cutouts: Vec::new(),
            standing: Standing::New,
        }
    }

    /// The name of the picture in a baseline.
    pub fn key(&self) -> String {
        self.case.key()
    }

    /// Whether it could be read, every board is right, and no other was read.
    pub fn is_right(&self) -> bool {
        self.error.is_none() && self.comparison.is_right()
    }

    /// What is wrong in it.
    pub fn misses(&self) -> impl Iterator<Item = MissEntry<'_>> {
        self.comparison.misses().iter().enumerate().map(move |(number, miss)| MissEntry { picture: self, number, miss })
    }
}

/// A miss together with its picture, as reports show it.
#[derive(Clone, Copy)]
pub struct MissEntry<'a> {
    /// The picture.
    pub picture: &'a PictureResult,
    number: usize,
    /// The miss.
    pub miss: &'a Miss,
}

/// What was read for a miss.
#[derive(Clone, Copy)]
pub struct MissReading {
    /// The pieces.
    pub placement: Placement,
    /// The side at the bottom.
    pub bottom: Color,
    /// The verdict.
    pub verdict: Verdict,
    /// The probability that the board is right.
    pub confidence: f32,
}

impl<'a> MissEntry<'a> {
    /// The board as labeled, and the side at the bottom if the label says it.
    pub fn label(&self) -> Option<(Placement, Option<Color>)> {
        let board = self.picture.case.label.boards.get(self.miss.label?)?;
        Some((board.placement, board.orientation))
    }

    /// The board as read.
    pub fn read(&self) -> Option<MissReading> {
        let number = self.miss.reading?;
        let (board, &(bottom, confidence)) =
            (self.picture.comparison.readings().get(number)?, self.picture.read.get(number)?);
        Some(MissReading { placement: board.placement, bottom, verdict: board.verdict, confidence })
    }

    /// Which board of how many; empty if there is only one.
    pub fn which(&self) -> String {
        let (labels, readings) = (self.picture.comparison.labels().len(), self.picture.comparison.readings().len());
        match (self.miss.label, self.miss.reading) {
            (Some(label), _) if labels > 1 => format!("board {} of {labels}", label + 1),
            (None, Some(reading)) if readings > 1 => format!("reading {} of {readings}", reading + 1),
            _ => String::new(),
        }
    }

    /// The wrong squares in words, as many as fit a line.
    fn squares(&self) -> String {
        const MOST: usize = 6;
        let name = |piece: Option<Piece>| piece.map_or("empty".to_owned(), |piece| piece.to_string());
        let words = |w: &WrongSquare| format!("{} {} read as {}", w.square, name(w.label), name(w.read));
        let mut parts: Vec<String> = self.miss.squares.iter().take(MOST).map(words).collect();
        if let Some(more) = self.miss.squares.len().checked_sub(MOST).filter(|&more| more > 0) {
            parts.push(format!("{more} squares more"));
        }
        parts.join(", ")
    }

    /// The miss in a line: its kind, the verdict, and where label and reading differ.
    pub fn line(&self) -> String {
        let mut line = self.miss.kind.name().to_owned();
        if let Some(read) = self.read() {
            let verdict = match read.verdict {
                Verdict::Accept => "accepted",
                Verdict::Check => "to check",
                Verdict::Refuse => "refused",
            };
            line.push_str(&format!(" ({verdict})"));
        }
        match self.miss.kind {
            // If the whole board was turned or shifted, a list of its squares says nothing.
            kind if kind.is_of_whole_board() => {
                line.push_str(&format!(": {} squares differ", self.miss.squares.len()));
            }
            MissKind::NoBoard | MissKind::ExtraBoard => {}
            _ => line.push_str(&format!(": {}", self.squares())),
        }
        line
    }

    /// Like [`Self::line`], after the number of the board if there are several.
    pub fn numbered_line(&self) -> String {
        let which = self.which();
        if which.is_empty() { self.line() } else { format!("{which}: {}", self.line()) }
    }

    /// The name of the picture, and the number of the board if there are several.
    pub fn title(&self) -> String {
        let which = self.which();
        if which.is_empty() { self.picture.key() } else { format!("{}, {which}", self.picture.key()) }
    }

    /// Both placements in a line each, as far as there are any.
    pub fn placements(&self) -> impl Iterator<Item = String> {
        let label = self.label().map(|(label, _)| format!("label {label}"));
        let read = self.read().map(|read| format!("read  {}", read.placement));
        label.into_iter().chain(read)
    }

    /// The part of the picture with the board, as PNG, if it was asked for.
    pub fn cutout(&self) -> Option<&'a [u8]> {
        self.picture.cutouts.get(self.number).map(Vec::as_slice)
    }
}
