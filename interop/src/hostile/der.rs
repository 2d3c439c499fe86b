//! PKCS#8 and SubjectPublicKeyInfo in DER, with one thing wrong. Libraries that write DER write none that is
//! wrong, so it is put together here by hand.

use pqsig::Algorithm;

/// The tags of X.690 that keys need.
const INTEGER: u8 = 0x02;
const BIT_STRING: u8 = 0x03;
const OCTET_STRING: u8 = 0x04;
const NULL: u8 = 0x05;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;

/// What an AlgorithmIdentifier says.
pub(super) struct Identifier {
    /// In dotted decimal.
    pub(super) oid: &'static str,
    /// NULL as parameters, where there must be none.
    pub(super) null: bool,
}

impl Identifier {
    pub(super) fn of(algorithm: Algorithm) -> Self {
        Identifier { oid: algorithm.parameters().oid, null: false }
    }

    fn to_der(&self) -> Vec<u8> {
        let parameters = if self.null { element(NULL, &[]) } else { Vec::new() };
        element(SEQUENCE, &[element(OBJECT_IDENTIFIER, &arcs(self.oid)), parameters].concat())
    }
}

/// PrivateKeyInfo, version 1 (RFC 5958). `content` stands inside of the privateKey OCTET STRING.
pub(super) fn private_key_info(identifier: &Identifier, content: &[u8]) -> Vec<u8> {
    let version = element(INTEGER, &[0]);
    element(SEQUENCE, &[version, identifier.to_der(), octets(content)].concat())
}

/// SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7), whose BIT STRING says that it leaves this many bits
/// unused.
pub(super) fn public_key_info(identifier: &Identifier, unused_bits: u8, key: &[u8]) -> Vec<u8> {
    let bits = element(BIT_STRING, &[&[unused_bits], key].concat());
    element(SEQUENCE, &[identifier.to_der(), bits].concat())
}

/// An OCTET STRING.
pub(super) fn octets(content: &[u8]) -> Vec<u8> {
    element(OCTET_STRING, content)
}

/// `both SEQUENCE { seed OCTET STRING, expandedKey OCTET STRING }` of RFC 9881 section 6.
pub(super) fn both(seed: &[u8], expanded: &[u8]) -> Vec<u8> {
    element(SEQUENCE, &[octets(seed), octets(expanded)].concat())
}

/// Tag, length and content. Lengths of 128 and more take their count of bytes first.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len().to_be_bytes();
    let significant = &length[length.iter().take_while(|byte| **byte == 0).count()..];
    let mut der = vec![tag];
    match (significant, u8::try_from(significant.len())) {
        ([], _) => der.push(0),
        ([short @ ..0x80], _) => der.push(*short),
        (_, count) => {
            der.push(0x80 | count.unwrap_or(u8::MAX));
            der.extend_from_slice(significant);
        }
    }
    der.extend_from_slice(content);
    der
}

/// The content of an OBJECT IDENTIFIER: the first two arcs in one number, every number in base 128, high
/// digits first and marked (X.690 section 8.19).
fn arcs(dotted: &str) -> Vec<u8> {
    let numbers: Vec<u32> = dotted.split('.').filter_map(|arc| arc.parse().ok()).collect();
    let (first, rest) = numbers.split_at(numbers.len().min(2));
    let joined = first.iter().fold(0, |joined, arc| joined * 40 + arc);
    let mut content = Vec::new();
    for number in [joined].iter().chain(rest) {
        for digit in (0..5).rev().filter(|digit| *digit == 0 || number >> (7 * digit) > 0) {
            let low = (number >> (7 * digit)).to_le_bytes()[0] & 0x7f;
            content.push(if digit > 0 { low | 0x80 } else { low });
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use pqsig::{Family, PrivateKey, PrivateKeyForm, encoding};

    use super::*;

    /// `[0]`, IMPLICIT: the form `seed` of RFC 9881 section 6.
    const SEED: u8 = 0x80;

    /// With nothing wrong, the bytes are those that the core writes.
    #[test]
    fn without_a_fault_it_is_the_cores_encoding() {
        for algorithm in Algorithm::all().filter(|algorithm| !algorithm.name().ends_with('s')) {
            let key = PrivateKey::from_seed(algorithm, &vec![7; algorithm.parameters().seed]).unwrap();
            let public = key.public_key();
            let identifier = Identifier::of(algorithm);
            assert_eq!(
                public_key_info(&identifier, 0, public.as_bytes()),
                encoding::public_key_to_der(public),
                "{algorithm}"
            );
            let seed = key.seed().unwrap();
            let contents = match algorithm.family() {
                Family::MlDsa => vec![
                    (PrivateKeyForm::Seed, element(SEED, seed)),
                    (PrivateKeyForm::Expanded, octets(key.expanded())),
                    (PrivateKeyForm::Both, both(seed, key.expanded())),
                ],
                Family::SlhDsa => vec![(PrivateKeyForm::Expanded, key.expanded().to_vec())],
                Family::Ed25519 => vec![(PrivateKeyForm::Seed, octets(seed))],
            };
            for (form, content) in contents {
                let expected = encoding::private_key_to_der(&key, form).unwrap();
                assert_eq!(private_key_info(&identifier, &content), *expected, "{algorithm} {form}");
            }
        }
    }

    #[test]
    fn oids_are_encoded_as_in_x690() {
        assert_eq!(arcs("1.3.101.112"), [0x2b, 0x65, 0x70]);
        assert_eq!(arcs("1.2.840.113549"), [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d]);
        assert_eq!(arcs("2.16.840.1.101.3.4.3.17"), [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x11]);
    }
}
