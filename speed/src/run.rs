//! A run: trial after trial, group after group, the slices of a group's phases interleaved.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::clock::{Clock, Monotonic, Precision};
use crate::journal::{Journal, TrialJournal};
use crate::lock::Turn;
use crate::log::Folder;
use crate::phase::Phase;
use crate::schedule::{Schedule, order};
use crate::team::{Team, with_team};
use crate::workloads::Plan;
use crate::{Error, Event, Observer, Options, Progress, Report, Unmeasured};

/// The longest warm-up of a phase, unless one operation is longer; a tenth of the phase's time if that is
/// less.
const LONGEST_WARM_UP: Duration = Duration::from_millis(50);

/// Times what the options name. One run of a process measures at a time: another one waits for its turn.
///
/// A backend that fails is no error: its phase is given up and stands in [`Report::failures`].
///
/// # Errors
/// [`Error::NothingToTime`] when no backend can do any of what was asked; [`Error::Log`] before anything is
/// timed when the log's folder can't be written, and later when the disk is full; [`Error::TrialOutOfRange`]
/// and [`Error::LogExists`] of a run that makes one trial only; [`Error::ThreadsUnavailable`]; [`Error::Cancelled`] when the observer says so. A log that was begun then
/// says that it is incomplete.
pub fn run(options: &Options, observer: &mut dyn Observer) -> Result<Report, Error> {
    let trials = options.trials_to_make()?;
    let plan = Plan::new(options);
    if plan.groups.is_empty() {
        return Err(Error::NothingToTime { reasons: plan.skipped.iter().map(ToString::to_string).collect() });
    }
    let folder = options.log.as_deref().map(Folder::open).transpose()?;
    let _turn = Turn::take(observer)?;
    execute(&Monotonic::start(), options, trials, plan, Journal::new(folder), observer)
}

/// Runs these trials of a plan by a clock.
fn execute<C: Clock>(
    clock: &C,
    options: &Options,
    trials: RangeInclusive<u32>,
    plan: Plan,
    journal: Journal,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    let threads = u32::try_from(options.threads).unwrap_or(u32::MAX);
    let keep_samples = options.keep_samples;
    let outcome = with_team(clock, threads, |team| {
        let groups = plan
            .groups
            .into_iter()
            .map(|group| group.into_iter().map(|source| Phase::new(source, keep_samples)).collect());
        let mut execution = Execution {
            clock,
            team,
            options,
            trials,
            precision: Precision::measure(clock),
            schedule: Schedule::new(options.duration),
            start_ns: clock.now_ns(),
            groups: groups.collect(),
            skipped: plan.skipped,
            journal,
            observer,
        };
        execution.all_trials()?;
        Ok(execution.into_report())
    });
    outcome.map_err(|source| Error::ThreadsUnavailable { threads, source })?
}

struct Execution<'a, C> {
    clock: &'a C,
    team: &'a Team<'a, C>,
    options: &'a Options,
    /// The trials to make.
    trials: RangeInclusive<u32>,
    precision: Precision,
    schedule: Schedule,
    start_ns: u64,
    groups: Vec<Vec<Phase>>,
    skipped: Vec<Unmeasured>,
    journal: Journal,
    observer: &'a mut dyn Observer,
}

impl<C: Clock> Execution<'_, C> {
    fn all_trials(&mut self) -> Result<(), Error> {
        for trial in self.trials.clone() {
            let mut log = self.journal.begin(trial, self.options, self.clock, self.precision)?;
            match self.one_trial(trial, &mut log) {
                Ok(()) => log.end(self.clock)?,
                Err(error) => {
                    log.give_up(&error);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn one_trial(&mut self, trial: u32, log: &mut TrialJournal) -> Result<(), Error> {
        for skipped in &self.skipped {
            log.skipped(skipped.into())?;
        }
        for group in 0..self.groups.len() {
            // A phase that an earlier trial gave up has its line here and is not tried again.
            for phase in &self.groups[group] {
                if let Some(skipped) = phase.skipped() {
                    log.skipped(skipped)?;
                }
            }
            let tried: Vec<usize> = self.alive(group).collect();
            self.make_ready(group, trial)?;
            self.measure(group, trial, log.start_ns())?;
            for index in tried {
                log.phase(self.groups[group][index].end_trial(log.next_sequence()))?;
            }
        }
        Ok(())
    }

    /// The phases of a group that have not failed.
    fn alive(&self, group: usize) -> impl Iterator<Item = usize> {
        let phases = self.groups[group].iter().enumerate();
        phases.filter(|(_, phase)| phase.failure().is_none()).map(|(index, _)| index)
    }

    /// Everything that goes before measuring: before the first trial keys and inputs, before each one warm
    /// caches.
    fn make_ready(&mut self, group: usize, trial: u32) -> Result<(), Error> {
        let warm_up = LONGEST_WARM_UP.min(self.options.duration / 10);
        let warm_up_ns = u64::try_from(warm_up.as_nanos()).unwrap_or(u64::MAX);
        for phase in self.groups[group].iter_mut().filter(|phase| phase.failure().is_none()) {
            if self.observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if trial == *self.trials.start() {
                self.observer.event(&Event::Preparing(phase.identity()));
                phase.prepare(trial, self.team, self.precision, warm_up_ns, self.observer)?;
            } else if phase.sample_ns() <= warm_up_ns {
                // Operations that are longer feel little of a cold start.
                phase.warm_up(trial, self.team, warm_up_ns);
            }
            tell_failure(phase, self.observer);
            phase.begin_trial();
        }
        Ok(())
    }

    fn measure(&mut self, group: usize, trial: u32, trial_start_ns: u64) -> Result<(), Error> {
        let phases = self.groups[group].len();
        for pass in 0..self.schedule.passes() {
            for index in order(phases, pass, trial) {
                let target_ns = self.schedule.target_ns(pass);
                self.measure_until(group, index, trial, trial_start_ns, target_ns)?;
            }
        }
        Ok(())
    }

    /// Measures slices of a phase until it has used this much time.
    fn measure_until(
        &mut self,
        group: usize,
        index: usize,
        trial: u32,
        trial_start_ns: u64,
        target_ns: u64,
    ) -> Result<(), Error> {
        loop {
            let remaining = self.remaining();
            let phase = &mut self.groups[group][index];
            let left_ns = target_ns.saturating_sub(phase.used_ns());
            if phase.failure().is_some() || left_ns == 0 {
                return Ok(());
            }
            if self.observer.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.observer.event(&Event::Timing(Progress {
                identity: phase.identity(),
                trial,
                trials: self.options.trials,
                elapsed: Duration::from_nanos(self.clock.now_ns() - self.start_ns),
                remaining,
            }));
            phase.measure(trial, self.team, left_ns, self.clock.now_ns() - trial_start_ns);
            tell_failure(phase, self.observer);
        }
    }

    fn remaining(&self) -> Duration {
        let duration_ns = u64::try_from(self.options.duration.as_nanos()).unwrap_or(u64::MAX);
        let trials = self.trials.end() - self.trials.start() + 1;
        let left = |phase: &Phase| Duration::from_nanos(phase.remaining_ns(duration_ns, trials));
        self.groups.iter().flatten().map(left).sum()
    }

    fn into_report(self) -> Report {
        let phases: Vec<Phase> = self.groups.into_iter().flatten().collect();
        Report {
            failures: phases.iter().filter_map(Phase::unmeasured).collect(),
            rows: phases.into_iter().filter_map(Phase::into_row).collect(),
            skipped: self.skipped,
            logs: self.journal.into_paths(),
            clock: self.precision,
        }
    }
}

fn tell_failure(phase: &Phase, observer: &mut dyn Observer) {
    if let Some((_, failure)) = phase.failure() {
        observer.event(&Event::Failed { identity: phase.identity(), reason: failure.as_str() });
    }
}

#[cfg(test)]
mod tests;
