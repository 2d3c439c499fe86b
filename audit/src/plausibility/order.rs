//! ML-DSA's operations against one another.
//!
//! Where the bounds are from. Verifying expands the matrix A and multiplies once with it (FIPS 204, Algorithm
//! 8). Each repetition of signing multiplies with A once, too (Algorithm 7), and on average there are 4.25,
//! 5.1 or 3.85 repetitions (Table 1). So signing takes as long as a few verifications: of the five
//! implementations that were measured for this project (aws-lc, libcrux, fips204, OpenSSL, ml-dsa) between 1.9
//! and 9.6. Under 1 it would have skipped its work, and [`MOST_VERIFICATIONS`] is twice the greatest ratio
//! seen, and four times the mean number of repetitions.
//!
//! Generating a key expands A and multiplies once (Algorithm 6), and A has 4 x 4, 6 x 5 or 8 x 7 polynomials
//! (Table 1): whatever the implementation, a larger parameter set takes longer.

use std::collections::BTreeMap;

use super::by_key;
use super::words::figure;
use crate::Finding;
use crate::sample::{Key, Sample, float};

/// The most verifications that a signature takes as long as.
const MOST_VERIFICATIONS: f64 = 20.0;

/// By how much a smaller parameter set may be slower: noise of the measurement.
const KEYGEN_NOISE: f64 = 1.05;

/// With fewer signatures, their mean says little of the mean. The mean of 30 is within two thirds of the true
/// one, by four standard errors: no implementation known leaves the bounds for that.
const LEAST_SIGNATURES: u64 = 30;

/// ML-DSA's parameter sets from the smallest on.
const PARAMETER_SETS: [&str; 3] = ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];

/// The mean time of an operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mean {
    /// What a finding calls it.
    pub(super) place: String,
    /// What is held against one another: figures of one backend from one source.
    pub(super) group: String,
    pub(super) algorithm: String,
    pub(super) operation: String,
    pub(super) ms_per_op: f64,
    /// Of how many operations, if that is known.
    pub(super) operations: Option<u64>,
}

/// The means over the trials.
pub(super) fn means(samples: &[Sample]) -> Vec<Mean> {
    let mean = |(key, samples): (&Key, Vec<&Sample>)| Mean {
        place: key.to_string(),
        group: format!("{} ({})", key.backend, key.source),
        algorithm: key.algorithm.clone(),
        operation: key.operation.clone(),
        ms_per_op: samples.iter().map(|sample| sample.ms_per_op).sum::<f64>() / float(samples.len() as u64),
        operations: samples.iter().try_fold(0u64, |sum, sample| Some(sum.saturating_add(sample.operations?))),
    };
    by_key(samples).into_iter().map(mean).collect()
}

/// Holds the means of each group against one another.
pub(super) fn check(means: &[Mean]) -> Vec<Finding> {
    let mut groups: BTreeMap<&str, BTreeMap<(&str, &str), &Mean>> = BTreeMap::new();
    for mean in means {
        let operation = (mean.algorithm.as_str(), mean.operation.as_str());
        groups.entry(&mean.group).or_default().insert(operation, mean);
    }
    let mut findings = Vec::new();
    for group in groups.values() {
        findings.extend(PARAMETER_SETS.iter().filter_map(|algorithm| {
            sign_against_verify(group.get(&(*algorithm, "sign"))?, group.get(&(*algorithm, "verify"))?)
        }));
        findings.extend(keygen_order(group));
    }
    findings
}

fn sign_against_verify(sign: &Mean, verify: &Mean) -> Option<Finding> {
    if sign.operations.is_some_and(|signatures| signatures < LEAST_SIGNATURES) {
        return None;
    }
    let times = sign.ms_per_op / verify.ms_per_op;
    let figures = format!(
        "signing takes {} ms, verifying {} ms, {} times as long",
        figure(sign.ms_per_op),
        figure(verify.ms_per_op),
        figure(times)
    );
    if times < 1.0 {
        let message = format!(
            "{figures}, under 1: each repetition of signing does what verifying does (FIPS 204, Algorithms 7, 8)"
        );
        return Some(Finding::implausible("sign-faster-than-verify", &sign.place, message));
    }
    (times > MOST_VERIFICATIONS).then(|| {
        let message = format!(
            "{figures}, over {MOST_VERIFICATIONS}: more than the repetitions of signing explain (FIPS 204, Table 1)"
        );
        Finding::implausible("sign-by-verify", &sign.place, message)
    })
}

fn keygen_order(group: &BTreeMap<(&str, &str), &Mean>) -> Vec<Finding> {
    let known: Vec<&Mean> =
        PARAMETER_SETS.iter().filter_map(|algorithm| group.get(&(*algorithm, "keygen")).copied()).collect();
    let inverted = known.windows(2).filter_map(|pair| {
        let [smaller, larger] = pair else { return None };
        (smaller.ms_per_op > KEYGEN_NOISE * larger.ms_per_op).then(|| {
            let message = format!(
                "a key takes {} ms, one of {} {} ms: the larger parameter set has the larger matrix to expand \
                 (FIPS 204, Table 1)",
                figure(smaller.ms_per_op),
                larger.algorithm,
                figure(larger.ms_per_op)
            );
            Finding::implausible("keygen-order", &smaller.place, message)
        })
    });
    inverted.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(algorithm: &str, operation: &str, ms_per_op: f64) -> Mean {
        Mean {
            place: format!("{algorithm} {operation}"),
            group: "openssl".to_owned(),
            algorithm: algorithm.to_owned(),
            operation: operation.to_owned(),
            ms_per_op,
            operations: Some(1000),
        }
    }

    fn rules(means: &[Mean]) -> Vec<(&'static str, String)> {
        check(means).into_iter().map(|finding| (finding.rule, finding.place)).collect()
    }

    #[test]
    fn what_was_measured_passes() {
        // Microseconds of ML-DSA-65: keygen, sign, verify.
        for measured in [[60, 206, 65], [89, 233, 88], [310, 907, 191], [215, 1170, 218], [587, 2085, 217]] {
            let [_, sign, verify] = measured.map(f64::from);
            assert_eq!(rules(&[mean("ML-DSA-65", "sign", sign), mean("ML-DSA-65", "verify", verify)]), []);
        }
    }

    #[test]
    fn signing_takes_between_one_and_twenty_verifications() {
        let of = |sign| rules(&[mean("ML-DSA-44", "sign", sign), mean("ML-DSA-44", "verify", 1.0)]);
        assert_eq!(of(0.99), [("sign-faster-than-verify", "ML-DSA-44 sign".to_owned())]);
        assert_eq!(of(1.0), []);
        assert_eq!(of(20.0), []);
        assert_eq!(of(20.1), [("sign-by-verify", "ML-DSA-44 sign".to_owned())]);
        // Only of one parameter set, and only of ML-DSA.
        assert_eq!(rules(&[mean("ML-DSA-44", "sign", 1.0), mean("ML-DSA-87", "verify", 2.0)]), []);
        assert_eq!(rules(&[mean("Ed25519", "sign", 1.0), mean("Ed25519", "verify", 3.0)]), []);
    }

    #[test]
    fn too_few_signatures_are_not_judged() {
        let of = |operations| {
            let sign = Mean { operations, ..mean("ML-DSA-87", "sign", 0.5) };
            rules(&[sign, mean("ML-DSA-87", "verify", 1.0)]).len()
        };
        assert_eq!([of(Some(29)), of(Some(30)), of(None)], [0, 1, 1]);
    }

    #[test]
    fn a_larger_parameter_set_takes_longer_to_generate() {
        let of = |small, middle, large| {
            rules(&[
                mean("ML-DSA-44", "keygen", small),
                mean("ML-DSA-65", "keygen", middle),
                mean("ML-DSA-87", "keygen", large),
            ])
        };
        assert_eq!(of(1.0, 1.6, 2.5), []);
        assert_eq!(of(1.0, 0.96, 2.0), []);
        assert_eq!(of(1.0, 0.94, 2.0), [("keygen-order", "ML-DSA-44 keygen".to_owned())]);
        assert_eq!(of(3.0, 2.0, 1.0).len(), 2);
        assert_eq!(rules(&[mean("ML-DSA-44", "keygen", 2.0), mean("ML-DSA-87", "keygen", 1.0)]).len(), 1);
    }

    #[test]
    fn backends_are_not_held_against_one_another() {
        let other = Mean { group: "aws-lc".to_owned(), ..mean("ML-DSA-87", "keygen", 0.1) };
        assert_eq!(rules(&[mean("ML-DSA-44", "keygen", 1.0), other]), []);
    }

    #[test]
    fn a_finding_has_the_figures_and_the_bound() {
        let findings = check(&[mean("ML-DSA-65", "sign", 10.2), mean("ML-DSA-65", "verify", 0.217)]);
        assert_eq!(
            findings[0].message,
            "signing takes 10.2 ms, verifying 0.217 ms, 47 times as long, over 20: more than the repetitions of \
             signing explain (FIPS 204, Table 1)"
        );
    }
}
