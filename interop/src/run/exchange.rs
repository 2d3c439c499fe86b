//! Every signer's signatures before every verifier.

use super::panel::{Ask, Panel, Title};
use super::signing::Signature;
use super::{Error, Subject};
use crate::key::{EncodedKey, KeyForm};
use crate::question::Question;
use crate::record::{Case, Check, Expected};

/// Verifies every signature by every peer, and notes which are valid. What several signers made alike is verified once and
/// counts for each.
pub(super) fn verify(
    panel: &Panel<'_>,
    subjects: &[Subject],
    signatures: &mut [Signature],
) -> Result<Vec<Case>, Error> {
    let ask = |signature: &Signature| {
        let Subject { algorithm, keys, messages } = &subjects[signature.subject];
        let question = Question::Verify {
            public: EncodedKey::public(keys.private.public_key(), KeyForm::Spki),
            message: messages[signature.message].message.clone(),
            signature: signature.bytes.clone(),
        };
        Ask { question, peers: panel.having(*algorithm) }
    };
    let asks: Vec<Ask> = signatures.iter().map(ask).collect();
    let answers = panel.ask("verifying", &asks)?;

    let mut cases = Vec::new();
    for ((signature, ask), answers) in signatures.iter_mut().zip(&asks).zip(answers) {
        let subject = &subjects[signature.subject];
        let planned = &subject.messages[signature.message];
        for signer in &signature.signers {
            let signer = panel.peers()[*signer].name().to_owned();
            let title = Title {
                algorithm: subject.algorithm,
                check: Check::Exchange,
                name: format!("{}, {}", planned.name, signature.randomness),
                setting: format!("by {signer}"),
                signer: Some(signer.clone()),
                expected: Expected::Accepted,
            };
            let (case, _) = panel.case(title, ask, None, answers.clone())?;
            signature.is_valid = case
                .finding
                .as_ref()
                .is_none_or(|finding| !finding.outliers.is_empty() && !finding.outliers.contains(&signer));
            cases.push(case);
        }
    }
    Ok(cases)
}
