//! Which `openssl` is asked.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::VARIABLE;
use crate::adapter::find_program;

/// A command of a version that will do.
pub(super) struct Program {
    pub(super) path: PathBuf,
    /// What `openssl version` says.
    pub(super) version: String,
    /// The program, and the libcrypto that it loads.
    pub(super) artifacts: Vec<PathBuf>,
}

impl Program {
    /// See [`super::OpenSslCommand::find`].
    pub(super) fn find(given: Option<&Path>) -> Result<Self, String> {
        let named = given
            .map(Path::to_owned)
            .or_else(|| env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from));
        let candidates = match named {
            Some(named) => vec![named],
            None => [PathBuf::from("openssl")].into_iter().chain(built()).collect(),
        };
        let mut faults = Vec::new();
        for candidate in &candidates {
            match Program::at(candidate) {
                Ok(program) => return Ok(program),
                Err(fault) => faults.push(fault),
            }
        }
        Err(format!(
            "no openssl of version 3.5 or newer: {}: run scripts/openssl-cli.sh, or name one with {VARIABLE}",
            faults.join("; ")
        ))
    }

    fn at(candidate: &Path) -> Result<Self, String> {
        let path = find_program(candidate)?;
        let path = std::path::absolute(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let shown = path.display();
        let output = Command::new(&path)
            .arg("version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| format!("{shown}: {error}"))?;
        let words = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() {
            return Err(format!("`{shown} version` ended with {}", output.status));
        }
        match release(&words) {
            Some(release) if release >= (3, 5) => {}
            _ => return Err(format!("{shown} is {}", short_version(&words))),
        }
        let artifacts = [Some(path.clone()), libcrypto(&path)].into_iter().flatten().collect();
        Ok(Program { path, version: short_version(&words), artifacts })
    }
}

/// The command that `scripts/openssl-cli.sh` builds, seen from the program in `target/release`.
fn built() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    Some(own.parent()?.parent()?.join("tools").join("openssl").join("bin").join("openssl"))
}

/// Major and minor version of the library that the command uses: `OpenSSL 3.6.3 9 Jun 2026 (Library: OpenSSL 3.6.3 9 Jun
/// 2026)`. Forks such as LibreSSL have other first words and none of the algorithms.
fn release(words: &str) -> Option<(u32, u32)> {
    let library = words.split_once("(Library: ").map_or(words, |(_, library)| library);
    let number = library.strip_prefix("OpenSSL ")?.split_whitespace().next()?;
    let mut parts = number.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The words once, where command and library are of one version.
fn short_version(words: &str) -> String {
    match words.split_once(" (Library: ") {
        Some((command, library)) if library.strip_suffix(')') == Some(command) => command.to_owned(),
        _ => words.to_owned(),
    }
}

/// The libcrypto that the program loads, where `ldd` can tell. A program that was linked statically has none; neither has
/// one on a system without `ldd`, where the list then names the program alone.
fn libcrypto(program: &Path) -> Option<PathBuf> {
    let output = Command::new("ldd").arg(program).stdin(Stdio::null()).output().ok()?;
    loaded_libcrypto(&String::from_utf8_lossy(&output.stdout))
}

/// From lines such as `libcrypto.so.3 => /usr/lib/libcrypto.so.3 (0x00007f...)`.
fn loaded_libcrypto(ldd: &str) -> Option<PathBuf> {
    let line = ldd.lines().map(str::trim).find(|line| line.starts_with("libcrypto"))?;
    let (_, target) = line.split_once(" => ")?;
    let path = Path::new(target.rsplit_once(" (").map_or(target, |(path, _)| path));
    path.is_absolute().then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_librarys_version_decides() {
        let both = |command, library| {
            format!("OpenSSL {command} 1 Jan 2026 (Library: OpenSSL {library} 1 Jan 2026)")
        };
        assert_eq!(release(&both("3.6.3", "3.6.3")), Some((3, 6)));
        assert_eq!(release(&both("3.6.3", "3.0.19")), Some((3, 0)));
        assert_eq!(release("OpenSSL 4.0.0-dev "), Some((4, 0)));
        assert_eq!(release("LibreSSL 4.1.0"), None);
        assert_eq!(short_version(&both("3.6.3", "3.6.3")), "OpenSSL 3.6.3 1 Jan 2026");
        assert_eq!(short_version(&both("3.6.3", "3.6.2")), both("3.6.3", "3.6.2"));
    }

    #[test]
    fn ldd_names_libcrypto() {
        let dynamic = "\tlinux-vdso.so.1 (0x1)\n\tlibssl.so.3 => /lib/libssl.so.3 (0x2)\n\tlibcrypto.so.3 => /lib/x y/libcrypto.so.3 (0x3)\n";
        assert_eq!(loaded_libcrypto(dynamic), Some(PathBuf::from("/lib/x y/libcrypto.so.3")));
        assert_eq!(loaded_libcrypto("\tlibcrypto.so.3 => not found\n"), None);
        assert_eq!(loaded_libcrypto("\tnot a dynamic executable\n"), None);
    }

    #[test]
    fn what_will_not_do_is_named() {
        let error = Program::find(Some(Path::new("no-such-openssl"))).err().unwrap();
        assert!(
            error.contains("`no-such-openssl` is not on the PATH: run scripts/openssl-cli.sh"),
            "{error}"
        );
    }
}
