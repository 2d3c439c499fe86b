//! Phases as stderr begins and ends them, in one process or in several at once.

use std::collections::BTreeMap;

use super::name::{self, Operation, Subject, Table};

/// `openssl speed` with every algorithm of every provider has some 500.
const MOST: usize = 4096;
/// OpenSSL has six curves of one size at most.
const MOST_OF_ONE_SIZE: u32 = 16;

/// A phase that was begun.
pub(super) struct Entry {
    pub(super) subject: Subject,
    /// Where only a curve's size is told: how many others of that size there were before.
    pub(super) nth: u32,
    /// The line that begins it.
    pub(super) line: u64,
    /// What each process says in the end.
    pub(super) results: Vec<Done>,
    /// What OpenSSL said of a failure in between.
    pub(super) trouble: Option<String>,
    /// In how many processes it was begun.
    begun: u32,
    /// Whether it turned out to be told twice.
    void: bool,
}

/// A result of one process.
#[derive(Clone, Copy)]
pub(super) struct Done {
    pub(super) count: i64,
    pub(super) hundredths: i64,
    pub(super) line: u64,
}

/// Why a line does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Every process has told it already.
    Twice,
    /// It ends, but never began.
    NotBegun,
    /// There are more than OpenSSL can have.
    TooMany,
}

/// The phases of a log so far.
pub(super) struct Started {
    processes: u32,
    entries: Vec<Entry>,
    places: BTreeMap<(Subject, u32), usize>,
}

impl Started {
    pub(super) fn new(processes: u32) -> Self {
        Started { processes, entries: Vec::new(), places: BTreeMap::new() }
    }

    /// A process begins a phase. Returns the phase's number.
    pub(super) fn begin(&mut self, subject: Subject, line: u64) -> Result<usize, Refusal> {
        let processes = self.processes;
        // A process that lags behind begins what another has ended, so that the table is known by now.
        if subject.table.is_none() {
            for table in [Table::Kem, Table::Signature] {
                let subject = Subject { table: Some(table), ..subject.clone() };
                if let Some((number, entry)) = self.entry(&subject, 0)
                    && entry.begun < processes
                {
                    entry.begun += 1;
                    return Ok(number);
                }
            }
        }
        for nth in 0..most_alike(&subject) {
            match self.entry(&subject, nth) {
                Some((number, entry)) if entry.begun < processes => {
                    entry.begun += 1;
                    return Ok(number);
                }
                Some(_) => {}
                None => return self.add(subject, nth, line),
            }
        }
        Err(Refusal::Twice)
    }

    fn add(&mut self, subject: Subject, nth: u32, line: u64) -> Result<usize, Refusal> {
        let number = self.entries.len();
        if number >= MOST {
            return Err(Refusal::TooMany);
        }
        self.places.insert((subject.clone(), nth), number);
        self.entries.push(Entry {
            subject,
            nth,
            line,
            results: Vec::new(),
            trouble: None,
            begun: 1,
            void: false,
        });
        Ok(number)
    }

    /// Which phase a process ends: the first that is open in some process. [`Self::end`] ends it.
    pub(super) fn open(&mut self, subject: &Subject) -> Result<usize, Refusal> {
        let mut known = false;
        for nth in 0..most_alike(subject) {
            match self.entry(subject, nth) {
                Some((number, entry)) if entry.is_open() => return Ok(number),
                Some(_) => known = true,
                None => break,
            }
        }
        if subject.operation == Operation::Keygen {
            let begun = Subject { table: None, ..subject.clone() };
            if let Some((number, entry)) = self.entry(&begun, 0)
                && entry.is_open()
            {
                if known {
                    entry.void = true;
                    self.places.remove(&(begun, 0));
                    return Err(Refusal::Twice);
                }
                entry.subject = subject.clone();
                self.places.remove(&(begun, 0));
                self.places.insert((subject.clone(), 0), number);
                return Ok(number);
            }
        }
        Err(if known { Refusal::Twice } else { Refusal::NotBegun })
    }

    pub(super) fn end(&mut self, number: usize, done: Done) {
        if let Some(entry) = self.entries.get_mut(number) {
            entry.results.push(done);
        }
    }

    /// Keeps what was said while a phase went on: the first thing is the cause.
    pub(super) fn trouble(&mut self, number: usize, text: impl FnOnce() -> String) {
        if let Some(entry) = self.entries.get_mut(number) {
            entry.trouble.get_or_insert_with(text);
        }
    }

    /// All that were begun, in that order.
    pub(super) fn into_entries(self) -> Vec<Entry> {
        self.entries.into_iter().filter(|entry| !entry.void).collect()
    }

    fn entry(&mut self, subject: &Subject, nth: u32) -> Option<(usize, &mut Entry)> {
        let number = *self.places.get(&(subject.clone(), nth))?;
        Some((number, self.entries.get_mut(number)?))
    }
}

impl Entry {
    fn is_open(&self) -> bool {
        u32::try_from(self.results.len()).is_ok_and(|ended| ended < self.begun)
    }
}

fn most_alike(subject: &Subject) -> u32 {
    if name::is_of_size(&subject.algorithm) { MOST_OF_ONE_SIZE } else { 1 }
}
