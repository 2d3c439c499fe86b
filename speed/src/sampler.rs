//! Measuring, apart from all policy: operations are done one after the other until their time is used up.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::clock::Clock;
use crate::workload::{Failure, Workload};

/// The most samples of one slice: the buffer that the hot loop fills is 128 KiB and never grows.
pub const SLICE_SAMPLES: usize = 1 << 14;

/// How to measure one slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// When this much time has passed, the slice ends with the operation (or batch) at work. One is always
    /// done.
    pub budget_ns: u64,
    /// How many operations make one sample; at least 1.
    pub batch: u32,
    /// Whether an untimed operation goes first, to load the caches that another backend's slice has emptied.
    pub warm: bool,
}

/// What one thread does of a phase: its own workload, its place among the inputs, and the samples of the last
/// slice.
pub struct Lane {
    workload: Box<dyn Workload>,
    first: u64,
    stride: u64,
    next: u64,
    samples_ns: Vec<u64>,
    failure: Option<Failure>,
}

impl Lane {
    /// The lane of thread `thread` of `threads`. Together the lanes take the inputs that one alone would
    /// take.
    #[must_use]
    pub fn new(workload: Box<dyn Workload>, thread: u32, threads: u32) -> Self {
        Lane {
            workload,
            first: thread.into(),
            stride: threads.into(),
            next: thread.into(),
            samples_ns: Vec::with_capacity(SLICE_SAMPLES),
            failure: None,
        }
    }

    /// Starts anew with the first input, so that every trial has the same ones.
    pub fn rewind(&mut self) {
        self.next = self.first;
    }

    /// As [`Workload::provider`].
    #[must_use]
    pub fn provider(&self) -> Option<String> {
        self.workload.provider()
    }

    /// The samples of the last slice, in ns, each the time of a batch.
    #[must_use]
    pub fn samples_ns(&self) -> &[u64] {
        &self.samples_ns
    }

    /// Why the last slice ended early; the samples before that are good.
    pub fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    /// Measures a slice. A panic of the workload is a failure like any other: one backend's crash must not
    /// take the others' figures along. The workload is not to be used after it.
    pub fn measure(&mut self, clock: &impl Clock, slice: Slice) {
        self.samples_ns.clear();
        let outcome = catch_unwind(AssertUnwindSafe(|| self.fill(clock, slice)));
        self.failure = match outcome {
            Ok(Ok(())) => None,
            Ok(Err(failure)) => Some(failure),
            Err(panic) => Some(Failure::new(format!("panicked: {}", panic_text(&*panic)))),
        };
    }

    /// The hot loop. The clock is read once per sample: the end of one is the start of the next, so what the
    /// loop itself costs is within the samples, and they add up to the slice's time.
    fn fill(&mut self, clock: &impl Clock, slice: Slice) -> Result<(), Failure> {
        if slice.warm {
            self.workload.operate(self.next)?;
        }
        let start = clock.now_ns();
        let mut last = start;
        loop {
            for _ in 0..slice.batch {
                self.workload.operate(self.next)?;
                self.next += self.stride;
            }
            let now = clock.now_ns();
            self.samples_ns.push(now - last);
            last = now;
            if now - start >= slice.budget_ns || self.samples_ns.len() == SLICE_SAMPLES {
                return Ok(());
            }
        }
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "without a word",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::{Script, Tick};

    const ONE_BY_ONE: Slice = Slice { budget_ns: 1000, batch: 1, warm: false };

    fn lane(clock: &Tick, script: Script) -> Lane {
        Lane::new(script.on(clock), 0, 1)
    }

    #[test]
    fn every_operation_is_a_sample_of_its_own_length() {
        let clock = Tick::default();
        let script = Script::cycle([300, 50, 200]);
        let mut lane = lane(&clock, script);
        lane.measure(&clock, ONE_BY_ONE);
        // 300 + 50 + 200 + 300 + 50 = 900 is under the budget, one more operation is over it.
        assert_eq!(lane.samples_ns(), [300, 50, 200, 300, 50, 200]);
        assert_eq!(lane.take_failure(), None);
    }

    #[test]
    fn reading_the_clock_is_part_of_the_sample_once() {
        let clock = Tick::with_read_cost(7);
        let mut lane = lane(&clock, Script::cycle([493]));
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(lane.samples_ns(), [500, 500]);
        // Nothing is lost between samples: before them is one reading only.
        assert_eq!(clock.peek_ns(), 7 + 500 + 500);
    }

    #[test]
    fn an_operation_longer_than_the_budget_is_done_once() {
        let clock = Tick::default();
        let mut lane = lane(&clock, Script::cycle([5_000_000]));
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(lane.samples_ns(), [5_000_000]);
    }

    #[test]
    fn a_batch_is_one_sample() {
        let clock = Tick::default();
        let mut lane = lane(&clock, Script::cycle([10, 20]));
        lane.measure(&clock, Slice { budget_ns: 100, batch: 4, warm: false });
        assert_eq!(lane.samples_ns(), [60, 60]);
    }

    #[test]
    fn operations_of_no_length_fill_the_buffer_and_no_more() {
        let clock = Tick::default();
        let mut lane = lane(&clock, Script::cycle([0]));
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(lane.samples_ns().len(), SLICE_SAMPLES);
        assert_eq!(lane.samples_ns.capacity(), SLICE_SAMPLES);
    }

    #[test]
    fn a_slice_goes_on_with_the_inputs_where_the_last_one_ended() {
        let clock = Tick::default();
        let script = Script::cycle([600]);
        let seen = script.seen();
        let mut lane = Lane::new(script.on(&clock), 1, 3);
        lane.measure(&clock, ONE_BY_ONE);
        lane.measure(&clock, Slice { warm: true, ..ONE_BY_ONE });
        // The untimed operation takes the input of the next one, and no sample.
        assert_eq!(*seen.lock().unwrap(), [1, 4, 7, 7, 10]);
        assert_eq!(lane.samples_ns(), [600, 600]);
        lane.rewind();
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(seen.lock().unwrap()[5..], [1, 4]);
    }

    #[test]
    fn a_failure_ends_the_slice_and_keeps_what_was_measured() {
        let clock = Tick::default();
        let mut lane = lane(&clock, Script::cycle([100]).failing_at(3));
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(lane.samples_ns(), [100, 100, 100]);
        assert_eq!(lane.take_failure(), Some(Failure::new("operation 3 fails")));
    }

    #[test]
    fn a_panic_is_a_failure() {
        let clock = Tick::default();
        let mut lane = lane(&clock, Script::cycle([100]).panicking_at(2));
        lane.measure(&clock, ONE_BY_ONE);
        assert_eq!(lane.samples_ns(), [100, 100]);
        assert_eq!(lane.take_failure(), Some(Failure::new("panicked: operation 2 panics")));
    }
}
