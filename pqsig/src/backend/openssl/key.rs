//! Loaded keys: the hot loops.

use std::ffi::CStr;

use zeroize::Zeroizing;

use super::errors::Errors;
use super::ffi::{self, Answer, CleanStack, Over, Pkey, Signer, Verifier};
use super::input::Input;
use super::pool::Pool;
use super::scheme::{PRIVATE, PUBLIC, SEED, Scheme};
use crate::backend::{Randomness, Sign, Verdict, Verify};
use crate::{Error, Family, Message, PrivateKey, PublicKey};

/// A key with the contexts that work with it. A context serves one call at a time; each thread that comes while all are
/// at work gets a new one.
pub(super) struct Loaded<Context> {
    scheme: &'static Scheme,
    key: Pkey,
    messages: Pool<Context>,
    /// Ed25519ph has contexts of its own.
    digests: Pool<Context>,
}

impl<Context> Loaded<Context> {
    /// A key that [`Scheme`] let pass. Its contexts are made when they are needed: a generated key may never sign.
    pub(super) fn new(scheme: &'static Scheme, key: Pkey) -> Self {
        Loaded { scheme, key, messages: Pool::new(), digests: Pool::new() }
    }

    fn pool(&self, over: Over) -> &Pool<Context> {
        match over {
            Over::Message => &self.messages,
            Over::Digest => &self.digests,
        }
    }

    /// The name of the provider that holds the key. [`Scheme`] let it pass, so it does the signatures too.
    fn provider_name(&self) -> Option<String> {
        self.key.provider().map(ffi::Provider::name)
    }

    /// One of the key's parts, if the provider gives it out.
    fn part(&self, part: &CStr, length: usize) -> Option<Zeroizing<Vec<u8>>> {
        let mut bytes = Zeroizing::new(vec![0; length]);
        (self.key.octets(part, &mut bytes) == Some(length)).then_some(bytes)
    }

    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.messages.waiting()
    }

    /// The public half.
    pub(super) fn public_key(&self) -> Result<PublicKey, Error> {
        let _clean = CleanStack::new();
        let length = self.scheme.algorithm.parameters().public_key;
        let public = self.part(PUBLIC, length).ok_or_else(|| self.not_given("give out the public key"))?;
        PublicKey::from_generated(self.scheme.algorithm, public.to_vec())
    }

    fn not_given(&self, operation: &'static str) -> Error {
        ffi::drain_errors().failed(self.scheme.backend(), operation)
    }
}

impl Loaded<Signer> {
    fn context(&self, over: Over) -> Result<Signer, Error> {
        let scheme = self.scheme;
        Signer::new(scheme.pin.library, &self.key, scheme.signature(over)?, &scheme.pin.query, over)
            .map_err(|errors| errors.failed(scheme.backend(), "prepare for signing"))
    }
}

impl Sign for Loaded<Signer> {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme;
        let failed = |errors: Errors| errors.failed(scheme.backend(), "sign");
        let input = Input::new(scheme.algorithm, message);
        let pool = self.pool(input.over);
        let mut signer = match pool.take() {
            Some(signer) => signer,
            None => self.context(input.over)?,
        };
        if let Some(params) = input.for_signing(scheme.takes, randomness) {
            signer.set(&params).map_err(failed)?;
        }
        let expected = scheme.algorithm.parameters().signature;
        let mut signature = vec![0; expected];
        let length = signer.sign(&input.bytes, &mut signature).map_err(failed)?;
        if length != expected {
            return Err(Error::Backend {
                backend: scheme.backend().to_owned(),
                operation: "sign",
                reason: format!("the signature has {length} bytes instead of {expected}"),
            });
        }
        // Given randomness can't be taken back from a context: such a one ends here.
        if !matches!(randomness, Randomness::Fixed(_)) {
            pool.put(signer);
        }
        Ok(signature)
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let _clean = CleanStack::new();
        let algorithm = self.scheme.algorithm;
        let parameters = algorithm.parameters();
        let seed = match algorithm.family() {
            Family::MlDsa => self.part(SEED, parameters.seed),
            Family::SlhDsa | Family::Ed25519 => None,
        };
        let expanded = self
            .part(PRIVATE, parameters.private_key)
            .ok_or_else(|| self.not_given("give out the private key"))?;
        let public = self.public_key()?.as_bytes().to_vec();
        PrivateKey::from_generated(algorithm, seed, expanded, public)
    }

    fn provider(&self) -> Option<String> {
        self.provider_name()
    }
}

impl Verify for Loaded<Verifier> {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme;
        let failed = |errors: Errors| errors.failed(scheme.backend(), "verify");
        let input = Input::new(scheme.algorithm, message);
        let pool = self.pool(input.over);
        let mut verifier = match pool.take() {
            Some(verifier) => verifier,
            None => self.context(input.over)?,
        };
        if let Some(params) = input.for_verifying(scheme.takes) {
            verifier.set(&params).map_err(failed)?;
        }
        let answer = verifier.verify(&input.bytes, signature);
        let verdict = self.judge(answer, signature)?;
        pool.put(verifier);
        Ok(verdict)
    }

    fn provider(&self) -> Option<String> {
        self.provider_name()
    }
}

impl Loaded<Verifier> {
    pub(super) fn context(&self, over: Over) -> Result<Verifier, Error> {
        let scheme = self.scheme;
        Verifier::new(scheme.pin.library, &self.key, scheme.signature(over)?, &scheme.pin.query, over)
            .map_err(|errors| errors.failed(scheme.backend(), "prepare for verifying"))
    }

    /// Tells a rejection from a failure, which EVP_PKEY_verify(3) both reports as 0.
    ///
    /// The providers of OpenSSL 3.5 to 4.0 return 0 without a word of their own for a bad signature: one with a
    /// malformed hint (`ossl_ml_dsa_sig_decode`) or of a wrong length, of which only ML-DSA's in 4.0 says "bad length",
    /// and one that does not verify (`ml_dsa_verify_internal`, `slh_verify_internal`, `ossl_ed25519_verify`).
    /// EVP_PKEY_verify then adds "provider signature failure". What else makes them return 0 leaves its reason below
    /// that: want of memory (CRYPTO_malloc reports it), a hash that can't be fetched or fails (the EVP_Digest
    /// functions report it), a digest of a wrong length. A provider that has stopped itself returns 0 in silence, so it
    /// is asked. What is left is a rejection.
    ///
    /// Another provider may give a reason of its own for a bad signature. It is reported as a failure then: to call a
    /// rejection a failure misleads nobody, the reverse would.
    pub(super) fn judge(&self, answer: Answer, signature: &[u8]) -> Result<Verdict, Error> {
        if answer == Answer::One {
            return Ok(Verdict::Accepted);
        }
        let scheme = self.scheme;
        let errors = ffi::drain_errors();
        let wrong_length = signature.len() != scheme.algorithm.parameters().signature;
        if answer == Answer::Negative || !errors.fit_a_rejection(wrong_length) {
            return Err(errors.failed(scheme.backend(), "verify"));
        }
        if scheme.pin.library.provider().is_running() == Some(false) {
            return Err(Error::Backend {
                backend: scheme.backend().to_owned(),
                operation: "verify",
                reason: "the provider has stopped, as it does after a failed self-test".to_owned(),
            });
        }
        Ok(Verdict::Rejected)
    }
}
