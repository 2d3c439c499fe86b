//! The machine, before the run and after it.

use maud::{Markup, html};
use pqsig_speed::host::{Host, HostState};
use pqsig_speed::log::Ending;

use super::{clean, units};
use crate::Run;

/// The processor's own words of itself.
pub(super) fn processor(run: &Run) -> Option<String> {
    before(run).and_then(|(host, _)| host.cpu.as_deref().map(clean))
}

/// The machine before the run: of `host.json`, or else of the first log.
fn before(run: &Run) -> Option<(&Host, &HostState)> {
    let of_file = run.host.as_ref().map(|file| (&file.before.host, &file.before.state));
    of_file.or_else(|| run.pqsig_logs().next().map(|(_, log)| (&log.run.host, &log.run.before)))
}

/// The same after the run.
fn after(run: &Run) -> Option<(&Host, &HostState)> {
    if let Some(file) = &run.host {
        return file.after.as_ref().map(|after| (&after.host, &after.state));
    }
    let (_, log) = run.pqsig_logs().last()?;
    match &log.ending {
        Ending::Whole(end) => Some((&log.run.host, &end.after)),
        _ => None,
    }
}

/// The facts before the run and after it.
pub(super) fn table(run: &Run) -> Markup {
    let Some((host, state)) = before(run) else {
        return html! { p { "The logs say nothing of the machine." } };
    };
    let before = [host_rows(host), state_rows(state)].concat();
    let after = match after(run) {
        Some((host, state)) => [host_rows(host), state_rows(state)].concat(),
        None => before.iter().map(|(name, _)| (*name, None)).collect(),
    };
    let facts = || before.iter().zip(&after).map(|((name, before), (_, after))| (*name, before, after));
    let unknown: Vec<&str> = facts()
        .filter(|(_, before, after)| before.is_none() && after.is_none())
        .map(|(name, ..)| name)
        .collect();
    let source = if run.host.is_some() { "host.json" } else { "the first and the last trial's log" };
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Machine" {
            table {
                caption { "The machine before and after the run, as " (source) " has it" }
                thead { tr { th scope="col" { "Fact" } th scope="col" { "Before" } th scope="col" { "After" } } }
                tbody {
                    @for (name, before, after) in facts().filter(|(_, before, after)| before.is_some() || after.is_some()) {
                        tr {
                            th scope="row" { (name) }
                            @if before == after {
                                td colspan="2" { (known(before.as_ref())) }
                            } @else {
                                td { (known(before.as_ref())) }
                                td { (known(after.as_ref())) }
                            }
                        }
                    }
                    @if !unknown.is_empty() {
                        tr { th scope="row" { "Not known" } td colspan="2" class="unknown" { (unknown.join(", ")) } }
                    }
                }
            }
        }
    }
}

type Fact = (&'static str, Option<String>);

fn host_rows(host: &Host) -> Vec<Fact> {
    let mhz = |mhz: Option<u64>| mhz.map(|mhz| format!("{}\u{a0}MHz", units::count(mhz)));
    let caches: Vec<String> = host
        .caches
        .iter()
        .take(8)
        .map(|cache| {
            let shared = cache.shared_by.filter(|cores| *cores > 1);
            let shared = shared.map(|cores| format!(", shared by {cores}")).unwrap_or_default();
            format!("L{} {} {}{shared}", cache.level, clean(&cache.kind), units::bytes(cache.size_bytes))
        })
        .collect();
    let text = |text: &Option<String>| text.as_deref().map(clean);
    vec![
        ("Processor", text(&host.cpu)),
        ("Architecture", Some(clean(&host.architecture))),
        ("Extensions", (!host.cpu_features.is_empty()).then(|| clean(&host.cpu_features.join(" ")))),
        (
            "Cores, logical cores",
            match (host.physical_cores, host.logical_cores) {
                (None, None) => None,
                (cores, logical) => Some(format!("{}, {}", or_unknown(cores), or_unknown(logical))),
            },
        ),
        ("Several threads per core", host.smt.map(yes_or_no)),
        ("Base frequency", mhz(host.cpu_base_mhz)),
        ("Highest frequency", mhz(host.cpu_max_mhz)),
        ("Turbo", host.turbo.map(yes_or_no)),
        ("Caches", (!caches.is_empty()).then(|| caches.join("; "))),
        ("Memory", host.memory_bytes.map(units::bytes)),
        ("System", text(&host.os)),
        ("Kernel", text(&host.kernel)),
        ("Hypervisor", text(&host.virtualization)),
        ("Clock source", text(&host.clock_source)),
    ]
}

fn state_rows(state: &HostState) -> Vec<Fact> {
    let load = [state.load_1min, state.load_5min, state.load_15min]
        .map(|load| load.map(|load| format!("{load:.2}")));
    let seconds = |ms: Option<u64>| ms.map(|ms| format!("{}\u{a0}s", units::count(ms / 1000)));
    vec![
        ("Frequency", state.cpu_mhz.map(|mhz| format!("{}\u{a0}MHz", units::count(mhz)))),
        ("Governor", state.governor.as_deref().map(clean)),
        (
            "Load over 1, 5, 15 min",
            match load {
                [Some(one), Some(five), Some(fifteen)] => Some(format!("{one}, {five}, {fifteen}")),
                _ => None,
            },
        ),
        ("Available memory", state.memory_available_bytes.map(units::bytes)),
        ("Steal since boot", seconds(state.cpu_steal_ms)),
        ("Work since boot", seconds(state.cpu_busy_ms)),
        ("Temperature", state.temperature_celsius.map(|celsius| format!("{celsius:.1}\u{a0}°C"))),
        ("Power", state.power_source.as_deref().map(clean)),
    ]
}

fn known(value: Option<&String>) -> Markup {
    html! {
        @if let Some(value) = value { (value) } @else { span class="unknown" { "not known" } }
    }
}

fn or_unknown(count: Option<u32>) -> String {
    count.map_or_else(|| "not known".to_owned(), |count| count.to_string())
}

fn yes_or_no(value: bool) -> String {
    if value { "yes" } else { "no" }.to_owned()
}
