//! Which backend serves when nobody says: the fastest that supports what is asked.

use super::{Backend, all, unsupported};
use crate::{Algorithm, Error, Family, Feature};

/// Backends from the fastest to the slowest at signing; one that this build lacks is passed over. The figures beside each
/// place are signatures per second on one core of an Intel Xeon with AVX-512, by
/// `pqsig speed ... --deterministic --operation sign --duration 1500ms`. The machine had other work at the time, about
/// half of it: compare the figures of one list with one another only, which took turns.
fn order(algorithm: Algorithm) -> &'static [&'static str] {
    match algorithm.family() {
        // ML-DSA-44, -65, -87. The first two lead in keys and in verifying, too; third in keys is OpenSSL (1.2 times
        // fips204's rate), in verifying RustCrypto (1.25 times).
        Family::MlDsa => &[
            "aws-lc",     // 6039, 3647, 3980
            "libcrux",    // 5774, 3529, 3692
            "fips204",    // 1662, 1033, 1222
            "openssl",    // 1173, 672, 824
            "rustcrypto", // 1066, 571, 837
        ],
        // SHAKE-128f, SHAKE-256s.
        Family::SlhDsa if algorithm.uses_shake() => &[
            "openssl",    // 20.5, 0.444
            "fips205",    // 10.4, 0.231
            "rustcrypto", // 10.1, 0.227
        ],
        // SHA2-128f, SHA2-256s.
        Family::SlhDsa => &[
            "rustcrypto", // 92.5, 1.82
            "fips205",    // 53.5, 1.03
            "openssl",    // 42.3, 1.08
        ],
        // RustCrypto verifies as fast as AWS-LC, within the spread.
        Family::Ed25519 => &[
            "aws-lc",     // 85,600
            "rustcrypto", // 42,900
            "openssl",    // 19,000
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
