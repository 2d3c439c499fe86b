//! The lines of a file that may be anything.

/// OpenSSL's longest line is its compiler's options, some 1,500 bytes.
const LONGEST: usize = 8192;

/// A line of a file.
pub(super) struct Line<'a> {
    /// From 1.
    pub(super) number: u64,
    /// Without its end, LF or CRLF.
    pub(super) text: Result<&'a str, Unreadable>,
    /// Whether it has its end. Only the last line can lack it.
    pub(super) whole: bool,
}

/// Why a line can't be read.
#[derive(Clone, Copy)]
pub(super) enum Unreadable {
    /// NUL bytes or not UTF-8.
    NotText,
    /// Too long.
    TooLong,
}

/// Splits a file into its lines.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    // Some Windows programs put one before whatever is redirected.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    (1u64..).zip(bytes.split_inclusive(|&byte| byte == b'\n')).map(|(number, line)| {
        let (line, whole) = match line.strip_suffix(b"\n") {
            Some(line) => (line, true),
            None => (line, false),
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Line { number, text: text(line), whole }
    })
}

fn text(line: &[u8]) -> Result<&str, Unreadable> {
    if line.len() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    if line.contains(&0) {
        return Err(Unreadable::NotText);
    }
    std::str::from_utf8(line).map_err(|_| Unreadable::NotText)
}
