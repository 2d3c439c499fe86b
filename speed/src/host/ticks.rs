//! What the cores did since boot, as Linux counts it.

/// Linux counts these in USER_HZ, which is 100 on every architecture (man 5 proc_stat).
const MS_PER_TICK: u64 = 10;

/// The first line of /proc/stat: `cpu user nice system idle iowait irq softirq steal guest guest_nice`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ticks {
    busy: u64,
    steal: u64,
}

impl Ticks {
    pub(super) fn parse(stat: &str) -> Option<Self> {
        let fields = stat.lines().next()?.strip_prefix("cpu ")?;
        let fields: Vec<u64> = fields.split_whitespace().map_while(|field| field.parse().ok()).collect();
        let &[user, nice, system, _idle, _iowait, irq, softirq, steal, ..] = fields.as_slice() else {
            return None;
        };
        // Guest time is part of user time.
        Some(Ticks { busy: user + nice + system + irq + softirq, steal })
    }

    /// The time that the cores had work, summed over them, in ms.
    pub(super) fn busy_ms(&self) -> u64 {
        self.busy.saturating_mul(MS_PER_TICK)
    }

    /// The time that the hypervisor gave to others meanwhile, in ms.
    pub(super) fn steal_ms(&self) -> u64 {
        self.steal.saturating_mul(MS_PER_TICK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_of_proc_stat_are_told_apart() {
        let stat = "cpu  100 20 30 4000 50 6 7 8 9 10\ncpu0 1 2 3 4 5 6 7 8 9 10\n";
        assert_eq!(Ticks::parse(stat), Some(Ticks { busy: 163, steal: 8 }));
    }

    #[test]
    fn a_proc_stat_of_another_shape_is_unknown() {
        for stat in ["", "cpu", "cpu 1 2 3 4 5 6 7", "cpu0 1 2 3 4 5 6 7 8", "cpu a b c d e f g h"] {
            assert_eq!(Ticks::parse(stat), None, "{stat}");
        }
    }
}
