//! What is OpenSSL's own. What every backend must do alike is tested over all backends in `tests/`.

mod providers;

use std::sync::Barrier;
use std::thread;

use super::ffi::{Answer, Over};
use super::*;
use crate::backend::{Backend, Randomness, Verdict, by_name};
use crate::{Context, HashAlgorithm, Message, MuHasher, hazmat};

fn openssl() -> Backend {
    by_name(NAME).unwrap()
}

/// A loaded key behind its types, where a test needs to see inside.
fn loaded_verifier(algorithm: Algorithm, key: &PublicKey) -> Loaded<Verifier> {
    let scheme = OpenSsl::new().scheme(algorithm).unwrap();
    Loaded::new(scheme, scheme.load_public(key).unwrap())
}

fn assert_clean() {
    assert!(!ffi::has_errors(), "left on the error stack: {}", ffi::drain_errors());
}

/// Parameter sets that sign fast enough for many signatures.
const FAST: [Algorithm; 4] =
    [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87, Algorithm::SlhDsaSha2_128f];

#[test]
fn every_algorithm_signs_and_verifies_and_leaves_the_error_stack_empty() {
    for algorithm in Algorithm::all() {
        let signer = openssl().generate(algorithm, Generate::Random).unwrap();
        assert_clean();
        let private = signer.private_key().unwrap();
        assert_clean();
        let message = Message::pure(b"message");
        let signature = signer.sign(&message, Randomness::Deterministic).unwrap();
        assert_clean();

        let reloaded = openssl().signing_key(&private).unwrap();
        assert_eq!(reloaded.private_key().unwrap(), private, "{algorithm}");
        if algorithm.family() == crate::Family::MlDsa {
            assert_eq!(reloaded.private_key().unwrap().seed(), private.seed());
        }

        let verifier = openssl().verifying_key(private.public_key()).unwrap();
        let verdict = |message: &Message<'_>, signature: &[u8]| {
            let verdict = verifier.verify(message, signature).unwrap();
            assert_clean();
            verdict
        };
        assert_eq!(verdict(&message, &signature), Verdict::Accepted, "{algorithm}");
        assert_eq!(verdict(&Message::pure(b"massage"), &signature), Verdict::Rejected, "{algorithm}");
        let mut longer = signature.clone();
        longer.push(0);
        for wrong in [&signature[1..], &signature[..signature.len() - 1], &longer, &[]] {
            assert_eq!(verdict(&message, wrong), Verdict::Rejected, "{algorithm}, {} bytes", wrong.len());
        }
        for position in [0, signature.len() / 2, signature.len() - 1] {
            let mut flipped = signature.clone();
            flipped[position] ^= 1;
            assert_eq!(verdict(&message, &flipped), Verdict::Rejected, "{algorithm}, byte {position}");
        }
    }
}

/// A context of OpenSSL's keeps the parameters that it was given. Whatever went before, a call must not notice.
#[test]
fn no_call_leaves_a_trace_in_the_next() {
    for algorithm in FAST {
        let seed = vec![7; algorithm.parameters().seed];
        let key = PrivateKey::from_seed(algorithm, &seed).unwrap();
        let signer = openssl().signing_key(&key).unwrap();
        let verifier = openssl().verifying_key(key.public_key()).unwrap();
        let randomness = vec![9; algorithm.parameters().randomness];
        let fixed = hazmat::fixed_randomness(&randomness);
        let digest = HashAlgorithm::Shake256.digest(b"message");
        let context = Context::new(&[3; 255]).unwrap();
        let mu;
        let mut messages = vec![
            Message::pure(b"message"),
            Message::pure(b""),
            Message::Pure { message: b"message", context },
            Message::PreHashed { digest: &digest, context },
            Message::PreHashed { digest: &digest, context: Context::EMPTY },
            hazmat::internal_message(b"\x00\x00message"),
            hazmat::internal_message(b""),
        ];
        if algorithm.family() == crate::Family::MlDsa {
            let mut hasher = MuHasher::new(key.public_key(), Context::EMPTY).unwrap();
            hasher.update(b"message");
            mu = hasher.finish();
            messages.push(Message::ExternalMu(&mu));
        }
        // Each from a key that did nothing before.
        let fresh: Vec<_> = messages
            .iter()
            .map(|message| {
                let signer = openssl().signing_key(&key).unwrap();
                signer.sign(message, Randomness::Deterministic).unwrap()
            })
            .collect();
        // The message, its M' and its mu are one.
        assert_eq!(fresh[0], fresh[5], "{algorithm}");
        if let Some(over_mu) = fresh.get(7) {
            assert_eq!(&fresh[0], over_mu, "{algorithm}");
        }
        for (first, before) in messages.iter().enumerate() {
            for (second, message) in messages.iter().enumerate() {
                signer.sign(before, if first % 2 == 0 { fixed } else { Randomness::Hedged }).unwrap();
                let signature = signer.sign(message, Randomness::Deterministic).unwrap();
                assert_eq!(signature, fresh[second], "{algorithm}: {second} after {first}");

                assert_eq!(verifier.verify(before, &fresh[first]).unwrap(), Verdict::Accepted);
                let same = fresh[first] == fresh[second];
                assert_eq!(
                    verifier.verify(message, &fresh[first]).unwrap(),
                    Verdict::from_bool(same),
                    "{algorithm}: {second} after {first}"
                );
            }
        }
        assert_eq!(messages.len(), if algorithm == Algorithm::SlhDsaSha2_128f { 7 } else { 8 });
    }
}

#[test]
fn hedged_signatures_differ_and_given_randomness_decides() {
    for algorithm in FAST {
        let signer = openssl().generate(algorithm, Generate::Random).unwrap();
        let sign = |randomness| signer.sign(&Message::pure(b"message"), randomness).unwrap();
        let length = algorithm.parameters().randomness;
        let (one, two) = (vec![1; length], vec![2; length]);
        let first = sign(hazmat::fixed_randomness(&one));
        assert_eq!(first, sign(hazmat::fixed_randomness(&one)), "{algorithm}");
        assert_ne!(first, sign(hazmat::fixed_randomness(&two)), "{algorithm}");
        assert_ne!(sign(Randomness::Hedged), sign(Randomness::Hedged), "{algorithm}");
        assert_eq!(sign(Randomness::Deterministic), sign(Randomness::Deterministic), "{algorithm}");
        if algorithm.family() == crate::Family::MlDsa {
            // FIPS 204 section 3.4: the deterministic variant is the one with 32 zero bytes.
            assert_eq!(sign(Randomness::Deterministic), sign(hazmat::fixed_randomness(&[0; 32])));
        }
    }
}

#[test]
fn a_seed_gives_one_key_and_does_not_stay_for_the_next() {
    for algorithm in [FAST.as_slice(), &[Algorithm::Ed25519]].concat() {
        let seed = vec![5; algorithm.parameters().seed];
        let generate = |from| openssl().generate(algorithm, from).unwrap().private_key().unwrap();
        let key = generate(Generate::FromSeed(&seed));
        assert_eq!(key.seed().unwrap(), seed, "{algorithm}");
        assert_eq!(key, generate(Generate::FromSeed(&seed)), "{algorithm}");
        let (one, two) = (generate(Generate::Random), generate(Generate::Random));
        assert!(one != key && two != key && one != two, "{algorithm}");
    }
}

fn hex<const N: usize>(text: &str) -> [u8; N] {
    assert_eq!(text.len(), 2 * N);
    std::array::from_fn(|index| u8::from_str_radix(&text[2 * index..2 * index + 2], 16).unwrap())
}

/// RFC 8032 section 7.3. The digest is given, so a signature over a digest of the digest would show.
#[test]
fn ed25519ph_signs_the_digest_that_it_is_given() {
    let seed: [u8; 32] = hex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42");
    let expected: [u8; 64] = hex(concat!(
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41",
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406"
    ));
    let signer = openssl().generate(Algorithm::Ed25519, Generate::FromSeed(&seed)).unwrap();
    let verifier = openssl().verifying_key(signer.private_key().unwrap().public_key()).unwrap();
    let digest = HashAlgorithm::Sha512.digest(b"abc");
    let message = Message::PreHashed { digest: &digest, context: Context::EMPTY };
    assert_eq!(signer.sign(&message, Randomness::Deterministic).unwrap(), expected);
    assert_eq!(verifier.verify(&message, &expected).unwrap(), Verdict::Accepted);

    // A context, then none, then the message itself: each on its own.
    let context = Context::new(b"context").unwrap();
    let with_context = Message::PreHashed { digest: &digest, context };
    let other = signer.sign(&with_context, Randomness::Deterministic).unwrap();
    assert_ne!(other, expected);
    assert_eq!(verifier.verify(&with_context, &other).unwrap(), Verdict::Accepted);
    assert_eq!(verifier.verify(&message, &other).unwrap(), Verdict::Rejected);
    assert_eq!(signer.sign(&message, Randomness::Deterministic).unwrap(), expected);
    assert_eq!(verifier.verify(&Message::pure(b"abc"), &expected).unwrap(), Verdict::Rejected);
}

/// RFC 8032 section 7.1, test 2.
#[test]
fn ed25519_signs_as_the_rfc_says() {
    let seed: [u8; 32] = hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb");
    let public: [u8; 32] = hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    let expected: [u8; 64] = hex(concat!(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ));
    let signer = openssl().generate(Algorithm::Ed25519, Generate::FromSeed(&seed)).unwrap();
    assert_eq!(signer.private_key().unwrap().public_key().as_bytes(), public);
    assert_eq!(signer.sign(&Message::pure(b"\x72"), Randomness::Deterministic).unwrap(), expected);
}

/// EVP_PKEY_verify returns 0 for these as it does for a bad signature.
#[test]
fn a_failed_call_is_no_rejection() {
    let private = PrivateKey::from_seed(Algorithm::Ed25519, &[1; 32]).unwrap();
    let loaded = loaded_verifier(Algorithm::Ed25519, private.public_key());
    let signature = [0; 64];
    let mut verifier = loaded.context(Over::Digest).unwrap();
    let short_digest = verifier.verify(&[0; 63], &signature);
    assert_eq!(short_digest, Answer::Zero);
    let Err(Error::Backend { backend, operation, reason }) = loaded.judge(short_digest, &signature) else {
        panic!("a digest of 63 bytes was judged");
    };
    assert_eq!((backend.as_str(), operation, reason.as_str()), (NAME, "verify", "invalid digest length"));
    let right_digest = verifier.verify(&[0; 64], &signature);
    assert_eq!(right_digest, Answer::Zero);
    assert_eq!(loaded.judge(right_digest, &signature).unwrap(), Verdict::Rejected);
    assert!(matches!(loaded.judge(Answer::Negative, &signature), Err(Error::Backend { .. })));
    assert_clean();

    let private = PrivateKey::from_seed(Algorithm::MlDsa65, &[1; 32]).unwrap();
    let loaded = loaded_verifier(Algorithm::MlDsa65, private.public_key());
    let signature = [0; 3309];
    let mut verifier = loaded.context(Over::Message).unwrap();
    verifier.set(&params::Params::new().flag(c"mu", true)).unwrap();
    let short_mu = verifier.verify(&[0; 63], &signature);
    assert_eq!(short_mu, Answer::Zero);
    // OpenSSL 3.5 says nothing of it; the type of `Message::ExternalMu` leaves no way to get there.
    if openssl::version::number() >= 0x3060_0000 {
        assert!(
            matches!(loaded.judge(short_mu, &signature), Err(Error::Backend { reason, .. }) if reason == "bad length")
        );
    }
    let _ = ffi::drain_errors();
    let right_mu = verifier.verify(&[0; 64], &signature);
    assert_eq!(loaded.judge(right_mu, &signature).unwrap(), Verdict::Rejected);
    assert_clean();
}

/// The errors of others on this thread are neither taken for ours nor left to stand.
#[test]
fn stale_errors_do_not_turn_a_rejection_into_a_failure() {
    let private = PrivateKey::from_seed(Algorithm::MlDsa44, &[1; 32]).unwrap();
    let verifier = openssl().verifying_key(private.public_key()).unwrap();
    let scheme = OpenSsl::new().scheme(Algorithm::MlDsa44).unwrap();
    // The list of what the key management offers is asked for an algorithm that nobody has, and not cleaned up after.
    assert!(ffi::KeyManagement::of(scheme.pin.library, c"no such algorithm", &scheme.pin.query).is_none());
    assert!(ffi::has_errors(), "the premise of this test");
    assert_eq!(verifier.verify(&Message::pure(b"m"), &[0; 2420]).unwrap(), Verdict::Rejected);
    assert_clean();
}

#[test]
fn an_expanded_key_gives_its_public_key_or_the_reason_why_not() {
    let backend = OpenSsl::new();
    for (algorithm, eta_bits, k, l) in
        [(Algorithm::MlDsa44, 3, 4, 4), (Algorithm::MlDsa65, 4, 6, 5), (Algorithm::MlDsa87, 3, 8, 7)]
    {
        let key = PrivateKey::from_seed(algorithm, &[42; 32]).unwrap();
        let expanded = key.expanded().to_vec();
        assert_eq!(&backend.recompute_public_key(algorithm, &expanded).unwrap(), key.public_key());
        assert_clean();

        // FIPS 204 Algorithm 24: rho, K, tr, s1, s2, t0.
        let s1 = 32 + 32 + 64;
        let s2 = s1 + 32 * eta_bits * l;
        let t0 = s2 + 32 * eta_bits * k;
        for (part, position, change) in [
            ("rho", 0, 1),
            ("tr", 64, 1),
            ("tr", s1 - 1, 0x80),
            ("t0", t0, 1),
            ("t0", expanded.len() - 1, 0x80),
        ] {
            let mut wrong = expanded.clone();
            wrong[position] ^= change;
            let Err(Error::KeyInconsistent { reason, .. }) = backend.recompute_public_key(algorithm, &wrong)
            else {
                panic!("{algorithm}: a changed {part} was accepted");
            };
            let expected = format!("invalid key ({algorithm} private key does not match its pubkey part)");
            assert_eq!(reason, expected, "{part}");
            assert_clean();
        }
        for position in [s1, s2 - 1, s2, t0 - 1] {
            let mut wrong = expanded.clone();
            wrong[position] = 0xff;
            let Err(Error::KeyInconsistent { reason, .. }) = backend.recompute_public_key(algorithm, &wrong)
            else {
                panic!("{algorithm}: a coefficient out of range at {position} was accepted");
            };
            assert!(reason.contains("s1 or s2 is out of range"), "{reason}");
            assert_clean();
        }
        // K speaks of nothing else in the key.
        let mut other_k = expanded.clone();
        other_k[32] ^= 1;
        assert_eq!(&backend.recompute_public_key(algorithm, &other_k).unwrap(), key.public_key());
        assert!(backend.recompute_public_key(algorithm, &expanded[1..]).is_err());
    }
}

#[test]
fn an_expanded_key_signs_and_has_no_seed() {
    let whole = PrivateKey::from_seed(Algorithm::MlDsa65, &[3; 32]).unwrap();
    let expanded = PrivateKey::from_expanded(Algorithm::MlDsa65, whole.expanded()).unwrap();
    let signer = openssl().signing_key(&expanded).unwrap();
    assert_eq!(signer.private_key().unwrap().seed(), None);
    let sign = |signer: &crate::SigningKey| {
        signer.sign(&Message::pure(b"message"), Randomness::Deterministic).unwrap()
    };
    assert_eq!(sign(&signer), sign(&openssl().signing_key(&whole).unwrap()));
    assert_clean();
}

#[test]
fn one_key_serves_many_threads_at_once() {
    const THREADS: usize = 8;
    for algorithm in [Algorithm::MlDsa44, Algorithm::Ed25519] {
        let scheme = OpenSsl::new().scheme(algorithm).unwrap();
        let seed = vec![8; algorithm.parameters().seed];
        let signer = Loaded::<Signer>::new(scheme, scheme.generate(Generate::FromSeed(&seed)).unwrap());
        let verifier = loaded_verifier(algorithm, &signer.public_key().unwrap());
        let barrier = Barrier::new(THREADS);
        thread::scope(|scope| {
            for number in 0..THREADS {
                let (signer, verifier, barrier) = (&signer, &verifier, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    for round in 0..50 {
                        let text = format!("thread {number}, round {round}");
                        let message = Message::pure(text.as_bytes());
                        let signature = signer.sign(&message, Randomness::Hedged).unwrap();
                        assert_eq!(verifier.verify(&message, &signature).unwrap(), Verdict::Accepted);
                        let other = Message::pure(b"another");
                        assert_eq!(verifier.verify(&other, &signature).unwrap(), Verdict::Rejected);
                        scheme.generate(Generate::Random).unwrap();
                        assert_clean();
                    }
                });
            }
        });
        for waiting in [signer.waiting(), verifier.waiting()] {
            assert!(
                (1..=THREADS).contains(&waiting),
                "{algorithm}: {waiting} contexts for {THREADS} threads"
            );
        }
    }
}
