//! The checks of the fuzz targets on stable Rust: a few thousand seeded inputs of each kind, most of them mutations of real
//! ones. The targets themselves, in `fuzz/`, search for hours.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../fuzz/checks.rs"]
mod checks;
mod common;

use std::fs;

use assert_cmd::Command;
use common::{Random, testdata};

/// The files of a folder of test data, sorted by name.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(testdata().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// A seed with up to eight changes: bytes replaced, inserted or removed, a part repeated, the end cut off, or the rest of
/// another seed joined on.
fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(8) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(7) {
            0 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 => bytes.insert(at, random.below(256) as u8),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let part = bytes[at..end].to_vec();
                bytes.splice(at..at, part);
            }
            5 if random.below(4) == 0 => bytes.truncate(at),
            6 => {
                let other = &seeds[random.below(seeds.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            _ => {}
        }
    }
    bytes
}

/// Bytes without any order.
fn noise(random: &mut Random) -> Vec<u8> {
    (0..random.below(300)).map(|_| random.below(256) as u8).collect()
}

/// Runs a check on so many mutations of the seeds, and on noise.
fn run(seeds: &[Vec<u8>], number: usize, check: fn(&[u8])) {
    let mut random = Random::new(12);
    seeds.iter().for_each(|seed| check(seed));
    for n in 0..number {
        let input = if n % 8 == 0 { noise(&mut random) } else { mutated(seeds, &mut random) };
        check(&input);
    }
}

#[test]
fn any_text_is_checked_as_a_record() {
    let mut reader = csv::Reader::from_path(testdata().join("fen/cases.csv")).unwrap();
    let seeds: Vec<Vec<u8>> = reader.records().map(|row| row.unwrap()[2].into()).collect();
    run(&seeds, 4000, checks::fen);
}

#[test]
fn any_bytes_are_decoded_or_refused() {
    run(&[files("formats"), files("bad")].concat(), 20_000, checks::picture);
}

#[test]
fn any_text_is_read_as_a_label_or_refused() {
    let seeds = [
        r#"{"placement": "8/8/4k3/8/8/3K4/8/8", "orientation": "white"}"#,
        r#"{"schema": 1, "picture": "a.png", "sha256": "00ff", "boards": [{"fen": "8/8/4k3/8/8/3K4/8/8 w - - 0 1"}, {"placement": "8/8/4k3/8/8/3K4/8/8", "orientation": "black"}]}"#,
        r#"{"boards": []}"#,
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n",
        "-",
        "8/8/4k3/8/8/3K4/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\nwhite|black",
        "board_8-8-4k3-8-8-3K4-8-8_2",
        "rnbqkbnr_pppppppp_11111111_8_8_8_PPPPPPPP_RNBQKBNR",
    ];
    run(&seeds.map(Vec::from), 8000, checks::label);
}

#[test]
fn any_text_is_read_as_a_part_or_refused() {
    let record = |input: u32, rest: &str| {
        format!(r#"{{"schema":1,"path":"a.png","input":{input},{rest},"error":null,"model":"m"}}"#)
    };
    let board = r#"{"fen":"8/8/8/8/8/8/8/8 w - - 0 1","placement":"8/8/8/8/8/8/8/8","game":"chess","orientation":"white","verdict":"check","confidence":0.5,"corners":[[0,0],[1,0],[1,1],[0,1]],"turned":0,"squares":[],"fields":{"orientation":F,"side":F,"castling":F,"en_passant":F,"counters":F},"issues":[]}"#;
    let board = board.replace('F', r#"{"source":"assumed","evidence":null,"confidence":0.5}"#);
    let records = [
        record(1, r#""status":"no-board","boards":[]"#),
        record(2, &format!(r#""page":2,"dpi":110.0,"status":"ok","boards":[{board}]"#)),
        record(3, r#""status":"no-board","boards":[],"journal":{"bytes":1,"modified":null,"sum":"00"}"#),
    ];
    let [first, second, third] = records.each_ref().map(String::as_str);
    for records in [&[][..], &[first], &[first, second]] {
        assert!(
            String::from_utf8(checks::sealed(records.iter().copied())).unwrap().lines().count() == records.len() + 2
        );
    }
    let seeds = [
        checks::sealed([]),
        checks::sealed([first]),
        checks::sealed([first, second, first]),
        first.into(),
        [first, second].join("\n").into(),
        third.into(),
        record(4, r#""status":"no-board","boards":[],"journal":null"#).into(),
        r#"{"journal":"end","records":18446744073709551615,"sum":"00"}"#.into(),
    ];
    run(&seeds, 4000, checks::part);
}

/// The program answers any PDF document with a record, and never with a panic of its own or a hang.
#[test]
fn any_document_is_read_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = Random::new(12);
    let seeds = [fs::read(testdata().join("books/drawn.pdf")).unwrap()];
    let records = folder.path().join("out.jsonl");
    const DOCUMENTS: usize = 4;
    for n in 0..DOCUMENTS {
        fs::write(folder.path().join(format!("{n:02}.pdf")), mutated(&seeds, &mut random)).unwrap();
    }
    let output = Command::cargo_bin("fenlens")
        .unwrap()
        .arg("batch")
        .arg(folder.path())
        .arg("-o")
        .arg(&records)
        .timeout(std::time::Duration::from_secs(120))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code().is_some_and(|code| code <= 2), "{:?} {said}", output.status);
    assert!(!said.contains("panicked"), "{said}");
    let answered = fs::read_to_string(records).unwrap();
    for n in 0..DOCUMENTS {
        assert!(answered.contains(&format!("{n:02}.pdf")), "no record of {n:02}.pdf: {said}");
    }
}
