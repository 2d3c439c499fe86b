//! The hash functions that FIPS 204 (section 5.4.1) and FIPS 205 (section 10.2.2) approve for pre-hashing.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};
use sha3::digest::{Digest as _, ExtendableOutput, Update, XofReader};
use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};

use crate::names::{near_names, normalize};
use crate::{Algorithm, Error};

/// An approved pre-hash function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the functions' own names")]
pub enum HashAlgorithm {
    Sha224,
    Sha256,
    Sha384,
    Sha512,
    Sha512_224,
    Sha512_256,
    Sha3_224,
    Sha3_256,
    Sha3_384,
    Sha3_512,
    Shake128,
    Shake256,
}

struct Row {
    hash: HashAlgorithm,
    name: &'static str,
    acvp_name: &'static str,
    /// Last arc under 2.16.840.1.101.3.4.2 (NIST's hash functions).
    arc: u8,
    digest: usize,
}

const fn row(
    hash: HashAlgorithm,
    name: &'static str,
    acvp_name: &'static str,
    arc: u8,
    digest: usize,
) -> Row {
    Row { hash, name, acvp_name, arc, digest }
}

/// In the order of the variants. Arcs: NIST's Computer Security Objects Register. The digests of SHAKE128 and
/// SHAKE256 are 32 and 64 bytes (FIPS 204, Algorithm 4; FIPS 205, Algorithm 23).
const TABLE: [Row; 12] = {
    use HashAlgorithm::{
        Sha3_224, Sha3_256, Sha3_384, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256,
        Shake128, Shake256,
    };
    [
        row(Sha224, "SHA-224", "SHA2-224", 4, 28),
        row(Sha256, "SHA-256", "SHA2-256", 1, 32),
        row(Sha384, "SHA-384", "SHA2-384", 2, 48),
        row(Sha512, "SHA-512", "SHA2-512", 3, 64),
        row(Sha512_224, "SHA-512/224", "SHA2-512/224", 5, 28),
        row(Sha512_256, "SHA-512/256", "SHA2-512/256", 6, 32),
        row(Sha3_224, "SHA3-224", "SHA3-224", 7, 28),
        row(Sha3_256, "SHA3-256", "SHA3-256", 8, 32),
        row(Sha3_384, "SHA3-384", "SHA3-384", 9, 48),
        row(Sha3_512, "SHA3-512", "SHA3-512", 10, 64),
        row(Shake128, "SHAKE128", "SHAKE-128", 11, 32),
        row(Shake256, "SHAKE256", "SHAKE-256", 12, 64),
    ]
};

impl HashAlgorithm {
    /// Every approved function, in the order of the table.
    pub const ALL: [HashAlgorithm; 12] = {
        let mut all = [HashAlgorithm::Sha224; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].hash;
            index += 1;
        }
        all
    };

    fn row(self) -> &'static Row {
        static ROWS: [Row; 12] = TABLE;
        &ROWS[self as usize]
    }

    /// The function's name in FIPS 180-4 and FIPS 202.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The function's name in NIST's ACVP vectors, such as `SHA2-256`.
    #[must_use]
    pub fn acvp_name(self) -> &'static str {
        self.row().acvp_name
    }

    /// The digest's length in bytes.
    #[must_use]
    pub fn digest_length(self) -> usize {
        self.row().digest
    }

    /// The strength against collisions in bits: half of the digest's length, which for the two XOFs at
    /// these lengths is also what their capacity allows.
    #[must_use]
    pub fn collision_strength(self) -> u16 {
        match self.digest_length() {
            28 => 112,
            32 => 128,
            48 => 192,
            _ => 256,
        }
    }

    /// The whole DER encoding of the function's OID: 11 bytes, as it stands in M' of FIPS 204
    /// (Algorithm 4) and FIPS 205 (Algorithm 23).
    #[must_use]
    pub fn oid_der(self) -> [u8; 11] {
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, self.row().arc]
    }

    /// Whether the standard allows this function as a pre-hash for signing with `algorithm`: it must offer at
    /// least the set's strength against collisions (FIPS 204 section 5.4.1, FIPS 205 section 10.2.2);
    /// Ed25519ph takes SHA-512 only (RFC 8032 section 5.1).
    #[must_use]
    pub fn is_allowed_for(self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Ed25519 => self == HashAlgorithm::Sha512,
            _ => self.collision_strength() >= algorithm.parameters().strength,
        }
    }

    /// The functions allowed for `algorithm`, in the order of the table.
    pub fn allowed_for(algorithm: Algorithm) -> impl Iterator<Item = HashAlgorithm> {
        HashAlgorithm::ALL.into_iter().filter(move |hash| hash.is_allowed_for(algorithm))
    }

    /// A hasher for a message that arrives in pieces.
    #[must_use]
    pub fn hasher(self) -> Hasher {
        let state = match self {
            HashAlgorithm::Sha224 => State::Sha224(Sha224::new()),
            HashAlgorithm::Sha256 => State::Sha256(Sha256::new()),
            HashAlgorithm::Sha384 => State::Sha384(Sha384::new()),
            HashAlgorithm::Sha512 => State::Sha512(Sha512::new()),
            HashAlgorithm::Sha512_224 => State::Sha512_224(Sha512_224::new()),
            HashAlgorithm::Sha512_256 => State::Sha512_256(Sha512_256::new()),
            HashAlgorithm::Sha3_224 => State::Sha3_224(Sha3_224::new()),
            HashAlgorithm::Sha3_256 => State::Sha3_256(Sha3_256::new()),
            HashAlgorithm::Sha3_384 => State::Sha3_384(Sha3_384::new()),
            HashAlgorithm::Sha3_512 => State::Sha3_512(Sha3_512::new()),
            HashAlgorithm::Shake128 => State::Shake128(Shake128::default()),
            HashAlgorithm::Shake256 => State::Shake256(Shake256::default()),
        };
        Hasher { hash: self, state }
    }

    /// The digest of a whole message.
    #[must_use]
    pub fn digest(self, message: &[u8]) -> Digest {
        let mut hasher = self.hasher();
        hasher.update(message);
        hasher.finish()
    }

    /// The digest of all that a reader yields, in bounded memory.
    ///
    /// # Errors
    /// What the reader reports.
    pub fn digest_reader(self, reader: &mut dyn Read) -> io::Result<Digest> {
        let mut hasher = self.hasher();
        crate::message::for_each_chunk(reader, |chunk| hasher.update(chunk))?;
        Ok(hasher.finish())
    }
}

impl fmt::Display for HashAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for HashAlgorithm {
    type Err = Error;

    /// Takes the names of FIPS 180-4 and FIPS 202 and ACVP's, in any case, with or without dashes and slashes.
    fn from_str(given: &str) -> Result<Self, Error> {
        let wanted = normalize(given);
        TABLE
            .iter()
            .find(|row| normalize(row.name) == wanted || normalize(row.acvp_name) == wanted)
            .map(|row| row.hash)
            .ok_or_else(|| Error::UnknownHash {
                given: given.to_owned(),
                near: near_names(given, TABLE.iter().map(|row| row.name)),
            })
    }
}

/// A digest together with the function that made it; its length is always the function's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    hash: HashAlgorithm,
    bytes: Vec<u8>,
}

impl Digest {
    /// A digest that was computed elsewhere.
    ///
    /// # Errors
    /// [`Error::DigestLength`].
    pub fn new(hash: HashAlgorithm, bytes: &[u8]) -> Result<Self, Error> {
        if bytes.len() != hash.digest_length() {
            return Err(Error::DigestLength { hash, actual: bytes.len() });
        }
        Ok(Digest { hash, bytes: bytes.to_vec() })
    }

    /// The function.
    #[must_use]
    pub fn hash(&self) -> HashAlgorithm {
        self.hash
    }

    /// The digest's bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Hashes a message that arrives in pieces. Made by [`HashAlgorithm::hasher`].
pub struct Hasher {
    hash: HashAlgorithm,
    state: State,
}

enum State {
    Sha224(Sha224),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Sha512_224(Sha512_224),
    Sha512_256(Sha512_256),
    Sha3_224(Sha3_224),
    Sha3_256(Sha3_256),
    Sha3_384(Sha3_384),
    Sha3_512(Sha3_512),
    Shake128(Shake128),
    Shake256(Shake256),
}

/// Runs `$body` with the state of whichever fixed-length function, or of whichever XOF.
macro_rules! on_state {
    ($state:expr, fixed $f:ident => $fixed:expr, xof $x:ident => $xof:expr) => {
        match $state {
            State::Sha224($f) => $fixed,
            State::Sha256($f) => $fixed,
            State::Sha384($f) => $fixed,
            State::Sha512($f) => $fixed,
            State::Sha512_224($f) => $fixed,
            State::Sha512_256($f) => $fixed,
            State::Sha3_224($f) => $fixed,
            State::Sha3_256($f) => $fixed,
            State::Sha3_384($f) => $fixed,
            State::Sha3_512($f) => $fixed,
            State::Shake128($x) => $xof,
            State::Shake256($x) => $xof,
        }
    };
}

impl Hasher {
    /// Hashes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        on_state!(&mut self.state, fixed f => Update::update(f, piece), xof x => x.update(piece));
    }

    /// The digest of all pieces so far.
    #[must_use]
    pub fn finish(self) -> Digest {
        let length = self.hash.digest_length();
        let bytes = on_state!(self.state, fixed f => f.finalize().to_vec(), xof x => {
            let mut bytes = vec![0; length];
            x.finalize_xof().read(&mut bytes);
            bytes
        });
        Digest { hash: self.hash, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_variants() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.hash as usize, index, "{}", row.name);
            for alias in [row.name, row.acvp_name, &row.name.to_lowercase()] {
                assert_eq!(alias.parse::<HashAlgorithm>().unwrap(), row.hash);
            }
        }
        assert_eq!("sha256".parse::<HashAlgorithm>().unwrap(), HashAlgorithm::Sha256);
        assert!("md5".parse::<HashAlgorithm>().is_err());
    }

    #[test]
    fn digests_have_the_tables_length_however_they_are_cut() {
        for hash in HashAlgorithm::ALL {
            let whole = hash.digest(b"abc");
            assert_eq!(whole.as_bytes().len(), hash.digest_length(), "{hash}");
            let mut hasher = hash.hasher();
            hasher.update(b"a");
            hasher.update(b"");
            hasher.update(b"bc");
            assert_eq!(hasher.finish(), whole, "{hash}");
            assert_eq!(hash.digest_reader(&mut &b"abc"[..]).unwrap(), whole, "{hash}");
            assert!(Digest::new(hash, &whole.as_bytes()[1..]).is_err());
        }
    }

    /// FIPS 204 names 32 bytes for SHAKE128; a digest of 16 would halve the strength unnoticed.
    #[test]
    fn strength_decides_what_is_allowed() {
        use HashAlgorithm::*;
        let allowed = |algorithm| HashAlgorithm::allowed_for(algorithm).collect::<Vec<_>>();
        assert_eq!(allowed(Algorithm::MlDsa87), [Sha512, Sha3_512, Shake256]);
        assert_eq!(allowed(Algorithm::MlDsa65), [Sha384, Sha512, Sha3_384, Sha3_512, Shake256]);
        assert_eq!(allowed(Algorithm::SlhDsaSha2_128s).len(), 9);
        assert_eq!(allowed(Algorithm::Ed25519), [Sha512]);
    }
}
