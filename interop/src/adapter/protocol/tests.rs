use serde_json::json;

use super::*;
use crate::message::Mode;

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

fn hello() -> Value {
    json!({
        "id": 0, "protocol": 1, "name": "mine", "version": "mylib 1.2", "lineage": "mylib",
        "algorithms": {"ML-DSA-65": {
            "operations": ["sign", "verify"], "keys": ["raw:seed", "raw:public"], "hedged": true
        }}
    })
}

/// The lines of README.md, field for field.
#[test]
fn requests_are_the_documented_ones() {
    let key = |form| Key { form, bytes: vec![0, 31] };
    let text = |request: &Request| String::from_utf8(request.to_line(7).unwrap()).unwrap();
    let algorithm = Algorithm::MlDsa65;
    let message = Message::pure(*b"hello");
    let pre_hashed = message.clone().with_mode(Mode::PreHash(HashAlgorithm::Sha512)).with_context(*b"c");
    let requests = [
        (Request::Hello { protocol: 1 }, r#"{"id":7,"op":"hello","protocol":1}"#),
        (
            Request::Keygen { algorithm, seed: Some(vec![0, 31]) },
            r#"{"id":7,"op":"keygen","algorithm":"ML-DSA-65","seed":"001f"}"#,
        ),
        (Request::Keygen { algorithm, seed: None }, r#"{"id":7,"op":"keygen","algorithm":"ML-DSA-65"}"#),
        (
            Request::Public { algorithm, private: key(KeyForm::RawSeed) },
            r#"{"id":7,"op":"public","algorithm":"ML-DSA-65","private":{"form":"raw:seed","bytes":"001f"}}"#,
        ),
        (
            Request::Sign {
                algorithm,
                private: key(KeyForm::Pkcs8Both),
                message,
                randomness: Randomness::Hedged,
            },
            r#"{"id":7,"op":"sign","algorithm":"ML-DSA-65","private":{"form":"pkcs8:both","bytes":"001f"},"mode":"pure","context":"","message":"68656c6c6f","randomness":"hedged"}"#,
        ),
        (
            Request::Verify {
                algorithm,
                public: key(KeyForm::Spki),
                message: pre_hashed,
                signature: vec![255],
            },
            r#"{"id":7,"op":"verify","algorithm":"ML-DSA-65","public":{"form":"spki","bytes":"001f"},"mode":"pre-hash","hash":"SHA-512","context":"63","message":"68656c6c6f","signature":"ff"}"#,
        ),
    ];
    for (request, line) in requests {
        assert_eq!(text(&request), format!("{line}\n"));
        assert_eq!(Request::from_line(line.as_bytes()), Ok((7, request)));
    }
}

#[test]
fn an_unreadable_request_keeps_its_id() {
    let of = |line: &str| Request::from_line(line.as_bytes()).unwrap_err();
    assert_eq!(of(r#"{"id":3,"op":"fly"}"#).0, Some(3));
    assert_eq!(of(r#"{"id":3,"op":"keygen","algorithm":"ML-DSA-66"}"#).0, Some(3));
    assert_eq!(of("{").0, None);
    assert_eq!(of(r#"{"op":"hello","protocol":1}"#).0, None);
    let (id, reason) =
        of(r#"{"id":4,"op":"verify","algorithm":"ML-DSA-65","public":{"form":"spki","bytes":"00"},
        "mode":"pre-hash","message":"","signature":""}"#);
    assert_eq!((id, reason.as_str()), (Some(4), "missing field `hash`"));
}

#[test]
fn a_hello_reads_back() {
    let parsed = Hello::parse(object(&hello())).unwrap();
    assert!(parsed.algorithms[&Algorithm::MlDsa65].hedged);
    let line = Response::Hello(parsed.clone()).to_line(0).unwrap();
    let value: Value = serde_json::from_slice(&line).unwrap();
    assert_eq!(Hello::parse(object(&value)).unwrap(), parsed);
}

#[test]
fn what_is_wrong_in_a_hello_is_named() {
    let cases: [(&str, Value, &str); 12] = [
        ("/protocol", json!(2), "protocol 2, not protocol 1"),
        ("/protocol", json!("1"), "another protocol"),
        ("/name", json!("My Lib"), "`My Lib`"),
        ("/lineage", json!(""), "lineage is empty"),
        ("/version", json!(null), "invalid type: null"),
        ("/artifacts", json!(["mine.so"]), "mine.so is not an absolute path"),
        ("/artefacts", json!([]), "unknown field `artefacts`"),
        ("/algorithms/ML-DSA-56", json!({}), "did you mean ML-DSA-65"),
        ("/algorithms/mldsa65", json!({"operations": [], "keys": []}), "ML-DSA-65 stands there twice"),
        ("/algorithms/ML-DSA-65/hegded", json!(true), "ML-DSA-65: unknown field `hegded`"),
        ("/algorithms/ML-DSA-65/keys", json!(["raw:seed", "pem"]), "unknown key form `pem`"),
        ("/algorithms/ML-DSA-65/hedged", json!(false), "`sign` without one of `hedged`"),
    ];
    for (place, value, expected) in cases {
        let mut changed = hello();
        let (parent, field) = place.rsplit_once('/').unwrap();
        changed.pointer_mut(parent).unwrap()[field] = value;
        let error = Hello::parse(object(&changed)).unwrap_err();
        assert!(error.contains(expected), "{place}: {error}");
    }
    for (keys, expected) in [(json!(["raw:seed"]), "public keys"), (json!(["spki"]), "private keys")] {
        let mut changed = hello();
        changed["algorithms"]["ML-DSA-65"]["keys"] = keys;
        let error = Hello::parse(object(&changed)).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn names_are_plain() {
    for good in ["noble", "my-lib-2"] {
        assert!(check_name(good).is_ok());
    }
    for bad in ["", "Mine", "my_lib", "my lib", "größe", &"x".repeat(41)] {
        assert!(check_name(bad).is_err(), "{bad}");
    }
}
