//! The dialogue of `fenlens read`, typed on a pseudo-terminal and read from its screen; and what flags say instead.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
#[path = "common/terminal.rs"]
mod terminal;

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use assert_cmd::Command;
use fenlens::{
    Options, Picture, Recognizer, Verdict,
    fen::Castling,
    games::{
        chess::{Color, Piece, Square},
        placement::Placement,
    },
    output::record::{BoardRecord, Record},
    recognize::Source,
};
use terminal::Terminal;

const ENTER: &str = "\r";
const DOWN: &str = "\x1b[B";
const ESC: &str = "\x1b";
const CTRL_C: &str = "\x03";

/// A clear picture of a position with king and rooks at home on both sides. It is plainly an opening, in which castling is
/// assumed and not asked.
const OPENING: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";

/// King and rooks are at home here, but only seven of White's pieces are, so castling is asked.
const GAME: &str = "r2qk1nr/1pp2pbp/2npb1p1/pB2p3/P1P1P3/1P3N1P/1B1PQPP1/RN2K2R";

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin("fenlens")
}

/// The program with its streams in pipes.
fn piped() -> Command {
    let mut command = Command::new(program());
    command.env_remove("ORT_DYLIB_PATH").env_remove("NO_COLOR");
    command
}

fn opening() -> PathBuf {
    common::testdata().join("boards").join("screen-opening.png")
}

/// A shell that runs the program, for its streams to go elsewhere: `$0` is the program.
fn shell(script: &str, arguments: &[&Path]) -> Terminal {
    let program = program();
    let mut all = vec![OsStr::new("-c"), OsStr::new(script), program.as_os_str()];
    all.extend(arguments.iter().map(|argument| argument.as_os_str()));
    Terminal::run("sh", &all, &[])
}

fn read(arguments: &[&str], picture: &Path) -> Terminal {
    let mut all = vec![OsStr::new("read")];
    all.extend(arguments.iter().map(OsStr::new));
    all.push(picture.as_os_str());
    Terminal::run(program(), &all, &[])
}

/// The lines of a screen that are FENs.
fn fens(screen: &str) -> Vec<&str> {
    screen.lines().filter(|line| line.split('/').count() == 8 && line.split(' ').count() == 6).collect()
}

/// Asked and not yet answered.
fn question(words: &str) -> String {
    format!("? {words}")
}

const SIDE: &str = "? Who moves next?";
const CASTLING: &str = "? Who may still castle?";

/// A picture of a board whose squares can be painted with those of others.
struct Board {
    picture: Picture,
    left: f64,
    top: f64,
    cell: f64,
}

impl Board {
    fn opening() -> Board {
        // Found once: the squares of this picture are whole pixels wide, its sides upright.
        static CORNERS: LazyLock<(f64, f64, f64)> = LazyLock::new(|| {
            let recognizer = Recognizer::embedded(Options::default()).unwrap();
            let picture = Picture::open(opening(), &Options::default().limits).unwrap();
            let corners = recognizer.recognize(&picture).unwrap().boards[0].corners().0;
            (corners[0].x.round(), corners[0].y.round(), ((corners[1].x - corners[0].x) / 8.0).round())
        });
        let (left, top, cell) = *CORNERS;
        Board { picture: Picture::open(opening(), &Options::default().limits).unwrap(), left, top, cell }
    }

    /// The same board some moves later. Pieces are copied with their squares, so each goes to a square of the same color.
    fn game() -> Board {
        let moves = [
            ("a2", "b3"),
            ("a2", "a4"),
            ("c2", "c4"),
            ("g2", "h3"),
            ("c1", "b2"),
            ("d1", "e2"),
            ("h7", "g6"),
            ("a7", "a5"),
            ("c7", "d6"),
            ("c8", "e6"),
            ("f8", "g7"),
        ];
        let (dark, light) = ("h6", "h5");
        let left = [("a2", light), ("c2", light), ("h2", dark), ("c1", dark), ("d1", light)];
        let left = left.into_iter().chain([("a7", dark), ("d7", light), ("c8", light), ("f8", dark)]);
        let played = moves.into_iter().fold(Board::opening(), |board, (from, to)| board.copy(from, to));
        left.fold(played, |board, (square, empty)| board.copy(empty, square))
    }

    fn corner(&self, square: &str) -> (usize, usize) {
        let square: Square = square.parse().unwrap();
        let (file, rank) = (square.file().index() as f64, square.rank().index() as f64);
        ((self.left + file * self.cell) as usize, (self.top + (7.0 - rank) * self.cell) as usize)
    }

    /// Paints a square with another one, which shines through what was there by a share.
    fn blend(mut self, from: &str, to: &str, share: f64) -> Board {
        let ((from_x, from_y), (to_x, to_y)) = (self.corner(from), self.corner(to));
        for y in 0..self.cell as usize {
            for x in 0..self.cell as usize {
                let (a, b) = (self.picture.pixel(from_x + x, from_y + y), self.picture.pixel(to_x + x, to_y + y));
                let mixed = [0, 1, 2].map(|i| (share * f64::from(a[i]) + (1.0 - share) * f64::from(b[i])) as u8);
                self.picture.set_pixel(to_x + x, to_y + y, mixed);
            }
        }
        self
    }

    /// Paints over what is printed below the board.
    fn without_coordinates(mut self) -> Board {
        let ground = self.picture.pixel(0, 0);
        for y in (self.top + 8.0 * self.cell) as usize + 2..self.picture.height() {
            (0..self.picture.width()).for_each(|x| self.picture.set_pixel(x, y, ground));
        }
        self
    }

    fn copy(self, from: &str, to: &str) -> Board {
        self.blend(from, to, 1.0)
    }

    fn save(&self, path: &Path) {
        fs::write(path, self.picture.to_png()).unwrap();
    }
}

/// The reading of a picture of one board, without questions.
fn record(picture: &Path) -> BoardRecord {
    let output = piped().args(["read", "--json"]).arg(picture).output().unwrap();
    let mut record: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(record.boards.len(), 1, "{record:?}");
    record.boards.remove(0)
}

fn flagged(board: &BoardRecord) -> Vec<&str> {
    board.squares.iter().filter(|square| square.flagged).map(|square| square.square.as_str()).collect()
}

/// A picture in which one square leaves a doubt, with what is read. Which mixture of two pieces does depends on the model, so
/// several are tried.
fn doubtful(path: &Path) -> BoardRecord {
    static FOUND: LazyLock<(Vec<u8>, BoardRecord)> = LazyLock::new(|| {
        let folder = folder();
        let path = folder.path().join("mixed.png");
        for share in [0.5, 0.4, 0.6, 0.3, 0.7, 0.45, 0.55] {
            for (from, to) in [("b5", "f3"), ("d2", "b5"), ("f7", "h8"), ("d8", "c6")] {
                Board::game().blend(from, to, share).save(&path);
                let board = record(&path);
                let upright = board.fields.orientation.confidence > 0.98;
                if upright && board.verdict == Verdict::Check && flagged(&board) == [to] {
                    return (fs::read(&path).unwrap(), board);
                }
            }
        }
        panic!("no mixture of two pieces leaves a doubt about one square");
    });
    fs::write(path, &FOUND.0).unwrap();
    FOUND.1.clone()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A picture of the [`GAME`].
fn game(folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join("game.png");
    Board::game().save(&path);
    path
}

#[test]
fn answers_are_typed_letter_by_letter() {
    let folder = folder();
    let picture = folder.path().join("doubt.png");
    let board = doubtful(&picture);
    let mut terminal = read(&[], &picture);
    let square = flagged(&board)[0];
    terminal.see(&question(&format!("What is on {square}?")));
    // The board is there, the square is marked, and both readings can be seen.
    let screen = terminal.screen();
    let at = board.squares.iter().find(|s| s.square == square).unwrap();
    assert_eq!(screen.matches('[').count(), 2, "one mark, and the help\n{screen}");
    for piece in [&at.piece, &at.runner_up] {
        let key = piece.clone().unwrap_or("e".into());
        assert!(
            screen.lines().any(|l| l.trim_start_matches(['>', ' ']).starts_with(&format!("{key}    "))),
            "{screen}"
        );
    }
    // A piece that is neither of the two appears when its letter is typed.
    let mut others = ["R", "q", "P"].into_iter();
    let other = others.find(|&o| ![&at.piece, &at.runner_up].iter().any(|p| p.as_deref() == Some(o))).unwrap();
    terminal.press(other);
    terminal.see(&format!("> {other}    "));
    terminal.press(ENTER);
    terminal.see(SIDE);
    terminal.press("b");
    terminal.see("> b    Black");
    terminal.press(ENTER);
    let mut placement: Placement = board.placement.parse().unwrap();
    placement.set(square.parse().unwrap(), Piece::from_letter(other.chars().next().unwrap()));
    terminal.see(CASTLING);
    terminal.press("q");
    terminal.see("> q    Black queenside");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!(fens(&screen), [format!("{placement} b q - 0 1")], "{screen}");
    assert_eq!(code, 0);
    // Only what makes no difference (no pawn can be captured en passant) or was not asked is assumed.
    assert!(!screen.contains("look at") && screen.contains("assumed: no en passant, counters 0 1"), "{screen}");
}

#[test]
fn arrows_move_and_enter_takes_the_default() {
    let folder = folder();
    let mut terminal = read(&[], &game(&folder));
    terminal.see(SIDE);
    terminal.press(DOWN);
    terminal.see("> b    Black");
    terminal.press(ENTER);
    terminal.see(CASTLING);
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!((code, fens(&screen)), (0, vec![&*format!("{GAME} b KQkq - 0 1")]), "{screen}");
}

#[test]
fn castling_is_not_asked_in_an_opening() {
    let mut terminal = read(&[], &opening());
    terminal.see(SIDE);
    terminal.press("b");
    terminal.see("> b    Black");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!((code, fens(&screen)), (0, vec![&*format!("{OPENING} b KQkq - 0 1")]), "{screen}");
    assert!(!screen.contains("castle?"), "{screen}");
    assert!(screen.contains("assumed: castling KQkq, no en passant, counters 0 1"), "{screen}");
    // A flag that answers it still counts.
    let (fen, notes) = told(&["--side", "w", "--castling", "-"], &opening());
    assert!(fen == "w - - 0 1" && !notes.contains("castling"), "{fen} {notes}");
}

#[test]
fn what_cannot_be_is_not_offered() {
    let picture = common::testdata().join("boards").join("screen-middlegame-flipped.png");
    let mut terminal = read(&[], &picture);
    for square in flagged(&record(&picture)) {
        terminal.see(&question(&format!("What is on {square}?")));
        terminal.press(ENTER);
    }
    terminal.see(SIDE);
    terminal.press("x");
    terminal.see(&format!("{SIDE} x"));
    // Nothing matches, so nothing is taken.
    terminal.press(ENTER);
    terminal.press("\x7f");
    terminal.see("> w    White");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert!(code == 0 && !screen.contains("castle") && !screen.contains("en passant?"), "{screen}");
}

/// Black's pawn from d7 stands on d4, where the white one on e4 can have passed it.
fn beside(path: &Path) {
    Board::opening().copy("c7", "d4").copy("e6", "d7").save(path);
    assert_eq!(record(path).placement, "r1bqkbnr/ppp2ppp/2n5/1B2p3/3pP3/5N2/PPPP1PPP/RNBQK2R");
}

#[test]
fn en_passant_is_asked_where_a_pawn_can_be_taken() {
    let folder = folder();
    let picture = folder.path().join("beside.png");
    beside(&picture);
    let placement = record(&picture).placement;
    let mut terminal = read(&["--castling", "home"], &picture);
    terminal.see(SIDE);
    terminal.press("b");
    terminal.see("> b    Black");
    terminal.press(ENTER);
    terminal.see("? Can a pawn be taken en passant?");
    terminal.press("e3");
    terminal.see("> e3   yes");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!((code, fens(&screen)), (0, vec![&*format!("{placement} b KQkq e3 0 1")]), "{screen}");
    // With White to move there is nothing to ask.
    let mut terminal = read(&["--castling", "-", "--side", "w"], &picture);
    let (_, screen) = terminal.end();
    assert_eq!(fens(&screen), [format!("{placement} w - - 0 1")], "{screen}");
    assert!(!screen.contains('?'), "{screen}");
}

#[test]
fn the_side_at_the_bottom_is_asked_and_turns_the_board() {
    let folder = folder();
    let picture = folder.path().join("kings.png");
    let mut board = Board::opening().copy("e1", "d4").copy("e8", "d7");
    for square in Square::all().filter(|square| !["d4", "d7"].contains(&square.to_string().as_str())) {
        let dark = (square.file().index() + square.rank().index()) % 2 == 0;
        let empty = if dark { "h6" } else { "h3" };
        if square.to_string() != empty {
            board = board.copy(empty, &square.to_string());
        }
    }
    board.without_coordinates().save(&picture);
    let read_as = record(&picture);
    assert!(read_as.fields.orientation.confidence < 0.98, "{read_as:?}");
    let placement: Placement = read_as.placement.parse().unwrap();
    let mut terminal = read(&["--side", "w"], &picture);
    terminal.see("? Which side is at the bottom?");
    terminal.press(if read_as.orientation == Color::White { "b" } else { "w" });
    terminal.see(if read_as.orientation == Color::White { "> b    Black" } else { "> w    White" });
    terminal.press(ENTER);
    // Seen from the other side the last square is the first.
    for square in flagged(&read_as).into_iter().rev() {
        let turned: Square = square.parse::<Square>().unwrap().half_turn();
        terminal.see(&question(&format!("What is on {turned}?")));
        terminal.press(ENTER);
    }
    let (_, screen) = terminal.end();
    assert!(fens(&screen)[0].starts_with(&format!("{} w ", placement.half_turn())), "{screen}");
    // The same by a flag, without a question.
    let other = if read_as.orientation == Color::White { "black" } else { "white" };
    let output = piped().args(["read", "--json", "--bottom", other]).arg(&picture).output().unwrap();
    let told: Record = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told.boards[0].fields.orientation.source, Source::User);
    assert_eq!(told.boards[0].placement, placement.half_turn().to_string());
}

#[test]
fn leaving_writes_nothing_half_done() {
    for (key, questions) in [(ESC, 0), (CTRL_C, 0), (ESC, 1), (CTRL_C, 1)] {
        let folder = folder();
        let [out, labels] = ["out.txt", "labels"].map(|name| folder.path().join(name));
        let script = "\"$0\" read --save-corrections \"$2\" \"$1\" \"$1\" > \"$3\"; echo status $?";
        let mut terminal = shell(script, &[&game(&folder), &labels, &out]);
        terminal.see(SIDE);
        if questions > 0 {
            terminal.press(ENTER);
            terminal.see(CASTLING);
        }
        terminal.press(key);
        terminal.see("status 130");
        let (_, screen) = terminal.end();
        assert!(screen.contains("left, nothing written"), "{screen}");
        assert_eq!(fs::read_to_string(&out).unwrap(), "");
        assert_eq!(fs::read_dir(&labels).unwrap().count(), 0);
    }
}

#[test]
fn what_was_finished_before_leaving_stays() {
    let folder = folder();
    let out = folder.path().join("out.txt");
    let mut terminal = shell("\"$0\" read \"$1\" \"$1\" > \"$2\"; echo status $?", &[&game(&folder), &out]);
    terminal.see(SIDE);
    terminal.press(ENTER);
    terminal.see(CASTLING);
    terminal.press(ENTER);
    terminal.see(SIDE);
    terminal.press(ESC);
    terminal.see("status 130");
    terminal.end();
    assert_eq!(fs::read_to_string(&out).unwrap(), format!("{GAME} w KQkq - 0 1\n"));
}

#[test]
fn no_question_is_asked_in_a_pipe() {
    let folder = folder();
    let picture = folder.path().join("doubt.png");
    let board = doubtful(&picture);
    let output = piped().arg("read").arg(&picture).write_stdin("b\n").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("{}\n", board.fen));
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(!notes.contains('?') && !notes.contains('\x1b') && notes.contains("look at"), "{notes}");
    // Each stream alone is redirected; the others are a terminal that could answer.
    for script in ["\"$0\" read \"$1\" 2> \"$2\"", "\"$0\" read \"$1\" < \"$1\"", "\"$0\" read --json \"$1\" | cat"] {
        let mut terminal = shell(script, &[&opening(), &folder.path().join("notes")]);
        let (code, screen) = terminal.end();
        assert!(code == 0 && !screen.contains("? "), "{script}\n{screen}");
    }
    // With `--ask always` it is an error when no terminal can show the question.
    let output = piped().args(["read", "--ask", "always"]).arg(opening()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8(output.stderr).unwrap().contains("--ask always"));
}

#[test]
fn asking_can_be_had_in_any_case_or_in_none() {
    let folder = folder();
    let out = folder.path().join("out.txt");
    // The keys come from the terminal though the picture comes from standard input.
    let mut terminal = shell("\"$0\" read --json --ask always - < \"$1\" > \"$2\"", &[&game(&folder), &out]);
    terminal.see(SIDE);
    terminal.press(ENTER);
    terminal.see(CASTLING);
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    let told: Record = serde_json::from_str(&fs::read_to_string(&out).unwrap()).unwrap();
    assert_eq!((code, told.boards[0].fen.as_str()), (0, &*format!("{GAME} w KQkq - 0 1")), "{screen}");
    assert_eq!([&told.boards[0].fields.side, &told.boards[0].fields.castling].map(|f| f.source), [Source::User; 2]);

    let mut terminal = read(&["--ask", "never"], &game(&folder));
    let (_, screen) = terminal.end();
    assert_eq!(fens(&screen), [format!("{GAME} w - - 0 1")]);
}

/// Without a question, a person at a terminal still sees which squares to check, in colors or without.
#[test]
fn doubtful_squares_are_marked_on_the_terminal() {
    let folder = folder();
    let picture = folder.path().join("doubt.png");
    let board = doubtful(&picture);
    let square = flagged(&board)[0];
    for (environment, colored) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let arguments = ["read", "--ask", "never"].map(OsStr::new);
        let all: Vec<&OsStr> = arguments.into_iter().chain([picture.as_os_str()]).collect();
        let mut terminal = Terminal::run(program(), &all, environment);
        let (code, screen) = terminal.end();
        assert_eq!(code, 0);
        let rank = square.chars().nth(1).unwrap();
        let line = screen.lines().find(|line| line.starts_with(rank)).unwrap();
        let file = square.bytes().next().unwrap() - b'a';
        assert_eq!(line.chars().nth(2 + 3 * usize::from(file)), Some('['), "{screen}");
        assert!(screen.lines().any(|l| l.trim_start().starts_with(square) && l.contains("; or ")), "{screen}");
        assert_eq!(terminal.bytes().contains(&0x1b), colored);
        assert_eq!(fens(&screen), [board.fen.as_str()]);
    }
}

/// The fields after the first, and the notes.
fn told(arguments: &[&str], picture: &Path) -> (String, String) {
    let output = piped().arg("read").args(arguments).arg(picture).output().unwrap();
    let [fen, notes] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{notes}");
    (fen.trim_end().split_once(' ').unwrap().1.to_owned(), notes)
}

#[test]
fn flags_say_what_is_known() {
    let folder = folder();
    let picture = folder.path().join("beside.png");
    beside(&picture);
    for (arguments, fields) in [
        (&[][..], "w KQkq - 0 1"),
        (&["--side", "b"], "b KQkq - 0 1"),
        (&["--side", "w"], "w KQkq - 0 1"),
        (&["--side", "auto", "--castling", "auto", "--ep", "auto", "--bottom", "auto"], "w KQkq - 0 1"),
        (&["--castling", "home"], "w KQkq - 0 1"),
        (&["--castling", "qK"], "w Kq - 0 1"),
        (&["--castling", "-"], "w - - 0 1"),
        (&["--side", "b", "--ep", "e3"], "b KQkq e3 0 1"),
        (&["--side", "b", "--ep", "-"], "b KQkq - 0 1"),
        (&["--moves", "3 17"], "w KQkq - 3 17"),
        (&["--side", "b", "--castling", "kq", "--ep", "e3", "--moves", "0 4", "--bottom", "white"], "b kq e3 0 4"),
    ] {
        let (fen, notes) = told(arguments, &picture);
        assert_eq!(fen, fields, "{arguments:?}");
        assert!(!notes.contains("not taken"), "{notes}");
        for (flag, words) in [("--side", "to move"), ("--castling", "castling"), ("--ep", "no en passant")] {
            let said = arguments.iter().position(|&a| a == flag).is_some_and(|at| arguments[at + 1] != "auto");
            assert_ne!(said, notes.contains(words), "{arguments:?}\n{notes}");
        }
    }
    // After the opening no castling right is assumed; only an answer or a flag gives one.
    let picture = game(&folder);
    let (fen, notes) = told(&[], &picture);
    assert!(fen == "w - - 0 1" && notes.contains("no castling"), "{fen} {notes}");
    let (fen, notes) = told(&["--castling", "home"], &picture);
    assert!(fen == "w KQkq - 0 1" && !notes.contains("castling"), "{fen} {notes}");
}

#[test]
fn flags_that_cannot_be_true_are_said() {
    let folder = folder();
    let picture = folder.path().join("beside.png");
    beside(&picture);
    for (arguments, fields, reason) in [
        (&["--ep", "e3"][..], "w KQkq - 0 1", "en passant not taken: e3"),
        (&["--side", "b", "--ep", "e6"], "b KQkq - 0 1", "en passant not taken: e6"),
        (
            &["--side", "b", "--ep", "e3", "--moves", "5 9"],
            "b KQkq e3 0 1",
            "counters not taken: a pawn has just moved",
        ),
        (&["--moves", "5 1"], "w KQkq - 0 1", "counters not taken: 5 quiet half-moves"),
    ] {
        let (fen, notes) = told(arguments, &picture);
        assert!(fen == fields && notes.contains(reason), "{arguments:?}: {fen}\n{notes}");
    }
    let middlegame = common::testdata().join("boards").join("screen-middlegame-flipped.png");
    let (fen, notes) = told(&["--castling", "KQ"], &middlegame);
    assert!(
        fen == "w - - 0 1" && notes.contains("castling not taken: KQ: the white king is not on e1"),
        "{fen} {notes}"
    );
    let (fen, notes) = told(&["--castling", "home"], &middlegame);
    assert!(fen == "w - - 0 1" && !notes.contains("not taken"), "{fen} {notes}");
}

#[test]
fn flags_that_mean_nothing_are_usage() {
    for arguments in [
        ["--side", "white"],
        ["--castling", "KX"],
        ["--castling", "KK"],
        ["--castling", ""],
        ["--ep", "i3"],
        ["--bottom", "w"],
        ["--moves", "3"],
        ["--moves", "0 0"],
        ["--moves", "-1 2"],
        ["--ask", "sometimes"],
    ] {
        let output = piped().arg("read").args(arguments).arg(opening()).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?}");
    }
    // A label is what a person has said, so there must be one.
    let output = piped().args(["read", "--save-corrections", "labels"]).arg(opening()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!Path::new("labels").exists());
}

/// Answers all questions about the opening and says that the board is right, but for a square.
fn confirm(labels: &Path, picture: &Path, wrong: Option<(&str, &str)>) -> String {
    let labels = labels.to_str().unwrap();
    let mut terminal = read(&["--side", "w", "--castling", "home", "--save-corrections", labels], picture);
    terminal.see("? Is the whole board right?");
    if let Some((square, piece)) = wrong {
        terminal.press(square);
        terminal.see(&format!("> {square}   no"));
        terminal.press(ENTER);
        terminal.see(&question(&format!("What is on {square}?")));
        terminal.press(piece);
        terminal.see(&format!("> {piece}    "));
        terminal.press(ENTER);
        terminal.see("? Is the whole board right?");
    }
    terminal.press("y");
    terminal.see("> y    yes");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    screen
}

#[test]
fn corrections_are_kept_as_labels() {
    let folder = folder();
    let labels = folder.path().join("labels");
    let label = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(labels.join(name)).unwrap()).unwrap()
    };
    let screen = confirm(&labels, &opening(), None);
    assert!(screen.contains("kept in"), "{screen}");
    let kept = label("screen-opening.json");
    let hash = kept["sha256"].as_str().unwrap().to_owned();
    assert_eq!(hash.len(), 64);
    let expected = serde_json::json!({
        "schema": 1, "picture": "screen-opening.png", "sha256": hash,
        "boards": [{"fen": format!("{OPENING} w KQkq - 0 1"), "orientation": "white"}],
    });
    assert_eq!(kept, expected);

    // The same picture again, from another folder: the label is replaced, here with a piece that only a person can know.
    let copy = folder.path().join("screen-opening.png");
    fs::copy(opening(), &copy).unwrap();
    let screen = confirm(&labels, &copy, Some(("f3", "B")));
    let changed = OPENING.replace("5N2", "5B2");
    assert_eq!(fens(&screen), [format!("{changed} w KQkq - 0 1")], "{screen}");
    assert_eq!(fs::read_dir(&labels).unwrap().count(), 1);
    assert_eq!(label("screen-opening.json")["boards"][0]["fen"], format!("{changed} w KQkq - 0 1"));

    // Another picture of that name: both labels stay.
    let before = label("screen-opening.json");
    Board::opening().copy("h6", "g1").copy("h3", "f1").save(&copy);
    confirm(&labels, &copy, None);
    assert_eq!(label("screen-opening.json"), before);
    let mut names: Vec<_> = fs::read_dir(&labels).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    let [first, second] = &names.iter().map(|name| name.to_str().unwrap()).collect::<Vec<_>>()[..] else {
        panic!("{names:?}")
    };
    let other = label(first)["sha256"].as_str().unwrap()[..8].to_owned();
    assert_eq!((*first, *second), (&*format!("screen-opening-{other}.json"), "screen-opening.json"));
}

#[test]
fn a_board_that_is_not_right_is_not_kept() {
    let folder = folder();
    let labels = folder.path().join("labels");
    let mut terminal =
        read(&["--side", "w", "--castling", "-", "--save-corrections", labels.to_str().unwrap()], &opening());
    terminal.see("? Is the whole board right?");
    terminal.press("n");
    terminal.see("> n    no");
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert!(code == 0 && screen.contains("not kept") && fens(&screen).len() == 1, "{screen}");
    assert_eq!(fs::read_dir(&labels).unwrap().count(), 0);
}

/// No answer of any dialogue makes a right that the board does not have. (That no sequence of answers does is a property
/// test of the library.)
#[test]
fn rights_are_those_of_the_board_shown() {
    let folder = folder();
    let labels = folder.path().join("labels");
    // The rook of h1 becomes a knight after castling was said.
    let screen = confirm(&labels, &opening(), Some(("h1", "N")));
    let fen = fens(&screen)[0].to_owned();
    assert!(fen.ends_with(" w Qkq - 0 1"), "{screen}");
    let placement: Placement = fen.split(' ').next().unwrap().parse().unwrap();
    assert!(!Castling::possible(&placement).white_king && Castling::possible(&placement).white_queen);
    assert_eq!(placement.count(Color::White, fenlens::games::chess::Role::Knight), 3);
}

/// The dialogue in the README is the real one. Percentages are left out of the comparison. To write it anew:
/// `FENLENS_UPDATE_README=1 cargo test --test ask readme`, which fails all the same.
#[test]
fn the_dialogue_in_the_readme_is_true() {
    let folder = folder();
    let board = doubtful(&folder.path().join("scan.png"));
    let program = program();
    let script = "cd \"$1\" && exec \"$0\" read scan.png";
    let arguments = ["-c", script].map(OsStr::new).into_iter().chain([program.as_os_str(), folder.path().as_os_str()]);
    let mut terminal = Terminal::run("sh", &arguments.collect::<Vec<_>>(), &[("NO_COLOR", "1")]);
    terminal.see(&question(&format!("What is on {}?", flagged(&board)[0])));
    terminal.see("Esc leaves]");
    let first = format!("$ fenlens read scan.png\n{}", terminal.screen());
    terminal.press(ENTER);
    terminal.see(SIDE);
    terminal.press("b");
    terminal.see("> b    Black");
    terminal.press(ENTER);
    terminal.see(CASTLING);
    terminal.press(ENTER);
    let (code, screen) = terminal.end();
    assert_eq!(code, 0, "{screen}");
    let last: Vec<&str> = screen.lines().skip_while(|line| !line.starts_with("> ")).collect();

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let mut parts: Vec<&str> = readme.split("```").collect();
    let section = parts.iter().position(|part| part.contains("## When it is not sure")).unwrap();
    let [first, last] = [format!("text\n{first}\n"), format!("text\n{}\n", last.join("\n"))];
    if env::var_os("FENLENS_UPDATE_README").is_some() {
        (parts[section + 1], parts[section + 3]) = (&first, &last);
        fs::write(&path, parts.join("```")).unwrap();
        panic!("the README is written anew");
    }
    let without_numbers = |text: &str| -> String {
        let words = text.split(' ').collect::<Vec<_>>();
        let is_number = |n: usize| words.get(n + 1).is_some_and(|next| next.starts_with('%'));
        words.iter().enumerate().map(|(n, word)| if is_number(n) { "N " } else { word }.to_owned() + " ").collect()
    };
    assert_eq!(without_numbers(parts[section + 1]), without_numbers(&first));
    assert_eq!(without_numbers(parts[section + 3]), without_numbers(&last));
}
