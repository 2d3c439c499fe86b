//! What a run asks: keys from fixed seeds, and messages of every kind.

use std::sync::Arc;

use pqsig::{Algorithm, Context, Error, Family, HashAlgorithm, MuHasher, PrivateKey, PublicKey};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode, Randomness};
use crate::peer::{Ability, Kind};
use crate::record::Depth;

/// The keys that an algorithm's cases are made with. They come from fixed seeds, so that a case means the same in every
/// run.
pub struct Keys {
    /// The key that signs.
    pub private: PrivateKey,
    /// A key that has signed nothing.
    pub other: PublicKey,
    /// The private key in each form.
    pub forms: Vec<EncodedKey>,
}

impl Keys {
    /// The keys of an algorithm.
    ///
    /// # Errors
    /// When the core can't derive a key.
    pub fn new(algorithm: Algorithm) -> Result<Self, Error> {
        let private = PrivateKey::from_seed(algorithm, &seed(algorithm, 0))?;
        let other = PrivateKey::from_seed(algorithm, &seed(algorithm, 1))?.public_key().clone();
        let forms = KeyForm::private_forms(algorithm)
            .iter()
            .map(|form| EncodedKey::private(&private, *form))
            .collect::<Result<_, _>>()?;
        Ok(Keys { private, other, forms })
    }

    /// The private key in the first of the forms that the peer takes.
    #[must_use]
    pub fn private_for(&self, ability: &Ability) -> Option<&EncodedKey> {
        ability.keys.iter().find_map(|form| self.forms.iter().find(|key| key.form == *form))
    }
}

/// The seed of an algorithm's key number `index`.
#[must_use]
pub fn seed(algorithm: Algorithm, index: u8) -> Vec<u8> {
    expand(&format!("{algorithm} key {index}"), algorithm.parameters().seed)
}

/// Bytes that look random and are the same in every run.
fn expand(label: &str, length: usize) -> Vec<u8> {
    let mut hasher = Shake256::default();
    hasher.update(b"pqsig-interop ");
    hasher.update(label.as_bytes());
    let mut bytes = vec![0; length];
    hasher.finalize_xof().read(&mut bytes);
    bytes
}

/// A message with its name in the report.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Such as `pure, 1 MiB` or `pre-hash SHA-512, context of 8 bytes`.
    pub name: String,
    /// The message.
    pub message: Message,
    /// Who signs it.
    pub priority: Priority,
    /// Whether its signatures are the start of hostile cases.
    pub hostile: bool,
}

/// Which signers sign a message. Programs differ by three orders of magnitude in how long SLH-DSA takes them, so the slow
/// ones sign little and verify much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Everyone, in every run.
    Essential,
    /// All but the slow, in every run.
    Usual,
    /// All but the slow in a full run; in a quick one, those that sign in about a millisecond.
    Thorough,
}

/// How long signing takes, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pace {
    /// Around a millisecond: ML-DSA, Ed25519.
    Fast,
    /// Tens of milliseconds: the "f" sets of SLH-DSA.
    Medium,
    /// Around a second: the "s" sets of SLH-DSA.
    Slow,
}

/// How long signing takes with an algorithm.
#[must_use]
pub fn pace(algorithm: Algorithm) -> Pace {
    match algorithm.family() {
        Family::SlhDsa if algorithm.name().ends_with('s') => Pace::Slow,
        Family::SlhDsa => Pace::Medium,
        Family::MlDsa | Family::Ed25519 => Pace::Fast,
    }
}

impl Planned {
    /// Whether a peer of this kind signs the message.
    #[must_use]
    pub fn is_signed_by(&self, algorithm: Algorithm, kind: Kind, depth: Depth) -> bool {
        let least = match (pace(algorithm), kind, depth) {
            (Pace::Slow, Kind::Adapter, _)
            | (Pace::Slow, Kind::InProcess, Depth::Quick)
            | (Pace::Medium, Kind::Adapter, Depth::Quick) => Priority::Essential,
            (Pace::Medium, Kind::InProcess, Depth::Quick)
            | (Pace::Medium, Kind::Adapter, Depth::Full)
            | (Pace::Fast, Kind::Adapter, Depth::Quick) => Priority::Usual,
            (Pace::Fast, Kind::InProcess, _)
            | (Pace::Fast, Kind::Adapter, Depth::Full)
            | (Pace::Medium | Pace::Slow, Kind::InProcess, Depth::Full) => Priority::Thorough,
        };
        self.priority <= least
    }

    /// The kinds of randomness that a peer signs the message with: both where time allows, else deterministic, or
    /// hedged if that is all that the peer has.
    #[must_use]
    pub fn randomness(&self, algorithm: Algorithm, ability: &Ability, depth: Depth) -> Vec<Randomness> {
        let both = match (pace(algorithm), depth) {
            (Pace::Fast, _) => true,
            (Pace::Medium, Depth::Full) => self.priority <= Priority::Usual,
            (Pace::Slow, Depth::Full) | (Pace::Medium, Depth::Quick) => self.priority == Priority::Essential,
            (Pace::Slow, Depth::Quick) => false,
        };
        // Ed25519 has no randomness: a second kind would ask the same twice.
        let both = both && algorithm.family() != Family::Ed25519;
        let mut kinds = Vec::new();
        if ability.deterministic {
            kinds.push(Randomness::Deterministic);
        }
        if ability.hedged && (both || kinds.is_empty()) {
            kinds.push(Randomness::Hedged);
        }
        kinds
    }
}

/// The messages that are signed with a key.
///
/// # Errors
/// [`Error::ContextTooLong`] and [`Error::NoExternalMu`], if the plan itself is wrong.
pub fn messages(key: &PublicKey) -> Result<Vec<Planned>, Error> {
    use Priority::{Essential, Thorough, Usual};
    let algorithm = key.algorithm();
    // Longer than 256 bytes, so that lengths which wrap around a byte can be told.
    let text: Arc<[u8]> = expand("message", 300).into();
    let mebibyte: Arc<[u8]> = expand("1 MiB", 1 << 20).into();
    let context = *b"context!";
    let mut plan = Vec::new();
    let mut add = |name: &str, message: Message, priority: Priority, hostile: bool| {
        plan.push(Planned { name: name.to_owned(), message, priority, hostile });
    };

    if algorithm.family() == Family::Ed25519 {
        add("pure", Message::pure(text.clone()), Essential, true);
    } else {
        let message = Message::pure(text.clone());
        add("pure, context of 8 bytes", message.clone().with_context(context), Essential, true);
        add("pure", message.clone(), Usual, false);
        add("pure, context of 255 bytes", message.with_context(expand("context", 255)), Thorough, false);
        add("pure, empty, context of 8 bytes", Message::pure(*b"").with_context(context), Thorough, false);
    }
    add("pure, empty", Message::pure(*b""), Usual, false);
    add("pure, 1 byte", Message::pure(*b"\x00"), Thorough, false);
    add("pure, 1 MiB", Message::pure(mebibyte.clone()), Thorough, false);
    if has_long_message(algorithm) {
        // Past 16 MiB, where lengths that are counted in 24 bits overflow.
        let long = Message::pure(vec![0x5a; (1 << 24) + 1]);
        add("pure, 16 MiB and 1 byte", long, Thorough, false);
    }

    if algorithm.family() == Family::MlDsa {
        let mut mu_of = |name: &str, message: &[u8], context: &[u8], hostile| {
            let mut hasher = MuHasher::new(key, Context::new(context)?)?;
            hasher.update(message);
            add(name, Message::pure(hasher.finish()).with_mode(Mode::ExternalMu), Usual, hostile);
            Ok::<(), Error>(())
        };
        mu_of("external mu, context of 8 bytes", &text, &context, true)?;
        mu_of("external mu, empty", b"", b"", false)?;
    }

    for hash in HashAlgorithm::allowed_for(algorithm) {
        let message = Message::pure(text.clone()).with_mode(Mode::PreHash(hash));
        // The one hash whose digest could be cut: an XOF.
        let hostile = hash == HashAlgorithm::Shake256;
        add(&format!("pre-hash {hash}"), message.clone(), Thorough, hostile);
        // Allowed for every set, and so the one that stands for all in a quick run.
        if hash == HashAlgorithm::Sha512 {
            let mode = Mode::PreHash(hash);
            let with_context = message.with_context(context);
            add(&format!("pre-hash {hash}, context of 8 bytes"), with_context, Usual, true);
            let empty = Message::pure(*b"").with_mode(mode);
            add(&format!("pre-hash {hash}, empty"), empty, Thorough, false);
            let long = Message::pure(mebibyte.clone()).with_mode(mode);
            add(&format!("pre-hash {hash}, 1 MiB"), long, Thorough, false);
        }
    }
    Ok(plan)
}

/// One set of each family gets the longest message: what happens beyond 16 MiB does not depend on the set.
fn has_long_message(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::MlDsa44 | Algorithm::SlhDsaSha2_128f | Algorithm::Ed25519)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_of_message_is_planned_once() {
        for algorithm in Algorithm::all() {
            let keys = Keys::new(algorithm).unwrap();
            let plan = messages(keys.private.public_key()).unwrap();
            let names: BTreeSet<_> = plan.iter().map(|planned| &planned.name).collect();
            assert_eq!(names.len(), plan.len(), "{algorithm}");
            let hashes = plan.iter().filter_map(|planned| match planned.message.mode {
                Mode::PreHash(hash) => Some(hash),
                _ => None,
            });
            let hashes: BTreeSet<_> = hashes.collect();
            assert_eq!(hashes, HashAlgorithm::allowed_for(algorithm).collect(), "{algorithm}");
            let essential = plan.iter().filter(|planned| planned.priority == Priority::Essential);
            assert_eq!(essential.count(), 1, "{algorithm}");
            let has_mu = plan.iter().any(|planned| planned.message.mode == Mode::ExternalMu);
            assert_eq!(has_mu, algorithm.family() == Family::MlDsa);
            for length in [0, 1, 1 << 20] {
                assert!(
                    plan.iter().any(|planned| planned.message.data.len() == length),
                    "{algorithm}, {length}"
                );
            }
        }
    }

    #[test]
    fn everyone_signs_the_essential_message_somehow() {
        let hedged_only = Ability { hedged: true, ..Ability::default() };
        for algorithm in Algorithm::all() {
            let keys = Keys::new(algorithm).unwrap();
            let plan = messages(keys.private.public_key()).unwrap();
            let essential = plan.iter().find(|planned| planned.priority == Priority::Essential).unwrap();
            for (kind, depth) in [(Kind::Adapter, Depth::Quick), (Kind::InProcess, Depth::Full)] {
                assert!(essential.is_signed_by(algorithm, kind, depth));
                assert_eq!(essential.randomness(algorithm, &hedged_only, depth), [Randomness::Hedged]);
            }
        }
    }
}
