//! Which pieces attack a square.
//!
//! Kings are left out: kings on adjacent squares have a code of their own, whichever side is to move.

use std::ops::Range;

use crate::games::{
    chess::{Color, File, Piece, Rank, Role, Square},
    placement::Placement,
};

/// The eight directions, lines first.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const LINES: Range<usize> = 0..4;
const DIAGONALS: Range<usize> = 4..8;
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// The square this far away, if it is on the board.
pub(in crate::fen) fn step(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let (file, rank) = (square.file().index() as i32 + files, square.rank().index() as i32 + ranks);
    let inside = (0..8).contains(&file) && (0..8).contains(&rank);
    inside.then(|| Square::new(File::new(file as usize), Rank::new(rank as usize)))
}

/// The squares in eight directions from each square.
struct Directions<const N: usize>([[(u8, [u8; N]); 8]; 64]);

/// The squares from each square to the edge in the eight directions, the nearest first.
static RAYS: Directions<7> = Directions::new(&DIRECTIONS, 7);
/// The squares a knight's move away from each square, one in each direction.
static KNIGHT: Directions<1> = Directions::new(&JUMPS, 1);

impl<const N: usize> Directions<N> {
    const fn new(directions: &[(i32, i32); 8], most: i32) -> Directions<N> {
        let mut all = [[(0, [0; N]); 8]; 64];
        let mut square = 0;
        while square < 64 {
            let mut direction = 0;
            while direction < 8 {
                let (files, ranks) = directions[direction];
                let mut n = 1;
                while n <= most {
                    let (file, rank) = (square % 8 + n * files, square / 8 + n * ranks);
                    if file < 0 || file > 7 || rank < 0 || rank > 7 {
                        break;
                    }
                    let found = &mut all[square as usize][direction];
                    found.1[found.0 as usize] = (rank * 8 + file) as u8;
                    found.0 += 1;
                    n += 1;
                }
                direction += 1;
            }
            square += 1;
        }
        Directions(all)
    }

    fn of(&self, square: Square, direction: usize) -> impl Iterator<Item = Square> {
        let (n, squares) = &self.0[square.index()][direction];
        squares[..usize::from(*n)].iter().map(|&square| Square::from_index(usize::from(square)))
    }
}

/// One rank forward, in ranks of the board.
pub(in crate::fen) fn forward(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

/// The empty squares to which a piece can move; none for a pawn.
pub(in crate::fen) fn reach(placement: &Placement, from: Square, role: Role) -> Vec<Square> {
    let mut squares = Vec::with_capacity(28);
    let slide = |squares: &mut Vec<Square>, directions: Range<usize>| {
        for direction in directions {
            squares.extend(RAYS.of(from, direction).take_while(|&square| placement.get(square).is_none()));
        }
    };
    match role {
        Role::Pawn => {}
        Role::Knight | Role::King => {
            for direction in 0..8 {
                let first = match role {
                    Role::King => RAYS.of(from, direction).next(),
                    _ => KNIGHT.of(from, direction).next(),
                };
                squares.extend(first.filter(|&square| placement.get(square).is_none()));
            }
        }
        Role::Bishop => slide(&mut squares, DIAGONALS),
        Role::Rook => slide(&mut squares, LINES),
        Role::Queen => slide(&mut squares, 0..8),
    }
    squares
}

/// Calls `found` with every piece of `by` that attacks a square, until it returns false.
fn each_attacker(placement: &Placement, target: Square, by: Color, mut found: impl FnMut(Square) -> bool) {
    for (directions, slider) in [(LINES, Role::Rook), (DIAGONALS, Role::Bishop)] {
        for direction in directions {
            let first = RAYS.of(target, direction).find_map(|square| Some((square, placement.get(square)?)));
            if let Some((square, piece)) = first
                && piece.color == by
                && (piece.role == slider || piece.role == Role::Queen)
                && !found(square)
            {
                return;
            }
        }
    }
    let is = |square: &Square, role: Role| placement.get(*square) == Some(Piece { color: by, role });
    let jumps = (0..8).filter_map(|direction| KNIGHT.of(target, direction).next());
    for square in jumps.filter(|square| is(square, Role::Knight)) {
        if !found(square) {
            return;
        }
    }
    let behind = [-1, 1].into_iter().filter_map(|file| step(target, (file, -forward(by))));
    for square in behind.filter(|square| is(square, Role::Pawn)) {
        if !found(square) {
            return;
        }
    }
}

/// The pieces of `by` that attack a square, a1 first, kings left out.
pub(in crate::fen) fn attackers(placement: &Placement, target: Square, by: Color) -> Vec<Square> {
    let mut squares = Vec::new();
    each_attacker(placement, target, by, |square| {
        squares.push(square);
        true
    });
    squares.sort_unstable();
    squares
}

/// Whether a piece of `by` other than the king attacks a square.
pub(in crate::fen) fn is_attacked(placement: &Placement, target: Square, by: Color) -> bool {
    let mut attacked = false;
    each_attacker(placement, target, by, |_| {
        attacked = true;
        false
    });
    attacked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(placement: &str, target: &str, by: Color) -> String {
        let attackers = attackers(&placement.parse().unwrap(), target.parse().unwrap(), by);
        attackers.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_attack_where_they_capture() {
        assert_eq!(names("8/8/8/3k4/4P3/8/8/4K3", "d5", Color::White), "e4");
        assert_eq!(names("8/8/8/3k4/2N5/4N3/8/4K3", "d5", Color::White), "e3");
        assert_eq!(names("3r4/8/1b3q2/8/3K4/2p1p3/8/3r4", "d4", Color::Black), "d1 b6 f6 d8");
        assert_eq!(names("3r4/3p4/8/8/3K4/8/8/8", "d4", Color::Black), "");
        assert_eq!(names("8/8/8/3kK3/8/8/8/8", "d5", Color::White), "");
    }
}
