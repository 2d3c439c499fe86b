//! Trial logs on disk: written line by line as a trial goes on, read whole.

mod parse;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Read as _, Write};
use std::path::{Path, PathBuf};

use crate::Error;
use crate::record::{End, Interrupted, Line, Phase, Run, Skipped};

/// A folder that trial logs are written into.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Opens a folder, creating it if need be.
    ///
    /// # Errors
    /// [`Error::Log`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        fs::create_dir_all(path).map_err(|source| failed(path, source))?;
        Ok(Folder { path: path.to_owned() })
    }

    /// Creates the log of a trial, `trial-N.jsonl`, N being one more than the greatest there is. A log that
    /// exists is never written to, and two processes that write into one folder get different numbers.
    ///
    /// # Errors
    /// [`Error::Log`].
    pub fn create(&self) -> Result<Writer, Error> {
        let mut number = self.greatest_number()?;
        loop {
            number = number.saturating_add(1);
            match self.create_numbered(number) {
                Err(Error::LogExists { .. }) if number < u64::MAX => {}
                outcome => return outcome,
            }
        }
    }

    /// Creates `trial-N.jsonl` for this N.
    ///
    /// # Errors
    /// [`Error::LogExists`]; [`Error::Log`].
    pub fn create_numbered(&self, number: u64) -> Result<Writer, Error> {
        let path = self.path.join(format!("trial-{number}.jsonl"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => Ok(Writer { path, file }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Error::LogExists { path }),
            Err(source) => Err(failed(&path, source)),
        }
    }

    fn greatest_number(&self) -> Result<u64, Error> {
        let mut greatest = 0;
        for entry in fs::read_dir(&self.path).map_err(|source| failed(&self.path, source))? {
            let entry = entry.map_err(|source| failed(&self.path, source))?;
            if let Some(number) = entry.file_name().to_str().and_then(trial_number) {
                greatest = greatest.max(number);
            }
        }
        Ok(greatest)
    }
}

/// N of `trial-N.jsonl`.
#[must_use]
pub fn trial_number(file_name: &str) -> Option<u64> {
    file_name.strip_prefix("trial-")?.strip_suffix(".jsonl")?.parse().ok()
}

/// The log of a trial that goes on.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: File,
}

impl Writer {
    /// Where the log is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a line. It is with the operating system when this returns: ending this process does not lose
    /// it.
    ///
    /// # Errors
    /// [`Error::Log`].
    pub fn write(&mut self, line: &Line) -> Result<(), Error> {
        let mut text = serde_json::to_vec(line).map_err(|error| failed(&self.path, error.into()))?;
        text.push(b'\n');
        // In one call and without a buffer of our own: what can be torn is the last line only.
        self.file.write_all(&text).map_err(|source| failed(&self.path, source))
    }
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::Log { path: path.to_owned(), source }
}

/// A log that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What the trial is.
    pub run: Run,
    /// Phases that were not timed.
    pub skipped: Vec<Skipped>,
    /// Phases that were timed, in the order of the log.
    pub phases: Vec<Phase>,
    /// How the log ends.
    pub ending: Ending,
}

/// How a log ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// With its end: the trial is whole.
    Whole(End),
    /// With the reason why it is not.
    Interrupted(Interrupted),
    /// After some line: the process was killed, the disk was full, or it is still being written.
    Cut {
        /// Whether the last line is cut too. It counts for nothing.
        within_line: bool,
    },
}

impl Trial {
    /// Whether the trial is whole.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.ending, Ending::Whole(_))
    }
}

/// Why a log can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's message is its documentation")]
pub enum ReadError {
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),

    #[error("line {line}: {reason}")]
    Malformed { line: u64, reason: String },
}

/// Reads a log. One that was cut at any byte after its first line is read as far as it goes, and is then not
/// complete. Anything else that is no line of a log is an error, because evidence that was edited must not
/// pass for whole: so is a line of more than 64 MiB, and one after the 65,536th. Lines may end as on Windows.
///
/// What the phases say twice is not compared: see [`Phase::check`].
///
/// # Errors
/// [`ReadError`].
pub fn read(reader: impl BufRead) -> Result<Trial, ReadError> {
    read_with(reader, |_, _| {})
}

/// As [`read`], and calls `on_phase` with the `run` line and every phase as it is read: to look at its
/// samples, and to take them away if all of them together are too much to keep.
///
/// # Errors
/// [`ReadError`].
pub fn read_with(
    mut reader: impl BufRead,
    mut on_phase: impl FnMut(&Run, &mut Phase),
) -> Result<Trial, ReadError> {
    let mut text = Vec::new();
    let first = match next(&mut reader, &mut text, 1)? {
        Next::Line(line) => match *line {
            Line::Run(run) => *run,
            _ => return Err(malformed(1, "a log begins with its `run` line")),
        },
        Next::Torn if text.contains(&0) => return Err(malformed(1, NUL)),
        Next::Torn | Next::Nothing => return Err(malformed(1, "a log begins with a whole `run` line")),
    };
    let ending = Ending::Cut { within_line: false };
    let mut trial = Trial { run: first, skipped: Vec::new(), phases: Vec::new(), ending };
    for number in 2.. {
        let mut next = next(&mut reader, &mut text, number)?;
        match &mut next {
            Next::Nothing => break,
            _ if number > MAX_LINES => {
                return Err(malformed(number, format!("a log has at most {MAX_LINES} lines")));
            }
            Next::Line(line) => {
                if let Line::Phase(phase) = line.as_mut() {
                    on_phase(&trial.run, phase);
                }
            }
            Next::Torn => {}
        }
        trial.accept(next).map_err(|reason| malformed(number, reason))?;
    }
    Ok(trial)
}

/// The longest line, in bytes, its end included: [`crate::MAX_KEPT_SAMPLES`] samples of 20 digits are a third
/// of it.
const MAX_LINE: usize = 64 << 20;

/// The most lines: a trial has some hundred phases.
const MAX_LINES: u64 = 1 << 16;

/// What zeros among the bytes mean. JSON has none.
const NUL: &str = "NUL bytes: the file was damaged, as after a crash";

enum Next {
    Line(Box<Line>),
    /// Bytes without a newline: the end of a log that was cut.
    Torn,
    Nothing,
}

/// The next line. `text` is a buffer for it, whatever it holds.
fn next(reader: &mut impl BufRead, text: &mut Vec<u8>, number: u64) -> Result<Next, ReadError> {
    text.clear();
    // One byte more than a line may have tells a long line from the longest one.
    reader.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', text)?;
    if text.is_empty() {
        return Ok(Next::Nothing);
    }
    if text.len() > MAX_LINE {
        let long = format!("longer than {} MiB, which no line of a log is", MAX_LINE >> 20);
        return Err(malformed(number, if text.contains(&0) { NUL.to_owned() } else { long }));
    }
    if !text.ends_with(b"\n") {
        return Ok(Next::Torn);
    }
    match parse::line(text) {
        Ok(line) => Ok(Next::Line(Box::new(line))),
        Err(_) if text.contains(&0) => Err(malformed(number, NUL)),
        Err(error) => Err(malformed(number, error.to_string())),
    }
}

impl Trial {
    fn accept(&mut self, next: Next) -> Result<(), &'static str> {
        if !matches!(self.ending, Ending::Cut { within_line: false }) {
            return Err("a line after the end");
        }
        let line = match next {
            Next::Line(line) => *line,
            Next::Torn => {
                self.ending = Ending::Cut { within_line: true };
                return Ok(());
            }
            Next::Nothing => return Ok(()),
        };
        match line {
            Line::Run(_) => return Err("a second `run` line: one file holds one trial"),
            Line::Skipped(skipped) => self.skipped.push(skipped),
            Line::Phase(phase) => self.phases.push(phase),
            Line::Interrupted(interrupted) => self.ending = Ending::Interrupted(interrupted),
            Line::End(end) => {
                if usize::try_from(end.phases) != Ok(self.phases.len()) {
                    return Err("the `end` line counts other phases than the log holds");
                }
                self.ending = Ending::Whole(end);
            }
        }
        Ok(())
    }
}

fn malformed(line: u64, reason: impl Into<String>) -> ReadError {
    ReadError::Malformed { line, reason: reason.into() }
}

#[cfg(test)]
mod tests;
