//! The vocabulary of chess: colors, pieces and squares. Nothing here depends on FEN or on pictures.

use std::{fmt, ops::Not, str::FromStr};

/// A side of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// White, which moves first.
    White,
    /// Black.
    Black,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// `w` or `b`, as in a FEN.
    pub fn letter(self) -> char {
        match self {
            Color::White => 'w',
            Color::Black => 'b',
        }
    }
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All roles in the order of the models' classes.
    pub const ALL: [Role; 6] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The name in English.
    pub fn name(self) -> &'static str {
        match self {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
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
    const LETTERS: &str = "PNBRQKpnbrqk";

    /// All twelve pieces in FEN order of letters `PNBRQKpnbrqk`.
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL.into_iter().flat_map(|color| Role::ALL.into_iter().map(move |role| Piece { color, role }))
    }

    /// The FEN letter, capital for White.
    pub fn letter(self) -> char {
        let index = self.color as usize * 6 + self.role as usize;
        char::from(Self::LETTERS.as_bytes()[index])
    }

    /// The piece of a FEN letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let index = Self::LETTERS.find(letter)?;
        Some(Piece { color: Color::ALL[index / 6], role: Role::ALL[index % 6] })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A file, a to h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct File(u8);

/// A rank, 1 to 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rank(u8);

impl File {
    /// The file of an index, 0 for a.
    ///
    /// # Panics
    /// When the index is above 7.
    pub fn new(index: usize) -> File {
        assert!(index < 8, "file index {index}");
        File(index as u8)
    }

    /// 0 for a to 7 for h.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Rank {
    /// The rank of an index, 0 for the first.
    ///
    /// # Panics
    /// When the index is above 7.
    pub fn new(index: usize) -> Rank {
        assert!(index < 8, "rank index {index}");
        Rank(index as u8)
    }

    /// 0 for the first rank to 7 for the eighth.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The rank counted from the side of `color`: the first rank of Black is the eighth.
    pub fn seen_by(self, color: Color) -> Rank {
        match color {
            Color::White => self,
            Color::Black => Rank(7 - self.0),
        }
    }
}

/// A square, a1 to h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 64;

    /// The square where a file and a rank meet.
    pub fn new(file: File, rank: Rank) -> Square {
        Square(rank.0 * 8 + file.0)
    }

    /// The square of an index: 0 is a1, 1 is b1, 63 is h8.
    ///
    /// # Panics
    /// When the index is above 63.
    pub fn from_index(index: usize) -> Square {
        assert!(index < Self::COUNT, "square index {index}");
        Square(index as u8)
    }

    /// All squares, a1 first.
    pub fn all() -> impl Iterator<Item = Square> {
        (0..Self::COUNT).map(Square::from_index)
    }

    /// All squares in the order of a FEN: a8 to h8, then a7, down to h1.
    pub fn all_in_fen_order() -> impl Iterator<Item = Square> {
        (0..8).rev().flat_map(|rank| (0..8).map(move |file| Square::new(File::new(file), Rank::new(rank))))
    }

    /// 0 for a1 to 63 for h8.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The file.
    pub fn file(self) -> File {
        File(self.0 % 8)
    }

    /// The rank.
    pub fn rank(self) -> Rank {
        Rank(self.0 / 8)
    }

    /// Whether it is a light square, as h1 is.
    pub fn is_light(self) -> bool {
        (self.file().index() + self.rank().index()) % 2 == 1
    }

    /// The square at the same position after half a turn of the board: h8 for a1.
    #[must_use]
    pub fn half_turn(self) -> Square {
        Square(63 - self.0)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file().0), self.rank().0 + 1)
    }
}

/// The text is not one of `a1` to `h8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotASquare;

impl fmt::Display for NotASquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square from a1 to h8")
    }
}

impl std::error::Error for NotASquare {}

impl FromStr for Square {
    type Err = NotASquare;

    fn from_str(text: &str) -> Result<Square, NotASquare> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Square::new(File(file - b'a'), Rank(rank - b'1'))),
            _ => Err(NotASquare),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_return() {
        let letters: String = Piece::all().map(Piece::letter).collect();
        assert_eq!(letters, "PNBRQKpnbrqk");
        assert!(Piece::all().all(|piece| Piece::from_letter(piece.letter()) == Some(piece)));
        assert_eq!(Piece::from_letter('x'), None);
    }

    #[test]
    fn squares_are_named_and_turned() {
        assert!(Square::all().all(|square| square.to_string().parse() == Ok(square)));
        assert!(Square::all().all(|square| square.half_turn().half_turn() == square));
        let b3: Square = "b3".parse().unwrap();
        assert_eq!(b3.half_turn().to_string(), "g6");
        assert_eq!("i1".parse::<Square>(), Err(NotASquare));
        assert_eq!(Square::all_in_fen_order().next().unwrap().to_string(), "a8");
    }
}
