//! The tables of figures.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::figures::Figures;
use super::{clean, units};
use crate::summary::Row;
use crate::{Key, Source, sample};

/// The rows of summary.csv, by algorithm.
pub(super) fn summary(rows: &[Row]) -> Markup {
    if rows.is_empty() {
        return html! { p { "No log has a figure." } };
    }
    html! {
        p {
            "Time is that of one operation in one thread: the median, the least and the greatest of the trials' means. The "
            "standard error is what chance leaves open about the mean of ML-DSA signing, which repeats until a signature "
            "fits. “openssl speed” is OpenSSL's own command, all else are pqsig's backends."
        }
        div class="scroll" tabindex="0" role="region" aria-label="Summary" {
            table class="figures" {
                caption { "The rows of summary.csv" }
                thead {
                    tr {
                        th scope="col" { "Operation" }
                        th scope="col" { "Backend" }
                        th scope="col" class="number" { "Trials" }
                        th scope="col" class="number" { "Time" }
                        th scope="col" class="number" { "Least" }
                        th scope="col" class="number" { "Greatest" }
                        th scope="col" class="number" { "Per second" }
                        th scope="col" class="number" { "Std. error" }
                    }
                }
                @for (algorithm, rows) in by_algorithm(rows) {
                    tbody {
                        tr { th scope="rowgroup" colspan="8" { (clean(algorithm)) } }
                        @for row in rows { (summary_row(row)) }
                    }
                }
            }
        }
    }
}

fn summary_row(row: &Row) -> Markup {
    let time = |ms: f64| units::time(ms * 1e6, 4);
    html! {
        tr {
            th scope="row" { (clean(&row.key.operation)) }
            td { (backend(&row.key)) }
            td class="number" { (row.trials) }
            td class="number" { (time(row.median_ms)) }
            td class="number" { (time(row.min_ms)) }
            td class="number" { (time(row.max_ms)) }
            td class="number" { (units::significant(row.median_ops_per_s, 4)) }
            td class="number" {
                @match row.standard_error_pct {
                    Some(percent) => { (units::significant(percent, 2)) "%" },
                    None => "–",
                }
            }
        }
    }
}

/// The figures of the box plots.
pub(super) fn percentiles(figures: &Figures) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Percentiles" {
            table class="figures" {
                caption { "The same in figures: percentiles, and the mean" }
                thead {
                    tr {
                        th scope="col" { "Operation" }
                        th scope="col" { "Backend" }
                        @for percent in PERCENTS { th scope="col" class="number" { "p" (percent) } }
                        th scope="col" class="number" { "Mean" }
                    }
                }
                @for chunk in figures.groups.chunk_by(|a, b| a.algorithm == b.algorithm) {
                    tbody {
                        @if let Some(group) = chunk.first() {
                            tr { th scope="rowgroup" colspan="8" { (clean(&group.algorithm)) } }
                        }
                        @for group in chunk {
                            @for series in &group.series {
                                @if let Some(of) = &series.percentiles {
                                    tr {
                                        th scope="row" { (clean(&group.operation)) }
                                        td { (clean(&series.backend)) }
                                        @for percent in PERCENTS { td class="number" { (units::time(of.at(percent), 4)) } }
                                        td class="number" { (units::time(series.mean_ns, 4)) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

const PERCENTS: [usize; 5] = [1, 25, 50, 75, 99];

/// In the order of the tables: algorithms, then operations, then backends.
fn by_algorithm(rows: &[Row]) -> Vec<(&str, Vec<&Row>)> {
    let mut groups: BTreeMap<(usize, &str), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        let algorithm = row.key.algorithm.as_str();
        groups.entry((sample::algorithm_place(algorithm), algorithm)).or_default().push(row);
    }
    let order = |row: &&Row| {
        let key = &row.key;
        (sample::operation_place(&key.operation), key.operation.clone(), key.backend.clone(), key.source)
    };
    groups
        .into_iter()
        .map(|((_, algorithm), mut rows)| {
            rows.sort_by_cached_key(order);
            (algorithm, rows)
        })
        .collect()
}

/// `openssl speed` times OpenSSL, as the backend `openssl` does, and is not it.
pub(super) fn backend(key: &Key) -> String {
    match key.source {
        Source::OpensslSpeed => "openssl speed".to_owned(),
        Source::PqsigSpeed => clean(&key.backend),
    }
}
