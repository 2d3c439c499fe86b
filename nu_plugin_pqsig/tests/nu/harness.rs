//! Runs Nushell with the plugin that cargo has just built, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use tempfile::TempDir;

/// A folder to work in, which goes when it is dropped.
pub(crate) struct Workplace(TempDir);

impl Workplace {
    pub(crate) fn new() -> Self {
        Workplace(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// `nu -n --plugins [...]`, to which arguments can be added. Variables that would change what it does are not
    /// passed on, and there is no terminal.
    pub(crate) fn nu(&self) -> Command {
        let mut command = Command::new(nu());
        command
            .arg("--no-config-file")
            .arg("--plugins")
            .arg(format!("[{:?}]", env!("CARGO_BIN_EXE_nu_plugin_pqsig")))
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("XDG_CONFIG_HOME", self.path().join("config"))
            .stdin(Stdio::null());
        command
    }

    /// The standard output of a line of Nushell, without blanks around it.
    pub(crate) fn eval(&self, line: &str) -> String {
        output(self.nu().arg("--commands").arg(line), line)
    }

    /// The standard output of one of the scripts.
    pub(crate) fn script(&self, name: &str) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nu/scripts");
        output(self.nu().arg(folder.join(name)), name)
    }

    /// A file's text.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

fn output(command: &mut Command, what: &str) -> String {
    let Output { status, stdout, stderr } = command.output().expect("nu runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).trim().to_owned();
    let (stdout, stderr) = (text(stdout), text(stderr));
    assert!(status.success(), "{what}: {status}\n{stdout}\n{stderr}");
    stdout
}

/// Nushell's path: what `PQSIG_NU` names, else what scripts/nu.sh has put into the target folder.
fn nu() -> PathBuf {
    if let Some(path) = env::var_os("PQSIG_NU") {
        return path.into();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/bin/nu");
    assert!(path.exists(), "these tests need Nushell: run scripts/nu.sh first");
    path
}
