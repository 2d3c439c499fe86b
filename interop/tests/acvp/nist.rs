//! NIST's own vectors.

use std::collections::BTreeSet;
use std::sync::Arc;

use pqsig::{Algorithm, Family};
use pqsig_interop::acvp::pack::SETS;
use pqsig_interop::acvp::{Key, Outcome, Prompt, Response, Task, answer};
use serde_json::{Value, json};

use crate::disguised::Disguised;
use crate::{only, peer, quiet};

/// The pack holds a part of every group of NIST's files, and all of what two parameter sets have.
#[test]
fn the_pack_has_a_part_of_every_group() {
    // Set, groups and cases of NIST's, cases of the pack.
    let expected = [
        ("ML-DSA-keyGen-FIPS204", 3, 75),
        ("ML-DSA-sigGen-FIPS204", 24, 136),
        ("ML-DSA-sigVer-FIPS204", 12, 76),
        ("SLH-DSA-keyGen-FIPS205", 12, 120),
        ("SLH-DSA-sigGen-FIPS205", 72, 118),
        ("SLH-DSA-sigVer-FIPS205", 36, 75),
    ];
    for (set, (name, groups, cases)) in SETS.iter().zip(expected) {
        let vectors = set.packed().unwrap();
        assert_eq!(set.name, name);
        assert_eq!(vectors.prompt.groups.len(), groups, "{name}");
        assert_eq!(vectors.prompt.len(), cases, "{name}");
        assert!(vectors.prompt.groups.iter().all(|group| !group.cases.is_empty()), "{name}");
        assert!(vectors.prompt.groups.iter().map(|group| group.tg_id).eq(1..=groups as u64), "{name}");
        let asked: BTreeSet<Key> =
            vectors.prompt.cases().map(|(group, case)| (group.tg_id, case.tc_id)).collect();
        assert!(vectors.expected.right.keys().eq(&asked), "{name}");
        let algorithms: BTreeSet<_> =
            vectors.prompt.groups.iter().map(|group| group.algorithm.name()).collect();
        assert_eq!(algorithms.len(), if set.family == Family::MlDsa { 3 } else { 12 }, "{name}");
    }
}

/// NIST's own prompts for these two sets, whole, answered by two backends that share no code, match case for case.
#[test]
fn two_backends_answer_nists_prompts_as_nist_expects() {
    let counts = [
        (Algorithm::MlDsa65, Task::KeyGen, 25),
        (Algorithm::MlDsa65, Task::SigGen, 120),
        (Algorithm::MlDsa65, Task::SigVer, 60),
        (Algorithm::SlhDsaSha2_192f, Task::KeyGen, 10),
        (Algorithm::SlhDsaSha2_192f, Task::SigGen, 52),
        (Algorithm::SlhDsaSha2_192f, Task::SigVer, 42),
    ];
    for (algorithm, task, cases) in counts {
        let set = SETS.iter().find(|set| set.family == algorithm.family() && set.task == task).unwrap();
        let vectors = set.packed().unwrap();
        let prompt = only(vectors.prompt, algorithm);
        assert_eq!(prompt.len(), cases);
        for name in ["rustcrypto", "openssl"] {
            let answered = answer(&prompt, peer(name), &quiet);
            assert!(answered.unanswered.is_empty(), "{name}: {:?}", answered.unanswered);
            for (group, case) in prompt.cases() {
                let key = (group.tg_id, case.tc_id);
                let outcome = answered.response.answers[&key].as_ref().unwrap();
                let difference = vectors.expected.right[&key].difference(algorithm, outcome);
                assert_eq!(difference, None, "{name} on {algorithm} {}, case {key:?}", task.name());
            }
        }
    }
}

/// What is written is laid out as NIST does it, so an answer to NIST's prompt is NIST's file to the byte.
#[test]
fn a_response_is_written_as_nist_writes_it() {
    let prompt = json!({
        "vsId": 53, "algorithm": "SLH-DSA", "mode": "keyGen", "revision": "FIPS205", "isSample": true,
        "testGroups": [{
            "tgId": 4, "testType": "AFT", "parameterSet": "SLH-DSA-SHAKE-128f", "unknown": [1],
            "tests": [{
                "tcId": 31,
                "skSeed": "2A2CCF3CD8F9F86E131BE654CFF6C0B4",
                "skPrf": "FDFCEB1AA2F0BA2C3C1388194F6116C7",
                "pkSeed": "890CC7F4A46FE6C34D3F26A62FF962E1",
                "deferred": false
            }]
        }]
    });
    let prompt = Prompt::parse(prompt.to_string().as_bytes()).unwrap();
    let answered = answer(&prompt, peer("rustcrypto"), &quiet);
    let Ok(Outcome::KeyPair { pk, sk }) = &answered.response.answers[&(4, 31)] else { panic!("no key pair") };
    assert_eq!(&sk[32..], pk);
    let written = String::from_utf8(answered.response.to_json().unwrap()).unwrap();
    let (sk, pk) = (hex::encode_upper(sk), hex::encode_upper(pk));
    let expected = format!(
        "{{\n  \"vsId\": 53,\n  \"algorithm\": \"SLH-DSA\",\n  \"mode\": \"keyGen\",\n  \"revision\": \"FIPS205\",\n  \
         \"isSample\": true,\n  \"testGroups\": [\n    {{\n      \"tgId\": 4,\n      \"tests\": [\n        {{\n          \
         \"tcId\": 31,\n          \"sk\": \"{sk}\",\n          \"pk\": \"{pk}\"\n        }}\n      ]\n    }}\n  ]\n}}"
    );
    assert_eq!(written, expected);
    assert_eq!(Response::parse(written.as_bytes()).unwrap(), answered.response);
}

/// NIST's array form goes in and comes out.
#[test]
fn the_array_form_is_read_and_written() {
    let set: Value = serde_json::from_slice(&SETS[0].prompt_json().unwrap()).unwrap();
    let array = json!([{ "acvVersion": "1.0", "more": 1 }, set]);
    let prompt = only(Prompt::parse(array.to_string().as_bytes()).unwrap(), Algorithm::MlDsa44);
    assert_eq!(prompt.len(), 25);
    let answered = answer(&prompt, peer("openssl"), &quiet);
    let written: Value = serde_json::from_slice(&answered.response.to_json().unwrap()).unwrap();
    assert_eq!(written[0], json!({ "acvVersion": "1.0" }));
    assert_eq!(written[1]["testGroups"][0]["tests"].as_array().unwrap().len(), 25);
    assert_eq!(Response::parse(written.to_string().as_bytes()).unwrap(), answered.response);
}

/// A backend that lacks something leaves the case out and says so.
#[test]
fn what_a_backend_lacks_is_left_out_and_named() {
    let prompt = only(SETS[1].packed().unwrap().prompt, Algorithm::MlDsa44);
    let lacking = Disguised { takes_randomness: false, ..Disguised::new("rustcrypto", "lacking") };
    let answered = answer(&prompt, Arc::new(lacking), &quiet);
    assert_eq!(answered.response.answers.len(), 4);
    assert_eq!(answered.unanswered.len(), 4);
    for (_, why) in answered.unanswered {
        assert_eq!(why.to_string(), "unsupported: given randomness");
    }
}
