//! Markdown, for the summary of a job.

use std::iter;

use super::{Family, HEADINGS, Report};
use crate::cli::{
    check::result::{MissEntry, Standing},
    output::is_hidden,
};

/// Only so many misses are shown, and the others counted, because the summary of a job holds a mebibyte.
const MOST_MISSES: usize = 500;

/// The report.
pub fn render(report: &Report) -> String {
    let mut text = format!("### fenlens check {}\n\n", report.summary());
    text.push_str(&row(iter::once("family").chain(HEADINGS).map(str::to_owned)));
    text.push_str(&format!("|---|{}\n", "--:|".repeat(HEADINGS.len())));
    report.rows().iter().for_each(|family| text.push_str(&figures(family)));
    let complaints = report.complaints();
    if !complaints.is_empty() {
        text.push('\n');
        complaints.iter().for_each(|complaint| text.push_str(&format!("- :x: {}\n", plain(complaint))));
    }
    let fixed: Vec<String> = report.standing(Standing::Fixed).map(|picture| code(&picture.key())).collect();
    if !fixed.is_empty() {
        text.push_str(&format!("\nWrong in the baseline, right now: {}\n", fixed.join(", ")));
    }
    text + &misses(report)
}

/// The misses, in a part that can be folded up.
fn misses(report: &Report) -> String {
    let misses = report.misses();
    if misses.is_empty() {
        return String::new();
    }
    let kinds: Vec<String> = report.kinds().iter().map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    let open = if report.total.figures.silent > 0 { " open" } else { "" };
    let mut text = format!("\n<details{open}><summary>missed: {}</summary>\n\n", kinds.join(", "));
    text.push_str("| picture | miss | label | read |\n|---|---|---|---|\n");
    misses.iter().take(MOST_MISSES).for_each(|entry| text.push_str(&miss(entry)));
    if misses.len() > MOST_MISSES {
        text.push_str(&format!("\n{} misses more\n", misses.len() - MOST_MISSES));
    }
    text.push_str("\n</details>\n");
    text
}

fn miss(entry: &MissEntry) -> String {
    let which = entry.which();
    let picture = code(&entry.picture.key()) + if which.is_empty() { "" } else { ", " } + &which;
    let line = plain(&entry.line());
    let label = entry.label().map_or(String::new(), |(label, _)| code(&label.to_string()));
    let read = entry.read().map_or(String::new(), |read| code(&read.placement.to_string()));
    row([picture, if entry.miss.silent { format!("**silent** {line}") } else { line }, label, read])
}

fn figures(family: &Family) -> String {
    row(iter::once(plain(&family.name)).chain(family.cells()))
}

/// A row of a table.
fn row(cells: impl IntoIterator<Item = String>) -> String {
    cells.into_iter().fold("|".to_owned(), |row, cell| format!("{row} {cell} |")) + "\n"
}

/// Text without markup.
fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '|' | '[' | ']' => escaped.extend(['\\', c]),
            c if is_hidden(c) => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A name or a placement as code, in which only bars and backticks would be taken for markup.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if is_hidden(c) { ' ' } else { c }).collect();
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
