//! `fenlens read --clipboard` and `--copy` on a display of their own. The display needs Xvfb, and what another program
//! copies and pastes needs xclip; without them, or on other systems, these tests are reported as ignored.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/reading.rs"]
mod reading;
#[path = "common/skip.rs"]
mod skip;

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use fenlens::{Record, Verdict};

use self::{
    reading::{assert_ends, blurred, board, open, read, save, text},
    skip::{missing_program, run, trial},
};

fn main() -> ExitCode {
    let missing = if cfg!(target_os = "linux") {
        ["Xvfb", "xclip"].into_iter().find_map(missing_program)
    } else {
        Some("this is not Linux".to_owned())
    };
    let tests: [(&str, fn()); 3] = [
        ("what_is_copied_stays_until_it_is_replaced", what_is_copied_stays_until_it_is_replaced),
        ("what_serves_the_clipboard_ends_with_the_desktop", what_serves_the_clipboard_ends_with_the_desktop),
        ("a_picture_is_read_from_the_clipboard", a_picture_is_read_from_the_clipboard),
    ];
    run(tests.map(|(name, test)| trial(name, missing.as_deref(), test)).into())
}

/// A display of its own, which no person sees.
struct Display {
    server: Child,
    name: String,
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Display {
    /// A new display.
    fn new() -> Display {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0", "640x480x24"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        Display { server, name }
    }

    fn fenlens(&self, arguments: &[&str], pictures: &[&Path]) -> Output {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("fenlens"));
        command.env_remove("ORT_DYLIB_PATH").env("DISPLAY", &self.name).arg("read");
        command.args(arguments).args(pictures).output().unwrap()
    }

    /// Puts something into the clipboard by another program.
    fn put(&self, kind: &str, bytes: &[u8]) {
        let mut command = Command::new("xclip");
        command.env("DISPLAY", &self.name).args(["-selection", "clipboard", "-t", kind, "-i"]);
        // It goes on in the background, and must not keep a pipe open there.
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        assert!(child.wait().unwrap().success());
    }

    /// The text in the clipboard, as another program gets it.
    fn paste(&self) -> String {
        let mut command = Command::new("xclip");
        command.env("DISPLAY", &self.name).args(["-selection", "clipboard", "-o"]);
        text(&command.output().unwrap().stdout)
    }

    /// How many programs of ours hand out the clipboard of this display.
    fn servers(&self) -> usize {
        let ours = |folder: PathBuf| {
            let holds = |file: &str, what: &str| {
                fs::read(folder.join(file))
                    .is_ok_and(|bytes| bytes.split(|&b| b == 0).any(|word| word == what.as_bytes()))
            };
            holds("cmdline", "serve-clipboard") && holds("environ", &format!("DISPLAY={}", self.name))
        };
        fs::read_dir("/proc").unwrap().filter(|entry| ours(entry.as_ref().unwrap().path())).count()
    }

    fn wait_for_servers(&self, n: usize) {
        let start = Instant::now();
        while self.servers() != n {
            assert!(start.elapsed() < Duration::from_secs(20), "{} servers, not {n}", self.servers());
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn what_is_copied_stays_until_it_is_replaced() {
    let display = Display::new();
    let path = board("print-two-boards.png");
    let output = display.fenlens(&["--copy"], &[&path]);
    assert_ends(&output, 0);
    let fens = text(&output.stdout);
    assert_eq!(fens.lines().count(), 2);
    assert!(text(&output.stderr).ends_with("copied 2 FENs to the clipboard\n"), "{}", text(&output.stderr));
    // The program has ended, but its text can be pasted any number of times. It ends without a line feed.
    for _ in 0..3 {
        assert_eq!(format!("{}\n", display.paste()), fens);
    }
    display.wait_for_servers(1);
    // A second copy replaces the first, which is no longer served.
    let output = display.fenlens(&["--copy", "--json"], &[&board("print-small.png")]);
    let record: Record = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(display.paste(), record.boards[0].fen);
    display.wait_for_servers(1);
    display.put("UTF8_STRING", b"something else");
    display.wait_for_servers(0);
    assert_eq!(display.paste(), "something else");
    // Refused boards are left out, with a note.
    let folder = tempfile::tempdir().unwrap();
    let (refused, _) = blurred(folder.path(), Verdict::Refuse);
    let output = display.fenlens(&["--copy"], &[&refused, &path, &refused]);
    assert_ends(&output, 1);
    assert_eq!(format!("{}\n", display.paste()), fens);
    let notes = text(&output.stderr);
    assert!(notes.ends_with("copied 2 FENs to the clipboard; 2 refused boards are left out\n"), "{notes}");
    // When there is nothing to copy, the clipboard is left as it is.
    display.put("UTF8_STRING", b"something else");
    let output = display.fenlens(&["--copy"], &[&common::testdata().join("bad/white.png")]);
    assert_ends(&output, 1);
    assert!(text(&output.stderr).ends_with("nothing is copied to the clipboard\n"), "{}", text(&output.stderr));
    assert_eq!(display.paste(), "something else");
}

fn what_serves_the_clipboard_ends_with_the_desktop() {
    let mut display = Display::new();
    assert_ends(&display.fenlens(&["--copy"], &[&board("print-small.png")]), 0);
    display.wait_for_servers(1);
    display.server.kill().unwrap();
    display.server.wait().unwrap();
    display.wait_for_servers(0);
}

fn a_picture_is_read_from_the_clipboard() {
    let display = Display::new();
    let folder = tempfile::tempdir().unwrap();
    // Large enough to be handed over in many pieces.
    let large = folder.path().join("large.png");
    let source = open(&board("screen-opening.png"));
    save(&source.resized(source.width() * 3, source.height() * 3), &large);
    for path in [&board("print-middlegame.png"), &large] {
        let expected = text(&read(&[], &[path]).stdout);
        display.put("image/png", &fs::read(path).unwrap());
        let output = display.fenlens(&["--clipboard", "--copy"], &[]);
        assert_ends(&output, 0);
        assert_eq!(text(&output.stdout), expected);
        assert_eq!(format!("{}\n", display.paste()), expected);
    }
    display.put("image/png", &fs::read(&large).unwrap());
    let output = display.fenlens(&["--clipboard", "--json", "--max-pixels", "1000"], &[]);
    assert_ends(&output, 2);
    let record: Record = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((record.path.as_str(), record.error.unwrap().kind.as_str()), ("clipboard", "too-large"));

    for (kind, bytes, words) in [
        ("UTF8_STRING", &b"just words"[..], "there is text in the clipboard, not a picture"),
        ("image/png", b"not one", "no picture that can be read"),
    ] {
        display.put(kind, bytes);
        let output = display.fenlens(&["--clipboard"], &[]);
        assert_ends(&output, 2);
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}
