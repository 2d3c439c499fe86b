//! How a faulty implementation reads a message.

use pqsig::HashAlgorithm;

use super::faulty::Twist;
use crate::message::{Message, Mode};
use crate::peer::{Refusal, Reply};

/// The message that the implementation sees in this one.
pub(super) fn misread(twist: Twist, message: &Message) -> Reply<Message> {
    let mut read = message.clone();
    match twist {
        Twist::IgnoresContext => read.context.clear(),
        Twist::ContextBelow255 if message.context.len() >= 255 => {
            return Err(Refusal::Refused("the context is too long".to_owned()));
        }
        Twist::WrapsContextLength if message.mode == Mode::Pure && message.context.len() > 255 => {
            // M' with the length's low byte, as a cast that nobody checks writes it.
            let length = message.context.len().to_le_bytes()[0];
            let encoded = [&[0, length][..], &message.context, &message.data].concat();
            read = Message::pure(encoded).with_mode(Mode::Internal);
        }
        Twist::ContextRunsIntoMessage if message.mode == Mode::Pure => {
            read.data = [&message.context[..], &message.data].concat().into();
            read.context.clear();
        }
        Twist::RefusesEmptyMessage if message.data.is_empty() => {
            return Err(Refusal::Refused("nothing to sign".to_owned()));
        }
        Twist::CutsMessageAt16Mib if message.data.len() > 1 << 24 => {
            read.data = message.data[..1 << 24].into();
        }
        Twist::HashesTwice | Twist::ShortShake256 | Twist::OidLengthForContextLength | Twist::NoOid => {
            if let Mode::PreHash(hash) = message.mode {
                read = pre_hashed_wrongly(twist, message, hash);
            }
        }
        _ => {}
    }
    Ok(read)
}

/// M' of FIPS 204 Algorithm 4, but for one thing.
fn pre_hashed_wrongly(twist: Twist, message: &Message, hash: HashAlgorithm) -> Message {
    let once = hash.digest(&message.data);
    let mut digest = once.as_bytes().to_vec();
    let mut context_length = u8::try_from(message.context.len()).unwrap_or(u8::MAX);
    let mut oid = hash.oid_der().to_vec();
    match twist {
        Twist::HashesTwice => digest = hash.digest(&digest).as_bytes().to_vec(),
        Twist::ShortShake256 if hash == HashAlgorithm::Shake256 => digest.truncate(32),
        Twist::OidLengthForContextLength => context_length = 11,
        Twist::NoOid => oid.clear(),
        _ => {}
    }
    let encoded = [&[1, context_length][..], &message.context, &oid, &digest].concat();
    Message::pure(encoded).with_mode(Mode::Internal)
}
