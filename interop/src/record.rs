//! A run as it is saved: who was asked, what, and what came of it. Every report is a function of this.

use std::collections::BTreeMap;

use pqsig::Algorithm;
use serde::{Deserialize, Serialize};

use crate::peer::Identity;
use crate::question::{Question, Verdict};

/// The name of the format of a saved run.
pub const RUN_SCHEMA: &str = "pqsig-interop-run/1";

/// The name of the format of a reproducer.
pub const REPRODUCER_SCHEMA: &str = "pqsig-interop-case/1";

/// A saved run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// [`RUN_SCHEMA`].
    pub schema: String,
    /// The version of this program.
    pub pqsig_version: String,
    /// How much was asked.
    pub depth: Depth,
    /// When the run began: ms since 1970-01-01 UTC, by the system's clock.
    pub started_unix_ms: u64,
    /// How long it took.
    pub elapsed_ms: u64,
    /// The peers, in the order of the table's columns.
    pub peers: Vec<Identity>,
    /// Peers that were asked for and could not be had.
    pub skipped: Vec<Skipped>,
    /// Every case, in the order of the algorithms' table and the plan.
    pub cases: Vec<Case>,
    /// Hostile cases that could not be made from the signatures at hand: counted, and never a pass.
    #[serde(default)]
    pub not_made: Vec<NotMade>,
    /// What the vectors came to.
    pub vectors: Vec<VectorTally>,
}

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// Every algorithm, peer and kind of case, with few messages.
    Quick,
    /// Every message kind, every signer's signatures through every hostile case.
    Full,
}

/// A peer that could not be had: counted, and never a pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its name.
    pub peer: String,
    /// Why.
    pub why: String,
}

/// A hostile case that could not be made: a signature without a hint to repeat, say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotMade {
    /// The id that the case would have.
    pub id: String,
    /// What is missing.
    pub why: String,
}

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// One seed gives one public key everywhere.
    PublicKeys,
    /// Deterministic signatures are equal, byte for byte.
    Signatures,
    /// One key, written in each form, signs alike.
    KeyForms,
    /// A valid signature is accepted.
    Exchange,
    /// A signature, message, context or public key that was tampered with is rejected.
    Hostile,
    /// A private key that contradicts itself is refused.
    HostileKeys,
    /// Published test vectors.
    Vectors,
}

impl Check {
    /// Every check.
    pub const ALL: [Check; 7] = [
        Check::PublicKeys,
        Check::Signatures,
        Check::KeyForms,
        Check::Exchange,
        Check::Hostile,
        Check::HostileKeys,
        Check::Vectors,
    ];

    /// The check's name, such as `hostile-keys`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Check::PublicKeys => "public-keys",
            Check::Signatures => "signatures",
            Check::KeyForms => "key-forms",
            Check::Exchange => "exchange",
            Check::Hostile => "hostile",
            Check::HostileKeys => "hostile-keys",
            Check::Vectors => "vectors",
        }
    }
}

/// What the right answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The standard says: accepted.
    Accepted,
    /// The standard says: rejected.
    Rejected,
    /// All that answer must answer with the same bytes. A peer that does is recorded as accepted, one that does not as
    /// rejected.
    Same,
    /// The standard leaves it open: what each peer does is reported, and nothing is a failure but a failure.
    Policy,
}

/// One question, asked of every peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// Unique in a run, and the same in every run: `ML-DSA-65/hostile/hint repeated/pure by openssl`.
    pub id: String,
    /// The algorithm.
    #[serde(with = "crate::text")]
    pub algorithm: Algorithm,
    /// What it is about.
    pub check: Check,
    /// The case in words, such as `hint repeated`.
    pub name: String,
    /// Who signed, where the case starts from a signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// The right answer.
    pub expected: Expected,
    /// What each peer answered, by name.
    pub answers: BTreeMap<String, Recorded>,
    /// What is wrong, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finding: Option<Finding>,
}

/// A recorded answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The verdict.
    pub verdict: Verdict,
    /// The peer's reason, or where its bytes first differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// A disagreement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The peers that are wrong: by the standard where it decides, else by the votes. Empty if the votes are even.
    pub outliers: Vec<String>,
    /// Who said what.
    pub votes: Vec<Vote>,
    /// In one line.
    pub summary: String,
    /// The file that asks the same again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reproducer: Option<String>,
    /// Why it is no news: see [`crate::known`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
}

/// Those who gave one answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// The answer: a verdict, or `same bytes, SHA-256 ...`.
    pub answer: String,
    /// The code families that gave it. Each has one vote, however many implementations descend from it.
    pub lineages: Vec<String>,
    /// The peers that gave it.
    pub peers: Vec<String>,
}

/// What a set of vectors came to on one peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorTally {
    /// The set, such as `wycheproof`.
    pub suite: String,
    /// Its part, such as `mldsa_65_verify`.
    pub group: String,
    /// The algorithm.
    #[serde(with = "crate::text")]
    pub algorithm: Algorithm,
    /// The peer.
    pub peer: String,
    /// Cases that ran and came out right.
    pub passed: u64,
    /// Cases that ran and came out wrong. Each is a [`Case`] with a [`Finding`] too.
    pub failed: u64,
    /// Cases that did not run, by reason.
    pub skipped: BTreeMap<String, u64>,
}

/// A file that asks a question again: see `pqsig-interop replay`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reproducer {
    /// [`REPRODUCER_SCHEMA`].
    pub schema: String,
    /// The case's id.
    pub id: String,
    /// The case in words.
    pub name: String,
    /// The right answer.
    pub expected: Expected,
    /// The question.
    pub question: Question,
    /// The bytes that answers must equal, where they are known: of an [`Expected::Same`] case, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// Who made the signature that is exchanged, where it may be the signer who is wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signer: Option<String>,
    /// What was answered, by name.
    pub answers: BTreeMap<String, Recorded>,
    /// Who answered.
    pub peers: Vec<Identity>,
}
