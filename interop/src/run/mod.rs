//! A run: every peer is asked everything, and the answers are judged.

mod exchange;
mod hostile;
mod keys;
mod panel;
mod reproducers;
mod signing;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use pqsig::Algorithm;
use rayon::prelude::*;

use crate::peer::Peer;
use crate::plan::{self, Keys, Planned};
use crate::record::{Case, Depth, NotMade, RUN_SCHEMA, Run, Skipped};
use crate::vectors;
use panel::Panel;
pub use reproducers::Reproducers;

/// What is run.
pub struct Options {
    /// The algorithms.
    pub algorithms: Vec<Algorithm>,
    /// How much is asked.
    pub depth: Depth,
    /// Who is asked. Their names must differ.
    pub peers: Vec<Arc<dyn Peer>>,
    /// Who was asked for and could not be had.
    pub skipped: Vec<Skipped>,
    /// Whether published vectors are run too.
    pub vectors: bool,
    /// The folder with the whole ACVP set; without it, the pack that the program carries is run.
    pub whole_acvp: Option<PathBuf>,
    /// Threads for the backends of this process; without it, one per core. Each adapter has one beside them.
    pub threads: Option<NonZero<usize>>,
    /// Where reproducers are written.
    pub reproducers: Option<PathBuf>,
}

/// Hears how far a run is, and can end it.
pub trait Observer: Sync {
    /// `done` of `total` questions of the stage `what` have been answered. `Break` ends the run.
    fn progress(&self, done: u64, total: u64, what: &str) -> ControlFlow<()>;
}

/// An observer that does not care.
pub struct Silent;

impl Observer for Silent {
    fn progress(&self, _: u64, _: u64, _: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("nobody to ask: name at least one backend or adapter")]
    NoPeers,

    #[error("two peers go by the name `{name}`")]
    DuplicateName { name: String },

    #[error("the run was interrupted")]
    Interrupted,

    #[error(transparent)]
    Core(#[from] pqsig::Error),

    #[error("can't tell which program this is: {0}")]
    Program(String),

    #[error("can't start the threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),

    #[error("can't write the reproducer {}: {reason}", path.display())]
    Reproducer { path: PathBuf, reason: String },

    #[error(transparent)]
    Vectors(#[from] vectors::Error),
}

/// Runs.
///
/// # Errors
/// [`Error`]. A peer that breaks is no error: it is a finding.
pub fn run(options: &Options, observer: &dyn Observer) -> Result<Run, Error> {
    let begin = Instant::now();
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let panel = Panel::new(options, observer)?;
    let (cases, not_made) = panel.pool().install(|| matrix(options, &panel))?;
    let (vectors, failures) = if options.vectors {
        panel.vectors(&options.algorithms, options.whole_acvp.as_deref())?
    } else {
        (Vec::new(), Vec::new())
    };
    Ok(Run {
        schema: RUN_SCHEMA.to_owned(),
        pqsig_version: env!("CARGO_PKG_VERSION").to_owned(),
        depth: options.depth,
        started_unix_ms: u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX),
        elapsed_ms: u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX),
        peers: options.peers.iter().map(|peer| peer.identity().clone()).collect(),
        skipped: options.skipped.clone(),
        cases: cases.into_iter().chain(failures).collect(),
        not_made,
        vectors,
    })
}

/// An algorithm with what is asked about it.
struct Subject {
    algorithm: Algorithm,
    keys: Keys,
    messages: Vec<Planned>,
}

impl Subject {
    fn new(algorithm: Algorithm) -> Result<Self, pqsig::Error> {
        let keys = Keys::new(algorithm)?;
        let messages = plan::messages(keys.private.public_key())?;
        Ok(Subject { algorithm, keys, messages })
    }
}

/// Keys, then signatures, then what can be asked about these.
fn matrix(options: &Options, panel: &Panel<'_>) -> Result<(Vec<Case>, Vec<NotMade>), Error> {
    let subjects: Vec<Subject> =
        options.algorithms.par_iter().map(|algorithm| Subject::new(*algorithm)).collect::<Result<_, _>>()?;
    let mut cases = keys::derive(panel, &subjects)?;
    let (signing, mut signatures) = signing::sign(panel, &subjects)?;
    cases.extend(signing);
    cases.extend(exchange::verify(panel, &subjects, &mut signatures)?);
    cases.extend(keys::forms(panel, &subjects, &signatures)?);
    let (hostile, not_made) = hostile::ask(panel, &subjects, &signatures)?;
    cases.extend(hostile);
    // By algorithm, each in the order of the checks: the order in which a reader looks for them.
    cases.sort_by_key(|case| (case.algorithm as usize, case.check));
    Ok((cases, not_made))
}
