//! Keys that were loaded once stay loaded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pqsig::Algorithm;

use super::{Ability, Identity, KeyPair, Peer, Reply, Signer, Verifier};
use crate::key::EncodedKey;

/// A peer that remembers the keys that it has loaded: a question names its key anew each time, and reading an SLH-DSA
/// private key costs as much as generating one.
pub struct Caching {
    peer: Arc<dyn Peer>,
    signers: Cache<dyn Signer>,
    verifiers: Cache<dyn Verifier>,
}

impl Caching {
    /// The same peer, with a memory.
    pub fn new(peer: Arc<dyn Peer>) -> Self {
        Caching { peer, signers: Cache::default(), verifiers: Cache::default() }
    }
}

impl Peer for Caching {
    fn identity(&self) -> &Identity {
        self.peer.identity()
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        self.peer.ability(algorithm)
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        self.peer.generate(algorithm, seed)
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        self.peer.public_key(private)
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        self.signers.entry(private, || self.peer.signer(private))
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        self.verifiers.entry(public, || self.peer.verifier(public))
    }
}

struct Cache<T: ?Sized>(Mutex<HashMap<EncodedKey, Arc<T>>>);

impl<T: ?Sized> Default for Cache<T> {
    fn default() -> Self {
        Cache(Mutex::default())
    }
}

impl<T: ?Sized> Cache<T> {
    /// Most keys are hostile and asked for once; the few that matter come back at once after a clearing.
    const CAPACITY: usize = 128;

    /// Two threads may load one key at the same time: that costs less than holding all others up.
    fn entry(&self, key: &EncodedKey, load: impl FnOnce() -> Reply<Arc<T>>) -> Reply<Arc<T>> {
        if let Some(loaded) = self.lock().get(key) {
            return Ok(loaded.clone());
        }
        let loaded = load()?;
        let mut entries = self.lock();
        if entries.len() >= Self::CAPACITY {
            entries.clear();
        }
        entries.insert(key.clone(), loaded.clone());
        Ok(loaded)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<EncodedKey, Arc<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
