//! Stage 1, find: [`Picture`] to the [`Corners`] of every board in it.
//!
//! Two small networks, each followed by a robust fit. The *finder* sees the whole picture at low resolution and says of
//! every place which point of which board it shows; each connected core of a board gives a first estimate of its
//! corners. The *aligner* then sees that board alone, cut through the estimate at a fixed scale, and says of every place
//! where in its square it lies; a homography fitted to these many votes, offset and pitch jointly, gives the
//! corners. What does not repeat eight times is no board. Gradients and contours, the usual ways, fail on hatched and
//! frameless print.

mod align;
mod find;

pub use align::AlignOptions;
pub use find::FindOptions;
use ndarray::{ArrayD, ArrayView3};

use crate::{
    error::{Error, Result},
    image::{geometry::Corners, picture::Picture},
    net::runtime::Network,
};

/// Parameters of [`Locator::locate`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LocateOptions {
    /// First estimates in the whole picture.
    pub find: FindOptions,
    /// The fit to the lattice of one board.
    pub align: AlignOptions,
}

/// A board found in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    /// The corners of its squares.
    pub corners: Corners,
    /// How probable it is that there is a board just here.
    pub confidence: f32,
}

/// A model that finds the boards of a picture.
pub trait BoardLocator: Send + Sync {
    /// All boards in reading order: rows from the top, each from the left. Corners are in pixels of the picture.
    ///
    /// # Errors
    /// [`Error::Inference`].
    fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Located>>;
}

impl BoardLocator for Locator {
    fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Located>> {
        Locator::locate(self, picture, options)
    }
}

/// Finds boards.
#[derive(Debug)]
pub struct Locator {
    finder: Network,
    aligner: Network,
}

impl Locator {
    /// A locator with the networks of [`Models::finder`](crate::Models) and [`Models::aligner`](crate::Models).
    pub fn new(finder: Network, aligner: Network) -> Self {
        Locator { finder, aligner }
    }

    /// All boards in reading order: rows from the top, each from the left.
    ///
    /// # Errors
    /// [`Error::Inference`].
    pub fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Located>> {
        if picture.width().min(picture.height()) < options.find.smallest {
            return Ok(Vec::new());
        }
        let mut boards: Vec<Located> = Vec::new();
        for estimate in find::find(&self.finder, picture, &options.find)? {
            if boards.iter().any(|board| overlap(&board.corners, &estimate)) {
                continue;
            }
            let located = align::align(&self.aligner, picture, &estimate, &options.align)?;
            boards.extend(located.filter(|board| difference(shape(board), 1.0) < SQUEEZED));
        }
        Ok(reading_order(without_doubles(without_misshapen(boards))))
    }
}

/// Keeps the surer one of two boards that lie on each other.
fn without_doubles(mut boards: Vec<Located>) -> Vec<Located> {
    boards.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut kept: Vec<Located> = Vec::new();
    for board in boards {
        if kept.iter().all(|other| !overlap(&board.corners, &other.corners)) {
            kept.push(board);
        }
    }
    kept
}

/// The most by which the shape of a board, width over height, may differ from that of its picture's boards, as a factor. Of
/// 428 boards rightly found on drawn pages, screens and sheets, photographed or not, none differed by more than 1.08.
const MISSHAPEN: f64 = 1.2;

/// How much longer one pair of sides may be than the other in any case. Of those 428, none had more than 1.45.
const SQUEEZED: f64 = 1.65;

/// The width of a board over its height.
fn shape(board: &Located) -> f64 {
    let [a, b, c, d] = board.corners.0;
    (a.distance(b) + c.distance(d)) / (b.distance(c) + d.distance(a))
}

/// The factor by which two shapes differ, 1 or more.
fn difference(one: f64, other: f64) -> f64 {
    (one / other).max(other / one)
}

/// Leaves out what is no board by its shape: boards of one picture were printed and photographed alike, so where most have
/// one shape, what has another is a part of a board or of two. Where no shape has a majority, nobody can tell.
fn without_misshapen(boards: Vec<Located>) -> Vec<Located> {
    let shapes: Vec<f64> = boards.iter().map(shape).collect();
    let alike = |usual: f64| shapes.iter().filter(|&&other| difference(other, usual) < MISSHAPEN).count();
    let Some(usual) = shapes.iter().copied().max_by_key(|&shape| alike(shape)) else { return boards };
    if 2 * alike(usual) <= shapes.len() {
        return boards;
    }
    boards.into_iter().filter(|board| difference(shape(board), usual) < MISSHAPEN).collect()
}

/// Whether the middle of one board lies well inside the other. Boards may touch, but never share squares.
fn overlap(a: &Corners, b: &Corners) -> bool {
    let reach = a.area().max(b.area()).sqrt() / 3.0;
    a.centre().distance(b.centre()) < reach
}

/// Sorts boards into rows from the top, each from the left. A board belongs to a row when its middle lies within the
/// height of the row's first board.
fn reading_order(mut boards: Vec<Located>) -> Vec<Located> {
    boards.sort_by(|a, b| a.corners.centre().y.total_cmp(&b.corners.centre().y));
    let mut ordered = Vec::with_capacity(boards.len());
    while !boards.is_empty() {
        let first = boards[0].corners;
        let reach = first.centre().y + first.area().sqrt() / 2.0;
        let (mut row, rest): (Vec<_>, Vec<_>) = boards.into_iter().partition(|b| b.corners.centre().y < reach);
        row.sort_by(|a, b| a.corners.centre().x.total_cmp(&b.corners.centre().x));
        ordered.append(&mut row);
        boards = rest;
    }
    ordered
}

/// The maps of a network's output, `[count, side, side]`.
fn maps(output: &ArrayD<f32>, count: usize, side: usize) -> Result<ArrayView3<'_, f32>> {
    output
        .view()
        .into_shape_with_order((count, side, side))
        .map_err(|error| Error::Inference { source: Box::new(error) })
}

/// `1 / (1 + e^-x)`.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(left: f64, top: f64, side: f64, confidence: f32) -> Located {
        Located { corners: Corners::from_rect(left, top, left + side, top + side), confidence }
    }

    #[test]
    fn rows_come_before_columns() {
        let boards =
            vec![board(500.0, 40.0, 100.0, 0.9), board(20.0, 300.0, 100.0, 0.9), board(10.0, 60.0, 100.0, 0.9)];
        let order: Vec<f64> = reading_order(boards).iter().map(|b| b.corners.0[0].x).collect();
        assert_eq!(order, [10.0, 500.0, 20.0]);
    }

    #[test]
    fn parts_of_boards_are_no_boards() {
        let squeezed = |left: f64, width: f64| Located {
            corners: Corners::from_rect(left, 0.0, left + width, 100.0),
            confidence: 0.95,
        };
        let kept = |boards: Vec<Located>| without_misshapen(boards).len();
        assert_eq!(kept(vec![squeezed(0.0, 100.0), squeezed(110.0, 77.0), squeezed(200.0, 104.0)]), 2);
        // A page that was stretched as a whole, and a pair of which either may be right.
        assert_eq!(kept(vec![squeezed(0.0, 80.0), squeezed(110.0, 77.0), squeezed(200.0, 79.0)]), 3);
        assert_eq!(kept(vec![squeezed(0.0, 100.0), squeezed(110.0, 77.0)]), 2);
        // Two of each shape, and three that all differ.
        assert_eq!(kept(vec![squeezed(0.0, 77.0), squeezed(0.0, 100.0), squeezed(0.0, 78.0), squeezed(0.0, 101.0)]), 4);
        assert_eq!(kept(vec![squeezed(0.0, 70.0), squeezed(0.0, 100.0), squeezed(0.0, 140.0)]), 3);
        assert!(difference(shape(&squeezed(0.0, 50.0)), 1.0) > SQUEEZED);
    }

    #[test]
    fn of_two_on_each_other_the_surer_stays() {
        let boards = vec![board(0.0, 0.0, 100.0, 0.7), board(12.0, 3.0, 100.0, 0.9), board(100.0, 0.0, 100.0, 0.8)];
        let kept = without_doubles(boards);
        assert_eq!(kept.iter().map(|b| b.corners.0[0].x).collect::<Vec<_>>(), [12.0, 100.0]);
    }
}
