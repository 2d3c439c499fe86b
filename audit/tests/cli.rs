//! `pqsig-audit`'s other commands, as a shell sees them.
#![cfg(test)]

mod support;

use std::fs;

use serde_json::Value;
use support::{Fixture, audit};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn help_names_every_command_and_the_exit_status() {
    let help = audit(&["--help"]);
    assert_eq!(help.status, 0);
    for word in ["summarize", "compare", "plausibility", "report", "trials", "host", "Exit status"] {
        assert!(help.stdout.contains(word), "{}", help.stdout);
    }
    assert_eq!(audit(&["frobnicate"]).status, 2);
    assert_eq!(audit(&["compare", "one"]).status, 2);
}

#[test]
fn a_run_by_itself_is_no_different() {
    let run = Fixture::new();
    let path = run.path().to_str().unwrap();
    let said = audit(&["compare", path, path, "--json"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""));
    let rows = json(&said.stdout)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 3 + 11);
    for row in rows {
        let bound = |name: &str| row[name].as_f64().unwrap();
        assert!(bound("low") <= 1.0 && 1.0 <= bound("high"), "{row}");
        assert!((bound("ratio") - 1.0).abs() < 1e-12, "{row}");
    }
    assert_eq!(audit(&["compare", path, path]).stdout, audit(&["compare", path, path]).stdout);
}

#[test]
fn another_cpu_or_mode_is_compared_only_by_force() {
    for (from, to, reason) in [
        ("Example CPU 1", "Example CPU 2", "Example CPU 2"),
        ("\"deterministic\":false", "\"deterministic\":true", "deterministic"),
        ("\"message_size_bytes\":32", "\"message_size_bytes\":64", "64"),
    ] {
        let (a, b) = (Fixture::new(), Fixture::new());
        for trial in 1..=3 {
            b.edit(&format!("trial-{trial}.jsonl"), from, to);
        }
        let (a, b) = (a.path().to_str().unwrap(), b.path().to_str().unwrap());
        let refused = audit(&["compare", a, b]);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{refused:?}");
        assert!(refused.stderr.starts_with("error: not comparable: "), "{}", refused.stderr);
        assert!(refused.stderr.contains(reason), "{}", refused.stderr);
        let forced = audit(&["compare", a, b, "--force"]);
        assert_eq!(forced.status, 0, "{forced:?}");
        assert!(forced.stdout.contains("ML-DSA-65") && forced.stderr.contains(reason), "{forced:?}");
    }
}

#[test]
fn a_broken_run_is_not_compared() {
    let (a, b) = (Fixture::new(), Fixture::new());
    b.edit("trial-2.jsonl", "\"sequence\":1", "\"sequence\":x");
    let said = audit(&["compare", a.path().to_str().unwrap(), b.path().to_str().unwrap()]);
    assert_eq!((said.status, said.stdout.as_str()), (1, ""), "{said:?}");
}

#[test]
fn a_sound_run_is_plausible_and_a_manipulated_one_is_not() {
    let run = Fixture::new();
    let said = run.audit(&["plausibility"]);
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.stdout.contains("nothing is implausible"), "{}", said.stdout);
    // ML-DSA-65 aws-lc verify, slower than signing.
    run.edit("trial-1.jsonl", "\"operations\":15384", "\"operations\":1538");
    assert_eq!(run.audit(&["plausibility"]).status, 1);
    let answer = json(&run.audit(&["plausibility", "--json"]).stdout);
    assert!(!answer[0]["findings"].as_array().unwrap().is_empty());
}

#[test]
fn published_figures_are_judged_without_a_run() {
    let claims = concat!(env!("CARGO_MANIFEST_DIR"), "/claims");
    for (file, rule) in [("tasq.json", "sign-by-verify"), ("h33.json", "throughput-contradicts-latency")] {
        let said = audit(&["plausibility", "--claims", &format!("{claims}/{file}")]);
        assert_eq!(said.status, 1, "{said:?}");
        assert!(said.stdout.contains(rule), "{}", said.stdout);
    }
    let none = audit(&["plausibility", "--claims", "none.json"]);
    assert_eq!(none.status, 2);
    assert_eq!(audit(&["plausibility"]).status, 2);
}

#[test]
fn trials_says_which_ones_are_whole() {
    let run = Fixture::new();
    let log = run.read("trial-2.jsonl");
    run.write("trial-2.jsonl", &log[..log.len() / 2]);
    let said = run.audit(&["trials", "--json"]);
    assert_eq!(said.status, 0);
    let trials = json(&said.stdout);
    let complete: Vec<_> =
        trials.as_array().unwrap().iter().map(|t| t["complete"].as_bool().unwrap()).collect();
    assert_eq!(complete, [true, false, true]);
    assert_eq!(trials[1]["trial"], 2);
    assert_eq!(trials[1]["logs"].as_array().unwrap().len(), 3);
    assert!(run.audit(&["trials"]).stdout.contains("trial 2: not complete"));

    let empty = tempfile::tempdir().unwrap();
    let said = audit(&["trials", empty.path().to_str().unwrap(), "--json"]);
    assert_eq!((said.status, said.stdout.trim()), (0, "[]"));
    assert_eq!(audit(&["trials", "none"]).status, 2);
}

#[test]
fn a_host_file_is_begun_once_and_completed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("host.json");
    let path = path.to_str().unwrap();
    assert_eq!(audit(&["host", "--after", path]).status, 2, "there is none to complete");
    assert_eq!(audit(&["host", "--before", path]).status, 0);
    let begun = json(&fs::read_to_string(path).unwrap());
    assert_eq!((&begun["schema"], &begun["after"]), (&"pqsig-host/1".into(), &Value::Null));
    assert_eq!(audit(&["host", "--before", path]).status, 2, "another run's file stays");
    assert_eq!(audit(&["host", "--after", path]).status, 0);
    let whole = json(&fs::read_to_string(path).unwrap());
    assert_eq!(whole["before"], begun["before"]);
    assert!(whole["after"]["taken_unix_ms"].as_u64() >= whole["before"]["taken_unix_ms"].as_u64());
    let snapshot = json(&audit(&["host"]).stdout);
    assert!(snapshot["host"]["logical_cores"].as_u64() >= Some(1));
}

#[test]
fn a_report_is_written_where_it_is_wanted() {
    let run = Fixture::new();
    let said = run.audit(&["report"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:?}");
    let page = run.read("report.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("ML-DSA-65"));
    let elsewhere = run.file("other.html");
    let said = run.audit(&["report", "--out", elsewhere.to_str().unwrap()]);
    assert_eq!(said.stdout.trim(), elsewhere.to_str().unwrap());
    assert_eq!(run.read("other.html"), page);
    assert_eq!(run.audit(&["report", "--out", "none/report.html"]).status, 2);
}
