//! Judges somebody's response to a prompt.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pqsig::Algorithm;
use rayon::prelude::*;

use super::agreement::Agreement;
use super::answer::Progress;
use super::error::Error;
use super::head::Head;
use super::prompt::{Case, Prompt};
use super::response::{Expected, Key, Outcome, Response, Right};
use crate::key::{EncodedKey, KeyForm};
use crate::message::Randomness;
use crate::peer::{Caching, Peer};
use crate::question::Question;

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The answer is right.
    Right,
    /// It is not.
    Wrong,
    /// There is none.
    Missing,
    /// Nobody here can say what is right. Never a pass.
    Unjudged,
}

impl Judgement {
    /// Every judgement.
    pub const ALL: [Judgement; 4] =
        [Judgement::Right, Judgement::Wrong, Judgement::Missing, Judgement::Unjudged];

    /// `right`, `wrong`, `missing` or `unjudged`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Right => "right",
            Judgement::Wrong => "wrong",
            Judgement::Missing => "missing",
            Judgement::Unjudged => "unjudged",
        }
    }
}

/// A case's judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// tgId and tcId.
    pub key: Key,
    /// The parameter set.
    pub algorithm: Algorithm,
    /// The judgement.
    pub judgement: Judgement,
    /// Why, where there is something to say.
    pub reason: Option<String>,
    /// Who of those who computed the right answer said otherwise, or broke. A finding even where the answer is right.
    pub dissent: Option<String>,
}

/// What a response came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The prompt's head.
    pub head: Head,
    /// Every case of the prompt, in its order.
    pub cases: Vec<Judged>,
    /// Answers to cases that the prompt does not have.
    pub unasked: Vec<Key>,
}

impl Report {
    /// How many cases were judged so.
    #[must_use]
    pub fn count(&self, judgement: Judgement) -> usize {
        self.cases.iter().filter(|case| case.judgement == judgement).count()
    }

    /// True if every answer is right, none is missing or too many, and all who judged agree.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.unasked.is_empty()
            && self.cases.iter().all(|case| case.judgement == Judgement::Right && case.dissent.is_none())
    }
}

/// The counts, then a line for each case about which there is something to say.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} cases", self.head, self.cases.len())?;
        for judgement in Judgement::ALL {
            write!(f, ", {} {}", self.count(judgement), judgement.name())?;
        }
        if !self.unasked.is_empty() {
            write!(f, ", {} unasked", self.unasked.len())?;
        }
        writeln!(f)?;
        for case in &self.cases {
            if case.judgement == Judgement::Right && case.dissent.is_none() {
                continue;
            }
            let (tg_id, tc_id) = case.key;
            write!(f, "tgId {tg_id}, tcId {tc_id}, {}: {}", case.algorithm, case.judgement.name())?;
            for words in [&case.reason, &case.dissent].into_iter().flatten() {
                write!(f, "; {words}")?;
            }
            writeln!(f)?;
        }
        for (tg_id, tc_id) in &self.unasked {
            writeln!(f, "tgId {tg_id}, tcId {tc_id}: answered, but not asked")?;
        }
        Ok(())
    }
}

/// Judges a response.
///
/// Where one answer is right (key pairs, verdicts, signatures without fresh randomness) the response must have it byte for
/// byte: the one that `expected` names, or without it the one that more than half of the peers' code families
/// compute. A signature with fresh randomness must verify under the public half of the key that the prompt gave.
///
/// # Errors
/// [`Error::OtherSet`] when the three are not about the same vector set.
pub fn check(
    prompt: &Prompt,
    response: &Response,
    expected: Option<&Expected>,
    peers: &[Arc<dyn Peer>],
    progress: Progress<'_>,
) -> Result<Report, Error> {
    same_set(&prompt.head, &response.head)?;
    if let Some(expected) = expected {
        same_set(&prompt.head, &expected.head)?;
    }
    let peers: Vec<Arc<dyn Peer>> =
        peers.iter().map(|peer| Arc::new(Caching::new(peer.clone())) as Arc<dyn Peer>).collect();
    let all: Vec<_> = prompt.cases().collect();
    let done = AtomicUsize::new(0);
    let cases = all
        .par_iter()
        .with_max_len(1)
        .map(|(group, case)| {
            let key = (group.tg_id, case.tc_id);
            let right = expected.and_then(|expected| expected.right.get(&key));
            let (judgement, reason, dissent) = judge(case, response.answers.get(&key), right, &peers);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, all.len());
            Judged { key, algorithm: group.algorithm, judgement, reason, dissent }
        })
        .collect();
    let asked: std::collections::HashSet<Key> =
        all.iter().map(|(group, case)| (group.tg_id, case.tc_id)).collect();
    let unasked = response.answers.keys().filter(|key| !asked.contains(key)).copied().collect();
    Ok(Report { head: prompt.head.clone(), cases, unasked })
}

fn same_set(prompt: &Head, other: &Head) -> Result<(), Error> {
    let of = |head: &Head| (head.vs_id, head.family, head.task);
    if of(prompt) == of(other) {
        Ok(())
    } else {
        Err(Error::OtherSet { prompt: prompt.to_string(), response: other.to_string() })
    }
}

type Judging = (Judgement, Option<String>, Option<String>);

fn judge(
    case: &Case,
    given: Option<&Result<Outcome, String>>,
    right: Option<&Right>,
    peers: &[Arc<dyn Peer>],
) -> Judging {
    let given = match given {
        None => return (Judgement::Missing, None, None),
        Some(Err(why)) => return (Judgement::Wrong, Some(why.clone()), None),
        Some(Ok(outcome)) => outcome,
    };
    if let (
        Question::Sign { private, message, randomness: Randomness::Hedged },
        Outcome::Signature(signature),
    ) = (&case.question, given)
    {
        let public = match private.to_public() {
            Ok(key) => EncodedKey::public(&key, KeyForm::RawPublic),
            Err(error) => {
                return (
                    Judgement::Unjudged,
                    Some(format!("`sk` of the prompt has no public key: {error}")),
                    None,
                );
            }
        };
        let verify = Question::Verify { public, message: message.clone(), signature: signature.clone() };
        return by_agreement(&Agreement::find(&verify, peers), |verdict| match verdict {
            Outcome::Verdict(true) => None,
            _ => Some("`signature` does not verify".to_owned()),
        });
    }
    let algorithm = case.question.algorithm();
    match right {
        Some(right) => held_against(right.difference(algorithm, given)),
        None => by_agreement(&Agreement::find(&case.question, peers), |outcome| {
            Right::from(outcome.clone()).difference(algorithm, given)
        }),
    }
}

fn held_against(difference: Option<String>) -> Judging {
    match difference {
        None => (Judgement::Right, None, None),
        Some(difference) => (Judgement::Wrong, Some(difference), None),
    }
}

fn by_agreement(agreement: &Agreement, difference: impl FnOnce(&Outcome) -> Option<String>) -> Judging {
    let dissent = agreement.dissent();
    match agreement.decided() {
        Some(ballot) => {
            let (judgement, reason, _) = held_against(difference(&ballot.outcome));
            let by = ballot.peers.join(", ");
            (judgement, reason.map(|reason| format!("{reason} (by {by})")), dissent)
        }
        None if agreement.ballots.is_empty() => {
            (Judgement::Unjudged, Some("no peer here can answer it".to_owned()), dissent)
        }
        None => (Judgement::Unjudged, Some("the code families are split evenly".to_owned()), dissent),
    }
}
