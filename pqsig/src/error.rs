//! One error type: what was wrong, and what would be right.

use crate::key::PrivateKeyForm;
use crate::{Algorithm, Feature, HashAlgorithm};

/// Why the core refused or failed. `Display` says what was wrong in one line; [`Error::remedy`] says what would
/// be right; [`Error::code`] names the kind for programs. No variant carries secret bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("unknown algorithm `{given}`")]
    UnknownAlgorithm { given: String, near: Vec<&'static str> },

    #[error("unknown hash `{given}`")]
    UnknownHash { given: String, near: Vec<&'static str> },

    #[error("unknown backend `{given}`")]
    UnknownBackend { given: String, known: Vec<&'static str> },

    #[error("backend `{backend}` is not available: {reason}")]
    BackendUnavailable { backend: String, reason: String },

    #[error("a context has at most 255 bytes, this one has {actual}")]
    ContextTooLong { actual: usize },

    #[error("pure Ed25519 has no context")]
    ContextOnPureEd25519,

    #[error("{algorithm} has no external mu: only ML-DSA has one")]
    NoExternalMu { algorithm: Algorithm },

    #[error("{algorithm} has no internal interface: only ML-DSA and SLH-DSA have one")]
    NoInternalInterface { algorithm: Algorithm },

    #[error("mu has 64 bytes, this one has {actual}")]
    MuLength { actual: usize },

    #[error("a {hash} digest has {} bytes, this one has {actual}", hash.digest_length())]
    DigestLength { hash: HashAlgorithm, actual: usize },

    #[error(
        "{hash} is too weak for {algorithm}: it resists collisions with {} bits, {} are needed",
        hash.collision_strength(),
        algorithm.parameters().strength
    )]
    HashTooWeak { algorithm: Algorithm, hash: HashAlgorithm, allowed: Vec<&'static str> },

    #[error("Ed25519ph is defined with SHA-512 only, not with {hash}")]
    HashNotDefined { hash: HashAlgorithm },

    #[error("the seed of {algorithm} has {} bytes, this one has {actual}", algorithm.parameters().seed)]
    SeedLength { algorithm: Algorithm, actual: usize },

    #[error(
        "the given randomness for {algorithm} has {} bytes, this one has {actual}",
        algorithm.parameters().randomness
    )]
    RandomnessLength { algorithm: Algorithm, actual: usize },

    #[error("backend `{backend}` does not support {feature} for {algorithm}")]
    Unsupported { backend: String, algorithm: Algorithm, feature: Feature, alternatives: Vec<String> },

    #[error("a {what} of {algorithm} has {expected} bytes, this one has {actual}")]
    KeyLength { algorithm: Algorithm, what: &'static str, expected: usize, actual: usize },

    #[error("the {what} is malformed: {reason}")]
    Malformed { what: &'static str, reason: String },

    #[error("the OID {oid} names no algorithm that pqsig knows")]
    UnknownOid { oid: String },

    #[error("the AlgorithmIdentifier of this {algorithm} key carries parameters, which must be absent")]
    ParametersPresent { algorithm: Algorithm },

    #[error("the {algorithm} private key contradicts itself: {reason}")]
    KeyInconsistent { algorithm: Algorithm, reason: String },

    #[error("the {algorithm} public key is invalid: {reason}")]
    PublicKeyInvalid { algorithm: Algorithm, reason: String },

    #[error("this {algorithm} key can't be written in the form `{form}`: {reason}")]
    FormUnavailable { algorithm: Algorithm, form: PrivateKeyForm, reason: &'static str },

    #[error("a {wanted} is needed, this is a {found}")]
    WrongKind { wanted: &'static str, found: &'static str },

    #[error("the key is for {actual}, not for {expected}")]
    AlgorithmMismatch { expected: Algorithm, actual: Algorithm },

    #[error("the private key is encrypted and no passphrase was given")]
    PassphraseMissing,

    #[error("the passphrase does not open this private key")]
    PassphraseWrong,

    #[error("can't read the passphrase: {reason}")]
    PassphraseUnavailable { reason: String },

    #[error("the encrypted private key can't be opened: {reason}")]
    EncryptionUnsupported { reason: String },

    #[error("{backend} failed to {operation}: {reason}")]
    Backend { backend: String, operation: &'static str, reason: String },

    #[error("the system gave no random bytes: {0}")]
    Random(#[from] getrandom::Error),
}

impl Error {
    /// A stable name for the kind of error, such as `pqsig::context_too_long`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnknownAlgorithm { .. } => "pqsig::unknown_algorithm",
            Error::UnknownHash { .. } => "pqsig::unknown_hash",
            Error::UnknownBackend { .. } => "pqsig::unknown_backend",
            Error::BackendUnavailable { .. } => "pqsig::backend_unavailable",
            Error::ContextTooLong { .. } => "pqsig::context_too_long",
            Error::ContextOnPureEd25519 => "pqsig::context_on_pure_ed25519",
            Error::NoExternalMu { .. } => "pqsig::no_external_mu",
            Error::NoInternalInterface { .. } => "pqsig::no_internal_interface",
            Error::MuLength { .. } => "pqsig::mu_length",
            Error::DigestLength { .. } => "pqsig::digest_length",
            Error::HashTooWeak { .. } => "pqsig::hash_too_weak",
            Error::HashNotDefined { .. } => "pqsig::hash_not_defined",
            Error::SeedLength { .. } => "pqsig::seed_length",
            Error::RandomnessLength { .. } => "pqsig::randomness_length",
            Error::Unsupported { .. } => "pqsig::unsupported",
            Error::KeyLength { .. } => "pqsig::key_length",
            Error::Malformed { .. } => "pqsig::malformed",
            Error::UnknownOid { .. } => "pqsig::unknown_oid",
            Error::ParametersPresent { .. } => "pqsig::parameters_present",
            Error::KeyInconsistent { .. } => "pqsig::key_inconsistent",
            Error::PublicKeyInvalid { .. } => "pqsig::public_key_invalid",
            Error::FormUnavailable { .. } => "pqsig::form_unavailable",
            Error::WrongKind { .. } => "pqsig::wrong_kind",
            Error::AlgorithmMismatch { .. } => "pqsig::algorithm_mismatch",
            Error::PassphraseMissing => "pqsig::passphrase_missing",
            Error::PassphraseWrong => "pqsig::passphrase_wrong",
            Error::PassphraseUnavailable { .. } => "pqsig::passphrase_unavailable",
            Error::EncryptionUnsupported { .. } => "pqsig::encryption_unsupported",
            Error::Backend { .. } => "pqsig::backend_failed",
            Error::Random(_) => "pqsig::random",
        }
    }

    /// What would be right, in one sentence, where there is something to say.
    #[must_use]
    pub fn remedy(&self) -> Option<String> {
        Some(match self {
            Error::UnknownAlgorithm { near, .. } => {
                did_you_mean(near, "`pqsig algorithms` lists the algorithms")
            }
            Error::UnknownHash { near, .. } => did_you_mean(
                near,
                "the approved hashes are SHA-224 to SHA-512/256, SHA3-224 to SHA3-512, SHAKE128 and SHAKE256",
            ),
            Error::UnknownBackend { known, .. } => format!(
                "the backends are {}; `openssl:NAME` pins an OpenSSL provider, `openssl:NAME@FOLDER` says where it is",
                known.join(", ")
            ),
            Error::ContextOnPureEd25519 => {
                "RFC 8032 gives a context to Ed25519ph only: leave the context out, \
                 or pre-hash with SHA-512"
                    .to_owned()
            }
            Error::HashTooWeak { allowed, .. } => format!("allowed here: {}", allowed.join(", ")),
            Error::HashNotDefined { .. } => "use SHA-512".to_owned(),
            Error::Unsupported { alternatives, .. } if alternatives.is_empty() => {
                "no backend of this build supports it".to_owned()
            }
            Error::Unsupported { alternatives, .. } => {
                format!("backends that support it: {}", alternatives.join(", "))
            }
            Error::ParametersPresent { .. } => {
                "RFC 9881, RFC 9909 and RFC 8410 require absent parameters: write the key anew without them"
                    .to_owned()
            }
            Error::UnknownOid { .. } => "pqsig reads keys of ML-DSA, SLH-DSA and Ed25519".to_owned(),
            Error::PassphraseMissing => {
                "name an environment variable that holds it with --passphrase-env".to_owned()
            }
            Error::ContextTooLong { .. } => "shorten the context, or use its digest".to_owned(),
            Error::NoExternalMu { .. } => "sign the message itself, or pre-hash it".to_owned(),
            Error::WrongKind { wanted: "private key", .. } => {
                "give the private key; the public key only verifies".to_owned()
            }
            _ => return None,
        })
    }
}

fn did_you_mean(near: &[&str], otherwise: &str) -> String {
    if near.is_empty() { otherwise.to_owned() } else { format!("did you mean {}?", near.join(", ")) }
}
