//! A vector: what is asked, and what is right.

use std::collections::BTreeMap;

use pqsig::Algorithm;

use super::Failure;
use crate::acvp::{self, Outcome, Right};
use crate::judge::{Judgement, Known, Statement, judge};
use crate::layout::Blob;
use crate::peer::{Identity, Peer, Refusal};
use crate::question::{Answer, Question, Verdict};
use crate::record::{Case, Check, Expected, Finding, Recorded, VectorTally, Vote};

pub(super) struct Vector {
    pub(super) suite: &'static str,
    pub(super) group: String,
    pub(super) algorithm: Algorithm,
    /// The vector in its suite's own words.
    pub(super) name: String,
    /// Ways to ask: a peer must answer each that it supports as is wanted, and one at least.
    pub(super) questions: Vec<Question>,
    pub(super) wanted: Wanted,
    pub(super) effort: Effort,
    pub(super) audience: Audience,
}

pub(super) enum Wanted {
    /// The signature is valid.
    Accepted,
    /// The signature is not valid, or the key or the context is refused.
    Rejected,
    /// These bytes.
    Made(Right),
}

/// What a vector costs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    Little,
    /// Up to seconds: run in full only.
    Much,
}

/// Whom a vector is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    Everyone,
    InProcess,
    Adapters,
}

impl Vector {
    /// Asks in each way, up to the first wrong answer. Gives that one, or else a right one, or else that nothing is
    /// supported; and which question it answers.
    pub(super) fn ask(&self, peer: &dyn Peer) -> (usize, Answer) {
        let mut right = None;
        let mut unsupported = None;
        for (index, question) in self.questions.iter().enumerate() {
            let answer = self.put(question, peer);
            if answer.verdict == Verdict::Unsupported {
                unsupported = Some((index, answer));
            } else if self.is_met(&answer) {
                right = Some((index, answer));
            } else {
                return (index, answer);
            }
        }
        right.or(unsupported).unwrap_or_else(|| {
            let detail = Some("there is nothing to ask".to_owned());
            (0, Answer { verdict: Verdict::Failed, detail, value: None })
        })
    }

    fn put(&self, question: &Question, peer: &dyn Peer) -> Answer {
        let (Wanted::Made(Right::KeyPair { sk: right, .. }), Question::Derive { .. }) =
            (&self.wanted, question)
        else {
            return acvp::ask_peer(question, peer);
        };
        let without_value = |verdict, why| Answer { verdict, detail: Some(why), value: None };
        match acvp::perform(question, peer) {
            // An answer has room for the public key only, so a private key that is wrong by itself is a failure.
            Ok(Outcome::KeyPair { pk, sk }) => {
                match right.difference("sk", self.algorithm, Blob::PrivateKey, &sk) {
                    Some(wrong) => without_value(Verdict::Failed, wrong),
                    None => Answer { verdict: Verdict::Accepted, detail: None, value: Some(pk) },
                }
            }
            Ok(_) => without_value(Verdict::Failed, "answered another question".to_owned()),
            Err(Refusal::Unsupported(why)) => without_value(Verdict::Unsupported, why),
            Err(Refusal::Refused(why)) => without_value(Verdict::Rejected, why),
            Err(Refusal::Failed(why)) => without_value(Verdict::Failed, why),
        }
    }

    fn is_met(&self, answer: &Answer) -> bool {
        match (&self.wanted, answer.verdict, &answer.value) {
            (Wanted::Accepted, verdict, _) => verdict == Verdict::Accepted,
            (Wanted::Rejected, verdict, _) => verdict == Verdict::Rejected,
            (Wanted::Made(right), Verdict::Accepted, Some(value)) => self.made(right, value).is_none(),
            (Wanted::Made(_), _, _) => false,
        }
    }

    /// How the bytes that a peer made differ from the right ones. Whether sk is right was seen when it was there: see
    /// `put`.
    fn made(&self, right: &Right, value: &[u8]) -> Option<String> {
        match right {
            Right::KeyPair { pk, .. } => pk.difference("pk", self.algorithm, Blob::PublicKey, value),
            Right::Signature(right) => right.difference("signature", self.algorithm, Blob::Signature, value),
            Right::Verdict(_) => Some("bytes were not asked for".to_owned()),
        }
    }

    pub(super) fn tally(&self, peer: &str) -> VectorTally {
        VectorTally {
            suite: self.suite.to_owned(),
            group: self.group.clone(),
            algorithm: self.algorithm,
            peer: peer.to_owned(),
            passed: 0,
            failed: 0,
            skipped: BTreeMap::new(),
        }
    }

    pub(super) fn count(&self, answer: &Answer, tally: &mut VectorTally) {
        if answer.verdict == Verdict::Unsupported {
            let why = answer.detail.clone().unwrap_or_else(|| "unsupported".to_owned());
            *tally.skipped.entry(why).or_default() += 1;
        } else if self.is_met(answer) {
            tally.passed += 1;
        } else {
            tally.failed += 1;
        }
    }

    /// The vector as a case, if anybody got it wrong. Each answer comes with the question that it is to.
    pub(super) fn failure(&self, answers: Vec<(&Identity, usize, Answer)>) -> Option<Failure> {
        let wrong = |answer: &Answer| answer.verdict != Verdict::Unsupported && !self.is_met(answer);
        let asked = answers.iter().find(|(_, _, answer)| wrong(answer))?.1;
        let question = self.questions.get(asked)?.clone();
        let answers: Vec<_> = answers.into_iter().map(|(who, _, answer)| (who, answer)).collect();
        let reference = self.reference(&answers);
        let expected = match self.wanted {
            Wanted::Accepted => Expected::Accepted,
            Wanted::Rejected => Expected::Rejected,
            Wanted::Made(_) => Expected::Same,
        };
        let judgement = if let (Wanted::Made(right), None) = (&self.wanted, &reference) {
            self.nobody_is_right(right, &answers)
        } else {
            let known = Known { reference: reference.as_deref(), ..Known::default() };
            let statements: Vec<_> =
                answers.into_iter().map(|(who, answer)| Statement { who, answer }).collect();
            judge(&question, expected, known, &statements)
        };
        let case = Case {
            id: format!(
                "{}/{}/{}/{}/{}",
                self.algorithm,
                Check::Vectors.name(),
                self.suite,
                self.group,
                self.name
            ),
            algorithm: self.algorithm,
            check: Check::Vectors,
            name: format!("{} {}, {}", self.suite, self.group, self.name),
            signer: None,
            expected,
            answers: judgement.answers,
            finding: judgement.finding,
        };
        Some(Failure { case, question, reference })
    }

    /// The right bytes: as the vector gives them, or where it gives a digest, as a peer made them that got it right.
    fn reference(&self, answers: &[(&Identity, Answer)]) -> Option<Vec<u8>> {
        let Wanted::Made(right) = &self.wanted else { return None };
        let fact = match right {
            Right::KeyPair { pk, .. } => pk,
            Right::Signature(signature) => signature,
            Right::Verdict(_) => return None,
        };
        let made = || answers.iter().find(|(_, answer)| self.is_met(answer))?.1.value.clone();
        fact.whole().map(<[u8]>::to_vec).or_else(made)
    }

    /// Only a digest of the right bytes is known, and no peer made them.
    fn nobody_is_right(&self, right: &Right, answers: &[(&Identity, Answer)]) -> Judgement {
        let mut recorded = BTreeMap::new();
        let mut votes: Vec<Vote> = Vec::new();
        let mut outliers = Vec::new();
        let mut said = Vec::new();
        for (who, answer) in answers {
            let (verdict, detail) = match &answer.value {
                Some(value) => (Verdict::Rejected, self.made(right, value)),
                None => (answer.verdict, answer.detail.clone()),
            };
            let words = detail.clone().unwrap_or_else(|| verdict.name().to_owned());
            if verdict != Verdict::Unsupported {
                outliers.push(who.name.clone());
                said.push(format!("{}: {words}", who.name));
            }
            match votes.iter_mut().find(|vote| vote.answer == words) {
                Some(vote) => {
                    vote.lineages.push(who.lineage(self.algorithm).to_owned());
                    vote.peers.push(who.name.clone());
                }
                None => votes.push(Vote {
                    answer: words,
                    lineages: vec![who.lineage(self.algorithm).to_owned()],
                    peers: vec![who.name.clone()],
                }),
            }
            recorded.insert(who.name.clone(), Recorded { verdict, detail });
        }
        for vote in &mut votes {
            vote.lineages.sort();
            vote.lineages.dedup();
        }
        let finding = Finding { outliers, votes, summary: said.join("; "), reproducer: None, known: None };
        Judgement { answers: recorded, finding: Some(finding), winner: None }
    }
}
