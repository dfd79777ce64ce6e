//! Parses any text into the record that it states, and reports everything that is odd about its spelling.

mod extract;
mod fields;
mod ranks;
mod text;

use std::ops::Range;

use self::{
    fields::Parser,
    text::{Gap, Glyph, span, string},
};
use super::{
    GameChoice,
    issue::{Issue, Location, code::Code},
    rules::castling::CastlingRight,
    setup::Board,
};
use crate::games::{
    chess::{Color, Square},
    game::Game,
    xiangqi,
};

/// The longest input that is read, in bytes: what the PGN standard, 16.2.3, asks readers to handle.
pub const MOST_BYTES: usize = 1024;

/// A record as it is stated: each field that can be read, whether or not it fits the others.
///
/// Where a field cannot be read, it holds what was most likely meant, if anything; the issues say which.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedRecord {
    /// The game, chosen by the caller or recognized.
    pub game: Game,
    /// The pieces, when every rank is full.
    pub board: Option<Board>,
    /// The side to move. White also stands for Red.
    pub side: Option<Color>,
    /// The castling rights, in the order of a record and none twice.
    pub castling: Option<Vec<CastlingRight>>,
    /// The en passant target; `Some(None)` is `-`.
    pub en_passant: Option<Option<Square>>,
    /// Half-moves since the last capture or move of a pawn.
    pub halfmoves: Option<u32>,
    /// The number of the move.
    pub fullmoves: Option<u32>,
    /// The operations of an EPD record as they are written, without the semicolons.
    pub operations: Vec<String>,
    /// Where in the input each field is, in bytes; none for fields that are missing.
    pub fields: [Option<Range<usize>>; 6],
    /// What is odd about the spelling.
    pub issues: Vec<Issue>,
    /// Where in the input each piece is written.
    pub(super) written: Vec<(Location, Range<usize>)>,
    /// Whether the board cannot be trusted although it could be guessed.
    pub(super) board_doubtful: bool,
}

impl ParsedRecord {
    /// A record without any field, only with issues.
    fn empty(game: Game, issues: Vec<Issue>) -> ParsedRecord {
        ParsedRecord {
            game,
            board: None,
            side: None,
            castling: None,
            en_passant: None,
            halfmoves: None,
            fullmoves: None,
            operations: Vec::new(),
            fields: Default::default(),
            issues,
            written: Vec::new(),
            board_doubtful: true,
        }
    }
}

/// Reads any text as one record, in time that grows with its length only. Never fails: what is wrong is among the issues.
///
/// Beside a plain record of six fields it reads EPD, and finds a record behind a label or a command, in a PGN tag, in
/// quotes and in the address of a page.
pub fn parse(input: &str, choice: GameChoice) -> ParsedRecord {
    let default_game = match choice {
        GameChoice::Xiangqi => Game::Xiangqi,
        GameChoice::Chess | GameChoice::Auto => Game::Chess,
    };
    if input.len() > MOST_BYTES {
        let issue = Issue::new(Code::InputTooLong).with("n", input.len()).with("max", MOST_BYTES).range(0..input.len());
        return ParsedRecord::empty(default_game, vec![issue]);
    }
    let mut issues = Vec::new();
    let mut glyphs = text::glyphs(input, &mut issues);
    if glyphs.iter().all(|glyph| glyph.gap.is_some()) {
        let issue = Issue::new(Code::EmptyInput).range(0..input.len());
        return ParsedRecord::empty(default_game, vec![issue]);
    }
    read_plus_as_gap(&mut glyphs);
    let found = extract::locate(&glyphs);
    let slashed = with_slashes(input, &glyphs[found.record.clone()], &mut issues);
    let record: &[Glyph] = slashed.as_deref().unwrap_or(&glyphs[found.record.clone()]);
    let before = &glyphs[..found.record.start];
    let after = &glyphs[found.record.end..];
    let edges = (is_blank(before), is_blank(after));
    // Around the record any character may be written.
    let around = [span(before), span(after)];
    issues.retain(|issue| {
        let outside = |around: &Range<usize>| issue.range.as_ref().is_some_and(|range| around.contains(&range.start));
        issue.code != Code::LookalikeCharacter || !around.iter().any(outside)
    });
    let mut tokens = text::tokens(input, record, edges, &mut issues);
    let game = match choice {
        GameChoice::Chess => Game::Chess,
        GameChoice::Xiangqi => Game::Xiangqi,
        GameChoice::Auto => recognized(record, &tokens),
    };
    let mut parser = Parser { input, game, record, issues, parsed: ParsedRecord::empty(game, Vec::new()) };
    parser.placement(&mut tokens);
    let surrounding = parser.other_fields(tokens, found.in_text);
    let Parser { mut parsed, issues, .. } = parser;
    parsed.issues = issues;
    parsed.issues.extend(wrapper(&[before, &record[surrounding], after]));
    parsed
}

/// Reports the text around the record, if there is any.
fn wrapper(around: &[&[Glyph]; 3]) -> Option<Issue> {
    let texts: Vec<&[Glyph]> = around.iter().copied().filter(|text| !is_blank(text)).collect();
    let words: Vec<String> = texts.iter().map(|text| string(text).trim().to_owned()).collect();
    let range = span(trimmed(texts.first()?));
    Some(Issue::new(Code::WrapperText).range(range).with("text", words.join(" ... ")))
}

fn is_blank(glyphs: &[Glyph]) -> bool {
    glyphs.iter().all(|glyph| glyph.gap.is_some())
}

fn trimmed(glyphs: &[Glyph]) -> &[Glyph] {
    let start = glyphs.iter().position(|glyph| glyph.gap.is_none()).unwrap_or(0);
    let end = glyphs.iter().rposition(|glyph| glyph.gap.is_none()).map_or(start, |last| last + 1);
    &glyphs[start..end]
}

/// In the query of an address blanks may be written `+`. Elsewhere the sign may belong to a number, so this is done only
/// when nothing else divides the fields and the side to move is written between two such signs.
fn read_plus_as_gap(glyphs: &mut [Glyph]) {
    let side = |window: &[Glyph]| window[0].ch == '+' && matches!(window[1].ch, 'w' | 'b') && window[2].ch == '+';
    if glyphs.iter().any(|glyph| glyph.gap.is_some()) || !glyphs.windows(3).any(side) {
        return;
    }
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.ch == '+') {
        (glyph.ch, glyph.gap) = (' ', Some(Gap::Plus));
    }
}

/// Old captions divide the ranks by commas, strokes or colons; reads these as slashes. None when there is nothing to change.
fn with_slashes(input: &str, record: &[Glyph], issues: &mut Vec<Issue>) -> Option<Vec<Glyph>> {
    if record.iter().any(Glyph::is_slash) {
        return None;
    }
    let count = |divider: char| record.iter().filter(|glyph| glyph.ch == divider).count();
    let divider = [',', '|', ':'].into_iter().find(|&divider| matches!(count(divider), 7 | 9))?;
    let mut slashed: Vec<Glyph> = Vec::with_capacity(record.len());
    let mut reported = false;
    let mut behind_divider = false;
    for glyph in record {
        if glyph.gap.is_some() && behind_divider {
            continue;
        }
        behind_divider = glyph.ch == divider;
        if !behind_divider {
            slashed.push(*glyph);
            continue;
        }
        while slashed.last().is_some_and(|last| last.gap.is_some()) {
            slashed.pop();
        }
        slashed.push(Glyph { ch: '/', ..*glyph });
        if !reported {
            let range = glyph.start as usize..glyph.end as usize;
            issues.push(text::lookalike_issue(input, divider, range, '/'));
            reported = true;
        }
    }
    Some(slashed)
}

/// The game of a record: xiangqi has ten ranks and letters of its own, chess has eight ranks.
fn recognized(record: &[Glyph], tokens: &[Range<usize>]) -> Game {
    let joined = ranks::joined(record, tokens, Game::Xiangqi);
    if joined.is_some() {
        return Game::Xiangqi;
    }
    let Some(first) = tokens.first() else { return Game::Chess };
    let field = &record[first.clone()];
    let rows = field.split(Glyph::is_slash).filter(|rank| !rank.is_empty()).count();
    let has = |letters: &str| field.iter().any(|glyph| letters.contains(glyph.ch));
    let symbols = field.iter().any(|glyph| xiangqi::Piece::from_symbol(glyph.ch).is_some());
    let of_xiangqi = symbols || (has("aAcC") && !has("qQ"));
    match rows {
        10 => Game::Xiangqi,
        8 if !has("9") => Game::Chess,
        _ if of_xiangqi => Game::Xiangqi,
        _ => Game::Chess,
    }
}
