//! What a signature's bytes must be, whoever's key and whatever message it is for. Verifiers reject all else unseen.

use crate::{Algorithm, Family, PublicKey};

/// The words for what was found in order, or why no verifier can accept the bytes. They have the right length.
/// `Ok(None)`: every string of this length is one.
pub(super) fn check(algorithm: Algorithm, signature: &[u8]) -> Result<Option<&'static str>, String> {
    match algorithm.family() {
        Family::MlDsa => ml_dsa(algorithm, signature).map(|()| Some("hint and z are well formed")),
        Family::SlhDsa => Ok(None),
        Family::Ed25519 => ed25519(signature).map(|()| Some("R is a point and S is reduced")),
    }
}

/// FIPS 204 table 1, as far as it shapes a signature: c~, z, h.
struct Shape {
    c_tilde: usize,
    l: usize,
    /// gamma1 = 2^gamma1_log.
    gamma1_log: usize,
    /// beta = tau eta.
    beta: u32,
    k: usize,
    omega: usize,
}

impl Shape {
    fn of(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::MlDsa44 => Shape { c_tilde: 32, l: 4, gamma1_log: 17, beta: 78, k: 4, omega: 80 },
            Algorithm::MlDsa65 => Shape { c_tilde: 48, l: 5, gamma1_log: 19, beta: 196, k: 6, omega: 55 },
            _ => Shape { c_tilde: 64, l: 7, gamma1_log: 19, beta: 120, k: 8, omega: 75 },
        }
    }
}

fn ml_dsa(algorithm: Algorithm, signature: &[u8]) -> Result<(), String> {
    let shape = Shape::of(algorithm);
    let (rest, hint) = signature.split_at(signature.len() - shape.omega - shape.k);
    check_hint(hint, &shape)?;
    check_z(&rest[shape.c_tilde..], &shape)
}

/// FIPS 204 Algorithm 21: positions grow within a polynomial, their counts never sink and stay within omega, and what
/// is left is zero.
fn check_hint(hint: &[u8], shape: &Shape) -> Result<(), String> {
    let (positions, ends) = hint.split_at(shape.omega);
    let mut start = 0;
    for (polynomial, end) in ends.iter().map(|end| usize::from(*end)).enumerate() {
        if end < start || end > shape.omega {
            return Err(format!("the hint's count for polynomial {polynomial} is out of range"));
        }
        if positions[start..end].windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(format!("the hint's positions in polynomial {polynomial} don't increase"));
        }
        start = end;
    }
    if positions[start..].iter().any(|byte| *byte != 0) {
        return Err("the hint's unused positions are not zero".to_owned());
    }
    Ok(())
}

/// FIPS 204 Algorithm 8 line 13: every coefficient of z is below gamma1 - beta. They are packed as gamma1 - z, in
/// gamma1_log + 1 bits each, low bits first (Algorithm 19).
fn check_z(packed: &[u8], shape: &Shape) -> Result<(), String> {
    let bits = shape.gamma1_log + 1;
    let gamma1 = 1_u32 << shape.gamma1_log;
    for index in 0..shape.l * 256 {
        let first_bit = index * bits;
        // A coefficient of 18 or 20 bits lies within 4 bytes, the last of which the packing may not have.
        let bytes = packed[first_bit / 8..].iter().take(4).enumerate();
        let window = bytes.fold(0_u32, |window, (place, byte)| window | u32::from(*byte) << (8 * place));
        let value = window >> (first_bit % 8) & ((1 << bits) - 1);
        if value.abs_diff(gamma1) >= gamma1 - shape.beta {
            return Err(format!(
                "coefficient {} of z's polynomial {} is too large",
                index % 256,
                index / 256
            ));
        }
    }
    Ok(())
}

/// The order of Ed25519's group, L = 2^252 + 27742317777372353535851937790883648493, low byte first.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// RFC 8032 section 5.1.7: R is a point, and S is below the group's order L.
fn ed25519(signature: &[u8]) -> Result<(), String> {
    let (r, s) = signature.split_at(32);
    if s.iter().rev().ge(ORDER.iter().rev()) {
        return Err("S is not below the group's order".to_owned());
    }
    PublicKey::new(Algorithm::Ed25519, r).map(drop).map_err(|_| "R is no point of the curve".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Message, PrivateKey, Randomness, backend};

    fn signature(algorithm: Algorithm) -> Vec<u8> {
        let seed = vec![7; algorithm.parameters().seed];
        let key = PrivateKey::from_seed(algorithm, &seed).unwrap();
        let signer = backend::by_name("rustcrypto").unwrap().signing_key(&key).unwrap();
        signer.sign(&Message::pure(b"message"), Randomness::Deterministic).unwrap()
    }

    const ML_DSA: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87];

    #[test]
    fn real_signatures_are_well_formed() {
        for algorithm in ML_DSA.into_iter().chain([Algorithm::Ed25519]) {
            assert!(matches!(check(algorithm, &signature(algorithm)), Ok(Some(_))), "{algorithm}");
        }
        assert_eq!(check(Algorithm::SlhDsaSha2_128s, &[0; 7856]), Ok(None));
    }

    #[test]
    fn the_shapes_fill_the_signature() {
        for algorithm in ML_DSA {
            let shape = Shape::of(algorithm);
            let z = shape.l * 32 * (shape.gamma1_log + 1);
            let whole = shape.c_tilde + z + shape.omega + shape.k;
            assert_eq!(whole, algorithm.parameters().signature, "{algorithm}");
        }
    }

    /// RustCrypto/signatures#1176 and the other faults that Algorithm 21 rules out.
    #[test]
    fn every_fault_of_a_hint_is_named() {
        for algorithm in ML_DSA {
            let Shape { k, omega, .. } = Shape::of(algorithm);
            let good = signature(algorithm);
            let hint = good.len() - omega - k;
            let spoil = |change: &dyn Fn(&mut [u8])| {
                let mut bad = good.clone();
                change(&mut bad[hint..]);
                check(algorithm, &bad).unwrap_err()
            };
            let repeated = spoil(&|hint| hint[1] = hint[0]);
            assert!(repeated.contains("don't increase"), "{repeated}");
            let over = spoil(&|hint| hint[omega + k - 1] = u8::try_from(omega).unwrap() + 1);
            assert!(over.contains("out of range"), "{over}");
            let sinking = spoil(&|hint| hint[omega + 1] = hint[omega] - 1);
            assert!(sinking.contains("out of range"), "{sinking}");
            let padding = spoil(&|hint| hint[omega - 1] = 1);
            assert!(padding.contains("not zero"), "{padding}");
        }
    }

    /// pq-crystals/dilithium#113: gamma1 - beta itself is already too large; one less is not.
    #[test]
    fn the_bound_on_z_is_strict_on_both_sides() {
        for algorithm in ML_DSA {
            let shape = Shape::of(algorithm);
            let gamma1 = 1_u32 << shape.gamma1_log;
            for (value, fits) in [
                (shape.beta, false),
                (shape.beta + 1, true),
                (2 * gamma1 - shape.beta, false),
                (2 * gamma1 - shape.beta - 1, true),
            ] {
                let mut bytes = signature(algorithm);
                // The first coefficient: its low bits, leaving the neighbour's in the third byte.
                let keep =
                    bytes[shape.c_tilde + 2] >> (shape.gamma1_log + 1 - 16) << (shape.gamma1_log + 1 - 16);
                bytes[shape.c_tilde..][..2].copy_from_slice(&value.to_le_bytes()[..2]);
                bytes[shape.c_tilde + 2] = keep | value.to_le_bytes()[2];
                assert_eq!(check(algorithm, &bytes).is_ok(), fits, "{algorithm} {value}");
            }
        }
    }

    /// openssl#7693: S + L is the same number modulo L, and must not pass.
    #[test]
    fn an_unreduced_s_and_a_false_r_are_named() {
        let good = signature(Algorithm::Ed25519);
        let mut unreduced = good.clone();
        let mut carry = 0;
        for (byte, addend) in unreduced[32..].iter_mut().zip(ORDER) {
            let sum = u16::from(*byte) + u16::from(addend) + carry;
            *byte = u8::try_from(sum & 0xff).unwrap();
            carry = sum >> 8;
        }
        assert!(check(Algorithm::Ed25519, &unreduced).unwrap_err().contains("order"));

        let exactly_order = [&good[..32], &ORDER].concat();
        assert!(check(Algorithm::Ed25519, &exactly_order).unwrap_err().contains("order"));

        // y = 2 belongs to no point.
        let mut no_point = good;
        no_point[..32].fill(0);
        no_point[0] = 2;
        assert!(check(Algorithm::Ed25519, &no_point).unwrap_err().contains("point"));
    }
}
