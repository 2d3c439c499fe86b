//! The faults, with the public reports that they are modelled on.

use pqsig::Algorithm::{self, Ed25519, MlDsa44, MlDsa65, MlDsa87, SlhDsaSha2_128f};

use super::faulty::Twist;
use crate::record::Check::{self, Exchange, Hostile, HostileKeys, PublicKeys, Signatures};

/// A fault, and where it must be caught.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong, in words.
    pub name: &'static str,
    /// The report of this kind of fault; empty where there are too many to name one.
    pub seen: &'static str,
    /// The algorithm that it is seeded into.
    pub algorithm: Algorithm,
    /// The check that must catch it.
    pub check: Check,
    /// Words of the name of a case that must catch it.
    pub case: &'static str,
    pub(super) twist: Twist,
}

const fn fault(
    name: &'static str,
    seen: &'static str,
    twist: Twist,
    algorithm: Algorithm,
    check: Check,
    case: &'static str,
) -> Fault {
    Fault { name, seen, algorithm, check, case, twist }
}

/// Every fault that is seeded.
#[rustfmt::skip] // A table: one fault, one line.
pub static CATALOGUE: &[Fault] = &[
    // Messages and contexts.
    fault("ignores the context", "openssl#29056", Twist::IgnoresContext, MlDsa65, Signatures, "pure, context of 8 bytes"),
    fault("ignores the context when it verifies", "openssl#29056", Twist::VerifiesAnyContext, SlhDsaSha2_128f, Hostile, "context"),
    fault("takes a context of 255 bytes for too long", "ACVP-Server#476", Twist::ContextBelow255, MlDsa65, Signatures, "context of 255 bytes"),
    fault("takes a context of more than 255 bytes", "ACVP-Server#476", Twist::WrapsContextLength, MlDsa65, Hostile, "256 bytes too long"),
    fault("runs context and message together", "fips204#7", Twist::ContextRunsIntoMessage, MlDsa65, Signatures, "context of 8 bytes"),
    fault("refuses the empty message", "openssl#32445", Twist::RefusesEmptyMessage, MlDsa65, Signatures, "pure, empty"),
    fault("cuts a message at 16 MiB", "", Twist::CutsMessageAt16Mib, MlDsa44, Signatures, "16 MiB"),
    fault("verifies the start of the message only", "", Twist::VerifiesStartOfMessage, Ed25519, Hostile, "message with a bit flipped, last byte"),
    fault("takes mu for a message", "", Twist::MuIsAMessageToo, MlDsa65, Hostile, "mu as message"),
    // Pre-hashing.
    fault("hashes twice", "", Twist::HashesTwice, MlDsa65, Signatures, "pre-hash SHA-512"),
    fault("takes 32 bytes of SHAKE256", "libcrux#1207", Twist::ShortShake256, MlDsa44, Signatures, "pre-hash SHAKE256"),
    fault("writes the length of the OID for that of the context", "fips204#7", Twist::OidLengthForContextLength, MlDsa65, Signatures, "pre-hash SHA-512, context"),
    fault("leaves out the OID of the hash", "", Twist::NoOid, SlhDsaSha2_128f, Signatures, "pre-hash SHA-512"),
    fault("verifies with whichever hash fits", "", Twist::AnyHashOfTheLength, MlDsa65, Hostile, "SHA"),
    fault("takes a pre-hashed signature for a pure one", "", Twist::PreHashedIsPureToo, MlDsa65, Hostile, "pure"),
    // Signatures of ML-DSA.
    fault("takes a repeated hint", "RustCrypto/signatures#1176", Twist::RepeatedHint, MlDsa65, Hostile, "repeated"),
    fault("takes unordered hints", "RustCrypto/signatures#1176", Twist::UnorderedHints, MlDsa65, Hostile, "unordered"),
    fault("takes padding that is not zero", "FIPS 204 Algorithm 21", Twist::PaddedHints, MlDsa65, Hostile, "padding"),
    fault("has no bound on z", "pq-crystals/dilithium#113", Twist::NoBoundOnZ, MlDsa65, Hostile, "otherwise valid"),
    fault("hashes only half of c~", "", Twist::HalfOfChallenge, MlDsa65, Hostile, "c~"),
    // Lengths.
    fault("takes a signature that is too long", "ACVP-Server#477", Twist::TakesLongSignature, SlhDsaSha2_128f, Hostile, "appended"),
    fault("takes a signature that is one byte short", "tink-cc#13", Twist::TakesShortSignature, MlDsa65, Hostile, "short"),
    fault("takes the empty signature", "", Twist::TakesEmptySignature, Ed25519, Hostile, "empty"),
    fault("crashes on a signature that is too short", "RustCrypto/signatures#1133", Twist::CrashesOnShortSignature, MlDsa65, Hostile, "short"),
    // SLH-DSA and Ed25519.
    fault("does not look at the last XMSS layer", "", Twist::IgnoresEnd, SlhDsaSha2_128f, Hostile, "XMSS"),
    fault("does not tell SHA2 from SHAKE", "", Twist::TakesTheTwinSet, SlhDsaSha2_128f, Hostile, "SHAKE"),
    fault("takes S + L", "openssl#7693", Twist::ReducesS, Ed25519, Hostile, "S + L"),
    // Keys.
    fault("derives from the wrong bytes of the seed", "", Twist::ReversedSeed, MlDsa65, PublicKeys, "seed"),
    fault("derives wrongly with one parameter set only", "libcrux#1254", Twist::ReversedSeed, MlDsa87, PublicKeys, "seed"),
    fault("looks at the start of the public key only", "", Twist::IgnoresEndOfPublicKey, MlDsa65, Hostile, "t1"),
    fault("reads a public key without looking at its frame", "openssl#27669", Twist::ReadsAnySpki, MlDsa65, Hostile, "SPKI, parameters present"),
    fault("takes a seed and an expanded key that disagree", "openssl#26865", Twist::TakesContradictingKey, MlDsa65, HostileKeys, "seed"),
    fault("takes a private key with a changed PK.root", "openssl#31055", Twist::TakesContradictingKey, SlhDsaSha2_128f, HostileKeys, "PK.root"),
    // Randomness.
    fault("is hedged where it should be deterministic", "", Twist::AlwaysHedged, MlDsa65, Signatures, "pure"),
    fault("is deterministic where it should be hedged", "", Twist::NeverHedged, MlDsa65, Signatures, "hedged"),
    // Verdicts.
    fault("accepts everything", "", Twist::AcceptsEverything, MlDsa65, Hostile, "another key"),
    fault("rejects everything", "", Twist::RejectsEverything, MlDsa65, Exchange, "pure"),
    fault("breaks now and then", "", Twist::BreaksOnLongMessages, MlDsa65, Exchange, "1 MiB"),
];

/// A fault without effect, which nothing can catch: it proves that a missed fault is reported as missed.
pub static WITHOUT_EFFECT: &[Fault] =
    &[fault("does nothing wrong", "", Twist::Nothing, Ed25519, Hostile, "message")];
