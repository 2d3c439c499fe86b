#![cfg(test)]
//! The parser of `openssl speed` on logs that three versions of OpenSSL wrote: see logs/README.md.

use std::fs;
use std::path::PathBuf;

use pqsig_audit::openssl_speed::{Clock, Log, Missing, Phase, parse};

const VERSIONS: [&str; 3] = ["3.5.5", "3.6.3", "4.0.3"];

fn file(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/logs").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Reads the streams of one recorded run.
fn read(name: &str) -> Log {
    let (stdout, stderr) = (file(&format!("{name}.stdout.txt")), file(&format!("{name}.stderr.txt")));
    let log = parse(Some(("trial-1.stdout.txt", &stdout)), Some(("trial-1.stderr.txt", &stderr)));
    assert_eq!(log.unsoundness(), None, "{name}");
    log
}

fn stdout_alone(name: &str) -> Log {
    let log = parse(Some(("trial-1.stdout.txt", &file(&format!("{name}.stdout.txt")))), None);
    assert_eq!(log.unsoundness(), None, "{name}");
    log
}

fn stderr_alone(name: &str) -> Log {
    let log = parse(None, Some(("trial-1.stderr.txt", &file(&format!("{name}.stderr.txt")))));
    assert_eq!(log.unsoundness(), None, "{name}");
    log
}

/// `ML-DSA-65 sign 1409 in 1.00 s, 1409.0/s, 0.000710s`
fn words(phase: &Phase) -> String {
    let (count, time) = (phase.count.unwrap(), phase.elapsed_cs.unwrap());
    let rate = phase.printed_rate.unwrap();
    let printed_time = phase
        .printed_time
        .map_or("-".to_owned(), |time| format!("{:.*}s", usize::from(time.decimals), time.value));
    format!(
        "{} {} {count} in {}.{:02} s, {:.*}/s, {printed_time}",
        phase.algorithm,
        phase.operation,
        time / 100,
        time % 100,
        usize::from(rate.decimals),
        rate.value,
    )
}

fn assert_phases(name: &str, log: &Log, count: usize) {
    let expected = String::from_utf8(file(&format!("{name}.phases.txt"))).unwrap();
    let found: Vec<String> = log.phases.iter().map(words).collect();
    assert_eq!(found, expected.lines().collect::<Vec<_>>(), "{name}");
    assert_eq!(found.len(), count, "{name}");
}

fn find<'a>(log: &'a Log, algorithm: &str, operation: &str) -> &'a Phase {
    let phase = log.phases.iter().find(|phase| phase.algorithm == algorithm && phase.operation == operation);
    phase.unwrap_or_else(|| panic!("no {algorithm} {operation}"))
}

fn assert_clean(name: &str, log: &Log) {
    assert_eq!((&log.findings[..], &log.missing[..], &log.notes[..]), (&[][..], &[][..], &[][..]), "{name}");
    assert!(log.is_complete() && !log.interrupted, "{name}");
}

#[test]
fn the_default_run_has_18_phases() {
    for version in VERSIONS {
        let name = format!("{version}-elapsed");
        let log = read(&name);
        assert_phases(&name, &log, 18);
        assert_clean(&name, &log);
        assert_eq!(log.version.as_deref(), Some(version));
        assert_eq!((log.clock, log.multi), (Some(Clock::Elapsed), None));
    }
}

#[test]
fn figures_follow_from_counts_and_times() {
    let log = read("3.6.3-elapsed");
    let phase = find(&log, "SLH-DSA-SHA2-256s", "sign");
    assert_eq!((phase.count, phase.elapsed_cs, phase.processes), (Some(3), Some(146), 1));
    assert_eq!((phase.stderr_line, phase.stdout_line), (Some(15), Some(11)));
    // Not the 2.1/s that stdout has.
    assert_eq!(phase.ops_per_s(), Some(300.0 / 146.0));
    assert!((phase.ms_per_op().unwrap() - 1460.0 / 3.0).abs() < 1e-9);
    assert!((phase.rounding_pct().unwrap() - 100.0 * 0.005 / 1.46).abs() < 1e-12);
}

#[test]
fn without_stderr_the_less_rounded_of_rate_and_time_counts() {
    let log = stdout_alone("3.6.3-elapsed");
    assert_clean("3.6.3-elapsed", &log);
    assert_eq!((log.phases.len(), log.clock), (18, None));
    // 2.1/s is rounded to 2.4 %, 0.486667s to 0.0001 %.
    let slow = find(&log, "SLH-DSA-SHA2-256s", "sign");
    assert_eq!((slow.count, slow.elapsed_cs, slow.stderr_line), (None, None, None));
    assert!((slow.ms_per_op().unwrap() - 486.667).abs() < 1e-9);
    assert!((slow.rounding_pct().unwrap() - 100.0 * 0.5e-6 / 0.486_667).abs() < 1e-12);
    // 6616.0/s is rounded to 0.0008 %, 0.000151s to 0.3 %.
    let fast = find(&log, "ML-DSA-65", "keygen");
    assert_eq!(fast.ops_per_s(), Some(6616.0));
    assert!((fast.rounding_pct().unwrap() - 100.0 * 0.05 / 6616.0).abs() < 1e-12);
}

#[test]
fn what_precedes_the_tables_is_kept() {
    let build = read("4.0.3-elapsed").build;
    assert_eq!(build.built_on.as_deref(), Some("Tue Dec  1 17:52:51 2026 UTC"));
    assert_eq!(build.options.as_deref(), Some("bn(64,64)"));
    assert!(build.compiler.unwrap().starts_with("gcc -fPIC "));
    assert!(build.cpu_info.unwrap().starts_with("OPENSSL_ia32cap=0x"));
}

/// RSA, DSA, ECDSA, ECDH, EdDSA, FFDH, KEMs, signatures and a digest in one run.
#[test]
fn every_family_is_read() {
    for version in VERSIONS {
        let name = format!("{version}-families");
        let log = read(&name);
        assert_phases(&name, &log, 32);
        assert_clean(&name, &log);
        let alone = stdout_alone(&name);
        assert_clean(&name, &alone);
        for phase in &log.phases {
            let printed = find(&alone, &phase.algorithm, &phase.operation);
            assert_eq!(
                (printed.printed_rate, printed.printed_time),
                (phase.printed_rate, phase.printed_time),
                "{name}"
            );
        }
    }
}

/// 3.x's stderr has the size of a curve only; two of one size are kept apart.
#[test]
fn curves_without_names_keep_their_size() {
    let names = |log: &Log| -> Vec<String> {
        let ecdsa = log.phases.iter().filter(|phase| phase.algorithm.starts_with("EC"));
        ecdsa.map(|phase| format!("{} {}", phase.algorithm, phase.operation)).collect()
    };
    assert_eq!(
        names(&stderr_alone("3.6.3-families")),
        ["ECDSA-256 sign", "ECDSA-256 verify", "ECDSA-256#2 sign", "ECDSA-256#2 verify", "ECDH-256 derive"]
    );
    assert_eq!(
        names(&stderr_alone("4.0.3-families")),
        [
            "ECDSA-nistp256 sign",
            "ECDSA-nistp256 verify",
            "ECDSA-brainpoolP256r1 sign",
            "ECDSA-brainpoolP256r1 verify",
            "ECDH-nistp256 derive",
        ]
    );
}

#[test]
fn machine_readable_logs_are_read() {
    for version in VERSIONS {
        let name = format!("{version}-mr");
        let log = read(&name);
        assert_phases(&name, &log, 24);
        assert_clean(&name, &log);
        // It has neither the version nor the notice of -elapsed.
        assert_eq!((log.version, log.clock, log.multi), (None, None, None));
    }
}

#[test]
fn machine_readable_stdout_alone_lacks_names() {
    for version in VERSIONS {
        let log = stdout_alone(&format!("{version}-mr"));
        let rules: Vec<_> = log.findings.iter().map(|finding| finding.rule).collect();
        assert_eq!(rules, ["unnamed-rows", "unnamed-rows"]);
        // RSA, ECDSA, EdDSA and ECDH have their size or their name.
        assert_eq!(log.phases.len(), 9);
        assert!(!log.is_complete());
    }
}

#[test]
fn processes_add_up() {
    for version in VERSIONS {
        let name = format!("{version}-multi");
        let log = read(&name);
        assert_phases(&name, &log, 13);
        assert_clean(&name, &log);
        assert_eq!((log.clock, log.multi), (Some(Clock::Elapsed), Some(2)));
        assert!(log.phases.iter().all(|phase| phase.processes == 2));
    }
}

#[test]
fn figures_of_processes_are_a_mean_of_one_and_a_rate_of_all() {
    let log = read("4.0.3-multi");
    // 9 in 1.11 s and 9 in 1.12 s: 8.108/s + 8.036/s, and 124 ms each.
    let phase = find(&log, "SLH-DSA-SHA2-128s", "sign");
    assert_eq!((phase.count, phase.elapsed_cs), (Some(18), Some(111)));
    assert!((phase.ops_per_s().unwrap() - 16.14).abs() < 16.14 * phase.rounding_pct().unwrap() / 100.0);
    assert!((phase.ms_per_op().unwrap() - 124.0).abs() < 124.0 * phase.rounding_pct().unwrap() / 100.0);
    // The times of both and that of all are rounded.
    assert!((phase.rounding_pct().unwrap() - 100.0 * 0.01 / 1.11).abs() < 1e-12);
    // stdout alone has the rate of all, too.
    let alone = stdout_alone("4.0.3-multi");
    let printed = find(&alone, "SLH-DSA-SHA2-128s", "sign");
    assert!((printed.ms_per_op().unwrap() - 2.0 * 61.943).abs() < 1e-9);
}

#[test]
fn machine_readable_processes_add_up() {
    for version in VERSIONS {
        let name = format!("{version}-mr-multi");
        let log = read(&name);
        assert_clean(&name, &log);
        assert_eq!((log.clock, log.multi, log.phases.len()), (Some(Clock::Elapsed), Some(2), 5));
    }
    let log = read("3.6.3-mr-multi");
    let phase = find(&log, "Ed25519", "verify");
    assert_eq!((phase.count, phase.elapsed_cs), (Some(11_852 + 11_784), Some(100)));
    assert_eq!(phase.printed_rate.unwrap().decimals, 6);
    assert_eq!((phase.stderr_line, phase.stdout_line), (Some(8), Some(7)));
}

#[test]
fn processes_are_told_by_stderr_alone() {
    for version in VERSIONS {
        let (whole, alone) = (read(&format!("{version}-multi")), stderr_alone(&format!("{version}-multi")));
        assert_eq!(alone.multi, Some(2));
        let figures = |log: &Log| -> Vec<_> {
            log.phases.iter().map(|phase| (phase.operation.clone(), phase.count, phase.elapsed_cs)).collect()
        };
        assert_eq!(figures(&alone), figures(&whole), "{version}");
    }
}

#[test]
fn an_interrupted_run_keeps_what_it_finished() {
    for (version, last) in [("3.5.5", 30), ("3.6.3", 31), ("4.0.3", 62)] {
        let log = read(&format!("{version}-interrupted"));
        assert!(log.interrupted && !log.is_complete());
        assert_eq!(log.phases.len(), 7);
        assert_eq!(find(&log, "SLH-DSA-SHA2-128s", "keygen").count, Some(last));
        let missing = |operation: &str, reason: &str| Missing {
            algorithm: "SLH-DSA-SHA2-128s".to_owned(),
            operation: Some(operation.to_owned()),
            reason: reason.to_owned(),
        };
        assert_eq!(
            log.missing,
            [
                missing("sign", "was begun, and has no result"),
                missing("verify", "is missing, and other operations of the algorithm are there"),
            ]
        );
        let findings: Vec<String> = log.findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            findings,
            [
                "trial-1.stderr.txt:9: torn-line: the last line has no end: \
                 `Doing SLH-DSA-SHA2-128s signs ops for 1s:`",
                "trial-1.stdout.txt: interrupted: there is no table: the run did not reach its end",
                "trial-1.stderr.txt:9: no-result: SLH-DSA-SHA2-128s sign was begun, and has no result",
                "trial-1.stderr.txt: missing-phase: SLH-DSA-SHA2-128s verify is missing, \
                 and other operations of the algorithm are there",
            ]
        );
    }
}

/// stdout only has the first of two processes: the rest was never flushed.
#[test]
fn interrupted_processes_count_only_together() {
    for version in VERSIONS {
        let log = read(&format!("{version}-multi-interrupted"));
        assert_eq!((log.multi, log.interrupted, log.phases.len()), (Some(2), true, 4), "{version}");
        let missing: Vec<_> = log.missing.iter().map(|missing| missing.operation.as_deref()).collect();
        assert_eq!(missing, [Some("sign"), Some("verify")]);
    }
    let phase = find(&read("3.6.3-multi-interrupted"), "ML-DSA-87", "keygen").clone();
    assert_eq!((phase.count, phase.processes), (Some(4972 + 4981), 2));
    assert_eq!(stdout_alone("3.6.3-multi-interrupted").multi, None);
}

#[test]
fn processor_time_is_told_by_the_absence_of_the_notice() {
    for version in VERSIONS {
        let log = read(&format!("{version}-cpu"));
        assert_clean(version, &log);
        assert_eq!((log.clock, log.phases.len()), (Some(Clock::CpuTime), 5));
    }
    // 0.99 s of 1 s: others had the processor.
    let log = read("3.5.5-cpu");
    assert_eq!(words(find(&log, "Ed25519", "sign")), "Ed25519 sign 30788 in 0.99 s, 31099.0/s, -");
}

#[test]
fn an_unknown_algorithm_is_missing() {
    for version in VERSIONS {
        let log = read(&format!("{version}-unknown"));
        assert!(log.interrupted && log.phases.is_empty());
        assert_eq!(log.missing.len(), 1);
        assert_eq!((log.missing[0].algorithm.as_str(), &log.missing[0].operation), ("ML-DSA-99", &None));
        assert!(log.missing[0].reason.contains("Unknown algorithm"));
    }
}
