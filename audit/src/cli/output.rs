//! What the program says, and its exit status.

use std::io::{self, Write as _, stderr, stdout};
use std::process::ExitCode;

use serde::Serialize;

use crate::{Error, Finding};

/// Findings of one run that are shown; a log that is broken throughout has no end of them.
pub(super) const SHOWN: usize = 20;

/// What the work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong with the evidence.
    Finding,
    /// The command could not do its work.
    Hindered,
}

impl Outcome {
    pub(super) fn clean_if(clean: bool) -> Self {
        if clean { Outcome::Clean } else { Outcome::Finding }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Clean => 0,
            Outcome::Finding => 1,
            Outcome::Hindered => 2,
        })
    }
}

/// Says what is wrong, in one line on stderr.
pub(super) fn complain(message: &str) {
    // Unlike eprintln!, this does not panic when nobody reads.
    let _ = writeln!(stderr(), "error: {}", one_line(message));
}

/// Says something on stderr that is no error.
pub(super) fn note(message: &str) {
    let _ = writeln!(stderr(), "note: {}", one_line(message));
}

/// A log may hold line breaks, and codes that a terminal would obey.
pub(super) fn one_line(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(printable).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Prints to stdout. That nobody reads any more is no error: `| head` is at liberty to stop.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut stdout = stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Io { path: "stdout".into(), action: "write to", source })
        }
        _ => Ok(()),
    }
}

/// Prints JSON for other programs.
pub(super) fn print_json(value: &impl Serialize) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Error::Table(error.to_string()))?;
    print(&format!("{text}\n"))
}

/// A finding in JSON.
#[derive(Serialize)]
pub(super) struct FindingJson<'a> {
    severity: &'static str,
    rule: &'static str,
    place: &'a str,
    message: &'a str,
}

impl<'a> From<&'a Finding> for FindingJson<'a> {
    fn from(finding: &'a Finding) -> Self {
        FindingJson {
            severity: finding.severity.name(),
            rule: finding.rule,
            place: &finding.place,
            message: &finding.message,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stays_one_line_and_obeys_nobody() {
        assert_eq!(one_line("a\nb\u{1b}[31m\tc"), "a b [31m c");
    }
}
