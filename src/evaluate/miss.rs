//! What went wrong with a board, and on which squares.

use crate::games::{
    chess::{File, Piece, Rank, Square},
    placement::Placement,
};

/// One board that is missing, wrong, or not there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Miss {
    /// The number of the labeled board, from 0; none when a board was read where there is none.
    pub label: Option<usize>,
    /// The number of the board read, from 0; none when the board was not found.
    pub reading: Option<usize>,
    /// What went wrong.
    pub kind: MissKind,
    /// Whether the reading was accepted although it is wrong.
    pub silent: bool,
    /// The squares that differ, a8 first; empty unless there are both a label and a reading.
    pub squares: Vec<WrongSquare>,
}

/// The kind of a [`Miss`]. Every labeled board that is not read exactly is a miss, and so is every board read where there
/// is none. Each has one kind, which follows from the placements alone:
///
/// 1. A label that is paired with no reading is [`NoBoard`](MissKind::NoBoard); a reading that is paired with no label is
///    [`ExtraBoard`](MissKind::ExtraBoard).
/// 2. A reading that equals the label turned by half a turn is [`Orientation`](MissKind::Orientation).
/// 3. If fewer than half of the label's pieces are read on their squares, the whole board may have been turned or shifted.
///    The reading is then compared with the label again: turned by one, two or three quarters, and with one file, one rank
///    or both left out of each of the two (not the same line of both). A reading that lacks a file at one edge and has one
///    too many at the other was found one file off; a line left out at an edge and another one within mean that the board
///    was cut too wide or too narrow. A comparison counts if at most a quarter of the wrong squares remain wrong and at
///    least half of the pieces stand on their squares. The best one decides: a turn is
///    [`Orientation`](MissKind::Orientation), a line left out is [`Corners`](MissKind::Corners).
/// 4. Otherwise each wrong square counts by itself: it is [`Occupancy`](MissKind::Occupancy) if it is empty in one of the
///    two, [`Color`](MissKind::Color) if the same kind of piece has the other color, else [`Piece`](MissKind::Piece). The
///    board gets the kind of most of its wrong squares; on a tie, the first of occupancy, piece and color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MissKind {
    /// A board was not found.
    NoBoard,
    /// A board was read where there is none.
    ExtraBoard,
    /// The board was found one file or one rank off, or cut one too wide or too narrow.
    Corners,
    /// A piece was overlooked, or read where there is none.
    Occupancy,
    /// A piece was taken for another kind.
    Piece,
    /// A piece was taken for one of the other color.
    Color,
    /// The board was read from the wrong side.
    Orientation,
}

impl MissKind {
    /// All kinds, in the order of the stages.
    pub const ALL: &'static [MissKind] = &[
        MissKind::NoBoard,
        MissKind::ExtraBoard,
        MissKind::Corners,
        MissKind::Occupancy,
        MissKind::Piece,
        MissKind::Color,
        MissKind::Orientation,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            MissKind::NoBoard => "no board",
            MissKind::ExtraBoard => "extra board",
            MissKind::Corners => "corners",
            MissKind::Occupancy => "occupancy",
            MissKind::Piece => "piece",
            MissKind::Color => "color",
            MissKind::Orientation => "orientation",
        }
    }

    /// Whether the board as a whole was turned or shifted, so that its squares say nothing about single pieces.
    pub fn is_of_whole_board(self) -> bool {
        matches!(self, MissKind::Corners | MissKind::Orientation)
    }

    /// What is wrong with the reading of a board, if anything.
    pub fn of_board(label: &Placement, read: &Placement) -> Option<MissKind> {
        if label == read {
            return None;
        }
        if *label == read.half_turn() {
            return Some(MissKind::Orientation);
        }
        Some(MissKind::of_whole(label, read).unwrap_or_else(|| MissKind::of_squares(label, read)))
    }

    /// Rule 3: the kind of a board that was turned or shifted as a whole.
    fn of_whole(label: &Placement, read: &Placement) -> Option<MissKind> {
        let pieces = label.pieces().count();
        let as_read = Fit::new(label, |square| Some(read.get(square)));
        if as_read.kept * 2 >= pieces {
            return None;
        }
        let turns = (1..4).map(|quarters| {
            let turned = |square| (0..quarters).fold(square, |square, _| quarter_turn(square));
            (MissKind::Orientation, Fit::new(label, |square| Some(read.get(turned(square)))))
        });
        let omissions = || std::iter::once(Omission::NONE).chain(Omission::all());
        let pairs = omissions().flat_map(|files| omissions().map(move |ranks| (files, ranks)));
        let shifts = pairs.filter(|&pair| pair != (Omission::NONE, Omission::NONE)).map(|(files, ranks)| {
            let counterpart = |square: Square| {
                let (file, rank) =
                    (files.counterpart(square.file().index())?, ranks.counterpart(square.rank().index())?);
                Some(Square::new(File::new(file), Rank::new(rank)))
            };
            (MissKind::Corners, Fit::new(label, |square| counterpart(square).map(|square| read.get(square))))
        });
        let fits = turns.chain(shifts).filter(|(_, fit)| fit.kept * 2 >= pieces && fit.wrong * 4 <= as_read.wrong);
        fits.min_by_key(|(_, fit)| fit.wrong).map(|(kind, _)| kind)
    }

    /// Rule 4: the kind that most of the wrong squares have.
    fn of_squares(label: &Placement, read: &Placement) -> MissKind {
        let wrong = WrongSquare::all(label, read);
        let count = |kind| wrong.iter().filter(|square| square.kind() == kind).count();
        // On a tie, `max_by_key` takes the last.
        let kinds = [MissKind::Color, MissKind::Piece, MissKind::Occupancy];
        kinds.into_iter().max_by_key(|&kind| count(kind)).unwrap_or(MissKind::Occupancy)
    }
}

/// How well a turned or shifted reading fits a label.
struct Fit {
    /// Squares that differ.
    wrong: usize,
    /// Pieces of the label that are read.
    kept: usize,
}

impl Fit {
    /// Compares each square of the label with what `read` has for it. Squares for which it has nothing do not count.
    fn new(label: &Placement, read: impl Fn(Square) -> Option<Option<Piece>>) -> Fit {
        let mut fit = Fit { wrong: 0, kept: 0 };
        for square in Square::all() {
            if let Some(read) = read(square) {
                fit.wrong += usize::from(label.get(square) != read);
                fit.kept += usize::from(read.is_some() && label.get(square) == read);
            }
        }
        fit
    }
}

/// The square to which a square moves when the board is turned by a quarter.
fn quarter_turn(square: Square) -> Square {
    Square::new(File::new(square.rank().index()), Rank::new(7 - square.file().index()))
}

/// One line (a file or a rank, 0 to 7) left out of the label, and another one left out of the reading.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Omission(Option<(usize, usize)>);

impl Omission {
    const NONE: Omission = Omission(None);

    fn all() -> impl Iterator<Item = Omission> {
        let pairs = (0..8).flat_map(|label| (0..8).map(move |read| (label, read)));
        pairs.filter(|(label, read)| label != read).map(|pair| Omission(Some(pair)))
    }

    /// The line of the reading that corresponds to a line of the label; none if that line of the label is left out.
    fn counterpart(self, line: usize) -> Option<usize> {
        let Some((label, read)) = self.0 else { return Some(line) };
        let among_others = match line {
            _ if line == label => return None,
            _ if line > label => line - 1,
            _ => line,
        };
        Some(if among_others >= read { among_others + 1 } else { among_others })
    }
}

/// A square that was read wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrongSquare {
    /// The square.
    pub square: Square,
    /// What stands on it; none when it is empty.
    pub label: Option<Piece>,
    /// What was read on it; none when it was read as empty.
    pub read: Option<Piece>,
}

impl WrongSquare {
    /// All squares that differ, a8 first.
    pub fn all(label: &Placement, read: &Placement) -> Vec<WrongSquare> {
        Square::all_in_fen_order()
            .map(|square| WrongSquare { square, label: label.get(square), read: read.get(square) })
            .filter(|square| square.label != square.read)
            .collect()
    }

    /// What is wrong on it.
    pub fn kind(&self) -> MissKind {
        match (self.label, self.read) {
            (Some(label), Some(read)) if label.role == read.role => MissKind::Color,
            (Some(_), Some(_)) => MissKind::Piece,
            _ => MissKind::Occupancy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::tests::{GAME, START, STUDY, board};

    /// The square some files and ranks away, if it is on the board.
    fn shifted(square: Square, files: i32, ranks: i32) -> Option<Square> {
        let step = |index: usize, by: i32| usize::try_from(index as i32 + by).ok().filter(|&index| index < 8);
        let (file, rank) = (step(square.file().index(), files)?, step(square.rank().index(), ranks)?);
        Some(Square::new(File::new(file), Rank::new(rank)))
    }

    /// A placement as it is read when the board is found some files and ranks off.
    fn misplaced(placement: &Placement, files: i32, ranks: i32) -> Placement {
        let mut read = Placement::EMPTY;
        for square in Square::all() {
            read.set(square, shifted(square, files, ranks).and_then(|square| placement.get(square)));
        }
        read
    }

    fn turned(placement: &Placement) -> Placement {
        let mut read = Placement::EMPTY;
        Square::all().for_each(|square| read.set(square, placement.get(quarter_turn(square))));
        read
    }

    #[test]
    fn a_right_reading_is_no_miss() {
        assert_eq!(MissKind::of_board(&board(GAME), &board(GAME)), None);
    }

    #[test]
    fn a_shift_by_one_is_a_miss_of_corners() {
        for label in [START, GAME] {
            for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)] {
                let read = misplaced(&board(label), files, ranks);
                assert_eq!(
                    MissKind::of_board(&board(label), &read),
                    Some(MissKind::Corners),
                    "{label} {files} {ranks}"
                );
            }
        }
        // A shift by two files cannot be told from a reading that is wrong altogether.
        let far = misplaced(&board(GAME), 2, 0);
        assert_eq!(MissKind::of_board(&board(GAME), &far), Some(MissKind::Occupancy));
    }

    #[test]
    fn a_board_cut_too_wide_is_a_miss_of_corners() {
        // One file to the left was taken in, so two files in the middle share one, and what stood on one of them is lost.
        let mut read = board(GAME);
        for square in Square::all().filter(|square| square.file().index() <= 4) {
            read.set(square, shifted(square, 1, 0).and_then(|square| board(GAME).get(square)));
        }
        for square in Square::all().filter(|square| square.file().index() == 5) {
            read.set(square, None);
        }
        assert_eq!(MissKind::of_board(&board(GAME), &read), Some(MissKind::Corners));
    }

    #[test]
    fn lines_are_left_out() {
        let counterparts = |pair: (usize, usize)| [0, 1, 2, 6, 7].map(|line| Omission(Some(pair)).counterpart(line));
        assert_eq!(counterparts((0, 7)), [None, Some(0), Some(1), Some(5), Some(6)]);
        assert_eq!(counterparts((1, 0)), [Some(1), None, Some(2), Some(6), Some(7)]);
        assert_eq!(Omission::all().count(), 56);
    }

    #[test]
    fn turns_are_misses_of_orientation() {
        for label in [START, GAME, STUDY] {
            let half = board(label).half_turn();
            assert_eq!(MissKind::of_board(&board(label), &half), Some(MissKind::Orientation), "{label}");
        }
        // A quarter turn, and half a turn with another piece misread.
        assert_eq!(MissKind::of_board(&board(GAME), &turned(&board(GAME))), Some(MissKind::Orientation));
        let mut read = board(GAME).half_turn();
        read.set("b1".parse().unwrap(), Piece::from_letter('q'));
        assert_eq!(MissKind::of_board(&board(GAME), &read), Some(MissKind::Orientation));
    }

    #[test]
    fn squares_count_one_by_one() {
        let read = |changes: &[(&str, Option<char>)]| {
            let mut read = board(GAME);
            for (square, letter) in changes {
                read.set(square.parse().unwrap(), letter.and_then(Piece::from_letter));
            }
            MissKind::of_board(&board(GAME), &read)
        };
        assert_eq!(read(&[("d1", None)]), Some(MissKind::Occupancy));
        assert_eq!(read(&[("e4", Some('p'))]), Some(MissKind::Occupancy));
        assert_eq!(read(&[("d1", Some('q'))]), Some(MissKind::Color));
        assert_eq!(read(&[("d1", Some('K'))]), Some(MissKind::Piece));
        // Another kind in the other color is another kind.
        assert_eq!(read(&[("d1", Some('k'))]), Some(MissKind::Piece));
        assert_eq!(read(&[("d1", Some('q')), ("a1", Some('r')), ("f1", None)]), Some(MissKind::Color));
        assert_eq!(read(&[("d1", Some('q')), ("a1", None)]), Some(MissKind::Occupancy));
        assert_eq!(read(&[("d1", Some('q')), ("a1", Some('Q'))]), Some(MissKind::Piece));
    }

    #[test]
    fn a_lost_piece_is_not_taken_for_a_shift() {
        // No square is wrong once the edge with the piece is left out, but then no piece is evidence for the shift.
        assert_eq!(MissKind::of_board(&board("8/8/8/8/8/8/8/7K"), &Placement::EMPTY), Some(MissKind::Occupancy));
        assert_eq!(MissKind::of_board(&Placement::EMPTY, &board(STUDY)), Some(MissKind::Occupancy));
    }

    #[test]
    fn squares_are_named() {
        let read = board("r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1R1k");
        let wrong: Vec<_> = WrongSquare::all(&board(GAME), &read).iter().map(|w| w.square.to_string()).collect();
        assert_eq!(wrong, ["g1", "h1"]);
    }
}
