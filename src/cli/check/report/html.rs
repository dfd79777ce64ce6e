//! A page to look at: every miss with its picture, the board as labelled and as read, side by side. One file that needs
//! no other and nothing from the network.

use base64::{Engine, prelude::BASE64_STANDARD};
use fenlens::{
    evaluate::{Confusion, MissKind, WrongSquare},
    games::{chess::Color, placement::Placement},
    output::diagram::Diagram,
};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Family, MissView, Report, percent};
use crate::cli::check::baseline::Standing;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #23201e; --faint: #6b625a; --paper: #fffdf8; --card: #f6f0e4; --line: #ddd2c0;
  --bad: #c01f3f; --good: #1d7a46; --warm: #e11d48 }
@media (prefers-color-scheme: dark) { :root { --ink: #f0eae0; --faint: #a99f92; --paper: #1c1917; --card: #292420;
  --line: #443c34; --bad: #ff7b92; --good: #6fd39b } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem; max-width: 72rem; font: 15px/1.5 system-ui, sans-serif; color: var(--ink);
  background: var(--paper) }
h1 { font-size: 1.4rem; margin: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem }
.summary { font-weight: 600; margin: .3rem 0 1rem } .good { color: var(--good) } .bad { color: var(--bad) }
.faint { color: var(--faint) } .scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap }
th, td { padding: .25rem .7rem; text-align: right }
th { font-weight: 600; color: var(--faint) } th:first-child, td:first-child { text-align: left }
tbody tr { border-top: 1px solid var(--line) } tr.total { font-weight: 600 }
.matrix td, .matrix th { padding: .15rem .45rem; text-align: center } .matrix td.wrong { background: var(--warm);
  color: #fff; font-weight: 600 } .matrix td.right { color: var(--faint) }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem; margin: 0 0 1rem;
  break-inside: avoid }
article h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere } article p { margin: .1rem 0 .8rem }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem }
figure { margin: 0; min-width: 0 } figure svg, figure img { display: block; width: 100%; height: auto; max-width: 20rem;
  border-radius: 4px }
figcaption { margin-bottom: .3rem; color: var(--faint) } code { font-size: .8rem; overflow-wrap: anywhere }
.tag { display: inline-block; padding: 0 .5rem; border-radius: 99px; border: 1px solid currentColor; font-size: .85rem }
";

/// The report.
pub fn render(report: &Report) -> String {
    let complaints = report.complaints();
    let misses = report.misses();
    let (silent, flagged): (Vec<&MissView>, Vec<&MissView>) = misses.iter().partition(|view| view.miss.silent);
    let rows: Vec<&Family> =
        report.families.iter().chain((report.families.len() > 1).then_some(&report.total)).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "fenlens check " (report.summary()) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "fenlens check" }
                p.summary.good[complaints.is_empty()].bad[!complaints.is_empty()] { (report.summary()) }
                p.faint { "fenlens " (env!("CARGO_PKG_VERSION")) ", models " (report.model) }
                @if !complaints.is_empty() {
                    ul.bad { @for complaint in &complaints { li { (complaint) } } }
                }
                (figures(&rows))
                @if !misses.is_empty() {
                    h2 { "Misses by stage" }
                    (charged(&rows))
                }
                h2 { "Milliseconds a picture" }
                (times(&rows))
                @if !report.confusion.errors().is_empty() {
                    h2 { "Pieces taken for others" }
                    (confusion(&report.confusion))
                }
                @if let Some(against) = &report.against {
                    h2 { "Against the baseline" }
                    p {
                        (report.standing(Standing::Worse).count()) " worse, "
                        (report.standing(Standing::Mended).count()) " mended, "
                        (report.standing(Standing::New).count()) " new, "
                        (against.absent) " absent (models " (against.model) ")"
                    }
                    ul { @for picture in report.standing(Standing::Mended) { li.good { "mended: " (picture.key()) } } }
                }
                @if !silent.is_empty() {
                    h2.bad { "Silent errors: accepted though wrong" }
                    @for view in &silent { (card(view)) }
                }
                @if !flagged.is_empty() {
                    h2 { "Other misses" }
                    @for view in &flagged { (card(view)) }
                }
            }
        }
    };
    page.into_string() + "\n"
}

fn figures(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr {
                @for head in ["family", "pictures", "boards", "found", "exact", "share", "turned", "accepted", "silent",
                    "extra", "squares wrong", "ms"] { th { (head) } }
            } }
            tbody { @for family in rows {
                @let figures = &family.figures;
                tr.total[family.name == "all"] {
                    td { (family.name) }
                    @for count in [figures.pictures, figures.boards, figures.found, figures.exact] { td { (count) } }
                    td { (percent(figures.share())) }
                    @for count in [figures.turned, figures.accept] { td { (count) } }
                    td.bad[figures.silent > 0] { (figures.silent) }
                    td { (figures.extra) }
                    td { (format!("{:.3} %", figures.square_error())) }
                    td { (format!("{:.1}", family.ms())) }
                }
            } }
        } }
    }
}

fn charged(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { th { "charged to" } @for kind in MissKind::ALL { th { (kind.name()) } } } }
            tbody { @for family in rows { tr {
                td { (family.name) }
                @for kind in MissKind::ALL.iter().copied() {
                    @let count = family.figures.misses(kind);
                    td.faint[count == 0] { @if count == 0 { "-" } @else { (count) } }
                }
            } } }
        } }
    }
}

fn times(rows: &[&Family]) -> Markup {
    html! {
        div.scroll { table {
            thead { tr { th { "stage" } @for (stage, _) in Family::new("").stages() { th { (stage) } } } }
            tbody { @for family in rows { tr {
                td { (family.name) }
                @for (_, ms) in family.stages() { td { (format!("{ms:.1}")) } }
            } } }
        } }
    }
}

fn confusion(confusion: &Confusion) -> Markup {
    let name = |letter: char| if letter == '.' { "empty".to_owned() } else { letter.to_string() };
    html! {
        div.scroll { table.matrix {
            thead { tr {
                th { "label \\ read" }
                @for letter in Confusion::letters().chars() { th { (name(letter)) } }
            } }
            tbody { @for (row, letter) in confusion.rows().iter().zip(Confusion::letters().chars()) { tr {
                th { (name(letter)) }
                @for (&count, read) in row.iter().zip(Confusion::letters().chars()) {
                    td.wrong[count > 0 && read != letter].right[read == letter] { @if count > 0 { (count) } }
                }
            } } }
        } }
    }
}

/// One miss.
fn card(view: &MissView) -> Markup {
    let (label, read, which) = (view.label(), view.read(), view.which());
    // As the picture shows it: the label need not say which side is at the bottom.
    let bottom = label.and_then(|label| label.1).or(read.map(|read| read.1)).unwrap_or(Color::White);
    html! {
        article {
            h3 {
                (view.picture.key()) @if !which.is_empty() { ", " (which) }
                " " span.tag.bad[view.miss.silent] { (view.miss.kind.name()) }
            }
            p.faint {
                (view.line())
                @if let Some((.., confidence)) = read { ", " (format!("{:.2} % sure", confidence * 100.0)) }
            }
            div.sides {
                @if let Some(png) = view.view() {
                    figure {
                        figcaption { @if read.is_some() { "in the picture" } @else { "the picture" } }
                        img alt="the board in the picture" src=(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png)));
                    }
                }
                @if let Some((placement, _)) = label { (board("label", &placement, bottom, view)) }
                @if let Some((placement, side, ..)) = read { (board("read", &placement, side, view)) }
            }
        }
    }
}

/// A board with the squares marked on which label and reading differ.
fn board(name: &str, placement: &Placement, bottom: Color, view: &MissView) -> Markup {
    let mut diagram = Diagram::of_chess(placement).flipped(bottom == Color::Black);
    // All of a board that lies the wrong way differs; marks would only hide the pieces.
    if !matches!(view.miss.kind, MissKind::Orientation | MissKind::Corners) {
        view.miss.squares.iter().for_each(|WrongSquare { square, .. }| diagram.flag_square(*square));
    }
    html! {
        figure {
            figcaption { (name) ", " (bottom.name()) " at the bottom" }
            (PreEscaped(diagram.to_svg()))
            code { (placement) }
        }
    }
}
