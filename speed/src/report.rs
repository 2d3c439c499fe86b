//! What a run found.

use std::fmt;
use std::path::PathBuf;

use crate::clock::Precision;
use crate::workload::Identity;

/// What a run found: every phase that was asked for is a row, a failure (and then perhaps a row of the trials
/// before it), or skipped.
#[derive(Clone, Debug)]
pub struct Report {
    /// One row per algorithm x backend x operation, in the order of the options.
    pub rows: Vec<Row>,
    /// What could not be timed, and was not tried.
    pub skipped: Vec<Unmeasured>,
    /// What was tried and failed.
    pub failures: Vec<Unmeasured>,
    /// The trial logs that were written, one per trial.
    pub logs: Vec<PathBuf>,
    /// The clock that measured.
    pub clock: Precision,
}

/// A phase without a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmeasured {
    /// The phase.
    pub identity: Identity,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Unmeasured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.identity, self.reason)
    }
}

/// The figures of one algorithm x backend x operation, over all trials. Times are those of one operation, in
/// nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was timed.
    pub identity: Identity,
    /// OpenSSL's provider that really did the work; `None` where the library has no such word.
    pub provider: Option<String>,
    /// The mean: the time of all operations by their number.
    pub mean_ns: f64,
    /// The median: half of the samples are at most this. Like p99 it is exact to 0.1%.
    pub p50_ns: u64,
    /// The least sample that 99% of the samples do not exceed (nearest rank): with fewer than 100 samples,
    /// the greatest one.
    pub p99_ns: u64,
    /// The least sample.
    pub min_ns: u64,
    /// The greatest sample.
    pub max_ns: u64,
    /// How far the trials' means lie apart: (greatest - least) / median of them, in percent. A difference
    /// between two rows that is not well above their spreads is no finding. `None` with one trial.
    pub spread_pct: Option<f64>,
    /// Operations by the time they took; with several threads, of all of them together.
    pub ops_per_second: f64,
    /// How many operations were timed, in all trials and threads.
    pub rounds: u64,
    /// In how many trials.
    pub trials: u32,
    /// How many threads worked at the same time.
    pub threads: usize,
    /// How many operations make one sample: 1, or more where one operation is shorter than 100 steps of the
    /// clock. Samples are then the means of that many operations.
    pub batch: u32,
    /// What a reader of the figures should know.
    pub notes: Vec<Note>,
    /// The single samples in ns in the order of measuring, trial after trial, if asked for: at most the first
    /// [`crate::MAX_KEPT_SAMPLES`] of each trial.
    pub samples_ns: Option<Vec<u64>>,
}

/// What a reader of a row should know. `Display` gives a short sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// A trial timed one operation only: its mean is that operation's luck.
    OneOperation,
    /// Fewer than 100 samples: p99 is the greatest of them.
    FewSamples {
        /// How many there are.
        samples: u64,
    },
    /// Samples are means of this many operations.
    Batches {
        /// How many operations.
        size: u32,
    },
    /// A later trial failed: the row holds the trials before it.
    Incomplete,
    /// More samples were taken than are kept.
    SamplesDropped {
        /// How many are missing from `samples_ns`.
        dropped: u64,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::OneOperation => f.write_str("one operation in a trial: give it more time"),
            Note::FewSamples { samples } => write!(f, "p99 is the greatest of {samples}"),
            Note::Batches { size } => write!(f, "timed in batches of {size}"),
            Note::Incomplete => f.write_str("a later trial failed"),
            Note::SamplesDropped { dropped } => write!(f, "{dropped} samples not kept"),
        }
    }
}
