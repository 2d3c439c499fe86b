//! libcrux: ML-DSA by the crate libcrux-ml-dsa, which takes AVX2 where the processor has it.
//!
//! The crate has no expanded form of a key: each signature decodes the private key and samples the matrix anew. What can be
//! done once, checking lengths and copying the key into the crate's type, is.

use libcrux_ml_dsa::{
    MLDSAKeyPair, MLDSASignature, MLDSASigningKey, MLDSAVerificationKey, SigningError, VerificationError,
    ml_dsa_44, ml_dsa_65, ml_dsa_87,
};
use zeroize::{Zeroize, Zeroizing};

use super::support::{self, MAX_RANDOMNESS, MAX_SEED, draw};
use super::{Capabilities, Feature, Generate, Implementation, Sign, Verify, unsupported};
use crate::key::SecretBytes;
use crate::{Algorithm, Error, Family, Message, PrivateKey, PublicKey, Randomness, Verdict};

/// The name that users give.
pub(crate) const NAME: &str = "libcrux";

/// The crate's name and the version that Cargo.lock pins; a test below holds the two together.
const VERSION: &str = "libcrux-ml-dsa 0.0.11";

/// The functions of one parameter set, for keys and signatures of these lengths in bytes.
struct Functions<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize> {
    generate: fn([u8; 32]) -> MLDSAKeyPair<PUBLIC, PRIVATE>,
    sign: fn(&MLDSASigningKey<PRIVATE>, &[u8], &[u8], [u8; 32]) -> Signed<SIGNATURE>,
    sign_internal: fn(&MLDSASigningKey<PRIVATE>, &[u8], [u8; 32]) -> Signed<SIGNATURE>,
    verify: fn(&MLDSAVerificationKey<PUBLIC>, &[u8], &[u8], &MLDSASignature<SIGNATURE>) -> Verified,
    verify_internal: fn(&MLDSAVerificationKey<PUBLIC>, &[u8], &MLDSASignature<SIGNATURE>) -> Verified,
}

type Signed<const SIGNATURE: usize> = Result<MLDSASignature<SIGNATURE>, SigningError>;
type Verified = Result<(), VerificationError>;

/// The functions of the crate's module for one parameter set.
macro_rules! functions {
    ($module:ident) => {
        Functions {
            generate: $module::generate_key_pair,
            sign: $module::sign,
            sign_internal: $module::sign_internal,
            verify: $module::verify,
            verify_internal: $module::verify_internal,
        }
    };
}

static ML_DSA_44: Functions<1312, 2560, 2420> = functions!(ml_dsa_44);
static ML_DSA_65: Functions<1952, 4032, 3309> = functions!(ml_dsa_65);
static ML_DSA_87: Functions<2592, 4896, 4627> = functions!(ml_dsa_87);

/// Calls a function with the functions of the algorithm's parameter set.
macro_rules! with_set {
    ($algorithm:expr, $function:ident($($argument:expr),*)) => {
        match $algorithm {
            Algorithm::MlDsa44 => $function(&ML_DSA_44, $($argument),*),
            Algorithm::MlDsa65 => $function(&ML_DSA_65, $($argument),*),
            Algorithm::MlDsa87 => $function(&ML_DSA_87, $($argument),*),
            other => Err(unsupported(NAME, other, Feature::Algorithm)),
        }
    };
}

pub(crate) struct Libcrux;

impl Implementation for Libcrux {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn version(&self, _: Algorithm) -> String {
        VERSION.to_owned()
    }

    fn lineage(&self, _: Algorithm) -> &'static str {
        "libcrux"
    }

    fn language(&self) -> &'static str {
        "Rust"
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        // Every interface of the crate computes mu itself, from tr and M': there is no way in for one from outside.
        (algorithm.family() == Family::MlDsa)
            .then(|| Capabilities { external_mu: false, ..Capabilities::everything(algorithm) })
    }

    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        let mut fresh = Zeroizing::new([0; MAX_SEED]);
        let seed = support::seed(algorithm, from, &mut fresh)?;
        with_set!(algorithm, generate_set(algorithm, seed))
    }

    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        with_set!(key.algorithm(), load_signing_set(key))
    }

    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        with_set!(key.algorithm(), load_verifying_set(key))
    }
}

fn generate_set<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize>(
    functions: &'static Functions<PUBLIC, PRIVATE, SIGNATURE>,
    algorithm: Algorithm,
    seed: &[u8],
) -> Result<Box<dyn Sign>, Error> {
    let xi = seed.try_into().map_err(|_| Error::SeedLength { algorithm, actual: seed.len() })?;
    let pair = (functions.generate)(xi);
    Ok(Box::new(Signer {
        functions,
        algorithm,
        key: Secret(pair.signing_key),
        seed: Some(Zeroizing::new(seed.to_vec())),
        public: pair.verification_key.as_slice().to_vec(),
    }))
}

/// Takes the expanded key as it is: PrivateKey has derived or recomputed it, which the crate would not.
fn load_signing_set<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize>(
    functions: &'static Functions<PUBLIC, PRIVATE, SIGNATURE>,
    key: &PrivateKey,
) -> Result<Box<dyn Sign>, Error> {
    let bytes: &[u8; PRIVATE] = key.expanded().try_into().map_err(|error| failed("load a key", error))?;
    let mut loaded = Secret(MLDSASigningKey::zero());
    loaded.0.as_ref_mut().copy_from_slice(bytes);
    Ok(Box::new(Signer {
        functions,
        algorithm: key.algorithm(),
        key: loaded,
        seed: key.seed().map(|seed| Zeroizing::new(seed.to_vec())),
        public: key.public_key().as_bytes().to_vec(),
    }))
}

fn load_verifying_set<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize>(
    functions: &'static Functions<PUBLIC, PRIVATE, SIGNATURE>,
    key: &PublicKey,
) -> Result<Box<dyn Verify>, Error> {
    let bytes: [u8; PUBLIC] = key.as_bytes().try_into().map_err(|error| failed("load a key", error))?;
    Ok(Box::new(Verifier { functions, algorithm: key.algorithm(), key: MLDSAVerificationKey::new(bytes) }))
}

/// A private key that is wiped when it is dropped; the crate's own type is not.
struct Secret<const PRIVATE: usize>(MLDSASigningKey<PRIVATE>);

impl<const PRIVATE: usize> Drop for Secret<PRIVATE> {
    fn drop(&mut self) {
        self.0.as_mut_slice().zeroize();
    }
}

struct Signer<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize> {
    functions: &'static Functions<PUBLIC, PRIVATE, SIGNATURE>,
    algorithm: Algorithm,
    key: Secret<PRIVATE>,
    seed: Option<SecretBytes>,
    public: Vec<u8>,
}

impl<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize> Sign
    for Signer<PUBLIC, PRIVATE, SIGNATURE>
{
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        // rnd of the deterministic variant is 32 zero bytes (FIPS 204, Algorithm 2).
        let mut rnd = [0; MAX_RANDOMNESS];
        draw(self.algorithm, randomness, &mut rnd)?;
        let key = &self.key.0;
        let signed = match (message, message.encode()) {
            (Message::Pure { message, context }, _) => {
                (self.functions.sign)(key, message, context.as_bytes(), rnd)
            }
            // The crate's own pre-hash is SHAKE128 only, and takes the message: a digest goes in as M'.
            (_, Some(encoded)) => (self.functions.sign_internal)(key, &encoded.to_vec(), rnd),
            (_, None) => return Err(unsupported(NAME, self.algorithm, Feature::ExternalMu)),
        };
        let signature = signed.map_err(|error| failed("sign", describe(&error)))?;
        Ok(signature.as_slice().to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let expanded = Zeroizing::new(self.key.0.as_slice().to_vec());
        PrivateKey::from_generated(self.algorithm, self.seed.clone(), expanded, self.public.clone())
    }
}

struct Verifier<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize> {
    functions: &'static Functions<PUBLIC, PRIVATE, SIGNATURE>,
    algorithm: Algorithm,
    key: MLDSAVerificationKey<PUBLIC>,
}

impl<const PUBLIC: usize, const PRIVATE: usize, const SIGNATURE: usize> Verify
    for Verifier<PUBLIC, PRIVATE, SIGNATURE>
{
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let Ok(signature) = signature.try_into().map(MLDSASignature::<SIGNATURE>::new) else {
            return Ok(Verdict::Rejected);
        };
        let verified = match (message, message.encode()) {
            (Message::Pure { message, context }, _) => {
                (self.functions.verify)(&self.key, message, context.as_bytes(), &signature)
            }
            (_, Some(encoded)) => (self.functions.verify_internal)(&self.key, &encoded.to_vec(), &signature),
            (_, None) => return Err(unsupported(NAME, self.algorithm, Feature::ExternalMu)),
        };
        match verified {
            Ok(()) => Ok(Verdict::Accepted),
            Err(
                VerificationError::MalformedHintError
                | VerificationError::SignerResponseExceedsBoundError
                | VerificationError::CommitmentHashesDontMatchError,
            ) => Ok(Verdict::Rejected),
            // Not a verdict on the signature, and out of reach: Context admits 255 bytes.
            Err(VerificationError::VerificationContextTooLongError) => {
                Err(failed("verify", "the context is too long"))
            }
        }
    }
}

fn describe(error: &SigningError) -> &'static str {
    match error {
        SigningError::RejectionSamplingError => "814 attempts were rejected, which no sound key has",
        SigningError::ContextTooLongError => "the context is too long",
    }
}

fn failed(operation: &'static str, reason: impl std::fmt::Display) -> Error {
    support::failed(NAME, operation, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        support::assert_locked(VERSION);
    }

    #[test]
    fn the_set_of_another_family_is_unsupported() {
        let ed25519 = PrivateKey::from_seed(Algorithm::Ed25519, &[1; 32]).unwrap();
        assert!(Libcrux.capabilities(Algorithm::Ed25519).is_none());
        assert!(matches!(Libcrux.load_signing(&ed25519), Err(Error::Unsupported { .. })));
        assert!(matches!(Libcrux.load_verifying(ed25519.public_key()), Err(Error::Unsupported { .. })));
    }
}
