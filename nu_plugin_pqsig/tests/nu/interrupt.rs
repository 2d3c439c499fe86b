//! Ctrl-C: any command stops soon, and a trial log that was being written says that it is incomplete.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::harness::Workplace;

/// A second is what is promised. A machine that is busy with other tests gets more: this tells an answer from none.
const SOON: Duration = Duration::from_secs(30);

/// Starts a line, and returns when it has printed `ready`.
fn start(place: &Workplace, line: &str) -> Child {
    let mut child = place
        .nu()
        .args(["--commands", line])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("nu runs");
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first.trim(), "ready");
    child
}

/// What Ctrl-C does, but for this process alone.
fn press_ctrl_c(child: &Child) {
    let status = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits for its end, which must come soon, and be an interruption.
fn must_stop(mut child: Child, what: &str) {
    let pressed = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if pressed.elapsed() > SOON {
            child.kill().unwrap();
            panic!("{what} did not stop");
        }
        sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{what} ended by itself");
    assert!(text.contains("interrupted"), "{what}: {text}");
}

#[test]
fn speed_stops_and_its_log_has_no_end() {
    let place = Workplace::new();
    let child = start(&place, "print ready; pqsig speed ML-DSA-44 --duration 10min --log log");
    let log = place.path().join("log/trial-1.jsonl");
    let started = Instant::now();
    while !log.exists() {
        assert!(started.elapsed() < SOON, "no log");
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(200));
    press_ctrl_c(&child);
    must_stop(child, "speed");

    let lines = place.read("log/trial-1.jsonl");
    assert!(lines.starts_with(r#"{"type":"run""#), "{lines}");
    assert!(!lines.contains(r#""type":"end""#), "{lines}");
    assert!(!place.path().join("log/trial-2.jsonl").exists());
}

#[test]
fn everything_else_stops_too() {
    for (what, line) in [
        (
            "signing a list",
            "let k = pqsig keygen SLH-DSA-SHA2-128s; print ready; 1..100000 | each { 'm' } | pqsig sign $k | length",
        ),
        ("verifying a stream", "let k = pqsig keygen ML-DSA-44; print ready; ^yes | pqsig verify $k 0x[00]"),
        ("an endless stream", "let k = pqsig keygen ML-DSA-44; print ready; ^yes | pqsig sign $k | length"),
        (
            "an endless hash",
            "let k = pqsig keygen Ed25519; print ready; ^yes | pqsig sign $k --prehash SHA-512 | length",
        ),
        ("a cross-check", "print ready; pqsig interop SLH-DSA --full | length"),
        (
            "a run that waits for another",
            "print ready; 1..2 | par-each { pqsig speed Ed25519 --duration 10min } | length",
        ),
    ] {
        let place = Workplace::new();
        let child = start(&place, line);
        sleep(Duration::from_millis(500));
        press_ctrl_c(&child);
        must_stop(child, what);
    }
}
