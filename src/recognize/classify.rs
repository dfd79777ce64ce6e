//! Stage 4, classify: [`Tiles`] to [`Scores`].
//!
//! All tiles of a board are classified together, since a white piece of one set may resemble a black piece of another. The
//! network is behind [`TileModel`], so that everything around it can be tested without weights.

use super::slice::Tiles;
use crate::{
    error::{Error, Result},
    games::{
        chess::Piece,
        game::{Game, Grid, Tile},
    },
    net::{
        infer::{Infer, Tensor},
        model::ModelBundle,
        runtime::Network,
    },
};

/// What a [`TileModel`] classifies and how its scores are calibrated.
#[derive(Clone, Copy, Debug)]
pub struct TileSpec {
    /// The game whose classes the model knows, in the order of [`Game::classes`].
    pub game: Game,
    /// What the logits are divided by before the softmax.
    pub temperature: f32,
}

/// A model that scores the tiles of one board.
pub trait TileModel: Send + Sync {
    /// What the model classifies.
    fn spec(&self) -> TileSpec;

    /// Logits in row-major order of tiles as seen, classes innermost: `tiles x classes` values.
    ///
    /// # Errors
    /// [`Error::Inference`].
    fn run(&self, tiles: &Tiles<'_>) -> Result<Tensor>;
}

/// The piece network in the ONNX runtime.
#[derive(Debug)]
pub struct PieceNetwork {
    network: Network,
    spec: TileSpec,
}

impl PieceNetwork {
    /// The network with the classes and the temperature of its bundle.
    pub fn new(bundle: &ModelBundle, network: Network) -> PieceNetwork {
        let spec = TileSpec { game: Game::Chess, temperature: bundle.manifest().temperature };
        PieceNetwork { network, spec }
    }
}

impl TileModel for PieceNetwork {
    fn spec(&self) -> TileSpec {
        self.spec
    }

    fn run(&self, tiles: &Tiles<'_>) -> Result<Tensor> {
        self.network.infer(tiles.board().picture())
    }
}

/// The power of the mean of several views. Fitted on drawn boards of positions from games, three views each; the figures are
/// in `docs/decisions/007-what-else-is-known.md`.
const AGREEMENT: f32 = 1.15;

/// For every tile as seen, a calibrated probability of every class in the order of [`Game::classes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    game: Game,
    values: Vec<f32>,
}

impl Scores {
    /// Scores from logits, by a softmax over `logits / temperature`.
    ///
    /// # Errors
    /// [`Error::Inference`] when there are too few or too many logits, or one is not finite.
    pub fn from_logits(game: Game, logits: &[f32], temperature: f32) -> Result<Scores> {
        let (tiles, classes) = (game.grid().len(), game.classes().len());
        if logits.len() != tiles * classes || logits.iter().any(|v| !v.is_finite()) {
            let reason = format!("{tiles} x {classes} finite scores expected, got {} values", logits.len());
            return Err(Error::Inference { source: reason.into() });
        }
        let mut values = logits.to_vec();
        values.chunks_exact_mut(classes).for_each(|row| softmax(row, temperature));
        Ok(Scores { game, values })
    }

    /// Several views of one board combined: their [`mean`](Self::mean) to a power above one, since views that agree are right
    /// more often than each of them says.
    ///
    /// # Panics
    /// When there is none, or they are of different games.
    pub fn combined(views: &[Scores]) -> Scores {
        Scores::mean_to_the(if views.len() > 1 { AGREEMENT } else { 1.0 }, views)
    }

    /// The geometric mean of each probability, so that a view that excludes a class keeps it excluded. On drawn boards it errs
    /// as rarely as the arithmetic mean, and its doubts are better calibrated (log loss 0.125 against 0.127 on designs that
    /// were trained on, 0.150 against 0.151 on others).
    ///
    /// # Panics
    /// When there is none, or they are of different games.
    pub fn mean(views: &[Scores]) -> Scores {
        Scores::mean_to_the(1.0, views)
    }

    fn mean_to_the(power: f32, views: &[Scores]) -> Scores {
        let game = views[0].game;
        assert!(views.iter().all(|view| view.game == game), "views of one board");
        let share = power / views.len() as f32;
        let log_mean = |at: usize| views.iter().map(|view| view.values[at].max(f32::MIN_POSITIVE).ln() * share).sum();
        let mut values: Vec<f32> = (0..views[0].values.len()).map(log_mean).collect();
        values.chunks_exact_mut(game.classes().len()).for_each(|row| softmax(row, 1.0));
        Scores { game, values }
    }

    /// These scores, except where the most probable piece of a tile is less probable than `least` in one of some other views:
    /// there, the mean of these scores and of the [`mean`](Self::mean) of those views. Empty tiles stay as they are.
    ///
    /// # Panics
    /// When there are no other views, or they are of different games.
    pub fn doubted_by(mut self, views: &[Scores], least: f32) -> Scores {
        let mean = Scores::mean(views);
        assert_eq!(self.game, mean.game, "views of one board");
        let classes = self.game.classes().len();
        for (at, (row, theirs)) in
            self.values.chunks_exact_mut(classes).zip(mean.values.chunks_exact(classes)).enumerate()
        {
            let top = most_probable(row);
            let doubted = views.iter().any(|view| view.values[at * classes + top] < least);
            // The first class of every game is the empty tile.
            if top > 0 && doubted {
                row.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine + theirs) / 2.0);
            }
        }
        self
    }

    /// These scores with those of every tile taken from `source` of it.
    pub fn rearranged(&self, source: impl Fn(Tile) -> Tile) -> Scores {
        let values = self.grid().tiles().flat_map(|tile| self.of(source(tile)).to_vec()).collect();
        Scores { game: self.game, values }
    }

    /// These scores, mixed on each tile in the proportion `doubt` with the shares of the classes on the other tiles: where a
    /// picture shows nothing, a tile is empty or has a piece as often as those that it shows.
    pub(crate) fn doubted_where(&self, doubt: impl Fn(Tile) -> f32) -> Scores {
        let classes = self.game.classes().len();
        let doubts: Vec<f32> = self.grid().tiles().map(doubt).collect();
        if doubts.iter().all(|&doubt| doubt == 0.0) {
            return self.clone();
        }
        let mut scores = self.clone();
        let mut shares = vec![1.0 / classes as f32; classes];
        for (row, doubt) in self.values.chunks_exact(classes).zip(&doubts) {
            shares.iter_mut().zip(row).for_each(|(share, p)| *share += p * (1.0 - doubt));
        }
        let sum: f32 = shares.iter().sum();
        for (row, doubt) in scores.values.chunks_exact_mut(classes).zip(&doubts) {
            row.iter_mut().zip(&shares).for_each(|(p, share)| *p += doubt * (share / sum - *p));
        }
        scores
    }

    /// Other probabilities for the same tiles, in the same order.
    pub(crate) fn replaced(&self, values: Vec<f32>) -> Scores {
        assert_eq!(values.len(), self.values.len(), "a probability for each class of each tile");
        Scores { game: self.game, values }
    }

    /// These scores with some tiles certain. A piece that the game does not have leaves its tile as it is.
    ///
    /// # Panics
    /// When a tile is outside the grid.
    pub(crate) fn with_certain(&self, known: &[(Tile, Option<Piece>)]) -> Scores {
        let mut scores = self.clone();
        let classes = self.game.classes();
        for &(tile, piece) in known {
            let Some(class) = classes.find(piece.map_or('.', Piece::letter)) else { continue };
            let at = self.grid().index(tile) * classes.len();
            scores.values[at..at + classes.len()].fill(0.0);
            scores.values[at + class] = 1.0;
        }
        scores
    }

    /// The probability of the most probable class of the least sure tile.
    pub fn least_sure(&self) -> f32 {
        self.tops().fold(1.0, f32::min)
    }

    /// The mean over all tiles of the probability of the most probable class.
    pub fn mean_sure(&self) -> f32 {
        self.tops().sum::<f32>() / self.grid().len() as f32
    }

    /// The probability of the most probable class of each tile.
    fn tops(&self) -> impl Iterator<Item = f32> {
        self.values.chunks_exact(self.game.classes().len()).map(|row| row.iter().copied().fold(0.0, f32::max))
    }

    /// The game scored.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The grid of tiles scored.
    pub fn grid(&self) -> Grid {
        self.game.grid()
    }

    /// The probabilities of one tile, one for each class, adding up to 1.
    ///
    /// # Panics
    /// When the tile is outside the grid.
    pub fn of(&self, tile: Tile) -> &[f32] {
        let classes = self.game.classes().len();
        let at = self.grid().index(tile) * classes;
        &self.values[at..at + classes]
    }
}

/// The class of the highest probability.
fn most_probable(row: &[f32]) -> usize {
    (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).expect("every game has classes")
}

/// Logits to probabilities, in place.
fn softmax(logits: &mut [f32], temperature: f32) {
    let top = logits.iter().copied().fold(f32::MIN, f32::max);
    logits.iter_mut().for_each(|v| *v = ((*v - top) / temperature).exp());
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|v| *v /= sum);
}

/// Classifies the tiles of one board.
///
/// # Errors
/// [`Error::Inference`].
pub fn classify(model: &(impl TileModel + ?Sized), tiles: &Tiles<'_>) -> Result<Scores> {
    let spec = model.spec();
    let logits = model.run(tiles)?;
    Scores::from_logits(spec.game, logits.values(), spec.temperature)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        image::{geometry::Corners, picture::Picture},
        recognize::rectify::BoardImage,
    };

    struct Fake(Vec<f32>);

    impl TileModel for Fake {
        fn spec(&self) -> TileSpec {
            TileSpec { game: Game::Chess, temperature: 2.0 }
        }

        fn run(&self, _: &Tiles<'_>) -> Result<Tensor> {
            Ok(Tensor::new([self.0.len()], self.0.clone()))
        }
    }

    fn run(logits: Vec<f32>) -> Result<Scores> {
        let picture = Picture::filled(80, 80, [0; 3]);
        let board = BoardImage::cut(&picture, &Corners::from_rect(0.0, 0.0, 80.0, 80.0), Game::Chess)?;
        classify(&Fake(logits), &Tiles::new(&board))
    }

    #[test]
    fn temperature_softens() {
        let mut logits = vec![0.0; 64 * 13];
        logits[13 * 9 + 4] = 2.0 * 100f32.ln();
        let scores = run(logits).unwrap();
        let row = scores.of(Tile { row: 1, col: 1 });
        assert!((row[4] - 100.0 / 112.0).abs() < 1e-5);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(scores.of(Tile { row: 0, col: 0 }).iter().all(|p| (p - 1.0 / 13.0).abs() < 1e-6));
    }

    #[test]
    fn views_are_combined() {
        let view = |odds: f32| {
            let mut logits = vec![0.0; 64 * 13];
            logits.iter_mut().step_by(13).for_each(|v| *v = 2.0 * odds.ln());
            run(logits).unwrap()
        };
        let both = Scores::combined(&[view(1.0), view(100.0)]);
        let odds = 10f32.powf(AGREEMENT);
        assert!((both.least_sure() - odds / (odds + 12.0)).abs() < 1e-5, "{}", both.least_sure());
        let one = view(7.0);
        assert!((Scores::combined(std::slice::from_ref(&one)).least_sure() - one.least_sure()).abs() < 1e-6);
        // Views that agree are surer than each of them.
        assert!(Scores::combined(&[one.clone(), one.clone(), one.clone()]).least_sure() > one.least_sure() + 0.01);
        // Normalization works even where every view excludes all other classes.
        let sure = view(1e30);
        assert_eq!(Scores::combined(&[sure.clone(), sure]).least_sure(), 1.0);
    }

    #[test]
    fn a_view_that_disagrees_leaves_doubt() {
        let view = |tile: usize, class: usize| {
            let mut logits = vec![0.0; 64 * 13];
            logits.iter_mut().step_by(13).for_each(|v| *v = 40.0);
            logits[tile * 13..][..13].fill(0.0);
            logits[tile * 13 + class] = 40.0;
            run(logits).unwrap()
        };
        let (white, black) = (view(9, 1), view(9, 7));
        assert_eq!(white.clone().doubted_by(std::slice::from_ref(&white), 0.9), white);
        // One of several is enough.
        let doubted = white.clone().doubted_by(&[white.clone(), black.clone()], 0.9);
        let row = doubted.of(Tile { row: 1, col: 1 });
        assert!((row[1] - 0.75).abs() < 1e-4 && (row[7] - 0.25).abs() < 1e-4, "{row:?}");
        let doubted = white.clone().doubted_by(&[black], 0.9);
        let row = doubted.of(Tile { row: 1, col: 1 });
        assert!((row[1] - 0.5).abs() < 1e-4 && (row[7] - 0.5).abs() < 1e-4, "{row:?}");
        assert_eq!(doubted.of(Tile { row: 1, col: 2 }), white.of(Tile { row: 1, col: 2 }));
        let turned = white.rearranged(|tile| white.grid().half_turn(tile));
        assert_eq!(turned.of(Tile { row: 6, col: 6 }), white.of(Tile { row: 1, col: 1 }));
    }

    #[test]
    fn a_tile_in_doubt_is_like_the_others() {
        let mut logits = vec![0.0; 64 * 13];
        logits.chunks_exact_mut(13).enumerate().for_each(|(n, row)| row[if n % 4 == 0 { 1 } else { 0 }] = 80.0);
        let scores = run(logits).unwrap();
        let hidden = Tile { row: 0, col: 0 };
        let mixed = scores.doubted_where(|tile| if tile == hidden { 0.9 } else { 0.0 });
        let row = mixed.of(hidden);
        assert!(
            (row[1] - (0.1 + 0.9 * 15.0 / 63.0)).abs() < 0.02 && (row[0] - 0.9 * 48.0 / 63.0).abs() < 0.02,
            "{row:?}"
        );
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        assert_eq!(mixed.of(Tile { row: 0, col: 4 }), scores.of(Tile { row: 0, col: 4 }));
        assert_eq!(scores.doubted_where(|_| 0.0), scores);
    }

    #[test]
    fn odd_outputs_are_errors() {
        assert_eq!(run(vec![0.0; 64]).unwrap_err().kind(), "inference");
        let mut logits = vec![0.0; 64 * 13];
        logits[5] = f32::NAN;
        assert_eq!(run(logits).unwrap_err().kind(), "inference");
    }
}
