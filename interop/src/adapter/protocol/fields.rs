//! How single fields are written.

use super::{Ability, Algorithm, BTreeMap, Deserialize, HashAlgorithm, Message, Serialize, Value};
use crate::message::Mode;

/// Bytes that may be absent.
pub(super) mod optional_hex {
    use serde::{Deserialize, Deserializer, Serializer, de};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(in super::super) fn serialize<S: Serializer>(
        bytes: &Option<Vec<u8>>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => s.serialize_str(&hex::encode(bytes)),
            None => s.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<Option<Vec<u8>>, D::Error> {
        let text = Option::<String>::deserialize(d)?;
        text.map(|text| hex::decode(text).map_err(de::Error::custom)).transpose()
    }
}

/// A message as the fields `mode`, `hash`, `context` and `message`.
pub(super) mod message {
    use serde::{Deserializer, Serializer, de};

    use super::{Deserialize, HashAlgorithm, Message, Mode, Serialize};

    #[derive(Serialize, Deserialize)]
    struct Fields {
        mode: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hash: Option<String>,
        #[serde(default, with = "hex::serde")]
        context: Vec<u8>,
        message: String,
    }

    pub(in super::super) fn serialize<S: Serializer>(message: &Message, s: S) -> Result<S::Ok, S::Error> {
        let (mode, hash) = match message.mode {
            Mode::PreHash(hash) => ("pre-hash".to_owned(), Some(hash.to_string())),
            mode => (mode.to_string(), None),
        };
        let context = message.context.clone();
        Fields { mode, hash, context, message: hex::encode(&message.data) }.serialize(s)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Message, D::Error> {
        let fields = Fields::deserialize(d)?;
        let mode = match (fields.mode.as_str(), fields.hash) {
            ("pre-hash", Some(hash)) => {
                Mode::PreHash(hash.parse::<HashAlgorithm>().map_err(de::Error::custom)?)
            }
            ("pre-hash", None) => return Err(de::Error::missing_field("hash")),
            (mode, _) => mode.parse().map_err(de::Error::custom)?,
        };
        let data = hex::decode(fields.message).map_err(de::Error::custom)?;
        Ok(Message { mode, context: fields.context, data: data.into() })
    }
}

/// Abilities by the algorithms' names. An error says which algorithm it is about.
pub(super) mod abilities {
    use serde::{Deserializer, Serializer, de};

    use super::{Ability, Algorithm, BTreeMap, Deserialize, Value};

    pub(in super::super) fn serialize<S: Serializer>(
        abilities: &BTreeMap<Algorithm, Ability>,
        s: S,
    ) -> Result<S::Ok, S::Error> {
        s.collect_map(abilities.iter().map(|(algorithm, ability)| (algorithm.name(), ability)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        d: D,
    ) -> Result<BTreeMap<Algorithm, Ability>, D::Error> {
        let mut abilities = BTreeMap::new();
        for (name, value) in BTreeMap::<String, Value>::deserialize(d)? {
            let algorithm: Algorithm = name.parse().map_err(|error: pqsig::Error| {
                let remedy = error.remedy().map(|remedy| format!("; {remedy}")).unwrap_or_default();
                de::Error::custom(format!("{error}{remedy}"))
            })?;
            let ability =
                Ability::deserialize(value).map_err(|error| de::Error::custom(format!("{name}: {error}")))?;
            if abilities.insert(algorithm, ability).is_some() {
                return Err(de::Error::custom(format!("{algorithm} stands there twice")));
            }
        }
        Ok(abilities)
    }
}
