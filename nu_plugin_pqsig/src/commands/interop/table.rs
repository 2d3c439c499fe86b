//! What a run found, as tables.

use nu_protocol::{Record, Span, Value, record};
use pqsig::Algorithm;
use pqsig_interop::record::{Case, Check, Expected, Run, Vote};
use pqsig_interop::report::tally::{Standing, Tallies, findings, news};

use crate::commands::strings;

/// A row per algorithm, check and peer, then the peers that were skipped. A column `notes` says why, if there are any.
pub(super) fn long(run: &Run, span: Span) -> Value {
    let tallies = Tallies::new(run);
    let mut rows: Vec<Record> = Vec::new();
    for algorithm in tallies.algorithms() {
        for check in tallies.checks(algorithm) {
            for peer in run.peers.iter().filter(|peer| knows(run, &tallies, algorithm, &peer.name)) {
                let tally = tallies.cell(algorithm, check, &peer.name);
                let count = |count: u64| int(count, span);
                // A terminal that is too narrow cuts off at the right: what tells most comes first.
                rows.push(record! {
                    "algorithm" => Value::string(algorithm.name(), span),
                    "check" => Value::string(check.name(), span),
                    "backend" => Value::string(&peer.name, span),
                    "findings" => count(blamed(run, algorithm, check, &peer.name)),
                    "accepted" => count(tally.accepted + tally.same + tally.vectors),
                    "rejected" => count(tally.rejected),
                    "wrong" => count(tally.wrong),
                    "failed" => count(tally.failed),
                    "known" => count(tally.known),
                    "unsupported" => count(tally.unsupported),
                    "open" => count(tally.open),
                    "lineage" => Value::string(peer.lineage(algorithm), span),
                });
            }
        }
    }
    with_notes(rows, run, span)
}

/// A row per algorithm and check, a column per peer with its counts in short.
pub(super) fn wide(run: &Run, span: Span) -> Value {
    let tallies = Tallies::new(run);
    let mut rows: Vec<Record> = Vec::new();
    let algorithms = tallies.algorithms();
    let knows_any = |peer: &str| algorithms.iter().any(|algorithm| knows(run, &tallies, *algorithm, peer));
    let columns: Vec<&str> =
        run.peers.iter().map(|peer| peer.name.as_str()).filter(|peer| knows_any(peer)).collect();
    for algorithm in &algorithms {
        for check in tallies.checks(*algorithm) {
            let mut row = record! {
                "algorithm" => Value::string(algorithm.name(), span),
                "check" => Value::string(check.name(), span),
            };
            for peer in &columns {
                row.push(*peer, Value::string(tallies.cell(*algorithm, check, peer).to_string(), span));
            }
            rows.push(row);
        }
    }
    let values = rows.into_iter().map(|row| Value::record(row, span)).collect();
    Value::list(values, span)
}

/// Whether a peer has the algorithm at all, or said anything about it.
fn knows(run: &Run, tallies: &Tallies, algorithm: Algorithm, peer: &str) -> bool {
    let identity = run.peers.iter().find(|identity| identity.name == peer);
    identity.is_some_and(|identity| identity.versions.contains_key(algorithm.name()))
        || !tallies.of_algorithm(algorithm, peer).is_empty()
}

/// How many findings name the peer, or leave open whether it is the one.
fn blamed(run: &Run, algorithm: Algorithm, check: Check, peer: &str) -> u64 {
    let names = |case: &&Case| {
        let named = case.finding.iter().flat_map(|finding| &finding.outliers).any(|outlier| outlier == peer);
        let answer = case.answers.get(peer).map(|answer| Standing::of(case, peer, answer.verdict));
        named || answer == Some(Standing::Disputed)
    };
    news(run).filter(|case| case.algorithm == algorithm && case.check == check).filter(names).count() as u64
}

fn with_notes(mut rows: Vec<Record>, run: &Run, span: Span) -> Value {
    if !run.skipped.is_empty() {
        let columns: Vec<String> =
            rows.first().map(|row| row.columns().cloned().collect()).unwrap_or_default();
        for row in &mut rows {
            row.push("notes", Value::nothing(span));
        }
        for skipped in &run.skipped {
            let mut row: Record =
                columns.iter().map(|column| (column.clone(), Value::nothing(span))).collect();
            row.insert("backend", Value::string(&skipped.peer, span));
            row.insert("notes", Value::string(format!("skipped: {}", skipped.why), span));
            rows.push(row);
        }
    }
    Value::list(rows.into_iter().map(|row| Value::record(row, span)).collect(), span)
}

/// A row per case in which something is wrong.
pub(super) fn of_findings(run: &Run, span: Span) -> Value {
    let text = |text: Option<&String>| text.map_or(Value::nothing(span), |text| Value::string(text, span));
    let vote = |vote: &Vote| {
        let row = record! {
            "answer" => Value::string(&vote.answer, span),
            "lineages" => strings(&vote.lineages, span),
            "backends" => strings(&vote.peers, span),
        };
        Value::record(row, span)
    };
    let rows = findings(run).filter_map(|case| {
        let finding = case.finding.as_ref()?;
        let row = record! {
            "algorithm" => Value::string(case.algorithm.name(), span),
            "check" => Value::string(case.check.name(), span),
            "case" => Value::string(&case.name, span),
            "signer" => text(case.signer.as_ref()),
            "outliers" => strings(&finding.outliers, span),
            "summary" => Value::string(&finding.summary, span),
            "expected" => Value::string(expected(case.expected), span),
            "votes" => Value::list(finding.votes.iter().map(vote).collect(), span),
            "reproducer" => text(finding.reproducer.as_ref()),
            "known" => text(finding.known.as_ref()),
        };
        Some(Value::record(row, span))
    });
    Value::list(rows.collect(), span)
}

fn expected(expected: Expected) -> &'static str {
    match expected {
        Expected::Accepted => "accepted",
        Expected::Rejected => "rejected",
        Expected::Same => "same",
        Expected::Policy => "policy",
    }
}

fn int(count: u64, span: Span) -> Value {
    Value::int(count.try_into().unwrap_or(i64::MAX), span)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use pqsig_interop::peer::{Identity, Kind};
    use pqsig_interop::question::Verdict::{self, Accepted, Rejected, Unsupported};
    use pqsig_interop::record::{Depth, Finding, RUN_SCHEMA, Recorded, Skipped};

    use super::*;

    const SPAN: Span = Span::test_data();

    fn peer(name: &str) -> Identity {
        let words: BTreeMap<_, _> = [("Ed25519".to_owned(), name.to_owned())].into();
        Identity {
            name: name.into(),
            kind: Kind::InProcess,
            versions: words.clone(),
            lineages: words,
            artifacts: Vec::new(),
        }
    }

    /// One of two accepts another context; a third could not be had.
    fn run() -> Run {
        let case = |check: Check, expected, answers: [(&str, Verdict); 2]| Case {
            id: format!("Ed25519/{}", check.name()),
            algorithm: Algorithm::Ed25519,
            check,
            name: "pure".into(),
            signer: Some("openssl".into()),
            expected,
            answers: answers
                .map(|(name, verdict)| (name.to_owned(), Recorded { verdict, detail: None }))
                .into(),
            finding: None,
        };
        let mut wrong = case(Check::Hostile, Expected::Rejected, [("openssl", Rejected), ("mine", Accepted)]);
        wrong.finding = Some(Finding {
            outliers: vec!["mine".into()],
            votes: vec![Vote {
                answer: "accepted".into(),
                lineages: vec!["mine".into()],
                peers: vec!["mine".into()],
            }],
            summary: "the standard says rejected; mine: accepted".into(),
            reproducer: None,
            known: None,
        });
        Run {
            schema: RUN_SCHEMA.into(),
            pqsig_version: "0.1.0".into(),
            depth: Depth::Quick,
            started_unix_ms: 0,
            elapsed_ms: 0,
            peers: vec![peer("openssl"), peer("mine")],
            skipped: vec![Skipped { peer: "noble".into(), why: "no node".into() }],
            cases: vec![
                case(Check::Exchange, Expected::Accepted, [("openssl", Accepted), ("mine", Unsupported)]),
                wrong,
            ],
            not_made: Vec::new(),
            vectors: Vec::new(),
        }
    }

    fn rows(table: &Value) -> Vec<&Record> {
        table.as_list().unwrap().iter().map(|row| row.as_record().unwrap()).collect()
    }

    #[test]
    fn a_row_per_algorithm_check_and_peer() {
        let table = long(&run(), SPAN);
        let rows = rows(&table);
        assert_eq!(rows.len(), 2 * 2 + 1);
        let mine = rows[3];
        assert_eq!(mine["check"], Value::test_string("hostile"));
        assert_eq!(mine["backend"], Value::test_string("mine"));
        let counts = ["accepted", "rejected", "findings", "wrong", "failed", "unsupported"]
            .map(|column| mine[column].as_int().unwrap());
        assert_eq!(counts, [0, 0, 1, 1, 0, 0]);
        assert_eq!(rows[0]["accepted"], Value::test_int(1));
        assert_eq!(rows[1]["unsupported"], Value::test_int(1));
        assert_eq!(rows[2]["rejected"], Value::test_int(1));
        assert_eq!(rows[4]["notes"], Value::test_string("skipped: no node"));
        assert_eq!(rows[4]["backend"], Value::test_string("noble"));
        assert_eq!(rows[4]["accepted"], Value::test_nothing());
        assert!(rows.iter().all(|row| row.columns().eq(rows[0].columns())), "one set of columns");
    }

    #[test]
    fn a_column_per_peer() {
        let table = wide(&run(), SPAN);
        let rows = rows(&table);
        assert_eq!(
            rows[1].columns().map(String::as_str).collect::<Vec<_>>(),
            ["algorithm", "check", "openssl", "mine"]
        );
        assert_eq!(rows[0]["openssl"], Value::test_string("+1"));
        assert_eq!(rows[1]["mine"], Value::test_string("✗1"));
    }

    #[test]
    fn a_row_per_finding() {
        let table = of_findings(&run(), SPAN);
        let rows = rows(&table);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0]["outliers"], strings(["mine"], SPAN));
        assert_eq!(rows[0]["signer"], Value::test_string("openssl"));
        assert_eq!(rows[0]["votes"].as_list().unwrap().len(), 1);
        assert_eq!(rows[0]["reproducer"], Value::test_nothing());
    }

    #[test]
    fn what_is_known_is_no_finding() {
        let mut run = run();
        run.cases[1].finding.as_mut().unwrap().known = Some("as ever".into());
        let table = long(&run, SPAN);
        let mine = rows(&table)[3];
        let counts = ["findings", "wrong", "known"].map(|column| mine[column].as_int().unwrap());
        assert_eq!(counts, [0, 0, 1]);
        let table = of_findings(&run, SPAN);
        assert_eq!(rows(&table)[0]["known"], Value::test_string("as ever"));
    }
}
