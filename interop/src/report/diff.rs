//! What changed between two saved runs.

use std::collections::{BTreeMap, BTreeSet};

use pqsig::Algorithm;
use serde::Serialize;

use super::terminal::{Emphasis, Item, Style, counted, heading, paragraph, verdict, words};
use crate::peer::Identity;
use crate::question::Verdict;
use crate::record::{Case, Check, Depth, Finding, Run, VectorTally};

/// The name of the format of a difference in JSON.
pub const DIFF_SCHEMA: &str = "pqsig-interop-diff/1";

/// How many names of cases stand in a line of the table; JSON has all.
const NAMED: usize = 3;

/// The changes from one run to another. Answers and vectors are compared for the peers of both runs, and for the
/// cases of both; who and what is in one of them only, is listed as such.
#[derive(Debug, PartialEq, Serialize)]
pub struct Diff {
    /// [`DIFF_SCHEMA`].
    pub schema: &'static str,
    /// How much each of the runs asked, if not the same: that alone adds and removes cases.
    pub depth: Option<Change<Depth>>,
    /// Peers of the new run only.
    pub peers_added: Vec<String>,
    /// Peers of the old run only.
    pub peers_removed: Vec<Absent>,
    /// Peers whose version, lineage or files are others.
    pub builds: Vec<Build>,
    /// Ids of cases of the new run only.
    pub cases_added: Vec<String>,
    /// Ids of cases of the old run only.
    pub cases_removed: Vec<String>,
    /// Answers that changed.
    pub verdicts: Vec<VerdictChange>,
    /// Findings of the new run only.
    pub findings_new: Vec<Found>,
    /// Findings of the old run only.
    pub findings_fixed: Vec<Found>,
    /// Tallies of vectors that changed.
    pub vectors: Vec<VectorChange>,
}

/// Before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change<T> {
    /// In the old run.
    pub old: T,
    /// In the new run.
    pub new: T,
}

impl<T: PartialEq> Change<T> {
    fn between(old: T, new: T) -> Option<Self> {
        (old != new).then_some(Change { old, new })
    }
}

/// A peer that the new run does not have.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Absent {
    /// Its name.
    pub peer: String,
    /// Why the new run skipped it, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A peer that is not the same build in both runs.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Build {
    /// Its name.
    pub peer: String,
    /// Its versions, without those that are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<Change<String>>,
    /// Its lineages, without those that are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lineage: Option<Change<String>>,
    /// The files that answer, with their SHA-256.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<Change<Vec<String>>>,
}

/// An answer that changed.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct VerdictChange {
    /// The case's id.
    pub id: String,
    /// The algorithm.
    #[serde(with = "crate::text")]
    pub algorithm: Algorithm,
    /// What the case is about.
    pub check: Check,
    /// The peer.
    pub peer: String,
    /// The verdict of the old run; none if the peer was not asked.
    pub old: Option<Verdict>,
    /// The verdict of the new run; none if the peer was not asked.
    pub new: Option<Verdict>,
}

/// A finding with its case.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The case's id.
    pub id: String,
    /// The finding.
    pub finding: Finding,
}

/// A tally of vectors that changed.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct VectorChange {
    /// The set.
    pub suite: String,
    /// Its part.
    pub group: String,
    /// The algorithm.
    #[serde(with = "crate::text")]
    pub algorithm: Algorithm,
    /// The peer.
    pub peer: String,
    /// The counts of the old run; none if the set was not run.
    pub old: Option<Counts>,
    /// The counts of the new run; none if the set was not run.
    pub new: Option<Counts>,
}

/// What a set of vectors came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Came out right.
    pub passed: u64,
    /// Came out wrong.
    pub failed: u64,
    /// Did not run, by reason.
    pub skipped: BTreeMap<String, u64>,
}

impl Diff {
    /// Compares two runs.
    #[must_use]
    pub fn new(old: &Run, new: &Run) -> Self {
        let (old_peers, new_peers) = (peers(old), peers(new));
        let (old_cases, new_cases) = (cases(old), cases(new));
        let only = |mine: &BTreeMap<&str, &Case>, other: &BTreeMap<&str, &Case>| {
            mine.keys().filter(|id| !other.contains_key(*id)).map(|id| (*id).to_owned()).collect()
        };
        let why = |name: &str| new.skipped.iter().find(|s| s.peer == name).map(|s| s.why.clone());
        Diff {
            schema: DIFF_SCHEMA,
            depth: Change::between(old.depth, new.depth),
            peers_added: new_peers
                .keys()
                .filter(|n| !old_peers.contains_key(*n))
                .map(|n| (*n).into())
                .collect(),
            peers_removed: old_peers
                .keys()
                .filter(|name| !new_peers.contains_key(*name))
                .map(|name| Absent { peer: (*name).into(), why: why(name) })
                .collect(),
            builds: old_peers
                .iter()
                .filter_map(|(name, old)| Build::between(old, new_peers.get(name)?))
                .collect(),
            cases_added: only(&new_cases, &old_cases),
            cases_removed: only(&old_cases, &new_cases),
            verdicts: old_cases
                .iter()
                .filter_map(|(id, old)| Some((*old, *new_cases.get(id)?)))
                .flat_map(|(old, new)| verdicts(old, new))
                .filter(|change| {
                    let name = change.peer.as_str();
                    old_peers.contains_key(name) && new_peers.contains_key(name)
                })
                .collect(),
            findings_new: found(new, &old_cases),
            findings_fixed: found(old, &new_cases),
            vectors: vectors(old, new)
                .into_iter()
                .filter(|change| {
                    let name = change.peer.as_str();
                    old_peers.contains_key(name) && new_peers.contains_key(name)
                })
                .collect(),
        }
    }

    /// True if all is the same but the builds that answered.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.depth.is_none()
            && self.peers_added.is_empty()
            && self.peers_removed.is_empty()
            && self.cases_added.is_empty()
            && self.cases_removed.is_empty()
            && self.verdicts.is_empty()
            && self.findings_new.is_empty()
            && self.findings_fixed.is_empty()
            && self.vectors.is_empty()
    }
}

fn peers(run: &Run) -> BTreeMap<&str, &Identity> {
    run.peers.iter().map(|peer| (peer.name.as_str(), peer)).collect()
}

fn cases(run: &Run) -> BTreeMap<&str, &Case> {
    run.cases.iter().map(|case| (case.id.as_str(), case)).collect()
}

/// The answers to one case that differ.
fn verdicts(old: &Case, new: &Case) -> Vec<VerdictChange> {
    let names: BTreeSet<&String> = old.answers.keys().chain(new.answers.keys()).collect();
    let verdict = |case: &Case, name: &String| case.answers.get(name).map(|answer| answer.verdict);
    names
        .into_iter()
        .map(|name| VerdictChange {
            id: new.id.clone(),
            algorithm: new.algorithm,
            check: new.check,
            peer: name.clone(),
            old: verdict(old, name),
            new: verdict(new, name),
        })
        .filter(|change| change.old != change.new)
        .collect()
}

/// The findings of a run whose cases have none in the other, or blame others there, or know of them only there.
fn found(run: &Run, other: &BTreeMap<&str, &Case>) -> Vec<Found> {
    let known = |case: &Case, finding: &Finding| {
        let there = other.get(case.id.as_str()).and_then(|case| case.finding.as_ref());
        there.is_some_and(|there| there.outliers == finding.outliers && there.known == finding.known)
    };
    run.cases
        .iter()
        .filter_map(|case| Some((case, case.finding.as_ref()?)))
        .filter(|(case, finding)| !known(case, finding))
        .map(|(case, finding)| Found { id: case.id.clone(), finding: finding.clone() })
        .collect()
}

fn vectors(old: &Run, new: &Run) -> Vec<VectorChange> {
    type Key<'a> = (&'a str, &'a str, Algorithm, &'a str);
    fn keyed(run: &Run) -> BTreeMap<Key<'_>, &VectorTally> {
        run.vectors.iter().map(|v| ((&*v.suite, &*v.group, v.algorithm, &*v.peer), v)).collect()
    }
    let (old, new) = (keyed(old), keyed(new));
    let counts = |tally: Option<&&VectorTally>| {
        tally.map(|tally| Counts {
            passed: tally.passed,
            failed: tally.failed,
            skipped: tally.skipped.clone(),
        })
    };
    let keys: BTreeSet<&Key<'_>> = old.keys().chain(new.keys()).collect();
    keys.into_iter()
        .map(|key| VectorChange {
            suite: key.0.to_owned(),
            group: key.1.to_owned(),
            algorithm: key.2,
            peer: key.3.to_owned(),
            old: counts(old.get(key)),
            new: counts(new.get(key)),
        })
        .filter(|change| change.old != change.new)
        .collect()
}

impl Build {
    fn between(old: &Identity, new: &Identity) -> Option<Self> {
        let artifacts = |identity: &Identity| -> Vec<String> {
            identity.artifacts.iter().map(|a| format!("{} {}", a.name, a.sha256)).collect()
        };
        let build = Build {
            peer: new.name.clone(),
            version: words_between(&old.versions, &new.versions),
            lineage: words_between(&old.lineages, &new.lineages),
            artifacts: Change::between(artifacts(old), artifacts(new)),
        };
        (build.version.is_some() || build.lineage.is_some() || build.artifacts.is_some()).then_some(build)
    }
}

/// The words that are not the same for every algorithm, each of them once.
fn words_between(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> Option<Change<String>> {
    let differing = |mine: &BTreeMap<String, String>, other: &BTreeMap<String, String>| {
        let words: BTreeSet<&str> = mine
            .iter()
            .filter(|(algorithm, word)| other.get(*algorithm) != Some(*word))
            .map(|(_, word)| word.as_str())
            .collect();
        if words.is_empty() { "none".to_owned() } else { words.into_iter().collect::<Vec<_>>().join(", ") }
    };
    (old != new).then(|| Change { old: differing(old, new), new: differing(new, old) })
}

/// The changes as people read them. It ends with one line that begins with `same:` or `changed:`.
#[must_use]
pub fn render(diff: &Diff, style: Style) -> String {
    let mut sections = Vec::new();
    sections.extend(who(diff, style));
    sections.extend(listed("Cases added", &diff.cases_added, style));
    sections.extend(listed("Cases removed", &diff.cases_removed, style));
    sections.extend(answers(diff, style));
    sections.extend(tallies(diff, style));
    sections.extend(findings("New findings", &diff.findings_new, style));
    sections.extend(findings("Findings that are gone", &diff.findings_fixed, style));
    sections.push(conclusion(diff, style));
    sections.join("\n")
}

fn who(diff: &Diff, style: Style) -> Option<String> {
    let mut lines = String::new();
    if let Some(Change { old, new }) = &diff.depth {
        let name = |depth: &Depth| if *depth == Depth::Quick { "quick" } else { "full" };
        lines.push_str(&paragraph("- ", &format!("depth: {} -> {}", name(old), name(new)), style));
    }
    for peer in &diff.peers_added {
        lines.push_str(&paragraph("- ", &format!("{peer}: added"), style));
    }
    for Absent { peer, why } in &diff.peers_removed {
        let why = why.as_ref().map_or_else(|| "removed".to_owned(), |why| format!("skipped: {why}"));
        lines.push_str(&paragraph("- ", &format!("{peer}: {why}"), style));
    }
    for build in &diff.builds {
        let mut changes = Vec::new();
        for (what, change) in [("version", &build.version), ("lineage", &build.lineage)] {
            changes.extend(change.as_ref().map(|c| format!("{what} {} -> {}", c.old, c.new)));
        }
        if build.artifacts.is_some() {
            changes.push("another build (SHA-256)".to_owned());
        }
        lines.push_str(&paragraph("- ", &format!("{}: {}", build.peer, changes.join("; ")), style));
    }
    (!lines.is_empty()).then(|| heading("Peers", style) + &lines)
}

fn listed(title: &str, ids: &[String], style: Style) -> Option<String> {
    (!ids.is_empty()).then(|| heading(title, style) + &paragraph("- ", &named(ids), style))
}

/// The number of the cases, and the first names.
fn named(ids: &[impl AsRef<str>]) -> String {
    let first: Vec<&str> = ids.iter().take(NAMED).map(AsRef::as_ref).collect();
    let more = if ids.len() > NAMED { ", ..." } else { "" };
    format!("{}: {}{more}", ids.len(), first.join(", "))
}

fn answers(diff: &Diff, style: Style) -> Option<String> {
    type Key<'a> = (&'a str, Algorithm, Check, Option<Verdict>, Option<Verdict>);
    let mut groups: BTreeMap<Key<'_>, Vec<&str>> = BTreeMap::new();
    for change in &diff.verdicts {
        let key = (change.peer.as_str(), change.algorithm, change.check, change.old, change.new);
        groups.entry(key).or_default().push(&change.id);
    }
    let verdict = |verdict: Option<Verdict>| verdict.map_or("not asked", Verdict::name);
    let rows: Vec<_> = groups
        .into_iter()
        .map(|((peer, algorithm, check, old, new), ids)| {
            let change = format!("{} -> {}", verdict(old), verdict(new));
            [peer.to_owned(), algorithm.to_string(), check.name().to_owned(), change, named(&ids)]
                .map(|text| Item::new(text, Emphasis::Plain))
                .to_vec()
        })
        .collect();
    (!rows.is_empty()).then(|| {
        heading("Answers", style) + &words(&["peer", "algorithm", "check", "change", "cases"], rows, style)
    })
}

fn tallies(diff: &Diff, style: Style) -> Option<String> {
    let counts = |counts: &Option<Counts>| match counts {
        None => "not run".to_owned(),
        Some(Counts { passed, failed, skipped }) => {
            let skipped: u64 = skipped.values().sum();
            format!("{passed} passed, {failed} failed, {skipped} skipped")
        }
    };
    let rows: Vec<_> = diff
        .vectors
        .iter()
        .map(|change| {
            let set = format!("{} {}", change.suite, change.group);
            let figures = format!("{} -> {}", counts(&change.old), counts(&change.new));
            [set, change.algorithm.to_string(), change.peer.clone(), figures]
                .map(|text| Item::new(text, Emphasis::Plain))
                .to_vec()
        })
        .collect();
    (!rows.is_empty())
        .then(|| heading("Vectors", style) + &words(&["set", "algorithm", "peer", "change"], rows, style))
}

fn findings(title: &str, found: &[Found], style: Style) -> Option<String> {
    (!found.is_empty()).then(|| {
        let lines = found
            .iter()
            .map(|found| paragraph("- ", &found.id, style) + &paragraph("  ", &found.finding.summary, style));
        heading(title, style) + &lines.collect::<String>()
    })
}

fn conclusion(diff: &Diff, style: Style) -> String {
    let count = |count: usize, what: &str| (count > 0).then(|| counted(count, what));
    let parts: Vec<_> = [
        diff.depth.as_ref().map(|_| "another depth".to_owned()),
        count(diff.peers_added.len(), "peer added"),
        count(diff.peers_removed.len(), "peer removed"),
        count(diff.cases_added.len(), "case added"),
        count(diff.cases_removed.len(), "case removed"),
        count(diff.verdicts.len(), "answer changed"),
        count(diff.vectors.len(), "count of vectors changed"),
        count(diff.findings_new.len(), "finding more"),
        count(diff.findings_fixed.len(), "finding gone"),
        count(diff.builds.len(), "build changed"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let parts = if parts.is_empty() { "nothing changed".to_owned() } else { parts.join(", ") };
    let (word, emphasis) =
        if diff.is_same() { ("same:", Emphasis::Strong) } else { ("changed:", Emphasis::Bad) };
    verdict(word, emphasis, &parts, style)
}

#[cfg(test)]
mod tests;
