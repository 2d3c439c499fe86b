//! Counts that carry no mean, and rates that are not those of their counts.

use super::by_key;
use super::words::{figure, trials};
use crate::Finding;
use crate::rejection;
use crate::sample::{Key, Sample, float};
use crate::summary::Draws;

/// The largest standard error of a mean that is worth reporting, in percent.
const MAX_STANDARD_ERROR_PCT: f64 = 5.0;

/// How far a rate may be off, in percent: samples keep seven significant digits.
const DIGITS_PCT: f64 = 1e-4;

/// The rules on the counts of samples.
pub(super) fn check(samples: &[Sample], draws: Draws) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (key, samples) in by_key(samples) {
        findings.extend(single(key, &samples));
        let counts: Option<Vec<u64>> = samples.iter().map(|sample| sample.operations).collect();
        findings.extend(counts.and_then(|counts| {
            let count = match draws {
                Draws::Independent => counts.iter().fold(0u64, |sum, count| sum.saturating_add(*count)),
                Draws::Repeated => counts.iter().copied().max().unwrap_or(0),
            };
            standard_error(&key.to_string(), &key.algorithm, &key.operation, count)
        }));
        findings.extend(samples.iter().filter_map(|sample| rate_of_sample(sample)));
    }
    findings
}

/// A single operation may be any of the fast or slow ones there are, and nobody can tell.
fn single(key: &Key, samples: &[&Sample]) -> Option<Finding> {
    let alone: Vec<u32> = samples.iter().filter(|s| s.operations == Some(1)).map(|s| s.trial).collect();
    (!alone.is_empty()).then(|| single_operation(key.to_string(), &format!("in {}", trials(&alone))))
}

/// The finding of a count of 1.
pub(super) fn single_operation(place: String, which: &str) -> Finding {
    let message = format!("one operation only {which}: a single time is no mean, and shows no spread");
    Finding::implausible("single-operation", place, message)
}

/// Whether so many operations are too few for a mean. Only ML-DSA's signing scatters by its nature.
pub(super) fn standard_error(
    place: &str,
    algorithm: &str,
    operation: &str,
    operations: u64,
) -> Option<Finding> {
    let percent = rejection::standard_error_pct(algorithm, operation, float(operations))?;
    (percent > MAX_STANDARD_ERROR_PCT).then(|| {
        let message = format!(
            "the mean of {operations} signatures has a standard error of {}%, over \
             {MAX_STANDARD_ERROR_PCT}%: how often signing repeats is chance (FIPS 204, Table 1)",
            figure(percent)
        );
        Finding::implausible("large-standard-error", place, message)
    })
}

fn rate_of_sample(sample: &Sample) -> Option<Finding> {
    let (operations, elapsed_ns) = (sample.operations?, sample.elapsed_ns?);
    let tolerance_pct = DIGITS_PCT + sample.rounding_pct.unwrap_or(0.0);
    let place = format!("{}, trial {}", sample.key, sample.trial);
    rate(&place, sample.ops_per_s, operations, float(elapsed_ns) / 1e9, tolerance_pct)
}

/// Whether a rate is that of its count and time.
pub(super) fn rate(
    place: &str,
    ops_per_s: f64,
    operations: u64,
    elapsed_s: f64,
    tolerance_pct: f64,
) -> Option<Finding> {
    let counted = float(operations) / elapsed_s;
    let off_pct = 100.0 * (ops_per_s / counted - 1.0).abs();
    // A rate that is no number is off, too.
    let fits = off_pct <= tolerance_pct;
    (!fits).then(|| {
        let message = format!(
            "{} operations per second are stated, {operations} in {} s are {}: {}% off, where rounding explains \
             {}%",
            figure(ops_per_s),
            figure(elapsed_s),
            figure(counted),
            figure(off_pct),
            figure(tolerance_pct)
        );
        Finding::implausible("rate-contradicts-count", place, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Source;

    fn sample(algorithm: &str, trial: u32, operations: u64) -> Sample {
        let key = Key {
            source: Source::PqsigSpeed,
            algorithm: algorithm.to_owned(),
            backend: "openssl".to_owned(),
            operation: "sign".to_owned(),
        };
        Sample::counted(key, trial, operations, 1_000_000_000, 1).unwrap()
    }

    fn rules(samples: &[Sample], draws: Draws) -> Vec<&'static str> {
        check(samples, draws).iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn a_count_of_one_is_flagged_with_its_trials() {
        let samples =
            [1, 2, 1].into_iter().zip(1..).map(|(count, trial)| sample("SLH-DSA-SHA2-128s", trial, count));
        let findings = check(&samples.collect::<Vec<_>>(), Draws::Independent);
        assert_eq!(
            findings[0].to_string(),
            "SLH-DSA-SHA2-128s openssl sign (pqsig-speed): single-operation: one operation only in trials 1, 3: \
             a single time is no mean, and shows no spread"
        );
        assert_eq!(findings.len(), 1);
    }

    #[test]
    fn few_signatures_are_flagged_and_the_trials_count_together_if_they_draw_anew() {
        // 90 / sqrt(n) % is 5% at about 322 signatures.
        let two = |count| [sample("ML-DSA-65", 1, count), sample("ML-DSA-65", 2, count)];
        assert_eq!(rules(&two(150), Draws::Independent), ["large-standard-error"]);
        assert_eq!(rules(&two(170), Draws::Independent), [""; 0]);
        assert_eq!(rules(&two(170), Draws::Repeated), ["large-standard-error"]);
        assert_eq!(rules(&two(330), Draws::Repeated), [""; 0]);
        assert_eq!(rules(&[sample("SLH-DSA-SHA2-128f", 1, 2)], Draws::Independent), [""; 0]);
        let unknown = Sample { operations: None, ..sample("ML-DSA-65", 1, 5) };
        assert_eq!(rules(&[unknown], Draws::Independent), [""; 0]);
    }

    #[test]
    fn a_rate_must_be_that_of_its_count() {
        let good = sample("Ed25519", 1, 20_083);
        assert_eq!(rules(std::slice::from_ref(&good), Draws::Independent), [""; 0]);
        let rounded = Sample { ops_per_s: 20_080.0, rounding_pct: Some(0.5), ..good.clone() };
        assert_eq!(rules(&[rounded], Draws::Independent), [""; 0]);
        for ops_per_s in [20_080.0, 20_803.0, f64::NAN, 0.0] {
            let wrong = Sample { ops_per_s, rounding_pct: Some(0.0), ..good.clone() };
            assert_eq!(rules(&[wrong], Draws::Independent), ["rate-contradicts-count"], "{ops_per_s}");
        }
    }

    #[test]
    fn a_rate_that_is_wrong_is_shown_beside_the_right_one() {
        let message = rate("here", 1900.0, 602, 1.0, 0.5).unwrap().message;
        assert_eq!(
            message,
            "1900 operations per second are stated, 602 in 1 s are 602: 215.6% off, where rounding explains 0.5%"
        );
    }
}
