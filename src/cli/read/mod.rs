//! `fenlens read`: pictures to FEN or records.

pub mod ask;
pub mod clipboard;
mod corrections;
mod outputs;
mod report;

use std::{
    fs, io,
    io::IsTerminal,
    ops::ControlFlow,
    path::{Path, PathBuf},
    slice, thread,
    time::Instant,
};

use fenlens::{
    BoardReading, Error, Limits, Models, Options, Picture, Recognition, Recognizer, Record, Runtime, Verdict,
    fen::Castling,
    image::picture,
    output::trace,
    recognize::{orient::Evidence, provenance::Source, questions},
};

use self::{
    ask::{Ended, Flags, Told},
    outputs::{Outputs, Part, Plan},
};
use super::{args::ReadArgs, exit::Exit, models, output, pool::Pool};

/// One picture, read.
struct Read<'a> {
    index: usize,
    path: &'a Path,
    /// The picture itself, where something is still to be made of it.
    picture: Option<Picture>,
    outcome: Result<Recognition, Error>,
    /// The hash of its file, where a label may be kept.
    sha256: Option<String>,
    model: String,
    notes: Vec<String>,
    exit: Exit,
}

/// What is to be printed for one picture.
struct Answer {
    results: Vec<String>,
    notes: Vec<String>,
    exit: Exit,
    part: Part,
}

/// What comes between reading a picture and printing what was read.
struct Completing {
    options: Options,
    /// Whether to ask.
    ask: bool,
    /// Whether a person reads the notes as they come.
    terminal: bool,
    /// What is made of each picture besides.
    plan: Plan,
}

/// What reading takes.
struct Ready {
    models: Models,
    runtime: Runtime,
    first: Recognizer,
    completing: Completing,
    outputs: Outputs,
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

/// Everything that can fail for reasons that have nothing to do with a picture, before the first is opened.
fn prepare(args: &ReadArgs, pictures: &[PathBuf]) -> Result<Ready, String> {
    let ask = args.known.ask.decide(args.json)?;
    if args.known.save_corrections.is_some() && !ask {
        return Err("--save-corrections keeps what a person has said to be right, and nobody is asked here".into());
    }
    for folder in [&args.trace_dir, &args.known.save_corrections].into_iter().flatten() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let terminal = io::stderr().is_terminal() && !args.json;
    let completing = Completing { options: options(args), ask, terminal, plan: Plan::new(args, pictures)? };
    let outputs = Outputs::begin(args, pictures)?;
    let (models, runtime) = models::load(&args.runtime).map_err(|error| error.chain())?;
    let first = Recognizer::new(&models, &runtime, options(args)).map_err(|error| error.chain())?;
    Ok(Ready { models, runtime, first, completing, outputs })
}

fn options(args: &ReadArgs) -> Options {
    let limits = Limits::new(args.max_bytes, args.max_pixels);
    Options { limits, bottom: args.known.bottom.value(), ..Options::default() }
}

/// Reads the pictures on several threads, and in their order asks and prints.
fn read_all(args: &ReadArgs, pictures: &[PathBuf], ready: Ready) -> Exit {
    let Ready { models, runtime, first, completing, mut outputs } = ready;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from).min(pictures.len());
    let pool = Pool { models: &models, runtime: &runtime, options: options(args), jobs };
    let mut worst = Exit::Success;
    let stopped = pool.in_order(
        first,
        pictures.iter(),
        |recognizer, index, path| read_one(args, &completing.plan, index, path, recognizer),
        // On this thread, in the order of the pictures: the place to ask, while others are being read.
        |read| match (output::show(read.path), completing.complete(args, read)) {
            (_, Ok(answer)) => {
                worst = worst.max(answer.exit);
                print(&answer, &outputs)?;
                outputs.add(answer.part)
            }
            (name, Err(Ended::Left)) => {
                output::note(format_args!("{name}: left, nothing written"));
                ControlFlow::Break(Exit::Interrupted)
            }
            (_, Err(Ended::Failed(message))) => {
                output::note(format_args!("fenlens: {message}"));
                ControlFlow::Break(Exit::Failure)
            }
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

fn read_one<'a>(args: &ReadArgs, plan: &Plan, index: usize, path: &'a Path, recognizer: &mut Recognizer) -> Read<'a> {
    let limits = recognizer.options().limits;
    let mut sha256 = None;
    let read = recognize(recognizer, || {
        if args.clipboard {
            return clipboard::picture(&limits);
        }
        let bytes = bytes(path, &limits)?;
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
        notes.push(format!("{}: {error}", output::show(folder)));
        exit = Exit::Failure;
    }
    let (picture, outcome) = match read {
        Ok((picture, found)) => (plan.needs_pictures().then_some(picture), Ok(found)),
        Err(error) => (None, Err(error)),
    };
    Read { index, path, picture, outcome, sha256, model: recognizer.version().to_owned(), notes, exit }
}

impl Completing {
    /// Completes the boards of a picture by what the flags and a person say, and puts the result into words.
    ///
    /// # Errors
    /// [`Ended`], when the person leaves or cannot be asked; nothing is printed for the picture then, and nothing kept.
    fn complete(&self, args: &ReadArgs, read: Read<'_>) -> Result<Answer, Ended> {
        let Read { index, path, picture, mut outcome, sha256, model, mut notes, mut exit } = read;
        let name = output::show(path);
        let mut results = Vec::new();
        let mut confirmed = true;
        let boards = outcome.as_mut().map_or(&mut [][..], |found| &mut found.boards);
        let several = boards.len() > 1;
        for (n, board) in boards.iter_mut().enumerate() {
            let prefix = if several { format!("{name}: board {}", n + 1) } else { name.clone() };
            let told = self.told(args, board, &prefix)?;
            confirmed &= told.confirmed;
            *board = told.board;
            notes.extend(told.refused.iter().map(|refused| format!("{prefix}: {refused}")));
            if !args.json {
                let marked =
                    self.terminal && board.trust.verdict == Verdict::Check && board.trust.flagged.contains(&true);
                notes.extend(marked.then(|| ask::marked(board, &prefix)));
                notes.extend(remarks(board, marked).into_iter().map(|remark| format!("{prefix}: {remark}")));
            }
            if board.trust.verdict != Verdict::Refuse {
                results.push(board.fen.to_string());
            }
        }
        exit = exit.max(match &outcome {
            Ok(found) if found.boards.is_empty() => Exit::No,
            Ok(found) if found.boards.iter().any(|board| board.trust.verdict == Verdict::Refuse) => Exit::No,
            Ok(_) => Exit::Success,
            Err(Error::BoardNotFound { .. }) => Exit::No,
            Err(_) => Exit::Failure,
        });
        match &outcome {
            _ if args.json => {}
            Err(error) => notes.push(format!("{name}: {}", error.chain())),
            Ok(found) if found.boards.is_empty() => notes.push(format!("{name}: no board found")),
            Ok(_) => {}
        }
        if let (Some(folder), Some(sha256), Ok(found)) = (&args.known.save_corrections, &sha256, &outcome)
            && !found.boards.is_empty()
        {
            match confirmed.then(|| corrections::save(folder, path, sha256, &found.boards)) {
                None => notes.push(format!("{name}: not kept")),
                Some(Ok(file)) => notes.push(format!("{name}: kept in {}", output::show(&file))),
                Some(Err(message)) => {
                    notes.push(message);
                    exit = Exit::Failure;
                }
            }
        }
        let mut part = self.plan.make(index, path, picture.as_ref(), outcome.as_ref());
        if !part.faults.is_empty() {
            notes.append(&mut part.faults);
            exit = Exit::Failure;
        }
        if args.json {
            // A path in a record must be the path given, whatever characters it has.
            results = vec![Record::new(&path.to_string_lossy(), &outcome, &model).to_json()];
        }
        Ok(Answer { results, notes, exit, part })
    }

    /// A board with what the flags say of it, and a person, if there is one to ask.
    fn told(&self, args: &ReadArgs, board: &BoardReading, prefix: &str) -> Result<Told, Ended> {
        let flags = Flags(&args.known);
        if self.ask {
            return ask::ask(board.clone(), prefix, flags, &self.options, args.known.save_corrections.is_some());
        }
        let settled = questions::settle(board.clone(), &self.options, &mut { flags }).ok_or(Ended::Left)?;
        Ok(Told { board: settled.board, refused: settled.refused, confirmed: false })
    }
}

/// Reads, decodes and recognizes one picture; `-` is standard input.
pub fn open_and_recognize(path: &Path, recognizer: &mut Recognizer) -> Result<(Picture, Recognition), Error> {
    let limits = recognizer.options().limits;
    recognize(recognizer, || Picture::decode(&bytes(path, &limits)?, &limits))
}

/// The bytes of a picture; `-` is standard input.
fn bytes(path: &Path, limits: &Limits) -> Result<Vec<u8>, Error> {
    if path == Path::new("-") {
        picture::read_stream(io::stdin().lock(), limits)
    } else {
        picture::read_file(path, limits)
    }
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

/// What a person should know about a board, in words; doubtful squares only if they are not `marked` already.
fn remarks(board: &BoardReading, marked: bool) -> Vec<String> {
    if board.trust.verdict == Verdict::Refuse {
        return vec![format!("refused; the best guess is {}", board.fen)];
    }
    let mut remarks = Vec::new();
    if board.observation.quarter_turns > 0 {
        remarks.push(format!(
            "turned clockwise by {} degrees to set the pieces upright",
            90 * board.observation.quarter_turns
        ));
    }
    let doubtful: Vec<String> = board
        .reading
        .squares
        .iter()
        .zip(&board.trust.flagged)
        .filter(|(_, flagged)| **flagged)
        .map(|(square, _)| {
            let name =
                |piece: Option<fenlens::games::chess::Piece>| piece.map_or("empty".into(), |piece| piece.to_string());
            let percent = square.confidence * 100.0;
            format!("{} {} ({percent:.0} %, else {})", square.square, name(square.piece), name(square.runner_up))
        })
        .collect();
    if !doubtful.is_empty() && !marked {
        remarks.push(format!("look at {}", doubtful.join(", ")));
    }
    remarks.extend(board.issues.iter().map(|issue| format!("{}: {issue}", issue.severity().name())));
    if board.trust.orientation_flagged {
        let percent = board.orientation.confidence * 100.0;
        let bottom = board.orientation.bottom;
        remarks.push(if board.orientation.evidence == Some(Evidence::MirroredCoordinates) {
            format!("look whether the picture is mirrored: its letters and digits contradict each other ({bottom} at the bottom?)")
        } else {
            format!("look which side is at the bottom: {bottom} ({percent:.0} %)")
        });
    }
    if board.trust.verdict == Verdict::Check && remarks.is_empty() && !marked {
        remarks.push(format!("look at the whole board: {:.1} % sure", board.trust.confidence * 100.0));
    }
    let assumed = [
        (board.orientation.source, format!("{} at the bottom", board.orientation.bottom)),
        (board.fields.side.source, format!("{} to move", board.fen.side)),
        (
            board.fields.castling.source,
            match board.fen.castling {
                Castling::NONE => "no castling".to_owned(),
                rights => format!("castling {rights}"),
            },
        ),
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
