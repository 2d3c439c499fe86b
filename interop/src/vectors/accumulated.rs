//! Accumulated tests of ML-DSA (C2SP/CCTV): one digest over the public keys and deterministic signatures of many seeds. They
//! reach inputs that no list of vectors has room for.

use std::collections::BTreeMap;
use std::sync::Arc;

use pqsig::Algorithm;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use sha3::Shake128;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use super::{Failure, Meter, Outcome};
use crate::acvp;
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Randomness};
use crate::peer::{Kind, Peer};
use crate::question::{Answer, Question, Verdict};
use crate::record::{Case, Check, Expected, Finding, Recorded, VectorTally, Vote};

const SUITE: &str = "accumulated";

/// What is right for one parameter set.
pub(super) struct Set {
    pub(super) algorithm: Algorithm,
    few: &'static str,
    many: &'static str,
}

/// The digests after 100 and after 10,000 rounds, as CCTV publishes them.
pub(super) const SETS: [Set; 3] = [
    Set {
        algorithm: Algorithm::MlDsa44,
        few: "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
        many: "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143",
    },
    Set {
        algorithm: Algorithm::MlDsa65,
        few: "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
        many: "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329",
    },
    Set {
        algorithm: Algorithm::MlDsa87,
        few: "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
        many: "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60",
    },
];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rounds {
    Few,
    Many,
}

impl Rounds {
    fn count(self) -> usize {
        match self {
            Rounds::Few => 100,
            Rounds::Many => 10_000,
        }
    }
}

impl Set {
    fn right(&self, rounds: Rounds) -> &'static str {
        match rounds {
            Rounds::Few => self.few,
            Rounds::Many => self.many,
        }
    }
}

/// The sets of these algorithms.
pub(super) fn sets(algorithms: &[Algorithm]) -> Vec<&'static Set> {
    SETS.iter().filter(|set| algorithms.contains(&set.algorithm)).collect()
}

/// Runs every set on every peer that has its algorithm.
pub(super) fn run(
    sets: &[&Set],
    peers: &[Arc<dyn Peer>],
    rounds: impl Fn(&dyn Peer) -> Rounds + Sync,
    meter: &Meter<'_>,
    outcome: &mut Outcome,
) {
    let jobs: Vec<(&Set, &Arc<dyn Peer>)> = sets
        .iter()
        .flat_map(|set| peers.iter().map(move |peer| (*set, peer)))
        .filter(|(set, peer)| peer.ability(set.algorithm).is_some())
        .collect();
    let is_adapter = |peer: &Arc<dyn Peer>| peer.identity().kind == Kind::Adapter;
    let one = |set: &Set, peer: &Arc<dyn Peer>| {
        if meter.is_ended() {
            return None;
        }
        let rounds = rounds(peer.as_ref());
        let result = accumulate(set.algorithm, peer.as_ref(), rounds.count());
        meter.one_more();
        Some((rounds, result))
    };
    let mut results: Vec<Option<(Rounds, Accumulated)>> = Vec::new();
    results.resize_with(jobs.len(), || None);
    std::thread::scope(|scope| {
        // An adapter takes one request at a time: its sets follow each other on a thread of its own.
        let adapters: Vec<_> = peers
            .iter()
            .filter(|peer| is_adapter(peer))
            .map(|peer| {
                let mine: Vec<_> =
                    jobs.iter().enumerate().filter(|(_, job)| Arc::ptr_eq(job.1, peer)).collect();
                scope.spawn(move || {
                    mine.into_iter().map(|(index, (set, peer))| (index, one(set, peer))).collect::<Vec<_>>()
                })
            })
            .collect();
        for (index, (set, peer)) in jobs.iter().enumerate().filter(|(_, job)| !is_adapter(job.1)) {
            results[index] = one(set, peer);
        }
        for adapter in adapters {
            for (index, result) in adapter.join().unwrap_or_default() {
                results[index] = result;
            }
        }
    });
    for set in sets {
        let done: Vec<_> = jobs
            .iter()
            .zip(&results)
            .filter(|((of, _), _)| of.algorithm == set.algorithm)
            .filter_map(|((_, peer), result)| {
                result.as_ref().map(|(rounds, result)| (*peer, *rounds, result))
            })
            .collect();
        report(set, &done, outcome);
    }
}

/// A question that a peer made nothing of, with its answer.
type Stop = Box<(Question, Answer)>;

/// What a peer made of a set.
enum Accumulated {
    /// The digest of all, and one of each round.
    Digest { whole: [u8; 32], rounds: Vec<[u8; 32]> },
    /// It stopped at a question.
    Stopped(Stop),
}

/// Seeds come from one stream of SHAKE128; public keys and signatures of the empty message go into another.
fn accumulate(algorithm: Algorithm, peer: &dyn Peer, count: usize) -> Accumulated {
    // In batches, so that cores share the work and memory stays small.
    const BATCH: usize = 256;
    let mut seeds = Shake128::default().finalize_xof();
    let mut whole = Shake128::default();
    let mut rounds = Vec::with_capacity(count);
    while rounds.len() < count {
        let batch: Vec<[u8; 32]> =
            (0..BATCH.min(count - rounds.len())).map(|_| next_seed(&mut seeds)).collect();
        let round = |seed: &[u8; 32]| round(algorithm, peer, seed);
        let made: Vec<_> = match peer.identity().kind {
            Kind::InProcess => batch.par_iter().map(round).collect(),
            Kind::Adapter => batch.iter().map(round).collect(),
        };
        for made in made {
            match made {
                Ok((public, signature)) => {
                    whole.update(&public);
                    whole.update(&signature);
                    rounds
                        .push(Sha256::new().chain_update(&public).chain_update(&signature).finalize().into());
                }
                Err(stop) => return Accumulated::Stopped(stop),
            }
        }
    }
    let mut digest = [0; 32];
    whole.finalize_xof().read(&mut digest);
    Accumulated::Digest { whole: digest, rounds }
}

fn next_seed(seeds: &mut impl XofReader) -> [u8; 32] {
    let mut seed = [0; 32];
    seeds.read(&mut seed);
    seed
}

fn round(algorithm: Algorithm, peer: &dyn Peer, seed: &[u8; 32]) -> Result<(Vec<u8>, Vec<u8>), Stop> {
    let [derive, sign] = questions(algorithm, seed);
    let public = value(&derive, peer)?;
    let signature = value(&sign, peer)?;
    Ok((public, signature))
}

fn questions(algorithm: Algorithm, seed: &[u8; 32]) -> [Question; 2] {
    let private = EncodedKey { algorithm, form: KeyForm::RawSeed, bytes: seed.to_vec() };
    [
        Question::Derive { algorithm, seed: seed.to_vec() },
        Question::Sign { private, message: Message::pure([]), randomness: Randomness::Deterministic },
    ]
}

fn value(question: &Question, peer: &dyn Peer) -> Result<Vec<u8>, Stop> {
    let answer = acvp::ask_peer(question, peer);
    answer.value.clone().ok_or_else(|| Box::new((question.clone(), answer)))
}

/// Counts a set, and names the round in which those who are wrong went wrong, if somebody is right.
fn report(set: &Set, done: &[(&Arc<dyn Peer>, Rounds, &Accumulated)], outcome: &mut Outcome) {
    let is_right = |rounds: Rounds, result: &Accumulated| match result {
        Accumulated::Digest { whole, .. } => hex::encode(whole) == set.right(rounds),
        Accumulated::Stopped(_) => false,
    };
    let model = done.iter().filter(|(_, rounds, result)| is_right(*rounds, result)).max_by_key(|done| done.1);
    let model = model.and_then(|(_, _, result)| match result {
        Accumulated::Digest { rounds, .. } => Some(rounds),
        Accumulated::Stopped(_) => None,
    });
    for (peer, rounds, result) in done {
        let mut tally = VectorTally {
            suite: SUITE.to_owned(),
            group: format!("{} rounds", rounds.count()),
            algorithm: set.algorithm,
            peer: peer.name().to_owned(),
            passed: 0,
            failed: 0,
            skipped: BTreeMap::new(),
        };
        match result {
            _ if is_right(*rounds, result) => tally.passed = 1,
            Accumulated::Stopped(stop) if stop.1.verdict == Verdict::Unsupported => {
                let why = stop.1.detail.clone().unwrap_or_else(|| "unsupported".to_owned());
                tally.skipped.insert(why, 1);
            }
            _ => {
                tally.failed = 1;
                outcome.failures.push(failure(set, peer.as_ref(), *rounds, result, model));
            }
        }
        outcome.tallies.push(tally);
    }
}

fn failure(
    set: &Set,
    peer: &dyn Peer,
    rounds: Rounds,
    result: &Accumulated,
    model: Option<&Vec<[u8; 32]>>,
) -> Failure {
    let algorithm = set.algorithm;
    let name = peer.name().to_owned();
    let (question, verdict, detail) = match result {
        Accumulated::Stopped(stop) => {
            let (question, answer) = &**stop;
            let why = answer.detail.clone().unwrap_or_else(|| "made nothing".to_owned());
            (question.clone(), answer.verdict, why)
        }
        Accumulated::Digest { whole, rounds: made } => {
            let wrong =
                model.and_then(|model| made.iter().zip(model).position(|(made, right)| made != right));
            let mut seeds = Shake128::default().finalize_xof();
            let skipped = (0..wrong.unwrap_or(0)).map(|_| next_seed(&mut seeds)).count();
            let [_, sign] = questions(algorithm, &next_seed(&mut seeds));
            let digest = format!("the digest is {}, {} is right", hex::encode(whole), set.right(rounds));
            let detail = match wrong {
                Some(_) => format!("round {skipped} (counted from 0) is the first that differs; {digest}"),
                None => digest,
            };
            (sign, Verdict::Rejected, detail)
        }
    };
    let vote = Vote {
        answer: detail.clone(),
        lineages: vec![peer.identity().lineage(algorithm).to_owned()],
        peers: vec![name.clone()],
    };
    let finding = Finding {
        outliers: vec![name.clone()],
        votes: vec![vote],
        summary: format!("{name}: {detail}"),
        reproducer: None,
        known: None,
    };
    let group = format!("{} rounds", rounds.count());
    let case = Case {
        id: format!("{algorithm}/{}/{SUITE}/{group}/{name}", Check::Vectors.name()),
        algorithm,
        check: Check::Vectors,
        name: format!("{SUITE}, {group}"),
        signer: None,
        expected: Expected::Same,
        answers: BTreeMap::from([(name, Recorded { verdict, detail: Some(detail) })]),
        finding: Some(finding),
    };
    Failure { case, question, reference: None }
}
