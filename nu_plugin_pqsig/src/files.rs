//! Files, read with a bound and written whole: under a temporary name, then renamed, so that no half of a key ever
//! stands under the key's name.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use nu_protocol::{LabeledError, Span};
use pqsig::SecretBytes;
use tempfile::{Builder, NamedTempFile};
use zeroize::Zeroizing;

use crate::errors;

/// A file of at most `max` bytes, which may be secret.
pub(crate) fn read(path: &Path, max: u64, span: Span) -> Result<SecretBytes, LabeledError> {
    let bytes = Zeroizing::new(read_at_most(path, max + 1, span)?);
    if bytes.len() as u64 > max {
        return Err(errors::misuse(
            "file",
            format!("{} is too large: it has more than {max} bytes", path.display()),
            "this path",
            span,
        ));
    }
    Ok(bytes)
}

/// The first `max` bytes of a file.
pub(crate) fn read_at_most(path: &Path, max: u64, span: Span) -> Result<Vec<u8>, LabeledError> {
    // Room for the whole file at once: a buffer that grows leaves copies of a secret behind.
    let attempt = || -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        let length = file.metadata()?.len().min(max);
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
        file.take(max).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    attempt().map_err(|error| errors::file(&error, "read", path, span))
}

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The owner alone: mode 0600, from the first byte on.
    Owner,
    /// Whoever the umask allows: mode 0644 at most.
    Everyone,
}

/// A file to be written, all or nothing.
pub(crate) struct NewFile<'a> {
    pub(crate) path: PathBuf,
    pub(crate) content: &'a [u8],
    pub(crate) access: Access,
}

/// Writes several files that belong together. Nothing is written before all paths are known to be free and all
/// contents are safely on disk under temporary names. Without `force`, an existing file is never replaced, not even
/// one that appears meanwhile.
pub(crate) fn write_all(files: &[NewFile<'_>], force: bool, span: Span) -> Result<(), LabeledError> {
    if !force {
        require_absent(&files.iter().map(|file| file.path.as_path()).collect::<Vec<_>>(), span)?;
    }
    let staged = files
        .iter()
        .map(|file| stage(file).map_err(|error| errors::file(&error, "write", &file.path, span)))
        .collect::<Result<Vec<_>, _>>()?;
    let mut written: Vec<&Path> = Vec::new();
    for (file, temporary) in files.iter().zip(staged) {
        if let Err(error) = publish(temporary, &file.path, force) {
            // What was just created alone is of no use. With `force` the old file is gone: keep the new one.
            if !force {
                for path in written {
                    let _ = fs::remove_file(path);
                }
            }
            return Err(if error.kind() == io::ErrorKind::AlreadyExists {
                exists(&file.path, span)
            } else {
                errors::file(&error, "write", &file.path, span)
            });
        }
        written.push(&file.path);
    }
    Ok(())
}

/// Fails if one of these exists already.
pub(crate) fn require_absent(paths: &[&Path], span: Span) -> Result<(), LabeledError> {
    // A dangling symbolic link exists, too.
    match paths.iter().find(|path| fs::symlink_metadata(path).is_ok()) {
        Some(path) => Err(exists(path, span)),
        None => Ok(()),
    }
}

fn exists(path: &Path, span: Span) -> LabeledError {
    errors::misuse("file_exists", format!("{} exists already", path.display()), "would be overwritten", span)
        .with_help("give another path, or --force to overwrite it")
}

/// Writes the content under a temporary name in the same folder. An error removes it.
fn stage(file: &NewFile<'_>) -> io::Result<NamedTempFile> {
    let folder = match file.path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if file.path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let mut builder = Builder::new();
    builder.prefix(".pqsig-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = match file.access {
            Access::Owner => 0o600,
            Access::Everyone => 0o644,
        };
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    let mut temporary = builder.tempfile_in(folder)?;
    temporary.write_all(file.content)?;
    temporary.as_file().sync_all()?;
    Ok(temporary)
}

fn publish(temporary: NamedTempFile, path: &Path, force: bool) -> io::Result<()> {
    let published = if force { temporary.persist(path) } else { temporary.persist_noclobber(path) };
    published.map(drop).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: PathBuf, content: &[u8], access: Access) -> NewFile<'_> {
        NewFile { path, content, access }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn both_files_or_none() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("key"), folder.path().join("key.pub"));
        let files =
            [file(first.clone(), b"new", Access::Owner), file(second.clone(), b"new", Access::Everyone)];
        fs::write(&second, b"old").unwrap();

        let error = write_all(&files, false, Span::test_data()).unwrap_err();
        assert_eq!(error.code.as_deref(), Some("pqsig::file_exists"));
        assert!(error.msg.contains("key.pub"), "{error}");
        assert_eq!(names(folder.path()), ["key.pub"]);
        assert_eq!(fs::read(&second).unwrap(), b"old");

        write_all(&files, true, Span::test_data()).unwrap();
        assert_eq!(fs::read(&first).unwrap(), b"new");
        assert_eq!(fs::read(&second).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["key", "key.pub"]);
    }

    #[cfg(unix)]
    #[test]
    fn modes_and_links() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::os::unix::fs::symlink("nowhere", &path).unwrap();
        let files = [file(path.clone(), b"secret", Access::Owner)];
        assert!(write_all(&files, false, Span::test_data()).is_err());

        // With force the link is replaced, and what it points at is not written to.
        write_all(&files, true, Span::test_data()).unwrap();
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(names(folder.path()), ["key"]);
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let files = [file(folder.path().to_owned(), b"x", Access::Owner)];
        assert!(write_all(&files, true, Span::test_data()).is_err());
        let missing = [file(folder.path().join("a/b"), b"x", Access::Owner)];
        let error = write_all(&missing, false, Span::test_data()).unwrap_err();
        assert!(error.msg.contains("no such file or directory"), "{error}");
        assert!(read(folder.path(), 10, Span::test_data()).is_err());
    }

    #[test]
    fn reading_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(**read(&path, 5, Span::test_data()).unwrap(), *b"12345");
        assert!(read(&path, 4, Span::test_data()).unwrap_err().msg.contains("too large"));
        assert_eq!(read_at_most(&path, 4, Span::test_data()).unwrap(), b"1234");
    }
}
