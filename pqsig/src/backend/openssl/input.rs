//! A message in OpenSSL's terms: bytes, and the parameters that say what the bytes are.

use std::borrow::Cow;
use std::ffi::CStr;

use super::ffi::{Over, Signature};
use super::params::Params;
use crate::backend::Randomness;
use crate::{Algorithm, Family, Message};

/// OpenSSL's names of a signature context's parameters: OSSL_SIGNATURE_PARAM_CONTEXT_STRING, _MESSAGE_ENCODING,
/// _DETERMINISTIC, _MU, _TEST_ENTROPY; see EVP_SIGNATURE-ML-DSA(7) and EVP_SIGNATURE-SLH-DSA(7).
const CONTEXT: &CStr = c"context-string";
const ENCODING: &CStr = c"message-encoding";
const DETERMINISTIC: &CStr = c"deterministic";
const MU: &CStr = c"mu";
const ENTROPY: &CStr = c"test-entropy";

/// Which parameters an implementation's contexts take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent parameters")]
pub(super) struct Takes {
    pub(super) context: bool,
    pub(super) encoding: bool,
    pub(super) deterministic: bool,
    pub(super) mu: bool,
    pub(super) entropy: bool,
}

impl Takes {
    pub(super) fn of(signature: &Signature) -> Self {
        Takes {
            context: signature.takes(CONTEXT),
            encoding: signature.takes(ENCODING),
            deterministic: signature.takes(DETERMINISTIC),
            mu: signature.takes(MU),
            entropy: signature.takes(ENTROPY),
        }
    }
}

/// What OpenSSL is to make of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The message: OpenSSL builds M' with the context.
    Pure,
    /// M' itself.
    Encoded,
    /// ML-DSA's mu.
    Mu,
    /// Ed25519's message, or its digest with a context for Ed25519ph.
    Ed25519,
}

/// A message for EVP_PKEY_sign(3) or EVP_PKEY_verify(3).
pub(super) struct Input<'a> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) over: Over,
    context: &'a [u8],
    kind: Kind,
}

impl<'a> Input<'a> {
    /// OpenSSL has no HashML-DSA or HashSLH-DSA: it gets their M'.
    pub(super) fn new(algorithm: Algorithm, message: &Message<'a>) -> Self {
        let input = |bytes, context, kind| Input { bytes, over: Over::Message, context, kind };
        let ed25519 = algorithm.family() == Family::Ed25519;
        match *message {
            Message::Pure { message, .. } if ed25519 => input(Cow::Borrowed(message), &[], Kind::Ed25519),
            Message::PreHashed { digest, context } if ed25519 => Input {
                bytes: Cow::Borrowed(digest.as_bytes()),
                over: Over::Digest,
                context: context.as_bytes(),
                kind: Kind::Ed25519,
            },
            Message::Pure { message, context } => {
                input(Cow::Borrowed(message), context.as_bytes(), Kind::Pure)
            }
            Message::PreHashed { .. } => {
                let encoded = message.encode().map(|encoded| encoded.to_vec()).unwrap_or_default();
                input(Cow::Owned(encoded), &[], Kind::Encoded)
            }
            Message::ExternalMu(mu) => input(Cow::Borrowed(mu), &[], Kind::Mu),
            Message::Internal(internal) => input(Cow::Borrowed(internal.as_bytes()), &[], Kind::Encoded),
        }
    }

    /// What a verifying context must be told; `None` if nothing. A context keeps what it was told, so each call states
    /// every parameter, the usual values too.
    pub(super) fn for_verifying(&'a self, takes: Takes) -> Option<Params<'a>> {
        if self.kind == Kind::Ed25519 {
            return (self.over == Over::Digest).then(|| Params::new().octets(CONTEXT, self.context));
        }
        Some(self.common(takes)).filter(|params| !params.is_empty())
    }

    /// What a signing context must be told; `None` if nothing.
    pub(super) fn for_signing(&'a self, takes: Takes, randomness: Randomness<'a>) -> Option<Params<'a>> {
        if self.kind == Kind::Ed25519 {
            return self.for_verifying(takes);
        }
        let mut params = self.common(takes);
        if takes.deterministic {
            params = params.flag(DETERMINISTIC, matches!(randomness, Randomness::Deterministic));
        }
        if let Randomness::Fixed(bytes) = randomness {
            params = params.octets(ENTROPY, bytes.as_bytes());
        }
        Some(params).filter(|params| !params.is_empty())
    }

    /// What signing and verifying with ML-DSA and SLH-DSA share.
    fn common(&'a self, takes: Takes) -> Params<'a> {
        let mut params = Params::new();
        if takes.context {
            params = params.octets(CONTEXT, self.context);
        }
        if takes.encoding {
            params = params.flag(ENCODING, self.kind != Kind::Encoded);
        }
        if takes.mu {
            params = params.flag(MU, self.kind == Kind::Mu);
        }
        params
    }
}
