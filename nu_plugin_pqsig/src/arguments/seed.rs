//! SEED: binary, or hexadecimal digits.

use nu_protocol::{LabeledError, Spanned, SyntaxShape, Value};
use pqsig::SecretBytes;
use zeroize::Zeroizing;

use super::wrong_type;
use crate::errors;

/// Binary, or a string of hexadecimal digits.
pub(crate) fn shape() -> SyntaxShape {
    super::bytes_shape()
}

/// The seed's bytes, of any length: the core knows which one is right.
pub(crate) fn parse(value: &Value) -> Result<Spanned<SecretBytes>, LabeledError> {
    let span = value.span();
    let item = match value {
        Value::Binary { val, .. } => Zeroizing::new(val.to_vec()),
        Value::String { val, .. } | Value::Glob { val, .. } => from_hex(val).map_err(|reason| {
            errors::misuse("seed", format!("the seed is not hexadecimal: {reason}"), "not hexadecimal", span)
                .with_help("give two digits (0-9, a-f) per byte, or binary such as 0x[00 01 02]")
        })?,
        other => return Err(wrong_type(other, "--seed", "binary or hexadecimal digits")),
    };
    Ok(Spanned { item, span })
}

/// The bytes that hexadecimal digits of either case stand for; blanks and colons between them are skipped. The
/// reason never quotes the seed: errors end up in logs.
pub(crate) fn from_hex(digits: &str) -> Result<SecretBytes, &'static str> {
    let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
    let mut high = None;
    for character in digits.chars().filter(|c| !c.is_ascii_whitespace() && *c != ':') {
        let digit = character
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
            .ok_or("it holds something else than the digits 0-9, a-f")?;
        match high.take() {
            None => high = Some(digit),
            Some(high) => bytes.push(high << 4 | digit),
        }
    }
    if high.is_some() { Err("the number of digits is odd") } else { Ok(bytes) }
}

#[cfg(test)]
mod tests {
    use nu_protocol::Span;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn digits_of_either_case_and_separators() {
        assert_eq!(**from_hex("00 fF:10\n").unwrap(), [0x00, 0xff, 0x10]);
        assert!(from_hex("").unwrap().is_empty());
        assert!(from_hex("0").is_err());
        assert!(from_hex("0x00").is_err());
        assert!(from_hex("\u{ff10}\u{ff10}").is_err(), "full-width digits are not hexadecimal digits");
    }

    #[test]
    fn an_error_does_not_quote_the_seed() {
        let error = parse(&Value::string("5ec2e7zz", Span::test_data())).unwrap_err();
        assert!(!format!("{error:?}").contains("5ec2e7"), "{error:?}");
    }

    proptest! {
        #[test]
        fn any_text_is_bytes_or_an_error(text in any::<String>()) {
            let _ = from_hex(&text);
        }

        #[test]
        fn every_seed_survives_hexadecimal(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let digits = bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02X}"));
            prop_assert_eq!(&**from_hex(&digits).unwrap(), &bytes);
        }
    }
}
