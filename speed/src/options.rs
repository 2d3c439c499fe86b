//! What to time, and how: values that exist have been checked.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use pqsig::{Algorithm, Backend, Context, Feature};

use crate::Error;

/// The longest time of one phase in one trial.
pub const MAX_DURATION: Duration = Duration::from_hours(1);
/// The most trials of one run.
pub const MAX_TRIALS: u32 = 1000;
/// The longest message, in bytes.
pub const MAX_MESSAGE_SIZE: usize = 64 << 20;
/// The most threads of one run.
pub const MAX_THREADS: usize = 256;

/// What is timed of a signature algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Generating a key from fresh randomness.
    Keygen,
    /// Signing with a loaded key.
    Sign,
    /// Verifying a valid signature with a loaded key.
    Verify,
}

impl Operation {
    /// Every operation, in the order of a report.
    pub const ALL: [Operation; 3] = [Operation::Keygen, Operation::Sign, Operation::Verify];

    /// `keygen`, `sign` or `verify`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::Verify => "verify",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Operation {
    type Err = Error;

    /// Takes the name in any case.
    fn from_str(given: &str) -> Result<Self, Error> {
        Operation::ALL
            .into_iter()
            .find(|operation| given.trim().eq_ignore_ascii_case(operation.name()))
            .ok_or_else(|| Error::UnknownOperation { given: given.to_owned() })
    }
}

/// What a run times, and how. Each `with_` method refuses a value that makes no sense, so that a caller can
/// point at the argument at fault.
///
/// ```
/// use std::time::Duration;
/// use pqsig::Algorithm;
/// use pqsig_speed::Options;
///
/// let options = Options::new([Algorithm::MlDsa65])?.with_trials(2)?;
/// let options = options.with_duration(Duration::from_millis(500))?;
/// assert!(options.with_duration(Duration::ZERO).is_err());
/// # Ok::<(), pqsig_speed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) algorithms: Vec<Algorithm>,
    /// Those that were named, if any were.
    backends: Option<Vec<Backend>>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) duration: Duration,
    pub(crate) trials: u32,
    pub(crate) only_trial: Option<u32>,
    pub(crate) message_size: usize,
    pub(crate) context_size: usize,
    pub(crate) deterministic: bool,
    pub(crate) threads: usize,
    pub(crate) keep_samples: bool,
    pub(crate) log: Option<PathBuf>,
}

impl Options {
    /// The time of one phase in one trial, when nobody says.
    pub const DEFAULT_DURATION: Duration = Duration::from_secs(1);
    /// The trials, when nobody says.
    pub const DEFAULT_TRIALS: u32 = 3;
    /// The message's length in bytes, when nobody says: that of a digest, and of what `openssl speed` signs.
    pub const DEFAULT_MESSAGE_SIZE: usize = 32;

    /// Every backend that has them and every operation of these algorithms, hedged, on one thread, with the defaults above
    /// and no context. An algorithm that is named twice is timed once.
    ///
    /// # Errors
    /// [`Error::NoAlgorithm`].
    pub fn new(algorithms: impl IntoIterator<Item = Algorithm>) -> Result<Self, Error> {
        let algorithms = without_repetitions(algorithms, |a, b| a == b);
        if algorithms.is_empty() {
            return Err(Error::NoAlgorithm);
        }
        Ok(Options {
            algorithms,
            backends: None,
            operations: Operation::ALL.to_vec(),
            duration: Options::DEFAULT_DURATION,
            trials: Options::DEFAULT_TRIALS,
            only_trial: None,
            message_size: Options::DEFAULT_MESSAGE_SIZE,
            context_size: 0,
            deterministic: false,
            threads: 1,
            keep_samples: false,
            log: None,
        })
    }

    /// Times these backends only. What one of them does not have is skipped, and the report says so.
    ///
    /// # Errors
    /// [`Error::NoBackend`].
    pub fn with_backends(mut self, backends: impl IntoIterator<Item = Backend>) -> Result<Self, Error> {
        let backends = without_repetitions(backends, |a, b| a.name() == b.name());
        if backends.is_empty() {
            return Err(Error::NoBackend);
        }
        self.backends = Some(backends);
        Ok(self)
    }

    /// The backends to time with one algorithm. When none were named, one without the algorithm is not missed.
    pub(crate) fn backends_for(&self, algorithm: Algorithm) -> Vec<Backend> {
        let has = |backend: &&Backend| backend.supports(algorithm, Feature::Algorithm);
        match &self.backends {
            Some(named) => named.clone(),
            None => pqsig::backend::all().iter().filter(has).cloned().collect(),
        }
    }

    /// The backends to time with any of the algorithms.
    pub(crate) fn backends(&self) -> Vec<Backend> {
        let all = self.algorithms.iter().flat_map(|algorithm| self.backends_for(*algorithm));
        without_repetitions(all, |a, b| a.name() == b.name())
    }

    /// Times these operations only, in this order.
    ///
    /// # Errors
    /// [`Error::NoOperation`].
    pub fn with_operations(mut self, operations: impl IntoIterator<Item = Operation>) -> Result<Self, Error> {
        self.operations = without_repetitions(operations, |a, b| a == b);
        if self.operations.is_empty() { Err(Error::NoOperation) } else { Ok(self) }
    }

    /// The time of one phase (algorithm x backend x operation) in one trial, as `openssl speed -seconds`
    /// counts it: a run takes `duration` x phases x trials, and what preparing takes. A phase runs until its
    /// time is used up, and for one operation at least, however long that takes.
    ///
    /// # Errors
    /// [`Error::ZeroDuration`]; [`Error::DurationTooLong`] over [`MAX_DURATION`].
    pub fn with_duration(mut self, duration: Duration) -> Result<Self, Error> {
        if duration.is_zero() {
            return Err(Error::ZeroDuration);
        }
        if duration > MAX_DURATION {
            return Err(Error::DurationTooLong { given: duration });
        }
        self.duration = duration;
        Ok(self)
    }

    /// How often every phase is timed. The trials follow one another; how far their means lie apart is
    /// [`crate::Row::spread_pct`].
    ///
    /// # Errors
    /// [`Error::ZeroTrials`]; [`Error::TooManyTrials`] over [`MAX_TRIALS`].
    pub fn with_trials(mut self, trials: u32) -> Result<Self, Error> {
        match trials {
            0 => Err(Error::ZeroTrials),
            given if given > MAX_TRIALS => Err(Error::TooManyTrials { given }),
            trials => {
                self.trials = trials;
                Ok(self)
            }
        }
    }

    /// Makes only this one of the trials, from 1, as a script does that takes turns with another program: the
    /// order of its phases and its log are those of that trial. Its log is `trial-N.jsonl`, which must not
    /// exist, and has a `run_id` of its own.
    ///
    /// Whether there is such a trial is for [`crate::run`] to say, because their number may be set later.
    #[must_use]
    pub fn with_only_trial(mut self, trial: u32) -> Self {
        self.only_trial = Some(trial);
        self
    }

    /// The trials to make.
    ///
    /// # Errors
    /// [`Error::TrialOutOfRange`].
    pub(crate) fn trials_to_make(&self) -> Result<RangeInclusive<u32>, Error> {
        match self.only_trial {
            None => Ok(1..=self.trials),
            Some(only) if (1..=self.trials).contains(&only) => Ok(only..=only),
            Some(given) => Err(Error::TrialOutOfRange { given, trials: self.trials }),
        }
    }

    /// The length of every message, in bytes; 0 is the empty message.
    ///
    /// # Errors
    /// [`Error::MessageTooLong`] over [`MAX_MESSAGE_SIZE`].
    pub fn with_message_size(mut self, bytes: usize) -> Result<Self, Error> {
        if bytes > MAX_MESSAGE_SIZE {
            return Err(Error::MessageTooLong { given: bytes });
        }
        self.message_size = bytes;
        Ok(self)
    }

    /// The length of the context, in bytes; 0 is no context. Signing and verifying with pure Ed25519, which
    /// has no context, are then skipped, and the report says so.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`] over 255.
    pub fn with_context_size(mut self, bytes: usize) -> Result<Self, Error> {
        if bytes > Context::MAX {
            return Err(Error::ContextTooLong { given: bytes });
        }
        self.context_size = bytes;
        Ok(self)
    }

    /// Signs without randomness. Every backend has the same key and the same messages in the same order, in
    /// every trial: all make the same signatures, so ratios between them are free of the luck of ML-DSA's
    /// rejections.
    #[must_use]
    pub fn with_deterministic(mut self, deterministic: bool) -> Self {
        self.deterministic = deterministic;
        self
    }

    /// How many threads work at the same time, each with a key of its own.
    ///
    /// # Errors
    /// [`Error::ZeroThreads`]; [`Error::TooManyThreads`] over [`MAX_THREADS`].
    pub fn with_threads(mut self, threads: usize) -> Result<Self, Error> {
        match threads {
            0 => Err(Error::ZeroThreads),
            given if given > MAX_THREADS => Err(Error::TooManyThreads { given }),
            threads => {
                self.threads = threads;
                Ok(self)
            }
        }
    }

    /// Keeps the single samples, in the log and in the report.
    #[must_use]
    pub fn with_samples(mut self, keep: bool) -> Self {
        self.keep_samples = keep;
        self
    }

    /// Writes a trial log, one file per trial, into this folder, which is created if need be. The path is
    /// taken as it is: a relative one starts from the process's own folder.
    #[must_use]
    pub fn with_log(mut self, folder: impl AsRef<Path>) -> Self {
        self.log = Some(folder.as_ref().to_owned());
        self
    }
}

/// The items in their order, each of them once.
fn without_repetitions<T>(items: impl IntoIterator<Item = T>, same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if !kept.iter().any(|other| same(other, &item)) {
            kept.push(item);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::new([Algorithm::MlDsa44]).unwrap()
    }

    #[test]
    fn what_is_named_twice_is_timed_once_in_its_place() {
        use Algorithm::{Ed25519, MlDsa44, MlDsa65};
        let options = Options::new([MlDsa65, Ed25519, MlDsa65, MlDsa44, Ed25519]).unwrap();
        assert_eq!(options.algorithms, [MlDsa65, Ed25519, MlDsa44]);
        let backend = pqsig::backend::all()[0].clone();
        let options = options.with_backends([backend.clone(), backend]).unwrap();
        assert_eq!(options.backends().len(), 1);
        let options = options.with_operations([Operation::Verify, Operation::Keygen, Operation::Verify]);
        assert_eq!(options.unwrap().operations, [Operation::Verify, Operation::Keygen]);
    }

    #[test]
    fn a_backend_without_the_algorithm_is_asked_only_by_name() {
        let unnamed = Options::new(Algorithm::all()).unwrap();
        let named = Options::new(Algorithm::all()).unwrap();
        let named = named.with_backends(pqsig::backend::all().iter().cloned()).unwrap();
        for algorithm in Algorithm::all() {
            let having = pqsig::backend::ranking::ranked(algorithm).count();
            assert_eq!(unnamed.backends_for(algorithm).len(), having, "{algorithm}");
            assert_eq!(named.backends_for(algorithm).len(), pqsig::backend::NAMES.len(), "{algorithm}");
        }
        assert_eq!(unnamed.backends().len(), pqsig::backend::NAMES.len());
    }

    #[test]
    fn the_limits_themselves_are_taken() {
        let options = options().with_duration(MAX_DURATION).unwrap().with_trials(MAX_TRIALS).unwrap();
        let options = options.with_message_size(MAX_MESSAGE_SIZE).unwrap().with_threads(MAX_THREADS).unwrap();
        let options = options.with_context_size(255).unwrap();
        let least = options.with_duration(Duration::from_nanos(1)).unwrap().with_trials(1).unwrap();
        assert!(least.with_message_size(0).unwrap().with_threads(1).unwrap().with_context_size(0).is_ok());
    }

    #[test]
    fn one_trial_is_among_those_that_there_are() {
        let of = |trials, only| {
            let options = options().with_only_trial(only).with_trials(trials).unwrap();
            options.trials_to_make()
        };
        assert_eq!(options().trials_to_make().unwrap(), 1..=3);
        for only in 1..=3 {
            assert_eq!(of(3, only).unwrap(), only..=only);
        }
        for only in [0, 4, u32::MAX] {
            let error = of(3, only).unwrap_err();
            assert!(matches!(error, Error::TrialOutOfRange { given, trials: 3 } if given == only));
            assert_eq!(error.code(), "pqsig::speed::trial_out_of_range");
            assert_eq!(error.remedy().unwrap(), "the trials are 1 to 3");
        }
        assert_eq!(of(1, 2).unwrap_err().remedy().unwrap(), "the only trial is 1");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_remedy() {
        let over = Duration::from_nanos(1) + MAX_DURATION;
        let refused = [
            (Options::new([]).err(), "no_algorithm"),
            (options().with_backends([]).err(), "no_backend"),
            (options().with_operations([]).err(), "no_operation"),
            (options().with_duration(Duration::ZERO).err(), "zero_duration"),
            (options().with_duration(over).err(), "duration_too_long"),
            (options().with_trials(0).err(), "zero_trials"),
            (options().with_trials(MAX_TRIALS + 1).err(), "too_many_trials"),
            (options().with_message_size(MAX_MESSAGE_SIZE + 1).err(), "message_too_long"),
            (options().with_context_size(256).err(), "context_too_long"),
            (options().with_threads(0).err(), "zero_threads"),
            (options().with_threads(MAX_THREADS + 1).err(), "too_many_threads"),
            ("encaps".parse::<Operation>().err(), "unknown_operation"),
        ];
        for (error, code) in refused {
            let error = error.unwrap_or_else(|| panic!("{code} was taken"));
            assert_eq!(error.code(), format!("pqsig::speed::{code}"));
            assert!(error.remedy().is_some_and(|remedy| !remedy.is_empty()), "{error}");
        }
    }

    #[test]
    fn an_operations_name_is_taken_in_any_case() {
        for operation in Operation::ALL {
            assert_eq!(operation.name().to_uppercase().parse::<Operation>().unwrap(), operation);
        }
    }
}
