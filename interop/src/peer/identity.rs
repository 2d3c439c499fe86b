//! Who answered: names, versions, and the SHA-256 of the files that did the work.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use pqsig::Algorithm;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Where a peer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A backend of this process.
    InProcess,
    /// A program behind an adapter.
    Adapter,
}

/// Who a peer is. A verdict holds for what is named here, and for no other build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The name in a run, such as `aws-lc` or `noble`.
    pub name: String,
    /// Where it runs.
    pub kind: Kind,
    /// The implementation's own words of its version, for each algorithm that it has.
    pub versions: BTreeMap<String, String>,
    /// The code family that each algorithm's implementation descends from: those of one family have one vote.
    pub lineages: BTreeMap<String, String>,
    /// The programs and libraries that answer.
    pub artifacts: Vec<Artifact>,
}

impl Identity {
    /// The code family for an algorithm; the peer's own name where none is known.
    #[must_use]
    pub fn lineage(&self, algorithm: Algorithm) -> &str {
        self.lineages.get(algorithm.name()).map_or(&self.name, String::as_str)
    }

    /// The version for an algorithm; empty where the peer does not have it.
    #[must_use]
    pub fn version(&self, algorithm: Algorithm) -> &str {
        self.versions.get(algorithm.name()).map_or("", String::as_str)
    }
}

/// A file, or a folder with all that is in it, that answers for a peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The file's or the folder's own name, without its path.
    pub name: String,
    /// SHA-256 in hexadecimal: of a file's bytes; of a folder's list `DIGEST  RELATIVE-PATH`, one line per file
    /// in the order of the paths, as `sha256sum` prints them.
    pub sha256: String,
}

/// The digests of files and folders.
///
/// # Errors
/// The path and what the system says of it.
pub fn fingerprint_files(paths: &[PathBuf]) -> Result<Vec<Artifact>, String> {
    let digest = |path: &PathBuf| {
        let sha256 = fingerprint(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into());
        Ok(Artifact { name, sha256 })
    };
    paths.iter().map(digest).collect()
}

fn fingerprint(path: &Path) -> io::Result<String> {
    if !path.is_dir() {
        return file_digest(path);
    }
    let mut files = Vec::new();
    collect_files(path, Path::new(""), &mut files)?;
    files.sort();
    let mut hasher = Sha256::new();
    for relative in files {
        let line = format!("{}  {}\n", file_digest(&path.join(&relative))?, relative.to_string_lossy());
        hasher.update(line.as_bytes());
    }
    Ok(hex::encode(hasher.finalize()))
}

/// Files below a folder by their relative paths. Caches that interpreters write while they run are left out: they would
/// change the digest of what they were made from.
fn collect_files(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let relative = below.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if entry.file_name() != "__pycache__" {
                collect_files(root, &relative, files)?;
            }
        } else {
            files.push(relative);
        }
    }
    Ok(())
}

fn file_digest(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok(hex::encode(hasher.finalize()))
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The program that runs, which holds every backend that is linked into it, and the shared OpenSSL libraries that it has
/// loaded (Linux only: elsewhere the build links OpenSSL into the program, or the list is silent about it).
///
/// # Errors
/// When the program's own file can't be read.
pub fn own_artifacts() -> Result<Vec<Artifact>, String> {
    static DIGESTS: OnceLock<Result<Vec<Artifact>, String>> = OnceLock::new();
    DIGESTS
        .get_or_init(|| {
            let program = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
            let mut paths = vec![program];
            paths.extend(loaded_libraries());
            fingerprint_files(&paths)
        })
        .clone()
}

fn loaded_libraries() -> Vec<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let is_openssl = |path: &&Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("libcrypto") || path.parent().is_some_and(|folder| folder.ends_with("ossl-modules"))
    };
    let mut paths: Vec<PathBuf> = maps
        .lines()
        .filter_map(|line| line.find('/').map(|start| Path::new(&line[start..])))
        .filter(is_openssl)
        .map(Path::to_owned)
        .collect();
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_sha256sum() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("b/__pycache__")).unwrap();
        fs::write(folder.path().join("b/c"), "abc").unwrap();
        fs::write(folder.path().join("a"), "").unwrap();
        fs::write(folder.path().join("b/__pycache__/x"), "x").unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let list = format!("{empty}  a\n{abc}  b/c\n");

        let artifacts = fingerprint_files(&[folder.path().join("b/c"), folder.path().to_owned()]).unwrap();
        assert_eq!(artifacts[0], Artifact { name: "c".into(), sha256: abc.into() });
        assert_eq!(artifacts[1].sha256, hex::encode(Sha256::digest(list)));
        assert!(fingerprint_files(&[folder.path().join("none")]).is_err());
    }

    #[test]
    fn this_program_is_among_its_artifacts() {
        assert_eq!(own_artifacts().unwrap()[0].sha256.len(), 64);
    }
}
