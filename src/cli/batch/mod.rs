//! `fenlens batch`: reads whole folders and books into one file, in order, and survives interruptions.
//!
//! Pages come from a [`source`], are read by the threads of the [pool](super::pool), and their records are appended to a
//! [`journal`] beside the output. When all pages are read, the output is made from the journal ([`finish`]).

pub mod args;
mod child;
mod doubts;
mod finish;
mod finished;
mod formats;
mod inputs;
mod interrupt;
mod journal;
mod lines;
mod merge;
mod pdf;
mod progress;
mod review;
mod shard;
mod source;

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, atomic::Ordering},
};

use fenlens::{
    Error, Limits, Options, Picture, Recognition, Recognizer, Record, Verdict, error::DecodeError,
    net::runtime::Backend,
};

pub use self::child::serve::{ServeArgs, serve as draw_pages};
use self::{
    args::{BatchArgs, FileLimits, Format},
    child::Children,
    finish::{Finish, TEMPORARY, Temporary},
    inputs::{Collector, Inputs},
    journal::{Changes, Journal},
    lines::{FileState, Job, Reader},
    progress::{Progress, Tally, words},
    source::{Key, Signals, Source, Task},
};
use super::{exit::Exit, files, files::Written, output, output::count, readers::Readers};

/// Runs the command.
pub fn run(args: &BatchArgs) -> Exit {
    let done = if args.merge { check_merge(args).and_then(|()| merge::run(args)) } else { batch(args) };
    done.unwrap_or_else(output::failure)
}

fn check_merge(args: &BatchArgs) -> Result<(), String> {
    files::must_be_plain(&args.output)?;
    if args.output.exists() && !args.force {
        return Err(exists(&args.output));
    }
    let sheet = args.review.iter().flat_map(|folder| review::files(folder));
    let written = Written::new(sheet.chain([args.output.clone()]))?;
    written.apart_from(args.paths.iter().map(PathBuf::as_path), "the parts")
}

fn batch(args: &BatchArgs) -> Result<Exit, String> {
    if args.shard.is_some() && args.format() != Format::Jsonl {
        return Err("a part (--shard) is written as jsonl; --merge makes any format of the parts".into());
    }
    let partial = Journal::path_of(&args.output);
    keep_what_is_there(args, &partial)?;
    let inputs = collect(args)?;
    keep_inputs(args, &partial, &inputs)?;
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
    keep_temporary(args, &partial)?;
    let (journal, after, tally) = begin(args, partial, &job, &inputs.files)?;
    let signals = Arc::new(Signals { kept: tally.pages.into(), ..Signals::default() });
    interrupt::listen(signals.clone(), output::show(&Journal::path_of(&args.output)))?;
    let source = Source::new(&inputs.files, args.limits(), children(args), args.shard, after, &signals);
    let run = Run { args, signals: &signals, model: readers.version(), before: tally.pages };
    run.all(&readers, source, journal, tally)
}

/// Those who open and draw documents.
fn children(args: &BatchArgs) -> Arc<Children> {
    let FileLimits { pictures, document } = args.limits();
    Arc::new(Children::new(args.page_limits(), document, pictures.pixels))
}

/// Refuses to replace an output or a journal without `--force` or `--resume`, and anything but a plain file at all.
fn keep_what_is_there(args: &BatchArgs, partial: &Path) -> Result<(), String> {
    files::must_be_plain(&args.output)?;
    files::must_be_plain(partial)?;
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

/// Refuses to replace what is under the name of the unfinished output, unless a run that can be resumed has left it.
fn keep_temporary(args: &BatchArgs, partial: &Path) -> Result<(), String> {
    let temporary = files::with_suffix(&args.output, TEMPORARY);
    files::must_be_plain(&temporary)?;
    if temporary.exists() && !partial.exists() && !args.force {
        return Err(format!("{} is in the way, and of no run that could go on: move it", output::show(&temporary)));
    }
    Ok(())
}

/// Refuses to write over a file that is read, by whatever name.
fn keep_inputs(args: &BatchArgs, partial: &Path, inputs: &Inputs) -> Result<(), String> {
    let mut written = vec![args.output.clone(), partial.to_owned(), files::with_suffix(&args.output, TEMPORARY)];
    written.extend(args.review.iter().flat_map(|folder| review::files(folder)));
    let read = || inputs.files.iter().map(PathBuf::as_path);
    Written::new(written)?.apart_from(read(), "the files to read")?;
    match args.review.as_deref().and_then(|folder| review::clash(folder, read())) {
        Some(file) => Err(format!("{} is one of the files to read, and --review may write it", output::show(file))),
        None => Ok(()),
    }
}

/// The files to read; makes the folder of the contact sheet, which is not searched.
fn collect(args: &BatchArgs) -> Result<Inputs, String> {
    if let Some(folder) = &args.review {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let inputs = Collector { recursive: args.recursive, except: args.review.as_deref() }.collect(&args.paths)?;
    if inputs.repeated > 0 {
        output::note(format_args!("note: {} named more than once, read once", count(inputs.repeated, "file")));
    }
    Ok(inputs)
}

/// Begins the journal or goes on with it. Returns it with the key of its last page and the totals so far.
fn begin(
    args: &BatchArgs,
    partial: PathBuf,
    job: &Job,
    files: &[PathBuf],
) -> Result<(Journal, Option<Key>, Tally), String> {
    let mut tally = Tally::default();
    if !args.resume || !partial.exists() {
        return Ok((Journal::begin(partial, job)?, None, tally));
    }
    let name = output::show(&partial);
    let (journal, found) = Journal::resume(partial, job, files, |record| tally.add(record))?;
    if let Some(flaw) = found.flaw {
        output::note(format_args!("note: {name}: {flaw}; the pages from there on are read again"));
    }
    if let Some(first) = found.changed.first() {
        let names = Changes::names(files, &found.changed);
        let first = output::show(&files[*first]);
        output::note(format_args!("note: changed since read: {names}; everything from {first} on is read again"));
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
        format: Job::FORMAT,
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

/// Makes sure that a finished output is that of this run and whole, so that a run can be asked for again without harm.
fn finished(args: &BatchArgs, job: &Job, inputs: &Inputs) -> Result<(), String> {
    let name = output::show(&args.output);
    if args.format() != Format::Jsonl {
        return Err(format!("{name} is finished, and does not say of which run: --force replaces it"));
    }
    let checked = if args.shard.is_some() {
        finished::part(&args.output, job, &inputs.files)
    } else {
        finished::records(&args.output, job, &inputs.files, args.limits(), children(args))
    };
    checked.map_err(|why| format!("{name} exists already and {why}; --force replaces it"))
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

/// A page to read, and its file as it was before.
struct Due {
    task: Task,
    file: Option<FileState>,
}

/// Adds a record to the journal.
fn keep(done: &Done, file: Option<FileState>, journal: &mut Journal, name: &str) -> Result<(), String> {
    match &done.cut_out_error {
        Some(error) => Err(error.clone()),
        None => journal.append(&done.json, file).map_err(|error| format!("{name}: {error}")),
    }
}

/// Says why a page could not be read.
fn note_error(record: &Record, progress: &Progress) {
    if let Some(error) = &record.error {
        let page = record.page.map(|page| format!(", page {page}")).unwrap_or_default();
        progress.note(format_args!("{}{page}: {}", output::line(&record.path), error.message));
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
            source.map(|task| Due { file: FileState::of(&task.path), task }),
            |recognizer, due| self.read(recognizer, &mut due.task),
            |due, done| {
                let done = done.unwrap_or_else(|error| self.done(&due.task, Err(error)));
                let mut kept = self.signals.kept.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(error) = keep(&done, due.file, &mut journal, &name) {
                    return ControlFlow::Break(error);
                }
                tally.add(&done.record);
                *kept = tally.pages;
                drop(kept);
                note_error(&done.record, &progress);
                progress.step(self.before, self.signals.expected.load(Ordering::Relaxed));
                ControlFlow::Continue(())
            },
        );
        let (time, rate) = progress.end();
        let kept = interrupt::kept_in(tally.pages, &name);
        if let Some(error) = broken {
            return Err(format!("{error}; {kept}"));
        }
        if self.signals.stopped.load(Ordering::Relaxed) {
            if !self.signals.done.swap(true, Ordering::SeqCst) {
                output::note(format_args!("interrupted; {kept}"));
            }
            return Ok(Exit::Interrupted);
        }
        self.finish(journal).map_err(|error| format!("{error}; {kept}"))?;
        self.signals.done.store(true, Ordering::SeqCst);
        output::note(format_args!("{tally}; {}, {rate:.2} pages a second", words(time)));
        Ok(exit_of(&tally, self.args.shard.is_some()))
    }

    fn finish(&self, journal: Journal) -> Result<(), String> {
        let out = &self.args.output;
        if self.args.shard.is_some() {
            return journal.become_part(out);
        }
        let mut finish = Finish::begin(out, self.args.format(), self.args.review.as_deref(), Temporary::Own)?;
        let mut records: Reader<_> = journal.records()?;
        while let Some(sealed) = records.record().map_err(|flaw| format!("{}: {flaw}", output::show(out)))? {
            finish.add(&sealed.record, &sealed.json)?;
        }
        finish.end()?;
        journal.remove().map_err(|error| format!("{}: {error}", output::show(out)))
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
        let mut record = Record::new(&output::name(task.path.as_os_str()), &outcome, self.model);
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
        Done { json: output::json(&record.to_json()), record, cut_out_error }
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
        let task = Source::new(&args.paths, args.limits(), children(&args), None, None, &signals).next().unwrap();
        let done = run.done(&task, Err(Error::Panic { message: "index out of bounds".into() }));
        let error = done.record.error.as_ref().unwrap();
        assert_eq!((error.kind.as_str(), error.message.as_str()), ("panic", "internal error: index out of bounds"));
        assert_eq!(Key::of(&done.record), Some(Key { input: 1, page: 0 }));
        assert!(done.record.timings_ms.is_none() && done.json.contains("a.png") && done.cut_out_error.is_none());
    }
}
