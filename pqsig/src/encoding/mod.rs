//! stub: signatures are settled, bodies are not
use crate::{Error, PrivateKey, PrivateKeyForm, PublicKey, SecretBytes};
use zeroize::Zeroizing;

/// How the bytes were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Text between `-----BEGIN` and `-----END` lines (RFC 7468).
    Pem,
    /// Binary.
    Der,
}

/// The structure that held the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// PKCS#8 PrivateKeyInfo or OneAsymmetricKey (RFC 5958).
    Pkcs8,
    /// PKCS#8 EncryptedPrivateKeyInfo with PBES2 (RFC 8018).
    EncryptedPkcs8,
    /// X.509 SubjectPublicKeyInfo.
    SubjectPublicKeyInfo,
    /// X.509 certificate (RFC 5280), of which only the public key is used.
    Certificate,
}

/// A key of either kind.
#[derive(Debug)]
pub enum Key {
    /// With its public half.
    Private(PrivateKey),
    /// Alone.
    Public(PublicKey),
}

/// A key that was read and checked, with what was found on the way.
#[derive(Debug)]
pub struct Decoded {
    /// The key.
    pub key: Key,
    /// PEM or DER.
    pub encoding: Encoding,
    /// The structure.
    pub container: Container,
    /// The form of the private key in the file.
    pub form: Option<PrivateKeyForm>,
    /// The words for each check that the key passed, for people.
    pub checks: Vec<&'static str>,
}

impl Decoded {
    /// The private key.
    ///
    /// # Errors
    /// [`Error::WrongKind`] for a public key or certificate.
    pub fn into_private(self) -> Result<PrivateKey, Error> {
        todo!()
    }

    /// The public key, or the public half of a private one.
    pub fn into_public(self) -> PublicKey {
        todo!()
    }
}

/// Where a passphrase comes from, asked only when a key is encrypted.
pub type PassphraseSource<'a> = dyn FnMut() -> Result<SecretBytes, Error> + 'a;

/// Reads PEM or DER, private or public, encrypted or not, or a certificate.
pub fn decode(_input: &[u8], _passphrase: &mut PassphraseSource<'_>) -> Result<Decoded, Error> {
    todo!()
}
/// DER SubjectPublicKeyInfo
pub fn public_key_to_der(_key: &PublicKey) -> Vec<u8> {
    todo!()
}
/// PEM `PUBLIC KEY`
pub fn public_key_to_pem(_key: &PublicKey) -> String {
    todo!()
}
/// DER PKCS#8
pub fn private_key_to_der(_key: &PrivateKey, _form: PrivateKeyForm) -> Result<SecretBytes, Error> {
    todo!()
}
/// PEM `PRIVATE KEY`
pub fn private_key_to_pem(_key: &PrivateKey, _form: PrivateKeyForm) -> Result<Zeroizing<String>, Error> {
    todo!()
}
/// DER EncryptedPrivateKeyInfo
pub fn private_key_to_encrypted_der(
    _key: &PrivateKey,
    _form: PrivateKeyForm,
    _passphrase: &[u8],
) -> Result<Vec<u8>, Error> {
    todo!()
}
/// PEM `ENCRYPTED PRIVATE KEY`
pub fn private_key_to_encrypted_pem(
    _key: &PrivateKey,
    _form: PrivateKeyForm,
    _passphrase: &[u8],
) -> Result<String, Error> {
    todo!()
}
