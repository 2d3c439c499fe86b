//! `pqsig algorithms`

use nu_protocol::{Example, LabeledError, PipelineData, Record, Signature, Span, Type, Value, record};
use pqsig::Algorithm;
use pqsig::backend::ranking;

use super::{bytes, strings};
use crate::call::Call;
use crate::command::Command;

/// Lists the algorithms.
#[derive(Clone, Copy)]
pub(crate) struct Algorithms;

impl Command for Algorithms {
    fn name(&self) -> &'static str {
        "pqsig algorithms"
    }

    fn signature(&self) -> Signature {
        super::signature(self).input_output_types(vec![(Type::Nothing, Type::table())])
    }

    fn description(&self) -> &'static str {
        "List the algorithms, their sizes, and the backends that have them."
    }

    fn extra_description(&self) -> &'static str {
        "The sizes are those of the standards' encodings: `private_key` is the expanded key of ML-DSA. `category` is \
         NIST's security category; Ed25519 has none. The fastest backend at signing stands first.\n\n\
         Commands take an algorithm by its name in any case, with or without dashes, or by its OID."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["parameter set", "size", "oid", "security category"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "The size of an ML-DSA-65 signature",
                example: "(pqsig algorithms).1.signature",
                result: Some(Value::test_filesize(3309)),
            },
            Example {
                description: "The algorithms of NIST's highest category, smallest signature first",
                example: "pqsig algorithms | where category == 5 | sort-by signature | select name signature",
                result: None,
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let rows = Algorithm::all().map(|algorithm| Value::record(row(algorithm, span), span)).collect();
        Ok(PipelineData::value(Value::list(rows, span), None))
    }
}

fn row(algorithm: Algorithm, span: Span) -> Record {
    let parameters = algorithm.parameters();
    // The order in which a narrow terminal should show them.
    record! {
        "name" => Value::string(parameters.name, span),
        "category" => parameters.category.map_or(Value::nothing(span), |n| Value::int(n.into(), span)),
        "public_key" => bytes(parameters.public_key, span),
        "private_key" => bytes(parameters.private_key, span),
        "signature" => bytes(parameters.signature, span),
        "backends" => strings(ranking::ranked(algorithm).map(|backend| backend.name()), span),
        "oid" => Value::string(parameters.oid, span),
        "standard" => Value::string(parameters.family.standard(), span),
        "family" => Value::string(parameters.family.name(), span),
    }
}
