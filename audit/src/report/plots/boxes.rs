//! Box plots of single operations: a box for each backend.

use maud::Markup;

use super::axis::Axis;
use super::ink::Ink;
use super::rows::{self, Rows};
use super::{Area, DrawError, Figure, dot, line, rectangle};
use crate::Error;
use crate::report::figures::{Group, Series};
use crate::report::pool::Percentiles;
use crate::report::{clean, units};

const ROW: u32 = 20;

/// The percentiles of a box: whiskers, sides, and the median between.
const FEWEST: usize = 1;
const LOWER: usize = 25;
const MEDIAN: usize = 50;
const UPPER: usize = 75;
const MOST: usize = 99;

/// The plot of a group; `None` if no log has percentiles.
pub(crate) fn plot(group: &Group) -> Result<Option<Markup>, Error> {
    let boxes: Vec<(&Series, &Percentiles)> = with_percentiles(group);
    if boxes.is_empty() {
        return Ok(None);
    }
    let ends = boxes.iter().flat_map(|(series, box_of)| [box_of.at(FEWEST), box_of.at(MOST), series.mean_ns]);
    let x = Axis::logarithmic(ends, 6, units::tick);
    let y = rows::heights();
    let name = format!("{} {}", clean(&group.algorithm), clean(&group.operation));
    let described = boxes.iter().map(|(series, box_of)| describe(series, box_of));
    let figure = Figure {
        caption: &name,
        note: "",
        title: &format!("Box plot of the times of {name}, by backend"),
        description: &described.collect::<Vec<_>>().join(" "),
        height: rows::plot_height(boxes.len(), ROW),
    };
    figure.draw(|area| draw(area, &boxes, &x, &y)).map(Some)
}

/// The series that have percentiles, the fastest first.
pub(super) fn with_percentiles(group: &Group) -> Vec<(&Series, &Percentiles)> {
    let mut series: Vec<_> =
        group.series.iter().filter_map(|series| Some((series, series.percentiles.as_ref()?))).collect();
    series.sort_by(|(_, a), (_, b)| a.at(MEDIAN).total_cmp(&b.at(MEDIAN)));
    series
}

fn draw(area: &Area<'_>, boxes: &[(&Series, &Percentiles)], x: &Axis, y: &Axis) -> Result<(), DrawError> {
    let rows = Rows::new(area, x, y, ROW, "time of one operation")?;
    for ((series, box_of), row) in boxes.iter().zip(0_u32..) {
        let at = |percent: usize, height: f64| rows.pixel(row, box_of.at(percent), height);
        rows.name(row, &clean(&series.backend), &format!("median {}", units::time(box_of.at(MEDIAN), 3)))?;
        let ink = Ink::Line(series.look);
        line(area, vec![at(FEWEST, 0.55), at(LOWER, 0.55)], ink)?;
        line(area, vec![at(UPPER, 0.55), at(MOST, 0.55)], ink)?;
        for end in [FEWEST, MOST] {
            line(area, vec![at(end, 0.75), at(end, 0.35)], ink)?;
        }
        rectangle(area, [at(LOWER, 0.95), at(UPPER, 0.15)], Ink::Area(series.look))?;
        line(area, vec![at(MEDIAN, 0.95), at(MEDIAN, 0.15)], Ink::Strong(series.look))?;
        dot(area, rows.pixel(row, series.mean_ns, 0.55), Ink::Dot(series.look))?;
    }
    Ok(())
}

fn describe(series: &Series, box_of: &Percentiles) -> String {
    let time = |percent: usize| units::time(box_of.at(percent), 3);
    format!(
        "{}: median {}, middle half {} to {}, middle 98% {} to {}, mean {}.",
        clean(&series.backend),
        time(MEDIAN),
        time(LOWER),
        time(UPPER),
        time(FEWEST),
        time(MOST),
        units::time(series.mean_ns, 3)
    )
}
