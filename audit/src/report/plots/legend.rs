//! The names of curves below a plot, each with its colour and dashes.

use plotters::style::text_anchor::HPos;

use super::ink::Ink;
use super::svg::FINENESS;
use super::{Area, DrawError, WIDTH, fit, line, pixels, words};

/// The height of one line, in units.
const LINE: u32 = 18;

/// An entry: the series' look, its name, and a figure.
pub(super) struct Entry {
    pub(super) look: usize,
    pub(super) name: String,
    pub(super) figure: String,
}

/// The height of a legend of so many entries, in units.
pub(super) fn height(entries: usize) -> u32 {
    LINE * u32::try_from(entries.div_ceil(2)).unwrap_or(u32::MAX / LINE)
}

/// Draws two columns from this height on.
pub(super) fn draw(area: &Area<'_>, top: u32, entries: &[Entry]) -> Result<(), DrawError> {
    let column = pixels(WIDTH / 2);
    for (pair, row) in entries.chunks(2).zip(0_u32..) {
        let y = pixels(top + row * LINE + LINE / 2);
        for (entry, left) in pair.iter().zip([0, column]) {
            let start = left + 4 * FINENESS;
            line(area, vec![(start, y), (start + 26 * FINENESS, y)], Ink::Curve(entry.look))?;
            let text = format!("{} {}", fit(&entry.name, 14), entry.figure);
            words(area, &text, (start + 32 * FINENESS, y), HPos::Left, Ink::Words)?;
        }
    }
    Ok(())
}
