//! `fenlens read`: pictures to FEN or records.

use std::{
    fs, io,
    ops::ControlFlow,
    path::{Path, PathBuf},
    slice, thread,
    time::Instant,
};

use fenlens::{
    BoardReading, Error, Limits, Models, Options, Picture, Recognition, Recognizer, Record, Runtime, Verdict,
    complete::Source, orient::Evidence, picture, trace,
};

use super::{
    args::ReadArgs,
    clipboard,
    exit::Exit,
    models, output,
    outputs::{self, Outputs, Part, Plan},
    pool::Pool,
};

/// What is to be printed for one picture.
struct Answer {
    results: Vec<String>,
    notes: Vec<String>,
    exit: Exit,
    part: Part,
}

/// Runs the command.
pub fn run(args: &ReadArgs) -> Exit {
    let from_clipboard = PathBuf::from(clipboard::NAME);
    let pictures = if args.clipboard { slice::from_ref(&from_clipboard) } else { &args.pictures };
    match prepare(args, pictures) {
        Ok(ready) => read_all(args, pictures, ready),
        Err(message) => {
            output::note(format_args!("fenlens: {message}"));
            Exit::Failure
        }
    }
}

/// What reading takes.
struct Ready {
    models: Models,
    runtime: Runtime,
    first: Recognizer,
    plan: Plan,
    outputs: Outputs,
}

/// Everything that can fail for reasons that have nothing to do with a picture, before the first is opened.
fn prepare(args: &ReadArgs, pictures: &[PathBuf]) -> Result<Ready, String> {
    if let Some(folder) = &args.trace_dir {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let plan = Plan::new(args, pictures)?;
    let outputs = Outputs::begin(args, pictures)?;
    let (models, runtime) = models::load(&args.runtime).map_err(|error| error.chain())?;
    let first = Recognizer::new(&models, &runtime, options(args)).map_err(|error| error.chain())?;
    Ok(Ready { models, runtime, first, plan, outputs })
}

fn options(args: &ReadArgs) -> Options {
    Options { limits: Limits { bytes: args.max_bytes, pixels: args.max_pixels }, ..Options::default() }
}

/// Reads the pictures on several threads and prints the answers in the order of the pictures.
fn read_all(args: &ReadArgs, pictures: &[PathBuf], ready: Ready) -> Exit {
    let Ready { models, runtime, first, plan, mut outputs } = ready;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from).min(pictures.len());
    let pool = Pool { models: &models, runtime: &runtime, options: options(args), jobs };
    let mut worst = Exit::Success;
    let stopped = pool.in_order(
        first,
        pictures.iter(),
        |recognizer, index, path| read_one(args, &plan, index, path, recognizer),
        |answer| {
            worst = worst.max(answer.exit);
            print(&answer, &outputs)?;
            outputs.add(answer.part)
        },
    );
    stopped.unwrap_or_else(|| worst.max(outputs.finish(&models.version())))
}

/// Prints one answer; breaks where nobody reads on and nothing else is wanted, or nothing can be written.
fn print(answer: &Answer, outputs: &Outputs) -> ControlFlow<Exit> {
    answer.notes.iter().for_each(output::note);
    match answer.results.iter().try_for_each(|line| output::result(line)) {
        Ok(()) => ControlFlow::Continue(()),
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && outputs.are_wanted() => ControlFlow::Continue(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(Exit::Success),
        Err(error) => {
            output::note(format_args!("fenlens: standard output: {error}"));
            ControlFlow::Break(Exit::Failure)
        }
    }
}

fn read_one(args: &ReadArgs, plan: &Plan, index: usize, path: &Path, recognizer: &mut Recognizer) -> Answer {
    let name = output::show(path);
    let read = if args.clipboard {
        let limits = recognizer.options().limits;
        recognize(recognizer, || clipboard::picture(&limits))
    } else {
        open_and_recognize(path, recognizer)
    };
    let mut notes = Vec::new();
    let mut exit = Exit::Success;
    if let (Some(folder), Ok((picture, found))) = (&args.trace_dir, &read)
        && let Err(error) = trace::write(folder, &outputs::stem(index, path), picture, found)
    {
        notes.push(format!("{}: {error}", output::show(folder)));
        exit = Exit::Failure;
    }
    let mut part = plan.make(index, path, &read);
    if !part.faults.is_empty() {
        notes.append(&mut part.faults);
        exit = Exit::Failure;
    }
    let outcome = read.map(|(_, found)| found);
    exit = exit.max(match &outcome {
        Ok(found) if found.boards.is_empty() => Exit::No,
        Ok(found) if found.boards.iter().any(|board| board.trust.verdict == Verdict::Refuse) => Exit::No,
        Ok(_) => Exit::Success,
        Err(Error::BoardNotFound { .. }) => Exit::No,
        Err(_) => Exit::Failure,
    });
    if args.json {
        // A path in a record must be the path given, whatever characters it has.
        let record = Record::new(&path.to_string_lossy(), &outcome, recognizer.version());
        return Answer { results: vec![record.to_json()], notes, exit, part };
    }
    let mut results = Vec::new();
    match &outcome {
        Err(error) => notes.push(format!("{name}: {}", error.chain())),
        Ok(found) if found.boards.is_empty() => notes.push(format!("{name}: no board found")),
        Ok(found) => {
            for (n, board) in found.boards.iter().enumerate() {
                let prefix = if found.boards.len() > 1 { format!("{name}: board {}", n + 1) } else { name.clone() };
                notes.extend(remarks(board).into_iter().map(|remark| format!("{prefix}: {remark}")));
                if board.trust.verdict != Verdict::Refuse {
                    results.push(board.fen.to_string());
                }
            }
        }
    }
    Answer { results, notes, exit, part }
}

/// Reads, decodes and recognizes one picture; `-` is standard input.
pub fn open_and_recognize(path: &Path, recognizer: &mut Recognizer) -> Result<(Picture, Recognition), Error> {
    let limits = recognizer.options().limits;
    recognize(recognizer, || {
        if path == Path::new("-") {
            Picture::decode(&picture::read_stream(io::stdin().lock(), &limits)?, &limits)
        } else {
            Picture::open(path, &limits)
        }
    })
}

/// Gets a picture and recognizes it; getting it counts as reading.
fn recognize(
    recognizer: &mut Recognizer,
    get: impl FnOnce() -> Result<Picture, Error>,
) -> Result<(Picture, Recognition), Error> {
    let start = Instant::now();
    let picture = get()?;
    let read = start.elapsed().as_secs_f64() * 1e3;
    let mut found = recognizer.recognize(&picture)?;
    found.timings.read = read;
    found.timings.total += read;
    Ok((picture, found))
}

/// What a person should know about a board, in words.
fn remarks(board: &BoardReading) -> Vec<String> {
    if board.trust.verdict == Verdict::Refuse {
        return vec![format!("refused; the best guess is {}", board.fen)];
    }
    let mut remarks = Vec::new();
    if board.quarters > 0 {
        remarks.push(format!("turned clockwise by {} degrees to set the men upright", 90 * board.quarters));
    }
    let doubtful: Vec<String> = board
        .reading
        .squares
        .iter()
        .zip(&board.trust.flagged)
        .filter(|(_, flagged)| **flagged)
        .map(|(square, _)| {
            let name = |piece: Option<fenlens::chess::Piece>| piece.map_or("empty".into(), |piece| piece.to_string());
            let percent = square.confidence * 100.0;
            format!("{} {} ({percent:.0} %, else {})", square.square, name(square.piece), name(square.runner_up))
        })
        .collect();
    if !doubtful.is_empty() {
        remarks.push(format!("look at {}", doubtful.join(", ")));
    }
    remarks.extend(board.issues.iter().map(|issue| format!("{}: {issue}", issue.severity().name())));
    if board.trust.orientation_flagged {
        let percent = board.orientation.confidence * 100.0;
        let bottom = board.orientation.bottom;
        remarks.push(if board.orientation.evidence() == Some(Evidence::MirroredCoordinates) {
            format!("look whether the picture is mirrored: its letters and digits contradict each other ({bottom} at the bottom?)")
        } else {
            format!("look which side is at the bottom: {bottom} ({percent:.0} %)")
        });
    }
    if board.trust.verdict == Verdict::Check && remarks.is_empty() {
        remarks.push(format!("look at the whole board: {:.1} % sure", board.trust.confidence * 100.0));
    }
    let assumed = [
        (board.orientation.source, format!("{} at the bottom", board.orientation.bottom)),
        (board.fields.side.source, format!("{} to move", board.fen.side)),
        (board.fields.castling.source, "no castling".to_owned()),
        (board.fields.en_passant.source, "no en passant".to_owned()),
        (board.fields.counters.source, "counters 0 1".to_owned()),
    ];
    let assumed: Vec<String> =
        assumed.into_iter().filter(|(source, _)| *source == Source::Assumed).map(|(_, what)| what).collect();
    if !assumed.is_empty() {
        remarks.push(format!("assumed: {}", assumed.join(", ")));
    }
    remarks
}
