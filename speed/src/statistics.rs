//! What samples say.

use hdrhistogram::Histogram;

/// Three significant digits: quantiles are exact to 0.1%, in memory that does not grow with the samples.
const DIGITS: u8 = 3;

/// Samples of one phase, added up as they come.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    operations: u64,
    busy_ns: u64,
    samples: u64,
    min_ns: u64,
    max_ns: u64,
    histogram: Histogram<u64>,
    kept: Option<Kept>,
}

/// The first samples themselves.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) samples_ns: Vec<u64>,
    pub(crate) dropped: u64,
    limit: usize,
}

/// Quantiles of the samples, in ns per operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "units stand in names")]
pub(crate) struct Quantiles {
    pub(crate) min_ns: u64,
    pub(crate) p50_ns: u64,
    pub(crate) p99_ns: u64,
    pub(crate) max_ns: u64,
}

impl Tally {
    /// Nothing yet. With a limit, that many samples are kept one by one.
    pub(crate) fn new(keep: Option<usize>) -> Self {
        Tally {
            operations: 0,
            busy_ns: 0,
            samples: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            histogram: histogram(),
            kept: keep.map(|limit| Kept { samples_ns: Vec::new(), dropped: 0, limit }),
        }
    }

    /// Adds samples, each of them the time of `batch` operations.
    pub(crate) fn add(&mut self, samples_ns: &[u64], batch: u32) {
        let batch = u64::from(batch);
        for total_ns in samples_ns {
            let one_ns = divide_rounded(*total_ns, batch);
            self.operations += batch;
            self.busy_ns += total_ns;
            self.samples += 1;
            self.min_ns = self.min_ns.min(one_ns);
            self.max_ns = self.max_ns.max(one_ns);
            // It grows as it needs, so any sample has its place.
            let recorded = self.histogram.record(one_ns);
            debug_assert!(recorded.is_ok());
            if let Some(kept) = &mut self.kept {
                kept.add(one_ns);
            }
        }
    }

    /// Operations done.
    pub(crate) fn operations(&self) -> u64 {
        self.operations
    }

    /// The time they took, summed over the threads, in ns.
    pub(crate) fn busy_ns(&self) -> u64 {
        self.busy_ns
    }

    /// The number of samples: operations, or batches of them.
    pub(crate) fn samples(&self) -> u64 {
        self.samples
    }

    /// The mean time of an operation, in ns; `None` without operations.
    pub(crate) fn mean_ns(&self) -> Option<f64> {
        (self.operations > 0).then(|| ratio(self.busy_ns, self.operations))
    }

    /// `None` without samples.
    pub(crate) fn quantiles(&self) -> Option<Quantiles> {
        let percentiles = self.percentiles()?;
        Some(Quantiles {
            min_ns: percentiles[0],
            p50_ns: percentiles[50],
            p99_ns: percentiles[99],
            max_ns: percentiles[100],
        })
    }

    /// The samples of rank ceil(percent/100 x samples), the first one having rank 1, for the percents from 0
    /// to 100, in ns per operation; `None` without samples.
    pub(crate) fn percentiles(&self) -> Option<[u64; 101]> {
        if self.samples == 0 {
            return None;
        }
        let ranks = (0..=100).map(|percent| nearest_rank(percent, self.samples));
        let mut percentiles = [self.max_ns; 101];
        let mut seen = 0;
        let mut value_ns = self.min_ns;
        let mut buckets = self.histogram.iter_recorded();
        for (percentile, rank) in percentiles.iter_mut().zip(ranks) {
            if rank == self.samples {
                // The greatest of all, which is known exactly.
                break;
            }
            while seen < rank {
                let Some(bucket) = buckets.next() else { break };
                seen += bucket.count_since_last_iteration();
                let middle = self.histogram.median_equivalent(bucket.value_iterated_to());
                value_ns = middle.clamp(self.min_ns, self.max_ns);
            }
            // As the greatest one, the least is known exactly.
            *percentile = if rank <= 1 { self.min_ns } else { value_ns };
        }
        Some(percentiles)
    }

    /// The samples that were kept, if any were to be.
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }
}

impl Kept {
    fn add(&mut self, sample_ns: u64) {
        if self.samples_ns.len() < self.limit {
            self.samples_ns.push(sample_ns);
        } else {
            self.dropped += 1;
        }
    }
}

/// Figures of a phase over all its trials.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    pub(crate) tally: Tally,
    pub(crate) means_ns: Vec<f64>,
    pub(crate) fewest_operations: u64,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Pool { tally: Tally::new(None), means_ns: Vec::new(), fewest_operations: u64::MAX }
    }

    /// Adds a trial.
    pub(crate) fn add(&mut self, trial: &Tally) {
        let Some(mean) = trial.mean_ns() else { return };
        self.means_ns.push(mean);
        self.fewest_operations = self.fewest_operations.min(trial.operations);
        let tally = &mut self.tally;
        tally.operations += trial.operations;
        tally.busy_ns += trial.busy_ns;
        tally.samples += trial.samples;
        tally.min_ns = tally.min_ns.min(trial.min_ns);
        tally.max_ns = tally.max_ns.max(trial.max_ns);
        // Both grow as they need, so adding can't fail for a lack of room.
        let added = tally.histogram.add(&trial.histogram);
        debug_assert!(added.is_ok());
    }

    /// (greatest - least) / median of the trials' means, in percent; `None` with fewer than two trials.
    pub(crate) fn spread_pct(&self) -> Option<f64> {
        let mut means = self.means_ns.clone();
        means.sort_by(f64::total_cmp);
        let (&[least, ..], &[.., greatest]) = (means.as_slice(), means.as_slice()) else { return None };
        if means.len() < 2 {
            return None;
        }
        let median = f64::midpoint(means[(means.len() - 1) / 2], means[means.len() / 2]);
        if median > 0.0 { Some((greatest - least) / median * 100.0) } else { None }
    }
}

/// Never fails: the digits are within the crate's range.
#[expect(clippy::expect_used, reason = "constant arguments, held by every test of this file")]
fn histogram() -> Histogram<u64> {
    Histogram::new(DIGITS).expect("three digits are within 0 to 5")
}

/// The rank, from 1, of a percentile among this many samples: ceil(percent/100 x samples), at least 1.
pub(crate) fn nearest_rank(percent: u8, samples: u64) -> u64 {
    let rank = (u128::from(percent) * u128::from(samples)).div_ceil(100);
    // A percent is at most 100, so the rank is at most the number of samples.
    u64::try_from(rank).unwrap_or(samples).max(1)
}

fn divide_rounded(total: u64, by: u64) -> u64 {
    (total + by / 2) / by
}

/// `a / b`; both are far below 2^53 in any run, where the conversion is exact.
#[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
pub(crate) fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(samples: impl IntoIterator<Item = u64>) -> Tally {
        let samples: Vec<u64> = samples.into_iter().collect();
        let mut tally = Tally::new(Some(1000));
        tally.add(&samples, 1);
        tally
    }

    fn assert_within_a_thousandth(actual: u64, expected: u64) {
        assert!(actual.abs_diff(expected) * 1000 <= expected, "{actual} is not {expected}");
    }

    #[test]
    fn nothing_has_no_figures() {
        let tally = Tally::new(None);
        assert_eq!(tally.mean_ns(), None);
        assert_eq!(tally.quantiles(), None);
        assert_eq!(Pool::new().spread_pct(), None);
    }

    #[test]
    fn one_sample_is_all_of_its_quantiles() {
        let quantiles = tally([123_456_789]).quantiles().unwrap();
        let same = 123_456_789;
        assert_eq!(quantiles, Quantiles { min_ns: same, p50_ns: same, p99_ns: same, max_ns: same });
    }

    #[test]
    fn quantiles_are_those_of_the_nearest_rank() {
        // 1 to 100, in an order that is none.
        let hundred = tally((0..100).map(|i| (i * 37) % 100 + 1));
        assert_eq!(
            hundred.quantiles().unwrap(),
            Quantiles { min_ns: 1, p50_ns: 50, p99_ns: 99, max_ns: 100 }
        );
        assert_eq!(hundred.mean_ns(), Some(50.5));
        // Below a hundred samples the 99th percentile is the greatest one.
        assert_eq!(tally(1..=99).quantiles().unwrap().p99_ns, 99);
        assert_eq!(tally([1, 2]).quantiles().unwrap().p50_ns, 1);
        assert_eq!(tally([1, 2, 3]).quantiles().unwrap().p50_ns, 2);
    }

    #[test]
    fn quantiles_of_long_operations_are_exact_to_a_thousandth() {
        let samples = (1..=100_000u64).map(|i| i * 77_777);
        let quantiles = tally(samples).quantiles().unwrap();
        assert_within_a_thousandth(quantiles.p50_ns, 50_000 * 77_777);
        assert_within_a_thousandth(quantiles.p99_ns, 99_000 * 77_777);
        assert_eq!((quantiles.min_ns, quantiles.max_ns), (77_777, 100_000 * 77_777));
    }

    #[test]
    fn percentiles_are_those_of_the_nearest_rank() {
        let sorted: Vec<u64> = (1..=1000u64).map(|i| i * i * 997).collect();
        // In an order that is none.
        let tally = tally((0..1000).map(|i| sorted[(i * 377) % 1000]));
        let percentiles = tally.percentiles().unwrap();
        assert!(percentiles.is_sorted());
        for (percent, actual) in percentiles.into_iter().enumerate() {
            assert_within_a_thousandth(actual, sorted[(percent * 10).max(1) - 1]);
        }
        let Quantiles { min_ns, p50_ns, p99_ns, max_ns } = tally.quantiles().unwrap();
        assert_eq!([0, 50, 99, 100].map(|i| percentiles[i]), [min_ns, p50_ns, p99_ns, max_ns]);
        assert_eq!((min_ns, max_ns), (997, 997_000_000));
    }

    #[test]
    fn percentiles_of_two_samples_are_one_or_the_other() {
        let percentiles = tally([9_000_001, 5_000_001]).percentiles().unwrap();
        assert!(percentiles[..=50].iter().all(|ns| *ns == 5_000_001));
        assert!(percentiles[51..].iter().all(|ns| *ns == 9_000_001));
        assert_eq!(Tally::new(None).percentiles(), None);
    }

    #[test]
    fn a_batch_counts_all_of_its_operations() {
        let mut tally = Tally::new(Some(10));
        tally.add(&[1000, 1500], 10);
        assert_eq!((tally.operations(), tally.samples(), tally.busy_ns()), (20, 2, 2500));
        assert_eq!(tally.mean_ns(), Some(125.0));
        assert_eq!(tally.kept().unwrap().samples_ns, [100, 150]);
        assert_eq!(tally.quantiles().unwrap().max_ns, 150);
    }

    #[test]
    fn operations_of_no_length_are_counted() {
        let none = tally([0, 0, 0]);
        assert_eq!(none.mean_ns(), Some(0.0));
        assert_eq!(none.quantiles().unwrap(), Quantiles { min_ns: 0, p50_ns: 0, p99_ns: 0, max_ns: 0 });
    }

    #[test]
    fn no_more_samples_are_kept_than_the_limit() {
        let kept = tally(0..1005);
        let kept = kept.kept().unwrap();
        assert_eq!((kept.samples_ns.len(), kept.dropped), (1000, 5));
        assert!(tally([]).kept().unwrap().samples_ns.is_empty());
    }

    #[test]
    fn trials_are_pooled_by_their_operations_and_spread_by_their_means() {
        let mut pool = Pool::new();
        pool.add(&tally([100; 300]));
        assert_eq!(pool.spread_pct(), None);
        pool.add(&tally([200; 100]));
        pool.add(&tally([110; 100]));
        assert_eq!(pool.tally.mean_ns(), Some(122.0));
        assert_eq!(pool.fewest_operations, 100);
        assert_eq!(pool.spread_pct(), Some(100.0 / 110.0 * 100.0));
        let quantiles = pool.tally.quantiles().unwrap();
        assert_eq!((quantiles.min_ns, quantiles.p50_ns, quantiles.max_ns), (100, 100, 200));
    }

    #[test]
    fn a_trial_without_operations_leaves_the_pool_as_it_was() {
        let mut pool = Pool::new();
        pool.add(&Tally::new(None));
        assert!(pool.means_ns.is_empty());
        assert_eq!(pool.tally.quantiles(), None);
    }
}
