//! Post-quantum signatures behind one interface: ML-DSA (FIPS 204), SLH-DSA (FIPS 205) and Ed25519 (RFC 8032),
//! signed and verified by independent implementations that all take the same keys and the same messages.
//!
//! ```
//! use pqsig::{Algorithm, Context, Message, PrivateKey, Randomness, Verdict, backend};
//!
//! let key = PrivateKey::generate(Algorithm::MlDsa65)?;
//! let message = Message::Pure { message: b"hello", context: Context::new(b"greeting")? };
//!
//! let signer = backend::by_name("openssl")?.signing_key(&key)?;
//! let signature = signer.sign(&message, Randomness::Hedged)?;
//!
//! let verifier = backend::by_name("rustcrypto")?.verifying_key(key.public_key())?;
//! assert_eq!(verifier.verify(&message, &signature)?, Verdict::Accepted);
//! # Ok::<(), pqsig::Error>(())
//! ```

mod algorithm;
pub mod backend;
pub mod encoding;
mod error;
mod hash;
pub mod hazmat;
pub mod inspect;
mod key;
mod message;
mod names;

pub use algorithm::{Algorithm, Family, Parameters};
pub use backend::{Backend, Capabilities, Feature, Randomness, SigningKey, Verdict, VerifyingKey};
pub use error::Error;
pub use hash::{Digest, HashAlgorithm, Hasher};
pub use key::{Fingerprint, PrivateKey, PrivateKeyForm, PublicKey, SecretBytes};
pub use message::{Context, Message, MuHasher};
