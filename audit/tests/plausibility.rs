//! What plausibility flags, and that it flags nothing else.

#![cfg(test)]
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the figures are made up, and far from the limits"
)]

use std::path::Path;

use pqsig_audit::plausibility::{check, check_samples, claims};
use pqsig_audit::{Finding, Severity, sampling};
use serde_json::{Value, json};

use made::{Folder, host_json, phase, state};

mod made;

/// Milliseconds of OpenSSL's ML-DSA-65 and of what is beside it, in ten slices of 100 ms each trial.
fn trial() -> Vec<Value> {
    let phase = |algorithm, operation, ns_per_op: u64| {
        let slices: Vec<(u64, u64)> =
            (0..10).map(|i| (100_000_000 / ns_per_op, 100_000_000 + 100_000 * i)).collect();
        phase(algorithm, "openssl", operation, &slices)
    };
    vec![
        phase("ML-DSA-44", "keygen", 130_000),
        phase("ML-DSA-65", "keygen", 215_000),
        phase("ML-DSA-65", "sign", 1_170_000),
        phase("ML-DSA-65", "verify", 218_000),
        phase("ML-DSA-87", "keygen", 320_000),
        phase("SLH-DSA-SHA2-128f", "sign", 15_500_000),
    ]
}

fn trials() -> [Vec<Value>; 3] {
    [trial(), trial(), trial()]
}

/// What is flagged in three trials after a change to their lines, beside host.json.
fn flagged(change: impl FnMut(u32, &mut Value)) -> Vec<Finding> {
    let folder = Folder::changed(&trials(), change);
    folder.write("host.json", &host_json(&state(0), &state(60_000)));
    let findings = check(&folder.read());
    assert!(findings.iter().all(|finding| finding.severity == Severity::Implausible), "{findings:?}");
    findings
}

/// The same, as `rule place`.
fn rules(change: impl FnMut(u32, &mut Value)) -> Vec<String> {
    flagged(change).iter().map(|finding| format!("{} {}", finding.rule, finding.place)).collect()
}

fn is(line: &Value, algorithm: &str, operation: &str) -> bool {
    line["algorithm"] == algorithm && line["operation"] == operation
}

/// Multiplies the times of an operation.
fn scale(line: &mut Value, factor: f64) {
    for field in ["elapsed_ns", "min_ns", "p50_ns", "p99_ns", "max_ns"] {
        line[field] = json!((line[field].as_f64().unwrap() * factor) as u64);
    }
    line.as_object_mut().unwrap().remove("timeline");
}

#[test]
fn a_clean_run_has_no_finding() {
    let folder = Folder::of(&trials());
    folder.write("host.json", &host_json(&state(0), &state(60_000)));
    let run = folder.read();
    assert_eq!(run.findings, []);
    assert_eq!(check(&run), []);
    assert_eq!(check_samples(&sampling::samples(&run)), []);
}

#[test]
fn operations_that_contradict_one_another_are_flagged() {
    let sign = |factor| {
        rules(move |_, line| {
            if is(line, "ML-DSA-65", "sign") {
                scale(line, factor);
            }
        })
    };
    assert_eq!(sign(0.15), ["sign-faster-than-verify ML-DSA-65 openssl sign (pqsig-speed)"]);
    assert_eq!(sign(4.0), ["sign-by-verify ML-DSA-65 openssl sign (pqsig-speed)"]);
    assert_eq!(sign(3.0), [""; 0]);
    let keygen = rules(|_, line| {
        if is(line, "ML-DSA-87", "keygen") {
            scale(line, 0.5);
        }
    });
    assert_eq!(keygen, ["keygen-order ML-DSA-65 openssl keygen (pqsig-speed)"]);
}

#[test]
fn counts_that_carry_no_mean_are_flagged() {
    let one = rules(|number, line| {
        if number == 2 && is(line, "SLH-DSA-SHA2-128f", "sign") {
            *line = phase("SLH-DSA-SHA2-128f", "openssl", "sign", &[(1, 15_500_000)]);
        }
    });
    assert_eq!(one, ["single-operation SLH-DSA-SHA2-128f openssl sign (pqsig-speed)"]);
    let few = flagged(|_, line| {
        if is(line, "ML-DSA-65", "sign") {
            *line = phase("ML-DSA-65", "openssl", "sign", &[(50, 58_500_000)]);
        }
    });
    assert_eq!(few.len(), 1, "{few:?}");
    assert_eq!(few[0].rule, "large-standard-error");
    assert!(
        few[0].message.starts_with("the mean of 150 signatures has a standard error of 7.321%"),
        "{few:?}"
    );
}

/// Deterministic trials sign the same messages: three times 170 are 170.
#[test]
fn repeated_messages_do_not_make_a_mean_more_certain() {
    let of = |deterministic| {
        rules(move |_, line| {
            if line["type"] == "run" {
                line["options"]["deterministic"] = json!(deterministic);
            }
            if is(line, "ML-DSA-65", "sign") {
                *line = phase("ML-DSA-65", "openssl", "sign", &[(170, 198_900_000)]);
            }
        })
    };
    assert_eq!(of(false), [""; 0]);
    assert_eq!(of(true), ["large-standard-error ML-DSA-65 openssl sign (pqsig-speed)"]);
}

#[test]
fn a_rate_that_was_changed_in_a_csv_is_flagged() {
    let mut samples = sampling::samples(&Folder::of(&trials()).read());
    samples[4].ops_per_s *= 1.01;
    let findings = check_samples(&samples);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!(findings[0].rule, "rate-contradicts-count");
    assert!(findings[0].place.ends_with(", trial 1"), "{findings:?}");
}

#[test]
fn trials_that_are_too_far_apart_are_flagged() {
    let slow_second = |factor| {
        rules(move |number, line| {
            if number == 2 && is(line, "ML-DSA-65", "verify") {
                scale(line, factor);
            }
        })
    };
    assert_eq!(slow_second(1.3), ["trials-disagree ML-DSA-65 openssl verify (pqsig-speed)"]);
    assert_eq!(slow_second(1.2), [""; 0]);
}

#[test]
fn one_message_that_is_signed_again_and_again_is_flagged() {
    let tail = |factor: u64, batch: u64| {
        rules(move |number, line| {
            if number != 2 && is(line, "ML-DSA-65", "sign") {
                line["batch"] = json!(batch);
                line["p99_ns"] = json!(line["p50_ns"].as_u64().unwrap() * factor / 100);
            }
        })
    };
    assert_eq!(tail(199, 1), ["one-message-timed ML-DSA-65 openssl sign (pqsig-speed), trials 1, 3"]);
    assert_eq!(tail(200, 1), [""; 0]);
    // Means of several signatures scatter less.
    assert_eq!(tail(150, 5), [""; 0]);
    let verify = rules(|_, line| {
        if is(line, "ML-DSA-65", "verify") {
            line["p99_ns"] = line["p50_ns"].clone();
        }
    });
    assert_eq!(verify, [""; 0]);
}

#[test]
fn a_clock_that_is_coarser_than_what_it_times_is_flagged() {
    let step = |step_ns: u64| {
        rules(move |_, line| {
            if line["type"] == "run" {
                line["clock"]["step_ns"] = json!(step_ns);
            }
        })
    };
    // The shortest operation's median is 0.8 x 130 us.
    assert_eq!(step(2_000), [""; 0]);
    assert_eq!(step(2_200), ["clock-step ML-DSA-44 openssl keygen (pqsig-speed), trials 1, 2, 3"]);
}

#[test]
fn a_debug_build_is_flagged() {
    let findings = flagged(|_, line| {
        if line["type"] == "run" {
            line["program"]["debug_assertions"] = json!(true);
        }
    });
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].to_string().starts_with("program: debug-build: trials 1, 2, 3: "), "{findings:?}");
}

/// Changes the state before every trial (`before`) or after it (`after`).
fn with_state(when: &'static str, field: &'static str, value: &Value) -> Vec<String> {
    rules(|number, line| {
        if number >= 2 && line.get(when).is_some() {
            line[when][field] = value.clone();
        }
    })
}

#[test]
fn a_machine_that_had_something_else_to_do_is_flagged() {
    // 8 logical cores: others may keep 4 busy, and this run itself 1.
    assert_eq!(with_state("before", "load_1min", &json!(5.1)), ["load trial-2.jsonl"]);
    assert_eq!(with_state("before", "load_1min", &json!(4.9)), [""; 0]);
    assert_eq!(with_state("after", "load_1min", &json!(9.0)), [""; 0]);
    // 20 s of work; 200 ms of 20.2 s are just under 1%.
    assert_eq!(with_state("after", "cpu_steal_ms", &json!(310)), ["steal trial-2.jsonl"]);
    assert_eq!(with_state("after", "cpu_steal_ms", &json!(300)), [""; 0]);
    assert_eq!(with_state("after", "cpu_steal_ms", &json!(null)), [""; 0]);
    assert_eq!(with_state("after", "cpu_steal_ms", &json!(50)), [""; 0]);
    assert_eq!(with_state("after", "temperature_celsius", &json!(95.0)), ["hot trial-2.jsonl"]);
    assert_eq!(with_state("after", "temperature_celsius", &json!(94.9)), [""; 0]);
    assert_eq!(
        with_state("before", "memory_available_bytes", &json!(700_000_000)),
        ["low-memory trial-2.jsonl"]
    );
    assert_eq!(with_state("before", "memory_available_bytes", &json!(900_000_000)), [""; 0]);
    assert_eq!(
        with_state("after", "power_source", &json!("battery")),
        ["on-battery trial-2.jsonl", "host-changed trial-2.jsonl"]
    );
}

#[test]
fn the_worst_look_stands_for_the_others() {
    let findings = flagged(|number, line| {
        if line.get("before").is_some() && number >= 2 {
            line["before"]["load_1min"] = json!(4.0 + f64::from(number));
        }
    });
    assert_eq!(
        findings[0].to_string(),
        "trial-3.jsonl: load: before this, others kept 6 logical cores busy, over 4, half of them (and once \
         more, less far)"
    );
    assert_eq!(findings.len(), 1);
}

#[test]
fn what_host_json_says_counts_for_the_whole_run() {
    let of = |before: &Value, after: &Value| {
        let folder = Folder::of(&trials());
        folder.write("host.json", &host_json(before, after));
        check(&folder.read()).iter().map(|f| format!("{} {}", f.rule, f.place)).collect::<Vec<_>>()
    };
    let with = |field: &str, value: Value| {
        let mut state = state(60_000);
        state[field] = value;
        state
    };
    // Before the run, nothing of the load is its own.
    assert_eq!(of(&with("load_1min", json!(4.1)), &state(60_000)), ["load host.json"]);
    assert_eq!(of(&state(0), &with("load_1min", json!(9.0))), [""; 0]);
    assert_eq!(of(&state(0), &with("cpu_steal_ms", json!(1100))), ["steal host.json"]);
    assert_eq!(of(&state(0), &with("governor", json!("powersave"))), ["host-changed host.json"]);
}

#[test]
fn a_machine_that_changed_is_flagged_once_for_each_change() {
    let changed = |field: &'static str, value: Value| {
        flagged(move |number, line| {
            if number >= 2 && line.get("host").is_some() {
                line["host"][field] = value.clone();
            }
        })
    };
    // What host.json says after the run is what it was before: that is the same change back.
    let findings = changed("kernel", json!("6.2"));
    assert_eq!(
        findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["trial-2.jsonl: host-changed: the kernel is `6.2`, and was `6.1` in host.json"]
    );
    for (field, value) in [
        ("cpu", json!("Model 2")),
        ("architecture", json!("aarch64")),
        ("os", json!("Linux 7")),
        ("virtualization", json!("xen")),
        ("clock_source", json!("hpet")),
        ("memory_bytes", json!(15_000_000_000_u64)),
    ] {
        let findings = changed(field, value);
        assert_eq!(findings.len(), 1, "{field} {findings:?}");
        assert_eq!(findings[0].rule, "host-changed");
    }
    // What is not known has not changed, and kernels reserve a little more or less memory.
    assert_eq!(changed("clock_source", json!(null)), []);
    assert_eq!(changed("memory_bytes", json!(15_950_000_000_u64)), []);
    assert_eq!(changed("logical_cores", json!(4)), []);
}

#[test]
fn trials_that_cant_have_followed_one_another_are_flagged() {
    let second_starts = |unix_ms: u64| {
        rules(move |number, line| {
            if number == 2 && line["type"] == "run" {
                line["started_unix_ms"] = json!(unix_ms);
            }
        })
    };
    let first = 1_796_140_860_000;
    assert_eq!(second_starts(first - 1), ["clock-went-back trial-2.jsonl"]);
    // A trial takes 20 s here.
    assert_eq!(second_starts(first + 18_000), ["trials-overlap trial-2.jsonl"]);
    assert_eq!(second_starts(first + 19_500), [""; 0]);
    let folder = Folder::of(&trials());
    folder.write("host.json", &host_json(&state(0), &state(0)).replace("1796141800000", "1796140700000"));
    assert_eq!(check(&folder.read())[0].rule, "clock-went-back");
}

/// What the findings of a published figure are.
fn claimed(name: &str) -> Vec<Finding> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("claims").join(name);
    claims::check(&claims::read(&path).unwrap())
}

#[test]
fn the_published_figures_of_tasq_are_flagged() {
    let findings = claimed("tasq.json");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].rule, findings[0].place.as_str()), ("sign-by-verify", "ML-DSA-65 sign"));
    assert!(findings[0].message.contains("10.2 ms, verifying 0.217 ms, 47 times"), "{findings:?}");
}

#[test]
fn the_published_figures_of_h33_are_flagged() {
    let findings = claimed("h33.json");
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].rule, findings[0].place.as_str()), ("throughput-contradicts-latency", "H33"));
    assert!(findings[0].message.contains("make 1902000: 32.18% less"), "{findings:?}");
}

#[test]
fn figures_that_were_measured_are_not_flagged() {
    let figures = [("openssl", [215, 1170, 218]), ("aws-lc", [60, 206, 65]), ("libcrux", [89, 233, 88])];
    let entries: Vec<Value> = figures
        .iter()
        .flat_map(|(backend, times)| {
            ["keygen", "sign", "verify"].iter().zip(times).map(move |(operation, time)| {
                json!({"algorithm": "ML-DSA-65", "backend": backend, "operation": operation, "us_per_op": time})
            })
        })
        .collect();
    let file = json!({"schema": "pqsig-claims/1", "source": "measured here", "figures": entries});
    let claims = claims::Claims::parse(file.to_string().as_bytes()).unwrap();
    assert_eq!(claims.figures.len(), 9);
    assert_eq!(claims::check(&claims), []);
}
