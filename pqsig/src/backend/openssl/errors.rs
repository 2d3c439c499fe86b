//! What OpenSSL's error stack says, and what it means.

use std::collections::HashSet;
use std::ffi::c_int;
use std::fmt;

use crate::Error;

/// ERR_LIB_EVP and EVP_R_PROVIDER_SIGNATURE_FAILURE: what EVP_PKEY_sign(3) and EVP_PKEY_verify(3) add on top when
/// the provider's function did not return 1.
const EVP: c_int = 6;
const PROVIDER_SIGNATURE_FAILURE: c_int = 234;

/// ERR_RFLAG_FATAL: marks the reasons that say the process or the library is in trouble, such as want of memory.
const FATAL: c_int = 1 << 18;

/// ERR_RFLAG_COMMON: marks the reasons that all parts share. Those below 256 only point to the part that said more.
const COMMON: c_int = 2 << 18;
const FLAGS: c_int = 0x1f << 18;

/// ERR_LIB_DSO: the loader of modules.
const MODULE_LOADER: c_int = 37;

/// ERR_LIB_PROV: OpenSSL's providers. PROV_R_INVALID_KEY: what they say of a key whose parts disagree.
/// PROV_R_BAD_LENGTH: what OpenSSL 4.0 says of an ML-DSA signature of a wrong length.
const PROVIDER: c_int = 57;
const INVALID_KEY: c_int = 158;
const BAD_LENGTH: c_int = 142;

/// One error of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// OpenSSL's number of the part that reports it.
    pub(super) library: c_int,
    /// That part's number of the reason, with its flags.
    pub(super) code: c_int,
    /// The reason in OpenSSL's words.
    pub(super) reason: String,
    /// What OpenSSL adds to the reason: names of files, lengths. Never secrets.
    pub(super) data: Option<String>,
}

impl Entry {
    fn is(&self, library: c_int, code: c_int) -> bool {
        self.library == library && self.code == code
    }

    fn is_signature_failure(&self) -> bool {
        self.is(EVP, PROVIDER_SIGNATURE_FAILURE)
    }

    /// Whether the cause stands elsewhere on the stack.
    fn points_elsewhere(&self) -> bool {
        self.is_signature_failure() || (self.code & COMMON != 0 && self.code & !FLAGS < 256)
    }
}

/// What stood on the error stack after a call, the oldest first. `Display` gives OpenSSL's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Errors(Vec<Entry>);

impl Errors {
    pub(super) fn new(entries: Vec<Entry>) -> Self {
        Errors(entries)
    }

    /// Whether they say no more than OpenSSL says of a bad signature: that the provider's function did not return 1,
    /// and that the length is wrong if it is.
    pub(super) fn fit_a_rejection(&self, wrong_length: bool) -> bool {
        self.0
            .iter()
            .all(|entry| entry.is_signature_failure() || (wrong_length && entry.is(PROVIDER, BAD_LENGTH)))
    }

    /// Whether they say that the key contradicts itself. An ML-DSA key with a coefficient of s1 or s2 out of range
    /// is refused without a word (`ossl_ml_dsa_sk_decode`).
    pub(super) fn blame_the_key(&self) -> bool {
        let said = self.0.iter().any(|entry| entry.is(PROVIDER, INVALID_KEY));
        (said || self.0.is_empty()) && !self.0.iter().any(|entry| entry.code & FATAL != 0)
    }

    /// The error of a call that failed.
    pub(super) fn failed(&self, backend: &str, operation: &'static str) -> Error {
        Error::Backend { backend: backend.to_owned(), operation, reason: self.to_string() }
    }

    /// Whether a module could not be loaded, as against loaded and not started.
    pub(super) fn lack_a_module(&self) -> bool {
        self.0.iter().any(|entry| entry.library == MODULE_LOADER)
    }

    /// True if OpenSSL said nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("OpenSSL gives no reason");
        }
        let causes: Vec<_> = self.0.iter().filter(|entry| !entry.points_elsewhere()).collect();
        let mut shown = if causes.is_empty() { self.0.iter().collect() } else { causes };
        // What is reported on each level of a call stack is said once: the lowest level has the details.
        let mut said = HashSet::new();
        shown.retain(|entry| said.insert(&entry.reason) || entry.data.is_some());
        for (index, entry) in shown.iter().enumerate() {
            if index > 0 {
                f.write_str("; ")?;
            }
            f.write_str(&entry.reason)?;
            if let Some(data) = &entry.data {
                write!(f, " ({data})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(library: c_int, code: c_int, reason: &str, data: Option<&str>) -> Entry {
        Entry { library, code, reason: reason.to_owned(), data: data.map(str::to_owned) }
    }

    fn signature_failure() -> Entry {
        entry(EVP, PROVIDER_SIGNATURE_FAILURE, "provider signature failure", Some("ML-DSA-65 verify:"))
    }

    #[test]
    fn a_cause_is_told_from_the_verdict() {
        assert!(Errors::default().fit_a_rejection(false));
        assert!(Errors::new(vec![signature_failure()]).fit_a_rejection(false));
        let bad_length =
            Errors::new(vec![entry(PROVIDER, BAD_LENGTH, "bad length", None), signature_failure()]);
        assert!(bad_length.fit_a_rejection(true) && !bad_length.fit_a_rejection(false));
        let malloc = entry(15, 256 | FATAL | COMMON, "malloc failure", None);
        let errors = Errors::new(vec![malloc, signature_failure()]);
        assert!(!errors.fit_a_rejection(false) && !errors.fit_a_rejection(true));
        assert_eq!(errors.to_string(), "malloc failure");
    }

    #[test]
    fn what_points_elsewhere_or_repeats_is_left_out() {
        let missing = entry(MODULE_LOADER, 103, "could not load the shared library", Some("no such file"));
        let again = entry(MODULE_LOADER, 103, "could not load the shared library", None);
        let pointer = entry(15, MODULE_LOADER | COMMON, "error 07880025", Some("name=fips"));
        let errors = Errors::new(vec![missing, again, pointer.clone()]);
        assert_eq!(errors.to_string(), "could not load the shared library (no such file)");
        assert!(errors.lack_a_module());
        let alone = Errors::new(vec![pointer]);
        assert_eq!(alone.to_string(), "error 07880025 (name=fips)");
        assert!(!alone.lack_a_module());
    }

    #[test]
    fn only_what_speaks_of_the_key_blames_the_key() {
        let invalid = entry(PROVIDER, INVALID_KEY, "invalid key", Some("does not match its pubkey part"));
        let malloc = entry(15, 256 | FATAL | COMMON, "malloc failure", None);
        assert!(Errors::default().blame_the_key());
        assert!(Errors::new(vec![invalid.clone()]).blame_the_key());
        assert!(!Errors::new(vec![malloc.clone()]).blame_the_key());
        assert!(!Errors::new(vec![malloc, invalid.clone()]).blame_the_key());
        assert!(!Errors::new(vec![entry(EVP, 1, "unsupported", None)]).blame_the_key());
        assert_eq!(
            Errors::new(vec![invalid, signature_failure()]).to_string(),
            "invalid key (does not match its pubkey part)"
        );
    }
}
