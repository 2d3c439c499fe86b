//! Which part of the operations took at most so long: a curve for each backend.

use maud::Markup;

use super::axis::{Axis, Tick};
use super::boxes::with_percentiles;
use super::ink::Ink;
use super::legend::{self, Entry};
use super::{Area, Chart, DrawError, Figure, Margins, line, pixels};
use crate::Error;
use crate::report::figures::{Group, Series};
use crate::report::pool::Percentiles;
use crate::report::{clean, units};

const HEIGHT: u32 = 232;

/// The last percentile that is drawn: the slowest hundredth would take most of the width.
const LAST: usize = 99;

/// The plot of a group; `None` if no log has percentiles.
pub(crate) fn plot(group: &Group) -> Result<Option<Markup>, Error> {
    let curves: Vec<(&Series, &Percentiles)> = with_percentiles(group);
    if curves.is_empty() {
        return Ok(None);
    }
    let ends = curves.iter().flat_map(|(_, curve)| [curve.at(0), curve.at(LAST)]);
    let x = Axis::logarithmic(ends, 6, units::tick);
    let quarters = [0.0, 25.0, 50.0, 75.0, 100.0].map(|at| Tick { at, label: format!("{at:.0}%") });
    let y = Axis::linear(-5.0, 102.0, 5, |_| String::new()).with_ticks(quarters.to_vec());
    let entries: Vec<Entry> = curves.iter().map(|(series, curve)| entry(series, curve)).collect();
    let name = format!("{} {}", clean(&group.algorithm), clean(&group.operation));
    let medians = entries.iter().map(|entry| format!("{} {}", entry.name, entry.figure));
    let figure = Figure {
        caption: &name,
        note: "",
        title: &format!("Distribution of the times of {name}, a curve for each backend"),
        description: &format!("Medians, fastest first: {}.", medians.collect::<Vec<_>>().join(", ")),
        height: HEIGHT + legend::height(entries.len()),
    };
    figure.draw(|area| draw(area, &curves, &entries, &x, &y)).map(Some)
}

fn entry(series: &Series, curve: &Percentiles) -> Entry {
    Entry { look: series.look, name: clean(&series.backend), figure: units::time(curve.at(50), 3) }
}

fn draw(
    area: &Area<'_>,
    curves: &[(&Series, &Percentiles)],
    entries: &[Entry],
    x: &Axis,
    y: &Axis,
) -> Result<(), DrawError> {
    let (above, _) = area.split_vertically(pixels(HEIGHT));
    let margins = Margins { top: 8, side: 0, left: 42, right: 24, bottom: 40 };
    let chart = Chart::new(&above, margins, x, y, "time of one operation (below: medians)")?;
    for (series, curve) in curves {
        let points =
            (0..=LAST).zip(0_u32..).map(|(at, percent)| chart.pixel((curve.at(at), f64::from(percent))));
        line(area, points.collect(), Ink::Curve(series.look))?;
    }
    legend::draw(area, HEIGHT, entries)
}
