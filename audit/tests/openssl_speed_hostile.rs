#![cfg(test)]
//! The parser of `openssl speed` on small logs with something wrong in each.

use pqsig_audit::Severity;
use pqsig_audit::openssl_speed::{Log, parse};

const VERSION: &str = "version: 3.6.3\n";
const NOTICE: &str = "You have chosen to measure elapsed time instead of user CPU time.\n";
const SIGNATURES: &str =
    "                               keygen     signs    verify keygens/s    sign/s  verify/s\n";
const KEMS: &str =
    "                               keygen    encaps    decaps keygens/s  encaps/s  decaps/s\n";
const CURVES: &str = "                              sign    verify    sign/s verify/s\n";
const ROW: &str = "                  ML-DSA-65 0.000351s 0.001661s 0.000302s    2850.0     602.0    3311.0\n";
const ED25519: &str = " 253 bits EdDSA (Ed25519)   0.0000s   0.0001s  20083.0   9000.0\n";
const KEYGEN: &str = "Doing ML-DSA-65 keygen ops for 1s: 2850 ML-DSA-65 signature keygen ops in 1.00s\n";
const SIGN: &str = "Doing ML-DSA-65 signs ops for 1s: 602 ML-DSA-65 signature sign ops in 1.00s\n";
const VERIFY: &str = "Doing ML-DSA-65 verify ops for 1s: 3311 ML-DSA-65 signature verify ops in 1.00s\n";

fn read(stdout: &[u8], stderr: &[u8]) -> Log {
    sound(parse(Some(("out", stdout)), Some(("err", stderr))))
}

fn stdout(parts: &[&str]) -> Log {
    sound(parse(Some(("out", parts.concat().as_bytes())), None))
}

fn stderr(parts: &[&str]) -> Log {
    sound(parse(None, Some(("err", parts.concat().as_bytes()))))
}

/// One algorithm's run; `change` is what is wrong with it.
fn both(change: impl Fn(String, String) -> (String, String)) -> Log {
    let (stdout, stderr) =
        change([VERSION, SIGNATURES, ROW].concat(), [NOTICE, KEYGEN, SIGN, VERIFY].concat());
    read(stdout.as_bytes(), stderr.as_bytes())
}

fn sound(log: Log) -> Log {
    assert_eq!(log.unsoundness(), None);
    log
}

/// `broken rate-contradicts-count out:3`
fn findings(log: &Log) -> Vec<String> {
    let words = |finding: &pqsig_audit::Finding| {
        format!("{} {} {}", finding.severity.name(), finding.rule, finding.place)
    };
    log.findings.iter().map(words).collect()
}

/// `ML-DSA-65 sign 602/s`
fn figures(log: &Log) -> Vec<String> {
    let words = |phase: &pqsig_audit::openssl_speed::Phase| {
        format!("{} {} {:.0}/s", phase.algorithm, phase.operation, phase.ops_per_s().unwrap())
    };
    log.phases.iter().map(words).collect()
}

fn missing(log: &Log) -> Vec<String> {
    let words = |missing: &pqsig_audit::openssl_speed::Missing| {
        format!("{} {}: {}", missing.algorithm, missing.operation.as_deref().unwrap_or("*"), missing.reason)
    };
    log.missing.iter().map(words).collect()
}

const WHOLE: [&str; 3] = ["ML-DSA-65 keygen 2850/s", "ML-DSA-65 sign 602/s", "ML-DSA-65 verify 3311/s"];

#[test]
fn nothing_is_wrong_with_the_log_that_the_others_are_made_of() {
    let log = both(|stdout, stderr| (stdout, stderr));
    assert_eq!((findings(&log), missing(&log)), (vec![], vec![]));
    assert_eq!(figures(&log), WHOLE);
    assert!(log.is_complete());
}

#[test]
fn line_ends_of_windows_are_the_same_log() {
    let plain = both(|stdout, stderr| (stdout, stderr));
    let crlf = both(|stdout, stderr| (stdout.replace('\n', "\r\n"), stderr.replace('\n', "\r\n")));
    assert_eq!(crlf, plain);
    let marked = both(|stdout, stderr| (format!("\u{feff}{stdout}"), format!("\u{feff}{stderr}")));
    assert_eq!(marked, plain);
}

/// 1.9/s is 1.85 to 1.95, and 2 in 1.04 s are 1.914 to 1.932: both are of one number.
#[test]
fn a_rounded_rate_is_no_contradiction() {
    let log = read(
        [
            VERSION,
            SIGNATURES,
            "  SLH-DSA-SHA2-128s 0.068000s 0.520000s 0.000362s      14.7       1.9    2761.0\n",
        ]
        .concat()
        .as_bytes(),
        b"Doing SLH-DSA-SHA2-128s keygen ops for 1s: 15 SLH-DSA-SHA2-128s signature keygen ops in 1.02s\n\
          Doing SLH-DSA-SHA2-128s signs ops for 1s: 2 SLH-DSA-SHA2-128s signature sign ops in 1.04s\n\
          Doing SLH-DSA-SHA2-128s verify ops for 1s: 2761 SLH-DSA-SHA2-128s signature verify ops in 1.00s\n",
    );
    assert!(log.is_complete(), "{:?}", log.findings);
    assert_eq!(log.phases[1].ops_per_s(), Some(200.0 / 104.0));
}

#[test]
fn a_rate_beyond_both_roundings_contradicts_the_count() {
    let log =
        both(|stdout, stderr| (stdout.replace("0.001661s", "0.001650s").replace("602.0", "606.0"), stderr));
    assert_eq!(findings(&log), ["broken rate-contradicts-count out:3"]);
    assert_eq!(
        log.findings[0].message,
        "ML-DSA-65 sign is printed as 606.0/s; 602 operations in 1.00 s are 599.005/s to 605.025/s"
    );
    // 605.0/s is what a time of 0.995 s gives.
    let log =
        both(|stdout, stderr| (stdout.replace("0.001661s", "0.001653s").replace("602.0", "605.0"), stderr));
    assert!(log.is_complete());
    // A digit of the other stream.
    let log = both(|stdout, stderr| (stdout, stderr.replace(": 602 ", ": 692 ")));
    assert_eq!(findings(&log), ["broken rate-contradicts-count out:3"]);
}

#[test]
fn a_time_that_is_not_one_over_the_rate_contradicts_it() {
    let log = both(|stdout, stderr| (stdout.replace("0.001661s", "0.001664s"), stderr));
    assert_eq!(findings(&log), ["broken time-contradicts-rate out:3"]);
    // Two columns changed places.
    let log = stdout(&[VERSION, SIGNATURES, &ROW.replace("602.0    3311.0", "3311.0    602.0")]);
    assert_eq!(findings(&log), ["broken time-contradicts-rate out:3"; 2]);
    assert_eq!(figures(&log), ["ML-DSA-65 keygen 2850/s"]);
}

#[test]
fn what_is_no_value_is_no_figure() {
    for (time, rate) in [
        ("infs", "0.0"),
        ("0.000000s", "inf"),
        ("-0.000001s", "-1000000.0"),
        ("-infs", "-0.0"),
        ("nans", "nan"),
        ("-nans", "-nan"),
        ("-0.000000s", "-inf"),
    ] {
        let row = ROW.replace("0.001661s", time).replace("602.0", rate);
        let log = stdout(&[VERSION, SIGNATURES, &row]);
        assert_eq!(findings(&log), ["incomplete failed-phase out:3"], "{time} {rate}");
        assert_eq!(
            missing(&log),
            ["ML-DSA-65 sign: failed: what stdout has is infinite, not a number, negative or 0"]
        );
        assert_eq!(figures(&log), [WHOLE[0], WHOLE[2]], "{time} {rate}");
        // stderr says that there was a figure.
        let log = read(
            [VERSION, SIGNATURES, &row].concat().as_bytes(),
            [NOTICE, KEYGEN, SIGN, VERIFY].concat().as_bytes(),
        );
        assert_eq!(findings(&log), ["broken rate-contradicts-count out:3"], "{time} {rate}");
    }
}

/// One operation in 110 s: the rate is rounded to nothing, and still the right one.
#[test]
fn a_rate_that_is_rounded_to_nothing_is_not_taken() {
    let row = "  SLH-DSA-SHA2-128s 0.068000s 110.000000s 0.000362s      14.7       0.0    2761.0\n";
    let log = stdout(&[VERSION, SIGNATURES, row]);
    assert_eq!(log.phases[1].printed_rate, None);
    assert!((log.phases[1].ms_per_op().unwrap() - 110_000.0).abs() < 1e-6);
    assert!(log.is_complete());
}

#[test]
fn a_failed_loop_is_missing() {
    let failure = "Doing ML-DSA-65 signs ops for 1s: SIG sign failure at count 0\n\
                   -1 ML-DSA-65 signature sign ops in 0.00s\n";
    let row = ROW.replace("0.001661s", "-0.000003s").replace("602.0", "-333333.3");
    let log = read(
        [VERSION, SIGNATURES, &row].concat().as_bytes(),
        [NOTICE, KEYGEN, failure, VERIFY].concat().as_bytes(),
    );
    assert_eq!(findings(&log), ["incomplete failed-phase err:3"]);
    assert_eq!(missing(&log), ["ML-DSA-65 sign: failed: `SIG sign failure at count 0`"]);
    assert_eq!(figures(&log), [WHOLE[0], WHOLE[2]]);
    assert_eq!(log.notes, ["SIG sign failure at count 0"]);
    assert!(!log.interrupted && !log.is_complete());
    // A table that knows a rate all the same is of another run.
    let log = both(|stdout, stderr| (stdout, stderr.replace(SIGN, failure)));
    assert_eq!(findings(&log), ["broken rate-contradicts-count out:3", "incomplete failed-phase err:3"]);
}

#[test]
fn results_without_a_rate_are_missing() {
    for (result, reason) in [
        ("0 ML-DSA-65 signature sign ops in 1.00s", "did not end one operation"),
        ("602 ML-DSA-65 signature sign ops in 0.00s", "is timed with 602 operations in 0.00 s"),
        ("602 ML-DSA-65 signature sign ops in -0.50s", "is timed with 602 operations in -0.50 s"),
        ("-1 ML-DSA-65 signature sign ops in 0.01s", "failed"),
    ] {
        let line = format!("Doing ML-DSA-65 signs ops for 1s: {result}\n");
        let log = stderr(&[NOTICE, KEYGEN, &line, VERIFY]);
        assert_eq!(missing(&log), [format!("ML-DSA-65 sign: {reason}")]);
        assert_eq!(figures(&log), [WHOLE[0], WHOLE[2]]);
    }
}

/// OpenSSL drops the algorithm and every later one, and still ends with status 0.
#[test]
fn a_failed_setup_is_missing_with_all_its_operations() {
    let failed = "  ML-DSA-87      infs      infs      infs       0.0       0.0       0.0\n";
    let log = read(
        [VERSION, SIGNATURES, ROW, failed].concat().as_bytes(),
        [NOTICE, KEYGEN, SIGN, VERIFY, "Error initializing keygen ctx for ML-DSA-87.\n"].concat().as_bytes(),
    );
    assert_eq!(findings(&log), ["incomplete setup-failed err:5"]);
    assert_eq!(
        missing(&log),
        ["ML-DSA-87 *: could not be set up: `Error initializing keygen ctx for ML-DSA-87.`; \
          openssl then drops every later algorithm of its table, too"]
    );
    assert_eq!(figures(&log), WHOLE);
}

#[test]
fn a_failed_setup_of_a_kind_is_missing() {
    let log = stderr(&["RSA verify setup failure.  No RSA verify will be done.\n"]);
    assert!(missing(&log)[0].starts_with("RSA verify: could not be set up"), "{:?}", missing(&log));
}

#[test]
fn what_was_begun_only_is_missing() {
    let log = stderr(&[NOTICE, KEYGEN, "Doing ML-DSA-65 signs ops for 1s: \n", VERIFY]);
    assert_eq!(missing(&log), ["ML-DSA-65 sign: was begun, and has no result"]);
    // A whole result whose line is cut before its end could have been longer.
    let log = stderr(&[NOTICE, KEYGEN, SIGN.trim_end()]);
    assert_eq!(figures(&log), [WHOLE[0]]);
    assert_eq!(
        missing(&log),
        [
            "ML-DSA-65 sign: was begun, and has no result",
            "ML-DSA-65 verify: is missing, and other operations of the algorithm are there",
        ]
    );
    assert!(log.interrupted);
}

#[test]
fn operations_that_go_together_are_missed() {
    let rsa = "Doing 2048 bits private rsa sign ops for 1s: 3827 2048 bits private RSA sign ops in 1.00s\n";
    let log = stderr(&[rsa]);
    assert_eq!(
        missing(&log),
        ["RSA-2048 verify: is missing, and other operations of the algorithm are there"]
    );
    let log = stderr(&[rsa, &rsa.replace("sign", "encrypt").replace("private", "public")]);
    assert_eq!(log.missing.len(), 2, "verify and decrypt: {:?}", log.missing);
}

#[test]
fn rows_and_phases_go_together() {
    let log = both(|stdout, stderr| (stdout, stderr.replace(SIGN, "")));
    assert_eq!(findings(&log), ["broken row-without-phase out:3"]);
    assert_eq!(figures(&log), [WHOLE[0], WHOLE[2], WHOLE[1]], "from stdout, and last");
    let log = both(|stdout, stderr| (stdout.replace(ROW, &ROW.replace("ML-DSA-65", "ML-DSA-87")), stderr));
    assert_eq!(
        findings(&log),
        [
            "broken row-without-phase out:3",
            "broken row-without-phase out:3",
            "broken row-without-phase out:3",
            "incomplete phase-without-row err:2",
            "incomplete phase-without-row err:3",
            "incomplete phase-without-row err:4",
        ]
    );
    // A cut copy of stderr is not of another run.
    let log = both(|stdout, stderr| (stdout, stderr.trim_end().to_owned()));
    assert_eq!(findings(&log), ["incomplete torn-line err:4", "incomplete row-without-phase out:3"]);
    assert_eq!(figures(&log), WHOLE);
}

#[test]
fn a_kems_row_under_the_signatures_header_contradicts_stderr() {
    let log = both(|stdout, stderr| (stdout.replace(SIGNATURES, KEMS), stderr));
    assert!(findings(&log).contains(&"broken row-without-phase out:3".to_owned()), "{:?}", findings(&log));
    assert!(!log.is_complete());
}

#[test]
fn unknown_headers_and_rows_are_no_values() {
    for (text, expected) in [
        (
            [VERSION, "   signs    keygen    verify    sign/s keygens/s  verify/s\n", ROW].concat(),
            "broken unknown-header out:2",
        ),
        (
            [VERSION, SIGNATURES, "  ML-DSA-65 0.000351s 0.001661s 2850.0 602.0\n"].concat(),
            "broken unknown-row out:3",
        ),
        ([VERSION, SIGNATURES, ED25519].concat(), "broken unknown-row out:3"),
        ([VERSION, CURVES, ROW].concat(), "broken unknown-row out:3"),
        ([VERSION, SIGNATURES, &ROW.replace("602.0", "6o2.0")].concat(), "broken unknown-row out:3"),
        (
            [VERSION, SIGNATURES, &ROW.replace("ML-DSA-65", "=HYPERLINK()")].concat(),
            "broken unknown-row out:3",
        ),
        ([VERSION, ROW].concat(), "broken row-without-header out:2"),
        ([VERSION, "<html>\n"].concat(), "broken unknown-line out:2"),
        ("version: 3.6.3, or so\n".to_owned(), "broken unknown-line out:1"),
        ("+F10:9:1.0:2.0\n".to_owned(), "broken unknown-row out:1"),
        ("+F99:9:1.0:2.0:3.0\n".to_owned(), "broken unknown-row out:1"),
        ("Forked child 7\n".to_owned(), "broken unknown-line out:1"),
    ] {
        let log = stdout(&[&text]);
        assert_eq!(findings(&log)[0], expected, "{text}");
        assert_eq!(figures(&log), [""; 0], "{text}");
    }
}

#[test]
fn unknown_lines_of_stderr_are_notes_unless_they_mean_to_be_figures() {
    let warning = "openssl: /usr/lib/libcrypto.so.3: no version information available\n";
    let log = both(|stdout, stderr| (stdout, format!("{warning}{stderr}")));
    assert!(log.is_complete());
    assert_eq!(log.notes, [warning.trim_end()]);
    for line in [
        "602 ML-DSA-65 signature sign ops in a while\n",
        "Doing something else\n",
        "+R99:602:ML-DSA-65:1.00\n",
        "+DTP:ML-DSA-65\n",
    ] {
        let log = both(|stdout, stderr| (stdout, format!("{stderr}{line}")));
        assert_eq!(findings(&log), ["broken unknown-line err:5"], "{line}");
        assert_eq!(figures(&log), WHOLE);
    }
}

#[test]
fn notes_are_bounded() {
    let many = "a warning that is as long as it likes to be\n".repeat(100_000);
    let log = stderr(&[&many, &"x".repeat(5000), "\n"]);
    assert_eq!(log.notes.len(), 50);
    assert!(log.notes.iter().all(|note| note.len() <= 203));
}

#[test]
fn findings_are_bounded() {
    let log = stdout(&[&"what is this\n".repeat(100_000)]);
    assert_eq!(log.findings.len(), 201);
    let last = log.findings.last().unwrap();
    assert_eq!((last.severity, last.rule), (Severity::Broken, "too-many-findings"));
}

#[test]
fn phases_are_bounded() {
    let line = |n: usize| KEYGEN.replace("ML-DSA-65", &format!("A{n}"));
    let log = stderr(&[&(0..5000).map(line).collect::<String>()]);
    assert_eq!(log.phases.len(), 4096);
    assert!(findings(&log).contains(&"broken too-many-phases err:4097".to_owned()));
    let row = |n: usize| ROW.replace("ML-DSA-65", &format!("A{n}"));
    let log = stdout(&[VERSION, SIGNATURES, &(0..5000).map(row).collect::<String>()]);
    assert_eq!(findings(&log)[0], "broken too-many-phases out:4099");
}

#[test]
fn what_is_told_twice_counts_once() {
    let log = both(|stdout, stderr| (stdout, format!("{stderr}{}", SIGN.replace("602", "603"))));
    assert_eq!(findings(&log), ["broken duplicate-phase err:5"]);
    assert_eq!(figures(&log), WHOLE);
    let log = both(|stdout, stderr| (stdout, format!("{stderr}{KEYGEN}")));
    assert_eq!(findings(&log), ["broken duplicate-phase err:5"]);
    let log = both(|stdout, stderr| (format!("{stdout}{ROW}"), stderr));
    assert_eq!(findings(&log), ["broken duplicate-row out:4"]);
    let log = both(|stdout, stderr| (format!("{stdout}{VERSION}"), stderr));
    assert_eq!(findings(&log), ["broken two-runs out:4"]);
}

#[test]
fn a_result_belongs_to_its_beginning() {
    let log = stderr(&["602 ML-DSA-65 signature sign ops in 1.00s\n"]);
    assert_eq!(findings(&log)[0], "broken result-without-start err:1");
    let log = stderr(&["+DTP:ML-DSA-65:signs:1\n+R19:602:ML-DSA-87:1.00\n"]);
    assert_eq!(findings(&log)[0], "broken result-contradicts-start err:2");
    let log = stderr(&["Doing ML-DSA-65 signs ops for 1s: 602 ML-DSA-65 signature verify ops in 1.00s\n"]);
    assert_eq!(findings(&log)[0], "broken result-contradicts-start err:1");
    assert_eq!(figures(&log), [""; 0]);
}

#[test]
fn a_process_that_failed_leaves_its_phases_unfinished() {
    let one = "+DTP:ML-DSA-65:verify:1\n";
    let log = read(
        b"Forked child 0\nForked child 1\nGot: +F10:9:1.0:2.0:3311.0 from 0\n+F10:9:1.0:2.0:3311.0\n",
        [one, one, "+R20:3311:ML-DSA-65:1.00\n", "Child terminated by signal 9\n"].concat().as_bytes(),
    );
    assert!(findings(&log).contains(&"incomplete child-failed err:4".to_owned()));
    assert!(findings(&log).contains(&"broken row-without-phase out:4".to_owned()));
    let log = stderr(&[one, one, "+R20:3311:ML-DSA-65:1.00\n"]);
    assert!(missing(&log).contains(&"ML-DSA-65 verify: has a result of 1 of 2 processes".to_owned()));
}

#[test]
fn bytes_that_are_no_text_break_a_log() {
    let log = both(|stdout, stderr| (stdout, format!("{stderr}\0\0\0\0\n")));
    assert_eq!(findings(&log), ["broken not-text err:5"]);
    assert_eq!(figures(&log), WHOLE);
    let stdout = [VERSION.as_bytes(), b"\xff\xfe\n\xff\n", SIGNATURES.as_bytes(), ROW.as_bytes()].concat();
    let log = read(&stdout, [NOTICE, KEYGEN, SIGN, VERIFY].concat().as_bytes());
    assert_eq!(findings(&log), ["broken not-text out:2"], "once a file");
    let utf16: Vec<u8> = KEYGEN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let log = sound(parse(None, Some(("err", &utf16))));
    assert_eq!(findings(&log)[0], "broken not-text err:1");
    let log = stderr(&[&"x".repeat(10_000), "\n"]);
    assert_eq!(findings(&log)[0], "broken line-too-long err:1");
}

#[test]
fn decimal_commas_name_the_remedy() {
    let log = both(|stdout, stderr| (stdout.replace("0.00", "0,00").replace(".0 ", ",0 "), stderr));
    assert_eq!(findings(&log)[0], "broken decimal-comma out:3");
    assert!(log.findings[0].message.contains("LC_ALL=C"));
    let log = both(|stdout, stderr| (stdout, stderr.replace("1.00s", "1,00s")));
    assert_eq!(
        findings(&log)[..3],
        ["broken decimal-comma err:2", "broken decimal-comma err:3", "broken decimal-comma err:4"]
    );
}

#[test]
fn a_table_lacks_what_comes_before_and_after_it() {
    let log = stdout(&[SIGNATURES, ROW]);
    assert_eq!(findings(&log), ["incomplete no-version out"]);
    assert_eq!(figures(&log), WHOLE);
    let log = stdout(&[VERSION, SIGNATURES]);
    assert_eq!(findings(&log), ["incomplete header-without-rows out:2"]);
    let log = stdout(&[VERSION]);
    assert_eq!(findings(&log), ["incomplete interrupted out"]);
    let log = stdout(&[VERSION, SIGNATURES, ROW.trim_end()]);
    assert_eq!(findings(&log), ["incomplete torn-line out:3", "incomplete header-without-rows out:2"]);
    assert!(log.interrupted && log.phases.is_empty());
}

#[test]
fn streams_in_one_file_name_the_remedy() {
    let log = stdout(&[NOTICE, KEYGEN, VERSION, SIGNATURES, ROW]);
    assert_eq!(findings(&log), ["broken mixed-streams out:1"]);
    assert!(log.findings[0].message.contains("keep the two apart"));
}

#[test]
fn no_log_is_no_clean_log() {
    let log = sound(parse(None, None));
    assert_eq!(findings(&log), ["incomplete interrupted log"]);
    assert!(log.interrupted && !log.is_complete());
    let log = read(b"", b"");
    assert_eq!(findings(&log), ["incomplete interrupted out"]);
}

#[test]
fn hostile_names_stay_out_of_the_terminal() {
    let log = stdout(&["\u{1b}]0;owned\u{7}\n"]);
    assert_eq!(log.findings[0].message, "not a line of openssl speed: `\\u{1b}]0;owned\\u{7}`");
    let log = stderr(&["\u{1b}[2J\n"]);
    assert_eq!(log.notes, ["\\u{1b}[2J"]);
}

#[test]
fn numbers_beyond_reason_are_no_values() {
    let nines = "9".repeat(400);
    for row in [ROW.replace("602.0", &format!("{nines}.0")), ROW.replace("602.0", "1e300")] {
        let log = stdout(&[VERSION, SIGNATURES, &row]);
        assert_eq!(findings(&log), ["broken unknown-row out:3"]);
    }
    let log = stderr(&[&SIGN.replace("602", &nines)]);
    assert_eq!(findings(&log)[0], "broken unknown-line err:1");
    let log = stderr(&[&SIGN.replace("602", &"9".repeat(18)).replace("1.00s", "0.01s")]);
    assert_eq!(log.phases[0].count, Some(999_999_999_999_999_999));
}

/// Not every version times RSA encryption.
#[test]
fn rows_of_rsa_without_encryption_are_read() {
    let phases = "Doing 2048 bits private rsa sign ops for 1s: 3827 2048 bits private RSA sign ops in 1.00s\n\
                  Doing 2048 bits public rsa verify ops for 1s: 66290 2048 bits public RSA verify ops in 1.00s\n";
    let header = "                  sign    verify    sign/s verify/s\n";
    let row = "rsa 2048 bits 0.000261s 0.000015s   3827.0  66290.0\n";
    let log = read([VERSION, header, row].concat().as_bytes(), [NOTICE, phases].concat().as_bytes());
    assert!(log.is_complete(), "{:?}", log.findings);
    assert_eq!(figures(&log), ["RSA-2048 sign 3827/s", "RSA-2048 verify 66290/s"]);
    let log = stdout(&["+F2:2:2048:3827.000000:66290.000000\n"]);
    assert_eq!(figures(&log), ["RSA-2048 sign 3827/s", "RSA-2048 verify 66290/s"]);
}

#[test]
fn sm2_has_one_name_in_both_versions() {
    let old = " 256 bits SM2 (CurveSM2)   0.0005s   0.0004s   2000.0   2500.0\n";
    let new = " 256 bits EC (SM2)   0.0005s   0.0004s   2000.0   2500.0\n";
    for (row, phase) in [
        (old, "Doing 256 bits sign CurveSM2 ops for 1s: 2000 256 bits CurveSM2 sign ops in 1.00s \n"),
        (new, "Doing 256 bits sign SM2 ops for 1s: 2000 SM2 sign ops in 1.00s\n"),
    ] {
        let verify = phase.replace("sign", "verify").replace("2000", "2500").trim_end().to_owned();
        let log = read(
            [VERSION, CURVES, row].concat().as_bytes(),
            [NOTICE, phase, &verify, "\n"].concat().as_bytes(),
        );
        assert!(log.is_complete(), "{:?}", log.findings);
        assert_eq!(figures(&log), ["SM2 sign 2000/s", "SM2 verify 2500/s"]);
    }
}

/// `+F9` is of signatures in 4.0, and of KEMs in 3.x: with only one of them, stderr tells which.
#[test]
fn records_with_two_meanings_are_told_apart() {
    let row = b"+F9:13:28665.000000:44912.000000:28368.000000\n";
    let kem = "+DTP:X:keygen:1\n+R15:28665:X:1.00\n+DTP:X:encaps:1\n+R16:44912:X:1.00\n\
               +DTP:X:decaps:1\n+R17:28368:X:1.00\n";
    let log = read(row, kem.as_bytes());
    assert!(log.is_complete(), "{:?}", log.findings);
    assert_eq!(figures(&log), ["X keygen 28665/s", "X encaps 44912/s", "X decaps 28368/s"]);
    let signature = kem.replace("encaps", "signs").replace("decaps", "verify");
    let signature = signature.replace("R15", "R18").replace("R16", "R19").replace("R17", "R20");
    let log = read(row, signature.as_bytes());
    assert!(log.is_complete(), "{:?}", log.findings);
    assert_eq!(figures(&log), ["X keygen 28665/s", "X sign 44912/s", "X verify 28368/s"]);
    assert_eq!(log.phases[1].printed_rate.unwrap().decimals, 6);
}

/// The hint of processor time comes in the middle of the first phase on some systems.
#[test]
fn a_hint_within_a_phase_is_a_note() {
    let hint = "To get meaningful results, run this program on idle system.";
    let log = both(|stdout, stderr| (stdout, stderr.replacen(": 2850", &format!(": {hint}\n2850"), 1)));
    assert!(log.is_complete(), "{:?}", log.findings);
    assert_eq!(figures(&log), WHOLE);
    assert_eq!(log.notes, [hint]);
}

#[test]
fn ciphers_and_digests_are_passed_over() {
    let log = read(
        b"version: 3.6.3\nThe 'numbers' are in 1000s of bytes per second processed.\n\
          type             16 bytes     64 bytes\n\
          des ede3           123.45        99.90k\n\
          sha256          147690.08k   473092.80k\n",
        b"Doing sha256 ops for 1s on 16 size blocks: 9230630 sha256 ops in 1.00s\n\
          Doing sha256 ops for 1s on 64 size blocks: 7392075 sha256 ops in 1.00s\n",
    );
    assert!(log.is_complete() && log.phases.is_empty(), "{:?}", log.findings);
    let log = read(b"+H:16:64\n+F:6:sha256:1.00:2.00\n", b"+DT:sha256:1:16\n+R:9:sha256:1.000000\n");
    assert!(log.is_complete() && log.phases.is_empty(), "{:?}", log.findings);
}
