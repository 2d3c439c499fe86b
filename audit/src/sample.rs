//! A sample: what one trial says of one operation.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use pqsig::Algorithm;

use crate::number::significant;

/// The program whose log a figure is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// `openssl speed`.
    OpensslSpeed,
    /// `pqsig speed`, and whatever else writes pqsig's trial log.
    PqsigSpeed,
}

impl Source {
    /// Both.
    pub const ALL: [Source; 2] = [Source::OpensslSpeed, Source::PqsigSpeed];

    /// The word in the CSV files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Source::OpensslSpeed => "openssl-speed",
            Source::PqsigSpeed => "pqsig-speed",
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Source {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Source::ALL.into_iter().find(|source| source.name() == name);
        found.ok_or_else(|| format!("no source is called `{name}`"))
    }
}

/// What is timed, by what, according to whom. Its order is that of the CSV files: algorithms as in
/// [`Algorithm::all`], then others by name; keygen, sign, verify, then others by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Whose log it is.
    pub source: Source,
    /// The algorithm, such as `ML-DSA-65`.
    pub algorithm: String,
    /// The backend, such as `aws-lc`; `openssl` for `openssl speed`.
    pub backend: String,
    /// The operation, such as `sign`.
    pub operation: String,
}

impl Key {
    fn order(&self) -> impl Ord + '_ {
        (
            self.source,
            algorithm_place(&self.algorithm),
            &self.algorithm,
            &self.backend,
            operation_place(&self.operation),
            &self.operation,
        )
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `ML-DSA-65 aws-lc sign (pqsig-speed)`
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} ({})", self.algorithm, self.backend, self.operation, self.source)
    }
}

/// The place of an algorithm in a table; those that pqsig does not know come last.
#[must_use]
pub fn algorithm_place(name: &str) -> usize {
    Algorithm::all().position(|algorithm| algorithm.name() == name).unwrap_or(usize::MAX)
}

/// The place of an operation in a table.
#[must_use]
pub fn operation_place(name: &str) -> usize {
    ["keygen", "sign", "verify"].into_iter().position(|known| known == name).unwrap_or(usize::MAX)
}

/// A row of samples.csv: one trial's figures of one operation. What a log does not say is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// What was timed.
    pub key: Key,
    /// In which trial, from 1.
    pub trial: u32,
    /// The library's version in the log's words.
    pub backend_version: Option<String>,
    /// How many operations were timed, in all threads.
    pub operations: Option<u64>,
    /// How long that took, in ns, as exactly as the log has it.
    pub elapsed_ns: Option<u64>,
    /// The time of one operation in one thread, in ms, to seven significant digits.
    pub ms_per_op: f64,
    /// Operations per second, of all threads together, to seven significant digits.
    pub ops_per_s: f64,
    /// The median single operation, in ns. This and the next three are of one operation each, where
    /// `ms_per_op` is a mean.
    pub p50_ns: Option<u64>,
    /// The 99th percentile.
    pub p99_ns: Option<u64>,
    /// The shortest.
    pub min_ns: Option<u64>,
    /// The longest.
    pub max_ns: Option<u64>,
    /// How far `ms_per_op` may be off in percent, either way, because the log rounds its figures.
    pub rounding_pct: Option<f64>,
}

impl Sample {
    /// A sample with the mean and the rate that follow from a count and a time; `None` where one of them is
    /// 0. `threads` worked at the same time, for `elapsed_ns` each.
    #[must_use]
    pub fn counted(key: Key, trial: u32, operations: u64, elapsed_ns: u64, threads: u32) -> Option<Self> {
        if operations == 0 || elapsed_ns == 0 || threads == 0 {
            return None;
        }
        let (count, elapsed) = (float(operations), float(elapsed_ns));
        Some(Sample {
            key,
            trial,
            backend_version: None,
            operations: Some(operations),
            elapsed_ns: Some(elapsed_ns),
            ms_per_op: significant(elapsed * f64::from(threads) / count / 1e6),
            ops_per_s: significant(count * 1e9 / elapsed),
            p50_ns: None,
            p99_ns: None,
            min_ns: None,
            max_ns: None,
            rounding_pct: None,
        })
    }
}

/// Counts and times are below 2^53 (104 days in ns), or a rounding in the sixteenth digit does no harm.
#[expect(clippy::cast_precision_loss, reason = "seven digits are kept")]
#[must_use]
pub fn float(number: u64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(algorithm: &str, backend: &str, operation: &str) -> Key {
        Key {
            source: Source::PqsigSpeed,
            algorithm: algorithm.to_owned(),
            backend: backend.to_owned(),
            operation: operation.to_owned(),
        }
    }

    #[test]
    fn keys_are_in_the_order_of_the_tables() {
        let mut keys = [
            key("RSA-2048", "openssl", "sign"),
            key("SLH-DSA-SHA2-128s", "openssl", "sign"),
            key("ML-DSA-65", "openssl", "verify"),
            key("ML-DSA-65", "openssl", "encaps"),
            key("ML-DSA-65", "openssl", "keygen"),
            key("ML-DSA-65", "aws-lc", "sign"),
            key("ML-DSA-44", "openssl", "sign"),
        ];
        keys.sort();
        let words: Vec<String> = keys.iter().map(ToString::to_string).collect();
        assert_eq!(
            words,
            [
                "ML-DSA-44 openssl sign (pqsig-speed)",
                "ML-DSA-65 aws-lc sign (pqsig-speed)",
                "ML-DSA-65 openssl keygen (pqsig-speed)",
                "ML-DSA-65 openssl verify (pqsig-speed)",
                "ML-DSA-65 openssl encaps (pqsig-speed)",
                "SLH-DSA-SHA2-128s openssl sign (pqsig-speed)",
                "RSA-2048 openssl sign (pqsig-speed)",
            ]
        );
    }

    #[test]
    fn a_mean_is_of_one_thread_and_a_rate_of_all() {
        let sample = Sample::counted(key("Ed25519", "openssl", "sign"), 1, 3000, 1_500_000_000, 2).unwrap();
        assert_eq!((sample.ms_per_op, sample.ops_per_s), (1.0, 2000.0));
        assert!(Sample::counted(key("Ed25519", "openssl", "sign"), 1, 0, 5, 1).is_none());
        assert!(Sample::counted(key("Ed25519", "openssl", "sign"), 1, 5, 0, 1).is_none());
    }
}
