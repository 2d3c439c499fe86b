//! What answers are worth, counted.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

use pqsig::Algorithm;

use crate::question::Verdict;
use crate::record::{Case, Check, Expected, Run, VectorTally};

/// What one answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Valid, and accepted.
    Accepted,
    /// Invalid, and rejected.
    Rejected,
    /// The same bytes as the others'.
    Same,
    /// The standard leaves it open.
    Open,
    /// The peer does not know how: never a pass.
    Unsupported,
    /// The peer broke: never a rejection.
    Failed,
    /// Wrong or broken, as is known: see [`crate::known`].
    Known,
    /// The votes are even: nobody can say who is right.
    Disputed,
    /// Not what the standard says, or not the same bytes, or a signature that others rightly reject.
    Wrong,
}

impl Standing {
    /// What a peer's answer to a case is worth. Where something is wrong with the case, the finding says who is: a
    /// verifier that rejects what a signer did wrong is right.
    #[must_use]
    pub fn of(case: &Case, peer: &str, verdict: Verdict) -> Self {
        let standing = Standing::new(case.expected, verdict);
        let Some(finding) = &case.finding else { return standing };
        let is_blamed = |name: &str| finding.outliers.iter().any(|outlier| outlier == name);
        match standing {
            _ if finding.known.is_some() && is_blamed(peer) => Standing::Known,
            Standing::Failed => Standing::Failed,
            _ if is_blamed(peer) => Standing::Wrong,
            Standing::Wrong if case.signer.as_deref().is_some_and(is_blamed) => Standing::Rejected,
            Standing::Wrong => Standing::Disputed,
            other => other,
        }
    }

    /// What a verdict is worth where this is expected, and no vote says otherwise.
    #[must_use]
    pub fn new(expected: Expected, verdict: Verdict) -> Self {
        match (verdict, expected) {
            (Verdict::Unsupported, _) => Standing::Unsupported,
            (Verdict::Failed, _) => Standing::Failed,
            (_, Expected::Policy) => Standing::Open,
            (Verdict::Accepted, Expected::Accepted) => Standing::Accepted,
            (Verdict::Accepted, Expected::Same) => Standing::Same,
            (Verdict::Rejected, Expected::Rejected) => Standing::Rejected,
            (Verdict::Accepted, Expected::Rejected)
            | (Verdict::Rejected, Expected::Accepted | Expected::Same) => Standing::Wrong,
        }
    }
}

/// Answers of one peer, counted by what they are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// [`Standing::Accepted`]
    pub accepted: u64,
    /// [`Standing::Rejected`]
    pub rejected: u64,
    /// [`Standing::Same`]
    pub same: u64,
    /// Vectors that came out right.
    pub vectors: u64,
    /// [`Standing::Open`]
    pub open: u64,
    /// [`Standing::Unsupported`], and vectors that did not run.
    pub unsupported: u64,
    /// [`Standing::Failed`]
    pub failed: u64,
    /// [`Standing::Known`], and vectors of which that is known.
    pub known: u64,
    /// [`Standing::Disputed`]
    pub disputed: u64,
    /// [`Standing::Wrong`], and vectors that came out wrong.
    pub wrong: u64,
}

impl Tally {
    /// Counts one answer.
    pub fn count(&mut self, standing: Standing) {
        *match standing {
            Standing::Accepted => &mut self.accepted,
            Standing::Rejected => &mut self.rejected,
            Standing::Same => &mut self.same,
            Standing::Open => &mut self.open,
            Standing::Unsupported => &mut self.unsupported,
            Standing::Failed => &mut self.failed,
            Standing::Known => &mut self.known,
            Standing::Disputed => &mut self.disputed,
            Standing::Wrong => &mut self.wrong,
        } += 1;
    }

    /// True if an answer was wrong or is disputed, or could not be given because the peer broke.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.wrong + self.disputed + self.failed > 0
    }

    /// True if the peer gave no answer but "unsupported".
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Tally { unsupported: self.unsupported, ..Tally::default() }
    }

    /// The counts with their signs, in the order in which they are written.
    fn signed(&self) -> [(Sign, u64); 10] {
        [
            (Sign::Accepted, self.accepted),
            (Sign::Rejected, self.rejected),
            (Sign::Same, self.same),
            (Sign::Vectors, self.vectors),
            (Sign::Open, self.open),
            (Sign::Unsupported, self.unsupported),
            (Sign::Failed, self.failed),
            (Sign::Known, self.known),
            (Sign::Disputed, self.disputed),
            (Sign::Wrong, self.wrong),
        ]
    }

    /// The signs of those counts that are not zero.
    pub fn signs(&self) -> impl Iterator<Item = Sign> {
        self.signed().into_iter().filter(|(_, count)| *count > 0).map(|(sign, _)| sign)
    }
}

/// Such as `+42 -310 ·5`; a dash if nothing was counted.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts: Vec<_> = self
            .signed()
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .map(|(sign, count)| format!("{}{count}", sign.symbol()))
            .collect();
        f.pad(if counts.is_empty() { "–".to_owned() } else { counts.join(" ") }.as_str())
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.accepted += other.accepted;
        self.rejected += other.rejected;
        self.same += other.same;
        self.vectors += other.vectors;
        self.open += other.open;
        self.unsupported += other.unsupported;
        self.failed += other.failed;
        self.known += other.known;
        self.disputed += other.disputed;
        self.wrong += other.wrong;
    }
}

/// How a count is marked where there is no room for words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// `+`
    Accepted,
    /// `-`
    Rejected,
    /// `=`
    Same,
    /// `✓`
    Vectors,
    /// `~`
    Open,
    /// `·`
    Unsupported,
    /// `!`
    Failed,
    /// `*`
    Known,
    /// `?`
    Disputed,
    /// `✗`
    Wrong,
}

impl Sign {
    /// Every sign, in the order in which they are written.
    pub const ALL: [Sign; 10] = [
        Sign::Accepted,
        Sign::Rejected,
        Sign::Same,
        Sign::Vectors,
        Sign::Open,
        Sign::Unsupported,
        Sign::Failed,
        Sign::Known,
        Sign::Disputed,
        Sign::Wrong,
    ];

    /// The sign.
    #[must_use]
    pub fn symbol(self) -> char {
        match self {
            Sign::Accepted => '+',
            Sign::Rejected => '-',
            Sign::Same => '=',
            Sign::Vectors => '✓',
            Sign::Open => '~',
            Sign::Unsupported => '·',
            Sign::Failed => '!',
            Sign::Known => '*',
            Sign::Disputed => '?',
            Sign::Wrong => '✗',
        }
    }

    /// What it means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Sign::Accepted => "valid and accepted",
            Sign::Rejected => "invalid and rejected",
            Sign::Same => "same bytes",
            Sign::Vectors => "vectors passed",
            Sign::Open => "left open by the standard",
            Sign::Unsupported => "unsupported or not run",
            Sign::Failed => "broke",
            Sign::Known => "known deviation",
            Sign::Disputed => "disputed",
            Sign::Wrong => "wrong",
        }
    }
}

/// The counts of a run, by algorithm, check and peer. What nobody was asked is absent.
#[derive(Clone, Debug, Default)]
pub struct Tallies(BTreeMap<(Algorithm, Check), BTreeMap<String, Tally>>);

impl Tallies {
    /// Counts a run. A vector that came out wrong is a case too, so that vectors are counted by their own tallies only.
    #[must_use]
    pub fn new(run: &Run) -> Self {
        let mut tallies = Tallies::default();
        for case in run.cases.iter().filter(|case| case.check != Check::Vectors) {
            let row = tallies.0.entry((case.algorithm, case.check)).or_default();
            for (peer, answer) in &case.answers {
                row.entry(peer.clone()).or_default().count(Standing::of(case, peer, answer.verdict));
            }
            // A signer can be wrong without having been asked to verify.
            let outliers = case.finding.iter().flat_map(|finding| &finding.outliers);
            for peer in outliers.filter(|peer| !case.answers.contains_key(*peer)) {
                let standing = Standing::of(case, peer, Verdict::Accepted);
                row.entry(peer.clone()).or_default().count(standing);
            }
        }
        for vectors in &run.vectors {
            let row = tallies.0.entry((vectors.algorithm, Check::Vectors)).or_default();
            *row.entry(vectors.peer.clone()).or_default() += of_vectors(run, vectors);
        }
        tallies
    }

    /// The algorithms that something was asked about, in the order of the algorithms' table.
    #[must_use]
    pub fn algorithms(&self) -> Vec<Algorithm> {
        Algorithm::all().filter(|algorithm| self.checks(*algorithm).next().is_some()).collect()
    }

    /// The checks of an algorithm, in their order.
    pub fn checks(&self, algorithm: Algorithm) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |check| self.0.contains_key(&(algorithm, *check)))
    }

    /// The counts of a peer in a check.
    #[must_use]
    pub fn cell(&self, algorithm: Algorithm, check: Check, peer: &str) -> Tally {
        self.0.get(&(algorithm, check)).and_then(|row| row.get(peer)).copied().unwrap_or_default()
    }

    /// The counts of a peer in all checks of an algorithm.
    #[must_use]
    pub fn of_algorithm(&self, algorithm: Algorithm, peer: &str) -> Tally {
        let mut sum = Tally::default();
        for check in self.checks(algorithm) {
            sum += self.cell(algorithm, check, peer);
        }
        sum
    }

    /// The counts of all peers.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in self.0.values().flat_map(BTreeMap::values) {
            sum += *tally;
        }
        sum
    }
}

/// What a set of vectors came to on one peer. A vector that came out wrong is a case too, named after its set, which says
/// whether that is known.
pub(crate) fn of_vectors(run: &Run, set: &VectorTally) -> Tally {
    let prefix = format!("{} {}, ", set.suite, set.group);
    let is_known = |case: &&Case| {
        let finding = case.finding.as_ref();
        case.check == Check::Vectors
            && case.algorithm == set.algorithm
            && case.name.starts_with(&prefix)
            && finding.is_some_and(|f| f.known.is_some() && f.outliers.contains(&set.peer))
    };
    let known = run.cases.iter().filter(is_known).count() as u64;
    Tally {
        vectors: set.passed,
        known: known.min(set.failed),
        wrong: set.failed.saturating_sub(known),
        unsupported: set.skipped.values().sum(),
        ..Tally::default()
    }
}

/// The cases in which something is wrong, known or not.
pub fn findings(run: &Run) -> impl Iterator<Item = &Case> {
    run.cases.iter().filter(|case| case.finding.is_some())
}

/// The cases in which something is wrong that nobody knew.
pub fn news(run: &Run) -> impl Iterator<Item = &Case> {
    run.cases.iter().filter(|case| case.finding.as_ref().is_some_and(|finding| finding.known.is_none()))
}

/// True if nobody was wrong or broke, in any case and any vector, but where that is known. A run that asked nothing has
/// nothing to agree on.
#[must_use]
pub fn agrees(run: &Run) -> bool {
    let total = Tallies::new(run).total();
    !total.is_empty() && !total.is_bad() && news(run).next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture;

    #[test]
    fn every_answer_has_its_worth() {
        use Verdict::{Accepted, Failed, Rejected, Unsupported};
        for expected in [Expected::Accepted, Expected::Rejected, Expected::Same, Expected::Policy] {
            assert_eq!(Standing::new(expected, Unsupported), Standing::Unsupported);
            assert_eq!(Standing::new(expected, Failed), Standing::Failed);
        }
        assert_eq!(Standing::new(Expected::Accepted, Accepted), Standing::Accepted);
        assert_eq!(Standing::new(Expected::Accepted, Rejected), Standing::Wrong);
        assert_eq!(Standing::new(Expected::Rejected, Rejected), Standing::Rejected);
        assert_eq!(Standing::new(Expected::Rejected, Accepted), Standing::Wrong);
        assert_eq!(Standing::new(Expected::Same, Accepted), Standing::Same);
        assert_eq!(Standing::new(Expected::Same, Rejected), Standing::Wrong);
        assert_eq!(Standing::new(Expected::Policy, Accepted), Standing::Open);
        assert_eq!(Standing::new(Expected::Policy, Rejected), Standing::Open);
    }

    #[test]
    fn a_tally_is_written_with_signs() {
        let mut tally = Tally::default();
        assert_eq!(tally.to_string(), "–");
        assert!(tally.is_empty());
        for (standing, times) in
            [(Standing::Accepted, 42), (Standing::Rejected, 310), (Standing::Unsupported, 5)]
        {
            (0..times).for_each(|_| tally.count(standing));
        }
        assert_eq!(tally.to_string(), "+42 -310 ·5");
        assert!(!tally.is_bad());
        tally.count(Standing::Failed);
        tally.count(Standing::Wrong);
        assert_eq!(tally.to_string(), "+42 -310 ·5 !1 ✗1");
        assert!(tally.is_bad());
    }

    #[test]
    fn a_run_is_counted_by_algorithm_check_and_peer() {
        let run = fixture::agreeing();
        let tallies = Tallies::new(&run);
        assert_eq!(tallies.algorithms(), [Algorithm::MlDsa65, Algorithm::Ed25519]);
        let checks: Vec<_> = tallies.checks(Algorithm::MlDsa65).collect();
        assert_eq!(checks, [Check::PublicKeys, Check::Exchange, Check::Hostile, Check::Vectors]);
        let cell = tallies.cell(Algorithm::MlDsa65, Check::Exchange, "aws-lc");
        assert_eq!(cell, Tally { accepted: 1, unsupported: 1, ..Tally::default() });
        let vectors = tallies.cell(Algorithm::MlDsa65, Check::Vectors, "openssl");
        assert_eq!(vectors, Tally { vectors: 200, unsupported: 10, ..Tally::default() });
        let sum = tallies.of_algorithm(Algorithm::MlDsa65, "openssl");
        assert_eq!(sum.to_string(), "+2 -1 =1 ✓200 ·10");
        assert!(tallies.of_algorithm(Algorithm::Ed25519, "absent").is_empty());
        assert!(agrees(&run));
    }

    #[test]
    fn the_finding_says_who_is_wrong() {
        use Standing::{Disputed, Wrong};
        use Verdict::{Accepted, Failed, Rejected};
        let mut case = fixture::case(
            Algorithm::MlDsa65,
            Check::Exchange,
            "pure",
            Expected::Accepted,
            &[("rustcrypto", Rejected), ("openssl", Rejected), ("mine", Accepted), ("aws-lc", Failed)],
        );
        let standings = |case: &Case| {
            ["rustcrypto", "openssl", "mine", "aws-lc"]
                .map(|peer| Standing::of(case, peer, case.answers[peer].verdict))
        };
        let blaming = |outliers: &[&str]| crate::record::Finding {
            outliers: outliers.iter().map(|name| (*name).to_owned()).collect(),
            votes: Vec::new(),
            summary: String::new(),
            reproducer: None,
            known: None,
        };
        // The signer is wrong, so that those who reject are right.
        case.signer = Some("mine".into());
        case.finding = Some(blaming(&["aws-lc", "mine"]));
        assert_eq!(standings(&case), [Standing::Rejected, Standing::Rejected, Wrong, Standing::Failed]);
        // The votes are even.
        case.finding = Some(blaming(&["aws-lc"]));
        assert_eq!(standings(&case), [Disputed, Disputed, Standing::Accepted, Standing::Failed]);

        // A signer that does not verify is counted all the same.
        let mut run = fixture::agreeing();
        case.finding = Some(blaming(&["mine"]));
        case.answers.remove("mine");
        run.cases = vec![case];
        let tallies = Tallies::new(&run);
        assert_eq!(tallies.cell(Algorithm::MlDsa65, Check::Exchange, "mine").wrong, 1);
    }

    #[test]
    fn what_is_known_is_counted_and_no_news() {
        let run = fixture::knowing();
        assert!(agrees(&run));
        assert_eq!((findings(&run).count(), news(&run).count()), (4, 0));
        let tallies = Tallies::new(&run);
        let of = |check| tallies.cell(Algorithm::MlDsa65, check, "mine");
        assert_eq!(of(Check::Hostile), Tally { known: 2, ..Tally::default() });
        assert_eq!(of(Check::Vectors), Tally { vectors: 9, known: 1, ..Tally::default() });

        // A vector more that came out wrong is news.
        let mut run = run;
        run.vectors.last_mut().unwrap().failed = 2;
        assert!(!agrees(&run));
    }

    #[test]
    fn what_is_wrong_anywhere_is_no_agreement() {
        assert!(!agrees(&fixture::disagreeing()));
        let mut run = fixture::agreeing();
        run.vectors[0].failed = 1;
        assert!(!agrees(&run));
        let mut run = fixture::agreeing();
        run.cases[0].answers.get_mut("openssl").unwrap().verdict = Verdict::Failed;
        assert!(!agrees(&run));
        let mut run = fixture::agreeing();
        run.cases.clear();
        run.vectors.clear();
        assert!(!agrees(&run), "nothing was asked");
    }
}
