//! Small runs that the reports' tests are made with.

use pqsig::Algorithm::{Ed25519, MlDsa65};
use pqsig::{Algorithm, Family};

use crate::peer::{Artifact, Identity, Kind};
use crate::question::Verdict::{self, Accepted, Rejected, Unsupported};
use crate::record::{
    Case, Check, Depth, Expected, Finding, NotMade, RUN_SCHEMA, Recorded, Run, Skipped, VectorTally, Vote,
};

/// A peer of one lineage that knows these families.
pub(crate) fn peer(name: &str, kind: Kind, lineage: &str, families: &[Family]) -> Identity {
    let algorithms = || Algorithm::all().filter(|a| families.contains(&a.family()));
    Identity {
        name: name.into(),
        kind,
        versions: algorithms().map(|a| (a.name().to_owned(), format!("{lineage} 1.0"))).collect(),
        lineages: algorithms().map(|a| (a.name().to_owned(), lineage.to_owned())).collect(),
        artifacts: vec![Artifact { name: format!("{name}-program"), sha256: "ab".repeat(32) }],
    }
}

/// A case with these answers, without a finding.
pub(crate) fn case(
    algorithm: Algorithm,
    check: Check,
    name: &str,
    expected: Expected,
    answers: &[(&str, Verdict)],
) -> Case {
    let recorded = |verdict: Verdict| Recorded {
        verdict,
        detail: (verdict == Unsupported).then(|| "pre-hashing with SHA-512".to_owned()),
    };
    Case {
        id: format!("{algorithm}/{}/{name}", check.name()),
        algorithm,
        check,
        name: name.into(),
        signer: (check == Check::Exchange || check == Check::Hostile).then(|| "openssl".into()),
        expected,
        answers: answers.iter().map(|(peer, verdict)| ((*peer).to_owned(), recorded(*verdict))).collect(),
        finding: None,
    }
}

/// Three backends that agree, a peer that was skipped, a question that the standard leaves open, and vectors.
pub(crate) fn agreeing() -> Run {
    let post_quantum = &[Family::MlDsa, Family::Ed25519][..];
    let everyone = |verdict| [("rustcrypto", verdict), ("openssl", verdict), ("aws-lc", verdict)];
    let vectors = |algorithm, group: &str, peer: &str, passed, skipped: &[(&str, u64)]| VectorTally {
        suite: "wycheproof".into(),
        group: group.into(),
        algorithm,
        peer: peer.into(),
        passed,
        failed: 0,
        skipped: skipped.iter().map(|(why, count)| ((*why).to_owned(), *count)).collect(),
    };
    Run {
        schema: RUN_SCHEMA.into(),
        pqsig_version: "0.1.0".into(),
        depth: Depth::Quick,
        started_unix_ms: 1_764_600_000_000,
        elapsed_ms: 1_234,
        peers: vec![
            peer("rustcrypto", Kind::InProcess, "RustCrypto", post_quantum),
            peer("openssl", Kind::InProcess, "OpenSSL", post_quantum),
            peer("aws-lc", Kind::InProcess, "mldsa-native", post_quantum),
            peer("fips205", Kind::InProcess, "integritychain", &[Family::SlhDsa]),
        ],
        skipped: vec![Skipped { peer: "noble".into(), why: "node is not on the PATH".into() }],
        cases: vec![
            case(MlDsa65, Check::PublicKeys, "key 0", Expected::Same, &everyone(Accepted)),
            case(MlDsa65, Check::Exchange, "pure", Expected::Accepted, &everyone(Accepted)),
            case(
                MlDsa65,
                Check::Exchange,
                "pre-hash SHA-512",
                Expected::Accepted,
                &[("rustcrypto", Accepted), ("openssl", Accepted), ("aws-lc", Unsupported)],
            ),
            case(MlDsa65, Check::Hostile, "hint repeated", Expected::Rejected, &everyone(Rejected)),
            case(Ed25519, Check::Exchange, "pure", Expected::Accepted, &everyone(Accepted)),
            case(
                Ed25519,
                Check::Hostile,
                "small-order public key",
                Expected::Policy,
                &[("rustcrypto", Rejected), ("openssl", Accepted), ("aws-lc", Accepted)],
            ),
        ],
        not_made: vec![NotMade {
            id: "ML-DSA-65/hostile/hint out of order/pure by aws-lc".into(),
            why: "the signature has one hint".into(),
        }],
        vectors: vec![
            vectors(MlDsa65, "mldsa_65_verify", "rustcrypto", 210, &[]),
            vectors(MlDsa65, "mldsa_65_verify", "openssl", 200, &[("no internal interface", 10)]),
            vectors(Ed25519, "ed25519", "openssl", 151, &[]),
        ],
    }
}

/// The same, with an adapter that ignores the context, and a tie.
pub(crate) fn disagreeing() -> Run {
    let mut run = agreeing();
    run.peers.push(peer("mine", Kind::Adapter, "mine", &[Family::MlDsa]));
    let answers = [("rustcrypto", Rejected), ("openssl", Rejected), ("aws-lc", Rejected), ("mine", Accepted)];
    let mut ignored = case(MlDsa65, Check::Hostile, "another context", Expected::Rejected, &answers);
    ignored.finding = Some(Finding {
        outliers: vec!["mine".into()],
        votes: vec![
            Vote {
                answer: "rejected".into(),
                lineages: vec!["OpenSSL".into(), "RustCrypto".into(), "mldsa-native".into()],
                peers: vec!["rustcrypto".into(), "openssl".into(), "aws-lc".into()],
            },
            Vote { answer: "accepted".into(), lineages: vec!["mine".into()], peers: vec!["mine".into()] },
        ],
        summary: "the standard says rejected; mine: accepted".into(),
        reproducer: Some("findings/another-context.json".into()),
        known: None,
    });
    let mut again = ignored.clone();
    again.id.push_str(" by aws-lc");
    again.signer = Some("aws-lc".into());

    let mut tie = case(
        MlDsa65,
        Check::Signatures,
        "größe <1> & \"2\"",
        Expected::Same,
        &[("openssl", Rejected), ("mine", Rejected)],
    );
    let bytes = |digest: &str, lineage: &str, peer: &str| Vote {
        answer: format!("3309 bytes, SHA-256 {digest}"),
        lineages: vec![lineage.into()],
        peers: vec![peer.into()],
    };
    tie.finding = Some(Finding {
        outliers: Vec::new(),
        votes: vec![bytes("aa", "OpenSSL", "openssl"), bytes("bb", "mine", "mine")],
        summary: "the votes are even: nobody can say who is right".into(),
        reproducer: None,
        known: None,
    });
    run.cases.insert(4, ignored);
    run.cases.insert(5, again);
    run.cases.insert(1, tie);
    run
}

/// The same run with other answers of one peer.
pub(crate) fn with_answers(mut run: Run, peer: &str, verdict: Verdict) -> Run {
    for case in &mut run.cases {
        if let Some(answer) = case.answers.get_mut(peer) {
            answer.verdict = verdict;
        }
    }
    run
}

/// The disagreeing run without its tie and with a wrong vector, all of which is known.
pub(crate) fn knowing() -> Run {
    let mut run = disagreeing();
    let mut vector = run.cases[5].clone();
    vector.id = "ML-DSA-65/vectors/wycheproof mldsa_65_verify, tcId 7: t1 is zero".into();
    vector.name = "wycheproof mldsa_65_verify, tcId 7: t1 is zero".into();
    vector.check = Check::Vectors;
    run.cases.push(vector);
    run.vectors.push(VectorTally {
        suite: "wycheproof".into(),
        group: "mldsa_65_verify".into(),
        algorithm: MlDsa65,
        peer: "mine".into(),
        passed: 9,
        failed: 1,
        skipped: std::collections::BTreeMap::new(),
    });
    for finding in run.cases.iter_mut().filter_map(|case| case.finding.as_mut()) {
        finding.outliers = vec!["mine".into()];
        finding.known = Some("it never looks at the context".into());
    }
    // In the tie, only one of the two is known to deviate.
    let tie = run.cases.iter_mut().find(|case| case.check == Check::Signatures);
    if let Some(answer) = tie.and_then(|case| case.answers.get_mut("openssl")) {
        answer.verdict = Accepted;
    }
    run
}
