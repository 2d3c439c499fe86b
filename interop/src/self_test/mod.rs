//! Proof that the suite can fail: faults are seeded into a working implementation, one at a time, and each must be caught.

mod catalogue;
mod faulty;
mod hints;
mod misread;

use std::fmt;
use std::sync::Arc;

use pqsig::backend;

pub use catalogue::{CATALOGUE, Fault, WITHOUT_EFFECT};
use faulty::Faulty;

use crate::peer::{Native, Peer};
use crate::record::{Depth, Run};
use crate::run::{self, Observer, Options};

/// What became of a fault.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The fault.
    pub fault: &'static Fault,
    /// The id of the case that named the faulty implementation, and it alone, as the outlier; `None`: nothing did.
    pub caught_by: Option<String>,
    /// Findings that blamed somebody else. A suite that cries wolf is no better than one that sleeps.
    pub wrongly_blamed: Vec<String>,
}

impl Outcome {
    /// Whether the fault was found where it had to be, and nobody else was blamed for it.
    #[must_use]
    pub fn is_caught(&self) -> bool {
        self.caught_by.is_some() && self.wrongly_blamed.is_empty()
    }
}

/// How many were caught of how many.
#[derive(Clone, Debug)]
pub struct Score {
    /// One per fault.
    pub outcomes: Vec<Outcome>,
}

impl Score {
    /// How many faults were caught.
    #[must_use]
    pub fn caught(&self) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.is_caught()).count()
    }

    /// Whether all were.
    #[must_use]
    pub fn is_perfect(&self) -> bool {
        self.caught() == self.outcomes.len()
    }
}

/// A line per fault, then `caught / seeded`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for outcome in &self.outcomes {
            let fault = outcome.fault;
            let (word, by) = match &outcome.caught_by {
                Some(case) if outcome.is_caught() => ("caught", format!("by {case}")),
                Some(_) => {
                    ("BLAMED", format!("others were blamed too: {}", outcome.wrongly_blamed.join(", ")))
                }
                None => ("MISSED", format!("no case with `{}` in its name found it", fault.case)),
            };
            let seen = if fault.seen.is_empty() { String::new() } else { format!(", as in {}", fault.seen) };
            writeln!(f, "{word}  {} ({}{seen})\n        {by}", fault.name, fault.algorithm)?;
        }
        write!(f, "seeded faults: {} caught / {} seeded", self.caught(), self.outcomes.len())
    }
}

/// Seeds faults and runs the suite on each, against two sound implementations of other code families.
///
/// # Errors
/// [`run::Error`].
pub fn run(faults: &'static [Fault], observer: &dyn Observer) -> Result<Score, run::Error> {
    let mut outcomes = Vec::new();
    for (done, fault) in faults.iter().enumerate() {
        if observer.progress(done as u64, faults.len() as u64, fault.name).is_break() {
            return Err(run::Error::Interrupted);
        }
        outcomes.push(seed(fault)?);
    }
    Ok(Score { outcomes })
}

fn seed(fault: &'static Fault) -> Result<Outcome, run::Error> {
    let native = |name: &str| -> Result<Arc<dyn Peer>, run::Error> {
        Ok(Arc::new(Native::new(backend::by_name(name)?).map_err(run::Error::Program)?))
    };
    let options = Options {
        algorithms: vec![fault.algorithm],
        depth: Depth::Quick,
        peers: vec![
            native("rustcrypto")?,
            native("openssl")?,
            Arc::new(Faulty::new(fault.twist, native("openssl")?)),
        ],
        skipped: Vec::new(),
        vectors: false,
        whole_acvp: None,
        threads: None,
        reproducers: None,
    };
    Ok(judge(fault, &run::run(&options, &run::Silent)?))
}

fn judge(fault: &'static Fault, run: &Run) -> Outcome {
    let mut outcome = Outcome { fault, caught_by: None, wrongly_blamed: Vec::new() };
    for case in &run.cases {
        let Some(finding) = &case.finding else { continue };
        if finding.outliers != [faulty::NAME] {
            outcome.wrongly_blamed.push(format!("{} in {}", finding.outliers.join(" and "), case.id));
        } else if case.check == fault.check && case.name.contains(fault.case) && outcome.caught_by.is_none() {
            outcome.caught_by = Some(case.id.clone());
        }
    }
    outcome
}
