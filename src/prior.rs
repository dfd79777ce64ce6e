//! What boards in the world are like where those that the classifier learned from are not.
//!
//! The classifier is trained on boards of which three in ten break a rule, so that it reads what is there and does not
//! expect legal chess. Its probabilities are therefore those of a world in which a board without a king, or with two, is
//! common. Where it wavers between queen and king while the king stands elsewhere for certain, that matters. [`weighed`]
//! turns its probabilities into those of the world by Bayes' rule: each count of kings is weighed by how much rarer it is
//! in the world than in training. That makes readings surer or less sure; what stands on a square is not decided here.

use crate::{
    classify::Scores,
    game::{Game, Tile},
};

/// How often boards have no king, one, and several of a colour. In training: measured on 4,000 drawn placements. In the
/// world: an assumption, on the safe side; of games and endgames every one has one, diagrams for teaching have at times
/// none, and misprints at times two.
const KINGS: [Share; 3] = [
    Share { training: 0.113, world: 0.015 },
    Share { training: 0.715, world: 0.982 },
    Share { training: 0.172, world: 0.003 },
];

/// How often a board has a pawn on its first or last rank.
const BACK_RANK_PAWN: Share = Share { training: 0.15, world: 0.005 };

/// The share of boards with a property.
struct Share {
    training: f64,
    world: f64,
}

/// Probabilities of every place in the light of how seldom boards break the rules: of the count of kings of either side,
/// and of pawns on the outer ranks. Of another game than chess nothing is known, so its scores stay.
pub fn weighed(scores: &Scores) -> Scores {
    if scores.game() != Game::Chess {
        return scores.clone();
    }
    let classes = scores.game().classes();
    let class = |letter: char| classes.find(letter).expect("a man of chess");
    let mut rows: Vec<Vec<f64>> =
        scores.grid().tiles().map(|tile| scores.of(tile).iter().map(|&p| f64::from(p)).collect()).collect();
    let keeps = (1.0 - BACK_RANK_PAWN.world) / (1.0 - BACK_RANK_PAWN.training);
    let outer = |tile: Tile| tile.row == 0 || tile.row + 1 == scores.grid().rows;
    for (_, row) in scores.grid().tiles().zip(&mut rows).filter(|(tile, _)| outer(*tile)) {
        for pawn in ['P', 'p'] {
            row[class(pawn)] *= BACK_RANK_PAWN.world / BACK_RANK_PAWN.training / keeps;
        }
        normalize(row);
    }
    for king in ['K', 'k'] {
        weigh_kings(&mut rows, class(king));
    }
    scores.replaced(rows.into_iter().flatten().map(|p| p as f32).collect())
}

/// Weighs the counts of one king. The places are taken as independent of each other, as the classifier gives them.
fn weigh_kings(rows: &mut [Vec<f64>], king: usize) {
    let weight = KINGS.map(|share| share.world / share.training);
    // For each place the probabilities that the other places hold no king, one, or several.
    let mut before = vec![[1.0, 0.0, 0.0]];
    for row in rows.iter() {
        before.push(and_one(before[before.len() - 1], row[king]));
    }
    let mut after = [1.0, 0.0, 0.0];
    for (row, before) in rows.iter_mut().zip(before).rev() {
        let p = row[king];
        let others = and_several(before, after);
        after = and_one(after, p);
        let without: f64 = others.iter().zip(weight).map(|(p, w)| p * w).sum();
        let with = others[0] * weight[1] + (others[1] + others[2]) * weight[2];
        for (class, value) in row.iter_mut().enumerate() {
            *value *= if class == king { with } else { without };
        }
        normalize(row);
    }
}

/// The count of kings when one more place is looked at, which holds one with probability `p`.
fn and_one([none, one, more]: [f64; 3], p: f64) -> [f64; 3] {
    [none * (1.0 - p), one * (1.0 - p) + none * p, more + one * p]
}

/// The count of kings on two parts of the board together.
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
        chess::Square,
        position::tests::{placements, scores_with},
    };

    const GAME: &str = "r2q1rk1/pp2bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1";

    /// The probability of a man on a square after weighing; the board is seen from White's side.
    fn of(placement: &str, others: &[(&str, char, f32)], square: &str, man: char) -> f32 {
        let square: Square = square.parse().unwrap();
        let scores = weighed(&scores_with(&placement.parse().unwrap(), 0.9999, others));
        let tile = Tile { row: 7 - square.rank().index(), col: square.file().index() };
        scores.of(tile)[Game::Chess.classes().find(man).unwrap()]
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

    proptest! {
        #[test]
        fn probabilities_stay_probabilities(placement in placements(), sure in 0.1f32..0.9999) {
            let scores = weighed(&scores_with(&placement, sure, &[]));
            for tile in scores.grid().tiles() {
                let sum: f32 = scores.of(tile).iter().sum();
                prop_assert!((sum - 1.0).abs() < 1e-4 && scores.of(tile).iter().all(|p| (0.0..=1.0).contains(p)));
            }
        }

        /// The order in which the places are gone through makes no difference.
        #[test]
        fn either_way_up(placement in placements(), sure in 0.1f32..0.9999) {
            let scores = scores_with(&placement, sure, &[]);
            let turned = scores.rearranged(|tile| scores.grid().half_turn(tile));
            let (one, other) = (weighed(&scores), weighed(&turned));
            for tile in scores.grid().tiles() {
                for (a, b) in one.of(tile).iter().zip(other.of(scores.grid().half_turn(tile))) {
                    prop_assert!((a - b).abs() < 1e-4);
                }
            }
        }
    }
}
