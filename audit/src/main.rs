//! The program `pqsig-audit`. Everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pqsig_audit::cli::main()
}
