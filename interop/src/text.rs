//! Values of the core as text in JSON: what [`std::fmt::Display`] writes and [`std::str::FromStr`] reads.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// For `#[serde(serialize_with)]`.
///
/// # Errors
/// What the serializer reports.
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// For `#[serde(deserialize_with)]`.
///
/// # Errors
/// What the value's `FromStr` says.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

/// The same for lists.
pub mod list {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, de};

    /// For `#[serde(serialize_with)]`.
    ///
    /// # Errors
    /// What the serializer reports.
    pub fn serialize<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(ToString::to_string))
    }

    /// For `#[serde(deserialize_with)]`.
    ///
    /// # Errors
    /// What the values' `FromStr` says.
    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts = Vec::<String>::deserialize(deserializer)?;
        texts.iter().map(|text| text.parse().map_err(de::Error::custom)).collect()
    }
}
