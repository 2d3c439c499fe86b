//! Where each part of a key and of a signature lies: named fields, so that a difference or a tampered byte
//! can be named.

mod difference;
mod ml_dsa;
mod packing;
mod slh_dsa;

use std::ops::Range;

pub use difference::{Difference, first_difference};
pub use ml_dsa::MlDsa;
pub use packing::Packing;
use pqsig::Algorithm;
pub use slh_dsa::SlhDsa;

/// What is laid out: one of the standards' three encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blob {
    /// A signature.
    Signature,
    /// The standard's public key.
    PublicKey,
    /// The standard's private key: the expanded key of ML-DSA, 4n bytes for SLH-DSA, the seed of Ed25519.
    PrivateKey,
}

impl Blob {
    /// Every encoding.
    pub const ALL: [Blob; 3] = [Blob::Signature, Blob::PublicKey, Blob::PrivateKey];

    /// Its length in bytes.
    #[must_use]
    pub fn length(self, algorithm: Algorithm) -> usize {
        let parameters = algorithm.parameters();
        match self {
            Blob::Signature => parameters.signature,
            Blob::PublicKey => parameters.public_key,
            Blob::PrivateKey => parameters.private_key,
        }
    }
}

/// A named part of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Such as `z, polynomial 2` or `FORS tree 3, auth path`. Numbers start at 0, as in the standards.
    pub name: String,
    /// Where it lies.
    pub bytes: Range<usize>,
    /// How its coefficients are packed, if it is a polynomial of ML-DSA.
    pub packing: Option<Packing>,
}

impl Field {
    fn new(name: impl Into<String>, bytes: Range<usize>) -> Self {
        Field { name: name.into(), bytes, packing: None }
    }

    fn polynomial(name: String, bytes: Range<usize>, packing: Packing) -> Self {
        Field { name, bytes, packing: Some(packing) }
    }
}

/// The fields in their order. They tile the encoding: each starts where the one before it ends.
#[must_use]
pub fn fields(algorithm: Algorithm, blob: Blob) -> Vec<Field> {
    match (MlDsa::of(algorithm), SlhDsa::of(algorithm)) {
        (Some(set), _) => set.fields(blob),
        (_, Some(set)) => set.fields(blob),
        _ => ed25519(blob),
    }
}

/// RFC 8032 sections 5.1.5 and 5.1.6.
fn ed25519(blob: Blob) -> Vec<Field> {
    match blob {
        Blob::Signature => vec![Field::new("R", 0..32), Field::new("S", 32..64)],
        Blob::PublicKey => vec![Field::new("A", 0..32)],
        Blob::PrivateKey => vec![Field::new("private key", 0..32)],
    }
}

/// Writes fields one behind the other.
struct Tiler {
    end: usize,
    fields: Vec<Field>,
}

impl Tiler {
    fn new() -> Self {
        Tiler { end: 0, fields: Vec::new() }
    }

    fn bytes(&mut self, name: impl Into<String>, length: usize) {
        self.fields.push(Field::new(name, self.end..self.end + length));
        self.end += length;
    }

    fn polynomials(&mut self, name: &str, count: usize, packing: Packing) {
        for index in 0..count {
            let bytes = self.end..self.end + packing.length();
            self.end = bytes.end;
            self.fields.push(Field::polynomial(format!("{name}, polynomial {index}"), bytes, packing));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn fields_tile_every_encoding() {
        for algorithm in Algorithm::all() {
            for blob in Blob::ALL {
                let fields = fields(algorithm, blob);
                let mut end = 0;
                for field in &fields {
                    assert_eq!(field.bytes.start, end, "{algorithm} {blob:?}: {}", field.name);
                    assert!(field.bytes.end > end, "{algorithm} {blob:?}: {} is empty", field.name);
                    end = field.bytes.end;
                    if let Some(packing) = field.packing {
                        assert_eq!(field.bytes.len(), packing.length(), "{algorithm}: {}", field.name);
                    }
                }
                assert_eq!(end, blob.length(algorithm), "{algorithm} {blob:?}");
                let names: BTreeSet<_> = fields.iter().map(|field| &field.name).collect();
                assert_eq!(names.len(), fields.len(), "{algorithm} {blob:?}: a name twice");
            }
        }
    }

    #[test]
    fn fields_have_the_standards_names() {
        let names = |algorithm, blob| {
            let names: Vec<_> = fields(algorithm, blob).into_iter().map(|field| field.name).collect();
            names
        };
        let ml_dsa = names(Algorithm::MlDsa44, Blob::Signature);
        assert_eq!(ml_dsa[..2], ["c~", "z, polynomial 0"]);
        assert_eq!(ml_dsa[5..], ["h, indices", "h, counts"]);
        assert_eq!(names(Algorithm::MlDsa87, Blob::PrivateKey).len(), 3 + 7 + 8 + 8);
        let slh_dsa = names(Algorithm::SlhDsaSha2_128f, Blob::Signature);
        assert_eq!(slh_dsa[..3], ["R", "FORS tree 0, secret value", "FORS tree 0, auth path"]);
        assert_eq!(slh_dsa[109..], ["XMSS layer 21, WOTS+ signature", "XMSS layer 21, auth path"]);
        assert_eq!(names(Algorithm::Ed25519, Blob::Signature), ["R", "S"]);
    }
}
