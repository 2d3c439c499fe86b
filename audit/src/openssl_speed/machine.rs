//! The records of `-mr`: fields between colons, after what kind of record it is.

use super::figure::{self, Figure};
use super::name::{self, Operation, Subject, Table};

/// A record of stderr.
pub(super) enum Record {
    /// A phase begins.
    Begun(Subject),
    /// A phase has ended.
    Ended { subject: Subject, count: i64, hundredths: i64 },
    /// Of a cipher or a digest.
    Symmetric,
}

/// Reads a record of stderr.
pub(super) fn record(text: &str) -> Option<Record> {
    let (kind, fields) = text.strip_prefix('+')?.split_once(':')?;
    match kind {
        "DT" | "R" => Some(Record::Symmetric),
        "DTP" => begun(fields).map(Record::Begun),
        _ => ended(kind.strip_prefix('R')?, fields),
    }
}

/// `2048:private:rsa sign:10`, `253::ecdh:10`, `ML-DSA-65:signs:10`
fn begun(fields: &str) -> Option<Subject> {
    let fields: Vec<&str> = fields.splitn(5, ':').collect();
    let (subject, seconds) = match *fields {
        [bits, first, second, seconds] => {
            let words: Vec<&str> = first.split_whitespace().chain(second.split_whitespace()).collect();
            (Subject::begun(bits, &words)?, seconds)
        }
        [algorithm, operation, seconds] => (Subject::begun_by_name(algorithm, operation)?, seconds),
        _ => return None,
    };
    figure::count(seconds)?;
    Some(subject)
}

/// `18`, `2850:ML-DSA-65:1.00`. The numbers of 3.x up to 9 and from 14 are 4.0's, too.
fn ended(number: &str, fields: &str) -> Option<Record> {
    let (count, fields) = fields.split_once(':')?;
    let (what, seconds) = fields.rsplit_once(':')?;
    let bits = || name::size(what);
    // 4.0 has the curve's name where 3.x has its size.
    let signing = |operation| match bits() {
        Some(_) => Subject::ecdsa_of_size(what, operation),
        None => Subject::signing(what, operation),
    };
    let named = |operation| {
        let (bits, curve) = what.split_once(':')?;
        name::size(bits)?;
        Subject::signing(curve, operation)
    };
    let subject = match number {
        "1" => Subject::rsa(bits()?, "sign"),
        "2" => Subject::rsa(bits()?, "verify"),
        "3" => Subject::rsa(bits()?, "encrypt"),
        "4" => Subject::rsa(bits()?, "decrypt"),
        "5" => Subject::dsa(bits()?, "sign"),
        "6" => Subject::dsa(bits()?, "verify"),
        "7" => signing("sign"),
        "8" => signing("verify"),
        "9" => match bits() {
            Some(bits) => Some(Subject::agreeing_size(bits)),
            None => Subject::agreeing(what),
        },
        "10" | "12" => named("sign"),
        "11" | "13" => named("verify"),
        "14" => Some(Subject::ffdh(bits()?)),
        "15" => Subject::kem(what, Operation::Keygen),
        "16" => Subject::kem(what, Operation::Encaps),
        "17" => Subject::kem(what, Operation::Decaps),
        "18" => Subject::signature(what, Operation::Keygen),
        "19" => Subject::signature(what, Operation::Sign),
        "20" => Subject::signature(what, Operation::Verify),
        _ => None,
    }?;
    Some(Record::Ended { subject, count: figure::count(count)?, hundredths: figure::hundredths(seconds)? })
}

/// A record of stdout: a row of some table.
pub(super) enum Row {
    /// Of a cipher or a digest.
    Symmetric,
    /// Of one of the others.
    Rates {
        kind: Kind,
        /// The algorithm, or the most that is told of it.
        algorithm: Option<String>,
        rates: Vec<(Operation, Figure)>,
    },
}

/// Which table a row is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Of(Table),
    /// 3.x's KEMs and 4.0's signatures have the same records.
    KemOrSignature,
}

/// Reads a record of stdout. Only rates are taken: the times of 3.x and 4.0 are their inverses.
pub(super) fn row(text: &str) -> Option<Row> {
    use Operation::{Decrypt, Derive, Encrypt, Sign, Verify};
    if text.starts_with("+H:") || text.starts_with("+F:") {
        return Some(Row::Symmetric);
    }
    let (number, fields) = text.strip_prefix("+F")?.split_once(':')?;
    let fields: Vec<&str> = fields.splitn(8, ':').collect();
    let (index, fields) = fields.split_first()?;
    figure::count(index)?;
    let curves = [Sign, Verify];
    let (table, algorithm, operations, rates) = match (number, fields) {
        ("2", [bits, rates @ ..]) => {
            // Versions without encryption have two.
            let operations = [Sign, Verify, Encrypt, Decrypt];
            let operations = operations.get(..rates.len()).filter(|some| some.len() % 2 == 0)?;
            (Table::Rsa, name::rsa(name::size(bits)?), operations.to_vec(), rates)
        }
        ("3", [bits, rates @ ..]) => (Table::Dsa, name::dsa(name::size(bits)?), curves.to_vec(), rates),
        ("4", [bits, rates @ ..]) => {
            (Table::Ecdsa, name::signing_size(name::size(bits)?), curves.to_vec(), rates)
        }
        ("6" | "7", [bits, curve, rates @ ..]) if name::name(curve).is_some() => {
            name::size(bits)?;
            (Table::Ecdsa, name::signing_curve(curve)?, curves.to_vec(), rates)
        }
        // What follows the rate is its inverse.
        ("5", [bits, rates @ .., _]) => {
            (Table::Ecdh, name::agreeing_size(name::size(bits)?), vec![Derive], rates)
        }
        ("7" | "8", [bits, rates @ .., _]) if name::size(bits).is_some() => {
            (Table::Ffdh, name::ffdh(name::size(bits)?), vec![Derive], rates)
        }
        _ => return unnamed(number, fields),
    };
    Some(Row::Rates { kind: Kind::Of(table), algorithm: Some(algorithm), rates: figures(operations, rates)? })
}

/// A row that has a number only.
fn unnamed(number: &str, rates: &[&str]) -> Option<Row> {
    let (kind, operations) = match number {
        "8" => (Kind::Of(Table::Kem), Table::Kem.operations()),
        "10" => (Kind::Of(Table::Signature), Table::Signature.operations()),
        // The operations are to be replaced if it is a KEM's.
        "9" => (Kind::KemOrSignature, Table::Signature.operations()),
        _ => return None,
    };
    Some(Row::Rates { kind, algorithm: None, rates: figures(operations.to_vec(), rates)? })
}

fn figures(operations: Vec<Operation>, rates: &[&str]) -> Option<Vec<(Operation, Figure)>> {
    if operations.len() != rates.len() {
        return None;
    }
    operations
        .into_iter()
        .zip(rates)
        .map(|(operation, rate)| Some((operation, Figure::rate(rate)?)))
        .collect()
}
