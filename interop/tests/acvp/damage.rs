//! Damaged files.

use pqsig_interop::acvp::pack::SETS;
use pqsig_interop::acvp::{Error, Expected, Outcome, Prompt, Response, answer};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{peer, quiet};

/// A prompt of one case, with changes.
fn damaged(change: impl FnOnce(&mut Value)) -> Result<Prompt, Error> {
    let mut prompt = json!({
        "vsId": 42, "algorithm": "ML-DSA", "mode": "sigGen", "revision": "FIPS204", "isSample": false,
        "testGroups": [{
            "tgId": 7, "testType": "AFT", "parameterSet": "ML-DSA-44", "deterministic": true,
            "signatureInterface": "external", "preHash": "preHash",
            "tests": [{ "tcId": 91, "message": "00", "sk": "ABCD", "context": "", "hashAlg": "SHA2-256" }]
        }]
    });
    change(&mut prompt);
    Prompt::parse(prompt.to_string().as_bytes())
}

/// What is done to a prompt.
type Damage = Box<dyn FnOnce(&mut Value)>;

#[test]
fn damaged_prompts_say_what_is_wrong_and_where() {
    assert_eq!(damaged(|_| {}).unwrap().len(), 1);
    let group = |prompt: &mut Value, field: &str, value: Value| prompt["testGroups"][0][field] = value;
    let case = |prompt: &mut Value, field: &str, value: Value| {
        prompt["testGroups"][0]["tests"][0][field] = value;
    };
    let refusals: Vec<(Damage, &str)> = vec![
        (Box::new(|p| p["algorithm"] = "RSA".into()), "`algorithm` is `RSA`: ML-DSA and SLH-DSA are known"),
        (
            Box::new(|p| p["mode"] = "keyCheck".into()),
            "`mode` is `keyCheck`: keyGen, sigGen and sigVer are known",
        ),
        (Box::new(|p| p["revision"] = "1.0".into()), "`revision` of ML-DSA is `1.0`: FIPS204 is known"),
        (
            Box::new(move |p| group(p, "parameterSet", "ML-DSA-45".into())),
            "tgId 7: `parameterSet` is `ML-DSA-45`, which is no set of ML-DSA",
        ),
        (
            Box::new(move |p| group(p, "parameterSet", "SLH-DSA-SHA2-128s".into())),
            "tgId 7: `parameterSet` is `SLH-DSA-SHA2-128s`, which is no set of ML-DSA",
        ),
        (Box::new(move |p| group(p, "parameterSet", Value::Null)), "tgId 7: `parameterSet` is missing"),
        (Box::new(move |p| group(p, "deterministic", Value::Null)), "tgId 7: `deterministic` is missing"),
        (
            Box::new(move |p| group(p, "signatureInterface", Value::Null)),
            "tgId 7: `signatureInterface` is missing",
        ),
        (
            Box::new(move |p| group(p, "signatureInterface", "internal".into())),
            "tgId 7: `externalMu` is missing",
        ),
        (
            Box::new(move |p| group(p, "preHash", "both".into())),
            "tgId 7: `preHash` is `both`: pure and preHash are known",
        ),
        (Box::new(move |p| group(p, "testType", "MCT".into())), "tgId 7: `testType` is `MCT`: AFT is known"),
        (Box::new(move |p| case(p, "sk", Value::Null)), "tgId 7, tcId 91: `sk` is missing"),
        (Box::new(move |p| case(p, "context", Value::Null)), "tgId 7, tcId 91: `context` is missing"),
        (
            Box::new(move |p| case(p, "message", "ABC".into())),
            "tgId 7, tcId 91: `message` has an odd number of hexadecimal digits, 3",
        ),
        (
            Box::new(move |p| case(p, "message", "0g".into())),
            "tgId 7, tcId 91: `message` is not hexadecimal: invalid character 'g' at position 1",
        ),
        (
            Box::new(move |p| case(p, "messageLength", 16.into())),
            "tgId 7, tcId 91: `messageLength` is 16, `message` has 8 bits",
        ),
        (
            Box::new(|p| {
                let twice = p["testGroups"][0]["tests"][0].clone();
                p["testGroups"][0]["tests"].as_array_mut().unwrap().push(twice);
            }),
            "tgId 7, tcId 91: this tcId stands twice in its group",
        ),
        (
            Box::new(|p| {
                let twice = p["testGroups"][0].clone();
                p["testGroups"].as_array_mut().unwrap().push(twice);
            }),
            "tgId 7: this tgId stands twice in the file",
        ),
    ];
    for (change, words) in refusals {
        assert_eq!(damaged(change).unwrap_err().to_string(), words);
    }
    let error = damaged(move |p| case(p, "hashAlg", "MD5".into())).unwrap_err().to_string();
    assert!(error.starts_with("tgId 7, tcId 91: `hashAlg` is `MD5`: SHA2-224, "), "{error}");

    for json in ["", "{", "[]", "[1,2]", "[{\"acvVersion\":\"1.0\"}]", "null", "{\"vsId\":1}", "[{},{},{}]"] {
        let error = Prompt::parse(json.as_bytes()).unwrap_err();
        assert!(matches!(error, Error::Json(_)), "{json}: {error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
    let whole = SETS[0].prompt_json().unwrap();
    assert!(matches!(Prompt::parse(&whole[..whole.len() / 2]), Err(Error::Json(_))));
}

/// What can't be read in a response is wrong by itself, and the rest is judged.
#[test]
fn damaged_answers_are_wrong_answers() {
    let response = json!({
        "vsId": 42, "algorithm": "ML-DSA", "mode": "sigGen", "revision": "FIPS204",
        "testGroups": [{ "tgId": 7, "tests": [
            { "tcId": 1, "signature": "0" }, { "tcId": 2 }, { "tcId": 3, "signature": "zz" }, { "tcId": 4, "signature": "00" }
        ] }]
    });
    let parsed = Response::parse(response.to_string().as_bytes()).unwrap();
    assert_eq!(parsed.answers[&(7, 2)], Err("`signature` is missing".to_owned()));
    assert!(parsed.answers[&(7, 1)].as_ref().unwrap_err().contains("odd number"));
    assert!(parsed.answers[&(7, 3)].as_ref().unwrap_err().contains("not hexadecimal"));
    assert_eq!(parsed.answers[&(7, 4)], Ok(Outcome::Signature(vec![0])));
    assert!(Expected::parse(response.to_string().as_bytes()).is_err(), "expectations have to be whole");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        prop::sample::select(vec![
            "ML-DSA",
            "SLH-DSA",
            "keyGen",
            "sigGen",
            "sigVer",
            "FIPS204",
            "FIPS205",
            "ML-DSA-44",
            "AFT",
            "external",
            "internal",
            "pure",
            "preHash",
            "SHA2-256",
            "",
            "00",
            "0",
            "ABCD",
            "zz",
        ])
        .prop_map(Value::from),
    ];
    let field = prop::sample::select(vec![
        "vsId",
        "algorithm",
        "mode",
        "revision",
        "testGroups",
        "tgId",
        "tests",
        "tcId",
        "parameterSet",
        "deterministic",
        "signatureInterface",
        "preHash",
        "externalMu",
        "seed",
        "skSeed",
        "sk",
        "pk",
        "message",
        "context",
        "signature",
        "testPassed",
        "acvVersion",
    ]);
    leaf.prop_recursive(5, 64, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(field.clone().prop_map(str::to_owned), inner, 0..8)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn no_bytes_make_a_parser_panic(bytes: Vec<u8>) {
        let _ = Prompt::parse(&bytes);
        let _ = Response::parse(&bytes);
        let _ = Expected::parse(&bytes);
    }

    #[test]
    fn no_json_makes_a_parser_panic(value in any_json()) {
        let text = value.to_string();
        let _ = Prompt::parse(text.as_bytes());
        let _ = Response::parse(text.as_bytes());
        let _ = Expected::parse(text.as_bytes());
    }

    /// A prompt in which one value is another is read or refused, and what is read can be answered without a panic.
    #[test]
    fn no_change_of_a_prompt_makes_an_answer_panic(value in any_json(), place in 0usize..9, inside in 0usize..5) {
        let groups = ["tgId", "testType", "parameterSet", "deterministic", "signatureInterface", "preHash", "tests"];
        let cases = ["tcId", "message", "sk", "context", "hashAlg"];
        if let Ok(prompt) = damaged(|prompt| match groups.get(place) {
            Some(field) => prompt["testGroups"][0][field] = value,
            None => prompt["testGroups"][0]["tests"][0][cases[inside]] = value,
        }) {
            let answered = answer(&prompt, peer("rustcrypto"), &quiet);
            prop_assert_eq!(answered.response.answers.len() + answered.unanswered.len(), prompt.len());
        }
    }
}
