//! Peers: the implementations under test, in this process or behind an adapter.

mod ability;
mod caching;
mod identity;
mod native;

use std::fmt;
use std::sync::Arc;

pub use ability::{Ability, Operation};
pub use caching::Caching;
pub use identity::{Artifact, Identity, Kind, fingerprint_files, own_artifacts};
pub use native::Native;
use pqsig::Algorithm;

use crate::key::EncodedKey;
use crate::message::{Message, Randomness};

/// An implementation under test. Its answers are its own: nothing is checked for it, and what it refuses, breaks on or
/// does not know is told apart.
pub trait Peer: Send + Sync {
    /// Who it is.
    fn identity(&self) -> &Identity;

    /// What it says that it can do with the algorithm; `None`: nothing.
    fn ability(&self, algorithm: Algorithm) -> Option<Ability>;

    /// Generates a key pair, from a seed (FIPS 204 Algorithm 6, FIPS 205 Algorithm 18, RFC 8032) or from fresh
    /// randomness.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair>;

    /// The public key of a private one, in one of the forms of public keys.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey>;

    /// Loads a private key, once for many signatures.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>>;

    /// Loads a public key, once for many signatures.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>>;

    /// The name that the peer goes by in a run.
    fn name(&self) -> &str {
        &self.identity().name
    }
}

/// A loaded private key.
pub trait Signer: Send + Sync {
    /// Signs.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn sign(&self, message: &Message, randomness: &Randomness) -> Reply<Vec<u8>>;
}

/// A loaded public key.
pub trait Verifier: Send + Sync {
    /// Whether the signature is valid.
    ///
    /// # Errors
    /// See [`Refusal`].
    fn verify(&self, message: &Message, signature: &[u8]) -> Reply<bool>;
}

/// What a peer answers.
pub type Reply<T> = Result<T, Refusal>;

/// Why a peer gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not know how: an answer, never a pass.
    Unsupported(String),
    /// It looked at what it was given and will have none of it: a malformed key, a context of 256 bytes.
    Refused(String),
    /// It broke: an internal error, a crash, garbage, no answer in time. Never a rejection.
    Failed(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Unsupported(why) => write!(f, "unsupported: {why}"),
            Refusal::Refused(why) => write!(f, "refused: {why}"),
            Refusal::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

/// A key pair that a peer made, in forms of its choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPair {
    /// The private key.
    pub private: EncodedKey,
    /// The public key.
    pub public: EncodedKey,
}
