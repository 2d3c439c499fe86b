//! What stdout says: the tables at the end.

use super::Build;
use super::figure::{self, Figure};
use super::line::lines;
use super::machine::{self, Kind};
use super::report::{Report, place};
use super::row::{self, Cell, Header};
use super::trouble::{escaped, quoted};
use crate::Finding;

/// More than OpenSSL has algorithms.
const MOST_ROWS: usize = 4096;

/// The compiler's options are the longest value, some 1,500 characters.
const LONGEST_VALUE: usize = 4096;

/// What stdout says.
pub(super) struct Tables {
    /// The file's name.
    pub(super) file: String,
    pub(super) version: Option<String>,
    pub(super) build: Build,
    /// How many processes `-multi` is told to have started.
    pub(super) processes: Option<u32>,
    pub(super) rows: Vec<Row>,
    /// Whether there is a table, of whatever.
    pub(super) has_table: bool,
    /// Whether the last line has no end.
    pub(super) torn: bool,
}

/// A row.
pub(super) struct Row {
    pub(super) kind: Kind,
    /// `None`: `-mr` numbers it.
    pub(super) algorithm: Option<String>,
    /// What the algorithm is called where only its curve's size is told.
    pub(super) of_size: Option<String>,
    pub(super) cells: Vec<Cell>,
    pub(super) line: u64,
}

/// Reads stdout.
pub(super) fn read(file: &str, bytes: &[u8], report: &mut Report) -> Tables {
    let tables = Tables {
        file: file.to_owned(),
        version: None,
        build: Build::default(),
        processes: None,
        rows: Vec::new(),
        has_table: false,
        torn: false,
    };
    let mut reader = Reader { report, tables, under: Under::Nothing, in_words: false };
    for line in lines(bytes) {
        if reader.report.is_full() {
            break;
        }
        let Some(text) = reader.report.text(file, &line) else {
            reader.tables.torn |= !line.whole;
            continue;
        };
        if !line.whole {
            reader.tables.torn = true;
            let message = format!("the last line has no end: {}", quoted(text));
            reader.report.find(Finding::incomplete("torn-line", place(file, line.number), message));
        } else if reader.tables.rows.len() >= MOST_ROWS {
            reader.find("too-many-phases", line.number, "more rows than OpenSSL has algorithms");
            break;
        } else if !text.trim().is_empty() {
            reader.line(text, line.number);
        }
    }
    reader.leave_header();
    if reader.in_words && reader.tables.version.is_none() {
        let message = "has no `version:` line: its beginning is missing";
        reader.report.find(Finding::incomplete("no-version", file, message));
    }
    reader.tables
}

struct Reader<'a> {
    report: &'a mut Report,
    tables: Tables,
    under: Under,
    /// Whether there is a table with a header, which `-mr` does not print.
    in_words: bool,
}

/// What a row is under.
#[derive(Clone, Copy)]
enum Under {
    Nothing,
    Header {
        header: Header,
        line: u64,
        rows: bool,
    },
    Symmetric,
    /// A header with a finding.
    Unknown,
}

impl Reader<'_> {
    fn line(&mut self, text: &str, number: u64) {
        if let Some(child) = text.strip_prefix("Forked child ") {
            self.child(child, text, number);
        } else if text.starts_with("Got: +") {
            // What a process of -multi told: its stderr has it, too.
        } else if text.starts_with('+') {
            self.record(text, number);
        } else if self.is_preface(text, number) {
            self.leave_header();
        } else if text.starts_with("The 'numbers' are in ") || text.starts_with("type   ") {
            self.enter(Under::Symmetric);
        } else if let Some(header) = Header::parse(text) {
            self.enter(Under::Header { header, line: number, rows: false });
        } else if text.starts_with("Doing ") || text.starts_with("You have chosen ") {
            let message = "stderr's lines are in stdout: keep the two apart";
            let place = place(&self.tables.file, number);
            self.report.find_once(&self.tables.file, Finding::broken("mixed-streams", place, message));
        } else if row::is_like_header(text) {
            self.enter(Under::Unknown);
            self.unknown("unknown-header", "not a header of openssl speed", text, number);
        } else {
            self.row(text, number);
        }
    }

    fn child(&mut self, child: &str, text: &str, number: u64) {
        let so_far = self.tables.processes.unwrap_or(0);
        if child.parse() == Ok(so_far) {
            self.tables.processes = so_far.checked_add(1);
        } else {
            self.unknown("unknown-line", "not the next process of -multi", text, number);
        }
    }

    fn record(&mut self, text: &str, number: u64) {
        match machine::row(text) {
            Some(machine::Row::Symmetric) => self.tables.has_table = true,
            Some(machine::Row::Rates { kind, algorithm, rates }) => {
                self.tables.has_table = true;
                let cell = |(operation, rate): (_, Figure)| Cell { operation, rate, time: None };
                let cells = rates.into_iter().map(cell).collect();
                // Without a curve's name, the size is all that there is.
                let of_size =
                    algorithm.clone().filter(|_| text.starts_with("+F4:") || text.starts_with("+F5:"));
                let algorithm = if of_size.is_some() { None } else { algorithm };
                self.tables.rows.push(Row { kind, algorithm, of_size, cells, line: number });
            }
            None if text.starts_with("+R") || text.starts_with("+DT") => {
                let message = "stderr's lines are in stdout: keep the two apart";
                let place = place(&self.tables.file, number);
                self.report.find_once(&self.tables.file, Finding::broken("mixed-streams", place, message));
            }
            None => self.unknown("unknown-row", "not a row of openssl speed", text, number),
        }
    }

    /// Takes a line of what precedes the tables.
    fn is_preface(&mut self, text: &str, number: u64) -> bool {
        let Some((key, value)) = text.split_once(':') else { return false };
        let build = &mut self.tables.build;
        let field = match key {
            "version" => &mut self.tables.version,
            "built on" => &mut build.built_on,
            "options" => &mut build.options,
            "compiler" => &mut build.compiler,
            "CPUINFO" => &mut build.cpu_info,
            _ => return false,
        };
        let value = value.trim();
        // The version becomes a column of a CSV.
        let fits =
            key != "version" || (value.len() <= 64 && value.bytes().all(|byte| byte.is_ascii_graphic()));
        if !fits || value.is_empty() {
            self.unknown("unknown-line", "not a line of openssl speed", text, number);
        } else if field.is_some() {
            let message = format!("`{key}:` is there twice: two runs in one file");
            self.find("two-runs", number, &message);
        } else {
            *field = Some(escaped(value, LONGEST_VALUE));
        }
        true
    }

    fn row(&mut self, text: &str, number: u64) {
        match self.under {
            Under::Nothing => {
                let (rule, what) =
                    if row::is_symmetric(text) || text.trim_end().ends_with(|c: char| c.is_ascii_digit()) {
                        ("row-without-header", "a row without a header")
                    } else {
                        ("unknown-line", "not a line of openssl speed")
                    };
                self.unknown(rule, what, text, number);
            }
            Under::Symmetric if row::is_symmetric(text) => {}
            // There is a finding for the header.
            Under::Unknown => {}
            Under::Symmetric => self.unknown("unknown-row", "not a row of ciphers or digests", text, number),
            Under::Header { header, line, .. } => {
                self.under = Under::Header { header, line, rows: true };
                match row::row(header, text) {
                    Some((name, cells)) => self.tables.rows.push(Row {
                        kind: Kind::Of(name.table),
                        algorithm: Some(name.algorithm),
                        of_size: name.of_size,
                        cells,
                        line: number,
                    }),
                    None => self.unknown("unknown-row", "not a row of its table", text, number),
                }
            }
        }
    }

    fn enter(&mut self, under: Under) {
        self.leave_header();
        self.under = under;
        self.tables.has_table = true;
        self.in_words = true;
    }

    fn leave_header(&mut self) {
        if let Under::Header { line, rows: false, .. } = self.under {
            let place = place(&self.tables.file, line);
            let message = "a header without rows";
            self.report.find(Finding::incomplete("header-without-rows", place, message));
        }
        self.under = Under::Nothing;
    }

    fn unknown(&mut self, rule: &'static str, what: &str, text: &str, number: u64) {
        if figure::has_decimal_comma(text) {
            let message = format!("a decimal comma: run openssl with LC_ALL=C: {}", quoted(text));
            let place = place(&self.tables.file, number);
            self.report.find_once(&self.tables.file, Finding::broken("decimal-comma", place, message));
        } else {
            self.find(rule, number, &format!("{what}: {}", quoted(text)));
        }
    }

    fn find(&mut self, rule: &'static str, number: u64, message: &str) {
        self.report.find(Finding::broken(rule, place(&self.tables.file, number), message));
    }
}
