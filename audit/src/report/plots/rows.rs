//! Plots with a row for each backend: its name and its figure above what is drawn. So nothing depends on a
//! colour, and long names have room.

use plotters::style::text_anchor::HPos;

use super::axis::Axis;
use super::ink::Ink;
use super::svg::FINENESS;
use super::{Area, Chart, DrawError, Margins, WIDTH, fit, pixels, words};

/// The height of the line of words, in units.
const WORDS: u32 = 17;
/// What is below the rows: ticks, and what they are.
const BOTTOM: u32 = 38;
/// Beside the rows: half of a tick's words.
const SIDE: i32 = 24;

/// Rows of one height.
pub(super) struct Rows<'r, 'a> {
    area: &'r Area<'a>,
    chart: Chart<'a>,
    height: u32,
}

/// The height of a plot of so many rows, each with `height` units to draw in.
pub(super) fn plot_height(rows: usize, height: u32) -> u32 {
    u32::try_from(rows).unwrap_or(0).saturating_mul(WORDS + height) + BOTTOM
}

/// The axis of the rows' heights: only its range matters.
pub(super) fn heights() -> Axis {
    Axis::linear(0.0, 1.0, 1, |_| String::new()).with_ticks(Vec::new())
}

impl<'r, 'a> Rows<'r, 'a> {
    /// Draws the axis at the bottom; `height` as for [`plot_height`].
    pub(super) fn new(
        area: &'r Area<'a>,
        x: &Axis,
        y: &Axis,
        height: u32,
        axis: &str,
    ) -> Result<Self, DrawError> {
        let margins = Margins { top: 0, side: SIDE, left: 0, right: SIDE, bottom: pixels(BOTTOM) / FINENESS };
        Ok(Rows { area, chart: Chart::new(area, margins, x, y, axis)?, height })
    }

    /// Writes a row's name at the left and its figure at the right.
    pub(super) fn name(&self, row: u32, name: &str, figure: &str) -> Result<(), DrawError> {
        let y = pixels(row * (WORDS + self.height) + WORDS / 2 + 1);
        // A figure is a little wider than the letters of a name.
        let room = 50_usize.saturating_sub(figure.chars().count());
        words(self.area, &fit(name, room), (SIDE * FINENESS, y), HPos::Left, Ink::Words)?;
        words(self.area, figure, (pixels(WIDTH) - SIDE * FINENESS, y), HPos::Right, Ink::Muted)
    }

    /// Where a value is in a row, in plotters' pixels; `height` is from 0 at the bottom of the row to 1 at its
    /// top.
    pub(super) fn pixel(&self, row: u32, x: f64, height: f64) -> (i32, i32) {
        let (x, _) = self.chart.pixel((x, 0.0));
        let top = pixels(row * (WORDS + self.height) + WORDS);
        let below = f64::from(self.height * FINENESS.unsigned_abs()) * (1.0 - height.clamp(0.0, 1.0));
        (x, top + whole(below))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "between 0 and the height of a row")]
fn whole(pixels: f64) -> i32 {
    pixels.round() as i32
}
