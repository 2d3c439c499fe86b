//! NIST's published vectors: a part of each group in this program, the whole in a folder.
//!
//! The part comes from interop/vectors/acvp, whose README says where it comes from and how it was made. In it, NIST's prompts
//! have lost cases and nothing else; of the expected results, long bytes are kept as their SHA-256.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use pqsig::Family;

use super::error::Error;
use super::files::parse;
use super::head::Task;
use super::prompt::Prompt;
use super::response::Expected;

/// One of NIST's vector sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Set {
    /// NIST's name for its folder, such as `ML-DSA-sigGen-FIPS204`.
    pub name: &'static str,
    /// ML-DSA or SLH-DSA.
    pub family: Family,
    /// What it is about.
    pub task: Task,
    prompt: &'static [u8],
    expected: &'static [u8],
}

macro_rules! set {
    ($name:literal, $family:ident, $task:ident) => {
        Set {
            name: $name,
            family: Family::$family,
            task: Task::$task,
            prompt: include_bytes!(concat!("../../vectors/acvp/", $name, "/prompt.json.gz")),
            expected: include_bytes!(concat!("../../vectors/acvp/", $name, "/expectedResults.json.gz")),
        }
    };
}

/// The sets for ML-DSA and SLH-DSA.
pub static SETS: [Set; 6] = [
    set!("ML-DSA-keyGen-FIPS204", MlDsa, KeyGen),
    set!("ML-DSA-sigGen-FIPS204", MlDsa, SigGen),
    set!("ML-DSA-sigVer-FIPS204", MlDsa, SigVer),
    set!("SLH-DSA-keyGen-FIPS205", SlhDsa, KeyGen),
    set!("SLH-DSA-sigGen-FIPS205", SlhDsa, SigGen),
    set!("SLH-DSA-sigVer-FIPS205", SlhDsa, SigVer),
];

/// A prompt with what is right for it.
#[derive(Clone, Debug)]
pub struct Vectors {
    /// The prompt.
    pub prompt: Prompt,
    /// What is right.
    pub expected: Expected,
}

impl Set {
    /// The part that is in this program.
    ///
    /// # Errors
    /// When the pack is damaged, which a test rules out.
    pub fn packed(&self) -> Result<Vectors, Error> {
        let in_pack = |error| Error::InFile { path: PathBuf::from(self.name), error: Box::new(error) };
        let attempt = || {
            Ok(Vectors {
                prompt: Prompt::parse(&self.prompt_json()?)?,
                expected: Expected::parse(&unzip(self.name, self.expected)?)?,
            })
        };
        attempt().map_err(in_pack)
    }

    /// The packed prompt as JSON.
    ///
    /// # Errors
    /// As [`Set::packed`].
    pub fn prompt_json(&self) -> Result<Vec<u8>, Error> {
        unzip(self.name, self.prompt)
    }

    /// The whole, from a folder that `scripts/acvp.sh` has filled. Long bytes are condensed to digests.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::InFile`].
    pub fn whole(&self, folder: &Path) -> Result<Vectors, Error> {
        let folder = folder.join(self.name);
        Ok(Vectors {
            prompt: parse(&folder.join("prompt.json"), Prompt::parse)?,
            expected: parse(&folder.join("expectedResults.json"), Expected::parse)?.condensed(),
        })
    }
}

fn unzip(name: &str, packed: &[u8]) -> Result<Vec<u8>, Error> {
    let mut json = Vec::new();
    let read: io::Result<usize> = GzDecoder::new(packed).read_to_end(&mut json);
    read.map_err(|source| Error::Read { path: PathBuf::from(name), source })?;
    Ok(json)
}
