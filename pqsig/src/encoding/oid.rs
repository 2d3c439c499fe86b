//! From an AlgorithmIdentifier to an algorithm.

use ::pkcs8::der::Encode;
use ::pkcs8::spki::AlgorithmIdentifierRef;
use ::pkcs8::{ObjectIdentifier, spki::AlgorithmIdentifier};

use super::{Seen, structure};
use crate::{Algorithm, Error};

/// The algorithm that an AlgorithmIdentifier names, which must have no parameters, not even NULL (RFC 9881 section 2,
/// RFC 9909 section 3, RFC 8410 section 3).
pub(super) fn algorithm_of(
    identifier: &AlgorithmIdentifierRef<'_>,
    seen: &mut Seen,
) -> Result<Algorithm, Error> {
    let oid = identifier.oid.to_string();
    seen.algorithm = Algorithm::from_oid(&oid);
    let Some(algorithm) = seen.algorithm else {
        return Err(Error::UnknownOid { oid: with_name(oid) });
    };
    if identifier.parameters.is_some() {
        return Err(Error::ParametersPresent { algorithm });
    }
    seen.checks.push("parameters absent");
    Ok(algorithm)
}

/// The AlgorithmIdentifier of an algorithm.
pub(super) fn identifier_of(algorithm: Algorithm) -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifier { oid: object_identifier(algorithm), parameters: None }
}

fn object_identifier(algorithm: Algorithm) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(algorithm.parameters().oid)
}

/// The algorithm whose OID stands where keys have theirs, in bytes that can't be parsed: so that the error can name it.
pub(super) fn hint(der: &[u8]) -> Option<Algorithm> {
    // Behind at most a SEQUENCE, a version, and another SEQUENCE, each with a header of at most 6 bytes.
    const REACH: usize = 32;
    let start = &der[..der.len().min(REACH)];
    Algorithm::all().find(|algorithm| {
        let oid = structure::encoded(object_identifier(*algorithm).to_der());
        start.windows(oid.len()).any(|window| window == oid)
    })
}

/// A reason with the algorithm's name behind it, where it is known.
pub(super) fn with_algorithm(algorithm: Option<Algorithm>, reason: &str) -> String {
    algorithm.map_or_else(|| reason.to_owned(), |algorithm| format!("{reason} ({algorithm})"))
}

/// An OID with the name that people know it by. OIDs: RFC 8017, RFC 5480, RFC 8410, NIST's Computer Security Objects
/// Register; the last two groups are what liboqs' programs used before the standards.
fn with_name(oid: String) -> String {
    const NAMES: [(&str, &str); 10] = [
        ("1.2.840.113549.1.1.1", "RSA"),
        ("1.2.840.113549.1.1.10", "RSA-PSS"),
        ("1.2.840.10045.2.1", "an elliptic curve key, such as P-256"),
        ("1.2.840.10040.4.1", "DSA"),
        ("1.3.101.110", "X25519"),
        ("1.3.101.111", "X448"),
        ("1.3.101.113", "Ed448"),
        ("2.16.840.1.101.3.4.4.1", "ML-KEM-512, which can't sign"),
        ("2.16.840.1.101.3.4.4.2", "ML-KEM-768, which can't sign"),
        ("2.16.840.1.101.3.4.4.3", "ML-KEM-1024, which can't sign"),
    ];
    const PREFIXES: [(&str, &str); 2] = [
        ("1.3.6.1.4.1.2.267.7.", "Dilithium, as it was before ML-DSA"),
        ("1.3.6.1.4.1.2.267.12.", "a draft of ML-DSA"),
    ];
    let exact = NAMES.iter().find(|(known, _)| *known == oid).map(|(_, name)| *name);
    let name = exact.or_else(|| PREFIXES.iter().find(|(prefix, _)| oid.starts_with(prefix)).map(|row| row.1));
    match name {
        Some(name) => format!("{oid} ({name})"),
        None => match pre_hash_only(&oid) {
            Some(algorithm) => format!("{oid} ({algorithm} for pre-hashed messages only)"),
            None => oid,
        },
    }
}

/// The algorithm of an OID for HashML-DSA or HashSLH-DSA: they stand in NIST's register as 32 to 46, in the order of the
/// pure ones, 17 to 31.
fn pre_hash_only(oid: &str) -> Option<Algorithm> {
    const ARC: &str = "2.16.840.1.101.3.4.3.";
    let last: u8 = oid.strip_prefix(ARC)?.parse().ok()?;
    let pure = last.checked_sub(15).filter(|_| (32..=46).contains(&last))?;
    Algorithm::from_oid(&format!("{ARC}{pure}"))
}
