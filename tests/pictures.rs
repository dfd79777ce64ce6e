//! One named test for each `testdata/boards/**/NAME.png` with its label `NAME.json`: the boards in reading order, each
//! with placement and side at the bottom, and with the side to move and the en passant square if the picture shows them. On
//! failure the trace is under `target/test-output/`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Mutex,
};

use fenlens::{Limits, Options, Picture, Recognizer, output::trace, recognize::Source};
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

#[derive(Deserialize)]
struct Label {
    boards: Vec<BoardLabel>,
}

#[derive(Deserialize)]
struct BoardLabel {
    placement: String,
    orientation: String,
    /// The side to move, where the picture shows it: `w` or `b`.
    side: Option<String>,
    /// The en passant square, or `-`, where the picture shows it.
    en_passant: Option<String>,
}

/// Recognizers that no test is using. Loading one takes longer than most pictures.
static IDLE: Mutex<Vec<Recognizer>> = Mutex::new(Vec::new());

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/boards");
    let mut labels = Vec::new();
    walk(&root, &mut labels);
    labels.sort();
    let mut trials: Vec<Trial> = labels
        .into_iter()
        .map(|label| {
            let name = label.with_extension("").strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            Trial::test(name, move || check(&label))
        })
        .collect();
    let count = trials.len();
    trials.push(Trial::test("there_are_pictures", move || {
        // A walk that finds no file must not pass in silence.
        if count < 24 { Err(format!("only {count} labeled pictures under testdata/boards").into()) } else { Ok(()) }
    }));
    trials.extend(known_misses(&root.with_file_name("known-misses")));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Hard pictures stay in the tree. The test fails when one is read right, so that it is moved to `boards`.
fn known_misses(root: &Path) -> Vec<Trial> {
    let mut labels = Vec::new();
    walk(root, &mut labels);
    labels.sort();
    let trial = |label: PathBuf| {
        let name = label.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Trial::test(format!("known-miss-{name}"), move || match misread(&label)? {
            Some(_) => Ok(()),
            None => Err(format!("{} is read right: move it to testdata/boards", label.display()).into()),
        })
    };
    labels.into_iter().map(trial).collect()
}

fn walk(folder: &Path, labels: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, labels);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            labels.push(path);
        }
    }
}

fn check(label: &Path) -> Result<(), Failed> {
    misread(label)?.map_or(Ok(()), |difference| Err(difference.into()))
}

/// How the reading differs from the label, if it does; an error when the picture or its label cannot be used at all.
fn misread(label: &Path) -> Result<Option<String>, Failed> {
    let wanted: Label = serde_json::from_str(&fs::read_to_string(label)?)?;
    let picture = Picture::open(label.with_extension("png"), &Limits::default())?;
    let idle = IDLE.lock().expect("no test panics while it holds this").pop();
    let recognizer = idle.map_or_else(|| Recognizer::embedded(Options::default()), Ok)?;
    let found = recognizer.recognize(&picture)?;
    IDLE.lock().expect("no test panics while it holds this").push(recognizer);

    let wanted: Vec<_> = wanted
        .boards
        .into_iter()
        .map(|board| (board.placement, board.orientation, board.side, board.en_passant))
        .collect();
    let got: Vec<_> = found
        .boards
        .iter()
        .enumerate()
        .map(|(n, board)| {
            let asked = wanted.get(n);
            // An assumed value was not read.
            let side = (board.fields.side.source != Source::Assumed).then(|| board.fen.side.letter().to_string());
            let passed = board.fen.en_passant.map_or("-".to_owned(), |square| square.to_string());
            let passed = Some(passed).filter(|_| board.fields.en_passant.source != Source::Assumed);
            (
                board.fen.placement.to_string(),
                board.orientation.bottom.name().to_owned(),
                side.filter(|_| asked.is_some_and(|asked| asked.2.is_some())),
                passed.filter(|_| asked.is_some_and(|asked| asked.3.is_some())),
            )
        })
        .collect();
    if wanted == got {
        return Ok(None);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/test-output");
    fs::create_dir_all(&folder)?;
    let stem = label.file_stem().unwrap_or_default().to_string_lossy();
    trace::write(&folder, &stem, &picture, &found)?;
    Ok(Some(format!("wanted {wanted:#?}\ngot {got:#?}\nsee {}/{stem}.*", folder.display())))
}
