//! `fenlens fen check` as its users meet it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{fs, process::Output};

use assert_cmd::Command;
use fenlens::fen::Report;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const WRONG_SIDE: &str = "4k3/8/8/8/8/8/8/4RK2 w - - 0 40";
const RIGHT_SIDE: &str = "4k3/8/8/8/8/8/8/4RK2 b - - 0 40";

fn check(arguments: &[&str], stdin: &str) -> Output {
    let mut command = Command::cargo_bin("fenlens").unwrap();
    command.env_remove("NO_COLOR").args(["fen", "check"]).args(arguments).write_stdin(stdin).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn stdout(arguments: &[&str], stdin: &str) -> (String, Option<i32>) {
    let output = check(arguments, stdin);
    (text(&output.stdout), output.status.code())
}

#[test]
fn an_issue_has_a_caret_a_reason_and_a_repair() {
    let expected = "\
4k3/8/8/8/8/8/8/4RK2 w - - 0 40
 ^
  error: White is to move, but the king on e8 is in check from e1 (opponent-in-check)
  fix: change the side to move, or check e1
  not legal
  suggested: 4k3/8/8/8/8/8/8/4RK2 b - - 0 40
";
    assert_eq!(stdout(&[WRONG_SIDE], ""), (expected.into(), Some(1)));
    // The fields need no quotes.
    let words: Vec<&str> = WRONG_SIDE.split(' ').collect();
    assert_eq!(stdout(&words, ""), (expected.into(), Some(1)));
    assert_eq!(stdout(&["-"], &format!("{WRONG_SIDE}\n")), (expected.into(), Some(1)));
}

/// Options may come after the record, also where its fields are words of their own and one of them is a dash.
#[test]
fn options_may_follow_the_record() {
    let words: Vec<&str> = START.split(' ').collect();
    assert_eq!(words[3], "-");
    let legal = |arguments: &[&str]| stdout(arguments, "");
    assert_eq!(legal(&[&words[..], &["--lang", "zh"]].concat()), (format!("{START}\n  合法\n"), Some(0)));
    assert_eq!(legal(&[START, "--lang", "zh"]), (format!("{START}\n  合法\n"), Some(0)));
    assert_eq!(legal(&[&["--lang", "zh"], &words[..]].concat()), (format!("{START}\n  合法\n"), Some(0)));
    let empty: Vec<&str> = "8/8/8/8/8/8/8/8 w - - 0 1 --json".split(' ').collect();
    let report: Report = serde_json::from_str(&legal(&empty).0).unwrap();
    assert_eq!(report.input, "8/8/8/8/8/8/8/8 w - - 0 1");
    // Words that begin with a dash: negative numbers are accepted as they are, others only after `--`.
    let negative: Vec<&str> = "4k3/8/8/8/8/8/8/4K3 w - - -3 1 --json".split(' ').collect();
    assert!(legal(&negative).0.contains("-3 1"), "{:?}", legal(&negative));
    let odd = legal(&["--json", "--", "-x/8", "w"]);
    assert!(odd.0.contains(r#""input":"-x/8 w""#) && odd.1 == Some(1), "{odd:?}");
    assert_eq!(check(&["-x/8", "w"], "").status.code(), Some(2));
}

#[test]
fn several_issues_are_numbered() {
    let expected = "\
rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR  x KQkq - 0 1
         ^^^^^^^2                         ^^1
                                            ^3
 1 warning: surplus blanks at 43 (extra-whitespace)
   fix: one blank between fields, none outside
 2 error: rank 7 (pp1pppp) has 7 squares; there must be 8 (rank-sum)
   fix: add or remove 1
 3 error: x is neither w nor b (side-invalid)
   fix: write w or b
  cannot be told legal or not
";
    assert_eq!(stdout(&["rnbqkbnr/pp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR  x KQkq - 0 1"], "").0, expected);
}

#[test]
fn messages_can_be_in_chinese() {
    let (said, code) = stdout(&["--lang", "zh", "8/8/2n5/8/4P3/8/1B6/8 w - - 0 1"], "");
    assert_eq!(code, Some(1));
    for words in ["错误：缺白王（将、帅）", "错误：缺黑王（将、帅）", "处理：找出被误读的王", "不合法"]
    {
        assert!(said.contains(words), "{said}");
    }
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r - - 0 1";
    let (said, code) = stdout(&["--lang", "zh", start], "");
    assert_eq!(code, Some(0));
    assert!(said.contains("警告：r 按 w 读取") && said.contains("规范写法：rnbakabnr/"), "{said}");
}

#[test]
fn json_is_one_object_an_input() {
    let inputs = [START, "", WRONG_SIDE, "\u{feff}x", "8/8 {\"\\", "4k4/9/9/9/9/9/9/9/9/3K5 w"];
    let (said, code) = stdout(&["--json"], &(inputs.join("\r\n") + "\n"));
    assert_eq!(code, Some(1));
    let reports: Vec<Report> = said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports.iter().map(|report| report.input.as_str()).collect::<Vec<_>>(), inputs);
    let legal: Vec<&str> = reports.iter().map(|report| report.legal.as_str()).collect();
    assert_eq!(legal, ["yes", "unknown", "no", "unknown", "unknown", "yes"]);
    assert_eq!(reports[5].game, "xiangqi");
    assert_eq!(reports[2].issues[0].square.as_deref(), Some("e8"));
    assert_eq!(
        said.lines().next(),
        Some(
            r#"{"schema":1,"input":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","game":"chess","valid_syntax":true,"legal":"yes","issues":[],"normalised":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","suggested":null}"#
        )
    );
}

/// A verdict that no issue explains has a line with its reason.
#[test]
fn an_open_verdict_has_a_reason() {
    let record = "rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
    let reason = "the moves do not add up: White has made an even number of moves and Black an odd one, \
                  but with White to move both have made the same number";
    let expected = format!("{record}\n  cannot be told legal or not\n  reason: {reason}\n");
    assert_eq!(stdout(&[record], ""), (expected, Some(1)));
    let (said, _) = stdout(&["--json", record], "");
    assert_eq!(serde_json::from_str::<Report>(&said).unwrap().unknown_because.as_deref(), Some(reason));
}

#[test]
fn the_game_may_be_chosen() {
    let (said, code) = stdout(&["--json", "--game", "xiangqi", START], "");
    assert!(code == Some(1) && said.contains("looks-like-chess"), "{said}");
    let x_fen = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 30";
    assert_eq!((stdout(&[x_fen], "").1, stdout(&["--chess960", x_fen], "").1), (Some(1), Some(0)));
}

#[test]
fn repaired_records_are_printed_alone() {
    let input = format!("{WRONG_SIDE}\nFEN: {START}\nrubbish\n");
    let output = check(&["--fix"], &input);
    assert_eq!(text(&output.stdout), format!("{RIGHT_SIDE}\n{START}\nrubbish\n"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("rubbish: "), "{}", text(&output.stderr));
    assert_eq!(stdout(&["--fix", WRONG_SIDE], ""), (format!("{RIGHT_SIDE}\n"), Some(0)));
}

#[test]
fn files_are_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.fen");
    fs::write(&path, format!("\u{feff}{START}\r\n{RIGHT_SIDE}")).unwrap();
    let (said, code) = stdout(&[path.to_str().unwrap()], "");
    assert_eq!((said, code), (format!("{START}\n  legal\n\n{RIGHT_SIDE}\n  legal\n"), Some(0)));
    let output = check(&[folder.path().join("missing.fen").to_str().unwrap()], "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(text(&output.stderr).contains("missing.fen: "), "{}", text(&output.stderr));
    assert_eq!(check(&["--game", "go", START], "").status.code(), Some(2));
}

#[test]
fn colors_are_for_terminals() {
    assert!(!stdout(&[WRONG_SIDE], "").0.contains('\u{1b}'));
    assert!(stdout(&["--color", "always", WRONG_SIDE], "").0.contains("\u{1b}[1;31m^\u{1b}[0m"));
}

#[test]
fn control_characters_are_spelled_out() {
    let (said, _) = stdout(&["8/8\u{1b}[31m/8\u{200b} w - - 0 1"], "");
    assert!(!said.contains('\u{1b}') && said.contains("8/8<U+001B>[31m/8<U+200B> w"), "{said}");
}
