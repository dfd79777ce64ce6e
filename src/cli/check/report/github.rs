//! Annotations of GitHub Actions: lines that its runner picks out of the log.

use std::{collections::HashSet, env, path::Path};

use super::Report;
use crate::cli::{
    check::result::{PictureResult, Standing},
    output,
};

/// The report: what makes the run fail as errors, other misses as warnings. The worst come first, because the server shows
/// only some of each kind.
pub fn render(report: &Report) -> String {
    let mut lines = Vec::new();
    for (picture, error) in report.failed() {
        lines.push(command("error", Some(picture), "picture cannot be read", &format!("{}: {error}", picture.key())));
    }
    for below in &report.below {
        lines.push(command("error", None, &format!("{} below the floor", below.family), &below.to_string()));
    }
    for picture in report.standing(Standing::Worse).filter(|picture| picture.error.is_none()) {
        lines.push(command("error", Some(picture), "right in the baseline, wrong now", &what(picture)));
    }
    let others = |picture: &&PictureResult| picture.standing != Standing::Worse;
    let misses = report.misses();
    let silent = misses.iter().filter(|entry| entry.miss.silent).map(|entry| (entry.picture, "accepted though wrong"));
    let flagged = misses.iter().filter(|entry| !entry.miss.silent).map(|entry| (entry.picture, "wrong"));
    let mut named = HashSet::new();
    for (picture, title) in silent.chain(flagged).filter(|(picture, _)| others(picture)) {
        // One annotation for each picture, with all that is wrong in it.
        if named.insert(picture.key()) {
            lines.push(command("warning", Some(picture), title, &what(picture)));
        }
    }
    lines.push(command("notice", None, "fenlens check", &report.summary()));
    lines.join("\n") + "\n"
}

/// All that is wrong in a picture.
fn what(picture: &PictureResult) -> String {
    let mut lines = vec![picture.key()];
    for entry in picture.misses() {
        lines.push(entry.numbered_line());
        lines.extend(entry.placements());
    }
    lines.join("\n")
}

/// One annotation. It is placed at the label, which is the file that a person would look at and fix in the repository.
fn command(kind: &str, picture: Option<&PictureResult>, title: &str, message: &str) -> String {
    let label = picture.map_or(String::new(), |picture| {
        let line = picture.case.line.map_or(String::new(), |line| format!("line={line},"));
        format!("file={},{line}", property(&output::line(&in_workspace(&picture.case.source))))
    });
    format!("::{kind} {label}title={}::{}", property(&output::line(title)), data(&output::plain(message)))
}

/// A path as the server knows it: relative to the root of the workspace, in which jobs run.
fn in_workspace(path: &Path) -> String {
    let root = env::var_os("GITHUB_WORKSPACE").map(Into::into).or_else(|| env::current_dir().ok());
    let inside = root.as_deref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    inside.strip_prefix(".").unwrap_or(inside).to_string_lossy().replace('\\', "/")
}

/// The message of an annotation, which ends at the end of the line.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of an annotation, which commas and colons separate from others.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        assert_eq!(data("50 %, a:b\r\nnext"), "50 %25, a:b%0D%0Anext");
        assert_eq!(property("a,b: 5 %\n"), "a%2Cb%3A 5 %25%0A");
        // An escape in the text itself stays what it was.
        assert_eq!(data("%0A"), "%250A");
    }

    #[test]
    fn paths_are_relative() {
        assert_eq!(in_workspace(Path::new("./boards/a.csv")), "boards/a.csv");
    }
}
