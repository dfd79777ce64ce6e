//! How many pieces of each kind stand on a board of chess, and the limits that the game sets to these numbers.
//!
//! The limits are defined only here. The checker of FEN records reports what exceeds them, and the reading of pictures
//! prefers positions that keep them.

use super::{
    chess::{Color, Piece, Role, Square},
    placement::Placement,
};

/// A kind of piece as material counts it: bishops by the shade of their square, which they never leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    Pawn,
    Knight,
    LightBishop,
    DarkBishop,
    Rook,
    Queen,
    King,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] =
        [Kind::Pawn, Kind::Knight, Kind::LightBishop, Kind::DarkBishop, Kind::Rook, Kind::Queen, Kind::King];

    /// The kinds that a pawn may become.
    pub const PROMOTED: [Kind; 5] = [Kind::Knight, Kind::LightBishop, Kind::DarkBishop, Kind::Rook, Kind::Queen];

    /// The kind of a piece of this role on a square.
    pub fn of(role: Role, square: Square) -> Kind {
        match role {
            Role::Pawn => Kind::Pawn,
            Role::Knight => Kind::Knight,
            Role::Bishop if square.is_light() => Kind::LightBishop,
            Role::Bishop => Kind::DarkBishop,
            Role::Rook => Kind::Rook,
            Role::Queen => Kind::Queen,
            Role::King => Kind::King,
        }
    }

    /// How many of them a side has when the game begins.
    pub fn at_start(self) -> usize {
        match self {
            Kind::Pawn => 8,
            Kind::Knight | Kind::Rook => 2,
            Kind::LightBishop | Kind::DarkBishop | Kind::Queen | Kind::King => 1,
        }
    }
}

/// A limit that no game of chess exceeds, for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// No pawn stands on the first or the last rank.
    PawnRanks,
    /// There is exactly one king.
    OneKing,
    /// There are at most eight pawns.
    Pawns,
    /// There are at most sixteen pieces.
    Pieces,
    /// Pieces beyond those of the start were pawns: there are at most as many as pawns are missing.
    Promotions,
}

impl Limit {
    /// All limits.
    pub const ALL: [Limit; 5] = [Limit::PawnRanks, Limit::OneKing, Limit::Pawns, Limit::Pieces, Limit::Promotions];
}

/// The material of a board: pieces by color and kind, and the pawns on the outer ranks. Adding and removing a piece is
/// cheap, so that many changes of a board can be tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material {
    /// By color, then by kind. A board has 64 squares, so a byte holds any number.
    counts: [[u8; Kind::ALL.len()]; 2],
    outer_pawns: [u8; 2],
}

impl Material {
    /// The material of a placement.
    pub fn of(placement: &Placement) -> Material {
        let mut material = Material::default();
        placement.pieces().for_each(|(square, piece)| material.add(square, piece));
        material
    }

    /// Counts a piece that is put on a square.
    pub fn add(&mut self, square: Square, piece: Piece) {
        let color = piece.color as usize;
        self.counts[color][Kind::of(piece.role, square) as usize] += 1;
        self.outer_pawns[color] += u8::from(is_outer_pawn(square, piece));
    }

    /// Uncounts a piece that is taken from a square.
    ///
    /// # Panics
    /// In debug builds, when no such piece was counted.
    pub fn remove(&mut self, square: Square, piece: Piece) {
        let color = piece.color as usize;
        self.counts[color][Kind::of(piece.role, square) as usize] -= 1;
        self.outer_pawns[color] -= u8::from(is_outer_pawn(square, piece));
    }

    /// How many pieces of a kind a side has.
    pub fn count(&self, color: Color, kind: Kind) -> usize {
        usize::from(self.counts[color as usize][kind as usize])
    }

    /// How many pieces a side has.
    pub fn total(&self, color: Color) -> usize {
        self.counts[color as usize].iter().map(|&n| usize::from(n)).sum()
    }

    /// How many of the side's eight pawns are missing.
    pub fn missing_pawns(&self, color: Color) -> usize {
        Kind::Pawn.at_start().saturating_sub(self.count(color, Kind::Pawn))
    }

    /// How many pieces there are beyond those of the start. They can only have been pawns.
    pub fn promoted(&self, color: Color) -> usize {
        Kind::PROMOTED.into_iter().map(|kind| self.count(color, kind).saturating_sub(kind.at_start())).sum()
    }

    /// By how many pieces a side breaks a limit; 0 when it keeps it. A missing king counts as one piece.
    pub fn excess(&self, limit: Limit, color: Color) -> usize {
        match limit {
            Limit::PawnRanks => usize::from(self.outer_pawns[color as usize]),
            Limit::OneKing => self.count(color, Kind::King).abs_diff(1),
            Limit::Pawns => self.count(color, Kind::Pawn).saturating_sub(8),
            Limit::Pieces => self.total(color).saturating_sub(16),
            Limit::Promotions => self.promoted(color).saturating_sub(self.missing_pawns(color)),
        }
    }

    /// The excess over all limits and both sides.
    pub fn total_excess(&self) -> usize {
        Limit::ALL.into_iter().flat_map(|limit| Color::ALL.map(|color| self.excess(limit, color))).sum()
    }
}

/// Whether a pawn stands on the first or the last rank, where none can stand.
pub(crate) fn is_outer_pawn(square: Square, piece: Piece) -> bool {
    piece.role == Role::Pawn && matches!(square.rank().index(), 0 | 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(placement: &str) -> Material {
        Material::of(&placement.parse().unwrap())
    }

    /// The limits that White breaks, and by how much.
    fn broken(placement: &str) -> Vec<(Limit, usize)> {
        let material = material(placement);
        let excess = Limit::ALL.map(|limit| (limit, material.excess(limit, Color::White)));
        excess.into_iter().filter(|&(_, excess)| excess > 0).collect()
    }

    #[test]
    fn the_start_keeps_all_limits() {
        let start = material("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        assert_eq!(start.total_excess(), 0);
        for kind in Kind::ALL {
            assert_eq!(Color::ALL.map(|color| start.count(color, kind)), [kind.at_start(); 2]);
        }
    }

    #[test]
    fn each_limit_is_counted() {
        assert_eq!(broken("4k3/8/8/8/8/8/8/4K2P"), [(Limit::PawnRanks, 1)]);
        assert_eq!(broken("4k3/8/8/8/8/8/8/8"), [(Limit::OneKing, 1)]);
        assert_eq!(broken("4k3/8/8/8/8/8/8/KKK5"), [(Limit::OneKing, 2)]);
        assert_eq!(broken("4k3/8/8/8/8/PP6/PPPPPPPP/4K3"), [(Limit::Pawns, 2)]);
        assert_eq!(broken("4k3/8/8/8/NNNNN3/NNNNNN2/NNNNNN2/4K3"), [(Limit::Pieces, 2), (Limit::Promotions, 7)]);
        assert_eq!(broken("4k3/8/8/8/QQ6/8/PPPPPPPP/4K3"), [(Limit::Promotions, 1)]);
        assert_eq!(broken("4k3/8/8/8/QQ6/8/PPPPPPP1/4K3"), []);
    }

    #[test]
    fn two_bishops_of_one_shade_need_a_promotion() {
        assert_eq!(broken("4k3/8/8/8/8/8/PPPPPPPP/2B1KB2"), []);
        assert_eq!(broken("4k3/8/8/8/8/8/PPPPPPPP/2B1B1K1"), [(Limit::Promotions, 1)]);
        assert_eq!(broken("4k3/8/8/8/8/8/PPPPPPP1/2B1B1K1"), []);
    }

    #[test]
    fn changes_are_counted_as_they_are_made() {
        let before = material("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let mut changed = before;
        let (square, pawn) = ("c1".parse().unwrap(), Piece { color: Color::Black, role: Role::Pawn });
        changed.remove(square, Piece { color: Color::White, role: Role::Bishop });
        changed.add(square, pawn);
        assert_eq!(changed, material("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNpQKBNR"));
        changed.remove(square, pawn);
        changed.add(square, Piece { color: Color::White, role: Role::Bishop });
        assert_eq!(changed, before);
    }
}
