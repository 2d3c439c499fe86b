//! summary.csv: a row per source x algorithm x backend x operation, made from samples.csv alone.

use std::io::Cursor;
use std::sync::Arc;

use polars::prelude::{
    ChunkAgg as _, ChunkQuantile as _, CsvReadOptions, DataFrame, DataType, Field, Float64Chunked,
    PlSmallStr, PolarsError, PolarsResult, Schema, SerReader as _,
};

use crate::Error;
use crate::number::significant;
use crate::rejection;
use crate::sample::{Key, Source};
use crate::samples_csv::write_rows;

/// The columns, in order.
pub const COLUMNS: [&str; 10] = [
    "source",
    "algorithm",
    "backend",
    "operation",
    "trials",
    "median_ms",
    "min_ms",
    "max_ms",
    "median_ops_per_s",
    "standard_error_pct",
];

/// What is asked of all trials of one [`Key`].
const KEY: [&str; 4] = ["source", "algorithm", "backend", "operation"];

/// A row of summary.csv.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What was timed.
    pub key: Key,
    /// In how many trials.
    pub trials: u32,
    /// The median of the trials' means, in ms per operation. The median, least and greatest range over the
    /// trials' means: they are no latency percentiles.
    pub median_ms: f64,
    /// The least of the trials' means.
    pub min_ms: f64,
    /// The greatest.
    pub max_ms: f64,
    /// The median of the trials' rates, in operations per second.
    pub median_ops_per_s: f64,
    /// How far the mean of so many signatures is off by chance, in percent (one standard error): for ML-DSA
    /// signing, which repeats until a signature fits, see [`rejection`]. `None` for all else, which does the
    /// same work each time.
    pub standard_error_pct: Option<f64>,
}

/// Whether the signatures of pqsig's trials are independent draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// Hedged signing: each signature draws anew.
    Independent,
    /// Deterministic signing: every trial signs the same messages, so that further trials draw nothing new.
    Repeated,
}

/// The rows that follow from the bytes of a samples.csv, in the order of their keys.
///
/// # Errors
/// [`Error::Table`] when it is no samples.csv.
pub fn rows(samples_csv: &[u8], draws: Draws) -> Result<Vec<Row>, Error> {
    summarize(samples_csv, draws).map_err(|error| Error::Table(error.to_string()))
}

/// The file's bytes, in the manner of samples.csv.
///
/// # Errors
/// [`Error::Table`].
pub fn write(rows: &[Row]) -> Result<Vec<u8>, Error> {
    let cells = |row: &Row| {
        [
            row.key.source.name().to_owned(),
            row.key.algorithm.clone(),
            row.key.backend.clone(),
            row.key.operation.clone(),
            row.trials.to_string(),
            row.median_ms.to_string(),
            row.min_ms.to_string(),
            row.max_ms.to_string(),
            row.median_ops_per_s.to_string(),
            row.standard_error_pct.map(|percent| percent.to_string()).unwrap_or_default(),
        ]
    };
    write_rows(&COLUMNS, rows.iter().map(cells))
}

fn summarize(samples_csv: &[u8], draws: Draws) -> PolarsResult<Vec<Row>> {
    let frame = read(samples_csv)?;
    if frame.height() == 0 {
        return Ok(Vec::new());
    }
    let groups = frame.group_by_stable(KEY)?;
    let mut rows = Vec::new();
    // The lazy interface would do this in one expression, and take as long to compile as all the rest.
    groups.apply(|group| {
        rows.push(row(&group, draws)?);
        Ok(group)
    })?;
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(rows)
}

/// The columns that a summary stands on. Their types are told, not guessed: a column of whole numbers would
/// else be read as integers.
fn read(samples_csv: &[u8]) -> PolarsResult<DataFrame> {
    let text = KEY.map(|name| (name, DataType::String));
    let numbers = ["operations", "ms_per_op", "ops_per_s"].map(|name| (name, DataType::Float64));
    let schema: Schema =
        text.into_iter().chain(numbers).map(|(name, kind)| Field::new(name.into(), kind)).collect();
    let names: Arc<[PlSmallStr]> = schema.iter_names().cloned().collect();
    CsvReadOptions::default()
        .with_has_header(true)
        .with_schema_overwrite(Some(Arc::new(schema)))
        .with_columns(Some(names))
        .into_reader_with_file_handle(Cursor::new(samples_csv))
        .finish()
}

/// The row of a group of samples that have one key.
fn row(group: &DataFrame, draws: Draws) -> PolarsResult<Row> {
    let text = |name: &str| -> PolarsResult<String> {
        Ok(group.column(name)?.str()?.get(0).unwrap_or_default().to_owned())
    };
    let numbers = |name: &str| -> PolarsResult<Float64Chunked> { Ok(group.column(name)?.f64()?.clone()) };
    let source =
        text("source")?.parse().map_err(|reason: String| PolarsError::ComputeError(reason.into()))?;
    let key = Key {
        source,
        algorithm: text("algorithm")?,
        backend: text("backend")?,
        operation: text("operation")?,
    };
    let (means, rates, counts) = (numbers("ms_per_op")?, numbers("ops_per_s")?, numbers("operations")?);
    let figure = |value: Option<f64>| {
        let missing = || PolarsError::NoData(format!("a sample of {key} has no figure").into());
        value.map(significant).ok_or_else(missing)
    };
    let signatures = match (draws, key.source) {
        _ if counts.null_count() > 0 => None,
        // `openssl speed` always signs hedged.
        (Draws::Independent, _) | (Draws::Repeated, Source::OpensslSpeed) => counts.sum(),
        (Draws::Repeated, Source::PqsigSpeed) => counts.max(),
    };
    let standard_error_pct = signatures
        .and_then(|count| rejection::standard_error_pct(&key.algorithm, &key.operation, count))
        .map(significant);
    Ok(Row {
        trials: u32::try_from(group.height()).unwrap_or(u32::MAX),
        median_ms: figure(means.median())?,
        min_ms: figure(means.min())?,
        max_ms: figure(means.max())?,
        median_ops_per_s: figure(rates.median())?,
        standard_error_pct,
        key,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "source,trial,algorithm,backend,backend_version,operation,operations,elapsed_s,ms_per_op,ops_per_s,p50_ms,p99_ms,min_ms,max_ms,rounding_pct\n";

    fn csv(rows: &[&str]) -> Vec<u8> {
        format!("{HEADER}{}\n", rows.join("\n")).into_bytes()
    }

    #[test]
    fn the_summary_ranges_over_the_trials_averages() {
        let samples = csv(&[
            "pqsig-speed,1,ML-DSA-65,openssl,OpenSSL 3.6.3,sign,100,1,10,100,,,,,0",
            "pqsig-speed,1,Ed25519,openssl,OpenSSL 3.6.3,sign,50000,1,0.02,50000,,,,,0",
            "openssl-speed,1,ML-DSA-65,openssl,OpenSSL 3.6.3,sign,2,1.04,520,1.923077,,,,,0.48",
            "pqsig-speed,2,ML-DSA-65,openssl,OpenSSL 3.6.3,sign,125,1,8,125,,,,,0",
        ]);
        let rows = rows(&samples, Draws::Independent).unwrap();
        assert_eq!(
            String::from_utf8(write(&rows).unwrap()).unwrap(),
            "source,algorithm,backend,operation,trials,median_ms,min_ms,max_ms,median_ops_per_s,standard_error_pct\n\
             openssl-speed,ML-DSA-65,openssl,sign,1,520,520,520,1.923077,63.40038\n\
             pqsig-speed,ML-DSA-65,openssl,sign,2,9,8,10,112.5,5.977445\n\
             pqsig-speed,Ed25519,openssl,sign,1,0.02,0.02,0.02,50000,\n"
        );
    }

    #[test]
    fn repeated_messages_draw_nothing_new() {
        let samples = csv(&[
            "pqsig-speed,1,ML-DSA-65,openssl,v,sign,100,1,10,100,,,,,0",
            "pqsig-speed,2,ML-DSA-65,openssl,v,sign,100,1,10,100,,,,,0",
        ]);
        let error = |draws| rows(&samples, draws).unwrap()[0].standard_error_pct.unwrap().to_string();
        assert_eq!(error(Draws::Repeated), "8.966167");
        assert_eq!(error(Draws::Independent), "6.340038");
    }

    #[test]
    fn an_unknown_count_has_no_standard_error() {
        let samples = csv(&["openssl-speed,1,ML-DSA-65,openssl,,sign,,,1.661,602,,,,,0.008"]);
        assert_eq!(rows(&samples, Draws::Independent).unwrap()[0].standard_error_pct, None);
    }

    #[test]
    fn a_file_without_samples_has_an_empty_summary() {
        assert_eq!(rows(HEADER.as_bytes(), Draws::Independent).unwrap(), []);
    }

    #[test]
    fn what_is_no_samples_csv_is_an_error() {
        for bytes in ["", "a,b\n1,2\n", &format!("{HEADER}x-speed,1,A,b,v,sign,1,1,1,1,,,,,0\n")] {
            assert!(rows(bytes.as_bytes(), Draws::Independent).is_err(), "{bytes}");
        }
        let no_figure = csv(&["pqsig-speed,1,A,b,v,sign,1,1,,1,,,,,0"]);
        assert!(rows(&no_figure, Draws::Independent).is_err());
    }
}
