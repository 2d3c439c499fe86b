//! Times post-quantum signatures, and keeps the evidence.
//!
//! [`run`] times what [`Options`] name and gives a [`Report`]; an [`Observer`] follows and stops it; a folder
//! in the options gets the trial log, whose lines are [`record::Line`]s and which [`log::read`] reads.
//!
//! How it measures: a phase is one algorithm x backend x operation, a [`Workload`]. In each of the trials,
//! which follow one another, the phases of an algorithm are cut into slices, and the slices are interleaved,
//! forwards and backwards in turn (A B B A), so that a drift of the machine meets all of them alike. The
//! clock is read once per operation. Keys are loaded, signatures to verify are made and caches warmed before,
//! untimed. Messages differ from operation to operation.
//!
//! ```no_run
//! let options = pqsig_speed::Options::new([pqsig::Algorithm::MlDsa65])?;
//! for row in pqsig_speed::run(&options, &mut ())?.rows {
//!     println!("{}: {} ns", row.identity, row.mean_ns);
//! }
//! # Ok::<(), pqsig_speed::Error>(())
//! ```

pub mod clock;
mod error;
pub mod host;
mod journal;
mod lock;
pub mod log;
#[cfg(test)]
mod mock;
mod observer;
mod options;
mod phase;
pub mod record;
mod report;
mod run;
pub mod sampler;
mod schedule;
mod statistics;
mod team;
mod timeline;
pub mod workload;
mod workloads;

pub use error::Error;
pub use observer::{Event, Observer, Progress};
pub use options::{MAX_DURATION, MAX_MESSAGE_SIZE, MAX_THREADS, MAX_TRIALS, Operation, Options};
pub use report::{Note, Report, Row, Unmeasured};
pub use run::run;
pub use workload::{Identity, Workload};

/// The most single samples that are kept of one phase in one trial, if they are asked for: 8 MiB of them.
pub const MAX_KEPT_SAMPLES: usize = 1 << 20;
