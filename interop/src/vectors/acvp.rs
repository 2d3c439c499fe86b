//! NIST's ACVP vectors.

use std::collections::HashMap;
use std::path::Path;

use pqsig::{Algorithm, Family};

use super::Error;
use super::vector::{Audience, Effort, Vector, Wanted};
use crate::acvp::pack::{SETS, Set, Vectors};
use crate::acvp::{Error as AcvpError, Right, Task};

pub(super) fn vectors(algorithms: &[Algorithm], whole: Option<&Path>) -> Result<Vec<Vector>, Error> {
    let mut vectors = Vec::new();
    for set in &SETS {
        if !algorithms.iter().any(|algorithm| algorithm.family() == set.family) {
            continue;
        }
        let mut add = |suite, from: Vectors, audience| -> Result<(), AcvpError> {
            vectors.extend(of_set(suite, set, from, audience, algorithms)?);
            Ok(())
        };
        match whole {
            None => add("acvp", set.packed()?, Audience::Everyone)?,
            Some(folder) => {
                add("acvp", set.packed()?, Audience::Adapters)?;
                add("acvp-whole", set.whole(folder)?, Audience::InProcess)?;
            }
        }
    }
    Ok(vectors)
}

fn of_set(
    suite: &'static str,
    set: &Set,
    mut from: Vectors,
    audience: Audience,
    algorithms: &[Algorithm],
) -> Result<Vec<Vector>, AcvpError> {
    let mut vectors = Vec::new();
    let mut seen: HashMap<Algorithm, usize> = HashMap::new();
    for group in from.prompt.groups {
        for case in group.cases {
            let key = (group.tg_id, case.tc_id);
            let right = from.expected.right.remove(&key).ok_or(AcvpError::Unexpected { key })?;
            if !algorithms.contains(&group.algorithm) {
                continue;
            }
            let before = seen.entry(group.algorithm).or_insert(0);
            let effort =
                if *before < quick_count(group.algorithm, set.task) { Effort::Little } else { Effort::Much };
            *before += 1;
            vectors.push(Vector {
                suite,
                group: set.task.name().to_owned(),
                algorithm: group.algorithm,
                name: format!("tgId {}, tcId {}", group.tg_id, case.tc_id),
                questions: vec![case.question],
                wanted: match right {
                    Right::Verdict(true) => Wanted::Accepted,
                    Right::Verdict(false) => Wanted::Rejected,
                    made => Wanted::Made(made),
                },
                effort,
                audience,
            });
        }
    }
    Ok(vectors)
}

/// How many cases are quick enough for `--quick`. The small sets of SLH-DSA trade time for size: a key pair takes a tenth of a
/// second and more, a signature seven times as long. SHAKE costs three times as much as SHA-2 throughout.
fn quick_count(algorithm: Algorithm, task: Task) -> usize {
    let is_small = algorithm.family() == Family::SlhDsa && algorithm.name().ends_with('s');
    match (task, is_small, algorithm.uses_shake()) {
        (Task::SigGen, true, true) => 0,
        (Task::SigGen, true, false) | (Task::KeyGen, true, _) => 1,
        (Task::SigGen, false, true) => 2,
        _ => usize::MAX,
    }
}
