//! The protocol's requests and replies, as far as this library has use for them.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::scheme::SCHEMES;

/// What may be asked. Fields that an operation has no use for are absent.
#[derive(Deserialize)]
pub(crate) struct Request {
    pub(crate) id: Value,
    pub(crate) op: Operation,
    pub(crate) algorithm: Option<String>,
    pub(crate) seed: Option<Bytes>,
    private: Option<Key>,
    public: Option<Key>,
    mode: Option<String>,
    context: Option<Bytes>,
    message: Option<Bytes>,
    randomness: Option<String>,
    signature: Option<Bytes>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Operation {
    Hello,
    Keygen,
    Sign,
    Verify,
    #[serde(other)]
    Unknown,
}

/// Bytes in hexadecimal.
#[derive(Deserialize, Serialize)]
pub(crate) struct Bytes(#[serde(with = "hex::serde")] pub(crate) Vec<u8>);

/// A key as it travels.
#[derive(Deserialize, Serialize)]
pub(crate) struct Key {
    form: String,
    bytes: Bytes,
}

/// The forms that the library knows.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    Seed,
    Expanded,
    Public,
}

impl Form {
    const ALL: [Form; 3] = [Form::Seed, Form::Expanded, Form::Public];

    fn name(self) -> &'static str {
        match self {
            Form::Seed => "raw:seed",
            Form::Expanded => "raw:expanded",
            Form::Public => "raw:public",
        }
    }
}

impl Key {
    pub(crate) fn new(form: Form, bytes: &[u8]) -> Self {
        Key { form: form.name().to_owned(), bytes: Bytes(bytes.to_vec()) }
    }

    pub(crate) fn read(&self) -> Result<(Form, &[u8]), Error> {
        let form = Form::ALL.into_iter().find(|form| form.name() == self.form);
        form.map(|form| (form, &self.bytes.0[..])).ok_or_else(|| Error::unsupported(&self.form))
    }
}

/// A message of the pure mode, with its context: the library's only one.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) context: &'a [u8],
    pub(crate) data: &'a [u8],
}

/// Where a signature's randomness comes from.
pub(crate) enum Randomness {
    Hedged,
    Deterministic,
    Given(Vec<u8>),
}

impl Request {
    pub(crate) fn private(&self) -> Result<&Key, Error> {
        self.private.as_ref().ok_or_else(|| Error::lacking("private"))
    }

    pub(crate) fn public(&self) -> Result<&Key, Error> {
        self.public.as_ref().ok_or_else(|| Error::lacking("public"))
    }

    pub(crate) fn message(&self) -> Result<Message<'_>, Error> {
        match self.mode.as_deref() {
            Some("pure") => {}
            Some(other) => return Err(Error::unsupported(other)),
            None => return Err(Error::lacking("mode")),
        }
        let context = self.context.as_ref().map_or(&[][..], |context| &context.0);
        let data = &self.message.as_ref().ok_or_else(|| Error::lacking("message"))?.0;
        Ok(Message { context, data })
    }

    pub(crate) fn randomness(&self) -> Result<Randomness, Error> {
        match self.randomness.as_deref() {
            Some("hedged") => Ok(Randomness::Hedged),
            Some("deterministic") => Ok(Randomness::Deterministic),
            Some(digits) => hex::decode(digits).map(Randomness::Given).map_err(Error::failed),
            None => Err(Error::lacking("randomness")),
        }
    }

    pub(crate) fn signature(&self) -> Result<&[u8], Error> {
        self.signature.as_ref().map(|signature| &signature.0[..]).ok_or_else(|| Error::lacking("signature"))
    }
}

/// A reply without its number.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Reply {
    Hello(Hello),
    KeyPair { private: Key, public: Key },
    Signature { signature: Bytes },
    Verdict { valid: bool },
}

/// Who answers, and what it can do.
#[derive(Serialize)]
pub(crate) struct Hello {
    protocol: u32,
    name: &'static str,
    version: String,
    lineage: &'static str,
    artifacts: Vec<String>,
    algorithms: BTreeMap<&'static str, Value>,
}

const CRATE: &str = "qp-rusty-crystals-dilithium";

impl Hello {
    pub(crate) fn new() -> Result<Self, Error> {
        let program = std::env::current_exe().map_err(Error::failed)?;
        let ability = json!({
            "operations": ["keygen", "sign", "verify"],
            "keys": [Form::Expanded.name(), Form::Seed.name(), Form::Public.name()],
            "context": true,
            "hedged": true,
            "deterministic": true,
            "fixed_randomness": true,
            "seed_keygen": true,
        });
        Ok(Hello {
            protocol: 1,
            name: "quantus",
            version: format!(
                "{CRATE} {}",
                linked_version().ok_or_else(|| Error::failed("no version in Cargo.lock"))?
            ),
            lineage: "pq-crystals",
            artifacts: vec![program.display().to_string()],
            algorithms: SCHEMES.iter().map(|scheme| (scheme.name, ability.clone())).collect(),
        })
    }
}

/// The crate has no function that tells its version; the lock that this program was built from does.
fn linked_version() -> Option<&'static str> {
    let lock = include_str!("../Cargo.lock");
    let (_, entry) = lock.split_once(&format!("name = \"{CRATE}\"\nversion = \""))?;
    entry.split('"').next()
}

/// Why there is no result.
#[derive(Serialize)]
pub(crate) struct Error {
    kind: &'static str,
    reason: String,
}

impl Error {
    /// The library will have none of what it was given.
    pub(crate) fn refused(reason: impl Display) -> Self {
        Error { kind: "refused", reason: reason.to_string() }
    }

    /// The library does not know how.
    pub(crate) fn unsupported(what: impl Display) -> Self {
        Error { kind: "unsupported", reason: what.to_string() }
    }

    /// It broke, or the request did.
    pub(crate) fn failed(reason: impl Display) -> Self {
        Error { kind: "failed", reason: reason.to_string() }
    }

    fn lacking(field: &str) -> Self {
        Error::failed(format!("the request has no `{field}`"))
    }
}

/// The reply as it is sent.
pub(crate) fn numbered(id: Option<Value>, reply: Result<Reply, Error>) -> Value {
    let written = match reply {
        Ok(reply) => serde_json::to_value(reply),
        Err(error) => Ok(json!({ "error": error })),
    };
    let mut reply = written.unwrap_or_else(|error| json!({ "error": Error::failed(error) }));
    reply["id"] = id.unwrap_or(Value::Null);
    reply
}
