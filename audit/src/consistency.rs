//! What only shows when the logs of a run are held against each other.

use std::collections::{BTreeMap, BTreeSet};

use pqsig_speed::record;

use crate::Finding;
use crate::openssl_speed;
use crate::run::Run;

/// Whatever is missing or contradictory between the logs of a run.
pub(crate) fn check(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(missing_trials(run));
    findings.extend(the_same_trial_twice(run));
    findings.extend(mixed_settings(run));
    findings.extend(mixed_openssl(run));
    findings.extend(phases_twice(run));
    findings.extend(missing_pqsig_phases(run));
    findings.extend(missing_openssl_phases(run));
    findings
}

/// Numbers that are left out, trials that were announced, and logs that others have.
fn missing_trials(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    let there: BTreeSet<u32> = run.trials.iter().map(|trial| trial.number).collect();
    let last = there.last().copied().unwrap_or(0);
    let announced = run.plan.as_ref().map_or(0, |plan| plan.trials).max(announced_by_logs(run));
    // Whoever deletes a log also leaves a gap; a huge number in a name must not make as many findings.
    let missing: Vec<u32> = (1..=last.max(announced)).filter(|n| !there.contains(n)).take(100).collect();
    for number in missing {
        let message = format!("no log of this trial, of {} in all", last.max(announced));
        findings.push(Finding::incomplete("missing-trial", format!("trial-{number}"), message));
    }
    let any_pqsig = run.pqsig_logs().next().is_some();
    let any_openssl = run.openssl_logs().next().is_some();
    for trial in &run.trials {
        let place = format!("trial-{}", trial.number);
        // A pqsig log that is there but can't be read has its own finding.
        let unreadable = run.findings.iter().any(|f| f.place.starts_with(&format!("{place}.jsonl")));
        if any_pqsig && trial.pqsig.is_none() && !unreadable {
            let message = "no trial-N.jsonl, which other trials have";
            findings.push(Finding::incomplete("missing-log", place.clone(), message));
        }
        if any_openssl && trial.openssl.is_none() {
            let message = "no log of openssl speed, which other trials have";
            findings.push(Finding::incomplete("missing-log", place, message));
        }
    }
    findings
}

/// Logs of one process belong together: if trial 3 of 3 is in trial-6.jsonl, there are three before it.
fn announced_by_logs(run: &Run) -> u32 {
    let announced = run.pqsig_logs().map(|(number, log)| {
        let yet_to_come = log.run.trials.saturating_sub(log.run.trial);
        number.saturating_add(yet_to_come)
    });
    announced.max().unwrap_or(0)
}

fn the_same_trial_twice(run: &Run) -> Vec<Finding> {
    let mut first: BTreeMap<(&str, u32), u32> = BTreeMap::new();
    let mut findings = Vec::new();
    for (number, log) in run.pqsig_logs() {
        let identity = (log.run.run_id.as_str(), log.run.trial);
        if let Some(other) = first.get(&identity) {
            let message = format!("is trial {} of run {}, as is trial-{other}.jsonl", identity.1, identity.0);
            findings.push(Finding::broken("the-same-trial-twice", pqsig_place(number), message));
        } else {
            first.insert(identity, number);
        }
    }
    findings
}

/// Trials under different conditions are no trials of one thing.
fn mixed_settings(run: &Run) -> Vec<Finding> {
    let mut logs = run.pqsig_logs();
    let Some((first_number, first)) = logs.next() else { return Vec::new() };
    let mut findings = Vec::new();
    for (number, log) in logs {
        let differences = [
            difference("program", &program(&first.run), &program(&log.run)),
            options_difference(&first.run.options, &log.run.options),
            difference("cpu", &first.run.host.cpu, &log.run.host.cpu),
        ];
        for difference in differences.into_iter().flatten() {
            let message = format!("{difference}, unlike trial-{first_number}.jsonl");
            findings.push(Finding::broken("mixed", pqsig_place(number), message));
        }
    }
    findings.extend(mixed_backends(run));
    findings
}

fn program(run: &record::Run) -> String {
    let build = if run.program.debug_assertions { ", with debug assertions" } else { "" };
    format!("{} {} for {}{build}", run.program.name, run.program.version, run.program.target)
}

/// The first setting that differs and that moves figures. The lists of algorithms and backends may differ: a
/// folder can be filled in several goes.
fn options_difference(a: &record::OptionsRecord, b: &record::OptionsRecord) -> Option<String> {
    difference("message size", &a.message_size_bytes, &b.message_size_bytes)
        .or_else(|| difference("context size", &a.context_size_bytes, &b.context_size_bytes))
        .or_else(|| difference("deterministic", &a.deterministic, &b.deterministic))
        .or_else(|| difference("threads", &a.threads, &b.threads))
        .or_else(|| difference("duration in ns", &a.duration_ns, &b.duration_ns))
}

fn difference<T: PartialEq + std::fmt::Debug>(what: &str, first: &T, here: &T) -> Option<String> {
    (first != here).then(|| format!("{what} is {here:?}, not {first:?}"))
}

/// What makes an algorithm's signatures has one version in all of a run. A backend may have several: it can
/// stand on a crate per family.
fn mixed_backends(run: &Run) -> Vec<Finding> {
    let mut versions: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    let mut findings = BTreeSet::new();
    for (number, log) in run.pqsig_logs() {
        for phase in &log.phases {
            let (backend, version) = (&phase.backend, phase.backend_version.as_str());
            let known = *versions.entry((backend, &phase.algorithm)).or_insert(version);
            if known != version {
                let message = format!("{backend} is `{version}` here and `{known}` elsewhere in the run");
                findings.insert(Finding::broken("mixed-versions", pqsig_place(number), message));
            }
        }
    }
    findings.into_iter().collect()
}

/// One command, one clock, one number of processes in all trials; and the version that openssl.txt names.
fn mixed_openssl(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut logs = run.openssl_logs();
    let Some((first_number, first)) = logs.next() else { return findings };
    for (number, log) in logs {
        let differences = [
            known_difference("version", first.version.as_ref(), log.version.as_ref()),
            known_difference("clock", first.clock.as_ref(), log.clock.as_ref()),
            known_difference("-multi", first.multi.as_ref(), log.multi.as_ref()),
        ];
        for difference in differences.into_iter().flatten() {
            let message = format!("{difference}, unlike trial {first_number}");
            findings.push(Finding::broken("mixed-versions", openssl_place(number), message));
        }
    }
    let named = run.openssl.as_deref().and_then(openssl_version);
    for (number, log) in run.openssl_logs() {
        if let Some(difference) = known_difference("version", named.as_ref(), log.version.as_ref()) {
            let message = format!("{difference}, which openssl.txt names");
            findings.push(Finding::broken("mixed-versions", openssl_place(number), message));
        }
    }
    findings
}

/// An interrupted log does not say everything: what it does not say is no difference.
fn known_difference<T: PartialEq + std::fmt::Debug>(
    what: &str,
    first: Option<&T>,
    here: Option<&T>,
) -> Option<String> {
    difference(what, first?, here?)
}

/// `OpenSSL 3.6.3 9 Jun 2026 (Library: ...)` is `3.6.3`.
fn openssl_version(text: &str) -> Option<String> {
    let mut words = text.lines().next()?.split_whitespace();
    (words.next()? == "OpenSSL").then(|| words.next().map(str::to_owned))?
}

fn phases_twice(run: &Run) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, log) in run.pqsig_logs() {
        let mut seen = BTreeSet::new();
        for phase in &log.phases {
            let key = (&phase.algorithm, &phase.backend, &phase.operation);
            if !seen.insert(key) {
                let place = format!("{}: {} {} {}", pqsig_place(number), key.0, key.1, key.2);
                findings.push(Finding::broken("phase-twice", place, "stands in the log twice"));
            }
        }
    }
    findings
}

/// What a complete log of another trial has. In an incomplete log, what is missing for that reason is named
/// too: whoever reads the summary wants to know which rows stand on fewer trials.
fn missing_pqsig_phases(run: &Run) -> Vec<Finding> {
    let key =
        |phase: &record::Phase| (phase.algorithm.clone(), phase.backend.clone(), phase.operation.clone());
    let all: BTreeSet<_> = run.pqsig_logs().flat_map(|(_, log)| log.phases.iter().map(key)).collect();
    let mut findings = Vec::new();
    for (number, log) in run.pqsig_logs() {
        let here: BTreeSet<_> = log.phases.iter().map(key).collect();
        for (algorithm, backend, operation) in all.difference(&here) {
            let skipped = log.skipped.iter().find(|skipped| {
                (&skipped.algorithm, &skipped.backend, &skipped.operation) == (algorithm, backend, operation)
            });
            let reason = match skipped {
                Some(skipped) => skipped.reason.clone(),
                None => "is missing, and another trial has it".to_owned(),
            };
            let place = format!("{}: {algorithm} {backend} {operation}", pqsig_place(number));
            findings.push(Finding::incomplete("missing-phase", place, reason));
        }
    }
    findings
}

fn missing_openssl_phases(run: &Run) -> Vec<Finding> {
    let key = |phase: &openssl_speed::Phase| (phase.algorithm.clone(), phase.operation.clone());
    let mut all: BTreeSet<_> = run.openssl_logs().flat_map(|(_, log)| log.phases.iter().map(key)).collect();
    if run.openssl_logs().next().is_some() {
        let planned = run.plan.iter().flat_map(|plan| &plan.algorithms);
        // `openssl speed` does not generate Ed25519 keys.
        for algorithm in planned.filter(|algorithm| *algorithm != "Ed25519") {
            all.extend(
                ["keygen", "sign", "verify"].map(|operation| (algorithm.clone(), operation.to_owned())),
            );
        }
    }
    let mut findings = Vec::new();
    for (number, log) in run.openssl_logs() {
        let here: BTreeSet<_> = log.phases.iter().map(key).collect();
        for (algorithm, operation) in all.difference(&here) {
            let known = log.missing.iter().any(|missing| {
                missing.algorithm == *algorithm && missing.operation.as_ref().is_none_or(|of| of == operation)
            });
            if !known {
                let place = format!("{}: {algorithm} {operation}", openssl_place(number));
                let message = "is missing: openssl speed ended without a word of it";
                findings.push(Finding::incomplete("missing-phase", place, message));
            }
        }
    }
    findings
}

fn pqsig_place(number: u32) -> String {
    format!("trial-{number}.jsonl")
}

fn openssl_place(number: u32) -> String {
    format!("trial-{number}.stderr.txt")
}
