//! What must hold for any input. The fuzz targets and `tests/fuzz_smoke.rs` share these functions.

use fenlens::{
    Limits, Picture,
    evaluate::Label,
    fen::{CheckOptions, GameChoice, Language, Report, check},
    image::TiffFile,
};

/// Any bytes as a FEN record: ranges point into the text, the report can be written, and the normal form of a normal form is
/// the same.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for (game, chess960) in
        [(GameChoice::Auto, false), (GameChoice::Chess, false), (GameChoice::Chess, true), (GameChoice::Xiangqi, false)]
    {
        let options = CheckOptions { game, chess960 };
        let checked = check(&text, &options);
        for issue in &checked.issues {
            assert!(issue.range.clone().is_none_or(|range| text.get(range).is_some()));
        }
        for language in [Language::English, Language::Chinese] {
            Report::new(&text, &checked, language).to_json();
        }
        for written in [&checked.normalized, &checked.suggested].into_iter().flatten() {
            assert_eq!(check(written, &options).normalized.as_ref(), Some(written));
        }
    }
}

/// Small, so that a header that claims much costs little.
const LIMITS: Limits = Limits::new(1 << 18, 1 << 18);

/// Any bytes as a picture, and as a file of several: they decode within the limits, or fail.
pub fn picture(data: &[u8]) {
    let check = |decoded: fenlens::Result<Picture>| {
        if let Ok(picture) = decoded {
            assert!(picture.width() > 0 && picture.height() > 0);
            assert!(picture.width() * picture.height() <= LIMITS.pixels as usize);
            assert_eq!(picture.data().len(), 3 * picture.width() * picture.height());
        }
    };
    check(Picture::decode(data, &LIMITS));
    if let Ok(file) = TiffFile::open(data.to_vec()) {
        (0..file.pages().min(4)).for_each(|page| check(file.decode(page, &LIMITS)));
    }
}

/// Any bytes as a label in each of its forms: a label that can be read is the same when it is written and read again.
pub fn label(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (first, second) = text.split_once('\n').unwrap_or((&text, ""));
    let labels = [
        Label::from_json(&text).ok(),
        Label::from_lines(&text).ok(),
        Label::from_columns(first, second).ok(),
        Label::from_file_name(first).and_then(Result::ok),
    ];
    for label in labels.into_iter().flatten().filter(|label| !label.boards.is_empty()) {
        let lines: Vec<String> = label.boards.iter().map(|board| board.placement.to_string()).collect();
        let again = Label::from_lines(&lines.join("\n")).expect("placements are labels");
        let placements = |label: &Label| label.boards.iter().map(|board| board.placement).collect::<Vec<_>>();
        assert_eq!(placements(&again), placements(&label));
    }
}
