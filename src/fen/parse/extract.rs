//! Finds the record in a text: behind a label or a command, in a tag, in quotes, in the address of a page.

use std::ops::Range;

use super::text::{Glyph, string};
use crate::games::game::Game;

/// The part of an input that is the record, as a range of glyphs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub record: Range<usize>,
    /// Whether what follows six fields belongs to the text around the record.
    pub in_text: bool,
}

/// Finds the record among the glyphs of an input.
pub(super) fn locate(glyphs: &[Glyph]) -> Found {
    let whole = 0..glyphs.len();
    let mut found = labeled(glyphs)
        .or_else(|| address(glyphs))
        .or_else(|| behind_words(glyphs))
        .unwrap_or(Found { record: whole, in_text: false });
    found.record = unwrapped(glyphs, found.record);
    found
}

fn is_quote(ch: char) -> bool {
    matches!(ch, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»' | '„' | '‟' | '「' | '」' | '『' | '』')
}

fn is_opening(ch: char) -> bool {
    is_quote(ch) || matches!(ch, '(' | '[' | '{' | '<' | '*' | '【' | '《' | '（')
}

fn is_closing(ch: char) -> bool {
    is_quote(ch) || matches!(ch, ')' | ']' | '}' | '>' | '*' | '】' | '》' | '）' | ',' | '.' | '。' | '、' | '!' | '?')
}

/// After the word FEN: `[FEN "..."]`, `FEN: ...`, `position fen ...`, `?fen=...`, `"fen": "..."`.
fn labeled(glyphs: &[Glyph]) -> Option<Found> {
    let is_word = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| glyphs.get(before));
        "fen".chars().zip(&glyphs[at..]).all(|(letter, glyph)| glyph.ch.to_ascii_lowercase() == letter)
            && before.is_none_or(|glyph| !glyph.ch.is_ascii_alphanumeric())
    };
    let word = (0..glyphs.len().saturating_sub(3)).rev().find(|&at| is_word(at))?;
    let after = word + 3;
    let delimiters = glyphs[after..]
        .iter()
        .take_while(|glyph| glyph.gap.is_some() || is_quote(glyph.ch) || matches!(glyph.ch, ':' | '=' | '：'))
        .count();
    let start = after + delimiters;
    // Without a slash after it, the word is not the label of a record.
    if delimiters == 0 || !glyphs[start..].iter().any(Glyph::is_slash) {
        return None;
    }
    let quoted = glyphs[after..start].iter().any(|glyph| is_quote(glyph.ch));
    let in_query = glyphs[after..start].iter().any(|glyph| glyph.ch == '=');
    let ends = |glyph: &Glyph| (quoted && is_quote(glyph.ch)) || (in_query && matches!(glyph.ch, '&' | '#'));
    let length = glyphs[start..].iter().position(ends).unwrap_or(glyphs.len() - start);
    Some(Found { record: start..start + length, in_text: true })
}

/// In the path of an address: `https://lichess.org/editor/8/8/..._w_-_-_0_1`.
fn address(glyphs: &[Glyph]) -> Option<Found> {
    let is_address = |at: usize| [':', '/', '/'].iter().zip(&glyphs[at..]).filter(|(a, b)| **a == b.ch).count() == 3;
    let starts_as_host = ["www.", "lichess.org/", "chess.com/"]
        .iter()
        .any(|host| host.len() < glyphs.len() && host.chars().zip(glyphs).all(|(a, b)| a == b.ch.to_ascii_lowercase()));
    let from = (0..glyphs.len()).find(|&at| is_address(at)).or(starts_as_host.then_some(0))?;
    let slashes: Vec<usize> = (from..glyphs.len()).filter(|&at| glyphs[at].is_slash()).collect();
    let start = slashes.iter().enumerate().find_map(|(index, &slash)| {
        let filled = |game: Game| {
            let grid = game.grid();
            let ends = slashes.get(index + 1..index + grid.rows)?;
            let starts = std::iter::once(&slash).chain(ends);
            let complete = starts.zip(ends).all(|(&a, &b)| squares(&glyphs[a + 1..b], game) == Some(grid.cols));
            complete.then_some(slash + 1)
        };
        filled(Game::Chess).or_else(|| filled(Game::Xiangqi))
    })?;
    let length = glyphs[start..].iter().position(|glyph| matches!(glyph.ch, '?' | '#' | '&'));
    Some(Found { record: start..length.map_or(glyphs.len(), |length| start + length), in_text: true })
}

/// After words, when a run of glyphs without a gap holds a whole placement.
fn behind_words(glyphs: &[Glyph]) -> Option<Found> {
    let mut at = 0;
    while at < glyphs.len() {
        let length = glyphs[at..].iter().position(|glyph| glyph.gap.is_some()).unwrap_or(glyphs.len() - at);
        let token = &glyphs[at..at + length];
        let first_slash = token.iter().position(Glyph::is_slash);
        if let Some(first_slash) = first_slash.filter(|_| token.iter().filter(|glyph| glyph.is_slash()).count() >= 7) {
            let label = |glyph: &Glyph| is_opening(glyph.ch) || matches!(glyph.ch, ':' | '=' | '：' | '>');
            let cut = token[..first_slash].iter().rposition(label).map_or(0, |label| label + 1);
            let start = at + cut;
            let has_words = glyphs[..start].iter().any(|glyph| glyph.ch.is_alphanumeric());
            return has_words.then_some(Found { record: start..glyphs.len(), in_text: true });
        }
        at += length + 1;
    }
    None
}

/// The record without the quotes, brackets and stops around it.
fn unwrapped(glyphs: &[Glyph], record: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (record.start, record.end);
    let blank = |at: usize| glyphs[at].gap.is_some();
    loop {
        let first = (start..end).find(|&at| !blank(at));
        match first {
            Some(at) if is_opening(glyphs[at].ch) => start = at + 1,
            _ => break,
        }
    }
    loop {
        let last = (start..end).rev().find(|&at| !blank(at));
        let Some(at) = last else { break };
        let inside = &glyphs[start..at];
        let closes = match glyphs[at].ch {
            // The pocket of crazyhouse.
            ']' => !inside.iter().any(|glyph| glyph.ch == '['),
            // The operations of EPD end so.
            ';' => !has_operations(inside),
            // Some write empty squares as dots.
            '.' => inside.iter().any(|glyph| glyph.gap.is_some()),
            ch => is_closing(ch),
        };
        if !closes {
            break;
        }
        end = at;
    }
    start..end
}

/// Whether a record has operations after its fields: the fifth or the seventh field begins with a letter.
pub(super) fn has_operations(record: &[Glyph]) -> bool {
    let fields = record.split(|glyph| glyph.gap.is_some()).filter(|field| !field.is_empty());
    let opcodes = fields.enumerate().filter(|(index, _)| matches!(index, 4 | 6)).map(|(_, field)| field);
    let mut opcodes = opcodes.filter(|field| field[0].ch.is_ascii_alphabetic());
    let ended = record.iter().any(|glyph| glyph.ch == ';');
    opcodes.any(|opcode| ended || is_opcode(&string(opcode)))
}

/// The opcodes of the PGN standard, 16.2.5.
pub(super) fn is_opcode(word: &str) -> bool {
    const OPCODES: [&str; 24] = [
        "acd",
        "acn",
        "acs",
        "am",
        "bm",
        "ce",
        "dm",
        "draw_accept",
        "draw_claim",
        "draw_offer",
        "draw_reject",
        "eco",
        "fmvn",
        "hmvc",
        "id",
        "nic",
        "noop",
        "pm",
        "pv",
        "rc",
        "resign",
        "sm",
        "tcgs",
        "tcri",
    ];
    OPCODES.contains(&word) || matches!(word.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

/// How many squares a rank fills, when it holds nothing but pieces and counts.
fn squares(rank: &[Glyph], game: Game) -> Option<usize> {
    if rank.is_empty() {
        return None;
    }
    rank.iter().try_fold(0, |sum, glyph| Some(sum + squares_of(glyph.ch, game)?))
}

/// How many squares a character of a placement stands for.
pub(super) fn squares_of(ch: char, game: Game) -> Option<usize> {
    let pieces = match game {
        Game::Chess => "PNBRQKpnbrqk♔♕♖♗♘♙♚♛♜♝♞♟",
        Game::Xiangqi => "KABNRCPkabnrcpHEhe",
    };
    match ch {
        '1'..='9' => ch.to_digit(10).map(|n| n as usize),
        _ => (pieces.contains(ch)
            || (game == Game::Xiangqi && crate::games::xiangqi::Piece::from_symbol(ch).is_some()))
        .then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::parse::text::glyphs;

    #[test]
    fn records_are_found_in_text() {
        let board = "4k3/8/8/8/8/8/8/4K3";
        for (before, after) in [
            ("", ""),
            ("\"", "\""),
            ("[FEN \"", "\"]"),
            ("FEN: ", ""),
            ("FEN=", ""),
            ("局面：", ""),
            ("position fen ", ""),
            ("{\"id\": 7, \"fen\": \"", "\", \"x\": 1}"),
            ("https://lichess.org/editor/", "?color=white"),
            ("lichess.org/analysis/standard/", "#4"),
            ("https://www.chess.com/analysis?fen=", "&flip=false"),
            ("Diagram 3 (", ")"),
            ("see ", "."),
        ] {
            let text = format!("{before}{board} w - - 0 1{after}");
            let glyphs = glyphs(&text, &mut Vec::new());
            assert_eq!(string(&glyphs[locate(&glyphs).record]), format!("{board} w - - 0 1"), "{text}");
        }
    }
}
