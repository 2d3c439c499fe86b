//! How findings write figures.

use crate::number::significant;

/// A figure with four significant digits: `10.2`, `0.0651`, `47`.
pub(super) fn figure(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    significant(rounded).to_string()
}

/// The most trials that are named one by one.
const NAMED: usize = 8;

/// `trial 2`, `trials 1, 2, 3`, `trials 1, 2, 3, 4, 5, 6, 7, 8 and 992 more`
pub(super) fn trials(numbers: &[u32]) -> String {
    let named: Vec<String> = numbers.iter().take(NAMED).map(u32::to_string).collect();
    let word = if numbers.len() == 1 { "trial" } else { "trials" };
    let rest = match numbers.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{word} {}{rest}", named.join(", "))
}

/// Where a trial's log is.
pub(super) fn log_name(trial: u32) -> String {
    format!("trial-{trial}.jsonl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_four_digits() {
        assert_eq!(figure(10.2), "10.2");
        assert_eq!(figure(0.065_123_4), "0.06512");
        assert_eq!(figure(47.004_608), "47");
        assert_eq!(figure(1_902_167.2), "1902000");
        assert_eq!(figure(f64::INFINITY), "inf");
    }

    #[test]
    fn few_trials_are_named_and_many_counted() {
        assert_eq!(trials(&[2]), "trial 2");
        assert_eq!(trials(&[1, 2, 3]), "trials 1, 2, 3");
        let many: Vec<u32> = (1..=1000).collect();
        assert_eq!(trials(&many), "trials 1, 2, 3, 4, 5, 6, 7, 8 and 992 more");
    }
}
