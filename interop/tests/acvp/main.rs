//! ACVP as a language: NIST's own prompts answered, responses judged, fresh prompts asked, damaged files refused.

// Clippy allows `unwrap` in tests only where it sees that they are tests.
#![cfg(test)]

mod damage;
mod disguised;
mod fresh;
mod judging;
mod nist;

use std::collections::BTreeMap;
use std::sync::Arc;

use pqsig::{Algorithm, backend};
use pqsig_interop::acvp::{Disposition, Key, Prompt, Secret, ask};
use pqsig_interop::peer::{Native, Peer};

pub(crate) fn peer(name: &str) -> Arc<dyn Peer> {
    Arc::new(Native::new(backend::by_name(name).unwrap()).unwrap())
}

pub(crate) fn everyone() -> Vec<Arc<dyn Peer>> {
    backend::NAMES.iter().map(|name| peer(name)).collect()
}

pub(crate) fn quiet(_: usize, _: usize) {}

/// The groups of one parameter set.
pub(crate) fn only(mut prompt: Prompt, algorithm: Algorithm) -> Prompt {
    prompt.groups.retain(|group| group.algorithm == algorithm);
    prompt
}

pub(crate) const SECRET: [u8; 32] = *b"a secret that everybody can read";

pub(crate) fn fresh(
    algorithm: Algorithm,
    count: usize,
) -> (BTreeMap<&'static str, Vec<u8>>, BTreeMap<Key, Disposition>) {
    let asked = ask(algorithm, &Secret::new(&SECRET), count, &everyone()).unwrap();
    (asked.prompts.into_iter().map(|(task, json)| (task.name(), json)).collect(), asked.dispositions)
}
