use std::collections::{BTreeMap, BTreeSet};

use pqsig::backend::ranking;
use pqsig::{HashAlgorithm, Randomness};

use super::*;
use crate::layout::{self, Blob, Difference, first_difference};
use crate::message::Mode;

/// A key with another one, a message and a signature. Making cases takes no valid signature: that of SLH-DSA,
/// which is slow to make, is none.
struct Fixture {
    private: PrivateKey,
    other: PrivateKey,
    message: Message,
    signature: Vec<u8>,
}

impl Fixture {
    fn new(algorithm: Algorithm, message: Message) -> Self {
        let key =
            |filler| PrivateKey::from_seed(algorithm, &vec![filler; algorithm.parameters().seed]).unwrap();
        let private = key(1);
        let signature = if algorithm.family() == Family::SlhDsa {
            vec![0x5a; Blob::Signature.length(algorithm)]
        } else {
            let signer = ranking::fastest(algorithm, &[]).unwrap().signing_key(&private).unwrap();
            signer.sign(&pqsig::Message::pure(b"m"), Randomness::Deterministic).unwrap()
        };
        Fixture { private, other: key(2), message, signature }
    }

    fn signed(&self) -> Signed<'_> {
        Signed::new(&self.private, self.other.public_key(), &self.message, &self.signature).unwrap()
    }
}

/// Messages of every mode that the algorithm has, short and long, with contexts short, long and none.
fn messages(algorithm: Algorithm) -> Vec<Message> {
    let hashes: &[HashAlgorithm] = if algorithm == Algorithm::Ed25519 {
        &[HashAlgorithm::Sha512]
    } else {
        &[HashAlgorithm::Sha512, HashAlgorithm::Shake256]
    };
    let mut messages = Vec::new();
    for data in [vec![], vec![7], vec![8; 600]] {
        messages.push(Message::pure(data.clone()));
        for context in [vec![], vec![1], vec![2; 11], vec![3; 255]] {
            for hash in hashes {
                let message = Message::pure(data.clone()).with_mode(Mode::PreHash(*hash));
                messages.push(message.with_context(context.clone()));
            }
            if algorithm != Algorithm::Ed25519 {
                messages.push(Message::pure(data.clone()).with_context(context));
            }
        }
        if algorithm != Algorithm::Ed25519 {
            messages.push(Message::pure(data).with_mode(Mode::Internal));
        }
    }
    if algorithm.family() == Family::MlDsa {
        messages.push(Message::pure([9; 64]).with_mode(Mode::ExternalMu));
    }
    messages
}

/// The names of the cases, made or not.
fn names(cases: &Cases) -> BTreeSet<String> {
    let made = cases.made.iter().map(|case| case.name.clone());
    let names: BTreeSet<_> = made.chain(cases.not_made.iter().map(|case| case.name.clone())).collect();
    assert_eq!(names.len(), cases.made.len() + cases.not_made.len(), "a name stands twice");
    assert!(cases.not_made.iter().all(|case| !case.why.is_empty()));
    names
}

/// Each case asks something else than the valid question, and a mode always has the same cases, made or not.
#[test]
fn every_case_differs_and_none_is_lost() {
    for algorithm in Algorithm::all() {
        let mut fixture = Fixture::new(algorithm, Message::pure(*b""));
        let mut by_mode = BTreeMap::new();
        for message in messages(algorithm) {
            fixture.message = message;
            let signed = fixture.signed();
            for (index, depth) in [Depth::Quick, Depth::Full].into_iter().enumerate() {
                let cases = from_signature(&signed, depth);
                for case in &cases.made {
                    let context = format!("{algorithm}, {:?}: {}", fixture.message, case.name);
                    assert_ne!(case.question, signed.valid(), "{context}");
                    let is_positive = case.expected == Expected::Accepted;
                    assert!(is_positive || case.expected == Expected::Rejected, "{context}");
                    assert_eq!(
                        case.check,
                        if is_positive { Check::Exchange } else { Check::Hostile },
                        "{context}"
                    );
                }
                let names = names(&cases);
                let key = (fixture.message.mode, index);
                assert_eq!(by_mode.entry(key).or_insert_with(|| names.clone()), &names, "{algorithm}");
            }
        }
        let signed = fixture.signed();
        for cases in [from_key(&signed), standing(algorithm)] {
            names(&cases);
            assert_eq!(cases.not_made, []);
            assert!(cases.made.iter().all(|case| case.question != signed.valid()));
        }
    }
}

/// How many cases there are, made or not: quick and full from a signature in each mode, from a key, and
/// standing.
#[test]
fn as_many_cases_as_promised() {
    let pre_hash = Mode::PreHash(HashAlgorithm::Sha512);
    for (algorithm, mode, expected) in [
        (Algorithm::MlDsa44, Mode::Pure, [44, 65, 45, 4]),
        (Algorithm::MlDsa44, pre_hash, [45, 57, 45, 4]),
        (Algorithm::MlDsa44, Mode::ExternalMu, [29, 39, 45, 4]),
        (Algorithm::MlDsa44, Mode::Internal, [31, 41, 45, 4]),
        (Algorithm::MlDsa65, Mode::Pure, [44, 67, 45, 4]),
        (Algorithm::MlDsa87, Mode::Pure, [44, 71, 45, 4]),
        (Algorithm::SlhDsaSha2_128f, Mode::Pure, [33, 150, 29, 0]),
        (Algorithm::SlhDsaSha2_128f, pre_hash, [35, 143, 29, 0]),
        (Algorithm::SlhDsaSha2_128f, Mode::Internal, [21, 127, 29, 0]),
        (Algorithm::SlhDsaShake256s, Mode::Pure, [33, 100, 29, 0]),
        (Algorithm::Ed25519, Mode::Pure, [31, 33, 25, 38]),
        (Algorithm::Ed25519, pre_hash, [37, 39, 25, 38]),
    ] {
        let fixture = Fixture::new(algorithm, Message::pure([5; 64]).with_mode(mode));
        let signed = fixture.signed();
        let counts = [
            from_signature(&signed, Depth::Quick),
            from_signature(&signed, Depth::Full),
            from_key(&signed),
            standing(algorithm),
        ];
        assert_eq!(counts.map(|cases| names(&cases).len()), expected, "{algorithm} {mode}");
    }
}

/// The field that a case names is the one in which its signature differs first.
#[test]
fn flips_are_where_they_say() {
    for algorithm in Algorithm::all() {
        let fixture = Fixture::new(algorithm, Message::pure(*b"m"));
        let mut flipped = BTreeSet::new();
        for case in from_signature(&fixture.signed(), Depth::Full).made {
            let Some(name) = case.name.strip_prefix("bit flipped in ") else { continue };
            let Question::Verify { signature, .. } = &case.question else { panic!("{name}") };
            let bits: u32 = signature.iter().zip(&fixture.signature).map(|(l, r)| (l ^ r).count_ones()).sum();
            assert_eq!(bits, 1, "{name}");
            let difference = first_difference(algorithm, Blob::Signature, &fixture.signature, signature);
            let Some(Difference::Field { name: found, .. }) = difference else {
                panic!("{name}: {difference:?}")
            };
            assert!(name.starts_with(&format!("{found}, ")), "{name} is {found}");
            flipped.insert(found);
        }
        let fields = layout::fields(algorithm, Blob::Signature);
        assert_eq!(flipped.len(), fields.len(), "{algorithm}: a field was left out");
    }
}

/// What a case is made from may lack what it takes: then it is named, with the reason.
#[test]
fn what_can_not_be_made_is_said() {
    let mut fixture = Fixture::new(Algorithm::MlDsa44, Message::pure(*b""));
    let set = layout::MlDsa::of(Algorithm::MlDsa44).unwrap();
    // No ones at all.
    fixture.signature[set.hint_indices().start..].fill(0);
    let cases = from_signature(&fixture.signed(), Depth::Quick);
    let missing: Vec<_> = cases.not_made.iter().map(ToString::to_string).collect();
    for expected in [
        "message empty: the message is too short",
        "context one byte short: the context is empty",
        "hint index repeated: the hint is zero, or has omega ones",
        "hint indices unordered: no polynomial of the hint has two ones",
        "hint counts decreasing: all ones of the hint are in its last polynomial",
    ] {
        assert!(missing.iter().any(|found| found == expected), "{expected} is not among {missing:?}");
    }
    // A signer may be hostile too: counts that are none.
    fixture.signature[set.hint_counts()].fill(0xff);
    let cases = from_signature(&fixture.signed(), Depth::Full);
    assert_eq!(cases.not_made.iter().filter(|case| case.name.starts_with("hint")).count(), 7);
}

#[test]
fn what_is_no_signature_is_not_taken() {
    let fixture = Fixture::new(Algorithm::Ed25519, Message::pure(*b""));
    let (private, other) = (&fixture.private, fixture.other.public_key());
    let short = &fixture.signature[..63];
    assert!(Signed::new(private, other, &fixture.message, short).unwrap_err().contains("63"));
    let own = private.public_key();
    assert!(Signed::new(private, own, &fixture.message, &fixture.signature).unwrap_err().contains("another"));
}

/// FIPS 204 does not ask an importer to recompute t0: adapters' answers are reported, ours are promised.
#[test]
fn what_is_promised_here_is_not_expected_of_adapters() {
    let fixture = Fixture::new(Algorithm::MlDsa65, Message::pure(*b""));
    let cases = from_key(&fixture.signed()).made;
    let case = |name: &str| cases.iter().find(|case| case.name == name).unwrap();
    let open = case("raw:expanded, bit flipped in t0, polynomial 0");
    assert_eq!(open.expected_of(Kind::InProcess), Expected::Rejected);
    assert_eq!(open.expected_of(Kind::Adapter), Expected::Policy);
    let decided = case("pkcs8:both, seed that does not match");
    assert_eq!(decided.expected_of(Kind::Adapter), Expected::Rejected);
}
