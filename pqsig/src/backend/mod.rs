//! Backends: the implementations that we call, behind one interface.
//!
//! A backend is one module and one line in the list of `registry.rs`. It implements the traits of `implementation.rs`; what callers
//! see are [`Backend`], [`SigningKey`] and [`VerifyingKey`], which hold every message against the standards' rules and
//! against the backend's [`Capabilities`] before a library sees it.

#[cfg(feature = "aws-lc")]
mod aws_lc;
mod capabilities;
#[cfg(feature = "fips204")]
mod fips204;
#[cfg(feature = "fips205")]
mod fips205;
#[cfg(any(feature = "fips204", feature = "fips205"))]
mod given;
mod implementation;
#[cfg(feature = "libcrux")]
mod libcrux;
pub mod openssl;
pub mod ranking;
mod registry;
mod rustcrypto;
mod support;

use std::fmt;
use std::sync::Arc;

pub use capabilities::{Capabilities, Feature};
pub use implementation::Generate;
pub(crate) use implementation::{Implementation, Sign, Verify};
pub use registry::{NAMES, all, by_name};
pub(crate) use registry::{deriver, expanded_key_checker, point_checker, unsupported};

use crate::hazmat::FixedRandomness;
use crate::message::Use;
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey};

/// Where a signature's randomness comes from (FIPS 204 section 3.4, FIPS 205 section 9.2). Ed25519 has none: it
/// signs alike under `Hedged` and `Deterministic`.
#[derive(Clone, Copy, Debug)]
pub enum Randomness<'a> {
    /// Fresh randomness for each signature, as the standards recommend.
    Hedged,
    /// None: the same key and message give the same signature.
    Deterministic,
    /// Given bytes, for vectors: see [`crate::hazmat::fixed_randomness`].
    Fixed(FixedRandomness<'a>),
}

/// What a verifier found. A call that failed is an [`Error`], never a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a signature that nobody looks at was not verified"]
pub enum Verdict {
    /// The signature is the key holder's over this message.
    Accepted,
    /// It is not.
    Rejected,
}

impl Verdict {
    /// True for [`Verdict::Accepted`].
    #[must_use]
    pub fn is_accepted(self) -> bool {
        self == Verdict::Accepted
    }

    pub(crate) fn from_bool(accepted: bool) -> Self {
        if accepted { Verdict::Accepted } else { Verdict::Rejected }
    }
}

/// One implementation of one or more algorithms.
#[derive(Clone)]
pub struct Backend {
    implementation: Arc<dyn Implementation>,
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backend({})", self.name())
    }
}

impl Backend {
    pub(crate) fn new(implementation: impl Implementation + 'static) -> Self {
        Backend { implementation: Arc::new(implementation) }
    }

    /// The name that users give, such as `rustcrypto` or `openssl:fips`.
    #[must_use]
    pub fn name(&self) -> String {
        self.implementation.name()
    }

    /// The implementation's own words of its version for this algorithm.
    #[must_use]
    pub fn version(&self, algorithm: Algorithm) -> String {
        self.implementation.version(algorithm)
    }

    /// The code family that the implementation of this algorithm descends from: those of one family have one vote.
    #[must_use]
    pub fn lineage(&self, algorithm: Algorithm) -> &'static str {
        self.implementation.lineage(algorithm)
    }

    /// The language that the implementation is written in.
    #[must_use]
    pub fn language(&self) -> &'static str {
        self.implementation.language()
    }

    /// What the backend can do natively with the algorithm; `None`: nothing.
    #[must_use]
    pub fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        self.implementation.capabilities(algorithm)
    }

    /// Whether the backend can do this with the algorithm.
    #[must_use]
    pub fn supports(&self, algorithm: Algorithm, feature: Feature) -> bool {
        self.capabilities(algorithm).is_some_and(|capabilities| capabilities.supports(feature))
    }

    /// What the backend can do with the algorithm, or an "unsupported".
    fn require(&self, algorithm: Algorithm) -> Result<Ability<'_>, Error> {
        match self.capabilities(algorithm) {
            Some(capabilities) => Ok(Ability { backend: self, algorithm, capabilities }),
            None => Err(unsupported(&self.name(), algorithm, Feature::Algorithm)),
        }
    }

    /// Generates a key, ready to sign.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::SeedLength`], [`Error::Random`], [`Error::Backend`].
    pub fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<SigningKey, Error> {
        let ability = self.require(algorithm)?;
        if let Generate::FromSeed(seed) = from {
            ability.require(Feature::SeedKeygen)?;
            if seed.len() != algorithm.parameters().seed {
                return Err(Error::SeedLength { algorithm, actual: seed.len() });
            }
        }
        let capabilities = ability.capabilities;
        let inner = self.implementation.generate(algorithm, from)?;
        Ok(SigningKey { algorithm, backend: self.clone(), capabilities, inner })
    }

    /// Loads a private key for signing.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::Backend`].
    pub fn signing_key(&self, key: &PrivateKey) -> Result<SigningKey, Error> {
        let algorithm = key.algorithm();
        let ability = self.require(algorithm)?;
        if key.seed().is_none() {
            ability.require(Feature::ExpandedImport)?;
        }
        let capabilities = ability.capabilities;
        let inner = self.implementation.load_signing(key)?;
        Ok(SigningKey { algorithm, backend: self.clone(), capabilities, inner })
    }

    /// Loads a public key for verifying.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::PublicKeyInvalid`], [`Error::Backend`].
    pub fn verifying_key(&self, key: &PublicKey) -> Result<VerifyingKey, Error> {
        let algorithm = key.algorithm();
        let capabilities = self.require(algorithm)?.capabilities;
        let inner = self.implementation.load_verifying(key)?;
        Ok(VerifyingKey { algorithm, backend: self.clone(), capabilities, inner })
    }
}

/// A backend with an algorithm, and what it can do there.
struct Ability<'a> {
    backend: &'a Backend,
    algorithm: Algorithm,
    capabilities: Capabilities,
}

impl Ability<'_> {
    fn require(&self, feature: Feature) -> Result<(), Error> {
        if self.capabilities.supports(feature) {
            Ok(())
        } else {
            Err(unsupported(&self.backend.name(), self.algorithm, feature))
        }
    }

    /// Holds a message against the standards, then against what the backend can do.
    fn admit(&self, message: &Message<'_>, purpose: Use) -> Result<(), Error> {
        message.check(self.algorithm, purpose)?;
        match *message {
            Message::Pure { context, .. } if context.is_empty() => Ok(()),
            Message::Pure { .. } => self.require(Feature::Context),
            Message::PreHashed { digest, .. } => self.require(Feature::PreHash(digest.hash())),
            Message::ExternalMu(_) => self.require(Feature::ExternalMu),
            Message::Internal(_) => self.require(Feature::Internal),
        }
    }

    fn admit_randomness(&self, randomness: Randomness<'_>) -> Result<(), Error> {
        match randomness {
            // Ed25519 has no hedged mode, and signing it takes the one way that there is.
            Randomness::Hedged if self.algorithm == Algorithm::Ed25519 => Ok(()),
            Randomness::Hedged => self.require(Feature::Hedged),
            Randomness::Deterministic => self.require(Feature::Deterministic),
            Randomness::Fixed(bytes) => {
                self.require(Feature::FixedRandomness)?;
                let actual = bytes.as_bytes().len();
                if actual == self.algorithm.parameters().randomness {
                    Ok(())
                } else {
                    Err(Error::RandomnessLength { algorithm: self.algorithm, actual })
                }
            }
        }
    }
}

/// A private key, loaded into a backend once and used many times.
pub struct SigningKey {
    algorithm: Algorithm,
    backend: Backend,
    capabilities: Capabilities,
    inner: Box<dyn Sign>,
}

impl SigningKey {
    /// The key's algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The backend that holds the key.
    #[must_use]
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// OpenSSL's provider that really does the work; `None` where the library has no such word.
    #[must_use]
    pub fn provider(&self) -> Option<String> {
        self.inner.provider()
    }

    /// Signs.
    ///
    /// # Errors
    /// What the standards forbid ([`Error::HashTooWeak`], [`Error::ContextOnPureEd25519`],
    /// [`Error::NoExternalMu`]...), [`Error::Unsupported`], [`Error::RandomnessLength`], [`Error::Random`],
    /// [`Error::Backend`].
    pub fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let ability = self.ability();
        ability.admit(message, Use::Sign)?;
        ability.admit_randomness(randomness)?;
        self.inner.sign(message, randomness)
    }

    /// The key in the core's terms, for writing or for another backend.
    ///
    /// # Errors
    /// [`Error::Backend`] when the library does not give it out.
    pub fn private_key(&self) -> Result<PrivateKey, Error> {
        self.inner.private_key()
    }

    fn ability(&self) -> Ability<'_> {
        Ability { backend: &self.backend, algorithm: self.algorithm, capabilities: self.capabilities }
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({}, {}, secret)", self.algorithm, self.backend.name())
    }
}

/// A public key, loaded into a backend once and used many times.
pub struct VerifyingKey {
    algorithm: Algorithm,
    backend: Backend,
    capabilities: Capabilities,
    inner: Box<dyn Verify>,
}

impl VerifyingKey {
    /// The key's algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The backend that holds the key.
    #[must_use]
    pub fn backend(&self) -> &Backend {
        &self.backend
    }

    /// As [`SigningKey::provider`].
    #[must_use]
    pub fn provider(&self) -> Option<String> {
        self.inner.provider()
    }

    /// Verifies. A signature of a wrong length is rejected, as the standards say.
    ///
    /// # Errors
    /// What the standards do not define for the algorithm, [`Error::Unsupported`], [`Error::Backend`].
    pub fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        self.ability().admit(message, Use::Verify)?;
        self.inner.verify(message, signature)
    }

    fn ability(&self) -> Ability<'_> {
        Ability { backend: &self.backend, algorithm: self.algorithm, capabilities: self.capabilities }
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VerifyingKey({}, {})", self.algorithm, self.backend.name())
    }
}
