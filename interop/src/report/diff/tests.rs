use super::*;
use crate::record::Skipped;
use crate::report::fixture;

const STYLE: Style = Style { width: 100, colour: false };

#[test]
fn a_run_is_the_same_as_itself() {
    for run in [fixture::agreeing(), fixture::disagreeing()] {
        let diff = Diff::new(&run, &run);
        assert!(diff.is_same());
        assert_eq!(render(&diff, STYLE), "same: nothing changed\n");
    }
}

#[test]
fn another_build_alone_changes_no_verdict() {
    let old = fixture::agreeing();
    let mut new = old.clone();
    new.elapsed_ms += 1;
    new.peers[1].artifacts[0].sha256 = "cd".repeat(32);
    new.peers[1].versions.insert("ML-DSA-65".into(), "OpenSSL 2.0".into());
    let diff = Diff::new(&old, &new);
    assert!(diff.is_same());
    let expected = "\
Peers
- openssl: version OpenSSL 1.0 -> OpenSSL 2.0; another build (SHA-256)

same: 1 build changed
";
    assert_eq!(render(&diff, STYLE), expected);
    assert_eq!(
        diff.builds[0].artifacts.as_ref().unwrap().new,
        [format!("openssl-program {}", "cd".repeat(32))]
    );
}

#[test]
fn answers_that_changed_are_grouped_and_counted() {
    let old = fixture::agreeing();
    let mut new = fixture::with_answers(old.clone(), "aws-lc", Verdict::Failed);
    new.vectors[1].skipped.clear();
    let diff = Diff::new(&old, &new);
    assert!(!diff.is_same());
    assert_eq!(diff.verdicts.len(), 6);
    let text = render(&diff, STYLE);
    for line in [
        "aws-lc  ML-DSA-65  exchange     accepted -> failed     1: ML-DSA-65/exchange/pure",
        "aws-lc  ML-DSA-65  exchange     unsupported -> failed  1: ML-DSA-65/exchange/pre-hash SHA-512",
        "wycheproof mldsa_65_verify  ML-DSA-65  openssl  200 passed, 0 failed, 10 skipped -> 200 passed, 0\n",
        "changed: 6 answers changed, 1 count of vectors changed\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn peers_cases_and_findings_come_and_go() {
    let (old, new) = (fixture::agreeing(), fixture::disagreeing());
    let there = Diff::new(&old, &new);
    assert_eq!(there.peers_added, ["mine"]);
    assert_eq!(there.cases_added.len(), 3);
    assert_eq!(there.findings_new.len(), 3);
    assert!(there.verdicts.is_empty() && there.findings_fixed.is_empty());

    let mut skipping = old.clone();
    skipping.skipped.push(Skipped { peer: "mine".into(), why: "it did not start".into() });
    let back = Diff::new(&new, &skipping);
    assert_eq!(back.peers_removed[0].why.as_deref(), Some("it did not start"));
    assert_eq!((back.cases_removed.len(), back.findings_fixed.len()), (3, 3));
    let text = render(&back, STYLE);
    assert!(text.contains("- mine: skipped: it did not start\n"), "{text}");
    assert!(text.contains("changed: 1 peer removed, 3 cases removed, 3 findings gone\n"), "{text}");
}

#[test]
fn a_finding_that_blames_another_is_new() {
    let old = fixture::disagreeing();
    let mut new = old.clone();
    let blamed = new.cases.iter_mut().find_map(|case| case.finding.as_mut()).unwrap();
    blamed.outliers = vec!["openssl".into()];
    let diff = Diff::new(&old, &new);
    assert_eq!((diff.findings_new.len(), diff.findings_fixed.len()), (1, 1));
}

#[test]
fn the_depth_is_compared() {
    let old = fixture::agreeing();
    let mut new = old.clone();
    new.depth = Depth::Full;
    let diff = Diff::new(&old, &new);
    assert!(!diff.is_same());
    assert!(render(&diff, STYLE).contains("- depth: quick -> full\n"));
}

#[test]
fn json_says_what_it_is() {
    let diff = Diff::new(&fixture::agreeing(), &fixture::disagreeing());
    let text = crate::report::json::pretty(&diff).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], DIFF_SCHEMA);
    assert_eq!(value["peers_added"][0], "mine");
    assert_eq!(value["depth"], serde_json::Value::Null);
    assert_eq!(value["findings_new"].as_array().unwrap().len(), 3);
}
