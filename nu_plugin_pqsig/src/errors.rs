//! Errors as Nushell shows them: what was wrong, a label at the argument at fault, and what would be right.

use std::io;
use std::path::Path;

use nu_protocol::{LabeledError, ShellError, Span};
use pqsig::Error;

/// Points an error of the core at an argument.
pub(crate) trait At<T> {
    /// The argument at fault is known.
    fn at(self, span: Span) -> Result<T, LabeledError>;

    /// The argument at fault depends on the error.
    fn blame(self, span: impl FnOnce(&Error) -> Span) -> Result<T, LabeledError>;
}

impl<T> At<T> for Result<T, Error> {
    fn at(self, span: Span) -> Result<T, LabeledError> {
        self.map_err(|error| core(&error, span))
    }

    fn blame(self, span: impl FnOnce(&Error) -> Span) -> Result<T, LabeledError> {
        self.map_err(|error| {
            let span = span(&error);
            core(&error, span)
        })
    }
}

/// An error of the core, at the argument at fault.
pub(crate) fn core(error: &Error, span: Span) -> LabeledError {
    let labeled = LabeledError::new(sentence(&error.to_string()))
        .with_code(error.code())
        .with_label(label(error), span);
    match error.remedy() {
        Some(remedy) => labeled.with_help(remedy),
        None => labeled,
    }
}

/// What the marked argument is, in the words of the error.
fn label(error: &Error) -> &'static str {
    match error {
        Error::UnknownAlgorithm { .. } => "no such algorithm",
        Error::UnknownHash { .. } => "no such hash",
        Error::UnknownBackend { .. } => "no such backend",
        Error::BackendUnavailable { .. } => "can't be loaded",
        Error::ContextTooLong { .. } => "too long",
        Error::ContextOnPureEd25519 => "not allowed here",
        Error::NoExternalMu { .. } | Error::NoInternalInterface { .. } | Error::Unsupported { .. } => {
            "not supported"
        }
        Error::MuLength { .. }
        | Error::DigestLength { .. }
        | Error::SeedLength { .. }
        | Error::RandomnessLength { .. }
        | Error::KeyLength { .. } => "wrong length",
        Error::HashTooWeak { .. } => "too weak",
        Error::HashNotDefined { .. } => "not defined",
        Error::Malformed { .. } | Error::UnknownOid { .. } | Error::ParametersPresent { .. } => {
            "can't be read"
        }
        Error::KeyInconsistent { .. } | Error::PublicKeyInvalid { .. } => "not a valid key",
        Error::FormUnavailable { .. } => "not available for this key",
        Error::WrongKind { .. } => "the wrong kind of key",
        Error::AlgorithmMismatch { .. } => "a key of another algorithm",
        Error::PassphraseMissing => "encrypted",
        Error::PassphraseWrong => "does not open",
        Error::PassphraseUnavailable { .. } => "no passphrase",
        Error::EncryptionUnsupported { .. } => "can't be opened",
        _ => "failed here",
    }
}

/// A misuse that the plugin itself notices. `code` is the part after `pqsig::`.
pub(crate) fn misuse(
    code: &str,
    message: impl Into<String>,
    label: impl Into<String>,
    span: Span,
) -> LabeledError {
    LabeledError::new(sentence(&message.into())).with_code(format!("pqsig::{code}")).with_label(label, span)
}

/// A file that can't be read or written, at the argument that names it.
pub(crate) fn file(error: &io::Error, verb: &str, path: &Path, span: Span) -> LabeledError {
    misuse("file", format!("can't {verb} {}: {}", path.display(), reason(error)), "this path", span)
}

/// An I/O error in the system's words, without the number that Rust appends.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// What a command that the user stopped answers. Nushell knows its own error of this kind, and stays silent where
/// silence is right.
pub(crate) fn interrupted(span: Span) -> LabeledError {
    ShellError::Interrupted { span }.into()
}

/// A panic, which is a fault of pqsig or of a library below it.
pub(crate) fn panicked(message: &str, span: Span) -> LabeledError {
    misuse("panic", format!("pqsig failed unexpectedly: {message}"), "this command", span)
        .with_help("this is a fault in pqsig: please report it, with the command that led to it")
}

/// Messages of the core start in lower case, so that programs can put them behind a colon. A headline does not.
fn sentence(message: &str) -> String {
    let mut characters = message.chars();
    match characters.next() {
        // The standard writes mu in lower case even there.
        Some(first) if !message.starts_with("mu ") => first.to_uppercase().chain(characters).collect(),
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use pqsig::{Algorithm, HashAlgorithm};

    use super::*;

    #[test]
    fn an_error_of_the_core_keeps_its_code_and_remedy() {
        let span = Span::new(3, 9);
        let error = "ML-DSA-56".parse::<Algorithm>().unwrap_err();
        let labeled = core(&error, span);
        assert_eq!(labeled.msg, "Unknown algorithm `ML-DSA-56`");
        assert_eq!(labeled.code.as_deref(), Some("pqsig::unknown_algorithm"));
        assert_eq!(labeled.labels[0].span, span);
        assert!(labeled.help.unwrap().contains("ML-DSA-65"));

        let error = "SHA-265".parse::<HashAlgorithm>().unwrap_err();
        assert!(core(&error, span).help.unwrap().contains("SHA-256"));
    }

    #[test]
    fn reasons_are_the_systems_words() {
        let error = io::Error::from_raw_os_error(2);
        assert_eq!(reason(&error), "no such file or directory");
        assert_eq!(reason(&io::Error::other("odd")), "odd");
    }
}
