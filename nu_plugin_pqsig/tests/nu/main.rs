//! The plugin in a real Nushell, as users run it: scripts in scripts/, which count their checks, and what scripts can't
//! do, such as pressing Ctrl-C.

#![expect(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod harness;

mod examples;
mod interrupt;
mod one_liners;
mod scripts;
#[cfg(unix)]
mod terminal;
