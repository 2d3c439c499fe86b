//! What keeps a command from doing its work. What is wrong with the evidence itself is a [`crate::Finding`].

use std::io;
use std::path::PathBuf;

/// Why a command can't do its work, in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum Error {
    #[error("can't {action} `{}`: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: io::Error },

    #[error("`{}` has {bytes} bytes: no such file is that large", path.display())]
    TooLarge { path: PathBuf, bytes: u64 },

    #[error("`{}` can't be understood: {reason}", path.display())]
    Malformed { path: PathBuf, reason: String },

    #[error("`{}` is no folder", .0.display())]
    NoFolder(PathBuf),

    #[error("`{}` holds no trial logs (trial-N.jsonl, trial-N.stdout.txt, trial-N.stderr.txt)", .0.display())]
    NoTrials(PathBuf),

    #[error("the summary can't be made: {0}")]
    Table(String),

    #[error("a plot can't be drawn: {0}")]
    Plot(String),

    #[error("{0}")]
    Misuse(String),
}
