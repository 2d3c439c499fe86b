//! A backend of plotters that writes SVG without colours and fonts: classes of the page's style sheet instead.
//! plotters' own backend writes fixed colours, whole pixels and a hundred bytes for each dot.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

use super::ink::Ink;

/// plotters counts in whole pixels: a unit of the drawing is this many of them.
pub(crate) const FINENESS: i32 = 10;

/// The size of all words, in units.
pub(crate) const FONT_SIZE: i32 = 12;

/// The elements of a drawing. Neighbours of one look share an element.
#[derive(Debug)]
pub(crate) struct Svg<'a> {
    elements: &'a mut String,
    size: (u32, u32),
    open: Option<Ink>,
}

type Outcome = Result<(), DrawingErrorKind<Infallible>>;

impl<'a> Svg<'a> {
    /// A drawing of this width and height in units, whose elements are appended to a string.
    pub(crate) fn new(elements: &'a mut String, (width, height): (u32, u32)) -> Self {
        let fineness = FINENESS.unsigned_abs();
        Svg { elements, size: (width * fineness, height * fineness), open: None }
    }

    /// Appends to the path of this ink, opening one unless it is open already.
    fn draw(&mut self, ink: Ink, command: impl FnOnce(&mut String)) {
        if self.open != Some(ink) {
            self.close();
            self.push(format_args!("<path class=\"{}\" d=\"", ink.classes()));
            self.open = Some(ink);
        }
        command(self.elements);
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.elements.push_str("\"/>");
        }
    }

    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.elements.write_fmt(text);
    }
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Outcome {
        Ok(())
    }

    fn present(&mut self) -> Outcome {
        self.close();
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Outcome {
        self.draw(Ink::of(color.rgb), |to| dot(to, point));
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Outcome {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        _fill: bool,
    ) -> Outcome {
        self.draw(Ink::of(style.color().rgb), |to| {
            let _ = write!(to, "M{} {}", Units(left), Units(top));
            let _ = write!(to, "H{}V{}H{}Z", Units(right), Units(bottom), Units(left));
        });
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        self.draw(Ink::of(style.color().rgb), |to| polyline(to, path));
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        _radius: u32,
        style: &S,
        _fill: bool,
    ) -> Outcome {
        self.draw(Ink::of(style.color().rgb), |to| dot(to, center));
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Outcome {
        self.draw(Ink::of(style.color().rgb), |to| {
            polyline(to, path);
            to.push('Z');
        });
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Outcome {
        self.close();
        let anchor = match style.anchor().h_pos {
            HPos::Left => "",
            HPos::Center => " middle",
            HPos::Right => " end",
        };
        // The letters of most fonts reach from the baseline to 0.72 of the size.
        let size = FONT_SIZE * FINENESS;
        let baseline = match style.anchor().v_pos {
            VPos::Top => y + size * 76 / 100,
            VPos::Center => y + size * 36 / 100,
            VPos::Bottom => y - size * 32 / 100,
        };
        let classes = Ink::of(style.color().rgb).classes();
        self.push(format_args!(
            "<text class=\"{classes}{anchor}\" x=\"{}\" y=\"{}\">",
            Units(x),
            Units(baseline)
        ));
        self.elements.push_str(&maud::html!((text)).into_string());
        self.elements.push_str("</text>");
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let letters = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let size = FONT_SIZE.unsigned_abs() * FINENESS.unsigned_abs();
        Ok((letters.saturating_mul(size * 55 / 100), size))
    }
}

/// A line without length, whose round ends are the dot.
fn dot(to: &mut String, (x, y): BackendCoord) {
    let _ = write!(to, "M{} {}h0", Units(x), Units(y));
}

fn polyline(to: &mut String, path: impl IntoIterator<Item = BackendCoord>) {
    for (at, (x, y)) in path.into_iter().enumerate() {
        let _ = write!(to, "{}{} {}", if at == 0 { 'M' } else { 'L' }, Units(x), Units(y));
    }
}

/// A coordinate in units: `12.3`, `12`.
struct Units(i32);

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (whole, rest) = (self.0 / FINENESS, (self.0 % FINENESS).abs());
        if self.0 < 0 && whole == 0 {
            f.write_str("-")?;
        }
        match rest {
            0 => write!(f, "{whole}"),
            _ => write!(f, "{whole}.{rest}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use plotters::element::{Circle, PathElement};
    use plotters::prelude::IntoDrawingArea as _;
    use plotters::style::{IntoTextStyle as _, TextStyle};

    use super::*;

    #[test]
    fn coordinates_have_a_decimal_only_where_it_is_one() {
        let words = [123, 120, 0, -5, -120, -123].map(|tenths| Units(tenths).to_string());
        assert_eq!(words, ["12.3", "12", "0", "-0.5", "-12", "-12.3"]);
    }

    #[test]
    fn neighbours_of_one_look_share_an_element() {
        let mut elements = String::new();
        {
            let area = Svg::new(&mut elements, (10, 10)).into_drawing_area();
            area.draw(&Circle::new((10, 15), 1, Ink::Dot(1).filled())).unwrap();
            area.draw(&Circle::new((20, 25), 1, Ink::Dot(1).filled())).unwrap();
            area.draw(&PathElement::new(vec![(0, 0), (10, 10)], Ink::Grid.stroke())).unwrap();
            area.present().unwrap();
        }
        assert_eq!(
            elements,
            r#"<path class="dot c1" d="M1 1.5h0M2 2.5h0"/><path class="grid" d="M0 0L1 1"/>"#
        );
    }

    #[test]
    fn words_are_escaped() {
        let mut elements = String::new();
        {
            let area = Svg::new(&mut elements, (10, 10)).into_drawing_area();
            let style: TextStyle<'_> =
                ("sans-serif", FONT_SIZE).with_color(Ink::Words.color()).into_text_style(&area);
            area.draw_text("</text><script>&\"", &style, (0, 0)).unwrap();
            area.present().unwrap();
        }
        assert!(elements.contains("&lt;/text&gt;&lt;script&gt;&amp;"), "{elements}");
        assert!(!elements.contains("<script"), "{elements}");
    }
}
