//! The result of a run, and its reports in several formats.

pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod text;

use fenlens::{
    evaluate::{Below, Confusion, Figures, Floors, MissKind},
    recognize::Timings,
};

use super::result::{MissEntry, PictureResult, Standing};
use crate::cli::output;

/// A run.
pub struct Report {
    /// The version of the models.
    pub model: String,
    /// The families in the order in which they are first named.
    pub families: Vec<Family>,
    /// All families together.
    pub total: Family,
    /// Which piece was taken for which other.
    pub confusion: Confusion,
    /// The pictures, family by family.
    pub pictures: Vec<PictureResult>,
    /// Figures that miss their floors.
    pub below: Vec<Below>,
    /// The floors to reach.
    pub floors: Option<Floors>,
    /// The earlier run that this one is compared with.
    pub earlier: Option<EarlierRun>,
    /// How many pictures in the given folders have no label.
    pub unlabeled: usize,
}

/// The run that a baseline was saved from.
pub struct EarlierRun {
    /// The version of its models.
    pub model: String,
    /// How many of its pictures are not in this run.
    pub absent: usize,
}

/// The figures of a family and the time they took.
pub struct Family {
    /// Its name.
    pub name: String,
    /// The figures.
    pub figures: Figures,
    /// Milliseconds by stage, summed over the pictures.
    pub timings: Timings,
    /// Wall time from the first picture to the last, in milliseconds. Several threads work at the same time.
    pub wall: f64,
}

impl Family {
    /// The name of all families together.
    pub const ALL: &str = "all";

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

    /// The figures as text, under [`HEADINGS`].
    pub fn cells(&self) -> [String; HEADINGS.len()] {
        let figures = &self.figures;
        [
            figures.pictures.to_string(),
            figures.boards.to_string(),
            figures.found.to_string(),
            figures.exact.to_string(),
            percent(figures.share()),
            figures.turned.to_string(),
            figures.accept.to_string(),
            figures.silent.to_string(),
            figures.extra.to_string(),
            format!("{:.3} %", figures.square_error()),
            format!("{:.1}", self.ms()),
        ]
    }

    /// Wall time for each picture in milliseconds, to a tenth.
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

impl Report {
    /// The families, followed by their total if there are several.
    pub fn rows(&self) -> Vec<&Family> {
        let total = (self.families.len() > 1).then_some(&self.total);
        self.families.iter().chain(total).collect()
    }

    /// Pictures that could not be read, with the reason.
    pub fn failed(&self) -> impl Iterator<Item = (&PictureResult, &str)> {
        self.pictures.iter().filter_map(|picture| Some((picture, picture.error.as_deref()?)))
    }

    /// Everything that is wrong, accepted boards first.
    pub fn misses(&self) -> Vec<MissEntry<'_>> {
        let readable = self.pictures.iter().filter(|picture| picture.error.is_none());
        let mut misses: Vec<MissEntry> = readable.flat_map(PictureResult::misses).collect();
        // A stable sort keeps the order of the pictures.
        misses.sort_by_key(|entry| !entry.miss.silent);
        misses
    }

    /// The kinds of misses in this run, with their numbers.
    pub fn kinds(&self) -> Vec<(MissKind, usize)> {
        let all = MissKind::ALL.iter().map(|&kind| (kind, self.total.figures.misses(kind)));
        all.filter(|&(_, count)| count > 0).collect()
    }

    /// Pictures that compare with the baseline in a certain way.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &PictureResult> {
        self.pictures.iter().filter(move |picture| picture.standing == standing)
    }

    /// The comparison with the baseline in numbers.
    pub fn standings(&self, earlier: &EarlierRun) -> String {
        let count = |standing| self.standing(standing).count();
        let (worse, fixed, new) = (count(Standing::Worse), count(Standing::Fixed), count(Standing::New));
        format!("{worse} worse, {fixed} fixed, {new} new, {} absent", earlier.absent)
    }

    /// Why the run fails, in a line each.
    pub fn complaints(&self) -> Vec<String> {
        let failed = self.failed().map(|(picture, error)| format!("cannot be read: {}: {error}", picture.key()));
        let below = self.below.iter().map(|below| format!("below the floor: {below}"));
        let worse = self.standing(Standing::Worse).map(|p| format!("right in the baseline, wrong now: {}", p.key()));
        failed.chain(below).chain(worse).collect()
    }

    /// The outcome in a line.
    pub fn summary(&self) -> String {
        let figures = &self.total.figures;
        let boards = format!("{} of {} boards exact, {} silent", figures.exact, figures.boards, figures.silent);
        let complaints = self.complaints().len();
        match (complaints, self.floors.is_some() || self.earlier.is_some()) {
            (0, true) => format!("passed: {boards}"),
            (0, false) => format!("measured: {boards}; no floors, no baseline"),
            _ => format!("failed: {boards}; {}", output::count(complaints, "complaint")),
        }
    }
}

/// The headings of the figures of a family, as [`Family::cells`] gives them.
pub const HEADINGS: [&str; 11] =
    ["pictures", "boards", "found", "exact", "share", "turned", "accepted", "silent", "extra", "squares wrong", "ms"];

/// The index of the silent errors in [`HEADINGS`].
pub const SILENT: usize = 7;

/// A share as a percentage.
fn percent(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{:.1} %", share * 100.0))
}

/// The name of a class of the confusion matrix.
fn class_name(letter: char) -> String {
    if letter == '.' { "empty".to_owned() } else { letter.to_string() }
}
