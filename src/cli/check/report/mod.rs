//! Everything there is to report about a run, whatever the form.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod text;

use fenlens::{
    Recognition, Verdict,
    evaluate::{Below, Comparison, Confusion, Fault, Figures, Floors, Miss, WrongSquare},
    games::{chess::Color, placement::Placement},
    recognize::timings::Timings,
};

use super::{baseline::Standing, labels::Case};

/// A run.
pub struct Report {
    /// The models.
    pub model: String,
    /// The families in the order in which they are named.
    pub families: Vec<Family>,
    /// All of them together.
    pub total: Family,
    /// Which piece was taken for which.
    pub confusion: Confusion,
    /// The pictures, family by family.
    pub pictures: Vec<PictureResult>,
    /// Figures below their floors.
    pub below: Vec<Below>,
    /// The floors to reach.
    pub floors: Option<Floors>,
    /// What is known of an earlier run.
    pub against: Option<Against>,
    /// Pictures in the folders given for which there is no label.
    pub unlabelled: usize,
}

/// The earlier run that this one is compared with.
pub struct Against {
    /// The models of that run.
    pub model: String,
    /// Pictures of that run that are not in this one.
    pub absent: usize,
}

/// The figures of a family and what they took.
pub struct Family {
    /// Its name.
    pub name: String,
    /// The figures.
    pub figures: Figures,
    /// Milliseconds by stage, all pictures together.
    pub timings: Timings,
    /// Wall time from the first picture to the last, in milliseconds; several threads work at a time.
    pub wall: f64,
}

/// One picture.
pub struct PictureResult {
    /// What is labelled.
    pub case: Case,
    /// What was read, and how the two differ.
    pub comparison: Comparison,
    /// Of each board read, the side at the bottom and the confidence.
    pub read: Vec<(Color, f32)>,
    /// Why the picture could not be read.
    pub error: Option<String>,
    /// What it took.
    pub timings: Timings,
    /// For each miss, the board as it is in the picture, or the picture itself where no board was found, as PNG; empty
    /// unless asked for.
    pub views: Vec<Vec<u8>>,
    /// How it stands against the baseline.
    pub standing: Standing,
}

impl Family {
    /// A family without pictures.
    pub fn new(name: &str) -> Family {
        Family { name: name.to_owned(), figures: Figures::default(), timings: Timings::default(), wall: 0.0 }
    }

    /// Counts a picture.
    pub fn add(&mut self, picture: &PictureResult) {
        self.figures.add(&picture.comparison);
        let (sum, one) = (&mut self.timings, &picture.timings);
        let stages = [
            (&mut sum.read, one.read),
            (&mut sum.locate, one.locate),
            (&mut sum.rectify, one.rectify),
            (&mut sum.classify, one.classify),
            (&mut sum.orient, one.orient),
            (&mut sum.place, one.place),
            (&mut sum.total, one.total),
        ];
        stages.into_iter().for_each(|(sum, one)| *sum += one);
    }

    /// Wall time a picture in milliseconds, to a tenth.
    pub fn ms(&self) -> f64 {
        tenths(self.wall / self.figures.pictures.max(1) as f64)
    }

    /// The mean milliseconds of each stage on a picture, to a tenth, with their names.
    pub fn stages(&self) -> [(&'static str, f64); 7] {
        let sum = &self.timings;
        [
            ("read", sum.read),
            ("locate", sum.locate),
            ("rectify", sum.rectify),
            ("classify", sum.classify),
            ("orient", sum.orient),
            ("place", sum.place),
            ("total", sum.total),
        ]
        .map(|(stage, ms)| (stage, tenths(ms / self.figures.pictures.max(1) as f64)))
    }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

impl PictureResult {
    /// Compares what was read with the label.
    pub fn new(case: Case, outcome: Result<&Recognition, String>) -> PictureResult {
        let boards = outcome.as_ref().map_or(&[][..], |found| &found.boards);
        let labels: Vec<Placement> = case.label.boards.iter().map(|board| board.placement).collect();
        let seen: Vec<_> = boards.iter().map(Into::into).collect();
        PictureResult {
            comparison: Comparison::new(&labels, &seen),
            read: boards.iter().map(|board| (board.orientation.bottom, board.trust.confidence)).collect(),
            timings: outcome.as_ref().map_or(Timings::default(), |found| found.timings),
            error: outcome.err(),
            case,
            views: Vec::new(),
            standing: Standing::New,
        }
    }

    /// The name by which a baseline knows it.
    pub fn key(&self) -> String {
        key(&self.case)
    }

    /// Whether it could be read, every board is right and there is no other.
    pub fn is_right(&self) -> bool {
        self.error.is_none() && self.comparison.is_right()
    }

    /// What is wrong in it.
    pub fn misses(&self) -> impl Iterator<Item = MissView<'_>> {
        self.comparison.misses().iter().enumerate().map(move |(number, miss)| MissView { picture: self, number, miss })
    }
}

/// The name of a picture among all families.
pub fn key(case: &Case) -> String {
    format!("{}/{}", case.family, case.name)
}

/// A miss with what a report says of it.
#[derive(Clone, Copy)]
pub struct MissView<'a> {
    /// The picture.
    pub picture: &'a PictureResult,
    number: usize,
    /// The miss.
    pub miss: &'a Miss,
}

impl<'a> MissView<'a> {
    /// The board as labelled, and the side at the bottom, if the label or else the reading says it.
    pub fn label(&self) -> Option<(Placement, Option<Color>)> {
        let board = self.picture.case.label.boards.get(self.miss.label?)?;
        Some((board.placement, board.orientation))
    }

    /// The board as read, the side at the bottom, the verdict and the confidence.
    pub fn read(&self) -> Option<(Placement, Color, Verdict, f32)> {
        let (seen, read) =
            (self.picture.comparison.readings().get(self.miss.reading?)?, self.picture.read.get(self.miss.reading?)?);
        Some((seen.placement, read.0, seen.verdict, read.1))
    }

    /// Which board of how many, where that needs saying.
    pub fn which(&self) -> String {
        let (labels, readings) = (self.picture.comparison.labels().len(), self.picture.comparison.readings().len());
        match (self.miss.label, self.miss.reading) {
            (Some(label), _) if labels > 1 => format!("board {} of {labels}", label + 1),
            (None, Some(reading)) if readings > 1 => format!("reading {} of {readings}", reading + 1),
            _ => String::new(),
        }
    }

    /// The wrong squares in words, at most as many as a line holds.
    pub fn squares(&self) -> String {
        const MOST: usize = 6;
        let name =
            |piece: Option<fenlens::games::chess::Piece>| piece.map_or("empty".to_owned(), |piece| piece.to_string());
        let words = |w: &WrongSquare| format!("{} {} read as {}", w.square, name(w.label), name(w.read));
        let mut parts: Vec<String> = self.miss.squares.iter().take(MOST).map(words).collect();
        if let Some(more) = self.miss.squares.len().checked_sub(MOST).filter(|&more| more > 0) {
            parts.push(format!("{more} squares more"));
        }
        parts.join(", ")
    }

    /// The miss in a line: what it is charged to, how it was judged, and where it differs.
    pub fn line(&self) -> String {
        let verdict = self.read().map(|(_, _, verdict, _)| match verdict {
            Verdict::Accept => "accepted",
            Verdict::Check => "to check",
            Verdict::Refuse => "refused",
        });
        let mut line = self.miss.fault.name().to_owned();
        if let Some(verdict) = verdict {
            line.push_str(&format!(" ({verdict})"));
        }
        // That a board lies the wrong way says more than the squares that follow from it.
        match self.miss.fault {
            Fault::Occupancy | Fault::Piece | Fault::Color => line.push_str(&format!(": {}", self.squares())),
            Fault::Corners | Fault::Orientation => {
                line.push_str(&format!(": {} squares differ", self.miss.squares.len()));
            }
            Fault::NoBoard | Fault::ExtraBoard => {}
        }
        line
    }

    /// The board as it is in the picture, as PNG, if it was asked for.
    pub fn view(&self) -> Option<&'a [u8]> {
        self.picture.views.get(self.number).map(Vec::as_slice)
    }
}

impl Report {
    /// Pictures that could not be read.
    pub fn failed(&self) -> impl Iterator<Item = (&PictureResult, &str)> {
        self.pictures.iter().filter_map(|picture| Some((picture, picture.error.as_deref()?)))
    }

    /// Everything that is wrong, what was accepted first.
    pub fn misses(&self) -> Vec<MissView<'_>> {
        let mut misses: Vec<MissView> =
            self.pictures.iter().filter(|picture| picture.error.is_none()).flat_map(PictureResult::misses).collect();
        // Stable: the order of the pictures is kept.
        misses.sort_by_key(|view| !view.miss.silent);
        misses
    }

    /// Pictures that stand in a certain way against the baseline.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &PictureResult> {
        self.pictures.iter().filter(move |picture| picture.standing == standing)
    }

    /// Why the answer is no, in a line each.
    pub fn complaints(&self) -> Vec<String> {
        let failed = self.failed().map(|(picture, error)| format!("cannot be read: {}: {error}", picture.key()));
        let below = self.below.iter().map(|below| format!("below the floor: {below}"));
        let worse = self.standing(Standing::Worse).map(|p| format!("right in the baseline, wrong now: {}", p.key()));
        failed.chain(below).chain(worse).collect()
    }

    /// The verdict in a line.
    pub fn summary(&self) -> String {
        let figures = &self.total.figures;
        let boards = format!("{} of {} boards exact, {} silent", figures.exact, figures.boards, figures.silent);
        let complaints = self.complaints().len();
        match (complaints, self.floors.is_some() || self.against.is_some()) {
            (0, true) => format!("passed: {boards}"),
            (0, false) => format!("measured: {boards}; no floors, no baseline"),
            _ => format!("failed: {boards}; {complaints} complaint{}", if complaints == 1 { "" } else { "s" }),
        }
    }
}

/// A share in per cent.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
