//! The journal: what a run has done so far, on disk, in the [lines](super::lines) of a part: first what the run is, then the
//! record of each page, in order. A line is written with one call. When a run is resumed, everything from the first line on
//! that is not as it was written, or whose file has changed since, is cut off, and these pages are read again.

use std::{
    fs,
    fs::{File, OpenOptions, TryLockError},
    io,
    io::{BufReader, Read, Seek, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use fenlens::Record;

use super::{
    lines::{FileState, Flaw, Job, NoJob, Reader, Seal, Sealed, Unreadable},
    source::Key,
};
use crate::cli::{files, files::with_suffix, output};

/// How many seconds of work may be lost when the power fails. When only the program ends, nothing is lost.
const UNSYNCED: Duration = Duration::from_secs(5);

/// An open journal. Nobody else can have it open.
pub struct Journal {
    file: File,
    path: PathBuf,
    length: u64,
    seal: Seal,
    synced: Instant,
}

/// What was found in a journal.
#[derive(Debug, Default)]
pub struct Found {
    /// The key of its last record.
    pub last: Option<Key>,
    /// Why its end was cut off, in words.
    pub flaw: Option<String>,
    /// The files that have changed since they were read, by their index. The journal was cut off before the first.
    pub changed: Vec<usize>,
}

impl Journal {
    /// Where the journal of an output is.
    pub fn path_of(out: &Path) -> PathBuf {
        with_suffix(out, ".partial")
    }

    /// Begins a journal, and replaces one that exists.
    ///
    /// # Errors
    /// In words.
    pub fn begin(path: PathBuf, job: &Job) -> Result<Journal, String> {
        let mut journal = Journal::open(path, true, job)?;
        journal.reset(job)?;
        Ok(journal)
    }

    /// Continues the journal of the same run, whose files these are, and passes its records to `show`.
    ///
    /// # Errors
    /// In words, when it is the journal of another run, or no journal.
    pub fn resume(
        path: PathBuf,
        job: &Job,
        files: &[PathBuf],
        mut show: impl FnMut(&Record),
    ) -> Result<(Journal, Found), String> {
        let mut journal = Journal::open(path, false, job)?;
        let name = output::show(&journal.path);
        let explain = |error: io::Error| format!("{name}: {error}");
        let mut reader = match Reader::open(journal.reread().map_err(explain)?) {
            Ok(reader) => reader,
            Err(Unreadable::Empty) if journal.is_beginning_of(job).map_err(explain)? => {
                // The run was stopped before its first line was written.
                journal.reset(job)?;
                return Ok((journal, Found::default()));
            }
            Err(Unreadable::Io(error)) => return Err(explain(error)),
            Err(Unreadable::Empty | Unreadable::NoJob(NoJob::Other)) => {
                return Err(format!("{name}: not the journal of a batch"));
            }
            Err(Unreadable::NoJob(why)) => {
                return Err(format!("{name} cannot be resumed: it was {why}; --force begins anew"));
            }
        };
        if let Some(difference) = reader.job.difference(job) {
            return Err(format!("{name} is of another run and cannot be resumed: {difference}; --force begins anew"));
        }
        let mut found = Found::default();
        let mut changes = Changes::of(files);
        (journal.length, journal.seal) = (reader.read, reader.seal());
        loop {
            let sealed = match reader.record() {
                Ok(Some(sealed)) => sealed,
                Ok(None) => break,
                Err(Flaw::Io(error)) => return Err(explain(error)),
                Err(flaw) => {
                    found.flaw = Some(flaw.to_string());
                    break;
                }
            };
            let is_next = |key: &Key| key.is_of(files.len()) && found.last.is_none_or(|last| *key > last);
            let Some(key) = Key::of(&sealed.record).filter(is_next) else {
                found.flaw = Some("a record is not in its place".into());
                break;
            };
            if changes.since(key, &sealed) || !changes.found.is_empty() {
                continue;
            }
            show(&sealed.record);
            found.last = Some(key);
            (journal.length, journal.seal) = (reader.read, reader.seal());
        }
        found.changed = changes.found;
        journal.file.set_len(journal.length).map_err(explain)?;
        Ok((journal, found))
    }

    /// Adds a record, given as JSON, of a file.
    ///
    /// # Errors
    /// The error of the system. The record is then not in the journal, not even a part of it.
    pub fn append(&mut self, json: &str, file: Option<FileState>) -> io::Result<()> {
        let (seal, line) = self.seal.record(json, file);
        self.write(&line)?;
        self.seal = seal;
        Ok(())
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A file can be cut even on a full disk; if that fails, the next run does it.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += line.len() as u64;
        if self.synced.elapsed() > UNSYNCED {
            self.file.sync_data()?;
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// The records of the finished journal.
    ///
    /// # Errors
    /// In words.
    pub fn records(&self) -> Result<Reader<BufReader<File>>, String> {
        let name = output::show(&self.path);
        let file = self.file.sync_all().and_then(|()| self.reread()).map_err(|error| format!("{name}: {error}"))?;
        Reader::open(file).map_err(|error| format!("{name}: {error}"))
    }

    /// Reads through the same handle, since a locked file may be closed to any other.
    fn reread(&self) -> io::Result<BufReader<File>> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(BufReader::with_capacity(1 << 16, file))
    }

    /// Whether it holds a beginning of its first line and nothing else.
    fn is_beginning_of(&self, job: &Job) -> io::Result<bool> {
        let (_, line) = Seal::begin(job);
        let mut start = Vec::new();
        self.reread()?.take(line.len() as u64 + 1).read_to_end(&mut start)?;
        Ok(line.as_bytes().starts_with(&start))
    }

    /// Makes the journal itself the output, a part, by its last line.
    ///
    /// # Errors
    /// In words.
    pub fn become_part(mut self, out: &Path) -> Result<(), String> {
        let end = self.seal.end();
        let ended = self.write(&end).and_then(|()| self.file.sync_all());
        ended.map_err(|error| format!("{}: {error}", output::show(&self.path)))?;
        files::must_be_plain(out)?;
        fs::rename(&self.path, out).map_err(|error| format!("{}: {error}", output::show(out)))
    }

    /// Removes the journal, once what it holds is elsewhere.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    fn open(path: PathBuf, create: bool, job: &Job) -> Result<Journal, String> {
        // What a link points to would be written, or emptied.
        files::must_be_plain(&path)?;
        let name = output::show(&path);
        let opened = OpenOptions::new().read(true).append(true).create(create).open(&path);
        let file = opened.map_err(|error| format!("{name}: {error}"))?;
        // On a file system without locks, a second run at the same time is not noticed.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(format!("{name}: another run is writing it"));
        }
        Ok(Journal { file, path, length: 0, seal: Seal::begin(job).0, synced: Instant::now() })
    }

    fn reset(&mut self, job: &Job) -> Result<(), String> {
        let (seal, line) = Seal::begin(job);
        (self.length, self.seal) = (0, seal);
        let written = self.file.set_len(0).and_then(|()| self.write(&line));
        written.map_err(|error| format!("{}: {error}", output::show(&self.path)))
    }
}

/// Tells which files have changed since they were read. Records are shown in order, so each file is looked at once.
pub struct Changes<'a> {
    files: &'a [PathBuf],
    current: Option<(u32, Option<FileState>)>,
    /// The index of each that has changed.
    pub found: Vec<usize>,
}

impl<'a> Changes<'a> {
    /// Of these files.
    pub fn of(files: &'a [PathBuf]) -> Changes<'a> {
        Changes { files, current: None, found: Vec::new() }
    }

    /// Whether the file of a record is not as it was when the record was written.
    pub fn since(&mut self, key: Key, sealed: &Sealed) -> bool {
        let index = (key.input as usize).saturating_sub(1);
        let now = match self.current {
            Some((input, now)) if input == key.input => now,
            _ => self.files.get(index).and_then(|path| FileState::of(path)),
        };
        self.current = Some((key.input, now));
        let changed = now != sealed.file;
        if changed && self.found.last() != Some(&index) {
            self.found.push(index);
        }
        changed
    }

    /// The names of the changed files, not more than fit a line or two.
    pub fn names(files: &[PathBuf], changed: &[usize]) -> String {
        const MOST_SHOWN: usize = 5;
        let shown = changed.iter().filter_map(|&index| files.get(index)).take(MOST_SHOWN);
        let mut names: Vec<String> = shown.map(|path| output::show(path)).collect();
        if changed.len() > MOST_SHOWN {
            names.push(format!("{} more", changed.len() - MOST_SHOWN));
        }
        names.join(", ")
    }
}
