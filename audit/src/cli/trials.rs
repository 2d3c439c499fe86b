//! `pqsig-audit trials`

use std::collections::BTreeMap;

use serde::Serialize;

use super::arguments::TrialsArguments;
use super::output::{Outcome, one_line, print, print_json};
use crate::run::{Detail, Run};
use crate::{Error, Finding, folder};

#[derive(Serialize)]
struct Trial {
    #[serde(rename = "trial")]
    number: u32,
    complete: bool,
    logs: Vec<String>,
    missing: Vec<String>,
}

impl Trial {
    fn text(&self) -> String {
        let state = if self.complete { "complete" } else { "not complete" };
        let head = format!("trial {}: {state} ({})\n", self.number, self.logs.join(", "));
        let missing = self.missing.iter().map(|missing| format!("  {}\n", one_line(missing)));
        std::iter::once(head).chain(missing).collect()
    }
}

/// A trial is complete if no finding is about its logs.
pub(super) fn run(arguments: &TrialsArguments) -> Result<Outcome, Error> {
    let trials = match Run::read(&arguments.folder, Detail::Figures) {
        Ok(run) => trials(&run)?,
        // Where nothing was begun there is nothing to say, and nothing is wrong.
        Err(Error::NoTrials(_)) => Vec::new(),
        Err(error) => return Err(error),
    };
    if arguments.json {
        print_json(&trials)?;
        return Ok(Outcome::Clean);
    }
    print(&trials.iter().map(Trial::text).collect::<String>())?;
    Ok(Outcome::Clean)
}

fn trials(run: &Run) -> Result<Vec<Trial>, Error> {
    let files = folder::list(&run.path)?.trials;
    let mut by_trial: BTreeMap<u32, Vec<&Finding>> = BTreeMap::new();
    for finding in &run.findings {
        if let Some(number) = number(&finding.place) {
            by_trial.entry(number).or_default().push(finding);
        }
    }
    let trial = |(number, files): (&u32, &folder::TrialFiles)| {
        let findings = by_trial.get(number).map_or(&[][..], Vec::as_slice);
        let name = |path: &std::path::Path| crate::run::file_name(path);
        Trial {
            number: *number,
            complete: findings.is_empty(),
            logs: files.paths().map(name).collect(),
            missing: findings.iter().map(ToString::to_string).collect(),
        }
    };
    Ok(files.iter().map(trial).collect())
}

/// N of a place that begins with `trial-N`.
fn number(place: &str) -> Option<u32> {
    let rest = place.strip_prefix("trial-")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_names_its_trial() {
        assert_eq!(number("trial-12.stderr.txt:3"), Some(12));
        assert_eq!(number("trial-3"), Some(3));
        assert_eq!(number("host.json"), None);
        assert_eq!(number("trial-x"), None);
    }
}
