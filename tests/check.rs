//! `fenlens check`: figures, labels, floors, baselines, reports. The figures are compared with values worked out by hand.
//! `check_external.rs` compares them with those of an independent program.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/labeled.rs"]
mod labeled;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

use fenlens::{Record, Verdict, games::placement::Placement};
use serde_json::Value;
use sha2::{Digest, Sha256};

use self::labeled::{ENDING, LEFT, OPENING, RIGHT, START, Set, fenlens, mixed, text, turned};

/// The verdicts on the boards of the pictures of a folder.
fn verdicts(set: &Set, folder: &str) -> HashMap<String, Vec<Verdict>> {
    let names = fs::read_dir(set.path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let pictures: Vec<PathBuf> = names.filter(|path| path.extension().is_some_and(|e| e == "png")).collect();
    let output = fenlens(set.folder()).args(["read", "--json"]).args(&pictures).output().unwrap();
    let records = text(&output.stdout);
    let records = records.lines().map(|line| serde_json::from_str::<Record>(line).unwrap());
    let name = |path: &str| Path::new(path).file_name().unwrap().to_string_lossy().into_owned();
    records.map(|r| (name(&r.path), r.boards.into_iter().map(|board| board.verdict).collect())).collect()
}

#[test]
fn figures_are_those_worked_out_by_hand() {
    let set = mixed();
    let report = set.json(&["mixed", "plain"]);
    let figure = |family: &str, name: &str| report["families"][family][name].clone();
    let differing = {
        let (a, b) = (ENDING.parse::<Placement>().unwrap(), turned(ENDING).parse::<Placement>().unwrap());
        fenlens::games::chess::Square::all().filter(|&square| a.get(square) != b.get(square)).count()
    };
    // right, square, turned, extra, crossed (of which one pair can be made), and neither missing nor negative.
    for (name, value) in [
        ("pictures", 7),
        ("boards", 7),
        ("found", 6),
        ("exact", 3),
        ("turned", 1),
        ("extra", 2),
        ("squares", 5 * 64),
        ("wrong", 1 + differing),
    ] {
        assert_eq!(figure("mixed", name), value, "{name}");
    }
    assert_eq!(figure("mixed", "share"), 0.4286);
    let charged = &report["families"]["mixed"]["charged"];
    for (kind, count) in
        [("no board", 2), ("extra board", 3), ("piece", 1), ("orientation", 1), ("corners", 0), ("occupancy", 0)]
    {
        assert_eq!(charged[kind], count, "{kind}");
    }
    for (name, value) in [("pictures", 2), ("boards", 1), ("exact", 1), ("extra", 0), ("wrong", 0)] {
        assert_eq!(figure("plain", name), value, "{name}");
    }
    assert_eq!((&report["total"]["boards"], &report["total"]["exact"]), (&Value::from(8), &Value::from(4)));

    // Verdicts are the models' own: what is accepted is counted from the records, what of it is silent from the labels.
    let verdicts = verdicts(&set, "mixed");
    let accepted = |name: &str, board: usize| usize::from(verdicts[name][board] == Verdict::Accept);
    let all = verdicts.values().flatten().filter(|verdict| **verdict == Verdict::Accept).count();
    assert_eq!(figure("mixed", "accept"), all);
    let wrong = accepted("square.png", 0) + accepted("turned.png", 0) + accepted("negative.png", 0);
    // Of the crossed pair either one may be left over, and of two boards for one label the second.
    let unpaired = report["misses"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|miss| miss["charged"] == "extra board" && miss["picture"] != "mixed/negative.png");
    let unpaired: Vec<(String, usize)> = unpaired
        .map(|miss| {
            (miss["picture"].as_str().unwrap().replace("mixed/", ""), miss["reading"].as_u64().unwrap() as usize)
        })
        .collect();
    assert_eq!(unpaired.len(), 2);
    let silent = wrong + unpaired.iter().map(|(name, reading)| accepted(name, reading - 1)).sum::<usize>();
    assert!(silent > 0);
    assert_eq!(figure("mixed", "silent"), silent);

    // Silent errors come first.
    let order: Vec<bool> =
        report["misses"].as_array().unwrap().iter().map(|miss| miss["silent"].as_bool().unwrap()).collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
    let confused = &report["confusion"]["rows"];
    let at = |letter: char| report["confusion"]["letters"].as_str().unwrap().find(letter).unwrap();
    assert_eq!(confused[at('K')][at('Q')], 1);
}

#[test]
fn labels_have_many_forms() {
    let set = Set::new();
    let picture = "boards/screen-opening.png";
    set.picture("lines/a.png", picture);
    set.write("lines/a.fen", format!("{OPENING} w KQkq - 0 1\n"));
    set.picture("lines/none.png", "bad/white.png");
    set.write("lines/none.fen", "-\n");
    set.picture("json/a.png", picture);
    set.write("json/a.json", format!(r#"{{"fen": "{OPENING} w - - 0 1"}}"#));
    set.picture("json/b.PNG", "boards/print-two-boards.png");
    set.write("json/b.json", format!(r#"{{"boards": [{{"placement": "{LEFT}"}}, {{"placement": "{RIGHT}"}}]}}"#));
    set.picture(&format!("named/{}.png", OPENING.replace('/', "-")), picture);
    let ones = START.replace('8', "11111111").replace('/', "_");
    set.picture(&format!("named/board_{ones}.png"), "boards/screen-start-flipped.png");
    set.picture("tables/a.png", picture);
    set.write("tables/first.csv", format!("placement,file\r\n{OPENING},a.png\r\n"));
    set.picture("unlabeled.png", picture);

    let report = set.json(&["."]);
    let figures = |family: &str, name: &str| report["families"][family][name].as_u64().unwrap_or_default();
    for (family, pictures, boards) in [("lines", 2, 1), ("json", 2, 3), ("named", 2, 2)] {
        assert_eq!(figures(family, "pictures"), pictures, "{family}");
        assert_eq!((figures(family, "boards"), figures(family, "exact")), (boards, boards), "{family}");
    }
    // In folders only tables of the usual name are read: the pictures of another table may also be in that one.
    assert_eq!(report["unlabelled"], 2);
    let pictures = report["pictures"].as_array().unwrap();
    assert!(pictures.iter().any(|picture| picture["picture"] == "json/b.PNG" && picture["right"] == true));

    let report = set.json(&["tables/first.csv", "li*/*.fen", "json/a.png", "json/a.json"]);
    let families: Vec<&String> = report["families"].as_object().unwrap().keys().collect();
    assert_eq!(families, ["first", "json", "lines"]);
    assert_eq!(report["total"]["pictures"], 4);
}

#[test]
fn pictures_may_lie_elsewhere() {
    let set = Set::new();
    let picture = set.picture("store/deep/renamed.png", "boards/screen-opening.png");
    let hash: String = Sha256::digest(fs::read(&picture).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    let board = format!(r#"[{{"fen": "{OPENING} w KQkq - 0 1", "orientation": "white"}}]"#);
    set.write(
        "labels/first.json",
        format!(r#"{{"schema": 1, "picture": "first.png", "sha256": "{hash}", "boards": {board}}}"#),
    );
    set.picture("store/second.png", "boards/screen-opening.png");
    set.write("labels/second.json", format!(r#"{{"boards": {board}}}"#));
    let report = set.json(&["labels", "--pictures", "store"]);
    assert_eq!((&report["total"]["pictures"], &report["total"]["exact"]), (&Value::from(2), &Value::from(2)));

    // A picture of the right name that is not the one that was labeled is refused.
    set.picture("labels/first.png", "bad/white.png");
    let output = set.check(&["labels/first.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is not the picture that was labeled"), "{}", text(&output.stderr));
    // Where the right one is found by its hash, the name does not matter.
    assert_eq!(set.check(&["labels/first.json", "--pictures", "store"]).status.code(), Some(0));
}

/// A set of which only `a.fen` can be measured.
fn unusable() -> Set {
    let set = Set::new();
    set.picture("a.png", "boards/screen-opening.png");
    set.picture("8-8-8-8-8-8-8-9k.png", "bad/white.png");
    set.picture("8-8-8-8-8-8-8-7.png", "bad/white.png");
    set.write("a.fen", OPENING);
    set.write("gone.fen", OPENING);
    set.write("empty.csv", "file,placement\n");
    set.write("bare.csv", "file,orientation\n");
    set.write("bad.csv", format!("file,placement\na.png,{OPENING}\na.png,{}\n", OPENING.replace("/5N2/", "/5N1/")));
    set.write("ragged.csv", format!("file,placement\na.png,{OPENING},white\n"));
    set.write("gone.csv", format!("file,placement\nno.png,{OPENING}\n"));
    set.write("twice.csv", format!("file,placement\na.png,{OPENING}\na.png,{OPENING}\n"));
    set.write("xiangqi.csv", "file,placement\na.png,9/9/9/9/9/9/9/9/9/9\n");
    set.write("side.csv", format!("file,placement,orientation\na.png,{OPENING},red\n"));
    set.write("odd.json", "{}");
    set.write("floors-other.json", r#"{"books": {"exact": 1}}"#);
    set.write("floors-odd.json", r#"{"books": {"exakt": 1}}"#);
    set.write("floors-none.json", "{}");
    set.write(
        "baseline.json",
        r#"{"schema": 1, "model": "m", "pictures": {"x/y.png": {"right": true, "boards": []}}}"#,
    );
    set.write("baseline-old.json", r#"{"schema": 0, "model": "m", "pictures": {}}"#);
    fs::create_dir(set.path("nothing")).unwrap();
    set
}

#[test]
fn what_cannot_be_measured_is_2() {
    let set = unusable();
    for (arguments, said) in [
        (&["nothing"][..], "no labeled picture was found"),
        (&["empty.csv"], "no labeled picture was found"),
        (&["no.csv"], "no.csv: no such file or folder"),
        (&["no*.xyz"], "nothing matches this pattern"),
        (&["bare.csv"], "bare.csv: there is no column \"placement\""),
        (&["bad.csv"], "bad.csv:3: a.png: board 1:"),
        (&["bad.csv"], "rank 3 does not fill 8 squares"),
        (&["ragged.csv"], "line: 2"),
        (&["gone.csv"], "gone.csv:2: no.png: there is no picture no.png"),
        (&["twice.csv"], "twice.csv:3: a.png of twice has a label already, in twice.csv:2"),
        (&["xiangqi.csv"], "pictures of xiangqi are not read yet"),
        (&["side.csv"], "\"red\", it must be white or black"),
        (&["gone.fen"], "gone.fen: there is no picture of this label"),
        (&["odd.json"], "odd.json: no board is given"),
        (&["8-8-8-8-8-8-8-7.png"], "rank 1 does not fill 8 squares"),
        (&["8-8-8-8-8-8-8-9k.png"], "no label"),
        (&["a.fen", "--floors", "no.json"], "no.json: "),
        (&["a.fen", "--floors", "floors-odd.json"], "unknown field `exakt`"),
        (&["a.fen", "--floors", "floors-none.json"], "no floor in it"),
        (&["a.fen", "--floors", "floors-other.json"], "there is a floor for \"books\", but no labeled picture"),
        (&["a.fen", "--baseline", "no.json"], "no.json: "),
        (&["a.fen", "--baseline", "odd.json"], "odd.json: missing field"),
        (&["a.fen", "--baseline", "baseline-old.json"], "baselines of schema 0"),
        (&["a.fen", "--baseline", "baseline.json"], "the baseline has none of the labeled pictures"),
        (&["a.fen", "--pictures", "no"], "no: "),
        (&["a.fen", "--report", "json", "--report", "html"], "only one report"),
        (&["a.fen", "--report", "json=x", "--report", "html=x"], "cannot be written to one file"),
        (&["a.fen", "--report", "json=x", "-o", "y"], "every report has a file"),
        (&["a.fen", "--report", "yaml"], "there are text, json"),
        (&["a.fen", "-o", "no/such/report"], "there is no such folder"),
    ] {
        let output = set.check(arguments);
        let notes = text(&output.stderr);
        assert!(notes.contains(said), "{arguments:?} should say {said:?}:\n{notes}");
        assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{arguments:?}");
    }
    // All errors are reported at once.
    let notes = text(&set.check(&["gone.csv", "bad.csv", "odd.json"]).stderr);
    assert_eq!(notes.lines().count(), 3, "{notes}");
    assert_eq!(set.check(&["a.fen"]).status.code(), Some(0));
}

#[test]
fn a_picture_that_cannot_be_decoded_is_reported_and_2() {
    let set = Set::new();
    set.picture("set/a.png", "boards/screen-opening.png");
    set.write("set/a.fen", OPENING);
    set.picture("set/b.png", "bad/truncated.png");
    set.write("set/b.fen", START);
    let output = set.check(&[
        "set",
        "--report",
        "text",
        "--report",
        "json=r.json",
        "--report",
        "junit=r.xml",
        "--save-baseline",
        "b.json",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("cannot be read: set/b.png: the picture is cut short"));
    assert!(!set.path("b.json").exists());
    let report: Value = serde_json::from_slice(&fs::read(set.path("r.json")).unwrap()).unwrap();
    assert_eq!(report["passed"], false);
    assert_eq!(report["failed"][0]["picture"], "set/b.png");
    // It counts as not found, as everywhere.
    assert_eq!((&report["total"]["boards"], &report["total"]["found"]), (&Value::from(2), &Value::from(1)));
    let xml = quick_junit::Report::deserialize_from_str(&fs::read_to_string(set.path("r.xml")).unwrap()).unwrap();
    assert_eq!((xml.tests, xml.errors, xml.failures), (2, 1, 0));
}

#[test]
fn floors_hold() {
    let set = mixed();
    let run = |floors: &str| {
        set.write("floors.json", floors);
        let output = set.check(&["mixed", "plain", "--floors", "floors.json", "--report", "text"]);
        (output.status.code(), text(&output.stdout))
    };
    let (code, said) = run(r#"{"mixed": {"exact": 0.4286, "extra": 2}, "plain": {"exact": 1.0, "silent": 0}}"#);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("passed: 4 of 8 boards exact"), "{said}");
    let (code, said) = run(r#"{"mixed": {"exact": 0.5, "extra": 1, "sq_err": 0.1}}"#);
    assert_eq!(code, Some(1));
    assert!(said.contains("below the floor: mixed: exact 0.4286 < 0.5"), "{said}");
    assert!(said.contains("below the floor: mixed: extra 2 > 1"), "{said}");
    assert!(said.contains("below the floor: mixed: sq_err "), "{said}");
}

#[test]
fn what_was_right_must_stay_right() {
    let set = Set::new();
    set.picture("set/a.png", "boards/screen-opening.png");
    set.picture("set/b.png", "boards/screen-start-flipped.png");
    set.write("set/manifest.csv", format!("file,placement\na.png,{OPENING}\nb.png,{OPENING}\n"));
    // Without floors and baseline a miss is not a failure.
    assert_eq!(set.check(&["set", "--save-baseline", "base.json"]).status.code(), Some(0));
    let saved = fs::read_to_string(set.path("base.json")).unwrap();
    assert!(saved.contains("\"set/a.png\": {\"right\":true"), "{saved}");
    assert!(saved.contains("\"set/b.png\": {\"right\":false"), "{saved}");
    let against = ["set", "--baseline", "base.json", "--save-baseline", "base.json", "--report"];
    let run = |report| set.check(&[&against[..], &[report]].concat());
    assert_eq!(run("text").status.code(), Some(0));
    assert_eq!(fs::read_to_string(set.path("base.json")).unwrap(), saved);
    // A known miss is not a failed case for a CI server.
    let xml = quick_junit::Report::deserialize_from_str(&text(&run("junit").stdout)).unwrap();
    assert_eq!((xml.tests, xml.failures, xml.skipped), (2, 0, 1));

    // One is fixed and the other gets worse: the sum is the same, but the run fails.
    set.picture("set/a.png", "boards/screen-start-flipped.png");
    set.picture("set/b.png", "boards/screen-opening.png");
    let output = run("text");
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("right in the baseline, wrong now: set/a.png"), "{said}");
    assert!(said.contains("wrong in the baseline, right now: set/b.png"), "{said}");
    assert!(text(&output.stderr).contains("base.json is not written"));
    assert_eq!(fs::read_to_string(set.path("base.json")).unwrap(), saved);
    let xml = quick_junit::Report::deserialize_from_str(&text(&run("junit").stdout)).unwrap();
    assert_eq!((xml.tests, xml.failures, xml.skipped), (2, 1, 0));
    let report: Value = serde_json::from_slice(&run("json").stdout).unwrap();
    assert_eq!(report["baseline"]["worse"], serde_json::json!(["set/a.png"]));
    assert_eq!(report["baseline"]["mended"], serde_json::json!(["set/b.png"]));
    // Said without a report on standard output, too.
    let output = set.check(&["set", "--baseline", "base.json", "--report", "html", "-o", "r.html"]);
    assert!(text(&output.stderr).contains("right in the baseline, wrong now: set/a.png"));
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
}

#[test]
fn junit_is_read_by_others() {
    let set = mixed();
    set.write("floors.json", r#"{"mixed": {"exact": 0.9}, "plain": {"exact": 0.9}}"#);
    let output = set.check(&["mixed", "plain", "--floors", "floors.json", "--report", "junit=r.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let written = fs::read_to_string(set.path("r.xml")).unwrap();
    let xml = quick_junit::Report::deserialize_from_str(&written).unwrap();
    let suites: Vec<(&str, usize, usize)> =
        xml.test_suites.iter().map(|suite| (suite.name.as_str(), suite.tests, suite.failures)).collect();
    assert_eq!(suites, [("mixed", 7, 6), ("plain", 2, 0), ("floors", 2, 1)]);
    assert!(written.contains("d1 K read as Q"), "{written}");
    assert!(written.contains(&format!("label {}", START.replace("RNBQKBNR", "RNBKKBNR"))), "{written}");
}

#[test]
fn annotations_lead_to_the_label() {
    let set = Set::new();
    set.picture("a, b: 5 %/x.png", "boards/screen-opening.png");
    set.write("a, b: 5 %/manifest.csv", format!("file,placement\nx.png,{}\n", OPENING.replace("RNBQ", "RNBK")));
    set.write("floors.json", r#"{"a, b: 5 %": {"exact": 1}}"#);
    let output = set.check(&["a, b: 5 %", "--floors", "floors.json", "--report", "github", "--report", "text"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stdout);
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(lines[0], "::error title=a%2C b%3A 5 %25 below the floor::a, b: 5 %25: exact 0 < 1");
    let start = "::warning file=a%2C b%3A 5 %25/manifest.csv,line=2,title=";
    assert!(lines[1].starts_with(start), "{said}");
    assert!(lines[1].contains("::a, b: 5 %25/x.png%0A") && lines[1].contains("d1 K read as Q%0Alabel "), "{said}");
    assert!(lines[2].starts_with("::notice title=fenlens check::failed: 0 of 1 boards exact"), "{said}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn pages_and_summaries_show_the_misses() {
    let set = mixed();
    let output = set.check(&["mixed", "--report", "html=r.html", "--report", "markdown=r.md"]);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), ""));
    assert!(text(&output.stderr).contains("measured: 3 of 7 boards exact"), "{}", text(&output.stderr));
    let page = fs::read_to_string(set.path("r.html")).unwrap();
    let policy =
        "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'sha256-";
    assert!(page.contains(policy) && page.contains("script-src 'none'") && !page.contains(" style=\""));
    // Seven misses, each with a picture; two without a reading, three without a label.
    assert_eq!(page.matches("<article class=\"card\">").count(), 7);
    assert_eq!(page.matches("src=\"data:image/png;base64,").count(), 7);
    assert_eq!(page.matches("<svg").count(), 2 * 7 - 2 - 3);
    assert!(!page.contains("src=\"http") && !page.contains("href="), "the page needs nothing else");
    let summary = fs::read_to_string(set.path("r.md")).unwrap();
    assert!(summary.contains("| mixed | 7 | 7 | 6 | 3 | 42.9 % |"), "{summary}");
    assert!(summary.contains("`mixed/square.png`"), "{summary}");
    assert_eq!(fs::read_dir(set.folder()).unwrap().count(), 4, "no part of a file is left");
}
