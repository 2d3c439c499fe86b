//! Keys as they are handed over: encoded, in one of the forms that both sides know.

use std::fmt;
use std::str::FromStr;

use pqsig::{Algorithm, Error, Family, PrivateKey, PrivateKeyForm, PublicKey, encoding};
use serde::{Deserialize, Serialize};

/// How a key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyForm {
    /// PKCS#8 in DER with the seed (RFC 9881, RFC 8410).
    Pkcs8Seed,
    /// PKCS#8 in DER with the expanded key (RFC 9881, RFC 9909).
    Pkcs8Expanded,
    /// PKCS#8 in DER with the seed and the expanded key (RFC 9881).
    Pkcs8Both,
    /// SubjectPublicKeyInfo in DER.
    Spki,
    /// The bare seed: xi of FIPS 204; SK.seed, SK.prf and PK.seed of FIPS 205; the private key of RFC 8032.
    RawSeed,
    /// The standard's private key, bare.
    RawExpanded,
    /// The standard's public key, bare.
    RawPublic,
}

impl KeyForm {
    /// Every form.
    pub const ALL: [KeyForm; 7] = [
        KeyForm::Pkcs8Seed,
        KeyForm::Pkcs8Expanded,
        KeyForm::Pkcs8Both,
        KeyForm::Spki,
        KeyForm::RawSeed,
        KeyForm::RawExpanded,
        KeyForm::RawPublic,
    ];

    /// The form's name, such as `pkcs8:seed` or `raw:public`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            KeyForm::Pkcs8Seed => "pkcs8:seed",
            KeyForm::Pkcs8Expanded => "pkcs8:expanded",
            KeyForm::Pkcs8Both => "pkcs8:both",
            KeyForm::Spki => "spki",
            KeyForm::RawSeed => "raw:seed",
            KeyForm::RawExpanded => "raw:expanded",
            KeyForm::RawPublic => "raw:public",
        }
    }

    /// True for the two forms of public keys.
    #[must_use]
    pub fn is_public(self) -> bool {
        matches!(self, KeyForm::Spki | KeyForm::RawPublic)
    }

    /// The forms that the algorithm's private keys have, the richest first. The private key of Ed25519 is its
    /// seed (RFC 8032), so it has no expanded form.
    #[must_use]
    pub fn private_forms(algorithm: Algorithm) -> &'static [KeyForm] {
        use KeyForm::{Pkcs8Both, Pkcs8Expanded, Pkcs8Seed, RawExpanded, RawSeed};
        match algorithm.family() {
            Family::MlDsa => &[Pkcs8Both, Pkcs8Seed, Pkcs8Expanded, RawSeed, RawExpanded],
            Family::SlhDsa => &[Pkcs8Expanded, RawExpanded, RawSeed],
            Family::Ed25519 => &[Pkcs8Seed, RawSeed],
        }
    }

    /// The forms that public keys have.
    pub const PUBLIC_FORMS: [KeyForm; 2] = [KeyForm::Spki, KeyForm::RawPublic];
}

impl fmt::Display for KeyForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for KeyForm {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        KeyForm::ALL.into_iter().find(|form| form.name() == given).ok_or_else(|| {
            let names = KeyForm::ALL.map(KeyForm::name).join(", ");
            format!("unknown key form `{given}`: the forms are {names}")
        })
    }
}

/// A key as it travels: nothing about its bytes has been checked. Test keys only: its Debug shows lengths, but its
/// serialized form shows the bytes.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct EncodedKey {
    /// The algorithm that the key is said to be of.
    #[serde(with = "crate::text")]
    pub algorithm: Algorithm,
    /// How the bytes are to be read.
    #[serde(with = "crate::text")]
    pub form: KeyForm,
    /// The key.
    #[serde(with = "hex::serde")]
    pub bytes: Vec<u8>,
}

impl fmt::Debug for EncodedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EncodedKey({}, {}, {} bytes)", self.algorithm, self.form, self.bytes.len())
    }
}

impl EncodedKey {
    /// A private key in a form.
    ///
    /// # Errors
    /// [`Error::FormUnavailable`] when the key has no such form, [`Error::WrongKind`] for a form of public keys.
    pub fn private(key: &PrivateKey, form: KeyForm) -> Result<Self, Error> {
        let algorithm = key.algorithm();
        let pkcs8 = |form| encoding::private_key_to_der(key, form).map(|bytes| bytes.to_vec());
        let bytes = match form {
            KeyForm::Pkcs8Seed => pkcs8(PrivateKeyForm::Seed)?,
            KeyForm::Pkcs8Expanded => pkcs8(PrivateKeyForm::Expanded)?,
            KeyForm::Pkcs8Both => pkcs8(PrivateKeyForm::Both)?,
            KeyForm::RawExpanded => key.expanded().to_vec(),
            KeyForm::RawSeed => match key.seed() {
                Some(seed) => seed.to_vec(),
                None => {
                    return Err(Error::FormUnavailable {
                        algorithm,
                        form: PrivateKeyForm::Seed,
                        reason: "its seed is not known",
                    });
                }
            },
            KeyForm::Spki | KeyForm::RawPublic => {
                return Err(Error::WrongKind {
                    wanted: "form of private keys",
                    found: "form of public keys",
                });
            }
        };
        Ok(EncodedKey { algorithm, form, bytes })
    }

    /// A public key in a form: SubjectPublicKeyInfo, or bare for every other.
    #[must_use]
    pub fn public(key: &PublicKey, form: KeyForm) -> Self {
        let (form, bytes) = match form {
            KeyForm::Spki => (form, encoding::public_key_to_der(key)),
            _ => (KeyForm::RawPublic, key.as_bytes().to_vec()),
        };
        EncodedKey { algorithm: key.algorithm(), form, bytes }
    }

    /// The key that the bytes are, read and checked by the core.
    ///
    /// # Errors
    /// What [`encoding::decode`] and [`PrivateKey`]'s constructors report; [`Error::AlgorithmMismatch`];
    /// [`Error::WrongKind`] for a public key.
    pub fn to_private(&self) -> Result<PrivateKey, Error> {
        let key = match self.form {
            KeyForm::RawSeed => PrivateKey::from_seed(self.algorithm, &self.bytes)?,
            KeyForm::RawExpanded => PrivateKey::from_expanded(self.algorithm, &self.bytes)?,
            _ => self.decode()?.into_private()?,
        };
        self.check_algorithm(key.algorithm())?;
        Ok(key)
    }

    /// The public key that the bytes are, or the public half of the private key.
    ///
    /// # Errors
    /// As [`EncodedKey::to_private`].
    pub fn to_public(&self) -> Result<PublicKey, Error> {
        let key = match self.form {
            KeyForm::RawPublic => PublicKey::new(self.algorithm, &self.bytes)?,
            KeyForm::Spki => self.decode()?.into_public(),
            _ => self.to_private()?.public_key().clone(),
        };
        self.check_algorithm(key.algorithm())?;
        Ok(key)
    }

    fn decode(&self) -> Result<encoding::Decoded, Error> {
        encoding::decode(&self.bytes, &mut || Err(Error::PassphraseMissing))
    }

    fn check_algorithm(&self, actual: Algorithm) -> Result<(), Error> {
        if actual == self.algorithm {
            Ok(())
        } else {
            Err(Error::AlgorithmMismatch { expected: self.algorithm, actual })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_reads_back() {
        for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519] {
            let key = PrivateKey::generate(algorithm).unwrap();
            for form in KeyForm::private_forms(algorithm) {
                let encoded = EncodedKey::private(&key, *form).unwrap();
                assert_eq!(encoded.to_private().unwrap(), key, "{form}");
                assert_eq!(&encoded.to_public().unwrap(), key.public_key(), "{form}");
            }
            for form in KeyForm::PUBLIC_FORMS {
                assert_eq!(
                    &EncodedKey::public(key.public_key(), form).to_public().unwrap(),
                    key.public_key()
                );
            }
        }
    }

    #[test]
    fn names_read_back() {
        for form in KeyForm::ALL {
            assert_eq!(form.name().parse(), Ok(form));
        }
        assert!("pkcs8".parse::<KeyForm>().is_err());
    }

    #[test]
    fn a_key_of_another_algorithm_is_refused() {
        let key = PrivateKey::generate(Algorithm::MlDsa44).unwrap();
        let mut encoded = EncodedKey::public(key.public_key(), KeyForm::Spki);
        encoded.algorithm = Algorithm::MlDsa65;
        assert!(matches!(encoded.to_public(), Err(Error::AlgorithmMismatch { .. })));
    }
}
