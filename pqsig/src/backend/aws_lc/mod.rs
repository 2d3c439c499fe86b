//! AWS-LC: ML-DSA by mldsa-native, Ed25519 by what it took from BoringSSL with s2n-bignum's curve arithmetic.
//!
//! It is called through aws-lc-sys. The safe crate aws-lc-rs would add nothing: it signs without a context only, and
//! does not give out the key that a context would have to be set for.
//!
//! The parts: `ml_dsa` and `ed25519` sign and verify, `errors` reads AWS-LC's error queue, `ffi` has the unsafe code.

mod ed25519;
mod errors;
mod ffi;
mod ml_dsa;
#[cfg(test)]
mod tests;

use self::ffi::Set;
use super::{Capabilities, Feature, Generate, Implementation, Sign, Verify, unsupported};
use crate::{Algorithm, Error, PrivateKey, PublicKey};

/// The backend's name.
pub(crate) const NAME: &str = "aws-lc";

/// The crate that carries AWS-LC and the version that Cargo.lock pins; a test holds the two together.
const CRATE: &str = "aws-lc-sys 0.47.0";

/// AWS-LC.
pub(crate) struct AwsLc;

/// What AWS-LC does for an algorithm.
enum Scheme {
    MlDsa(&'static Set),
    Ed25519,
}

impl Scheme {
    /// `None` for SLH-DSA, of which AWS-LC has nothing.
    fn of(algorithm: Algorithm) -> Option<Self> {
        match algorithm {
            Algorithm::Ed25519 => Some(Scheme::Ed25519),
            _ => Set::of(algorithm).map(Scheme::MlDsa),
        }
    }

    fn require(algorithm: Algorithm) -> Result<Self, Error> {
        Scheme::of(algorithm).ok_or_else(|| unsupported(NAME, algorithm, Feature::Algorithm))
    }
}

impl Implementation for AwsLc {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn version(&self, _algorithm: Algorithm) -> String {
        format!("{} ({CRATE})", ffi::version())
    }

    fn lineage(&self, algorithm: Algorithm) -> &'static str {
        match algorithm {
            // AWS-LC is a fork of BoringSSL.
            Algorithm::Ed25519 => "boringssl",
            // mldsa-native is a fork of Dilithium's reference implementation.
            _ => "pq-crystals",
        }
    }

    fn language(&self) -> &'static str {
        "C and assembly"
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        Scheme::of(algorithm).map(|_| Capabilities::everything(algorithm))
    }

    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        match Scheme::require(algorithm)? {
            Scheme::MlDsa(set) => ml_dsa::generate(set, from),
            Scheme::Ed25519 => ed25519::generate(from),
        }
    }

    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        match Scheme::require(key.algorithm())? {
            Scheme::MlDsa(set) => ml_dsa::load_signing(set, key),
            Scheme::Ed25519 => ed25519::generate(Generate::FromSeed(key.expanded())),
        }
    }

    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        match Scheme::require(key.algorithm())? {
            Scheme::MlDsa(set) => ml_dsa::load_verifying(set, key),
            Scheme::Ed25519 => ed25519::load_verifying(key),
        }
    }

    fn recompute_public_key(&self, algorithm: Algorithm, expanded: &[u8]) -> Result<PublicKey, Error> {
        match Set::of(algorithm) {
            Some(set) => ml_dsa::recompute_public_key(set, expanded),
            None => Err(unsupported(NAME, algorithm, Feature::ExpandedImport)),
        }
    }
}
