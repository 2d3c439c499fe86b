//! Whose row is whose: what one stream leaves out of a name, the other has.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::machine::Kind;
use super::name::{self, Operation, Table};
use super::report::{Report, place};
use super::row::Cell;
use super::started::Entry;
use super::stderr::Timed;
use super::stdout::{Row, Tables};
use crate::Finding;

/// The rows of stdout by name.
pub(super) struct Named<'a> {
    pub(super) rows: Vec<NamedRow<'a>>,
    /// The tables of which `-mr`'s rows could not be named.
    pub(super) unnamed: BTreeSet<Table>,
}

/// A row, and what it is of.
pub(super) struct NamedRow<'a> {
    pub(super) table: Table,
    /// As in [`super::Phase::algorithm`].
    pub(super) algorithm: String,
    /// What stderr calls it, if that only has a curve's size: the size's name, and how many precede it.
    pub(super) stands_for: Option<(String, u32)>,
    pub(super) cells: Cow<'a, [Cell]>,
    pub(super) line: u64,
}

impl Named<'_> {
    /// The names of curves of which stderr only has the size.
    pub(super) fn renamed(&self) -> BTreeMap<(String, u32), String> {
        let renamed = |row: &NamedRow<'_>| Some((row.stands_for.clone()?, row.algorithm.clone()));
        self.rows.iter().filter_map(renamed).collect()
    }
}

/// `ECDSA-256`, `ECDSA-256#2`
pub(super) fn numbered(algorithm: String, nth: u32) -> String {
    if nth == 0 { algorithm } else { format!("{algorithm}#{}", nth.saturating_add(1)) }
}

/// Names the rows by what stderr has, in the same order, if there is a stderr.
pub(super) fn name<'a>(tables: &'a Tables, timed: Option<&Timed>, report: &mut Report) -> Named<'a> {
    let has_stderr = timed.is_some();
    let timed = Algorithms::of(timed.map_or(&[], |timed| timed.entries.as_slice()));
    let mut clerk =
        Namer { file: &tables.file, timed, sizes: BTreeMap::new(), seen: BTreeSet::new(), report };
    let mut named = Named { rows: Vec::new(), unnamed: BTreeSet::new() };
    let ninth = ninth(&tables.rows, &clerk.timed);
    let mut numbered_rows: BTreeMap<Table, Vec<&Row>> = BTreeMap::new();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for row in &tables.rows {
        let table = match row.kind {
            Kind::Of(table) => table,
            Kind::KemOrSignature => ninth,
        };
        match &row.algorithm {
            Some(algorithm) => {
                told.insert(algorithm.clone());
                named.rows.extend(clerk.by_name(table, algorithm, row));
            }
            None => numbered_rows.entry(table).or_default().push(row),
        }
    }
    for (table, rows) in numbered_rows {
        let algorithms = clerk.timed.of_table(table, &told);
        if algorithms.len() == rows.len() {
            for (row, (algorithm, nth)) in rows.into_iter().zip(algorithms) {
                let algorithm = numbered(name::public(Some(table), &algorithm), nth);
                named.rows.extend(clerk.add(table, algorithm, None, row));
            }
        } else if rows.iter().all(|row| row.of_size.is_some())
            && algorithms.iter().all(|(algorithm, _)| name::is_of_size(algorithm))
        {
            for row in rows {
                named.rows.extend(clerk.by_size(table, row));
            }
        } else {
            clerk.unnamed(&rows, algorithms.len(), has_stderr);
            named.unnamed.insert(table);
        }
    }
    named.rows.sort_by_key(|row| row.line);
    named
}

/// What `+F9` is of: KEMs in 3.x, which has `+F10` for signatures, signatures in 4.0, which has `+F8` for KEMs.
fn ninth(rows: &[Row], timed: &Algorithms) -> Table {
    let has = |table| rows.iter().any(|row| row.kind == Kind::Of(table) && row.algorithm.is_none());
    let only_kems = timed.signatures.is_empty() && !timed.kems.is_empty();
    if has(Table::Signature) || (!has(Table::Kem) && only_kems) { Table::Kem } else { Table::Signature }
}

/// The algorithms that stderr has, in its order.
struct Algorithms {
    kems: Vec<(String, u32)>,
    signatures: Vec<(String, u32)>,
    signing_curves: Vec<(String, u32)>,
    agreeing_curves: Vec<(String, u32)>,
}

impl Algorithms {
    fn of(entries: &[Entry]) -> Self {
        let of = |table| {
            let mut seen = BTreeSet::new();
            let entries = entries.iter().filter(|entry| entry.subject.table == Some(table));
            let algorithms = entries.map(|entry| (entry.subject.algorithm.clone(), entry.nth));
            algorithms.filter(|algorithm| seen.insert(algorithm.clone())).collect()
        };
        Algorithms {
            kems: of(Table::Kem),
            signatures: of(Table::Signature),
            signing_curves: of(Table::Ecdsa),
            agreeing_curves: of(Table::Ecdh),
        }
    }

    /// Those of a table, without those that stdout has by name.
    fn of_table(&self, table: Table, told: &BTreeSet<String>) -> Vec<(String, u32)> {
        let all: &[(String, u32)] = match table {
            Table::Kem => &self.kems,
            Table::Signature => &self.signatures,
            Table::Ecdsa => &self.signing_curves,
            Table::Ecdh => &self.agreeing_curves,
            Table::Rsa | Table::Dsa | Table::Ffdh => &[],
        };
        all.iter().filter(|(algorithm, _)| !told.contains(algorithm)).cloned().collect()
    }

    fn has_curve(&self, table: Table, curve: &(String, u32)) -> bool {
        match table {
            Table::Ecdsa => self.signing_curves.contains(curve),
            Table::Ecdh => self.agreeing_curves.contains(curve),
            _ => false,
        }
    }
}

/// The cells of a row: `+F9`'s are the operations of the table that it is of.
fn cells(table: Table, row: &Row) -> Cow<'_, [Cell]> {
    if row.kind == Kind::Of(table) {
        return Cow::Borrowed(&row.cells);
    }
    let of_table = |(&operation, cell): (&Operation, &Cell)| Cell { operation, ..*cell };
    table.operations().iter().zip(&row.cells).map(of_table).collect()
}

struct Namer<'a> {
    file: &'a str,
    timed: Algorithms,
    /// How many rows of a curve's size there were.
    sizes: BTreeMap<String, u32>,
    seen: BTreeSet<(Table, String)>,
    report: &'a mut Report,
}

impl Namer<'_> {
    fn by_name<'a>(&mut self, table: Table, algorithm: &str, row: &'a Row) -> Option<NamedRow<'a>> {
        let stands_for = row.of_size.clone().map(|size| {
            let nth = self.next_of_size(&size);
            (size, nth)
        });
        let by_name = self.timed.has_curve(table, &(algorithm.to_owned(), 0));
        let stands_for = stands_for.filter(|size| !by_name && self.timed.has_curve(table, size));
        self.add(table, name::public(Some(table), algorithm), stands_for, row)
    }

    fn by_size<'a>(&mut self, table: Table, row: &'a Row) -> Option<NamedRow<'a>> {
        let size = row.of_size.as_ref()?;
        // Some sizes belong to one curve only.
        let nth = if name::is_of_size(size) { self.next_of_size(size) } else { 0 };
        self.add(table, numbered(size.clone(), nth), None, row)
    }

    fn next_of_size(&mut self, size: &str) -> u32 {
        let next = self.sizes.entry(size.to_owned()).or_insert(0);
        let nth = *next;
        *next = next.saturating_add(1);
        nth
    }

    fn add<'a>(
        &mut self,
        table: Table,
        algorithm: String,
        stands_for: Option<(String, u32)>,
        row: &'a Row,
    ) -> Option<NamedRow<'a>> {
        if !self.seen.insert((table, algorithm.clone())) {
            let message = format!("{algorithm} is there twice: the first counts");
            self.report.find(Finding::broken("duplicate-row", place(self.file, row.line), message));
            return None;
        }
        Some(NamedRow { table, algorithm, stands_for, cells: cells(table, row), line: row.line })
    }

    fn unnamed(&mut self, rows: &[&Row], algorithms: usize, has_stderr: bool) {
        let message = if has_stderr {
            format!("rows without names: {}, for {algorithms} algorithms in stderr", rows.len())
        } else {
            format!("rows without names: {}; with -mr, only stderr has names", rows.len())
        };
        let line = rows.first().map_or(1, |row| row.line);
        self.report.find(Finding::incomplete("unnamed-rows", place(self.file, line), message));
    }
}
