//! The page.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::figures::Figures;
use super::{clean, facts, findings, sections, table};
use crate::summarize::Recomputed;
use crate::{Error, Finding, plausibility};

const STYLE: &str = include_str!("style.css");

/// Nothing may be loaded or run, whatever a log says: the browser enforces what escaping promises.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The report of a run that was read with [`crate::Detail::Course`], as one HTML file. The same run gives the
/// same bytes.
///
/// # Errors
/// [`Error::Plot`].
pub fn page(recomputed: &Recomputed) -> Result<String, Error> {
    let run = &recomputed.run;
    let figures = Figures::of(run);
    let findings: Vec<Finding> = run.findings.iter().cloned().chain(plausibility::check(run)).collect();
    let sections = [
        Section::new("surroundings", "What was run where", facts::surroundings(run)),
        Section::new("findings", "Findings", findings::table(&findings)),
        Section::new("summary", "Summary", table::summary(&recomputed.rows)),
        Section::new("distributions", "Distribution of signing times", sections::distributions(&figures)?),
        Section::new("operations", "Times of each operation", sections::operations(&figures)?),
        Section::new("backends", "Backends compared", sections::backends(run, &figures)?),
        Section::new("sizes", "Time against signature size", sections::sizes(recomputed)?),
        Section::new("course", "Drift over the run", sections::course(run, &figures)?),
        Section::new("recompute", "How to recompute this", recompute()),
    ];
    let name = clean(&run.name());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content={ "pqsig-audit " (env!("CARGO_PKG_VERSION")) };
                title { (name) " – pqsig timing report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (name) }
                    (facts::answer(run, &findings))
                    nav aria-label="Sections" {
                        ul { @for section in &sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                }
                main { @for section in &sections { (section.markup()) } }
            }
        }
    };
    Ok(page.into_string() + "\n")
}

struct Section {
    id: &'static str,
    title: &'static str,
    content: Markup,
}

impl Section {
    fn new(id: &'static str, title: &'static str, content: Markup) -> Self {
        Section { id, title, content }
    }

    fn markup(&self) -> Markup {
        html! {
            section id=(self.id) aria-labelledby={ (self.id) "-title" } {
                h2 id={ (self.id) "-title" } { (self.title) }
                (self.content)
            }
        }
    }
}

fn recompute() -> Markup {
    html! {
        p { "All of this follows from the raw logs in the run's folder, here called DIR. In a clone of pqsig:" }
        pre tabindex="0" {
            code {
                "cargo build --release -p pqsig-audit\n"
                "target/release/pqsig-audit summarize --check DIR   # samples.csv and summary.csv, byte for byte\n"
                "target/release/pqsig-audit plausibility DIR        # figures that can hardly be true\n"
                "target/release/pqsig-audit report DIR              # this page, byte for byte\n"
            }
        }
        h3 { "What the figures do not say" }
        ul {
            li {
                "The summary's times are means of whole trials, and their least and greatest range over trials. They are no "
                "latencies: how single operations scatter is in the distributions and the box plots."
            }
            li { "They are of this machine, in the state that the tables show. Another processor, another compiler or another neighbour on the same host gives other figures." }
            li { "They are of keys that are loaded once and used many times, in a loop that does nothing else: no network, no disk, no cold caches." }
            li { "A fast backend is not a safe one. Nothing here says whether an implementation is correct or leaks its key through its timing." }
        }
    }
}
