//! The secret that fresh prompts come from, and the bytes that it expands to.

use std::path::Path;

use pqsig::{SecretBytes, encoding};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use super::error::Error;
use super::files::read;

/// Where fresh prompts come from. Who has it can make the prompts and their answers; nobody else can know either before
/// the prompts are shown. It can't be told from the prompts.
pub struct Secret(SecretBytes);

impl Secret {
    /// The fewest bytes of a secret.
    pub const MIN: usize = 32;

    const MAX_FILE: u64 = 64 * 1024;

    /// A secret in memory.
    #[must_use]
    pub fn new(bytes: &[u8; Secret::MIN]) -> Self {
        Secret(bytes.to_vec().into())
    }

    /// Reads a secret: a private key in PEM that is not encrypted, whose seed is used (the expanded key if it has no
    /// seed), or else the file's bytes as they are, 32 of them at least. The same secret gives the same prompts.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::TooLarge`], [`Error::SecretTooShort`], [`Error::SecretKey`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = SecretBytes::new(read(path, Secret::MAX_FILE)?);
        if bytes.trim_ascii_start().starts_with(b"-----BEGIN ") {
            let key = encoding::decode(&bytes, &mut || Err(pqsig::Error::PassphraseMissing))
                .and_then(encoding::Decoded::into_private)
                .map_err(|error| Error::SecretKey { path: path.to_owned(), error })?;
            return Ok(Secret(key.seed().unwrap_or(key.expanded()).to_vec().into()));
        }
        if bytes.len() < Secret::MIN {
            let actual = bytes.len();
            return Err(Error::SecretTooShort { path: path.to_owned(), min: Secret::MIN, actual });
        }
        Ok(Secret(bytes))
    }

    /// The bytes for one purpose: SHAKE256 over the purpose and the secret, each with its length before it.
    pub(super) fn stream(&self, purpose: &str) -> Stream {
        let mut hash = Shake256::default();
        for part in [b"pqsig-interop acvp ask 1", purpose.as_bytes(), &self.0] {
            hash.update(&(part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Stream(hash.finalize_xof())
    }
}

/// Bytes without end.
pub(super) struct Stream(<Shake256 as ExtendableOutput>::Reader);

impl Stream {
    pub(super) fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.read(&mut bytes);
        bytes
    }

    pub(super) fn number(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.0.read(&mut bytes);
        u32::from_be_bytes(bytes)
    }

    /// A number under `bound`. The bounds here are so small that 32 bits modulo the bound are even enough.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.number() as usize % bound.max(1)
    }
}
