//! Reads the turn marker, a symbol beside the board that shows who is to move: [`Picture`] and [`Corners`] to
//! [`TurnMarker`].
//!
//! Books and programs put a small square, disc or triangle near a corner of the diagram: open (or light) when White is
//! to move, filled when Black is. A patch of ink counts as a marker only where nothing else is near it, it has one of
//! these shapes exactly, and it has no color; where there are two markers, neither is used. Letters, numbers, clocks and
//! portraits are ignored. Words are not read.

use std::fmt;

use image::{GrayImage, ImageBuffer, Luma};
use imageproc::region_labelling::{Connectivity, connected_components};

use crate::{
    games::chess::Color,
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
        warp::warp,
    },
};

/// A symbol beside the board that shows who is to move.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TurnMarker {
    /// The side to move.
    pub side: Color,
    /// Its shape.
    pub shape: Shape,
    /// The probability that this side is to move.
    pub confidence: f32,
}

/// The shape of a turn marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A square.
    Square,
    /// A disc or a ring.
    Circle,
    /// A triangle, pointing up or down.
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

/// How often a result is right: on 230 drawn boards with a marker, or with two, a colored one, a letter or text instead, 65
/// times of 71; in most of the six errors there were two markers.
const CONFIDENCE: f32 = 0.9;

/// Pixels along a square of the board in the strips that are searched.
const SQUARE: usize = 32;

/// How far from the board the search goes, in these pixels: a square and a half.
const REACH: usize = SQUARE * 3 / 2;

/// A marker lies within this distance of a corner of the board, measured along the edge: a square and a quarter.
const NEAR_CORNER: usize = SQUARE * 5 / 4;

/// The side of a marker: a fifth of a square to three quarters.
const SIZES: std::ops::RangeInclusive<usize> = 7..=24;

/// No other ink is within this distance of a marker: a quarter of a square.
const ALONE: usize = SQUARE / 4;

/// Boards with smaller squares, in pixels of the picture, have markers of too few pixels.
const LEAST_SQUARE: f64 = 14.0;

/// By how much the lightness of ink differs from that of the paper, of 255.
const INK: i32 = 60;

/// A pixel counts as gray when its red, green and blue differ by no more than this.
const GRAY: u8 = 40;

/// Finds the turn marker beside a board.
pub fn find_turn_marker(picture: &Picture, corners: &Corners) -> Option<TurnMarker> {
    if corners.area() < (8.0 * LEAST_SQUARE).powi(2) {
        return None;
    }
    let board = (8 * SQUARE) as f64;
    let map = Homography::from_rect(board, board, corners)?;
    let (long, reach) = (8 * SQUARE + 2 * REACH, REACH as f64);
    // The strips at the right and at the left include the corners of the page; those below and above do not.
    let strips = [
        (board, -reach, REACH, long),
        (-reach, -reach, REACH, long),
        (0.0, board, 8 * SQUARE, REACH),
        (0.0, -reach, 8 * SQUARE, REACH),
    ];
    // Two markers, whatever they mean, belong to clocks or players.
    let mut found = strips.iter().flat_map(|&(x, y, width, height)| {
        let strip = warp(picture, &Homography::scale_shift(1.0, Point::new(x, y)).then(&map), width, height);
        markers(&strip)
    });
    found.next().filter(|_| found.next().is_none()).flatten()
}

/// What has the shape of a marker in a strip of page along an edge of the board, and what each means, if anything.
fn markers(strip: &Picture) -> Vec<Option<TurnMarker>> {
    let (width, height) = (strip.width(), strip.height());
    let light: Vec<u8> = strip
        .data()
        .chunks_exact(3)
        .map(|rgb| ((u16::from(rgb[0]) + u16::from(rgb[1]) * 2 + u16::from(rgb[2])) / 4) as u8)
        .collect();
    let mut sorted = light.clone();
    let paper = *sorted.select_nth_unstable(light.len() / 2).1;
    let ink = GrayImage::from_fn(width as u32, height as u32, |x, y| {
        let light = light[y as usize * width + x as usize];
        if (i32::from(light) - i32::from(paper)).abs() > INK { INKED } else { BLANK }
    });
    // Strips without ink are common, and labeling costs more than everything before it.
    if !ink.pixels().any(|&pixel| pixel == INKED) {
        return Vec::new();
    }
    let labels = connected_components(&ink, Connectivity::Four, BLANK);
    patches(&labels)
        .into_iter()
        .filter(|patch| is_near_corner(patch, width, height) && is_alone(patch, &ink))
        .filter_map(|patch| Form::new(&patch, &labels).map(|form| marker(&patch, &form, strip, paper)))
        .collect()
}

const INKED: Luma<u8> = Luma([255]);
const BLANK: Luma<u8> = Luma([0]);

/// For each pixel the number of its connected patch of ink, from 1, or 0.
type Labels = ImageBuffer<Luma<u32>, Vec<u32>>;

/// A connected patch of ink, all four neighbors of a pixel counting as connected with it.
struct Patch {
    label: u32,
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
    /// The number of its pixels.
    ink: usize,
}

impl Patch {
    /// The width and height of the box around it.
    fn size(&self) -> (usize, usize) {
        (self.right + 1 - self.left, self.bottom + 1 - self.top)
    }
}

/// The patches that have the size of a marker.
fn patches(labels: &Labels) -> Vec<Patch> {
    let mut found: Vec<Patch> = Vec::new();
    for (x, y, &Luma([label])) in labels.enumerate_pixels().filter(|(_, _, label)| label.0[0] > 0) {
        let (x, y) = (x as usize, y as usize);
        // Labels are counted in the order in which their first pixels come.
        if label as usize > found.len() {
            found.push(Patch { label, left: x, top: y, right: x, bottom: y, ink: 0 });
        }
        let patch = &mut found[label as usize - 1];
        patch.left = patch.left.min(x);
        patch.right = patch.right.max(x);
        patch.bottom = y;
        patch.ink += 1;
    }
    let fits = |patch: &Patch| SIZES.contains(&patch.size().0) && SIZES.contains(&patch.size().1);
    found.into_iter().filter(fits).collect()
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
fn is_alone(patch: &Patch, ink: &GrayImage) -> bool {
    let end = |last: usize, length: u32| (last + 1 + ALONE).min(length as usize);
    let columns = patch.left.saturating_sub(ALONE)..end(patch.right, ink.width());
    let mut rows = patch.top.saturating_sub(ALONE)..end(patch.bottom, ink.height());
    let in_row = |y: usize| columns.clone().filter(|&x| *ink.get_pixel(x as u32, y as u32) == INKED).count();
    rows.by_ref().map(in_row).sum::<usize>() == patch.ink
}

/// A patch of ink that has one of the shapes.
struct Form {
    shape: Shape,
    /// For each pixel of its box, whether it is ink.
    grid: Vec<bool>,
    /// For each pixel of its box, whether it is outside of the ink.
    outside: Vec<bool>,
}

impl Form {
    fn new(patch: &Patch, labels: &Labels) -> Option<Form> {
        let (width, height) = patch.size();
        if width * 5 < height * 4 || height * 5 < width * 4 {
            return None;
        }
        // With a blank edge around the box, all that the ink does not enclose is one region.
        let mut padded = GrayImage::new(width as u32 + 2, height as u32 + 2);
        let pixels = || (0..width * height).map(|i| ((i % width) as u32, (i / width) as u32));
        for (x, y) in pixels() {
            let Luma([label]) = *labels.get_pixel(patch.left as u32 + x, patch.top as u32 + y);
            padded.put_pixel(x + 1, y + 1, if label == patch.label { INKED } else { BLANK });
        }
        let regions = connected_components(&padded, Connectivity::Four, INKED);
        let around = regions.get_pixel(0, 0);
        let grid = pixels().map(|(x, y)| *padded.get_pixel(x + 1, y + 1) == INKED).collect();
        let outside: Vec<bool> = pixels().map(|(x, y)| regions.get_pixel(x + 1, y + 1) == around).collect();
        Some(Form { shape: shape(&outside, width, height)?, grid, outside })
    }
}

/// The meaning of a patch that has the shape of a marker, if it is one.
fn marker(patch: &Patch, form: &Form, strip: &Picture, paper: u8) -> Option<TurnMarker> {
    let width = patch.size().0;
    let Form { shape, grid, outside } = form;
    let hole: Vec<usize> = (0..grid.len()).filter(|&i| !grid[i] && !outside[i]).collect();
    let color = |i: usize| strip.pixel(patch.left + i % width, patch.top + i / width);
    let is_gray = |&i: &usize| {
        let rgb = color(i);
        rgb.iter().max().zip(rgb.iter().min()).is_some_and(|(high, low)| high - low <= GRAY)
    };
    let light = |pixels: &[usize]| {
        let sum: u32 = pixels.iter().map(|&i| u32::from(color(i)[1])).sum();
        sum / pixels.len().max(1) as u32
    };
    let all = grid.len() - outside.iter().filter(|&&o| o).count();
    let inside: Vec<usize> = if hole.is_empty() { (0..grid.len()).filter(|&i| grid[i]).collect() } else { hole };
    if !inside.iter().all(is_gray) {
        return None;
    }
    let solid = inside.len() + all / 50 >= all;
    // The hole of an outline takes a quarter of the whole at least; that of a letter is smaller.
    let outline = inside.len() * 4 >= all;
    let dark_page = paper < 128;
    let side = match light(&inside) {
        180.. if (solid && dark_page) || (outline && !solid && paper >= 180) => Color::White,
        0..=90 if (solid && paper >= 150) || (outline && !solid && dark_page) => Color::Black,
        _ => return None,
    };
    Some(TurnMarker { side, shape: *shape, confidence: CONFIDENCE })
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

/// The largest part of its box by which a marker may differ from its shape.
const MISFIT: f32 = 0.07;

#[cfg(test)]
mod tests {
    use super::*;

    /// The result for a page with a board of 240 pixels at (100, 100) and what `paint` adds.
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
        find_turn_marker(&picture, &Corners::from_rect(100.0, 100.0, 340.0, 340.0))
    }

    fn says(marker: Option<TurnMarker>) -> String {
        marker.map_or("nothing".into(), |marker| marker.to_string())
    }

    /// A square of 14 pixels with its top left corner at a point, with an edge of 2.
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
    fn markers_are_open_or_filled() {
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
    fn what_is_not_alone_or_has_color_is_no_marker() {
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
