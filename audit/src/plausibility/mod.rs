//! Figures that can hardly be true. None of them keeps a run from being summarized: they are flagged, each by a
//! named rule with the figures that led to it and the bound that they cross.
//!
//! | rule | flags |
//! |---|---|
//! | `sign-faster-than-verify`, `sign-by-verify`, `keygen-order` | ML-DSA's operations against one another |
//! | `single-operation`, `large-standard-error`, `rate-contradicts-count` | counts that carry no mean |
//! | `trials-disagree` | trials that are further apart than chance explains |
//! | `one-message-timed`, `clock-step`, `debug-build` | how the times were taken |
//! | `steal`, `load`, `hot`, `on-battery`, `low-memory` | what else the machine had to do |
//! | `host-changed` | a machine that is not the same from beginning to end |
//! | `clock-went-back`, `trials-overlap` | times that can't follow one another |
//! | `quantiles-contradict`, `total-contradicts-stages`, `throughput-contradicts-latency` | published figures that contradict themselves ([`claims`]) |

mod change;
pub mod claims;
mod count;
mod course;
mod machine;
mod observation;
mod order;
mod spread;
mod timing;
mod words;

use std::collections::BTreeMap;

use crate::run::Run;
use crate::sample::{Key, Sample};
use crate::sampling;
use crate::summary::Draws;
use crate::{Finding, Severity};

/// Whatever a run says that can hardly be true. The findings that reading it made are not among them.
#[must_use]
pub fn check(run: &Run) -> Vec<Finding> {
    let repeated = run.pqsig_logs().any(|(_, log)| log.run.options.deterministic);
    let draws = if repeated { Draws::Repeated } else { Draws::Independent };
    let mut findings = samples(&sampling::samples(run), draws);
    findings.extend(timing::check(run));
    findings.extend(machine::check(run));
    findings.extend(change::check(run));
    findings.extend(course::check(run));
    debug_assert!(findings.iter().all(|finding| finding.severity == Severity::Implausible));
    findings
}

/// The rules that need no more than the rows of a samples.csv, whose signatures are taken for independent
/// draws (hedged signing).
#[must_use]
pub fn check_samples(rows: &[Sample]) -> Vec<Finding> {
    samples(rows, Draws::Independent)
}

fn samples(rows: &[Sample], draws: Draws) -> Vec<Finding> {
    let mut findings = order::check(&order::means(rows));
    findings.extend(count::check(rows, draws));
    findings.extend(spread::check(rows));
    findings
}

/// The samples of each key, in order.
fn by_key(samples: &[Sample]) -> BTreeMap<&Key, Vec<&Sample>> {
    let mut by_key: BTreeMap<&Key, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        by_key.entry(&sample.key).or_default().push(sample);
    }
    by_key
}
