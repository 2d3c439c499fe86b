//! Keys as files: PEM and DER, private and public, plain and encrypted, and certificates.
//!
//! What is read:
//! - PKCS#8 (RFC 5958) in every form that RFC 9881 gives ML-DSA, and in the shapes that OpenSSL's commands write beside
//!   them; RFC 9909 for SLH-DSA; RFC 8410 for Ed25519. A public half in the file is compared with the derived one.
//! - PKCS#8 encrypted with PBES2 (RFC 8018): PBKDF2 or scrypt, AES or 3DES.
//! - SubjectPublicKeyInfo, and X.509 certificates (RFC 5280), of which only the public key is used: neither the
//!   signature nor the dates nor the name of a certificate is looked at.
//!
//! A key that was read has been checked: see [`Decoded::checks`].
//!
//! What is written is what OpenSSL writes: PKCS#8 version 1, without attributes and without the public key, which every
//! reader derives anyway; PEM in lines of 64 characters that end with LF; encrypted, PBES2 with
//! PBKDF2-HMAC-SHA256 and AES-256-CBC, which every OpenSSL since 1.0 opens.

mod certificate;
mod encrypted;
mod encryption;
mod oid;
mod pem;
mod pkcs8;
mod spki;
mod structure;

pub use encryption::Encryption;
pub(crate) use pem::decode_base64;

use zeroize::Zeroizing;

use crate::{Algorithm, Error, PrivateKey, PrivateKeyForm, PublicKey, SecretBytes};

/// How the bytes were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Text between `-----BEGIN` and `-----END` lines (RFC 7468).
    Pem,
    /// Binary.
    Der,
}

impl Encoding {
    /// `PEM` or `DER`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Pem => "PEM",
            Encoding::Der => "DER",
        }
    }
}

/// The structure that held the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// PKCS#8 PrivateKeyInfo or OneAsymmetricKey (RFC 5958).
    Pkcs8,
    /// PKCS#8 EncryptedPrivateKeyInfo with PBES2 (RFC 8018).
    EncryptedPkcs8,
    /// X.509 SubjectPublicKeyInfo.
    SubjectPublicKeyInfo,
    /// X.509 certificate (RFC 5280), of which only the public key is used.
    Certificate,
}

impl Container {
    /// Every container.
    pub const ALL: [Container; 4] = [
        Container::Pkcs8,
        Container::EncryptedPkcs8,
        Container::SubjectPublicKeyInfo,
        Container::Certificate,
    ];

    /// The structure's own name, such as `PKCS#8`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Container::Pkcs8 => "PKCS#8",
            Container::EncryptedPkcs8 => "encrypted PKCS#8",
            Container::SubjectPublicKeyInfo => "SubjectPublicKeyInfo",
            Container::Certificate => "X.509 certificate",
        }
    }

    /// What it holds, for error texts.
    pub(crate) fn contents(self) -> &'static str {
        match self {
            Container::Pkcs8 => "private key",
            Container::EncryptedPkcs8 => "encrypted private key",
            Container::SubjectPublicKeyInfo => "public key",
            Container::Certificate => "certificate",
        }
    }

    /// The word between `-----BEGIN` and `-----` (RFC 7468 sections 5, 10, 11 and 13).
    pub(crate) fn label(self) -> &'static str {
        match self {
            Container::Pkcs8 => "PRIVATE KEY",
            Container::EncryptedPkcs8 => "ENCRYPTED PRIVATE KEY",
            Container::SubjectPublicKeyInfo => "PUBLIC KEY",
            Container::Certificate => "CERTIFICATE",
        }
    }
}

/// A key of either kind.
#[derive(Debug)]
pub enum Key {
    /// With its public half.
    Private(PrivateKey),
    /// Alone.
    Public(PublicKey),
}

/// A key that was read and checked, with what was found on the way.
#[derive(Debug)]
pub struct Decoded {
    /// The key.
    pub key: Key,
    /// PEM or DER.
    pub encoding: Encoding,
    /// The structure.
    pub container: Container,
    /// The form of the private key in the file.
    pub form: Option<PrivateKeyForm>,
    /// The words for each check that the key passed, for people.
    pub checks: Vec<&'static str>,
}

impl Decoded {
    /// The private key.
    ///
    /// # Errors
    /// [`Error::WrongKind`] for a public key or certificate.
    pub fn into_private(self) -> Result<PrivateKey, Error> {
        match self.key {
            Key::Private(key) => Ok(key),
            Key::Public(_) => {
                Err(Error::WrongKind { wanted: "private key", found: self.container.contents() })
            }
        }
    }

    /// The public key, or the public half of a private one.
    #[must_use]
    pub fn into_public(self) -> PublicKey {
        match self.key {
            Key::Private(key) => key.public_key().clone(),
            Key::Public(key) => key,
        }
    }
}

/// Where a passphrase comes from. It is asked at most once, only for an encrypted key, and only after it is known that
/// the right passphrase would open it.
pub type PassphraseSource<'a> = dyn FnMut() -> Result<SecretBytes, Error> + 'a;

/// What has been recognised so far. It is filled as reading goes on, so that a key that fails a check can still be named:
/// see [`crate::inspect`].
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) encoding: Option<Encoding>,
    pub(crate) container: Option<Container>,
    /// The bytes of the structure: without PEM's text.
    pub(crate) size: Option<usize>,
    pub(crate) encryption: Option<Encryption>,
    pub(crate) algorithm: Option<Algorithm>,
    pub(crate) form: Option<PrivateKeyForm>,
    pub(crate) checks: Vec<&'static str>,
}

/// Reads PEM or DER, private or public, encrypted or not, or a certificate.
///
/// PEM may have any text before its `BEGIN` line (OpenSSL writes such), Windows line ends and a byte order mark; it must
/// hold one block, and nothing but blanks after it. DER must be strict, and end where its first length says.
///
/// # Errors
/// - What the bytes are: [`Error::Malformed`], [`Error::UnknownOid`], [`Error::WrongKind`] for things that are no key of
///   ours, such as `OPENSSH PRIVATE KEY`.
/// - What the key is: [`Error::ParametersPresent`], [`Error::SeedLength`], [`Error::KeyLength`],
///   [`Error::KeyInconsistent`], [`Error::PublicKeyInvalid`], [`Error::Backend`].
/// - How it is encrypted: [`Error::EncryptionUnsupported`], [`Error::PassphraseWrong`], and what `passphrase` reports.
pub fn decode(input: &[u8], passphrase: &mut PassphraseSource<'_>) -> Result<Decoded, Error> {
    decode_seen(input, passphrase, &mut Seen::default())
}

/// As [`decode`], and says how far it came.
pub(crate) fn decode_seen(
    input: &[u8],
    passphrase: &mut PassphraseSource<'_>,
    seen: &mut Seen,
) -> Result<Decoded, Error> {
    let encoding = structure::encoding_of(input)?;
    seen.encoding = Some(encoding);
    let from_pem;
    let der = match encoding {
        Encoding::Der => input,
        Encoding::Pem => {
            let (container, bytes) = pem::read(input)?;
            seen.container = Some(container);
            from_pem = bytes;
            &from_pem
        }
    };
    seen.size = Some(der.len());
    let container = recognise(der, seen)?;
    let key = match container {
        Container::Pkcs8 => Key::Private(pkcs8::read(der, seen)?),
        Container::EncryptedPkcs8 => {
            let opened = encrypted::open(der, passphrase, seen)?;
            Key::Private(pkcs8::read(&opened, seen)?)
        }
        Container::SubjectPublicKeyInfo => Key::Public(spki::read(der, seen)?),
        Container::Certificate => Key::Public(certificate::read(der, seen)?),
    };
    Ok(Decoded { key, encoding, container, form: seen.form, checks: std::mem::take(&mut seen.checks) })
}

/// Which structure the bytes are, which must be the one that a PEM label announced.
fn recognise(der: &[u8], seen: &mut Seen) -> Result<Container, Error> {
    let labelled = seen.container;
    let found = structure::container_of(der).inspect_err(|_| seen.algorithm = oid::hint(der));
    let found = found.map_err(|reason| match reason {
        structure::Unrecognised::Foreign(found) => Error::WrongKind { wanted: structure::WANTED, found },
        structure::Unrecognised::Malformed(reason) => Error::Malformed {
            what: labelled.map_or("key", Container::contents),
            reason: oid::with_algorithm(seen.algorithm, &reason),
        },
    })?;
    seen.container = Some(found);
    match labelled {
        Some(labelled) if labelled != found => Err(Error::Malformed {
            what: "PEM text",
            reason: format!(
                "its label says `{}`, but what it holds is a {}",
                labelled.label(),
                found.contents()
            ),
        }),
        _ => Ok(found),
    }
}

/// A public key as a DER SubjectPublicKeyInfo.
#[must_use]
pub fn public_key_to_der(key: &PublicKey) -> Vec<u8> {
    spki::write(key)
}

/// A public key as a PEM block `PUBLIC KEY`.
#[must_use]
pub fn public_key_to_pem(key: &PublicKey) -> String {
    pem::write(Container::SubjectPublicKeyInfo, &public_key_to_der(key))
}

/// A private key as a DER PKCS#8 PrivateKeyInfo in the wanted form: one of [`PrivateKey::forms`].
///
/// # Errors
/// [`Error::FormUnavailable`].
pub fn private_key_to_der(key: &PrivateKey, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
    pkcs8::write(key, form)
}

/// A private key as a PEM block `PRIVATE KEY` in the wanted form: one of [`PrivateKey::forms`].
///
/// # Errors
/// [`Error::FormUnavailable`].
pub fn private_key_to_pem(key: &PrivateKey, form: PrivateKeyForm) -> Result<Zeroizing<String>, Error> {
    Ok(Zeroizing::new(pem::write(Container::Pkcs8, &private_key_to_der(key, form)?)))
}

/// A private key as a DER PKCS#8 EncryptedPrivateKeyInfo in the wanted form: one of [`PrivateKey::forms`].
///
/// # Errors
/// [`Error::FormUnavailable`], [`Error::Random`]; [`Error::PassphraseUnavailable`] for an empty passphrase, which would
/// protect nothing.
pub fn private_key_to_encrypted_der(
    key: &PrivateKey,
    form: PrivateKeyForm,
    passphrase: &[u8],
) -> Result<Vec<u8>, Error> {
    encrypted::seal(&private_key_to_der(key, form)?, passphrase)
}

/// A private key as a PEM block `ENCRYPTED PRIVATE KEY` in the wanted form: one of [`PrivateKey::forms`].
///
/// # Errors
/// As [`private_key_to_encrypted_der`].
pub fn private_key_to_encrypted_pem(
    key: &PrivateKey,
    form: PrivateKeyForm,
    passphrase: &[u8],
) -> Result<String, Error> {
    let der = private_key_to_encrypted_der(key, form, passphrase)?;
    Ok(pem::write(Container::EncryptedPkcs8, &der))
}

#[cfg(test)]
mod tests;
