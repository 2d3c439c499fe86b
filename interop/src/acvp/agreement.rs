//! What is right where nobody has written it down: what the code families agree on.

use std::sync::Arc;

use super::perform::perform;
use super::response::Outcome;
use crate::peer::{Peer, Refusal};
use crate::question::Question;

/// The votes on one question. Implementations of one code family have one vote: the first of them that answers casts it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// What was answered, the most frequent answer first.
    pub ballots: Vec<Ballot>,
    /// The peers that broke.
    pub failed: Vec<(String, String)>,
}

/// Those who gave one answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ballot {
    /// The answer.
    pub outcome: Outcome,
    /// The code families.
    pub lineages: Vec<String>,
    /// The peers that voted for them.
    pub peers: Vec<String>,
}

impl Agreement {
    /// Asks one peer of each code family.
    #[must_use]
    pub fn find(question: &Question, peers: &[Arc<dyn Peer>]) -> Self {
        let algorithm = question.algorithm();
        let mut agreement = Agreement::default();
        let mut voted: Vec<&str> = Vec::new();
        for peer in peers {
            let lineage = peer.identity().lineage(algorithm);
            if voted.contains(&lineage) {
                continue;
            }
            match perform(question, peer.as_ref()) {
                Ok(outcome) => {
                    voted.push(lineage);
                    agreement.count(outcome, lineage, peer.name());
                }
                Err(Refusal::Unsupported(_)) => {}
                Err(Refusal::Refused(why) | Refusal::Failed(why)) => {
                    agreement.failed.push((peer.name().to_owned(), why));
                }
            }
        }
        agreement.ballots.sort_by_key(|ballot| std::cmp::Reverse(ballot.lineages.len()));
        agreement
    }

    fn count(&mut self, outcome: Outcome, lineage: &str, peer: &str) {
        let (lineage, peer) = (lineage.to_owned(), peer.to_owned());
        match self.ballots.iter_mut().find(|ballot| ballot.outcome == outcome) {
            Some(ballot) => {
                ballot.lineages.push(lineage);
                ballot.peers.push(peer);
            }
            None => self.ballots.push(Ballot { outcome, lineages: vec![lineage], peers: vec![peer] }),
        }
    }

    /// The answer of more than half of the code families.
    #[must_use]
    pub fn decided(&self) -> Option<&Ballot> {
        let votes: usize = self.ballots.iter().map(|ballot| ballot.lineages.len()).sum();
        self.ballots.first().filter(|first| 2 * first.lineages.len() > votes)
    }

    /// Who said otherwise and who broke, in words; `None` if nobody did.
    #[must_use]
    pub fn dissent(&self) -> Option<String> {
        let mut words = Vec::new();
        if self.ballots.len() > 1 {
            let sides: Vec<_> = self.ballots.iter().map(|ballot| ballot.peers.join(" and ")).collect();
            words.push(format!("split: {}", sides.join(" against ")));
        }
        words.extend(self.failed.iter().map(|(peer, why)| format!("{peer} failed: {why}")));
        if words.is_empty() { None } else { Some(words.join("; ")) }
    }
}
