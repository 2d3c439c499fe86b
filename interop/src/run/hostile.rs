//! Hostile cases, from the keys and signatures that were made.

use std::collections::BTreeSet;

use pqsig::Algorithm;

use super::panel::{Ask, Panel, Title};
use super::signing::Signature;
use super::{Error, Subject};
use crate::hostile::{Cases, HostileCase, Signed, from_key, from_signature, standing};
use crate::message::Randomness;
use crate::peer::Kind;
use crate::question::Question;
use crate::record::{Case, Check, Depth, Expected, NotMade};

/// Asks every hostile case of every peer.
pub(super) fn ask(
    panel: &Panel<'_>,
    subjects: &[Subject],
    signatures: &[Signature],
) -> Result<(Vec<Case>, Vec<NotMade>), Error> {
    let mut heap = Heap { panel, cases: Vec::new(), waiting: Vec::new(), bytes: 0 };
    let mut not_made = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let valid: Vec<_> = signatures.iter().filter(|s| s.subject == index && s.is_valid).collect();
        for (setting, cases) in sources(panel, subject, &valid) {
            for missing in cases.not_made {
                let title =
                    title(subject.algorithm, Check::Hostile, missing.name, &setting, Expected::Rejected);
                not_made.push(NotMade { id: title.id(), why: missing.why.to_owned() });
            }
            for case in cases.made {
                heap.add(subject.algorithm, &case, &setting)?;
            }
        }
    }
    heap.ask()?;
    Ok((heap.cases, not_made))
}

/// Cases with what they were made from, in words.
fn sources(panel: &Panel<'_>, subject: &Subject, valid: &[&Signature]) -> Vec<(String, Cases)> {
    let mut sources = vec![(String::new(), standing(subject.algorithm))];
    if let Some(signed) = valid.iter().find(|s| s.is_essential).and_then(|s| signed(subject, s)) {
        sources.push((String::new(), from_key(&signed)));
    }
    for signature in chosen(panel, subject, valid) {
        let Some(made_from) = signed(subject, signature) else { continue };
        let planned = &subject.messages[signature.message];
        let by = panel.peers()[signature.signers[0]].name();
        let setting = format!("{}, {} by {by}", planned.name, signature.randomness);
        sources.push((setting, from_signature(&made_from, panel.depth())));
    }
    sources
}

/// The signatures that hostile cases are made from: one per kind of message in a quick run; in a full one, one of each signer
/// per kind of message, a hedged one where there is one.
fn chosen<'a>(panel: &Panel<'_>, subject: &Subject, valid: &[&'a Signature]) -> Vec<&'a Signature> {
    let mut chosen = Vec::new();
    for (message, planned) in subject.messages.iter().enumerate() {
        if !planned.hostile {
            continue;
        }
        let mut candidates: Vec<&Signature> =
            valid.iter().copied().filter(|s| s.message == message).collect();
        match panel.depth() {
            Depth::Quick => chosen.extend(candidates.first()),
            Depth::Full => {
                candidates.sort_by_key(|s| s.randomness != Randomness::Hedged);
                let mut signers = BTreeSet::new();
                chosen.extend(candidates.into_iter().filter(|s| signers.insert(s.signers[0])));
            }
        }
    }
    chosen
}

fn signed<'a>(subject: &'a Subject, signature: &'a Signature) -> Option<Signed<'a>> {
    let message = &subject.messages[signature.message].message;
    Signed::new(&subject.keys.private, &subject.keys.other, message, &signature.bytes).ok()
}

fn title(algorithm: Algorithm, check: Check, name: String, setting: &str, expected: Expected) -> Title {
    Title { algorithm, check, name, setting: setting.to_owned(), signer: None, expected }
}

/// Questions that wait to be asked together. Those of a full run would not all fit into memory at once.
struct Heap<'a> {
    panel: &'a Panel<'a>,
    cases: Vec<Case>,
    waiting: Vec<(Title, Ask)>,
    bytes: usize,
}

impl Heap<'_> {
    const LIMIT: usize = 128 << 20;

    fn add(&mut self, algorithm: Algorithm, case: &HostileCase, setting: &str) -> Result<(), Error> {
        let everyone = self.panel.having(algorithm);
        let of_kind = |kind| {
            let is_of_kind = |peer: &usize| self.panel.peers()[*peer].identity().kind == kind;
            everyone.iter().copied().filter(is_of_kind).collect::<Vec<_>>()
        };
        // What is owed by backends of this process only is two cases: the others' policy is reported beside it.
        let parts = match case.in_process {
            Some(owed) => vec![
                (owed, of_kind(Kind::InProcess), join(setting, "in process")),
                (case.expected, of_kind(Kind::Adapter), setting.to_owned()),
            ],
            None => vec![(case.expected, everyone.clone(), setting.to_owned())],
        };
        for (expected, peers, setting) in parts.into_iter().filter(|(_, peers, _)| !peers.is_empty()) {
            self.bytes += size(&case.question);
            let title = title(algorithm, case.check, case.name.clone(), &setting, expected);
            self.waiting.push((title, Ask { question: case.question.clone(), peers }));
        }
        if self.bytes >= Self::LIMIT { self.ask() } else { Ok(()) }
    }

    fn ask(&mut self) -> Result<(), Error> {
        self.bytes = 0;
        let (titles, asks): (Vec<_>, Vec<_>) = self.waiting.drain(..).unzip();
        let answers = self.panel.ask("hostile cases", &asks)?;
        for ((title, ask), answers) in titles.into_iter().zip(&asks).zip(answers) {
            self.cases.push(self.panel.case(title, ask, None, answers)?.0);
        }
        Ok(())
    }
}

fn join(setting: &str, more: &str) -> String {
    if setting.is_empty() { more.to_owned() } else { format!("{setting}, {more}") }
}

fn size(question: &Question) -> usize {
    match question {
        Question::Derive { seed, .. } => seed.len(),
        Question::Load { private } | Question::Sign { private, .. } => private.bytes.len(),
        Question::Verify { public, signature, .. } => public.bytes.len() + signature.len(),
    }
}
