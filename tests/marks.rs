//! Overlays and reports as their users meet them. What needs a display is tested in `clipboard.rs`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/reading.rs"]
mod reading;

use std::{fs, path::Path, process, process::Stdio};

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use fenlens::{
    Picture, Record, Verdict,
    games::chess::Color,
    image::{Corners, Homography, Point, warp},
    output::record::BoardRecord,
};
use sha2::{Digest, Sha256};

use self::reading::{assert_ends, blurred, board, open, read, save, text};

/// The colors of the frame of a doubtful square and of a board's edge.
const FLAG: [u8; 3] = [0xe1, 0x1d, 0x48];
const FOUND: [u8; 3] = [0x03, 0x69, 0xa1];

/// The overlay of a picture, and its record.
fn overlay(folder: &Path, picture: &Path) -> (Picture, Record) {
    let file = folder.join("overlay.png");
    let output = read(&["--json", "--overlay", file.to_str().unwrap()], &[picture]);
    (open(&file), serde_json::from_str(&text(&output.stdout)).unwrap())
}

/// The map from a board of 8 x 8 to the pixels of an overlay that is `factor` times as large as its picture.
fn to_overlay(board: &BoardRecord, factor: usize) -> Homography {
    let corners = Corners(board.corners.map(|[x, y]| Point::new(x, y) * factor as f64));
    Homography::from_rect(8.0, 8.0, &corners).unwrap()
}

/// The column and row of a square as seen.
fn position(board: &BoardRecord, square: &str) -> (f64, f64) {
    let (file, rank) = (square.as_bytes()[0] - b'a', square.as_bytes()[1] - b'1');
    let (col, row) = if board.orientation == Color::White { (file, 7 - rank) } else { (7 - file, rank) };
    (f64::from(col), f64::from(row))
}

/// How many pixels of a color there are on a square.
fn count_on(picture: &Picture, map: &Homography, (col, row): (f64, f64), color: [u8; 3]) -> usize {
    let steps = || (0..200).map(|i| (f64::from(i) + 0.5) / 200.0);
    let points = steps().flat_map(|y| steps().map(move |x| map.apply(Point::new(col + x, row + y))));
    let pixels: std::collections::BTreeSet<_> = points.map(|p| (p.y as usize, p.x as usize)).collect();
    let inside = pixels.iter().filter(|(y, x)| *x < picture.width() && *y < picture.height());
    inside.filter(|(y, x)| picture.pixel(*x, *y) == color).count()
}

#[test]
fn doubtful_squares_have_a_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (path, record) = blurred(folder.path(), Verdict::Check);
    let (drawn, again) = overlay(folder.path(), &path);
    assert_eq!(again.boards, record.boards);
    let picture = open(&path);
    let factor = drawn.width() / picture.width();
    assert_eq!((drawn.width(), drawn.height()), (picture.width() * factor, picture.height() * factor));
    let board = &record.boards[0];
    let map = to_overlay(board, factor);
    for square in &board.squares {
        // The name of a1 may have that color too.
        if square.square != "a1" {
            let red = count_on(&drawn, &map, position(board, &square.square), FLAG);
            assert_eq!(red > 60, square.flagged, "{red} pixels of the frame on {}", square.square);
        }
    }
}

#[test]
fn every_piece_is_drawn_in_its_square() {
    let folder = tempfile::tempdir().unwrap();
    let path = board("print-middlegame.png");
    let (drawn, record) = overlay(folder.path(), &path);
    let plain = open(&path);
    let factor = drawn.width() / plain.width();
    let plain = plain.resized(drawn.width(), drawn.height());
    let board = &record.boards[0];
    let map = to_overlay(board, factor);
    for square in &board.squares {
        let (col, row) = position(board, &square.square);
        // The lower right quarter, without the lines of the board.
        let inner: Vec<Point> = (56..90)
            .flat_map(|y| (56..90).map(move |x| (f64::from(x) / 100.0, f64::from(y) / 100.0)))
            .map(|(x, y)| map.apply(Point::new(col + x, row + y)))
            .collect();
        let changed = inner
            .iter()
            .filter(|p| {
                let (x, y) = (p.x as usize, p.y as usize);
                drawn.pixel(x, y) != plain.pixel(x, y)
            })
            .count();
        assert_eq!(changed * 4 > inner.len(), square.piece.is_some(), "{changed} changed on {}", square.square);
        assert!(square.piece.is_some() || changed == 0, "{}", square.square);
    }
}

/// The corners found are marked, in color and as large as the board allows, on small pictures and on large ones.
#[test]
fn marks_are_as_large_as_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(&board("screen-opening.png"));
    for (width, factors) in [(200, 2..=4), (4000, 1..=1)] {
        let path = folder.path().join(format!("{width}.png"));
        save(&source.resized(width, (source.height() * width).div_ceil(source.width())), &path);
        let (drawn, record) = overlay(folder.path(), &path);
        let factor = drawn.width() / width;
        assert!(factors.contains(&factor), "{width} pixels enlarged {factor} times");
        assert_eq!(drawn.height() % factor, 0);
        let board = &record.boards[0];
        let map = to_overlay(board, factor);
        // The line along the left edge of the board has the right color and width.
        let p = map.apply(Point::new(0.0, 3.5));
        let side = map.scale_at(Point::new(4.0, 4.0));
        let (from, to) = ((p.x - side / 4.0).max(0.0) as usize, (p.x + side / 4.0) as usize);
        let wide = (from..to).filter(|&x| drawn.pixel(x, p.y as usize) == FOUND).count() as f64;
        assert!((wide / side - 0.035).abs() < 0.02 && wide >= 1.0, "{wide} of {side} pixels at {width}");
    }
}

#[test]
fn marks_follow_the_perspective() {
    let folder = tempfile::tempdir().unwrap();
    let source = open(&board("screen-opening.png"));
    let (width, height) = (source.width() as f64, source.height() as f64);
    // The screen seen from the left, on a gray table.
    let seen = Corners([
        Point::new(60.0, 40.0),
        Point::new(0.9 * width, 130.0),
        Point::new(0.88 * width, height - 90.0),
        Point::new(90.0, height - 30.0),
    ]);
    let back = Homography::from_rect(width, height, &seen).and_then(|map| map.inverse()).unwrap();
    let path = folder.path().join("skewed.png");
    save(&warp(&source, &back, source.width(), source.height()), &path);
    let (drawn, record) = overlay(folder.path(), &path);
    let board = &record.boards[0];
    let factor = drawn.width() / source.width();
    for [x, y] in board.corners {
        let at = |value: f64, end: usize| ((value * factor as f64) as usize).min(end - 1);
        let (x, y) = (at(x, drawn.width()), at(y, drawn.height()));
        // The frame of a doubtful square may cover the very corner.
        let near = |at: usize, end: usize| at.saturating_sub(6)..(at + 7).min(end);
        let mut around = near(y, drawn.height()).flat_map(|v| near(x, drawn.width()).map(move |u| (u, v)));
        assert!(around.any(|(u, v)| drawn.pixel(u, v) == FOUND), "corner {x} {y}");
    }
    let plain = open(&path).resized(drawn.width(), drawn.height());
    let map = to_overlay(board, factor);
    for square in &board.squares {
        let (col, row) = position(board, &square.square);
        let p = map.apply(Point::new(col + 0.74, row + 0.78));
        let (x, y) = (p.x as usize, p.y as usize);
        assert_eq!(drawn.pixel(x, y) != plain.pixel(x, y), square.piece.is_some(), "{}", square.square);
    }
}

#[test]
fn several_overlays_need_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (board("print-small.png"), common::testdata().join("bad/white.png"));
    let file = folder.path().join("all.png");
    let output = read(&["--overlay", file.to_str().unwrap()], &[&one, &two]);
    assert_ends(&output, 2);
    assert_eq!((text(&output.stdout).as_str(), file.exists()), ("", false));
    let expected = format!("fenlens: --overlay {}: several pictures need a folder, not one file\n", file.display());
    assert_eq!(text(&output.stderr), expected);

    let inside = folder.path().join("new/overlays");
    let missing = folder.path().join("missing.png");
    let output = read(&["--overlay", inside.to_str().unwrap()], &[&one, &two, &missing, &one]);
    assert_ends(&output, 2);
    let mut names: Vec<_> = fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["001-print-small.overlay.png", "002-white.overlay.png", "004-print-small.overlay.png"]);
    assert_eq!(open(&inside.join("002-white.overlay.png")), open(&two), "nothing is drawn where there is no board");
}

#[test]
fn no_picture_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    fs::copy(board("print-small.png"), &path).unwrap();
    let before = fs::read(&path).unwrap();
    let itself = path.to_str().unwrap();
    for (arguments, words) in [
        (["--overlay", itself], "is one of the pictures and would be written over"),
        (["--report", itself], "is one of the pictures and would be written over"),
        (["--overlay", "a.jpg"], "overlays are PNG files"),
    ] {
        let output = read(&arguments, &[&path]);
        assert_ends(&output, 2);
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The report on pictures.
fn report(folder: &Path, pictures: &[&Path], code: i32) -> String {
    let file = folder.join("report.html");
    assert_ends(&read(&["--report", file.to_str().unwrap()], pictures), code);
    fs::read_to_string(file).unwrap()
}

/// Checks that every element that is opened is closed, in order, and gives the text between tags.
fn words(page: &str) -> String {
    const VOID: [&str; 4] = ["meta", "img", "input", "br"];
    let mut open: Vec<&str> = Vec::new();
    let mut words = String::new();
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    while let Some(at) = rest.find('<') {
        words.push_str(&rest[..at]);
        let end = at + rest[at..].find('>').expect("a tag that ends");
        let tag = &rest[at + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap();
        assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
        rest = &rest[end + 1..];
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "closed by <{tag}>");
        } else if !VOID.contains(&name) && !tag.ends_with('/') {
            open.push(name);
        }
        // Text outside markup.
        if ["script", "style"].contains(&name) && !tag.starts_with('/') {
            rest = &rest[rest.find(&format!("</{name}>")).expect("an end")..];
        }
        words.push(' ');
    }
    assert_eq!((open, rest.trim()), (vec![], ""));
    words
}

fn values<'a>(page: &'a str, before: &str) -> Vec<&'a str> {
    page.split(before).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn a_report_shows_everything_and_fetches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, record) = blurred(folder.path(), Verdict::Check);
    let page = report(folder.path(), &[&path], 0);
    let words = words(&page);
    let board = &record.boards[0];
    let fen = &board.fen;
    assert_eq!(values(&page, "readonly spellcheck=\"false\" autocomplete=\"off\" value=\""), [fen]);
    // The page links only to the editor; the other address is the XML namespace of SVG.
    let turned = if board.orientation == Color::Black { "?color=black" } else { "" };
    let editor = format!("https://lichess.org/editor/{}{turned}", fen.replace(' ', "_"));
    for (at, _) in page.match_indices("http") {
        let here = &page[at..];
        let known = here.starts_with(&format!("{editor}\""))
            || here.starts_with("http://www.w3.org/2000/svg\"")
            || here.starts_with("http-equiv=");
        assert!(known, "{}", &here[..80]);
    }
    assert_eq!(page.matches(&editor).count(), 1);
    assert!(values(&page, " src=\"").iter().all(|source| source.starts_with("data:image/")));
    assert!(values(&page, " alt=\"").len() == 2 && values(&page, " alt=\"").iter().all(|alt| !alt.is_empty()));
    for url in ["url(", "@import", "<link", "<iframe", "<form", " style=", " onclick"] {
        assert!(!page.contains(url), "{url}");
    }
    // Each doubtful square is listed and marked on both boards, and every link leads somewhere.
    let flagged: Vec<_> = board.squares.iter().filter(|square| square.flagged).collect();
    for square in &flagged {
        assert_eq!(page.matches(&format!("href=\"#p1-b1-{}\"", square.square)).count(), 3, "{}", square.square);
    }
    let mut ids = values(&page, " id=\"");
    for link in values(&page, "href=\"#") {
        assert!(ids.contains(&link), "{link}");
    }
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "no name twice");
    for part in ["1 picture, 1 board", "to check", "Side to move", "Castling", "En passant", "Counters", "assumed"] {
        assert!(words.contains(part), "{part}");
    }
    assert!(page.matches("<rect class=\"frame\"").count() == 2 * flagged.len());
}

/// The policy allows the page's own style and script, by their hashes, and nothing else.
#[test]
fn the_policy_of_a_report_fits_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = report(folder.path(), &[&board("print-two-boards.png")], 0);
    let hash = |name: &str| {
        let inside = page.split(&format!("<{name}>")).nth(1).unwrap().split(&format!("</{name}>")).next().unwrap();
        BASE64.encode(Sha256::digest(inside))
    };
    let expected = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash("style"),
        hash("script")
    );
    assert_eq!(values(&page, "http-equiv=\"Content-Security-Policy\" content=\""), [expected]);
}

#[test]
fn a_report_is_honest_about_every_picture() {
    let folder = tempfile::tempdir().unwrap();
    let hostile = folder.path().join("<script>alert(1)</script>&\"'.png");
    let hostile = if fs::copy(board("print-small.png"), &hostile).is_ok() { hostile } else { board("print-small.png") };
    let bad = common::testdata().join("bad");
    let pictures = [&hostile, &bad.join("white.png"), &bad.join("truncated.png"), &board("print-two-boards.png")];
    let page = report(folder.path(), &pictures.map(|path| path.as_path()), 2);
    let words = words(&page);
    assert_eq!(page.matches("<script").count(), 1, "the page's own");
    assert!(words.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;") || !hostile.to_string_lossy().contains('<'));
    for part in
        ["4 pictures, 3 boards", "1 picture without a board", "1 picture unreadable", "no board found", "cut short"]
    {
        assert!(words.contains(part), "{part}\n{words}");
    }
    // In the order given.
    let starts: Vec<_> = ["id=\"p1\"", "id=\"p2\"", "id=\"p3\"", "id=\"p4\""].map(|id| page.find(id).unwrap()).into();
    assert!(starts.is_sorted());
    assert!(page.contains("id=\"p4-b2\"") && !page.contains("id=\"p4-b3\""));
    assert!(fs::read_dir(folder.path()).unwrap().all(|entry| {
        let name = entry.unwrap().file_name();
        !name.to_string_lossy().starts_with('.')
    }));
}

#[test]
fn a_report_that_cannot_be_written_is_said_before_reading() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("no/such/folder.html")] {
        let output = read(&["--report", path.to_str().unwrap()], &[&board("print-small.png")]);
        assert_ends(&output, 2);
        assert_eq!(text(&output.stdout), "");
        assert!(
            text(&output.stderr).starts_with(&format!("fenlens: {}: ", path.display())),
            "{}",
            text(&output.stderr)
        );
    }
}

/// A user who closes the pipe after the first line still gets the report.
#[test]
fn a_closed_pipe_does_not_lose_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("report.html");
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin("fenlens"))
        .args(["read", "--jobs", "1", "--report"])
        .arg(&file)
        .args([board("print-small.png"), board("print-two-boards.png")])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(fs::read_to_string(file).unwrap().contains("id=\"p2-b2\""));
}

#[test]
fn without_a_display_the_clipboard_is_out_of_reach() {
    for arguments in [&["--clipboard"][..], &["--copy", "-"], &["--clipboard", "--copy"]] {
        let output = read(arguments, &[]);
        assert_ends(&output, 2);
        let notes = text(&output.stderr);
        if cfg!(target_os = "linux") {
            let start =
                "fenlens: no clipboard: there is no display ($DISPLAY is not set); run this within a desktop session";
            assert!(notes.starts_with(start), "{notes}");
        }
        assert_eq!(text(&output.stdout), "");
    }
    // One picture is enough, but there must be one.
    assert_ends(&read(&["--clipboard", "a.png"], &[]), 2);
    assert_ends(&read(&[], &[]), 2);
}
