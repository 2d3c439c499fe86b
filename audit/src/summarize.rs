//! Recomputing a folder's CSV files from its raw logs.

use std::path::Path;

use crate::difference::{self, Difference};
use crate::run::{Detail, Run};
use crate::sample::Sample;
use crate::summary::{self, Draws, Row};
use crate::{Error, files, samples_csv, sampling};

/// The names of the files that are made.
pub const SAMPLES_CSV: &str = "samples.csv";
/// The same for the summary.
pub const SUMMARY_CSV: &str = "summary.csv";

/// What follows from a folder's raw logs.
#[derive(Clone, Debug)]
pub struct Recomputed {
    /// The logs, and what is wrong with them.
    pub run: Run,
    /// The rows of samples.csv.
    pub samples: Vec<Sample>,
    /// The bytes of samples.csv.
    pub samples_csv: Vec<u8>,
    /// The rows of summary.csv.
    pub rows: Vec<Row>,
    /// The bytes of summary.csv.
    pub summary_csv: Vec<u8>,
}

/// How the files of a folder were before they were recomputed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// The same in every byte.
    Exact,
    /// There was none.
    Absent,
    /// Another one.
    Different(Difference),
}

/// Reads a folder's logs and computes its CSV files. Nothing is written.
///
/// # Errors
/// As [`Run::read`]; [`Error::Table`].
pub fn recompute(folder: &Path, detail: Detail) -> Result<Recomputed, Error> {
    let run = Run::read(folder, detail)?;
    let samples = sampling::samples(&run);
    let samples_csv = samples_csv::write(&samples)?;
    let rows = summary::rows(&samples_csv, draws(&run))?;
    let summary_csv = summary::write(&rows)?;
    Ok(Recomputed { run, samples, samples_csv, rows, summary_csv })
}

impl Recomputed {
    /// The files by their names, with the bytes that they ought to have.
    #[must_use]
    pub fn files(&self) -> [(&'static str, &[u8]); 2] {
        [(SAMPLES_CSV, &self.samples_csv), (SUMMARY_CSV, &self.summary_csv)]
    }

    /// Holds a file of the folder against its recomputation.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::TooLarge`].
    pub fn before(&self, name: &str, expected: &[u8]) -> Result<Before, Error> {
        Ok(match files::read_if_there(&self.run.path.join(name))? {
            None => Before::Absent,
            Some(found) => difference::first(&found, expected).map_or(Before::Exact, Before::Different),
        })
    }

    /// Writes both files, each whole or not at all.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self) -> Result<(), Error> {
        for (name, content) in self.files() {
            files::write(&self.run.path.join(name), content)?;
        }
        Ok(())
    }
}

fn draws(run: &Run) -> Draws {
    match run.pqsig_logs().next() {
        Some((_, log)) if log.run.options.deterministic => Draws::Repeated,
        _ => Draws::Independent,
    }
}
