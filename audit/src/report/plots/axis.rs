//! Axes: where values are, and which of them are written.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// A tick: the value where it is, and its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// An axis. Its ends are positions: values, or their logarithms.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    logarithmic: bool,
    low: f64,
    high: f64,
    ticks: Vec<Tick>,
}

impl Axis {
    /// An axis of equal ratios over positive values, widened by a little at both ends. `most` ticks have room.
    pub(crate) fn logarithmic(
        values: impl Iterator<Item = f64>,
        most: usize,
        label: impl Fn(f64) -> String,
    ) -> Self {
        let Range { start, end } = extent(values.filter(|value| *value > 0.0)).unwrap_or(1.0..10.0);
        let (start, end) = (start.max(1e-300), end.min(1e300));
        // A single value has a decade's tenth to either side.
        let (start, end) = if end / start < 1.02 { (start / 1.1, end * 1.1) } else { (start, end) };
        let (low, high) = (libm::log10(start), libm::log10(end));
        let margin = (high - low) * 0.04;
        let (low, high) = (low - margin, high + margin);
        let ticks = logarithmic_ticks(low, high, most);
        let ticks = ticks.into_iter().map(|value| Tick { at: value, label: label(value) }).collect();
        Axis { logarithmic: true, low, high, ticks }
    }

    /// An axis of equal differences from `low` to `high`.
    pub(crate) fn linear(low: f64, high: f64, most: usize, label: impl Fn(f64) -> String) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let ticks = linear_ticks(low, high, most);
        let ticks = ticks.into_iter().map(|value| Tick { at: value, label: label(value) }).collect();
        Axis { logarithmic: false, low, high, ticks }
    }

    /// The same axis with other ticks.
    pub(crate) fn with_ticks(self, ticks: Vec<Tick>) -> Self {
        Axis { ticks, ..self }
    }

    /// The position of a value; what is beyond an end is at the end.
    fn place(&self, value: f64) -> f64 {
        let at = match self.logarithmic {
            true if value <= 0.0 => self.low,
            true => libm::log10(value),
            false => value,
        };
        if at.is_nan() { self.low } else { at.clamp(self.low, self.high) }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_possible_truncation, reason = "between the limits")]
    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        let part = (self.place(*value) - self.low) / (self.high - self.low);
        (f64::from(limit.0) + part * f64::from(limit.1 - limit.0)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let ticks = if hint.weight().allow_light_points() { &[] } else { self.ticks.as_slice() };
        ticks.iter().map(|tick| tick.at).collect()
    }

    fn range(&self) -> Range<f64> {
        if self.logarithmic {
            libm::pow(10.0, self.low)..libm::pow(10.0, self.high)
        } else {
            self.low..self.high
        }
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, at: &f64) -> String {
        let tick = self.ticks.iter().find(|tick| tick.at.total_cmp(at).is_eq());
        tick.map(|tick| tick.label.clone()).unwrap_or_default()
    }
}

/// The least and the greatest of finite values.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<Range<f64>> {
    values.filter(|value| value.is_finite()).fold(None, |range, value| match range {
        None => Some(value..value),
        Some(Range { start, end }) => Some(start.min(value)..end.max(value)),
    })
}

/// Round values between two powers of ten: as many as have room, and evenly spread where there is a choice.
fn logarithmic_ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let first = as_integer(low.floor());
    let last = as_integer(high.ceil());
    let within = |value: &f64| {
        let at = libm::log10(*value);
        low <= at && at <= high
    };
    // From dense to sparse; the first that has room is taken.
    for digits in [&[1, 2, 3, 5, 7][..], &[1, 2, 5], &[1, 3], &[1]] {
        let decades =
            (first..=last).flat_map(|exponent| digits.iter().map(move |digit| decimal(*digit, exponent)));
        let ticks: Vec<f64> = decades.filter(within).collect();
        if ticks.len() <= most && ticks.len() >= 3 && apart(&ticks, high - low, most) {
            return ticks;
        }
        if ticks.len() < 3 && digits.len() >= 5 {
            // Less than a decade: round steps are denser than round digits.
            let (low, high) = (libm::pow(10.0, low), libm::pow(10.0, high));
            return linear_ticks(low, high, most)
                .into_iter()
                .filter(|tick| *tick > 0.0 && within(tick))
                .collect();
        }
    }
    let step = usize::try_from(last - first).unwrap_or(0) / most.max(1) + 1;
    let decades: Vec<f64> =
        (first..=last).map(|exponent| decimal(1, exponent)).filter(within).step_by(step).collect();
    if decades.len() >= 2 {
        return decades;
    }
    // Between a few tens of percent and a decade, with too little room for round digits.
    let (low, high) = (libm::pow(10.0, low), libm::pow(10.0, high));
    linear_ticks(low, high, most.min(4)).into_iter().filter(|tick| *tick > 0.0 && within(tick)).collect()
}

/// Whether ticks are far enough from each other for their words.
fn apart(ticks: &[f64], range: f64, most: usize) -> bool {
    // A usize of a few ticks.
    let room = f64::from(u32::try_from(most).unwrap_or(u32::MAX));
    ticks.windows(2).all(|pair| match pair {
        [a, b] => libm::log10(b / a) >= 0.75 * range / room,
        _ => true,
    })
}

/// Multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let room = f64::from(u32::try_from(most.max(1)).unwrap_or(u32::MAX));
    let narrowest = (high - low) / room;
    if !narrowest.is_finite() || narrowest <= 0.0 {
        return Vec::new();
    }
    let exponent = as_integer(libm::log10(narrowest).floor());
    let digits = [(1, exponent), (2, exponent), (5, exponent), (1, exponent.saturating_add(1))];
    let found = digits.into_iter().find(|(digit, exponent)| decimal(*digit, *exponent) >= narrowest);
    // 9.99...e4 can be less than the step by a rounding.
    let (digit, exponent) = found.unwrap_or((2, exponent.saturating_add(1)));
    let step = decimal(digit, exponent);
    let (first, last) = (as_integer((low / step).ceil()), as_integer((high / step).floor()));
    // Multiples, not sums: rounding errors would add up.
    (first..=last).take(most + 2).map(|multiple| decimal(multiple.saturating_mul(digit), exponent)).collect()
}

/// `number` x 10^`exponent`, as near as can be: a product with 0.1 would not always be what one writes.
fn decimal(number: i32, exponent: i32) -> f64 {
    format!("{number}e{exponent}").parse().unwrap_or(1.0)
}

#[expect(clippy::cast_possible_truncation, reason = "a whole number, and too large ones end at the greatest")]
fn as_integer(value: f64) -> i32 {
    value as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, most: usize) -> Vec<String> {
        let axis = Axis::logarithmic([low, high].into_iter(), most, |value| value.to_string());
        axis.ticks.iter().map(|tick| tick.label.clone()).collect()
    }

    #[test]
    fn ticks_are_round_at_every_width() {
        assert_eq!(labels(1.0, 1e6, 5), ["1", "100", "10000", "1000000"]);
        assert_eq!(labels(1.0, 1000.0, 5), ["1", "10", "100", "1000"]);
        assert_eq!(labels(10.0, 40.0, 5), ["10", "20", "30"]);
        assert_eq!(labels(100.0, 110.0, 5), ["100", "105", "110"]);
        assert_eq!(labels(200.0, 250.0, 5), ["200", "220", "240"]);
        assert_eq!(labels(0.06, 1.1, 6), ["0.1", "0.2", "0.5", "1"]);
        assert_eq!(labels(0.7, 1.2, 5), ["0.8", "1", "1.2"]);
        // Not 0.6000000000000001 and 0.7000000000000001.
        assert_eq!(labels(0.61, 0.99, 5), ["0.6", "0.7", "0.8", "0.9", "1"]);
    }

    #[test]
    fn there_are_always_some_ticks_and_never_too_many() {
        for decades in 1..40_u32 {
            let mut high = 1.0003;
            for _ in 0..decades {
                high *= 1.7;
            }
            for low in [0.003, 1.0, 7.3, 950.0] {
                let count = labels(low, low * high, 5).len();
                assert!((2..=6).contains(&count), "{low} x {high}: {count}");
            }
        }
    }

    #[test]
    fn hostile_values_have_a_place() {
        let axis =
            Axis::logarithmic([f64::NAN, 0.0, -3.0, f64::INFINITY].into_iter(), 5, |value| value.to_string());
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 3.0, 1e308] {
            let pixel = axis.map(&value, (10, 500));
            assert!((10..=500).contains(&pixel), "{value}: {pixel}");
        }
        assert!(labels(1e-308, 1e308, 5).len() <= 6);
        assert!(Axis::linear(f64::MIN, f64::MAX, 5, |value| value.to_string()).ticks.is_empty());
    }
}
