//! Results as Nushell's values.

use nu_protocol::{Span, Value};

/// A number of bytes.
pub(crate) fn bytes(length: usize, span: Span) -> Value {
    Value::filesize(i64::try_from(length).unwrap_or(i64::MAX), span)
}

/// A list of strings.
pub(crate) fn strings(items: impl IntoIterator<Item = impl Into<String>>, span: Span) -> Value {
    Value::list(items.into_iter().map(|item| Value::string(item, span)).collect(), span)
}
