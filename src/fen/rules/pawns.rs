//! What pawns can and cannot have done: promotions, captures, and bishops that never got out.
//!
//! A pawn on its first square has never moved. Any other began on some file of its first rank, and has made at least as many
//! captures as it is files away, and each capture took one piece of the other side.

use super::{attacks::step, pieces::Pieces};
use crate::{
    fen::issue::{Issue, Operand, code::Code},
    games::{
        chess::{Color, File, Piece, Rank, Role, Square},
        material::{Kind, Limit, is_outer_pawn},
        placement::Placement,
    },
};

/// Whether a pawn that has never moved stands on a square, of whichever color.
pub(in crate::fen) fn is_unmoved_pawn(placement: &Placement, square: Square) -> bool {
    placement
        .get(square)
        .is_some_and(|piece| piece.role == Role::Pawn && square.rank().seen_by(piece.color).index() == 1)
}

/// Whether a bishop could never leave a square nor come to it, because of pawns that never moved.
pub(in crate::fen) fn is_shut_in(placement: &Placement, square: Square) -> bool {
    [(-1, -1), (-1, 1), (1, -1), (1, 1)]
        .into_iter()
        .filter_map(|direction| step(square, direction))
        .all(|square| is_unmoved_pawn(placement, square))
}

/// The square from which a side's bishop of a shade begins.
fn bishop_home(color: Color, kind: Kind) -> Square {
    let rank = Rank::new(0).seen_by(color);
    let [c, f] = [2, 5].map(|file| Square::new(File::new(file), rank));
    if c.is_light() == (kind == Kind::LightBishop) { c } else { f }
}

/// Reports everything that follows from the pawns. With `any_start` the pieces may have begun in any order on the first
/// rank, as in Chess960.
pub(in crate::fen) fn examine(placement: &Placement, pieces: &Pieces, any_start: bool, issues: &mut Vec<Issue>) {
    let exceeds = |limit| Color::ALL.into_iter().any(|color| pieces.material.excess(limit, color) > 0);
    let pawns = Color::ALL.map(|color| pieces.squares_of(color, Role::Pawn).collect::<Vec<Square>>());
    if exceeds(Limit::PawnRanks) {
        let outer: Vec<Square> = pieces
            .list
            .iter()
            .filter(|&&(square, piece)| is_outer_pawn(square, piece))
            .map(|&(square, _)| square)
            .collect();
        issues.push(Issue::new(Code::PawnOnBackRank).with("squares", &outer[..]).at(outer.iter().copied()));
    }
    numbers(pieces, &pawns, issues);
    // With too many pieces, counts of promotions and captures would prove nothing.
    if !exceeds(Limit::Pawns) && !exceeds(Limit::Pieces) {
        promotions(placement, pieces, any_start, issues);
        if !exceeds(Limit::PawnRanks) {
            structure(pieces, &pawns, issues);
        }
    }
    trapped_bishops(placement, pieces, any_start, issues);
    if is_upside_down(&pawns[0], &pawns[1]) {
        issues.push(Issue::new(Code::BoardUpsideDown));
    }
}

/// At most eight pawns and sixteen pieces a side.
fn numbers(pieces: &Pieces, pawns: &[Vec<Square>; 2], issues: &mut Vec<Issue>) {
    for (color, pawns) in Color::ALL.into_iter().zip(pawns) {
        let operand = Operand::Color(color.into());
        if pieces.material.excess(Limit::Pawns, color) > 0 {
            let issue = Issue::new(Code::TooManyPawns).with("n", pawns.len()).at(pawns.iter().copied());
            issues.push(issue.with("color", operand.clone()));
        }
        if pieces.material.excess(Limit::Pieces, color) > 0 {
            let issue = Issue::new(Code::TooManyPieces).with("n", pieces.material.total(color));
            issues.push(issue.with("color", operand));
        }
    }
}

/// Three pawns or more a side, and White's stand well above Black's.
fn is_upside_down(white: &[Square], black: &[Square]) -> bool {
    let ranks = |pawns: &[Square]| pawns.iter().map(|square| square.rank().index()).sum::<usize>();
    let (n, m) = (white.len(), black.len());
    n >= 3 && m >= 3 && ranks(white) * m >= ranks(black) * n + 2 * n * m
}

/// Pieces beyond those of the start were pawns, and only missing pawns can have been promoted.
fn promotions(placement: &Placement, pieces: &Pieces, any_start: bool, issues: &mut Vec<Issue>) {
    let mut any = false;
    let mut beyond = false;
    for color in Color::ALL {
        let missing = pieces.material.missing_pawns(color);
        let extra = promoted(placement, pieces, color, any_start);
        any |= !extra.is_empty();
        if extra.len() > missing {
            beyond = true;
            let list: Vec<String> = extra.iter().map(|(square, piece)| format!("{piece} {square}")).collect();
            issues.push(
                Issue::new(Code::PromotionBudget)
                    .with("color", Operand::Color(color.into()))
                    .with("extra", extra.len())
                    .with("list", list.join(", "))
                    .with("n", missing)
                    .at(extra.iter().map(|&(square, _)| square)),
            );
        }
    }
    if any && !beyond && pieces.list.len() == 32 {
        issues.push(Issue::new(Code::PromotionWithoutCapture));
    }
}

/// The pieces of a side that were pawns: as many as [`Material::promoted`](crate::games::material::Material::promoted)
/// counts, and all bishops of a shade when the home square shows that the bishop of the start is not among them. The pieces
/// furthest from home are taken for the promoted ones.
fn promoted(placement: &Placement, pieces: &Pieces, color: Color, any_start: bool) -> Vec<(Square, Piece)> {
    let mut extra: Vec<(Square, Piece)> = Vec::new();
    for kind in Kind::PROMOTED {
        let of_kind =
            |&&(square, piece): &&(Square, Piece)| piece.color == color && Kind::of(piece.role, square) == kind;
        let number = pieces.material.count(color, kind);
        let mut at_start = kind.at_start();
        if matches!(kind, Kind::LightBishop | Kind::DarkBishop) && !any_start && number > 0 {
            let home = bishop_home(color, kind);
            // If pawns shut in the home square, the bishop of the start never left it: any bishop elsewhere was a pawn.
            if is_shut_in(placement, home) && !pieces.list.iter().filter(of_kind).any(|&(square, _)| square == home) {
                at_start = 0;
            }
        }
        if number > at_start {
            let mut found: Vec<(Square, Piece)> = pieces.list.iter().filter(of_kind).copied().collect();
            found.sort_by_key(|(square, _)| std::cmp::Reverse(square.rank().seen_by(color)));
            found.truncate(number - at_start);
            extra.extend(found);
        }
    }
    extra
}

/// The captures that the pawns need, compared with the pieces that the other side has lost.
fn structure(pieces: &Pieces, pawns: &[Vec<Square>; 2], issues: &mut Vec<Issue>) {
    let [lost_white, lost_black] = Color::ALL.map(|color| 16usize.saturating_sub(pieces.material.total(color)));
    for (color, available) in [(Color::White, lost_black), (Color::Black, lost_white)] {
        let (own, others) = (&pawns[color as usize], &pawns[!color as usize]);
        let needed = captures(own, color);
        let passed = lost_white + lost_black == 0 && passed_through(own, others, color);
        if needed.is_none_or(|needed| needed > available) || passed {
            let moved: Vec<Square> =
                own.iter().copied().filter(|square| square.rank().seen_by(color).index() != 1).collect();
            let n = needed.map_or_else(|| "?".to_owned(), |n| if passed { n.max(1) } else { n }.to_string());
            issues.push(
                Issue::new(Code::PawnStructure)
                    .with("color", Operand::Color(color.into()))
                    .with("squares", &moved[..])
                    .with("n", n)
                    .with("opp", Operand::Player((!color).into()))
                    .with("k", available)
                    .at(moved),
            );
            // When pawns have passed each other both colors are wrong, and one report is enough.
            if passed {
                return;
            }
        }
    }
}

/// Whether a pawn stands beyond an opposing one of its file. Without any capture neither can have left that file.
fn passed_through(pawns: &[Square], others: &[Square], color: Color) -> bool {
    let beyond = |pawn: &Square, other: &Square| {
        other.file() == pawn.file() && other.rank().seen_by(color) < pawn.rank().seen_by(color)
    };
    pawns.iter().any(|pawn| others.iter().any(|other| beyond(pawn, other)))
}

/// The fewest captures by which the pawns can have come to their squares, each from a file of its own; none when they cannot
/// have come there at all.
pub(in crate::fen) fn captures(pawns: &[Square], color: Color) -> Option<usize> {
    if pawns.len() > 8 {
        return None;
    }
    let mut files = [0usize; 8];
    pawns.iter().for_each(|pawn| files[pawn.file().index()] += 1);
    if files.iter().all(|&n| n <= 1) {
        return Some(0);
    }
    // Pawns that never moved began where they stand; the others share the files that are left.
    let is_unmoved = |pawn: &&Square| pawn.rank().seen_by(color).index() == 1;
    let taken: usize = pawns.iter().filter(is_unmoved).map(|pawn| 1 << pawn.file().index()).sum();
    let free: Vec<usize> = (0..8).filter(|file| taken & (1 << file) == 0).collect();
    let moved: Vec<&Square> = pawns.iter().filter(|pawn| !is_unmoved(pawn)).collect();
    // fewest[set]: the fewest captures for the first pawns, when the free files in `set` are their origins, one for each.
    const NEVER: u8 = u8::MAX;
    let mut fewest = [NEVER; 256];
    let sets = 1usize << free.len();
    fewest[0] = 0;
    for (n, pawn) in moved.iter().enumerate() {
        let file = pawn.file().index();
        let advance = pawn.rank().seen_by(color).index().saturating_sub(1);
        for set in (0..sets).filter(|set| set.count_ones() as usize == n) {
            if fewest[set] == NEVER {
                continue;
            }
            for (index, &origin) in free.iter().enumerate() {
                let cost = file.abs_diff(origin);
                if set & (1 << index) == 0 && cost <= advance {
                    let with = set | (1 << index);
                    fewest[with] = fewest[with].min(fewest[set] + cost as u8);
                }
            }
        }
    }
    let all = (0..sets).filter(|set| set.count_ones() as usize == moved.len());
    all.map(|set| fewest[set]).min().filter(|&cost| cost != NEVER).map(usize::from)
}

/// Reports bishops behind pawns that never moved, if they did not begin there and were not promoted there.
fn trapped_bishops(placement: &Placement, pieces: &Pieces, any_start: bool, issues: &mut Vec<Issue>) {
    for &(square, piece) in pieces.list.iter().filter(|(_, piece)| piece.role == Role::Bishop) {
        let kind = Kind::of(piece.role, square);
        let first_rank = square.rank().seen_by(piece.color).index() == 0;
        let at_home = square == bishop_home(piece.color, kind) || (any_start && first_rank);
        let last_rank = square.rank().seen_by(piece.color).index() == 7;
        let promoted = last_rank && pieces.material.missing_pawns(piece.color) > 0;
        if at_home || promoted || !is_shut_in(placement, square) {
            continue;
        }
        let pawns: Vec<Square> =
            [(-1, -1), (-1, 1), (1, -1), (1, 1)].into_iter().filter_map(|direction| step(square, direction)).collect();
        issues.push(
            Issue::new(Code::TrappedBishop)
                .with("square", square)
                .with("pawns", &pawns[..])
                .at(std::iter::once(square).chain(pawns)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(board: &str, color: Color) -> Option<usize> {
        let pieces = Pieces::of(&board.parse().unwrap());
        captures(&pieces.squares_of(color, Role::Pawn).collect::<Vec<_>>(), color)
    }

    #[test]
    fn captures_are_counted() {
        assert_eq!(needed("8/8/8/P7/P7/P7/P7/8", Color::White), Some(6));
        assert_eq!(needed("8/8/8/8/8/P7/PP6/8", Color::White), None);
        assert_eq!(needed("8/8/8/8/2P5/2P5/2PPPPPP/8", Color::White), Some(3));
        assert_eq!(needed("8/pp6/p7/8/8/8/8/8", Color::Black), None);
        assert_eq!(needed("8/p7/p7/8/8/8/8/8", Color::Black), Some(1));
    }
}
