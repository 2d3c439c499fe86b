//! What OpenSSL says on stderr when something fails, and how it is quoted.

use super::name;

/// A set-up that failed: OpenSSL goes on without what is named here.
#[derive(Debug, PartialEq)]
pub(super) struct Failure {
    /// An algorithm, or its kind where OpenSSL names no more.
    pub(super) algorithm: String,
    pub(super) operation: Option<&'static str>,
    /// What follows, besides.
    pub(super) consequence: &'static str,
}

/// Recognises a set-up that failed.
pub(super) fn failure(text: &str) -> Option<Failure> {
    unknown_algorithm(text).or_else(|| of_a_name(text)).or_else(|| of_a_kind(text))
}

/// `speed: Unknown algorithm ML-DSA-99`
fn unknown_algorithm(text: &str) -> Option<Failure> {
    let (_, algorithm) = text.split_once(": Unknown algorithm ")?;
    let consequence = "; openssl then times nothing at all";
    Some(Failure { algorithm: name::name(algorithm)?, operation: None, consequence })
}

/// `Error initializing keygen ctx for ML-DSA-65.`
fn of_a_name(text: &str) -> Option<Failure> {
    const BEGINNINGS: [&str; 7] = [
        "Error ",
        "MemAlloc ",
        "Encaps error ",
        "Decaps error ",
        "Signing error ",
        "Verify error ",
        "Verify 2 error ",
    ];
    if !BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) {
        return None;
    }
    let (_, algorithm) = text.strip_suffix('.')?.rsplit_once(" for ")?;
    let consequence = "; openssl then drops every later algorithm of its table, too";
    Some(Failure { algorithm: name::name(algorithm)?, operation: None, consequence })
}

/// `RSA sign setup failure.  No RSA sign will be done.`, `ECDH key generation failure.`
fn of_a_kind(text: &str) -> Option<Failure> {
    let consequence = "; openssl may then drop every later algorithm of its table, too";
    if text == "Error while generating KEM EVP_PKEY." {
        return Some(Failure { algorithm: "KEM".to_owned(), operation: None, consequence });
    }
    let (kind, rest) = text.split_once(' ')?;
    let operation = ["sign", "verify", "encrypt", "decrypt"].into_iter().find(|operation| {
        let rest = rest.strip_prefix(operation);
        rest.is_some_and(|rest| rest.starts_with(" setup failure.") || rest.starts_with(" failure.  No "))
    });
    let whole = match kind {
        "EdDSA" => rest == "failure.",
        "SM2" => rest == "init failure.",
        "ECDH" | "FFDH" => {
            matches!(rest, "key generation failure." | "computation failure." | "computations don't match.")
        }
        _ => false,
    };
    if operation.is_none() && !whole {
        return None;
    }
    // 4.0 names the curve here.
    let algorithm = match kind {
        "RSA" | "DSA" | "ECDSA" | "EdDSA" | "ECDH" | "FFDH" => kind.to_owned(),
        curve => name::signing_curve(curve)?,
    };
    Some(Failure { algorithm, operation, consequence })
}

/// Whether a child of `-multi` failed: `Child exited with 1`.
pub(super) fn is_of_child(text: &str) -> bool {
    text.starts_with("Child exited with ") || text.starts_with("Child terminated by signal ")
}

/// A stranger's text for a line of ours: cut, and without what a terminal would obey.
pub(super) fn escaped(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (taken, character) in text.trim().chars().enumerate() {
        if taken == longest {
            shown.push_str("...");
            break;
        }
        // Marks that turn the direction of writing are no control characters, but they hide text as well.
        let hidden =
            matches!(character, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || hidden {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// The same between backticks.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", escaped(text, 80))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<(String, Option<&'static str>)> {
        failure(text).map(|failure| (failure.algorithm, failure.operation))
    }

    #[test]
    fn failures_are_recognised() {
        for (text, algorithm, operation) in [
            ("speed: Unknown algorithm ML-DSA-99", "ML-DSA-99", None),
            ("Error initializing keygen ctx for ML-DSA-65.", "ML-DSA-65", None),
            ("Error while initializing signing data structs for ML-DSA-65.", "ML-DSA-65", None),
            ("Verify 2 error for ML-DSA-65.", "ML-DSA-65", None),
            ("Decaps error for ML-KEM-768.", "ML-KEM-768", None),
            ("Error while generating KEM EVP_PKEY.", "KEM", None),
            ("RSA sign setup failure.  No RSA sign will be done.", "RSA", Some("sign")),
            ("RSA decrypt setup failure.  No RSA decrypt will be done.", "RSA", Some("decrypt")),
            ("EdDSA verify failure.  No EdDSA verify will be done.", "EdDSA", Some("verify")),
            (
                "prime256v1 sign setup failure.  No prime256v1 signing will be done.",
                "ECDSA-nistp256",
                Some("sign"),
            ),
            ("EdDSA failure.", "EdDSA", None),
            ("ECDH computations don't match.", "ECDH", None),
        ] {
            assert_eq!(told(text), Some((algorithm.to_owned(), operation)), "{text}");
        }
    }

    #[test]
    fn other_words_are_none() {
        for text in [
            "",
            "Error",
            "Error opening the configuration for all",
            "RSA sign failure",
            "SIG sign failure at count 0",
            "To get meaningful results, run this program on idle system.",
        ] {
            assert_eq!(failure(text), None, "{text}");
        }
    }

    #[test]
    fn quotations_are_harmless() {
        assert_eq!(quoted("\x1b[2Jab\u{202e}"), "`\\u{1b}[2Jab\\u{202e}`");
        assert_eq!(escaped("abcdef", 3), "abc...");
    }
}
