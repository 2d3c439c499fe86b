//! OpenSSL's providers: which one was asked for, and the library context that it is pinned in.

use std::collections::HashMap;
use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::NAME;
use super::errors::Errors;
use super::ffi::{self, CleanStack, Library};
use super::scheme::Scheme;
use crate::{Algorithm, Error};

/// The version that has ML-DSA and SLH-DSA, as OPENSSL_VERSION_NUMBER spells it, and in words.
const NEEDED: (i64, &str) = (0x3050_0000, "3.5");

/// Which provider, and where it is: what stands after `openssl:`, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Spec {
    /// The backend's name: `openssl` or `openssl:NAME`.
    pub(super) backend: String,
    provider: String,
    folder: Option<PathBuf>,
}

impl Spec {
    /// The default provider of plain `openssl`.
    pub(super) fn plain() -> Self {
        Spec { backend: NAME.to_owned(), provider: "default".to_owned(), folder: None }
    }

    /// Parses `NAME` or `NAME@FOLDER`. NAME ends up in a property query and in a file's name, so it may hold
    /// nothing that means something there.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let (name, folder) = match text.split_once('@') {
            Some((name, folder)) => (name, Some(folder)),
            None => (text, None),
        };
        let backend = format!("{NAME}:{name}");
        let unavailable = |reason: String| Error::BackendUnavailable { backend: backend.clone(), reason };
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        {
            return Err(unavailable(format!(
                "`{name}` is no name of a provider, which is made of letters, digits, `_` and `-`; the folder of its \
                 module goes after an `@`, as in `openssl:fips@/usr/local/lib/ossl-modules`"
            )));
        }
        let folder = match folder {
            None => None,
            Some(folder) => Some(
                fs::canonicalize(folder)
                    .map_err(|error| unavailable(format!("its folder `{folder}` can't be used: {error}")))?,
            ),
        };
        Ok(Spec { provider: name.to_owned(), folder, backend })
    }

    fn unavailable(&self, reason: impl Into<String>) -> Error {
        Error::BackendUnavailable { backend: self.backend.clone(), reason: reason.into() }
    }
}

/// A library context in which every fetch is pinned to one provider. It lives for ever, as [`Library::leak`] says, so
/// each is made once: see [`open`].
pub(super) struct Pin {
    pub(super) spec: Spec,
    pub(super) library: &'static Library,
    /// The property query that admits the provider only.
    pub(super) query: CString,
    /// The version of OpenSSL, and of the provider where one was asked for.
    pub(super) version: String,
    schemes: [OnceLock<Option<Scheme>>; 16],
}

/// The pin for a provider. It is made at the first call; a failure is not kept, so that a module that appears later
/// can be loaded.
pub(super) fn open(spec: &Spec) -> Result<&'static Pin, Error> {
    static PINS: Mutex<Option<HashMap<Spec, &'static Pin>>> = Mutex::new(None);
    let mut pins = PINS.lock().unwrap_or_else(PoisonError::into_inner);
    let pins = pins.get_or_insert_default();
    if let Some(pin) = pins.get(spec) {
        return Ok(pin);
    }
    let pin = Pin::load(spec)?;
    pins.insert(spec.clone(), pin);
    Ok(pin)
}

impl Pin {
    fn load(spec: &Spec) -> Result<&'static Self, Error> {
        too_old(openssl::version::number()).map_or(Ok(()), |reason| Err(spec.unavailable(reason)))?;
        let _clean = CleanStack::new();
        let c_string = |text: String| CString::new(text).map_err(|_| spec.unavailable("it holds a NUL"));
        let name = c_string(spec.provider.clone())?;
        let folder = match &spec.folder {
            None => None,
            Some(folder) => Some(ffi::c_path(folder).ok_or_else(|| {
                spec.unavailable(format!("OpenSSL can't take the folder `{}`: not UTF-8", folder.display()))
            })?),
        };
        let settings = Settings::find(spec)?;
        let library = Library::load(&name, folder.as_deref(), &settings.values)
            .map_err(|errors| spec.unavailable(spec.failure(&errors, &settings)))?;
        let provider = library.provider();
        let version = match (spec.backend == NAME, provider.text(c"name"), provider.text(c"version")) {
            (true, ..) => linked_version(),
            (false, name, version) => {
                let name = name.unwrap_or_else(|| format!("provider {}", spec.provider));
                let version = version.map(|version| format!(" {version}")).unwrap_or_default();
                format!("{}, {name}{version}", linked_version())
            }
        };
        let query = c_string(format!("provider={}", spec.provider))?;
        let library = library.leak();
        let pin = Pin { spec: spec.clone(), library, query, version, schemes: Default::default() };
        Ok(Box::leak(Box::new(pin)))
    }

    /// What the provider offers for an algorithm, if anything. Asked once, then remembered.
    pub(super) fn scheme(&'static self, algorithm: Algorithm) -> Option<&'static Scheme> {
        self.schemes[algorithm as usize].get_or_init(|| Scheme::fetch(self, algorithm)).as_ref()
    }
}

/// Why an OpenSSL of this version can't serve. The build script holds the same against the headers; a shared library
/// can still turn out to be another.
fn too_old(number: i64) -> Option<String> {
    (number < NEEDED.0).then(|| {
        format!(
            "OpenSSL {}.{} is linked, but {} or later is needed: build pqsig with its feature `vendored`, or with \
             OPENSSL_DIR set to the folder of a later OpenSSL",
            number >> 28,
            (number >> 20) & 0xff,
            NEEDED.1
        )
    })
}

/// OpenSSL's own words of its version, such as `OpenSSL 3.6.3 9 Jun 2026`.
pub(super) fn linked_version() -> String {
    ffi::initialize();
    openssl::version::version().to_owned()
}

/// A provider's settings, as `openssl fipsinstall` writes them for the FIPS provider, which does not start without:
/// the file `NAMEmodule.cnf` with a section `[NAME_sect]`.
#[derive(Default)]
struct Settings {
    candidates: Vec<PathBuf>,
    values: Vec<(CString, CString)>,
}

impl Settings {
    /// Reads the file from the provider's folder, else from OpenSSL's own (OPENSSLDIR). The default provider has none.
    fn find(spec: &Spec) -> Result<Self, Error> {
        if spec.provider == "default" {
            return Ok(Settings::default());
        }
        let own_folder = ffi::info(ffi::Info::ConfigurationFolder).map(PathBuf::from);
        let file = format!("{}module.cnf", spec.provider);
        let candidates: Vec<_> =
            spec.folder.iter().chain(&own_folder).map(|folder| folder.join(&file)).collect();
        let Some(found) = candidates.iter().find(|path| path.exists()) else {
            return Ok(Settings { candidates, values: Vec::new() });
        };
        let values = read_settings(found, &spec.provider)
            .map_err(|reason| spec.unavailable(format!("`{}` can't be read: {reason}", found.display())))?;
        Ok(Settings { candidates, values })
    }
}

/// Lines `key = value` of the section `[NAME_sect]`. Left out are the keys that speak to the reader of a configuration
/// file and not to the provider.
fn read_settings(path: &Path, provider: &str) -> Result<Vec<(CString, CString)>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let wanted = format!("{provider}_sect");
    let mut inside = false;
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(section) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = section.trim() == wanted;
            continue;
        }
        if !inside {
            continue;
        }
        let malformed = || format!("line {} is not `key = value`", index + 1);
        let (key, value) = line.split_once('=').ok_or_else(malformed)?;
        let key = key.trim();
        if ["activate", "module", "soft_load", "identity"].contains(&key) {
            continue;
        }
        let c_string = |text: &str| CString::new(text).map_err(|_| malformed());
        values.push((c_string(key)?, c_string(value.trim())?));
    }
    Ok(values)
}

impl Spec {
    /// Why the provider did not load, and what may help.
    fn failure(&self, errors: &Errors, settings: &Settings) -> String {
        let provider = &self.provider;
        if errors.lack_a_module() {
            return format!("{errors}; name the folder of its module as `openssl:{provider}@FOLDER`");
        }
        let files: Vec<_> = settings.candidates.iter().map(|path| format!("`{}`", path.display())).collect();
        if files.is_empty() {
            return errors.to_string();
        }
        format!("{errors}; its settings, if it needs any, are read from {}", files.join(" or "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_openssl_without_the_algorithms_is_refused() {
        // As OpenSSL_version_num tells 3.0.19 and 1.1.1w; the last is 3.5.0.
        let reason = too_old(0x3000_0130).unwrap();
        assert!(reason.starts_with("OpenSSL 3.0 is linked") && reason.contains("vendored"), "{reason}");
        assert!(too_old(0x1010_117f).unwrap().starts_with("OpenSSL 1.1 is linked"));
        assert_eq!(too_old(0x3050_0000), None);
    }

    #[test]
    fn a_name_can_hold_nothing_that_a_property_query_or_a_path_understands() {
        for name in [
            "",
            " ",
            "a b",
            "default,fips=yes",
            "default?",
            "../evil",
            "a/b",
            "a.b",
            "a=b",
            "a'b",
            "ä",
            "a\0",
            "-a,",
        ] {
            let Err(Error::BackendUnavailable { backend, reason }) = Spec::parse(name) else {
                panic!("`{name}` was taken for a provider");
            };
            assert_eq!(backend, format!("openssl:{name}"));
            assert!(reason.contains("letters, digits"), "{reason}");
        }
        for name in ["default", "fips", "my_provider-2"] {
            assert_eq!(Spec::parse(name).unwrap().provider, name);
        }
    }

    #[test]
    fn a_folder_must_be_there() {
        for spec in ["fips@", "fips@/no/such/folder"] {
            let Err(Error::BackendUnavailable { reason, .. }) = Spec::parse(spec) else {
                panic!("{spec} was taken");
            };
            assert!(reason.contains("folder"), "{reason}");
        }
        let folder = tempfile::tempdir().unwrap();
        let spec = Spec::parse(&format!("fips@{}", folder.path().display())).unwrap();
        assert_eq!(spec.folder, Some(folder.path().canonicalize().unwrap()));
        assert_eq!(spec.backend, "openssl:fips");
    }

    #[test]
    fn settings_are_those_of_the_providers_section() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fipsmodule.cnf");
        fs::write(
            &path,
            "# written by fipsinstall\nstray\n[other]\na = b\n\n[ fips_sect ]\nactivate = 1\n  module-mac = AB:CD==\n[last]\nc = d\n",
        )
        .unwrap();
        let expected = vec![(c"module-mac".to_owned(), c"AB:CD==".to_owned())];
        assert_eq!(read_settings(&path, "fips").unwrap(), expected);
        fs::write(&path, "[fips_sect]\nmodule-mac\n").unwrap();
        assert_eq!(read_settings(&path, "fips").unwrap_err(), "line 2 is not `key = value`");
    }
}
