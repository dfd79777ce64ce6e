//! `fenlens check`: measures the reading of labeled pictures, and says no when it is not good enough or has got worse.

pub mod args;
mod baseline;
mod labels;
mod report;
mod result;

use std::{collections::HashSet, ops::ControlFlow, path::Path, time::Instant};

use fenlens::{
    Options, Picture, Recognition, Recognizer,
    evaluate::{Confusion, Floors},
};
use indicatif::{ProgressBar, ProgressStyle};

use self::{
    args::{CheckArgs, ReportFormat, ReportTarget},
    baseline::Baseline,
    labels::{Case, Cases},
    report::{EarlierRun, Family, Report},
    result::{PictureResult, Standing},
};
use super::{
    exit::Exit,
    files,
    files::Written,
    html::picture::{at_most, cut_out},
    output, readers,
    readers::Readers,
};

/// The most errors that are printed; the first ones are fixed first.
const MOST_SHOWN: usize = 40;

/// The longest side of a picture in a report, in pixels.
const MOST_CUT_OUT: usize = 320;

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    match prepare(args).and_then(|plan| check(args, plan).map_err(|error| vec![error])) {
        Ok(exit) => exit,
        Err(errors) => {
            errors.iter().take(MOST_SHOWN).for_each(|error| output::note(format_args!("fenlens: {error}")));
            if errors.len() > MOST_SHOWN {
                output::note(format_args!("fenlens: {} errors more", errors.len() - MOST_SHOWN));
            }
            Exit::Failure
        }
    }
}

/// All that is known before the first picture is read.
struct Plan {
    targets: Vec<ReportTarget>,
    cases: Cases,
    floors: Option<Floors>,
    baseline: Option<Baseline>,
}

/// Everything that can fail before a picture is read. A run takes minutes, so errors in its arguments are reported at
/// once.
fn prepare(args: &CheckArgs) -> Result<Plan, Vec<String>> {
    let one = |error| vec![error];
    let targets = targets(args).map_err(one)?;
    let files = targets.iter().filter_map(|target| target.file.as_deref()).chain(args.save_baseline.as_deref());
    for file in files {
        if !files::folder_of(file).is_dir() {
            return Err(vec![format!("{}: there is no such folder to write it to", output::show(file))]);
        }
    }
    let floors = args.floors.as_deref().map(|path| {
        let floors =
            files::read_text(path).and_then(|text| Floors::from_json(&text).map_err(|error| error.to_string()));
        floors.map_err(|error| vec![format!("{}: {error}", output::show(path))])
    });
    let floors = floors.transpose()?;
    let baseline = args
        .baseline
        .as_deref()
        .map(|path| Baseline::open(path).map_err(|error| vec![format!("{}: {error}", output::show(path))]));
    let baseline = baseline.transpose()?;
    let cases = labels::collect(&args.labels, args.pictures.as_deref())?;
    keep(args, &targets, &cases).map_err(one)?;

    let families: HashSet<&str> = cases.cases.iter().map(|case| case.family.as_str()).collect();
    let unknown = floors.iter().flat_map(Floors::families).filter(|family| !families.contains(family));
    let mut errors: Vec<String> = unknown
        .map(|family| format!("there is a floor for {family:?}, but no labeled picture of that family"))
        .collect();
    if let Some(baseline) = &baseline
        && !cases.cases.iter().any(|case| baseline.has(&case.key()))
    {
        errors.push("the baseline has none of the labeled pictures".to_owned());
    }
    if errors.is_empty() { Ok(Plan { targets, cases, floors, baseline }) } else { Err(errors) }
}

/// The reports, each with its own destination.
fn targets(args: &CheckArgs) -> Result<Vec<ReportTarget>, String> {
    let mut targets = args.reports.clone();
    if let Some(file) = &args.output {
        let mut free = targets.iter_mut().filter(|target| target.file.is_none());
        match (free.next(), free.next()) {
            (Some(target), None) => target.file = Some(file.clone()),
            (None, _) => return Err("--output: every report has a file of its own".to_owned()),
            _ => return Err("--output: which report? Give each its file: --report FORMAT=FILE".to_owned()),
        }
    }
    targets.iter_mut().for_each(|target| target.file = target.file.take().filter(|file| file != Path::new("-")));
    // The server finds its annotations in the log, so text for people may be in the same log.
    let mixed = |format| matches!(format, ReportFormat::Text | ReportFormat::Github);
    let printed: Vec<ReportFormat> = targets.iter().filter(|t| t.file.is_none()).map(|t| t.format).collect();
    if printed.len() > 1 && !printed.iter().all(|&format| mixed(format)) {
        return Err("only one report can go to standard output: --report FORMAT=FILE".to_owned());
    }
    Ok(targets)
}

/// Makes sure that nothing is written over what is read, by whatever name.
fn keep(args: &CheckArgs, targets: &[ReportTarget], cases: &Cases) -> Result<(), String> {
    let reports = || targets.iter().filter_map(|target| target.file.clone());
    let written = Written::new(reports().chain(args.save_baseline.clone()))?;
    let labeled = cases.cases.iter().flat_map(|case| [&*case.source, &*case.picture]);
    let unlabeled = cases.unlabeled.iter().map(|picture| &**picture);
    written.apart_from(labeled.chain(unlabeled).chain(args.floors.as_deref()), "the files to read")?;
    // The baseline may be saved where it was read: it is read first, and not replaced by a worse one.
    Written::new(reports())?.apart_from(args.baseline.as_deref(), "the files to read")
}

fn check(args: &CheckArgs, plan: Plan) -> Result<Exit, String> {
    let Plan { targets, cases, floors, baseline } = plan;
    let unlabeled = cases.unlabeled.len();
    if let Some(first) = cases.unlabeled.first() {
        output::note(format_args!("note: no label, so not measured: {} ({unlabeled} in all)", output::show(first)));
    }
    let mut report = measure(args, cases.cases, targets.iter().any(|target| target.format == ReportFormat::Html))?;
    report.unlabeled = unlabeled;
    if let Some(floors) = &floors {
        let missed = report.families.iter().flat_map(|family| floors.missed(&family.name, &family.figures));
        report.below = missed.collect();
    }
    report.floors = floors;
    if let Some(baseline) = &baseline {
        for picture in &mut report.pictures {
            picture.standing = baseline.standing(&picture.key(), picture.is_right());
        }
        let known = report.pictures.iter().filter(|picture| picture.standing != Standing::New).count();
        report.earlier = Some(EarlierRun { model: baseline.model().to_owned(), absent: baseline.len() - known });
    }

    let said = targets.iter().any(|target| target.format == ReportFormat::Text && target.file.is_none());
    for target in &targets {
        write(args, target, &report)?;
    }
    if !said {
        report.complaints().iter().for_each(|complaint| output::note(format_args!("fenlens: {complaint}")));
        output::note(format_args!("fenlens: {}", report.summary()));
    }
    if let Some(path) = &args.save_baseline {
        save_baseline(path, &report)?;
    }
    Ok(if report.failed().next().is_some() {
        Exit::Failure
    } else if report.complaints().is_empty() {
        Exit::Success
    } else {
        Exit::No
    })
}

/// Reads the pictures on several threads.
fn measure(args: &CheckArgs, cases: Vec<Case>, views: bool) -> Result<Report, String> {
    let readers = Readers::new(args.jobs, &args.runtime, Some(cases.len()), Options::default())?;
    let mut report = Report {
        model: readers.version().to_owned(),
        families: Vec::new(),
        total: Family::new(Family::ALL),
        confusion: Confusion::default(),
        pictures: Vec::with_capacity(cases.len()),
        below: Vec::new(),
        floors: None,
        earlier: None,
        unlabeled: 0,
    };
    let progress = progress(cases.len());
    let start = Instant::now();
    let mut last = start;
    readers.in_order(
        cases.into_iter(),
        |recognizer, case| read_one(recognizer, case.clone(), views),
        |case, picture| {
            let picture = picture.unwrap_or_else(|error| PictureResult::new(case, Err(error.chain())));
            if report.families.last().is_none_or(|family| family.name != picture.case.family) {
                report.families.push(Family::new(&picture.case.family));
            }
            if let Some(family) = report.families.last_mut() {
                family.add(&picture);
                // Results come in order, so a family takes from the last result before it to its own last.
                let now = Instant::now();
                family.wall += (now - last).as_secs_f64() * 1e3;
                last = now;
            }
            report.total.add(&picture);
            report.confusion.add(&picture.comparison);
            report.pictures.push(picture);
            progress.inc(1);
            ControlFlow::<()>::Continue(())
        },
    );
    report.total.wall = start.elapsed().as_secs_f64() * 1e3;
    progress.finish_and_clear();
    Ok(report)
}

/// A bar on standard error, if that is a terminal.
fn progress(pictures: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pictures, {eta} left");
    let bar = ProgressBar::new(pictures as u64);
    style.map_or(bar.clone(), |style| bar.with_style(style))
}

fn read_one(recognizer: &Recognizer, case: Case, views: bool) -> PictureResult {
    let read = readers::open_and_recognize(&case.picture, recognizer);
    match &read {
        Ok((picture, found)) => {
            let mut result = PictureResult::new(case, Ok(found));
            if views {
                result.cutouts = cutouts(picture, found, &result);
            }
            result
        }
        Err(error) => PictureResult::new(case, Err(error.chain())),
    }
}

/// The boards that were missed, as they are in the picture; the picture itself where a board was not found.
fn cutouts(picture: &Picture, found: &Recognition, result: &PictureResult) -> Vec<Vec<u8>> {
    let board = |reading: Option<usize>| reading.and_then(|reading| found.boards.get(reading));
    let misses = result.comparison.misses().iter();
    misses
        .map(|miss| {
            // With a tenth of the board on each side, to see whether a rank was left out.
            let part = board(miss.reading).map(|board| cut_out(picture, board.corners(), 0.1));
            at_most(part.as_ref().unwrap_or(picture), MOST_CUT_OUT).to_png()
        })
        .collect()
}

fn write(args: &CheckArgs, target: &ReportTarget, report: &Report) -> Result<(), String> {
    let text = match target.format {
        ReportFormat::Text => report::text::render(report, target.file.is_none() && args.color.for_stdout()),
        ReportFormat::Json if target.file.is_none() => output::json(&report::json::render(report)),
        ReportFormat::Json => report::json::render(report),
        ReportFormat::Junit => report::junit::render(report)?,
        ReportFormat::Markdown => report::markdown::render(report),
        ReportFormat::Html => report::html::render(report),
        ReportFormat::Github => report::github::render(report),
    };
    match &target.file {
        Some(file) => files::save_or_print(file, text.as_bytes()),
        None => output::print(format!("{}\n", text.trim_end_matches('\n')).as_bytes()),
    }
}

/// A worse run never replaces the baseline: the next run would be compared with it.
fn save_baseline(path: &Path, report: &Report) -> Result<(), String> {
    let worse = report.standing(Standing::Worse).next().is_some();
    if worse || report.failed().next().is_some() {
        output::note(format_args!("note: {} is not written, since a picture is worse", output::show(path)));
        return Ok(());
    }
    let baseline = Baseline::of(&report.model, report.pictures.iter());
    files::save_or_print(path, baseline.to_json().as_bytes())
}
