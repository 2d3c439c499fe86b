//! The messages of the adapter protocol, for both of its ends.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pqsig::{Algorithm, HashAlgorithm};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Randomness};
use crate::peer::{Ability, Operation};

mod fields;

/// The protocol's version.
pub const VERSION: u32 = 1;

/// What the suite asks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Request {
    /// Who answers, and what it can do. Always the first request.
    Hello {
        /// [`VERSION`].
        protocol: u32,
    },
    /// A key pair.
    Keygen {
        /// The algorithm.
        #[serde(with = "crate::text")]
        algorithm: Algorithm,
        /// The seed; `None`: fresh randomness.
        #[serde(default, with = "fields::optional_hex", skip_serializing_if = "Option::is_none")]
        seed: Option<Vec<u8>>,
    },
    /// The public key of a private one.
    Public {
        /// The algorithm.
        #[serde(with = "crate::text")]
        algorithm: Algorithm,
        /// The private key.
        private: Key,
    },
    /// A signature.
    Sign {
        /// The algorithm.
        #[serde(with = "crate::text")]
        algorithm: Algorithm,
        /// The private key.
        private: Key,
        /// What is signed.
        #[serde(flatten, with = "fields::message")]
        message: Message,
        /// With which randomness.
        #[serde(with = "crate::text")]
        randomness: Randomness,
    },
    /// Whether a signature is valid.
    Verify {
        /// The algorithm.
        #[serde(with = "crate::text")]
        algorithm: Algorithm,
        /// The public key.
        public: Key,
        /// What is signed.
        #[serde(flatten, with = "fields::message")]
        message: Message,
        /// The signature, of any length.
        #[serde(with = "hex::serde")]
        signature: Vec<u8>,
    },
}

#[derive(Serialize)]
struct Framed<'a, T> {
    id: u64,
    #[serde(flatten)]
    body: &'a T,
}

impl Request {
    /// The request as a line, with its newline.
    ///
    /// # Errors
    /// What the serializer reports; it has no reason to.
    pub fn to_line(&self, id: u64) -> Result<Vec<u8>, serde_json::Error> {
        to_line(id, self)
    }

    /// Reads a request and its id.
    ///
    /// # Errors
    /// What is wrong with the line, and its id if it has one.
    pub fn from_line(line: &[u8]) -> Result<(u64, Request), (Option<u64>, String)> {
        let value: Value = serde_json::from_slice(line).map_err(|error| (None, error.to_string()))?;
        let id = value.get("id").and_then(Value::as_u64).ok_or((None, "a request has an id".to_owned()))?;
        match serde_json::from_value(value) {
            Ok(request) => Ok((id, request)),
            Err(error) => Err((Some(id), error.to_string())),
        }
    }
}

/// What an adapter answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Response {
    /// To hello.
    Hello(Hello),
    /// To keygen.
    Pair(Pair),
    /// To public.
    Public(Public),
    /// To sign.
    Signature(Signature),
    /// To verify.
    Valid(Valid),
    /// To any request.
    Error {
        /// Why there is no result.
        error: Failure,
    },
}

impl Response {
    /// The response as a line, with its newline.
    ///
    /// # Errors
    /// What the serializer reports; it has no reason to.
    pub fn to_line(&self, id: u64) -> Result<Vec<u8>, serde_json::Error> {
        to_line(id, self)
    }
}

fn to_line<T: Serialize>(id: u64, body: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut line = serde_json::to_vec(&Framed { id, body })?;
    line.push(b'\n');
    Ok(line)
}

/// A key pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The private key.
    pub private: Key,
    /// The public key.
    pub public: Key,
}

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Public {
    /// The key.
    pub public: Key,
}

/// A signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The standard's encoding.
    #[serde(with = "hex::serde")]
    pub signature: Vec<u8>,
}

/// Whether a signature is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Valid {
    /// True if it is.
    pub valid: bool,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What it counts as.
    pub kind: FailureKind,
    /// In words.
    #[serde(default)]
    pub reason: String,
}

impl Failure {
    /// The input is not what the standard allows.
    pub fn refused(reason: impl Into<String>) -> Self {
        Failure { kind: FailureKind::Refused, reason: reason.into() }
    }

    /// The adapter does not know how.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Failure { kind: FailureKind::Unsupported, reason: reason.into() }
    }

    /// The adapter broke.
    pub fn failed(reason: impl Into<String>) -> Self {
        Failure { kind: FailureKind::Failed, reason: reason.into() }
    }
}

/// The kinds of [`Failure`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The input is not what the standard allows: counts as rejected.
    Refused,
    /// The adapter does not know how.
    Unsupported,
    /// The adapter broke: never a rejection.
    Failed,
}

/// A key on its way: [`EncodedKey`] without the algorithm, which stands in the request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// How the bytes are to be read.
    #[serde(with = "crate::text")]
    pub form: KeyForm,
    /// The key.
    #[serde(with = "hex::serde")]
    pub bytes: Vec<u8>,
}

impl Key {
    /// The key together with its algorithm.
    #[must_use]
    pub fn of(self, algorithm: Algorithm) -> EncodedKey {
        EncodedKey { algorithm, form: self.form, bytes: self.bytes }
    }
}

impl From<&EncodedKey> for Key {
    fn from(key: &EncodedKey) -> Self {
        Key { form: key.form, bytes: key.bytes.clone() }
    }
}

/// Who answers, and what it can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// [`VERSION`].
    pub protocol: u32,
    /// What the adapter calls itself: see [`check_name`].
    pub name: String,
    /// The implementation's own words.
    pub version: String,
    /// The code family that the implementation descends from.
    pub lineage: String,
    /// Absolute paths of the files and folders that do the work.
    #[serde(default)]
    pub artifacts: Vec<PathBuf>,
    /// What it can do with which algorithm.
    #[serde(with = "fields::abilities")]
    pub algorithms: BTreeMap<Algorithm, Ability>,
}

impl Hello {
    /// Reads the reply to hello, and holds it against the protocol's rules.
    ///
    /// # Errors
    /// What is wrong, in words for the adapter's author.
    pub fn parse(mut reply: Map<String, Value>) -> Result<Hello, String> {
        reply.remove("id");
        let spoken = reply.get("protocol").and_then(Value::as_u64);
        if spoken != Some(u64::from(VERSION)) {
            let spoken = spoken.map_or_else(|| "another protocol".to_owned(), |n| format!("protocol {n}"));
            return Err(format!("it speaks {spoken}, not protocol {VERSION}"));
        }
        let hello: Hello = serde_json::from_value(Value::Object(reply)).map_err(|error| error.to_string())?;
        check_name(&hello.name)?;
        if hello.lineage.is_empty() {
            return Err("lineage is empty: independent code gives its own name".to_owned());
        }
        if let Some(path) = hello.artifacts.iter().find(|path| !path.is_absolute()) {
            return Err(format!("the artifact {} is not an absolute path", path.display()));
        }
        for (algorithm, ability) in &hello.algorithms {
            check_ability(ability).map_err(|error| format!("{algorithm}: {error}"))?;
        }
        Ok(hello)
    }
}

/// Whether a name is one to go by in a run: lower case letters, digits and hyphens.
///
/// # Errors
/// The name, and what would be right.
pub fn check_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.is_empty() && name.len() <= 40 && name.chars().all(allowed) {
        Ok(())
    } else {
        let shown: String = name.chars().take(40).collect();
        Err(format!(
            "the name `{}` is none: it has 1 to 40 lower case letters, digits and hyphens",
            shown.escape_debug()
        ))
    }
}

/// What can't be asked for would never be tested, and nobody would notice.
fn check_ability(ability: &Ability) -> Result<(), String> {
    let claims = |operation: Operation| ability.operations.contains(&operation);
    let takes = |public: bool| ability.keys.iter().any(|form| form.is_public() == public);
    for operation in [Operation::Public, Operation::Sign] {
        if claims(operation) && !takes(false) {
            return Err(format!("`{}` without a form of private keys in `keys`", operation.name()));
        }
    }
    if claims(Operation::Verify) && !takes(true) {
        return Err("`verify` without a form of public keys in `keys`".to_owned());
    }
    let randomness = ability.hedged || ability.deterministic || ability.fixed_randomness;
    if claims(Operation::Sign) && !randomness {
        return Err("`sign` without one of `hedged`, `deterministic`, `fixed_randomness`".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
