//! What was run, where, and when.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use pqsig_speed::log::{Ending, Trial as TrialLog};

use super::date::utc;
use super::{clean, machine, shortened, units};
use crate::openssl_speed::Clock;
use crate::{Finding, Run, Severity};

/// The commands that are shown at most, and the letters of each.
const MAX_COMMANDS: usize = 10;
const MAX_LETTERS: usize = 2000;

/// The answer in a paragraph.
pub(super) fn answer(run: &Run, findings: &[Finding]) -> Markup {
    let algorithms = names(run, |log| &log.run.options.algorithms);
    let operations = names(run, |log| &log.run.options.operations);
    let backends = names(run, |log| &log.run.options.backends);
    let cpu = machine::processor(run);
    html! {
        p class="answer" {
            "In " (counted(run.trials.len(), "trial"))
            @if let Some((start, end)) = period(run) {
                ", beginning on " (utc(start))
                @if end > start { " and lasting " (units::duration((end - start) / 1000)) }
            }
            ", "
            @if algorithms.is_empty() {
                "signatures were timed by “openssl speed”"
            } @else {
                (listed(&operations)) " of " (listed(&algorithms)) " were timed with the "
                (if backends.len() == 1 { "backend " } else { "backends " }) (listed(&backends))
                @if run.openssl_logs().next().is_some() { ", and by “openssl speed”" }
            }
            ", on "
            @match cpu { Some(cpu) => strong { (cpu) }, None => "a processor that the logs do not name" }
            ". " (verdict(findings))
        }
    }
}

fn verdict(findings: &[Finding]) -> Markup {
    let of = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let counts: Vec<String> = [Severity::Broken, Severity::Incomplete, Severity::Implausible]
        .into_iter()
        .filter(|severity| of(*severity) > 0)
        .map(|severity| format!("{} {}", of(severity), severity.name()))
        .collect();
    html! {
        strong {
            @if of(Severity::Broken) > 0 {
                "The evidence contradicts itself or can't be read"
            } @else if of(Severity::Incomplete) > 0 {
                "The run is not complete"
            } @else {
                "The run is complete"
            }
        }
        @if findings.is_empty() {
            ", and nothing was found wrong with it."
        } @else {
            "; " a href="#findings" { (counted(findings.len(), "finding")) } ": " (counts.join(", ")) "."
        }
    }
}

/// The machine, the software, the settings and the commands.
pub(super) fn surroundings(run: &Run) -> Markup {
    html! {
        div class="tables" {
            (machine::table(run))
            div { (software_table(run)) (settings_table(run)) }
        }
        @if let Some(plan) = run.plan.as_ref().filter(|plan| !plan.commands.is_empty()) {
            h3 { "Commands of each trial" }
            @for command in plan.commands.iter().take(MAX_COMMANDS) {
                pre tabindex="0" { code { (shortened(command, MAX_LETTERS)) } }
            }
        }
    }
}

/// When the run started and when it ended, as far as the logs tell: ms since 1970-01-01 UTC.
pub(super) fn period(run: &Run) -> Option<(u64, u64)> {
    let moments = || {
        let of_logs = run.pqsig_logs().flat_map(|(_, log)| {
            let start = log.run.started_unix_ms;
            let elapsed_ns = match &log.ending {
                Ending::Whole(end) => end.elapsed_ns,
                _ => 0,
            };
            [start, start.saturating_add(elapsed_ns / 1_000_000)]
        });
        let of_host = run.host.iter().flat_map(|host| {
            std::iter::once(host.before.taken_unix_ms)
                .chain(host.after.as_ref().map(|after| after.taken_unix_ms))
        });
        of_logs.chain(of_host)
    };
    Some((moments().min()?, moments().max()?))
}

fn software_table(run: &Run) -> Markup {
    let mut programs: BTreeSet<String> = BTreeSet::new();
    let mut backends: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (_, log) in run.pqsig_logs() {
        let program = &log.run.program;
        let build = if program.debug_assertions {
            ", with debug assertions: its figures are worth nothing"
        } else {
            ""
        };
        programs.insert(format!("{} {} for {}{build}", program.name, program.version, program.target));
        for phase in &log.phases {
            let provider =
                phase.provider.as_ref().map(|provider| format!(" ({provider})")).unwrap_or_default();
            let version = format!("{}{provider}", phase.backend_version);
            let versions = backends.entry(&phase.backend).or_default();
            // Two are a finding; a hostile log may have one per phase.
            if versions.len() < 4 {
                versions.insert(version);
            }
        }
    }
    let mut rows: Vec<(String, String)> =
        programs.iter().take(4).map(|program| ("Timed by".to_owned(), clean(program))).collect();
    let versions = backends.iter().take(32).map(|(backend, versions)| {
        let versions: Vec<&str> = versions.iter().map(String::as_str).collect();
        (format!("Backend {}", clean(backend)), shortened(&versions.join("; "), 400))
    });
    rows.extend(versions);
    if let Some(version) = run.openssl.as_deref().and_then(|text| text.lines().next()) {
        rows.push(("openssl.txt".to_owned(), clean(version)));
    }
    let openssl: BTreeSet<String> = run.openssl_logs().filter_map(|(_, log)| log.version.clone()).collect();
    rows.extend(
        openssl
            .iter()
            .take(4)
            .map(|version| ("openssl speed".to_owned(), format!("OpenSSL {}", clean(version)))),
    );
    if let Some(compiler) = run.openssl_logs().find_map(|(_, log)| log.build.compiler.as_deref()) {
        rows.push(("Compiled by".to_owned(), shortened(compiler, 400)));
    }
    two_columns("Software", "What was timed, in the words of the logs", &rows)
}

fn settings_table(run: &Run) -> Markup {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    row("Trials", run.trials.len().to_string());
    if let Some((_, log)) = run.pqsig_logs().next() {
        let options = &log.run.options;
        row(
            "Time of each operation in each trial",
            units::time(crate::sample::float(options.duration_ns), 3),
        );
        row("Message", units::bytes(options.message_size_bytes));
        row("Context", units::bytes(options.context_size_bytes));
        row(
            "Signing",
            if options.deterministic {
                "deterministic"
            } else {
                "hedged: fresh randomness in each signature"
            }
            .to_owned(),
        );
        row("Threads", options.threads.to_string());
        let (step, read) =
            (crate::sample::float(log.run.clock.step_ns), crate::sample::float(log.run.clock.read_ns));
        row("Clock's step, and time to read it", format!("{}, {}", units::tick(step), units::tick(read)));
    }
    if let Some(plan) = &run.plan {
        row("Seconds of openssl speed", plan.seconds.to_string());
    }
    if let Some((_, log)) = run.openssl_logs().next() {
        let clock = match log.clock {
            Some(Clock::Elapsed) => "the time that went by",
            Some(Clock::CpuTime) => "processor time in user mode",
            None => "not known",
        };
        row("Clock of openssl speed", clock.to_owned());
        if let Some(processes) = log.multi {
            row("Processes of openssl speed", processes.to_string());
        }
    }
    two_columns("Settings", "How it was timed", &rows)
}

fn two_columns(label: &str, caption: &str, rows: &[(String, String)]) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label=(label) {
            table {
                caption { (caption) }
                tbody {
                    @for (name, value) in rows {
                        tr { th scope="row" { (name) } td { (value) } }
                    }
                }
            }
        }
    }
}

fn names<'a>(run: &'a Run, of: impl Fn(&'a TrialLog) -> &'a Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in run.pqsig_logs().flat_map(|(_, log)| of(log)) {
        if names.len() < 64 && !names.contains(name) {
            names.push(name.clone());
        }
    }
    names
}

/// `a, b and c`
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().take(12).map(|name| clean(name)).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 trial`, `3 trials`
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
