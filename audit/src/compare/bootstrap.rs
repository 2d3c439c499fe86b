//! The ratio of two series with a confidence interval, by a bootstrap of two levels: trials are drawn with
//! replacement, then slices within each trial that was drawn.
//!
//! Trials come first because what moves figures most (where memory lies, what else runs, how warm the machine
//! is) changes from trial to trial. Slices come second because few trials show little; that they also scatter
//! within what the trials' means scatter makes the interval a little wider than it need be, never narrower.
//!
//! Few trials make a plain percentile interval too narrow, by sqrt((n - 1) / n), because their variance is taken
//! around their own mean, and by z / t, because that variance is itself an estimate. Hesterberg, "What Teachers
//! Should Know About the Bootstrap" (The American Statistician 69, 2015), expands the interval by going
//! further out in the percentiles: with n = 3 to the 0.000007th, which three trials do not have. So here the
//! distances from the ratio are stretched by these two factors instead, on the logarithmic scale: the first
//! for each side by its own n, the second by the t distribution of Welch's degrees of freedom.
//! `tests/compare.rs` counts how often the interval covers what it should.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal, StudentsT};

use super::series::Series;
use super::urn::{Urn, random};
use crate::number::significant;
use crate::sample::float;

/// How often a series is drawn anew.
pub const RESAMPLES: usize = 10_000;

/// What the interval leaves out on either side.
const TAIL: f64 = 0.025;

/// A rounding bound of 100% would make an interval that ends at 0 or nowhere.
const MAX_ROUNDING: f64 = 0.999;

/// A ratio of times, with its 95% confidence interval, all to seven significant digits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The time of one operation of a by that of b: below 1, a is faster.
    pub ratio: f64,
    /// The interval's lower end, at most `ratio`.
    pub low: f64,
    /// The interval's upper end, at least `ratio`.
    pub high: f64,
}

/// The ratio of the mean time per operation ([`Series::mean_ms`]) of a to that of b; `None` if a side has no
/// trial.
///
/// What the interval rests on is the lesser [`Series::basis`] of both sides: without several trials, slices
/// are the unit, and without slices it is as wide as the log's rounding only. That rounding is always added,
/// as if all of it erred in the worst way.
///
/// The same series give the same interval, and [`ratio`] of b and a is the inverse.
#[must_use]
pub fn ratio(a: &Series, b: &Series) -> Option<Interval> {
    ratio_of(a, b, RESAMPLES)
}

/// As [`ratio`], with this many resamples, rounded up to an even number.
pub(super) fn ratio_of(a: &Series, b: &Series, resamples: usize) -> Option<Interval> {
    let ratio = a.mean_ms()? / b.mean_ms()?;
    if !ratio.is_finite() || ratio <= 0.0 {
        return None;
    }
    let half = resamples.div_ceil(2).max(1);
    let (drawn_a, drawn_b) = (Drawn::of(a, half)?, Drawn::of(b, half)?);
    // Each side has two streams of random numbers of its own, and always meets the other one of the other
    // side: both sides are drawn independently even if their keys are the same, and swapping the sides
    // inverts every single ratio.
    let first = drawn_a.first.iter().zip(&drawn_b.second);
    let second = drawn_a.second.iter().zip(&drawn_b.first);
    let mut distances: Vec<f64> = first.chain(second).map(|(a, b)| a - b).collect();
    distances.sort_by(f64::total_cmp);
    let stretch = stretch(&drawn_a, &drawn_b);
    let (low, high) = tails(&distances);
    let (error_a, error_b) = (rounding(a), rounding(b));
    // A percentile on the wrong side of the ratio, from figures that scatter in one direction only, counts as
    // the ratio itself.
    let low = ratio * (stretch * low.min(0.0)).exp() * (1.0 - error_a) / (1.0 + error_b);
    let high = ratio * (stretch * high.max(0.0)).exp() * (1.0 + error_a) / (1.0 - error_b);
    // Figures that no clock can have shown must not become what JSON has no number for.
    let figure = |value: f64| significant(value.clamp(f64::MIN_POSITIVE, f64::MAX));
    Some(Interval { ratio: figure(ratio), low: figure(low), high: figure(high) })
}

fn rounding(series: &Series) -> f64 {
    (series.rounding_pct() / 100.0).clamp(0.0, MAX_ROUNDING)
}

/// The values that as many are below as above the other, of ascending ones.
fn tails(sorted: &[f64]) -> (f64, f64) {
    let count = sorted.len();
    #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the count")]
    let outside = (count as f64 * TAIL) as usize;
    let at = |index: usize| sorted.get(index).copied().unwrap_or(0.0);
    (at(outside), at(count.saturating_sub(outside + 1)))
}

/// By how much t is further out than z.
fn stretch(a: &Drawn, b: &Drawn) -> f64 {
    let (Some(freedom), Ok(normal)) = (freedom(a, b), Normal::new(0.0, 1.0)) else { return 1.0 };
    StudentsT::new(0.0, 1.0, freedom)
        .map_or(1.0, |student| student.inverse_cdf(1.0 - TAIL) / normal.inverse_cdf(1.0 - TAIL))
}

/// Welch's degrees of freedom (Biometrika 34, 1947): those of the side that scatters most count most. With two
/// trials against many, the two can look alike by chance and leave all to the others, so there are never more
/// than twice those of the side with the fewest. `None` if no side scatters.
fn freedom(a: &Drawn, b: &Drawn) -> Option<f64> {
    let (in_a, in_b) = (a.variance(), b.variance());
    let in_both = in_a + in_b;
    let share = |drawn: &Drawn, variance: f64| variance * variance / drawn.freedom();
    let freedom = in_both * in_both / (share(a, in_a) + share(b, in_b));
    let scattering = [(a, in_a), (b, in_b)].into_iter().filter(|(_, variance)| *variance > 0.0);
    let least = scattering.map(|(drawn, _)| drawn.freedom()).reduce(f64::min)?;
    Some(freedom.min(2.0 * least)).filter(|freedom| freedom.is_finite())
}

/// A series drawn anew many times: the distances from its mean on the logarithmic scale, made as wide as the
/// number of units demands.
struct Drawn {
    first: Vec<f64>,
    second: Vec<f64>,
    /// How many trials it has, or slices if there is one trial.
    units: usize,
}

impl Drawn {
    fn of(series: &Series, times: usize) -> Option<Self> {
        let mean = series.mean_ms()?;
        let urn = Urn::of(series);
        let units = urn.units();
        let count = float(units as u64);
        let widen = if units > 1 { (count / (count - 1.0)).sqrt() } else { 0.0 };
        let stream = |number: u64| -> Vec<f64> {
            let mut random = random(&series.key, number);
            (0..times).map(|_| widen * (urn.draw(&mut random) / mean).ln()).collect()
        };
        Some(Drawn { first: stream(0), second: stream(1), units })
    }

    fn freedom(&self) -> f64 {
        float(self.units.max(2) as u64 - 1)
    }

    fn variance(&self) -> f64 {
        let both = || self.first.iter().chain(&self.second);
        let count = float((self.first.len() + self.second.len()) as u64);
        let mean = both().sum::<f64>() / count;
        both().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count
    }
}

#[cfg(test)]
mod tests {
    use super::super::series::TrialFigure;
    use super::*;
    use crate::sample::{Key, Source};

    fn series(figures: &[f64], rounding_pct: f64) -> Series {
        let key = Key {
            source: Source::PqsigSpeed,
            algorithm: "ML-DSA-65".to_owned(),
            backend: "openssl".to_owned(),
            operation: "sign".to_owned(),
        };
        let trials = figures.iter().zip(1..).map(|(ms_per_op, trial)| TrialFigure {
            trial,
            ms_per_op: *ms_per_op,
            blocks: Vec::new(),
            rounding_pct,
        });
        Series { key, trials: trials.collect() }
    }

    /// What Welch's test gives for two sides of three, whose logarithms scatter by 1% each: the means'
    /// difference is off by 2.776 x sqrt(2 x 0.01^2 / 3) = 2.27%. Three values that are this regular have a
    /// bootstrap distribution close enough to the normal one for a tenth of that.
    #[test]
    fn the_interval_is_as_wide_as_the_t_distribution_demands() {
        let a = series(&[0.99, 1.0, 1.01], 0.0);
        let interval = ratio(&a, &a).unwrap();
        let width = (interval.high / interval.low).ln() / 2.0;
        assert!((width / 0.0227 - 1.0).abs() < 0.1, "{width}");
    }

    #[test]
    fn two_trials_against_many_have_at_most_two_degrees_of_freedom() {
        let drawn = |figures: &[f64]| Drawn::of(&series(figures, 0.0), 1000).unwrap();
        let (few, many) = (drawn(&[1.0, 1.0001]), drawn(&[0.9, 1.0, 1.1, 0.95, 1.05, 1.0]));
        assert_eq!(freedom(&few, &many), Some(2.0));
        assert_eq!(freedom(&many, &few), Some(2.0));
        let equal = drawn(&[1.0, 1.0]);
        assert_eq!(freedom(&equal, &equal), None);
        // A side that does not scatter takes nothing from the other.
        let alone = freedom(&equal, &many).unwrap();
        assert!((alone - 5.0).abs() < 1e-9, "{alone}");
    }

    #[test]
    fn rounding_widens_linearly() {
        let interval = ratio(&series(&[2.0], 1.0), &series(&[1.0], 2.0)).unwrap();
        assert_eq!((interval.ratio, interval.low, interval.high), (2.0, 1.941_176, 2.061_224));
        let hopeless = ratio(&series(&[2.0], 300.0), &series(&[1.0], f64::INFINITY)).unwrap();
        assert!(hopeless.low > 0.0 && hopeless.high.is_finite(), "{hopeless:?}");
    }

    #[test]
    fn figures_that_cant_be_make_no_interval_that_cant_be() {
        assert_eq!(ratio(&series(&[], 0.0), &series(&[1.0], 0.0)), None);
        assert_eq!(ratio(&series(&[0.0], 0.0), &series(&[1.0], 0.0)), None);
        assert_eq!(ratio(&series(&[f64::INFINITY], 0.0), &series(&[1.0], 0.0)), None);
        let wild = ratio(&series(&[1e-300, 1e300], 0.0), &series(&[1e-300, 1.0], 0.0)).unwrap();
        assert!(wild.low > 0.0 && wild.low <= wild.ratio && wild.ratio <= wild.high, "{wild:?}");
        assert!(wild.high.is_finite(), "{wild:?}");
    }

    #[test]
    fn as_many_resamples_are_left_out_at_either_end() {
        let sorted: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(tails(&sorted), (25.0, 974.0));
        assert_eq!(tails(&[3.0, 7.0]), (3.0, 7.0));
        assert_eq!(tails(&[]), (0.0, 0.0));
    }
}
