//! Published test vectors, put to every peer: Project Wycheproof, NIST's ACVP, and accumulated tests.
//!
//! A vector is a question (or several that have the same answer) and what is right. Each peer that has the algorithm is asked;
//! what it does not support, and what is left out, is counted by reason.

mod accumulated;
mod acvp;
mod asking;
mod vector;
mod wycheproof;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use pqsig::Algorithm;

use self::vector::Vector;
use crate::peer::{Kind, Peer};
use crate::question::{Answer, Question};
use crate::record::{Case, Depth, VectorTally};

/// Why vectors could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error(transparent)]
    Acvp(#[from] crate::acvp::Error),

    #[error("the vectors of Project Wycheproof can't be read: {reason}")]
    Wycheproof { reason: String },
}

/// Called with how many answers are there and how many are awaited. `Break` ends the run early.
pub type Progress<'a> = &'a (dyn Fn(u64, u64) -> ControlFlow<()> + Sync);

/// What the vectors came to.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// One for each suite, group, algorithm and peer, in this order.
    pub tallies: Vec<VectorTally>,
    /// What failed.
    pub failures: Vec<Failure>,
}

/// A vector that a peer got wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The vector as a case, with its finding.
    pub case: Case,
    /// The question that asks the same again.
    pub question: Question,
    /// The bytes that are right, where they are known.
    pub reference: Option<Vec<u8>>,
}

/// The longest time that an adapter is asked about one suite and algorithm: an implementation in an interpreter would
/// need hours for all of SLH-DSA. What is left then is counted as skipped.
fn patience(depth: Depth) -> Duration {
    match depth {
        Depth::Quick => Duration::from_secs(10),
        Depth::Full => Duration::from_mins(2),
    }
}

/// Runs every vector for these algorithms on every peer that has them.
///
/// `whole_acvp` is the folder that `scripts/acvp.sh` prints: backends of this process then run NIST's whole sets in place of
/// the part that is in the program. Adapters always run that part. [`Depth::Quick`] leaves most key pairs
/// and signatures of the slow SLH-DSA sets out, which take up to seconds each, and accumulates 100 rounds; [`Depth::Full`] leaves nothing out
/// and accumulates 10,000 (adapters: 100).
///
/// Peers of this process share the threads of the rayon pool that this is called in; each adapter has a thread of its own. Wrap
/// peers in [`crate::peer::Caching`]: Wycheproof asks a hundred questions about one key.
///
/// # Errors
/// [`Error`]. A peer that breaks is a failure, and no error.
pub fn run(
    peers: &[Arc<dyn Peer>],
    algorithms: &[Algorithm],
    depth: Depth,
    whole_acvp: Option<&Path>,
    progress: Progress<'_>,
) -> Result<Outcome, Error> {
    let mut vectors = wycheproof::vectors(algorithms)?;
    vectors.extend(acvp::vectors(algorithms, whole_acvp)?);
    let sets = accumulated::sets(algorithms);
    let rounds = |peer: &dyn Peer| match (depth, peer.identity().kind) {
        (Depth::Full, Kind::InProcess) => accumulated::Rounds::Many,
        _ => accumulated::Rounds::Few,
    };

    let plan = asking::plan(&vectors, peers, depth);
    let has = |peer: &dyn Peer, algorithm| peer.ability(algorithm).is_some();
    let accumulating =
        sets.iter().map(|set| peers.iter().filter(|peer| has(peer.as_ref(), set.algorithm)).count());
    let total = plan.len() + accumulating.sum::<usize>();
    let meter =
        Meter { total: total as u64, done: AtomicU64::new(0), ended: AtomicBool::new(false), progress };

    let table = asking::ask(&vectors, peers, &plan, patience(depth), &meter);
    let mut outcome = judge(&vectors, peers, table);
    accumulated::run(&sets, peers, rounds, &meter, &mut outcome);
    Ok(outcome)
}

/// What is known of one vector by one peer.
enum Cell {
    /// It was asked, and answered one of the vector's questions.
    Answered { question: usize, answer: Answer },
    /// It was not, for this reason.
    LeftOut(&'static str),
}

fn judge(vectors: &[Vector], peers: &[Arc<dyn Peer>], table: Vec<Vec<Option<Cell>>>) -> Outcome {
    let mut tallies: BTreeMap<_, VectorTally> = BTreeMap::new();
    let mut failures = Vec::new();
    for (vector, cells) in vectors.iter().zip(table) {
        let mut answers = Vec::new();
        for (peer, cell) in cells.into_iter().enumerate() {
            let place = (vector.suite, vector.algorithm, vector.group.clone(), peer);
            let tally = || vector.tally(peers[peer].name());
            match cell {
                None => {}
                Some(Cell::LeftOut(why)) => {
                    let tally = tallies.entry(place).or_insert_with(tally);
                    *tally.skipped.entry(why.to_owned()).or_default() += 1;
                }
                Some(Cell::Answered { question, answer }) => {
                    vector.count(&answer, tallies.entry(place).or_insert_with(tally));
                    answers.push((peers[peer].identity(), question, answer));
                }
            }
        }
        failures.extend(vector.failure(answers));
    }
    Outcome { tallies: tallies.into_values().collect(), failures }
}

/// Counts answers, and knows whether the run was ended.
struct Meter<'a> {
    total: u64,
    done: AtomicU64,
    ended: AtomicBool,
    progress: Progress<'a>,
}

impl Meter<'_> {
    fn one_more(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if (self.progress)(done, self.total).is_break() {
            self.ended.store(true, Ordering::Relaxed);
        }
    }

    fn is_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}
