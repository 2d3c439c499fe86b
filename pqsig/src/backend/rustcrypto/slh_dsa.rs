//! SLH-DSA by the crate slh-dsa.

use ::slh_dsa::signature::Keypair;
use ::slh_dsa::{
    ParameterSet, Sha2_128f, Sha2_128s, Sha2_192f, Sha2_192s, Sha2_256f, Sha2_256s, Shake128f, Shake128s,
    Shake192f, Shake192s, Shake256f, Shake256s, Signature, SigningKey, VerifyingKey,
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
            Algorithm::SlhDsaSha2_128s => $function::<Sha2_128s>($($argument),*),
            Algorithm::SlhDsaSha2_128f => $function::<Sha2_128f>($($argument),*),
            Algorithm::SlhDsaSha2_192s => $function::<Sha2_192s>($($argument),*),
            Algorithm::SlhDsaSha2_192f => $function::<Sha2_192f>($($argument),*),
            Algorithm::SlhDsaSha2_256s => $function::<Sha2_256s>($($argument),*),
            Algorithm::SlhDsaSha2_256f => $function::<Sha2_256f>($($argument),*),
            Algorithm::SlhDsaShake128s => $function::<Shake128s>($($argument),*),
            Algorithm::SlhDsaShake128f => $function::<Shake128f>($($argument),*),
            Algorithm::SlhDsaShake192s => $function::<Shake192s>($($argument),*),
            Algorithm::SlhDsaShake192f => $function::<Shake192f>($($argument),*),
            Algorithm::SlhDsaShake256s => $function::<Shake256s>($($argument),*),
            Algorithm::SlhDsaShake256f => $function::<Shake256f>($($argument),*),
            other => Err(unsupported(NAME, other, Feature::Algorithm)),
        }
    };
}

pub(super) fn generate(algorithm: Algorithm, seed: &[u8]) -> Result<Box<dyn Sign>, Error> {
    with_set!(algorithm, generate_set(algorithm, seed))
}

fn generate_set<P: ParameterSet + Send + Sync + 'static>(
    algorithm: Algorithm,
    seed: &[u8],
) -> Result<Box<dyn Sign>, Error> {
    // SK.seed, SK.prf, PK.seed, n bytes each. The crate panics on other lengths.
    let n = algorithm.parameters().seed / 3;
    if seed.len() != 3 * n {
        return Err(Error::SeedLength { algorithm, actual: seed.len() });
    }
    let key = SigningKey::<P>::slh_keygen_internal(&seed[..n], &seed[n..2 * n], &seed[2 * n..]);
    Ok(Box::new(Signer { algorithm, key }))
}

pub(super) fn load_signing(key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    with_set!(key.algorithm(), load_signing_set(key))
}

/// Takes all 4n bytes as they are: PrivateKey has recomputed PK.root, which the crate would not.
fn load_signing_set<P: ParameterSet + Send + Sync + 'static>(
    key: &PrivateKey,
) -> Result<Box<dyn Sign>, Error> {
    let loaded = SigningKey::<P>::try_from(key.expanded()).map_err(|error| failed("load a key", error))?;
    Ok(Box::new(Signer { algorithm: key.algorithm(), key: loaded }))
}

pub(super) fn load_verifying(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    with_set!(key.algorithm(), load_verifying_set(key))
}

fn load_verifying_set<P: ParameterSet + Send + Sync + 'static>(
    key: &PublicKey,
) -> Result<Box<dyn Verify>, Error> {
    let loaded = VerifyingKey::<P>::try_from(key.as_bytes()).map_err(|error| failed("load a key", error))?;
    Ok(Box::new(Verifier { algorithm: key.algorithm(), key: loaded }))
}

struct Signer<P: ParameterSet> {
    algorithm: Algorithm,
    key: SigningKey<P>,
}

impl<P: ParameterSet + Send + Sync> Sign for Signer<P> {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let encoded = message.encode().ok_or(Error::NoExternalMu { algorithm: self.algorithm })?;
        let mut buffer = [0; 32];
        // Without opt_rand the crate takes PK.seed, the deterministic variant (FIPS 205, Algorithm 19).
        let opt_rand = draw(self.algorithm, randomness, &mut buffer)?;
        Ok(self.key.slh_sign_internal(&encoded.parts(), opt_rand).to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let expanded = Zeroizing::new(self.key.to_vec());
        let public = self.key.verifying_key().to_vec();
        PrivateKey::from_generated(self.algorithm, None, expanded, public)
    }
}

struct Verifier<P: ParameterSet> {
    algorithm: Algorithm,
    key: VerifyingKey<P>,
}

impl<P: ParameterSet + Send + Sync> Verify for Verifier<P> {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let encoded = message.encode().ok_or(Error::NoExternalMu { algorithm: self.algorithm })?;
        // Fails on a wrong length only: every other byte string is a well-formed SLH-DSA signature.
        let Ok(signature) = Signature::<P>::try_from(signature) else {
            return Ok(Verdict::Rejected);
        };
        let accepted = self.key.slh_verify_internal(&encoded.parts(), &signature).is_ok();
        Ok(Verdict::from_bool(accepted))
    }
}
