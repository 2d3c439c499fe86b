//! Hostile cases: questions made from a valid signature or key by changing bytes, each with the right answer.
//!
//! Nothing here signs, verifies or runs anything, and no primitive of cryptography is written here. Three
//! sources:
//!
//! - [`from_signature`]: from one valid signature; to be asked for each signature that is to be tried.
//! - [`from_key`]: from one key, in its encodings; to be asked once per key.
//! - [`standing`]: the same in every run; to be asked once per algorithm.
//!
//! What a standard decides is expected of everyone: [`Expected::Rejected`], or [`Expected::Accepted`] where a
//! signature is valid by another door too (ML-DSA.Sign_internal over M' is ML-DSA.Sign over the message).
//! Where a standard leaves the answer open, a case says [`Expected::Policy`], and what is reported is the
//! policy: see [`HostileCase::in_process`].

mod another;
mod boundary;
mod confusion;
mod der;
mod ed25519;
mod keys;
mod ml_dsa;
mod public_keys;
mod tamper;

use std::fmt;

use pqsig::{Algorithm, Family, PrivateKey, PublicKey};

use crate::key::{EncodedKey, KeyForm};
use crate::message::Message;
use crate::peer::Kind;
use crate::question::Question;
use crate::record::{Check, Depth, Expected};

/// A valid signature, with all that hostile cases are made from.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    private: &'a PrivateKey,
    other: &'a PublicKey,
    message: &'a Message,
    signature: &'a [u8],
}

impl<'a> Signed<'a> {
    /// A signature by `private` over `message`, in any mode, with another public key of the same algorithm.
    ///
    /// # Errors
    /// In words, when the signature does not have the algorithm's length, or the other key is of another
    /// algorithm or is the same.
    pub fn new(
        private: &'a PrivateKey,
        other: &'a PublicKey,
        message: &'a Message,
        signature: &'a [u8],
    ) -> Result<Self, String> {
        let algorithm = private.algorithm();
        let (wanted, found) = (algorithm.parameters().signature, signature.len());
        if wanted != found {
            return Err(format!("a signature of {algorithm} has {wanted} bytes, this one has {found}"));
        }
        if other.algorithm() != algorithm || other == private.public_key() {
            return Err(format!("the other key must be another one of {algorithm}"));
        }
        Ok(Signed { private, other, message, signature })
    }

    /// The key's algorithm.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.private.algorithm()
    }

    /// The question that must be answered with "accepted".
    #[must_use]
    pub fn valid(&self) -> Question {
        self.verify(self.message.clone(), self.signature.to_vec())
    }

    fn verify(&self, message: Message, signature: Vec<u8>) -> Question {
        let public = EncodedKey::public(self.private.public_key(), KeyForm::RawPublic);
        Question::Verify { public, message, signature }
    }

    fn with_message(&self, message: Message) -> Question {
        self.verify(message, self.signature.to_vec())
    }

    fn with_signature(&self, signature: Vec<u8>) -> Question {
        self.verify(self.message.clone(), signature)
    }

    fn with_key(&self, public: EncodedKey) -> Question {
        Question::Verify { public, message: self.message.clone(), signature: self.signature.to_vec() }
    }
}

/// A question with the right answer.
#[derive(Clone, Debug, PartialEq)]
pub struct HostileCase {
    /// The case in words, such as `hint repeated`: unique among the cases of one signature, key or algorithm.
    pub name: String,
    /// What is asked.
    pub question: Question,
    /// The right answer, of everyone.
    pub expected: Expected,
    /// What every backend of this process owes beyond `expected`. pqsig reads keys itself before a library
    /// sees them, and promises to refuse what contradicts itself (openssl#31055: never sign silently wrong),
    /// also where a standard does not ask for it.
    pub in_process: Option<Expected>,
    /// [`Check::Hostile`], [`Check::HostileKeys`], or [`Check::Exchange`] for what must be accepted.
    pub check: Check,
}

impl HostileCase {
    /// The right answer of a peer.
    #[must_use]
    pub fn expected_of(&self, kind: Kind) -> Expected {
        match (kind, self.in_process) {
            (Kind::InProcess, Some(expected)) => expected,
            _ => self.expected,
        }
    }
}

/// A case that could not be made, because what it starts from does not have what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotMade {
    /// The case.
    pub name: String,
    /// What is missing.
    pub why: &'static str,
}

impl fmt::Display for NotMade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.why)
    }
}

/// Cases, and those that could not be made: together, always the same names for the same mode and algorithm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cases {
    /// Those to be asked.
    pub made: Vec<HostileCase>,
    /// Those that are missing.
    pub not_made: Vec<NotMade>,
}

impl Cases {
    /// A signature, message, context or public key that everyone must reject.
    fn rejected(&mut self, name: impl Into<String>, question: Question) {
        self.add(name, question, Expected::Rejected, Check::Hostile);
    }

    /// A signature that is valid by another door too.
    fn accepted(&mut self, name: impl Into<String>, question: Question) {
        self.add(name, question, Expected::Accepted, Check::Exchange);
    }

    fn add(&mut self, name: impl Into<String>, question: Question, expected: Expected, check: Check) {
        self.made.push(HostileCase { name: name.into(), question, expected, in_process: None, check });
    }

    /// What a standard leaves open, and pqsig refuses.
    fn refused_here(&mut self, name: impl Into<String>, question: Question, check: Check) {
        self.made.push(HostileCase {
            name: name.into(),
            question,
            expected: Expected::Policy,
            in_process: Some(Expected::Rejected),
            check,
        });
    }

    fn not_made(&mut self, name: impl Into<String>, why: &'static str) {
        self.not_made.push(NotMade { name: name.into(), why });
    }

    /// A case that everyone must reject, if it could be made.
    fn rejected_if(&mut self, name: &str, question: Option<Question>, why: &'static str) {
        match question {
            Some(question) => self.rejected(name, question),
            None => self.not_made(name, why),
        }
    }
}

/// The cases that start from one valid signature.
///
/// [`Depth::Quick`] flips a few bits where [`Depth::Full`] flips some in every field, and takes one other
/// pre-hash function where `Full` takes all.
#[must_use]
pub fn from_signature(signed: &Signed<'_>, depth: Depth) -> Cases {
    let mut cases = Cases::default();
    tamper::flips(signed, depth, &mut cases);
    tamper::lengths(signed, &mut cases);
    another::messages(signed, &mut cases);
    another::contexts(signed, &mut cases);
    another::keys(signed, depth, &mut cases);
    confusion::modes(signed, depth, &mut cases);
    match signed.algorithm().family() {
        Family::MlDsa => ml_dsa::cases(signed, &mut cases),
        Family::SlhDsa => {}
        Family::Ed25519 => ed25519::from_signature(signed, &mut cases),
    }
    cases
}

/// The cases that start from one key: private keys that contradict themselves or their encoding
/// ([`Check::HostileKeys`]), and malformed public keys beside a valid signature ([`Check::Hostile`]), which
/// shows that the key was taken.
#[must_use]
pub fn from_key(signed: &Signed<'_>) -> Cases {
    let mut cases = Cases::default();
    keys::cases(signed.private, &mut cases);
    public_keys::cases(signed, &mut cases);
    cases
}

/// The cases that start from nothing but the algorithm: each brings its own key, message and signature.
#[must_use]
pub fn standing(algorithm: Algorithm) -> Cases {
    let mut cases = Cases::default();
    match algorithm.family() {
        Family::MlDsa => boundary::cases(algorithm, &mut cases),
        Family::SlhDsa => {}
        Family::Ed25519 => ed25519::standing(&mut cases),
    }
    cases
}

#[cfg(test)]
mod tests;
