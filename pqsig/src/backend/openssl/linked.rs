//! What the linked OpenSSL says of itself.

use std::ffi::CStr;

use super::ffi::{self, CleanStack, Info, Library};
use super::pin::linked_version;

/// The linked OpenSSL in its own words: OpenSSL_version(3), OPENSSL_info(3), and what of OpenSSL's own providers
/// can be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkedOpenSsl {
    /// Such as `OpenSSL 3.6.3 9 Jun 2026`.
    pub version: String,
    /// When it was built.
    pub built_on: String,
    /// What it was configured for, such as `linux-x86_64`.
    pub platform: String,
    /// How it was compiled.
    pub compiler_flags: String,
    /// The folder of its configuration: OPENSSLDIR.
    pub folder: String,
    /// The folder where it looks for providers that are modules.
    pub modules_folder: String,
    /// What it found the processor to have, as `OPENSSL_ia32cap` and its like spell it; empty where it does not say.
    pub cpu_settings: String,
    /// `default`, `fips`, `legacy` and `base`, in this order.
    pub providers: Vec<ProviderInfo>,
}

/// One of OpenSSL's own providers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProviderInfo {
    /// The name that it is loaded by.
    pub name: &'static str,
    /// Its version, where it is available and tells.
    pub version: Option<String>,
    /// `running`, `stopped`, or why it can't be loaded.
    pub status: String,
    /// Whether it can be loaded.
    pub available: bool,
}

/// Asks the linked OpenSSL what it is. Loads each provider for the purpose, into a library context that is
/// thrown away.
#[must_use]
pub fn linked() -> LinkedOpenSsl {
    let after_label = |text: &str| text.split_once(": ").map_or(text, |(_, value)| value).to_owned();
    let fact = |kind| ffi::info(kind).unwrap_or_default();
    LinkedOpenSsl {
        version: linked_version(),
        built_on: after_label(openssl::version::built_on()),
        platform: after_label(openssl::version::platform()),
        compiler_flags: after_label(openssl::version::c_flags()),
        folder: fact(Info::ConfigurationFolder),
        modules_folder: fact(Info::ModulesFolder),
        cpu_settings: fact(Info::CpuSettings),
        providers: vec![
            provider("default", c"default"),
            provider("fips", c"fips"),
            provider("legacy", c"legacy"),
            provider("base", c"base"),
        ],
    }
}

fn provider(name: &'static str, c_name: &CStr) -> ProviderInfo {
    let _clean = CleanStack::new();
    match Library::load(c_name, None, &[]) {
        Ok(library) => {
            let provider = library.provider();
            let status = if provider.is_running() == Some(false) { "stopped" } else { "running" };
            ProviderInfo {
                name,
                version: provider.text(c"version"),
                status: status.to_owned(),
                available: true,
            }
        }
        Err(errors) => ProviderInfo { name, version: None, status: errors.to_string(), available: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_linked_library_describes_itself() {
        let linked = linked();
        assert!(linked.version.starts_with("OpenSSL "), "{linked:?}");
        for fact in [&linked.built_on, &linked.platform, &linked.compiler_flags] {
            assert!(!fact.is_empty() && !fact.contains("not available"), "{linked:?}");
        }
        assert!(!linked.folder.is_empty() && !linked.modules_folder.is_empty(), "{linked:?}");
        let names: Vec<_> = linked.providers.iter().map(|provider| provider.name).collect();
        assert_eq!(names, ["default", "fips", "legacy", "base"]);
        for provider in &linked.providers {
            assert_eq!(provider.version.is_some(), provider.available, "{provider:?}");
            assert!(!provider.status.is_empty(), "{provider:?}");
        }
        let default = &linked.providers[0];
        assert!(default.available && default.status == "running", "{default:?}");
        let number = default.version.as_deref().unwrap();
        assert!(linked.version.contains(number), "{number} of {}", linked.version);
        assert!(!ffi::has_errors());
    }
}
