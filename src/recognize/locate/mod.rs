//! Stage 1, locate: [`Picture`] to the [`Corners`] of every board in it.
//!
//! Two small networks, each followed by a robust fit. The *finder* takes the whole picture at low resolution and gives for
//! every cell which point of its board it shows; each connected core of a board gives a first estimate of its corners.
//! The *aligner* then takes that board alone, cut through the estimate at a fixed scale, and gives for every cell where
//! in its square it lies, the phase; a homography fitted to these many votes, offset and pitch jointly, gives the
//! corners. What does not repeat eight times is no board. Gradients and contours, the usual methods, fail on hatched and
//! frameless print.

mod align;
mod find;
mod in_order;

use std::fmt;

pub use align::AlignOptions;
pub use find::FindOptions;
use in_order::in_order;
use ndarray::ArrayView3;

use crate::{
    error::{Error, Result},
    image::{geometry::Corners, picture::Picture},
    net::infer::{Infer, Tensor},
};

/// Parameters of [`Locator::locate`].
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LocateOptions {
    /// First estimates in the whole picture.
    pub find: FindOptions,
    /// The fit to the lattice of one board.
    pub align: AlignOptions,
}

/// A board found in a picture.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Detection {
    /// The corners of its squares.
    pub corners: Corners,
    /// The probability that there is a board with just these corners.
    pub confidence: f32,
}

impl Detection {
    /// A board with these corners, in pixels of the picture, clockwise from the one that is top left there.
    pub fn new(corners: Corners, confidence: f32) -> Detection {
        Detection { corners, confidence }
    }
}

/// A model that finds the boards of a picture.
pub trait BoardLocator: Send + Sync {
    /// All boards in reading order: rows from the top, each from the left. Corners are in pixels of the picture.
    ///
    /// # Errors
    /// [`Error::Inference`].
    fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Detection>>;
}

impl BoardLocator for Locator {
    fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Detection>> {
        Locator::locate(self, picture, options)
    }
}

/// Finds boards.
pub struct Locator {
    finder: Box<dyn Infer>,
    aligner: Box<dyn Infer>,
}

impl fmt::Debug for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Locator").finish_non_exhaustive()
    }
}

impl Locator {
    /// A locator with the networks of [`Models::finder`](crate::Models) and [`Models::aligner`](crate::Models), or with
    /// others that do the same.
    pub fn new(finder: impl Infer + 'static, aligner: impl Infer + 'static) -> Self {
        Locator { finder: Box::new(finder), aligner: Box::new(aligner) }
    }

    /// All boards in reading order: rows from the top, each from the left. The parts of a large picture, and then its
    /// boards, are worked on in parallel in the current `rayon` pool; the result does not depend on the number of threads.
    ///
    /// # Errors
    /// [`Error::Inference`]; [`Error::Model`] when the runtime refuses a network that was still being loaded.
    pub fn locate(&self, picture: &Picture, options: &LocateOptions) -> Result<Vec<Detection>> {
        if picture.width().min(picture.height()) < options.find.smallest {
            return Ok(Vec::new());
        }
        let estimates = find::find(&*self.finder, picture, &options.find)?;
        let boards = self.align_all(picture, &estimates, options)?;
        Ok(reading_order(without_doubles(without_misshapen(boards))))
    }

    /// The boards that these estimates lead to. An estimate is left out where it lies on a board that an earlier one has led
    /// to.
    fn align_all(&self, picture: &Picture, estimates: &[Corners], options: &LocateOptions) -> Result<Vec<Detection>> {
        let align = |estimate: &Corners| {
            let located = align::align(&*self.aligner, picture, estimate, &options.align)?;
            Ok(located.filter(|board| difference(shape(board), 1.0) < SQUEEZED))
        };
        in_order(estimates, align, |board, estimate| overlap(&board.corners, estimate), overlap)
    }
}

/// Keeps the more probable one of two boards that lie on each other.
fn without_doubles(mut boards: Vec<Detection>) -> Vec<Detection> {
    boards.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut kept: Vec<Detection> = Vec::new();
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
fn shape(board: &Detection) -> f64 {
    let [a, b, c, d] = board.corners.0;
    (a.distance(b) + c.distance(d)) / (b.distance(c) + d.distance(a))
}

/// The factor by which two shapes differ, 1 or more.
fn difference(one: f64, other: f64) -> f64 {
    (one / other).max(other / one)
}

/// Leaves out what is no board by its shape: boards of one picture were printed and photographed alike, so where most have
/// one shape, what has another is a part of a board or of two. Where no shape has a majority, all stay.
fn without_misshapen(boards: Vec<Detection>) -> Vec<Detection> {
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
    a.center().distance(b.center()) < reach
}

/// Sorts boards into rows from the top, each from the left. A board belongs to a row when its middle lies within the
/// height of the row's first board.
fn reading_order(mut boards: Vec<Detection>) -> Vec<Detection> {
    boards.sort_by(|a, b| a.corners.center().y.total_cmp(&b.corners.center().y));
    let mut ordered = Vec::with_capacity(boards.len());
    while !boards.is_empty() {
        let first = boards[0].corners;
        let reach = first.center().y + first.area().sqrt() / 2.0;
        let (mut row, rest): (Vec<_>, Vec<_>) = boards.into_iter().partition(|b| b.corners.center().y < reach);
        row.sort_by(|a, b| a.corners.center().x.total_cmp(&b.corners.center().x));
        ordered.append(&mut row);
        boards = rest;
    }
    ordered
}

/// The maps of a network's output, `[count, side, side]`.
fn maps(output: &Tensor, count: usize, side: usize) -> Result<ArrayView3<'_, f32>> {
    ArrayView3::from_shape((count, side, side), output.values())
        .map_err(|error| Error::Inference { source: Box::new(error) })
}

/// `1 / (1 + e^-x)`.
fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use std::{
        f32::consts::TAU,
        sync::atomic::{AtomicUsize, Ordering},
    };

    use super::*;
    use crate::image::geometry::{Homography, Point};

    fn board(left: f64, top: f64, side: f64, confidence: f32) -> Detection {
        Detection { corners: Corners::from_rect(left, top, left + side, top + side), confidence }
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
        let squeezed = |left: f64, width: f64| Detection {
            corners: Corners::from_rect(left, 0.0, left + width, 100.0),
            confidence: 0.95,
        };
        let kept = |boards: Vec<Detection>| without_misshapen(boards).len();
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
    fn of_two_on_each_other_the_more_probable_stays() {
        let boards = vec![board(0.0, 0.0, 100.0, 0.7), board(12.0, 3.0, 100.0, 0.9), board(100.0, 0.0, 100.0, 0.8)];
        let kept = without_doubles(boards);
        assert_eq!(kept.iter().map(|b| b.corners.0[0].x).collect::<Vec<_>>(), [12.0, 100.0]);
    }

    /// A blue page with boards that the models below can read: red is how far to the right a pixel lies on its board,
    /// green how far down.
    fn page(width: usize, height: usize, boards: &[Corners]) -> Picture {
        let mut picture = Picture::filled(width, height, [0, 0, 255]);
        for corners in boards {
            let back = Homography::from_rect(255.0, 255.0, corners).unwrap().inverse().unwrap();
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let p = back.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5));
                if (0.0..255.0).contains(&p.x) && (0.0..255.0).contains(&p.y) {
                    picture.set_pixel(x, y, [p.x.round() as u8, p.y.round() as u8, 0]);
                }
            }
        }
        picture
    }

    /// The point of its board, from 0 to 1, that a cell of `stride` pixels shows in its middle.
    fn point_shown(picture: &Picture, stride: usize, row: usize, col: usize) -> Option<(f32, f32)> {
        let (x, y) = (col * stride + stride / 2, row * stride + stride / 2);
        let around = [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)].map(|(x, y)| picture.pixel(x, y));
        let mean = |channel: usize| around.iter().map(|rgb| f32::from(rgb[channel])).sum::<f32>() / (4.0 * 255.0);
        (around.iter().all(|rgb| rgb[2] < 8)).then(|| (mean(0), mean(1)))
    }

    /// The output of a model of `side` x `side` cells, each with the values that `cell` gives for what it shows.
    fn output<const MAPS: usize>(
        picture: &Picture,
        side: usize,
        cell: impl Fn(Option<(f32, f32)>) -> [f32; MAPS],
    ) -> Tensor {
        let mut values = vec![0.0; MAPS * side * side];
        for (row, col) in (0..side).flat_map(|row| (0..side).map(move |col| (row, col))) {
            let shown = point_shown(picture, picture.width() / side, row, col);
            for (map, value) in cell(shown).into_iter().enumerate() {
                values[(map * side + row) * side + col] = value;
            }
        }
        Tensor::new([1, MAPS, side, side], values)
    }

    /// Finds every board of a page of at least `least` cells.
    fn finder(picture: &Picture, least: usize) -> Tensor {
        let found = output(picture, 48, |shown| match shown {
            Some((u, v)) if (0.1..0.9).contains(&u) && (0.1..0.9).contains(&v) => [9.0, 9.0, u, v],
            _ => [-9.0, -9.0, 0.0, 0.0],
        });
        let cells = found.values()[..48 * 48].iter().filter(|&&core| core > 0.0).count();
        if cells < least { Tensor::new([1, 4, 48, 48], vec![-9.0; 4 * 48 * 48]) } else { found }
    }

    /// Gives the phase within a square exactly.
    fn aligner(picture: &Picture) -> Result<Tensor> {
        Ok(output(picture, 64, |shown| match shown {
            Some((u, v)) => {
                let (x, y) = (8.0 * TAU * u, 8.0 * TAU * v);
                [9.0, u, v, x.cos(), x.sin(), y.cos(), y.sin()]
            }
            None => [-9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        }))
    }

    fn locate(picture: &Picture) -> Vec<Detection> {
        Locator::new(|view: &Picture| Ok(finder(view, 0)), aligner).locate(picture, &LocateOptions::default()).unwrap()
    }

    /// Whether the corners found are these, to within a twentieth of a square.
    fn assert_corners(found: &Corners, expected: &Corners) {
        let allowed = expected.area().sqrt() / 8.0 / 20.0;
        let near = found.0.iter().zip(expected.0).all(|(a, b)| a.distance(b) < allowed);
        assert!(near, "{found:?}, expected {expected:?} within {allowed}");
    }

    #[test]
    fn a_board_is_found_with_its_corners() {
        let corners =
            Corners([(120.0, 60.0), (500.0, 90.0), (540.0, 430.0), (90.0, 410.0)].map(|(x, y)| Point::new(x, y)));
        let found = locate(&page(640, 480, &[corners]));
        assert_eq!(found.len(), 1);
        assert_corners(&found[0].corners, &corners);
        assert!(found[0].confidence > 0.95, "{}", found[0].confidence);
    }

    #[test]
    fn boards_of_a_page_are_found_in_reading_order_with_any_number_of_threads() {
        let at = |n: usize| ((n % 2) as f64 * 280.0 + 20.0, (n / 2) as f64 * 300.0 + 30.0);
        let boards: Vec<Corners> =
            (0..6).map(at).map(|(x, y)| Corners::from_rect(x, y, x + 240.0, y + 240.0)).collect();
        let picture = page(560, 920, &boards);
        let found = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| locate(&picture)).into_iter().map(|board| board.corners).collect::<Vec<_>>()
        };
        let alone = found(1);
        assert_eq!(alone.len(), 6);
        alone.iter().zip(&boards).for_each(|(found, expected)| assert_corners(found, expected));
        assert_eq!(found(3), alone);
    }

    #[test]
    fn without_a_board_there_is_nothing_to_align() {
        let aligner = |_: &Picture| -> Result<Tensor> { panic!("there is no estimate") };
        let locator = Locator::new(|view: &Picture| Ok(finder(view, 0)), aligner);
        let located = |width, height| locator.locate(&page(width, height, &[]), &LocateOptions::default()).unwrap();
        assert!(located(600, 500).is_empty() && located(1500, 900).is_empty());
        // Too small for any board: the finder is not asked either.
        let locator = Locator::new(aligner, aligner);
        assert!(locator.locate(&page(300, 60, &[]), &LocateOptions::default()).unwrap().is_empty());
    }

    #[test]
    fn what_the_aligner_does_not_see_is_no_board() {
        let picture = page(400, 400, &[Corners::from_rect(60.0, 60.0, 340.0, 340.0)]);
        let blind = |_: &Picture| Ok(Tensor::new([1, 7, 64, 64], vec![-9.0; 7 * 64 * 64]));
        let locator = Locator::new(|view: &Picture| Ok(finder(view, 0)), blind);
        assert!(locator.locate(&picture, &LocateOptions::default()).unwrap().is_empty());
    }

    #[test]
    fn small_boards_of_large_pictures_are_found_in_windows() {
        // In the whole picture the board has 42 input pixels, in a window of half its length 84.
        let corners = Corners::from_rect(1030.0, 490.0, 1250.0, 710.0);
        let views = std::sync::Arc::new(AtomicUsize::new(0));
        let count = std::sync::Arc::clone(&views);
        let near_sighted = move |view: &Picture| {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(finder(view, 36))
        };
        let locator = Locator::new(near_sighted, aligner);
        let found = locator.locate(&page(2000, 1600, &[corners]), &LocateOptions::default()).unwrap();
        assert_eq!(found.len(), 1, "several windows see the board, and it counts once");
        assert_corners(&found[0].corners, &corners);
        assert_eq!(views.load(Ordering::Relaxed), 1 + 3 * 3);
    }

    #[test]
    fn models_that_fail_make_an_error() {
        let picture = page(400, 400, &[Corners::from_rect(60.0, 60.0, 340.0, 340.0)]);
        let broken = |_: &Picture| Err(Error::Inference { source: "no memory".into() });
        let short = |_: &Picture| Ok(Tensor::new([3], vec![0.0; 3]));
        let options = LocateOptions::default();
        assert_eq!(Locator::new(broken, aligner).locate(&picture, &options).unwrap_err().kind(), "inference");
        let locator = Locator::new(|view: &Picture| Ok(finder(view, 0)), short);
        assert_eq!(locator.locate(&picture, &options).unwrap_err().kind(), "inference");
    }
}
