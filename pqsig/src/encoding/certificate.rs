//! X.509 certificates (RFC 5280), as a container of a public key and nothing more.

use ::pkcs8::der::Decode;
use ::pkcs8::der::referenced::OwnedToRef;
use x509_cert::Certificate;

use super::{Seen, spki, structure};
use crate::{Error, PublicKey};

/// Reads and checks the public key of a certificate. Who signed it, for whom and until when is not looked at.
pub(super) fn read(der: &[u8], seen: &mut Seen) -> Result<PublicKey, Error> {
    let certificate = Certificate::from_der(der)
        .map_err(|error| Error::Malformed { what: "certificate", reason: structure::words(error) })?;
    spki::checked(&certificate.tbs_certificate().subject_public_key_info().owned_to_ref(), seen)
}
