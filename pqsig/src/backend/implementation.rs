//! What a backend's module implements.

use super::{Capabilities, Feature, Randomness, Verdict, unsupported};
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey};

/// Where a generated key comes from.
#[derive(Clone, Copy)]
pub enum Generate<'a> {
    /// Fresh randomness.
    Random,
    /// A seed of [`crate::Parameters::seed`] bytes.
    FromSeed(&'a [u8]),
}

/// What a backend's module implements. Callers use [`Backend`].
///
/// Implementations may rely on what [`Backend`], [`SigningKey`] and [`VerifyingKey`] have checked: the algorithm is
/// supported, the feature is among the capabilities, the message fits the algorithm, seeds and given randomness
/// have the right length.
pub(crate) trait Implementation: Send + Sync {
    /// The name that users give, such as `rustcrypto` or `openssl:fips`.
    fn name(&self) -> String;
    /// The implementation's own words of its version for this algorithm, such as `ml-dsa 0.1.2`.
    fn version(&self, algorithm: Algorithm) -> String;
    /// The code family that the implementation of this algorithm descends from.
    fn lineage(&self, algorithm: Algorithm) -> &'static str;
    /// The language it is written in.
    fn language(&self) -> &'static str;
    /// Whether the library behind it can be used at all, and if not, why.
    fn available(&self) -> Result<(), Error> {
        Ok(())
    }
    /// What it can do with the algorithm; `None`: nothing.
    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities>;
    /// Generates a key. This is what is timed as `keygen`: nothing but the library's own work.
    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error>;
    /// Loads a private key for signing, once.
    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error>;
    /// Loads a public key for verifying, once.
    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error>;
    /// The public key of an ML-DSA private key that is known in its expanded form only, after recomputing and
    /// comparing t0 and tr.
    fn recompute_public_key(&self, algorithm: Algorithm, _expanded: &[u8]) -> Result<PublicKey, Error> {
        Err(unsupported(&self.name(), algorithm, Feature::ExpandedImport))
    }
}

/// A loaded private key of a backend.
pub(crate) trait Sign: Send + Sync {
    /// Signs. Parses nothing: this is the hot loop.
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error>;
    /// The key in the core's terms.
    fn private_key(&self) -> Result<PrivateKey, Error>;
    /// The part of the library that really does the work, where the library has a word for it: OpenSSL's
    /// provider.
    fn provider(&self) -> Option<String> {
        None
    }
}

/// A loaded public key of a backend.
pub(crate) trait Verify: Send + Sync {
    /// Verifies a signature of any length.
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error>;
    /// As [`Sign::provider`].
    fn provider(&self) -> Option<String> {
        None
    }
}
