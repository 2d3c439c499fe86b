//! ML-DSA signatures that only the bound on z decides: see vectors/boundary/README.md.

use std::sync::OnceLock;

use pqsig::Algorithm;
use serde::Deserialize;

use super::Cases;
use crate::key::{EncodedKey, KeyForm};
use crate::message::Message;
use crate::question::Question;

#[derive(Deserialize)]
struct File {
    sets: Vec<Set>,
}

#[derive(Deserialize)]
struct Set {
    #[serde(with = "crate::text")]
    algorithm: Algorithm,
    #[serde(with = "hex::serde")]
    public_key: Vec<u8>,
    #[serde(with = "hex::serde")]
    message: Vec<u8>,
    cases: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    /// The greatest coefficient of z: gamma1 - beta, one less, or the negative of either.
    coefficient: i32,
    valid: bool,
    #[serde(with = "hex::serde")]
    signature: Vec<u8>,
}

#[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
fn file() -> &'static File {
    static FILE: OnceLock<File> = OnceLock::new();
    FILE.get_or_init(|| {
        let text = include_str!("../../vectors/boundary/ml_dsa_z_bound.json");
        serde_json::from_str(text).expect("the vectors are those that make.py writes")
    })
}

/// The vectors of one set.
pub(super) fn cases(algorithm: Algorithm, cases: &mut Cases) {
    for set in file().sets.iter().filter(|set| set.algorithm == algorithm) {
        for vector in &set.cases {
            let question = Question::Verify {
                public: EncodedKey { algorithm, form: KeyForm::RawPublic, bytes: set.public_key.clone() },
                message: Message::pure(set.message.clone()),
                signature: vector.signature.clone(),
            };
            let bound = if vector.valid { "gamma1 - beta - 1" } else { "gamma1 - beta" };
            let bound = if vector.coefficient < 0 { format!("-({bound})") } else { bound.to_owned() };
            let name = format!("z at {bound}, otherwise valid");
            if vector.valid {
                cases.accepted(name, question);
            } else {
                cases.rejected(name, question);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Blob, MlDsa};

    /// The file against FIPS 204: sizes, t1 = 0, and where the coefficients of z lie.
    #[test]
    fn the_vectors_are_what_they_say() {
        assert_eq!(file().sets.len(), 3);
        for set in &file().sets {
            let shape = MlDsa::of(set.algorithm).unwrap();
            assert_eq!(set.public_key.len(), Blob::PublicKey.length(set.algorithm));
            assert!(set.public_key[32..].iter().all(|byte| *byte == 0), "t1 = 0");
            let bound = (shape.gamma1 - shape.beta()).cast_signed();
            let expected = [(bound - 1, true), (bound, false), (1 - bound, true), (-bound, false)];
            let found: Vec<_> = set.cases.iter().map(|vector| (vector.coefficient, vector.valid)).collect();
            assert_eq!(found, expected, "{}", set.algorithm);
            for vector in &set.cases {
                assert_eq!(vector.signature.len(), Blob::Signature.length(set.algorithm));
                let coefficients = (0..shape.l).flat_map(|polynomial| {
                    let packed = &vector.signature[shape.z(polynomial)];
                    (0..256).map(move |index| shape.z_packing().coefficient(packed, index))
                });
                let large: Vec<_> = coefficients.filter(|value| value.abs() > 5).collect();
                assert_eq!(large, [vector.coefficient]);
                assert!(
                    vector.signature[shape.hint_indices().start..].iter().all(|byte| *byte == 0),
                    "h = 0"
                );
            }
        }
    }
}
