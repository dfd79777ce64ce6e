//! The lines of journals and parts, each of which vouches for all that come before it.
//!
//! The first line is the [`Job`]. Each other line is the record of a page with a field `journal`: the size and the time of
//! its file, and `sum`, the first 16 bytes of the SHA-256 of everything before it in the file. A part, which is a journal
//! whose run has ended, has one more line, which says how many records there are. So what is missing or was changed is
//! noticed at the next line, and what is missing at the end by the lack of the last line.
//!
//! Nothing here knows the program, so that the fuzz targets can include this file.

use std::{
    fmt, fs, io,
    io::{BufRead, Read},
    path::Path,
    time::UNIX_EPOCH,
};

use fenlens::{Record, output::record::JournalRecord};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::shard::Shard;

/// The longest line that is read, in bytes: a page of thousands of boards.
const MOST_LINE: u64 = 64 << 20;

/// The identity of a run: everything that must be the same for two runs to give the same records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// What this line is: `fenlens batch`.
    pub journal: String,
    /// The version of these lines: [`Job::FORMAT`].
    pub format: u32,
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

/// Why a line is not the [`Job`] of a run that this version can go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoJob {
    /// It is something else.
    Other,
    /// It is of an older version, whose files do not say what they should hold.
    Older,
    /// It is of a newer version.
    Newer,
}

impl fmt::Display for NoJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoJob::Other => "not written by a batch",
            NoJob::Older => "written by an older version of fenlens, so whether it is whole cannot be told",
            NoJob::Newer => "written by a newer version of fenlens, which this one does not know",
        })
    }
}

impl Job {
    /// The value of `journal`.
    pub const NAME: &str = "fenlens batch";

    /// The value of `format`. Files of format 1 had neither this field, nor sums, nor a last line.
    pub const FORMAT: u32 = 2;

    /// The job of the first line of a journal or part.
    ///
    /// # Errors
    /// [`NoJob`].
    pub fn parse(line: &str) -> Result<Job, NoJob> {
        #[derive(Deserialize)]
        struct Any {
            journal: String,
            format: Option<u32>,
        }
        let any = serde_json::from_str::<Any>(line).ok().filter(|any| any.journal == Job::NAME);
        match any.ok_or(NoJob::Other)?.format.unwrap_or(1) {
            Job::FORMAT => serde_json::from_str(line).map_err(|_| NoJob::Other),
            format if format < Job::FORMAT => Err(NoJob::Older),
            _ => Err(NoJob::Newer),
        }
    }

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

/// The size and time of a file, by which a change is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileState {
    /// Its size.
    pub bytes: u64,
    /// When it was changed last, in nanoseconds since 1970.
    pub modified: i64,
}

impl FileState {
    /// The state of a file; `None` where there is none.
    pub fn of(path: &Path) -> Option<FileState> {
        let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let time = facts.modified().ok()?;
        let nanoseconds = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_nanos()).ok()?,
            Err(before) => -i64::try_from(before.duration().as_nanos()).ok()?,
        };
        Some(FileState { bytes: facts.len(), modified: nanoseconds })
    }

    fn of_record(journal: &JournalRecord) -> Option<FileState> {
        Some(FileState { bytes: journal.bytes?, modified: journal.modified? })
    }
}

/// What was written so far, as its digest.
#[derive(Clone)]
pub struct Seal {
    hash: Sha256,
    records: u64,
}

/// The last line of a part.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct End {
    journal: String,
    records: u64,
    sum: String,
}

/// What is before the record's own end in its line: it cannot be in a string, where quotation marks are escaped.
const JOURNAL: &str = r#","journal":{"#;
const SUM: &str = r#""sum":""#;
const END: &str = r#"{"journal":"end","#;

impl Seal {
    /// The first line, with its line feed, and the seal after it.
    pub fn begin(job: &Job) -> (Seal, String) {
        let line = serde_json::to_string(job).expect("a job has string keys") + "\n";
        (Seal::after_job(line.trim_end()), line)
    }

    fn after_job(line: &str) -> Seal {
        Seal { hash: Sha256::new().chain_update(line).chain_update("\n"), records: 0 }
    }

    /// The line of a record given as JSON, with its line feed, and the seal after it.
    pub fn record(&self, json: &str, file: Option<FileState>) -> (Seal, String) {
        let fact = |value: Option<String>| value.unwrap_or_else(|| "null".into());
        let (bytes, modified) =
            (fact(file.map(|file| file.bytes.to_string())), fact(file.map(|file| file.modified.to_string())));
        let open = json.strip_suffix('}').unwrap_or(json);
        let start = format!(r#"{open}{JOURNAL}"bytes":{bytes},"modified":{modified},"#);
        let line = format!("{start}{SUM}{}\"}}}}\n", self.sum(&start));
        (self.after(&line), line)
    }

    /// The last line of a part, with its line feed.
    pub fn end(&self) -> String {
        let start = format!(r#"{END}"records":{},"#, self.records);
        format!("{start}{SUM}{}\"}}\n", self.sum(&start))
    }

    /// The digest of all lines so far and the beginning of the next.
    fn sum(&self, start: &str) -> String {
        let digest = self.hash.clone().chain_update(start).finalize();
        hex::encode(&digest[..16])
    }

    fn after(&self, line: &str) -> Seal {
        Seal { hash: self.hash.clone().chain_update(line), records: self.records + 1 }
    }

    /// The sealed line of a record as the record: its JSON without what was added, and its file. `None` unless it is a
    /// record, and its sum fits.
    fn open(&self, line: &str) -> Option<Sealed> {
        let (start, rest) = line.rsplit_once(SUM)?;
        let (open, _) = start.rsplit_once(JOURNAL)?;
        if rest.strip_suffix("\"}}")? != self.sum(start) {
            return None;
        }
        let mut record = serde_json::from_str::<Record>(line).ok()?;
        let file = FileState::of_record(&record.journal.take()?);
        Some(Sealed { json: format!("{open}}}"), record: Box::new(record), file })
    }
}

/// A record that was read.
#[derive(Debug)]
pub struct Sealed {
    /// The record.
    pub record: Box<Record>,
    /// The record as JSON, as an output has it.
    pub json: String,
    /// Its file, when it was read.
    pub file: Option<FileState>,
}

/// Why a journal or part cannot be read on.
#[derive(Debug)]
pub enum Flaw {
    /// The system's error.
    Io(io::Error),
    /// The file ends in the middle of a line.
    Cut(u64),
    /// A line that is no record, or does not follow from those before it.
    Line(u64),
    /// The last line is there, but is not that of these records.
    End {
        /// How many records there are.
        records: u64,
        /// How many it says there are.
        said: u64,
    },
    /// Something comes after the last line.
    AfterEnd(u64),
    /// The last line is missing.
    NoEnd,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Io(error) => error.fmt(f),
            Flaw::Cut(line) => write!(f, "it is cut off in line {line}"),
            Flaw::Line(line) => {
                write!(f, "line {line} is not what was written there: it or a line before it is missing or changed")
            }
            Flaw::End { records, said } => {
                write!(f, "its last line is that of {said} records, and there are {records}, or others")
            }
            Flaw::AfterEnd(line) => write!(f, "line {line} comes after its last line"),
            Flaw::NoEnd => f.write_str("its last line is missing: it is cut off, or its run has not ended"),
        }
    }
}

/// Reads a journal or part, and makes sure of every line.
pub struct Reader<R> {
    reader: R,
    seal: Seal,
    /// The job.
    pub job: Job,
    /// Bytes of the lines of the job and of the records given so far.
    pub read: u64,
    line: u64,
    ended: bool,
}

/// Why nothing of a file can be read.
#[derive(Debug)]
pub enum Unreadable {
    /// The system's error.
    Io(io::Error),
    /// There is no whole line.
    Empty,
    /// Its first line is not that of a job.
    NoJob(NoJob),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Io(error) => error.fmt(f),
            Unreadable::Empty => NoJob::Other.fmt(f),
            Unreadable::NoJob(why) => why.fmt(f),
        }
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn open(mut reader: R) -> Result<Reader<R>, Unreadable> {
        let line = match next_line(&mut reader).map_err(Unreadable::Io)? {
            Some(line) if line.is_whole => line,
            _ => return Err(Unreadable::Empty),
        };
        let text = line.text.ok_or(Unreadable::NoJob(NoJob::Other))?;
        let job = Job::parse(&text).map_err(Unreadable::NoJob)?;
        Ok(Reader { reader, seal: Seal::after_job(&text), job, read: line.bytes, line: 1, ended: false })
    }

    /// The next record; `None` at the end of the file.
    ///
    /// # Errors
    /// [`Flaw`]; nothing can be read after it.
    pub fn record(&mut self) -> Result<Option<Sealed>, Flaw> {
        let Some(line) = next_line(&mut self.reader).map_err(Flaw::Io)? else { return Ok(None) };
        self.line += 1;
        let flaw = Flaw::Line(self.line);
        if self.ended {
            return Err(Flaw::AfterEnd(self.line));
        }
        if !line.is_whole {
            return Err(Flaw::Cut(self.line));
        }
        let text = line.text.ok_or(flaw)?;
        if text.starts_with(END) {
            self.ended = true;
            return self.end(&text).and_then(|()| self.record());
        }
        let sealed = self.seal.open(&text).ok_or(Flaw::Line(self.line))?;
        self.seal = self.seal.after(&(text + "\n"));
        self.read += line.bytes;
        Ok(Some(sealed))
    }

    fn end(&self, text: &str) -> Result<(), Flaw> {
        if text == self.seal.end().trim_end() {
            return Ok(());
        }
        let end = serde_json::from_str::<End>(text).map_err(|_| Flaw::Line(self.line))?;
        Err(Flaw::End { records: self.seal.records, said: end.records })
    }

    /// The next record of a part; `None` after its last line.
    ///
    /// # Errors
    /// [`Flaw`], also when the last line is missing.
    pub fn record_of_part(&mut self) -> Result<Option<Sealed>, Flaw> {
        match self.record()? {
            None if !self.ended => Err(Flaw::NoEnd),
            record => Ok(record),
        }
    }

    /// The seal after what was read.
    pub fn seal(&self) -> Seal {
        self.seal.clone()
    }
}

/// A line without its line feed.
struct Line {
    /// `None` when it is not UTF-8 or too long.
    text: Option<String>,
    bytes: u64,
    is_whole: bool,
}

fn next_line(reader: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let bytes = reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut line)? as u64;
    if bytes == 0 {
        return Ok(None);
    }
    let is_whole = line.pop_if(|last| *last == b'\n').is_some();
    let too_long = bytes == MOST_LINE && !is_whole;
    let text = String::from_utf8(line).ok().filter(|_| !too_long);
    Ok(Some(Line { text, bytes, is_whole: is_whole || too_long }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            journal: Job::NAME.into(),
            format: Job::FORMAT,
            version: "1".into(),
            models: "m".into(),
            runtime: "built-in".into(),
            limits: [1, 2, 3],
            inputs: 3,
            digest: "d".into(),
            review: false,
            part: None,
        }
    }

    fn json(n: u32) -> String {
        let path = format!(r#"{n}\",\"journal\":{{\"sum\":\"x.png"#);
        format!(
            r#"{{"schema":1,"path":"{path}","input":{n},"status":"no-board","boards":[],"error":null,"model":"m"}}"#
        )
    }

    /// A part of three records.
    fn part() -> String {
        let (mut seal, mut text) = Seal::begin(&job());
        for (n, file) in [(1, Some(FileState { bytes: 7, modified: -8 })), (2, None), (3, None)] {
            let (next, line) = seal.record(&json(n), file);
            text += &line;
            seal = next;
        }
        text + &seal.end()
    }

    fn read(text: &str) -> Result<Vec<Sealed>, String> {
        let mut reader = Reader::open(text.as_bytes()).map_err(|error| error.to_string())?;
        let mut records = Vec::new();
        while let Some(record) = reader.record_of_part().map_err(|flaw| flaw.to_string())? {
            records.push(record);
        }
        Ok(records)
    }

    #[test]
    fn what_is_written_is_read() {
        let records = read(&part()).unwrap();
        assert_eq!(records.len(), 3);
        for (n, record) in (1..).zip(&records) {
            assert_eq!(record.json, json(n));
            assert_eq!(*record.record, serde_json::from_str(&json(n)).unwrap());
        }
        assert_eq!(records[0].file, Some(FileState { bytes: 7, modified: -8 }));
        assert_eq!(records[1].file, None);
        // A line is a record for others too.
        assert!(part().lines().skip(1).take(3).all(|line| serde_json::from_str::<Record>(line).is_ok()));
    }

    /// A line more or less, other lines, the end cut off anywhere, and a byte changed anywhere.
    #[test]
    fn what_is_not_whole_is_refused() {
        let whole = part();
        let lines: Vec<&str> = whole.lines().collect();
        let joined = |lines: &[&str]| lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        for gone in 0..lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(gone);
            read(&joined(&fewer)).unwrap_err();
            let mut more = lines.clone();
            more.insert(gone, lines[gone]);
            read(&joined(&more)).unwrap_err();
        }
        for end in 0..whole.len() {
            let error = read(&whole[..end]).unwrap_err();
            let words = ["cut off", "last line is missing", "not written by a batch"];
            assert!(words.iter().any(|words| error.contains(words)), "{error}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone().into_bytes();
            bytes[at] ^= 1;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            read(&text).unwrap_err();
        }
        assert!(read(&(whole.clone() + "x")).unwrap_err().contains("line 6 comes after its last line"));
        let fewer = [lines[0], lines[1], lines[2], lines[4]];
        assert_eq!(
            read(&joined(&fewer)).unwrap_err(),
            "its last line is that of 3 records, and there are 2, or others"
        );
    }

    #[test]
    fn other_versions_are_named() {
        assert_eq!(Job::parse(&serde_json::to_string(&job()).unwrap()), Ok(job()));
        let of = |format: &str| Job::parse(&format!(r#"{{"journal":"fenlens batch"{format},"version":"1"}}"#));
        assert_eq!([of(""), of(r#","format":1"#)], [Err(NoJob::Older), Err(NoJob::Older)]);
        assert_eq!(of(r#","format":3"#), Err(NoJob::Newer));
        assert_eq!([of(r#","format":2"#), Job::parse("{}")], [Err(NoJob::Other), Err(NoJob::Other)]);
    }
}
