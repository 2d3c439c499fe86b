//! Textual encoding (RFC 7468): finding the one block in a text, and writing one.
//!
//! The `pem` crate that the rest stands on takes RFC 7468's strict grammar only. Files that people have come with
//! Windows line ends, blank lines, indentation and other line lengths, all of which the RFC asks readers to tolerate:
//! so boundaries are found here, blanks are dropped, and the crate decodes what is left, in constant time.

use std::fmt::Write as _;

use ::pkcs8::der::pem::{Base64Decoder, LineEnding, encode_string};
use zeroize::Zeroizing;

use super::{Container, structure};
use crate::{Error, SecretBytes};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// Whether the bytes are a text that claims to hold a block.
pub(super) fn has_boundary(input: &[u8]) -> bool {
    [BEGIN, END].iter().any(|boundary| input.windows(boundary.len()).any(|window| window == *boundary))
}

/// The one block of a text: the container that its label announces, and its bytes.
pub(super) fn read(input: &[u8]) -> Result<(Container, SecretBytes), Error> {
    let (label, body) = one_block(input)?;
    let container = container_of(&label)?;
    if body.contains(&b':') {
        return Err(malformed(format!(
            "the block `{label}` has header lines, which belong to the encryption of old key files; \
             `openssl pkcs8 -topk8` rewrites such a key"
        )));
    }
    let der = decode_base64(&body)
        .ok_or_else(|| malformed(format!("what the block `{label}` holds is not base64")))?;
    Ok((container, der))
}

/// A block with the bytes, in lines of 64 characters that end with LF.
#[expect(clippy::expect_used, reason = "the labels are constants, and a key is far from memory's end")]
pub(super) fn write(container: Container, der: &[u8]) -> String {
    encode_string(container.label(), LineEnding::LF, der).expect("a key fits into PEM")
}

/// Decodes base64 (RFC 4648 section 4, padded) without any blanks in it, in constant time.
pub(crate) fn decode_base64(text: &[u8]) -> Option<SecretBytes> {
    let mut decoder = Base64Decoder::new(text).ok()?;
    let mut bytes = Zeroizing::new(vec![0; decoder.remaining_len()]);
    decoder.decode(&mut bytes).ok()?;
    Some(bytes)
}

/// The label and the base64 text, without blanks, of the one block.
fn one_block(input: &[u8]) -> Result<(String, SecretBytes), Error> {
    refuse_several(input)?;
    let mut block: Option<String> = None;
    let mut ended = false;
    // As long as it may become, so that growing never leaves a copy of a secret behind.
    let mut body = Zeroizing::new(Vec::with_capacity(input.len()));
    for line in lines(input) {
        match (Line::of(line), &block) {
            (Line::Begin(label), None) => block = Some(label),
            (Line::End(end), Some(label)) if !ended => {
                if end != *label {
                    return Err(malformed(format!("a block `{label}` ends as `{end}`")));
                }
                ended = true;
            }
            (Line::Begin(_) | Line::End(_), _) => {
                return Err(malformed("an END line has no BEGIN line before it".to_owned()));
            }
            (Line::BrokenBoundary, _) => {
                return Err(malformed("a BEGIN or END line isn't complete".to_owned()));
            }
            (Line::Other(text), Some(_)) if !ended => {
                body.extend(text.iter().filter(|byte| !is_blank(**byte)));
            }
            (Line::Other(text), _) if ended && !text.is_empty() => {
                return Err(malformed(
                    "text follows its END line (`openssl pkey -text` writes such, after the key): remove it"
                        .to_owned(),
                ));
            }
            (Line::Other(_), _) => {}
        }
    }
    match block {
        Some(label) if !ended => {
            Err(malformed(format!("the block `{label}` has no END line: it was cut off")))
        }
        Some(label) if body.is_empty() => Err(malformed(format!("the block `{label}` is empty"))),
        Some(label) => Ok((label, body)),
        None => Err(malformed("it has no BEGIN line".to_owned())),
    }
}

fn refuse_several(input: &[u8]) -> Result<(), Error> {
    let mut labels = lines(input).filter_map(|line| match Line::of(line) {
        Line::Begin(label) => Some(label),
        _ => None,
    });
    let (Some(first), Some(second)) = (labels.next(), labels.next()) else { return Ok(()) };
    let mut listed = format!("`{first}`, `{second}`");
    let more = labels.count();
    if more > 0 {
        let _ = write!(listed, " and {more} more");
    }
    Err(malformed(format!("it holds several blocks ({listed}): give one key at a time")))
}

enum Line<'a> {
    Begin(String),
    End(String),
    BrokenBoundary,
    Other(&'a [u8]),
}

impl<'a> Line<'a> {
    fn of(line: &'a [u8]) -> Self {
        let line = trim(line);
        let (rest, make): (_, fn(String) -> Line<'a>) =
            match (line.strip_prefix(BEGIN), line.strip_prefix(END)) {
                (Some(rest), _) => (rest, Line::Begin),
                (_, Some(rest)) => (rest, Line::End),
                _ => return Line::Other(line),
            };
        match rest.strip_suffix(DASHES).and_then(label) {
            Some(label) => make(label),
            None => Line::BrokenBoundary,
        }
    }
}

/// A label that can be shown: printable ASCII, and no longer than any that exists.
fn label(bytes: &[u8]) -> Option<String> {
    let shown = bytes.len() <= 64 && bytes.iter().all(|byte| (b' '..=b'~').contains(byte));
    shown.then(|| bytes.iter().copied().map(char::from).collect())
}

/// The container that a label announces, or what else the label means.
fn container_of(label: &str) -> Result<Container, Error> {
    if let Some(container) = Container::ALL.into_iter().find(|container| container.label() == label) {
        return Ok(container);
    }
    let foreign = match label {
        "RSA PRIVATE KEY" | "RSA PUBLIC KEY" => "block `RSA ... KEY`: a key of RSA in its old form (PKCS#1)",
        "EC PRIVATE KEY" => "block `EC PRIVATE KEY`: a key of an elliptic curve in its old form (SEC 1)",
        "DSA PRIVATE KEY" => "block `DSA PRIVATE KEY`: a DSA key",
        "OPENSSH PRIVATE KEY" => "block `OPENSSH PRIVATE KEY`: a key in OpenSSH's own format",
        "SSH2 PUBLIC KEY" | "SSH2 ENCRYPTED PRIVATE KEY" => "block `SSH2 ... KEY`: a key for SSH",
        "PGP PRIVATE KEY BLOCK" | "PGP PUBLIC KEY BLOCK" => "block `PGP ... KEY BLOCK`: an OpenPGP key",
        "CERTIFICATE REQUEST" | "NEW CERTIFICATE REQUEST" => {
            "block `CERTIFICATE REQUEST`: `openssl req -pubkey -noout` gets its public key"
        }
        "TRUSTED CERTIFICATE" | "X509 CERTIFICATE" => {
            "block of OpenSSL's own kind: `openssl x509` rewrites it as `CERTIFICATE`"
        }
        "X509 CRL" => "block `X509 CRL`: a list of revoked certificates",
        "PKCS7" | "CMS" => "block `PKCS7` or `CMS`: a message",
        _ => {
            let known = Container::ALL.map(Container::label).join(", ");
            return Err(malformed(format!("the label `{label}` is none of {known}")));
        }
    };
    Err(Error::WrongKind { wanted: structure::WANTED, found: foreign })
}

/// The lines of a text, however they end: LF, CRLF or CR (RFC 7468 section 3).
fn lines(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
    input.strip_prefix(BYTE_ORDER_MARK).unwrap_or(input).split(|byte| matches!(byte, b'\n' | b'\r'))
}

fn trim(mut line: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = line {
        if !is_blank(*first) {
            break;
        }
        line = rest;
    }
    while let [rest @ .., last] = line {
        if !is_blank(*last) {
            break;
        }
        line = rest;
    }
    line
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

fn malformed(reason: String) -> Error {
    Error::Malformed { what: "PEM text", reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: &str = "-----BEGIN PUBLIC KEY-----\nAAECAwQFBgcICQoL\nDA0ODw==\n-----END PUBLIC KEY-----\n";

    fn reason(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn what_people_do_to_pem_is_read() {
        let bytes: Vec<u8> = (0..16).collect();
        for text in [
            BLOCK.to_owned(),
            BLOCK.replace('\n', "\r\n"),
            BLOCK.replace('\n', "\r"),
            BLOCK.trim_end().to_owned(),
            format!("\u{feff}{BLOCK}"),
            format!("\n\n  \n{BLOCK}\n \t\n\n"),
            format!("Public-Key: (RSA)\n-- notes --\n0a:1b\n{BLOCK}"),
            BLOCK.replace('\n', "  \n"),
            BLOCK.lines().fold(String::new(), |text, line| text + "    " + line + "\n"),
            BLOCK.replace("CQoL\nDA", "CQoLDA"),
            BLOCK.replace("QFBg", "Q\nFBg").replace("\nDA0", "\n\nDA0"),
        ] {
            let (container, der) = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text:?}"));
            assert_eq!((container, &der[..]), (Container::SubjectPublicKeyInfo, &bytes[..]), "{text:?}");
        }
    }

    #[test]
    fn what_is_broken_is_named() {
        let private = BLOCK.replace("PUBLIC", "PRIVATE");
        for (text, words) in [
            (format!("{BLOCK}x"), "text follows"),
            (format!("{BLOCK}\nPublic-Key:\n"), "text follows"),
            (format!("{BLOCK}{private}"), "several blocks (`PUBLIC KEY`, `PRIVATE KEY`)"),
            (format!("{BLOCK}\n# and\n{private}{BLOCK}"), "and 1 more"),
            (BLOCK.replace("END PUBLIC", "END PRIVATE"), "ends as"),
            (BLOCK.replace("-----END PUBLIC KEY-----\n", ""), "cut off"),
            (BLOCK.replace("-----END PUBLIC KEY-----", "-----END PUBLIC KEY"), "isn't complete"),
            (BLOCK.replace("BEGIN PUBLIC KEY-----", "BEGIN PUBLIC KEY"), "isn't complete"),
            ("-----END PUBLIC KEY-----".to_owned(), "no BEGIN line"),
            (format!("x -----BEGIN PUBLIC KEY-----\n{}", &BLOCK[27..]), "no BEGIN line"),
            ("-----BEGIN PUBLIC KEY-----\n\n-----END PUBLIC KEY-----".to_owned(), "is empty"),
            (BLOCK.replace("AAEC", "Proc-Type: 4,ENCRYPTED\n\nAAEC"), "header lines"),
            (BLOCK.replace("AAEC", "AA*C"), "not base64"),
            (BLOCK.replace("==", "="), "not base64"),
            (BLOCK.replace("ODw==", "ODx=="), "not base64"),
            (BLOCK.replace("AAEC", "AA==AAEC"), "not base64"),
            (BLOCK.replace("PUBLIC KEY", "MYSTERY"), "label `MYSTERY` is none of"),
            (BLOCK.replace("PUBLIC KEY", "PUBLIC\u{1b}[31mKEY"), "isn't complete"),
        ] {
            let reason = reason(&text);
            assert!(reason.contains(words), "{reason:?} should say {words:?} of {text:?}");
        }
    }

    #[test]
    fn a_text_cut_anywhere_is_refused() {
        let whole = BLOCK.trim_end();
        for cut in 0..whole.len() {
            assert!(read(&whole.as_bytes()[..cut]).is_err(), "{:?}", &whole[..cut]);
        }
    }

    #[test]
    fn other_blocks_are_named() {
        for (label, words) in [
            ("RSA PRIVATE KEY", "PKCS#1"),
            ("EC PRIVATE KEY", "SEC 1"),
            ("OPENSSH PRIVATE KEY", "OpenSSH"),
            ("CERTIFICATE REQUEST", "-pubkey"),
            ("TRUSTED CERTIFICATE", "openssl x509"),
        ] {
            let reason = reason(&BLOCK.replace("PUBLIC KEY", label));
            assert!(reason.contains(words) && reason.contains("ML-DSA, SLH-DSA or Ed25519"), "{reason}");
        }
    }
}
