//! The program `pqsig-audit`: its arguments, turned into calls of the library, and what comes back, printed.

mod arguments;
mod compare;
mod host;
mod output;
mod plausibility;
mod report;
mod summarize;
mod trials;

use std::process::ExitCode;

use clap::Parser as _;

use arguments::{Arguments, Command};
use output::{Outcome, complain};

/// Runs the program with the process's arguments. Exit status 0: clean; 1: a finding; 2: what kept the
/// command from its work.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, which clap prints to stdout; the others it prints to stderr.
            let _ = error.print();
            return if error.use_stderr() { Outcome::Hindered } else { Outcome::Clean }.into();
        }
    };
    let outcome = match &arguments.command {
        Command::Summarize(arguments) => summarize::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Plausibility(arguments) => plausibility::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Trials(arguments) => trials::run(arguments),
        Command::Host(arguments) => host::run(arguments),
    };
    match outcome {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            complain(&error.to_string());
            Outcome::Hindered.into()
        }
    }
}
