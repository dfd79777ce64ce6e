//! Reads a mark beside the board that tells who is to move: [`Picture`] and [`Corners`] to [`TurnMarker`].
//!
//! Books and programs put a small square, disc or triangle near a corner of the diagram: open (or light) when White is
//! to move, filled when Black is. It is believed only where it stands alone, has one of these shapes exactly and no
//! color, and no second one is about; letters, numbers, clocks and portraits are left alone. Words are not read.

use std::fmt;

use crate::{
    games::chess::Color,
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
        warp::warp,
    },
};

/// A mark that tells who is to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnMarker {
    /// Who is to move.
    pub side: Color,
    /// What it looks like.
    pub shape: Shape,
    /// The probability that it means that.
    pub confidence: f32,
}

/// The shape of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A square.
    Square,
    /// A disc or a ring.
    Circle,
    /// A triangle, either way up.
    Triangle,
}

impl Shape {
    /// The name in English.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Square => "square",
            Shape::Circle => "circle",
            Shape::Triangle => "triangle",
        }
    }
}

impl fmt::Display for TurnMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fill = if self.side == Color::White { "open" } else { "filled" };
        write!(f, "{fill} {} beside the board", self.shape.name())
    }
}

/// How often a mark that is read means what is said here: on 230 drawn boards with a mark, or with two, a colored one,
/// a letter or text instead, 65 times of 71; most of the six were one of two.
const CONFIDENCE: f32 = 0.9;

/// Pixels along a square of the board in what is looked at.
const SQUARE: usize = 32;

/// How far from the board is looked, in pixels as above: a square and a half.
const REACH: usize = SQUARE * 3 / 2;

/// A mark lies within this of a corner of the board, measured along the edge: a square and a quarter.
const NEAR_CORNER: usize = SQUARE * 5 / 4;

/// The side of a mark: a fifth of a square to three quarters.
const SIZES: std::ops::RangeInclusive<usize> = 7..=24;

/// Nothing else stands this near to a mark, in pixels: a quarter of a square.
const ALONE: usize = SQUARE / 4;

/// Boards with smaller squares, in pixels of the picture, have marks of too few pixels.
const LEAST_SQUARE: f64 = 14.0;

/// By how much ink differs from what it is printed on, of 255.
const INK: i32 = 60;

/// The most by which the three colors of a pixel differ where there is no color.
const GREY: u8 = 40;

/// Looks for a mark beside a board.
pub fn turn_marker(picture: &Picture, corners: &Corners) -> Option<TurnMarker> {
    if corners.area() < (8.0 * LEAST_SQUARE).powi(2) {
        return None;
    }
    let board = (8 * SQUARE) as f64;
    let map = Homography::from_rect(board, board, corners)?;
    let (long, reach) = (8 * SQUARE + 2 * REACH, REACH as f64);
    // To the right and to the left the corners of the page are looked at, below and above only along the board.
    let strips = [
        (board, -reach, REACH, long),
        (-reach, -reach, REACH, long),
        (0.0, board, 8 * SQUARE, REACH),
        (0.0, -reach, 8 * SQUARE, REACH),
    ];
    // A second one, whatever it means, makes it a matter of clocks or players.
    let mut found = strips.iter().flat_map(|&(x, y, width, height)| {
        let strip = warp(picture, &Homography::scale_shift(1.0, Point::new(x, y)).then(&map), width, height);
        marks(&strip)
    });
    found.next().filter(|_| found.next().is_none()).flatten()
}

/// A patch of ink that hangs together.
struct Patch {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    ink: Vec<(usize, usize)>,
}

/// What has the shape of a mark in a strip of page along an edge of the board, and what each means, if anything.
fn marks(strip: &Picture) -> Vec<Option<TurnMarker>> {
    let (width, height) = (strip.width(), strip.height());
    let light: Vec<u8> = strip
        .data()
        .chunks_exact(3)
        .map(|rgb| ((u16::from(rgb[0]) + u16::from(rgb[1]) * 2 + u16::from(rgb[2])) / 4) as u8)
        .collect();
    let mut sorted = light.clone();
    let paper = *sorted.select_nth_unstable(light.len() / 2).1;
    let inked: Vec<bool> = light.iter().map(|&v| (i32::from(v) - i32::from(paper)).abs() > INK).collect();
    patches(&inked, width)
        .into_iter()
        .filter(|patch| is_near_corner(patch, width, height) && is_alone(patch, &inked, width, height))
        .filter_map(|patch| patch.form().map(|form| mark(&patch, &form, strip, paper)))
        .collect()
}

/// Whether a patch lies near enough to a corner of the board, and not cut off by an end of the strip.
fn is_near_corner(patch: &Patch, width: usize, height: usize) -> bool {
    let (middle, length, before) = if height > width {
        ((patch.top + patch.bottom) / 2, height, REACH)
    } else {
        ((patch.left + patch.right) / 2, width, 0)
    };
    let from_end = middle.min(length - 1 - middle);
    let inside = patch.left > 0 && patch.top > 0 && patch.right + 1 < width && patch.bottom + 1 < height;
    inside && from_end < before + NEAR_CORNER
}

/// Whether there is no other ink around a patch.
fn is_alone(patch: &Patch, inked: &[bool], width: usize, height: usize) -> bool {
    let columns = patch.left.saturating_sub(ALONE)..(patch.right + 1 + ALONE).min(width);
    let rows = patch.top.saturating_sub(ALONE)..(patch.bottom + 1 + ALONE).min(height);
    let around: usize = rows.map(|y| columns.clone().filter(|x| inked[y * width + x]).count()).sum();
    around == patch.ink.len()
}

/// Patches of the size of a mark, all four neighbours of a pixel counting as one with it.
fn patches(inked: &[bool], width: usize) -> Vec<Patch> {
    let height = inked.len() / width;
    let mut seen = vec![false; inked.len()];
    let mut found = Vec::new();
    for start in 0..inked.len() {
        if !inked[start] || seen[start] {
            continue;
        }
        seen[start] = true;
        let mut patch = Patch { left: width, top: height, right: 0, bottom: 0, ink: Vec::new() };
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let (x, y) = (at % width, at / width);
            patch.left = patch.left.min(x);
            patch.right = patch.right.max(x);
            patch.top = patch.top.min(y);
            patch.bottom = patch.bottom.max(y);
            patch.ink.push((x, y));
            for next in beside(at, width, height) {
                if inked[next] && !seen[next] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        if SIZES.contains(&(patch.right + 1 - patch.left)) && SIZES.contains(&(patch.bottom + 1 - patch.top)) {
            found.push(patch);
        }
    }
    found
}

/// The pixels beside a pixel, rows one after another.
fn beside(at: usize, width: usize, height: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (at % width, at / width);
    let all = [
        (x > 0).then(|| at - 1),
        (x + 1 < width).then(|| at + 1),
        (y > 0).then(|| at - width),
        (y + 1 < height).then(|| at + width),
    ];
    all.into_iter().flatten()
}

/// What a patch looks like.
struct Form {
    shape: Shape,
    /// For each pixel of its box, whether it is ink.
    grid: Vec<bool>,
    /// For each pixel of its box, whether it is outside of the ink.
    outside: Vec<bool>,
}

impl Patch {
    fn form(&self) -> Option<Form> {
        let (width, height) = (self.right + 1 - self.left, self.bottom + 1 - self.top);
        if width * 5 < height * 4 || height * 5 < width * 4 {
            return None;
        }
        let mut grid = vec![false; width * height];
        self.ink.iter().for_each(|&(x, y)| grid[(y - self.top) * width + x - self.left] = true);
        let outside = outside(&grid, width);
        Some(Form { shape: shape(&outside, width, height)?, grid, outside })
    }
}

/// What a patch in the shape of a mark means, if it is one.
fn mark(patch: &Patch, form: &Form, strip: &Picture, paper: u8) -> Option<TurnMarker> {
    let width = patch.right + 1 - patch.left;
    let Form { shape, grid, outside } = form;
    let hole: Vec<usize> = (0..grid.len()).filter(|&i| !grid[i] && !outside[i]).collect();
    let color = |i: usize| strip.pixel(patch.left + i % width, patch.top + i / width);
    let is_grey = |&i: &usize| {
        let rgb = color(i);
        rgb.iter().max().zip(rgb.iter().min()).is_some_and(|(high, low)| high - low <= GREY)
    };
    let light = |pixels: &[usize]| {
        let sum: u32 = pixels.iter().map(|&i| u32::from(color(i)[1])).sum();
        sum / pixels.len().max(1) as u32
    };
    let all = grid.len() - outside.iter().filter(|&&o| o).count();
    let inside: Vec<usize> = if hole.is_empty() { (0..grid.len()).filter(|&i| grid[i]).collect() } else { hole };
    if !inside.iter().all(is_grey) {
        return None;
    }
    let solid = inside.len() + all / 50 >= all;
    // A hole is that of an outline, not of a letter, when it is a quarter of the whole.
    let outline = inside.len() * 4 >= all;
    let dark_page = paper < 128;
    let side = match light(&inside) {
        180.. if (solid && dark_page) || (outline && !solid && paper >= 180) => Color::White,
        0..=90 if (solid && paper >= 150) || (outline && !solid && dark_page) => Color::Black,
        _ => return None,
    };
    Some(TurnMarker { side, shape: *shape, confidence: CONFIDENCE })
}

/// The pixels of a box that the ink in it does not enclose.
fn outside(grid: &[bool], width: usize) -> Vec<bool> {
    let height = grid.len() / width;
    let is_edge = |i: usize| [0, width - 1].contains(&(i % width)) || [0, height - 1].contains(&(i / width));
    let mut open: Vec<usize> = (0..grid.len()).filter(|&i| is_edge(i) && !grid[i]).collect();
    let mut outside = vec![false; grid.len()];
    open.iter().for_each(|&i| outside[i] = true);
    while let Some(i) = open.pop() {
        for next in beside(i, width, height) {
            if !grid[next] && !outside[next] {
                outside[next] = true;
                open.push(next);
            }
        }
    }
    outside
}

/// The shape of what is not outside, compared row by row with each shape of that size.
fn shape(outside: &[bool], width: usize, height: usize) -> Option<Shape> {
    let (w, h) = (width as f32, height as f32);
    let within = |shape: Shape, upside_down: bool, x: f32, y: f32| match shape {
        Shape::Square => true,
        Shape::Circle => (x - 0.5).hypot(y - 0.5) <= 0.5,
        Shape::Triangle => (x - 0.5).abs() <= 0.5 * if upside_down { 1.0 - y } else { y },
    };
    let differs = |shape, upside_down| {
        let wrong = outside.iter().enumerate().filter(|&(i, &is_outside)| {
            let (x, y) = (((i % width) as f32 + 0.5) / w, ((i / width) as f32 + 0.5) / h);
            within(shape, upside_down, x, y) == is_outside
        });
        wrong.count() as f32 / (w * h)
    };
    let shapes = [(Shape::Square, false), (Shape::Circle, false), (Shape::Triangle, false), (Shape::Triangle, true)];
    let mut by_fit = shapes.map(|(shape, upside_down)| (differs(shape, upside_down), shape));
    by_fit.sort_by(|a, b| a.0.total_cmp(&b.0));
    (by_fit[0].0 < MISFIT).then_some(by_fit[0].1)
}

/// The most of its box by which a mark differs from its shape.
const MISFIT: f32 = 0.07;

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with a board of 240 pixels at (100, 100) and what a painter adds.
    fn page(paper: u8, paint: impl Fn(usize, usize) -> Option<[u8; 3]>) -> Option<TurnMarker> {
        let mut picture = Picture::filled(440, 440, [paper; 3]);
        for y in 0..440 {
            for x in 0..440 {
                let on_board = (100..340).contains(&x) && (100..340).contains(&y);
                let square = if (x / 30 + y / 30) % 2 == 0 { [235; 3] } else { [120; 3] };
                if let Some(color) = paint(x, y).or(on_board.then_some(square)) {
                    picture.set_pixel(x, y, color);
                }
            }
        }
        turn_marker(&picture, &Corners::from_rect(100.0, 100.0, 340.0, 340.0))
    }

    fn says(mark: Option<TurnMarker>) -> String {
        mark.map_or("nothing".into(), |mark| mark.to_string())
    }

    /// A square of 14 pixels with its top left corner at a place, with an edge of 2.
    fn square(at: (usize, usize), edge: [u8; 3], inside: [u8; 3]) -> impl Fn(usize, usize) -> Option<[u8; 3]> {
        move |x, y| {
            let (x, y) = (x.wrapping_sub(at.0), y.wrapping_sub(at.1));
            let is_inside = (2..12).contains(&x) && (2..12).contains(&y);
            (x < 14 && y < 14).then_some(if is_inside { inside } else { edge })
        }
    }

    const BLACK: [u8; 3] = [0; 3];
    const WHITE: [u8; 3] = [255; 3];

    #[test]
    fn marks_are_open_or_filled() {
        assert_eq!(says(page(255, square((350, 320), BLACK, WHITE))), "open square beside the board");
        assert_eq!(says(page(255, square((350, 104), BLACK, BLACK))), "filled square beside the board");
        assert_eq!(says(page(40, square((350, 104), WHITE, WHITE))), "open square beside the board");
        assert_eq!(says(page(40, square((350, 104), WHITE, BLACK))), "filled square beside the board");
        let disc = |x: usize, y: usize| ((x as f32 - 325.0).hypot(y as f32 - 356.0) < 7.5).then_some(BLACK);
        assert_eq!(says(page(255, disc)), "filled circle beside the board");
        let triangle = |x: usize, y: usize| {
            let (x, y) = (x as f32 + 0.5 - 357.0, y as f32 + 0.5 - 320.0);
            ((0.0..16.0).contains(&y) && x.abs() <= y / 2.0).then_some(BLACK)
        };
        assert_eq!(says(page(255, triangle)), "filled triangle beside the board");
    }

    #[test]
    fn what_is_not_alone_or_has_color_is_no_mark() {
        assert_eq!(says(page(255, |_, _| None)), "nothing");
        let two = |x, y| square((350, 104), BLACK, BLACK)(x, y).or(square((350, 320), BLACK, WHITE)(x, y));
        assert_eq!(says(page(255, two)), "nothing");
        let text = |x, y| square((350, 104), BLACK, BLACK)(x, y).or(square((368, 104), BLACK, WHITE)(x, y));
        assert_eq!(says(page(255, text)), "nothing");
        assert_eq!(says(page(255, square((350, 104), [0, 150, 0], [0, 150, 0]))), "nothing");
        // In the middle of an edge, and touching the board.
        assert_eq!(says(page(255, square((350, 210), BLACK, BLACK))), "nothing");
        assert_eq!(says(page(255, square((338, 104), BLACK, BLACK))), "nothing");
        let cross = |x: usize, y: usize| {
            let (x, y) = (x.abs_diff(357), y.abs_diff(110));
            (x < 8 && y < 8 && x.min(y) < 2).then_some(BLACK)
        };
        assert_eq!(says(page(255, cross)), "nothing");
    }
}
