//! What must hold of every file: what is written is read back, and what was tampered with never becomes another key
//! unnoticed.

// Says to clippy that helpers outside of the test functions are test code too.
#![cfg(test)]

use std::sync::LazyLock;

use pqsig::encoding::{self, Decoded, Encoding, Key};
use pqsig::{Algorithm, Error, Family, PrivateKey, PrivateKeyForm, SecretBytes, inspect};
use proptest::prelude::*;
use proptest::sample::Index;

const PASSPHRASE: &[u8] = b"correct horse";

/// One key of every algorithm.
static KEYS: LazyLock<Vec<PrivateKey>> = LazyLock::new(|| Algorithm::all().map(key).collect());

/// One key of every family, in every form, for the tests that parse thousands of files.
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
    [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519]
        .into_iter()
        .map(key)
        .flat_map(|key| {
            let forms = key.forms();
            forms.iter().map(move |form| File {
                bytes: encoding::private_key_to_der(&key, *form).unwrap().to_vec(),
                key: key.clone(),
                form: *form,
            })
        })
        .collect()
});

#[derive(Debug)]
struct File {
    key: PrivateKey,
    form: PrivateKeyForm,
    bytes: Vec<u8>,
}

fn key(algorithm: Algorithm) -> PrivateKey {
    let seed: Vec<u8> = (0..96).take(algorithm.parameters().seed).collect();
    PrivateKey::from_seed(algorithm, &seed).unwrap()
}

fn read(input: &[u8]) -> Result<Decoded, Error> {
    encoding::decode(input, &mut || Err(Error::PassphraseMissing))
}

fn read_encrypted(input: &[u8]) -> Result<Decoded, Error> {
    encoding::decode(input, &mut || Ok(SecretBytes::new(PASSPHRASE.to_vec())))
}

#[test]
fn every_algorithm_and_form_comes_back() {
    let mut files = 0;
    for key in &*KEYS {
        for form in key.forms().iter().copied() {
            let der = encoding::private_key_to_der(key, form).unwrap();
            let pem = encoding::private_key_to_pem(key, form).unwrap();
            for (file, encoding) in [(&der[..], Encoding::Der), (pem.as_bytes(), Encoding::Pem)] {
                let decoded = read(file).unwrap();
                assert_eq!((decoded.encoding, decoded.form), (encoding, Some(form)));
                assert!(!decoded.checks.is_empty());
                let Key::Private(read) = decoded.key else { panic!("{:?}", decoded.key) };
                assert_eq!(&read, key, "{form}");
                assert_eq!(read.public_key(), key.public_key());
                let knows_seed =
                    form != PrivateKeyForm::Expanded || key.algorithm().family() != Family::MlDsa;
                assert_eq!(read.seed(), key.seed().filter(|_| knows_seed), "{} {form}", key.algorithm());
                files += 1;
            }
        }
        let public = key.public_key();
        for file in [encoding::public_key_to_der(public), encoding::public_key_to_pem(public).into_bytes()] {
            assert_eq!(read(&file).unwrap().into_public(), *public);
            files += 1;
        }
    }
    // ML-DSA has three forms, the other thirteen algorithms one; each private and public file is PEM and DER.
    assert_eq!(files, 2 * (3 * 3 + 13) + 2 * 16);
}

#[test]
fn every_algorithm_and_form_comes_back_encrypted() {
    let mut files = 0;
    for key in &*KEYS {
        for form in key.forms().iter().copied() {
            let der = encoding::private_key_to_encrypted_der(key, form, PASSPHRASE).unwrap();
            let decoded = read_encrypted(&der).unwrap();
            assert_eq!((decoded.encoding, decoded.form), (Encoding::Der, Some(form)));
            assert_eq!(decoded.into_private().unwrap(), *key, "{form}");
            files += 1;
        }
    }
    assert_eq!(files, 3 * 3 + 13);

    let key = &KEYS[0];
    let pem = encoding::private_key_to_encrypted_pem(key, PrivateKeyForm::Both, PASSPHRASE).unwrap();
    assert_eq!(read_encrypted(pem.as_bytes()).unwrap().into_private().unwrap(), *key);
}

/// What people and accidents do to files.
#[derive(Clone, Debug)]
enum Mutation {
    Flip(usize, u8),
    Replace(usize, u8),
    Insert(usize, Vec<u8>),
    Remove(usize, usize),
    Truncate(usize),
    Append(Vec<u8>),
    Swap(usize, usize),
}

impl Mutation {
    /// Places are taken modulo the length.
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len();
        if length == 0 {
            return;
        }
        match self {
            Mutation::Flip(at, bit) => bytes[at % length] ^= 1 << bit,
            Mutation::Replace(at, byte) => bytes[at % length] = *byte,
            Mutation::Insert(at, extra) => {
                let at = at % length;
                bytes.splice(at..at, extra.iter().copied());
            }
            Mutation::Remove(at, count) => {
                let at = at % length;
                bytes.drain(at..(at + count).min(length));
            }
            Mutation::Truncate(at) => bytes.truncate(at % length),
            Mutation::Append(extra) => bytes.extend(extra),
            Mutation::Swap(a, b) => bytes.swap(a % length, b % length),
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let some = || proptest::collection::vec(any::<u8>(), 1..6);
    // Half of the places are in the first bytes, where the structure is.
    let at = || prop_oneof![0..70_usize, any::<usize>()];
    prop_oneof![
        4 => (at(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        2 => (at(), any::<u8>()).prop_map(|(at, byte)| Mutation::Replace(at, byte)),
        1 => (at(), some()).prop_map(|(at, extra)| Mutation::Insert(at, extra)),
        1 => (at(), 1..6_usize).prop_map(|(at, count)| Mutation::Remove(at, count)),
        1 => at().prop_map(Mutation::Truncate),
        1 => some().prop_map(Mutation::Append),
        1 => (at(), at()).prop_map(|(a, b)| Mutation::Swap(a, b)),
    ]
}

/// Holds a mutated file that was accepted against the file that it came from.
fn assert_no_other_key(original: &File, mutated: &[u8], decoded: Decoded) -> Result<(), TestCaseError> {
    let form = decoded.form;
    let read = decoded.into_private().map_err(|error| TestCaseError::fail(error.to_string()))?;
    // Strict DER and no room beside the key: whatever was accepted is the one encoding of what it was read as.
    let written = encoding::private_key_to_der(&read, form.unwrap_or(PrivateKeyForm::Both)).unwrap();
    prop_assert_eq!(&written[..], mutated, "read as {:?}", form);
    match (original.key.algorithm().family(), original.form) {
        // A seed says nothing twice: other bytes are another key, as the line above holds them to be.
        (_, PrivateKeyForm::Seed) => {}
        (_, PrivateKeyForm::Both) => prop_assert_eq!(&read, &original.key),
        // Here the seed for signing (K, SK.prf) is the one part that nothing else depends on.
        (_, PrivateKeyForm::Expanded) => prop_assert_eq!(read.public_key(), original.key.public_key()),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_are_an_error_and_no_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(read(&bytes).is_err());
        let _ = inspect::inspect(&bytes, &mut || Err(Error::PassphraseMissing));
    }

    #[test]
    fn arbitrary_text_is_an_error_and_no_panic(text in "(-----BEGIN [A-Z ]{0,20}-----\n)?[ -~\n]{0,200}(-----END [A-Z ]{0,20}-----\n)?") {
        prop_assert!(read(text.as_bytes()).is_err());
        let _ = inspect::inspect(text.as_bytes(), &mut || Err(Error::PassphraseMissing));
    }

    /// Bytes that look like DER go deeper into the parsers than noise does.
    #[test]
    fn arbitrary_contents_under_a_known_outline_do_not_panic(
        which in any::<Index>(),
        content in proptest::collection::vec(any::<u8>(), 0..80),
        keep in 0..40_usize,
    ) {
        let start = &which.get(&FILES).bytes;
        let mut bytes = [&start[..keep], &content].concat();
        // Make the outer length true, so that only what is inside decides.
        if bytes.len() >= 2 {
            bytes[0] = 0x30;
            bytes[1] = u8::try_from(bytes.len() - 2).unwrap();
        }
        let _ = read(&bytes);
        let _ = inspect::inspect(&bytes, &mut || Err(Error::PassphraseMissing));
    }

    #[test]
    fn a_mutated_der_file_never_becomes_another_key(
        which in any::<Index>(),
        mutations in proptest::collection::vec(mutation(), 1..3),
    ) {
        let file = which.get(&FILES);
        let mut bytes = file.bytes.clone();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        if let Ok(decoded) = read(&bytes) {
            assert_no_other_key(file, &bytes, decoded)?;
        }
        let _ = inspect::inspect(&bytes, &mut || Err(Error::PassphraseMissing));
    }

    #[test]
    fn a_mutated_pem_file_never_becomes_another_key(
        which in any::<Index>(),
        mutations in proptest::collection::vec(mutation(), 1..3),
    ) {
        let file = which.get(&FILES);
        let pem = encoding::private_key_to_pem(&file.key, file.form).unwrap();
        let mut bytes = pem.as_bytes().to_vec();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        if let Ok(decoded) = read(&bytes) {
            let form = decoded.form.unwrap();
            let read = decoded.into_private().unwrap();
            match file.form {
                PrivateKeyForm::Seed => prop_assert_eq!(form, PrivateKeyForm::Seed),
                PrivateKeyForm::Both => prop_assert_eq!(&read, &file.key),
                PrivateKeyForm::Expanded => prop_assert_eq!(read.public_key(), file.key.public_key()),
            }
        }
    }

    #[test]
    fn a_mutated_public_key_is_read_as_what_it_says(
        which in any::<Index>(),
        mutation in mutation(),
    ) {
        let file = which.get(&FILES);
        let mut bytes = encoding::public_key_to_der(file.key.public_key());
        mutation.apply(&mut bytes);
        if let Ok(decoded) = read(&bytes) {
            prop_assert_eq!(encoding::public_key_to_der(&decoded.into_public()), bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// CBC without a tag can't vouch for the bytes, but what comes out is checked like any other key.
    #[test]
    fn a_mutated_encrypted_file_never_becomes_another_key(which in any::<Index>(), mutation in mutation()) {
        let file = which.get(&FILES);
        let encrypted = encoding::private_key_to_encrypted_der(&file.key, file.form, PASSPHRASE).unwrap();
        let mut bytes = encrypted.clone();
        mutation.apply(&mut bytes);
        if let Ok(decoded) = read_encrypted(&bytes) {
            let form = decoded.form.unwrap();
            let key = decoded.into_private().unwrap();
            if file.form == PrivateKeyForm::Seed {
                prop_assert_eq!(form, PrivateKeyForm::Seed);
            } else {
                prop_assert_eq!(key.public_key(), file.key.public_key());
            }
        }
    }
}

/// Every single bit of the shortest file, and every cut and every doubled byte of it.
#[test]
fn every_bit_of_an_ed25519_key_is_accounted_for() {
    let file = FILES.last().unwrap();
    assert_eq!(file.key.algorithm(), Algorithm::Ed25519);
    let seed_starts = file.bytes.len() - 32;
    for at in 0..file.bytes.len() {
        for bit in 0..8 {
            let mut bytes = file.bytes.clone();
            bytes[at] ^= 1 << bit;
            // Nothing but the seed may vary.
            assert_eq!(read(&bytes).is_ok(), at >= seed_starts, "bit {bit} of byte {at}");
        }
        assert!(read(&file.bytes[..at]).is_err(), "cut at {at}");
        let mut longer = file.bytes.clone();
        longer.insert(at, longer[at]);
        assert!(read(&longer).is_err(), "byte {at} twice");
    }
}

/// Every bit of an SLH-DSA key: SK.prf is the one part that nothing else vouches for.
#[test]
fn every_bit_of_an_slh_dsa_key_is_accounted_for() {
    let file = FILES.iter().find(|file| file.key.algorithm() == Algorithm::SlhDsaSha2_128f).unwrap();
    let key_starts = file.bytes.len() - 64;
    let prf = key_starts + 16..key_starts + 32;
    for at in 0..file.bytes.len() {
        for bit in [0, 7] {
            let mut bytes = file.bytes.clone();
            bytes[at] ^= 1 << bit;
            match read(&bytes) {
                Ok(decoded) => {
                    assert!(prf.contains(&at), "bit {bit} of byte {at}");
                    assert_eq!(decoded.into_public(), *file.key.public_key());
                }
                Err(error) => assert!(!prf.contains(&at), "bit {bit} of byte {at}: {error}"),
            }
        }
    }
}
