//! Positions that no game leads to although every rule about pieces and squares is kept: the moves do not add up.
//!
//! While the pawns from the b-file to the g-file have never moved, bishops, queen and king are locked in, and only the
//! knights, the rooks and the pawns on the outer files have moved. A knight changes the shade of its square with every
//! move, and a rook behind its pawns goes to and fro between two squares. So the board shows whether a side has made an
//! even or an odd number of moves. The two numbers are equal with White to move, and differ by one with Black to move.
//! There is no code for such a position: the verdict is "unknown", with the reason in words.

#[cfg(feature = "recognize")]
use super::castling::Castling;
use super::{castling::CastlingRight, pawns::is_unmoved_pawn};
use crate::games::{
    chess::{Color, File, Piece, Rank, Role, Square},
    placement::Placement,
};

/// A proof that no game leads to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fen) enum Contradiction {
    /// The king and queen of this side stand on each other's first square, behind pawns that never moved.
    KingAndQueenExchanged(Color),
    /// The numbers of moves made do not fit the side to move: whether each is odd.
    MoveCounts { white_odd: bool, black_odd: bool },
}

/// A proof that no game leads to the position; none when there is no contradiction, or when the position is not of the kind
/// that can be judged.
pub(in crate::fen) fn contradiction(
    placement: &Placement,
    side: Color,
    rights: &[CastlingRight],
) -> Option<Contradiction> {
    let sides = Color::ALL.map(|color| LockedSide::of(placement, color));
    let [Some(white), Some(black)] = sides else { return None };
    for (color, locked) in [(Color::White, &white), (Color::Black, &black)] {
        if locked.king_and_queen_exchanged {
            return Some(Contradiction::KingAndQueenExchanged(color));
        }
    }
    let white_moves = white.moves(placement, Color::White, rights, black.took_on)?;
    let black_moves = black.moves(placement, Color::Black, rights, white.took_on)?;
    let (white_odd, black_odd) = (white_moves % 2 == 1, black_moves % 2 == 1);
    let fits = (white_odd != black_odd) == (side == Color::Black);
    (!fits).then_some(Contradiction::MoveCounts { white_odd, black_odd })
}

/// The side to move, if the numbers of moves made show it. They do in openings where little but knights has moved, such as
/// the start position, while the castling rights are held.
#[cfg(feature = "recognize")]
pub(crate) fn side_by_moves_made(placement: &Placement, castling: Castling) -> Option<Color> {
    let rights = Vec::from(castling);
    let [white, black] = Color::ALL.map(|side| contradiction(placement, side, &rights).is_some());
    match (white, black) {
        (false, true) => Some(Color::White),
        (true, false) => Some(Color::Black),
        _ => None,
    }
}

/// A side whose bishops, queen and king are locked in.
struct LockedSide {
    /// Whether the king and queen stand on each other's first square, which is impossible.
    king_and_queen_exchanged: bool,
    /// How many moves the pawns of the outer files have made.
    pawn_moves: usize,
    /// The square where such a pawn has captured.
    took_on: Option<Square>,
    /// Whether the pawns on the a-file and the h-file have never moved.
    edges_closed: [bool; 2],
}

impl LockedSide {
    fn of(placement: &Placement, color: Color) -> Option<LockedSide> {
        let at = |file: usize, rank: usize| Square::new(File::new(file), Rank::new(rank).seen_by(color));
        let is = |square: Square, role: Role| placement.get(square) == Some(Piece { color, role });
        let unmoved = |file: usize| is_unmoved_pawn(placement, at(file, 1));
        if !(1..=6).all(unmoved) || ![2, 5].into_iter().all(|file| is(at(file, 0), Role::Bishop)) {
            return None;
        }
        let first_rank = (is(at(3, 0), Role::Queen), is(at(4, 0), Role::King));
        let exchanged = is(at(3, 0), Role::King) && is(at(4, 0), Role::Queen);
        if (first_rank != (true, true) && !exchanged) || placement.count(color, Role::Pawn) != 8 {
            return None;
        }
        let mut pawn_moves = 0;
        let mut took_on = None;
        // A double step has the same result as two single ones, so only pawns on the third rank are judged.
        let third: Vec<usize> = (0..8).filter(|&file| is(at(file, 2), Role::Pawn)).collect();
        let edges_closed = [unmoved(0), unmoved(7)];
        for (edge, inner, closed) in [(0, 1, edges_closed[0]), (7, 6, edges_closed[1])] {
            if closed {
                continue;
            }
            pawn_moves += 1;
            if third.contains(&edge) {
                continue;
            }
            if !third.contains(&inner) || took_on.is_some() {
                return None;
            }
            took_on = Some(at(inner, 2));
        }
        Some(LockedSide { king_and_queen_exchanged: exchanged, pawn_moves, took_on, edges_closed })
    }

    /// A number that is odd when the side has made an odd number of moves; none when the board does not show it.
    /// `captured_on` is the square where it lost a piece to a pawn.
    fn moves(
        &self,
        placement: &Placement,
        color: Color,
        rights: &[CastlingRight],
        captured_on: Option<Square>,
    ) -> Option<usize> {
        let shade = |square: Square| square.file().index() + square.rank().index();
        let mut knights: Vec<Square> = placement.squares_of(Piece { color, role: Role::Knight }).collect();
        let lost = 16usize.checked_sub(placement.pieces().filter(|(_, piece)| piece.color == color).count())?;
        match (lost, captured_on, knights.len()) {
            (0, None, 2) => {}
            (1, Some(square), 1) => knights.push(square),
            _ => return None,
        }
        // The knights begin on squares of different shades.
        let knight_moves = 1 + knights.into_iter().map(shade).sum::<usize>();
        let home = Rank::new(0).seen_by(color);
        let mut rook_moves = 0;
        for (corner, beside, closed) in [(0, 1, self.edges_closed[0]), (7, 6, self.edges_closed[1])] {
            let is_rook = |file: usize| {
                placement.get(Square::new(File::new(file), home)) == Some(Piece { color, role: Role::Rook })
            };
            let keeps_right = rights.iter().any(|&right| {
                let rook = right.rook_in_chess960(placement);
                right.color == color && rook == Some(Square::new(File::new(corner), home))
            });
            match (is_rook(corner), is_rook(beside)) {
                (true, _) if keeps_right => {}
                (true, false) if closed => {}
                (false, true) if closed => rook_moves += 1,
                _ => return None,
            }
        }
        Some(self.pawn_moves + knight_moves + rook_moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::rules::castling::Castling;

    fn doubted(placement: &str, side: Color, castle: bool) -> bool {
        let placement: Placement = placement.parse().unwrap();
        let castling = if castle { Castling::possible(&placement) } else { Castling::NONE };
        contradiction(&placement, side, &Vec::from(castling)).is_some()
    }

    #[test]
    fn moves_add_up() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        assert!(!doubted(start, Color::White, true));
        assert!(doubted(start, Color::Black, true));
        assert!(doubted("rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR", Color::White, true));
        // With the rook free to move, Black may have lost a move.
        assert!(!doubted("rnbqkbnr/1ppppppp/p7/8/8/8/PPPPPPPP/RNBQKBNR", Color::White, false));
        assert!(!doubted("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRBQKBRN", Color::White, false));
        assert!(doubted("rnbqkbnr/pppppppp/8/3N4/8/8/PPPPPPPP/1RBQKBNR", Color::White, false));
        assert!(doubted("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", Color::White, false));
        assert!(doubted("r1bqkbnr/pppppppp/8/8/8/1P6/1PPPPPPP/RNBQKBNR", Color::Black, true));
        assert!(!doubted("r1bqkbnr/1ppppppp/p7/8/8/1P6/1PPPPPPP/RNBQKBNR", Color::Black, true));
    }
}
