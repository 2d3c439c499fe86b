//! Files that ask a question again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::Error;
use crate::peer::Identity;
use crate::question::Question;
use crate::record::{Case, Check, REPRODUCER_SCHEMA, Reproducer};

/// What findings have in common that tell the same: algorithm, check and outliers.
type Like = (String, Check, Vec<String>);

/// Writes reproducers to a folder.
pub struct Reproducers {
    folder: PathBuf,
    written: Mutex<BTreeMap<Like, usize>>,
}

impl Reproducers {
    /// How many are written per algorithm, check and set of outliers. A peer that gets everything wrong would fill a
    /// disk, and its tenth reproducer tells no more than its first.
    pub const LIMIT: usize = 10;

    pub(super) fn new(folder: PathBuf) -> Self {
        Reproducers { folder, written: Mutex::default() }
    }

    /// Writes the case's reproducer, if it has a finding, and notes the file in it.
    pub(super) fn keep(
        &self,
        case: &mut Case,
        question: &Question,
        reference: Option<&[u8]>,
        asked: &[&Identity],
    ) -> Result<(), Error> {
        let Some(finding) = &mut case.finding else {
            return Ok(());
        };
        let like = (case.algorithm.to_string(), case.check, finding.outliers.clone());
        {
            let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
            let count = written.entry(like).or_default();
            if *count >= Self::LIMIT {
                return Ok(());
            }
            *count += 1;
        }
        let reproducer = Reproducer {
            schema: REPRODUCER_SCHEMA.to_owned(),
            id: case.id.clone(),
            name: case.name.clone(),
            expected: case.expected,
            question: question.clone(),
            reference: reference.map(hex::encode),
            signer: case.signer.clone().filter(|_| case.check == Check::Exchange),
            answers: case.answers.clone(),
            peers: asked.iter().map(|identity| (*identity).clone()).collect(),
        };
        let path = self.folder.join(file_name(&case.id));
        let failed = |reason: String| Error::Reproducer { path: path.clone(), reason };
        fs::create_dir_all(&self.folder).map_err(|error| failed(error.to_string()))?;
        let mut file =
            tempfile::NamedTempFile::new_in(&self.folder).map_err(|error| failed(error.to_string()))?;
        serde_json::to_writer(&mut file, &reproducer).map_err(|error| failed(error.to_string()))?;
        file.write_all(b"\n").map_err(|error| failed(error.to_string()))?;
        file.persist(&path).map_err(|error| failed(error.to_string()))?;
        finding.reproducer = Some(path.display().to_string());
        Ok(())
    }
}

/// A case's id as the name of a file, on every system. What a plain name can't show is told apart by the id's digest.
fn file_name(id: &str) -> String {
    let words = id.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(|part| !part.is_empty());
    let mut name = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    // With the digest and the suffix it stays below what file systems allow.
    name.truncate(200);
    format!("{name}-{}.json", hex::encode(&Sha256::digest(id)[..4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_plain() {
        let name = file_name("ML-DSA-65/hostile/c~, bit 0 of byte 1/pure by openssl:fips");
        assert!(name.starts_with("ml-dsa-65-hostile-c-bit-0-of-byte-1-pure-by-openssl-fips-"), "{name}");
        assert_ne!(file_name("z at gamma1"), file_name("z at -(gamma1)"));
        assert!(file_name(&"x".repeat(500)).len() < 255);
    }
}
