//! Draws a board: as text for a terminal, or as a picture in SVG that needs no font and no other file.
//!
//! ```
//! use fenlens::output::diagram::{Diagram, TextStyle};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut diagram = Diagram::of_chess(&"8/5k2/8/8/8/8/4P3/4K3".parse()?);
//! diagram.flag_square("f7".parse()?);
//! assert!(diagram.to_text(&TextStyle { letters: true, color: false }).contains("[k]"));
//! assert!(diagram.to_svg().starts_with("<svg"));
//! # Ok(())
//! # }
//! ```

mod glyphs;
mod pieces;
mod svg;
mod text;

#[cfg(feature = "recognize")]
pub(crate) use glyphs::strokes;
#[cfg(feature = "recognize")]
pub(crate) use pieces::outline;
#[cfg(feature = "recognize")]
pub(crate) use svg::{DARK_INK, FLAG, PAPER};
pub use text::TextStyle;

use crate::games::{
    chess,
    chess::Square,
    game::{Game, Tile},
    placement::Placement,
    xiangqi,
    xiangqi::Point,
};

/// A piece of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum AnyPiece {
    Chess(chess::Piece),
    Xiangqi(xiangqi::Piece),
}

impl AnyPiece {
    fn letter(self) -> char {
        match self {
            AnyPiece::Chess(piece) => piece.letter(),
            AnyPiece::Xiangqi(piece) => piece.letter(),
        }
    }

    fn player(self) -> Player {
        match self {
            AnyPiece::Chess(piece) => piece.color.into(),
            AnyPiece::Xiangqi(piece) => piece.color.into(),
        }
    }
}

/// A player of either game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// White or Red, which moves first and is at the bottom of an ordinary diagram.
    First,
    /// Black.
    Second,
}

impl From<chess::Color> for Player {
    fn from(color: chess::Color) -> Player {
        match color {
            chess::Color::White => Player::First,
            chess::Color::Black => Player::Second,
        }
    }
}

impl From<xiangqi::Color> for Player {
    fn from(color: xiangqi::Color) -> Player {
        match color {
            xiangqi::Color::Red => Player::First,
            xiangqi::Color::Black => Player::Second,
        }
    }
}

/// A piece of chess alone: elements of SVG that fill a square of 100 x 100 units.
pub fn outline_of_piece(piece: chess::Piece) -> String {
    svg::outline_of_piece(piece)
}

/// A board with its pieces, and how it is to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    game: Game,
    /// In the order of a FEN, which is that of the tiles when the first player is at the bottom.
    pieces: Vec<Option<AnyPiece>>,
    flagged: Vec<bool>,
    flipped: bool,
    to_move: Option<Player>,
}

impl Diagram {
    /// A board of chess with White at the bottom.
    pub fn of_chess(placement: &Placement) -> Diagram {
        let pieces = Square::all_in_fen_order().map(|square| placement.get(square).map(AnyPiece::Chess)).collect();
        Diagram::new(Game::Chess, pieces)
    }

    /// A board of xiangqi with Red at the bottom.
    pub fn of_xiangqi(placement: &xiangqi::Placement) -> Diagram {
        let pieces = Point::all_in_fen_order().map(|point| placement.get(point).map(AnyPiece::Xiangqi)).collect();
        Diagram::new(Game::Xiangqi, pieces)
    }

    fn new(game: Game, pieces: Vec<Option<AnyPiece>>) -> Diagram {
        let flagged = vec![false; pieces.len()];
        Diagram { game, pieces, flagged, flipped: false, to_move: None }
    }

    /// The same board, seen from the side of Black if `flipped`.
    #[must_use]
    pub fn flipped(self, flipped: bool) -> Diagram {
        Diagram { flipped, ..self }
    }

    /// The same board with a mark for the side to move, or without one.
    #[must_use]
    pub fn to_move(self, player: Option<Player>) -> Diagram {
        Diagram { to_move: player, ..self }
    }

    /// Marks a square. On a board of another game than chess this does nothing.
    pub fn flag_square(&mut self, square: Square) {
        if self.game == Game::Chess {
            self.flag(Tile { row: 7 - square.rank().index(), col: square.file().index() });
        }
    }

    /// Marks a point. On a board of another game than xiangqi this does nothing.
    pub fn flag_point(&mut self, point: Point) {
        if self.game == Game::Xiangqi {
            self.flag(Tile { row: Point::RANKS - 1 - point.rank(), col: point.file() });
        }
    }

    fn flag(&mut self, tile: Tile) {
        let index = self.game.grid().index(tile);
        self.flagged[index] = true;
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The board as text. The last line has no line feed.
    pub fn to_text(&self, style: &TextStyle) -> String {
        text::draw(self, style)
    }

    /// The board as a picture in SVG. Squares are 100 units wide.
    pub fn to_svg(&self) -> String {
        svg::draw(self)
    }

    /// The width and height of that picture, in its units.
    pub fn svg_size(&self) -> (usize, usize) {
        svg::size(self.game)
    }

    /// The top left corner in that picture of a tile, which is 100 units wide and high.
    pub fn svg_corner(&self, tile: Tile) -> (usize, usize) {
        svg::corner(self.game, tile)
    }

    /// The index of a tile among the pieces.
    fn index(&self, tile: Tile) -> usize {
        let grid = self.game.grid();
        grid.index(if self.flipped { grid.half_turn(tile) } else { tile })
    }

    fn piece(&self, tile: Tile) -> Option<AnyPiece> {
        self.pieces[self.index(tile)]
    }

    fn is_flagged(&self, tile: Tile) -> bool {
        self.flagged[self.index(tile)]
    }

    /// The letter under a column as seen.
    fn file_name(&self, col: usize) -> char {
        let file = if self.flipped { self.game.grid().cols - 1 - col } else { col };
        char::from(b'a' + file as u8)
    }

    /// The digit beside a row as seen. The ranks of xiangqi begin at 0.
    fn rank_name(&self, row: usize) -> char {
        let rank = if self.flipped { row } else { self.game.grid().rows - 1 - row };
        let first = if self.game == Game::Xiangqi { b'0' } else { b'1' };
        char::from(first + rank as u8)
    }

    /// The side to move, in words.
    fn to_move_name(&self) -> Option<&'static str> {
        self.to_move.map(|player| match (player, self.game) {
            (Player::Second, _) => "black to move",
            (Player::First, Game::Xiangqi) => "red to move",
            (Player::First, _) => "white to move",
        })
    }
}
