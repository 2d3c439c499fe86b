//! What is wrong with the evidence.

use maud::{Markup, html};

use super::facts::counted;
use super::{clean, shortened};
use crate::Finding;

/// The findings that are shown at once; the others unfold.
const FIRST: usize = 20;
/// The findings that are shown at all: whoever has more reads the command's output.
const MAX: usize = 200;

/// The table of findings, the gravest first.
pub(super) fn table(findings: &[Finding]) -> Markup {
    if findings.is_empty() {
        return html! {
            p { "No findings: the logs are whole, agree with themselves and with each other, and no figure is implausible." }
        };
    }
    let mut ordered: Vec<&Finding> = findings.iter().collect();
    ordered.sort_by_key(|finding| finding.severity);
    let (first, others) = ordered.split_at(ordered.len().min(FIRST));
    let (others, left) = others.split_at(others.len().min(MAX - FIRST));
    html! {
        p {
            "Broken: it contradicts itself or can't be read. Incomplete: something is missing. Implausible: it can "
            "hardly be true, or something disturbed it."
        }
        (rows(first))
        @if !others.is_empty() {
            details {
                summary { (counted(others.len(), "more finding")) }
                (rows(others))
            }
        }
        @if !left.is_empty() {
            p { "Of " (counted(ordered.len(), "finding")) ", " (left.len()) " are not shown: the commands below name them all." }
        }
    }
}

fn rows(findings: &[&Finding]) -> Markup {
    html! {
        div class="scroll" tabindex="0" role="region" aria-label="Findings" {
            table class="findings" {
                caption class="hidden" { "Findings, the gravest first" }
                thead {
                    tr {
                        th scope="col" { "Severity" }
                        th scope="col" { "Where" }
                        th scope="col" { "What" }
                        th scope="col" { "Rule" }
                    }
                }
                tbody {
                    @for finding in findings {
                        tr {
                            td { span class={ "severity " (finding.severity.name()) } { (finding.severity.name()) } }
                            td { (clean(&finding.place)) }
                            td { (shortened(&finding.message, 500)) }
                            td { code { (finding.rule) } }
                        }
                    }
                }
            }
        }
    }
}
