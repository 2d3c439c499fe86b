//! Whether a result, a rate and a time go together, and what follows from them.

use super::Phase;
use super::figure::{Figure, float, touch};
use super::row::Cell;
use super::started::Entry;

/// What follows from a phase's results.
pub(super) struct Figures {
    pub(super) count: u64,
    pub(super) elapsed_cs: u64,
    pub(super) rates: (f64, f64),
    pub(super) line: u64,
}

/// Why nothing follows.
pub(super) enum Fault {
    Failed(String),
    Unfinished(String),
}

/// Adds the processes up.
pub(super) fn figures(entry: &Entry, processes: u32) -> Result<Figures, Fault> {
    let results = &entry.results;
    if results.is_empty() {
        return Err(Fault::Unfinished("was begun, and has no result".to_owned()));
    }
    let mut figures = Figures { count: 0, elapsed_cs: 0, rates: (0.0, 0.0), line: 0 };
    let mut rate = 0.0;
    for done in results {
        let because = entry.trouble.as_ref().map(|text| format!(": `{text}`")).unwrap_or_default();
        let failed = |what: &str| Fault::Failed(format!("{what}{because}"));
        let count = u64::try_from(done.count).map_err(|_| failed("failed"))?;
        if count == 0 {
            return Err(failed("did not end one operation"));
        }
        let time = u64::try_from(done.hundredths).ok().filter(|&time| time > 0);
        let Some(time) = time else {
            let seconds = float(done.hundredths.unsigned_abs()) / 100.0;
            let sign = if done.hundredths < 0 { "-" } else { "" };
            return Err(failed(&format!("is timed with {count} operations in {sign}{seconds:.2} s")));
        };
        figures.count = figures.count.saturating_add(count);
        figures.elapsed_cs = time;
        figures.line = figures.line.max(done.line);
        figures.rates.0 += 100.0 * float(count) / (float(time) + 0.5);
        figures.rates.1 += 100.0 * float(count) / (float(time) - 0.5);
        rate += float(count) / float(time);
    }
    if u32::try_from(results.len()) != Ok(processes) {
        let reason = format!("has a result of {} of {processes} processes", results.len());
        return Err(Fault::Unfinished(reason));
    }
    if processes > 1 {
        figures.elapsed_cs = whole(float(figures.count) / rate).max(1);
    }
    Ok(figures)
}

/// A positive number, rounded: it is a mean of times that were whole.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// Whether a value is printed.
pub(super) fn has_figure(cell: &Cell) -> bool {
    cell.rate.positive().is_some() || cell.time.and_then(Figure::positive).is_some()
}

/// Takes what is printed into a phase.
pub(super) fn print(cell: &Cell, phase: &mut Phase) {
    phase.printed_rate = cell.rate.positive();
    phase.printed_time = cell.time.and_then(Figure::positive);
}

/// Whether the time is not 1 over the rate, whatever both were rounded from.
pub(super) fn contradicts_itself(cell: &Cell) -> bool {
    let Some(time) = cell.time else { return false };
    match (cell.rate.interval(), time.interval()) {
        (Some((least, most)), Some(time)) => !touch((1.0 / most, 1.0 / least), time),
        // 0 operations take an infinite time each.
        (Some(_), None) => matches!(cell.rate, Figure::Positive(_)),
        (None, Some(_)) => matches!(time, Figure::Positive(_)),
        (None, None) => false,
    }
}

/// How a rate contradicts a phase, of which `rates` are the least and the most that its figures allow.
pub(super) fn contradiction(what: &str, cell: &Cell, phase: &Phase, (least, most): (f64, f64)) -> String {
    let rate = match cell.rate {
        Figure::Positive(printed) => format!("{:.*}/s", usize::from(printed.decimals), printed.value),
        Figure::Zero { .. } => "0/s".to_owned(),
        Figure::NoValue => "no number".to_owned(),
    };
    let count = phase.count.unwrap_or_default();
    let elapsed_cs = phase.elapsed_cs.unwrap_or_default();
    let (seconds, hundredths) = (elapsed_cs / 100, elapsed_cs % 100);
    format!(
        "{what} is printed as {rate}; {count} operations in {seconds}.{hundredths:02} s are {least:.3}/s to {most:.3}/s"
    )
}
