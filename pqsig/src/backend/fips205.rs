//! fips205: SLH-DSA by the crate fips205. Its keys wipe themselves.

use ::fips205::traits::{self, KeyGen as _, SerDes, Signer as _, Verifier as _};
use ::fips205::{
    slh_dsa_sha2_128f, slh_dsa_sha2_128s, slh_dsa_sha2_192f, slh_dsa_sha2_192s, slh_dsa_sha2_256f,
    slh_dsa_sha2_256s, slh_dsa_shake_128f, slh_dsa_shake_128s, slh_dsa_shake_192f, slh_dsa_shake_192s,
    slh_dsa_shake_256f, slh_dsa_shake_256s,
};
use zeroize::{Zeroize, Zeroizing};

use super::given::Given;
use super::support::{self, MAX_RANDOMNESS, MAX_SEED, draw};
use super::{Capabilities, Feature, Generate, Implementation, Sign, Verify, unsupported};
use crate::{Algorithm, Error, Family, Message, PrivateKey, PublicKey, Randomness, Verdict};

/// The name that users give.
pub(crate) const NAME: &str = "fips205";

/// The crate's name and the version that Cargo.lock pins; a test below holds the two together.
const VERSION: &str = "fips205 0.5.0";

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

    /// Generates from SK.seed, SK.prf and PK.seed one after the other; `None` when these are not 3n bytes.
    fn generate(seed: &[u8]) -> Option<Self::Private>;
    /// Signs M' with these n bytes as addrnd, without any in the deterministic variant.
    fn sign_internal(key: &Self::Private, encoded: &[u8], addrnd: Option<&[u8]>) -> Signed<Self>;
    fn verify_internal(key: &Self::Public, encoded: &[u8], signature: &Self::Signature) -> bool;
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

            fn generate(seed: &[u8]) -> Option<Self::Private> {
                const N: usize = $module::N;
                let (parts, []) = seed.as_chunks::<N>() else { return None };
                let [sk_seed, sk_prf, pk_seed] = parts else { return None };
                let (_, key) = $module::KG::keygen_from_seed(sk_seed, sk_prf, pk_seed);
                Some(key)
            }

            fn sign_internal(key: &Self::Private, encoded: &[u8], addrnd: Option<&[u8]>) -> Signed<Self> {
                key.sign_internal(&mut Given(addrnd.unwrap_or_default()), encoded, addrnd.is_some())
            }

            fn verify_internal(key: &Self::Public, encoded: &[u8], signature: &Self::Signature) -> bool {
                key.verify_internal(encoded, signature)
            }
        }
    };
}

parameter_set!(Sha2_128s, slh_dsa_sha2_128s);
parameter_set!(Sha2_128f, slh_dsa_sha2_128f);
parameter_set!(Sha2_192s, slh_dsa_sha2_192s);
parameter_set!(Sha2_192f, slh_dsa_sha2_192f);
parameter_set!(Sha2_256s, slh_dsa_sha2_256s);
parameter_set!(Sha2_256f, slh_dsa_sha2_256f);
parameter_set!(Shake128s, slh_dsa_shake_128s);
parameter_set!(Shake128f, slh_dsa_shake_128f);
parameter_set!(Shake192s, slh_dsa_shake_192s);
parameter_set!(Shake192f, slh_dsa_shake_192f);
parameter_set!(Shake256s, slh_dsa_shake_256s);
parameter_set!(Shake256f, slh_dsa_shake_256f);

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

pub(crate) struct Fips205;

impl Implementation for Fips205 {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn version(&self, _: Algorithm) -> String {
        VERSION.to_owned()
    }

    fn lineage(&self, _: Algorithm) -> &'static str {
        "fips205"
    }

    fn language(&self) -> &'static str {
        "Rust"
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        (algorithm.family() == Family::SlhDsa).then(|| Capabilities::everything(algorithm))
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
    let key = P::generate(seed).ok_or(Error::SeedLength { algorithm, actual: seed.len() })?;
    Ok(Box::new(Signer::<P> { algorithm, key }))
}

/// The crate recomputes PK.root, which PrivateKey has done already; it has no other way in. So loading costs as much as
/// generating.
fn load_signing<P: ParameterSet>(key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    let bytes = Zeroizing::new(sized::<P::PrivateBytes>(key.expanded())?);
    let loaded = P::Private::try_from_bytes(*bytes).map_err(|reason| failed("load a key", reason))?;
    Ok(Box::new(Signer::<P> { algorithm: key.algorithm(), key: loaded }))
}

fn load_verifying<P: ParameterSet>(key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let bytes = sized(key.as_bytes())?;
    let loaded = P::Public::try_from_bytes(bytes).map_err(|reason| failed("load a key", reason))?;
    Ok(Box::new(Verifier::<P> { algorithm: key.algorithm(), key: loaded }))
}

/// A key's bytes as the array that the crate takes.
fn sized<T: for<'a> TryFrom<&'a [u8]>>(bytes: &[u8]) -> Result<T, Error> {
    bytes.try_into().map_err(|_| failed("load a key", "its length is not the parameter set's"))
}

struct Signer<P: ParameterSet> {
    algorithm: Algorithm,
    key: P::Private,
}

impl<P: ParameterSet> Sign for Signer<P> {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let mut buffer = [0; MAX_RANDOMNESS];
        // The crate takes n bytes from its generator, or none and PK.seed in their place in the deterministic variant
        // (FIPS 205, Algorithm 19).
        let addrnd = draw(self.algorithm, randomness, &mut buffer)?;
        let mut generator = Given(addrnd.unwrap_or_default());
        let hedged = addrnd.is_some();
        let signature = match message {
            Message::Pure { message, context } => {
                self.key.try_sign_with_rng(&mut generator, message, context.as_bytes(), hedged)
            }
            // The crate builds M' of HashSLH-DSA itself.
            Message::PreHashed { digest, context } => {
                let (digest, context, oid) = (digest.as_bytes(), context.as_bytes(), digest.hash().oid_der());
                self.key.try_hash_sign_with_rng(&mut generator, digest, context, &oid, hedged)
            }
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: self.algorithm }),
            Message::Internal(encoded) => P::sign_internal(&self.key, encoded.as_bytes(), addrnd),
        };
        Ok(signature.map_err(|reason| failed("sign", reason))?.as_ref().to_vec())
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let public = self.key.get_public_key().into_bytes();
        let expanded = Zeroizing::new(self.key.clone().into_bytes());
        let expanded = Zeroizing::new(expanded.as_ref().to_vec());
        PrivateKey::from_generated(self.algorithm, None, expanded, public.as_ref().to_vec())
    }
}

struct Verifier<P: ParameterSet> {
    algorithm: Algorithm,
    key: P::Public,
}

impl<P: ParameterSet> Verify for Verifier<P> {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        // Fails on a wrong length only: every other byte string is a well-formed SLH-DSA signature.
        let Ok(signature) = P::Signature::try_from(signature) else {
            return Ok(Verdict::Rejected);
        };
        let accepted = match message {
            Message::Pure { message, context } => self.key.verify(message, &signature, context.as_bytes()),
            Message::PreHashed { digest, context } => {
                let oid = digest.hash().oid_der();
                self.key.hash_verify(digest.as_bytes(), &signature, context.as_bytes(), &oid)
            }
            Message::ExternalMu(_) => return Err(Error::NoExternalMu { algorithm: self.algorithm }),
            Message::Internal(encoded) => P::verify_internal(&self.key, encoded.as_bytes(), &signature),
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
