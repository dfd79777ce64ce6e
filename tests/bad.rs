//! Pictures that must fail, each with the kind of error that `testdata/bad/NAME.error` names.

mod common;

use std::fs;

use fenlens::{Error, Limits, Options, Picture, Recognizer, Stage};

/// `no-board` for a picture that is read and holds none.
fn outcome(recognizer: &mut Recognizer, path: &std::path::Path) -> String {
    let read = Picture::open(path, &Limits::default()).and_then(|picture| recognizer.recognize(&picture));
    match read {
        Ok(found) if found.boards.is_empty() => "no-board".into(),
        Ok(found) => format!("{} boards", found.boards.len()),
        Err(error) => error.kind().into(),
    }
}

#[test]
fn every_bad_picture_fails_as_it_should() {
    let mut recognizer = Recognizer::embedded(Options::default()).unwrap();
    let mut seen = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(common::testdata().join("bad")).unwrap() {
        let expectation = entry.unwrap().path();
        if expectation.extension().is_none_or(|extension| extension != "error") {
            continue;
        }
        seen += 1;
        let picture = expectation.with_extension("");
        assert!(picture.exists(), "{} has no picture", expectation.display());
        let expected = fs::read_to_string(&expectation).unwrap();
        let actual = outcome(&mut recognizer, &picture);
        if actual != expected.trim() {
            wrong.push(format!("{}: expected {}, got {actual}", picture.display(), expected.trim()));
        }
    }
    assert!(seen >= 7, "only {seen} bad pictures found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn directories_and_missing_files_are_told_apart() {
    let error = Picture::open(common::testdata(), &Limits::default()).unwrap_err();
    assert_eq!((error.stage(), error.kind()), (Stage::Read, "directory"));
    let error = Picture::open(common::testdata().join("none.png"), &Limits::default()).unwrap_err();
    assert_eq!((error.stage(), error.kind()), (Stage::Read, "not-found"));
}

#[test]
fn limits_are_kept_before_decoding() {
    let huge = fs::read(common::testdata().join("bad/huge.png")).unwrap();
    let error = Picture::decode(&huge, &Limits::default()).unwrap_err();
    assert!(
        matches!(error, Error::TooLarge { what: "pixels", limit: 50_000_000, actual: 3_600_000_000 }),
        "{}",
        error.chain()
    );
    let small = Limits::new(10, Limits::default().pixels);
    let error = Picture::decode(&huge, &small).unwrap_err();
    assert!(matches!(error, Error::TooLarge { what: "bytes", limit: 10, .. }), "{}", error.chain());
    let path = common::testdata().join("bad/huge.png");
    assert_eq!(Picture::open(path, &small).unwrap_err().stage(), Stage::Read);
}
