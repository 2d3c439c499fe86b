//! One call of a command: its arguments, the engine behind it, and whether it should stop.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use nu_plugin::{EngineInterface, EvaluatedCall};
use nu_protocol::{LabeledError, Span, Spanned, Value};

use crate::arguments::{text, wrong_type};
use crate::errors;

/// One call of a command.
pub(crate) struct Call {
    engine: EngineInterface,
    evaluated: EvaluatedCall,
    stop: Stop,
}

impl Call {
    pub(crate) fn new(engine: EngineInterface, evaluated: EvaluatedCall, stop: Stop) -> Self {
        Call { engine, evaluated, stop }
    }

    /// The shell that called.
    pub(crate) fn engine(&self) -> &EngineInterface {
        &self.engine
    }

    /// The command's name in what the user typed.
    pub(crate) fn head(&self) -> Span {
        self.evaluated.head
    }

    /// Whether the user has pressed Ctrl-C.
    pub(crate) fn stop(&self) -> &Stop {
        &self.stop
    }

    /// Fails once the user has pressed Ctrl-C.
    pub(crate) fn check_stop(&self) -> Result<(), LabeledError> {
        self.stop.check(self.head())
    }

    /// The argument at this position; null counts as absent.
    pub(crate) fn positional(&self, position: usize) -> Option<&Value> {
        self.evaluated.positional.get(position).filter(|value| !value.is_nothing())
    }

    /// The argument at this position, which Nushell's parser has already asked for.
    pub(crate) fn required(&self, position: usize, name: &str) -> Result<&Value, LabeledError> {
        self.positional(position).ok_or_else(|| {
            errors::misuse("missing_argument", format!("{name} is missing"), "needs it", self.head())
                .with_help(format!("give {name} after the command"))
        })
    }

    /// The arguments from this position on.
    pub(crate) fn rest(&self, position: usize) -> &[Value] {
        self.evaluated.positional.get(position..).unwrap_or_default()
    }

    /// A flag's value; null counts as absent, so that a script can pass on what it was not given.
    pub(crate) fn flag(&self, name: &str) -> Option<&Value> {
        self.evaluated
            .named
            .iter()
            .find(|(given, _)| given.item == name)
            .and_then(|(_, value)| value.as_ref())
            .filter(|value| !value.is_nothing())
    }

    /// A flag's value as text.
    pub(crate) fn text_flag(&self, name: &str) -> Result<Option<Spanned<&str>>, LabeledError> {
        self.flag(name).map(|value| text(value, &format!("--{name}"))).transpose()
    }

    /// Where a switch stands, if it is on.
    pub(crate) fn switch(&self, name: &str) -> Result<Option<Span>, LabeledError> {
        let Some((given, value)) = self.evaluated.named.iter().find(|(given, _)| given.item == name) else {
            return Ok(None);
        };
        match value {
            None | Some(Value::Bool { val: true, .. }) => Ok(Some(given.span)),
            Some(Value::Bool { val: false, .. } | Value::Nothing { .. }) => Ok(None),
            Some(other) => Err(wrong_type(other, &format!("--{name}"), "nothing, true or false")),
        }
    }

    /// A path as the user means it: against the shell's working folder, not the plugin's, and with `~`.
    pub(crate) fn resolve(&self, path: &str) -> Result<PathBuf, LabeledError> {
        Ok(nu_path::expand_path_with(path, self.engine.get_current_dir()?, true))
    }
}

/// Set once the user has pressed Ctrl-C. It belongs to one call and is never taken back, unlike Nushell's own
/// signal: that one is reset at the next prompt, while a call that was given up may still be at work.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    set: AtomicBool,
    given_up: AtomicBool,
}

impl Stop {
    pub(crate) fn set(&self) {
        self.0.set.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Relaxed)
    }

    /// Nobody waits for the call any more: the terminal belongs to others.
    pub(crate) fn give_up(&self) {
        self.0.given_up.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_given_up(&self) -> bool {
        self.0.given_up.load(Ordering::Relaxed)
    }

    /// Fails once it is set.
    pub(crate) fn check(&self, span: Span) -> Result<(), LabeledError> {
        if self.is_set() { Err(errors::interrupted(span)) } else { Ok(()) }
    }
}
