//! Work on candidates in order, where a candidate is skipped once an earlier one has led to a result that covers it.

use rayon::prelude::*;

use crate::error::Result;

/// Works on candidates as if one after the other: a candidate that a result so far covers is skipped, every other one adds
/// its result, if it has one. On several threads, candidates that do not cover each other are worked on at the same time; the
/// results are those of a single thread.
///
/// # Errors
/// The first error of the work.
pub(super) fn in_order<C: Sync, R: Send>(
    candidates: &[C],
    work: impl Fn(&C) -> Result<Option<R>> + Sync,
    covers: impl Fn(&R, &C) -> bool,
    near: impl Fn(&C, &C) -> bool,
) -> Result<Vec<R>> {
    // Work ahead may be in vain; a single thread gains nothing by it.
    let ahead = if rayon::current_num_threads() > 1 { candidates.len() } else { 1 };
    let mut done: Vec<Option<Option<R>>> = candidates.iter().map(|_| None).collect();
    let mut results: Vec<R> = Vec::new();
    for at in 0..candidates.len() {
        let is_covered = |candidate: &C| results.iter().any(|result| covers(result, candidate));
        if is_covered(&candidates[at]) {
            continue;
        }
        if done[at].is_none() {
            let mut batch: Vec<usize> = vec![at];
            for other in at + 1..candidates.len() {
                let is_free = done[other].is_none() && !is_covered(&candidates[other]);
                if is_free && !batch.iter().any(|&earlier| near(&candidates[earlier], &candidates[other])) {
                    batch.push(other);
                }
            }
            batch.truncate(ahead);
            let found = batch.par_iter().map(|&index| work(&candidates[index]));
            for (index, found) in batch.iter().zip(found.collect::<Result<Vec<_>>>()?) {
                done[*index] = Some(found);
            }
        }
        results.extend(done[at].take().flatten());
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;
    use crate::error::Error;

    /// Candidates are numbers, and the result of an even one is its half; a result covers what is at most 3 away from it.
    fn sequential(candidates: &[i32]) -> Vec<i32> {
        let mut results: Vec<i32> = Vec::new();
        for &candidate in candidates {
            if !results.iter().any(|result| (result - candidate).abs() <= 3) {
                results.extend((candidate % 2 == 0).then_some(candidate / 2));
            }
        }
        results
    }

    fn parallel(threads: usize, candidates: &[i32]) -> (Vec<i32>, usize) {
        let worked = AtomicUsize::new(0);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let work = |candidate: &i32| {
            worked.fetch_add(1, Ordering::Relaxed);
            Ok((candidate % 2 == 0).then_some(candidate / 2))
        };
        let results = pool.install(|| {
            in_order(candidates, work, |result, candidate| (result - candidate).abs() <= 3, |a, b| (a - b).abs() <= 3)
        });
        (results.unwrap(), worked.into_inner())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn several_threads_give_the_results_of_one(candidates in prop::collection::vec(-20..20i32, 0..24)) {
            let expected = sequential(&candidates);
            prop_assert_eq!(&parallel(1, &candidates).0, &expected);
            prop_assert_eq!(&parallel(3, &candidates).0, &expected);
        }
    }

    #[test]
    fn one_thread_does_no_work_in_vain() {
        // 10 gives 5, which covers 6 and 7.
        assert_eq!(parallel(1, &[10, 6, 7]), (vec![5], 1));
    }

    #[test]
    fn errors_end_the_work() {
        let work = |_: &i32| Err::<Option<i32>, _>(Error::Inference { source: "broken".into() });
        assert!(in_order(&[1, 2], work, |_, _| false, |_, _| false).is_err());
    }
}
