//! One error type: what was wrong, and what would be right.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::options::{MAX_DURATION, MAX_MESSAGE_SIZE, MAX_THREADS, MAX_TRIALS};

/// Why a run was refused or given up. `Display` says what was wrong in one line; [`Error::remedy`] says what
/// would be right; [`Error::code`] names the kind for programs.
///
/// A backend that fails while it is timed is no error of the run: it stands in [`crate::Report::failures`],
/// and the other phases go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("no algorithm to time")]
    NoAlgorithm,

    #[error("no backend to time")]
    NoBackend,

    #[error("no operation to time")]
    NoOperation,

    #[error("unknown operation `{given}`")]
    UnknownOperation { given: String },

    #[error("a phase of no duration times nothing")]
    ZeroDuration,

    #[error("a phase of {} s is too long", given.as_secs())]
    DurationTooLong { given: Duration },

    #[error("a run of no trials times nothing")]
    ZeroTrials,

    #[error("{given} trials are too many")]
    TooManyTrials { given: u32 },

    #[error("there is no trial {given} of {trials}")]
    TrialOutOfRange { given: u32, trials: u32 },

    #[error("a message of {given} bytes is too long")]
    MessageTooLong { given: usize },

    #[error("a context has at most 255 bytes, {given} were asked for")]
    ContextTooLong { given: usize },

    #[error("no thread to time with")]
    ZeroThreads,

    #[error("{given} threads are too many")]
    TooManyThreads { given: usize },

    #[error("nothing of what was asked can be timed: {}", reasons.join("; "))]
    NothingToTime { reasons: Vec<String> },

    #[error("can't write the trial log `{}`: {source}", path.display())]
    Log { path: PathBuf, source: io::Error },

    #[error("the trial log `{}` exists", path.display())]
    LogExists { path: PathBuf },

    #[error("the system gives no {threads} threads: {source}")]
    ThreadsUnavailable { threads: u32, source: io::Error },

    #[error("the run was interrupted")]
    Cancelled,
}

impl Error {
    /// A stable name for the kind of error, such as `pqsig::speed::zero_duration`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::NoAlgorithm => "pqsig::speed::no_algorithm",
            Error::NoBackend => "pqsig::speed::no_backend",
            Error::NoOperation => "pqsig::speed::no_operation",
            Error::UnknownOperation { .. } => "pqsig::speed::unknown_operation",
            Error::ZeroDuration => "pqsig::speed::zero_duration",
            Error::DurationTooLong { .. } => "pqsig::speed::duration_too_long",
            Error::ZeroTrials => "pqsig::speed::zero_trials",
            Error::TooManyTrials { .. } => "pqsig::speed::too_many_trials",
            Error::TrialOutOfRange { .. } => "pqsig::speed::trial_out_of_range",
            Error::MessageTooLong { .. } => "pqsig::speed::message_too_long",
            Error::ContextTooLong { .. } => "pqsig::speed::context_too_long",
            Error::ZeroThreads => "pqsig::speed::zero_threads",
            Error::TooManyThreads { .. } => "pqsig::speed::too_many_threads",
            Error::NothingToTime { .. } => "pqsig::speed::nothing_to_time",
            Error::Log { .. } => "pqsig::speed::log",
            Error::LogExists { .. } => "pqsig::speed::log_exists",
            Error::ThreadsUnavailable { .. } => "pqsig::speed::threads_unavailable",
            Error::Cancelled => "pqsig::speed::cancelled",
        }
    }

    /// What would be right, in one sentence, where there is something to say.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            Error::NoAlgorithm => "name an algorithm (ML-DSA-65), a family (ML-DSA), or `all`".to_owned(),
            Error::NoBackend => format!("the backends are {}", pqsig::backend::NAMES.join(", ")),
            Error::NoOperation | Error::UnknownOperation { .. } => {
                "the operations are keygen, sign and verify".to_owned()
            }
            Error::ZeroDuration => {
                "give each phase some time, such as 1sec: at least one operation is always timed".to_owned()
            }
            Error::DurationTooLong { .. } => {
                format!(
                    "a phase may take up to {} s; more trials say more than a longer one",
                    MAX_DURATION.as_secs()
                )
            }
            Error::ZeroTrials => "3 trials show how far the figures scatter, 1 is the least".to_owned(),
            Error::TooManyTrials { .. } => format!("up to {MAX_TRIALS} are taken"),
            Error::TrialOutOfRange { trials: 1, .. } => "the only trial is 1".to_owned(),
            Error::TrialOutOfRange { trials, .. } => format!("the trials are 1 to {trials}"),
            Error::MessageTooLong { .. } => format!("up to {MAX_MESSAGE_SIZE} bytes are taken"),
            Error::ContextTooLong { .. } => "FIPS 204 and FIPS 205 allow 0 to 255 bytes".to_owned(),
            Error::ZeroThreads => "1 thread is the least".to_owned(),
            Error::TooManyThreads { .. } => {
                format!("up to {MAX_THREADS} are taken; more than cores only queue")
            }
            Error::ThreadsUnavailable { .. } => "take fewer threads".to_owned(),
            Error::LogExists { .. } => {
                "name another folder, or move the file away: a log is never overwritten".to_owned()
            }
            Error::Log { .. } => "name a folder that can be created or written to".to_owned(),
            Error::NothingToTime { .. } | Error::Cancelled => return None,
        })
    }
}
