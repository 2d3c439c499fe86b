//! Whether the machine stayed the same: slices of the run in their order, relative to the mean of all.

use std::collections::BTreeMap;

use maud::Markup;
use plotters::coord::ranged1d::Ranged as _;

use super::axis::{Axis, Tick};
use super::ink::Ink;
use super::rows::{self, Rows};
use super::{Area, DrawError, Figure, dot, line};
use crate::Error;
use crate::report::figures::{Course, Group, Series};
use crate::report::{clean, units};
use crate::sample::float;

const ROW: u32 = 34;

/// The most dots of a series: neighbours share one where there are more slices.
const MAX_DOTS: usize = 90;

/// So few dots are large ones.
const FEW_DOTS: usize = 15;

/// The most trials with a line where each begins.
const MAX_LINES: usize = 12;

/// By how much a dot may differ from the mean and still be where it belongs, in percent.
const MAX_PERCENT: f64 = 60.0;

/// The part of the axis that belongs to a trial.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Where it begins, in s of the axis.
    at: f64,
    /// How long it is, in s.
    length: f64,
    /// When the operation was first timed in it, in ns since the trial's start.
    start_ns: u64,
    /// When the trial started, in ms since the run's start.
    since_start_ms: u64,
}

/// A dot: where it is on the axis, in s, and by how much it differs, in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dot {
    at: f64,
    percent: f64,
}

/// The plot of a group. `run_start_ms` is when the run's first trial started, by the clock of the logs.
pub(crate) fn plot(group: &Group, run_start_ms: u64) -> Result<Markup, Error> {
    let windows = windows(group, run_start_ms);
    let courses: Vec<(&Series, Vec<Vec<Dot>>)> =
        group.series.iter().map(|series| (series, dots(series, &windows))).collect();
    let most = courses.iter().flat_map(|(_, dots)| dots.iter().flatten()).map(|dot| dot.percent.abs());
    let reach = most.fold(5.0, f64::max).min(MAX_PERCENT);
    let end = windows.values().map(|window| window.at + window.length).fold(0.0, f64::max);
    let x = Axis::linear(-0.01 * end, 1.01 * end, 4, |_| String::new()).with_ticks(ticks(&windows, end));
    let y = rows::heights();
    let caption = format!("{} {}", clean(&group.algorithm), clean(&group.operation));
    let described =
        courses.iter().map(|(series, dots)| format!("{}: {}.", clean(&series.backend), span(dots)));
    let figure = Figure {
        caption: &caption,
        note: &format!("rows: ±{reach:.0}%"),
        title: &format!("{caption}: slices in the order of measuring, relative to their mean"),
        description: &described.collect::<Vec<_>>().join(" "),
        height: rows::plot_height(courses.len(), ROW),
    };
    figure.draw(|area| draw(area, &courses, &windows, reach, (&x, &y)))
}

/// The trials one after another: the time between them, in which other things were timed, takes no room.
fn windows(group: &Group, run_start_ms: u64) -> BTreeMap<u32, Window> {
    let mut spans: BTreeMap<u32, (u64, u64, u64)> = BTreeMap::new();
    for course in group.series.iter().flat_map(|series| &series.courses) {
        let since_start_ms = course.started_unix_ms.saturating_sub(run_start_ms);
        let start = course.slices.iter().map(|slice| slice.start_ns).min().unwrap_or(0);
        let end = course.slices.iter().map(|slice| slice.start_ns.saturating_add(slice.elapsed_ns)).max();
        let end = end.unwrap_or(1_000_000_000);
        let span = spans.entry(course.trial).or_insert((start, end, since_start_ms));
        *span = (span.0.min(start), span.1.max(end), span.2);
    }
    let mut at = 0.0;
    let placed = spans.into_iter().map(|(trial, (start_ns, end, since_start_ms))| {
        let length = float(end.saturating_sub(start_ns)) / 1e9;
        let window = Window { at, length, start_ns, since_start_ms };
        // A gap shows where one ends and the next begins.
        at += length * 1.04;
        (trial, window)
    });
    placed.collect()
}

/// At the beginning of trials: when that was, since the run's start.
fn ticks(windows: &BTreeMap<u32, Window>, end: f64) -> Vec<Tick> {
    let mut ticks: Vec<Tick> = Vec::new();
    for window in windows.values() {
        // Words take a fifth of the width.
        let free = ticks.last().is_none_or(|tick| window.at - tick.at >= 0.21 * end);
        if free && (ticks.is_empty() || window.at < 0.93 * end) {
            let since = window.since_start_ms / 1000 + window.start_ns / 1_000_000_000;
            ticks.push(Tick { at: window.at, label: units::clock(since) });
        }
    }
    ticks
}

/// The dots of each trial.
fn dots(series: &Series, windows: &BTreeMap<u32, Window>) -> Vec<Vec<Dot>> {
    let percent = |ns: f64| (ns / series.mean_ns - 1.0) * 100.0;
    let window = |course: &Course| windows.get(&course.trial);
    if series.courses.len() > MAX_DOTS {
        // So many trials, each a dot; and of several trials one, if need be.
        let step = series.courses.len().div_ceil(MAX_DOTS);
        let all = series.courses.iter().step_by(step).filter_map(|course| {
            let window = window(course)?;
            Some(Dot { at: window.at + window.length / 2.0, percent: percent(course.mean_ns) })
        });
        return vec![all.collect()];
    }
    let slices: usize = series.courses.iter().map(|course| course.slices.len()).sum();
    let together = slices.div_ceil(MAX_DOTS).max(1);
    let of_course = |course: &Course| -> Vec<Dot> {
        let Some(window) = window(course) else { return Vec::new() };
        if course.slices.is_empty() {
            return vec![Dot { at: window.at + window.length / 2.0, percent: percent(course.mean_ns) }];
        }
        let chunks = course.slices.chunks(together).filter_map(|chunk| {
            let first = chunk.first()?;
            let start = float(first.start_ns.saturating_sub(window.start_ns)) / 1e9;
            let operations: f64 = chunk.iter().map(|slice| float(slice.operations)).sum();
            let time: f64 = chunk.iter().map(|slice| slice.mean_ns * float(slice.operations)).sum();
            Some(Dot { at: window.at + start, percent: percent(time / operations) })
        });
        chunks.collect()
    };
    series.courses.iter().map(of_course).collect()
}

fn span(dots: &[Vec<Dot>]) -> String {
    let range = super::axis::extent(dots.iter().flatten().map(|dot| dot.percent)).unwrap_or(0.0..0.0);
    // A minus that is as wide as a plus.
    format!("{:+.1}% to {:+.1}%", range.start, range.end).replace('-', "\u{2212}")
}

fn draw(
    area: &Area<'_>,
    courses: &[(&Series, Vec<Vec<Dot>>)],
    windows: &BTreeMap<u32, Window>,
    reach: f64,
    (x, y): (&Axis, &Axis),
) -> Result<(), DrawError> {
    let rows = Rows::new(area, x, y, ROW, "min:s since the run's start, without the time between")?;
    for ((series, trials), row) in courses.iter().zip(0_u32..) {
        let at = |dot: &Dot| rows.pixel(row, dot.at, 0.5 + 0.5 * dot.percent.clamp(-reach, reach) / reach);
        rows.name(row, &clean(&series.backend), &span(trials))?;
        let (left, right) = (rows.pixel(row, x.range().start, 0.5), rows.pixel(row, x.range().end, 0.5));
        line(area, vec![left, right], Ink::Mark)?;
        if windows.len() <= MAX_LINES {
            for window in windows.values() {
                line(
                    area,
                    vec![rows.pixel(row, window.at, 1.0), rows.pixel(row, window.at, 0.0)],
                    Ink::Axis,
                )?;
            }
        }
        for trial in trials {
            line(area, trial.iter().map(at).collect(), Ink::Line(series.look))?;
        }
        let few = trials.iter().map(Vec::len).sum::<usize>() <= FEW_DOTS;
        let ink = if few { Ink::Dot(series.look) } else { Ink::SmallDot(series.look) };
        for each in trials.iter().flatten() {
            dot(area, at(each), ink)?;
        }
    }
    Ok(())
}
