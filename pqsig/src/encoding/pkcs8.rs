//! PKCS#8 private keys: PrivateKeyInfo and OneAsymmetricKey (RFC 5958), with the contents that RFC 9881 (ML-DSA),
//! RFC 9909 (SLH-DSA) and RFC 8410 (Ed25519) define.

use ::pkcs8::PrivateKeyInfoRef;
use ::pkcs8::der::asn1::{ContextSpecific, OctetStringRef};
use ::pkcs8::der::{self, Decode, Encode, Reader, SliceReader, TagMode, TagNumber};
use zeroize::Zeroizing;

use super::{Seen, oid, spki, structure};
use crate::{Algorithm, Error, Family, PrivateKey, PrivateKeyForm, SecretBytes};

/// Reads and checks a private key.
pub(super) fn read(der: &[u8], seen: &mut Seen) -> Result<PrivateKey, Error> {
    let info = PrivateKeyInfoRef::from_der(der).map_err(|error| {
        seen.algorithm = oid::hint(der);
        malformed(seen.algorithm, &structure::words(error))
    })?;
    let algorithm = oid::algorithm_of(&info.algorithm, seen)?;
    let content = Content::parse(algorithm, info.private_key.as_bytes())?;
    seen.form = Some(content.form);
    let key = content.derive(algorithm)?;
    seen.checks.push("length");
    seen.checks.extend(content.derivation_check(algorithm));

    let public_half = info.public_key.map(|bits| spki::whole_bytes(algorithm, bits)).transpose()?;
    for stated in [content.public, public_half].into_iter().flatten() {
        if stated != key.public_key().as_bytes() {
            return Err(Error::KeyInconsistent {
                algorithm,
                reason: "the public key beside it is not the one that it gives".to_owned(),
            });
        }
        seen.checks.push("public half matches");
    }
    Ok(key)
}

/// A private key in DER, version 1: without its public half.
pub(super) fn write(key: &PrivateKey, form: PrivateKeyForm) -> Result<SecretBytes, Error> {
    let algorithm = key.algorithm();
    if !key.forms().contains(&form) {
        return Err(Error::FormUnavailable { algorithm, form, reason: why_unavailable(algorithm) });
    }
    let content = match algorithm.family() {
        Family::MlDsa => ml_dsa_content(key, form),
        Family::SlhDsa => Zeroizing::new(key.expanded().to_vec()),
        Family::Ed25519 => Zeroizing::new(structure::encoded(octets(key.expanded()).to_der())),
    };
    let info = PrivateKeyInfoRef::new(oid::identifier_of(algorithm), octets(&content));
    Ok(Zeroizing::new(structure::encoded(info.to_der())))
}

fn why_unavailable(algorithm: Algorithm) -> &'static str {
    match algorithm.family() {
        Family::MlDsa => "it was read without its seed, and no seed can be computed from an expanded key",
        Family::SlhDsa => "RFC 9909 gives SLH-DSA one form, `expanded`",
        Family::Ed25519 => "RFC 8410 gives Ed25519 one form, `seed`",
    }
}

/// The CHOICE of RFC 9881 section 6.
fn ml_dsa_content(key: &PrivateKey, form: PrivateKeyForm) -> SecretBytes {
    // `forms` admits a form with a seed only where there is one.
    let seed = octets(key.seed().unwrap_or_default());
    let expanded = octets(key.expanded());
    Zeroizing::new(structure::encoded(match form {
        PrivateKeyForm::Seed => {
            ContextSpecific { tag_number: SEED_TAG, tag_mode: TagMode::Implicit, value: seed }.to_der()
        }
        PrivateKeyForm::Expanded => expanded.to_der(),
        PrivateKeyForm::Both => [seed, expanded].to_der(),
    }))
}

const SEED_TAG: TagNumber = TagNumber(0);

fn octets(bytes: &[u8]) -> &OctetStringRef {
    structure::encoded(OctetStringRef::new(bytes))
}

/// What stands inside of the privateKey OCTET STRING.
struct Content<'a> {
    form: PrivateKeyForm,
    /// Empty in the form `expanded`.
    seed: &'a [u8],
    /// Empty in the form `seed`.
    expanded: &'a [u8],
    /// The public key behind the expanded one, as liboqs' provider writes it.
    public: Option<&'a [u8]>,
}

impl<'a> Content<'a> {
    fn parse(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, Error> {
        match algorithm.family() {
            Family::MlDsa => Content::parse_ml_dsa(algorithm, bytes),
            // RFC 9909 section 5: the 4n bytes themselves, in no further wrapping.
            Family::SlhDsa => Ok(Content::expanded(bytes)),
            // RFC 8410 section 7: CurvePrivateKey, an OCTET STRING.
            Family::Ed25519 => <&OctetStringRef>::from_der(bytes)
                .map(|seed| Content::seed(seed.as_bytes()))
                .map_err(|error| malformed(Some(algorithm), &structure::words(error))),
        }
    }

    /// The three forms of RFC 9881 section 6, and three that OpenSSL reads and writes beside them: the bare seed, the
    /// bare expanded key, and the expanded key followed by the public one. Lengths and first bytes tell all six apart.
    fn parse_ml_dsa(algorithm: Algorithm, bytes: &'a [u8]) -> Result<Self, Error> {
        let parameters = algorithm.parameters();
        if bytes.len() == parameters.seed {
            return Ok(Content::seed(bytes));
        }
        if bytes.len() == parameters.private_key {
            return Ok(Content::expanded(bytes));
        }
        let parsed = match bytes.first() {
            Some(0x80) => tagged_seed(bytes).map(Content::seed),
            Some(0x04) => <&OctetStringRef>::from_der(bytes).map(|octets| {
                let octets = octets.as_bytes();
                if octets.len() == parameters.private_key + parameters.public_key {
                    let (expanded, public) = octets.split_at(parameters.private_key);
                    Content { public: Some(public), ..Content::expanded(expanded) }
                } else {
                    Content::expanded(octets)
                }
            }),
            Some(0x30) => seed_and_expanded(bytes).map(|(seed, expanded)| Content {
                form: PrivateKeyForm::Both,
                seed,
                expanded,
                public: None,
            }),
            _ => {
                let reason = "it is neither a seed nor an expanded key nor both (RFC 9881 section 6)";
                return Err(malformed(Some(algorithm), reason));
            }
        };
        parsed.map_err(|error| malformed(Some(algorithm), &structure::words(error)))
    }

    fn seed(seed: &'a [u8]) -> Self {
        Content { form: PrivateKeyForm::Seed, seed, expanded: &[], public: None }
    }

    fn expanded(expanded: &'a [u8]) -> Self {
        Content { form: PrivateKeyForm::Expanded, seed: &[], expanded, public: None }
    }

    /// The key, with the checks that the core makes of each form.
    fn derive(&self, algorithm: Algorithm) -> Result<PrivateKey, Error> {
        match self.form {
            PrivateKeyForm::Seed => PrivateKey::from_seed(algorithm, self.seed),
            PrivateKeyForm::Expanded => PrivateKey::from_expanded(algorithm, self.expanded),
            PrivateKeyForm::Both => PrivateKey::from_seed_and_expanded(algorithm, self.seed, self.expanded),
        }
    }

    /// The word for what [`Content::derive`] compared. A seed alone says nothing twice.
    fn derivation_check(&self, algorithm: Algorithm) -> Option<&'static str> {
        match (self.form, algorithm.family()) {
            (PrivateKeyForm::Seed, _) => None,
            (PrivateKeyForm::Expanded, Family::SlhDsa) => Some("PK.root recomputed"),
            (PrivateKeyForm::Expanded, _) => Some("t0 and tr recomputed"),
            (PrivateKeyForm::Both, _) => Some("seed gives the expanded key"),
        }
    }
}

/// `seed [0] IMPLICIT OCTET STRING`.
fn tagged_seed(bytes: &[u8]) -> der::Result<&[u8]> {
    let mut reader = SliceReader::new(bytes)?;
    let seed = reader.context_specific::<&OctetStringRef>(SEED_TAG, TagMode::Implicit)?;
    reader.finish()?;
    Ok(seed.map(OctetStringRef::as_bytes).unwrap_or_default())
}

/// `both SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING }`.
fn seed_and_expanded(bytes: &[u8]) -> der::Result<(&[u8], &[u8])> {
    let mut reader = SliceReader::new(bytes)?;
    let both = reader.sequence(|inner| -> der::Result<_> {
        let seed: &OctetStringRef = inner.decode()?;
        let expanded: &OctetStringRef = inner.decode()?;
        Ok((seed.as_bytes(), expanded.as_bytes()))
    })?;
    reader.finish()?;
    Ok(both)
}

fn malformed(algorithm: Option<Algorithm>, reason: &str) -> Error {
    Error::Malformed { what: "private key", reason: oid::with_algorithm(algorithm, reason) }
}
