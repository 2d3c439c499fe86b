//! Lists that must not grow with a hostile line: one that is longer than any that is written is refused as it
//! is read.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Timeline;
use crate::MAX_KEPT_SAMPLES;

pub(super) fn samples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u64>>, D::Error> {
    let samples = Option::<AtMost<MAX_KEPT_SAMPLES>>::deserialize(deserializer)?;
    Ok(samples.map(|AtMost(samples)| samples))
}

pub(super) fn percentiles<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u64>>, D::Error> {
    let percentiles = Option::<AtMost<101>>::deserialize(deserializer)?;
    Ok(percentiles.map(|AtMost(percentiles)| percentiles))
}

pub(super) fn entries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    AtMost::<{ Timeline::MAX_ENTRIES }>::deserialize(deserializer).map(|AtMost(entries)| entries)
}

struct AtMost<const LENGTH: usize>(Vec<u64>);

impl<'de, const LENGTH: usize> Deserialize<'de> for AtMost<LENGTH> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Numbers::<LENGTH>)
    }
}

struct Numbers<const LENGTH: usize>;

impl<'de, const LENGTH: usize> Visitor<'de> for Numbers<LENGTH> {
    type Value = AtMost<LENGTH>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {LENGTH} numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = sequence.next_element()? {
            if numbers.len() == LENGTH {
                return Err(A::Error::invalid_length(numbers.len() + 1, &self));
            }
            numbers.push(number);
        }
        Ok(AtMost(numbers))
    }
}
