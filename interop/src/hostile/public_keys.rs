//! Malformed public keys beside a valid signature over the right message: a verifier that takes the key says
//! "accepted".

use pqsig::Family;

use super::der::{Identifier, public_key_info};
use super::ed25519::NO_POINT;
use super::keys::another_oid;
use super::{Cases, Signed};
use crate::key::{EncodedKey, KeyForm};
use crate::layout::{self, Blob};
use crate::record::Check;

/// All cases of a key.
pub(super) fn cases(signed: &Signed<'_>, cases: &mut Cases) {
    let algorithm = signed.algorithm();
    let with = |form, bytes| signed.with_key(EncodedKey { algorithm, form, bytes });
    let spki = |bytes| with(KeyForm::Spki, bytes);
    let bare = |bytes| with(KeyForm::RawPublic, bytes);
    let key = signed.private.public_key().as_bytes();
    let own = Identifier::of(algorithm);
    let good = public_key_info(&own, 0, key);

    let (oid, whose) = another_oid(algorithm);
    let other = Identifier { oid, null: false };
    cases.rejected(format!("SPKI, OID of {whose}"), spki(public_key_info(&other, 0, key)));
    // RFC 9881 section 2, RFC 9909 section 3, RFC 8410 section 3: absent.
    let with_null = Identifier { null: true, ..Identifier::of(algorithm) };
    cases.rejected("SPKI, parameters present (NULL)", spki(public_key_info(&with_null, 0, key)));
    cases.rejected("SPKI, unused bits", spki(public_key_info(&own, unused_bits(key), key)));
    cases.rejected("SPKI one byte short", spki(good[..good.len() - 1].to_vec()));

    let short = &key[..key.len() - 1];
    let long = [key, &[0]].concat();
    cases.rejected("SPKI, key one byte short", spki(public_key_info(&own, 0, short)));
    cases.rejected("SPKI, key one byte long", spki(public_key_info(&own, 0, &long)));
    cases.rejected("SPKI, key empty", spki(public_key_info(&own, 0, &[])));
    cases.rejected("public key one byte short", bare(short.to_vec()));
    cases.rejected("public key one byte long", bare(long));
    cases.rejected("public key empty", bare(Vec::new()));
    // Where a structure ends is decided, but not what its reader does with what follows.
    let trailing = spki([&good[..], &[0]].concat());
    cases.refused_here("SPKI, byte after the end", trailing, Check::Hostile);

    match algorithm.family() {
        Family::Ed25519 => {
            cases.rejected("SPKI, key is no point", spki(public_key_info(&own, 0, &NO_POINT)));
        }
        // Any bytes of the right length are a key of these, but another one.
        Family::MlDsa | Family::SlhDsa => flips(signed, cases),
    }
}

/// As many unused bits as the key's last byte ends in zeros: these may be unused in DER, and a reader who
/// forgets to look has the right key. Of a byte that ends in a one, that one.
fn unused_bits(key: &[u8]) -> u8 {
    let zeros = key.last().map_or(0, |byte| byte.trailing_zeros());
    u8::try_from(zeros.clamp(1, 7)).unwrap_or(1)
}

/// A bit flipped in each of the two halves of a public key.
fn flips(signed: &Signed<'_>, cases: &mut Cases) {
    let algorithm = signed.algorithm();
    let fields = layout::fields(algorithm, Blob::PublicKey);
    for field in fields.iter().take(2) {
        let mut bytes = signed.private.public_key().as_bytes().to_vec();
        bytes[field.bytes.start] ^= 1;
        let key = EncodedKey { algorithm, form: KeyForm::RawPublic, bytes };
        cases.rejected(format!("bit flipped in {} of the public key", field.name), signed.with_key(key));
    }
}
