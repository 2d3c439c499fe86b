//! From the logs of a run to the rows of samples.csv.

use pqsig_speed::log::Trial as TrialLog;
use pqsig_speed::record::Phase;

use crate::number::significant;
use crate::openssl_speed;
use crate::run::Run;
use crate::sample::{Key, Sample, Source};

/// The samples of a run in the order of samples.csv: by source, then trial, then [`Key`]. A phase without a
/// figure makes no row; it has a finding.
#[must_use]
pub fn samples(run: &Run) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (number, log) in run.pqsig_logs() {
        samples.extend(log.phases.iter().filter_map(|phase| of_pqsig(number, log, phase)));
    }
    for (number, log) in run.openssl_logs() {
        samples.extend(log.phases.iter().filter_map(|phase| of_openssl(number, log, phase)));
    }
    samples.sort_by(|a, b| {
        (a.key.source, a.trial).cmp(&(b.key.source, b.trial)).then_with(|| a.key.cmp(&b.key))
    });
    samples
}

/// The key of a phase in pqsig's log.
#[must_use]
pub fn pqsig_key(phase: &Phase) -> Key {
    Key {
        source: Source::PqsigSpeed,
        algorithm: phase.algorithm.clone(),
        backend: phase.backend.clone(),
        operation: phase.operation.clone(),
    }
}

fn of_pqsig(trial: u32, log: &TrialLog, phase: &Phase) -> Option<Sample> {
    // The operations before a failure were timed well, but they are not what the others' figures are of.
    if phase.failure.is_some() {
        return None;
    }
    let threads = log.run.options.threads;
    let sample = Sample::counted(pqsig_key(phase), trial, phase.operations, phase.elapsed_ns, threads)?;
    Some(Sample {
        backend_version: Some(phase.backend_version.clone()),
        p50_ns: phase.p50_ns,
        p99_ns: phase.p99_ns,
        min_ns: phase.min_ns,
        max_ns: phase.max_ns,
        // The log has whole ns.
        rounding_pct: Some(0.0),
        ..sample
    })
}

fn of_openssl(trial: u32, log: &openssl_speed::Log, phase: &openssl_speed::Phase) -> Option<Sample> {
    let key = Key {
        source: Source::OpensslSpeed,
        algorithm: phase.algorithm.clone(),
        backend: "openssl".to_owned(),
        operation: phase.operation.clone(),
    };
    Some(Sample {
        key,
        trial,
        backend_version: log.version.as_ref().map(|version| format!("OpenSSL {version}")),
        operations: phase.count,
        elapsed_ns: phase.elapsed_cs.map(|hundredths| hundredths.saturating_mul(10_000_000)),
        ms_per_op: significant(phase.ms_per_op()?),
        ops_per_s: significant(phase.ops_per_s()?),
        p50_ns: None,
        p99_ns: None,
        min_ns: None,
        max_ns: None,
        rounding_pct: phase.rounding_pct().map(significant),
    })
}
