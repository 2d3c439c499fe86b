//! Which phase is measured when: slices, forwards and backwards in turn.

use std::time::Duration;

/// The longest slice. Between slices a run can be stopped, so this also bounds how long Ctrl-C waits for an
/// operation that is shorter.
const LONGEST_SLICE: Duration = Duration::from_millis(100);

/// How the phases of one algorithm share a trial: in `passes` passes over all of them, forwards and backwards
/// in turn, each phase gets its time in as many slices. What drifts by the same amount from slice to slice (a
/// processor that heats up) then adds as much to the first phase as to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    duration_ns: u64,
    passes: u32,
}

impl Schedule {
    /// For phases of this duration: an even number of passes, so that each way is gone as often as the other.
    pub(crate) fn new(duration: Duration) -> Self {
        let slices = duration.as_nanos().div_ceil(LONGEST_SLICE.as_nanos()).max(1);
        let passes = u32::try_from(slices.next_multiple_of(2)).unwrap_or(u32::MAX - 1);
        Schedule { duration_ns: u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX), passes }
    }

    /// The number of passes.
    pub(crate) fn passes(self) -> u32 {
        self.passes
    }

    /// The time that a phase is to have used after this pass (from 0), in ns. A phase that has used it
    /// already, because its operations are longer than a slice, sits the pass out.
    pub(crate) fn target_ns(self, pass: u32) -> u64 {
        let target = u128::from(self.duration_ns) * (u128::from(pass) + 1) / u128::from(self.passes);
        u64::try_from(target).unwrap_or(u64::MAX).max(1)
    }
}

/// The phases in the order of this pass (from 0) of this trial (from 1). The second trial starts backwards,
/// so that phases of a single operation alternate too.
pub(crate) fn order(phases: usize, pass: u32, trial: u32) -> impl Iterator<Item = usize> {
    let backwards = (u64::from(pass) + u64::from(trial)).is_multiple_of(2);
    (0..phases).map(move |place| if backwards { phases - 1 - place } else { place })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(schedule: Schedule, phases: usize, trial: u32) -> Vec<Vec<usize>> {
        (0..schedule.passes()).map(|pass| order(phases, pass, trial).collect()).collect()
    }

    #[test]
    fn passes_go_forwards_and_backwards_in_turn() {
        let schedule = Schedule::new(Duration::from_millis(400));
        assert_eq!(orders(schedule, 2, 1), [[0, 1], [1, 0], [0, 1], [1, 0]]);
        assert_eq!(orders(schedule, 2, 2), [[1, 0], [0, 1], [1, 0], [0, 1]]);
        assert_eq!(orders(Schedule::new(Duration::from_nanos(1)), 3, 1), [[0, 1, 2], [2, 1, 0]]);
    }

    #[test]
    fn every_phase_has_the_same_mean_place() {
        let schedule = Schedule::new(Duration::from_secs(1));
        let order: Vec<usize> = orders(schedule, 6, 1).concat();
        let mean_place =
            |phase| order.iter().enumerate().filter(|(_, p)| **p == phase).map(|(i, _)| i).sum::<usize>();
        for phase in 1..6 {
            assert_eq!(mean_place(phase), mean_place(0));
        }
    }

    #[test]
    fn the_number_of_passes_is_even_and_no_slice_is_too_long() {
        for ms in [1, 99, 100, 101, 199, 200, 201, 500, 1000, 3_600_000] {
            let schedule = Schedule::new(Duration::from_millis(ms));
            assert!(schedule.passes() >= 2 && schedule.passes().is_multiple_of(2));
            assert!(u128::from(schedule.target_ns(0)) <= LONGEST_SLICE.as_nanos());
            assert_eq!(schedule.target_ns(schedule.passes() - 1), ms * 1_000_000);
        }
    }

    #[test]
    fn the_shortest_duration_still_has_a_target() {
        let schedule = Schedule::new(Duration::from_nanos(1));
        assert_eq!((schedule.passes(), schedule.target_ns(0), schedule.target_ns(1)), (2, 1, 1));
    }
}
