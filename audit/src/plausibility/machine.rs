//! What else the machine had to do while it timed.

use super::observation::{Observation, observations, spans};
use super::words::figure;
use crate::Finding;
use crate::run::Run;

/// The greatest share of the wanted processor time that a hypervisor may have given to others, in percent:
/// the figures carry it.
const MAX_STEAL_PCT: f64 = 1.0;

/// The greatest load by others per logical core: with half of the cores at work, neighbours share caches,
/// memory and the power budget with what is timed, and a core's second thread takes up to half of the first.
const MAX_LOAD_PER_CORE: f64 = 0.5;

/// The temperature that processors slow down at: their makers' limits are 90 to 105 degrees Celsius.
const HOT_CELSIUS: f64 = 95.0;

/// The least share of the memory that is to be had without swapping, in percent.
const LEAST_MEMORY_PCT: f64 = 5.0;

/// The rules on the machine's state: one finding each, of the worst look at it.
pub(super) fn check(run: &Run) -> Vec<Finding> {
    let seen = observations(run);
    [steal(run), load(&seen), hot(&seen), on_battery(&seen), low_memory(&seen)]
        .into_iter()
        .flatten()
        .collect()
}

fn steal(run: &Run) -> Option<Finding> {
    let spans = spans(run);
    let shares = spans.iter().filter_map(|span| Some((span.stolen_pct()?, span.place.as_str())));
    let (worst, count) = worst(shares.filter(|(percent, _)| *percent > MAX_STEAL_PCT))?;
    let message = format!(
        "the hypervisor gave {}% of the wanted processor time to others, over {MAX_STEAL_PCT}%{}: the figures \
         carry that time",
        figure(worst.0),
        and_others(count)
    );
    Some(Finding::implausible("steal", worst.1, message))
}

fn load(seen: &[Observation<'_>]) -> Option<Finding> {
    let loads = seen.iter().filter(|look| look.before).filter_map(|look| {
        let by_others = (look.state.load_1min? - look.own_threads).max(0.0);
        let bound = MAX_LOAD_PER_CORE * f64::from(look.host.logical_cores?);
        (by_others > bound).then_some((by_others, (look.place.as_str(), bound)))
    });
    let ((by_others, (place, bound)), count) = worst(loads)?;
    let message = format!(
        "before this, others kept {} logical cores busy, over {}, half of them{}",
        figure(by_others),
        figure(bound),
        and_others(count)
    );
    Some(Finding::implausible("load", place, message))
}

fn hot(seen: &[Observation<'_>]) -> Option<Finding> {
    let temperatures = seen.iter().filter_map(|look| {
        Some((look.state.temperature_celsius?, look.place.as_str())).filter(|(c, _)| *c >= HOT_CELSIUS)
    });
    let ((celsius, place), count) = worst(temperatures)?;
    let message = format!(
        "the hottest sensor shows {} degrees Celsius, {HOT_CELSIUS} or more{}: processors slow down there",
        figure(celsius),
        and_others(count)
    );
    Some(Finding::implausible("hot", place, message))
}

fn on_battery(seen: &[Observation<'_>]) -> Option<Finding> {
    let look = seen.iter().find(|look| look.state.power_source.as_deref() == Some("battery"))?;
    let message = "the machine runs on its battery: laptops are slower then";
    Some(Finding::implausible("on-battery", &look.place, message))
}

fn low_memory(seen: &[Observation<'_>]) -> Option<Finding> {
    let shares = seen.iter().filter_map(|look| {
        let (available, all) = (look.state.memory_available_bytes?, look.host.memory_bytes?);
        #[expect(clippy::cast_precision_loss, reason = "a share in percent")]
        let percent = 100.0 * available as f64 / all as f64;
        // The least is the worst.
        (percent < LEAST_MEMORY_PCT).then_some((-percent, look.place.as_str()))
    });
    let ((percent, place), count) = worst(shares)?;
    let message = format!(
        "{}% of the memory is available, under {LEAST_MEMORY_PCT}%{}: the system may be swapping",
        figure(-percent),
        and_others(count)
    );
    Some(Finding::implausible("low-memory", place, message))
}

/// The first of the greatest, and how many there are.
fn worst<T>(values: impl Iterator<Item = (f64, T)>) -> Option<((f64, T), usize)> {
    let mut worst: Option<(f64, T)> = None;
    let mut count = 0;
    for value in values {
        count += 1;
        if worst.as_ref().is_none_or(|worst| value.0 > worst.0) {
            worst = Some(value);
        }
    }
    Some((worst?, count))
}

fn and_others(count: usize) -> String {
    match count.saturating_sub(1) {
        0 => String::new(),
        1 => " (and once more, less far)".to_owned(),
        others => format!(" (and {others} times more, less far)"),
    }
}
