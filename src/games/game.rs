//! The game as a value: the grid of its board, and what may stand on one of its squares or points.
//!
//! Code for several games gets these numbers from a [`Game`] and does not define its own.

/// A board game whose boards can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Game {
    /// Western chess: 8 x 8 squares.
    Chess,
    /// Xiangqi, Chinese chess: 9 x 10 points.
    Xiangqi,
}

impl Game {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Game::Chess => "chess",
            Game::Xiangqi => "xiangqi",
        }
    }

    /// The rows and columns of a board.
    pub fn grid(self) -> Grid {
        match self {
            Game::Chess => Grid { rows: 8, cols: 8 },
            Game::Xiangqi => Grid { rows: 10, cols: 9 },
        }
    }

    /// What a square or point may hold: one letter for each class, in the order that models, scores and records share. `.` is
    /// empty.
    pub fn classes(self) -> &'static str {
        match self {
            Game::Chess => ".PNBRQKpnbrqk",
            Game::Xiangqi => ".KABNRCPkabnrcp",
        }
    }
}

/// The rows and columns of a board, as seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid {
    /// Rows, counted from the top.
    pub rows: usize,
    /// Columns, counted from the left.
    pub cols: usize,
}

/// A cell of the grid **as seen**: row 0 is at the top, column 0 at the left. Which square or point it is depends on the side
/// from which the board is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tile {
    /// Row from the top.
    pub row: usize,
    /// Column from the left.
    pub col: usize,
}

impl Grid {
    /// How many tiles there are.
    pub fn len(self) -> usize {
        self.rows * self.cols
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All tiles in row-major order, top left first.
    pub fn tiles(self) -> impl Iterator<Item = Tile> {
        (0..self.rows).flat_map(move |row| (0..self.cols).map(move |col| Tile { row, col }))
    }

    /// The position of a tile in row-major order.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn index(self, tile: Tile) -> usize {
        assert!(tile.row < self.rows && tile.col < self.cols, "{tile:?} outside {self:?}");
        tile.row * self.cols + tile.col
    }

    /// The tile at the same position after half a turn of the board.
    pub fn half_turn(self, tile: Tile) -> Tile {
        Tile { row: self.rows - 1 - tile.row, col: self.cols - 1 - tile.col }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_row_major() {
        let grid = Game::Chess.grid();
        let tiles: Vec<Tile> = grid.tiles().collect();
        assert_eq!(tiles.len(), grid.len());
        assert!(tiles.iter().enumerate().all(|(i, &tile)| grid.index(tile) == i));
        assert!(tiles.iter().all(|&tile| grid.index(grid.half_turn(tile)) == grid.len() - 1 - grid.index(tile)));
    }
}
