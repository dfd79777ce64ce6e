//! The program as its users meet it: streams, exit codes, records.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{fs, path::PathBuf};

use assert_cmd::Command;
use fenlens::output::record::{Record, Status};

fn fenlens() -> Command {
    let mut command = Command::cargo_bin("fenlens").unwrap();
    command.env_remove("ORT_DYLIB_PATH");
    command
}

fn bad(name: &str) -> PathBuf {
    common::testdata().join("bad").join(name)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The records printed, checked to be one a line.
fn records(output: &std::process::Output) -> Vec<Record> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn help_and_version_tell_what_matters() {
    let help = text(&fenlens().args(["read", "--help"]).output().unwrap().stdout);
    assert!(help.contains("Exit status:") && help.contains("--trace-dir"), "{help}");
    let version = text(&fenlens().arg("--version").output().unwrap().stdout);
    assert!(version.starts_with(&format!("fenlens {}", env!("CARGO_PKG_VERSION"))), "{version}");
    assert!(version.contains("pieces-v4"), "{version}");
}

/// The first command of the README prints what the README says.
#[test]
fn the_readme_is_true() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let command = readme.lines().find_map(|line| line.trim().strip_prefix("cargo run --release -- ")).unwrap();
    let promised = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let output = fenlens().current_dir(root).args(command.split_whitespace()).output().unwrap();
    assert_eq!(text(&output.stdout), promised, "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn wrong_usage_is_2() {
    for arguments in [&["read"][..], &["read", "--jobs", "0", "a.png"], &["write"], &[]] {
        assert_eq!(fenlens().args(arguments).output().unwrap().status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn bad_pictures_are_named_and_the_others_still_read() {
    let directory = common::testdata();
    let output = fenlens()
        .arg("read")
        .args([bad("truncated.png"), bad("missing.png"), directory.clone(), bad("white.png"), bad("huge.png")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stdout), "");
    let notes = text(&output.stderr);
    let expected = [
        format!("{}: the picture is cut short", bad("truncated.png").display()),
        format!("{}: cannot read: ", bad("missing.png").display()),
        format!("{}: a directory, not a picture", directory.display()),
        format!("{}: no board found", bad("white.png").display()),
        format!("{}: too large: 3600000000 pixels, the limit is 50000000", bad("huge.png").display()),
    ];
    let lines: Vec<&str> = notes.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{notes}");
    for (line, start) in lines.iter().zip(&expected) {
        assert!(line.starts_with(start.as_str()), "{line}\nshould start with\n{start}");
    }
}

#[test]
fn no_board_is_1() {
    let output = fenlens().arg("read").arg(bad("white.png")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn records_come_in_order_one_a_picture() {
    let names = ["white.png", "truncated.jpg", "one-pixel.png", "empty.png", "text.png", "corrupt.png"];
    let paths = names.map(bad);
    for jobs in ["1", "4"] {
        let output = fenlens().args(["read", "--json", "--jobs", jobs]).args(&paths).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let records = records(&output);
        assert_eq!(records.len(), names.len());
        for (record, path) in records.iter().zip(&paths) {
            assert_eq!((record.schema, record.path.as_str()), (1, path.to_str().unwrap()));
            assert_eq!(record.model, "finder-v2+aligner-v2+pieces-v4+visibility-v1+coordinates-v2");
            assert!(record.boards.is_empty());
        }
        let kinds: Vec<_> = records.iter().map(|r| r.error.as_ref().map_or("", |e| e.kind.as_str())).collect();
        assert_eq!(kinds, ["", "truncated", "", "empty", "not-a-picture", "broken"]);
        assert_eq!(records[0].status, Status::NoBoard);
        assert_eq!(records[1].status, Status::Error);
    }
}

#[test]
fn standard_input_is_read() {
    let output =
        fenlens().args(["read", "--json", "-"]).write_stdin(fs::read(bad("white.png")).unwrap()).output().unwrap();
    assert_eq!((output.status.code(), records(&output)[0].path.as_str()), (Some(1), "-"));
    let output = fenlens().args(["read", "-"]).write_stdin("").output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), "-: the file is empty\n".into()));
}

#[test]
fn limits_can_be_changed() {
    let output = fenlens().args(["read", "--max-pixels", "1000"]).arg(bad("white.png")).output().unwrap();
    assert!(text(&output.stderr).contains("307200 pixels, the limit is 1000"), "{}", text(&output.stderr));
    let output = fenlens().args(["read", "--max-bytes", "100"]).arg(bad("white.png")).output().unwrap();
    assert!(text(&output.stderr).contains("bytes, the limit is 100"), "{}", text(&output.stderr));
}

#[test]
fn traces_are_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("new");
    let status = fenlens().args(["read", "--trace-dir"]).arg(&inside).arg(bad("white.png")).output().unwrap().status;
    assert_eq!(status.code(), Some(1));
    let names: Vec<_> = fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["001-white.corners.png"]);
    // A folder that cannot be made stops the run before a picture is read.
    let output = fenlens().args(["read", "--trace-dir"]).arg(bad("white.png")).arg(bad("white.png")).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
}

#[test]
fn an_unusable_runtime_falls_back_and_says_so_once() {
    let output = fenlens()
        .args(["read", "--jobs", "2", "--runtime", "/no/such/library.so"])
        .args([bad("white.png"), bad("one-pixel.png")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let notes = text(&output.stderr);
    assert_eq!(notes.matches("/no/such/library.so as ONNX Runtime").count(), 1, "{notes}");
    assert_eq!(notes.matches("no board found").count(), 2, "{notes}");
}

#[test]
fn models_are_listed_and_checked() {
    let output = fenlens().arg("models").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let listed = text(&output.stdout);
    assert!(["finder-v2", "aligner-v2", "pieces-v4", "built-in"].iter().all(|name| listed.contains(name)), "{listed}");

    let folder = tempfile::tempdir().unwrap();
    let output = fenlens().args(["models", "--models"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("cannot read the model file"), "{}", text(&output.stderr));
}

#[test]
fn a_closed_pipe_is_success() {
    use std::process::Stdio;
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("fenlens"))
        .args(["read", "--json", "--jobs", "1"])
        .args(vec![bad("white.png"); 40])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// `batch` and `check` treat the same files of a folder as pictures.
#[test]
fn folders_are_searched_for_the_same_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["a.png", "b.jpg", "c.jpeg", "d.jpe", "e.jfif", "f.webp", "g.GIF", "h.bmp", "i.tif", "j.TIFF"];
    for name in names {
        fs::copy(bad("white.png"), folder.path().join(name)).unwrap();
        fs::write(folder.path().join(format!("{name}.json")), r#"{"schema": 1, "boards": []}"#).unwrap();
    }
    let inside = |arguments: &[&str]| fenlens().current_dir(folder.path()).args(arguments).output().unwrap();
    let batch = inside(&["batch", ".", "-o", "out.csv"]);
    assert!(text(&batch.stderr).contains("10 pages, "), "{}", text(&batch.stderr));
    let check = inside(&["check", ".", "--report", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&check.stdout).unwrap();
    assert_eq!(report["total"]["pictures"], 10, "{}\n{}", text(&check.stdout), text(&check.stderr));
}

/// A number of jobs that no machine can use is lowered, and nothing else changes.
#[test]
fn threads_are_bounded() {
    let paths = [bad("white.png"), bad("one-pixel.png"), bad("empty.png")];
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out.csv");
    let said = |output: &std::process::Output| {
        text(&output.stderr).matches("--jobs 65535 is more than this machine can use").count()
    };
    let read = |jobs| fenlens().args(["read", "--json", "--jobs", jobs]).args(&paths).output().unwrap();
    let (many, some) = (read("65535"), read("2"));
    assert_eq!((said(&many), said(&some)), (1, 0), "{}", text(&many.stderr));
    assert_eq!((many.status.code(), records(&many).len()), (some.status.code(), 3));
    let batch = fenlens().args(["batch", "--jobs", "65535", "-o"]).arg(&output).args(&paths).output().unwrap();
    assert_eq!((said(&batch), batch.status.code()), (1, Some(1)), "{}", text(&batch.stderr));
}

/// As the system counts them, while pages are read.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_run_are_few() {
    let folder = tempfile::tempdir().unwrap();
    let picture = common::testdata().join("boards/screen-attack.png");
    for n in 0..24 {
        fs::copy(&picture, folder.path().join(format!("{n}.png"))).unwrap();
    }
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("fenlens"))
        .args(["batch", "--jobs", "65535", "-o", "out.csv", "."])
        .current_dir(folder.path())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let threads = status.lines().find_map(|line| line.strip_prefix("Threads:")?.trim().parse().ok());
        most = most.max(threads.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    // The caller, the feeder, and those that load networks and catch signals.
    let cores = std::thread::available_parallelism().unwrap().get();
    assert!((2..=(4 * cores).max(16) + 8).contains(&most), "{most} threads");
}
