//! `pqsig-audit compare`

use super::arguments::CompareArguments;
use super::output::{Outcome, SHOWN, complain, note, print, print_json};
use crate::run::{Detail, Run};
use crate::{Error, Severity, compare};

/// A difference is an answer and no finding; a comparison that would mislead is refused.
pub(super) fn run(arguments: &CompareArguments) -> Result<Outcome, Error> {
    let a = Run::read(&arguments.a, Detail::Course)?;
    let b = Run::read(&arguments.b, Detail::Course)?;
    let comparison = compare::compare(&a, &b);
    let mut refused = false;
    let mut tell = |refuse: bool, message: &str| {
        let refuse = refuse && !arguments.force;
        refused |= refuse;
        if refuse { complain(message) } else { note(message) }
    };
    for (folder, run) in [(&arguments.a, &a), (&arguments.b, &b)] {
        for finding in run.findings.iter().take(SHOWN) {
            tell(finding.severity == Severity::Broken, &format!("{}: {finding}", folder.display()));
        }
    }
    for refusal in &comparison.refusals {
        tell(true, &format!("not comparable: {refusal} (--force compares all the same)"));
    }
    if refused {
        return Ok(Outcome::Finding);
    }
    if arguments.json {
        print_json(&comparison)?;
    } else {
        print(&compare::render_text(&comparison))?;
    }
    Ok(Outcome::Clean)
}
