//! Running the command.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::{env, fs};

use pqsig::encoding::Decoded;
use tempfile::TempDir;

use crate::{PASSPHRASE, decode};

static OPENSSL: LazyLock<PathBuf> = LazyLock::new(|| {
    let candidates = match env::var_os("PQSIG_OPENSSL") {
        Some(named) => vec![PathBuf::from(named)],
        None => vec![built_command(), PathBuf::from("openssl")],
    };
    for candidate in &candidates {
        if Command::new(candidate)
            .args(["genpkey", "-algorithm", "ML-DSA-44"])
            .output()
            .is_ok_and(|output| output.status.success())
        {
            // Absolute, since it is run from other folders; a bare name is looked up on PATH from anywhere.
            return fs::canonicalize(candidate).unwrap_or_else(|_| candidate.clone());
        }
    }
    panic!("no openssl command knows ML-DSA (tried {candidates:?}): run scripts/openssl-cli.sh first")
});

fn built_command() -> PathBuf {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    target.join("tools/openssl/bin/openssl")
}

/// A folder of files, and the command run in it.
pub(crate) struct Peer {
    folder: TempDir,
}

impl Peer {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        // `req` wants a configuration, and the machine's own would decide what is tested.
        fs::write(folder.path().join("openssl.cnf"), "[req]\ndistinguished_name = dn\n[dn]\n").unwrap();
        Peer { folder }
    }

    /// Runs `openssl` with words that have no blanks in them.
    pub(crate) fn output(&self, command: &str) -> Output {
        Command::new(&*OPENSSL)
            .args(command.split_whitespace())
            .current_dir(self.folder.path())
            .env("OPENSSL_CONF", "openssl.cnf")
            .env("PASSPHRASE", PASSPHRASE)
            .output()
            .unwrap()
    }

    pub(crate) fn run(&self, command: &str) -> Vec<u8> {
        let output = self.output(command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {command}: {stderr}");
        output.stdout
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.folder.path().join(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).unwrap()
    }

    /// The public key, as the command derives it.
    pub(crate) fn public_der(&self, private: &str) -> Vec<u8> {
        self.run(&format!("pkey -in {private} -passin env:PASSPHRASE -pubout -outform DER"))
    }

    pub(crate) fn decode(&self, name: &str) -> Decoded {
        decode(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}
