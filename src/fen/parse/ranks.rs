//! The first field: ranks of pieces and of counts of empty squares (PGN standard 16.1.3.1).

use std::ops::Range;

use super::{
    extract::squares_of,
    text::{Glyph, column, span, string},
};
use crate::{
    fen::{
        issue::{Field, Issue, Location, Operand, code::Code},
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
pub(super) struct PlacementField {
    /// The board; none when it cannot even be guessed.
    pub board: Option<Board>,
    /// Whether the board is only a guess, or not the whole of the position.
    pub doubtful: bool,
    /// Where in the input each piece was written.
    pub written: Vec<(Location, Range<usize>)>,
}

/// Joins the fields at the beginning of a record that are one placement broken by gaps, if there are any. Returns their
/// number and the joined glyphs.
pub(super) fn joined(record: &[Glyph], tokens: &[Range<usize>], game: Game) -> Option<(usize, Vec<Glyph>)> {
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
pub(super) fn read(input: &str, field: &[Glyph], game: Game, issues: &mut Vec<Issue>) -> PlacementField {
    let mut found = Vec::new();
    let mut read = read_ranks(input, field, game, &mut found);
    for issue in &mut found {
        issue.field = Some(Field::Placement);
    }
    read.doubtful |= found.iter().any(|issue| issue.code.hides_position());
    issues.append(&mut found);
    read
}

fn read_ranks(input: &str, field: &[Glyph], game: Game, issues: &mut Vec<Issue>) -> PlacementField {
    let whole = span(field);
    let (field, bracketed) = without_pocket_in_brackets(field, issues);
    if let Some(slash) = field.iter().find(|glyph| glyph.ch == '\\') {
        issues.push(Issue::new(Code::BackslashSeparator).range(slash.range()));
    }
    let mut ranks = split(input, field, game, issues);
    let ninth = drop_pocket_rank(&mut ranks, field, game, issues);
    check_number(ranks.len(), game, whole, issues);
    let number = ranks.len();
    let mut reader =
        RankReader { input, game, issues, pieces: Vec::with_capacity(32), reported: Vec::new(), complete: true };
    for (row, rank) in ranks.iter().enumerate() {
        let with_slashes = rank.start.saturating_sub(1)..(rank.end + 1).min(field.len());
        reader.rank(row, number, &field[rank.clone()], span(&field[with_slashes]));
    }
    let RankReader { pieces, complete, .. } = reader;
    unusual_pieces(field, game, issues);
    if !complete || number != game.grid().rows {
        return PlacementField { board: None, doubtful: true, written: Vec::new() };
    }
    let (board, written) = board_of(pieces, game);
    PlacementField { board: Some(board), doubtful: bracketed || ninth, written }
}

/// The field without the pocket of crazyhouse in brackets at its end, and whether there was one.
fn without_pocket_in_brackets<'a>(field: &'a [Glyph], issues: &mut Vec<Issue>) -> (&'a [Glyph], bool) {
    match field.iter().position(|glyph| glyph.ch == '[') {
        Some(at) if at > 0 => {
            issues.push(variant(&field[at..], "crazyhouse"));
            (&field[..at], true)
        }
        _ => (field, false),
    }
}

/// The ranks between the slashes. When as many as there must be are filled, the empty ones come from surplus slashes.
fn split(input: &str, field: &[Glyph], game: Game, issues: &mut Vec<Issue>) -> Vec<Range<usize>> {
    let rows = game.grid().rows;
    let mut ranks: Vec<Range<usize>> = Vec::with_capacity(rows);
    let mut from = 0;
    for at in (0..=field.len()).filter(|&at| at == field.len() || field[at].is_slash()) {
        ranks.push(from..at);
        from = at + 1;
    }
    let filled = ranks.iter().filter(|rank| !rank.is_empty()).count();
    if filled == rows && ranks.len() > filled {
        for rank in ranks.iter().filter(|rank| rank.is_empty()) {
            // The slash before the empty rank is surplus, for the first rank the one after it.
            let slash = rank.start.saturating_sub(1);
            let range = span(&field[slash..slash + 1]);
            issues.push(Issue::new(Code::StraySlash).with("pos", column(input, range.start)).range(range));
        }
        ranks.retain(|rank| !rank.is_empty());
    }
    ranks
}

/// Lichess writes the pocket of crazyhouse as a ninth rank. Drops it, and returns whether there was one.
fn drop_pocket_rank(ranks: &mut Vec<Range<usize>>, field: &[Glyph], game: Game, issues: &mut Vec<Issue>) -> bool {
    let rows = game.grid().rows;
    if game != Game::Chess || ranks.len() != rows + 1 {
        return false;
    }
    let pocket = &field[ranks[rows].clone()];
    let is_pocket =
        !pocket.is_empty() && pocket.len() != 8 && pocket.iter().all(|piece| Piece::from_letter(piece.ch).is_some());
    if is_pocket {
        issues.push(variant(pocket, "crazyhouse"));
        ranks.pop();
    }
    is_pocket
}

/// Reports a wrong number of ranks, and the other game if it has that number.
fn check_number(number: usize, game: Game, field: Range<usize>, issues: &mut Vec<Issue>) {
    let want = game.grid().rows;
    if number == want {
        return;
    }
    issues.push(Issue::new(Code::RankCount).range(field.clone()).with("n", number).with("want", want));
    if game == Game::Chess && number == Game::Xiangqi.grid().rows {
        issues.push(Issue::new(Code::LooksLikeXiangqi).range(field.clone()));
    }
    if game == Game::Xiangqi && number == Game::Chess.grid().rows {
        issues.push(Issue::new(Code::LooksLikeChess).range(field));
    }
}

/// The board of the pieces, and where in the input each piece is written.
fn board_of(pieces: Vec<WrittenPiece>, game: Game) -> (Board, Vec<(Location, Range<usize>)>) {
    let mut board = match game {
        Game::Chess => Board::Chess(Placement::EMPTY),
        Game::Xiangqi => Board::Xiangqi(xiangqi::Placement::EMPTY),
    };
    let mut written = Vec::with_capacity(pieces.len());
    for WrittenPiece { row, col, letter, range } in pieces {
        let location: Location = match &mut board {
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
        written.push((location, range));
    }
    (board, written)
}

/// Text of another variant.
pub(super) fn variant(text: &[Glyph], name: &'static str) -> Issue {
    Issue::new(Code::VariantExtension).range(span(text)).with("text", string(text)).with("variant", name)
}

/// A piece with the range of the input where it is written.
struct WrittenPiece {
    /// Row from the top.
    row: usize,
    /// Column from the left.
    col: usize,
    letter: char,
    range: Range<usize>,
}

struct RankReader<'a> {
    input: &'a str,
    game: Game,
    issues: &'a mut Vec<Issue>,
    pieces: Vec<WrittenPiece>,
    /// Characters that were reported already, since one may fill the whole field.
    reported: Vec<char>,
    /// Whether every rank is filled, and with known pieces.
    complete: bool,
}

impl RankReader<'_> {
    /// Reads a rank. `number` is how many ranks there are, `with_slashes` the rank's range with the slashes around it.
    fn rank(&mut self, row: usize, number: usize, rank: &[Glyph], with_slashes: Range<usize>) {
        let width = self.game.grid().cols;
        // Ranks are numbered from the bottom, from 1 in chess and from 0 in xiangqi.
        let number = number - row - usize::from(self.game == Game::Xiangqi);
        if rank.is_empty() {
            let want = Operand::from(width);
            self.issues.push(Issue::new(Code::RankEmpty).range(with_slashes).with("rank", number).with("want", want));
            return;
        }
        let mut filled = 0;
        let mut at = 0;
        while at < rank.len() {
            let glyph = &rank[at];
            let range = glyph.range();
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
                    let square = self.location(row, filled.saturating_sub(1));
                    self.issues.push(
                        Issue::new(Code::PromotedMarker)
                            .range(range)
                            .with("square", square.map_or_else(String::new, |square| square.to_string()))
                            .at(square),
                    );
                }
                ch => {
                    match self.letter(ch) {
                        Some(letter) if row < self.game.grid().rows && filled < width => {
                            self.pieces.push(WrittenPiece { row, col: filled, letter, range });
                        }
                        Some(_) => {}
                        None => self.unknown(number, ch, range),
                    }
                    filled += 1;
                }
            }
        }
        if filled != width {
            self.complete = false;
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

    /// A run of digits, which should be one. Gives their sum.
    fn digits(&mut self, number: usize, run: &[Glyph]) -> usize {
        let sum: usize = run.iter().filter_map(|glyph| glyph.ch.to_digit(10)).map(|n| n as usize).sum();
        if self.game == Game::Chess {
            for nine in run.iter().filter(|glyph| glyph.ch == '9') {
                let range = nine.range();
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

    /// The FEN letter of a piece, in whatever form it is written.
    fn letter(&self, ch: char) -> Option<char> {
        match self.game {
            Game::Chess => Piece::from_letter(ch).or_else(|| figurine(ch)).map(Piece::letter),
            Game::Xiangqi => {
                xiangqi::Piece::from_letter(ch).or_else(|| xiangqi::Piece::from_symbol(ch)).map(xiangqi::Piece::letter)
            }
        }
    }

    fn location(&self, row: usize, col: usize) -> Option<Location> {
        match self.game {
            Game::Chess => (row < 8 && col < 8).then(|| Square::new(File::new(col), Rank::new(7 - row)).into()),
            Game::Xiangqi => (row < 10 && col < 9).then(|| xiangqi::Point::new(col, 9 - row).into()),
        }
    }

    fn unknown(&mut self, number: usize, ch: char, range: Range<usize>) {
        self.complete = false;
        if self.reported.contains(&ch) || self.reported.len() >= 64 {
            return;
        }
        self.reported.push(ch);
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

/// Reports pieces that are not written as a FEN has them: figurines, and the federation's letters in xiangqi. Each once.
fn unusual_pieces(field: &[Glyph], game: Game, issues: &mut Vec<Issue>) {
    let mut reported: Vec<char> = Vec::new();
    for glyph in field {
        let ch = glyph.ch;
        let range = glyph.range();
        let federation = game == Game::Xiangqi && matches!(ch, 'H' | 'h' | 'E' | 'e');
        if federation && !issues.iter().any(|issue| issue.code == Code::LettersHe) {
            issues.push(Issue::new(Code::LettersHe).field(Field::Placement).range(range.clone()));
        }
        if ch.is_ascii() || reported.contains(&ch) {
            continue;
        }
        let letter = match game {
            Game::Chess => figurine(ch).map(Piece::letter),
            Game::Xiangqi => xiangqi::Piece::from_symbol(ch).map(xiangqi::Piece::letter),
        };
        if let Some(ascii) = letter {
            reported.push(ch);
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

/// A hint on where a wrong letter may come from.
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
