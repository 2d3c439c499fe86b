//! How far the work is, on stderr, if a person looks at it.

use std::io::{IsTerminal as _, stderr};
use std::ops::ControlFlow;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::run::Observer;

/// A bar that goes when it is dropped. Without a terminal on stderr there is none.
pub(super) struct Progress(ProgressBar);

impl Progress {
    pub(super) fn new() -> Self {
        let target =
            if stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {elapsed}") {
            bar.set_style(style);
        }
        // One answer can take a minute; the clock shows that the work goes on.
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress(bar)
    }

    /// So many of so many are done.
    pub(super) fn at(&self, done: usize, total: usize) {
        self.0.set_length(total as u64);
        self.0.set_position(done as u64);
    }
}

impl Observer for Progress {
    fn progress(&self, done: u64, total: u64, what: &str) -> ControlFlow<()> {
        if self.0.message() != what {
            self.0.set_message(what.to_owned());
        }
        self.0.set_length(total);
        self.0.set_position(done);
        // Ctrl-C ends the whole process: nothing is lost but the run.
        ControlFlow::Continue(())
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
