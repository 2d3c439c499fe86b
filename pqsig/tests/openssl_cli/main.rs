//! The `openssl` command as a peer: keys, certificates and signatures go through files, in both directions.
//!
//! The command is the one that `PQSIG_OPENSSL` names, else the one that `scripts/openssl-cli.sh` built, else the
//! machine's own. There must be one that knows ML-DSA (3.5 or later): without it these tests fail.

// Says to clippy that helpers outside of the test functions are test code too.
#![cfg(test)]

#[path = "../common/mod.rs"]
mod common;
mod keys;
mod peer;
mod signatures;

use pqsig::encoding::{self, Decoded};
use pqsig::{Algorithm, Error, PrivateKey, SecretBytes};

const PASSPHRASE: &str = "correct horse";
const ML_DSA: [Algorithm; 3] = [Algorithm::MlDsa44, Algorithm::MlDsa65, Algorithm::MlDsa87];
const SIGNERS: [Algorithm; 3] = [Algorithm::MlDsa65, Algorithm::SlhDsaSha2_128f, Algorithm::Ed25519];

fn decode(bytes: &[u8]) -> Result<Decoded, Error> {
    encoding::decode(bytes, &mut || Ok(SecretBytes::new(PASSPHRASE.as_bytes().to_vec())))
}

fn key(algorithm: Algorithm) -> PrivateKey {
    let seed: Vec<u8> = (0..96).take(algorithm.parameters().seed).collect();
    PrivateKey::from_seed(algorithm, &seed).unwrap()
}
