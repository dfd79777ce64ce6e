//! Stage 3, slice: [`BoardImage`] to [`Tiles`].
//!
//! The network reads the rectified board as a whole, because neighboring tiles share computation at their borders and
//! show it the style of the pieces. So tiles are not copied; they are what a trace or a training set shows.

use super::rectify::BoardImage;
use crate::{
    games::game::{Grid, Tile},
    image::picture::Picture,
};

/// The tiles of one board, each with the margin around it.
#[derive(Clone, Copy, Debug)]
pub struct Tiles<'a> {
    board: &'a BoardImage,
}

impl<'a> Tiles<'a> {
    /// Pixels along the side of a tile with half a tile of margin on every side.
    pub const SIDE: usize = BoardImage::CELL + 2 * BoardImage::MARGIN;

    /// The tiles of a board.
    pub fn new(board: &'a BoardImage) -> Tiles<'a> {
        Tiles { board }
    }

    /// The board the tiles belong to.
    pub fn board(&self) -> &'a BoardImage {
        self.board
    }

    /// The rows and columns of tiles.
    pub fn grid(&self) -> Grid {
        self.board.game().grid()
    }

    /// The rows of pixels of one tile, from the top, three bytes a pixel.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn rows(&self, tile: Tile) -> impl Iterator<Item = &'a [u8]> {
        let _ = self.grid().index(tile);
        let (x, y) = BoardImage::corner_of(tile);
        let (left, top) = (x - BoardImage::MARGIN, y - BoardImage::MARGIN);
        let picture = self.board.picture();
        (top..top + Self::SIDE).map(move |row| {
            let at = (row * picture.width() + left) * 3;
            &picture.data()[at..at + Self::SIDE * 3]
        })
    }

    /// One tile as a picture of its own.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn picture(&self, tile: Tile) -> Picture {
        Picture::from_rgb(Self::SIDE, Self::SIDE, self.rows(tile).flatten().copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::game::Game, image::geometry::Corners};

    #[test]
    fn tiles_overlap_by_their_margins() {
        let data = (0..288 * 288).flat_map(|i| [(i % 288 / 2) as u8, (i / 288 / 2) as u8, 0]).collect();
        let source = Picture::from_rgb(288, 288, data);
        let board = BoardImage::cut(&source, &Corners::from_rect(16.0, 16.0, 272.0, 272.0), Game::Chess).unwrap();
        let tiles = Tiles::new(&board);
        for tile in tiles.grid().tiles() {
            let picture = tiles.picture(tile);
            assert_eq!((picture.width(), picture.height()), (64, 64));
            assert_eq!(picture.pixel(0, 0), source.pixel(tile.col * 32, tile.row * 32));
            assert_eq!(picture.pixel(63, 63), source.pixel(tile.col * 32 + 63, tile.row * 32 + 63));
        }
    }
}
