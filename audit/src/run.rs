//! A run: all that a folder of logs says.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use pqsig_speed::log::{self, Ending, Trial as TrialLog};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::folder::{self, TrialFiles};
use crate::host::HostFile;
use crate::{Error, Finding, consistency, files, openssl_speed};

/// All that a folder says.
#[derive(Clone, Debug)]
pub struct Run {
    /// The folder.
    pub path: PathBuf,
    /// What was asked for: `run.json`, which scripts/run.nu writes.
    pub plan: Option<Plan>,
    /// The machine: `host.json`.
    pub host: Option<HostFile>,
    /// What `openssl version -a` said: `openssl.txt`.
    pub openssl: Option<String>,
    /// The trials by their numbers, ascending.
    pub trials: Vec<Trial>,
    /// What is wrong with all that, in the order of the files.
    pub findings: Vec<Finding>,
}

/// The logs of one trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The number in the files' names.
    pub number: u32,
    /// pqsig's log.
    pub pqsig: Option<TrialLog>,
    /// OpenSSL's.
    pub openssl: Option<openssl_speed::Log>,
}

/// `run.json`: what a scripted run is to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The format's name, [`Plan::SCHEMA`].
    pub schema: String,
    /// How many trials there are to be.
    pub trials: u32,
    /// The time of one operation of one algorithm in one trial, in s.
    pub seconds: u32,
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// The commands of one trial, as one could type them.
    pub commands: Vec<String>,
}

impl Plan {
    /// The name and version of the format.
    pub const SCHEMA: &'static str = "pqsig-run/1";
}

/// How much of a log is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The figures of each phase.
    Figures,
    /// Percentiles and the course in time, too.
    Course,
}

impl Run {
    /// Reads a folder. What is wrong with its content becomes a finding.
    ///
    /// # Errors
    /// [`Error::NoFolder`], [`Error::NoTrials`]; [`Error::Io`] when a file can't be read.
    pub fn read(path: &Path, detail: Detail) -> Result<Self, Error> {
        let listing = folder::list(path)?;
        let read: Vec<(Trial, Vec<Finding>)> = listing
            .trials
            .into_par_iter()
            .map(|(number, files)| read_trial(number, &files, detail))
            .collect::<Result<_, Error>>()?;
        let mut run = Run {
            path: path.to_owned(),
            plan: None,
            host: None,
            openssl: None,
            trials: Vec::with_capacity(read.len()),
            findings: listing.findings,
        };
        for (trial, findings) in read {
            run.trials.push(trial);
            run.findings.extend(findings);
        }
        run.read_surroundings()?;
        let across = consistency::check(&run);
        run.findings.extend(across);
        Ok(run)
    }

    /// The folder's own name.
    #[must_use]
    pub fn name(&self) -> String {
        let resolved = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        resolved.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The trials' pqsig logs.
    pub fn pqsig_logs(&self) -> impl Iterator<Item = (u32, &TrialLog)> {
        self.trials.iter().filter_map(|trial| Some((trial.number, trial.pqsig.as_ref()?)))
    }

    /// The trials' `openssl speed` logs.
    pub fn openssl_logs(&self) -> impl Iterator<Item = (u32, &openssl_speed::Log)> {
        self.trials.iter().filter_map(|trial| Some((trial.number, trial.openssl.as_ref()?)))
    }

    fn read_surroundings(&mut self) -> Result<(), Error> {
        let path = self.path.join("host.json");
        self.host = self.optional(&path, HostFile::read(&path))?;
        let path = self.path.join("run.json");
        self.plan = self.optional(&path, read_plan(&path))?;
        let text = files::read_if_there(&self.path.join("openssl.txt"))?;
        self.openssl = text.map(|text| String::from_utf8_lossy(&text).into_owned());
        Ok(())
    }

    /// A file that need not be there, but must be right if it is.
    fn optional<T>(&mut self, path: &Path, outcome: Result<T, Error>) -> Result<Option<T>, Error> {
        match outcome {
            Ok(value) => Ok(Some(value)),
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(Error::Malformed { reason, .. }) => {
                self.findings.push(Finding::broken("malformed", file_name(path), reason));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

fn read_plan(path: &Path) -> Result<Plan, Error> {
    let plan: Plan = files::read_json(path)?;
    if plan.schema == Plan::SCHEMA {
        Ok(plan)
    } else {
        let reason = format!("the schema is `{}`, this reads `{}`", plan.schema, Plan::SCHEMA);
        Err(Error::Malformed { path: path.to_owned(), reason })
    }
}

fn read_trial(number: u32, files: &TrialFiles, detail: Detail) -> Result<(Trial, Vec<Finding>), Error> {
    let mut findings = Vec::new();
    let pqsig = match &files.jsonl {
        Some(path) => read_pqsig(path, detail, &mut findings)?,
        None => None,
    };
    let stdout = read_text(files.stdout.as_deref(), &mut findings)?;
    let stderr = read_text(files.stderr.as_deref(), &mut findings)?;
    let openssl = (stdout.is_some() || stderr.is_some()).then(|| {
        openssl_speed::parse(
            stdout.as_ref().map(|(name, text)| (name.as_str(), text.as_slice())),
            stderr.as_ref().map(|(name, text)| (name.as_str(), text.as_slice())),
        )
    });
    findings.extend(openssl.iter().flat_map(|log| log.findings.iter().cloned()));
    Ok((Trial { number, pqsig, openssl }, findings))
}

fn read_text(path: Option<&Path>, findings: &mut Vec<Finding>) -> Result<Option<(String, Vec<u8>)>, Error> {
    let Some(path) = path else { return Ok(None) };
    match files::read(path) {
        Ok(text) => Ok(Some((file_name(path), text))),
        Err(Error::TooLarge { bytes, .. }) => {
            let message = format!("{bytes} bytes: `openssl speed` never prints that much");
            findings.push(Finding::broken("too-large", file_name(path), message));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Reads pqsig's log, holds each phase against itself, and drops what need not be kept.
fn read_pqsig(path: &Path, detail: Detail, findings: &mut Vec<Finding>) -> Result<Option<TrialLog>, Error> {
    let io = |source| Error::Io { path: path.to_owned(), action: "read", source };
    let name = file_name(path);
    let reader = BufReader::with_capacity(1 << 18, File::open(path).map_err(io)?);
    let mut contradictions = Vec::new();
    let outcome = log::read_with(reader, |run, phase| {
        if let Err(reason) = phase.check(run.options.threads) {
            let place = format!("{name}: {} {} {}", phase.algorithm, phase.backend, phase.operation);
            contradictions.push(Finding::broken("contradicts-itself", place, reason));
        }
        phase.samples_ns = None;
        if detail == Detail::Figures {
            phase.percentiles_ns = None;
            phase.timeline = None;
        }
    });
    let log = match outcome {
        Ok(log) => log,
        Err(log::ReadError::Io(source)) => return Err(io(source)),
        Err(log::ReadError::Malformed { line, reason }) => {
            findings.push(Finding::broken("malformed", format!("{name}:{line}"), reason));
            return Ok(None);
        }
        Err(error) => {
            findings.push(Finding::broken("malformed", name, error.to_string()));
            return Ok(None);
        }
    };
    findings.append(&mut contradictions);
    findings.extend(what_is_missing(&name, &log));
    Ok(Some(log))
}

fn what_is_missing(name: &str, log: &TrialLog) -> Vec<Finding> {
    let ending = match &log.ending {
        Ending::Whole(_) => None,
        Ending::Interrupted(interrupted) => Some(format!("given up: {}", interrupted.reason)),
        Ending::Cut { within_line: true } => Some("cut within its last line".to_owned()),
        Ending::Cut { within_line: false } => Some("has no `end` line".to_owned()),
    };
    let ending = ending.map(|reason| Finding::incomplete("interrupted", name, reason));
    let failed = log.phases.iter().filter_map(|phase| {
        let place = format!("{name}: {} {} {}", phase.algorithm, phase.backend, phase.operation);
        Some(Finding::incomplete("failed-phase", place, phase.failure.clone()?))
    });
    ending.into_iter().chain(failed).collect()
}

/// A file's name without its folder: what findings call it by, whatever the folder is called.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
