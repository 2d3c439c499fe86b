//! How a caller follows a run, and stops it.

use std::time::Duration;

use crate::workload::Identity;

/// Follows a run. Both methods are called on the thread that called [`crate::run`], between slices of
/// measuring and never within one: at least every 100 ms, or after each operation that takes longer.
pub trait Observer {
    /// Something happened. Whatever this does is outside the timed region, but the machine feels it: keep it
    /// short.
    fn event(&mut self, _event: &Event<'_>) {}

    /// True ends the run with [`crate::Error::Cancelled`].
    fn is_cancelled(&mut self) -> bool {
        false
    }
}

/// Follows nothing and never cancels.
impl Observer for () {}

/// What happens in a run.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Another run of this process is being timed: this one waits for its turn.
    Waiting,
    /// Keys are loaded, signatures to verify are made, caches are warmed, all untimed.
    Preparing(&'a Identity),
    /// A slice of a phase is about to be timed.
    Timing(Progress<'a>),
    /// A phase failed and is given up; the others go on.
    Failed {
        /// The phase.
        identity: &'a Identity,
        /// Why.
        reason: &'a str,
    },
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// What is timed next.
    pub identity: &'a Identity,
    /// The trial, from 1.
    pub trial: u32,
    /// The run's trials.
    pub trials: u32,
    /// The time since the run had its turn.
    pub elapsed: Duration,
    /// The estimated time to the end: what is left of every phase, or one operation where that is known to be
    /// longer. Preparing is not foreseen.
    pub remaining: Duration,
}

impl Progress<'_> {
    /// The done part of the run, 0 to 1.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let total = self.elapsed + self.remaining;
        if total.is_zero() { 0.0 } else { self.elapsed.as_secs_f64() / total.as_secs_f64() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "these fractions are exact")]
    fn the_fraction_is_of_the_time() {
        let identity = Identity {
            algorithm: String::new(),
            backend: String::new(),
            backend_version: String::new(),
            operation: String::new(),
        };
        let fraction = |elapsed, remaining| {
            let (elapsed, remaining) = (Duration::from_secs(elapsed), Duration::from_secs(remaining));
            Progress { identity: &identity, trial: 1, trials: 1, elapsed, remaining }.fraction()
        };
        assert_eq!([fraction(0, 0), fraction(0, 8), fraction(2, 6), fraction(8, 0)], [0.0, 0.0, 0.25, 1.0]);
    }
}
