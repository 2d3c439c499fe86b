//! Text that stands for bytes: hexadecimal and base64.

use std::fmt;

use zeroize::Zeroizing;

use crate::SecretBytes;
use crate::encoding::decode_base64;

/// How bytes were written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextEncoding {
    /// Hexadecimal digits, perhaps in pairs with colons between.
    Hexadecimal,
    /// Base64 (RFC 4648 section 4).
    Base64,
}

impl TextEncoding {
    /// `hexadecimal` or `base64`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TextEncoding::Hexadecimal => "hexadecimal",
            TextEncoding::Base64 => "base64",
        }
    }
}

impl fmt::Display for TextEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The bytes that a text stands for. Digits alone could be either; then it is hexadecimal.
pub(super) fn decode(input: &[u8]) -> Option<(TextEncoding, SecretBytes)> {
    let without = |dropped: &[u8]| {
        let kept =
            input.iter().copied().filter(|byte| !byte.is_ascii_whitespace() && !dropped.contains(byte));
        let mut text = Zeroizing::new(Vec::with_capacity(input.len()));
        text.extend(kept);
        text
    };
    if let Some(bytes) = decode_hexadecimal(&without(b":")) {
        return Some((TextEncoding::Hexadecimal, bytes));
    }
    decode_base64(&without(b"")).map(|bytes| (TextEncoding::Base64, bytes))
}

fn decode_hexadecimal(text: &[u8]) -> Option<SecretBytes> {
    let digits = text.strip_prefix(b"0x").unwrap_or(text);
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
    for pair in digits.chunks_exact(2) {
        bytes.push(u8::try_from(digit(pair[0])? << 4 | digit(pair[1])?).ok()?);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_comes_with_colons_blanks_and_a_prefix() {
        for text in ["00ff10", "0x00FF10", "00:ff:10\n", "00 ff\n10"] {
            let (encoding, bytes) = decode(text.as_bytes()).unwrap();
            assert_eq!((encoding, &bytes[..]), (TextEncoding::Hexadecimal, &[0, 0xff, 0x10][..]), "{text}");
        }
    }

    #[test]
    fn base64_may_be_wrapped_and_must_be_padded() {
        let (encoding, bytes) = decode(b"AP8Q\r\nAQ==\n").unwrap();
        assert_eq!((encoding, &bytes[..]), (TextEncoding::Base64, &[0, 0xff, 0x10, 1][..]));
        for text in ["", "abc", "AP8Q\nAQ", "not text", "ö", "0x"] {
            assert!(decode(text.as_bytes()).is_none(), "{text}");
        }
    }
}
