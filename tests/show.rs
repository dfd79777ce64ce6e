//! `fenlens fen show` as its users meet it: drawings, pictures, files, exit codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, process::Output};

use assert_cmd::Command;
use resvg::usvg;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const XIANGQI: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn show(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("fenlens").unwrap();
    command.args(["fen", "show"]).args(arguments);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn assert_ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", text(&output.stdout), text(&output.stderr));
}

fn pixels(png: &[u8]) -> image::RgbaImage {
    image::load_from_memory_with_format(png, image::ImageFormat::Png).unwrap().to_rgba8()
}

/// The color of a pixel, as in the SVG.
fn color(picture: &image::RgbaImage, x: u32, y: u32) -> String {
    let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
    assert_eq!(alpha, 255, "{x} {y} is not opaque");
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[test]
fn the_start_is_shown() {
    let output = show(&["--letters", START]).output().unwrap();
    assert_ends(&output, 0);
    let expected = [
        "8  r  n  b  q  k  b  n  r",
        "7  p  p  p  p  p  p  p  p",
        "6  .  .  .  .  .  .  .  .",
        "5  .  .  .  .  .  .  .  .",
        "4  .  .  .  .  .  .  .  .",
        "3  .  .  .  .  .  .  .  .",
        "2  P  P  P  P  P  P  P  P",
        "1  R  N  B  Q  K  B  N  R",
        "   a  b  c  d  e  f  g  h",
        "",
        "   white to move",
        "",
    ];
    assert_eq!(text(&output.stdout), expected.join("\n"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn xiangqi_is_recognized_and_flipped() {
    let output = show(&["--flip", XIANGQI]).output().unwrap();
    assert_ends(&output, 0);
    let drawn = text(&output.stdout);
    let lines: Vec<&str> = drawn.lines().collect();
    assert_eq!(lines[0], "0  俥──傌──相──仕──帥──仕──相──傌──俥");
    assert_eq!(lines[9], "   │     楚 河           漢 界     │");
    assert_eq!(lines[18], "9  車──馬──象──士──將──士──象──馬──車");
    assert_eq!(lines[19], "   i   h   g   f   e   d   c   b   a");
    assert_eq!(lines[21], "   red to move");
    assert_eq!(lines.len(), 22);
}

/// The fields may stand without quotes, and come from standard input.
#[test]
fn records_are_taken_as_they_are_given() {
    let quoted = show(&[START]).output().unwrap();
    let words: Vec<&str> = START.split(' ').collect();
    assert_eq!(show(&words).output().unwrap(), quoted);
    assert_eq!(show(&["-"]).write_stdin(format!("\n{START}\r\nmore\n")).output().unwrap(), quoted);
    let output = show(&["-"]).write_stdin(" \n").output().unwrap();
    assert_ends(&output, 2);
    assert_eq!(text(&output.stderr), "fenlens: standard input is empty\n");
}

#[test]
fn a_placement_is_enough() {
    let output = show(&["--letters", "8/8/1KP5/3r4/8/8/8/k7"]).output().unwrap();
    assert_ends(&output, 0);
    assert!(!text(&output.stdout).contains("to move"), "{}", text(&output.stdout));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_illegal_position_is_shown_with_its_issues() {
    let output = show(&["--letters", "4k3/8/8/8/8/8/8/4RK2 w - - 0 40"]).output().unwrap();
    assert_ends(&output, 0);
    let drawn = text(&output.stdout);
    assert!(
        drawn.starts_with("8  .  .  .  . [k] .  .  .\n") && drawn.contains("1  .  .  .  . [R] K  .  .\n"),
        "{drawn}"
    );
    assert_eq!(text(&output.stderr), "error: White is to move, but the king on e8 is in check from e1\n");

    let output = show(&["--letters", "4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"]).output().unwrap();
    assert_ends(&output, 0);
    let drawn = text(&output.stdout);
    assert!(drawn.starts_with("9  +---+---+---+--[k]--+"), "{drawn}");
    assert_eq!(text(&output.stderr), "error: the generals face each other on the e-file\n");
}

#[test]
fn a_record_that_cannot_be_read_is_2() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("board.svg");
    fs::write(&picture, "as it was").unwrap();
    let output = show(&["8/8/8/9/8/8/8/8 w - - 0 1", "--svg"]).arg(&picture).output().unwrap();
    assert_ends(&output, 2);
    assert_eq!(text(&output.stdout), "");
    assert!(
        text(&output.stderr).starts_with("fenlens: the record cannot be read: rank 5 (9) "),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(fs::read_to_string(&picture).unwrap(), "as it was");
    // A file cannot be written when its folder is missing, or when a folder has its name.
    for path in [folder.path().join("no/board.svg"), folder.path().into()] {
        let output = show(&[START, "--svg"]).arg(&path).output().unwrap();
        assert_ends(&output, 2);
        assert!(text(&output.stderr).starts_with(&format!("fenlens: {}: ", path.display())));
    }
    assert_ends(&show(&[]).output().unwrap(), 2);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["board.svg"]);
}

#[test]
fn colors_are_for_terminals_or_on_request() {
    for arguments in [&["--color", "auto"][..], &["--color", "never"], &[]] {
        let output = show(arguments).arg(START).output().unwrap();
        assert!(!text(&output.stdout).contains('\x1b'), "{arguments:?}");
    }
    let output = show(&["--color", "always", START]).env("NO_COLOR", "1").output().unwrap();
    assert!(text(&output.stdout).contains("\x1b[1;38;5;16;48;5;94m ♛ \x1b[0m"));
}

#[test]
fn pictures_of_chess_show_what_stands_where() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, png] = ["board.svg", "board.png"].map(|name| folder.path().join(name));
    fs::write(&png, "an older picture").unwrap();
    let output = show(&["4k3/8/8/8/8/8/8/4RK2 w - - 0 40", "--svg"]).arg(&svg).arg("--png").arg(&png).output().unwrap();
    assert_ends(&output, 0);
    assert_eq!(text(&output.stdout), "");
    let tree = usvg::Tree::from_str(&fs::read_to_string(&svg).unwrap(), &usvg::Options::default()).unwrap();
    assert_eq!((tree.size().width(), tree.size().height()), (896.0, 896.0));
    let picture = pixels(&fs::read(&png).unwrap());
    assert_eq!(picture.dimensions(), (896, 896));
    // The middle of a square is at its column and row, 100 units each, within a frame of 48.
    let at = |col: u32, row: u32, dx: u32, dy: u32| color(&picture, 48 + col * 100 + dx, 48 + row * 100 + dy);
    assert_eq!((at(0, 0, 50, 50), at(1, 0, 50, 50)), ("#f0e1c6".into(), "#b58c66".into()));
    assert_eq!(color(&picture, 20, 300), "#5d4130");
    // Bodies: the black king on e8, the white rook on e1 and the white king on f1.
    assert_eq!(
        (at(4, 0, 50, 70), at(4, 7, 50, 60), at(5, 7, 50, 70)),
        ("#23201e".into(), "#fffdf8".into(), "#fffdf8".into())
    );
    // The king and the rook that gives check are marked, the other king is not.
    assert_eq!((at(4, 0, 3, 50), at(4, 7, 3, 50)), ("#e11d48".into(), "#e11d48".into()));
    assert_eq!(at(5, 7, 3, 50), "#f0e1c6");
    // White moves: a white disc at the bottom right.
    assert_eq!((color(&picture, 872, 798), color(&picture, 872, 98)), ("#fffdf8".into(), "#5d4130".into()));
    // The corners of the frame are round.
    assert_eq!(picture.get_pixel(0, 0).0[3], 0);

    let names = fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(names, 2, "nothing is left beside the pictures");
}

/// No part of a piece is hollow where two parts of its silhouette overlap.
#[test]
fn pieces_of_chess_are_whole() {
    let output = show(&[START, "--png", "-"]).output().unwrap();
    assert_ends(&output, 0);
    let picture = pixels(&output.stdout);
    // Down the middle of the body of each of White's pieces, between its lines, in units of the piece.
    let solid: [(u32, &[u32]); 6] = [
        (0, &[30, 39, 55, 65, 76, 86]),
        (1, &[35, 70, 79, 88]),
        (2, &[50, 63, 72, 79, 88]),
        (3, &[40, 49, 55, 70, 79, 88]),
        (4, &[40, 49, 55, 70, 79, 88]),
        (8, &[30, 42, 48, 60, 79, 88]),
    ];
    for (square, heights) in solid {
        let (col, row) = (square % 8, 7 - square / 8);
        for height in heights {
            let (x, y) = (48 + col * 100 + 4 + 46, 48 + row * 100 + 6 + height * 92 / 100);
            assert_eq!(color(&picture, x, y), "#fffdf8", "square {square} at {height}");
        }
    }
}

#[test]
fn pictures_of_xiangqi_show_what_stands_where() {
    let output = show(&["3k5/9/9/9/9/9/9/9/9/3RK4 b - - 0 1", "--flip", "--png", "-"]).output().unwrap();
    assert_ends(&output, 0);
    let picture = pixels(&output.stdout);
    assert_eq!(picture.dimensions(), (1008, 1108));
    // A point is at its column and row, 100 units apart, within a margin of 104; seen from Black, a0 is top right.
    let (x, y) = (104 + 5 * 100, 104);
    // The chariot on d0 has a light rim and a red ring.
    assert_eq!((color(&picture, x - 40, y), color(&picture, x - 37, y)), ("#fbeccb".into(), "#b3201b".into()));
    // The general on d9 has a black one.
    assert_eq!(color(&picture, x - 37, y + 900), "#23201e");
    // No piece stands on a5, but lines meet there; beyond it is wood.
    assert_eq!((color(&picture, 904, 604), color(&picture, 850, 550)), ("#5d4130".into(), "#ebcb95".into()));
    // Black, at the bottom, moves.
    assert_eq!(color(&picture, 1008 - 36, 1004), "#23201e");
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn the_svg_can_go_down_a_pipe() {
    let output = show(&[XIANGQI, "--svg", "-"]).output().unwrap();
    assert_ends(&output, 0);
    let tree = usvg::Tree::from_str(&text(&output.stdout), &usvg::Options::default()).unwrap();
    assert_eq!((tree.size().width(), tree.size().height()), (1008.0, 1108.0));
}
