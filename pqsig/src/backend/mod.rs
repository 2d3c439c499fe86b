//! Backends: the implementations that we call, behind one interface.
//!
//! A backend is one module and one line in [`STATIC`]. It implements [`Implementation`] and hands out [`Sign`] and
//! [`Verify`] objects; what callers see are [`Backend`], [`SigningKey`] and [`VerifyingKey`], which hold every
//! message against the standards' rules before a library sees it.

pub mod openssl;
pub mod ranking;
mod rustcrypto;

use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::hazmat::FixedRandomness;
use crate::message::Use;
use crate::{Algorithm, Error, HashAlgorithm, Message, PrivateKey, PublicKey};

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

/// Something that a backend can or can't do natively with an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// The algorithm at all: generate, sign and verify.
    Algorithm,
    /// A context string that is not empty.
    Context,
    /// Signing with fresh randomness.
    Hedged,
    /// Signing without randomness.
    Deterministic,
    /// ML-DSA over an external mu.
    ExternalMu,
    /// Signing a digest made with this function.
    PreHash(HashAlgorithm),
    /// Generating a key from a given seed.
    SeedKeygen,
    /// Loading an ML-DSA key of which only the expanded form is known.
    ExpandedImport,
    /// Given randomness, for vectors.
    FixedRandomness,
    /// M' as it is, for vectors.
    Internal,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Feature::Algorithm => "the algorithm",
            Feature::Context => "a context",
            Feature::Hedged => "hedged signing",
            Feature::Deterministic => "deterministic signing",
            Feature::ExternalMu => "external mu",
            Feature::PreHash(hash) => return write!(f, "pre-hashing with {hash}"),
            Feature::SeedKeygen => "key generation from a seed",
            Feature::ExpandedImport => "expanded private keys without a seed",
            Feature::FixedRandomness => "given randomness",
            Feature::Internal => "the internal interface",
        })
    }
}

/// What a backend can do natively with one algorithm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent abilities, one column each")]
pub struct Capabilities {
    /// [`Feature::Context`]
    pub context: bool,
    /// [`Feature::Hedged`]
    pub hedged: bool,
    /// [`Feature::Deterministic`]
    pub deterministic: bool,
    /// [`Feature::ExternalMu`]
    pub external_mu: bool,
    /// [`Feature::PreHash`], for each of these functions.
    pub pre_hash: &'static [HashAlgorithm],
    /// [`Feature::SeedKeygen`]
    pub seed_keygen: bool,
    /// [`Feature::ExpandedImport`]
    pub expanded_import: bool,
    /// [`Feature::FixedRandomness`]
    pub fixed_randomness: bool,
    /// [`Feature::Internal`]
    pub internal: bool,
}

impl Capabilities {
    /// All that the algorithm's standard offers.
    #[must_use]
    pub fn everything(algorithm: Algorithm) -> Self {
        use crate::Family::{Ed25519, MlDsa};
        let family = algorithm.family();
        let post_quantum = family != Ed25519;
        Capabilities {
            // Ed25519 takes a context with a pre-hash only; the message's own check tells them apart.
            context: true,
            hedged: post_quantum,
            deterministic: true,
            external_mu: family == MlDsa,
            pre_hash: if post_quantum { &HashAlgorithm::ALL } else { &[HashAlgorithm::Sha512] },
            seed_keygen: true,
            expanded_import: family == MlDsa,
            fixed_randomness: post_quantum,
            internal: post_quantum,
        }
    }

    /// Whether the backend can do this with the algorithm.
    #[must_use]
    pub fn supports(self, feature: Feature) -> bool {
        match feature {
            Feature::Algorithm => true,
            Feature::Context => self.context,
            Feature::Hedged => self.hedged,
            Feature::Deterministic => self.deterministic,
            Feature::ExternalMu => self.external_mu,
            Feature::PreHash(hash) => self.pre_hash.contains(&hash),
            Feature::SeedKeygen => self.seed_keygen,
            Feature::ExpandedImport => self.expanded_import,
            Feature::FixedRandomness => self.fixed_randomness,
            Feature::Internal => self.internal,
        }
    }
}

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

/// The backends that need no further word; `openssl:NAME` comes from [`by_name`].
static STATIC: LazyLock<Vec<Backend>> =
    LazyLock::new(|| vec![Backend::new(rustcrypto::RustCrypto), Backend::new(openssl::OpenSsl::new())]);

/// The names in [`STATIC`], for completions and error texts.
pub const NAMES: [&str; 2] = [rustcrypto::NAME, openssl::NAME];

/// Every backend of this build.
#[must_use]
pub fn all() -> &'static [Backend] {
    &STATIC
}

/// The backend of this name. `openssl:NAME` loads and pins OpenSSL's provider NAME, from the folder after an `@`
/// if there is one: `openssl:fips@/usr/local/lib/ossl-modules`.
///
/// # Errors
/// [`Error::UnknownBackend`]; [`Error::BackendUnavailable`] when OpenSSL is too old or can't load the provider.
pub fn by_name(name: &str) -> Result<Backend, Error> {
    if let Some(backend) = STATIC.iter().find(|backend| backend.name() == name) {
        backend.implementation.available()?;
        return Ok(backend.clone());
    }
    match name.strip_prefix("openssl:") {
        Some(provider) => Ok(Backend::new(openssl::OpenSsl::with_provider(provider)?)),
        None => Err(Error::UnknownBackend { given: name.to_owned(), known: NAMES.to_vec() }),
    }
}

/// The backend that derives keys for the core's own checks: the first of the ranking that generates from seeds.
pub(crate) fn deriver(algorithm: Algorithm) -> Backend {
    ranking::fastest(algorithm, &[Feature::SeedKeygen]).unwrap_or_else(|_| rustcrypto())
}

/// The backend that checks expanded ML-DSA keys: OpenSSL recomputes t0, which RustCrypto's API can't show.
pub(crate) fn expanded_key_checker() -> &'static dyn Implementation {
    &*STATIC[1].implementation
}

pub(crate) fn rustcrypto() -> Backend {
    STATIC[0].clone()
}

/// An "unsupported" that names the backends that can.
pub(crate) fn unsupported(backend: &str, algorithm: Algorithm, feature: Feature) -> Error {
    let alternatives = STATIC
        .iter()
        .filter(|other| other.supports(algorithm, feature))
        .map(Backend::name)
        .filter(|name| name != backend)
        .collect();
    Error::Unsupported { backend: backend.to_owned(), algorithm, feature, alternatives }
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
