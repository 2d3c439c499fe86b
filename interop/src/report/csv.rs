//! A run as CSV (RFC 4180): one row per case and peer. Tallies of vectors are not cases; those that came out wrong are.

use crate::record::{Expected, Run};

/// The columns. `id` names a case in every run; `finding` is empty where nothing is wrong with the case, and `known` where that is
/// news.
pub const COLUMNS: [&str; 12] = [
    "id",
    "algorithm",
    "check",
    "case",
    "signer",
    "expected",
    "peer",
    "lineage",
    "verdict",
    "detail",
    "finding",
    "known",
];

/// Writes the rows, in the order of the cases and the peers. What is not known is empty.
///
/// # Errors
/// What the csv crate reports.
pub fn to_string(run: &Run) -> Result<String, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for case in &run.cases {
        for peer in &run.peers {
            let Some(answer) = case.answers.get(&peer.name) else { continue };
            writer.write_record([
                case.id.as_str(),
                case.algorithm.name(),
                case.check.name(),
                &case.name,
                case.signer.as_deref().unwrap_or_default(),
                expected(case.expected),
                &peer.name,
                peer.lineage(case.algorithm),
                answer.verdict.name(),
                answer.detail.as_deref().unwrap_or_default(),
                case.finding.as_ref().map(|finding| finding.summary.as_str()).unwrap_or_default(),
                case.finding.as_ref().and_then(|finding| finding.known.as_deref()).unwrap_or_default(),
            ])?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// As in the saved run.
pub(crate) fn expected(expected: Expected) -> &'static str {
    match expected {
        Expected::Accepted => "accepted",
        Expected::Rejected => "rejected",
        Expected::Same => "same",
        Expected::Policy => "policy",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn one_row_per_case_and_peer() {
        let text = to_string(&fixture::disagreeing()).unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap(), COLUMNS.as_slice());
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        let answers: usize = fixture::disagreeing().cases.iter().map(|case| case.answers.len()).sum();
        assert_eq!(rows.len(), answers);

        let mine = rows.iter().find(|row| &row[3] == "another context" && &row[6] == "mine").unwrap();
        let expected = [
            "ML-DSA-65/hostile/another context",
            "ML-DSA-65",
            "hostile",
            "another context",
            "openssl",
            "rejected",
            "mine",
            "mine",
            "accepted",
            "",
            "the standard says rejected; mine: accepted",
            "",
        ];
        assert_eq!(mine, expected.as_slice());
        assert!(rows.iter().any(|row| &row[3] == "größe <1> & \"2\""), "quotes and letters survive");
        let unsupported = rows.iter().find(|row| &row[8] == "unsupported").unwrap();
        assert_eq!(&unsupported[9], "pre-hashing with SHA-512");
    }
}
