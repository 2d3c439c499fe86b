//! The parameters and layouts of SLH-DSA.

use pqsig::Algorithm;

use super::{Blob, Field, Tiler};

/// A parameter set of SLH-DSA (FIPS 205 section 11, table 2), as far as it shapes keys and signatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlhDsa {
    /// The set's name without its hash function, such as `128s`.
    pub name: &'static str,
    /// Bytes of a hash value.
    pub n: usize,
    /// The height of the hypertree.
    pub h: usize,
    /// The layers of the hypertree.
    pub d: usize,
    /// The height of one XMSS tree: h' = h / d.
    pub hp: usize,
    /// The height of one FORS tree.
    pub a: usize,
    /// The number of FORS trees.
    pub k: usize,
    /// The hash values of one WOTS+ signature: 2n + 3 for lg_w = 4 (section 5, equations 5.1 to 5.4).
    pub len: usize,
}

/// A row of table 2: its columns n, h, d, a and k.
#[expect(clippy::many_single_char_names, reason = "the standard's own names")]
const fn row(name: &'static str, columns: [usize; 5]) -> SlhDsa {
    let [n, h, d, a, k] = columns;
    SlhDsa { name, n, h, d, hp: h / d, a, k, len: 2 * n + 3 }
}

static TABLE: [SlhDsa; 6] = [
    row("128s", [16, 63, 7, 12, 14]),
    row("128f", [16, 66, 22, 6, 33]),
    row("192s", [24, 63, 7, 14, 17]),
    row("192f", [24, 66, 22, 8, 33]),
    row("256s", [32, 64, 8, 14, 22]),
    row("256f", [32, 68, 17, 9, 35]),
];

impl SlhDsa {
    /// The set's row of the table, one for both hash functions; `None` for an algorithm of another family.
    #[must_use]
    pub fn of(algorithm: Algorithm) -> Option<&'static SlhDsa> {
        let name = algorithm.name();
        TABLE.iter().find(|row| name.starts_with("SLH-DSA") && name.ends_with(row.name))
    }

    /// FIPS 205 figures 17 (with 14 and 13), 16 and 15.
    pub(super) fn fields(&self, blob: Blob) -> Vec<Field> {
        let mut tiler = Tiler::new();
        match blob {
            Blob::Signature => {
                tiler.bytes("R", self.n);
                for tree in 0..self.k {
                    tiler.bytes(format!("FORS tree {tree}, secret value"), self.n);
                    tiler.bytes(format!("FORS tree {tree}, auth path"), self.a * self.n);
                }
                for layer in 0..self.d {
                    tiler.bytes(format!("XMSS layer {layer}, WOTS+ signature"), self.len * self.n);
                    tiler.bytes(format!("XMSS layer {layer}, auth path"), self.hp * self.n);
                }
            }
            Blob::PublicKey => {
                tiler.bytes("PK.seed", self.n);
                tiler.bytes("PK.root", self.n);
            }
            Blob::PrivateKey => {
                for name in ["SK.seed", "SK.prf", "PK.seed", "PK.root"] {
                    tiler.bytes(name, self.n);
                }
            }
        }
        tiler.fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_has_its_row() {
        for algorithm in Algorithm::all().filter(|algorithm| algorithm.name().starts_with("SLH")) {
            let set = SlhDsa::of(algorithm).unwrap();
            assert_eq!(8 * set.n, usize::from(algorithm.parameters().strength), "{algorithm}");
            assert_eq!(set.hp * set.d, set.h, "{algorithm}");
        }
        assert_eq!(SlhDsa::of(Algorithm::MlDsa65), None);
    }
}
