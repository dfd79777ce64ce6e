//! `fenlens check` against other programs: its figures are those of an independent script, and its reports can be read by
//! another library. What is not installed here is reported as ignored.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/labeled.rs"]
mod labeled;
#[path = "common/skip.rs"]
mod skip;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use serde_json::Value;

use self::{
    labeled::{mixed, text},
    skip::{missing_program, run, trial},
};

/// The independent script, which reads the same pictures with the same program and counts for itself.
fn score() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/score.py")
}

fn main() -> ExitCode {
    let no_python = missing_program("python3");
    let no_score = (!score().is_file()).then(|| format!("{} is not there", score().display()));
    run(vec![
        trial(
            "figures_are_those_of_score_py",
            no_python.as_deref().or(no_score.as_deref()),
            figures_are_those_of_score_py,
        ),
        trial("junit_is_read_by_python", no_python.as_deref(), junit_is_read_by_python),
    ])
}

fn figures_are_those_of_score_py() {
    let set = mixed();
    let scores = set.path("scores.json");
    let output = Command::new("python3")
        .arg(score())
        .arg("--bin")
        .arg(assert_cmd::cargo::cargo_bin("fenlens"))
        .arg("--json")
        .arg(&scores)
        .args([set.path("mixed"), set.path("plain")])
        .env_remove("ORT_DYLIB_PATH")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let theirs: Value = serde_json::from_slice(&fs::read(scores).unwrap()).unwrap();
    let ours = set.json(&["mixed", "plain"]);
    for (family, figures) in theirs.as_object().unwrap() {
        for (name, value) in figures.as_object().unwrap().iter().filter(|(name, _)| *name != "ms") {
            assert_eq!(&ours["families"][family][name], value, "{family} {name}");
        }
    }
    assert_eq!(theirs.as_object().unwrap().len(), 2);
}

fn junit_is_read_by_python() {
    let set = mixed();
    set.write("floors.json", r#"{"mixed": {"exact": 0.9}, "plain": {"exact": 0.9}}"#);
    let output = set.check(&["mixed", "plain", "--floors", "floors.json", "--report", "junit=r.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let reader = "import sys, xml.etree.ElementTree as e; r = e.parse(sys.argv[1]).getroot(); \
                  print(r.tag, len(r.findall('testsuite')), len(r.findall('.//failure[@message]')))";
    let read = Command::new("python3").args(["-c", reader]).arg(set.path("r.xml")).output().unwrap();
    assert_eq!(text(&read.stdout).trim(), "testsuites 3 7", "{}", text(&read.stderr));
}
