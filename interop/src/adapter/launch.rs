//! How an adapter is started.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use pqsig::backend;

use super::protocol::check_name;

/// What starts an adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The name that it goes by in the run, whatever it calls itself: one program can run twice, in two versions.
    pub name: String,
    /// The program: a path, or a name that is looked for on the PATH.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Variables that are set for it; the others are inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// How long its replies may take.
    pub timeouts: Timeouts,
}

/// How long replies may take, from the first byte of the request on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Hello: an interpreter starts and imports its libraries.
    pub hello: Duration,
    /// What takes a private key: keygen, public and sign. The slow SLH-DSA sets take hundreds of thousands of hashes for
    /// the first two, and millions for a signature, which interpreted code works on for tens of seconds on a busy machine.
    pub private: Duration,
    /// Verify.
    pub verify: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts {
            hello: Duration::from_secs(30),
            private: Duration::from_mins(5),
            verify: Duration::from_mins(1),
        }
    }
}

impl Timeouts {
    /// The same for every request.
    #[must_use]
    pub fn all(limit: Duration) -> Self {
        Timeouts { hello: limit, private: limit, verify: limit }
    }
}

impl Launch {
    /// A program under a name.
    ///
    /// # Errors
    /// A name that is none, or that an in-process backend has.
    pub fn new(name: &str, program: impl Into<PathBuf>) -> Result<Self, String> {
        check_name(name)?;
        if backend::NAMES.contains(&name) {
            return Err(format!("the name `{name}` is that of an in-process backend"));
        }
        Ok(Launch {
            name: name.to_owned(),
            program: program.into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            timeouts: Timeouts::default(),
        })
    }

    /// What `NAME=COMMAND` on a command line starts. The command is split into words as a shell does it, with quotes and
    /// backslashes, but no shell runs it: nothing in it is expanded.
    ///
    /// # Errors
    /// As [`Launch::new`]; a command that is empty, or whose quotes do not close.
    pub fn from_command(name: &str, command: &str) -> Result<Self, String> {
        let words = shlex::split(command).ok_or_else(|| format!("a quote in `{command}` does not close"))?;
        let mut words = words.into_iter();
        let program = words.next().ok_or_else(|| format!("there is no command for `{name}`"))?;
        let mut launch = Launch::new(name, program)?;
        launch.arguments = words.map(OsString::from).collect();
        Ok(launch)
    }

    /// The files of the adapter itself: the program, and then the arguments that are files, such as a script.
    ///
    /// # Errors
    /// A program that is not there.
    pub(super) fn own_files(&self) -> Result<(PathBuf, Vec<PathBuf>), String> {
        let program = find_program(&self.program)?;
        let arguments = self.arguments.iter().map(PathBuf::from).filter(|path| path.is_file());
        Ok((program, arguments.collect()))
    }
}

/// The file of a program: what the path names, or what is found on the PATH.
///
/// # Errors
/// The program, and where it is not.
pub(crate) fn find_program(program: &Path) -> Result<PathBuf, String> {
    let is_path = program.components().count() > 1 || program.is_absolute();
    if is_path {
        return with_ending(program).ok_or_else(|| format!("{} is not there", program.display()));
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .find_map(|folder| with_ending(&folder.join(program)))
        .ok_or_else(|| format!("`{}` is not on the PATH", program.display()))
}

/// The file, or the one with the ending that programs have here.
fn with_ending(path: &Path) -> Option<PathBuf> {
    let mut ended = path.as_os_str().to_owned();
    ended.push(env::consts::EXE_SUFFIX);
    [path.to_owned(), PathBuf::from(ended)].into_iter().find(|path| is_program(path))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_into_words() {
        let launch = Launch::from_command("mine", r#"python3 'my adapter.py' --lib "a b" $HOME"#).unwrap();
        assert_eq!(launch.program, Path::new("python3"));
        assert_eq!(launch.arguments, ["my adapter.py", "--lib", "a b", "$HOME"]);
        assert_eq!(launch.timeouts, Timeouts::default());
        for (name, command, expected) in [
            ("mine", "", "there is no command"),
            ("mine", "python3 'my.py", "does not close"),
            ("My", "python3", "lower case"),
            ("openssl", "python3", "in-process backend"),
        ] {
            let error = Launch::from_command(name, command).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_program_is_found_or_named() {
        let own = env::current_exe().unwrap();
        assert_eq!(find_program(&own), Ok(own.clone()));
        let error = find_program(Path::new("no-such-program-here")).unwrap_err();
        assert_eq!(error, "`no-such-program-here` is not on the PATH");
        assert!(find_program(&own.join("none")).is_err());
        let launch = Launch {
            arguments: vec![own.clone().into(), "--flag".into()],
            ..Launch::new("a", &own).unwrap()
        };
        assert_eq!(launch.own_files().unwrap(), (own.clone(), vec![own]));
    }
}
