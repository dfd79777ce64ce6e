//! The views of one board: test-time augmentation of the square classifier.
//!
//! A clear board is classified in one view. Where squares stay doubtful, the board is rectified again at slightly different
//! scales and the views are combined. A board that may be accepted, but is not beyond doubt, is classified with its squares
//! permuted: what stands on a square must not depend on where the square is. A board that is hardly legible is turned, since
//! the page may lie on its side or upside down.

use rayon::prelude::*;

use super::{
    classify::{Scores, TileModel, classify},
    prior_shift::confidences,
    rectify::BoardImage,
    slice::Tiles,
    timings::{StageClock, Timed},
    trust::TrustOptions,
};
use crate::{
    error::Result,
    games::game::{Grid, Tile},
    image::{geometry::Corners, picture::Picture},
};

/// Which further views of a board are taken, and what they change.
#[derive(Clone, Copy, Debug)]
pub struct ViewOptions {
    /// The scales of the further views of a doubtful board, relative to its squares. Default: 0.985 and 1.015. The views err
    /// on different squares, so together they err less often, and their doubts are better calibrated. Mirrored, shifted,
    /// blurred and stretched views were tried on drawn boards and gave nothing beyond these.
    pub scales: [f64; 2],
    /// A board that may be accepted is classified with its squares permuted when a square is less probable than this.
    /// Default: 0.9995: of 29,700 squares of drawn boards above it three were wrong, all of designs that the classifier had
    /// never seen.
    pub permute_below: f32,
    /// In each permuted view a piece must be at least this probable, or its square is left in doubt. Default: 0.9, a round
    /// value.
    pub permuted_least: f32,
    /// The permutations. Of the tiles of one color, the n-th shows the (a n + b)-th. Default: (13, 5) and (11, 19); each a is
    /// coprime to the number of tiles of a color in either game, 32 and 45, so every tile is shown once.
    pub permutations: [(usize, usize); 2],
    /// A board with a lower mean probability over its squares may lie on its side or upside down. Default: 0.9; upright
    /// boards that are this doubtful are refused in any case.
    pub turn_below: f32,
    /// By how much the mean probability of a turned board must exceed that of the board as seen. Default: 0.08.
    pub turn_gain: f32,
    /// A board with a lower mean probability may be upside down: upside-down pieces can be read, if not as well. Default:
    /// 0.998; more than eight in ten real boards that stand upright are above it.
    pub half_turn_below: f32,
    /// The largest part of the doubt that may remain when an upside-down board is turned. Default: 0.25.
    pub half_turn_doubt: f32,
}

impl Default for ViewOptions {
    fn default() -> Self {
        ViewOptions {
            scales: [0.985, 1.015],
            permute_below: 0.9995,
            permuted_least: 0.9,
            permutations: [(13, 5), (11, 19)],
            turn_below: 0.9,
            turn_gain: 0.08,
            half_turn_below: 0.998,
            half_turn_doubt: 0.25,
        }
    }
}

/// A board after all views.
pub(crate) struct Viewed {
    /// The quarter turns clockwise that set the pieces upright, 0 to 3.
    pub(crate) quarter_turns: usize,
    /// The rectified board of the first upright view.
    pub(crate) image: BoardImage,
    /// The class probabilities from all views.
    pub(crate) scores: Scores,
}

/// Takes views of the boards of one picture.
pub(crate) struct Viewer<'a> {
    pub(crate) picture: &'a Picture,
    pub(crate) pieces: &'a dyn TileModel,
    pub(crate) options: &'a ViewOptions,
    pub(crate) trust: &'a TrustOptions,
    pub(crate) clock: &'a StageClock,
}

impl Viewer<'_> {
    /// Views a board until its squares are as sure as they will be.
    ///
    /// # Errors
    /// Those of the classifier; [`Error::BoardNotFound`](crate::Error::BoardNotFound) when the corners span no area.
    pub(crate) fn view(&self, corners: &Corners) -> Result<Viewed> {
        let mut viewed = self.upright(corners)?;
        let corners = corners.turned(viewed.quarter_turns);
        let mut least_sure = viewed.scores.least_sure();
        if self.is_doubtful(&viewed.scores) {
            let further = self.further_views(&corners)?;
            let views: Vec<Scores> = std::iter::once(viewed.scores).chain(further).collect();
            viewed.scores = Scores::combined(&views);
            least_sure = Scores::mean(&views).least_sure();
        }
        if !self.is_doubtful(&viewed.scores) && least_sure < self.options.permute_below {
            viewed.scores = self.checked_by_permutation(&viewed.image, viewed.scores)?;
        }
        Ok(viewed)
    }

    /// Whether the board would not be accepted for its squares alone.
    fn is_doubtful(&self, scores: &Scores) -> bool {
        let sure = confidences(scores);
        sure.iter().any(|&p| p < self.trust.square) || sure.iter().product::<f32>() < self.trust.board
    }

    /// The first view, turned by quarters where the board is hardly legible, by half where there is some doubt.
    fn upright(&self, corners: &Corners) -> Result<Viewed> {
        let seen = self.one_view(corners, 0)?;
        let sure = seen.scores.mean_sure();
        if sure < self.options.turn_below {
            let turned = (1..4).into_par_iter().map(|quarters| self.one_view(corners, quarters));
            let turned: Vec<Viewed> = turned.collect::<Result<_>>()?;
            let least = sure + self.options.turn_gain;
            let best = turned.into_iter().fold(seen, |best, other| {
                if other.scores.mean_sure() > best.scores.mean_sure().max(least) { other } else { best }
            });
            return Ok(best);
        }
        if sure < self.options.half_turn_below {
            let turned = self.one_view(corners, 2)?;
            if 1.0 - turned.scores.mean_sure() < self.options.half_turn_doubt * (1.0 - sure) {
                return Ok(turned);
            }
        }
        Ok(seen)
    }

    /// The views at other scales.
    fn further_views(&self, corners: &Corners) -> Result<Vec<Scores>> {
        let scales = self.options.scales.par_iter();
        scales.map(|&scale| Ok(self.one_view(&corners.scaled(scale), 0)?.scores)).collect()
    }

    /// Classifies a board with its squares permuted, light ones among themselves and dark ones among themselves. A piece that
    /// is taken for another one as soon as it stands elsewhere was recognized by its square rather than by its shape, so its
    /// square is left in doubt. A network that has seen games expects legal chess, and is most certain where a picture shows
    /// something else.
    fn checked_by_permutation(&self, image: &BoardImage, scores: Scores) -> Result<Scores> {
        let grid = scores.grid();
        let permuted = |&(factor, offset): &(usize, usize)| {
            let permutation = Permutation::new(grid, factor, offset);
            let view = image.rearranged(|tile| permutation.source[grid.index(tile)]);
            let scores = self.clock.time(Timed::Classify, || classify(self.pieces, &Tiles::new(&view)))?;
            Ok(scores.rearranged(|tile| permutation.target[grid.index(tile)]))
        };
        let views: Vec<Scores> = self.options.permutations.par_iter().map(permuted).collect::<Result<_>>()?;
        Ok(scores.doubted_by(&views, self.options.permuted_least))
    }

    /// One view of the board with these corners, turned clockwise by some quarters.
    fn one_view(&self, corners: &Corners, quarter_turns: usize) -> Result<Viewed> {
        let (game, corners) = (self.pieces.spec().game, corners.turned(quarter_turns));
        let image = self.clock.time(Timed::Rectify, || BoardImage::cut(self.picture, &corners, game))?;
        let scores = self.clock.time(Timed::Classify, || classify(self.pieces, &Tiles::new(&image)))?;
        Ok(Viewed { quarter_turns, image, scores })
    }
}

/// A permutation of the tiles of a board that keeps the color of each square.
struct Permutation {
    /// For each tile in row-major order, the tile that is shown there.
    source: Vec<Tile>,
    /// For each tile in row-major order, the tile at which it is shown.
    target: Vec<Tile>,
}

impl Permutation {
    fn new(grid: Grid, factor: usize, offset: usize) -> Permutation {
        let mut source = vec![Tile { row: 0, col: 0 }; grid.len()];
        let mut target = source.clone();
        for color in 0..2 {
            let tiles: Vec<Tile> = grid.tiles().filter(|tile| (tile.row + tile.col) % 2 == color).collect();
            for (n, &to) in tiles.iter().enumerate() {
                let from = tiles[(factor * n + offset) % tiles.len()];
                source[grid.index(to)] = from;
                target[grid.index(from)] = to;
            }
        }
        Permutation { source, target }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{games::game::Game, net::infer::Tensor, recognize::classify::TileSpec};

    /// A classifier that reads the color of the middle of a tile: the red channel is the class times 20, and the green channel
    /// the logit of that class. It counts its views. With `by_place` it takes a knight on the first row for a bishop.
    struct Fake {
        views: AtomicUsize,
        by_place: bool,
    }

    impl Fake {
        fn new() -> Fake {
            Fake { views: AtomicUsize::new(0), by_place: false }
        }

        fn views(&self) -> usize {
            self.views.load(Ordering::Relaxed)
        }
    }

    const CLASSES: usize = 13;
    const KNIGHT: usize = 2;
    const BISHOP: usize = 3;

    impl TileModel for Fake {
        fn spec(&self) -> TileSpec {
            TileSpec { game: Game::Chess, temperature: 1.0 }
        }

        fn run(&self, tiles: &Tiles<'_>) -> Result<Tensor> {
            self.views.fetch_add(1, Ordering::Relaxed);
            let mut logits = vec![0.0; 64 * CLASSES];
            for (n, tile) in tiles.grid().tiles().enumerate() {
                let [red, green, _] = tiles.picture(tile).pixel(Tiles::SIDE / 2, Tiles::SIDE / 2);
                let class = usize::from(red).div_ceil(20).min(CLASSES - 1);
                let class = if self.by_place && class == KNIGHT && tile.row == 0 { BISHOP } else { class };
                logits[n * CLASSES + class] = f32::from(green) / 10.0;
            }
            Ok(Tensor::new([1, 64, CLASSES], logits))
        }
    }

    /// A picture of a board of 8 x 8 flat squares of 32 pixels in the middle of 320 x 320 pixels, each square painted by
    /// class and logit.
    fn picture(square: impl Fn(Tile) -> (usize, f32)) -> (Picture, Corners) {
        let mut picture = Picture::filled(320, 320, [0; 3]);
        for tile in Game::Chess.grid().tiles() {
            let (class, logit) = square(tile);
            for (y, x) in (0..32).flat_map(|y| (0..32).map(move |x| (y, x))) {
                let color = [class as u8 * 20, (logit * 10.0) as u8, 0];
                picture.set_pixel(32 + tile.col * 32 + x, 32 + tile.row * 32 + y, color);
            }
        }
        (picture, Corners::from_rect(32.0, 32.0, 288.0, 288.0))
    }

    fn view(pieces: &Fake, (picture, corners): (Picture, Corners)) -> Viewed {
        let (options, trust, clock) = (ViewOptions::default(), TrustOptions::default(), StageClock::start());
        let viewer = Viewer { picture: &picture, pieces, options: &options, trust: &trust, clock: &clock };
        viewer.view(&corners).unwrap()
    }

    /// Kings on their squares, so that the prior-shift correction has nothing to say, and knights on c1 and on f6.
    fn game(tile: Tile) -> usize {
        match (tile.row, tile.col) {
            (7, 4) => 6,
            (0, 4) => 12,
            (7, 2) | (2, 5) => KNIGHT,
            _ => 0,
        }
    }

    #[test]
    fn a_clear_board_is_viewed_once() {
        let fake = Fake::new();
        let viewed = view(&fake, picture(|tile| (game(tile), 25.0)));
        assert_eq!((fake.views(), viewed.quarter_turns), (1, 0));
        assert!(viewed.scores.of(Tile { row: 7, col: 2 })[KNIGHT] > 0.9999);
    }

    #[test]
    fn a_doubtful_square_asks_for_further_views() {
        let fake = Fake::new();
        let doubtful = Tile { row: 4, col: 4 };
        view(&fake, picture(|tile| (game(tile), if tile == doubtful { 3.0 } else { 25.0 })));
        // The first view, one upside down, and two at other scales; the board is not accepted, so no permuted views.
        assert_eq!(fake.views(), 4);
    }

    #[test]
    fn a_board_that_is_sure_but_not_beyond_doubt_is_permuted() {
        let knight = Tile { row: 7, col: 2 };
        let almost = |tile| (game(tile), if tile == knight { 9.0 } else { 25.0 });
        let fake = Fake::new();
        let viewed = view(&fake, picture(almost));
        assert_eq!(fake.views(), 3);
        assert!(viewed.scores.of(knight)[KNIGHT] > 0.99);
    }

    #[test]
    fn a_piece_that_depends_on_its_place_is_left_in_doubt() {
        let knight = Tile { row: 7, col: 2 };
        let almost = |tile| (game(tile), if tile == knight { 9.0 } else { 25.0 });
        // One of the permutations shows c1 on the first row, where the classifier takes a knight for a bishop.
        let grid = Game::Chess.grid();
        let [first, second] = ViewOptions::default().permutations.map(|(a, b)| Permutation::new(grid, a, b));
        let on_top = |tile| [&first, &second].iter().any(|p| p.target[grid.index(tile)].row == 0);
        let shown = grid.tiles().find(|&tile| game(tile) == 0 && on_top(tile) && tile.row > 0).unwrap();
        let almost = |tile| if tile == shown { (KNIGHT, 9.0) } else { almost(tile) };
        let honest = view(&Fake::new(), picture(almost));
        assert!(honest.scores.of(shown)[KNIGHT] > 0.99);
        let biased = view(&Fake { by_place: true, ..Fake::new() }, picture(almost));
        assert!(biased.scores.of(shown)[KNIGHT] < 0.8, "{:?}", biased.scores.of(shown));
        assert!(biased.scores.of(knight)[KNIGHT] > 0.8 || on_top(knight));
    }

    #[test]
    fn an_illegible_board_is_turned_only_for_a_gain() {
        // All tiles doubtful in every direction: three turned views, none of them better.
        let fake = Fake::new();
        let viewed = view(&fake, picture(|tile| (game(tile), 2.0)));
        assert_eq!((fake.views(), viewed.quarter_turns), (1 + 3 + 2, 0));
        // A little doubt: one view upside down, and two at other scales.
        let fake = Fake::new();
        view(&fake, picture(|tile| (game(tile), 8.0)));
        assert_eq!(fake.views(), 4);
    }

    /// A classifier for which pieces stand upright only after two quarter turns: it knows the board by a mark in the corner.
    struct Turned;

    impl TileModel for Turned {
        fn spec(&self) -> TileSpec {
            TileSpec { game: Game::Chess, temperature: 1.0 }
        }

        fn run(&self, tiles: &Tiles<'_>) -> Result<Tensor> {
            let upright = tiles.picture(Tile { row: 0, col: 0 }).pixel(Tiles::SIDE / 2, Tiles::SIDE / 2)[2] > 100;
            let mut logits = vec![0.0; 64 * CLASSES];
            logits.iter_mut().step_by(CLASSES).for_each(|logit| *logit = if upright { 12.0 } else { 2.0 });
            Ok(Tensor::new([1, 64, CLASSES], logits))
        }
    }

    #[test]
    fn a_page_on_its_side_is_turned() {
        for (corner, quarters) in [((0, 0), 0), ((0, 7), 3), ((7, 7), 2), ((7, 0), 1)] {
            let (mut picture, corners) = picture(|_| (0, 0.0));
            for (y, x) in (0..32).flat_map(|y| (0..32).map(move |x| (y, x))) {
                picture.set_pixel(32 + corner.1 * 32 + x, 32 + corner.0 * 32 + y, [0, 0, 255]);
            }
            let (options, trust, clock) = (ViewOptions::default(), TrustOptions::default(), StageClock::start());
            let viewer = Viewer { picture: &picture, pieces: &Turned, options: &options, trust: &trust, clock: &clock };
            assert_eq!(viewer.view(&corners).unwrap().quarter_turns, quarters, "mark at {corner:?}");
        }
    }

    #[test]
    fn permutations_keep_colors_and_return() {
        for grid in [Game::Chess, Game::Xiangqi].map(Game::grid) {
            for (factor, offset) in ViewOptions::default().permutations {
                let Permutation { source, target } = Permutation::new(grid, factor, offset);
                for tile in grid.tiles() {
                    let from = source[grid.index(tile)];
                    assert_eq!(target[grid.index(from)], tile);
                    assert_eq!((from.row + from.col) % 2, (tile.row + tile.col) % 2);
                }
            }
        }
    }
}
