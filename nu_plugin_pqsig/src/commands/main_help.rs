//! `pqsig`

use nu_protocol::{Example, LabeledError, PipelineData, Signature, Type, Value};

use crate::call::Call;
use crate::command::Command;

/// Shows the help.
#[derive(Clone, Copy)]
pub(crate) struct MainHelp;

impl Command for MainHelp {
    fn name(&self) -> &'static str {
        "pqsig"
    }

    fn signature(&self) -> Signature {
        super::signature(self).input_output_types(vec![(Type::Nothing, Type::String)])
    }

    fn description(&self) -> &'static str {
        "Sign, verify and time post-quantum signatures: ML-DSA, SLH-DSA, and Ed25519 to compare with."
    }

    fn extra_description(&self) -> &'static str {
        "Without a subcommand, this shows the help. `pqsig speed ML-DSA-65` is a good start.\n\n\
         $env.config.plugins.pqsig.backend sets the backend that all commands use when none is given."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["post-quantum", "signature", "ML-DSA", "SLH-DSA", "Dilithium", "SPHINCS+", "Ed25519"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![Example {
            description: "Make a key, sign with it, verify",
            example: "let key = pqsig keygen ML-DSA-65; \
                      let signature = 'hello' | pqsig sign $key; \
                      'hello' | pqsig verify $key $signature",
            result: Some(Value::test_bool(true)),
        }]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let help = call.engine().get_help()?;
        Ok(PipelineData::value(Value::string(help, call.head()), None))
    }
}
