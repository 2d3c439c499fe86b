//! What a backend can and can't do.

use std::fmt;

use crate::{Algorithm, Family, HashAlgorithm};

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
        let family = algorithm.family();
        let post_quantum = family != Family::Ed25519;
        Capabilities {
            // Ed25519 takes a context with a pre-hash only; the message's own check tells them apart.
            context: true,
            hedged: post_quantum,
            deterministic: true,
            external_mu: family == Family::MlDsa,
            pre_hash: if post_quantum { &HashAlgorithm::ALL } else { &[HashAlgorithm::Sha512] },
            seed_keygen: true,
            expanded_import: family == Family::MlDsa,
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
