//! What AWS-LC's error queue says, and what it means.

use std::ffi::c_int;
use std::fmt;

use super::NAME;
use crate::Error;

/// ERR_LIB_EVP, and of its reasons EVP_R_INVALID_SIGNATURE and EVP_R_DECODE_ERROR (err.h, evp_errors.h). aws-lc-sys
/// declares the reasons for some targets only.
const EVP: c_int = 6;
const INVALID_SIGNATURE: c_int = 131;
const DECODE_ERROR: c_int = 102;

/// One error of the queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// AWS-LC's number of the part that reports it.
    pub(super) library: c_int,
    /// That part's number of the reason.
    pub(super) code: c_int,
    /// The reason in AWS-LC's words.
    pub(super) reason: String,
}

impl Entry {
    fn is_evp(&self, code: c_int) -> bool {
        self.library == EVP && self.code == code
    }
}

/// What stood in this thread's error queue after a call, the oldest first. `Display` gives AWS-LC's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors(Vec<Entry>);

impl Errors {
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        Errors(entries)
    }

    /// What is said of a call that succeeded, and yet gave `actual` bytes.
    pub(super) fn wrong_length(actual: usize, expected: usize) -> Self {
        let reason = format!("it gave {actual} bytes instead of {expected}");
        Errors(vec![Entry { library: 0, code: 0, reason }])
    }

    /// Whether they are what the EVP functions say of a bad signature, one of a wrong length too: "invalid
    /// signature", and nothing else (`pkey_pqdsa_verify_generic`). Whatever else makes them return 0 says something
    /// else, or nothing at all.
    pub(super) fn are_a_rejection(&self) -> bool {
        matches!(self.0.as_slice(), [entry] if entry.is_evp(INVALID_SIGNATURE))
    }

    /// Whether they say that an expanded ML-DSA key contradicts itself (`PQDSA_KEY_set_raw_private_key`).
    pub(super) fn blame_the_key(&self) -> bool {
        matches!(self.0.as_slice(), [entry] if entry.is_evp(DECODE_ERROR))
    }

    /// True if AWS-LC said nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The error of a call that failed.
    pub(super) fn failed(&self, operation: &'static str) -> Error {
        Error::Backend { backend: NAME.to_owned(), operation, reason: self.to_string() }
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("AWS-LC gives no reason");
        }
        for (index, entry) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            f.write_str(&entry.reason)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(library: c_int, code: c_int, reason: &str) -> Entry {
        Entry { library, code, reason: reason.to_owned() }
    }

    #[test]
    fn only_an_invalid_signature_alone_is_a_rejection() {
        let invalid = entry(EVP, INVALID_SIGNATURE, "INVALID_SIGNATURE");
        let malloc = entry(14, 65, "malloc failure");
        assert!(Errors::new(vec![invalid.clone()]).are_a_rejection());
        assert!(!Errors::default().are_a_rejection());
        assert!(!Errors::new(vec![malloc.clone()]).are_a_rejection());
        assert!(!Errors::new(vec![malloc.clone(), invalid.clone()]).are_a_rejection());
        // The same number means something else in another part.
        assert!(!Errors::new(vec![entry(14, INVALID_SIGNATURE, "")]).are_a_rejection());
        assert!(!Errors::new(vec![invalid.clone()]).blame_the_key());
        assert_eq!(Errors::new(vec![malloc, invalid]).to_string(), "malloc failure; INVALID_SIGNATURE");
        assert_eq!(Errors::default().to_string(), "AWS-LC gives no reason");
    }
}
