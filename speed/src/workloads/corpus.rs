//! The inputs: one key, one context and one sequence of messages per algorithm, the same for every backend,
//! every trial and every run. Nothing here is secret.

use std::cell::OnceCell;

use pqsig::{Algorithm, HashAlgorithm, PrivateKey};

/// The inputs of one algorithm.
#[derive(Debug)]
pub(super) struct Corpus {
    algorithm: Algorithm,
    key: OnceCell<PrivateKey>,
    context: Vec<u8>,
    message_size: usize,
}

impl Corpus {
    /// With messages and a context of these lengths, in bytes.
    pub(super) fn new(algorithm: Algorithm, message_size: usize, context_size: usize) -> Self {
        Corpus { algorithm, key: OnceCell::new(), context: expand("context", context_size), message_size }
    }

    /// The key. It is generated when it is first asked for.
    pub(super) fn key(&self) -> Result<&PrivateKey, pqsig::Error> {
        if let Some(key) = self.key.get() {
            return Ok(key);
        }
        let seed = expand(self.algorithm.name(), self.algorithm.parameters().seed);
        let key = PrivateKey::from_seed(self.algorithm, &seed)?;
        Ok(self.key.get_or_init(|| key))
    }

    /// The context, at most 255 bytes.
    pub(super) fn context(&self) -> &[u8] {
        &self.context
    }

    /// The messages.
    pub(super) fn messages(&self) -> Messages {
        Messages { bytes: expand("message", self.message_size) }
    }
}

/// Messages that are all different, made in place: nothing is allocated or copied for one.
#[derive(Clone, Debug)]
pub(super) struct Messages {
    bytes: Vec<u8>,
}

impl Messages {
    /// Message number `index`: it starts with the index, little-endian. Those shorter than 8 bytes repeat
    /// when their bytes are used up; the empty one is always the same.
    pub(super) fn nth(&mut self, index: u64) -> &[u8] {
        let number = index.to_le_bytes();
        let length = number.len().min(self.bytes.len());
        self.bytes[..length].copy_from_slice(&number[..length]);
        &self.bytes
    }
}

/// Bytes that look random and are always the same: SHA-512 over the label and a counter, piece after piece.
fn expand(label: &str, length: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length + 64);
    for counter in 0u64.. {
        if bytes.len() >= length {
            break;
        }
        let input = [b"pqsig-speed corpus 1 ", label.as_bytes(), &counter.to_be_bytes()].concat();
        bytes.extend_from_slice(HashAlgorithm::Sha512.digest(&input).as_bytes());
    }
    bytes.truncate(length);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn messages_are_all_different_and_of_the_asked_length() {
        for size in [2, 7, 8, 9, 32, 1000] {
            let mut messages = Corpus::new(Algorithm::Ed25519, size, 0).messages();
            let seen: HashSet<Vec<u8>> = (0..1000).map(|index| messages.nth(index).to_vec()).collect();
            assert_eq!(seen.len(), 1000, "{size}");
            assert!(seen.iter().all(|message| message.len() == size));
        }
        assert!(Corpus::new(Algorithm::Ed25519, 0, 0).messages().nth(7).is_empty());
    }

    #[test]
    fn the_same_index_is_the_same_message_whatever_was_before() {
        let mut messages = Corpus::new(Algorithm::MlDsa44, 40, 0).messages();
        let first = messages.nth(5).to_vec();
        messages.nth(u64::MAX);
        assert_eq!(messages.nth(5), first);
    }

    #[test]
    fn expanded_bytes_do_not_repeat_and_differ_by_label() {
        let bytes = expand("a", 200);
        assert_eq!(bytes.len(), 200);
        assert_ne!(bytes[..64], bytes[64..128]);
        assert_ne!(expand("b", 64), bytes[..64]);
        assert_eq!(expand("a", 100), bytes[..100]);
    }
}
