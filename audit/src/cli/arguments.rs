//! What the program takes.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// From raw trial logs to figures that anyone can recompute: samples.csv, summary.csv, and a report to look
/// at.
///
/// A run is a folder of logs: trial-N.jsonl of `pqsig speed`, trial-N.stdout.txt and trial-N.stderr.txt of
/// `openssl speed`, and, where scripts/run.nu made it, host.json, openssl.txt and run.json.
#[derive(Debug, Parser)]
#[command(
    name = "pqsig-audit",
    version,
    after_help = "Exit status: 0 clean, 1 a finding, 2 what kept the command from its work."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Make samples.csv and summary.csv from the raw logs, or check those that are there
    Summarize(SummarizeArguments),
    /// Hold two runs against each other: the ratio of their times, with a 95% confidence interval
    Compare(CompareArguments),
    /// Flag what can't be: figures that contradict each other, the algorithm, or the machine
    Plausibility(PlausibilityArguments),
    /// Write one HTML file that shows a run
    Report(ReportArguments),
    /// Say which trials a folder holds, and what they lack
    Trials(TrialsArguments),
    /// Describe this machine and its state, as host.json has it
    Host(HostArguments),
}

#[derive(Debug, Args)]
pub(super) struct SummarizeArguments {
    /// The runs
    #[arg(value_name = "DIR", required = true)]
    pub(super) folders: Vec<PathBuf>,

    /// Write nothing: recompute both files, and name the first row and column that differ
    #[arg(long)]
    pub(super) check: bool,

    /// Summarize what is there of a run that was interrupted or failed in parts
    #[arg(long)]
    pub(super) allow_incomplete: bool,

    /// Answer in JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct CompareArguments {
    /// The one run
    pub(super) a: PathBuf,

    /// The other one
    pub(super) b: PathBuf,

    /// Compare what was measured under other conditions all the same
    #[arg(long)]
    pub(super) force: bool,

    /// Answer in JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct PlausibilityArguments {
    /// The runs
    #[arg(value_name = "DIR", required_unless_present = "claims")]
    pub(super) folders: Vec<PathBuf>,

    /// Figures that somebody published, as JSON of the schema pqsig-claims/1
    #[arg(long, value_name = "FILE")]
    pub(super) claims: Vec<PathBuf>,

    /// Answer in JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ReportArguments {
    /// The run
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,

    /// Where to write the report [default: DIR/report.html]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct TrialsArguments {
    /// The run
    #[arg(value_name = "DIR")]
    pub(super) folder: PathBuf,

    /// Answer in JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct HostArguments {
    /// Begin this host.json: the state before a run
    #[arg(long, value_name = "FILE", conflicts_with = "after")]
    pub(super) before: Option<PathBuf>,

    /// Complete this host.json: the state after the run
    #[arg(long, value_name = "FILE")]
    pub(super) after: Option<PathBuf>,
}
