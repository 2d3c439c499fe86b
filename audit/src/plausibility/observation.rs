//! The machine as a run saw it, again and again.

use pqsig_speed::host::{Host, HostState};
use pqsig_speed::log::Ending;

use super::words::log_name;
use crate::run::Run;
use crate::sample::float;

/// One look at the machine.
pub(super) struct Observation<'a> {
    /// Which file says so.
    pub(super) place: String,
    pub(super) host: &'a Host,
    pub(super) state: &'a HostState,
    /// How many threads of the run itself the load may count: those of the trial before, or of the program
    /// that was timed before this one.
    pub(super) own_threads: f64,
    /// Whether it was before something that was timed.
    pub(super) before: bool,
}

/// Two looks with something that was timed between them.
pub(super) struct Span<'a> {
    /// Which file says so.
    pub(super) place: String,
    pub(super) before: &'a HostState,
    pub(super) after: &'a HostState,
}

/// All looks in the order of the trials.
pub(super) fn observations(run: &Run) -> Vec<Observation<'_>> {
    let mut observations = Vec::new();
    if let Some(file) = &run.host {
        observations.push(Observation {
            place: "host.json".to_owned(),
            host: &file.before.host,
            state: &file.before.state,
            own_threads: 0.0,
            before: true,
        });
    }
    let processes = run.openssl_logs().filter_map(|(_, log)| log.multi).max().unwrap_or(1);
    let openssl = if run.openssl_logs().next().is_some() { processes } else { 0 };
    for (at, (number, log)) in run.pqsig_logs().enumerate() {
        let host = &log.run.host;
        let earlier = if at == 0 { 0 } else { log.run.options.threads };
        let own_threads = f64::from(earlier.max(openssl));
        let place = log_name(number);
        observations.push(Observation {
            place: place.clone(),
            host,
            state: &log.run.before,
            own_threads,
            before: true,
        });
        if let Ending::Whole(end) = &log.ending {
            observations.push(Observation { place, host, state: &end.after, own_threads, before: false });
        }
    }
    if let Some(after) = run.host.as_ref().and_then(|file| file.after.as_ref()) {
        observations.push(Observation {
            place: "host.json".to_owned(),
            host: &after.host,
            state: &after.state,
            own_threads: f64::from(openssl.max(1)),
            before: false,
        });
    }
    observations
}

/// Each whole trial, and the whole run.
pub(super) fn spans(run: &Run) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    for (number, log) in run.pqsig_logs() {
        if let Ending::Whole(end) = &log.ending {
            spans.push(Span { place: log_name(number), before: &log.run.before, after: &end.after });
        }
    }
    if let Some(file) = &run.host
        && let Some(after) = &file.after
    {
        spans.push(Span { place: "host.json".to_owned(), before: &file.before.state, after: &after.state });
    }
    spans
}

impl Span<'_> {
    /// The share of the processor time that this system wanted and the hypervisor gave to others, in percent.
    /// `None` where the system does not count, or counts anew since.
    pub(super) fn stolen_pct(&self) -> Option<f64> {
        let growth = |counter: fn(&HostState) -> Option<u64>| {
            counter(self.after)?.checked_sub(counter(self.before)?).map(float)
        };
        let stolen = growth(|state| state.cpu_steal_ms)?;
        let wanted = stolen + growth(|state| state.cpu_busy_ms)?;
        (wanted > 0.0).then(|| 100.0 * stolen / wanted)
    }
}
