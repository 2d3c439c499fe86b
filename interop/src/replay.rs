//! Asks again what a reproducer holds.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::document::{self, Error};
use crate::judge::{Known, Statement, judge};
use crate::peer::Peer;
use crate::record::{Finding, REPRODUCER_SCHEMA, Recorded, Reproducer};

/// What came of a replay.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The file.
    pub reproducer: Reproducer,
    /// What each peer answers now.
    pub now: BTreeMap<String, Recorded>,
    /// What is wrong now, if anything is.
    pub finding: Option<Finding>,
    /// Peers of then that were not asked now.
    pub absent: Vec<String>,
    /// Peers that are of another build than then: an old verdict says nothing of them.
    pub other_builds: Vec<String>,
}

const WHAT: &str = "reproducer";

/// Reads a reproducer.
///
/// # Errors
/// [`Error`].
pub fn read(path: &Path) -> Result<Reproducer, Error> {
    document::read(path, WHAT, REPRODUCER_SCHEMA)
}

/// Asks the peers what the reproducer asks.
///
/// # Errors
/// [`Error::Damaged`] when its reference is not hexadecimal.
pub fn replay(path: &Path, reproducer: Reproducer, peers: &[Arc<dyn Peer>]) -> Result<Replayed, Error> {
    let reference = reproducer.reference.as_deref().map(hex::decode).transpose().map_err(|error| {
        Error::Damaged { path: path.to_owned(), what: WHAT, reason: format!("its reference: {error}") }
    })?;
    let statements: Vec<_> = peers
        .iter()
        .map(|peer| Statement { who: peer.identity(), answer: reproducer.question.ask(&**peer) })
        .collect();
    let known = Known { reference: reference.as_deref(), signer: reproducer.signer.as_deref() };
    let judgement = judge(&reproducer.question, reproducer.expected, known, &statements);
    let absent = reproducer
        .answers
        .keys()
        .filter(|name| peers.iter().all(|peer| peer.name() != name.as_str()))
        .cloned()
        .collect();
    let is_other_build = |peer: &&Arc<dyn Peer>| {
        let then = reproducer.peers.iter().find(|then| then.name == peer.name());
        then.is_some_and(|then| then.artifacts != peer.identity().artifacts)
    };
    let other_builds = peers.iter().filter(is_other_build).map(|peer| peer.name().to_owned()).collect();
    Ok(Replayed { reproducer, now: judgement.answers, finding: judgement.finding, absent, other_builds })
}
