//! `pqsig interop`

mod options;
mod table;

use std::ops::ControlFlow;
use std::path::PathBuf;

use nu_protocol::{
    Example, Flag, LabeledError, PipelineData, PipelineMetadata, PositionalArg, Signature, Span, Spanned,
    SyntaxShape, Type, Value,
};
use pqsig_interop::known::Deviation;
use pqsig_interop::record::Run;
use pqsig_interop::report::{json, tally};
use pqsig_interop::run::{self, Error, Observer};

use crate::arguments::{completions, conflict, threads_flag};
use crate::call::Call;
use crate::command::Command;
use crate::errors;
use crate::files::{self, Access, NewFile};
use crate::progress::Progress;

/// Cross-checks implementations.
#[derive(Clone, Copy)]
pub(crate) struct Interop;

impl Command for Interop {
    fn name(&self) -> &'static str {
        "pqsig interop"
    }

    fn signature(&self) -> Signature {
        let one_or_list =
            |item: SyntaxShape| SyntaxShape::OneOf(vec![SyntaxShape::List(Box::new(item.clone())), item]);
        super::signature(self)
            .param(
                PositionalArg::new("algorithm", SyntaxShape::String)
                    .desc("Algorithms, families (ML-DSA, SLH-DSA, SLH-DSA-SHA2...), or all (default: all)")
                    .completion(completions::algorithms_and_families())
                    .rest(),
            )
            .param(Flag::new("quick").desc("Every kind of case, with few messages (the default)"))
            .param(
                Flag::new("full")
                    .desc("Every message kind, every signer's signatures through every hostile case"),
            )
            .param(
                Flag::new("backend")
                    .short('b')
                    .arg(one_or_list(SyntaxShape::String))
                    .desc("The backend, or a list of them (default: all)")
                    .completion(completions::backends()),
            )
            .param(
                Flag::new("adapter")
                    .short('a')
                    .arg(one_or_list(SyntaxShape::String))
                    .desc("NAME=COMMAND, or a list of them: programs that speak the adapter protocol"),
            )
            .param(
                Flag::new("adapters").arg(SyntaxShape::String).desc(
                    "The adapters that come with pqsig: shipped, those in a folder, or none (the default)",
                ),
            )
            .param(
                Flag::new("known")
                    .arg(SyntaxShape::Filepath)
                    .desc("A list of known deviations (default: known.json among the adapters)"),
            )
            .param(
                Flag::new("timeout").arg(SyntaxShape::Duration).desc(
                    "How long any reply of an adapter may take (default: 30sec to 5min, by what is asked)",
                ),
            )
            .param(Flag::new("no-vectors").desc("Leave the published test vectors out"))
            .param(Flag::new("wide").short('w').desc("A column per backend, with its counts in short"))
            .param(Flag::new("findings").desc("Return the findings: who is wrong, who said what"))
            .param(Flag::new("check").desc("Fail if there is a disagreement"))
            .param(
                Flag::new("out")
                    .short('o')
                    .arg(SyntaxShape::Filepath)
                    .desc("Save the run in this file as JSON, for pqsig-interop diff"),
            )
            .param(Flag::new("force").short('f').desc("Overwrite an existing file"))
            .param(
                Flag::new("reproducers")
                    .arg(SyntaxShape::Directory)
                    .desc("Write each finding into this folder, for pqsig-interop replay"),
            )
            .param(threads_flag().desc("Threads for the backends (default: one per core)"))
            .input_output_types(vec![(Type::Nothing, Type::table())])
    }

    fn description(&self) -> &'static str {
        "Cross-check implementations: every signer against every verifier, and on hostile input."
    }

    fn extra_description(&self) -> &'static str {
        "A row says how a backend did in one check of an algorithm. `accepted` counts what is valid and was accepted (also: \
         bytes that are the same as everybody's, and vectors that came out right), `rejected` what is invalid and was \
         rejected. `findings` counts the cases in which the backend is the outlier, by the standard where that decides, else \
         by the votes of the code families; `wrong` and `failed` (it broke) say which way. What it does not know is \
         `unsupported`, never a pass; what the standard leaves open is `open`; a deviation on the list of known ones is `known`, and no finding.\n\n\
         A disagreement is a row, not an error, unless --check is given. With --wide, + is valid and accepted, - invalid and \
         rejected, = the same bytes, ✓ vectors passed, ~ open, · unsupported or not run, ! broke, * a known deviation, ? disputed, ✗ wrong."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec![
            "interoperability",
            "cross-check",
            "conformance",
            "ACVP",
            "Wycheproof",
            "differential",
            "test vectors",
        ]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Do all backends agree on ML-DSA-65?",
                example: "pqsig interop ML-DSA-65 --quick",
                result: None,
            },
            Example {
                description: "The same with a column per backend",
                example: "pqsig interop ML-DSA-65 --wide",
                result: None,
            },
            Example {
                description: "How many invalid signatures has each backend rejected?",
                example: "pqsig interop Ed25519 --no-vectors | where check == hostile | select backend rejected",
                result: None,
            },
            Example {
                description: "Fail in a script unless they agree, and keep the evidence",
                example: "pqsig interop Ed25519 --check --out run.json | ignore",
                result: None,
            },
            Example {
                description: "Who is wrong, and where? Nobody",
                example: "pqsig interop Ed25519 --backend [openssl rustcrypto] --no-vectors --findings",
                result: Some(Value::test_list(Vec::new())),
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let (wide, findings) = (call.switch("wide")?, call.switch("findings")?);
        if let (Some(wide), Some(_)) = (wide, findings) {
            return Err(conflict("--wide contradicts --findings", wide, "give one of them"));
        }
        let check = call.switch("check")?;
        let out = Out::from_call(call)?;
        let plan = options::from_call(call)?;

        let follower = Follower { call, progress: Progress::of_stages(call, "Cross-checking") };
        let result = run::run(&plan.options, &follower);
        drop(follower);
        let mut run = result.map_err(|error| refused(&error, call))?;
        let gone = plan.known.mark(&mut run);
        if let Some(out) = out {
            out.write(&run)?;
        }
        if let Some(check) = check {
            agreement(&run, &plan.missing, &gone, check)?;
        }
        let table = match (wide, findings) {
            (_, Some(_)) => table::of_findings(&run, span),
            (Some(_), _) => table::wide(&run, span),
            _ => table::long(&run, span),
        };
        // A wide terminal gives these columns their whole width first.
        let whole = ["algorithm", "check", "backend", "findings", "accepted", "rejected"];
        let metadata = PipelineMetadata::default().with_table_width_priority_columns(span, whole);
        Ok(PipelineData::value(table, metadata))
    }
}

/// Fails if somebody was wrong, or could not be asked who was to be, or if the list of what is known is out of date.
fn agreement(run: &Run, missing: &[String], gone: &[Deviation], span: Span) -> Result<(), LabeledError> {
    if tally::agrees(run) && missing.is_empty() && gone.is_empty() {
        return Ok(());
    }
    let found: Vec<_> = tally::news(run).collect();
    let first = found.first().and_then(|case| Some((case, case.finding.as_ref()?)));
    let message = match (first, missing.first(), gone.first()) {
        (Some((case, finding)), _, _) => format!("{}: {}", case.id, finding.summary),
        (None, Some(name), _) => format!("The adapter `{name}` could not be asked"),
        (None, None, Some(gone)) => {
            format!("A known deviation of {} is gone, take it off the list: {}", gone.peer, gone.case)
        }
        (None, None, None) => "The implementations do not agree".to_owned(),
    };
    Err(errors::misuse("disagreement", message, format!("{} findings", found.len()), span)
        .with_help("leave --check out to see the table, or give --findings to see who said what"))
}

fn refused(error: &Error, call: &Call) -> LabeledError {
    match error {
        Error::Interrupted => errors::interrupted(call.head()),
        Error::Reproducer { .. } => {
            let span = call.flag("reproducers").map_or(call.head(), Value::span);
            errors::misuse("file", error.to_string(), "this folder", span)
        }
        _ => errors::misuse("interop", error.to_string(), "failed here", call.head()),
    }
}

/// Where the run is saved.
struct Out {
    path: PathBuf,
    force: bool,
    span: Span,
}

impl Out {
    /// Reads the flags; a file that is in the way is refused before the work.
    fn from_call(call: &Call) -> Result<Option<Self>, LabeledError> {
        let Some(Spanned { item, span }) = call.text_flag("out")? else { return Ok(None) };
        let out = Out { path: call.resolve(item)?, force: call.switch("force")?.is_some(), span };
        if !out.force {
            files::require_absent(&[&out.path], span)?;
        }
        Ok(Some(out))
    }

    fn write(self, run: &Run) -> Result<(), LabeledError> {
        let text = json::to_string(run).map_err(|error| {
            errors::misuse("file", format!("can't write JSON: {error}"), "this path", self.span)
        })?;
        let file = NewFile { path: self.path, content: text.as_bytes(), access: Access::Everyone };
        files::write_all(&[file], self.force, self.span)
    }
}

/// Passes Ctrl-C on to the run, and the run's progress to the bar.
struct Follower<'a> {
    call: &'a Call,
    progress: Progress,
}

impl Observer for Follower<'_> {
    fn progress(&self, done: u64, total: u64, what: &str) -> ControlFlow<()> {
        self.progress.stage(what, done, total);
        if self.call.stop().is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
