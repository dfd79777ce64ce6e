//! The fourth field: the en passant target, in its three meanings.
//!
//! * The PGN standard, 16.1.3.4, has the square behind a pawn that has just moved two squares, whether or not a pawn can
//!   take there.
//! * X-FEN has it only where a pawn of the other side stands ready to take.
//! * Some programs have it only where such a capture is legal.

use super::attacks::{forward, is_attacked, step};
use crate::{
    fen::issue::{Issue, Operand, code::Code},
    games::{
        chess::{Color, Piece, Rank, Role, Square},
        placement::Placement,
    },
};

/// What an en passant target means with a placement and a side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EnPassantStatus {
    /// No pawn can have passed the square just now.
    Impossible,
    /// A pawn may have passed it; no pawn can take there.
    NotCapturable,
    /// A pawn stands ready to take, but would leave its king in check.
    CaptureIllegal,
    /// A pawn can take there.
    Capturable,
}

/// The status of an en passant target with `side` to move.
pub fn en_passant_status(placement: &Placement, side: Color, target: Square) -> EnPassantStatus {
    let mut errors = Vec::new();
    target_errors(placement, side, target, &mut errors);
    if errors.is_empty() { capture(placement, side, target) } else { EnPassantStatus::Impossible }
}

/// The square of the pawn that has just passed the target, and the square from which it moved.
fn pawn_and_origin(side: Color, target: Square) -> Option<(Square, Square)> {
    let forward = forward(!side);
    Some((step(target, (0, forward))?, step(target, (0, -forward))?))
}

/// The status of a target that a pawn may have passed.
fn capture(placement: &Placement, side: Color, target: Square) -> EnPassantStatus {
    let Some((pawn, _)) = pawn_and_origin(side, target) else { return EnPassantStatus::Impossible };
    let own = Piece { color: side, role: Role::Pawn };
    let ready = [-1, 1].into_iter().filter_map(|file| step(pawn, (file, 0))).filter(|&s| placement.get(s) == Some(own));
    let mut best = EnPassantStatus::NotCapturable;
    for from in ready {
        let mut after = *placement;
        after.set(from, None);
        after.set(pawn, None);
        after.set(target, Some(own));
        if placement.king(side).is_none_or(|king| !is_attacked(&after, king, !side)) {
            return EnPassantStatus::Capturable;
        }
        best = EnPassantStatus::CaptureIllegal;
    }
    best
}

/// Reports what makes a target impossible.
fn target_errors(placement: &Placement, side: Color, target: Square, issues: &mut Vec<Issue>) {
    let mover = !side;
    let own = Some(Piece { color: mover, role: Role::Pawn });
    let operand = Operand::Color(mover.into());
    let seen = target.rank().seen_by(mover).index();
    let named = Square::new(target.file(), Rank::new(2).seen_by(mover));
    if seen == 3 && placement.get(target) == own {
        issues.push(Issue::new(Code::EpNamesPawnSquare).with("square", target).with("want", named).at([target]));
        return;
    }
    let (Some((pawn, origin)), 2) = (pawn_and_origin(side, target), seen) else {
        issues.push(
            Issue::new(Code::EpWrongRank)
                .with("square", target)
                .with("side", Operand::Player(side.into()))
                .with("want", named.rank().index() + 1)
                .at([target]),
        );
        return;
    };
    if placement.get(pawn) != own {
        issues.push(
            Issue::new(Code::EpNoPawn)
                .with("square", target)
                .with("color", operand)
                .with("pawn", pawn)
                .at([target, pawn]),
        );
    }
    if let Some(piece) = placement.get(target) {
        issues
            .push(Issue::new(Code::EpSquareOccupied).with("square", target).with("piece", piece.letter()).at([target]));
    }
    if placement.get(origin).is_some() {
        issues.push(Issue::new(Code::EpOriginOccupied).with("origin", origin).at([origin]));
    }
}

/// Reports what makes a target impossible, or whether it can be used.
pub(in crate::fen) fn examine(
    placement: &Placement,
    side: Color,
    target: Square,
    halfmoves: u32,
    issues: &mut Vec<Issue>,
) {
    let before = issues.len();
    target_errors(placement, side, target, issues);
    if issues.len() > before {
        return;
    }
    let note = match capture(placement, side, target) {
        EnPassantStatus::NotCapturable => Some(Code::EpNotCapturable),
        EnPassantStatus::CaptureIllegal => Some(Code::EpCaptureIllegal),
        EnPassantStatus::Impossible | EnPassantStatus::Capturable => None,
    };
    issues.extend(note.map(|code| Issue::new(code).with("square", target).at([target])));
    if halfmoves != 0 {
        issues.push(Issue::new(Code::EpClockNonzero).with("n", halfmoves));
    }
}
