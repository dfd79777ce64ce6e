//! A lone empty square in a color of its own: [`BoardImage`] to [`Tile`].
//!
//! Sites paint the squares of a last move, which are two, or the square of a piece that is chosen or in check. One empty square that
//! alone has another ground than all squares of its color is none of these: something lies on it that has exactly its size.

use super::super::{classify::Scores, rectify::BoardImage};
use crate::games::game::Tile;

/// The part of a tile's side at its border that is left out, and the width of the ring within that is compared: pieces seldom
/// reach it.
const LINE: usize = BoardImage::CELL / 16;
const RING: usize = BoardImage::CELL / 8;

/// The least difference from the other tiles of its color that makes a ground its own, in levels of 255 of one of the three
/// colors, and as a multiple of what is usual on the board (texture, hatching, light).
const LEAST: i32 = 16;
const UNUSUAL: i32 = 8;

/// How much less all other grounds must differ. A highlight under a piece shows less than one on an empty square.
const ALONE: i32 = 3;

/// The only tile whose ground is its own, if it is read as empty.
pub fn lone_patch(board: &BoardImage, scores: &Scores) -> Option<Tile> {
    let grid = board.game().grid();
    let grounds: Vec<[u8; 3]> = grid.tiles().map(|tile| ground(board, tile)).collect();
    let color_of = |tile: Tile| (tile.row + tile.col) % 2;
    let usual = [0, 1].map(|color| {
        let alike = grid.tiles().zip(&grounds).filter(|(tile, _)| color_of(*tile) == color);
        let alike: Vec<[u8; 3]> = alike.map(|(_, &ground)| ground).collect();
        [0, 1, 2].map(|channel| median(alike.iter().map(|ground| ground[channel]).collect()))
    });
    let difference = |(tile, ground): (Tile, &[u8; 3])| {
        let usual = usual[color_of(tile)];
        (0..3).map(|i| (i32::from(ground[i]) - i32::from(usual[i])).abs()).max().unwrap_or(0)
    };
    let differences: Vec<i32> = grid.tiles().zip(&grounds).map(difference).collect();
    let common = median(differences.clone());
    let (alone, &most) = grid.tiles().zip(&differences).max_by_key(|(_, difference)| **difference)?;
    let others = differences.iter().filter(|&&other| other * ALONE > most).count();
    if most < LEAST || most <= UNUSUAL * common || others > 1 {
        return None;
    }
    // Of `others`, one is the tile itself. The first class of every game is the empty tile.
    (scores.of(alone)[0] > 0.5).then_some(alone)
}

/// The median color of the ring near the border of a tile.
fn ground(board: &BoardImage, tile: Tile) -> [u8; 3] {
    let (left, top) = BoardImage::corner_of(tile);
    let (near, far) = (LINE + RING, BoardImage::CELL - LINE - RING);
    let inner = LINE..BoardImage::CELL - LINE;
    let ring = inner.clone().flat_map(|y| inner.clone().map(move |x| (x, y)));
    let ring = ring.filter(|(x, y)| !(near..far).contains(x) || !(near..far).contains(y));
    let pixels: Vec<[u8; 3]> = ring.map(|(x, y)| board.picture().pixel(left + x, top + y)).collect();
    [0, 1, 2].map(|channel| median(pixels.iter().map(|pixel| pixel[channel]).collect()))
}

fn median<T: Ord + Copy>(mut values: Vec<T>) -> T {
    let middle = values.len() / 2;
    *values.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::game::Game,
        image::{geometry::Corners, picture::Picture},
        recognize::place::tests::scores_of,
    };

    /// A board with a piece on e4 and the given squares, by row and column, painted.
    fn found(painted: &[(usize, usize)], add: u8) -> Option<Tile> {
        let mut picture = Picture::filled(288, 288, [128; 3]);
        for tile in Game::Chess.grid().tiles() {
            let (left, top) = BoardImage::corner_of(tile);
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                let mut color = if (tile.row + tile.col) % 2 == 1 { [110, 90, 70] } else { [210, 190, 170] };
                if painted.contains(&(tile.row, tile.col)) {
                    color[1] += add;
                }
                if (tile.row, tile.col) == (4, 4) && (8..24).contains(&x) && (4..28).contains(&y) {
                    color = [0; 3];
                }
                picture.set_pixel(left + x, top + y, color);
            }
        }
        let corners = Corners::from_rect(16.0, 16.0, 272.0, 272.0);
        let board = BoardImage::cut(&picture, &corners, Game::Chess).unwrap();
        lone_patch(&board, &scores_of("8/8/8/8/4Q3/8/8/8", 0.999))
    }

    #[test]
    fn only_a_lone_empty_square_is_a_patch() {
        assert_eq!(found(&[], 0), None);
        assert_eq!(found(&[(2, 5)], 40), Some(Tile { row: 2, col: 5 }));
        assert_eq!(found(&[(2, 5)], 4), None);
        // A last move, and a chosen piece.
        assert_eq!(found(&[(2, 5), (4, 4)], 40), None);
        assert_eq!(found(&[(4, 4)], 40), None);
    }
}
