//! Imports between the folders of `src` have one direction: the table in `docs/architecture.md` says which folder may import
//! which.
//!
//! Every path that begins with `crate`, `super`, `self` or `fenlens` counts, in a `use` and in the middle of code; comments,
//! documentation and strings do not. Items that `lib.rs` re-exports count as the folder they come from.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

const TABLE: &str = "docs/architecture.md";

/// Each folder with those that it may import. Names are paths below `src` without an extension.
struct Rules(BTreeMap<String, BTreeSet<String>>);

impl Rules {
    /// Reads the rows of the Markdown table whose first cell is one name in backticks and whose heading is `may import`.
    fn from_markdown(text: &str) -> Rules {
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let rows = text
            .lines()
            .skip_while(|line| !line.ends_with("| may import |"))
            .skip(2)
            .take_while(|line| line.starts_with('|'))
            .map(|line| line.trim_matches('|').split('|').collect::<Vec<_>>());
        Rules(rows.map(|cells| (names(cells[0]).remove(0), names(cells[2]).into_iter().collect())).collect())
    }

    /// The folder that a path of modules belongs to: the longest one that has a row.
    fn folder(&self, modules: &[String]) -> Option<&str> {
        (1..=modules.len()).rev().find_map(|count| {
            let name = modules[..count].join("/");
            self.0.get_key_value(&name).map(|(name, _)| name.as_str())
        })
    }

    /// What is wrong with the imports of one file. `modules`: the path of its module. `exports`: what `lib.rs` re-exports,
    /// with the path of each item.
    fn violations(&self, modules: &[String], source: &str, exports: &BTreeMap<String, Vec<String>>) -> Vec<String> {
        let Some(own) = self.folder(modules) else {
            return vec![format!("1: {} has no row in {TABLE}", modules.join("/"))];
        };
        let mut found = Vec::new();
        for Import { line, mut path } in imports(source, modules) {
            if let Some(item) = path.first().and_then(|first| exports.get(first)) {
                path = item.clone();
            }
            match self.folder(&path) {
                Some(other) if other == own || self.0[own].contains(other) => {}
                Some(other) => found.push(format!("{line}: {own} must not import {other} ({})", path.join("::"))),
                None => found.push(format!("{line}: no folder holds `{}`", path.join("::"))),
            }
        }
        found
    }
}

/// A path into the crate, from its root.
#[derive(Debug, PartialEq)]
struct Import {
    line: usize,
    path: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Word(&'a str),
    /// `::`
    Path,
    /// Any other character that is not white space.
    Sign(char),
}

/// The tokens of Rust source with their lines, counted from 1. Comments and literals are left out.
fn tokens(source: &str) -> Vec<(usize, Token<'_>)> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut line = 1;
    while let Some(first) = rest.chars().next() {
        let length = literal_or_comment(rest).unwrap_or_else(|| {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (token, length) = match word {
                0 if rest.starts_with("::") => (Token::Path, 2),
                0 => (Token::Sign(first), first.len_utf8()),
                _ => (Token::Word(&rest[..word]), word),
            };
            if !first.is_whitespace() {
                found.push((line, token));
            }
            length
        });
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// The length of the comment, string or character that `rest` begins with, if it begins with one.
fn literal_or_comment(rest: &str) -> Option<usize> {
    let until = |start: usize, end: &str| rest[start..].find(end).map_or(rest.len(), |at| start + at + end.len());
    if rest.starts_with("//") {
        return Some(until(0, "\n"));
    }
    if rest.starts_with("/*") {
        return Some(until(2, "*/"));
    }
    let plain = rest.trim_start_matches(['b', 'c']);
    if rest.len() - plain.len() <= 1 {
        let raw = plain.strip_prefix('r').map_or("", |tail| &tail[..tail.len() - tail.trim_start_matches('#').len()]);
        let opening = rest.len() - plain.len() + 1 + raw.len();
        if plain.starts_with('r') && rest[opening..].starts_with('"') {
            return Some(until(opening + 1, &format!("\"{raw}")));
        }
    }
    let quoted = rest.strip_prefix('b').unwrap_or(rest);
    let prefix = rest.len() - quoted.len();
    match quoted.chars().next()? {
        '"' => Some(prefix + closing(quoted, '"')),
        // A lifetime has no closing quote after one character.
        '\'' if quoted[1..].starts_with('\\') || quoted.chars().nth(2) == Some('\'') => {
            Some(prefix + closing(quoted, '\''))
        }
        _ => None,
    }
}

/// The length of a quoted literal with its quotes. `text` begins with the opening one.
fn closing(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

/// Every path into the crate that a file names. `modules`: the path of its module.
fn imports(source: &str, modules: &[String]) -> Vec<Import> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    let mut depth = 0;
    // Modules within the file that are open here, with the depth of their braces.
    let mut inner: Vec<(usize, String)> = Vec::new();
    for (at, &(_, token)) in tokens.iter().enumerate() {
        let begins = at == 0 || tokens[at - 1].1 != Token::Path;
        match token {
            Token::Sign('{') => {
                depth += 1;
                if let [.., (_, Token::Word("mod")), (_, Token::Word(name))] = tokens[..at] {
                    inner.push((depth, name.to_owned()));
                }
            }
            Token::Sign('}') => {
                inner.pop_if(|(opened, _)| *opened == depth);
                depth -= 1;
            }
            Token::Word(word) if begins && tokens.get(at + 1).is_some_and(|next| next.1 == Token::Path) => {
                let here: Vec<String> = modules.iter().chain(inner.iter().map(|(_, name)| name)).cloned().collect();
                let from = match word {
                    "crate" | "fenlens" => Vec::new(),
                    "self" => here,
                    "super" => here[..here.len().saturating_sub(1)].to_vec(),
                    _ => continue,
                };
                tree(&tokens, at + 2, from, &mut found);
            }
            _ => {}
        }
    }
    found
}

/// Reads what follows `::` from token `at` on: a path or a group of paths. Returns the token behind it.
fn tree(tokens: &[(usize, Token<'_>)], at: usize, mut path: Vec<String>, found: &mut Vec<Import>) -> usize {
    let Some(&(line, token)) = tokens.get(at) else { return at };
    match token {
        Token::Sign('{') => {
            let mut at = at + 1;
            while tokens.get(at).is_some_and(|next| next.1 != Token::Sign('}')) {
                at = match tokens[at].1 {
                    Token::Sign(',') => at + 1,
                    _ => tree(tokens, at, path.clone(), found).max(at + 1),
                };
            }
            at + 1
        }
        Token::Word(word) => {
            match word {
                "super" => drop(path.pop()),
                "self" => {}
                _ => path.push(word.to_owned()),
            }
            if tokens.get(at + 1).is_some_and(|next| next.1 == Token::Path) {
                return tree(tokens, at + 2, path, found);
            }
            found.push(Import { line, path });
            // `as NAME` belongs to the path.
            if tokens.get(at + 1).is_some_and(|next| next.1 == Token::Word("as")) { at + 3 } else { at + 1 }
        }
        // `*`, or the `<` of type arguments.
        _ => {
            found.push(Import { line, path });
            at + 1
        }
    }
}

/// The items that `lib.rs` re-exports under their own names, with their paths from the root.
fn exports(library: &str) -> BTreeMap<String, Vec<String>> {
    let tokens = tokens(library);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if let [.., (_, Token::Word("pub")), (_, Token::Word("use"))] = tokens[..at] {
            tree(&tokens, at, Vec::new(), &mut found);
        }
    }
    found.into_iter().map(|import| (import.path.last().cloned().unwrap_or_default(), import.path)).collect()
}

/// The path of the module that a file below `src` holds.
fn modules(file: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        file.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.pop_if(|name| name == "mod");
    names
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn imports_go_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rules = Rules::from_markdown(&fs::read_to_string(root.join(TABLE)).unwrap());
    assert!(rules.0.len() >= 10, "only {} rows in {TABLE}", rules.0.len());
    let exports = exports(&fs::read_to_string(root.join("src/lib.rs")).unwrap());
    let mut files = Vec::new();
    walk(&root.join("src"), &mut files);
    files.sort();
    let mut found = Vec::new();
    for file in files {
        let below = file.strip_prefix(root.join("src")).unwrap();
        // Both join everything.
        if ["lib.rs", "main.rs"].map(Path::new).contains(&below) {
            continue;
        }
        let source = fs::read_to_string(&file).unwrap();
        let violations = rules.violations(&modules(below), &source, &exports);
        found.extend(violations.into_iter().map(|violation| format!("src/{}:{violation}", below.display())));
    }
    assert!(found.is_empty(), "see {TABLE}:\n{}", found.join("\n"));
}

/// What is wrong with `source` as the file `name` below `src`, under rules and exports as small as they can be.
fn judged(name: &str, source: &str) -> Vec<String> {
    let rules = Rules::from_markdown(
        "| folder | holds | may import |\n|---|---|---|\n| `games` | | nothing |\n| `fen` | | `games` |\n\
         | `output/diagram` | | `games` |\n| `output` | | `output/diagram` `fen` |\n\nother text",
    );
    let exports = exports("pub use fen::{setup::Fen, Record as Other};\nuse games::Hidden;");
    rules.violations(&modules(Path::new(name)), source, &exports)
}

#[test]
fn a_forbidden_import_is_reported_with_its_line() {
    let fen = |line: u32, path: &str| vec![format!("{line}: games must not import fen ({path})")];
    assert_eq!(judged("games/chess.rs", "use std::fmt;\nuse crate::fen::Fen;"), fen(2, "fen::Fen"));
    assert_eq!(judged("games/mod.rs", "use crate::{\n    fen::{self},\n    games::chess,\n};"), fen(2, "fen"));
    assert_eq!(judged("games/mod.rs", "use crate::{games::{chess::{A, B}}, fen::parse::*};"), fen(1, "fen::parse"));
    assert_eq!(judged("games/chess.rs", "fn f() -> usize { crate::fen::count::<u8>(1) }"), fen(1, "fen::count"));
    assert_eq!(judged("games/xiangqi/rules.rs", "use super::super::super::fen;"), fen(1, "fen"));
    assert_eq!(judged("games/chess.rs", "use crate::Fen;"), fen(1, "fen::setup::Fen"));
    assert_eq!(judged("games/chess.rs", "mod tests {\n    use super::super::super::fen;\n}"), fen(2, "fen"));
    assert_eq!(
        judged("fen/mod.rs", "use crate::output::diagram;"),
        ["1: fen must not import output/diagram (output::diagram)"]
    );
    assert_eq!(judged("output/diagram/svg.rs", "use crate::fen;"), ["1: output/diagram must not import fen (fen)"]);
    assert_eq!(judged("games/chess.rs", "use crate::*;"), ["1: no folder holds ``"]);
    assert_eq!(judged("late/mod.rs", ""), ["1: late has no row in docs/architecture.md"]);
}

#[test]
fn what_is_allowed_passes() {
    for (name, source) in [
        ("games/mod.rs", "//! As [`fen`](crate::fen) has it.\n/* crate::fen */ use std::fen::{crate_name};"),
        (
            "games/chess.rs",
            "fn f<'a>(x: &'a str) { let _ = (\"crate::fen\", '\"', r#\"\"crate::fen\"#, b'\\'', 'x'); }",
        ),
        ("games/chess.rs", "pub(crate) fn g() { self::h(); super::placement::k() }\nmod tests { use super::*; }"),
        (
            "fen/parse/text.rs",
            "use super::{super::setup, ranks as r};\nuse crate::games::{chess, placement::Placement};",
        ),
        ("output/record.rs", "use crate::output::diagram::Diagram;\nuse fenlens::Fen;\nuse super::trace;"),
    ] {
        assert_eq!(judged(name, source), Vec::<String>::new(), "{name}");
    }
}
