//! Pictures with damaged data: reported where the data tell, and never accepted with a wrong position.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::{fs, process::Command};

use common::{Random, testdata};
use fenlens::{
    Limits, Options, Picture, Recognizer, Record, Verdict,
    image::{Damage, TiffFile},
};
use image::{ExtendedColorType, codecs::jpeg::JpegEncoder};

fn decode(bytes: &[u8]) -> Picture {
    Picture::decode(bytes, &Limits::default()).unwrap_or_else(|error| panic!("{}", error.chain()))
}

fn file(name: &str) -> Vec<u8> {
    fs::read(testdata().join(name)).unwrap()
}

/// A drawn board of 400 pixels as JPEG.
fn board(quality: u8) -> Vec<u8> {
    let picture = decode(&file("boards/screen-attack.png")).resized(400, 400);
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    encoder.encode(picture.data(), 400, 400, ExtendedColorType::Rgb8).unwrap();
    bytes
}

/// Where the data of the first scan of a JPEG begin.
fn data(bytes: &[u8]) -> usize {
    let header = bytes.windows(2).position(|pair| pair == [0xFF, 0xDA]).unwrap();
    header + 2 + usize::from(u16::from_be_bytes([bytes[header + 2], bytes[header + 3]]))
}

/// Where the restart markers of a JPEG are.
fn restarts(bytes: &[u8]) -> Vec<usize> {
    let from = data(bytes);
    (from..bytes.len() - 1).filter(|&at| bytes[at] == 0xFF && (0xD0..0xD8).contains(&bytes[at + 1])).collect()
}

#[test]
fn whole_pictures_are_not_called_damaged() {
    for entry in fs::read_dir(testdata().join("formats")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension != "md") {
            assert_eq!(decode(&fs::read(&path).unwrap()).damage(), None, "{}", path.display());
        }
    }
    for quality in [5, 40, 75, 90, 100] {
        assert_eq!(decode(&board(quality)).damage(), None, "{quality}");
    }
}

/// What cameras and programs add or leave out changes nothing.
#[test]
fn harmless_oddities_are_no_damage() {
    for whole in [board(85), file("formats/progressive.jpg"), file("formats/restart.jpg")] {
        let picture = decode(&whole);
        let end = whole.len() - 2;
        assert_eq!(whole[end..], [0xFF, 0xD9]);
        let oddities: [(&str, Vec<u8>); 5] = [
            ("no end marker", whole[..end].to_vec()),
            ("bytes after the end", [&whole[..], b"\xFF\xD8more\xFF\xDA\x12\x34"].concat()),
            ("fill bytes before a marker", [&whole[..end], b"\xFF\xFF\xFF\xD9"].concat()),
            ("zeros before the end", [&whole[..end], b"\0\0\0\xFF\xD9"].concat()),
            ("another application's segment", [&whole[..2], b"\xFF\xEB\0\x06\xFF\xD9\xFF\xDA", &whole[2..]].concat()),
        ];
        for (oddity, bytes) in oddities {
            let odd = decode(&bytes);
            assert_eq!(odd.damage(), None, "{oddity}");
            assert!(odd == picture, "{oddity}: other pixels");
        }
    }
}

#[test]
fn restart_markers_are_counted() {
    for name in ["formats/restart.jpg", "formats/progressive-restart.jpg"] {
        let whole = file(name);
        let markers = restarts(&whole);
        assert!(markers.len() > 4, "{name}");
        let mut swapped = whole.clone();
        swapped.swap(markers[1] + 1, markers[2] + 1);
        assert_eq!(decode(&swapped).damage(), Some(Damage::Restart), "{name}");
        let mut shorter = whole.clone();
        shorter.drain(markers[1]..markers[2]);
        assert_eq!(decode(&shorter).damage(), Some(Damage::Restart), "{name}");
        let mut longer = whole.clone();
        longer.splice(markers[1]..markers[1], [0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A]);
        assert!(decode(&longer).damage().is_some(), "{name}");
    }
}

/// Blocks left out or repeated: the decoder paints gray, or drops what is too much.
#[test]
fn blocks_are_counted() {
    let whole = board(85);
    let from = data(&whole);
    let middle = from + (whole.len() - from) / 2;
    let mut shorter = whole.clone();
    shorter.drain(middle..middle + 500);
    assert!(decode(&shorter).damage().is_some());
    let mut longer = whole.clone();
    let part = whole[middle..middle + 500].to_vec();
    longer.splice(middle..middle, part);
    assert!(decode(&longer).damage().is_some());
    let mut ended = whole.clone();
    ended.splice(middle..middle, [0xFF, 0xD9]);
    assert_eq!(decode(&ended).damage(), Some(Damage::EndsEarly));
}

/// One byte of the data changed: half of such pictures are reported, and what is accepted is right. A byte that changes no more
/// than the value of a coefficient leaves data of which another picture could be made.
#[test]
fn a_changed_byte_is_never_silently_wrong() {
    const CHANGES: usize = 300;
    const READ: usize = 20;
    let whole = board(85);
    let recognizer = Recognizer::embedded(Options::default()).unwrap();
    let expected = recognizer.recognize(&decode(&whole)).unwrap().boards[0].fen.placement;
    let mut random = Random::new(13);
    let from = data(&whole);
    let (mut reported, mut accepted, mut read) = (0, 0, 0);
    for _ in 0..CHANGES {
        let mut bytes = whole.clone();
        let at = from + random.below(bytes.len() - 2 - from);
        bytes[at] ^= 1 + random.below(255) as u8;
        let Ok(picture) = Picture::decode(&bytes, &Limits::default()) else {
            reported += 1;
            continue;
        };
        // What is reported is not accepted; a few are read all the same.
        let is_reported = picture.damage().is_some();
        reported += usize::from(is_reported);
        if is_reported && reported > 2 || read == READ {
            continue;
        }
        read += usize::from(!is_reported);
        for board in recognizer.recognize(&picture).unwrap().boards {
            let is_accepted = board.trust.verdict == Verdict::Accept;
            assert!(!is_accepted || !is_reported, "byte {at}: damaged and accepted");
            assert!(!is_accepted || board.fen.placement == expected, "byte {at}: {} accepted", board.fen);
            assert_eq!(board.issues.iter().any(|issue| issue.code() == "picture-damaged"), is_reported);
            accepted += usize::from(is_accepted);
        }
    }
    let figures = format!("{reported} of {CHANGES} reported, {accepted} of {read} others accepted");
    assert!(reported > CHANGES / 3 && accepted > READ / 2, "{figures}");
}

/// TIFF files with a byte of their JPEG data changed: a gray band hides a rank.
#[test]
fn damaged_jpeg_in_tiff_is_checked() {
    let recognizer = Recognizer::embedded(Options::default()).unwrap();
    for name in ["damaged-accepted-00846-ok-jpeg.tiff", "damaged-accepted-01350-ok-jpeg.tiff"] {
        let found = recognizer.recognize_bytes(&file(&format!("faults/{name}"))).unwrap();
        assert!(!found.boards.is_empty(), "{name}");
        for board in &found.boards {
            assert_ne!(board.trust.verdict, Verdict::Accept, "{name}: {}", board.fen);
            assert!(board.issues.iter().any(|issue| issue.code() == "picture-damaged"), "{name}");
        }
    }
}

/// LZW unpacks whatever it is given; a code that stands for another number of pixels shifts all that follows.
#[test]
fn packed_data_have_the_length_of_their_picture() {
    for name in ["palette.gif", "rgb.tiff"] {
        let whole = file(&format!("formats/{name}"));
        let (from, to) = match name {
            "palette.gif" => (whole.len() - 30, whole.len() - 2),
            _ => (8, 80),
        };
        let good = decode(&whole);
        let (mut noticed, mut shifted) = (0, 0);
        for at in from..to {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            match Picture::decode(&bytes, &Limits::default()) {
                Ok(picture) if picture.damage().is_none() => {
                    let off = picture.data().chunks(3).zip(good.data().chunks(3)).filter(|(a, b)| a != b).count();
                    shifted = shifted.max(off);
                }
                _ => noticed += 1,
            }
        }
        let figures = format!("{noticed} of {} noticed, others change {shifted} pixels at most", to - from);
        assert!(10 * noticed >= 9 * (to - from), "{name}: {figures}");
    }
}

/// The renderer of PDF pages says nothing of a damaged JPEG on a page; the other page is read as ever.
#[test]
fn damaged_jpeg_in_pdf_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = file("books/scan.pdf");
    let from = data(&bytes) + 12_000;
    bytes[from..from + 8].fill(0x5A);
    fs::write(folder.path().join("scan.pdf"), bytes).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fenlens"));
    command.env_remove("ORT_DYLIB_PATH").current_dir(folder.path()).args(["batch", "scan.pdf", "-o", "out.jsonl"]);
    let output = command.output().unwrap();
    let written = fs::read_to_string(folder.path().join("out.jsonl"));
    let written = written.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let records: Vec<Record> = written.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let is_damaged = |record: &Record| {
        let codes = record.boards.iter().map(|board| board.issues.iter().any(|issue| issue.code == "picture-damaged"));
        codes.collect::<Vec<_>>()
    };
    assert_eq!(records.len(), 2);
    assert!(!is_damaged(&records[0]).is_empty() && is_damaged(&records[0]).iter().all(|&damaged| damaged), "{written}");
    assert!(records[0].boards.iter().all(|board| board.verdict != Verdict::Accept), "{written}");
    assert!(!is_damaged(&records[1]).is_empty() && !is_damaged(&records[1]).contains(&true), "{written}");
}

#[test]
fn pages_of_a_file_are_read_apart() {
    let Ok(pages) = TiffFile::open(file("formats/pages.tiff")) else { panic!("a TIFF file") };
    assert_eq!(pages.pages(), 3);
    let page = |page| pages.decode(page, &Limits::default()).unwrap();
    assert_eq!(page(0), decode(&file("formats/rgb.png")));
    assert_eq!(page(1).pixel(23, 0), page(0).pixel(0, 0));
    let gray = page(2).pixel(0, 0);
    assert!(gray[0] == gray[1] && gray[1] == gray[2], "{gray:?}");
}
