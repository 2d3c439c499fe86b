//! What published vectors came to: what ran, what did not, and why.

use std::collections::{BTreeMap, BTreeSet};

use super::tally::{Tally, of_vectors};
use super::terminal::{Emphasis, Item, Matrix, Style, counted, heading, paragraph};
use crate::record::{Run, VectorTally};

/// The sets of vectors by group and peer, then each set's sum and why vectors did not run; `None` if none was asked for.
pub(crate) fn section(run: &Run, style: Style) -> Option<String> {
    if run.vectors.is_empty() {
        return None;
    }
    let mut text = heading("Vectors", style);
    text.push_str(&matrix(run).render(style));
    text.push('\n');
    let suites: BTreeSet<&str> = run.vectors.iter().map(|tally| tally.suite.as_str()).collect();
    for suite in suites {
        let tallies: Vec<_> = run.vectors.iter().filter(|tally| tally.suite == suite).collect();
        text.push_str(&summary(suite, &tallies, style));
    }
    Some(text)
}

/// A row per set and group, a column per peer that any vector was meant for.
fn matrix(run: &Run) -> Matrix {
    let columns: Vec<&str> = run
        .peers
        .iter()
        .map(|peer| peer.name.as_str())
        .filter(|name| run.vectors.iter().any(|tally| tally.peer == *name))
        .collect();
    let mut rows: BTreeMap<(&str, &str), BTreeMap<&str, Tally>> = BTreeMap::new();
    for tally in &run.vectors {
        let cell = rows.entry((&tally.suite, &tally.group)).or_default().entry(&tally.peer).or_default();
        *cell += of_vectors(run, tally);
    }
    let item = |tally: Option<&Tally>| {
        let tally = tally.copied().unwrap_or_default();
        Item::new(tally.to_string(), if tally.is_bad() { Emphasis::Bad } else { Emphasis::Plain })
    };
    Matrix {
        rows: rows
            .iter()
            .map(|((suite, group), cells)| {
                let label = Item::new(format!("{suite} {group}"), Emphasis::Plain);
                (label, columns.iter().map(|peer| item(cells.get(peer))).collect())
            })
            .collect(),
        columns: columns.into_iter().map(str::to_owned).collect(),
    }
}

fn summary(suite: &str, tallies: &[&VectorTally], style: Style) -> String {
    let passed: u64 = tallies.iter().map(|tally| tally.passed).sum();
    let failed: u64 = tallies.iter().map(|tally| tally.failed).sum();
    let mut skipped: BTreeMap<&str, (u64, BTreeSet<&str>)> = BTreeMap::new();
    for tally in tallies {
        for (why, count) in &tally.skipped {
            let (sum, peers) = skipped.entry(why).or_default();
            *sum += count;
            peers.insert(&tally.peer);
        }
    }
    let total: u64 = skipped.values().map(|(count, _)| count).sum();
    let peers: BTreeSet<&str> = tallies.iter().map(|tally| tally.peer.as_str()).collect();
    let line =
        format!("{passed} passed, {failed} failed, {total} not run, on {}", counted(peers.len(), "peer"));
    let mut text = paragraph(&format!("{suite}: "), &line, style);
    for (why, (count, peers)) in skipped {
        let peers: Vec<_> = peers.into_iter().collect();
        let line = format!("{count} not run: {why} ({})", peers.join(", "));
        text.push_str(&paragraph("- ", &line, style));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn what_ran_and_what_did_not_is_counted() {
        let expected = "\
Vectors
                            rustcrypto   openssl
wycheproof ed25519                   –      ✓151
wycheproof mldsa_65_verify        ✓210  ✓200 ·10

wycheproof: 561 passed, 0 failed, 10 not run, on 2 peers
- 10 not run: no internal interface (openssl)
";
        let run = fixture::agreeing();
        assert_eq!(section(&run, Style { width: 80, colour: false }).unwrap(), expected);
    }
}
