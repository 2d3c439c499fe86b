//! The pure-Rust backend: crates ml-dsa, slh-dsa and ed25519-dalek.

mod ed25519;
mod ml_dsa;
mod slh_dsa;

use zeroize::Zeroizing;

use super::support::{self, MAX_SEED};
use super::{Capabilities, Generate, Implementation, Sign, Verify};
use crate::{Algorithm, Error, Family, PrivateKey, PublicKey};

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
        let mut fresh = Zeroizing::new([0; MAX_SEED]);
        let seed = support::seed(algorithm, from, &mut fresh)?;
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

/// A failure inside a crate, whose errors are opaque.
fn failed(operation: &'static str, reason: impl std::fmt::Display) -> Error {
    support::failed(NAME, operation, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_lock_file() {
        [ML_DSA, SLH_DSA, ED25519].into_iter().for_each(support::assert_locked);
    }
}
