//! The commands `acvp answer`, `acvp check` and `acvp ask` as functions of paths.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pqsig::Algorithm;

use super::answer::{Progress, answer};
use super::ask::ask;
use super::check::{Report, check};
use super::error::Error;
use super::head::Head;
use super::prompt::Prompt;
use super::response::{Expected, Key, Response};
use super::secret::Secret;
use crate::peer::{Peer, Refusal};

/// The largest file of vectors that is read. NIST's largest has 33 MB.
pub const MAX_FILE: u64 = 256 * 1024 * 1024;

/// What became of a prompt.
#[derive(Clone, Debug)]
pub struct AnswerReport {
    /// The prompt's head.
    pub head: Head,
    /// Who answered.
    pub peer: String,
    /// How many cases were answered.
    pub answered: usize,
    /// What was not answered, and why: those cases are missing in the response.
    pub unanswered: Vec<(Key, Refusal)>,
    /// The response file.
    pub response: PathBuf,
}

impl AnswerReport {
    /// True if nothing was left out.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unanswered.is_empty()
    }
}

/// The counts and the response's path, then a line for each case that was left out.
impl fmt::Display for AnswerReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (answered, unanswered) = (self.answered, self.unanswered.len());
        writeln!(f, "{}: {answered} cases answered by {}, {unanswered} not", self.head, self.peer)?;
        writeln!(f, "{}", self.response.display())?;
        for ((tg_id, tc_id), why) in &self.unanswered {
            writeln!(f, "tgId {tg_id}, tcId {tc_id}: {why}")?;
        }
        Ok(())
    }
}

/// Answers a prompt file with a peer and writes the response, to `out` or beside the prompt: see
/// [`response_path`].
///
/// # Errors
/// [`Error::Read`], [`Error::InFile`] with what [`Prompt::parse`] says, [`Error::Write`].
pub fn answer_file(
    prompt: &Path,
    peer: Arc<dyn Peer>,
    out: Option<&Path>,
    progress: Progress<'_>,
) -> Result<AnswerReport, Error> {
    let response = out.map_or_else(|| response_path(prompt), Path::to_owned);
    let prompt = parse(prompt, Prompt::parse)?;
    let name = peer.name().to_owned();
    let answered = answer(&prompt, peer, progress);
    write(&response, &answered.response.to_json()?)?;
    Ok(AnswerReport {
        head: prompt.head,
        peer: name,
        answered: answered.response.answers.len(),
        unanswered: answered.unanswered,
        response,
    })
}

/// Where the response to a prompt goes: `prompt` in the file's name becomes `response`; a name without it gets
/// `.response.json` in place of its extension.
#[must_use]
pub fn response_path(prompt: &Path) -> PathBuf {
    let name = prompt.file_name().unwrap_or_default().to_string_lossy();
    if name.contains("prompt") {
        prompt.with_file_name(name.replacen("prompt", "response", 1))
    } else {
        prompt.with_extension("response.json")
    }
}

/// Judges a response file: see [`check()`].
///
/// # Errors
/// [`Error::Read`], [`Error::InFile`] with what is wrong in it, [`Error::OtherSet`].
pub fn check_files(
    prompt: &Path,
    response: &Path,
    expected: Option<&Path>,
    peers: &[Arc<dyn Peer>],
    progress: Progress<'_>,
) -> Result<Report, Error> {
    let prompt = parse(prompt, Prompt::parse)?;
    let response = parse(response, Response::parse)?;
    let expected = expected.map(|path| parse(path, Expected::parse)).transpose()?;
    check(&prompt, &response, expected.as_ref(), peers, progress)
}

/// The prompt files that were written.
#[derive(Clone, Debug)]
pub struct AskReport {
    /// Each file, and how many cases it has.
    pub prompts: Vec<(PathBuf, usize)>,
}

/// A line for each file.
impl fmt::Display for AskReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, cases) in &self.prompts {
            writeln!(f, "{}: {cases} cases", path.display())?;
        }
        Ok(())
    }
}

/// Makes fresh prompts from the secret in a file (see [`Secret::read`]) and writes them into a folder, which is made if it
/// is not there: `ML-DSA-65-keyGen-prompt.json` and the like. Files of these names are replaced.
///
/// # Errors
/// What [`Secret::read`] and [`ask()`] say; [`Error::Write`].
pub fn ask_files(
    algorithm: Algorithm,
    secret: &Path,
    count: usize,
    out: &Path,
    peers: &[Arc<dyn Peer>],
) -> Result<AskReport, Error> {
    let asked = ask(algorithm, &Secret::read(secret)?, count, peers)?;
    fs::create_dir_all(out).map_err(|source| Error::Write { path: out.to_owned(), source })?;
    let mut prompts = Vec::new();
    for (task, json) in asked.prompts {
        let path = out.join(format!("{algorithm}-{}-prompt.json", task.name()));
        write(&path, &json)?;
        let cases = Prompt::parse(&json)?.len();
        prompts.push((path, cases));
    }
    Ok(AskReport { prompts })
}

/// Reads and parses a file; what is wrong in it names it.
pub(super) fn parse<T>(path: &Path, parse: impl FnOnce(&[u8]) -> Result<T, Error>) -> Result<T, Error> {
    let json = read(path, MAX_FILE)?;
    parse(&json).map_err(|error| Error::InFile { path: path.to_owned(), error: Box::new(error) })
}

/// A file of at most `max` bytes.
pub(super) fn read(path: &Path, max: u64) -> Result<Vec<u8>, Error> {
    let attempt = || -> io::Result<Vec<u8>> {
        let file = File::open(path)?;
        // Room for the whole at once: a buffer that grows leaves copies of a secret behind.
        let length = file.metadata()?.len().min(max);
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default() + 1);
        file.take(max + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = attempt().map_err(|source| Error::Read { path: path.to_owned(), source })?;
    if bytes.len() as u64 > max { Err(Error::TooLarge { path: path.to_owned(), max }) } else { Ok(bytes) }
}

/// Writes under a temporary name and renames: no half of a file ever stands under its name.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let attempt = || -> io::Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        let builder = {
            use std::os::unix::fs::PermissionsExt as _;
            // What the umask leaves of it: these files are for others to read.
            builder.permissions(fs::Permissions::from_mode(0o666))
        };
        let mut file = builder.prefix(".pqsig-interop-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    attempt().map_err(|source| Error::Write { path: path.to_owned(), source })
}
