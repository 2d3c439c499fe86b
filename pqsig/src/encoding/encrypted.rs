//! PKCS#8 EncryptedPrivateKeyInfo (RFC 5958 section 3) with PBES2 (RFC 8018 section 6.2): opening and sealing.
//!
//! Who wrote the file chose how much work opening it costs, so that is bounded before anything runs.

use ::pkcs8::EncryptedPrivateKeyInfoRef;
use ::pkcs8::der::asn1::OctetStringRef;
use ::pkcs8::der::{self, Encode, Reader, SliceReader};
use ::pkcs8::pkcs5;
use ::pkcs8::pkcs5::pbes2::{EncryptionScheme as Cipher, Kdf, Parameters};
use ::pkcs8::spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

use super::encryption::{Scheme, malformed, name_of, unsupported};
use super::{Container, PassphraseSource, Seen, structure};
use crate::{Error, SecretBytes};

/// What we write: OWASP's count for PBKDF2-HMAC-SHA256, about a tenth of a second.
const ITERATIONS: u32 = 600_000;

/// RFC 8018 section 4.2 calls this count fit for the most critical keys; it takes a few seconds.
const MAX_ITERATIONS: u32 = 10_000_000;

/// scrypt's memory is 128 N r bytes: at most 256 MiB.
const MAX_SCRYPT_BLOCKS: u64 = (256 << 20) / 128;

/// scrypt's time is in proportion to N r p. OpenSSL's own choice is 2^17; this is a few seconds.
const MAX_SCRYPT_WORK: u64 = 1 << 24;

/// Opens an encrypted key: the DER PrivateKeyInfo within.
pub(super) fn open(
    der: &[u8],
    passphrase: &mut PassphraseSource<'_>,
    seen: &mut Seen,
) -> Result<SecretBytes, Error> {
    let (scheme, data) = parts(der).map_err(|error| malformed(&structure::words(error)))?;
    let scheme = Scheme::of(&scheme);
    seen.encryption = Some(scheme.describe());
    let parameters = scheme.supported()?;
    check_cost(&parameters.kdf)?;
    check_length(&parameters.encryption, data)?;

    let passphrase = passphrase()?;
    let mut buffer = Zeroizing::new(data.to_vec());
    let length = match parameters.decrypt_in_place(&*passphrase, &mut buffer) {
        Ok(plain) => plain.len(),
        Err(pkcs5::Error::DecryptFailed) => return Err(Error::PassphraseWrong),
        Err(error) => return Err(malformed(&error.to_string())),
    };
    // CBC can't tell a wrong passphrase: one in 256 leaves a valid padding behind, and noise before it.
    match structure::container_of(&buffer[..length]) {
        Ok(Container::Pkcs8) => Ok(Zeroizing::new(buffer[..length].to_vec())),
        _ => Err(Error::PassphraseWrong),
    }
}

/// Encrypts a DER PrivateKeyInfo: PBES2 with PBKDF2-HMAC-SHA256 and AES-256-CBC, fresh salt and initialization vector.
pub(super) fn seal(der: &[u8], passphrase: &[u8]) -> Result<Vec<u8>, Error> {
    if passphrase.is_empty() {
        return Err(Error::PassphraseUnavailable {
            reason: "it is empty, and would protect nothing".to_owned(),
        });
    }
    let mut salt = [0; 16];
    let mut iv = [0; 16];
    getrandom::fill(&mut salt)?;
    getrandom::fill(&mut iv)?;
    let parameters = Parameters::generate_pbkdf2_sha256_aes256cbc(ITERATIONS, &salt, iv);
    let unsupported = |error: pkcs5::Error| Error::EncryptionUnsupported { reason: error.to_string() };
    let parameters = parameters.map_err(unsupported)?;
    let encrypted = parameters.encrypt(passphrase, der).map_err(unsupported)?;
    let info = EncryptedPrivateKeyInfoRef {
        encryption_algorithm: parameters.into(),
        encrypted_data: structure::encoded(OctetStringRef::new(&encrypted)),
    };
    Ok(structure::encoded(info.to_der()))
}

/// The scheme and the encrypted bytes. The library's own type would refuse a scheme that it doesn't know without
/// saying which it is.
fn parts(der: &[u8]) -> der::Result<(AlgorithmIdentifierRef<'_>, &[u8])> {
    let mut reader = SliceReader::new(der)?;
    let parts = reader.sequence(|inner| -> der::Result<_> {
        let scheme: AlgorithmIdentifierRef<'_> = inner.decode()?;
        let data: &OctetStringRef = inner.decode()?;
        Ok((scheme, data.as_bytes()))
    })?;
    reader.finish()?;
    Ok(parts)
}

/// Bounds the work, which the file's writer chose.
fn check_cost(kdf: &Kdf) -> Result<(), Error> {
    match kdf {
        Kdf::Pbkdf2(parameters) => match parameters.iteration_count {
            0 => Err(malformed("PBKDF2 with no iteration")),
            count if count > MAX_ITERATIONS => Err(unsupported(&format!(
                "PBKDF2 with {count} iterations would take too long, at most {MAX_ITERATIONS} are run"
            ))),
            _ => Ok(()),
        },
        Kdf::Scrypt(parameters) => {
            let (n, r, p) = (
                parameters.cost_parameter,
                u64::from(parameters.block_size),
                u64::from(parameters.parallelization),
            );
            if n < 2 || !n.is_power_of_two() || r == 0 || p == 0 {
                return Err(malformed("scrypt with a cost that isn't a power of two, or with zeros"));
            }
            let blocks = n.saturating_mul(r);
            if blocks > MAX_SCRYPT_BLOCKS || blocks.saturating_mul(p) > MAX_SCRYPT_WORK {
                return Err(unsupported(&format!(
                    "scrypt with N={n}, r={r}, p={p} would take too much: at most 256 MiB (128 N r bytes) and \
                     N r p = {MAX_SCRYPT_WORK} are allowed"
                )));
            }
            Ok(())
        }
        other => Err(unsupported(&format!("it uses {}", name_of(&other.oid().to_string())))),
    }
}

/// A block cipher's output is whole blocks: if not, the file is cut, and no passphrase is to blame.
fn check_length(cipher: &Cipher, data: &[u8]) -> Result<(), Error> {
    let block = match cipher {
        Cipher::Aes128Cbc { .. } | Cipher::Aes192Cbc { .. } | Cipher::Aes256Cbc { .. } => 16,
        Cipher::DesEde3Cbc { .. } => 8,
        _ => 1,
    };
    if data.is_empty() || !data.len().is_multiple_of(block) {
        return Err(malformed("the encrypted part is not whole blocks of its cipher"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{sequence, tlv};
    use super::super::{Seen, decode, decode_seen};
    use super::*;

    const PBES2: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 13];
    const PBKDF2: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 12];
    const SCRYPT: &[u8] = &[6, 9, 0x2b, 6, 1, 4, 1, 0xda, 0x47, 4, 11];
    const AES_256_CBC: &[u8] = &[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 1, 42];
    const DES_EDE3_CBC: &[u8] = &[6, 8, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 3, 7];
    const PBES1_MD5_DES: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 3];
    const PKCS12_3DES: &[u8] = &[6, 10, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 12, 1, 3];
    const HMAC_SHA512_256: &[u8] = &[6, 8, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 13];

    fn integer(value: u64) -> Vec<u8> {
        let bytes = value.to_be_bytes();
        let skip = bytes.iter().take(7).take_while(|byte| **byte == 0).count();
        let sign = if bytes[skip] & 0x80 == 0 { &[][..] } else { &[0][..] };
        tlv(2, &[sign, &bytes[skip..]].concat())
    }

    fn file(kdf: &[u8], cipher: &[u8], data: usize) -> Vec<u8> {
        let parameters = sequence(&[kdf, cipher]);
        sequence(&[&sequence(&[PBES2, &parameters]), &tlv(4, &vec![7; data])])
    }

    fn aes() -> Vec<u8> {
        sequence(&[AES_256_CBC, &tlv(4, &[1; 16])])
    }

    fn pbkdf2(salt: usize, iterations: u64) -> Vec<u8> {
        sequence(&[PBKDF2, &sequence(&[&tlv(4, &vec![2; salt]), &integer(iterations)])])
    }

    fn scrypt(n: u64, r: u64, p: u64) -> Vec<u8> {
        sequence(&[SCRYPT, &sequence(&[&tlv(4, &[2; 16]), &integer(n), &integer(r), &integer(p)])])
    }

    /// What reading says before it would ask for a passphrase.
    fn refused(file: &[u8]) -> Error {
        decode(file, &mut || panic!("a passphrase was asked for a key that can't be opened")).unwrap_err()
    }

    #[test]
    fn hostile_costs_are_refused_before_they_are_paid() {
        for kdf in [
            pbkdf2(16, 10_000_001),
            pbkdf2(16, u64::from(u32::MAX)),
            pbkdf2(16, u64::MAX >> 1),
            scrypt(1 << 22, 8, 1),
            scrypt(1 << 62, 8, 1),
            scrypt(1 << 14, 65535, 1),
            scrypt(1 << 14, 8, 65535),
            scrypt(1 << 14, 1 << 40, 1),
        ] {
            let error = refused(&file(&kdf, &aes(), 64));
            assert!(matches!(error, Error::EncryptionUnsupported { .. }), "{error}");
        }
        for kdf in [
            pbkdf2(16, 0),
            scrypt(0, 8, 1),
            scrypt(1, 8, 1),
            scrypt(12345, 8, 1),
            scrypt(2, 0, 1),
            scrypt(2, 1, 0),
        ] {
            let error = refused(&file(&kdf, &aes(), 64));
            assert!(matches!(error, Error::Malformed { .. }), "{error}");
        }
    }

    #[test]
    fn the_highest_costs_that_are_allowed_are_not_refused() {
        for kdf in [pbkdf2(32, 10_000_000), scrypt(1 << 18, 8, 8), scrypt(1 << 21, 1, 1)] {
            let asked = decode(&file(&kdf, &aes(), 64), &mut || Err(Error::PassphraseMissing));
            assert!(matches!(asked, Err(Error::PassphraseMissing)));
        }
    }

    #[test]
    fn other_schemes_are_named() {
        let pbes1_parameters = sequence(&[&tlv(4, &[1; 8]), &integer(2048)]);
        let prf = sequence(&[HMAC_SHA512_256, &[5, 0]]);
        let with_prf = sequence(&[PBKDF2, &sequence(&[&tlv(4, &[2; 16]), &integer(2048), &prf])]);
        let rc2 = sequence(&[&[6, 8, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 3, 2], &tlv(4, &[1; 8])]);
        for (file, name) in [
            (sequence(&[&sequence(&[PBES1_MD5_DES, &pbes1_parameters]), &tlv(4, &[7; 64])]), "PBES1"),
            (sequence(&[&sequence(&[PKCS12_3DES, &pbes1_parameters]), &tlv(4, &[7; 64])]), "PKCS#12"),
            (file(&with_prf, &aes(), 64), "HMAC-SHA512/256"),
            (file(&pbkdf2(16, 2048), &rc2, 64), "RC2-CBC"),
            (file(&pbkdf2(33, 2048), &aes(), 64), "PBKDF2"),
            (file(&sequence(&[PBKDF2]), &aes(), 64), "PBKDF2"),
            (file(&sequence(&[&[6, 1, 0x2a]]), &aes(), 64), "1.2"),
        ] {
            let error = refused(&file);
            assert!(matches!(error, Error::EncryptionUnsupported { .. }), "{error}");
            assert!(error.to_string().contains(name), "{error}");
        }
    }

    #[test]
    fn what_no_passphrase_can_open_asks_for_none() {
        let short_iv = sequence(&[DES_EDE3_CBC, &tlv(4, &[1; 7])]);
        let long_iv = sequence(&[DES_EDE3_CBC, &tlv(4, &[1; 9])]);
        for file in [
            file(&pbkdf2(16, 2048), &aes(), 0),
            file(&pbkdf2(16, 2048), &aes(), 63),
            file(&pbkdf2(16, 2048), &short_iv, 64),
            file(&pbkdf2(16, 2048), &long_iv, 64),
            sequence(&[&sequence(&[PBES2]), &tlv(4, &[7; 64])]),
            sequence(&[&sequence(&[PBES2, &tlv(4, &[])]), &tlv(4, &[7; 64])]),
        ] {
            let error = refused(&file);
            assert!(matches!(error, Error::Malformed { .. }), "{error}");
        }
    }

    /// One wrong passphrase in 256 leaves a valid padding behind; the noise before it must not be called malformed.
    #[test]
    fn a_wrong_passphrase_is_never_called_a_malformed_key() {
        let file = file(&pbkdf2(16, 1), &aes(), 64);
        for word in 0..1024_u32 {
            let opened = decode(&file, &mut || Ok(SecretBytes::new(word.to_be_bytes().to_vec())));
            assert!(matches!(opened, Err(Error::PassphraseWrong)), "{word}: {opened:?}");
        }
    }

    #[test]
    fn the_scheme_is_described_without_a_passphrase() {
        let des = sequence(&[DES_EDE3_CBC, &tlv(4, &[1; 8])]);
        for (file, words) in [
            (file(&pbkdf2(16, 2048), &aes(), 64), "PBES2, PBKDF2-HMAC-SHA1, 2048 iterations, AES-256-CBC"),
            (file(&scrypt(16384, 8, 1), &des, 64), "PBES2, scrypt, N=16384, r=8, p=1, 3DES-CBC"),
        ] {
            let mut seen = Seen::default();
            assert!(decode_seen(&file, &mut || Err(Error::PassphraseMissing), &mut seen).is_err());
            assert_eq!(seen.encryption.unwrap().to_string(), words);
        }
    }
}
