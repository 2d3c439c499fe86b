//! Which backend serves when nobody says: the fastest that supports what is asked.

use super::{Backend, all, unsupported};
use crate::{Algorithm, Error, Family, Feature};

/// Backends from the fastest to the slowest at signing; one that this build lacks is passed over. The figures beside each
/// place are signatures per second on one core of an Intel Xeon with AVX-512, by
/// `pqsig speed ... --deterministic --operation sign --duration 1500ms --trials 3`, within 1.7%.
fn order(algorithm: Algorithm) -> &'static [&'static str] {
    match algorithm.family() {
        // ML-DSA-44, -65, -87. The first two lead in keys and in verifying, too; third in keys is OpenSSL (1.16 times
        // fips204's rate), in verifying RustCrypto (1.26 times).
        Family::MlDsa => &[
            "aws-lc",     // 12,290, 7380, 6060
            "libcrux",    // 11,670, 7260, 5550
            "fips204",    // 3460, 2130, 1810
            "openssl",    // 2290, 1410, 1230
            "rustcrypto", // 2150, 1290, 1180
        ],
        // SHAKE-128f, SHAKE-256s. The last two are alike, within the spread.
        Family::SlhDsa if algorithm.uses_shake() => &[
            "openssl",    // 31.0, 0.981
            "fips205",    // 15.4, 0.493
            "rustcrypto", // 15.3, 0.487
        ],
        // SHA2-128f, SHA2-256s. The last two take turns.
        Family::SlhDsa => &[
            "rustcrypto", // 140, 3.31
            "fips205",    // 85.4, 1.98
            "openssl",    // 83.1, 2.05
        ],
        // RustCrypto verifies as fast as AWS-LC, within 6%.
        Family::Ed25519 => &[
            "aws-lc",     // 140,200
            "rustcrypto", // 72,800
            "openssl",    // 30,900
        ],
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
        .iter()
        .filter_map(|name| all().iter().find(|backend| backend.name() == *name).cloned())
        .filter(move |backend| backend.supports(algorithm, Feature::Algorithm))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_of_this_build_has_a_place_where_it_has_the_algorithm() {
        for algorithm in Algorithm::all() {
            for backend in all().iter().filter(|backend| backend.capabilities(algorithm).is_some()) {
                let places = order(algorithm).iter().filter(|name| **name == backend.name()).count();
                assert_eq!(places, 1, "{} for {algorithm}", backend.name());
            }
        }
    }

    /// A place with a name that no backend has would be passed over for ever.
    #[cfg(all(feature = "aws-lc", feature = "libcrux", feature = "fips204", feature = "fips205"))]
    #[test]
    fn every_place_is_a_backend_with_the_algorithm() {
        for algorithm in Algorithm::all() {
            for name in order(algorithm) {
                assert!(crate::backend::NAMES.contains(name), "{name}");
            }
            assert_eq!(ranked(algorithm).count(), order(algorithm).len(), "{algorithm}");
        }
    }
}
