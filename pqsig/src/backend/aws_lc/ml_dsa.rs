//! ML-DSA. What AWS-LC offers applications, hedged signatures over messages and over mu, goes through EVP as it does
//! for them. The rest goes through the internal interface: given and no randomness, M' as it is, and with it HashML-DSA.

use std::sync::OnceLock;

use zeroize::Zeroizing;

use super::NAME;
use super::errors::Errors;
use super::ffi::{CleanQueue, ExpandedKey, Pkey, PublicBytes, Set};
use crate::backend::support::{MAX_RANDOMNESS, draw};
use crate::backend::{Feature, Generate, Sign, Verify, unsupported};
use crate::{Algorithm, Error, Message, PrivateKey, PublicKey, Randomness, Verdict};

pub(super) fn generate(set: &'static Set, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
    let _clean = CleanQueue::new();
    let key = match from {
        Generate::Random => Pkey::generate(set),
        Generate::FromSeed(seed) => Pkey::from_private(set, seed),
    };
    Ok(Signer::boxed(key.map_err(|errors| errors.failed("generate a key"))?, Origin::Seed))
}

pub(super) fn load_signing(set: &'static Set, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
    let _clean = CleanQueue::new();
    match key.seed() {
        Some(seed) => {
            let key =
                Pkey::from_private(set, seed).map_err(|errors| errors.failed("load the private key"))?;
            Ok(Signer::boxed(key, Origin::Seed))
        }
        None => Ok(Signer::boxed(load_expanded(set, key.expanded())?, Origin::Expanded)),
    }
}

pub(super) fn load_verifying(set: &'static Set, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
    let _clean = CleanQueue::new();
    let algorithm = set.algorithm();
    let bytes = PublicBytes::new(set, key.as_bytes()).ok_or_else(|| Error::KeyLength {
        algorithm,
        what: "public key",
        expected: algorithm.parameters().public_key,
        actual: key.as_bytes().len(),
    })?;
    let key =
        Pkey::from_public(set, key.as_bytes()).map_err(|errors| errors.failed("load the public key"))?;
    Ok(Box::new(Verifier { key, bytes }))
}

/// The public key of an expanded key, which AWS-LC computes to check it.
pub(super) fn recompute_public_key(set: &'static Set, expanded: &[u8]) -> Result<PublicKey, Error> {
    let _clean = CleanQueue::new();
    let key = load_expanded(set, expanded)?;
    let public = key.public().map_err(|errors| errors.failed("give out the public key"))?;
    PublicKey::from_generated(set.algorithm(), public)
}

fn load_expanded(set: &'static Set, expanded: &[u8]) -> Result<Pkey, Error> {
    let algorithm = set.algorithm();
    // AWS-LC tells a seed from an expanded key by the length.
    let expected = algorithm.parameters().private_key;
    if expanded.len() != expected {
        return Err(Error::KeyLength { algorithm, what: "private key", expected, actual: expanded.len() });
    }
    Pkey::from_private(set, expanded).map_err(|errors| {
        if errors.blame_the_key() {
            Error::KeyInconsistent {
                algorithm,
                reason: "t0, tr or the range of s1 or s2 is wrong (FIPS 204, Algorithms 6 and 25)".to_owned(),
            }
        } else {
            errors.failed("load the private key")
        }
    })
}

/// What a private key was made from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Seed,
    Expanded,
}

struct Signer {
    key: Pkey,
    origin: Origin,
    /// Made at the first signature through the internal interface: hedged signing of messages and of mu needs none.
    expanded: OnceLock<ExpandedKey>,
}

impl Signer {
    fn boxed(key: Pkey, origin: Origin) -> Box<dyn Sign> {
        Box::new(Signer { key, origin, expanded: OnceLock::new() })
    }

    fn algorithm(&self) -> Algorithm {
        self.key.set().algorithm()
    }

    fn expanded(&self) -> Result<&ExpandedKey, Errors> {
        match self.expanded.get() {
            Some(expanded) => Ok(expanded),
            None => self.key.expanded().map(|expanded| self.expanded.get_or_init(|| expanded)),
        }
    }
}

impl Sign for Signer {
    fn sign(&self, message: &Message<'_>, randomness: Randomness<'_>) -> Result<Vec<u8>, Error> {
        let _clean = CleanQueue::new();
        let failed = |errors: Errors| errors.failed("sign");
        match (message, randomness) {
            (Message::Pure { message, context }, Randomness::Hedged) => {
                return self.key.sign(message, context.as_bytes()).map_err(failed);
            }
            (Message::ExternalMu(mu), Randomness::Hedged) => return self.key.sign_mu(mu).map_err(failed),
            _ => {}
        }
        // rnd of the deterministic variant is 32 zero bytes (FIPS 204, Algorithm 2).
        let mut rnd = Zeroizing::new([0; MAX_RANDOMNESS]);
        draw(self.algorithm(), randomness, &mut rnd)?;
        let key = self.expanded().map_err(failed)?;
        match (message, message.encode()) {
            (Message::ExternalMu(mu), _) => key.sign_mu(mu, &rnd),
            (_, Some(encoded)) => key.sign(encoded.parts(), &rnd),
            (_, None) => return Err(unsupported(NAME, self.algorithm(), Feature::Internal)),
        }
        .map_err(failed)
    }

    fn private_key(&self) -> Result<PrivateKey, Error> {
        let _clean = CleanQueue::new();
        let failed = |errors: Errors| errors.failed("give out the private key");
        let seed = match self.origin {
            Origin::Seed => Some(self.key.seed().map_err(failed)?),
            Origin::Expanded => None,
        };
        let expanded = self.key.expanded().map_err(failed)?.into_bytes();
        let public = self.key.public().map_err(failed)?;
        PrivateKey::from_generated(self.algorithm(), seed, expanded, public)
    }
}

struct Verifier {
    key: Pkey,
    bytes: PublicBytes,
}

impl Verify for Verifier {
    fn verify(&self, message: &Message<'_>, signature: &[u8]) -> Result<Verdict, Error> {
        let _clean = CleanQueue::new();
        match message {
            Message::Pure { message, context } => self.key.verify(message, context.as_bytes(), signature),
            Message::ExternalMu(mu) => self.key.verify_mu(mu.as_slice(), signature),
            Message::PreHashed { .. } | Message::Internal(_) => {
                let algorithm = self.key.set().algorithm();
                let unsupported = || unsupported(NAME, algorithm, Feature::Internal);
                let encoded = message.encode().ok_or_else(unsupported)?;
                self.bytes.verify(encoded.parts(), signature)
            }
        }
        .map_err(|errors| errors.failed("verify"))
    }
}
