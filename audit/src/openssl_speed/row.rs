//! The headers and rows of stdout's tables.

use super::figure::Figure;
use super::name::{self, Operation, Table};

/// A header, by its columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// RSA with encryption.
    SignVerifyEncryptDecrypt,
    /// RSA without, DSA, ECDSA, EdDSA, SM2.
    SignVerify,
    /// ECDH, FFDH.
    Derive,
    Kem,
    Signature,
}

impl Header {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().take(9).collect();
        Some(match *words {
            ["sign", "verify", "encrypt", "decrypt", "sign/s", "verify/s", "encr./s", "decr./s"] => {
                Header::SignVerifyEncryptDecrypt
            }
            ["sign", "verify", "sign/s", "verify/s"] => Header::SignVerify,
            ["op", "op/s"] => Header::Derive,
            ["keygen", "encaps", "decaps", "keygens/s", "encaps/s", "decaps/s"] => Header::Kem,
            ["keygen", "signs", "verify", "keygens/s", "sign/s", "verify/s"] => Header::Signature,
            _ => return None,
        })
    }

    fn operations(self) -> &'static [Operation] {
        use Operation::{Decrypt, Derive, Encrypt, Sign, Verify};
        match self {
            Header::SignVerifyEncryptDecrypt => &[Sign, Verify, Encrypt, Decrypt],
            Header::SignVerify => &[Sign, Verify],
            Header::Derive => &[Derive],
            Header::Kem => Table::Kem.operations(),
            Header::Signature => Table::Signature.operations(),
        }
    }

    /// Whose row it is, from the words that precede the numbers.
    fn subject(self, words: &[&str]) -> Option<Name> {
        let rsa = matches!(self, Header::SignVerify | Header::SignVerifyEncryptDecrypt);
        let known = |table, algorithm| Some(Name { table, algorithm, of_size: None });
        match (self, words) {
            (Header::Kem, [algorithm]) => known(Table::Kem, name::name(algorithm)?),
            (Header::Signature, [algorithm]) => known(Table::Signature, name::name(algorithm)?),
            (_, ["rsa", bits, "bits"]) if rsa => known(Table::Rsa, name::rsa(name::size(bits)?)),
            (Header::SignVerify, ["dsa", bits, "bits"]) => known(Table::Dsa, name::dsa(name::size(bits)?)),
            (Header::SignVerify, [bits, "bits", "ecdsa" | "EdDSA" | "SM2" | "EC", curve]) => Some(Name {
                table: Table::Ecdsa,
                algorithm: name::signing_curve(bracketed(curve)?)?,
                of_size: Some(name::signing_size(name::size(bits)?)),
            }),
            (Header::Derive, [bits, "bits", "ecdh", curve]) => Some(Name {
                table: Table::Ecdh,
                algorithm: name::agreeing_curve(bracketed(curve)?)?,
                of_size: Some(name::agreeing_size(name::size(bits)?)),
            }),
            (Header::Derive, [bits, "bits", "ffdh"]) => known(Table::Ffdh, name::ffdh(name::size(bits)?)),
            _ => None,
        }
    }
}

fn bracketed(word: &str) -> Option<&str> {
    word.strip_prefix('(')?.strip_suffix(')')
}

/// Whose row it is.
#[derive(Debug, PartialEq)]
pub(super) struct Name {
    pub(super) table: Table,
    pub(super) algorithm: String,
    /// What the algorithm is called where only its curve's size is told.
    pub(super) of_size: Option<String>,
}

/// What a row says of one operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub(super) operation: Operation,
    pub(super) rate: Figure,
    /// `-mr` has none.
    pub(super) time: Option<Figure>,
}

/// Reads a row under a header: a name, the times, the rates.
pub(super) fn row(header: Header, text: &str) -> Option<(Name, Vec<Cell>)> {
    let operations = header.operations();
    let words: Vec<&str> = text.split_whitespace().take(16).collect();
    let (name, figures) = words.split_at_checked(words.len().checked_sub(2 * operations.len())?)?;
    let (times, rates) = figures.split_at_checked(operations.len())?;
    let cell = |((&operation, time), rate): ((&Operation, &&str), &&str)| {
        Some(Cell { operation, rate: Figure::rate(rate)?, time: Some(Figure::time(time)?) })
    };
    let cells: Option<Vec<Cell>> = operations.iter().zip(times).zip(rates).map(cell).collect();
    Some((header.subject(name)?, cells?))
}

/// Whether a line is a row of ciphers or digests: a name, and numbers that may be in thousands.
pub(super) fn is_symmetric(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let named = words.next().is_some_and(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let number = |word: &str| Figure::rate(word.strip_suffix('k').unwrap_or(word)).is_some();
    named && words.next_back().is_some_and(number)
}

/// Whether a line means to be a header.
pub(super) fn is_like_header(text: &str) -> bool {
    text.split_whitespace().any(|word| word.ends_with("/s"))
}
