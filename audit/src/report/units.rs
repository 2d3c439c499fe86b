//! Figures for people: the unit that fits, and no more digits than one reads.

/// A time in ns with so many significant digits: `8.734 µs`, `201.2 µs`, `22.72 ms`, `1.03 s`.
pub(crate) fn time(ns: f64, digits: usize) -> String {
    let ns_rounded = rounded(ns, digits);
    let (divisor, unit) = match ns_rounded {
        ns if ns < 1e3 => (1.0, "ns"),
        ns if ns < 1e6 => (1e3, "µs"),
        ns if ns < 1e9 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{}\u{a0}{unit}", significant(ns / divisor, digits))
}

/// A time in ns at an axis, without zeros at the end: `200 µs`, `1.5 ms`.
pub(crate) fn tick(ns: f64) -> String {
    let text = time(ns, 4);
    let Some((number, unit)) = text.split_once('\u{a0}') else { return text };
    let number =
        if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number };
    format!("{number}\u{a0}{unit}")
}

/// A number with so many significant digits and, from a thousand on, groups of three: `0.0452`, `12.5`,
/// `1 234 567`. Digits before the point are all shown.
pub(crate) fn significant(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return "?".to_owned();
    }
    let magnitude = magnitude(rounded(value, digits));
    let places = usize::try_from(i32::try_from(digits).unwrap_or(0) - 1 - magnitude).unwrap_or(0);
    grouped(&format!("{value:.places$}"))
}

/// A count: `1 234 567`.
pub(crate) fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// A size in bytes: `32 B`, `48 KiB`, `23.5 GiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut value = crate::sample::float(bytes);
    let mut unit = "B";
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    let text = if value.fract() == 0.0 { format!("{value:.0}") } else { significant(value, 3) };
    format!("{text}\u{a0}{unit}")
}

/// A duration in whole seconds: `2 h 05 min`, `3 min 20 s`, `7 s`.
pub(crate) fn duration(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}\u{a0}s"),
        (0, _) => format!("{minutes}\u{a0}min {rest:02}\u{a0}s"),
        _ => format!("{hours}\u{a0}h {minutes:02}\u{a0}min"),
    }
}

/// A duration in whole seconds as clocks show it: `0:07`, `3:20`, `2:05:09`.
pub(crate) fn clock(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// The power of ten of the first digit; 0 for 0.
fn magnitude(value: f64) -> i32 {
    if value == 0.0 {
        return 0;
    }
    // The logarithm of 999.9999 may be 3; what is printed in scientific notation is exact.
    format!("{value:e}").split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

fn rounded(value: f64, digits: usize) -> f64 {
    let places = digits.saturating_sub(1);
    format!("{value:.places$e}").parse().unwrap_or(value)
}

/// Narrow no-break spaces between groups of three digits before the point.
fn grouped(number: &str) -> String {
    let (whole, rest) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let digits = whole.trim_start_matches('-').len();
    let mut text = String::new();
    for (at, digit) in whole.chars().enumerate() {
        let left = whole.len() - at;
        if digit != '-' && left < digits && left % 3 == 0 {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    if let Some(rest) = rest {
        text.push('.');
        text.push_str(rest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_that_fits() {
        assert_eq!(time(8_734.2, 4), "8.734\u{a0}µs");
        assert_eq!(time(201_190.0, 4), "201.2\u{a0}µs");
        assert_eq!(time(22_715_000.0, 3), "22.7\u{a0}ms");
        assert_eq!(time(1_030_000_000.0, 3), "1.03\u{a0}s");
        assert_eq!(time(40.0, 3), "40.0\u{a0}ns");
        assert_eq!(time(123_456_000_000.0, 3), "123\u{a0}s");
    }

    #[test]
    fn what_rounds_up_to_the_next_unit_is_in_it() {
        assert_eq!(time(999_960.0, 3), "1.00\u{a0}ms");
        assert_eq!(significant(9.999, 3), "10.0");
    }

    #[test]
    fn ticks_have_no_zeros_at_the_end() {
        let ticks = [200_000.0, 1_000_000.0, 1_500_000.0, 20.0].map(tick);
        assert_eq!(ticks, ["200\u{a0}µs", "1\u{a0}ms", "1.5\u{a0}ms", "20\u{a0}ns"]);
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(count(999), "999");
        assert_eq!(significant(123_456.7, 3), "123\u{202f}457");
        assert_eq!(significant(0.045_21, 3), "0.0452");
        assert_eq!(significant(0.0, 3), "0.00");
        assert_eq!(significant(-1234.0, 3), "-1\u{202f}234");
        assert_eq!(significant(f64::NAN, 3), "?");
    }

    #[test]
    fn sizes_and_durations_are_rounded() {
        assert_eq!(
            [bytes(32), bytes(49_152), bytes(25_275_990_016)],
            ["32\u{a0}B", "48\u{a0}KiB", "23.5\u{a0}GiB"]
        );
        assert_eq!(
            [duration(7), duration(200), duration(7500)],
            ["7\u{a0}s", "3\u{a0}min 20\u{a0}s", "2\u{a0}h 05\u{a0}min"]
        );
        assert_eq!([clock(7), clock(200), clock(7509)], ["0:07", "3:20", "2:05:09"]);
    }
}
