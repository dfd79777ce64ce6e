//! Stage 5, orient: [`Scores`] and [`CoordinateEvidence`] to [`OrientationEvidence`], and that to [`Orientation`].
//!
//! Evidence, strongest first: the [`coordinates`](super::coordinates) printed at the board, which are read unless the pieces
//! leave no doubt; the position itself, whose log-odds are added to theirs; the other boards of the picture, which are mostly
//! seen from the same side; otherwise the assumption that White is at the bottom, which is reported as an assumption. This
//! module and [`place`](super::place) are the only ones that turn tiles as seen into squares.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{classify::Scores, coordinates::CoordinateEvidence, provenance::Source};
use crate::games::{
    chess::{Color, File, Piece, Rank, Role, Square},
    game::{Game, Tile},
};

/// How the orientation of a board is decided.
#[derive(Clone, Copy, Debug)]
pub struct OrientOptions {
    /// The prior probability of White at the bottom. Default: 0.8, since books print nearly every diagram so, and screens
    /// about two of three.
    pub white_at_bottom: f32,
    /// The position counts as evidence when it alone makes one side at least this probable. Default: 0.9; below that the
    /// calibration bands of `models/orientation-v1/CARD.md` hold too few positions.
    pub believe_from: f32,
    /// When the pieces alone make one side at least this probable, coordinates are not read. Default: 0.999; reading them
    /// takes as long as classifying the squares.
    pub certain: f32,
    /// The factor on the log-odds of coordinates. Default: 0.5, since neighboring letters are misread together.
    pub coordinates: f32,
    /// The probability that a board is seen from the side from which most boards of its picture are seen. Default: 0.95, an
    /// assumption: books of problems print all diagrams alike, but some show each from the side to move.
    pub alike: f32,
}

impl Default for OrientOptions {
    fn default() -> Self {
        OrientOptions { white_at_bottom: 0.8, believe_from: 0.9, certain: 0.999, coordinates: 0.5, alike: 0.95 }
    }
}

impl OrientOptions {
    /// The prior log-odds of White at the bottom.
    fn prior(&self) -> f32 {
        let white = self.white_at_bottom.clamp(1e-3, 1.0 - 1e-3);
        (white / (1.0 - white)).ln()
    }
}

/// Which side is at the bottom of the picture, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Orientation {
    /// The side from which the board is seen.
    pub bottom: Color,
    /// The probability that this is right.
    pub confidence: f32,
    /// Where the answer comes from: [`Source::Picture`], [`Source::Assumed`] or [`Source::User`].
    pub source: Source,
    /// What in the picture speaks for it, if anything.
    pub evidence: Option<Evidence>,
}

/// What in a picture shows which side is at the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// Printed letters and digits.
    Coordinates,
    /// Letters and digits that contradict each other, so the picture is mirrored or the board wrongly labeled.
    MirroredCoordinates,
    /// The position of the pieces.
    Position,
    /// The side from which the other boards of the picture are seen.
    OtherBoards,
}

impl Evidence {
    /// The name used in records.
    pub fn name(self) -> &'static str {
        match self {
            Evidence::Coordinates => "coordinates",
            Evidence::MirroredCoordinates => "mirrored coordinates",
            Evidence::Position => "position",
            Evidence::OtherBoards => "other boards",
        }
    }
}

impl Orientation {
    /// The orientation that a user has given.
    pub fn given(bottom: Color) -> Orientation {
        Orientation { bottom, confidence: 1.0, source: Source::User, evidence: None }
    }

    /// The chess square at a tile as seen.
    pub fn square(&self, tile: Tile) -> Square {
        seen_from(self.bottom, tile)
    }

    /// The tile as seen at which a chess square lies.
    pub fn tile(&self, square: Square) -> Tile {
        let square = if self.bottom == Color::White { square } else { square.half_turn() };
        Tile { row: 7 - square.rank().index(), col: square.file().index() }
    }
}

fn seen_from(bottom: Color, tile: Tile) -> Square {
    let square = Square::new(File::new(tile.col), Rank::new(7 - tile.row));
    if bottom == Color::White { square } else { square.half_turn() }
}

/// Whether the pieces alone tell which side is at the bottom, so that coordinates need not be read. Never the case for
/// another game than chess, of which no such table is known.
pub fn is_certain(scores: &Scores, options: &OrientOptions) -> bool {
    probability(position_log_odds(scores).abs()) >= options.certain
}

/// What speaks for either side at the bottom of one board. All values are log-odds of White at the bottom against Black.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct OrientationEvidence {
    /// The position of the pieces; 0 for another game than chess.
    pub position: f32,
    /// The coordinates printed in or around the board.
    pub coordinates: CoordinateEvidence,
    /// The other boards of the picture, if there are any.
    pub other_boards: Option<f32>,
}

impl OrientationEvidence {
    /// The evidence of a board on its own.
    pub fn new(scores: &Scores, coordinates: CoordinateEvidence) -> OrientationEvidence {
        // Pieces are never stronger evidence than the measurement behind their table supports; coordinates can outweigh them.
        let most = (PRIOR.ceiling / (1.0 - PRIOR.ceiling)).ln();
        let position = position_log_odds(scores).clamp(-most, most);
        OrientationEvidence { position, coordinates, other_boards: None }
    }

    fn coordinates(&self, options: &OrientOptions) -> Option<f32> {
        match self.coordinates {
            CoordinateEvidence::LogOdds(value) => Some(value * options.coordinates),
            CoordinateEvidence::Mirrored | CoordinateEvidence::Nothing => None,
        }
    }

    fn is_mirrored(&self) -> bool {
        self.coordinates == CoordinateEvidence::Mirrored
    }

    /// What the board says by itself. A mirrored board says nothing about others.
    fn own(&self, options: &OrientOptions) -> f32 {
        if self.is_mirrored() { 0.0 } else { self.position + self.coordinates(options).unwrap_or(0.0) }
    }
}

/// Tells each board of one picture what the other boards say about its orientation.
pub fn exchange<'a>(boards: impl IntoIterator<Item = &'a mut OrientationEvidence>, options: &OrientOptions) {
    let mut boards: Vec<_> = boards.into_iter().collect();
    if boards.len() < 2 {
        return;
    }
    let hints: Vec<f32> = boards.iter().map(|board| dampened(board.own(options), options.alike)).collect();
    let all: f32 = options.prior() + hints.iter().sum::<f32>();
    for (board, hint) in boards.iter_mut().zip(hints) {
        board.other_boards = Some(dampened(all - hint, options.alike));
    }
}

/// The log-odds that remain when those of one board are applied to another, which is seen from the same side with
/// probability `alike`.
fn dampened(log_odds: f32, alike: f32) -> f32 {
    let alike = alike.clamp(1e-3, 1.0 - 1e-3);
    let white = probability(log_odds);
    let other = alike * white + (1.0 - alike) * (1.0 - white);
    (other / (1.0 - other)).ln()
}

/// Decides which side is at the bottom of a board.
pub fn orient(board: &OrientationEvidence, options: &OrientOptions) -> Orientation {
    let believed = |log_odds: f32| probability(log_odds.abs()) >= options.believe_from;
    let coordinates = board.coordinates(options);
    let others = board.other_boards.unwrap_or(0.0);
    let mut sum = board.position + coordinates.unwrap_or(0.0) + board.other_boards.unwrap_or_else(|| options.prior());
    let evidence = if board.is_mirrored() {
        // The rest may still tell which side is at the bottom, but a mirrored board is read wrongly either way.
        sum = sum.clamp(-CONTRADICTED, CONTRADICTED);
        Some(Evidence::MirroredCoordinates)
    } else if coordinates.is_some() {
        Some(Evidence::Coordinates)
    } else if believed(board.position) && board.position.abs() >= others.abs() {
        Some(Evidence::Position)
    } else {
        believed(others).then_some(Evidence::OtherBoards)
    };
    let white = probability(sum);
    if evidence.is_none() {
        // A weak hint never turns the board, but it lowers the confidence.
        let confidence = white.min(PRIOR.ceiling);
        return Orientation { bottom: Color::White, confidence, source: Source::Assumed, evidence };
    }
    let bottom = if white >= 0.5 { Color::White } else { Color::Black };
    let confidence = white.max(1.0 - white).min(PRIOR.ceiling);
    Orientation { bottom, confidence, source: Source::Picture, evidence }
}

/// The largest log-odds when the coordinates contradict each other: three to two.
const CONTRADICTED: f32 = 0.4;

fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The log-odds of White at the bottom by the position of the pieces; 0 for another game than chess.
fn position_log_odds(scores: &Scores) -> f32 {
    if scores.game() == Game::Chess { PRIOR.log_odds(scores) } else { 0.0 }
}

/// A linear score of a position: the log-odds that it is upright rather than turned by half a turn. Fitted by
/// `scripts/orientation_prior.py`, which explains the terms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Prior {
    #[serde(rename = "name")]
    _name: String,
    /// The highest probability that the measurement behind this score supports.
    ceiling: f32,
    facing_same_file: f32,
    facing_next_file: f32,
    pawn_before_king: f32,
    squares: Squares,
}

/// For each role, the weight of a white piece on every square, a1 first. A black piece has the weight of a white one on the
/// square mirrored between the sides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Squares {
    p: Vec<f32>,
    n: Vec<f32>,
    b: Vec<f32>,
    r: Vec<f32>,
    q: Vec<f32>,
    k: Vec<f32>,
}

static PRIOR: LazyLock<Prior> = LazyLock::new(|| {
    let text = include_str!("../../models/orientation-v1/prior.json");
    serde_json::from_str(text).expect("the compiled-in table is checked by a test")
});

impl Prior {
    /// The expected score of the position as seen with White at the bottom, over the probabilities of the pieces.
    fn log_odds(&self, scores: &Scores) -> f32 {
        let seen: Vec<(Square, &[f32])> =
            scores.grid().tiles().map(|tile| (seen_from(Color::White, tile), scores.of(tile))).collect();
        let pieces: Vec<(usize, Piece)> = pieces(scores.game());
        let mut sum = 0.0;
        for &(square, row) in &seen {
            for &(class, piece) in &pieces {
                sum += row[class] * self.weight(piece, square);
            }
        }
        sum + self.pairs(&seen, &pieces)
    }

    fn weight(&self, piece: Piece, square: Square) -> f32 {
        let table = match piece.role {
            Role::Pawn => &self.squares.p,
            Role::Knight => &self.squares.n,
            Role::Bishop => &self.squares.b,
            Role::Rook => &self.squares.r,
            Role::Queen => &self.squares.q,
            Role::King => &self.squares.k,
        };
        match piece.color {
            Color::White => table[square.index()],
            Color::Black => table[Square::new(square.file(), square.rank().seen_by(Color::Black)).index()],
        }
    }

    fn pairs(&self, seen: &[(Square, &[f32])], pieces: &[(usize, Piece)]) -> f32 {
        // Most pairs of squares hold almost nothing of the kind and change nothing.
        let likely = |color, role| -> Vec<(Square, f32)> {
            let class = pieces.iter().find(|(_, piece)| *piece == Piece { color, role }).map_or(0, |&(class, _)| class);
            seen.iter().map(|&(square, row)| (square, row[class])).filter(|&(_, p)| p > 0.01).collect()
        };
        let ahead = |from: Square, to: Square| (to.rank().index() as f32 - from.rank().index() as f32).clamp(-1.0, 1.0);
        let [white, black] = Color::ALL.map(|color| likely(color, Role::Pawn));
        let mut sum = 0.0;
        for &(a, p) in &white {
            for &(b, q) in &black {
                let weight = match a.file().index().abs_diff(b.file().index()) {
                    0 => self.facing_same_file,
                    1 => self.facing_next_file,
                    _ => continue,
                };
                sum += p * q * weight * ahead(a, b);
            }
        }
        for (color, pawns, sign) in [(Color::White, &white, 1.0), (Color::Black, &black, -1.0)] {
            for (king, p) in likely(color, Role::King) {
                for &(pawn, q) in pawns {
                    sum += p * q * self.pawn_before_king * sign * ahead(king, pawn);
                }
            }
        }
        sum
    }
}

/// The classes that are pieces, with their index.
fn pieces(game: Game) -> Vec<(usize, Piece)> {
    game.classes()
        .chars()
        .enumerate()
        .filter_map(|(class, letter)| Some((class, Piece::from_letter(letter)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::place::tests::scores_of;

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    fn turned(placement: &str) -> String {
        placement.chars().rev().collect()
    }

    #[test]
    fn the_table_is_antisymmetric() {
        for piece in Piece::all() {
            for square in Square::all() {
                let (a, b) = (PRIOR.weight(piece, square), PRIOR.weight(piece, square.half_turn()));
                assert!((a + b).abs() < 1e-6, "{piece} {square}");
            }
        }
        assert!((0.99..1.0).contains(&PRIOR.ceiling));
    }

    fn oriented(scores: &Scores, coordinates: CoordinateEvidence) -> Orientation {
        orient(&OrientationEvidence::new(scores, coordinates), &OrientOptions::default())
    }

    fn unlabeled(scores: &Scores) -> Orientation {
        oriented(scores, CoordinateEvidence::Nothing)
    }

    /// The orientations of the boards of one picture.
    fn orient_all(boards: &[(&Scores, CoordinateEvidence)], options: &OrientOptions) -> Vec<Orientation> {
        let mut evidence: Vec<_> =
            boards.iter().map(|&(scores, seen)| OrientationEvidence::new(scores, seen)).collect();
        exchange(&mut evidence, options);
        evidence.iter().map(|board| orient(board, options)).collect()
    }

    #[test]
    fn coordinates_come_first() {
        let game = scores_of(GAME, 0.999);
        let labeled = |coordinates| oriented(&game, coordinates);
        let agreed = labeled(CoordinateEvidence::LogOdds(20.0));
        assert_eq!((agreed.bottom, agreed.evidence), (Color::White, Some(Evidence::Coordinates)));
        // A full set of coordinates outweighs any position; two or three letters against one leave a doubt.
        let odd = labeled(CoordinateEvidence::LogOdds(-80.0));
        assert!(odd.bottom == Color::Black && odd.confidence > 0.99);
        assert!(labeled(CoordinateEvidence::LogOdds(-16.0)).confidence < 0.9);
        assert!(is_certain(&game, &OrientOptions::default()));
        assert!(!is_certain(&scores_of("8/8/2k5/5n2/8/1B1K4/8/8", 0.999), &OrientOptions::default()));
        let mirrored = labeled(CoordinateEvidence::Mirrored);
        assert!(mirrored.confidence < 0.7 && mirrored.evidence == Some(Evidence::MirroredCoordinates));
        let empty = oriented(&scores_of("8/8/8/8/8/8/8/8", 0.999), CoordinateEvidence::LogOdds(-30.0));
        assert!(empty.bottom == Color::Black && empty.confidence > 0.99);
    }

    #[test]
    fn a_game_is_seen_from_either_side() {
        for sure in [0.999, 0.7] {
            let upright = unlabeled(&scores_of(GAME, sure));
            assert_eq!((upright.bottom, upright.evidence), (Color::White, Some(Evidence::Position)));
            let flipped = unlabeled(&scores_of(&turned(GAME), sure));
            assert_eq!((flipped.bottom, flipped.evidence), (Color::Black, Some(Evidence::Position)));
            assert!(upright.confidence > 0.99 && flipped.confidence > 0.99);
        }
    }

    #[test]
    fn boards_of_one_picture_are_seen_alike() {
        // A study that says nothing by itself, beside two games.
        let study = scores_of("8/8/2k5/5n2/8/1B1K4/8/8", 0.999);
        let options = OrientOptions::default();
        let beside = |game: &str| {
            let game = scores_of(game, 0.999);
            orient_all(
                &[game.clone(), study.clone(), game].each_ref().map(|s| (s, CoordinateEvidence::Nothing)),
                &options,
            )[1]
        };
        let alone = unlabeled(&study);
        assert_eq!((alone.source, alone.evidence), (Source::Assumed, None));
        let (white, black) = (beside(GAME), beside(&turned(GAME)));
        assert_eq!((white.bottom, white.evidence), (Color::White, Some(Evidence::OtherBoards)));
        assert_eq!((black.bottom, black.evidence), (Color::Black, Some(Evidence::OtherBoards)));
        assert!(white.confidence > alone.confidence && white.confidence > 0.95);
        // The prior still speaks for White, and one page in twenty is mixed.
        assert!((0.7..0.98).contains(&black.confidence), "{}", black.confidence);
        // A board that is plain to see is not turned by others.
        let game = scores_of(GAME, 0.999);
        let flipped = scores_of(&turned(GAME), 0.999);
        let mixed = orient_all(&[&game, &game, &flipped].map(|s| (s, CoordinateEvidence::Nothing)), &options);
        assert_eq!((mixed[2].bottom, mixed[2].evidence), (Color::Black, Some(Evidence::Position)));
        assert_eq!(orient_all(&[(&study, CoordinateEvidence::Nothing)], &options)[0], alone);
        // Coordinates of one board speak for all; a mirrored board speaks for none.
        let beside = |coordinates, options: &OrientOptions| {
            orient_all(&[(&study, coordinates), (&study, CoordinateEvidence::Nothing)], options)[1]
        };
        assert_eq!(beside(CoordinateEvidence::Mirrored, &options).evidence, None);
        let always = OrientOptions { alike: 1.0, ..options };
        assert_eq!(beside(CoordinateEvidence::LogOdds(-60.0), &always).bottom, Color::Black);
        assert_eq!(beside(CoordinateEvidence::LogOdds(60.0), &always).bottom, Color::White);
    }

    #[test]
    fn turning_negates_the_score() {
        let (a, b) = (PRIOR.log_odds(&scores_of(GAME, 0.9)), PRIOR.log_odds(&scores_of(&turned(GAME), 0.9)));
        assert!(a > 5.0 && (a + b).abs() < 1e-3, "{a} {b}");
    }

    #[test]
    fn an_empty_board_says_nothing() {
        let found = unlabeled(&scores_of("8/8/8/8/8/8/8/8", 0.999));
        assert_eq!((found.bottom, found.source, found.evidence), (Color::White, Source::Assumed, None));
        assert!((found.confidence - 0.8).abs() < 0.01);
    }

    #[test]
    fn the_other_game_is_assumed_and_does_not_panic() {
        let logits = vec![0.0; Game::Xiangqi.grid().len() * Game::Xiangqi.classes().len()];
        let scores = Scores::from_logits(Game::Xiangqi, &logits, 1.0).unwrap();
        assert!(!is_certain(&scores, &OrientOptions::default()));
        assert_eq!(unlabeled(&scores).source, Source::Assumed);
    }

    #[test]
    fn squares_and_tiles_return() {
        for orientation in Color::ALL.map(Orientation::given) {
            assert!(Square::all().all(|square| orientation.square(orientation.tile(square)) == square));
        }
        let top_left = Tile { row: 0, col: 0 };
        assert_eq!(Orientation::given(Color::White).square(top_left).to_string(), "a8");
        assert_eq!(Orientation::given(Color::Black).square(top_left).to_string(), "h1");
    }
}
