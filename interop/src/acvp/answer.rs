//! Answers a prompt with a peer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::perform::perform;
use super::prompt::Prompt;
use super::response::{Key, Response};
use crate::peer::{Caching, Peer, Refusal};

/// Called with the number of cases that are done and the number of all.
pub type Progress<'a> = &'a (dyn Fn(usize, usize) + Sync);

/// A prompt's answers by one peer.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The response. What the peer did not answer is not in it.
    pub response: Response,
    /// What the peer did not answer, and why: ACVP has no word for it.
    pub unanswered: Vec<(Key, Refusal)>,
}

/// Answers every case of a prompt, on all cores. The order of the cases has no influence on the response.
#[must_use]
pub fn answer(prompt: &Prompt, peer: Arc<dyn Peer>, progress: Progress<'_>) -> Answered {
    let peer = Caching::new(peer);
    let cases: Vec<_> = prompt.cases().collect();
    let done = AtomicUsize::new(0);
    let outcomes: Vec<_> = cases
        .par_iter()
        // A signature can take seconds: no thread should sit on a batch of them while others are idle.
        .with_max_len(1)
        .map(|(group, case)| {
            let outcome = perform(&case.question, &peer);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, cases.len());
            ((group.tg_id, case.tc_id), outcome)
        })
        .collect();

    let mut answers = BTreeMap::new();
    let mut unanswered = Vec::new();
    for (key, outcome) in outcomes {
        match outcome {
            Ok(outcome) => {
                answers.insert(key, Ok(outcome));
            }
            Err(refusal) => unanswered.push((key, refusal)),
        }
    }
    Answered { response: Response { head: prompt.head.clone(), answers }, unanswered }
}
