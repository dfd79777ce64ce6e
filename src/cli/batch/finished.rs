//! Whether a finished output is whole, of the same run, and of files that have not changed since.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use fenlens::Record;

use super::{
    args::FileLimits,
    child::Children,
    journal::Changes,
    lines::{Job, Reader},
    source::{Key, Signals, Source},
};
use crate::cli::output;

/// Makes sure of a part: by its own sums, and by the files as they are now.
///
/// # Errors
/// What is wrong with it, to follow the word `and`.
pub fn part(path: &Path, job: &Job, files: &[PathBuf]) -> Result<(), String> {
    let mut records = Reader::open(open(path)?).map_err(|error| format!("is no part: {error}"))?;
    if let Some(difference) = records.job.difference(job) {
        return Err(format!("is of another run: {difference}"));
    }
    let mut changes = Changes::of(files);
    while let Some(sealed) = records.record_of_part().map_err(|flaw| format!("is not whole: {flaw}"))? {
        let key = Key::of(&sealed.record).filter(|key| key.is_of(files.len()));
        changes.since(key.ok_or("is of another run: the files differ")?, &sealed);
    }
    unchanged(files, &changes.found)
}

/// Makes sure of an output of JSON lines, which says nothing of itself: every page of every file must have its record, in
/// order, and no file may be younger than the output. Documents are opened to count their pages.
///
/// # Errors
/// What is wrong with it, to follow the word `and`.
pub fn records(
    path: &Path,
    job: &Job,
    files: &[PathBuf],
    limits: FileLimits,
    children: Arc<Children>,
) -> Result<(), String> {
    let signals = Signals::default();
    let mut pages = Source::new(files, limits, children, None, None, &signals);
    for line in open(path)?.lines() {
        let line = line.map_err(|error| format!("cannot be read: {error}"))?;
        let record = serde_json::from_str::<Record>(&line).ok();
        let record = record.ok_or("is of another run: it has lines that are no records")?;
        let key = Key::of(&record).filter(|key| key.is_of(files.len()));
        let named = key.filter(|key| output::name(files[key.input as usize - 1].as_os_str()) == record.path);
        let key =
            named.filter(|_| record.model == job.models).ok_or("is of another run: the files or the models differ")?;
        match pages.next() {
            Some(page) if page.key == key => {}
            Some(page) => return Err(missing(page.key, files)),
            None => return Err(format!("has a record too many: {}", words(key, files))),
        }
    }
    if let Some(page) = pages.next() {
        return Err(missing(page.key, files));
    }
    let written = modified(path);
    let younger = |file: &Path| modified(file).is_none_or(|time| written.is_none_or(|written| time > written));
    let changed: Vec<usize> =
        (0..files.len()).filter(|&index| files[index].exists() && younger(&files[index])).collect();
    unchanged(files, &changed)
}

fn missing(key: Key, files: &[PathBuf]) -> String {
    format!("is not whole: there is no record of {}", words(key, files))
}

/// A page in words.
fn words(key: Key, files: &[PathBuf]) -> String {
    let name = output::show(&files[key.input as usize - 1]);
    if key.page == 0 { name } else { format!("{name}, page {}", key.page) }
}

fn unchanged(files: &[PathBuf], changed: &[usize]) -> Result<(), String> {
    if changed.is_empty() {
        return Ok(());
    }
    Err(format!("these have changed since: {}", Changes::names(files, changed)))
}

fn open(path: &Path) -> Result<BufReader<File>, String> {
    File::open(path).map(BufReader::new).map_err(|error| format!("cannot be read: {error}"))
}

fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().ok()?.modified().ok()
}
