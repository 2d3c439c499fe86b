//! The adapter of `pqsig-interop` for the `openssl` command. It is started by the suite, and reads requests from stdin:
//! see `interop/adapters/README.md`.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use pqsig_interop::adapter::serve;
use pqsig_interop::openssl_command::OpenSslCommand;

/// Answers the requests of pqsig-interop with an openssl command of version 3.5 or newer.
#[derive(Parser)]
#[command(name = "pqsig-adapter-openssl")]
struct Arguments {
    /// The command. Without it: the one that PQSIG_OPENSSL names, else `openssl` on the PATH, else the one that
    /// scripts/openssl-cli.sh built.
    #[arg(long, value_name = "PATH")]
    openssl: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Arguments { openssl } = Arguments::parse();
    let served = OpenSslCommand::find(openssl.as_deref()).and_then(|command| {
        serve(io::stdin().lock(), io::stdout().lock(), command.hello(), |request| command.answer(request))
            .map_err(|error| error.to_string())
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("pqsig-adapter-openssl: {reason}");
            ExitCode::FAILURE
        }
    }
}
