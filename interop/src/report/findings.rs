//! Findings in words: who is the outlier, who said what, and how to see it again.

use std::collections::BTreeSet;

use crate::question::Verdict;
use crate::record::{Case, Finding, Run, Vote};

use super::tally;
use super::terminal::{Emphasis, Style, counted, emphasized, heading, paragraph};

/// More than this, nobody reads; the saved run has them all.
const SHOWN: usize = 20;

/// Cases that say the same of the same peers.
struct Group<'a> {
    cases: Vec<&'a Case>,
    finding: &'a Finding,
}

/// Who is wrong, in one line: `outlier: mine`.
#[must_use]
pub fn outliers(finding: &Finding) -> String {
    match &finding.outliers[..] {
        [] => "no outlier: the votes are even".to_owned(),
        [one] => format!("outlier: {one}"),
        several => format!("outliers: {}", several.join(", ")),
    }
}

/// A vote in one line: `rejected: 2 lineages, OpenSSL and mldsa-native (openssl, aws-lc)`.
#[must_use]
pub fn vote(vote: &Vote) -> String {
    let peers = vote.peers.join(", ");
    match &vote.lineages[..] {
        [] => format!("{}: no lineage ({peers})", vote.answer),
        [one] => format!("{}: 1 lineage, {one} ({peers})", vote.answer),
        [rest @ .., last] => {
            let lineages = vote.lineages.len();
            format!("{}: {lineages} lineages, {} and {last} ({peers})", vote.answer, rest.join(", "))
        }
    }
}

/// A finding in lines that are indented by three blanks.
#[must_use]
pub fn describe(finding: &Finding, style: Style) -> String {
    let mut text = String::new();
    if !finding.outliers.is_empty() {
        let line = paragraph("   ", &outliers(finding), style);
        text.push_str(&(emphasized(line.trim_end(), Emphasis::Bad, style) + "\n"));
    }
    text.push_str(&paragraph("   ", &finding.summary, style));
    for line in votes(finding) {
        text.push_str(&paragraph("   - ", &line, style));
    }
    text
}

/// The votes, each in one line. Who does not know how has none.
pub(crate) fn votes(finding: &Finding) -> impl Iterator<Item = String> {
    finding.votes.iter().filter(|vote| vote.answer != Verdict::Unsupported.name()).map(vote)
}

/// Deviations that are known, each with its reason; `None` if there is none.
pub(crate) fn known(run: &Run, style: Style) -> Option<String> {
    let lines: String = groups(tally::findings(run))
        .iter()
        .filter_map(|group| {
            let why = group.finding.known.as_ref()?;
            let outliers = group.finding.outliers.join(", ");
            Some(paragraph("- ", &format!("{outliers}: {}: {why}", group.title()), style))
        })
        .collect();
    (!lines.is_empty()).then(|| heading("Known deviations", style) + &lines)
}

/// All findings that are news, those that say the same together; `None` if there is none.
pub(crate) fn section(run: &Run, style: Style) -> Option<String> {
    let groups = groups(tally::news(run));
    if groups.is_empty() {
        return None;
    }
    let mut text = heading("Findings", style);
    for (index, group) in groups.iter().take(SHOWN).enumerate() {
        text.push_str(&group.render(index + 1, style));
    }
    if groups.len() > SHOWN {
        let cases: usize = groups[SHOWN..].iter().map(|group| group.cases.len()).sum();
        let more = groups.len() - SHOWN;
        let more = format!(
            "and {more} more, in {}: --out, --csv and --junit write them all",
            counted(cases, "case")
        );
        text.push_str(&paragraph("", &more, style));
    }
    Some(text)
}

fn groups<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for case in cases {
        let Some(finding) = &case.finding else { continue };
        let same = |group: &&mut Group<'a>| {
            let first = group.cases[0];
            (first.check, &first.name, &group.finding.outliers, &group.finding.known)
                == (case.check, &case.name, &finding.outliers, &finding.known)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.cases.push(case),
            None => groups.push(Group { cases: vec![case], finding }),
        }
    }
    groups
}

impl Group<'_> {
    /// Which cases, in one line.
    fn title(&self) -> String {
        let case = self.cases[0];
        let algorithms = distinct(self.cases.iter().map(|case| case.algorithm.name()));
        let mut title = format!("{}, {}: {}", algorithms.join(", "), case.check.name(), case.name);
        let signers = distinct(self.cases.iter().filter_map(|case| case.signer.as_deref()));
        if !signers.is_empty() {
            title = format!("{title}, signed by {}", signers.join(", "));
        }
        if self.cases.len() > 1 {
            title = format!("{title} ({} cases)", self.cases.len());
        }
        title
    }

    fn render(&self, number: usize, style: Style) -> String {
        let mut text = paragraph(&format!("{number}. "), &self.title(), style);
        text.push_str(&describe(self.finding, style));
        if let Some(path) = self.cases.iter().find_map(|case| case.finding.as_ref()?.reproducer.as_ref()) {
            text.push_str(&paragraph("   ", &format!("again: pqsig-interop replay {}", quoted(path)), style));
        }
        text
    }
}

/// Each word once, in the order in which they come.
fn distinct<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    words.filter(|word| seen.insert(*word)).collect()
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:@".contains(c);
    if !path.is_empty() && path.chars().all(is_plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    const STYLE: Style = Style { width: 80, colour: false };

    #[test]
    fn findings_name_the_outlier_the_votes_and_the_reproducer() {
        let expected = "\
Findings
1. ML-DSA-65, signatures: größe <1> & \"2\"
   the votes are even: nobody can say who is right
   - 3309 bytes, SHA-256 aa: 1 lineage, OpenSSL (openssl)
   - 3309 bytes, SHA-256 bb: 1 lineage, mine (mine)
2. ML-DSA-65, hostile: another context, signed by openssl, aws-lc (2 cases)
   outlier: mine
   the standard says rejected; mine: accepted
   - rejected: 3 lineages, OpenSSL, RustCrypto and mldsa-native (rustcrypto,
     openssl, aws-lc)
   - accepted: 1 lineage, mine (mine)
   again: pqsig-interop replay findings/another-context.json
";
        assert_eq!(section(&fixture::disagreeing(), STYLE).unwrap(), expected);
        assert_eq!(section(&fixture::agreeing(), STYLE), None);
    }

    #[test]
    fn what_is_known_is_told_apart_with_its_reason() {
        let run = fixture::knowing();
        assert_eq!(section(&run, STYLE), None);
        let text = known(&run, STYLE).unwrap();
        let expected = "\
- mine: ML-DSA-65, hostile: another context, signed by openssl, aws-lc (2
  cases): it never looks at the context
";
        assert!(text.starts_with("Known deviations\n") && text.contains(expected), "{text}");
        assert_eq!(known(&fixture::disagreeing(), STYLE), None);
    }

    #[test]
    fn the_same_finding_of_several_algorithms_is_told_once() {
        let mut run = fixture::disagreeing();
        let mut other = run.cases.iter().find(|case| case.name == "another context").unwrap().clone();
        other.algorithm = pqsig::Algorithm::MlDsa87;
        other.finding.as_mut().unwrap().votes.push(Vote {
            answer: "unsupported".into(),
            lineages: vec!["noble".into()],
            peers: vec!["noble".into()],
        });
        run.cases = vec![other, run.cases.swap_remove(5)];
        let text = section(&run, STYLE).unwrap();
        assert!(text.contains("1. ML-DSA-87, ML-DSA-65, hostile: another context"), "{text}");
        assert!(!text.contains("noble"), "who does not know how has no vote: {text}");
    }

    #[test]
    fn a_thousand_findings_are_not_written_out() {
        let mut run = fixture::disagreeing();
        let template = run.cases.iter().find(|case| case.name == "another context").unwrap().clone();
        run.cases = (0..1000)
            .map(|index| {
                let mut case = template.clone();
                case.name = format!("case {index}");
                case
            })
            .collect();
        let text = section(&run, STYLE).unwrap();
        assert!(text.contains("20. ML-DSA-65, hostile: case 19"), "{text}");
        assert!(!text.contains("21. "), "{text}");
        assert!(text.ends_with("and 980 more, in 980 cases: --out, --csv and --junit write them all\n"));
    }

    #[test]
    fn paths_are_quoted_where_a_shell_needs_it() {
        assert_eq!(quoted("a/b-1.json"), "a/b-1.json");
        assert_eq!(quoted("my file.json"), "'my file.json'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
