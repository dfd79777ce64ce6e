//! The vocabulary of xiangqi, Chinese chess, and its rules as far as a position can break them. Nothing here depends on FEN
//! records or on pictures.
//!
//! The board has 90 points, the crossings of nine files, a to i, and ten ranks, 0 to 9. Red has the ranks 0 to 4, and a0
//! is the corner at Red's left hand; between the ranks 4 and 5 runs the river. Each side's palace is the nine points of
//! the files d to f on its first three ranks. The rules are those of the Asian Xiangqi Federation; the numbering of the
//! points is that of UCCI.

mod rules;

use std::{fmt, ops::Not, str::FromStr};

pub use rules::{Finding, attackers, checkers, findings, in_check};

use super::placement::ranks_to_text;

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// Red, which moves first and has capital letters.
    Red,
    /// Black.
    Black,
}

impl Color {
    /// Both colors, Red first.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// `red` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }

    /// `红` or `黑`.
    pub fn name_zh(self) -> &'static str {
        match self {
            Color::Red => "红",
            Color::Black => "黑",
        }
    }

    /// `w` (the first mover, whatever the color) or `b`, as in a FEN.
    pub fn letter(self) -> char {
        match self {
            Color::Red => 'w',
            Color::Black => 'b',
        }
    }

    /// The rank as counted from this side: Black's first rank, 0, is rank 9 of the board.
    fn rank_seen(self, rank: usize) -> usize {
        match self {
            Color::Red => rank,
            Color::Black => Point::RANKS - 1 - rank,
        }
    }

    /// One rank forward, in ranks of the board.
    fn forward(self) -> i32 {
        match self {
            Color::Red => 1,
            Color::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of piece. The names of the variants are those behind the letters of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The general, 帥 or 將: a point along a line, within the palace.
    King,
    /// The advisor, 仕 or 士: a point along a diagonal, within the palace.
    Advisor,
    /// The elephant, 相 or 象: two points along a diagonal on its own side of the river, unless a piece is between.
    Elephant,
    /// The horse, 傌 or 馬: one point along a line, which must be empty, then one along a diagonal.
    Horse,
    /// The chariot, 俥 or 車: any distance along a line.
    Chariot,
    /// The cannon, 炮 or 砲: moves like the chariot, but captures by jumping over exactly one piece.
    Cannon,
    /// The soldier, 兵 or 卒: one point forward, beyond the river also sideways.
    Pawn,
}

impl Role {
    /// All roles.
    pub const ALL: [Role; 7] =
        [Role::King, Role::Advisor, Role::Elephant, Role::Horse, Role::Chariot, Role::Cannon, Role::Pawn];

    /// The name in English.
    pub fn name(self) -> &'static str {
        match self {
            Role::King => "general",
            Role::Advisor => "advisor",
            Role::Elephant => "elephant",
            Role::Horse => "horse",
            Role::Chariot => "chariot",
            Role::Cannon => "cannon",
            Role::Pawn => "pawn",
        }
    }

    /// The name in Chinese, with the character of Black and, where it differs, that of Red.
    pub fn name_zh(self) -> &'static str {
        match self {
            Role::King => "将（帅）",
            Role::Advisor => "士（仕）",
            Role::Elephant => "象（相）",
            Role::Horse => "马",
            Role::Chariot => "车",
            Role::Cannon => "炮",
            Role::Pawn => "卒（兵）",
        }
    }

    /// How many pieces of this role a side begins with, and so has at most: nothing is promoted.
    pub fn most(self) -> usize {
        match self {
            Role::King => 1,
            Role::Pawn => 5,
            _ => 2,
        }
    }
}

/// A piece: its color and role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose piece it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    const LETTERS: &str = "KABNRCPkabnrcp";
    const HANZI: [char; 14] = ['帥', '仕', '相', '傌', '俥', '炮', '兵', '將', '士', '象', '馬', '車', '砲', '卒'];
    const FIRST_SYMBOL: u32 = 0x1FA60;

    /// All fourteen pieces in the order `KABNRCPkabnrcp`.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| Role::ALL.into_iter().map(move |role| Piece { color, role }))
    }

    fn index(self) -> usize {
        self.color as usize * 7 + self.role as usize
    }

    fn from_index(index: usize) -> Piece {
        Piece { color: Color::ALL[index / 7], role: Role::ALL[index % 7] }
    }

    /// The FEN letter, capital for Red.
    pub fn letter(self) -> char {
        char::from(Self::LETTERS.as_bytes()[self.index()])
    }

    /// The letter of the World Xiangqi Federation: as [`letter`](Self::letter), but E for the elephant and H for the
    /// horse.
    pub fn letter_wxf(self) -> char {
        match self.letter() {
            'B' => 'E',
            'b' => 'e',
            'N' => 'H',
            'n' => 'h',
            letter => letter,
        }
    }

    /// The piece of a FEN letter or of one of the federation's letters E and H.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let letter = match letter {
            'E' => 'B',
            'e' => 'b',
            'H' => 'N',
            'h' => 'n',
            letter => letter,
        };
        Self::LETTERS.find(letter).map(Self::from_index)
    }

    /// The traditional character on the piece.
    pub fn hanzi(self) -> char {
        Self::HANZI[self.index()]
    }

    /// The Unicode symbol, U+1FA60 (red general) to U+1FA6D (black soldier).
    pub fn symbol(self) -> char {
        // The block has the roles in the order of `Role::ALL`.
        char::from_u32(Self::FIRST_SYMBOL + self.index() as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// The piece of a Unicode symbol.
    pub fn from_symbol(symbol: char) -> Option<Piece> {
        let index = u32::from(symbol).checked_sub(Self::FIRST_SYMBOL).filter(|&index| index < 14)?;
        Some(Self::from_index(index as usize))
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A point of the board, a0 to i9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// How many points there are.
    pub const COUNT: usize = 90;
    /// How many files, a to i.
    pub const FILES: usize = 9;
    /// How many ranks, 0 to 9.
    pub const RANKS: usize = 10;

    /// The point of a file (0 for a, at Red's left) and a rank (0 for Red's first).
    ///
    /// # Panics
    /// When the file is above 8 or the rank above 9.
    pub fn new(file: usize, rank: usize) -> Point {
        assert!(file < Self::FILES && rank < Self::RANKS, "file {file}, rank {rank}");
        Point((rank * Self::FILES + file) as u8)
    }

    /// The point of an index: 0 is a0, 1 is b0, 89 is i9.
    ///
    /// # Panics
    /// When the index is above 89.
    pub fn from_index(index: usize) -> Point {
        assert!(index < Self::COUNT, "point index {index}");
        Point(index as u8)
    }

    /// All points, a0 first.
    pub fn all() -> impl Iterator<Item = Point> {
        (0..Self::COUNT).map(Point::from_index)
    }

    /// All points in the order of a FEN: a9 to i9, then a8, down to i0.
    pub fn all_in_fen_order() -> impl Iterator<Item = Point> {
        (0..Self::RANKS).rev().flat_map(|rank| (0..Self::FILES).map(move |file| Point::new(file, rank)))
    }

    /// 0 for a0 to 89 for i9.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// 0 for the a-file to 8 for the i-file.
    pub fn file(self) -> usize {
        self.index() % Self::FILES
    }

    /// The letter of the file.
    pub fn file_letter(self) -> char {
        char::from(b'a' + self.file() as u8)
    }

    /// 0 for Red's first rank to 9 for Black's.
    pub fn rank(self) -> usize {
        self.index() / Self::FILES
    }

    /// The point at the same position after half a turn of the board: i9 for a0.
    #[must_use]
    pub fn half_turn(self) -> Point {
        Point(Self::COUNT as u8 - 1 - self.0)
    }

    /// Whether the point lies beyond the river for a piece of this color.
    pub fn is_across_river(self, color: Color) -> bool {
        color.rank_seen(self.rank()) >= 5
    }

    /// Whether the point lies in the palace of this color.
    pub fn is_in_palace(self, color: Color) -> bool {
        (3..=5).contains(&self.file()) && color.rank_seen(self.rank()) <= 2
    }

    /// The point this far away, if it is on the board.
    fn step(self, files: i32, ranks: i32) -> Option<Point> {
        let (file, rank) = (self.file() as i32 + files, self.rank() as i32 + ranks);
        let inside = (0..Self::FILES as i32).contains(&file) && (0..Self::RANKS as i32).contains(&rank);
        inside.then(|| Point::new(file as usize, rank as usize))
    }

    /// The points from here to the edge in one direction, the nearest first.
    fn ray(self, (files, ranks): (i32, i32)) -> impl Iterator<Item = Point> {
        std::iter::successors(self.step(files, ranks), move |point| point.step(files, ranks))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter(), self.rank())
    }
}

/// The text is not one of `a0` to `i9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAPoint;

impl fmt::Display for NotAPoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a point from a0 to i9")
    }
}

impl std::error::Error for NotAPoint {}

impl FromStr for Point {
    type Err = NotAPoint;

    fn from_str(text: &str) -> Result<Point, NotAPoint> {
        match text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Ok(Point::new(usize::from(file - b'a'), usize::from(rank - b'0')))
            }
            _ => Err(NotAPoint),
        }
    }
}

/// Which piece stands on which point.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement([Option<Piece>; Point::COUNT]);

impl Placement {
    /// The board without pieces.
    pub const EMPTY: Placement = Placement([None; Point::COUNT]);

    /// The first field of the record of the position from which a game begins.
    pub const START_TEXT: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

    /// The position from which a game begins.
    pub fn start() -> Placement {
        const BACK: [Role; 5] = [Role::Chariot, Role::Horse, Role::Elephant, Role::Advisor, Role::King];
        let mut placement = Placement::EMPTY;
        for color in Color::ALL {
            let mut put = |file: usize, rank: usize, role: Role| {
                placement.set(Point::new(file, color.rank_seen(rank)), Some(Piece { color, role }));
            };
            (0..Point::FILES).for_each(|file| put(file, 0, BACK[file.min(8 - file)]));
            [1, 7].into_iter().for_each(|file| put(file, 2, Role::Cannon));
            (0..Point::FILES).step_by(2).for_each(|file| put(file, 3, Role::Pawn));
        }
        placement
    }

    /// The piece on a point.
    pub fn get(&self, point: Point) -> Option<Piece> {
        self.0[point.index()]
    }

    /// Puts a piece on a point, or takes it away.
    pub fn set(&mut self, point: Point, piece: Option<Piece>) {
        self.0[point.index()] = piece;
    }

    /// All pieces with their points, a0 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        self.0.iter().enumerate().filter_map(|(index, piece)| Some((Point::from_index(index), (*piece)?)))
    }

    /// The points on which a piece of this kind stands, a0 first.
    pub fn points_of(&self, piece: Piece) -> impl Iterator<Item = Point> {
        self.pieces().filter(move |&(_, other)| other == piece).map(|(point, _)| point)
    }

    /// How many pieces of a kind there are.
    pub fn count(&self, color: Color, role: Role) -> usize {
        self.points_of(Piece { color, role }).count()
    }

    /// The placement on the board turned by half a turn.
    #[must_use]
    pub fn half_turn(&self) -> Placement {
        let mut turned = *self;
        turned.0.reverse();
        turned
    }

    /// The placement with its ranks in reverse, as if it had been written from the bottom up.
    #[must_use]
    pub fn ranks_reversed(&self) -> Placement {
        let mut turned = *self;
        self.0
            .chunks(Point::FILES)
            .rev()
            .zip(turned.0.chunks_mut(Point::FILES))
            .for_each(|(a, b)| b.copy_from_slice(a));
        turned
    }

    /// The placement with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Placement {
        self.ranks_reversed().half_turn()
    }

    /// The same points with the colors of all pieces exchanged.
    #[must_use]
    pub fn colors_swapped(&self) -> Placement {
        Placement(self.0.map(|piece| piece.map(|piece| Piece { color: !piece.color, ..piece })))
    }

    /// The point of the general, if there is exactly one of this color.
    pub fn king(&self, color: Color) -> Option<Point> {
        let mut kings = self.points_of(Piece { color, role: Role::King });
        kings.next().filter(|_| kings.next().is_none())
    }

    /// How many pieces stand between two points of one file or rank.
    fn between(&self, a: Point, b: Point) -> usize {
        let direction = ((b.file() as i32 - a.file() as i32).signum(), (b.rank() as i32 - a.rank() as i32).signum());
        a.ray(direction).take_while(|&point| point != b).filter(|&point| self.get(point).is_some()).count()
    }
}

impl fmt::Display for Placement {
    /// The first field of a FEN: ten ranks, Black's first.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ranks_to_text(self.0.chunks(Point::FILES).rev(), Piece::letter))
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

/// Why a text is not a placement of xiangqi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementError {
    /// There are not ten ranks but this many.
    Ranks(usize),
    /// The rank of this number (9 at the top) does not fill nine points.
    Width(usize),
    /// No piece has this letter.
    Letter(char),
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementError::Ranks(n) => write!(f, "{n} ranks, there must be 10"),
            PlacementError::Width(rank) => write!(f, "rank {rank} does not fill 9 points"),
            PlacementError::Letter(letter) => write!(f, "{letter:?} is no piece letter"),
        }
    }
}

impl std::error::Error for PlacementError {}

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Placement, PlacementError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != Point::RANKS {
            return Err(PlacementError::Ranks(ranks.len()));
        }
        let mut placement = Placement::EMPTY;
        for (text, rank) in ranks.iter().zip((0..Point::RANKS).rev()) {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10).filter(|&n| n > 0) {
                    Some(n) => file += n as usize,
                    None => {
                        let piece = Piece::from_letter(letter).ok_or(PlacementError::Letter(letter))?;
                        if file >= Point::FILES {
                            return Err(PlacementError::Width(rank));
                        }
                        placement.set(Point::new(file, rank), Some(piece));
                        file += 1;
                    }
                }
            }
            if file != Point::FILES {
                return Err(PlacementError::Width(rank));
            }
        }
        Ok(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(text: &str) -> Placement {
        text.parse().unwrap()
    }

    #[test]
    fn letters_and_symbols_return() {
        assert_eq!(Piece::all().map(Piece::letter).collect::<String>(), "KABNRCPkabnrcp");
        assert_eq!(Piece::all().map(Piece::letter_wxf).collect::<String>(), "KAEHRCPkaehrcp");
        assert_eq!(Piece::all().map(Piece::hanzi).collect::<String>(), "帥仕相傌俥炮兵將士象馬車砲卒");
        for piece in Piece::all() {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Piece::from_letter(piece.letter_wxf()), Some(piece));
            assert_eq!(Piece::from_symbol(piece.symbol()), Some(piece));
        }
        assert_eq!(Piece::from_symbol('\u{1FA6B}').map(Piece::letter), Some('r'));
        for wrong in ['q', 'G', 'S', '1', '車', '\u{1FA5F}', '\u{1FA6E}'] {
            assert_eq!((Piece::from_letter(wrong), Piece::from_symbol(wrong)), (None, None), "{wrong}");
        }
    }

    #[test]
    fn points_are_named_and_turned() {
        assert!(Point::all().all(|point| point.to_string().parse() == Ok(point)));
        assert!(Point::all().all(|point| point.half_turn().half_turn() == point));
        let b3: Point = "b3".parse().unwrap();
        assert_eq!((b3.file(), b3.rank(), b3.half_turn().to_string()), (1, 3, "h6".into()));
        assert_eq!(Point::all_in_fen_order().next().unwrap().to_string(), "a9");
        for wrong in ["j0", "a10", "a", "", "A0", "ä0"] {
            assert_eq!(wrong.parse::<Point>(), Err(NotAPoint), "{wrong}");
        }
    }

    #[test]
    fn the_start_is_as_it_is_written() {
        let start = Placement::start();
        assert_eq!(start.to_string(), Placement::START_TEXT);
        assert_eq!(placement(Placement::START_TEXT), start);
        assert!(Piece::all().all(|piece| start.count(piece.color, piece.role) == piece.role.most()));
        assert_eq!(start.ranks_reversed(), start.colors_swapped());
        assert_eq!(start.mirrored(), start);
        assert_eq!(placement("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR"), start);
    }

    #[test]
    fn boards_are_turned() {
        let board = placement("9/9/9/9/9/9/9/9/9/KA7");
        assert_eq!(board.half_turn().to_string(), "7AK/9/9/9/9/9/9/9/9/9");
        assert_eq!(board.ranks_reversed().to_string(), "KA7/9/9/9/9/9/9/9/9/9");
        assert_eq!(board.mirrored().to_string(), "9/9/9/9/9/9/9/9/9/7AK");
        assert_eq!(board.colors_swapped().to_string(), "9/9/9/9/9/9/9/9/9/ka7");
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let refused = |text: &str| text.parse::<Placement>().unwrap_err().to_string();
        assert_eq!(refused("9/9/9/9/9/9/9/9/9"), "9 ranks, there must be 10");
        assert_eq!(refused("9/9/9/9/9/9/9/9/9/9/9"), "11 ranks, there must be 10");
        assert_eq!(refused("9/8/9/9/9/9/9/9/9/9"), "rank 8 does not fill 9 points");
        assert_eq!(refused("9k/9/9/9/9/9/9/9/9/9"), "rank 9 does not fill 9 points");
        assert_eq!(refused("9/9/9/9/9/9/9/9/9/5q3"), "'q' is no piece letter");
        assert_eq!(refused("90/9/9/9/9/9/9/9/9/9"), "'0' is no piece letter");
        assert_eq!(refused(""), "1 ranks, there must be 10");
    }
}
