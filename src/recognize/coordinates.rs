//! The reader of printed coordinates: [`Picture`] and [`Corners`] to [`Coordinates`], evidence for
//! [`orient`](crate::recognize::orient).
//!
//! A small network takes the board with one ring of squares around it and gives for every cell which letter a to h and
//! which digit 1 to 8 is printed there, if any. A letter is evidence for White at the bottom where a board seen so has
//! that letter in this column, and for Black where the board turned by half a turn has it; likewise digits and rows.
//! Single misreadings and hidden or missing letters do no harm.

use std::fmt;

use crate::{
    error::{Error, Result},
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
        warp::warp,
    },
    net::infer::{Infer, Tensor},
};

/// Pixels along the side of a cell. Letters inside a square are a sixth of it high; 56 pixels leave them nine.
const CELL: usize = 56;
/// Cells along a side: eight squares and one cell more at either end.
const CELLS: usize = 10;
/// The network's scores of a cell: no letter, a to h, then no digit, 1 to 8.
const SCORES: usize = 18;
/// Probability that a letter is no coordinate, for reasons that the network cannot know (a caption, a column of text). The
/// odds of one cell are at most its inverse.
const STRAY: f32 = 0.03;
/// Log-odds from which letters and digits count: about three of them agree. On 338 drawn boards with coordinates,
/// degraded as in training, 197 reached this and all results were right; of 262 without, one did. Below, down to 6, all
/// but one of twelve were right, but four more boards without coordinates reached that too.
const CLEAR: f32 = 10.0;

/// A model that reads the coordinates printed in and around a board.
pub trait CoordinateModel: Send + Sync {
    /// What the coordinates say about the orientation of the board with these corners, in pixels of the picture.
    ///
    /// # Errors
    /// [`Error::Inference`]; [`Error::BoardNotFound`] when the corners are not those of a board seen from its front.
    fn read(&self, picture: &Picture, corners: &Corners) -> Result<CoordinateEvidence>;
}

impl CoordinateModel for CoordinateReader {
    fn read(&self, picture: &Picture, corners: &Corners) -> Result<CoordinateEvidence> {
        CoordinateReader::read(self, picture, corners).map(|coordinates| coordinates.evidence())
    }
}

/// Reads the coordinates around a board.
pub struct CoordinateReader {
    model: Box<dyn Infer>,
}

impl fmt::Debug for CoordinateReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoordinateReader").finish_non_exhaustive()
    }
}

impl CoordinateReader {
    /// A reader with the network of [`Models::coordinates`](crate::Models), or with one that does the same.
    pub fn new(model: impl Infer + 'static) -> CoordinateReader {
        CoordinateReader { model: Box::new(model) }
    }

    /// Reads the letters and digits in and around the board with these corners.
    ///
    /// # Errors
    /// [`Error::Inference`]; [`Error::BoardNotFound`] when the corners are not those of a board seen from its front.
    pub fn read(&self, picture: &Picture, corners: &Corners) -> Result<Coordinates> {
        let side = (8 * CELL) as f64;
        let to_source = Homography::from_rect(side, side, corners)
            .filter(|_| corners.is_convex())
            .ok_or_else(|| Error::BoardNotFound { reason: "the corners span no convex area".into() })?;
        let ring = Point::new(-(CELL as f64), -(CELL as f64));
        let to_source = Homography::scale_shift(1.0, ring).then(&to_source);
        let view = warp(picture, &to_source, CELLS * CELL, CELLS * CELL);
        Coordinates::from_logits(&self.model.infer(&view)?)
    }
}

/// What is printed in and around a board, cell by cell as seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinates {
    /// For each of the 10 x 10 cells, row by row, the probabilities of no letter, a to h, no digit, 1 to 8.
    cells: Vec<[f32; SCORES]>,
}

impl Coordinates {
    fn from_logits(logits: &Tensor) -> Result<Coordinates> {
        let values = logits.values();
        if values.len() != CELLS * CELLS * SCORES || values.iter().any(|v| !v.is_finite()) {
            let reason = format!("{} finite scores expected, got {} values", CELLS * CELLS * SCORES, values.len());
            return Err(Error::Inference { source: reason.into() });
        }
        let cells = values.chunks_exact(SCORES).map(|row| {
            let mut cell = [0.0; SCORES];
            for half in [0..SCORES / 2, SCORES / 2..SCORES] {
                let top = row[half.clone()].iter().copied().fold(f32::MIN, f32::max);
                let sum: f32 = row[half.clone()].iter().map(|v| (v - top).exp()).sum();
                half.for_each(|i| cell[i] = (row[i] - top).exp() / sum);
            }
            cell
        });
        Ok(Coordinates { cells: cells.collect() })
    }

    /// How much more probable the letters are with White at the bottom than with Black, as log-odds; then the digits.
    fn log_odds(&self) -> (f32, f32) {
        let mut letters = 0.0;
        let mut digits = 0.0;
        // Letters stand above and below the board or inside its first and last row; digits beside it likewise.
        for edge in [0, 1, CELLS - 2, CELLS - 1] {
            for along in 1..=8 {
                let (below, beside) = (&self.cells[edge * CELLS + along], &self.cells[along * CELLS + edge]);
                letters += ((below[along] + STRAY) / (below[9 - along] + STRAY)).ln();
                digits += ((beside[9 + 9 - along] + STRAY) / (beside[9 + along] + STRAY)).ln();
            }
        }
        (letters, digits)
    }

    /// The evidence for the side at the bottom.
    pub fn evidence(&self) -> CoordinateEvidence {
        let (letters, digits) = self.log_odds();
        if letters.min(digits) < -CLEAR && letters.max(digits) > CLEAR {
            CoordinateEvidence::Mirrored
        } else if (letters + digits).abs() > CLEAR {
            CoordinateEvidence::LogOdds(letters + digits)
        } else {
            CoordinateEvidence::Nothing
        }
    }
}

/// The evidence that coordinates give for the side at the bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum CoordinateEvidence {
    /// There are none, or too few are legible.
    Nothing,
    /// The log-odds of White at the bottom against Black.
    LogOdds(f32),
    /// Letters and digits contradict each other: the picture is mirrored, or the board wrongly labeled.
    Mirrored,
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Coordinates with the letter of each column and the digit of each row, where there is one.
    fn printed(letter: impl Fn(usize) -> Option<usize>, digit: impl Fn(usize) -> Option<usize>) -> Coordinates {
        let mut cells = vec![[0.0; SCORES]; CELLS * CELLS];
        cells.iter_mut().for_each(|cell| (cell[0], cell[9]) = (1.0, 1.0));
        for along in 1..=8 {
            if let Some(file) = letter(along) {
                let cell = &mut cells[9 * CELLS + along];
                (cell[0], cell[file]) = (0.05, 0.95);
            }
            if let Some(rank) = digit(along) {
                let cell = &mut cells[along * CELLS];
                (cell[9], cell[9 + rank]) = (0.05, 0.95);
            }
        }
        Coordinates { cells }
    }

    fn log_odds(coordinates: &Coordinates) -> f32 {
        match coordinates.evidence() {
            CoordinateEvidence::LogOdds(value) => value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn either_side_is_recognized() {
        let white = printed(Some, |row| Some(9 - row));
        let black = printed(|col| Some(9 - col), Some);
        assert!(log_odds(&white) > 40.0);
        assert!((log_odds(&white) + log_odds(&black)).abs() < 1e-3);
        // Letters alone, and with half of them hidden.
        assert!(log_odds(&printed(|col| (col > 4).then_some(9 - col), |_| None)) < -10.0);
    }

    #[test]
    fn little_is_no_evidence_and_contradictions_are_reported() {
        assert_eq!(printed(|_| None, |_| None).evidence(), CoordinateEvidence::Nothing);
        assert_eq!(printed(|col| (col == 3).then_some(6), |_| None).evidence(), CoordinateEvidence::Nothing);
        assert_eq!(printed(|col| Some(9 - col), |row| Some(9 - row)).evidence(), CoordinateEvidence::Mirrored);
    }

    #[test]
    fn malformed_outputs_are_errors() {
        let logits = |count: usize, value: f32| Coordinates::from_logits(&Tensor::new([count], vec![value; count]));
        assert!(logits(1799, 0.0).is_err() && logits(1800, f32::NAN).is_err());
        let flat = logits(1800, 0.0).unwrap();
        assert!((flat.cells[0].iter().sum::<f32>() - 2.0).abs() < 1e-5);
        assert_eq!(flat.evidence(), CoordinateEvidence::Nothing);
    }

    #[test]
    fn the_model_sees_the_board_with_a_ring_around_it() {
        // The board is white on black, 240 pixels wide: 56 pixels of the view are black on every side.
        let mut picture = Picture::filled(400, 400, [0; 3]);
        (80..320).for_each(|y| (80..320).for_each(|x| picture.set_pixel(x, y, [255; 3])));
        let model = |view: &Picture| {
            assert_eq!((view.width(), view.height()), (560, 560));
            let is_white = |x: usize, y: usize| view.pixel(x, y)[0] > 128;
            assert!(is_white(57, 502) && is_white(502, 57) && !is_white(54, 300) && !is_white(300, 505));
            Ok(Tensor::new([1, 100, 18], vec![0.0; 1800]))
        };
        let reader = CoordinateReader::new(model);
        let corners = Corners::from_rect(80.0, 80.0, 320.0, 320.0);
        assert_eq!(reader.read(&picture, &corners).unwrap().evidence(), CoordinateEvidence::Nothing);
        let [a, b, c, d] = corners.0;
        assert_eq!(reader.read(&picture, &Corners([a, c, b, d])).unwrap_err().kind(), "no-board");
    }
}
