//! A backend of this process as a peer.

use std::sync::Arc;

use pqsig::backend::Generate;
use pqsig::{Algorithm, Backend, Error, Family, SigningKey, VerifyingKey};

use super::{Ability, Identity, KeyPair, Kind, Peer, Refusal, Reply, Signer, Verifier, own_artifacts};
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Randomness};

/// A backend of this process. Keys reach it through `pqsig`'s own reader, which is part of what is tested: a key that
/// contradicts itself is refused before the library sees it, whichever backend it was for.
pub struct Native {
    backend: Backend,
    identity: Identity,
}

impl Native {
    /// A peer that answers with a backend.
    ///
    /// # Errors
    /// When the running program can't be read to name it.
    pub fn new(backend: Backend) -> Result<Self, String> {
        let algorithms = || Algorithm::all().filter(|a| backend.capabilities(*a).is_some());
        let identity = Identity {
            name: backend.name(),
            kind: Kind::InProcess,
            versions: algorithms().map(|a| (a.name().to_owned(), backend.version(a))).collect(),
            lineages: algorithms().map(|a| (a.name().to_owned(), backend.lineage(a).to_owned())).collect(),
            artifacts: own_artifacts()?,
        };
        Ok(Native { backend, identity })
    }
}

impl Peer for Native {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        let capabilities = self.backend.capabilities(algorithm)?;
        let mut keys = KeyForm::PUBLIC_FORMS.to_vec();
        keys.extend(KeyForm::private_forms(algorithm).iter().filter(|form| {
            let needs_import = algorithm.family() == Family::MlDsa
                && matches!(form, KeyForm::Pkcs8Expanded | KeyForm::RawExpanded);
            capabilities.expanded_import || !needs_import
        }));
        let lineage = self.backend.lineage(algorithm);
        Some(Ability::of_backend(algorithm.family(), capabilities, keys, lineage))
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        let from = seed.map_or(Generate::Random, Generate::FromSeed);
        let key = self.backend.generate(algorithm, from)?.private_key()?;
        let form = KeyForm::private_forms(algorithm)[0];
        Ok(KeyPair {
            private: EncodedKey::private(&key, form)?,
            public: EncodedKey::public(key.public_key(), KeyForm::Spki),
        })
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        let key = self.backend.signing_key(&private.to_private()?)?.private_key()?;
        Ok(EncodedKey::public(key.public_key(), KeyForm::Spki))
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        Ok(Arc::new(self.backend.signing_key(&private.to_private()?)?))
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        Ok(Arc::new(self.backend.verifying_key(&public.to_public()?)?))
    }
}

impl Signer for SigningKey {
    fn sign(&self, message: &Message, randomness: &Randomness) -> Reply<Vec<u8>> {
        Ok(message.in_core(|message| self.sign(message, randomness.in_core()))?)
    }
}

impl Verifier for VerifyingKey {
    fn verify(&self, message: &Message, signature: &[u8]) -> Reply<bool> {
        Ok(message.in_core(|message| self.verify(message, signature))?.is_accepted())
    }
}

/// What the core's errors mean for a verdict.
impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let reason = error.to_string();
        match error {
            Error::Unsupported { .. }
            | Error::NoExternalMu { .. }
            | Error::NoInternalInterface { .. }
            | Error::HashNotDefined { .. }
            | Error::ContextOnPureEd25519
            | Error::FormUnavailable { .. } => Refusal::Unsupported(reason),
            Error::ContextTooLong { .. }
            | Error::MuLength { .. }
            | Error::DigestLength { .. }
            | Error::HashTooWeak { .. }
            | Error::SeedLength { .. }
            | Error::RandomnessLength { .. }
            | Error::KeyLength { .. }
            | Error::Malformed { .. }
            | Error::UnknownOid { .. }
            | Error::ParametersPresent { .. }
            | Error::KeyInconsistent { .. }
            | Error::PublicKeyInvalid { .. }
            | Error::WrongKind { .. }
            | Error::AlgorithmMismatch { .. } => Refusal::Refused(reason),
            _ => Refusal::Failed(reason),
        }
    }
}
