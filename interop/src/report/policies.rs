//! What the standards leave open: not who is right, but what each peer does.

use std::collections::{BTreeMap, BTreeSet};

use pqsig::Algorithm;

use super::terminal::{Style, heading, paragraph};
use crate::question::Verdict;
use crate::record::{Check, Expected, Run};

/// Who gave which answer. Cases may differ in their signer only: a peer that answers them differently stands twice.
type Answers<'a> = BTreeMap<Verdict, BTreeSet<&'a str>>;

/// Questions that the same peers answered the same.
struct Policy<'a> {
    answers: Answers<'a>,
    algorithms: Vec<Algorithm>,
    names: Vec<&'a str>,
}

/// Of the questions on which all do the same, this many are named.
const NAMED: usize = 2;

/// What each peer does where the standards leave it open, differences first; `None` if nothing of the kind was asked.
pub(crate) fn section(run: &Run, style: Style) -> Option<String> {
    let mut policies = policies(run);
    if policies.is_empty() {
        return None;
    }
    policies.sort_by_key(Policy::is_unanimous);
    let lines = policies.iter().map(|policy| policy.render(style));
    Some(heading("Left open by the standards", style) + &lines.collect::<String>())
}

fn policies(run: &Run) -> Vec<Policy<'_>> {
    let mut questions: BTreeMap<(Algorithm, Check, &str), Answers<'_>> = BTreeMap::new();
    for case in run.cases.iter().filter(|case| case.expected == Expected::Policy) {
        let answers = questions.entry((case.algorithm, case.check, &case.name)).or_default();
        for (peer, answer) in &case.answers {
            answers.entry(answer.verdict).or_default().insert(peer);
        }
    }
    let mut policies: Vec<Policy<'_>> = Vec::new();
    for ((algorithm, _, name), answers) in questions {
        match policies.iter_mut().find(|policy| policy.answers == answers) {
            Some(policy) => {
                policy.algorithms.push(algorithm);
                policy.names.push(name);
            }
            None => policies.push(Policy { answers, algorithms: vec![algorithm], names: vec![name] }),
        }
    }
    for policy in &mut policies {
        policy.algorithms.dedup();
        let mut seen = BTreeSet::new();
        policy.names.retain(|name| seen.insert(*name));
    }
    policies
}

impl Policy<'_> {
    /// Whether all who answer do the same.
    fn is_unanimous(&self) -> bool {
        self.answers.keys().filter(|verdict| **verdict != Verdict::Unsupported).count() <= 1
    }

    fn render(&self, style: Style) -> String {
        let answers: Vec<String> = self
            .answers
            .iter()
            .map(|(verdict, peers)| {
                let peers: Vec<_> = peers.iter().copied().collect();
                format!("{verdict} by {}", peers.join(", "))
            })
            .collect();
        let algorithms: Vec<_> = self.algorithms.iter().map(|algorithm| algorithm.name()).collect();
        let shown = if self.is_unanimous() { NAMED } else { self.names.len() };
        let mut names: Vec<String> = self.names.iter().take(shown).map(|name| (*name).to_owned()).collect();
        if let more @ 1.. = self.names.len().saturating_sub(shown) {
            names.push(format!("{more} more like these"));
        }
        paragraph("- ", &format!("{}: {}", algorithms.join(", "), answers.join("; ")), style)
            + &paragraph("  ", &names.join("; "), style)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    const STYLE: Style = Style { width: 80, colour: false };

    #[test]
    fn each_peers_policy_is_named() {
        let expected = "\
Left open by the standards
- Ed25519: accepted by aws-lc, openssl; rejected by rustcrypto
  small-order public key
";
        assert_eq!(section(&fixture::agreeing(), STYLE).unwrap(), expected);
    }

    #[test]
    fn where_all_do_the_same_some_are_named() {
        let mut run = fixture::agreeing();
        let template = run.cases.last().unwrap().clone();
        for index in 0..5 {
            let mut case = template.clone();
            case.name = format!("case {index}");
            case.answers.values_mut().for_each(|answer| answer.verdict = Verdict::Rejected);
            run.cases.push(case);
        }
        let text = section(&run, STYLE).unwrap();
        assert!(text.starts_with("Left open by the standards\n- Ed25519: accepted by aws-lc"), "{text}");
        let expected =
            "- Ed25519: rejected by aws-lc, openssl, rustcrypto\n  case 0; case 1; 3 more like these\n";
        assert!(text.ends_with(expected), "{text}");
    }

    #[test]
    fn algorithms_with_the_same_answers_stand_together() {
        let mut run = fixture::agreeing();
        let mut other = run.cases.last().unwrap().clone();
        other.algorithm = Algorithm::MlDsa65;
        run.cases.push(other);
        assert!(section(&run, STYLE).unwrap().contains("- ML-DSA-65, Ed25519: accepted by aws-lc, openssl;"));
        run.cases.retain(|case| case.expected != Expected::Policy);
        assert_eq!(section(&run, STYLE), None);
    }
}
