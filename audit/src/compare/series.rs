//! The trials of one operation, each with its slices: what intervals are made of.

use std::collections::BTreeMap;

use pqsig_speed::record::Timeline;

use crate::run::Run;
use crate::sample::{Key, float};
use crate::sampling;

/// A stretch of a trial: one slice, or some that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// How many operations were timed.
    pub operations: u64,
    /// The time that they took, in ns, summed over the threads: by `operations`, it is the time of one
    /// operation in one thread.
    pub elapsed_ns: u64,
}

/// What one trial says of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialFigure {
    /// The trial's number.
    pub trial: u32,
    /// The time of one operation in one thread, in ms, to seven significant digits.
    pub ms_per_op: f64,
    /// The slices in the order of measuring; empty if the log has none, as those of `openssl speed`, or if
    /// the run was read without its course.
    pub blocks: Vec<Block>,
    /// How far `ms_per_op` may be off in percent, either way, because the log rounds its figures.
    pub rounding_pct: f64,
}

/// The trials of one operation, by their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What was timed.
    pub key: Key,
    /// The trials that timed it.
    pub trials: Vec<TrialFigure>,
}

/// What the interval of a series rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// One average: how far another would be from it, nothing tells.
    Average,
    /// The slices of one trial: they show what changes within a trial, not from one to the next.
    Slices,
    /// Several trials.
    Trials,
}

impl Basis {
    /// The word in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Basis::Average => "one average",
            Basis::Slices => "slices of one trial",
            Basis::Trials => "trials",
        }
    }
}

impl Series {
    /// The mean of the trials' means, in ms per operation. The trial is the unit: one that got more
    /// operations done counts no more than the others. `None` without trials.
    #[must_use]
    pub fn mean_ms(&self) -> Option<f64> {
        let count = float(self.trials.len() as u64);
        let sum: f64 = self.trials.iter().map(|trial| trial.ms_per_op).sum();
        (!self.trials.is_empty()).then(|| sum / count)
    }

    /// The mean of the trials' rounding bounds: how far [`Series::mean_ms`] may be off if all of them err the
    /// same way. In percent.
    #[must_use]
    pub fn rounding_pct(&self) -> f64 {
        let count = float(self.trials.len().max(1) as u64);
        self.trials.iter().map(|trial| trial.rounding_pct).sum::<f64>() / count
    }

    /// What its interval rests on.
    #[must_use]
    pub fn basis(&self) -> Basis {
        match self.trials.as_slice() {
            [] => Basis::Average,
            [only] if only.blocks.len() < 2 => Basis::Average,
            [_] => Basis::Slices,
            _ => Basis::Trials,
        }
    }
}

/// The series of a run, in the order of their keys. Phases that failed are left out, as they are from
/// samples.csv; of a phase that stands in a log twice, which is a finding, the first counts.
///
/// Slices are there only if the run was read with [`crate::Detail::Course`].
#[must_use]
pub fn series(run: &Run) -> Vec<Series> {
    let mut slices = slices(run);
    let mut series: BTreeMap<Key, BTreeMap<u32, TrialFigure>> = BTreeMap::new();
    for sample in sampling::samples(run) {
        let blocks = slices.remove(&(sample.key.clone(), sample.trial)).unwrap_or_default();
        let figure = TrialFigure {
            trial: sample.trial,
            ms_per_op: sample.ms_per_op,
            blocks,
            rounding_pct: sample.rounding_pct.unwrap_or(0.0),
        };
        series.entry(sample.key).or_default().entry(sample.trial).or_insert(figure);
    }
    let whole = series.into_iter();
    whole.map(|(key, trials)| Series { key, trials: trials.into_values().collect() }).collect()
}

fn slices(run: &Run) -> BTreeMap<(Key, u32), Vec<Block>> {
    let mut slices = BTreeMap::new();
    for (number, log) in run.pqsig_logs() {
        for phase in log.phases.iter().filter(|phase| phase.failure.is_none()) {
            if let Some(timeline) = &phase.timeline {
                let blocks = blocks(timeline, log.run.options.threads);
                slices.entry((sampling::pqsig_key(phase), number)).or_insert(blocks);
            }
        }
    }
    slices
}

fn blocks(timeline: &Timeline, threads: u32) -> Vec<Block> {
    let pairs = timeline.operations.iter().zip(&timeline.elapsed_ns);
    let timed = pairs.filter(|(operations, _)| **operations > 0);
    timed
        .map(|(&operations, elapsed_ns)| Block {
            operations,
            elapsed_ns: elapsed_ns.saturating_mul(threads.max(1).into()),
        })
        .collect()
}
