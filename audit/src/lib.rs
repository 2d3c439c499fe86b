//! From raw trial logs to figures that anyone can recompute.
//!
//! [`Run::read`] reads a folder of logs, [`sampling::samples`] gives its samples, [`samples_csv`] and
//! [`summary`] the CSV files. [`compare`], [`plausibility`] and [`report`] stand on these. What is wrong with the
//! evidence is a [`Finding`]; what keeps a command from its work is an [`Error`].

pub mod cli;
pub mod compare;
mod consistency;
pub mod difference;
mod error;
pub mod files;
pub mod finding;
pub mod folder;
pub mod host;
pub mod number;
pub mod openssl_speed;
pub mod plausibility;
pub mod rejection;
pub mod report;
pub mod run;
pub mod sample;
pub mod samples_csv;
pub mod sampling;
pub mod summarize;
pub mod summary;

pub use error::Error;
pub use finding::{Finding, Severity};
pub use run::{Detail, Run};
pub use sample::{Key, Sample, Source};
