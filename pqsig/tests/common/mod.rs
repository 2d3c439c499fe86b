//! What the tests of all backends share.

#![allow(dead_code, unused_macros, reason = "each test program uses a part of this module")]

use pqsig::{Algorithm, Backend, Context, Digest, HashAlgorithm, Message, PrivateKey, PublicKey, backend};

/// One `#[test]` per algorithm, so that they run side by side and a failure names its algorithm.
macro_rules! for_every_algorithm {
    ($($function:ident),+ $(,)?) => {
        $(mod $function {
            for_every_algorithm! { @ $function
                ml_dsa_44 MlDsa44, ml_dsa_65 MlDsa65, ml_dsa_87 MlDsa87,
                slh_dsa_sha2_128s SlhDsaSha2_128s, slh_dsa_sha2_128f SlhDsaSha2_128f,
                slh_dsa_sha2_192s SlhDsaSha2_192s, slh_dsa_sha2_192f SlhDsaSha2_192f,
                slh_dsa_sha2_256s SlhDsaSha2_256s, slh_dsa_sha2_256f SlhDsaSha2_256f,
                slh_dsa_shake_128s SlhDsaShake128s, slh_dsa_shake_128f SlhDsaShake128f,
                slh_dsa_shake_192s SlhDsaShake192s, slh_dsa_shake_192f SlhDsaShake192f,
                slh_dsa_shake_256s SlhDsaShake256s, slh_dsa_shake_256f SlhDsaShake256f,
                ed25519 Ed25519,
            }
        })+
    };
    (@ $function:ident $($name:ident $variant:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            super::$function(pqsig::Algorithm::$variant);
        })+

        #[test]
        fn no_algorithm_is_left_out() {
            let listed = [$(pqsig::Algorithm::$variant),+];
            assert_eq!(listed.to_vec(), pqsig::Algorithm::all().collect::<Vec<_>>());
        }
    };
}

/// A seed that differs per algorithm and is the same in every run.
pub(crate) fn seed(algorithm: Algorithm) -> Vec<u8> {
    let length = u8::try_from(algorithm.parameters().seed).unwrap();
    (0..length).map(|i| i.wrapping_mul(7) ^ (algorithm as u8)).collect()
}

pub(crate) fn private_key(algorithm: Algorithm) -> PrivateKey {
    PrivateKey::from_seed(algorithm, &seed(algorithm)).unwrap()
}

/// The key of another seed.
pub(crate) fn other_public_key(algorithm: Algorithm) -> PublicKey {
    let mut seed = seed(algorithm);
    seed[0] ^= 1;
    PrivateKey::from_seed(algorithm, &seed).unwrap().public_key().clone()
}

/// Every backend that has the algorithm. Each one must be there: a backend that vanishes fails the tests.
pub(crate) fn backends(algorithm: Algorithm) -> Vec<Backend> {
    let backends: Vec<_> =
        backend::all().iter().filter(|backend| backend.capabilities(algorithm).is_some()).cloned().collect();
    assert_eq!(backends.len(), backend::all().len(), "a backend lacks {algorithm}");
    backends
}

/// The small SLH-DSA sets trade time for size.
pub(crate) fn is_slow(algorithm: Algorithm) -> bool {
    algorithm.name().starts_with("SLH") && algorithm.name().ends_with('s')
}

pub(crate) fn context(bytes: &[u8]) -> Context<'_> {
    Context::new(bytes).unwrap()
}

/// The messages that a backend must sign and verify with an algorithm, each with a name for failures.
pub(crate) struct Corpus {
    slow: bool,
    long: Vec<u8>,
    digests: Vec<Digest>,
    mu: [u8; 64],
}

impl Corpus {
    /// For the small SLH-DSA sets, whose signatures take up to seconds each, one message of each kind; for all others
    /// also a long one, the longest context, and every pre-hash that is allowed (M' is built in one place for all sets).
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        let slow = is_slow(algorithm);
        let digests = HashAlgorithm::allowed_for(algorithm)
            .filter(|hash| !slow || *hash == HashAlgorithm::Shake256)
            .map(|hash| hash.digest(b"a message"))
            .collect();
        let long = if slow { Vec::new() } else { vec![0xa5; 1 << 16] };
        Corpus { slow, long, digests, mu: [9; 64] }
    }

    pub(crate) fn messages(&self, algorithm: Algorithm) -> Vec<(String, Message<'_>)> {
        let message = b"a message";
        let mut all = vec![("empty message".to_owned(), Message::pure(b""))];
        if algorithm == Algorithm::Ed25519 {
            all.push(("pure".to_owned(), Message::pure(message)));
        } else {
            all.push(("pure, context".to_owned(), Message::Pure { message, context: context(b"ctx") }));
            all.push(("internal".to_owned(), pqsig::hazmat::internal_message(b"M' as it is")));
        }
        if !self.slow {
            all.push(("64 KiB".to_owned(), Message::pure(&self.long)));
            if algorithm != Algorithm::Ed25519 {
                let context = context(&[0xff; 255]);
                all.push(("longest context".to_owned(), Message::Pure { message: b"", context }));
            }
        }
        let contexts = if self.slow { &[&b"ctx"[..]][..] } else { &[&b""[..], &b"ctx"[..]] };
        for digest in &self.digests {
            for bytes in contexts {
                let name = format!("{}, {} bytes of context", digest.hash(), bytes.len());
                all.push((name, Message::PreHashed { digest, context: context(bytes) }));
            }
        }
        if algorithm.name().starts_with("ML-DSA") {
            all.push(("external mu".to_owned(), Message::ExternalMu(&self.mu)));
        }
        all
    }
}
