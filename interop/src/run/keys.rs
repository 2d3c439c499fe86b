//! Keys: one seed gives one public key everywhere, and one key is the same in each form that it is written in.

use pqsig::Algorithm;

use super::panel::{Ask, Panel, Title};
use super::signing::Signature;
use super::{Error, Subject};
use crate::key::{EncodedKey, KeyForm};
use crate::message::Randomness;
use crate::peer::Kind;
use crate::plan::{self, Pace};
use crate::question::Question;
use crate::record::{Case, Check, Depth, Expected};

/// Public keys from seeds, compared.
pub(super) fn derive(panel: &Panel<'_>, subjects: &[Subject]) -> Result<Vec<Case>, Error> {
    let count = match panel.depth() {
        Depth::Quick => 2,
        Depth::Full => 8,
    };
    let mut titles = Vec::new();
    let mut asks = Vec::new();
    for subject in subjects {
        for index in 0..count {
            let algorithm = subject.algorithm;
            titles.push(Title {
                algorithm,
                check: Check::PublicKeys,
                name: format!("seed {index}"),
                setting: String::new(),
                signer: None,
                expected: Expected::Same,
            });
            let question = Question::Derive { algorithm, seed: plan::seed(algorithm, index) };
            asks.push(Ask { question, peers: panel.having(algorithm) });
        }
    }
    let answers = panel.ask("keys", &asks)?;
    let judged = titles.into_iter().zip(&asks).zip(answers);
    judged.map(|((title, ask), answers)| Ok(panel.case(title, ask, None, answers)?.0)).collect()
}

/// The key in each form: read as the same key, and signing as the same key.
pub(super) fn forms(
    panel: &Panel<'_>,
    subjects: &[Subject],
    signatures: &[Signature],
) -> Result<Vec<Case>, Error> {
    let mut forms = Vec::new();
    for (index, subject) in subjects.iter().enumerate() {
        let valid: Vec<_> = signatures
            .iter()
            .filter(|signature| signature.subject == index && signature.is_valid && signature.is_essential)
            .collect();
        forms.extend(private_forms(panel, subject, &valid));
        forms.extend(public_forms(panel, subject, &valid));
    }
    let (asks, rest): (Vec<_>, Vec<_>) =
        forms.into_iter().map(|form| (form.ask, (form.title, form.reference))).unzip();
    let answers = panel.ask("key forms", &asks)?;
    let judged = rest.into_iter().zip(&asks).zip(answers);
    judged
        .map(|(((title, reference), ask), answers)| {
            Ok(panel.case(title, ask, reference.as_deref(), answers)?.0)
        })
        .collect()
}

struct Form {
    title: Title,
    ask: Ask,
    reference: Option<Vec<u8>>,
}

fn private_forms(panel: &Panel<'_>, subject: &Subject, valid: &[&Signature]) -> Vec<Form> {
    let algorithm = subject.algorithm;
    let mut forms = Vec::new();
    for key in &subject.keys.forms {
        let title = |name: String| Title {
            algorithm,
            check: Check::KeyForms,
            name,
            setting: String::new(),
            signer: None,
            expected: Expected::Same,
        };
        let peers = takers(panel, algorithm, key.form);
        forms.push(Form {
            title: title(format!("{} is read", key.form)),
            ask: Ask { question: Question::Load { private: key.clone() }, peers: peers.clone() },
            reference: Some(subject.keys.private.public_key().as_bytes().to_vec()),
        });

        // The signature that all made with the form of their choice is the one that each form must give.
        let settled = valid.iter().find(|signature| signature.randomness == Randomness::Deterministic);
        let Some(settled) = settled else { continue };
        let affordable = |peer: &usize| {
            let kind = panel.peers()[*peer].identity().kind;
            match plan::pace(algorithm) {
                Pace::Fast => true,
                Pace::Medium => kind == Kind::InProcess,
                Pace::Slow => kind == Kind::InProcess && panel.depth() == Depth::Full,
            }
        };
        let question = Question::Sign {
            private: key.clone(),
            message: subject.messages[settled.message].message.clone(),
            randomness: Randomness::Deterministic,
        };
        forms.push(Form {
            title: title(format!("{} signs", key.form)),
            ask: Ask { question, peers: peers.into_iter().filter(affordable).collect() },
            reference: Some(settled.bytes.clone()),
        });
    }
    forms.retain(|form| !form.ask.peers.is_empty());
    forms
}

fn public_forms(panel: &Panel<'_>, subject: &Subject, valid: &[&Signature]) -> Vec<Form> {
    let Some(settled) = valid.first() else {
        return Vec::new();
    };
    let form = |form: KeyForm| {
        let question = Question::Verify {
            public: EncodedKey::public(subject.keys.private.public_key(), form),
            message: subject.messages[settled.message].message.clone(),
            signature: settled.bytes.clone(),
        };
        Form {
            title: Title {
                algorithm: subject.algorithm,
                check: Check::KeyForms,
                name: format!("{form} verifies"),
                setting: String::new(),
                signer: None,
                expected: Expected::Accepted,
            },
            ask: Ask { question, peers: takers(panel, subject.algorithm, form) },
            reference: None,
        }
    };
    KeyForm::PUBLIC_FORMS.into_iter().map(form).filter(|form| !form.ask.peers.is_empty()).collect()
}

/// Those who take keys in this form.
fn takers(panel: &Panel<'_>, algorithm: Algorithm, form: KeyForm) -> Vec<usize> {
    let takes_it = |peer: &usize| {
        panel.peers()[*peer].ability(algorithm).is_some_and(|ability| ability.keys.contains(&form))
    };
    panel.having(algorithm).into_iter().filter(takes_it).collect()
}
