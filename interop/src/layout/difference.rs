//! Where two encodings differ, in words.

use std::fmt;

use pqsig::Algorithm;

use super::{Blob, fields};

/// The first difference of two encodings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// They have different lengths in bytes.
    Length {
        /// Of the one.
        left: usize,
        /// Of the other.
        right: usize,
    },
    /// They have the same length and differ in a field.
    Field {
        /// The field's name, such as `FORS tree 3, auth path`.
        name: String,
        /// The first differing coefficient of 256, if the field is a polynomial of ML-DSA.
        coefficient: Option<usize>,
        /// The first differing byte of the whole.
        byte: usize,
    },
    /// They differ in a byte that lies behind the algorithm's last field: they are too long.
    Beyond {
        /// The first differing byte of the whole.
        byte: usize,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Length { left, right } => write!(f, "length {left} against {right}"),
            Difference::Field { name, coefficient: Some(index), .. } => {
                write!(f, "{name}, coefficient {index}")
            }
            Difference::Field { name, coefficient: None, .. } => f.write_str(name),
            Difference::Beyond { byte } => write!(f, "byte {byte}, which lies behind the last field"),
        }
    }
}

/// The first difference of two signatures or keys; `None` if they are equal.
#[must_use]
pub fn first_difference(algorithm: Algorithm, blob: Blob, left: &[u8], right: &[u8]) -> Option<Difference> {
    if left.len() != right.len() {
        return Some(Difference::Length { left: left.len(), right: right.len() });
    }
    let byte = left.iter().zip(right).position(|(left, right)| left != right)?;
    let Some(field) = fields(algorithm, blob).into_iter().find(|field| field.bytes.contains(&byte)) else {
        return Some(Difference::Beyond { byte });
    };
    let coefficient = field.packing.map(|packing| {
        let lowest = (left[byte] ^ right[byte]).trailing_zeros() as usize;
        packing.coefficient_of_bit(8 * (byte - field.bytes.start) + lowest)
    });
    Some(Difference::Field { name: field.name, coefficient, byte })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever bit of whichever field is flipped, that field is named.
    #[test]
    fn every_flip_is_named() {
        for algorithm in Algorithm::all() {
            for blob in Blob::ALL {
                let good = vec![0x5a; blob.length(algorithm)];
                assert_eq!(first_difference(algorithm, blob, &good, &good), None);
                for field in fields(algorithm, blob) {
                    for (byte, bit) in [(field.bytes.start, 0), (field.bytes.end - 1, 7)] {
                        let mut bad = good.clone();
                        bad[byte] ^= 1 << bit;
                        // A difference behind the first one changes nothing.
                        if let Some(last) = bad[byte + 1..].last_mut() {
                            *last ^= 1;
                        }
                        let coefficient = field.packing.map(|_| if bit == 0 { 0 } else { 255 });
                        let expected = Difference::Field { name: field.name.clone(), coefficient, byte };
                        assert_eq!(first_difference(algorithm, blob, &good, &bad), Some(expected));
                    }
                }
            }
        }
    }

    #[test]
    fn differences_read_as_people_say_them() {
        let text = |algorithm, left: &[u8], right: &[u8]| {
            first_difference(algorithm, Blob::Signature, left, right).unwrap().to_string()
        };
        assert_eq!(text(Algorithm::MlDsa65, &[0; 3309], &[0; 3310]), "length 3309 against 3310");
        let mut other = [0; 3310];
        other[3309] = 1;
        assert_eq!(
            text(Algorithm::MlDsa65, &[0; 3310], &other),
            "byte 3309, which lies behind the last field"
        );
        // c~ has 48 bytes, a polynomial 640; coefficient 5 starts 12 and a half bytes into it.
        other[48 + 2 * 640 + 12] = 0x80;
        assert_eq!(text(Algorithm::MlDsa65, &[0; 3309], &other[..3309]), "z, polynomial 2, coefficient 5");
        let mut other = [0; 64];
        other[63] = 1;
        assert_eq!(text(Algorithm::Ed25519, &[0; 64], &other), "S");
    }
}
