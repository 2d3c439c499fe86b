//! Has a peer do what a case asks.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pqsig::{Algorithm, Context, HashAlgorithm, hazmat};

use super::response::Outcome;
use crate::key::EncodedKey;
use crate::message::{Message, Mode, Randomness};
use crate::peer::{Operation, Peer, Refusal, Reply};
use crate::question::{Answer, Question, Verdict};

/// Asks a peer for what a case wants of it. A panic of the peer is its failure.
///
/// A private key that a peer gives as a seed only is expanded by `pqsig`: the public key is the peer's own in any case.
///
/// # Errors
/// Why there is no answer. A key or context that a verifier refuses is an answer: the signature is not valid.
pub fn perform(question: &Question, peer: &dyn Peer) -> Reply<Outcome> {
    if let Question::Derive { algorithm, seed } = question {
        return catch_unwind(AssertUnwindSafe(|| key_pair(peer, *algorithm, seed)))
            .unwrap_or_else(|_| Err(Refusal::Failed("panicked".to_owned())));
    }
    let answer = ask(question, peer);
    let why = answer.detail.unwrap_or_default();
    match (answer.verdict, answer.value) {
        (Verdict::Unsupported, _) => Err(Refusal::Unsupported(why)),
        (Verdict::Failed, _) => Err(Refusal::Failed(why)),
        (verdict, _) if matches!(question, Question::Verify { .. }) => {
            Ok(Outcome::Verdict(verdict == Verdict::Accepted))
        }
        (Verdict::Accepted, Some(signature)) => Ok(Outcome::Signature(signature)),
        _ => Err(Refusal::Refused(why)),
    }
}

/// Asks as [`Question::ask`] does, but for hashes that the standards call too weak for the set (FIPS 204 section 5.4.1,
/// FIPS 205 section 10.2.2). NIST's cases sign with them all the same, and a signer has to refuse: what they want is
/// the signature over M' itself, so that is what a peer is asked for if it takes M'. If it does not, its refusal is no
/// fault.
pub(crate) fn ask(question: &Question, peer: &dyn Peer) -> Answer {
    let Some((private, hash, message, randomness)) = weakly_hashed(question) else {
        return question.ask(peer);
    };
    let takes_encoded = peer.ability(private.algorithm).is_some_and(|ability| ability.internal);
    if takes_encoded && let Ok(context) = Context::new(&message.context) {
        let encoded = hazmat::encode_pre_hashed(&hash.digest(&message.data), context);
        let message = Message::pure(encoded).with_mode(Mode::Internal);
        return Question::Sign { private: private.clone(), message, randomness: randomness.clone() }
            .ask(peer);
    }
    let mut answer = question.ask(peer);
    if answer.verdict == Verdict::Rejected {
        answer.verdict = Verdict::Unsupported;
    }
    answer
}

fn weakly_hashed(question: &Question) -> Option<(&EncodedKey, HashAlgorithm, &Message, &Randomness)> {
    let Question::Sign { private, message, randomness } = question else { return None };
    let Mode::PreHash(hash) = message.mode else { return None };
    (!hash.is_allowed_for(private.algorithm)).then_some((private, hash, message, randomness))
}

fn key_pair(peer: &dyn Peer, algorithm: Algorithm, seed: &[u8]) -> Reply<Outcome> {
    let ability = peer.ability(algorithm).ok_or_else(|| Refusal::Unsupported(algorithm.name().to_owned()))?;
    ability.admit_operation(Operation::Keygen)?;
    if !ability.seed_keygen {
        return Err(Refusal::Unsupported("key generation from a seed".to_owned()));
    }
    let pair = peer.generate(algorithm, Some(seed))?;
    let invalid = |what: &str, error| Refusal::Failed(format!("made an invalid {what} key: {error}"));
    let public = pair.public.to_public().map_err(|error| invalid("public", error))?;
    let private = pair.private.to_private().map_err(|error| invalid("private", error))?;
    Ok(Outcome::KeyPair { pk: public.as_bytes().to_vec(), sk: private.expanded().to_vec() })
}
