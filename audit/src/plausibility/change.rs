//! A machine that is not the same from the beginning of a run to its end.

use std::collections::{BTreeMap, BTreeSet};

use super::observation::{Observation, observations};
use crate::Finding;
use crate::run::Run;

/// By how much the memory's size may change: what a kernel reserves for itself differs between boots.
const MEMORY_NOISE_PCT: u64 = 1;

/// One finding for each thing that changed, where it is first seen to have.
pub(super) fn check(run: &Run) -> Vec<Finding> {
    let mut first: BTreeMap<&'static str, (String, String)> = BTreeMap::new();
    let mut reported = BTreeSet::new();
    let mut findings = Vec::new();
    for look in observations(run) {
        for (what, value) in facts(&look) {
            let Some((before, place)) = first.get(what) else {
                first.insert(what, (value, look.place.clone()));
                continue;
            };
            if !same(what, before, &value) && reported.insert(what) {
                let message = format!("{what} is `{value}`, and was `{before}` in {place}");
                findings.push(Finding::implausible("host-changed", &look.place, message));
            }
        }
    }
    findings
}

/// What must stay the same, as far as it is known.
fn facts(look: &Observation<'_>) -> Vec<(&'static str, String)> {
    let Observation { host, state, .. } = look;
    let number = |number: Option<u64>| number.map(|number| number.to_string());
    let facts = [
        ("the CPU", host.cpu.clone()),
        ("the architecture", Some(host.architecture.clone())),
        ("the greatest frequency in MHz", number(host.cpu_max_mhz)),
        ("turbo", host.turbo.map(|on| on.to_string())),
        (MEMORY, number(host.memory_bytes)),
        ("the operating system", host.os.clone()),
        ("the kernel", host.kernel.clone()),
        ("the hypervisor", host.virtualization.clone()),
        ("the clock source", host.clock_source.clone()),
        ("the governor", state.governor.clone()),
        ("the power source", state.power_source.clone()),
    ];
    facts.into_iter().filter_map(|(what, value)| Some((what, value?))).collect()
}

const MEMORY: &str = "the memory in bytes";

fn same(what: &str, before: &str, now: &str) -> bool {
    let bytes = |text: &str| text.parse::<u64>().ok();
    match (what, bytes(before), bytes(now)) {
        (MEMORY, Some(before), Some(now)) => before.abs_diff(now) <= before / 100 * MEMORY_NOISE_PCT,
        _ => before == now,
    }
}
