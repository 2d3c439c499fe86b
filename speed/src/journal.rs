//! What a run writes of itself, if anything.

use std::path::PathBuf;
use std::process;
use std::time::SystemTime;

use crate::clock::{Clock, Precision};
use crate::host::{Host, HostState};
use crate::log::{Folder, Writer};
use crate::record::{End, Interrupted, Line, OptionsRecord, Phase, Program, Run, Schema, Skipped};
use crate::{Error, Operation, Options, Unmeasured};

/// The trial logs of one run; without a folder, nothing is written and nothing is asked of the system.
pub(crate) struct Journal {
    folder: Option<Folder>,
    run_id: String,
    paths: Vec<PathBuf>,
}

/// The log of the trial that goes on.
pub(crate) struct TrialJournal {
    writer: Option<Writer>,
    start_ns: u64,
    phases: u32,
    failed: u32,
}

impl Journal {
    pub(crate) fn new(folder: Option<Folder>) -> Self {
        let run_id = format!("{}-{}", unix_ms(), process::id());
        Journal { folder, run_id, paths: Vec::new() }
    }

    /// The logs that were begun.
    pub(crate) fn into_paths(self) -> Vec<PathBuf> {
        self.paths
    }

    /// Begins the log of a trial.
    ///
    /// # Errors
    /// [`Error::Log`].
    pub(crate) fn begin(
        &mut self,
        trial: u32,
        options: &Options,
        clock: &impl Clock,
        precision: Precision,
    ) -> Result<TrialJournal, Error> {
        let create = |folder: &Folder| match options.only_trial {
            // A script that makes the trials of one run by one finds each by its number.
            Some(trial) => folder.create_numbered(trial.into()),
            None => folder.create(),
        };
        let writer = self.folder.as_ref().map(create).transpose()?;
        let mut journal = TrialJournal { writer, start_ns: clock.now_ns(), phases: 0, failed: 0 };
        if let Some(writer) = &journal.writer {
            self.paths.push(writer.path().to_owned());
        }
        journal.write(|| {
            Line::Run(Box::new(Run {
                schema: Schema,
                run_id: self.run_id.clone(),
                trial,
                trials: options.trials,
                started_unix_ms: unix_ms(),
                program: program(),
                options: options_record(options),
                clock: precision,
                host: Host::detect(),
                before: HostState::now(),
            }))
        })?;
        Ok(journal)
    }
}

impl TrialJournal {
    /// When the trial started, by the clock that measures.
    pub(crate) fn start_ns(&self) -> u64 {
        self.start_ns
    }

    /// The place of the next phase among the trial's.
    pub(crate) fn next_sequence(&self) -> u32 {
        self.phases
    }

    pub(crate) fn phase(&mut self, phase: Phase) -> Result<(), Error> {
        self.phases += 1;
        self.failed += u32::from(phase.failure.is_some());
        self.write(|| Line::Phase(phase))
    }

    pub(crate) fn skipped(&mut self, skipped: Skipped) -> Result<(), Error> {
        self.write(|| Line::Skipped(skipped))
    }

    /// The trial is whole.
    pub(crate) fn end(mut self, clock: &impl Clock) -> Result<(), Error> {
        let (phases, failed) = (self.phases, self.failed);
        let elapsed_ns = clock.now_ns() - self.start_ns;
        self.write(|| Line::End(End { phases, failed, elapsed_ns, after: HostState::now() }))
    }

    /// The trial is given up for this reason. Should even that not be written, the log still has no end.
    pub(crate) fn give_up(mut self, reason: &Error) {
        let reason = reason.to_string();
        drop(self.write(|| Line::Interrupted(Interrupted { reason })));
    }

    fn write(&mut self, line: impl FnOnce() -> Line) -> Result<(), Error> {
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(&line()))
    }
}

impl From<&Unmeasured> for Skipped {
    fn from(unmeasured: &Unmeasured) -> Self {
        let identity = &unmeasured.identity;
        Skipped {
            algorithm: identity.algorithm.clone(),
            backend: identity.backend.clone(),
            operation: identity.operation.clone(),
            reason: unmeasured.reason.clone(),
        }
    }
}

fn program() -> Program {
    Program {
        name: env!("CARGO_PKG_NAME").to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        debug_assertions: cfg!(debug_assertions),
        target: format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS),
    }
}

fn options_record(options: &Options) -> OptionsRecord {
    OptionsRecord {
        algorithms: options.algorithms.iter().map(ToString::to_string).collect(),
        backends: options.backends().iter().map(pqsig::Backend::name).collect(),
        operations: options.operations.iter().map(Operation::to_string).collect(),
        duration_ns: u64::try_from(options.duration.as_nanos()).unwrap_or(u64::MAX),
        message_size_bytes: options.message_size as u64,
        context_size_bytes: options.context_size as u64,
        deterministic: options.deterministic,
        threads: u32::try_from(options.threads).unwrap_or(u32::MAX),
        keep_samples: options.keep_samples,
    }
}

/// A system whose clock stands before 1970 gets 0.
fn unix_ms() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
