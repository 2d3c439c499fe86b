//! What the standards decide, and faults that were seen in public, each turned into its right value.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

mod common;

use common::{Corpus, Tally, backends, context, lacks, need, private_key};
use pqsig::{
    Algorithm, Capabilities, Context, Digest, Error, Family, Feature, HashAlgorithm, Message, MuHasher,
    PrivateKey, PublicKey, Randomness, Verdict, backend, hazmat,
};
use sha3::Shake128;
use sha3::digest::{ExtendableOutput, Update, XofReader};

fn ml_dsa() -> impl Iterator<Item = Algorithm> {
    Algorithm::all().filter(|algorithm| algorithm.family() == Family::MlDsa)
}

#[test]
fn what_the_standards_forbid_is_refused_by_every_backend() {
    let mu = [0; 64];
    let weak = HashAlgorithm::Sha224.digest(b"m");
    let sha256 = HashAlgorithm::Sha256.digest(b"m");
    for algorithm in Algorithm::all() {
        let key = private_key(algorithm);
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            let verifier = backend.verifying_key(key.public_key()).unwrap();
            let sign = |message: Message<'_>| signer.sign(&message, Randomness::Deterministic).unwrap_err();
            let signature = vec![0; algorithm.parameters().signature];

            let hashed = Message::PreHashed { digest: &weak, context: Context::EMPTY };
            if algorithm == Algorithm::Ed25519 {
                let with_context = Message::Pure { message: b"m", context: context(b"c") };
                assert!(matches!(sign(with_context), Error::ContextOnPureEd25519));
                assert!(matches!(
                    verifier.verify(&with_context, &signature),
                    Err(Error::ContextOnPureEd25519)
                ));
                let ph = Message::PreHashed { digest: &sha256, context: Context::EMPTY };
                assert!(matches!(sign(ph), Error::HashNotDefined { .. }));
                assert!(matches!(sign(hazmat::internal_message(b"")), Error::NoInternalInterface { .. }));
            } else {
                assert!(matches!(sign(hashed), Error::HashTooWeak { .. }));
                assert_eq!(verifier.verify(&hashed, &signature).unwrap(), Verdict::Rejected);
            }
            if algorithm.family() != Family::MlDsa {
                assert!(matches!(sign(Message::ExternalMu(&mu)), Error::NoExternalMu { .. }));
            }
            let given = vec![0; algorithm.parameters().randomness + 1];
            let refused = signer.sign(&Message::pure(b"m"), hazmat::fixed_randomness(&given)).unwrap_err();
            if algorithm == Algorithm::Ed25519 {
                assert!(matches!(refused, Error::Unsupported { feature: Feature::FixedRandomness, .. }));
            } else {
                assert!(matches!(refused, Error::RandomnessLength { .. }), "{refused}");
            }
        }
    }
}

/// "Unsupported" is an answer, never a pass: what a backend lacks, and nothing else, it refuses by name, and it names
/// those that can.
#[test]
fn what_a_backend_lacks_it_says() {
    for algorithm in Algorithm::all() {
        let key = private_key(algorithm);
        let corpus = Corpus::new(algorithm);
        let signature = vec![0; algorithm.parameters().signature];
        for backend in backends(algorithm) {
            let missing = lacks(&backend, algorithm);
            let mut expected = Capabilities::everything(algorithm);
            for feature in &missing {
                match feature {
                    Feature::ExternalMu => expected.external_mu = false,
                    other => panic!("a new gap, {other}: say here what it is without"),
                }
            }
            assert_eq!(backend.capabilities(algorithm), Some(expected), "{backend:?} for {algorithm}");

            let signer = backend.signing_key(&key).unwrap();
            let verifier = backend.verifying_key(key.public_key()).unwrap();
            let mut refused = 0;
            for (name, message) in corpus.messages(algorithm) {
                let Some(lacked) = need(&message).filter(|feature| missing.contains(feature)) else {
                    continue;
                };
                let sign = signer.sign(&message, Randomness::Hedged).unwrap_err();
                for error in [sign, verifier.verify(&message, &signature).unwrap_err()] {
                    let Error::Unsupported { backend: by, feature, alternatives, .. } = &error else {
                        panic!("{backend:?}: {name}: {error}")
                    };
                    assert_eq!((by, *feature), (&backend.name(), lacked));
                    assert!(alternatives.contains(&"rustcrypto".to_owned()), "{error:?}");
                    assert!(!alternatives.contains(&backend.name()), "{error:?}");
                }
                refused += 1;
            }
            assert_eq!(refused, missing.len(), "{backend:?} for {algorithm}");
        }
    }
}

/// A key of an algorithm that a backend does not have is refused by that name, whatever is asked.
#[test]
fn a_backend_without_the_algorithm_says_so() {
    let mut refused = 0;
    for algorithm in Algorithm::all() {
        let key = private_key(algorithm);
        for backend in backend::all().iter().filter(|backend| backend.capabilities(algorithm).is_none()) {
            let generated = backend.generate(algorithm, backend::Generate::Random).map(drop);
            let signing = backend.signing_key(&key).map(drop);
            let verifying = backend.verifying_key(key.public_key()).map(drop);
            for error in [generated, signing, verifying].map(Result::unwrap_err) {
                let Error::Unsupported { feature: Feature::Algorithm, alternatives, .. } = &error else {
                    panic!("{backend:?}: {error}")
                };
                assert!(alternatives.contains(&"openssl".to_owned()), "{error:?}");
                refused += 1;
            }
        }
    }
    let pairs: usize =
        Algorithm::all().map(|algorithm| backend::all().len() - backends(algorithm).len()).sum();
    assert_eq!(refused, 3 * pairs);
}

/// fips204#7: the byte after the domain counts the context. libcrux#1207, slhdsa#5: SHAKE128 gives 32 bytes and
/// SHAKE256 gives 64. A signature over the pre-hash equals one over M' built by hand.
#[test]
fn pre_hashed_signatures_are_signatures_over_the_standards_encoding() {
    for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f] {
        let key = private_key(algorithm);
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            let mut executed = 0;
            for hash in HashAlgorithm::allowed_for(algorithm) {
                let digest = hash.digest(b"m");
                let mut encoded = vec![1, 3];
                encoded.extend_from_slice(b"ctx");
                encoded.extend_from_slice(&hash.oid_der());
                encoded.extend_from_slice(digest.as_bytes());
                let message = Message::PreHashed { digest: &digest, context: context(b"ctx") };
                let by_hand = hazmat::internal_message(&encoded);
                assert_eq!(
                    signer.sign(&message, Randomness::Deterministic).unwrap(),
                    signer.sign(&by_hand, Randomness::Deterministic).unwrap(),
                    "{backend:?}: {hash}"
                );
                assert_eq!(hazmat::encode_pre_hashed(&digest, context(b"ctx")), encoded);
                executed += 1;
            }
            assert_eq!(executed, 9);
        }
    }
    for (hash, length) in [(HashAlgorithm::Shake128, 32), (HashAlgorithm::Shake256, 64)] {
        assert_eq!(hash.digest(b"").as_bytes().len(), length);
        assert!(matches!(Digest::new(hash, &[0; 16]), Err(Error::DigestLength { .. })));
    }
}

/// RustCrypto/signatures#1176 and all of FIPS 204 Algorithm 21. Each case decodes to the very hint of a valid
/// signature when the check is missing, so a lenient verifier would accept it.
#[test]
fn malformed_hints_are_rejected() {
    for algorithm in ml_dsa() {
        let (omega, k) = match algorithm {
            Algorithm::MlDsa44 => (80, 4),
            Algorithm::MlDsa65 => (55, 6),
            _ => (75, 8),
        };
        let key = private_key(algorithm);
        let signer = backends(algorithm)[0].signing_key(&key).unwrap();
        // A signature with room for one more hint, and a polynomial that has two hints.
        let (text, signature) = (0u32..)
            .map(|i| {
                let text = i.to_le_bytes();
                (text, signer.sign(&Message::pure(&text), Randomness::Deterministic).unwrap())
            })
            .take(200)
            .find(|(_, signature)| {
                let hint = &signature[signature.len() - omega - k..];
                usize::from(hint[omega + k - 1]) < omega && hint[omega] >= 2
            })
            .expect("one of 200 signatures has room for a hint");
        let start = signature.len() - omega - k;
        let used = usize::from(signature[signature.len() - 1]);

        let mut repeated = signature.clone();
        repeated[start + 1..=start + used].copy_from_slice(&signature[start..start + used]);
        repeated[start + omega..].iter_mut().for_each(|count| *count += 1);
        let mut unordered = signature.clone();
        unordered.swap(start, start + 1);
        let mut padded = signature.clone();
        padded[start + omega - 1] = 1;
        let mut overweight = signature.clone();
        overweight[start + omega + k - 1] = u8::try_from(omega + 1).unwrap();
        let mut decreasing = signature.clone();
        decreasing[start + omega] = u8::try_from(used + 1).unwrap();

        let message = Message::pure(&text);
        for backend in backends(algorithm) {
            let verifier = backend.verifying_key(key.public_key()).unwrap();
            assert_eq!(verifier.verify(&message, &signature).unwrap(), Verdict::Accepted);
            for (name, hostile) in [
                ("a repeated index", &repeated),
                ("unordered indices", &unordered),
                ("nonzero padding", &padded),
                ("over weight", &overweight),
                ("decreasing counts", &decreasing),
            ] {
                let verdict = verifier.verify(&message, hostile).unwrap();
                assert_eq!(verdict, Verdict::Rejected, "{backend:?}: {algorithm}: {name}");
            }
        }
    }
}

/// openssl#32445: the empty message is a message, in every mode, and when it is streamed too.
#[test]
fn the_empty_message_is_signed_in_every_mode() {
    for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519] {
        let key = private_key(algorithm);
        let digest = HashAlgorithm::Sha512.digest_reader(&mut std::io::empty()).unwrap();
        let mut messages = vec![
            Message::pure(b""),
            Message::PreHashed { digest: &digest, context: Context::EMPTY },
            Message::PreHashed { digest: &digest, context: context(b"ctx") },
        ];
        if algorithm != Algorithm::Ed25519 {
            messages.push(Message::Pure { message: b"", context: context(b"ctx") });
            messages.push(hazmat::internal_message(b""));
        }
        let streamed = MuHasher::new(key.public_key(), Context::EMPTY).map(MuHasher::finish);
        messages.extend(streamed.as_ref().ok().map(Message::ExternalMu));
        let mut tally = Tally::new(algorithm);
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            for message in &messages {
                if !tally.admits(&backend, message) {
                    continue;
                }
                let signature = signer.sign(message, Randomness::Hedged).unwrap();
                // A signature over mu is one over the message that mu was made of.
                let (pure, mut accepted) = (Message::pure(b""), 0);
                let is_mu = matches!(message, Message::ExternalMu(_));
                for message in [message].into_iter().chain(is_mu.then_some(&pure)) {
                    for other in backends(algorithm) {
                        if need(message).is_none_or(|feature| other.supports(algorithm, feature)) {
                            let verifier = other.verifying_key(key.public_key()).unwrap();
                            let verdict = verifier.verify(message, &signature).unwrap();
                            assert_eq!(verdict, Verdict::Accepted, "{backend:?} -> {other:?}: {message:?}");
                            accepted += 1;
                        }
                    }
                }
                assert!(accepted >= backends(algorithm).len(), "{message:?}");
            }
        }
        tally.assert(messages.len(), |backend| lacks(backend, algorithm).len());
    }
}

/// openssl#7693: S + L is another encoding of the same S modulo the group's order L (RFC 8032 section 5.1.7).
#[test]
fn ed25519_s_plus_l_is_rejected() {
    /// L = 2^252 + 27742317777372353535851937790883648493, little-endian (RFC 8032 section 5.1).
    const L: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let key = private_key(Algorithm::Ed25519);
    let message = Message::pure(b"m");
    let signer = backends(Algorithm::Ed25519)[0].signing_key(&key).unwrap();
    let mut signature = signer.sign(&message, Randomness::Deterministic).unwrap();
    let mut carry = 0;
    for (byte, addend) in signature[32..].iter_mut().zip(L) {
        let sum = u16::from(*byte) + u16::from(addend) + carry;
        *byte = u8::try_from(sum & 0xff).unwrap();
        carry = sum >> 8;
    }
    assert_eq!(carry, 0, "S + L fits in 32 bytes");
    for backend in backends(Algorithm::Ed25519) {
        let verifier = backend.verifying_key(key.public_key()).unwrap();
        assert_eq!(verifier.verify(&message, &signature).unwrap(), Verdict::Rejected, "{backend:?}");
    }
}

/// RFC 8032 section 7.3, TEST abc: the one published Ed25519ph vector.
#[test]
fn ed25519ph_gives_the_rfcs_signature() {
    let seed = hex("833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42");
    let public = hex("ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf");
    let expected = hex(concat!(
        "98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae41",
        "31f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406"
    ));
    let key = PrivateKey::from_seed(Algorithm::Ed25519, &seed).unwrap();
    assert_eq!(key.public_key().as_bytes(), public);
    let digest = HashAlgorithm::Sha512.digest(b"abc");
    let message = Message::PreHashed { digest: &digest, context: Context::EMPTY };
    for backend in backends(Algorithm::Ed25519) {
        let signer = backend.signing_key(&key).unwrap();
        assert_eq!(signer.sign(&message, Randomness::Deterministic).unwrap(), expected, "{backend:?}");
    }
}

/// The accumulated test of C2SP's CCTV (FIPS 204): the public keys and the deterministic signatures of the empty
/// message, of keys whose seeds are the output of SHAKE128 over nothing, hashed with SHAKE128 to 32 bytes.
#[test]
fn a_hundred_accumulated_keys_and_signatures_have_the_known_digest() {
    const ROUNDS: usize = 100;
    let known = [
        (Algorithm::MlDsa44, "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4"),
        (Algorithm::MlDsa65, "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199"),
        (Algorithm::MlDsa87, "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b"),
    ];
    for (algorithm, digest) in known {
        for backend in backends(algorithm) {
            let mut seeds = Shake128::default().finalize_xof();
            let mut accumulated = Shake128::default();
            for _ in 0..ROUNDS {
                let mut seed = [0; 32];
                seeds.read(&mut seed);
                let signer = backend.generate(algorithm, backend::Generate::FromSeed(&seed)).unwrap();
                let key = signer.private_key().unwrap();
                accumulated.update(key.public_key().as_bytes());
                accumulated.update(&signer.sign(&Message::pure(b""), Randomness::Deterministic).unwrap());
            }
            let mut output = [0; 32];
            accumulated.finalize_xof().read(&mut output);
            assert_eq!(output.to_vec(), hex(digest), "{backend:?}: {algorithm}");
        }
    }
}

/// RustCrypto/signatures#1133, openssl#31055, openssl#26865: what a key says twice is compared, and a malformed key
/// is a typed error.
#[test]
fn private_keys_that_contradict_themselves_are_refused() {
    for algorithm in Algorithm::all() {
        let key = private_key(algorithm);
        let parameters = algorithm.parameters();
        let refused = |expanded: &[u8]| PrivateKey::from_expanded(algorithm, expanded).unwrap_err();
        assert!(matches!(refused(&key.expanded()[1..]), Error::KeyLength { .. }));
        assert!(matches!(PrivateKey::from_seed(algorithm, &[0; 31]), Err(Error::SeedLength { .. })));
        match algorithm.family() {
            Family::MlDsa => {
                let flipped = |position: usize| {
                    let mut expanded = key.expanded().to_vec();
                    expanded[position] ^= 0xff;
                    expanded
                };
                // rho, tr, s1, t0: FIPS 204, Algorithm 24. K is free: it is not derived from anything here.
                for position in [0, 64, 128, parameters.private_key - 1] {
                    let error = refused(&flipped(position));
                    assert!(
                        matches!(error, Error::KeyInconsistent { .. }),
                        "{algorithm} {position}: {error}"
                    );
                    let error = PrivateKey::from_seed_and_expanded(
                        algorithm,
                        key.seed().unwrap(),
                        &flipped(position),
                    );
                    assert!(matches!(error, Err(Error::KeyInconsistent { .. })));
                }
                for byte in [0x00, 0xff] {
                    let error = refused(&vec![byte; parameters.private_key]);
                    assert!(matches!(error, Error::KeyInconsistent { .. }), "{error}");
                }
            }
            Family::SlhDsa => {
                let mut expanded = key.expanded().to_vec();
                *expanded.last_mut().unwrap() ^= 1;
                assert!(matches!(refused(&expanded), Error::KeyInconsistent { .. }));
            }
            // 32 free bytes say nothing twice.
            Family::Ed25519 => {}
        }
    }
}

#[test]
fn public_keys_are_checked() {
    for algorithm in Algorithm::all() {
        let length = algorithm.parameters().public_key;
        for wrong in [0, length - 1, length + 1] {
            let error = PublicKey::new(algorithm, &vec![0; wrong]).unwrap_err();
            assert!(matches!(error, Error::KeyLength { .. }), "{error}");
            assert!(error.to_string().contains(algorithm.name()), "{error}");
        }
    }
    // y = 2 is no point of the curve.
    let mut no_point = [0; 32];
    no_point[0] = 2;
    let error = PublicKey::new(Algorithm::Ed25519, &no_point).unwrap_err();
    assert!(matches!(error, Error::PublicKeyInvalid { .. }), "{error}");
}

#[test]
fn secrets_are_not_shown() {
    for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519] {
        let key = private_key(algorithm);
        let secret = format!("{:?}", &key.expanded()[..4]);
        let secret = secret.trim_matches(['[', ']']);
        for backend in backends(algorithm) {
            let shown = format!("{key:?} {:?}", backend.signing_key(&key).unwrap());
            assert!(!shown.contains(secret), "{shown}");
            assert!(shown.contains("secret"), "{shown}");
        }
    }
}

#[test]
fn an_unknown_backend_names_those_that_exist() {
    let error = backend::by_name("libressl").unwrap_err();
    assert!(matches!(error, Error::UnknownBackend { .. }));
    let remedy = error.remedy().unwrap();
    assert!(remedy.contains("rustcrypto") && remedy.contains("openssl"), "{remedy}");
}

#[test]
fn every_backend_says_what_it_is() {
    for algorithm in Algorithm::all() {
        for backend in backends(algorithm) {
            assert!(backend.version(algorithm).contains('.'), "{backend:?}");
            assert!(!backend.lineage(algorithm).is_empty());
            assert!(!backend.language().is_empty());
        }
        let ranked: Vec<_> = backend::ranking::ranked(algorithm).collect();
        assert_eq!(ranked.len(), backends(algorithm).len());
        let fastest = backend::ranking::fastest(algorithm, &[Feature::SeedKeygen]).unwrap();
        assert_eq!(fastest.name(), ranked[0].name());
    }
    let none = backend::ranking::fastest(Algorithm::Ed25519, &[Feature::ExternalMu]).unwrap_err();
    assert!(matches!(none, Error::Unsupported { feature: Feature::ExternalMu, .. }));
}

fn hex(digits: &str) -> Vec<u8> {
    assert_eq!(digits.len() % 2, 0);
    (0..digits.len()).step_by(2).map(|i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap()).collect()
}
