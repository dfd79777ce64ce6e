//! Whether a move can have been the last one.
//!
//! Only how the piece moves is checked. The board before the move is not known, since a capture leaves no trace. The caller
//! must check whether the mover left its king in check.

use super::attacks::{forward, reach, step};
use crate::games::{
    chess::{Color, File, Piece, Rank, Role, Square},
    placement::Placement,
};

/// Whether the piece on `to` can have moved there from `from` just now: `from` is empty, the squares between are empty, and
/// the piece can make this move (or, on the last rank, a pawn that became this piece).
pub(crate) fn can_be_last_move(placement: &Placement, from: Square, to: Square) -> bool {
    let Some(piece) = placement.get(to) else { return false };
    if placement.get(from).is_some() {
        return false;
    }
    match piece.role {
        Role::Pawn => to.rank().seen_by(piece.color).index() < 7 && is_pawn_move(placement, from, to, piece.color),
        // These pieces move back as they moved there, and the squares between have not changed since.
        role if reach(placement, to, role).contains(&from) => true,
        Role::King => last_castling_moves(placement, piece.color)
            .any(|castling| (castling.king_from, castling.king_to) == (from, to)),
        _ => to.rank().seen_by(piece.color).index() == 7 && is_pawn_move(placement, from, to, piece.color),
    }
}

fn is_pawn_move(placement: &Placement, from: Square, to: Square, mover: Color) -> bool {
    let back = |square: Square, file: i32| step(square, (file, -forward(mover)));
    let twice = || {
        let passed = back(to, 0).filter(|&passed| placement.get(passed).is_none());
        passed.and_then(|passed| back(passed, 0)) == Some(from)
    };
    match from.rank().seen_by(mover).index() {
        0 => false,
        1 if twice() => true,
        _ => [-1, 0, 1].into_iter().any(|file| back(to, file) == Some(from)),
    }
}

/// The squares of king and rook before and after castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CastlingMove {
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
}

/// The castling moves that a side can have made just now: king and rook stand where castling leaves them, and the squares
/// that they left are empty.
pub(crate) fn last_castling_moves(placement: &Placement, mover: Color) -> impl Iterator<Item = CastlingMove> {
    let home = Rank::new(0).seen_by(mover);
    let at = move |file: usize| Square::new(File::new(file), home);
    let is = move |placement: &Placement, file, role| placement.get(at(file)) == Some(Piece { color: mover, role });
    let stands = [(6, 5, 7), (2, 3, 0)].into_iter().filter(move |&(king, rook, corner)| {
        is(placement, king, Role::King)
            && is(placement, rook, Role::Rook)
            && [4, corner].into_iter().all(|file| placement.get(at(file)).is_none())
            && (corner == 7 || placement.get(at(1)).is_none())
    });
    stands.map(move |(king, _, corner)| CastlingMove { king_from: at(4), king_to: at(king), rook_from: at(corner) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves of a list that can be the last one.
    fn possible(placement: &str, moves: &str) -> String {
        let placement: Placement = placement.parse().unwrap();
        let square = |text: &str| text.parse().unwrap();
        let possible = moves.split(' ').filter(|m| can_be_last_move(&placement, square(&m[..2]), square(&m[2..])));
        possible.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_move_as_they_can() {
        let board = "4k3/8/8/3p4/1N3Q2/8/4P3/R3K3";
        assert_eq!(possible(board, "d3b4 c2b4 c3b4 d5b4"), "d3b4 c2b4");
        assert_eq!(possible(board, "f1f4 a4f4 c4f4 f8f4 h6f4 c1f4"), "f1f4 c4f4 f8f4 h6f4 c1f4");
        assert_eq!(possible(board, "d7d5 d6d5 c6d5 c7d5 d4d5 d8d5"), "d7d5 d6d5 c6d5");
        assert_eq!(possible(board, "e3e2 e1e2 d1e2 d1e1 g1e1 c1a1 b2a1"), "d1e1 c1a1");
    }

    #[test]
    fn pawns_step_once_or_twice_and_become_pieces() {
        assert_eq!(possible("4k3/8/8/8/4P3/8/8/4K3", "e2e4 e3e4 d3e4 e5e4 d2e4"), "e2e4 e3e4 d3e4");
        assert_eq!(possible("4k3/8/8/8/4P3/4n3/8/4K3", "e2e4 d3e4"), "d3e4");
        assert_eq!(possible("4k1N1/8/8/8/8/8/8/4K3", "g7g8 h7g8 f6g8 g6g8"), "g7g8 h7g8 f6g8");
        assert_eq!(possible("4k1P1/8/8/8/8/8/8/4K3", "g7g8"), "");
        assert_eq!(possible("4k3/8/8/8/8/8/8/1n2K3", "b2b1 a2b1 a3b1 b7b1"), "b2b1 a2b1 a3b1");
    }

    #[test]
    fn kings_castle() {
        assert_eq!(possible("2kr4/8/8/8/8/8/8/5RK1", "e1g1 e8c8 f1g1 d8c8 e1c1"), "e1g1 e8c8");
        assert_eq!(possible("2kr4/8/8/8/8/8/8/5RKR", "e1g1"), "");
        assert_eq!(possible("1nkr4/8/8/8/8/8/8/5BK1", "e1g1 e8c8"), "");
    }
}
