//! `pqsig-audit summarize`

use std::path::Path;

use serde::Serialize;

use super::arguments::SummarizeArguments;
use super::output::{FindingJson, Outcome, SHOWN, complain, note, print, print_json};
use crate::run::Detail;
use crate::sample::Source;
use crate::summarize::{Before, Recomputed, recompute};
use crate::{Error, Finding, Severity};

/// What became of one run.
struct Summarized {
    recomputed: Recomputed,
    before: Vec<(&'static str, Before)>,
    outcome: Outcome,
}

pub(super) fn run(arguments: &SummarizeArguments) -> Result<Outcome, Error> {
    let mut worst = Outcome::Clean;
    let mut answers = Vec::new();
    for folder in &arguments.folders {
        let outcome = match one(folder, arguments) {
            Ok(summarized) => {
                say(folder, &summarized, arguments)?;
                if arguments.json {
                    answers.push(Answer::new(folder, &summarized));
                }
                summarized.outcome
            }
            // One folder that can't be read does not keep the others from being summarized.
            Err(error) => {
                complain(&error.to_string());
                Outcome::Hindered
            }
        };
        worst = worst.max(outcome);
    }
    if arguments.json {
        print_json(&answers)?;
    }
    Ok(worst)
}

fn one(folder: &Path, arguments: &SummarizeArguments) -> Result<Summarized, Error> {
    let recomputed = recompute(folder, Detail::Figures)?;
    let before = recomputed
        .files()
        .into_iter()
        .map(|(name, content)| Ok((name, recomputed.before(name, content)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let is_sound = is_sound(&recomputed.run.findings, arguments.allow_incomplete);
    let is_exact = before.iter().all(|(_, before)| *before == Before::Exact);
    if is_sound && !arguments.check && !is_exact {
        recomputed.write()?;
    }
    let outcome = Outcome::clean_if(is_sound && (is_exact || !arguments.check));
    Ok(Summarized { recomputed, before, outcome })
}

/// Whether a run may be summarized.
fn is_sound(findings: &[Finding], allow_incomplete: bool) -> bool {
    findings.iter().all(|finding| match finding.severity {
        Severity::Broken => false,
        Severity::Incomplete => allow_incomplete,
        Severity::Implausible => true,
    })
}

/// Says on stderr what is wrong, and on stdout what there is.
fn say(folder: &Path, summarized: &Summarized, arguments: &SummarizeArguments) -> Result<(), Error> {
    let name = folder.display();
    let Summarized { recomputed, before, .. } = summarized;
    let findings = &recomputed.run.findings;
    let allowed = is_sound(findings, arguments.allow_incomplete);
    for finding in findings.iter().take(SHOWN) {
        let tell = if allowed { note } else { complain };
        tell(&format!("{name}: {finding}"));
    }
    if findings.len() > SHOWN {
        complain(&format!("{name}: and {} findings more", findings.len() - SHOWN));
    }
    if !allowed && !arguments.check {
        complain(&format!("{name}: {}", refusal(findings)));
    }
    if arguments.check {
        for (file, before) in before {
            match before {
                Before::Exact => {}
                Before::Absent => complain(&format!("{name}/{file} is missing")),
                Before::Different(difference) => complain(&format!("{name}/{file}: {difference}")),
            }
        }
    }
    if arguments.json {
        return Ok(());
    }
    let files: Vec<String> = before
        .iter()
        .map(|(file, before)| format!("{file} {}", word(before, allowed, arguments.check)))
        .collect();
    print(&format!("{name}: {}; {}\n", contents(recomputed), files.join(", ")))
}

fn refusal(findings: &[Finding]) -> &'static str {
    if findings.iter().any(|finding| finding.severity == Severity::Broken) {
        "nothing is written: the logs contradict themselves or can't be read"
    } else {
        "nothing is written: the run is not complete (--allow-incomplete summarizes what is there)"
    }
}

fn word(before: &Before, allowed: bool, check: bool) -> &'static str {
    match (before, allowed && !check) {
        (Before::Exact, _) => "exact",
        (Before::Absent, true) => "written",
        (Before::Different(_), true) => "rewritten",
        (Before::Absent, false) => "missing",
        (Before::Different(_), false) => "different",
    }
}

/// `3 trials, 54 samples of openssl-speed, 234 of pqsig-speed`, and whether that is all.
fn contents(recomputed: &Recomputed) -> String {
    let count = |source| recomputed.samples.iter().filter(|sample| sample.key.source == source).count();
    let trials = recomputed.run.trials.len();
    let mut text = format!(
        "{trials} trial{}, {} samples of {}, {} of {}",
        if trials == 1 { "" } else { "s" },
        count(Source::OpensslSpeed),
        Source::OpensslSpeed,
        count(Source::PqsigSpeed),
        Source::PqsigSpeed
    );
    if is_incomplete(&recomputed.run.findings) {
        text.push_str(", incomplete");
    }
    text
}

fn is_incomplete(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Incomplete)
}

#[derive(Serialize)]
struct Answer {
    directory: String,
    trials: usize,
    samples: usize,
    incomplete: bool,
    files: Vec<FileAnswer>,
    findings: Vec<serde_json::Value>,
}

#[derive(Serialize)]
struct FileAnswer {
    name: &'static str,
    before: &'static str,
    difference: Option<String>,
}

impl Answer {
    fn new(folder: &Path, summarized: &Summarized) -> Self {
        let run = &summarized.recomputed.run;
        let findings = run.findings.iter().map(|finding| serde_json::json!(FindingJson::from(finding)));
        let file = |(name, before): &(&'static str, Before)| FileAnswer {
            name,
            before: match before {
                Before::Exact => "exact",
                Before::Absent => "absent",
                Before::Different(_) => "different",
            },
            difference: match before {
                Before::Different(difference) => Some(difference.to_string()),
                _ => None,
            },
        };
        Answer {
            directory: folder.display().to_string(),
            trials: run.trials.len(),
            samples: summarized.recomputed.samples.len(),
            incomplete: is_incomplete(&run.findings),
            files: summarized.before.iter().map(file).collect(),
            findings: findings.collect(),
        }
    }
}
