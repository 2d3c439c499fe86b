//! Cross-checks implementations of ML-DSA, SLH-DSA and Ed25519: every signer against every verifier, in both directions
//! and on hostile input.
//!
//! A [`peer::Peer`] is an implementation under test: a backend of this process, or another program behind an adapter. A
//! [`question::Question`] is what a peer is asked; its [`question::Answer`] is one of four verdicts. A run asks many
//! questions of many peers, and judges the answers by the standards and by one another.

pub mod acvp;
pub mod adapter;
pub mod cli;
pub mod document;
pub mod gather;
pub mod hostile;
pub mod judge;
pub mod key;
pub mod known;
pub mod layout;
pub mod message;
pub mod openssl_command;
pub mod peer;
pub mod plan;
pub mod question;
pub mod record;
pub mod replay;
pub mod report;
pub mod run;
pub mod self_test;
pub mod text;
pub mod vectors;
