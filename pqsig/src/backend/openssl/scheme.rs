//! One algorithm of a pinned provider: what it offers, and how keys come to be.

use std::ffi::{CStr, CString};

use super::errors::Errors;
use super::ffi::{CleanStack, Generator, Half, KeyManagement, Over, Pkey, Provider, Signature};
use super::input::Takes;
use super::params::Params;
use super::pin::Pin;
use super::pool::Pool;
use crate::backend::{Capabilities, Feature, Generate, unsupported};
use crate::{Algorithm, Error, Family, HashAlgorithm, PrivateKey, PublicKey};

/// OpenSSL's names of a key's parts: OSSL_PKEY_PARAM_PRIV_KEY, _PUB_KEY, _ML_DSA_SEED.
pub(super) const PRIVATE: &CStr = c"priv";
pub(super) const PUBLIC: &CStr = c"pub";
pub(super) const SEED: &CStr = c"seed";

/// An algorithm as a provider offers it. Fetched once, since a fetch costs more than an Ed25519 signature.
pub(super) struct Scheme {
    pub(super) pin: &'static Pin,
    pub(super) algorithm: Algorithm,
    /// The standard's name, which is also what OpenSSL fetches by.
    name: CString,
    messages: Signature,
    /// Ed25519ph, where the caller hashes.
    digests: Option<Signature>,
    /// The parameters that the signature's contexts take.
    pub(super) takes: Takes,
    pub(super) capabilities: Capabilities,
    imports_seed: bool,
    generators: Pool<Generator>,
}

impl Scheme {
    /// `None` if the provider lacks the keys or the signature.
    pub(super) fn fetch(pin: &'static Pin, algorithm: Algorithm) -> Option<Self> {
        let name = CString::new(algorithm.name()).ok()?;
        let _clean = CleanStack::new();
        let keys = KeyManagement::of(pin.library, &name, &pin.query)?;
        let messages = Signature::fetch(pin.library, &name, &pin.query).ok()?;
        let digests = match algorithm {
            Algorithm::Ed25519 => Signature::fetch(pin.library, c"ED25519ph", &pin.query).ok(),
            _ => None,
        };
        let takes = Takes::of(&messages);
        let capabilities = capabilities(algorithm, &keys, takes, digests.as_ref());
        Some(Scheme {
            pin,
            algorithm,
            name,
            messages,
            digests,
            takes,
            capabilities,
            imports_seed: keys.imports_seed,
            generators: Pool::new(),
        })
    }

    /// The backend's name, for errors.
    pub(super) fn backend(&self) -> &'static str {
        &self.pin.spec.backend
    }

    /// The implementation that signs messages or digests.
    pub(super) fn signature(&self, over: Over) -> Result<&Signature, Error> {
        match over {
            Over::Message => Ok(&self.messages),
            Over::Digest => self.digests.as_ref().ok_or_else(|| {
                let feature = Feature::PreHash(HashAlgorithm::Sha512);
                unsupported(self.backend(), self.algorithm, feature)
            }),
        }
    }

    pub(super) fn generate(&self, from: Generate<'_>) -> Result<Pkey, Error> {
        let failed = |errors: Errors| errors.failed(self.backend(), "generate a key");
        match from {
            Generate::Random => {
                let generator = self.generators.take().map_or_else(|| self.generator(), Ok);
                let mut generator = generator.map_err(failed)?;
                let key = generator.generate().map_err(failed)?;
                self.generators.put(generator);
                self.admit(key)
            }
            // RFC 8032's seed is the private key.
            Generate::FromSeed(seed) if self.algorithm.family() == Family::Ed25519 => self
                .import(Half::Private, Params::new().octets(PRIVATE, seed))
                .map_err(failed)
                .and_then(|key| self.admit(key)),
            Generate::FromSeed(seed) => {
                let key = self.generator().and_then(|generator| generator.seed(seed)).map_err(failed)?;
                self.admit(key)
            }
        }
    }

    fn generator(&self) -> Result<Generator, Errors> {
        Generator::new(self.pin.library, &self.name, &self.pin.query)
    }

    /// Loads a private key: from its seed where there is one, else from its expanded form. OpenSSL compares what it
    /// expands an ML-DSA seed to with the public half.
    pub(super) fn load_private(&self, key: &PrivateKey) -> Result<Pkey, Error> {
        let params = match (self.algorithm.family(), key.seed()) {
            (Family::MlDsa, Some(seed)) if self.imports_seed => {
                Params::new().octets(SEED, seed).octets(PUBLIC, key.public_key().as_bytes())
            }
            _ => Params::new().octets(PRIVATE, key.expanded()),
        };
        self.import_private(params)
    }

    /// Loads the expanded form of an ML-DSA key. OpenSSL's `ossl_ml_dsa_sk_decode` refuses coefficients of s1 and s2
    /// out of range, computes t from rho, s1 and s2, and compares both t0 and, through the public key's hash, tr with
    /// what the key says.
    pub(super) fn load_expanded(&self, expanded: &[u8]) -> Result<Pkey, Error> {
        self.import_private(Params::new().octets(PRIVATE, expanded))
    }

    fn import_private(&self, params: Params<'_>) -> Result<Pkey, Error> {
        let imported = self.import(Half::Private, params).map_err(|errors| {
            if self.algorithm.family() != Family::MlDsa || !errors.blame_the_key() {
                return errors.failed(self.backend(), "load the private key");
            }
            let reason = if errors.is_empty() {
                // The one refusal of that function that comes without words.
                "a coefficient of s1 or s2 is out of range (FIPS 204, Algorithm 25)".to_owned()
            } else {
                errors.to_string()
            };
            Error::KeyInconsistent { algorithm: self.algorithm, reason }
        })?;
        self.admit(imported)
    }

    pub(super) fn load_public(&self, key: &PublicKey) -> Result<Pkey, Error> {
        let imported = self
            .import(Half::Public, Params::new().octets(PUBLIC, key.as_bytes()))
            .map_err(|errors| errors.failed(self.backend(), "load the public key"))?;
        self.admit(imported)
    }

    fn import(&self, half: Half, params: Params<'_>) -> Result<Pkey, Errors> {
        Pkey::import(self.pin.library, &self.name, &self.pin.query, half, params)
    }

    /// Lets a key pass if the pinned provider holds it, and does its signatures too.
    fn admit(&self, key: Pkey) -> Result<Pkey, Error> {
        let pinned = self.pin.library.provider();
        let holders = [key.provider(), self.messages.provider()]
            .into_iter()
            .chain(self.digests.as_ref().map(Signature::provider));
        match stranger(pinned, holders) {
            None => Ok(key),
            Some(reason) => Err(Error::Backend {
                backend: self.backend().to_owned(),
                operation: "stay with its provider",
                reason,
            }),
        }
    }
}

/// Who else than the pinned provider is at work. A fetch can end up with another provider than the one that was asked
/// for: OpenSSL's issue 32613 is such a case.
pub(super) fn stranger<'a>(
    pinned: Provider<'a>,
    mut holders: impl Iterator<Item = Option<Provider<'a>>>,
) -> Option<String> {
    holders.find(|holder| *holder != Some(pinned)).map(|holder| {
        let found = holder.map_or_else(|| "no provider".to_owned(), |other| format!("`{}`", other.name()));
        format!("`{}` was asked for, {found} does the work", pinned.name())
    })
}

/// What the provider can do: what the standard offers, as far as the provider takes the parameters for it. Nothing is
/// promised on the strength of the algorithm's name, since OpenSSL ignores parameters that a provider doesn't know.
fn capabilities(
    algorithm: Algorithm,
    keys: &KeyManagement,
    takes: Takes,
    digests: Option<&Signature>,
) -> Capabilities {
    let standard = Capabilities::everything(algorithm);
    if algorithm.family() == Family::Ed25519 {
        let pre_hash: &'static [HashAlgorithm] = if digests.is_some() { standard.pre_hash } else { &[] };
        return Capabilities {
            context: digests.is_some_and(|digests| Takes::of(digests).context),
            pre_hash,
            seed_keygen: keys.imports_private,
            ..standard
        };
    }
    Capabilities {
        context: takes.context,
        hedged: takes.deterministic,
        deterministic: takes.deterministic,
        external_mu: standard.external_mu && takes.mu,
        pre_hash: if takes.encoding { standard.pre_hash } else { &[] },
        seed_keygen: keys.generates_from_seed,
        expanded_import: standard.expanded_import && keys.imports_private,
        fixed_randomness: takes.entropy,
        internal: takes.encoding,
    }
}
