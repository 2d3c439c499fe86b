//! Adapters: implementations in other programs, asked through a protocol of JSON Lines.
//!
//! The protocol is described in `interop/adapters/README.md`. [`Adapter`] is the suite's end of it: one long-lived child
//! process behind the same interface as any other [`crate::peer::Peer`]. [`serve`] is the other end, for an adapter
//! that is written in Rust. [`registry`] finds the adapters that come with pqsig.

mod launch;
mod peer;
mod process;
pub mod protocol;
pub mod registry;
mod serve;

pub(crate) use launch::find_program;
pub use launch::{Launch, Timeouts};
pub use peer::Adapter;
pub use serve::serve;
