//! Files that the program writes: whole or not at all.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Misuse;

/// A file that will be written. It is begun before the work, so that a path that can't be written is known at once and not
/// after minutes; if it is never finished, nothing is left of it.
#[derive(Debug)]
pub(super) struct Output {
    path: PathBuf,
    begun: NamedTempFile,
}

impl Output {
    /// Begins the file, under a temporary name in its folder.
    pub(super) fn begin(path: &Path) -> Result<Self, Misuse> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if path.is_dir() {
            return Err(cannot_write(path, &io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pqsig-interop-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // What the umask leaves of it: a report is for others to read.
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        let begun = builder.tempfile_in(folder).map_err(|error| cannot_write(path, &error))?;
        Ok(Output { path: path.to_owned(), begun })
    }

    /// Where it will be.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it all, and gives it its name.
    pub(super) fn finish(mut self, text: &str) -> Result<(), Misuse> {
        self.begun.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))?;
        self.begun.persist(&self.path).map_err(|error| cannot_write(&self.path, &error.error))?;
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &io::Error) -> Misuse {
    Misuse::new(format!("can't write {}: {}", path.display(), super::reason(error)))
        .with_hint("give a path in a folder that is there and can be written to")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        fs::write(&path, "old").unwrap();
        let dropped = Output::begin(&path).unwrap();
        drop(dropped);
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        Output::begin(&path).unwrap().finish("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_can_not_be_written_is_known_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let error = Output::begin(&folder.path().join("none/run.json")).unwrap_err();
        assert!(error.message.ends_with("no such file or directory"), "{error:?}");
        assert!(Output::begin(folder.path()).is_err());
    }
}
