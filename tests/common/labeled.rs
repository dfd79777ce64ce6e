//! Folders of labeled pictures, for tests of `fenlens check`.

#![allow(dead_code, reason = "each test file uses its own part")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use fenlens::games::placement::Placement;
use serde_json::Value;
use tempfile::TempDir;

use crate::common;

/// Placements on pictures of the test data.
pub const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
pub const ENDING: &str = "3r2k1/p4ppp/1q2p3/2b5/8/2N1P1P1/PP2QP1P/3R2K1";
pub const LEFT: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";
pub const RIGHT: &str = "8/5pk1/4p1p1/3pP2p/1p1P1P1P/1P4P1/5K2/8";

/// What a program printed.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A placement turned by half a turn.
pub fn turned(placement: &str) -> String {
    placement.parse::<Placement>().unwrap().half_turn().to_string()
}

/// A folder of pictures and labels, removed in the end.
pub struct Set(TempDir);

impl Set {
    /// An empty folder.
    pub fn new() -> Set {
        Set(tempfile::tempdir().unwrap())
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The path of a file in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders it is in.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// Puts a picture of the test data under another name.
    pub fn picture(&self, name: &str, of: &str) -> PathBuf {
        self.write(name, fs::read(common::testdata().join(of)).unwrap())
    }

    /// Runs `check` in the folder.
    pub fn check(&self, arguments: &[&str]) -> Output {
        fenlens(self.0.path()).arg("check").args(arguments).output().unwrap()
    }

    /// The report of `check` in JSON.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.check(&[arguments, &["--report", "json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
    }
}

/// The program, to be run in a folder.
pub fn fenlens(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("fenlens"));
    command.current_dir(folder).env_remove("ORT_DYLIB_PATH").env_remove("GITHUB_WORKSPACE");
    command
}

/// A set with every kind of miss: the readings are right, and some of the labels are wrong.
pub fn mixed() -> Set {
    let set = Set::new();
    let mut table = "file,note,placement,orientation\n".to_owned();
    let mut row = |name: &str, of: &str, placement: &str, orientation: &str| {
        set.picture(&format!("mixed/{name}"), of);
        table.push_str(&format!("{name},\"a, b\",{placement},{orientation}\n"));
    };
    row("right.png", "boards/screen-opening.png", OPENING, "white");
    row("square.png", "boards/screen-start.png", &START.replace("RNBQKBNR", "RNBKKBNR"), "white");
    row("turned.png", "boards/print-small.png", &turned(ENDING), "");
    row("extra.png", "boards/print-two-boards.png", LEFT, "white");
    row("crossed.png", "boards/print-two-boards.png", &format!("{RIGHT} | {LEFT}"), "white | white");
    row("missing.png", "bad/white.png", START, "white");
    row("negative.png", "boards/screen-start-flipped.png", "", "");
    set.write("mixed/manifest.csv", table);
    set.picture("plain/a.png", "boards/screen-start-flipped.png");
    set.picture("plain/b.png", "bad/white.png");
    set.write("plain/manifest.csv", format!("file,placement,orientation\na.png,{START},black\nb.png,,\n"));
    set
}
