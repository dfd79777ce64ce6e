//! Runs the stages in order and says how far the result can be trusted. No picture work of its own.

use std::{path::Path, time::Instant};

use super::{
    classify::{PieceNetwork, Scores, TileModel, classify},
    complete::{Answers, Cues, Fields, Reason, complete},
    coordinates::{CoordinateEvidence, CoordinateReader},
    cues::{last_move::find_last_move, turn_marker::find_turn_marker},
    locate::{LocateOptions, Located, Locator},
    models::Models,
    orient::{OrientOptions, Orientation, is_certain, orient_all},
    place::{Issue, PlaceOptions, Reading, Severity, issues, place},
    prior_shift::{confidences, weighed},
    rectify::BoardImage,
    slice::Tiles,
};
use crate::{
    error::Result,
    fen::Fen,
    games::{
        chess::{Color, Piece, Square},
        game::{Game, Tile},
    },
    image::{
        geometry::Corners,
        picture::{Limits, Picture},
    },
    net::{
        model::ModelBundle,
        runtime::{Network, Runtime},
    },
};

/// When to trust a reading. All values are compared with calibrated probabilities.
#[derive(Clone, Copy, Debug)]
pub struct TrustOptions {
    /// A square less sure than this is flagged. Default: 0.98; a board has 64 squares and one wrong board in a thousand is
    /// the most that may be accepted, but nearly all squares of a clear picture are surer than 0.9999.
    pub square: f32,
    /// An orientation less sure than this is flagged. Default: 0.98, for the same reason.
    pub orientation: f32,
    /// A board less surely found than this is never accepted. Default: 0.9.
    pub located: f32,
    /// A board as a whole less sure than this is never accepted, though no single square is flagged. Default: 0.97: of 800
    /// drawn boards, read once, none of the 149 above it was wrong, nor of the 26 from 0.95 to there.
    pub board: f32,
    /// A reading with more flagged squares than this is refused: a person had better set up the position. Default: 12.
    pub flagged: usize,
}

impl Default for TrustOptions {
    fn default() -> Self {
        TrustOptions { square: 0.98, orientation: 0.98, located: 0.9, board: 0.97, flagged: 12 }
    }
}

/// How much larger than its squares a doubtful board is cut when it is looked at again. The looks err at different
/// squares, so together they err less often, and their doubts are more just. Mirrored, shifted, blurred and stretched looks
/// were tried on drawn boards and gave nothing beyond these.
const SECOND_LOOKS: [f64; 2] = [0.985, 1.015];

/// A board that may be accepted is looked at with its places shuffled when a square is less sure than this: of 29,700
/// squares of drawn boards that were surer, three were wrong, all of designs that the classifier had never seen.
const SHUFFLE_BELOW: f32 = 0.9995;

/// In each such look a piece must be at least this probable: a round value.
const SHUFFLED: f32 = 0.9;

/// The two ways to shuffle: of the places of one color, the n-th shows the (a n + b)-th. Prime to their number in either
/// game, 32 and 45, so that every place comes once.
const SHUFFLES: [(usize, usize); 2] = [(13, 5), (11, 19)];

/// A board whose squares are on the mean less sure than this may be lying on its side or upside down. Upright boards
/// that are this unsure are refused in any case.
const TURN_BELOW: f32 = 0.9;

/// By how much surer a turned board must be than the board as seen.
const TURN_GAIN: f32 = 0.08;

/// A board whose squares are on the mean less sure than this may be upside down: pieces on their heads can be read, if not as
/// well. More than eight in ten real boards that stand upright are surer.
const HALF_TURN_BELOW: f32 = 0.998;

/// The part of the doubt that may be left when a board is upside down and is turned.
const HALF_TURN_DOUBT: f32 = 0.25;

/// Everything that can be chosen about reading a picture, a struct for each stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How large an input may be.
    pub limits: Limits,
    /// Finding boards.
    pub locate: LocateOptions,
    /// Which side is at the bottom.
    pub orient: OrientOptions,
    /// The rules of chess.
    pub place: PlaceOptions,
    /// When to trust a reading.
    pub trust: TrustOptions,
    /// The side at the bottom, when the user knows it.
    pub bottom: Option<Color>,
    /// What else the user knows.
    pub answers: Answers,
}

/// Reads pictures. Loading takes tens of milliseconds, so keep one, and one for each thread.
pub struct Recognizer {
    locator: Locator,
    pieces: Box<dyn TileModel + Send>,
    coordinates: CoordinateReader,
    options: Options,
    version: String,
}

impl std::fmt::Debug for Recognizer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recognizer").field("version", &self.version).field("options", &self.options).finish()
    }
}

impl Recognizer {
    /// A recognizer of given models. Only the first network is loaded when this returns; the others come while the first
    /// picture is searched for boards.
    ///
    /// # Errors
    /// [`Error::Model`](crate::Error::Model).
    pub fn new(models: &Models, runtime: &Runtime, options: Options) -> Result<Recognizer> {
        let later = [&models.aligner, &models.pieces, &models.coordinates].map(ModelBundle::weights);
        let [aligner, pieces, coordinates] = Network::load_in_turn(runtime, later)?;
        let locator = Locator::new(models.finder.network(runtime)?, aligner);
        let pieces = Box::new(PieceNetwork::new(&models.pieces, pieces));
        let coordinates = CoordinateReader::new(coordinates);
        Ok(Recognizer { locator, pieces, coordinates, options, version: models.version() })
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
    pub fn recognize_bytes(&mut self, bytes: &[u8]) -> Result<Recognition> {
        let start = Instant::now();
        let picture = Picture::decode(bytes, &self.options.limits)?;
        let read = milliseconds(start);
        let mut found = self.recognize(&picture)?;
        found.timings.read = read;
        found.timings.total += read;
        Ok(found)
    }

    /// Reads every board in a picture. A picture without boards is a result without boards.
    ///
    /// # Errors
    /// [`Error::Inference`](crate::Error::Inference); [`Error::Model`](crate::Error::Model) when the runtime refuses a
    /// network that was still being loaded.
    pub fn recognize(&mut self, picture: &Picture) -> Result<Recognition> {
        let start = Instant::now();
        let mut timings = Timings::default();
        let located = timed(&mut timings.locate, || self.locator.locate(picture, &self.options.locate))?;
        let mut seen = Vec::with_capacity(located.len());
        for found in located {
            seen.push(self.see(picture, found, &mut timings)?);
        }
        let orientations = match self.options.bottom {
            Some(bottom) => vec![Orientation::given(bottom); seen.len()],
            None => {
                let said: Vec<_> = seen.iter().map(|board| (&board.scores, board.coordinates)).collect();
                orient_all(&said, &self.options.orient)
            }
        };
        let rest = Instant::now();
        let boards = seen
            .into_iter()
            .zip(orientations)
            .map(|(seen, orientation)| seen.read(picture, orientation, &self.options));
        let boards = boards.collect();
        timings.place += milliseconds(rest);
        timings.total = milliseconds(start);
        Ok(Recognition { boards, timings })
    }

    /// Looks at a board until its squares are as sure as they will be, and at its coordinates if they are needed.
    fn see(&mut self, picture: &Picture, found: Located, timings: &mut Timings) -> Result<Seen> {
        let options = self.options;
        let (quarters, image, mut scores) = self.upright(picture, &found.corners, timings)?;
        let corners = found.corners.turned(quarters);
        let doubtful = |scores: &Scores| {
            let sure = confidences(scores);
            sure.iter().any(|&p| p < options.trust.square) || sure.iter().product::<f32>() < options.trust.board
        };
        let mut least_sure = scores.least_sure();
        if doubtful(&scores) {
            let mut looks = vec![scores];
            for factor in SECOND_LOOKS {
                looks.push(self.look(picture, &corners.scaled(factor), timings)?.1);
            }
            scores = Scores::together(&looks);
            least_sure = Scores::mean(&looks).least_sure();
        }
        if !doubtful(&scores) && least_sure < SHUFFLE_BELOW {
            scores = self.shuffled(&image, scores, timings)?;
        }
        let coordinates = if options.bottom.is_some() || is_certain(&scores, &options.orient) {
            CoordinateEvidence::Nothing
        } else {
            timed(&mut timings.orient, || self.coordinates.read(picture, &corners))?.evidence()
        };
        Ok(Seen { found, quarters, corners, image, scores, coordinates })
    }

    /// Looks at a board whose places are shuffled, light ones among themselves and dark ones among themselves. What
    /// stands on a square is the same wherever the square lies; where a piece is taken for another as soon as he stands
    /// elsewhere, it was his place that spoke for him, and his square is left in doubt. A network that has seen games expects
    /// legal chess, and is surest of it where a picture shows something else.
    fn shuffled(&mut self, image: &BoardImage, scores: Scores, timings: &mut Timings) -> Result<Scores> {
        let grid = scores.grid();
        let of_color = |dark: usize| grid.tiles().filter(move |tile| (tile.row + tile.col) % 2 == dark);
        let places = [0, 1].map(|dark| of_color(dark).collect::<Vec<_>>());
        let mut looks = Vec::new();
        for (a, b) in SHUFFLES {
            let mut sources = vec![Tile { row: 0, col: 0 }; grid.len()];
            let mut origins = sources.clone();
            for tiles in &places {
                for (n, &to) in tiles.iter().enumerate() {
                    let from = tiles[(a * n + b) % tiles.len()];
                    sources[grid.index(to)] = from;
                    origins[grid.index(from)] = to;
                }
            }
            let elsewhere = image.rearranged(|tile| sources[grid.index(tile)]);
            let look = timed(&mut timings.classify, || classify(&mut *self.pieces, &Tiles::new(&elsewhere)))?;
            looks.push(look.rearranged(|tile| origins[grid.index(tile)]));
        }
        Ok(scores.doubted_by(&looks, SHUFFLED))
    }

    /// Looks at a board and, where that is hopeless, turns the page by quarters; where there is some doubt, by half. Returns
    /// the quarter turns clockwise after which the pieces stand upright, the flat board, and its scores.
    fn upright(
        &mut self,
        picture: &Picture,
        corners: &Corners,
        timings: &mut Timings,
    ) -> Result<(usize, BoardImage, Scores)> {
        let (image, scores) = self.look(picture, corners, timings)?;
        let mut best = (0, image, scores);
        if best.2.mean_sure() < TURN_BELOW {
            let least = best.2.mean_sure() + TURN_GAIN;
            for quarters in 1..4 {
                let (image, scores) = self.look(picture, &corners.turned(quarters), timings)?;
                if scores.mean_sure() > best.2.mean_sure().max(least) {
                    best = (quarters, image, scores);
                }
            }
        } else if best.2.mean_sure() < HALF_TURN_BELOW {
            let (image, scores) = self.look(picture, &corners.turned(2), timings)?;
            if 1.0 - scores.mean_sure() < HALF_TURN_DOUBT * (1.0 - best.2.mean_sure()) {
                best = (2, image, scores);
            }
        }
        Ok(best)
    }

    /// One look at a board through given corners.
    fn look(&mut self, picture: &Picture, corners: &Corners, timings: &mut Timings) -> Result<(BoardImage, Scores)> {
        let game = self.pieces.spec().game;
        let image = timed(&mut timings.rectify, || BoardImage::cut(picture, corners, game))?;
        let scores = timed(&mut timings.classify, || classify(&mut *self.pieces, &Tiles::new(&image)))?;
        Ok((image, scores))
    }
}

/// A board of which everything is seen that a look at it alone can tell.
struct Seen {
    found: Located,
    quarters: usize,
    /// Those found, turned by `quarters`.
    corners: Corners,
    image: BoardImage,
    scores: Scores,
    coordinates: CoordinateEvidence,
}

impl Seen {
    /// The position, once it is known from which side the board is seen.
    fn read(self, picture: &Picture, orientation: Orientation, options: &Options) -> BoardReading {
        let Seen { found, quarters, corners, image, scores, .. } = self;
        let reading = place(&scores, &orientation, &options.place);
        let shown = Cues {
            last_move: find_last_move(&image, &orientation, &reading),
            mark: find_turn_marker(picture, &corners),
        };
        let (fen, fields) = complete(&reading.placement, &shown, &options.answers);
        let issues = all_issues(&reading, &fen, &fields);
        let trust = Trust::of(&found, &orientation, &reading, &issues, &options.trust);
        let Located { corners, confidence: located } = found;
        BoardReading {
            corners,
            located,
            quarters,
            image,
            scores,
            orientation,
            reading,
            shown,
            fen,
            fields,
            issues,
            trust,
        }
    }
}

/// Everything that is odd about a reading and about the signs of who is to move.
pub(crate) fn all_issues(reading: &Reading, fen: &Fen, fields: &Fields) -> Vec<Issue> {
    let conflict = fields.side.evidence.filter(Reason::is_conflict);
    let conflict = conflict.map(|reason| Issue::SideConflict(reason.to_string()));
    issues(reading, fen).into_iter().chain(conflict).collect()
}

/// How far a board's reading can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing is flagged.
    Accept,
    /// A person should look at what is flagged, and at nothing else.
    Check,
    /// No trustworthy reading.
    Refuse,
}

impl Verdict {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accept => "accept",
            Verdict::Check => "check",
            Verdict::Refuse => "refuse",
        }
    }
}

/// The judgement on one board.
#[derive(Clone, Debug, PartialEq)]
pub struct Trust {
    /// What to do with the reading.
    pub verdict: Verdict,
    /// The probability that every square and the orientation are right.
    pub confidence: f32,
    /// For each square in the order of [`Reading::squares`], whether a person should look at it.
    pub flagged: Vec<bool>,
    /// Whether a person should look which side is at the bottom.
    pub orientation_flagged: bool,
}

impl Trust {
    pub(crate) fn of(
        found: &Located,
        orientation: &Orientation,
        reading: &Reading,
        issues: &[Issue],
        options: &TrustOptions,
    ) -> Trust {
        let flagged: Vec<bool> = reading.squares.iter().map(|s| s.changed || s.confidence < options.square).collect();
        let orientation_flagged = orientation.confidence < options.orientation;
        let squares: f32 = reading.squares.iter().map(|s| s.confidence).product();
        let confidence = squares * orientation.confidence * found.confidence;
        let count = flagged.iter().filter(|&&flag| flag).count();
        let verdict = if count > options.flagged {
            Verdict::Refuse
        } else if count > 0
            || orientation_flagged
            || found.confidence < options.located
            || confidence < options.board
            || issues.iter().any(|issue| issue.severity() == Severity::Error)
        {
            Verdict::Check
        } else {
            Verdict::Accept
        };
        Trust { verdict, confidence, flagged, orientation_flagged }
    }
}

/// One board, read.
#[derive(Clone, Debug)]
pub struct BoardReading {
    /// Where it is in the picture.
    pub corners: Corners,
    /// The probability that a board is there, and so placed.
    pub located: f32,
    /// By how many quarter turns clockwise the picture was turned to set the pieces upright, 0 to 3.
    pub quarters: usize,
    /// The board made flat.
    pub image: BoardImage,
    /// The probabilities of every place as seen.
    pub scores: Scores,
    /// Which side is at the bottom.
    pub orientation: Orientation,
    /// The pieces, square by square.
    pub reading: Reading,
    /// What the picture shows beside the pieces.
    pub shown: Cues,
    /// The position as a FEN.
    pub fen: Fen,
    /// Where the fields of the FEN come from.
    pub fields: Fields,
    /// What is odd about the position.
    pub issues: Vec<Issue>,
    /// How far all this can be trusted.
    pub trust: Trust,
}

impl BoardReading {
    /// The game on the board.
    pub fn game(&self) -> Game {
        self.image.game()
    }

    /// The probability that a piece, or none, is on a square, by the picture and in the light of how seldom boards break
    /// the rules; that of what was read is its [confidence](crate::recognize::place::SquareReading::confidence).
    pub fn probability(&self, square: Square, piece: Option<Piece>) -> f32 {
        let classes = self.game().classes().chars().map(Piece::from_letter);
        let scores = weighed(&self.scores);
        let scores = scores.of(self.orientation.tile(square));
        classes.zip(scores).find(|(class, _)| *class == piece).map_or(0.0, |(_, &score)| score)
    }
}

/// Everything read in one picture.
#[derive(Clone, Debug)]
pub struct Recognition {
    /// The boards in reading order.
    pub boards: Vec<BoardReading>,
    /// What it took.
    pub timings: Timings,
}

/// Wall-clock milliseconds of the stages, all boards of a picture together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timings {
    /// Getting and decoding the bytes; 0 when the caller brought a decoded picture.
    pub read: f64,
    /// Finding boards.
    pub locate: f64,
    /// Flattening them.
    pub rectify: f64,
    /// Running the square classifier.
    pub classify: f64,
    /// Reading coordinates.
    pub orient: f64,
    /// Rules and the other fields.
    pub place: f64,
    /// From the first stage to the last.
    pub total: f64,
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

fn timed<T>(into: &mut f64, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *into += milliseconds(start);
    result
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::recognize::{orient::orient, place::tests::scores_of};

    /// A board as it is read from given scores, seen from a given side, in whatever picture.
    pub(crate) fn reading_of(
        picture: &Picture,
        corners: Corners,
        scores: Scores,
        orientation: Orientation,
    ) -> BoardReading {
        let image = BoardImage::cut(picture, &corners, scores.game()).unwrap();
        let found = Located { corners, confidence: 0.999 };
        let seen = Seen { found, quarters: 0, corners, image, scores, coordinates: CoordinateEvidence::Nothing };
        seen.read(picture, orientation, &Options::default())
    }

    fn judge(placement: &str, sure: f32, located: f32) -> Trust {
        let scores = scores_of(placement, sure);
        let orientation = orient(&scores, CoordinateEvidence::Nothing, &OrientOptions::default());
        let reading = place(&scores, &orientation, &PlaceOptions::default());
        let corners = Corners::from_rect(0.0, 0.0, 8.0, 8.0);
        let found = Located { corners, confidence: located };
        let (fen, _) = complete(&reading.placement, &Cues::default(), &Answers::default());
        Trust::of(&found, &orientation, &reading, &issues(&reading, &fen), &TrustOptions::default())
    }

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    #[test]
    fn only_what_is_sure_is_accepted() {
        assert_eq!(judge(GAME, 0.99999, 0.999).verdict, Verdict::Accept);
        assert_eq!(judge(GAME, 0.99999, 0.5).verdict, Verdict::Check);
        let many_small_doubts = judge(GAME, 0.997, 0.999);
        assert_eq!(many_small_doubts.verdict, Verdict::Check);
        assert!(many_small_doubts.flagged.iter().all(|flag| !flag) && many_small_doubts.confidence < 0.9);
        assert_eq!(judge(GAME, 0.9, 0.999).verdict, Verdict::Refuse);
    }

    #[test]
    fn odd_positions_are_checked() {
        assert_eq!(judge("8/8/8/8/8/8/8/8", 0.99999, 0.999).verdict, Verdict::Check);
        let study = judge("8/8/4k3/8/8/3K4/8/8", 0.99999, 0.999);
        assert!(study.orientation_flagged && study.verdict == Verdict::Check);
    }
}
