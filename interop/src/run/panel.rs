//! The peers at one table: asks them many questions at once, each at its own pace.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pqsig::Algorithm;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Error, Observer, Options, Reproducers};
use crate::judge::{Judgement, Known, Statement, judge};
use crate::peer::{Caching, Kind, Peer};
use crate::question::{Answer, Question};
use crate::record::{Case, Check, Depth, Expected, VectorTally};
use crate::vectors;

pub(super) struct Panel<'a> {
    peers: Vec<Arc<dyn Peer>>,
    depth: Depth,
    observer: &'a dyn Observer,
    pool: ThreadPool,
    reproducers: Option<Reproducers>,
    interrupted: AtomicBool,
}

/// A question with those whom it is for.
pub(super) struct Ask {
    pub(super) question: Question,
    /// Indices of peers, in increasing order.
    pub(super) peers: Vec<usize>,
}

/// What a case is, apart from its question and answers.
pub(super) struct Title {
    /// The algorithm under test; a question about a relabelled key names another.
    pub(super) algorithm: Algorithm,
    pub(super) check: Check,
    pub(super) name: String,
    /// What sets the case apart from others of the same name.
    pub(super) setting: String,
    pub(super) signer: Option<String>,
    pub(super) expected: Expected,
}

impl Title {
    /// The id of the case.
    pub(super) fn id(&self) -> String {
        let mut parts = vec![self.algorithm.name(), self.check.name(), &self.name];
        parts.extend(Some(self.setting.as_str()).filter(|setting| !setting.is_empty()));
        parts.join("/")
    }
}

impl<'a> Panel<'a> {
    pub(super) fn new(options: &Options, observer: &'a dyn Observer) -> Result<Self, Error> {
        let mut names = BTreeSet::new();
        for peer in &options.peers {
            if !names.insert(peer.name().to_owned()) {
                return Err(Error::DuplicateName { name: peer.name().to_owned() });
            }
        }
        if options.peers.is_empty() {
            return Err(Error::NoPeers);
        }
        let threads = options.threads.map_or(0, std::num::NonZero::get);
        Ok(Panel {
            peers: options
                .peers
                .iter()
                .map(|peer| Arc::new(Caching::new(peer.clone())) as Arc<dyn Peer>)
                .collect(),
            depth: options.depth,
            observer,
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            reproducers: options.reproducers.clone().map(Reproducers::new),
            interrupted: AtomicBool::new(false),
        })
    }

    pub(super) fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    pub(super) fn depth(&self) -> Depth {
        self.depth
    }

    pub(super) fn peers(&self) -> &[Arc<dyn Peer>] {
        &self.peers
    }

    /// Those who have the algorithm at all.
    pub(super) fn having(&self, algorithm: Algorithm) -> Vec<usize> {
        (0..self.peers.len()).filter(|peer| self.peers[*peer].ability(algorithm).is_some()).collect()
    }

    /// Asks. The answers to each question come in the order of its peers.
    ///
    /// Backends of this process share the pool's threads. Each adapter has a thread of its own, which mostly waits, so that
    /// a slow one holds up nobody else.
    pub(super) fn ask(&self, what: &str, asks: &[Ask]) -> Result<Vec<Vec<Answer>>, Error> {
        let total: usize = asks.iter().map(|ask| ask.peers.len()).sum();
        let tally = Tally { panel: self, what, total: total as u64, done: AtomicU64::new(0) };
        let is_adapter = |peer: usize| self.peers[peer].identity().kind == Kind::Adapter;
        let mut of_peer: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.peers.len()];
        let mut shared = Vec::new();
        for (index, ask) in asks.iter().enumerate() {
            for (place, peer) in ask.peers.iter().enumerate() {
                if is_adapter(*peer) {
                    of_peer[*peer].push((index, place));
                } else {
                    shared.push((index, place));
                }
            }
        }
        let answer = |&(index, place): &(usize, usize)| {
            if self.interrupted.load(Ordering::Relaxed) {
                return None;
            }
            let Ask { question, peers } = &asks[index];
            let answer = question.ask(&*self.peers[peers[place]]);
            tally.one_more();
            Some(((index, place), answer))
        };

        let answered = std::thread::scope(|scope| {
            let adapters: Vec<_> = of_peer
                .iter()
                .filter(|places| !places.is_empty())
                .map(|places| scope.spawn(|| places.iter().map_while(answer).collect::<Vec<_>>()))
                .collect();
            let mut answered: Vec<_> =
                self.pool.install(|| shared.par_iter().with_max_len(1).filter_map(answer).collect());
            for adapter in adapters {
                answered.extend(adapter.join().unwrap_or_default());
            }
            answered
        });
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let mut answers: Vec<Vec<Option<Answer>>> =
            asks.iter().map(|ask| vec![None; ask.peers.len()]).collect();
        for ((index, place), answer) in answered {
            answers[index][place] = Some(answer);
        }
        // `Question::ask` catches what a peer does, so that an answer can be missing only by a fault of our own.
        let or_failed = |answer: Option<Answer>| answer.unwrap_or_else(Answer::missing);
        Ok(answers.into_iter().map(|row| row.into_iter().map(or_failed).collect()).collect())
    }

    /// Judges the answers to a question and makes them a case; also the bytes that won, if bytes were compared.
    pub(super) fn case(
        &self,
        title: Title,
        ask: &Ask,
        reference: Option<&[u8]>,
        answers: Vec<Answer>,
    ) -> Result<(Case, Option<Vec<u8>>), Error> {
        let statements: Vec<_> = ask
            .peers
            .iter()
            .zip(answers)
            .map(|(peer, answer)| Statement { who: self.peers[*peer].identity(), answer })
            .collect();
        let signer = title.signer.as_deref().filter(|_| title.check == Check::Exchange);
        let known = Known { reference, signer };
        let Judgement { answers, finding, winner } = judge(&ask.question, title.expected, known, &statements);
        let mut case = Case {
            id: title.id(),
            algorithm: title.algorithm,
            check: title.check,
            name: title.name,
            signer: title.signer,
            expected: title.expected,
            answers,
            finding,
        };
        if let Some(reproducers) = &self.reproducers {
            let asked: Vec<_> = statements.iter().map(|statement| statement.who).collect();
            reproducers.keep(&mut case, &ask.question, reference, &asked)?;
        }
        Ok((case, winner))
    }

    /// Runs the published vectors.
    pub(super) fn vectors(
        &self,
        algorithms: &[Algorithm],
        whole_acvp: Option<&Path>,
    ) -> Result<(Vec<VectorTally>, Vec<Case>), Error> {
        let progress = |done: u64, total: u64| self.report(done, total, "vectors");
        let outcome =
            self.pool.install(|| vectors::run(&self.peers, algorithms, self.depth, whole_acvp, &progress))?;
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let mut cases = Vec::new();
        for vectors::Failure { mut case, question, reference } in outcome.failures {
            if let Some(reproducers) = &self.reproducers {
                let asked: Vec<_> = self
                    .peers
                    .iter()
                    .map(|peer| peer.identity())
                    .filter(|identity| case.answers.contains_key(&identity.name))
                    .collect();
                reproducers.keep(&mut case, &question, reference.as_deref(), &asked)?;
            }
            cases.push(case);
        }
        Ok((outcome.tallies, cases))
    }

    fn report(&self, done: u64, total: u64, what: &str) -> ControlFlow<()> {
        let flow = self.observer.progress(done, total, what);
        if flow.is_break() {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        flow
    }
}

/// How far a stage is.
struct Tally<'a> {
    panel: &'a Panel<'a>,
    what: &'a str,
    total: u64,
    done: AtomicU64,
}

impl Tally<'_> {
    fn one_more(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        // A `Break` is remembered by the panel, which every thread looks at.
        let _ = self.panel.report(done, self.total, self.what);
    }
}
