//! `pqsig-audit plausibility`

use serde::Serialize;

use super::arguments::PlausibilityArguments;
use super::output::{FindingJson, Outcome, one_line, print, print_json};
use crate::plausibility::{self, claims};
use crate::run::{Detail, Run};
use crate::{Error, Finding};

pub(super) fn run(arguments: &PlausibilityArguments) -> Result<Outcome, Error> {
    let mut checked: Vec<(String, Vec<Finding>)> = Vec::new();
    for folder in &arguments.folders {
        let run = Run::read(folder, Detail::Figures)?;
        // What is missing or broken keeps figures from being judged, so it belongs to the answer.
        let mut findings = run.findings.clone();
        findings.extend(plausibility::check(&run));
        checked.push((folder.display().to_string(), findings));
    }
    for path in &arguments.claims {
        checked.push((path.display().to_string(), claims::check(&claims::read(path)?)));
    }
    if arguments.json {
        let answers: Vec<Answer<'_>> = checked.iter().map(Answer::new).collect();
        print_json(&answers)?;
    } else {
        print(&text(&checked))?;
    }
    Ok(Outcome::clean_if(checked.iter().all(|(_, findings)| findings.is_empty())))
}

fn text(checked: &[(String, Vec<Finding>)]) -> String {
    let lines = checked.iter().flat_map(|(name, findings)| {
        let line = move |finding: &Finding| {
            format!("{name}: {}: {}\n", finding.severity.name(), one_line(&finding.to_string()))
        };
        let clean = findings.is_empty().then(|| format!("{name}: nothing is implausible\n"));
        clean.into_iter().chain(findings.iter().map(line))
    });
    lines.collect()
}

#[derive(Serialize)]
struct Answer<'a> {
    of: &'a str,
    findings: Vec<FindingJson<'a>>,
}

impl<'a> Answer<'a> {
    fn new((name, findings): &'a (String, Vec<Finding>)) -> Self {
        Answer { of: name, findings: findings.iter().map(FindingJson::from).collect() }
    }
}
