//! `fenlens batch --merge`: makes the output of the whole run from its parts.

use std::{
    collections::{BTreeMap, BinaryHeap},
    fs,
    fs::File,
    io::BufReader,
    path::{Path, PathBuf},
};

use super::{
    args::BatchArgs,
    finish::{Finish, Temporary},
    lines::{Job, NoJob, Reader, Sealed, Unreadable},
    progress::Tally,
    source::Key,
};
use crate::cli::{exit::Exit, output};

/// A part that is being read.
struct Part {
    name: String,
    records: Reader<BufReader<File>>,
}

/// The next record of a part. Ordered so that the heap gives the first one first.
struct Due {
    key: Key,
    part: usize,
    sealed: Sealed,
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
    let mut finish = Finish::begin(&args.output, args.format(), args.review.as_deref(), Temporary::Unique)?;
    let mut heap = BinaryHeap::new();
    for (index, part) in parts.iter_mut().enumerate() {
        heap.extend(part.next(index)?);
    }
    let mut tally = Tally::default();
    let mut last: Option<Due> = None;
    while let Some(due) = heap.pop() {
        let Sealed { record, json, .. } = &due.sealed;
        if let Some(last) = &last {
            let [then, now] = [last, &due].map(|due| &parts[due.part].name);
            if last.key == due.key {
                return Err(format!("{now}: a page that is in another part too: {}", output::line(&record.path)));
            }
            if let Some((before, after)) = changed(last, &due) {
                let path = output::line(&record.path);
                return Err(format!("{path} had {before} bytes when it was read for {then}, and {after} for {now}"));
            }
        }
        tally.add(record);
        finish.add(record, json)?;
        if let Some(next) = parts[due.part].next(due.part)? {
            if next.key <= due.key {
                return Err(format!("{}: the records are not in order", parts[due.part].name));
            }
            heap.push(next);
        }
        last = Some(due);
    }
    finish.end()?;
    output::note(format_args!("{tally}"));
    Ok(super::exit_of(&tally, false))
}

/// The sizes of the file of two records, when it is the same file and was changed in between. Its time may be another on
/// every machine.
fn changed(last: &Due, due: &Due) -> Option<(u64, u64)> {
    let (then, now) = (last.sealed.file?.bytes, due.sealed.file?.bytes);
    (last.key.input == due.key.input && then != now).then_some((then, now))
}

/// Opens the parts and makes sure that they are all there, once each, and of one run.
fn open(paths: &[PathBuf]) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut whole: Option<(Job, u32)> = None;
    // By index. The files say how many parts there are, so no memory is reserved for that number.
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for path in paths {
        let name = output::show(path);
        let records = open_part(path).map_err(|error| format!("{name}: {error}"))?;
        let Some(shard) = records.job.part else { return Err(format!("{name}: {NO_PART}")) };
        let job = Job { part: None, ..records.job.clone() };
        let (whole, count) = whole.get_or_insert_with(|| (job.clone(), shard.count));
        if let Some(difference) = whole.difference(&job) {
            return Err(format!("{name} is a part of another run: {difference}"));
        }
        if shard.count != *count {
            return Err(format!("{name}: part {shard} of a run that is divided otherwise"));
        }
        if let Some(other) = names.insert(shard.index, name.clone()) {
            return Err(format!("{name}: part {shard} is {other} already"));
        }
        parts.push(Part { name, records });
    }
    let count = whole.map_or(0, |(_, count)| count);
    match missing(&names, count) {
        Some(missing) => Err(format!("of {count} parts these are missing: {missing}")),
        None => Ok(parts),
    }
}

const NO_PART: &str = "not a part written with --shard";

fn open_part(path: &Path) -> Result<Reader<BufReader<File>>, String> {
    // A pipe would be waited for, and cannot be a part.
    if !fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("not a file".into());
    }
    let file = File::open(path).map_err(|error| error.to_string())?;
    Reader::open(BufReader::with_capacity(1 << 16, file)).map_err(|error| match error {
        Unreadable::Empty | Unreadable::NoJob(NoJob::Other) => NO_PART.to_owned(),
        Unreadable::NoJob(why) => format!("{why}; read this part again"),
        Unreadable::Io(error) => error.to_string(),
    })
}

/// The numbers of the parts that are missing, in words; `None` when all `count` parts are there.
fn missing(names: &BTreeMap<u32, String>, count: u32) -> Option<String> {
    /// As many numbers as fit a line or two.
    const MOST_SHOWN: usize = 20;
    let all = count as usize - names.len();
    let shown = (1..=count).filter(|index| !names.contains_key(index)).take(MOST_SHOWN);
    let mut words: Vec<String> = shown.map(|index| index.to_string()).collect();
    if all > words.len() {
        words.push(format!("{} more", all - words.len()));
    }
    (all > 0).then(|| words.join(", "))
}

impl Part {
    fn next(&mut self, part: usize) -> Result<Option<Due>, String> {
        let name = &self.name;
        let next = self.records.record_of_part().map_err(|flaw| format!("{name} is not whole: {flaw}"))?;
        let Some(sealed) = next else { return Ok(None) };
        let key = Key::of(&sealed.record).filter(|key| key.is_of(self.records.job.inputs as usize));
        let key = key.ok_or_else(|| format!("{name}: a record of a file that there is not"))?;
        Ok(Some(Due { key, part, sealed }))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Opens files that say to be these parts, as index and count.
    fn opened(parts: &[(u32, u32)]) -> Result<usize, String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |(number, (index, count)): (usize, &(u32, u32))| {
            let path = folder.path().join(format!("{number}.jsonl"));
            let (name, format) = (Job::NAME, Job::FORMAT);
            let header = format!(
                r#"{{"journal":"{name}","format":{format},"version":"1","models":"m","runtime":"built-in","limits":[1,1,1],"inputs":1,"digest":"d","review":false,"part":{{"index":{index},"count":{count}}}}}"#
            );
            fs::write(&path, header + "\n").unwrap();
            path
        };
        open(&parts.iter().enumerate().map(write).collect::<Vec<_>>()).map(|parts| parts.len())
    }

    #[test]
    fn the_number_of_parts_is_not_believed() {
        assert_eq!(opened(&[(2, 2), (1, 2)]), Ok(2));
        let error = opened(&[(3, u32::MAX)]).unwrap_err();
        assert_eq!(
            error,
            "of 4294967295 parts these are missing: \
             1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 4294967274 more"
        );
        for impossible in [(0, 2), (3, 2), (0, 0)] {
            let error = opened(&[impossible]).unwrap_err();
            assert!(error.ends_with("not a part written with --shard"), "{error}");
        }
    }

    #[test]
    fn parts_of_different_divisions_are_refused() {
        for parts in [[(2, 3), (1, 2)], [(1, 2), (2, 3)], [(1, 2), (2, u32::MAX)]] {
            let error = opened(&parts).unwrap_err();
            assert!(error.ends_with("of a run that is divided otherwise"), "{error}");
        }
    }
}
