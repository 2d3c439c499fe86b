//! How much ML-DSA's signing times scatter by their nature.
//!
//! Signing repeats its main loop until a signature fits (FIPS 204, Algorithm 7): the number of repetitions is
//! geometrically distributed, with the means that FIPS 204 gives in Table 1. The standard deviation of a
//! geometric variable with mean E is E x sqrt(1 - 1/E). Since a part of each signature takes the same time
//! always, the times scatter a little less: what follows here is an upper bound, and within a fifth of the
//! truth.

/// The mean number of repetitions of one signature: FIPS 204, Table 1.
#[must_use]
pub fn mean_repetitions(algorithm: &str) -> Option<f64> {
    match algorithm {
        "ML-DSA-44" => Some(4.25),
        "ML-DSA-65" => Some(5.1),
        "ML-DSA-87" => Some(3.85),
        _ => None,
    }
}

/// The standard error of the mean time of so many independent signatures, in percent of the mean; `None` for
/// other operations and algorithms, and without signatures.
#[must_use]
pub fn standard_error_pct(algorithm: &str, operation: &str, signatures: f64) -> Option<f64> {
    if operation != "sign" || signatures < 1.0 {
        return None;
    }
    let variation = (1.0 - 1.0 / mean_repetitions(algorithm)?).sqrt();
    Some(100.0 * variation / signatures.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_times_the_signatures_have_a_tenth_of_the_error() {
        let few = standard_error_pct("ML-DSA-65", "sign", 100.0).unwrap();
        let many = standard_error_pct("ML-DSA-65", "sign", 10_000.0).unwrap();
        assert!((few - 8.966).abs() < 0.001, "{few}");
        assert!((few / many - 10.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_else_scatters_by_rejection() {
        assert_eq!(standard_error_pct("ML-DSA-65", "verify", 100.0), None);
        assert_eq!(standard_error_pct("SLH-DSA-SHA2-128f", "sign", 100.0), None);
        assert_eq!(standard_error_pct("ML-DSA-65", "sign", 0.0), None);
    }
}
