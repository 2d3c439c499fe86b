//! `pqsig public-key`

use nu_protocol::{Example, LabeledError, PipelineData, Signature, Type, Value};
use pqsig::encoding;

use crate::arguments::key;
use crate::call::Call;
use crate::command::Command;

/// Shows the public half of a key.
#[derive(Clone, Copy)]
pub(crate) struct PublicKey;

impl Command for PublicKey {
    fn name(&self) -> &'static str {
        "pqsig public-key"
    }

    fn signature(&self) -> Signature {
        super::signature(self)
            .required(
                "key",
                key::shape(),
                "The key: a path, PEM, DER, a certificate, or a record of `pqsig keygen`",
            )
            .param(key::passphrase_flag())
            .input_output_types(vec![(Type::Nothing, Type::String)])
    }

    fn description(&self) -> &'static str {
        "Show the public key of a private key or certificate, in PEM."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["pem", "spki", "pubout", "certificate"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Write the public key of a key file",
                example: "pqsig public-key key.pem | save key.pem.pub",
                result: None,
            },
            Example {
                description: "The public key of a private key in PEM",
                example: "pqsig public-key (pqsig keygen Ed25519 --seed \
                          9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60).private_key",
                // RFC 8032, section 7.1, test 1, in the structure of RFC 8410, section 4.
                result: Some(Value::test_string(
                    "-----BEGIN PUBLIC KEY-----\n\
                     MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n\
                     -----END PUBLIC KEY-----\n",
                )),
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let key = key::public(call, 0)?.item;
        Ok(PipelineData::value(Value::string(encoding::public_key_to_pem(&key), call.head()), None))
    }
}
