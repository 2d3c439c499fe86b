//! The adapter for the `openssl` command, as the suite starts it, against the backends of this process.
//!
//! The command is the one that `PQSIG_OPENSSL` names, else one that the adapter finds. Without one these tests fail.

#![cfg(test)]

use std::sync::LazyLock;

use pqsig::{Algorithm, Family, HashAlgorithm, PrivateKey, backend};
use pqsig_interop::adapter::{Adapter, Launch, registry};
use pqsig_interop::key::{EncodedKey, KeyForm};
use pqsig_interop::message::{Message, Mode, Randomness};
use pqsig_interop::peer::{Native, Peer};
use pqsig_interop::question::{Answer, Question, Verdict};

/// Without the slow ones: the sets differ in nothing but their parameters, and the suite runs them all.
const ALGORITHMS: [Algorithm; 6] = [
    Algorithm::MlDsa44,
    Algorithm::MlDsa65,
    Algorithm::MlDsa87,
    Algorithm::SlhDsaSha2_128f,
    Algorithm::SlhDsaShake128f,
    Algorithm::Ed25519,
];

static COMMAND: LazyLock<Adapter> = LazyLock::new(|| {
    let launch = Launch::new("openssl-command", env!("CARGO_BIN_EXE_pqsig-adapter-openssl")).unwrap();
    Adapter::start(launch).unwrap_or_else(|error| panic!("{error}"))
});

fn native() -> Native {
    Native::new(backend::by_name("openssl").unwrap()).unwrap()
}

fn key(algorithm: Algorithm) -> PrivateKey {
    let seed: Vec<u8> = (0..96).take(algorithm.parameters().seed).collect();
    PrivateKey::from_seed(algorithm, &seed).unwrap()
}

fn sign(peer: &dyn Peer, private: &EncodedKey, message: &Message, randomness: &Randomness) -> Answer {
    let (private, message, randomness) = (private.clone(), message.clone(), randomness.clone());
    Question::Sign { private, message, randomness }.ask(peer)
}

fn verify(peer: &dyn Peer, public: &EncodedKey, message: &Message, signature: &[u8]) -> Answer {
    let (public, message) = (public.clone(), message.clone());
    Question::Verify { public, message, signature: signature.to_vec() }.ask(peer)
}

#[track_caller]
fn assert_verdict(answer: &Answer, expected: Verdict) {
    assert_eq!(answer.verdict, expected, "{answer:?}");
}

/// Every kind of message that the algorithm has.
fn messages(algorithm: Algorithm) -> Vec<Message> {
    let pure = Message::pure(*b"a message");
    let hashed = |hash| pure.clone().with_mode(Mode::PreHash(hash));
    let mut messages =
        vec![pure.clone(), Message::pure(*b""), Message::pure(*b"x"), Message::pure([7; 70_000])];
    messages.extend(HashAlgorithm::allowed_for(algorithm).map(hashed));
    messages.push(hashed(HashAlgorithm::Sha512).with_context(*b"ctx"));
    messages.push(Message::pure(*b"").with_mode(Mode::PreHash(HashAlgorithm::Sha512)));
    if algorithm.family() != Family::Ed25519 {
        // Not an empty M': the command has no way to take one, and the standards build none.
        messages.push(pure.clone().with_context([0; 255]));
        messages.push(Message::pure(*b"").with_context(*b"ctx"));
        messages.push(pure.clone().with_mode(Mode::Internal));
    }
    if algorithm.family() == Family::MlDsa {
        messages.push(Message::pure([9; 64]).with_mode(Mode::ExternalMu));
    }
    messages
}

#[test]
fn the_shipped_description_starts_it() {
    let folder = registry::folder(None).unwrap();
    let shipped = registry::shipped(&folder).unwrap();
    let launch = shipped.into_iter().flatten().find(|launch| launch.name == "openssl-command").unwrap();
    let adapter = Adapter::start(launch).unwrap();
    assert_eq!(adapter.identity(), COMMAND.identity());
}

#[test]
fn it_has_every_algorithm_and_the_backends_lineage() {
    let identity = COMMAND.identity();
    for algorithm in Algorithm::all() {
        let version = identity.version(algorithm);
        assert!(version.starts_with("OpenSSL "), "{algorithm}: {version}");
        assert_eq!(identity.lineage(algorithm), native().identity().lineage(algorithm));
    }
    assert!(identity.artifacts[0].name.starts_with("openssl"), "{:?}", identity.artifacts);
}

/// Derived keys and deterministic signatures are the backend's, and each verifies the other's.
#[test]
fn it_agrees_with_the_backend_in_both_directions() {
    let native = native();
    for algorithm in ALGORITHMS {
        let key = key(algorithm);
        let seed = key.seed().unwrap().to_vec();
        let derived = Question::Derive { algorithm, seed }.ask(&*COMMAND);
        assert_eq!(derived.value.unwrap(), key.public_key().as_bytes(), "{algorithm}");

        let private = EncodedKey::private(&key, KeyForm::private_forms(algorithm)[0]).unwrap();
        let public = EncodedKey::public(key.public_key(), KeyForm::Spki);
        let mut kinds = vec![Randomness::Deterministic, Randomness::Hedged];
        if algorithm.family() != Family::Ed25519 {
            kinds.push(Randomness::Fixed(vec![5; algorithm.parameters().randomness]));
        }
        for (index, message) in messages(algorithm).into_iter().enumerate() {
            // Randomness is one matter and messages are another: the first message meets every kind.
            for randomness in if index == 0 { &kinds[..] } else { &kinds[..1] } {
                let by_command = sign(&*COMMAND, &private, &message, randomness);
                assert_verdict(&by_command, Verdict::Accepted);
                let by_native = sign(&native, &private, &message, randomness).value.unwrap();
                let by_command = by_command.value.unwrap();
                let random = *randomness == Randomness::Hedged && algorithm.family() != Family::Ed25519;
                assert_eq!(by_command == by_native, !random, "{algorithm} {message:?} {randomness}");
                assert_verdict(&verify(&native, &public, &message, &by_command), Verdict::Accepted);
                assert_verdict(&verify(&*COMMAND, &public, &message, &by_native), Verdict::Accepted);
            }
        }
    }
}

#[test]
fn it_makes_keys_of_its_own() {
    for algorithm in ALGORITHMS {
        let pair = COMMAND.generate(algorithm, None).unwrap();
        let private = pair.private.to_private().unwrap();
        assert_eq!(*private.public_key(), pair.public.to_public().unwrap(), "{algorithm}");
        for form in KeyForm::private_forms(algorithm).iter().filter(|form| form.name().starts_with("pkcs8")) {
            let private = EncodedKey::private(&private, *form).unwrap();
            let loaded = Question::Load { private }.ask(&*COMMAND);
            assert_eq!(loaded.value.unwrap(), private_bytes(&pair.public), "{algorithm} {form}");
        }
    }
}

fn private_bytes(public: &EncodedKey) -> Vec<u8> {
    public.to_public().unwrap().as_bytes().to_vec()
}

/// Rejected, and never failed: a bad signature of whatever kind over a message of whatever kind.
#[test]
fn bad_signatures_are_rejected() {
    for algorithm in ALGORITHMS {
        let key = key(algorithm);
        let private = EncodedKey::private(&key, KeyForm::private_forms(algorithm)[0]).unwrap();
        let public = EncodedKey::public(key.public_key(), KeyForm::Spki);
        for message in messages(algorithm) {
            let good = sign(&native(), &private, &message, &Randomness::Hedged).value.unwrap();
            let flipped = |index: usize| {
                let mut bad = good.clone();
                bad[index] ^= 1;
                bad
            };
            let bad = [
                flipped(0),
                flipped(good.len() - 1),
                good[1..].to_vec(),
                [&good[..], &[0]].concat(),
                Vec::new(),
                good.repeat(2),
                vec![0xff; good.len()],
            ];
            for signature in bad {
                assert_verdict(&verify(&*COMMAND, &public, &message, &signature), Verdict::Rejected);
            }
            let other = Message { data: [&message.data[..], b"!"].concat().into(), ..message.clone() };
            assert_verdict(&verify(&*COMMAND, &public, &other, &good), Verdict::Rejected);
        }
    }
}

#[test]
fn what_the_standards_forbid_is_refused() {
    let algorithm = Algorithm::MlDsa65;
    let key = key(algorithm);
    let private = EncodedKey::private(&key, KeyForm::Pkcs8Both).unwrap();
    let public = EncodedKey::public(key.public_key(), KeyForm::Spki);
    let pure = Message::pure(*b"m");
    let hedged = &Randomness::Hedged;
    let refused = |answer: Answer, words: &str| {
        assert_verdict(&answer, Verdict::Rejected);
        let detail = answer.detail.unwrap();
        assert!(detail.contains(words), "`{words}` is not in: {detail}");
    };

    let long = pure.clone().with_context([0; 256]);
    let long_hashed = long.clone().with_mode(Mode::PreHash(HashAlgorithm::Sha512));
    for (message, words) in [(&long, "hexcontext-string"), (&long_hashed, "at most 255 bytes")] {
        refused(sign(&*COMMAND, &private, message, hedged), words);
        refused(verify(&*COMMAND, &public, message, &[0; 3309]), words);
    }
    for length in [0, 63, 65] {
        let mu = Message::pure(vec![0; length]).with_mode(Mode::ExternalMu);
        refused(sign(&*COMMAND, &private, &mu, hedged), &format!("mu of {length} bytes"));
        assert_verdict(&verify(&*COMMAND, &public, &mu, &[0; 3309]), Verdict::Rejected);
    }
    refused(sign(&*COMMAND, &private, &pure, &Randomness::Fixed(vec![0; 31])), "hextest-entropy");
    let weak = pure.clone().with_mode(Mode::PreHash(HashAlgorithm::Sha256));
    refused(sign(&*COMMAND, &private, &weak, hedged), "too weak");
    for algorithm in ALGORITHMS {
        let derive = Question::Derive { algorithm, seed: vec![0; 31] };
        refused(derive.ask(&*COMMAND), "a seed of 31 bytes");
    }

    // Keys: torn, contradicting themselves, of another algorithm, none.
    let load = |change: &dyn Fn(&mut EncodedKey)| {
        let mut private = private.clone();
        change(&mut private);
        Question::Load { private }.ask(&*COMMAND)
    };
    refused(load(&|key| key.bytes.truncate(100)), "could not read the key");
    refused(load(&|key| key.bytes[60] ^= 1), "does not match seed");
    refused(load(&|key| key.algorithm = Algorithm::MlDsa44), "no ML-DSA-44 key: openssl calls it `ML-DSA-65");
    refused(load(&|key| key.bytes.clear()), "could not read the key");
    let mut torn = public.clone();
    torn.bytes.pop();
    refused(verify(&*COMMAND, &torn, &pure, &[0; 3309]), "could not read the key");
}
