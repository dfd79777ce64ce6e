//! The record that was most likely meant, when what is stated is impossible.
//!
//! Only repairs that the errors themselves suggest are tried, the smallest first, and each is examined again: the record
//! that is suggested has no error left.

use super::{
    issue::{Issue, code::Code},
    rules::{
        castling,
        legality::{KnownFields, examine},
    },
    setup::{Board, Setup},
};
use crate::games::{
    chess::{Color, File, Rank, Square},
    placement::Placement,
};

/// The repaired record, if a repair leaves no error.
pub(super) fn suggest(setup: &Setup, issues: &[Issue], chess960: bool) -> Option<Setup> {
    let has = |code: Code| issues.iter().any(|issue| issue.code == code);
    let examined = |setup: &Setup| examine(setup, KnownFields::ALL, chess960);
    let is_sound = |setup: &Setup| !examined(setup).iter().any(|issue| issue.code.is_illegal());
    // If only the spelling was wrong, the setup itself is the repair. It was examined before, unless the board had to be
    // guessed.
    if !issues.iter().any(|issue| issue.code.is_illegal()) && is_sound(setup) {
        return Some(setup.clone());
    }
    let stands_right = |setup: &Setup| {
        !examined(setup)
            .iter()
            .any(|issue| issue.code.is_illegal() || matches!(issue.code, Code::BoardUpsideDown | Code::BoardMirrored))
    };
    let turned = turned(setup, has(Code::BoardUpsideDown), has(Code::BoardMirrored)).into_iter().find(stands_right);
    if turned.is_some() {
        return turned;
    }

    let mut targets = vec![setup.en_passant];
    if let (true, Some(square)) = (has(Code::EpNamesPawnSquare), setup.en_passant) {
        targets.push(Some(Square::new(square.file(), Rank::new(2).seen_by(!setup.side))));
    }
    if setup.en_passant.is_some() {
        targets.push(None);
    }
    let mut sides = vec![setup.side];
    if has(Code::OpponentInCheck) || has(Code::EpWrongRank) {
        sides.push(!setup.side);
    }
    let mut rights = vec![setup.rights.clone()];
    // Rights that are all possible in Chess960 and all wrong here are not repaired by dropping them.
    let of_chess960 = has(Code::Chess960Rights) && (has(Code::CastlingWithoutKing) || has(Code::CastlingChess960Only));
    if let (Board::Chess(placement), false) = (&setup.board, of_chess960) {
        rights.push(castling::held_together(placement, &setup.rights, chess960));
        rights.dedup();
    }
    let mut repairs: Vec<(usize, Setup)> = Vec::new();
    for (new_target, &en_passant) in targets.iter().enumerate() {
        for (new_side, &side) in sides.iter().enumerate() {
            for (new_rights, rights) in rights.iter().enumerate() {
                let changes = usize::from(new_target > 0) + new_side + new_rights;
                if changes == 0 {
                    continue;
                }
                repairs.push((changes, Setup { en_passant, side, rights: rights.clone(), ..setup.clone() }));
            }
        }
    }
    repairs.sort_by_key(|&(changes, _)| changes);
    repairs.into_iter().map(|(_, setup)| setup).find(is_sound)
}

/// The record with its board turned: the frequent mistakes in writing a board, the most likely first.
fn turned(setup: &Setup, upside_down: bool, mirrored: bool) -> Vec<Setup> {
    type Turn = (fn(&Placement) -> Placement, fn(Square) -> Square);
    fn ranks_reversed(square: Square) -> Square {
        Square::new(square.file(), square.rank().seen_by(Color::Black))
    }
    fn files_reversed(square: Square) -> Square {
        Square::new(File::new(7 - square.file().index()), square.rank())
    }
    const REVERSED: Turn = (Placement::ranks_reversed, ranks_reversed);
    const HALF_TURN: Turn = (Placement::half_turn, Square::half_turn);
    const MIRRORED: Turn = (Placement::mirrored, files_reversed);
    match &setup.board {
        Board::Chess(placement) => {
            let turns: &[Turn] = match (upside_down, mirrored) {
                (true, _) => &[REVERSED, HALF_TURN],
                (false, true) => &[MIRRORED],
                (false, false) => &[],
            };
            let turn = |(board, square): &Turn| Setup {
                board: Board::Chess(board(placement)),
                en_passant: setup.en_passant.map(square),
                ..setup.clone()
            };
            turns.iter().map(turn).collect()
        }
        Board::Xiangqi(placement) if upside_down => [placement.ranks_reversed(), placement.half_turn()]
            .map(|board| Setup { board: Board::Xiangqi(board), ..setup.clone() })
            .into(),
        Board::Xiangqi(_) => Vec::new(),
    }
}
