//! `pqsig inspect`

use nu_protocol::{
    Example, IntoValue as _, LabeledError, PipelineData, Record, Signature, Span, Type, Value, record,
};
use pqsig::Error;
use pqsig::encoding::Encoding;
use pqsig::inspect::{Candidate, Inspection, TextEncoding, inspect};

use super::{bytes, strings};
use crate::arguments::key;
use crate::call::Call;
use crate::command::Command;
use crate::errors::{self, At as _};
use crate::input::{Input, Item};
use crate::passphrase::Passphrase;

/// Says what a key or other bytes are.
#[derive(Clone, Copy)]
pub(crate) struct Inspect;

impl Command for Inspect {
    fn name(&self) -> &'static str {
        "pqsig inspect"
    }

    fn signature(&self) -> Signature {
        super::signature(self)
            .optional(
                "key",
                key::shape(),
                "A path, PEM, DER, a record of `pqsig keygen`, or any bytes (default: what the pipeline brings)",
            )
            .param(key::passphrase_flag().desc(
                "Name of the environment variable that holds the passphrase: without it, an encrypted key is \
                 described as far as that goes",
            ))
            .input_output_types(vec![
                (Type::Nothing, Type::record()),
                (Type::String, Type::record()),
                (Type::Binary, Type::record()),
                (Type::record(), Type::record()),
            ])
    }

    fn description(&self) -> &'static str {
        "Say what a key, a certificate, a signature or some bytes are, and what was checked."
    }

    fn extra_description(&self) -> &'static str {
        "A key is read as the other commands read it: `checks` says what that has proved, `problem` what is wrong. \
         Bytes that say nothing of themselves, such as signatures and raw keys, are told by their length and by what \
         their content would have to be: `candidates` says what they can be, and what they can't, and why.\n\n\
         `size` is that of what was given, `content_size` that without the text around it. Nothing secret is shown."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["describe", "identify", "asn1parse", "pkey", "fingerprint", "certificate", "pem"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example { description: "What is in this file?", example: "pqsig inspect key.pem", result: None },
            Example {
                description: "What can 3,309 bytes be?",
                example: "let key = pqsig keygen ML-DSA-65; let signature = '' | pqsig sign $key; \
                          $signature | pqsig inspect | [$in.kind $in.algorithm]",
                result: Some(Value::test_list(vec![
                    Value::test_string("signature"),
                    Value::test_string("ML-DSA-65"),
                ])),
            },
            Example {
                description: "In which forms can this key be written?",
                example: "(pqsig inspect (pqsig keygen ML-DSA-44)).forms",
                result: Some(Value::test_list(vec![
                    Value::test_string("both"),
                    Value::test_string("seed"),
                    Value::test_string("expanded"),
                ])),
            },
        ]
    }

    fn run(&self, call: &Call, input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let inspection = match call.positional(0) {
            Some(value) => inspect_value(call, value)?,
            None => inspect_input(call, input)?,
        };
        Ok(PipelineData::value(Value::record(describe(&inspection, span), span), None))
    }
}

fn inspect_value(call: &Call, value: &Value) -> Result<Inspection, LabeledError> {
    let key = key::undecoded(call, value)?;
    inspect_bytes(call, key.bytes(), value.span())
}

/// What the pipeline brings is content, even a string: never a path.
fn inspect_input(call: &Call, input: PipelineData) -> Result<Inspection, LabeledError> {
    let item = match Input::from_pipeline(call, input, "inspect")? {
        Input::Message(item) => item,
        Input::Stream(stream) => {
            // The bytes as they are: turned into text, they would lose a line end.
            let (span, bytes) = (stream.span(), stream.into_bytes()?);
            call.check_stop()?;
            Item { bytes, span }
        }
        Input::Record(record, span) => return inspect_value(call, &Value::record(record, span)),
        Input::List(_, span) => {
            return Err(errors::misuse("argument_type", "one thing is inspected at a time", "a list", span)
                .with_help("inspect each of them: `each { pqsig inspect }`"));
        }
    };
    inspect_bytes(call, &item.bytes, item.span)
}

fn inspect_bytes(call: &Call, bytes: &[u8], span: Span) -> Result<Inspection, LabeledError> {
    let is_named = call.text_flag("passphrase-env")?.is_some();
    let passphrase = Passphrase::from_call(call, "the private key")?;
    // To ask at the terminal for a mere look would be a nuisance.
    let mut source = || if is_named { passphrase.read() } else { Err(Error::PassphraseMissing) };
    let result = inspect(bytes, &mut source);
    result.blame(|error| passphrase.blame(error, span))
}

fn describe(found: &Inspection, span: Span) -> Record {
    let text = |word: &str| Value::string(word, span);
    let optional = |word: Option<String>| word.into_value(span);
    record! {
        "kind" => text(found.kind.name()),
        "algorithm" => optional(found.algorithm.map(|algorithm| algorithm.name().to_owned())),
        "encoding" => optional(encoding(found)),
        "container" => optional(found.container.map(|container| container.name().to_owned())),
        "encryption" => optional(found.encryption.as_ref().map(ToString::to_string)),
        "form" => optional(found.form.map(|form| form.name().to_owned())),
        "forms" => strings(found.forms.iter().map(|form| form.name()), span),
        "size" => bytes(found.size, span),
        "content_size" => bytes(found.content_size, span),
        "fingerprint" => optional(found.fingerprint.map(|fingerprint| fingerprint.to_string())),
        "checks" => strings(found.checks.iter().copied(), span),
        "problem" => optional(found.problem.clone()),
        "candidates" => {
            let rows = found.candidates.iter().map(|one| Value::record(candidate(one, span), span));
            Value::list(rows.collect(), span)
        },
    }
}

/// PEM, DER, or the text that the bytes were wrapped in.
fn encoding(found: &Inspection) -> Option<String> {
    let text = found.text.map(TextEncoding::name);
    let encoding = found.encoding.map(Encoding::name);
    match (text, encoding) {
        (Some(text), Some(encoding)) => Some(format!("{encoding} in {text}")),
        (text, encoding) => text.or(encoding).map(str::to_owned),
    }
}

fn candidate(candidate: &Candidate, span: Span) -> Record {
    record! {
        "role" => Value::string(candidate.role.name(), span),
        "algorithms" => strings(candidate.algorithms.iter().map(|algorithm| algorithm.name()), span),
        "fit" => Value::string(candidate.fit.to_string(), span),
    }
}
