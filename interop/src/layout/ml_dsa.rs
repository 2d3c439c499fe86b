//! The parameters and layouts of ML-DSA.

use std::ops::Range;

use pqsig::Algorithm;

use super::packing::Packing;
use super::{Blob, Field, Tiler};

/// A parameter set of ML-DSA (FIPS 204 section 4, table 1), as far as it shapes keys and signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MlDsa {
    /// The set.
    pub algorithm: Algorithm,
    /// Rows of the matrix A.
    pub k: usize,
    /// Columns of the matrix A.
    pub l: usize,
    /// The bound on the coefficients of s1 and s2.
    pub eta: u32,
    /// The weight of the challenge c.
    pub tau: u32,
    /// The bound on the coefficients of y.
    pub gamma1: u32,
    /// The low-order rounding range.
    pub gamma2: u32,
    /// The most ones in the hint h.
    pub omega: usize,
    /// The length of c~ in bytes: lambda / 4.
    pub c_tilde: usize,
}

/// The modulus q.
const Q: u32 = 8_380_417;
/// The bits dropped from t.
const D: usize = 13;

static TABLE: [MlDsa; 3] = [
    MlDsa {
        algorithm: Algorithm::MlDsa44,
        k: 4,
        l: 4,
        eta: 2,
        tau: 39,
        gamma1: 1 << 17,
        gamma2: (Q - 1) / 88,
        omega: 80,
        c_tilde: 32,
    },
    MlDsa {
        algorithm: Algorithm::MlDsa65,
        k: 6,
        l: 5,
        eta: 4,
        tau: 49,
        gamma1: 1 << 19,
        gamma2: (Q - 1) / 32,
        omega: 55,
        c_tilde: 48,
    },
    MlDsa {
        algorithm: Algorithm::MlDsa87,
        k: 8,
        l: 7,
        eta: 2,
        tau: 60,
        gamma1: 1 << 19,
        gamma2: (Q - 1) / 32,
        omega: 75,
        c_tilde: 64,
    },
];

impl MlDsa {
    /// The set's row of the table; `None` for an algorithm of another family.
    #[must_use]
    pub fn of(algorithm: Algorithm) -> Option<&'static MlDsa> {
        TABLE.iter().find(|row| row.algorithm == algorithm)
    }

    /// beta = tau eta: every coefficient of z is below gamma1 - beta.
    #[must_use]
    pub fn beta(&self) -> u32 {
        self.tau * self.eta
    }

    /// How z is packed: BitPack(z, gamma1 - 1, gamma1).
    #[must_use]
    pub fn z_packing(&self) -> Packing {
        Packing::from(bit_length(2 * self.gamma1 - 1), self.gamma1)
    }

    /// How s1 and s2 are packed: BitPack(s, eta, eta).
    #[must_use]
    pub fn s_packing(&self) -> Packing {
        Packing::from(bit_length(2 * self.eta), self.eta)
    }

    /// How t0 is packed: BitPack(t0, 2^(d-1) - 1, 2^(d-1)).
    fn t0_packing() -> Packing {
        Packing::from(D, 1 << (D - 1))
    }

    /// How t1 is packed: SimpleBitPack(t1, 2^(bitlen(q-1)-d) - 1).
    fn t1_packing() -> Packing {
        Packing::simple(bit_length(Q - 1) - D)
    }

    /// Where a polynomial of z lies in a signature.
    #[must_use]
    pub fn z(&self, polynomial: usize) -> Range<usize> {
        let length = self.z_packing().length();
        let start = self.c_tilde + polynomial * length;
        start..start + length
    }

    /// Where the hint's indices lie in a signature: omega bytes.
    #[must_use]
    pub fn hint_indices(&self) -> Range<usize> {
        let start = self.z(self.l).start;
        start..start + self.omega
    }

    /// Where the hint's counts lie in a signature: k bytes, for each polynomial the end of its indices.
    #[must_use]
    pub fn hint_counts(&self) -> Range<usize> {
        let start = self.hint_indices().end;
        start..start + self.k
    }

    /// FIPS 204 Algorithm 26 (sigEncode), 22 (pkEncode) and 24 (skEncode).
    pub(super) fn fields(&self, blob: Blob) -> Vec<Field> {
        let mut tiler = Tiler::new();
        match blob {
            Blob::Signature => {
                tiler.bytes("c~", self.c_tilde);
                tiler.polynomials("z", self.l, self.z_packing());
                tiler.bytes("h, indices", self.omega);
                tiler.bytes("h, counts", self.k);
            }
            Blob::PublicKey => {
                tiler.bytes("rho", 32);
                tiler.polynomials("t1", self.k, MlDsa::t1_packing());
            }
            Blob::PrivateKey => {
                tiler.bytes("rho", 32);
                tiler.bytes("K", 32);
                tiler.bytes("tr", 64);
                tiler.polynomials("s1", self.l, self.s_packing());
                tiler.polynomials("s2", self.k, self.s_packing());
                tiler.polynomials("t0", self.k, MlDsa::t0_packing());
            }
        }
        tiler.fields
    }
}

/// The bits that a number takes: bitlen of FIPS 204 section 2.3.
fn bit_length(number: u32) -> usize {
    (u32::BITS - number.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_fields() {
        for set in &TABLE {
            let fields = set.fields(Blob::Signature);
            for polynomial in 0..set.l {
                assert_eq!(set.z(polynomial), fields[1 + polynomial].bytes);
            }
            assert_eq!(set.hint_indices(), fields[1 + set.l].bytes);
            assert_eq!(set.hint_counts(), fields[2 + set.l].bytes);
        }
    }

    /// FIPS 204 table 1 gives beta, and names each set after its dimensions.
    #[test]
    fn the_table_is_the_standards() {
        assert_eq!(TABLE.map(|set| set.beta()), [78, 196, 120]);
        for set in &TABLE {
            assert!(set.algorithm.name().ends_with(&format!("-{}{}", set.k, set.l)));
            assert_eq!(set.c_tilde * 4, usize::from(set.algorithm.parameters().strength));
            // HighBits and the encoding of w1 rely on it (section 2.3, Algorithm 28).
            assert_eq!((Q - 1) % (2 * set.gamma2), 0);
        }
        assert_eq!(MlDsa::of(Algorithm::Ed25519), None);
    }
}
