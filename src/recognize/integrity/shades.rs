//! Which tiles are the dark squares: [`BoardImage`] to [`CornerShade`].
//!
//! The square in the corner at the left of either player is dark. In a picture that is mirrored, or whose colors are inverted,
//! it is light, and every piece would be read on a wrong square or in the wrong color. Nothing else in such a picture need be odd.

use super::super::rectify::BoardImage;
use crate::games::game::Tile;

/// The shade of the square in the bottom left corner as seen. On an upright board it is dark from either side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CornerShade {
    /// As it should be.
    Dark,
    /// The picture is mirrored or inverted, or the board is drawn wrongly.
    Light,
    /// The two kinds of square cannot be told apart.
    Unknown,
}

/// The part of a tile's side at its border that is left out: lines between squares.
const LINE: usize = BoardImage::CELL / 11;
/// The width of the ring within that which is compared. Pieces seldom reach it.
const RING: usize = BoardImage::CELL / 8;
/// The least part of the blocks of 2 x 2 tiles that must agree. Highlights of a last move spoil eight of 49.
const AGREE: f64 = 0.8;
/// The least difference between the two kinds of square, in gray levels of 255, in the median of all blocks.
const DIFFERENCE: f64 = 6.0;

/// Compares the two kinds of square around every inner corner of the board, where light is the same for all four.
pub fn corner_shade(board: &BoardImage) -> CornerShade {
    let grid = board.game().grid();
    let lightness: Vec<f64> = grid.tiles().map(|tile| ring_lightness(board, tile)).collect();
    let at = |row: usize, col: usize| lightness[grid.index(Tile { row, col })];
    let mut differences: Vec<f64> = (1..grid.rows)
        .flat_map(|row| (1..grid.cols).map(move |col| (row, col)))
        .map(|(row, col)| {
            let falling = at(row - 1, col - 1) + at(row, col);
            let rising = at(row - 1, col) + at(row, col - 1);
            // Tiles whose row and column add up to as much as those of the bottom left one, or an even number more or less,
            // should be dark.
            let light_minus_dark = (falling - rising) / 2.0;
            if (grid.rows + row + col).is_multiple_of(2) { light_minus_dark } else { -light_minus_dark }
        })
        .collect();
    let count = differences.len() as f64;
    let share = |sign: f64| differences.iter().filter(|&&value| value * sign > 0.0).count() as f64 / count;
    let (right, wrong) = (share(1.0), share(-1.0));
    let middle = differences.len() / 2;
    let (_, &mut median, _) = differences.select_nth_unstable_by(middle, f64::total_cmp);
    if median.abs() < DIFFERENCE {
        CornerShade::Unknown
    } else if right >= AGREE {
        CornerShade::Dark
    } else if wrong >= AGREE {
        CornerShade::Light
    } else {
        CornerShade::Unknown
    }
}

/// The mean lightness of the ring near the border of a tile, 0 to 255.
fn ring_lightness(board: &BoardImage, tile: Tile) -> f64 {
    let (left, top) = BoardImage::corner_of(tile);
    let (near, far) = (LINE + RING, BoardImage::CELL - LINE - RING);
    let (mut sum, mut count) = (0.0, 0.0);
    for y in LINE..BoardImage::CELL - LINE {
        for x in LINE..BoardImage::CELL - LINE {
            if (near..far).contains(&x) && (near..far).contains(&y) {
                continue;
            }
            let [red, green, blue] = board.picture().pixel(left + x, top + y).map(f64::from);
            sum += 0.299 * red + 0.587 * green + 0.114 * blue;
            count += 1.0;
        }
    }
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::game::Game,
        image::{geometry::Corners, picture::Picture},
    };

    /// A board with the given lightness of a pixel of a tile.
    fn shade(lightness: impl Fn(Tile, usize, usize) -> u8) -> CornerShade {
        let mut picture = Picture::filled(288, 288, [128; 3]);
        for tile in Game::Chess.grid().tiles() {
            let (left, top) = BoardImage::corner_of(tile);
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                picture.set_pixel(left + x, top + y, [lightness(tile, x, y); 3]);
            }
        }
        corner_shade(&BoardImage::cut(&picture, &Corners::from_rect(16.0, 16.0, 272.0, 272.0), Game::Chess).unwrap())
    }

    fn is_dark(tile: Tile) -> bool {
        (tile.row + tile.col) % 2 == 1
    }

    #[test]
    fn the_corner_is_dark_light_or_unknown() {
        assert_eq!(shade(|tile, _, _| if is_dark(tile) { 90 } else { 200 }), CornerShade::Dark);
        assert_eq!(shade(|tile, _, _| if is_dark(tile) { 200 } else { 90 }), CornerShade::Light);
        assert_eq!(shade(|_, _, _| 255), CornerShade::Unknown);
        // Lines between white squares say nothing.
        assert_eq!(shade(|_, x, y| if x == 0 || y == 0 { 0 } else { 255 }), CornerShade::Unknown);
    }

    #[test]
    fn neither_pieces_nor_hatching_nor_a_shadow_change_it() {
        let piece = |x: usize, y: usize| (9..23).contains(&x) && (5..29).contains(&y);
        let hatched = |tile: Tile, x: usize, y: usize| if is_dark(tile) && (x + y).is_multiple_of(6) { 0 } else { 255 };
        assert_eq!(shade(|t, x, y| if t.row < 2 && piece(x, y) { 0 } else { hatched(t, x, y) }), CornerShade::Dark);
        // Dark squares on the lit side are lighter than light ones in the shadow.
        let slope = |tile: Tile| 40 + 20 * tile.col as u8;
        assert_eq!(shade(|tile, _, _| slope(tile) + if is_dark(tile) { 0 } else { 25 }), CornerShade::Dark);
    }
}
