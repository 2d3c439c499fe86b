//! Judges the answers to one case: by the standard where it decides, else by the votes of the code families.

use std::collections::{BTreeMap, BTreeSet};

use pqsig::Algorithm;
use sha2::{Digest, Sha256};

use crate::layout::{self, Blob};
use crate::peer::Identity;
use crate::question::{Answer, Question, Verdict};
use crate::record::{Expected, Finding, Recorded, Vote};

/// A peer's answer, with who gave it.
pub struct Statement<'a> {
    /// Who.
    pub who: &'a Identity,
    /// What.
    pub answer: Answer,
}

/// What the answers to a case come to.
pub struct Judgement {
    /// The answers as they are recorded.
    pub answers: BTreeMap<String, Recorded>,
    /// What is wrong, if anything is.
    pub finding: Option<Finding>,
    /// The bytes that won, of a case that compares them.
    pub winner: Option<Vec<u8>>,
}

/// What is known of a case before anyone answers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known<'a> {
    /// The bytes that the answers to an [`Expected::Same`] case must equal. Without them, the bytes that most code families
    /// made are the right ones.
    pub reference: Option<&'a [u8]>,
    /// Who made the signature that an [`Expected::Accepted`] case is about. If most code families reject it, it is the
    /// signer who is wrong.
    pub signer: Option<&'a str>,
}

/// Judges.
#[must_use]
pub fn judge(
    question: &Question,
    expected: Expected,
    known: Known<'_>,
    statements: &[Statement<'_>],
) -> Judgement {
    let algorithm = question.algorithm();
    match (expected, known.signer) {
        (Expected::Accepted, Some(signer)) => exchange(algorithm, signer, statements),
        _ => judge_alone(question, expected, known.reference, statements),
    }
}

fn judge_alone(
    question: &Question,
    expected: Expected,
    reference: Option<&[u8]>,
    statements: &[Statement<'_>],
) -> Judgement {
    let algorithm = question.algorithm();
    match expected {
        Expected::Accepted => by_standard(algorithm, Verdict::Accepted, statements),
        Expected::Rejected => by_standard(algorithm, Verdict::Rejected, statements),
        Expected::Policy => policy(algorithm, statements),
        Expected::Same => by_votes(question, reference, statements),
    }
}

fn by_standard(algorithm: Algorithm, right: Verdict, statements: &[Statement<'_>]) -> Judgement {
    let is_wrong = |verdict: Verdict| verdict != right && verdict != Verdict::Unsupported;
    let outliers: Vec<_> = names(statements.iter().filter(|s| is_wrong(s.answer.verdict)));
    let answers = statements.iter().map(|s| (s.who.name.clone(), recorded(&s.answer))).collect();
    let finding = (!outliers.is_empty()).then(|| {
        let said = described(statements.iter().filter(|s| is_wrong(s.answer.verdict)));
        Finding {
            summary: format!("the standard says {right}; {said}"),
            outliers,
            votes: votes_on_verdicts(algorithm, statements),
            reproducer: None,
            known: None,
        }
    });
    Judgement { answers, finding, winner: None }
}

/// A signature is valid or it is not: most code families say which, and those of the other opinion are wrong, the signer
/// among them if it is not.
fn exchange(algorithm: Algorithm, signer: &str, statements: &[Statement<'_>]) -> Judgement {
    let mut judgement = by_standard(algorithm, Verdict::Accepted, statements);
    let Some(finding) = &mut judgement.finding else {
        return judgement;
    };
    let (accepting, rejecting) = families_by_verdict(algorithm, statements);
    if rejecting < accepting {
        return judgement;
    }
    let with = |verdict| statements.iter().filter(move |s| s.answer.verdict == verdict);
    if rejecting == 0 {
        // Nobody took a stand: the failures stand as they are.
    } else if rejecting == accepting {
        finding.outliers = names(with(Verdict::Failed));
        finding.summary = format!(
            "the votes on {signer}'s signature are even, {accepting} to {rejecting}; {}",
            described(with(Verdict::Rejected))
        );
    } else {
        let mut outliers = vec![signer.to_owned()];
        outliers.extend(names(with(Verdict::Accepted).chain(with(Verdict::Failed))));
        outliers.sort();
        outliers.dedup();
        finding.outliers = outliers;
        finding.summary =
            format!("{signer}'s signature is rejected by {}", names(with(Verdict::Rejected)).join(", "));
    }
    judgement
}

/// How many code families accept, and how many reject. A family that is divided abstains.
fn families_by_verdict(algorithm: Algorithm, statements: &[Statement<'_>]) -> (usize, usize) {
    let mut families: BTreeMap<&str, BTreeSet<Verdict>> = BTreeMap::new();
    for statement in statements.iter().filter(|s| s.answer.verdict.is_decided()) {
        families.entry(statement.who.lineage(algorithm)).or_default().insert(statement.answer.verdict);
    }
    let count = |verdict| families.values().filter(|v| v.len() == 1 && v.contains(&verdict)).count();
    (count(Verdict::Accepted), count(Verdict::Rejected))
}

/// Where the standard leaves it open, only breaking is wrong.
fn policy(algorithm: Algorithm, statements: &[Statement<'_>]) -> Judgement {
    let broken = || statements.iter().filter(|s| s.answer.verdict == Verdict::Failed);
    let answers = statements.iter().map(|s| (s.who.name.clone(), recorded(&s.answer))).collect();
    let finding = broken().next().is_some().then(|| Finding {
        summary: described(broken()),
        outliers: names(broken()),
        votes: votes_on_verdicts(algorithm, statements),
        reproducer: None,
        known: None,
    });
    Judgement { answers, finding, winner: None }
}

fn by_votes(question: &Question, reference: Option<&[u8]>, statements: &[Statement<'_>]) -> Judgement {
    let algorithm = question.algorithm();
    let mut groups: BTreeMap<&[u8], Vec<&Statement<'_>>> = BTreeMap::new();
    for statement in statements {
        if let Some(value) = &statement.answer.value {
            groups.entry(value).or_default().push(statement);
        }
    }
    let families = families_that_agree(algorithm, &groups);
    let winner: Option<Vec<u8>> = match reference {
        Some(bytes) => Some(bytes.to_vec()),
        None => most_votes(&groups, &families),
    };

    let mut answers = BTreeMap::new();
    let mut outliers = Vec::new();
    for Statement { who, answer } in statements {
        let entry = match (&answer.value, &winner) {
            (Some(value), Some(right)) if value == right => {
                Recorded { verdict: Verdict::Accepted, detail: None }
            }
            (Some(value), Some(right)) => {
                Recorded { verdict: Verdict::Rejected, detail: Some(difference(question, right, value)) }
            }
            // Nobody can say who is right, so nobody is.
            (Some(value), None) => Recorded { verdict: Verdict::Rejected, detail: Some(words(value)) },
            (None, _) => recorded(answer),
        };
        let took_part = entry.verdict != Verdict::Unsupported;
        if took_part && entry.verdict != Verdict::Accepted && (winner.is_some() || answer.value.is_none()) {
            outliers.push(who.name.clone());
        }
        answers.insert(who.name.clone(), entry);
    }

    let agreed = answers.values().all(|a| matches!(a.verdict, Verdict::Accepted | Verdict::Unsupported));
    let finding = (!agreed).then(|| {
        let mut votes: Vec<Vote> = groups
            .iter()
            .map(|(value, group)| Vote {
                answer: words(value),
                lineages: families.iter().filter(|(_, v)| *v == value).map(|(l, _)| l.clone()).collect(),
                peers: names(group.iter().copied()),
            })
            .collect();
        let without_value: Vec<_> = statements.iter().filter(|s| s.answer.value.is_none()).collect();
        votes.extend(votes_on_verdicts(algorithm, without_value.iter().copied()));
        votes.sort_by_key(|vote| std::cmp::Reverse(vote.lineages.len()));
        let summary = if winner.is_none() && groups.len() > 1 {
            "the votes are even: nobody can say who is right".to_owned()
        } else {
            let differ = |name: &String| {
                let detail = answers.get(name).and_then(|a| a.detail.as_deref()).unwrap_or("no reason given");
                format!("{name}: {detail}")
            };
            outliers.iter().map(differ).collect::<Vec<_>>().join("; ")
        };
        Finding { outliers: outliers.clone(), votes, summary, reproducer: None, known: None }
    });
    Judgement { answers, finding, winner }
}

/// The families whose implementations all made the same bytes, with those bytes. A family that is divided abstains.
fn families_that_agree<'a>(
    algorithm: Algorithm,
    groups: &BTreeMap<&'a [u8], Vec<&Statement<'_>>>,
) -> BTreeMap<String, &'a [u8]> {
    let mut families: BTreeMap<String, BTreeSet<&[u8]>> = BTreeMap::new();
    for (value, group) in groups {
        for statement in group {
            families.entry(statement.who.lineage(algorithm).to_owned()).or_default().insert(value);
        }
    }
    families
        .into_iter()
        .filter(|(_, values)| values.len() == 1)
        .filter_map(|(family, values)| values.into_iter().next().map(|value| (family, value)))
        .collect()
}

fn most_votes(
    groups: &BTreeMap<&[u8], Vec<&Statement<'_>>>,
    families: &BTreeMap<String, &[u8]>,
) -> Option<Vec<u8>> {
    let mut counted: Vec<(usize, &[u8])> =
        groups.keys().map(|value| (families.values().filter(|v| *v == value).count(), *value)).collect();
    counted.sort_by_key(|(votes, _)| std::cmp::Reverse(*votes));
    match counted[..] {
        [] => None,
        [(_, only)] => Some(only.to_vec()),
        [(first, value), (second, _), ..] => (first > second).then(|| value.to_vec()),
    }
}

fn votes_on_verdicts<'a, 'b: 'a>(
    algorithm: Algorithm,
    statements: impl IntoIterator<Item = &'a Statement<'b>>,
) -> Vec<Vote> {
    let mut by_verdict: BTreeMap<Verdict, Vec<&Statement<'_>>> = BTreeMap::new();
    for statement in statements {
        by_verdict.entry(statement.answer.verdict).or_default().push(statement);
    }
    let vote = |(verdict, group): (Verdict, Vec<&Statement<'_>>)| Vote {
        answer: verdict.name().to_owned(),
        lineages: group
            .iter()
            .map(|s| s.who.lineage(algorithm).to_owned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        peers: names(group),
    };
    by_verdict.into_iter().map(vote).collect()
}

fn recorded(answer: &Answer) -> Recorded {
    Recorded { verdict: answer.verdict, detail: answer.detail.clone() }
}

fn names<'a, 'b: 'a>(statements: impl IntoIterator<Item = &'a Statement<'b>>) -> Vec<String> {
    statements.into_iter().map(|s| s.who.name.clone()).collect()
}

fn described<'a, 'b: 'a>(statements: impl IntoIterator<Item = &'a Statement<'b>>) -> String {
    let one = |s: &Statement<'_>| match &s.answer.detail {
        Some(detail) => format!("{}: {} ({detail})", s.who.name, s.answer.verdict),
        None => format!("{}: {}", s.who.name, s.answer.verdict),
    };
    statements.into_iter().map(one).collect::<Vec<_>>().join("; ")
}

fn words(value: &[u8]) -> String {
    format!("{} bytes, SHA-256 {}", value.len(), hex::encode(&Sha256::digest(value)[..8]))
}

fn difference(question: &Question, right: &[u8], value: &[u8]) -> String {
    let blob = match question {
        Question::Sign { .. } | Question::Verify { .. } => Blob::Signature,
        Question::Derive { .. } | Question::Load { .. } => Blob::PublicKey,
    };
    let first = layout::first_difference(question.algorithm(), blob, right, value);
    first.map_or_else(|| "no difference".to_owned(), |difference| format!("differs first in {difference}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::{EncodedKey, KeyForm};
    use crate::message::Message;
    use crate::peer::Kind;

    const ALGORITHM: Algorithm = Algorithm::Ed25519;

    fn peer(name: &str, lineage: &str) -> Identity {
        Identity {
            name: name.to_owned(),
            kind: Kind::InProcess,
            versions: BTreeMap::new(),
            lineages: [(ALGORITHM.name().to_owned(), lineage.to_owned())].into(),
            artifacts: Vec::new(),
        }
    }

    fn verdict(verdict: Verdict) -> Answer {
        Answer { verdict, detail: None, value: None }
    }

    fn made(byte: u8) -> Answer {
        Answer { verdict: Verdict::Accepted, detail: None, value: Some(vec![byte; 64]) }
    }

    fn verify() -> Question {
        let public = EncodedKey { algorithm: ALGORITHM, form: KeyForm::RawPublic, bytes: vec![0; 32] };
        Question::Verify { public, message: Message::pure(*b"m"), signature: vec![0; 64] }
    }

    fn sign() -> Question {
        let private = EncodedKey { algorithm: ALGORITHM, form: KeyForm::RawSeed, bytes: vec![0; 32] };
        let randomness = crate::message::Randomness::Deterministic;
        Question::Sign { private, message: Message::pure(*b"m"), randomness }
    }

    /// Judges answers of peers that are given as (name, lineage, answer).
    fn judged(
        question: &Question,
        expected: Expected,
        known: Known<'_>,
        said: &[(&str, &str, Answer)],
    ) -> Judgement {
        let peers: Vec<_> = said.iter().map(|(name, lineage, _)| peer(name, lineage)).collect();
        let statements: Vec<_> = peers
            .iter()
            .zip(said)
            .map(|(who, (_, _, answer))| Statement { who, answer: answer.clone() })
            .collect();
        judge(question, expected, known, &statements)
    }

    fn outliers(judgement: &Judgement) -> Vec<String> {
        judgement.finding.as_ref().map(|finding| finding.outliers.clone()).unwrap_or_default()
    }

    #[test]
    fn the_standard_outvotes_everyone() {
        use Verdict::{Accepted, Rejected, Unsupported};
        let said = [
            ("a", "x", verdict(Accepted)),
            ("b", "y", verdict(Accepted)),
            ("c", "z", verdict(Rejected)),
            ("d", "w", verdict(Unsupported)),
        ];
        let judgement = judged(&verify(), Expected::Rejected, Known::default(), &said);
        assert_eq!(outliers(&judgement), ["a", "b"]);
        assert_eq!(judgement.answers["d"].verdict, Unsupported);
    }

    #[test]
    fn a_failure_is_no_rejection() {
        let said = [("a", "x", verdict(Verdict::Rejected)), ("b", "y", verdict(Verdict::Failed))];
        for expected in [Expected::Rejected, Expected::Policy] {
            assert_eq!(outliers(&judged(&verify(), expected, Known::default(), &said)), ["b"]);
        }
    }

    #[test]
    fn policies_may_differ() {
        let said = [("a", "x", verdict(Verdict::Accepted)), ("b", "y", verdict(Verdict::Rejected))];
        assert!(judged(&verify(), Expected::Policy, Known::default(), &said).finding.is_none());
    }

    #[test]
    fn a_family_has_one_vote() {
        // Three of one family against two that are independent of each other.
        let said = [
            ("a", "x", made(1)),
            ("b", "x", made(1)),
            ("c", "x", made(1)),
            ("d", "y", made(2)),
            ("e", "z", made(2)),
        ];
        let judgement = judged(&sign(), Expected::Same, Known::default(), &said);
        assert_eq!(outliers(&judgement), ["a", "b", "c"]);
        assert_eq!(judgement.winner, Some(vec![2; 64]));
        assert_eq!(judgement.answers["a"].detail.as_deref(), Some("differs first in R"));
        let finding = judgement.finding.unwrap();
        assert_eq!(finding.votes[0].lineages, ["y", "z"]);
        assert_eq!(finding.votes[1].peers, ["a", "b", "c"]);
    }

    #[test]
    fn even_votes_accuse_nobody() {
        let said = [("a", "x", made(1)), ("b", "y", made(2))];
        let judgement = judged(&sign(), Expected::Same, Known::default(), &said);
        let finding = judgement.finding.unwrap();
        assert!(finding.outliers.is_empty());
        assert_eq!(judgement.winner, None);
    }

    #[test]
    fn a_divided_family_abstains() {
        let said = [("a", "x", made(1)), ("b", "x", made(2)), ("c", "y", made(2))];
        let judgement = judged(&sign(), Expected::Same, Known::default(), &said);
        assert_eq!(outliers(&judgement), ["a"]);
    }

    #[test]
    fn known_bytes_need_no_votes() {
        let right = vec![1; 64];
        let said = [("a", "x", made(2)), ("b", "y", made(2)), ("c", "z", made(1))];
        let known = Known { reference: Some(&right), signer: None };
        assert_eq!(outliers(&judged(&sign(), Expected::Same, known, &said)), ["a", "b"]);
    }

    #[test]
    fn who_refuses_to_sign_is_an_outlier() {
        let said = [("a", "x", made(1)), ("b", "y", made(1)), ("c", "z", verdict(Verdict::Rejected))];
        assert_eq!(outliers(&judged(&sign(), Expected::Same, Known::default(), &said)), ["c"]);
    }

    #[test]
    fn most_verifiers_decide_whether_signer_or_verifier_is_wrong() {
        use Verdict::{Accepted, Rejected};
        let known = Known { reference: None, signer: Some("s") };
        let said = |verdicts: [Verdict; 3]| {
            let [own, first, second] = verdicts.map(verdict);
            judged(
                &verify(),
                Expected::Accepted,
                known,
                &[("s", "x", own), ("a", "y", first), ("b", "z", second)],
            )
        };
        assert_eq!(outliers(&said([Accepted, Rejected, Rejected])), ["s"]);
        assert_eq!(outliers(&said([Accepted, Accepted, Rejected])), ["b"]);
        assert!(said([Accepted, Accepted, Accepted]).finding.is_none());
        let even = said([Accepted, Rejected, Verdict::Unsupported]);
        assert!(even.finding.is_some() && outliers(&even).is_empty());
    }
}
