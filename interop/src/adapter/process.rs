//! One run of an adapter: a child process, the threads at its three pipes, and what became of it.
//!
//! Each pipe has a thread of its own, so that no child can hold the suite up: not by reading nothing, not by writing
//! nothing, not by complaining without end. The threads end when their pipes do, and nobody waits for them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Launch;

/// The longest line that is read. The longest reply that the protocol knows has a tenth of it.
const MAX_LINE: usize = 1024 * 1024;
/// How much of stderr is kept.
const MAX_COMPLAINTS: usize = 4096;
/// How long a child may take to end once its stdin has ended.
const PATIENCE_AT_THE_END: Duration = Duration::from_secs(2);
/// How long a child that closed its stdout may take to end.
const PATIENCE_AFTER_EOF: Duration = Duration::from_secs(1);
/// How long its last words on stderr may take to arrive.
const PATIENCE_FOR_COMPLAINTS: Duration = Duration::from_millis(200);

pub(super) struct Process {
    child: Child,
    /// Until the child's stdin is to end.
    requests: Option<Sender<Vec<u8>>>,
    replies: Receiver<Event>,
    complaints: Arc<Complaints>,
}

/// What the thread at stdout has seen.
enum Event {
    Line(Vec<u8>),
    TooLong,
    /// With what came after the last newline.
    Closed(Vec<u8>),
}

impl Process {
    /// Starts the program, which is the launch's own as it was found.
    pub(super) fn spawn(program: &Path, launch: &Launch) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(&launch.arguments)
            .envs(launch.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("can't start `{}`: {error}", program.display()))?;
        let (requests, to_write) = channel::<Vec<u8>>();
        if let Some(mut stdin) = child.stdin.take() {
            // Ends with the sender, or when the child is gone; then stdin closes.
            thread::spawn(move || to_write.iter().try_for_each(|line| stdin.write_all(&line)));
        }
        // One line ahead: a child that says more than it is asked waits, instead of filling our memory.
        let (seen, replies) = sync_channel(1);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || watch_stdout(stdout, &seen));
        }
        let complaints = Arc::new(Complaints::default());
        if let Some(stderr) = child.stderr.take() {
            let complaints = complaints.clone();
            thread::spawn(move || complaints.collect(stderr));
        }
        Ok(Process { child, requests: Some(requests), replies, complaints })
    }

    /// Sends a request and waits for a line. After an error the process is no more.
    pub(super) fn exchange(&mut self, request: Vec<u8>, limit: Duration) -> Result<Vec<u8>, String> {
        if let Some(requests) = &self.requests {
            // The thread is gone only if the child is, which stdout tells better.
            drop(requests.send(request));
        }
        let broken = match self.replies.recv_timeout(limit) {
            Ok(Event::Line(line)) => return Ok(line),
            Ok(Event::TooLong) => format!("answered garbage: a line of more than {} KiB", MAX_LINE / 1024),
            Ok(Event::Closed(rest)) => {
                let end = match self.wait(PATIENCE_AFTER_EOF) {
                    Some(status) => format!("ended ({status})"),
                    None => "closed its output".to_owned(),
                };
                if rest.is_empty() { end } else { format!("{end} in the middle of a reply") }
            }
            Err(RecvTimeoutError::Timeout) => format!("gave no reply within {limit:?}"),
            Err(RecvTimeoutError::Disconnected) => "closed its output".to_owned(),
        };
        Err(self.post_mortem(&broken))
    }

    /// Kills the child, and adds its last words to the reason.
    pub(super) fn post_mortem(&mut self, reason: &str) -> String {
        self.kill();
        match self.complaints.last_line() {
            Some(line) => format!("{reason}; its last words: {line}"),
            None => reason.to_owned(),
        }
    }

    /// The exit status, if there is one in time.
    fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if start.elapsed() < patience => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    fn kill(&mut self) {
        // Both fail only for a child that has already been waited for.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.requests = None;
        if self.wait(PATIENCE_AT_THE_END).is_none() {
            self.kill();
        }
    }
}

/// Passes on lines until the end, or until one is too long. Dropping the pipe then stops whoever fills it.
fn watch_stdout(stdout: impl Read, seen: &SyncSender<Event>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let event = next_line(&mut stdout).unwrap_or(Event::Closed(Vec::new()));
        let is_last = !matches!(event, Event::Line(_));
        if seen.send(event).is_err() || is_last {
            return;
        }
    }
}

fn next_line(stdout: &mut impl BufRead) -> io::Result<Event> {
    let mut line = Vec::new();
    stdout.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
    Ok(match line.last() {
        Some(b'\n') => {
            line.pop();
            Event::Line(line)
        }
        _ if line.len() > MAX_LINE => Event::TooLong,
        _ => Event::Closed(line),
    })
}

/// The end of what a child wrote to stderr.
#[derive(Default)]
struct Complaints {
    state: Mutex<Tail>,
    ended: Condvar,
}

#[derive(Default)]
struct Tail {
    bytes: Vec<u8>,
    has_ended: bool,
}

impl Complaints {
    fn collect(&self, mut stderr: impl Read) {
        let mut buffer = [0; MAX_COMPLAINTS];
        loop {
            match stderr.read(&mut buffer) {
                Ok(length) if length > 0 => {
                    let mut tail = self.lock();
                    tail.bytes.extend_from_slice(&buffer[..length]);
                    let excess = tail.bytes.len().saturating_sub(MAX_COMPLAINTS);
                    tail.bytes.drain(..excess);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                _ => break,
            }
        }
        self.lock().has_ended = true;
        self.ended.notify_all();
    }

    /// The last line that is not blank, as one that is safe to print.
    fn last_line(&self) -> Option<String> {
        let tail = self
            .ended
            .wait_timeout_while(self.lock(), PATIENCE_FOR_COMPLAINTS, |tail| !tail.has_ended)
            .map_or_else(|poisoned| poisoned.into_inner().0, |(tail, _)| tail);
        let text = String::from_utf8_lossy(&tail.bytes);
        let line = text.lines().map(str::trim).rfind(|line| !line.is_empty())?;
        Some(printable(line, 300))
    }

    fn lock(&self) -> MutexGuard<'_, Tail> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The start of a text that somebody else wrote, without what a terminal would obey.
pub(super) fn printable(text: &str, longest: usize) -> String {
    let mut shown: String =
        text.chars().take(longest).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(longest).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_bounded() {
        let longest = [vec![b'x'; MAX_LINE - 1], b"\n".to_vec()].concat();
        let mut input = BufReader::new(&longest[..]);
        assert!(matches!(next_line(&mut input).unwrap(), Event::Line(line) if line.len() == MAX_LINE - 1));
        assert!(matches!(next_line(&mut input).unwrap(), Event::Closed(rest) if rest.is_empty()));
        let mut endless = BufReader::new(io::repeat(b'x'));
        assert!(matches!(next_line(&mut endless).unwrap(), Event::TooLong));
        let mut torn = BufReader::new(&b"{\"id\":1"[..]);
        assert!(matches!(next_line(&mut torn).unwrap(), Event::Closed(rest) if rest.len() == 7));
    }

    #[test]
    fn only_the_end_of_the_complaints_is_kept() {
        let complaints = Complaints::default();
        complaints.collect(&[vec![b'x'; 100_000], b"\nthe \x1b[31mreason\n\n".to_vec()].concat()[..]);
        assert_eq!(complaints.lock().bytes.len(), MAX_COMPLAINTS);
        assert_eq!(complaints.last_line().unwrap(), "the \u{fffd}[31mreason");
        assert_eq!(printable("abcdef", 3), "abc...");
    }
}
