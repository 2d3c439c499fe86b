//! A run as JUnit XML, for CI: a suite per algorithm, a test per case and per set of vectors and peer. What nobody supports,
//! peers that could not be had, cases that could not be made and known deviations are skipped tests.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::findings;
use super::tally::{self, Tallies};
use crate::question::Verdict;
use crate::record::{Case, Finding, Run, VectorTally};

/// The run as XML, with a newline at its end.
///
/// # Errors
/// What the quick-junit crate reports.
pub fn to_string(run: &Run) -> Result<String, SerializeError> {
    let mut report = Report::new("pqsig-interop");
    report.set_time(Duration::from_millis(run.elapsed_ms));
    for algorithm in Tallies::new(run).algorithms() {
        let mut suite = TestSuite::new(algorithm.name());
        for peer in run.peers.iter().filter(|peer| peer.versions.contains_key(algorithm.name())) {
            suite.add_property(Property::new(format!("{}.version", peer.name), peer.version(algorithm)));
            suite.add_property(Property::new(format!("{}.lineage", peer.name), peer.lineage(algorithm)));
            for artifact in &peer.artifacts {
                let name = format!("{}.sha256 {}", peer.name, artifact.name);
                suite.add_property(Property::new(name, &artifact.sha256));
            }
        }
        suite.add_test_cases(run.cases.iter().filter(|case| case.algorithm == algorithm).map(of_case));
        suite.add_test_cases(
            run.vectors.iter().filter(|set| set.algorithm == algorithm).map(|set| of_vectors(run, set)),
        );
        report.add_test_suite(suite);
    }
    let peers = run.skipped.iter().map(|peer| skipped(&peer.peer, "peers", &peer.why)).collect();
    let not_made = run.not_made.iter().map(|case| skipped(&case.id, "not made", &case.why)).collect();
    for (name, tests) in [("peers", peers), ("not made", not_made)] {
        let tests: Vec<TestCase> = tests;
        if !tests.is_empty() {
            let mut suite = TestSuite::new(name);
            suite.add_test_cases(tests);
            report.add_test_suite(suite);
        }
    }
    report.to_string()
}

fn of_case(case: &Case) -> TestCase {
    let class = format!("{}.{}", case.algorithm, case.check.name());
    test(&case.id, &class, status_of_case(case))
}

fn status_of_case(case: &Case) -> TestCaseStatus {
    if let Some(why) = case.finding.as_ref().and_then(|finding| finding.known.as_ref()) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(format!("known deviation: {why}"));
        return status;
    }
    if let Some(finding) = &case.finding {
        return failure(&finding.summary, &text(finding));
    }
    if let Some((peer, answer)) = case.answers.iter().find(|(_, answer)| answer.verdict == Verdict::Failed) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        let detail = answer.detail.as_deref().unwrap_or("no reason given");
        status.set_message(format!("{peer} broke: {detail}"));
        return status;
    }
    if case.answers.values().all(|answer| answer.verdict == Verdict::Unsupported) {
        let mut status = TestCaseStatus::skipped();
        status.set_message("no peer supports it");
        return status;
    }
    TestCaseStatus::success()
}

fn of_vectors(run: &Run, set: &VectorTally) -> TestCase {
    let tally = tally::of_vectors(run, set);
    let reasons: Vec<_> = set.skipped.iter().map(|(why, count)| format!("{count} not run: {why}")).collect();
    let reasons = reasons.join("; ");
    let status = if tally.wrong > 0 {
        failure(&format!("{} of {} vectors failed", tally.wrong, set.passed + set.failed), &reasons)
    } else if set.passed == 0 {
        let mut status = TestCaseStatus::skipped();
        status.set_message(reasons);
        status
    } else {
        TestCaseStatus::success()
    };
    let name = format!("{}/{} on {}", set.suite, set.group, set.peer);
    let mut test = test(&name, &format!("{}.vectors", set.algorithm), status);
    test.set_assertions(usize::try_from(set.passed + set.failed).unwrap_or(usize::MAX));
    test
}

fn test(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut test = TestCase::new(name, status);
    test.set_classname(class);
    test
}

fn skipped(name: &str, class: &str, why: &str) -> TestCase {
    let mut status = TestCaseStatus::skipped();
    status.set_message(why);
    test(name, class, status)
}

fn failure(message: &str, description: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(message);
    if !description.is_empty() {
        status.set_description(description);
    }
    status
}

/// A finding's outliers, votes and reproducer.
fn text(finding: &Finding) -> String {
    let mut lines = vec![findings::outliers(finding)];
    lines.extend(findings::votes(finding));
    lines.extend(finding.reproducer.iter().map(|path| format!("again: pqsig-interop replay {path}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    fn read_back(run: &Run) -> Report {
        Report::deserialize_from_str(&to_string(run).unwrap()).unwrap()
    }

    fn kind(test: &TestCase) -> &'static str {
        match &test.status {
            TestCaseStatus::Success { .. } => "success",
            TestCaseStatus::NonSuccess { kind: NonSuccessKind::Failure, .. } => "failure",
            TestCaseStatus::NonSuccess { kind: NonSuccessKind::Error, .. } => "error",
            TestCaseStatus::Skipped { .. } => "skipped",
        }
    }

    #[test]
    fn a_suite_per_algorithm_a_test_per_case() {
        let report = read_back(&fixture::disagreeing());
        let names: Vec<_> = report.test_suites.iter().map(|suite| suite.name.as_str()).collect();
        assert_eq!(names, ["ML-DSA-65", "Ed25519", "peers", "not made"]);
        // 7 cases and 2 sets; 2 cases and 1 set; a peer; a case.
        assert_eq!((report.tests, report.failures, report.errors), (7 + 2 + 2 + 1 + 1 + 1, 3, 0));
        let tests = &report.test_suites[0].test_cases;
        let ignored = tests.iter().find(|test| test.name.as_str().ends_with("another context")).unwrap();
        assert_eq!(kind(ignored), "failure");
        assert_eq!(ignored.classname.as_ref().unwrap().as_str(), "ML-DSA-65.hostile");
        assert!(tests.iter().any(|test| test.name.as_str().ends_with("größe <1> & \"2\"")));
        let xml = to_string(&fixture::disagreeing()).unwrap();
        assert!(xml.contains("again: pqsig-interop replay findings/another-context.json"), "{xml}");
        assert!(xml.contains("accepted: 1 lineage, mine (mine)"), "{xml}");
        assert_eq!(kind(&report.test_suites[2].test_cases[0]), "skipped");
    }

    #[test]
    fn what_is_known_is_skipped() {
        let report = read_back(&fixture::knowing());
        assert_eq!((report.failures, report.errors), (0, 0));
        let xml = to_string(&fixture::knowing()).unwrap();
        assert!(xml.contains("known deviation: it never looks at the context"), "{xml}");
    }

    #[test]
    fn failed_unsupported_and_skipped_are_told_apart() {
        let report = read_back(&fixture::agreeing());
        assert_eq!((report.failures, report.errors), (0, 0));

        let broken = fixture::with_answers(fixture::agreeing(), "openssl", Verdict::Failed);
        assert_eq!(read_back(&broken).errors, broken.cases.len());

        let mut run = fixture::agreeing();
        for peer in ["rustcrypto", "openssl", "aws-lc"] {
            run = fixture::with_answers(run, peer, Verdict::Unsupported);
        }
        run.vectors.retain(|set| set.peer == "openssl");
        run.vectors[0].passed = 0;
        run.vectors[1].failed = 2;
        let report = read_back(&run);
        let of = |suite: usize| report.test_suites[suite].test_cases.iter().map(kind).collect::<Vec<_>>();
        assert_eq!(of(0), ["skipped"; 5]);
        assert_eq!(of(1), ["skipped", "skipped", "failure"]);
    }
}
