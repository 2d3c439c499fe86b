//! Every backend signs for every other, and deterministic results are equal byte for byte.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

#[macro_use]
mod common;

use common::{Corpus, backends, context, is_slow, other_public_key, private_key, seed};
use pqsig::backend::Generate;
use pqsig::{
    Algorithm, Error, Family, HashAlgorithm, Message, MuHasher, PrivateKey, Randomness, Verdict, hazmat,
};

for_every_algorithm!(
    backends_derive_the_same_key,
    backends_verify_each_other,
    deterministic_signatures_are_equal,
    generated_keys_work_elsewhere,
    hostile_signatures_are_rejected,
);

fn backends_derive_the_same_key(algorithm: Algorithm) {
    let expected = private_key(algorithm);
    for backend in backends(algorithm) {
        let derived = backend.generate(algorithm, Generate::FromSeed(&seed(algorithm))).unwrap();
        let derived = derived.private_key().unwrap();
        assert_eq!(derived.public_key(), expected.public_key(), "{backend:?}");
        assert_eq!(derived.expanded(), expected.expanded(), "{backend:?}");
        assert_eq!(derived.seed(), expected.seed(), "{backend:?}");
    }
}

fn backends_verify_each_other(algorithm: Algorithm) {
    let key = private_key(algorithm);
    let corpus = Corpus::new(algorithm);
    let verifiers: Vec<_> =
        backends(algorithm).iter().map(|backend| backend.verifying_key(key.public_key()).unwrap()).collect();
    for signer in backends(algorithm) {
        let signer = signer.signing_key(&key).unwrap();
        for (name, message) in corpus.messages(algorithm) {
            let signature = signer.sign(&message, Randomness::Hedged).unwrap();
            assert_eq!(signature.len(), algorithm.parameters().signature);
            for verifier in &verifiers {
                let verdict = verifier.verify(&message, &signature).unwrap();
                assert_eq!(verdict, Verdict::Accepted, "{signer:?} -> {verifier:?}: {name}");
            }
        }
    }
}

fn deterministic_signatures_are_equal(algorithm: Algorithm) {
    let key = private_key(algorithm);
    let corpus = Corpus::new(algorithm);
    let signers: Vec<_> =
        backends(algorithm).iter().map(|backend| backend.signing_key(&key).unwrap()).collect();
    let given = vec![3; algorithm.parameters().randomness];
    let agree = |name: &str, message: &Message<'_>, mode| {
        let signatures: Vec<_> = signers.iter().map(|s| s.sign(message, mode).unwrap()).collect();
        assert!(signatures.windows(2).all(|pair| pair[0] == pair[1]), "{algorithm}: {name}, {mode:?}");
    };
    for (index, (name, message)) in corpus.messages(algorithm).iter().enumerate() {
        agree(name, message, Randomness::Deterministic);
        let with_given = algorithm.family() != Family::Ed25519 && (index == 0 || !is_slow(algorithm));
        if with_given {
            agree(name, message, hazmat::fixed_randomness(&given));
        }
    }
}

fn generated_keys_work_elsewhere(algorithm: Algorithm) {
    let message = Message::pure(b"a message");
    for maker in backends(algorithm) {
        let generated = maker.generate(algorithm, Generate::Random).unwrap();
        let key = generated.private_key().unwrap();
        let signature = generated.sign(&message, Randomness::Hedged).unwrap();
        for other in backends(algorithm) {
            let verifier = other.verifying_key(key.public_key()).unwrap();
            assert!(verifier.verify(&message, &signature).unwrap().is_accepted(), "{maker:?} -> {other:?}");
        }
        let twin = maker.generate(algorithm, Generate::Random).unwrap().private_key().unwrap();
        assert_ne!(twin.public_key(), key.public_key(), "{maker:?} gave one key twice");
    }
}

fn hostile_signatures_are_rejected(algorithm: Algorithm) {
    let key = private_key(algorithm);
    let message = Message::pure(b"a message");
    let signature =
        backends(algorithm)[0].signing_key(&key).unwrap().sign(&message, Randomness::Hedged).unwrap();
    let length = signature.len();

    let mut hostile: Vec<(String, Vec<u8>)> = Vec::new();
    for position in [0, 1, length / 3, length / 2, length - 33, length - 1] {
        for bit in [0x01, 0x80] {
            let mut flipped = signature.clone();
            flipped[position] ^= bit;
            hostile.push((format!("bit {bit:#x} of byte {position} flipped"), flipped));
        }
    }
    let mut longer = signature.clone();
    longer.push(0);
    hostile.extend([
        ("empty".to_owned(), Vec::new()),
        ("one byte short".to_owned(), signature[..length - 1].to_vec()),
        ("one byte long".to_owned(), longer),
        ("doubled".to_owned(), [&signature[..], &signature[..]].concat()),
        ("zeros".to_owned(), vec![0; length]),
        ("ones".to_owned(), vec![0xff; length]),
    ]);

    for backend in backends(algorithm) {
        let verifier = backend.verifying_key(key.public_key()).unwrap();
        let verdict = |message: &Message<'_>, signature: &[u8]| verifier.verify(message, signature).unwrap();
        assert_eq!(verdict(&message, &signature), Verdict::Accepted, "{backend:?}");
        for (name, signature) in &hostile {
            assert_eq!(verdict(&message, signature), Verdict::Rejected, "{backend:?}: {name}");
        }
        assert_eq!(verdict(&Message::pure(b"a messagf"), &signature), Verdict::Rejected, "{backend:?}");
        assert_eq!(verdict(&Message::pure(b""), &signature), Verdict::Rejected, "{backend:?}");
        let other = backend.verifying_key(&other_public_key(algorithm)).unwrap();
        assert_eq!(other.verify(&message, &signature).unwrap(), Verdict::Rejected, "{backend:?}");

        // The signature of one mode is none of another.
        let digest = HashAlgorithm::Sha512.digest(b"a message");
        let hashed = Message::PreHashed { digest: &digest, context: context(b"") };
        assert_eq!(verdict(&hashed, &signature), Verdict::Rejected, "{backend:?}");
        if algorithm.family() != Family::Ed25519 {
            let with_context = Message::Pure { message: b"a message", context: context(b"c") };
            assert_eq!(verdict(&with_context, &signature), Verdict::Rejected, "{backend:?}");
            let internal = hazmat::internal_message(b"a message");
            assert_eq!(verdict(&internal, &signature), Verdict::Rejected, "{backend:?}");
        }
        if algorithm.family() == Family::MlDsa {
            let mu = [0; 64];
            assert_eq!(verdict(&Message::ExternalMu(&mu), &signature), Verdict::Rejected, "{backend:?}");
        }
    }
}

/// A message signed through mu is a message signed whole, with every cut of the stream.
#[test]
fn a_streamed_message_is_the_whole_message() {
    let text = vec![0x5a; 200_000];
    for algorithm in Algorithm::all().filter(|algorithm| algorithm.family() == Family::MlDsa) {
        let key = private_key(algorithm);
        let context = context(b"stream");
        let whole = Message::Pure { message: &text, context };
        for pieces in [1, 4096, 200_000] {
            let mut hasher = MuHasher::new(key.public_key(), context).unwrap();
            text.chunks(pieces.max(97)).for_each(|piece| hasher.update(piece));
            let mu = hasher.finish();
            for backend in backends(algorithm) {
                let signer = backend.signing_key(&key).unwrap();
                let streamed = signer.sign(&Message::ExternalMu(&mu), Randomness::Deterministic).unwrap();
                assert_eq!(streamed, signer.sign(&whole, Randomness::Deterministic).unwrap(), "{backend:?}");
            }
        }
    }
    let key = private_key(Algorithm::Ed25519);
    assert!(matches!(MuHasher::new(key.public_key(), context(b"")), Err(Error::NoExternalMu { .. })));
}

/// A key that is known in its expanded form only signs like the one with a seed.
#[test]
fn expanded_keys_sign_like_their_seeds() {
    for algorithm in Algorithm::all().filter(|algorithm| algorithm.family() == Family::MlDsa) {
        let key = private_key(algorithm);
        let seedless = PrivateKey::from_expanded(algorithm, key.expanded()).unwrap();
        assert!(seedless.seed().is_none());
        assert_eq!(seedless.public_key(), key.public_key());
        for backend in backends(algorithm) {
            let sign = |key| {
                let signer = backend.signing_key(key).unwrap();
                signer.sign(&Message::pure(b"m"), Randomness::Deterministic).unwrap()
            };
            assert_eq!(sign(&key), sign(&seedless), "{backend:?}");
            let exported = backend.signing_key(&seedless).unwrap().private_key().unwrap();
            assert_eq!(exported.expanded(), key.expanded(), "{backend:?}");
            assert_eq!(exported.public_key(), key.public_key(), "{backend:?}");
        }
    }
}

/// One loaded key serves many threads.
#[test]
fn keys_are_shared_between_threads() {
    for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519] {
        let key = private_key(algorithm);
        for backend in backends(algorithm) {
            let signer = backend.signing_key(&key).unwrap();
            let verifier = backend.verifying_key(key.public_key()).unwrap();
            std::thread::scope(|scope| {
                for thread in 0..4u8 {
                    let (signer, verifier) = (&signer, &verifier);
                    scope.spawn(move || {
                        for round in 0..8 {
                            let text = [thread, round];
                            let message = Message::pure(&text);
                            let signature = signer.sign(&message, Randomness::Hedged).unwrap();
                            assert!(verifier.verify(&message, &signature).unwrap().is_accepted());
                        }
                    });
                }
            });
        }
    }
}
