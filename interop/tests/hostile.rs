//! Every backend gives the right answer to every hostile case.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

use pqsig::{Algorithm, Family, HashAlgorithm, PrivateKey, backend};
use pqsig_interop::hostile::{self, Cases, Signed};
use pqsig_interop::key::{EncodedKey, KeyForm};
use pqsig_interop::message::{Message, Mode, Randomness};
use pqsig_interop::peer::{Kind, Native, Peer};
use pqsig_interop::question::{Question, Verdict};
use pqsig_interop::record::{Depth, Expected};

#[test]
fn ml_dsa_44() {
    check(Algorithm::MlDsa44, HashAlgorithm::Shake128);
}

#[test]
fn slh_dsa_sha2_128f() {
    check(Algorithm::SlhDsaSha2_128f, HashAlgorithm::Sha256);
}

#[test]
fn ed25519() {
    check(Algorithm::Ed25519, HashAlgorithm::Sha512);
}

/// The bound on z in every set of ML-DSA, and the points of small order.
#[test]
fn what_needs_no_signature() {
    for algorithm in Algorithm::all() {
        let peers = peers(algorithm);
        let answers = hostile::standing(algorithm)
            .made
            .iter()
            .map(|case| {
                let answered = peers.iter().filter(|peer| is_right(case, peer));
                answered.count()
            })
            .sum::<usize>();
        let cases = match algorithm.family() {
            Family::MlDsa => 4,
            Family::SlhDsa => 0,
            Family::Ed25519 => 38,
        };
        assert_eq!(answers, cases * peers.len(), "{algorithm}");
    }
}

/// ed25519-dalek's `verify` takes points of small order, computes without the cofactor, and compares R by its
/// bytes. So the cases are what they say: the equation holds, or holds
/// only with the cofactor.
#[test]
fn small_orders_are_what_they_say() {
    let peer = peers(Algorithm::Ed25519).into_iter().find(|peer| peer.name() == "rustcrypto").unwrap();
    let mut canonical = 0;
    for case in hostile::standing(Algorithm::Ed25519).made {
        if case.expected != Expected::Policy || case.name.contains("not canonical") {
            continue;
        }
        let verdict =
            if case.name.ends_with("equation holds") { Verdict::Accepted } else { Verdict::Rejected };
        assert_eq!(case.question.ask(&peer).verdict, verdict, "{}", case.name);
        canonical += 1;
    }
    // 8 points as A, 7 of them with two messages, and 7 as R.
    assert_eq!(canonical, 8 + 7 + 7);
}

/// A message of each kind that the algorithm has, one of them long enough for a context whose length wraps.
fn messages(algorithm: Algorithm, hash: HashAlgorithm) -> Vec<Message> {
    let message = || Message::pure(*b"a message");
    let pre_hashed = message().with_mode(Mode::PreHash(hash));
    let long = Message::pure(vec![0xa5; 1000]);
    if algorithm == Algorithm::Ed25519 {
        return vec![
            message(),
            Message::pure(*b""),
            pre_hashed.clone(),
            pre_hashed.with_context(*b"context"),
        ];
    }
    let mut messages = vec![
        Message::pure(*b""),
        long.with_context(*b"context"),
        pre_hashed.with_context(*b"context"),
        message().with_mode(Mode::Internal),
    ];
    if algorithm.family() == Family::MlDsa {
        messages.push(Message::pure([7; 64]).with_mode(Mode::ExternalMu));
    }
    messages
}

/// Whose every answer counts: they have all that the standards offer, so nothing is unsupported.
const COMPLETE: [&str; 2] = ["openssl", "rustcrypto"];

/// Every backend that has the algorithm.
fn peers(algorithm: Algorithm) -> Vec<Native> {
    let peers: Vec<Native> = backend::all()
        .iter()
        .filter(|backend| backend.capabilities(algorithm).is_some())
        .map(|backend| Native::new(backend.clone()).unwrap())
        .collect();
    let complete = peers.iter().filter(|peer| COMPLETE.contains(&peer.name()));
    assert_eq!(complete.count(), COMPLETE.len());
    peers
}

fn check(algorithm: Algorithm, hash: HashAlgorithm) {
    let peers = peers(algorithm);

    let key = |first: u8| {
        let mut seed = vec![3; algorithm.parameters().seed];
        seed[0] = first;
        PrivateKey::from_seed(algorithm, &seed).unwrap()
    };
    let (private, other) = (key(1), key(2));
    let form = KeyForm::private_forms(algorithm)[0];
    let mut answered = 0;
    let mut tally = |cases: Cases| {
        for case in &cases.made {
            for peer in &peers {
                answered += usize::from(is_right(case, peer));
            }
        }
    };
    for (index, message) in messages(algorithm, hash).iter().enumerate() {
        let sign = Question::Sign {
            private: EncodedKey::private(&private, form).unwrap(),
            message: message.clone(),
            randomness: Randomness::Deterministic,
        };
        let peer = peers.iter().find(|peer| peer.name() == COMPLETE[index % 2]).unwrap();
        let signature = sign.ask(peer).value.unwrap();
        let signed = Signed::new(&private, other.public_key(), message, &signature).unwrap();
        for peer in &peers {
            let verdict = signed.valid().ask(peer).verdict;
            assert!(
                matches!(verdict, Verdict::Accepted | Verdict::Unsupported),
                "{}: {verdict}",
                peer.name()
            );
        }
        tally(hostile::from_signature(&signed, Depth::Quick));
        if index == 0 {
            tally(hostile::from_key(&signed));
        }
    }
    tally(hostile::standing(algorithm));
    assert!(answered > 100, "{algorithm}: {answered} answers");
}

/// Whether the peer took a stand. One that it took must be right.
fn is_right(case: &hostile::HostileCase, peer: &Native) -> bool {
    let answer = case.question.ask(peer);
    let context = format!("{} on {}: {answer:?}", case.name, peer.name());
    if answer.verdict == Verdict::Unsupported {
        assert!(!COMPLETE.contains(&peer.name()), "{context}");
        return false;
    }
    match case.expected_of(Kind::InProcess) {
        Expected::Accepted => assert_eq!(answer.verdict, Verdict::Accepted, "{context}"),
        Expected::Rejected => assert_eq!(answer.verdict, Verdict::Rejected, "{context}"),
        Expected::Policy => assert!(answer.verdict.is_decided(), "{context}"),
        Expected::Same => panic!("hostile cases have answers of their own: {context}"),
    }
    true
}
