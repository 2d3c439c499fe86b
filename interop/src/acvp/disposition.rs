//! What can be done to a signature before somebody is asked whether it is valid.

use super::secret::Stream;
use crate::message::{Message, Mode};

/// What was done to a signature before somebody is asked whether it is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Disposition {
    /// Nothing: it is valid.
    Valid,
    /// Another message, mu or M' is asked about.
    OtherMessage,
    /// Another context; another message where there is none.
    OtherContext,
    /// Another pre-hash function; another message where there is none.
    OtherHash,
    /// The public key of another private key.
    OtherKey,
    /// A bit of its start: c~ of ML-DSA, R of SLH-DSA.
    FlippedStart,
    /// A bit of its middle: z of ML-DSA, a layer of the hypertree of SLH-DSA.
    FlippedMiddle,
    /// A bit of its end: the hints of ML-DSA, the top layer of SLH-DSA.
    FlippedEnd,
    /// Its last byte is missing.
    TooShort,
    /// A byte stands after its end.
    TooLong,
}

impl Disposition {
    /// Every disposition.
    pub const ALL: [Disposition; 10] = [
        Disposition::Valid,
        Disposition::OtherMessage,
        Disposition::OtherContext,
        Disposition::OtherHash,
        Disposition::OtherKey,
        Disposition::FlippedStart,
        Disposition::FlippedMiddle,
        Disposition::FlippedEnd,
        Disposition::TooShort,
        Disposition::TooLong,
    ];

    /// Does it to a message and its signature. What the message does not have is replaced by a change of the message
    /// itself. Another key or hash is the caller's to choose.
    pub(super) fn apply(self, message: &mut Message, signature: &mut Vec<u8>, stream: &mut Stream) {
        let has_context = matches!(message.mode, Mode::Pure | Mode::PreHash(_));
        match self {
            Disposition::Valid | Disposition::OtherKey => {}
            Disposition::OtherContext if has_context => message.context = other_context(&message.context),
            Disposition::OtherMessage | Disposition::OtherContext | Disposition::OtherHash => {
                message.data = other_message(&message.data, stream).into();
            }
            Disposition::FlippedStart => flip(&mut signature[..16], stream),
            Disposition::FlippedMiddle => {
                let middle = signature.len() / 2;
                flip(&mut signature[middle..middle + 16], stream);
            }
            Disposition::FlippedEnd => {
                let end = signature.len() - 8;
                flip(&mut signature[end..], stream);
            }
            Disposition::TooShort => {
                signature.pop();
            }
            Disposition::TooLong => signature.push(0),
        }
    }
}

/// Dispositions in an order that only the secret tells. A third is valid, the others come equally often; at least one case is
/// valid and one is not, where there are two.
pub(super) fn deal(length: usize, stream: &mut Stream) -> Vec<Disposition> {
    let mut deck = Disposition::ALL.to_vec();
    deck.extend([Disposition::Valid; 4]);
    let mut dealt = Vec::with_capacity(length + deck.len());
    while dealt.len() < length {
        for last in (1..deck.len()).rev() {
            deck.swap(last, stream.below(last + 1));
        }
        dealt.extend_from_slice(&deck);
    }
    dealt.truncate(length);
    let valid = dealt.iter().filter(|disposition| **disposition == Disposition::Valid).count();
    if valid == 0 {
        dealt[0] = Disposition::Valid;
    } else if valid == length && length > 1 {
        dealt[0] = Disposition::OtherMessage;
    }
    dealt
}

fn other_message(message: &[u8], stream: &mut Stream) -> Vec<u8> {
    let mut other = message.to_vec();
    if other.is_empty() {
        other.push(0);
    } else {
        flip(&mut other, stream);
    }
    other
}

fn other_context(context: &[u8]) -> Vec<u8> {
    let mut other = context.to_vec();
    match other.last_mut() {
        Some(last) => *last ^= 1,
        None => other.push(0),
    }
    other
}

/// Flips one bit.
fn flip(bytes: &mut [u8], stream: &mut Stream) {
    let bit = stream.below(8 * bytes.len());
    bytes[bit / 8] ^= 1 << (bit % 8);
}
