//! What the tests of all backends share.

#![allow(dead_code, unused_macros, reason = "each test program uses a part of this module")]

use std::collections::BTreeMap;

use pqsig::{
    Algorithm, Backend, Context, Digest, Family, Feature, HashAlgorithm, Message, PrivateKey, PublicKey,
    backend,
};

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
    let (ml_dsa, slh_dsa, ed25519) = match algorithm.family() {
        Family::MlDsa => (true, false, false),
        Family::SlhDsa => (false, true, false),
        Family::Ed25519 => (false, false, true),
    };
    let expected: Vec<_> = [
        ("rustcrypto", true),
        ("openssl", true),
        ("aws-lc", cfg!(feature = "aws-lc") && (ml_dsa || ed25519)),
        ("libcrux", cfg!(feature = "libcrux") && ml_dsa),
        ("fips204", cfg!(feature = "fips204") && ml_dsa),
        ("fips205", cfg!(feature = "fips205") && slh_dsa),
    ]
    .into_iter()
    .filter_map(|(name, has)| has.then_some(name))
    .collect();
    let backends: Vec<_> =
        backend::all().iter().filter(|backend| backend.capabilities(algorithm).is_some()).cloned().collect();
    assert_eq!(backends.iter().map(Backend::name).collect::<Vec<_>>(), expected, "{algorithm}");
    backends
}

/// All that backends lack of what a standard offers. A case is skipped for one of these reasons or not at all.
pub(crate) fn lacks(backend: &Backend, algorithm: Algorithm) -> Vec<Feature> {
    match (backend.name().as_str(), algorithm.family()) {
        // The crate computes mu itself in each of its interfaces.
        ("libcrux", Family::MlDsa) => vec![Feature::ExternalMu],
        _ => Vec::new(),
    }
}

/// The feature that a message needs of a backend, if any.
pub(crate) fn need(message: &Message<'_>) -> Option<Feature> {
    match message {
        Message::Pure { context, .. } if context.is_empty() => None,
        Message::Pure { .. } => Some(Feature::Context),
        Message::PreHashed { digest, .. } => Some(Feature::PreHash(digest.hash())),
        Message::ExternalMu(_) => Some(Feature::ExternalMu),
        Message::Internal(_) => Some(Feature::Internal),
    }
}

/// Counts the cases that each backend ran, and those that it was spared because it lacks something.
pub(crate) struct Tally {
    algorithm: Algorithm,
    ran: BTreeMap<String, usize>,
    skipped: BTreeMap<String, usize>,
}

impl Tally {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        Tally { algorithm, ran: BTreeMap::new(), skipped: BTreeMap::new() }
    }

    /// Whether the backend is to run a case with this message. What it lacks, it must say itself: see
    /// `what_a_backend_lacks_it_says` in `standards.rs`.
    pub(crate) fn admits(&mut self, backend: &Backend, message: &Message<'_>) -> bool {
        let lacks = lacks(backend, self.algorithm);
        let admitted = need(message).is_none_or(|feature| !lacks.contains(&feature));
        let counts = if admitted { &mut self.ran } else { &mut self.skipped };
        *counts.entry(backend.name()).or_default() += 1;
        admitted
    }

    /// Every backend ran all of the cases, but for as many as this function says.
    pub(crate) fn assert(&self, cases: usize, skipped: impl Fn(&Backend) -> usize) {
        for backend in backends(self.algorithm) {
            let count = |counts: &BTreeMap<String, usize>| counts.get(&backend.name()).copied().unwrap_or(0);
            let expected = skipped(&backend);
            assert_eq!(count(&self.skipped), expected, "skipped by {backend:?} for {}", self.algorithm);
            assert_eq!(count(&self.ran), cases - expected, "run by {backend:?} for {}", self.algorithm);
        }
    }
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
