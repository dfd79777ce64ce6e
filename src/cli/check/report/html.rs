//! A page of HTML for a person to look at: every miss with its picture, the board as labeled and as read. It is one file
//! that contains its pictures and fetches nothing.

use fenlens::{
    evaluate::{Confusion, MissKind, WrongSquare},
    games::{chess::Color, placement::Placement},
};
use maud::{Markup, PreEscaped, html};

use super::{Family, HEADINGS, Report, SILENT, class_name};
use crate::cli::{
    check::result::{MissEntry, Standing},
    html::{Page, Pictures, diagram, picture::png_uri},
    output,
};

/// The report.
pub fn render(report: &Report) -> String {
    let page = Page {
        title: format!("fenlens check {}", report.summary()),
        rules: String::new(),
        script: None,
        pictures: Pictures::Embedded,
    };
    let body = html! {
        (tables(report))
        (baseline(report))
        (misses(report))
    };
    let end = page.end(Some(&report.model), "This page fetches nothing and sends nothing.");
    page.begin(&header(report)) + &body.into_string() + &end
}

/// The heading, the summary, and why the run fails.
fn header(report: &Report) -> Markup {
    let complaints = report.complaints();
    html! {
        h1 { "fenlens check" }
        p.summary { strong.good[complaints.is_empty()].bad[!complaints.is_empty()] { (report.summary()) } }
        @if !complaints.is_empty() {
            ul.bad { @for complaint in &complaints { li { (complaint) } } }
        }
    }
}

/// The figures, the kinds of misses, the times and the confusion matrix.
fn tables(report: &Report) -> Markup {
    let rows = report.rows();
    html! {
        section.part { (figures(&rows)) }
        @if report.total.figures.all_misses() > 0 {
            section.part { h2 { "Misses by kind" } (kinds(&rows)) }
        }
        section.part { h2 { "Milliseconds a picture" } (times(&rows)) }
        @if !report.confusion.errors().is_empty() {
            section.part { h2 { "Pieces taken for others" } (confusion(&report.confusion)) }
        }
    }
}

/// What has changed since the baseline.
fn baseline(report: &Report) -> Markup {
    let Some(earlier) = &report.earlier else { return Markup::default() };
    html! {
        section.part {
            h2 { "Against the baseline" }
            p { (report.standings(earlier)) " (models " (earlier.model) ")" }
            ul { @for picture in report.standing(Standing::Fixed) { li.good { "fixed: " (picture.key()) } } }
        }
    }
}

/// All silent errors, then the other misses.
fn misses(report: &Report) -> Markup {
    let misses = report.misses();
    let (silent, flagged): (Vec<&MissEntry>, Vec<&MissEntry>) = misses.iter().partition(|entry| entry.miss.silent);
    html! {
        @if !silent.is_empty() {
            section.part {
                h2.bad { "Silent errors: accepted though wrong" }
                @for entry in &silent { (card(entry)) }
            }
        }
        @if !flagged.is_empty() {
            section.part {
                h2 { "Other misses" }
                @for entry in &flagged { (card(entry)) }
            }
        }
    }
}

fn figures(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "family" } @for heading in HEADINGS { th { (heading) } } } }
            tbody { @for family in rows {
                tr.total[family.name == Family::ALL] {
                    td { (family.name) }
                    @for (column, cell) in family.cells().iter().enumerate() {
                        td.bad[column == SILENT && family.figures.silent > 0] { (cell) }
                    }
                }
            } }
        } }
    }
}

fn kinds(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "charged to" } @for kind in MissKind::ALL { th { (kind.name()) } } } }
            tbody { @for family in rows { tr {
                td { (family.name) }
                @for kind in MissKind::ALL.iter().copied() {
                    @let count = family.figures.misses(kind);
                    td.soft[count == 0] { @if count == 0 { "-" } @else { (count) } }
                }
            } } }
        } }
    }
}

fn times(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table.figures {
            thead { tr { th { "stage" } @for (stage, _) in Family::new("").stages() { th { (stage) } } } }
            tbody { @for family in rows { tr {
                td { (family.name) }
                @for (_, ms) in family.stages() { td { (format!("{ms:.1}")) } }
            } } }
        } }
    }
}

fn confusion(confusion: &Confusion) -> Markup {
    html! {
        div.scroll { table.figures.matrix {
            thead { tr {
                th { "label \\ read" }
                @for letter in Confusion::letters().chars() { th { (class_name(letter)) } }
            } }
            tbody { @for (row, letter) in confusion.rows().iter().zip(Confusion::letters().chars()) { tr {
                th { (class_name(letter)) }
                @for (&count, read) in row.iter().zip(Confusion::letters().chars()) {
                    td.wrong[count > 0 && read != letter].right[read == letter] { @if count > 0 { (count) } }
                }
            } } }
        } }
    }
}

/// One miss.
fn card(entry: &MissEntry) -> Markup {
    let (label, read) = (entry.label(), entry.read());
    // The label is shown from the side of the picture, which it need not name itself.
    let bottom = label.and_then(|label| label.1).or(read.map(|read| read.bottom)).unwrap_or(Color::White);
    html! {
        article.card {
            header {
                h3 { (output::line(&entry.title())) }
                span.badge.refuse[entry.miss.silent] { (entry.miss.kind.name()) }
                p.advice {
                    (entry.line())
                    @if let Some(read) = read { ", " (format!("{:.2} % sure", read.confidence * 100.0)) }
                }
            }
            div.sides {
                @if let Some(png) = entry.cutout() {
                    figure {
                        div.stage { img alt="The board in the picture" src=(png_uri(png)); }
                        figcaption { @if read.is_some() { "In the picture" } @else { "The picture" } }
                    }
                }
                @if let Some((placement, _)) = label { (board("As labeled", &placement, bottom, entry)) }
                @if let Some(read) = read { (board("As read", &read.placement, read.bottom, entry)) }
            }
        }
    }
}

/// A board, with flags on the squares on which label and reading differ.
fn board(name: &str, placement: &Placement, bottom: Color, entry: &MissEntry) -> Markup {
    // Almost all squares of a board that was turned or shifted differ; flags would only hide the pieces.
    let squares = if entry.miss.kind.is_of_whole_board() { &[][..] } else { &entry.miss.squares };
    let diagram = diagram(placement, bottom, squares.iter().map(|WrongSquare { square, .. }| *square));
    html! {
        figure {
            div.stage { (PreEscaped(diagram.to_svg())) }
            figcaption { (name) ", " (bottom.name()) " at the bottom" br; code { (placement) } }
        }
    }
}
