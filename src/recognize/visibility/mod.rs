//! Which tiles can be seen: [`BoardImage`] to [`Visibility`].
//!
//! The classifier knows empty tiles and twelve pieces, and takes whatever is neither for an empty tile. So what covers a tile
//! (a window, a hand, glare, the end of the picture) and ink of a piece that stands beside its square (dragged, falling, loosely
//! set) are found by a network of their own, which compares every tile with the empty tiles of the board.

pub(crate) mod patches;

use super::rectify::BoardImage;
use crate::{
    error::{Error, Result},
    games::game::{Game, Grid, Tile},
    image::picture::Picture,
    net::{
        infer::{Infer, Tensor},
        runtime::Network,
    },
};

/// When a tile counts as one that cannot be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VisibilityOptions {
    /// The least probability that something covers a tile. Default: 0.65. Of 141 drawn boards that would be accepted (half of
    /// them of designs that no network has seen), two have such a tile, and none of 233 real screens; with 0.4, four and two.
    pub covered: f32,
    /// The least probability that ink on a tile belongs to a piece that is not in the middle of its square. Default: 0.65; two of
    /// those boards have such a tile, under mouse pointers or loosely set pieces, and none of the screens.
    pub stray: f32,
    /// The largest part of a tile that may lie outside the picture. Default: 0.3, a piece fills the middle of its square.
    pub outside: f64,
}

impl Default for VisibilityOptions {
    fn default() -> Self {
        VisibilityOptions { covered: 0.65, stray: 0.65, outside: 0.3 }
    }
}

/// How well what stands on a tile can be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// It can be seen.
    Clear,
    /// A piece beside its square reaches onto the tile, so that nobody knows where the piece belongs.
    Stray,
    /// Something else is in front of it, or the picture ends there.
    Covered,
}

/// For every tile, how probable it is that it cannot be seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    grid: Grid,
    /// For each tile in row-major order as seen, the probabilities that it is covered and that it has stray ink.
    hidden: Vec<[f32; 2]>,
    options: VisibilityOptions,
}

impl Visibility {
    /// Everything can be seen.
    pub fn clear(game: Game) -> Visibility {
        let grid = game.grid();
        Visibility { grid, hidden: vec![[0.0; 2]; grid.len()], options: VisibilityOptions::default() }
    }

    /// From two logits for each tile in row-major order: covered, stray.
    ///
    /// # Errors
    /// [`Error::Inference`] when there are too few or too many logits, or one is not finite.
    pub fn from_logits(game: Game, logits: &[f32], options: &VisibilityOptions) -> Result<Visibility> {
        let grid = game.grid();
        if logits.len() != 2 * grid.len() || logits.iter().any(|v| !v.is_finite()) {
            let reason = format!("{} x 2 finite scores expected, got {} values", grid.len(), logits.len());
            return Err(Error::Inference { source: reason.into() });
        }
        let probability = |logit: f32| 1.0 / (1.0 + (-logit).exp());
        let hidden = logits.chunks_exact(2).map(|pair| [probability(pair[0]), probability(pair[1])]).collect();
        Ok(Visibility { grid, hidden, options: *options })
    }

    /// With the tiles covered that lie outside a picture of the given size.
    fn with_borders(mut self, board: &BoardImage, picture: &Picture) -> Visibility {
        const STEPS: usize = 8;
        let (width, height) = (picture.width() as f64, picture.height() as f64);
        for (tile, hidden) in self.grid.tiles().zip(&mut self.hidden) {
            let outside = (0..STEPS * STEPS).filter(|n| {
                let at = |tile: usize, step: usize| tile as f64 + (step as f64 + 0.5) / STEPS as f64;
                let point = board.in_source(at(tile.col, n % STEPS), at(tile.row, n / STEPS));
                !(0.0..=width).contains(&point.x) || !(0.0..=height).contains(&point.y)
            });
            if outside.count() as f64 > self.options.outside * (STEPS * STEPS) as f64 {
                hidden[0] = 1.0;
            }
        }
        self
    }

    /// With one more tile covered.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub(crate) fn and_covered(mut self, tile: Option<Tile>) -> Visibility {
        if let Some(tile) = tile {
            self.hidden[self.grid.index(tile)][0] = 1.0;
        }
        self
    }

    /// Whether a tile can be seen.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn of(&self, tile: Tile) -> Sight {
        let [covered, stray] = self.hidden[self.grid.index(tile)];
        match (covered >= self.options.covered, stray >= self.options.stray) {
            (true, _) => Sight::Covered,
            (false, true) => Sight::Stray,
            (false, false) => Sight::Clear,
        }
    }

    /// The probability that what stands on a tile cannot be told from the picture; 0 for a tile that can be seen.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn doubt(&self, tile: Tile) -> f32 {
        let [covered, stray] = self.hidden[self.grid.index(tile)];
        match self.of(tile) {
            Sight::Clear => 0.0,
            Sight::Stray => stray,
            Sight::Covered => covered,
        }
    }
}

/// A model that tells which tiles of a board cannot be seen.
pub trait VisibilityModel: Send + Sync {
    /// Two logits for each tile in row-major order as seen: something covers it; it has ink of a piece beside its square.
    ///
    /// # Errors
    /// [`Error::Inference`].
    fn run(&self, board: &BoardImage) -> Result<Tensor>;
}

/// The visibility network in the ONNX runtime.
#[derive(Debug)]
pub struct VisibilityNetwork(Network);

impl VisibilityNetwork {
    /// The model of a loaded network.
    pub fn new(network: Network) -> VisibilityNetwork {
        VisibilityNetwork(network)
    }
}

impl VisibilityModel for VisibilityNetwork {
    fn run(&self, board: &BoardImage) -> Result<Tensor> {
        self.0.infer(&beside_empty(board))
    }
}

/// Looks at every tile of a board that was cut out of `picture`.
///
/// # Errors
/// [`Error::Inference`].
pub fn visibility(
    model: &(impl VisibilityModel + ?Sized),
    board: &BoardImage,
    picture: &Picture,
    options: &VisibilityOptions,
) -> Result<Visibility> {
    let logits = model.run(board)?;
    Ok(Visibility::from_logits(board.game(), logits.values(), options)?.with_borders(board, picture))
}

/// Pixels along the side of a tile in the input of the network, and of the margin on every side.
const CELL: usize = BoardImage::CELL / 2;
const MARGIN: usize = BoardImage::MARGIN / 2;

/// The input of the network: the rectified board at half its size, and below it how much each pixel differs from an empty tile of
/// the same color, halved and around 128. An empty tile is the median over the tiles of one color, pixel by pixel: most tiles
/// of most boards are empty. `scripts/draw/hidden.py` (`pair`) does the same for training.
fn beside_empty(board: &BoardImage) -> Picture {
    let full = board.picture();
    let (width, height) = (full.width() / 2, full.height() / 2);
    let mut data = Vec::with_capacity(2 * width * height * 3);
    let row_bytes = full.width() * 3;
    for rows in full.data().chunks_exact(2 * row_bytes) {
        let (upper, lower) = rows.split_at(row_bytes);
        for (a, b) in upper.chunks_exact(6).zip(lower.chunks_exact(6)) {
            let sum = |i: usize| [a[i], a[i + 3], b[i], b[i + 3]].into_iter().map(u16::from).sum::<u16>();
            data.extend([0, 1, 2].map(|i| ((sum(i) + 2) >> 2) as u8));
        }
    }
    let mut difference = vec![128; data.len()];
    let grid = board.game().grid();
    let mut values = Vec::with_capacity(grid.len());
    for color in 0..2 {
        let corners: Vec<usize> = grid
            .tiles()
            .filter(|tile| (tile.row + tile.col) % 2 == color)
            .map(|tile| ((MARGIN + tile.row * CELL) * width + MARGIN + tile.col * CELL) * 3)
            .collect();
        for offset in (0..CELL).flat_map(|y| (0..CELL * 3).map(move |x| y * width * 3 + x)) {
            values.clear();
            values.extend(corners.iter().map(|corner| data[corner + offset]));
            let (_, &mut typical, _) = values.select_nth_unstable(corners.len() / 2);
            for corner in &corners {
                let off = i16::from(data[corner + offset]) - i16::from(typical);
                difference[corner + offset] = ((off >> 1) + 128) as u8;
            }
        }
    }
    data.extend(difference);
    Picture::from_rgb(width, 2 * height, data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::geometry::Corners;

    struct Fake(Vec<f32>);

    impl VisibilityModel for Fake {
        fn run(&self, _: &BoardImage) -> Result<Tensor> {
            Ok(Tensor::new([self.0.len()], self.0.clone()))
        }
    }

    fn cut(picture: &Picture, corners: Corners) -> BoardImage {
        BoardImage::cut(picture, &corners, Game::Chess).unwrap()
    }

    /// The median is a dark or a light empty tile, though a dark tile has a piece on it, and only that tile differs.
    #[test]
    fn the_input_shows_what_differs_from_empty_tiles() {
        let mut picture = Picture::filled(288, 288, [200, 180, 160]);
        let odd = Tile { row: 3, col: 2 };
        for tile in Game::Chess.grid().tiles().filter(|tile| (tile.row + tile.col) % 2 == 1) {
            let (left, top) = BoardImage::corner_of(tile);
            for (x, y) in (0..32).flat_map(|x| (0..32).map(move |y| (x, y))) {
                picture.set_pixel(left + x, top + y, if tile == odd { [251, 0, 101] } else { [100, 80, 60] });
            }
        }
        let input = beside_empty(&cut(&picture, Corners::from_rect(16.0, 16.0, 272.0, 272.0)));
        assert_eq!((input.width(), input.height()), (144, 288));
        assert_eq!(input.pixel(8, 8), [200, 180, 160]);
        assert_eq!(input.pixel(8 + 16 * 2 + 5, 8 + 16 * 3 + 5), [251, 0, 101]);
        for tile in Game::Chess.grid().tiles() {
            let expected = if tile == odd { [128 + 75, 128 - 40, 128 + 20] } else { [128; 3] };
            assert_eq!(input.pixel(8 + 16 * tile.col + 5, 144 + 8 + 16 * tile.row + 5), expected, "{tile:?}");
        }
        assert_eq!(input.pixel(2, 150), [128; 3]);
    }

    #[test]
    fn probabilities_become_sights() {
        let mut logits = vec![-9.0; 128];
        logits[2 * 9] = 2.0;
        logits[2 * 9 + 1] = 5.0;
        logits[2 * 20 + 1] = 1.0;
        let picture = Picture::filled(80, 80, [0; 3]);
        let board = cut(&picture, Corners::from_rect(0.0, 0.0, 80.0, 80.0));
        let seen = visibility(&Fake(logits), &board, &picture, &VisibilityOptions::default()).unwrap();
        assert_eq!(seen.of(Tile { row: 1, col: 1 }), Sight::Covered);
        assert!((seen.doubt(Tile { row: 1, col: 1 }) - 0.8808).abs() < 1e-3);
        assert_eq!(seen.of(Tile { row: 2, col: 4 }), Sight::Stray);
        assert_eq!((seen.of(Tile { row: 0, col: 0 }), seen.doubt(Tile { row: 0, col: 0 })), (Sight::Clear, 0.0));
    }

    #[test]
    fn what_is_outside_the_picture_is_covered() {
        let picture = Picture::filled(80, 76, [0; 3]);
        // The last row ends at 80 of 76 pixels, so it is cut by four tenths; a board cut by a fifth of a square can be read.
        for (bottom, expected) in [(80.0, Sight::Covered), (78.0, Sight::Clear)] {
            let board = cut(&picture, Corners::from_rect(0.0, bottom - 80.0, 80.0, bottom));
            let seen = visibility(&Fake(vec![-9.0; 128]), &board, &picture, &VisibilityOptions::default()).unwrap();
            for col in 0..8 {
                assert_eq!(seen.of(Tile { row: 7, col }), expected);
                assert_eq!(seen.of(Tile { row: 6, col }), Sight::Clear);
            }
        }
    }

    #[test]
    fn odd_outputs_are_errors() {
        let options = VisibilityOptions::default();
        assert_eq!(Visibility::from_logits(Game::Chess, &[0.0; 64], &options).unwrap_err().kind(), "inference");
        assert_eq!(Visibility::from_logits(Game::Chess, &[f32::NAN; 128], &options).unwrap_err().kind(), "inference");
    }
}
