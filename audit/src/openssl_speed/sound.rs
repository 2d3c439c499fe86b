//! What holds of every log, whatever it was read from.

use std::collections::BTreeSet;

use super::{Log, Phase, Printed};
use crate::Severity;

impl Log {
    /// What is wrong with this log as a value, if anything: it never is after [`super::parse`], which property
    /// tests and the fuzz target hold it to. This does not judge what the log says; [`Log::findings`] do.
    #[must_use]
    pub fn unsoundness(&self) -> Option<String> {
        let mut names = BTreeSet::new();
        for phase in &self.phases {
            let name = format!("{} {}", phase.algorithm, phase.operation);
            if let Some(fault) = unsoundness(phase) {
                return Some(format!("{name}: {fault}"));
            }
            if !names.insert(name.clone()) {
                return Some(format!("{name} is there twice"));
            }
            let missing = self.missing.iter().any(|missing| {
                missing.algorithm == phase.algorithm && missing.operation.as_ref() == Some(&phase.operation)
            });
            if missing {
                return Some(format!("{name} is both there and missing"));
            }
        }
        if let Some(missing) = self.missing.iter().find(|missing| {
            !is_word(&missing.algorithm) || missing.reason.is_empty() || !is_one_line(&missing.reason)
        }) {
            return Some(format!("{missing:?} does not say what is missing and why"));
        }
        let lines = self.findings.iter().flat_map(|finding| [&finding.place, &finding.message]);
        if let Some(line) = lines.chain(&self.notes).find(|line| line.is_empty() || !is_one_line(line)) {
            return Some(format!("{line:?} is not a line"));
        }
        if self.findings.len() > 201 || self.notes.len() > 50 {
            return Some("more findings or notes than anyone reads".to_owned());
        }
        let unexplained = self.findings.iter().all(|finding| finding.severity == Severity::Implausible);
        if unexplained && (self.interrupted || !self.missing.is_empty()) {
            return Some("incomplete without a finding".to_owned());
        }
        None
    }
}

fn unsoundness(phase: &Phase) -> Option<&'static str> {
    let (Some(ms), Some(rate), Some(rounding)) = (phase.ms_per_op(), phase.ops_per_s(), phase.rounding_pct())
    else {
        return Some("has no figure");
    };
    let printed_well = |printed: Option<Printed>| {
        printed.is_none_or(|printed| is_positive(printed.value) && is_positive(printed.bound()))
    };
    if !is_word(&phase.algorithm) || !is_word(&phase.operation) {
        Some("has no proper name")
    } else if !is_positive(ms) || !is_positive(rate) || !is_positive(rounding) {
        Some("has a figure that is 0, negative or no number")
    } else if (ms * rate / (1e3 * f64::from(phase.processes)) - 1.0).abs() > 1e-9 {
        Some("has a time that is not that of its rate")
    } else if phase.count.is_some() != phase.elapsed_cs.is_some() {
        Some("has half a figure of stderr")
    } else if phase.count.is_some() != phase.stderr_line.is_some() {
        Some("has a figure without a line, or a line without a figure")
    } else if phase.count == Some(0) || phase.elapsed_cs == Some(0) || phase.processes == 0 {
        Some("counts nothing")
    } else if !printed_well(phase.printed_rate) || !printed_well(phase.printed_time) {
        Some("has a printed figure that is no value")
    } else {
        None
    }
}

fn is_positive(number: f64) -> bool {
    number.is_finite() && number > 0.0
}

/// Whether a text can stand in a column or a place without quotation marks.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 80 && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',')
}

fn is_one_line(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    fn log() -> Log {
        let stderr = b"Doing ML-DSA-65 keygen ops for 1s: 2850 ML-DSA-65 signature keygen ops in 1.00s\n";
        let log = parse(None, Some(("stderr", stderr)));
        assert_eq!((log.phases.len(), log.unsoundness()), (1, None));
        log
    }

    fn is_unsound(change: impl FnOnce(&mut Log)) -> bool {
        let mut log = log();
        change(&mut log);
        log.unsoundness().is_some()
    }

    #[test]
    fn each_fault_of_a_phase_is_found() {
        assert!(is_unsound(|log| log.phases[0].count = Some(0)));
        assert!(is_unsound(|log| log.phases[0].elapsed_cs = Some(0)));
        assert!(is_unsound(|log| log.phases[0].elapsed_cs = None));
        assert!(is_unsound(|log| log.phases[0].processes = 0));
        assert!(is_unsound(|log| log.phases[0].stderr_line = None));
        assert!(is_unsound(|log| log.phases[0].algorithm = "a,b".to_owned()));
        for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(is_unsound(|log| log.phases[0].printed_rate = Some(Printed { value, decimals: 1 })));
        }
    }

    #[test]
    fn each_fault_of_a_log_is_found() {
        assert!(is_unsound(|log| log.phases.push(log.phases[0].clone())));
        assert!(is_unsound(|log| log.missing[0].operation = Some("keygen".to_owned())));
        assert!(is_unsound(|log| log.missing[0].reason.clear()));
        assert!(is_unsound(|log| log.findings.clear()));
        assert!(is_unsound(|log| log.findings[0].message.push('\n')));
        assert!(is_unsound(|log| log.notes = vec!["a note".to_owned(); 51]));
    }
}
