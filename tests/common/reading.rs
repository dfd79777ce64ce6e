//! Running `fenlens read` on pictures of the test data, for tests of its overlays, its report and the clipboard.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use assert_cmd::Command;
use fenlens::{Limits, Picture, Record, Verdict};

use crate::common;

/// Runs `fenlens read`, without a display.
pub fn read(arguments: &[&str], pictures: &[&Path]) -> Output {
    let mut command = Command::cargo_bin("fenlens").unwrap();
    command.env_remove("ORT_DYLIB_PATH").env_remove("DISPLAY").arg("read").args(arguments).args(pictures);
    command.output().unwrap()
}

/// A picture of the test data.
pub fn board(name: &str) -> PathBuf {
    common::testdata().join("boards").join(name)
}

/// Reads a picture.
pub fn open(path: &Path) -> Picture {
    Picture::open(path, &Limits::default()).unwrap()
}

/// Writes a picture as PNG.
pub fn save(picture: &Picture, path: &Path) {
    fs::write(path, picture.to_png()).unwrap();
}

/// What a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Checks how a program ended.
#[track_caller]
pub fn assert_ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
}

/// The record of a picture.
pub fn record(picture: &Path) -> Record {
    serde_json::from_str(&text(&read(&["--json"], &[picture]).stdout)).unwrap()
}

/// A picture of one board that has the given verdict and squares in doubt: pictures are blurred until one has.
pub fn blurred(folder: &Path, verdict: Verdict) -> (PathBuf, Record) {
    let path = folder.join("doubtful.png");
    for name in ["screen-small.png", "screen-ending.png", "print-study.png", "screen-attack.png", "print-ending.png"] {
        let picture = open(&board(name));
        for side in [140, 120, 104, 92, 84, 76, 68, 60, 52] {
            let height = (picture.height() * side).div_ceil(picture.width());
            save(&picture.resized(side, height).resized(picture.width(), picture.height()), &path);
            let record = record(&path);
            if let [board] = &record.boards[..]
                && board.verdict == verdict
                && board.squares.iter().any(|square| square.flagged)
            {
                return (path, record);
            }
        }
    }
    panic!("no blur gives a board the verdict {}", verdict.name());
}
