//! Two runs side by side: per operation the ratio of their times, and whether it shows a difference.

pub mod bootstrap;
mod json;
mod refusal;
pub mod series;
mod text;
mod urn;

use std::collections::BTreeMap;
use std::fmt;

use rayon::prelude::*;

pub use bootstrap::{Interval, RESAMPLES, ratio};
pub use series::{Basis, Block, Series, TrialFigure, series};
pub use text::render_text;

use crate::run::Run;
use crate::sample::Key;
use crate::sampling;

/// Two runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Why the two should not be compared, one line each; empty if nothing speaks against it.
    pub refusals: Vec<String>,
    /// What both have timed, in the order of the keys.
    pub rows: Vec<Row>,
    /// What only the first has.
    pub only_in_a: Vec<Key>,
    /// What only the second has.
    pub only_in_b: Vec<Key>,
}

/// One operation on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was timed.
    pub key: Key,
    /// The mean of the trials' means of a, in ms per operation.
    pub a_ms: f64,
    /// That of b.
    pub b_ms: f64,
    /// The first by the second.
    pub interval: Interval,
    /// In how many trials of a.
    pub trials_a: u32,
    /// In how many of b.
    pub trials_b: u32,
    /// What the interval rests on: the weaker of both sides.
    pub basis: Basis,
    /// The library's version in a, in the log's words.
    pub version_a: Option<String>,
    /// That in b.
    pub version_b: Option<String>,
    /// What follows.
    pub verdict: Verdict,
}

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The interval is below 1.
    AFaster,
    /// The interval is above 1.
    BFaster,
    /// The interval covers 1.
    NoDifference,
    /// A side has but one average: no interval tells how far another would be from it.
    Unknown,
}

impl Verdict {
    /// The words in a table.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::AFaster => "a faster",
            Verdict::BFaster => "b faster",
            Verdict::NoDifference => "none shown",
            Verdict::Unknown => "unknown",
        }
    }

    /// That of an interval with this basis.
    #[must_use]
    pub fn of(interval: Interval, basis: Basis) -> Self {
        match interval {
            _ if basis == Basis::Average => Verdict::Unknown,
            Interval { high, .. } if high < 1.0 => Verdict::AFaster,
            Interval { low, .. } if low > 1.0 => Verdict::BFaster,
            _ => Verdict::NoDifference,
        }
    }
}

/// In words that stand alone.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::AFaster | Verdict::BFaster => self.name(),
            Verdict::NoDifference => "no difference shown",
            Verdict::Unknown => "unknown: a side has but one average",
        })
    }
}

/// Compares two runs. Both are to be read with [`crate::Detail::Course`], or the slices are missing. The rows
/// are there whatever speaks against comparing: the caller decides whether to show them.
///
/// Runs with `--deterministic` sign the same messages, but not equally many of them, so their signatures are
/// not paired: the interval then allows for messages that differ, and is wider than need be.
#[must_use]
pub fn compare(a: &Run, b: &Run) -> Comparison {
    let (series_a, mut series_b) = (series(a), by_key(series(b)));
    let mut pairs = Vec::new();
    let mut only_in_a = Vec::new();
    for of_a in series_a {
        match series_b.remove(&of_a.key) {
            Some(of_b) => pairs.push((of_a, of_b)),
            None => only_in_a.push(of_a.key),
        }
    }
    let (versions_a, versions_b) = (versions(a), versions(b));
    let rows = pairs.par_iter().filter_map(|(of_a, of_b)| {
        let version = |versions: &BTreeMap<Key, String>| versions.get(&of_a.key).cloned();
        row(of_a, of_b, version(&versions_a), version(&versions_b))
    });
    Comparison {
        refusals: refusal::refusals(a, b),
        rows: rows.collect(),
        only_in_a,
        only_in_b: series_b.into_keys().collect(),
    }
}

fn by_key(series: Vec<Series>) -> BTreeMap<Key, Series> {
    series.into_iter().map(|series| (series.key.clone(), series)).collect()
}

/// The version that the first trial to name one has; that all agree is a finding's business.
fn versions(run: &Run) -> BTreeMap<Key, String> {
    let mut versions = BTreeMap::new();
    for sample in sampling::samples(run) {
        if let Some(version) = sample.backend_version {
            versions.entry(sample.key).or_insert(version);
        }
    }
    versions
}

/// `None` if a side has no figure.
fn row(a: &Series, b: &Series, version_a: Option<String>, version_b: Option<String>) -> Option<Row> {
    let interval = ratio(a, b)?;
    let basis = a.basis().min(b.basis());
    let trials = |series: &Series| u32::try_from(series.trials.len()).unwrap_or(u32::MAX);
    Some(Row {
        key: a.key.clone(),
        a_ms: a.mean_ms()?,
        b_ms: b.mean_ms()?,
        interval,
        trials_a: trials(a),
        trials_b: trials(b),
        basis,
        version_a,
        version_b,
        verdict: Verdict::of(interval, basis),
    })
}
