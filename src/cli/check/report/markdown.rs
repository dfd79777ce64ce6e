//! Markdown, for the summary of a job.

use fenlens::evaluate::MissKind;

use super::{Family, Report, percent};
use crate::cli::check::baseline::Standing;

/// More misses than this are only counted: the summary of a job holds a mebibyte.
const MOST_MISSES: usize = 500;

/// The report.
pub fn render(report: &Report) -> String {
    let mut text = format!("### fenlens check {}\n\n", report.summary());
    text.push_str("| family | pictures | boards | found | exact | share | turned | accepted | silent | extra | wrong squares | ms |\n");
    text.push_str("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    let total = (report.families.len() > 1).then_some(&report.total);
    for family in report.families.iter().chain(total) {
        text.push_str(&row(family));
    }
    let complaints = report.complaints();
    if !complaints.is_empty() {
        text.push('\n');
        complaints.iter().for_each(|complaint| text.push_str(&format!("- :x: {}\n", plain(complaint))));
    }
    let mended: Vec<String> = report.standing(Standing::Mended).map(|picture| code(&picture.key())).collect();
    if !mended.is_empty() {
        text.push_str(&format!("\nWrong in the baseline, right now: {}\n", mended.join(", ")));
    }
    let misses = report.misses();
    if misses.is_empty() {
        return text;
    }
    let charged: Vec<String> = MissKind::ALL
        .iter()
        .filter(|&&kind| report.total.figures.misses(kind) > 0)
        .map(|&kind| format!("{} {}", report.total.figures.misses(kind), kind.name()))
        .collect();
    let silent = report.total.figures.silent;
    text.push_str(&format!("\n<details{}>", if silent > 0 { " open" } else { "" }));
    text.push_str(&format!("<summary>missed: {}</summary>\n\n", charged.join(", ")));
    text.push_str("| picture | miss | label | read |\n|---|---|---|---|\n");
    for view in misses.iter().take(MOST_MISSES) {
        let which = view.which();
        let picture = code(&view.picture.key()) + if which.is_empty() { "" } else { ", " } + &which;
        let miss = if view.miss.silent { format!("**silent** {}", plain(&view.line())) } else { plain(&view.line()) };
        let board = |board: Option<String>| board.map_or(String::new(), |board| code(&board));
        let label = board(view.label().map(|(label, _)| label.to_string()));
        let read = board(view.read().map(|(read, ..)| read.to_string()));
        text.push_str(&format!("| {picture} | {miss} | {label} | {read} |\n"));
    }
    if misses.len() > MOST_MISSES {
        text.push_str(&format!("\n{} misses more\n", misses.len() - MOST_MISSES));
    }
    text.push_str("\n</details>\n");
    text
}

fn row(family: &Family) -> String {
    let figures = &family.figures;
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.3} % | {:.1} |\n",
        plain(&family.name),
        figures.pictures,
        figures.boards,
        figures.found,
        figures.exact,
        percent(figures.share()),
        figures.turned,
        figures.accept,
        figures.silent,
        figures.extra,
        figures.square_error(),
        family.ms()
    )
}

/// Words in which nothing is markup.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A name or a placement as it is. A bar would end the cell even so, and a backtick the name.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{}`", text.replace('`', "'").replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_markup() {
        assert_eq!(plain("a|b_c <d>\n"), "a\\|b\\_c &lt;d> ");
        assert_eq!(code("a`b|c"), "`a'b\\|c`");
    }
}
