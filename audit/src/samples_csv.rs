//! samples.csv: a row per source x trial x algorithm x backend x operation.

use crate::Error;
use crate::number::{milliseconds, seconds};
use crate::sample::Sample;

/// The columns, in order. Units stand in the names; what is not known stays empty.
pub const COLUMNS: [&str; 15] = [
    "source",
    "trial",
    "algorithm",
    "backend",
    "backend_version",
    "operation",
    "operations",
    "elapsed_s",
    "ms_per_op",
    "ops_per_s",
    "p50_ms",
    "p99_ms",
    "min_ms",
    "max_ms",
    "rounding_pct",
];

/// The file's bytes: UTF-8, commas, `\n` at the end of each line.
///
/// # Errors
/// [`Error::Table`].
pub fn write(samples: &[Sample]) -> Result<Vec<u8>, Error> {
    write_rows(&COLUMNS, samples.iter().map(row))
}

/// A CSV file of these rows.
///
/// # Errors
/// [`Error::Table`].
pub(crate) fn write_rows<const N: usize>(
    columns: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Result<Vec<u8>, Error> {
    let broken = |error: csv::Error| Error::Table(error.to_string());
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(columns).map_err(broken)?;
    for row in rows {
        writer.write_record(&row).map_err(broken)?;
    }
    writer.into_inner().map_err(|error| Error::Table(error.to_string()))
}

fn row(sample: &Sample) -> [String; 15] {
    let of = |value: Option<u64>, text: fn(u64) -> String| value.map(text).unwrap_or_default();
    [
        sample.key.source.name().to_owned(),
        sample.trial.to_string(),
        sample.key.algorithm.clone(),
        sample.key.backend.clone(),
        sample.backend_version.clone().unwrap_or_default(),
        sample.key.operation.clone(),
        sample.operations.map(|count| count.to_string()).unwrap_or_default(),
        of(sample.elapsed_ns, seconds),
        sample.ms_per_op.to_string(),
        sample.ops_per_s.to_string(),
        of(sample.p50_ns, milliseconds),
        of(sample.p99_ns, milliseconds),
        of(sample.min_ns, milliseconds),
        of(sample.max_ns, milliseconds),
        sample.rounding_pct.map(|percent| percent.to_string()).unwrap_or_default(),
    ]
}
