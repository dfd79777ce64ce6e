//! `fenlens read`: pictures to FEN or records.

use std::{fs, io, ops::ControlFlow, path::Path, thread, time::Instant};

use fenlens::{
    BoardReading, Error, Limits, Models, Options, Picture, Recognition, Recognizer, Record, Runtime, Verdict,
    complete::Source, fen::Castling, orient::Evidence, picture, trace,
};

use super::{args::ReadArgs, exit::Exit, models, output, pool::Pool};

/// What is to be printed for one picture.
struct Answer {
    results: Vec<String>,
    notes: Vec<String>,
    exit: Exit,
}

/// Runs the command.
pub fn run(args: &ReadArgs) -> Exit {
    match prepare(args) {
        Ok((models, runtime, first)) => read_all(args, &models, &runtime, first),
        Err(message) => {
            output::note(format_args!("fenlens: {message}"));
            Exit::Failure
        }
    }
}

/// Everything that can fail for reasons that have nothing to do with a picture, before the first is opened.
fn prepare(args: &ReadArgs) -> Result<(Models, Runtime, Recognizer), String> {
    if let Some(folder) = &args.trace_dir {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", output::show(folder)))?;
    }
    let (models, runtime) = models::load(&args.runtime).map_err(|error| error.chain())?;
    let first = Recognizer::new(&models, &runtime, options(args)).map_err(|error| error.chain())?;
    Ok((models, runtime, first))
}

fn options(args: &ReadArgs) -> Options {
    Options { limits: Limits { bytes: args.max_bytes, pixels: args.max_pixels }, ..Options::default() }
}

/// Reads the pictures on several threads and prints the answers in the order of the pictures.
fn read_all(args: &ReadArgs, models: &Models, runtime: &Runtime, first: Recognizer) -> Exit {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from).min(args.pictures.len());
    let pool = Pool { models, runtime, options: options(args), jobs };
    let mut worst = Exit::Success;
    let stopped = pool.in_order(
        first,
        args.pictures.iter(),
        |recognizer, index, path| read_one(args, index, path, recognizer),
        |answer| {
            worst = worst.max(answer.exit);
            print(&answer)
        },
    );
    stopped.unwrap_or(worst)
}

/// Prints one answer; breaks where nobody reads on, or nothing can be written.
fn print(answer: &Answer) -> ControlFlow<Exit> {
    answer.notes.iter().for_each(output::note);
    match answer.results.iter().try_for_each(|line| output::result(line)) {
        Ok(()) => ControlFlow::Continue(()),
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ControlFlow::Break(Exit::Success),
        Err(error) => {
            output::note(format_args!("fenlens: standard output: {error}"));
            ControlFlow::Break(Exit::Failure)
        }
    }
}

fn read_one(args: &ReadArgs, index: usize, path: &Path, recognizer: &mut Recognizer) -> Answer {
    let name = output::show(path);
    let read = open_and_recognize(path, recognizer);
    let mut notes = Vec::new();
    let mut exit = Exit::Success;
    if let (Some(folder), Ok((picture, found))) = (&args.trace_dir, &read) {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem = format!("{:03}-{}", index + 1, if file == "-" { "stdin" } else { &file });
        if let Err(error) = trace::write(folder, &stem, picture, found) {
            notes.push(format!("{}: {error}", output::show(folder)));
            exit = Exit::Failure;
        }
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
        return Answer { results: vec![record.to_json()], notes, exit };
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
    Answer { results, notes, exit }
}

fn open_and_recognize(path: &Path, recognizer: &mut Recognizer) -> Result<(Picture, Recognition), Error> {
    let start = Instant::now();
    let limits = recognizer.options().limits;
    let bytes = if path == Path::new("-") {
        picture::read_stream(io::stdin().lock(), &limits)?
    } else {
        picture::read_file(path, &limits)?
    };
    let picture = Picture::decode(&bytes, &limits)?;
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
