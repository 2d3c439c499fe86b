//! What some bytes are: a key or certificate with what was checked in it, or, for bytes that say nothing of themselves,
//! what they can and can't be.

mod blob;
mod signature;
mod text;

use std::fmt;

pub use blob::{Candidate, Fit, Role};
pub use text::TextEncoding;

use crate::encoding::{self, Container, Decoded, Encoding, Encryption, Key, PassphraseSource, Seen};
use crate::{Algorithm, Error, Fingerprint, PrivateKeyForm};

/// What bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A private key that is not encrypted.
    PrivateKey,
    /// A private key that is encrypted, whether it could be opened or not.
    EncryptedPrivateKey,
    /// A public key.
    PublicKey,
    /// A certificate.
    Certificate,
    /// Bytes without structure of their own, which by their length and content can be nothing of ours but a signature.
    Signature,
    /// Other bytes without structure of their own: see [`Inspection::candidates`].
    RawBytes,
}

impl Kind {
    /// `private key`, `raw bytes`...
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::PrivateKey => "private key",
            Kind::EncryptedPrivateKey => "encrypted private key",
            Kind::PublicKey => "public key",
            Kind::Certificate => "certificate",
            Kind::Signature => "signature",
            Kind::RawBytes => "raw bytes",
        }
    }

    fn of(container: Container) -> Self {
        match container {
            Container::Pkcs8 => Kind::PrivateKey,
            Container::EncryptedPkcs8 => Kind::EncryptedPrivateKey,
            Container::SubjectPublicKeyInfo => Kind::PublicKey,
            Container::Certificate => Kind::Certificate,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What was found. It holds nothing secret.
#[derive(Clone, Debug)]
pub struct Inspection {
    /// What the bytes are.
    pub kind: Kind,
    /// The algorithm, where the bytes leave no choice. Its sizes are in [`Algorithm::parameters`].
    pub algorithm: Option<Algorithm>,
    /// The text that the bytes were wrapped in, if it was neither PEM nor binary.
    pub text: Option<TextEncoding>,
    /// PEM or DER; `None` for bytes without structure.
    pub encoding: Option<Encoding>,
    /// The structure; `None` for bytes without one.
    pub container: Option<Container>,
    /// How a private key is encrypted.
    pub encryption: Option<Encryption>,
    /// The form of the private key in the file.
    pub form: Option<PrivateKeyForm>,
    /// The forms in which the private key can be written.
    pub forms: &'static [PrivateKeyForm],
    /// What was given, in bytes.
    pub size: usize,
    /// The same without the text around it (PEM, hexadecimal, base64), in bytes.
    pub content_size: usize,
    /// The public key's fingerprint.
    pub fingerprint: Option<Fingerprint>,
    /// The words for each check that the key passed.
    pub checks: Vec<&'static str>,
    /// What is wrong with it; `None` for a key that passed all checks, and for an encrypted one that no passphrase was
    /// given for.
    pub problem: Option<String>,
    /// What bytes without structure can be, the likely first.
    pub candidates: Vec<Candidate>,
}

/// Looks at bytes of any kind. A key that fails a check is reported with its [`Inspection::problem`]. An encrypted
/// key for which `passphrase` answers [`Error::PassphraseMissing`] is described as far as that goes without it.
///
/// # Errors
/// Where there is nothing to report beyond the error: empty input, PEM that can't be read, a structure that isn't ours
/// ([`Error::WrongKind`], [`Error::UnknownOid`]), a passphrase that is wrong or unavailable.
pub fn inspect(input: &[u8], passphrase: &mut PassphraseSource<'_>) -> Result<Inspection, Error> {
    if let Some(found) = structured(input, passphrase)? {
        return Ok(found);
    }
    if let Some((text, bytes)) = text::decode(input) {
        let found = match structured(&bytes, passphrase)? {
            Some(found) => Some(found),
            None => Some(of_blob(&bytes)).filter(|found| !found.candidates.is_empty()),
        };
        if let Some(found) = found {
            return Ok(Inspection { text: Some(text), size: input.len(), ..found });
        }
    }
    Ok(of_blob(input))
}

/// Looks at PEM and DER; `None` for bytes that are neither.
fn structured(input: &[u8], passphrase: &mut PassphraseSource<'_>) -> Result<Option<Inspection>, Error> {
    let mut seen = Seen::default();
    let failure = match encoding::decode_seen(input, passphrase, &mut seen) {
        Ok(decoded) => return Ok(Some(of_key(input, decoded, seen))),
        Err(error) => error,
    };
    if let Some(container) = seen.container {
        return of_failed_key(input, container, &failure, seen).map_or(Err(failure), |found| Ok(Some(found)));
    }
    let is_pem = seen.encoding == Some(Encoding::Pem);
    if input.is_empty() || is_pem || matches!(failure, Error::WrongKind { .. }) {
        return Err(failure);
    }
    // DER that is cut off still shows its algorithm's OID.
    if seen.algorithm.is_some() {
        let problem = Some(failure.to_string());
        return Ok(Some(Inspection { problem, ..blank(input, Kind::RawBytes, seen) }));
    }
    Ok(None)
}

fn of_key(input: &[u8], decoded: Decoded, seen: Seen) -> Inspection {
    let (public, forms) = match &decoded.key {
        Key::Private(key) => (key.public_key(), key.forms()),
        Key::Public(key) => (key, &[][..]),
    };
    let fingerprint = Some(public.fingerprint());
    let blank = blank(input, Kind::of(decoded.container), seen);
    Inspection { fingerprint, forms, checks: decoded.checks, ..blank }
}

/// A key that was recognised but not read; `None` where that says no more than the failure.
fn of_failed_key(input: &[u8], container: Container, failure: &Error, seen: Seen) -> Option<Inspection> {
    let problem = match failure {
        Error::PassphraseMissing if seen.encryption.is_some() => None,
        Error::EncryptionUnsupported { .. } => Some(failure.to_string()),
        _ if seen.algorithm.is_some() => Some(failure.to_string()),
        _ => return None,
    };
    Some(Inspection { problem, ..blank(input, Kind::of(container), seen) })
}

fn blank(input: &[u8], kind: Kind, seen: Seen) -> Inspection {
    Inspection {
        kind,
        algorithm: seen.algorithm,
        text: None,
        encoding: seen.encoding,
        container: seen.container,
        encryption: seen.encryption,
        form: seen.form,
        forms: &[],
        size: input.len(),
        content_size: seen.size.unwrap_or(input.len()),
        fingerprint: None,
        checks: seen.checks,
        problem: None,
        candidates: Vec::new(),
    }
}

fn of_blob(input: &[u8]) -> Inspection {
    let candidates = blob::candidates(input);
    let (kind, algorithm) = blob::verdict(&candidates);
    let problem = blob::problem(input.len(), &candidates);
    Inspection { algorithm, problem, candidates, ..blank(input, kind, Seen::default()) }
}

#[cfg(test)]
mod tests;
