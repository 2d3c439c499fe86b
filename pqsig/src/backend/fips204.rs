//! fips204: ML-DSA by the crate fips204.
//!
//! Keys are the crate's own types, which hold the secret vectors and the public key in the form that signing and verifying
//! need, and wipe themselves.

use ::fips204::traits::{self, KeyGen, SerDes, Signer as _, Verifier as _};
use ::fips204::{ml_dsa_44, ml_dsa_65, ml_dsa_87};
use zeroize::{Zeroize, Zeroizing};

use super::given::Given;
use super::support::{self, MAX_RANDOMNESS, MAX_SEED, draw};
use super::{Capabilities, Feature, Generate, Implementation, Sign, Verify, unsupported};
use crate::key::SecretBytes;
use crate::{Algorithm, Error, Family, Message, PrivateKey, PublicKey, Randomness, Verdict};

/// The name that users give.
pub(crate) const NAME: &str = "fips204";

/// The crate's name and the version that Cargo.lock pins; a test below holds the two together.
const VERSION: &str = "fips204 0.5.0";

/// One parameter set of the crate: its types, and the functions that no trait of the crate has.
trait ParameterSet: 'static {
    type Signature: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]>;
    type PrivateBytes: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]> + Copy + Zeroize;
    type PublicBytes: AsRef<[u8]> + for<'a> TryFrom<&'a [u8]>;
    type Private: traits::Signer<Signature = Self::Signature, PublicKey = Self::Public>
        + SerDes<ByteArray = Self::PrivateBytes>
        + Clone
        + Send
        + Sync;
    type Public: traits::Verifier<Signature = Self::Signature>
        + SerDes<ByteArray = Self::PublicBytes>
        + Send
        + Sync;
    type KeyGen: KeyGen<PublicKey = Self::Public, PrivateKey = Self::Private>;

    fn sign_internal(key: &Self::Private, encoded: &[u8], rnd: &[u8]) -> Signed<Self>;
    fn sign_mu(key: &Self::Private, mu: &[u8; 64], rnd: &[u8]) -> Signed<Self>;
    fn verify_internal(key: &Self::Public, encoded: &[u8], signature: &Self::Signature) -> bool;
    fn verify_mu(key: &Self::Public, mu: &[u8; 64], signature: &Self::Signature) -> bool;
}

type Signed<P> = Result<<P as ParameterSet>::Signature, &'static str>;

/// A module of the crate as a [`ParameterSet`].
macro_rules! parameter_set {
    ($set:ident, $module:ident) => {
        struct $set;

        #[expect(
            deprecated,
            reason = "the crate marks its internal interface so, to keep it to tests and vectors"
        )]
        impl ParameterSet for $set {
            type Signature = [u8; $module::SIG_LEN];
            type PrivateBytes = [u8; $module::SK_LEN];
            type PublicBytes = [u8; $module::PK_LEN];
            type Private = $module::PrivateKey;
            type Public = $module::PublicKey;
            type KeyGen = $module::KG;

            fn sign_internal(key: &Self::Private, encoded: &[u8], rnd: &[u8]) -> Signed<Self> {
                key.sign_internal(&mut Given(rnd), encoded, true)
            }

            fn sign_mu(key: &Self::Private, mu: &[u8; 64], rnd: &[u8]) -> Signed<Self> {
                key.sign_mu(&mut Given(rnd), mu, true)
            }

            fn verify_internal(key: &Self::Public, encoded: &[u8], signature: &Self::Signature) -> bool {
                key.verify_internal(encoded, signature)
            }

            fn verify_mu(key: &Self::Public, mu: &[u8; 64], signature: &Self::Signature) -> bool {
                key.verify_mu(mu, signature)
            }
        }
    };
}

parameter_set!(MlDsa44, ml_dsa_44);
parameter_set!(MlDsa65, ml_dsa_65);
parameter_set!(MlDsa87, ml_dsa_87);

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

pub(crate) struct Fips204;

impl Implementation for Fips204 {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn version(&self, _: Algorithm) -> String {
        VERSION.to_owned()
    }

    fn lineage(&self, _: Algorithm) -> &'static str {
        "fips204"
    }

    fn language(&self) -> &'static str {
        "Rust"
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        (algorithm.family() == Family::MlDsa).then(|| Capabilities::everything(algorithm))
    }

    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        let mut fresh = Zeroizing::new([0; MAX_SEED]);
        let seed = support::seed(algorithm, from, &mut fresh)?;
        with_set!(algorithm, generate(algorithm, seed))
    }

    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        with_set!(key.algorithm(), load_signing(key))
    }

    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        with_set!(key.algorithm(), load_verifying(key))
    }
}

fn generate<P: ParameterSet>(algorithm: Algorithm, seed: &[u8]) -> Result<Box<dyn Sign>, Error> {
    let xi = seed.try_into().map_err(|_| Error::SeedLength { algorithm, actual: seed.len() })?;
    let (_, key) = P::KeyGen::keygen_from_seed(xi);
    Ok(Box::new(Signer::<P> { algorithm, key, seed: Some(Zeroizing::new(seed.to_vec())) }))
}

/// Takes the expanded key, which PrivateKey has derived or recomputed: the crate checks the ranges of s1 and s2, not t0.
fn load_signing<P: ParameterSet>(key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    let bytes = Zeroizing::new(sized::<P::PrivateBytes>(key.expanded())?);
    let loaded = P::Private::try_from_bytes(*bytes).map_err(|reason| failed("load a key", reason))?;
    let seed = key.seed().map(|seed| Zeroizing::new(seed.to_vec()));
    Ok(Box::new(Signer::<P> { algorithm: key.algorithm(), key: loaded, seed }))
}

fn load_verifying<P: ParameterSet>(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let bytes = sized(key.as_bytes())?;
    let loaded = P::Public::try_from_bytes(bytes).map_err(|reason| failed("load a key", reason))?;
    Ok(Box::new(Verifier::<P>(loaded)))
}

/// A key's bytes as the array that the crate takes.
fn sized<T: for<'a> TryFrom<&'a [u8]>>(bytes: &[u8]) -> Result<T, Error> {
    bytes.try_into().map_err(|_| failed("load a key", "its length is not the parameter set's"))
}

struct Signer<P: ParameterSet> {
    algorithm: Algorithm,
    key: P::Private,
    seed: Option<SecretBytes>,
}

impl<P: ParameterSet> Sign for Signer<P> {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        // rnd of the deterministic variant is 32 zero bytes (FIPS 204, Algorithm 2).
        let mut rnd = [0; MAX_RANDOMNESS];
        draw(self.algorithm, randomness, &mut rnd)?;
        let signature = match message {
            Message::Pure { message, context } => {
                self.key.try_sign_with_seed(&rnd, message, context.as_bytes())
            }
            // The crate builds M' of HashML-DSA itself.
            Message::PreHashed { digest, context } => {
                let oid = digest.hash().oid_der();
                self.key.try_hash_sign_with_seed(&rnd, digest.as_bytes(), context.as_bytes(), &oid)
            }
            Message::ExternalMu(mu) => P::sign_mu(&self.key, mu, &rnd),
            Message::Internal(encoded) => P::sign_internal(&self.key, encoded.as_bytes(), &rnd),
        };
        Ok(signature.map_err(|reason| failed("sign", reason))?.as_ref().to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let public = self.key.get_public_key().into_bytes();
        let expanded = Zeroizing::new(self.key.clone().into_bytes());
        let expanded = Zeroizing::new(expanded.as_ref().to_vec());
        PrivateKey::from_generated(self.algorithm, self.seed.clone(), expanded, public.as_ref().to_vec())
    }
}

struct Verifier<P: ParameterSet>(P::Public);

impl<P: ParameterSet> Verify for Verifier<P> {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let Ok(signature) = P::Signature::try_from(signature) else {
            return Ok(Verdict::Rejected);
        };
        let accepted = match message {
            Message::Pure { message, context } => self.0.verify(message, &signature, context.as_bytes()),
            Message::PreHashed { digest, context } => {
                let oid = digest.hash().oid_der();
                self.0.hash_verify(digest.as_bytes(), &signature, context.as_bytes(), &oid)
            }
            Message::ExternalMu(mu) => P::verify_mu(&self.0, mu, &signature),
            Message::Internal(encoded) => P::verify_internal(&self.0, encoded.as_bytes(), &signature),
        };
        Ok(Verdict::from_bool(accepted))
    }
}

fn failed(operation: &'static str, reason: &str) -> Error {
    support::failed(NAME, operation, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_lock_file() {
        support::assert_locked(VERSION);
    }
}
