//! Results on standard output, everything else on standard error.

use std::{
    fmt::Display,
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    process,
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
pub fn show(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

/// Writes a file that appears under its name only when it is whole, so one that was there before is kept when anything
/// fails.
///
/// # Errors
/// In words, with the path.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    save_with(path, |file| file.write_all(bytes))
}

/// Like [`save`], for what is written piece by piece.
///
/// # Errors
/// In words, with the path.
pub fn save_with(path: &Path, write: impl FnOnce(&mut fs::File) -> io::Result<()>) -> Result<(), String> {
    let save = || {
        // Neither a device nor what a link points to may be replaced by a file.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(facts) if !facts.is_file() => write(&mut fs::OpenOptions::new().write(true).open(&target)?),
            _ => {
                let part = neighbour(&target, "part");
                let written = fs::File::create(&part).and_then(|mut file| write(&mut file));
                let written = written.and_then(|()| fs::rename(&part, &target));
                if written.is_err() {
                    // The first error is the one to tell.
                    let _ = fs::remove_file(&part);
                }
                written
            }
        }
    };
    save().map_err(|error| format!("{}: {error}", show(path)))
}

/// A name beside a file that nothing else has.
pub fn neighbour(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.{ending}", process::id()))
}
