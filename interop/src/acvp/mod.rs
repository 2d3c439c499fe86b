//! NIST's ACVP for ML-DSA (revision FIPS204) and SLH-DSA (revision FIPS205): the JSON that certification labs speak, as
//! a language in which this project answers, judges and asks.
//!
//! - [`answer`] answers a prompt with a peer: `pqsig-interop acvp answer`.
//! - [`check`] judges somebody's response: `pqsig-interop acvp check`.
//! - [`ask`] makes fresh prompts from a secret: `pqsig-interop acvp ask`.
//! - [`pack`] holds NIST's published vectors, a part of them in this program.
//! - [`files`] does these things with files: what the program's commands call.

#![expect(clippy::similar_names, reason = "tgId and tcId, pk and sk are NIST's own names")]

mod agreement;
mod answer;
mod ask;
mod check;
mod disposition;
mod error;
pub mod files;
mod head;
pub mod pack;
mod perform;
mod prompt;
mod response;
mod secret;
mod wire;

pub use agreement::{Agreement, Ballot};
pub use answer::{Answered, Progress, answer};
pub use ask::{Asked, MAX_COUNT, ask};
pub use check::{Judged, Judgement, Report, check};
pub use disposition::Disposition;
pub use error::{Error, Place};
pub use head::{Head, Task};
pub(crate) use perform::ask as ask_peer;
pub use perform::perform;
pub use prompt::{Case, Group, Prompt};
pub use response::{Expected, Fact, Key, Outcome, Response, Right};
pub use secret::Secret;
