//! Files of ours: JSON that names its schema.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("can't read {}: {reason}", path.display())]
    Unreadable { path: PathBuf, reason: String },

    #[error("{} is no {what}: {reason}", path.display())]
    Damaged { path: PathBuf, what: &'static str, reason: String },
}

/// What says which kind of file it is; of another kind, the fields that it lacks say nothing.
#[derive(Deserialize)]
struct Header {
    schema: String,
}

/// Reads a file that is to be a `what`, such as `reproducer`, of this schema.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, what: &'static str, schema: &str) -> Result<T, Error> {
    let text = fs::read_to_string(path)
        .map_err(|error| Error::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let damaged = |reason: String| Error::Damaged { path: path.to_owned(), what, reason };
    let header: Header = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    if header.schema != schema {
        return Err(damaged(format!("its schema is `{}`, not `{schema}`", header.schema)));
    }
    serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))
}
