//! What a peer says that it can do.

use std::collections::BTreeSet;

use pqsig::{Capabilities, Family, HashAlgorithm};
use serde::{Deserialize, Serialize};

use super::Refusal;
use crate::key::KeyForm;
use crate::message::{Message, Mode, Randomness};

/// What a peer can be asked to do with an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// Generate a key pair.
    Keygen,
    /// Derive the public key from a private one.
    Public,
    /// Sign.
    Sign,
    /// Verify.
    Verify,
}

impl Operation {
    /// Every operation.
    pub const ALL: [Operation; 4] =
        [Operation::Keygen, Operation::Public, Operation::Sign, Operation::Verify];

    /// The operation's name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Operation::Keygen => "keygen",
            Operation::Public => "public",
            Operation::Sign => "sign",
            Operation::Verify => "verify",
        }
    }
}

/// What a peer says that it can do with one algorithm. What is left out in JSON is false or empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "independent abilities, one word of the protocol each")]
pub struct Ability {
    /// The operations.
    pub operations: BTreeSet<Operation>,
    /// The forms in which it takes keys, private and public.
    #[serde(with = "crate::text::list")]
    pub keys: Vec<KeyForm>,
    /// A context that is not empty. Ed25519: with a pre-hash only.
    #[serde(default)]
    pub context: bool,
    /// Signing with fresh randomness.
    #[serde(default)]
    pub hedged: bool,
    /// Signing without randomness.
    #[serde(default)]
    pub deterministic: bool,
    /// Signing with given randomness.
    #[serde(default)]
    pub fixed_randomness: bool,
    /// Key generation from a given seed.
    #[serde(default)]
    pub seed_keygen: bool,
    /// ML-DSA over mu.
    #[serde(default)]
    pub external_mu: bool,
    /// Pre-hashing with these functions.
    #[serde(default, with = "crate::text::list")]
    pub pre_hash: Vec<HashAlgorithm>,
    /// M' as it is.
    #[serde(default)]
    pub internal: bool,
    /// The code family of this algorithm's implementation, where it is not the peer's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lineage: Option<String>,
    /// The version of this algorithm's implementation, where it is not the peer's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

impl Ability {
    /// What a backend of this process can do.
    #[must_use]
    pub fn of_backend(family: Family, capabilities: Capabilities, keys: Vec<KeyForm>, lineage: &str) -> Self {
        Ability {
            operations: Operation::ALL.into(),
            keys,
            context: capabilities.context,
            // Ed25519 has no randomness: what is hedged elsewhere is the one way there.
            hedged: capabilities.hedged || family == Family::Ed25519,
            deterministic: capabilities.deterministic,
            fixed_randomness: capabilities.fixed_randomness,
            seed_keygen: capabilities.seed_keygen,
            external_mu: capabilities.external_mu,
            pre_hash: capabilities.pre_hash.to_vec(),
            internal: capabilities.internal,
            lineage: Some(lineage.to_owned()),
            version: None,
        }
    }

    /// Whether the peer has the operation at all.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`].
    pub fn admit_operation(&self, operation: Operation) -> Result<(), Refusal> {
        require(self.operations.contains(&operation), operation.name())
    }

    /// Whether the peer takes keys in this form.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`].
    pub fn admit_form(&self, form: KeyForm) -> Result<(), Refusal> {
        require(self.keys.contains(&form), form.name())
    }

    /// Whether the peer signs and verifies messages of this kind.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`].
    pub fn admit_message(&self, message: &Message) -> Result<(), Refusal> {
        require(message.context.is_empty() || self.context, "a context")?;
        match message.mode {
            Mode::Pure => Ok(()),
            Mode::PreHash(hash) => {
                require(self.pre_hash.contains(&hash), &format!("pre-hashing with {hash}"))
            }
            Mode::ExternalMu => require(self.external_mu, "external mu"),
            Mode::Internal => require(self.internal, "the internal interface"),
        }
    }

    /// Whether the peer signs with this kind of randomness.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`].
    pub fn admit_randomness(&self, randomness: &Randomness) -> Result<(), Refusal> {
        match randomness {
            Randomness::Hedged => require(self.hedged, "hedged signing"),
            Randomness::Deterministic => require(self.deterministic, "deterministic signing"),
            Randomness::Fixed(_) => require(self.fixed_randomness, "given randomness"),
        }
    }
}

fn require(able: bool, what: &str) -> Result<(), Refusal> {
    if able { Ok(()) } else { Err(Refusal::Unsupported(what.to_owned())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_claimed_is_unsupported() {
        let json = r#"{"operations":["sign"],"keys":["raw:seed"],"hedged":true,"pre_hash":["SHA-512"]}"#;
        let ability: Ability = serde_json::from_str(json).unwrap();
        assert!(ability.admit_operation(Operation::Sign).is_ok());
        assert!(ability.admit_operation(Operation::Verify).is_err());
        assert!(ability.admit_form(KeyForm::RawSeed).is_ok());
        assert!(ability.admit_form(KeyForm::Spki).is_err());
        assert!(ability.admit_randomness(&Randomness::Hedged).is_ok());
        assert!(ability.admit_randomness(&Randomness::Deterministic).is_err());
        let message = Message::pure(*b"m");
        assert!(ability.admit_message(&message).is_ok());
        assert!(ability.admit_message(&message.clone().with_context(*b"c")).is_err());
        assert!(
            ability.admit_message(&message.clone().with_mode(Mode::PreHash(HashAlgorithm::Sha512))).is_ok()
        );
        assert!(ability.admit_message(&message.with_mode(Mode::PreHash(HashAlgorithm::Sha256))).is_err());
    }

    #[test]
    fn a_misspelt_ability_is_an_error() {
        let json = r#"{"operations":["sign"],"keys":[],"hegded":true}"#;
        assert!(serde_json::from_str::<Ability>(json).is_err());
    }
}
