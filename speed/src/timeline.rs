//! The slices of a phase as they follow one another, in bounded memory.

use std::mem;

use crate::record::Timeline;

/// Slices of one phase in one trial, added as they are measured.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    timeline: Timeline,
    /// How many slices make one entry: a power of two.
    width: u32,
    /// How many slices the last entry holds.
    last: u32,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        Recorder { timeline: Timeline::default(), width: 1, last: 0 }
    }

    /// Adds a slice.
    pub(crate) fn add(&mut self, start_ns: u64, operations: u64, elapsed_ns: u64) {
        let entries = self.timeline.start_ns.len();
        if entries > 0 && self.last < self.width {
            self.last += 1;
            if let Some(entry) = self.timeline.operations.last_mut() {
                *entry += operations;
            }
            if let Some(entry) = self.timeline.elapsed_ns.last_mut() {
                *entry += elapsed_ns;
            }
            return;
        }
        if entries == Timeline::MAX_ENTRIES {
            self.widen();
            // The last entry is now whole, because their number is even.
        }
        self.last = 1;
        self.timeline.start_ns.push(start_ns);
        self.timeline.operations.push(operations);
        self.timeline.elapsed_ns.push(elapsed_ns);
    }

    /// What was added since the last call; `None` if nothing was.
    pub(crate) fn take(&mut self) -> Option<Timeline> {
        let timeline = mem::replace(self, Recorder::new()).timeline;
        (!timeline.start_ns.is_empty()).then_some(timeline)
    }

    /// Merges neighbours: half as many entries of twice as many slices.
    fn widen(&mut self) {
        let Timeline { start_ns, operations, elapsed_ns } = &mut self.timeline;
        *start_ns = start_ns.iter().copied().step_by(2).collect();
        for sums in [operations, elapsed_ns] {
            *sums = sums.chunks(2).map(|pair| pair.iter().sum()).collect();
        }
        self.width *= 2;
    }
}

impl Timeline {
    /// How many entries this many slices have.
    pub(crate) fn entries_of(slices: u32) -> u64 {
        let slices = u64::from(slices);
        let mut width = 1;
        while slices.div_ceil(width) > Timeline::MAX_ENTRIES as u64 {
            width *= 2;
        }
        slices.div_ceil(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: u64 = Timeline::MAX_ENTRIES as u64;

    /// Slice i starts at 10 i, does i operations and takes 7.
    fn timeline(slices: u64) -> Timeline {
        let mut recorder = Recorder::new();
        for i in 0..slices {
            recorder.add(10 * i, i, 7);
        }
        recorder.take().unwrap()
    }

    #[test]
    fn no_slices_have_no_timeline() {
        assert_eq!(Recorder::new().take(), None);
        assert_eq!(Timeline::entries_of(0), 0);
    }

    #[test]
    fn up_to_the_limit_every_slice_has_its_entry() {
        let few = timeline(3);
        let expected =
            Timeline { start_ns: vec![0, 10, 20], operations: vec![0, 1, 2], elapsed_ns: vec![7; 3] };
        assert_eq!(few, expected);
        assert_eq!(timeline(MAX).operations, (0..MAX).collect::<Vec<_>>());
    }

    #[test]
    fn beyond_the_limit_neighbours_are_merged() {
        let merged = timeline(MAX + 1);
        assert_eq!(merged.start_ns.len(), Timeline::MAX_ENTRIES / 2 + 1);
        assert_eq!(merged.start_ns[..3], [0, 20, 40]);
        assert_eq!(merged.operations[..3], [1, 5, 9]);
        assert_eq!(merged.elapsed_ns[..3], [14, 14, 14]);
        assert_eq!(merged.start_ns.last(), Some(&(10 * MAX)));
        assert_eq!((merged.operations.last(), merged.elapsed_ns.last()), (Some(&MAX), Some(&7)));
    }

    #[test]
    fn whatever_the_number_nothing_is_lost_and_the_columns_keep_one_length() {
        for slices in [1, 2, MAX - 1, MAX, MAX + 1, 2 * MAX - 1, 2 * MAX, 2 * MAX + 1, 100_000] {
            let merged = timeline(slices);
            assert_eq!(merged.operations.iter().sum::<u64>(), slices * (slices - 1) / 2, "{slices}");
            assert_eq!(merged.elapsed_ns.iter().sum::<u64>(), 7 * slices, "{slices}");
            let entries = Timeline::entries_of(u32::try_from(slices).unwrap());
            let lengths = [merged.start_ns.len(), merged.operations.len(), merged.elapsed_ns.len()];
            assert_eq!(lengths.map(|length| length as u64), [entries; 3], "{slices}");
            assert!(merged.start_ns.is_sorted_by(|earlier, later| earlier < later), "{slices}");
        }
    }
}
