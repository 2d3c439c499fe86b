//! How the times of pqsig's logs were taken.

use std::collections::BTreeMap;

use pqsig_speed::record::{Phase, Run as Head};

use super::words::{figure, trials};
use crate::Finding;
use crate::rejection;
use crate::run::Run;
use crate::sample::{Key, float};
use crate::sampling::pqsig_key;

/// How much longer the 99th percentile of ML-DSA's signing takes than the median, at least. The number of
/// repetitions is geometrically distributed with the means of FIPS 204, Table 1: the median is 3 or 4, the 99th
/// percentile 16 to 22, which with the fixed part of a signature makes about 4. One message that is signed
/// deterministically again and again takes the same number of repetitions always, which makes about 1.
const LEAST_TAIL: f64 = 2.0;

/// With fewer signatures, the 99th percentile is the greatest time, and says little.
pub(super) const LEAST_SIGNATURES: u64 = 100;

/// The fewest steps of the clock in a sample. pqsig's samples have 100 when they are planned, on cold caches;
/// half of that is left for warm ones. One step is then 2% of a sample.
const LEAST_STEPS: u64 = 50;

/// The rules on phases.
pub(super) fn check(run: &Run) -> Vec<Finding> {
    let mut flagged: BTreeMap<(&'static str, Key), Vec<(u32, String)>> = BTreeMap::new();
    let mut debug = Vec::new();
    for (number, log) in run.pqsig_logs() {
        if log.run.program.debug_assertions {
            debug.push(number);
        }
        for phase in log.phases.iter().filter(|phase| phase.failure.is_none()) {
            let here = [one_message(phase), clock_step(phase, &log.run)];
            for (rule, message) in here.into_iter().flatten() {
                flagged.entry((rule, pqsig_key(phase))).or_default().push((number, message));
            }
        }
    }
    let mut findings: Vec<Finding> = debug_build(&debug).into_iter().collect();
    for ((rule, key), trials_flagged) in flagged {
        let numbers: Vec<u32> = trials_flagged.iter().map(|(number, _)| *number).collect();
        // The first one's figures stand for the others'.
        let message = trials_flagged.into_iter().next().map(|(_, message)| message).unwrap_or_default();
        findings.push(Finding::implausible(rule, format!("{key}, {}", trials(&numbers)), message));
    }
    findings
}

fn one_message(phase: &Phase) -> Option<(&'static str, String)> {
    // Samples of several operations are means of them, and means scatter less.
    if phase.batch != 1 || phase.operations < LEAST_SIGNATURES {
        return None;
    }
    let message = tail(&phase.algorithm, &phase.operation, float(phase.p50_ns?), float(phase.p99_ns?))?;
    Some(("one-message-timed", message))
}

/// Whether single signatures scatter too little for messages that vary: the reason if so. Both times are in
/// the same unit.
pub(super) fn tail(algorithm: &str, operation: &str, p50: f64, p99: f64) -> Option<String> {
    let repetitions = rejection::mean_repetitions(algorithm).filter(|_| operation == "sign")?;
    let times = p99 / p50;
    (times < LEAST_TAIL).then(|| {
        format!(
            "p99 is {} times p50, under {LEAST_TAIL}: signatures of different messages need {repetitions} \
             repetitions on average and scatter to about 4 times; it looks as if one message was timed",
            figure(times)
        )
    })
}

fn clock_step(phase: &Phase, head: &Head) -> Option<(&'static str, String)> {
    let sample_ns = phase.p50_ns?.saturating_mul(phase.batch.into());
    let step_ns = head.clock.step_ns;
    (sample_ns < LEAST_STEPS.saturating_mul(step_ns)).then(|| {
        let message = format!(
            "a sample takes {sample_ns} ns, the clock's step {step_ns} ns: under {LEAST_STEPS} steps, the clock \
             is timed and not the operation"
        );
        ("clock-step", message)
    })
}

fn debug_build(numbers: &[u32]) -> Option<Finding> {
    (!numbers.is_empty()).then(|| {
        let message = format!(
            "{}: the timing program was built with debug assertions, which make it many times slower",
            trials(numbers)
        );
        Finding::implausible("debug-build", "program", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quantiles of the number of repetitions that FIPS 204's means give: what the bound's reason says.
    #[test]
    fn repetitions_have_the_median_and_the_tail_that_are_stated() {
        let quantile = |mean: f64, p: f64| ((1.0 - p).ln() / (1.0 - 1.0 / mean).ln()).ceil();
        for (algorithm, tail) in [("ML-DSA-44", 18.0), ("ML-DSA-65", 22.0), ("ML-DSA-87", 16.0)] {
            let mean = rejection::mean_repetitions(algorithm).unwrap();
            assert!((3.0..=4.0).contains(&quantile(mean, 0.5)), "{algorithm}");
            assert!((quantile(mean, 0.99) - tail).abs() < 1e-9, "{algorithm}");
        }
    }

    #[test]
    fn signatures_that_all_take_the_same_time_are_flagged() {
        assert!(tail("ML-DSA-65", "sign", 1.0, 1.99).unwrap().starts_with("p99 is 1.99 times p50, under 2"));
        assert_eq!(tail("ML-DSA-65", "sign", 1.0, 2.0), None);
        assert_eq!(tail("ML-DSA-65", "verify", 1.0, 1.0), None);
        assert_eq!(tail("SLH-DSA-SHA2-128f", "sign", 1.0, 1.0), None);
    }
}
