//! Any text can be checked: nothing panics, and the answer is consistent.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::{Duration, Instant};

use fenlens::fen::{CheckOptions, GameChoice, Language, Report, check};
use proptest::prelude::*;

fn examine(text: &str) {
    for game in [GameChoice::Auto, GameChoice::Chess, GameChoice::Xiangqi] {
        for chess960 in [false, true] {
            let options = CheckOptions { game, chess960 };
            let checked = check(text, &options);
            for issue in &checked.issues {
                if let Some(range) = &issue.range {
                    assert!(text.get(range.clone()).is_some(), "{text:?}: {issue:?}");
                }
            }
            for language in [Language::English, Language::Chinese] {
                Report::new(text, &checked, language);
            }
            for written in [&checked.normalized, &checked.suggested].into_iter().flatten() {
                let again = check(written, &options);
                assert_eq!(again.normalized.as_ref(), Some(written), "{text:?}");
                assert_eq!(again.record.unwrap().to_string().split(' ').next(), written.split(' ').next());
            }
        }
    }
}

/// Parts of records, and odd characters.
const PARTS: &[&str] = &[
    "rnbqkbnr",
    "pppppppp",
    "8",
    "9",
    "4k3",
    "4K3",
    "PPPPPPPP",
    "RNBQKBNR",
    "/",
    "/",
    "/",
    "\\",
    " ",
    " ",
    "w",
    "b",
    "r",
    "-",
    "-",
    "KQkq",
    "HAha",
    "GBgb",
    "e3",
    "d6",
    "E3",
    "a1",
    "0",
    "1",
    "99999999999",
    "-5",
    "+3",
    "1.5",
    "[FEN \"",
    "\"]",
    "[nN]",
    "fen=",
    "fen ",
    "https://lichess.org/editor/",
    "_",
    "%20",
    "%2F",
    "%",
    "bm e4;",
    "hmvc 5;",
    "id \"x;\";",
    "~",
    "٥",
    "♔",
    "♟\u{fe0e}",
    "🩠",
    "🩭",
    "\u{200b}",
    "\u{feff}",
    "\u{a0}",
    "／",
    "ｋ",
    "–",
    "К",
    "車",
    "rnbakabnr",
    "1c5c1",
    "p1p1p1p1p",
    "P1P1P1P1P",
    "3P4",
    "2pP4",
    "\n",
    "\r\n",
    "\t",
    ",",
    "|",
    ";",
    "{",
    "}",
    ".",
    "moves",
    "3+3",
    "+0+0",
    "8/8/8/8/8/8/8/8",
    "4k3/8/8/8/8/8/8/4K3",
    "4k4/9/9/9/9/9/9/9/9/3K5",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
];

/// Texts that are nearly records: parts of records in any order, with odd characters among them.
fn nearly_records() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PARTS), 0..24).prop_map(|parts| parts.concat())
}

/// Records with all their fields, and with pieces anywhere.
fn records() -> impl Strategy<Value = String> {
    let piece = prop::sample::select("PNBRQKpnbrqk11111111111111111111".chars().collect::<Vec<_>>());
    let ranks = prop::collection::vec(prop::collection::vec(piece, 8), 8);
    let side = prop::sample::select(vec!["w", "b"]);
    let castling = prop::sample::select(vec!["-", "KQkq", "Kq", "Q", "HAha", "BG"]);
    let target = prop::sample::select(vec!["-", "-", "e3", "a6", "h3", "c6", "b4"]);
    (ranks, side, castling, target, 0..200u32, 0..200u32).prop_map(|(ranks, side, castling, target, half, full)| {
        let ranks: Vec<String> = ranks.into_iter().map(String::from_iter).collect();
        format!("{} {side} {castling} {target} {half} {full}", ranks.join("/"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_text(text in any::<String>()) {
        examine(&text);
    }

    #[test]
    fn ascii_text(text in "[ -~]{0,120}") {
        examine(&text);
    }

    #[test]
    fn nearly_a_record(text in nearly_records()) {
        examine(&text);
    }

    #[test]
    fn any_record(text in records()) {
        examine(&text);
    }
}

/// No input takes long, whatever its length. The bound is loose, since tests share the machine.
#[test]
fn long_lines_are_refused_at_once() {
    for unit in ["x", "/", "p", "8/", " ", "1 ", "%20", "[", "♔", "\u{200b}", "fen "] {
        let line = unit.repeat(1_000_000 / unit.len());
        let start = Instant::now();
        let checked = check(&line, &CheckOptions::default());
        assert!(start.elapsed() < Duration::from_millis(50), "{unit:?}: {:?}", start.elapsed());
        assert_eq!(checked.issues[0].code.name(), "input-too-long");
        // The longest that is read.
        let line = unit.repeat(1024 / unit.len());
        let start = Instant::now();
        examine(&line);
        assert!(start.elapsed() < Duration::from_millis(100), "{unit:?}: {:?}", start.elapsed());
    }
}
