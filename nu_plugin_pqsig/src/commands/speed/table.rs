//! What a run found, as one table.

use nu_protocol::{Record, Span, Value, record};
use pqsig_speed::{Identity, Report, Row};

/// What was timed, then what could not be, with the reason.
pub(super) fn from_report(report: &Report, span: Span) -> Value {
    let failed = |identity: &Identity| report.failures.iter().find(|failure| failure.identity == *identity);
    let timed = report.rows.iter().map(|row| {
        let notes = row.notes.iter().map(ToString::to_string);
        let failure = failed(&row.identity).map(|failure| format!("failed: {}", failure.reason));
        (&row.identity, Some(row), notes.chain(failure).collect::<Vec<_>>().join("; "))
    });
    let has_row = |identity: &Identity| report.rows.iter().any(|row| row.identity == *identity);
    let failures = report
        .failures
        .iter()
        .filter(|failure| !has_row(&failure.identity))
        .map(|failure| (&failure.identity, None, format!("failed: {}", failure.reason)));
    let skipped = report
        .skipped
        .iter()
        .map(|skipped| (&skipped.identity, None, format!("not timed: {}", skipped.reason)));
    let rows: Vec<_> = timed.chain(failures).chain(skipped).collect();

    let with_notes = rows.iter().any(|(_, _, notes)| !notes.is_empty());
    let with_samples = report.rows.iter().any(|row| row.samples_ns.is_some());
    let values = rows.into_iter().map(|(identity, row, notes)| {
        let mut record = figures(identity, row, span);
        if with_notes {
            record.push(
                "notes",
                if notes.is_empty() { Value::nothing(span) } else { Value::string(notes, span) },
            );
        }
        if with_samples {
            record.push("samples", samples(row, span));
        }
        Value::record(record, span)
    });
    Value::list(values.collect(), span)
}

fn figures(identity: &Identity, row: Option<&Row>, span: Span) -> Record {
    let nothing = || Value::nothing(span);
    #[expect(clippy::cast_precision_loss, reason = "only the first digits are kept")]
    let time = |ns: fn(&Row) -> u64| row.map_or_else(nothing, |row| rounded(ns(row) as f64, 3, span));
    let count = |number: fn(&Row) -> u64| {
        row.map_or_else(nothing, |row| Value::int(number(row).try_into().unwrap_or(i64::MAX), span))
    };
    // A terminal that is too narrow cuts off at the right, and crushes the column that half fits. In this order 80
    // and 120 characters end between two columns, for short and for long names of algorithms.
    record! {
        "algorithm" => Value::string(&identity.algorithm, span),
        "backend" => Value::string(&identity.backend, span),
        "operation" => Value::string(&identity.operation, span),
        "mean" => row.map_or_else(nothing, |row| rounded(row.mean_ns, 4, span)),
        "spread" => row.and_then(|row| row.spread_pct).map_or_else(nothing, |pct| Value::float(pct, span)),
        "rounds" => count(|row| row.rounds),
        "ops_per_second" => row.map_or_else(nothing, |row| Value::float(row.ops_per_second, span)),
        "p99" => time(|row| row.p99_ns),
        "trials" => count(|row| u64::from(row.trials)),
        "p50" => time(|row| row.p50_ns),
        "min" => time(|row| row.min_ns),
        "max" => time(|row| row.max_ns),
    }
}

fn samples(row: Option<&Row>, span: Span) -> Value {
    let samples = row.and_then(|row| row.samples_ns.as_ref());
    samples.map_or(Value::nothing(span), |samples| {
        let durations = samples.iter().map(|ns| Value::duration((*ns).try_into().unwrap_or(i64::MAX), span));
        Value::list(durations.collect(), span)
    })
}

/// A time as a duration of so many digits. More would be below what a run can tell, and would make the table too wide;
/// `ops_per_second` is the mean in full.
fn rounded(ns: f64, digits: u32, span: Span) -> Value {
    let magnitude = ns.max(1.0).log10().floor() + 1.0;
    let unit = 10_f64.powf((magnitude - f64::from(digits)).max(0.0));
    #[expect(clippy::cast_possible_truncation, reason = "a run of 292 years is not foreseen")]
    let ns = ((ns / unit).round() * unit) as i64;
    Value::duration(ns, span)
}

#[cfg(test)]
mod tests {
    use pqsig_speed::{Note, Unmeasured};

    use super::*;

    fn identity(operation: &str) -> Identity {
        Identity {
            algorithm: "ML-DSA-65".to_owned(),
            backend: "mock".to_owned(),
            backend_version: "mock 1".to_owned(),
            operation: operation.to_owned(),
        }
    }

    fn row(operation: &str, notes: Vec<Note>) -> Row {
        Row {
            identity: identity(operation),
            provider: None,
            mean_ns: 1_170_234.4,
            p50_ns: 1_000_001,
            p99_ns: 4_000_000,
            min_ns: 500_000,
            max_ns: 5_000_000,
            spread_pct: None,
            ops_per_second: 854.53,
            rounds: 855,
            trials: 1,
            threads: 1,
            batch: 1,
            notes,
            samples_ns: None,
        }
    }

    fn report(rows: Vec<Row>) -> Report {
        Report {
            rows,
            skipped: Vec::new(),
            failures: Vec::new(),
            logs: Vec::new(),
            clock: pqsig_speed::clock::Precision { step_ns: 20, read_ns: 20 },
        }
    }

    fn rows(report: &Report) -> Vec<Record> {
        let table = from_report(report, Span::test_data()).into_list().unwrap();
        table.into_iter().map(|row| row.into_record().unwrap()).collect()
    }

    #[test]
    fn a_run_with_nothing_to_say_has_the_columns_of_the_figures_only() {
        let rows = rows(&report(vec![row("sign", Vec::new())]));
        let columns: Vec<_> = rows[0].columns().map(String::as_str).collect();
        assert_eq!(
            columns,
            [
                "algorithm",
                "backend",
                "operation",
                "mean",
                "spread",
                "rounds",
                "ops_per_second",
                "p99",
                "trials",
                "p50",
                "min",
                "max"
            ]
        );
        assert_eq!(rows[0]["mean"], Value::test_duration(1_170_000));
        assert_eq!(rows[0]["p50"], Value::test_duration(1_000_000));
        assert_eq!(rows[0]["spread"], Value::test_nothing());
        assert_eq!(rows[0]["ops_per_second"], Value::test_float(854.53));
        assert_eq!(rows[0]["rounds"], Value::test_int(855));
    }

    #[test]
    fn what_could_not_be_timed_stands_in_the_table_with_its_reason() {
        let unmeasured = |operation: &str, reason: &str| Unmeasured {
            identity: identity(operation),
            reason: reason.to_owned(),
        };
        let mut report = report(vec![row("sign", vec![Note::Incomplete])]);
        report.failures = vec![unmeasured("sign", "broke"), unmeasured("keygen", "broke at once")];
        report.skipped = vec![unmeasured("verify", "has no context")];
        let rows = rows(&report);
        let notes: Vec<_> = rows.iter().map(|row| row["notes"].as_str().unwrap()).collect();
        assert_eq!(
            notes,
            ["a later trial failed; failed: broke", "failed: broke at once", "not timed: has no context"]
        );
        assert_eq!(rows[1]["mean"], Value::test_nothing());
        assert_eq!(rows[2]["operation"], Value::test_string("verify"));
    }

    #[test]
    fn samples_are_a_column_when_they_were_kept() {
        let mut kept = row("sign", Vec::new());
        kept.samples_ns = Some(vec![5, 7]);
        let rows = rows(&report(vec![kept]));
        let expected = Value::test_list(vec![Value::test_duration(5), Value::test_duration(7)]);
        assert_eq!(rows[0]["samples"], expected);
    }

    #[test]
    fn times_keep_some_digits() {
        let ns = |given, digits| rounded(given, digits, Span::test_data()).as_duration().unwrap();
        assert_eq!(ns(1_174_234.4, 4), 1_174_000);
        assert_eq!(ns(1_174_234.4, 3), 1_170_000);
        assert_eq!(ns(218_345.0, 3), 218_000);
        assert_eq!(ns(45_163.9, 3), 45_200);
        assert_eq!(ns(999.4, 3), 999);
        assert_eq!(ns(9_999_999.0, 4), 10_000_000);
        assert_eq!(ns(0.0, 3), 0);
        assert_eq!(ns(0.6, 3), 1);
    }
}
