//! Pictures in which a square cannot be seen, a piece stands between squares, or everything is mirrored or inverted: none of
//! them is accepted, and what is wrong is named. Made from pictures of `testdata/boards`, see `testdata/faults`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::sync::OnceLock;

use fenlens::{
    BoardReading, Limits, Options, Picture, Recognizer, Record, Verdict,
    recognize::{Issue, Sight},
};

fn recognizer() -> &'static Recognizer {
    static RECOGNIZER: OnceLock<Recognizer> = OnceLock::new();
    RECOGNIZER.get_or_init(|| Recognizer::embedded(Options::default()).unwrap())
}

/// The only board of a picture of `testdata`.
fn read(file: &str) -> BoardReading {
    let picture = Picture::open(common::testdata().join(file), &Limits::default()).unwrap();
    let mut found = recognizer().recognize(&picture).unwrap();
    assert_eq!(found.boards.len(), 1, "{file}");
    found.boards.remove(0)
}

/// The names of the squares of which the sight is as given.
fn squares(board: &BoardReading, sight: Sight) -> Vec<String> {
    let found = board.reading.squares.iter().filter(|square| square.sight == sight);
    found.map(|square| square.square.to_string()).collect()
}

fn is_flagged(board: &BoardReading, name: &str) -> bool {
    let at = board.reading.squares.iter().position(|square| square.square.to_string() == name).unwrap();
    board.trust.flagged[at]
}

#[test]
fn covered_squares_are_named_and_no_others() {
    for (file, covered) in [
        ("faults/patch-b5-flat.png", &["b5"][..]),
        ("faults/patch-two-pieces-white.png", &["f8", "g8"]),
        ("faults/bar-rank5-grey.png", &["a5", "b5", "c5", "d5", "e5", "f5", "g5", "h5"]),
        ("faults/patch-window-corner.png", &["f8", "g8", "h8", "f7", "g7", "h7"]),
    ] {
        let board = read(file);
        assert_eq!(board.trust.verdict, Verdict::Check, "{file}");
        let found = squares(&board, Sight::Covered);
        for square in covered {
            assert!(found.iter().any(|name| name == square), "{file}: {square} is not among {found:?}");
            assert!(is_flagged(&board, square));
        }
        // The window ends a little below the seventh rank.
        let others = found.iter().filter(|name| !covered.contains(&name.as_str()));
        assert!(others.clone().all(|name| name.ends_with('6') && covered.len() == 6), "{file}: {:?}", others);
        assert!(board.issues.iter().any(|issue| issue.code() == "not-visible"));
    }
}

#[test]
fn a_piece_between_squares_is_named() {
    for (file, on) in [
        ("faults/in-flight-edge.png", &["b5", "c5"][..]),
        ("faults/in-flight-corner.png", &["c4", "d4", "c3", "d3"]),
        ("faults/in-flight-off-third.png", &["b5"]),
    ] {
        let board = read(file);
        assert_eq!(board.trust.verdict, Verdict::Check, "{file}");
        assert!(on.iter().any(|square| is_flagged(&board, square)), "{file}: {:?}", board.issues);
        assert!(board.issues.iter().any(|issue| issue.code() == "piece-between-squares"), "{file}: {:?}", board.issues);
    }
}

#[test]
fn a_mirrored_or_inverted_picture_says_what_it_would_show() {
    const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    const STUDY: &str = "8/8/2k5/5n2/8/1B1K4/8/8";
    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";
    for (file, shown) in [
        ("faults/mirrored-screen-opening.png", OPENING),
        ("faults/mirrored-print-coordinates.png", STUDY),
        ("faults/mirrored-screen-coordinates-outside.png", STUDY),
        ("faults/inverted-screen-opening.png", OPENING),
        ("faults/inverted-print-middlegame.png", GAME),
    ] {
        let board = read(file);
        assert_ne!(board.trust.verdict, Verdict::Accept, "{file}");
        let issue = board.issues.iter().find(|issue| matches!(issue, Issue::LightCorner { .. }));
        let words = issue.unwrap_or_else(|| panic!("{file}: {:?}", board.issues)).to_string();
        let half_turn: String = shown.chars().rev().collect();
        assert!(words.contains(shown) || words.contains(&half_turn), "{file}: {words}");
    }
}

/// The pictures from which the others were made are accepted, and everything in them can be seen.
#[test]
fn nothing_is_wrong_with_a_plain_picture() {
    for name in ["screen-opening", "print-middlegame", "print-coordinates", "screen-coordinates-outside"] {
        let board = read(&format!("boards/{name}.png"));
        assert_eq!(board.trust.verdict, Verdict::Accept, "{name}: {:?}", board.issues);
        assert!(board.reading.squares.iter().all(|square| square.sight == Sight::Clear), "{name}");
    }
}

/// The record says which squares are not visible, and only of those.
#[test]
fn the_record_has_what_is_not_visible() {
    let file = common::testdata().join("faults/patch-two-pieces-white.png");
    let picture = Picture::open(&file, &Limits::default()).unwrap();
    let json = Record::new("p.png", &recognizer().recognize(&picture), recognizer().version()).to_json();
    assert_eq!(json.matches("\"visible\":false").count(), 2, "{json}");
    assert!(!json.contains("\"visible\":true"));
    let record: Record = serde_json::from_str(&json).unwrap();
    let hidden = record.boards[0].squares.iter().filter(|square| !square.visible);
    assert_eq!(hidden.map(|square| square.square.as_str()).collect::<Vec<_>>(), ["f8", "g8"]);
}
