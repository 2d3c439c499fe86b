//! Trials of one thing that are further apart than noise and chance explain: something changed between them.

use std::collections::BTreeMap;

use super::by_key;
use super::words::figure;
use crate::Finding;
use crate::rejection;
use crate::sample::{Key, Sample, Source, float};

/// How far trials may be apart, in percent of the faster one: more than what turbo frequencies and another
/// place in memory do on a machine that is left alone.
const MAX_SPREAD_PCT: f64 = 25.0;

/// How many standard errors of the difference chance is allowed: it exceeds them once in 16,000.
const STANDARD_ERRORS: f64 = 4.0;

/// How many keys of a source get a finding each. If more of them disagree, one disturbance was the cause of all,
/// and one finding says so.
const SINGLE_FINDINGS: usize = 5;

/// One finding for each key whose trials disagree, or one for all of a source.
pub(super) fn check(samples: &[Sample]) -> Vec<Finding> {
    let mut by_source: BTreeMap<Source, (usize, Vec<Disagreement<'_>>)> = BTreeMap::new();
    for (key, samples) in by_key(samples) {
        let (keys, disagreements) = by_source.entry(key.source).or_default();
        *keys += 1;
        disagreements.extend(disagreement(key, &samples));
    }
    let of_source = |(source, (keys, disagreements)): (Source, (usize, Vec<Disagreement<'_>>))| {
        if disagreements.len() <= SINGLE_FINDINGS {
            return disagreements.iter().map(Disagreement::finding).collect();
        }
        all_of(source, keys, &disagreements).into_iter().collect::<Vec<_>>()
    };
    by_source.into_iter().flat_map(of_source).collect()
}

/// Trials of one key that are too far apart.
struct Disagreement<'a> {
    key: &'a Key,
    fastest: &'a Sample,
    slowest: &'a Sample,
    apart_pct: f64,
    bound_pct: f64,
}

fn disagreement<'a>(key: &'a Key, samples: &[&'a Sample]) -> Option<Disagreement<'a>> {
    let by_time = |a: &&&Sample, b: &&&Sample| a.ms_per_op.total_cmp(&b.ms_per_op);
    let fastest = samples.iter().min_by(by_time)?;
    let slowest = samples.iter().max_by(by_time)?;
    let apart_pct = 100.0 * (slowest.ms_per_op / fastest.ms_per_op - 1.0);
    let by_chance_pct = STANDARD_ERRORS * error_pct(fastest)?.hypot(error_pct(slowest)?);
    let by_rounding_pct = fastest.rounding_pct.unwrap_or(0.0) + slowest.rounding_pct.unwrap_or(0.0);
    let bound_pct = MAX_SPREAD_PCT.max(by_chance_pct) + by_rounding_pct;
    (apart_pct > bound_pct).then_some(Disagreement { key, fastest, slowest, apart_pct, bound_pct })
}

impl Disagreement<'_> {
    fn finding(&self) -> Finding {
        let message = format!("{}: something changed between them", self.figures());
        Finding::implausible("trials-disagree", self.key.to_string(), message)
    }

    fn figures(&self) -> String {
        format!(
            "trial {} takes {} ms, trial {} takes {} ms, {}% more, over {}%",
            self.fastest.trial,
            figure(self.fastest.ms_per_op),
            self.slowest.trial,
            figure(self.slowest.ms_per_op),
            figure(self.apart_pct),
            figure(self.bound_pct)
        )
    }
}

fn all_of(source: Source, keys: usize, disagreements: &[Disagreement<'_>]) -> Option<Finding> {
    let worst = disagreements.iter().max_by(|a, b| a.apart_pct.total_cmp(&b.apart_pct))?;
    let message = format!(
        "the trials of {} of {keys} rows are too far apart: something disturbed them. The worst is {} {} {}: {}",
        disagreements.len(),
        worst.key.algorithm,
        worst.key.backend,
        worst.key.operation,
        worst.figures()
    );
    Some(Finding::implausible("trials-disagree", source.name(), message))
}

/// By how much the mean is off by chance; 0 for what does the same work each time, and `None` for signatures
/// that nobody counted, because chance may then explain anything.
fn error_pct(sample: &Sample) -> Option<f64> {
    let Key { algorithm, operation, .. } = &sample.key;
    if rejection::standard_error_pct(algorithm, operation, 1.0).is_none() {
        return Some(0.0);
    }
    rejection::standard_error_pct(algorithm, operation, float(sample.operations?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(algorithm: &str, trial: u32, operations: u64, ms_per_op: f64) -> Sample {
        let key = Key {
            source: Source::OpensslSpeed,
            algorithm: algorithm.to_owned(),
            backend: "openssl".to_owned(),
            operation: "sign".to_owned(),
        };
        let sample = Sample::counted(key, trial, operations, 1_000_000_000, 1).unwrap();
        Sample { ms_per_op, ..sample }
    }

    fn flagged(samples: &[Sample]) -> bool {
        match check(samples).as_slice() {
            [] => false,
            [finding] => finding.rule == "trials-disagree",
            more => panic!("{more:?}"),
        }
    }

    #[test]
    fn trials_may_be_apart_by_a_quarter() {
        let of = |ms| flagged(&[sample("Ed25519", 1, 1000, 1.0), sample("Ed25519", 2, 1000, ms)]);
        assert_eq!([of(1.0), of(1.25), of(1.26), of(0.79)], [false, false, true, true]);
        assert!(!flagged(&[sample("Ed25519", 1, 1000, 1.0)]));
        assert!(!flagged(&[]));
    }

    #[test]
    fn chance_explains_what_few_signatures_scatter() {
        // Of 100 signatures each the difference has a standard error of 12.7%.
        let of =
            |count, ms| flagged(&[sample("ML-DSA-65", 1, count, 1.0), sample("ML-DSA-65", 2, count, ms)]);
        assert_eq!([of(100, 1.5), of(100, 1.52), of(10_000, 1.27)], [false, true, true]);
        let unknown = Sample { operations: None, ..sample("ML-DSA-65", 2, 100, 9.0) };
        assert!(!flagged(&[sample("ML-DSA-65", 1, 100, 1.0), unknown]));
    }

    #[test]
    fn what_the_log_rounds_is_allowed_for() {
        let rounded = |trial, ms| Sample { rounding_pct: Some(3.0), ..sample("Ed25519", trial, 2, ms) };
        assert!(!flagged(&[rounded(1, 1.0), rounded(2, 1.3)]));
        assert!(flagged(&[rounded(1, 1.0), rounded(2, 1.32)]));
    }

    #[test]
    fn the_fastest_and_the_slowest_are_named() {
        let samples =
            [sample("Ed25519", 1, 9, 1.2), sample("Ed25519", 2, 9, 1.9), sample("Ed25519", 3, 9, 1.0)];
        assert_eq!(
            check(&samples)[0].message,
            "trial 3 takes 1 ms, trial 2 takes 1.9 ms, 90% more, over 25%: something changed between them"
        );
    }

    #[test]
    fn what_disturbed_everything_is_one_finding() {
        let samples = |count: usize| -> Vec<Sample> {
            let names = ["A", "B", "C", "D", "E", "F"].into_iter().take(count);
            let of =
                |name| [sample(name, 1, 9, 1.0), sample(name, 2, 9, if name == "C" { 3.0 } else { 2.0 })];
            let quiet = [sample("G", 1, 9, 1.0), sample("G", 2, 9, 1.0)];
            names.flat_map(of).chain(quiet).collect()
        };
        assert_eq!(check(&samples(5)).len(), 5);
        let findings: Vec<String> = check(&samples(6)).iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "openssl-speed: trials-disagree: the trials of 6 of 7 rows are too far apart: something disturbed \
              them. The worst is C openssl sign: trial 1 takes 1 ms, trial 2 takes 3 ms, 200% more, over 25%"
            ]
        );
    }
}
