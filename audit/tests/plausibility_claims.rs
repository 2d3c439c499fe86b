//! Published figures: what their format takes, and what is flagged in them.

#![cfg(test)]

use pqsig_audit::Error;
use pqsig_audit::plausibility::claims::{Claims, check, read};
use proptest::prelude::{ProptestConfig, any, prop_assert, proptest};
use serde_json::{Value, json};

fn file(part: &str, entries: &[Value]) -> Vec<u8> {
    json!({"schema": "pqsig-claims/1", "source": "a page", part: entries}).to_string().into_bytes()
}

/// The rules that flag this part of a file, with their places.
fn rules(part: &str, entries: &[Value]) -> Vec<String> {
    let claims = Claims::parse(&file(part, entries)).unwrap();
    check(&claims).iter().map(|finding| format!("{} {}", finding.rule, finding.place)).collect()
}

fn refusal(part: &str, entries: &[Value]) -> String {
    Claims::parse(&file(part, entries)).unwrap_err()
}

/// A figure with further fields.
fn sign(fields: &Value) -> Value {
    let mut figure = json!({"algorithm": "ML-DSA-65", "operation": "sign"});
    figure.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    figure
}

/// The example in the documentation is a file that is read, and of the figures in it one can't be.
#[test]
fn the_documented_example_is_read() {
    let source = include_str!("../src/plausibility/claims.rs");
    let example = source.split("//! ```json\n").nth(1).unwrap().split("//! ```").next().unwrap();
    let claims = Claims::parse(example.replace("//!", "").as_bytes()).unwrap();
    assert_eq!((claims.figures.len(), claims.totals.len(), claims.throughputs.len()), (2, 1, 1));
    let findings = check(&claims);
    assert_eq!(findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["sign-by-verify"]);
}

#[test]
fn every_unit_is_the_same_time() {
    for fields in [
        json!({"ns_per_op": 250_000}),
        json!({"us_per_op": 250}),
        json!({"ms_per_op": 0.25}),
        json!({"s_per_op": 0.00025}),
        json!({"ops_per_s": 4000}),
    ] {
        let claims = Claims::parse(&file("figures", &[sign(&fields)])).unwrap();
        assert!((claims.figures[0].ms_per_op / 0.25 - 1.0).abs() < 1e-12, "{fields}");
    }
    let fields = json!({"ms_per_op": 1, "p50_us": 900, "p99_s": 0.004, "operations": 9, "elapsed_s": 0.009});
    let figure = Claims::parse(&file("figures", &[sign(&fields)])).unwrap().figures.remove(0);
    assert!((figure.p50_ms.unwrap() - 0.9).abs() < 1e-12 && (figure.p99_ms.unwrap() - 4.0).abs() < 1e-12);
    assert_eq!((figure.operations, figure.elapsed_s), (Some(9), Some(0.009)));
}

#[test]
fn names_are_read_as_everywhere_else() {
    let figure = json!({"algorithm": "mldsa65", "operation": "SIGN", "backend": "x", "ms_per_op": 1});
    let claims = Claims::parse(&file("figures", &[figure])).unwrap();
    assert_eq!(claims.figures[0].name(), "ML-DSA-65 x sign");
    let unknown = json!({"algorithm": "Falcon-512", "operation": "verify", "ms_per_op": 1});
    assert_eq!(rules("figures", &[unknown]), [""; 0]);
}

#[test]
fn what_is_no_figure_is_refused_with_its_name() {
    for (fields, reason) in [
        (json!({}), "ML-DSA-65 sign: exactly one of ns_per_op"),
        (json!({"ms_per_op": 1, "us_per_op": 1000}), "ML-DSA-65 sign: _per_op in more than one unit"),
        (json!({"ms_per_op": 1, "ops_per_s": 1000}), "ML-DSA-65 sign: exactly one of ns_per_op"),
        (json!({"ms_per_op": 0}), "ML-DSA-65 sign: _per_op is 0, and must be a positive number"),
        (json!({"ops_per_s": -4}), "ML-DSA-65 sign: ops_per_s is -4, and must be a positive number"),
        (json!({"s_per_op": 1e308}), "ML-DSA-65 sign: the time of one operation in ms is inf"),
        (json!({"ms_per_op": 1, "p99_us": 0}), "ML-DSA-65 sign: p99 is 0"),
        (json!({"ms_per_op": 1, "p50_us": 1, "p50_ms": 1}), "ML-DSA-65 sign: p50 in more than one unit"),
        (json!({"ms_per_op": 1, "operations": 0}), "ML-DSA-65 sign: operations is at least 1"),
        (json!({"ms_per_op": 1, "elapsed_s": 1}), "ML-DSA-65 sign: elapsed_s without operations"),
        (json!({"ms_per_op": 1, "operations": 5, "elapsed_s": 0}), "ML-DSA-65 sign: elapsed_s is 0"),
        (json!({"ms_per_op": 1, "p95_us": 7}), "unknown field `p95_us`"),
        (json!({"ms_per_op": "10.2"}), "invalid type: string"),
    ] {
        let refusal = refusal("figures", &[sign(&fields)]);
        assert!(refusal.starts_with(reason), "{fields}: {refusal}");
    }
    let twice = [sign(&json!({"ms_per_op": 1})), sign(&json!({"ms_per_op": 2}))];
    assert_eq!(refusal("figures", &twice), "ML-DSA-65 sign: stands there twice");
    let operation = json!({"algorithm": "ML-DSA-65", "operation": "hash", "ms_per_op": 1});
    assert!(refusal("figures", &[operation]).starts_with("ML-DSA-65: "));
}

#[test]
fn what_is_no_file_of_claims_is_refused() {
    let figure = sign(&json!({"ms_per_op": 1}));
    for (file, reason) in [
        (
            json!({"schema": "pqsig-claims/2", "source": "x", "figures": [figure]}),
            "the schema is `pqsig-claims/2`",
        ),
        (json!({"schema": "pqsig-claims/1", "source": " ", "figures": [figure]}), "source is empty"),
        (json!({"schema": "pqsig-claims/1", "source": "x"}), "there are no figures"),
        (json!({"schema": "pqsig-claims/1", "figures": [figure]}), "missing field `source`"),
        (json!({"schema": "pqsig-claims/1", "source": "x", "totls": []}), "unknown field `totls`"),
    ] {
        let refusal = Claims::parse(file.to_string().as_bytes()).unwrap_err();
        assert!(refusal.starts_with(reason), "{refusal}");
    }
    // No JSON has infinity, and numbers that are too large must not become it.
    let text = br#"{"schema":"pqsig-claims/1","source":"x","figures":[{"algorithm":"A","operation":"sign","ms_per_op":1e999}]}"#;
    assert!(Claims::parse(text).unwrap_err().contains("number out of range"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claims.json");
    assert!(matches!(read(&path), Err(Error::Io { .. })));
    std::fs::write(&path, "{").unwrap();
    assert!(matches!(read(&path), Err(Error::Malformed { .. })));
}

#[test]
fn operations_are_held_against_one_another_within_a_backend() {
    let figure = |backend: &str, operation: &str, us: f64| json!({"algorithm": "ML-DSA-65", "operation": operation, "backend": backend, "us_per_op": us});
    assert_eq!(
        rules("figures", &[figure("a", "sign", 50.0), figure("a", "verify", 60.0)]),
        ["sign-faster-than-verify ML-DSA-65 a sign"]
    );
    assert_eq!(rules("figures", &[figure("a", "sign", 50.0), figure("b", "verify", 60.0)]), [""; 0]);
    let keygen =
        |algorithm: &str, us: u32| json!({"algorithm": algorithm, "operation": "keygen", "us_per_op": us});
    assert_eq!(
        rules("figures", &[keygen("ML-DSA-44", 90), keygen("ML-DSA-65", 60), keygen("ML-DSA-87", 30)]),
        ["keygen-order ML-DSA-44 keygen", "keygen-order ML-DSA-65 keygen"]
    );
}

#[test]
fn a_figure_is_held_against_itself() {
    let of = |fields: Value| rules("figures", &[sign(&fields)]);
    assert_eq!(of(json!({"ms_per_op": 1, "p50_us": 900, "p99_us": 3600})), [""; 0]);
    assert_eq!(
        of(json!({"ms_per_op": 1, "p50_us": 900, "p99_ms": 1.2})),
        ["one-message-timed ML-DSA-65 sign"]
    );
    assert_eq!(
        of(json!({"ms_per_op": 1, "p50_us": 900, "p99_us": 300})),
        ["quantiles-contradict ML-DSA-65 sign"]
    );
    assert_eq!(of(json!({"ops_per_s": 4000, "operations": 8000, "elapsed_s": 2.0})), [""; 0]);
    assert_eq!(
        of(json!({"ops_per_s": 4000, "operations": 6000, "elapsed_s": 2.0})),
        ["rate-contradicts-count ML-DSA-65 sign"]
    );
    assert_eq!(
        of(json!({"ms_per_op": 1, "operations": 1})),
        ["single-operation ML-DSA-65 sign", "large-standard-error ML-DSA-65 sign"]
    );
    assert_eq!(of(json!({"ms_per_op": 1, "operations": 320})), ["large-standard-error ML-DSA-65 sign"]);
    assert_eq!(of(json!({"ms_per_op": 1, "operations": 330})), [""; 0]);
}

#[test]
fn a_total_must_be_the_sum_of_its_stages_as_far_as_they_are_rounded() {
    let of = |total: f64, stages: &[f64]| {
        let stages: Vec<Value> =
            stages.iter().map(|value| json!({"name": "a stage", "value": value})).collect();
        rules("totals", &[json!({"name": "the whole", "unit": "us", "total": total, "stages": stages})])
    };
    let flagged = ["total-contradicts-stages the whole"];
    assert_eq!(of(1615.0, &[900.0, 700.0, 15.0]), [""; 0]);
    assert_eq!(of(1615.0, &[900.0, 700.0]), [""; 0]);
    assert_eq!(of(1615.0, &[900.0, 690.0]), flagged);
    assert_eq!(of(1000.0, &[900.0, 700.0]), flagged);
    // Three stages of 1.4 each are 1, 1, 1 and 4 when all are rounded.
    assert_eq!(of(4.0, &[1.0, 1.0, 1.0]), [""; 0]);
    assert_eq!(of(4.1, &[1.4, 1.4, 1.4]), [""; 0]);
    assert_eq!(of(4.5, &[1.4, 1.4, 1.4]), flagged);
    let entry = |fields: Value| {
        let mut total = json!({"name": "x", "unit": "ms", "total": 1, "stages": [{"name": "s", "value": 1}]});
        total.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        [total]
    };
    assert_eq!(refusal("totals", &entry(json!({"stages": []}))), "x: no stages");
    assert!(refusal("totals", &entry(json!({"total": -1}))).starts_with("x: total is -1"));
    assert!(refusal("totals", &entry(json!({"unit": "hours"}))).starts_with("unknown variant `hours`"));
    assert!(
        refusal("totals", &entry(json!({"stages": [{"name": "s", "value": 0}]}))).starts_with("x: s is 0")
    );
}

#[test]
fn a_throughput_must_be_what_its_batches_make() {
    let of = |ops_per_s: f64| {
        let entry = json!({
            "name": "a server", "workers": 10, "items_per_batch": 32, "seconds_per_batch": 0.1,
            "ops_per_s": ops_per_s
        });
        rules("throughputs", &[entry])
    };
    assert_eq!([of(3050.0).len(), of(3200.0).len(), of(3350.0).len()], [0, 0, 0]);
    assert_eq!(of(3020.0), ["throughput-contradicts-latency a server"]);
    assert_eq!(of(3400.0), ["throughput-contradicts-latency a server"]);
    let entry = json!({
        "name": "a server", "workers": 0, "items_per_batch": 32, "seconds_per_batch": 0.1, "ops_per_s": 1
    });
    assert_eq!(refusal("throughputs", &[entry]), "a server: workers and items_per_batch are at least 1");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Positive numbers of any size make findings, but neither a panic nor a line break.
    #[test]
    fn whatever_the_numbers_a_finding_is_one_line(bits in any::<[u32; 6]>(), operations in any::<u64>()) {
        let [mean, p50, p99, total, stage, rate] = bits.map(|bits| f64::from(f32::from_bits(bits)).abs());
        let numbers = json!({
            "schema": "pqsig-claims/1", "source": "x",
            "figures": [{
                "algorithm": "ML-DSA-44", "operation": "sign", "s_per_op": mean, "p50_s": p50, "p99_s": p99,
                "operations": operations, "elapsed_s": total
            }],
            "totals": [{"name": "t", "unit": "s", "total": total, "stages": [{"name": "s", "value": stage}]}],
            "throughputs": [{
                "name": "r", "workers": operations, "items_per_batch": operations, "seconds_per_batch": stage,
                "ops_per_s": rate
            }],
        });
        if let Ok(claims) = Claims::parse(numbers.to_string().as_bytes()) {
            for finding in check(&claims) {
                prop_assert!(finding.to_string().lines().count() == 1, "{finding}");
            }
        }
    }
}
