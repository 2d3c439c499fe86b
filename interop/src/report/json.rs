//! The saved run: what is written is what is read back.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::{REPRODUCER_SCHEMA, RUN_SCHEMA, Run};

/// A saved run that can't be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum ReadError {
    #[error("can't read {}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },

    #[error("{} is not a saved run: {source}", path.display())]
    NotJson { path: PathBuf, source: serde_json::Error },

    #[error("{} is not a saved run: its schema is {found}, not \"{RUN_SCHEMA}\"", path.display())]
    OtherSchema { path: PathBuf, found: String },

    #[error("the saved run {} is damaged: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
}

impl ReadError {
    /// What would be right, in one sentence.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        match self {
            ReadError::OtherSchema { found, .. } if found.contains(REPRODUCER_SCHEMA) => {
                "this is a reproducer: give it to `pqsig-interop replay`"
            }
            _ => "`pqsig-interop --out FILE` saves a run",
        }
    }
}

/// A run as JSON, indented, with a newline at its end. The same run gives the same bytes.
///
/// # Errors
/// What the serializer reports; a [`Run`] gives it no reason to.
pub fn to_string(run: &Run) -> Result<String, serde_json::Error> {
    pretty(run)
}

/// Any record as JSON, indented, with a newline at its end.
///
/// # Errors
/// What the serializer reports.
pub fn pretty(record: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(record).map(|text| text + "\n")
}

/// Reads a saved run.
///
/// # Errors
/// See [`ReadError`].
pub fn read(path: &Path) -> Result<Run, ReadError> {
    let bytes = fs::read(path).map_err(|source| ReadError::File { path: path.to_owned(), source })?;
    from_slice(&bytes, path)
}

/// Whatever says what it is.
#[derive(Deserialize)]
struct Header {
    schema: Option<String>,
}

fn from_slice(bytes: &[u8], path: &Path) -> Result<Run, ReadError> {
    let path = || path.to_owned();
    // What kind of file it is comes first: of a foreign one, the fields that it lacks say nothing.
    let header: Header =
        serde_json::from_slice(bytes).map_err(|source| ReadError::NotJson { path: path(), source })?;
    match header.schema {
        Some(schema) if schema == RUN_SCHEMA => {}
        other => {
            let found = other.map_or_else(|| "missing".to_owned(), |schema| format!("{schema:?}"));
            return Err(ReadError::OtherSchema { path: path(), found });
        }
    }
    let damaged = |reason: String| ReadError::Damaged { path: path(), reason };
    let run: Run = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    check(&run).map_err(damaged)?;
    Ok(run)
}

/// What every report relies on: names mean one thing each.
fn check(run: &Run) -> Result<(), String> {
    let mut peers = BTreeSet::new();
    if let Some(twice) = run.peers.iter().find(|peer| !peers.insert(peer.name.as_str())) {
        return Err(format!("the peer `{}` is in it twice", twice.name));
    }
    let mut ids = BTreeSet::new();
    for case in &run.cases {
        if !ids.insert(case.id.as_str()) {
            return Err(format!("the case `{}` is in it twice", case.id));
        }
        if let Some(name) = case.answers.keys().find(|name| !peers.contains(name.as_str())) {
            return Err(format!("`{name}` answers the case `{}`, and is not among the peers", case.id));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    fn read_back(text: &str) -> Result<Run, ReadError> {
        from_slice(text.as_bytes(), Path::new("run.json"))
    }

    #[test]
    fn what_is_written_reads_back() {
        for run in [fixture::agreeing(), fixture::disagreeing()] {
            let text = to_string(&run).unwrap();
            assert!(text.ends_with("}\n"));
            assert!(text.starts_with("{\n  \"schema\": \"pqsig-interop-run/1\","), "{text}");
            assert_eq!(read_back(&text).unwrap(), run);
            assert_eq!(to_string(&read_back(&text).unwrap()).unwrap(), text);
        }
    }

    #[test]
    fn what_is_no_saved_run_says_so() {
        let message = |text: &str| read_back(text).unwrap_err().to_string();
        assert!(message("").starts_with("run.json is not a saved run: EOF while parsing"));
        assert!(message("not JSON").starts_with("run.json is not a saved run: expected"));
        assert!(message("[]").starts_with("run.json is not a saved run"));
        assert_eq!(
            message("{}"),
            "run.json is not a saved run: its schema is missing, not \"pqsig-interop-run/1\""
        );
        let error = read_back(r#"{"schema":"pqsig-interop-case/1"}"#).unwrap_err();
        assert!(error.remedy().contains("pqsig-interop replay"), "{error}");
        assert!(matches!(read(Path::new("/nowhere/run.json")), Err(ReadError::File { .. })));
    }

    #[test]
    fn a_damaged_run_says_where() {
        let run = fixture::agreeing();
        let text = to_string(&run).unwrap();
        for end in [text.len() / 3, text.len() / 2, text.len() - 2] {
            assert!(matches!(read_back(&text[..end]), Err(ReadError::NotJson { .. })), "cut at {end}");
        }
        let error = read_back(&text.replace("\"quick\"", "\"slow\"")).unwrap_err().to_string();
        assert!(error.starts_with("the saved run run.json is damaged: unknown variant `slow`"), "{error}");

        let damaged = |change: fn(&mut Run)| {
            let mut run = fixture::agreeing();
            change(&mut run);
            read_back(&to_string(&run).unwrap()).unwrap_err().to_string()
        };
        assert!(damaged(|run| run.cases.push(run.cases[0].clone())).contains("is in it twice"));
        assert!(damaged(|run| run.peers.push(run.peers[0].clone())).contains("is in it twice"));
        assert!(damaged(|run| drop(run.peers.remove(0))).contains("`rustcrypto` answers the case"));
    }
}
