//! A comparison for other programs: `{"refusals": [...], "rows": [...], "only_in_a": [...], "only_in_b": [...]}`.

use serde::{Serialize, Serializer};

use super::{Comparison, Interval, Row};
use crate::sample::Key;

#[derive(Serialize)]
struct KeyRecord<'a> {
    source: &'static str,
    algorithm: &'a str,
    backend: &'a str,
    operation: &'a str,
}

impl<'a> From<&'a Key> for KeyRecord<'a> {
    fn from(key: &'a Key) -> Self {
        KeyRecord {
            source: key.source.name(),
            algorithm: &key.algorithm,
            backend: &key.backend,
            operation: &key.operation,
        }
    }
}

fn records(keys: &[Key]) -> Vec<KeyRecord<'_>> {
    keys.iter().map(KeyRecord::from).collect()
}

#[derive(Serialize)]
struct RowRecord<'a> {
    #[serde(flatten)]
    key: KeyRecord<'a>,
    a_ms: f64,
    b_ms: f64,
    #[serde(flatten)]
    interval: Interval,
    trials_a: u32,
    trials_b: u32,
    version_a: Option<&'a str>,
    version_b: Option<&'a str>,
    interval_rests_on: &'static str,
    verdict: String,
}

#[derive(Serialize)]
struct Record<'a> {
    refusals: &'a [String],
    rows: Vec<&'a Row>,
    only_in_a: Vec<KeyRecord<'a>>,
    only_in_b: Vec<KeyRecord<'a>>,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = RowRecord {
            key: (&self.key).into(),
            a_ms: self.a_ms,
            b_ms: self.b_ms,
            interval: self.interval,
            trials_a: self.trials_a,
            trials_b: self.trials_b,
            version_a: self.version_a.as_deref(),
            version_b: self.version_b.as_deref(),
            interval_rests_on: self.basis.name(),
            verdict: self.verdict.to_string(),
        };
        record.serialize(serializer)
    }
}

impl Serialize for Comparison {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = Record {
            refusals: &self.refusals,
            rows: self.rows.iter().collect(),
            only_in_a: records(&self.only_in_a),
            only_in_b: records(&self.only_in_b),
        };
        record.serialize(serializer)
    }
}
