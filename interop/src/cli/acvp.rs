//! `pqsig-interop acvp`: NIST's language, spoken with files.

use pqsig::Algorithm;

use super::arguments::{AcvpCommand, AnswerArguments, AskArguments, CheckArguments};
use super::progress::Progress;
use super::{Misuse, Outcome, gathered, print};
use crate::acvp::{Error, files};
use crate::gather::{Wanted, adapters};

pub(super) fn run(command: &AcvpCommand) -> Result<Outcome, Misuse> {
    match command {
        AcvpCommand::Answer(arguments) => answer(arguments),
        AcvpCommand::Check(arguments) => check(arguments),
        AcvpCommand::Ask(arguments) => ask(arguments),
    }
}

fn answer(arguments: &AnswerArguments) -> Result<Outcome, Misuse> {
    let wanted = arguments.wanted()?;
    let gathered = if wanted.backends.is_empty() { adapters(&wanted)? } else { gathered(&wanted)? };
    let Some(peer) = gathered.peers.into_iter().next() else {
        let why = gathered.skipped.into_iter().map(|skipped| skipped.why).collect::<Vec<_>>().join("; ");
        return Err(Misuse::new(format!("the adapter can't be asked: {why}")));
    };
    let progress = Progress::new();
    let report = files::answer_file(&arguments.prompt, peer, arguments.out.as_deref(), &|done, total| {
        progress.at(done, total);
    })?;
    drop(progress);
    print(&report.to_string())?;
    Ok(Outcome::clean_if(report.is_clean()))
}

fn check(arguments: &CheckArguments) -> Result<Outcome, Misuse> {
    let gathered = gathered(&arguments.peers.wanted()?)?;
    let progress = Progress::new();
    let report = files::check_files(
        &arguments.prompt,
        &arguments.response,
        arguments.expected.as_deref(),
        &gathered.peers,
        &|done, total| progress.at(done, total),
    )?;
    drop(progress);
    print(&report.to_string())?;
    Ok(Outcome::clean_if(report.is_clean() && gathered.missing.is_empty()))
}

fn ask(arguments: &AskArguments) -> Result<Outcome, Misuse> {
    let algorithm: Algorithm = arguments.algorithm.parse()?;
    let gathered = gathered(&Wanted::default())?;
    let report =
        files::ask_files(algorithm, &arguments.key, arguments.count, &arguments.out, &gathered.peers)?;
    print(&report.to_string())?;
    Ok(Outcome::Clean)
}

impl From<Error> for Misuse {
    fn from(error: Error) -> Self {
        Misuse::new(error.to_string())
    }
}
