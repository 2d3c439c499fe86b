//! OpenSSL 3.5 or later, through its EVP interface.
//!
//! Each backend `openssl` and `openssl:NAME` has a library context of its own in which one provider is pinned:
//! every fetch asks for that provider, and a key or a signature that another one would serve is an error. No
//! configuration file of OpenSSL's is read, so that the machine's settings can't change what is measured or verified.
//!
//! The parts: `pin` opens providers, `scheme` holds what one offers for an algorithm, `key` signs and verifies,
//! `input` puts messages into OpenSSL's terms, `linked` describes the library, and `ffi` has the unsafe code.

mod errors;
mod ffi;
mod input;
mod key;
mod linked;
mod params;
mod pin;
mod pool;
mod scheme;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use self::ffi::{CleanStack, Signer, Verifier};
use self::key::Loaded;
use self::pin::{Pin, Spec};
use self::scheme::Scheme;
use super::{Capabilities, Feature, Generate, Implementation, Sign, Verify, unsupported};
use crate::{Algorithm, Error, PrivateKey, PublicKey};

pub use linked::{LinkedOpenSsl, ProviderInfo, linked};

/// The backend's name.
pub const NAME: &str = "openssl";

/// OpenSSL with one provider pinned.
pub(crate) struct OpenSsl {
    spec: Spec,
    pin: OnceLock<&'static Pin>,
}

impl OpenSsl {
    /// The default provider. It is opened at the first use, which reports why it can't be.
    pub(crate) fn new() -> Self {
        OpenSsl { spec: Spec::plain(), pin: OnceLock::new() }
    }

    /// The provider that stands after `openssl:`, as `NAME` or `NAME@FOLDER`. FOLDER is where the provider's module is.
    /// `NAMEmodule.cnf` there, or in OpenSSL's own folder, gives the settings that the FIPS provider needs:
    /// `openssl fipsinstall` writes it.
    ///
    /// A provider is loaded once and stays: its module's code runs in this process.
    ///
    /// # Errors
    /// [`Error::BackendUnavailable`] with OpenSSL's reason.
    pub(crate) fn with_provider(spec: &str) -> Result<Self, Error> {
        let backend = OpenSsl { spec: Spec::parse(spec)?, pin: OnceLock::new() };
        backend.pin()?;
        Ok(backend)
    }

    fn pin(&self) -> Result<&'static Pin, Error> {
        if let Some(pin) = self.pin.get() {
            return Ok(pin);
        }
        let pin = pin::open(&self.spec)?;
        Ok(self.pin.get_or_init(|| pin))
    }

    fn scheme(&self, algorithm: Algorithm) -> Result<&'static Scheme, Error> {
        self.pin()?
            .scheme(algorithm)
            .ok_or_else(|| unsupported(&self.spec.backend, algorithm, Feature::Algorithm))
    }
}

impl Implementation for OpenSsl {
    fn name(&self) -> String {
        self.spec.backend.clone()
    }

    fn version(&self, _algorithm: Algorithm) -> String {
        self.pin().map_or_else(|_| pin::linked_version(), |pin| pin.version.clone())
    }

    fn lineage(&self, _algorithm: Algorithm) -> &'static str {
        "openssl"
    }

    fn language(&self) -> &'static str {
        "C and assembly"
    }

    fn available(&self) -> Result<(), Error> {
        self.pin().map(|_| ())
    }

    fn capabilities(&self, algorithm: Algorithm) -> Option<Capabilities> {
        // Not through `self.scheme`: its error lists what backends have the algorithm, which asks this.
        Some(self.pin().ok()?.scheme(algorithm)?.capabilities)
    }

    fn generate(&self, algorithm: Algorithm, from: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme(algorithm)?;
        Ok(Box::new(Loaded::<Signer>::new(scheme, scheme.generate(from)?)))
    }

    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme(key.algorithm())?;
        Ok(Box::new(Loaded::<Signer>::new(scheme, scheme.load_private(key)?)))
    }

    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme(key.algorithm())?;
        Ok(Box::new(Loaded::<Verifier>::new(scheme, scheme.load_public(key)?)))
    }

    fn recompute_public_key(&self, algorithm: Algorithm, expanded: &[u8]) -> Result<PublicKey, Error> {
        let _clean = CleanStack::new();
        let scheme = self.scheme(algorithm)?;
        Loaded::<Signer>::new(scheme, scheme.load_expanded(expanded)?).public_key()
    }
}
