//! Whom `pqsig interop` asks, what and how much, from its arguments.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nu_protocol::{LabeledError, Span, Value};
use pqsig::{Algorithm, backend};
use pqsig_interop::adapter::Launch;
use pqsig_interop::gather::{self, Error, Gathered, Shipped, Wanted};
use pqsig_interop::known::Known;
use pqsig_interop::record::Depth;
use pqsig_interop::run::Options;

use crate::arguments::{conflict, text, threads, wrong_type};
use crate::call::Call;
use crate::errors::{self, At as _};

/// What a run is made from.
pub(super) struct Plan {
    pub(super) options: Options,
    /// The names of adapters that were brought and could not be started.
    pub(super) missing: Vec<String>,
    /// What is known of those who are asked.
    pub(super) known: Known,
}

pub(super) fn from_call(call: &Call) -> Result<Plan, LabeledError> {
    let depth = match (call.switch("quick")?, call.switch("full")?) {
        (Some(_), Some(full)) => {
            return Err(conflict("--full contradicts --quick", full, "give one of them"));
        }
        (_, Some(_)) => Depth::Full,
        _ => Depth::Quick,
    };
    let named = algorithms(call)?;
    let (threads, reproducers) = (threads(call)?, path(call, "reproducers")?);
    let vectors = call.switch("no-vectors")?.is_none();
    let gathered = gathered(call)?;
    let algorithms = known(named, &gathered, call)?;
    let Gathered { peers, skipped, missing, known } = gathered;
    let options =
        Options { algorithms, depth, peers, skipped, vectors, whole_acvp: None, threads, reproducers };
    Ok(Plan { options, missing, known })
}

/// The algorithms that were named, each once, in the order of the algorithms' table.
fn algorithms(call: &Call) -> Result<Vec<Algorithm>, LabeledError> {
    let mut algorithms = Vec::new();
    for value in call.rest(0) {
        let word = text(value, "the algorithm")?;
        algorithms.extend(Algorithm::select(word.item).at(word.span)?);
    }
    algorithms.sort_unstable();
    algorithms.dedup();
    Ok(algorithms)
}

/// The algorithms to run: those that were named, each of which somebody must know; else all that somebody knows.
fn known(named: Vec<Algorithm>, gathered: &Gathered, call: &Call) -> Result<Vec<Algorithm>, LabeledError> {
    let is_known =
        |algorithm: &Algorithm| gathered.peers.iter().any(|peer| peer.ability(*algorithm).is_some());
    let algorithms = if named.is_empty() { Algorithm::all().filter(is_known).collect() } else { named };
    match algorithms.iter().find(|algorithm| !is_known(algorithm)) {
        None => Ok(algorithms),
        Some(unknown) => {
            let span = call.rest(0).first().map_or(call.head(), Value::span);
            let asked: Vec<&str> = gathered.peers.iter().map(|peer| peer.name()).collect();
            let message = format!("Nobody of those asked knows {unknown}: {}", asked.join(", "));
            Err(errors::misuse("unsupported", message, "nobody knows it", span)
                .with_help("name other algorithms, or other peers with --backend and --adapter"))
        }
    }
}

fn gathered(call: &Call) -> Result<Gathered, LabeledError> {
    let mut wanted = Wanted { timeout: timeout(call)?, known: path(call, "known")?, ..Wanted::default() };
    for value in one_or_many(call.flag("backend")) {
        let name = text(value, "--backend")?;
        wanted.backends.push(backend::by_name(name.item).at(name.span)?);
    }
    for value in one_or_many(call.flag("adapter")) {
        wanted.adapters.push(adapter(call, value)?);
    }
    if let Some(word) = call.text_flag("adapters")? {
        wanted.shipped = match Shipped::from_word(word.item) {
            Shipped::In(_) => Shipped::In(call.resolve(word.item)?),
            other => other,
        };
    }
    gather::gather(&wanted).map_err(|error| refused(&error, call))
}

fn refused(error: &Error, call: &Call) -> LabeledError {
    let span = |flag: &str| call.flag(flag).map_or(call.head(), Value::span);
    let text = error.to_string();
    match error {
        Error::DuplicateName { .. } => {
            errors::misuse("duplicate_name", text, "one of these", span("adapter"))
                .with_help("give each adapter a name of its own")
        }
        Error::Adapters { .. } => errors::misuse("adapters", text, "not found", span("adapters"))
            .with_help("--adapters FOLDER or the variable PQSIG_ADAPTERS names the folder"),
        Error::Known(_) => errors::misuse("file", text, "this list", span("known")),
        _ => errors::misuse("interop", text, "failed here", call.head()),
    }
}

/// `NAME=COMMAND`, whose relative paths are meant against the shell's folder, not the plugin's.
fn adapter(call: &Call, value: &Value) -> Result<Launch, LabeledError> {
    let given = text(value, "--adapter")?;
    let mut launch = gather::parse_adapter(given.item).map_err(|reason| {
        errors::misuse("adapter", reason, "not an adapter", given.span)
            .with_help("such as --adapter 'mine=python3 my_adapter.py'")
    })?;
    let folder = PathBuf::from(call.engine().get_current_dir()?);
    launch.program = resolved(&folder, &launch.program).unwrap_or(launch.program);
    for argument in &mut launch.arguments {
        if let Some(path) = resolved(&folder, Path::new(argument)) {
            *argument = OsString::from(path);
        }
    }
    Ok(launch)
}

/// The file that a word names in a folder, if there is one.
fn resolved(folder: &Path, word: &Path) -> Option<PathBuf> {
    // A bare word is looked for on the PATH; one that names a file here, such as a script, is that file.
    Some(folder.join(word)).filter(|path| word.is_relative() && path.is_file())
}

fn path(call: &Call, flag: &str) -> Result<Option<PathBuf>, LabeledError> {
    call.text_flag(flag)?.map(|path| call.resolve(path.item)).transpose()
}

fn timeout(call: &Call) -> Result<Option<Duration>, LabeledError> {
    let Some(value) = call.flag("timeout") else { return Ok(None) };
    let Value::Duration { val, .. } = value else {
        return Err(wrong_type(value, "--timeout", "a duration, such as 30sec"));
    };
    match u64::try_from(*val) {
        Ok(ns @ 1..) => Ok(Some(Duration::from_nanos(ns))),
        _ => Err(not_positive(value.span())),
    }
}

fn not_positive(span: Span) -> LabeledError {
    errors::misuse("out_of_range", "--timeout must be longer than nothing", "out of range", span)
        .with_help("give each reply some time, such as 30sec")
}

fn one_or_many(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    let (many, one) = match value {
        Some(Value::List { vals, .. }) => (Some(vals), None),
        other => (None, other),
    };
    many.into_iter().flatten().chain(one)
}
