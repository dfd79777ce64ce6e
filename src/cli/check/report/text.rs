//! The report for a terminal.

use fenlens::evaluate::MissKind;

use super::{Family, MissView, Report, percent};
use crate::cli::check::baseline::Standing;

/// More misses than this are only counted; silent errors are all shown.
const MOST_MISSES: usize = 100;

/// As many kinds of confusion fit a screen.
const MOST_CONFUSIONS: usize = 12;

/// How words stand out.
#[derive(Clone, Copy)]
struct Pen(bool);

impl Pen {
    fn paint(self, rendition: &str, text: &str) -> String {
        if self.0 { format!("\x1b[{rendition}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }
}

/// The report, with colors or without.
pub fn render(report: &Report, color: bool) -> String {
    let pen = Pen(color);
    let mut lines = Vec::new();
    let misses = report.misses();
    let (silent, flagged): (Vec<MissView>, Vec<MissView>) = misses.iter().partition(|view| view.miss.silent);
    if !silent.is_empty() {
        lines.push(pen.bad("Silent errors: accepted though wrong"));
        silent.iter().for_each(|view| lines.extend(show(view, pen)));
        lines.push(String::new());
    }
    if !flagged.is_empty() {
        lines.push(pen.bold("Other misses"));
        flagged.iter().take(MOST_MISSES).for_each(|view| lines.extend(show(view, pen)));
        if flagged.len() > MOST_MISSES {
            lines.push(format!("  {} misses more; --report json has them all", flagged.len() - MOST_MISSES));
        }
        lines.push(String::new());
    }

    let families: Vec<&Family> = report.families.iter().collect();
    let rows: Vec<&Family> =
        if families.len() > 1 { families.into_iter().chain([&report.total]).collect() } else { families };
    let head = [
        "",
        "pictures",
        "boards",
        "found",
        "exact",
        "share",
        "turned",
        "accepted",
        "silent",
        "extra",
        "squares wrong",
        "ms",
    ];
    lines.extend(table(pen, &head, rows.iter().map(|family| figures(family))));
    if !misses.is_empty() {
        lines.push(String::new());
        let head: Vec<&str> =
            std::iter::once("charged to").chain(MissKind::ALL.iter().map(|kind| kind.name())).collect();
        let row = |family: &&Family| {
            let counts = MissKind::ALL.iter().map(|&kind| count(family.figures.misses(kind)));
            std::iter::once(family.name.clone()).chain(counts).collect()
        };
        lines.extend(table(pen, &head, rows.iter().map(row)));
    }
    lines.push(String::new());
    let stages: Vec<&str> =
        std::iter::once("ms a picture").chain(report.total.stages().map(|(stage, _)| stage)).collect();
    let row = |family: &&Family| {
        let times = family.stages().map(|(_, ms)| format!("{ms:.1}"));
        std::iter::once(family.name.clone()).chain(times).collect()
    };
    lines.extend(table(pen, &stages, rows.iter().map(row)));

    let confused = report.confusion.errors();
    if !confused.is_empty() {
        let name = |letter: char| if letter == '.' { "empty".to_owned() } else { letter.to_string() };
        let mut parts: Vec<String> = confused
            .iter()
            .take(MOST_CONFUSIONS)
            .map(|&(label, read, count)| format!("{} as {} {count}x", name(label), name(read)))
            .collect();
        if confused.len() > MOST_CONFUSIONS {
            parts.push(format!("{} kinds more", confused.len() - MOST_CONFUSIONS));
        }
        lines.push(String::new());
        lines.push(format!("{}  {}", pen.bold("read"), parts.join(", ")));
    }
    lines.push(String::new());
    lines.extend(against(report, pen));
    lines.extend(report.complaints().iter().map(|complaint| pen.bad(complaint)));
    let summary = report.summary();
    lines.push(if report.complaints().is_empty() { pen.good(&summary) } else { pen.bad(&summary) });
    lines.join("\n") + "\n"
}

/// What has changed since the baseline.
fn against(report: &Report, pen: Pen) -> Vec<String> {
    let Some(against) = &report.against else { return Vec::new() };
    let count = |standing| report.standing(standing).count();
    let mut lines: Vec<String> = report
        .standing(Standing::Mended)
        .map(|picture| pen.good(&format!("wrong in the baseline, right now: {}", picture.key())))
        .collect();
    lines.push(pen.faint(&format!(
        "against the baseline ({}): {} worse, {} mended, {} new, {} absent",
        against.model,
        count(Standing::Worse),
        count(Standing::Mended),
        count(Standing::New),
        against.absent
    )));
    lines
}

/// A miss in a line, and both placements where two can be compared.
fn show(view: &MissView, pen: Pen) -> Vec<String> {
    let which = view.which();
    let place = if which.is_empty() { view.picture.key() } else { format!("{}, {which}", view.picture.key()) };
    let mut lines = vec![format!("  {}: {}", pen.bold(&printable(&place)), view.line())];
    lines.extend(view.label().map(|(label, _)| pen.faint(&format!("    label {label}"))));
    lines.extend(view.read().map(|(read, ..)| pen.faint(&format!("    read  {read}"))));
    lines
}

fn figures(family: &Family) -> Vec<String> {
    let figures = &family.figures;
    vec![
        family.name.clone(),
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
        format!("{:.1}", family.ms()),
    ]
}

/// A number among others, of which most are nothing.
fn count(count: usize) -> String {
    if count == 0 { "-".to_owned() } else { count.to_string() }
}

/// Columns, the first to the left and the others to the right.
fn table(pen: Pen, head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(|cell| printable(cell)).collect()).collect();
    let wide = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    let line = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).enumerate();
        let cells =
            cells.map(|(n, (cell, &width))| if n == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        cells.collect::<Vec<_>>().join("  ")
    };
    let mut lines = vec![pen.bold(&line(head))];
    lines.extend(rows.iter().map(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>())));
    lines
}

/// Names as a terminal may be shown them.
fn printable(text: &str) -> String {
    crate::cli::output::show(std::path::Path::new(text))
}
