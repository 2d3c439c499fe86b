//! What a signature costs in time and in bytes: a point for each algorithm.

use maud::Markup;
use plotters::style::text_anchor::HPos;
use pqsig::Algorithm;

use super::axis::Axis;
use super::ink::Ink;
use super::{Area, Chart, DrawError, FINENESS, Figure, Margins, WIDTH, dot, fit, line, pixels, words};
use crate::report::units;
use crate::summary::Row;
use crate::{Error, Source};

/// The height of a label, in units.
const LABEL: u32 = 16;
/// The width of the labels' column: `SLH-DSA-SHAKE-256s`.
const COLUMN: u32 = 140;
const TOP: u32 = 8;
const BOTTOM: u32 = 40;

/// The fastest backend of an algorithm.
struct Point<'a> {
    algorithm: &'static str,
    signature_bytes: f64,
    ns: f64,
    backend: &'a str,
}

/// The plot of one operation; `None` with fewer than two algorithms.
pub(crate) fn plot(rows: &[Row], operation: &str) -> Result<Option<Markup>, Error> {
    let points = points(rows, operation);
    if points.len() < 2 {
        return Ok(None);
    }
    let x = Axis::logarithmic(points.iter().map(|point| point.signature_bytes), 3, bytes);
    let y = Axis::logarithmic(points.iter().map(|point| point.ns), 6, units::tick);
    let described = points.iter().map(|point| {
        let time = units::time(point.ns, 3);
        format!(
            "{}: {} by {}, {} bytes",
            point.algorithm,
            time,
            super::super::clean(point.backend),
            point.signature_bytes
        )
    });
    let labels = LABEL * u32::try_from(points.len()).unwrap_or(0);
    let figure = Figure {
        caption: &format!("{} against signature size", activity(operation)),
        note: "",
        title: &format!("Time of {operation} by the fastest backend against the size of a signature"),
        description: &format!("{}.", described.collect::<Vec<_>>().join("; ")),
        height: (TOP + labels + BOTTOM).max(260),
    };
    figure.draw(|area| draw(area, &points, figure.height, &x, &y)).map(Some)
}

fn activity(operation: &str) -> &str {
    match operation {
        "sign" => "Signing",
        "verify" => "Verifying",
        other => other,
    }
}

fn bytes(value: f64) -> String {
    format!("{}\u{a0}B", units::significant(value, 2))
}

/// By time, the slowest first.
fn points<'a>(rows: &'a [Row], operation: &str) -> Vec<Point<'a>> {
    let by_pqsig = rows.iter().any(|row| row.key.source == Source::PqsigSpeed);
    let source = if by_pqsig { Source::PqsigSpeed } else { Source::OpensslSpeed };
    let of_algorithm = |algorithm: Algorithm| {
        let parameters = algorithm.parameters();
        let fastest = rows
            .iter()
            .filter(|row| row.key.source == source && row.key.operation == operation)
            .filter(|row| row.key.algorithm == parameters.name && row.median_ms > 0.0)
            .min_by(|a, b| a.median_ms.total_cmp(&b.median_ms))?;
        Some(Point {
            algorithm: parameters.name,
            signature_bytes: u32::try_from(parameters.signature).map_or(f64::INFINITY, f64::from),
            ns: fastest.median_ms * 1e6,
            backend: &fastest.key.backend,
        })
    };
    let mut points: Vec<_> = Algorithm::all().filter_map(of_algorithm).collect();
    points.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    points
}

fn draw(area: &Area<'_>, points: &[Point<'_>], height: u32, x: &Axis, y: &Axis) -> Result<(), DrawError> {
    let plot = area.margin(0, 0, 0, pixels(COLUMN));
    let margins = Margins {
        top: pixels(TOP) / FINENESS,
        side: 0,
        left: 54,
        right: 8,
        bottom: pixels(BOTTOM) / FINENESS,
    };
    let chart = Chart::new(&plot, margins, x, y, "bytes of a signature")?;
    let at: Vec<(i32, i32)> =
        points.iter().map(|point| chart.pixel((point.signature_bytes, point.ns))).collect();
    let left = pixels(WIDTH - COLUMN);
    let heights =
        spread(at.iter().map(|(_, y)| *y), pixels(LABEL), pixels(TOP + LABEL / 2), pixels(height - BOTTOM));
    for ((point, at), label) in points.iter().zip(&at).zip(heights) {
        line(area, vec![*at, (left - 2 * FINENESS, label), (left + 3 * FINENESS, label)], Ink::Grid)?;
        words(area, &fit(point.algorithm, 19), (left + 6 * FINENESS, label), HPos::Left, Ink::Words)?;
    }
    for at in at {
        dot(area, at, Ink::Dot(0))?;
    }
    Ok(())
}

/// Heights of labels, each as near to its point as its neighbours let it, in the order of the points, which
/// ascend.
fn spread(points: impl Iterator<Item = i32>, distance: i32, top: i32, bottom: i32) -> Vec<i32> {
    let mut heights: Vec<i32> = Vec::new();
    for point in points {
        let least = heights.last().map_or(top, |above| above + distance);
        heights.push(point.max(least));
    }
    // What was pushed beyond the bottom pushes the others up.
    let mut most = bottom;
    for height in heights.iter_mut().rev() {
        *height = (*height).min(most);
        most = *height - distance;
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance_and_their_order() {
        assert_eq!(spread([10, 100, 190].into_iter(), 20, 0, 200), [10, 100, 190]);
        assert_eq!(spread([10, 11, 12].into_iter(), 20, 0, 200), [10, 30, 50]);
        assert_eq!(spread([195, 198, 199].into_iter(), 20, 0, 200), [160, 180, 200]);
    }
}
