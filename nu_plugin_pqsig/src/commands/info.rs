//! `pqsig info`

use nu_protocol::{Example, LabeledError, PipelineData, Record, Signature, Span, Type, Value, record};
use sysinfo::{CpuRefreshKind, RefreshKind, System};

use super::strings;
use crate::call::Call;
use crate::command::Command;

include!(concat!(env!("OUT_DIR"), "/crates.rs"));

/// Says what this build of the plugin is, and where it runs.
#[derive(Clone, Copy)]
pub(crate) struct Info;

impl Command for Info {
    fn name(&self) -> &'static str {
        "pqsig info"
    }

    fn signature(&self) -> Signature {
        super::signature(self).input_output_types(vec![(Type::Nothing, Type::record())])
    }

    fn description(&self) -> &'static str {
        "Show the versions of the plugin and of what is built into it, and the machine it runs on."
    }

    fn extra_description(&self) -> &'static str {
        "`nu` is the version of Nushell that the plugin is built for: Nushell refuses plugins of another minor version. \
         `openssl` is what the linked OpenSSL says of itself. Put this beside any figure or report."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["version", "openssl", "cpu", "build", "compatibility"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "The plugin's version",
                example: "(pqsig info).version",
                result: Some(Value::test_string(env!("CARGO_PKG_VERSION"))),
            },
            Example {
                description: "What the linked OpenSSL says of itself",
                example: "pqsig info | get openssl",
                result: None,
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let text = |word: &str| Value::string(word, span);
        let info = record! {
            "version" => text(env!("CARGO_PKG_VERSION")),
            "nu" => text(nu_version()),
            "openssl" => Value::record(openssl(span), span),
            "crates" => Value::record(
                CRATES.iter().map(|(name, version)| ((*name).to_owned(), text(version))).collect(),
                span,
            ),
            "cpu" => Value::record(cpu(span), span),
            "build" => Value::record(build(span), span),
        };
        Ok(PipelineData::value(Value::record(info, span), None))
    }
}

/// The version of Nushell's plugin protocol crate, which is Nushell's own.
fn nu_version() -> &'static str {
    CRATES.iter().find(|(name, _)| *name == "nu-protocol").map_or("unknown", |(_, version)| version)
}

fn build(span: Span) -> Record {
    record! {
        "profile" => Value::string(env!("PQSIG_BUILD_PROFILE"), span),
        "opt_level" => Value::string(env!("PQSIG_BUILD_OPT_LEVEL"), span),
        "debug_assertions" => Value::bool(cfg!(debug_assertions), span),
        "target" => Value::string(env!("PQSIG_BUILD_TARGET"), span),
    }
}

/// What the linked OpenSSL says of itself.
fn openssl(span: Span) -> Record {
    let linked = pqsig::backend::openssl::linked();
    let text = |word: &str| Value::string(word, span);
    let providers = linked.providers.iter().map(|provider| {
        let columns = record! {
            "name" => text(provider.name),
            "available" => Value::bool(provider.available, span),
            "version" => provider.version.as_deref().map_or(Value::nothing(span), text),
            "status" => text(&provider.status),
        };
        Value::record(columns, span)
    });
    record! {
        "version" => text(&linked.version),
        "built_on" => text(&linked.built_on),
        "platform" => text(&linked.platform),
        "compiler_flags" => text(&linked.compiler_flags),
        "folder" => text(&linked.folder),
        "modules_folder" => text(&linked.modules_folder),
        "cpu_settings" => text(&linked.cpu_settings),
        "providers" => Value::list(providers.collect(), span),
    }
}

fn cpu(span: Span) -> Record {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let brand = system.cpus().first().map_or("unknown", |cpu| cpu.brand());
    record! {
        "brand" => Value::string(brand.trim(), span),
        "cores" => Value::int(system.cpus().len().try_into().unwrap_or(i64::MAX), span),
        "features" => strings(cpu_features(), span),
    }
}

/// The instruction sets that matter to the algorithms, of those that this CPU has.
fn cpu_features() -> Vec<&'static str> {
    macro_rules! detected {
        ($detect:ident: $($feature:tt)*) => {
            [$(($feature, std::arch::$detect!($feature))),*]
        };
    }
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let features = detected!(is_x86_feature_detected:
        "sse2" "ssse3" "sse4.1" "aes" "pclmulqdq" "avx" "avx2" "bmi1" "bmi2" "adx" "sha"
        "avx512f" "avx512bw" "avx512vl" "avx512ifma" "avx512vbmi" "vaes" "vpclmulqdq" "gfni"
    );
    #[cfg(target_arch = "aarch64")]
    let features = detected!(is_aarch64_feature_detected: "neon" "aes" "pmull" "sha2" "sha3" "sve" "sve2");
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
    let features: [(&str, bool); 0] = [];
    features.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
}
