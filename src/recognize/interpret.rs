//! An [`Observation`] and what a person knows about it to a [`BoardReading`]. All decisions are made here, for the first
//! reading and again after every answer.

use std::sync::Arc;

use super::{
    answers::{Answer, Answers, Refused, objection},
    complete::{Cues, Fields, complete},
    cues::last_move::find_last_move,
    issue::{Issue, issues},
    observation::Observation,
    options::Options,
    orient::{Orientation, orient},
    place::{Reading, place_given},
    prior_shift::{self, Posterior},
    trust::Trust,
};
use crate::{
    fen::Fen,
    games::{
        chess::{Piece, Square},
        game::Game,
    },
    image::geometry::Corners,
};

/// One board, read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardReading {
    /// What was seen.
    pub observation: Arc<Observation>,
    /// What a person has said about the board.
    pub answers: Answers,
    /// Which side is at the bottom.
    pub orientation: Orientation,
    /// The pieces, square by square.
    pub reading: Reading,
    /// What the picture shows beside the pieces.
    pub cues: Cues,
    /// The position as a FEN.
    pub fen: Fen,
    /// Where the fields of the FEN come from.
    pub fields: Fields,
    /// What is odd about the position.
    pub issues: Vec<Issue>,
    /// How far all this can be trusted.
    pub trust: Trust,
    posterior: Posterior,
}

/// Reads a board from what was observed, what a person has said, and the rules.
pub fn interpret(observation: Arc<Observation>, answers: Answers, options: &Options) -> BoardReading {
    let orientation = match answers.bottom.or(options.bottom) {
        Some(bottom) => Orientation::given(bottom),
        None => orient(&observation.orientation, &options.orient),
    };
    // What is read is the best guess from the picture and the rules; what is not seen changes only how sure it is.
    let scores = observation.scores.doubted_where(|tile| observation.visibility.doubt(tile));
    let posterior = prior_shift::corrected(&scores.with_certain(&answers.tiles));
    let given: Vec<(Square, Option<Piece>)> =
        answers.tiles.iter().map(|&(tile, piece)| (orientation.square(tile), piece)).collect();
    let reading =
        place_given(&observation.scores, &posterior, &observation.visibility, &orientation, &options.place, &given);
    let cues =
        Cues { last_move: find_last_move(&observation.image, &orientation, &reading), mark: observation.turn_marker };
    let (fen, fields) = completed(&reading, &cues, &answers);
    let issues = issues(&reading, observation.integrity, &fen, &fields);
    let trust = Trust::new(observation.located, &orientation, &reading, &issues, &options.trust);
    BoardReading { observation, answers, orientation, reading, cues, fen, fields, issues, trust, posterior }
}

/// Completes a placement. An answered en passant square that other answers have made impossible has no effect.
fn completed(reading: &Reading, cues: &Cues, answers: &Answers) -> (Fen, Fields) {
    let (fen, fields) = complete(&reading.placement, cues, answers);
    if answers.en_passant.flatten().is_some()
        && objection(&Fen { en_passant: None, ..fen }, Answer::EnPassant(fen.en_passant)).is_some()
    {
        return complete(&reading.placement, cues, &Answers { en_passant: None, ..answers.clone() });
    }
    (fen, fields)
}

impl BoardReading {
    /// The reading with one more answer. A corrected square is certain, and the rules are applied to the others in its
    /// light; a board that is turned keeps its corrections. Earlier answers stay, wherever they can still be true.
    ///
    /// # Errors
    /// [`Refused`] when the answer cannot be true of the position.
    pub fn answered(&self, answer: Answer, options: &Options) -> Result<BoardReading, Refused> {
        if let Some(reason) = objection(&self.fen, answer) {
            return Err(Refused { answer, reason });
        }
        let answers = self.answers.with(answer, &self.orientation);
        Ok(interpret(self.observation.clone(), answers, options))
    }

    /// The game on the board.
    pub fn game(&self) -> Game {
        self.observation.game()
    }

    /// The corners of the board as detected, in pixels of the picture, clockwise from the one that is top left there.
    pub fn corners(&self) -> &Corners {
        &self.observation.corners
    }

    /// The probability that a piece, or none, is on a square: by the picture, after prior-shift correction, with the squares
    /// that a person has given taken as certain. That of the piece that was read is its
    /// [confidence](super::place::SquareReading::confidence).
    pub fn probability(&self, square: Square, piece: Option<Piece>) -> f32 {
        self.posterior.probability(self.orientation.tile(square), piece)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{
        image::picture::Picture,
        recognize::{
            classify::Scores,
            coordinates::CoordinateEvidence,
            cues::turn_marker::find_turn_marker,
            integrity::Integrity,
            orient::OrientationEvidence,
            place::tests::{scores_of, scores_with},
            rectify::BoardImage,
            visibility::Visibility,
        },
    };

    /// A board as it is read from given scores, in any picture.
    pub(crate) fn reading_of(picture: &Picture, corners: Corners, scores: Scores, answers: Answers) -> BoardReading {
        let observation = Observation {
            corners,
            located: 0.999,
            quarter_turns: 0,
            image: BoardImage::cut(picture, &corners, scores.game()).unwrap(),
            orientation: OrientationEvidence::new(&scores, CoordinateEvidence::Nothing),
            visibility: Visibility::clear(scores.game()),
            integrity: Integrity { damage: picture.damage(), ..Integrity::SOUND },
            scores,
            turn_marker: find_turn_marker(picture, &corners),
        };
        interpret(Arc::new(observation), answers, &Options::default())
    }

    fn read(scores: Scores) -> BoardReading {
        let corners = Corners::from_rect(0.0, 0.0, 80.0, 80.0);
        reading_of(&Picture::filled(80, 80, [0; 3]), corners, scores, Answers::default())
    }

    /// Without the other king, d1 may be the king; once a person has put it on g1, the offered probabilities and the
    /// confidence of the square that was read are the same values and both know that.
    #[test]
    fn one_probability_has_one_value() {
        let game = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1R2".parse().unwrap();
        let board = read(scores_with(&game, 0.9999, &[("d1", 'Q', 0.8), ("d1", 'K', 0.2), ("g1", 'K', 0.01)]));
        let options = Options::default();
        let told = board.answered(Answer::Square("g1".parse().unwrap(), Piece::from_letter('K')), &options).unwrap();
        for board in [&board, &told] {
            for read in &board.reading.squares {
                let expected =
                    if read.source == crate::recognize::provenance::Source::User { 1.0 } else { read.confidence };
                assert_eq!(board.probability(read.square, read.piece), expected, "{}", read.square);
            }
        }
        let d1 = "d1".parse().unwrap();
        let (before, after) =
            (board.probability(d1, Piece::from_letter('Q')), told.probability(d1, Piece::from_letter('Q')));
        assert!(before < 0.9 && after > 0.99, "{before} {after}");
    }

    /// A castling right that a correction rules out comes back with the rook.
    #[test]
    fn answers_outlive_what_rules_them_out() {
        let board = read(scores_of("r3k2r/8/8/8/8/8/8/R3K2R", 0.9999));
        let options = Options::default();
        let (h1, rook) = ("h1".parse().unwrap(), Piece::from_letter('R'));
        let rights = |board: &BoardReading| board.fen.castling.to_string();
        let all =
            board.answered(Answer::Castling(crate::fen::Castling::possible(&board.fen.placement)), &options).unwrap();
        assert_eq!(rights(&all), "KQkq");
        let without = all.answered(Answer::Square(h1, None), &options).unwrap();
        assert_eq!(rights(&without), "Qkq");
        assert_eq!(rights(&without.answered(Answer::Square(h1, rook), &options).unwrap()), "KQkq");
    }
}
