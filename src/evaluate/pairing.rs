//! Pairs each label with its reading.

use crate::games::{chess::Square, placement::Placement};

/// Pairs the labels of a picture with its readings, by their numbers from 0. Both are in reading order, and pairs do not
/// cross. Of all such pairings, the one whose boards are most similar is taken. A board turned by half a turn counts as if
/// half a square differed, so that a board read upside down is still paired. The fourth power of similarity is summed, so
/// that one good pair is worth more than two poor ones.
pub fn pair(labels: &[Placement], readings: &[Placement]) -> Vec<(usize, usize)> {
    let similarity: Vec<Vec<f64>> =
        labels.iter().map(|label| readings.iter().map(|read| similarity(label, read)).collect()).collect();
    // Dynamic programming from the end: the most that the labels from i on and the readings from j on can yield.
    let mut best = vec![vec![0.0f64; readings.len() + 1]; labels.len() + 1];
    for i in (0..labels.len()).rev() {
        for j in (0..readings.len()).rev() {
            best[i][j] = best[i + 1][j].max(best[i][j + 1]).max(best[i + 1][j + 1] + similarity[i][j]);
        }
    }
    let (mut pairs, mut i, mut j) = (Vec::new(), 0, 0);
    while i < labels.len() && j < readings.len() {
        // The same sums as above, so equality is exact.
        if best[i][j] == best[i + 1][j + 1] + similarity[i][j] {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn similarity(label: &Placement, read: &Placement) -> f64 {
    let turned = read.half_turn();
    let same =
        |other: &Placement| Square::all().filter(|&square| label.get(square) == other.get(square)).count() as f64;
    (same(read).max(same(&turned) - 0.5) / Square::COUNT as f64).powf(4.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::tests::{GAME, START, STUDY, board};

    fn paired(labels: &[&str], readings: &[&str]) -> Vec<(usize, usize)> {
        let boards = |texts: &[&str]| texts.iter().map(|text| board(text)).collect::<Vec<_>>();
        pair(&boards(labels), &boards(readings))
    }

    #[test]
    fn order_is_kept() {
        assert_eq!(paired(&[START, GAME], &[START, GAME]), [(0, 0), (1, 1)]);
        // Crossed boards cannot both be paired; the earlier label wins a tie.
        assert_eq!(paired(&[START, GAME], &[GAME, START]).len(), 1);
        assert_eq!(paired(&[], &[START]), []);
        assert_eq!(paired(&[START], &[]), []);
    }

    #[test]
    fn a_board_too_many_or_too_few_does_not_shift_the_others() {
        assert_eq!(paired(&[START, GAME], &[STUDY, START, GAME]), [(0, 1), (1, 2)]);
        assert_eq!(paired(&[START, STUDY, GAME], &[START, GAME]), [(0, 0), (2, 1)]);
    }

    #[test]
    fn a_turned_board_is_known() {
        let turned = board(GAME).half_turn().to_string();
        assert_eq!(paired(&[GAME], &[START, &turned]), [(0, 1)]);
    }
}
