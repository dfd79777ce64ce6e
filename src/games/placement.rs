//! The first field of a FEN as a value: which piece stands on which square.

use std::{fmt, str::FromStr};

use super::chess::{Color, Piece, Role, Square};

/// Which piece stands on which square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement([Option<Piece>; Square::COUNT]);

impl Placement {
    /// The board without pieces.
    pub const EMPTY: Placement = Placement([None; Square::COUNT]);

    /// The piece on a square.
    pub fn get(&self, square: Square) -> Option<Piece> {
        self.0[square.index()]
    }

    /// Puts a piece on a square, or takes it away.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[square.index()] = piece;
    }

    /// The squares on which a piece stands, a1 first.
    pub fn squares_of(&self, piece: Piece) -> impl Iterator<Item = Square> {
        self.pieces().filter(move |&(_, other)| other == piece).map(|(square, _)| square)
    }

    /// How many pieces of a kind there are.
    pub fn count(&self, color: Color, role: Role) -> usize {
        self.squares_of(Piece { color, role }).count()
    }

    /// All pieces with their squares, a1 first.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.0.iter().enumerate().filter_map(|(index, piece)| Some((Square::from_index(index), (*piece)?)))
    }

    /// The square of the king, if there is exactly one of this color.
    pub fn king(&self, color: Color) -> Option<Square> {
        let mut kings = self.squares_of(Piece { color, role: Role::King });
        kings.next().filter(|_| kings.next().is_none())
    }

    /// The placement on the board turned by half a turn.
    #[must_use]
    pub fn half_turn(&self) -> Placement {
        let mut turned = *self;
        turned.0.reverse();
        turned
    }

    /// The placement with its ranks in reverse, as if it had been written from the first rank up.
    #[must_use]
    pub fn ranks_reversed(&self) -> Placement {
        self.half_turn().mirrored()
    }

    /// The placement with left and right exchanged.
    #[must_use]
    pub fn mirrored(&self) -> Placement {
        let mut turned = *self;
        turned.0.chunks_mut(8).for_each(<[_]>::reverse);
        turned
    }

    /// The same squares with the colors of all pieces exchanged.
    #[must_use]
    pub fn colors_swapped(&self) -> Placement {
        Placement(self.0.map(|piece| piece.map(|piece| Piece { color: !piece.color, ..piece })))
    }
}

impl fmt::Display for Placement {
    /// The first field of a FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&ranks_to_text(self.0.chunks(8).rev(), Piece::letter))
    }
}

/// The first field of a FEN of any game: ranks from the far side to the near one, pieces by their letters and runs of up to
/// nine empty squares by their length.
pub(crate) fn ranks_to_text<'a, P: Copy + 'a>(
    ranks: impl Iterator<Item = &'a [Option<P>]>,
    letter: impl Fn(P) -> char,
) -> String {
    let mut text = String::with_capacity(100);
    for (row, rank) in ranks.enumerate() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for piece in rank.iter().map(Some).chain([None]) {
            // A run of empty squares ends at a piece and at the edge.
            if empty > 0 && !matches!(piece, Some(None)) {
                text.push(char::from(b'0' + empty));
                empty = 0;
            }
            match piece {
                Some(None) => empty += 1,
                Some(Some(piece)) => text.push(letter(*piece)),
                None => {}
            }
        }
    }
    text
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

/// Why a text is not a placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementError {
    /// There are not eight ranks but this many.
    Ranks(usize),
    /// The rank of this number (8 at the top) does not fill eight squares.
    Width(usize),
    /// No piece has this letter.
    Letter(char),
}

impl fmt::Display for PlacementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlacementError::Ranks(n) => write!(f, "{n} ranks, there must be 8"),
            PlacementError::Width(rank) => write!(f, "rank {rank} does not fill 8 squares"),
            PlacementError::Letter(letter) => write!(f, "{letter:?} is no piece letter"),
        }
    }
}

impl std::error::Error for PlacementError {}

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Placement, PlacementError> {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != 8 {
            return Err(PlacementError::Ranks(ranks.len()));
        }
        let mut placement = Placement::EMPTY;
        let squares: Vec<Square> = Square::all_in_fen_order().collect();
        for (row, (rank, squares)) in ranks.iter().zip(squares.chunks(8)).enumerate() {
            let mut file = 0;
            for letter in rank.chars() {
                match letter.to_digit(9).filter(|&n| n > 0) {
                    Some(n) => file += n as usize,
                    None => {
                        let piece = Piece::from_letter(letter).ok_or(PlacementError::Letter(letter))?;
                        let square = squares.get(file).ok_or(PlacementError::Width(8 - row))?;
                        placement.set(*square, Some(piece));
                        file += 1;
                    }
                }
            }
            if file != 8 {
                return Err(PlacementError::Width(8 - row));
            }
        }
        Ok(placement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn bad_placements_say_why() {
        assert_eq!("8/8".parse::<Placement>(), Err(PlacementError::Ranks(2)));
        assert_eq!(START.replace("8/8/8/8", "8/8/9/8").parse::<Placement>(), Err(PlacementError::Letter('9')));
        assert_eq!(START.replace("8/8/8/8", "8/8/71P/8").parse::<Placement>(), Err(PlacementError::Width(4)));
        assert_eq!(START.replace("8/8/8/8", "8/8/7/8").parse::<Placement>(), Err(PlacementError::Width(4)));
    }

    #[test]
    fn boards_are_turned() {
        let board: Placement = "r6k/8/8/8/8/8/1P6/K7".parse().unwrap();
        assert_eq!(board.half_turn().to_string(), "7K/6P1/8/8/8/8/8/k6r");
        assert_eq!(board.ranks_reversed().to_string(), "K7/1P6/8/8/8/8/8/r6k");
        assert_eq!(board.mirrored().to_string(), "k6r/8/8/8/8/8/6P1/7K");
        assert_eq!(board.colors_swapped().to_string(), "R6K/8/8/8/8/8/1p6/k7");
    }
}
