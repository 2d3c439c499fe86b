//! Keys, tagged with their algorithm. A key that exists has been checked.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

use crate::backend::{self, Generate};
use crate::{Algorithm, Error, Family, encoding};

/// Bytes that are wiped when they are dropped.
pub type SecretBytes = Zeroizing<Vec<u8>>;

/// A public key: the standard's encoding (FIPS 204 Algorithm 22, FIPS 205 figure 16, RFC 8032 section 5.1.5).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct PublicKey {
    algorithm: Algorithm,
    bytes: Vec<u8>,
}

impl PublicKey {
    /// A public key from the standard's encoding. Any bytes of the right length are an ML-DSA or SLH-DSA key;
    /// an Ed25519 key must be the encoding of a point.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::PublicKeyInvalid`].
    pub fn new(algorithm: Algorithm, bytes: &[u8]) -> Result<Self, Error> {
        let key = PublicKey::from_generated(algorithm, bytes.to_vec())?;
        if algorithm == Algorithm::Ed25519 {
            backend::point_checker().verifying_key(&key)?;
        }
        Ok(key)
    }

    /// A public key that a backend made: only its length is checked.
    pub(crate) fn from_generated(algorithm: Algorithm, bytes: Vec<u8>) -> Result<Self, Error> {
        check_length(algorithm, "public key", algorithm.parameters().public_key, &bytes)?;
        Ok(PublicKey { algorithm, bytes })
    }

    /// The key's algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The standard's encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// SHA-256 over the DER SubjectPublicKeyInfo.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(Sha256::digest(encoding::public_key_to_der(self)).into())
    }
}

fn check_length(
    algorithm: Algorithm,
    what: &'static str,
    expected: usize,
    bytes: &[u8],
) -> Result<(), Error> {
    let actual = bytes.len();
    if actual == expected { Ok(()) } else { Err(Error::KeyLength { algorithm, what, expected, actual }) }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({}, {})", self.algorithm, self.fingerprint())
    }
}

/// SHA-256 of a public key's DER SubjectPublicKeyInfo: what
/// `openssl pkey -pubin -outform DER | sha256sum` prints. Shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The digest.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What a private key file holds: RFC 9881 section 6 for ML-DSA. SLH-DSA has only `Expanded` (RFC 9909), Ed25519
/// only `Seed` (RFC 8410).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrivateKeyForm {
    /// The seed that key generation starts from.
    Seed,
    /// The standard's private key.
    Expanded,
    /// Seed and expanded key, which must agree.
    Both,
}

impl PrivateKeyForm {
    /// Every form.
    pub const ALL: [PrivateKeyForm; 3] =
        [PrivateKeyForm::Seed, PrivateKeyForm::Expanded, PrivateKeyForm::Both];

    /// `seed`, `expanded` or `both`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PrivateKeyForm::Seed => "seed",
            PrivateKeyForm::Expanded => "expanded",
            PrivateKeyForm::Both => "both",
        }
    }
}

impl fmt::Display for PrivateKeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PrivateKeyForm {
    type Err = Error;

    fn from_str(given: &str) -> Result<Self, Error> {
        PrivateKeyForm::ALL.into_iter().find(|form| form.name() == given).ok_or_else(|| Error::Malformed {
            what: "private key form",
            reason: format!("`{given}` is none of seed, expanded, both"),
        })
    }
}

/// A private key with its public key. The secret parts are wiped on drop, never shown, and compared in constant
/// time.
#[derive(Clone)]
pub struct PrivateKey {
    seed: Option<SecretBytes>,
    expanded: SecretBytes,
    public: PublicKey,
}

impl PrivateKey {
    /// Generates a key with the backend that the ranking puts first.
    ///
    /// # Errors
    /// [`Error::Random`], [`Error::Backend`].
    pub fn generate(algorithm: Algorithm) -> Result<Self, Error> {
        backend::deriver(algorithm).generate(algorithm, Generate::Random)?.private_key()
    }

    /// The key that a seed expands to (FIPS 204 Algorithm 6, FIPS 205 Algorithm 18, RFC 8032 section 5.1.5).
    ///
    /// # Errors
    /// [`Error::SeedLength`], [`Error::Backend`].
    pub fn from_seed(algorithm: Algorithm, seed: &[u8]) -> Result<Self, Error> {
        let expected = algorithm.parameters().seed;
        if seed.len() != expected {
            return Err(Error::SeedLength { algorithm, actual: seed.len() });
        }
        backend::deriver(algorithm).generate(algorithm, Generate::FromSeed(seed))?.private_key()
    }

    /// The key with the standard's encoding: the expanded key of ML-DSA, 4n bytes for SLH-DSA, the seed of
    /// Ed25519. What the bytes say twice is recomputed and compared: t0 and tr of ML-DSA, PK.root of SLH-DSA.
    ///
    /// # Errors
    /// [`Error::KeyLength`], [`Error::KeyInconsistent`], [`Error::Backend`].
    pub fn from_expanded(algorithm: Algorithm, expanded: &[u8]) -> Result<Self, Error> {
        check_length(algorithm, "private key", algorithm.parameters().private_key, expanded)?;
        match algorithm.family() {
            Family::MlDsa => {
                let public = backend::expanded_key_checker().recompute_public_key(algorithm, expanded)?;
                Ok(PrivateKey { seed: None, expanded: Zeroizing::new(expanded.to_vec()), public })
            }
            Family::SlhDsa => {
                let key = PrivateKey::from_seed(algorithm, &expanded[..algorithm.parameters().seed])?;
                if !bool::from(key.expanded.ct_eq(expanded)) {
                    return Err(Error::KeyInconsistent {
                        algorithm,
                        reason: "PK.root is not the root that its seeds give".to_owned(),
                    });
                }
                Ok(key)
            }
            Family::Ed25519 => PrivateKey::from_seed(algorithm, expanded),
        }
    }

    /// The key with this seed and this expanded key, which must agree (RFC 9881 section 6).
    ///
    /// # Errors
    /// [`Error::SeedLength`], [`Error::KeyLength`], [`Error::KeyInconsistent`], [`Error::Backend`].
    pub fn from_seed_and_expanded(algorithm: Algorithm, seed: &[u8], expanded: &[u8]) -> Result<Self, Error> {
        check_length(algorithm, "private key", algorithm.parameters().private_key, expanded)?;
        let key = PrivateKey::from_seed(algorithm, seed)?;
        if !bool::from(key.expanded.ct_eq(expanded)) {
            return Err(Error::KeyInconsistent {
                algorithm,
                reason: "the expanded key is not the one that the seed gives".to_owned(),
            });
        }
        Ok(key)
    }

    /// A key that a backend made from a seed of its own: only lengths are checked.
    pub(crate) fn from_generated(
        algorithm: Algorithm,
        seed: Option<SecretBytes>,
        expanded: SecretBytes,
        public: Vec<u8>,
    ) -> Result<Self, Error> {
        check_length(algorithm, "private key", algorithm.parameters().private_key, &expanded)?;
        if let Some(seed) = seed.as_ref().filter(|seed| seed.len() != algorithm.parameters().seed) {
            return Err(Error::SeedLength { algorithm, actual: seed.len() });
        }
        Ok(PrivateKey { seed, expanded, public: PublicKey::from_generated(algorithm, public)? })
    }

    /// The key's algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.public.algorithm
    }

    /// The public half.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The seed, where it is known: an ML-DSA key that was read in its expanded form has none.
    #[must_use]
    pub fn seed(&self) -> Option<&[u8]> {
        match self.algorithm().family() {
            Family::MlDsa => self.seed.as_deref().map(Vec::as_slice),
            Family::SlhDsa => Some(&self.expanded[..self.algorithm().parameters().seed]),
            Family::Ed25519 => Some(&self.expanded),
        }
    }

    /// The standard's private key: the expanded key of ML-DSA, 4n bytes for SLH-DSA, the seed of Ed25519.
    #[must_use]
    pub fn expanded(&self) -> &[u8] {
        &self.expanded
    }

    /// The forms in which this key can be written, the usual one first.
    #[must_use]
    pub fn forms(&self) -> &'static [PrivateKeyForm] {
        use PrivateKeyForm::{Both, Expanded, Seed};
        match self.algorithm().family() {
            Family::MlDsa if self.seed.is_some() => &[Both, Seed, Expanded],
            Family::MlDsa | Family::SlhDsa => &[Expanded],
            Family::Ed25519 => &[Seed],
        }
    }
}

/// Compares the secret parts in constant time.
impl PartialEq for PrivateKey {
    fn eq(&self, other: &Self) -> bool {
        self.public.algorithm == other.public.algorithm && bool::from(self.expanded.ct_eq(&other.expanded))
    }
}

impl Eq for PrivateKey {}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateKey({}, secret, {})", self.algorithm(), self.public.fingerprint())
    }
}
