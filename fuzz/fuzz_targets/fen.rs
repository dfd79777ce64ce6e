//! Any bytes as a record: nothing panics, and the normal form is its own.

#![no_main]

use fenlens::fen::CheckOptions;
use fenlens::fen::GameChoice;
use fenlens::fen::Language;
use fenlens::fen::Report;
use fenlens::fen::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    for game in [GameChoice::Auto, GameChoice::Chess, GameChoice::Xiangqi] {
        let options = CheckOptions { game, ..CheckOptions::default() };
        let checked = check(&text, &options);
        for issue in &checked.issues {
            assert!(issue.range.clone().is_none_or(|range| text.get(range).is_some()));
        }
        Report::new(&text, &checked, Language::Chinese).to_json();
        for written in [&checked.normalized, &checked.suggested].into_iter().flatten() {
            assert_eq!(check(written, &options).normalized.as_ref(), Some(written));
        }
    }
});
