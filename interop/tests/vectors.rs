//! Published vectors on every backend, with executed and skipped counts asserted: a vector that is skipped fails a test.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pqsig::{Algorithm, Family, backend};
use pqsig_interop::key::EncodedKey;
use pqsig_interop::message::{Message, Randomness};
use pqsig_interop::peer::{
    Ability, Caching, Identity, KeyPair, Native, Peer, Refusal, Reply, Signer, Verifier,
};
use pqsig_interop::question::{Question, Verdict};
use pqsig_interop::record::{Check, Depth};
use pqsig_interop::vectors::{self, Outcome};

fn native(name: &str) -> Arc<dyn Peer> {
    Arc::new(Native::new(backend::by_name(name).unwrap()).unwrap())
}

fn peers() -> Vec<Arc<dyn Peer>> {
    backend::NAMES.iter().map(|name| Arc::new(Caching::new(native(name))) as Arc<dyn Peer>).collect()
}

fn quick(peers: &[Arc<dyn Peer>], algorithms: &[Algorithm]) -> Outcome {
    vectors::run(peers, algorithms, Depth::Quick, None, &|_, _| ControlFlow::Continue(())).unwrap()
}

/// The cases of each file and set: (suite, group, algorithm, cases).
fn expected(algorithm: Algorithm) -> Vec<(&'static str, String, u64)> {
    let wycheproof = |size: u64, counts: [u64; 3]| {
        ["verify", "sign_seed", "sign_noseed"]
            .into_iter()
            .zip(counts)
            .map(|(kind, count)| ("wycheproof", format!("mldsa_{size}_{kind}"), count))
            .chain([("accumulated", "100 rounds".to_owned(), 1)])
            .collect::<Vec<_>>()
    };
    let acvp = |counts: [u64; 3]| {
        ["keyGen", "sigGen", "sigVer"]
            .into_iter()
            .zip(counts)
            .map(|(task, count)| ("acvp", task.to_owned(), count))
            .collect::<Vec<_>>()
    };
    match algorithm {
        Algorithm::MlDsa44 => [wycheproof(44, [180, 86, 73]), acvp([25, 8, 8])].concat(),
        Algorithm::MlDsa65 => [wycheproof(65, [210, 105, 78]), acvp([25, 120, 60])].concat(),
        Algorithm::MlDsa87 => [wycheproof(87, [241, 96, 69]), acvp([25, 8, 8])].concat(),
        Algorithm::SlhDsaSha2_192f => acvp([10, 52, 42]),
        Algorithm::Ed25519 => vec![("wycheproof", "ed25519_verify".to_owned(), 151)],
        _ => acvp([10, 6, 3]),
    }
}

/// What `--quick` leaves out for its cost, of slow SLH-DSA sets.
fn left_to_full(algorithm: Algorithm, group: &str, count: u64) -> u64 {
    let is_slh_dsa = algorithm.family() == Family::SlhDsa;
    let is_small = is_slh_dsa && algorithm.name().ends_with('s');
    let run = match group {
        "keyGen" if is_small => 1,
        "sigGen" if is_small => u64::from(!algorithm.uses_shake()),
        "sigGen" if algorithm.uses_shake() => 2,
        _ => count,
    };
    count - run
}

#[test]
fn every_vector_runs_on_every_backend_that_supports_it() {
    let peers = peers();
    let algorithms: Vec<_> = Algorithm::all().collect();
    let done = AtomicU64::new(0);
    let progress = |now: u64, total: u64| {
        assert!((1..=total).contains(&now));
        done.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    };
    let outcome = vectors::run(&peers, &algorithms, Depth::Quick, None, &progress).unwrap();
    for failure in &outcome.failures {
        eprintln!("{}: {:?}", failure.case.id, failure.case.finding);
    }
    assert_eq!(outcome.failures.len(), 0);

    let mut tallies: BTreeMap<_, _> = BTreeMap::new();
    for tally in &outcome.tallies {
        let key = (tally.peer.clone(), tally.algorithm.name(), tally.suite.clone(), tally.group.clone());
        assert!(tallies.insert(key, tally).is_none(), "two tallies of the same: {tally:?}");
    }
    let mut asked = 0;
    for peer in &peers {
        for algorithm in Algorithm::all().filter(|algorithm| peer.ability(*algorithm).is_some()) {
            for (suite, group, count) in expected(algorithm) {
                let key = (peer.name().to_owned(), algorithm.name(), suite.to_owned(), group.clone());
                let tally = tallies.remove(&key).unwrap_or_else(|| panic!("nothing of {key:?}"));
                assert_eq!(tally.failed, 0, "{tally:?}");
                let skipped: u64 = tally.skipped.values().sum();
                assert_eq!(tally.passed + skipped, count, "{tally:?}");
                let takes_mu = peer.ability(algorithm).is_some_and(|ability| ability.external_mu);
                let is_ml_dsa = algorithm.family() == Family::MlDsa;
                let lacking = if takes_mu || !is_ml_dsa { 0 } else { of_mu(algorithm, suite, &group) };
                assert_eq!(skipped, left_to_full(algorithm, &group, count) + lacking, "{tally:?}");
                asked += tally.passed + lacking;
            }
        }
    }
    assert!(tallies.is_empty(), "nobody expects {:?}", tallies.keys());
    assert_eq!(done.load(Ordering::Relaxed), asked);
}

/// The cases that give mu and nothing else: skipped, for this reason only, by a backend that takes no mu.
fn of_mu(algorithm: Algorithm, suite: &str, group: &str) -> u64 {
    match (suite, group) {
        ("acvp", "sigGen") if algorithm == Algorithm::MlDsa65 => 30,
        ("acvp", "sigVer") if algorithm == Algorithm::MlDsa65 => 15,
        ("acvp", "sigGen" | "sigVer") => 2,
        (_, "mldsa_44_sign_seed") => 8,
        (_, "mldsa_44_sign_noseed") => 7,
        (_, "mldsa_65_sign_seed" | "mldsa_87_sign_seed") => 17,
        (_, "mldsa_65_sign_noseed" | "mldsa_87_sign_noseed") => 10,
        _ => 0,
    }
}

/// A peer with one fault.
struct Faulty {
    peer: Arc<dyn Peer>,
    fault: Fault,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    AcceptsAll,
    SignsAnotherMessage,
    GeneratesFromAnotherSeed,
    Panics,
}

impl Peer for Faulty {
    fn identity(&self) -> &Identity {
        self.peer.identity()
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        self.peer.ability(algorithm)
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        match (self.fault, seed) {
            (Fault::Panics, _) => panic!("on purpose"),
            (Fault::GeneratesFromAnotherSeed, Some(seed)) => {
                let mut other = seed.to_vec();
                other[0] ^= 1;
                self.peer.generate(algorithm, Some(&other))
            }
            _ => self.peer.generate(algorithm, seed),
        }
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        self.peer.public_key(private)
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        Ok(Arc::new(FaultySigner { signer: self.peer.signer(private)?, fault: self.fault }))
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        Ok(Arc::new(FaultyVerifier { verifier: self.peer.verifier(public)?, fault: self.fault }))
    }
}

struct FaultySigner {
    signer: Arc<dyn Signer>,
    fault: Fault,
}

impl Signer for FaultySigner {
    fn sign(&self, message: &Message, randomness: &Randomness) -> Reply<Vec<u8>> {
        if self.fault != Fault::SignsAnotherMessage || message.data.is_empty() {
            return self.signer.sign(message, randomness);
        }
        let mut data = message.data.to_vec();
        data[0] ^= 1;
        self.signer.sign(&Message { data: data.into(), ..message.clone() }, randomness)
    }
}

struct FaultyVerifier {
    verifier: Arc<dyn Verifier>,
    fault: Fault,
}

impl Verifier for FaultyVerifier {
    fn verify(&self, message: &Message, signature: &[u8]) -> Reply<bool> {
        match self.fault {
            Fault::AcceptsAll => Ok(true),
            Fault::Panics => Err(Refusal::Failed("on purpose".to_owned())),
            _ => self.verifier.verify(message, signature),
        }
    }
}

/// Each fault is found, the outlier is named, and the question of each failure asks the same again.
#[test]
fn faults_are_found_and_named() {
    for (fault, group) in [
        (Fault::AcceptsAll, "mldsa_44_verify"),
        (Fault::SignsAnotherMessage, "mldsa_44_sign_seed"),
        (Fault::GeneratesFromAnotherSeed, "keyGen"),
        (Fault::Panics, "keyGen"),
    ] {
        let faulty: Arc<dyn Peer> = Arc::new(Faulty { peer: native("openssl"), fault });
        let peers = [native("rustcrypto"), faulty.clone()];
        let outcome = quick(&peers, &[Algorithm::MlDsa44]);
        assert!(
            outcome.tallies.iter().filter(|tally| tally.peer == "rustcrypto").all(|tally| tally.failed == 0)
        );
        let tally =
            outcome.tallies.iter().find(|tally| tally.peer == "openssl" && tally.group == group).unwrap();
        assert!(tally.failed > 0, "{tally:?}");
        let failed: u64 = outcome.tallies.iter().map(|tally| tally.failed).sum();
        assert_eq!(failed, outcome.failures.len() as u64, "each failure is a case");
        for failure in &outcome.failures {
            let finding = failure.case.finding.as_ref().unwrap();
            assert_eq!(finding.outliers, ["openssl"], "{}", failure.case.id);
            assert_eq!(failure.case.check, Check::Vectors);
            assert!(finding.summary.contains("openssl"), "{}", finding.summary);
            let again = failure.question.ask(faulty.as_ref());
            let right = failure.question.ask(peers[0].as_ref());
            if failure.case.name.starts_with("accumulated") && fault == Fault::GeneratesFromAnotherSeed {
                // The first question of the round is another than the one that went wrong: see its detail.
                assert!(finding.summary.contains("round 0 "), "{}", finding.summary);
            } else {
                assert!(
                    (again.verdict, &again.value) != (right.verdict, &right.value),
                    "{}: asked again, nothing differs",
                    failure.case.id
                );
            }
        }
    }
}

/// Where the vector gives only a digest and nobody has the right bytes, nobody is taken for right.
#[test]
fn a_majority_does_not_outvote_nist() {
    let faulty = |name: &str| -> Arc<dyn Peer> {
        Arc::new(Faulty { peer: native(name), fault: Fault::GeneratesFromAnotherSeed })
    };
    let peers = [faulty("rustcrypto"), faulty("openssl")];
    let outcome = quick(&peers, &[Algorithm::MlDsa44]);
    let case = &outcome.failures.iter().find(|failure| failure.case.name.contains("keyGen")).unwrap().case;
    let finding = case.finding.as_ref().unwrap();
    assert_eq!(finding.outliers.len(), 2, "{finding:?}");
    assert!(case.answers.values().all(|answer| answer.verdict != Verdict::Accepted));
    assert!(finding.summary.contains("SHA-256"), "{}", finding.summary);
}

#[test]
fn a_run_can_be_ended() {
    let done = AtomicU64::new(0);
    let progress = |now: u64, _: u64| {
        done.store(now, Ordering::Relaxed);
        if now < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    vectors::run(&peers(), &[Algorithm::MlDsa44], Depth::Quick, None, &progress).unwrap();
    assert!(done.load(Ordering::Relaxed) < 40);
}

/// Questions travel as files: one of each kind that vectors ask.
#[test]
fn questions_of_vectors_can_be_written() {
    let faulty: Arc<dyn Peer> = Arc::new(Faulty { peer: native("openssl"), fault: Fault::AcceptsAll });
    let outcome = quick(&[faulty], &[Algorithm::Ed25519]);
    assert!(!outcome.failures.is_empty());
    for failure in outcome.failures {
        let text = serde_json::to_string(&failure.question).unwrap();
        assert_eq!(serde_json::from_str::<Question>(&text).unwrap(), failure.question);
    }
}
