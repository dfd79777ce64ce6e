//! Stage 6, place: [`Scores`] and [`Orientation`] to [`Reading`]: a [`Placement`] with a probability for every square.
//!
//! The unconstrained choice is the most probable piece on every square. Where it breaks a rule of chess and another reading
//! that keeps the rule is nearly as probable, the other one is taken; both labels are kept and the square is marked. Where
//! keeping the rule would cost much, the picture shows what it shows (a composed position, a diagram without kings): it is
//! given as seen, and the [issues](super::issue) name the rule. A piece is never put where the picture all but excludes it.

use super::{
    classify::Scores,
    orient::Orientation,
    prior_shift::{self, Posterior},
    provenance::Source,
};
pub use crate::games::placement::Placement;
use crate::games::{
    chess::{Color, Piece, Square},
    material::{Limit, Material},
};

/// Parameters of [`place`].
#[derive(Clone, Copy, Debug)]
pub struct PlaceOptions {
    /// The highest cost of keeping one rule, in nats. Default: 3, so the piece that keeps the rule is at least a twentieth as
    /// probable as the one seen. Beyond that it is more probable that the picture breaks the rule.
    pub most_cost: f32,
}

impl Default for PlaceOptions {
    fn default() -> Self {
        PlaceOptions { most_cost: 3.0 }
    }
}

/// What was read on one square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquareReading {
    /// The square.
    pub square: Square,
    /// The piece read there; `None` is an empty square.
    pub piece: Option<Piece>,
    /// The calibrated probability of that, after prior-shift correction.
    pub confidence: f32,
    /// The most probable other answer.
    pub runner_up: Option<Piece>,
    /// Whether the rules of chess changed the answer; then `runner_up` is what the picture alone says.
    pub changed: bool,
    /// Where the answer comes from: [`Source::Picture`], [`Source::Rule`] when `changed`, or [`Source::User`].
    pub source: Source,
}

/// A placement with the certainty of every square.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The pieces.
    pub placement: Placement,
    /// All squares in FEN order, a8 first.
    pub squares: Vec<SquareReading>,
}

/// Reads the squares of a board that is seen from a known side.
pub fn place(scores: &Scores, orientation: &Orientation, options: &PlaceOptions) -> Reading {
    place_given(scores, &prior_shift::corrected(scores), orientation, options, &[])
}

/// Reads the squares of a board of which some are `given`. Given squares stay as they are, and the rules are applied to the
/// others in their light. `posterior` is the [prior-shift correction](prior_shift) of the scores, with the given squares
/// certain: the probabilities that are reported.
pub(crate) fn place_given(
    scores: &Scores,
    posterior: &Posterior,
    orientation: &Orientation,
    options: &PlaceOptions,
    given: &[(Square, Option<Piece>)],
) -> Reading {
    let mut choices: Vec<Choice> = Square::all().map(|square| Choice::new(scores, orientation, square)).collect();
    for &(square, piece) in given {
        choices[square.index()].give(piece);
    }
    let mut placement = Placement::EMPTY;
    for choice in &choices {
        placement.set(choice.square, choice.best());
    }
    // Where a pawn may stand comes first, since it frees pawns for the counts that follow.
    for limit in Limit::ALL.into_iter().flat_map(|limit| Color::ALL.map(|color| (limit, color))) {
        repair(&mut placement, &choices, limit, options.most_cost);
    }
    let reading = |square: Square| {
        let piece = placement.get(square);
        choices[square.index()].reading(piece, posterior.probability(orientation.tile(square), piece))
    };
    Reading { placement, squares: Square::all_in_fen_order().map(reading).collect() }
}

/// The possible answers for one square, most probable first.
struct Choice {
    square: Square,
    answers: Vec<(Option<Piece>, f32)>,
    given: bool,
}

impl Choice {
    fn new(scores: &Scores, orientation: &Orientation, square: Square) -> Choice {
        let letters = scores.game().classes().chars().map(Piece::from_letter);
        let mut answers: Vec<_> = letters.zip(scores.of(orientation.tile(square)).iter().copied()).collect();
        answers.sort_by(|a, b| b.1.total_cmp(&a.1));
        Choice { square, answers, given: false }
    }

    /// Makes one answer certain; the order of the others stays.
    fn give(&mut self, piece: Option<Piece>) {
        self.given = true;
        self.answers.iter_mut().for_each(|answer| answer.1 = f32::from(u8::from(answer.0 == piece)));
        self.answers.sort_by(|a, b| b.1.total_cmp(&a.1));
    }

    fn best(&self) -> Option<Piece> {
        self.answers[0].0
    }

    fn probability(&self, piece: Option<Piece>) -> f32 {
        self.answers.iter().find(|answer| answer.0 == piece).map_or(0.0, |answer| answer.1)
    }

    /// What it costs to say `piece` rather than the best answer, in nats.
    fn cost(&self, piece: Option<Piece>) -> f32 {
        (self.answers[0].1 / self.probability(piece).max(f32::MIN_POSITIVE)).ln()
    }

    /// `confidence`: the probability of `piece` as far as it was not given.
    fn reading(&self, piece: Option<Piece>, confidence: f32) -> SquareReading {
        let runner_up = self.answers.iter().find(|answer| answer.0 != piece).and_then(|answer| answer.0);
        let changed = piece != self.best();
        let source = match (self.given, changed) {
            (true, _) => Source::User,
            (false, true) => Source::Rule,
            (false, false) => Source::Picture,
        };
        let confidence = if self.given { 1.0 } else { confidence };
        SquareReading { square: self.square, piece, confidence, runner_up, changed, source }
    }
}

/// Brings one limit back by the cheapest changes of single squares, if all of them together cost little enough and no
/// other limit suffers.
fn repair(placement: &mut Placement, choices: &[Choice], (limit, color): (Limit, Color), most_cost: f32) {
    let mut trial = *placement;
    let mut material = Material::of(&trial);
    let mut spent = 0.0;
    while material.excess(limit, color) > 0 {
        let (excess, total) = (material.excess(limit, color), material.total_excess());
        let mut cheapest: Option<(f32, Square, Option<Piece>, Material)> = None;
        for choice in choices.iter().filter(|choice| !choice.given) {
            let held = trial.get(choice.square);
            let held_cost = choice.cost(held);
            for &(piece, _) in &choice.answers {
                let cost = choice.cost(piece) - held_cost;
                if spent + cost > most_cost || cheapest.as_ref().is_some_and(|best| best.0 <= cost) {
                    continue;
                }
                let mut next = material;
                held.into_iter().for_each(|piece| next.remove(choice.square, piece));
                piece.into_iter().for_each(|piece| next.add(choice.square, piece));
                if next.excess(limit, color) < excess && next.total_excess() < total {
                    cheapest = Some((cost, choice.square, piece, next));
                }
            }
        }
        let Some((cost, square, piece, next)) = cheapest else { return };
        spent += cost;
        trial.set(square, piece);
        material = next;
    }
    *placement = trial;
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        fen::Code,
        games::{chess::Role, game::Game},
        recognize::{
            answers::Answers,
            complete::{Cues, complete},
            issue::{Issue, issues},
        },
    };

    /// Scores that give each piece of a placement, seen from White's side, the probability `sure`.
    pub(crate) fn scores_of(placement: &str, sure: f32) -> Scores {
        let placement: Placement = placement.parse().unwrap();
        scores_with(&placement, sure, &[])
    }

    /// The same, but with chosen probabilities for some pieces on some squares; the rest of the square goes down to match.
    pub(crate) fn scores_with(placement: &Placement, sure: f32, others: &[(&str, char, f32)]) -> Scores {
        let classes = Game::Chess.classes();
        let mut logits = Vec::new();
        for square in Square::all_in_fen_order() {
            let letter = placement.get(square).map_or('.', Piece::letter);
            for class in classes.chars() {
                let chosen = others.iter().find(|o| o.0 == square.to_string() && o.1 == class);
                let p = match chosen {
                    Some(&(_, _, p)) => p,
                    None if class == letter => sure,
                    None => (1.0 - sure) / 12.0,
                };
                logits.push(p.max(1e-9).ln());
            }
        }
        Scores::from_logits(Game::Chess, &logits, 1.0).unwrap()
    }

    fn read(placement: &str, others: &[(&str, char, f32)]) -> Reading {
        let placement: Placement = placement.parse().unwrap();
        let scores = scores_with(&placement, 0.999, others);
        place(&scores, &Orientation::given(Color::White), &PlaceOptions::default())
    }

    fn codes(reading: &Reading) -> Vec<&'static str> {
        let (fen, fields) = complete(&reading.placement, &Cues::default(), &Answers::default());
        issues(reading, &fen, &fields, None).iter().map(Issue::code).collect()
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_clear_picture_is_left_alone() {
        let reading = read(START, &[]);
        assert_eq!(reading.placement.to_string(), START);
        assert_eq!(codes(&reading), Vec::<&str>::new());
        assert!(reading.squares.iter().all(|s| !s.changed && s.confidence > 0.99));
    }

    #[test]
    fn the_board_may_be_seen_from_black() {
        let turned: Placement = START.parse::<Placement>().unwrap().half_turn();
        let scores = scores_with(&turned, 0.99, &[]);
        let reading = place(&scores, &Orientation::given(Color::Black), &PlaceOptions::default());
        assert_eq!(reading.placement.to_string(), START);
    }

    #[test]
    fn a_second_king_becomes_the_queen_it_may_be() {
        let reading = read("rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", &[("d8", 'q', 0.4)]);
        assert_eq!(reading.placement.to_string(), START);
        let d8 = reading.squares[3];
        assert_eq!((d8.changed, d8.runner_up, d8.piece), (true, Piece::from_letter('k'), Piece::from_letter('q')));
        assert_eq!(codes(&reading), ["changed-by-rule"]);
    }

    #[test]
    fn no_king_is_invented() {
        let study = "8/8/8/3q4/8/8/4P3/8";
        let reading = read(study, &[]);
        assert_eq!(reading.placement.to_string(), study);
        assert_eq!(codes(&reading), ["missing-king", "missing-king"]);
        // A queen that might well be a king is one; the side without any candidate stays without.
        let reading = read(study, &[("d5", 'k', 0.3)]);
        assert_eq!(reading.placement.to_string(), "8/8/8/3k4/8/8/4P3/8");
        assert_eq!(codes(&reading), ["missing-king", "changed-by-rule"]);
    }

    #[test]
    fn pawns_leave_the_last_rank_only_when_that_is_cheap() {
        let seen = "4k2p/8/8/8/8/8/8/4K3";
        assert_eq!(read(seen, &[("h8", 'b', 0.2)]).placement.to_string(), "4k2b/8/8/8/8/8/8/4K3");
        let stubborn = read(seen, &[]);
        assert_eq!(stubborn.placement.to_string(), seen);
        assert_eq!(codes(&stubborn), ["pawn-on-back-rank"]);
    }

    #[test]
    fn excess_pieces_are_removed() {
        let nine = "4k3/pppppppp/p7/8/8/8/8/4K3";
        assert_eq!(read(nine, &[("a6", '.', 0.3)]).placement.to_string(), "4k3/pppppppp/8/8/8/8/8/4K3");
        assert_eq!(codes(&read(nine, &[])), ["too-many-pawns"]);
        let queens = "4k3/8/8/8/QQ6/8/PPPPPPPP/4K3";
        assert_eq!(read(queens, &[("b4", '.', 0.2)]).placement.to_string(), "4k3/8/8/8/Q7/8/PPPPPPPP/4K3");
        assert_eq!(codes(&read(queens, &[])), ["promotion-budget"]);
    }

    #[test]
    fn two_bishops_of_one_shade_beside_eight_pawns_break_a_limit() {
        let seen = "4k3/8/8/8/8/4B3/PPPPPPPP/2B3K1";
        assert_eq!(read(seen, &[("e3", 'N', 0.2)]).placement.to_string(), "4k3/8/8/8/8/4N3/PPPPPPPP/2B3K1");
        assert_eq!(codes(&read(seen, &[])), ["promotion-budget"]);
        // A bishop of the other shade is no promoted one.
        let both = "4k3/8/8/8/8/8/PPPPPPPP/2B2BK1";
        assert_eq!(read(both, &[("f1", 'N', 0.2)]).placement.to_string(), both);
    }

    #[test]
    fn other_issues_are_named() {
        assert_eq!(codes(&read("8/8/8/8/8/8/8/8", &[])), ["empty-board", "missing-king", "missing-king"]);
        assert_eq!(codes(&read("8/8/8/3kK3/8/8/8/8", &[])), ["kings-adjacent"]);
        assert_eq!(codes(&read("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR", &[])), ["board-mirrored"]);
    }

    #[test]
    fn given_squares_stay_and_bind_the_rules() {
        // Two kings are seen, and d8 is more probably a queen than e8 is. But the user knows that a king is on d8.
        let seen: Placement = "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR".parse().unwrap();
        let scores = scores_with(&seen, 0.999, &[("d8", 'q', 0.4), ("e8", 'q', 0.2)]);
        let (white, options) = (Orientation::given(Color::White), PlaceOptions::default());
        let d8 = "d8".parse().unwrap();
        let posterior = prior_shift::corrected(&scores);
        let reading = place_given(&scores, &posterior, &white, &options, &[(d8, Piece::from_letter('k'))]);
        assert_eq!(reading.placement.to_string(), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        let [d8, e8] = [reading.squares[3], reading.squares[4]];
        assert_eq!((d8.source, d8.confidence, d8.runner_up), (Source::User, 1.0, Piece::from_letter('q')));
        assert_eq!((e8.source, e8.changed), (Source::Rule, true));
        // Against the rules as well, whatever they may cost.
        let given = [(d8.square, None), (e8.square, None)];
        let reading = place_given(&scores, &posterior, &white, &PlaceOptions { most_cost: 1e6 }, &given);
        assert!(given.iter().all(|&(square, piece)| reading.placement.get(square) == piece));
    }

    pub(crate) fn placements() -> impl Strategy<Value = Placement> {
        prop::collection::vec(prop::option::weighted(0.4, 0..12usize), 64).prop_map(|pieces| {
            let mut placement = Placement::EMPTY;
            for (square, piece) in Square::all().zip(pieces) {
                placement.set(square, piece.and_then(|piece| Piece::all().nth(piece)));
            }
            placement
        })
    }

    proptest! {
        #[test]
        fn text_returns(placement in placements()) {
            prop_assert_eq!(placement.to_string().parse::<Placement>(), Ok(placement));
            prop_assert_eq!(placement.half_turn().half_turn(), placement);
        }

        #[test]
        fn text_never_panics(text in "[1-9a-zA-Z/]{0,80}") {
            let _ = text.parse::<Placement>();
        }

        /// The limits that guide the reading are those whose issues are reported.
        #[test]
        fn limits_and_issues_agree(placement in placements(), sparse in any::<bool>()) {
            let mut placement = placement;
            if sparse {
                // Of 25 pieces or so few kinds are within their limits; half of them are.
                Square::all().step_by(2).for_each(|square| placement.set(square, None));
            }
            let material = Material::of(&placement);
            let (fen, _) = complete(&placement, &Cues::default(), &Answers::default());
            let has = |code: Code| fen.issues().iter().any(|issue| issue.code == code);
            let exceeds = |limit: Limit| Color::ALL.into_iter().any(|color| material.excess(limit, color) > 0);
            prop_assert_eq!(exceeds(Limit::PawnRanks), has(Code::PawnOnBackRank));
            prop_assert_eq!(exceeds(Limit::OneKing), has(Code::MissingKing) || has(Code::TooManyKings));
            prop_assert_eq!(exceeds(Limit::Pawns), has(Code::TooManyPawns));
            prop_assert_eq!(exceeds(Limit::Pieces), has(Code::TooManyPieces));
            // Not examined where there are too many; bishops that are shut in at home raise it within the limit too.
            let counted = !exceeds(Limit::Pawns) && !exceeds(Limit::Pieces);
            if counted && exceeds(Limit::Promotions) {
                prop_assert!(has(Code::PromotionBudget));
            }
            let home_pawns = placement.pieces().any(|(square, piece)| {
                piece.role == Role::Pawn && square.rank().seen_by(piece.color).index() == 1
            });
            if counted && !home_pawns {
                prop_assert_eq!(exceeds(Limit::Promotions), has(Code::PromotionBudget));
            }
        }

        #[test]
        fn rules_only_repair(placement in placements(), sure in 0.2f32..0.99) {
            let scores = scores_with(&placement, sure, &[]);
            let free = PlaceOptions { most_cost: -1.0 };
            let seen = place(&scores, &Orientation::given(Color::White), &free);
            prop_assert_eq!(seen.placement, placement);
            let repaired = place(&scores, &Orientation::given(Color::White), &PlaceOptions::default());
            prop_assert!(Material::of(&repaired.placement).total_excess() <= Material::of(&placement).total_excess());
        }
    }
}
