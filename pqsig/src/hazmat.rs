//! What only test vectors need: fixed randomness, and the internal interface that signs M' as it is.
//!
//! Reusing randomness, or signing an M' that the standards did not build, breaks what they promise. Nothing
//! outside of vectors and cross-checks has a reason to call this module.

use crate::Randomness;
use crate::hash::Digest;
use crate::message::{Context, Message};

/// Given randomness in place of fresh: rnd of ML-DSA (32 bytes), opt_rand of SLH-DSA (n bytes).
#[derive(Clone, Copy)]
pub struct FixedRandomness<'a>(&'a [u8]);

impl<'a> FixedRandomness<'a> {
    pub(crate) fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

impl std::fmt::Debug for FixedRandomness<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FixedRandomness({} bytes)", self.0.len())
    }
}

/// Randomness that is given instead of drawn. Its length is checked when it is used.
#[must_use]
pub fn fixed_randomness(bytes: &[u8]) -> Randomness<'_> {
    Randomness::Fixed(FixedRandomness(bytes))
}

/// M' as it is: see [`internal_message`].
#[derive(Clone, Copy, Debug)]
pub struct InternalMessage<'a>(&'a [u8]);

impl<'a> InternalMessage<'a> {
    pub(crate) fn as_bytes(self) -> &'a [u8] {
        self.0
    }
}

/// A message for ML-DSA.Sign_internal and slh_sign_internal (FIPS 204, Algorithm 7; FIPS 205, Algorithm 19).
#[must_use]
pub fn internal_message(encoded: &[u8]) -> Message<'_> {
    Message::Internal(InternalMessage(encoded))
}

/// M' of a pre-hashed message, whatever the strength of its hash. Vectors sign with hashes that the standard
/// calls too weak for the set; [`internal_message`] of this does the same.
#[must_use]
pub fn encode_pre_hashed(digest: &Digest, context: Context<'_>) -> Vec<u8> {
    let message = Message::PreHashed { digest, context };
    message.encode().map(|encoded| encoded.to_vec()).unwrap_or_default()
}
