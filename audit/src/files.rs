//! Reading in bounds, and writing whole files or none.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;

/// The largest file that is read into memory whole: a hundred times what `openssl speed` prints, or a CSV of
/// 100,000 samples. Trial logs are read line by line and have no bound.
pub const MAX_BYTES: u64 = 16 << 20;

/// Reads a file of at most [`MAX_BYTES`].
///
/// # Errors
/// [`Error::Io`]; [`Error::TooLarge`].
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let io = |source| Error::Io { path: path.to_owned(), action: "read", source };
    let file = File::open(path).map_err(io)?;
    let bytes = file.metadata().map_err(io)?.len();
    if bytes > MAX_BYTES {
        return Err(Error::TooLarge { path: path.to_owned(), bytes });
    }
    let mut content = Vec::new();
    // A file can grow, or be a device that tells no length.
    file.take(MAX_BYTES + 1).read_to_end(&mut content).map_err(io)?;
    match content.len() as u64 {
        read if read > MAX_BYTES => Err(Error::TooLarge { path: path.to_owned(), bytes: read }),
        _ => Ok(content),
    }
}

/// Reads a file if there is one.
///
/// # Errors
/// As [`read`], but for a file that is not there.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, Error> {
    match read(path) {
        Ok(content) => Ok(Some(content)),
        Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads a JSON file.
///
/// # Errors
/// As [`read`]; [`Error::Malformed`].
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    serde_json::from_slice(&read(path)?)
        .map_err(|error| Error::Malformed { path: path.to_owned(), reason: error.to_string() })
}

/// Writes a file under a temporary name beside it, then renames it: whoever looks sees the old file or the
/// new one, never half of it, and a full disk leaves the old one.
///
/// # Errors
/// [`Error::Io`].
pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
    replace(path, content).map_err(|source| Error::Io { path: path.to_owned(), action: "write", source })
}

/// Writes a JSON file for people to read, as [`write()`] does.
///
/// # Errors
/// [`Error::Io`].
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Error> {
    let io = |error: serde_json::Error| Error::Io {
        path: path.to_owned(),
        action: "write",
        source: io::Error::other(error),
    };
    let mut text = serde_json::to_vec_pretty(value).map_err(io)?;
    text.push(b'\n');
    write(path, &text)
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new().prefix(".pqsig-audit-").tempfile_in(folder)?;
    file.write_all(content)?;
    readable_as(file.as_file(), path)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file is for its owner only; results are for everybody, or for whom the old file was.
#[cfg(unix)]
fn readable_as(file: &File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_or(0o644, |old| old.permissions().mode() & 0o777);
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn readable_as(_file: &File, path: &Path) -> io::Result<()> {
    // Files here take the rights of their folder. A read-only old one must not be replaced unnoticed.
    match fs::metadata(path) {
        Ok(old) if old.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("samples.csv");
        write(&path, b"old").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_not_there_is_told_apart_from_one_that_cant_be_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_if_there(&folder.path().join("none")).unwrap(), None);
        assert!(read_if_there(folder.path()).is_err());
    }

    #[test]
    fn a_huge_file_is_refused_without_being_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trial-1.stdout.txt");
        // Sparse: no disk is used.
        File::create(&path).unwrap().set_len(1 << 30).unwrap();
        assert!(matches!(read(&path), Err(Error::TooLarge { bytes: 0x4000_0000, .. })));
    }

    #[test]
    fn a_folder_that_cant_be_written_to_keeps_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("missing").join("samples.csv");
        assert!(matches!(write(&missing, b"x"), Err(Error::Io { action: "write", .. })));
    }
}
