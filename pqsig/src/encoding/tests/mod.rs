//! Files built byte by byte, so that reading and writing can't share a misunderstanding.

mod contents;

use super::*;
use crate::key::SecretBytes;

/// One DER element.
pub(super) fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = content.len();
    let mut element = vec![tag];
    match u8::try_from(length) {
        Ok(short @ ..=127) => element.push(short),
        Ok(byte) => element.extend([0x81, byte]),
        Err(_) => {
            element.push(0x82);
            element.extend(u16::try_from(length).unwrap().to_be_bytes());
        }
    }
    element.extend(content);
    element
}

pub(super) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tlv(0x30, &parts.concat())
}

const OID_ED25519: &[u8] = &[0x06, 3, 0x2b, 0x65, 0x70];
const V1: &[u8] = &[2, 1, 0];
const V2: &[u8] = &[2, 1, 1];
const NULL: &[u8] = &[5, 0];

/// Last arcs under 2.16.840.1.101.3.4.3: 17 to 19 ML-DSA, 20 to 31 SLH-DSA.
fn oid(algorithm: Algorithm) -> Vec<u8> {
    if algorithm == Algorithm::Ed25519 {
        return OID_ED25519.to_vec();
    }
    let arc = 17 + u8::try_from(Algorithm::all().position(|other| other == algorithm).unwrap()).unwrap();
    nist_oid(arc)
}

fn nist_oid(arc: u8) -> Vec<u8> {
    [&[0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3][..], &[arc]].concat()
}

fn pkcs8(algorithm: Algorithm, content: &[u8]) -> Vec<u8> {
    sequence(&[V1, &sequence(&[&oid(algorithm)]), &tlv(4, content)])
}

fn spki(algorithm: Algorithm, bit_string: &[u8]) -> Vec<u8> {
    sequence(&[&sequence(&[&oid(algorithm)]), &tlv(3, bit_string)])
}

fn key(algorithm: Algorithm) -> PrivateKey {
    let length = u8::try_from(algorithm.parameters().seed).unwrap();
    PrivateKey::from_seed(algorithm, &(0..length).collect::<Vec<_>>()).unwrap()
}

/// Reads a file that is not encrypted.
fn read(input: &[u8]) -> Result<Decoded, Error> {
    decode(input, &mut || panic!("a passphrase was asked for a key that is not encrypted"))
}

fn read_private(input: &[u8]) -> PrivateKey {
    read(input).unwrap().into_private().unwrap()
}

const ML_DSA: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87];
const ONE_OF_EACH: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519];

#[test]
fn other_algorithms_are_named() {
    let rsa: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
    let ec: &[u8] = &[6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
    let ml_kem: &[u8] = &[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 4, 2];
    for (oid, name) in [
        (rsa, "RSA"),
        (ec, "elliptic curve"),
        (ml_kem, "ML-KEM-768"),
        (&[6, 3, 0x2b, 0x65, 0x71], "Ed448"),
        (&nist_oid(33), "ML-DSA-65 for pre-hashed"),
        (&nist_oid(46), "SLH-DSA-SHAKE-256f for pre-hashed"),
        (&nist_oid(47), "2.16.840.1.101.3.4.3.47"),
        (&nist_oid(16), "2.16.840.1.101.3.4.3.16"),
    ] {
        let identifier = sequence(&[oid, NULL]);
        for file in
            [sequence(&[V1, &identifier, &tlv(4, &[0; 32])]), sequence(&[&identifier, &tlv(3, &[0; 33])])]
        {
            let error = read(&file).unwrap_err();
            assert!(matches!(error, Error::UnknownOid { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error} should name {name}");
        }
    }
}

#[test]
fn der_is_strict() {
    let key = key(Algorithm::Ed25519);
    let good = private_key_to_der(&key, PrivateKeyForm::Seed).unwrap();
    let with_length = |length: &[u8]| [&[0x30], length, &good[2..]].concat();
    let length = good[1];
    for bad in [
        with_length(&[0x81, length]),
        with_length(&[0x82, 0, length]),
        with_length(&[0x80]),
        [&with_length(&[0x80])[..], &[0, 0]].concat(),
        with_length(&[length - 1]),
        with_length(&[length + 1]),
        with_length(&[0x84, 0xff, 0xff, 0xff, 0xff]),
        [&good[..], &[0]].concat(),
        [&good[..], b"\n"].concat(),
        sequence(&[&[2, 2, 0, 0], &good[5..]]),
        sequence(&[&[2, 1, 2], &good[5..]]),
        sequence(&[V2, &good[5..]]),
    ] {
        let error = read(&bad).unwrap_err();
        assert!(matches!(error, Error::Malformed { .. }), "{error}");
    }
    for cut in 0..good.len() {
        assert!(matches!(read(&good[..cut]), Err(Error::Malformed { .. })), "cut at {cut}");
    }
}

#[test]
fn things_that_are_no_key_of_ours_are_named() {
    let rsa = sequence(&[V1, &[2, 1, 5], &[2, 1, 3]]);
    let ec = sequence(&[&[2, 1, 1], &tlv(4, &[1; 32])]);
    let pkcs12 = sequence(&[&[2, 1, 3], &sequence(&[]), &sequence(&[])]);
    let cms = sequence(&[OID_ED25519, &tlv(0xa0, &[])]);
    let signed = |last: &[u8]| {
        let names = sequence(&[]);
        sequence(&[&sequence(&[V1, &names, &names, last]), &names, &tlv(3, &[0])])
    };
    let (request, list) = (signed(&tlv(0xa0, &[])), signed(&tlv(0x17, b"261201000000Z")));
    for (file, name) in [
        (rsa, "PKCS#1"),
        (ec, "SEC 1"),
        (pkcs12, "PKCS#12"),
        (cms, "CMS"),
        (request, "request"),
        (list, "revoked"),
    ] {
        let error = read(&file).unwrap_err();
        assert!(matches!(error, Error::WrongKind { .. }), "{error}");
        assert!(error.to_string().contains(name), "{error}");
    }
    for file in [&b""[..], b"hello", &[0x30], &[0x30, 0], &tlv(4, b"x"), &[0xff, 0xfe, b'-', 0], &[0; 64]] {
        assert!(matches!(read(file), Err(Error::Malformed { .. })), "{file:?}");
    }
}

#[test]
fn a_private_key_is_not_made_of_a_public_one() {
    let public = public_key_to_pem(key(Algorithm::Ed25519).public_key());
    let error = read(public.as_bytes()).unwrap().into_private().unwrap_err();
    assert!(matches!(error, Error::WrongKind { wanted: "private key", found: "public key" }), "{error}");
}

/// pyca/cryptography#14947.
#[test]
fn forms_that_a_key_does_not_allow_are_refused() {
    use PrivateKeyForm::{Both, Expanded, Seed};
    let seedless = PrivateKey::from_expanded(Algorithm::MlDsa44, key(Algorithm::MlDsa44).expanded()).unwrap();
    let slh = key(Algorithm::SlhDsaSha2_128f);
    let ed25519 = key(Algorithm::Ed25519);
    for (key, form) in [
        (&seedless, Seed),
        (&seedless, Both),
        (&slh, Seed),
        (&slh, Both),
        (&ed25519, Expanded),
        (&ed25519, Both),
    ] {
        let errors = [
            private_key_to_der(key, form).unwrap_err(),
            private_key_to_pem(key, form).unwrap_err(),
            private_key_to_encrypted_der(key, form, b"secret").unwrap_err(),
            private_key_to_encrypted_pem(key, form, b"secret").unwrap_err(),
        ];
        for error in errors {
            assert!(matches!(error, Error::FormUnavailable { .. }), "{error}");
            assert!(error.to_string().contains(key.algorithm().name()), "{error}");
        }
    }
    assert!(private_key_to_der(&seedless, Expanded).is_ok());
}

#[test]
fn a_pem_block_holds_what_its_label_says() {
    let key = key(Algorithm::Ed25519);
    let private = private_key_to_pem(&key, PrivateKeyForm::Seed).unwrap();
    let relabelled = private.replace("PRIVATE KEY", "PUBLIC KEY");
    let error = read(relabelled.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("private key"), "{error}");
    let relabelled = private.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    assert!(matches!(read(relabelled.as_bytes()), Err(Error::Malformed { .. })));
}

#[test]
fn encrypted_keys_open_with_their_passphrase_only() {
    let key = key(Algorithm::Ed25519);
    let passphrase = |word: &'static [u8]| move || Ok(SecretBytes::new(word.to_vec()));
    let pem = private_key_to_encrypted_pem(&key, PrivateKeyForm::Seed, b"correct horse").unwrap();
    assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));

    let opened = decode(pem.as_bytes(), &mut passphrase(b"correct horse")).unwrap();
    assert_eq!((opened.encoding, opened.container), (Encoding::Pem, Container::EncryptedPkcs8));
    assert_eq!(opened.form, Some(PrivateKeyForm::Seed));
    assert_eq!(opened.into_private().unwrap(), key);

    for wrong in [&b"correct hors"[..], b"", b"correct horse "] {
        assert!(matches!(decode(pem.as_bytes(), &mut passphrase(wrong)), Err(Error::PassphraseWrong)));
    }
    let missing = decode(pem.as_bytes(), &mut || Err(Error::PassphraseMissing));
    assert!(matches!(missing, Err(Error::PassphraseMissing)));

    let again = private_key_to_encrypted_pem(&key, PrivateKeyForm::Seed, b"correct horse").unwrap();
    assert_ne!(pem, again, "salt and initialization vector are fresh each time");
    let empty = private_key_to_encrypted_der(&key, PrivateKeyForm::Seed, b"");
    assert!(matches!(empty, Err(Error::PassphraseUnavailable { .. })));
}

#[test]
fn pem_is_written_in_lines_of_64() {
    let key = key(Algorithm::MlDsa44);
    let pem = private_key_to_pem(&key, PrivateKeyForm::Both).unwrap();
    let lines: Vec<_> = pem.lines().collect();
    let (body, last) = (&lines[1..lines.len() - 2], lines[lines.len() - 2]);
    assert_eq!(lines[0], "-----BEGIN PRIVATE KEY-----");
    assert_eq!(lines[lines.len() - 1], "-----END PRIVATE KEY-----");
    assert!(body.iter().all(|line| line.len() == 64) && (1..=64).contains(&last.len()));
    assert!(pem.ends_with("-----\n") && !pem.contains('\r'));
    assert_eq!(read_private(pem.as_bytes()), key);
}
