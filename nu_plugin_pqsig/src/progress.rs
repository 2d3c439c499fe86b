//! A bar with the time left, on the terminal that the user looks at, for what takes longer than a moment.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::call::{Call, Stop};

/// What ends sooner shows no bar: it would only flicker.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a line is written where there is no terminal for a bar.
const LINES: Duration = Duration::from_secs(10);

/// The bar's length for a run, of which only the done part is known.
const PER_MILLE: f64 = 1000.0;

/// A bar that appears after a while, and goes when it is dropped. It writes to stderr only: stdout belongs to the
/// protocol.
pub(crate) struct Progress {
    bar: ProgressBar,
    shows: Mutex<Shows>,
    stop: Stop,
}

/// How the user sees it.
enum Shows {
    /// Not at all.
    Never,
    /// As a bar, from then on.
    BarFrom(Instant),
    /// As a bar.
    Bar,
    /// As a line, from then on.
    LineFrom(Instant),
}

impl Progress {
    /// For a number of items.
    pub(crate) fn of_items(call: &Call, doing: &'static str, count: usize) -> Self {
        Progress::new(call, doing, count as u64, "{msg} {wide_bar} {pos}/{len}, {eta} left", false)
    }

    /// For a run that knows itself how far it is. `always`: from the start, and in lines without a terminal.
    pub(crate) fn of_run(call: &Call, doing: &'static str, always: bool) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small positive constant"
        )]
        Progress::new(call, doing, PER_MILLE as u64, "{msg} {wide_bar} {prefix}", always)
    }

    /// For work in stages, each with items of its own.
    pub(crate) fn of_stages(call: &Call, doing: &'static str) -> Self {
        Progress::new(call, doing, 0, "{msg} {wide_bar} {pos}/{len}", false)
    }

    fn new(call: &Call, doing: &'static str, length: u64, template: &str, always: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(doing);
        let now = Instant::now();
        let shows = match (stderr().is_terminal(), always) {
            (true, true) => Shows::BarFrom(now),
            (true, false) => Shows::BarFrom(now + PATIENCE),
            (false, true) => Shows::LineFrom(now),
            (false, false) => Shows::Never,
        };
        Progress { bar, shows: Mutex::new(shows), stop: call.stop().clone() }
    }

    /// So many more items are done.
    pub(crate) fn advance(&self, by: u64) {
        self.yield_terminal();
        self.bar.inc(by);
        self.show(String::new);
    }

    /// So many of so many items of a stage are done.
    pub(crate) fn stage(&self, words: &str, done: u64, total: u64) {
        self.yield_terminal();
        if self.bar.message() != words {
            self.bar.set_message(words.to_owned());
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
        self.show(|| words.to_owned());
    }

    /// What is being done, when how far it is can't be told.
    pub(crate) fn say(&self, words: &str) {
        self.yield_terminal();
        self.bar.set_message(words.to_owned());
        self.show(|| words.to_owned());
    }

    /// What is being done, the done part of it all (0 to 1), and the time left.
    pub(crate) fn at(&self, words: &str, fraction: f64, left: Duration) {
        self.yield_terminal();
        let left = format!("{} s left", left.as_secs_f64().ceil());
        self.bar.set_message(words.to_owned());
        self.bar.set_prefix(left.clone());
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1000")]
        self.bar.set_position((fraction.clamp(0.0, 1.0) * PER_MILLE) as u64);
        self.show(|| format!("{words}, {left}"));
    }

    fn show(&self, line: impl Fn() -> String) {
        // Whoever finds it locked leaves it to the one who looks.
        let Ok(mut shows) = self.shows.try_lock() else { return };
        let now = Instant::now();
        match *shows {
            Shows::BarFrom(time) if time <= now => {
                *shows = Shows::Bar;
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            Shows::LineFrom(time) if time <= now => {
                *shows = Shows::LineFrom(now + LINES);
                // Unlike eprintln!, this does not panic when nobody reads.
                let _ = writeln!(stderr(), "{}", line());
            }
            _ => {}
        }
    }

    /// Once the call is given up, the next prompt stands where the bar was: not to be touched again.
    fn yield_terminal(&self) {
        if self.stop.is_given_up() {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.yield_terminal();
        self.bar.finish_and_clear();
    }
}
