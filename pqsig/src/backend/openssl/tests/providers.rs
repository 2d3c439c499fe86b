//! Which provider works, and what happens when one can't or won't.

use std::ffi::CString;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use super::*;

#[test]
fn the_default_provider_can_be_pinned_and_says_that_it_works() {
    let pinned = by_name("openssl:default").unwrap();
    assert_eq!(pinned.name(), "openssl:default");
    for backend in [openssl(), pinned] {
        for algorithm in Algorithm::all() {
            assert_eq!(
                backend.capabilities(algorithm),
                Some(Capabilities::everything(algorithm)),
                "{algorithm} of {}",
                backend.name()
            );
        }
        let signer = backend.generate(Algorithm::MlDsa65, Generate::Random).unwrap();
        assert_eq!(signer.provider().as_deref(), Some("default"));
        let key = signer.private_key().unwrap();
        let verifier = backend.verifying_key(key.public_key()).unwrap();
        assert_eq!(verifier.provider().as_deref(), Some("default"));
        assert_clean();
    }
}

#[test]
fn versions_are_the_librarys_own_words() {
    let library = openssl::version::version();
    assert_eq!(openssl().version(Algorithm::MlDsa65), library);
    let number = library.split(' ').nth(1).unwrap();
    let pinned = by_name("openssl:default").unwrap().version(Algorithm::MlDsa65);
    assert_eq!(pinned, format!("{library}, OpenSSL Default Provider {number}"));
}

#[test]
fn a_provider_that_is_not_there_is_unavailable_with_the_reason_and_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap();
    let with_folder = format!("openssl:nosuch@{}", path.display());
    for (spec, where_looked) in [("openssl:nosuch", "ossl-modules"), (&with_folder, path.to_str().unwrap())] {
        let Err(Error::BackendUnavailable { backend, reason }) = by_name(spec) else {
            panic!("{spec} was found");
        };
        assert_eq!(backend, "openssl:nosuch");
        assert!(reason.contains("could not load the shared library"), "{reason}");
        assert!(reason.contains("openssl:nosuch@FOLDER"), "{reason}");
        assert!(reason.contains(where_looked), "{reason}");
        assert_clean();
    }
    let Err(Error::BackendUnavailable { reason, .. }) = by_name("openssl:default,fips=yes") else {
        panic!("a property query was taken for a name");
    };
    assert!(reason.contains("letters, digits"), "{reason}");
}

/// Builds `tests/data/provider.c` as the module of a provider.
fn build_provider(folder: &Path, name: &str, switches: &[&str]) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/provider.c");
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut command = Command::new(&compiler);
    command
        .args(["-shared", "-fPIC", "-o"])
        .arg(folder.join(name).with_extension(env::consts::DLL_EXTENSION));
    command.arg(format!("-DNAME=\"{name}\"")).args(switches.iter().map(|switch| format!("-D{switch}")));
    let status = command.arg(source).status();
    assert!(status.as_ref().is_ok_and(std::process::ExitStatus::success), "{command:?}: {status:?}");
}

fn provider_at(name: &str, folder: &Path) -> Result<Backend, Error> {
    by_name(&format!("openssl:{name}@{}", folder.display()))
}

#[test]
fn a_provider_from_a_folder_is_loaded_and_offers_what_it_offers() {
    let folder = tempfile::tempdir().unwrap();
    build_provider(folder.path(), "nothing", &[]);
    let backend = provider_at("nothing", folder.path()).unwrap();
    assert_eq!(backend.name(), "openssl:nothing");
    assert_eq!(
        backend.version(Algorithm::MlDsa44),
        format!("{}, Provider of a test 1.2.3", openssl::version::version())
    );
    let key = PrivateKey::from_seed(Algorithm::MlDsa44, &[1; 32]).unwrap();
    for algorithm in Algorithm::all() {
        assert_eq!(backend.capabilities(algorithm), None, "{algorithm}");
        let Err(Error::Unsupported { backend, feature: Feature::Algorithm, alternatives, .. }) =
            backend.generate(algorithm, Generate::Random)
        else {
            panic!("{algorithm} came from nothing");
        };
        assert_eq!(backend, "openssl:nothing");
        assert!(alternatives.contains(&NAME.to_owned()), "{alternatives:?}");
    }
    assert!(matches!(backend.signing_key(&key), Err(Error::Unsupported { .. })));
    assert!(matches!(backend.verifying_key(key.public_key()), Err(Error::Unsupported { .. })));
    assert_clean();
}

#[test]
fn a_provider_that_does_not_start_is_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    build_provider(folder.path(), "unwilling", &["REFUSES"]);
    let Err(Error::BackendUnavailable { reason, .. }) = provider_at("unwilling", folder.path()) else {
        panic!("it started");
    };
    assert!(reason.contains("init fail (name=unwilling)"), "{reason}");
    assert_clean();
}

/// The FIPS provider starts with the settings of `fipsmodule.cnf` only.
#[test]
fn a_provider_gets_its_settings_from_the_file_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    build_provider(folder.path(), "particular", &["NEEDS_SETTING"]);
    let Err(Error::BackendUnavailable { reason, .. }) = provider_at("particular", folder.path()) else {
        panic!("it started without its setting");
    };
    assert!(reason.contains("particularmodule.cnf"), "{reason}");

    let file = folder.path().join("particularmodule.cnf");
    fs::write(&file, "[particular_sect]\nmotto\n").unwrap();
    let Err(Error::BackendUnavailable { reason, .. }) = provider_at("particular", folder.path()) else {
        panic!("it started with a broken file");
    };
    assert!(reason.contains("line 2"), "{reason}");

    fs::write(&file, "[particular_sect]\nactivate = 1\nmotto = hello\n").unwrap();
    provider_at("particular", folder.path()).unwrap();
    assert_clean();
}

#[test]
fn a_provider_that_has_stopped_rejects_nothing() {
    let folder = tempfile::tempdir().unwrap();
    build_provider(folder.path(), "strict", &["REJECTS"]);
    build_provider(folder.path(), "stopped", &["REJECTS", "STOPPED"]);
    let key = PrivateKey::from_seed(Algorithm::MlDsa44, &[1; 32]).unwrap();
    let verdict_of = |name: &str| {
        let backend = provider_at(name, folder.path()).unwrap();
        let verifier = backend.verifying_key(key.public_key()).unwrap();
        assert_eq!(verifier.provider().as_deref(), Some(name));
        let verdict = verifier.verify(&Message::pure(b"message"), &[0; 2420]);
        assert_clean();
        verdict
    };
    assert_eq!(verdict_of("strict").unwrap(), Verdict::Rejected);
    assert!(
        matches!(verdict_of("stopped"), Err(Error::Backend { reason, .. }) if reason.contains("stopped"))
    );
}

/// OpenSSL ignores a parameter that a provider doesn't know: a context would vanish from the signature.
#[test]
fn what_a_provider_takes_no_parameter_for_is_unsupported() {
    let folder = tempfile::tempdir().unwrap();
    build_provider(folder.path(), "bare", &["REJECTS"]);
    let backend = provider_at("bare", folder.path()).unwrap();
    assert_eq!(backend.capabilities(Algorithm::MlDsa44), Some(Capabilities::default()));
    assert_eq!(backend.capabilities(Algorithm::MlDsa65), None);
    let key = PrivateKey::from_seed(Algorithm::MlDsa44, &[1; 32]).unwrap();
    let verifier = backend.verifying_key(key.public_key()).unwrap();
    let message = Message::Pure { message: b"message", context: Context::new(b"context").unwrap() };
    let answer = verifier.verify(&message, &[0; 2420]);
    assert!(matches!(answer, Err(Error::Unsupported { feature: Feature::Context, .. })), "{answer:?}");
    assert!(matches!(
        backend.generate(Algorithm::MlDsa44, Generate::FromSeed(&[0; 32])),
        Err(Error::Unsupported { feature: Feature::SeedKeygen, .. })
    ));
}

#[test]
fn work_by_another_provider_than_the_pinned_one_is_an_error() {
    let load = |name: &str| ffi::Library::load(&CString::new(name).unwrap(), None, &[]).unwrap();
    let (default, base) = (load("default"), load("base"));
    let (default, base) = (default.provider(), base.provider());
    assert_eq!(default.is_running(), Some(true));
    assert_eq!(scheme::stranger(default, [Some(default), Some(default)].into_iter()), None);
    assert_eq!(
        scheme::stranger(default, [Some(default), Some(base)].into_iter()).unwrap(),
        "`default` was asked for, `base` does the work"
    );
    assert_eq!(
        scheme::stranger(base, [None].into_iter()).unwrap(),
        "`base` was asked for, no provider does the work"
    );
}
