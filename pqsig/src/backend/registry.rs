//! The list of backends, and which of them the core itself relies on.

use std::sync::{Arc, LazyLock};

use super::{Backend, Feature, Implementation, openssl, ranking, rustcrypto};
use crate::{Algorithm, Error};

static RUSTCRYPTO: LazyLock<Backend> = LazyLock::new(|| Backend::new(rustcrypto::RustCrypto));
static OPENSSL: LazyLock<Backend> = LazyLock::new(|| Backend::new(openssl::OpenSsl::new()));

/// A backend's name, and how it is made.
type Entry = (&'static str, fn() -> Backend);

/// The backends of this build that need no further word; `openssl:NAME` comes from [`by_name`].
const LIST: &[Entry] = &[
    (rustcrypto::NAME, || RUSTCRYPTO.clone()),
    (openssl::NAME, || OPENSSL.clone()),
    #[cfg(feature = "aws-lc")]
    (super::aws_lc::NAME, || Backend::new(super::aws_lc::AwsLc)),
    #[cfg(feature = "libcrux")]
    (super::libcrux::NAME, || Backend::new(super::libcrux::Libcrux)),
    #[cfg(feature = "fips204")]
    (super::fips204::NAME, || Backend::new(super::fips204::Fips204)),
    #[cfg(feature = "fips205")]
    (super::fips205::NAME, || Backend::new(super::fips205::Fips205)),
];

static ALL: LazyLock<Vec<Backend>> = LazyLock::new(|| LIST.iter().map(|(_, make)| make()).collect());

/// The names of all backends that need no further word.
pub const NAMES: [&str; LIST.len()] = {
    let mut names = [""; LIST.len()];
    let mut index = 0;
    // A constant can't be made by an iterator.
    while index < LIST.len() {
        names[index] = LIST[index].0;
        index += 1;
    }
    names
};

/// Every backend of this build.
#[must_use]
pub fn all() -> &'static [Backend] {
    &ALL
}

/// The backend of this name. `openssl:NAME` loads and pins OpenSSL's provider NAME, from the folder after an `@`
/// if there is one: `openssl:fips@/usr/local/lib/ossl-modules`.
///
/// # Errors
/// [`Error::UnknownBackend`]; [`Error::BackendUnavailable`] when OpenSSL is too old or can't load the provider.
pub fn by_name(name: &str) -> Result<Backend, Error> {
    if let Some(backend) = all().iter().find(|backend| backend.name() == name) {
        backend.implementation.available()?;
        return Ok(backend.clone());
    }
    match name.strip_prefix("openssl:") {
        Some(provider) => Ok(Backend::new(openssl::OpenSsl::with_provider(provider)?)),
        None => Err(Error::UnknownBackend { given: name.to_owned(), known: NAMES.to_vec() }),
    }
}

/// Derives keys from seeds for the core's own checks: the fastest backend that can.
pub(crate) fn deriver(algorithm: Algorithm) -> Backend {
    ranking::fastest(algorithm, &[Feature::SeedKeygen]).unwrap_or_else(|_| RUSTCRYPTO.clone())
}

/// Checks expanded ML-DSA keys. It is OpenSSL, which recomputes t0: the ml-dsa crate's interface does not show it.
pub(crate) fn expanded_key_checker() -> Arc<dyn Implementation> {
    OPENSSL.implementation.clone()
}

/// Checks that an Ed25519 public key is a point.
pub(crate) fn point_checker() -> Backend {
    RUSTCRYPTO.clone()
}

/// An "unsupported" that names the backends that can.
pub(crate) fn unsupported(backend: &str, algorithm: Algorithm, feature: Feature) -> Error {
    let alternatives = all()
        .iter()
        .filter(|other| other.supports(algorithm, feature))
        .map(Backend::name)
        .filter(|name| name != backend)
        .collect();
    Error::Unsupported { backend: backend.to_owned(), algorithm, feature, alternatives }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_and_the_names_agree() {
        assert_eq!(all().iter().map(Backend::name).collect::<Vec<_>>(), NAMES);
    }
}
