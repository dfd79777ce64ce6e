//! Whether the squares go on beyond the edge of a board: then it may be eight by eight squares of something larger, such as two
//! boards that touch, or a board of draughts.

use super::super::rectify::BoardImage;
use crate::image::picture::Picture;

/// The parts of a tile's side, from its border, at which it is sampled: between lines and pieces.
const INSET: f64 = 0.16;
/// The samples along each side of a tile: enough that a line of text is alike everywhere.
const STEPS: usize = 14;
/// The least contrast between neighbors on the board, in gray levels of 255, for a comparison.
const LEAST_CONTRAST: f64 = 12.0;
/// The contrast of squares beyond the edge, as a part of that on the board.
const SAME: std::ops::RangeInclusive<f64> = 0.6..=1.6;

/// Whether a whole row or column of squares follows on some side, in the colors of the board and in step with it.
pub fn goes_on(board: &BoardImage, picture: &Picture) -> bool {
    let grid = board.game().grid();
    let (rows, cols) = (grid.rows as i32, grid.cols as i32);
    let row = |row: i32| (0..cols).map(move |col| (row, col)).collect::<Vec<_>>();
    let col = |col: i32| (0..rows).map(move |row| (row, col)).collect::<Vec<_>>();
    let sides = [(row(0), row(-1)), (row(rows - 1), row(rows)), (col(0), col(-1)), (col(cols - 1), col(cols))];
    sides.iter().any(|(inside, outside)| follows(board, picture, inside, outside))
}

/// Whether tiles outside continue the pattern of those beside them inside.
fn follows(board: &BoardImage, picture: &Picture, inside: &[(i32, i32)], outside: &[(i32, i32)]) -> bool {
    let lightness = |tiles: &[(i32, i32)]| -> Option<Vec<f64>> {
        tiles.iter().map(|&tile| lightness(board, picture, tile)).collect()
    };
    let (Some(inside), Some(outside)) = (lightness(inside), lightness(outside)) else { return false };
    // From one tile to the next the lightness goes up and down in turn; with every other step reversed it goes one way.
    let steps = |values: &[f64]| -> Vec<f64> {
        let step = |(n, pair): (usize, &[f64])| if n % 2 == 0 { pair[1] - pair[0] } else { pair[0] - pair[1] };
        values.windows(2).enumerate().map(step).collect()
    };
    let (inside, outside) = (steps(&inside), steps(&outside));
    let mut sorted = inside.clone();
    sorted.sort_by(f64::total_cmp);
    let contrast = sorted[sorted.len() / 2];
    // The pattern is a row further, so its steps have the other sign. One step may be spoiled by a piece or a highlight.
    let alike = outside.iter().filter(|&&step| SAME.contains(&(-step / contrast))).count();
    contrast.abs() >= LEAST_CONTRAST && alike + 1 >= outside.len()
}

/// The mean lightness of a tile near its border, 0 to 255; `None` where the picture does not show it.
fn lightness(board: &BoardImage, picture: &Picture, (row, col): (i32, i32)) -> Option<f64> {
    let mut sum = 0.0;
    for step in 0..STEPS {
        let along = INSET + (1.0 - 2.0 * INSET) * step as f64 / (STEPS - 1) as f64;
        for (x, y) in [(along, INSET), (along, 1.0 - INSET), (INSET, along), (1.0 - INSET, along)] {
            let point = board.in_source(f64::from(col) + x, f64::from(row) + y);
            let inside =
                (0.0..picture.width() as f64).contains(&point.x) && (0.0..picture.height() as f64).contains(&point.y);
            if !inside {
                return None;
            }
            let [red, green, blue] = picture.pixel(point.x as usize, point.y as usize).map(f64::from);
            sum += 0.299 * red + 0.587 * green + 0.114 * blue;
        }
    }
    Some(sum / (4 * STEPS) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::game::Game,
        image::geometry::{Corners, Point},
    };

    /// A picture of 12 x 12 squares of 20 pixels, of which the 8 x 8 in the middle are a board; `square` is the lightness of a
    /// square by column and row, counted from the board's.
    fn goes_on_in(square: impl Fn(i32, i32) -> u8) -> bool {
        let mut picture = Picture::filled(240, 240, [0; 3]);
        for (x, y) in (0..240).flat_map(|x| (0..240).map(move |y| (x, y))) {
            picture.set_pixel(x, y, [square(x as i32 / 20 - 2, y as i32 / 20 - 2); 3]);
        }
        let corners = Corners::from_rect(40.0, 40.0, 200.0, 200.0);
        goes_on(&BoardImage::cut(&picture, &corners, Game::Chess).unwrap(), &picture)
    }

    fn checkers(col: i32, row: i32) -> u8 {
        if (col + row) % 2 == 0 { 210 } else { 120 }
    }

    fn is_on_board(col: i32, row: i32) -> bool {
        (0..8).contains(&col) && (0..8).contains(&row)
    }

    #[test]
    fn squares_beyond_an_edge_are_seen() {
        assert!(goes_on_in(checkers));
        assert!(goes_on_in(|col, row| if (0..8).contains(&col) { checkers(col, row) } else { 255 }));
        assert!(goes_on_in(|col, row| if col < 8 && (0..8).contains(&row) { checkers(col, row) } else { 30 }));
    }

    #[test]
    fn a_frame_is_no_square() {
        assert!(!goes_on_in(|col, row| if is_on_board(col, row) { checkers(col, row) } else { 255 }));
        // The edge of the board, repeated; and stripes of less contrast.
        assert!(!goes_on_in(|col, row| checkers(col.clamp(0, 7), row.clamp(0, 7))));
        assert!(!goes_on_in(|col, row| {
            let value = checkers(col, row);
            if is_on_board(col, row) { value } else { 150 + (value - 120) / 4 }
        }));
    }

    #[test]
    fn the_end_of_the_picture_is_no_square() {
        let picture = Picture::filled(160, 160, [9; 3]);
        let corners =
            Corners([Point::new(0.0, 0.0), Point::new(160.0, 0.0), Point::new(160.0, 160.0), Point::new(0.0, 160.0)]);
        assert!(!goes_on(&BoardImage::cut(&picture, &corners, Game::Chess).unwrap(), &picture));
    }
}
