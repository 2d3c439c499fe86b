//! The things that are timed: one file per family of them.

mod corpus;
mod signature;

use crate::workload::Source;
use crate::{Options, Unmeasured};

/// What a run is to time.
#[derive(Default)]
pub(crate) struct Plan {
    /// Phases that are interleaved, group after group.
    pub(crate) groups: Vec<Vec<Box<dyn Source>>>,
    /// Phases that were asked for and can't be timed.
    pub(crate) skipped: Vec<Unmeasured>,
}

impl Plan {
    /// One group per algorithm.
    pub(crate) fn new(options: &Options) -> Self {
        let mut plan = Plan::default();
        for algorithm in &options.algorithms {
            let (sources, skipped) = signature::sources(*algorithm, options);
            plan.groups.push(sources);
            plan.skipped.extend(skipped);
        }
        plan.groups.retain(|group| !group.is_empty());
        plan
    }
}
