//! Ed25519 and Ed25519ph by the crate ed25519-dalek.
//!
//! Verification is the crate's `verify`: the cofactorless equation of RFC 8032 section 5.1.7 with canonical S, the
//! policy that OpenSSL has too, so that the two can be compared.

use ed25519_dalek::ed25519::signature::digest::consts::U64;
use ed25519_dalek::ed25519::signature::digest::{FixedOutput, HashMarker, Output, OutputSizeUser, Update};
use ed25519_dalek::{Signature, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use zeroize::Zeroizing;

use super::super::{Feature, Sign, Verify, unsupported};
use super::{NAME, failed};
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey, Randomness, Verdict};

const ALGORITHM: Algorithm = Algorithm::Ed25519;

pub(super) fn generate(seed: &[u8]) -> Result<Box<dyn Sign>, Error> {
    let seed = seed.try_into().map_err(|_| Error::SeedLength { algorithm: ALGORITHM, actual: seed.len() })?;
    Ok(Box::new(Signer(SigningKey::from_bytes(seed))))
}

pub(super) fn load_verifying(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let bytes = key.as_bytes().try_into().map_err(|error| failed("load a key", error))?;
    let loaded = VerifyingKey::from_bytes(bytes).map_err(|_| Error::PublicKeyInvalid {
        algorithm: ALGORITHM,
        reason: "the bytes are not a point of the curve".to_owned(),
    })?;
    Ok(Box::new(Verifier(loaded)))
}

struct Signer(SigningKey);

impl Sign for Signer {
    fn sign(&self, message: &Message<'_>, _: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let signature = match message {
            Message::Pure { message, .. } => self.0.try_sign(message),
            Message::PreHashed { digest, context } => {
                self.0.sign_prehashed(Precomputed::new(digest.as_bytes())?, Some(context.as_bytes()))
            }
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: ALGORITHM }),
            Message::Internal(_) => return Err(unsupported(NAME, ALGORITHM, Feature::Internal)),
        };
        Ok(signature.map_err(|error| failed("sign", error))?.to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let seed = Zeroizing::new(self.0.as_bytes().to_vec());
        let public = self.0.verifying_key().to_bytes().to_vec();
        PrivateKey::from_generated(ALGORITHM, None, seed, public)
    }
}

struct Verifier(VerifyingKey);

impl Verify for Verifier {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let Ok(signature) = Signature::from_slice(signature) else {
            return Ok(Verdict::Rejected);
        };
        let checked = match message {
            Message::Pure { message, .. } => self.0.verify(message, &signature),
            Message::PreHashed { digest, context } => self.0.verify_prehashed(
                Precomputed::new(digest.as_bytes())?,
                Some(context.as_bytes()),
                &signature,
            ),
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: ALGORITHM }),
            Message::Internal(_) => return Err(unsupported(NAME, ALGORITHM, Feature::Internal)),
        };
        Ok(Verdict::from_bool(checked.is_ok()))
    }
}

/// A SHA-512 digest that is known already, in the shape of a hash function: the crate asks for the hasher, we hold
/// its result.
#[derive(Default)]
struct Precomputed(Output<Precomputed>);

impl Precomputed {
    fn new(digest: &[u8]) -> Result<Self, Error> {
        digest.try_into().map(Precomputed).map_err(|error| failed("take a digest", error))
    }
}

impl OutputSizeUser for Precomputed {
    type OutputSize = U64;
}

impl Update for Precomputed {
    /// Ed25519ph reads the result only: there is nothing to add to a digest.
    fn update(&mut self, _: &[u8]) {}
}

impl FixedOutput for Precomputed {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&self.0);
    }
}

impl HashMarker for Precomputed {}
