//! `pqsig verify`

use std::borrow::Cow;

use nu_protocol::{
    ByteStream, Example, LabeledError, PipelineData, Record, Signature, Span, Spanned, Type, Value,
};
use pqsig::{Backend, PublicKey, VerifyingKey};

use crate::arguments::message::{MessageOptions, Prepared};
use crate::arguments::{backend, key, message, signature, threads, threads_flag, wrong_type};
use crate::call::Call;
use crate::command::Command;
use crate::errors::{self, At as _};
use crate::input::{Input, Item, item};
use crate::parallel;

/// The columns of a table of signed messages.
const MESSAGE: &str = "message";
const SIGNATURE: &str = "signature";

/// Verifies signatures.
#[derive(Clone, Copy)]
pub(crate) struct Verify;

impl Command for Verify {
    fn name(&self) -> &'static str {
        "pqsig verify"
    }

    fn signature(&self) -> Signature {
        message::flags(
            super::signature(self)
                .required(
                    "key",
                    key::shape(),
                    "The public key: a path, PEM, DER, a certificate, or a record of `pqsig keygen`",
                )
                .optional(
                    "signature",
                    signature::shape(),
                    "The signature: binary or a path; for a list of messages, a list of them",
                ),
        )
        .param(backend::flag())
        .param(key::passphrase_flag())
        .param(threads_flag())
        .input_output_types(vec![
            (Type::String, Type::Bool),
            (Type::Binary, Type::Bool),
            (Type::record(), Type::Bool),
            (Type::list(Type::Any), Type::list(Type::Bool)),
            // So that it is this command that says what is missing.
            (Type::Nothing, Type::Error),
        ])
    }

    fn description(&self) -> &'static str {
        "Verify the signature of a message, or of every message of a list or table."
    }

    fn extra_description(&self) -> &'static str {
        "The answer is true or false. A signature of a wrong length is false. What keeps the question from being \
         answered, such as a broken key, is an error and never false.\n\n\
         A list of messages takes a list of as many signatures. A table with the columns `message` and `signature` \
         takes none. Both are verified on all cores, in order.\n\n\
         A private key does as well: its public half is used. Streams are read as `pqsig sign` reads them."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["signature", "check", "post-quantum", "ML-DSA", "SLH-DSA", "Ed25519", "certificate"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Verify a file with a key file and a signature file",
                example: "open --raw Cargo.lock | pqsig verify key.pem.pub Cargo.lock.sig",
                result: None,
            },
            Example {
                description: "Another message is not the one that was signed",
                example: "let key = pqsig keygen ML-DSA-65; let signature = 'hello' | pqsig sign $key; \
                          'hallo' | pqsig verify $key $signature",
                result: Some(Value::test_bool(false)),
            },
            Example {
                description: "Verify a table of signed messages",
                example: "let key = pqsig keygen ML-DSA-44; let a = 'a' | pqsig sign $key; \
                          [[message signature]; [a $a] [b $a]] | pqsig verify $key",
                result: Some(Value::test_list(vec![Value::test_bool(true), Value::test_bool(false)])),
            },
        ]
    }

    fn run(&self, call: &Call, input: PipelineData) -> Result<PipelineData, LabeledError> {
        let job = Job::from_call(call)?;
        let head = call.head();
        let given = call.positional(1);
        let result = match (Input::from_pipeline(call, input, "verify")?, given) {
            (Input::Message(item), Some(value)) => {
                Value::bool(job.verify_item(&item, &one_signature(call, value)?)?, head)
            }
            (Input::Stream(stream), Some(value)) => {
                Value::bool(job.verify_stream(call, stream, &one_signature(call, value)?)?, head)
            }
            (Input::Record(record, span), None) => {
                let (item, signature) = signed(call, record, span)?;
                Value::bool(job.verify_item(&item, &signature)?, head)
            }
            (Input::List(values, span), _) => {
                let pairs = match given {
                    Some(signatures) => pairs(call, values, signatures, span)?,
                    None => values.into_iter().map(|row| signed_row(call, row)).collect::<Result<_, _>>()?,
                };
                let verify = |(item, signature): (Item, Vec<u8>)| job.verify_item(&item, &signature);
                let verdicts = parallel::map(call, threads(call)?, "Verifying", pairs, verify)?;
                Value::list(verdicts.into_iter().map(|verdict| Value::bool(verdict, head)).collect(), head)
            }
            (Input::Message(_) | Input::Stream(_), None) => return Err(no_signature(head)),
            (Input::Record(..), Some(value)) => return Err(two_signatures(value.span())),
        };
        Ok(PipelineData::value(result, None))
    }
}

/// A key that is loaded, and how to verify with it.
struct Job<'a> {
    key: Spanned<PublicKey>,
    backend: Backend,
    backend_span: Span,
    verifier: VerifyingKey,
    options: MessageOptions<'a>,
}

impl<'a> Job<'a> {
    fn from_call(call: &'a Call) -> Result<Self, LabeledError> {
        let options = MessageOptions::from_call(call)?;
        let choice = backend::Choice::from_call(call)?;
        threads(call)?;
        let key = key::public(call, 0)?;

        let algorithm = key.item.algorithm();
        let backend = choice.backend(algorithm, &options.features(algorithm))?;
        let backend_span = choice.span();
        let verifier =
            backend.verifying_key(&key.item).blame(|error| options.blame(error, key.span, backend_span))?;
        Ok(Job { key, backend, backend_span, verifier, options })
    }

    fn verify_item(&self, item: &Item, signature: &[u8]) -> Result<bool, LabeledError> {
        self.verify(&self.options.prepare(item)?, signature)
    }

    fn verify_stream(&self, call: &Call, stream: ByteStream, signature: &[u8]) -> Result<bool, LabeledError> {
        let prepared = self.options.prepare_stream(call, stream, &self.key.item, &self.backend)?;
        self.verify(&prepared, signature)
    }

    fn verify(&self, prepared: &Prepared<'_>, signature: &[u8]) -> Result<bool, LabeledError> {
        self.verifier
            .verify(&self.options.message(prepared), signature)
            .map(pqsig::Verdict::is_accepted)
            .blame(|error| self.options.blame(error, self.key.span, self.backend_span))
    }
}

fn one_signature<'a>(call: &Call, value: &'a Value) -> Result<Cow<'a, [u8]>, LabeledError> {
    if let Value::List { .. } = value {
        return Err(errors::misuse(
            "signature_count",
            "a list of signatures needs a list of messages",
            "a list",
            value.span(),
        )
        .with_help("pipe in a list of as many messages, or give one signature"));
    }
    signature::parse(call, value)
}

/// Messages with the signatures of the argument.
fn pairs(
    call: &Call,
    messages: Vec<Value>,
    signatures: &Value,
    span: Span,
) -> Result<Vec<(Item, Vec<u8>)>, LabeledError> {
    let Value::List { vals, .. } = signatures else {
        return Err(wrong_type(signatures, "SIGNATURE for a list of messages", "a list of signatures"));
    };
    if vals.len() != messages.len() {
        return Err(errors::misuse(
            "signature_count",
            format!("there are {} messages and {} signatures", messages.len(), vals.len()),
            format!("{} signatures", vals.len()),
            signatures.span(),
        )
        .with_label(format!("{} messages", messages.len()), span)
        .with_help("give one signature per message"));
    }
    messages
        .into_iter()
        .zip(vals)
        .map(|(message, value)| Ok((item(message)?, signature::parse(call, value)?.into_owned())))
        .collect()
}

fn signed_row(call: &Call, row: Value) -> Result<(Item, Vec<u8>), LabeledError> {
    let span = row.span();
    match row {
        Value::Record { val, .. } => signed(call, val.into_owned(), span),
        Value::String { .. } | Value::Binary { .. } => Err(no_signature(span)),
        other => Err(wrong_type(&other, "a row", "a record with the columns message and signature")),
    }
}

/// A row of a table of signed messages.
fn signed(call: &Call, mut row: Record, span: Span) -> Result<(Item, Vec<u8>), LabeledError> {
    let mut column = |name| {
        row.remove(name).ok_or_else(|| {
            errors::misuse("missing_column", format!("the column `{name}` is missing"), "not in here", span)
                .with_help(format!("without SIGNATURE, a table needs the columns {MESSAGE} and {SIGNATURE}"))
        })
    };
    let (message, signature) = (column(MESSAGE)?, column(SIGNATURE)?);
    Ok((item(message)?, signature::parse(call, &signature)?.into_owned()))
}

fn no_signature(span: Span) -> LabeledError {
    errors::misuse("no_signature", "there is no signature to verify", "needs a signature", span)
        .with_help("give SIGNATURE after KEY, or pipe in a table with the columns message and signature")
}

fn two_signatures(span: Span) -> LabeledError {
    errors::misuse("conflict", "the record that comes in has its own signature", "one too many", span)
        .with_help("leave SIGNATURE out, or pipe in the message alone")
}
