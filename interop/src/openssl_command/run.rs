//! Running the command.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pqsig::Algorithm;
use tempfile::{NamedTempFile, TempDir};

use super::Input;
use super::words::{Output, Said};
use crate::adapter::protocol::Failure;

/// Runs the command in a folder of its own, which goes when it does. The folder and the files in it are their owner's
/// alone.
pub(super) struct Runner {
    program: PathBuf,
    folder: TempDir,
}

/// The file that stands in for the machine's configuration, which would decide what is tested.
const CONFIGURATION: &str = "openssl.cnf";

/// Nobody is asked for the passphrase of an encrypted key: there is none.
const NO_PASSPHRASE: [&str; 2] = ["-passin", "pass:"];

impl Runner {
    pub(super) fn new(program: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("pqsig-openssl-").tempdir()?;
        std::fs::write(folder.path().join(CONFIGURATION), "")?;
        Ok(Runner { program: program.to_owned(), folder })
    }

    fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Result<Output, Failure> {
        let output = Command::new(&self.program)
            .args(arguments)
            .current_dir(self.folder.path())
            .env("OPENSSL_CONF", CONFIGURATION)
            .stdin(Stdio::null())
            .output();
        output.map(Output::from).map_err(|error| Failure::failed(format!("can't run openssl: {error}")))
    }

    /// A file of this name for as long as the result lives. Names are the same each time: they are quoted in reasons.
    fn file(&self, name: &str, bytes: &[u8]) -> Result<File, Failure> {
        let write = || {
            let mut file = NamedTempFile::new_in(self.folder.path())?;
            file.write_all(bytes)?;
            let path = self.folder.path().join(name);
            file.persist(&path)?;
            Ok(File(path))
        };
        write().map_err(|error: io::Error| Failure::failed(format!("can't write a temporary file: {error}")))
    }

    /// The names in `openssl list -signature-algorithms`, one of whose lines is
    /// `{ 2.16.840.1.101.3.4.3.17, id-ml-dsa-44, ML-DSA-44, MLDSA44 } @ default`.
    pub(super) fn signature_algorithms(&self) -> Result<Vec<String>, String> {
        let output = self.run(["list", "-signature-algorithms"]).map_err(|failure| failure.reason)?;
        if !output.success() {
            return Err(output.failure("list its algorithms").reason);
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let words = text.split(|c: char| c.is_whitespace() || "{},@".contains(c));
        Ok(words.filter(|word| !word.is_empty()).map(str::to_owned).collect())
    }

    /// A private key as PKCS#8.
    pub(super) fn generate(&self, algorithm: Algorithm, seed: Option<&[u8]>) -> Result<Vec<u8>, Failure> {
        let mut arguments: Vec<String> =
            ["genpkey", "-algorithm", algorithm.name(), "-outform", "DER"].map(str::to_owned).into();
        if let Some(seed) = seed {
            arguments.extend(["-pkeyopt".to_owned(), format!("hexseed:{}", hex::encode(seed))]);
        }
        let output = self.run(arguments)?;
        if output.success() {
            return Ok(output.stdout);
        }
        // The command says the same of a seed of a wrong length as of any failure.
        let wrong = seed.filter(|seed| seed.len() != algorithm.parameters().seed);
        Err(match wrong {
            Some(seed) => Failure::refused(format!("a seed of {} bytes", seed.len())),
            None => output.failure("generate a key"),
        })
    }

    /// The public key of a private one, as SubjectPublicKeyInfo.
    pub(super) fn public_key(&self, algorithm: Algorithm, private: &[u8]) -> Result<Vec<u8>, Failure> {
        let key = self.key(algorithm, KeyKind::Private, private)?;
        let load = ["pkey", "-in", key.name(), "-inform", "DER"];
        let output = self.run(load.into_iter().chain(NO_PASSPHRASE).chain(["-pubout", "-outform", "DER"]))?;
        if output.success() { Ok(output.stdout) } else { Err(output.failure("derive the public key")) }
    }

    pub(super) fn sign(
        &self,
        algorithm: Algorithm,
        private: &[u8],
        input: &Input,
    ) -> Result<Vec<u8>, Failure> {
        let key = self.key(algorithm, KeyKind::Private, private)?;
        let message = self.file("message", &input.data)?;
        let output = if input.data.is_empty() {
            // pkeyutl before 4.0 fails on an empty file.
            let sign = ["dgst", "-sign", key.name(), "-keyform", "DER"];
            let options = with_flag("-sigopt", &input.options);
            self.run(sign.into_iter().chain(NO_PASSPHRASE).chain(options).chain([message.name()]))?
        } else {
            let sign = ["pkeyutl", "-sign", "-rawin", "-inkey", key.name(), "-keyform", "DER"];
            let options = with_flag("-pkeyopt", &input.options);
            self.run(sign.into_iter().chain(NO_PASSPHRASE).chain(options).chain(["-in", message.name()]))?
        };
        if output.success() { Ok(output.stdout) } else { Err(output.failure("sign")) }
    }

    pub(super) fn verify(
        &self,
        algorithm: Algorithm,
        public: &[u8],
        input: &Input,
        signature: &[u8],
    ) -> Result<bool, Failure> {
        let key = self.key(algorithm, KeyKind::Public, public)?;
        let message = self.file("message", &input.data)?;
        let signature_file = self.file("signature", signature)?;
        let output = if input.data.is_empty() {
            // dgst reads no more of a signature than one of the right length has, and none at all of an empty one: what
            // is too long would pass.
            if signature.len() != algorithm.parameters().signature {
                return Ok(false);
            }
            let verify =
                ["dgst", "-verify", key.name(), "-keyform", "DER", "-signature", signature_file.name()];
            let options = with_flag("-sigopt", &input.options);
            self.run(verify.into_iter().chain(options).chain([message.name()]))?
        } else {
            let verify = ["pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", key.name(), "-keyform", "DER"];
            let files = ["-in", message.name(), "-sigfile", signature_file.name()];
            self.run(verify.into_iter().chain(with_flag("-pkeyopt", &input.options)).chain(files))?
        };
        match output.verdict() {
            Said::Valid => Ok(true),
            Said::Invalid => Ok(false),
            Said::Neither => Err(output.failure("verify")),
        }
    }

    /// The file of a key that the command can read, and takes for one of this algorithm.
    fn key(&self, algorithm: Algorithm, kind: KeyKind, bytes: &[u8]) -> Result<File, Failure> {
        let (name, flag) = match kind {
            KeyKind::Private => ("private.der", None),
            KeyKind::Public => ("public.der", Some("-pubin")),
        };
        let key = self.file(name, bytes)?;
        let load = ["pkey", "-in", key.name(), "-inform", "DER"];
        let show = ["-noout", "-text_pub"];
        let output = self.run(load.into_iter().chain(flag).chain(NO_PASSPHRASE).chain(show))?;
        if !output.success() {
            return Err(output.failure("read the key"));
        }
        // `ML-DSA-65 Public-Key:`
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let title = text.lines().next().unwrap_or_default();
        match title.split_whitespace().next() {
            Some(word) if word.eq_ignore_ascii_case(algorithm.name()) => Ok(key),
            _ => Err(Failure::refused(format!("the key is no {algorithm} key: openssl calls it `{title}`"))),
        }
    }
}

#[derive(Clone, Copy)]
enum KeyKind {
    Private,
    Public,
}

/// A file that goes with this value.
struct File(PathBuf);

impl File {
    /// The file's name in the folder that the command runs in.
    fn name(&self) -> &str {
        self.0.file_name().and_then(OsStr::to_str).unwrap_or_default()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // The folder goes in the end, with whatever is left in it.
        drop(std::fs::remove_file(&self.0));
    }
}

fn with_flag<'a>(flag: &'a str, options: &'a [String]) -> impl Iterator<Item = &'a str> {
    options.iter().flat_map(move |option| [flag, option.as_str()])
}
