//! Results on standard output, everything else on standard error.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// Writes a line to standard output and passes it on at once, since a reader in a pipe may be waiting for it.
pub fn result(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// Writes a note to standard error. That nobody listens is no reason to fail.
pub fn note(note: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{note}");
}

/// A path as it can be shown: control characters, which a terminal would obey, become visible.
pub fn show(path: &std::path::Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}
