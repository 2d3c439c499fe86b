//! How a message is signed: the flags that `pqsig sign` and `pqsig verify` share, and a message made ready by them.

use std::borrow::Cow;
use std::io::{self, Read};

use nu_protocol::shell_error::bridge::ShellErrorBridge;
use nu_protocol::{ByteStream, Flag, LabeledError, Signature, Span, Spanned, SyntaxShape};
use pqsig::{
    Algorithm, Backend, Context, Digest, Error, Family, Feature, HashAlgorithm, Message, MuHasher, PublicKey,
};

use super::{bytes, bytes_shape, completions, conflict};
use crate::call::{Call, Stop};
use crate::errors::{self, At as _};
use crate::input::Item;

/// Adds the flags.
pub(crate) fn flags(signature: Signature) -> Signature {
    signature
        .param(
            Flag::new("context")
                .short('c')
                .arg(bytes_shape())
                .desc("The context, at most 255 bytes: a signature holds under its own context only"),
        )
        .param(
            Flag::new("prehash")
                .arg(SyntaxShape::String)
                .desc("Sign a digest made with this hash (HashML-DSA, HashSLH-DSA, Ed25519ph)")
                .completion(completions::hashes()),
        )
        .param(Flag::new("mu").desc("The input is ML-DSA's 64-byte mu, computed elsewhere"))
}

/// The flags' values.
pub(crate) struct MessageOptions<'a> {
    context: Option<(Context<'a>, Span)>,
    pre_hash: Option<Spanned<HashAlgorithm>>,
    mu: Option<Span>,
    head: Span,
}

impl<'a> MessageOptions<'a> {
    pub(crate) fn from_call(call: &'a Call) -> Result<Self, LabeledError> {
        let context = call.flag("context").map(|value| {
            let given = bytes(value, "--context")?;
            Ok::<_, LabeledError>((Context::new(given.item).at(given.span)?, given.span))
        });
        let pre_hash = call.text_flag("prehash")?.map(|name| {
            Ok::<_, LabeledError>(Spanned { item: name.item.parse().at(name.span)?, span: name.span })
        });
        let options = MessageOptions {
            context: context.transpose()?,
            pre_hash: pre_hash.transpose()?,
            mu: call.switch("mu")?,
            head: call.head(),
        };
        options.check()
    }

    /// Mu has all of it in it: the public key, the context, and the message or its digest.
    fn check(self) -> Result<Self, LabeledError> {
        match (self.mu, &self.context, &self.pre_hash) {
            (Some(_), Some((_, span)), _) => Err(conflict(
                "the context is part of mu",
                *span,
                "leave --context out, and give it where mu is computed",
            )),
            (Some(_), _, Some(hash)) => Err(conflict(
                "mu is not hashed again",
                hash.span,
                "leave --prehash out, and give it where mu is computed",
            )),
            _ => Ok(self),
        }
    }

    /// What a backend must be able to do. What the standards themselves forbid is left out: no backend could, and the
    /// core says better why.
    pub(crate) fn features(&self, algorithm: Algorithm) -> Vec<Feature> {
        let mut features = vec![Feature::Algorithm];
        if self.context.is_some_and(|(context, _)| !context.is_empty()) {
            features.push(Feature::Context);
        }
        if let Some(hash) = self.pre_hash.filter(|hash| hash.item.is_allowed_for(algorithm)) {
            features.push(Feature::PreHash(hash.item));
        }
        if self.mu.is_some() && algorithm.family() == Family::MlDsa {
            features.push(Feature::ExternalMu);
        }
        features
    }

    /// Where to point when the core refuses to sign or verify: `key`, the span of `backend`, or a flag of these.
    pub(crate) fn blame(&self, error: &Error, key: Span, backend: Span) -> Span {
        match error {
            Error::ContextTooLong { .. } | Error::ContextOnPureEd25519 => {
                self.context.map_or(self.head, |(_, span)| span)
            }
            Error::HashTooWeak { .. } | Error::HashNotDefined { .. } => {
                self.pre_hash.map_or(self.head, |hash| hash.span)
            }
            Error::NoExternalMu { .. } => self.mu.unwrap_or(self.head),
            Error::Unsupported { .. } | Error::BackendUnavailable { .. } => backend,
            Error::KeyLength { .. }
            | Error::KeyInconsistent { .. }
            | Error::PublicKeyInvalid { .. }
            | Error::WrongKind { .. } => key,
            _ => self.head,
        }
    }

    /// Makes a message ready that is in memory.
    pub(crate) fn prepare<'m>(&self, item: &'m Item) -> Result<Prepared<'m>, LabeledError> {
        if self.mu.is_some() {
            return parse_mu(&item.bytes).at(item.span).map(Prepared::Mu);
        }
        Ok(match self.pre_hash {
            Some(hash) => Prepared::Digest(hash.item.digest(&item.bytes)),
            None => Prepared::Whole(Cow::Borrowed(&item.bytes)),
        })
    }

    /// Makes a message ready that arrives in pieces: in constant memory where the algorithm can, which is with a
    /// pre-hash, and for ML-DSA, whose signature needs nothing but mu of the message.
    pub(crate) fn prepare_stream(
        &self,
        call: &Call,
        stream: ByteStream,
        key: &PublicKey,
        backend: &Backend,
    ) -> Result<Prepared<'static>, LabeledError> {
        let span = stream.span();
        let mut reader = StoppableReader { inner: stream.reader(), stop: call.stop().clone() };
        let reads_mu = backend.supports(key.algorithm(), Feature::ExternalMu);
        let mut read = || -> io::Result<Prepared<'static>> {
            if self.mu.is_none() {
                if let Some(hash) = self.pre_hash {
                    return hash.item.digest_reader(&mut reader).map(Prepared::Digest);
                }
                if let Some(mut hasher) = MuHasher::new(key, self.context()).ok().filter(|_| reads_mu) {
                    hasher.update_reader(&mut reader)?;
                    return Ok(Prepared::Mu(hasher.finish()));
                }
            }
            let mut whole = Vec::new();
            reader.read_to_end(&mut whole)?;
            Ok(Prepared::Whole(Cow::Owned(whole)))
        };
        let prepared = read().map_err(|error| reading_failed(error, span));
        // A stream that was cut short by Ctrl-C must not pass for the whole message.
        call.check_stop()?;
        match (prepared?, self.mu) {
            (Prepared::Whole(whole), Some(_)) => parse_mu(&whole).at(span).map(Prepared::Mu),
            (prepared, _) => Ok(prepared),
        }
    }

    fn context(&self) -> Context<'a> {
        self.context.map_or(Context::EMPTY, |(context, _)| context)
    }

    /// The message in the core's terms.
    pub(crate) fn message<'m>(&'m self, prepared: &'m Prepared<'_>) -> Message<'m> {
        let context = self.context();
        match prepared {
            Prepared::Whole(message) => Message::Pure { message, context },
            Prepared::Digest(digest) => Message::PreHashed { digest, context },
            Prepared::Mu(mu) => Message::ExternalMu(mu),
        }
    }
}

/// A message as far as it is needed for signing.
pub(crate) enum Prepared<'a> {
    Whole(Cow<'a, [u8]>),
    Digest(Digest),
    Mu([u8; 64]),
}

fn parse_mu(bytes: &[u8]) -> Result<[u8; 64], Error> {
    bytes.try_into().map_err(|_| Error::MuLength { actual: bytes.len() })
}

/// A reader that fails once the user has pressed Ctrl-C. Without an inner reader it is at its end.
struct StoppableReader<R> {
    inner: Option<R>,
    stop: Stop,
}

impl<R: Read> Read for StoppableReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_set() {
            // Not `Interrupted`, which readers take for "try again".
            return Err(io::Error::other("stopped by the user"));
        }
        self.inner.as_mut().map_or(Ok(0), |reader| reader.read(buffer))
    }
}

/// An error of the command that the stream comes from arrives as an I/O error that carries Nushell's own.
fn reading_failed(error: io::Error, span: Span) -> LabeledError {
    match ShellErrorBridge::try_from(error) {
        Ok(ShellErrorBridge(error)) => error.into(),
        Err(error) => errors::misuse(
            "input",
            format!("can't read the message: {}", errors::reason(&error)),
            "this input",
            span,
        ),
    }
}
