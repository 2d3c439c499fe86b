//! X.509 SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7; RFC 9881 section 4, RFC 9909 section 4, RFC 8410 section 4).

use ::pkcs8::SubjectPublicKeyInfoRef;
use ::pkcs8::der::asn1::BitStringRef;
use ::pkcs8::der::{Decode, Encode};

use super::{Seen, oid, structure};
use crate::{Algorithm, Error, PublicKey};

/// Reads and checks a public key.
pub(super) fn read(der: &[u8], seen: &mut Seen) -> Result<PublicKey, Error> {
    let info = SubjectPublicKeyInfoRef::from_der(der).map_err(|error| {
        seen.algorithm = oid::hint(der);
        Error::Malformed {
            what: "public key",
            reason: oid::with_algorithm(seen.algorithm, &structure::words(error)),
        }
    })?;
    checked(&info, seen)
}

/// Checks a public key that stands in a structure of its own, or in a certificate.
pub(super) fn checked(info: &SubjectPublicKeyInfoRef<'_>, seen: &mut Seen) -> Result<PublicKey, Error> {
    let algorithm = oid::algorithm_of(&info.algorithm, seen)?;
    let key = PublicKey::new(algorithm, whole_bytes(algorithm, info.subject_public_key)?)?;
    seen.checks.push("length");
    if algorithm == Algorithm::Ed25519 {
        seen.checks.push("point decodes");
    }
    Ok(key)
}

/// The bytes of a BIT STRING, of which none may be cut short.
pub(super) fn whole_bytes(algorithm: Algorithm, bits: BitStringRef<'_>) -> Result<&[u8], Error> {
    bits.as_bytes().ok_or_else(|| Error::Malformed {
        what: "public key",
        reason: oid::with_algorithm(
            Some(algorithm),
            &format!(
                "its BIT STRING leaves {} bits of the last byte unused, where a key has whole bytes",
                bits.unused_bits()
            ),
        ),
    })
}

/// A public key in DER.
pub(super) fn write(key: &PublicKey) -> Vec<u8> {
    let info = SubjectPublicKeyInfoRef {
        algorithm: oid::identifier_of(key.algorithm()),
        subject_public_key: structure::encoded(BitStringRef::from_bytes(key.as_bytes())),
    };
    structure::encoded(info.to_der())
}
