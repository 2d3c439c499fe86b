//! Which backend serves when nobody says: the fastest that supports what is asked.

use super::{Backend, NAMES, all, openssl, rustcrypto, unsupported};
use crate::{Algorithm, Error, Family, Feature};

/// Backends from the fastest to the slowest at signing. The figures beside each place are signatures per second on one
/// core of an Intel Xeon with AVX-512, by
/// `pqsig speed ... --deterministic --operation sign --duration 1500ms --trials 2`.
#[expect(clippy::match_same_arms, reason = "each place rests on figures of its own")]
fn order(algorithm: Algorithm) -> [&'static str; NAMES.len()] {
    match algorithm.family() {
        // ML-DSA-44: 2180, 2060; -65: 1283, 1203; -87: 1118, 1082. OpenSSL generates keys 1.6 times as fast; RustCrypto
        // verifies 1.6 times as fast.
        Family::MlDsa => [openssl::NAME, rustcrypto::NAME],
        // SHAKE-128f: 29.7, 14.1; SHAKE-256s: 0.95, 0.43.
        Family::SlhDsa if algorithm.uses_shake() => [openssl::NAME, rustcrypto::NAME],
        // SHA2-128f: 132, 78.9; SHA2-256s: 3.0, 1.8.
        Family::SlhDsa => [rustcrypto::NAME, openssl::NAME],
        // 68,500, 28,900.
        Family::Ed25519 => [rustcrypto::NAME, openssl::NAME],
    }
}

/// The fastest backend that supports all that is asked.
///
/// # Errors
/// [`Error::Unsupported`], naming the first feature that no backend has.
pub fn fastest(algorithm: Algorithm, features: &[Feature]) -> Result<Backend, Error> {
    ranked(algorithm)
        .find(|backend| features.iter().all(|feature| backend.supports(algorithm, *feature)))
        .ok_or_else(|| {
            let missing = features
                .iter()
                .find(|feature| !ranked(algorithm).any(|b| b.supports(algorithm, **feature)))
                .copied()
                .unwrap_or(Feature::Algorithm);
            unsupported("any", algorithm, missing)
        })
}

/// Every backend of this build that has the algorithm, the fastest first.
pub fn ranked(algorithm: Algorithm) -> impl Iterator<Item = Backend> {
    order(algorithm)
        .into_iter()
        .filter_map(|name| all().iter().find(|backend| backend.name() == name).cloned())
        .filter(move |backend| backend.supports(algorithm, Feature::Algorithm))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_of_this_build_has_a_place() {
        for algorithm in Algorithm::all() {
            let mut places = order(algorithm);
            places.sort_unstable();
            let mut names = NAMES;
            names.sort_unstable();
            assert_eq!(places, names, "{algorithm}");
        }
    }
}
