//! What commands take, parsed from Nushell's values. Nushell enforces no shape for plugins, so each of these takes
//! any value and says what would be right.

pub(crate) mod backend;
pub(crate) mod completions;
pub(crate) mod key;
pub(crate) mod message;
pub(crate) mod seed;
pub(crate) mod signature;

use std::num::NonZeroUsize;

use nu_protocol::{Flag, LabeledError, Span, Spanned, SyntaxShape, Value};
use pqsig::Algorithm;

use crate::call::Call;
use crate::errors::{self, At as _};

/// An argument of a type that it can't have.
pub(crate) fn wrong_type(value: &Value, name: &str, takes: &str) -> LabeledError {
    // An error that travels as a value is the one to report.
    if let Value::Error { error, .. } = value {
        return (**error).clone().into();
    }
    let found = value.get_type();
    errors::misuse(
        "argument_type",
        format!("{name} must be {takes}, not {found}"),
        format!("this is {found}"),
        value.span(),
    )
}

/// A value as text.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> Result<Spanned<&'a str>, LabeledError> {
    match value {
        Value::String { val, .. } | Value::Glob { val, .. } => Ok(Spanned { item: val, span: value.span() }),
        other => Err(wrong_type(other, name, "a string")),
    }
}

/// A value's bytes: a string stands for its UTF-8 encoding.
pub(crate) fn bytes<'a>(value: &'a Value, name: &str) -> Result<Spanned<&'a [u8]>, LabeledError> {
    let item = match value {
        Value::String { val, .. } | Value::Glob { val, .. } => val.as_bytes(),
        Value::Binary { val, .. } => val,
        other => return Err(wrong_type(other, name, "a string or binary")),
    };
    Ok(Spanned { item, span: value.span() })
}

/// Text or binary. Binary comes first: `OneOf` takes what fits first, and a string fits `0x[ab]`.
pub(crate) fn bytes_shape() -> SyntaxShape {
    SyntaxShape::OneOf(vec![SyntaxShape::Binary, SyntaxShape::String])
}

/// One algorithm by any of its names.
pub(crate) fn algorithm(value: &Value) -> Result<Algorithm, LabeledError> {
    let name = text(value, "the algorithm")?;
    name.item.parse().at(name.span)
}

/// `--threads`, where a command works on lists.
pub(crate) fn threads_flag() -> Flag {
    Flag::new("threads")
        .short('t')
        .arg(SyntaxShape::Int)
        .desc("Threads that work on a list (default: one per core)")
}

/// How many threads may work on a list; `None`: one per core.
pub(crate) fn threads(call: &Call) -> Result<Option<NonZeroUsize>, LabeledError> {
    /// Past this, a number is a slip of the keyboard.
    const MAX: i64 = 1024;
    let Some(value) = call.flag("threads") else { return Ok(None) };
    let Value::Int { val, .. } = value else { return Err(wrong_type(value, "--threads", "an int")) };
    usize::try_from(*val)
        .ok()
        .filter(|_| *val <= MAX)
        .and_then(NonZeroUsize::new)
        .map(Some)
        .ok_or_else(|| out_of_range("--threads", *val, &format!("1 to {MAX}"), value.span()))
}

/// A number outside of what makes sense.
pub(crate) fn out_of_range(name: &str, actual: i64, range: &str, span: Span) -> LabeledError {
    errors::misuse("out_of_range", format!("{name} can't be {actual}"), "out of range", span)
        .with_help(format!("give a number from {range}"))
}

/// Two options that contradict each other; the label goes to the one to leave out.
pub(crate) fn conflict(message: &str, span: Span, remedy: &str) -> LabeledError {
    errors::misuse("conflict", message, "contradicts another option", span).with_help(remedy)
}
