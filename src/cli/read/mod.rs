//! `fenlens read`: pictures to FEN or records.

mod answer;
pub mod args;
mod ask;
pub mod clipboard;
mod corrections;
mod outputs;
mod remarks;
mod report;

use std::{
    fs, io,
    io::IsTerminal,
    ops::ControlFlow,
    path::{Path, PathBuf},
    slice,
};

use fenlens::{Error, Limits, Options, Picture, Recognizer, output::trace};

use self::{
    answer::{Answer, Completing, Read},
    args::ReadArgs,
    ask::Ended,
    outputs::{Outputs, Plan},
};
use super::{exit::Exit, guard::guarded, output, readers, readers::Readers};

/// What reading takes.
struct Ready<'a> {
    readers: Readers,
    completing: Completing<'a>,
    outputs: Outputs,
}

/// Runs the command.
pub fn run(args: &ReadArgs) -> Exit {
    let from_clipboard = PathBuf::from(clipboard::NAME);
    let pictures = if args.clipboard { slice::from_ref(&from_clipboard) } else { &args.pictures };
    match prepare(args, pictures) {
        Ok(ready) => read_all(args, pictures, ready),
        Err(message) => output::failure(message),
    }
}

/// Everything that can fail before the first picture is opened.
fn prepare<'a>(args: &'a ReadArgs, pictures: &[PathBuf]) -> Result<Ready<'a>, String> {
    let ask = args.known.ask.decide(args.json)?;
    if args.known.save_corrections.is_some() && !ask {
        return Err("--save-corrections keeps what a person has said to be right, and nobody is asked here".into());
    }
    for folder in [&args.trace_dir, &args.known.save_corrections].into_iter().flatten() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let terminal = io::stderr().is_terminal() && !args.json;
    let completing = Completing { args, options: options(args), ask, terminal, plan: Plan::new(args, pictures)? };
    let outputs = Outputs::begin(args)?;
    let readers = Readers::new(args.jobs, &args.runtime, Some(pictures.len()), options(args))?;
    Ok(Ready { readers, completing, outputs })
}

fn options(args: &ReadArgs) -> Options {
    let limits = Limits::new(args.max_bytes, args.max_pixels);
    Options { limits, bottom: args.known.bottom.value(), ..Options::default() }
}

/// Reads the pictures on several threads, and in their order asks and prints.
fn read_all(args: &ReadArgs, pictures: &[PathBuf], ready: Ready<'_>) -> Exit {
    let Ready { readers, completing, mut outputs } = ready;
    let version = readers.version().to_owned();
    let mut worst = Exit::Success;
    let stopped = readers.in_order(
        pictures.iter().enumerate(),
        |recognizer, &mut (index, path)| read_one(args, &completing.plan, index, path, recognizer),
        // On this thread and in the order of the pictures, so this can ask while others are being read.
        |(index, path), read| {
            let failed = |error| completing.complete(Read::failed(index, path, error), &version);
            let answer = match read {
                Ok(read) => guarded(|| completing.complete(read, &version))
                    .unwrap_or_else(|message| failed(Error::Panic { message })),
                Err(error) => failed(error),
            };
            match (output::show(path), answer) {
                (_, Ok(answer)) => {
                    worst = worst.max(answer.exit);
                    print(&answer, &outputs)?;
                    outputs.add(answer.part)
                }
                (name, Err(Ended::Left)) => {
                    output::note(format_args!("{name}: left, nothing written"));
                    ControlFlow::Break(Exit::Interrupted)
                }
                (_, Err(Ended::Failed(message))) => ControlFlow::Break(output::failure(message)),
            }
        },
    );
    stopped.unwrap_or_else(|| worst.max(outputs.finish(&version)))
}

/// Prints one answer; breaks where nobody reads on and nothing else is wanted, or nothing can be written.
fn print(answer: &Answer, outputs: &Outputs) -> ControlFlow<Exit> {
    // They may have boards in colors among them.
    answer.notes.iter().for_each(output::styled_note);
    match answer.results.iter().try_for_each(|line| output::result(line)) {
        Ok(()) => ControlFlow::Continue(()),
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && outputs.are_wanted() => ControlFlow::Continue(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(Exit::Success),
        Err(error) => ControlFlow::Break(output::failure(format_args!("standard output: {error}"))),
    }
}

fn read_one<'a>(args: &ReadArgs, plan: &Plan, index: usize, path: &'a Path, recognizer: &Recognizer) -> Read<'a> {
    let limits = recognizer.options().limits;
    let mut sha256 = None;
    let read = readers::recognize(recognizer, || {
        if args.clipboard {
            return clipboard::picture(&limits);
        }
        let bytes = readers::bytes(path, &limits)?;
        if args.known.save_corrections.is_some() {
            sha256 = Some(corrections::hash(&bytes));
        }
        Picture::decode(&bytes, &limits)
    });
    let mut notes = Vec::new();
    let mut exit = Exit::Success;
    if let (Some(folder), Ok((picture, found))) = (&args.trace_dir, &read)
        && let Err(error) = trace::write(folder, &outputs::stem(index, path), picture, found)
    {
        notes.push(output::plain(&format!("{}: {error}", output::show(folder))));
        exit = Exit::Failure;
    }
    let (picture, outcome) = match read {
        Ok((picture, found)) => (plan.needs_pictures().then_some(picture), Ok(found)),
        Err(error) => (None, Err(error)),
    };
    Read { index, path, picture, outcome, sha256, notes, exit }
}
