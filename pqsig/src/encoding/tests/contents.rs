//! What stands inside of the structures: seeds, keys, parameters.

use super::*;
use crate::Family;

#[test]
fn every_form_is_written_as_the_rfcs_say() {
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let (seed, expanded) = (key.seed().unwrap(), key.expanded());
        for (form, content) in [
            (PrivateKeyForm::Seed, tlv(0x80, seed)),
            (PrivateKeyForm::Expanded, tlv(4, expanded)),
            (PrivateKeyForm::Both, sequence(&[&tlv(4, seed), &tlv(4, expanded)])),
        ] {
            let written = private_key_to_der(&key, form).unwrap();
            assert_eq!(*written, pkcs8(algorithm, &content), "{algorithm} {form}");
        }
    }
    let slh = key(Algorithm::SlhDsaShake128f);
    let written = private_key_to_der(&slh, PrivateKeyForm::Expanded).unwrap();
    assert_eq!(*written, pkcs8(slh.algorithm(), slh.expanded()));
    let ed25519 = key(Algorithm::Ed25519);
    let written = private_key_to_der(&ed25519, PrivateKeyForm::Seed).unwrap();
    assert_eq!(*written, pkcs8(ed25519.algorithm(), &tlv(4, ed25519.expanded())));

    for algorithm in ONE_OF_EACH {
        let key = key(algorithm).public_key().clone();
        let expected = spki(algorithm, &[&[0], key.as_bytes()].concat());
        assert_eq!(public_key_to_der(&key), expected, "{algorithm}");
    }
}

/// RFC 9881 section 6, and what `-provparam ml-dsa.output_formats=...` makes OpenSSL write.
#[test]
fn every_form_of_ml_dsa_gives_the_same_key() {
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let (seed, expanded) = (key.seed().unwrap(), key.expanded());
        let with_public = [expanded, key.public_key().as_bytes()].concat();
        for (name, form, content, check) in [
            ("seed-only", PrivateKeyForm::Seed, tlv(0x80, seed), None),
            ("bare-seed", PrivateKeyForm::Seed, seed.to_vec(), None),
            ("priv-only", PrivateKeyForm::Expanded, tlv(4, expanded), Some("t0 and tr recomputed")),
            ("bare-priv", PrivateKeyForm::Expanded, expanded.to_vec(), Some("t0 and tr recomputed")),
            ("oqskeypair", PrivateKeyForm::Expanded, tlv(4, &with_public), Some("public half matches")),
            (
                "seed-priv",
                PrivateKeyForm::Both,
                sequence(&[&tlv(4, seed), &tlv(4, expanded)]),
                Some("seed gives the expanded key"),
            ),
        ] {
            let decoded = read(&pkcs8(algorithm, &content)).unwrap();
            assert_eq!((decoded.encoding, decoded.container), (Encoding::Der, Container::Pkcs8));
            assert_eq!(decoded.form, Some(form), "{algorithm} {name}");
            assert!(check.is_none_or(|check| decoded.checks.contains(&check)), "{algorithm} {name}");
            let read = decoded.into_private().unwrap();
            assert_eq!(read, key, "{algorithm} {name}");
            assert_eq!(read.public_key(), key.public_key(), "{algorithm} {name}");
            assert_eq!(read.seed().is_some(), form != PrivateKeyForm::Expanded, "{algorithm} {name}");
        }
    }
}

/// RFC 8410 section 10.3: version 2, with an attribute and the public key.
#[test]
fn version_2_is_read_and_its_public_half_compared() {
    const EXAMPLE: &[u8] = b"-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
";
    let decoded = read(EXAMPLE).unwrap();
    assert_eq!(decoded.checks, ["parameters absent", "length", "public half matches"]);
    let public = decoded.into_public();
    assert_eq!(public.as_bytes()[..4], [0x19, 0xbf, 0x44, 0x09]);

    for algorithm in ONE_OF_EACH {
        let key = key(algorithm);
        let content = match algorithm.family() {
            Family::MlDsa => tlv(0x80, key.seed().unwrap()),
            Family::SlhDsa => key.expanded().to_vec(),
            Family::Ed25519 => tlv(4, key.expanded()),
        };
        let with = |public: &[u8]| {
            let identifier = sequence(&[&oid(algorithm)]);
            sequence(&[V2, &identifier, &tlv(4, &content), &tlv(0x81, &[&[0], public].concat())])
        };
        let mut public = key.public_key().as_bytes().to_vec();
        assert!(read(&with(&public)).unwrap().checks.contains(&"public half matches"), "{algorithm}");
        public[0] ^= 1;
        let error = read(&with(&public)).unwrap_err();
        assert!(matches!(error, Error::KeyInconsistent { .. }), "{algorithm}: {error}");
        assert!(read(&with(&public[1..])).is_err(), "{algorithm}");
    }
}

#[test]
fn the_public_key_behind_an_expanded_one_is_compared() {
    let key = key(Algorithm::MlDsa44);
    let mut content = [key.expanded(), key.public_key().as_bytes()].concat();
    *content.last_mut().unwrap() ^= 1;
    let error = read(&pkcs8(Algorithm::MlDsa44, &tlv(4, &content))).unwrap_err();
    assert!(matches!(error, Error::KeyInconsistent { algorithm: Algorithm::MlDsa44, .. }), "{error}");
}

/// openssl#26865.
#[test]
fn a_seed_and_an_expanded_key_that_disagree_are_refused() {
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let mut other_seed = key.seed().unwrap().to_vec();
        other_seed[0] ^= 1;
        let content = sequence(&[&tlv(4, &other_seed), &tlv(4, key.expanded())]);
        let error = read(&pkcs8(algorithm, &content)).unwrap_err();
        assert!(matches!(error, Error::KeyInconsistent { .. }), "{algorithm}: {error}");
        assert!(error.to_string().contains(algorithm.name()));
    }
}

/// RustCrypto/signatures#1133: a coefficient of s1 or s2 beyond eta has no encoding, and all ones is one.
#[test]
fn a_malformed_expanded_key_is_an_error_and_no_panic() {
    for algorithm in ML_DSA {
        let length = algorithm.parameters().private_key;
        for bytes in [vec![0xff; length], vec![0; length], (0..length).map(|i| i.to_le_bytes()[0]).collect()]
        {
            for content in [tlv(4, &bytes), bytes] {
                let error = read(&pkcs8(algorithm, &content)).unwrap_err();
                assert!(matches!(error, Error::KeyInconsistent { .. }), "{algorithm}: {error}");
                assert!(error.to_string().contains(algorithm.name()), "{error}");
            }
        }
    }
}

/// openssl#31055.
#[test]
fn a_flipped_bit_in_pk_root_is_refused() {
    let algorithm = Algorithm::SlhDsaSha2_128f;
    let key = key(algorithm);
    let decoded = read(&pkcs8(algorithm, key.expanded())).unwrap();
    assert_eq!(decoded.checks, ["parameters absent", "length", "PK.root recomputed"]);
    for bit in [0, 127] {
        let mut bytes = key.expanded().to_vec();
        bytes[48 + bit / 8] ^= 1 << (bit % 8);
        let error = read(&pkcs8(algorithm, &bytes)).unwrap_err();
        assert!(matches!(error, Error::KeyInconsistent { .. }), "{error}");
        assert!(error.to_string().contains("SLH-DSA-SHA2-128f"), "{error}");
    }
}

#[test]
fn lengths_that_are_off_by_one_are_named() {
    use Algorithm::{Ed25519, MlDsa65, SlhDsaSha2_128f};
    let zeros = |length| vec![0; length];
    for (algorithm, content) in [
        (MlDsa65, tlv(0x80, &zeros(31))),
        (MlDsa65, tlv(0x80, &zeros(33))),
        (MlDsa65, tlv(4, &zeros(4031))),
        (MlDsa65, tlv(4, &zeros(4033))),
        (MlDsa65, sequence(&[&tlv(4, &zeros(31)), &tlv(4, &zeros(4032))])),
        (MlDsa65, sequence(&[&tlv(4, &zeros(32)), &tlv(4, &zeros(4031))])),
        (SlhDsaSha2_128f, zeros(63)),
        (SlhDsaSha2_128f, zeros(65)),
        (Ed25519, tlv(4, &zeros(31))),
        (Ed25519, tlv(4, &zeros(33))),
    ] {
        let error = read(&pkcs8(algorithm, &content)).unwrap_err();
        assert!(matches!(error, Error::SeedLength { .. } | Error::KeyLength { .. }), "{error}");
        assert!(error.to_string().contains(algorithm.name()), "{error}");
    }
    for content in [
        vec![],
        zeros(31),
        zeros(4031),
        tlv(5, &[]),
        tlv(0xa0, &tlv(4, &zeros(32))),
        [tlv(0x80, &zeros(32)), vec![0]].concat(),
        sequence(&[&tlv(4, &zeros(32))]),
        sequence(&[&tlv(4, &zeros(32)), &tlv(4, &zeros(4032)), NULL]),
    ] {
        let error = read(&pkcs8(MlDsa65, &content)).unwrap_err();
        assert!(matches!(error, Error::Malformed { .. }), "{error}");
        assert!(error.to_string().contains("ML-DSA-65"), "{error}");
    }
    // Ed25519's seed without its own OCTET STRING.
    assert!(matches!(read(&pkcs8(Ed25519, &zeros(32))), Err(Error::Malformed { .. })));
}

#[test]
fn parameters_are_refused_even_if_they_are_null() {
    for algorithm in ONE_OF_EACH {
        let key = key(algorithm);
        for parameters in [NULL, &tlv(4, b"x")] {
            let identifier = sequence(&[&oid(algorithm), parameters]);
            let private = sequence(&[V1, &identifier, &tlv(4, key.expanded())]);
            let public = sequence(&[&identifier, &tlv(3, &[&[0], key.public_key().as_bytes()].concat())]);
            for file in [private, public] {
                let error = read(&file).unwrap_err();
                assert!(matches!(error, Error::ParametersPresent { .. }), "{algorithm}: {error}");
                assert!(error.to_string().contains(algorithm.name()));
            }
        }
    }
}

/// openssl#27669.
#[test]
fn a_malformed_public_key_is_named() {
    for algorithm in ONE_OF_EACH {
        let key = key(algorithm);
        let bytes = key.public_key().as_bytes();
        let good = spki(algorithm, &[&[0], bytes].concat());
        assert_eq!(read(&good).unwrap().into_public(), *key.public_key());
        let trailing = [&good[..], &[0]].concat();
        let longer = [&[0], bytes, &[0]].concat();
        for bad in [
            spki(algorithm, &[&[0], &bytes[1..]].concat()),
            spki(algorithm, &longer),
            spki(algorithm, &[&[1], &bytes[1..], &[0]].concat()),
            spki(algorithm, &[]),
            spki(algorithm, &[8, 1]),
            good[..good.len() - 1].to_vec(),
            good[..20].to_vec(),
            trailing,
        ] {
            let error = read(&bad).unwrap_err();
            assert!(error.to_string().contains(algorithm.name()), "{error}");
        }
    }
    // y = 2 belongs to no point.
    let mut no_point = [0; 33];
    no_point[1] = 2;
    assert!(matches!(read(&spki(Algorithm::Ed25519, &no_point)), Err(Error::PublicKeyInvalid { .. })));
}
