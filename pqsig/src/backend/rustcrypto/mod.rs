//! The pure-Rust backend: crates ml-dsa, slh-dsa and ed25519-dalek.

mod ed25519;
mod ml_dsa;
mod slh_dsa;

use super::{Capabilities, Generate, Implementation, Sign, Verify};
use crate::{Algorithm, Error, Family, PrivateKey, PublicKey, Randomness};

/// The name that users give.
pub(crate) const NAME: &str = "rustcrypto";

/// A crate's name and the version that Cargo.lock pins; a test below holds the two together.
const ML_DSA: &str = "ml-dsa 0.1.2";
const SLH_DSA: &str = "slh-dsa 0.2.0-rc.5";
const ED25519: &str = "ed25519-dalek 3.0.0";

pub(crate) struct RustCrypto;

impl Implementation for RustCrypto {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn version(&self, algorithm: Algorithm) -> String {
        match algorithm.family() {
            Family::MlDsa => ML_DSA,
            Family::SlhDsa => SLH_DSA,
            Family::Ed25519 => ED25519,
        }
        .to_owned()
    }

    fn lineage(&self, algorithm: Algorithm) -> &'static str {
        match algorithm.family() {
            Family::MlDsa | Family::SlhDsa => "rustcrypto",
            Family::Ed25519 => "dalek",
        }
    }

    fn language(&self) -> &'static str {
        "Rust"
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        Some(Capabilities::everything(algorithm))
    }

    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        let mut fresh = zeroize::Zeroizing::new([0; MAX_SEED]);
        let seed = match from {
            Generate::FromSeed(seed) => seed,
            Generate::Random => {
                let seed = &mut fresh[..algorithm.parameters().seed];
                getrandom::fill(seed)?;
                seed
            }
        };
        match algorithm.family() {
            Family::MlDsa => ml_dsa::generate(algorithm, seed),
            Family::SlhDsa => slh_dsa::generate(algorithm, seed),
            Family::Ed25519 => ed25519::generate(seed),
        }
    }

    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        match key.algorithm().family() {
            Family::MlDsa => ml_dsa::load_signing(key),
            Family::SlhDsa => slh_dsa::load_signing(key),
            Family::Ed25519 => ed25519::generate(key.expanded()),
        }
    }

    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        match key.algorithm().family() {
            Family::MlDsa => ml_dsa::load_verifying(key),
            Family::SlhDsa => slh_dsa::load_verifying(key),
            Family::Ed25519 => ed25519::load_verifying(key),
        }
    }
}

/// The longest seed: 3n of the SLH-DSA sets of category 5.
const MAX_SEED: usize = 96;

/// The randomness of one signature in a buffer of at most 32 bytes, which is the most that any set takes.
/// `Deterministic` gives `None`.
fn draw<'a>(
    algorithm: Algorithm,
    randomness: Randomness<'_>,
    buffer: &'a mut [u8; 32],
) -> Result<Option<&'a [u8]>, Error> {
    let buffer = &mut buffer[..algorithm.parameters().randomness];
    match randomness {
        Randomness::Deterministic => return Ok(None),
        Randomness::Hedged => getrandom::fill(buffer)?,
        Randomness::Fixed(bytes) => buffer.copy_from_slice(bytes.as_bytes()),
    }
    Ok(Some(buffer))
}

/// A failure inside a crate, whose errors are opaque.
fn failed(operation: &'static str, reason: impl std::fmt::Display) -> Error {
    Error::Backend { backend: NAME.to_owned(), operation, reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The version that a user reads must be the version that was built.
    #[test]
    fn versions_are_those_of_the_lock_file() {
        let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
        for words in [ML_DSA, SLH_DSA, ED25519] {
            let (name, version) = words.split_once(' ').unwrap();
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&entry), "{words} is not what Cargo.lock pins");
        }
    }

    #[test]
    fn no_seed_and_no_randomness_outgrows_its_buffer() {
        for algorithm in Algorithm::all() {
            assert!(algorithm.parameters().seed <= MAX_SEED);
            assert!(algorithm.parameters().randomness <= 32);
        }
    }
}
