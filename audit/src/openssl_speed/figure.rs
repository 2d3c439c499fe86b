//! Numbers as `openssl speed` prints them.

use super::Printed;

/// Longer ones are none of OpenSSL's: `%9.1f` of the fastest operation has some ten characters.
const LONGEST: usize = 32;

/// A number of a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Figure {
    /// A value.
    Positive(Printed),
    /// 0, which is less than half of its last decimal, or nothing at all.
    Zero {
        /// How far from 0 the number can be that was rounded to it.
        bound: f64,
    },
    /// What comes of dividing by 0 or counting to -1: infinite, not a number, negative.
    NoValue,
}

impl Figure {
    /// Reads a rate, such as `602.0`, `inf` or `-nan`; `None` if the text is no number.
    pub(super) fn rate(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        // glibc and macOS print these two; Microsoft's runtime adds what kind of NaN it is.
        if matches!(digits, "inf" | "nan") || digits.starts_with("nan(") {
            return Some(Figure::NoValue);
        }
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
        let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !all_digits(whole) || !all_digits(decimals) {
            return None;
        }
        let value: f64 = digits.parse().ok()?;
        let printed = Printed { value, decimals: u8::try_from(decimals.len()).ok()? };
        Some(match value {
            // "-0.0" is a negative rate, rounded.
            _ if negative => Figure::NoValue,
            0.0 => Figure::Zero { bound: printed.bound() },
            _ => Figure::Positive(printed),
        })
    }

    /// Reads a time, such as `0.001661s` or `infs`.
    pub(super) fn time(text: &str) -> Option<Self> {
        Figure::rate(text.strip_suffix('s')?)
    }

    /// The value, if it is one.
    pub(super) fn positive(self) -> Option<Printed> {
        match self {
            Figure::Positive(printed) => Some(printed),
            Figure::Zero { .. } | Figure::NoValue => None,
        }
    }

    /// The least and the greatest number that is printed like this.
    pub(super) fn interval(self) -> Option<(f64, f64)> {
        match self {
            Figure::Positive(printed) => {
                Some(((printed.value - printed.bound()).max(0.0), printed.value + printed.bound()))
            }
            Figure::Zero { bound } => Some((0.0, bound)),
            Figure::NoValue => None,
        }
    }
}

/// Whether two intervals touch, allowing for what floating point loses.
pub(super) fn touch(a: (f64, f64), b: (f64, f64)) -> bool {
    let slack = 1.0 + 1e-9;
    a.0 <= b.1 * slack && b.0 <= a.1 * slack
}

/// Reads a count, which is -1 where the operation failed.
pub(super) fn count(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = (1..=18).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// Reads a time of two decimals, such as `1.04`, as hundredths. It is negative if the clock was set back.
pub(super) fn hundredths(text: &str) -> Option<i64> {
    let (whole, decimals) = text.split_once('.')?;
    let (negative, whole) = match whole.strip_prefix('-') {
        Some(whole) => (true, whole),
        None => (false, whole),
    };
    if whole.len() > 12 || decimals.len() != 2 || decimals.starts_with('-') || whole.starts_with('-') {
        return None;
    }
    let hundredths = count(whole)?.checked_mul(100)?.checked_add(count(decimals)?)?;
    Some(if negative { hundredths.saturating_neg() } else { hundredths })
}

/// Counts and times are below 2^60; what is lost beyond 2^53 is far below what the log rounds.
#[expect(clippy::cast_precision_loss, reason = "sixteen digits are more than any of these has")]
pub(super) fn float(number: u64) -> f64 {
    number as f64
}

/// Whether a comma stands where another locale has its decimal point.
pub(super) fn has_decimal_comma(text: &str) -> bool {
    text.as_bytes()
        .windows(3)
        .any(|three| matches!(three, [a, b',', c] if a.is_ascii_digit() && c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        let rate = Figure::rate("1.9").unwrap();
        assert_eq!(rate, Figure::Positive(Printed { value: 1.9, decimals: 1 }));
        assert_eq!(rate.interval(), Some((1.9 - 0.05, 1.9 + 0.05)));
        assert_eq!(Figure::rate("0.000"), Some(Figure::Zero { bound: 0.0005 }));
        for text in ["inf", "-inf", "nan", "-nan", "nan(ind)", "-1.0", "-0.0"] {
            assert_eq!(Figure::rate(text), Some(Figure::NoValue), "{text}");
        }
        let many = "9".repeat(LONGEST + 1);
        for text in
            ["", ".", "-", ".5", "1,9", "1.9s", "1e5", "+1.0", "0x10", "--1", "infinity", many.as_str()]
        {
            assert_eq!(Figure::rate(text), None, "{text}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(Figure::time("0.0001s"), Some(Figure::Positive(Printed { value: 0.0001, decimals: 4 })));
        assert_eq!(Figure::time("infs"), Some(Figure::NoValue));
        assert_eq!(Figure::time("0.0001"), None);
    }

    #[test]
    fn counts_and_hundredths() {
        assert_eq!(count("2850"), Some(2850));
        assert_eq!(count("-1"), Some(-1));
        for text in ["", "-", "+1", "1.0", " 1", "9999999999999999999"] {
            assert_eq!(count(text), None, "{text}");
        }
        assert_eq!(hundredths("1.04"), Some(104));
        assert_eq!(hundredths("-0.50"), Some(-50));
        for text in ["1", "1.0", "1.000", "1.-1", "--1.00", "1,04", ".50", "inf", "9999999999999.00"] {
            assert_eq!(hundredths(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_commas() {
        assert!(has_decimal_comma("0,000351s"));
        assert!(!has_decimal_comma("bn(64, 64)"));
        assert!(!has_decimal_comma("a,1"));
    }
}
