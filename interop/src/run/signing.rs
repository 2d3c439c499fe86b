//! Signatures: each message is signed by each signer, and what is deterministic is compared.

use std::collections::BTreeMap;

use super::panel::{Ask, Panel, Title};
use super::{Error, Subject};
use crate::message::Randomness;
use crate::peer::Ability;
use crate::plan::{self, Priority};
use crate::question::{Answer, Question, Verdict};
use crate::record::{Case, Check, Expected};

/// A signature that was made.
pub(super) struct Signature {
    /// The place of its algorithm among the subjects.
    pub(super) subject: usize,
    /// The message's place in the subject's plan.
    pub(super) message: usize,
    pub(super) is_essential: bool,
    pub(super) randomness: Randomness,
    /// Who made it, each with the same bytes.
    pub(super) signers: Vec<usize>,
    pub(super) bytes: Vec<u8>,
    /// Whether most code families take it for valid: known once it was verified.
    pub(super) is_valid: bool,
}

/// A message and a kind of randomness, with those who sign it.
struct Job {
    subject: usize,
    message: usize,
    randomness: Randomness,
    /// One question per peer: they take keys in different forms.
    asks: std::ops::Range<usize>,
    /// Those who said beforehand that they can't.
    unable: Vec<usize>,
}

/// Signs everything. The signatures come in the order of the subjects and their messages, deterministic ones first, and of
/// these first the ones that most code families made.
pub(super) fn sign(panel: &Panel<'_>, subjects: &[Subject]) -> Result<(Vec<Case>, Vec<Signature>), Error> {
    let mut asks = Vec::new();
    let mut jobs = Vec::new();
    // The slow ones first, so that no core ends up waiting for one that began last.
    let mut order: Vec<usize> = (0..subjects.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(plan::pace(subjects[*index].algorithm)));
    for subject in order {
        for message in 0..subjects[subject].messages.len() {
            for randomness in [Randomness::Deterministic, Randomness::Hedged] {
                jobs.extend(job(panel, subjects, (subject, message), randomness, &mut asks));
            }
        }
    }
    let answers = panel.ask("signing", &asks)?;

    jobs.sort_by_key(|job| (job.subject, job.message));
    let mut cases = Vec::new();
    let mut signatures = Vec::new();
    for job in &jobs {
        let subject = &subjects[job.subject];
        let (case, made) = settle(panel, subject, job, &asks, &answers)?;
        cases.push(case);
        if job.randomness == Randomness::Hedged {
            cases.extend(freshness(panel, subject, job, &made, &signatures)?);
        }
        signatures.extend(made);
    }
    Ok((cases, signatures))
}

fn job(
    panel: &Panel<'_>,
    subjects: &[Subject],
    (subject, message): (usize, usize),
    randomness: Randomness,
    asks: &mut Vec<Ask>,
) -> Option<Job> {
    let Subject { algorithm, keys, messages } = &subjects[subject];
    let planned = &messages[message];
    let begin = asks.len();
    let mut unable = Vec::new();
    for (index, peer) in panel.peers().iter().enumerate() {
        let Some(ability) = peer.ability(*algorithm) else { continue };
        if !planned.is_signed_by(*algorithm, peer.identity().kind, panel.depth()) {
            continue;
        }
        if !planned.randomness(*algorithm, &ability, panel.depth()).contains(&randomness) {
            if !can(&ability, &randomness) {
                unable.push(index);
            }
            continue;
        }
        let Some(private) = keys.private_for(&ability) else {
            unable.push(index);
            continue;
        };
        let question = Question::Sign {
            private: private.clone(),
            message: planned.message.clone(),
            randomness: randomness.clone(),
        };
        asks.push(Ask { question, peers: vec![index] });
    }
    let asks = begin..asks.len();
    (!asks.is_empty()).then_some(Job { subject, message, randomness, asks, unable })
}

fn can(ability: &Ability, randomness: &Randomness) -> bool {
    ability.admit_randomness(randomness).is_ok()
}

/// The case of a job, and the signatures that came of it.
fn settle(
    panel: &Panel<'_>,
    subject: &Subject,
    job: &Job,
    asks: &[Ask],
    answers: &[Vec<Answer>],
) -> Result<(Case, Vec<Signature>), Error> {
    let planned = &subject.messages[job.message];
    let mut said: BTreeMap<usize, Answer> = BTreeMap::new();
    for (ask, answers) in asks[job.asks.clone()].iter().zip(&answers[job.asks.clone()]) {
        said.extend(ask.peers.iter().copied().zip(answers.iter().cloned()));
    }
    // What a peer has said that it can't do is asked too: it costs nothing and is on record.
    let question = asks[job.asks.start].question.clone();
    for peer in &job.unable {
        said.insert(*peer, question.ask(&*panel.peers()[*peer]));
    }

    let mut by_bytes: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (peer, answer) in &said {
        if let Some(value) = &answer.value {
            by_bytes.entry(value).or_default().push(*peer);
        }
    }
    let mut made: Vec<Signature> = by_bytes
        .into_iter()
        .map(|(bytes, signers)| Signature {
            subject: job.subject,
            message: job.message,
            is_essential: planned.priority == Priority::Essential,
            randomness: job.randomness.clone(),
            signers,
            bytes: bytes.to_vec(),
            is_valid: false,
        })
        .collect();

    let (check, expected) = match job.randomness {
        Randomness::Hedged => (Check::Exchange, Expected::Accepted),
        _ => (Check::Signatures, Expected::Same),
    };
    let name = match job.randomness {
        Randomness::Hedged => format!("{} is signed, hedged", planned.name),
        _ => planned.name.clone(),
    };
    let title =
        Title { algorithm: subject.algorithm, check, name, setting: String::new(), signer: None, expected };
    let ask = Ask { question, peers: said.keys().copied().collect() };
    let (case, winner) = panel.case(title, &ask, None, said.into_values().collect())?;
    made.sort_by_key(|signature| (winner.as_ref() != Some(&signature.bytes), signature.signers[0]));
    Ok((case, made))
}

/// Whether hedged signatures are: one that equals the deterministic one has no fresh randomness in it.
fn freshness(
    panel: &Panel<'_>,
    subject: &Subject,
    job: &Job,
    hedged: &[Signature],
    earlier: &[Signature],
) -> Result<Option<Case>, Error> {
    let deterministic = earlier.iter().rev().find(|signature| {
        signature.subject == job.subject
            && signature.message == job.message
            && signature.randomness == Randomness::Deterministic
    });
    let (Some(deterministic), Some(any)) = (deterministic, hedged.first()) else {
        return Ok(None);
    };
    let mut said = BTreeMap::new();
    for signature in hedged {
        let repeats = signature.bytes == deterministic.bytes || signature.signers.len() > 1;
        let answer = if repeats {
            let detail = Some("the hedged signature is one that was made before".to_owned());
            Answer { verdict: Verdict::Rejected, detail, value: None }
        } else {
            Answer { verdict: Verdict::Accepted, detail: None, value: None }
        };
        said.extend(signature.signers.iter().map(|signer| (*signer, answer.clone())));
    }
    let planned = &subject.messages[any.message];
    let title = Title {
        algorithm: subject.algorithm,
        check: Check::Signatures,
        name: format!("{}: hedged signatures are fresh", planned.name),
        setting: String::new(),
        signer: None,
        expected: Expected::Accepted,
    };
    let Some(private) = subject.keys.forms.first().cloned() else { return Ok(None) };
    let question =
        Question::Sign { private, message: planned.message.clone(), randomness: Randomness::Hedged };
    let ask = Ask { question, peers: said.keys().copied().collect() };
    Ok(Some(panel.case(title, &ask, None, said.into_values().collect())?.0))
}
