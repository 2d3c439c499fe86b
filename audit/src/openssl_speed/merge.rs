//! Both streams held against each other: stderr gives the figures, stdout confirms them.

use std::collections::{BTreeMap, BTreeSet};

use super::agreement::{self, Fault};
use super::figure::touch;
use super::name::{self, Operation, Table};
use super::report::{Report, place};
use super::row::Cell;
use super::rows::{self, NamedRow};
use super::stderr::Timed;
use super::stdout::Tables;
use super::{Build, Clock, Log, Missing, Phase};
use crate::Finding;

/// Makes one log of both streams.
pub(super) fn merge(tables: Option<Tables>, timed: Option<&Timed>, mut report: Report) -> Log {
    let interrupted = is_interrupted(tables.as_ref(), timed, &mut report);
    let of_stdout = tables.as_ref().and_then(|tables| tables.processes);
    let of_stderr = timed.map(|timed| timed.processes).filter(|&processes| processes > 1);
    let processes = of_stdout.max(of_stderr);
    let has_table = tables.as_ref().is_some_and(|tables| tables.has_table);
    let mut merger = Merger {
        report: &mut report,
        processes: processes.unwrap_or(1),
        phases: Vec::new(),
        places: BTreeSet::new(),
        outcomes: BTreeMap::new(),
    };
    let named = tables.as_ref().map(|tables| rows::name(tables, timed, merger.report));
    let renamed = named.as_ref().map(rows::Named::renamed).unwrap_or_default();
    if let Some(timed) = timed {
        merger.finish(timed, &renamed);
    }
    if let (Some(tables), Some(named)) = (&tables, &named) {
        for row in &named.rows {
            merger.confirm(row, &tables.file, timed);
        }
        if tables.has_table && !tables.torn {
            merger.find_unconfirmed(timed, &named.unnamed);
        }
    }
    merger.find_missing(timed);
    let places = merger.places;
    let phases: Vec<Phase> = merger.phases.into_iter().map(|timed| timed.phase).collect();
    let clock = timed.and_then(|timed| timed.clock);
    let (version, build) = tables.map_or((None, Build::default()), |tables| (tables.version, tables.build));
    let (findings, notes, mut missing) = report.into_parts();
    // A log can claim that a set-up failed, and have the figure all the same. The finding stays.
    let there: BTreeSet<(&str, Option<&str>)> =
        places.iter().map(|(algorithm, operation)| (algorithm.as_str(), Some(operation.name()))).collect();
    missing.retain(|missing| !there.contains(&(&missing.algorithm, missing.operation.as_deref())));
    Log {
        version,
        build,
        clock: if processes.is_some() { Some(Clock::Elapsed) } else { clock },
        // An interrupted run may have lost what it told of its further processes.
        multi: processes.filter(|&processes| has_table || processes > 1),
        phases,
        missing,
        findings,
        notes,
        interrupted,
    }
}

fn is_interrupted(tables: Option<&Tables>, timed: Option<&Timed>, report: &mut Report) -> bool {
    let (file, message) = match (tables, timed) {
        (Some(tables), _) if tables.has_table => {
            return tables.torn || timed.is_some_and(|timed| timed.torn);
        }
        (Some(tables), _) => (tables.file.as_str(), "there is no table: the run did not reach its end"),
        (None, Some(timed)) => {
            (timed.file.as_str(), "there is no stdout beside it: nothing tells that the run reached its end")
        }
        (None, None) => ("log", "there is no log"),
    };
    report.find(Finding::incomplete("interrupted", file, message));
    true
}

/// A phase's name in both streams: its table, its algorithm as in [`super::Phase`], its operation.
type Key = (Option<Table>, String, Operation);

struct Merger<'a> {
    report: &'a mut Report,
    processes: u32,
    phases: Vec<TimedPhase>,
    /// What the phases are of.
    places: BTreeSet<(String, Operation)>,
    outcomes: BTreeMap<Key, Outcome>,
}

struct TimedPhase {
    phase: Phase,
    table: Option<Table>,
    /// Operations per second: the least and the most that stderr's figures can have been rounded from.
    rates: (f64, f64),
}

/// What became of a phase that stderr begins.
enum Outcome {
    /// Its place among the phases.
    Finished(usize),
    Failed {
        reason: String,
        place: String,
    },
    /// It has no result, or not of every process.
    Unfinished {
        reason: String,
        place: String,
    },
}

impl Merger<'_> {
    /// Makes phases of what stderr has.
    fn finish(&mut self, timed: &Timed, renamed: &BTreeMap<(String, u32), String>) {
        let mut finished = Vec::new();
        for entry in &timed.entries {
            let table = entry.subject.table;
            let algorithm = match renamed.get(&(entry.subject.algorithm.clone(), entry.nth)) {
                Some(curve) => curve.clone(),
                None => rows::numbered(name::public(table, &entry.subject.algorithm), entry.nth),
            };
            let key = (table, algorithm, entry.subject.operation);
            match agreement::figures(entry, self.processes) {
                Ok(figures) => finished.push((key, figures)),
                Err(Fault::Failed(reason)) => {
                    let place = place(&timed.file, entry.line);
                    self.outcomes.insert(key, Outcome::Failed { reason, place });
                }
                Err(Fault::Unfinished(reason)) => {
                    let place = place(&timed.file, entry.line);
                    self.outcomes.insert(key, Outcome::Unfinished { reason, place });
                }
            }
        }
        finished.sort_by_key(|(_, figures)| figures.line);
        for (key, figures) in finished {
            let place = place(&timed.file, figures.line);
            let phase = Phase {
                count: Some(figures.count),
                elapsed_cs: Some(figures.elapsed_cs),
                stderr_line: Some(figures.line),
                ..self.phase(&key)
            };
            let number = self.phases.len();
            if self.add(&key, TimedPhase { phase, table: key.0, rates: figures.rates }, place) {
                self.outcomes.insert(key, Outcome::Finished(number));
            }
        }
    }

    /// Holds a row against what stderr has.
    fn confirm(&mut self, row: &NamedRow<'_>, file: &str, timed: Option<&Timed>) {
        let place = place(file, row.line);
        for cell in row.cells.iter() {
            let key = (Some(row.table), row.algorithm.clone(), cell.operation);
            let what = format!("{} {}", key.1, key.2.name());
            self.settle_table(&key);
            let outcome = self.outcomes.get(&key);
            if let Some(&Outcome::Finished(number)) = outcome
                && let Some(timed) = self.phases.get_mut(number)
            {
                timed.phase.stdout_line = Some(row.line);
            }
            if agreement::contradicts_itself(cell) {
                let message = format!("{what}: the printed time is not that of the printed rate");
                self.report.find(Finding::broken("time-contradicts-rate", place.clone(), message));
                continue;
            }
            match outcome {
                Some(&Outcome::Finished(number)) => self.compare(number, cell, &what, place.clone()),
                Some(Outcome::Failed { reason, .. }) => {
                    if agreement::has_figure(cell) {
                        let message = format!("{what} has a rate here, but {reason}");
                        self.report.find(Finding::broken("rate-contradicts-count", place.clone(), message));
                    }
                }
                Some(Outcome::Unfinished { .. }) | None if agreement::has_figure(cell) => {
                    self.take(&key, cell, row.line, place.clone(), timed);
                }
                Some(Outcome::Unfinished { .. }) => {}
                None => {
                    let reason =
                        "failed: what stdout has is infinite, not a number, negative or 0".to_owned();
                    let missing =
                        Missing { algorithm: key.1, operation: Some(key.2.name().to_owned()), reason };
                    self.report.missing("failed-phase", place.clone(), missing);
                }
            }
        }
    }

    /// Where a keygen begins, stderr does not tell its table, and the result that would may be lost.
    fn settle_table(&mut self, key: &Key) {
        let begun = (None, key.1.clone(), key.2);
        if !self.outcomes.contains_key(key)
            && let Some(outcome) = self.outcomes.remove(&begun)
        {
            self.outcomes.insert(key.clone(), outcome);
        }
    }

    /// Holds one rate against a phase, which keeps what agrees.
    fn compare(&mut self, number: usize, cell: &Cell, what: &str, place: String) {
        let Some(TimedPhase { phase, rates, .. }) = self.phases.get_mut(number) else { return };
        if cell.rate.interval().is_some_and(|rate| touch(rate, *rates)) {
            agreement::print(cell, phase);
        } else {
            let message = agreement::contradiction(what, cell, phase, *rates);
            self.report.find(Finding::broken("rate-contradicts-count", place, message));
        }
    }

    /// Takes the figure from stdout, as stderr has none.
    fn take(&mut self, key: &Key, cell: &Cell, line: u64, place: String, timed: Option<&Timed>) {
        if let Some(Timed { file, torn, .. }) = timed {
            let message = format!("{} {} has a rate here, but no result in {file}", key.1, key.2.name());
            // A cut copy of stderr lacks its end; otherwise these are not streams of one run.
            self.report.find(if *torn {
                Finding::incomplete("row-without-phase", place.clone(), message)
            } else {
                Finding::broken("row-without-phase", place.clone(), message)
            });
        }
        let mut phase = Phase { stdout_line: Some(line), ..self.phase(key) };
        agreement::print(cell, &mut phase);
        if self.add(key, TimedPhase { phase, table: key.0, rates: (0.0, f64::INFINITY) }, place) {
            self.outcomes.remove(key);
        }
    }

    fn phase(&self, (_, algorithm, operation): &Key) -> Phase {
        Phase {
            algorithm: algorithm.clone(),
            operation: operation.name().to_owned(),
            processes: self.processes,
            ..Phase::default()
        }
    }

    /// Adds a phase, unless there is another of its name.
    fn add(&mut self, (_, algorithm, operation): &Key, timed: TimedPhase, place: String) -> bool {
        let new = self.places.insert((algorithm.clone(), *operation));
        if new {
            self.phases.push(timed);
        } else {
            let message = format!("{algorithm} {} is there twice: the first counts", operation.name());
            self.report.find(Finding::broken("duplicate-phase", place, message));
        }
        new
    }

    /// Finds phases of stderr that no table has.
    fn find_unconfirmed(&mut self, timed: Option<&Timed>, unnamed: &BTreeSet<Table>) {
        let Some(Timed { file, .. }) = timed else { return };
        for TimedPhase { phase, table, .. } in &self.phases {
            let without = phase.stdout_line.is_none() && table.is_none_or(|table| !unnamed.contains(&table));
            if let (true, Some(line)) = (without, phase.stderr_line) {
                let message = format!("{} {} has no row in stdout", phase.algorithm, phase.operation);
                self.report.find(Finding::incomplete("phase-without-row", place(file, line), message));
            }
        }
    }

    /// Finds what has no figure: what was begun, and what goes with what is there.
    fn find_missing(&mut self, timed: Option<&Timed>) {
        let mut algorithms: BTreeMap<(Table, String), BTreeSet<Operation>> = BTreeMap::new();
        for (key, outcome) in &self.outcomes {
            if let Some(table) = key.0 {
                algorithms.entry((table, key.1.clone())).or_default().insert(key.2);
            }
            let (rule, reason, place) = match outcome {
                Outcome::Finished(_) => continue,
                Outcome::Failed { reason, place } => ("failed-phase", reason, place),
                Outcome::Unfinished { reason, place } => ("no-result", reason, place),
            };
            let operation = Some(key.2.name().to_owned());
            let missing = Missing { algorithm: key.1.clone(), operation, reason: reason.clone() };
            self.report.missing(rule, place.clone(), missing);
        }
        let Some(Timed { file, .. }) = timed else { return };
        let encryption = [Operation::Encrypt, Operation::Decrypt];
        let encrypts = algorithms.iter().any(|((table, _), there)| {
            *table == Table::Rsa && encryption.iter().any(|one| there.contains(one))
        });
        for ((table, algorithm), there) in algorithms {
            let more: &[Operation] = if table == Table::Rsa && encrypts { &encryption } else { &[] };
            for operation in table.operations().iter().chain(more) {
                if there.contains(operation) || self.places.contains(&(algorithm.clone(), *operation)) {
                    continue;
                }
                let reason = "is missing, and other operations of the algorithm are there".to_owned();
                let operation = Some(operation.name().to_owned());
                let missing = Missing { algorithm: algorithm.clone(), operation, reason };
                self.report.missing("missing-phase", file.clone(), missing);
            }
        }
    }
}
