//! The program as people and CI run it: what it prints, what it writes, and its exit status.

#![cfg(test)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use pqsig_interop::report::json;
use quick_junit::Report;
use tempfile::TempDir;

/// A run of a second.
const SMALL: [&str; 6] = ["Ed25519", "--no-vectors", "--backend", "openssl", "--backend", "rustcrypto"];

/// A folder to work in, where the program is run.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pqsig-interop"));
        command.args(arguments).current_dir(self.path()).env_remove("PQSIG_ADAPTERS").stdin(Stdio::null());
        command
    }

    /// The exit status, stdout and stderr.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (status.code().unwrap(), text(stdout), text(stderr))
    }

    /// What is printed by a run that must end with this status, and say nothing else.
    fn prints(&self, status: i32, arguments: &[&str]) -> String {
        let (actual, stdout, stderr) = self.run(arguments);
        assert_eq!((actual, stderr.as_str()), (status, ""), "{arguments:?}: {stdout}");
        stdout
    }

    /// Misuse: status 2, nothing on stdout, and on stderr one line that says this, with a hint in another.
    fn refuses(&self, arguments: &[&str], message: &str, hint: &str) {
        let (status, stdout, stderr) = self.run(arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}: {stderr}");
        let lines: Vec<&str> = stderr.lines().collect();
        let [first, second] = lines[..] else { panic!("{arguments:?}: two lines: {stderr}") };
        assert!(first.starts_with("error: ") && first.contains(message), "{arguments:?}: {stderr}");
        assert!(second.starts_with("hint: ") && second.contains(hint), "{arguments:?}: {stderr}");
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}

#[test]
fn a_run_prints_a_table_and_writes_every_format() {
    let place = Place::new();
    let files = ["--out", "run.json", "--csv", "run.csv", "--junit", "run.xml"];
    let table = place.prints(0, &with(&SMALL, &files));
    for needed in ["openssl", "rustcrypto", "Ed25519", "exchange", "hostile", "Left open by the standards"] {
        assert!(table.contains(needed), "{needed}: {table}");
    }
    assert!(table.contains("\nagreement: "), "{table}");
    assert!(!table.contains('\u{1b}'), "there is no terminal");
    assert_eq!(place.names(), ["run.csv", "run.json", "run.xml"], "no finding, no folder for it");

    let run = json::read(&place.path().join("run.json")).unwrap();
    assert_eq!(run.peers.len(), 2);
    assert!(run.cases.len() > 100, "{}", run.cases.len());
    assert!(run.peers.iter().all(|peer| !peer.artifacts.is_empty()), "bound to what ran");
    let answers: usize = run.cases.iter().map(|case| case.answers.len()).sum();
    let rows = csv::Reader::from_path(place.path().join("run.csv")).unwrap().into_records().count();
    assert_eq!(rows, answers);
    let xml = fs::read_to_string(place.path().join("run.xml")).unwrap();
    let report = Report::deserialize_from_str(&xml).unwrap();
    assert_eq!((report.failures, report.errors), (0, 0));
    assert_eq!(report.tests, run.cases.len() + run.not_made.len());
}

#[test]
fn every_format_is_printed_too() {
    let place = Place::new();
    let printed = |format| place.prints(0, &with(&SMALL, &["--format", format]));
    fs::write(place.path().join("run.json"), printed("json")).unwrap();
    let run = json::read(&place.path().join("run.json")).unwrap();
    assert!(printed("csv").starts_with("id,algorithm,check,case,"));
    let report = Report::deserialize_from_str(&printed("junit")).unwrap();
    assert_eq!(report.tests, run.cases.len() + run.not_made.len());
}

#[test]
fn two_saved_runs_are_compared() {
    let place = Place::new();
    place.prints(0, &with(&SMALL, &["--out", "old.json"]));
    place.prints(0, &["Ed25519", "--no-vectors", "--backend", "openssl", "--out", "new.json"]);
    assert_eq!(place.prints(0, &["diff", "old.json", "old.json"]), "same: nothing changed\n");

    let changed = place.prints(1, &["diff", "old.json", "new.json"]);
    assert!(changed.contains("- rustcrypto: removed\n"), "{changed}");
    assert!(changed.contains("\nchanged: 1 peer removed"), "{changed}");
    let json = place.prints(1, &["diff", "old.json", "new.json", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["peers_removed"][0]["peer"], "rustcrypto");

    // A verdict that changed, in one case of one peer.
    let mut run = json::read(&place.path().join("old.json")).unwrap();
    let case =
        run.cases.iter_mut().find(|case| case.check == pqsig_interop::record::Check::Exchange).unwrap();
    case.answers.get_mut("openssl").unwrap().verdict = pqsig_interop::question::Verdict::Failed;
    fs::write(place.path().join("new.json"), json::to_string(&run).unwrap()).unwrap();
    let changed = place.prints(1, &["diff", "old.json", "new.json"]);
    assert!(
        changed.contains("accepted -> failed") && changed.contains("changed: 1 answer changed"),
        "{changed}"
    );
}

#[test]
fn misuse_is_one_clear_line_and_a_hint() {
    let place = Place::new();
    let path = |name: &str| place.path().join(name);
    fs::write(path("torn.json"), r#"{"schema":"pqsig-interop-case/1","id":"#).unwrap();
    fs::write(path("other.json"), r#"{"schema":"something"}"#).unwrap();
    fs::write(path("text.json"), "no\nJSON\u{1b}[31m").unwrap();

    place.refuses(&["ML-DSA-56"], "unknown algorithm `ML-DSA-56`", "did you mean ML-DSA-");
    place.refuses(
        &["Ed25519", "--backend", "opensssl"],
        "unknown backend `opensssl`",
        "the backends are rustcrypto",
    );
    place.refuses(&["ML-DSA-44", "--backend", "fips205"], "knows ML-DSA-44: fips205", "other algorithms");
    place.refuses(&["Ed25519", "--adapter", "mine"], "`mine` has no `=`", "--adapter mine=");
    place.refuses(&["Ed25519", "--adapter", "openssl=x"], "in-process backend", "--adapter mine=");
    place.refuses(
        &["Ed25519", "--adapter", "a=x", "--adapter", "a=y"],
        "go by the name `a`",
        "a name of its own",
    );
    place.refuses(&["Ed25519", "--adapters", "no/such"], "no/such is no folder", "PQSIG_ADAPTERS");
    place.refuses(
        &with(&SMALL, &["--out", "no/run.json"]),
        "can't write no/run.json: no such file",
        "a folder",
    );
    place.refuses(&with(&SMALL, &["--out", "."]), "can't write .: is a directory", "a folder");
    place.refuses(&with(&SMALL, &["--out", "a", "--csv", "a"]), "can't be one file: a", "a file each");
    place.refuses(&["Ed25519", "--known", "torn.json"], "no list of known deviations", "another list");
    place.refuses(&["diff", "none.json", "torn.json"], "can't read none.json", "--out FILE");
    place.refuses(&["diff", "other.json", "torn.json"], "its schema is \"something\"", "--out FILE");
    place.refuses(&["diff", "text.json", "torn.json"], "text.json is not a saved run", "--out FILE");
    place.refuses(&["replay", "none.json"], "can't read none.json", "a reproducer is");
    place.refuses(&["replay", "torn.json"], "torn.json is no reproducer", "a reproducer is");
    place.refuses(&["replay", "text.json"], "text.json is no reproducer", "a reproducer is");
    assert_eq!(place.names(), ["other.json", "text.json", "torn.json"], "nothing is left behind");
}

#[test]
fn what_clap_refuses_is_misuse_too() {
    let place = Place::new();
    for arguments in [
        &["--nonsense"][..],
        &["--quick", "--full"],
        &["--threads", "0"],
        &["--timeout", "soon"],
        &["--format", "yaml"],
        &["diff", "one.json"],
        &["replay"],
        &["acvp", "answer", "prompt.json"],
    ] {
        let (status, stdout, stderr) = place.run(arguments);
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.starts_with("error: "), "{arguments:?}: {stderr}");
    }
    assert!(place.prints(0, &["--help"]).contains("Exit status: 0 agreement, 1 disagreement, 2 misuse."));
    assert!(place.prints(0, &["--version"]).starts_with("pqsig-interop "));
}

#[test]
fn an_adapter_that_does_not_start_is_skipped_and_told_by_the_exit_status() {
    let place = Place::new();
    let (status, stdout, stderr) = place.run(&with(&SMALL, &["--adapter", "mine=no-such-program-here"]));
    assert_eq!(status, 1, "{stderr}");
    assert!(stderr.starts_with("error: the adapter `mine` can't be asked: "), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stdout.contains("Skipped\n- mine: ") && stdout.contains("1 peer skipped"), "{stdout}");
}

#[test]
fn a_damaged_reproducer_of_the_right_kind_says_what_is_missing() {
    let place = Place::new();
    fs::write(place.path().join("case.json"), r#"{"schema":"pqsig-interop-case/1","id":"x"}"#).unwrap();
    place.refuses(&["replay", "case.json"], "missing field", "a reproducer is");
    place.refuses(&["diff", "case.json", "case.json"], "pqsig-interop-case/1", "pqsig-interop replay");
}

#[test]
fn the_lists_name_who_there_is() {
    let place = Place::new();
    let backends = place.prints(0, &["backends"]);
    for name in pqsig::backend::NAMES {
        assert!(backends.lines().any(|line| line.starts_with(name)), "{name}: {backends}");
    }
    let folder = place.path().join("adapters");
    fs::create_dir_all(folder.join("mine")).unwrap();
    let description = r#"{"name":"mine","command":["no-such-program-here"],"needs":"luck"}"#;
    fs::write(folder.join("mine/adapter.json"), description).unwrap();
    let adapters = place.prints(0, &["adapters", "adapters"]);
    assert!(adapters.starts_with("Skipped\n- mine: ") && adapters.contains("luck"), "{adapters}");
    place.refuses(&["adapters", "no/such"], "no/such is no folder", "PQSIG_ADAPTERS");
}

#[test]
fn prompts_are_made_answered_and_judged() {
    let place = Place::new();
    fs::write(place.path().join("secret"), [7; 32]).unwrap();
    let made = place.prints(0, &["acvp", "ask", "ML-DSA-44", "--key", "secret", "--count", "1"]);
    assert_eq!(made.lines().count(), 3, "{made}");
    let prompt = "ML-DSA-44-sigVer-prompt.json";
    place.prints(0, &["acvp", "answer", prompt, "--backend", "openssl"]);
    let response = "ML-DSA-44-sigVer-response.json";
    let judged = place.prints(0, &["acvp", "check", prompt, response]);
    assert!(judged.contains(" 0 wrong"), "{judged}");

    let text = fs::read_to_string(place.path().join(response)).unwrap();
    let changed = if text.contains("true") {
        text.replacen("true", "false", 1)
    } else {
        text.replacen("false", "true", 1)
    };
    fs::write(place.path().join(response), changed).unwrap();
    let judged = place.prints(1, &["acvp", "check", prompt, response]);
    assert!(judged.contains(" 1 wrong"), "{judged}");
    let (status, _, stderr) = place.run(&["acvp", "check", "none.json", response]);
    assert_eq!(status, 2);
    assert!(stderr.starts_with("error: can't read none.json"), "{stderr}");
}

#[test]
fn a_known_deviation_that_is_gone_is_news() {
    let place = Place::new();
    place.prints(0, &with(&SMALL, &["--out", "run.json"]));
    let run = json::read(&place.path().join("run.json")).unwrap();
    let case = run.cases.iter().find(|case| case.answers.contains_key("openssl")).unwrap();
    let known = serde_json::json!({
        "schema": "pqsig-interop-known/1",
        "deviations": [{
            "peer": "openssl",
            "version": run.peers.iter().find(|peer| peer.name == "openssl").unwrap().version(case.algorithm),
            "check": case.check.name(),
            "case": case.name,
            "why": "it was so once",
        }],
    });
    fs::write(place.path().join("known.json"), known.to_string()).unwrap();
    let (status, stdout, stderr) = place.run(&with(&SMALL, &["--known", "known.json"]));
    assert_eq!(status, 1, "{stdout}");
    assert!(
        stderr.starts_with("error: a known deviation is gone, take it off the list: openssl ("),
        "{stderr}"
    );
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[cfg(unix)]
#[test]
fn nobody_reading_is_no_panic() {
    let place = Place::new();
    let mut child = place
        .command(&with(&SMALL, &["--format", "json"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The reader goes before anything is written.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
