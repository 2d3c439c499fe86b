//! What a peer is asked, and what it answers.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pqsig::{Algorithm, PrivateKey};
use serde::{Deserialize, Serialize};

use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Randomness};
use crate::peer::{Ability, Operation, Peer, Refusal, Reply};

/// A question that any peer can be asked, complete in itself: it can be written to a file and asked again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
pub enum Question {
    /// The public key of this seed. The answer's value is the standard's encoding.
    Derive {
        /// The algorithm.
        #[serde(with = "crate::text")]
        algorithm: Algorithm,
        /// The seed.
        #[serde(with = "hex::serde")]
        seed: Vec<u8>,
    },
    /// Whether this private key is one at all, and which public key it has. The answer's value is that key.
    Load {
        /// The private key.
        private: EncodedKey,
    },
    /// A signature. The answer's value is the signature.
    Sign {
        /// The private key.
        private: EncodedKey,
        /// What is signed.
        message: Message,
        /// With which randomness.
        #[serde(with = "crate::text")]
        randomness: Randomness,
    },
    /// Whether this signature is valid.
    Verify {
        /// The public key.
        public: EncodedKey,
        /// What is signed.
        message: Message,
        /// The signature, of any length.
        #[serde(with = "hex::serde")]
        signature: Vec<u8>,
    },
}

/// The four things that a peer can be found to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The signature is valid; the key was taken; the work was done.
    Accepted,
    /// The signature is invalid; the input was refused.
    Rejected,
    /// The peer does not know how. Never a pass.
    Unsupported,
    /// The peer broke. Never a rejection.
    Failed,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 4] =
        [Verdict::Accepted, Verdict::Rejected, Verdict::Unsupported, Verdict::Failed];

    /// `accepted`, `rejected`, `unsupported` or `failed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Rejected => "rejected",
            Verdict::Unsupported => "unsupported",
            Verdict::Failed => "failed",
        }
    }

    /// True if the peer took a stand: accepted or rejected.
    #[must_use]
    pub fn is_decided(self) -> bool {
        matches!(self, Verdict::Accepted | Verdict::Rejected)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What a peer answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its verdict.
    pub verdict: Verdict,
    /// Its reason, where it gave one.
    pub detail: Option<String>,
    /// What it made: a public key or a signature.
    pub value: Option<Vec<u8>>,
}

impl Answer {
    /// In place of an answer that was lost.
    pub(crate) fn missing() -> Self {
        Answer { verdict: Verdict::Failed, detail: Some("no answer".to_owned()), value: None }
    }
}

impl Question {
    /// The algorithm that the question is about.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Question::Derive { algorithm, .. } => *algorithm,
            Question::Load { private } | Question::Sign { private, .. } => private.algorithm,
            Question::Verify { public, .. } => public.algorithm,
        }
    }

    /// Asks a peer. A panic of the peer is its failure, not ours.
    ///
    /// A key in a form that the peer does not take is written anew in one that it takes, if it can be read at all.
    #[must_use]
    pub fn ask(&self, peer: &dyn Peer) -> Answer {
        let reply = catch_unwind(AssertUnwindSafe(|| self.put(peer))).unwrap_or_else(|panic| {
            let words = panic.downcast_ref::<&str>().copied().map(str::to_owned);
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(Refusal::Failed(format!("panicked: {words}")))
        });
        match reply {
            Ok(Outcome::Valid) => Answer { verdict: Verdict::Accepted, detail: None, value: None },
            Ok(Outcome::Invalid) => Answer { verdict: Verdict::Rejected, detail: None, value: None },
            Ok(Outcome::Made(value)) => {
                Answer { verdict: Verdict::Accepted, detail: None, value: Some(value) }
            }
            Err(refusal) => {
                let (verdict, why) = match refusal {
                    Refusal::Unsupported(why) => (Verdict::Unsupported, why),
                    Refusal::Refused(why) => (Verdict::Rejected, why),
                    Refusal::Failed(why) => (Verdict::Failed, why),
                };
                Answer { verdict, detail: Some(why), value: None }
            }
        }
    }

    fn put(&self, peer: &dyn Peer) -> Reply<Outcome> {
        let algorithm = self.algorithm();
        let ability =
            peer.ability(algorithm).ok_or_else(|| Refusal::Unsupported(algorithm.name().to_owned()))?;
        match self {
            Question::Derive { algorithm, seed } => {
                ability.admit_operation(Operation::Keygen)?;
                if !ability.seed_keygen {
                    return Err(Refusal::Unsupported("key generation from a seed".to_owned()));
                }
                let pair = peer.generate(*algorithm, Some(seed))?;
                agreeing_public_key(&pair.private, &pair.public).map(Outcome::Made)
            }
            Question::Load { private } => {
                ability.admit_operation(Operation::Public)?;
                ability.admit_form(private.form)?;
                bare(&peer.public_key(private)?).map(Outcome::Made)
            }
            Question::Sign { private, message, randomness } => {
                ability.admit_operation(Operation::Sign)?;
                ability.admit_message(message)?;
                ability.admit_randomness(randomness)?;
                let private = in_form_of(private, &ability)?;
                peer.signer(&private)?.sign(message, randomness).map(Outcome::Made)
            }
            Question::Verify { public, message, signature } => {
                ability.admit_operation(Operation::Verify)?;
                ability.admit_message(message)?;
                let public = in_form_of(public, &ability)?;
                let valid = peer.verifier(&public)?.verify(message, signature)?;
                Ok(if valid { Outcome::Valid } else { Outcome::Invalid })
            }
        }
    }
}

enum Outcome {
    Valid,
    Invalid,
    Made(Vec<u8>),
}

/// The key in a form that the peer takes.
fn in_form_of(key: &EncodedKey, ability: &Ability) -> Reply<EncodedKey> {
    let Err(unsupported) = ability.admit_form(key.form) else {
        return Ok(key.clone());
    };
    let is_public = key.form.is_public();
    let Some(form) = ability.keys.iter().copied().find(|form| form.is_public() == is_public) else {
        return Err(unsupported);
    };
    let written = if is_public {
        key.to_public().map(|key| EncodedKey::public(&key, form))
    } else {
        key.to_private().and_then(|key| EncodedKey::private(&key, form))
    };
    written.map_err(|_| unsupported)
}

/// The public half of a pair that a peer made, if the private half is a key and has the same public key.
fn agreeing_public_key(private: &EncodedKey, public: &EncodedKey) -> Reply<Vec<u8>> {
    let bytes = bare(public)?;
    let key: PrivateKey = private
        .to_private()
        .map_err(|error| Refusal::Failed(format!("made an invalid private key: {error}")))?;
    if key.public_key().as_bytes() == bytes {
        Ok(bytes)
    } else {
        Err(Refusal::Failed("made a public key that is not the private key's".to_owned()))
    }
}

/// The standard's encoding of a public key that a peer wrote.
fn bare(public: &EncodedKey) -> Reply<Vec<u8>> {
    match public.form {
        KeyForm::RawPublic => Ok(public.bytes.clone()),
        _ => match public.to_public() {
            Ok(key) => Ok(key.as_bytes().to_vec()),
            Err(error) => Err(Refusal::Failed(format!("wrote an invalid public key: {error}"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use pqsig::backend;

    use super::*;
    use crate::peer::Native;

    fn peer(name: &str) -> Native {
        Native::new(backend::by_name(name).unwrap()).unwrap()
    }

    #[test]
    fn a_backend_answers_every_question() {
        let peer = peer("openssl");
        for algorithm in [Algorithm::MlDsa44, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519] {
            let key = PrivateKey::generate(algorithm).unwrap();
            let expected = key.public_key().as_bytes().to_vec();
            let seed = key.seed().unwrap().to_vec();
            assert_eq!(Question::Derive { algorithm, seed }.ask(&peer).value.unwrap(), expected);

            let private = EncodedKey::private(&key, KeyForm::private_forms(algorithm)[0]).unwrap();
            assert_eq!(Question::Load { private: private.clone() }.ask(&peer).value.unwrap(), expected);

            let message = Message::pure(*b"message");
            let sign = Question::Sign { private, message, randomness: Randomness::Hedged };
            let signature = sign.ask(&peer).value.unwrap();
            for (text, verdict) in [(b"message", Verdict::Accepted), (b"massage", Verdict::Rejected)] {
                let verify = Question::Verify {
                    public: EncodedKey::public(key.public_key(), KeyForm::Spki),
                    message: Message::pure(*text),
                    signature: signature.clone(),
                };
                assert_eq!(verify.ask(&peer).verdict, verdict);
                let text = serde_json::to_string(&verify).unwrap();
                assert_eq!(serde_json::from_str::<Question>(&text).unwrap(), verify);
            }
        }
    }

    #[test]
    fn what_is_refused_and_what_is_unknown_are_told_apart() {
        let peer = peer("rustcrypto");
        let seed = vec![0; 31];
        let derive = Question::Derive { algorithm: Algorithm::MlDsa44, seed };
        assert_eq!(derive.ask(&peer).verdict, Verdict::Rejected);

        let key = PrivateKey::generate(Algorithm::Ed25519).unwrap();
        let mu = Question::Sign {
            private: EncodedKey::private(&key, KeyForm::RawSeed).unwrap(),
            message: Message::pure([0; 64]).with_mode(crate::message::Mode::ExternalMu),
            randomness: Randomness::Deterministic,
        };
        assert_eq!(mu.ask(&peer).verdict, Verdict::Unsupported);
    }
}
