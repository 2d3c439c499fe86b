//! What the sampler adds to one operation. The same signatures are made in a bare loop and by the sampler, in
//! short blocks that are interleaved (A B B A), round after round. Prints one JSON object per algorithm and
//! backend:
//!
//! ```text
//! {"algorithm":"Ed25519","backend":"openssl","operations":1000,"rounds":64,"bare_ns":32080.6,
//!  "sampled_ns":32113.7,"ratio":1.00103,"empty_ns":27.1,"empty_ratio":1.00084}
//! ```
//! The times are those of one operation, from each block's least time: other work of the machine only ever
//! adds to a block, so the least of many rounds is the undisturbed one. `operations` is how many different
//! ones there were. `empty_ns` is the time of one sampled operation that does nothing: the same cost seen
//! alone, which a busy machine blurs less, and `empty_ratio` what it makes of the bare operation.
//!
//! Run it with `cargo run --release -p pqsig-speed --example sampler_overhead`.

#![expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]

use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use pqsig::backend::ranking::ranked;
use pqsig::{Algorithm, Backend, Message, PrivateKey, Randomness, SigningKey};
use pqsig_speed::clock::{Clock, Monotonic};
use pqsig_speed::sampler::{Lane, Slice};
use pqsig_speed::workload::{Failure, Workload};
use serde::Serialize;

/// Each round takes the time of every block twice on either side.
const ROUNDS: u32 = 32;
const BLOCKS: usize = 25;
const EMPTY_OPERATIONS: u64 = 10_000;

#[derive(Serialize)]
struct Overhead {
    algorithm: &'static str,
    backend: String,
    operations: u64,
    rounds: u32,
    bare_ns: f64,
    sampled_ns: f64,
    ratio: f64,
    empty_ns: f64,
    empty_ratio: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    // Blocks of about a millisecond: short enough that some rounds of each go undisturbed, even on a busy
    // machine.
    for (algorithm, operations_per_block) in [(Algorithm::Ed25519, 40), (Algorithm::MlDsa65, 2)] {
        for backend in ranked(algorithm) {
            let overhead = measure(algorithm, &backend, operations_per_block)?;
            println!("{}", serde_json::to_string(&overhead)?);
        }
    }
    Ok(())
}

fn measure(algorithm: Algorithm, backend: &Backend, per_block: u64) -> Result<Overhead, Box<dyn Error>> {
    let clock = Monotonic::start();
    let seed = vec![7; algorithm.parameters().seed];
    let signing = Signing {
        key: Arc::new(backend.signing_key(&PrivateKey::from_seed(algorithm, &seed)?)?),
        block: Arc::default(),
        per_block,
    };
    let mut lane = Lane::new(Box::new(signing.clone()), 0, 1);
    let mut bare_ns = [u64::MAX; BLOCKS];
    let mut sampled_ns = bare_ns;
    for _ in 0..ROUNDS {
        for ((block, bare_ns), sampled_ns) in (0..).zip(&mut bare_ns).zip(&mut sampled_ns) {
            signing.block.store(block, Ordering::Relaxed);
            keep_least(bare_ns, run_bare(&signing, &clock)?);
            keep_least(sampled_ns, run_sampled(&mut lane, per_block, &clock)?);
            keep_least(sampled_ns, run_sampled(&mut lane, per_block, &clock)?);
            keep_least(bare_ns, run_bare(&signing, &clock)?);
        }
    }
    let operations = BLOCKS as u64 * per_block;
    let per_operation = |ns: [u64; BLOCKS]| ns.iter().sum::<u64>() as f64 / operations as f64;
    let (bare_ns, sampled_ns) = (per_operation(bare_ns), per_operation(sampled_ns));
    let empty_ns = empty(&clock)?;
    Ok(Overhead {
        algorithm: algorithm.name(),
        backend: backend.name(),
        operations,
        rounds: 2 * ROUNDS,
        bare_ns,
        sampled_ns,
        ratio: sampled_ns / bare_ns,
        empty_ns,
        empty_ratio: 1.0 + empty_ns / bare_ns,
    })
}

fn keep_least(least_ns: &mut u64, ns: u64) {
    *least_ns = ns.min(*least_ns);
}

fn run_bare(signing: &Signing, clock: &Monotonic) -> Result<u64, pqsig::Error> {
    let start = clock.now_ns();
    for index in 0..signing.per_block {
        signing.sign(index)?;
    }
    Ok(clock.now_ns() - start)
}

/// A slice without an end of its own, which the end of the block ends.
fn run_sampled(lane: &mut Lane, operations: u64, clock: &Monotonic) -> Result<u64, Failure> {
    lane.rewind();
    let start = clock.now_ns();
    lane.measure(clock, Slice { budget_ns: u64::MAX, batch: 1, warm: false });
    let elapsed_ns = clock.now_ns() - start;
    match lane.take_failure() {
        Some(failure) if (lane.samples_ns().len() as u64) < operations => Err(failure),
        _ => Ok(elapsed_ns),
    }
}

/// The time of one sampled operation that does nothing.
fn empty(clock: &Monotonic) -> Result<f64, Failure> {
    let mut lane = Lane::new(Box::new(Nothing), 0, 1);
    let mut least_ns = u64::MAX;
    for _ in 0..2 * ROUNDS {
        keep_least(&mut least_ns, run_sampled(&mut lane, EMPTY_OPERATIONS, clock)?);
    }
    Ok(least_ns as f64 / EMPTY_OPERATIONS as f64)
}

/// Signs without randomness, and how long ML-DSA takes depends on the message: the same index of the same
/// block always is the same work.
#[derive(Clone)]
struct Signing {
    key: Arc<SigningKey>,
    block: Arc<AtomicU64>,
    per_block: u64,
}

impl Signing {
    fn sign(&self, index: u64) -> Result<(), pqsig::Error> {
        let mut message = [0; 32];
        message[..8].copy_from_slice(&self.block.load(Ordering::Relaxed).to_le_bytes());
        message[8..16].copy_from_slice(&index.to_le_bytes());
        black_box(self.key.sign(&Message::pure(&message), Randomness::Deterministic)?);
        Ok(())
    }
}

impl Workload for Signing {
    fn operate(&mut self, index: u64) -> Result<(), Failure> {
        if index == self.per_block {
            return Err(Failure::new("the block ends"));
        }
        Ok(self.sign(index)?)
    }
}

struct Nothing;

impl Workload for Nothing {
    fn operate(&mut self, index: u64) -> Result<(), Failure> {
        if black_box(index) == EMPTY_OPERATIONS { Err(Failure::new("the block ends")) } else { Ok(()) }
    }
}
