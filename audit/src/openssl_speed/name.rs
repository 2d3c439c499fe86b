//! What is timed, under one name whichever version and stream calls it.

/// A table of stdout, or two that print alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Table {
    Rsa,
    Dsa,
    /// ECDSA, and EdDSA and SM2, which 4.0 prints in the same table.
    Ecdsa,
    Ecdh,
    Ffdh,
    Kem,
    Signature,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operation {
    Keygen,
    Sign,
    Verify,
    Encaps,
    Decaps,
    Derive,
    Encrypt,
    Decrypt,
}

impl Operation {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Sign => "sign",
            Operation::Verify => "verify",
            Operation::Encaps => "encaps",
            Operation::Decaps => "decaps",
            Operation::Derive => "derive",
            Operation::Encrypt => "encrypt",
            Operation::Decrypt => "decrypt",
        }
    }

    /// The word of a phase's beginning or end.
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "keygen" => Operation::Keygen,
            "sign" | "signs" => Operation::Sign,
            "verify" => Operation::Verify,
            "encaps" => Operation::Encaps,
            "decaps" => Operation::Decaps,
            "encrypt" => Operation::Encrypt,
            "decrypt" => Operation::Decrypt,
            _ => return None,
        })
    }
}

impl Table {
    /// The operations that a row has at the least (encryption came to RSA's rows later).
    pub(super) const fn operations(self) -> &'static [Operation] {
        match self {
            Table::Rsa | Table::Dsa | Table::Ecdsa => &[Operation::Sign, Operation::Verify],
            Table::Ecdh | Table::Ffdh => &[Operation::Derive],
            Table::Kem => &[Operation::Keygen, Operation::Encaps, Operation::Decaps],
            Table::Signature => &[Operation::Keygen, Operation::Sign, Operation::Verify],
        }
    }
}

/// What a phase is of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subject {
    /// `None`: KEM or signature. Where a keygen begins, nothing tells.
    pub(super) table: Option<Table>,
    /// For a KEM or a signature as printed, otherwise as in [`super::Phase::algorithm`].
    pub(super) algorithm: String,
    pub(super) operation: Operation,
}

impl Subject {
    fn new(table: Table, algorithm: String, operation: Operation) -> Self {
        Subject { table: Some(table), algorithm, operation }
    }

    /// `2048`, `private rsa sign`: what begins, in a classic table.
    pub(super) fn begun(bits: &str, words: &[&str]) -> Option<Self> {
        let bits = size(bits)?;
        Some(match *words {
            ["private" | "public", "rsa", operation] => Subject::rsa(bits, operation)?,
            [operation, "dsa"] => Subject::dsa(bits, operation)?,
            [operation, "ecdsa"] => Subject::new(Table::Ecdsa, signing_size(bits), signature(operation)?),
            [operation, curve] => Subject::signing(curve, operation)?,
            ["ecdh"] => Subject::agreeing_size(bits),
            ["ffdh"] => Subject::ffdh(bits),
            [curve] => Subject::agreeing(curve)?,
            _ => return None,
        })
    }

    /// `ML-DSA-65`, `signs`: what begins, among KEMs and signatures.
    pub(super) fn begun_by_name(algorithm: &str, operation: &str) -> Option<Self> {
        let operation = Operation::parse(operation)?;
        let table = match operation {
            Operation::Keygen => None,
            Operation::Encaps | Operation::Decaps => Some(Table::Kem),
            Operation::Sign | Operation::Verify => Some(Table::Signature),
            Operation::Derive | Operation::Encrypt | Operation::Decrypt => return None,
        };
        Some(Subject { table, algorithm: name(algorithm)?, operation })
    }

    /// `2048 bits private RSA sign`, `ML-DSA-65 signature sign`: what has ended.
    pub(super) fn ended(words: &[&str]) -> Option<Self> {
        Some(match *words {
            [algorithm, "KEM", operation] => Subject::kem(algorithm, Operation::parse(operation)?)?,
            [algorithm, "signature", operation] => {
                Subject::signature(algorithm, Operation::parse(operation)?)?
            }
            [bits, "bits", "private" | "public", "RSA", operation] => Subject::rsa(size(bits)?, operation)?,
            [bits, "bits", "DSA", operation] => Subject::dsa(size(bits)?, operation)?,
            [bits, "bits", "ECDSA", operation] => Subject::ecdsa_of_size(bits, operation)?,
            [bits, "bits", curve, operation] => {
                size(bits).and_then(|_| Subject::signing(curve, operation))?
            }
            [bits, "ECDH"] => Subject::agreeing_size(size(bits.strip_suffix("-bits")?)?),
            [bits, "FFDH"] => Subject::ffdh(size(bits.strip_suffix("-bits")?)?),
            [curve, operation] => Subject::signing(curve, operation)?,
            [curve] => Subject::agreeing(curve)?,
            _ => return None,
        })
    }

    pub(super) fn kem(algorithm: &str, operation: Operation) -> Option<Self> {
        let known = Table::Kem.operations().contains(&operation);
        if known { Some(Subject::new(Table::Kem, name(algorithm)?, operation)) } else { None }
    }

    pub(super) fn signature(algorithm: &str, operation: Operation) -> Option<Self> {
        let known = Table::Signature.operations().contains(&operation);
        if known { Some(Subject::new(Table::Signature, name(algorithm)?, operation)) } else { None }
    }

    pub(super) fn rsa(bits: u32, operation: &str) -> Option<Self> {
        let operation = match Operation::parse(operation)? {
            Operation::Keygen | Operation::Encaps | Operation::Decaps => return None,
            operation => operation,
        };
        Some(Subject::new(Table::Rsa, rsa(bits), operation))
    }

    pub(super) fn dsa(bits: u32, operation: &str) -> Option<Self> {
        Some(Subject::new(Table::Dsa, dsa(bits), signature(operation)?))
    }

    /// ECDSA on a curve of which only the size is told.
    pub(super) fn ecdsa_of_size(bits: &str, operation: &str) -> Option<Self> {
        Some(Subject::new(Table::Ecdsa, signing_size(size(bits)?), signature(operation)?))
    }

    /// ECDSA on a curve, or EdDSA or SM2.
    pub(super) fn signing(curve: &str, operation: &str) -> Option<Self> {
        Some(Subject::new(Table::Ecdsa, signing_curve(curve)?, signature(operation)?))
    }

    /// Diffie-Hellman on a curve of which only the size is told.
    pub(super) fn agreeing_size(bits: u32) -> Self {
        Subject::new(Table::Ecdh, agreeing_size(bits), Operation::Derive)
    }

    pub(super) fn agreeing(curve: &str) -> Option<Self> {
        Some(Subject::new(Table::Ecdh, agreeing_curve(curve)?, Operation::Derive))
    }

    pub(super) fn ffdh(bits: u32) -> Self {
        Subject::new(Table::Ffdh, ffdh(bits), Operation::Derive)
    }
}

fn signature(operation: &str) -> Option<Operation> {
    Operation::parse(operation).filter(|operation| matches!(operation, Operation::Sign | Operation::Verify))
}

pub(super) fn rsa(bits: u32) -> String {
    format!("RSA-{bits}")
}

pub(super) fn dsa(bits: u32) -> String {
    format!("DSA-{bits}")
}

pub(super) fn ffdh(bits: u32) -> String {
    format!("FFDH-{bits}")
}

/// The algorithm of a curve that signs.
pub(super) fn signing_curve(curve: &str) -> Option<String> {
    let curve = name(curve)?;
    Some(match curve.as_str() {
        "Ed25519" | "Ed448" | "SM2" => curve,
        "CurveSM2" => "SM2".to_owned(),
        _ => format!("ECDSA-{}", familiar(&curve)),
    })
}

/// The same where only the size is told.
pub(super) fn signing_size(bits: u32) -> String {
    match bits {
        253 => "Ed25519".to_owned(),
        456 => "Ed448".to_owned(),
        _ => format!("ECDSA-{bits}"),
    }
}

/// The algorithm of a curve that agrees on keys.
pub(super) fn agreeing_curve(curve: &str) -> Option<String> {
    let curve = name(curve)?;
    Some(match curve.as_str() {
        "X25519" | "X448" => curve,
        _ => format!("ECDH-{}", familiar(&curve)),
    })
}

/// The same where only the size is told.
pub(super) fn agreeing_size(bits: u32) -> String {
    match bits {
        253 => "X25519".to_owned(),
        448 => "X448".to_owned(),
        _ => format!("ECDH-{bits}"),
    }
}

/// Whether only the size of the curve is told.
pub(super) fn is_of_size(algorithm: &str) -> bool {
    let size = algorithm.strip_prefix("ECDSA-").or_else(|| algorithm.strip_prefix("ECDH-"));
    size.is_some_and(|size| size.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a KEM or a signature is called in a phase, so that it is not taken for another that is timed apart.
pub(super) fn public(table: Option<Table>, algorithm: &str) -> String {
    match (table, algorithm.strip_prefix("rsa")) {
        (Some(Table::Kem), Some(bits)) if size(bits).is_some() => format!("RSASVE-{bits}"),
        _ => algorithm.to_owned(),
    }
}

/// 3.x's name of a curve that 4.0 calls otherwise.
fn familiar(curve: &str) -> &str {
    match curve {
        "prime192v1" => "nistp192",
        "secp224r1" => "nistp224",
        "prime256v1" => "nistp256",
        "secp384r1" => "nistp384",
        "secp521r1" => "nistp521",
        "sect163k1" => "nistk163",
        "sect233k1" => "nistk233",
        "sect283k1" => "nistk283",
        "sect409k1" => "nistk409",
        "sect571k1" => "nistk571",
        "sect163r2" => "nistb163",
        "sect233r1" => "nistb233",
        "sect283r1" => "nistb283",
        "sect409r1" => "nistb409",
        "sect571r1" => "nistb571",
        _ => curve,
    }
}

/// A number of bits.
pub(super) fn size(text: &str) -> Option<u32> {
    let plain = (1..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { text.parse().ok() } else { None }
}

/// A name that a library could give an algorithm. Others can't be told from damage, and may not reach a CSV.
pub(super) fn name(text: &str) -> Option<String> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+".contains(&byte);
    let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    (begins && text.len() <= 64 && text.bytes().all(fits)).then(|| text.to_owned())
}
