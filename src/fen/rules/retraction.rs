//! Whether any last move can have given a check.
//!
//! Every possible last move of the side that does not move is taken back. Before that move the king now in check was not in
//! check, since a side may not leave its king there. If no move taken back leads to such a position, none of them was
//! played, and the check is impossible. A piece that may have been captured is put back wherever one is missing, so a check
//! that a game can bring about is never called impossible.

use super::{
    attacks::{forward, is_attacked, reach, step},
    pieces::Pieces,
};
use crate::games::{
    chess::{Color, File, Piece, Rank, Role, Square},
    material::Kind,
    placement::Placement,
};

/// Whether some last move can have led to this position, where `checkers` give check to the king on `king`.
///
/// With an en passant target the last move was the double step of the pawn beyond it, and no other is tried. With
/// `any_start` a king that castled may have begun on any square of its rank.
pub(in crate::fen) fn has_last_move(
    placement: &Placement,
    pieces: &Pieces,
    (king, side): (Square, Color),
    checkers: &[Square],
    target: Option<Square>,
    any_start: bool,
) -> bool {
    let mover = !side;
    let quiet = |before: &Placement| !is_attacked(before, king, mover);
    if let Some(target) = target {
        let forward = forward(mover);
        let (Some(to), Some(from)) = (step(target, (0, forward)), step(target, (0, -forward))) else { return true };
        return quiet(&moved(placement, to, from, placement.get(to), None));
    }
    // The last move may have captured a missing piece. Its kind does not matter, since it only blocks lines.
    let victim = (pieces.material.total(side) < 16).then_some(Piece { color: side, role: Role::Knight });
    let moved_last = |to: Square, piece: Piece| {
        let plain = |from: Square, captured: Option<Piece>| quiet(&moved(placement, to, from, Some(piece), captured));
        let from_anywhere = || {
            let origins = reach(placement, to, piece.role);
            origins.into_iter().any(|from| plain(from, None) || (victim.is_some() && plain(from, victim)))
        };
        match piece.role {
            Role::Pawn => pawn_moved(placement, to, mover, victim, &quiet),
            Role::King => from_anywhere() || castled(placement, to, mover, any_start, &quiet),
            _ => {
                from_anywhere()
                    || promoted(placement, to, mover, pieces.material.count(mover, Kind::Pawn), victim, &quiet)
            }
        }
    };
    // Nothing can have stood between the king and a knight or a pawn, so such a checker made the last move.
    let mut direct = checkers
        .iter()
        .copied()
        .filter(|&square| placement.get(square).is_some_and(|piece| matches!(piece.role, Role::Knight | Role::Pawn)));
    if let Some(first) = direct.next() {
        return direct.next().is_none() && placement.get(first).is_some_and(|piece| moved_last(first, piece));
    }
    // Most of the time the last mover gave the check, so the checkers are tried first.
    [true, false].into_iter().any(|gives_check| {
        let is_next =
            |(square, piece): &&(Square, Piece)| piece.color == mover && checkers.contains(square) == gives_check;
        pieces.list.iter().filter(is_next).any(|&(to, piece)| moved_last(to, piece))
    })
}

/// The board before `piece` moved from `from` to `to`, where `captured` stood.
fn moved(placement: &Placement, to: Square, from: Square, piece: Option<Piece>, captured: Option<Piece>) -> Placement {
    let mut before = *placement;
    before.set(to, captured);
    before.set(from, piece);
    before
}

/// Whether the pawn on `to` can have arrived by a step, a double step, a capture or a capture en passant, from a position
/// in which the king was not in check.
fn pawn_moved(
    placement: &Placement,
    to: Square,
    mover: Color,
    victim: Option<Piece>,
    quiet: &impl Fn(&Placement) -> bool,
) -> bool {
    let pawn = placement.get(to);
    let rank = to.rank().seen_by(mover).index();
    let back = -forward(mover);
    let empty = |square: &Square| placement.get(*square).is_none();
    if rank < 2 {
        return false;
    }
    let behind = step(to, (0, back)).filter(empty);
    if behind.is_some_and(|from| quiet(&moved(placement, to, from, pawn, None))) {
        return true;
    }
    let twice_behind = step(to, (0, 2 * back)).filter(|square| rank == 3 && behind.is_some() && empty(square));
    if twice_behind.is_some_and(|from| quiet(&moved(placement, to, from, pawn, None))) {
        return true;
    }
    if victim.is_none() {
        return false;
    }
    [-1, 1].into_iter().filter_map(|file| step(to, (file, back))).filter(empty).any(|from| {
        if quiet(&moved(placement, to, from, pawn, victim)) {
            return true;
        }
        // The pawn taken en passant stood behind `to`, after its double step across `to`.
        let origin = step(to, (0, -back));
        let (Some(taken), Some(_)) = (behind, origin.filter(|square| rank == 5 && empty(square))) else { return false };
        let mut before = moved(placement, to, from, pawn, None);
        before.set(taken, Some(Piece { color: !mover, role: Role::Pawn }));
        quiet(&before)
    })
}

/// Whether the piece on `to` can be a pawn promoted there, from a position in which the king was not in check.
fn promoted(
    placement: &Placement,
    to: Square,
    mover: Color,
    pawns: usize,
    victim: Option<Piece>,
    quiet: &impl Fn(&Placement) -> bool,
) -> bool {
    if to.rank().seen_by(mover).index() != 7 || pawns >= 8 {
        return false;
    }
    let pawn = Some(Piece { color: mover, role: Role::Pawn });
    [-1, 0, 1].into_iter().any(|file| {
        let captured = if file == 0 { None } else { victim };
        let possible = file == 0 || victim.is_some();
        let from = step(to, (file, -forward(mover))).filter(|&from| possible && placement.get(from).is_none());
        from.is_some_and(|from| quiet(&moved(placement, to, from, pawn, captured)))
    })
}

/// Whether the king on `to` can have castled, from a position in which the other king was not in check.
fn castled(
    placement: &Placement,
    to: Square,
    mover: Color,
    any_start: bool,
    quiet: &impl Fn(&Placement) -> bool,
) -> bool {
    let home = Rank::new(0).seen_by(mover);
    let at = |file: usize| Square::new(File::new(file), home);
    let rook = Piece { color: mover, role: Role::Rook };
    [(6, 5, 7), (2, 3, 0)].into_iter().filter(|&(king, _, _)| to == at(king)).any(|(king, rook_now, rook_home)| {
        if placement.get(at(rook_now)) != Some(rook) {
            return false;
        }
        // In Chess960 king and rook can have begun on too many squares for a search to be worth its cost.
        if any_start {
            return true;
        }
        let mut before = *placement;
        before.set(at(king), None);
        before.set(at(rook_now), None);
        let free = before.get(at(4)).is_none() && before.get(at(rook_home)).is_none();
        let passed_free = (rook_home == 7) || before.get(at(1)).is_none();
        before.set(at(4), Some(Piece { color: mover, role: Role::King }));
        before.set(at(rook_home), Some(rook));
        free && passed_free && quiet(&before)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen::rules::attacks::attackers;

    fn possible(placement: &str, target: Option<&str>) -> bool {
        let placement: Placement = placement.parse().unwrap();
        let king = placement.king(Color::Black).unwrap();
        let checkers = attackers(&placement, king, Color::White);
        let target = target.map(|square| square.parse().unwrap());
        has_last_move(&placement, &Pieces::of(&placement), (king, Color::Black), &checkers, target, false)
    }

    #[test]
    fn checks_that_a_move_can_give() {
        for board in [
            "4k3/8/5N2/8/8/8/8/4R1K1", // the knight left the file
            "8/8/3Pk3/8/8/8/B7/4R1K1", // only a capture en passant opens both lines
            "5k2/8/8/8/8/8/8/5RK1",    // castling
            "4k2Q/8/8/8/8/8/8/4K3",    // a plain move, or a promotion
            "8/8/8/3k4/3P4/8/8/3QK3",  // no piece checks
        ] {
            assert!(possible(board, None), "{board}");
        }
        assert!(possible("8/8/8/8/1k1Pp3/8/8/4B1K1", Some("d3")));
    }

    #[test]
    fn checks_that_none_can() {
        for board in [
            "8/8/N7/2k5/N7/8/8/3K4",  // two knights
            "8/8/8/8/8/3k4/4P3/6K1",  // a pawn that never moved
            "8/8/8/R1k1R3/8/8/8/6K1", // two rooks on one rank, neither of which opened it
        ] {
            assert!(!possible(board, None), "{board}");
        }
        assert!(!possible("8/8/8/1k6/3Pp3/8/8/4KQ2", Some("d3")));
    }
}
