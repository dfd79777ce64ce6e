//! `fenlens batch`: every page is in the output once, in order, whatever interrupts the run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use fenlens::{
    Limits, Picture, Verdict,
    output::record::{Record, Status},
};
use tempfile::TempDir;

fn fenlens() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenlens"));
    command.env_remove("ORT_DYLIB_PATH");
    command
}

/// `fenlens batch` with arguments, in a folder.
fn batch(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = fenlens();
    command.current_dir(folder).arg("batch").args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    batch(folder, arguments).output().unwrap()
}

/// Runs and must end with a code; what it said.
fn run_to(code: i32, folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(output.stdout.is_empty());
    said
}

fn records(path: &Path) -> Vec<Record> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const SMALL: [&str; 4] = ["screen-tiny-flipped", "screen-small", "print-small", "print-study"];

/// A folder with pictures: `count` small boards in turn.
fn folder(count: usize) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for index in 0..count {
        let name = SMALL[index % SMALL.len()];
        let from = common::testdata().join(format!("boards/{name}.png"));
        fs::copy(from, folder.path().join(format!("in/{index:03}.png"))).unwrap();
    }
    folder
}

fn testdata(name: &str) -> String {
    common::testdata().join(name).to_str().unwrap().to_owned()
}

// ---------------------------------------------------------------- what is read

#[test]
fn records_are_those_of_read() {
    let folder = folder(4);
    fs::copy(testdata("bad/corrupt.png"), folder.path().join("in/004.png")).unwrap();
    fs::copy(testdata("bad/white.png"), folder.path().join("in/005.png")).unwrap();
    let said = run_to(1, folder.path(), &["in", "-o", "out.jsonl", "-j", "3"]);
    assert!(said.contains("in/004.png: the picture is broken"), "{said}");
    assert!(said.contains("6 pages, 4 boards: ") && said.contains("1 page without a board, 1 failed; "), "{said}");
    assert!(!folder.path().join("out.jsonl.partial").exists());

    let names: Vec<String> = (0..6).map(|index| format!("in/{index:03}.png")).collect();
    let read = fenlens().current_dir(folder.path()).args(["read", "--json"]).args(&names).output().unwrap();
    let read = String::from_utf8(read.stdout).unwrap();
    let batch = records(&folder.path().join("out.jsonl"));
    assert_eq!(batch.len(), 6);
    for (input, (line, record)) in (1..).zip(read.lines().zip(batch)) {
        let expected: Record = serde_json::from_str(line).unwrap();
        assert_eq!(record, Record { input: Some(input), timings_ms: None, ..expected });
    }
}

#[test]
fn threads_change_nothing() {
    let folder = folder(12);
    fs::copy(testdata("books/drawn.pdf"), folder.path().join("in/005.pdf")).unwrap();
    run_to(0, folder.path(), &["in", "-o", "one.jsonl", "-j", "1"]);
    run_to(0, folder.path(), &["in", "-o", "many.jsonl", "-j", "5"]);
    let [one, many] = ["one.jsonl", "many.jsonl"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert!(one == many && !one.is_empty());
}

/// What the table beside a book says is on its pages.
fn contents(book: &str) -> Vec<(u32, u32, String)> {
    let mut table = csv::Reader::from_path(testdata(&format!("books/{book}.csv"))).unwrap();
    let rows = table.deserialize::<(u32, u32, String, String)>();
    rows.map(|row| row.map(|(page, diagram, placement, _)| (page, diagram, placement)).unwrap()).collect()
}

#[test]
fn boards_of_books_are_found_in_order() {
    for book in ["drawn", "scan"] {
        let folder = TempDir::new().unwrap();
        let path = testdata(&format!("books/{book}.pdf"));
        run_to(0, folder.path(), &[&path, "-o", "out.jsonl"]);
        let records = records(&folder.path().join("out.jsonl"));
        let found: Vec<(u32, u32, String)> = records
            .iter()
            .flat_map(|record| record.boards.iter().map(|board| (record.page, board.diagram, board.placement.clone())))
            .map(|(page, diagram, placement)| (page.unwrap(), diagram.unwrap(), placement))
            .collect();
        assert_eq!(found, contents(book), "{book}");
        // Pages of lines are drawn at 200 dots an inch, scans at their own.
        let dpi = if book == "scan" { 110.0 } else { 200.0 };
        assert!(records.iter().all(|record| (record.dpi.unwrap() - dpi).abs() < 1.0), "{:?}", records[0].dpi);
        assert!(records.iter().all(|record| (record.path.as_str(), record.input) == (path.as_str(), Some(1))));
    }
}

#[test]
fn every_page_of_a_tiff_is_read() {
    let folder = TempDir::new().unwrap();
    let names = ["print-small", "print-study", "print-ending"];
    let open = |name: &str| Picture::open(testdata(&format!("boards/{name}.png")), &Limits::default()).unwrap();
    fs::write(folder.path().join("scan.tif"), common::tiff(&names.map(open))).unwrap();
    fs::write(folder.path().join("single.tif"), common::tiff(&[open("print-small")])).unwrap();
    run_to(0, folder.path(), &["scan.tif", "single.tif", "-o", "out.jsonl"]);
    let records = records(&folder.path().join("out.jsonl"));
    assert_eq!(records.iter().map(|record| record.page).collect::<Vec<_>>(), [Some(1), Some(2), Some(3), None]);
    for (record, name) in records.iter().zip(["print-small", "print-study", "print-ending", "print-small"]) {
        let label = fs::read_to_string(testdata(&format!("boards/{name}.json"))).unwrap();
        assert!(label.contains(&format!("\"{}\"", record.boards[0].placement)), "{name}: {record:?}");
        assert_eq!(record.boards[0].diagram, record.page.map(|_| 1));
    }
}

#[test]
fn lists_folders_and_patterns() {
    let folder = folder(3);
    let path = folder.path();
    fs::create_dir_all(path.join("in/deep")).unwrap();
    fs::copy(path.join("in/000.png"), path.join("in/deep/900.PNG")).unwrap();
    fs::write(path.join("in/notes.txt"), "no picture").unwrap();
    fs::write(path.join("in/.hidden.png"), "no picture").unwrap();
    let paths = |arguments: &[&str], list: &str| {
        let mut command = batch(path, arguments);
        command.args(["-o", "out.jsonl", "--force"]).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), list.as_bytes()).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let paths = records(&path.join("out.jsonl")).into_iter().map(|record| record.path);
        paths.collect::<Vec<_>>()
    };
    let three = ["in/000.png", "in/001.png", "in/002.png"];
    assert_eq!(paths(&["in"], ""), three);
    assert_eq!(paths(&["-r", "in"], ""), [&three[..], &["in/deep/900.PNG"]].concat());
    assert_eq!(paths(&["in/00[12].png"], ""), three[1..]);
    // Each once, in the order given, though named twice.
    assert_eq!(paths(&["in/002.png", "in"], ""), ["in/002.png", "in/000.png", "in/001.png"]);
    assert_eq!(paths(&["-"], "in/001.png\r\n\nin/000.png"), ["in/001.png", "in/000.png"]);
}

#[test]
fn nothing_to_read_is_an_error() {
    let folder = folder(1);
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (arguments, why) in [
        (&["empty"][..], "there is no picture to read"),
        (&["in/*.gif"], "no picture matches"),
        (&["-"], "there is no picture to read"),
        (&[], "required"),
    ] {
        let said = run_to(2, folder.path(), &[arguments, &["-o", "out.jsonl"]].concat());
        assert!(said.contains(why), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
    }
}

// ---------------------------------------------------------------- what is broken

/// A document that asks for a password.
fn locked() -> Vec<u8> {
    let zeros = "0".repeat(64);
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>".to_owned(),
        format!("<< /Filter /Standard /V 1 /R 2 /P -4 /O <{zeros}> /U <{zeros}> >>"),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut table = "xref\n0 5\n0000000000 65535 f \n".to_owned();
    for (number, object) in (1..).zip(objects) {
        table += &format!("{:010} 00000 n \n", text.len());
        text += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    let start = text.len();
    let trailer = "trailer << /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<00> <00>] >>";
    format!("{text}{table}{trailer}\nstartxref\n{start}\n%%EOF\n").into_bytes()
}

#[test]
fn broken_documents_are_records() {
    let folder = folder(2);
    let book = fs::read(testdata("books/scan.pdf")).unwrap();
    let inside = folder.path().join("in");
    fs::write(inside.join("a-cut.pdf"), &book[..300]).unwrap();
    fs::write(inside.join("b-locked.pdf"), locked()).unwrap();
    fs::write(inside.join("c-text.pdf"), "%PDF-1.7 and nothing else").unwrap();
    fs::write(inside.join("d-empty.pdf"), "").unwrap();
    // The picture of the first page no longer is one; the second page is as it was.
    let mut spoilt = book.clone();
    let jpeg = spoilt.windows(3).position(|bytes| bytes == [0xFF, 0xD8, 0xFF]).unwrap();
    spoilt[jpeg..jpeg + 400].fill(0);
    fs::write(inside.join("e-spoilt.pdf"), spoilt).unwrap();
    let missing = "missing.pdf";
    let said = run_to(1, folder.path(), &["in", missing, "-o", "out.jsonl"]);
    let records = records(&folder.path().join("out.jsonl"));
    let seen: Vec<(&str, Option<u32>, &str)> = records
        .iter()
        .map(|record| {
            let name = record.path.trim_start_matches("in/");
            (name, record.page, record.error.as_ref().map_or("", |error| error.kind.as_str()))
        })
        .collect();
    let expected = [
        ("000.png", None, ""),
        ("001.png", None, ""),
        ("a-cut.pdf", None, "broken"),
        ("b-locked.pdf", None, "encrypted"),
        ("c-text.pdf", None, "broken"),
        ("d-empty.pdf", None, "empty"),
        ("e-spoilt.pdf", Some(1), "broken"),
        ("e-spoilt.pdf", Some(2), ""),
        ("missing.pdf", None, "not-found"),
    ];
    assert_eq!(seen, expected);
    assert!(said.contains("in/b-locked.pdf: encrypted, and cannot be read without its password"), "{said}");
    assert!(said.contains("in/e-spoilt.pdf, page 1: the picture is broken: a picture on the page"), "{said}");
    assert_eq!(records[7].boards.len(), 2);
}

#[test]
fn limits_hold_for_pages_too() {
    let folder = TempDir::new().unwrap();
    let (scan, drawn) = (testdata("books/scan.pdf"), testdata("books/drawn.pdf"));
    run_to(1, folder.path(), &[&scan, &drawn, "-o", "out.jsonl", "--max-pixels", "100000"]);
    let records = records(&folder.path().join("out.jsonl"));
    let (scans, drawings): (Vec<_>, Vec<_>) = records.iter().partition(|record| record.path == scan);
    let kinds: Vec<_> = scans.iter().map(|record| record.error.as_ref().map(|error| error.kind.as_str())).collect();
    assert_eq!(kinds, [Some("too-large"); 2]);
    assert!(drawings.iter().all(|record| record.dpi.unwrap() < 72.0));
    run_to(1, folder.path(), &[&scan, "-o", "small.jsonl", "--max-bytes", "1000"]);
    let record = &self::records(&folder.path().join("small.jsonl"))[0];
    assert_eq!(record.error.as_ref().unwrap().kind, "too-large");
}

// ---------------------------------------------------------------- formats

#[test]
fn what_is_not_certain_is_marked_or_left_out() {
    let folder = TempDir::new().unwrap();
    let pictures = ["screen-opening", "print-study", "print-page-photo", "screen-interface", "print-ending"];
    let mut paths: Vec<String> = pictures.iter().map(|name| testdata(&format!("boards/{name}.png"))).collect();
    paths.push(testdata("books/drawn.pdf"));
    paths.push(testdata("bad/corrupt.png"));
    let list: Vec<&str> = paths.iter().map(String::as_str).collect();
    for format in ["jsonl", "csv", "fen", "epd", "pgn"] {
        // The format follows from the name, or is given.
        let name = format!("out.{format}");
        let asked: &[&str] = if format == "csv" { &["-o", "table", "--format", "csv"] } else { &["-o", &name] };
        let said = run_to(1, folder.path(), &[&list, asked].concat());
        assert!(format != "fen" || said.contains("left out as not certain: "), "{said}");
    }
    let boards: Vec<(Record, usize)> = records(&folder.path().join("out.jsonl"))
        .into_iter()
        .flat_map(|record| (0..record.boards.len()).map(move |index| (record.clone(), index)))
        .collect();
    let of = |verdicts: &[&str]| -> Vec<&(Record, usize)> {
        boards.iter().filter(|(record, index)| verdicts.contains(&record.boards[*index].verdict.name())).collect()
    };
    let (accepted, shown) = (of(&["accept"]), of(&["accept", "check"]));
    assert!(!accepted.is_empty() && accepted.len() < shown.len(), "both kinds are needed");
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();

    let fens: Vec<String> = accepted.iter().map(|(record, index)| record.boards[*index].fen.clone()).collect();
    assert_eq!(text("out.fen").lines().collect::<Vec<_>>(), fens);

    let epd = text("out.epd");
    assert_eq!(epd.lines().count(), shown.len());
    let games = text("out.pgn");
    let games: Vec<&str> = games.split("[Event ").skip(1).collect();
    assert_eq!(games.len(), shown.len());
    for ((line, game), (record, index)) in epd.lines().zip(games).zip(shown) {
        let board = &record.boards[*index];
        let origin = match record.page {
            Some(page) => format!("{}, page {page}, diagram {}", record.path, index + 1),
            None if record.boards.len() > 1 => format!("{}, diagram {}", record.path, index + 1),
            None => record.path.clone(),
        };
        let fields: Vec<&str> = board.fen.split(' ').collect();
        assert!(line.starts_with(&fields[..4].join(" ")) && line.contains(&format!("id \"{origin}\";")), "{line}");
        assert_eq!(line.contains(" c0 \"check: "), board.verdict == Verdict::Check, "{line}");
        assert!(game.contains("[SetUp \"1\"]\n") && game.contains(&format!("[FEN \"{}\"]\n", board.fen)), "{game}");
        assert!(game.contains(&format!("[Source \"{origin}\"]\n")) && game.ends_with("\n*\n\n"), "{game}");
        assert_eq!(game.contains("\n\n{check: "), board.verdict == Verdict::Check, "{game}");
        let loaded = fenlens::fen::check(line, &fenlens::fen::CheckOptions::default());
        assert_eq!(loaded.normalized.as_deref(), Some(board.fen.as_str()), "{line}");
    }

    table_has_all(&folder.path().join("table"), &boards);
}

/// The table has a row for every board and for the picture that cannot be read.
fn table_has_all(table: &Path, boards: &[(Record, usize)]) {
    let mut table = csv::Reader::from_path(table).unwrap();
    let columns = table.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = table.records().map(|row| row.unwrap()).collect();
    let cell =
        |row: &csv::StringRecord, name: &str| row[columns.iter().position(|column| column == name).unwrap()].to_owned();
    let (failed, read): (Vec<_>, Vec<_>) = rows.iter().partition(|row| cell(row, "status") == "error");
    assert_eq!((failed.len(), read.len()), (1, boards.len()));
    assert!(cell(failed[0], "error").starts_with("the picture is broken"));
    for (row, (record, index)) in read.into_iter().zip(boards) {
        let board = &record.boards[*index];
        assert_eq!((cell(row, "fen"), cell(row, "verdict")), (board.fen.clone(), board.verdict.to_string()));
        assert_eq!(cell(row, "page"), record.page.map_or(String::new(), |page| page.to_string()));
        assert_eq!(cell(row, "doubts").is_empty(), board.verdict == Verdict::Accept);
        let (left, right): (f64, f64) = (cell(row, "left").parse().unwrap(), cell(row, "right").parse().unwrap());
        assert!(board.corners.iter().all(|[x, _]| (left - 0.5..=right + 0.5).contains(x)));
    }
}

#[test]
fn the_contact_sheet_has_the_doubtful_boards_only() {
    let folder = TempDir::new().unwrap();
    let paths =
        ["screen-opening", "print-study", "print-page-photo"].map(|name| testdata(&format!("boards/{name}.png")));
    let [a, b, c] = &paths;
    run_to(0, folder.path(), &[a, b, c, "-o", "out.jsonl", "--review", "sheet"]);
    let records = records(&folder.path().join("out.jsonl"));
    let doubtful = records.iter().flat_map(|record| &record.boards).filter(|board| board.verdict != Verdict::Accept);
    let doubtful: Vec<_> = doubtful.collect();
    assert!(!doubtful.is_empty());
    let page = fs::read_to_string(folder.path().join("sheet/index.html")).unwrap();
    assert_eq!(page.matches("<section").count(), doubtful.len());
    assert_eq!(page.matches("<svg").count(), doubtful.len());
    assert!(doubtful.iter().all(|board| page.contains(&board.fen)) && page.ends_with("</body></html>\n"));
    let policy =
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src 'self' file:; style-src 'sha256-";
    assert!(page.contains(policy) && !page.contains(" style=\""), "{}", page.split("<title>").next().unwrap());
    let cuts: Vec<&str> = page.split("<img src=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(cuts.len(), doubtful.len());
    for cut in cuts {
        let picture = Picture::open(folder.path().join("sheet").join(cut), &Limits::default()).unwrap();
        assert!(picture.width() > 100 && picture.height() > 100);
    }
}

// ---------------------------------------------------------------- resuming

#[test]
fn finished_outputs_are_safe() {
    let folder = folder(3);
    let path = folder.path();
    run_to(0, path, &["in", "-o", "out.jsonl"]);
    let first = fs::read(path.join("out.jsonl")).unwrap();
    let said = run_to(2, path, &["in/000.png", "-o", "out.jsonl"]);
    assert!(said.contains("exists already: --force replaces it"), "{said}");
    let said = run_to(0, path, &["in", "-o", "out.jsonl", "--resume"]);
    assert!(said.contains("nothing to do"), "{said}");
    let said = run_to(2, path, &["in/000.png", "-o", "out.jsonl", "--resume"]);
    assert!(said.contains("of another run"), "{said}");
    assert_eq!(fs::read(path.join("out.jsonl")).unwrap(), first);
    run_to(0, path, &["in/000.png", "-o", "out.jsonl", "--force"]);
    assert_eq!(records(&path.join("out.jsonl")).len(), 1);
    let said = run_to(2, path, &["in/000.png", "-o", "in/000.png", "--force"]);
    assert!(said.contains("one of the files to read"), "{said}");
}

/// A part is its journal with one line more: cut anywhere, it is a journal that can be continued.
#[test]
fn a_torn_journal_is_repaired() {
    let folder = folder(5);
    let path = folder.path();
    let arguments = ["in", "-o", "out.jsonl", "--shard", "1/1"];
    run_to(0, path, &arguments);
    let whole = fs::read(path.join("out.jsonl")).unwrap();
    let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
    assert_eq!(ends.len(), 7);
    let mut cases: Vec<Vec<u8>> =
        [0, 7, ends[0] - 1, ends[0], ends[1] - 1, ends[2] + 40, ends[4], ends[5], whole.len() - 1, whole.len()]
            .map(|end| whole[..end].to_vec())
            .into();
    // What a power failure leaves: space that was never written; half a record with a line feed of the next.
    cases.push([&whole[..ends[3]], &[0; 100]].concat());
    cases.push([&whole[..ends[2] - 20], b"\n", &whole[ends[2]..]].concat());
    // A record twice.
    cases.push([&whole[..ends[3]], &whole[ends[2]..]].concat());
    // A record that is missing, and one of another page in its place.
    cases.push([&whole[..ends[1]], &whole[ends[2]..]].concat());
    cases.push([&whole[..ends[1]], &whole[ends[2]..ends[3]], &whole[ends[2]..]].concat());
    let resume = [&arguments[..], &["--resume"]].concat();
    for journal in cases {
        fs::remove_file(path.join("out.jsonl")).unwrap();
        fs::write(path.join("out.jsonl.partial"), &journal).unwrap();
        run_to(0, path, &resume);
        let repaired = fs::read(path.join("out.jsonl")).unwrap();
        assert!(repaired == whole, "after {} bytes of {}", journal.len(), whole.len());
    }
    fs::write(path.join("out.jsonl.partial"), &whole[..ends[2]]).unwrap();
    let said = run_to(2, path, &arguments[..3]);
    assert!(said.contains("exists already"), "{said}");
    fs::remove_file(path.join("out.jsonl")).unwrap();
    let said = run_to(2, path, &arguments);
    assert!(said.contains("--resume goes on with it"), "{said}");
    for (other, why) in [
        (&["in/000.png", "-o", "out.jsonl", "--shard", "1/1"][..], "the number of files: then 5, now 1"),
        (&["in", "-o", "out.jsonl", "--shard", "1/2"], "--shard: then 1/1, now 1/2"),
        (&["in", "-o", "out.jsonl"], "--shard: then 1/1, now all of it"),
        (&["in", "-o", "out.jsonl", "--shard", "1/1", "--max-pixels", "9999"], "the limits: then"),
        (&["in", "-o", "out.jsonl", "--shard", "1/1", "--review", "sheet"], "--review: then false, now true"),
    ] {
        let said = run_to(2, path, &[other, &["--resume"]].concat());
        assert!(said.contains(why), "{said}");
    }
    fs::rename(path.join("in/004.png"), path.join("in/005.png")).unwrap();
    let said = run_to(2, path, &resume);
    assert!(said.contains("the files (their names in order)"), "{said}");
    assert_eq!(fs::read(path.join("out.jsonl.partial")).unwrap(), &whole[..ends[2]], "the journal is as it was");
    fs::write(path.join("out.jsonl.partial"), "my notes\n").unwrap();
    let said = run_to(2, path, &resume);
    assert!(said.contains("not the journal of a batch"), "{said}");
    assert_eq!(fs::read(path.join("out.jsonl.partial")).unwrap(), b"my notes\n");
}

fn lines(path: &Path) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

/// A folder whose reading takes long enough to be interrupted, and its output when it is not.
fn long_work() -> (TempDir, Vec<u8>) {
    let folder = folder(40);
    fs::copy(testdata("books/drawn.pdf"), folder.path().join("in/020.pdf")).unwrap();
    run_to(0, folder.path(), &["in", "-o", "whole.csv", "-j", "2"]);
    let whole = fs::read(folder.path().join("whole.csv")).unwrap();
    (folder, whole)
}

#[test]
fn nothing_is_lost_or_doubled_in_50_kills() {
    let (folder, whole) = long_work();
    let path = folder.path();
    let partial = path.join("out.csv.partial");
    let mut random = common::Random::new(50);
    let (mut kills, mut fruitful) = (0, 0);
    while kills < 50 {
        let _ = fs::remove_file(path.join("out.csv"));
        loop {
            let before = lines(&partial);
            let mut child =
                batch(path, &["in", "-o", "out.csv", "-j", "2", "--resume"]).stderr(Stdio::null()).spawn().unwrap();
            // Anywhere: while it starts, or some time after it has written the next record.
            if kills % 5 > 0 {
                wait(&mut child, || lines(&partial) > before.max(1));
            }
            thread::sleep(Duration::from_millis(random.below(120) as u64));
            if child.try_wait().unwrap().is_some() {
                assert_eq!(child.wait().unwrap().code(), Some(0));
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            let after = lines(&partial);
            assert!(after >= before || path.join("out.csv").exists(), "kill {kills}: {before} lines, then {after}");
            fruitful += usize::from(after > before);
            // Killed when all pictures were read, but before the output was complete.
            if path.join("out.csv").exists() && !partial.exists() {
                break;
            }
        }
        assert!(fs::read(path.join("out.csv")).unwrap() == whole, "after {kills} kills");
        assert!(!partial.exists());
    }
    assert!(fruitful > 20, "only {fruitful} kills fell into the reading");
}

/// Waits until something is so, or the child has ended.
fn wait(child: &mut Child, mut so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !so() && child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < Duration::from_secs(120), "it hangs");
        thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_finishes_what_is_in_hand() {
    let (folder, whole) = long_work();
    let path = folder.path();
    for name in ["INT", "TERM"] {
        let _ = fs::remove_file(path.join("out.csv"));
        let mut command = batch(path, &["in", "-o", "out.csv", "-j", "2"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        wait(&mut child, || lines(&path.join("out.csv.partial")) > 2);
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("interrupted: finishing") && said.contains("--resume goes on"), "{said}");
        let journal = fs::read_to_string(path.join("out.csv.partial")).unwrap();
        let pages = journal.lines().count() - 1;
        assert!(journal.ends_with('\n') && (2..42).contains(&pages) && !path.join("out.csv").exists());
        assert!(said.contains(&format!("{pages} pages kept")), "{said}");
        run_to(0, path, &["in", "-o", "out.csv", "-j", "2", "--resume"]);
        assert!(fs::read(path.join("out.csv")).unwrap() == whole);
    }
}

#[cfg(unix)]
#[test]
fn two_runs_do_not_write_one_output() {
    let folder = folder(30);
    let path = folder.path();
    let mut child = batch(path, &["in", "-o", "out.jsonl", "-j", "1"]).stderr(Stdio::null()).spawn().unwrap();
    wait(&mut child, || lines(&path.join("out.jsonl.partial")) > 1);
    let said = run_to(2, path, &["in", "-o", "out.jsonl", "--resume"]);
    assert!(said.contains("another run is writing it"), "{said}");
    let said = run_to(2, path, &["in", "-o", "out.jsonl", "--force"]);
    assert!(said.contains("another run is writing it"), "{said}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(records(&path.join("out.jsonl")).len(), 30);
}

/// A limit on the size of files stands in for a full disk: the write that passes it fails.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder(12);
    let path = folder.path();
    run_to(0, path, &["in", "-o", "whole.csv"]);
    let limited = |kilobytes: u32, arguments: &[&str]| {
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$0\" batch \"$@\"");
        let mut command = Command::new("bash");
        command.current_dir(path).args(["-c", &script, env!("CARGO_BIN_EXE_fenlens")]).args(arguments);
        let output = command.env_remove("ORT_DYLIB_PATH").output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let arguments = ["in", "-o", "out.csv", "--resume"];
    let partial = path.join("out.csv.partial");
    let mut before = 0;
    for kilobytes in [20, 45, 45] {
        let (code, said) = limited(kilobytes, &arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("out.csv.partial: File too large") && said.contains("--resume goes on"), "{said}");
        let journal = fs::read_to_string(&partial).unwrap();
        let kept = journal.lines().skip(1).filter(|line| serde_json::from_str::<Record>(line).is_ok()).count();
        assert_eq!(kept, journal.lines().count() - 1, "what is kept is whole");
        assert!(journal.ends_with('\n') && kept >= before && kept < 12 && kept > 0, "{before} records, then {kept}");
        before = kept;
    }
    run_to(0, path, &arguments);
    assert_eq!(fs::read(path.join("out.csv")).unwrap(), fs::read(path.join("whole.csv")).unwrap());
    // Where there is room for the journal of small pictures but not for the output made of it.
    fs::write(path.join("small.png"), fs::read(testdata("bad/white.png")).unwrap()).unwrap();
    let (code, said) = limited(0, &["small.png", "-o", "none.csv"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("none.csv.partial: File too large"), "{said}");
}

// ---------------------------------------------------------------- parts

#[test]
fn parts_joined_are_the_whole() {
    let folder = folder(9);
    let path = folder.path();
    for book in ["drawn", "scan"] {
        fs::copy(testdata(&format!("books/{book}.pdf")), path.join(format!("in/004-{book}.pdf"))).unwrap();
    }
    fs::write(path.join("in/bad.pdf"), locked()).unwrap();
    run_to(1, path, &["in", "-o", "whole.jsonl"]);
    run_to(1, path, &["in", "-o", "whole.pgn"]);
    let parts = ["part-1", "part-2", "part-3"];
    let mut pages = Vec::new();
    for (index, part) in (1..).zip(parts) {
        let output = run(path, &["in", "-o", part, "--shard", &format!("{index}/3")]);
        assert!(matches!(output.status.code(), Some(0 | 1)));
        pages.push(lines(&path.join(part)) - 2);
        // A part that is asked for again is finished.
        assert_eq!(run(path, &["in", "-o", part, "--shard", &format!("{index}/3"), "--resume"]).status.code(), Some(0));
    }
    assert_eq!(pages.iter().sum::<usize>(), records(&path.join("whole.jsonl")).len());
    assert!(pages.iter().all(|&count| count > 0), "{pages:?}");
    // In whatever order they are named.
    run_to(1, path, &["--merge", "part-3", "part-1", "part-2", "-o", "merged.jsonl"]);
    run_to(1, path, &["--merge", "part-1", "part-2", "part-3", "-o", "merged.pgn"]);
    for end in ["jsonl", "pgn"] {
        let [whole, merged] = ["whole", "merged"].map(|name| fs::read(path.join(format!("{name}.{end}"))).unwrap());
        assert!(whole == merged && !whole.is_empty(), "{end}");
    }
    for (arguments, why) in [
        (&["part-1", "part-3", "-o", "x.jsonl"][..], "of 3 parts these are missing: 2"),
        (&["part-1", "part-2", "part-2", "part-3", "-o", "x.jsonl"], "part-2: part 2/3 is part-2 already"),
        (&["part-1", "part-2", "whole.jsonl", "-o", "x.jsonl"], "whole.jsonl: not a part"),
        (&["part-1", "part-2", "part-3", "-o", "merged.jsonl"], "exists already"),
        (&["part-1", "part-2", "part-3", "-o", "part-3", "--force"], "one of the parts"),
    ] {
        let said = run_to(2, path, &[&["--merge"], arguments].concat());
        assert!(said.contains(why), "{said}");
        assert!(!path.join("x.jsonl").exists());
    }
    run_to(0, path, &["in/000.png", "-o", "other", "--shard", "1/3"]);
    let said = run_to(2, path, &["--merge", "other", "part-2", "part-3", "-o", "x.jsonl"]);
    assert!(said.contains("a part of another run: the number of files"), "{said}");
    let said = run_to(2, path, &["in", "-o", "x.csv", "--shard", "1/3"]);
    assert!(said.contains("--merge makes any format"), "{said}");
}

#[test]
fn status_of_pages_without_boards() {
    let folder = TempDir::new().unwrap();
    let path: PathBuf = folder.path().into();
    fs::copy(testdata("bad/white.png"), path.join("white.png")).unwrap();
    let said = run_to(1, &path, &["white.png", "-o", "out.jsonl"]);
    assert!(said.contains("1 page, 0 boards: 0 accepted, 0 to check, 0 refused; 1 page without a board"), "{said}");
    assert_eq!(records(&path.join("out.jsonl"))[0].status, Status::NoBoard);
}
