//! Whether the trials can have followed one another as their numbers say.

use pqsig_speed::log::Ending;

use super::words::{figure, log_name};
use crate::Finding;
use crate::run::Run;
use crate::sample::float;

/// How far two of the system's clocks may drift apart within a trial, in ms: the monotonic one gives its
/// length, the one that is set over the network its start.
const DRIFT_MS: u64 = 1000;

/// The rules on starts and ends.
pub(super) fn check(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut earlier: Option<(u32, u64, Option<u64>)> = None;
    for (number, log) in run.pqsig_logs() {
        let start = log.run.started_unix_ms;
        if let Some((other, other_start, other_end)) = earlier {
            findings.extend(follows(number, start, other, other_start, other_end));
        }
        let end = match &log.ending {
            Ending::Whole(end) => Some(start.saturating_add(end.elapsed_ns / 1_000_000)),
            _ => None,
        };
        earlier = Some((number, start, end));
    }
    findings.extend(host_file(run));
    findings
}

fn follows(number: u32, start: u64, other: u32, other_start: u64, other_end: Option<u64>) -> Option<Finding> {
    if let Some(before) = other_start.checked_sub(start).filter(|before| *before > 0) {
        let message = format!(
            "began {} s before trial {other}: the clock was set back, or the logs are not in their order",
            seconds(before)
        );
        return Some(Finding::implausible("clock-went-back", log_name(number), message));
    }
    let over = other_end?.checked_sub(start).filter(|over| *over > DRIFT_MS)?;
    let message = format!(
        "began {} s before trial {other} had ended: the clock was set back, or both ran at once",
        seconds(over)
    );
    Some(Finding::implausible("trials-overlap", log_name(number), message))
}

fn host_file(run: &Run) -> Option<Finding> {
    let file = run.host.as_ref()?;
    let after = file.after.as_ref()?;
    let back = file.before.taken_unix_ms.checked_sub(after.taken_unix_ms).filter(|back| *back > 0)?;
    let message = format!("`after` is {} s before `before`: the clock was set back", seconds(back));
    Some(Finding::implausible("clock-went-back", "host.json", message))
}

fn seconds(ms: u64) -> String {
    figure(float(ms) / 1000.0)
}
