//! `pqsig-audit summarize`: what it makes, what it finds, and what it refuses.
#![cfg(test)]

mod support;

use std::fs;

use support::{Fixture, Said, audit, program};

/// One line each on stderr, none of which is empty.
fn complaints(said: &Said) -> Vec<&str> {
    said.stderr.lines().inspect(|line| assert!(line.starts_with("error: "), "{}", said.stderr)).collect()
}

#[track_caller]
fn assert_complains(said: &Said, status: i32, words: &[&str]) {
    assert_eq!(said.status, status, "{said:?}");
    for word in words {
        assert!(complaints(said).iter().any(|line| line.contains(word)), "no `{word}` in {}", said.stderr);
    }
}

/// Neither file is there, nor a temporary one.
#[track_caller]
fn assert_nothing_written(run: &Fixture) {
    let names = run.names();
    let is_log = |name: &String| name.starts_with("trial-");
    assert!(names.iter().all(is_log), "{names:?}");
}

#[test]
fn both_files_follow_from_the_logs() {
    let run = Fixture::new();
    let said = run.audit(&["summarize"]);
    assert_eq!((said.status, said.stderr.as_str()), (0, ""), "{said:?}");
    assert!(
        said.stdout.contains("3 trials, 9 samples of openssl-speed, 33 of pqsig-speed; samples.csv written, summary.csv written"),
        "{}",
        said.stdout
    );
    let samples = run.read("samples.csv");
    let lines: Vec<&str> = samples.lines().collect();
    assert_eq!(
        lines[0],
        "source,trial,algorithm,backend,backend_version,operation,operations,elapsed_s,ms_per_op,ops_per_s,\
         p50_ms,p99_ms,min_ms,max_ms,rounding_pct"
    );
    assert_eq!(lines.len(), 1 + 9 + 33);
    assert_eq!(lines[2], "openssl-speed,1,ML-DSA-65,openssl,OpenSSL 3.6.3,sign,842,1,1.187648,842,,,,,0.5");
    assert_eq!(lines[11], "pqsig-speed,1,ML-DSA-65,aws-lc,AWS-LC 1.62,sign,5000,1,0.2,5000,0.18,1,0.1,1.8,0");
    let summary = run.read("summary.csv");
    assert_eq!(
        summary.lines().nth(2).unwrap(),
        "openssl-speed,ML-DSA-65,openssl,sign,3,1.199041,1.187648,1.210654,834,1.792517"
    );
    assert_eq!(
        summary.lines().nth(5).unwrap(),
        "pqsig-speed,ML-DSA-65,aws-lc,sign,3,0.202,0.2,0.204,4950.495,0.7357478"
    );
    assert_eq!(summary.lines().count(), 1 + 3 + 11);
}

#[test]
fn the_same_input_gives_the_same_bytes_and_leaves_them() {
    let run = Fixture::new();
    run.audit(&["summarize"]);
    let modified = |name| fs::metadata(run.file(name)).unwrap().modified().unwrap();
    let (samples, summary) = (run.read("samples.csv"), run.read("summary.csv"));
    let times = (modified("samples.csv"), modified("summary.csv"));
    let again = run.audit(&["summarize"]);
    assert!(again.stdout.contains("samples.csv exact, summary.csv exact"), "{}", again.stdout);
    assert_eq!((run.read("samples.csv"), run.read("summary.csv")), (samples, summary));
    assert_eq!((modified("samples.csv"), modified("summary.csv")), times);
    assert_eq!(run.audit(&["summarize", "--check"]).status, 0);
}

#[test]
fn logs_with_crlf_give_the_same_figures() {
    let (lf, crlf) = (Fixture::new(), Fixture::new());
    for name in crlf.names() {
        crlf.write(&name, &crlf.read(&name).replace('\n', "\r\n"));
    }
    assert_eq!((lf.audit(&["summarize"]).status, crlf.audit(&["summarize"]).status), (0, 0));
    assert_eq!(lf.read("samples.csv"), crlf.read("samples.csv"));
}

#[test]
fn a_digit_changed_in_a_raw_log_names_the_row() {
    let run = Fixture::new();
    run.audit(&["summarize"]);
    run.edit("trial-2.jsonl", "\"operations\":4950,", "\"operations\":4951,");
    let said = run.audit(&["summarize", "--check"]);
    assert_complains(
        &said,
        1,
        &[
            "samples.csv: line ",
            "(pqsig-speed 2 ML-DSA-65 aws-lc sign), operations: `4950`, recomputed `4951`",
        ],
    );

    let run = Fixture::new();
    run.audit(&["summarize"]);
    run.edit("trial-3.stderr.txt", "verify ops for 1s: 4365", "verify ops for 1s: 4465");
    let said = run.audit(&["summarize", "--check"]);
    assert_complains(&said, 1, &["rate-contradicts-count", "(openssl-speed 3 ML-DSA-65 openssl verify)"]);
}

#[test]
fn a_csv_edited_by_hand_is_named_by_row_and_column_and_mended() {
    let run = Fixture::new();
    run.audit(&["summarize"]);
    let right = run.read("summary.csv");
    run.edit("summary.csv", "0.202", "0.102");
    let said = run.audit(&["summarize", "--check"]);
    assert_complains(
        &said,
        1,
        &["summary.csv: line 6 (pqsig-speed ML-DSA-65 aws-lc sign), median_ms: `0.102`, recomputed `0.202`"],
    );
    assert!(run.read("summary.csv").contains("0.102"), "--check writes nothing");
    let said = run.audit(&["summarize"]);
    assert!(said.stdout.contains("samples.csv exact, summary.csv rewritten"), "{}", said.stdout);
    assert_eq!(run.read("summary.csv"), right);
}

#[test]
fn a_check_without_files_fails() {
    let run = Fixture::new();
    assert_complains(
        &run.audit(&["summarize", "--check"]),
        1,
        &["samples.csv is missing", "summary.csv is missing"],
    );
    assert_nothing_written(&run);
}

#[test]
fn an_interrupted_trial_is_summarized_only_when_asked() {
    let run = Fixture::new();
    let log = run.read("trial-3.jsonl");
    let cut = log.match_indices('\n').nth(4).unwrap().0 + 20;
    run.write("trial-3.jsonl", &log[..cut]);
    let said = run.audit(&["summarize"]);
    assert_complains(
        &said,
        1,
        &["trial-3.jsonl: interrupted: cut within its last line", "--allow-incomplete"],
    );
    assert_complains(&said, 1, &["trial-3.jsonl: Ed25519 openssl sign: missing-phase"]);
    assert_nothing_written(&run);

    let said = run.audit(&["summarize", "--allow-incomplete"]);
    assert_eq!(said.status, 0, "{said:?}");
    assert!(said.stdout.contains("incomplete"), "{}", said.stdout);
    let summary = run.read("summary.csv");
    assert!(summary.contains("pqsig-speed,ML-DSA-65,aws-lc,sign,3,"), "{summary}");
    assert!(summary.contains("pqsig-speed,Ed25519,openssl,sign,2,"), "{summary}");
    // What is checked in like this is checked like this.
    assert_eq!(run.audit(&["summarize", "--check"]).status, 1);
    assert_eq!(run.audit(&["summarize", "--check", "--allow-incomplete"]).status, 0);
}

#[test]
fn a_phase_that_failed_has_no_row_and_its_reason() {
    let run = Fixture::new();
    let failed = "\"failure\":\"the library said no\",\"max_ns\"";
    run.edit("trial-1.jsonl", "\"failure\":null,\"max_ns\"", failed);
    assert_complains(&run.audit(&["summarize"]), 1, &["failed-phase: the library said no"]);
    assert_eq!(run.audit(&["summarize", "--allow-incomplete"]).status, 0);
    assert_eq!(run.read("samples.csv").lines().count(), 1 + 9 + 32);
}

#[test]
fn a_trial_that_is_gone_is_missed() {
    let run = Fixture::new();
    for name in ["trial-2.jsonl", "trial-2.stdout.txt", "trial-2.stderr.txt"] {
        fs::remove_file(run.file(name)).unwrap();
    }
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-2: missing-trial"]);

    // The last one can be missed only because the others announce it.
    let run = Fixture::new();
    for name in ["trial-3.jsonl", "trial-3.stdout.txt", "trial-3.stderr.txt"] {
        fs::remove_file(run.file(name)).unwrap();
    }
    assert_complains(
        &run.audit(&["summarize"]),
        1,
        &["trial-3: missing-trial: no log of this trial, of 3 in all"],
    );

    let run = Fixture::new();
    fs::remove_file(run.file("trial-2.jsonl")).unwrap();
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-2: missing-log"]);
}

/// Whatever is broken is never summarized, whoever asks: file, text, its replacement, words of the complaint.
const BROKEN: [(&str, &str, &str, &str); 9] = [
    (
        "trial-2.jsonl",
        "\"operation\":\"keygen\"",
        "\"operation\":\"key\0gen\"",
        "trial-2.jsonl:2: malformed: NUL bytes",
    ),
    ("trial-2.jsonl", "\"sequence\":1", "\"sequence\":x", "trial-2.jsonl:3: malformed"),
    ("trial-2.jsonl", "pqsig-trial/1", "pqsig-trial/2", "this reads `pqsig-trial/1`"),
    ("trial-2.jsonl", "\"version\":\"0.1.0\"", "\"version\":\"0.2.0\"", "trial-2.jsonl: mixed: program is"),
    ("trial-2.jsonl", "OpenSSL 3.6.3", "OpenSSL 3.5.5", "trial-2.jsonl: mixed-versions: openssl is"),
    ("trial-2.jsonl", "\"trial\":2", "\"trial\":1", "trial-2.jsonl: the-same-trial-twice"),
    (
        "trial-2.stdout.txt",
        "version: 3.6.3",
        "version: 3.5.5",
        "mixed-versions: version is \"3.5.5\", not \"3.6.3\"",
    ),
    ("trial-2.stderr.txt", "in 1.00s", "in 1,00s", "LC_ALL=C"),
    ("trial-2.jsonl", "\"p50_ns\":54540", "\"p50_ns\":545400", "contradicts-itself"),
];

#[test]
fn what_is_broken_is_never_summarized() {
    for (file, from, to, words) in BROKEN {
        let run = Fixture::new();
        run.edit(file, from, to);
        assert_complains(&run.audit(&["summarize", "--allow-incomplete"]), 1, &[words, "nothing is written"]);
        assert_nothing_written(&run);
    }
}

#[test]
fn two_trials_with_one_number_are_refused() {
    let run = Fixture::new();
    run.write("trial-01.jsonl", &run.read("trial-1.jsonl"));
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-1.jsonl: two-trials-with-one-number"]);
    // Under another number it is still the same trial.
    let run = Fixture::new();
    run.write("trial-4.jsonl", &run.read("trial-1.jsonl"));
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-4.jsonl: the-same-trial-twice"]);
}

#[test]
fn logs_of_one_program_alone_are_enough() {
    let run = Fixture::new();
    for trial in 1..=3 {
        fs::remove_file(run.file(&format!("trial-{trial}.jsonl"))).unwrap();
    }
    let said = run.audit(&["summarize"]);
    assert_eq!(said.status, 0, "{said:?}");
    assert_eq!(run.read("summary.csv").lines().count(), 1 + 3);
}

#[test]
fn a_folder_that_is_none_or_empty_hinders() {
    let empty = tempfile::tempdir().unwrap();
    let path = empty.path().to_str().unwrap();
    assert_complains(&audit(&["summarize", path]), 2, &["holds no trial logs"]);
    assert_complains(&audit(&["summarize", &format!("{path}/none")]), 2, &["is no folder"]);
    assert_eq!(audit(&["summarize"]).status, 2);
}

#[test]
fn one_bad_folder_does_not_keep_the_others_from_being_summarized() {
    let run = Fixture::new();
    let said = audit(&["summarize", "none", run.path().to_str().unwrap()]);
    assert_complains(&said, 2, &["`none` is no folder"]);
    assert!(said.stdout.contains("summary.csv written"), "{}", said.stdout);
}

#[test]
fn a_huge_file_is_refused_without_being_read() {
    let run = Fixture::new();
    // Sparse: no disk is used.
    let huge = fs::File::options().write(true).open(run.file("trial-1.stdout.txt")).unwrap();
    huge.set_len(1 << 30).unwrap();
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-1.stdout.txt: too-large: 1073741824 bytes"]);

    let run = Fixture::new();
    let huge = fs::File::options().write(true).open(run.file("trial-1.jsonl")).unwrap();
    huge.set_len(1 << 30).unwrap();
    assert_complains(&run.audit(&["summarize"]), 1, &["trial-1.jsonl:", "NUL bytes"]);
    assert_nothing_written(&run);

    let run = Fixture::new();
    run.audit(&["summarize"]);
    fs::File::options().write(true).open(run.file("samples.csv")).unwrap().set_len(1 << 30).unwrap();
    assert_complains(&run.audit(&["summarize", "--check"]), 2, &["1073741824 bytes"]);
}

#[test]
fn the_answer_in_json_has_all_of_it() {
    let run = Fixture::new();
    run.write("trial-2.stderr.txt", "");
    run.write("trial-2.stdout.txt", "");
    let said = run.audit(&["summarize", "--json"]);
    assert_eq!(said.status, 1);
    let answer: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let answer = &answer[0];
    assert_eq!((&answer["trials"], &answer["incomplete"]), (&3.into(), &true.into()));
    assert_eq!(answer["files"][0]["before"], "absent");
    assert!(answer["findings"].as_array().unwrap().iter().any(|f| f["severity"] == "incomplete"), "{answer}");
}

/// What a file system says when it is full, or when a quota is used up.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_files_and_no_half_of_a_new_one() {
    let run = Fixture::new();
    run.audit(&["summarize"]);
    run.edit("summary.csv", "0.202", "0.102");
    let (samples, summary, names) = (run.read("samples.csv"), run.read("summary.csv"), run.names());
    // With the signal ignored, writing beyond the limit fails like writing to a full disk.
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" summarize \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_pqsig-audit"), run.path().to_str().unwrap()])
        .output()
        .unwrap();
    assert_complains(&output.into(), 2, &["can't write"]);
    assert_eq!((run.read("samples.csv"), run.read("summary.csv"), run.names()), (samples, summary, names));
}

/// A pipe whose reader has gone is no error; a device that is full is.
#[cfg(target_os = "linux")]
#[test]
fn a_full_device_for_stdout_hinders() {
    let run = Fixture::new();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = program().arg("summarize").arg(run.path()).stdout(full).output().unwrap();
    assert_complains(&output.into(), 2, &["can't write to `stdout`"]);
}

#[cfg(unix)]
#[test]
fn a_log_that_cant_be_read_hinders() {
    use std::os::unix::fs::PermissionsExt as _;
    let run = Fixture::new();
    let path = run.file("trial-2.jsonl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever may read everything finds nothing wrong with it.
    if fs::read(&path).is_err() {
        assert_complains(&run.audit(&["summarize"]), 2, &["can't read", "trial-2.jsonl"]);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_complains(&run.audit(&["summarize"]), 2, &["can't read", "trial-2.jsonl"]);
    assert_nothing_written(&run);
}
