//! What came of a replay: what was answered then, and what is answered now.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::findings;
use super::tally::Standing;
use super::terminal::{self, Emphasis, Item, Style, heading, paragraph, words};
use crate::question::Verdict;
use crate::record::{Expected, Finding, Recorded};
use crate::replay::Replayed;

/// The name of the format of a replay in JSON.
pub const REPLAY_SCHEMA: &str = "pqsig-interop-replay/1";

/// A replay as JSON has it.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    schema: &'static str,
    id: &'a str,
    name: &'a str,
    expected: Expected,
    then: &'a BTreeMap<String, Recorded>,
    now: &'a BTreeMap<String, Recorded>,
    finding: Option<&'a Finding>,
    absent: &'a [String],
    other_builds: &'a [String],
}

impl<'a> Report<'a> {
    /// The same, without the question.
    #[must_use]
    pub fn new(replayed: &'a Replayed) -> Self {
        Report {
            schema: REPLAY_SCHEMA,
            id: &replayed.reproducer.id,
            name: &replayed.reproducer.name,
            expected: replayed.reproducer.expected,
            then: &replayed.reproducer.answers,
            now: &replayed.now,
            finding: replayed.finding.as_ref(),
            absent: &replayed.absent,
            other_builds: &replayed.other_builds,
        }
    }
}

/// Those who were wrong or broke then, and are not among those asked now.
#[must_use]
pub fn absent_outliers(replayed: &Replayed) -> Vec<String> {
    let expected = replayed.reproducer.expected;
    let was_bad = |name: &&String| {
        let then = replayed.reproducer.answers.get(*name);
        then.is_some_and(|then| {
            matches!(Standing::new(expected, then.verdict), Standing::Wrong | Standing::Failed)
        })
    };
    replayed.absent.iter().filter(was_bad).cloned().collect()
}

/// Whether anybody gave an answer.
#[must_use]
pub fn is_answered(replayed: &Replayed) -> bool {
    replayed.now.values().any(|answer| answer.verdict != Verdict::Unsupported)
}

/// A replay as people read it. It ends with one line that begins with `agreement:`, `disagreement:` or `undecided:`.
#[must_use]
pub fn render(replayed: &Replayed, style: Style) -> String {
    let Replayed { reproducer, now, .. } = replayed;
    let expected = match reproducer.expected {
        Expected::Accepted => "right: accepted",
        Expected::Rejected => "right: rejected",
        Expected::Same => "right: the same bytes from all",
        Expected::Policy => "left open by the standard",
    };
    let mut sections = vec![heading(&reproducer.id, style) + &paragraph("", expected, style)];

    let names: BTreeSet<&String> = reproducer.answers.keys().chain(now.keys()).collect();
    let verdict = |answer: Option<&Recorded>| answer.map_or("–", |answer| answer.verdict.name());
    let blamed = |name: &str| {
        replayed
            .finding
            .as_ref()
            .is_some_and(|finding| finding.outliers.iter().any(|outlier| outlier == name))
    };
    let rows = names.into_iter().map(|name| {
        let (then, now) = (reproducer.answers.get(name), now.get(name));
        let detail = now.or(then).and_then(|answer| answer.detail.clone()).unwrap_or_default();
        let emphasis = if blamed(name) { Emphasis::Bad } else { Emphasis::Plain };
        [name.clone(), verdict(then).to_owned(), verdict(now).to_owned(), detail]
            .map(|text| Item::new(text, emphasis))
            .to_vec()
    });
    sections.push(words(&["peer", "then", "now", "detail"], rows.collect(), style));

    let mut notes = String::new();
    for (names, what) in [
        (&replayed.absent, "not asked now: "),
        (&replayed.other_builds, "another build than then, of which the old answer says nothing: "),
    ] {
        if !names.is_empty() {
            notes.push_str(&paragraph("", &format!("{what}{}", names.join(", ")), style));
        }
    }
    sections.extend((!notes.is_empty()).then_some(notes));
    sections.extend(replayed.finding.as_ref().map(|finding| findings::describe(finding, style)));
    sections.push(conclusion(replayed, style));
    sections.join("\n")
}

fn conclusion(replayed: &Replayed, style: Style) -> String {
    let (word, emphasis, rest) = match &replayed.finding {
        Some(finding) => ("disagreement:", Emphasis::Bad, findings::outliers(finding)),
        None if !is_answered(replayed) => {
            ("undecided:", Emphasis::Bad, "none of those asked can answer this".to_owned())
        }
        None if !absent_outliers(replayed).is_empty() => {
            let absent = absent_outliers(replayed).join(", ");
            ("undecided:", Emphasis::Bad, format!("{absent} was wrong then, and was not asked now"))
        }
        None => ("agreement:", Emphasis::Strong, "nobody is wrong now".to_owned()),
    };
    terminal::verdict(word, emphasis, &rest, style)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peer::Kind;
    use crate::question::Question;
    use crate::record::{REPRODUCER_SCHEMA, Reproducer};
    use crate::report::fixture;

    const STYLE: Style = Style { width: 80, colour: false };

    /// The adapter that ignored the context, asked again together with these.
    fn replayed(now: &[(&str, Verdict)], finding: bool) -> Replayed {
        let run = fixture::disagreeing();
        let case = run.cases.iter().find(|case| case.name == "another context").unwrap();
        let recorded = |verdict: Verdict| Recorded { verdict, detail: None };
        let now: BTreeMap<_, _> = now.iter().map(|(name, v)| ((*name).to_owned(), recorded(*v))).collect();
        Replayed {
            absent: case.answers.keys().filter(|name| !now.contains_key(*name)).cloned().collect(),
            other_builds: vec!["mine".into()],
            finding: case.finding.clone().filter(|_| finding),
            reproducer: Reproducer {
                schema: REPRODUCER_SCHEMA.into(),
                id: case.id.clone(),
                name: case.name.clone(),
                expected: case.expected,
                question: Question::Derive { algorithm: case.algorithm, seed: vec![0; 32] },
                reference: None,
                signer: case.signer.clone(),
                answers: case.answers.clone(),
                peers: vec![fixture::peer("mine", Kind::Adapter, "mine", &[])],
            },
            now,
        }
    }

    #[test]
    fn a_finding_that_is_still_one() {
        let text =
            render(&replayed(&[("openssl", Verdict::Rejected), ("mine", Verdict::Accepted)], true), STYLE);
        let expected = "\
ML-DSA-65/hostile/another context
right: rejected

peer        then      now       detail
aws-lc      rejected  –
mine        accepted  accepted
openssl     rejected  rejected
rustcrypto  rejected  –

not asked now: aws-lc, rustcrypto
another build than then, of which the old answer says nothing: mine

   outlier: mine
   the standard says rejected; mine: accepted
   - rejected: 3 lineages, OpenSSL, RustCrypto and mldsa-native (rustcrypto,
     openssl, aws-lc)
   - accepted: 1 lineage, mine (mine)

disagreement: outlier: mine
";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_finding_that_is_gone_and_one_that_nobody_can_tell() {
        let last = |replayed: &Replayed| render(replayed, STYLE).lines().last().unwrap().to_owned();
        let gone = replayed(&[("openssl", Verdict::Rejected), ("mine", Verdict::Rejected)], false);
        assert_eq!(last(&gone), "agreement: nobody is wrong now");
        assert!(absent_outliers(&gone).is_empty());

        let without = replayed(&[("openssl", Verdict::Rejected)], false);
        assert_eq!(absent_outliers(&without), ["mine"]);
        assert_eq!(last(&without), "undecided: mine was wrong then, and was not asked now");

        let unable = replayed(&[("mine", Verdict::Unsupported)], false);
        assert!(!is_answered(&unable));
        assert_eq!(last(&unable), "undecided: none of those asked can answer this");
    }

    #[test]
    fn json_has_then_and_now() {
        let replayed = replayed(&[("mine", Verdict::Accepted)], true);
        let value = serde_json::to_value(Report::new(&replayed)).unwrap();
        assert_eq!(value["schema"], REPLAY_SCHEMA);
        assert_eq!(value["then"]["openssl"]["verdict"], "rejected");
        assert_eq!(value["now"]["mine"]["verdict"], "accepted");
        assert_eq!(value["finding"]["outliers"][0], "mine");
    }
}
