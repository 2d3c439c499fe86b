//! The clock that measures, and how finely it does.

use std::time::Instant;

use serde::{Deserialize, Serialize};

/// A clock that never goes back.
pub trait Clock: Sync {
    /// Nanoseconds since a start of the clock's own choice; the same start for every thread.
    fn now_ns(&self) -> u64;
}

/// The system's monotonic clock ([`Instant`]).
#[derive(Clone, Copy, Debug)]
pub struct Monotonic {
    start: Instant,
}

impl Monotonic {
    /// A clock that starts now.
    #[must_use]
    pub fn start() -> Self {
        Monotonic { start: Instant::now() }
    }
}

impl Clock for Monotonic {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "2^64 ns are 584 years")]
    fn now_ns(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }
}

/// How finely a clock measures, as measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Precision {
    /// The least difference seen between two readings, in ns, at least 1: a bound on the clock's step from
    /// above.
    pub step_ns: u64,
    /// The mean cost of one reading, in ns, rounded up.
    pub read_ns: u64,
}

/// How many readings tell a clock's precision: under a millisecond on any machine where reading is cheap.
const READINGS: u64 = 10_000;

impl Precision {
    /// Reads the clock ten thousand times.
    pub fn measure(clock: &impl Clock) -> Self {
        let first = clock.now_ns();
        let mut last = first;
        let mut step = u64::MAX;
        for _ in 0..READINGS {
            let now = clock.now_ns();
            let difference = now.saturating_sub(last);
            if difference > 0 {
                step = step.min(difference);
            }
            last = now;
        }
        // A clock that did not move in ten thousand readings has a step of at least what is left to say:
        // nothing. One nanosecond then leaves samples unbatched, as for a perfect clock.
        let step_ns = if step == u64::MAX { 1 } else { step };
        Precision { step_ns, read_ns: (last - first).div_ceil(READINGS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mock::Tick;

    #[test]
    fn a_step_is_the_least_difference_between_two_readings() {
        let coarse = Precision::measure(&Tick::with_step(1000, 30));
        assert_eq!(coarse, Precision { step_ns: 1000, read_ns: 30 });
        // A fine clock that is slow to read steps by what reading costs.
        assert_eq!(Precision::measure(&Tick::with_read_cost(25)), Precision { step_ns: 25, read_ns: 25 });
    }

    #[test]
    fn a_clock_that_stands_still_has_the_least_step() {
        assert_eq!(Precision::measure(&Tick::default()), Precision { step_ns: 1, read_ns: 0 });
    }

    #[test]
    fn the_systems_clock_does_not_go_back() {
        let clock = Monotonic::start();
        let readings: Vec<u64> = (0..1000).map(|_| clock.now_ns()).collect();
        assert!(readings.is_sorted());
    }
}
