//! Stage 2, rectify: [`Picture`] and [`Corners`] to [`BoardImage`].
//!
//! What the next stages may rely on: an upright RGB picture in which every tile of the board is a square of
//! [`BoardImage::CELL`] pixels, with a margin of [`BoardImage::MARGIN`] pixels all round, so 288 x 288 for chess. The
//! row and column of a tile are those seen in the picture. Not promised: which side is at the bottom, that the margin
//! shows anything useful (outside the picture its edge is repeated), colors, contrast.

use crate::{
    error::{Error, Result},
    games::game::{Game, Tile},
    image::{
        geometry::{Corners, Homography, Point},
        picture::Picture,
        warp::warp,
    },
};

/// A rectified board and the homography that made it.
#[derive(Clone, Debug)]
pub struct BoardImage {
    picture: Picture,
    game: Game,
    to_source: Homography,
}

impl BoardImage {
    /// Pixels along the side of one tile. 32 keeps the cross on a king that is 20 pixels high in the source.
    pub const CELL: usize = 32;
    /// Pixels of margin on every side: half a tile, because pieces overlap their squares and corners may be a little off.
    pub const MARGIN: usize = Self::CELL / 2;

    /// Cuts a board out of a picture.
    ///
    /// # Errors
    /// [`Error::BoardNotFound`] when the corners are not those of a board seen from its front.
    pub fn cut(picture: &Picture, corners: &Corners, game: Game) -> Result<BoardImage> {
        let grid = game.grid();
        let (width, height) = ((grid.cols * Self::CELL) as f64, (grid.rows * Self::CELL) as f64);
        let degenerate = || Error::BoardNotFound { reason: "the corners span no convex area".into() };
        if !corners.is_convex() {
            return Err(degenerate());
        }
        let margin = Self::MARGIN as f64;
        let to_source = Homography::scale_shift(1.0, Point::new(-margin, -margin))
            .then(&Homography::from_rect(width, height, corners).ok_or_else(degenerate)?);
        let (width, height) = (grid.cols * Self::CELL + 2 * Self::MARGIN, grid.rows * Self::CELL + 2 * Self::MARGIN);
        Ok(BoardImage { picture: warp(picture, &to_source, width, height), game, to_source })
    }

    /// The same board with its tiles in another order: each shows what `source` of it shows here. The margin stays, and a
    /// piece that reaches over the edge of its tile is cut there.
    pub(crate) fn rearranged(&self, source: impl Fn(Tile) -> Tile) -> BoardImage {
        let width = self.picture.width();
        let mut data = self.picture.data().to_vec();
        for tile in self.game.grid().tiles() {
            let ((to_x, to_y), (from_x, from_y)) = (Self::corner_of(tile), Self::corner_of(source(tile)));
            for row in 0..Self::CELL {
                let (to, from) = (((to_y + row) * width + to_x) * 3, ((from_y + row) * width + from_x) * 3);
                data[to..to + Self::CELL * 3].copy_from_slice(&self.picture.data()[from..from + Self::CELL * 3]);
            }
        }
        let picture = Picture::from_rgb(width, self.picture.height(), data);
        BoardImage { picture, ..self.clone() }
    }

    /// The rectified picture, margin included.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// The game the board belongs to.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The map from pixels of the rectified picture to pixels of the source.
    pub fn to_source(&self) -> &Homography {
        &self.to_source
    }

    /// The point of the source that shows a point of the board, given in squares from its top left corner: `(0.5, 0.5)` is
    /// the middle of the first square.
    pub fn in_source(&self, col: f64, row: f64) -> Point {
        let (cell, margin) = (Self::CELL as f64, Self::MARGIN as f64);
        self.to_source.apply(Point::new(margin + col * cell, margin + row * cell))
    }

    /// The top left corner of a tile in the rectified picture.
    pub fn corner_of(tile: Tile) -> (usize, usize) {
        (Self::MARGIN + tile.col * Self::CELL, Self::MARGIN + tile.row * Self::CELL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_lie_where_promised() {
        // One red tile in the middle of a skewed board, drawn through the map that rectifying must undo.
        let corners = Corners([
            Point::new(90.0, 60.0),
            Point::new(520.0, 90.0),
            Point::new(560.0, 540.0),
            Point::new(50.0, 500.0),
        ]);
        let unit = Homography::from_rect(8.0, 8.0, &corners).unwrap().inverse().unwrap();
        let mut picture = Picture::filled(640, 600, [255; 3]);
        for y in 0..600 {
            for x in 0..640 {
                let p = unit.apply(Point::new(x as f64 + 0.5, y as f64 + 0.5));
                if (5.0..6.0).contains(&p.x) && (2.0..3.0).contains(&p.y) {
                    picture.set_pixel(x, y, [255, 0, 0]);
                }
            }
        }
        let board = BoardImage::cut(&picture, &corners, Game::Chess).unwrap();
        assert_eq!((board.picture().width(), board.picture().height()), (288, 288));
        let (left, top) = BoardImage::corner_of(Tile { row: 2, col: 5 });
        let is_red = |x: usize, y: usize| board.picture().pixel(x, y)[1] < 128;
        for step in 2..30 {
            assert!(is_red(left + step, top + 2) && is_red(left + 2, top + step) && is_red(left + 29, top + step));
            assert!(!is_red(left + step, top - 2) && !is_red(left - 2, top + step) && !is_red(left + 33, top + step));
        }
    }

    #[test]
    fn crossed_corners_are_no_board() {
        let [a, b, c, d] = Corners::from_rect(0.0, 0.0, 100.0, 100.0).0;
        let picture = Picture::filled(100, 100, [0; 3]);
        for corners in [Corners([a, c, b, d]), Corners([a, a, a, a]), Corners([a, d, c, b])] {
            let error = BoardImage::cut(&picture, &corners, Game::Chess).unwrap_err();
            assert_eq!(error.kind(), "no-board");
        }
    }

    #[test]
    fn boards_may_leave_the_picture() {
        let picture = Picture::filled(40, 40, [9, 8, 7]);
        let corners = Corners::from_rect(-500.0, -300.0, 900.0, 800.0);
        let board = BoardImage::cut(&picture, &corners, Game::Chess).unwrap();
        assert!(board.picture().data().chunks(3).all(|rgb| rgb == [9, 8, 7]));
    }
}
