//! The first place where a CSV file differs from what it ought to be.

use std::fmt;

/// Where and how two files differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line, from 1; the header is line 1.
    pub line: u64,
    /// The row's key columns, as far as the row has them: `source=pqsig-speed trial=1 ...`.
    pub row: String,
    /// The column's name, or what else differs.
    pub column: String,
    /// What is in the file.
    pub found: String,
    /// What ought to be there.
    pub expected: String,
}

/// `line 14 (pqsig-speed 1 ML-DSA-65 openssl sign), ms_per_op: 1.661, recomputed 1.662`
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if !self.row.is_empty() {
            write!(f, " ({})", self.row)?;
        }
        write!(f, ", {}: `{}`, recomputed `{}`", self.column, self.found, self.expected)
    }
}

/// The columns that say which row it is; the others hold figures.
const KEYS: [&str; 5] = ["source", "trial", "algorithm", "backend", "operation"];

/// The first difference between a file and what was recomputed; `None` if they are the same in every byte.
#[must_use]
pub fn first(found: &[u8], expected: &[u8]) -> Option<Difference> {
    if found == expected {
        return None;
    }
    let found_rows = lines(found);
    let expected_rows = lines(expected);
    let columns = expected_rows.first().map_or_else(Vec::new, |header| cells(header));
    for at in 0..found_rows.len().max(expected_rows.len()) {
        let (found, expected) = (found_rows.get(at), expected_rows.get(at));
        if found == expected {
            continue;
        }
        let line = at as u64 + 1;
        return Some(match (found, expected) {
            (Some(found), Some(expected)) => differing_row(line, &columns, found, expected),
            (Some(found), None) => whole_row(line, &columns, found, "a row that is not recomputed", true),
            (_, expected) => {
                whole_row(line, &columns, expected.map_or(&[][..], |row| row), "a row is missing", false)
            }
        });
    }
    // The same lines: only their ends differ.
    let ends = |bytes: &[u8]| if bytes.contains(&b'\r') { "CRLF" } else { "LF" }.to_owned();
    Some(Difference {
        line: found_rows.len() as u64,
        row: String::new(),
        column: "line ends".to_owned(),
        found: ends(found),
        expected: ends(expected),
    })
}

fn differing_row(line: u64, columns: &[String], found: &[u8], expected: &[u8]) -> Difference {
    let (found, expected) = (cells(found), cells(expected));
    let row = key(columns, &expected);
    let at = (0..found.len().max(expected.len())).find(|at| found.get(*at) != expected.get(*at));
    let at = at.unwrap_or(0);
    Difference {
        line,
        row: if line == 1 { String::new() } else { row },
        column: columns.get(at).cloned().unwrap_or_else(|| format!("column {}", at + 1)),
        found: found.get(at).cloned().unwrap_or_default(),
        expected: expected.get(at).cloned().unwrap_or_default(),
    }
}

fn whole_row(line: u64, columns: &[String], row: &[u8], what: &str, is_found: bool) -> Difference {
    let text = String::from_utf8_lossy(row).into_owned();
    let (found, expected) = if is_found { (text, String::new()) } else { (String::new(), text) };
    Difference { line, row: key(columns, &cells(row)), column: what.to_owned(), found, expected }
}

fn key(columns: &[String], cells: &[String]) -> String {
    let named = columns.iter().zip(cells).filter(|(column, _)| KEYS.contains(&column.as_str()));
    named.map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(" ")
}

/// Lines without their ends, whichever they are.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).collect()
}

fn cells(line: &[u8]) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(line);
    let record = reader.byte_records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "source,trial,algorithm,backend,operation,ms_per_op\n\
                        pqsig-speed,1,ML-DSA-65,openssl,sign,1.661\n\
                        pqsig-speed,2,ML-DSA-65,openssl,sign,1.662\n";

    fn against(found: &str) -> String {
        first(found.as_bytes(), FILE.as_bytes()).map_or_else(String::new, |difference| difference.to_string())
    }

    #[test]
    fn the_first_differing_row_and_column_are_named() {
        assert_eq!(against(FILE), "");
        assert_eq!(
            against(&FILE.replace("1.662", "1.602")),
            "line 3 (pqsig-speed 2 ML-DSA-65 openssl sign), ms_per_op: `1.602`, recomputed `1.662`"
        );
        assert_eq!(
            against(&FILE.replace("speed,2", "speed,3")),
            "line 3 (pqsig-speed 2 ML-DSA-65 openssl sign), trial: `3`, recomputed `2`"
        );
        assert_eq!(
            against(&FILE.replace("ms_per_op", "ms")),
            "line 1, ms_per_op: `ms`, recomputed `ms_per_op`"
        );
    }

    #[test]
    fn rows_too_many_or_too_few_are_named() {
        let cut = FILE.rsplit_once("pqsig").unwrap().0;
        assert_eq!(
            against(cut),
            "line 3 (pqsig-speed 2 ML-DSA-65 openssl sign), a row is missing: ``, recomputed \
             `pqsig-speed,2,ML-DSA-65,openssl,sign,1.662`"
        );
        let longer = against(&format!("{FILE}pqsig-speed,3,ML-DSA-65,openssl,sign,1.6\n"));
        assert!(longer.starts_with("line 4 (pqsig-speed 3"), "{longer}");
        assert!(longer.contains("a row that is not recomputed"), "{longer}");
        assert!(against("").contains("line 1, source"), "{}", against(""));
    }

    #[test]
    fn a_cell_too_many_is_named() {
        let found = FILE.replace("1.661", "1.661,7");
        assert!(against(&found).ends_with("column 7: `7`, recomputed ``"), "{}", against(&found));
    }

    #[test]
    fn line_ends_that_differ_are_a_difference() {
        assert_eq!(against(&FILE.replace('\n', "\r\n")), "line 3, line ends: `CRLF`, recomputed `LF`");
        assert!(!against(FILE.trim_end()).is_empty());
    }
}
