//! The fields of a record, one after the other: what each says, and what is odd about its spelling.

use std::ops::Range;

use super::{
    ParsedRecord, extract, ranks,
    text::{Glyph, digit, span, string},
    trimmed,
};
use crate::{
    fen::{
        issue::{AnyColor, Field, Issue, Operand, code::Code},
        rules::{
            attacks::attackers,
            castling::{CastlingRight, CastlingSide, letters},
        },
        setup::{Board, xiangqi_color},
    },
    games::{
        chess::{Color, Rank, Square},
        game::Game,
        xiangqi,
    },
};

/// A record while it is read. A token is a range of glyphs of the record.
pub struct Parser<'a> {
    pub input: &'a str,
    pub game: Game,
    pub record: &'a [Glyph],
    pub issues: Vec<Issue>,
    pub parsed: ParsedRecord,
}

/// What follows the fields of a record.
struct Tail {
    /// The operations of an EPD record.
    operations: Option<Range<usize>>,
    /// Whether there are more fields than six.
    surplus: bool,
    /// What belongs to the text around the record.
    surrounding: Range<usize>,
}

/// The token of each field. The counters move up where the two dashes of a xiangqi record are missing.
fn assigned(tokens: &[Range<usize>], dashes_missing: bool) -> [Option<Range<usize>>; 6] {
    std::array::from_fn(|field| {
        let index = match field {
            2 | 3 if dashes_missing => return None,
            4 | 5 if dashes_missing => field - 2,
            _ => field,
        };
        tokens.get(index).cloned()
    })
}

impl Parser<'_> {
    fn text(&self, token: &Range<usize>) -> String {
        string(&self.record[token.clone()])
    }

    fn issue(&self, code: Code, field: Field, token: &Range<usize>) -> Issue {
        Issue::new(code).field(field).range(span(&self.record[token.clone()]))
    }

    /// Reads the first field, and leaves one token for it.
    pub fn placement(&mut self, tokens: &mut Vec<Range<usize>>) {
        let joined = ranks::joined(self.record, tokens, self.game);
        let owned;
        let field = match joined {
            Some((count, glyphs)) => {
                let whole = tokens[0].start..tokens[count - 1].end;
                let issue = self.issue(Code::SpaceInPlacement, Field::Placement, &whole);
                // This alone reports the gaps between the parts.
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
        let read = ranks::read(self.input, field, self.game, &mut self.issues);
        self.parsed.board = read.board;
        self.parsed.board_doubtful = read.doubtful;
        self.parsed.written = read.written;
    }

    /// Reads the other fields. Returns the part of the record that turned out to belong to the text around it.
    pub fn other_fields(&mut self, mut tokens: Vec<Range<usize>>, in_text: bool) -> Range<usize> {
        self.three_check(&mut tokens);
        let Tail { operations, surplus, surrounding } = self.tail(&mut tokens, in_text);
        let dashes_missing = self.are_dashes_missing(&tokens);
        let fields = assigned(&tokens, dashes_missing);
        self.parsed.fields = fields.clone().map(|token| token.map(|token| span(&self.record[token])));
        let [_, side, castling, en_passant, halfmoves, fullmoves] = &fields;
        self.side(side.as_ref());
        self.rights_and_target(castling.as_ref(), en_passant.as_ref());
        // With too many fields it is unknown which numbers are the counters.
        self.counters(halfmoves.as_ref().filter(|_| !surplus), fullmoves.as_ref().filter(|_| !surplus));
        if let Some(operations) = operations {
            self.operations(&operations);
        } else if dashes_missing {
            self.issues.push(self.issue(Code::MissingDashes, Field::Castling, &(tokens[1].end..tokens[2].start)));
        }
        self.missing_fields(&fields, dashes_missing);
        surrounding
    }

    /// Takes out the field that three-check adds.
    fn three_check(&mut self, tokens: &mut Vec<Range<usize>>) {
        let added = tokens.iter().position(|token| is_three_check(&self.record[token.clone()]));
        if let Some(at) = added.filter(|&at| at >= 4) {
            let token = tokens.remove(at);
            self.issues.push(ranks::variant(&self.record[token], "three-check"));
        }
    }

    /// Cuts off what follows the fields: operations, text around the record, or fields too many.
    fn tail(&mut self, tokens: &mut Vec<Range<usize>>, in_text: bool) -> Tail {
        let end = self.record.len();
        let mut tail = Tail { operations: None, surplus: false, surrounding: end..end };
        if tokens.len() > 4 && extract::has_operations(self.record) {
            let is_word = |at: usize| tokens.get(at).is_some_and(|t| self.record[t.start].ch.is_ascii_alphabetic());
            let at = if is_word(4) { 4 } else { 6 };
            if let (Some(token), Some(last)) = (tokens.get(at), tokens.last()) {
                tail.operations = Some(token.start..last.end);
                tokens.truncate(at);
            }
        } else if tokens.len() > 6 {
            if in_text || self.text(&tokens[6]) == "moves" {
                tail.surrounding = tokens[6].start..end;
            } else {
                let range = tokens[6].start..tokens[tokens.len() - 1].end;
                let issue = Issue::new(Code::TooManyFields).range(span(&self.record[range.clone()]));
                self.issues.push(issue.with("n", tokens.len()).with("text", self.text(&range)));
                tail.surplus = true;
            }
            tokens.truncate(6);
        }
        tail
    }

    /// Whether a record of xiangqi goes on with its counters where the two dashes should be.
    fn are_dashes_missing(&self, tokens: &[Range<usize>]) -> bool {
        let is_number = |token: &Range<usize>| self.record[token.clone()].iter().all(|glyph| glyph.ch.is_ascii_digit());
        self.game == Game::Xiangqi && matches!(tokens.len(), 3 | 4) && tokens[2..].iter().all(is_number)
    }

    fn rights_and_target(&mut self, castling: Option<&Range<usize>>, en_passant: Option<&Range<usize>>) {
        match self.game {
            Game::Chess => {
                self.castling(castling);
                self.en_passant(en_passant);
            }
            Game::Xiangqi => {
                self.dash(Field::Castling, castling);
                self.dash(Field::EnPassant, en_passant);
                self.parsed.castling = Some(Vec::new());
                self.parsed.en_passant = Some(None);
            }
        }
    }

    fn counters(&mut self, halfmoves: Option<&Range<usize>>, fullmoves: Option<&Range<usize>>) {
        self.parsed.halfmoves = Some(0);
        self.parsed.fullmoves = Some(1);
        if let Some(token) = halfmoves {
            self.parsed.halfmoves = self.counter(Field::Halfmove, token);
        }
        if let Some(token) = fullmoves {
            self.parsed.fullmoves = self.counter(Field::Fullmove, token);
        }
    }

    /// Reports the fields that are missing and are not given in another form.
    fn missing_fields(&mut self, fields: &[Option<Range<usize>>; 6], dashes_missing: bool) {
        let has_operations = !self.parsed.operations.is_empty();
        let is_elsewhere = |field: Field| match field {
            Field::Halfmove | Field::Fullmove => has_operations,
            Field::Castling | Field::EnPassant => dashes_missing,
            Field::Placement | Field::Side => false,
        };
        let missing: Vec<Field> = Field::ALL
            .into_iter()
            .zip(fields)
            .filter(|&(field, token)| token.is_none() && !is_elsewhere(field))
            .map(|(field, _)| field)
            .collect();
        if missing.is_empty() {
            return;
        }
        let side = self.parsed.side.unwrap_or(Color::White);
        let default = |field: &Field| match field {
            Field::Side => side.letter().to_string(),
            Field::Halfmove => "0".to_owned(),
            Field::Fullmove => "1".to_owned(),
            Field::Placement | Field::Castling | Field::EnPassant => "-".to_owned(),
        };
        let defaults: Vec<String> = missing.iter().map(default).collect();
        let end = span(self.record).end;
        self.issues.push(
            Issue::new(Code::MissingFields)
                .range(end..end)
                .with("n", 6 - missing.len())
                .with("names", Operand::Fields(missing))
                .with("defaults", defaults.join(" ")),
        );
    }

    /// PGN standard 16.1.3.2. Where the field is missing, a check shows which side is to move.
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
            Some(Board::Xiangqi(placement)) => xiangqi::in_check(placement, xiangqi_color(color)),
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

    /// The third and the fourth field, which xiangqi does not use.
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
            // With a plus sign, or in digits of another script, the number can be read all the same.
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

    /// PGN standard 16.2.4: opcodes with operands. A semicolon ends each, unless it is part of a quoted operand.
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

/// The checks that are left or were given in three-check: `3+3`, or `+0+0`.
fn is_three_check(token: &[Glyph]) -> bool {
    let shape: Vec<char> = token.iter().take(5).map(|glyph| glyph.ch).collect();
    matches!(shape[..], ['0'..='3', '+', '0'..='3'] | ['+', '0'..='3', '+', '0'..='3'])
}
