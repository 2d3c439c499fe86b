//! `pqsig backends`

use nu_protocol::{Example, LabeledError, PipelineData, Record, Signature, Span, Type, Value, record};
use pqsig::{Algorithm, Backend, Capabilities, Family, HashAlgorithm, backend};

use super::strings;
use crate::arguments::text;
use crate::call::Call;
use crate::command::Command;
use crate::errors::At as _;

/// Lists the backends.
#[derive(Clone, Copy)]
pub(crate) struct Backends;

impl Command for Backends {
    fn name(&self) -> &'static str {
        "pqsig backends"
    }

    fn signature(&self) -> Signature {
        super::signature(self)
            .rest(
                "backend",
                nu_protocol::SyntaxShape::String,
                "Only these, which may be OpenSSL providers: openssl:NAME, openssl:NAME@FOLDER",
            )
            .input_output_types(vec![(Type::Nothing, Type::table())])
    }

    fn description(&self) -> &'static str {
        "List the backends, the implementations that can do the work, and what each of them supports."
    }

    fn extra_description(&self) -> &'static str {
        "`supports` says per family what the backend does natively. What it does not, it refuses, and names the \
         backends that do. `lineage` is the code family that an implementation descends from: two of one lineage can \
         share a fault, and agree with each other all the same."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["implementation", "provider", "openssl", "rustcrypto", "version"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "What can the backends do with ML-DSA?",
                example: "pqsig backends | where algorithms has ML-DSA-65 | select name supports.ML-DSA",
                result: None,
            },
            Example {
                description: "The names",
                example: "(pqsig backends).name",
                result: Some(strings(backend::NAMES, Span::test_data())),
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let named = call
            .rest(0)
            .iter()
            .map(|value| {
                let name = text(value, "a backend")?;
                backend::by_name(name.item).at(name.span)
            })
            .collect::<Result<Vec<_>, _>>()?;
        let backends = if named.is_empty() { backend::all() } else { &named };
        let rows = backends.iter().map(|backend| Value::record(row(backend, span), span)).collect();
        Ok(PipelineData::value(Value::list(rows, span), None))
    }
}

fn row(backend: &Backend, span: Span) -> Record {
    let algorithms: Vec<_> =
        Algorithm::all().filter(|algorithm| backend.capabilities(*algorithm).is_some()).collect();
    let supports = groups(backend, &algorithms)
        .into_iter()
        .map(|group| (group.name(), Value::string(group.abilities(), span)))
        .collect();
    record! {
        "name" => Value::string(backend.name(), span),
        "language" => Value::string(backend.language(), span),
        "supports" => Value::record(supports, span),
        "version" => words(&algorithms, |algorithm| backend.version(algorithm), span),
        "lineage" => words(&algorithms, |algorithm| backend.lineage(algorithm).to_owned(), span),
        "algorithms" => strings(algorithms.iter().map(|algorithm| algorithm.name()), span),
    }
}

/// The different words for the algorithms, each of them once: a backend of several crates has several versions.
fn words(algorithms: &[Algorithm], word: impl Fn(Algorithm) -> String, span: Span) -> Value {
    let mut different: Vec<String> = Vec::new();
    for algorithm in algorithms {
        let word = word(*algorithm);
        if !different.contains(&word) {
            different.push(word);
        }
    }
    Value::string(different.join(", "), span)
}

/// Algorithms of one family with which a backend can do the same.
struct Group {
    family: Family,
    algorithms: Vec<Algorithm>,
    capabilities: Capabilities,
}

fn groups(backend: &Backend, algorithms: &[Algorithm]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for algorithm in algorithms {
        let Some(capabilities) = backend.capabilities(*algorithm) else { continue };
        let family = algorithm.family();
        match groups.iter_mut().find(|group| group.family == family && group.capabilities == capabilities) {
            Some(group) => group.algorithms.push(*algorithm),
            None => groups.push(Group { family, algorithms: vec![*algorithm], capabilities }),
        }
    }
    groups
}

impl Group {
    /// The family's name if all of it is here, else the names of those that are.
    fn name(&self) -> String {
        let whole = Algorithm::all().filter(|algorithm| algorithm.family() == self.family).count();
        if self.algorithms.len() == whole {
            return self.family.name().to_owned();
        }
        self.algorithms.iter().map(|algorithm| algorithm.name()).collect::<Vec<_>>().join(", ")
    }

    /// What the backend can do, in words that a line of a table can hold.
    fn abilities(&self) -> String {
        let capabilities = self.capabilities;
        let pre_hash = match capabilities.pre_hash {
            [] => None,
            all if all.len() == HashAlgorithm::ALL.len() => Some("pre-hash".to_owned()),
            some => {
                let names: Vec<_> = some.iter().map(|hash| hash.name()).collect();
                Some(format!("pre-hash with {}", names.join(", ")))
            }
        };
        let word = |able: bool, word: &str| able.then(|| word.to_owned());
        let context = match self.family {
            Family::Ed25519 => "context with pre-hash",
            _ => "context",
        };
        [
            word(capabilities.context, context),
            word(capabilities.hedged, "hedged"),
            word(capabilities.deterministic, "deterministic"),
            word(capabilities.external_mu, "external mu"),
            pre_hash,
            word(capabilities.seed_keygen, "seed keygen"),
            word(capabilities.expanded_import, "expanded import"),
        ]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
    }
}
