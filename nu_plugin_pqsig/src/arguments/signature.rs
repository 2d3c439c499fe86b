//! SIGNATURE: binary, or the path of a file that holds one.

use std::borrow::Cow;

use nu_protocol::{LabeledError, SyntaxShape, Value};

use super::wrong_type;
use crate::call::Call;
use crate::errors;
use crate::files;

/// Twenty times the longest signature: what is cut off here is of a wrong length either way.
const MAX: u64 = 1 << 20;

/// Binary, a path, or a list of them, in the order in which Nushell's parser should try them: almost anything fits a
/// path.
pub(crate) fn shape() -> SyntaxShape {
    let one = SyntaxShape::OneOf(vec![SyntaxShape::Binary, SyntaxShape::Filepath, SyntaxShape::String]);
    SyntaxShape::OneOf(vec![
        SyntaxShape::Binary,
        SyntaxShape::List(Box::new(one)),
        SyntaxShape::Filepath,
        SyntaxShape::String,
    ])
}

/// A signature of any length: one of a wrong length is a wrong signature, not an error.
pub(crate) fn parse<'a>(call: &Call, value: &'a Value) -> Result<Cow<'a, [u8]>, LabeledError> {
    let span = value.span();
    match value {
        Value::Binary { val, .. } => Ok(Cow::Borrowed(val)),
        Value::String { val, .. } | Value::Glob { val, .. } if val.is_empty() => {
            Err(errors::misuse("signature", "SIGNATURE is an empty string", "empty", span)
                .with_help("give binary, or the path of a file that holds the signature"))
        }
        Value::String { val, .. } | Value::Glob { val, .. } => {
            let bytes = files::read_at_most(&call.resolve(val)?, MAX, span).map_err(|error| {
                error.with_help("SIGNATURE is binary, or the path of a file that holds the signature")
            })?;
            Ok(Cow::Owned(bytes))
        }
        other => {
            Err(wrong_type(other, "SIGNATURE", "binary, or the path of a file that holds the signature"))
        }
    }
}
