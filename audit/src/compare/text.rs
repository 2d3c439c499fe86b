//! A comparison as text for a terminal of 80 columns.

use std::fmt::Write as _;

use super::{Basis, Comparison, Row};
use crate::sample::Key;

/// A name that is longer is cut, so that the rows stay within 80 columns: `openssl:default` fits.
const LONGEST_BACKEND: usize = 15;
/// The same for the operation.
const LONGEST_OPERATION: usize = 7;

/// The rows in aligned columns below a line for each algorithm, then what only one side has, and how to read
/// it. The refusals are not in it: whoever prints it has said them before.
#[must_use]
pub fn render_text(comparison: &Comparison) -> String {
    let mut text = String::new();
    let width = |name: fn(&Row) -> &str, least: usize, most: usize| {
        let longest = comparison.rows.iter().map(|row| name(row).chars().count()).max();
        longest.unwrap_or(0).clamp(least, most)
    };
    let backend = width(|row| &row.key.backend, 7, LONGEST_BACKEND);
    let operation = width(|row| &row.key.operation, 6, LONGEST_OPERATION);
    if !comparison.rows.is_empty() {
        let head = ["backend", "op", "a ms", "b ms", "a/b", "95% interval", "difference"];
        text.push_str(&line(head, backend, operation));
    }
    let mut heading = None;
    for row in &comparison.rows {
        let here = (row.key.source, &row.key.algorithm);
        if heading.replace(here) != Some(here) {
            let _ = writeln!(text, "{} ({})", printable(&row.key.algorithm, 60), row.key.source);
        }
        let cells = [
            row.key.backend.as_str(),
            row.key.operation.as_str(),
            &figure(row.a_ms),
            &figure(row.b_ms),
            &ratio(row.interval.ratio),
            &format!("{}..{}", ratio(row.interval.low), ratio(row.interval.high)),
            row.verdict.name(),
        ];
        text.push_str(&line(cells, backend, operation));
        text.push_str(&remarks(row));
    }
    only(&mut text, "a", &comparison.only_in_a);
    only(&mut text, "b", &comparison.only_in_b);
    text.push_str(reading(&comparison.rows));
    text
}

fn line(cells: [&str; 7], backend_width: usize, operation_width: usize) -> String {
    let [backend, operation, a, b, ratio, interval, verdict] = cells;
    let (backend, operation) = (printable(backend, backend_width), printable(operation, operation_width));
    let names = format!("  {backend:backend_width$} {operation:operation_width$}");
    format!("{names} {a:>8} {b:>8} {ratio:>6} {interval:>14} {verdict}\n")
}

/// What one has to know of a row that is not like the others.
fn remarks(row: &Row) -> String {
    let mut text = String::new();
    let version = |version: &Option<String>| version.clone().unwrap_or_else(|| "unknown".to_owned());
    if row.version_a != row.version_b {
        for (side, version) in [("a", version(&row.version_a)), ("b", version(&row.version_b))] {
            let _ = writeln!(text, "    {side}: {}", printable(&version, 70));
        }
    }
    if row.basis != Basis::Trials || row.trials_a != row.trials_b {
        let (a, b) = (row.trials_a, row.trials_b);
        let _ = writeln!(text, "    trials: {a} in a, {b} in b; the interval rests on {}", row.basis.name());
    }
    text
}

fn only(text: &mut String, side: &str, keys: &[Key]) {
    if keys.is_empty() {
        return;
    }
    let _ = writeln!(text, "Only in {side}:");
    for key in keys {
        let _ = writeln!(text, "  {}", printable(&key.to_string(), 78));
    }
}

fn reading(rows: &[Row]) -> &'static str {
    if rows.is_empty() {
        return "Nothing was timed on both sides.\n";
    }
    "a/b below 1: a is faster. Where there is no difference, one row in twenty shows\none by chance.\n"
}

/// A time in at most eight characters, with four significant digits as far as these suffice.
fn figure(value: f64) -> String {
    let rounded = rounded(value);
    let places = match rounded {
        value if value >= 1000.0 => 0,
        value if value >= 100.0 => 1,
        value if value >= 10.0 => 2,
        value if value >= 1.0 => 3,
        value if value >= 0.1 => 4,
        value if value >= 0.01 => 5,
        _ => 6,
    };
    if (0.0001..1e8).contains(&rounded) { format!("{rounded:.places$}") } else { format!("{value:.1e}") }
}

/// A ratio in at most six characters, unless it is beyond all reason.
fn ratio(value: f64) -> String {
    let places = match rounded(value) {
        value if value >= 1000.0 => 0,
        value if value >= 100.0 => 1,
        value if value >= 10.0 => 2,
        _ => 3,
    };
    if (0.01..99_999.0).contains(&value) { format!("{value:.places$}") } else { format!("{value:.1e}") }
}

/// To four significant digits: 9.9999 takes the width of 10.00.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// At most so many characters of a log's text, none of which a terminal would obey.
fn printable(text: &str, most: usize) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { '?' } else { c });
    let mut cut: String = characters.by_ref().take(most).collect();
    if characters.next().is_some() {
        cut.pop();
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{Interval, Verdict};
    use crate::sample::Source;

    fn key(source: Source, algorithm: &str, backend: &str, operation: &str) -> Key {
        let [algorithm, backend, operation] = [algorithm, backend, operation].map(str::to_owned);
        Key { source, algorithm, backend, operation }
    }

    fn row(
        algorithm: &str,
        backend: &str,
        ms: (f64, f64),
        interval: (f64, f64, f64),
        verdict: Verdict,
    ) -> Row {
        Row {
            key: key(Source::PqsigSpeed, algorithm, backend, "verify"),
            a_ms: ms.0,
            b_ms: ms.1,
            interval: Interval { ratio: interval.0, low: interval.1, high: interval.2 },
            trials_a: 3,
            trials_b: 3,
            basis: Basis::Trials,
            version_a: None,
            version_b: None,
            verdict,
        }
    }

    fn comparison(rows: Vec<Row>) -> Comparison {
        Comparison { refusals: Vec::new(), rows, only_in_a: Vec::new(), only_in_b: Vec::new() }
    }

    #[test]
    fn a_comparison_reads_like_this() {
        let mut second = row("ML-DSA-65", "openssl", (0.218, 0.109), (2.0, 1.9, 2.1), Verdict::BFaster);
        second.version_a = Some("OpenSSL 3.5.5".to_owned());
        second.version_b = Some("OpenSSL 3.6.3".to_owned());
        second.trials_b = 1;
        second.basis = Basis::Slices;
        let first = row("ML-DSA-65", "aws-lc", (0.0651, 0.0650), (1.0015, 0.97, 1.03), Verdict::NoDifference);
        let mut whole = comparison(vec![first, second]);
        whole.only_in_b.push(key(Source::OpensslSpeed, "Ed25519", "openssl", "sign"));
        assert_eq!(
            render_text(&whole),
            "  backend op         a ms     b ms    a/b   95% interval difference
ML-DSA-65 (pqsig-speed)
  aws-lc  verify  0.06510  0.06500  1.002   0.970..1.030 none shown
  openssl verify   0.2180   0.1090  2.000   1.900..2.100 b faster
    a: OpenSSL 3.5.5
    b: OpenSSL 3.6.3
    trials: 3 in a, 1 in b; the interval rests on slices of one trial
Only in b:
  Ed25519 openssl sign (openssl-speed)
a/b below 1: a is faster. Where there is no difference, one row in twenty shows
one by chance.
"
        );
    }

    #[test]
    fn nothing_makes_a_line_longer_than_80_columns() {
        let figures = [1e-9, 0.000_123_45, 0.099_999, 9.9999, 123.456, 99_999.4, 5e7, 1e12];
        for a in figures {
            for b in figures {
                let name = "a-very-long-name\u{1b}[31m-of-a-backend-that-nobody-has".repeat(9);
                let interval = (a / b, 0.9 * a / b, 1.1 * a / b);
                let mut row = row(&name, &name, (a, b), interval, Verdict::NoDifference);
                row.key.operation.clone_from(&name);
                row.version_a = Some(name.clone());
                let mut comparison = comparison(vec![row.clone()]);
                comparison.only_in_a.push(row.key);
                let text = render_text(&comparison);
                let longest = text.lines().map(|line| line.chars().count()).max();
                assert!(longest <= Some(80), "{text}");
                assert!(!text.contains('\u{1b}'), "{text}");
            }
        }
    }

    #[test]
    fn without_a_common_row_the_text_says_so() {
        assert_eq!(render_text(&comparison(Vec::new())), "Nothing was timed on both sides.\n");
    }
}
