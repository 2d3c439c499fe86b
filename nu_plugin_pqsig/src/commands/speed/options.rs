//! What `pqsig speed` is to time, from its arguments.

use std::time::Duration;

use nu_protocol::{LabeledError, Span, Value};
use pqsig::{Algorithm, Backend, backend};
use pqsig_speed::{Error, Operation, Options};

use crate::arguments::{out_of_range, text, wrong_type};
use crate::call::Call;
use crate::errors::{self, At as _};

pub(super) fn from_call(call: &Call) -> Result<Options, LabeledError> {
    let options = Options::new(algorithms(call)?).map_err(|error| refused(&error, call.head()))?;
    let options = with(call, options, "backend", |value, _| backends(value), Options::with_backends)?;
    let options = with(call, options, "operation", |value, _| operations(value), Options::with_operations)?;
    let options = with(call, options, "duration", |value, _| duration(value), Options::with_duration)?;
    let options = with(call, options, "trials", number, Options::with_trials)?;
    let only = |options: Options, trial| Ok(options.with_only_trial(trial));
    let options = with(call, options, "trial", number, only)?;
    let options = with(call, options, "message-size", number, Options::with_message_size)?;
    let options = with(call, options, "context-size", number, Options::with_context_size)?;
    let options = with(call, options, "threads", number, Options::with_threads)?;
    let folder = |value: &Value, name: &str| call.resolve(text(value, name)?.item);
    let options = with(call, options, "log", folder, |options, folder| Ok(options.with_log(folder)))?;
    Ok(options
        .with_deterministic(call.switch("deterministic")?.is_some())
        .with_samples(call.switch("samples")?.is_some()))
}

/// The options with a flag's value, if the flag is given. `parse` also takes the flag's name, for errors.
fn with<T>(
    call: &Call,
    options: Options,
    flag: &str,
    parse: impl Fn(&Value, &str) -> Result<T, LabeledError>,
    set: impl Fn(Options, T) -> Result<Options, Error>,
) -> Result<Options, LabeledError> {
    match call.flag(flag) {
        None => Ok(options),
        Some(value) => {
            let parsed = parse(value, &format!("--{flag}"))?;
            set(options, parsed).map_err(|error| refused(&error, value.span()))
        }
    }
}

fn algorithms(call: &Call) -> Result<Vec<Algorithm>, LabeledError> {
    let mut algorithms = Vec::new();
    for value in call.rest(0) {
        let word = text(value, "the algorithm")?;
        algorithms.extend(Algorithm::select(word.item).at(word.span)?);
    }
    Ok(algorithms)
}

fn backends(value: &Value) -> Result<Vec<Backend>, LabeledError> {
    one_or_many(value)
        .map(|value| {
            let name = text(value, "--backend")?;
            backend::by_name(name.item).at(name.span)
        })
        .collect()
}

fn operations(value: &Value) -> Result<Vec<Operation>, LabeledError> {
    one_or_many(value)
        .map(|value| {
            let name = text(value, "--operation")?;
            name.item.parse().map_err(|error: Error| refused(&error, name.span))
        })
        .collect()
}

fn one_or_many(value: &Value) -> impl Iterator<Item = &Value> {
    let (many, one) = match value {
        Value::List { vals, .. } => (Some(vals), None),
        other => (None, Some(other)),
    };
    many.into_iter().flatten().chain(one)
}

fn duration(value: &Value) -> Result<Duration, LabeledError> {
    let Value::Duration { val, .. } = value else {
        return Err(wrong_type(value, "--duration", "a duration, such as 500ms"));
    };
    u64::try_from(*val).map(Duration::from_nanos).map_err(|_| {
        errors::misuse("out_of_range", "--duration can't be negative", "out of range", value.span())
            .with_help("give each phase some time, such as 1sec")
    })
}

/// An int or a filesize as a number that can't be negative.
fn number<T: TryFrom<i64>>(value: &Value, name: &str) -> Result<T, LabeledError> {
    let number = match value {
        Value::Int { val, .. } => *val,
        Value::Filesize { val, .. } => val.get(),
        other => return Err(wrong_type(other, name, "an int")),
    };
    number.try_into().map_err(|_| out_of_range(name, number, "0 up", value.span()))
}

/// An error of the timing library, at the argument at fault.
pub(super) fn refused(error: &Error, span: Span) -> LabeledError {
    if matches!(error, Error::Cancelled) {
        return errors::interrupted(span);
    }
    let code = error.code();
    let labeled = errors::misuse(
        code.strip_prefix("pqsig::").unwrap_or(code),
        error.to_string(),
        "can't be timed like this",
        span,
    );
    match error.remedy() {
        Some(remedy) => labeled.with_help(remedy),
        None => labeled,
    }
}
