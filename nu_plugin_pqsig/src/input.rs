//! What comes through the pipeline: one message, several, or one in pieces.

use nu_protocol::{ByteStream, LabeledError, PipelineData, Record, Span, Value};

use crate::arguments::wrong_type;
use crate::call::Call;
use crate::errors;

/// Messages, before it is known what they are for.
pub(crate) enum Input {
    /// A string or binary.
    Message(Item),
    /// A byte stream: a file that is opened raw, the output of a program.
    Stream(ByteStream),
    /// A list or a table.
    List(Vec<Value>, Span),
    /// One row of a table.
    Record(Record, Span),
}

/// One message in memory.
#[derive(Debug, PartialEq)]
pub(crate) struct Item {
    pub(crate) bytes: Vec<u8>,
    pub(crate) span: Span,
}

impl Input {
    /// Takes what the pipeline brings. `doing` is what can't be done with nothing: "sign".
    pub(crate) fn from_pipeline(call: &Call, input: PipelineData, doing: &str) -> Result<Self, LabeledError> {
        match input {
            PipelineData::Empty => Err(nothing(doing, call.head())),
            PipelineData::ByteStream(stream, _) => Ok(Input::Stream(stream)),
            PipelineData::ListStream(stream, _) => {
                let span = stream.span();
                let mut values = Vec::new();
                for value in stream {
                    call.check_stop()?;
                    values.push(value);
                }
                // A stream that was cut short by Ctrl-C must not pass for the whole list.
                call.check_stop()?;
                Ok(Input::List(values, span))
            }
            PipelineData::Value(value, _) => Input::from_value(value, doing),
        }
    }

    fn from_value(value: Value, doing: &str) -> Result<Self, LabeledError> {
        let span = value.span();
        match value {
            Value::Nothing { .. } => Err(nothing(doing, span)),
            Value::List { vals, .. } => Ok(Input::List(vals.into_iter().collect(), span)),
            Value::Record { val, .. } => Ok(Input::Record(val.into_owned(), span)),
            other => item(other).map(Input::Message),
        }
    }
}

/// A message from a value: a string stands for its UTF-8 encoding.
pub(crate) fn item(value: Value) -> Result<Item, LabeledError> {
    let span = value.span();
    match value {
        Value::String { val, .. } => Ok(Item { bytes: val.into_bytes(), span }),
        Value::Binary { val, .. } => Ok(Item { bytes: val.into_owned(), span }),
        other => Err(wrong_type(&other, "a message", "a string or binary")
            .with_help("turn it into text first, for example with `to json` or `to text`")),
    }
}

/// Null is not the empty message: a value that is missing by mistake must not be signed.
fn nothing(doing: &str, span: Span) -> LabeledError {
    errors::misuse("no_message", format!("there is nothing to {doing}"), "no message comes in", span)
        .with_help(format!("pipe a message in; to {doing} the empty message, pipe in an empty string"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn null_is_no_message_and_the_empty_string_is_one() {
        let error = Input::from_value(Value::test_nothing(), "sign").err().unwrap();
        assert_eq!(error.code.as_deref(), Some("pqsig::no_message"));
        let Ok(Input::Message(item)) = Input::from_value(Value::test_string(""), "sign") else {
            panic!("the empty string is a message");
        };
        assert_eq!(item.bytes, b"");
    }

    #[test]
    fn numbers_are_not_messages() {
        for value in [Value::test_int(1), Value::test_bool(true), Value::test_list(vec![])] {
            let error = item(value).unwrap_err();
            assert_eq!(error.code.as_deref(), Some("pqsig::argument_type"));
        }
    }

    proptest! {
        #[test]
        fn text_is_its_encoding(text in any::<String>()) {
            let item = item(Value::test_string(&text)).unwrap();
            prop_assert_eq!(item.bytes, text.into_bytes());
        }
    }
}
