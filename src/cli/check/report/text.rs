//! The report for a terminal.

use std::iter;

use fenlens::evaluate::{Confusion, MissKind};

use super::{Family, HEADINGS, Report, class_name};
use crate::cli::{
    check::result::{MissEntry, Standing},
    output,
    paint::{Painter, Style},
};

/// Only so many misses are shown, and the others counted. Silent errors are all shown.
const MOST_MISSES: usize = 100;

/// Only so many kinds of confusion fit a screen.
const MOST_CONFUSIONS: usize = 12;

/// The report, in color or without.
pub fn render(report: &Report, color: bool) -> String {
    let painter = Painter::new(color);
    let mut lines = misses(report, painter);
    lines.extend(tables(report, painter));
    lines.extend(confusion(&report.confusion, painter));
    lines.push(String::new());
    lines.extend(baseline(report, painter));
    let complaints = report.complaints();
    lines.extend(complaints.iter().map(|complaint| painter.paint(Style::BoldRed, &output::line(complaint))));
    let style = if complaints.is_empty() { Style::BoldGreen } else { Style::BoldRed };
    lines.push(painter.paint(style, &report.summary()));
    lines.join("\n") + "\n"
}

/// All silent errors, then the other misses.
fn misses(report: &Report, painter: Painter) -> Vec<String> {
    let mut lines = Vec::new();
    let misses = report.misses();
    let (silent, flagged): (Vec<MissEntry>, Vec<MissEntry>) = misses.iter().partition(|entry| entry.miss.silent);
    if !silent.is_empty() {
        lines.push(painter.paint(Style::BoldRed, "Silent errors: accepted though wrong"));
        silent.iter().for_each(|entry| lines.extend(miss(entry, painter)));
        lines.push(String::new());
    }
    if !flagged.is_empty() {
        lines.push(painter.paint(Style::Bold, "Other misses"));
        flagged.iter().take(MOST_MISSES).for_each(|entry| lines.extend(miss(entry, painter)));
        if flagged.len() > MOST_MISSES {
            lines.push(format!("  {} misses more; --report json has them all", flagged.len() - MOST_MISSES));
        }
        lines.push(String::new());
    }
    lines
}

/// A miss in a line, and below it the placements.
fn miss(entry: &MissEntry, painter: Painter) -> Vec<String> {
    let mut lines = vec![format!("  {}: {}", painter.paint(Style::Bold, &output::line(&entry.title())), entry.line())];
    lines.extend(entry.placements().map(|placement| painter.paint(Style::Dim, &format!("    {placement}"))));
    lines
}

/// The figures, the kinds of misses and the times, by family.
fn tables(report: &Report, painter: Painter) -> Vec<String> {
    let families = report.rows();
    let row = |family: &Family, cells: &mut dyn Iterator<Item = String>| -> Vec<String> {
        iter::once(family.name.clone()).chain(cells).collect()
    };
    let head: Vec<&str> = iter::once("").chain(HEADINGS).collect();
    let figures = families.iter().map(|family| row(family, &mut family.cells().into_iter()));
    let mut lines = table(painter, &head, figures);
    if report.total.figures.all_misses() > 0 {
        let head: Vec<&str> = iter::once("charged to").chain(MissKind::ALL.iter().map(|kind| kind.name())).collect();
        let counts = families.iter().map(|family| {
            let counts = MissKind::ALL.iter().map(|&kind| family.figures.misses(kind));
            // Most of them are 0, which would hide the others.
            let mut counts = counts.map(|count| if count == 0 { "-".to_owned() } else { count.to_string() });
            row(family, &mut counts)
        });
        lines.push(String::new());
        lines.extend(table(painter, &head, counts));
    }
    let head: Vec<&str> = iter::once("ms a picture").chain(report.total.stages().map(|(stage, _)| stage)).collect();
    let times = families.iter().map(|family| {
        let mut times = family.stages().into_iter().map(|(_, ms)| format!("{ms:.1}"));
        row(family, &mut times)
    });
    lines.push(String::new());
    lines.extend(table(painter, &head, times));
    lines
}

/// Which pieces were most often taken for which others.
fn confusion(confusion: &Confusion, painter: Painter) -> Vec<String> {
    let confused = confusion.errors();
    if confused.is_empty() {
        return Vec::new();
    }
    let mut parts: Vec<String> = confused
        .iter()
        .take(MOST_CONFUSIONS)
        .map(|&(label, read, count)| format!("{} as {} {count}x", class_name(label), class_name(read)))
        .collect();
    if confused.len() > MOST_CONFUSIONS {
        parts.push(format!("{} kinds more", confused.len() - MOST_CONFUSIONS));
    }
    vec![String::new(), format!("{}  {}", painter.paint(Style::Bold, "read"), parts.join(", "))]
}

/// What has changed since the baseline.
fn baseline(report: &Report, painter: Painter) -> Vec<String> {
    let Some(earlier) = &report.earlier else { return Vec::new() };
    let fixed = report.standing(Standing::Fixed);
    let fixed = fixed.map(|picture| format!("wrong in the baseline, right now: {}", output::line(&picture.key())));
    let mut lines: Vec<String> = fixed.map(|line| painter.paint(Style::BoldGreen, &line)).collect();
    let numbers = format!("against the baseline ({}): {}", output::line(&earlier.model), report.standings(earlier));
    lines.push(painter.paint(Style::Dim, &numbers));
    lines
}

/// A table, the first column aligned to the left and the others to the right.
fn table(painter: Painter, head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows.map(|row| row.iter().map(|cell| output::line(cell)).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[&str]| {
        let cells = cells.iter().zip(&widths).enumerate();
        let cells =
            cells.map(|(n, (cell, &width))| if n == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") });
        cells.collect::<Vec<_>>().join("  ")
    };
    let mut lines = vec![painter.paint(Style::Bold, &line(head))];
    lines.extend(rows.iter().map(|row| line(&row.iter().map(String::as_str).collect::<Vec<_>>())));
    lines
}
