//! The figures of a run as the plots need them: by algorithm and operation, then by backend.

use std::collections::{BTreeMap, BTreeSet};

use pqsig_speed::record::Phase;

use super::pool::{Percentiles, pool};
use crate::sample::{algorithm_place, float, operation_place};
use crate::sampling::pqsig_key;
use crate::{Key, Run};

/// A hostile log can name as many algorithms as it has lines: the page has plots of so many groups only, and
/// says so.
pub(crate) const MAX_GROUPS: usize = 96;
/// The same for the backends of a group.
pub(crate) const MAX_BACKENDS: usize = 12;

/// What was timed, ready to be drawn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// In the order of the tables.
    pub(crate) groups: Vec<Group>,
    /// Whether some groups or backends were left out.
    pub(crate) curtailed: bool,
}

/// An operation of an algorithm.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) algorithm: String,
    pub(crate) operation: String,
    /// Each backend, by name.
    pub(crate) series: Vec<Series>,
}

/// An operation of an algorithm by a backend, over the trials.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) backend: String,
    /// The same number for the same backend in all plots.
    pub(crate) look: usize,
    /// The mean time of one operation in one thread, in ns, over all trials.
    pub(crate) mean_ns: f64,
    /// The percentiles of the single operations of all trials; `None` if a log has none.
    pub(crate) percentiles: Option<Percentiles>,
    /// How many operations make one sample at most: more than 1 where the clock is too coarse for one.
    pub(crate) batch: u32,
    /// The course of each trial.
    pub(crate) courses: Vec<Course>,
}

/// A series in one trial.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    pub(crate) trial: u32,
    /// When the trial started: ms since 1970-01-01 UTC.
    pub(crate) started_unix_ms: u64,
    /// The slices; empty if the log has none.
    pub(crate) slices: Vec<Slice>,
    /// The mean of the whole trial, in ns per operation.
    pub(crate) mean_ns: f64,
}

/// A piece of a trial.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slice {
    /// When it began, in ns since the trial's start.
    pub(crate) start_ns: u64,
    pub(crate) operations: u64,
    pub(crate) elapsed_ns: u64,
    /// Mean time of one operation in one thread, in ns.
    pub(crate) mean_ns: f64,
}

impl Figures {
    /// The figures of pqsig's logs. Failed phases and phases without operations have none.
    pub(crate) fn of(run: &Run) -> Self {
        let mut phases: BTreeMap<Key, Vec<(u32, u64, u32, &Phase)>> = BTreeMap::new();
        for (number, log) in run.pqsig_logs() {
            for phase in log.phases.iter().filter(|phase| has_figures(phase)) {
                let threads = log.run.options.threads.max(1);
                let entry = (number, log.run.started_unix_ms, threads, phase);
                phases.entry(pqsig_key(phase)).or_default().push(entry);
            }
        }
        let names: BTreeSet<&str> = phases.keys().map(|key| key.backend.as_str()).collect();
        let looks: BTreeMap<&str, usize> = names.into_iter().zip(0..).collect();
        let mut figures = Figures::default();
        for (key, phases) in &phases {
            let look = looks.get(key.backend.as_str()).copied().unwrap_or(0);
            figures.add(key, Series::of(&key.backend, look, phases));
        }
        figures.groups.sort_by(|a, b| a.order().cmp(&b.order()));
        figures
    }

    /// The groups of one operation.
    pub(crate) fn of_operation<'a>(&'a self, operation: &'a str) -> impl Iterator<Item = &'a Group> {
        self.groups.iter().filter(move |group| group.operation == operation)
    }

    fn add(&mut self, key: &Key, series: Series) {
        let same = |group: &Group| (&group.algorithm, &group.operation) == (&key.algorithm, &key.operation);
        let place = self.groups.iter().position(same).unwrap_or(self.groups.len());
        if place == self.groups.len() && place < MAX_GROUPS {
            let (algorithm, operation) = (key.algorithm.clone(), key.operation.clone());
            self.groups.push(Group { algorithm, operation, series: Vec::new() });
        }
        match self.groups.get_mut(place) {
            Some(group) if group.series.len() < MAX_BACKENDS => group.series.push(series),
            _ => self.curtailed = true,
        }
    }
}

fn has_figures(phase: &Phase) -> bool {
    phase.failure.is_none() && phase.operations > 0 && phase.elapsed_ns > 0
}

impl Group {
    /// The order of the tables, with all operations of an algorithm together.
    fn order(&self) -> impl Ord + '_ {
        (algorithm_place(&self.algorithm), &self.algorithm, operation_place(&self.operation), &self.operation)
    }
}

impl Series {
    fn of(backend: &str, look: usize, phases: &[(u32, u64, u32, &Phase)]) -> Self {
        let operations: u128 = phases.iter().map(|(.., phase)| u128::from(phase.operations)).sum();
        let elapsed: u128 = phases
            .iter()
            .map(|(_, _, threads, phase)| u128::from(phase.elapsed_ns) * u128::from(*threads))
            .sum();
        let trials: Option<Vec<_>> = phases
            .iter()
            .map(|(.., phase)| Some((phase.percentiles_ns.as_deref()?, phase.operations)))
            .collect();
        Series {
            backend: backend.to_owned(),
            look,
            mean_ns: ratio(elapsed, operations),
            percentiles: trials.and_then(|trials| pool(&trials)),
            batch: phases.iter().map(|(.., phase)| phase.batch).max().unwrap_or(1),
            courses: phases.iter().map(|phase| Course::of(*phase)).collect(),
        }
    }
}

impl Course {
    fn of((trial, started_unix_ms, threads, phase): (u32, u64, u32, &Phase)) -> Self {
        let mean_ns = |elapsed_ns: u64, operations: u64| {
            ratio(u128::from(elapsed_ns) * u128::from(threads), u128::from(operations))
        };
        let timeline = phase.timeline.iter().flat_map(|timeline| {
            timeline.start_ns.iter().zip(&timeline.operations).zip(&timeline.elapsed_ns)
        });
        let slices = timeline
            .filter(|((_, operations), elapsed_ns)| **operations > 0 && **elapsed_ns > 0)
            .map(|((start_ns, operations), elapsed_ns)| Slice {
                start_ns: *start_ns,
                operations: *operations,
                elapsed_ns: *elapsed_ns,
                mean_ns: mean_ns(*elapsed_ns, *operations),
            });
        Course {
            trial,
            started_unix_ms,
            slices: slices.collect(),
            mean_ns: mean_ns(phase.elapsed_ns, phase.operations),
        }
    }
}

/// Of whole numbers, so that nothing depends on the order of summing.
fn ratio(elapsed: u128, operations: u128) -> f64 {
    let whole = |number: u128| float(u64::try_from(number).unwrap_or(u64::MAX));
    whole(elapsed) / whole(operations.max(1))
}
