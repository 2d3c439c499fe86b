//! Numbers as the CSV files write them: the same on every platform, and no more digits than mean something.

/// Rounds to seven significant digits, half to even as the formatting of Rust does. Rates and means are kept
/// like this, so that whoever recomputes them in another order of operations gets the same text.
///
/// Anything that is not finite stays what it is.
#[must_use]
pub fn significant(value: f64) -> f64 {
    if value.is_finite() { format!("{value:.6e}").parse().unwrap_or(value) } else { value }
}

/// Nanoseconds as seconds, exactly: `1.000001234`, `2`.
#[must_use]
pub fn seconds(ns: u64) -> String {
    decimal(ns, 9)
}

/// Nanoseconds as milliseconds, exactly: `0.350877`, `12`.
#[must_use]
pub fn milliseconds(ns: u64) -> String {
    decimal(ns, 6)
}

/// `number` x 10^-`places`, without zeros at the end.
fn decimal(number: u64, places: u32) -> String {
    let unit = 10_u64.pow(places);
    let (whole, rest) = (number / unit, number % unit);
    if rest == 0 {
        return whole.to_string();
    }
    let digits = format!("{rest:0width$}", width = places as usize);
    format!("{whole}.{}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seven_digits_are_kept_at_every_size() {
        assert_eq!(significant(1.0 / 3.0).to_string(), "0.3333333");
        assert_eq!(significant(2850.0).to_string(), "2850");
        assert_eq!(significant(123_456_789.0).to_string(), "123456800");
        assert_eq!(significant(1.234_567_89e-7).to_string(), "0.0000001234568");
        assert_eq!(significant(0.0).to_string(), "0");
        assert!(significant(f64::INFINITY).is_infinite());
    }

    #[test]
    fn nanoseconds_are_written_exactly() {
        assert_eq!(seconds(1_000_001_234), "1.000001234");
        assert_eq!(seconds(2_000_000_000), "2");
        assert_eq!(seconds(10_000_000), "0.01");
        assert_eq!(milliseconds(350_877), "0.350877");
        assert_eq!(milliseconds(0), "0");
        assert_eq!(milliseconds(u64::MAX), "18446744073709.551615");
    }
}
