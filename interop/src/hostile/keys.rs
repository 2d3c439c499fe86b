//! Private keys that contradict themselves, or whose encoding is not what the RFCs say.

use pqsig::{Algorithm, Family, PrivateKey};

use super::Cases;
use super::der::{Identifier, both, octets, private_key_info};
use crate::key::{EncodedKey, KeyForm};
use crate::layout::{self, Blob, MlDsa};
use crate::question::Question;
use crate::record::{Check, Expected};

/// All cases of a key.
pub(super) fn cases(key: &PrivateKey, cases: &mut Cases) {
    lengths(key, cases);
    containers(key, cases);
    match key.algorithm().family() {
        Family::MlDsa => {
            ml_dsa(key, cases);
            seed_beside_expanded(key, cases);
        }
        Family::SlhDsa => slh_dsa(key, cases),
        Family::Ed25519 => {}
    }
}

fn load(algorithm: Algorithm, form: KeyForm, bytes: Vec<u8>) -> Question {
    Question::Load { private: EncodedKey { algorithm, form, bytes } }
}

fn refused(cases: &mut Cases, name: impl Into<String>, question: Question) {
    cases.add(name, question, Expected::Rejected, Check::HostileKeys);
}

/// A wrong length is decided: the standards' private keys and seeds have one.
fn lengths(key: &PrivateKey, cases: &mut Cases) {
    let algorithm = key.algorithm();
    let mut bare = vec![(KeyForm::RawSeed, key.seed())];
    if algorithm.family() != Family::Ed25519 {
        bare.push((KeyForm::RawExpanded, Some(key.expanded())));
    }
    for (form, bytes) in bare {
        for (name, change) in LENGTHS {
            match bytes {
                Some(bytes) => refused(cases, format!("{form} {name}"), load(algorithm, form, change(bytes))),
                None => cases.not_made(format!("{form} {name}"), "the key's seed is not known"),
            }
        }
    }
}

type Change = fn(&[u8]) -> Vec<u8>;

const LENGTHS: [(&str, Change); 3] = [
    ("one byte short", |bytes| bytes[..bytes.len() - 1].to_vec()),
    ("one byte long", |bytes| [bytes, &[0]].concat()),
    ("empty", |_| Vec::new()),
];

/// PKCS#8 around the key in the richest form that it has.
fn containers(key: &PrivateKey, cases: &mut Cases) {
    let algorithm = key.algorithm();
    let (form, content) = content(key);
    let own = Identifier::of(algorithm);
    let pkcs8 = |identifier: &Identifier, content: &[u8]| {
        load(algorithm, form, private_key_info(identifier, content))
    };
    let (oid, whose) = another_oid(algorithm);
    refused(cases, format!("PKCS#8, OID of {whose}"), pkcs8(&Identifier { oid, null: false }, &content));
    // RFC 9881 section 2, RFC 9909 section 3, RFC 8410 section 3: absent.
    let with_null = Identifier { null: true, ..Identifier::of(algorithm) };
    refused(cases, "PKCS#8, parameters present (NULL)", pkcs8(&with_null, &content));

    let good = private_key_info(&own, &content);
    refused(cases, "PKCS#8 one byte short", load(algorithm, form, good[..good.len() - 1].to_vec()));
    refused(cases, "PKCS#8, private key empty", pkcs8(&own, &[]));
    // Where a structure ends is decided, but not what its reader does with what follows.
    let inside = pkcs8(&own, &[&content[..], &[0]].concat());
    cases.refused_here("PKCS#8, byte after the private key inside", inside, Check::HostileKeys);
    let behind = load(algorithm, form, [&good[..], &[0]].concat());
    cases.refused_here("PKCS#8, byte after the end", behind, Check::HostileKeys);

    if algorithm == Algorithm::Ed25519 {
        let seed = key.expanded();
        for (name, change) in LENGTHS {
            let question = pkcs8(&own, &octets(&change(seed)));
            refused(cases, format!("PKCS#8, private key {name} inside"), question);
        }
        // RFC 8410 section 7: the seed is an OCTET STRING inside of an OCTET STRING.
        refused(cases, "PKCS#8, private key without its OCTET STRING", pkcs8(&own, seed));
    }
}

/// What stands inside of the privateKey OCTET STRING (RFC 9881 section 6, RFC 9909 section 5, RFC 8410
/// section 7).
fn content(key: &PrivateKey) -> (KeyForm, Vec<u8>) {
    let expanded = key.expanded();
    match (key.algorithm().family(), key.seed()) {
        (Family::MlDsa, Some(seed)) => (KeyForm::Pkcs8Both, both(seed, expanded)),
        (Family::MlDsa, None) => (KeyForm::Pkcs8Expanded, octets(expanded)),
        (Family::SlhDsa, _) => (KeyForm::Pkcs8Expanded, expanded.to_vec()),
        (Family::Ed25519, _) => (KeyForm::Pkcs8Seed, octets(expanded)),
    }
}

/// The OID of another set of the family: of the same sizes where there is one. Ed25519 has no other set;
/// X25519 (RFC 8410) has private keys of the same form.
pub(super) fn another_oid(algorithm: Algorithm) -> (&'static str, &'static str) {
    let own = algorithm.parameters();
    let differs = |other: &Algorithm| *other != algorithm && other.family() == algorithm.family();
    let same_size = |other: &Algorithm| other.parameters().signature == own.signature;
    let others = || Algorithm::all().filter(differs);
    match others().find(same_size).or_else(|| others().next()) {
        Some(other) => (other.parameters().oid, other.name()),
        None => ("1.3.101.110", "X25519"),
    }
}

/// RFC 9881 tells who is given both to compare them, and to refuse those that differ (openssl#26865). One that
/// does not compare would sign with one key of two.
fn seed_beside_expanded(key: &PrivateKey, cases: &mut Cases) {
    let algorithm = key.algorithm();
    let names = ["pkcs8:both, seed that does not match", "pkcs8:both, K that does not match"];
    let Some(seed) = key.seed() else {
        for name in names {
            cases.not_made(name, "the key's seed is not known");
        }
        return;
    };
    let other_seed = both(&flipped(seed, 0), key.expanded());
    // K stands in an expanded key once, and no public key depends on it: only the seed tells.
    let other_k = both(seed, &flipped(key.expanded(), start_of(algorithm, "K")));
    for (name, content) in names.into_iter().zip([other_seed, other_k]) {
        let der = private_key_info(&Identifier::of(algorithm), &content);
        refused(cases, name, load(algorithm, KeyForm::Pkcs8Both, der));
    }
}

/// FIPS 204 Algorithm 25 (skDecode) is for input from trusted sources: it decodes s1 and s2 that are out of
/// range, says so, and recomputes neither tr nor t0. Wycheproof calls s1 and s2 out of range invalid.
fn ml_dsa(key: &PrivateKey, cases: &mut Cases) {
    let algorithm = key.algorithm();
    let Some(set) = MlDsa::of(algorithm) else { return };
    let good = key.expanded();
    for name in ["rho", "tr", "t0, polynomial 0"] {
        let changed = flipped(good, start_of(algorithm, name));
        contradicting(algorithm, &format!("bit flipped in {name}"), &changed, cases);
    }
    let packing = set.s_packing();
    let eta = set.eta.cast_signed();
    for name in ["s1, polynomial 0", "s2, polynomial 0"] {
        let start = start_of(algorithm, name);
        let first = packing.coefficient(&good[start..], 0);
        let mut with = |what: &str, value: i32| {
            let mut changed = good.to_vec();
            packing.set_coefficient(&mut changed[start..], 0, value);
            contradicting(algorithm, &format!("{name}, {what}"), &changed, cases);
        };
        with("another coefficient in range", if first == eta { first - 1 } else { first + 1 });
        with("coefficient -(eta + 1)", -eta - 1);
        with("coefficient at the encoding's end", eta - ((1 << packing.bits) - 1));
    }
}

/// FIPS 205 leaves it to the importer whether PK.root is recomputed (openssl#31055).
fn slh_dsa(key: &PrivateKey, cases: &mut Cases) {
    for name in ["PK.seed", "PK.root"] {
        let changed = flipped(key.expanded(), start_of(key.algorithm(), name));
        contradicting(key.algorithm(), &format!("bit flipped in {name}"), &changed, cases);
    }
}

/// An expanded key that says something twice and differently, bare and in PKCS#8. What one that takes it
/// makes of it is reported; a backend of this process never takes it.
fn contradicting(algorithm: Algorithm, what: &str, expanded: &[u8], cases: &mut Cases) {
    let bare = load(algorithm, KeyForm::RawExpanded, expanded.to_vec());
    cases.refused_here(format!("raw:expanded, {what}"), bare, Check::HostileKeys);
    let content = match algorithm.family() {
        Family::MlDsa => octets(expanded),
        _ => expanded.to_vec(),
    };
    let der = private_key_info(&Identifier::of(algorithm), &content);
    let wrapped = load(algorithm, KeyForm::Pkcs8Expanded, der);
    cases.refused_here(format!("pkcs8:expanded, {what}"), wrapped, Check::HostileKeys);
}

/// Where a field of a private key starts.
fn start_of(algorithm: Algorithm, name: &str) -> usize {
    let fields = layout::fields(algorithm, Blob::PrivateKey);
    let field = fields.iter().find(|field| field.name == name);
    debug_assert!(field.is_some(), "{algorithm} has no {name}");
    field.map_or(0, |field| field.bytes.start)
}

fn flipped(bytes: &[u8], index: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[index] ^= 1;
    bytes
}
