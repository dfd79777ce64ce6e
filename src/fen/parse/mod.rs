//! Any text to a record as it is parsed, with everything that is odd about its spelling.

pub(in crate::fen) mod extract;
pub(in crate::fen) mod ranks;
pub(in crate::fen) mod text;

use std::ops::Range;

use self::text::{Gap, Glyph, digit, span, string};
use super::{
    GameChoice,
    issue::{AnyColor, Field, Issue, Operand, Place, code::Code},
    rules::{
        attacks::attackers,
        castling::{CastlingRight, CastlingSide, letters},
    },
    setup::{Board, xiangqi_color},
};
use crate::games::{
    chess::{Color, Rank, Square},
    game::Game,
};

/// The longest input that is read, in bytes: what the PGN standard, 16.2.3, wants readers to handle.
pub const MOST_BYTES: usize = 1024;

/// A record as it is parsed: each field that can be read, whether or not it makes sense beside the others.
///
/// Where a field cannot be read, it holds what was most likely meant, if anything; the issues tell which.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedRecord {
    /// The game, chosen by the caller or recognized.
    pub game: Game,
    /// The pieces, when every rank is full.
    pub board: Option<Board>,
    /// Who moves. White also stands for Red.
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
    pub(super) written: Vec<(Place, Range<usize>)>,
    /// Whether the board cannot be trusted although it could be guessed.
    pub(super) board_doubtful: bool,
}

impl ParsedRecord {
    fn nothing(game: Game, issue: Issue) -> ParsedRecord {
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
            issues: vec![issue],
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
        return ParsedRecord::nothing(default_game, issue);
    }
    let mut issues = Vec::new();
    let mut glyphs = text::glyphs(input, &mut issues);
    if glyphs.iter().all(|glyph| glyph.gap.is_some()) {
        return ParsedRecord::nothing(default_game, Issue::new(Code::EmptyInput).range(0..input.len()));
    }
    read_plus_as_gap(&mut glyphs);
    let found = extract::locate(&glyphs);
    let slashed = with_slashes(input, &glyphs[found.record.clone()], &mut issues);
    let record: &[Glyph] = slashed.as_deref().unwrap_or(&glyphs[found.record.clone()]);
    let before = &glyphs[..found.record.start];
    let after = &glyphs[found.record.end..];
    let edges = (is_blank(before), is_blank(after));
    // What stands around the record may be written as it likes.
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
    let mut parser =
        Parser { input, game, record, issues, parsed: ParsedRecord::nothing(game, Issue::new(Code::EmptyInput)) };
    parser.parsed.issues.clear();
    parser.placement(&mut tokens);
    let surrounding = parser.rest(tokens, found.in_prose);
    let surplus: Vec<&[Glyph]> =
        [before, &record[surrounding], after].into_iter().filter(|part| !is_blank(part)).collect();
    if let Some(first) = surplus.first() {
        let words: Vec<String> = surplus.iter().map(|part| string(part).trim().to_owned()).collect();
        let issue = Issue::new(Code::WrapperText).range(span(trimmed(first))).with("text", words.join(" ... "));
        parser.issues.push(issue);
    }
    let Parser { mut parsed, issues, .. } = parser;
    parsed.issues = issues;
    parsed
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
/// when nothing else divides the fields and the side stands between two of them.
fn read_plus_as_gap(glyphs: &mut [Glyph]) {
    let side = |window: &[Glyph]| window[0].ch == '+' && matches!(window[1].ch, 'w' | 'b') && window[2].ch == '+';
    if glyphs.iter().any(|glyph| glyph.gap.is_some()) || !glyphs.windows(3).any(side) {
        return;
    }
    for glyph in glyphs.iter_mut().filter(|glyph| glyph.ch == '+') {
        (glyph.ch, glyph.gap) = (' ', Some(Gap::Plus));
    }
}

/// Forsyth of old captions may divide the ranks by commas or strokes; reads these as slashes.
fn with_slashes(input: &str, record: &[Glyph], issues: &mut Vec<Issue>) -> Option<Vec<Glyph>> {
    if record.iter().any(Glyph::is_slash) {
        return None;
    }
    let count = |divider: char| record.iter().filter(|glyph| glyph.ch == divider).count();
    let divider = [',', '|', ':'].into_iter().find(|&divider| matches!(count(divider), 7 | 9))?;
    let mut slashed: Vec<Glyph> = Vec::with_capacity(record.len());
    let mut told = false;
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
        if !told {
            let range = glyph.start as usize..glyph.end as usize;
            issues.push(text::lookalike_issue(input, divider, range, '/'));
            told = true;
        }
    }
    Some(slashed)
}

/// Which game a record is of: ten ranks or the letters of xiangqi against eight and those of chess.
fn recognized(record: &[Glyph], tokens: &[Range<usize>]) -> Game {
    let joined = ranks::joined(record, tokens, Game::Xiangqi);
    if joined.is_some() {
        return Game::Xiangqi;
    }
    let Some(first) = tokens.first() else { return Game::Chess };
    let field = &record[first.clone()];
    let rows = field.split(Glyph::is_slash).filter(|rank| !rank.is_empty()).count();
    let has = |letters: &str| field.iter().any(|glyph| letters.contains(glyph.ch));
    let symbols = field.iter().any(|glyph| crate::games::xiangqi::Piece::from_symbol(glyph.ch).is_some());
    let of_xiangqi = symbols || (has("aAcC") && !has("qQ"));
    match rows {
        10 => Game::Xiangqi,
        8 if !has("9") => Game::Chess,
        _ if of_xiangqi => Game::Xiangqi,
        _ => Game::Chess,
    }
}

struct Parser<'a> {
    input: &'a str,
    game: Game,
    record: &'a [Glyph],
    issues: Vec<Issue>,
    parsed: ParsedRecord,
}

impl Parser<'_> {
    fn text(&self, token: &Range<usize>) -> String {
        string(&self.record[token.clone()])
    }

    fn issue(&self, code: Code, field: Field, token: &Range<usize>) -> Issue {
        Issue::new(code).field(field).range(span(&self.record[token.clone()]))
    }

    /// Reads the first field, and leaves one token for it.
    fn placement(&mut self, tokens: &mut Vec<Range<usize>>) {
        let joined = ranks::joined(self.record, tokens, self.game);
        let owned;
        let field = match joined {
            Some((count, glyphs)) => {
                let whole = tokens[0].start..tokens[count - 1].end;
                let issue = self.issue(Code::SpaceInPlacement, Field::Placement, &whole);
                // The gaps between the parts are told of by this alone.
                let range = span(&self.record[whole.clone()]);
                self.issues.retain(|issue| {
                    let inside = issue.range.as_ref().is_some_and(|r| r.start >= range.start && r.end <= range.end);
                    !(inside && matches!(issue.code, Code::ExtraWhitespace | Code::NonstandardSeparator))
                });
                self.issues.push(issue);
                tokens.splice(..count, [whole]);
                owned = glyphs;
                &owned[..]
            }
            None => tokens.first().map_or(&self.record[..0], |token| &self.record[token.clone()]),
        };
        let pieces = ranks::read(self.input, field, self.game, &mut self.issues);
        self.parsed.board = pieces.board;
        self.parsed.board_doubtful = pieces.doubtful;
        self.parsed.written = pieces.written;
    }

    /// Reads the other fields. Gives the part of the record that turned out to belong to the text around it.
    fn rest(&mut self, mut tokens: Vec<Range<usize>>, in_prose: bool) -> Range<usize> {
        let mut surrounding = self.record.len()..self.record.len();
        if let Some(at) =
            tokens.iter().position(|token| is_three_check(&self.record[token.clone()])).filter(|&at| at >= 4)
        {
            let token = tokens.remove(at);
            self.issues.push(ranks::variant(&self.record[token], "three-check"));
        }
        let mut operations: Option<Range<usize>> = None;
        let mut surplus = false;
        if tokens.len() > 4 && extract::has_operations(self.record) {
            let first = |at: usize| tokens.get(at).is_some_and(|t| self.record[t.start].ch.is_ascii_alphabetic());
            let at = if first(4) { 4 } else { 6 };
            if let (Some(token), Some(last)) = (tokens.get(at), tokens.last()) {
                operations = Some(token.start..last.end);
                tokens.truncate(at);
            }
        } else if tokens.len() > 6 {
            let moves = self.text(&tokens[6]) == "moves";
            if in_prose || moves {
                surrounding = tokens[6].start..self.record.len();
            } else {
                let range = tokens[6].start..tokens[tokens.len() - 1].end;
                let issue = Issue::new(Code::TooManyFields).range(span(&self.record[range.clone()]));
                self.issues.push(issue.with("n", tokens.len()).with("text", self.text(&range)));
                surplus = true;
            }
            tokens.truncate(6);
        }
        let dashes_missing = self.game == Game::Xiangqi
            && matches!(tokens.len(), 3 | 4)
            && tokens[2..].iter().all(|token| self.record[token.clone()].iter().all(|glyph| glyph.ch.is_ascii_digit()));
        let at = |index: usize| -> Option<Range<usize>> {
            let index = match index {
                2 | 3 if dashes_missing => return None,
                4 | 5 if dashes_missing => index - 2,
                index => index,
            };
            tokens.get(index).cloned()
        };
        let fields: [Option<Range<usize>>; 6] = std::array::from_fn(at);
        self.parsed.fields = fields.clone().map(|token| token.map(|token| span(&self.record[token])));
        let [_, side, castling, en_passant, halfmoves, fullmoves] = fields.clone();
        self.side(side.as_ref());
        match self.game {
            Game::Chess => {
                self.castling(castling.as_ref());
                self.en_passant(en_passant.as_ref());
            }
            Game::Xiangqi => {
                self.dash(Field::Castling, castling.as_ref());
                self.dash(Field::EnPassant, en_passant.as_ref());
                self.parsed.castling = Some(Vec::new());
                self.parsed.en_passant = Some(None);
            }
        }
        self.parsed.halfmoves = Some(0);
        self.parsed.fullmoves = Some(1);
        // With fields too many, nobody knows which numbers are the counters.
        if let Some(token) = halfmoves.filter(|_| !surplus) {
            self.parsed.halfmoves = self.counter(Field::Halfmove, &token);
        }
        if let Some(token) = fullmoves.filter(|_| !surplus) {
            self.parsed.fullmoves = self.counter(Field::Fullmove, &token);
        }
        if let Some(operations) = operations {
            self.operations(&operations);
        } else if dashes_missing {
            self.issues.push(self.issue(Code::MissingDashes, Field::Castling, &(tokens[1].end..tokens[2].start)));
        }
        let epd = !self.parsed.operations.is_empty();
        let missing: Vec<Field> = Field::ALL
            .into_iter()
            .zip(&fields)
            .filter(|(field, token)| {
                let spared = (epd && matches!(field, Field::Halfmove | Field::Fullmove))
                    || (dashes_missing && matches!(field, Field::Castling | Field::EnPassant));
                token.is_none() && !spared
            })
            .map(|(field, _)| field)
            .collect();
        if !missing.is_empty() {
            let side = self.parsed.side.unwrap_or(Color::White);
            let default = |field: &Field| match field {
                Field::Side => side.letter().to_string(),
                Field::Halfmove => "0".to_owned(),
                Field::Fullmove => "1".to_owned(),
                _ => "-".to_owned(),
            };
            let defaults: Vec<String> = missing.iter().map(default).collect();
            self.issues.push(
                Issue::new(Code::MissingFields)
                    .range(span(&self.record[self.record.len()..]))
                    .with("n", 6 - missing.len())
                    .with("names", Operand::Fields(missing))
                    .with("defaults", defaults.join(" ")),
            );
            if let Some(issue) = self.issues.last_mut() {
                let end = span(self.record).end;
                issue.range = Some(end..end);
            }
        }
        surrounding
    }

    /// PGN standard 16.1.3.2. Without the field, a check tells.
    fn side(&mut self, token: Option<&Range<usize>>) {
        let Some(token) = token else {
            self.parsed.side = Some(self.inferred_side().unwrap_or(Color::White));
            return;
        };
        let text = self.text(token);
        let side = match (self.game, text.to_lowercase().as_str()) {
            (_, "w" | "white" | "白" | "白方") => Some(Color::White),
            (_, "b" | "black" | "黑" | "黑方") => Some(Color::Black),
            (Game::Xiangqi, "r" | "red" | "红" | "红方" | "紅" | "紅方") => Some(Color::White),
            _ => None,
        };
        let plain = matches!(text.as_str(), "w" | "b");
        let issue = match side {
            Some(_) if plain => None,
            Some(side) => Some(self.issue(Code::SideNonstandard, Field::Side, token).with("side", side.letter())),
            None => Some(self.issue(Code::SideInvalid, Field::Side, token)),
        };
        self.issues.extend(issue.map(|issue| issue.with("text", text)));
        self.parsed.side = side;
    }

    fn inferred_side(&mut self) -> Option<Color> {
        if self.parsed.board_doubtful {
            return None;
        }
        let in_check = |color: Color| match &self.parsed.board {
            Some(Board::Chess(placement)) => {
                placement.king(color).is_some_and(|king| !attackers(placement, king, !color).is_empty())
            }
            Some(Board::Xiangqi(placement)) => crate::games::xiangqi::in_check(placement, xiangqi_color(color)),
            None => false,
        };
        let side = match Color::ALL.map(in_check) {
            [true, false] => Color::White,
            [false, true] => Color::Black,
            _ => return None,
        };
        let player = match self.game {
            Game::Chess => AnyColor::from(side),
            Game::Xiangqi => xiangqi_color(side).into(),
        };
        let issue = Issue::new(Code::SideInferred).field(Field::Side).with("side", Operand::Player(player));
        self.issues.push(issue);
        Some(side)
    }

    /// PGN standard 16.1.3.3, with the letters of Shredder-FEN and X-FEN.
    fn castling(&mut self, token: Option<&Range<usize>>) {
        self.parsed.castling = Some(Vec::new());
        let Some(token) = token else { return };
        let text = self.text(token);
        if text == "-" {
            return;
        }
        let Some(mut rights) = text.chars().map(CastlingRight::from_letter).collect::<Option<Vec<CastlingRight>>>()
        else {
            self.issues.push(self.issue(Code::CastlingInvalid, Field::Castling, token).with("text", text));
            self.parsed.castling = None;
            return;
        };
        let mut unique: Vec<CastlingRight> = Vec::new();
        for &right in &rights {
            if unique.contains(&right) {
                let issue = self.issue(Code::CastlingDuplicate, Field::Castling, token).with("char", right.letter());
                if !self.issues.iter().any(|issue| issue.code == Code::CastlingDuplicate) {
                    self.issues.push(issue);
                }
            } else {
                unique.push(right);
            }
        }
        if !rights.is_sorted_by_key(|right| right.order()) {
            unique.sort_by_key(|right| right.order());
            let issue = self.issue(Code::CastlingOrder, Field::Castling, token).with("want", letters(&unique));
            self.issues.push(issue);
        }
        rights = unique.iter().map(|&right| self.plain_right(right)).collect();
        rights.sort_by_key(|right| right.order());
        rights.dedup();
        if unique.iter().any(|right| matches!(right.side, CastlingSide::File(_))) {
            let x_fen: Vec<CastlingRight> = rights.iter().map(|&right| self.x_fen_right(right)).collect();
            let issue = self.issue(Code::CastlingShredder, Field::Castling, token);
            self.issues.push(issue.with("text", text).with("want", letters(&x_fen)));
        }
        self.parsed.castling = Some(rights);
    }

    /// `H` and `A` are `K` and `Q` where king and rook are at home, or the board is unknown.
    fn plain_right(&self, right: CastlingRight) -> CastlingRight {
        let CastlingSide::File(file) = right.side else { return right };
        let king_at_home = match &self.parsed.board {
            Some(Board::Chess(placement)) => {
                let home = Rank::new(0).seen_by(right.color);
                placement.king(right.color).is_none_or(|king| king.file().index() == 4 && king.rank() == home)
            }
            _ => true,
        };
        match file.index() {
            0 if king_at_home => CastlingRight { side: CastlingSide::Queen, ..right },
            7 if king_at_home => CastlingRight { side: CastlingSide::King, ..right },
            _ => right,
        }
    }

    /// The letter of X-FEN for the rook of a file: `K` or `Q` when it is the outermost on its side.
    fn x_fen_right(&self, right: CastlingRight) -> CastlingRight {
        let Some(Board::Chess(placement)) = &self.parsed.board else { return right };
        let rook = right.rook_in_chess960(placement);
        let outermost = [CastlingSide::King, CastlingSide::Queen]
            .map(|side| CastlingRight { side, ..right })
            .into_iter()
            .find(|outer| rook.is_some() && outer.rook_in_chess960(placement) == rook);
        outermost.unwrap_or(right)
    }

    /// PGN standard 16.1.3.4: the spelling only.
    fn en_passant(&mut self, token: Option<&Range<usize>>) {
        self.parsed.en_passant = Some(None);
        let Some(token) = token else { return };
        let text = self.text(token);
        if text == "-" {
            return;
        }
        let lower = text.to_ascii_lowercase();
        match lower.parse::<Square>() {
            Ok(square) => {
                self.parsed.en_passant = Some(Some(square));
                if text != lower {
                    let issue = self.issue(Code::EpUppercase, Field::EnPassant, token);
                    self.issues.push(issue.with("text", text).with("want", lower));
                }
            }
            Err(_) => {
                self.parsed.en_passant = None;
                self.issues.push(self.issue(Code::EpInvalid, Field::EnPassant, token).with("text", text));
            }
        }
    }

    /// The third and the fourth field of xiangqi, which has no use for them.
    fn dash(&mut self, field: Field, token: Option<&Range<usize>>) {
        let Some(token) = token.filter(|token| self.text(token) != "-") else { return };
        let issue = self.issue(Code::FieldNotDash, field, token).with("n", field as usize + 1);
        self.issues.push(issue.with("text", self.text(token)));
    }

    /// PGN standard 16.1.3.5 and 16.1.3.6: the spelling only.
    fn counter(&mut self, field: Field, token: &Range<usize>) -> Option<u32> {
        let text = self.text(token);
        self.number(field, token, &text)
    }

    fn number(&mut self, field: Field, token: &Range<usize>, text: &str) -> Option<u32> {
        let (first, invalid, negative) = match field {
            Field::Fullmove => (1, Code::FullmoveInvalid, Code::FullmoveNegative),
            _ => (0, Code::HalfmoveInvalid, Code::HalfmoveNegative),
        };
        let issue = |parser: &Self, code| parser.issue(code, field, token).with("text", text.to_owned());
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if text == "-" {
            let issue = issue(self, Code::CounterDash).with("default", first as usize);
            self.issues.push(issue);
            return Some(first);
        }
        if !is_number(text) {
            let negative = text.strip_prefix('-').filter(|digits| is_number(digits)).map(|_| negative);
            self.issues.push(issue(self, negative.unwrap_or(invalid)));
            // A sign too many, or digits of another script: the number is plain.
            let digits = text.strip_prefix('+').unwrap_or(text);
            let value = digits.chars().try_fold(0u32, |sum, ch| sum.checked_mul(10)?.checked_add(digit(ch)?));
            return Some(value.filter(|_| negative.is_none() && !digits.is_empty()).unwrap_or(first).max(first));
        }
        let Ok(value) = text.parse::<u32>() else {
            self.issues.push(issue(self, Code::CounterOverflow));
            return None;
        };
        if text.len() > 1 && text.starts_with('0') {
            let issue = issue(self, Code::CounterLeadingZero).with("want", value);
            self.issues.push(issue);
        }
        if value < first {
            self.issues.push(issue(self, Code::FullmoveZero));
        }
        Some(value.max(first))
    }

    /// PGN standard 16.2.4: opcodes with operands, each ended by a semicolon, which may stand in a quoted operand too.
    fn operations(&mut self, range: &Range<usize>) {
        let glyphs = &self.record[range.clone()];
        let mut quoted = false;
        let mut start = range.start;
        for at in range.start..=range.end {
            let glyph = glyphs.get(at - range.start);
            quoted ^= glyph.is_some_and(|glyph| glyph.ch == '"');
            if !(glyph.is_none() || (glyph.is_some_and(|glyph| glyph.ch == ';') && !quoted)) {
                continue;
            }
            let operation = trimmed(&self.record[start..at]);
            start = at + 1;
            if operation.is_empty() {
                continue;
            }
            let text = string(operation);
            let (opcode, operand) = text.split_once(' ').unwrap_or((&text, ""));
            let token = range.clone();
            match opcode {
                "hmvc" => self.parsed.halfmoves = self.number(Field::Halfmove, &token, operand.trim()),
                "fmvn" => self.parsed.fullmoves = self.number(Field::Fullmove, &token, operand.trim()),
                _ => {}
            }
            self.parsed.operations.push(text);
        }
        let opcodes: Vec<&str> =
            self.parsed.operations.iter().filter_map(|text| text.split_whitespace().next()).collect();
        let issue = Issue::new(Code::EpdRecord).range(span(glyphs)).with("ops", opcodes.join(", "));
        self.issues.push(issue);
    }
}

/// The checks left or given in three-check: `3+3`, or `+0+0`.
fn is_three_check(token: &[Glyph]) -> bool {
    let shape: Vec<char> = token.iter().take(5).map(|glyph| glyph.ch).collect();
    matches!(shape[..], ['0'..='3', '+', '0'..='3'] | ['+', '0'..='3', '+', '0'..='3'])
}
