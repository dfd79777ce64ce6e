//! Nothing that a file can do ends a batch: documents that ask for endless memory or time, pipes and devices among the
//! inputs. And the program ends when it is told to, whatever it is doing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    time::{Duration, Instant},
};

use fenlens::{Record, output::record::Status};
use tempfile::TempDir;

fn fenlens(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenlens"));
    command.env_remove("ORT_DYLIB_PATH").current_dir(folder).args(arguments);
    command
}

/// Runs, and must end in time; its exit code and what it said.
fn run(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } =
        assert_cmd::Command::from_std(fenlens(folder, arguments)).timeout(Duration::from_secs(120)).output().unwrap();
    let said = String::from_utf8([stdout, stderr].concat()).unwrap();
    (status.code().unwrap_or_else(|| panic!("{arguments:?} does not end: {said}")), said)
}

fn records(path: &Path) -> Vec<Record> {
    let text = fs::read_to_string(path).unwrap();
    // The first line of a part is no record.
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn kind(record: &Record) -> &str {
    record.error.as_ref().map_or("", |error| &error.kind)
}

/// A folder with a board, some documents that should end the run, and another board.
fn folder(hostile: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for name in ["a", "z"] {
        fs::copy(common::testdata().join("boards/print-small.png"), folder.path().join(format!("{name}.png"))).unwrap();
    }
    for name in hostile {
        let file = format!("{name}.pdf");
        fs::copy(common::testdata().join("faults").join(&file), folder.path().join(&file)).unwrap();
    }
    folder
}

// ---------------------------------------------------------------- documents

/// Small, so that the tests are quick.
const LIMITS: [&str; 4] = ["--page-memory", "400", "--page-time", "4"];

/// A document in the middle of a batch is an error record of one of some kinds, all else is read, and a run that was
/// interrupted before it goes on as if it had not been.
fn survives(document: &str, kinds: &[&str]) {
    let folder = folder(&[document]);
    let path = folder.path();
    let file = format!("{document}.pdf");
    let arguments =
        [&["batch", "a.png", &file, "z.png", "-o", "out", "--shard", "1/1", "-j", "2"], &LIMITS[..]].concat();
    let (code, said) = run(path, &arguments);
    assert_eq!(code, 1, "{said}");
    // What the process says when it dies is not for the user.
    assert!(!["overflowed", "allocation", "panicked"].iter().any(|word| said.contains(word)), "{said}");
    let found = records(&path.join("out"));
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found[0].boards.len() == 1 && found[0].boards == found[2].boards);
    assert!(found[1].status == Status::Error && kinds.contains(&kind(&found[1])), "{:?}", found[1].error);
    assert!(said.contains(&found[1].error.as_ref().unwrap().message), "{said}");

    // Without the last two records it is the journal of a run that was killed at the document.
    let whole = fs::read_to_string(path.join("out")).unwrap();
    let begun: String = whole.split_inclusive('\n').take(2).collect();
    fs::remove_file(path.join("out")).unwrap();
    fs::write(path.join("out.partial"), begun).unwrap();
    let (code, said) = run(path, &[&arguments[..], &["--resume"]].concat());
    assert_eq!(code, 1, "{said}");
    let resumed = records(&path.join("out"));
    assert!((&resumed[0], &resumed[2]) == (&found[0], &found[2]) && kinds.contains(&kind(&resumed[1])), "{resumed:?}");
}

#[test]
fn nested_braces_overflow_the_stack_of_the_child_only() {
    survives("function4-nested", &["crashed"]);
}

#[test]
fn columns_without_end() {
    survives("ccitt-columns", &["out-of-memory"]);
}

#[test]
fn tiles_of_one_pixel() {
    survives("jpx-tiles", &["out-of-memory"]);
}

#[test]
fn a_triple_bomb() {
    survives("flate-bomb-triple", &["out-of-memory", "too-long"]);
}

#[test]
fn a_double_bomb() {
    survives("flate-bomb-double", &["out-of-memory", "too-long"]);
}

#[test]
fn a_picture_that_unpacks_to_gigabytes() {
    survives("flate-image", &["out-of-memory", "too-long"]);
}

#[test]
fn forms_within_forms() {
    survives("form-laughs", &["too-long"]);
}

#[test]
fn curves_with_short_dashes() {
    survives("dashed-curves", &["out-of-memory", "too-long"]);
}

#[test]
fn a_line_with_tiny_dashes() {
    survives("tiny-dashes", &["out-of-memory", "too-long"]);
}

/// A document that kills the process does not take the pages of another with it, however many threads there are.
#[test]
fn other_documents_are_read_between_them() {
    let folder = folder(&["function4-nested", "jpx-tiles"]);
    let path = folder.path();
    for name in ["b", "h", "m"] {
        fs::copy(common::testdata().join("books/drawn.pdf"), path.join(format!("{name}.pdf"))).unwrap();
    }
    for jobs in ["1", "4"] {
        let (code, said) =
            run(path, &[&["batch", ".", "-o", "out.jsonl", "--force", "-j", jobs], &LIMITS[..]].concat());
        assert_eq!(code, 1, "{said}");
        let failed: Vec<Record> =
            records(&path.join("out.jsonl")).into_iter().filter(|record| record.status == Status::Error).collect();
        assert_eq!(failed.iter().map(kind).collect::<Vec<_>>(), ["crashed", "out-of-memory"], "{said}");
        assert!(failed[0].error.as_ref().unwrap().message.ends_with("(stack overflow)"), "{said}");
        assert!(failed[1].error.as_ref().unwrap().message.ends_with("400 MiB of memory"), "{said}");
        assert_eq!(records(&path.join("out.jsonl")).len(), 2 + 2 + 3 * 3);
    }
}

// ---------------------------------------------------------------- pipes and devices

#[cfg(unix)]
mod pipes {
    use std::{io::Write, os::unix::fs::symlink, process::Stdio};

    use super::*;

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn a_batch_does_not_wait_for_them() {
        let folder = folder(&[]);
        let path = folder.path();
        fs::create_dir(path.join("sub")).unwrap();
        for name in ["b.png", "sub/c.pdf", "sub/d.tif"] {
            pipe(&path.join(name));
        }
        symlink("/dev/zero", path.join("e.jpg")).unwrap();
        let (code, said) = run(path, &["batch", "-r", ".", "-o", "out.jsonl"]);
        assert_eq!(code, 1, "{said}");
        let found = records(&path.join("out.jsonl"));
        assert_eq!(
            found.iter().map(kind).collect::<Vec<_>>(),
            ["", "unreadable", "unreadable", "unreadable", "unreadable", ""]
        );
        assert!(said.contains("b.png: cannot read: a pipe or a device, not a file"), "{said}");
    }

    #[test]
    fn a_check_does_not_wait_for_them() {
        let folder = folder(&[]);
        let path = folder.path();
        pipe(&path.join("p.png"));
        let label = r#"{"placement": "8/8/4k3/8/8/3K4/8/8", "orientation": "white"}"#;
        fs::write(path.join("p.json"), label).unwrap();
        let (code, said) = run(path, &["check", "."]);
        assert!(code == 2 && said.contains("a pipe or a device, not a file"), "{said}");
        pipe(&path.join("a.json"));
        let (code, said) = run(path, &["check", "."]);
        assert!(code == 2 && said.contains("a.json: a pipe or a device, not a file"), "{said}");
    }

    #[test]
    fn a_pipe_is_read_only_where_it_was_opened_for_the_program() {
        let folder = folder(&[]);
        let path = folder.path();
        pipe(&path.join("p.png"));
        let (code, said) = run(path, &["read", "p.png"]);
        assert!(code == 2 && said.contains("p.png: cannot read: a pipe or a device, not a file"), "{said}");
        for name in ["-", "/dev/stdin"] {
            let mut command = fenlens(path, &["read", name]);
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let bytes = fs::read(path.join("a.png")).unwrap();
            child.stdin.take().unwrap().write_all(&bytes).unwrap();
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success() && !output.stdout.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_runtime_is_a_file() {
        let folder = folder(&[]);
        pipe(&folder.path().join("libonnxruntime.so"));
        let (code, said) = run(folder.path(), &["read", "a.png", "--runtime", "./libonnxruntime.so"]);
        assert_eq!(code, 0, "{said}");
        assert!(
            said.contains("as ONNX Runtime: a pipe or a device, not a file; the built-in runtime is used"),
            "{said}"
        );
    }
}

// ---------------------------------------------------------------- signals

#[cfg(target_os = "linux")]
mod signals {
    use std::{
        process::{Child, Stdio},
        thread,
    };

    use super::*;

    fn signal(child: &Child, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// The state of a process and the number of its parent; `None` when there is no such process.
    fn state(process: &str) -> Option<(String, u32)> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name, in parentheses, may contain anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        Some((fields.next()?.to_owned(), fields.next()?.parse().ok()?))
    }

    /// The processes that draw pages for another.
    fn children_of(parent: &Child) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        processes
            .filter(|process| process.parse::<u32>().is_ok())
            .filter(|process| state(process).is_some_and(|(_, number)| number == parent.id()))
            .collect()
    }

    /// A batch that is busy with a page that never ends, and its child.
    fn busy(path: &Path) -> (Child, String) {
        let arguments = ["batch", "a.png", "form-laughs.pdf", "-o", "out.jsonl", "--resume", "--page-time", "600"];
        let child = fenlens(path, &arguments).stderr(Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        let mut drawing = None;
        while drawing.is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "no child is busy");
            thread::sleep(Duration::from_millis(5));
            let kept = fs::read_to_string(path.join("out.jsonl.partial")).unwrap_or_default().lines().count();
            drawing = children_of(&child).pop().filter(|_| kept == 2);
        }
        (child, drawing.unwrap())
    }

    /// Waits until a process has ended. That nobody has asked for its exit code does not matter.
    fn gone(process: &str) {
        let begun = Instant::now();
        while state(process).is_some_and(|(state, _)| state != "Z") {
            assert!(begun.elapsed() < Duration::from_secs(5), "the process that draws lingers");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_page_in_hand_does_not_delay_the_end() {
        let folder = folder(&["form-laughs"]);
        for name in ["INT", "TERM"] {
            let (child, drawing) = busy(folder.path());
            thread::sleep(Duration::from_millis(300));
            let begun = Instant::now();
            signal(&child, name);
            let output = child.wait_with_output().unwrap();
            let took = begun.elapsed();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(130), "{said}");
            assert!(said.contains("interrupted; 1 page kept in out.jsonl.partial: --resume goes on after"), "{said}");
            // Less than a second, but for what a busy machine adds.
            assert!(took < Duration::from_millis(1500), "it took {took:?}");
            gone(&drawing);
        }
        let journal = fs::read_to_string(folder.path().join("out.jsonl.partial")).unwrap();
        assert!(journal.ends_with('\n') && journal.lines().count() == 2);
    }

    #[test]
    fn a_second_signal_ends_it_at_once() {
        let folder = folder(&["form-laughs"]);
        let (mut child, drawing) = busy(folder.path());
        signal(&child, "INT");
        thread::sleep(Duration::from_millis(100));
        let begun = Instant::now();
        signal(&child, "INT");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert!(begun.elapsed() < Duration::from_millis(400), "it took {:?}", begun.elapsed());
        gone(&drawing);
    }

    #[test]
    fn the_child_ends_with_its_parent() {
        let folder = folder(&["form-laughs"]);
        let (mut child, drawing) = busy(folder.path());
        child.kill().unwrap();
        child.wait().unwrap();
        gone(&drawing);
    }

    /// As when a whole job is told to end: the page that was in hand is no error.
    #[test]
    fn a_signal_to_the_child_is_not_the_page_s_error() {
        let folder = folder(&["form-laughs"]);
        let (child, drawing) = busy(folder.path());
        assert!(Command::new("kill").args(["-TERM", &drawing]).status().unwrap().success());
        gone(&drawing);
        thread::sleep(Duration::from_millis(500));
        assert_eq!(children_of(&child).len(), 1, "the page is drawn again");
        signal(&child, "TERM");
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(130));
        assert_eq!(fs::read_to_string(folder.path().join("out.jsonl.partial")).unwrap().lines().count(), 2);
    }
}
