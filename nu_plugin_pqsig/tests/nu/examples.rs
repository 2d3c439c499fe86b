//! The examples in the commands' help, in a real Nushell: all of them must run, those without a result, too.

use std::fs;

use nu_plugin_pqsig::commands;

use super::harness::Workplace;

/// What the examples of a command find in their folder.
fn setup(command: &str) -> &'static str {
    match command {
        "pqsig public-key" => "pqsig keygen ML-DSA-65 --out key.pem | ignore; rm key.pem.pub",
        "pqsig sign" => "pqsig keygen ML-DSA-65 --out key.pem | ignore; 'lock' | save Cargo.lock",
        "pqsig verify" => {
            "pqsig keygen ML-DSA-65 --out key.pem | ignore; 'lock' | save Cargo.lock; \
             open --raw Cargo.lock | pqsig sign key.pem | save Cargo.lock.sig"
        }
        "pqsig inspect" => "pqsig keygen ML-DSA-65 --out key.pem | ignore",
        _ => "null",
    }
}

/// The example, in a moment: what takes its time is timing.
fn quick(example: &str) -> String {
    if example.contains("pqsig speed") && !example.contains("--duration") {
        return example.replace("pqsig speed", "pqsig speed --duration 5ms");
    }
    example.to_owned()
}

#[test]
fn every_example_runs() {
    let mut run = 0;
    for command in commands::all() {
        let place = Workplace::new();
        for (number, example) in command.examples().iter().enumerate() {
            let folder = format!("example-{number}");
            fs::create_dir(place.path().join(&folder)).unwrap();
            let (setup, example) = (setup(command.name()), quick(example.example));
            place.eval(&format!("cd {folder}; {setup}; {example}"));
            run += 1;
        }
    }
    assert!(run >= 25, "only {run} examples");
}
