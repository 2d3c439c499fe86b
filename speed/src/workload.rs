//! Things that can be timed. They know nothing of being timed.

use std::fmt;

/// Something that can be done again and again.
pub trait Workload: Send {
    /// Does it once. The index, which differs from call to call, is there to vary the input: the same index
    /// gives the same input in every trial and for every backend. Must return its result through
    /// [`std::hint::black_box`].
    ///
    /// # Errors
    /// [`Failure`] ends the phase.
    fn operate(&mut self, index: u64) -> Result<(), Failure>;

    /// The part of the library that really does the work, where the library has a word for it: OpenSSL's
    /// provider. Asked for once, before anything is timed.
    fn provider(&self) -> Option<String> {
        None
    }
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(Box<str>);

impl Failure {
    /// A failure for this reason.
    #[must_use]
    pub fn new(reason: impl Into<Box<str>>) -> Self {
        Failure(reason.into())
    }

    /// The reason.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

impl From<pqsig::Error> for Failure {
    fn from(error: pqsig::Error) -> Self {
        Failure::new(error.to_string())
    }
}

/// What is timed, in words for reports and logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The algorithm, such as `ML-DSA-65`.
    pub algorithm: String,
    /// The backend, such as `openssl`.
    pub backend: String,
    /// The backend's own words of its version.
    pub backend_version: String,
    /// The operation, such as `sign`.
    pub operation: String,
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.algorithm, self.backend, self.operation)
    }
}

/// Why a workload can't be made ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotReady {
    /// The caller said stop.
    Cancelled,
    /// It failed.
    Failed(Failure),
}

impl<E: Into<Failure>> From<E> for NotReady {
    fn from(error: E) -> Self {
        NotReady::Failed(error.into())
    }
}

/// Makes a workload ready: loads keys, makes inputs. All of this is outside the timed region.
pub(crate) trait Source {
    /// What is timed.
    fn identity(&self) -> &Identity;

    /// A workload for one thread. Called once per thread; work that takes longer than a moment asks
    /// `is_cancelled` between its steps.
    ///
    /// # Errors
    /// [`NotReady`].
    fn workload(&mut self, is_cancelled: &mut dyn FnMut() -> bool) -> Result<Box<dyn Workload>, NotReady>;
}
