//! The head of a vector set: what it is about.

use std::fmt;

use pqsig::Family;
use serde_json::Value;

use super::error::{Error, Place};
use super::wire;

/// What a vector set is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// Key pairs from seeds.
    KeyGen,
    /// Signatures.
    SigGen,
    /// Verdicts on signatures.
    SigVer,
}

impl Task {
    /// Every task.
    pub const ALL: [Task; 3] = [Task::KeyGen, Task::SigGen, Task::SigVer];

    /// NIST's `mode`: `keyGen`, `sigGen` or `sigVer`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Task::KeyGen => "keyGen",
            Task::SigGen => "sigGen",
            Task::SigVer => "sigVer",
        }
    }
}

/// The head of a vector set. A response repeats its prompt's.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// NIST's number for the set.
    pub vs_id: u64,
    /// ML-DSA or SLH-DSA.
    pub family: Family,
    /// What it is about.
    pub task: Task,
    /// `isSample`, if it was there.
    pub is_sample: Option<bool>,
    /// `acvVersion` of the array around the set, if it came in one.
    pub acv_version: Option<Value>,
}

impl Head {
    /// NIST's `revision`: the standard.
    #[must_use]
    pub fn revision(&self) -> &'static str {
        revision(self.family)
    }

    pub(super) fn parse<T>(set: &wire::VectorSet<T>, acv_version: Option<Value>) -> Result<Self, Error> {
        let malformed = |reason: String| Err(Place::default().malformed(reason));
        let families = [Family::MlDsa, Family::SlhDsa];
        let Some(family) = families.into_iter().find(|family| family.name() == set.algorithm) else {
            return malformed(format!("`algorithm` is `{}`: ML-DSA and SLH-DSA are known", set.algorithm));
        };
        let Some(task) = Task::ALL.into_iter().find(|task| task.name() == set.mode) else {
            return malformed(format!("`mode` is `{}`: keyGen, sigGen and sigVer are known", set.mode));
        };
        if set.revision != revision(family) {
            return malformed(format!(
                "`revision` of {family} is `{}`: {} is known",
                set.revision,
                revision(family)
            ));
        }
        Ok(Head { vs_id: set.vs_id, family, task, is_sample: set.is_sample, acv_version })
    }

    pub(super) fn write<T>(&self, test_groups: Vec<T>) -> wire::VectorSet<T> {
        wire::VectorSet {
            vs_id: self.vs_id,
            algorithm: self.family.name().to_owned(),
            mode: self.task.name().to_owned(),
            revision: self.revision().to_owned(),
            is_sample: self.is_sample,
            test_groups,
        }
    }
}

fn revision(family: Family) -> &'static str {
    match family {
        Family::SlhDsa => "FIPS205",
        _ => "FIPS204",
    }
}

/// `ML-DSA sigGen FIPS204, vsId 42`.
impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}, vsId {}", self.family, self.task.name(), self.revision(), self.vs_id)
    }
}
