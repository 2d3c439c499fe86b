//! S that is not reduced, and points that are of small order or encoded in a second way.

use pqsig::Algorithm;

use super::{Cases, Signed};
use crate::key::{EncodedKey, KeyForm};
use crate::message::Message;
use crate::question::Question;
use crate::record::{Check, Expected};

/// The order of the group, L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032 section 5.1), low
/// byte first.
const ORDER: [u8; 32] = [
    0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
];

/// An encoding of a point whose order divides 8.
struct SmallOrder {
    order: u8,
    /// Whether it is the point's encoding by RFC 8032 section 5.1.2: y is below p, and has no sign where x is
    /// 0.
    is_canonical: bool,
    /// The [`message`] under which the hash k = SHA-512(R || A || M) mod L is a multiple of 8, where A is
    /// this encoding and R that of the neutral element: then k A is the neutral element.
    vanishing: u8,
    encoding: &'static str,
}

const fn row(order: u8, is_canonical: bool, vanishing: u8, encoding: &'static str) -> SmallOrder {
    SmallOrder { order, is_canonical, vanishing, encoding }
}

/// All of them, computed from the curve's equation and SHA-512; the same encodings stand in Chalkias,
/// Garillot and Nikolaenko, "Taming the many EdDSAs" (SSR 2020), table 1.
const SMALL_ORDER: [SmallOrder; 14] = [
    row(1, true, 12, "0100000000000000000000000000000000000000000000000000000000000000"),
    row(1, false, 1, "0100000000000000000000000000000000000000000000000000000000000080"),
    row(1, false, 5, "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    row(1, false, 6, "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    row(2, true, 2, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    row(2, false, 9, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    row(4, true, 0, "0000000000000000000000000000000000000000000000000000000000000000"),
    row(4, true, 0, "0000000000000000000000000000000000000000000000000000000000000080"),
    row(4, false, 3, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
    row(4, false, 3, "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"),
    row(8, true, 12, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    row(8, true, 11, "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85"),
    row(8, true, 1, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
    row(8, true, 4, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"),
];

/// The encoding of the neutral element.
const NEUTRAL: &str = SMALL_ORDER[0].encoding;

/// The message under which k is odd for every encoding of a point of order 2, 4 or 8: then k A is not the
/// neutral element.
const REMAINING: u8 = 194;

fn message(number: u8) -> Message {
    Message::pure(format!("message {number}").into_bytes())
}

/// y = 2 belongs to no point.
pub(super) const NO_POINT: [u8; 32] = {
    let mut bytes = [0; 32];
    bytes[0] = 2;
    bytes
};

fn key(bytes: Vec<u8>) -> EncodedKey {
    EncodedKey { algorithm: Algorithm::Ed25519, form: KeyForm::RawPublic, bytes }
}

impl SmallOrder {
    fn name(&self) -> String {
        let SmallOrder { order, encoding, .. } = self;
        let how = if self.is_canonical { "" } else { ", not canonical" };
        format!("order {order} ({}..{}{how})", &encoding[..4], &encoding[62..])
    }
}

fn point(hexadecimal: &str) -> Vec<u8> {
    hex::decode(hexadecimal).unwrap_or_default()
}

/// What RFC 8032 section 5.1.7 decides: S is below L, and R is a point that fits.
pub(super) fn from_signature(signed: &Signed<'_>, cases: &mut Cases) {
    let (r, s) = signed.signature.split_at(32);
    let with_s = |s: &[u8]| signed.with_signature([r, s].concat());
    // S + nL is the same number modulo L (openssl#7693): a verifier that does not look accepts it. n = 15 is
    // the last that fits.
    let multiple_name = |n| if n == 1 { "S + L".to_owned() } else { format!("S + {n} L") };
    let mut sum = s.to_vec();
    for n in 1..=15 {
        if !add(&mut sum, &ORDER) {
            cases.not_made(multiple_name(n), "it has more than 256 bits");
            break;
        }
        if [1, 2, 15].contains(&n) {
            cases.rejected(multiple_name(n), with_s(&sum));
        }
    }
    cases.rejected("S = L", with_s(&ORDER));
    cases.rejected("S = 0", with_s(&[0; 32]));
    let mut high = s.to_vec();
    high[31] |= 0xe0;
    cases.rejected("S with its three top bits set", with_s(&high));

    let with_r = |r: &[u8]| signed.with_signature([r, s].concat());
    cases.rejected("R is no point", with_r(&NO_POINT));
    for small in SMALL_ORDER.iter().filter(|small| small.is_canonical) {
        cases.rejected(format!("R of {} in its place", small.name()), with_r(&point(small.encoding)));
    }
    cases.rejected("A of order 1 in its place", signed.with_key(key(point(NEUTRAL))));
}

/// Adds numbers of 32 bytes, low byte first; false if the sum does not fit.
fn add(sum: &mut [u8], addend: &[u8; 32]) -> bool {
    let mut carry = false;
    for (byte, addend) in sum.iter_mut().zip(addend) {
        (*byte, carry) = byte.carrying_add(*addend, carry);
    }
    !carry
}

/// What verifiers decide differently, by design: A and R of small order, with S = 0. Then the equation S B =
/// R + k A holds with the cofactor, 8 S B = 8 R + 8 k A, whatever k is; without it, by k (RFC 8032 section
/// 5.1.7 allows both). Strict verifiers refuse such points before that. Encodings that are not canonical do
/// not decode by RFC 8032 section 5.1.3, but widespread verifiers take them.
pub(super) fn standing(cases: &mut Cases) {
    let ask = |a: &str, r: &str, number| Question::Verify {
        public: key(point(a)),
        message: message(number),
        signature: [point(r), vec![0; 32]].concat(),
    };
    let mut policy = |name: String, question| cases.add(name, question, Expected::Policy, Check::Hostile);
    for small in &SMALL_ORDER {
        let SmallOrder { order, vanishing, encoding, .. } = *small;
        let name = small.name();
        policy(format!("A of {name}, equation holds"), ask(encoding, NEUTRAL, vanishing));
        if order > 1 {
            policy(format!("A of {name}, equation holds with cofactor"), ask(encoding, NEUTRAL, REMAINING));
        }
        if encoding != NEUTRAL {
            let condition = if order > 1 { " with cofactor" } else { "" };
            policy(format!("R of {name}, equation holds{condition}"), ask(NEUTRAL, encoding, 0));
        }
    }
    let no_point = Question::Verify {
        public: key(NO_POINT.to_vec()),
        message: message(0),
        signature: [point(NEUTRAL), vec![0; 32]].concat(),
    };
    cases.rejected("A is no point", no_point);
}
