//! The program `pqsig-interop`. Everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pqsig_interop::cli::main()
}
