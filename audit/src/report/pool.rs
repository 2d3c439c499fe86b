//! The percentiles of several trials taken together.

use crate::sample::float;

/// The 0th to the 100th percentile, in ns per operation, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Percentiles([u64; 101]);

impl Percentiles {
    /// The percentile of this number, 0 to 100, in ns; greater ones are the 100th.
    pub(crate) fn at(&self, percent: usize) -> f64 {
        float(self.0.get(percent).copied().unwrap_or(self.0[100]))
    }
}

/// The percentiles of all operations of all trials: the mixture of the trials' distributions, each weighted by
/// its count of operations. Between two percentiles a trial has a hundredth of its operations, and they are
/// taken to be at the upper one, as nearest rank does. `None` without trials, and unless each has 101 ascending
/// percentiles.
pub(crate) fn pool(trials: &[(&[u64], u64)]) -> Option<Percentiles> {
    let mut pieces: Vec<(u64, u128)> = Vec::with_capacity(trials.len() * 100);
    let mut least = u64::MAX;
    for (percentiles, operations) in trials {
        let percentiles: &[u64; 101] = (*percentiles).try_into().ok()?;
        if !percentiles.is_sorted() {
            return None;
        }
        least = least.min(percentiles[0]);
        pieces.extend(percentiles[1..].iter().map(|value| (*value, u128::from(*operations))));
    }
    pieces.sort_unstable();
    let total: u128 = pieces.iter().map(|(_, weight)| weight).sum();
    let mut pooled = [least; 101];
    let mut below: u128 = 0;
    let mut percent = 1;
    for (value, weight) in pieces {
        below += weight;
        while percent <= 100 && below * 100 >= total * percent as u128 {
            pooled[percent] = value;
            percent += 1;
        }
    }
    (percent > 100).then_some(Percentiles(pooled))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ascending(from: u64) -> Vec<u64> {
        (from..=from + 100).collect()
    }

    #[test]
    fn one_trial_keeps_its_percentiles() {
        let trial = ascending(1000);
        let pooled = pool(&[(&trial, 7)]).unwrap();
        assert_eq!(pooled.0.to_vec(), trial);
    }

    #[test]
    fn two_equal_trials_are_like_one() {
        let trial = ascending(1000);
        assert_eq!(pool(&[(&trial, 7), (&trial, 70)]).unwrap().0.to_vec(), trial);
    }

    #[test]
    fn a_trial_weighs_as_many_operations_as_it_has() {
        let (fast, slow) = (vec![10; 101], vec![1000; 101]);
        let pooled = pool(&[(&fast, 3), (&slow, 1)]).unwrap();
        assert_eq!((pooled.0[0], pooled.0[75], pooled.0[76], pooled.0[100]), (10, 10, 1000, 1000));
    }

    #[test]
    fn what_are_no_percentiles_are_not_pooled() {
        assert_eq!(pool(&[]), None);
        assert_eq!(pool(&[(&[1, 2, 3], 5)]), None);
        let mut descending = ascending(1000);
        descending.reverse();
        assert_eq!(pool(&[(&descending, 5)]), None);
        let huge = vec![u64::MAX; 101];
        assert_eq!(pool(&[(&huge, u64::MAX), (&huge, u64::MAX)]).unwrap().0[100], u64::MAX);
    }
}
