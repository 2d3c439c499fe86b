//! What the Tab key offers.

use std::sync::LazyLock;

use nu_protocol::Completion;
use pqsig::{Algorithm, Family, HashAlgorithm, PrivateKeyForm};

/// The algorithms' names.
pub(crate) fn algorithms() -> Completion {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| Algorithm::all().map(Algorithm::name).collect());
    Completion::new_list(&NAMES)
}

/// The algorithms' names, their families' and `all`.
pub(crate) fn algorithms_and_families() -> Completion {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let families = Family::ALL.into_iter().filter(|family| *family != Family::Ed25519);
        ["all"]
            .into_iter()
            .chain(families.map(Family::name))
            .chain(["SLH-DSA-SHA2", "SLH-DSA-SHAKE"])
            .chain(Algorithm::all().map(Algorithm::name))
            .collect()
    });
    Completion::new_list(&NAMES)
}

/// The backends' names.
pub(crate) fn backends() -> Completion {
    Completion::new_list(&pqsig::backend::NAMES)
}

/// The approved pre-hash functions.
pub(crate) fn hashes() -> Completion {
    static NAMES: LazyLock<Vec<&str>> =
        LazyLock::new(|| HashAlgorithm::ALL.into_iter().map(HashAlgorithm::name).collect());
    Completion::new_list(&NAMES)
}

/// What `pqsig speed` times.
pub(crate) fn operations() -> Completion {
    static NAMES: LazyLock<Vec<&str>> =
        LazyLock::new(|| pqsig_speed::Operation::ALL.into_iter().map(pqsig_speed::Operation::name).collect());
    Completion::new_list(&NAMES)
}

/// The forms of a private key.
pub(crate) fn forms() -> Completion {
    static NAMES: LazyLock<Vec<&str>> =
        LazyLock::new(|| PrivateKeyForm::ALL.into_iter().map(PrivateKeyForm::name).collect());
    Completion::new_list(&NAMES)
}
