//! What several backends share: seeds, randomness, failures.

use zeroize::Zeroizing;

use super::{Generate, Randomness};
use crate::{Algorithm, Error};

/// The longest seed: 3n of the SLH-DSA sets of category 5.
pub(super) const MAX_SEED: usize = 96;

/// The most randomness that one signature takes.
pub(super) const MAX_RANDOMNESS: usize = 32;

/// The seed to generate from: the one given, or a fresh one in `fresh`.
pub(super) fn seed<'a>(
    algorithm: Algorithm,
    from: Generate<'a>,
    fresh: &'a mut Zeroizing<[u8; MAX_SEED]>,
) -> Result<&'a [u8], Error> {
    match from {
        Generate::FromSeed(seed) => Ok(seed),
        Generate::Random => {
            let seed = &mut fresh[..algorithm.parameters().seed];
            getrandom::fill(seed)?;
            Ok(seed)
        }
    }
}

/// The randomness of one signature, in a buffer. `Deterministic` gives `None` and leaves the buffer as it is.
pub(super) fn draw<'a>(
    algorithm: Algorithm,
    randomness: Randomness<'_>,
    buffer: &'a mut [u8; MAX_RANDOMNESS],
) -> Result<Option<&'a [u8]>, Error> {
    let buffer = &mut buffer[..algorithm.parameters().randomness];
    match randomness {
        Randomness::Deterministic => return Ok(None),
        Randomness::Hedged => getrandom::fill(buffer)?,
        Randomness::Fixed(bytes) => buffer.copy_from_slice(bytes.as_bytes()),
    }
    Ok(Some(buffer))
}

/// A failure inside a backend's library, in its own words.
pub(super) fn failed(backend: &str, operation: &'static str, reason: impl std::fmt::Display) -> Error {
    Error::Backend { backend: backend.to_owned(), operation, reason: reason.to_string() }
}

/// Holds a crate's name and version, which a user reads, against Cargo.lock, which decides what is built.
#[cfg(test)]
pub(super) fn assert_locked(words: &str) {
    let lock = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock")).unwrap();
    let (name, version) = words.split_once(' ').unwrap();
    let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
    assert!(lock.contains(&entry), "{words} is not what Cargo.lock pins");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_seed_and_no_randomness_outgrows_its_buffer() {
        for algorithm in Algorithm::all() {
            assert!(algorithm.parameters().seed <= MAX_SEED);
            assert!(algorithm.parameters().randomness <= MAX_RANDOMNESS);
        }
    }
}
