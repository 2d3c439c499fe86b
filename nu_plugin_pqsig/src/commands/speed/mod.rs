//! `pqsig speed`

mod options;
mod table;

use nu_protocol::{
    Example, Flag, LabeledError, PipelineData, PipelineMetadata, PositionalArg, Signature, Span, SyntaxShape,
    Type, Value,
};
use pqsig_speed::{Error, Event, Observer, Operation};

use super::strings;
use crate::arguments::completions;
use crate::call::Call;
use crate::command::Command;
use crate::progress::Progress;

/// Times algorithms.
#[derive(Clone, Copy)]
pub(crate) struct Speed;

impl Command for Speed {
    fn name(&self) -> &'static str {
        "pqsig speed"
    }

    fn signature(&self) -> Signature {
        let one_or_list =
            |item: SyntaxShape| SyntaxShape::OneOf(vec![SyntaxShape::List(Box::new(item.clone())), item]);
        super::signature(self)
            .param(
                PositionalArg::new("algorithm", SyntaxShape::String)
                    .desc("Algorithms, families (ML-DSA, SLH-DSA, SLH-DSA-SHA2...), or all")
                    .completion(completions::algorithms_and_families())
                    .rest(),
            )
            .param(
                Flag::new("backend")
                    .short('b')
                    .arg(one_or_list(SyntaxShape::String))
                    .desc("The backend, or a list of them (default: all)")
                    .completion(completions::backends()),
            )
            .param(
                Flag::new("operation")
                    .short('o')
                    .arg(one_or_list(SyntaxShape::String))
                    .desc("keygen, sign or verify, or a list of them (default: all)")
                    .completion(completions::operations()),
            )
            .param(Flag::new("duration").arg(SyntaxShape::Duration).desc(
                "The time that each algorithm x backend x operation gets in each trial (default: 1sec)",
            ))
            .param(
                Flag::new("trials").arg(SyntaxShape::Int).desc("How often all of it is timed (default: 3)"),
            )
            .param(Flag::new("trial").arg(SyntaxShape::Int).desc(
                "Make only this one of --trials, as a script does that takes turns with another program; \
                 with --log, writes trial-N.jsonl, which must not exist",
            ))
            .param(
                Flag::new("message-size")
                    .arg(SyntaxShape::OneOf(vec![SyntaxShape::Filesize, SyntaxShape::Int]))
                    .desc("The length of the messages in bytes (default: 32)"),
            )
            .param(
                Flag::new("context-size")
                    .arg(SyntaxShape::Int)
                    .desc("The length of the context in bytes, 0 to 255 (default: 0)"),
            )
            .param(
                Flag::new("deterministic")
                    .short('d')
                    .desc("Sign without randomness: all backends do the same work"),
            )
            .param(
                Flag::new("threads")
                    .short('t')
                    .arg(SyntaxShape::Int)
                    .desc("Threads that work at the same time (default: 1)"),
            )
            .param(
                Flag::new("log")
                    .short('l')
                    .arg(SyntaxShape::Directory)
                    .desc("Write the trial log into this folder, one file per trial, as it happens"),
            )
            .param(Flag::new("samples").desc("Keep the single samples, in the log and in a column"))
            .param(
                Flag::new("progress")
                    .short('p')
                    .desc("Show the progress from the start, and also when stderr is not a terminal"),
            )
            .input_output_types(vec![(Type::Nothing, Type::table())])
    }

    fn description(&self) -> &'static str {
        "Time key generation, signing and verifying, on every backend."
    }

    fn extra_description(&self) -> &'static str {
        "Backends are interleaved, messages differ from operation to operation, keys are loaded before. `mean` is the \
         time of all operations by their number; `p50`, `p99`, `min` and `max` are those of single operations. Times \
         are rounded, `ops_per_second` is not. `spread` says in percent how far the means of the \
         trials lie apart: a difference that is not well above it is no finding. `rounds` is the number of operations. \
         `notes`, if there is something to say, says what a figure is worth, and why one is missing.\n\n\
         The machine should have nothing else to do. Ctrl-C stops a run; its log then has no end, and says by that \
         that it is incomplete."
    }

    fn search_terms(&self) -> Vec<&'static str> {
        vec!["benchmark", "timing", "performance", "openssl speed", "latency", "throughput"]
    }

    fn examples(&self) -> Vec<Example<'static>> {
        vec![
            Example {
                description: "Time ML-DSA-65 on every backend",
                example: "pqsig speed ML-DSA-65",
                result: None,
            },
            Example {
                description: "A quick look at every algorithm's verifying, fastest first",
                example: "pqsig speed all --operation verify --duration 100ms --trials 1 | sort-by mean",
                result: None,
            },
            Example {
                description: "How many times faster does one backend sign than the other?",
                example: "pqsig speed Ed25519 --operation sign --deterministic --duration 200ms --trials 1 \
                          | get ops_per_second | ($in | math max) / ($in | math min)",
                result: None,
            },
            Example {
                description: "Keep the evidence",
                example: "pqsig speed ML-DSA --trials 5 --log generated/my-run",
                result: None,
            },
            Example {
                description: "Take turns with something else, trial by trial",
                example: "for n in 1..3 { sleep 50ms; pqsig speed Ed25519 --duration 50ms --trials 3 --trial $n --log logs }",
                result: None,
            },
            Example {
                description: "What is timed unless --operation says otherwise",
                example: "(pqsig speed Ed25519 --backend rustcrypto --duration 5ms --trials 1).operation",
                result: Some(strings(Operation::ALL.map(Operation::name), Span::test_data())),
            },
        ]
    }

    fn run(&self, call: &Call, _input: PipelineData) -> Result<PipelineData, LabeledError> {
        let span = call.head();
        let options = options::from_call(call)?;
        let always = call.switch("progress")?.is_some();
        let mut follower = Follower { call, progress: Progress::of_run(call, "Timing", always) };
        let report = pqsig_speed::run(&options, &mut follower);
        drop(follower);
        let report = report.map_err(|error| {
            let at_fault = match error {
                Error::Log { .. } | Error::LogExists { .. } => call.flag("log"),
                Error::TrialOutOfRange { .. } => call.flag("trial"),
                _ => None,
            };
            options::refused(&error, at_fault.map_or(span, Value::span))
        })?;
        // A wide terminal shows all columns, and gives these their whole width first.
        let whole =
            ["algorithm", "backend", "operation", "mean", "ops_per_second", "p99", "p50", "min", "max"];
        let metadata = PipelineMetadata::default().with_table_width_priority_columns(span, whole);
        Ok(PipelineData::value(table::from_report(&report, span), metadata))
    }
}

/// Passes Ctrl-C on to the run, and the run's progress to the bar.
struct Follower<'a> {
    call: &'a Call,
    progress: Progress,
}

impl Observer for Follower<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Waiting => self.progress.say("Waiting for another run to end"),
            Event::Preparing(identity) => self.progress.say(&format!("Preparing {identity}")),
            Event::Timing(at) => {
                let words = format!("Trial {} of {}, {}", at.trial, at.trials, at.identity);
                self.progress.at(&words, at.fraction(), at.remaining);
            }
            _ => {}
        }
    }

    fn is_cancelled(&mut self) -> bool {
        self.call.stop().is_set()
    }
}
