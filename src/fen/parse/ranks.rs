//! The first field: ranks of pieces and of counts of empty squares (PGN standard 16.1.3.1).

use std::ops::Range;

use super::{
    extract::squares_of,
    text::{Glyph, column, span, string},
};
use crate::{
    fen::{
        issue::{Field, Issue, Operand, Place, code::Code},
        setup::Board,
    },
    games::{
        chess,
        chess::{File, Piece, Rank, Square},
        game::Game,
        placement::Placement,
        xiangqi,
    },
};

/// The first field as read.
pub(in crate::fen) struct Pieces {
    /// The board; none when it cannot even be guessed.
    pub board: Option<Board>,
    /// Whether the board is a guess only, or not the whole of the position.
    pub doubtful: bool,
    /// Where in the input each piece was written.
    pub written: Vec<(Place, Range<usize>)>,
}

/// Joins the fields at the beginning of a record that make up one placement broken by gaps, if there are such. Gives how
/// many fields there are and the joined glyphs.
pub(in crate::fen) fn joined(record: &[Glyph], tokens: &[Range<usize>], game: Game) -> Option<(usize, Vec<Glyph>)> {
    let grid = game.grid();
    let first = &record[tokens.first()?.clone()];
    if first.split(Glyph::is_slash).filter(|rank| !rank.is_empty()).count() >= grid.rows {
        return None;
    }
    let mut all: Vec<Glyph> = Vec::new();
    // Twice as many parts as ranks: gaps may surround every slash.
    for (index, token) in tokens.iter().enumerate().take(2 * grid.rows) {
        let token = &record[token.clone()];
        let fits = |glyph: &Glyph| glyph.is_slash() || glyph.ch == '~' || squares_of(glyph.ch, game).is_some();
        if !token.iter().all(fits) {
            return None;
        }
        let width = |ranks: &[Glyph]| -> usize {
            let last = ranks.rsplit(Glyph::is_slash).next().unwrap_or_default();
            last.iter().filter_map(|glyph| squares_of(glyph.ch, game)).sum()
        };
        if let Some(last) = all.last().copied()
            && width(&all) == grid.cols
            && !token[0].is_slash()
        {
            all.push(Glyph { ch: '/', gap: None, start: last.end, end: last.end });
        }
        all.extend_from_slice(token);
        let ranks = all.split(Glyph::is_slash);
        if index > 0 && ranks.clone().count() == grid.rows && ranks.clone().all(|rank| width(rank) == grid.cols) {
            // A letter alone that ends the placement is more likely the side to move.
            let names_side = |token: &[Glyph]| {
                let word = string(token).to_lowercase();
                matches!(word.as_str(), "w" | "b" | "r" | "white" | "black" | "red")
            };
            let next = tokens.get(index + 1).map(|next| &record[next.clone()]);
            let plausible = next.map_or(!names_side(token), names_side);
            return plausible.then_some((index + 1, all));
        }
    }
    None
}

/// Reads the first field.
pub(in crate::fen) fn read(input: &str, field: &[Glyph], game: Game, issues: &mut Vec<Issue>) -> Pieces {
    let grid = game.grid();
    let first_issue = issues.len();
    let whole = span(field);
    let mut doubtful = false;

    let mut field = field;
    if let Some(at) = field.iter().position(|glyph| glyph.ch == '[').filter(|&at| at > 0) {
        let pocket = &field[at..];
        issues.push(variant(pocket, "crazyhouse"));
        field = &field[..at];
        doubtful = true;
    }
    if let Some(slash) = field.iter().find(|glyph| glyph.ch == '\\') {
        let range = slash.start as usize..slash.end as usize;
        issues.push(Issue::new(Code::BackslashSeparator).range(range));
    }

    let mut ranks: Vec<Range<usize>> = Vec::with_capacity(grid.rows);
    let mut from = 0;
    for at in (0..=field.len()).filter(|&at| at == field.len() || field[at].is_slash()) {
        ranks.push(from..at);
        from = at + 1;
    }
    let filled = ranks.iter().filter(|rank| !rank.is_empty()).count();
    if filled == grid.rows && ranks.len() > filled {
        // The empty ones are no ranks: the slash before each, or for the first one after it, is surplus.
        for rank in ranks.iter().filter(|rank| rank.is_empty()) {
            let slash = if rank.start == 0 { 0 } else { rank.start - 1 };
            let range = span(&field[slash..slash + 1]);
            issues.push(Issue::new(Code::StraySlash).with("pos", column(input, range.start)).range(range));
        }
        ranks.retain(|rank| !rank.is_empty());
    }
    // Lichess writes the pocket of crazyhouse as a ninth rank.
    if game == Game::Chess && ranks.len() == grid.rows + 1 {
        let pocket = &field[ranks[grid.rows].clone()];
        if !pocket.is_empty() && pocket.len() != 8 && pocket.iter().all(|piece| Piece::from_letter(piece.ch).is_some())
        {
            issues.push(variant(pocket, "crazyhouse"));
            ranks.pop();
            doubtful = true;
        }
    }
    if ranks.len() != grid.rows {
        issues.push(Issue::new(Code::RankCount).range(whole.clone()).with("n", ranks.len()).with("want", grid.rows));
        if game == Game::Chess && ranks.len() == Game::Xiangqi.grid().rows {
            issues.push(Issue::new(Code::LooksLikeXiangqi).range(whole.clone()));
        }
        if game == Game::Xiangqi && ranks.len() == Game::Chess.grid().rows {
            issues.push(Issue::new(Code::LooksLikeChess).range(whole.clone()));
        }
    }

    let count = ranks.len();
    let mut reader =
        Reader { input, game, issues: &mut *issues, pieces: Vec::with_capacity(32), told: Vec::new(), right: true };
    for (row, rank) in ranks.iter().enumerate() {
        let slash_before = rank.start.saturating_sub(1)..(rank.end + 1).min(field.len());
        reader.rank(row, count, &field[rank.clone()], span(&field[slash_before]));
    }
    let Reader { pieces, right, .. } = reader;
    unusual_pieces(field, game, issues);
    for issue in &mut issues[first_issue..] {
        issue.field = Some(Field::Placement);
    }
    doubtful |= issues[first_issue..].iter().any(|issue| issue.code.hides_position());
    if !right || count != grid.rows {
        return Pieces { board: None, doubtful: true, written: Vec::new() };
    }
    let mut board = match game {
        Game::Chess => Board::Chess(Placement::EMPTY),
        Game::Xiangqi => Board::Xiangqi(xiangqi::Placement::EMPTY),
    };
    let mut written = Vec::with_capacity(pieces.len());
    for (row, col, letter, range) in pieces {
        let place: Place = match &mut board {
            Board::Chess(placement) => {
                let square = Square::new(File::new(col), Rank::new(7 - row));
                placement.set(square, Piece::from_letter(letter));
                square.into()
            }
            Board::Xiangqi(placement) => {
                let point = xiangqi::Point::new(col, 9 - row);
                placement.set(point, xiangqi::Piece::from_letter(letter));
                point.into()
            }
        };
        written.push((place, range));
    }
    Pieces { board: Some(board), doubtful, written }
}

/// Text of another variant.
pub(in crate::fen) fn variant(text: &[Glyph], name: &'static str) -> Issue {
    Issue::new(Code::VariantExtension).range(span(text)).with("text", string(text)).with("variant", name)
}

struct Reader<'a> {
    input: &'a str,
    game: Game,
    issues: &'a mut Vec<Issue>,
    /// Row from the top, column from the left, letter, place in the input.
    pieces: Vec<(usize, usize, char, Range<usize>)>,
    /// Characters already told of, since one may fill the whole field.
    told: Vec<char>,
    /// Whether every rank fills its squares with pieces that are known.
    right: bool,
}

impl Reader<'_> {
    fn rank(&mut self, row: usize, count: usize, rank: &[Glyph], around: Range<usize>) {
        let width = self.game.grid().cols;
        // Ranks are numbered from the bottom, from 1 in chess and from 0 in xiangqi.
        let number = count - row - usize::from(self.game == Game::Xiangqi);
        if rank.is_empty() {
            let want = Operand::from(width);
            self.issues.push(Issue::new(Code::RankEmpty).range(around).with("rank", number).with("want", want));
            return;
        }
        let mut filled = 0;
        let mut at = 0;
        while at < rank.len() {
            let glyph = &rank[at];
            let range = glyph.start as usize..glyph.end as usize;
            at += 1;
            match glyph.ch {
                '0' => {
                    let pos = column(self.input, range.start);
                    self.issues.push(Issue::new(Code::DigitZero).range(range).with("pos", pos));
                }
                '1'..='9' => {
                    let run = &rank[at - 1..];
                    let run = &run[..run.iter().take_while(|glyph| matches!(glyph.ch, '1'..='9')).count()];
                    at += run.len() - 1;
                    filled += self.digits(number, run);
                }
                '~' if at >= 2 && self.letter(rank[at - 2].ch).is_some() => {
                    let place = self.place(row, filled.saturating_sub(1));
                    self.issues.push(
                        Issue::new(Code::PromotedMarker)
                            .range(range)
                            .with("square", place.map_or_else(String::new, |place| place.to_string()))
                            .at(place),
                    );
                }
                ch => {
                    match self.letter(ch) {
                        Some(letter) if row < self.game.grid().rows && filled < width => {
                            self.pieces.push((row, filled, letter, range));
                        }
                        Some(_) => {}
                        None => self.unknown(number, ch, range),
                    }
                    filled += 1;
                }
            }
        }
        if filled != width {
            self.right = false;
            self.issues.push(
                Issue::new(Code::RankSum)
                    .range(span(rank))
                    .with("rank", number)
                    .with("text", string(rank))
                    .with("n", filled)
                    .with("want", width)
                    .with("diff", filled.abs_diff(width)),
            );
        }
    }

    /// A run of counts; one would do.
    fn digits(&mut self, number: usize, run: &[Glyph]) -> usize {
        let sum: usize = run.iter().filter_map(|glyph| glyph.ch.to_digit(10)).map(|n| n as usize).sum();
        if self.game == Game::Chess {
            for nine in run.iter().filter(|glyph| glyph.ch == '9') {
                let range = nine.start as usize..nine.end as usize;
                let pos = column(self.input, range.start);
                self.issues.push(Issue::new(Code::DigitNine).range(range).with("pos", pos));
            }
        }
        if run.len() > 1 {
            self.issues.push(
                Issue::new(Code::AdjacentDigits)
                    .range(span(run))
                    .with("rank", number)
                    .with("text", string(run))
                    .with("sum", sum),
            );
        }
        sum
    }

    /// The FEN letter of a piece, with a word on unusual ones.
    fn letter(&self, ch: char) -> Option<char> {
        match self.game {
            Game::Chess => Piece::from_letter(ch).or_else(|| figurine(ch)).map(Piece::letter),
            Game::Xiangqi => {
                xiangqi::Piece::from_letter(ch).or_else(|| xiangqi::Piece::from_symbol(ch)).map(xiangqi::Piece::letter)
            }
        }
    }

    fn place(&self, row: usize, col: usize) -> Option<Place> {
        match self.game {
            Game::Chess => (row < 8 && col < 8).then(|| Square::new(File::new(col), Rank::new(7 - row)).into()),
            Game::Xiangqi => (row < 10 && col < 9).then(|| xiangqi::Point::new(col, 9 - row).into()),
        }
    }

    fn unknown(&mut self, number: usize, ch: char, range: Range<usize>) {
        self.right = false;
        if self.told.contains(&ch) || self.told.len() >= 64 {
            return;
        }
        self.told.push(ch);
        self.issues.push(
            Issue::new(Code::UnknownPiece)
                .with("char", ch)
                .with("pos", column(self.input, range.start))
                .with("rank", number)
                .with("hint", hint(ch, self.game))
                .range(range),
        );
    }
}

/// Tells of pieces that are written unlike a FEN has them: figurines, and the federation's letters in xiangqi. Each once.
fn unusual_pieces(field: &[Glyph], game: Game, issues: &mut Vec<Issue>) {
    let mut told: Vec<char> = Vec::new();
    for glyph in field {
        let ch = glyph.ch;
        let range = glyph.start as usize..glyph.end as usize;
        let federation = game == Game::Xiangqi && matches!(ch, 'H' | 'h' | 'E' | 'e');
        if federation && !issues.iter().any(|issue| issue.code == Code::LettersHe) {
            issues.push(Issue::new(Code::LettersHe).field(Field::Placement).range(range.clone()));
        }
        if ch.is_ascii() || told.contains(&ch) {
            continue;
        }
        let letter = match game {
            Game::Chess => figurine(ch).map(Piece::letter),
            Game::Xiangqi => xiangqi::Piece::from_symbol(ch).map(xiangqi::Piece::letter),
        };
        if let Some(ascii) = letter {
            told.push(ch);
            issues.push(
                Issue::new(Code::UnicodePiece)
                    .field(Field::Placement)
                    .range(range)
                    .with("char", ch)
                    .with("ascii", ascii),
            );
        }
    }
}

/// The piece of a figurine, U+2654 to U+265F.
fn figurine(ch: char) -> Option<Piece> {
    use chess::Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    let index = u32::from(ch).checked_sub(0x2654).filter(|&index| index < 12)? as usize;
    let role = [King, Queen, Rook, Bishop, Knight, Pawn][index % 6];
    Some(Piece { color: chess::Color::ALL[index / 6], role })
}

/// What a wrong letter may come from.
fn hint(ch: char, game: Game) -> Operand {
    let (english, chinese) = match (game, ch) {
        (_, '.' | '-' | '*') => ("; empty squares are counted by a digit", "；空格用数字计数"),
        (_, '\u{212a}') => ("; it only looks like K", "；它只是像 K"),
        (_, '\u{400}'..='\u{4ff}') => ("; it is a Cyrillic letter", "；它是西里尔字母"),
        (_, '\u{370}'..='\u{3ff}') => ("; it is a Greek letter", "；它是希腊字母"),
        (_, '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}') => {
            ("; Chinese characters differ from set to set and are not read", "；汉字写法不一，不予读取")
        }
        (Game::Chess, 'a' | 'A' | 'c' | 'C' | 'e' | 'E' | 'h' | 'H') => {
            ("; it is a letter of xiangqi or of another language", "；它是象棋或其他语言的字母")
        }
        (Game::Chess, 's' | 'S' | 'l' | 'L' | 'd' | 'D' | 't' | 'T') => {
            ("; the letters are the initials of the English names", "；字母为英文名称的首字母")
        }
        (Game::Xiangqi, 'q' | 'Q') => ("; xiangqi has no queen", "；象棋没有后"),
        (Game::Xiangqi, 'g' | 'G') => ("; the general is K", "；将（帅）写作 K"),
        (Game::Xiangqi, 's' | 'S') => ("; the soldier is P, the advisor A", "；兵（卒）写作 P，士（仕）写作 A"),
        _ => ("", ""),
    };
    Operand::Words(english, chinese)
}
