//! What is signed: the message, its context, and the encoding M' that FIPS 204 and FIPS 205 share.

use std::fmt;
use std::io::{self, Read};

use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use crate::hash::Digest;
use crate::hazmat::InternalMessage;
use crate::{Algorithm, Error, Family, HashAlgorithm, PublicKey};

/// A context string of at most 255 bytes. Absent and empty are the same (FIPS 204 section 5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context<'a>(&'a [u8]);

impl<'a> Context<'a> {
    /// No context.
    pub const EMPTY: Context<'static> = Context(&[]);

    /// The longest context in bytes.
    pub const MAX: usize = 255;

    /// # Errors
    /// [`Error::ContextTooLong`] over 255 bytes.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() > Context::MAX {
            return Err(Error::ContextTooLong { actual: bytes.len() });
        }
        Ok(Context(bytes))
    }

    /// The context's bytes.
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// True when there is no context.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    #[expect(clippy::cast_possible_truncation, reason = "new() admits at most 255 bytes")]
    fn length_byte(self) -> u8 {
        self.0.len() as u8
    }
}

/// What is signed or verified.
#[derive(Clone, Copy, Debug)]
pub enum Message<'a> {
    /// The message itself: ML-DSA.Sign, slh_sign, Ed25519.
    Pure {
        /// The message.
        message: &'a [u8],
        /// The context; must be empty for Ed25519.
        context: Context<'a>,
    },
    /// A digest of the message: HashML-DSA.Sign, hash_slh_sign, Ed25519ph.
    PreHashed {
        /// The digest and its function.
        digest: &'a Digest,
        /// The context.
        context: Context<'a>,
    },
    /// ML-DSA's message representative mu (FIPS 204, Algorithm 7 line 6), computed elsewhere: see [`MuHasher`].
    ExternalMu(&'a [u8; 64]),
    /// M' itself, for the internal interface of test vectors: see [`crate::hazmat`].
    Internal(InternalMessage<'a>),
}

/// What a message is to be used for. Some rules bind the signer only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Sign,
    Verify,
}

impl<'a> Message<'a> {
    /// The message itself, without a context.
    #[must_use]
    pub fn pure(message: &'a [u8]) -> Self {
        Message::Pure { message, context: Context::EMPTY }
    }

    /// Holds a message against the rules of the standards. Every backend is behind this check, so no
    /// library gets to ignore what it does not know.
    pub(crate) fn check(&self, algorithm: Algorithm, purpose: Use) -> Result<(), Error> {
        match *self {
            Message::Pure { context, .. } => {
                if algorithm.family() == Family::Ed25519 && !context.is_empty() {
                    return Err(Error::ContextOnPureEd25519);
                }
            }
            Message::PreHashed { digest, .. } => {
                let hash = digest.hash();
                let binds = purpose == Use::Sign || algorithm == Algorithm::Ed25519;
                if binds && !hash.is_allowed_for(algorithm) {
                    return Err(hash_not_allowed(algorithm, hash));
                }
            }
            Message::ExternalMu(_) => {
                if algorithm.family() != Family::MlDsa {
                    return Err(Error::NoExternalMu { algorithm });
                }
            }
            Message::Internal(_) => {
                if algorithm.family() == Family::Ed25519 {
                    return Err(Error::NoInternalInterface { algorithm });
                }
            }
        }
        Ok(())
    }

    /// M' (FIPS 204, Algorithms 2 and 4; FIPS 205, Algorithms 22 and 23) in two parts, so that the message is
    /// not copied; `None` for mu, from which M' can't be told.
    pub(crate) fn encode(&self) -> Option<EncodedMessage<'a>> {
        let (domain, context, oid, body): (u8, _, Option<[u8; 11]>, &'a [u8]) = match *self {
            Message::Pure { message, context } => (0, context, None, message),
            Message::PreHashed { digest, context } => {
                (1, context, Some(digest.hash().oid_der()), digest.as_bytes())
            }
            Message::ExternalMu(_) => return None,
            Message::Internal(internal) => {
                return Some(EncodedMessage { prefix: Prefix::default(), body: internal.as_bytes() });
            }
        };
        let mut prefix = Prefix::default();
        prefix.push(&[domain, context.length_byte()]);
        prefix.push(context.as_bytes());
        if let Some(oid) = oid {
            prefix.push(&oid);
        }
        Some(EncodedMessage { prefix, body })
    }
}

pub(crate) fn hash_not_allowed(algorithm: Algorithm, hash: HashAlgorithm) -> Error {
    let allowed = HashAlgorithm::allowed_for(algorithm).map(HashAlgorithm::name).collect();
    if algorithm == Algorithm::Ed25519 {
        Error::HashNotDefined { hash }
    } else {
        Error::HashTooWeak { algorithm, hash, allowed }
    }
}

/// M' as prefix (domain, context, OID) and body (message or digest).
pub(crate) struct EncodedMessage<'a> {
    prefix: Prefix,
    body: &'a [u8],
}

impl EncodedMessage<'_> {
    /// The two parts, one after the other.
    pub(crate) fn parts(&self) -> [&[u8]; 2] {
        [self.prefix.as_bytes(), self.body]
    }

    /// M' in one piece.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        self.parts().concat()
    }
}

/// The longest prefix: two bytes, a context of 255, an OID of 11.
const MAX_PREFIX: usize = 2 + Context::MAX + 11;

struct Prefix {
    bytes: [u8; MAX_PREFIX],
    length: usize,
}

impl Default for Prefix {
    fn default() -> Self {
        Prefix { bytes: [0; MAX_PREFIX], length: 0 }
    }
}

impl Prefix {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Computes ML-DSA's mu = SHAKE256(SHAKE256(pk, 64) || M', 64) (FIPS 204, Algorithm 7 line 6) over a message
/// that arrives in pieces. A signature over the result as [`Message::ExternalMu`] is a signature over
/// [`Message::Pure`]: this is how a message of any length is signed in constant memory.
pub struct MuHasher {
    state: Shake256,
}

impl fmt::Debug for MuHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MuHasher").finish_non_exhaustive()
    }
}

impl MuHasher {
    /// Starts a message of the pure interface, with its context.
    ///
    /// # Errors
    /// [`Error::NoExternalMu`] when the key is not an ML-DSA key.
    pub fn new(public_key: &PublicKey, context: Context<'_>) -> Result<Self, Error> {
        let algorithm = public_key.algorithm();
        if algorithm.family() != Family::MlDsa {
            return Err(Error::NoExternalMu { algorithm });
        }
        let mut tr = [0; 64];
        let mut hash = Shake256::default();
        hash.update(public_key.as_bytes());
        hash.finalize_xof().read(&mut tr);

        let mut state = Shake256::default();
        state.update(&tr);
        let start = Message::Pure { message: &[], context };
        if let Some(encoded) = start.encode() {
            state.update(encoded.parts()[0]);
        }
        Ok(MuHasher { state })
    }

    /// Hashes the next piece of the message.
    pub fn update(&mut self, piece: &[u8]) {
        self.state.update(piece);
    }

    /// Hashes all that a reader yields, in bounded memory.
    ///
    /// # Errors
    /// What the reader reports.
    pub fn update_reader(&mut self, reader: &mut dyn Read) -> io::Result<()> {
        for_each_chunk(reader, |chunk| self.update(chunk))
    }

    /// The message representative mu.
    #[must_use]
    pub fn finish(self) -> [u8; 64] {
        let mut mu = [0; 64];
        self.state.finalize_xof().read(&mut mu);
        mu
    }
}

/// Calls `f` with all that a reader yields, a piece at a time.
pub(crate) fn for_each_chunk(reader: &mut dyn Read, mut f: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => f(&buffer[..length]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_of_255_bytes_passes_and_256_does_not() {
        assert!(Context::new(&[7; 255]).is_ok());
        assert!(matches!(Context::new(&[7; 256]), Err(Error::ContextTooLong { actual: 256 })));
    }

    /// FIPS 204 Algorithm 4: the byte after the domain is the context's length, not the OID's.
    #[test]
    fn the_encoding_is_the_standards() {
        let context = Context::new(b"ctx").unwrap();
        let pure = Message::Pure { message: b"msg", context };
        assert_eq!(pure.encode().unwrap().to_vec(), b"\x00\x03ctxmsg");

        let digest = HashAlgorithm::Sha256.digest(b"msg");
        let hashed = Message::PreHashed { digest: &digest, context };
        let mut expected = b"\x01\x03ctx\x06\x09\x60\x86\x48\x01\x65\x03\x04\x02\x01".to_vec();
        expected.extend_from_slice(digest.as_bytes());
        assert_eq!(hashed.encode().unwrap().to_vec(), expected);

        let longest = Message::PreHashed { digest: &digest, context: Context::new(&[1; 255]).unwrap() };
        assert_eq!(longest.encode().unwrap().to_vec().len(), MAX_PREFIX + 32);
    }

    #[test]
    fn an_absent_context_is_an_empty_one() {
        let absent = Message::pure(b"m").encode().unwrap().to_vec();
        let context = Context::new(b"").unwrap();
        assert_eq!(Message::Pure { message: b"m", context }.encode().unwrap().to_vec(), absent);
    }

    #[test]
    fn weak_hashes_bind_the_signer_only() {
        let digest = HashAlgorithm::Sha256.digest(b"msg");
        let message = Message::PreHashed { digest: &digest, context: Context::EMPTY };
        assert!(matches!(message.check(Algorithm::MlDsa65, Use::Sign), Err(Error::HashTooWeak { .. })));
        assert!(message.check(Algorithm::MlDsa65, Use::Verify).is_ok());
        assert!(message.check(Algorithm::MlDsa44, Use::Sign).is_ok());
        assert!(message.check(Algorithm::Ed25519, Use::Verify).is_err());
    }
}
