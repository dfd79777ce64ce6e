//! The journal: what a run has done so far, on disk. Its first line says what the run is, each other line is the record of
//! a page, in order. A line is written with one call. What a crash leaves after the last line feed is cut off when the
//! run is resumed, and that page is read again.

use std::{
    fs,
    fs::{File, OpenOptions, TryLockError},
    io,
    io::{BufRead, BufReader, Seek, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use fenlens::Record;
use serde::{Deserialize, Serialize};

use super::{shard::Shard, source::Key};
use crate::cli::{files::with_suffix, output};

/// The identity of a run: everything that must be the same for two runs to give the same records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// What this line is: `fenlens batch`.
    pub journal: String,
    /// The version of the program.
    pub version: String,
    /// The models.
    pub models: String,
    /// What ran them.
    pub runtime: String,
    /// The limits on files and pictures.
    pub limits: [u64; 3],
    /// How many files there are.
    pub inputs: u32,
    /// A digest of their names in order.
    pub digest: String,
    /// Whether doubtful boards were cut out.
    pub review: bool,
    /// Which part of the work this is; `None` for all of it.
    pub part: Option<Shard>,
}

impl Job {
    /// The value of `journal`.
    pub const NAME: &str = "fenlens batch";

    /// What differs, in words; `None` when both runs give the same records.
    pub fn difference(&self, now: &Job) -> Option<String> {
        let part = |job: &Job| job.part.map_or("all of it".into(), |part| part.to_string());
        let facts = [
            ("the version of fenlens", self.version.clone(), now.version.clone()),
            ("the models", self.models.clone(), now.models.clone()),
            ("the runtime", self.runtime.clone(), now.runtime.clone()),
            ("the limits", format!("{:?}", self.limits), format!("{:?}", now.limits)),
            ("the number of files", self.inputs.to_string(), now.inputs.to_string()),
            ("the files (their names in order)", short(&self.digest), short(&now.digest)),
            ("--review", self.review.to_string(), now.review.to_string()),
            ("--shard", part(self), part(now)),
        ];
        facts
            .into_iter()
            .find(|(_, then, now)| then != now)
            .map(|(what, then, now)| format!("{what}: then {then}, now {now}"))
    }
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}

/// How many seconds of work may be lost when the power fails. When only the program ends, nothing is lost.
const UNSYNCED: Duration = Duration::from_secs(5);

/// An open journal. Nobody else can have it open.
pub struct Journal {
    file: File,
    path: PathBuf,
    length: u64,
    synced: Instant,
}

/// What was found in a journal.
pub struct Found {
    /// The key of its last record.
    pub last: Option<Key>,
    /// Bytes that were cut off at its end.
    pub torn: u64,
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
        let mut journal = Journal::open(path, true)?;
        journal.reset(job)?;
        Ok(journal)
    }

    /// Continues the journal of the same run, and passes its records to `show`.
    ///
    /// # Errors
    /// In words, when it is the journal of another run, or no journal.
    pub fn resume(path: PathBuf, job: &Job, mut show: impl FnMut(&Record)) -> Result<(Journal, Found), String> {
        let mut journal = Journal::open(path, false)?;
        let name = output::show(&journal.path);
        let explain = |error: io::Error| format!("{name}: {error}");
        let whole = journal.file.metadata().map_err(explain)?.len();
        let mut lines = journal.reread().map_err(explain)?;
        let Some(first) = lines.next().transpose().map_err(explain)? else {
            // The run was stopped before its first line was written.
            journal.reset(job)?;
            return Ok((journal, Found { last: None, torn: whole }));
        };
        let then = serde_json::from_str::<Job>(&first).ok().filter(|job| job.journal == Job::NAME);
        let then = then.ok_or_else(|| format!("{name}: not the journal of a batch"))?;
        if let Some(difference) = then.difference(job) {
            return Err(format!("{name} is of another run and cannot be resumed: {difference}; --force begins anew"));
        }
        let mut last = None;
        let mut good = lines.read;
        while let Some(line) = lines.next() {
            let record = serde_json::from_str::<Record>(&line.map_err(explain)?).ok();
            let Some((record, key)) = record.and_then(|record| Key::of(&record).map(|key| (record, key))) else {
                break;
            };
            if last.is_some_and(|last| key <= last) {
                break;
            }
            show(&record);
            last = Some(key);
            good = lines.read;
        }
        journal.file.set_len(good).map_err(explain)?;
        journal.length = good;
        Ok((journal, Found { last, torn: whole - good }))
    }

    /// Adds a record, given as JSON.
    ///
    /// # Errors
    /// The error of the system. The record is then not in the journal, not even a part of it.
    pub fn append(&mut self, json: &str) -> io::Result<()> {
        let line = format!("{json}\n");
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

    /// The lines of the finished journal: the first is the [`Job`].
    ///
    /// # Errors
    /// In words.
    pub fn lines(&self) -> Result<Lines, String> {
        let synced = self.file.sync_all().and_then(|()| self.reread());
        synced.map_err(|error| format!("{}: {error}", output::show(&self.path)))
    }

    /// Reads through the same handle, since a locked file may be closed to any other.
    fn reread(&self) -> io::Result<Lines> {
        let mut file = self.file.try_clone()?;
        file.rewind()?;
        Ok(Lines::of(file))
    }

    /// Makes the journal itself the output.
    ///
    /// # Errors
    /// The error of the system.
    pub fn rename(self, out: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, out)
    }

    /// Removes the journal, once what it holds is elsewhere.
    ///
    /// # Errors
    /// The error of the system.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }

    fn open(path: PathBuf, create: bool) -> Result<Journal, String> {
        let name = output::show(&path);
        let opened = OpenOptions::new().read(true).append(true).create(create).open(&path);
        let file = opened.map_err(|error| format!("{name}: {error}"))?;
        // On a file system without locks, a second run at the same time is not noticed.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(format!("{name}: another run is writing it"));
        }
        Ok(Journal { file, path, length: 0, synced: Instant::now() })
    }

    fn reset(&mut self, job: &Job) -> Result<(), String> {
        self.length = 0;
        let json = serde_json::to_string(job).expect("a job has string keys");
        let written = self.file.set_len(0).and_then(|()| self.append(&json));
        written.map_err(|error| format!("{}: {error}", output::show(&self.path)))
    }
}

/// The whole lines of a file, without their line feeds.
pub struct Lines {
    reader: BufReader<File>,
    /// Bytes of the lines given so far.
    pub read: u64,
}

impl Lines {
    /// The lines of a file.
    ///
    /// # Errors
    /// In words.
    pub fn open(path: &Path) -> Result<Lines, String> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", output::show(path)))?;
        Ok(Lines::of(file))
    }

    fn of(file: File) -> Lines {
        Lines { reader: BufReader::with_capacity(1 << 16, file), read: 0 }
    }
}

impl Iterator for Lines {
    type Item = io::Result<String>;

    fn next(&mut self) -> Option<io::Result<String>> {
        let mut line = Vec::new();
        match self.reader.read_until(b'\n', &mut line) {
            Ok(length) => {
                line.pop_if(|last| *last == b'\n')?;
                self.read += length as u64;
                // What is not UTF-8 is no record, and nothing after it can be trusted.
                String::from_utf8(line).ok().map(Ok)
            }
            Err(error) => Some(Err(error)),
        }
    }
}
