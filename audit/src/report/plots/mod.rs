//! Small plots, each as wide as a phone: a page lays as many of them side by side as fit.

pub(crate) mod axis;
pub(crate) mod boxes;
pub(crate) mod drift;
pub(crate) mod ecdf;
mod ink;
mod legend;
pub(crate) mod ratios;
mod rows;
pub(crate) mod sizes;
mod svg;

use maud::{Markup, PreEscaped, html};
use plotters::chart::ChartBuilder;
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea as _};
use plotters::element::{Circle, PathElement, Rectangle};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{IntoTextStyle as _, TextStyle};

use self::axis::Axis;
use self::ink::Ink;
use self::svg::{FINENESS, FONT_SIZE, Svg};
use crate::Error;

/// The width of each plot in units, which are pixels of a phone.
const WIDTH: u32 = 380;

type Area<'a> = DrawingArea<Svg<'a>, Shift>;
type DrawError = DrawingAreaErrorKind<std::convert::Infallible>;

/// A plot with its caption, and for those who can't see it what it shows.
pub(crate) struct Figure<'a> {
    /// What stands above it.
    pub(crate) caption: &'a str,
    /// What stands beside the caption in small print.
    pub(crate) note: &'a str,
    /// What kind of plot it is, and of what.
    pub(crate) title: &'a str,
    /// The figures in words.
    pub(crate) description: &'a str,
    /// In units.
    pub(crate) height: u32,
}

impl Figure<'_> {
    /// The figure with what `draw` draws.
    fn draw(&self, draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>) -> Result<Markup, Error> {
        let mut elements = String::new();
        {
            let area = Svg::new(&mut elements, (WIDTH, self.height)).into_drawing_area();
            let outcome = draw(&area).and_then(|()| area.present());
            outcome.map_err(|error| Error::Plot(error.to_string()))?;
        }
        let view = format!("0 0 {WIDTH} {}", self.height);
        Ok(html! {
            figure class="plot" {
                figcaption { (self.caption) @if !self.note.is_empty() { " " small { (self.note) } } }
                svg role="img" viewBox=(view) {
                    title { (self.title) }
                    desc { (self.description) }
                    (PreEscaped(elements))
                }
            }
        })
    }
}

/// What surrounds the part of a plot that has coordinates, in units.
#[derive(Clone, Copy, Debug)]
struct Margins {
    top: i32,
    /// Left of the labels.
    side: i32,
    /// The room of the labels at the left; without any, there is no axis there either.
    left: i32,
    right: i32,
    bottom: i32,
}

/// The part of a plot that has coordinates.
struct Chart<'a>(DrawingArea<Svg<'a>, Cartesian2d<Axis, Axis>>);

impl<'a> Chart<'a> {
    /// Draws the axes, with a line across at each tick and words below.
    fn new(area: &Area<'a>, margins: Margins, x: &Axis, y: &Axis, words: &str) -> Result<Self, DrawError> {
        let mut context = ChartBuilder::on(area)
            .margin_top(margins.top * FINENESS)
            .margin_right(margins.right * FINENESS)
            .margin_left(margins.side * FINENESS)
            .x_label_area_size(margins.bottom * FINENESS)
            .y_label_area_size(margins.left * FINENESS)
            .build_cartesian_2d(x.clone(), y.clone())?;
        let muted = style(area, Ink::Muted);
        context
            .configure_mesh()
            .bold_line_style(Ink::Grid.stroke())
            .axis_style(Ink::Axis.stroke())
            .x_label_style(muted.clone())
            .y_label_style(muted.clone())
            .axis_desc_style(muted)
            .set_all_tick_mark_size(3 * FINENESS)
            .x_desc(words)
            .draw()?;
        Ok(Chart(context.plotting_area().clone()))
    }

    /// Where a value is, in plotters' pixels.
    fn pixel(&self, at: (f64, f64)) -> (i32, i32) {
        self.0.map_coordinate(&at)
    }
}

fn style<'a>(area: &Area<'_>, ink: Ink) -> TextStyle<'a> {
    ("sans-serif", FONT_SIZE * FINENESS).with_color(ink.color()).into_text_style(area)
}

/// Draws a line through points that are in plotters' pixels.
fn line(area: &Area<'_>, points: Vec<(i32, i32)>, ink: Ink) -> Result<(), DrawError> {
    area.draw(&PathElement::new(points, ink.stroke()))
}

fn dot(area: &Area<'_>, center: (i32, i32), ink: Ink) -> Result<(), DrawError> {
    area.draw(&Circle::new(center, 1, ink.filled()))
}

fn rectangle(area: &Area<'_>, corners: [(i32, i32); 2], ink: Ink) -> Result<(), DrawError> {
    area.draw(&Rectangle::new(corners, ink.filled()))
}

/// Writes words whose middle is at this height, and which begin, have their middle or end at this x.
fn words(area: &Area<'_>, text: &str, at: (i32, i32), anchor: HPos, ink: Ink) -> Result<(), DrawError> {
    area.draw_text(text, &style(area, ink).pos(Pos::new(anchor, VPos::Center)), at)
}

/// Shortens a text to so many letters.
fn fit(text: &str, letters: usize) -> String {
    if text.chars().count() <= letters {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(letters.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Units in plotters' pixels.
fn pixels(units: u32) -> i32 {
    i32::try_from(units).unwrap_or(i32::MAX / FINENESS).saturating_mul(FINENESS)
}
