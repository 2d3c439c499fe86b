//! Deviations that are known: reported with their reason, and no news. One that is gone is news again.

use std::path::Path;

use pqsig::Algorithm;
use serde::{Deserialize, Serialize};

use crate::document::{self, Error};
use crate::record::{Case, Check, Run};

/// The name of the format of a list of known deviations.
pub const SCHEMA: &str = "pqsig-interop-known/1";

/// A list of known deviations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    schema: String,
    deviations: Vec<Deviation>,
}

/// A deviation that somebody has looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deviation {
    /// Who deviates.
    pub peer: String,
    /// The version that was looked at, or its first words: `lib 1.2` is also `lib 1.2 (Python 3.11)`. Another version is
    /// looked at anew.
    pub version: String,
    /// The check.
    pub check: Check,
    /// The case's name.
    pub case: String,
    /// Why it is so, and who says so.
    pub why: String,
}

impl Known {
    /// Reads a list.
    ///
    /// # Errors
    /// [`Error`].
    pub fn read(path: &Path) -> Result<Self, Error> {
        document::read(path, "list of known deviations", SCHEMA)
    }

    /// Marks the findings of which every outlier is known to deviate there.
    ///
    /// Returns the deviations that are gone: their case was asked of the same version, for some algorithm, and came out
    /// right every time. The list is out of date then, and a list that nobody keeps hides what it should show.
    pub fn mark(&self, run: &mut Run) -> Vec<Deviation> {
        let mut seen = vec![false; self.deviations.len()];
        let mut asked = vec![false; self.deviations.len()];
        let peers = run.peers.clone();
        let version = |name: &str, algorithm: Algorithm| {
            peers.iter().find(|peer| peer.name == name).map(|peer| peer.version(algorithm).to_owned())
        };
        for case in &mut run.cases {
            let algorithm = case.algorithm;
            let applies = |deviation: &Deviation| {
                is_about(deviation, case)
                    && version(&deviation.peer, algorithm)
                        .is_some_and(|v| starts_with(&v, &deviation.version))
            };
            for (index, deviation) in self.deviations.iter().enumerate() {
                asked[index] |= applies(deviation) && case.answers.contains_key(&deviation.peer);
            }
            let Some(finding) = &case.finding else { continue };
            let reasons: Vec<Option<usize>> = finding
                .outliers
                .iter()
                .map(|outlier| {
                    self.deviations.iter().position(|known| &known.peer == outlier && applies(known))
                })
                .collect();
            for index in reasons.iter().flatten() {
                seen[*index] = true;
            }
            let all_known: Option<Vec<usize>> = reasons.into_iter().collect();
            let words: Option<Vec<String>> = all_known
                .filter(|indices| !indices.is_empty())
                .map(|indices| indices.into_iter().map(|index| self.deviations[index].why.clone()).collect());
            if let Some(finding) = &mut case.finding {
                finding.known = words.map(|words| words.join("; "));
            }
        }
        let gone = self.deviations.iter().zip(asked.iter().zip(&seen));
        gone.filter(|(_, (asked, seen))| **asked && !**seen).map(|(deviation, _)| deviation.clone()).collect()
    }
}

/// Whether these are the first words.
fn starts_with(version: &str, words: &str) -> bool {
    version.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn is_about(deviation: &Deviation, case: &Case) -> bool {
    deviation.check == case.check && deviation.case == case.name
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;
    use crate::peer::{Identity, Kind};
    use crate::question::Verdict;
    use crate::record::{Depth, Expected, Finding, RUN_SCHEMA, Recorded};

    fn run(outliers: &[&str]) -> Run {
        let peer = |name: &str| Identity {
            name: name.to_owned(),
            kind: Kind::Adapter,
            versions: [(Algorithm::MlDsa44.name().to_owned(), "lib 1".to_owned())].into(),
            lineages: BTreeMap::new(),
            artifacts: Vec::new(),
        };
        let answer = Recorded { verdict: Verdict::Accepted, detail: None };
        let outliers: Vec<String> = outliers.iter().map(|name| (*name).to_owned()).collect();
        Run {
            schema: RUN_SCHEMA.to_owned(),
            pqsig_version: String::new(),
            depth: Depth::Quick,
            started_unix_ms: 0,
            elapsed_ms: 0,
            peers: vec![peer("a"), peer("b")],
            skipped: Vec::new(),
            cases: vec![Case {
                id: "id".to_owned(),
                algorithm: Algorithm::MlDsa44,
                check: Check::Hostile,
                name: "trailing byte".to_owned(),
                signer: None,
                expected: Expected::Rejected,
                answers: ["a", "b"].map(|name| (name.to_owned(), answer.clone())).into(),
                finding: (!outliers.is_empty()).then(|| Finding {
                    outliers,
                    votes: Vec::new(),
                    summary: String::new(),
                    reproducer: None,
                    known: None,
                }),
            }],
            not_made: Vec::new(),
            vectors: Vec::new(),
        }
    }

    fn known(version: &str) -> Known {
        Known {
            schema: SCHEMA.to_owned(),
            deviations: vec![Deviation {
                peer: "a".to_owned(),
                version: version.to_owned(),
                check: Check::Hostile,
                case: "trailing byte".to_owned(),
                why: "it reads no further".to_owned(),
            }],
        }
    }

    fn reason(run: &Run) -> Option<String> {
        run.cases[0].finding.as_ref().and_then(|finding| finding.known.clone())
    }

    #[test]
    fn a_known_deviation_is_marked() {
        let mut run = run(&["a"]);
        assert!(known("lib 1").mark(&mut run).is_empty());
        assert_eq!(reason(&run).as_deref(), Some("it reads no further"));
    }

    #[test]
    fn another_version_and_another_outlier_are_news() {
        let mut other_version = run(&["a"]);
        assert!(known("lib 2").mark(&mut other_version).is_empty());
        assert_eq!(reason(&other_version), None);
        let mut both = run(&["a", "b"]);
        assert!(known("lib 1").mark(&mut both).is_empty());
        assert_eq!(reason(&both), None);
    }

    #[test]
    fn a_version_is_told_by_its_first_words() {
        assert!(starts_with("lib 1.2", "lib 1.2"));
        assert!(starts_with("lib 1.2 (Python 3.11)", "lib 1.2"));
        assert!(!starts_with("lib 1.20", "lib 1.2"));
    }

    #[test]
    fn a_deviation_that_is_gone_is_reported() {
        assert_eq!(known("lib 1").mark(&mut run(&[])), known("lib 1").deviations);
        assert!(known("lib 2").mark(&mut run(&[])).is_empty());
    }

    #[test]
    fn damaged_lists_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known.json");
        for text in ["", "[]", r#"{"schema":"other","deviations":[]}"#, r#"{"schema":1,"deviations":[]}"#] {
            fs::write(&path, text).unwrap();
            assert!(matches!(Known::read(&path), Err(Error::Damaged { .. })), "{text}");
        }
        assert!(matches!(Known::read(folder.path()), Err(Error::Unreadable { .. })));
    }
}
