//! Whether the fields of a phase agree with one another, as those that [`crate::run`] writes do.

use std::fmt::{self, Display};

use super::{Phase, Timeline};
use crate::statistics::nearest_rank;

impl Phase {
    /// Compares what the phase says twice: counts, times, quantiles, slices and samples. A log that
    /// [`crate::run`] wrote passes, whatever failed in it; one that was edited, or damaged without being
    /// torn, does most likely not.
    ///
    /// `threads` is that of the log's [`super::OptionsRecord`].
    ///
    /// # Errors
    /// The first contradiction, in one line, with both figures.
    pub fn check(&self, threads: u32) -> Result<(), String> {
        let threads = threads.max(1);
        self.check_counts()?;
        self.check_quantiles()?;
        self.check_mean(threads)?;
        self.check_percentiles()?;
        self.check_timeline()?;
        self.check_samples(threads)
    }

    fn check_counts(&self) -> Result<(), String> {
        let Phase { operations, elapsed_ns, slices, batch, .. } = *self;
        let failed = self.failure.is_some();
        if batch == 0 {
            return Err("batch is 0, at least 1 operation makes a sample".to_owned());
        }
        if !operations.is_multiple_of(batch.into()) {
            return Err(format!("operations is {operations}, which is no multiple of batch, {batch}"));
        }
        if operations == 0 && !failed {
            return Err("operations is 0, but failure is null".to_owned());
        }
        if operations > 0 && elapsed_ns == 0 && !failed {
            return Err(format!("operations is {operations}, but elapsed_ns is 0 and failure is null"));
        }
        if operations == 0 && elapsed_ns > 0 {
            return Err(format!("operations is 0, but elapsed_ns is {elapsed_ns}"));
        }
        if operations > 0 && slices == 0 {
            return Err(format!("operations is {operations}, but slices is 0"));
        }
        // Every slice has a sample, but for the one that failed.
        let (name, whole) = if failed {
            ("slices without the failed one", slices.saturating_sub(1))
        } else {
            ("slices", slices)
        };
        at_most(name, whole, "the number of samples", self.samples())
    }

    /// How many samples were taken.
    fn samples(&self) -> u64 {
        self.operations / u64::from(self.batch.max(1))
    }

    /// How far the samples' sum may be from the time, in ns: each of them is rounded.
    fn rounding_ns(&self) -> u128 {
        u128::from(self.samples()) * u128::from(self.batch / 2)
    }

    fn check_quantiles(&self) -> Result<(), String> {
        let named = self.named_quantiles();
        for (name, value) in named {
            match value {
                Some(ns) if self.operations == 0 => {
                    return Err(format!("operations is 0, but {name} is {ns}"));
                }
                None if self.operations > 0 => {
                    return Err(format!("operations is {}, but {name} is null", self.operations));
                }
                _ => {}
            }
        }
        for pair in named.windows(2) {
            if let [(name, Some(ns)), (next_name, Some(next_ns))] = *pair {
                at_most(name, ns, next_name, next_ns)?;
            }
        }
        Ok(())
    }

    fn named_quantiles(&self) -> [(&'static str, Option<u64>); 4] {
        [("min_ns", self.min_ns), ("p50_ns", self.p50_ns), ("p99_ns", self.p99_ns), ("max_ns", self.max_ns)]
    }

    /// The mean of the samples is between the least and the greatest of them.
    fn check_mean(&self, threads: u32) -> Result<(), String> {
        let (Some(min_ns), Some(max_ns)) = (self.min_ns, self.max_ns) else { return Ok(()) };
        let operations = u128::from(self.operations);
        let (least_ns, greatest_ns) = self.busy_ns(threads);
        let rounding_ns = self.rounding_ns();
        at_most(
            "operations x min_ns",
            u128::from(min_ns) * operations,
            "the threads' time with its rounding",
            greatest_ns + rounding_ns,
        )?;
        at_most(
            "the threads' time",
            least_ns,
            "operations x max_ns with its rounding",
            u128::from(max_ns) * operations + rounding_ns,
        )
    }

    /// Bounds of the time that all threads took together, in ns: `elapsed_ns` is their mean, rounded down.
    fn busy_ns(&self, threads: u32) -> (u128, u128) {
        let least_ns = u128::from(self.elapsed_ns) * u128::from(threads);
        (least_ns, least_ns + u128::from(threads - 1))
    }

    fn check_percentiles(&self) -> Result<(), String> {
        let Some(percentiles) = &self.percentiles_ns else { return Ok(()) };
        if self.operations == 0 {
            return Err(format!("operations is 0, but percentiles_ns has {} values", percentiles.len()));
        }
        if percentiles.len() != 101 {
            return Err(format!("percentiles_ns has {} values, not 101", percentiles.len()));
        }
        for (percent, (name, value)) in [0, 50, 99, 100].into_iter().zip(self.named_quantiles()) {
            if let (Some(ns), Some(value)) = (percentiles.get(percent), value) {
                equal(format_args!("percentiles_ns[{percent}]"), *ns, name, value)?;
            }
        }
        for (percent, pair) in percentiles.windows(2).enumerate() {
            if let [ns, next_ns] = *pair {
                let name = format_args!("percentiles_ns[{percent}]");
                at_most(name, ns, format_args!("percentiles_ns[{}]", percent + 1), next_ns)?;
            }
        }
        Ok(())
    }

    fn check_timeline(&self) -> Result<(), String> {
        let Some(Timeline { start_ns, operations, elapsed_ns }) = &self.timeline else { return Ok(()) };
        let expected = Timeline::entries_of(self.slices);
        let columns = [("start_ns", start_ns), ("operations", operations), ("elapsed_ns", elapsed_ns)];
        for (name, column) in columns {
            if column.len() as u64 != expected {
                let (entries, slices) = (column.len(), self.slices);
                return Err(format!(
                    "timeline.{name} has {entries} entries, but {slices} slices make {expected}"
                ));
            }
        }
        equal("the sum of timeline.operations", sum(operations), "operations", self.operations)?;
        equal("the sum of timeline.elapsed_ns", sum(elapsed_ns), "elapsed_ns", self.elapsed_ns)?;
        let ends = start_ns.iter().zip(elapsed_ns).map(|(start, elapsed)| start.saturating_add(*elapsed));
        for (entry, (end, next)) in ends.zip(start_ns.iter().skip(1)).enumerate() {
            let name = format_args!("the end of timeline entry {entry}");
            at_most(name, end, format_args!("the start of entry {}", entry + 1), *next)?;
        }
        Ok(())
    }

    fn check_samples(&self, threads: u32) -> Result<(), String> {
        let Some(samples) = &self.samples_ns else { return Ok(()) };
        let dropped = self.samples_dropped.unwrap_or(0);
        let counted = u128::from(dropped) + samples.len() as u128;
        let total = counted * u128::from(self.batch);
        equal("batch x the number of samples", total, "operations", self.operations)?;
        let (Some(&least), Some(&greatest)) = (samples.iter().min(), samples.iter().max()) else {
            return Ok(());
        };
        let (Some(min_ns), Some(max_ns)) = (self.min_ns, self.max_ns) else { return Ok(()) };
        if dropped > 0 {
            at_most("min_ns", min_ns, "the least of samples_ns", least)?;
            return at_most("the greatest of samples_ns", greatest, "max_ns", max_ns);
        }
        equal("the least of samples_ns", least, "min_ns", min_ns)?;
        equal("the greatest of samples_ns", greatest, "max_ns", max_ns)?;
        self.check_sum(samples, threads)?;
        self.check_ranks(samples)
    }

    fn check_sum(&self, samples: &[u64], threads: u32) -> Result<(), String> {
        let sum_ns = sum(samples) * u128::from(self.batch);
        let (least_ns, greatest_ns) = self.busy_ns(threads);
        let rounding_ns = self.rounding_ns();
        let (name, total) = ("batch x the sum of samples_ns", "the threads' time with its rounding");
        at_most(name, sum_ns, total, greatest_ns + rounding_ns)?;
        let sum_name = format_args!("{name} with its rounding");
        at_most("the threads' time", least_ns, sum_name, sum_ns + rounding_ns)
    }

    fn check_ranks(&self, samples: &[u64]) -> Result<(), String> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable();
        let at_rank = |percent: u8| {
            let rank = nearest_rank(percent, sorted.len() as u64);
            usize::try_from(rank - 1).ok().and_then(|index| sorted.get(index)).copied()
        };
        let near = |percent: u8, name: fmt::Arguments<'_>, stated: u64| match at_rank(percent) {
            // Within a thousandth.
            Some(actual) if u128::from(stated.abs_diff(actual)) * 1000 > u128::from(actual) => {
                Err(format!("{name} is {stated}, but that of samples_ns is {actual}"))
            }
            _ => Ok(()),
        };
        self.p50_ns.map_or(Ok(()), |stated| near(50, format_args!("p50_ns"), stated))?;
        self.p99_ns.map_or(Ok(()), |stated| near(99, format_args!("p99_ns"), stated))?;
        for (stated, percent) in self.percentiles_ns.iter().flatten().zip(0u8..) {
            near(percent, format_args!("percentiles_ns[{percent}]"), *stated)?;
        }
        Ok(())
    }
}

fn sum(numbers: &[u64]) -> u128 {
    numbers.iter().copied().map(u128::from).sum()
}

// The names are only written when they are needed: this runs over every entry of every log.

fn equal(
    name: impl Display,
    value: impl Into<u128>,
    other_name: impl Display,
    other: impl Into<u128>,
) -> Result<(), String> {
    let (value, other) = (value.into(), other.into());
    if value == other { Ok(()) } else { Err(format!("{name} is {value}, but {other_name} is {other}")) }
}

fn at_most(
    name: impl Display,
    value: impl Into<u128>,
    bound_name: impl Display,
    bound: impl Into<u128>,
) -> Result<(), String> {
    let (value, bound) = (value.into(), bound.into());
    if value <= bound {
        Ok(())
    } else {
        Err(format!("{name} is {value}, which is more than {bound_name}, {bound}"))
    }
}

#[cfg(test)]
mod tests;
