//! What the program takes.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use pqsig::{Algorithm, Backend, backend};

use super::Misuse;
use crate::adapter::Launch;
use crate::gather::{self, Shipped, Wanted};
use crate::record::Depth;

/// Cross-checks implementations of ML-DSA, SLH-DSA and Ed25519: every signer against every verifier, in both directions and on
/// hostile input.
///
/// Without a subcommand, it asks every backend of this program, and the adapters that are named, and prints what came of
/// it.
#[derive(Debug, Parser)]
#[command(
    name = "pqsig-interop",
    version,
    args_conflicts_with_subcommands = true,
    after_help = "Exit status: 0 agreement, 1 disagreement, 2 misuse.\n\n\
                  Colour is left out where NO_COLOR is set, and where stdout is no terminal."
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    #[command(flatten)]
    pub(super) run: RunArguments,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Ask again what a reproducer holds
    Replay(ReplayArguments),
    /// Show what changed between two saved runs; exit status 1 if more than the builds did
    Diff(DiffArguments),
    /// Answer, judge and make prompts in NIST's ACVP language
    #[command(subcommand)]
    Acvp(AcvpCommand),
    /// List the adapters that come with pqsig: ready, or why not
    Adapters(AdaptersArguments),
    /// List the backends of this program
    Backends,
    /// Seed faults into a sound implementation, one at a time, and see whether the suite catches each
    SelfTest,
}

#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// Algorithms, families (ML-DSA, SLH-DSA, SLH-DSA-SHA2...) or all [default: all that any peer knows]
    #[arg(value_name = "ALGORITHM")]
    pub(super) algorithms: Vec<String>,

    /// Every algorithm, peer and kind of case, with few messages [default]
    #[arg(long, conflicts_with = "full")]
    pub(super) quick: bool,

    /// Every message kind, every signer's signatures through every hostile case
    #[arg(long)]
    pub(super) full: bool,

    #[command(flatten)]
    pub(super) peers: PeerArguments,

    /// Leave the published test vectors out
    #[arg(long)]
    pub(super) no_vectors: bool,

    /// A folder with NIST's whole ACVP set, to run instead of the part that this program carries
    #[arg(long, value_name = "FOLDER", conflicts_with = "no_vectors")]
    pub(super) acvp: Option<PathBuf>,

    /// Save the run as JSON, for `diff` and for other programs
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// Write a CSV file: a row per case and peer
    #[arg(long, value_name = "FILE")]
    pub(super) csv: Option<PathBuf>,

    /// Write a JUnit XML file: a test per case
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,

    /// What is printed
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(super) format: Format,

    /// Where findings are kept, each in a file that `replay` asks again; made when there is one
    #[arg(long, value_name = "FOLDER", default_value = "pqsig-interop-findings")]
    pub(super) reproducers: PathBuf,

    /// Threads for the backends of this program [default: one per core]
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZero<usize>>,
}

/// Who is asked.
#[derive(Debug, Args)]
pub(super) struct PeerArguments {
    /// Ask this backend of this program, and the others that are named; openssl:NAME pins an OpenSSL provider [default: all]
    #[arg(long = "backend", value_name = "NAME")]
    backends: Vec<String>,

    /// Ask this program too, which speaks the adapter protocol (interop/adapters/README.md)
    #[arg(long = "adapter", value_name = "NAME=COMMAND")]
    adapters: Vec<String>,

    /// Ask the adapters that come with pqsig too: shipped, those in a folder, or none
    #[arg(long = "adapters", value_name = "shipped|FOLDER|none", default_value = "none")]
    shipped: String,

    /// A list of known deviations, which are reported and no disagreement [default: known.json among the adapters]
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,

    /// How long any reply of an adapter may take [default: 30 for hello, 60 to verify, 300 for what takes a private key]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: Option<u64>,
}

impl PeerArguments {
    /// Who is meant.
    pub(super) fn wanted(&self) -> Result<Wanted, Misuse> {
        Ok(Wanted {
            backends: self.backends.iter().map(|name| backend(name)).collect::<Result<_, _>>()?,
            adapters: self.adapters.iter().map(|given| adapter(given)).collect::<Result<_, _>>()?,
            shipped: Shipped::from_word(&self.shipped),
            known: self.known.clone(),
            timeout: self.timeout.map(Duration::from_secs),
        })
    }
}

fn backend(name: &str) -> Result<Backend, Misuse> {
    Ok(backend::by_name(name)?)
}

fn adapter(given: &str) -> Result<Launch, Misuse> {
    gather::parse_adapter(given).map_err(|reason| {
        Misuse::new(format!("--adapter: {reason}"))
            .with_hint("such as --adapter mine=\"python3 my_adapter.py\"")
    })
}

impl RunArguments {
    pub(super) fn depth(&self) -> Depth {
        if self.full { Depth::Full } else { Depth::Quick }
    }

    /// The algorithms that were named, each once, in the order of the algorithms' table; none if none was.
    pub(super) fn algorithms(&self) -> Result<Vec<Algorithm>, Misuse> {
        let mut algorithms = Vec::new();
        for word in &self.algorithms {
            algorithms.extend(Algorithm::select(word).map_err(|error| match &error {
                // The core names a command of the plugin, which is not at hand here.
                pqsig::Error::UnknownAlgorithm { near, .. } if near.is_empty() => {
                    let names = Algorithm::all().map(Algorithm::name).collect::<Vec<_>>().join(", ");
                    Misuse::new(error.to_string()).with_hint(format!("the algorithms are {names}"))
                }
                _ => Misuse::from(error),
            })?);
        }
        algorithms.sort_unstable();
        algorithms.dedup();
        Ok(algorithms)
    }
}

/// What a run can be printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// A table for people
    Table,
    /// The saved run
    Json,
    /// A row per case and peer
    Csv,
    /// A test per case
    Junit,
}

/// What other things can be printed as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ShortFormat {
    /// A table for people
    Table,
    /// For other programs
    Json,
}

#[derive(Debug, Args)]
pub(super) struct ReplayArguments {
    /// The reproducer
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    #[command(flatten)]
    pub(super) peers: PeerArguments,

    /// What is printed
    #[arg(long, value_enum, default_value_t = ShortFormat::Table)]
    pub(super) format: ShortFormat,
}

#[derive(Debug, Args)]
pub(super) struct DiffArguments {
    /// A run that --out saved
    #[arg(value_name = "OLD")]
    pub(super) old: PathBuf,

    /// A later run
    #[arg(value_name = "NEW")]
    pub(super) new: PathBuf,

    /// What is printed
    #[arg(long, value_enum, default_value_t = ShortFormat::Table)]
    pub(super) format: ShortFormat,
}

#[derive(Debug, Args)]
pub(super) struct AdaptersArguments {
    /// The folder to look in [default: PQSIG_ADAPTERS, or else interop/adapters of the source tree]
    #[arg(value_name = "FOLDER")]
    pub(super) folder: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum AcvpCommand {
    /// Answer a prompt file with one backend or adapter
    Answer(AnswerArguments),
    /// Judge somebody's response to a prompt
    Check(CheckArguments),
    /// Make fresh prompts from a secret, whose answers exist nowhere until they are computed
    Ask(AskArguments),
}

#[derive(Debug, Args)]
pub(super) struct AnswerArguments {
    /// The prompt: keyGen, sigGen or sigVer of ML-DSA or SLH-DSA
    #[arg(value_name = "PROMPT")]
    pub(super) prompt: PathBuf,

    /// The backend that answers
    #[arg(long, value_name = "NAME", required_unless_present = "adapter", conflicts_with = "adapter")]
    backend: Option<String>,

    /// The program that answers, which speaks the adapter protocol
    #[arg(long, value_name = "NAME=COMMAND")]
    adapter: Option<String>,

    /// The response file [default: beside the prompt, with `response` for `prompt` in its name]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
}

impl AnswerArguments {
    /// Who answers.
    pub(super) fn wanted(&self) -> Result<Wanted, Misuse> {
        let backends = self.backend.iter().map(|name| backend(name)).collect::<Result<Vec<_>, _>>()?;
        let adapters = self.adapter.iter().map(|given| adapter(given)).collect::<Result<Vec<_>, _>>()?;
        Ok(Wanted { backends, adapters, ..Wanted::default() })
    }
}

#[derive(Debug, Args)]
pub(super) struct CheckArguments {
    /// What was asked
    #[arg(value_name = "PROMPT")]
    pub(super) prompt: PathBuf,

    /// What was answered
    #[arg(value_name = "RESPONSE")]
    pub(super) response: PathBuf,

    /// The right answers, if they are known; else the peers compute them
    #[arg(long, value_name = "FILE")]
    pub(super) expected: Option<PathBuf>,

    #[command(flatten)]
    pub(super) peers: PeerArguments,
}

#[derive(Debug, Args)]
pub(super) struct AskArguments {
    /// The algorithm: one of ML-DSA or SLH-DSA
    #[arg(value_name = "ALGORITHM")]
    pub(super) algorithm: String,

    /// The secret: a private key in PEM, or any file of at least 32 bytes. The same secret gives the same prompts
    #[arg(long, value_name = "FILE")]
    pub(super) key: PathBuf,

    /// How many cases each group has
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) count: usize,

    /// The folder for the prompts
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    pub(super) out: PathBuf,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn words_are_algorithms_and_subcommands() {
        let parsed = |words: &[&str]| {
            Arguments::try_parse_from([&["pqsig-interop"], words].concat()).map_err(|error| error.to_string())
        };
        let run = parsed(&["Ed25519", "ml-dsa", "ML-DSA-44", "--full"]).unwrap().run;
        let names: Vec<_> = run.algorithms().unwrap().into_iter().map(Algorithm::name).collect();
        assert_eq!(names, ["ML-DSA-44", "ML-DSA-65", "ML-DSA-87", "Ed25519"]);
        assert_eq!(run.depth(), Depth::Full);
        assert_eq!(parsed(&[]).unwrap().run.depth(), Depth::Quick);
        assert!(matches!(parsed(&["diff", "a", "b"]).unwrap().command, Some(Command::Diff(_))));
        assert!(parsed(&["--quick", "--full"]).unwrap_err().contains("cannot be used with"));
        assert!(parsed(&["acvp", "answer", "p"]).unwrap_err().contains("--backend"));
        assert!(parsed(&["--threads", "0"]).is_err());
        assert!(parsed(&["--timeout", "0"]).is_err());
    }

    #[test]
    fn an_unknown_algorithm_has_a_hint() {
        let hint = |word: &str| {
            let run = Arguments::try_parse_from(["pqsig-interop", word]).unwrap().run;
            run.algorithms().unwrap_err().hint.unwrap()
        };
        assert!(hint("ML-DSA-56").starts_with("did you mean"));
        assert!(hint("quite-another").starts_with("the algorithms are ML-DSA-44, "));
    }
}
