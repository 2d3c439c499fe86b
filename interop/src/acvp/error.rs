//! What can be wrong with files of vectors, in one line.

use std::fmt;
use std::io;
use std::path::PathBuf;

use pqsig::Algorithm;

use super::response::Key;

/// Why a prompt, a response or a key file is of no use. `Display` is one line that says what was wrong and where.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("can't read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },

    #[error("can't write {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },

    #[error("{} is too large: it has more than {max} bytes", path.display())]
    TooLarge { path: PathBuf, max: u64 },

    #[error("{}: {error}", path.display())]
    InFile { path: PathBuf, error: Box<Error> },

    #[error("not JSON in NIST's form: {0}")]
    Json(#[from] serde_json::Error),

    #[error("{place}{reason}")]
    Malformed { place: Place, reason: String },

    #[error("this response is for {response}, and the prompt is {prompt}")]
    OtherSet { prompt: String, response: String },

    #[error("tgId {}, tcId {}: nothing says what is right", key.0, key.1)]
    Unexpected { key: Key },

    #[error("{algorithm} has no prompts here: they are for ML-DSA and SLH-DSA")]
    NoPrompts { algorithm: Algorithm },

    #[error("a secret has at least {min} bytes, {} has {actual}", path.display())]
    SecretTooShort { path: PathBuf, min: usize, actual: usize },

    #[error("{}: {error}", path.display())]
    SecretKey { path: PathBuf, error: pqsig::Error },

    #[error("the count of cases in a group is 1 to {max}, not {actual}")]
    Count { max: usize, actual: usize },

    #[error("nobody can sign for the prompt: {reason}")]
    NoSigner { reason: String },
}

/// Where in a file of vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The group, unless it is about the whole.
    pub tg_id: Option<u64>,
    /// The case, unless it is about the whole group.
    pub tc_id: Option<u64>,
}

impl Place {
    pub(super) fn group(tg_id: u64) -> Self {
        Place { tg_id: Some(tg_id), tc_id: None }
    }

    pub(super) fn case(tg_id: u64, tc_id: u64) -> Self {
        Place { tg_id: Some(tg_id), tc_id: Some(tc_id) }
    }

    pub(super) fn malformed(self, reason: impl Into<String>) -> Error {
        Error::Malformed { place: self, reason: reason.into() }
    }
}

/// `tgId 3, tcId 41: `, as the start of a line; nothing for the whole.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tg_id, self.tc_id) {
            (Some(group), Some(case)) => write!(f, "tgId {group}, tcId {case}: "),
            (Some(group), None) => write!(f, "tgId {group}: "),
            (None, _) => Ok(()),
        }
    }
}
