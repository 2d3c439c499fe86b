//! What is wrong with evidence, in one line each.

use std::fmt;

/// One thing that is wrong, or that can't be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// What follows from it.
    pub severity: Severity,
    /// The kind, for programs: a stable name such as `rate-contradicts-count`.
    pub rule: &'static str,
    /// Where: a file, with its line if that is known (`trial-2.stderr.txt:14`), or a row's key.
    pub place: String,
    /// What was found, with the figures, in one line.
    pub message: String,
}

/// What follows from a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The evidence contradicts itself or can't be read: nothing is summarized.
    Broken,
    /// Something is missing: what is there is summarized only when asked (`--allow-incomplete`).
    Incomplete,
    /// A figure that can hardly be true. It is summarized, and flagged.
    Implausible,
}

impl Severity {
    /// The word of a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Broken => "broken",
            Severity::Incomplete => "incomplete",
            Severity::Implausible => "implausible",
        }
    }
}

impl Finding {
    /// Evidence that contradicts itself or can't be read.
    pub fn broken(rule: &'static str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Broken, rule, place: place.into(), message: message.into() }
    }

    /// Something that is missing.
    pub fn incomplete(rule: &'static str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Incomplete, rule, place: place.into(), message: message.into() }
    }

    /// A figure that can hardly be true.
    pub fn implausible(rule: &'static str, place: impl Into<String>, message: impl Into<String>) -> Self {
        Finding { severity: Severity::Implausible, rule, place: place.into(), message: message.into() }
    }
}

/// `trial-2.stderr.txt:14: rate-contradicts-count: ...`
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.place, self.rule, self.message)
    }
}
