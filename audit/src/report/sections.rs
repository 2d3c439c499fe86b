//! The sections of plots.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figures::{Figures, MAX_BACKENDS, MAX_GROUPS};
use super::plots::{boxes, drift, ecdf, ratios, sizes};
use super::{facts, table};
use crate::compare;
use crate::summarize::Recomputed;
use crate::{Error, Run};

const NO_PERCENTILES: &str = "No log has percentiles of single operations: “openssl speed” does not measure them, and older versions of \
     “pqsig speed” did not write them down.";

/// Distributions of signing times.
pub(super) fn distributions(figures: &Figures) -> Result<Markup, Error> {
    let plots = drawn(figures.of_operation("sign").map(ecdf::plot))?;
    Ok(html! {
        @if plots.is_empty() { p { (NO_PERCENTILES) } } @else {
            p {
                "How many of the signatures took at most so long, of all trials together. A curve further left is faster; a "
                "steep one means that signatures take similar times. ML-DSA repeats until a signature fits, which makes a "
                "staircase. The slowest hundredth is not drawn." (batches(figures))
            }
            (grid(&plots))
        }
    })
}

/// Boxes of all operations.
pub(super) fn operations(figures: &Figures) -> Result<Markup, Error> {
    let plots = drawn(figures.groups.iter().map(boxes::plot))?;
    Ok(html! {
        @if plots.is_empty() { p { (NO_PERCENTILES) } } @else {
            p {
                "Times of single operations of all trials together: the box holds the middle half (25th to 75th percentile), the "
                "line in it is the median, the whiskers end at the 1st and the 99th percentile, and the dot is the mean. "
                "Backends are sorted by their medians." (batches(figures))
            }
            (grid(&plots))
            (table::percentiles(figures))
        }
        (curtailed(figures))
    })
}

/// Backends against one of them.
pub(super) fn backends(run: &Run, figures: &Figures) -> Result<Markup, Error> {
    let looks: BTreeMap<String, usize> = figures
        .groups
        .iter()
        .flat_map(|group| &group.series)
        .map(|series| (series.backend.clone(), series.look))
        .collect();
    let series = compare::series(run);
    let races = ratios::races(&series, MAX_GROUPS, MAX_BACKENDS);
    let plots = drawn(races.iter().map(|race| ratios::plot(race, &looks)))?;
    Ok(html! {
        @if plots.is_empty() {
            p { "No operation was timed by two backends, so there are no ratios." }
        } @else {
            p {
                "The mean time of one operation relative to that of the backend that is named below each plot: ×0.5 takes half "
                "as long. Lines are 95% confidence intervals by a bootstrap over trials and their slices; where one crosses "
                "the dashed line at ×1, this run shows no difference. “openssl speed” is OpenSSL's own command."
            }
            (grid(&plots))
        }
    })
}

/// Time against size.
pub(super) fn sizes(recomputed: &Recomputed) -> Result<Markup, Error> {
    let plots =
        drawn(["sign", "verify"].into_iter().map(|operation| sizes::plot(&recomputed.rows, operation)))?;
    Ok(html! {
        @if plots.is_empty() {
            p { "Fewer than two algorithms with a known signature size were timed." }
        } @else {
            p {
                "Each point is an algorithm by its fastest backend here: the median of the trials' means against the bytes of a "
                "signature, both on logarithmic scales. Further left and further down is cheaper."
            }
            (grid(&plots))
        }
    })
}

/// The course of the run.
pub(super) fn course(run: &Run, figures: &Figures) -> Result<Markup, Error> {
    let start = run.pqsig_logs().map(|(_, log)| log.run.started_unix_ms).min().unwrap_or(0);
    let plots: Vec<Markup> =
        figures.groups.iter().map(|group| drift::plot(group, start)).collect::<Result<_, Error>>()?;
    let courses = || figures.groups.iter().flat_map(|group| &group.series).flat_map(|series| &series.courses);
    let with_slices = courses().filter(|course| !course.slices.is_empty()).count();
    Ok(html! {
        @if plots.is_empty() {
            p { "Only pqsig's logs tell when something was timed, and there is none with a figure." }
        } @else {
            p {
                "The mean time of one operation in each slice of the run, relative to the mean of all of them, which is the dashed line. A "
                "machine that stays the same shows a level band; a band that climbs, or trials at different levels, mean "
                "that the machine changed. Upright lines show where trials begin. The figures at the right are the lowest and the highest dot; "
                "what is beyond a row's height is at its edge."
                @if with_slices == 0 {
                    " These logs have no course within a trial: each dot is a whole trial."
                } @else if with_slices < courses().count() {
                    " Some logs have no course within a trial: there a dot is a whole trial."
                }
            }
            (grid(&plots))
        }
    })
}

/// Those that there are.
fn drawn(plots: impl Iterator<Item = Result<Option<Markup>, Error>>) -> Result<Vec<Markup>, Error> {
    plots.filter_map(Result::transpose).collect()
}

fn grid(plots: &[Markup]) -> Markup {
    html! { div class="plots" { @for plot in plots { (plot) } } }
}

fn batches(figures: &Figures) -> Markup {
    let most =
        figures.groups.iter().flat_map(|group| &group.series).map(|series| series.batch).max().unwrap_or(1);
    html! {
        @if most > 1 {
            " Of operations shorter than 100 steps of the clock, several (at most " (most) ") were timed together, and their mean counts as one."
        }
    }
}

fn curtailed(figures: &Figures) -> Markup {
    html! {
        @if figures.curtailed {
            p {
                "Plots show the first " (facts::counted(MAX_GROUPS, "operation")) " and the first "
                (facts::counted(MAX_BACKENDS, "backend")) " of each; the tables show all."
            }
        }
    }
}
