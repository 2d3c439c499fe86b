//! `openssl speed`'s logs, as OpenSSL 3.2 to 4.0 write them. Source of all that is known of them here:
//! apps/speed.c of 3.5.5, 3.6.3 and 4.0.3, openssl-speed(1), and logs recorded from these three.
//!
//! The two streams say the same twice. stderr has a line per phase as it ends, with how many operations there
//! were in what time: the exact figure. stdout has tables at the very end, with rates that are rounded: they
//! only cross-check, or stand in where there is no stderr.
//!
//! ```text
//! Doing ML-DSA-65 signs ops for 1s: 602 ML-DSA-65 signature sign ops in 1.00s              stderr
//!
//!                                keygen     signs    verify keygens/s    sign/s  verify/s   stdout
//!                   ML-DSA-65 0.000351s 0.001661s 0.000302s    2850.0     602.0    3311.0
//! ```
//!
//! With `-mr` both are records of fields between colons (`machine.rs`). With `-multi N`, N processes write to
//! one stderr, and stdout has the sums of their rates.
//!
//! What can be wrong becomes a [`Finding`], never a value: [`parse`] does not fail.

mod agreement;
mod figure;
mod line;
mod machine;
mod merge;
mod name;
mod phase;
mod report;
mod row;
mod rows;
mod sound;
mod started;
mod stderr;
mod stdout;
mod trouble;

pub use phase::{Phase, Printed};

use crate::{Finding, Severity};

/// All that a log says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    /// OpenSSL's version, such as `3.6.3`. `-mr` does not print it.
    pub version: Option<String>,
    /// What OpenSSL says of how it was built and where it runs.
    pub build: Build,
    /// Which clock the times are of; `None` if the log does not tell.
    pub clock: Option<Clock>,
    /// N of `-multi N`, if that option was given and the log tells.
    pub multi: Option<u32>,
    /// The phases that have a figure, in the order in which they ended; those that only stdout has come last.
    pub phases: Vec<Phase>,
    /// What should have a figure, and has none.
    pub missing: Vec<Missing>,
    /// What is wrong. Whatever is missing has a finding, too.
    pub findings: Vec<Finding>,
    /// Lines of stderr that say nothing of figures, such as warnings: at most 50, each cut to 200 characters.
    pub notes: Vec<String>,
    /// Whether the log stops before its end: there is no table, or a last line without a newline.
    pub interrupted: bool,
}

/// What precedes the tables, each as OpenSSL prints it (OpenSSL_version(3)).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// When: `Tue Jun  9 12:00:00 2026 UTC`.
    pub built_on: Option<String>,
    /// Options of the big numbers: `bn(64,64)`.
    pub options: Option<String>,
    /// The compiler and what it was called with.
    pub compiler: Option<String>,
    /// The processor's features that OpenSSL uses: `OPENSSL_ia32cap=0x...`.
    pub cpu_info: Option<String>,
}

/// Which clock the times are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The time that went by: `-elapsed`, and `-multi` always.
    Elapsed,
    /// The processor time that the process had in user mode.
    CpuTime,
}

/// What should have a figure, and has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The algorithm, as in [`Phase::algorithm`]; only the kind (`RSA`) where OpenSSL names no more.
    pub algorithm: String,
    /// The operation, as in [`Phase::operation`]; `None`: all of them.
    pub operation: Option<String>,
    /// Why, in words.
    pub reason: String,
}

impl Log {
    /// Whether nothing is missing and nothing contradicts itself.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let grave = |finding: &Finding| finding.severity != Severity::Implausible;
        !self.interrupted && self.missing.is_empty() && !self.findings.iter().any(grave)
    }
}

/// Reads a log. `stdout` and `stderr` are what the process wrote to either, each with the name that findings
/// are to call it by (`trial-2.stderr.txt`); `None` if there is no such file.
///
/// Never fails, never panics; memory is bounded by a small multiple of the input.
///
/// The rules of its findings:
/// - broken: `not-text` (NUL bytes, not UTF-8), `line-too-long`, `decimal-comma` (another locale),
///   `mixed-streams` (stderr's lines in stdout), `unknown-line`, `unknown-header`, `unknown-row`,
///   `row-without-header`, `row-without-phase` (stdout has what stderr never timed), `duplicate-row`,
///   `duplicate-phase`, `result-without-start`, `result-contradicts-start`, `rate-contradicts-count` (stdout's
///   rate is not that of stderr's count and time), `time-contradicts-rate` (within stdout), `two-runs`,
///   `too-many-phases`, `too-many-findings` (200: what follows is not read)
/// - incomplete: `interrupted`, `torn-line`, `header-without-rows`, `no-version`, `no-result` (begun only),
///   `failed-phase`, `setup-failed`, `missing-phase` (keygen is there, sign is not), `phase-without-row`,
///   `unnamed-rows` (`-mr` numbers what only stderr names), `child-failed`; `row-without-phase` if stderr is cut
#[must_use]
pub fn parse(stdout: Option<(&str, &[u8])>, stderr: Option<(&str, &[u8])>) -> Log {
    let mut report = report::Report::default();
    let tables = stdout.map(|(name, bytes)| stdout::read(name, bytes, &mut report));
    let processes = tables.as_ref().and_then(|tables| tables.processes);
    let timed = stderr.map(|(name, bytes)| stderr::read(name, bytes, processes, &mut report));
    merge::merge(tables, timed.as_ref(), report)
}
