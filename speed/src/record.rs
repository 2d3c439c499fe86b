//! The trial log `pqsig-trial/1`: JSON Lines, one object per line, one file per trial.
//!
//! ```text
//! {"type":"run", ...}          always the first line: what the trial is, its options, the host before
//! {"type":"skipped", ...}      a phase that is not timed, and why
//! {"type":"phase", ...}        a phase that was timed, or that failed
//! {"type":"end", ...}          the last line of a whole trial: the host after
//! {"type":"interrupted", ...}  why there is no end
//! ```
//! A log without its `end` is incomplete. Units stand in the names; what is not known is null. A reader skips
//! fields that it does not know, so that later versions can add some; whatever changes a field's meaning
//! changes the schema's name.

mod check;
mod limit;

use serde::{Deserialize, Serialize};

use crate::clock::Precision;
use crate::host::{Host, HostState};

/// One line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Line {
    /// What the trial is.
    Run(Box<Run>),
    /// A phase that is not timed.
    Skipped(Skipped),
    /// A phase that was timed, or that failed.
    Phase(Phase),
    /// The trial is whole.
    End(End),
    /// The trial was given up.
    Interrupted(Interrupted),
}

/// What the trial is: the first line of its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The name of this format.
    pub schema: Schema,
    /// The same for the trials of one run, different between runs: its start and the process's number. Trials
    /// that were made one by one ([`crate::Options::with_only_trial`]) are runs of their own.
    pub run_id: String,
    /// Which trial of the run this is, from 1. The number in the file's name goes on from run to run, but for
    /// a trial that was made alone: there it is this one.
    pub trial: u32,
    /// How many trials the run is to have.
    pub trials: u32,
    /// When the trial started: ms since 1970-01-01 UTC, by the system's clock.
    pub started_unix_ms: u64,
    /// The program that timed.
    pub program: Program,
    /// What was asked for.
    pub options: OptionsRecord,
    /// The clock that measured.
    pub clock: Precision,
    /// The machine.
    pub host: Host,
    /// Its state before the trial.
    pub before: HostState,
}

/// The schema's name. Reading any other one is an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Schema;

impl Schema {
    /// The name in a log.
    pub const NAME: &'static str = "pqsig-trial/1";
}

impl From<Schema> for String {
    fn from(Schema: Schema) -> String {
        Schema::NAME.to_owned()
    }
}

impl TryFrom<String> for Schema {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if name == Schema::NAME {
            Ok(Schema)
        } else {
            Err(format!("the schema is `{name}`, this reads `{}`", Schema::NAME))
        }
    }
}

/// The program that timed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// `pqsig-speed`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Whether it was compiled with debug assertions: its figures are then worth nothing.
    pub debug_assertions: bool,
    /// The target it was built for: architecture and operating system, such as `x86_64-linux`.
    pub target: String,
}

/// What was asked for: the fields of [`crate::Options`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionsRecord {
    /// The algorithms, in order.
    pub algorithms: Vec<String>,
    /// The backends, in order.
    pub backends: Vec<String>,
    /// The operations, in order.
    pub operations: Vec<String>,
    /// The time of one phase in one trial, in ns.
    pub duration_ns: u64,
    /// The length of a message, in bytes.
    pub message_size_bytes: u64,
    /// The length of the context, in bytes.
    pub context_size_bytes: u64,
    /// Whether signing took no randomness.
    pub deterministic: bool,
    /// How many threads worked at the same time.
    pub threads: u32,
    /// Whether the phases carry `samples_ns`.
    pub keep_samples: bool,
}

/// A phase that was timed, or that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Phase {
    /// The place among the phases of the trial, from 0. Phases of one algorithm are interleaved in time;
    /// their lines follow one another in this order.
    pub sequence: u32,
    /// The algorithm, such as `ML-DSA-65`.
    pub algorithm: String,
    /// The backend, such as `openssl`.
    pub backend: String,
    /// The backend's own words of its version.
    pub backend_version: String,
    /// OpenSSL's provider that really did the work; null where the library has no such word.
    pub provider: Option<String>,
    /// The operation: `keygen`, `sign` or `verify`.
    pub operation: String,
    /// How many operations were timed, in all threads. In a failed phase, those that succeeded.
    pub operations: u64,
    /// The time that they took, in ns: of several threads, the mean of their times. `operations` by this is
    /// the rate.
    pub elapsed_ns: u64,
    /// In how many slices that time was cut.
    pub slices: u32,
    /// How many operations make one sample: more than 1 where one operation is shorter than 100 steps of the
    /// clock. Samples are then means of that many operations.
    pub batch: u32,
    /// The least sample; null without operations. This and the next three are ns per operation.
    pub min_ns: Option<u64>,
    /// The median sample, nearest rank, exact to 0.1%.
    pub p50_ns: Option<u64>,
    /// The least sample that 99% do not exceed, nearest rank, exact to 0.1%.
    pub p99_ns: Option<u64>,
    /// The greatest sample.
    pub max_ns: Option<u64>,
    /// Why the phase was given up; null if it was not.
    pub failure: Option<String>,
    /// The samples in the order of measuring, if they were asked for: of several threads, slice by slice and
    /// in a slice thread by thread. At most the first 1,048,576: a reader refuses more.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "limit::samples")]
    pub samples_ns: Option<Vec<u64>>,
    /// How many further samples `samples_ns` lacks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples_dropped: Option<u64>,
    /// The 101 percentiles of the samples, the 0th to the 100th, nearest rank, exact to 0.1%, in ns per
    /// operation: `[0]` is `min_ns`, `[50]` is `p50_ns`, `[99]` is `p99_ns` and `[100]` is `max_ns`. Absent
    /// without operations, and in logs of versions that did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "limit::percentiles")]
    pub percentiles_ns: Option<Vec<u64>>,
    /// The phase slice by slice, so that a drift shows. Absent without slices, and in logs of versions that
    /// did not write it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
}

/// The slices of a phase in the order of measuring: three columns, one entry per slice.
///
/// At most [`Timeline::MAX_ENTRIES`] entries: of a phase with more slices an entry holds 2 neighbours, or 4,
/// or 8..., the least power of two that suffices, and the last entry what is left. It then starts with its
/// first slice, and its operations and times are sums. `operations` and `elapsed_ns` sum up to the phase's.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// When the slice began, in ns since the trial's start by the clock that measured.
    #[serde(deserialize_with = "limit::entries")]
    pub start_ns: Vec<u64>,
    /// How many operations it timed, in all threads.
    #[serde(deserialize_with = "limit::entries")]
    pub operations: Vec<u64>,
    /// The time that they took, in ns: of several threads, the mean of their times.
    #[serde(deserialize_with = "limit::entries")]
    pub elapsed_ns: Vec<u64>,
}

impl Timeline {
    /// The most entries of a timeline.
    pub const MAX_ENTRIES: usize = 4096;
}

/// A phase that is not timed: the backend can't do what was asked for, or failed in an earlier trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The algorithm.
    pub algorithm: String,
    /// The backend.
    pub backend: String,
    /// The operation.
    pub operation: String,
    /// Why.
    pub reason: String,
}

/// The trial is whole: the last line of its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct End {
    /// How many phases the log holds.
    pub phases: u32,
    /// How many of them failed.
    pub failed: u32,
    /// The time since the trial's start, in ns, by the clock that measured.
    pub elapsed_ns: u64,
    /// The machine's state after the trial.
    pub after: HostState,
}

/// Why a log has no end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interrupted {
    /// Why.
    pub reason: String,
}
