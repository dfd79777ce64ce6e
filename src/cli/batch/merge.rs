//! `fenlens batch --merge`: makes the output of the whole run from its parts.

use std::{collections::BinaryHeap, path::PathBuf};

use fenlens::Record;

use super::{
    args::BatchArgs,
    finish::Finish,
    journal::{Job, Lines},
    progress::Tally,
    source::Key,
};
use crate::cli::{exit::Exit, output};

/// A part, with its next record.
struct Part {
    name: String,
    lines: Lines,
}

/// The next record of a part. Ordered so that the heap gives the first one first.
struct Due {
    key: Key,
    part: usize,
    record: Box<Record>,
    json: String,
}

impl PartialEq for Due {
    fn eq(&self, other: &Due) -> bool {
        self.key == other.key
    }
}

impl Eq for Due {}

impl PartialOrd for Due {
    fn partial_cmp(&self, other: &Due) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Due {
    fn cmp(&self, other: &Due) -> std::cmp::Ordering {
        other.key.cmp(&self.key)
    }
}

/// Joins the parts.
///
/// # Errors
/// In words.
pub fn run(args: &BatchArgs) -> Result<Exit, String> {
    let mut parts = open(&args.paths)?;
    let mut finish = Finish::begin(&args.output, args.format(), args.review.as_deref())?;
    let mut heap = BinaryHeap::new();
    for (index, part) in parts.iter_mut().enumerate() {
        heap.extend(part.next(index)?);
    }
    let mut tally = Tally::default();
    let mut last = None;
    while let Some(due) = heap.pop() {
        if last == Some(due.key) {
            return Err(format!("{}: a page that is in another part too: {}", parts[due.part].name, due.record.path));
        }
        last = Some(due.key);
        tally.add(&due.record);
        finish.add(&due.record, &due.json)?;
        if let Some(next) = parts[due.part].next(due.part)? {
            if next.key <= due.key {
                return Err(format!("{}: the records are not in order", parts[due.part].name));
            }
            heap.push(next);
        }
    }
    finish.end()?;
    output::note(format_args!("{tally}"));
    Ok(super::exit_of(&tally, false))
}

/// Opens the parts and makes sure that they are all there, once each, and of one run.
fn open(paths: &[PathBuf]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut there: Vec<Option<String>> = Vec::new();
    let mut whole: Option<Job> = None;
    for path in paths {
        let name = output::show(path);
        let mut lines = Lines::open(path)?;
        let first = lines.next().transpose().map_err(|error| format!("{name}: {error}"))?.unwrap_or_default();
        let job = serde_json::from_str::<Job>(&first).ok().filter(|job| job.journal == Job::NAME);
        let Some((job, shard)) = job.and_then(|job| job.part.map(|part| (job, part))) else {
            return Err(format!("{name}: not a part written with --shard"));
        };
        let job = Job { part: None, ..job };
        there.resize(shard.count as usize, None);
        match &whole {
            None => whole = Some(job),
            Some(whole) => {
                if let Some(difference) = whole.difference(&job) {
                    return Err(format!("{name} is a part of another run: {difference}"));
                }
            }
        }
        match there.get_mut(shard.index as usize - 1) {
            Some(slot @ None) => *slot = Some(name.clone()),
            Some(Some(other)) => return Err(format!("{name}: part {shard} is {other} already")),
            None => return Err(format!("{name}: part {shard} of a run that is divided otherwise")),
        }
        parts.push(Part { name, lines });
    }
    let missing: Vec<String> =
        there.iter().enumerate().filter(|(_, part)| part.is_none()).map(|(index, _)| (index + 1).to_string()).collect();
    if !missing.is_empty() {
        return Err(format!("of {} parts these are missing: {}", there.len(), missing.join(", ")));
    }
    Ok(parts)
}

impl Part {
    fn next(&mut self, part: usize) -> Result<Option<Due>, String> {
        let Some(json) = self.lines.next().transpose().map_err(|error| format!("{}: {error}", self.name))? else {
            return Ok(None);
        };
        let record = serde_json::from_str::<Record>(&json).ok();
        let due =
            record.and_then(|record| Key::of(&record).map(|key| Due { key, part, record: Box::new(record), json }));
        due.map(Some).ok_or_else(|| format!("{}: a line that is no record of a batch", self.name))
    }
}
