//! `host.json`: the machine and its state, before a run and after it.

use std::path::Path;
use std::time::SystemTime;

use pqsig_speed::host::{Host, HostState};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::files;

/// What `host.json` holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostFile {
    /// The format's name, [`HostFile::SCHEMA`].
    pub schema: String,
    /// Before the first trial.
    pub before: Snapshot,
    /// After the last one; null while the run goes on, or when it was interrupted.
    pub after: Option<Snapshot>,
}

/// The machine at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// When: ms since 1970-01-01 UTC, by the system's clock.
    pub taken_unix_ms: u64,
    /// What does not change while the machine is up.
    pub host: Host,
    /// What changes.
    pub state: HostState,
}

impl Snapshot {
    /// Asks the system.
    #[must_use]
    pub fn take() -> Self {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Snapshot {
            taken_unix_ms: u64::try_from(since.as_millis()).unwrap_or(u64::MAX),
            host: Host::detect(),
            state: HostState::now(),
        }
    }
}

impl HostFile {
    /// The name and version of the format.
    pub const SCHEMA: &'static str = "pqsig-host/1";

    /// A file of this moment, before a run.
    #[must_use]
    pub fn begin() -> Self {
        HostFile { schema: HostFile::SCHEMA.to_owned(), before: Snapshot::take(), after: None }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Malformed`] when it is no `host.json` of this schema.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let file: HostFile = files::read_json(path)?;
        if file.schema != HostFile::SCHEMA {
            let reason = format!("the schema is `{}`, this reads `{}`", file.schema, HostFile::SCHEMA);
            return Err(Error::Malformed { path: path.to_owned(), reason });
        }
        Ok(file)
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        files::write_json(path, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.json");
        let mut file = HostFile::begin();
        file.write(&path).unwrap();
        assert_eq!(HostFile::read(&path).unwrap(), file);
        file.after = Some(Snapshot::take());
        file.write(&path).unwrap();
        assert_eq!(HostFile::read(&path).unwrap(), file);
    }

    #[test]
    fn another_schema_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.json");
        HostFile { schema: "pqsig-host/2".to_owned(), ..HostFile::begin() }.write(&path).unwrap();
        assert!(HostFile::read(&path).unwrap_err().to_string().contains("pqsig-host/2"));
    }
}
