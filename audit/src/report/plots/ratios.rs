//! Backends against one of them: ratios of times, with their intervals.

use std::collections::BTreeMap;

use maud::Markup;

use super::axis::Axis;
use super::ink::Ink;
use super::rows::{self, Rows};
use super::{Area, DrawError, Figure, dot, line};
use crate::compare::{Interval, Series, ratio};
use crate::report::{clean, units};
use crate::{Error, Source};

const ROW: u32 = 16;

/// All series of an operation of an algorithm.
#[derive(Debug)]
pub(crate) struct Race<'a> {
    algorithm: &'a str,
    operation: &'a str,
    series: Vec<&'a Series>,
}

/// The races of a run, in the order of the tables: at most so many, of at most so many series.
pub(crate) fn races(series: &[Series], most: usize, most_series: usize) -> Vec<Race<'_>> {
    let mut races: Vec<Race<'_>> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut in_order: Vec<&Series> = series.iter().filter(|series| !series.trials.is_empty()).collect();
    in_order.sort_by(|a, b| {
        let place = |series: &Series| crate::sample::algorithm_place(&series.key.algorithm);
        let operation = |series: &Series| crate::sample::operation_place(&series.key.operation);
        (place(a), &a.key.algorithm, operation(a), &a.key.operation, &a.key).cmp(&(
            place(b),
            &b.key.algorithm,
            operation(b),
            &b.key.operation,
            &b.key,
        ))
    });
    for series in in_order {
        let of = (series.key.algorithm.as_str(), series.key.operation.as_str());
        let place = *places.entry(of).or_insert(races.len());
        if place == races.len() && place < most {
            races.push(Race { algorithm: of.0, operation: of.1, series: Vec::new() });
        }
        if let Some(race) = races.get_mut(place).filter(|race| race.series.len() < most_series) {
            race.series.push(series);
        }
    }
    races
}

/// A backend's time by the reference's.
struct Contender {
    name: String,
    look: usize,
    interval: Interval,
}

/// The plot of a race; `None` where there is nothing to compare. `looks` are the numbers of the backends.
pub(crate) fn plot(race: &Race<'_>, looks: &BTreeMap<String, usize>) -> Result<Option<Markup>, Error> {
    let Some(reference) = reference(race) else { return Ok(None) };
    let mut contenders: Vec<Contender> = race
        .series
        .iter()
        .filter(|series| series.key != reference.key)
        .filter_map(|series| {
            Some(Contender {
                name: name(series),
                look: looks.get(&series.key.backend).copied().unwrap_or(0),
                interval: ratio(series, reference)?,
            })
        })
        .collect();
    if contenders.is_empty() {
        return Ok(None);
    }
    contenders.sort_by(|a, b| a.interval.ratio.total_cmp(&b.interval.ratio));
    let ends = contenders.iter().flat_map(|of| [of.interval.low, of.interval.high]).chain([1.0]);
    let x = Axis::logarithmic(ends, 6, |value| format!("×{value}"));
    let y = rows::heights();
    let caption = format!("{} {}", clean(race.algorithm), clean(race.operation));
    let described = contenders.iter().map(|of| format!("{} {}", of.name, figure(of.interval)));
    let plot = Figure {
        caption: &caption,
        note: "",
        title: &format!("{caption}: times relative to {}, with 95% confidence intervals", name(reference)),
        description: &format!("{}.", described.collect::<Vec<_>>().join("; ")),
        height: rows::plot_height(contenders.len(), ROW),
    };
    let words = format!("time relative to {}", super::fit(&name(reference), 30));
    plot.draw(|area| draw(area, &contenders, &x, &y, &words)).map(Some)
}

/// The backend `openssl`, or else the fastest one.
fn reference<'a>(race: &Race<'a>) -> Option<&'a Series> {
    let backends = || race.series.iter().copied().filter(|series| series.key.source == Source::PqsigSpeed);
    backends().find(|series| series.key.backend == "openssl").or_else(|| {
        backends()
            .filter_map(|series| Some((series, series.mean_ms()?)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(series, _)| series)
    })
}

fn name(series: &Series) -> String {
    match series.key.source {
        Source::OpensslSpeed => "openssl speed".to_owned(),
        Source::PqsigSpeed => clean(&series.key.backend),
    }
}

fn figure(interval: Interval) -> String {
    let text = |value: f64| units::significant(value, 3);
    format!("×{} ({} to {})", text(interval.ratio), text(interval.low), text(interval.high))
}

fn draw(area: &Area<'_>, contenders: &[Contender], x: &Axis, y: &Axis, words: &str) -> Result<(), DrawError> {
    let rows = Rows::new(area, x, y, ROW, words)?;
    let last = u32::try_from(contenders.len()).unwrap_or(1).saturating_sub(1);
    for (contender, row) in contenders.iter().zip(0..=last) {
        let Interval { ratio, low, high } = contender.interval;
        // Behind each row only: the line of words stays free.
        line(area, vec![rows.pixel(row, 1.0, 1.0), rows.pixel(row, 1.0, 0.0)], Ink::Mark)?;
        rows.name(row, &contender.name, &figure(contender.interval))?;
        line(
            area,
            vec![rows.pixel(row, low, 0.55), rows.pixel(row, high, 0.55)],
            Ink::Strong(contender.look),
        )?;
        for end in [low, high] {
            line(
                area,
                vec![rows.pixel(row, end, 0.85), rows.pixel(row, end, 0.25)],
                Ink::Line(contender.look),
            )?;
        }
        dot(area, rows.pixel(row, ratio, 0.55), Ink::Dot(contender.look))?;
    }
    Ok(())
}
