use super::*;
use crate::encoding::{
    private_key_to_der, private_key_to_encrypted_pem, private_key_to_pem, public_key_to_der,
    public_key_to_pem,
};
use crate::{Message, PrivateKey, Randomness, SecretBytes, backend};

fn key(algorithm: Algorithm) -> PrivateKey {
    PrivateKey::from_seed(algorithm, &vec![5; algorithm.parameters().seed]).unwrap()
}

fn signature(key: &PrivateKey) -> Vec<u8> {
    let signer = backend::by_name("rustcrypto").unwrap().signing_key(key).unwrap();
    signer.sign(&Message::pure(b"message"), Randomness::Deterministic).unwrap()
}

/// Looks without a passphrase.
fn look(input: &[u8]) -> Inspection {
    try_look(input).unwrap()
}

fn try_look(input: &[u8]) -> Result<Inspection, Error> {
    inspect(input, &mut || Err(Error::PassphraseMissing))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[test]
fn a_private_key_is_described() {
    let key = key(Algorithm::MlDsa44);
    let pem = private_key_to_pem(&key, PrivateKeyForm::Both).unwrap();
    let found = look(pem.as_bytes());
    assert_eq!(found.kind, Kind::PrivateKey);
    assert_eq!(found.algorithm, Some(Algorithm::MlDsa44));
    assert_eq!((found.encoding, found.container), (Some(Encoding::Pem), Some(Container::Pkcs8)));
    assert_eq!(found.form, Some(PrivateKeyForm::Both));
    assert_eq!(found.forms, key.forms());
    assert_eq!(found.fingerprint, Some(key.public_key().fingerprint()));
    assert_eq!(found.checks, ["parameters absent", "length", "seed gives the expanded key"]);
    let der = private_key_to_der(&key, PrivateKeyForm::Both).unwrap();
    assert_eq!((found.size, found.content_size), (pem.len(), der.len()));
    assert_eq!(found.problem, None);
    assert_eq!(found.candidates, []);
}

#[test]
fn a_public_key_is_described() {
    let key = key(Algorithm::Ed25519);
    let found = look(&public_key_to_der(key.public_key()));
    assert_eq!((found.kind, found.algorithm), (Kind::PublicKey, Some(Algorithm::Ed25519)));
    assert_eq!(found.checks, ["parameters absent", "length", "point decodes"]);
    assert_eq!(found.fingerprint, Some(key.public_key().fingerprint()));
    assert_eq!((found.form, found.forms), (None, &[][..]));
}

#[test]
fn an_encrypted_key_is_described_as_far_as_the_passphrase_goes() {
    let key = key(Algorithm::Ed25519);
    let pem = private_key_to_encrypted_pem(&key, PrivateKeyForm::Seed, b"secret").unwrap();
    let closed = look(pem.as_bytes());
    assert_eq!((closed.kind, closed.algorithm), (Kind::EncryptedPrivateKey, None));
    assert_eq!(closed.problem, None);
    assert_eq!(
        closed.encryption.unwrap().to_string(),
        "PBES2, PBKDF2-HMAC-SHA256, 600000 iterations, AES-256-CBC"
    );

    let open = inspect(pem.as_bytes(), &mut || Ok(SecretBytes::new(b"secret".to_vec()))).unwrap();
    assert_eq!((open.kind, open.algorithm), (Kind::EncryptedPrivateKey, Some(Algorithm::Ed25519)));
    assert_eq!(open.fingerprint, Some(key.public_key().fingerprint()));
    assert!(open.encryption.is_some());

    let wrong = inspect(pem.as_bytes(), &mut || Ok(SecretBytes::new(b"Secret".to_vec())));
    assert!(matches!(wrong, Err(Error::PassphraseWrong)));
}

#[test]
fn a_broken_key_is_named_with_its_problem() {
    let slh = key(Algorithm::SlhDsaSha2_128f);
    let mut der = private_key_to_der(&slh, PrivateKeyForm::Expanded).unwrap();
    *der.last_mut().unwrap() ^= 1;
    let found = look(&der);
    assert_eq!((found.kind, found.algorithm), (Kind::PrivateKey, Some(Algorithm::SlhDsaSha2_128f)));
    assert_eq!(found.form, Some(PrivateKeyForm::Expanded));
    assert!(found.problem.unwrap().contains("PK.root"));
    assert_eq!(found.checks, ["parameters absent"]);
    assert_eq!(found.fingerprint, None);

    let cut = public_key_to_der(slh.public_key());
    let found = look(&cut[..cut.len() - 3]);
    assert_eq!(found.algorithm, Some(Algorithm::SlhDsaSha2_128f));
    assert!(found.problem.unwrap().contains("it ends before"));
}

#[test]
fn what_is_not_ours_is_an_error() {
    assert!(matches!(try_look(b""), Err(Error::Malformed { .. })));
    let pem = public_key_to_pem(key(Algorithm::Ed25519).public_key());
    assert!(matches!(try_look(&pem.as_bytes()[..40]), Err(Error::Malformed { .. })));
    let legacy = pem.replace("PUBLIC KEY", "RSA PRIVATE KEY");
    assert!(matches!(try_look(legacy.as_bytes()), Err(Error::WrongKind { .. })));
    // SEQUENCE { SEQUENCE { OID of X25519 }, BIT STRING }
    let x25519 = [0x30, 11, 0x30, 5, 6, 3, 0x2b, 0x65, 0x6e, 3, 2, 0, 1];
    assert!(matches!(try_look(&x25519), Err(Error::UnknownOid { .. })));
}

#[test]
fn a_signature_is_known_by_length_and_structure() {
    for algorithm in [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87] {
        let mut bytes = signature(&key(algorithm));
        let found = look(&bytes);
        assert_eq!((found.kind, found.algorithm), (Kind::Signature, Some(algorithm)));
        assert_eq!(found.problem, None);
        let [candidate] = &found.candidates[..] else { panic!("{:?}", found.candidates) };
        assert!(candidate.to_string().contains("well formed"), "{candidate}");

        // The last byte counts the hint's positions, at most 80.
        *bytes.last_mut().unwrap() = 81;
        let found = look(&bytes);
        assert_eq!((found.kind, found.algorithm), (Kind::RawBytes, None));
        assert!(found.problem.unwrap().contains("hint"));
    }

    let slh = signature(&key(Algorithm::SlhDsaSha2_128f));
    let found = look(&slh);
    assert_eq!((found.kind, found.algorithm), (Kind::Signature, None));
    assert_eq!(found.candidates[0].algorithms, [Algorithm::SlhDsaSha2_128f, Algorithm::SlhDsaShake128f]);
    assert_eq!(found.candidates[0].fit, Fit::AnyBytes);

    let found = look(&signature(&key(Algorithm::Ed25519)));
    let signed = &found.candidates[0];
    assert_eq!((signed.role, &signed.algorithms[..]), (Role::Signature, &[Algorithm::Ed25519][..]));
    assert!(matches!(signed.fit, Fit::WellFormed(_)));
}

#[test]
fn raw_keys_are_known_by_what_they_say_twice() {
    for algorithm in [Algorithm::MlDsa65, Algorithm::SlhDsaShake128f] {
        let key = key(algorithm);
        let found = look(key.expanded());
        let best = &found.candidates[0];
        assert_eq!((best.role, &best.algorithms[..]), (Role::PrivateKey, &[algorithm][..]));
        assert!(matches!(best.fit, Fit::WellFormed(_)), "{best}");

        let mut spoilt = key.expanded().to_vec();
        *spoilt.last_mut().unwrap() ^= 1;
        let still_private = look(&spoilt).candidates.iter().any(|candidate| {
            candidate.role == Role::PrivateKey && matches!(candidate.fit, Fit::WellFormed(_))
        });
        assert!(!still_private, "{algorithm}");
    }
    let found = look(key(Algorithm::MlDsa87).public_key().as_bytes());
    assert_eq!((found.kind, found.algorithm), (Kind::RawBytes, Some(Algorithm::MlDsa87)));
    assert_eq!(found.candidates[0].role, Role::PublicKey);
}

/// 32 bytes can be a seed of ML-DSA, a public key of four SLH-DSA sets, and either half of Ed25519.
#[test]
fn all_that_a_length_can_be_is_listed() {
    let public = key(Algorithm::Ed25519).public_key().as_bytes().to_vec();
    let found = look(&public);
    assert_eq!((found.kind, found.algorithm), (Kind::RawBytes, None));
    let listed: Vec<_> =
        found.candidates.iter().map(|candidate| (candidate.role, candidate.algorithms.len())).collect();
    assert_eq!(
        listed,
        [(Role::PublicKey, 1), (Role::PublicKey, 4), (Role::PrivateKey, 1), (Role::Seed, 3)],
        "{:?}",
        found.candidates
    );
}

#[test]
fn bytes_of_no_length_are_told_what_is_near() {
    let found = look(&[1; 3308]);
    assert_eq!((found.kind, found.algorithm, found.candidates.len()), (Kind::RawBytes, None, 0));
    assert_eq!(
        found.problem.unwrap(),
        "no signature, key or seed has 3308 bytes: a signature of ML-DSA-65 has 3309"
    );
    assert_eq!(look(&[1; 3000]).problem.unwrap(), "no signature, key or seed has 3000 bytes");
}

#[test]
fn text_is_unwrapped_once() {
    let key = key(Algorithm::MlDsa44);
    let bytes = signature(&key);
    let found = look(hex(&bytes).as_bytes());
    assert_eq!((found.kind, found.text), (Kind::Signature, Some(TextEncoding::Hexadecimal)));
    assert_eq!((found.size, found.content_size), (2 * bytes.len(), bytes.len()));

    let der = public_key_to_der(key.public_key());
    let found = look(hex(&der).as_bytes());
    assert_eq!((found.kind, found.text), (Kind::PublicKey, Some(TextEncoding::Hexadecimal)));
    assert_eq!(found.fingerprint, Some(key.public_key().fingerprint()));

    // PEM without its boundaries is base64.
    let pem = public_key_to_pem(key.public_key());
    let body = pem.lines().filter(|line| !line.starts_with('-')).collect::<Vec<_>>().join("\n");
    let found = look(body.as_bytes());
    assert_eq!((found.kind, found.text), (Kind::PublicKey, Some(TextEncoding::Base64)));

    let found = look(b"an ordinary sentence");
    assert_eq!((found.kind, found.text), (Kind::RawBytes, None));
}

#[test]
fn nothing_secret_is_shown() {
    let key = key(Algorithm::MlDsa44);
    let der = private_key_to_der(&key, PrivateKeyForm::Both).unwrap();
    for file in [&der[..], key.expanded(), key.seed().unwrap()] {
        let shown = format!("{:?}", look(file));
        assert!(!shown.contains("5, 5, 5") && !shown.contains("050505"), "{shown}");
    }
}
