//! The sixteen algorithms, in one table.
//!
//! A parameter set is one row of [`TABLE`] and one variant of [`Algorithm`]; everything that depends on
//! a size, an OID or a security level reads it from here.

use std::fmt;
use std::str::FromStr;

use crate::Error;
use crate::names::{near_names, normalize};

/// A family of algorithms: one standard, one shape of key and signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Module-lattice signatures, FIPS 204.
    MlDsa,
    /// Stateless hash-based signatures, FIPS 205.
    SlhDsa,
    /// Ed25519, RFC 8032: the classical baseline to compare with.
    Ed25519,
}

impl Family {
    /// Every family, in the order of the table.
    pub const ALL: [Family; 3] = [Family::MlDsa, Family::SlhDsa, Family::Ed25519];

    /// The name that the standard uses: `ML-DSA`, `SLH-DSA`, `Ed25519`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::MlDsa => "ML-DSA",
            Family::SlhDsa => "SLH-DSA",
            Family::Ed25519 => "Ed25519",
        }
    }

    /// The document that defines the family.
    #[must_use]
    pub const fn standard(self) -> &'static str {
        match self {
            Family::MlDsa => "FIPS 204",
            Family::SlhDsa => "FIPS 205",
            Family::Ed25519 => "RFC 8032",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One parameter set. Its facts are in [`Algorithm::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are the standards' own names; see TABLE")]
pub enum Algorithm {
    MlDsa44,
    MlDsa65,
    MlDsa87,
    SlhDsaSha2_128s,
    SlhDsaSha2_128f,
    SlhDsaSha2_192s,
    SlhDsaSha2_192f,
    SlhDsaSha2_256s,
    SlhDsaSha2_256f,
    SlhDsaShake128s,
    SlhDsaShake128f,
    SlhDsaShake192s,
    SlhDsaShake192f,
    SlhDsaShake256s,
    SlhDsaShake256f,
    Ed25519,
}

/// What the standards say of one algorithm. All lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// The algorithm that this row describes.
    pub algorithm: Algorithm,
    /// The standard's name, such as `ML-DSA-65`.
    pub name: &'static str,
    /// The family.
    pub family: Family,
    /// The object identifier of the key and of the pure signature algorithm, in dotted decimal.
    pub oid: &'static str,
    /// NIST's security category, 1 to 5; `None` for Ed25519, which is not post-quantum.
    pub category: Option<u8>,
    /// The classical strength that a pre-hash must offer, in bits: lambda in FIPS 204 (table 1),
    /// 8n in FIPS 205 (table 2).
    pub strength: u16,
    /// The encoded public key.
    pub public_key: usize,
    /// The standard's encoded private key: the expanded key of ML-DSA, 4n for SLH-DSA, the seed of Ed25519.
    pub private_key: usize,
    /// The seed that key generation starts from: xi of ML-DSA, SK.seed, SK.prf and PK.seed of SLH-DSA
    /// one after the other (3n), the private key of Ed25519.
    pub seed: usize,
    /// The signature.
    pub signature: usize,
    /// The random bytes that one hedged signature takes: 32 for ML-DSA, n for SLH-DSA, 0 for Ed25519.
    pub randomness: usize,
}

const fn ml_dsa(
    algorithm: Algorithm,
    name: &'static str,
    oid: &'static str,
    category: u8,
    strength: u16,
    sizes: [usize; 3],
) -> Parameters {
    let [public_key, private_key, signature] = sizes;
    Parameters {
        algorithm,
        name,
        family: Family::MlDsa,
        oid,
        category: Some(category),
        strength,
        public_key,
        private_key,
        seed: 32,
        signature,
        randomness: 32,
    }
}

const fn slh_dsa(
    algorithm: Algorithm,
    name: &'static str,
    oid: &'static str,
    category: u8,
    n: usize,
    signature: usize,
) -> Parameters {
    Parameters {
        algorithm,
        name,
        family: Family::SlhDsa,
        oid,
        category: Some(category),
        strength: match category {
            1 => 128,
            3 => 192,
            _ => 256,
        },
        public_key: 2 * n,
        private_key: 4 * n,
        seed: 3 * n,
        signature,
        randomness: n,
    }
}

/// One row per algorithm, in the order of the variants. Sizes: FIPS 204 table 2, FIPS 205 table 2, RFC 8032
/// section 5.1. OIDs: NIST's Computer Security Objects Register, RFC 9881, RFC 9909, RFC 8410.
static TABLE: [Parameters; 16] = {
    use Algorithm::{
        Ed25519, MlDsa44, MlDsa65, MlDsa87, SlhDsaSha2_128f, SlhDsaSha2_128s, SlhDsaSha2_192f,
        SlhDsaSha2_192s, SlhDsaSha2_256f, SlhDsaSha2_256s, SlhDsaShake128f, SlhDsaShake128s, SlhDsaShake192f,
        SlhDsaShake192s, SlhDsaShake256f, SlhDsaShake256s,
    };
    [
        ml_dsa(MlDsa44, "ML-DSA-44", "2.16.840.1.101.3.4.3.17", 2, 128, [1312, 2560, 2420]),
        ml_dsa(MlDsa65, "ML-DSA-65", "2.16.840.1.101.3.4.3.18", 3, 192, [1952, 4032, 3309]),
        ml_dsa(MlDsa87, "ML-DSA-87", "2.16.840.1.101.3.4.3.19", 5, 256, [2592, 4896, 4627]),
        slh_dsa(SlhDsaSha2_128s, "SLH-DSA-SHA2-128s", "2.16.840.1.101.3.4.3.20", 1, 16, 7856),
        slh_dsa(SlhDsaSha2_128f, "SLH-DSA-SHA2-128f", "2.16.840.1.101.3.4.3.21", 1, 16, 17088),
        slh_dsa(SlhDsaSha2_192s, "SLH-DSA-SHA2-192s", "2.16.840.1.101.3.4.3.22", 3, 24, 16224),
        slh_dsa(SlhDsaSha2_192f, "SLH-DSA-SHA2-192f", "2.16.840.1.101.3.4.3.23", 3, 24, 35664),
        slh_dsa(SlhDsaSha2_256s, "SLH-DSA-SHA2-256s", "2.16.840.1.101.3.4.3.24", 5, 32, 29792),
        slh_dsa(SlhDsaSha2_256f, "SLH-DSA-SHA2-256f", "2.16.840.1.101.3.4.3.25", 5, 32, 49856),
        slh_dsa(SlhDsaShake128s, "SLH-DSA-SHAKE-128s", "2.16.840.1.101.3.4.3.26", 1, 16, 7856),
        slh_dsa(SlhDsaShake128f, "SLH-DSA-SHAKE-128f", "2.16.840.1.101.3.4.3.27", 1, 16, 17088),
        slh_dsa(SlhDsaShake192s, "SLH-DSA-SHAKE-192s", "2.16.840.1.101.3.4.3.28", 3, 24, 16224),
        slh_dsa(SlhDsaShake192f, "SLH-DSA-SHAKE-192f", "2.16.840.1.101.3.4.3.29", 3, 24, 35664),
        slh_dsa(SlhDsaShake256s, "SLH-DSA-SHAKE-256s", "2.16.840.1.101.3.4.3.30", 5, 32, 29792),
        slh_dsa(SlhDsaShake256f, "SLH-DSA-SHAKE-256f", "2.16.840.1.101.3.4.3.31", 5, 32, 49856),
        Parameters {
            algorithm: Ed25519,
            name: "Ed25519",
            family: Family::Ed25519,
            oid: "1.3.101.112",
            category: None,
            strength: 128,
            public_key: 32,
            private_key: 32,
            seed: 32,
            signature: 64,
            randomness: 0,
        },
    ]
};

impl Algorithm {
    /// Every algorithm, in the order of the table.
    #[must_use]
    pub fn all() -> impl ExactSizeIterator<Item = Algorithm> + Clone {
        TABLE.iter().map(|row| row.algorithm)
    }

    /// The algorithm's row of the table.
    #[must_use]
    pub fn parameters(self) -> &'static Parameters {
        &TABLE[self as usize]
    }

    /// The standard's name, such as `SLH-DSA-SHA2-128f`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.parameters().name
    }

    /// The family.
    #[must_use]
    pub fn family(self) -> Family {
        self.parameters().family
    }

    /// The algorithm with this dotted-decimal OID.
    #[must_use]
    pub fn from_oid(oid: &str) -> Option<Algorithm> {
        TABLE.iter().find(|row| row.oid == oid).map(|row| row.algorithm)
    }

    /// The algorithms that a word selects: one algorithm, a family (`ML-DSA`), one hash of SLH-DSA
    /// (`SLH-DSA-SHA2`, `SLH-DSA-SHAKE`), or `all`.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`], with near names.
    pub fn select(word: &str) -> Result<Vec<Algorithm>, Error> {
        let wanted = normalize(word);
        if wanted == "all" {
            return Ok(Algorithm::all().collect());
        }
        if let Ok(algorithm) = word.parse() {
            return Ok(vec![algorithm]);
        }
        let is_group = Family::ALL.iter().any(|family| normalize(family.name()) == wanted)
            || ["slhdsasha2", "slhdsashake"].contains(&wanted.as_str());
        let selected: Vec<_> = Algorithm::all()
            .filter(|algorithm| is_group && normalize(algorithm.name()).starts_with(&wanted))
            .collect();
        if selected.is_empty() { Err(unknown(word)) } else { Ok(selected) }
    }

    /// True for the twelve SLH-DSA sets built on SHAKE, false for all else.
    #[must_use]
    pub fn uses_shake(self) -> bool {
        self.name().contains("SHAKE")
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    /// Takes the standard's name in any case, with or without its dashes, with or without the prefix `id-`,
    /// and the dotted-decimal OID.
    fn from_str(given: &str) -> Result<Self, Error> {
        let wanted = normalize(given);
        let wanted = wanted.strip_prefix("id").unwrap_or(&wanted);
        TABLE
            .iter()
            .find(|row| row.oid == given.trim() || normalize(row.name) == wanted)
            .map(|row| row.algorithm)
            .ok_or_else(|| unknown(given))
    }
}

fn unknown(given: &str) -> Error {
    Error::UnknownAlgorithm {
        given: given.to_owned(),
        near: near_names(given, TABLE.iter().map(|row| row.name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_variants() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.algorithm as usize, index, "{}", row.name);
            assert_eq!(row.algorithm.parameters(), row);
        }
    }

    #[test]
    fn every_alias_names_its_algorithm() {
        for row in &TABLE {
            let bare = row.name.replace('-', "");
            for alias in [
                row.name.to_owned(),
                row.name.to_lowercase(),
                bare.to_lowercase(),
                row.name.replace('-', "_"),
                format!("id-{}", row.name.to_lowercase()),
                row.oid.to_owned(),
            ] {
                assert_eq!(alias.parse::<Algorithm>().unwrap(), row.algorithm, "{alias}");
            }
            assert_eq!(Algorithm::from_oid(row.oid), Some(row.algorithm));
        }
    }

    #[test]
    fn an_unknown_name_offers_near_ones() {
        let Err(Error::UnknownAlgorithm { near, .. }) = "ML-DSA-56".parse::<Algorithm>() else {
            panic!("ML-DSA-56 is no algorithm");
        };
        assert!(near.contains(&"ML-DSA-65"), "{near:?}");
        assert!("".parse::<Algorithm>().is_err());
        assert!("id-".parse::<Algorithm>().is_err());
    }

    #[test]
    fn a_word_selects_a_family_or_all() {
        assert_eq!(Algorithm::select("all").unwrap().len(), 16);
        assert_eq!(Algorithm::select("ml-dsa").unwrap().len(), 3);
        assert_eq!(Algorithm::select("SLH-DSA").unwrap().len(), 12);
        assert_eq!(Algorithm::select("slh-dsa-shake").unwrap().len(), 6);
        assert_eq!(Algorithm::select("Ed25519").unwrap(), [Algorithm::Ed25519]);
        assert!(Algorithm::select("ML").is_err());
        assert!(Algorithm::select("").is_err());
    }

    /// FIPS 204 table 2 and FIPS 205 table 2, computed from the parameters instead of copied.
    #[test]
    fn sizes_follow_from_the_standards_parameters() {
        // (k, l, eta bits, gamma1 bits, c~ bytes, omega)
        let ml_dsa = [(4, 4, 3, 18, 32, 80), (6, 5, 4, 20, 48, 55), (8, 7, 3, 20, 64, 75)];
        for (row, (k, l, eta_bits, gamma1_bits, c_tilde, omega)) in TABLE.iter().zip(ml_dsa) {
            assert_eq!(row.public_key, 32 + k * 320);
            assert_eq!(row.private_key, 128 + 32 * ((k + l) * eta_bits + 13 * k));
            assert_eq!(row.signature, c_tilde + l * 32 * gamma1_bits + omega + k);
            assert_eq!(usize::from(row.strength), c_tilde * 4);
        }
        // (n, h, d, a, k) for 128s, 128f, 192s, 192f, 256s, 256f; w = 16, so len = 2n + 3.
        let slh_dsa = [
            (16, 63, 7, 12, 14),
            (16, 66, 22, 6, 33),
            (24, 63, 7, 14, 17),
            (24, 66, 22, 8, 33),
            (32, 64, 8, 14, 22),
            (32, 68, 17, 9, 35),
        ];
        for (row, (n, h, d, a, k)) in TABLE[3..15].iter().zip(slh_dsa.iter().chain(&slh_dsa)) {
            assert_eq!(row.signature, n * (1 + k * (1 + a) + h + d * (2 * n + 3)), "{}", row.name);
            assert_eq!(usize::from(row.strength), 8 * n);
        }
    }
}
