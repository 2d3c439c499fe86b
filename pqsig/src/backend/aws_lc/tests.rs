use super::ffi::{self, CleanQueue, Pkey, PublicBytes, Set};
use super::{AwsLc, CRATE, NAME, ml_dsa};
use crate::backend::{Generate, Implementation as _, support};
use crate::hazmat::{fixed_randomness, internal_message};
use crate::{
    Algorithm, Backend, Context, Error, Family, HashAlgorithm, Message, PrivateKey, Randomness, Verdict,
    backend,
};

const ML_DSA: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87];

fn aws_lc() -> Backend {
    Backend::new(AwsLc)
}

fn key(algorithm: Algorithm) -> PrivateKey {
    PrivateKey::from_seed(algorithm, &[7; 32]).unwrap()
}

fn public(set: &'static Set) -> Pkey {
    Pkey::from_public(set, key(set.algorithm()).public_key().as_bytes()).unwrap()
}

/// The version that a user reads must be the version that was built.
#[test]
fn the_version_is_the_linked_librarys_and_the_lock_files() {
    let version = AwsLc.version(Algorithm::MlDsa65);
    assert!(version.starts_with("AWS-LC ") && version.ends_with(&format!("({CRATE})")), "{version}");
    let (number, _) = version["AWS-LC ".len()..].split_once(' ').unwrap();
    assert!(number.split('.').all(|part| part.parse::<u32>().is_ok()), "{version}");
    support::assert_locked(CRATE);
}

#[test]
fn it_has_ml_dsa_and_ed25519_and_no_slh_dsa() {
    for algorithm in Algorithm::all() {
        let expected = algorithm.family() != Family::SlhDsa;
        assert_eq!(AwsLc.capabilities(algorithm).is_some(), expected, "{algorithm}");
        let generated = aws_lc().generate(algorithm, Generate::Random);
        assert_eq!(generated.is_ok(), expected, "{algorithm}");
    }
}

#[test]
fn a_failed_call_is_told_from_a_bad_signature() {
    for algorithm in ML_DSA {
        let set = Set::of(algorithm).unwrap();
        let public = public(set);
        let length = algorithm.parameters().signature;
        for wrong in [vec![0; length], vec![0; length - 1], vec![0; length + 1], vec![]] {
            assert_eq!(public.verify(b"m", b"", &wrong).unwrap(), Verdict::Rejected);
            assert_eq!(public.verify_mu(&[0; 64], &wrong).unwrap(), Verdict::Rejected);
        }
        // What the core never lets pass, so that AWS-LC must refuse it: it says why, and is believed.
        for mu in [&[0; 63][..], &[0; 65], &[]] {
            let errors = public.verify_mu(mu, &vec![0; length]).unwrap_err();
            assert!(!errors.is_empty() && !errors.are_a_rejection(), "{errors}");
        }
        let errors = public.verify(b"m", &[0; 256], &vec![0; length]).unwrap_err();
        assert!(!errors.is_empty() && !errors.are_a_rejection(), "{errors}");
        // A public key can't sign.
        let errors = public.sign(b"m", b"").unwrap_err();
        assert!(errors.to_string().contains("KEY"), "{errors}");
        assert!(!ffi::has_errors());
    }
}

#[test]
fn errors_that_others_left_change_nothing_and_none_are_left() {
    let key = key(Algorithm::MlDsa44);
    let verifying = aws_lc().verifying_key(key.public_key()).unwrap();
    let signing = aws_lc().signing_key(&key).unwrap();
    let message = Message::pure(b"m");
    let signature = signing.sign(&message, Randomness::Hedged).unwrap();
    for kind in [message, internal_message(b"other"), Message::ExternalMu(&[3; 64])] {
        ffi::leave_an_error();
        let expected = Verdict::from_bool(matches!(kind, Message::Pure { .. }));
        assert_eq!(verifying.verify(&kind, &signature).unwrap(), expected, "{kind:?}");
        assert!(!ffi::has_errors());
        ffi::leave_an_error();
        assert!(signing.sign(&kind, Randomness::Hedged).is_ok());
        assert!(!ffi::has_errors());
    }
}

/// Both ways to the library must mean the same message.
#[test]
fn evp_and_the_internal_interface_agree() {
    let longest = [0xc5; 255];
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let signing = aws_lc().signing_key(&key).unwrap();
        let verifying = aws_lc().verifying_key(key.public_key()).unwrap();
        for context in [&[][..], b"c", &longest] {
            let context = Context::new(context).unwrap();
            let pure = Message::Pure { message: b"message", context };
            let encoded = pure.encode().unwrap().to_vec();
            let internal = internal_message(&encoded);
            let mut hasher = crate::MuHasher::new(key.public_key(), context).unwrap();
            hasher.update(b"message");
            let mu = hasher.finish();
            let kinds = [pure, internal, Message::ExternalMu(&mu)];
            let deterministic = signing.sign(&pure, Randomness::Deterministic).unwrap();
            for signed in &kinds {
                assert_eq!(signing.sign(signed, Randomness::Deterministic).unwrap(), deterministic);
                let zeros = signing.sign(signed, fixed_randomness(&[0; 32])).unwrap();
                assert_eq!(zeros, deterministic);
                let other = signing.sign(signed, fixed_randomness(&[1; 32])).unwrap();
                assert_ne!(other, deterministic);
                let hedged = signing.sign(signed, Randomness::Hedged).unwrap();
                assert_ne!(signing.sign(signed, Randomness::Hedged).unwrap(), hedged);
                for verified in &kinds {
                    for signature in [&deterministic, &other, &hedged] {
                        let verdict = verifying.verify(verified, signature).unwrap();
                        assert_eq!(verdict, Verdict::Accepted, "{signed:?} {verified:?}");
                    }
                }
            }
            let longer = Message::Pure { message: b"message.", context };
            assert_eq!(verifying.verify(&longer, &deterministic).unwrap(), Verdict::Rejected);
        }
        let shorter = Message::Pure { message: b"m", context: Context::new(&longest[1..]).unwrap() };
        let signature = signing.sign(&shorter, Randomness::Hedged).unwrap();
        let full = Message::Pure { message: b"m", context: Context::new(&longest).unwrap() };
        assert_eq!(verifying.verify(&full, &signature).unwrap(), Verdict::Rejected);
    }
}

/// AWS-LC has no HashML-DSA: it gets M' of one.
#[test]
fn pre_hashes_are_those_of_another_backend() {
    let rustcrypto = backend::by_name("rustcrypto").unwrap();
    let context = Context::new(b"context").unwrap();
    for algorithm in ML_DSA {
        let key = key(algorithm);
        for hash in HashAlgorithm::allowed_for(algorithm) {
            let digest = hash.digest(b"message");
            let message = Message::PreHashed { digest: &digest, context };
            let signed = |backend: &Backend| {
                backend.signing_key(&key).unwrap().sign(&message, Randomness::Deterministic).unwrap()
            };
            assert_eq!(signed(&aws_lc()), signed(&rustcrypto), "{algorithm} {hash}");
        }
    }
}

#[test]
fn an_expanded_key_is_checked_and_keeps_no_seed() {
    for algorithm in ML_DSA {
        let set = Set::of(algorithm).unwrap();
        let key = key(algorithm);
        let expanded = key.expanded();
        assert_eq!(AwsLc.recompute_public_key(algorithm, expanded).unwrap(), *key.public_key());
        let alone = PrivateKey::from_expanded(algorithm, expanded).unwrap();
        let back = aws_lc().signing_key(&alone).unwrap().private_key().unwrap();
        assert!(back.seed().is_none() && back == key && back.public_key() == key.public_key());
        let back = aws_lc().signing_key(&key).unwrap().private_key().unwrap();
        assert_eq!(back.seed(), key.seed());

        // rho (32 bytes), K (32), tr (64), s1, s2, t0: FIPS 204, Algorithm 24.
        let t0 = expanded.len() - 1;
        for (at, mask) in [(64, 1), (127, 0x80), (128, 0xff), (t0, 1)] {
            let mut wrong = expanded.to_vec();
            wrong[at] ^= mask;
            let error = AwsLc.recompute_public_key(algorithm, &wrong).unwrap_err();
            assert!(matches!(error, Error::KeyInconsistent { .. }), "{algorithm}, byte {at}: {error}");
        }
        for wrong in [&expanded[1..], &expanded[..32], &[]] {
            let error = ml_dsa::recompute_public_key(set, wrong).unwrap_err();
            assert!(matches!(error, Error::KeyLength { .. }), "{error}");
        }
        assert!(!ffi::has_errors());
    }
}

#[test]
fn a_generated_key_is_the_one_of_its_seed() {
    let rustcrypto = backend::by_name("rustcrypto").unwrap();
    for algorithm in [ML_DSA.as_slice(), &[Algorithm::Ed25519]].concat() {
        let fresh = aws_lc().generate(algorithm, Generate::Random).unwrap().private_key().unwrap();
        let again = aws_lc().generate(algorithm, Generate::Random).unwrap().private_key().unwrap();
        assert_ne!(fresh, again, "{algorithm}");
        let seed = fresh.seed().unwrap();
        for backend in [&rustcrypto, &aws_lc()] {
            let derived = backend.generate(algorithm, Generate::FromSeed(seed)).unwrap();
            let derived = derived.private_key().unwrap();
            assert!(derived == fresh && derived.public_key() == fresh.public_key(), "{algorithm}");
        }
    }
}

#[test]
fn ed25519_rejects_in_silence_and_fails_aloud() {
    let key = key(Algorithm::Ed25519);
    let signing = aws_lc().signing_key(&key).unwrap();
    let verifying = aws_lc().verifying_key(key.public_key()).unwrap();
    let digest = HashAlgorithm::Sha512.digest(b"message");
    let context = Context::new(&[9; 255]).unwrap();
    let kinds = [Message::pure(b"message"), Message::PreHashed { digest: &digest, context }];
    for (index, message) in kinds.iter().enumerate() {
        let signature = signing.sign(message, Randomness::Deterministic).unwrap();
        assert_eq!(verifying.verify(message, &signature).unwrap(), Verdict::Accepted);
        assert_eq!(verifying.verify(&kinds[1 - index], &signature).unwrap(), Verdict::Rejected);
        for length in [0, 63] {
            assert_eq!(verifying.verify(message, &signature[..length]).unwrap(), Verdict::Rejected);
        }
        let longer = [signature.as_slice(), &[0]].concat();
        assert_eq!(verifying.verify(message, &longer).unwrap(), Verdict::Rejected);
    }
    let _clean = CleanQueue::new();
    let public = key.public_key().as_bytes().try_into().unwrap();
    let errors = ffi::ed25519_verify_digest(public, &[0; 64], &[0; 256], &[0; 64]).unwrap_err();
    assert!(!errors.is_empty(), "{errors}");
}

#[test]
fn one_key_serves_many_threads() {
    let key = key(Algorithm::MlDsa44);
    let signing = aws_lc().signing_key(&key).unwrap();
    let verifying = aws_lc().verifying_key(key.public_key()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8u8 {
            let (signing, verifying) = (&signing, &verifying);
            scope.spawn(move || {
                for round in 0..20 {
                    let text = [thread, round];
                    let message = Message::pure(&text);
                    for randomness in [Randomness::Hedged, Randomness::Deterministic] {
                        let signature = signing.sign(&message, randomness).unwrap();
                        assert_eq!(verifying.verify(&message, &signature).unwrap(), Verdict::Accepted);
                        let other = Message::pure(&text[..1]);
                        assert_eq!(verifying.verify(&other, &signature).unwrap(), Verdict::Rejected);
                    }
                }
            });
        }
    });
}

#[test]
fn a_public_key_of_another_length_is_refused() {
    for algorithm in ML_DSA {
        let set = Set::of(algorithm).unwrap();
        let length = algorithm.parameters().public_key;
        assert!(PublicBytes::new(set, &vec![0; length]).is_some());
        for length in [0, length - 1, length + 1] {
            assert!(PublicBytes::new(set, &vec![0; length]).is_none());
            assert!(Pkey::from_public(set, &vec![0; length]).is_err());
        }
    }
    assert_eq!(aws_lc().name(), NAME);
}
