//! How names are compared, and how near ones are found when none fits.

/// A name without case, dashes, underscores, slashes and blanks, so that aliases compare equal.
pub(crate) fn normalize(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | '/' | ' ')).flat_map(char::to_lowercase).collect()
}

/// At most three of `known`, nearest to `given` first; empty when nothing is near.
pub(crate) fn near_names(given: &str, known: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
    // Below this, a suggestion is noise: "RSA" would offer "ML-DSA-44".
    const NEAR: f64 = 0.6;
    // The distance is quadratic in the lengths, and no name is this long.
    if given.len() > 64 {
        return Vec::new();
    }
    let given = normalize(given);
    let mut scored: Vec<(f64, &'static str)> = known
        .into_iter()
        .map(|name| (strsim::normalized_damerau_levenshtein(&given, &normalize(name)), name))
        .filter(|(score, _)| *score >= NEAR)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_come_first_and_far_ones_stay_away() {
        let known = ["ML-DSA-44", "ML-DSA-65", "SHAKE256"];
        assert_eq!(near_names("mldsa66", known)[0], "ML-DSA-65");
        assert_eq!(near_names("rsa", known), [] as [&str; 0]);
        assert_eq!(near_names(&"x".repeat(1 << 20), known), [] as [&str; 0]);
    }
}
