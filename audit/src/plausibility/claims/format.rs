//! The format `pqsig-claims/1`. Claims that exist have been checked: their numbers are finite and positive,
//! and every figure has one time.

use std::collections::BTreeSet;

use pqsig::Algorithm;
use pqsig_speed::Operation;
use serde::Deserialize;

/// The most figures, totals, stages or throughputs of one file.
const MOST: usize = 10_000;

/// Published figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims {
    /// Who published them, where and when.
    pub source: String,
    /// Times of operations.
    pub figures: Vec<Figure>,
    /// Totals that are made of stages.
    pub totals: Vec<Total>,
    /// Rates that are made of batches.
    pub throughputs: Vec<Throughput>,
}

/// The time of one operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The algorithm, by its name in the standard if pqsig knows it.
    pub algorithm: String,
    /// `keygen`, `sign` or `verify`.
    pub operation: String,
    /// What did it.
    pub backend: Option<String>,
    /// The mean time, in ms.
    pub ms_per_op: f64,
    /// The median, in ms.
    pub p50_ms: Option<f64>,
    /// The 99th percentile, in ms.
    pub p99_ms: Option<f64>,
    /// How many were timed.
    pub operations: Option<u64>,
    /// In what time, in s.
    pub elapsed_s: Option<f64>,
}

impl Figure {
    /// `ML-DSA-65 openssl sign`
    #[must_use]
    pub fn name(&self) -> String {
        let words = [Some(self.algorithm.as_str()), self.backend.as_deref(), Some(self.operation.as_str())];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// A total with its stages.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Total {
    /// Of what.
    pub name: String,
    /// The unit of all its numbers.
    pub unit: Unit,
    /// The total that is stated.
    pub total: f64,
    /// What it is made of; at least one.
    pub stages: Vec<Stage>,
}

/// A stage of a total.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// What is done in it.
    pub name: String,
    /// Its share, in the total's unit.
    pub value: f64,
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names of units")]
pub enum Unit {
    Ns,
    Us,
    Ms,
    S,
    Cycles,
}

impl Unit {
    /// The word in the file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Ns => "ns",
            Unit::Us => "us",
            Unit::Ms => "ms",
            Unit::S => "s",
            Unit::Cycles => "cycles",
        }
    }
}

/// A rate of workers that each do batch after batch.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// Of what.
    pub name: String,
    /// How many work at the same time.
    pub workers: u64,
    /// How many items one of them does in a batch.
    pub items_per_batch: u64,
    /// How long a batch takes, in s.
    pub seconds_per_batch: f64,
    /// How many items all of them do in a second, as stated.
    pub ops_per_s: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema: String,
    source: String,
    #[serde(default)]
    figures: Vec<Entry>,
    #[serde(default)]
    totals: Vec<Total>,
    #[serde(default)]
    throughputs: Vec<Throughput>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    algorithm: String,
    operation: String,
    backend: Option<String>,
    ns_per_op: Option<f64>,
    us_per_op: Option<f64>,
    ms_per_op: Option<f64>,
    s_per_op: Option<f64>,
    ops_per_s: Option<f64>,
    p50_ns: Option<f64>,
    p50_us: Option<f64>,
    p50_ms: Option<f64>,
    p50_s: Option<f64>,
    p99_ns: Option<f64>,
    p99_us: Option<f64>,
    p99_ms: Option<f64>,
    p99_s: Option<f64>,
    operations: Option<u64>,
    elapsed_s: Option<f64>,
}

impl Claims {
    /// The name and version of the format.
    pub const SCHEMA: &'static str = "pqsig-claims/1";

    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let file: File = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if file.schema != Claims::SCHEMA {
            return Err(format!("the schema is `{}`, this reads `{}`", file.schema, Claims::SCHEMA));
        }
        if file.source.trim().is_empty() {
            return Err("source is empty: whose figures are they?".to_owned());
        }
        let counts = [file.figures.len(), file.totals.len(), file.throughputs.len()];
        if counts.iter().all(|count| *count == 0) {
            return Err("there are no figures, totals or throughputs".to_owned());
        }
        if counts.iter().any(|count| *count > MOST) {
            return Err(format!("there are more than {MOST} figures, totals or throughputs"));
        }
        file.totals.iter().try_for_each(Total::check)?;
        file.throughputs.iter().try_for_each(Throughput::check)?;
        let figures = file.figures.into_iter().map(Entry::figure).collect::<Result<Vec<_>, _>>()?;
        let mut names = BTreeSet::new();
        if let Some(twice) = figures.iter().map(Figure::name).find(|name| !names.insert(name.clone())) {
            return Err(format!("{twice}: stands there twice"));
        }
        Ok(Claims { source: file.source, figures, totals: file.totals, throughputs: file.throughputs })
    }
}

impl Total {
    fn check(&self) -> Result<(), String> {
        positive(&self.name, "total", self.total)?;
        match self.stages.len() {
            0 => return Err(format!("{}: no stages", self.name)),
            count if count > MOST => return Err(format!("{}: more than {MOST} stages", self.name)),
            _ => {}
        }
        self.stages.iter().try_for_each(|stage| positive(&self.name, &stage.name, stage.value))
    }
}

impl Throughput {
    fn check(&self) -> Result<(), String> {
        if self.workers == 0 || self.items_per_batch == 0 {
            return Err(format!("{}: workers and items_per_batch are at least 1", self.name));
        }
        positive(&self.name, "seconds_per_batch", self.seconds_per_batch)?;
        positive(&self.name, "ops_per_s", self.ops_per_s)
    }
}

impl Entry {
    fn figure(self) -> Result<Figure, String> {
        let algorithm = self
            .algorithm
            .parse()
            .map_or_else(|_| self.algorithm.clone(), |a: Algorithm| a.name().to_owned());
        let operation: Operation = self.operation.parse().map_err(|error| format!("{algorithm}: {error}"))?;
        let mut figure = Figure {
            algorithm,
            operation: operation.name().to_owned(),
            backend: self.backend,
            ms_per_op: 0.0,
            p50_ms: None,
            p99_ms: None,
            operations: self.operations,
            elapsed_s: self.elapsed_s,
        };
        let name = figure.name();
        let rate = self.ops_per_s.map(|rate| positive(&name, "ops_per_s", rate).map(|()| 1e3 / rate));
        let mean = in_ms(&name, "_per_op", [self.ns_per_op, self.us_per_op, self.ms_per_op, self.s_per_op])?;
        figure.ms_per_op = match (mean, rate) {
            (Some(mean), None) => mean,
            (None, Some(rate)) => rate?,
            _ => {
                return Err(format!(
                    "{name}: exactly one of ns_per_op, us_per_op, ms_per_op, s_per_op, ops_per_s"
                ));
            }
        };
        figure.p50_ms = in_ms(&name, "p50", [self.p50_ns, self.p50_us, self.p50_ms, self.p50_s])?;
        figure.p99_ms = in_ms(&name, "p99", [self.p99_ns, self.p99_us, self.p99_ms, self.p99_s])?;
        // What a number is multiplied by can still lift it out of the range of numbers.
        positive(&name, "the time of one operation in ms", figure.ms_per_op)?;
        match (figure.operations, figure.elapsed_s) {
            (Some(0), _) => Err(format!("{name}: operations is at least 1")),
            (None, Some(_)) => Err(format!("{name}: elapsed_s without operations")),
            (_, Some(elapsed_s)) => positive(&name, "elapsed_s", elapsed_s).map(|()| figure),
            _ => Ok(figure),
        }
    }
}

/// At most one of ns, us, ms and s, as ms.
fn in_ms(name: &str, what: &str, values: [Option<f64>; 4]) -> Result<Option<f64>, String> {
    let mut given =
        values.into_iter().zip([1e-6, 1e-3, 1.0, 1e3]).filter_map(|(value, unit)| Some((value?, unit)));
    let Some((value, unit)) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(format!("{name}: {what} in more than one unit"));
    }
    positive(name, what, value)?;
    Ok(Some(value * unit))
}

fn positive(name: &str, what: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(format!("{name}: {what} is {value}, and must be a positive number"))
    }
}
