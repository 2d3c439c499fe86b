//! A clock and workloads of which every duration is known.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::clock::Clock;
use crate::record::{self, Timeline};
use crate::workload::{Failure, Identity, NotReady, Source, Workload};

/// A clock that moves when a workload says so, and by a fixed cost at each reading. It shows whole steps
/// only.
#[derive(Clone, Debug)]
#[expect(clippy::struct_field_names, reason = "units stand in names")]
pub(crate) struct Tick {
    now_ns: Arc<AtomicU64>,
    read_cost_ns: u64,
    step_ns: u64,
}

impl Default for Tick {
    fn default() -> Self {
        Tick { now_ns: Arc::default(), read_cost_ns: 0, step_ns: 1 }
    }
}

impl Tick {
    pub(crate) fn with_read_cost(read_cost_ns: u64) -> Self {
        Tick { read_cost_ns, ..Tick::default() }
    }

    pub(crate) fn with_step(step_ns: u64, read_cost_ns: u64) -> Self {
        Tick { read_cost_ns, step_ns, ..Tick::default() }
    }

    /// The time, without the cost of reading it.
    pub(crate) fn peek_ns(&self) -> u64 {
        self.now_ns.load(Ordering::SeqCst)
    }

    pub(crate) fn advance(&self, by_ns: u64) {
        self.now_ns.fetch_add(by_ns, Ordering::SeqCst);
    }
}

impl Clock for Tick {
    fn now_ns(&self) -> u64 {
        let now = self.now_ns.fetch_add(self.read_cost_ns, Ordering::SeqCst);
        now / self.step_ns * self.step_ns
    }
}

/// A workload whose operation `index` takes `durations[index % length]`.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    durations_ns: Vec<u64>,
    drift_ppm: u64,
    fails_at: Option<u64>,
    fails_after: Option<usize>,
    panics_at: Option<u64>,
    seen: Arc<Mutex<Vec<u64>>>,
}

impl Script {
    pub(crate) fn cycle(durations_ns: impl Into<Vec<u64>>) -> Self {
        Script {
            durations_ns: durations_ns.into(),
            drift_ppm: 0,
            fails_at: None,
            fails_after: None,
            panics_at: None,
            seen: Arc::default(),
        }
    }

    /// Every operation takes longer by this part of the time that the clock shows.
    pub(crate) fn drifting(mut self, ppm: u64) -> Self {
        self.drift_ppm = ppm;
        self
    }

    pub(crate) fn failing_at(mut self, index: u64) -> Self {
        self.fails_at = Some(index);
        self
    }

    /// Fails when this many operations have been done, whatever their indices.
    pub(crate) fn failing_after(mut self, operations: usize) -> Self {
        self.fails_after = Some(operations);
        self
    }

    pub(crate) fn panicking_at(mut self, index: u64) -> Self {
        self.panics_at = Some(index);
        self
    }

    /// The indices of the operations, as they are done.
    pub(crate) fn seen(&self) -> Arc<Mutex<Vec<u64>>> {
        Arc::clone(&self.seen)
    }

    pub(crate) fn on(self, clock: &Tick) -> Box<dyn Workload> {
        Box::new(Scripted { script: self, clock: clock.clone() })
    }
}

struct Scripted {
    script: Script,
    clock: Tick,
}

impl Workload for Scripted {
    fn operate(&mut self, index: u64) -> Result<(), Failure> {
        let script = &self.script;
        if script.fails_at == Some(index) {
            return Err(Failure::new(format!("operation {index} fails")));
        }
        assert!(script.panics_at != Some(index), "operation {index} panics");
        let mut seen = script.seen.lock().unwrap();
        if script.fails_after == Some(seen.len()) {
            return Err(Failure::new(format!("fails after {} operations", seen.len())));
        }
        seen.push(index);
        let durations = &script.durations_ns;
        let drift = self.clock.peek_ns() * script.drift_ppm / 1_000_000;
        self.clock.advance(durations[usize::try_from(index).unwrap() % durations.len()] + drift);
        Ok(())
    }

    fn provider(&self) -> Option<String> {
        Some("mock".to_owned())
    }
}

/// Makes scripted workloads, one script for all threads.
pub(crate) struct ScriptSource {
    identity: Identity,
    script: Script,
    clock: Tick,
    ready: Result<(), NotReady>,
}

impl ScriptSource {
    pub(crate) fn new(clock: &Tick, backend: &str, operation: &str, script: Script) -> Self {
        let identity = Identity {
            algorithm: "MOCK-1".to_owned(),
            backend: backend.to_owned(),
            backend_version: "mock 1.0".to_owned(),
            operation: operation.to_owned(),
        };
        ScriptSource { identity, script, clock: clock.clone(), ready: Ok(()) }
    }

    pub(crate) fn never_ready(mut self, why: NotReady) -> Self {
        self.ready = Err(why);
        self
    }
}

impl Source for ScriptSource {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn workload(&mut self, _is_cancelled: &mut dyn FnMut() -> bool) -> Result<Box<dyn Workload>, NotReady> {
        self.ready.clone()?;
        Ok(self.script.clone().on(&self.clock))
    }
}

/// A phase of three samples in two slices, whose fields agree.
pub(crate) fn agreeing_phase() -> record::Phase {
    let percentiles = [vec![1_000_000; 34], vec![1_200_000; 33], vec![1_400_000; 34]].concat();
    record::Phase {
        sequence: 0,
        algorithm: "ML-DSA-65".to_owned(),
        backend: "openssl".to_owned(),
        backend_version: "OpenSSL 3.6.3".to_owned(),
        provider: Some("default".to_owned()),
        operation: "sign".to_owned(),
        operations: 3,
        elapsed_ns: 3_600_000,
        slices: 2,
        batch: 1,
        min_ns: Some(1_000_000),
        p50_ns: Some(1_200_000),
        p99_ns: Some(1_400_000),
        max_ns: Some(1_400_000),
        failure: None,
        samples_ns: Some(vec![1_000_000, 1_400_000, 1_200_000]),
        samples_dropped: Some(0),
        percentiles_ns: Some(percentiles),
        timeline: Some(Timeline {
            start_ns: vec![500, 2_500_000],
            operations: vec![2, 1],
            elapsed_ns: vec![2_400_000, 1_200_000],
        }),
    }
}
