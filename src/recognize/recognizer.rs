//! Runs the stages in order: locate, observe every board, interpret. It does no picture work of its own.

use std::{path::Path, sync::Arc, time::Instant};

use rayon::prelude::*;

use super::{
    answers::Answers,
    classify::{PieceNetwork, TileModel},
    coordinates::{CoordinateModel, CoordinateReader},
    interpret::{BoardReading, interpret},
    locate::{BoardLocator, Locator},
    models::Models,
    observation::{Observation, Observer},
    options::Options,
    orient::exchange,
    timings::{StageClock, Timed, Timings},
    visibility::{VisibilityModel, VisibilityNetwork},
};
use crate::{
    error::Result,
    image::picture::Picture,
    net::{
        model::ModelBundle,
        runtime::{Network, Runtime},
    },
};

/// Reads pictures. Loading takes tens of milliseconds, so keep one. It can be shared by threads; boards of one picture, and
/// views of one board, are read in parallel on the current `rayon` thread pool.
pub struct Recognizer {
    locator: Box<dyn BoardLocator>,
    pieces: Box<dyn TileModel>,
    visibility: Box<dyn VisibilityModel>,
    coordinates: Box<dyn CoordinateModel>,
    options: Options,
    version: String,
}

impl std::fmt::Debug for Recognizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recognizer").field("version", &self.version).field("options", &self.options).finish()
    }
}

impl Recognizer {
    /// A recognizer of given models. Only the first network is loaded when this returns; the others are loaded while boards
    /// are located in the first picture.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model).
    pub fn new(models: &Models, runtime: &Runtime, options: Options) -> Result<Recognizer> {
        let later =
            [&models.aligner, &models.pieces, &models.visibility, &models.coordinates].map(ModelBundle::weights);
        let [aligner, pieces, visibility, coordinates] = Network::load_in_turn(runtime, later)?;
        let locator = Locator::new(models.finder.network(runtime)?, aligner);
        let pieces = PieceNetwork::new(&models.pieces, pieces);
        let coordinates = CoordinateReader::new(coordinates);
        let visibility = VisibilityNetwork::new(visibility);
        Ok(Recognizer::with_models(locator, pieces, visibility, coordinates, options, models.version()))
    }

    /// A recognizer that uses other implementations of its models, such as fakes in tests. `version` names them in records.
    pub fn with_models(
        locator: impl BoardLocator + 'static,
        pieces: impl TileModel + 'static,
        visibility: impl VisibilityModel + 'static,
        coordinates: impl CoordinateModel + 'static,
        options: Options,
        version: impl Into<String>,
    ) -> Recognizer {
        let version = version.into();
        Recognizer {
            locator: Box::new(locator),
            pieces: Box::new(pieces),
            visibility: Box::new(visibility),
            coordinates: Box::new(coordinates),
            options,
            version,
        }
    }

    /// A recognizer of the models that are compiled in, in the runtime of [`Runtime::open`].
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model).
    #[cfg(feature = "embed-models")]
    pub fn embedded(options: Options) -> Result<Recognizer> {
        Recognizer::new(&Models::embedded()?, &Runtime::open(None)?, options)
    }

    /// A recognizer of the models in a folder, in the runtime of [`Runtime::open`].
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model).
    pub fn from_dir(folder: impl AsRef<Path>, options: Options) -> Result<Recognizer> {
        Recognizer::new(&Models::from_dir(folder)?, &Runtime::open(None)?, options)
    }

    /// The names of the models in use.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The options in use.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Decodes a picture within the limits and reads every board in it.
    ///
    /// # Errors
    /// Those of [`Picture::decode`] and of [`Self::recognize`].
    pub fn recognize_bytes(&self, bytes: &[u8]) -> Result<Recognition> {
        let start = Instant::now();
        let picture = Picture::decode(bytes, &self.options.limits)?;
        let read = start.elapsed();
        let mut found = self.recognize(&picture)?;
        found.timings.add_read(read);
        Ok(found)
    }

    /// Reads every board in a picture. A picture without boards is a result without boards.
    ///
    /// # Errors
    /// [`Error::Inference`](crate::Error::Inference); [`Error::Model`](crate::Error::Model) when the runtime refuses a
    /// network that was still being loaded.
    pub fn recognize(&self, picture: &Picture) -> Result<Recognition> {
        let clock = StageClock::start();
        let located = clock.time(Timed::Locate, || self.locator.locate(picture, &self.options.locate))?;
        let observer = Observer {
            picture,
            pieces: &*self.pieces,
            coordinates: &*self.coordinates,
            visibility: &*self.visibility,
            options: &self.options,
            clock: &clock,
        };
        let observed = located.into_par_iter().map(|board| observer.observe(board));
        let mut observed: Vec<Observation> = observed.collect::<Result<_>>()?;
        exchange(observed.iter_mut().map(|board| &mut board.orientation), &self.options.orient);
        let boards = clock.time(Timed::Place, || {
            let read = |board| interpret(Arc::new(board), Answers::default(), &self.options);
            observed.into_iter().map(read).collect()
        });
        Ok(Recognition { boards, timings: clock.timings() })
    }
}

/// Everything read in one picture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recognition {
    /// The boards in reading order.
    pub boards: Vec<BoardReading>,
    /// How long the stages took.
    pub timings: Timings,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        error::Error,
        games::game::Game,
        image::geometry::Corners,
        net::infer::Tensor,
        recognize::{
            answers::Answer,
            classify::TileSpec,
            coordinates::CoordinateEvidence,
            locate::{Detection, LocateOptions},
            orient::Evidence,
            questions::questions,
            rectify::BoardImage,
            slice::Tiles,
            trust::{TrustOptions, Verdict},
        },
    };

    /// Finds boards of 256 x 256 pixels from left to right, as many as fit.
    struct FakeLocator;

    impl BoardLocator for FakeLocator {
        fn locate(&self, picture: &Picture, _: &LocateOptions) -> Result<Vec<Detection>> {
            let board = |left: usize| {
                let left = left as f64;
                Detection { corners: Corners::from_rect(left, 0.0, left + 256.0, 256.0), confidence: 0.999 }
            };
            Ok((0..picture.width() / 256).map(|n| board(n * 256)).collect())
        }
    }

    /// Reads the position that the color of the board names: bright boards hold a study, others a game.
    struct FakePieces {
        broken: bool,
    }

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";
    const STUDY: &str = "8/8/2k5/5n2/8/1B1K4/8/8";

    impl TileModel for FakePieces {
        fn spec(&self) -> TileSpec {
            TileSpec { game: Game::Chess, temperature: 1.0 }
        }

        fn run(&self, tiles: &Tiles<'_>) -> Result<Tensor> {
            if self.broken {
                return Err(Error::Inference { source: "broken".into() });
            }
            let bright = tiles.board().picture().pixel(144, 144)[0] > 128;
            let placement: crate::games::placement::Placement = if bright { STUDY } else { GAME }.parse().unwrap();
            let mut logits = Vec::new();
            for square in crate::games::chess::Square::all_in_fen_order() {
                let letter = placement.get(square).map_or('.', |piece| piece.letter());
                logits.extend(Game::Chess.classes().chars().map(|class| if class == letter { 20.0 } else { 0.0 }));
            }
            Ok(Tensor::new([1, 64, 13], logits))
        }
    }

    struct FakeCoordinates(CoordinateEvidence);

    impl CoordinateModel for FakeCoordinates {
        fn read(&self, _: &Picture, _: &Corners) -> Result<CoordinateEvidence> {
            Ok(self.0)
        }
    }

    /// Something covers the tile in the third row and fourth column of bright boards.
    struct FakeVisibility;

    impl VisibilityModel for FakeVisibility {
        fn run(&self, board: &BoardImage) -> Result<Tensor> {
            let mut logits = vec![-9.0; 128];
            if board.picture().pixel(144, 144)[0] == COVERED {
                logits[2 * (2 * 8 + 3)] = 6.0;
            }
            Ok(Tensor::new([1, 64, 2], logits))
        }
    }

    /// The brightness of a board of which a square is covered.
    const COVERED: u8 = 77;

    fn recognizer(evidence: CoordinateEvidence, broken: bool) -> Recognizer {
        let pieces = FakePieces { broken };
        Recognizer::with_models(
            FakeLocator,
            pieces,
            FakeVisibility,
            FakeCoordinates(evidence),
            Options::default(),
            "fake-v1",
        )
    }

    /// Boards of the given brightness beside each other.
    fn page(boards: &[u8]) -> Picture {
        let mut picture = Picture::filled(256 * boards.len(), 256, [0; 3]);
        for (n, &value) in boards.iter().enumerate() {
            for (y, x) in (0..256).flat_map(|y| (0..256).map(move |x| (y, x))) {
                picture.set_pixel(n * 256 + x, y, [value; 3]);
            }
        }
        picture
    }

    fn placements(found: &Recognition) -> Vec<String> {
        found.boards.iter().map(|board| board.fen.placement.to_string()).collect()
    }

    #[test]
    fn boards_are_read_in_order_by_any_number_of_threads() {
        let recognizer = recognizer(CoordinateEvidence::Nothing, false);
        let picture = page(&[0, 255, 0, 0, 255, 0, 255]);
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| recognizer.recognize(&picture)).unwrap();
            assert_eq!(placements(&found), [GAME, STUDY, GAME, GAME, STUDY, GAME, STUDY]);
            assert_eq!(found.boards[0].trust.verdict, Verdict::Accept);
        }
    }

    #[test]
    fn coordinates_are_read_where_the_pieces_leave_a_doubt() {
        let found = recognizer(CoordinateEvidence::LogOdds(-60.0), false).recognize(&page(&[255])).unwrap();
        assert_eq!(found.boards[0].orientation.evidence, Some(Evidence::Coordinates));
        assert_eq!(found.boards[0].fen.placement.to_string(), STUDY.chars().rev().collect::<String>());
        // The game tells by itself which side is at the bottom.
        let found = recognizer(CoordinateEvidence::LogOdds(-60.0), false).recognize(&page(&[0])).unwrap();
        assert_eq!(found.boards[0].orientation.evidence, Some(Evidence::Position));
    }

    #[test]
    fn boards_tell_each_other_their_orientation() {
        let found = recognizer(CoordinateEvidence::Nothing, false).recognize(&page(&[0, 255, 0])).unwrap();
        assert_eq!(found.boards[1].orientation.evidence, Some(Evidence::OtherBoards));
    }

    #[test]
    fn a_covered_square_is_flagged_and_asked_for() {
        let found = recognizer(CoordinateEvidence::Nothing, false).recognize(&page(&[0, COVERED])).unwrap();
        let [seen, covered] = &found.boards[..] else { panic!("two boards") };
        assert_eq!((seen.trust.verdict, covered.trust.verdict), (Verdict::Accept, Verdict::Check));
        let flagged: Vec<String> = (covered.reading.squares.iter().zip(&covered.trust.flagged))
            .filter(|(_, flagged)| **flagged)
            .map(|(square, _)| square.square.to_string())
            .collect();
        assert_eq!(flagged, ["d6"]);
        assert!(covered.issues.iter().any(|issue| issue.to_string() == "not visible: d6"), "{:?}", covered.issues);
        let asked = questions(covered, &TrustOptions::default());
        assert!(asked.iter().any(|question| question.topic.to_string() == "d6"), "{asked:?}");
        // Once a person has said what is there, nothing is left to doubt.
        let answer = Answer::Square("d6".parse().unwrap(), None);
        let told = covered.answered(answer, &Options::default()).unwrap();
        assert_eq!((told.trust.verdict, told.issues.len()), (Verdict::Accept, 0));
    }

    #[test]
    fn a_failing_model_is_an_error_and_no_board_is_none() {
        let recognizer = recognizer(CoordinateEvidence::Nothing, true);
        assert_eq!(recognizer.recognize(&page(&[0, 0])).unwrap_err().kind(), "inference");
        assert!(recognizer.recognize(&Picture::filled(10, 10, [0; 3])).unwrap().boards.is_empty());
    }
}
