//! Which structure some bytes are, told from their outline alone, and words for what is wrong with DER.

use ::pkcs8::der::asn1::AnyRef;
use ::pkcs8::der::{self, Decode, ErrorKind, Reader, SliceReader, Tag, Tagged};

use super::{Container, Encoding, pem};
use crate::Error;

/// What [`super::decode`] takes, for error texts.
pub(super) const WANTED: &str =
    "private key, public key or certificate of ML-DSA, SLH-DSA or Ed25519 (PEM or DER)";

/// PEM or DER, by the content.
pub(super) fn encoding_of(input: &[u8]) -> Result<Encoding, Error> {
    // The first byte of every DER structure that holds a key. It is also the digit 0, with which the text before a
    // PEM block may begin; but then what follows is text too, and no long length.
    const SEQUENCE: u8 = 0x30;
    let reason = match input {
        [] => "it is empty",
        [SEQUENCE, 0x80..=0xff, ..] => return Ok(Encoding::Der),
        _ if pem::has_boundary(input) => return Ok(Encoding::Pem),
        [SEQUENCE, ..] => return Ok(Encoding::Der),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            "it is neither PEM nor DER; if it is text in UTF-16, save it as UTF-8"
        }
        _ => "it is neither PEM (it has no BEGIN line) nor DER (it doesn't start with a SEQUENCE)",
    };
    Err(Error::Malformed { what: "key", reason: reason.to_owned() })
}

/// Why bytes are none of our structures.
pub(super) enum Unrecognised {
    /// They are something else that has a name.
    Foreign(&'static str),
    /// They are nothing that we know.
    Malformed(String),
}

/// The structure that DER is, by the types of its first elements.
pub(super) fn container_of(der: &[u8]) -> Result<Container, Unrecognised> {
    use Tag::{
        BitString, ContextSpecific, GeneralizedTime, Integer, ObjectIdentifier, OctetString, Sequence,
        UtcTime,
    };
    let outer = AnyRef::from_der(der).map_err(|error| Unrecognised::Malformed(words(error)))?;
    if outer.tag() != Sequence {
        return Err(Unrecognised::Malformed("it is DER, but no SEQUENCE".to_owned()));
    }
    let [first, second, third] = elements(outer)?;
    let foreign = match [first, second, third].map(|element| element.map(|element| element.tag())) {
        [Some(Integer), Some(Sequence), Some(OctetString)] => return Ok(Container::Pkcs8),
        [Some(Sequence), Some(OctetString), None] => return Ok(Container::EncryptedPkcs8),
        [Some(Sequence), Some(BitString), None] => return Ok(Container::SubjectPublicKeyInfo),
        [Some(Sequence), Some(Sequence), Some(BitString)] => {
            // All that is signed in X.509 looks alike from outside.
            let signed: [_; 4] = first.map_or(Ok([None; 4]), elements)?;
            match signed.map(|element| element.map(|element| element.tag())) {
                [Some(Integer), Some(Sequence), Some(Sequence), Some(ContextSpecific { .. }) | None] => {
                    "request for a certificate: `openssl req -pubkey -noout` gets its public key"
                }
                [Some(Integer), Some(Sequence), Some(Sequence), Some(UtcTime | GeneralizedTime)] => {
                    "list of revoked certificates"
                }
                _ => return Ok(Container::Certificate),
            }
        }
        [Some(Integer), Some(Integer), _] => "key of RSA or DSA in its old form (PKCS#1)",
        [Some(Integer), Some(OctetString), _] => "key of an elliptic curve in its old form (SEC 1)",
        [Some(Integer), Some(Sequence), _] => "PKCS#12 file",
        [Some(ObjectIdentifier), Some(ContextSpecific { .. }), _] => "CMS or PKCS#7 message",
        _ => {
            let reason = "it is DER, but neither a key nor a certificate";
            return Err(Unrecognised::Malformed(reason.to_owned()));
        }
    };
    Err(Unrecognised::Foreign(foreign))
}

/// The first elements within one that has such.
fn elements<const N: usize>(outer: AnyRef<'_>) -> Result<[Option<AnyRef<'_>>; N], Unrecognised> {
    let malformed = |error| Unrecognised::Malformed(words(error));
    let mut reader = SliceReader::new(outer.value()).map_err(malformed)?;
    let mut elements = [None; N];
    for element in &mut elements {
        if reader.is_finished() {
            break;
        }
        *element = Some(reader.decode().map_err(malformed)?);
    }
    Ok(elements)
}

/// What is wrong with DER. The library's own words may quote a byte where it expected a type or a length, and in a
/// private key any byte may be a secret one: so we say it ourselves, without.
pub(super) fn words(error: der::Error) -> String {
    match error.kind() {
        ErrorKind::Incomplete { .. } => "it ends before its lengths say".to_owned(),
        ErrorKind::TrailingData { .. } => "more bytes follow where it should end".to_owned(),
        ErrorKind::TagUnexpected { expected: Some(tag), .. } => {
            format!("an element of type {tag} is missing")
        }
        ErrorKind::TagUnexpected { .. } | ErrorKind::TagUnknown { .. } | ErrorKind::TagNumberInvalid => {
            "an element is of a type that doesn't belong there".to_owned()
        }
        ErrorKind::Value { .. } => "an element has a value that isn't allowed".to_owned(),
        ErrorKind::Length { .. } => "an element has a length that isn't allowed".to_owned(),
        ErrorKind::OidMalformed => "an OID is malformed".to_owned(),
        ErrorKind::Overlength | ErrorKind::Overflow => "a length is beyond all bounds".to_owned(),
        ErrorKind::IndefiniteLength | ErrorKind::Noncanonical { .. } => {
            "it is BER, not DER: a length or a value isn't in its one canonical form".to_owned()
        }
        _ => "it is not DER".to_owned(),
    }
}

/// What DER encoding gives for structures of ours.
#[expect(clippy::expect_used, reason = "lengths come from the table, and DER has room for them")]
pub(super) fn encoded<T>(result: der::Result<T>) -> T {
    result.expect("a key fits into DER")
}
