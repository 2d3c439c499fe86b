//! Tells `pqsig info` what this build is: the versions in Cargo.lock and the profile, which no macro knows.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that do the work or decide about compatibility.
const CRATES: [&str; 14] = [
    "ed25519-dalek",
    "ml-dsa",
    "nu-plugin",
    "nu-protocol",
    "openssl",
    "openssl-src",
    "openssl-sys",
    "pkcs8",
    "pqsig",
    "pqsig-interop",
    "pqsig-speed",
    "sha2",
    "sha3",
    "slh-dsa",
];

/// Those of the backends that the feature `backends` adds.
const MORE_BACKENDS: [&str; 4] = ["aws-lc-sys", "fips204", "fips205", "libcrux-ml-dsa"];

fn main() -> Result<(), Box<dyn Error>> {
    for (name, source) in [("PROFILE", "PROFILE"), ("OPT_LEVEL", "OPT_LEVEL"), ("TARGET", "TARGET")] {
        println!("cargo::rustc-env=PQSIG_BUILD_{name}={}", env::var(source)?);
    }
    let package = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let lock = match find_lock(&package) {
        Some(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read_to_string(path)?
        }
        // A packaged crate that is built as a dependency has none: `info` then says so.
        None => String::new(),
    };
    println!("cargo::rerun-if-changed=build.rs");

    let mut rust = String::from("/// Name and version of the crates that matter.\n");
    let mut crates = CRATES.to_vec();
    if env::var_os("CARGO_FEATURE_BACKENDS").is_some() {
        crates.extend(MORE_BACKENDS);
        crates.sort_unstable();
    }
    let rows: Vec<_> = crates.iter().map(|name| (name, versions(&lock, name))).collect();
    writeln!(rust, "pub(crate) const CRATES: [(&str, &str); {}] = {rows:?};", rows.len())?;
    fs::write(Path::new(&env::var("OUT_DIR")?).join("crates.rs"), rust)?;
    Ok(())
}

/// Cargo.lock of the workspace that the package is in.
fn find_lock(package: &Path) -> Option<PathBuf> {
    package.ancestors().take(2).map(|folder| folder.join("Cargo.lock")).find(|path| path.exists())
}

/// The crate's version, or its versions, since two that do not get along may stand side by side.
fn versions(lock: &str, name: &str) -> String {
    let mut versions = Vec::new();
    let mut lines = lock.lines();
    while let Some(line) = lines.next() {
        if line == format!("name = \"{name}\"") {
            let version = lines.next().and_then(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
            versions.extend(version);
        }
    }
    if versions.is_empty() { "unknown".to_owned() } else { versions.join(", ") }
}
