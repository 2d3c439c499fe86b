//! Every backend signs for every other, and deterministic results are equal byte for byte.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

#[macro_use]
mod common;

use common::{Corpus, Tally, backends, context, is_slow, lacks, other_public_key, private_key, seed};
use pqsig::backend::{Generate, ranking};
use pqsig::{
    Algorithm, Backend, Error, Family, Feature, HashAlgorithm, Message, MuHasher, PrivateKey, Randomness,
    Verdict, hazmat,
};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

for_every_algorithm!(
    backends_derive_the_same_key,
    backends_agree_on_every_message,
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

/// Each backend signs each message; signatures without randomness, or with the same, are equal; and every backend
/// accepts them.
fn backends_agree_on_every_message(algorithm: Algorithm) {
    let key = private_key(algorithm);
    let corpus = Corpus::new(algorithm);
    let messages = corpus.messages(algorithm);
    let given = vec![3; algorithm.parameters().randomness];
    let fixed = hazmat::fixed_randomness(&given);
    let signers: Vec<_> = backends(algorithm).iter().map(|b| b.signing_key(&key).unwrap()).collect();
    let verifiers: Vec<_> =
        backends(algorithm).iter().map(|b| b.verifying_key(key.public_key()).unwrap()).collect();
    let (mut signed, mut verified) = (Tally::new(algorithm), Tally::new(algorithm));
    let (mut signings, mut signatures) = (0, 0);
    for (index, (name, message)) in messages.iter().enumerate() {
        // SLH-DSA takes up to seconds for each signature: one way per message, each in its turn. The small sets have
        // their hedged signatures in `generated_keys_work_elsewhere`.
        let ways = [Randomness::Deterministic, fixed, Randomness::Hedged];
        let modes = match algorithm.family() {
            Family::MlDsa => &ways[..],
            Family::SlhDsa => {
                let turn = index % if is_slow(algorithm) { 2 } else { 3 };
                &ways[turn..=turn]
            }
            Family::Ed25519 => &ways[..1],
        };
        for mode in modes.iter().copied() {
            let mut different: Vec<Vec<u8>> = Vec::new();
            signings += 1;
            for signer in &signers {
                if signed.admits(signer.backend(), message) {
                    let signature = signer.sign(message, mode).unwrap();
                    assert_eq!(signature.len(), algorithm.parameters().signature);
                    if !different.contains(&signature) {
                        different.push(signature);
                    }
                }
            }
            if !matches!(mode, Randomness::Hedged) {
                assert_eq!(different.len(), 1, "{algorithm}: {name}, {mode:?}");
            }
            for signature in &different {
                signatures += 1;
                for verifier in &verifiers {
                    if verified.admits(verifier.backend(), message) {
                        let verdict = verifier.verify(message, signature).unwrap();
                        assert_eq!(verdict, Verdict::Accepted, "{verifier:?}: {name}, {mode:?}");
                    }
                }
            }
        }
    }
    // One message is an external mu, signed in three modes; the hedged signatures of it are as many as its signers.
    let spared = |backend: &Backend| spared_mu(backend, algorithm);
    let mu_signers = signers.iter().filter(|signer| spared(signer.backend()) == 0).count();
    signed.assert(signings, |backend| 3 * spared(backend));
    verified.assert(signatures, |backend| (mu_signers + 2) * spared(backend));
}

/// How many of one case with an external mu a backend is spared: 0 or 1.
fn spared_mu(backend: &Backend, algorithm: Algorithm) -> usize {
    usize::from(lacks(backend, algorithm).contains(&Feature::ExternalMu))
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
    let fastest = ranking::fastest(algorithm, &[]).unwrap();
    let signature = fastest.signing_key(&key).unwrap().sign(&message, Randomness::Hedged).unwrap();
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

    // Noise, which no library may stumble over.
    let mut noise = Shake256::default();
    noise.update(&signature);
    let mut noise = noise.finalize_xof();
    for round in 0..8 {
        let mut bytes = vec![0; length];
        noise.read(&mut bytes);
        hostile.push((format!("noise {round}"), bytes));
    }

    let digest = HashAlgorithm::Sha512.digest(b"a message");
    let mut modes = vec![Message::PreHashed { digest: &digest, context: context(b"") }];
    if algorithm.family() != Family::Ed25519 {
        modes.push(Message::Pure { message: b"a message", context: context(b"c") });
        modes.push(hazmat::internal_message(b"a message"));
    }
    if algorithm.family() == Family::MlDsa {
        modes.push(Message::ExternalMu(&[0; 64]));
    }
    let mut tally = Tally::new(algorithm);

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
        for mode in &modes {
            if tally.admits(&backend, mode) {
                assert_eq!(verdict(mode, &signature), Verdict::Rejected, "{backend:?}: {mode:?}");
            }
        }
    }
    tally.assert(modes.len(), |backend| spared_mu(backend, algorithm));
}

/// A message signed through mu is a message signed whole, with every cut of the stream.
#[test]
fn a_streamed_message_is_the_whole_message() {
    let text = vec![0x5a; 200_000];
    for algorithm in Algorithm::all().filter(|algorithm| algorithm.family() == Family::MlDsa) {
        let key = private_key(algorithm);
        let context = context(b"stream");
        let whole = Message::Pure { message: &text, context };
        let mut tally = Tally::new(algorithm);
        for pieces in [1, 4096, 200_000] {
            let mut hasher = MuHasher::new(key.public_key(), context).unwrap();
            text.chunks(pieces.max(97)).for_each(|piece| hasher.update(piece));
            let mu = hasher.finish();
            for backend in backends(algorithm) {
                let message = Message::ExternalMu(&mu);
                if tally.admits(&backend, &message) {
                    let signer = backend.signing_key(&key).unwrap();
                    let streamed = signer.sign(&message, Randomness::Deterministic).unwrap();
                    assert_eq!(
                        streamed,
                        signer.sign(&whole, Randomness::Deterministic).unwrap(),
                        "{backend:?}"
                    );
                }
            }
        }
        tally.assert(3, |backend| 3 * spared_mu(backend, algorithm));
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
