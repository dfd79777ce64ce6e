//! Prior-shift correction: probabilities of the world instead of those of the training data.
//!
//! The classifier is trained on boards of which three in ten break a rule, so that it reads what is there and does not
//! expect legal chess. Its probabilities are therefore those of a world in which a board without a king, or with two, is
//! common. That matters where it hesitates between queen and king while the king stands elsewhere for certain.
//! [`corrected`] applies Bayes' rule: each count of kings is weighted by how much rarer it is in the world than in training.
//! The correction changes how sure a reading is; it does not decide what stands on a square.

use super::classify::Scores;
use crate::games::{
    chess::Piece,
    game::{Game, Tile},
};

/// How often boards have no king, one, and several of a color. In training: of 4,000 drawn by `Art.placement`
/// (`scripts/draw/art.py`). In the world: a cautious assumption; every game and endgame has one, teaching diagrams sometimes
/// have none, and misprints sometimes two.
const KINGS: [Share; 3] = [
    Share { training: 0.113, world: 0.015 },
    Share { training: 0.715, world: 0.982 },
    Share { training: 0.172, world: 0.003 },
];

/// How often boards have no pawn on their outer ranks, and how often one or several, which come together.
const OUTER_PAWNS: [Share; 3] = [
    Share { training: 0.85, world: 0.995 },
    Share { training: 0.15, world: 0.005 },
    Share { training: 0.15, world: 0.005 },
];

/// The share of boards with a property.
#[derive(Clone, Copy)]
struct Share {
    training: f64,
    world: f64,
}

/// The probabilities of every class on every tile after prior-shift correction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Posterior(Scores);

impl Posterior {
    /// The probability of a piece, or of an empty square, on a tile; 0 for a piece of another game.
    pub(crate) fn probability(&self, tile: Tile, piece: Option<Piece>) -> f32 {
        let class = self.0.game().classes().find(piece.map_or('.', Piece::letter));
        class.map_or(0.0, |class| self.0.of(tile)[class])
    }
}

/// Corrects for how rarely boards break the rules: by the count of kings of either side and of pawns on the outer ranks.
/// Nothing is known about another game than chess, so its scores stay as they are.
pub(crate) fn corrected(scores: &Scores) -> Posterior {
    if scores.game() != Game::Chess {
        return Posterior(scores.clone());
    }
    let grid = scores.grid();
    let class = |letter: char| scores.game().classes().find(letter).expect("a piece of chess");
    let mut rows: Vec<Vec<f64>> =
        grid.tiles().map(|tile| scores.of(tile).iter().map(|&p| f64::from(p)).collect()).collect();
    let (first, last) = (grid.cols, grid.len() - grid.cols);
    let mut outer: Vec<&mut Vec<f64>> =
        rows.iter_mut().enumerate().filter(|(at, _)| *at < first || *at >= last).map(|(_, row)| row).collect();
    correct(&mut outer, &[class('P'), class('p')], OUTER_PAWNS);
    let mut all: Vec<&mut Vec<f64>> = rows.iter_mut().collect();
    for king in ['K', 'k'] {
        correct(&mut all, &[class(king)], KINGS);
    }
    Posterior(scores.replaced(rows.into_iter().flatten().map(|p| p as f32).collect()))
}

/// For every tile, in row-major order, the corrected probability of the class that the classifier itself prefers.
pub(crate) fn confidences(scores: &Scores) -> Vec<f32> {
    let Posterior(corrected) = corrected(scores);
    let top = |tile: Tile| {
        let row = scores.of(tile);
        let class = (0..row.len()).max_by(|&a, &b| row[a].total_cmp(&row[b])).expect("every game has classes");
        corrected.of(tile)[class]
    };
    scores.grid().tiles().map(top).collect()
}

/// Corrects for how many of some tiles hold one of some classes: none, one, several. The tiles are independent of each other,
/// as the classifier gives them.
fn correct(rows: &mut [&mut Vec<f64>], classes: &[usize], shares: [Share; 3]) {
    let weight = shares.map(|share| share.world / share.training);
    let held = |row: &[f64]| classes.iter().map(|&class| row[class]).sum::<f64>().min(1.0);
    // For each tile the probabilities that the tiles before it hold none, one, or several.
    let mut before = vec![[1.0, 0.0, 0.0]];
    for row in rows.iter() {
        before.push(and_one(before[before.len() - 1], held(row)));
    }
    let mut after = [1.0, 0.0, 0.0];
    for (row, before) in rows.iter_mut().zip(before).rev() {
        let others = and_several(before, after);
        after = and_one(after, held(row));
        let without: f64 = others.iter().zip(weight).map(|(p, w)| p * w).sum();
        let with = others[0] * weight[1] + (others[1] + others[2]) * weight[2];
        for (class, value) in row.iter_mut().enumerate() {
            *value *= if classes.contains(&class) { with } else { without };
        }
        normalize(row);
    }
}

/// The count with one more tile, which holds one with probability `p`.
fn and_one([none, one, more]: [f64; 3], p: f64) -> [f64; 3] {
    [none * (1.0 - p), one * (1.0 - p) + none * p, more + one * p]
}

/// The count on two parts of the board together.
fn and_several(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    let (none, one) = (a[0] * b[0], a[0] * b[1] + a[1] * b[0]);
    [none, one, (a.iter().sum::<f64>() * b.iter().sum::<f64>() - none - one).max(0.0)]
}

fn normalize(row: &mut [f64]) {
    let sum: f64 = row.iter().sum();
    if sum > 0.0 {
        row.iter_mut().for_each(|p| *p /= sum);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        games::chess::Square,
        recognize::place::tests::{placements, scores_with},
    };

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    /// The corrected probability of a piece on a square of a board that is seen from White's side.
    fn of(placement: &str, others: &[(&str, char, f32)], square: &str, piece: char) -> f32 {
        let square: Square = square.parse().unwrap();
        let Posterior(scores) = corrected(&scores_with(&placement.parse().unwrap(), 0.9999, others));
        let tile = Tile { row: 7 - square.rank().index(), col: square.file().index() };
        scores.of(tile)[Game::Chess.classes().find(piece).unwrap()]
    }

    #[test]
    fn a_king_elsewhere_speaks_for_the_queen() {
        let wavering = [("d1", 'Q', 0.8), ("d1", 'K', 0.2)];
        assert!(of(GAME, &wavering, "d1", 'Q') > 0.99);
        // Where no other may be the king, the doubt turns round.
        let no_other = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1R2";
        assert!(of(no_other, &wavering, "d1", 'K') > 0.7);
    }

    #[test]
    fn what_is_plain_stays() {
        // Two kings that the classifier sees beyond doubt, and a board without any.
        let two = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2K1RK1";
        assert!(of(two, &[], "d1", 'K') > 0.99 && of(two, &[], "g1", 'K') > 0.99);
        assert!(of("8/8/8/3q4/8/8/4P3/8", &[], "d5", 'q') > 0.99);
    }

    #[test]
    fn pawns_are_rare_on_the_outer_ranks_only() {
        let doubt = [("f1", 'R', 0.8), ("f1", 'P', 0.2), ("e2", 'B', 0.8), ("e2", 'P', 0.2)];
        assert!(of(GAME, &doubt, "f1", 'R') > 0.99);
        assert!((of(GAME, &doubt, "e2", 'B') - 0.8).abs() < 1e-3);
    }

    /// Against all eight combinations on three doubtful squares, enumerated.
    #[test]
    fn the_correction_equals_the_sum_over_all_cases() {
        let doubts = [("d1", 0.3), ("e1", 0.6), ("f1", 0.2)];
        let others: Vec<_> = doubts.iter().flat_map(|&(at, p)| [(at, 'K', p), (at, 'Q', 1.0 - p)]).collect();
        let mut sums = [[0.0f64; 2]; 3];
        for case in 0..8usize {
            let is_king = |i: usize| case >> i & 1 == 1;
            let p: f64 = (0..3).map(|i| f64::from(if is_king(i) { doubts[i].1 } else { 1.0 - doubts[i].1 })).product();
            let share = KINGS[(0..3).filter(|&i| is_king(i)).count().min(2)];
            (0..3).for_each(|i| sums[i][usize::from(is_king(i))] += p * share.world / share.training);
        }
        let without_king = "6k1/8/8/8/8/8/8/3QQQ2";
        for (i, (square, _)) in doubts.into_iter().enumerate() {
            let expected = sums[i][1] / (sums[i][0] + sums[i][1]);
            let found = f64::from(of(without_king, &others, square, 'K'));
            assert!((found - expected).abs() < 2e-3, "{square}: {found}, {expected}");
        }
    }

    #[test]
    fn confidence_is_that_of_what_was_seen() {
        // Slightly more king than queen as seen, a queen after correction.
        let others = [("d1", 'K', 0.55), ("d1", 'Q', 0.45)];
        let scores = scores_with(&GAME.parse().unwrap(), 0.9999, &others);
        assert!(confidences(&scores)[7 * 8 + 3] < 0.1 && corrected(&scores).0.least_sure() > 0.9);
    }

    proptest! {
        #[test]
        fn probabilities_stay_probabilities(placement in placements(), sure in 0.1f32..0.9999) {
            let Posterior(scores) = corrected(&scores_with(&placement, sure, &[]));
            for tile in scores.grid().tiles() {
                let sum: f32 = scores.of(tile).iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-4 && scores.of(tile).iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }

        /// The order of the tiles makes no difference.
        #[test]
        fn either_way_up(placement in placements(), sure in 0.1f32..0.9999) {
            let scores = scores_with(&placement, sure, &[]);
            let turned = scores.rearranged(|tile| scores.grid().half_turn(tile));
            let (Posterior(one), Posterior(other)) = (corrected(&scores), corrected(&turned));
            for tile in scores.grid().tiles() {
                for (a, b) in one.of(tile).iter().zip(other.of(scores.grid().half_turn(tile))) {
                    prop_assert!((a - b).abs() < 1e-4);
                }
            }
        }
    }
}
