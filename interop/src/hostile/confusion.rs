//! A valid signature through another door than the one it was made for.
//!
//! M' says by its first byte whether it holds a message or a digest, and a digest's function by its OID (FIPS
//! 204 Algorithms 2 and 4, FIPS 205 Algorithms 22 and 23). A signature for one is none for the other. Over M'
//! itself, and over the mu that M' gives, it is the same signature, and must be accepted.

use pqsig::{Algorithm, Digest, Family, HashAlgorithm, PublicKey};

use super::{Cases, Signed};
use crate::message::{Message, Mode};
use crate::record::Depth;

/// All cases of the message's mode.
pub(super) fn modes(signed: &Signed<'_>, depth: Depth, cases: &mut Cases) {
    match signed.message.mode {
        Mode::Pure => pure(signed, depth, cases),
        Mode::PreHash(hash) => pre_hashed(signed, hash, depth, cases),
        Mode::ExternalMu => external_mu(signed, cases),
        Mode::Internal => internal(signed, cases),
    }
}

fn pure(signed: &Signed<'_>, depth: Depth, cases: &mut Cases) {
    let Message { context, data, .. } = signed.message;
    for hash in other_functions(signed.algorithm(), depth) {
        let message = signed.message.clone().with_mode(Mode::PreHash(hash));
        cases.rejected(format!("pure signature as pre-hashed with {hash}"), signed.with_message(message));
    }
    if !is_post_quantum(signed.algorithm()) {
        return;
    }
    let encoded = encode(PURE, context, &[], data);
    cases.rejected("message as M'", signed.with_message(internal_message(data.to_vec())));
    cases.rejected("M' as message", signed.with_message(Message::pure(encoded.clone())));
    let other_domain = encode(PRE_HASHED, context, &[], data);
    cases.rejected(
        "M' with the domain byte of a pre-hash",
        signed.with_message(internal_message(other_domain)),
    );
    over_m_prime(signed, &encoded, cases);
    if signed.algorithm().family() == Family::MlDsa {
        let other_context = encode(PURE, &[context, &[0][..]].concat(), &[], data);
        let other_mu = mu(signed.private.public_key(), &other_context);
        cases.rejected("mu with another context", signed.with_message(mu_message(other_mu.as_bytes())));
    }
}

fn pre_hashed(signed: &Signed<'_>, hash: HashAlgorithm, depth: Depth, cases: &mut Cases) {
    let Message { context, data, .. } = signed.message;
    let digest = hash.digest(data);
    let digest = digest.as_bytes();
    // Pure Ed25519 has no context to give.
    let pure_context = if is_post_quantum(signed.algorithm()) { context.clone() } else { Vec::new() };
    let pure = |data: Vec<u8>| signed.with_message(Message::pure(data).with_context(pure_context.clone()));
    cases.rejected("pre-hashed signature as pure", pure(data.to_vec()));
    cases.rejected("digest as message", pure(digest.to_vec()));
    if !is_post_quantum(signed.algorithm()) {
        return;
    }
    let oid = hash.oid_der();
    cases.rejected("OID and digest as message", pure([&oid[..], digest].concat()));

    let same_length = |other: &HashAlgorithm| *other != hash && other.digest_length() == digest.len();
    let others = HashAlgorithm::ALL.into_iter().filter(same_length);
    for other in others.take(if depth == Depth::Quick { 1 } else { usize::MAX }) {
        let message = signed.message.clone().with_mode(Mode::PreHash(other));
        cases.rejected(format!("pre-hashed with {other}"), signed.with_message(message));
        let encoded = encode(PRE_HASHED, context, &other.oid_der(), digest);
        cases.rejected(format!("M' with the OID of {other}"), signed.with_message(internal_message(encoded)));
    }

    let encoded = encode(PRE_HASHED, context, &oid, digest);
    let mut oid_length = encoded.clone();
    // fips204#7: the OID's length where the context's belongs.
    oid_length[1] = 11;
    let half = digest.len() / 2;
    let is_xof = matches!(hash, HashAlgorithm::Shake128 | HashAlgorithm::Shake256);
    for (name, bytes, why) in [
        ("M' with the domain byte of a pure message", Some(encode(PURE, context, &oid, digest)), ""),
        ("M' without the OID", Some(encode(PRE_HASHED, context, &[], digest)), ""),
        (
            "M' with the OID's length for the context's",
            Some(oid_length).filter(|bytes| *bytes != encoded),
            "the context has 11 bytes",
        ),
        (
            // libcrux#1207, slhdsa#5: SHAKE128 gives 32 bytes here and SHAKE256 gives 64.
            "M' with half of the SHAKE output",
            is_xof.then(|| encode(PRE_HASHED, context, &oid, &digest[..half])),
            "the pre-hash has a fixed length",
        ),
    ] {
        cases.rejected_if(name, bytes.map(|bytes| signed.with_message(internal_message(bytes))), why);
    }
    over_m_prime(signed, &encoded, cases);
}

fn external_mu(signed: &Signed<'_>, cases: &mut Cases) {
    let mu = &signed.message.data;
    cases.rejected("mu as message", signed.with_message(Message::pure(mu.clone())));
    cases.rejected("mu as M'", signed.with_message(internal_message(mu.to_vec())));
}

fn internal(signed: &Signed<'_>, cases: &mut Cases) {
    let encoded = &signed.message.data;
    cases.rejected("M' as message", signed.with_message(Message::pure(encoded.clone())));
    if signed.algorithm().family() == Family::MlDsa {
        over_mu(signed, encoded, cases);
    }
}

/// What the standards' external interfaces come down to (FIPS 204 Algorithm 3, FIPS 205 Algorithm 24).
fn over_m_prime(signed: &Signed<'_>, encoded: &[u8], cases: &mut Cases) {
    cases.accepted(
        "over M', by the internal interface",
        signed.with_message(internal_message(encoded.to_vec())),
    );
    if signed.algorithm().family() == Family::MlDsa {
        over_mu(signed, encoded, cases);
    }
}

/// FIPS 204 Algorithm 7 line 6 lets mu come from outside.
fn over_mu(signed: &Signed<'_>, encoded: &[u8], cases: &mut Cases) {
    let mu = mu(signed.private.public_key(), encoded);
    cases.accepted("over mu, computed outside", signed.with_message(mu_message(mu.as_bytes())));
    cases.rejected("mu as message", signed.with_message(Message::pure(mu.as_bytes())));
    let without_key = HashAlgorithm::Shake256.digest(encoded);
    cases.rejected("mu without the key's digest", signed.with_message(mu_message(without_key.as_bytes())));
}

/// The functions with which to ask for a pre-hash that never was. SHA-512 is allowed with every algorithm,
/// and is the only one for Ed25519.
fn other_functions(algorithm: Algorithm, depth: Depth) -> Vec<HashAlgorithm> {
    match depth {
        Depth::Full if is_post_quantum(algorithm) => HashAlgorithm::ALL.to_vec(),
        _ => vec![HashAlgorithm::Sha512],
    }
}

/// FIPS 204 and 205 have contexts in every mode, pre-hashing with every approved function, and an internal
/// interface.
fn is_post_quantum(algorithm: Algorithm) -> bool {
    algorithm.family() != Family::Ed25519
}

const PURE: u8 = 0;
const PRE_HASHED: u8 = 1;

/// M' with these parts, right or wrong. Contexts here have at most 255 bytes: a longer one was never signed.
fn encode(domain: u8, context: &[u8], oid: &[u8], body: &[u8]) -> Vec<u8> {
    let length = u8::try_from(context.len()).unwrap_or(u8::MAX);
    [&[domain, length], context, oid, body].concat()
}

/// mu = H(H(pk, 64) || M', 64), where H is SHAKE256 (FIPS 204 Algorithm 7 line 6), whose pre-hash has 64
/// bytes too.
fn mu(public: &PublicKey, encoded: &[u8]) -> Digest {
    let tr = HashAlgorithm::Shake256.digest(public.as_bytes());
    let mut hasher = HashAlgorithm::Shake256.hasher();
    hasher.update(tr.as_bytes());
    hasher.update(encoded);
    hasher.finish()
}

fn internal_message(encoded: Vec<u8>) -> Message {
    Message::pure(encoded).with_mode(Mode::Internal)
}

fn mu_message(mu: &[u8]) -> Message {
    Message::pure(mu).with_mode(Mode::ExternalMu)
}
