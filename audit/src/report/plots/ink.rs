//! What a stroke, an area or a word of a plot means. Its look is the style sheet's, so that one drawing serves a
//! dark page, a light one, and paper.

use plotters::style::{RGBAColor, ShapeStyle};

/// How many series look different: that many colours and dash patterns are in style.css.
pub(crate) const LOOKS: usize = 8;

/// A role in a plot. `usize` is the number of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    /// The lines behind everything.
    Grid,
    /// The axes.
    Axis,
    /// A line that others are held against.
    Mark,
    /// The words at an axis, and other small print.
    Muted,
    /// Words.
    Words,
    /// A curve with the series' own dash pattern.
    Curve(usize),
    /// A line of a series.
    Line(usize),
    /// A stronger line of a series: medians, intervals.
    Strong(usize),
    /// A dot of a series.
    Dot(usize),
    /// A small dot of a series.
    SmallDot(usize),
    /// An area of a series.
    Area(usize),
}

impl Ink {
    /// The classes in the style sheet.
    pub(crate) fn classes(self) -> String {
        let (name, series) = match self {
            Ink::Grid => return "grid".to_owned(),
            Ink::Axis => return "axis".to_owned(),
            Ink::Mark => return "mark".to_owned(),
            Ink::Muted => return "muted".to_owned(),
            Ink::Words => return "words".to_owned(),
            Ink::Curve(series) => return format!("line c{0} k{0}", series % LOOKS),
            Ink::Line(series) => ("line", series),
            Ink::Strong(series) => ("strong", series),
            Ink::Dot(series) => ("dot", series),
            Ink::SmallDot(series) => ("dot small", series),
            Ink::Area(series) => ("area", series),
        };
        format!("{name} c{}", series % LOOKS)
    }

    /// plotters hands colours through to its backend and nothing else: ink travels as one.
    pub(crate) fn color(self) -> RGBAColor {
        let (role, series) = match self {
            Ink::Grid => (0, 0),
            Ink::Axis => (1, 0),
            Ink::Mark => (2, 0),
            Ink::Muted => (3, 0),
            Ink::Words => (4, 0),
            Ink::Curve(series) => (5, series),
            Ink::Line(series) => (6, series),
            Ink::Strong(series) => (7, series),
            Ink::Dot(series) => (8, series),
            Ink::SmallDot(series) => (9, series),
            Ink::Area(series) => (10, series),
        };
        RGBAColor(role, u8::try_from(series % LOOKS).unwrap_or(0), 0, 1.0)
    }

    /// The ink of a colour that [`Ink::color`] made.
    pub(crate) fn of((role, series, _): (u8, u8, u8)) -> Self {
        let series = usize::from(series);
        match role {
            0 => Ink::Grid,
            1 => Ink::Axis,
            2 => Ink::Mark,
            3 => Ink::Muted,
            5 => Ink::Curve(series),
            6 => Ink::Line(series),
            7 => Ink::Strong(series),
            8 => Ink::Dot(series),
            9 => Ink::SmallDot(series),
            10 => Ink::Area(series),
            _ => Ink::Words,
        }
    }

    /// The style of an outline in this ink.
    pub(crate) fn stroke(self) -> ShapeStyle {
        ShapeStyle { color: self.color(), filled: false, stroke_width: 1 }
    }

    /// The style of an area in this ink.
    pub(crate) fn filled(self) -> ShapeStyle {
        ShapeStyle { filled: true, ..self.stroke() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_survives_the_way_through_plotters() {
        let each = [
            Ink::Grid,
            Ink::Axis,
            Ink::Mark,
            Ink::Muted,
            Ink::Words,
            Ink::Curve(7),
            Ink::Line(1),
            Ink::Strong(2),
            Ink::Dot(3),
            Ink::SmallDot(4),
            Ink::Area(5),
        ];
        for ink in each {
            let RGBAColor(red, green, blue, _) = ink.color();
            assert_eq!(Ink::of((red, green, blue)), ink);
        }
    }

    #[test]
    fn a_ninth_series_looks_like_the_first() {
        assert_eq!(Ink::Line(8).classes(), Ink::Line(0).classes());
        assert_ne!(Ink::Line(1).classes(), Ink::Line(0).classes());
    }
}
