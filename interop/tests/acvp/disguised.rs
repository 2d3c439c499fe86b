//! A backend under another name, with less to offer or a fault.

use std::sync::Arc;

use pqsig::Algorithm;
use pqsig_interop::key::EncodedKey;
use pqsig_interop::peer::{Ability, Identity, KeyPair, Peer, Reply, Signer, Verifier};

use crate::peer;

pub(crate) struct Disguised {
    pub(crate) peer: Arc<dyn Peer>,
    pub(crate) identity: Identity,
    /// Whether it generates from another seed than the one it is given.
    pub(crate) lies: bool,
    /// Whether it signs with given randomness.
    pub(crate) takes_randomness: bool,
}

impl Disguised {
    /// A backend under another name and of another code family.
    pub(crate) fn new(backend: &str, name: &str) -> Self {
        let peer = peer(backend);
        let mut identity = peer.identity().clone();
        name.clone_into(&mut identity.name);
        for lineage in identity.lineages.values_mut() {
            name.clone_into(lineage);
        }
        Disguised { peer, identity, lies: false, takes_randomness: true }
    }
}

impl Peer for Disguised {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn ability(&self, algorithm: Algorithm) -> Option<Ability> {
        let ability = self.peer.ability(algorithm)?;
        Some(Ability { fixed_randomness: ability.fixed_randomness && self.takes_randomness, ..ability })
    }

    fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Reply<KeyPair> {
        let seed = seed
            .map(|seed| seed.iter().map(|byte| if self.lies { !byte } else { *byte }).collect::<Vec<_>>());
        self.peer.generate(algorithm, seed.as_deref())
    }

    fn public_key(&self, private: &EncodedKey) -> Reply<EncodedKey> {
        self.peer.public_key(private)
    }

    fn signer(&self, private: &EncodedKey) -> Reply<Arc<dyn Signer>> {
        self.peer.signer(private)
    }

    fn verifier(&self, public: &EncodedKey) -> Reply<Arc<dyn Verifier>> {
        self.peer.verifier(public)
    }
}
