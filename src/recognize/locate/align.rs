//! The exact corners of one board, by a fit to its lattice.

use std::f64::consts::TAU;

use ndarray::ArrayView3;

use super::{Detection, maps, sigmoid};
use crate::{
    error::Result,
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
        warp::warp,
    },
    net::infer::Infer,
};

/// Pixels along the side of the aligner's view.
const SIDE: usize = 256;
/// Where the estimated board lies in the view: 24 pixels a square, 1.3 squares of room all round.
const INNER: (f64, f64) = (32.0, 224.0);
/// View pixels per output cell.
const STRIDE: f64 = 4.0;
/// Output cells along a side.
const CELLS: usize = 64;
/// Maps of the output: board, u, v, then cosine and sine of the phase within a square, along x and along y.
const MAPS: usize = 7;
/// Squares along a side of the board.
const SQUARES: f64 = 8.0;
/// View pixels a square.
const SQUARE: f64 = (INNER.1 - INNER.0) / SQUARES;

/// Parameters of the fit.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AlignOptions {
    /// Most views of one board. Default: 4, so that an estimate that is a square off can still be corrected.
    pub views: usize,
    /// A fit that moves no corner by more than this, in squares, is final. Default: 0.45, within which another view
    /// makes it no more exact.
    pub settled: f64,
    /// So is one that moves them by no more than this, when the votes agree well (`plain`). Default: 0.8, which the room
    /// around the board allows for.
    pub settled_plain: f64,
    /// Agreement from which the votes agree well. Default: 0.85, a round value for votes that all but
    /// coincide.
    pub plain: f32,
    /// Least mean probability of the board's inside. Default: 0.5.
    pub inside: f32,
    /// Least agreement of the votes with the lattice, 0 to 1. Default: 0.35; phases that have nothing to do with a lattice
    /// have an agreement of 0.
    pub agreement: f32,
    /// Least [confidence](Detection::confidence) of a board. Default: 0.8: of 194 finds on drawn pictures 6 of the 10 that were
    /// wrong (parts of boards beside one another, squeezed) lie below it and 1 of the 184 that were right.
    pub confidence: f32,
    /// How far a board may reach out of the picture, in squares. Default: 0.35: crops cut edges, but a board whose file is
    /// missing cannot be read.
    pub outside: f64,
}

impl Default for AlignOptions {
    fn default() -> Self {
        AlignOptions {
            views: 4,
            settled: 0.45,
            settled_plain: 0.8,
            plain: 0.85,
            inside: 0.5,
            agreement: 0.35,
            confidence: 0.8,
            outside: 0.35,
        }
    }
}

/// Fits the lattice near an estimate of a board's corners; `None` when there is no board.
pub(super) fn align(
    aligner: &dyn Infer,
    picture: &Picture,
    estimate: &Corners,
    options: &AlignOptions,
) -> Result<Option<Detection>> {
    let frame = Corners::from_rect(INNER.0, INNER.0, INNER.1, INNER.1);
    let board = Corners::from_rect(0.0, 0.0, SQUARES, SQUARES);
    let mut corners = *estimate;
    let mut best = None;
    for _ in 0..options.views {
        let Some(to_picture) = Homography::from_pairs(&frame.0, &corners.0) else { break };
        let view = warp(picture, &to_picture, SIDE, SIDE);
        let output = aligner.infer(&view)?;
        let votes = votes(maps(&output, MAPS, CELLS)?);
        let Some((fit, agreement)) = fit(&votes) else { return Ok(None) };
        let inside = mean_inside(maps(&output, MAPS, CELLS)?, &fit);
        let lattice = fit.then(&to_picture);
        let fitted = Corners(board.0.map(|p| lattice.apply(p)));
        let finite = fitted.0.iter().all(|p| p.x.is_finite() && p.y.is_finite());
        if inside < options.inside || agreement < options.agreement || !finite || !fitted.is_convex() {
            return Ok(None);
        }
        corners = fitted;
        best = Some(Detection { corners, confidence: confidence(inside, agreement) });
        let moved = board.0.iter().zip(frame.0).map(|(&p, q)| fit.apply(p).distance(q) / SQUARE).fold(0.0, f64::max);
        let allowed = if agreement >= options.plain { options.settled_plain } else { options.settled };
        if moved < allowed {
            break;
        }
    }
    Ok(best.filter(|board| board.confidence >= options.confidence && !leaves(&board.corners, picture, options.outside)))
}

/// The probability that there is a board just here. Votes that agree as well as on drawn boards (0.8 and more) leave no
/// doubt.
fn confidence(inside: f32, agreement: f32) -> f32 {
    (inside * 1.05).min(1.0) * (agreement / 0.8).min(1.0)
}

/// Whether a corner lies further outside the picture than `allowed` squares.
fn leaves(corners: &Corners, picture: &Picture, allowed: f64) -> bool {
    let room = corners.area().abs().sqrt() / SQUARES * allowed;
    let (width, height) = (picture.width() as f64, picture.height() as f64);
    corners.0.iter().any(|p| p.x < -room || p.y < -room || p.x > width + room || p.y > height + room)
}

/// What the aligner gives for one cell.
#[derive(Clone, Copy, Debug)]
struct Vote {
    /// Center of the cell in view pixels.
    at: Point,
    /// The point of the board that it shows, in squares, roughly.
    coarse: Point,
    /// The phase, which is where in its square it lies, from 0 to 1 along x and y, exactly.
    phase: Point,
    /// Probability that it is on the board.
    inside: f64,
    /// How certain the phase is, 0 to 1, along x and y.
    sure: Point,
}

/// The votes of the cells that are more probably on the board than not: of every other cell, like the squares of one
/// color, since neighbors give much the same.
fn votes(maps: ArrayView3<'_, f32>) -> Vec<Vote> {
    let mut votes = Vec::new();
    for row in 0..CELLS {
        for col in (row % 2..CELLS).step_by(2) {
            let inside = f64::from(sigmoid(maps[[0, row, col]]));
            if inside < 0.5 {
                continue;
            }
            let value = |map: usize| f64::from(maps[[map, row, col]]);
            votes.push(Vote {
                at: Point::new((col as f64 + 0.5) * STRIDE, (row as f64 + 0.5) * STRIDE),
                coarse: Point::new(value(1), value(2)) * SQUARES,
                phase: Point::new(value(4).atan2(value(3)) / TAU, value(6).atan2(value(5)) / TAU),
                inside,
                sure: Point::new(value(3).hypot(value(4)).min(1.0), value(5).hypot(value(6)).min(1.0)),
            });
        }
    }
    votes
}

impl Vote {
    /// The point of the board in squares that has the phase of this vote and lies nearest to `expected`.
    fn on_board(&self, expected: Point) -> Point {
        let nearest = |expected: f64, phase: f64| (expected - phase).round() + phase;
        Point::new(nearest(expected.x, self.phase.x), nearest(expected.y, self.phase.y))
    }
}

/// The map from the board (0..8, 0..8, in squares) to the view, and how well the votes agree with it, 0 to 1. First from
/// the point of the board that every cell gives, all of them together, since each errs by part of a square; then from the
/// phases, which give the point within a square but not in which square.
fn fit(votes: &[Vote]) -> Option<(Homography, f32)> {
    if votes.len() < 100 {
        return None;
    }
    let coarse: Vec<_> = votes.iter().map(|vote| (vote.coarse, vote.at, vote.inside)).collect();
    let mut map = robust(&coarse, 0.3)?;
    for _ in 0..3 {
        let back = map.inverse()?;
        let exact: Vec<_> = votes
            .iter()
            .map(|vote| (vote.on_board(back.apply(vote.at)), vote.at, vote.inside * vote.sure.x * vote.sure.y))
            .collect();
        map = robust(&exact, 0.1)?;
    }
    let back = map.inverse()?;
    let (mut agreement, mut total) = (0.0, 0.0);
    for vote in votes {
        let point = back.apply(vote.at);
        let agree = |point: f64, phase: f64, sure: f64| sure * (TAU * (point - phase)).cos();
        agreement += agree(point.x, vote.phase.x, vote.sure.x) * vote.inside;
        agreement += agree(point.y, vote.phase.y, vote.sure.y) * vote.inside;
        total += 2.0 * vote.inside;
    }
    Some((map, (agreement / total) as f32))
}

/// Weighted least squares, the weight of a pair falling with its error over `scale` squares.
fn robust(pairs: &[(Point, Point, f64)], scale: f64) -> Option<Homography> {
    let mut weighted = pairs.to_vec();
    let mut map = Homography::fit(&weighted)?;
    for _ in 0..2 {
        for (now, &(from, to, weight)) in weighted.iter_mut().zip(pairs) {
            let error = map.apply(from).distance(to) / (scale * SQUARE);
            now.2 = weight / (1.0 + error * error);
        }
        map = Homography::fit(&weighted)?;
    }
    Some(map)
}

/// Mean probability of the inside at the middles of the squares, where `map` puts them; outside the view it is 0.
fn mean_inside(maps: ArrayView3<'_, f32>, map: &Homography) -> f32 {
    let squares = SQUARES as usize;
    let mut sum = 0.0;
    for square in 0..squares * squares {
        let middle = Point::new((square % squares) as f64 + 0.5, (square / squares) as f64 + 0.5);
        let p = map.apply(middle) * (1.0 / STRIDE);
        if (0.0..CELLS as f64).contains(&p.x) && (0.0..CELLS as f64).contains(&p.y) {
            sum += sigmoid(maps[[0, p.y as usize, p.x as usize]]);
        }
    }
    sum / (squares * squares) as f32
}

#[cfg(test)]
mod tests {
    use ndarray::Array3;

    use super::*;

    /// Maps as an aligner would draw them whose phases are exact and whose coarse points err by a quarter of a square.
    fn drawn(truth: &Homography) -> Array3<f32> {
        let back = truth.inverse().unwrap();
        let mut maps = Array3::from_elem((MAPS, CELLS, CELLS), -9.0);
        for row in 0..CELLS {
            for col in 0..CELLS {
                let p = back.apply(Point::new((col as f64 + 0.5) * STRIDE, (row as f64 + 0.5) * STRIDE));
                if (0.0..8.0).contains(&p.x) && (0.0..8.0).contains(&p.y) {
                    let values = [9.0, p.x / 8.0 + 0.03, p.y / 8.0 - 0.03];
                    let phases = [(TAU * p.x).cos(), (TAU * p.x).sin(), (TAU * p.y).cos(), (TAU * p.y).sin()];
                    for (map, value) in values.into_iter().chain(phases).enumerate() {
                        maps[[map, row, col]] = value as f32;
                    }
                }
            }
        }
        maps
    }

    #[test]
    fn phases_correct_coarse_points() {
        let truth = Corners([
            Point::new(38.0, 25.0),
            Point::new(221.0, 33.0),
            Point::new(230.0, 219.0),
            Point::new(29.0, 228.0),
        ]);
        let map = Homography::from_rect(SQUARES, SQUARES, &truth).unwrap();
        let maps = drawn(&map);
        let (found, agreement) = fit(&votes(maps.view())).unwrap();
        for (p, q) in Corners::from_rect(0.0, 0.0, SQUARES, SQUARES).0.iter().zip(truth.0) {
            let error = found.apply(*p).distance(q) / SQUARE;
            assert!(error < 0.01, "{error}");
        }
        assert!(agreement > 0.99, "{agreement}");
        assert!(mean_inside(maps.view(), &found) > 0.99);
    }

    #[test]
    fn votes_that_disagree_are_no_lattice() {
        let map = Homography::from_rect(SQUARES, SQUARES, &Corners::from_rect(32.0, 32.0, 224.0, 224.0)).unwrap();
        let mut maps = drawn(&map);
        for (i, value) in maps.slice_mut(ndarray::s![3.., .., ..]).iter_mut().enumerate() {
            *value = ((i * 7919) % 13) as f32 / 6.0 - 1.0;
        }
        let (_, agreement) = fit(&votes(maps.view())).unwrap();
        assert!(agreement < AlignOptions::default().agreement, "{agreement}");
    }

    #[test]
    fn an_empty_view_has_no_fit() {
        assert!(fit(&votes(Array3::from_elem((MAPS, CELLS, CELLS), -9.0).view())).is_none());
    }
}
