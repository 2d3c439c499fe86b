//! Responses are judged.

use std::sync::Arc;

use pqsig::Algorithm;
use pqsig_interop::acvp::{Answered, Judgement, Key, Outcome, Prompt, Report, Response, answer, check};
use pqsig_interop::peer::Peer;

use crate::disguised::Disguised;
use crate::{everyone, fresh, peer, quiet};

/// Changes one byte of a case's answer.
fn changed(response: &Response, key: Key) -> Response {
    let mut response = response.clone();
    match response.answers.get_mut(&key).unwrap().as_mut().unwrap() {
        Outcome::KeyPair { pk, .. } => pk[3] ^= 1,
        Outcome::Signature(signature) => *signature.last_mut().unwrap() ^= 0x80,
        Outcome::Verdict(verdict) => *verdict = !*verdict,
    }
    response
}

/// A fresh prompt answered by one backend is judged right, and wrong after one byte of the response is changed. Each fault
/// of a response is found where it is, and nowhere else.
#[test]
fn a_response_is_judged_right_and_each_change_is_found() {
    for (algorithm, count, backend) in
        [(Algorithm::MlDsa44, 3, "openssl"), (Algorithm::SlhDsaSha2_128f, 2, "rustcrypto")]
    {
        for (task, json) in fresh(algorithm, count).0 {
            let prompt = Prompt::parse(&json).unwrap();
            let Answered { response, unanswered } = answer(&prompt, peer(backend), &quiet);
            assert_eq!(unanswered, []);
            let judge = |response: &Response| check(&prompt, response, None, &everyone(), &quiet).unwrap();

            let report = judge(&response);
            assert!(report.is_clean(), "{algorithm} {task}: {report}");
            assert_eq!(report.count(Judgement::Right), prompt.len());

            let keys: Vec<Key> = prompt.cases().map(|(group, case)| (group.tg_id, case.tc_id)).collect();
            // One case of each group.
            for &key in keys.iter().step_by(count) {
                let report = judge(&changed(&response, key));
                assert_eq!(wrong(&report), [key], "{algorithm} {task}: {report}");
                assert_eq!(report.count(Judgement::Right), prompt.len() - 1);
            }

            let mut lacking = response.clone();
            lacking.answers.remove(&keys[0]);
            lacking.answers.insert((999, 1), Ok(Outcome::Verdict(true)));
            let report = judge(&lacking);
            assert_eq!(report.count(Judgement::Missing), 1);
            assert_eq!(report.unasked, [(999, 1)]);
            assert!(!report.is_clean());

            let nobody = check(&prompt, &response, None, &[], &quiet).unwrap();
            assert_eq!(nobody.count(Judgement::Unjudged), prompt.len());
            assert!(!nobody.is_clean());
        }
    }
}

fn wrong(report: &Report) -> Vec<Key> {
    report.cases.iter().filter(|case| case.judgement == Judgement::Wrong).map(|case| case.key).collect()
}

/// Two code families that contradict each other decide nothing; three do, and the outlier is named.
#[test]
fn a_split_is_reported() {
    let (prompts, _) = fresh(Algorithm::MlDsa44, 1);
    let prompt = Prompt::parse(&prompts["keyGen"]).unwrap();
    let response = answer(&prompt, peer("openssl"), &quiet).response;
    let liar =
        || -> Arc<dyn Peer> { Arc::new(Disguised { lies: true, ..Disguised::new("openssl", "openssl") }) };
    let two = vec![peer("rustcrypto"), liar()];
    let report = check(&prompt, &response, None, &two, &quiet).unwrap();
    assert_eq!(report.count(Judgement::Unjudged), 1, "{report}");
    assert_eq!(report.cases[0].dissent.as_deref(), Some("split: rustcrypto against openssl"));

    // The liar's family has one vote, however many of its kind are there.
    let third: Arc<dyn Peer> = Arc::new(Disguised::new("rustcrypto", "third"));
    let many = [two, vec![peer("openssl"), liar(), third]].concat();
    let report = check(&prompt, &response, None, &many, &quiet).unwrap();
    assert_eq!(report.count(Judgement::Right), 1, "{report}");
    assert!(!report.is_clean(), "a split is a finding");
    assert_eq!(report.cases[0].dissent.as_deref(), Some("split: rustcrypto and third against openssl"));
}
