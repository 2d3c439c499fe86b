//! Signatures that were tampered with: a bit in each field, and the length.

use pqsig::Family;

use super::{Cases, Signed};
use crate::layout::{self, Blob};
use crate::record::Depth;

/// One bit flipped: the lowest of a field's first byte, or the highest of its last.
pub(super) fn flips(signed: &Signed<'_>, depth: Depth, cases: &mut Cases) {
    let family = signed.algorithm().family();
    let fields = layout::fields(signed.algorithm(), Blob::Signature);
    for (position, field) in fields.iter().enumerate() {
        let last = field.bytes.end - 1;
        let first = ("first", field.bytes.start, 0x01);
        let last = ("last", last, 0x80);
        // The two ends of every field; SLH-DSA has up to 111, and hashes through all that stand before a
        // flip: one each.
        let flips = match (depth, family) {
            (Depth::Full, Family::SlhDsa) if position % 2 == 0 => vec![first],
            (Depth::Full, Family::SlhDsa) => vec![last],
            (Depth::Full, _) => vec![first, last],
            (Depth::Quick, _) if is_quick(&field.name, position, fields.len()) => vec![first],
            (Depth::Quick, _) => continue,
        };
        for (end, byte, bit) in flips {
            let mut signature = signed.signature.to_vec();
            signature[byte] ^= bit;
            cases.rejected(
                format!("bit flipped in {}, {end} byte", field.name),
                signed.with_signature(signature),
            );
        }
    }
}

/// One field of each kind: the first of the signature, the last, and the first of those that come in numbers.
fn is_quick(name: &str, position: usize, count: usize) -> bool {
    let is_numbered = name.contains(|c: char| c.is_ascii_digit());
    !is_numbered || name.contains(" 0") || position + 2 >= count
}

/// Signatures of a wrong length, and two of the right one that nobody made (ACVP-Server#477, tink-cc#13).
pub(super) fn lengths(signed: &Signed<'_>, cases: &mut Cases) {
    let good = signed.signature;
    let all = |byte| vec![byte; good.len()];
    for (name, signature) in [
        ("signature one byte short", good[..good.len() - 1].to_vec()),
        ("signature with a zero byte appended", [good, &[0]].concat()),
        ("signature empty", Vec::new()),
        ("signature twice", good.repeat(2)),
        ("signature all zeros", all(0)),
        ("signature all ones", all(0xff)),
    ] {
        cases.rejected(name, signed.with_signature(signature));
    }
}
