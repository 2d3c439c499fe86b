//! What is signed, as it travels between programs.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use pqsig::{Context, Digest, Error, HashAlgorithm, hazmat};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How a message is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// The message itself: ML-DSA.Sign, slh_sign, Ed25519.
    Pure,
    /// The message's digest by this function: HashML-DSA, HashSLH-DSA, Ed25519ph.
    PreHash(HashAlgorithm),
    /// The message is mu, 64 bytes (FIPS 204, Algorithm 7 line 6).
    ExternalMu,
    /// The message is M' (FIPS 204, Algorithm 7; FIPS 205, Algorithm 19).
    Internal,
}

/// `pure`, `pre-hash:SHA-512`, `external-mu`, `internal`.
impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Pure => f.write_str("pure"),
            Mode::PreHash(hash) => write!(f, "pre-hash:{hash}"),
            Mode::ExternalMu => f.write_str("external-mu"),
            Mode::Internal => f.write_str("internal"),
        }
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        match given.split_once(':') {
            Some(("pre-hash", hash)) => Ok(Mode::PreHash(hash.parse().map_err(|e: Error| e.to_string())?)),
            None if given == "pure" => Ok(Mode::Pure),
            None if given == "external-mu" => Ok(Mode::ExternalMu),
            None if given == "internal" => Ok(Mode::Internal),
            _ => Err(format!("unknown mode `{given}`: pure, pre-hash:HASH, external-mu or internal")),
        }
    }
}

/// A message with its mode and context. The context may be longer than the standards allow, to see who refuses.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Message {
    /// How it is signed.
    #[serde(with = "crate::text")]
    pub mode: Mode,
    /// The context; always empty with [`Mode::ExternalMu`] and [`Mode::Internal`].
    #[serde(default, with = "hex::serde", skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<u8>,
    /// The message, mu or M'.
    #[serde(serialize_with = "to_hex", deserialize_with = "from_hex")]
    pub data: Arc<[u8]>,
}

fn to_hex<S: Serializer>(data: &Arc<[u8]>, serializer: S) -> Result<S::Ok, S::Error> {
    hex::serde::serialize(data, serializer)
}

fn from_hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<[u8]>, D::Error> {
    let text = String::deserialize(deserializer)?;
    hex::decode(text).map(Arc::from).map_err(de::Error::custom)
}

impl Message {
    /// A message of the pure mode without a context.
    #[must_use]
    pub fn pure(data: impl Into<Arc<[u8]>>) -> Self {
        Message { mode: Mode::Pure, context: Vec::new(), data: data.into() }
    }

    /// The same message with this context.
    #[must_use]
    pub fn with_context(mut self, context: impl Into<Vec<u8>>) -> Self {
        self.context = context.into();
        self
    }

    /// The same message in this mode.
    #[must_use]
    pub fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Calls a function with the message in the core's terms.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`], [`Error::MuLength`], and what the function reports.
    pub fn in_core<T>(&self, f: impl FnOnce(&pqsig::Message<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let context = Context::new(&self.context)?;
        match self.mode {
            Mode::Pure => f(&pqsig::Message::Pure { message: &self.data, context }),
            Mode::PreHash(hash) => {
                let digest: Digest = hash.digest(&self.data);
                f(&pqsig::Message::PreHashed { digest: &digest, context })
            }
            Mode::ExternalMu => {
                let mu = <&[u8; 64]>::try_from(&self.data[..])
                    .map_err(|_| Error::MuLength { actual: self.data.len() })?;
                f(&pqsig::Message::ExternalMu(mu))
            }
            Mode::Internal => f(&hazmat::internal_message(&self.data)),
        }
    }
}

/// Where a signature's randomness comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Randomness {
    /// Fresh for each signature.
    Hedged,
    /// None.
    Deterministic,
    /// These bytes, for vectors: rnd of ML-DSA (32 bytes), addrnd of SLH-DSA (n bytes).
    Fixed(Vec<u8>),
}

/// `hedged`, `deterministic`, or the given bytes in hexadecimal.
impl fmt::Display for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Randomness::Hedged => f.write_str("hedged"),
            Randomness::Deterministic => f.write_str("deterministic"),
            Randomness::Fixed(bytes) => f.write_str(&hex::encode(bytes)),
        }
    }
}

impl FromStr for Randomness {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        match given {
            "hedged" => Ok(Randomness::Hedged),
            "deterministic" => Ok(Randomness::Deterministic),
            bytes => hex::decode(bytes).map(Randomness::Fixed).map_err(|_| {
                format!("unknown randomness `{given}`: hedged, deterministic or hexadecimal bytes")
            }),
        }
    }
}

impl Randomness {
    pub(crate) fn in_core(&self) -> pqsig::Randomness<'_> {
        match self {
            Randomness::Hedged => pqsig::Randomness::Hedged,
            Randomness::Deterministic => pqsig::Randomness::Deterministic,
            Randomness::Fixed(bytes) => hazmat::fixed_randomness(bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_and_randomness_read_back() {
        let modes = HashAlgorithm::ALL.into_iter().map(Mode::PreHash);
        for mode in modes.chain([Mode::Pure, Mode::ExternalMu, Mode::Internal]) {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        for randomness in [Randomness::Hedged, Randomness::Deterministic, Randomness::Fixed(vec![1, 255])] {
            assert_eq!(randomness.to_string().parse(), Ok(randomness));
        }
        assert!("pre-hash".parse::<Mode>().is_err());
        assert!("pre-hash:MD5".parse::<Mode>().is_err());
        assert!("xy".parse::<Randomness>().is_err());
    }

    #[test]
    fn a_message_reads_back() {
        let message =
            Message::pure(*b"abc").with_mode(Mode::PreHash(HashAlgorithm::Sha512)).with_context(*b"c");
        let text = serde_json::to_string(&message).unwrap();
        assert_eq!(text, r#"{"mode":"pre-hash:SHA-512","context":"63","data":"616263"}"#);
        assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), message);
    }

    #[test]
    fn what_the_standards_forbid_is_an_error() {
        let long = Message::pure(*b"").with_context([0; 256]);
        assert!(matches!(long.in_core(|_| Ok(())), Err(Error::ContextTooLong { actual: 256 })));
        let short = Message::pure([0; 63]).with_mode(Mode::ExternalMu);
        assert!(matches!(short.in_core(|_| Ok(())), Err(Error::MuLength { actual: 63 })));
    }
}
