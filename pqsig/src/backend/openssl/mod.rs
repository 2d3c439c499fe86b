//! stub
use super::*;
/// name
pub const NAME: &str = "openssl";
pub(crate) struct OpenSsl;
impl OpenSsl {
    pub(crate) fn new() -> Self {
        OpenSsl
    }
    pub(crate) fn with_provider(_spec: &str) -> Result<Self, Error> {
        Err(Error::BackendUnavailable { backend: String::new(), reason: String::new() })
    }
}
impl Implementation for OpenSsl {
    fn name(&self) -> String {
        NAME.to_owned()
    }
    fn version(&self, _: Algorithm) -> String {
        String::new()
    }
    fn lineage(&self, _: Algorithm) -> &'static str {
        "openssl"
    }
    fn language(&self) -> &'static str {
        "C and assembly"
    }
    fn capabilities(&self, _: Algorithm) -> Option<Capabilities> {
        None
    }
    fn generate(&self, a: Algorithm, _: Generate<'_>) -> Result<Box<dyn Sign>, Error> {
        Err(unsupported(NAME, a, Feature::Algorithm))
    }
    fn load_signing(&self, key: &PrivateKey) -> Result<Box<dyn Sign>, Error> {
        Err(unsupported(NAME, key.algorithm(), Feature::Algorithm))
    }
    fn load_verifying(&self, key: &PublicKey) -> Result<Box<dyn Verify>, Error> {
        Err(unsupported(NAME, key.algorithm(), Feature::Algorithm))
    }
}
