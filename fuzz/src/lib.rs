//! What the targets share.
//!
//! The parser's own files are compiled here. As a dependency, pqsig-audit would bring polars along, which takes half an
//! hour with a sanitizer; the parser needs nothing of it but findings.

#[path = "../../audit/src/finding.rs"]
pub mod finding;
#[path = "../../audit/src/openssl_speed/mod.rs"]
pub mod openssl_speed;

pub use finding::{Finding, Severity};

/// Stands between stdout and stderr in an input: a line with the record separator of ASCII, which is in no log.
pub const BETWEEN: &[u8] = b"\x1e\n";

/// Splits an input into stdout and stderr. Without a separator it is stderr alone.
pub fn streams(input: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match input.windows(BETWEEN.len()).position(|window| window == BETWEEN) {
        Some(at) => (Some(&input[..at]), &input[at + BETWEEN.len()..]),
        None => (None, input),
    }
}
