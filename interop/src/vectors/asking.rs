//! Puts vectors to peers, at each peer's own pace.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pqsig::Algorithm;
use rayon::prelude::*;

use super::vector::{Audience, Effort, Vector};
use super::{Cell, Meter};
use crate::peer::{Kind, Peer};
use crate::record::Depth;

const LEFT_TO_FULL: &str = "takes long: left to --full";
const OUT_OF_PATIENCE: &str = "the adapter's time for this set was used up";

/// Which vector to put to which peer, by their indices: every one that is for the peer and of an algorithm that it has.
pub(super) fn plan(vectors: &[Vector], peers: &[Arc<dyn Peer>], depth: Depth) -> Plan {
    let mut plan = Plan { asked: Vec::new(), left_out: Vec::new() };
    for (column, peer) in peers.iter().enumerate() {
        let mut has: HashMap<Algorithm, bool> = HashMap::new();
        let kind = peer.identity().kind;
        for (row, vector) in vectors.iter().enumerate() {
            let is_for_it = match vector.audience {
                Audience::Everyone => true,
                Audience::InProcess => kind == Kind::InProcess,
                Audience::Adapters => kind == Kind::Adapter,
            };
            let knows =
                *has.entry(vector.algorithm).or_insert_with(|| peer.ability(vector.algorithm).is_some());
            if !is_for_it || !knows {
                continue;
            }
            if vector.effort == Effort::Much && depth == Depth::Quick {
                plan.left_out.push((row, column));
            } else {
                plan.asked.push((row, column));
            }
        }
    }
    plan
}

pub(super) struct Plan {
    asked: Vec<(usize, usize)>,
    left_out: Vec<(usize, usize)>,
}

impl Plan {
    pub(super) fn len(&self) -> usize {
        self.asked.len()
    }
}

/// The answers: a row for each vector, a column for each peer, `None` where nothing was planned or the run was ended. An
/// adapter is asked about one suite and algorithm for as long as `patience` says.
pub(super) fn ask(
    vectors: &[Vector],
    peers: &[Arc<dyn Peer>],
    plan: &Plan,
    patience: Duration,
    meter: &Meter<'_>,
) -> Vec<Vec<Option<Cell>>> {
    let mut shared = Vec::new();
    let mut alone: Vec<Vec<(usize, usize)>> = vec![Vec::new(); peers.len()];
    for &(row, column) in &plan.asked {
        match peers[column].identity().kind {
            Kind::InProcess => shared.push((row, column)),
            Kind::Adapter => alone[column].push((row, column)),
        }
    }
    let answer = |&(row, column): &(usize, usize)| {
        if meter.is_ended() {
            return None;
        }
        let (question, answer) = vectors[row].ask(peers[column].as_ref());
        meter.one_more();
        Some((row, column, Cell::Answered { question, answer }))
    };
    let answered = std::thread::scope(|scope| {
        let adapters: Vec<_> = alone
            .iter()
            .filter(|places| !places.is_empty())
            .map(|places| {
                let mut patience = Patience { most: patience, since: HashMap::new() };
                scope.spawn(move || {
                    let one = |&(row, column): &(usize, usize)| {
                        if patience.is_over(&vectors[row]) {
                            meter.one_more();
                            return Some((row, column, Cell::LeftOut(OUT_OF_PATIENCE)));
                        }
                        answer(&(row, column))
                    };
                    places.iter().map_while(one).collect::<Vec<_>>()
                })
            })
            .collect();
        // A signature can take seconds: no thread should sit on a batch of them while others are idle.
        let mut answered: Vec<_> = shared.par_iter().with_max_len(1).filter_map(answer).collect();
        for adapter in adapters {
            // The thread does nothing that could panic: `Question::ask` catches what a peer does.
            answered.extend(adapter.join().unwrap_or_default());
        }
        answered
    });

    let mut table: Vec<Vec<Option<Cell>>> = Vec::new();
    table.resize_with(vectors.len(), || {
        let mut row = Vec::new();
        row.resize_with(peers.len(), || None);
        row
    });
    for &(row, column) in &plan.left_out {
        table[row][column] = Some(Cell::LeftOut(LEFT_TO_FULL));
    }
    for (row, column, cell) in answered {
        table[row][column] = Some(cell);
    }
    table
}

/// How long an adapter has been asked about a suite and algorithm.
struct Patience {
    most: Duration,
    since: HashMap<(&'static str, Algorithm), Instant>,
}

impl Patience {
    fn is_over(&mut self, vector: &Vector) -> bool {
        let since = self.since.entry((vector.suite, vector.algorithm)).or_insert_with(Instant::now);
        since.elapsed() > self.most
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    use pqsig::backend;

    use super::*;
    use crate::key::EncodedKey;
    use crate::peer::{Ability, Identity, KeyPair, Native, Reply, Signer, Verifier};
    use crate::vectors::{judge, wycheproof};

    /// A backend that passes for an adapter.
    struct Adapter(Native, Identity);

    fn adapter(backend: &str) -> Arc<dyn Peer> {
        let native = Native::new(backend::by_name(backend).unwrap()).unwrap();
        let identity = Identity { kind: Kind::Adapter, ..native.identity().clone() };
        Arc::new(Adapter(native, identity))
    }

    impl Peer for Adapter {
        fn identity(&self) -> &Identity {
            &self.1
        }

        fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
            self.0.ability(algorithm)
        }

        fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
            self.0.generate(algorithm, seed)
        }

        fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
            self.0.public_key(private)
        }

        fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
            self.0.signer(private)
        }

        fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
            self.0.verifier(public)
        }
    }

    /// What an adapter had no time for is counted, and never a pass.
    #[test]
    fn an_adapters_time_is_bounded() {
        let vectors = wycheproof::vectors(&[Algorithm::Ed25519]).unwrap();
        let peers = [adapter("rustcrypto"), adapter("openssl")];
        let plan = plan(&vectors, &peers, Depth::Full);
        assert_eq!(plan.len(), 2 * 151);
        for (patience, passed) in [(Duration::ZERO, 0), (Duration::MAX, 151)] {
            let meter = Meter {
                total: plan.len() as u64,
                done: AtomicU64::new(0),
                ended: AtomicBool::new(false),
                progress: &|_, _| ControlFlow::Continue(()),
            };
            let outcome = judge(&vectors, &peers, ask(&vectors, &peers, &plan, patience, &meter));
            assert_eq!(outcome.tallies.len(), 2);
            for tally in outcome.tallies {
                assert_eq!(tally.failed, 0);
                // The clock may stand still for the first ones.
                assert!(tally.passed >= passed && tally.passed <= passed.max(20), "{tally:?}");
                assert_eq!(tally.passed + tally.skipped.values().sum::<u64>(), 151);
                assert!(tally.skipped.keys().all(|why| why == OUT_OF_PATIENCE));
            }
        }
    }
}
