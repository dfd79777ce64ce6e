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

    /// The rights whose king and rook are on their first squares. No other right can be held.
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

impl From<&[CastlingRight]> for Castling {
    /// The rights named `K`, `Q`, `k` and `q`. Rights that name the file of a rook (Shredder-FEN) are left out.
    fn from(rights: &[CastlingRight]) -> Castling {
        let holds = |color, side| rights.contains(&CastlingRight { color, side });
        Castling {
            white_king: holds(Color::White, CastlingSide::King),
            white_queen: holds(Color::White, CastlingSide::Queen),
            black_king: holds(Color::Black, CastlingSide::King),
            black_queen: holds(Color::Black, CastlingSide::Queen),
        }
    }
}

impl From<Castling> for Vec<CastlingRight> {
    fn from(castling: Castling) -> Vec<CastlingRight> {
        let Castling { white_king, white_queen, black_king, black_queen } = castling;
        [
            (white_king, Color::White, CastlingSide::King),
            (white_queen, Color::White, CastlingSide::Queen),
            (black_king, Color::Black, CastlingSide::King),
            (black_queen, Color::Black, CastlingSide::Queen),
        ]
        .into_iter()
        .filter(|&(held, ..)| held)
        .map(|(_, color, side)| CastlingRight { color, side })
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
pub struct CastlingRight {
    /// Whose right.
    pub color: Color,
    /// With which rook.
    pub side: CastlingSide,
}

impl CastlingRight {
    /// The letter of a right: `KQkq`, or in Shredder-FEN `A` to `H` and `a` to `h`.
    pub fn letter(self) -> char {
        let letter = match self.side {
            CastlingSide::King => 'K',
            CastlingSide::Queen => 'Q',
            CastlingSide::File(file) => char::from(b'A' + file.index() as u8),
        };
        match self.color {
            Color::White => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The right of a letter, whatever the board.
    pub fn from_letter(letter: char) -> Option<CastlingRight> {
        let side = match letter.to_ascii_uppercase() {
            'K' => CastlingSide::King,
            'Q' => CastlingSide::Queen,
            file @ 'A'..='H' => CastlingSide::File(File::new(usize::from(file as u8 - b'A'))),
            _ => return None,
        };
        Some(CastlingRight { color: if letter.is_ascii_uppercase() { Color::White } else { Color::Black }, side })
    }

    /// The key by which rights are sorted in a record: White first, the king's side first.
    pub(in crate::fen) fn order(self) -> (Color, usize) {
        let from_the_right = match self.side {
            CastlingSide::King => 0,
            CastlingSide::File(file) => 8 - file.index(),
            CastlingSide::Queen => 9,
        };
        (self.color, from_the_right)
    }

    /// The square of the rook, if king and rook stand as in Chess960: the king on the first rank, not in a corner,
    /// and for `K` and `Q` the outermost rook on that side (X-FEN).
    pub fn rook_in_chess960(self, placement: &Placement) -> Option<Square> {
        let rank = Rank::new(0).seen_by(self.color);
        let king = placement.king(self.color).filter(|king| king.rank() == rank)?;
        let rook = Piece { color: self.color, role: Role::Rook };
        let is_rook = |&file: &usize| placement.get(Square::new(File::new(file), rank)) == Some(rook);
        let king = king.file().index();
        let file = match self.side {
            CastlingSide::King => (king + 1..8).rev().find(is_rook),
            CastlingSide::Queen => (0..king).find(is_rook),
            CastlingSide::File(file) => Some(file.index()).filter(is_rook),
        }?;
        // A game of Chess960 begins with a rook on either side of the king, so the king is never in a corner.
        (1..7).contains(&king).then(|| Square::new(File::new(file), rank))
    }
}

/// The letters of rights, or `-`.
pub(in crate::fen) fn letters(rights: &[CastlingRight]) -> String {
    if rights.is_empty() { "-".to_owned() } else { rights.iter().map(|right| right.letter()).collect() }
}

/// The squares of king and rook from which a right is used in plain chess; none for rooks of other files.
fn homes(right: CastlingRight) -> Option<(Square, Square)> {
    let rank = Rank::new(0).seen_by(right.color);
    let rook = match right.side {
        CastlingSide::King => 7,
        CastlingSide::Queen => 0,
        CastlingSide::File(_) => return None,
    };
    Some((Square::new(File::new(4), rank), Square::new(File::new(rook), rank)))
}

/// The files of the king and of the rook that use a right; none when they do not stand so that it can be held.
fn king_and_rook(placement: &Placement, right: CastlingRight, chess960: bool) -> Option<(usize, usize)> {
    let at_home = homes(right).filter(|&(king, rook)| {
        placement.get(king) == Some(Piece { color: right.color, role: Role::King })
            && placement.get(rook) == Some(Piece { color: right.color, role: Role::Rook })
    });
    if let Some((king, rook)) = at_home {
        return Some((king.file().index(), rook.file().index()));
    }
    let rook = right.rook_in_chess960(placement).filter(|_| chess960)?;
    Some((placement.king(right.color)?.file().index(), rook.file().index()))
}

/// The files on which the king and the two rooks of both sides begin a game.
#[derive(Clone, Copy, PartialEq, Eq)]
struct StartFiles {
    queen_rook: usize,
    king: usize,
    king_rook: usize,
}

impl StartFiles {
    /// The files of every start position of Chess960: the king between the rooks.
    fn all() -> impl Iterator<Item = StartFiles> {
        (1..7).flat_map(|king| {
            (0..king).flat_map(move |queen_rook| {
                (king + 1..8).map(move |king_rook| StartFiles { queen_rook, king, king_rook })
            })
        })
    }

    /// Whether the king and the rook of a right begin on these files.
    fn fit(self, (king, rook): (usize, usize)) -> bool {
        self.king == king && rook == self.rook_beside(rook > king)
    }

    fn rook_beside(self, on_the_kings_side: bool) -> usize {
        if on_the_kings_side { self.king_rook } else { self.queen_rook }
    }
}

/// The rights that can be held together, and the files of their kings and rooks when the game began.
///
/// Both sides begin with their kings on one file and their rooks on the same files. In plain chess any rights that are
/// possible one by one agree with this; in Chess960 they can contradict each other. Then the largest set of rights that
/// agree is kept, and of several such sets the one with the earlier rights.
pub(in crate::fen) fn held_together(
    placement: &Placement,
    rights: &[CastlingRight],
    chess960: bool,
) -> Vec<CastlingRight> {
    consistent(placement, rights, chess960).0
}

/// The rights of [`held_together`] and, in Chess960, the start position that they share.
fn consistent(
    placement: &Placement,
    rights: &[CastlingRight],
    chess960: bool,
) -> (Vec<CastlingRight>, Option<StartFiles>) {
    let possible: Vec<(CastlingRight, (usize, usize))> =
        rights.iter().filter_map(|&right| Some((right, king_and_rook(placement, right, chess960)?))).collect();
    let fitting = |start: StartFiles| possible.iter().map(|&(_, files)| start.fit(files)).collect::<Vec<bool>>();
    let number = |fitting: &[bool]| fitting.iter().filter(|&&fits| fits).count();
    let best = StartFiles::all()
        .filter(|_| chess960)
        .map(|start| (start, fitting(start)))
        .reduce(|best, next| if (number(&next.1), &next.1) > (number(&best.1), &best.1) { next } else { best });
    match best {
        None => (possible.into_iter().map(|(right, _)| right).collect(), None),
        Some((start, fitting)) => {
            let held = possible.into_iter().zip(fitting).filter(|&(_, fits)| fits).map(|((right, _), _)| right);
            (held.collect(), Some(start))
        }
    }
}

/// Reports the rights that cannot be held.
pub(in crate::fen) fn examine(
    placement: &Placement,
    rights: &[CastlingRight],
    chess960: bool,
    issues: &mut Vec<Issue>,
) {
    let (held, start) = consistent(placement, rights, chess960);
    if held.len() == rights.len() {
        return;
    }
    let wrong: Vec<CastlingRight> = rights.iter().copied().filter(|right| !held.contains(right)).collect();
    for color in Color::ALL {
        let of_color: Vec<CastlingRight> = wrong.iter().copied().filter(|right| right.color == color).collect();
        let (alone, contradicting): (Vec<CastlingRight>, Vec<CastlingRight>) =
            of_color.into_iter().partition(|&right| king_and_rook(placement, right, chess960).is_none());
        impossible_alone(placement, color, &alone, issues);
        if let Some(start) = start {
            contradicted(placement, color, &contradicting, start, issues);
        }
    }
    if !chess960 && held_together(placement, rights, true).len() == rights.len() {
        issues.push(Issue::new(Code::Chess960Rights));
    }
}

fn without_king(rights: &[CastlingRight], color: Color, wanted: Square) -> Issue {
    Issue::new(Code::CastlingWithoutKing)
        .with("rights", letters(rights))
        .with("color", Operand::Color(color.into()))
        .with("square", wanted)
        .at([wanted])
}

fn without_rook(right: CastlingRight, color: Operand, wanted: Square) -> Issue {
    Issue::new(Code::CastlingWithoutRook)
        .with("right", right.letter())
        .with("color", color)
        .with("square", wanted)
        .at([wanted])
}

/// Rights of one color whose king or rook is not where it must be.
fn impossible_alone(placement: &Placement, color: Color, rights: &[CastlingRight], issues: &mut Vec<Issue>) {
    let rank = Rank::new(0).seen_by(color);
    let king_home = Square::new(File::new(4), rank);
    let king_at_home = placement.get(king_home) == Some(Piece { color, role: Role::King });
    let king_on_rank = placement.king(color).is_some_and(|king| king.rank() == rank);
    let lacks_king = |right: &&CastlingRight| match right.side {
        CastlingSide::File(_) => !king_on_rank,
        CastlingSide::King | CastlingSide::Queen => !king_at_home,
    };
    let kingless: Vec<CastlingRight> = rights.iter().filter(lacks_king).copied().collect();
    if !kingless.is_empty() {
        issues.push(without_king(&kingless, color, king_home));
    }
    for &right in rights {
        let rook_home = match right.side {
            CastlingSide::King => Square::new(File::new(7), rank),
            CastlingSide::Queen => Square::new(File::new(0), rank),
            CastlingSide::File(file) => Square::new(file, rank),
        };
        if placement.get(rook_home) != Some(Piece { color, role: Role::Rook }) {
            issues.push(without_rook(right, Operand::Color(color.into()), rook_home));
        } else if let (CastlingSide::File(file), true) = (right.side, king_on_rank) {
            let letter = char::from(b'a' + file.index() as u8);
            issues.push(Issue::new(Code::CastlingChess960Only).with("file", letter).at([rook_home]));
        }
    }
}

/// Rights of one color, each possible by itself, that need another start position than the rights that are kept.
fn contradicted(
    placement: &Placement,
    color: Color,
    rights: &[CastlingRight],
    start: StartFiles,
    issues: &mut Vec<Issue>,
) {
    let Some(king) = placement.king(color) else { return };
    if rights.is_empty() {
        return;
    }
    let on_first_rank = |file: usize| Square::new(File::new(file), king.rank());
    if king.file().index() != start.king {
        issues.push(without_king(rights, color, on_first_rank(start.king)));
        return;
    }
    for &right in rights {
        let Some(rook) = right.rook_in_chess960(placement) else { continue };
        let wanted = on_first_rank(start.rook_beside(rook.file() > king.file()));
        issues.push(if placement.get(wanted) == Some(Piece { color, role: Role::Rook }) {
            // Both files have a rook, and the one of this right is not the one that castles.
            let castling = match color {
                Color::White => Operand::Words("castling white", "可易位的白"),
                Color::Black => Operand::Words("castling black", "可易位的黑"),
            };
            without_rook(right, castling, rook)
        } else {
            without_rook(right, Operand::Color(color.into()), wanted)
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::fen::{CheckOptions, Language, Legal, check};

    fn messages(record: &str) -> Vec<String> {
        let checked = check(record, &CheckOptions { chess960: true, ..CheckOptions::default() });
        assert_eq!(checked.legal == Legal::Yes, checked.issues.iter().all(|issue| !issue.code.is_illegal()));
        checked
            .issues
            .iter()
            .filter(|issue| issue.code.is_illegal())
            .map(|issue| issue.message(Language::English))
            .collect()
    }

    #[test]
    fn rights_of_both_sides_need_one_start_position() {
        let board = "1r1k1r2/5p2/8/8/8/8/3N4/R5KR";
        assert_eq!(messages(&format!("{board} b KQkq - 0 1")), ["kq: the black king is not on g8"]);
        assert_eq!(messages(&format!("{board} b KQ - 0 1")), [""; 0]);
        assert_eq!(messages(&format!("{board} b kq - 0 1")), [""; 0]);
        // The larger set of rights is kept.
        assert_eq!(messages(&format!("{board} b Kkq - 0 1")), ["K: the white king is not on d1"]);
        // Kings on one file, rooks on two.
        assert_eq!(messages("1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"), ["q: no black rook on a8"]);
        assert_eq!(messages("1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1"), [""; 0]);
        // Two rooks of one side.
        assert_eq!(messages("4k3/8/8/8/8/8/8/4K1RR w KG - 0 1"), ["G: no castling white rook on g1"]);
    }

    #[test]
    fn the_rights_that_contradict_the_others_are_dropped() {
        let options = CheckOptions { chess960: true, ..CheckOptions::default() };
        let checked = check("1r1k1r2/5p2/8/8/8/8/3N4/R5KR b KQkq - 0 1", &options);
        assert_eq!(checked.suggested.as_deref(), Some("1r1k1r2/5p2/8/8/8/8/3N4/R5KR b KQ - 0 1"));
    }
}
