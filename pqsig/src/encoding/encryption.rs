//! How a private key is encrypted: the scheme in words, and in parameters where it can be computed here.
//!
//! The older schemes, PBES1 and those of PKCS#12, are named and refused: ML-DSA and SLH-DSA keys never needed them.

use std::fmt;

use ::pkcs8::der::asn1::{AnyRef, OctetStringRef};
use ::pkcs8::der::{self, ErrorKind, Reader};
use ::pkcs8::pkcs5::pbes2::{DES_EDE3_CBC_OID, EncryptionScheme as Cipher, Kdf, PBES2_OID, Parameters};
use ::pkcs8::spki::AlgorithmIdentifierRef;

use crate::Error;

/// How a private key is encrypted, in the standards' words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encryption {
    /// The scheme, such as `PBES2`.
    pub scheme: String,
    /// The function that makes a key from the passphrase, with its cost, such as `PBKDF2-HMAC-SHA256, 600000 iterations`.
    pub kdf: Option<String>,
    /// The cipher, such as `AES-256-CBC`.
    pub cipher: Option<String>,
}

impl fmt::Display for Encryption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scheme)?;
        for part in [&self.kdf, &self.cipher].into_iter().flatten() {
            write!(f, ", {part}")?;
        }
        Ok(())
    }
}

/// A scheme, taken apart as far as it can be.
pub(super) struct Scheme<'a> {
    scheme: AlgorithmIdentifierRef<'a>,
    pbes2: Option<(AlgorithmIdentifierRef<'a>, AlgorithmIdentifierRef<'a>)>,
}

impl<'a> Scheme<'a> {
    pub(super) fn of(scheme: &AlgorithmIdentifierRef<'a>) -> Self {
        let parameters = scheme.parameters.filter(|_| scheme.oid == PBES2_OID);
        let pbes2 = parameters.and_then(|parameters: AnyRef<'a>| {
            parameters.sequence(|inner| -> der::Result<_> { Ok((inner.decode()?, inner.decode()?)) }).ok()
        });
        Scheme { scheme: *scheme, pbes2 }
    }

    pub(super) fn describe(&self) -> Encryption {
        Encryption {
            scheme: name(&self.scheme),
            kdf: self.pbes2.as_ref().map(|(kdf, _)| match Kdf::try_from(*kdf) {
                Ok(kdf) => kdf_words(&kdf),
                Err(_) => name(kdf),
            }),
            cipher: self.pbes2.as_ref().map(|(_, cipher)| name(cipher)),
        }
    }

    /// The parameters, if everything in them can be computed here.
    pub(super) fn supported(&self) -> Result<Parameters, Error> {
        let Some((kdf, cipher)) = &self.pbes2 else {
            return Err(if self.scheme.oid == PBES2_OID {
                malformed("PBES2's parameters are not DER")
            } else {
                unsupported(&format!("it uses {}", name(&self.scheme)))
            });
        };
        let refused = |part: &AlgorithmIdentifierRef<'_>, error: der::Error| match error.kind() {
            ErrorKind::OidUnknown { oid } => unsupported(&format!("it uses {}", name_of(&oid.to_string()))),
            _ => unsupported(&format!("the parameters of {} are not those that pqsig knows", name(part))),
        };
        check_iv(cipher)?;
        Ok(Parameters {
            kdf: Kdf::try_from(*kdf).map_err(|error| refused(kdf, error))?,
            encryption: Cipher::try_from(*cipher).map_err(|error| refused(cipher, error))?,
        })
    }
}

fn kdf_words(kdf: &Kdf) -> String {
    match kdf {
        Kdf::Pbkdf2(parameters) => {
            let prf = name_of(&parameters.prf.oid().to_string());
            format!("PBKDF2-{prf}, {} iterations", parameters.iteration_count)
        }
        Kdf::Scrypt(parameters) => format!(
            "scrypt, N={}, r={}, p={}",
            parameters.cost_parameter, parameters.block_size, parameters.parallelization
        ),
        other => name_of(&other.oid().to_string()),
    }
}

/// The library takes the first 8 bytes of 3DES' initialization vector, however many there are, and panics on fewer.
fn check_iv(cipher: &AlgorithmIdentifierRef<'_>) -> Result<(), Error> {
    let iv = cipher.parameters.and_then(|iv| iv.decode_as::<&OctetStringRef>().ok());
    match iv {
        Some(iv) if cipher.oid == DES_EDE3_CBC_OID && iv.as_bytes().len() != 8 => {
            Err(malformed("3DES with an initialization vector that isn't 8 bytes"))
        }
        _ => Ok(()),
    }
}

fn name(identifier: &AlgorithmIdentifierRef<'_>) -> String {
    name_of(&identifier.oid.to_string())
}

/// OIDs: RFC 8018 appendix C, RFC 7292 appendix C, RFC 7914, NIST's Computer Security Objects Register, RFC 3657,
/// RFC 5794.
pub(super) fn name_of(oid: &str) -> String {
    const NAMES: [(&str, &str); 35] = [
        ("1.2.840.113549.1.5.13", "PBES2"),
        ("1.2.840.113549.1.5.1", "pbeWithMD2AndDES-CBC (PBES1)"),
        ("1.2.840.113549.1.5.3", "pbeWithMD5AndDES-CBC (PBES1)"),
        ("1.2.840.113549.1.5.4", "pbeWithMD2AndRC2-CBC (PBES1)"),
        ("1.2.840.113549.1.5.6", "pbeWithMD5AndRC2-CBC (PBES1)"),
        ("1.2.840.113549.1.5.10", "pbeWithSHA1AndDES-CBC (PBES1)"),
        ("1.2.840.113549.1.5.11", "pbeWithSHA1AndRC2-CBC (PBES1)"),
        ("1.2.840.113549.1.12.1.1", "pbeWithSHAAnd128BitRC4 (PKCS#12)"),
        ("1.2.840.113549.1.12.1.2", "pbeWithSHAAnd40BitRC4 (PKCS#12)"),
        ("1.2.840.113549.1.12.1.3", "pbeWithSHAAnd3-KeyTripleDES-CBC (PKCS#12)"),
        ("1.2.840.113549.1.12.1.4", "pbeWithSHAAnd2-KeyTripleDES-CBC (PKCS#12)"),
        ("1.2.840.113549.1.12.1.5", "pbeWithSHAAnd128BitRC2-CBC (PKCS#12)"),
        ("1.2.840.113549.1.12.1.6", "pbeWithSHAAnd40BitRC2-CBC (PKCS#12)"),
        ("1.2.840.113549.1.5.12", "PBKDF2"),
        ("1.2.840.113549.1.5.14", "PBMAC1"),
        ("1.3.6.1.4.1.11591.4.11", "scrypt"),
        ("1.2.840.113549.2.7", "HMAC-SHA1"),
        ("1.2.840.113549.2.8", "HMAC-SHA224"),
        ("1.2.840.113549.2.9", "HMAC-SHA256"),
        ("1.2.840.113549.2.10", "HMAC-SHA384"),
        ("1.2.840.113549.2.11", "HMAC-SHA512"),
        ("1.2.840.113549.2.12", "HMAC-SHA512/224"),
        ("1.2.840.113549.2.13", "HMAC-SHA512/256"),
        ("2.16.840.1.101.3.4.1.2", "AES-128-CBC"),
        ("2.16.840.1.101.3.4.1.22", "AES-192-CBC"),
        ("2.16.840.1.101.3.4.1.42", "AES-256-CBC"),
        ("2.16.840.1.101.3.4.1.6", "AES-128-GCM"),
        ("2.16.840.1.101.3.4.1.46", "AES-256-GCM"),
        ("1.2.840.113549.3.7", "3DES-CBC"),
        ("1.2.840.113549.3.2", "RC2-CBC"),
        ("1.3.14.3.2.7", "DES-CBC"),
        ("1.2.392.200011.61.1.1.1.2", "Camellia-128-CBC"),
        ("1.2.392.200011.61.1.1.1.4", "Camellia-256-CBC"),
        ("1.2.410.200046.1.1.2", "ARIA-128-CBC"),
        ("1.2.410.200046.1.1.12", "ARIA-256-CBC"),
    ];
    let known = NAMES.iter().find(|(known, _)| *known == oid);
    known.map_or_else(|| format!("the unknown algorithm {oid}"), |(_, name)| (*name).to_owned())
}

pub(super) fn unsupported(reason: &str) -> Error {
    Error::EncryptionUnsupported {
        reason: format!(
            "{reason}; pqsig opens PBES2 with PBKDF2 or scrypt, and AES or 3DES: \
             `openssl pkcs8 -topk8 -v2 aes-256-cbc` rewrites a key that way"
        ),
    }
}

pub(super) fn malformed(reason: &str) -> Error {
    Error::Malformed { what: "encrypted private key", reason: reason.to_owned() }
}
