//! Results on standard output, everything else on standard error.

use std::{fmt::Display, io, io::Write, path::Path};

use super::exit::Exit;

/// Writes a line to standard output and passes it on at once, since a reader in a pipe may be waiting for it.
///
/// # Errors
/// The error of the system.
pub fn result(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Writes to standard output. That the reader has seen enough is not an error.
///
/// # Errors
/// In words.
pub fn print(bytes: &[u8]) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("standard output: {error}")),
        _ => Ok(()),
    }
}

/// Writes a note to standard error. That it cannot be written is ignored.
pub fn note(note: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{note}");
}

/// Says why the program cannot go on; the exit code that follows.
pub fn failure(why: impl Display) -> Exit {
    note(format_args!("fenlens: {why}"));
    Exit::Failure
}

/// A number of things: `1 board`, `2 boards`.
pub fn count<N: Display + PartialEq + From<u8>>(number: N, thing: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A path as it can be shown: control characters, which a terminal would obey, become visible.
pub fn show(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_things() {
        assert_eq!([count(0u64, "page"), count(1, "page"), count(2, "page")], ["0 pages", "1 page", "2 pages"]);
    }
}
