//! Responses and expected results: what was answered, and what is right.

use std::collections::BTreeMap;

use pqsig::{Algorithm, Family};
use sha2::{Digest, Sha256};

use super::error::{Error, Place};
use super::head::{Head, Task};
use super::prompt::bytes;
use super::wire;
use crate::layout::{Blob, Difference, first_difference};

/// A case's numbers: tgId and tcId.
pub type Key = (u64, u64);

/// What an implementation answers to a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// keyGen: the standard's encodings of both keys.
    KeyPair {
        /// The public key.
        pk: Vec<u8>,
        /// The private key, expanded.
        sk: Vec<u8>,
    },
    /// sigGen.
    Signature(Vec<u8>),
    /// sigVer: whether the signature is valid.
    Verdict(bool),
}

/// Somebody's response.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Its head.
    pub head: Head,
    /// The answers by their numbers. An answer that can't be read is its reason: it is wrong, and the others are not.
    pub answers: BTreeMap<Key, Result<Outcome, String>>,
}

impl Response {
    /// Reads a response: the object itself, or NIST's array `[{"acvVersion": ...}, {...}]`.
    ///
    /// # Errors
    /// [`Error::Json`]; [`Error::Malformed`] when a case stands twice.
    pub fn parse(json: &[u8]) -> Result<Self, Error> {
        let (head, tests) = read(json)?;
        let task = head.task;
        let answers = tests.into_iter().map(|(key, test)| (key, outcome(task, &test))).collect();
        Ok(Response { head, answers })
    }

    /// The response as JSON in NIST's layout, to the byte: order of fields, upper case, no newline at the end. Groups
    /// and cases stand in the order of their numbers, as they do in NIST's files. Answers that could not be read are
    /// left out.
    ///
    /// # Errors
    /// [`Error::Json`], which is not known to happen.
    pub fn to_json(&self) -> Result<Vec<u8>, Error> {
        let mut groups: Vec<wire::ResponseGroup<wire::WrittenTest>> = Vec::new();
        for (&(tg_id, tc_id), answer) in &self.answers {
            let Ok(outcome) = answer else { continue };
            if groups.last().is_none_or(|group| group.tg_id != tg_id) {
                groups.push(wire::ResponseGroup { tg_id, tests: Vec::new() });
            }
            let test = wire::WrittenTest { tc_id, answer: written(self.head.family, outcome) };
            if let Some(group) = groups.last_mut() {
                group.tests.push(test);
            }
        }
        wire::write(&self.head.write(groups), self.head.acv_version.as_ref())
    }
}

fn written(family: Family, outcome: &Outcome) -> wire::WrittenAnswer {
    match outcome {
        Outcome::KeyPair { pk, sk } => {
            let (pk, sk) = (hex::encode_upper(pk), hex::encode_upper(sk));
            match family {
                Family::SlhDsa => wire::WrittenAnswer::SlhDsaKey { sk, pk },
                _ => wire::WrittenAnswer::MlDsaKey { pk, sk },
            }
        }
        Outcome::Signature(signature) => {
            wire::WrittenAnswer::Signature { signature: hex::encode_upper(signature) }
        }
        Outcome::Verdict(test_passed) => wire::WrittenAnswer::Verdict { test_passed: *test_passed },
    }
}

fn outcome(task: Task, test: &wire::ResponseTest) -> Result<Outcome, String> {
    let field = |name: &str, value: &Option<String>| {
        let text = value.as_deref().ok_or_else(|| format!("`{name}` is missing"))?;
        bytes(text).map_err(|why| format!("`{name}` {why}"))
    };
    match task {
        Task::KeyGen => Ok(Outcome::KeyPair { pk: field("pk", &test.pk)?, sk: field("sk", &test.sk)? }),
        Task::SigGen => field("signature", &test.signature).map(Outcome::Signature),
        Task::SigVer => test.test_passed.map(Outcome::Verdict).ok_or("`testPassed` is missing".to_owned()),
    }
}

/// The cases of a response in the order of their numbers.
fn read(json: &[u8]) -> Result<(Head, BTreeMap<Key, wire::ResponseTest>), Error> {
    let (set, acv_version) = wire::read::<wire::ResponseGroup<wire::ResponseTest>>(json)?;
    let head = Head::parse(&set, acv_version)?;
    let mut tests = BTreeMap::new();
    for group in set.test_groups {
        for test in group.tests {
            let key = (group.tg_id, test.tc_id);
            if tests.insert(key, test).is_some() {
                return Err(Place::case(key.0, key.1).malformed("this case stands twice in the file"));
            }
        }
    }
    Ok((head, tests))
}

/// The right answers: NIST's `expectedResults.json`, or a file with digests in place of long bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Its head.
    pub head: Head,
    /// What is right, by the cases' numbers.
    pub right: BTreeMap<Key, Right>,
}

/// What is right for a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Right {
    /// These two keys.
    KeyPair {
        /// The public key.
        pk: Fact,
        /// The private key, expanded.
        sk: Fact,
    },
    /// This signature.
    Signature(Fact),
    /// This verdict.
    Verdict(bool),
}

/// Bytes, or what is known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The bytes.
    Whole(Vec<u8>),
    /// Their SHA-256.
    Sha256([u8; 32]),
}

impl Expected {
    /// Reads expected results: in NIST's form, or in the pack's, which has `pkSha256`, `skSha256` and `signatureSha256`
    /// in place of `pk`, `sk` and `signature`.
    ///
    /// # Errors
    /// [`Error::Json`]; [`Error::Malformed`], which names the group, the case and the field.
    pub fn parse(json: &[u8]) -> Result<Self, Error> {
        let (head, tests) = read(json)?;
        let task = head.task;
        let right = tests.into_iter().map(|(key, test)| {
            let right = right(task, &test).map_err(|why| Place::case(key.0, key.1).malformed(why))?;
            Ok((key, right))
        });
        Ok(Expected { right: right.collect::<Result<_, Error>>()?, head })
    }

    /// The same with digests in place of bytes: SLH-DSA's signatures are large and many.
    #[must_use]
    pub fn condensed(mut self) -> Self {
        for right in self.right.values_mut() {
            match right {
                Right::KeyPair { pk, sk } => {
                    pk.condense();
                    sk.condense();
                }
                Right::Signature(signature) => signature.condense(),
                Right::Verdict(_) => {}
            }
        }
        self
    }
}

fn right(task: Task, test: &wire::ResponseTest) -> Result<Right, String> {
    let fact = |name: &str, whole: &Option<String>, digest: &Option<String>| match (whole, digest) {
        (Some(text), _) => bytes(text).map(Fact::Whole).map_err(|why| format!("`{name}` {why}")),
        (None, Some(text)) => {
            let digest = bytes(text).map_err(|why| format!("`{name}Sha256` {why}"))?;
            digest.try_into().map(Fact::Sha256).map_err(|_| format!("`{name}Sha256` has not 32 bytes"))
        }
        (None, None) => Err(format!("`{name}` is missing")),
    };
    match task {
        Task::KeyGen => Ok(Right::KeyPair {
            pk: fact("pk", &test.pk, &test.pk_sha256)?,
            sk: fact("sk", &test.sk, &test.sk_sha256)?,
        }),
        Task::SigGen => fact("signature", &test.signature, &test.signature_sha256).map(Right::Signature),
        Task::SigVer => test.test_passed.map(Right::Verdict).ok_or("`testPassed` is missing".to_owned()),
    }
}

impl Right {
    /// How an answer differs from what is right; `None` if it is right.
    #[must_use]
    pub fn difference(&self, algorithm: Algorithm, given: &Outcome) -> Option<String> {
        match (self, given) {
            (Right::KeyPair { pk, sk }, Outcome::KeyPair { pk: given_pk, sk: given_sk }) => pk
                .difference("pk", algorithm, Blob::PublicKey, given_pk)
                .or_else(|| sk.difference("sk", algorithm, Blob::PrivateKey, given_sk)),
            (Right::Signature(right), Outcome::Signature(given)) => {
                right.difference("signature", algorithm, Blob::Signature, given)
            }
            (Right::Verdict(right), Outcome::Verdict(given)) => {
                (right != given).then(|| format!("`testPassed` is {given}, {right} is right"))
            }
            _ => Some("it answers another question".to_owned()),
        }
    }
}

impl From<Outcome> for Right {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::KeyPair { pk, sk } => Right::KeyPair { pk: Fact::Whole(pk), sk: Fact::Whole(sk) },
            Outcome::Signature(signature) => Right::Signature(Fact::Whole(signature)),
            Outcome::Verdict(verdict) => Right::Verdict(verdict),
        }
    }
}

impl Fact {
    fn condense(&mut self) {
        if let Fact::Whole(bytes) = self {
            *self = Fact::Sha256(Sha256::digest(bytes).into());
        }
    }

    /// The bytes, where they are known.
    #[must_use]
    pub fn whole(&self) -> Option<&[u8]> {
        match self {
            Fact::Whole(bytes) => Some(bytes),
            Fact::Sha256(_) => None,
        }
    }

    /// How bytes differ from these; `None` if they don't.
    pub(crate) fn difference(
        &self,
        field: &str,
        algorithm: Algorithm,
        blob: Blob,
        given: &[u8],
    ) -> Option<String> {
        match self {
            Fact::Whole(right) => {
                let first = first_difference(algorithm, blob, right, given)?;
                Some(match first {
                    Difference::Length { left, right } => {
                        format!("`{field}` has {right} bytes, {left} are right")
                    }
                    first => format!("`{field}` differs first in {first}"),
                })
            }
            Fact::Sha256(right) => {
                let digest = Sha256::digest(given);
                (digest[..] != right[..]).then(|| {
                    let (digest, right) = (hex::encode(digest), hex::encode(right));
                    format!("the SHA-256 of `{field}` is {digest}, {right} is right")
                })
            }
        }
    }
}
