//! Keys and certificates, in both directions.

use pqsig::encoding::{self, Container, Encoding};
use pqsig::inspect::{Kind, inspect};
use pqsig::{Algorithm, Error, Family, PrivateKeyForm, SecretBytes};

use crate::peer::Peer;
use crate::{ML_DSA, PASSPHRASE, SIGNERS, decode, key};

#[test]
fn keys_of_every_algorithm_are_read() {
    let peer = Peer::new();
    for algorithm in Algorithm::all() {
        peer.run(&format!("genpkey -algorithm {algorithm} -out key.pem"));
        peer.run("pkey -in key.pem -outform DER -out key.der");
        peer.run("pkey -in key.pem -pubout -out pub.pem");
        let public = peer.public_der("key.pem");
        peer.write("pub.der", &public);

        for (name, encoding, container) in [
            ("key.pem", Encoding::Pem, Container::Pkcs8),
            ("key.der", Encoding::Der, Container::Pkcs8),
            ("pub.pem", Encoding::Pem, Container::SubjectPublicKeyInfo),
            ("pub.der", Encoding::Der, Container::SubjectPublicKeyInfo),
        ] {
            let decoded = peer.decode(name);
            assert_eq!((decoded.encoding, decoded.container), (encoding, container), "{algorithm} {name}");
            let read = decoded.into_public();
            assert_eq!(read.algorithm(), algorithm, "{name}");
            assert_eq!(encoding::public_key_to_der(&read), public, "{algorithm} {name}");
        }

        let digest = String::from_utf8(peer.run("dgst -sha256 -r pub.der")).unwrap();
        let fingerprint = peer.decode("pub.der").into_public().fingerprint().to_string();
        assert_eq!(digest.split_whitespace().next(), Some(&*fingerprint), "{algorithm}");
    }
}

/// The formats that OpenSSL's ML-DSA key encoder can be told to write.
#[test]
fn every_format_of_ml_dsa_is_read() {
    let peer = Peer::new();
    let formats = [
        ("seed-priv", PrivateKeyForm::Both),
        ("priv-only", PrivateKeyForm::Expanded),
        ("oqskeypair", PrivateKeyForm::Expanded),
        ("seed-only", PrivateKeyForm::Seed),
        ("bare-priv", PrivateKeyForm::Expanded),
        ("bare-seed", PrivateKeyForm::Seed),
    ];
    for algorithm in ML_DSA {
        for (format, form) in formats {
            let option = format!("-provparam ml-dsa.output_formats={format}");
            peer.run(&format!("genpkey -algorithm {algorithm} {option} -out key.pem"));
            peer.run(&format!("pkey -in key.pem {option} -outform DER -out key.der"));
            let public = peer.public_der("key.pem");
            for name in ["key.pem", "key.der"] {
                let decoded = peer.decode(name);
                assert_eq!(decoded.form, Some(form), "{algorithm} {format} {name}");
                assert_eq!(
                    encoding::public_key_to_der(&decoded.into_public()),
                    public,
                    "{algorithm} {format}"
                );
            }
        }
    }
}

#[test]
fn encrypted_keys_are_read() {
    let peer = Peer::new();
    let encrypt = "-topk8 -passout env:PASSPHRASE -in plain.pem -out key.pem";
    for algorithm in SIGNERS {
        peer.run(&format!("genpkey -algorithm {algorithm} -out plain.pem"));
        let public = peer.public_der("plain.pem");
        for (command, words) in [
            (
                "pkey -in plain.pem -aes-128-cbc -passout env:PASSPHRASE -out key.pem".to_owned(),
                "AES-128-CBC",
            ),
            (
                "pkey -in plain.pem -aes-256-cbc -passout env:PASSPHRASE -out key.pem".to_owned(),
                "AES-256-CBC",
            ),
            ("pkey -in plain.pem -des3 -passout env:PASSPHRASE -out key.pem".to_owned(), "3DES-CBC"),
            (format!("pkcs8 {encrypt} -v2 aes-192-cbc"), "AES-192-CBC"),
            (format!("pkcs8 {encrypt} -scrypt"), "scrypt, N=16384, r=8, p=1"),
            (format!("pkcs8 {encrypt} -v2prf hmacWithSHA1 -iter 3000"), "HMAC-SHA1, 3000 iterations"),
            (format!("pkcs8 {encrypt} -v2prf hmacWithSHA224"), "HMAC-SHA224"),
            (format!("pkcs8 {encrypt} -v2prf hmacWithSHA384"), "HMAC-SHA384"),
            (format!("pkcs8 {encrypt} -v2prf hmacWithSHA512"), "HMAC-SHA512"),
        ] {
            peer.run(&command);
            let decoded = peer.decode("key.pem");
            assert_eq!(decoded.container, Container::EncryptedPkcs8, "{algorithm} {command}");
            assert_eq!(encoding::public_key_to_der(&decoded.into_public()), public, "{algorithm} {command}");

            let file = peer.read("key.pem");
            let found = inspect(&file, &mut || Err(Error::PassphraseMissing)).unwrap();
            assert_eq!(found.kind, Kind::EncryptedPrivateKey);
            let described = found.encryption.unwrap().to_string();
            assert!(described.contains(words), "{described} should say {words}");

            let wrong = encoding::decode(&file, &mut || Ok(SecretBytes::new(b"wrong".to_vec())));
            assert!(matches!(wrong, Err(Error::PassphraseWrong)), "{algorithm} {command}");
        }
        peer.run(&format!("pkcs8 {encrypt} -outform DER"));
        let decoded = peer.decode("key.pem");
        assert_eq!((decoded.encoding, decoded.container), (Encoding::Der, Container::EncryptedPkcs8));
        assert_eq!(encoding::public_key_to_der(&decoded.into_public()), public);
    }
}

#[test]
fn encryption_that_is_not_opened_is_named() {
    let peer = Peer::new();
    peer.run("genpkey -algorithm ED25519 -out plain.pem");
    for (option, name) in [
        ("-v1 PBE-SHA1-3DES", "PKCS#12"),
        ("-v2prf hmacWithSHA512-256", "HMAC-SHA512/256"),
        ("-iter 10000001", "10000001 iterations"),
    ] {
        peer.run(&format!("pkcs8 -topk8 -passout env:PASSPHRASE -in plain.pem -out key.pem {option}"));
        let error = decode(&peer.read("key.pem")).unwrap_err();
        assert!(matches!(error, Error::EncryptionUnsupported { .. }), "{option}: {error}");
        assert!(error.to_string().contains(name), "{error}");
    }
}

#[test]
fn certificates_are_read_as_public_keys() {
    let peer = Peer::new();
    for algorithm in SIGNERS {
        peer.run(&format!("genpkey -algorithm {algorithm} -out key.pem"));
        peer.run("req -x509 -new -key key.pem -subj /CN=signer -days 30 -out plain.pem");
        // Extensions, a large serial number, and the text before the block.
        peer.run(
            "req -x509 -new -key key.pem -subj /C=CH/O=Prüfstelle/CN=signer -utf8 -days 30000 \
             -set_serial 0x7fffffffffffffffffffffffffffffffffffffff \
             -addext subjectAltName=DNS:example.org -addext keyUsage=critical,digitalSignature -text -out text.pem",
        );
        peer.run("x509 -in text.pem -outform DER -out cert.der");
        assert!(!peer.read("text.pem").starts_with(b"-----BEGIN"));
        let public = peer.public_der("key.pem");
        for name in ["plain.pem", "text.pem", "cert.der"] {
            let decoded = peer.decode(name);
            assert_eq!(decoded.container, Container::Certificate, "{algorithm} {name}");
            assert_eq!(encoding::public_key_to_der(&decoded.into_public()), public, "{algorithm} {name}");
        }
    }
    for form in ["PEM", "DER"] {
        peer.run(&format!("req -new -key key.pem -subj /CN=signer -outform {form} -out request"));
        let error = decode(&peer.read("request")).unwrap_err();
        assert!(
            matches!(error, Error::WrongKind { .. }) && error.to_string().contains("openssl req"),
            "{error}"
        );
    }
    peer.run("genpkey -algorithm RSA -out rsa.pem");
    peer.run("req -x509 -new -key rsa.pem -subj /CN=rsa -out rsa-cert.pem");
    for name in ["rsa.pem", "rsa-cert.pem"] {
        let error = decode(&peer.read(name)).unwrap_err();
        assert!(matches!(error, Error::UnknownOid { .. }) && error.to_string().contains("RSA"), "{error}");
    }
}

#[test]
fn text_after_the_key_is_refused_with_the_reason() {
    let peer = Peer::new();
    peer.run("genpkey -algorithm ML-DSA-44 -out key.pem");
    let with_text = peer.run("pkey -in key.pem -text");
    let error = decode(&with_text).unwrap_err();
    assert!(error.to_string().contains("openssl pkey -text"), "{error}");
}

#[test]
fn keys_of_every_algorithm_and_form_are_written_for_it() {
    let peer = Peer::new();
    let mut files = 0;
    for key in Algorithm::all().map(key) {
        let algorithm = key.algorithm();
        let public = encoding::public_key_to_der(key.public_key());
        for form in key.forms().iter().copied() {
            let der = encoding::private_key_to_der(&key, form).unwrap();
            let pem = encoding::private_key_to_pem(&key, form).unwrap();
            let passphrase = PASSPHRASE.as_bytes();
            let encrypted_der = encoding::private_key_to_encrypted_der(&key, form, passphrase).unwrap();
            let encrypted_pem = encoding::private_key_to_encrypted_pem(&key, form, passphrase).unwrap();
            for (name, bytes) in [
                ("key.der", &der[..]),
                ("key.pem", pem.as_bytes()),
                ("encrypted.der", &encrypted_der),
                ("encrypted.pem", encrypted_pem.as_bytes()),
            ] {
                peer.write(name, bytes);
                assert_eq!(peer.public_der(name), public, "{algorithm} {form} {name}");
                files += 1;
            }
            for name in ["key.der", "key.pem"] {
                peer.run(&format!("pkey -in {name} -check -noout"));
            }
            // What the command writes itself, in the same form, is the same file.
            let format = match form {
                PrivateKeyForm::Seed => "seed-only",
                PrivateKeyForm::Expanded => "priv-only",
                PrivateKeyForm::Both => "seed-priv",
            };
            let option = match algorithm.family() {
                Family::MlDsa => format!("-provparam ml-dsa.output_formats={format}"),
                _ => String::new(),
            };
            assert_eq!(
                peer.run(&format!("pkey -in key.pem -outform DER {option}")),
                *der,
                "{algorithm} {form}"
            );
            assert_eq!(peer.run(&format!("pkey -in key.pem {option}")), pem.as_bytes(), "{algorithm} {form}");
            assert!(peer.output("pkey -in encrypted.pem -passin pass:wrong -noout").status.code() != Some(0));
        }
        peer.write("pub.der", &public);
        peer.write("pub.pem", encoding::public_key_to_pem(key.public_key()).as_bytes());
        for name in ["pub.der", "pub.pem"] {
            assert_eq!(
                peer.run(&format!("pkey -pubin -in {name} -outform DER")),
                public,
                "{algorithm} {name}"
            );
            files += 1;
        }
        assert_eq!(peer.run("pkey -pubin -in pub.der"), peer.read("pub.pem"), "{algorithm}");
    }
    assert_eq!(files, 4 * (3 * 3 + 13) + 2 * 16);
}

/// The command finds PK.root wrong only when it is asked to check; we always are.
#[test]
fn keys_that_contradict_themselves_are_refused_by_both() {
    let peer = Peer::new();
    for algorithm in ML_DSA {
        let key = key(algorithm);
        let mut der = encoding::private_key_to_der(&key, PrivateKeyForm::Both).unwrap();
        // The seed is the first OCTET STRING within the SEQUENCE within the privateKey.
        let seed = der.windows(32).position(|window| window == key.seed().unwrap()).unwrap();
        der[seed] ^= 1;
        peer.write("key.der", &der);
        assert!(!peer.output("pkey -in key.der -noout").status.success(), "{algorithm}");
        assert!(matches!(decode(&der), Err(Error::KeyInconsistent { .. })), "{algorithm}");
    }
    let key = key(Algorithm::SlhDsaSha2_128f);
    let mut der = encoding::private_key_to_der(&key, PrivateKeyForm::Expanded).unwrap();
    *der.last_mut().unwrap() ^= 1;
    peer.write("key.der", &der);
    assert!(!peer.output("pkey -in key.der -check -noout").status.success());
    assert!(matches!(decode(&der), Err(Error::KeyInconsistent { .. })));
}
