//! Published figures of others, held against the same rules and against themselves.
//!
//! They are written down as JSON, `pqsig-claims/1`:
//!
//! ```json
//! {
//!   "schema": "pqsig-claims/1",
//!   "source": "who published what, where and when",
//!   "figures": [
//!     {"algorithm": "ML-DSA-65", "operation": "sign", "ms_per_op": 10.2},
//!     {"algorithm": "ML-DSA-65", "operation": "verify", "us_per_op": 217, "p50_us": 215, "p99_us": 240}
//!   ],
//!   "totals": [
//!     {"name": "a batch", "unit": "us", "total": 100, "stages": [{"name": "sign", "value": 60}, {"name": "send", "value": 40}]}
//!   ],
//!   "throughputs": [
//!     {"name": "a server", "workers": 96, "items_per_batch": 32, "seconds_per_batch": 0.0024, "ops_per_s": 1280000}
//!   ]
//! }
//! ```
//! A figure has exactly one of `ns_per_op`, `us_per_op`, `ms_per_op`, `s_per_op` (of one operation on one
//! thread) and `ops_per_s`; it may have `backend`, `p50_` and `p99_` with one of the units `ns`, `us`, `ms`
//! and `s`, and `operations` with or without `elapsed_s`. Numbers are positive; a field of another name is an
//! error.

mod format;

use std::path::Path;

pub use format::{Claims, Figure, Stage, Throughput, Total, Unit};

use super::order::{self, Mean};
use super::words::figure;
use super::{count, timing};
use crate::sample::float;
use crate::{Error, Finding, files};

/// How far a total may be from the sum of its stages, in percent, beside what rounding explains: more than
/// what happens between two stages of a pipeline that was timed as a whole.
const MAX_TOTAL_PCT: f64 = 1.0;

/// How far a throughput may be from what the time of a batch makes, in percent: batches overlap and wait a
/// little.
const MAX_THROUGHPUT_PCT: f64 = 5.0;

/// How far a published rate may be from its count and time, in percent: people round to two digits or three.
const MAX_RATE_PCT: f64 = 1.0;

/// Reads a file of published figures.
///
/// # Errors
/// [`Error::Io`], [`Error::TooLarge`]; [`Error::Malformed`] when it is no `pqsig-claims/1`.
pub fn read(path: &Path) -> Result<Claims, Error> {
    Claims::parse(&files::read(path)?).map_err(|reason| Error::Malformed { path: path.to_owned(), reason })
}

/// Whatever can hardly be true among them. The place of a finding is the figure, total or throughput.
#[must_use]
pub fn check(claims: &Claims) -> Vec<Finding> {
    let means: Vec<Mean> = claims.figures.iter().map(mean).collect();
    let mut findings = order::check(&means);
    findings.extend(claims.figures.iter().flat_map(of_one_figure));
    findings.extend(claims.totals.iter().filter_map(total));
    findings.extend(claims.throughputs.iter().filter_map(throughput));
    findings
}

fn mean(figure: &Figure) -> Mean {
    Mean {
        place: figure.name(),
        group: figure.backend.clone().unwrap_or_default(),
        algorithm: figure.algorithm.clone(),
        operation: figure.operation.clone(),
        ms_per_op: figure.ms_per_op,
        operations: figure.operations,
    }
}

fn of_one_figure(claim: &Figure) -> Vec<Finding> {
    let place = claim.name();
    let mut findings = Vec::new();
    if let Some(operations) = claim.operations {
        if operations == 1 {
            findings.push(count::single_operation(place.clone(), "was timed"));
        }
        findings.extend(count::standard_error(&place, &claim.algorithm, &claim.operation, operations));
        if let Some(elapsed_s) = claim.elapsed_s {
            findings.extend(count::rate(&place, 1e3 / claim.ms_per_op, operations, elapsed_s, MAX_RATE_PCT));
        }
    }
    if let (Some(p50_ms), Some(p99_ms)) = (claim.p50_ms, claim.p99_ms) {
        let enough = claim.operations.is_none_or(|operations| operations >= timing::LEAST_SIGNATURES);
        if p50_ms > p99_ms {
            let message = format!("p50 is {} ms, more than p99, {} ms", figure(p50_ms), figure(p99_ms));
            findings.push(Finding::implausible("quantiles-contradict", place, message));
        } else if let Some(reason) = timing::tail(&claim.algorithm, &claim.operation, p50_ms, p99_ms)
            && enough
        {
            findings.push(Finding::implausible("one-message-timed", place, reason));
        }
    }
    findings
}

fn total(claim: &Total) -> Option<Finding> {
    let sum: f64 = claim.stages.iter().map(|stage| stage.value).sum();
    let rounding: f64 = claim.stages.iter().map(|stage| half_of_last_digit(stage.value)).sum();
    let bound = (claim.total * MAX_TOTAL_PCT / 100.0).max(rounding + half_of_last_digit(claim.total));
    let off = (sum - claim.total).abs();
    (off > bound).then(|| {
        let unit = claim.unit.name();
        let message = format!(
            "the total is {} {unit}, the {} stages add up to {} {unit}: {}% off, where {}% can be explained",
            figure(claim.total),
            claim.stages.len(),
            figure(sum),
            figure(100.0 * off / claim.total),
            figure(100.0 * bound / claim.total)
        );
        Finding::implausible("total-contradicts-stages", &claim.name, message)
    })
}

/// How far a number may be from what it was rounded from: 10.2 by 0.05, 217 by 0.5.
fn half_of_last_digit(value: f64) -> f64 {
    let text = value.to_string();
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.5 * 10f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX))
}

fn throughput(claim: &Throughput) -> Option<Finding> {
    let items = float(claim.workers) * float(claim.items_per_batch);
    let possible = items / claim.seconds_per_batch;
    let off_pct = 100.0 * (claim.ops_per_s / possible - 1.0);
    (off_pct.abs() > MAX_THROUGHPUT_PCT).then(|| {
        let message = format!(
            "{} per second are stated, {} workers with {} items in {} s each make {}: {}% {}, over \
             {MAX_THROUGHPUT_PCT}%",
            figure(claim.ops_per_s),
            claim.workers,
            claim.items_per_batch,
            figure(claim.seconds_per_batch),
            figure(possible),
            figure(off_pct.abs()),
            if off_pct > 0.0 { "more" } else { "less" }
        );
        Finding::implausible("throughput-contradicts-latency", &claim.name, message)
    })
}
