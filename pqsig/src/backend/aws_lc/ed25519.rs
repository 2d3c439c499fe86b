//! Ed25519 and Ed25519ph, through the functions of curve25519.h: they take bytes, so there is nothing to set up.
//!
//! Verification is the cofactorless equation of RFC 8032 section 5.1.7 with canonical S, as in the other backends.

use super::NAME;
use super::errors::Errors;
use super::ffi::{self, CleanQueue, EdKey};
use crate::backend::{Feature, Generate, Sign, Verify, unsupported};
use crate::hash::Digest;
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey, Randomness, Verdict};

const ALGORITHM: Algorithm = Algorithm::Ed25519;

pub(super) fn generate(from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
    let key = match from {
        Generate::Random => EdKey::generate(),
        Generate::FromSeed(seed) => EdKey::from_seed(
            seed.try_into().map_err(|_| Error::SeedLength { algorithm: ALGORITHM, actual: seed.len() })?,
        ),
    };
    Ok(Box::new(Signer(key)))
}

pub(super) fn load_verifying(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let bytes = key.as_bytes();
    let algorithm = ALGORITHM;
    let expected = algorithm.parameters().public_key;
    let bytes = bytes.try_into().map_err(|_| Error::KeyLength {
        algorithm,
        what: "public key",
        expected,
        actual: bytes.len(),
    })?;
    Ok(Box::new(Verifier(bytes)))
}

struct Signer(EdKey);

impl Sign for Signer {
    fn sign(&self, message: &Message<'_>, _: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let _clean = CleanQueue::new();
        let signature = match message {
            Message::Pure { message, .. } => self.0.sign(message),
            Message::PreHashed { digest, context } => self.0.sign_digest(sha512(digest)?, context.as_bytes()),
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: ALGORITHM }),
            Message::Internal(_) => return Err(unsupported(NAME, ALGORITHM, Feature::Internal)),
        };
        Ok(signature.map_err(|errors| errors.failed("sign"))?.to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let seed = zeroize::Zeroizing::new(self.0.seed().to_vec());
        PrivateKey::from_generated(ALGORITHM, None, seed, self.0.public().to_vec())
    }
}

struct Verifier([u8; 32]);

impl Verify for Verifier {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let Ok(signature) = signature.try_into() else {
            return Ok(Verdict::Rejected);
        };
        let _clean = CleanQueue::new();
        let verdict = match message {
            Message::Pure { message, .. } => ffi::ed25519_verify(&self.0, message, signature),
            Message::PreHashed { digest, context } => {
                ffi::ed25519_verify_digest(&self.0, sha512(digest)?, context.as_bytes(), signature)
            }
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: ALGORITHM }),
            Message::Internal(_) => return Err(unsupported(NAME, ALGORITHM, Feature::Internal)),
        };
        verdict.map_err(|errors: Errors| errors.failed("verify"))
    }
}

/// Ed25519ph's digest (RFC 8032 section 5.1).
fn sha512(digest: &Digest) -> Result<&[u8; 64], Error> {
    digest.as_bytes().try_into().map_err(|_| Error::HashNotDefined { hash: digest.hash() })
}
