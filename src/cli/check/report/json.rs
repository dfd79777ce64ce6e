//! JSON, for programs. `docs/ci.md` describes it; fields may be added, none is renamed.

use std::collections::BTreeMap;

use fenlens::{
    Verdict,
    evaluate::{Confusion, MissKind},
    games::chess::{Color, Piece},
};
use serde::Serialize;

use super::{Family, Report};
use crate::cli::{
    check::result::{MissEntry, PictureResult, Standing},
    output,
};

#[derive(Serialize)]
struct Json<'a> {
    schema: u32,
    program: String,
    model: &'a str,
    passed: bool,
    families: BTreeMap<&'a str, FamilyJson>,
    total: FamilyJson,
    below_floor: Vec<BelowJson<'a>>,
    baseline: Option<BaselineJson<'a>>,
    misses: Vec<MissJson>,
    failed: Vec<FailedJson<'a>>,
    confusion: ConfusionJson<'a>,
    pictures: Vec<PictureJson>,
    #[serde(rename = "unlabelled")]
    unlabeled: usize,
}

#[derive(Serialize)]
struct FamilyJson {
    pictures: usize,
    boards: usize,
    found: usize,
    exact: usize,
    share: Option<f64>,
    turned: usize,
    accept: usize,
    accept_share: Option<f64>,
    silent: usize,
    extra: usize,
    squares: usize,
    wrong: usize,
    sq_err: f64,
    ms: f64,
    charged: BTreeMap<&'static str, usize>,
    stages_ms: BTreeMap<&'static str, f64>,
}

#[derive(Serialize)]
struct BelowJson<'a> {
    family: &'a str,
    figure: &'static str,
    value: f64,
    floor: f64,
}

#[derive(Serialize)]
struct BaselineJson<'a> {
    model: &'a str,
    worse: Vec<String>,
    /// The key is older than the word used elsewhere, and keys are not renamed.
    #[serde(rename = "mended")]
    fixed: Vec<String>,
    new: usize,
    absent: usize,
}

#[derive(Serialize)]
struct MissJson {
    picture: String,
    path: String,
    /// The number of the labeled board, from 1.
    board: Option<usize>,
    /// The number of the board read, from 1.
    reading: Option<usize>,
    charged: &'static str,
    silent: bool,
    label: Option<SideJson>,
    read: Option<SideJson>,
    verdict: Option<Verdict>,
    confidence: Option<f64>,
    squares: Vec<SquareJson>,
}

#[derive(Serialize)]
struct SideJson {
    placement: String,
    orientation: Option<Color>,
}

#[derive(Serialize)]
struct SquareJson {
    square: String,
    label: Option<char>,
    read: Option<char>,
}

#[derive(Serialize)]
struct FailedJson<'a> {
    picture: String,
    path: String,
    message: &'a str,
}

#[derive(Serialize)]
struct ConfusionJson<'a> {
    letters: &'static str,
    rows: &'a [[u64; Confusion::CLASSES]; Confusion::CLASSES],
}

#[derive(Serialize)]
struct PictureJson {
    picture: String,
    path: String,
    right: bool,
    ms: f64,
}

/// The report.
pub fn render(report: &Report) -> String {
    let path = |picture: &PictureResult| output::name(picture.case.picture.as_os_str());
    let keys = |standing| report.standing(standing).map(PictureResult::key).collect();
    let json = Json {
        schema: 1,
        program: format!("fenlens {}", env!("CARGO_PKG_VERSION")),
        model: &report.model,
        passed: report.complaints().is_empty(),
        families: report.families.iter().map(|family| (family.name.as_str(), FamilyJson::from(family))).collect(),
        total: FamilyJson::from(&report.total),
        below_floor: report
            .below
            .iter()
            .map(|b| BelowJson { family: &b.family, figure: b.figure.name(), value: b.value, floor: b.floor })
            .collect(),
        baseline: report.earlier.as_ref().map(|earlier| BaselineJson {
            model: &earlier.model,
            worse: keys(Standing::Worse),
            fixed: keys(Standing::Fixed),
            new: report.standing(Standing::New).count(),
            absent: earlier.absent,
        }),
        misses: report.misses().iter().map(|entry| miss(entry, path(entry.picture))).collect(),
        failed: report
            .failed()
            .map(|(picture, message)| FailedJson { picture: picture.key(), path: path(picture), message })
            .collect(),
        confusion: ConfusionJson { letters: Confusion::letters(), rows: report.confusion.rows() },
        pictures: report
            .pictures
            .iter()
            .map(|picture| PictureJson {
                picture: picture.key(),
                path: path(picture),
                right: picture.is_right(),
                ms: (picture.timings.total * 10.0).round() / 10.0,
            })
            .collect(),
        unlabeled: report.unlabeled,
    };
    serde_json::to_string_pretty(&json).expect("a report has string keys and finite numbers") + "\n"
}

impl From<&Family> for FamilyJson {
    fn from(family: &Family) -> FamilyJson {
        let figures = &family.figures;
        FamilyJson {
            pictures: figures.pictures,
            boards: figures.boards,
            found: figures.found,
            exact: figures.exact,
            share: figures.share(),
            turned: figures.turned,
            accept: figures.accept,
            accept_share: figures.accept_share(),
            silent: figures.silent,
            extra: figures.extra,
            squares: figures.squares,
            wrong: figures.wrong,
            sq_err: figures.square_error(),
            ms: family.ms(),
            charged: MissKind::ALL.iter().map(|&kind| (kind.name(), figures.misses(kind))).collect(),
            stages_ms: family.stages().into_iter().collect(),
        }
    }
}

fn miss(entry: &MissEntry, path: String) -> MissJson {
    let read = entry.read();
    let squares = entry.miss.squares.iter().map(|wrong| SquareJson {
        square: wrong.square.to_string(),
        label: wrong.label.map(Piece::letter),
        read: wrong.read.map(Piece::letter),
    });
    MissJson {
        picture: entry.picture.key(),
        path,
        board: entry.miss.label.map(|n| n + 1),
        reading: entry.miss.reading.map(|n| n + 1),
        charged: entry.miss.kind.name(),
        silent: entry.miss.silent,
        label: entry.label().map(|(label, side)| SideJson { placement: label.to_string(), orientation: side }),
        read: read.map(|read| SideJson { placement: read.placement.to_string(), orientation: Some(read.bottom) }),
        verdict: read.map(|read| read.verdict),
        confidence: read.map(|read| (f64::from(read.confidence) * 1e6).round() / 1e6),
        squares: squares.collect(),
    }
}
