//! What stderr says: each phase as it begins and ends, and what went wrong.

use super::figure;
use super::line::lines;
use super::machine::{self, Record};
use super::name::Subject;
use super::report::{Report, place};
use super::started::{Done, Entry, Refusal, Started};
use super::trouble::{self, escaped, quoted};
use super::{Clock, Missing};
use crate::Finding;

/// What stderr says.
pub(super) struct Timed {
    /// The file's name.
    pub(super) file: String,
    /// The phases in the order in which they began.
    pub(super) entries: Vec<Entry>,
    /// How many processes wrote here; 1 without `-multi`.
    pub(super) processes: u32,
    pub(super) clock: Option<Clock>,
    /// Whether the last line has no end.
    pub(super) torn: bool,
}

/// Reads stderr. `processes`: as stdout tells, of which an interrupted run may have lost a part.
pub(super) fn read(file: &str, bytes: &[u8], processes: Option<u32>, report: &mut Report) -> Timed {
    let processes = processes.unwrap_or(1).max(processes_at_first(bytes));
    let mut reader = Reader {
        file,
        report,
        processes,
        started: Started::new(processes),
        current: Current::Nothing,
        notice: false,
        in_words: false,
        torn: false,
    };
    for line in lines(bytes) {
        if !line.whole {
            reader.torn = true;
        }
        let Some(text) = reader.report.text(file, &line) else { continue };
        let outcome =
            if line.whole { reader.line(text, line.number) } else { reader.torn(text, line.number) };
        if outcome == Err(Full) || reader.report.is_full() {
            break;
        }
    }
    let clock = if reader.notice || processes > 1 {
        Some(Clock::Elapsed)
    } else {
        // The notice comes first, but not with -mr.
        reader.in_words.then_some(Clock::CpuTime)
    };
    Timed {
        file: file.to_owned(),
        entries: reader.started.into_entries(),
        processes,
        clock,
        torn: reader.torn,
    }
}

/// With `-multi`, each process announces its first phase long before one of them has timed it.
fn processes_at_first(bytes: &[u8]) -> u32 {
    let mut first = None;
    let mut alike = 0;
    for text in lines(bytes).filter_map(|line| line.text.ok()) {
        if text.starts_with("+R") || text.starts_with("Doing ") {
            break;
        }
        if text.starts_with("+DT") && *first.get_or_insert(text) == text {
            alike += 1;
        }
    }
    alike.max(1)
}

struct Reader<'a> {
    file: &'a str,
    report: &'a mut Report,
    processes: u32,
    started: Started,
    /// What was begun last, in a log of one process.
    current: Current,
    notice: bool,
    in_words: bool,
    torn: bool,
}

#[derive(Clone, Copy)]
enum Current {
    Nothing,
    Phase(usize),
    /// A cipher or a digest, or a phase with a finding: its result is passed over.
    Ignored,
}

/// There are too many phases.
#[derive(PartialEq, Eq)]
struct Full;

impl Reader<'_> {
    fn line(&mut self, text: &str, number: u64) -> Result<(), Full> {
        if let Some(rest) = text.strip_prefix("Doing ") {
            self.in_words = true;
            match beginning(rest) {
                Some((beginning, rest)) => {
                    self.begin(beginning, number)?;
                    self.rest(rest, text, number);
                }
                None => self.unknown(text, number),
            }
        } else if text.starts_with('+') {
            match machine::record(text) {
                Some(Record::Begun(subject)) => self.begin(Beginning::Phase(subject), number)?,
                Some(Record::Ended { subject, count, hundredths }) => {
                    self.end(&subject, Done { count, hundredths, line: number }, text);
                }
                Some(Record::Symmetric) => self.current = Current::Ignored,
                None => self.unknown(text, number),
            }
        } else {
            self.rest(text, text, number);
        }
        Ok(())
    }

    /// What has no end may have been longer: only a whole beginning counts, which says what is missing.
    fn torn(&mut self, text: &str, number: u64) -> Result<(), Full> {
        let message = format!("the last line has no end: {}", quoted(text));
        self.report.find(Finding::incomplete("torn-line", place(self.file, number), message));
        if let Some((beginning, _)) = text.strip_prefix("Doing ").and_then(beginning) {
            self.in_words = true;
            self.begin(beginning, number)?;
        } else if let Some(Record::Begun(subject)) = machine::record(text) {
            self.begin(Beginning::Phase(subject), number)?;
        }
        Ok(())
    }

    fn begin(&mut self, beginning: Beginning, number: u64) -> Result<(), Full> {
        self.current = Current::Ignored;
        let Beginning::Phase(subject) = beginning else { return Ok(()) };
        let what = format!("{} {}", subject.algorithm, subject.operation.name());
        match self.started.begin(subject, number) {
            Ok(phase) => self.current = Current::Phase(phase),
            Err(Refusal::TooMany) => {
                let message = "more phases than OpenSSL has algorithms: the rest is not read";
                self.report.find(Finding::broken("too-many-phases", place(self.file, number), message));
                return Err(Full);
            }
            Err(_) => self.twice(&what, number),
        }
        Ok(())
    }

    /// What follows a beginning, on its line or on one of its own: a result, or what went wrong.
    fn rest(&mut self, rest: &str, line: &str, number: u64) {
        if !rest.contains("ops in") {
            return self.words(rest.trim(), number);
        }
        let Some((count, words, hundredths)) = result(rest) else { return self.unknown(line, number) };
        if matches!(self.current, Current::Ignored) {
            self.current = Current::Nothing;
            return;
        }
        match Subject::ended(&words) {
            Some(subject) => self.end(&subject, Done { count, hundredths, line: number }, line),
            None => self.unknown(line, number),
        }
    }

    fn end(&mut self, subject: &Subject, done: Done, line: &str) {
        let current = std::mem::replace(&mut self.current, Current::Nothing);
        if self.processes == 1 && matches!(current, Current::Ignored) {
            return;
        }
        let what = || format!("{} {}", subject.algorithm, subject.operation.name());
        let phase = match self.started.open(subject) {
            Ok(phase) => phase,
            Err(Refusal::Twice) => return self.twice(&what(), done.line),
            Err(_) => {
                let (rule, message) = match current {
                    Current::Phase(_) => ("result-contradicts-start", "is not what was begun"),
                    _ => ("result-without-start", "was never begun"),
                };
                let message = format!("{} ends here, and {message}: {}", what(), quoted(line));
                return self.report.find(Finding::broken(rule, place(self.file, done.line), message));
            }
        };
        let expected = self.processes > 1 || matches!(current, Current::Phase(begun) if begun == phase);
        if expected {
            self.started.end(phase, done);
        } else {
            let message =
                format!("{} ends here, but something else was begun last: {}", what(), quoted(line));
            let place = place(self.file, done.line);
            self.report.find(Finding::broken("result-contradicts-start", place, message));
        }
    }

    /// Words that are neither a beginning nor a result.
    fn words(&mut self, text: &str, number: u64) {
        if text.is_empty() {
            return;
        }
        if text.starts_with("You have chosen to measure elapsed time") {
            self.notice = true;
            return;
        }
        if trouble::is_of_child(text) {
            let message = format!("a process of -multi failed: {}", quoted(text));
            self.report.find(Finding::incomplete("child-failed", place(self.file, number), message));
            return;
        }
        if let Some(failure) = trouble::failure(text) {
            let reason = format!("could not be set up: {}{}", quoted(text), failure.consequence);
            let operation = failure.operation.map(str::to_owned);
            let missing = Missing { algorithm: failure.algorithm, operation, reason };
            self.report.missing("setup-failed", place(self.file, number), missing);
            return;
        }
        if let Current::Phase(phase) = self.current {
            // CPU time's hint comes here, too, on some systems.
            if !text.starts_with("To get meaningful results") {
                self.started.trouble(phase, || escaped(text, 80));
            }
        }
        self.report.note(text);
    }

    fn twice(&mut self, what: &str, number: u64) {
        let message = format!("{what} is there twice: the first counts");
        self.report.find(Finding::broken("duplicate-phase", place(self.file, number), message));
    }

    fn unknown(&mut self, text: &str, number: u64) {
        let place = place(self.file, number);
        let finding = if figure::has_decimal_comma(text) {
            let message = format!("a decimal comma: run openssl with LC_ALL=C: {}", quoted(text));
            Finding::broken("decimal-comma", place, message)
        } else {
            Finding::broken("unknown-line", place, format!("not a line of openssl speed: {}", quoted(text)))
        };
        self.report.find(finding);
    }
}

/// What a line begins.
enum Beginning {
    Phase(Subject),
    Symmetric,
}

/// `ML-DSA-65 signs ops for 1s: `, and what comes after it.
fn beginning(text: &str) -> Option<(Beginning, &str)> {
    let (what, rest) = text.split_once(" ops for ")?;
    let (seconds, rest) = rest.split_once('s')?;
    figure::count(seconds)?;
    if let Some(size) = rest.strip_prefix(" on ") {
        let (size, rest) = size.split_once(" size blocks:")?;
        figure::count(size)?;
        return Some((Beginning::Symmetric, rest));
    }
    let rest = rest.strip_prefix(':')?;
    let words: Vec<&str> = what.split_whitespace().take(6).collect();
    let subject = match words.as_slice() {
        [bits, "bits", words @ ..] => Subject::begun(bits, words),
        [algorithm, operation] => Subject::begun_by_name(algorithm, operation),
        _ => None,
    }?;
    Some((Beginning::Phase(subject), rest))
}

/// `602 ML-DSA-65 signature sign ops in 1.00s`
fn result(text: &str) -> Option<(i64, Vec<&str>, i64)> {
    let (what, seconds) = text.trim().rsplit_once(" ops in ")?;
    let (count, what) = what.split_once(' ')?;
    let words = what.split_whitespace().take(6).collect();
    Some((figure::count(count)?, words, figure::hundredths(seconds.strip_suffix('s')?)?))
}
