//! The program `pqsig-interop`: its arguments, turned into calls of the library, and what comes back, printed.

mod acvp;
mod arguments;
mod cross_check;
mod files;
mod lists;
mod progress;

use std::io::{self, Write as _, stderr, stdout};
use std::process::ExitCode;

use clap::Parser as _;

use crate::gather::{self, Gathered, Wanted, gather};
use crate::report::diff::{self, Diff};
use crate::report::terminal::Style;
use crate::report::{json, replay as replay_report};
use crate::self_test::{self, CATALOGUE};
use crate::{adapter, document, replay, run};
use arguments::{Arguments, Command, DiffArguments, ReplayArguments, ShortFormat};

/// Runs the program with the process's arguments. Exit status 0: agreement; 1: disagreement; 2: misuse.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, which clap prints to stdout; the others it prints to stderr.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { Outcome::MISUSE } else { 0 });
        }
    };
    match perform(&arguments) {
        Ok(outcome) => outcome.into(),
        Err(misuse) => {
            misuse.print();
            ExitCode::from(Outcome::MISUSE)
        }
    }
}

fn perform(arguments: &Arguments) -> Result<Outcome, Misuse> {
    match &arguments.command {
        None => cross_check::run(&arguments.run),
        Some(Command::Replay(arguments)) => replay(arguments),
        Some(Command::Diff(arguments)) => diff(arguments),
        Some(Command::Acvp(command)) => acvp::run(command),
        Some(Command::Adapters(arguments)) => lists::adapters(arguments.folder.as_deref()),
        Some(Command::Backends) => lists::backends(),
        Some(Command::SelfTest) => self_test(),
    }
}

fn self_test() -> Result<Outcome, Misuse> {
    let progress = progress::Progress::new();
    // One of the faults is a panic, whose message would only alarm.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let score = self_test::run(CATALOGUE, &progress);
    std::panic::set_hook(hook);
    drop(progress);
    let score = score?;
    print(&format!("{score}\n"))?;
    Ok(Outcome::clean_if(score.is_perfect()))
}

/// What the work came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Nothing is wrong.
    Clean,
    /// Something is.
    Finding,
}

impl Outcome {
    const MISUSE: u8 = 2;

    fn clean_if(clean: bool) -> Self {
        if clean { Outcome::Clean } else { Outcome::Finding }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Clean => ExitCode::SUCCESS,
            Outcome::Finding => ExitCode::from(1),
        }
    }
}

/// What can't be done, in one line, and what would be right, in another.
#[derive(Debug)]
struct Misuse {
    message: String,
    hint: Option<String>,
}

impl Misuse {
    fn new(message: impl Into<String>) -> Self {
        Misuse { message: message.into(), hint: None }
    }

    fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn print(&self) {
        complain(&self.message);
        if let Some(hint) = &self.hint {
            let _ = writeln!(stderr(), "hint: {}", one_line(hint));
        }
    }
}

/// Says what is wrong, in one line on stderr.
fn complain(message: &str) {
    // Unlike eprintln!, this does not panic when nobody reads.
    let _ = writeln!(stderr(), "error: {}", one_line(message));
}

/// What a file or an adapter says may have several lines, or codes that a terminal would obey.
fn one_line(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(printable).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An I/O error in the system's words, without the number that Rust appends.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

impl From<pqsig::Error> for Misuse {
    fn from(error: pqsig::Error) -> Self {
        Misuse { message: error.to_string(), hint: error.remedy() }
    }
}

impl From<gather::Error> for Misuse {
    fn from(error: gather::Error) -> Self {
        let hint = match &error {
            gather::Error::DuplicateName { .. } => Some("give each adapter a name of its own".to_owned()),
            gather::Error::Adapters { .. } => Some(format!(
                "--adapters FOLDER or the variable {} names the folder",
                adapter::registry::FOLDER_VARIABLE
            )),
            gather::Error::Known(_) => Some("--known FILE names another list".to_owned()),
            _ => None,
        };
        Misuse { message: error.to_string(), hint }
    }
}

impl From<run::Error> for Misuse {
    fn from(error: run::Error) -> Self {
        let hint = matches!(error, run::Error::Reproducer { .. })
            .then(|| "--reproducers names another folder".to_owned());
        Misuse { message: error.to_string(), hint }
    }
}

impl From<json::ReadError> for Misuse {
    fn from(error: json::ReadError) -> Self {
        Misuse::new(error.to_string()).with_hint(error.remedy())
    }
}

impl From<document::Error> for Misuse {
    fn from(error: document::Error) -> Self {
        Misuse::new(error.to_string())
            .with_hint("a reproducer is a file that a run writes for a finding, into the folder that --reproducers names")
    }
}

impl From<serde_json::Error> for Misuse {
    fn from(error: serde_json::Error) -> Self {
        Misuse::new(format!("can't write JSON: {error}"))
    }
}

/// Prints to stdout. That nobody reads any more is no error: `| head` is at liberty to stop.
fn print(text: &str) -> Result<(), Misuse> {
    let mut stdout = stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Misuse::new(format!("can't write to stdout: {}", reason(&error))))
        }
        _ => Ok(()),
    }
}

/// The peers, of whom there must be one at least; what is missing is said on stderr.
fn gathered(wanted: &Wanted) -> Result<Gathered, Misuse> {
    let gathered = gather(wanted)?;
    for skipped in &gathered.skipped {
        if gathered.missing.contains(&skipped.peer) {
            complain(&format!("the adapter `{}` can't be asked: {}", skipped.peer, skipped.why));
        }
    }
    if gathered.peers.is_empty() {
        return Err(
            Misuse::new("there is nobody to ask").with_hint("`pqsig-interop backends` lists the backends")
        );
    }
    Ok(gathered)
}

fn replay(arguments: &ReplayArguments) -> Result<Outcome, Misuse> {
    let reproducer = replay::read(&arguments.file)?;
    let mut gathered = gathered(&arguments.peers.wanted()?)?;
    let algorithm = reproducer.question.algorithm();
    gathered.peers.retain(|peer| peer.ability(algorithm).is_some());
    let replayed = replay::replay(&arguments.file, reproducer, &gathered.peers)?;
    print(&match arguments.format {
        ShortFormat::Table => replay_report::render(&replayed, Style::of_stdout()),
        ShortFormat::Json => json::pretty(&replay_report::Report::new(&replayed))?,
    })?;
    if replayed.finding.is_some() {
        return Ok(Outcome::Finding);
    }
    // Without those whom it is about, that nobody is wrong says nothing.
    let absent = replay_report::absent_outliers(&replayed);
    if let Some(name) = absent.first() {
        return Err(Misuse::new(format!("`{}` was wrong then, and was not asked now", absent.join("`, `")))
            .with_hint(format!("--backend {name}, --adapter {name}=COMMAND or --adapters shipped asks it")));
    }
    if !replay_report::is_answered(&replayed) {
        return Err(Misuse::new("none of those asked can answer this")
            .with_hint("--backend, --adapter and --adapters name others"));
    }
    Ok(Outcome::clean_if(gathered.missing.is_empty()))
}

fn diff(arguments: &DiffArguments) -> Result<Outcome, Misuse> {
    let diff = Diff::new(&json::read(&arguments.old)?, &json::read(&arguments.new)?);
    print(&match arguments.format {
        ShortFormat::Table => diff::render(&diff, Style::of_stdout()),
        ShortFormat::Json => json::pretty(&diff)?,
    })?;
    Ok(Outcome::clean_if(diff.is_same()))
}
