//! What must hold for any input. The fuzz targets and `tests/fuzz_smoke.rs` share these functions.

// The lines of parts belong to the program, not to the library.
#[path = "../src/cli/batch/lines.rs"]
#[allow(dead_code, reason = "only what reads and writes lines is needed")]
mod lines;
#[path = "../src/cli/batch/shard.rs"]
#[allow(dead_code, reason = "only its form in files is needed")]
mod shard;

use fenlens::{
    Limits, Picture, Record,
    evaluate::Label,
    fen::{CheckOptions, GameChoice, Language, Report, check},
    image::TiffFile,
};

use self::lines::{FileState, Job, Reader, Seal, Sealed};

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

/// A part with these records, given as JSON.
pub fn sealed<'a>(records: impl IntoIterator<Item = &'a str>) -> Vec<u8> {
    let job = Job {
        journal: Job::NAME.into(),
        format: Job::FORMAT,
        version: "1".into(),
        models: "m".into(),
        runtime: "built-in".into(),
        limits: [1; 3],
        inputs: 9,
        digest: "d".into(),
        review: false,
        part: "1/2".parse().ok(),
    };
    written(&job, records.into_iter().map(|json| (json, Some(FileState { bytes: 1, modified: -1 }))))
}

fn written<'a>(job: &Job, records: impl Iterator<Item = (&'a str, Option<FileState>)>) -> Vec<u8> {
    let (mut seal, mut text) = Seal::begin(job);
    for (json, file) in records {
        let (next, line) = seal.record(json, file);
        text += &line;
        seal = next;
    }
    (text + &seal.end()).into_bytes()
}

/// The records of a part that is whole.
fn read(part: &[u8]) -> Option<(Job, Vec<Sealed>)> {
    let mut reader = Reader::open(part).ok()?;
    let mut records = Vec::new();
    while let Some(record) = reader.record_of_part().ok()? {
        records.push(record);
    }
    Some((reader.job, records))
}

/// Any bytes as a part, which is refused or is what its records make when they are written again and is not whole without
/// its last byte; and any lines as the records of one, which come back as they were or are refused.
pub fn part(data: &[u8]) {
    if let Some((job, records)) = read(data) {
        assert!(read(&data[..data.len() - 1]).is_none());
        let again = written(&job, records.iter().map(|record| (&*record.json, record.file)));
        let (_, again) = read(&again).expect("what was written is whole");
        assert!(again.iter().map(|record| (&record.json, record.file)).eq(records.iter().map(|r| (&r.json, r.file))));
    }
    let text = String::from_utf8_lossy(data);
    let lines: Vec<&str> = text.split('\n').collect();
    // What is sealed is a record of the program, which leaves the field `journal` out.
    let is_record =
        |line: &&str| line.ends_with('}') && !line.contains("journal") && serde_json::from_str::<Record>(line).is_ok();
    match read(&sealed(lines.iter().copied())) {
        // A record is closed by its last brace, which is given or added.
        Some((_, records)) => {
            let closed = |line: &&str| format!("{}}}", line.strip_suffix('}').unwrap_or(line));
            assert!(records.iter().map(|record| record.json.clone()).eq(lines.iter().map(closed)));
        }
        None => assert!(!lines.iter().all(is_record), "{text}"),
    }
}
