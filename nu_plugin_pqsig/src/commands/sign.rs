//! `pqsig sign`

use nu_protocol::{
    ByteStream, Example, Flag, LabeledError, PipelineData, Signature, Span, Spanned, Type, Value,
};
use pqsig::{Backend, Family, Feature, PrivateKey, Randomness, SigningKey};

use crate::arguments::message::{MessageOptions, Prepared};
use crate::arguments::{backend, key, message, threads, threads_flag, wrong_type};
use crate::call::Call;
use crate::command::Command;
use crate::errors::At as _;
use crate::input::{Input, Item, item};
use crate::parallel;

/// Signs messages.
#[derive(Clone, Copy)]
pub(crate) struct Sign;

impl Command for Sign {
    fn name(&self) -> &'static str {
        "pqsig sign"
    }

    fn signature(&self) -> Signature {
        message::flags(
            super::signature(self)
                .required(
                    "key",
                    key::shape(),
                    "The private key: a path, PEM, DER, or a record of `pqsig keygen`",
                )
                .param(
                    Flag::new("deterministic")
                        .short('d')
                        .desc("Sign without fresh randomness: the same message gives the same signature"),
                ),
        )
        .param(backend::flag())
        .param(key::passphrase_flag())
        .param(threads_flag())
        .input_output_types(vec![
            (Type::String, Type::Binary),
            (Type::Binary, Type::Binary),
            (Type::list(Type::Any), Type::list(Type::Binary)),
            // So that it is this command that says what is missing.
            (Type::Nothing, Type::Error),
        ])
    }

    fn description(&self) -> &'static str {
        "Sign a message, or every message of a list."
    }

    fn extra_description(&self) -> &'static str {
        "A string is signed as its UTF-8 bytes, a byte stream (`open --raw`, an external command) byte for byte. \
         A list is signed on all cores, in order.\n\n\
         A stream is signed in constant memory by ML-DSA, and by all with --prehash. SLH-DSA and pure Ed25519 read a \
         message twice, so that a stream is first collected in memory.\n\n\
         A private key that is given as a path never enters Nushell's memory, and is wiped from the plugin's."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["signature", "post-quantum", "ML-DSA", "SLH-DSA", "Ed25519", "pkeyutl"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Sign a file with a key file, and keep the signature beside it",
                example: "open --raw Cargo.lock | pqsig sign key.pem | save Cargo.lock.sig",
                result: None,
            },
            Example {
                description: "Sign every message of a list",
                example: "let key = pqsig keygen ML-DSA-44; ['one' 'two' 'three'] | pqsig sign $key | describe",
                result: Some(Value::test_string("list<binary>")),
            },
            Example {
                description: "Sign under a context, with an implementation of choice",
                example: "'hello' | pqsig sign key.pem --context greeting --backend rustcrypto",
                result: None,
            },
            Example {
                description: "Ed25519's signatures are always the same",
                example: "let key = pqsig keygen Ed25519 --seed \
                          9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60; '' | pqsig sign $key",
                // RFC 8032, section 7.1, test 1.
                result: Some(Value::test_binary(ED25519_TEST_1)),
            },
        ]
    }

    fn run(&self, call: &Call, input: PipelineData) -> Result<PipelineData, LabeledError> {
        let job = Job::from_call(call)?;
        let signature = |signature| Value::binary(signature, call.head());
        let result = match Input::from_pipeline(call, input, "sign")? {
            Input::Message(item) => signature(job.sign_item(&item)?),
            Input::Stream(stream) => signature(job.sign_stream(call, stream)?),
            Input::List(values, _) => {
                let items = values.into_iter().map(item).collect::<Result<Vec<_>, _>>()?;
                let sign = |item: Item| job.sign_item(&item);
                let signatures = parallel::map(call, threads(call)?, "Signing", items, sign)?;
                Value::list(signatures.into_iter().map(signature).collect(), call.head())
            }
            Input::Record(record, span) => {
                return Err(wrong_type(&Value::record(record, span), "a message", "a string or binary")
                    .with_help("turn it into text first, for example with `to json`"));
            }
        };
        Ok(PipelineData::value(result, None))
    }
}

/// A key that is loaded, and how to sign with it.
struct Job<'a> {
    key: Spanned<PrivateKey>,
    backend: Backend,
    backend_span: Span,
    signer: SigningKey,
    options: MessageOptions<'a>,
    randomness: Randomness<'static>,
}

impl<'a> Job<'a> {
    fn from_call(call: &'a Call) -> Result<Self, LabeledError> {
        // What is cheap to refuse comes before the key, whose passphrase the user may have to type.
        let options = MessageOptions::from_call(call)?;
        let randomness = match call.switch("deterministic")? {
            Some(_) => Randomness::Deterministic,
            None => Randomness::Hedged,
        };
        let choice = backend::Choice::from_call(call)?;
        threads(call)?;
        let key = key::private(call, 0)?;

        let algorithm = key.item.algorithm();
        let mut features = options.features(algorithm);
        if algorithm.family() != Family::Ed25519 {
            features.push(match randomness {
                Randomness::Deterministic => Feature::Deterministic,
                _ => Feature::Hedged,
            });
        }
        if key.item.seed().is_none() {
            features.push(Feature::ExpandedImport);
        }
        let backend = choice.backend(algorithm, &features)?;
        let backend_span = choice.span();
        let signer =
            backend.signing_key(&key.item).blame(|error| options.blame(error, key.span, backend_span))?;
        Ok(Job { key, backend, backend_span, signer, options, randomness })
    }

    fn sign_item(&self, item: &Item) -> Result<Vec<u8>, LabeledError> {
        self.sign(&self.options.prepare(item)?)
    }

    fn sign_stream(&self, call: &Call, stream: ByteStream) -> Result<Vec<u8>, LabeledError> {
        let public_key = self.key.item.public_key();
        self.sign(&self.options.prepare_stream(call, stream, public_key, &self.backend)?)
    }

    fn sign(&self, prepared: &Prepared<'_>) -> Result<Vec<u8>, LabeledError> {
        self.signer
            .sign(&self.options.message(prepared), self.randomness)
            .blame(|error| self.options.blame(error, self.key.span, self.backend_span))
    }
}

#[rustfmt::skip]
const ED25519_TEST_1: [u8; 64] = [
    0xe5, 0x56, 0x43, 0x00, 0xc3, 0x60, 0xac, 0x72, 0x90, 0x86, 0xe2, 0xcc, 0x80, 0x6e, 0x82, 0x8a,
    0x84, 0x87, 0x7f, 0x1e, 0xb8, 0xe5, 0xd9, 0x74, 0xd8, 0x73, 0xe0, 0x65, 0x22, 0x49, 0x01, 0x55,
    0x5f, 0xb8, 0x82, 0x15, 0x90, 0xa3, 0x3b, 0xac, 0xc6, 0x1e, 0x39, 0x70, 0x1c, 0xf9, 0xb4, 0x6b,
    0xd2, 0x5b, 0xf5, 0xf0, 0x59, 0x5b, 0xbe, 0x24, 0x65, 0x51, 0x41, 0x43, 0x8e, 0x7a, 0x10, 0x0b,
];
