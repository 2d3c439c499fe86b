//! ML-DSA by the crate ml-dsa.

use std::convert::Infallible;

use ::ml_dsa::signature::Keypair;
use ::ml_dsa::signature::rand_core::{TryCryptoRng, TryRng};
use ::ml_dsa::{
    B32, EncodedVerifyingKey, ExpandedSigningKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87,
    MlDsaParams, Seed, Signature, SigningKey, VerifyingKey,
};
use zeroize::Zeroizing;

use super::super::support::draw;
use super::super::{Feature, Sign, Verify, unsupported};
use super::{NAME, failed};
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey, Randomness, Verdict};

/// Calls a function with the type of the algorithm's parameter set.
macro_rules! with_set {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            Algorithm::MlDsa44 => $function::<MlDsa44>($($argument),*),
            Algorithm::MlDsa65 => $function::<MlDsa65>($($argument),*),
            Algorithm::MlDsa87 => $function::<MlDsa87>($($argument),*),
            other => Err(unsupported(NAME, other, Feature::Algorithm)),
        }
    };
}

pub(super) fn generate(algorithm: Algorithm, seed: &[u8]) -> Result<Box<dyn Sign>, Error> {
    with_set!(algorithm, generate_set(algorithm, seed))
}

fn generate_set<P: MlDsaParams + 'static>(algorithm: Algorithm, seed: &[u8]) -> Result<Box<dyn Sign>, Error> {
    let seed = Zeroizing::new(
        Seed::try_from(seed).map_err(|_| Error::SeedLength { algorithm, actual: seed.len() })?,
    );
    Ok(Box::new(Signer::<P> { algorithm, key: Loaded::Seed(Box::new(SigningKey::from_seed(&seed))) }))
}

pub(super) fn load_signing(key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    match key.seed() {
        Some(seed) => generate(key.algorithm(), seed),
        None => with_set!(key.algorithm(), load_expanded(key)),
    }
}

fn load_expanded<P: MlDsaParams + 'static>(key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    let bytes =
        ExpandedSigningKeyBytes::<P>::try_from(key.expanded()).map_err(|e| failed("load a key", e))?;
    let bytes = Zeroizing::new(bytes);
    #[expect(
        deprecated,
        reason = "keys without a seed exist; PrivateKey has checked this one's ranges, t0 and tr"
    )]
    let expanded = ExpandedSigningKey::from_expanded(&bytes);
    Ok(Box::new(Signer::<P> { algorithm: key.algorithm(), key: Loaded::Expanded(Box::new(expanded)) }))
}

pub(super) fn load_verifying(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    with_set!(key.algorithm(), load_verifying_set(key))
}

fn load_verifying_set<P: MlDsaParams + 'static>(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let bytes = EncodedVerifyingKey::<P>::try_from(key.as_bytes()).map_err(|e| failed("load a key", e))?;
    Ok(Box::new(Verifier { algorithm: key.algorithm(), key: VerifyingKey::<P>::decode(&bytes) }))
}

struct Signer<P: MlDsaParams> {
    algorithm: Algorithm,
    key: Loaded<P>,
}

enum Loaded<P: MlDsaParams> {
    Seed(Box<SigningKey<P>>),
    Expanded(Box<ExpandedSigningKey<P>>),
}

impl<P: MlDsaParams> Signer<P> {
    fn expanded(&self) -> &ExpandedSigningKey<P> {
        match &self.key {
            Loaded::Seed(key) => key.expanded_key(),
            Loaded::Expanded(key) => key,
        }
    }
}

impl<P: MlDsaParams> Sign for Signer<P> {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        // rnd of the deterministic variant is 32 zero bytes (FIPS 204, Algorithm 2).
        let mut rnd = [0; 32];
        draw(self.algorithm, randomness, &mut rnd)?;
        let key = self.expanded();
        let signature = match (message, message.encode()) {
            (_, Some(encoded)) => key.sign_internal(&encoded.parts(), &B32::from(rnd)),
            (Message::ExternalMu(mu), None) => key
                .sign_mu_randomized(&(**mu).into(), &mut Given(&rnd))
                .map_err(|error| failed("sign", error))?,
            (_, None) => return Err(unsupported(NAME, self.algorithm, Feature::Internal)),
        };
        Ok(signature.encode().to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        #[expect(deprecated, reason = "the expanded form is one of RFC 9881's three")]
        let expanded = Zeroizing::new(self.expanded().to_expanded());
        let (seed, public) = match &self.key {
            Loaded::Seed(key) => {
                (Some(Zeroizing::new(key.as_seed().to_vec())), key.verifying_key().encode().to_vec())
            }
            Loaded::Expanded(key) => (None, key.verifying_key().encode().to_vec()),
        };
        PrivateKey::from_generated(self.algorithm, seed, Zeroizing::new(expanded.to_vec()), public)
    }
}

struct Verifier<P: MlDsaParams> {
    algorithm: Algorithm,
    key: VerifyingKey<P>,
}

impl<P: MlDsaParams> Verify for Verifier<P> {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        // Fails on a wrong length, on a z out of range and on every malformed hint (FIPS 204, Algorithm 21).
        let Ok(signature) = Signature::<P>::try_from(signature) else {
            return Ok(Verdict::Rejected);
        };
        let key = &self.key;
        let accepted = match message {
            Message::Pure { message, context } => {
                key.verify_with_context(message, context.as_bytes(), &signature)
            }
            Message::ExternalMu(mu) => key.verify_mu(&(**mu).into(), &signature),
            Message::Internal(internal) => key.verify_internal(internal.as_bytes(), &signature),
            Message::PreHashed { .. } => {
                let unsupported = || unsupported(NAME, self.algorithm, Feature::Internal);
                let encoded = message.encode().ok_or_else(unsupported)?;
                key.verify_internal(&encoded.to_vec(), &signature)
            }
        };
        Ok(Verdict::from_bool(accepted))
    }
}

/// A generator that yields given bytes: the crate takes rnd for an external mu from a generator only.
struct Given<'a>(&'a [u8; 32]);

impl TryRng for Given<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, target: &mut [u8]) -> Result<(), Infallible> {
        for (target, byte) in target.iter_mut().zip(self.0.iter().cycle()) {
            *target = *byte;
        }
        Ok(())
    }
}

impl TryCryptoRng for Given<'_> {}
