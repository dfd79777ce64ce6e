//! What went wrong with a board, and on which square.

use crate::games::{
    chess::{File, Piece, Rank, Square},
    placement::Placement,
};

/// What a miss is charged to. Each miss, that is each labelled board that is not read exactly and each board read where
/// there is none, is charged once, by the placements alone:
///
/// 1. a label that no reading is paired with: [`NoBoard`](Fault::NoBoard); a reading without a label:
///    [`ExtraBoard`](Fault::ExtraBoard);
/// 2. a reading that is the label turned by half a turn: [`Orientation`](Fault::Orientation);
/// 3. where fewer than half of the label's pieces are read on their squares, the cause is looked for in the board as a whole:
///    the reading is compared with the label once more, turned by a quarter or by half, and with one file, one rank or both
///    left out of each of the two, not the same of both. Files left out at opposite edges are a board found one file
///    beside its place; one at an edge and one within, a board cut too wide or too narrow. If at most a quarter of the
///    wrong squares then remain wrong, and at least half of the pieces stand on their squares, the best of these is the
///    cause: a turn [`Orientation`](Fault::Orientation), a file or rank left out [`Corners`](Fault::Corners);
/// 4. otherwise every wrong square is at fault by itself: [`Occupancy`](Fault::Occupancy) when it is empty in one of the
///    two, [`Color`](Fault::Color) when the same kind of piece has the other color, else [`Piece`](Fault::Piece). The board
///    is charged to what most of its wrong squares are, on a tie to the first in this order: occupancy, piece, color.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// A board was not found.
    NoBoard,
    /// A board was read where there is none.
    ExtraBoard,
    /// The board was found a file or a rank beside its place, or cut by one too wide or too narrow.
    Corners,
    /// A piece was overlooked, or seen where there is none.
    Occupancy,
    /// A piece was taken for another kind.
    Piece,
    /// A piece was taken for one of the other color.
    Color,
    /// The board was read from the wrong side.
    Orientation,
}

impl Fault {
    /// All faults, in the order of the stages.
    pub const ALL: [Fault; 7] = [
        Fault::NoBoard,
        Fault::ExtraBoard,
        Fault::Corners,
        Fault::Occupancy,
        Fault::Piece,
        Fault::Color,
        Fault::Orientation,
    ];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NoBoard => "no board",
            Fault::ExtraBoard => "extra board",
            Fault::Corners => "corners",
            Fault::Occupancy => "occupancy",
            Fault::Piece => "piece",
            Fault::Color => "color",
            Fault::Orientation => "orientation",
        }
    }

    /// What is wrong with the reading of a board, if anything.
    pub fn of_board(label: &Placement, read: &Placement) -> Option<Fault> {
        if label == read {
            return None;
        }
        if *label == read.half_turn() {
            return Some(Fault::Orientation);
        }
        Some(Fault::of_whole(label, read).unwrap_or_else(|| Fault::of_squares(label, read)))
    }

    /// Rule 3.
    fn of_whole(label: &Placement, read: &Placement) -> Option<Fault> {
        let pieces = label.pieces().count();
        let as_read = Fit::of(label, |square| Some(read.get(square)));
        if as_read.kept * 2 >= pieces {
            return None;
        }
        let turns = (1..4).map(|quarters| {
            let fit = Fit::of(label, |square| Some(read.get((0..quarters).fold(square, |at, _| quarter_turn(at)))));
            (Fault::Orientation, fit)
        });
        let cuts = || std::iter::once(Cut::NONE).chain(Cut::all());
        let pairs = cuts().flat_map(|files| cuts().map(move |ranks| (files, ranks)));
        let shifts = pairs.filter(|&pair| pair != (Cut::NONE, Cut::NONE)).map(|(files, ranks)| {
            let place = |square: Square| {
                let (file, rank) = (files.place(square.file().index())?, ranks.place(square.rank().index())?);
                Some(Square::new(File::new(file), Rank::new(rank)))
            };
            (Fault::Corners, Fit::of(label, |square| place(square).map(|square| read.get(square))))
        });
        let fits = turns.chain(shifts).filter(|(_, fit)| fit.kept * 2 >= pieces && fit.wrong * 4 <= as_read.wrong);
        fits.min_by_key(|(_, fit)| fit.wrong).map(|(fault, _)| fault)
    }

    /// Rule 4.
    fn of_squares(label: &Placement, read: &Placement) -> Fault {
        let wrong = WrongSquare::all(label, read);
        let count = |fault| wrong.iter().filter(|square| square.fault() == fault).count();
        // Of equals, `max_by_key` takes the last.
        let faults = [Fault::Color, Fault::Piece, Fault::Occupancy];
        faults.into_iter().max_by_key(|&fault| count(fault)).unwrap_or(Fault::Occupancy)
    }
}

/// How well a reading fits a label once it is moved.
struct Fit {
    /// Squares that differ.
    wrong: usize,
    /// Pieces of the label that are read.
    kept: usize,
}

impl Fit {
    /// Compares each square of the label with what `read` has for it, where it has anything.
    fn of(label: &Placement, read: impl Fn(Square) -> Option<Option<Piece>>) -> Fit {
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

/// Where a square comes to lie when the board is turned by a quarter.
fn quarter_turn(square: Square) -> Square {
    Square::new(File::new(square.rank().index()), Rank::new(7 - square.file().index()))
}

/// A line, file or rank, left out of the label and another left out of the reading.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cut(Option<(usize, usize)>);

impl Cut {
    const NONE: Cut = Cut(None);

    fn all() -> impl Iterator<Item = Cut> {
        let pairs = (0..8).flat_map(|label| (0..8).map(move |read| (label, read)));
        pairs.filter(|(label, read)| label != read).map(|pair| Cut(Some(pair)))
    }

    /// The line of the reading that stands for a line of the label, if any does.
    fn place(self, line: usize) -> Option<usize> {
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
pub struct WrongSquare {
    /// Which.
    pub square: Square,
    /// What stands on it.
    pub label: Option<Piece>,
    /// What was read.
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
    pub fn fault(&self) -> Fault {
        match (self.label, self.read) {
            (Some(label), Some(read)) if label.role == read.role => Fault::Color,
            (Some(_), Some(_)) => Fault::Piece,
            _ => Fault::Occupancy,
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

    /// A placement as it is read when the board is found some files and ranks beside its place.
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
    fn right_is_no_fault() {
        assert_eq!(Fault::of_board(&board(GAME), &board(GAME)), None);
    }

    #[test]
    fn a_shift_by_one_is_charged_to_the_corners() {
        for label in [START, GAME] {
            for (files, ranks) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)] {
                let read = misplaced(&board(label), files, ranks);
                assert_eq!(Fault::of_board(&board(label), &read), Some(Fault::Corners), "{label} {files} {ranks}");
            }
        }
        // Two files off is no longer told from a hopeless reading.
        let far = misplaced(&board(GAME), 2, 0);
        assert_eq!(Fault::of_board(&board(GAME), &far), Some(Fault::Occupancy));
    }

    #[test]
    fn a_board_cut_too_wide_is_charged_to_the_corners() {
        // One file to the left was taken in, so two in the middle share a place, and what stood on one of them is lost.
        let mut read = board(GAME);
        for square in Square::all().filter(|square| square.file().index() <= 4) {
            read.set(square, shifted(square, 1, 0).and_then(|square| board(GAME).get(square)));
        }
        for square in Square::all().filter(|square| square.file().index() == 5) {
            read.set(square, None);
        }
        assert_eq!(Fault::of_board(&board(GAME), &read), Some(Fault::Corners));
    }

    #[test]
    fn lines_are_left_out() {
        let place = |cut: (usize, usize)| [0, 1, 2, 6, 7].map(|line| Cut(Some(cut)).place(line));
        assert_eq!(place((0, 7)), [None, Some(0), Some(1), Some(5), Some(6)]);
        assert_eq!(place((1, 0)), [Some(1), None, Some(2), Some(6), Some(7)]);
        assert_eq!(Cut::all().count(), 56);
    }

    #[test]
    fn turns_are_charged_to_the_orientation() {
        for label in [START, GAME, STUDY] {
            let half = board(label).half_turn();
            assert_eq!(Fault::of_board(&board(label), &half), Some(Fault::Orientation), "{label}");
        }
        // A quarter turn, and half a turn with a piece misread besides.
        assert_eq!(Fault::of_board(&board(GAME), &turned(&board(GAME))), Some(Fault::Orientation));
        let mut read = board(GAME).half_turn();
        read.set("b1".parse().unwrap(), Piece::from_letter('q'));
        assert_eq!(Fault::of_board(&board(GAME), &read), Some(Fault::Orientation));
    }

    #[test]
    fn squares_are_charged_one_by_one() {
        let read = |changes: &[(&str, Option<char>)]| {
            let mut read = board(GAME);
            for (square, letter) in changes {
                read.set(square.parse().unwrap(), letter.and_then(Piece::from_letter));
            }
            Fault::of_board(&board(GAME), &read)
        };
        assert_eq!(read(&[("d1", None)]), Some(Fault::Occupancy));
        assert_eq!(read(&[("e4", Some('p'))]), Some(Fault::Occupancy));
        assert_eq!(read(&[("d1", Some('q'))]), Some(Fault::Color));
        assert_eq!(read(&[("d1", Some('K'))]), Some(Fault::Piece));
        // Another kind in the other color is another kind.
        assert_eq!(read(&[("d1", Some('k'))]), Some(Fault::Piece));
        assert_eq!(read(&[("d1", Some('q')), ("a1", Some('r')), ("f1", None)]), Some(Fault::Color));
        assert_eq!(read(&[("d1", Some('q')), ("a1", None)]), Some(Fault::Occupancy));
        assert_eq!(read(&[("d1", Some('q')), ("a1", Some('Q'))]), Some(Fault::Piece));
    }

    #[test]
    fn a_lost_piece_is_not_taken_for_a_shift() {
        // Every wrong square is gone when the edge that holds the piece is left out, but no piece then speaks for the shift.
        assert_eq!(Fault::of_board(&board("8/8/8/8/8/8/8/7K"), &Placement::EMPTY), Some(Fault::Occupancy));
        assert_eq!(Fault::of_board(&Placement::EMPTY, &board(STUDY)), Some(Fault::Occupancy));
    }

    #[test]
    fn squares_are_named() {
        let read = board("r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1R1k");
        let wrong: Vec<_> = WrongSquare::all(&board(GAME), &read).iter().map(|w| w.square.to_string()).collect();
        assert_eq!(wrong, ["g1", "h1"]);
    }
}
