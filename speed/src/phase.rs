//! One phase: an algorithm x backend x operation, from its preparation to its row.

use crate::clock::{Clock, Precision};
use crate::record::{self, Skipped};
use crate::report::{Note, Row, Unmeasured};
use crate::sampler::{Lane, Slice};
use crate::statistics::{Pool, Tally, ratio};
use crate::team::Team;
use crate::timeline::Recorder;
use crate::workload::{Failure, Identity, NotReady, Source};
use crate::{Error, MAX_KEPT_SAMPLES, Observer};

/// A sample must span this many steps of the clock, or operations are timed in batches: one step is then 1%
/// of it.
const STEPS_PER_SAMPLE: u64 = 100;

/// The largest batch, should an operation take next to no time.
const MAX_BATCH: u32 = 1 << 20;

/// Samples below which the 99th percentile is the greatest one.
const FEW_SAMPLES: u64 = 100;

/// Why a phase without any time can't be reported: rates and ratios of it would be infinite.
const TIMELESS: &str = "the clock did not move: the operations are too short to be timed";

/// A phase with all that was measured of it.
pub(crate) struct Phase {
    source: Box<dyn Source>,
    keep_samples: bool,
    lanes: Vec<Lane>,
    provider: Option<String>,
    /// How many operations make one sample.
    batch: u32,
    /// What a sample took when warming up, in ns.
    sample_ns: u64,
    /// The trial that goes on.
    trial: Tally,
    slices: u32,
    timeline: Recorder,
    /// How many trials have ended.
    ended: u32,
    /// The trials that have, unless they failed.
    pool: Pool,
    samples_ns: Vec<u64>,
    dropped: u64,
    /// Why the phase was given up, and in which trial.
    failure: Option<(u32, Failure)>,
}

impl Phase {
    pub(crate) fn new(source: Box<dyn Source>, keep_samples: bool) -> Self {
        Phase {
            source,
            keep_samples,
            lanes: Vec::new(),
            provider: None,
            batch: 1,
            sample_ns: 0,
            trial: tally(keep_samples),
            slices: 0,
            timeline: Recorder::new(),
            ended: 0,
            pool: Pool::new(),
            samples_ns: Vec::new(),
            dropped: 0,
            failure: None,
        }
    }

    pub(crate) fn identity(&self) -> &Identity {
        self.source.identity()
    }

    /// Why the phase was given up, and in which trial.
    pub(crate) fn failure(&self) -> Option<&(u32, Failure)> {
        self.failure.as_ref()
    }

    /// The time that was used in this trial, in ns, per thread.
    pub(crate) fn used_ns(&self) -> u64 {
        self.trial.busy_ns() / self.threads()
    }

    /// The time of one sample as far as it is known, in ns.
    pub(crate) fn sample_ns(&self) -> u64 {
        self.sample_ns
    }

    /// The time that is left to use, in ns, if every trial takes this long, or one operation where that is
    /// longer.
    pub(crate) fn remaining_ns(&self, duration_ns: u64, trials: u32) -> u64 {
        if self.failure.is_some() {
            return 0;
        }
        let all = u64::from(trials - self.ended).saturating_mul(duration_ns.max(self.sample_ns));
        all.saturating_sub(self.used_ns())
    }

    fn threads(&self) -> u64 {
        self.lanes.len().max(1) as u64
    }

    /// Loads keys, makes inputs, warms up, and finds how many operations make one sample. After a failure
    /// nothing is left to do; see [`Phase::failure`].
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub(crate) fn prepare<C: Clock>(
        &mut self,
        trial: u32,
        team: &Team<'_, C>,
        precision: Precision,
        warm_up_ns: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let threads = team.threads();
        for thread in 0..threads {
            match self.source.workload(&mut || observer.is_cancelled()) {
                Ok(workload) => self.lanes.push(Lane::new(workload, thread, threads)),
                Err(NotReady::Cancelled) => return Err(Error::Cancelled),
                Err(NotReady::Failed(failure)) => {
                    self.fail(trial, failure);
                    return Ok(());
                }
            }
        }
        self.provider = self.lanes.first().and_then(Lane::provider);
        self.calibrate(trial, team, precision, warm_up_ns, observer)
    }

    /// Warms up, then enlarges the batch until a sample spans enough steps of the clock.
    fn calibrate<C: Clock>(
        &mut self,
        trial: u32,
        team: &Team<'_, C>,
        precision: Precision,
        warm_up_ns: u64,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let wanted_ns = precision.step_ns.saturating_mul(STEPS_PER_SAMPLE);
        self.warm_up(trial, team, warm_up_ns);
        while self.failure.is_none() && self.sample_ns < wanted_ns && self.batch < MAX_BATCH {
            if observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let factor = wanted_ns.div_ceil(self.sample_ns.max(1)).max(2);
            let batch = u64::from(self.batch).saturating_mul(factor);
            self.batch = u32::try_from(batch).unwrap_or(MAX_BATCH).min(MAX_BATCH);
            // One sample: if the operations took no time at all, more would have no end.
            self.warm_up(trial, team, 0);
        }
        if self.failure.is_none() && self.sample_ns == 0 {
            self.fail(trial, Failure::new(TIMELESS));
        }
        Ok(())
    }

    /// Runs for a while, one sample at least, and forgets all but the median sample's time.
    pub(crate) fn warm_up<C: Clock>(&mut self, trial: u32, team: &Team<'_, C>, budget_ns: u64) {
        team.measure(&mut self.lanes, Slice { budget_ns, batch: self.batch, warm: false });
        let mut samples: Vec<u64> = self.lanes.iter().flat_map(Lane::samples_ns).copied().collect();
        samples.sort_unstable();
        self.sample_ns = samples.get(samples.len() / 2).copied().unwrap_or(0);
        self.take_failure(trial);
    }

    /// Starts a trial: every trial has the same inputs.
    pub(crate) fn begin_trial(&mut self) {
        self.lanes.iter_mut().for_each(Lane::rewind);
        self.slices = 0;
    }

    /// Measures one slice, which begins `start_ns` after the trial.
    pub(crate) fn measure<C: Clock>(
        &mut self,
        trial: u32,
        team: &Team<'_, C>,
        budget_ns: u64,
        start_ns: u64,
    ) {
        // A slice that holds a hundred samples can spare one to load the caches that the slice before has
        // emptied.
        let warm = self.sample_ns.saturating_mul(100) <= budget_ns;
        let (done_before, used_before) = (self.trial.operations(), self.used_ns());
        team.measure(&mut self.lanes, Slice { budget_ns, batch: self.batch, warm });
        for lane in &self.lanes {
            self.trial.add(lane.samples_ns(), self.batch);
        }
        self.slices += 1;
        // Differences of the sums, so that their rounding does not add up.
        let (done, used) = (self.trial.operations() - done_before, self.used_ns() - used_before);
        self.timeline.add(start_ns, done, used);
        self.take_failure(trial);
        if self.failure.is_none() && used == 0 {
            self.fail(trial, Failure::new(TIMELESS));
        }
    }

    fn take_failure(&mut self, trial: u32) {
        let failures: Vec<_> = self.lanes.iter_mut().filter_map(Lane::take_failure).collect();
        if let Some(first) = failures.into_iter().next() {
            self.fail(trial, first);
        }
    }

    fn fail(&mut self, trial: u32, failure: Failure) {
        self.failure = Some((trial, failure));
    }

    /// Ends a trial: its record, and its samples into the pool unless it failed.
    pub(crate) fn end_trial(&mut self, sequence: u32) -> record::Phase {
        let identity = self.source.identity();
        let quantiles = self.trial.quantiles();
        let percentiles = self.trial.percentiles();
        let record = record::Phase {
            sequence,
            algorithm: identity.algorithm.clone(),
            backend: identity.backend.clone(),
            backend_version: identity.backend_version.clone(),
            provider: self.provider.clone(),
            operation: identity.operation.clone(),
            operations: self.trial.operations(),
            elapsed_ns: self.used_ns(),
            slices: self.slices,
            batch: self.batch,
            min_ns: quantiles.map(|q| q.min_ns),
            p50_ns: quantiles.map(|q| q.p50_ns),
            p99_ns: quantiles.map(|q| q.p99_ns),
            max_ns: quantiles.map(|q| q.max_ns),
            failure: self.failure.as_ref().map(|(_, failure)| failure.to_string()),
            samples_ns: self.trial.kept().map(|kept| kept.samples_ns.clone()),
            samples_dropped: self.trial.kept().map(|kept| kept.dropped),
            percentiles_ns: percentiles.map(Vec::from),
            timeline: self.timeline.take(),
        };
        if self.failure.is_none() {
            self.pool.add(&self.trial);
            if let Some(kept) = self.trial.kept() {
                self.samples_ns.extend_from_slice(&kept.samples_ns);
                self.dropped += kept.dropped;
            }
        }
        self.ended += 1;
        self.trial = tally(self.keep_samples);
        record
    }

    /// What a later trial's log says of a phase that was given up.
    pub(crate) fn skipped(&self) -> Option<Skipped> {
        let (trial, failure) = self.failure.as_ref()?;
        let identity = self.identity();
        Some(Skipped {
            algorithm: identity.algorithm.clone(),
            backend: identity.backend.clone(),
            operation: identity.operation.clone(),
            reason: format!("failed in trial {trial}: {failure}"),
        })
    }

    /// The failure in words of a report.
    pub(crate) fn unmeasured(&self) -> Option<Unmeasured> {
        let (_, failure) = self.failure.as_ref()?;
        Some(Unmeasured { identity: self.identity().clone(), reason: failure.to_string() })
    }

    /// The figures over all trials; `None` if there are none.
    pub(crate) fn into_row(self) -> Option<Row> {
        let tally = &self.pool.tally;
        let mean_ns = tally.mean_ns()?;
        let quantiles = tally.quantiles()?;
        let threads = self.threads();
        Some(Row {
            identity: self.source.identity().clone(),
            provider: self.provider.clone(),
            mean_ns,
            p50_ns: quantiles.p50_ns,
            p99_ns: quantiles.p99_ns,
            min_ns: quantiles.min_ns,
            max_ns: quantiles.max_ns,
            spread_pct: self.pool.spread_pct(),
            ops_per_second: ratio(threads, 1) * 1e9 / mean_ns,
            rounds: tally.operations(),
            trials: u32::try_from(self.pool.means_ns.len()).unwrap_or(u32::MAX),
            threads: self.lanes.len(),
            batch: self.batch,
            notes: self.notes(),
            samples_ns: self.keep_samples.then_some(self.samples_ns),
        })
    }

    fn notes(&self) -> Vec<Note> {
        let samples = self.pool.tally.samples();
        [
            (self.pool.fewest_operations == 1, Note::OneOperation),
            (samples < FEW_SAMPLES, Note::FewSamples { samples }),
            (self.batch > 1, Note::Batches { size: self.batch }),
            (self.failure.is_some(), Note::Incomplete),
            (self.dropped > 0, Note::SamplesDropped { dropped: self.dropped }),
        ]
        .into_iter()
        .filter_map(|(holds, note)| holds.then_some(note))
        .collect()
    }
}

fn tally(keep_samples: bool) -> Tally {
    Tally::new(keep_samples.then_some(MAX_KEPT_SAMPLES))
}
