//! What was read, drawn to be laid over the picture: the corners found, a small piece in each square, doubtful squares in a
//! frame. In SVG, one unit to a pixel of the picture, that needs no font and no other file.
//!
//! Marks follow the perspective of each board and are as large as its squares allow. Each has a light and a dark or
//! colored part, so that it shows on any ground.

use std::fmt::Write;

use super::diagram::{DARK_INK, FLAG, PAPER, outline, outline_of_piece, strokes};
use crate::{
    games::chess::{Piece, Square},
    image::{
        geometry::{Corners, Point},
        picture::Picture,
    },
    recognize::interpret::BoardReading,
};

/// The color of outlines and of numbers.
const FOUND: &str = "#0369a1";

/// The smallest squares, in pixels, in which pieces of less than half their size can be told apart.
const LEGIBLE: f64 = 52.0;

/// The most pixels to which a picture is enlarged: a page of this size still opens in any viewer.
const MOST_PIXELS: usize = 32_000_000;

/// The whole factor by which to enlarge a picture so that the marks on its smallest board are legible: 1 when they already
/// are, at most 8, and less where the picture would become too large.
pub fn enlargement(picture: &Picture, boards: &[BoardReading]) -> usize {
    let smallest = boards.iter().map(side_of_square).fold(LEGIBLE, f64::min);
    let wanted = (LEGIBLE / smallest.max(1.0)).ceil() as usize;
    let fits = |factor: &usize| picture.width() * picture.height() * factor * factor <= MOST_PIXELS;
    (1..=wanted.min(8)).rev().find(fits).unwrap_or(1)
}

/// The marks of all boards. The drawing covers `width` x `height` pixels of the picture and is `factor` times as large.
pub fn to_svg(width: usize, height: usize, factor: usize, boards: &[BoardReading]) -> String {
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\">\n",
        width * factor,
        height * factor
    );
    for (n, board) in boards.iter().enumerate() {
        let mut marks = Marks { svg: &mut svg, board, thin: (side_of_square(board) * 0.035).max(1.2 / factor as f64) };
        marks.outline();
        for (square, &flagged) in board.reading.squares.iter().zip(&board.trust.flagged) {
            if let Some(piece) = square.piece {
                marks.piece(square.square, piece);
            }
            if flagged {
                marks.frame(square.square);
            }
        }
        marks.first_square();
        if boards.len() > 1 {
            marks.number(n + 1);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// The side of a square of the board, on the mean.
fn side_of_square(board: &BoardReading) -> f64 {
    (board.corners().area().abs() / board.game().grid().len() as f64).sqrt()
}

/// Writes the marks of one board.
struct Marks<'a> {
    svg: &'a mut String,
    board: &'a BoardReading,
    /// The width of a thin line.
    thin: f64,
}

impl Marks<'_> {
    /// Writes an element. A `String` takes whatever is written.
    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.svg, "{element}");
    }

    /// A closed line with a light edge on both sides.
    fn line_around(&mut self, points: [Point; 4], color: &str, width: f64) {
        if !points.iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
            return;
        }
        let path = points.map(|p| format!("{:.2} {:.2}", p.x, p.y)).join("L");
        let (outer, opening) = (width + 2.0 * self.thin, r#"fill="none" stroke-linejoin="round""#);
        self.put(format_args!(r#"<path d="M{path}z" {opening} stroke="{PAPER}" stroke-width="{outer:.2}"/>"#));
        self.put(format_args!(r#"<path d="M{path}z" {opening} stroke="{color}" stroke-width="{width:.2}"/>"#));
    }

    /// The edge of the board, and a disc at each corner.
    fn outline(&mut self) {
        let Corners(corners) = *self.board.corners();
        self.line_around(corners, FOUND, self.thin);
        for p in corners {
            let (radius, edge) = (2.2 * self.thin, self.thin);
            self.put(format_args!(
                r#"<circle cx="{:.2}" cy="{:.2}" r="{radius:.2}" fill="{FOUND}" stroke="{PAPER}" stroke-width="{edge:.2}"/>"#,
                p.x, p.y
            ));
        }
    }

    /// A frame just inside a square.
    fn frame(&mut self, square: Square) {
        let tile = self.board.orientation.tile(square);
        let (col, row, inset) = (tile.col as f64, tile.row as f64, 0.06);
        let corners = [(inset, inset), (1.0 - inset, inset), (1.0 - inset, 1.0 - inset), (inset, 1.0 - inset)];
        let corners = corners.map(|(x, y)| self.board.observation.image.in_source(col + x, row + y));
        self.line_around(corners, FLAG, 2.2 * self.thin);
    }

    /// What is drawn in a box within a square, `units` wide and high, as if painted on the board. `left`, `top` and `side`
    /// are parts of the square.
    fn painted(&mut self, square: Square, (left, top, side): (f64, f64, f64), units: f64, drawing: &str) {
        let tile = self.board.orientation.tile(square);
        let at = |x: f64, y: f64| {
            self.board.observation.image.in_source(tile.col as f64 + left + x * side, tile.row as f64 + top + y * side)
        };
        // A box this small can be drawn without perspective.
        let (middle, across, down) = (at(0.5, 0.5), at(1.0, 0.5) - at(0.0, 0.5), at(0.5, 1.0) - at(0.5, 0.0));
        let corner = middle - (across + down) * 0.5;
        if ![corner, across, down].iter().all(|p| p.x.is_finite() && p.y.is_finite()) {
            return;
        }
        let (across, down) = (across * (1.0 / units), down * (1.0 / units));
        self.put(format_args!(
            r#"<g transform="matrix({:.5} {:.5} {:.5} {:.5} {:.2} {:.2})">{drawing}</g>"#,
            across.x, across.y, down.x, down.y, corner.x, corner.y
        ));
    }

    /// A small piece in the lower right of its square, where most pieces leave some background free. Its line is stronger
    /// than on a large board, and there is a light edge around it.
    fn piece(&mut self, square: Square, piece: Piece) {
        let shape = outline(piece.role).shape;
        let mut drawing = String::new();
        for (color, width) in [(PAPER, 24), (DARK_INK, 8)] {
            drawing.push_str(&format!(
                r#"<path d="{shape}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>"#
            ));
        }
        drawing.push_str(&outline_of_piece(piece));
        self.painted(square, (0.5, 0.5, 0.48), 100.0, &drawing);
    }

    /// The name of a1, which shows from which side the board is seen; in the color of doubt when that is uncertain.
    fn first_square(&mut self) {
        let square = Square::from_index(0);
        let color = if self.board.trust.orientation_flagged { FLAG } else { DARK_INK };
        let letters = format!(r#"<path d="{}"/><path transform="translate(12)" d="{}"/>"#, strokes('a'), strokes('1'));
        let round = r#"fill="none" stroke-linecap="round" stroke-linejoin="round""#;
        let text = format!(
            r#"<g {round} stroke="{PAPER}" stroke-width="6.5">{letters}</g><g {round} stroke="{color}" stroke-width="2.2">{letters}</g>"#
        );
        self.painted(square, (0.08, 0.08, 0.4), 24.0, &text);
    }

    /// The number of the board, on a disc at its first corner.
    fn number(&mut self, number: usize) {
        let Corners([corner, ..]) = *self.board.corners();
        let digits = number.to_string();
        let half = 12.0 * digits.len() as f64 / 2.0 - 1.0;
        let (side, reach) = (side_of_square(self.board) * 0.02, half.hypot(7.0) + 5.0);
        self.put(format_args!(
            r#"<g transform="translate({:.2} {:.2}) scale({side:.4})"><circle r="{reach:.1}" fill="{FOUND}" stroke="{PAPER}" stroke-width="2"/>"#,
            corner.x, corner.y
        ));
        for (i, digit) in digits.chars().enumerate() {
            let x = 12.0 * i as f64 - half;
            self.put(format_args!(
                r#"<path transform="translate({x} -7)" d="{}" fill="none" stroke="{PAPER}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/>"#,
                strokes(digit)
            ));
        }
        self.put(format_args!("</g>"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::chess::Color,
        recognize::{
            answers::Answers,
            interpret::tests::reading_of,
            place::tests::scores_of,
            trust::{Trust, Verdict},
        },
    };

    /// A board of three pieces in a picture, seen from a side; the fifth square is in doubt.
    fn board(picture: &Picture, corners: Corners, bottom: Color) -> BoardReading {
        let scores = scores_of("4k3/8/8/8/8/8/4P3/4K3", 0.9999);
        let flagged = (0..64).map(|i| i == 4).collect();
        let trust = Trust { verdict: Verdict::Check, confidence: 0.5, flagged, orientation_flagged: false };
        let mut read = reading_of(picture, corners, scores, Answers { bottom: Some(bottom), ..Answers::default() });
        read.trust = trust;
        read
    }

    #[test]
    fn small_boards_are_enlarged_within_reason() {
        let factor = |size: usize, side: f64| {
            let picture = Picture::filled(size, size, [200; 3]);
            let board = board(&picture, Corners::from_rect(0.0, 0.0, side, side), Color::White);
            enlargement(&picture, &[board])
        };
        assert_eq!([factor(800, 800.0), factor(416, 416.0), factor(414, 414.0), factor(200, 200.0)], [1, 1, 2, 3]);
        // A thumbnail on a large page: as far as the page allows, and never more than eight times.
        assert_eq!([factor(100, 20.0), factor(3000, 100.0), factor(6000, 100.0)], [8, 1, 1]);
        assert_eq!(enlargement(&Picture::filled(10, 10, [0; 3]), &[]), 1);
    }

    #[test]
    fn pieces_and_frames_are_where_their_squares_are() {
        let picture = Picture::filled(900, 900, [200; 3]);
        let corners = Corners::from_rect(50.0, 50.0, 850.0, 850.0);
        let drawn = to_svg(900, 900, 1, &[board(&picture, corners, Color::White)]);
        assert!(
            drawn.starts_with(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900" viewBox="0 0 900 900">"#
            )
        );
        // Three pieces and the name of a1.
        assert_eq!(drawn.matches("matrix(").count(), 4, "{drawn}");
        // The king on e8 in the lower right of the fifth square of the first row.
        assert!(drawn.contains("matrix(0.48000 0.00000 0.00000 0.48000 500.00 100.00)"), "{drawn}");
        let frame = format!(
            "M456.00 56.00L544.00 56.00L544.00 144.00L456.00 144.00z\" fill=\"none\" stroke-linejoin=\"round\" stroke=\"{FLAG}\""
        );
        assert!(drawn.contains(&frame), "{drawn}");
        assert_eq!(drawn.matches(FLAG).count(), 1);

        let twice = [board(&picture, corners, Color::Black), board(&picture, corners, Color::White)];
        let drawn = to_svg(900, 900, 2, &twice);
        assert!(drawn.contains(r#"width="1800" height="1800" viewBox="0 0 900 900""#));
        assert_eq!(drawn.matches("M5 6.4").count() + drawn.matches(r#"<circle r=""#).count(), 2, "two numbers");
        // Seen from Black e8 is in the fourth column of the last row.
        assert!(drawn.contains("M356.00 756.00L444.00 756.00"), "{drawn}");
    }

    #[test]
    fn far_pieces_of_a_tilted_board_are_smaller() {
        let picture = Picture::filled(900, 900, [200; 3]);
        let corners =
            Corners([(300.0, 100.0), (600.0, 100.0), (850.0, 700.0), (50.0, 700.0)].map(|(x, y)| Point::new(x, y)));
        let drawn = to_svg(900, 900, 1, &[board(&picture, corners, Color::White)]);
        let widths: Vec<f64> = drawn
            .match_indices("matrix(")
            .map(|(at, _)| drawn[at + 7..].split(' ').next().unwrap().parse().unwrap())
            .collect();
        // In FEN order: the king on e8, the pawn on e2, the king on e1; the name of a1 has units of its own.
        assert!(widths[0] < 0.25 && 0.35 < widths[1] && widths[1] < widths[2], "{widths:?}");
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }
}
