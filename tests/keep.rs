//! Nothing is lost and nothing is overwritten: parts and journals that are not whole, pictures that have changed, outputs that
//! are inputs, and names that a terminal or a spreadsheet would obey.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, SystemTime},
};

use fenlens::{Picture, output::record::Record};
use tempfile::TempDir;

fn fenlens(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenlens"));
    command.env_remove("ORT_DYLIB_PATH").current_dir(folder).args(arguments).output().unwrap()
}

/// Runs `fenlens` and must end with a code; what it said.
fn said(code: i32, folder: &Path, arguments: &[&str]) -> String {
    let output = fenlens(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    said
}

/// Runs `fenlens batch`; pictures without a board make the exit code 1.
fn batch(code: i32, folder: &Path, arguments: &[&str]) -> String {
    said(code, folder, &[&["batch"], arguments].concat())
}

/// A small page without a board.
fn page() -> Picture {
    Picture::filled(60, 40, [250; 3])
}

/// A folder `in` of five pages in four files, one of them a TIFF file of two.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let inside = folder.path().join("in");
    fs::create_dir(&inside).unwrap();
    for name in ["a", "c", "d"] {
        fs::write(inside.join(format!("{name}.png")), page().to_png()).unwrap();
    }
    fs::write(inside.join("b.tif"), common::tiff(&[page(), page()])).unwrap();
    folder
}

fn lines(path: &Path) -> Vec<String> {
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn write_lines(path: &Path, lines: &[String]) {
    fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

fn without(lines: &[String], index: usize) -> Vec<String> {
    let mut lines = lines.to_vec();
    lines.remove(index);
    lines
}

// ---------------------------------------------------------------- parts

/// A folder with the parts `1` and `2`, and the output `whole.jsonl` of one run.
fn parts() -> TempDir {
    let folder = folder();
    batch(1, folder.path(), &["in", "-o", "whole.jsonl"]);
    for part in ["1", "2"] {
        batch(0, folder.path(), &["in", "-o", part, "--shard", &format!("{part}/2")]);
    }
    folder
}

#[test]
fn a_part_says_how_many_records_it_holds() {
    let folder = parts();
    let path = folder.path();
    let mut pages = 0;
    for part in ["1", "2"] {
        let lines = lines(&path.join(part));
        let json = |line: &String| serde_json::from_str::<serde_json::Value>(line).unwrap();
        let (first, last) = (json(&lines[0]), json(&lines[lines.len() - 1]));
        assert_eq!((&first["journal"], &first["format"]), (&"fenlens batch".into(), &2.into()));
        assert_eq!((&last["journal"], &last["records"]), (&"end".into(), &(lines.len() - 2).into()));
        // Each line between them is a record for any reader.
        let records = &lines[1..lines.len() - 1];
        records.iter().for_each(|line| drop(serde_json::from_str::<Record>(line).unwrap()));
        pages += records.len();
    }
    assert_eq!(pages, 5);
    batch(1, path, &["--merge", "1", "2", "-o", "merged.jsonl"]);
    assert_eq!(fs::read(path.join("merged.jsonl")).unwrap(), fs::read(path.join("whole.jsonl")).unwrap());
    assert!(!fs::read_to_string(path.join("whole.jsonl")).unwrap().contains("journal"));
}

#[test]
fn parts_that_are_not_whole_are_refused_and_named() {
    let folder = parts();
    let path = folder.path();
    // Both have records to lose.
    let part = ["1", "2"].into_iter().max_by_key(|part| lines(&path.join(part)).len()).unwrap();
    let other = if part == "1" { "2" } else { "1" };
    let whole = lines(&path.join(part));
    assert!(whole.len() >= 4);
    let bytes = fs::read(path.join(part)).unwrap();
    let last = whole.len() - 1;
    let text = |lines: &[String]| lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes();
    let changed = String::from_utf8(bytes.clone()).unwrap().replacen("no-board", "ok", 1).into_bytes();
    let old = text(&[&[whole[0].replace("\"format\":2,", "")], &whole[1..last]].concat());
    let count = String::from_utf8(bytes.clone()).unwrap().replace("\"count\":2", "\"count\":4294967295").into_bytes();
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (text(&whole[..last]), "its last line is missing"),
        (text(&whole[..last - 1]), "its last line is missing"),
        (text(&whole[..1]), "its last line is missing"),
        (bytes[..bytes.len() - 1].to_vec(), "it is cut off in line"),
        (bytes[..bytes.len() - 300].to_vec(), "it is cut off in line"),
        (text(&without(&whole, 1)), "line 2 is not what was written there"),
        (text(&without(&whole, last - 1)), "its last line is that of"),
        (changed, "line 2 is not what was written there"),
        (text(&[&whole[..], &whole[1..2]].concat()), "comes after its last line"),
        (bytes[..20].to_vec(), "not a part written with --shard"),
        (Vec::new(), "not a part written with --shard"),
        (old, "written by an older version of fenlens"),
        (count, "of a run that is divided otherwise"),
    ];
    for (bytes, why) in cases {
        fs::write(path.join("bad"), bytes).unwrap();
        let words = batch(2, path, &["--merge", other, "bad", "-o", "x.jsonl"]);
        assert!(words.contains("bad") && words.contains(why), "{words} should say: {why}");
        assert_eq!(fs::read_dir(path).unwrap().count(), 5, "nothing is written");
    }
    // The journal of a run that has not ended, of the same run and of another.
    write_lines(&path.join("bad.partial"), &whole[..last]);
    let words = batch(2, path, &["--merge", other, "bad.partial", "-o", "x.jsonl"]);
    assert!(words.contains("bad.partial is not whole: its last line is missing"), "{words}");
}

#[test]
fn parts_of_files_that_changed_in_between_are_refused() {
    let folder = parts();
    let path = folder.path();
    // The pages of the TIFF file are in both parts, or in one; they all are when it is read as more pages.
    fs::write(path.join("in/b.tif"), common::tiff(&vec![page(); 12])).unwrap();
    batch(0, path, &["in", "-o", "new", "--shard", "2/2"]);
    fs::write(path.join("in/b.tif"), common::tiff(&vec![page(); 13])).unwrap();
    batch(0, path, &["in", "-o", "old", "--shard", "1/2"]);
    let words = batch(2, path, &["--merge", "old", "new", "-o", "x.jsonl"]);
    assert!(words.contains("in/b.tif had ") && words.contains(" bytes when it was read for "), "{words}");
}

// ---------------------------------------------------------------- resuming

#[test]
fn a_dropped_record_is_noticed() {
    let folder = parts();
    let path = folder.path();
    let whole = lines(&path.join("whole.jsonl"));
    let resume = ["in", "-o", "whole.jsonl", "--resume"];
    assert!(batch(0, path, &resume).contains("nothing to do"));
    // Also the second page of the document, of which nothing else says that it was there.
    for gone in 0..whole.len() {
        write_lines(&path.join("whole.jsonl"), &without(&whole, gone));
        let words = batch(2, path, &resume);
        assert!(words.contains("is not whole: there is no record of in/"), "{words}");
    }
    write_lines(&path.join("whole.jsonl"), &[&whole[..], &whole[4..]].concat());
    assert!(batch(2, path, &resume).contains("has a record too many: in/d.png"));

    let part = ["1", "2"].into_iter().max_by_key(|part| lines(&path.join(part)).len()).unwrap();
    let arguments = ["in", "-o", part, "--shard", &format!("{part}/2"), "--resume"];
    assert!(batch(0, path, &arguments).contains("nothing to do"));
    let whole = lines(&path.join(part));
    write_lines(&path.join(part), &without(&whole, 1));
    assert!(batch(2, path, &arguments).contains("is not whole: line 2"));

    // In the journal, the pages from there on are read again.
    fs::remove_file(path.join(part)).unwrap();
    write_lines(&path.join(format!("{part}.partial")), &without(&whole, 1));
    let words = batch(0, path, &arguments);
    assert!(words.contains("line 2 is not what was written there") && words.contains("are read again"), "{words}");
    assert_eq!(lines(&path.join(part)), whole);
}

/// Sets the time of a file so many seconds from now.
fn touch(path: &Path, seconds: u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(seconds)).unwrap();
}

#[test]
fn pictures_that_have_changed_are_named_and_read_again() {
    let folder = parts();
    let path = folder.path();
    batch(0, path, &["in", "-o", "all", "--shard", "1/1"]);
    let journal = lines(&path.join("all"));
    fs::rename(path.join("all"), path.join("all.partial")).unwrap();
    // The third page is of the document, b.tif.
    write_lines(&path.join("all.partial"), &journal[..5]);
    touch(&path.join("in/b.tif"), 10);
    let arguments = ["in", "-o", "all", "--shard", "1/1", "--resume"];
    let words = batch(0, path, &arguments);
    assert!(words.contains("changed since read: in/b.tif; everything from in/b.tif on is read again"), "{words}");
    let again = lines(&path.join("all"));
    assert_eq!(again[..2], journal[..2]);
    assert!(again.len() == journal.len() && again[2] != journal[2]);

    // What is finished is not replaced.
    assert!(batch(0, path, &arguments).contains("nothing to do"));
    fs::write(path.join("in/c.png"), Picture::filled(60, 41, [250; 3]).to_png()).unwrap();
    let before = fs::read(path.join("all")).unwrap();
    let words = batch(2, path, &arguments);
    assert!(words.contains("these have changed since: in/c.png; --force replaces it"), "{words}");
    assert_eq!(fs::read(path.join("all")).unwrap(), before);
    touch(&path.join("in/d.png"), 10);
    let words = batch(2, path, &["in", "-o", "whole.jsonl", "--resume"]);
    assert!(
        words.contains("in/c.png") && words.contains("in/d.png") && words.contains("have changed since"),
        "{words}"
    );
}

#[test]
fn journals_of_other_versions_are_left_alone() {
    let folder = parts();
    let path = folder.path();
    let old = lines(&path.join("1"))[0].replace("\"format\":2,", "") + "\n";
    fs::write(path.join("1.partial"), &old).unwrap();
    fs::remove_file(path.join("1")).unwrap();
    let words = batch(2, path, &["in", "-o", "1", "--shard", "1/2", "--resume"]);
    assert!(words.contains("written by an older version of fenlens"), "{words}");
    // A file of the user, without a line feed.
    fs::write(path.join("2.partial"), "mine").unwrap();
    fs::remove_file(path.join("2")).unwrap();
    let words = batch(2, path, &["in", "-o", "2", "--shard", "2/2", "--resume"]);
    assert!(words.contains("not the journal of a batch"), "{words}");
    assert_eq!(fs::read(path.join("1.partial")).unwrap(), old.as_bytes());
    assert_eq!(fs::read(path.join("2.partial")).unwrap(), b"mine");
}

// ---------------------------------------------------------------- outputs that are inputs

/// Runs and must be refused; the files must stay what they are.
fn refused(folder: &Path, files: &[&str], arguments: &[&str]) -> String {
    let read = || files.iter().map(|file| fs::read(folder.join(file)).unwrap()).collect::<Vec<_>>();
    let before = read();
    let words = said(2, folder, arguments);
    assert!(read() == before, "{arguments:?} has changed a file");
    words
}

#[test]
fn a_batch_writes_over_nothing_that_it_reads() {
    let folder = parts();
    let path = folder.path();
    fs::copy(path.join("in/a.png"), path.join("a.png")).unwrap();
    for name in ["t.jsonl.tmp", "t.jsonl.partial", "0000001-00000-001.jpg"] {
        fs::copy(path.join("in/a.png"), path.join(name)).unwrap();
    }
    fs::hard_link(path.join("a.png"), path.join("hard.jsonl")).unwrap();
    let mut cases = vec![
        (vec!["batch", "a.png", "-o", "./a.png", "--force"], "a.png"),
        (vec!["batch", "in/../a.png", "-o", "a.png", "--force"], "a.png"),
        (vec!["batch", "in", "-o", "in/a.png", "--force"], "in/a.png"),
        (vec!["batch", "t.jsonl.tmp", "-o", "t.jsonl", "--force"], "t.jsonl.tmp"),
        (vec!["batch", "./t.jsonl.partial", "-o", "t.jsonl", "--force"], "t.jsonl.partial"),
        (vec!["batch", "--merge", "1", "2", "-o", "1", "--force"], "1"),
        (vec!["batch", "--merge", "./1", "2", "-o", "in/../1", "--force"], "1"),
        (vec!["batch", "0000001-00000-001.jpg", "-o", "x", "--review", "."], "0000001-00000-001.jpg"),
    ];
    if cfg!(unix) {
        cases.push((vec!["batch", "a.png", "-o", "hard.jsonl", "--force"], "a.png"));
    }
    for (arguments, file) in &cases {
        let words = refused(path, &[file, "a.png", "1", "2"], arguments);
        assert!(words.contains("is one of the files to read") || words.contains("is one of the parts"), "{words}");
    }
    // What is in the way of the unfinished output, though it is not read.
    fs::remove_file(path.join("t.jsonl.partial")).unwrap();
    let words = refused(path, &["t.jsonl.tmp"], &["batch", "a.png", "-o", "t.jsonl"]);
    assert!(words.contains("t.jsonl.tmp is in the way"), "{words}");
}

#[cfg(unix)]
#[test]
fn force_replaces_neither_links_nor_devices_nor_pipes() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("victim"), "mine").unwrap();
    symlink("victim", path.join("link.jsonl")).unwrap();
    symlink("victim", path.join("a.jsonl.partial")).unwrap();
    symlink("victim", path.join("b.jsonl.tmp")).unwrap();
    fs::create_dir(path.join("sheet")).unwrap();
    symlink("../victim", path.join("sheet/index.html")).unwrap();
    assert!(Command::new("mkfifo").arg(path.join("pipe")).status().unwrap().success());
    for (arguments, why) in [
        (&["in", "-o", "link.jsonl"][..], "a link to victim, and nothing is written through a link"),
        (&["in", "-o", "link.jsonl", "--force"], "a link to victim, and nothing is written through a link"),
        (&["in", "-o", "a.jsonl", "--force"], "a.jsonl.partial: a link to victim"),
        (&["in", "-o", "a.jsonl", "--resume"], "a.jsonl.partial: a link to victim"),
        (&["in", "-o", "b.jsonl", "--force"], "b.jsonl.tmp: a link to victim"),
        (&["in", "-o", "c.jsonl", "--review", "sheet"], "a link to ../victim"),
        (&["in", "-o", "pipe", "--force"], "a device or a pipe, which is never replaced"),
        (&["in", "-o", "pipe", "--shard", "1/1", "--force"], "a device or a pipe, which is never replaced"),
        (&["--merge", "pipe", "-o", "x"], "pipe: not a file"),
        (&["in", "-o", "/dev/null", "--force"], "a device or a pipe, which is never replaced"),
        (&["in", "-o", "/dev/stdout", "--force"], "nothing is written through a link"),
    ] {
        let words = refused(path, &["victim"], &[&["batch"], arguments].concat());
        assert!(words.contains(why), "{words}");
    }
    assert!(fs::metadata(path.join("pipe")).unwrap().file_type().is_fifo());
    assert!(!Path::new("/dev/null.partial").exists());
}

#[test]
fn other_commands_write_over_nothing_that_they_read() {
    let folder = folder();
    let path = folder.path();
    fs::create_dir(path.join("set")).unwrap();
    fs::copy(path.join("in/a.png"), path.join("set/a.png")).unwrap();
    fs::write(path.join("set/a.fen"), "8/8/4k3/8/8/3K4/8/8\n").unwrap();
    fs::write(path.join("floors.json"), r#"{"set": {"exact": 0}}"#).unwrap();
    let entry = r#"{"right": false, "boards": []}"#;
    let base = format!(r#"{{"schema": 1, "model": "m", "pictures": {{"set/a.png": {entry}}}}}"#);
    fs::write(path.join("base.json"), base).unwrap();
    fs::copy(path.join("in/a.png"), path.join("in/001-a.overlay.png")).unwrap();
    fs::copy(path.join("in/a.png"), path.join("in/001-a.corners.png")).unwrap();
    fs::copy(path.join("in/a.png"), path.join("hard.png")).unwrap();
    fs::remove_file(path.join("hard.png")).unwrap();
    fs::hard_link(path.join("in/a.png"), path.join("hard.png")).unwrap();
    let hard = if cfg!(unix) { "hard.png" } else { "in/a.png" };
    let files = [
        "in/a.png",
        "in/001-a.overlay.png",
        "in/001-a.corners.png",
        "set/a.png",
        "set/a.fen",
        "floors.json",
        "base.json",
    ];
    for arguments in [
        &["read", "in/a.png", "--overlay", hard][..],
        &["read", "in/a.png", "--overlay", "in/../in/a.png"],
        &["read", "in/a.png", "--report", hard],
        &["read", "in/a.png", "--report", "x.png", "--overlay", "./x.png"],
        &["read", "in/a.png", "in/001-a.overlay.png", "--overlay", "in"],
        &["read", "in/a.png", "in/001-a.corners.png", "--trace-dir", "./in"],
        &["check", "set", "--report", "html=set/../set/a.png"],
        &["check", "set", "--report", "html=./set/a.fen"],
        &["check", "set", "--save-baseline", "set/./a.fen"],
        &["check", "set", "--floors", "floors.json", "--save-baseline", "./floors.json"],
        &["check", "set", "--baseline", "base.json", "--report", "json=./base.json"],
        &["check", "set", "--report", "html=x", "--report", "json=./x"],
        &["fen", "show", "8/8/4k3/8/8/3K4/8/8", "--png", "x.png", "--svg", "./x.png"],
    ] {
        let words = refused(path, &files, arguments);
        let known = ["is one of", "two things cannot be written"];
        assert!(known.iter().any(|known| words.contains(known)), "{words}");
        assert!(!path.join("x.png").exists() && !path.join("x").exists());
    }
    // The baseline may be replaced by a better one, as before.
    said(0, path, &["check", "set", "--baseline", "base.json", "--save-baseline", "base.json"]);
}

// ---------------------------------------------------------------- names

/// Two names that are not UTF-8, one that a terminal would obey, and one that a spreadsheet would run.
#[cfg(unix)]
fn names() -> (TempDir, Vec<PathBuf>) {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let folder = TempDir::new().unwrap();
    let names = [
        &b"a\xfe.png"[..],
        b"a\xff.png",
        "b\u{1b}[31m\u{202e}gnp\u{9b}.png".as_bytes(),
        b"-1+cmd;=2.png",
        b"=HYPERLINK(\"x\").png",
        "棋谱 %FF.png".as_bytes(),
    ];
    let paths: Vec<PathBuf> = names.iter().map(|name| PathBuf::from(OsStr::from_bytes(name))).collect();
    for path in &paths {
        fs::write(folder.path().join(path), "no picture").unwrap();
    }
    (folder, paths)
}

#[cfg(unix)]
#[test]
fn names_are_different_in_records_and_inert_in_tables() {
    let (folder, _) = names();
    let path = folder.path();
    batch(1, path, &[".", "-o", "out.jsonl"]);
    batch(1, path, &[".", "-o", "out.csv"]);
    let records: Vec<Record> =
        lines(&path.join("out.jsonl")).iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut names: Vec<&str> = records.iter().map(|record| record.path.as_str()).collect();
    names.sort_unstable();
    let expected = [
        "./-1+cmd;=2.png",
        "./=HYPERLINK(\"x\").png",
        "./a\u{fffd}FE.png",
        "./a\u{fffd}FF.png",
        "./b\u{1b}[31m\u{202e}gnp\u{9b}.png",
        "./棋谱 %FF.png",
    ];
    assert_eq!(names, expected);
    let table = fs::read_to_string(path.join("out.csv")).unwrap();
    assert!(!table.chars().any(|c| c.is_control() && c != '\n') && !table.contains('\u{202e}'));
    assert!(table.contains("./b\u{fffd}1B[31m\u{fffd}E2\u{fffd}80\u{fffd}AEgnp\u{fffd}C2\u{fffd}9B.png"), "{table}");

    // Named without their folder, they begin as formulas do.
    fs::write(path.join("list"), "=HYPERLINK(\"x\").png\n-1+cmd;=2.png\n+.png\n@x.png\n'.png\n\t=1.png\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenlens"));
    command.current_dir(path).args(["batch", "-", "-o", "list.csv"]).stdin(fs::File::open(path.join("list")).unwrap());
    assert_eq!(command.output().unwrap().status.code(), Some(1));
    let mut table = csv::Reader::from_path(path.join("list.csv")).unwrap();
    let cells: Vec<String> = table.records().map(|row| row.unwrap()[0].to_owned()).collect();
    let expected = ["'=HYPERLINK(\"x\").png", "'-1+cmd;=2.png", "'+.png", "'@x.png", "''.png", "'\u{fffd}09=1.png"];
    assert_eq!(cells, expected);
}

/// Every command, given names and records with characters that a terminal obeys, on both streams.
#[cfg(unix)]
#[test]
fn a_terminal_obeys_no_name() {
    let (folder, names) = names();
    let path = folder.path();
    let hot = names[2].to_str().unwrap();
    fs::create_dir(path.join("set\u{1b}[2J\u{202e}")).unwrap();
    let set = "set\u{1b}[2J\u{202e}";
    fs::write(path.join(set).join("a.png"), page().to_png()).unwrap();
    fs::write(path.join(set).join("a.fen"), "8/8/4k3/8/8/3K4/8/8\n").unwrap();
    let entry = "{\"right\": true, \"boards\": []}";
    let key = "set\\u001b[2J\u{202e}/a.png";
    let base = format!("{{\"schema\": 1, \"model\": \"m\u{202e}\", \"pictures\": {{\"{key}\": {entry}}}}}");
    fs::write(path.join("base"), base).unwrap();
    fs::write(path.join("good.png"), page().to_png()).unwrap();
    fs::create_dir_all(path.join("m\u{202e}\u{1b}")).unwrap();
    let record = "8/8/4k3/8/8/3K4/8/8 w - - 0 \u{1b}[31m\u{202e}";
    let missing = "x\u{1b}[31m\u{202e}.png";
    let pattern = "x\u{1b}\u{202e}*[.png";
    let mut shown = 0;
    for arguments in [
        &["read", hot, missing][..],
        &["read", "--json", hot, missing],
        &["read", "good.png", "--overlay", hot, "--report", hot],
        &["read", "good.png", "--trace-dir", hot],
        &["read", "good.png", "--side", hot],
        &["read", "good.png", "--runtime", hot],
        &["batch", hot, missing, "-o", "o\u{1b}\u{202e}.csv"],
        &["batch", "good.png", "-o", "o\u{1b}\u{202e}.csv", "--resume"],
        &["batch", pattern, "-o", "x.csv"],
        &["batch", "--merge", hot, "-o", "x.csv"],
        &["check", set],
        &["check", set, "--baseline", "base"],
        &["check", set, "--report", "github"],
        &["check", set, "--report", "markdown", "--baseline", "base"],
        &["check", set, "--report", "json", "--baseline", "base"],
        &["check", set, missing],
        &["check", hot],
        &["fen", "check", record],
        &["fen", "check", "--json", record],
        &["fen", "check", missing],
        &["fen", "show", record],
        &["fen", "show", hot],
        &["models", "--models", "m\u{202e}\u{1b}"],
        &["wrong\u{1b}[31m\u{202e}"],
    ] {
        let output = fenlens(path, arguments);
        for stream in [output.stdout, output.stderr] {
            let text = String::from_utf8(stream).unwrap();
            let obeyed = text.chars().find(|&c| (c.is_control() && c != '\n') || c == '\u{202e}');
            assert_eq!(obeyed, None, "{arguments:?}: {text:?}");
            shown += usize::from(text.contains("202e") || text.contains("202E"));
        }
    }
    assert!(shown > 15, "only {shown} answers name what was given");
}
