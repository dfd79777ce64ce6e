//! First estimates of all boards, from the whole picture and, where boards are small, from windows of it.

use ndarray::ArrayView3;
use rayon::prelude::*;

use super::{maps, sigmoid};
use crate::{
    error::Result,
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
    },
    net::infer::Infer,
};

/// Pixels along the side of the finder's input. The picture is scaled so that its longer side fits, and padded at the
/// right or below.
const SIDE: usize = 384;
/// Gray level of the padding, as in training.
const PADDING: u8 = 128;
/// Input pixels per output cell.
const STRIDE: usize = 8;
/// Maps of the output: core of a board, board, u, v.
const MAPS: usize = 4;

/// Parameters of the first estimates.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct FindOptions {
    /// Pictures with a side below this many pixels hold no legible board. Default: 64, which is 8 pixels a square.
    pub smallest: usize,
    /// Least probability that a cell belongs to the core of a board. Default: 0.4; the aligner rejects what is no board.
    pub core: f32,
    /// Least number of cells in a core. Default: 4, a board of about 30 input pixels.
    pub cells: usize,
    /// Most boards taken from one view, largest first. Default: 48.
    pub boards: usize,
    /// When no board is longer than this part of the picture, windows of it are searched too. Default: 0.25, where a square
    /// is as small as the finder can make out.
    pub closer: f64,
    /// Pictures shorter than this many pixels are not searched by windows. Default: 640, in which boards as small as that
    /// have 20 pixels a square at most.
    pub closer_from: usize,
}

impl Default for FindOptions {
    fn default() -> Self {
        FindOptions { smallest: 64, core: 0.4, cells: 4, boards: 48, closer: 0.25, closer_from: 640 }
    }
}

/// What the finder gives for one cell: the point of the board that it shows, and where it lies in the picture.
#[derive(Clone, Copy, Debug)]
struct Vote {
    /// In units of the board's sides, `(0, 0)` top left.
    on_board: Point,
    /// In pixels of the picture.
    in_picture: Point,
    weight: f64,
}

/// Estimated corners of every board, largest first within each view: the whole picture, then its windows.
///
/// A board of less than a hundred input pixels is hard to make out, so when there is none larger and the picture has the
/// pixels, windows of it are searched, in parallel: each is half as long as the picture and a quarter from the next, so that
/// every board up to that size lies whole in one. No view needs more than twice [`SIDE`] pixels of the whole length, so a
/// picture of twice that and more is reduced by whole blocks once, to between two and four times [`SIDE`], and not again
/// for every view.
pub(super) fn find(finder: &dyn Infer, picture: &Picture, options: &FindOptions) -> Result<Vec<Corners>> {
    let long = picture.width().max(picture.height());
    let block = (long / (2 * SIDE)).clamp(1, Picture::MAX_BLOCK);
    let reduced = (block > 1).then(|| picture.averaged(0..picture.width(), 0..picture.height(), block));
    let seen = reduced.as_ref().unwrap_or(picture);
    let (width, height) = (seen.width(), seen.height());
    let mut estimates = estimates_in(finder, seen, options)?;
    let side = width.max(height).div_ceil(2);
    let small = |corners: &Corners| corners.area().sqrt() < options.closer * width.max(height) as f64;
    if long >= options.closer_from && estimates.iter().all(small) {
        let lefts = windows(width, side);
        let all: Vec<_> =
            windows(height, side).into_iter().flat_map(|top| lefts.iter().map(move |&left| (left, top))).collect();
        let found: Result<Vec<Vec<Corners>>> = all
            .into_par_iter()
            .map(|(left, top)| {
                let (w, h) = (side.min(width - left), side.min(height - top));
                let found = estimates_in(finder, &seen.cropped(left, top, w, h), options)?;
                let shift = Point::new(left as f64, top as f64);
                Ok(found.into_iter().map(|corners| Corners(corners.0.map(|p| p + shift))).collect())
            })
            .collect();
        estimates.extend(found?.into_iter().flatten());
    }
    let full = |corners: Corners| Corners(corners.0.map(|p| p * block as f64));
    Ok(estimates.into_iter().map(full).collect())
}

/// Where windows of a given side begin along a length: half a side apart at most, evenly, from end to end.
fn windows(length: usize, side: usize) -> Vec<usize> {
    let free = length.saturating_sub(side);
    let steps = free.div_ceil(side.div_ceil(2).max(1));
    (0..=steps).map(|i| free * i / steps.max(1)).collect()
}

/// Estimated corners of the boards in one picture, largest first.
fn estimates_in(finder: &dyn Infer, picture: &Picture, options: &FindOptions) -> Result<Vec<Corners>> {
    let (width, height) = (picture.width(), picture.height());
    let scale = SIDE as f64 / width.max(height) as f64;
    let fit = |length: usize| ((length as f64 * scale).round() as usize).clamp(1, SIDE);
    let (small_width, small_height) = (fit(width), fit(height));
    let input = picture.resized(small_width, small_height).padded(SIDE, SIDE, [PADDING; 3]);
    let output = finder.infer(&input)?;
    let maps = maps(&output, MAPS, SIDE / STRIDE)?;
    let to_picture = Point::new(width as f64 / small_width as f64, height as f64 / small_height as f64);
    let mut cores = cores(maps, options);
    cores.sort_by_key(|core| std::cmp::Reverse(core.len()));
    let estimates = cores.iter().take(options.boards).filter_map(|core| {
        let votes: Vec<Vote> = core
            .iter()
            .map(|&(row, col)| Vote {
                on_board: Point::new(f64::from(maps[[2, row, col]]), f64::from(maps[[3, row, col]])),
                in_picture: Point::new(
                    (col as f64 + 0.5) * STRIDE as f64 * to_picture.x,
                    (row as f64 + 0.5) * STRIDE as f64 * to_picture.y,
                ),
                weight: f64::from(sigmoid(maps[[0, row, col]])),
            })
            .collect();
        estimate(&votes)
    });
    Ok(estimates.collect())
}

/// The connected groups of cells (by their four neighbors) that belong to the core of one board. Cores leave a tenth of
/// the board on every side, so that boards that touch stay apart; where they still run together, the point of the
/// board that is shown jumps back from one cell to the next, and that is where they are separated. So connection depends
/// on pairs of cells, not on the cells alone, which `imageproc::region_labelling` cannot express.
fn cores(maps: ArrayView3<'_, f32>, options: &FindOptions) -> Vec<Vec<(usize, usize)>> {
    let (rows, cols) = (maps.dim().1, maps.dim().2);
    let mut open = vec![vec![false; cols]; rows];
    for (row, line) in open.iter_mut().enumerate() {
        for (col, cell) in line.iter_mut().enumerate() {
            *cell = sigmoid(maps[[0, row, col]]) >= options.core;
        }
    }
    let mut found = Vec::new();
    for row in 0..rows {
        for col in 0..cols {
            if !std::mem::take(&mut open[row][col]) {
                continue;
            }
            let mut core = vec![(row, col)];
            let mut next = 0;
            while let Some(&(r, c)) = core.get(next) {
                next += 1;
                let around = [(r.wrapping_sub(1), c), (r + 1, c), (r, c.wrapping_sub(1)), (r, c + 1)];
                for (near_r, near_c) in around {
                    if near_r < rows
                        && near_c < cols
                        && open[near_r][near_c]
                        && same_board(&maps, (r, c).min((near_r, near_c)), (r, c).max((near_r, near_c)))
                    {
                        open[near_r][near_c] = false;
                        core.push((near_r, near_c));
                    }
                }
            }
            if core.len() >= options.cells {
                found.push(core);
            }
        }
    }
    found
}

/// Whether two neighboring cells, the upper or left one first, show points of one board: to the right and down, the point
/// advances by less than a third of the board (a board of three cells) and never goes back by more than its error.
fn same_board(maps: &ArrayView3<'_, f32>, first: (usize, usize), second: (usize, usize)) -> bool {
    const STEP: f32 = 0.34;
    const ERROR: f32 = 0.12;
    let step = |map: usize| maps[[map, second.0, second.1]] - maps[[map, first.0, first.1]];
    let (along, across) = if first.0 == second.0 { (step(2), step(3)) } else { (step(3), step(2)) };
    (-ERROR..STEP).contains(&along) && across.abs() < STEP
}

/// A first homography needs this many cells to be steadier than an affine map.
const PROJECTIVE_FROM: usize = 60;

/// Corners from the votes of a core, by least squares with the weight of each vote falling with its error.
fn estimate(votes: &[Vote]) -> Option<Corners> {
    let mut weights: Vec<f64> = votes.iter().map(|vote| vote.weight).collect();
    let mut map = Homography::IDENTITY;
    for _ in 0..4 {
        let pairs: Vec<_> = votes.iter().zip(&weights).map(|(v, &w)| (v.on_board, v.in_picture, w)).collect();
        map = if votes.len() >= PROJECTIVE_FROM { Homography::fit(&pairs) } else { Homography::fit_affine(&pairs) }?;
        let side = map.scale_at(Point::new(0.5, 0.5));
        for (weight, vote) in weights.iter_mut().zip(votes) {
            // The finder usually errs by a quarter of a square.
            let error = map.apply(vote.on_board).distance(vote.in_picture) / side * 32.0;
            *weight = vote.weight / (1.0 + error * error);
        }
    }
    let corners = Corners(Corners::from_rect(0.0, 0.0, 1.0, 1.0).0.map(|p| map.apply(p)));
    let finite = corners.0.iter().all(|p| p.x.is_finite() && p.y.is_finite());
    (finite && corners.is_convex()).then_some(corners)
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    /// Maps as a perfect finder would draw them for upright boards given in input pixels.
    fn drawn(boards: &[(f64, f64, f64)]) -> Array3<f32> {
        let side = SIDE / STRIDE;
        let mut maps = Array3::from_elem((4, side, side), 0.0);
        maps.slice_mut(ndarray::s![0..2, .., ..]).fill(-9.0);
        for row in 0..side {
            for col in 0..side {
                let (x, y) = ((col as f64 + 0.5) * STRIDE as f64, (row as f64 + 0.5) * STRIDE as f64);
                for &(left, top, length) in boards {
                    let (u, v) = ((x - left) / length, (y - top) / length);
                    if (0.1..0.9).contains(&u) && (0.1..0.9).contains(&v) {
                        maps[[0, row, col]] = 9.0;
                        maps[[2, row, col]] = u as f32;
                        maps[[3, row, col]] = v as f32;
                    }
                }
            }
        }
        maps
    }

    #[test]
    fn touching_boards_stay_apart() {
        let mut maps = drawn(&[(10.0, 20.0, 120.0), (130.0, 20.0, 120.0), (10.0, 200.0, 80.0)]);
        assert_eq!(cores(maps.view(), &FindOptions::default()).len(), 3);
        // An unsure finder lets the cores of neighbors run together; the points that they show still tell them apart.
        for row in 4..16 {
            for col in 14..19 {
                maps[[0, row, col]] = 1.0;
                let (x, y) = ((col as f32 + 0.5) * 8.0, (row as f32 + 0.5) * 8.0);
                maps[[2, row, col]] = (x - if x < 130.0 { 10.0 } else { 130.0 }) / 120.0;
                maps[[3, row, col]] = (y - 20.0) / 120.0;
            }
        }
        assert_eq!(cores(maps.view(), &FindOptions::default()).len(), 3);
    }

    #[test]
    fn windows_cover_everything_twice() {
        assert_eq!(windows(1000, 1000), [0]);
        assert_eq!(windows(700, 1000), [0]);
        assert_eq!(windows(1754, 877), [0, 438, 877]);
        for (length, side) in [(1241, 877), (999, 400), (401, 400), (3, 2)] {
            let starts = windows(length, side);
            assert_eq!(starts.last().map(|last| last + side), Some(length));
            assert!(starts.windows(2).all(|pair| pair[1] - pair[0] <= side.div_ceil(2)));
        }
    }

    #[test]
    fn votes_give_corners_despite_outliers() {
        let truth = Corners([
            Point::new(40.0, 30.0),
            Point::new(300.0, 44.0),
            Point::new(310.0, 300.0),
            Point::new(30.0, 290.0),
        ]);
        let map = Homography::from_rect(1.0, 1.0, &truth).unwrap();
        let mut votes: Vec<Vote> = (0..100)
            .map(|i| Point::new(f64::from(i % 10) / 12.0 + 0.1, f64::from(i / 10) / 12.0 + 0.1))
            .map(|p| Vote { on_board: p, in_picture: map.apply(p), weight: 1.0 })
            .collect();
        for vote in votes.iter_mut().step_by(9) {
            vote.on_board = Point::new(0.1, 0.9);
        }
        let found = estimate(&votes).unwrap();
        for (a, b) in found.0.iter().zip(truth.0) {
            assert!(a.distance(b) < 4.0, "{a:?} {b:?}");
        }
    }
}
