//! Points, and homographies: projective maps of the plane.
//!
//! Coordinates are in pixels, x to the right and y down. Pixel `i` covers the interval `[i, i + 1)`, so its center lies
//! at `i + 0.5` and a picture of width `w` spans exactly `0..w`.

use std::ops::{Add, Mul, Sub};

/// A point of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

impl Point {
    /// The point `(x, y)`.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The length of the vector from the origin.
    pub fn norm(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The distance to another point.
    pub fn distance(self, other: Point) -> f64 {
        (self - other).norm()
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

/// The four corners of a board: the outer edge of its squares, in pixels of the decoded and EXIF-turned picture,
/// clockwise from the corner that is top left as seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners(pub [Point; 4]);

impl Corners {
    /// The corners of an upright rectangle.
    pub fn from_rect(left: f64, top: f64, right: f64, bottom: f64) -> Corners {
        Corners([Point::new(left, top), Point::new(right, top), Point::new(right, bottom), Point::new(left, bottom)])
    }

    /// The area inside, in square pixels; negative when the corners run counter-clockwise.
    pub fn area(&self) -> f64 {
        let p = &self.0;
        (0..4).map(|i| cross(p[i], p[(i + 1) % 4])).sum::<f64>() / 2.0
    }

    /// Whether the four points make a convex quadrilateral that runs clockwise, as the image of a board always does.
    pub fn is_convex(&self) -> bool {
        let p = &self.0;
        (0..4).all(|i| cross(p[(i + 1) % 4] - p[i], p[(i + 2) % 4] - p[(i + 1) % 4]) > 0.0)
    }

    /// The corners moved away from their middle, for a factor above 1, or towards it.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Corners {
        let center = self.center();
        Corners(self.0.map(|p| center + (p - center) * factor))
    }

    /// The corners in the order that they have once the picture has been turned clockwise by `quarters` quarter turns.
    pub fn turned(&self, quarters: usize) -> Corners {
        let mut corners = self.0;
        corners.rotate_right(quarters % 4);
        Corners(corners)
    }

    /// The middle of the four corners.
    pub fn center(&self) -> Point {
        self.0.iter().fold(Point::default(), |sum, &p| sum + p) * 0.25
    }
}

fn cross(a: Point, b: Point) -> f64 {
    a.x * b.y - a.y * b.x
}

/// A homography: a projective map of the plane, an invertible 3 x 3 matrix up to scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography([[f64; 3]; 3]);

impl Homography {
    /// The map that leaves every point where it is.
    pub const IDENTITY: Homography = Homography([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);

    /// The map of a matrix, rows first.
    pub const fn from_rows(rows: [[f64; 3]; 3]) -> Homography {
        Homography(rows)
    }

    /// The matrix, rows first.
    pub const fn rows(&self) -> &[[f64; 3]; 3] {
        &self.0
    }

    /// Scaling about the origin, then a shift.
    pub const fn scale_shift(scale: f64, shift: Point) -> Homography {
        Homography([[scale, 0.0, shift.x], [0.0, scale, shift.y], [0.0, 0.0, 1.0]])
    }

    /// The map that takes four points to four points, or `None` when three of either lie on a line.
    pub fn from_pairs(from: &[Point; 4], to: &[Point; 4]) -> Option<Homography> {
        let mut pairs = [(Point::default(), Point::default(), 1.0); 4];
        for (pair, (&a, &b)) in pairs.iter_mut().zip(from.iter().zip(to)) {
            *pair = (a, b, 1.0);
        }
        Homography::fit(&pairs)
    }

    /// The map from the rectangle `(0, 0)`..`(width, height)` to a board's corners.
    pub fn from_rect(width: f64, height: f64, corners: &Corners) -> Option<Homography> {
        Homography::from_pairs(&Corners::from_rect(0.0, 0.0, width, height).0, &corners.0)
    }

    /// The map that best takes the first point of each pair to the second, in the sense of algebraic least squares
    /// weighted by the third value: the direct linear transform in normalized coordinates. `None` with fewer than four
    /// pairs of positive weight, or when they do not determine a map.
    pub fn fit(pairs: &[(Point, Point, f64)]) -> Option<Homography> {
        let used = pairs.iter().filter(|pair| pair.2 > 0.0);
        if used.clone().count() < 4 {
            return None;
        }
        let from = normalize(used.clone().map(|&(a, _, w)| (a, w)))?;
        let to = normalize(used.clone().map(|&(_, b, w)| (b, w)))?;
        // With the centroid at the origin the last entry of the matrix is never near 0 (no board has its middle on the
        // horizon), so it may be fixed at 1, which leaves a linear problem in eight unknowns. Its normal equations are
        // sums of few products, which is what makes a fit to thousands of pairs cheap.
        let mut plain = [0.0; 6]; // 1, x, y, xx, xy, yy
        let (mut by_u, mut by_v, mut by_both) = ([0.0; 6], [0.0; 6], [0.0; 6]);
        for &(a, b, weight) in used {
            let (Point { x, y }, Point { x: u, y: v }) = (from.apply(a), to.apply(b));
            let terms = [weight, weight * x, weight * y, weight * x * x, weight * x * y, weight * y * y];
            for (i, term) in terms.into_iter().enumerate() {
                plain[i] += term;
                by_u[i] += term * u;
                by_v[i] += term * v;
                by_both[i] += term * (u * u + v * v);
            }
        }
        let [n, x, y, xx, xy, yy] = plain;
        let mut normal = [[0.0; 9]; 8];
        for (at, [t, tx, ty, txx, txy, tyy]) in [(0, by_u), (3, by_v)] {
            let rows = [([xx, xy, x], txx, txy, tx), ([xy, yy, y], txy, tyy, ty), ([x, y, n], tx, ty, t)];
            for (i, (own, to_x, to_y, right)) in rows.into_iter().enumerate() {
                normal[at + i][at..at + 3].copy_from_slice(&own);
                (normal[at + i][6], normal[at + i][7], normal[at + i][8]) = (-to_x, -to_y, right);
                (normal[6][at + i], normal[7][at + i]) = (-to_x, -to_y);
            }
        }
        let [_, tx, ty, txx, txy, tyy] = by_both;
        (normal[6][6], normal[6][7], normal[6][8]) = (txx, txy, -tx);
        (normal[7][6], normal[7][7], normal[7][8]) = (txy, tyy, -ty);
        let h = solve(normal)?;
        let middle = Homography([[h[0], h[1], h[2]], [h[3], h[4], h[5]], [h[6], h[7], 1.0]]);
        let map = from.then(&middle).then(&to.inverse()?);
        map.inverse().map(|_| map)
    }

    /// Like [`Homography::fit`], but the map keeps parallels: six unknowns instead of eight, for few or noisy pairs.
    pub fn fit_affine(pairs: &[(Point, Point, f64)]) -> Option<Homography> {
        let used = pairs.iter().filter(|pair| pair.2 > 0.0);
        let total: f64 = used.clone().map(|pair| pair.2).sum();
        let mean = |of: fn(&(Point, Point, f64)) -> Point| {
            used.clone().fold(Point::default(), |sum, pair| sum + of(pair) * (pair.2 / total))
        };
        let (from, to) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        let (mut xu, mut yu, mut xv, mut yv) = (0.0, 0.0, 0.0, 0.0);
        for &(a, b, weight) in used {
            let (a, b) = (a - from, b - to);
            xx += weight * a.x * a.x;
            xy += weight * a.x * a.y;
            yy += weight * a.y * a.y;
            xu += weight * a.x * b.x;
            yu += weight * a.y * b.x;
            xv += weight * a.x * b.y;
            yv += weight * a.y * b.y;
        }
        let determinant = xx * yy - xy * xy;
        if !determinant.is_finite() || determinant <= 1e-12 * (xx + yy).powi(2) {
            return None;
        }
        let solve = |p: f64, q: f64| ((p * yy - q * xy) / determinant, (q * xx - p * xy) / determinant);
        let ((a, b), (c, d)) = (solve(xu, yu), solve(xv, yv));
        let map = Homography([
            [a, b, to.x - a * from.x - b * from.y],
            [c, d, to.y - c * from.x - d * from.y],
            [0.0, 0.0, 1.0],
        ]);
        map.inverse().map(|_| map)
    }

    /// The image of a point. Points on the horizon go to infinity.
    pub fn apply(&self, p: Point) -> Point {
        let [a, b, c] = &self.0;
        let w = c[0] * p.x + c[1] * p.y + c[2];
        Point::new((a[0] * p.x + a[1] * p.y + a[2]) / w, (b[0] * p.x + b[1] * p.y + b[2]) / w)
    }

    /// The inverse map, or `None` when this one takes the plane to a line or a point.
    pub fn inverse(&self) -> Option<Homography> {
        let m = &self.0;
        let minor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        };
        let determinant: f64 = (0..3).map(|c| m[0][c] * minor(0, c)).sum();
        let size = m.iter().flatten().fold(0.0f64, |size, v| size.max(v.abs()));
        if !determinant.is_finite() || determinant.abs() <= 1e-15 * size.powi(3) {
            return None;
        }
        Some(Homography(std::array::from_fn(|r| std::array::from_fn(|c| minor(c, r) / determinant))))
    }

    /// This map first, then `next`.
    #[must_use]
    pub fn then(&self, next: &Homography) -> Homography {
        let (a, b) = (&next.0, &self.0);
        Homography(std::array::from_fn(|r| std::array::from_fn(|c| (0..3).map(|k| a[r][k] * b[k][c]).sum())))
    }

    /// How much lengths near `p` grow: the square root of the factor by which areas grow.
    pub fn scale_at(&self, p: Point) -> f64 {
        let m = &self.0;
        let w = m[2][0] * p.x + m[2][1] * p.y + m[2][2];
        let q = self.apply(p);
        let column = |k: usize| Point::new((m[0][k] - q.x * m[2][k]) / w, (m[1][k] - q.y * m[2][k]) / w);
        cross(column(0), column(1)).abs().sqrt()
    }
}

/// The scaling and shift that put the weighted centroid at the origin and the mean distance from it at the square root
/// of two, without which the linear transform is badly conditioned.
fn normalize(points: impl Iterator<Item = (Point, f64)> + Clone) -> Option<Homography> {
    let total: f64 = points.clone().map(|(_, w)| w).sum();
    let center = points.clone().fold(Point::default(), |sum, (p, w)| sum + p * (w / total));
    let spread: f64 = points.map(|(p, w)| p.distance(center) * w / total).sum();
    let scale = std::f64::consts::SQRT_2 / spread;
    (scale.is_finite() && scale > 0.0).then(|| Homography::scale_shift(scale, center * -scale))
}

/// Solves eight linear equations in place by elimination with pivots; `None` when they are dependent.
fn solve(mut m: [[f64; 9]; 8]) -> Option<[f64; 8]> {
    for k in 0..8 {
        let pivot = (k..8).max_by(|&a, &b| m[a][k].abs().total_cmp(&m[b][k].abs()))?;
        m.swap(k, pivot);
        if m[k][k].abs() < 1e-12 || !m[k][k].is_finite() {
            return None;
        }
        let top = m[k];
        for row in m.iter_mut().skip(k + 1) {
            let factor = row[k] / top[k];
            for (value, above) in row.iter_mut().zip(top).skip(k) {
                *value -= factor * above;
            }
        }
    }
    let mut x = [0.0; 8];
    for k in (0..8).rev() {
        let known: f64 = (k + 1..8).map(|j| m[k][j] * x[j]).sum();
        x[k] = (m[k][8] - known) / m[k][k];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SKEW: Corners = Corners([
        Point::new(120.0, 80.0),
        Point::new(910.0, 140.0),
        Point::new(1010.0, 900.0),
        Point::new(40.0, 820.0),
    ]);

    fn close(a: Point, b: Point) -> bool {
        a.distance(b) < 1e-6
    }

    #[test]
    fn a_turn_brings_the_bottom_left_corner_to_the_top_left() {
        let corners = Corners::from_rect(0.0, 0.0, 8.0, 4.0);
        assert_eq!(corners.turned(1).0[0], Point::new(0.0, 4.0));
        assert_eq!(corners.turned(3).turned(1), corners);
    }

    #[test]
    fn four_pairs_are_met_exactly() {
        let map = Homography::from_rect(8.0, 8.0, &SKEW).unwrap();
        let unit = Corners::from_rect(0.0, 0.0, 8.0, 8.0);
        assert!(unit.0.iter().zip(SKEW.0).all(|(&p, q)| close(map.apply(p), q)));
        let round = map.then(&map.inverse().unwrap());
        assert!(close(round.apply(Point::new(3.0, 5.0)), Point::new(3.0, 5.0)));
    }

    #[test]
    fn pairs_of_weight_zero_do_not_count() {
        let truth = Homography::from_rect(8.0, 8.0, &SKEW).unwrap();
        let mut pairs: Vec<_> =
            (0..81).map(|i| Point::new(f64::from(i % 9), f64::from(i / 9))).map(|p| (p, truth.apply(p), 1.0)).collect();
        pairs[40].1 = Point::new(0.0, 0.0);
        pairs[40].2 = 0.0;
        let fitted = Homography::fit(&pairs).unwrap();
        assert!(pairs.iter().filter(|p| p.2 > 0.0).all(|&(p, q, _)| close(fitted.apply(p), q)));
    }

    #[test]
    fn affine_maps_are_met_exactly() {
        let truth = Homography::from_rows([[3.0, -0.5, 20.0], [0.25, 4.0, -7.0], [0.0, 0.0, 1.0]]);
        let points = [(0.0, 0.0), (1.0, 0.2), (0.3, 2.0), (4.0, 4.0)].map(|(x, y)| Point::new(x, y));
        let pairs: Vec<_> = points.iter().map(|&p| (p, truth.apply(p), 0.5)).collect();
        let fitted = Homography::fit_affine(&pairs).unwrap();
        assert!(points.iter().all(|&p| close(fitted.apply(p), truth.apply(p))));
        let line: Vec<_> = pairs.iter().map(|&(p, q, w)| (Point::new(p.x, p.x), q, w)).collect();
        assert_eq!(Homography::fit_affine(&line), None);
    }

    #[test]
    fn degenerate_points_make_no_map() {
        let line = std::array::from_fn(|i| Point::new(i as f64, i as f64));
        assert_eq!(Homography::from_pairs(&Corners::from_rect(0.0, 0.0, 1.0, 1.0).0, &line), None);
        assert_eq!(Homography::from_pairs(&line, &line), None);
        assert_eq!(Homography::from_pairs(&[Point::new(f64::NAN, 0.0); 4], &SKEW.0), None);
    }

    #[test]
    fn scale_is_that_of_small_steps() {
        let map = Homography::from_rect(288.0, 288.0, &SKEW).unwrap();
        let (p, step) = (Point::new(100.0, 50.0), 1e-4);
        let (dx, dy) = (map.apply(p + Point::new(step, 0.0)), map.apply(p + Point::new(0.0, step)));
        let area = cross((dx - map.apply(p)) * (1.0 / step), (dy - map.apply(p)) * (1.0 / step));
        assert!((map.scale_at(p) - area.abs().sqrt()).abs() < 1e-3);
    }

    #[test]
    fn scaling_keeps_the_middle() {
        let larger = SKEW.scaled(1.1);
        assert!(close(larger.center(), SKEW.center()) && (larger.area() / SKEW.area() - 1.21).abs() < 1e-9);
    }

    #[test]
    fn crossed_corners_are_not_convex() {
        assert!(SKEW.is_convex() && SKEW.area() > 0.0);
        let [a, b, c, d] = SKEW.0;
        assert!(!Corners([a, c, b, d]).is_convex());
    }
}
