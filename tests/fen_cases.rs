//! The checker of FEN records against cases whose right values are known: the project's own, which raise every code, and
//! those of the shared folder. Without that folder its tests are reported as ignored.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use fenlens::fen::{CheckOptions, Code, GameChoice, Language, Report, check};
use libtest_mimic::{Arguments, Trial};

/// One row: an input and what is right about it.
struct Case {
    id: String,
    options: CheckOptions,
    input: String,
    valid_syntax: bool,
    legal: String,
    issues: BTreeSet<String>,
    normalized: Option<String>,
    suggested: Option<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn shared(name: &str) -> PathBuf {
    root().join("../shared").join(name)
}

/// A test of one table of the shared folder; reported as ignored where the folder is missing.
fn shared_trial(name: &'static str, file: &str, test: fn(&Path)) -> Trial {
    let path = shared(file);
    let missing = !path.exists();
    trial(name, move || test(&path)).with_ignored_flag(missing)
}

fn trial(name: &'static str, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        test();
        Ok(())
    })
}

fn main() {
    let trials = vec![
        trial("own_cases_hold_and_raise_every_code", own_cases_hold_and_raise_every_code),
        shared_trial("shared_cases_hold", "fen-cases.csv", shared_cases_hold),
        shared_trial("shared_codes_are_the_same", "fen-codes.csv", shared_codes_are_the_same),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// The rows of a table by the names of its columns.
fn table(path: &Path) -> Vec<std::collections::HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn cases(path: &Path) -> Vec<Case> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let rows = table(path);
    assert!(!rows.is_empty(), "{}: no cases", path.display());
    rows.into_iter()
        .map(|row| Case {
            id: row["id"].clone(),
            options: CheckOptions {
                game: match row["variant"].as_str() {
                    "chess" | "chess960" => GameChoice::Chess,
                    "xiangqi" => GameChoice::Xiangqi,
                    "auto" => GameChoice::Auto,
                    other => panic!("{}: variant {other}", row["id"]),
                },
                chess960: row["variant"] == "chess960",
            },
            input: row["input"].clone(),
            valid_syntax: row["valid_syntax"] == "yes",
            legal: row["legal"].clone(),
            issues: row["issues"].split(';').filter(|code| !code.is_empty()).map(str::to_owned).collect(),
            normalized: some(&row["normalised"]),
            suggested: some(&row["suggested"]),
        })
        .collect()
}

/// Every difference between a case and the answer of the checker, in words.
fn differences(case: &Case) -> Vec<String> {
    let checked = check(&case.input, &case.options);
    let said: BTreeSet<String> = checked.issues.iter().map(|issue| issue.code.name().to_owned()).collect();
    let mut differences = Vec::new();
    let mut compare = |what: &str, wanted: String, said: String| {
        if wanted != said {
            differences.push(format!("{}: {what}: {wanted} wanted, {said} said; {:?}", case.id, case.input));
        }
    };
    compare("issues", format!("{:?}", case.issues), format!("{said:?}"));
    compare("valid_syntax", case.valid_syntax.to_string(), checked.valid_syntax.to_string());
    compare("legal", case.legal.clone(), checked.legal.name().to_owned());
    compare("normalised", format!("{:?}", case.normalized), format!("{:?}", checked.normalized));
    compare("suggested", format!("{:?}", case.suggested), format!("{:?}", checked.suggested));
    // Every issue has a message, and its range is within the input.
    for language in [Language::English, Language::Chinese] {
        let report = Report::new(&case.input, &checked, language);
        for issue in &report.issues {
            assert!(!issue.message.contains('{') || case.input.contains('{'), "{}: {}", case.id, issue.message);
            if let Some([start, end]) = issue.range {
                assert!(case.input.get(start..end).is_some(), "{}: {start}..{end}", case.id);
            }
        }
        let json = report.to_json();
        assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report);
    }
    // The normal form of the normal form is the same, with the same verdict.
    if let Some(text) = &checked.normalized {
        let again = check(text, &CheckOptions { game: case.options.game, ..case.options });
        assert_eq!(again.normalized.as_ref(), Some(text), "{}", case.id);
        assert_eq!(again.legal, checked.legal, "{}", case.id);
    }
    if let Some(text) = &checked.suggested {
        assert_eq!(check(text, &case.options).normalized.as_ref(), Some(text), "{}", case.id);
    }
    differences
}

fn hold(path: &Path) -> Vec<Case> {
    let cases = cases(path);
    let differences: Vec<String> = cases.iter().flat_map(differences).collect();
    assert!(differences.is_empty(), "{} of {}:\n{}", differences.len(), cases.len(), differences.join("\n"));
    cases
}

/// The cases of the project, written from the rules, hold; and every code is among them.
fn own_cases_hold_and_raise_every_code() {
    let cases = hold(&root().join("testdata/fen/cases.csv"));
    let raised: BTreeSet<&str> = cases.iter().flat_map(|case| case.issues.iter().map(String::as_str)).collect();
    let missing: Vec<&str> = Code::ALL.iter().map(|code| code.name()).filter(|name| !raised.contains(name)).collect();
    assert!(missing.is_empty(), "not raised by any case: {missing:?}");
}

/// The cases of the shared folder hold, every row and every column.
fn shared_cases_hold(path: &Path) {
    let cases = hold(path);
    assert_eq!(cases.len(), 273);
    // The game is recognized too, but for records that are deliberately read as the other one.
    for case in cases.iter().filter(|case| !case.issues.iter().any(|code| code.starts_with("looks-like"))) {
        let checked = check(&case.input, &CheckOptions::default());
        let blank = case.input.trim().is_empty() || case.issues.contains("input-too-long");
        let wanted = if case.options.game == GameChoice::Xiangqi { "xiangqi" } else { "chess" };
        assert!(blank || checked.game.name() == wanted, "{}: {:?}", case.id, case.input);
    }
}

/// The shared table in the words of this project. It was written before the words were settled (piece for man, American
/// spelling), and other projects use it too, so it is translated here instead of being changed.
fn in_our_words(text: &str) -> String {
    let translate = |part: &str| {
        let (word, after) = part.split_at(part.trim_end_matches(|ch: char| !ch.is_alphabetic()).len());
        let ours = match word {
            "man" => "piece",
            "men" => "pieces",
            word => word,
        };
        ours.to_owned() + after
    };
    text.replace("colour", "color").split_inclusive(|ch: char| !ch.is_alphabetic()).map(translate).collect()
}

/// The words are those of the shared table.
fn shared_codes_are_the_same(path: &Path) {
    let rows = table(path);
    assert_eq!(rows.len(), Code::ALL.len());
    for (row, code) in rows.iter().zip(Code::ALL) {
        let (english, chinese) = (code.english(), code.chinese());
        let fix = if english.fix.is_empty() { "none" } else { english.fix };
        let ours = [code.name(), code.severity().name(), code.stage().name(), english.message, chinese.message, fix];
        let names = ["code", "severity", "stage", "message", "message_zh", "fix"];
        assert_eq!(ours.map(str::to_owned), names.map(|name| in_our_words(&row[name])));
    }
}
