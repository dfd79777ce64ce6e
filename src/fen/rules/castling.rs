//! The third field: castling rights (PGN standard 16.1.3.3), and what X-FEN and Shredder-FEN make of it for Chess960.

use std::fmt;

use crate::{
    fen::issue::{Issue, Operand, code::Code},
    games::{
        chess::{Color, File, Piece, Rank, Role, Square},
        placement::Placement,
    },
};

/// A set of castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Castling {
    /// White on the king's side, `K`.
    pub white_king: bool,
    /// White on the queen's side, `Q`.
    pub white_queen: bool,
    /// Black on the king's side, `k`.
    pub black_king: bool,
    /// Black on the queen's side, `q`.
    pub black_queen: bool,
}

impl Castling {
    /// No right at all, `-`.
    pub const NONE: Castling =
        Castling { white_king: false, white_queen: false, black_king: false, black_queen: false };

    /// The rights whose king and rook are at home. No others can be held.
    pub fn possible(placement: &Placement) -> Castling {
        let home = |color: Color, file: usize, role: Role| {
            let square = Square::new(File::new(file), Rank::new(0).seen_by(color));
            placement.get(square) == Some(Piece { color, role })
        };
        let right = |color, rook| home(color, 4, Role::King) && home(color, rook, Role::Rook);
        Castling {
            white_king: right(Color::White, 7),
            white_queen: right(Color::White, 0),
            black_king: right(Color::Black, 7),
            black_queen: right(Color::Black, 0),
        }
    }

    /// The rights that are in both sets.
    #[must_use]
    pub fn and(self, other: Castling) -> Castling {
        Castling {
            white_king: self.white_king && other.white_king,
            white_queen: self.white_queen && other.white_queen,
            black_king: self.black_king && other.black_king,
            black_queen: self.black_queen && other.black_queen,
        }
    }
}

impl fmt::Display for Castling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Castling::NONE {
            return f.write_str("-");
        }
        let rights = [(self.white_king, "K"), (self.white_queen, "Q"), (self.black_king, "k"), (self.black_queen, "q")];
        rights.iter().filter(|(held, _)| *held).try_for_each(|(_, letter)| f.write_str(letter))
    }
}

impl From<&[Right]> for Castling {
    /// The rights named `K`, `Q`, `k` and `q`; those of a rook that Shredder-FEN names by its file are not of plain chess.
    fn from(rights: &[Right]) -> Castling {
        let holds = |color, wing| rights.contains(&Right { color, wing });
        Castling {
            white_king: holds(Color::White, CastlingSide::King),
            white_queen: holds(Color::White, CastlingSide::Queen),
            black_king: holds(Color::Black, CastlingSide::King),
            black_queen: holds(Color::Black, CastlingSide::Queen),
        }
    }
}

impl From<Castling> for Vec<Right> {
    fn from(castling: Castling) -> Vec<Right> {
        let Castling { white_king, white_queen, black_king, black_queen } = castling;
        [
            (white_king, Color::White, CastlingSide::King),
            (white_queen, Color::White, CastlingSide::Queen),
            (black_king, Color::Black, CastlingSide::King),
            (black_queen, Color::Black, CastlingSide::Queen),
        ]
        .into_iter()
        .filter(|&(held, ..)| held)
        .map(|(_, color, wing)| Right { color, wing })
        .collect()
    }
}

/// Which rook a castling right is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastlingSide {
    /// On the king's side, `K`: in X-FEN the outermost rook there.
    King,
    /// On the queen's side, `Q`: in X-FEN the outermost rook there.
    Queen,
    /// The rook of this file, as Shredder-FEN names it.
    File(File),
}

/// A castling right as a record states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Right {
    /// Whose right.
    pub color: Color,
    /// With which rook.
    pub wing: CastlingSide,
}

impl Right {
    /// The letter of a right: `KQkq`, or in Shredder-FEN `A` to `H` and `a` to `h`.
    pub fn letter(self) -> char {
        let letter = match self.wing {
            CastlingSide::King => 'K',
            CastlingSide::Queen => 'Q',
            CastlingSide::File(file) => char::from(b'A' + file.index() as u8),
        };
        match self.color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The right of a letter, without a look at the board.
    pub fn from_letter(letter: char) -> Option<Right> {
        let wing = match letter.to_ascii_uppercase() {
            'K' => CastlingSide::King,
            'Q' => CastlingSide::Queen,
            file @ 'A'..='H' => CastlingSide::File(File::new(usize::from(file as u8 - b'A'))),
            _ => return None,
        };
        Some(Right { color: if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, wing })
    }

    /// The place of the right among others: White first, the king's side first.
    pub(in crate::fen) fn order(self) -> (Color, usize) {
        let from_the_right = match self.wing {
            CastlingSide::King => 0,
            CastlingSide::File(file) => 8 - file.index(),
            CastlingSide::Queen => 9,
        };
        (self.color, from_the_right)
    }

    /// The square of the rook, if a king and a rook stand as Chess960 wants it: the king on the first rank between rooks,
    /// and for `K` and `Q` the outermost rook on that side (X-FEN).
    pub fn rook_in_chess960(self, placement: &Placement) -> Option<Square> {
        let rank = Rank::new(0).seen_by(self.color);
        let king = placement.king(self.color).filter(|king| king.rank() == rank)?;
        let rook = Piece { color: self.color, role: Role::Rook };
        let is_rook = |&file: &usize| placement.get(Square::new(File::new(file), rank)) == Some(rook);
        let king = king.file().index();
        let file = match self.wing {
            CastlingSide::King => (king + 1..8).rev().find(is_rook),
            CastlingSide::Queen => (0..king).find(is_rook),
            CastlingSide::File(file) => Some(file.index()).filter(is_rook),
        }?;
        // A rook stands on either side of the king when a game of Chess960 begins, so he is never in a corner.
        (1..7).contains(&king).then(|| Square::new(File::new(file), rank))
    }
}

/// The letters of rights, or `-`.
pub(in crate::fen) fn letters(rights: &[Right]) -> String {
    if rights.is_empty() { "-".to_owned() } else { rights.iter().map(|right| right.letter()).collect() }
}

/// The squares of king and rook from which a right is used in plain chess; none for rooks of other files.
fn homes(right: Right) -> Option<(Square, Square)> {
    let rank = Rank::new(0).seen_by(right.color);
    let rook = match right.wing {
        CastlingSide::King => 7,
        CastlingSide::Queen => 0,
        CastlingSide::File(_) => return None,
    };
    Some((Square::new(File::new(4), rank), Square::new(File::new(rook), rank)))
}

/// Whether king and rook stand so that a right can be held.
pub(in crate::fen) fn is_possible(placement: &Placement, right: Right, chess960: bool) -> bool {
    let at_home = homes(right).is_some_and(|(king, rook)| {
        placement.get(king) == Some(Piece { color: right.color, role: Role::King })
            && placement.get(rook) == Some(Piece { color: right.color, role: Role::Rook })
    });
    at_home || (chess960 && right.rook_in_chess960(placement).is_some())
}

/// Whether all rights can be held together in Chess960, where both sides begin with king and rooks on the same files.
pub(in crate::fen) fn are_possible_in_chess960(placement: &Placement, rights: &[Right]) -> bool {
    let mut kings: Vec<File> = Vec::new();
    let mut rooks: [Vec<File>; 2] = Default::default();
    for right in rights {
        let (Some(rook), Some(king)) = (right.rook_in_chess960(placement), placement.king(right.color)) else {
            return false;
        };
        kings.push(king.file());
        rooks[usize::from(rook.file() > king.file())].push(rook.file());
    }
    let same = |files: &[File]| files.windows(2).all(|pair| pair[0] == pair[1]);
    same(&kings) && rooks.iter().all(|files| same(files))
}

/// What speaks against the rights.
pub(in crate::fen) fn examine(placement: &Placement, rights: &[Right], chess960: bool, issues: &mut Vec<Issue>) {
    let wrong: Vec<Right> = rights.iter().copied().filter(|&right| !is_possible(placement, right, chess960)).collect();
    if wrong.is_empty() {
        return;
    }
    for color in Color::ALL {
        let rank = Rank::new(0).seen_by(color);
        let king_home = Square::new(File::new(4), rank);
        let king_at_home = placement.get(king_home) == Some(Piece { color, role: Role::King });
        let king_on_rank = placement.king(color).is_some_and(|king| king.rank() == rank);
        let operand = Operand::Color(color.into());
        let of_color = || wrong.iter().copied().filter(|right| right.color == color);
        let kingless: Vec<Right> = of_color()
            .filter(|right| match right.wing {
                CastlingSide::File(_) => !king_on_rank,
                _ => !king_at_home,
            })
            .collect();
        if !kingless.is_empty() {
            issues.push(
                Issue::new(Code::CastlingWithoutKing)
                    .with("rights", letters(&kingless))
                    .with("color", operand.clone())
                    .with("square", king_home)
                    .at([king_home]),
            );
        }
        for right in of_color() {
            let rook_home = match right.wing {
                CastlingSide::King => Square::new(File::new(7), rank),
                CastlingSide::Queen => Square::new(File::new(0), rank),
                CastlingSide::File(file) => Square::new(file, rank),
            };
            let rook_there = placement.get(rook_home) == Some(Piece { color, role: Role::Rook });
            if !rook_there {
                issues.push(
                    Issue::new(Code::CastlingWithoutRook)
                        .with("right", right.letter())
                        .with("color", operand.clone())
                        .with("square", rook_home)
                        .at([rook_home]),
                );
            } else if let (CastlingSide::File(file), true) = (right.wing, king_on_rank) {
                let letter = char::from(b'a' + file.index() as u8);
                issues.push(Issue::new(Code::CastlingChess960Only).with("file", letter).at([rook_home]));
            }
        }
    }
    if !chess960 && are_possible_in_chess960(placement, rights) {
        issues.push(Issue::new(Code::Chess960Rights));
    }
}
