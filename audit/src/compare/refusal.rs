//! Why two runs should not be compared.

use std::fmt::Debug;

use pqsig_speed::host::Host;
use pqsig_speed::record;

use crate::openssl_speed;
use crate::run::Run;

/// The reasons, one line each with both values. Within a run nothing is looked at: trials that differ among
/// themselves are a finding of that run.
pub(super) fn refusals(a: &Run, b: &Run) -> Vec<String> {
    let mut refusals = machine(a, b);
    let first = |run| Run::pqsig_logs(run).next().map(|(_, log)| &log.run);
    if let (Some(a), Some(b)) = (first(a), first(b)) {
        refusals.extend(mode(&a.options, &b.options));
        refusals.extend(difference(
            "debug assertions",
            &a.program.debug_assertions,
            &b.program.debug_assertions,
        ));
    }
    if let (Some(a), Some(b)) = (openssl(a), openssl(b)) {
        refusals.extend(unlike("clock of openssl speed", a.clock.as_ref(), b.clock.as_ref()));
        refusals.extend(difference("-multi of openssl speed", &a.multi.unwrap_or(1), &b.multi.unwrap_or(1)));
    }
    refusals
}

/// Figures of two machines say something of the machines, not of the programs.
fn machine(a: &Run, b: &Run) -> Vec<String> {
    let cpu = |run| hosts(run).find_map(|host| host.cpu.as_ref());
    let cpus = match (cpu(a), cpu(b)) {
        (Some(a), Some(b)) => difference("CPU", a, b),
        (None, Some(b)) => Some(format!("CPU: unknown in a, {b:?} in b")),
        (Some(a), None) => Some(format!("CPU: {a:?} in a, unknown in b")),
        (None, None) => Some("CPU: unknown in a, unknown in b".to_owned()),
    };
    let architecture = |run| hosts(run).next().map(|host| &host.architecture);
    let architectures = match (architecture(a), architecture(b)) {
        (Some(a), Some(b)) => difference("architecture", a, b),
        // Then the CPU is unknown too, and that has been said.
        _ => None,
    };
    cpus.into_iter().chain(architectures).collect()
}

/// The machine as pqsig's logs have it, then as host.json does.
fn hosts(run: &Run) -> impl Iterator<Item = &Host> {
    let in_file = run.host.as_ref().map(|file| &file.before.host);
    run.pqsig_logs().map(|(_, log)| &log.run.host).chain(in_file)
}

fn mode(a: &record::OptionsRecord, b: &record::OptionsRecord) -> Vec<String> {
    let mode = |deterministic: bool| if deterministic { "deterministic" } else { "hedged" };
    let differences = [
        difference("signing", &mode(a.deterministic), &mode(b.deterministic)),
        difference("threads", &a.threads, &b.threads),
        difference("message size in bytes", &a.message_size_bytes, &b.message_size_bytes),
        difference("context size in bytes", &a.context_size_bytes, &b.context_size_bytes),
    ];
    differences.into_iter().flatten().collect()
}

/// A log that tells its clock, rather than one that was interrupted before it did.
fn openssl(run: &Run) -> Option<&openssl_speed::Log> {
    let mut logs = run.openssl_logs().map(|(_, log)| log);
    let first = run.openssl_logs().next().map(|(_, log)| log);
    logs.find(|log| log.clock.is_some()).or(first)
}

/// As [`difference`], where what is unknown may differ, too.
fn unlike<T: PartialEq + Debug>(what: &str, a: Option<&T>, b: Option<&T>) -> Option<String> {
    let words = |value: Option<&T>| value.map_or_else(|| "unknown".to_owned(), |v| format!("{v:?}"));
    let known = a.is_some() && a == b;
    (!known).then(|| format!("{what}: {} in a, {} in b", words(a), words(b)))
}

fn difference<T: PartialEq + Debug>(what: &str, a: &T, b: &T) -> Option<String> {
    (a != b).then(|| format!("{what}: {a:?} in a, {b:?} in b"))
}
