//! `fenlens batch`: reads whole folders and books into one file, in order, and survives interruptions.
//!
//! Pages come from a [`source`], are read by the threads of the [pool](super::pool), and their records are appended to a
//! [`journal`] beside the output. When all pages are read, the output is made from the journal ([`finish`]).

pub mod args;
mod doubts;
mod finish;
mod formats;
mod inputs;
mod journal;
mod merge;
mod pdf;
mod progress;
mod review;
mod shard;
mod source;

use std::{
    fs, io,
    io::IsTerminal,
    ops::ControlFlow,
    path::{Path, PathBuf},
    process,
    sync::{Arc, atomic::Ordering},
};

use fenlens::{
    Error, Limits, Options, Picture, Recognition, Recognizer, Record, Verdict, error::DecodeError,
    net::runtime::Backend,
};

use self::{
    args::{BatchArgs, FileLimits, Format},
    finish::Finish,
    inputs::{Collector, Inputs},
    journal::{Job, Journal, Lines},
    progress::{Progress, Tally, words},
    source::{Key, Signals, Source, Task},
};
use super::{exit::Exit, output, output::count, readers::Readers};

/// Runs the command.
pub fn run(args: &BatchArgs) -> Exit {
    let done = if args.merge { check_merge(args).and_then(|()| merge::run(args)) } else { batch(args) };
    done.unwrap_or_else(output::failure)
}

fn check_merge(args: &BatchArgs) -> Result<(), String> {
    if args.output.exists() && !args.force {
        return Err(exists(&args.output));
    }
    if args.paths.contains(&args.output) { Err("the output is one of the parts".into()) } else { Ok(()) }
}

fn batch(args: &BatchArgs) -> Result<Exit, String> {
    if args.shard.is_some() && args.format() != Format::Jsonl {
        return Err("a part (--shard) is written as jsonl; --merge makes any format of the parts".into());
    }
    let partial = Journal::path_of(&args.output);
    keep_what_is_there(args, &partial)?;
    let inputs = collect(args)?;
    let options = Options { limits: args.limits().pictures, ..Options::default() };
    let readers = Readers::new(args.jobs, &args.runtime, inputs.pages(), options)?;
    let backend = match readers.backend() {
        Backend::PureRust => "built-in",
        Backend::Native(_) => "native",
    };
    let job = job(args, &inputs, readers.version(), backend);
    if args.resume && !partial.exists() && args.output.exists() {
        finished(args, &job, &inputs)?;
        output::note(format_args!("{} is finished: nothing to do", output::show(&args.output)));
        return Ok(Exit::Success);
    }
    let (journal, after, tally) = begin(args, partial, &job)?;
    let signals = Arc::new(Signals::default());
    listen(signals.clone())?;
    let source = Source::new(&inputs.files, args.limits(), args.shard, after, &signals);
    let run = Run { args, signals: &signals, model: readers.version(), before: tally.pages };
    run.all(&readers, source, journal, tally)
}

/// Refuses to replace an output or a journal without `--force` or `--resume`.
fn keep_what_is_there(args: &BatchArgs, partial: &Path) -> Result<(), String> {
    if args.resume || args.force {
        return Ok(());
    }
    if args.output.exists() {
        return Err(exists(&args.output));
    }
    if partial.exists() {
        let name = output::show(partial);
        return Err(format!(
            "{name} is there from a run that did not end: --resume goes on with it, --force begins anew"
        ));
    }
    Ok(())
}

/// The files to read; makes the folder of the contact sheet, which is not searched.
fn collect(args: &BatchArgs) -> Result<Inputs, String> {
    if let Some(folder) = &args.review {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let inputs = Collector { recursive: args.recursive, except: args.review.as_deref() }.collect(&args.paths)?;
    if inputs.files.contains(&args.output) {
        return Err(format!("{} is one of the files to read", output::show(&args.output)));
    }
    if inputs.repeated > 0 {
        output::note(format_args!("note: {} named more than once, read once", count(inputs.repeated, "file")));
    }
    Ok(inputs)
}

/// Begins the journal or goes on with it. Returns it with the key of its last page and the totals so far.
fn begin(args: &BatchArgs, partial: PathBuf, job: &Job) -> Result<(Journal, Option<Key>, Tally), String> {
    let mut tally = Tally::default();
    if !args.resume || !partial.exists() {
        return Ok((Journal::begin(partial, job)?, None, tally));
    }
    let (journal, found) = Journal::resume(partial, job, |record| tally.add(record))?;
    if found.torn > 0 {
        output::note("note: the last record was not whole and is read again");
    }
    Ok((journal, found.last, tally))
}

fn exists(path: &Path) -> String {
    format!("{} exists already: --force replaces it", output::show(path))
}

fn job(args: &BatchArgs, inputs: &Inputs, models: &str, runtime: &str) -> Job {
    let FileLimits { pictures, document } = args.limits();
    Job {
        journal: Job::NAME.into(),
        version: env!("CARGO_PKG_VERSION").into(),
        models: models.into(),
        runtime: runtime.into(),
        limits: [pictures.bytes, pictures.pixels, document],
        inputs: inputs.files.len() as u32,
        digest: inputs.digest(),
        review: args.review.is_some(),
        part: args.shard,
    }
}

/// Makes sure that a finished output is that of this run, so that a run can be asked for again without harm.
fn finished(args: &BatchArgs, job: &Job, inputs: &Inputs) -> Result<(), String> {
    let name = output::show(&args.output);
    let other = |why: &str| format!("{name} exists already and is of another run: {why}; --force replaces it");
    if args.format() != Format::Jsonl {
        return Err(format!("{name} is finished, and does not say of which run: --force replaces it"));
    }
    let mut lines = Lines::open(&args.output)?;
    if args.shard.is_some() {
        let first = lines.next().and_then(Result::ok).unwrap_or_default();
        let then: Job = serde_json::from_str(&first).map_err(|_| other("it is no part"))?;
        return then.difference(job).map_or(Ok(()), |difference| Err(other(&difference)));
    }
    let mut seen = 0;
    for line in lines {
        let record = line.ok().and_then(|line| serde_json::from_str::<Record>(&line).ok());
        let record = record.ok_or_else(|| other("it has lines that are no records"))?;
        let input = record.input.unwrap_or(0) as usize;
        let named = input.checked_sub(1).and_then(|index| inputs.files.get(index));
        if record.model != job.models || named.is_none_or(|path| path.to_string_lossy() != record.path) {
            return Err(other("the files or the models differ"));
        }
        seen = input;
    }
    if seen == inputs.files.len() { Ok(()) } else { Err(other("it has fewer files")) }
}

/// The first interrupt lets the program finish the pages that are being read, the second ends it at once.
fn listen(signals: Arc<Signals>) -> Result<(), String> {
    let handler = move || {
        if signals.stop.swap(true, Ordering::Relaxed) {
            process::exit(Exit::Interrupted as i32);
        }
        // On a terminal the progress bar is on the current line.
        let line = if io::stderr().is_terminal() { "\n" } else { "" };
        output::note(format_args!("{line}interrupted: finishing the pages in hand; once more to stop at once"));
    };
    ctrlc::set_handler(handler).map_err(|error| format!("interrupts cannot be caught: {error}"))
}

/// The exit code of a run that was finished. A part of the work may well have no board.
fn exit_of(tally: &Tally, is_part: bool) -> Exit {
    if tally.failed > 0 || (tally.boards == 0 && !is_part) { Exit::No } else { Exit::Success }
}

/// The record of a page, and why its cut-outs could not be written.
struct Done {
    record: Record,
    json: String,
    cut_out_error: Option<String>,
}

/// Adds a record to the journal.
fn keep(done: &Done, journal: &mut Journal, name: &str) -> Result<(), String> {
    match &done.cut_out_error {
        Some(error) => Err(error.clone()),
        None => journal.append(&done.json).map_err(|error| format!("{name}: {error}")),
    }
}

/// Says why a page could not be read.
fn note_error(record: &Record, progress: &Progress) {
    if let Some(error) = &record.error {
        let page = record.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let path = output::show(Path::new(&record.path));
        progress.note(format_args!("{path}{page}: {}", error.message));
    }
}

struct Run<'a> {
    args: &'a BatchArgs,
    signals: &'a Signals,
    /// The models, as records name them.
    model: &'a str,
    /// Pages read before this run.
    before: u64,
}

impl Run<'_> {
    /// Reads all pages, and makes the output of their records.
    fn all(
        &self,
        readers: &Readers,
        source: Source<'_>,
        mut journal: Journal,
        mut tally: Tally,
    ) -> Result<Exit, String> {
        let name = output::show(&Journal::path_of(&self.args.output));
        let mut progress = Progress::begin(self.before, self.signals.expected.load(Ordering::Relaxed));
        let broken = readers.in_order(
            source,
            |recognizer, task| self.read(recognizer, task),
            |task, done| {
                let done = done.unwrap_or_else(|error| self.done(&task, Err(error)));
                if let Err(error) = keep(&done, &mut journal, &name) {
                    return ControlFlow::Break(error);
                }
                tally.add(&done.record);
                note_error(&done.record, &progress);
                progress.step(self.before, self.signals.expected.load(Ordering::Relaxed));
                ControlFlow::Continue(())
            },
        );
        let (time, rate) = progress.end();
        let kept = format!("{} kept in {name}: --resume goes on after them", count(tally.pages, "page"));
        if let Some(error) = broken {
            return Err(format!("{error}; {kept}"));
        }
        if self.signals.stopped.load(Ordering::Relaxed) {
            output::note(format_args!("interrupted; {kept}"));
            return Ok(Exit::Interrupted);
        }
        self.finish(journal).map_err(|error| format!("{error}; {kept}"))?;
        output::note(format_args!("{tally}; {}, {rate:.2} pages a second", words(time)));
        Ok(exit_of(&tally, self.args.shard.is_some()))
    }

    fn finish(&self, journal: Journal) -> Result<(), String> {
        let out = &self.args.output;
        let explain = |error: io::Error| format!("{}: {error}", output::show(out));
        if self.args.shard.is_some() {
            return journal.rename(out).map_err(explain);
        }
        let mut finish = Finish::begin(out, self.args.format(), self.args.review.as_deref())?;
        for line in journal.lines()?.skip(1) {
            let line = line.map_err(explain)?;
            let record = serde_json::from_str(&line).map_err(|error| format!("{}: {error}", output::show(out)))?;
            finish.add(&record, &line)?;
        }
        finish.end()?;
        journal.remove().map_err(explain)
    }

    fn read(&self, recognizer: &Recognizer, task: &mut Task) -> Done {
        let read = open_and_recognize(recognizer, task);
        self.done(task, read)
    }

    /// The record of a page that was read or could not be, and its cut-outs.
    fn done(&self, task: &Task, read: Result<(Picture, Option<f64>, Recognition), Error>) -> Done {
        let (opened, outcome) = match read {
            Ok((picture, dpi, found)) => (Some((picture, dpi)), Ok(found)),
            Err(error) => (None, Err(error)),
        };
        let key = task.key;
        let mut record = Record::new(&task.path.to_string_lossy(), &outcome, self.model);
        record.input = Some(key.input);
        record.timings_ms = None;
        if key.page > 0 {
            record.page = Some(key.page);
            (1..).zip(&mut record.boards).for_each(|(number, board)| board.diagram = Some(number));
        }
        let mut cut_out_error = None;
        if let Some((picture, dpi)) = opened {
            // Tenths are finer than any scanner keeps its resolution.
            record.dpi = dpi.map(|dpi| (dpi * 10.0).round() / 10.0);
            cut_out_error = self.cut_out(&picture, key, &record).err();
        }
        Done { json: record.to_json(), record, cut_out_error }
    }

    /// Writes the doubtful boards as pictures, for the contact sheet.
    fn cut_out(&self, picture: &Picture, key: Key, record: &Record) -> Result<(), String> {
        let Some(folder) = &self.args.review else { return Ok(()) };
        for (index, board) in record.boards.iter().enumerate().filter(|(_, board)| board.verdict != Verdict::Accept) {
            review::cut(folder, picture, key, index, board)
                .map_err(|error| format!("{}: {error}", output::show(folder)))?;
        }
        Ok(())
    }
}

fn open_and_recognize(recognizer: &Recognizer, task: &mut Task) -> Result<(Picture, Option<f64>, Recognition), Error> {
    let limits: Limits = recognizer.options().limits;
    let opened = task.open(&limits)?;
    let found = recognizer.recognize(&opened.picture)?;
    if opened.incomplete && found.boards.is_empty() {
        // A scan that cannot be decoded leaves an empty page: that it has no board says nothing about the scan.
        let source = Some("a picture on the page cannot be decoded".into());
        return Err(Error::Decode { error: DecodeError::Broken, source });
    }
    Ok((opened.picture, opened.dpi, found))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: BatchArgs,
    }

    #[test]
    fn a_panic_is_the_record_of_its_page() {
        let Command { args } = Command::parse_from(["batch", "a.png", "-o", "out.jsonl"]);
        let signals = Signals::default();
        let run = Run { args: &args, signals: &signals, model: "m", before: 0 };
        let task = Source::new(&args.paths, args.limits(), None, None, &signals).next().unwrap();
        let done = run.done(&task, Err(Error::Panic { message: "index out of bounds".into() }));
        let error = done.record.error.as_ref().unwrap();
        assert_eq!((error.kind.as_str(), error.message.as_str()), ("panic", "internal error: index out of bounds"));
        assert_eq!(Key::of(&done.record), Some(Key { input: 1, page: 0 }));
        assert!(done.record.timings_ms.is_none() && done.json.contains("a.png") && done.cut_out_error.is_none());
    }
}
