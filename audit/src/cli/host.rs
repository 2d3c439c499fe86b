//! `pqsig-audit host`

use std::path::Path;

use super::arguments::HostArguments;
use super::output::{Outcome, print_json};
use crate::Error;
use crate::host::{HostFile, Snapshot};

pub(super) fn run(arguments: &HostArguments) -> Result<Outcome, Error> {
    match (&arguments.before, &arguments.after) {
        (Some(path), _) => begin(path)?,
        (None, Some(path)) => complete(path)?,
        (None, None) => print_json(&Snapshot::take())?,
    }
    Ok(Outcome::Clean)
}

/// A run that was interrupted has no state after it yet; what it has before is kept.
fn begin(path: &Path) -> Result<(), Error> {
    match HostFile::read(path) {
        Ok(_) => Err(Error::Misuse(format!("`{}` exists: it belongs to another run", path.display()))),
        Err(Error::Io { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            HostFile::begin().write(path)
        }
        Err(error) => Err(error),
    }
}

fn complete(path: &Path) -> Result<(), Error> {
    let mut file = HostFile::read(path)?;
    file.after = Some(Snapshot::take());
    file.write(path)
}
