//! What is told of a log: findings, notes and missing phases, as many as anyone reads.

use super::Missing;
use super::line::{Line, Unreadable};
use super::trouble::escaped;
use crate::Finding;

const MOST_FINDINGS: usize = 200;
const MOST_NOTES: usize = 50;
const LONGEST_NOTE: usize = 200;

/// What is told of a log.
#[derive(Default)]
pub(super) struct Report {
    findings: Vec<Finding>,
    notes: Vec<String>,
    missing: Vec<Missing>,
}

impl Report {
    /// Adds a finding, unless there are as many as anyone reads.
    pub(super) fn find(&mut self, finding: Finding) {
        if !self.is_full() {
            self.findings.push(finding);
        }
    }

    /// Whether there are as many findings as anyone reads: then the rest of a file is not worth the time.
    pub(super) fn is_full(&self) -> bool {
        self.findings.len() >= MOST_FINDINGS
    }

    /// Adds a finding that would be the same for every line of a file only once.
    pub(super) fn find_once(&mut self, file: &str, finding: Finding) {
        let same = |told: &Finding| told.rule == finding.rule && file_of(&told.place) == file;
        if !self.findings.iter().any(same) {
            self.find(finding);
        }
    }

    /// Adds a harmless line.
    pub(super) fn note(&mut self, text: &str) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(escaped(text, LONGEST_NOTE));
        }
    }

    /// Adds what is missing, with its finding, unless that is told already: a set-up that failed explains
    /// whatever else is missing of that algorithm.
    pub(super) fn missing(&mut self, rule: &'static str, place: String, missing: Missing) {
        if self.is_missing(&missing.algorithm, missing.operation.as_deref()) {
            return;
        }
        let Missing { algorithm, operation, reason } = &missing;
        let message = match operation {
            Some(operation) => format!("{algorithm} {operation} {reason}"),
            None => format!("{algorithm} {reason}"),
        };
        self.find(Finding::incomplete(rule, place, message));
        self.missing.push(missing);
    }

    /// Whether that is told to be missing.
    pub(super) fn is_missing(&self, algorithm: &str, operation: Option<&str>) -> bool {
        self.missing.iter().any(|missing| {
            missing.algorithm == algorithm
                && (missing.operation.is_none() || missing.operation.as_deref() == operation)
        })
    }

    /// The text of a line; if it can't be read, a finding and `None`.
    pub(super) fn text<'a>(&mut self, file: &str, line: &Line<'a>) -> Option<&'a str> {
        let (rule, message) = match line.text {
            Ok(text) => return Some(text),
            Err(Unreadable::NotText) => {
                let message = "has bytes that are no text: NUL, or not UTF-8 (UTF-16 from a redirection?)";
                ("not-text", message)
            }
            Err(Unreadable::TooLong) => ("line-too-long", "is longer than any line of OpenSSL's"),
        };
        self.find_once(file, Finding::broken(rule, place(file, line.number), message));
        None
    }

    /// All of it.
    pub(super) fn into_parts(mut self) -> (Vec<Finding>, Vec<String>, Vec<Missing>) {
        if self.is_full() {
            let message = "no more findings are listed, and the rest of the file is not read";
            self.findings.push(Finding::broken("too-many-findings", "log", message));
        }
        (self.findings, self.notes, self.missing)
    }
}

/// `trial-2.stderr.txt:14`
pub(super) fn place(file: &str, line: u64) -> String {
    format!("{file}:{line}")
}

fn file_of(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(file, _)| file)
}
