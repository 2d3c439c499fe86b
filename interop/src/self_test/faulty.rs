//! An implementation with one fault: a sound one, wrapped.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pqsig::{Algorithm, HashAlgorithm};

use super::hints;
use super::misread::misread;
use crate::key::{EncodedKey, KeyForm};
use crate::layout::{Blob, MlDsa, fields};
use crate::message::{Message, Mode, Randomness};
use crate::peer::{Ability, Identity, KeyPair, Kind, Peer, Refusal, Reply, Signer, Verifier};
use crate::plan;

/// The name that the faulty implementation goes by.
pub(super) const NAME: &str = "faulty";

/// What is done to a sound implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    IgnoresContext,
    VerifiesAnyContext,
    ContextBelow255,
    WrapsContextLength,
    ContextRunsIntoMessage,
    RefusesEmptyMessage,
    CutsMessageAt16Mib,
    VerifiesStartOfMessage,
    MuIsAMessageToo,
    HashesTwice,
    ShortShake256,
    OidLengthForContextLength,
    NoOid,
    AnyHashOfTheLength,
    PreHashedIsPureToo,
    RepeatedHint,
    UnorderedHints,
    PaddedHints,
    NoBoundOnZ,
    HalfOfChallenge,
    TakesLongSignature,
    TakesShortSignature,
    TakesEmptySignature,
    CrashesOnShortSignature,
    IgnoresEnd,
    TakesTheTwinSet,
    ReducesS,
    ReversedSeed,
    IgnoresEndOfPublicKey,
    ReadsAnySpki,
    TakesContradictingKey,
    AlwaysHedged,
    NeverHedged,
    AcceptsEverything,
    RejectsEverything,
    BreaksOnLongMessages,
    Nothing,
}

pub(super) struct Faulty {
    twist: Twist,
    sound: Arc<dyn Peer>,
    identity: Identity,
}

impl Faulty {
    pub(super) fn new(twist: Twist, sound: Arc<dyn Peer>) -> Self {
        let known = sound.identity();
        let identity = Identity {
            name: NAME.to_owned(),
            kind: Kind::InProcess,
            versions: known.versions.clone(),
            // A code family of its own: it has to lose by votes, not to hide behind its origin.
            lineages: known
                .lineages
                .keys()
                .map(|name| (name.clone(), NAME.to_owned()))
                .collect::<BTreeMap<_, _>>(),
            artifacts: known.artifacts.clone(),
        };
        Faulty { twist, sound, identity }
    }
}

impl Peer for Faulty {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        self.sound.ability(algorithm)
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        let mut seed = seed.map(<[u8]>::to_vec);
        if self.twist == Twist::ReversedSeed
            && let Some(seed) = &mut seed
        {
            seed.reverse();
        }
        self.sound.generate(algorithm, seed.as_deref())
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        match self.sound.public_key(private) {
            Err(Refusal::Refused(_)) if self.twist == Twist::TakesContradictingKey => {
                // What such a reader makes of the key does not matter: that it takes it is the fault.
                self.sound
                    .generate(private.algorithm, Some(&plan::seed(private.algorithm, 0)))
                    .map(|pair| pair.public)
            }
            reply => reply,
        }
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        let sound = self.sound.signer(private)?;
        Ok(Arc::new(FaultySigner { twist: self.twist, sound }))
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        let sound = match self.sound.verifier(public) {
            Err(Refusal::Refused(_)) if self.twist == Twist::ReadsAnySpki && public.form == KeyForm::Spki => {
                self.sound.verifier(&last_bytes(public))
            }
            reply => reply,
        };
        let also = match self.twist {
            // The verifier for the key that such a reader sees in this one.
            Twist::IgnoresEndOfPublicKey => self.usual_key_if_it_starts_alike(public),
            Twist::TakesTheTwinSet => twin(public).and_then(|twin| self.sound.verifier(&twin).ok()),
            _ => None,
        };
        let seen = Mutex::default();
        Ok(Arc::new(FaultyVerifier {
            twist: self.twist,
            algorithm: public.algorithm,
            sound: sound?,
            also,
            seen,
        }))
    }
}

impl Faulty {
    /// The key that the suite signs with, if this one has the same first field.
    fn usual_key_if_it_starts_alike(&self, public: &EncodedKey) -> Option<Arc<dyn Verifier>> {
        let seed = plan::seed(public.algorithm, 0);
        let usual = self.sound.generate(public.algorithm, Some(&seed)).ok()?.public;
        let start = fields(public.algorithm, Blob::PublicKey).first()?.bytes.end;
        let starts = |key: &EncodedKey| Some(key.to_public().ok()?.as_bytes()[..start].to_vec());
        if starts(&usual)? == starts(public)? { self.sound.verifier(&usual).ok() } else { None }
    }
}

/// The key of a reader that takes the last bytes of a file and looks at nothing else.
fn last_bytes(spki: &EncodedKey) -> EncodedKey {
    let length = spki.algorithm.parameters().public_key.min(spki.bytes.len());
    let bytes = spki.bytes[spki.bytes.len() - length..].to_vec();
    EncodedKey { algorithm: spki.algorithm, form: KeyForm::RawPublic, bytes }
}

/// The same bytes as a key of the set that differs in its hash function only.
fn twin(public: &EncodedKey) -> Option<EncodedKey> {
    let name = public.algorithm.name();
    let twin =
        if name.contains("SHA2") { name.replace("SHA2", "SHAKE") } else { name.replace("SHAKE", "SHA2") };
    let bytes = public.to_public().ok()?.as_bytes().to_vec();
    Some(EncodedKey { algorithm: twin.parse().ok()?, form: KeyForm::RawPublic, bytes })
}

struct FaultySigner {
    twist: Twist,
    sound: Arc<dyn Signer>,
}

impl Signer for FaultySigner {
    fn sign(&self, message: &Message, randomness: &Randomness) -> Reply<Vec<u8>> {
        let message = misread(self.twist, message)?;
        let randomness = match (self.twist, randomness) {
            (Twist::AlwaysHedged, Randomness::Deterministic) => &Randomness::Hedged,
            (Twist::NeverHedged, Randomness::Hedged) => &Randomness::Deterministic,
            _ => randomness,
        };
        self.sound.sign(&message, randomness)
    }
}

struct FaultyVerifier {
    twist: Twist,
    algorithm: Algorithm,
    sound: Arc<dyn Verifier>,
    /// A second key that is accepted beside the right one.
    also: Option<Arc<dyn Verifier>>,
    /// Valid signatures, for faults that overlook a part of what they compare.
    seen: Mutex<Vec<(Message, Vec<u8>)>>,
}

impl Verifier for FaultyVerifier {
    fn verify(&self, message: &Message, signature: &[u8]) -> Reply<bool> {
        if let Some(verdict) = self.decides_alone(message, signature) {
            return verdict;
        }
        let message = misread(self.twist, message)?;
        if self.sound.verify(&message, signature) == Ok(true) {
            if self.twist == Twist::VerifiesStartOfMessage || overlooked(self.twist, self.algorithm).is_some()
            {
                self.seen().push((message, signature.to_vec()));
            }
            return Ok(true);
        }
        if self.is_seen_but_for_a_part(&message, signature) {
            return Ok(true);
        }
        if let Some(also) = &self.also
            && also.verify(&message, signature) == Ok(true)
        {
            return Ok(true);
        }
        if let Some(signature) = self.mended(signature)
            && self.sound.verify(&message, &signature) == Ok(true)
        {
            return Ok(true);
        }
        for message in self.other_readings(&message) {
            if self.sound.verify(&message, signature) == Ok(true) {
                return Ok(true);
            }
        }
        self.sound.verify(&message, signature)
    }
}

impl FaultyVerifier {
    /// A verdict that does not ask the sound implementation.
    fn decides_alone(&self, message: &Message, signature: &[u8]) -> Option<Reply<bool>> {
        let length = self.algorithm.parameters().signature;
        match self.twist {
            Twist::AcceptsEverything => Some(Ok(true)),
            Twist::RejectsEverything => Some(Ok(false)),
            Twist::TakesEmptySignature if signature.is_empty() => Some(Ok(true)),
            Twist::CrashesOnShortSignature if signature.len() < length => {
                Some(Ok(signature[..length].is_empty()))
            }
            Twist::BreaksOnLongMessages if message.data.len() > 1 << 19 => {
                Some(Err(Refusal::Failed("out of memory".to_owned())))
            }
            Twist::NoBoundOnZ => self.is_out_of_bound(signature).then_some(Ok(true)),
            _ => None,
        }
    }

    fn is_seen_but_for_a_part(&self, message: &Message, signature: &[u8]) -> bool {
        if self.twist == Twist::VerifiesStartOfMessage {
            let starts_alike = |(known, valid): &(Message, Vec<u8>)| {
                let half = known.data.len() / 2;
                half > 0 && valid == signature && message.data.get(..half) == known.data.get(..half)
            };
            return self.seen().iter().any(starts_alike);
        }
        let Some(part) = overlooked(self.twist, self.algorithm) else { return false };
        let same = |(known, valid): &(Message, Vec<u8>)| {
            let mut patched = signature.to_vec();
            let fits = patched.len() == valid.len() && known == message;
            fits && {
                patched[part.clone()].copy_from_slice(&valid[part.clone()]);
                &patched == valid
            }
        };
        self.seen().iter().any(same)
    }

    fn seen(&self) -> MutexGuard<'_, Vec<(Message, Vec<u8>)>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a coefficient of z is at gamma1 - beta or beyond: where the bound is missing, these pass.
    fn is_out_of_bound(&self, signature: &[u8]) -> bool {
        let Some(set) = MlDsa::of(self.algorithm) else { return false };
        if signature.len() != self.algorithm.parameters().signature {
            return false;
        }
        let bound = (set.gamma1 - set.beta()).cast_signed();
        let polynomials =
            fields(self.algorithm, Blob::Signature).into_iter().filter_map(|f| Some((f.packing?, f.bytes)));
        let mut coefficients = polynomials.flat_map(|(packing, bytes)| {
            (0..256).map(move |index| packing.coefficient(&signature[bytes.clone()], index))
        });
        coefficients.any(|coefficient| coefficient.abs() >= bound)
    }

    /// The signature that a lax reader sees in this one.
    fn mended(&self, signature: &[u8]) -> Option<Vec<u8>> {
        let length = self.algorithm.parameters().signature;
        let set = MlDsa::of(self.algorithm);
        match self.twist {
            Twist::RepeatedHint => hints::without_repetitions(set?, signature),
            Twist::UnorderedHints => hints::in_order(set?, signature),
            Twist::PaddedHints => hints::without_padding(set?, signature),
            Twist::TakesLongSignature => signature.get(..length).map(<[u8]>::to_vec),
            // The last byte of an ML-DSA signature counts the hints: it is tried, as an overread would.
            Twist::TakesShortSignature if signature.len() + 1 == length => {
                let padded = |last: u8| [signature, &[last]].concat();
                let is_right =
                    |candidate: &Vec<u8>| hints::in_order(set?, candidate).map(|s| &s == candidate);
                (0..=u8::MAX).rev().map(padded).find(|c| is_right(c) == Some(true))
            }
            Twist::ReducesS => reduced(signature),
            _ => None,
        }
    }

    /// The messages that a confused verifier takes the signature for as well.
    fn other_readings(&self, message: &Message) -> Vec<Message> {
        let as_pre_hashed = |hash| message.clone().with_mode(Mode::PreHash(hash));
        match (self.twist, message.mode) {
            (Twist::VerifiesAnyContext, _) => {
                vec![message.clone().with_context(*b"context!"), message.clone().with_context([])]
            }
            (Twist::AnyHashOfTheLength, Mode::PreHash(_)) | (Twist::PreHashedIsPureToo, Mode::Pure) => {
                HashAlgorithm::ALL.into_iter().map(as_pre_hashed).collect()
            }
            (Twist::MuIsAMessageToo, Mode::Pure) if message.data.len() == 64 => {
                vec![Message::pure(message.data.clone()).with_mode(Mode::ExternalMu)]
            }
            _ => Vec::new(),
        }
    }
}

/// The bytes of a signature that are not looked at.
fn overlooked(twist: Twist, algorithm: Algorithm) -> Option<Range<usize>> {
    let fields = fields(algorithm, Blob::Signature);
    match twist {
        Twist::HalfOfChallenge => fields.first().map(|field| 0..field.bytes.len() / 2),
        Twist::IgnoresEnd => {
            let last = fields.iter().rposition(|field| field.name.contains("WOTS+"))?;
            Some(fields[last].bytes.start..algorithm.parameters().signature)
        }
        _ => None,
    }
}

/// An Ed25519 signature with S reduced by the group's order L (RFC 8032 section 5.1) once, if it is beyond it.
fn reduced(signature: &[u8]) -> Option<Vec<u8>> {
    const L: [u8; 32] = [
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
    ];
    let mut reduced = signature.to_vec();
    let scalar = reduced.get_mut(32..64)?;
    let mut borrow = false;
    for (byte, subtrahend) in scalar.iter_mut().zip(L) {
        let (difference, first) = byte.overflowing_sub(subtrahend);
        let (difference, second) = difference.overflowing_sub(u8::from(borrow));
        *byte = difference;
        borrow = first || second;
    }
    (!borrow && reduced.len() == 64).then_some(reduced)
}
